//! Functions that take functions, called by what is passed to them: integrals over regions.

use ad_analysis::expand;
use backsweep::adjoint;
use proc_macro2::TokenStream;

/// The rule of midpoints.
#[adjoint]
fn quad(f: impl Fn(f64) -> f64, lo: f64, hi: f64, n: usize) -> f64 {
    let h = (hi - lo) / n as f64;
    let mut s = 0.0;
    for k in 0..n {
        s += f(lo + (k as f64 + 0.5) * h);
    }
    s * h
}

/// Over a triangle.
#[adjoint]
fn over_triangle(a: f64, b: f64) -> f64 {
    quad(|t| quad(|u| u * t * a, 0.0, t, 3), 0.0, b, 4)
}

/// Over a tetrahedron, with closures that have names, and what is captured changes.
#[adjoint]
fn over_tetrahedron(a: f64, b: f64) -> f64 {
    let density = |u: f64, v: f64| (a * u).sin() * v;
    let slice = |t: f64| {
        let row = |u: f64| quad(|v| density(u, v) + t, 0.0, u, 2);
        quad(row, 0.0, t * b, 3)
    };
    quad(slice, a, b, 4)
}

/// By way of another function, which is also called by what is passed.
#[allow(
    clippy::redundant_closure,
    reason = "what is called within a closure is a function that was passed"
)]
#[adjoint]
fn mean(f: &dyn Fn(f64) -> f64, lo: f64, hi: f64) -> f64 {
    quad(|t| f(t), lo, hi, 3) / (hi - lo)
}

#[adjoint]
fn mean_of_means(a: f64, b: f64) -> f64 {
    mean(&|t| t * mean(&|u| (a * u).exp() * t, t, b), a, 0.5 * b)
}

fn assert_is_right(
    function: fn(f64, f64) -> f64,
    gradient: fn(f64, f64) -> (f64, (f64, f64)),
    [a, b]: [f64; 2],
) {
    let h = 1e-5;
    let (value, (a_b, b_b)) = gradient(a, b);
    let by_differences = [
        (function(a + h, b) - function(a - h, b)) / (2.0 * h),
        (function(a, b + h) - function(a, b - h)) / (2.0 * h),
    ];
    assert!((value - function(a, b)).abs() <= 1e-14 * value.abs());
    for (found, expected) in [a_b, b_b].into_iter().zip(by_differences) {
        assert!((found - expected).abs() < 1e-8 * expected.abs().max(1.0), "{found} {expected}");
    }
}

#[test]
fn integrals_of_integrals() {
    let at = [0.7, 1.9];
    assert_is_right(over_triangle, over_triangle::gradient, at);
    assert_is_right(over_tetrahedron, over_tetrahedron::gradient, at);
    assert_is_right(mean_of_means, mean_of_means::gradient, at);
}

/// What is said of functions in a module.
fn refusal(functions: &str) -> String {
    let module: TokenStream = format!("mod m {{ {functions} }}").parse().expect("tokens");
    let found = expand(TokenStream::new(), module).to_string();
    let message = found.split("compile_error ! {").nth(1).unwrap_or_default();
    message.trim_start_matches([' ', '"']).split("\\n").next().unwrap_or_default().to_owned()
}

/// True recursion has no end, whoever is in between.
#[test]
fn what_calls_itself_is_refused() {
    let cases = [
        "fn r(f: impl Fn(f64) -> f64, n: usize) -> f64 { if n == 0 { f(1.0) } else { r(|t| f(t) + 1.0, n - 1) } }
         fn a(x: f64) -> f64 { r(|t| t * x, 3) }",
        "fn r(f: &dyn Fn(f64) -> f64) -> f64 { f(1.0) + q(&|t| f(t)) }
         fn q(f: &dyn Fn(f64) -> f64) -> f64 { let g = |t: f64| r(&|u| f(u * t)); g(2.0) }
         fn a(x: f64) -> f64 { r(&|t| t * x) }",
        "fn r(f: impl Fn(f64) -> f64) -> f64 { q(|t| r(|s| f(s) * t)) }
         fn q(f: impl Fn(f64) -> f64) -> f64 { f(0.5) }
         fn a(x: f64) -> f64 { r(|t| t * x) }",
    ];
    for functions in cases {
        let found = refusal(functions);
        assert_eq!(found, "`r`, which takes a function, calls itself", "{functions}");
    }
}

/// There is an end to it even where rustc has not seen the types.
#[test]
fn what_is_nested_too_deeply_is_refused() {
    let nested = |depth: usize| {
        let body =
            (0..depth).fold("x * x".to_owned(), |body, n| format!("w(|t{n}| t{n} * {body})"));
        refusal(&format!(
            "fn w(f: impl Fn(f64) -> f64) -> f64 {{ f(0.5) }} fn a(x: f64) -> f64 {{ {body} }}"
        ))
    };
    assert_eq!(nested(16), "");
    let message =
        "`w`, which takes a function, is called more than 16 deep in functions that take functions";
    assert_eq!(nested(17), message);
}
