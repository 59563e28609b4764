//! What becomes of calls whose callees are known.

use ad_analysis::inline::{Callees, inline, may_be_inlined};
use ad_analysis::ir::{Body, parse, print, verify};

fn parsed(text: &str) -> Body {
    parse(text).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}

/// The last function with calls of the others replaced.
fn inlined(functions: &[&str]) -> String {
    let mut bodies: Vec<Body> = functions.iter().map(|text| parsed(text)).collect();
    let callees = Callees::of(bodies.clone(), |_| true);
    let mut main = bodies.pop().expect("there is a function");
    inline(&mut main, &callees);
    verify(&main).unwrap_or_else(|errors| panic!("{errors:?}\n{}", print(&main)));
    print(&main)
}

const SQUARE: &str = "fn square(x: f64) -> ret: f64 | x | ret {
    let t: f64 = x * x;
    ret = t + 1.0;
}
";

#[test]
fn a_formula_becomes_the_statements_of_its_caller() {
    let text = inlined(&[
        SQUARE,
        "fn f(x: f64) -> ret: f64 | x | ret {
            call square(x) -> y: f64;
            call square(y) -> z: f64;
            ret = y + z;
        }",
    ]);
    let expected = "fn f(x: f64) -> ret: f64 | x | ret {
    let t: f64 = x * x;
    let y: f64 = t + 1.0;
    let t_1: f64 = y * y;
    let z: f64 = t_1 + 1.0;
    ret = y + z;
}
";
    assert_eq!(text, expected);
}

#[test]
fn early_returns_leave_a_block_and_parts_are_references() {
    let text = inlined(&[
        "fn clipped(v: &[f64], s: &mut f64, k: usize) -> ret: f64 | v s | ret s {
            if v[k] < 0.0 {
                ret = 0.0;
                exit 'l0;
            }
            s = s + v[k];
            ret = v[k];
        }",
        "fn f(x: &mut [f64], n: usize) -> ret: f64 | x | ret x {
            let i: usize = n;
            i = i + 1;
            call clipped(&x[1..], &mut x[i], i) -> y: f64;
            i = 0;
            ret = y * x[i];
        }",
    ]);
    let expected = "fn f(x: &mut [f64], n: usize) -> ret: f64 | x | ret x {
    let i: usize = n;
    i = i + 1;
    let y: f64;
    block 'l1 {
        let k: usize = i;
        view v: [f64] = &x[1..];
        let index: usize = i;
        view s: f64 = &mut x[index];
        if v[k] < 0.0 {
            y = 0.0;
            exit 'l1;
        }
        s = s + v[k];
        y = v[k];
    }
    i = 0;
    ret = y * x[i];
}
";
    assert_eq!(text, expected);
}

#[test]
fn what_calls_itself_is_not_inlined() {
    let even = "fn even(x: f64, n: usize) -> ret: f64 | x | ret {
        call odd(x, n) -> y: f64;
        ret = y;
    }";
    let odd = "fn odd(x: f64, n: usize) -> ret: f64 | x | ret {
        call even(x, n) -> y: f64;
        ret = y;
    }";
    let main = "fn f(x: f64, n: usize) -> ret: f64 | x | ret {
    call even(x, n) -> y: f64;
    ret = y;
}
";
    assert_eq!(inlined(&[even, odd, main]), main);
    let own = "fn own(x: f64, n: usize) -> ret: f64 | x | ret {
    call own(x, n) -> y: f64;
    ret = y;
}
";
    assert_eq!(inlined(&[own]), own);
}

#[test]
fn a_mode_is_a_reason_not_to() {
    let main = "fn f(x: f64) -> ret: f64 | x | ret {
    joint call square(x) -> y: f64;
    ret = y;
}
";
    assert_eq!(inlined(&[SQUARE, main]), main);
}

#[test]
fn a_parameter_without_a_derivative_is_a_reason_not_to() {
    let of_one = "fn of_one(x: f64, y: f64) -> ret: f64 | x | ret {
        ret = x * y;
    }";
    assert!(!may_be_inlined(&parsed(of_one)));
    assert!(may_be_inlined(&parsed(&of_one.replace("| x |", "| x y |"))));
}
