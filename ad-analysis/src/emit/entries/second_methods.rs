//! Second derivatives of methods and of other functions in an `impl` block: they are functions beside it.
//!
//! What callers find is the tangent as a method with adjoint of its own, which takes something behind each argument: it is called, and
//! found, as any other is.

use super::super::hidden_name;
use super::relocated;
use super::second::{DirectedSweep, Passed, Second};
use crate::interface::Passing;
use crate::ir::directed_name;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

impl Second<'_> {
    /// What stands beside a function in an `impl` block.
    pub(super) fn of_method(&self) -> TokenStream {
        let sweeps = [self.entries.forward_sweep(), self.entries.backward_sweep()];
        let vector = self.hessian_vector().map(|entry| entry.tokens);
        let functions = sweeps.into_iter().chain(vector).chain(self.dense_entries());
        let functions = functions.chain(self.along()).chain(self.sparse());
        let functions =
            functions.map(|function| quote!(#[allow(unreachable_code, clippy::all)] #function));
        let (primal, class) = (self.primal(), self.directed_class());
        let directed = [self.forward(), self.backward()];
        let by_receiver = directed.iter().filter_map(|sweep| self.by_receiver(sweep));
        let by_receiver: Vec<TokenStream> = by_receiver.collect();
        let directed = directed.iter().map(|sweep| self.directed_sweep(sweep));
        quote!(#(#functions)* #primal #(#directed)* #(#by_receiver)* #class)
    }

    /// What the names of what callers find begin with.
    fn directed_prefix(&self) -> Ident {
        Ident::new(&directed_name(&self.function.entries.to_string()), Span::call_site())
    }

    /// What callers find.
    pub(super) fn hidden_directed(&self, sweep: &str) -> Ident {
        let prefix = self.directed_prefix();
        match sweep {
            "primal" => prefix,
            sweep => hidden_name(&prefix.to_string(), sweep),
        }
    }

    /// What it must tell its callers besides.
    fn directed_class(&self) -> TokenStream {
        let (mut types, mut more) = (Vec::new(), Vec::new());
        for of in self.params() {
            let param = of.value.1;
            let (ty, direction) = (super::located(param.ty.clone()), of.ty);
            types.extend([ty, quote!(#direction)]);
            more.push(direction);
        }
        self.entries.class_under(&self.directed_prefix(), &types, &more)
    }

    /// A sweep for callers that see a value, and not its type. That of a method that changes its receiver is found by the bar of
    /// that, which such a method does not have here.
    fn by_receiver(&self, sweep: &DirectedSweep) -> Option<TokenStream> {
        let is_forward = sweep.output.is_some();
        let receiver = self.function.params.first().filter(|_| self.function.has_receiver)?;
        let (own, passed) = match (receiver.passing, is_forward) {
            (_, true) => (self.entries.receiver(), relocated(&receiver.ident)),
            (Passing::Value | Passing::Shared, false) => {
                let name = relocated(&receiver.ident);
                (Some(quote!(&#name)), name)
            }
            (Passing::Exclusive, false) => return None,
        };
        let DirectedSweep {
            name, generics: (generics, bounds), head, params, last, output, ..
        } = sweep;
        let (_, others) = params.split_first()?;
        let declared = |Passed { name, ty, .. }: &Passed| quote!(#name: #ty);
        let all = head.iter().chain(others).chain(last).map(declared);
        let (before, after) = (head.iter().map(|param| &param.name), others.iter().chain(last));
        let after = after.map(|param| &param.name);
        let (function, method) =
            (self.hidden_directed(name), self.hidden_directed(&format!("{name}_of")));
        let output = output.as_ref().map(|output| quote!(-> #output));
        let visibility = &self.function.visibility;
        Some(quote! {
            #[doc(hidden)]
            #[allow(clippy::all)]
            #[inline]
            #visibility fn #method #generics (#own, #(#all),*) #output #bounds {
                Self::#function(#(#before,)* #passed, #(#after),*)
            }
        })
    }
}
