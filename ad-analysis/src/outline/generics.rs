//! The generic parameters that a step has of the function around it.

use super::Known;
use crate::interface::Interface;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::GenericParam;

/// The parameters that the types of what is captured mention, and what holds for them.
#[derive(Default)]
pub(super) struct Generics {
    lifetimes: Vec<TokenStream>,
    params: Vec<TokenStream>,
    names: Vec<Ident>,
    bounds: Vec<TokenStream>,
    /// What derivatives ask of them besides.
    demands: Vec<TokenStream>,
}

/// A parameter of the function or of the `impl` block around it.
struct Param {
    name: Name,
    tokens: TokenStream,
}

/// What a parameter is called.
enum Name {
    Lifetime(Ident),
    Other(Ident),
}

impl Name {
    fn ident(&self) -> &Ident {
        match self {
            Self::Lifetime(ident) | Self::Other(ident) => ident,
        }
    }

    /// Where tokens mention it.
    fn mention(&self, tokens: &TokenStream) -> Option<Span> {
        match self {
            Self::Lifetime(name) => mention_of_lifetime(tokens, name),
            Self::Other(name) => mention(tokens, name),
        }
    }
}

impl Generics {
    /// Those that are mentioned. Also returned is where the body mentions one that is not: a call of the step would
    /// not tell what it is.
    pub(super) fn of(
        known: &Known<'_>,
        types: &[&TokenStream],
        body: &TokenStream,
    ) -> (Self, Option<Ident>) {
        let interface = &known.lowered.interface;
        let (params, clauses) = all(known, interface);
        let demands = interface.demands.iter().chain(&interface.asked_of_others);
        let mut found = Self::default();
        let mut open = params;
        let mut mentioned: TokenStream = types.iter().copied().cloned().collect();
        let mut names = Vec::new();
        while let Some(at) = open.iter().position(|param| param.name.mention(&mentioned).is_some())
        {
            let Param { name, tokens } = open.remove(at);
            mentioned.extend(tokens.clone());
            let about = clauses.iter().filter(|clause| name.mention(clause).is_some());
            mentioned.extend(about.cloned());
            match &name {
                Name::Lifetime(_) => found.lifetimes.push(tokens),
                Name::Other(ident) => {
                    found.params.push(tokens);
                    found.names.push(ident.clone());
                }
            }
            names.push(name);
        }
        let is_about =
            |clause: &&TokenStream| names.iter().any(|name| name.mention(clause).is_some());
        found.bounds = clauses.iter().filter(is_about).cloned().collect();
        found.demands = demands.filter(is_about).cloned().collect();
        let unknown = open.iter().find_map(|param| {
            let span = param.name.mention(body)?;
            Some(Ident::new(&param.name.ident().to_string(), span))
        });
        (found, unknown)
    }

    /// The lifetimes, each followed by a comma. They stand first.
    pub(super) fn lifetimes(&self) -> TokenStream {
        let lifetimes = &self.lifetimes;
        quote!(#(#lifetimes,)*)
    }

    /// The other parameters, each followed by a comma.
    pub(super) fn params(&self) -> TokenStream {
        let params = &self.params;
        quote!(#(#params,)*)
    }

    /// The where clause of the function.
    pub(super) fn bounds(&self) -> TokenStream {
        let bounds = &self.bounds;
        if bounds.is_empty() { TokenStream::new() } else { quote!(where #(#bounds),*) }
    }

    /// The where clause of its sweeps.
    pub(super) fn demands(&self) -> TokenStream {
        let all = self.bounds.iter().chain(&self.demands);
        if self.bounds.is_empty() && self.demands.is_empty() {
            return TokenStream::new();
        }
        quote!(where #(#all),*)
    }

    /// What follows the name of the function in a call.
    pub(super) fn turbofish(&self) -> TokenStream {
        let names = &self.names;
        if names.is_empty() { TokenStream::new() } else { quote!(::<#(#names),*>) }
    }
}

/// The parameters of the function and of the `impl` block around it, and the predicates of their where clauses.
fn all(known: &Known<'_>, interface: &Interface) -> (Vec<Param>, Vec<TokenStream>) {
    let (own, bounds) = (&interface.generics, &interface.bounds);
    let parsed = syn::parse2::<syn::Signature>(quote!(fn generic<#own>() #bounds));
    let own = parsed.expect("they come from a signature").generics;
    let outer = known.annotated.surroundings().map(|known| known.generics.clone());
    let (mut params, mut clauses) = (Vec::new(), Vec::new());
    for generics in outer.into_iter().chain([own]) {
        for param in &generics.params {
            let name = match param {
                GenericParam::Type(param) => Name::Other(param.ident.clone()),
                GenericParam::Const(param) => Name::Other(param.ident.clone()),
                GenericParam::Lifetime(param) => Name::Lifetime(param.lifetime.ident.clone()),
            };
            params.push(Param { name, tokens: param.to_token_stream() });
        }
        let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        clauses.extend(predicates.map(ToTokens::to_token_stream));
    }
    (params, clauses)
}

/// Where the tokens mention a name.
pub(super) fn mention(tokens: &TokenStream, name: &Ident) -> Option<Span> {
    tokens.clone().into_iter().find_map(|token| match token {
        TokenTree::Group(group) => mention(&group.stream(), name),
        TokenTree::Ident(ident) => (ident == *name).then(|| ident.span()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    })
}

/// Where the tokens mention a lifetime.
pub(super) fn mention_of_lifetime(tokens: &TokenStream, name: &Ident) -> Option<Span> {
    let mut is_lifetime = false;
    tokens.clone().into_iter().find_map(|token| {
        let follows = std::mem::replace(&mut is_lifetime, false);
        match token {
            TokenTree::Group(group) => mention_of_lifetime(&group.stream(), name),
            TokenTree::Ident(ident) => (follows && ident == *name).then(|| ident.span()),
            TokenTree::Punct(punct) => {
                is_lifetime = punct.as_char() == '\'';
                None
            }
            TokenTree::Literal(_) => None,
        }
    })
}
