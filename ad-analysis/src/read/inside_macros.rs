//! The arguments of a macro, as far as they look like expressions.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprMatch, Macro, Token};

/// What is inside of a macro.
pub(super) enum Arguments {
    /// `a, b, name = c`
    List(Punctuated<Expr, Token![,]>),
    /// `a; n`
    Repeat(Box<(Expr, Expr)>),
    /// `value, pattern if guard`, as a choice between it and everything else.
    Matches(Box<ExprMatch>),
}

/// `matches!(value, pattern if guard)` as a choice between the pattern and everything else.
pub(crate) fn choice_of_matches(mac: &Macro) -> Option<ExprMatch> {
    let parts = |input: ParseStream<'_>| {
        let value: Expr = input.parse()?;
        input.parse::<Token![,]>()?;
        Ok((value, input.parse::<TokenStream>()?))
    };
    let (value, pat) = parts.parse2(mac.tokens.clone()).ok()?;
    let pat = without_comma(pat);
    syn::parse2(quote!(match #value { #pat => true, _ => false })).ok()
}

/// What `matches!` is given, out of such a choice.
pub(crate) fn tokens_of_matches(choice: &ExprMatch) -> TokenStream {
    let (value, pat) = (&choice.expr, &choice.arms[0].pat);
    quote!(#value, #pat)
}

/// The arguments of a macro, if they can be read.
pub(super) fn arguments(mac: &Macro) -> Option<Arguments> {
    if mac.path.segments.last().is_some_and(|last| last.ident == "matches") {
        return Some(Arguments::Matches(Box::new(choice_of_matches(mac)?)));
    }
    let repeat = |input: ParseStream<'_>| {
        let item: Expr = input.parse()?;
        input.parse::<Token![;]>()?;
        Ok((item, input.parse::<Expr>()?))
    };
    if let Ok(parts) = repeat.parse2(mac.tokens.clone()) {
        return Some(Arguments::Repeat(Box::new(parts)));
    }
    let list = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(mac.tokens.clone());
    list.ok().map(Arguments::List)
}

impl Arguments {
    /// The expressions in the positions of values.
    pub(super) fn values_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Arguments::List(list) => list.iter_mut().map(value_of_mut).collect(),
            Arguments::Repeat(parts) => vec![&mut parts.0, &mut parts.1],
            Arguments::Matches(_) => Vec::new(),
        }
    }

    /// The tokens inside of the macro.
    pub(super) fn into_tokens(self) -> TokenStream {
        match self {
            Arguments::List(list) => list.into_token_stream(),
            Arguments::Repeat(parts) => {
                let (item, len) = *parts;
                quote!(#item; #len)
            }
            Arguments::Matches(choice) => tokens_of_matches(&choice),
        }
    }
}

/// `name = value` names an argument.
fn value_of_mut(argument: &mut Expr) -> &mut Expr {
    match argument {
        Expr::Assign(named) => &mut named.right,
        value => value,
    }
}

fn without_comma(tokens: TokenStream) -> TokenStream {
    let mut tokens: Vec<_> = tokens.into_iter().collect();
    if matches!(tokens.last(), Some(proc_macro2::TokenTree::Punct(last)) if last.as_char() == ',') {
        tokens.pop();
    }
    tokens.into_iter().collect()
}
