//! Other variables for what some statements declare.

use crate::index::{BitSet, Var};
use crate::ir::{
    Binding, Body, Call, Expr, Loop, LoopKind, Place, Stmt, StmtKind, Sweep, Through, Variable,
    View, each_block_mut, each_place_mut, places_in_mut,
};
use crate::types::Type;
use proc_macro2::Span;
use std::collections::HashMap;
use std::rc::Rc;

/// Gives the variables that statements declare new numbers and names, where they are among `taken`.
pub(super) fn rename_declared(body: &mut Body, stmts: &mut [Stmt], taken: &BitSet<Var>) {
    let mut new = HashMap::new();
    for stmt in stmts {
        rename_stmt(body, stmt, taken, &mut new);
    }
}

/// Puts other variables in place of some that are declared elsewhere.
pub(super) fn replace(body: &mut Body, stmt: &mut Stmt, new: &HashMap<Var, Var>) {
    each_place_mut(stmt, &mut |place| rename_place(place, new));
    if let StmtKind::Bind { view } = stmt.kind {
        body.vars[view].binding = renamed_binding(&body.vars[view].binding, new);
    }
    each_block_mut(stmt, &mut |inner| {
        for stmt in &mut inner.stmts {
            replace(body, stmt, new);
        }
    });
}

/// Gives a statement of sweeps without exits, and those in it, numbers of their own.
pub(super) fn renumber(body: &mut Body, stmt: &mut Stmt) {
    stmt.id = body.numbering.stmt();
    if let StmtKind::Loop(Loop { target, .. }) | StmtKind::Block { target: Some(target), .. } =
        &mut stmt.kind
    {
        target.label = body.numbering.label();
    }
    each_block_mut(stmt, &mut |inner| {
        inner.scope = body.numbering.scope();
        inner.stmts.iter_mut().for_each(|stmt| renumber(body, stmt));
    });
}

fn rename_stmt(body: &mut Body, stmt: &mut Stmt, taken: &BitSet<Var>, new: &mut HashMap<Var, Var>) {
    let declare = |body: &mut Body, var: &mut Var, new: &mut HashMap<Var, Var>| {
        if taken.contains(*var) {
            let renamed = copy_of(body, *var, new);
            new.insert(*var, renamed);
            *var = renamed;
        }
    };
    each_place_mut(stmt, &mut |place| rename_place(place, new));
    match &mut stmt.kind {
        StmtKind::Let { var, value: _ } => declare(body, var, new),
        StmtKind::Bind { view } => declare(body, view, new),
        StmtKind::Loop(Loop { kind: LoopKind::Counted { var, range: _ }, .. }) => {
            declare(body, var, new);
        }
        StmtKind::Pop { place, declares: true } => declare(body, &mut place.root, new),
        // What the forward sweep of a callee has kept.
        StmtKind::Call(Call { kept: Some(kept), sweep: Sweep::Backward { .. }, .. }) => {
            *kept = new.get(kept).copied().unwrap_or(*kept);
        }
        StmtKind::Loop(_)
        | StmtKind::Assign { .. }
        | StmtKind::Increment { .. }
        | StmtKind::Reset { .. }
        | StmtKind::Resize(_)
        | StmtKind::Swap { .. }
        | StmtKind::Call(_)
        | StmtKind::Opaque(_)
        | StmtKind::If { .. }
        | StmtKind::Block { .. }
        | StmtKind::Exit { .. }
        | StmtKind::Push { .. }
        | StmtKind::Pop { .. } => {}
    }
    each_block_mut(stmt, &mut |inner| {
        for stmt in &mut inner.stmts {
            rename_stmt(body, stmt, taken, new);
        }
    });
}

fn copy_of(body: &mut Body, var: Var, new: &HashMap<Var, Var>) -> Var {
    let mut variable: Variable = body.vars[var].clone();
    variable.name = body.names.fresh(&variable.name);
    variable.binding = renamed_binding(&variable.binding, new);
    body.vars.push(variable)
}

fn renamed_binding(binding: &Binding, new: &HashMap<Var, Var>) -> Binding {
    match binding {
        Binding::View(view) => {
            let mut place = view.place.clone();
            rename_within(&mut place, new);
            let through = view.through.map(|through| {
                let view = new.get(&through.view).copied().unwrap_or(through.view);
                Through { view, ..through }
            });
            Binding::View(Rc::new(View { place, mutable: view.mutable, through }))
        }
        Binding::Value | Binding::Shared | Binding::Exclusive | Binding::Global(_) => {
            binding.clone()
        }
    }
}

/// A place with its indices.
fn rename_within(place: &mut Place, new: &HashMap<Var, Var>) {
    let mut load = Expr::load(place.clone(), Type::Unknown, Span::call_site());
    places_in_mut(&mut load, &mut |place| rename_place(place, new));
    if let Some(renamed) = load.as_place() {
        *place = renamed.clone();
    }
}

fn rename_place(place: &mut Place, new: &HashMap<Var, Var>) {
    if let Some(renamed) = new.get(&place.root) {
        place.root = *renamed;
    }
}
