//! References that are assigned again. As long as they refer to parts of one variable that are found in
//! the same way (`&xs[..]`, then `&s[1..]`; `&rows[0]`, then `&rows[i]`), the way is kept in variables: the
//! indices and bounds on it.

use super::places::strip;
use super::{Destination, Lowerer, Operand};
use crate::index::Var;
use crate::ir::{BinaryOp, Binding, Expr, Place, Projection, View};
use crate::types::Type;
use proc_macro2::Span;
use std::rc::Rc;
use syn::Pat;
use syn::spanned::Spanned;

/// What a reference refers to that is assigned again, or chosen.
#[derive(Clone, Debug)]
pub(super) enum Referent {
    /// A part of a variable: what is assigned are the variables on the way there.
    Way { place: Place, mutable: bool },
    /// Something that nothing changes as long as it is used: a copy of it is assigned, once.
    Copy(Place),
}

impl Referent {
    pub(super) fn place(&self) -> &Place {
        match self {
            Self::Way { place, mutable: _ } | Self::Copy(place) => place,
        }
    }

    fn is_mutable(&self) -> bool {
        match self {
            Self::Way { place: _, mutable } => *mutable,
            Self::Copy(_) => false,
        }
    }
}

impl Lowerer<'_> {
    /// `let mut name = &place;`
    pub(super) fn rebindable_local(&mut self, pat: &Pat, operand: &Operand) -> bool {
        let (pat, is_slice) = match pat {
            Pat::Type(typed) => (&*typed.pat, is_slice(&typed.ty)),
            pat => (pat, false),
        };
        let (Pat::Ident(ident), Operand::Reference { place, mutable, span: _ }) = (pat, operand)
        else {
            return false;
        };
        if ident.mutability.is_none() {
            return false;
        }
        let (name, span) = (ident.ident.to_string(), ident.ident.span());
        self.rebindable(&name, (place, *mutable), is_slice, span);
        true
    }

    /// A name for a reference to a place, which may refer to another one later.
    pub(super) fn rebindable(
        &mut self,
        name: &str,
        (place, mutable): (&Place, bool),
        is_slice: bool,
        span: Span,
    ) {
        let ty = self.type_of(place);
        let known = self.types.shallow(&ty);
        let is_slice = is_slice || matches!(known, Type::Slice(_));
        let way = self.way_to(place, is_slice, span);
        let projections = way.projections.into_iter().map(|step| match step {
            step @ (Projection::Field(_) | Projection::Boxed) => step,
            Projection::Index(index) => {
                Projection::Index(self.kept(&format!("{name}_index"), index))
            }
            Projection::Slice { start, end } => Projection::Slice {
                start: start.map(|start| self.kept(&format!("{name}_start"), start)),
                end: end.map(|end| self.kept(&format!("{name}_end"), end)),
            },
            Projection::Got { getter, at } => {
                Projection::Got { getter, at: self.kept(&format!("{name}_at"), at) }
            }
        });
        let way = Place { root: way.root, projections: projections.collect() };
        // The name is no variable: what should mention it nevertheless finds nothing there.
        let nothing = self.body.local("nothing", known.clone(), span);
        let view = View { place: Place::var(nothing), mutable: false, through: None };
        let var = self.user_variable(name, known, Binding::View(Rc::new(view)), span);
        self.rebound.insert(var, Referent::Way { place: way, mutable });
    }

    fn kept(&mut self, hint: &str, value: Expr) -> Expr {
        let span = value.span;
        let var = self.state(hint, value);
        self.load(var, span)
    }

    /// What a name refers to at present, and whether as `&mut`, if it is one of a reference that is assigned again.
    pub(super) fn rebound_place(&self, expr: &syn::Expr) -> Option<(Place, bool)> {
        let referent = self.rebound.get(&self.rebound_name(expr)?)?;
        Some((referent.place().clone(), referent.is_mutable()))
    }

    fn rebound_name(&self, expr: &syn::Expr) -> Option<Var> {
        let syn::Expr::Path(path) = strip(expr) else { return None };
        let var = self.find(&path.path.get_ident()?.to_string())?;
        self.rebound.contains_key(&var).then_some(var)
    }

    /// A place with at most one slice on the way to it, at its end; what is out of bounds panics here.
    pub(super) fn way_to(&mut self, place: &Place, is_slice: bool, span: Span) -> Place {
        let Place { root, projections } = if place.is_computed() {
            let view = self.make_view("part", place, false, span);
            self.body.resolve(&Place::var(view))
        } else {
            self.body.resolve(place)
        };
        let mut way = Place::var(root);
        let mut bounds: Option<(Expr, Expr)> = None;
        for step in projections {
            match (step, bounds.take()) {
                (Projection::Slice { start, end }, Some((first, last))) => {
                    let from = |bound| Expr::binary(BinaryOp::Add, first.clone(), bound);
                    let end = end.map_or(last, from);
                    bounds = Some((start.map_or(first.clone(), from), end));
                }
                (Projection::Slice { start, end }, None) => {
                    let end = end.unwrap_or_else(|| self.len_of(way.clone(), span));
                    bounds = Some((start.unwrap_or_else(|| Expr::usize(0)), end));
                }
                (Projection::Index(index), Some((first, _))) => {
                    way = way.index(Expr::binary(BinaryOp::Add, first, index));
                }
                (step, _) => way = way.then(step),
            }
        }
        if is_slice && bounds.is_none() {
            bounds = Some((Expr::usize(0), self.len_of(way.clone(), span)));
        }
        match bounds {
            Some((start, end)) => {
                way.then(Projection::Slice { start: Some(start), end: Some(end) })
            }
            None => way,
        }
    }

    /// `name = &other;`. Says whether the name is one of a reference that can be assigned again.
    pub(super) fn rebind(&mut self, target: &syn::Expr, value: &syn::Expr) -> bool {
        let Some(var) = self.rebound_name(target) else { return false };
        let referent = self.rebound[&var].clone();
        self.lower_into(value, &Destination::Reference(referent));
        true
    }

    /// Lowers a reference whose way goes to variables, or what it refers to to a copy. Says whether it is one.
    pub(super) fn refer(&mut self, value: &syn::Expr, referent: &Referent) -> bool {
        let Some(Operand::Reference { place, mutable, span }) = self.operand(value) else {
            return false;
        };
        if referent.is_mutable() != mutable {
            return false;
        }
        let known = match referent {
            Referent::Way { place, mutable: _ } => place,
            Referent::Copy(copy) => {
                self.copy_referent(place, copy, span);
                return true;
            }
        };
        let is_slice = matches!(known.projections.last(), Some(Projection::Slice { .. }));
        let way = self.way_to(&place, is_slice, span);
        let Some(changes) = changes_between(known, way) else { return false };
        let mut changes: Vec<(Var, Expr)> = changes;
        for (_, value) in &mut changes {
            self.put_aside(value);
        }
        for (var, value) in changes {
            self.assign(Place::var(var), value, span);
        }
        true
    }

    /// The same where something else than a reference is an error.
    pub(super) fn refer_into(&mut self, value: &syn::Expr, referent: &Referent) {
        if !self.refer(value, referent) {
            self.refuse_referent(value.span());
        }
    }

    pub(super) fn refuse_referent(&self, span: Span) {
        self.errors.report(
            span,
            "a reference that is assigned again is not supported here",
            "let it refer to parts of one variable only, all of one kind (`s = &s[1..]`); \
             or use an index, or a new `let` with another name",
        );
    }
}

/// The variables on a way, and what they have to be for it to lead to another place. `None` if it never
/// does.
fn changes_between(known: &Place, way: Place) -> Option<Vec<(Var, Expr)>> {
    if known.root != way.root || known.projections.len() != way.projections.len() {
        return None;
    }
    let mut changes = Vec::new();
    for (known, step) in known.projections.iter().zip(way.projections) {
        match (known, step) {
            (Projection::Field(known), Projection::Field(field)) if *known == field => {}
            (Projection::Index(known), Projection::Index(index)) => {
                changes.push((known.as_var()?, index));
            }
            (Projection::Got { getter: known, at: first }, Projection::Got { getter, at })
                if known.name == getter.name =>
            {
                changes.push((first.as_var()?, at))
            }
            (
                Projection::Slice { start: Some(first), end: Some(last) },
                Projection::Slice { start: Some(start), end: Some(end) },
            ) => {
                changes.push((first.as_var()?, start));
                changes.push((last.as_var()?, end));
            }
            _ => return None,
        }
    }
    Some(changes)
}

/// Whether a type is a reference to a slice.
fn is_slice(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Reference(reference) if matches!(&*reference.elem, syn::Type::Slice(_)))
}
