//! Statements about whole lists.

use super::at;
use super::body::Emitter;
use super::variables::are_parts_of_one_element;
use crate::index::Var;
use crate::ir::{
    ArgKind, Binding, Call, Change, Expr, ExprKind, Op, Place, Projection, Resize, Stmt, StmtKind,
};
use crate::types::Type;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

/// How tightly the right operand of `+` binds.
const TERM: u8 = 9;

impl Emitter<'_> {
    /// A change of length, by the method that says it best.
    pub(super) fn resize(&self, resize: &Resize, span: Span) -> TokenStream {
        let list = self.receiver(&resize.list);
        match &resize.change {
            Change::Extend(Expr { kind: ExprKind::Op(Op::Array | Op::Vec, items), .. })
                if items.len() == 1 =>
            {
                let item = self.expr(&items[0]);
                quote_spanned!(span=> #list.push(#item);)
            }
            Change::Extend(Expr { kind: ExprKind::Op(Op::VecRepeat, args), .. }) => {
                let (item, count) = (self.expr(&args[0]), self.operand(&args[1], TERM));
                quote_spanned!(span=> #list.resize(#list.len() + #count, #item);)
            }
            Change::Extend(items) => {
                let items = self.reference_to(items);
                quote_spanned!(span=> #list.extend_from_slice(#items);)
            }
            Change::Truncate(rest) => {
                let rest = self.expr(rest);
                quote_spanned!(span=> #list.truncate(#rest);)
            }
        }
    }

    /// `&mut` to both halves of a list, which rustc does not let us make one after the other.
    pub(super) fn halves(&self, first: &Stmt, second: &Stmt) -> Option<TokenStream> {
        let (StmtKind::Bind { view: lower }, StmtKind::Bind { view: upper }) =
            (&first.kind, &second.kind)
        else {
            return None;
        };
        let (a, b) = (self.mutable_view(*lower)?, self.mutable_view(*upper)?);
        let (
            Some((Projection::Slice { start: None, end: Some(middle) }, list)),
            Some((Projection::Slice { start: Some(start), end: None }, other)),
        ) = (a.projections.split_last(), b.projections.split_last())
        else {
            return None;
        };
        if a.root != b.root || middle != start || list != other {
            return None;
        }
        let list = self.receiver(&Place { root: a.root, projections: list.to_vec() });
        let (lower, upper, middle) = (self.name(*lower), self.name(*upper), self.expr(middle));
        let span = at(first.span);
        Some(quote_spanned!(span=> let (#lower, #upper) = #list.split_at_mut(#middle);))
    }

    fn mutable_view(&self, var: Var) -> Option<Place> {
        match &self.body.vars[var].binding {
            Binding::View(view) if view.mutable && !self.is_read_only(view.place.root) => {
                Some(self.spelled(view))
            }
            _ => None,
        }
    }

    /// Elements of one list that a pattern has bound and that a call gets, one of them as a `&mut`: rustc sees that they are different where they
    /// are borrowed together. They are lent until the call is printed.
    pub(super) fn lent_together(&self, call: &Call, span: Span) -> TokenStream {
        let mut elements: Vec<(Place, bool)> = Vec::new();
        for arg in &call.args {
            let (place, is_exclusive) = match &arg.kind {
                ArgKind::Exclusive(place) => (place, true),
                ArgKind::Shared(place) => (place, false),
                ArgKind::Value(_) | ArgKind::Omitted => continue,
            };
            let element = self.spelled_out(place);
            let is_known = elements.iter().any(|(known, _)| *known == element);
            let is_element = matches!(element.projections.last(), Some(Projection::Index(_)));
            let is_bound = self.undeclared.contains(place.root) && place.is_whole();
            if is_bound && is_element && !is_known {
                elements.push((element, is_exclusive));
            }
        }
        let mut lets = self.parts_lent_together(call, span);
        while let Some((first, _)) = elements.first().cloned() {
            let is_beside = |(other, _): &(Place, bool)| {
                let lists = (first.projections.split_last(), other.projections.split_last());
                first.root == other.root
                    && matches!(lists, (Some((_, list)), Some((_, other))) if list == other)
            };
            let (together, others) = elements.into_iter().partition::<Vec<_>, _>(is_beside);
            elements = others;
            let Some((_, list)) = first.projections.split_last() else { continue };
            if together.len() < 2 || !together.iter().any(|(_, is_exclusive)| *is_exclusive) {
                continue;
            }
            let list = self.receiver(&Place { root: first.root, projections: list.to_vec() });
            let (mut names, mut indices, mut shared) = (Vec::new(), Vec::new(), Vec::new());
            for (place, is_exclusive) in together {
                if let Some(Projection::Index(index)) = place.projections.last() {
                    let name = format_ident!("__lent_{}", self.lent.borrow().len());
                    indices.push(self.expr(index));
                    self.lent.borrow_mut().push((place, name.clone()));
                    shared.extend((!is_exclusive).then(|| name.clone()));
                    names.push(name);
                }
            }
            lets.extend(quote_spanned! {at(span)=>
                let [#(#names),*] =
                    #list.get_disjoint_mut([#(#indices),*]).expect("they are different elements");
                #(let #shared = &*#shared;)*
            });
        }
        lets
    }

    /// Different fields of one element that a call gets, one of them as a `&mut`, by way of one reference to the element.
    fn parts_lent_together(&self, call: &Call, span: Span) -> TokenStream {
        let mut parts: Vec<(Place, bool)> = Vec::new();
        for arg in &call.args {
            let (place, is_exclusive) = match &arg.kind {
                ArgKind::Exclusive(place) => (place, true),
                ArgKind::Shared(place) => (place, false),
                ArgKind::Value(_) | ArgKind::Omitted => continue,
            };
            if self.undeclared.contains(place.root) && place.is_whole() {
                parts.push((self.spelled_out(place), is_exclusive));
            }
        }
        let Some((first, _)) = parts.iter().find(|(_, is_exclusive)| *is_exclusive).cloned() else {
            return TokenStream::new();
        };
        parts.retain(|(part, _)| *part == first || are_parts_of_one_element(part, &first));
        let is_element = |step: &Projection| matches!(step, Projection::Index(_));
        let Some(last) = first.projections.iter().rposition(is_element) else {
            return TokenStream::new();
        };
        let is_behind = |(part, _): &(Place, bool)| {
            part.projections.get(..=last) == first.projections.get(..=last)
                && part.projections[last + 1..].iter().all(Projection::is_fixed)
        };
        if parts.len() < 2 || !parts.iter().all(is_behind) {
            return TokenStream::new();
        }
        let element = Place { root: first.root, projections: first.projections[..=last].to_vec() };
        let (element, name) = (self.place(&element), format_ident!("__element"));
        let mut lets = quote_spanned!(at(span)=> let #name = &mut #element;);
        for (part, is_exclusive) in parts {
            let fields = part.projections[last + 1..].iter();
            let field = fields.fold(quote!(#name), |of, step| match step {
                Projection::Field(field) => self.field_of(&of, field),
                Projection::Boxed => quote!((*#of)),
                Projection::Index(_) | Projection::Slice { .. } | Projection::Got { .. } => of,
            });
            let name = format_ident!("__lent_{}", self.lent.borrow().len());
            let reference = if is_exclusive { quote!(&mut) } else { quote!(&) };
            lets.extend(quote_spanned!(at(span)=> let #name = #reference #field;));
            self.lent.borrow_mut().push((part, name));
        }
        lets
    }

    /// An exchange. Two elements of one list cannot both be borrowed; the list exchanges them itself.
    pub(super) fn swap(&self, a: &Place, b: &Place, span: Span) -> TokenStream {
        let (a, b) = (&self.spelled_out(a), &self.spelled_out(b));
        if let (Some((Projection::Index(i), list)), Some((Projection::Index(j), other))) =
            (a.projections.split_last(), b.projections.split_last())
            && a.root == b.root
            && list == other
        {
            let list = self.receiver(&Place { root: a.root, projections: list.to_vec() });
            let (i, j) = (self.expr(i), self.expr(j));
            return quote_spanned!(span=> #list.swap(#i, #j););
        }
        let is_part = matches!(self.body.place_type(a), Type::Slice(_));
        if is_part {
            let (a, b) = (self.receiver(a), self.exclusive(b));
            return quote_spanned!(span=> #a.swap_with_slice(#b););
        }
        let (a, b) = (self.exclusive(a), self.exclusive(b));
        quote_spanned!(span=> ::core::mem::swap(#a, #b);)
    }
}
