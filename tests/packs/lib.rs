//! What tests with types of other crates have in common.

use backsweep::Vector;

/// Compares gradients with central differences of a function of one value, and the tangents along all directions with the gradient.
///
/// # Panics
/// If they are not close, or values are not equal, bit for bit.
pub fn compare<T: Vector + Clone>(
    at: &T,
    function: impl Fn(&T) -> f64,
    (value, gradient): (f64, T),
    tangent: impl Fn(&T) -> (f64, f64),
    step: f64,
) {
    assert_eq!(value.to_bits(), function(at).to_bits());
    let (mut flat, mut found) = (Vec::new(), Vec::new());
    at.write_flat(&mut flat);
    gradient.write_flat(&mut found);
    for part in 0..flat.len() {
        let moved = |step: f64| {
            let (mut moved, mut numbers) = (at.clone(), flat.clone());
            numbers[part] += step;
            moved.read_flat(&numbers);
            function(&moved)
        };
        let slope = (moved(step) - moved(-step)) / (2.0 * step);
        let close = step.sqrt() * 1e-3 * slope.abs().max(1.0);
        assert!((slope - found[part]).abs() < close, "part {part}: {slope}, {}", found[part]);
        let (mut direction, mut numbers) = (at.clone(), vec![0.0; flat.len()]);
        numbers[part] = 1.0;
        direction.read_flat(&numbers);
        let (same, along) = tangent(&direction);
        assert_eq!(value.to_bits(), same.to_bits());
        assert!(
            (along - found[part]).abs() < 1e-9_f64.max(step * 1e-3) * along.abs().max(1.0),
            "part {part}: {along}"
        );
    }
}
