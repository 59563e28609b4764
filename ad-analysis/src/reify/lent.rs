//! Shapes of variables that are lent: as long as a `&mut` to a part is used, rustc lets nobody look at the whole. The shape is taken
//! as soon as the last reference is not used any more, and before exits that leave its block.
//!
//! ```text
//! let part = &mut whole.part;
//! part.grow(x);                      not here
//! part.k *= 2.0;
//! whole_shape = shape(whole);
//! ```

use super::Reifier;
use crate::index::{Label, Var};
use crate::ir::{
    Binding, Body, Expr, ExprKind, Opaque, Place, Stmt, StmtKind, View, each_block, each_expr,
    each_place, each_stmt,
};
use proc_macro2::Span;

/// A block under construction.
pub(super) struct Open {
    /// Which of its statements is being gone through.
    at: usize,
    /// The last statement that mentions a `&mut` of this block, by what that refers to a part of.
    last: Vec<(Var, usize)>,
}

impl Open {
    pub(super) fn new(body: &Body, stmts: &[Stmt]) -> Self {
        let views = stmts.iter().filter_map(|stmt| {
            let StmtKind::Bind { view } = stmt.kind else { return None };
            let target = target_of(body, view).filter(|target| target.mutable)?;
            Some((target.place.root, view))
        });
        let last = views.filter_map(|(root, view)| {
            Some((root, stmts.iter().rposition(|stmt| mentions(body, stmt, view))?))
        });
        Open { at: 0, last: last.collect() }
    }

    /// Whether a variable is lent behind the statement, or in it if it is to be run through to its end.
    fn lends(&self, root: Var, is_inside: bool) -> bool {
        let first = self.at + usize::from(!is_inside);
        self.last.iter().any(|(lent, last)| *lent == root && *last >= first)
    }
}

/// What waits until variables are not lent any more.
#[derive(Default)]
pub(super) struct Lent {
    open: Vec<Open>,
    waiting: Vec<Var>,
    /// How many blocks are around what is left by an exit.
    depths: Vec<(Label, usize)>,
}

impl Lent {
    pub(super) fn enter(&mut self, block: Open) {
        self.open.push(block);
    }

    pub(super) fn leave(&mut self) {
        self.open.pop();
    }

    pub(super) fn come_to(&mut self, at: usize) {
        if let Some(innermost) = self.open.last_mut() {
            innermost.at = at;
        }
    }

    /// Notes where a construct stands that may be left.
    pub(super) fn note(&mut self, label: Label) {
        self.depths.push((label, self.open.len()));
    }

    /// Whether a variable is lent behind the present statement, of so many blocks.
    fn is_lent(&self, root: Var, depth: usize) -> bool {
        let blocks = self.open[..depth].iter().enumerate();
        blocks.rev().any(|(number, block)| block.lends(root, number + 1 < depth))
    }

    fn depth_of(&self, label: Label) -> usize {
        let known = self.depths.iter().find(|(known, _)| *known == label);
        known.map_or(0, |(_, depth)| *depth)
    }
}

impl Reifier {
    /// Adds the shape of a variable, now or as soon as no part of it is lent.
    pub(super) fn reshaped_if_free(&mut self, root: Var, span: Span) {
        if self.lent.is_lent(root, self.lent.open.len()) {
            if !self.lent.waiting.contains(&root) {
                self.lent.waiting.push(root);
            }
            return;
        }
        let value = self.body.load(root);
        self.define_shape(root, Some(value), false, span);
    }

    /// Adds the shapes of variables that are lent no more.
    pub(super) fn shapes_of_released(&mut self, span: Span) {
        let depth = self.lent.open.len();
        for root in std::mem::take(&mut self.lent.waiting) {
            match self.lent.is_lent(root, depth) {
                true => self.lent.waiting.push(root),
                false => self.reshaped_if_free(root, span),
            }
        }
    }

    /// Adds the shapes of variables that are lent no more where an exit leads.
    pub(super) fn shapes_before_exit(&mut self, label: Label, span: Span) {
        let depth = self.lent.depth_of(label);
        for root in self.lent.waiting.clone() {
            if !self.lent.is_lent(root, depth) {
                let value = self.body.load(root);
                self.define_shape(root, Some(value), false, span);
            }
        }
    }
}

fn target_of(body: &Body, view: Var) -> Option<&View> {
    match &body.vars[view].binding {
        Binding::View(target) => Some(target),
        Binding::Value | Binding::Shared | Binding::Exclusive | Binding::Global(_) => None,
    }
}

/// Whether a statement, or one in it, mentions a reference.
fn mentions(body: &Body, stmt: &Stmt, view: Var) -> bool {
    let mut is_found = mentions_itself(body, stmt, view);
    each_block(stmt, &mut |block| {
        each_stmt(block, &mut |inner| is_found |= mentions_itself(body, inner, view));
    });
    is_found
}

fn mentions_itself(body: &Body, stmt: &Stmt, view: Var) -> bool {
    let of_code = |opaque: &Opaque| {
        [&opaque.reads, &opaque.writes].into_iter().any(|vars| vars.contains(&view))
    };
    let mut is_found = false;
    if let StmtKind::Opaque(opaque) = &stmt.kind {
        is_found = of_code(opaque);
    }
    if let StmtKind::Bind { view: made } = stmt.kind {
        let through = target_of(body, made).and_then(|target| target.through);
        is_found = through.is_some_and(|through| through.view == view);
    }
    each_place(stmt, &mut |place: &Place| is_found |= place.root == view);
    each_expr(stmt, &mut |expr| is_found |= code_in(expr, &of_code));
    is_found
}

fn code_in(expr: &Expr, is_meant: &dyn Fn(&Opaque) -> bool) -> bool {
    match &expr.kind {
        ExprKind::Opaque(opaque) => is_meant(opaque),
        ExprKind::Op(_, args) => args.iter().any(|arg| code_in(arg, is_meant)),
        ExprKind::Literal(_) | ExprKind::Load(_) | ExprKind::Guard(_) => false,
    }
}
