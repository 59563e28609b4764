//! The bar of a type: `Differentiable` and `Vector`.

use super::cases::{Case, CaseField, Structure, is_phantom, mentions};
use super::field_query;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

impl Structure<'_> {
    pub(super) fn differentiable(&self) -> TokenStream {
        let zero = self.each_case(quote!(self), |case| (case.all(), self.zero_of(case)));
        let (common, any) = match self.cases.as_slice() {
            [case] if case.variant.is_none() => {
                (self.of_type(case, "common_zero"), self.of_type(case, "any"))
            }
            // The variants of an enum have different zeros.
            _ => (quote!(::core::option::Option::None), self.of_type(self.simplest(), "any")),
        };
        let rt = &self.rt;
        let body = quote! {
            type Bar = Self;
            #[inline]
            fn zero_bar(&self) -> Self {
                #zero
            }
            #[inline]
            fn common_zero_bar() -> ::core::option::Option<Self> {
                #common
            }
            #[inline]
            fn any_bar() -> ::core::option::Option<Self> {
                #any
            }
            #[inline]
            fn digest_bar_shape(&self, digest: &mut #rt::ShapeDigest) {
                #rt::Vector::digest_shape(self, digest);
            }
        };
        self.implementation(&quote!(#rt::Differentiable), &self.bounds(), body)
    }

    /// The zero bar of a value whose fields have names.
    fn zero_of(&self, case: &Case<'_>) -> TokenStream {
        let (rt, path) = (&self.rt, case.path());
        let zeros = case.fields.iter().map(|CaseField { member, ty, passive, name, .. }| {
            let span = ty.span();
            match passive {
                // It is no other type of that name.
                true if is_phantom(ty) => quote_spanned! {span=>
                    #member: {
                        let phantom: ::core::marker::PhantomData<_> = *#name;
                        phantom
                    },
                },
                true => quote!(#member: ::core::clone::Clone::clone(#name),),
                false => quote_spanned!(span=> #member: <#ty as #rt::Field>::zero(#name),),
            }
        });
        quote!(#path { #(#zeros)* })
    }

    /// What is told of a case by the types of its fields. A copy of a passive value is not the same for all values of the type.
    fn of_type(&self, case: &Case<'_>, function: &str) -> TokenStream {
        let (rt, path) = (&self.rt, case.path());
        if case.fields.iter().any(|field| field.passive && !is_phantom(field.ty)) {
            return quote!(::core::option::Option::None);
        }
        let function = format_ident!("{function}");
        let zeros = case.fields.iter().map(|CaseField { member, ty, passive, .. }| {
            let span = ty.span();
            match passive {
                true => quote_spanned!(span=> #member: ::core::marker::PhantomData,),
                false => quote_spanned!(span=> #member: <#ty as #rt::Field>::#function()?,),
            }
        });
        quote!(::core::option::Option::Some(#path { #(#zeros)* }))
    }

    pub(super) fn vector(&self) -> TokenStream {
        let rt = &self.rt;
        let active = |case: &Case<'_>| case.pattern(case.active(), |field| &field.name);
        let each = |call: &dyn Fn(&CaseField<'_>, &Type) -> TokenStream, end: TokenStream| {
            self.each_case(quote!(self), |case| {
                let calls: TokenStream = case.active().map(|field| call(field, field.ty)).collect();
                (active(case), quote!(#calls #end))
            })
        };
        let clear = each(
            &|CaseField { name, .. }, ty| quote_spanned!(ty.span()=> <#ty as #rt::Field>::clear(#name);),
            TokenStream::new(),
        );
        let write = each(
            &|CaseField { name, .. }, ty| quote_spanned!(ty.span()=> <#ty as #rt::Field>::write(#name, flat);),
            TokenStream::new(),
        );
        let read = each(
            &|CaseField { name, .. }, ty| quote_spanned!(ty.span()=> let flat = <#ty as #rt::Field>::read(#name, flat);),
            quote!(flat),
        );
        let add = self.each_pair(
            |CaseField { name, other, ty, .. }| quote_spanned!(ty.span()=> <#ty as #rt::Field>::add(#name, #other);),
            TokenStream::new(),
            quote!((_, other) => #rt::adds_nothing(other)),
        );
        let dot = self.each_pair(
            |CaseField { name, other, ty, .. }| quote_spanned!(ty.span()=> + <#ty as #rt::Field>::dot(#name, #other)),
            quote!(0.0),
            quote!(_ => #rt::variants_differ()),
        );
        let digest = self.digest();
        let shapes = self.shapes();
        let queries = self.passive().map(|(case, field)| {
            let query = format_ident!("{}", field_query(&case.name_of(field)));
            quote!(let _: #rt::PassiveField = self.#query();)
        });
        let flat = match self.fields().any(|field| !field.passive) {
            true => quote!(flat),
            false => quote!(_),
        };
        let body = quote! {
            const SHAPES: #rt::Shapes = #shapes;
            #[inline]
            fn set_zero(&mut self) {
                #(#queries)*
                #clear
            }
            #[inline]
            fn accumulate(&mut self, other: &Self) {
                #add
            }
            fn inner(&self, other: &Self) -> f64 {
                #dot
            }
            fn write_flat(&self, #flat: &mut ::std::vec::Vec<f64>) {
                #write
            }
            fn read_flat<'__flat>(&mut self, flat: &'__flat [f64]) -> &'__flat [f64] {
                #read
            }
            #[inline]
            fn digest_shape(&self, digest: &mut #rt::ShapeDigest) {
                #digest
            }
        };
        self.implementation(&quote!(#rt::Vector), &self.bounds(), body)
    }

    /// How many shapes there are. A type that contains itself does so in a list or in a variant.
    fn shapes(&self) -> TokenStream {
        let rt = &self.rt;
        let contains_itself = |field: &&CaseField<'_>| mentions(field.ty, |name| name == self.name);
        let active = || self.fields().filter(|field| !field.passive);
        if active().any(|field| contains_itself(&field)) {
            return quote!(#rt::Shapes::Several);
        }
        let each = active().map(
            |CaseField { ty, .. }| quote_spanned!(ty.span()=> .and(<#ty as #rt::Field>::SHAPES)),
        );
        let variants = (self.cases.len() > 1).then(|| quote!(.of_several()));
        quote!(#rt::Shapes::NoFloats #(#each)* #variants)
    }

    /// Adds the shape of a value to `digest`.
    fn digest(&self) -> TokenStream {
        let rt = &self.rt;
        let is_enum = self.cases.len() > 1;
        let arms = self.cases.iter().enumerate().map(|(number, case)| {
            let pattern = case.pattern(case.active(), |field| &field.name);
            let variant = is_enum.then(|| quote!(digest.add_variant(#number);));
            let each = case.active().map(|CaseField { name, ty, .. }| {
                quote_spanned!(ty.span()=> <#ty as #rt::Field>::digest(#name, digest);)
            });
            quote!(#pattern => { #variant #(#each)* })
        });
        quote! {
            if <Self as #rt::Vector>::SHAPES.may_differ() {
                match self { #(#arms)* }
            }
        }
    }

    /// A `match` on two values of one case. Of several there is an arm for values of different ones.
    fn each_pair(
        &self,
        call: impl Fn(&CaseField<'_>) -> TokenStream,
        start: TokenStream,
        different: TokenStream,
    ) -> TokenStream {
        let arms = self.cases.iter().map(|case| {
            let own = case.pattern(case.active(), |field| &field.name);
            let other = case.pattern(case.active(), |field| &field.other);
            let calls: TokenStream = case.active().map(&call).collect();
            quote!((#own, #other) => { #start #calls })
        });
        let others = (self.cases.len() > 1).then_some(different);
        quote!(match (self, other) { #(#arms)* #others })
    }

    /// The fields that are passive.
    pub(super) fn passive(&self) -> impl Iterator<Item = (&Case<'_>, &CaseField<'_>)> {
        let of_case = |case| fields_of(case).map(move |field| (case, field));
        self.cases.iter().flat_map(of_case).filter(|(_, field)| field.passive)
    }
}

fn fields_of<'c, 'a>(case: &'c Case<'a>) -> impl Iterator<Item = &'c CaseField<'a>> + use<'c, 'a> {
    case.fields.iter()
}
