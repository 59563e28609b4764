//! `Option`s in parts that kept code gets as they were: put together to be read, and for a statement that changes one, taken apart again
//! afterwards.
//!
//! ```text
//! if let Some(u) = &mut e { … }       let mut e = if e_is_some { Some(e_payload) } else { None };
//!                                     if let Some(u) = &mut e { … }
//!                                     e_is_some = Option::is_some(&e); e_payload = Option::unwrap_or(e, e_payload);
//! ```

use super::Lowerer;
use super::access::Access;
use super::optional::{Failure, Parts, variables_of};
use crate::index::Var;
use crate::ir::Opaque;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// An `Option` in parts that a statement finds put together under its own name.
pub(super) struct Whole {
    pub(super) var: Var,
    parts: Parts,
}

impl Lowerer<'_> {
    /// The `Option`s that a statement changes and that can be put together for it. What the others are changed to would be lost.
    pub(super) fn put_together_for(&self, access: &mut Access) -> Vec<Whole> {
        let options = access.options.keys().filter_map(|&var| {
            let optional = self.optionals.get(&var)?;
            let parts = variables_of(optional)?;
            matches!(optional.failure, Failure::None).then_some(Whole { var, parts })
        });
        let wholes: Vec<Whole> = options.collect();
        for Whole { var, parts } in &wholes {
            if let Some(name) = access.options.remove(var) {
                self.wanted_whole(&name.to_string(), *var, name.span());
            }
            access.writes.extend([parts.some, parts.payload]);
        }
        wholes
    }

    /// A statement between putting `Option`s together and taking them apart.
    pub(super) fn with_wholes(&self, wholes: &[Whole], statement: Opaque) -> Opaque {
        wholes.iter().fold(statement, |statement, whole| {
            let Opaque { tokens, mut reads, .. } = statement;
            let Parts { some, payload } = whole.parts;
            reads.extend([some, payload]);
            let of = |var: Var| Ident::new(&self.body.vars[var].name, Span::call_site());
            let [name, some, payload] = [whole.var, some, payload].map(of);
            let together = together(&some, &payload);
            let tokens = quote!({
                let mut #name = #together;
                #tokens
                #some = ::core::option::Option::is_some(&#name);
                #payload = ::core::option::Option::unwrap_or(#name, #payload);
            });
            Opaque { tokens, reads, ..statement }
        })
    }

    /// Reports a use of an `Option` for which its parts are not enough.
    pub(super) fn option_in_parts(&self, span: Span) {
        self.errors.report(
            span,
            "this use of an `Option` or a `Result` is not supported",
            "assign to it, match it, or use methods like `map`, `unwrap_or`, `is_some`",
        );
    }
}

/// An `Option` out of its parts.
pub(super) fn together(some: &Ident, payload: &Ident) -> TokenStream {
    quote! {
        if #some { ::core::option::Option::Some(#payload) } else { ::core::option::Option::None }
    }
}
