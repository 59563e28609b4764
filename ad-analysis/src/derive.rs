//! `#[derive(Differentiable)]`: a struct whose bar is a struct of the same type.
//!
//! The macro sees no types, so every field is asked for its bar through the traits of the runtime;
//! rustc decides whether it has one. Fields without floats are copied into the bar; those of types
//! that have no bar at all must be marked `#[passive]`.

use crate::context::{has_standard_names, through_runtime};
use crate::diag::{Diagnostic, Errors};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::path::Path;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{
    Attribute, Data, DeriveInput, Fields, GenericParam, Generics, Index, Member, Type, Visibility,
};

/// The name of the hidden function of a struct that says that a field is passive.
pub(crate) fn field_query(member: &str) -> String {
    format!("__field_{}", member.trim_start_matches("r#"))
}

/// A number by which the name of a field goes in types: a hash of 128 bits (FNV-1a).
pub(crate) fn number_of_field(member: &str) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let name = member.trim_start_matches("r#").bytes();
    name.fold(BASIS, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}

/// The implementations for a struct that stands in the file, or the errors.
pub fn derive_differentiable(input: TokenStream, file: Option<&Path>) -> TokenStream {
    let errors = Errors::new();
    let derived = match syn::parse2::<DeriveInput>(input) {
        Ok(input) => Structure::parse(&input, &errors).map(|structure| {
            let derived = structure.derive();
            match file.is_none_or(has_standard_names) {
                true => derived,
                false => through_runtime(derived, &structure.rt),
            }
        }),
        Err(error) => {
            errors.report_syntax(&error, "`Differentiable` is derived for structs");
            None
        }
    };
    let errors = errors.take();
    if errors.is_empty() {
        return derived.unwrap_or_default();
    }
    errors.iter().map(Diagnostic::to_compile_error).collect()
}

/// A struct to derive for.
struct Structure<'a> {
    name: &'a Ident,
    generics: &'a Generics,
    fields: Vec<StructField<'a>>,
    /// The path of the runtime.
    rt: TokenStream,
}

struct StructField<'a> {
    member: Member,
    ty: &'a Type,
    passive: bool,
    /// Whether it is seen wherever the struct is.
    is_public: bool,
}

impl<'a> Structure<'a> {
    fn parse(input: &'a DeriveInput, errors: &Errors) -> Option<Self> {
        let facade = facade_of(&input.attrs, errors);
        let fields = match &input.data {
            Data::Struct(data) => &data.fields,
            Data::Enum(data) => {
                errors.report(
                    data.enum_token.span(),
                    "`Differentiable` cannot be derived for an enum",
                    "which floats it has is known at run time only: use a struct, and mark fields of \
                     this type `#[passive]`",
                );
                return None;
            }
            Data::Union(data) => {
                errors.report(
                    data.union_token.span(),
                    "`Differentiable` cannot be derived for a union",
                    "use a struct, and mark fields of this type `#[passive]`",
                );
                return None;
            }
        };
        let fields = fields_of(fields, errors);
        Some(Self {
            name: &input.ident,
            generics: &input.generics,
            fields,
            rt: quote!(#facade::__private),
        })
    }

    fn derive(&self) -> TokenStream {
        let (differentiable, vector) = (self.differentiable(), self.vector());
        let (storable, queries, assertions) = (self.storable(), self.queries(), self.assertions());
        let (members, unchanging) = (self.members(), self.unchanging());
        quote! { #differentiable #vector #storable #queries #members #unchanging #assertions }
    }

    /// Says that a shared reference is not enough to change anything, if it is not in all fields.
    fn unchanging(&self) -> TokenStream {
        let (rt, fields) = (&self.rt, self.fields.iter());
        if fields.clone().any(|field| mentions(field.ty, |name| name == self.name)) {
            return TokenStream::new();
        }
        let bounds =
            fields.map(|StructField { ty, .. }| quote!(for<'__field> #ty: #rt::Unchanging));
        let bounds: Vec<TokenStream> = bounds.collect();
        self.implementation(&quote!(#rt::Unchanging), &bounds, TokenStream::new())
    }

    /// Says which fields the struct has for all: where a field is not seen, its name means one of what the struct `Deref`s to.
    fn members(&self) -> TokenStream {
        let (rt, name) = (&self.rt, self.name);
        let (generics, args, own) = self.generics.split_for_impl();
        let public = self.fields.iter().filter(|field| field.is_public);
        let members = public.map(|StructField { member, .. }| {
            let field = number_of_field(&member.to_token_stream().to_string());
            let field = Literal::u128_unsuffixed(field);
            quote! {
                #[automatically_derived]
                impl #generics #rt::direct::Has<#field> for #name #args #own {}
            }
        });
        members.collect()
    }

    /// `impl` for the struct, where the types of its fields are such that it can be done.
    fn implementation(
        &self,
        of: &TokenStream,
        bounds: &[TokenStream],
        body: TokenStream,
    ) -> TokenStream {
        let name = self.name;
        let (generics, args, own) = self.generics.split_for_impl();
        let own = own.map(|clause| {
            let predicates = clause.predicates.iter();
            quote!(#(#predicates,)*)
        });
        quote! {
            #[automatically_derived]
            impl #generics #of for #name #args where #own #(#bounds,)* { #body }
        }
    }

    /// What the types of the fields have to be. The lifetime has rustc take it for granted here, so
    /// that it complains in one place: see [`assertions`](Self::assertions). The struct itself is left
    /// out where it contains itself.
    fn bounds(&self) -> Vec<TokenStream> {
        let rt = &self.rt;
        let fields =
            self.fields.iter().filter(|field| !mentions(field.ty, |name| name == self.name));
        let bounds = fields.map(|StructField { ty, passive, .. }| match passive {
            true => quote!(for<'__field> #ty: ::core::clone::Clone),
            false => quote!(for<'__field> #ty: #rt::Field),
        });
        bounds.collect()
    }

    /// Where rustc says that a field has no bar, or no copy if it is passive. What depends on type parameters is up to them.
    fn assertions(&self) -> TokenStream {
        let rt = &self.rt;
        let is_param = |name: &Ident| {
            self.generics.params.iter().any(|param| match param {
                GenericParam::Type(param) => param.ident == *name,
                GenericParam::Const(param) => param.ident == *name,
                GenericParam::Lifetime(_) => false,
            })
        };
        let concrete = self.fields.iter().filter(|field| !mentions(field.ty, is_param));
        let checks = concrete.map(|StructField { ty, passive, .. }| match passive {
            true => quote_spanned!(ty.span()=> let _: fn(&#ty) -> #ty = #rt::copied::<#ty>;),
            false => {
                quote_spanned!(ty.span()=> let _: fn(&#ty) -> #ty = <#ty as #rt::Differentiable>::zero_bar;)
            }
        });
        let checks: TokenStream = checks.collect();
        if checks.is_empty() {
            return checks;
        }
        let (generics, _, own) = self.generics.split_for_impl();
        quote! {
            const _: () = {
                #[allow(dead_code, clippy::all)]
                fn fields #generics() #own { #checks }
            };
        }
    }

    fn active(&self) -> impl Iterator<Item = &StructField<'a>> {
        self.fields.iter().filter(|field| !field.passive)
    }

    fn differentiable(&self) -> TokenStream {
        let rt = &self.rt;
        let zeros = self.fields.iter().map(|StructField { member, ty, passive, .. }| {
            let span = ty.span();
            match passive {
                // It is no other type of that name.
                true if is_phantom(ty) => quote_spanned! {span=>
                    #member: {
                        let phantom: ::core::marker::PhantomData<_> = self.#member;
                        phantom
                    },
                },
                true => quote!(#member: ::core::clone::Clone::clone(&self.#member),),
                false => quote_spanned!(span=> #member: <#ty as #rt::Field>::zero(&self.#member),),
            }
        });
        // A copy of a passive value is not the same for all values of the type.
        let of_type = |function: &str| {
            if self.fields.iter().any(|field| field.passive && !is_phantom(field.ty)) {
                return quote!(::core::option::Option::None);
            }
            let function = format_ident!("{function}");
            let zeros = self.fields.iter().map(|StructField { member, ty, passive, .. }| {
                let span = ty.span();
                match passive {
                    true => quote_spanned!(span=> #member: ::core::marker::PhantomData,),
                    false => quote_spanned!(span=> #member: <#ty as #rt::Field>::#function()?,),
                }
            });
            quote!(::core::option::Option::Some(Self { #(#zeros)* }))
        };
        let (common, any) = (of_type("common_zero"), of_type("any"));
        let body = quote! {
            type Bar = Self;
            #[inline]
            fn zero_bar(&self) -> Self {
                Self { #(#zeros)* }
            }
            #[inline]
            fn common_zero_bar() -> ::core::option::Option<Self> {
                #common
            }
            #[inline]
            fn any_bar() -> ::core::option::Option<Self> {
                #any
            }
        };
        self.implementation(&quote!(#rt::Differentiable), &self.bounds(), body)
    }

    fn vector(&self) -> TokenStream {
        let rt = &self.rt;
        let each = |call: &dyn Fn(&Member, &Type) -> TokenStream| -> TokenStream {
            self.active().map(|StructField { member, ty, .. }| call(member, ty)).collect()
        };
        let clear = each(
            &|member, ty| quote_spanned!(ty.span()=> <#ty as #rt::Field>::clear(&mut self.#member);),
        );
        let add = each(
            &|member, ty| quote_spanned!(ty.span()=> <#ty as #rt::Field>::add(&mut self.#member, &other.#member);),
        );
        let dot = each(
            &|member, ty| quote_spanned!(ty.span()=> + <#ty as #rt::Field>::dot(&self.#member, &other.#member)),
        );
        let write = each(
            &|member, ty| quote_spanned!(ty.span()=> <#ty as #rt::Field>::write(&self.#member, flat);),
        );
        let read = each(&|member, ty| {
            quote_spanned! {ty.span()=>
                let flat = <#ty as #rt::Field>::read(&mut self.#member, flat);
            }
        });
        let queries = self.passive_members().map(|member| {
            let query = format_ident!("{}", field_query(&member.to_token_stream().to_string()));
            quote!(let _: #rt::PassiveField = self.#query();)
        });
        let (other, flat) = match self.active().next() {
            Some(_) => (quote!(other), quote!(flat)),
            None => (quote!(_), quote!(_)),
        };
        let body = quote! {
            #[inline]
            fn set_zero(&mut self) {
                #(#queries)*
                #clear
            }
            #[inline]
            fn accumulate(&mut self, #other: &Self) {
                #add
            }
            fn inner(&self, #other: &Self) -> f64 {
                0.0 #dot
            }
            fn write_flat(&self, #flat: &mut ::std::vec::Vec<f64>) {
                #write
            }
            fn read_flat<'__flat>(&mut self, flat: &'__flat [f64]) -> &'__flat [f64] {
                #read
                flat
            }
        };
        self.implementation(&quote!(#rt::Vector), &self.bounds(), body)
    }

    fn storable(&self) -> TokenStream {
        let rt = &self.rt;
        // A stack has no lifetime: what borrows cannot be put there.
        if self.generics.lifetimes().next().is_some() {
            return TokenStream::new();
        }
        let wrapper = |ty: &Type| match is_phantom(ty) {
            true => quote!(#rt::PhantomValue),
            false => quote!(#rt::PassiveValue),
        };
        let stored = |StructField { ty, passive, .. }: &StructField<'a>| {
            let wrapper = wrapper(ty);
            match passive {
                true => quote!(#wrapper<#ty>),
                false => quote!(#ty),
            }
        };
        // Asked for only where a value of the struct has to be stored: hence the lifetime.
        let fields =
            self.fields.iter().filter(|field| !mentions(field.ty, |name| name == self.name));
        let bounds = fields.map(|field| {
            let ty = stored(field);
            quote!(for<'__stack> #ty: #rt::Storable)
        });
        let bounds: Vec<TokenStream> = bounds.collect();
        let store = self.fields.iter().map(|field| {
            let (member, ty) = (&field.member, stored(field));
            let value = match field.passive {
                true => {
                    let wrapper = wrapper(field.ty);
                    quote!(#wrapper(self.#member))
                }
                false => quote!(self.#member),
            };
            quote!(<#ty as #rt::Storable>::store(#value, stack);)
        });
        let names: Vec<Ident> =
            (0..self.fields.len()).map(|n| format_ident!("field_{n}")).collect();
        // The last field first.
        let load = self.fields.iter().zip(&names).rev().map(|(field, name)| {
            let ty = stored(field);
            quote!(let #name = <#ty as #rt::Storable>::load(stack);)
        });
        let loaded = self.fields.iter().zip(&names).map(|(field, name)| {
            let (member, payload) = (&field.member, field.passive.then(|| quote!(.0)));
            quote!(#member: #name #payload,)
        });
        let placeholders = self.fields.iter().map(|field| {
            let (member, ty) = (&field.member, stored(field));
            let payload = field.passive.then(|| quote!(.0));
            quote!(#member: <#ty as #rt::Storable>::placeholder() #payload,)
        });
        let owned = self.fields.iter().map(|field| {
            let (member, ty) = (&field.member, stored(field));
            match field.passive {
                true => quote!(+ (&&&#rt::heap::Owner(&self.#member)).heap_bytes()),
                false => quote!(+ <#ty as #rt::Storable>::heap_bytes(&self.#member)),
            }
        });
        let traits = self.passive_members().next().is_some().then(|| {
            quote! {
                #[allow(unused_imports)]
                use #rt::heap::{OfElements, OfStorable, OfUnknown};
            }
        });
        let stack = if self.fields.is_empty() { quote!(_) } else { quote!(stack) };
        let body = quote! {
            #[inline]
            fn store(self, #stack: &mut #rt::Stack) {
                #(#store)*
            }
            #[inline]
            #[track_caller]
            fn load(#stack: &mut #rt::Stack) -> Self {
                #(#load)*
                Self { #(#loaded)* }
            }
            #[inline]
            fn placeholder() -> Self {
                Self { #(#placeholders)* }
            }
            #[inline]
            fn heap_bytes(&self) -> usize {
                #traits
                0 #(#owned)*
            }
        };
        self.implementation(&quote!(#rt::Storable), &bounds, body)
    }

    fn passive_members(&self) -> impl Iterator<Item = &Member> {
        self.fields.iter().filter(|field| field.passive).map(|field| &field.member)
    }

    /// By these functions generated code finds out that a field is passive: where there is none, it
    /// finds another that says the opposite.
    fn queries(&self) -> TokenStream {
        let (name, rt) = (self.name, &self.rt);
        let (generics, args, clause) = self.generics.split_for_impl();
        let queries = self.passive_members().map(|member| {
            let query = format_ident!("{}", field_query(&member.to_token_stream().to_string()));
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
}

fn fields_of<'a>(fields: &'a Fields, errors: &Errors) -> Vec<StructField<'a>> {
    let fields = fields.iter().enumerate().map(|(position, field)| {
        let member = match &field.ident {
            Some(ident) => Member::Named(ident.clone()),
            None => Member::Unnamed(Index { index: position as u32, span: Span::call_site() }),
        };
        let is_marked = field.attrs.iter().any(|attr| attr.path().is_ident("passive"));
        let passive = is_marked || is_phantom(&field.ty);
        if let (Type::Reference(reference), false) = (&field.ty, passive) {
            errors.report(
                reference.span(),
                "a reference cannot be a part of a bar",
                "what it refers to could not be added to: own the value, or mark the field \
                 `#[passive]`",
            );
        }
        let is_public = matches!(field.vis, Visibility::Public(_));
        StructField { member, ty: &field.ty, passive, is_public }
    });
    fields.collect()
}

/// Whether a type is called as `PhantomData`, which holds nothing: that it is so its bar proves.
fn is_phantom(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path.segments.last().is_some_and(|last| last.ident == "PhantomData")
}

/// The path in `#[differentiable(crate = path)]`.
fn facade_of(attrs: &[Attribute], errors: &Errors) -> TokenStream {
    let mut facade = quote!(::backsweep);
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("differentiable")) {
        let parsed = attr.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(meta.error("the only option is `crate`"));
            }
            let path = meta.value()?.call(syn::Path::parse_mod_style)?;
            facade = path.into_token_stream();
            Ok(())
        });
        if let Err(error) = parsed {
            errors.report_syntax(&error, "write `#[differentiable(crate = path)]`, without quotes");
        }
    }
    facade
}

/// Whether a name occurs in a type.
fn mentions(ty: &Type, is_meant: impl Fn(&Ident) -> bool) -> bool {
    struct Names<F> {
        is_meant: F,
        found: bool,
    }
    impl<'ast, F: Fn(&Ident) -> bool> Visit<'ast> for Names<F> {
        fn visit_ident(&mut self, ident: &'ast Ident) {
            self.found |= (self.is_meant)(ident);
        }
    }
    let mut names = Names { is_meant, found: false };
    names.visit_type(ty);
    names.found
}
