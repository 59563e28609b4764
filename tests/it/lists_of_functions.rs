//! Constants of `impl` blocks that are lists of functions.

use approx::assert_relative_eq;
use backsweep::adjoint;
use num_traits::Float;

struct Weights<T>(std::marker::PhantomData<T>);

#[adjoint]
impl<T: Float> Weights<T> {
    /// They are called from the last term to the first.
    const TERMS: [fn(T) -> T; 3] = [Self::sine, Self::square, Self::linear];
    const PAIRS: [fn(T, T) -> T; 2] = [Self::product, T::powf];

    fn linear(u: T) -> T {
        u
    }
    fn square(u: T) -> T {
        u * u
    }
    fn sine(u: T) -> T {
        u.sin()
    }
    fn product(u: T, v: T) -> T {
        u * v
    }
    fn series(x: T, u: T) -> T {
        Self::TERMS.iter().fold(T::zero(), |s, term| s * x + term(u))
    }
    fn backwards(x: T, u: T) -> T {
        Self::PAIRS.into_iter().rev().fold(T::one(), |s, pair| {
            let value = pair(u, x * s);
            s * x + value
        })
    }
    fn looped(x: T, u: T) -> T {
        let mut s = x;
        for term in &Self::TERMS {
            s = (*term)(s * u) + x;
        }
        s + Self::TERMS.iter().map(|&term| term(x) * u).fold(T::zero(), |a, b| a + b)
    }
}

fn check(f: fn(f64, f64) -> f64, gradient: fn(f64, f64) -> (f64, (f64, f64))) {
    let (x, u, h) = (0.7, 1.3, 1e-6);
    let (value, (by_x, by_u)) = gradient(x, u);
    assert_eq!(value, f(x, u));
    assert_relative_eq!(by_x, (f(x + h, u) - f(x - h, u)) / (2.0 * h), max_relative = 1e-8);
    assert_relative_eq!(by_u, (f(x, u + h) - f(x, u - h)) / (2.0 * h), max_relative = 1e-8);
}

#[test]
fn an_element_that_is_called_is_a_choice() {
    check(Weights::<f64>::series, Weights::<f64>::series_gradient);
    check(Weights::<f64>::backwards, Weights::<f64>::backwards_gradient);
    check(Weights::<f64>::looped, Weights::<f64>::looped_gradient);
}
