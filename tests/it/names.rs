//! Where functions and their entries are found.

use backsweep::adjoint;
use backsweep::adjoint as differentiate;
use strict::energy as quadratic_form;
use strict::{cubic, cubic_wrt_x, gamma};

#[test]
fn a_renamed_import_has_the_entries() {
    assert_eq!(quadratic_form::gradient(&[1.0, 3.0], 0.5), (5.0, vec![1.0, 3.0]));
    assert_eq!(quadratic_form(&[1.0, 3.0], 0.5), 5.0);
}

#[test]
fn a_path_has_the_entries() {
    assert_eq!(strict::energy::gradient(&[1.0], 2.0).1, [4.0]);
}

#[test]
fn entries_under_another_name() {
    assert_eq!(cubic(2.0, 3.0), 24.0);
    assert_eq!(cubic_wrt_x::gradient(2.0, 3.0), (24.0, (36.0, 8.0)));
}

#[test]
fn entries_beside_the_function() {
    let x: f64 = 0.4;
    assert_eq!(gamma(x), x.exp() * x);
    let (value, slope) = strict::gamma::gradient(x);
    assert_eq!(value, gamma(x));
    assert!((slope - (x.exp() * x + x.exp())).abs() < 1e-15);
}

mod hidden {
    use backsweep::adjoint;

    #[adjoint]
    pub fn exported(x: f64) -> f64 {
        super::visible_to_children(x) * x
    }

    #[adjoint]
    pub(super) fn for_the_parent(x: f64) -> f64 {
        deeper::for_the_crate(x)
    }

    mod deeper {
        use backsweep::adjoint;

        #[adjoint]
        pub(crate) fn for_the_crate(x: f64) -> f64 {
            private(x) + x
        }

        #[adjoint]
        fn private(x: f64) -> f64 {
            x * x
        }

        #[adjoint]
        pub(in crate::names) fn for_a_module(x: f64) -> f64 {
            private(x) * x
        }
    }

    pub(super) use deeper::for_a_module as renamed;
}

pub use hidden::exported as exported_again;

#[adjoint]
fn visible_to_children(x: f64) -> f64 {
    x * x
}

#[test]
fn every_visibility() {
    assert_eq!(hidden::exported::gradient(2.0), (8.0, 12.0));
    assert_eq!(exported_again::gradient(2.0), (8.0, 12.0));
    assert_eq!(hidden::for_the_parent::gradient(2.0), (6.0, 5.0));
    assert_eq!(hidden::renamed::gradient(2.0), (8.0, 12.0));
    assert_eq!(visible_to_children::gradient(2.0), (4.0, 4.0));
}

mod globbed {
    use super::hidden::*;
    use backsweep::adjoint;

    #[adjoint]
    pub(super) fn calls_what_a_glob_imports(x: f64) -> f64 {
        exported(x) + for_the_parent(x)
    }
}

#[test]
fn callees_are_found_through_globs() {
    assert_eq!(globbed::calls_what_a_glob_imports::gradient(2.0), (14.0, 17.0));
}

#[test]
fn functions_inside_of_functions() {
    #[differentiate(independents(x))]
    fn local(x: f64, n: i32) -> f64 {
        inner(x) * f64::from(n)
    }

    #[differentiate]
    fn inner(x: f64) -> f64 {
        x.powi(3)
    }

    assert_eq!(local::gradient(2.0, 3), (24.0, 36.0));
}

/// Two attributes: two sets of entries.
#[adjoint(independents(x), name = "volume_wrt_x")]
#[adjoint(independents(y), name = "volume_wrt_y")]
fn volume(x: f64, y: f64) -> f64 {
    x * x * y
}

/// Callees under names of their own.
#[adjoint(callee(volume = volume_wrt_x))]
fn of_a_volume(x: f64) -> f64 {
    volume(x, 2.0) * 3.0
}

/// By its path.
#[adjoint(callee(cubic = strict::cubic_wrt_x))]
fn of_a_path(x: f64) -> f64 {
    strict::cubic(x, x)
}

#[test]
fn callees_by_the_name_of_their_entries() {
    assert_eq!(volume_wrt_x::gradient(2.0, 3.0), (12.0, 12.0));
    assert_eq!(volume_wrt_y::gradient(2.0, 3.0), (12.0, 4.0));
    assert_eq!(of_a_volume::gradient(2.0), (24.0, 24.0));
    assert_eq!(of_a_path::gradient(2.0), (16.0, 32.0));
}

/// A function with the name of an entry.
#[adjoint]
fn gradient(x: f64) -> f64 {
    x * x
}

#[adjoint]
fn adjoint_of_gradient(x: f64) -> f64 {
    gradient(x) * x
}

/// A local closure that is called is not the function of that name.
#[adjoint(independents(x))]
fn shadows_a_name(x: f64, gradient: f64) -> f64 {
    x * gradient
}

#[test]
fn functions_may_have_the_names_of_entries() {
    assert_eq!(gradient::gradient(3.0), (9.0, 6.0));
    assert_eq!(adjoint_of_gradient::gradient(2.0), (8.0, 12.0));
    assert_eq!(shadows_a_name::gradient(2.0, 5.0), (10.0, 5.0));
}

macro_rules! annotated {
    ($name:ident, $ty:ty, $body:expr) => {
        #[adjoint]
        fn $name(x: $ty) -> $ty {
            let scale: $ty = $body;
            x * x * scale
        }
    };
}

annotated!(made_by_a_macro, f64, 1.0 + 2.0);

#[test]
fn functions_made_by_a_macro() {
    assert_eq!(made_by_a_macro::gradient(2.0), (12.0, 12.0));
}

struct Spring {
    k: f64,
}

/// Functions whose names are keywords, with second derivatives.
#[adjoint(second_order)]
impl Spring {
    #[adjoint(independents(x), dependents(return))]
    fn r#try(&self, x: f64) -> f64 {
        self.k * x * x
    }

    #[adjoint(independents(x), dependents(return))]
    fn r#match(x: f64) -> f64 {
        x.sin()
    }

    #[adjoint(independents(x), dependents(return))]
    fn r#box(&self, x: f64) -> f64 {
        self.r#try(x) * x + Self::r#match(x) + Spring::r#match(x * x)
    }
}

#[adjoint(second_order)]
fn r#loop(x: f64) -> f64 {
    x * x * x
}

#[adjoint(passive(spring), second_order)]
fn r#while(spring: &Spring, x: f64) -> f64 {
    spring.r#try(x) + spring.r#box(x) + r#loop(x)
}

/// The derivative of a function with such a name, which is differentiated.
#[adjoint]
fn r#for(x: f64) -> f64 {
    let (value, slope) = r#loop::gradient(x);
    value * slope
}

#[test]
fn names_of_functions_may_be_keywords() {
    let (spring, x) = (Spring { k: 2.0 }, 3.0_f64);
    let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-13 * (1.0 + b.abs()), "{a} {b}");
    let first = 4.0 * x + 9.0 * x * x + x.cos() + 2.0 * x * (x * x).cos();
    let second = 4.0 + 18.0 * x - x.sin() + 2.0 * (x * x).cos() - 4.0 * x * x * (x * x).sin();
    near(r#while::gradient(&spring, x).1, first);
    near(r#while::tangents::<2>(&spring, x, [1.0, 2.0]).1[1], 2.0 * first);
    near(r#while::hessian(&spring, x)[0], second);
    near(spring.try_hessian(x)[0], 4.0);
    // 3 x⁵ has the derivative 15 x⁴.
    near(r#for::gradient(x).1, 15.0 * x.powi(4));
}
