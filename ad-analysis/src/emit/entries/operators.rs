//! Operators: the sweeps are those of a trait of the runtime, by which rustc finds them.

use super::super::located;
use super::Entries;
use crate::interface::OperatorImpl;
use crate::ir::Operator;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::collections::HashMap;

impl Entries<'_> {
    /// What makes an operator one with an adjoint.
    pub(super) fn operator(&self, known: &OperatorImpl) -> TokenStream {
        let OperatorImpl { operator, path, generics, bounds, self_type, .. } = known;
        let [path, generics, bounds, self_type] =
            [path, generics, bounds, self_type].map(|tokens| located(tokens.clone()));
        let kind = Ident::new(&operator.trait_name(), Span::call_site());
        let of_trait = trait_in("operator", known, &self.rt);
        let result = self.output();
        let output = match operator {
            Operator::Unary(_) | Operator::Binary(_) => Some(quote!(type Output = #result;)),
            Operator::Assign(_) => None,
        };
        let kept = self.kept_type(&HashMap::new());
        let (forward, backward) = (self.forward_sweep(), self.backward_sweep());
        let tangent = self.product.tangent.map(|tangent| self.uniform_tangent(tangent));
        let separate = |tokens: &TokenStream| match tokens.to_string().trim_end().ends_with(',') {
            _ if tokens.is_empty() => TokenStream::new(),
            true => tokens.clone(),
            false => quote!(#tokens,),
        };
        let (params, clauses) = (separate(&generics), separate(&bounds));
        let demands = self.interface.demands.iter().chain(&self.interface.unchanging);
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
            // The trait is the one that the operator is for.
            const _: () = {
                fn _is_operator<#params __T: #path>(value: __T) -> impl ::core::ops::#kind #arguments
                where #clauses
                {
                    value
                }
            };
        }
    }
}

/// What makes an operator one with second derivatives: these sweeps, of its tangent.
pub(super) fn directed_operator(known: &OperatorImpl, entries: &Entries<'_>) -> TokenStream {
    let OperatorImpl { generics, bounds, self_type, .. } = known;
    let [generics, bounds, self_type] =
        [generics, bounds, self_type].map(|tokens| located(tokens.clone()));
    let of_trait = trait_in("directed", known, &entries.rt);
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

/// The trait of a module of the runtime that an operator implements.
pub(super) fn trait_in(module: &str, known: &OperatorImpl, rt: &TokenStream) -> TokenStream {
    let name = |name: &str| Ident::new(name, Span::call_site());
    let (module, kind) = (name(module), name(&known.operator.trait_name()));
    let (kind, right) = (quote!(#rt::operator::kind::#kind), located(known.right.clone()));
    match known.operator {
        Operator::Unary(_) => quote!(#rt::#module::Unary<#kind>),
        Operator::Binary(_) => quote!(#rt::#module::Binary<#kind, #right>),
        Operator::Assign(_) => quote!(#rt::#module::Assign<#kind, #right>),
    }
}

/// The generic arguments at the end of a path.
fn arguments_of(path: &TokenStream) -> Option<TokenStream> {
    let path: syn::Path = syn::parse2(path.clone()).ok()?;
    let arguments = &path.segments.last()?.arguments;
    Some(quote!(#arguments))
}
