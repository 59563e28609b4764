//! The attributes of `backsweep`. All logic is in `ad_analysis`.

use ad_analysis::context::Place;
use proc_macro::{Span, TokenStream, TokenTree};
use std::path::PathBuf;

#[doc = include_str!("adjoint.md")]
#[proc_macro_attribute]
pub fn adjoint(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let place = place_of(&item);
    ad_analysis::expand_in(arguments.into(), item.into(), place.as_ref()).into()
}

/// Where an item stands, if it stands in a file of the crate. In the tests of documents rustc says what is not so.
fn place_of(item: &TokenStream) -> Option<Place> {
    if std::env::var_os("UNSTABLE_RUSTDOC_TEST_PATH").is_some() {
        return None;
    }
    let keyword = item.clone().into_iter().find_map(|token| match token {
        TokenTree::Ident(word) => {
            ["fn", "impl", "mod"].contains(&word.to_string().as_str()).then(|| word.span())
        }
        TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    })?;
    if Span::call_site().local_file() != keyword.local_file() {
        return None;
    }
    Some(Place { file: file()?, line: keyword.line(), column: keyword.column() })
}

/// The file in which the macro is called. Its path is relative to where rustc runs.
fn file() -> Option<PathBuf> {
    Some(std::env::current_dir().ok()?.join(Span::call_site().local_file()?))
}

#[doc = include_str!("differentiable.md")]
#[proc_macro_derive(Differentiable, attributes(passive, differentiable))]
pub fn differentiable(input: TokenStream) -> TokenStream {
    ad_analysis::derive_differentiable(input.into(), file().as_deref()).into()
}

/// What generated code has on the structs that stand for functions with `#[cfg(…)]` inside, until rustc has decided the
/// conditions: not for use by hand.
#[doc(hidden)]
#[proc_macro_derive(Conditions, attributes(annotated))]
pub fn conditions(input: TokenStream) -> TokenStream {
    ad_analysis::expand_decided(input.into(), file().as_deref()).into()
}

#[doc = include_str!("rules.md")]
#[proc_macro]
pub fn rules(input: TokenStream) -> TokenStream {
    ad_analysis::expand_rules(input.into()).into()
}
