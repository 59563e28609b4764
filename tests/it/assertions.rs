//! Assertions, and other code that looks at numbers, is known not to keep them.

use approx::assert_relative_eq;
use backsweep::adjoint;
use num_traits::{Float, NumCast};
use proc_macro2::TokenStream;
use std::cmp::Ordering;

const LARGEST: f64 = 1e3;
const SMALLEST: f64 = 1e-3;
const LOWEST: f64 = -1e3;

#[derive(Clone, Copy, backsweep::Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

/// Methods of floats get constants whose types are not seen, comparisons too.
#[adjoint]
fn of_floats(x: f64, y: f64) -> f64 {
    debug_assert!(matches!(
        x.abs().partial_cmp(&SMALLEST),
        Some(Ordering::Greater | Ordering::Equal)
    ));
    debug_assert_ne!(x.partial_cmp(&LOWEST), Some(Ordering::Less));
    assert!(x.max(SMALLEST) < LARGEST && !(x > LARGEST || y.is_nan()), "{x} is too large");
    assert!(!matches!(y.classify(), std::num::FpCategory::Nan) && !x.is_subnormal());
    x * y
}

/// Truth values that methods of fields tell, whatever these are.
#[adjoint(independents(p))]
fn of_fields(p: Point) -> f64 {
    debug_assert!(!p.x.is_nan() && !p.y.is_infinite());
    p.x * p.y
}

fn is_large(x: f64) -> bool {
    x > LARGEST
}

#[adjoint]
fn of_type_parameters<T: Float>(x: T, n: usize) -> Option<T> {
    debug_assert!(x <= T::from(1000.0).unwrap() && x >= -T::max_value());
    debug_assert!(!x.is_zero() && !(x * T::one()).is_nan());
    let half = <T as NumCast>::from(n).ok_or("too large").ok()? / T::from(2).unwrap();
    let factor = match (x * T::from(20.0).unwrap()).to_i64() {
        Some(0) | Some(1) => T::one(),
        Some(_) => half,
        None => return None,
    };
    Some(factor * x * x)
}

/// What is computed for nothing but its effects on the machine.
#[adjoint]
fn of_forced_values(x: f64) -> f64 {
    std::hint::black_box(x * x);
    x * x
}

/// Code that nobody knows, and that is handed nothing.
#[adjoint]
fn of_nothing(x: f64) -> f64 {
    assert!(x < column!() as f64 * 1e3 || x > LARGEST.max(SMALLEST).to_degrees());
    x * x
}

/// Operators on constants whose types are not seen: generated code proves that they are numbers.
#[adjoint]
fn of_constants(x: f64) -> f64 {
    debug_assert!(x < LARGEST.abs().to_degrees() && x < SMALLEST + 0.5 - LOWEST - x + LARGEST);
    assert!(
        x - LARGEST + SMALLEST < LARGEST && (x > LARGEST) == (SMALLEST * x > LARGEST * SMALLEST)
    );
    x * x
}

#[adjoint]
fn of_functions(x: f64) -> f64 {
    assert!(!is_large(x));
    x * x
}

#[test]
fn what_looks_at_numbers_keeps_nothing() {
    let (x, y) = (1.7, 2.3);
    assert_eq!(of_floats::gradient(x, y).1, (y, x));
    let gradient = of_fields::gradient(Point { x, y }).1;
    assert_eq!((gradient.x, gradient.y), (y, x));
    assert_relative_eq!(of_functions::gradient(x).1, 2.0 * x);
    let (value, slope) = of_type_parameters::gradient(x, 3).unwrap();
    assert_relative_eq!(value, 1.5 * x * x);
    assert_relative_eq!(slope, 3.0 * x, max_relative = 1e-14);
    assert_relative_eq!(
        of_type_parameters::gradient(0.03_f32, 3).unwrap().1,
        0.06,
        max_relative = 1e-6
    );
}

#[test]
#[should_panic = "too large"]
fn assertions_are_made() {
    of_floats::gradient(2e3, 1.0);
}

#[test]
fn what_is_forced_has_no_derivative() {
    assert_eq!(of_forced_values::gradient(0.5), (0.25, 1.0));
    assert_eq!(of_forced_values::tangent(0.5, 1.0), (0.25, 1.0));
    assert_eq!(of_nothing::gradient(3.0), (9.0, 6.0));
    assert_eq!(of_constants::gradient(3.0), (9.0, 6.0));
    // Unsafe code is no part of this crate.
    let function = "fn f(x: f64) -> f64 {
        if x < 1e-3 { unsafe { ::core::ptr::read_volatile(&(x + 1e30)) }; return x; }
        x * x
    }";
    let function = syn::parse_str(function).expect("a function");
    let phases = ad_analysis::sweeps(TokenStream::new(), &function).expect("no error");
    let (forward, backward) = phases.split_once("// backward").expect("two sweeps");
    let read = "opaque once(\"unsafe { :: core :: ptr :: read_volatile (& (x + 1e30)) }\" reads x)";
    assert_eq!(forward.matches(read).count(), 2, "{phases}");
    assert_eq!(backward.matches("read_volatile").count(), 0, "{phases}");
}
