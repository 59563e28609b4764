//! The cases of a type: a struct has one, an enum one for each variant.

use crate::diag::Errors;
use crate::payloads::{payload_name, variant_name};
use crate::walk::visit::Visit;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Fields, GenericArgument, GenericParam, Generics, Index, Member, PathArguments, Type, Visibility,
};

/// A type to derive for.
pub(super) struct Structure<'a> {
    pub(super) name: &'a Ident,
    pub(super) generics: &'a Generics,
    /// At least one.
    pub(super) cases: Vec<Case<'a>>,
    /// The path of the runtime.
    pub(super) rt: TokenStream,
}

/// What a value may consist of.
pub(super) struct Case<'a> {
    /// The variant; of a struct there is none.
    pub(super) variant: Option<&'a Ident>,
    pub(super) fields: Vec<CaseField<'a>>,
}

pub(super) struct CaseField<'a> {
    pub(super) member: Member,
    pub(super) ty: &'a Type,
    pub(super) passive: bool,
    /// Whether it is seen wherever the type is.
    pub(super) is_public: bool,
    /// A name for its value.
    pub(super) name: Ident,
    /// A name for that of another value of the type.
    pub(super) other: Ident,
}

impl<'a> Case<'a> {
    pub(super) fn of(variant: Option<&'a Ident>, fields: &'a Fields, errors: &Errors) -> Self {
        let fields = fields.iter().enumerate().map(|(position, field)| {
            let member = match &field.ident {
                Some(ident) => Member::Named(ident.clone()),
                None => Member::Unnamed(Index { index: position as u32, span: Span::call_site() }),
            };
            let is_marked = field.attrs.iter().any(|attr| attr.path().is_ident("passive"));
            let mut passive = is_marked || is_phantom(&field.ty);
            if !passive {
                let count = errors.count();
                refuse_parts(&field.ty, errors);
                passive = errors.count() > count;
            }
            let span = field.ty.span().resolved_at(Span::call_site());
            CaseField {
                member,
                ty: &field.ty,
                passive,
                is_public: variant.is_some() || matches!(field.vis, Visibility::Public(_)),
                name: format_ident!("field_{position}", span = span),
                other: format_ident!("other_{position}", span = span),
            }
        });
        Self { variant, fields: fields.collect() }
    }

    /// What its values are made with.
    pub(super) fn path(&self) -> TokenStream {
        match self.variant {
            Some(variant) => quote!(Self::#variant),
            None => quote!(Self),
        }
    }

    pub(super) fn active(&self) -> impl Iterator<Item = &CaseField<'a>> {
        self.fields.iter().filter(|field| !field.passive)
    }

    /// A pattern that gives names to fields.
    pub(super) fn pattern<'f>(
        &self,
        fields: impl Iterator<Item = &'f CaseField<'a>>,
        name: impl Fn(&'f CaseField<'a>) -> &'f Ident,
    ) -> TokenStream
    where
        'a: 'f,
    {
        let path = self.path();
        let named = fields.map(|field| {
            let (member, name) = (&field.member, name(field));
            quote!(#member: #name)
        });
        quote!(#path { #(#named,)* .. })
    }

    /// The pattern that gives names to all that is in a value.
    pub(super) fn all(&self) -> TokenStream {
        self.pattern(self.fields.iter(), |field| &field.name)
    }

    /// What generated code calls a field: that of a variant is a payload.
    pub(super) fn name_of(&self, field: &CaseField<'_>) -> String {
        let member = field.member.to_token_stream().to_string();
        match self.variant {
            Some(variant) => payload_name(&variant.to_string(), &member),
            None => member,
        }
    }

    /// What generated code calls the truth value that a value is of this case.
    pub(super) fn test_name(&self) -> Option<String> {
        Some(variant_name(&self.variant?.to_string()))
    }
}

impl<'a> Structure<'a> {
    /// Whether nothing is seen among the passive fields that could not be cloned.
    pub(super) fn may_be_cloned(&self) -> bool {
        let mut fields = self.cases.iter().flat_map(|case| &case.fields);
        fields.all(|field| !field.passive || may_be_cloned(field.ty))
    }

    pub(super) fn derive(&self) -> TokenStream {
        let (differentiable, vector) = (self.differentiable(), self.vector());
        let (storable, queries, assertions) = (self.storable(), self.queries(), self.assertions());
        let (members, payloads) = (self.members(), self.payloads());
        let unchanging = self.unchanging();
        quote! {
            #differentiable #vector #storable #queries #members #payloads #unchanging #assertions
        }
    }

    /// Says that a shared reference is not enough to change anything, if it is not in all fields.
    fn unchanging(&self) -> TokenStream {
        let rt = &self.rt;
        if self.fields().any(|field| mentions(field.ty, |name| name == self.name)) {
            return TokenStream::new();
        }
        let bounds =
            self.fields().map(|CaseField { ty, .. }| quote!(for<'__field> #ty: #rt::Unchanging));
        let bounds: Vec<TokenStream> = bounds.collect();
        self.implementation(&quote!(#rt::Unchanging), &bounds, TokenStream::new())
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = &CaseField<'a>> {
        self.cases.iter().flat_map(|case| &case.fields)
    }

    /// A `match` on a value with an arm for each case.
    pub(super) fn each_case(
        &self,
        value: TokenStream,
        arm: impl Fn(&Case<'a>) -> (TokenStream, TokenStream),
    ) -> TokenStream {
        let arms = self.cases.iter().map(|case| {
            let (pattern, body) = arm(case);
            quote!(#pattern => { #body })
        });
        quote!(match #value { #(#arms)* })
    }

    /// The case of which a value is made most easily.
    pub(super) fn simplest(&self) -> &Case<'a> {
        let order = |case: &&Case<'a>| {
            (case.fields.iter().filter(|field| field.passive).count(), case.fields.len())
        };
        self.cases.iter().min_by_key(order).expect("a type has a case")
    }

    /// `impl` for the type, where the types of its fields are such that it can be done.
    pub(super) fn implementation(
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
    /// that it complains in one place: see [`assertions`](Self::assertions). The type itself is left
    /// out where it contains itself.
    pub(super) fn bounds(&self) -> Vec<TokenStream> {
        let rt = &self.rt;
        let fields = self.fields().filter(|field| !mentions(field.ty, |name| name == self.name));
        let bounds = fields.map(|CaseField { ty, passive, .. }| match passive {
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
        let concrete = self.fields().filter(|field| !mentions(field.ty, is_param));
        let checks = concrete.map(|CaseField { ty, passive, .. }| match passive {
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
}

/// Whether a type is called as `PhantomData`, which holds nothing: that it is so its bar proves.
pub(super) fn is_phantom(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path.segments.last().is_some_and(|last| last.ident == "PhantomData")
}

/// Whether a name occurs in a type.
pub(super) fn mentions(ty: &Type, is_meant: impl Fn(&Ident) -> bool) -> bool {
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

/// Refuses what no bar can hold, in a field or in a list or option that the field holds.
fn refuse_parts(ty: &Type, errors: &Errors) {
    match ty {
        Type::Reference(reference) => match without_parens(&reference.elem) {
            referent @ (Type::FnPtr(_) | Type::TraitObject(_)) => refuse_parts(referent, errors),
            _ => errors.report(
                reference.span(),
                "a reference cannot be a part of a bar",
                "what it refers to could not be added to: own the value, or mark the field \
                 `#[passive]`",
            ),
        },
        Type::FnPtr(_) | Type::TraitObject(_) => errors.report(
            ty.span(),
            "functions and `dyn` values cannot be a part of a bar",
            "mark the field `#[passive]`: what they hold has no derivative",
        ),
        Type::Array(array) => refuse_parts(&array.elem, errors),
        Type::Slice(slice) => refuse_parts(&slice.elem, errors),
        Type::Paren(inner) => refuse_parts(&inner.elem, errors),
        Type::Group(inner) => refuse_parts(&inner.elem, errors),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|ty| refuse_parts(ty, errors)),
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return };
            let holds = HOLDERS.iter().any(|holder| last.ident == holder);
            if let (true, PathArguments::AngleBracketed(args)) = (holds, &last.arguments) {
                let types = args.args.iter().filter_map(|arg| match arg {
                    GenericArgument::Type(ty) => Some(ty),
                    _ => None,
                });
                types.for_each(|ty| refuse_parts(ty, errors));
            }
        }
        _ => {}
    }
}

/// Whether nothing is seen in a type for which it could not be cloned.
fn may_be_cloned(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => reference.mutability.is_none(),
        Type::TraitObject(_) => false,
        Type::Array(array) => may_be_cloned(&array.elem),
        Type::Paren(inner) => may_be_cloned(&inner.elem),
        Type::Group(inner) => may_be_cloned(&inner.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(may_be_cloned),
        Type::Path(path) => path.path.segments.last().is_none_or(|last| match &last.arguments {
            PathArguments::AngleBracketed(args) => args.args.iter().all(|arg| match arg {
                GenericArgument::Type(ty) => may_be_cloned(ty),
                _ => true,
            }),
            PathArguments::None | PathArguments::Parenthesized(_) => true,
        }),
        _ => true,
    }
}

fn without_parens(ty: &Type) -> &Type {
    match ty {
        Type::Paren(inner) => without_parens(&inner.elem),
        Type::Group(inner) => without_parens(&inner.elem),
        ty => ty,
    }
}

/// Types of the standard library whose values are those of their parameter, so many of them.
const HOLDERS: [&str; 4] = ["Option", "Box", "Vec", "VecDeque"];
