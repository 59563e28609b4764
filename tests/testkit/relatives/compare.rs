//! A function with the attribute against the same without.

use super::{Bars, Case, Context, Primal, taken};
use backsweep::Stack;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Where functions are run: no number is special.
const SAMPLES: [([f64; 4], usize); 3] =
    [([0.31, 0.74, 1.9, 0.53], 3), ([1.27, 0.38, 0.66, 2.1], 2), ([0.9, 1.6, 0.43, 1.1], 5)];

/// Where derivatives along a direction are compared.
const DIRECTIONS: [[f64; 4]; 2] = [[0.7, -0.4, 0.9, 0.3], [-0.2, 0.8, 0.5, -0.6]];

/// What a run leaves.
struct Trace<T> {
    /// What it returns, or the text of its panic.
    result: Result<T, String>,
    effects: Vec<u32>,
    state: (usize, Vec<u64>, Vec<u64>),
}

fn traced<T>(run: impl FnOnce(&Context) -> T) -> Trace<T> {
    let context = Context::new();
    taken();
    let result = catch_unwind(AssertUnwindSafe(|| run(&context)));
    let result = result.map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_default()
    });
    Trace { result, effects: taken(), state: context.state() }
}

/// Whether two numbers are the same bit for bit; a NaN is a NaN.
fn is_same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// Compares a function at all samples; how many partial derivatives were compared with differences.
/// `prepared` is called when the function without the attribute has been run.
pub fn compare(case: &Case, prepared: &dyn Fn()) -> Result<usize, String> {
    let mut compared = 0;
    for (number, (x, n)) in SAMPLES.iter().enumerate() {
        let plain = traced(|context| (case.plain)(x, *n, context));
        prepared();
        let found = at(case, &plain, x, *n);
        compared += found.map_err(|what| format!("{what} at sample {number}"))?;
    }
    Ok(compared)
}

/// Compares what is the same in all entries: the value, the effects, what they have left.
fn check(name: &str, plain: &Trace<f64>, trace: &Trace<f64>) -> Result<(), String> {
    match (&plain.result, &trace.result) {
        (Ok(right), Ok(value)) if is_same(*right, *value) => {}
        (Err(_), Err(_)) => return Ok(()),
        (right, value) => return Err(format!("value of {name}: {value:?} instead of {right:?}")),
    }
    if plain.effects != trace.effects {
        let (right, effects) = (&plain.effects, &trace.effects);
        return Err(format!("effects of {name}: {effects:?} instead of {right:?}"));
    }
    if plain.state != trace.state {
        return Err(format!("state after {name}: {:?} instead of {:?}", trace.state, plain.state));
    }
    Ok(())
}

/// Splits what a run returns into the value and the rest.
fn split<T>(trace: Trace<(f64, T)>) -> (Trace<f64>, Option<T>) {
    let (result, rest) = match trace.result {
        Ok((value, rest)) => (Ok(value), Some(rest)),
        Err(text) => (Err(text), None),
    };
    (Trace { result, effects: trace.effects, state: trace.state }, rest)
}

fn at(case: &Case, plain: &Trace<f64>, x: &[f64], n: usize) -> Result<usize, String> {
    check("the function itself", plain, &traced(|context| (case.own)(x, n, context)))?;
    let (trace, gradient) = split(traced(|context| (case.gradient)(x, n, context)));
    check("gradient", plain, &trace)?;
    let (trace, other) = split(traced(|context| {
        let mut bar = vec![0.0; x.len()];
        let value = (case.adjoint)(x, &mut bar, n, context);
        (value, bar)
    }));
    check("adjoint", plain, &trace)?;
    same_bars("adjoint", gradient.as_ref(), other.as_ref())?;
    let (trace, other) = split(traced(|context| {
        let mut stack = Stack::new();
        let mut bar = vec![0.0; x.len()];
        let value = (case.forward)(&mut stack, x, n, context);
        (case.backward)(&mut stack, x, &mut bar, n, context);
        (value, bar)
    }));
    check("forward and backward", plain, &trace)?;
    same_bars("backward", gradient.as_ref(), other.as_ref())?;
    let mut slopes = Vec::new();
    for direction in &DIRECTIONS {
        let (trace, slope) = split(traced(|context| (case.tangent)(x, direction, n, context)));
        check("tangent", plain, &trace)?;
        slopes.extend(slope);
    }
    let (Ok(value), Some(gradient)) = (&plain.result, gradient) else { return Ok(0) };
    let is_undefined = |bar: &f64| case.bars == Bars::MayBeUndefined && !bar.is_finite();
    let is_defined = !gradient.iter().any(is_undefined);
    for (direction, slope) in DIRECTIONS.iter().zip(&slopes).filter(|_| is_defined) {
        against_tangent(&gradient, direction, *slope, *value)?;
    }
    // Nor do any steps show what a sine of more than 1e12 adds to a derivative: from one number to the next it does as it likes.
    if !value.is_finite() || value.abs() > 1e12 {
        return Ok(0);
    }
    let mut compared = 0;
    for (place, &found) in gradient.iter().enumerate().filter(|(_, bar)| !is_undefined(bar)) {
        let Some((right, error)) = difference(case.plain, x, n, place) else { continue };
        let scale = right.abs() + 1e-3 * value.abs() + 1e-6;
        // A NaN is never near.
        let is_near = (found - right).abs() <= 1e-5 * scale + 4.0 * error;
        if !is_near {
            return Err(format!("derivative by x[{place}]: {found} instead of {right}"));
        }
        compared += 1;
    }
    Ok(compared)
}

/// All entries have the same bars, bit for bit.
fn same_bars(name: &str, first: Option<&Vec<f64>>, other: Option<&Vec<f64>>) -> Result<(), String> {
    let (Some(first), Some(other)) = (first, other) else { return Ok(()) };
    let is_equal = first.iter().zip(other).all(|(a, b)| is_same(*a, *b));
    if is_equal && first.len() == other.len() {
        Ok(())
    } else {
        Err(format!("bars of {name}: {other:?}, those of gradient: {first:?}"))
    }
}

/// The gradient in a direction is the tangent.
fn against_tangent(
    gradient: &[f64],
    direction: &[f64],
    slope: f64,
    value: f64,
) -> Result<(), String> {
    let terms = gradient.iter().zip(direction).map(|(a, b)| a * b);
    let (dot, size) = terms.fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()));
    let scale = size + slope.abs() + 1e-3 * if value.is_finite() { value.abs() } else { 0.0 };
    let is_near = (dot - slope).abs() <= 1e-8 * scale + 1e-12;
    if is_near || is_same(dot, slope) || (!dot.is_finite() && !slope.is_finite()) {
        return Ok(());
    }
    Err(format!("tangent: {slope}, by the gradient {dot}"))
}

/// A derivative by differences, and how far off it may be; nothing where the function is not smooth.
fn difference(plain: Primal, x: &[f64], n: usize, place: usize) -> Option<(f64, f64)> {
    let at = |step: f64| {
        let mut x = x.to_vec();
        x[place] += step;
        traced(|context| plain(&x, n, context)).result.ok().filter(|value| value.is_finite())
    };
    let step = 1e-3 * x[place].abs();
    let central = |step: f64| Some((at(step)? - at(-step)?) / (2.0 * step));
    let (wide, middle, narrow) = (central(step)?, central(step / 2.0)?, central(step / 4.0)?);
    let first = (4.0 * middle - wide) / 3.0;
    let second = (4.0 * narrow - middle) / 3.0;
    let noise = f64::EPSILON * at(0.0)?.abs() / step;
    // At a kink the differences of all steps are the same, but those of the two sides are not.
    let beside = |step: f64| {
        let slope = |step: f64| Some((at(step)? - at(0.0)?) / step);
        Some(2.0 * slope(step / 2.0)? - slope(step)?)
    };
    let kink = (beside(step)? - beside(-step)?).abs();
    let error = (first - second).abs().max(kink) + 16.0 * noise;
    // A jump or a kink nearby shows in the differences of the steps, and what oscillates within all of them in a small one.
    let is_smooth = error <= 1e-4 * (second.abs() + at(0.0)?.abs() + 1e-3);
    // The sine of something steep oscillates within all of these steps, and is too small for them to show: much smaller ones do.
    let mut is_slow = (second * x[place]).abs() <= 50.0 * (at(0.0)?.abs() + 1.0);
    for parts in [256.0, 1e4, 1e6] {
        let rounding = 16.0 * parts * noise;
        is_slow &= (central(step / parts)? - second).abs() <= 1e-3 * second.abs() + rounding;
    }
    (is_smooth && is_slow).then_some((second, error))
}
