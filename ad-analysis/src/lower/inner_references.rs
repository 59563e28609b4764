//! What is inside of the types of parameters, such as `&[&[f64]]`: references, whose lifetimes have to have names where entries mention the
//! types, and floats.

use super::Lowerer;
use super::signature::may_be_differentiated;
use crate::options::Declarations;
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::{FnArg, Lifetime, Pat, ReturnType, Signature, Type};

impl Lowerer<'_> {
    /// Gives names to the lifetimes that are left out inside of the types of parameters with bars, whose types entries spell. Not where the
    /// result borrows from one that has no name: which one it is would not be the same any more.
    pub(super) fn name_lifetimes(&mut self, sig: &mut Signature) {
        let mut in_result = Elided::default();
        if let ReturnType::Type(_, ty) = &mut sig.output {
            in_result.visit_type_mut(ty);
        }
        if !in_result.lifetimes.is_empty() {
            return;
        }
        let mut elided = Elided { name: Some(self.body.names.fresh("part")), ..Elided::default() };
        let declared = sig.clone();
        for input in &mut sig.inputs {
            let FnArg::Typed(typed) = input else { continue };
            let pointee = match &mut *typed.ty {
                Type::Reference(reference) => &mut *reference.elem,
                ty => ty,
            };
            if self.may_have_named_bar(&typed.pat, pointee, &declared) {
                elided.visit_type_mut(pointee);
            }
        }
        for lifetime in elided.lifetimes {
            sig.generics.params.insert(0, syn::parse_quote!(#lifetime));
        }
    }

    /// Whether a parameter has a bar by what the options say, or by its type where they say nothing.
    fn may_have_named_bar(&mut self, pat: &Pat, pointee: &Type, sig: &Signature) -> bool {
        let mut names = Vec::new();
        super::signature::bound_names(pat, &mut names);
        let is_in = |list: &[Ident]| names.iter().any(|name| list.contains(name));
        let options = self.options;
        let lists = [&options.independents, &options.dependents];
        match options.independents {
            _ if is_in(&options.passive) => false,
            _ if lists.iter().any(|list| list.as_ref().is_some_and(|list| is_in(list))) => true,
            Some(_) => false,
            None => self.carries_inside(&pointee.to_token_stream(), sig) == Some(true),
        }
    }

    /// Whether what a type of a parameter refers to carries floats, as far as the macro can see: a type of the crate that derives
    /// `Differentiable` does, which rustc proves where its bar is mentioned, and a type parameter that is bounded by it.
    pub(super) fn carries_inside(
        &mut self,
        pointee: &TokenStream,
        sig: &Signature,
    ) -> Option<bool> {
        let mut ty: Type = syn::parse2(pointee.clone()).ok()?;
        let derived = self.options.derived.iter().filter(|name| !self.type_params.contains(*name));
        let params = self.params_with_bars(sig);
        let declared = &self.options.declared;
        Followed { with_bars: derived.chain(&params).collect(), declared }.visit_type_mut(&mut ty);
        let ty = self.lower_type(&ty);
        may_be_differentiated(&ty)
    }
}

/// The lifetimes that are left out; they get names if there is one to begin with.
#[derive(Default)]
struct Elided {
    name: Option<String>,
    lifetimes: Vec<Lifetime>,
}

impl Elided {
    fn next(&mut self) -> Lifetime {
        let name = self.name.as_deref().unwrap_or("elided");
        let number = self.lifetimes.len() + 1;
        let lifetime = Lifetime::new(&format!("'{name}_{number}"), Span::call_site());
        self.lifetimes.push(lifetime.clone());
        lifetime
    }
}

impl VisitMut for Elided {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        if reference.lifetime.is_none() {
            let lifetime = self.next();
            reference.lifetime = self.name.is_some().then_some(lifetime);
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" {
            let next = self.next();
            if self.name.is_some() {
                *lifetime = next;
            }
        }
    }

    // Lifetimes that are left out in the types of functions and traits are others.
    fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}
    fn visit_type_trait_object_mut(&mut self, _: &mut syn::TypeTraitObject) {}
    fn visit_type_impl_trait_mut(&mut self, _: &mut syn::TypeImplTrait) {}
    fn visit_parenthesized_generic_arguments_mut(
        &mut self,
        _: &mut syn::ParenthesizedGenericArguments,
    ) {
    }
}

/// Puts what shared references refer to in their place, and a float in that of types with derivatives.
struct Followed<'a> {
    with_bars: Vec<&'a Ident>,
    declared: &'a Declarations,
}

impl Followed<'_> {
    fn has_bar(&self, path: &syn::TypePath) -> bool {
        let segments = &path.path.segments;
        let is_name = path.qself.is_none() && segments.len() == 1;
        let is_listed = is_name && self.with_bars.contains(&&segments[0].ident);
        // Of a receiver attributes and the block say what it is.
        let is_told = !path.path.is_ident("Self");
        is_listed || is_told && self.declared.is_derived(&path.to_token_stream().to_string())
    }
}

impl VisitMut for Followed<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        while let Type::Reference(reference) = ty
            && reference.mutability.is_none()
        {
            *ty = (*reference.elem).clone();
        }
        if matches!(ty, Type::Path(path) if self.has_bar(path)) {
            *ty = syn::parse_quote!(f64);
        }
        visit_mut::visit_type_mut(self, ty);
    }
}
