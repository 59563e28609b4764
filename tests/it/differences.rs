//! Gradients are compared with differences of values.

const STEP: f64 = 1e-6;

/// Central differences have an error of `STEP²` times a third derivative, and of the rounding of values divided by `STEP`.
const TOLERANCE: f64 = 1e-8;

/// Compares a gradient with differences of a function of a list.
pub fn assert_gradient(gradient: &[f64], at: &[f64], f: impl Fn(&[f64]) -> f64) {
    assert_eq!(gradient.len(), at.len());
    for (position, found) in gradient.iter().enumerate() {
        let moved = |step: f64| {
            let mut moved = at.to_vec();
            moved[position] += step;
            f(&moved)
        };
        let difference = (moved(STEP) - moved(-STEP)) / (2.0 * STEP);
        let error = (difference - found).abs() / (1.0 + difference.abs());
        assert!(error < TOLERANCE, "at {position}: {found} instead of {difference}");
    }
}
