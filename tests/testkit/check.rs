//! Checks of the sweeps and the tangent of a function against references and against each other.

use crate::interpreter::{Counters, Machine, Outcome, is_exclusive, says, scratch_value};
use crate::program::{Function, Program};
use crate::reference::{Gradient, Point, Reference, instance, position_of, product};
use crate::value::Value;
use ad_analysis::index::Var;
use ad_analysis::ir::{Body, StmtKind, each_expr, each_stmt, parse, print};
use ad_analysis::ir::{Expr, ExprKind, Fact, Guard, Sweep};

/// The relative difference that rounding may make.
const TOLERANCE: f64 = 1e-9;

/// Checks the sweeps of a function; yields the gradient they compute.
pub fn check(
    program: &Program,
    name: &str,
    at: &Point,
    reference: &Reference,
) -> Result<Gradient, String> {
    let function = &program.functions[name];
    let body = &function.source.primal;
    let all = vec![true; at.mask.len()];
    let everything = instance(body, true, &all);
    let mut machine = Machine::<f64>::new(program);
    let reified = machine.run(&function.reified, everything, at.args.clone(), Vec::new());
    same_bits(&reference.primal, &reified, "the reified program")?;
    let (outcome, gradient) = sweeps(program, function, at, true, &all)?;
    same_bits(&reference.primal, &outcome, "the forward sweep")?;
    let (_, bare) = sweeps(program, function, at, false, &all)?;
    for (what, found) in [("adjoint", &gradient), ("bare adjoint", &bare)] {
        dot_product(body, at, found, reference.slope, what)?;
        if let Some(expected) = &reference.gradient {
            compare(body, found, expected, what)?;
        }
    }
    compare(body, &bare, &gradient, "bare adjoint")?;
    if let Some(single_pass) = &function.single_pass {
        check_single_pass(program, function, single_pass, at, &outcome, &gradient)?;
    }
    if at.is_mixed() {
        let (outcome, part) = sweeps(program, function, at, true, &at.mask)?;
        let what = "adjoint of a part of the independents";
        same_bits(&reference.primal, &outcome, what)?;
        dot_product(body, at, &part, reference.slope_of_part, what)?;
    }
    Ok(gradient)
}

/// Whether a function runs to its end and computes finite numbers.
pub fn primal_runs(bodies: &[Body], name: &str, at: &Point) -> bool {
    let body = bodies.iter().find(|body| body.name == name).expect("the function exists");
    let anything = instance(body, true, &vec![true; at.mask.len()]);
    let outcome = Machine::<f64>::new(&bodies).run(body, anything, at.args.clone(), Vec::new());
    outcome.result.float().is_finite()
}

fn same_bits(a: &Outcome<f64>, b: &Outcome<f64>, what: &str) -> Result<(), String> {
    let bits = |outcome: &Outcome<f64>| -> Vec<u64> {
        let values = std::iter::once(&outcome.result).chain(&outcome.params);
        values.flat_map(Value::floats).map(f64::to_bits).collect()
    };
    if bits(a) == bits(b) {
        Ok(())
    } else {
        Err(format!(
            "{what} computes {:?} {:?}\ninstead of {:?} {:?}",
            b.result, b.params, a.result, a.params
        ))
    }
}

type Swept = (Outcome<f64>, Gradient);

/// What both sweeps of a function do at a point, and the gradient they compute.
pub fn measured(program: &Program, name: &str, at: &Point) -> Result<(Counters, Gradient), String> {
    let mut machine = Machine::<f64>::new(program);
    let all = vec![true; at.mask.len()];
    let (_, gradient) = sweeps_on(&mut machine, &program.functions[name], at, true, &all)?;
    Ok((machine.counters, gradient))
}

/// Runs the forward and the backward sweep.
fn sweeps(
    program: &Program,
    function: &Function,
    at: &Point,
    primal: bool,
    mask: &[bool],
) -> Result<Swept, String> {
    sweeps_on(&mut Machine::<f64>::new(program), function, at, primal, mask)
}

fn sweeps_on(
    machine: &mut Machine<'_, f64>,
    function: &Function,
    at: &Point,
    primal: bool,
    mask: &[bool],
) -> Result<Swept, String> {
    let (body, adjoint) = (&function.source.primal, &function.adjoint);
    let instance = instance(body, primal, mask);
    let is_active = |param: &Var| {
        let row = body.independents.iter().position(|independent| independent == param);
        row.is_some_and(|row| mask[row])
    };
    let active: Vec<bool> = body.params.iter().map(is_active).collect();
    // What the function says it does not read is not there.
    let passed = |machine: &Machine<'_, f64>, fact: Fact, n: usize| {
        let is_read = says(machine.functions(), &body.name, (n, fact), &active);
        if is_read { at.args[n].clone() } else { at.args[n].map(&mut |_| f64::NAN) }
    };
    let given = (0..at.args.len()).map(|n| match primal {
        true => at.args[n].clone(),
        false => passed(machine, Fact::Uses, n),
    });
    let given = given.collect();
    let forward = machine.run(&adjoint.forward, instance.clone(), given, Vec::new());
    let mut args = Vec::new();
    let mut positions = vec![None; body.independents.len()];
    for (n, slot) in adjoint.bars.iter().enumerate() {
        if !is_exclusive(body, slot.param) {
            args.push(passed(machine, Fact::Reads, n));
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
    Ok((forward, bars.collect()))
}

/// Both sweeps in one compute the same bits as one after the other.
fn check_single_pass(
    program: &Program,
    function: &Function,
    single_pass: &Body,
    at: &Point,
    outcome: &Outcome<f64>,
    gradient: &Gradient,
) -> Result<(), String> {
    let body = &function.source.primal;
    let everything = instance(body, true, &vec![true; at.mask.len()]);
    let (mut args, mut positions) = (Vec::new(), Vec::new());
    for (n, slot) in function.adjoint.bars.iter().enumerate() {
        args.push(at.args[n].clone());
        if slot.bar.is_some() {
            positions.push(args.len());
            let mut zero = at.args[n].clone();
            zero.reset();
            args.push(zero);
        }
    }
    args.extend(function.adjoint.seed.map(|_| Value::Float(at.seed)));
    let found = Machine::<f64>::new(program).run(single_pass, everything, args, Vec::new());
    let (value, expected) = (found.result.float(), outcome.result.float());
    if value.to_bits() != expected.to_bits() {
        return Err(format!("the single pass computes {value:?} instead of {expected:?}"));
    }
    let bits = |bars: &[Vec<f64>]| -> Vec<u64> {
        bars.iter().flatten().map(|bar| bar.to_bits()).collect()
    };
    let bars: Gradient = positions.iter().map(|&at| found.params[at].floats()).collect();
    if bits(&bars) == bits(gradient) {
        return Ok(());
    }
    Err(format!("the bars of the single pass are {bars:?} instead of {gradient:?}"))
}

/// `⟨x̄, ẋ⟩ = ⟨ȳ, ẏ⟩`: the product of the bars with a direction is the derivative in that direction.
fn dot_product(
    body: &Body,
    at: &Point,
    bars: &[Vec<f64>],
    slope: f64,
    what: &str,
) -> Result<(), String> {
    let found = product(body, at, bars);
    let largest = bars.iter().flatten().fold(1.0_f64, |scale, bar| scale.max(bar.abs()));
    if (found - slope).abs() <= TOLERANCE * largest.max(slope.abs()) {
        return Ok(());
    }
    Err(format!("{what}: {bars:?} times the direction is {found}, expected {slope}"))
}

/// Compares gradients component by component.
pub fn compare(
    body: &Body,
    found: &[Vec<f64>],
    expected: &[Vec<f64>],
    what: &str,
) -> Result<(), String> {
    let scale = expected.iter().flatten().fold(1.0_f64, |scale, value| scale.max(value.abs()));
    for ((found, expected), &var) in found.iter().zip(expected).zip(&body.independents) {
        let is_close = |(a, b): (&f64, &f64)| (a - b).abs() <= TOLERANCE * scale;
        if !found.iter().zip(expected).all(is_close) {
            let name = &body.vars[var].name;
            return Err(format!("{what}: {name}_b = {found:?}, expected {expected:?}"));
        }
    }
    Ok(())
}

/// The tangent computes the primal, and what dual numbers compute.
pub fn check_tangent(
    program: &Program,
    name: &str,
    at: &Point,
    reference: &Reference,
) -> Result<(), String> {
    let function = &program.functions[name];
    let (body, tangent) = (&function.source.primal, &function.tangent);
    let active = instance(body, true, &vec![true; at.mask.len()]);
    let mut args = Vec::new();
    for (n, direction) in tangent.directions.iter().enumerate() {
        args.push(at.args[n].clone());
        args.extend(direction.map(|_| at.directions[n].clone()));
    }
    let found = Machine::<f64>::new(program).run(&tangent.body, active, args, Vec::new());
    let expected = &reference.along;
    let close = |a: f64, b: f64| (a - b).abs() <= TOLERANCE * (1.0 + a.abs().max(b.abs()));
    if let Some(slope) = found.kept.first() {
        let (slope, expected) = (slope.float(), expected.result.float().eps);
        if !close(slope, expected) {
            return Err(format!("tangent: {slope}, expected {expected}"));
        }
    }
    if found.result.float().to_bits() != reference.primal.result.float().to_bits() {
        return Err("the tangent changes the value".to_owned());
    }
    let mut position = 0;
    for (n, (&param, direction)) in body.params.iter().zip(&tangent.directions).enumerate() {
        position += 1 + usize::from(direction.is_some());
        if direction.is_none() || !body.dependents.contains(&param) {
            continue;
        }
        let found = found.params[position - 1].floats();
        let expected = expected.params[n].floats();
        if !found.iter().zip(&expected).all(|(a, b)| close(*a, b.eps)) {
            let name = &body.vars[param].name;
            let expected: Vec<f64> = expected.iter().map(|float| float.eps).collect();
            return Err(format!("tangent of {name}: {found:?}, expected {expected:?}"));
        }
    }
    Ok(())
}

/// The textual form of all bodies of a program can be read back, as far as it has been given a reader.
pub fn check_text(program: &Program) -> Result<(), String> {
    for function in program.functions.values() {
        let sweeps = [&function.adjoint.forward, &function.adjoint.backward];
        let bodies = [&function.source.primal, &function.reified].into_iter().chain(sweeps);
        for body in bodies.filter(|body| is_readable(body)) {
            let text = print(body);
            let again = parse(&text).map_err(|error| format!("text: {error} in\n{text}"))?;
            let again = print(&again);
            if again != text {
                return Err(format!("text: {text}\nis read as\n{again}"));
            }
        }
    }
    Ok(())
}

/// Calls of sweeps, conditions that mention all pairs or tell primal values apart, and backward sweeps
/// that are not given an independent or a dependent are only printed.
fn is_readable(body: &Body) -> bool {
    let given: Vec<Var> = body.params.iter().chain(&body.result).copied().collect();
    let mut mentioned = body.independents.iter().chain(&body.dependents);
    let mut readable = mentioned.all(|var| given.contains(var));
    each_stmt(&body.block, &mut |stmt| {
        if let StmtKind::Call(call) = &stmt.kind {
            readable &= matches!(call.sweep, Sweep::Primal) && call.kept.is_none();
        }
        each_expr(stmt, &mut |expr| readable &= has_readable_guards(expr));
    });
    readable
}

fn has_readable_guards(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Guard(guard) => {
            let Guard { primal, bare } = &**guard;
            primal == bare && !primal.is_always() && primal.if_callee.is_empty()
        }
        ExprKind::Op(_, args) => args.iter().all(has_readable_guards),
        ExprKind::Literal(_) | ExprKind::Load(_) | ExprKind::Opaque(_) => true,
    }
}
