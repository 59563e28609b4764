//! Lists of which only what comes later tells that they are lists, gone through and changed.

use approx::assert_relative_eq;
use backsweep::adjoint;
use num_traits::Float;

fn difference(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-6;
    (f(x + h) - f(x - h)) / (2.0 * h)
}

#[derive(Clone, Copy)]
enum Side {
    Low,
    High,
}

#[adjoint]
fn weights<T: Float>(t: T, ratio: T) -> [T; 3] {
    [t * t, t * ratio, (t + ratio) / (T::one() + ratio)]
}

#[adjoint]
fn scaled<T: Float>(x: T, h: T, side: Side) -> [T; 3] {
    let (mut out, scale) = match side {
        Side::Low => (weights(x / h, h), x / h),
        Side::High => {
            let t = x * h;
            (weights(t, T::one()), -h)
        }
    };
    for item in &mut out {
        *item = *item * scale;
    }
    out
}

#[adjoint]
fn by_position(x: f64) -> Result<[f64; 3], String> {
    let mut out = weights(x, 2.0);
    for (k, item) in out.iter_mut().enumerate() {
        *item *= x * k as f64;
    }
    out.iter_mut().for_each(|item| *item += item.sin());
    if x < 0.0 {
        return Err("negative".to_owned());
    }
    Ok(out)
}

/// In a closure, and a part.
#[adjoint]
fn in_parts(x: f64) -> [f64; 3] {
    let mut out = weights(x, 0.5);
    let mut scale = |by: f64| {
        for part in out.iter_mut() {
            *part *= x + by;
        }
    };
    scale(1.0);
    scale(x);
    for part in &mut out[1..] {
        *part *= x;
    }
    out
}

#[test]
fn changed_elements_have_derivatives() {
    let seeds = [0.4, -1.1, 0.7];
    let weighted = |out: [f64; 3]| out.iter().zip(seeds).map(|(a, b)| a * b).sum::<f64>();
    let (x, h) = (0.8, 1.7);
    for side in [Side::Low, Side::High] {
        let (mut x_b, mut h_b) = (0.0, 0.0);
        let out = scaled::adjoint(x, &mut x_b, h, &mut h_b, side, seeds);
        assert_eq!(out, scaled(x, h, side));
        let by_x = difference(|x| weighted(scaled(x, h, side)), x);
        let by_h = difference(|h| weighted(scaled(x, h, side)), h);
        assert_relative_eq!(x_b, by_x, max_relative = 1e-7);
        assert_relative_eq!(h_b, by_h, max_relative = 1e-7);
    }
    let mut x_b = 0.0;
    let out = by_position::adjoint(x, &mut x_b, seeds).unwrap();
    assert_eq!(out, by_position(x).unwrap());
    let by_x = difference(|x| weighted(by_position(x).unwrap()), x);
    assert_relative_eq!(x_b, by_x, max_relative = 1e-7);
    let mut x_b = 0.0;
    let out = in_parts::adjoint(x, &mut x_b, seeds);
    assert_eq!(out, in_parts(x));
    assert_relative_eq!(x_b, difference(|x| weighted(in_parts(x)), x), max_relative = 1e-7);
}
