//! Generic functions as libraries of special functions have them: as many terms as a trait says, failures with types of their own, checks by macros
//! in a module that only the crate sees. Gradients against central differences, tangents against gradients.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::adjoint;
use num_traits::Float;
use testkit::vectors::check_entries;

pub(crate) mod checks {
    macro_rules! any_of {
        ($method:ident: $($value:ident),+ => $error:expr) => {
            if $($value.$method())||+ {
                return Err($error);
            }
        };
    }
    macro_rules! declare {
        (mut [$($var:ident $(= $value:expr)?),+ $(,)?]) => {
            $(let mut $var $(= $value)?;)+
        };
    }
    pub(crate) use any_of;
    pub(crate) use declare;
}
use checks::{any_of, declare};

trait Precision<T> {
    const TERMS: usize;
    fn tolerance() -> T;
}
impl Precision<f64> for f64 {
    const TERMS: usize = 9;
    fn tolerance() -> f64 {
        1e-12
    }
}

#[derive(Debug, PartialEq)]
enum Failure<T, C> {
    NotANumber,
    TooLarge(T, C),
}

#[adjoint]
fn series<T: Float, C: Precision<T>>(x: T, p: T) -> Result<T, &'static str> {
    any_of!(is_nan: x, p => "not a number");
    declare!(mut [power, sum, sign = 1]);
    let mut weights = [T::zero(); 16];
    for k in 2..=C::TERMS {
        let count = T::from(k).unwrap();
        weights[k - 2] = p / (count + T::one());
    }
    power = x;
    sum = T::zero();
    for k in (0..C::TERMS - 1).rev() {
        sum = sum * x + weights[k] * power;
        power = power * T::from(sign).unwrap();
        sign = -sign;
    }
    if sum.abs() < C::tolerance() {
        return Err("too small");
    }
    Ok(sum + power)
}

#[adjoint]
fn checked<T: Float, C: Default>(x: T, limit: T) -> Result<T, Failure<T, C>> {
    if x.is_nan() {
        return Err(Failure::NotANumber);
    }
    if x > limit {
        return Err(Failure::TooLarge(x, C::default()));
    }
    Ok(x * limit)
}

#[adjoint]
fn total(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for pair in x.windows(2) {
        sum += series::<f64, f64>(pair[0], pair[1]).unwrap();
        sum += match checked::<f64, u8>(pair[0], pair[1]) {
            Ok(product) => product * product,
            Err(_) => pair[0].sin(),
        };
    }
    sum
}

#[test]
fn series_of_as_many_terms_as_a_trait_says() {
    check_entries(&[0.7, -0.4, 1.1, 0.5, 1.3], total, total::gradient, total::tangent);
    assert_eq!(checked::gradient::<f64, u8>(f64::NAN, 1.0), Err(Failure::NotANumber));
    assert_eq!(checked::gradient::<f64, u8>(2.0, 1.0), Err(Failure::TooLarge(2.0, 0)));
    assert_eq!(series::<f64, f64>(f64::NAN, 1.0), Err("not a number"));
}
