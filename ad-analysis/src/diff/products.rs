//! Products of the Hessian with several directions at once: one evaluation of the function and of its gradient serves them all.
//!
//! They are the adjoint of the tangent, in which what is linear in the direction is of another type, as in the
//! [tangent in several directions](super::several). That are the tangents in the forward sweep, and in the backward sweep the bars of what are
//! values there; the bars of tangents are those of the gradient, whatever the direction. Which of the other variables hold something linear
//! follows from what they are assigned.
//!
//! A function that is called has sweeps of that kind, too: of what is handed to it, the directions are linear in the forward sweep, and the
//! bars of values in the backward sweep. So is one part of the pair that it returns.

use super::Adjoint;
use super::several::{Builder, has_arguments};
use crate::index::{BitSet, Index, Var};
use crate::ir::{
    Arg, ArgKind, Binding, Body, Call, Callee, Change, Derivative, Place, Resize, Stmt, StmtKind,
    Sweep, declared_by, each_place, each_stmt,
};
use crate::types::{FloatKind, Type};
use std::collections::HashMap;
use std::rc::Rc;

/// The sweeps of the products in several directions.
#[derive(Debug)]
pub struct Products {
    /// The adjoint of the tangent with those sweeps.
    pub adjoint: Adjoint,
    /// The type parameter that stands for what is linear in the directions of a float.
    pub parameter: Rc<str>,
    /// Whether sweeps of other functions are called, which may have none for several directions.
    pub calls_others: bool,
}

/// The products in several directions, if there are such. `function` is the tangent as a function, whose result is a pair of value and tangent,
/// `adjoint` its adjoint; `tangents` are those of its first `known` variables that hold tangents, the others of these hold values.
pub fn products(
    adjoint: &Adjoint,
    function: &Body,
    tangents: BitSet<Var>,
    known: usize,
) -> Option<Products> {
    let mut adjoint = adjoint.clone();
    let parameter: Rc<str> = adjoint.backward.names.fresh("Directions").into();
    let results_in = |sweep: &Body| -> HashMap<Var, [bool; 2]> {
        let results = results_of_calls(sweep).into_iter().chain(function.result);
        results.map(|pair| (pair, [false, true])).collect()
    };
    let mut value_and_tangent = results_in(&adjoint.forward);

    let mut builder = Builder::new(function, tangents, &parameter);
    builder.pairs = value_and_tangent.clone();
    infer(&mut builder, function, &|var| var.position() < known);
    let linear = builder.directions.clone();
    let is_decided = |var: Var| var.position() < function.vars.len();
    infer(&mut builder, &adjoint.forward, &is_decided);
    retype(builder, &mut adjoint.forward)?;

    // The backward sweep may call forward sweeps again.
    value_and_tangent.extend(results_in(&adjoint.backward));
    let mut bars = linear.clone();
    for (old, place) in &adjoint.overwritten {
        let (old, var) = (*old, place.root);
        if linear.contains(var) {
            bars.insert(old);
        } else if value_and_tangent.contains_key(&var) {
            return None;
        }
    }
    let mut pairs = value_and_tangent.clone();
    for &(bar, var) in &adjoint.bars_of {
        if value_and_tangent.contains_key(&var) {
            pairs.insert(bar, [true, false]);
        } else if !linear.contains(var) {
            bars.insert(bar);
        }
    }
    let mut builder = Builder::new(function, bars, &parameter);
    builder.pairs = pairs;
    let is_of_variable = |var| adjoint.bars_of.iter().any(|&(bar, _)| bar == var);
    let is_decided = |var: Var| var.position() < function.vars.len() || is_of_variable(var);
    infer(&mut builder, &adjoint.backward, &is_decided);
    if pops_unknown(&adjoint, function) {
        return None;
    }
    for bar in &mut adjoint.bars {
        let is_linear = bar.bar.is_some_and(|bar| builder.directions.contains(bar));
        bar.scratch = bar.scratch.take().map(|zero| match is_linear {
            true => builder.direction(&zero),
            false => zero,
        });
    }
    retype(builder, &mut adjoint.backward)?;
    let calls_others = [&adjoint.forward, &adjoint.backward].into_iter().any(calls_tangents);
    Some(Products { adjoint, parameter, calls_others })
}

/// The pairs that functions return whose tangents are called.
fn results_of_calls(sweep: &Body) -> Vec<Var> {
    let mut results = Vec::new();
    each_stmt(&sweep.block, &mut |stmt| {
        if let StmtKind::Call(Call { callee: Callee::Derivative(..), result, .. }) = &stmt.kind {
            results.extend(*result);
        }
    });
    results
}

/// Adds the variables that are assigned something linear to those that hold it.
fn infer(builder: &mut Builder<'_>, body: &Body, is_decided: &dyn Fn(Var) -> bool) {
    loop {
        let mut found = Vec::new();
        each_stmt(&body.block, &mut |stmt| {
            found.extend(assigned_linear(builder, stmt).filter(|&var| {
                !is_decided(var)
                    && !builder.directions.contains(var)
                    && !builder.pairs.contains_key(&var)
            }));
        });
        if found.is_empty() {
            return;
        }
        found.into_iter().for_each(|var| {
            builder.directions.insert(var);
        });
    }
}

/// The variables that a statement writes something linear to.
fn assigned_linear(builder: &Builder<'_>, stmt: &Stmt) -> impl Iterator<Item = Var> + use<> {
    let is_place_linear = |place: &Place| builder.holds(place);
    let assigned = match &stmt.kind {
        StmtKind::Let { var, value: Some(value) } if builder.is_linear(value) => vec![*var],
        StmtKind::Assign { place, value } | StmtKind::Increment { place, value }
            if builder.is_linear(value) =>
        {
            vec![place.root]
        }
        StmtKind::Resize(Resize { list, change: Change::Extend(items), .. })
            if builder.is_linear(items) =>
        {
            vec![list.root]
        }
        StmtKind::Swap { a, b } => {
            let sides = [(a, b), (b, a)].into_iter();
            sides.filter(|(_, other)| is_place_linear(other)).map(|(side, _)| side.root).collect()
        }
        // The bars of values, which stand before those of their directions.
        StmtKind::Call(Call { callee: Callee::Derivative(..), args, .. }) => {
            args.iter().step_by(2).filter_map(|arg| arg.slot.bar()).map(|bar| bar.root).collect()
        }
        StmtKind::Let { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Increment { .. }
        | StmtKind::Reset { .. }
        | StmtKind::Resize(_)
        | StmtKind::Call(_)
        | StmtKind::Bind { .. }
        | StmtKind::Opaque(_)
        | StmtKind::If { .. }
        | StmtKind::Loop(_)
        | StmtKind::Block { .. }
        | StmtKind::Exit { .. }
        | StmtKind::Push { .. }
        | StmtKind::Pop { .. } => Vec::new(),
    };
    assigned.into_iter()
}

/// Gives a sweep its types, unless something linear is used where a number alone can be.
fn retype(mut builder: Builder<'_>, sweep: &mut Body) -> Option<()> {
    let is_viewed = |var: Var| {
        let is_own = matches!(sweep.vars[var].binding, Binding::View(_));
        is_own && builder.holds(&Place::var(sweep.root_of(&Place::var(var))))
    };
    if (0..sweep.vars.len()).map(Var::new).any(is_viewed) {
        return None;
    }
    // What is not seen may be a struct, where these are generic functions of another type.
    if builder.directions.iter().any(|var| !sweep.vars[var].ty.is_seen())
        || calls_tangents(sweep) && !are_types_known(&builder, sweep)
    {
        return None;
    }
    builder.variables(sweep);
    builder.body(sweep);
    (!builder.is_refused && !hands_on(&builder, sweep) && !builder.reads_as_float(sweep))
        .then_some(())
}

/// Whether something is popped of which it is not known what it is: it must be of the type that was pushed.
fn pops_unknown(adjoint: &Adjoint, function: &Body) -> bool {
    let is_known = |var: Var| {
        var.position() < function.vars.len()
            || adjoint.overwritten.iter().any(|(old, _)| *old == var)
    };
    let mut found = false;
    each_stmt(&adjoint.backward.block, &mut |stmt| {
        if let StmtKind::Pop { place, .. } = &stmt.kind {
            found |= !is_known(adjoint.backward.root_of(place));
        }
    });
    found
}

/// Whether tangents of other functions are called.
fn calls_tangents(sweep: &Body) -> bool {
    let mut found = false;
    each_stmt(&sweep.block, &mut |stmt| {
        if let StmtKind::Call(call) = &stmt.kind {
            found |= matches!(call.callee, Callee::Derivative(..));
        }
    });
    found
}

/// Whether the types are known of all that is linear: a function that is called has types of its own for what is handed to it, and what is not
/// seen cannot be taken for a float.
fn are_types_known(builder: &Builder<'_>, sweep: &Body) -> bool {
    let are_known = |var: Var| {
        let ty = &sweep.vars[var].ty;
        match (builder.pairs.contains_key(&var), builder.directions.contains(var)) {
            // One of its parts is of the type of the value.
            (true, _) => is_known(ty),
            (false, is_linear) => !is_linear || ty.is_structural(),
        }
    };
    let mut all = sweep.params.iter().copied().all(are_known);
    each_stmt(&sweep.block, &mut |stmt| {
        each_place(stmt, &mut |place| all &= are_known(place.root));
        all &= declared_by(stmt).into_iter().all(are_known);
    });
    all
}

fn is_known(ty: &Type) -> bool {
    match ty {
        Type::Float(kind) => !matches!(kind, FloatKind::Open(_) | FloatKind::Generic(_)),
        Type::Int(_) | Type::Bool => true,
        Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => is_known(element),
        Type::Tuple(fields) => fields.iter().all(is_known),
        Type::Named(_) | Type::Unknown | Type::Infer(_) => false,
    }
}

/// Whether something linear is handed to another function that has no place for it there, or one is called that has no such sweeps.
fn hands_on(builder: &Builder<'_>, sweep: &Body) -> bool {
    let mut found = false;
    each_stmt(&sweep.block, &mut |stmt| {
        let StmtKind::Call(call) = &stmt.kind else { return };
        found |= match (&call.callee, &call.sweep) {
            (
                Callee::Derivative(Derivative::Directed, path),
                Sweep::Forward { .. } | Sweep::Backward { .. },
            ) => has_arguments(path) || !is_handed_directions(builder, call),
            (_, Sweep::Primal) => {
                let mut is_handed = false;
                each_place(stmt, &mut |place| is_handed |= builder.holds(place));
                is_handed || call.result.is_some_and(|result| builder.holds(&Place::var(result)))
            }
            (_, Sweep::Forward { .. } | Sweep::Backward { .. } | Sweep::Tangent { .. }) => true,
        };
    });
    found
}

/// Whether what a call is handed is linear where the function called expects it: directions, the bars of values, and of what is returned the
/// same parts.
fn is_handed_directions(builder: &Builder<'_>, call: &Call) -> bool {
    let is_as_expected = |(position, arg): (usize, &Arg)| {
        let is_direction = position % 2 == 1;
        let is_value_right = match &arg.kind {
            ArgKind::Value(value) if is_direction => value.ty == Type::unit(),
            ArgKind::Value(value) => !builder.is_linear(value),
            ArgKind::Shared(place) | ArgKind::Exclusive(place) => {
                builder.holds(place) == is_direction
            }
            ArgKind::Omitted => true,
        };
        is_value_right && arg.slot.bar().is_none_or(|bar| builder.holds(bar) != is_direction)
    };
    let holds = |var: Var| builder.pairs.get(&var).copied();
    let is_seed_right = match &call.sweep {
        Sweep::Backward { seed: Some(seed), .. } => {
            seed.is_whole() && holds(seed.root) == Some([true, false])
        }
        Sweep::Backward { seed: None, .. }
        | Sweep::Forward { .. }
        | Sweep::Tangent { .. }
        | Sweep::Primal => true,
    };
    let is_result_right = call.result.is_none_or(|result| holds(result) == Some([false, true]));
    call.args.iter().enumerate().all(is_as_expected) && is_seed_right && is_result_right
}
