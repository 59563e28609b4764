//! Frames: loops whose iterations push, or pop, the same words and bits, and do nothing else with the stack.

use super::syntax::*;
use super::values::{Expr, ExprKind, Place};
use super::visit::{each_expr, each_stmt};
use super::{Body, exits_of_block};
use crate::index::{BitSet, StmtId, Var};
use crate::types::{FloatKind, IntKind, Type};

/// What all iterations of a loop push, or pop, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'b> {
    /// What is done with it.
    pub transfer: Framed,
    /// The condition on the instance under which they do.
    pub when: Option<&'b Expr>,
}

/// What is done with the words and bits of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Framed {
    /// Every iteration of a loop over `a..b` pushes them.
    Pushed,
    /// Every iteration of a loop over `(a..b).rev()` pops them.
    Popped,
}

/// Whether all iterations of a loop push the same words and bits, or pop them, one after the other, in all instances or in some: as many as
/// there are statements that do, in the block of the iteration itself. Then room for those of all iterations is asked for once.
pub fn framed<'b>(body: &Body, inner: &'b Loop) -> Option<Frame<'b>> {
    let LoopKind::Counted { var, range } = &inner.kind else { return None };
    let transfer = match range.adaptors.as_slice() {
        [] => Framed::Pushed,
        [Adaptor::Rev] => Framed::Popped,
        _ => return None,
    };
    if !is_counted(body, *var, range, inner) {
        return None;
    }
    let mut own = inner.body.stmts.iter().flat_map(transfers_of).peekable();
    let &(when, _) = own.peek()?;
    let (mut is_framed, mut count) = (true, 0);
    for (own_when, stmt) in own {
        is_framed &= own_when == when && is_in_frame(body, stmt, transfer);
        count += 1;
    }
    let mut transfers = 0;
    each_stmt(&inner.body, &mut |stmt| {
        transfers += usize::from(is_transfer(stmt));
        is_framed &= leaves_stack_alone(stmt);
    });
    (is_framed && count == transfers).then_some(Frame { transfer, when })
}

/// What a statement of an iteration pushes or pops whenever it is come to, with the condition on the instance.
pub fn transfers_of(stmt: &Stmt) -> Vec<(Option<&Expr>, &Stmt)> {
    if let StmtKind::If { test, then, otherwise } = &stmt.kind
        && matches!(test.kind, ExprKind::Guard(_))
        && otherwise.stmts.is_empty()
    {
        let own = then.stmts.iter().filter(|stmt| is_transfer(stmt));
        return own.map(|stmt| (Some(test), stmt)).collect();
    }
    is_transfer(stmt).then_some((None, stmt)).into_iter().collect()
}

fn is_transfer(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Push { .. } | StmtKind::Pop { .. })
}

/// Whether a loop is over `a..b`, in whatever order, and is left at its end only.
fn is_counted(body: &Body, var: Var, range: &Range, inner: &Loop) -> bool {
    let is_plain = body.vars[var].ty == Type::USIZE && !range.inclusive && inner.trips.is_none();
    is_plain && exits_of_block(&inner.body).is_empty()
}

/// The statements of a primal in iterations that store in frames, whatever is needed.
pub fn stmts_of_frames(body: &Body) -> BitSet<StmtId> {
    let mut framed = BitSet::new();
    each_stmt(&body.block, &mut |stmt| {
        if let StmtKind::Loop(inner) = &stmt.kind
            && may_be_framed(body, inner)
        {
            framed.extend(inner.body.stmts.iter().map(|stmt| stmt.id));
        }
    });
    framed
}

/// Whether all iterations of a loop of a primal store the same numbers and truth values, whatever is needed, so that these become a
/// [frame](framed).
fn may_be_framed(body: &Body, inner: &Loop) -> bool {
    let LoopKind::Counted { var, range } = &inner.kind else { return false };
    let mut is_plain = is_counted(body, *var, range, inner) && range.adaptors.is_empty();
    each_stmt(&inner.body, &mut |stmt| {
        is_plain &= leaves_stack_alone(stmt) && !may_store_more(stmt);
    });
    is_plain
}

/// Whether what a statement stores may be more than a few numbers, or may be stored in some iterations only.
fn may_store_more(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::If { .. } | StmtKind::Loop(_) | StmtKind::Call(_) => true,
        StmtKind::Let { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Increment { .. }
        | StmtKind::Reset { .. }
        | StmtKind::Resize(_)
        | StmtKind::Swap { .. }
        | StmtKind::Bind { .. }
        | StmtKind::Opaque(_)
        | StmtKind::Block { .. }
        | StmtKind::Exit { .. }
        | StmtKind::Push { .. }
        | StmtKind::Pop { .. } => false,
    }
}

/// Whether a statement pushes a word or a bit, or pops one.
fn is_in_frame(body: &Body, stmt: &Stmt, framed: Framed) -> bool {
    let place = match framed {
        Framed::Pushed => {
            let StmtKind::Push { place, transfer: _ } = &stmt.kind else { return false };
            place
        }
        Framed::Popped => {
            let StmtKind::Pop { place, declares: _ } = &stmt.kind else { return false };
            place
        }
    };
    let ty = body.place_type(place);
    (takes_a_word(&ty) || ty == Type::Bool) && !is_assumed(body, place)
}

/// Whether the type of a variable is only what the macro takes it for.
pub(super) fn is_assumed(body: &Body, place: &Place) -> bool {
    place.is_whole() && body.vars[place.root].assumed
}

/// Whether all values of a type take one word.
pub(super) fn takes_a_word(ty: &Type) -> bool {
    match ty {
        Type::Float(kind) => match kind {
            FloatKind::F64 | FloatKind::F32 | FloatKind::Generic(_) => true,
            FloatKind::Open(_) | FloatKind::Directions(_) => false,
        },
        Type::Int(IntKind::Named(name)) => !matches!(*name, "u128" | "i128"),
        Type::Int(_)
        | Type::Bool
        | Type::Array(..)
        | Type::Slice(_)
        | Type::Vec(_)
        | Type::Tuple(_)
        | Type::Named(_)
        | Type::Unknown
        | Type::Infer(_) => false,
    }
}

/// Whether a statement does nothing with the stack, but for pushing or popping a value: no sweep of a callee runs, and nothing fails
/// and rewinds it.
pub fn leaves_stack_alone(stmt: &Stmt) -> bool {
    let mut fails = false;
    each_expr(stmt, &mut |expr| fails |= may_fail(expr));
    !fails
        && match &stmt.kind {
            StmtKind::Call(call) => {
                matches!(call.sweep, Sweep::Primal)
                    && call.carrier.is_none()
                    && call.failure.is_none()
            }
            StmtKind::Opaque(opaque) => opaque.ending != Ending::Fails,
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Resize(_)
            | StmtKind::Swap { .. }
            | StmtKind::Bind { .. }
            | StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block { .. }
            | StmtKind::Exit { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => true,
        }
}

fn may_fail(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Opaque(opaque) => opaque.ending == Ending::Fails,
        ExprKind::Op(_, args) => args.iter().any(may_fail),
        ExprKind::Literal(_) | ExprKind::Load(_) | ExprKind::Guard(_) => false,
    }
}
