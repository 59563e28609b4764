//! Where the entries of functions are found. Functions that are called as a module is: as the module they stand in (a file for each function), or as one beside them.

mod cubed;
pub(crate) mod halved;

/// As `cfg_if!` does.
macro_rules! either {
    (if #[cfg($condition:meta)] { $($first:item)* } else { $($second:item)* }) => {
        $(#[cfg($condition)] $first)*
        $(#[cfg(not($condition))] $second)*
    };
}
// Modules in files of their own are found in calls of macros, too.
either! {
    if #[cfg(test)] {
        pub(crate) mod thirded;
    } else {
        mod thirded;
    }
}

mod checks {
    macro_rules! must_be_odd {
        ($n:expr) => {
            assert!($n % 2 == 1)
        };
    }
    pub(crate) use must_be_odd;
}

mod checked {
    use super::checks::must_be_odd;
    use backsweep::adjoint;

    /// The import leads to one that leads to itself, for the name is that of a macro.
    #[adjoint]
    pub fn odd_power(x: f64, n: i32) -> f64 {
        must_be_odd!(n);
        x.powi(n)
    }
}

mod inline {
    use super::cubed;
    use backsweep::adjoint;

    /// The entries are found in the module `cubed`, through an import of the import.
    #[adjoint]
    pub fn cubed_and_more(x: f64) -> f64 {
        cubed(x) + x
    }

    pub mod doubled {
        use backsweep::adjoint;

        #[adjoint]
        pub fn doubled(x: f64) -> f64 {
            2.0 * x
        }
    }
    pub use self::doubled::*;

    /// Several results: entries in several directions have parameters that no argument tells.
    pub mod mixed {
        use backsweep::adjoint;

        #[adjoint]
        pub const fn mixed(x: [f64; 2]) -> [f64; 2] {
            [x[0] * x[1], 3.0 * x[0]]
        }
    }
    pub use self::mixed::mixed;
}
/// Functions that others find by way of another module, in which that of their name is not seen.
mod shapes {
    mod squared {
        use backsweep::adjoint;

        #[adjoint]
        pub fn squared(x: f64) -> f64 {
            x * x
        }
    }
    pub use squared::squared;

    pub mod inside {
        use crate::named_as_modules::squared;
        use backsweep::adjoint;

        #[adjoint]
        pub fn squared_and_more(x: f64) -> f64 {
            squared(x) + x
        }
    }
}
pub use shapes::squared;
mod planet {
    pub const RADIUS: f64 = 3.0;
}
/// What is in it has no derivatives.
mod quartered {
    pub fn quartered(x: f64) -> f64 {
        0.25 * x
    }
}

use self::cubed::cubed;
use ad_analysis::context::{Entries, Names, Place};
use approx::assert_relative_eq;
use backsweep::adjoint;
use halved::halved;
use quartered::quartered;
use std::path::Path;
use thirded::{thirded, thirded_twice};

/// Beside the module of its name.
#[adjoint]
fn planet(x: f64) -> f64 {
    planet::RADIUS * x * x
}

#[adjoint]
fn through_a_sibling(x: f64) -> f64 {
    halved(x).sin() + planet(x) + self::cubed(x)
}

/// An import of the function alone, under another name.
mod direct {
    use super::cubed::cubed as third_power;
    use backsweep::adjoint;

    #[adjoint]
    pub fn through_the_function(x: f64) -> f64 {
        third_power(x) + super::cubed::cubed(x)
    }
}

#[adjoint]
fn through_a_glob(x: f64) -> f64 {
    inline::doubled(x) * x
}

#[test]
fn a_function_called_as_its_module_has_its_entries_in_it() {
    assert_eq!(cubed::gradient(2.0), (8.0, 12.0));
    assert_eq!(halved::gradient(2.0), (1.0, 0.5));
    assert_eq!(inline::doubled::gradient(2.0), (4.0, 2.0));
    assert_eq!(inline::mixed([2.0, 5.0]), [10.0, 6.0]);
    let (_, tangents) = inline::mixed::tangents([2.0, 5.0], [[1.0, 0.0], [0.0, 1.0]]);
    // For each number its derivatives in both directions.
    assert_eq!(tangents, [[5.0, 2.0], [3.0, 0.0]]);
}

#[test]
fn a_function_called_as_a_module_beside_it_has_a_struct_of_another_name() {
    assert_eq!(planet_derivatives::gradient(2.0), (12.0, 12.0));
}

#[test]
fn both_are_found_by_those_that_call_them() {
    let (value, gradient) = through_a_sibling::gradient(2.0);
    assert_relative_eq!(value, 1.0_f64.sin() + 12.0 + 8.0, max_relative = 1e-14);
    assert_relative_eq!(gradient, 0.5 * 1.0_f64.cos() + 12.0 + 12.0, max_relative = 1e-14);
    assert_eq!(inline::cubed_and_more::gradient(2.0), (10.0, 13.0));
    assert_eq!(direct::through_the_function::gradient(2.0), (16.0, 24.0));
    assert_eq!(through_a_glob::gradient(3.0), (18.0, 12.0));
}

#[adjoint]
fn through_a_module_that_a_macro_declares(x: f64) -> f64 {
    thirded(x) * thirded_twice(x) * self::thirded::thirded(x)
}

#[test]
fn modules_that_a_macro_declares_are_modules() {
    assert_eq!(thirded::gradient(6.0).0, 2.0);
    let (value, gradient) = through_a_module_that_a_macro_declares::gradient(3.0);
    assert_relative_eq!(value, 1.0 / 3.0, max_relative = 1e-14);
    assert_relative_eq!(gradient, 1.0 / 3.0, max_relative = 1e-14);
}

/// Where a function of this file stands.
fn place_of(function: &str) -> Place {
    let text = include_str!("named_as_modules.rs");
    let (line, column) = text
        .lines()
        .enumerate()
        .find_map(|(line, text)| Some((line, text.find(&format!("fn {function}("))?)))
        .unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("it/named_as_modules.rs");
    Place { file, line: line + 1, column: column + 1 }
}

#[test]
fn a_function_without_derivatives_is_no_module_with_entries() {
    assert_eq!(quartered(1.0), 0.25);
    let names = Names::at(&place_of("through_a_sibling")).unwrap();
    let callee =
        |path: &[&str]| names.callee(&path.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!(callee(&["quartered"]), Some(Entries::Missing));
    assert_eq!(callee(&["crate", "named_as_modules", "quartered"]), Some(Entries::Missing));
    let halved = Some(Entries::At(vec!["halved".to_owned()]));
    assert_eq!(callee(&["halved"]), halved);
    assert_eq!(callee(&["super", "named_as_modules", "halved"]), Some(Entries::Beside));
    assert_eq!(callee(&["planet"]), Some(Entries::At(vec!["planet_derivatives".to_owned()])));
    assert_eq!(
        callee(&["self", "cubed", "cubed"]),
        Some(Entries::At(vec!["self".to_owned(), "cubed".to_owned()]))
    );
    assert_eq!(callee(&["through_a_glob"]), None);
    assert_eq!(callee(&["sin"]), None);
    // Nothing else that is called like it is taken for it.
    assert_eq!(callee(&["place_of"]), Some(Entries::Missing));
    let path = ["approx", "assert_relative_eq"].map(str::to_owned).to_vec();
    assert_eq!(callee(&["assert_relative_eq"]), Some(Entries::At(path)));

    let item = "fn through_a_sibling(x: f64) -> f64 { quartered(x) }";
    let place = place_of("through_a_sibling");
    let expanded = |options: &str| {
        ad_analysis::expand_in(options.parse().unwrap(), item.parse().unwrap(), Some(&place))
            .to_string()
    };
    let refused = "use :: backsweep :: __private :: without_entries as __callee";
    assert!(expanded("").contains(refused));
    assert!(!expanded("no(context)").contains(refused));
    assert!(!expanded("callee(quartered = own)").contains(refused));
}

/// However the function is called, and whatever else is called like it.
#[test]
fn no_call_of_a_function_without_derivatives_is_overlooked() {
    let place = place_of("through_a_sibling");
    for body in [
        "self::halved(x) + quartered(x)",
        "other::quartered(x) + quartered(x)",
        "[x].iter().map(|t| *t).map(quartered).sum::<f64>()",
        "let mut y = x; for k in 0..count(x) { y += quartered(x); } y",
        "{ macro_name!(quartered(x)); quartered::<f64>(x) }",
    ] {
        let item = format!("fn through_a_sibling(x: f64) -> f64 {{ {body} }}");
        let names = ad_analysis::pipeline::arguments_in(&item.parse().unwrap(), &place).to_string();
        assert!(names.contains("found (quartered ="), "{body}: {names}");
    }
}

#[test]
fn imports_of_macros_lead_to_themselves() {
    assert_eq!(checked::odd_power::gradient(2.0, 3), (8.0, 12.0));
}

#[test]
fn functions_that_come_back_by_way_of_others() {
    assert_eq!(shapes::inside::squared_and_more::gradient(3.0), (12.0, 7.0));
}

#[test]
fn functions_of_a_module_call_the_one_of_its_name() {
    let (x, h) = (0.7, 1e-6);
    let slope = (cubed::folded(x + h, 3) - cubed::folded(x - h, 3)) / (2.0 * h);
    approx::assert_relative_eq!(cubed::folded::gradient(x, 3).1, slope, max_relative = 1e-8);
    let (value, gradient) = cubed::power::gradient(x, 4);
    approx::assert_relative_eq!(value, x.powi(4), max_relative = 1e-14);
    approx::assert_relative_eq!(gradient, 4.0 * x.powi(3), max_relative = 1e-14);
}
