//! Values of any type with derivatives as points: some way along a direction, and bars against central differences.

use backsweep::Vector;

/// All numbers of a value.
#[must_use]
pub fn flat<T: Vector>(value: &T) -> Vec<f64> {
    let mut list = Vec::new();
    value.write_flat(&mut list);
    list
}

/// A value some way along another one.
#[must_use]
pub fn moved<T: Vector + Clone>(value: &T, direction: &[f64], step: f64) -> T {
    let list: Vec<f64> = flat(value).iter().zip(direction).map(|(x, d)| x + step * d).collect();
    let mut moved = value.clone();
    moved.read_flat(&list);
    moved
}

/// Compares a bar with central differences.
///
/// # Panics
/// If they differ.
#[track_caller]
pub fn check<T: Vector + Clone>(function: impl Fn(&T) -> f64, value: &T, bar: &T) {
    let expected = flat(bar);
    for (position, expected) in expected.iter().enumerate() {
        let mut direction = vec![0.0; flat(value).len()];
        direction[position] = 1.0;
        let step = 5e-5;
        let [a, b, c, d] =
            [1.0, -1.0, 2.0, -2.0].map(|steps| function(&moved(value, &direction, steps * step)));
        let slope = (8.0 * (a - b) - (c - d)) / (12.0 * step);
        let scale = 1.0 + slope.abs();
        assert!((slope - expected).abs() < 1e-7 * scale, "{position}: {slope} and {expected}");
    }
}

/// Compares what the entries of a function say at a point: the value with that of the function, bit for bit, the gradient with central
/// differences, and the tangent with the gradient.
///
/// # Panics
/// If they differ.
#[track_caller]
pub fn check_entries(
    x: &[f64],
    function: impl Fn(&[f64]) -> f64,
    gradient: impl Fn(&[f64]) -> (f64, Vec<f64>),
    tangent: impl Fn(&[f64], &[f64]) -> (f64, f64),
) {
    let (value, gradient) = gradient(x);
    assert_eq!(value.to_bits(), function(x).to_bits());
    check(|x: &Vec<f64>| function(x), &x.to_vec(), &gradient);
    let along = direction(&x.to_vec());
    let (tangent_value, slope) = tangent(x, &along);
    assert_eq!(tangent_value.to_bits(), value.to_bits());
    close(slope, gradient.inner(&along));
}

/// Some direction.
#[must_use]
pub fn direction<T: Vector + Clone>(value: &T) -> T {
    let list: Vec<f64> =
        (0..flat(value).len()).map(|n| (0.7 + 1.3 * n as f64).sin() + 0.2).collect();
    let mut direction = value.clone();
    direction.read_flat(&list);
    direction
}

/// Two numbers that rounding alone may set apart.
///
/// # Panics
/// If they differ by more.
#[track_caller]
pub fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-12 * (1.0 + a.abs()), "{a} and {b}");
}
