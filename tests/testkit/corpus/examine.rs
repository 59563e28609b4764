//! Checks of random functions. They are run by a program of their own, since a random function may run for
//! ever or use up the memory: one line says which function is begun, one what came out.

use super::second::compare_hessian;
use super::{Case, Entry, Primal, Run, RunHessian, Variant};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

/// How many iterations of loops a function may make.
const FUEL: u64 = 20_000;

static USED: AtomicU64 = AtomicU64::new(0);

/// Called in each iteration of the functions as they are.
pub fn fuel() {
    if USED.fetch_add(1, Ordering::Relaxed) > FUEL {
        panic!("too many iterations");
    }
}

/// What came out of a function.
enum Verdict {
    /// So many derivatives were compared.
    Compared(usize),
    /// The function panics, or has no derivatives that could be compared.
    Unusable(&'static str),
    /// A derivative is wrong.
    Wrong(String),
}

/// Examines the functions from one on.
pub fn examine(cases: &[Case], variants: &[&Variant]) {
    examine_each(cases, &|position, sample| {
        examine_at(&cases[position], position, sample, variants)
    });
}

/// Examines the Hessians of the functions from one on, of those that have one.
pub fn examine_hessians(cases: &[Case], runs: &[(usize, RunHessian)]) {
    examine_each(cases, &|position, sample| match runs.iter().find(|(of, _)| *of == position) {
        Some((_, run)) => hessian_at(&cases[position], position, sample, *run),
        None => Verdict::Unusable("it has no Hessian"),
    });
}

fn examine_each(cases: &[Case], examine_at: &dyn Fn(usize, usize) -> Verdict) {
    std::panic::set_hook(Box::new(|_| ()));
    let first = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
    for (position, case) in cases.iter().enumerate().skip(first) {
        println!("begin {position}");
        let mut compared = 0;
        let mut unusable = "it has no samples";
        let mut wrong = None;
        for sample in 0..case.expectations.len() {
            match examine_at(position, sample) {
                Verdict::Compared(count) => compared += count,
                Verdict::Unusable(why) => unusable = why,
                Verdict::Wrong(what) => wrong = wrong.or(Some(format!("#{sample} {what}"))),
            }
        }
        match wrong {
            Some(what) => println!("wrong {position} {}", what.replace('\n', " ")),
            None if compared > 0 => println!("compared {position} {compared}"),
            None => println!("unusable {position} {unusable}"),
        }
    }
}

fn quietly<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    USED.store(0, Ordering::Relaxed);
    let result = catch_unwind(AssertUnwindSafe(run));
    result.map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        text.unwrap_or_default()
    })
}

/// Values beyond it have errors beyond what is compared.
fn is_moderate(value: &f64) -> bool {
    value.is_finite() && value.abs() <= 1e8
}

/// The function at a sample and its derivatives, or why there are none.
fn known(case: &Case, sample: usize) -> Result<(Primal, Vec<Vec<f64>>), &'static str> {
    let primal = quietly(|| (case.plain)(sample)).map_err(|_| "it panics")?;
    if !primal.outputs.floats.iter().all(is_moderate) {
        return Err("its values are too large");
    }
    let jacobian = quietly(|| jacobian(case, sample, &primal));
    let jacobian = jacobian.map_err(|_| "the dual numbers panic")?;
    let jacobian = jacobian.ok_or("the dual numbers have other values")?;
    if !jacobian.iter().flatten().all(is_moderate) {
        return Err("its derivatives are too large");
    }
    Ok((primal, jacobian))
}

/// The second derivatives in all directions that are sums of two unit vectors, or one.
fn curvatures(case: &Case, sample: usize, count: usize) -> Vec<f64> {
    let pairs = (0..count).flat_map(|i| (0..=i).map(move |j| (i, j)));
    let along = pairs.map(|(i, j)| {
        let slopes: Vec<f64> =
            (0..count).map(|k| if k == i || k == j { 1.0 } else { 0.0 }).collect();
        (case.dual)(sample, &slopes)[0].curvature()
    });
    along.collect()
}

fn hessian_at(case: &Case, position: usize, sample: usize, run: RunHessian) -> Verdict {
    let (primal, gradient) = match known(case, sample) {
        Ok(known) => known,
        Err(why) => return Verdict::Unusable(why),
    };
    let count = primal.inputs;
    let Ok(curvatures) = quietly(|| curvatures(case, sample, count)) else {
        return Verdict::Unusable("the dual numbers panic");
    };
    if !curvatures.iter().all(is_moderate) {
        return Verdict::Unusable("its second derivatives are too large");
    }
    println!("runs {position}");
    let direction: Vec<f64> = (0..count).map(|k| ((k + 1) as f64).cos()).collect();
    let found = match quietly(|| run(sample, &direction)) {
        Ok(found) => found,
        Err(panic) => return Verdict::Wrong(format!("panic: {panic}")),
    };
    if found.value.to_bits() != primal.outputs.floats[0].to_bits() {
        return Verdict::Wrong(format!("the value is {:e}", found.value));
    }
    let gradient: Vec<f64> = gradient.iter().map(|slopes| slopes[0]).collect();
    match compare_hessian(&found, &direction, &gradient, &curvatures) {
        Ok(()) => Verdict::Compared(curvatures.len()),
        Err(what) => Verdict::Wrong(what),
    }
}

fn examine_at(case: &Case, position: usize, sample: usize, variants: &[&Variant]) -> Verdict {
    let (primal, jacobian) = match known(case, sample) {
        Ok(known) => known,
        Err(why) => return Verdict::Unusable(why),
    };
    // From here on, it is the derivative's fault.
    println!("runs {position}");
    let mut compared = 0;
    for variant in variants {
        for entry in [Entry::Adjoint, Entry::Split] {
            let run = variant.runs[position].expect("it runs all functions");
            match compare(run, entry, sample, &primal, &jacobian) {
                Ok(count) => compared += count,
                Err(what) => {
                    return Verdict::Wrong(format!("[{}] {entry:?}: {what}", variant.name));
                }
            }
        }
    }
    Verdict::Compared(compared)
}

/// The derivatives of the outputs for each input; nothing if dual numbers do not do what floats do.
fn jacobian(case: &Case, sample: usize, primal: &Primal) -> Option<Vec<Vec<f64>>> {
    let of = |input: usize| {
        let mut slopes = vec![0.0; primal.inputs];
        slopes[input] = 1.0;
        let outputs = (case.dual)(sample, &slopes);
        let values = outputs.iter().map(|output| output.value().to_bits());
        let agree = values.eq(primal.outputs.floats.iter().map(|value| value.to_bits()));
        agree.then(|| outputs.iter().map(|output| output.slope()).collect())
    };
    (0..primal.inputs).map(of).collect()
}

fn compare(
    run: Run,
    entry: Entry,
    sample: usize,
    primal: &Primal,
    jacobian: &[Vec<f64>],
) -> Result<usize, String> {
    let seeds = super::check::generic_weights(primal);
    let derivative = quietly(|| run(entry, sample, &seeds));
    let derivative = derivative.map_err(|panic| format!("panic: {panic}"))?;
    let derivative = derivative.expect("both entries are there");
    if let Some(outputs) = &derivative.outputs
        && !outputs.same_bits(&primal.outputs)
    {
        return Err(format!("the value is {outputs:?} instead of {:?}", primal.outputs));
    }
    if !derivative.stack_is_empty {
        return Err("the stack is not empty".to_owned());
    }
    let reference = jacobian.iter().map(|column| {
        let terms = column.iter().zip(&seeds).filter(|(_, weight)| **weight != 0.0);
        terms.map(|(derivative, weight)| derivative * weight).sum()
    });
    let reference: Vec<f64> = reference.collect();
    let found = &derivative.bars;
    if found.len() != reference.len() {
        return Err(format!("{found:?} instead of {reference:?}"));
    }
    // What is large may cancel in one component.
    let scale = jacobian.iter().flatten().fold(1.0_f64, |scale, slope| scale.max(slope.abs()));
    for (component, (found, expected)) in found.iter().zip(&reference).enumerate() {
        if (found - expected).abs() > 1e-7 * scale || found.is_nan() {
            return Err(format!("component {component}: {found:e} instead of {expected:e}"));
        }
    }
    Ok(found.len())
}
