//! Functions of a few numbers that hand over their partials instead of what these are made of, where that is less (preaccumulation:
//! Griewank and Walther, *Evaluating Derivatives*, 2008, chapter 10). The backward sweep runs with the seed 1 right after the forward
//! sweep:
//!
//! ```text
//! let e = (-x).exp();                              let e = (-x).exp();
//! ret = 1.0 / (1.0 + e);                           ret = 1.0 / (1.0 + e);
//! keep ret, e                           becomes    let by_x = 1.0 / (1.0 + e) * ret * e;
//!                                                  keep by_x
//! x_b += ret_b / (1.0 + e) * ret * e;              x_b += ret_b * by_x;
//! ```
//!
//! All entries of the function multiply the seed by the same partial: their bits are the same.

use super::rename::{rename_declared, renumber, replace};
use crate::diff::Adjoint;
use crate::index::{BitSet, Var};
use crate::ir::{
    BinaryOp, Binding, Body, Condition, Expr, ExprKind, Guard, Kept, Op, Place, Stmt, StmtKind,
    declared_within, each_block, each_block_mut, each_expr, each_expr_mut, each_stmt,
    kept_by_calls, written_by,
};
use crate::simplify::simplify;
use crate::types::{FloatKind, Type};
use proc_macro2::Span;
use std::collections::HashMap;

/// A number that a function depends on.
struct Active {
    /// Its bar.
    bar: Var,
    /// The variable for the partial.
    partial: Var,
    /// When a derivative passes through it.
    when: Condition,
}

/// Has the forward sweep hand over the partials of a function of numbers, if these are fewer than what the backward sweep needs otherwise.
pub fn keep_partials(primal: &Body, adjoint: &mut Adjoint) {
    let Some(bars) = bars_of_numbers(primal, adjoint) else { return };
    let is_less = words(&adjoint.forward).is_none_or(|words| words > bars.len());
    if bars.is_empty() || !is_less || !may_follow(primal, adjoint) {
        return;
    }
    let Some(seed) = adjoint.seed else { return };
    let is_strong = has_tests_of_bars(&adjoint.backward);
    let mut backward = adjoint.backward.clone();
    let active: Vec<Active> = bars
        .into_iter()
        .map(|(param, bar, when)| {
            let (hint, ty) =
                (format!("by_{}", primal.vars[param].name), primal.vars[param].ty.clone());
            Active { bar, partial: backward.local(&hint, ty, Span::call_site()), when }
        })
        .collect();
    let mut forward = adjoint.forward.clone();
    follow(&mut forward, &mut backward, seed, &active);
    let kept = active.iter().map(|active| Kept { var: active.partial, when: active.when.clone() });
    forward.kept = kept.collect();
    simplify(&mut forward);
    backward.kept = forward.kept.clone();
    let seed = backward.load(seed);
    let mut stmts = Vec::new();
    for Active { bar, partial, when } in active {
        stmts.push(increment(&mut backward, bar, &seed, partial, when, is_strong));
    }
    backward.block.stmts = stmts;
    (adjoint.forward, adjoint.backward) = (forward, backward);
}

/// The parameters with bars that get something, with these bars and when they do. Nothing, if there is anything that is no number by
/// which the function depends on its parameters, or if something else depends on them than a number that is returned.
fn bars_of_numbers(primal: &Body, adjoint: &Adjoint) -> Option<Vec<(Var, Var, Condition)>> {
    let result = primal.result?;
    let is_lent = |param: &Var| matches!(primal.vars[*param].binding, Binding::Exclusive);
    if primal.dependents != [result]
        || !is_number(&primal.vars[result].ty)
        || primal.params.iter().any(is_lent)
    {
        return None;
    }
    let mut incremented = BitSet::new();
    each_stmt(&adjoint.backward.block, &mut |stmt| {
        incremented.extend(written_by(&adjoint.backward, stmt));
    });
    let mut bars = Vec::new();
    for slot in &adjoint.bars {
        let Some(bar) = slot.bar else { continue };
        let row = primal.independents.iter().position(|independent| *independent == slot.param)?;
        // A partial is a number of one type.
        if primal.vars[slot.param].ty != primal.vars[result].ty {
            return None;
        }
        let mut when = Condition::never(primal.pairs());
        when.pairs.insert(row);
        if incremented.contains(bar) {
            bars.push((slot.param, bar, when));
        }
    }
    Some(bars)
}

fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Float(FloatKind::F64 | FloatKind::F32 | FloatKind::Generic(_)))
}

/// How many words a forward sweep hands over or pushes; nothing, if it is not known, as of loops.
fn words(forward: &Body) -> Option<usize> {
    let are_words = forward.kept_vars().all(|var| is_word(&forward.vars[var].ty));
    let mut is_known = are_words && kept_by_calls(forward).is_empty();
    let mut pushed = 0;
    each_stmt(&forward.block, &mut |stmt| {
        pushed += usize::from(is_push(stmt));
        if let StmtKind::Loop(inner) = &stmt.kind {
            each_stmt(&inner.body, &mut |inner| is_known &= !is_push(inner));
        }
    });
    is_known.then_some(forward.kept.len() + pushed)
}

fn is_push(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Push { .. })
}

fn is_word(ty: &Type) -> bool {
    matches!(ty, Type::Float(_) | Type::Int(_) | Type::Bool)
}

/// Whether the backward sweep may run at the end of the forward sweep: it finds the parameters as they were passed, leaves the result as it is,
/// and is made of what is seen.
fn may_follow(primal: &Body, adjoint: &Adjoint) -> bool {
    let Adjoint { forward, backward, .. } = adjoint;
    let are_read = primal.params.iter().all(|&param| match primal.vars[param].binding {
        Binding::Shared => true,
        Binding::Value => primal.vars[param].ty.is_copy(),
        Binding::Exclusive | Binding::Global(_) | Binding::View(_) => false,
    });
    let mut may_follow = are_read && forward.vars.len() == primal.vars.len();
    each_stmt(&forward.block, &mut |stmt| {
        may_follow &= !written_by(forward, stmt).iter().any(|var| primal.params.contains(var));
    });
    each_stmt(&backward.block, &mut |stmt| {
        may_follow &= is_seen(backward, stmt);
        may_follow &= !written_by(backward, stmt).iter().any(|&var| primal.result == Some(var));
        each_expr(stmt, &mut |expr| may_follow &= !matches!(expr.kind, ExprKind::Opaque(_)));
    });
    may_follow
}

/// Whether a statement of a backward sweep has variables of types that are seen, and runs only what is seen. The backward sweep of a callee may
/// be dear, and may panic, as that of a fixed point which does not converge: it runs only if a seed asks for it.
fn is_seen(backward: &Body, stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Opaque(_) | StmtKind::Exit { .. } | StmtKind::Call(_) => false,
        StmtKind::Pop { place, declares: true } => backward.vars[place.root].ty.is_seen(),
        StmtKind::Let { var, .. } => backward.vars[*var].ty.is_seen(),
        StmtKind::Assign { .. }
        | StmtKind::Increment { .. }
        | StmtKind::Reset { .. }
        | StmtKind::Resize(_)
        | StmtKind::Swap { .. }
        | StmtKind::Bind { .. }
        | StmtKind::If { .. }
        | StmtKind::Loop(_)
        | StmtKind::Block { .. }
        | StmtKind::Push { .. }
        | StmtKind::Pop { .. } => true,
    }
}

/// Whether there may be a partial that is infinite: a seed of 0 adds nothing then, as where a backward sweep with a loop is left for it.
fn has_tests_of_bars(backward: &Body) -> bool {
    fn is_test(expr: &Expr) -> bool {
        let ExprKind::Op(op, args) = &expr.kind else { return false };
        let is_own = *op == Op::Strong || *op == Op::Select && is_test_of_zero(&args[0]);
        is_own || args.iter().any(is_test)
    }
    fn is_test_of_zero(test: &Expr) -> bool {
        let ExprKind::Op(Op::Binary(BinaryOp::Eq), sides) = &test.kind else { return false };
        sides[1].as_float() == Some(0.0)
    }
    let mut found = false;
    each_stmt(&backward.block, &mut |stmt| {
        found |= matches!(stmt.kind, StmtKind::Loop(_));
        each_expr(stmt, &mut |expr| found |= is_test(expr));
    });
    found
}

/// Appends the backward sweep to the forward sweep, with the seed 1 and partials in the places of the bars. The variables of both are the
/// same then.
fn follow(forward: &mut Body, backward: &mut Body, seed: Var, active: &[Active]) {
    let declared = declared_within(&forward.block);
    let mut stmts = backward.block.stmts.clone();
    rename_declared(backward, &mut stmts, &declared);
    let one = Expr::literal("1.0", backward.vars[seed].ty.clone());
    let mut new: HashMap<Var, Var> =
        active.iter().map(|active| (active.bar, active.partial)).collect();
    let mut declared_one = None;
    match stmts.iter().any(|stmt| may_be_written(backward, stmt, seed)) {
        true => {
            let var = backward.local("seed", one.ty.clone(), Span::call_site());
            new.insert(seed, var);
            declared_one = Some((var, one));
        }
        false => {
            let is_seed = |expr: &Expr| expr.as_var() == Some(seed);
            stmts.iter_mut().for_each(|stmt| put_in_place(stmt, &is_seed, &one));
        }
    }
    for stmt in &mut stmts {
        replace(backward, stmt, &new);
    }
    let own = std::mem::replace(&mut forward.vars, backward.vars.clone());
    for (var, variable) in own.enumerated() {
        forward.vars[var] = variable.clone();
    }
    forward.names = backward.names.clone();
    let declare = |forward: &mut Body, var: Var, value: Expr| {
        forward.stmt(StmtKind::Let { var, value: Some(value) }, Span::call_site())
    };
    let zeros = active.iter().map(|active| {
        let zero = Expr::zero(forward.vars[active.partial].ty.clone());
        declare(forward, active.partial, zero)
    });
    let mut all: Vec<Stmt> = zeros.collect();
    all.extend(declared_one.map(|(var, one)| declare(forward, var, one)));
    for mut stmt in stmts {
        renumber(forward, &mut stmt);
        all.push(stmt);
    }
    forward.block.stmts.extend(all);
}

/// Whether a statement, or one in it, writes a variable.
fn may_be_written(body: &Body, stmt: &Stmt, var: Var) -> bool {
    let mut found = false;
    let mut visit = |stmt: &Stmt| found |= written_by(body, stmt).contains(&var);
    visit(stmt);
    each_block(stmt, &mut |block| each_stmt(block, &mut visit));
    found
}

/// Puts a value in the places of others, in a statement and in those in it.
fn put_in_place(stmt: &mut Stmt, is_meant: &dyn Fn(&Expr) -> bool, value: &Expr) {
    fn in_expr(expr: &mut Expr, is_meant: &dyn Fn(&Expr) -> bool, value: &Expr) {
        if is_meant(expr) {
            *expr = value.clone();
        } else if let ExprKind::Op(_, args) = &mut expr.kind {
            args.iter_mut().for_each(|arg| in_expr(arg, is_meant, value));
        }
    }
    each_expr_mut(stmt, &mut |expr| in_expr(expr, is_meant, value));
    each_block_mut(stmt, &mut |block| {
        block.stmts.iter_mut().for_each(|stmt| put_in_place(stmt, is_meant, value));
    });
}

/// `bar += seed * partial`, under the condition that the bar is there.
fn increment(
    body: &mut Body,
    bar: Var,
    seed: &Expr,
    partial: Var,
    when: Condition,
    is_strong: bool,
) -> Stmt {
    let product = Expr::weighted(seed, &body.load(partial));
    let value = if is_strong { Expr::strongly(seed, product) } else { product };
    let stmt = body.stmt(StmtKind::Increment { place: Place::var(bar), value }, Span::call_site());
    if when.is_always() {
        return stmt;
    }
    let (then, otherwise) = (body.new_block(vec![stmt]), body.new_block(Vec::new()));
    let test = Expr::guard(Guard::both(when));
    body.stmt(StmtKind::If { test, then, otherwise }, Span::call_site())
}
