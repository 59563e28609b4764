//! Emission: from the IR to tokens. Nothing is decided here, and nothing can fail.

mod body;
mod calls;
mod docs;
mod entries;
mod expr;
mod lists;
mod methods;
mod operators;
mod proofs;
mod ranges;
mod types;
mod variables;
mod witness;

pub use types::{bar as bar_type, known as known_type};

use crate::analyses::Facts;
use crate::diff::Adjoint;
use crate::interface::Interface;
use crate::ir::{Body, Operator};
use crate::reify::Reified;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;

/// Everything that emission needs.
#[derive(Debug)]
pub struct Product<'a> {
    /// The signature.
    pub interface: &'a Interface,
    /// The primal, with control reified.
    pub primal: &'a Body,
    /// What was added when control was reified.
    pub reified: &'a Reified,
    /// The analyses of the primal.
    pub facts: &'a Facts,
    /// The sweeps.
    pub adjoint: &'a Adjoint,
    /// Both sweeps in one body, for callers that want the value, too.
    pub single_pass: Option<&'a Body>,
    /// Items that the sweeps repeat.
    pub items: &'a [TokenStream],
    /// Where the entries of callees are, if not beside the functions.
    pub callees: &'a [(Ident, TokenStream)],
}

/// The struct with the entries.
pub fn emit(product: &Product<'_>) -> TokenStream {
    entries::entries(product)
}

/// What was generated for the functions of an `impl` block, beside that.
pub fn emit_block(block: &syn::ItemImpl, functions: TokenStream) -> TokenStream {
    let operator = block
        .trait_
        .as_ref()
        .and_then(|(path, _)| Operator::of_trait(&path.segments.last()?.ident.to_string()));
    if operator.is_some() {
        return functions;
    }
    let self_type = &block.self_ty;
    let (generics, _, bounds) = block.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        #[allow(unreachable_code, clippy::all)]
        impl #generics #self_type #bounds { #functions }
    }
}

/// Places tokens where the user's code is, for errors, without making them the user's: lints are for
/// what the user has written.
pub fn located(tokens: TokenStream) -> TokenStream {
    let relocate = |token: TokenTree| match token {
        TokenTree::Group(group) => {
            let mut relocated = Group::new(group.delimiter(), located(group.stream()));
            relocated.set_span(at(group.span()));
            TokenTree::Group(relocated)
        }
        mut token => {
            token.set_span(at(token.span()));
            token
        }
    };
    tokens.into_iter().map(relocate).collect()
}

/// Tokens with one span.
fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    let respan = |token: TokenTree| match token {
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), respanned(group.stream(), span));
            inner.set_span(span);
            TokenTree::Group(inner)
        }
        mut token => {
            token.set_span(span);
            token
        }
    };
    tokens.into_iter().map(respan).collect()
}

/// The span of generated code that stands for the user's code there.
fn at(span: Span) -> Span {
    Span::call_site().located_at(span)
}

/// The name of a hidden function in an `impl` block, for the entries of that prefix.
fn hidden_name(prefix: &str, function: &str) -> Ident {
    let prefix = prefix.trim_start_matches("r#");
    Ident::new(&format!("__{prefix}_{function}"), Span::call_site())
}

/// An identifier; raw if it is a keyword.
fn ident(name: &str, span: Span) -> Ident {
    let span = at(span);
    if matches!(name, "self" | "Self") {
        return Ident::new(name, span);
    }
    match syn::parse_str::<Ident>(name) {
        Ok(_) => Ident::new(name, span),
        Err(_) => Ident::new_raw(name.trim_start_matches("r#"), span),
    }
}
