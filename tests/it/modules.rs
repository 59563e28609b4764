//! Modules with the attribute.

use ad_analysis::expand;
use backsweep::{Differentiable, Stack, adjoint};
use proc_macro2::TokenStream;

const OUTSIDE: f64 = 3.0;

#[adjoint]
pub mod springs {
    //! What stands in the module stays in it.
    use super::*;

    /// A constant of the module, not of the one around it.
    const SOFTENING: f64 = 0.25;

    #[derive(Clone, Copy, Differentiable)]
    pub struct Spring {
        pub stiffness: f64,
        pub length: f64,
    }

    impl Spring {
        pub fn energy(&self, x: f64) -> f64 {
            let d = softened(x - self.length);
            0.5 * self.stiffness * d * d + OUTSIDE * x
        }

        #[adjoint(skip)]
        pub fn is_soft(&self, x: f64) -> bool {
            self.stiffness < x
        }
    }

    impl std::ops::Mul<f64> for Spring {
        type Output = Spring;
        fn mul(self, factor: f64) -> Spring {
            Spring { stiffness: factor * self.stiffness, length: self.length }
        }
    }

    impl std::fmt::Display for Spring {
        fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(out, "{}", self.stiffness)
        }
    }

    fn softened(d: f64) -> f64 {
        (d * d + SOFTENING).sqrt()
    }

    pub fn scaled(spring: Spring, factor: f64, x: f64) -> f64 {
        let stronger: Spring = spring * factor;
        stronger.energy(x)
    }

    pub fn generic<const N: usize>(x: [f64; N]) -> f64 {
        let mut s = 0.0;
        for t in x {
            s += softened(t);
        }
        s
    }

    pub(crate) mod inner {
        pub fn cube(x: f64) -> f64 {
            x * x * x
        }

        pub fn sixth(x: f64) -> f64 {
            let c = cube(x);
            c * super::softened(c)
        }
    }

    #[cfg(test)]
    pub mod conditional {
        use backsweep::adjoint;

        #[adjoint(independents(x))]
        pub fn line(x: f64, a: f64) -> f64 {
            a * x
        }

        pub fn not_touched(x: f64) -> f64 {
            *Box::new(x)
        }
    }
}

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-5 * (1.0 + expected.abs()), "{found}, not {expected}");
}

fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
}

#[test]
fn functions_methods_and_operators_of_a_module_have_entries() {
    use springs::Spring;
    let spring = Spring { stiffness: 2.0, length: 0.5 };
    let mut spring_b = Spring { stiffness: 0.0, length: 0.0 };
    let mut x_b = 0.0;
    spring.energy_adjoint(&mut spring_b, 1.2, &mut x_b, 1.0);
    assert_near(x_b, slope(|x| spring.energy(x), 1.2));
    assert_near(spring_b.length, slope(|length| Spring { length, ..spring }.energy(1.2), 0.5));
    let (_, gradient) = springs::generic::gradient([0.3, 0.5]);
    assert_near(gradient[1], slope(|x| springs::generic([0.3, x]), 0.5));
    assert_eq!(format!("{spring}"), "2");
    assert!(!spring.is_soft(1.0));
    assert_near(springs::scaled(spring, 2.0, 1.2), (spring * 2.0).energy(1.2));
}

#[test]
fn modules_in_a_module_have_entries() {
    let (value, gradient) = springs::inner::sixth::gradient(0.7);
    assert_near(value, springs::inner::sixth(0.7));
    assert_near(gradient, slope(springs::inner::sixth, 0.7));
}

#[test]
fn what_is_conditional_is_left_alone() {
    assert_near(springs::conditional::line::gradient(0.7, 2.0).1, 2.0);
    assert_near(springs::conditional::not_touched(0.7), 0.7);
}

/// Only what is marked has entries: the others may be anything.
#[adjoint(no(tbr))]
mod marked {
    #[adjoint(independents(x))]
    pub fn line(x: f64, a: f64) -> f64 {
        a * x + offset(2.0)
    }

    pub fn offset(x: f64) -> f64 {
        *Box::new(x)
    }
}

#[test]
fn where_something_is_marked_only_that_has_entries() {
    let (value, slope) = marked::line::gradient(0.7, 2.0);
    assert_near(value, 3.4);
    assert_near(slope, 2.0);
}

/// Both modules compute the same, one with calls.
mod two {
    use super::*;

    #[adjoint]
    pub mod inlined {
        fn square(x: f64) -> f64 {
            x * x
        }

        pub fn powers(x: &[f64]) -> f64 {
            let mut s = 1.0;
            for t in x {
                s *= square(s + t);
            }
            s
        }
    }

    #[adjoint(no(inline))]
    pub mod called {
        fn square(x: f64) -> f64 {
            x * x
        }

        pub fn powers(x: &[f64]) -> f64 {
            let mut s = 1.0;
            for t in x {
                s *= square(s + t);
            }
            s
        }
    }
}

#[test]
fn inlining_changes_no_bit() {
    let x = [0.3, -0.8, 0.4, 0.6];
    let (mut inlined, mut called) = ([0.0; 4], [0.0; 4]);
    let value = two::inlined::powers::adjoint(&x, &mut inlined, 1.0);
    assert_eq!(value.to_bits(), two::called::powers::adjoint(&x, &mut called, 1.0).to_bits());
    assert_eq!(inlined.map(f64::to_bits), called.map(f64::to_bits));
    let mut stack = Stack::new();
    let value = two::inlined::powers::forward(&mut stack, &x);
    assert_eq!(value.to_bits(), two::inlined::powers(&x).to_bits());
    let mut bars = [0.0; 4];
    two::inlined::powers::backward(&mut stack, &x, &mut bars, 1.0);
    assert_eq!(inlined, bars);
}

fn expanded(module: &str) -> String {
    let module: TokenStream = module.parse().expect("tokens");
    expand(TokenStream::new(), module).to_string()
}

#[test]
fn a_module_in_a_file_of_its_own_is_refused() {
    let text = expanded("mod physics;");
    assert!(text.contains("a module in a file of its own"), "{text}");
    assert!(text.contains("mod physics ;"), "{text}");
}

#[test]
fn what_is_right_in_a_module_with_an_error_has_derivatives() {
    let text = expanded(
        "mod physics {
            #[adjoint]
            pub fn right(x: f64) -> f64 { x }
            #[adjoint(nonsense)]
            pub fn wrong(x: f64) -> f64 { x }
        }",
    );
    assert_eq!(text.matches("compile_error").count(), 1, "{text}");
    assert!(text.contains("impl right") && !text.contains("# [adjoint"), "{text}");
}
