//! Macros of the crate that are called by a path, or by a name that an import brings.

use approx::assert_relative_eq;
use backsweep::adjoint;

mod checks {
    use backsweep::adjoint;

    macro_rules! check {
        (@failed $name:ident) => {
            return Err(concat!(stringify!($name), " is no number"))
        };
        (@numbers [$($name:ident),*]) => {
            check!([$($name),*])
        };
        ([$($name:ident),* $(,)?]) => {
            $(if $name.is_nan() {
                check!(@failed $name);
            })*
        };
    }
    pub(crate) use check;

    macro_rules! declare {
        (mut [$($name:ident $(= $value:expr)?),+ $(,)?]) => {
            $(let mut $name $(= $value)?;)+
        };
    }
    pub(crate) use declare as variables;

    #[cfg(not(any()))]
    macro_rules! chosen {
        ($x:expr) => {
            $x * $x
        };
    }
    #[cfg(any())]
    macro_rules! chosen {
        ($x:expr) => {
            0.0 * $x
        };
    }
    pub(crate) use chosen;

    /// It is found by the order of the text, and comes later than the import.
    macro_rules! scaled {
        ($x:expr) => {
            2.0 * $x
        };
    }
    pub(crate) use scaled;
    #[allow(unused_macros, reason = "it must not be used")]
    macro_rules! scaled {
        ($x:expr) => {
            100.0 * $x
        };
    }

    #[adjoint]
    pub fn textual(x: f64) -> f64 {
        chosen!(x)
    }

    pub mod exported {
        /// The third power.
        #[macro_export]
        macro_rules! cubed_in_tests {
            ($x:expr) => {
                $x * $x * $x
            };
        }
    }
}

mod by_name {
    use super::checks::{check, chosen, scaled, variables};
    use crate::cubed_in_tests;
    use backsweep::adjoint;

    #[adjoint]
    pub fn checked(x: f64, y: f64) -> Result<f64, &'static str> {
        check!([x, y]);
        check!(@numbers [y, x]);
        Ok(scaled!(x * y))
    }

    /// The macro hides a parameter.
    #[adjoint]
    pub fn declared(x: f64, kc: f64) -> f64 {
        variables!(mut [y = x * x, kc = kc.sin(), g = y]);
        g *= y * kc;
        for _ in 0..2 {
            y += g;
            kc *= y;
        }
        kc + chosen!(y) + cubed_in_tests!(x)
    }
}

mod by_glob {
    use super::checks::*;
    use backsweep::adjoint;

    #[adjoint]
    pub fn checked(x: f64) -> Result<f64, &'static str> {
        check!([x]);
        Ok(scaled!(x))
    }

    pub mod inner {
        use super::*;

        #[adjoint]
        pub fn imported_twice(x: f64) -> f64 {
            chosen!(x) + scaled!(x)
        }
    }
}

#[adjoint]
fn by_path(x: f64) -> f64 {
    crate::cubed_in_tests!(x) + checks::scaled!(x) + crate::macros_by_path::checks::chosen!(x)
}

/// Another macro of a function has the name.
mod hidden {
    use super::checks::scaled;
    use backsweep::adjoint;

    macro_rules! tripled {
        ($x:expr) => {
            3.0 * $x
        };
    }

    #[adjoint]
    pub fn of_the_function(x: f64) -> f64 {
        macro_rules! scaled {
            ($x:expr) => {
                tripled!($x) * $x
            };
        }
        scaled!(x)
    }

    #[adjoint]
    pub fn of_the_module(x: f64) -> f64 {
        scaled!(x)
    }
}

#[test]
fn a_macro_is_found_by_its_path() {
    let x = 1.3_f64;
    assert_relative_eq!(by_path::gradient(x).1, 3.0 * x * x + 2.0 + 2.0 * x, max_relative = 1e-14);
    assert_relative_eq!(checks::textual::gradient(x).1, 2.0 * x);
    assert_relative_eq!(hidden::of_the_function::gradient(x).1, 6.0 * x, max_relative = 1e-14);
    assert_relative_eq!(hidden::of_the_module::gradient(x).1, 2.0);
}

#[test]
fn a_macro_is_found_by_an_import() {
    let (x, y) = (1.3_f64, -0.7);
    let (value, gradient) = by_name::checked::gradient(x, y).unwrap();
    assert_eq!(value, 2.0 * x * y);
    assert_eq!((gradient.0, gradient.1), (2.0 * y, 2.0 * x));
    assert!(by_name::checked::gradient(f64::NAN, y).is_err());
    assert_eq!(by_glob::checked::gradient(x).unwrap().1, 2.0);
    let slope = by_glob::inner::imported_twice::gradient(x).1;
    assert_relative_eq!(slope, 2.0 * x + 2.0, max_relative = 1e-14);
}

#[test]
fn variables_that_a_macro_declares_hide_parameters() {
    let (x, kc, h) = (0.8_f64, 0.6, 1e-6);
    let (_, gradient) = by_name::declared::gradient(x, kc);
    let by_x = (by_name::declared(x + h, kc) - by_name::declared(x - h, kc)) / (2.0 * h);
    let by_kc = (by_name::declared(x, kc + h) - by_name::declared(x, kc - h)) / (2.0 * h);
    assert_relative_eq!(gradient.0, by_x, max_relative = 1e-8);
    assert_relative_eq!(gradient.1, by_kc, max_relative = 1e-8);
}
