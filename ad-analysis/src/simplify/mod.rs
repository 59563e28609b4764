//! Simplifies a sweep: what the rules of differentiation leave behind when they are applied one by
//! one. Nothing here decides what is computed, only how it is said; the order of additions to a bar
//! stays, so that simplified and other sweeps agree to the last bit (the sign of a zero apart).

mod bars;
mod declarations;
mod expr;
mod guards;
mod shapes;

use crate::index::Var;
use crate::ir::{
    Binding, Block, Body, Call, Expr, ExprKind, LoopKind, Place, Resize, Stmt, StmtKind, Sweep,
    each_block_mut, each_expr, each_expr_mut, each_place, each_stmt, each_stmt_mut, place_mentions,
};

/// Simplifies a sweep.
pub fn simplify(body: &mut Body) {
    each_stmt_mut(&mut body.block, &mut |stmt| each_expr_mut(stmt, &mut expr::fold));
    let mut block = body.block.clone();
    guards::unwrap_nested(&mut block, &mut Vec::new());
    simplify_block(body, &mut block);
    bars::drop_last_resets(body, &mut block);
    body.block = block;
}

fn simplify_block(body: &Body, block: &mut Block) {
    for stmt in &mut block.stmts {
        each_block_mut(stmt, &mut |inner| simplify_block(body, inner));
    }
    guards::merge(block);
    declarations::delay(body, block);
    bars::fuse_resets(body, block);
    bars::fuse_increments(body, block);
    bars::drop_self_assignments(block);
    shapes::take_after_loops(body, block);
}

/// How often a statement, with what is nested in it, mentions a variable.
fn mentions(body: &Body, stmt: &Stmt, var: Var) -> usize {
    let mut count = own_mentions(body, stmt, var);
    crate::ir::each_block(stmt, &mut |block| {
        each_stmt(block, &mut |inner| count += own_mentions(body, inner, var));
    });
    count
}

/// How often a statement itself mentions a variable.
pub fn own_mentions(body: &Body, stmt: &Stmt, var: Var) -> usize {
    let mut count = 0;
    each_place(stmt, &mut |place| count += usize::from(is_rooted(body, place, var)));
    let mut verbatim = |opaque: &crate::ir::Opaque| {
        let lists = [&opaque.reads, &opaque.writes, &opaque.declares];
        count += lists.into_iter().flatten().filter(|&&other| other == var).count();
    };
    each_expr(stmt, &mut |expr| each_opaque(expr, &mut verbatim));
    let declared = |other: &Option<Var>| usize::from(*other == Some(var));
    count += match &stmt.kind {
        StmtKind::Let { var: declared, value: _ } => usize::from(*declared == var),
        StmtKind::Bind { view } => match &body.vars[*view].binding {
            Binding::View(target) => {
                let through = target.through.is_some_and(|through| through.view == var);
                usize::from(through || place_mentions(&target.place, var))
            }
            Binding::Value | Binding::Shared | Binding::Exclusive | Binding::Global(_) => 0,
        },
        StmtKind::Call(Call { result, kept, failure, sweep, .. }) => {
            let tangent = match sweep {
                Sweep::Tangent { result, .. } => declared(result),
                Sweep::Primal | Sweep::Forward { .. } | Sweep::Backward { .. } => 0,
            };
            declared(result) + declared(kept) + declared(failure) + tangent
        }
        StmtKind::Opaque(opaque) => {
            let lists = [&opaque.reads, &opaque.writes, &opaque.declares];
            lists.into_iter().flatten().filter(|&&other| other == var).count()
        }
        StmtKind::Loop(inner) => {
            let counter = match &inner.kind {
                LoopKind::Counted { var: counter, range: _ } => usize::from(*counter == var),
                LoopKind::While { .. } | LoopKind::Forever => 0,
            };
            counter + declared(&inner.trips) + declared(&inner.target.exit)
        }
        StmtKind::Block { target, body: _ } => {
            target.as_ref().map_or(0, |target| declared(&target.exit))
        }
        StmtKind::Resize(Resize { list: _, change: _, len }) => declared(len),
        StmtKind::Assign { .. }
        | StmtKind::Increment { .. }
        | StmtKind::Reset { .. }
        | StmtKind::Swap { .. }
        | StmtKind::If { .. }
        | StmtKind::Exit { .. }
        | StmtKind::Push { .. }
        | StmtKind::Pop { .. } => 0,
    };
    count
}

/// Whether a place is part of a variable, also by way of a reference.
fn is_rooted(body: &Body, place: &Place, var: Var) -> bool {
    place.root == var || body.root_of(place) == var
}

fn each_opaque(expr: &Expr, visit: &mut dyn FnMut(&crate::ir::Opaque)) {
    match &expr.kind {
        ExprKind::Opaque(opaque) => visit(opaque),
        ExprKind::Op(_, args) => args.iter().for_each(|arg| each_opaque(arg, visit)),
        ExprKind::Literal(_) | ExprKind::Load(_) | ExprKind::Guard(_) => {}
    }
}

/// How often an expression reads a variable.
fn reads(body: &Body, expr: &Expr, var: Var) -> usize {
    let mut count = 0;
    crate::ir::places_in(expr, &mut |place| count += usize::from(is_rooted(body, place, var)));
    each_opaque(expr, &mut |opaque| {
        count += opaque.reads.iter().filter(|&&other| other == var).count();
    });
    count
}
