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

/// Returns what another implementation says, where there is one.
macro_rules! select_implementation {
    (name: $name:ident, $(use_always: $always:meta,)? $(use_if: $condition:meta,)? args: $($arg:ident),+ ,) => {
        select_implementation! {
            @cfg $($always)?;
            if true {
                return fast::$name($($arg),+);
            }
        }
        #[cfg(not(any()))]
        select_implementation! {
            @cfg $($condition)?;
            if true {
                return fast::$name($($arg),+);
            }
        }
    };
    (@cfg ; $code:expr) => {};
    (@cfg $condition:meta; $code:expr) => { #[cfg($condition)] $code };
}

mod fast {
    use backsweep::adjoint;

    #[adjoint]
    pub fn cube(x: f64) -> f64 {
        x * x * x
    }
}

#[adjoint]
fn elsewhere(mut x: f64) -> f64 {
    select_implementation! {
        name: nowhere,
        use_if: all(any(), not(any())),
        args: x,
    }
    x *= 2.0;
    x * x
}

#[adjoint]
fn selected(x: f64) -> f64 {
    select_implementation! {
        name: cube,
        use_if: all(not(any(any())), not(any())),
        args: x,
    }
    2.0 * x
}

#[adjoint]
fn selected_always(mut x: f64) -> f64 {
    x += 1.0;
    select_implementation! {
        name: cube,
        use_always: not(all(any())),
        args: x,
    }
    0.0 * x
}

/// Which one is there rustc says first, and only then which conditions are in it.
#[cfg(any())]
macro_rules! of_two {
    ($x:ident) => {
        $x
    };
}
#[cfg(not(all(any())))]
macro_rules! of_two {
    ($x:ident) => {{
        #[cfg(any(all(any())))]
        let $x = 0.0;
        #[cfg(not(any(all(any()))))]
        let $x = $x * $x;
        // What is not there is not looked at.
        #[cfg(any(all(any())))]
        undefined! { $x }
        $x
    }};
}

#[adjoint]
fn in_two_rounds(x: f64) -> f64 {
    let y = of_two!(x);
    y * x
}

#[adjoint]
impl Spring {
    fn selected(&self, x: f64) -> f64 {
        let y = of_two!(x);
        select_implementation! {
            name: cube,
            use_if: any(),
            args: x,
        }
        self.k * y
    }
}

#[test]
fn conditions_in_what_macros_stand_for_are_decided() {
    assert_eq!(elsewhere(3.0), 36.0);
    assert_eq!(elsewhere::gradient(3.0), (36.0, 24.0));
    assert_eq!(selected(3.0), 27.0);
    assert_eq!(selected::gradient(3.0), (27.0, 27.0));
    assert_eq!(selected_always(2.0), 27.0);
    assert_eq!(selected_always::gradient(2.0), (27.0, 27.0));
    assert_eq!(in_two_rounds(2.0), 8.0);
    assert_eq!(in_two_rounds::gradient(2.0), (8.0, 12.0));
    let spring = Spring { k: 3.0 };
    assert_eq!(spring.selected(2.0), 12.0);
    let (value, (of_spring, of_x)) = spring.selected_gradient(2.0);
    assert_eq!((value, of_spring.k, of_x), (12.0, 4.0, 12.0));
}
