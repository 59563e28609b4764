//! `Storable`: the fields of a value, and above them the number of its variant.

use super::cases::{Case, CaseField, Structure, is_phantom, mentions};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

impl Structure<'_> {
    pub(super) fn storable(&self) -> TokenStream {
        let rt = &self.rt;
        // A stack has no lifetime: what borrows cannot be put there.
        if self.generics.lifetimes().next().is_some() {
            return TokenStream::new();
        }
        // Asked for only where a value of the type has to be stored: hence the lifetime.
        let fields = self.fields().filter(|field| !mentions(field.ty, |name| name == self.name));
        let bounds = fields.map(|field| {
            let ty = self.stored(field);
            quote!(for<'__stack> #ty: #rt::Storable)
        });
        let bounds: Vec<TokenStream> = bounds.collect();
        let (store, load) = (self.store(), self.load());
        let simplest = self.simplest();
        let placeholders = simplest.fields.iter().map(|field| {
            let (member, ty) = (&field.member, self.stored(field));
            let payload = field.passive.then(|| quote!(.0));
            quote!(#member: <#ty as #rt::Storable>::placeholder() #payload,)
        });
        let path = simplest.path();
        let owned = self.each_case(quote!(self), |case| (case.all(), self.owned_by(case)));
        let traits = self.passive().next().is_some().then(|| {
            quote! {
                #[allow(unused_imports)]
                use #rt::heap::{OfElements, OfStorable, OfUnknown};
            }
        });
        let is_empty = self.fields().next().is_none() && self.cases.len() == 1;
        let stack = if is_empty { quote!(_) } else { quote!(stack) };
        let body = quote! {
            #[inline]
            fn store(self, #stack: &mut #rt::Stack) {
                #store
            }
            #[inline]
            #[track_caller]
            fn load(#stack: &mut #rt::Stack) -> Self {
                #load
            }
            #[inline]
            fn placeholder() -> Self {
                #path { #(#placeholders)* }
            }
            #[inline]
            fn heap_bytes(&self) -> usize {
                #traits
                #owned
            }
        };
        self.implementation(&quote!(#rt::Storable), &bounds, body)
    }

    fn store(&self) -> TokenStream {
        let rt = &self.rt;
        let mut position = 0..self.cases.len();
        let arms: Vec<TokenStream> = (self.cases.iter().zip(&mut position))
            .map(|(case, position)| {
                let pattern = case.all();
                let fields = case.fields.iter().map(|field| {
                    let (name, ty) = (&field.name, self.stored(field));
                    let value = match field.passive {
                        true => {
                            let wrapper = self.wrapper(field);
                            quote!(#wrapper(#name))
                        }
                        false => quote!(#name),
                    };
                    quote!(<#ty as #rt::Storable>::store(#value, stack);)
                });
                let number = Literal::usize_unsuffixed(position);
                let variant = (self.cases.len() > 1)
                    .then(|| quote!(<usize as #rt::Storable>::store(#number, stack);));
                quote!(#pattern => { #(#fields)* #variant })
            })
            .collect();
        quote!(match self { #(#arms)* })
    }

    fn load(&self) -> TokenStream {
        let rt = &self.rt;
        let loaded: Vec<TokenStream> = self.cases.iter().map(|case| self.loaded(case)).collect();
        let Some((last, others)) = loaded.split_last() else { return TokenStream::new() };
        if others.is_empty() {
            return last.clone();
        }
        let arms = others.iter().enumerate().map(|(position, loaded)| {
            let number = Literal::usize_unsuffixed(position);
            quote!(#number => { #loaded })
        });
        quote! {
            match <usize as #rt::Storable>::load(stack) {
                #(#arms)*
                _ => { #last }
            }
        }
    }

    /// A value whose fields are loaded, the last one first.
    fn loaded(&self, case: &Case<'_>) -> TokenStream {
        let (rt, path) = (&self.rt, case.path());
        let load = case.fields.iter().rev().map(|field| {
            let (name, ty) = (&field.name, self.stored(field));
            quote!(let #name = <#ty as #rt::Storable>::load(stack);)
        });
        let loaded = case.fields.iter().map(|field| {
            let (member, name) = (&field.member, &field.name);
            let payload = field.passive.then(|| quote!(.0));
            quote!(#member: #name #payload,)
        });
        quote!(#(#load)* #path { #(#loaded)* })
    }

    fn owned_by(&self, case: &Case<'_>) -> TokenStream {
        let rt = &self.rt;
        let owned = case.fields.iter().map(|field| {
            let (name, ty) = (&field.name, self.stored(field));
            match field.passive {
                true => quote!(+ (&&&#rt::heap::Owner(#name)).heap_bytes()),
                false => quote!(+ <#ty as #rt::Storable>::heap_bytes(#name)),
            }
        });
        quote!(0 #(#owned)*)
    }

    fn stored(&self, field: &CaseField<'_>) -> TokenStream {
        let (wrapper, ty) = (self.wrapper(field), field.ty);
        match field.passive {
            true => quote!(#wrapper<#ty>),
            false => quote!(#ty),
        }
    }

    fn wrapper(&self, field: &CaseField<'_>) -> TokenStream {
        let rt = &self.rt;
        match is_phantom(field.ty) {
            true => quote!(#rt::PhantomValue),
            false => quote!(#rt::PassiveValue),
        }
    }
}
