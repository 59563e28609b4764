//! `impl Mul<&V> for &V`: the adjoint of an operator on references is that of a trait of what they refer to. There the lifetimes of the
//! references are those of the call, and have no names.

use super::stand_ins::replaced;
use crate::diag::Errors;
use crate::interface::WrittenTrait;
use crate::ir::{ByReference, Operator};
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::{
    BoundLifetimes, GenericArgument, GenericParam, Generics, ItemFn, ItemImpl, Lifetime,
    LifetimeParam, Path, PathArguments, Type, TypeParamBound, TypeReference, WherePredicate,
};

/// What is known of the operands of an operator of which some are references.
#[derive(Clone)]
pub struct Referents {
    /// Which are references.
    pub by_reference: ByReference,
    /// What `Self` is in the block, if it is a reference.
    pub own: Option<Type>,
    /// The trait, with a name for each lifetime.
    pub written: WrittenTrait,
    /// The lifetimes of the references.
    lifetimes: BTreeSet<String>,
}

impl Referents {
    /// Of an `impl` block of an operator, if an operand is a reference.
    pub(super) fn of(block: &ItemImpl, operator: Operator, errors: &Errors) -> Option<Self> {
        let (path, _) = block.trait_.as_ref()?;
        let own = reference(&block.self_ty);
        let right = right_of(path);
        let other = match operator {
            Operator::Unary(_) => None,
            Operator::Binary(_) | Operator::Assign(_) => match &right {
                Some(right) if right.to_token_stream().to_string() != "Self" => reference(right),
                Some(_) | None => own,
            },
        };
        let mut references = [own, other].into_iter().flatten();
        if let Some((reference, what)) =
            references.find_map(|reference| Some((reference, without_adjoint(reference)?)))
        {
            errors.report(
                reference.span(),
                format!("an operator on {what} has no adjoint"),
                "implement it for a `&` of a type that has a size, or for values",
            );
            return None;
        }
        let by_reference = ByReference::among(&[own, other], Option::is_some);
        if by_reference == ByReference::Neither {
            return None;
        }
        let references = [own, other].into_iter().flatten();
        let lifetimes = references.clone().filter_map(|reference| reference.lifetime.as_ref());
        let lifetimes: BTreeSet<String> =
            lifetimes.map(|lifetime| lifetime.ident.to_string()).collect();
        let inner = references.map(|reference| reference.elem.to_token_stream());
        let mut mentioned: TokenStream = inner.collect();
        mentioned.extend(output_of(block));
        if let Some(name) = lifetimes.iter().find(|name| mentions(&mentioned, name)) {
            errors.report(
                block.self_ty.span(),
                format!("the lifetime `'{name}` of an operand is also one of a type"),
                "give the references of the operands lifetimes of their own",
            );
        }
        let written = written(block, path);
        let mut referents = Self { by_reference, own: None, written, lifetimes };
        referents.own = own.map(|reference| referents.erased(Type::Reference(reference.clone())));
        Some(referents)
    }

    fn erased(&self, mut ty: Type) -> Type {
        Erase(&self.lifetimes).visit_type_mut(&mut ty);
        ty
    }

    /// What the type of the block refers to, or the type.
    pub(super) fn self_type(&self, block: &ItemImpl) -> Type {
        referent(self.erased((*block.self_ty).clone()))
    }

    /// The path of the trait, for references without lifetimes.
    pub(super) fn path(&self, path: &Path) -> Path {
        let mut path = path.clone();
        Erase(&self.lifetimes).visit_path_mut(&mut path);
        match &self.own {
            Some(own) => {
                let own = own.to_token_stream();
                let tokens = replaced(path.to_token_stream(), "Self", &own);
                syn::parse2(tokens).unwrap_or(path)
            }
            None => path,
        }
    }

    /// The generic parameters of the block without the lifetimes of the references.
    pub(super) fn generics(&self, generics: &Generics) -> Generics {
        let mut generics = generics.clone();
        let is_erased = |lifetime: &Lifetime| self.lifetimes.contains(&lifetime.ident.to_string());
        let params = std::mem::take(&mut generics.params).into_iter();
        generics.params = params
            .filter(|param| {
                !matches!(param, GenericParam::Lifetime(param) if is_erased(&param.lifetime))
            })
            .collect();
        for param in generics.type_params_mut() {
            let bounds = std::mem::take(&mut param.bounds).into_iter();
            param.bounds = bounds.filter(|bound| !is_lifetime(bound, is_erased)).collect();
        }
        if let Some(clause) = &mut generics.where_clause {
            let predicates = std::mem::take(&mut clause.predicates).into_iter();
            clause.predicates =
                predicates.filter_map(|predicate| self.predicate(predicate)).collect();
            if clause.predicates.is_empty() {
                generics.where_clause = None;
            }
        }
        generics
    }

    /// What a predicate says of any lifetimes in the places of those of the references.
    fn predicate(&self, predicate: WherePredicate) -> Option<WherePredicate> {
        let is_erased = |lifetime: &Lifetime| self.lifetimes.contains(&lifetime.ident.to_string());
        match predicate {
            WherePredicate::Lifetime(predicate) => {
                let is_about =
                    is_erased(&predicate.lifetime) || predicate.bounds.iter().any(is_erased);
                (!is_about).then_some(WherePredicate::Lifetime(predicate))
            }
            WherePredicate::Type(mut predicate) => {
                let bounds = std::mem::take(&mut predicate.bounds).into_iter();
                predicate.bounds = bounds.filter(|bound| !is_lifetime(bound, is_erased)).collect();
                let tokens = predicate.to_token_stream();
                let mut named = self.lifetimes.iter().filter(|name| mentions(&tokens, name));
                let named: Vec<LifetimeParam> = named
                    .by_ref()
                    .map(|name| {
                        LifetimeParam::new(Lifetime::new(&format!("'{name}"), Span::call_site()))
                    })
                    .collect();
                if !named.is_empty() {
                    let all: &mut BoundLifetimes =
                        predicate.lifetimes.get_or_insert_with(BoundLifetimes::default);
                    all.lifetimes.extend(named.into_iter().map(GenericParam::Lifetime));
                }
                (!predicate.bounds.is_empty()).then_some(WherePredicate::Type(predicate))
            }
            other => Some(other),
        }
    }

    /// The function with references without lifetimes.
    pub(super) fn function(&self, function: &mut ItemFn) {
        Erase(&self.lifetimes).visit_item_fn_mut(function);
    }

    /// The tokens with what `Self` is.
    pub(super) fn with_own(&self, tokens: TokenStream) -> TokenStream {
        match &self.own {
            Some(own) => replaced(tokens, "Self", &own.to_token_stream()),
            None => tokens,
        }
    }
}

/// What is special about a reference, if operators on such have no adjoints.
fn without_adjoint(of: &TypeReference) -> Option<&'static str> {
    let is_twofold = reference(&of.elem).is_some();
    match &*of.elem {
        _ if of.mutability.is_some() => Some("a `&mut`"),
        _ if is_twofold => Some("a reference to a reference"),
        Type::Slice(_) => Some("a slice"),
        _ => None,
    }
}

/// A type, or what it refers to.
pub(super) fn referent(ty: Type) -> Type {
    match ty {
        Type::Reference(reference) => *reference.elem,
        Type::Paren(inner) => referent(*inner.elem),
        Type::Group(inner) => referent(*inner.elem),
        ty => ty,
    }
}

fn reference(ty: &Type) -> Option<&TypeReference> {
    match ty {
        Type::Reference(reference) => Some(reference),
        Type::Paren(inner) => reference(&inner.elem),
        Type::Group(inner) => reference(&inner.elem),
        _ => None,
    }
}

/// The type of the right operand, if it is written.
pub(super) fn right_of(path: &Path) -> Option<Type> {
    match &path.segments.last()?.arguments {
        PathArguments::AngleBracketed(args) => match args.args.first()? {
            GenericArgument::Type(ty) => Some(ty.clone()),
            _ => None,
        },
        PathArguments::None | PathArguments::Parenthesized(_) => None,
    }
}

fn output_of(block: &ItemImpl) -> TokenStream {
    let outputs = block.items.iter().filter_map(|item| match item {
        syn::ImplItem::Type(item) => Some(item.ty.to_token_stream()),
        _ => None,
    });
    outputs.collect()
}

fn is_lifetime(bound: &TypeParamBound, is_erased: impl Fn(&Lifetime) -> bool) -> bool {
    matches!(bound, TypeParamBound::Lifetime(lifetime) if is_erased(lifetime))
}

fn mentions(tokens: &TokenStream, lifetime: &str) -> bool {
    let text = tokens.to_string();
    let mut words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '\''));
    words.any(|word| word.strip_prefix('\'') == Some(lifetime))
}

/// The trait as it is proved to be the standard library's: outside of the block, where each lifetime has a name, and type parameters have to
/// outlive it.
fn written(block: &ItemImpl, path: &Path) -> WrittenTrait {
    const ANONYMOUS: &str = "'__operand";
    struct Name(bool);
    impl VisitMut for Name {
        fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
            if reference.lifetime.is_none() {
                reference.lifetime = Some(Lifetime::new(ANONYMOUS, Span::call_site()));
                self.0 = true;
            }
            visit_mut::visit_type_reference_mut(self, reference);
        }
    }
    let (mut own, mut path) = ((*block.self_ty).clone(), path.clone());
    let mut name = Name(false);
    name.visit_type_mut(&mut own);
    name.visit_path_mut(&mut path);
    let own = own.to_token_stream();
    let outside = |tokens: TokenStream| replaced(tokens, "Self", &own);
    let anonymous = name.0.then(|| Lifetime::new(ANONYMOUS, Span::call_site()));
    let generics = &block.generics;
    let lifetimes =
        generics.lifetimes().map(|param| param.lifetime.clone()).chain(anonymous.clone());
    let lifetimes: Vec<Lifetime> = lifetimes.collect();
    let types: Vec<&Ident> = generics.type_params().map(|param| &param.ident).collect();
    let outlive = types.iter().map(|ty| quote!(#ty: #(#lifetimes)+*,));
    let clauses = generics.where_clause.as_ref().map(|clause| &clause.predicates);
    let clauses = quote!(#(#outlive)* #clauses);
    let (params, anonymous) = (&generics.params, anonymous.into_iter());
    let params = quote!(#(#anonymous,)* #params);
    WrittenTrait {
        path: outside(path.to_token_stream()),
        params: outside(params),
        clauses: outside(clauses),
    }
}

/// Leaves out lifetimes of references.
struct Erase<'l>(&'l BTreeSet<String>);

impl VisitMut for Erase<'_> {
    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        let is_erased = |lifetime: &Lifetime| self.0.contains(&lifetime.ident.to_string());
        if reference.lifetime.as_ref().is_some_and(is_erased) {
            reference.lifetime = None;
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_generic_argument_mut(&mut self, argument: &mut GenericArgument) {
        match argument {
            GenericArgument::Lifetime(lifetime) if self.0.contains(&lifetime.ident.to_string()) => {
                *lifetime = Lifetime::new("'_", lifetime.span());
            }
            argument => visit_mut::visit_generic_argument_mut(self, argument),
        }
    }
}
