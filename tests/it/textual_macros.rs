//! Macros of the crate: what they stand for is read where they are defined, and differentiated.

use approx::assert_relative_eq;
use backsweep::adjoint;

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

/// The last definition before the function counts.
#[allow(unused_macros, reason = "it must not be used")]
macro_rules! scaled {
    ($x:expr) => {
        100.0 * $x
    };
}
macro_rules! scaled {
    ($x:expr) => {
        2.0 * $x
    };
}

#[cfg(not(any()))]
macro_rules! chosen {
    ($($arg:tt)*) => { assert!($($arg)*) };
}
#[cfg(any())]
macro_rules! chosen {
    ($($arg:tt)*) => {};
}

#[cfg(any())]
macro_rules! left_out {
    ($($arg:tt)*) => { undefined($($arg)*) };
}
#[cfg(not(any()))]
macro_rules! left_out {
    ($($arg:tt)*) => {};
}

macro_rules! horner {
    ($x:expr, $last:expr) => { $last };
    ($x:expr, $first:expr, $($rest:expr),+ $(,)?) => { $first + $x * horner!($x, $($rest),+) };
}

macro_rules! write_to {
    ($list:ident, $at:expr, = $value:expr) => {
        $list[$at] = $value;
    };
    ($list:ident, $at:expr) => {
        $list[$at]
    };
}

/// A variable of the macro is another one than that of its caller.
macro_rules! with_own_variable {
    ($value:expr) => {{
        let t = $value * 3.0;
        t * t
    }};
}

/// Variables that are bound otherwise than by `let`.
macro_rules! bound_in_arms {
    ($value:expr, $scale:expr) => {
        match $value {
            u if u > 100.0 => 0.0,
            v => $scale * v,
        }
    };
}

macro_rules! declare {
    ($name:ident, $value:expr) => {
        let $name = $value;
    };
}

#[adjoint]
fn precedence(x: f64) -> f64 {
    square!(x + 1.0) - scaled!(x - 1.0)
}

#[adjoint]
fn conditional(x: f64) -> f64 {
    chosen!(x > 0.0 && x.is_finite(), "positive {}", x);
    left_out!(x);
    x * x
}

#[adjoint]
fn polynomial(x: f64) -> f64 {
    horner!(x, 1.0, -2.0, 0.5, 3.0)
}

#[adjoint]
fn statements(x: f64) -> f64 {
    let mut list = [0.0; 3];
    for i in 0..3 {
        write_to!(list, i, = x * (i as f64 + 1.0));
    }
    declare!(product, write_to!(list, 1) * write_to!(list, 2));
    product
}

#[adjoint]
fn hygiene(x: f64) -> f64 {
    let t = x * x;
    with_own_variable!(t) + t
}

/// What is matched as an expression is no name and no token for another macro.
macro_rules! as_what {
    (2.0) => {
        100.0
    };
    ($name:ident) => {
        200.0
    };
    ($value:expr) => {
        $value * $value
    };
}
macro_rules! passed_on {
    ($value:expr) => {
        as_what!($value)
    };
}

/// A literal stays together with its sign.
macro_rules! absolute {
    ($value:literal) => {
        $value.abs()
    };
}

#[adjoint]
fn fragments(x: f64) -> f64 {
    passed_on!(x) + x * passed_on!(2.0) + x * absolute!(-3.0_f64)
}

#[test]
fn fragments_stay_what_they_are() {
    let x = 1.3_f64;
    assert_eq!(fragments(x), x * x + 4.0 * x + 3.0 * x);
    assert_relative_eq!(fragments::gradient(x).1, 2.0 * x + 7.0, max_relative = 1e-14);
    assert_eq!(fragments::gradient(x).0, fragments(x));
}

/// A constant in lower case.
#[allow(non_upper_case_globals, reason = "the name is the test")]
const rate: f64 = 3.0;

macro_rules! times_rate {
    ($x:expr) => {
        $x * rate
    };
}

#[adjoint]
fn other_names(x: f64) -> f64 {
    times_rate!(x) + bound_in_arms!(x * x, x)
}

#[test]
fn names_of_macros_that_are_no_variables_of_the_caller() {
    let x = 1.3_f64;
    assert_relative_eq!(other_names::gradient(x).1, rate + 3.0 * x * x, max_relative = 1e-14);
}

#[test]
fn macros_are_what_they_stand_for() {
    let x = 1.7_f64;
    assert_relative_eq!(precedence::gradient(x).1, 2.0 * (x + 1.0) - 2.0, max_relative = 1e-14);
    assert_relative_eq!(conditional::gradient(x).1, 2.0 * x, max_relative = 1e-14);
    let slope = -2.0 + x + 9.0 * x * x;
    assert_relative_eq!(polynomial::gradient(x).1, slope, max_relative = 1e-14);
    assert_relative_eq!(statements::gradient(x).1, 12.0 * x, max_relative = 1e-14);
    assert_relative_eq!(hygiene::gradient(x).1, 36.0 * x.powi(3) + 2.0 * x, max_relative = 1e-14);
}

#[test]
#[should_panic = "positive"]
fn the_chosen_definition_checks() {
    conditional::gradient(-1.0);
}

mod inner {
    use backsweep::adjoint;

    macro_rules! square {
        ($x:expr) => {
            $x * $x * $x
        };
    }

    #[adjoint]
    pub fn innermost(x: f64) -> f64 {
        square!(x) + scaled!(x)
    }

    pub struct Spring {
        pub k: f64,
    }

    impl Spring {
        #[adjoint(passive(self), independents(x))]
        pub fn alone(&self, x: f64) -> f64 {
            self.k * square!(x)
        }
    }

    #[adjoint]
    impl Spring {
        #[adjoint(passive(self), independents(x))]
        pub fn in_a_block(&self, x: f64) -> f64 {
            chosen!(x > 0.0);
            self.k * square!(x)
        }
    }
}

/// A macro of that name comes later: it is not meant.
macro_rules! square {
    ($x:expr) => {
        0.0 * $x
    };
}

#[test]
fn the_innermost_definition_before_the_function_counts() {
    assert_relative_eq!(inner::innermost::gradient(2.0).1, 14.0);
    let spring = inner::Spring { k: 2.0 };
    assert_relative_eq!(spring.alone_gradient(2.0).1, 24.0);
    assert_relative_eq!(spring.in_a_block_gradient(2.0).1, 24.0);
    assert_eq!(square!(2.0), 0.0);
}
