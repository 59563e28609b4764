//! Lifetimes that parameters have without a name get one, since what the derivatives take beside the parameters has the same types:
//! `fn f(view: &View<'_>)` is read as `fn f<'__view>(view: &View<'__view>)`. What the function returns must have none of them.

use super::names::fresh;
use crate::walk::visit::{self, Visit};
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, Span};
use std::collections::BTreeSet;
use syn::{
    FnArg, GenericArgument, GenericParam, Lifetime, LifetimeParam, PathArguments, PathSegment,
    ReturnType, Signature, Type, TypePath, parse_quote,
};

/// Names the lifetimes of types in a signature. `hidden` has the types that are known to have some, once for each, where they are written
/// without any.
pub(super) fn name(sig: &mut Signature, hidden: &[Ident]) {
    if returns_unnamed(&sig.output) {
        return;
    }
    let words = sig.generics.lifetimes().map(|param| param.lifetime.ident.to_string()).collect();
    let mut naming = Naming { hidden, words, named: Vec::new() };
    for input in &mut sig.inputs {
        if let FnArg::Typed(param) = input {
            naming.visit_type_mut(&mut param.ty);
        }
    }
    for (position, lifetime) in naming.named.into_iter().enumerate() {
        let param = GenericParam::Lifetime(LifetimeParam::new(lifetime));
        sig.generics.params.insert(position, param);
    }
}

/// The name of a type that is written without lifetimes.
pub fn name_without_lifetimes(ty: &TypePath) -> Option<&Ident> {
    let is_alone = ty.qself.is_none() && ty.path.segments.len() == 1;
    let segment = ty.path.segments.first().filter(|_| is_alone)?;
    let has_lifetimes = match &segment.arguments {
        PathArguments::None => false,
        PathArguments::AngleBracketed(arguments) => {
            arguments.args.iter().any(|arg| matches!(arg, GenericArgument::Lifetime(_)))
        }
        PathArguments::Parenthesized(_) => true,
    };
    let is_type = segment.ident.to_string().starts_with(char::is_uppercase);
    (is_type && !has_lifetimes).then_some(&segment.ident)
}

/// Whether a type in a type has lifetimes and is written without.
pub fn hides_lifetimes(ty: &Type, with_lifetimes: &[Ident]) -> bool {
    struct Hidden<'h>(&'h [Ident], bool);
    impl<'ast> Visit<'ast> for Hidden<'_> {
        fn visit_type_path(&mut self, path: &'ast TypePath) {
            self.1 |= name_without_lifetimes(path).is_some_and(|name| self.0.contains(name));
            visit::visit_type_path(self, path);
        }
    }
    let mut hidden = Hidden(with_lifetimes, false);
    hidden.visit_type(ty);
    hidden.1
}

/// Whether a result has a lifetime that is that of an argument without being called so.
fn returns_unnamed(output: &ReturnType) -> bool {
    struct Unnamed(bool);
    impl<'ast> Visit<'ast> for Unnamed {
        fn visit_type_reference(&mut self, reference: &'ast syn::TypeReference) {
            self.0 |= reference.lifetime.is_none();
            visit::visit_type_reference(self, reference);
        }

        fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
            self.0 |= lifetime.ident == "_";
        }
    }
    let mut unnamed = Unnamed(false);
    unnamed.visit_return_type(output);
    unnamed.0
}

struct Naming<'h> {
    hidden: &'h [Ident],
    words: BTreeSet<String>,
    named: Vec<Lifetime>,
}

impl Naming<'_> {
    fn fresh(&mut self, span: Span) -> Lifetime {
        let name = fresh(&mut self.words, "__view");
        let lifetime = Lifetime::new(&format!("'{name}"), span);
        self.named.push(lifetime.clone());
        lifetime
    }

    fn spell_out(&mut self, segment: &mut PathSegment) {
        let count = self.hidden.iter().filter(|name| **name == segment.ident).count();
        if count == 0 {
            return;
        }
        let span = segment.ident.span();
        let lifetimes: Vec<Lifetime> = (0..count).map(|_| self.fresh(span)).collect();
        let others = match &segment.arguments {
            PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect(),
            PathArguments::None | PathArguments::Parenthesized(_) => Vec::new(),
        };
        let spelled = parse_quote!(<#(#lifetimes,)* #(#others),*>);
        segment.arguments = PathArguments::AngleBracketed(spelled);
    }

    /// `Option<&T>` is `Option<&'__view T>`.
    fn name_reference_in(&mut self, option: &mut PathSegment) {
        let PathArguments::AngleBracketed(arguments) = &mut option.arguments else { return };
        for argument in &mut arguments.args {
            if let GenericArgument::Type(Type::Reference(reference)) = argument
                && reference.lifetime.is_none()
            {
                reference.lifetime = Some(self.fresh(reference.and_token.spans[0]));
            }
        }
    }
}

impl VisitMut for Naming<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        match ty {
            // Those in there are bound there.
            Type::TraitObject(_) | Type::FnPtr(_) | Type::ImplTrait(_) => {}
            ty => visit_mut::visit_type_mut(self, ty),
        }
    }

    fn visit_type_path_mut(&mut self, ty: &mut TypePath) {
        let hides_lifetimes = name_without_lifetimes(ty).is_some();
        if ty.qself.is_none()
            && ty.path.segments.len() == 1
            && let Some(segment) = ty.path.segments.first_mut()
        {
            if hides_lifetimes {
                self.spell_out(segment);
            }
            if segment.ident == "Option" {
                self.name_reference_in(segment);
            }
        }
        visit_mut::visit_type_path_mut(self, ty);
    }

    fn visit_generic_argument_mut(&mut self, argument: &mut GenericArgument) {
        match argument {
            GenericArgument::Lifetime(lifetime) if lifetime.ident == "_" => {
                *lifetime = self.fresh(lifetime.span());
            }
            argument => visit_mut::visit_generic_argument_mut(self, argument),
        }
    }
}
