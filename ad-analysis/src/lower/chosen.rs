//! References that are chosen: `let p = if c { &x[..n] } else { x };`, or `let p: &[f64; 6];` and a value on each way to where it is used.
//!
//! What refers to parts of one variable is kept as the way there, as references are that are assigned again. Arrays and lists of plain data
//! are copied: behind a `&` nothing changes, so the copy is as good, wherever they are.

use super::items::Item;
use super::known::is_data;
use super::places::strip;
use super::rebound::Referent;
use super::{Destination, Lowerer, Operand};
use crate::ir::{Binding, Expr, ExprKind, Op, Place, Projection, StmtKind, View};
use crate::types::Type;
use proc_macro2::Span;
use std::borrow::Cow;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{Local, Pat, PatIdent, Stmt};

impl Lowerer<'_> {
    /// `let name = if c { &a } else { &b };`, or `let (a, b) = if c { (x, y) } else { (y, x) };`, if it is understood as that.
    pub(super) fn chosen_reference(&mut self, local: &Local, init: &syn::Expr) -> bool {
        let leaves = referring(init);
        let pat = &*typed_apart(&local.pat);
        let array = self.array_behind(pat);
        if array.is_none() && !self.are_references(pat, &leaves) {
            return false;
        }
        let chosen = self.attempt("a choice of references", |this| {
            let mut bound = Vec::new();
            let destination = match (plain_name(pat), array) {
                (Some(name), Some(array)) => {
                    let referent = this.copy_of_array(name, array);
                    bound.push((pat.clone(), referent.clone()));
                    Destination::Reference(referent)
                }
                _ => this.reference_destination(pat, &leaves, &mut bound)?,
            };
            let errors = this.errors.count();
            this.lower_into(init, &destination);
            if this.errors.count() > errors {
                return None;
            }
            for (pat, referent) in bound {
                let place = referent.place().clone();
                let reference = Operand::Reference { place, mutable: false, span: init.span() };
                this.bind_operand(&pat, reference);
            }
            Some(())
        });
        chosen.is_some()
    }

    /// Whether what is chosen are references, or tuples of references.
    fn are_references(&self, pat: &Pat, leaves: &[&syn::Expr]) -> bool {
        match pat {
            Pat::Tuple(tuple) => {
                let columns = columns_of(leaves, tuple.elems.len());
                columns.is_some_and(|columns| {
                    tuple
                        .elems
                        .iter()
                        .zip(columns)
                        .all(|(pat, leaves)| self.are_references(pat, &leaves))
                })
            }
            pat => {
                let is_reference = |leaf: &&syn::Expr| self.is_place_by_reference(leaf);
                plain_name(pat).is_some() && leaves.iter().any(is_reference)
            }
        }
    }

    /// What is kept of the references that a pattern takes.
    fn reference_destination(
        &mut self,
        pat: &Pat,
        leaves: &[&syn::Expr],
        bound: &mut Vec<(Pat, Referent)>,
    ) -> Option<Destination> {
        if let Pat::Tuple(tuple) = pat {
            let columns = tuple.elems.iter().zip(columns_of(leaves, tuple.elems.len())?);
            let parts =
                columns.map(|(pat, leaves)| self.reference_destination(pat, &leaves, bound));
            return Some(Destination::Tuple(parts.collect::<Option<_>>()?));
        }
        let name = plain_name(pat)?;
        let lists: Vec<Option<(Place, Type)>> =
            self.glimpse(|this| leaves.iter().map(|leaf| this.list_behind(leaf)).collect());
        // What names of patterns refer to is seen where they are bound.
        let (first, ty) = lists.iter().flatten().next()?;
        let is_one = |list: &Option<(Place, Type)>| {
            list.as_ref().is_some_and(|(place, _)| place.root == first.root)
        };
        let referent = match lists.iter().all(is_one) {
            true => self.chosen_way(name, leaves)?,
            false => self.copy_of_list(name, ty.element()?.clone())?,
        };
        bound.push((pat.clone(), referent.clone()));
        Some(Destination::Reference(referent))
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
        let hint = format!("{}_copy", name.ident);
        Referent::Copy(self.place_for_copy(&hint, array, name.ident.span()))
    }

    fn place_for_copy(&mut self, hint: &str, ty: Type, span: Span) -> Place {
        let var = self.body.local(hint, ty, span);
        self.emit(StmtKind::Let { var, value: None }, span);
        Place::var(var)
    }

    fn copy_of_list(&mut self, name: &PatIdent, element: Type) -> Option<Referent> {
        let element = self.types.shallow(&element);
        self.is_number(&element).then(|| self.copy_of_array(name, Type::vec(element)))
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
        let mut bound = |what: &str, ty: Type| {
            let (hint, span) = (format!("{}_{what}", name.ident), name.ident.span());
            let var = self.body.local(&hint, ty, span);
            self.emit(StmtKind::Let { var, value: None }, span);
            self.mutable.insert(var);
            self.load(var, span)
        };
        let projections = way.projections.iter().map(|step| match step {
            Projection::Field(_) | Projection::Boxed => step.clone(),
            Projection::Index(_) => Projection::Index(bound("index", Type::USIZE)),
            Projection::Slice { .. } => Projection::Slice {
                start: Some(bound("start", Type::USIZE)),
                end: Some(bound("end", Type::USIZE)),
            },
            Projection::Got { getter, at } => {
                Projection::Got { getter: getter.clone(), at: bound("at", at.ty.clone()) }
            }
        });
        let projections = projections.collect();
        let place = Place { root: way.root, projections };
        Some(Referent::Way { place, mutable: false })
    }

    /// The type of the numbers in a list that an item refers to.
    pub(super) fn element_behind(&mut self, item: &Item) -> Option<Type> {
        let Item::Operand(Operand::Reference { place, mutable: false, .. }) = item else {
            return None;
        };
        let ty = self.type_of(place);
        let (Type::Slice(element) | Type::Vec(element)) = self.types.shallow(&ty) else {
            return None;
        };
        let element = self.types.shallow(&element);
        self.is_number(&element).then_some(element)
    }

    /// A reference to one of two lists.
    pub(super) fn list_or(
        &mut self,
        test: Expr,
        lists: [Item; 2],
        element: Type,
        span: Span,
    ) -> Option<Item> {
        let place = self.place_for_copy("list", Type::vec(element), span);
        let places = lists.map(|list| match list {
            Item::Operand(Operand::Reference { place, mutable: false, .. }) => Some(place),
            _ => None,
        });
        let [Some(list), Some(other)] = places else { return None };
        let [then, otherwise] =
            [list, other].map(|list| self.in_block(|this| this.copy_referent(list, &place, span)));
        self.emit(StmtKind::If { test, then, otherwise }, span);
        Some(Item::Operand(Operand::Reference { place, mutable: false, span }))
    }

    /// Copies an array or a list that is referred to.
    pub(super) fn copy_referent(&mut self, list: Place, copy: &Place, span: Span) {
        let (ty, wanted) = (self.type_of(&list), self.type_of(copy));
        let mut value = Expr::load(list, ty, span);
        if matches!(wanted, Type::Vec(_)) {
            value = Expr::new(ExprKind::Op(Op::ToVec, vec![value]), wanted, span);
        }
        self.assign(copy.clone(), value, span);
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

/// The parts of tuples, by their positions.
fn columns_of<'e>(leaves: &[&'e syn::Expr], arity: usize) -> Option<Vec<Vec<&'e syn::Expr>>> {
    let tuples = leaves.iter().map(|leaf| match strip(leaf) {
        syn::Expr::Tuple(tuple) if tuple.elems.len() == arity => Some(tuple),
        _ => None,
    });
    let tuples: Vec<&syn::ExprTuple> = tuples.collect::<Option<_>>()?;
    let column = |position| tuples.iter().map(|tuple| &tuple.elems[position]).collect();
    (!tuples.is_empty()).then(|| (0..arity).map(column).collect())
}

/// `(a: &[f64], b: &[f64])` for `(a, b): (&[f64], &[f64])`.
fn typed_apart(pat: &Pat) -> Cow<'_, Pat> {
    if let Pat::Type(typed) = pat
        && let (Pat::Tuple(names), syn::Type::Tuple(types)) = (&*typed.pat, &*typed.ty)
        && names.elems.len() == types.elems.len()
        && types.elems.iter().all(|ty| matches!(ty, syn::Type::Reference(_)))
    {
        let mut names = names.clone();
        for (name, ty) in names.elems.iter_mut().zip(&types.elems) {
            let pat = Box::new(name.clone());
            let (attrs, colon_token, ty) = (Vec::new(), typed.colon_token, Box::new(ty.clone()));
            *name = Pat::Type(syn::PatType { attrs, pat, colon_token, ty });
        }
        return Cow::Owned(Pat::Tuple(names));
    }
    Cow::Borrowed(pat)
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
    use crate::walk::visit::{self, Visit};
    use proc_macro2::Ident;
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
