//! References that are chosen: `let p = if c { &x[..n] } else { x };`, or `let p: &[f64; 6];` and a value on each way to where it is used.
//!
//! What refers to parts of one variable is kept as the way there, as references are that are assigned again. An array of plain data
//! is copied: behind a `&` nothing changes, so the copy is as good, wherever the array is.

use super::known::is_data;
use super::places::strip;
use super::rebound::Referent;
use super::{Destination, Lowerer, Operand};
use crate::ir::{Binding, Place, Projection, StmtKind, View};
use crate::types::Type;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{Local, Pat, PatIdent, Stmt};

impl Lowerer<'_> {
    /// `let name = if c { &a } else { &b };`, if it is understood as that.
    pub(super) fn chosen_reference(&mut self, local: &Local, init: &syn::Expr) -> bool {
        let (Some(name), referring) = (plain_name(&local.pat), referring(init)) else {
            return false;
        };
        let array = self.array_behind(&local.pat);
        let is_reference = |leaf: &&syn::Expr| matches!(strip(leaf), syn::Expr::Reference(_));
        if array.is_none() && !referring.iter().any(is_reference) {
            return false;
        }
        let chosen = self.attempt("a choice of references", |this| {
            let referent = match array {
                Some(array) => this.copy_of_array(name, array),
                None => this.chosen_way(name, &referring)?,
            };
            let errors = this.errors.count();
            this.lower_into(init, &Destination::Reference(referent.clone()));
            if this.errors.count() > errors {
                return None;
            }
            let place = referent.place().clone();
            let reference = Operand::Reference { place, mutable: false, span: init.span() };
            this.bind_operand(&local.pat, reference);
            Some(())
        });
        chosen.is_some()
    }

    /// `let name: &[f64; 6];`, if what it is assigned later are references.
    pub(super) fn deferred_reference(&mut self, local: &Local, rest: &[Stmt]) -> bool {
        let Some(name) = plain_name(&local.pat) else { return false };
        let Some(array) = self.array_behind(&local.pat) else { return false };
        let assigned = assigned::to(&name.ident, rest);
        if !assigned.iter().all(|value| self.is_place_by_reference(value)) {
            return false;
        }
        let referent = self.copy_of_array(name, array.clone());
        let view = View { place: referent.place().clone(), mutable: false, through: None };
        let (text, binding) = (name.ident.to_string(), Binding::View(Rc::new(view)));
        let var = self.user_variable(&text, array, binding, name.ident.span());
        self.rebound.insert(var, referent);
        true
    }

    /// `&place`, or a variable that is known to be a reference.
    fn is_place_by_reference(&self, value: &syn::Expr) -> bool {
        match strip(value) {
            syn::Expr::Reference(reference) => {
                let referent = strip(&reference.expr);
                let is_place = matches!(
                    referent,
                    syn::Expr::Path(_) | syn::Expr::Index(_) | syn::Expr::Field(_)
                );
                reference.mutability.is_none() && is_place
            }
            syn::Expr::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string);
                let var = name.and_then(|name| self.find(&name));
                var.is_some_and(|var| self.is_reference(var) && !self.is_mutable_reference(var))
            }
            _ => false,
        }
    }

    /// The array of plain data that a pattern says that it takes a reference to.
    fn array_behind(&mut self, pat: &Pat) -> Option<Type> {
        let Pat::Type(typed) = pat else { return None };
        let syn::Type::Reference(reference) = &*typed.ty else { return None };
        let syn::Type::Array(_) = &*reference.elem else { return None };
        let ty = self.lower_type(&reference.elem);
        (reference.mutability.is_none() && is_data(&ty)).then_some(ty)
    }

    fn copy_of_array(&mut self, name: &PatIdent, array: Type) -> Referent {
        let span = name.ident.span();
        let var = self.body.local(&format!("{}_copy", name.ident), array, span);
        self.emit(StmtKind::Let { var, value: None }, span);
        Referent::Copy(Place::var(var))
    }

    /// Variables for the way to one of several parts of a list, whichever it is.
    fn chosen_way(&mut self, name: &PatIdent, referring: &[&syn::Expr]) -> Option<Referent> {
        let known = self.body.vars.len();
        let way = self.glimpse(|this| {
            let places = referring.iter().map(|leaf| this.list_behind(leaf));
            let places = places.collect::<Option<Vec<_>>>()?;
            let is_slice = places.iter().any(|(_, ty)| matches!(ty, Type::Slice(_)));
            let (first, _) = places.first()?;
            Some(this.way_to(first, is_slice, name.ident.span()))
        })?;
        let is_known = self.body.vars.indices().take(known).any(|var| var == way.root);
        if !is_known && !matches!(self.body.vars[way.root].binding, Binding::Global(_)) {
            return None;
        }
        let mut bound = |what: &str| {
            let (hint, span) = (format!("{}_{what}", name.ident), name.ident.span());
            let var = self.body.local(&hint, Type::USIZE, span);
            self.emit(StmtKind::Let { var, value: None }, span);
            self.mutable.insert(var);
            self.load(var, span)
        };
        let projections = way.projections.iter().map(|step| match step {
            Projection::Field(field) => Projection::Field(field.clone()),
            Projection::Index(_) => Projection::Index(bound("index")),
            Projection::Slice { .. } => {
                Projection::Slice { start: Some(bound("start")), end: Some(bound("end")) }
            }
        });
        let projections = projections.collect();
        Some(Referent::Way(Place { root: way.root, projections }))
    }

    /// The list that an expression refers to.
    fn list_behind(&mut self, leaf: &syn::Expr) -> Option<(Place, Type)> {
        let Operand::Reference { place, mutable: false, .. } = self.operand(leaf)? else {
            return None;
        };
        let ty = self.type_of(&place);
        let ty = self.types.shallow(&ty);
        matches!(ty, Type::Slice(_) | Type::Vec(_)).then_some((place, ty))
    }
}

/// A name that is not assigned again.
fn plain_name(pat: &Pat) -> Option<&PatIdent> {
    match pat {
        Pat::Type(typed) => plain_name(&typed.pat),
        Pat::Ident(name) => {
            let is_plain =
                name.mutability.is_none() && name.by_ref.is_none() && name.subpat.is_none();
            is_plain.then_some(name)
        }
        _ => None,
    }
}

/// What may be the value of a choice, but for what never has one.
fn referring(expr: &syn::Expr) -> Vec<&syn::Expr> {
    match strip(expr) {
        syn::Expr::If(choice) => {
            let otherwise = choice.else_branch.iter().flat_map(|(_, other)| referring(other));
            tail_of(&choice.then_branch).chain(otherwise).collect()
        }
        syn::Expr::Match(choice) => {
            choice.arms.iter().flat_map(|arm| referring(&arm.body)).collect()
        }
        syn::Expr::Block(block) => tail_of(&block.block).collect(),
        syn::Expr::Return(_)
        | syn::Expr::Break(_)
        | syn::Expr::Continue(_)
        | syn::Expr::Macro(_) => Vec::new(),
        other => vec![other],
    }
}

fn tail_of(block: &syn::Block) -> impl Iterator<Item = &syn::Expr> {
    let tail = match block.stmts.last() {
        Some(Stmt::Expr(tail, None)) => referring(tail),
        _ => Vec::new(),
    };
    tail.into_iter()
}

mod assigned {
    use super::strip;
    use proc_macro2::Ident;
    use syn::visit::{self, Visit};
    use syn::{Expr, Stmt};

    /// What a variable may be assigned in statements.
    pub(super) fn to<'s>(name: &Ident, stmts: &'s [Stmt]) -> Vec<&'s Expr> {
        let mut assigned = Assigned { name, values: Vec::new() };
        stmts.iter().for_each(|stmt| assigned.visit_stmt(stmt));
        assigned.values
    }

    struct Assigned<'n, 's> {
        name: &'n Ident,
        values: Vec<&'s Expr>,
    }

    impl<'s> Visit<'s> for Assigned<'_, 's> {
        fn visit_expr_assign(&mut self, assign: &'s syn::ExprAssign) {
            visit::visit_expr_assign(self, assign);
            if matches!(strip(&assign.left), Expr::Path(path) if path.path.is_ident(self.name)) {
                self.values.push(&assign.right);
            }
        }
    }
}
