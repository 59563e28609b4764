//! Where the entries of callees are found.

use super::body::Emitter;
use super::{at, located, respanned};
use crate::effects::lent_without_bar;
use crate::index::Var;
use crate::ir::{ArgKind, Call, Callee, ExprKind, Place, StmtKind, each_stmt, places_in};
use crate::options::key_of;
use crate::types::Type;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

impl Emitter<'_> {
    /// The entries of a callee, found where the callee is found. If there are none, rustc reports that
    /// in the library's words.
    pub(super) fn entries_of(&self, callee: &Callee, span: Span) -> TokenStream {
        let fallback = quote!(fallback);
        match callee {
            Callee::Function(path) => self.entries_or(path, "__entries", "Callee", fallback, span),
            Callee::Derivative(derivative, path) => {
                let entries = format!("__entries_of_{}", derivative.name());
                self.entries_or(path, &entries, "Callee", fallback, span)
            }
            Callee::Associated(_)
            | Callee::Method(_)
            | Callee::Operator(_)
            | Callee::DirectedOperator(_)
            | Callee::Conversion(_)
            | Callee::Given => {
                unreachable!("it is no function at a path")
            }
        }
    }

    /// Proves of a callee that is given what has no derivative, and what may have one, that it is annotated: what it writes to the former
    /// depends on nothing that has one, for it says so. Where a derivative passes through the call, its sweeps prove that.
    pub(super) fn annotated_proof(&self, call: &Call, span: Span) -> Option<TokenStream> {
        let lent = lent_without_bar(self.body, call);
        if !lent.iter().any(|&var| self.is_read_for_floats(var)) {
            return None;
        }
        let proof = match (&call.callee, call.args.as_slice()) {
            (callee @ Callee::Function(_), _) => self.entries_of(callee, span),
            (Callee::Method(name), [receiver, ..]) => {
                self.receiver_of_annotated(name, receiver, span)
            }
            (
                Callee::Derivative(..)
                | Callee::Associated(_)
                | Callee::Method(_)
                | Callee::Operator(_)
                | Callee::DirectedOperator(_)
                | Callee::Conversion(_)
                | Callee::Given,
                _,
            ) => return None,
        };
        Some(quote_spanned!(span=> if false { let _ = #proof; }))
    }

    /// Whether a number may be computed of what is in a variable.
    fn is_read_for_floats(&self, var: Var) -> bool {
        let body = self.primal;
        let is_part = |place: &Place| body.root_of(place) == var;
        let mut is_read = false;
        each_stmt(&body.block, &mut |stmt| {
            if let StmtKind::Call(call) = &stmt.kind {
                let is_lent = call.args.iter().any(|arg| match &arg.kind {
                    ArgKind::Shared(place) | ArgKind::Exclusive(place) => is_part(place),
                    ArgKind::Value(value) => value.as_place().is_some_and(is_part),
                    ArgKind::Omitted => false,
                });
                let result = call.result.map(|result| &body.vars[result].ty);
                is_read |= is_lent && result.is_some_and(Type::may_carry_floats);
            }
            if let Some(value) = stmt.value() {
                let mut mentions = matches!(&value.kind, ExprKind::Opaque(opaque)
                    if opaque.reads.iter().any(|&read| is_part(&Place::var(read))));
                places_in(value, &mut |place| mentions |= is_part(place));
                is_read |= mentions && value.ty.may_carry_floats();
            }
        });
        is_read
    }

    /// The entries of a function at a path, or what a module of the runtime has in their place. `asks` says who asks for them.
    pub(super) fn entries_or(
        &self,
        path: &TokenStream,
        entries: &str,
        asks: &str,
        otherwise: TokenStream,
        span: Span,
    ) -> TokenStream {
        if let Some(path) = self.import(path).filter(|_| entries == "__entries") {
            return self.imported_entries(path, span);
        }
        // One span for all of it: rustc reports a missing adjoint once.
        let span = at(span);
        let (entries, asks) = (Ident::new(entries, span), Ident::new(asks, span));
        let rt = respanned(self.rt.clone(), span);
        let otherwise = respanned(otherwise, span);
        let path = respanned(self.entries_path(path), span);
        quote_spanned! {span=>
            { use #rt::#otherwise::*; use #path as __callee; __callee::#entries(#rt::#asks) }
        }
    }

    fn entries_path(&self, callee: &TokenStream) -> TokenStream {
        let Ok(mut path) = syn::parse2::<syn::Path>(callee.clone()) else { return callee.clone() };
        for segment in &mut path.segments {
            segment.arguments = syn::PathArguments::None;
        }
        let last = path.segments.last().map(|segment| segment.ident.clone());
        let names: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let key = key_of(&names);
        let given = self.product.callees.iter().find(|(name, _)| Some(name) == last.as_ref());
        let found = || self.product.found.iter().find(|(name, _)| *name == key);
        let other = given.or_else(found);
        match other {
            Some((_, path)) => located(path.clone()),
            None => located(quote!(#path)),
        }
    }

    /// The path by which a callee is imported whose module is hidden.
    fn import(&self, callee: &TokenStream) -> Option<&TokenStream> {
        let names = names_of(callee)?;
        let first = names.first()?;
        // What is imported inside of the function is something else.
        let is_inner = || self.product.items.iter().any(|item| mentions(item, first));
        let is_given = || {
            self.product
                .callees
                .iter()
                .any(|(name, _)| name == names.last().map_or("", String::as_str))
        };
        let key = key_of(&names);
        let found = self.product.imported.iter().find(|(name, _)| *name == key);
        found.filter(|_| !is_inner() && !is_given()).map(|(_, path)| path)
    }

    fn imported_entries(&self, path: &TokenStream, span: Span) -> TokenStream {
        let key = number_of_import(&self.rt, path);
        let span = at(span);
        let (rt, key) = (respanned(self.rt.clone(), span), respanned(key, span));
        quote_spanned!(span=> { <#rt::ByPath<#key> as #rt::Imported<_>>::ENTRIES })
    }
}

/// The number by which callers find the entries of a function that they import by a path.
pub(super) fn number_of_import(rt: &TokenStream, path: &TokenStream) -> TokenStream {
    let path = path.to_string().replace(' ', "");
    quote!({ #rt::import_key(::core::module_path!(), #path) })
}

/// The names in a path.
fn names_of(path: &TokenStream) -> Option<Vec<String>> {
    let path = syn::parse2::<syn::Path>(path.clone()).ok()?;
    Some(path.segments.iter().map(|segment| segment.ident.to_string()).collect())
}

/// Whether a name, or all names of something, may be bound in an item.
fn mentions(item: &TokenStream, name: &str) -> bool {
    item.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) => mentions(&group.stream(), name),
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Punct(sign) => sign.as_char() == '*',
        TokenTree::Literal(_) => false,
    })
}
