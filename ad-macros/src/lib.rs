//! The attributes of `backsweep`. All logic is in `ad-analysis`.

use proc_macro::TokenStream;

#[doc = include_str!("adjoint.md")]
#[proc_macro_attribute]
pub fn adjoint(arguments: TokenStream, item: TokenStream) -> TokenStream {
    ad_analysis::expand(arguments.into(), item.into()).into()
}

#[doc = include_str!("differentiable.md")]
#[proc_macro_derive(Differentiable, attributes(passive, differentiable))]
pub fn differentiable(input: TokenStream) -> TokenStream {
    ad_analysis::derive_differentiable(input.into()).into()
}

/// What generated code has on the structs that stand for functions with `#[cfg(…)]` inside, until rustc has decided the
/// conditions: not for use by hand.
#[doc(hidden)]
#[proc_macro_derive(Conditions, attributes(annotated))]
pub fn conditions(input: TokenStream) -> TokenStream {
    ad_analysis::expand_decided(input.into()).into()
}
