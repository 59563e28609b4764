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
use quote::{ToTokens, quote};

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
        let own = self.entries.hidden_name("primal");
        let own = (!self.function.is_decided()).then(|| self.undecided_primal(&own));
        let directed = [self.forward(), self.backward()];
        let by_receiver = directed.iter().filter_map(|sweep| self.by_receiver(sweep));
        let by_receiver: Vec<TokenStream> = by_receiver.collect();
        let directed = directed.iter().map(|sweep| self.directed_sweep(sweep));
        quote!(#(#functions)* #own #primal #(#directed)* #(#by_receiver)* #class)
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

    /// A sweep for callers that see a value, and not its type. The backward sweep of a method that changes its receiver is found by the bar
    /// of that, which is of the same type.
    fn by_receiver(&self, sweep: &DirectedSweep) -> Option<TokenStream> {
        let is_forward = sweep.output.is_some();
        let receiver = self.function.params.first().filter(|_| self.function.has_receiver)?;
        let name = relocated(&receiver.ident);
        match (receiver.passing, is_forward) {
            (_, true) => Some(self.method_of(sweep, self.entries.receiver(), &quote!(#name), None)),
            (Passing::Value | Passing::Shared, false) => {
                Some(self.method_of(sweep, Some(quote!(&#name)), &quote!(#name), None))
            }
            (Passing::Exclusive, false) if receiver.has_bar() => {
                let (rt, activity) = (&self.entries.rt, &self.entries.activity[0]);
                let bar = quote!(#rt::when::<#activity, _>(#name));
                let sweep = self.backward_with(true);
                Some(self.method_of(&sweep, Some(quote!(&mut #name)), &quote!(()), Some(bar)))
            }
            // Nothing is known of its type.
            (Passing::Exclusive, false) => None,
        }
    }

    /// A sweep with the receiver `own`, which hands on `passed`, and where the receiver is a bar, that.
    fn method_of(
        &self,
        sweep: &DirectedSweep,
        own: Option<TokenStream>,
        passed: &TokenStream,
        bar: Option<TokenStream>,
    ) -> TokenStream {
        let DirectedSweep { name, generics, head, params, last, output, .. } = sweep;
        let (generics, mut bounds) = generics.clone();
        if bar.is_some() {
            let rt = &self.entries.rt;
            let begin = if bounds.is_empty() { quote!(where) } else { quote!(,) };
            bounds.extend(quote!(#begin for<'bar> Self: #rt::Differentiable<Bar = Self>));
        }
        let [_, own_slot, others @ ..] = params.as_slice() else {
            unreachable!("a receiver, and what follows it")
        };
        let declared = |Passed { name, ty, .. }: &Passed| quote!(#name: #ty);
        let all = head.iter().chain([own_slot]).chain(others).chain(last).map(declared);
        let (before, after) = (head.iter().map(|param| &param.name), others.iter().chain(last));
        let after = after.map(|param| &param.name);
        let slot = bar.unwrap_or_else(|| own_slot.name.to_token_stream());
        let (function, method) =
            (self.hidden_directed(name), self.hidden_directed(&format!("{name}_of")));
        let output = output.as_ref().map(|output| quote!(-> #output));
        let visibility = &self.function.visibility;
        quote! {
            #[doc(hidden)]
            #[allow(clippy::all)]
            #[inline]
            #visibility fn #method #generics (#own, #(#all),*) #output #bounds {
                Self::#function(#(#before,)* #passed, #slot, #(#after),*)
            }
        }
    }
}
