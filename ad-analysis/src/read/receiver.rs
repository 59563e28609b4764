//! Receivers as parameters like others.

use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ItemFn;

/// Gives the receiver of a method another name in its body, which is returned.
pub fn rename_receiver(function: &mut ItemFn, span: Span) -> Ident {
    let name = Ident::new(&free_name(function), span);
    Renaming { name: &name }.visit_block_mut(&mut function.block);
    name
}

/// A name for the receiver that the function does not mention.
fn free_name(function: &ItemFn) -> String {
    let text = function.to_token_stream().to_string();
    let is_taken = |name: &str| {
        text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
    };
    let mut name = "self_".to_owned();
    while is_taken(&name) {
        name.push('_');
    }
    name
}

/// Another name for `self`. Items have a `self` of their own.
struct Renaming<'n> {
    name: &'n Ident,
}

impl VisitMut for Renaming<'_> {
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if path.is_ident("self") {
            let ident = &mut path.segments[0].ident;
            *ident = Ident::new(&self.name.to_string(), ident.span());
        }
        visit_mut::visit_path_mut(self, path);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = renamed(std::mem::take(&mut mac.tokens), self.name);
    }

    fn visit_attribute_mut(&mut self, attr: &mut syn::Attribute) {
        if let syn::Meta::List(list) = &mut attr.meta {
            list.tokens = renamed(std::mem::take(&mut list.tokens), self.name);
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        match expr {
            syn::Expr::Verbatim(tokens) => *tokens = renamed(std::mem::take(tokens), self.name),
            other => visit_mut::visit_expr_mut(self, other),
        }
    }
}

/// The tokens with another name for `self`.
fn renamed(tokens: TokenStream, name: &Ident) -> TokenStream {
    let rename = |token: TokenTree| match token {
        TokenTree::Ident(ident) if ident == "self" => {
            TokenTree::Ident(Ident::new(&name.to_string(), ident.span()))
        }
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), renamed(group.stream(), name));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        token => token,
    };
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_colon = |position: usize| matches!(tokens.get(position), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    let each = tokens.iter().enumerate().map(|(position, token)| {
        // `self::function` is a path.
        let begins_path = is_colon(position + 1) && is_colon(position + 2);
        if begins_path { token.clone() } else { rename(token.clone()) }
    });
    each.collect()
}
