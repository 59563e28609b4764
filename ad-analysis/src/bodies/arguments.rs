//! Which parameters of a function are functions.

use quote::ToTokens;
use syn::{
    FnArg, GenericParam, Generics, PathArguments, Signature, Type, TypeParamBound, WherePredicate,
};

/// Whether a function takes a function.
pub fn takes_functions(sig: &Signature) -> bool {
    sig.inputs.iter().any(|input| arguments_of(input, &sig.generics).is_some())
}

/// The types of the arguments that a parameter takes which is a function.
pub fn arguments_of(input: &FnArg, generics: &Generics) -> Option<Vec<Type>> {
    let FnArg::Typed(param) = input else { return None };
    arguments_of_type(&param.ty, generics)
}

/// Those that a function of that type takes.
pub fn arguments_of_type(ty: &Type, generics: &Generics) -> Option<Vec<Type>> {
    match ty {
        Type::Reference(reference) => arguments_of_type(&reference.elem, generics),
        Type::Paren(inner) => arguments_of_type(&inner.elem, generics),
        Type::Group(inner) => arguments_of_type(&inner.elem, generics),
        Type::FnPtr(function) => {
            Some(function.inputs.iter().map(|input| input.ty.clone()).collect())
        }
        Type::ImplTrait(inner) => inner.bounds.iter().find_map(arguments_of_bound),
        Type::TraitObject(inner) => inner.bounds.iter().find_map(arguments_of_bound),
        Type::Path(path) => {
            let name = path.path.get_ident()?;
            let own = generics.params.iter().find_map(|param| match param {
                GenericParam::Type(param) if param.ident == *name => {
                    param.bounds.iter().find_map(arguments_of_bound)
                }
                _ => None,
            });
            let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
            let mut said = predicates.filter_map(|predicate| match predicate {
                WherePredicate::Type(predicate)
                    if *name == predicate.bounded_ty.to_token_stream().to_string() =>
                {
                    predicate.bounds.iter().find_map(arguments_of_bound)
                }
                _ => None,
            });
            own.or_else(|| said.next())
        }
        _ => None,
    }
}

fn arguments_of_bound(bound: &TypeParamBound) -> Option<Vec<Type>> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    let last = bound.path.segments.last()?;
    let is_function = ["Fn", "FnMut", "FnOnce"].contains(&last.ident.to_string().as_str());
    match &last.arguments {
        PathArguments::Parenthesized(args) if is_function => {
            Some(args.inputs.iter().map(|input| input.ty.clone()).collect())
        }
        _ => None,
    }
}
