//! The generic parameters that a step has of the function around it.

use super::Known;
use crate::interface::Interface;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::GenericParam;

/// The type and constant parameters that the types of what is captured mention, and what holds for them.
#[derive(Default)]
pub(super) struct Generics {
    params: Vec<TokenStream>,
    names: Vec<Ident>,
    bounds: Vec<TokenStream>,
    /// What derivatives ask of them besides.
    demands: Vec<TokenStream>,
}

/// A parameter of the function or of the `impl` block around it.
struct Param {
    name: Ident,
    tokens: TokenStream,
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
        let demands = interface.demands.iter().chain(&interface.unchanging);
        let mut found = Self::default();
        let mut open = params;
        let mut mentioned: TokenStream = types.iter().copied().cloned().collect();
        while let Some(at) =
            open.iter().position(|param| mention(&mentioned, &param.name).is_some())
        {
            let Param { name, tokens } = open.remove(at);
            mentioned.extend(tokens.clone());
            let about = clauses.iter().filter(|clause| mention(clause, &name).is_some());
            mentioned.extend(about.cloned());
            found.params.push(tokens);
            found.names.push(name);
        }
        let is_about =
            |clause: &&TokenStream| found.names.iter().any(|name| mention(clause, name).is_some());
        found.bounds = clauses.iter().filter(is_about).cloned().collect();
        found.demands = demands.filter(is_about).cloned().collect();
        let unknown = open.iter().find_map(|param| mention(body, &param.name));
        let unknown = unknown.map(|span| Ident::new(&open_name(&open, body), span));
        (found, unknown)
    }

    /// The parameters, each followed by a comma.
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
                GenericParam::Type(param) => param.ident.clone(),
                GenericParam::Const(param) => param.ident.clone(),
                GenericParam::Lifetime(_) => continue,
            };
            params.push(Param { name, tokens: param.to_token_stream() });
        }
        let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        clauses.extend(predicates.map(ToTokens::to_token_stream));
    }
    (params, clauses)
}

fn open_name(open: &[Param], body: &TokenStream) -> String {
    let found = open.iter().find(|param| mention(body, &param.name).is_some());
    found.map(|param| param.name.to_string()).unwrap_or_default()
}

/// Where the tokens mention a name.
pub(super) fn mention(tokens: &TokenStream, name: &Ident) -> Option<Span> {
    tokens.clone().into_iter().find_map(|token| match token {
        TokenTree::Group(group) => mention(&group.stream(), name),
        TokenTree::Ident(ident) => (ident == *name).then(|| ident.span()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    })
}
