//! The generic parameters of the entries.

use super::Entries;
use crate::emit::located;
use crate::interface::Interface;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericParam, Generics};

impl Entries<'_> {
    /// The generic parameters, followed by more, and the where clause of an entry. Left out is a type
    /// parameter that the entry does not mention: nothing would tell rustc what it is, unless
    /// whoever calls the function names it anyway.
    pub(super) fn generics(
        &self,
        more: &[TokenStream],
        mentioned: &TokenStream,
    ) -> (TokenStream, TokenStream) {
        let Generics { params, where_clause, .. } = self.own_generics();
        let clauses = where_clause.map(|clause| clause.predicates).unwrap_or_default();
        let clauses: Vec<TokenStream> = clauses.iter().map(ToTokens::to_token_stream).collect();
        // Those of operators are with the `impl`.
        let demands = match self.interface.standard {
            Some(_) => Vec::new(),
            None => {
                let Interface { demands, asked_of_others, .. } = self.interface;
                demands.iter().chain(asked_of_others).cloned().collect()
            }
        };
        let untold = &self.interface.untold;
        let left_out = left_out(params.iter(), &clauses, &quote!(#mentioned #(#untold)*));
        let is_kept = |tokens: &TokenStream| !left_out.iter().any(|name| mentions(tokens, name));
        let own = params.iter().map(ToTokens::to_token_stream).filter(is_kept).map(located);
        let all: Vec<TokenStream> = own.chain(more.iter().cloned()).collect();
        let clauses: Vec<TokenStream> =
            clauses.into_iter().chain(demands).filter(is_kept).map(located).collect();
        let generics = if all.is_empty() { TokenStream::new() } else { quote!(<#(#all),*>) };
        let bounds = (!clauses.is_empty()).then(|| quote!(where #(#clauses),*));
        (generics, bounds.unwrap_or_default())
    }

    /// The generic parameters and the where clause of an entry for users. If it is not clear what is
    /// differentiated with respect to what, rustc says so where the entry is used.
    pub(super) fn public_generics(
        &self,
        more: &[TokenStream],
        mentioned: &TokenStream,
    ) -> (TokenStream, TokenStream) {
        let (generics, mut bounds) = self.generics(more, mentioned);
        if !self.interface.is_decided() {
            let rt = &self.rt;
            let begin = if bounds.is_empty() { quote!(where) } else { quote!(,) };
            bounds.extend(quote!(#begin for<'user> (): #rt::Decided));
        }
        (generics, bounds)
    }

    /// The generic parameters and the where clause as the user has them.
    pub(super) fn own_generics(&self) -> Generics {
        let (own, bounds) = (&self.interface.generics, &self.interface.bounds);
        let parsed = syn::parse2::<syn::Signature>(quote!(fn generic<#own>() #bounds));
        parsed.expect("they come from a signature").generics
    }
}

/// The type parameters that neither the tokens mention nor the bounds of those that they mention.
fn left_out<'p>(
    params: impl Iterator<Item = &'p GenericParam>,
    clauses: &[TokenStream],
    mentioned: &TokenStream,
) -> Vec<Ident> {
    let (mut kept, mut open) = (vec![mentioned.clone()], Vec::new());
    for param in params {
        match param {
            GenericParam::Type(param) => open.push((param.ident.clone(), param.to_token_stream())),
            GenericParam::Lifetime(_) | GenericParam::Const(_) => {}
        }
    }
    loop {
        let is_mentioned =
            |(name, _): &(Ident, TokenStream)| kept.iter().any(|tokens| mentions(tokens, name));
        let Some(position) = open.iter().position(is_mentioned) else { break };
        let (name, tokens) = open.remove(position);
        kept.push(tokens);
        kept.extend(clauses.iter().filter(|clause| mentions(clause, &name)).cloned());
    }
    open.into_iter().map(|(name, _)| name).collect()
}

/// Whether a name occurs in tokens.
pub(super) fn mentions(tokens: &TokenStream, name: &Ident) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) => mentions(&group.stream(), name),
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
