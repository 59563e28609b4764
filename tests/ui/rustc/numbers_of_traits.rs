//! A number without a type is taken for one of the type parameter. Where it is of another type, rustc says so.

use backsweep::adjoint;
use num_traits::{Float, Zero};

#[adjoint(passive(n))]
fn power<T: Float>(x: T, n: i32) -> T {
    x.powi(n)
}

#[adjoint]
fn of_an_integer<T: Float>(x: T) -> T {
    let zero = Zero::zero();
    power(x, zero) * x
}

fn main() {}
