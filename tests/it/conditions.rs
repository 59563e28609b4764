//! `#[cfg(…)]` inside of functions: rustc decides, and what is not there has no derivative.

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct Pair {
    #[cfg(not(any()))]
    first: f64,
    second: f64,
}

/// Each place where a condition can stand, with one that holds and one that does not.
#[adjoint(independents(x), dependents(return))]
fn everywhere(x: f64, #[cfg(not(any()))] n: i32, #[cfg(any())] m: nothing) -> f64 {
    let mut y = x * x;
    #[cfg(not(any()))]
    {
        y *= x;
    }
    #[cfg(any())]
    {
        y = undefined(y);
    }
    let z = match n {
        #[cfg(any())]
        1 => y,
        #[cfg(not(any()))]
        1 => y * y,
        _ => 2.0 * y,
    };
    #[cfg(any())]
    println!("{nothing}");
    let pair = Pair {
        #[cfg(not(any()))]
        first: z,
        second: x,
        #[cfg(any())]
        third: x,
    };
    let Pair {
        #[cfg(not(any()))]
        first,
        second,
        #[cfg(any())]
        third,
    } = pair;
    let list = [
        first,
        #[cfg(any())]
        3.0,
        second,
    ];
    #[cfg(any())]
    use nowhere::K;
    #[cfg(not(any()))]
    const K: f64 = 3.0;
    #[cfg(not(any()))]
    return list[0] * list[1] + K * x;
    #[cfg(any())]
    list[0]
}

#[test]
fn what_is_not_there_has_no_derivative() {
    let x = 1.3_f64;
    let (value, gradient) = everywhere::gradient(x, 1);
    assert_relative_eq!(value, x.powi(7) + 3.0 * x, max_relative = 1e-14);
    assert_relative_eq!(gradient, 7.0 * x.powi(6) + 3.0, max_relative = 1e-14);
    let (_, gradient) = everywhere::gradient(x, 2);
    assert_relative_eq!(gradient, 8.0 * x.powi(3) + 3.0, max_relative = 1e-14);
}

/// A condition that one build has and another has not.
#[adjoint]
fn of_the_build(x: f64) -> f64 {
    #[cfg(debug_assertions)]
    {
        x * x
    }
    #[cfg(not(debug_assertions))]
    {
        x * x * x
    }
}

#[test]
fn the_last_expression_is_the_one_that_is_there() {
    let expected = if cfg!(debug_assertions) { 4.0 } else { 12.0 };
    assert_eq!(of_the_build::gradient(2.0).1, expected);
}

/// An attribute that is there under a condition.
#[adjoint]
fn conditional_attributes(x: f64) -> f64 {
    #[cfg_attr(not(any()), passive)]
    let a = x * x;
    #[cfg_attr(any(), passive)]
    let b = x * x;
    #[cfg_attr(not(any()), cfg(any()))]
    let b = 0.0;
    a * b
}

#[derive(Clone, Differentiable)]
struct Spring {
    k: f64,
}

#[adjoint]
impl Spring {
    fn force(&self, x: f64) -> f64 {
        #[cfg(not(any()))]
        let x = x * x;
        #[cfg(any())]
        let x = 0.0;
        self.k * x
    }
}

#[adjoint]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        #[cfg(not(any()))]
        let work = self.force(x) * x;
        work
    }
}

#[adjoint]
mod module {
    pub fn outer(x: f64) -> f64 {
        #[cfg(not(any()))]
        let x = inner(x);
        x
    }

    fn inner(x: f64) -> f64 {
        #[cfg(any())]
        return 0.0;
        x * x * x
    }
}

#[test]
fn blocks_and_modules_have_conditions_in_their_functions() {
    let spring = Spring { k: 3.0 };
    let (_, (of_spring, of_x)) = spring.energy_gradient(2.0);
    assert_eq!((of_spring.k, of_x), (8.0, 36.0));
    assert_eq!(module::outer::gradient(2.0).1, 12.0);
    assert_eq!(conditional_attributes::gradient(3.0).1, 54.0);
}

/// A `const fn` stays one.
#[adjoint]
const fn scaled(x: f64, k: f64) -> f64 {
    x * x * k
}

const SCALED: f64 = scaled(2.0, 3.0);

/// What speaks to the compiler, lints and tools means nothing for what is computed.
#[adjoint]
fn spoken_of(x: f64) -> f64 {
    #[rustfmt::skip]
    let matrix = [[x, 0.0],
                  [0.0, x]];
    #[inline]
    fn half(x: f64) -> f64 {
        x / 2.0
    }
    #[allow(clippy::let_and_return, reason = "the attribute is the test")]
    let y = matrix[0][0] * matrix[1][1] * half(4.0) + SCALED;
    y
}

#[test]
fn constant_functions_and_other_attributes() {
    assert_eq!(scaled::gradient(3.0, 4.0), (36.0, (24.0, 9.0)));
    assert_eq!(spoken_of::gradient(3.0), (30.0, 12.0));
}
