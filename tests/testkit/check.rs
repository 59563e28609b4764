//! Checks of a program against dual numbers and against itself.

use crate::interpreter::{Counters, Instance, Machine, Outcome, is_exclusive, scratch_value};
use crate::program::{Function, Program};
use crate::random::LEN;
use crate::scalar::Scalar;
use crate::value::Value;
use ad_analysis::index::Var;
use ad_analysis::ir::Body;
use ad_analysis::types::Type;
use fastrand::Rng;
use num_dual::Dual64;

/// What a checked program was like.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The gradient with respect to all independents.
    pub gradient: Vec<f64>,
    /// The counters of the primal.
    pub primal: Counters,
    /// Values pushed by the forward sweep.
    pub pushes: usize,
    /// Whether anything was infinite or NaN, so that nothing could be compared.
    pub infinite: bool,
}

/// A point at which a function is run.
#[derive(Clone, Debug)]
pub struct Point {
    /// The arguments.
    pub args: Vec<Value<f64>>,
    /// A direction for every parameter.
    pub directions: Vec<Value<f64>>,
    /// The bars of the `&mut` parameters.
    pub bars: Vec<Value<f64>>,
    /// The bar of the result.
    pub seed: f64,
    /// Which independents a partial instance passes as active.
    pub mask: Vec<bool>,
}

impl Point {
    /// A random point for a function.
    pub fn random(body: &Body, rng: &mut Rng) -> Self {
        let mut float = || rng.f64() * 3.0 - 1.5;
        let mut make = |ty: &Type| match ty {
            Type::Int(_) => Value::Int(0),
            Type::Float(_) => Value::Float(float()),
            _ => Value::List((0..LEN).map(|_| Value::Float(float())).collect()),
        };
        let types: Vec<Type> =
            body.params.iter().map(|&param| body.vars[param].ty.clone()).collect();
        let mut args: Vec<Value<f64>> = types.iter().map(&mut make).collect();
        let directions = types.iter().map(&mut make).collect();
        let bars = types.iter().map(&mut make).collect();
        let seed = float();
        for arg in &mut args {
            if let Value::Int(value) = arg {
                *value = rng.i128(0..3);
            }
        }
        let mask = body.independents.iter().map(|_| rng.bool()).collect();
        Self { args, directions, bars, seed, mask }
    }
}

/// Runs all checks on a function of a program.
pub fn check(program: &Program, name: &str, at: &Point) -> Result<Report, String> {
    let function = &program.functions[name];
    let mut report = Report::default();
    let mut machine = Machine::<f64>::new(program);
    let everything = instance(function, true, &vec![true; at.mask.len()]);
    let primal = machine.run(&function.primal, everything, at.args.clone(), Vec::new());
    report.primal = machine.counters;
    let reified = Machine::<f64>::new(program).run(
        &function.reified,
        instance(function, true, &vec![true; at.mask.len()]),
        at.args.clone(),
        Vec::new(),
    );
    same_bits(&primal, &reified, "the reified program")?;
    let all = vec![true; at.mask.len()];
    let reference = dual_gradient(program, function, at, &all);
    if reference.iter().flatten().any(|value| !value.is_finite() || value.abs() > 1e6) {
        report.infinite = true;
        return Ok(report);
    }
    for wanted in [true, false] {
        let (outcome, bars, pushes) = sweeps(program, function, at, wanted, &all)?;
        if wanted {
            same_bits(&primal, &outcome, "the forward sweep")?;
            report.pushes = pushes;
        }
        compare(function, &bars, &reference, if wanted { "adjoint" } else { "bare adjoint" })?;
    }
    if at.mask.contains(&true) && at.mask.contains(&false) {
        let reference = dual_gradient(program, function, at, &at.mask);
        let (_, bars, _) = sweeps(program, function, at, true, &at.mask)?;
        compare(function, &bars, &reference, "adjoint of a part of the independents")?;
    }
    tangent(program, function, at, &primal)?;
    report.gradient = reference.into_iter().flatten().collect();
    Ok(report)
}

/// Whether a function runs to its end and computes finite numbers.
pub fn primal_runs(bodies: &[Body], name: &str, at: &Point) -> bool {
    let body = bodies.iter().find(|body| body.name == name).expect("the function exists");
    let anything = Instance { primal: true, independents: Vec::new(), dependents: Vec::new() };
    let outcome = Machine::<f64>::new(&bodies).run(body, anything, at.args.clone(), Vec::new());
    outcome.result.float().is_finite()
}

fn instance(function: &Function, primal: bool, mask: &[bool]) -> Instance {
    let body = &function.primal;
    let is_active = |var: &Var| {
        body.independents.iter().position(|other| other == var).is_none_or(|n| mask[n])
    };
    Instance {
        primal,
        independents: mask.to_vec(),
        dependents: body.dependents.iter().map(is_active).collect(),
    }
}

fn same_bits(a: &Outcome<f64>, b: &Outcome<f64>, what: &str) -> Result<(), String> {
    let bits = |outcome: &Outcome<f64>| -> Vec<u64> {
        let values = std::iter::once(&outcome.result).chain(&outcome.params);
        values.flat_map(Value::floats).map(f64::to_bits).collect()
    };
    if bits(a) == bits(b) {
        Ok(())
    } else {
        Err(format!("{what} computes {:?} {:?}\ninstead of {:?} {:?}", b.result, b.params, a.result, a.params))
    }
}

/// The gradient of seed · result + bars · (`&mut` dependents), by one dual run per number; zero for
/// independents that are not active.
fn dual_gradient(
    program: &Program,
    function: &Function,
    at: &Point,
    mask: &[bool],
) -> Vec<Vec<f64>> {
    let body = &function.primal;
    let active = instance(function, true, mask);
    let mut gradient = Vec::new();
    for (row, independent) in body.independents.iter().enumerate() {
        let position = position_of(body, *independent);
        let numbers = at.args[position].floats().len();
        let mut part = vec![0.0; numbers];
        for (number, slot) in part.iter_mut().enumerate() {
            if !mask[row] {
                continue;
            }
            let args = at.args.iter().enumerate().map(|(n, arg)| {
                let mut count = 0;
                arg.map(&mut |value| {
                    let seeded = n == position && count == number;
                    count += 1;
                    Dual64::new(value, if seeded { 1.0 } else { 0.0 })
                })
            });
            let args = args.collect();
            let outcome =
                Machine::<Dual64>::new(program).run(body, active.clone(), args, Vec::new());
            for (dependent, is_active) in body.dependents.iter().zip(&active.dependents) {
                if !is_active {
                    continue;
                }
                if Some(*dependent) == body.result {
                    *slot += at.seed * outcome.result.float().eps;
                    continue;
                }
                let param = position_of(body, *dependent);
                let tangents = outcome.params[param].floats();
                let bars = at.bars[param].floats();
                *slot += tangents.iter().zip(bars).map(|(t, bar)| t.eps * bar).sum::<f64>();
            }
        }
        gradient.push(part);
    }
    gradient
}

fn position_of(body: &Body, var: Var) -> usize {
    body.params.iter().position(|&param| param == var).expect("a parameter")
}

type Swept = (Outcome<f64>, Vec<Vec<f64>>, usize);

/// Runs both sweeps; returns what the forward sweep computed, the bars of the independents, and the
/// number of pushes.
fn sweeps(
    program: &Program,
    function: &Function,
    at: &Point,
    primal: bool,
    mask: &[bool],
) -> Result<Swept, String> {
    let (body, adjoint) = (&function.primal, &function.adjoint);
    let instance = instance(function, primal, mask);
    let mut machine = Machine::<f64>::new(program);
    let forward = machine.run(&adjoint.forward, instance.clone(), at.args.clone(), Vec::new());
    let pushes = machine.counters.pushes;
    let mut args = Vec::new();
    let mut positions = vec![None; body.independents.len()];
    for (n, slot) in adjoint.bars.iter().enumerate() {
        if !is_exclusive(body, slot.param) {
            args.push(at.args[n].clone());
        }
        if slot.bar.is_none() {
            continue;
        }
        let row = body.independents.iter().position(|&var| var == slot.param);
        let active = row.is_none_or(|row| mask[row]);
        if let Some(row) = row.filter(|_| active) {
            positions[row] = Some(args.len());
        }
        args.push(match (&slot.scratch, active) {
            (_, true) if is_exclusive(body, slot.param) => at.bars[n].clone(),
            (_, true) => {
                let mut zero = at.args[n].clone();
                zero.reset();
                zero
            }
            (Some(scratch), false) => scratch_value(&adjoint.backward, scratch, &forward.kept),
            (None, false) => Value::Nothing,
        });
    }
    if adjoint.seed.is_some() {
        args.push(Value::Float(at.seed));
    }
    let backward = machine.run(&adjoint.backward, instance, args, forward.kept.clone());
    if !machine.stack.is_empty() {
        return Err(format!("{} values are left on the stack", machine.stack.len()));
    }
    let bars = positions.iter().zip(&body.independents).map(|(position, &var)| match position {
        Some(position) => backward.params[*position].floats(),
        None => vec![0.0; at.args[position_of(body, var)].floats().len()],
    });
    Ok((forward, bars.collect(), pushes))
}

fn compare(
    function: &Function,
    found: &[Vec<f64>],
    expected: &[Vec<f64>],
    what: &str,
) -> Result<(), String> {
    let body = &function.primal;
    let scale = expected.iter().flatten().fold(1.0_f64, |scale, value| scale.max(value.abs()));
    for ((found, expected), &var) in found.iter().zip(expected).zip(&body.independents) {
        for (a, b) in found.iter().zip(expected) {
            if !((a - b).abs() <= 1e-9 * scale) {
                let name = &body.vars[var].name;
                return Err(format!("{what}: {name}_b = {found:?}, expected {expected:?}"));
            }
        }
    }
    Ok(())
}

/// The tangent computes the primal, and what dual numbers compute.
fn tangent(
    program: &Program,
    function: &Function,
    at: &Point,
    primal: &Outcome<f64>,
) -> Result<(), String> {
    let body = &function.primal;
    let active = instance(function, true, &vec![true; at.mask.len()]);
    let mut args = Vec::new();
    for (n, &param) in body.params.iter().enumerate() {
        args.push(at.args[n].clone());
        if body.vars[param].ty.may_carry_floats() {
            args.push(at.directions[n].clone());
        }
    }
    let found = Machine::<f64>::new(program).run(&function.tangent, active.clone(), args, Vec::new());
    let duals = at.args.iter().zip(&at.directions).map(|(arg, direction)| {
        let mut directions = direction.floats().into_iter();
        arg.map(&mut |value| Dual64::new(value, directions.next().unwrap_or(0.0)))
    });
    let expected = Machine::<Dual64>::new(program).run(body, active, duals.collect(), Vec::new());
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()));
    let tangent = found.kept[0].float();
    if !close(tangent, expected.result.float().eps) {
        return Err(format!("tangent: {tangent}, expected {}", expected.result.float().eps));
    }
    if found.result.float().to_bits() != primal.result.float().to_bits() {
        return Err("the tangent changes the value".to_owned());
    }
    let mut position = 0;
    for (n, &param) in body.params.iter().enumerate() {
        position += 1;
        if !body.vars[param].ty.may_carry_floats() {
            continue;
        }
        if is_exclusive(body, param) {
            let found = found.params[position].floats();
            let expected = expected.params[n].floats();
            if !found.iter().zip(&expected).all(|(a, b)| close(*a, b.eps)) {
                return Err(format!("tangent of {}: {found:?}", body.vars[param].name));
            }
        }
        position += 1;
    }
    let _ = f64::constant(0.0);
    Ok(())
}
