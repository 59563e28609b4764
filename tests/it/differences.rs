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

/// Compares what `gradient` and `tangent` say of functions of a list at a point: values with the functions' own, bit for bit; the gradient with
/// differences; and both with each other.
macro_rules! assert_derivatives {
    ($at:expr, $along:expr; $($function:ident)*) => { $({
        let (at, along) = ($at, $along);
        let (value, gradient) = $function::gradient(&at);
        $crate::differences::assert_gradient(&gradient, &at, $function);
        let (value_of_tangent, tangent) = $function::tangent(&at, &along);
        assert_eq!([value, value_of_tangent], [$function(&at); 2], "{}", stringify!($function));
        let product: f64 = gradient.iter().zip(along).map(|(g, d)| g * d).sum();
        approx::assert_relative_eq!(tangent, product, max_relative = 1e-12);
    })* };
}
pub(crate) use assert_derivatives;
