//! Loops whose iterations do not depend on each other, in the sweeps: they run forwards, and where the
//! value of a function is wanted together with its derivative, the last loop of the forward sweep and
//! the first of the backward sweep become one.
//!
//! ```text
//! for k in 0..n { s += f(x[k]); }                      let s_b = ret_b;
//! ret = s;                                 becomes     for k in 0..n { s += f(x[k]); x_b[k] += s_b * f'(x[k]); }
//! let s_b = ret_b;                                     ret = s;
//! for k in 0..n { x_b[k] += s_b * f'(x[k]); }
//! ```

mod accesses;
mod pairs;
mod panics;
mod partials;
mod rename;
mod straighten;

pub use partials::keep_partials;
pub use straighten::straighten;

use crate::diff::Adjoint;
use crate::index::{BitSet, Var};
use crate::ir::{
    Adaptor, Binding, Body, Expr, ExprKind, Guard, LoopKind, Stmt, StmtKind, each_block,
    each_block_mut, each_expr_mut, each_stmt, places_in, written_by,
};
use crate::simplify::simplify;
use crate::types::Type;
use accesses::Accesses;
use pairs::without_stack;
use panics::Calm;
use rename::{rename_declared, renumber, replace};
use std::collections::HashMap;
use straighten::is_elementwise;

/// Both sweeps in one body, for the instance in which everything is active and the value is wanted, if
/// that spares a loop. Its parameters are those of the primal, each followed by its bar, and the seed.
///
/// Bars are written before the primal is complete. So what comes after the first write must not panic:
/// a function that does leaves its bars as they are.
pub fn single_pass(primal: &Body, adjoint: &Adjoint) -> Option<Body> {
    if !is_simple(primal, adjoint) {
        return None;
    }
    let mut body = joined_header(primal, adjoint);
    let mut forward = simplified(&body, active(&adjoint.forward.block.stmts));
    let backward = active(&adjoint.backward.block.stmts);
    let mut backward = without_values_of(&mut body, &forward, backward);
    let last = forward.iter().rposition(is_loop)?;
    let first = backward.iter().position(is_loop)?;
    let (counter, handed) = align(&mut body, &mut forward[last], &mut backward[first])?;
    let mut declared = Accesses::of(&body, &forward)?.declared;
    declared.remove(counter);
    rename_declared(&mut body, &mut backward, &declared);
    let after = forward.split_off(last + 1);
    let value_loop = forward.pop()?;
    let rest = backward.split_off(first + 1);
    let bar_loop = backward.pop()?;
    let parts = Parts { before: &forward, value_loop: &value_loop, after: &after, handed };
    if !parts.may_follow(&body, &backward, &bar_loop)? {
        return None;
    }
    let fused = fused(&mut body, value_loop, bar_loop);
    body.block.stmts = [forward, backward, vec![fused], after, rest].concat();
    let mut stmts = std::mem::take(&mut body.block.stmts);
    stmts.iter_mut().for_each(|stmt| renumber(&mut body, stmt));
    body.block.stmts = stmts;
    simplify(&mut body);
    Some(body)
}

/// The forward sweep around its last loop.
struct Parts<'a> {
    before: &'a [Stmt],
    value_loop: &'a Stmt,
    after: &'a [Stmt],
    /// What an iteration hands to its adjoint.
    handed: BitSet<Var>,
}

impl Parts<'_> {
    /// Whether the first loop of the backward sweep, with what comes before it, may run along with the
    /// last loop of the forward sweep.
    fn may_follow(&self, body: &Body, prelude: &[Stmt], bar_loop: &Stmt) -> Option<bool> {
        let tail: Vec<Stmt> = std::iter::once(self.value_loop).chain(self.after).cloned().collect();
        let moved: Vec<Stmt> = prelude.iter().chain([bar_loop]).cloned().collect();
        let (tail_accesses, mut moved) = (Accesses::of(body, &tail)?, Accesses::of(body, &moved)?);
        moved.list.retain(|access| !self.handed.contains(access.place.root));
        if !tail_accesses.commute_with(&moved) {
            return Some(false);
        }
        let before = Accesses::of(body, self.before)?;
        let is_final = |var: Var| {
            let later = before.list.iter().chain(&tail_accesses.list);
            later.filter(|access| access.place.root == var && access.kind.changes()).count() == 1
        };
        let mut calm = Calm::after(body, self.before, is_final);
        Some(calm.are_calm(&tail))
    }
}

/// Whether the sweeps are of a kind that can be joined: all they share lies in variables that are
/// copied and in what the caller lends.
fn is_simple(primal: &Body, adjoint: &Adjoint) -> bool {
    let params = primal.params.iter().map(|&var| &primal.vars[var]);
    let are_read_only = params.clone().all(|variable| match variable.binding {
        Binding::Shared => true,
        Binding::Value => variable.ty.is_copy(),
        Binding::Exclusive | Binding::Global(_) | Binding::View(_) => false,
    });
    let has_no_more = adjoint.forward.vars.len() == primal.vars.len();
    let kept_are_copied = adjoint.forward.kept_vars().all(|var| primal.vars[var].ty.is_copy());
    let result = primal.result.map(|var| &primal.vars[var].ty);
    are_read_only && has_no_more && kept_are_copied && result.is_some_and(Type::is_float)
}

/// The variables and parameters of both sweeps.
fn joined_header(primal: &Body, adjoint: &Adjoint) -> Body {
    let mut body = adjoint.backward.clone();
    for (var, variable) in adjoint.forward.vars.enumerated() {
        body.vars[var] = variable.clone();
    }
    body.params.clear();
    for slot in &adjoint.bars {
        body.params.push(slot.param);
        body.params.extend(slot.bar);
    }
    body.params.extend(adjoint.seed);
    body.result = primal.result;
    body.kept.clear();
    body
}

/// The statements with all conditions on the instance decided: everything is active.
fn active(stmts: &[Stmt]) -> Vec<Stmt> {
    let mut active = Vec::new();
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::If { test: Expr { kind: ExprKind::Guard(guard), .. }, then, otherwise } => {
                let taken = if holds(guard) { then } else { otherwise };
                active.extend(self::active(&taken.stmts));
            }
            _ => active.push(stmt.clone()),
        }
    }
    for stmt in &mut active {
        each_block_mut(stmt, &mut |inner| inner.stmts = self::active(&inner.stmts));
        each_expr_mut(stmt, &mut decide);
    }
    active
}

/// The statements with declarations where the first value is: it was under a condition on the instance.
fn simplified(body: &Body, stmts: Vec<Stmt>) -> Vec<Stmt> {
    let mut sweep = body.clone();
    sweep.block.stmts = stmts;
    simplify(&mut sweep);
    sweep.block.stmts
}

fn holds(guard: &Guard) -> bool {
    !guard.primal.is_never()
}

fn decide(expr: &mut Expr) {
    match &mut expr.kind {
        ExprKind::Guard(guard) => {
            *expr = Expr::literal(if holds(guard) { "true" } else { "false" }, Type::Bool);
        }
        ExprKind::Op(_, args) => args.iter_mut().for_each(decide),
        ExprKind::Literal(_) | ExprKind::Load(_) | ExprKind::Opaque(_) => {}
    }
}

fn is_loop(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Loop(_))
}

/// Makes a loop and its adjoint fit to run together: over the same range in the same order, without the
/// stack. Yields their counter, and what an iteration hands to its adjoint.
fn align(body: &mut Body, values: &mut Stmt, bars: &mut Stmt) -> Option<(Var, BitSet<Var>)> {
    let (StmtKind::Loop(values), StmtKind::Loop(bars)) = (&mut values.kind, &mut bars.kind) else {
        return None;
    };
    let handed = without_stack(body, values, bars)?;
    let (LoopKind::Counted { var, range }, LoopKind::Counted { var: counter, range: other }) =
        (&values.kind, &mut bars.kind)
    else {
        return None;
    };
    if matches!(other.adaptors.as_slice(), [Adaptor::Rev]) {
        // Sums keep the order that they have where the stack is used.
        let accesses = Accesses::of(body, &bars.body.stmts)?;
        is_elementwise(*counter, &accesses).then(|| other.adaptors.clear())?;
    }
    let is_same = var == counter
        && range.start == other.start
        && range.end == other.end
        && range.inclusive == other.inclusive
        && range.adaptors.is_empty()
        && other.adaptors.is_empty();
    is_same.then_some((*var, handed))
}

/// One loop instead of two over the same range.
fn fused(body: &mut Body, value_loop: Stmt, bar_loop: Stmt) -> Stmt {
    let (StmtKind::Loop(mut values), StmtKind::Loop(bars)) = (value_loop.kind, bar_loop.kind)
    else {
        unreachable!("loops are fused");
    };
    let again = without_repeated(body, &values.body.stmts, bars.body.stmts);
    values.body.stmts.extend(again);
    Stmt { kind: StmtKind::Loop(values), ..value_loop }
}

/// The statements of an iteration of the backward loop, without those that repeat definitions of the
/// forward loop.
fn without_repeated(body: &mut Body, values: &[Stmt], bars: Vec<Stmt>) -> Vec<Stmt> {
    let mut new = HashMap::new();
    let all: Vec<Stmt> = values.iter().chain(&bars).cloned().collect();
    let written = Accesses::of(body, &all).map_or_else(Vec::new, |accesses| accesses.list);
    let is_final = |var: Var| {
        let writes = written.iter().filter(|write| write.place.root == var && write.kind.changes());
        writes.count() <= 1
    };
    let mut kept = Vec::new();
    for mut stmt in bars {
        replace(body, &mut stmt, &new);
        if let StmtKind::Let { var, value: Some(value) } = &stmt.kind
            && let Some(same) = values.iter().find_map(|other| defined_as(other, value))
            && [*var, same].into_iter().all(is_final)
            && reads_only(body, value, &is_final)
        {
            new.insert(*var, same);
        } else {
            kept.push(stmt);
        }
    }
    kept
}

/// The statements of the backward sweep, without those that repeat what the forward sweep has in a variable at its end.
fn without_values_of(body: &mut Body, forward: &[Stmt], backward: Vec<Stmt>) -> Vec<Stmt> {
    let mut written = BitSet::new();
    for outer in forward.iter().chain(&backward) {
        let mut write = |stmt: &Stmt| written.extend(written_by(body, stmt));
        write(outer);
        each_block(outer, &mut |block| each_stmt(block, &mut write));
    }
    let is_final = |var: Var| !written.contains(var);
    let (mut new, mut kept) = (HashMap::new(), Vec::new());
    for mut stmt in backward {
        replace(body, &mut stmt, &new);
        if let StmtKind::Let { var, value: Some(value) } = &stmt.kind
            && let Some(same) = forward.iter().find_map(|other| defined_as(other, value))
            && [*var, same].into_iter().all(is_final)
            && reads_only(body, value, &is_final)
        {
            new.insert(*var, same);
        } else {
            kept.push(stmt);
        }
    }
    kept
}

/// The variable that a statement defines, if its value is this.
fn defined_as(stmt: &Stmt, value: &Expr) -> Option<Var> {
    match &stmt.kind {
        StmtKind::Let { var, value: Some(own) } if own == value && own.ty == value.ty => Some(*var),
        _ => None,
    }
}

fn reads_only(body: &Body, value: &Expr, is_allowed: &dyn Fn(Var) -> bool) -> bool {
    let mut all = true;
    places_in(value, &mut |place| all &= is_allowed(body.root_of(place)));
    all
}
