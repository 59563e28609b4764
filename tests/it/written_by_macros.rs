//! Functions that macros have written: the attribute changes neither the function nor what its names mean.
#![allow(clippy::nonminimal_bool, clippy::unnecessary_cast, reason = "fragments are what they are")]

use approx::assert_relative_eq;
use backsweep::adjoint;

/// The value is that of the plain function, and the derivative that of the differences.
fn assert_same(plain: fn(&[f64]) -> f64, derived: fn(&[f64]) -> f64, gradient: (f64, Vec<f64>)) {
    let (x, h) = ([1.3, 0.7], 1e-6);
    assert_eq!(plain(&x), derived(&x));
    assert_eq!(plain(&x), gradient.0);
    for i in 0..2 {
        let (mut up, mut down) = (x, x);
        up[i] += h;
        down[i] -= h;
        let slope = (plain(&up) - plain(&down)) / (2.0 * h);
        assert_relative_eq!(gradient.1[i], slope, max_relative = 1e-7, epsilon = 1e-8);
    }
}

/// A test for each function, written by a macro that gives it a fragment.
macro_rules! compared {
    ($($test:ident: $shape:ident!($($given:tt)*);)*) => {
        $(
            #[test]
            fn $test() {
                $shape!(plain, derived, $($given)*);
                assert_same(plain, derived, derived::gradient(&[1.3, 0.7]));
            }
        )*
    };
}

macro_rules! product {
    ($plain:ident, $derived:ident, $e:expr) => {
        fn $plain(x: &[f64]) -> f64 {
            x[0] * $e * x[1]
        }
        #[adjoint]
        fn $derived(x: &[f64]) -> f64 {
            x[0] * $e * x[1]
        }
    };
}

macro_rules! negated {
    ($plain:ident, $derived:ident, $e:expr) => {
        fn $plain(x: &[f64]) -> f64 {
            -$e * x[0] + x[1].powi(2)
        }
        #[adjoint]
        fn $derived(x: &[f64]) -> f64 {
            -$e * x[0] + x[1].powi(2)
        }
    };
}

macro_rules! method {
    ($plain:ident, $derived:ident, $l:literal) => {
        fn $plain(x: &[f64]) -> f64 {
            x[0] * $l.powi(2) - x[1]
        }
        #[adjoint]
        fn $derived(x: &[f64]) -> f64 {
            x[0] * $l.powi(2) - x[1]
        }
    };
}

macro_rules! condition {
    ($plain:ident, $derived:ident, $p:expr) => {
        fn $plain(x: &[f64]) -> f64 {
            if $p && x[0] > 2.0 { x[0] } else { x[1] * x[0] }
        }
        #[adjoint]
        fn $derived(x: &[f64]) -> f64 {
            if $p && x[0] > 2.0 { x[0] } else { x[1] * x[0] }
        }
    };
}

macro_rules! with_a_mark {
    ($plain:ident, $derived:ident, $e:expr) => {
        fn $plain(x: &[f64]) -> f64 {
            let k = (x.len() as f64) * $e;
            x[0] * x[1] * k
        }
        #[adjoint]
        fn $derived(x: &[f64]) -> f64 {
            let k = (x.len() as f64) * $e;
            x[0] * x[1] * k
        }
    };
}

macro_rules! in_macros {
    ($plain:ident, $derived:ident, $e:expr) => {
        fn $plain(x: &[f64]) -> f64 {
            let v = vec![x[0] * $e; 2];
            assert!(2.0 * $e != 0.5);
            v[0] * v[1]
        }
        #[adjoint]
        fn $derived(x: &[f64]) -> f64 {
            let v = vec![x[0] * $e; 2];
            assert!(2.0 * $e != 0.5);
            v[0] * v[1]
        }
    };
}

macro_rules! typed {
    ($plain:ident, $derived:ident, $t:ty, $b:block) => {
        fn $plain(x: &[f64]) -> f64 {
            let k: $t = $b;
            let s: &$t = &k;
            x[0] * x[1] * (*s as f64)
        }
        #[adjoint]
        fn $derived(x: &[f64]) -> f64 {
            let k: $t = $b;
            let s: &$t = &k;
            x[0] * x[1] * (*s as f64)
        }
    };
}

macro_rules! chosen {
    ($plain:ident, $derived:ident, $p:pat) => {
        fn $plain(x: &[f64]) -> f64 {
            match x.len() {
                $p => x[0] * x[1],
                _ => x[0],
            }
        }
        #[adjoint]
        fn $derived(x: &[f64]) -> f64 {
            match x.len() {
                $p => x[0] * x[1],
                _ => x[0],
            }
        }
    };
}

compared! {
    a_sum_as_an_operand: product!(1.0 + 2.0);
    a_difference_as_an_operand: product!(1.0 - 2.0);
    a_negation_as_an_operand: product!(-1.5);
    a_cast_as_an_operand: product!(3 as f64);
    a_block_as_an_operand: product!({ let k = 2.0; k + 1.0 });
    a_choice_as_an_operand: product!(if true { 1.5 } else { 2.5 });
    a_sum_that_is_negated: negated!(1.0 + 2.0);
    a_literal_with_a_sign: method!(-1.5_f64);
    an_alternative_in_a_condition: condition!(true || false);
    an_operand_beside_a_mark: with_a_mark!(1.0 + 2.0);
    an_operand_in_a_macro: in_macros!(1.0 + 2.0);
    types_and_blocks: typed!(i32, { 1 + 2 });
    an_alternative_in_a_choice: chosen!(2 | 3);
    a_range_in_a_choice: chosen!(3..=4);
}

macro_rules! hidden_by_the_caller {
    ($plain:ident, $derived:ident, $y:ident) => {
        fn $plain(x: &[f64]) -> f64 {
            let y = x[0] * x[1];
            let $y = y * 3.0;
            let y = y + $y;
            y * $y
        }
        #[adjoint]
        fn $derived(x: &[f64]) -> f64 {
            let y = x[0] * x[1];
            let $y = y * 3.0;
            let y = y + $y;
            y * $y
        }
    };
}

macro_rules! hidden_parameter {
    ($plain:ident, $derived:ident, $x:ident) => {
        fn $plain($x: &[f64]) -> f64 {
            let x = $x[0] * 2.0;
            let f = |y: f64| y * x + $x[1];
            x * f($x[1])
        }
        #[adjoint]
        fn $derived($x: &[f64]) -> f64 {
            let x = $x[0] * 2.0;
            let f = |y: f64| y * x + $x[1];
            x * f($x[1])
        }
    };
}

macro_rules! hidden_in_patterns {
    ($plain:ident, $derived:ident, $t:ident) => {
        fn $plain(x: &[f64]) -> f64 {
            let $t = (x[0], x[1]);
            let mut s = 0.0;
            for (i, t) in x.iter().enumerate() {
                match i {
                    0 => s += t * $t.1,
                    t => s += $t.0 * t as f64,
                }
            }
            assert!(s < 1e9, "{s} {0}", $t.0);
            s
        }
        #[adjoint]
        fn $derived(x: &[f64]) -> f64 {
            let $t = (x[0], x[1]);
            let mut s = 0.0;
            for (i, t) in x.iter().enumerate() {
                match i {
                    0 => s += t * $t.1,
                    t => s += $t.0 * t as f64,
                }
            }
            assert!(s < 1e9, "{s} {0}", $t.0);
            s
        }
    };
}

macro_rules! in_format_strings {
    ($plain:ident, $derived:ident, $w:ident) => {
        fn $plain(x: &[f64]) -> f64 {
            let w = x.len();
            let $w = w + 3;
            let s = format!("{:w$}", 1);
            x[0] * x[1] * (s.len() + $w) as f64
        }
        #[adjoint]
        fn $derived(x: &[f64]) -> f64 {
            let w = x.len();
            let $w = w + 3;
            let s = format!("{:w$}", 1);
            let n: usize = s.len() + $w;
            x[0] * x[1] * n as f64
        }
    };
}

compared! {
    a_variable_of_the_macro_and_one_of_its_caller: hidden_by_the_caller!(y);
    two_variables_of_the_caller: hidden_by_the_caller!(z);
    a_parameter_of_the_caller: hidden_parameter!(x);
    patterns_of_the_macro: hidden_in_patterns!(t);
    a_width_of_the_macro: in_format_strings!(w);
}

/// A repetition: all tokens that stand in it have the same place in the source.
macro_rules! marked {
    ($name:ident; $($factor:expr),*) => {
        #[adjoint]
        fn $name(x: f64) -> f64 {
            let mut s = 0.0;
            $(
                let t = x * $factor;
                s += t * (#[passive] t);
            )*
            s
        }
    };
}

#[test]
fn marks_of_a_repetition_are_several() {
    marked!(f; 1.0 + 1.0, 2.0 - 3.0);
    // (2x)² + x², each with one factor passive.
    assert_eq!(f::gradient(3.0), (45.0, 15.0));
}

/// A checkpointed loop, whose steps are functions of their own.
macro_rules! checkpointed {
    ($name:ident, $factor:expr) => {
        #[adjoint]
        fn $name(x: f64, snapshots: usize) -> f64 {
            let mut s = x;
            #[checkpoint(snapshots = snapshots)]
            for _ in 0..10 {
                s = s * $factor * 0.5
                    + (#[passive]
                    s) * 0.1;
            }
            s
        }
    };
}

#[test]
fn operands_and_marks_in_checkpointed_loops() {
    checkpointed!(f, 1.0 + 0.5);
    let (value, slope) = f::gradient(2.0, 3);
    assert_relative_eq!(value, 2.0 * 0.85_f64.powi(10), max_relative = 1e-14);
    assert_relative_eq!(slope, 0.75_f64.powi(10), max_relative = 1e-14);
}

/// Partials that are given, of a function and of one in a module.
macro_rules! given {
    ($name:ident, $factor:expr) => {
        #[adjoint(partials(x: 2.0 * $factor))]
        fn $name(x: f64) -> f64 {
            x * 2.0 * $factor
        }

        #[adjoint]
        mod in_module {
            #[adjoint(partials(x: 2.0 * $factor))]
            pub fn $name(x: f64) -> f64 {
                x * 2.0 * $factor
            }
        }
    };
}

#[test]
fn operands_in_partials() {
    given!(f, 1.0 + 2.0);
    assert_eq!(f::gradient(1.0), (6.0, 6.0));
    assert_eq!(in_module::f::gradient(1.0), (6.0, 6.0));
}

/// Methods, and what stands in a module.
macro_rules! scales {
    ($module:ident, $factor:expr) => {
        #[allow(dead_code, reason = "not all entries are called")]
        mod $module {
            use backsweep::{Differentiable, adjoint};

            #[derive(Clone, Copy, Differentiable)]
            pub struct Scale {
                pub by: f64,
                #[passive]
                pub offset: f64,
            }

            #[adjoint]
            impl Scale {
                const HALF: f64 = 0.5 * $factor;

                pub fn scaled(&self, x: f64) -> f64 {
                    let y = #[split]
                    super::squared(x);
                    self.by * $factor * y * Self::HALF + self.offset
                }
            }

            #[adjoint]
            pub mod inner {
                pub const HALF: f64 = 0.5 * $factor;

                pub fn scaled(x: f64) -> f64 {
                    x * $factor * HALF
                }

                pub mod innermost {
                    pub fn scaled(x: f64) -> f64 {
                        2.0 * x * $factor
                    }
                }
            }
        }
    };
}

#[adjoint]
fn squared(x: f64) -> f64 {
    x * x
}

scales!(scales, 1.0 + 2.0);

#[test]
fn methods_and_modules() {
    let scale = scales::Scale { by: 2.0, offset: 1.0 };
    assert_eq!(scale.scaled(3.0), 82.0);
    let (value, (of_scale, of_x)) = scales::Scale::scaled_gradient(&scale, 3.0);
    assert_eq!((value, of_scale.by, of_x), (82.0, 40.5, 54.0));
    assert_eq!(scales::inner::scaled::gradient(2.0), (9.0, 4.5));
    assert_eq!(scales::inner::innermost::scaled::gradient(2.0), (12.0, 6.0));
}
