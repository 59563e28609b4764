//! Backward loops whose iterations may run in any order run forwards.
//!
//! The adjoint of `for k in 0..n` runs from the last iteration to the first. Where no iteration looks at
//! what another has written, the natural order does as well, which compilers vectorise and memory
//! likes better (L. Hascoët, S. Fidanova, C. Held, "Adjoining independent computations", 2002).

use super::accesses::{Access, Accesses, Kind};
use crate::index::Var;
use crate::ir::{
    Adaptor, Block, Body, ExprKind, Loop, LoopKind, Projection, StmtKind, each_block_mut,
};

/// Turns the loops round whose iterations are independent. Sums are added up in the other order.
pub fn straighten(sweep: &mut Body) {
    let mut block = sweep.block.clone();
    straighten_block(sweep, &mut block);
    sweep.block = block;
}

fn straighten_block(body: &Body, block: &mut Block) {
    for stmt in &mut block.stmts {
        each_block_mut(stmt, &mut |inner| straighten_block(body, inner));
        if let StmtKind::Loop(Loop { kind: LoopKind::Counted { var, range }, body: inner, .. }) =
            &mut stmt.kind
            && matches!(range.adaptors.last(), Some(Adaptor::Rev))
            && Accesses::of(body, &inner.stmts).is_some_and(|inner| is_independent(*var, &inner))
        {
            range.adaptors.pop();
        }
    }
}

/// Whether no iteration of a loop accesses what another writes: what is written is local to the
/// iteration, or an element of its own, or a sum that nothing reads.
fn is_independent(counter: Var, accesses: &Accesses) -> bool {
    written(accesses).all(|root| {
        let is_sum =
            of_root(accesses, root).all(|access| matches!(access.kind, Kind::Add | Kind::Shape));
        is_sum || is_own(counter, accesses, root)
    })
}

/// Whether all that a loop writes is local to an iteration or an element of its own, so that its
/// iterations may run in any order with the same bits.
pub(super) fn is_elementwise(counter: Var, accesses: &Accesses) -> bool {
    written(accesses).all(|root| is_own(counter, accesses, root))
}

fn written(accesses: &Accesses) -> impl Iterator<Item = Var> {
    accesses.outer().filter(|access| access.kind.changes()).map(|access| access.place.root)
}

fn of_root(accesses: &Accesses, root: Var) -> impl Iterator<Item = &Access> {
    accesses.outer().filter(move |access| access.place.root == root)
}

fn is_own(counter: Var, accesses: &Accesses, root: Var) -> bool {
    of_root(accesses, root).all(|access| is_own_element(counter, access))
}

/// Whether an access is to the element that belongs to the iteration: `list[k]`.
fn is_own_element(counter: Var, access: &Access) -> bool {
    let index = access.place.projections.iter().find_map(|step| match step {
        Projection::Field(_) | Projection::Boxed => None,
        Projection::Index(index) => Some(matches!(&index.kind, ExprKind::Load(_)).then_some(index)),
        Projection::Slice { .. } | Projection::Got { .. } => Some(None),
    });
    access.kind == Kind::Shape
        || index.flatten().is_some_and(|index| index.as_var() == Some(counter))
}
