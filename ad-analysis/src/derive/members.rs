//! What generated code asks of a type: which fields it has, which of them are passive, and the payloads of its variants.

use super::cases::{Case, CaseField, Structure};
use super::{field_query, number_of_field};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

impl Structure<'_> {
    /// Says which fields the type has for all: where a field is not seen, its name means one of what the type `Deref`s to.
    pub(super) fn members(&self) -> TokenStream {
        let (rt, name) = (&self.rt, self.name);
        let (generics, args, own) = self.generics.split_for_impl();
        let members = self.cases.iter().flat_map(|case| {
            let public = case.fields.iter().filter(|field| field.is_public);
            public.map(|field| case.name_of(field)).chain(case.test_name())
        });
        let members = members.map(|member| {
            let field = Literal::u128_unsuffixed(number_of_field(&member));
            quote! {
                #[automatically_derived]
                impl #generics #rt::direct::Has<#field> for #name #args #own {}
            }
        });
        members.collect()
    }

    /// By these functions generated code finds out that a field is passive: where there is none, it
    /// finds another that says the opposite.
    pub(super) fn queries(&self) -> TokenStream {
        let (name, rt) = (self.name, &self.rt);
        let (generics, args, clause) = self.generics.split_for_impl();
        let queries = self.passive().map(|(case, field)| {
            let query = format_ident!("{}", field_query(&case.name_of(field)));
            quote! {
                #[doc(hidden)]
                #[inline]
                pub fn #query(&self) -> #rt::PassiveField {
                    #rt::PassiveField
                }
            }
        });
        let queries: Vec<TokenStream> = queries.collect();
        if queries.is_empty() {
            return TokenStream::new();
        }
        quote! {
            #[automatically_derived]
            impl #generics #name #args #clause { #(#queries)* }
        }
    }

    /// Payloads are places for generated code: `value[payload]`. Of another variant there is none, and generated code asks
    /// for the variant first.
    pub(super) fn payloads(&self) -> TokenStream {
        let variants = self.cases.iter().filter_map(|case| {
            let payloads = case.fields.iter().map(|field| self.payload(case, field));
            let payloads: TokenStream = payloads.collect();
            let test = self.test(case, &case.test_name()?);
            Some(quote!(#payloads #test))
        });
        variants.collect()
    }

    fn payload(&self, case: &Case<'_>, field: &CaseField<'_>) -> TokenStream {
        let (rt, ty, name) = (&self.rt, field.ty, &field.name);
        let number = Literal::u128_unsuffixed(number_of_field(&case.name_of(field)));
        let pattern = case.pattern([field].into_iter(), |field| &field.name);
        let others = (self.cases.len() > 1).then(|| quote!(_ => #rt::variants_differ(),));
        let of = quote!(#rt::Payload<#number>);
        let shared = quote! {
            type Output = #ty;
            #[inline]
            #[track_caller]
            fn index(&self, _: #of) -> &#ty {
                match self { #pattern => #name, #others }
            }
        };
        let exclusive = quote! {
            #[inline]
            #[track_caller]
            fn index_mut(&mut self, _: #of) -> &mut #ty {
                match self { #pattern => #name, #others }
            }
        };
        let shared = self.implementation(&quote!(::core::ops::Index<#of>), &[], shared);
        let exclusive = self.implementation(&quote!(::core::ops::IndexMut<#of>), &[], exclusive);
        quote!(#shared #exclusive)
    }

    /// Whether a value is of a variant.
    fn test(&self, case: &Case<'_>, name: &str) -> TokenStream {
        let rt = &self.rt;
        let number = Literal::u128_unsuffixed(number_of_field(name));
        let pattern = case.pattern(std::iter::empty(), |field| &field.name);
        let others = (self.cases.len() > 1).then(|| quote!(_ => &false,));
        let of = quote!(#rt::Payload<#number>);
        let body = quote! {
            type Output = bool;
            #[inline]
            fn index(&self, _: #of) -> &bool {
                match self { #pattern => &true, #others }
            }
        };
        self.implementation(&quote!(::core::ops::Index<#of>), &[], body)
    }
}
