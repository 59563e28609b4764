//! The statement that makes an infinity or a NaN is found.

use backsweep::check::{Made, NonFinite, Origin};
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct Model {
    scale: f64,
    levels: Vec<f64>,
}

#[adjoint(independents(x), first_nonfinite)]
fn spread(x: &[f64], centre: f64, count: usize) -> f64 {
    let (mut total, mut best) = (0.0, f64::INFINITY);
    for i in 0..count {
        let d = x[i] - centre;
        let r = (d * d).sqrt();
        best = best.min(r);
        total += r * x[i];
    }
    total + best
}

#[adjoint]
fn quotient(x: f64, y: f64) -> f64 {
    x / y
}

#[adjoint(independents(model), dependents(out, return), first_nonfinite)]
fn written(mut model: Model, out: &mut [f64], places: &[usize]) -> f64 {
    for k in 0..places.len() {
        model.levels[k] = quotient(model.levels[k], model.scale);
        out[places[k]] = model.levels[k].ln() * 2.0;
    }
    model.levels.iter().sum::<f64>() * model.scale
}

#[adjoint(first_nonfinite)]
fn root(x: f64) -> Result<f64, String> {
    if x < 0.0 {
        return Err("negative".into());
    }
    let y = x.sqrt();
    Ok(y * 2.0)
}

#[adjoint(first_nonfinite)]
fn short(x: f32) -> f32 {
    let y = x * x;
    let z = y.sqrt();
    if y > 1.0 { z } else { z * 2.0 }
}

/// An overflow that does no harm, and a quotient that does.
#[adjoint(first_nonfinite)]
fn overflow(x: f64, y: f64) -> f64 {
    let e = x.exp();
    let smooth = if x > 30.0 { x } else { (1.0 + e).ln() };
    let q = y.exp() / e.exp();
    smooth + q
}

fn statement(found: Option<NonFinite>) -> Origin {
    match found {
        Some(NonFinite::Statement(origin)) => origin,
        other => panic!("{other:?}"),
    }
}

/// What is read, with its numbers.
fn read(origin: &Origin) -> Vec<(&str, &[f64])> {
    origin.operands.iter().map(|operand| (operand.name, &*operand.values)).collect()
}

#[test]
fn a_partial_that_is_infinite_is_found() {
    let x = [1.0, 2.0, 3.0];
    let origin = statement(spread::first_nonfinite(&x, 2.0, 3));
    assert_eq!((origin.what, origin.time), ("the value of `r`", 2));
    assert_eq!(origin.location.line(), 17);
    assert_eq!((&*origin.counters, origin.made), (&[("i", 1)][..], Made::Partial(f64::INFINITY)));
    assert_eq!(read(&origin), [("d", &[0.0][..])]);
    assert!(origin.to_string().ends_with(
        "first_nonfinite.rs:17: the value of `r`, the 2nd time (i = 1): a partial derivative is inf, made of d = 0"
    ));
    assert_eq!(spread::first_nonfinite(&x, 2.5, 3), None);
}

#[test]
fn a_derivative_is_found() {
    let origin = statement(root::first_nonfinite(0.0));
    let made = Made::Derivative { coordinate: 0, derivative: f64::INFINITY };
    assert_eq!((origin.what, origin.made), ("the value of `y`", made));
    assert_eq!(
        (read(&origin), &*origin.operands[0].derivatives),
        (vec![("x", &[0.0][..])], &[1.0][..])
    );
    assert_eq!(root::first_nonfinite(1.0), None);
    assert_eq!(statement(short::first_nonfinite(0.0)).what, "the value of `z`");
}

#[test]
#[should_panic(expected = "the function does not fail at this point")]
fn a_function_that_fails_has_no_values() {
    let _ = root::first_nonfinite(-1.0);
}

#[test]
fn a_value_is_found_and_arguments_stay_as_they_are() {
    let model = |scale| Model { scale, levels: vec![1.0, 2.0, 0.0] };
    let mut out = [7.0; 4];
    assert_eq!(written::first_nonfinite(model(2.0), &mut out, &[1, 3]), None);
    let origin = statement(written::first_nonfinite(model(2.0), &mut out, &[1, 3, 2]));
    assert_eq!((origin.what, &*origin.counters), ("the value of `out`", &[("k", 2)][..]));
    assert_eq!(
        (origin.made, read(&origin)),
        (Made::Value(f64::NEG_INFINITY), vec![("model.levels[k]", &[0.0][..])])
    );
    // The NaN in the end is made of an infinity: that is what is named.
    let origin = statement(written::first_nonfinite(model(0.0), &mut out, &[1, 3]));
    assert_eq!((origin.what, &*origin.counters), ("the call of `quotient`", &[("k", 0)][..]));
    assert_eq!(read(&origin), [("model.levels[k]", &[1.0][..]), ("model.scale", &[0.0][..])]);
    assert_eq!(out, [7.0; 4]);
}

#[test]
fn what_was_not_finite_before_is_told() {
    let Some(NonFinite::Outside(origin)) = spread::first_nonfinite(&[1.0, 2.0, f64::NAN], 2.5, 3)
    else {
        panic!("an argument is no number");
    };
    assert_eq!((origin.what, &*origin.counters), ("the value of `d`", &[("i", 2)][..]));
    let Some(NonFinite::Outside(origin)) = spread::first_nonfinite(&[], 2.5, 0) else {
        panic!("nothing is added to the infinity");
    };
    assert_eq!(origin.what, "the value of `best`");
}

#[test]
fn what_does_no_harm_is_passed_over() {
    assert_eq!(overflow::first_nonfinite(5.0, 1.0), None);
    let found = statement(overflow::first_nonfinite(800.0, 800.0));
    // Both exponentials overflow: the first is what the quotient is made of.
    assert_eq!(found.what, "the value of `e`");
}
