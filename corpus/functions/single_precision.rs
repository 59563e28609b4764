//! Functions of single precision.

use backsweep::adjoint;

/// The luminance of a colour, with gamma.
#[adjoint]
#[sample([0.2, 0.5, 0.8], 2.2)]
pub fn luminance(rgb: &[f32; 3], gamma: f32) -> f32 {
    0.2126 * rgb[0].powf(gamma) + 0.7152 * rgb[1].powf(gamma) + 0.0722 * rgb[2].powf(gamma)
}

/// An octave of smoothed value noise.
#[adjoint]
#[sample(1.3, 2.6, [0.1, 0.9, 0.4, 0.7])]
pub fn value_noise(x: f32, y: f32, corners: [f32; 4]) -> f32 {
    let (fx, fy) = (x - x.floor(), y - y.floor());
    let u = fx * fx * (3.0 - 2.0 * fx);
    let v = fy * fy * (3.0 - 2.0 * fy);
    let low = corners[0] + (corners[1] - corners[0]) * u;
    let high = corners[2] + (corners[3] - corners[2]) * u;
    low + (high - low) * v
}

/// A one-pole filter, in place.
#[adjoint]
#[sample([1.0, 0.5, -0.5, 0.25], 0.3)]
pub fn one_pole(signal: &mut [f32], coefficient: f32) {
    let mut state = 0.0;
    for s in signal.iter_mut() {
        state += coefficient * (*s - state);
        *s = state;
    }
}

/// The signed distance to a rounded box.
#[adjoint]
#[sample([1.5, 0.2, -0.7], [0.5, 0.6, 0.4], 0.1)]
pub fn rounded_box(p: [f32; 3], half: [f32; 3], radius: f32) -> f32 {
    let mut outside = 0.0_f32;
    let mut inside = f32::NEG_INFINITY;
    for i in 0..3 {
        let q = p[i].abs() - half[i];
        outside += q.max(0.0).powi(2);
        inside = inside.max(q);
    }
    outside.sqrt() + inside.min(0.0) - radius
}

/// A dot product summed in double precision.
#[adjoint]
#[sample([0.1, 0.2, 0.3], [1.5, -0.5, 2.0])]
pub fn mixed_dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sum = 0.0_f64;
    for i in 0..a.len() {
        sum += a[i] as f64 * b[i] as f64;
    }
    sum as f32
}

/// The square root by Newton's iteration, until single precision is reached.
#[adjoint]
#[sample(2.0)]
#[sample(0.3)]
pub fn newton_sqrt(a: f32) -> f32 {
    let mut x = 0.5 * (1.0 + a);
    for _ in 0..8 {
        x = 0.5 * (x + a / x);
    }
    x
}

/// The gain of a decibel value, compressed above a threshold.
#[adjoint]
#[sample(-6.0, -12.0, 4.0)]
#[sample(-20.0, -12.0, 4.0)]
pub fn compressor_gain(level: f32, threshold: f32, ratio: f32) -> f32 {
    let over = level - threshold;
    let reduction = if over > 0.0 { over - over / ratio } else { 0.0 };
    10.0_f32.powf(-reduction / 20.0)
}

/// A pair of single and double precision.
#[adjoint]
#[sample(0.7, 1.3)]
pub fn both_precisions(x: f32, y: f64) -> (f32, f64) {
    let narrow = (x as f64 * y).sin() as f32;
    (narrow * x, f64::from(narrow) + y * y)
}
