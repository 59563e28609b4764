//! Lists that arrays become, where the macro does not see the types of fields: the bar of the one is added to that of the other.

use backsweep::{Differentiable, adjoint};

#[derive(Clone, Debug, Differentiable)]
pub struct Polynomial {
    coefficients: Vec<f64>,
}

#[adjoint(no(context))]
impl From<[f64; 3]> for Polynomial {
    fn from(coefficients: [f64; 3]) -> Self {
        Polynomial { coefficients: coefficients.to_vec() }
    }
}

/// Of any length: such a conversion is not called yet.
#[derive(Clone, Debug, Differentiable)]
pub struct Samples(Vec<f64>);

#[adjoint]
impl<const N: usize> From<[f64; N]> for Samples {
    fn from(samples: [f64; N]) -> Self {
        Self(samples.to_vec())
    }
}

#[adjoint(no(context))]
fn with_coefficients<const N: usize>(coefficients: [f64; N]) -> Polynomial {
    Polynomial { coefficients: coefficients.to_vec() }
}

#[adjoint(test(x: 0.7, y: 1.3))]
fn of_converted(x: f64, y: f64) -> f64 {
    let polynomial = Polynomial::from([x, x * y, y.sin()]);
    polynomial.coefficients[0] * polynomial.coefficients[1] + polynomial.coefficients[2]
}

#[adjoint(test(x: 0.7, y: 1.3))]
fn of_made(x: f64, y: f64) -> f64 {
    let polynomial = with_coefficients([x, x * y]);
    polynomial.coefficients[0] * polynomial.coefficients[1]
}
