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
        let owned = self.each_case(quote!(self), |case| (case.all(), self.owned_by(case)));
        let traits = self.passive().next().is_some().then(|| {
            quote! {
                #[allow(unused_imports)]
                use #rt::heap::{OfElements, OfStorable, OfUnknown};
            }
        });
        let in_one_piece = self.in_one_piece();
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
            fn heap_bytes(&self) -> usize {
                #traits
                #owned
            }
            #in_one_piece
        };
        let storable = self.implementation(&quote!(#rt::Storable), &bounds, body);
        let placeholder = self.placeholder();
        quote!(#storable #placeholder)
    }

    /// The simplest of the cases, made of what its fields have for variables without a value.
    fn placeholder(&self) -> TokenStream {
        let rt = &self.rt;
        let simplest = self.simplest();
        let path = simplest.path();
        let fields = simplest.fields.iter();
        let bounds: Vec<TokenStream> = fields
            .clone()
            .filter(|field| !mentions(field.ty, |name| name == self.name))
            .map(|field| {
                let ty = self.stored(field);
                quote!(for<'__stack> #ty: #rt::Placeholder)
            })
            .collect();
        let values = fields.map(|field| {
            let (member, ty) = (&field.member, self.stored(field));
            let payload = payload(field);
            quote!(#member: <#ty as #rt::Placeholder>::placeholder() #payload,)
        });
        let body = quote! {
            #[inline]
            fn placeholder() -> Self {
                #path { #(#values)* }
            }
        };
        self.implementation(&quote!(#rt::Placeholder), &bounds, body)
    }

    /// The only case, if values are stored in one piece where all fields are: those of enums differ in what they take, and of
    /// passive fields it is not known.
    fn case_in_one_piece(&self) -> Option<&Case<'_>> {
        let [case] = self.cases.as_slice() else { return None };
        (!case.fields.is_empty() && self.passive().next().is_none()).then_some(case)
    }

    /// How many words a value takes, and what these are.
    fn in_one_piece(&self) -> Option<TokenStream> {
        let case = self.case_in_one_piece()?;
        let (rt, all, path) = (&self.rt, case.all(), case.path());
        let types: Vec<TokenStream> = case.fields.iter().map(|field| self.stored(field)).collect();
        let names = case.fields.iter().map(|field| &field.name);
        let members = case.fields.iter().map(|field| &field.member);
        Some(quote! {
            const WORDS: ::core::option::Option<usize> =
                #rt::words_together(&[#(<#types as #rt::Storable>::WORDS),*]);
            #[inline]
            fn to_words(&self, mut words: &mut [u64]) {
                match self { #all => { #(#rt::put_words::<#types>(#names, &mut words);)* } }
            }
            #[inline]
            fn from_words(mut words: &[u64]) -> Self {
                #path { #(#members: #rt::take_words::<#types>(&mut words),)* }
            }
        })
    }

    fn store(&self) -> TokenStream {
        let rt = &self.rt;
        let mut position = 0..self.cases.len();
        let arms: Vec<TokenStream> = (self.cases.iter().zip(&mut position))
            .map(|(case, position)| {
                let pattern = case.all();
                let fields = case.fields.iter().map(|field| {
                    let (name, ty) = (&field.name, self.stored(field));
                    let value = match is_moved(field) {
                        true => quote!(#rt::Moved(#name)),
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
        let in_one_piece = self.case_in_one_piece().map(|_| {
            quote! {
                if stack.push_in_one_piece(&self) {
                    return;
                }
            }
        });
        quote!(#in_one_piece match self { #(#arms)* })
    }

    fn load(&self) -> TokenStream {
        let rt = &self.rt;
        let loaded: Vec<TokenStream> = self.cases.iter().map(|case| self.loaded(case)).collect();
        let Some((last, others)) = loaded.split_last() else { return TokenStream::new() };
        if others.is_empty() {
            let in_one_piece = self.case_in_one_piece().map(|_| {
                quote! {
                    if let ::core::option::Option::Some(value) = stack.pop_in_one_piece() {
                        return value;
                    }
                }
            });
            return quote!(#in_one_piece #last);
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
            let payload = payload(field);
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

    /// The type by which the value of a field is stored.
    fn stored(&self, field: &CaseField<'_>) -> TokenStream {
        let (rt, ty) = (&self.rt, field.ty);
        match is_moved(field) {
            true => quote!(#rt::Moved<#ty>),
            false => quote!(#ty),
        }
    }
}

/// Whether nothing is known of the value of a field, and it is moved to the stack as it is.
fn is_moved(field: &CaseField<'_>) -> bool {
    field.passive && !is_phantom(field.ty)
}

/// The value of a field out of what was stored.
fn payload(field: &CaseField<'_>) -> Option<TokenStream> {
    is_moved(field).then(|| quote!(.0))
}
