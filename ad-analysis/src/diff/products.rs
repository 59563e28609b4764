//! Products of the Hessian with several directions at once: one evaluation of the function and of its gradient serves them all.
//!
//! They are the adjoint of the tangent, in which what is linear in the direction is of another type, as in the
//! [tangent in several directions](super::several). That are the tangents in the forward sweep, and in the backward sweep the bars of what are
//! values there; the bars of tangents are those of the gradient, whatever the direction. Which of the other variables hold something linear
//! follows from what they are assigned.

use super::Adjoint;
use super::several::Builder;
use crate::index::{BitSet, Index, Var};
use crate::ir::{
    Binding, Body, Change, Expr, ExprKind, Op, Place, Resize, Stmt, StmtKind, Sweep, each_expr,
    each_place, each_stmt,
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
    let pair = function.result?;
    let value_and_tangent = HashMap::from([(pair, [false, true])]);

    let mut builder = Builder::new(function, tangents, &parameter);
    builder.pairs = value_and_tangent.clone();
    infer(&mut builder, function, &|var| var.position() < known);
    let linear = builder.directions.clone();
    let is_decided = |var: Var| var.position() < function.vars.len();
    infer(&mut builder, &adjoint.forward, &is_decided);
    retype(builder, &mut adjoint.forward)?;

    let mut bars = linear.clone();
    for &(old, var) in &adjoint.overwritten {
        if linear.contains(var) {
            bars.insert(old);
        } else if var == pair {
            return None;
        }
    }
    let mut pairs = value_and_tangent;
    for &(bar, var) in &adjoint.bars_of {
        if var == pair {
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
    Some(Products { adjoint, parameter })
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

/// The variable that a statement writes something linear to.
fn assigned_linear(builder: &Builder<'_>, stmt: &Stmt) -> impl Iterator<Item = Var> + use<> {
    let is_place_linear = |place: &Place| builder.holds(place);
    let assigned = match &stmt.kind {
        StmtKind::Let { var, value: Some(value) } if builder.is_linear(value) => [Some(*var), None],
        StmtKind::Assign { place, value } | StmtKind::Increment { place, value }
            if builder.is_linear(value) =>
        {
            [Some(place.root), None]
        }
        StmtKind::Resize(Resize { list, change: Change::Extend(items), .. })
            if builder.is_linear(items) =>
        {
            [Some(list.root), None]
        }
        StmtKind::Swap { a, b } => {
            [is_place_linear(b).then_some(a.root), is_place_linear(a).then_some(b.root)]
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
        | StmtKind::Pop { .. } => [None, None],
    };
    assigned.into_iter().flatten()
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
    if builder.directions.iter().any(|var| !sweep.vars[var].ty.is_seen()) {
        return None;
    }
    builder.variables(sweep);
    builder.body(sweep);
    (!builder.is_refused && !hands_on(&builder, sweep) && !reads_as_float(&builder, sweep))
        .then_some(())
}

/// Whether something is popped of which it is not known what it is: it must be of the type that was pushed.
fn pops_unknown(adjoint: &Adjoint, function: &Body) -> bool {
    let is_known = |var: Var| {
        var.position() < function.vars.len()
            || adjoint.overwritten.iter().any(|&(old, _)| old == var)
    };
    let mut found = false;
    each_stmt(&adjoint.backward.block, &mut |stmt| {
        if let StmtKind::Pop { place, .. } = &stmt.kind {
            found |= !is_known(adjoint.backward.root_of(place));
        }
    });
    found
}

/// Whether something linear is handed to another function, or one is called that has sweeps.
fn hands_on(builder: &Builder<'_>, sweep: &Body) -> bool {
    let mut found = false;
    each_stmt(&sweep.block, &mut |stmt| {
        if let StmtKind::Call(call) = &stmt.kind {
            found |= !matches!(call.sweep, Sweep::Primal);
            each_place(stmt, &mut |place| found |= builder.holds(place));
            found |= call.result.is_some_and(|result| builder.holds(&Place::var(result)));
        }
    });
    found
}

/// Whether something linear is read as a number.
fn reads_as_float(builder: &Builder<'_>, sweep: &Body) -> bool {
    let mut found = false;
    each_stmt(&sweep.block, &mut |stmt| {
        each_expr(stmt, &mut |expr| found |= is_read_as_float(builder, expr));
    });
    found
}

fn is_read_as_float(builder: &Builder<'_>, expr: &Expr) -> bool {
    match &expr.kind {
        // The length of a list does not depend on what is in it.
        ExprKind::Op(Op::Len, _) => false,
        ExprKind::Op(_, args) => args.iter().any(|arg| is_read_as_float(builder, arg)),
        ExprKind::Load(place) => {
            let is_whole_pair = place.is_whole() && builder.pairs.contains_key(&place.root);
            let is_float = expr.ty.may_carry_floats() && !is_of_several(&expr.ty);
            is_whole_pair || builder.holds(place) && is_float
        }
        ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => false,
    }
}

/// Whether a value of a type holds what is linear in several directions.
pub(super) fn is_of_several(ty: &Type) -> bool {
    match ty {
        Type::Float(kind) => matches!(kind, FloatKind::Directions(_)),
        Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => {
            is_of_several(element)
        }
        Type::Tuple(fields) => fields.iter().any(is_of_several),
        Type::Int(_) | Type::Bool | Type::Named(_) | Type::Unknown | Type::Infer(_) => false,
    }
}
