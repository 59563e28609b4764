//! Operators: the sweeps are those of a trait of the runtime, by which rustc finds them.

use super::super::located;
use super::super::operators::{trait_of_directed, trait_of_operator};
use super::Entries;
use crate::interface::{StandardImpl, WrittenTrait};
use crate::ir::{Operator, StandardTrait};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::collections::HashMap;

impl Entries<'_> {
    /// What makes an operator one with an adjoint.
    pub(super) fn operator(&self, known: &StandardImpl) -> TokenStream {
        let StandardImpl { of, written, generics, bounds, self_type, .. } = known;
        let [generics, bounds, self_type] =
            [generics, bounds, self_type].map(|tokens| located(tokens.clone()));
        let WrittenTrait { path, params, clauses } = written;
        let [path, params, written_clauses] =
            [path, params, clauses].map(|tokens| located(tokens.clone()));
        let of_trait = trait_of(known, &self.rt);
        let result = self.output();
        let output = match of {
            StandardTrait::Operator(Operator::Unary(_) | Operator::Binary(_)) => {
                Some(quote!(type Output = #result;))
            }
            StandardTrait::Operator(Operator::Assign(_)) | StandardTrait::Conversion => None,
        };
        let standard = standard_path(*of);
        let kept = self.kept_type(&HashMap::new());
        let (forward, backward) = (self.forward_sweep(), self.backward_sweep());
        let tangent = self.product.tangent.map(|tangent| self.uniform_tangent(tangent));
        let separate = |tokens: &TokenStream| match tokens.to_string().trim_end().ends_with(',') {
            _ if tokens.is_empty() => TokenStream::new(),
            true => tokens.clone(),
            false => quote!(#tokens,),
        };
        let (params, written_clauses) = (separate(&params), separate(&written_clauses));
        let clauses = separate(&bounds);
        let demands = self.interface.demands.iter().chain(&self.interface.asked_of_others);
        let arguments = arguments_of(&path);
        quote! {
            #[automatically_derived]
            #[allow(unreachable_code, clippy::all)]
            impl<#generics> #of_trait for #self_type where #clauses #(#demands,)* {
                #output
                type Kept = #kept;
                #forward
                #backward
                #tangent
            }
            // The trait is the one that its name says.
            #[allow(clippy::all)]
            const _: () = {
                fn _is_of_standard_library<#params __T: #path>(value: __T) -> impl #standard #arguments
                where #written_clauses
                {
                    value
                }
            };
        }
    }
}

/// What makes an operator one with second derivatives: these sweeps, of its tangent.
pub(super) fn directed_operator(known: &StandardImpl, entries: &Entries<'_>) -> TokenStream {
    let StandardImpl { generics, bounds, self_type, .. } = known;
    let [generics, bounds, self_type] =
        [generics, bounds, self_type].map(|tokens| located(tokens.clone()));
    let of_trait = directed_trait_of(known, &entries.rt);
    let kept = entries.kept_type(&HashMap::new());
    let (forward, backward) = (entries.forward_sweep(), entries.backward_sweep());
    let clauses = (!bounds.is_empty()).then(|| quote!(where #bounds));
    quote! {
        #[automatically_derived]
        #[allow(unreachable_code, clippy::all)]
        impl<#generics> #of_trait for #self_type #clauses {
            type Stored = #kept;
            #forward
            #backward
        }
    }
}

fn standard_path(of: StandardTrait) -> TokenStream {
    match of {
        StandardTrait::Operator(operator) => {
            let name = Ident::new(&operator.trait_name(), Span::call_site());
            quote!(::core::ops::#name)
        }
        StandardTrait::Conversion => quote!(::core::convert::From),
    }
}

/// The trait of the runtime that an operator or a conversion implements.
pub(super) fn trait_of(known: &StandardImpl, rt: &TokenStream) -> TokenStream {
    let right = located(known.right.clone());
    match known.of {
        StandardTrait::Operator(operator) => {
            let of = (operator, known.by_reference);
            trait_of_operator(rt, of, &right, Span::call_site())
        }
        StandardTrait::Conversion => quote!(#rt::conversion::Conversion<#right>),
    }
}

/// The trait of the runtime that the tangent of an operator implements.
pub(super) fn directed_trait_of(known: &StandardImpl, rt: &TokenStream) -> TokenStream {
    match known.of {
        StandardTrait::Operator(operator) => {
            let right = located(known.right.clone());
            trait_of_directed(rt, operator, &right, Span::call_site())
        }
        StandardTrait::Conversion => unreachable!("conversions have no second derivatives"),
    }
}

/// The generic arguments at the end of a path.
fn arguments_of(path: &TokenStream) -> Option<TokenStream> {
    let path: syn::Path = syn::parse2(path.clone()).ok()?;
    let arguments = &path.segments.last()?.arguments;
    Some(quote!(#arguments))
}
