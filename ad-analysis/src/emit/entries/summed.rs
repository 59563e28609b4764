//! The function with a sum of what its statements assign, as generated tests call it.

use super::super::respanned;
use super::{Entries, relocated};
use crate::index::Var;
use crate::interface::{Interface, Parameter, Passing};
use crate::ir::Body;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

/// The path of the function whose results are summed.
pub(in super::super) fn path_of_terms(interface: &Interface) -> TokenStream {
    let facade = &interface.facade;
    quote!(#facade::__private::check::summed::term)
}

/// The signature of a function with a sum, which has that body.
pub(in super::super) fn signature_with_sum(
    interface: &Interface,
    body: &Body,
    sum: Var,
) -> Interface {
    let name = Ident::new(&body.vars[sum].name, Span::call_site());
    let mut params = interface.params.clone();
    params.push(Parameter {
        var: sum,
        names: vec![name.clone()],
        ident: name,
        ty: quote!(&mut f64),
        pointee: quote!(f64),
        passing: Passing::Exclusive,
        independent: false,
        dependent: true,
        is_decided: true,
    });
    let entries = format_ident!("__{}_summed", interface.entries, span = Span::call_site());
    let (visibility, examples) = (TokenStream::new(), Vec::new());
    Interface { entries, visibility, params, examples, selection: None, ..interface.clone() }
}

impl Entries<'_> {
    /// The struct with the derivatives of that function.
    pub(super) fn summed(&self) -> Option<TokenStream> {
        let summed = Entries::new(self.product.summed?.product);
        let Interface { entries, .. } = summed.interface;
        let derivatives = [summed.adjoint(), summed.adjoint_with()].into_iter();
        let derivatives = derivatives.chain(summed.tangent()).map(|entry| entry.tokens);
        let sweeps = [summed.forward_sweep(), summed.backward_sweep()].into_iter();
        let sweeps = sweeps.chain(summed.product.tangent.map(|own| summed.uniform_tangent(own)));
        let (primal, single_pass) = (summed.without_sum(self.interface), summed.single_pass());
        Some(quote! {
            #[cfg(test)]
            struct #entries {}

            #[cfg(test)]
            #[automatically_derived]
            #[allow(unreachable_code, clippy::all)]
            impl #entries {
                #(#derivatives)*
                #primal
                #(#sweeps)*
                #single_pass
            }
        })
    }

    /// The function itself, where nobody asks for the sum.
    fn without_sum(&self, function: &Interface) -> TokenStream {
        let params = self.primal_params();
        let args: Vec<Ident> =
            function.params.iter().map(|param| relocated(&param.ident)).collect();
        let (entries, output) = (relocated(&function.entries), self.output());
        quote! {
            #[allow(unused_variables)]
            fn __primal(#(#params),*) -> #output {
                #entries::__primal(#(#args),*)
            }
        }
    }

    /// The statements whose values are in the sum.
    pub(super) fn sites(&self) -> Option<TokenStream> {
        let rt = &self.rt;
        let sites = self.product.summed?.sites.iter().map(|site| {
            let name = &site.name;
            let location =
                respanned(quote!(const { ::core::panic::Location::caller() }), site.span);
            quote!(#rt::check::summed::Site { name: #name, location: #location })
        });
        Some(quote!([#(#sites),*]))
    }
}
