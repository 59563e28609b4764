//! `rules! { … }`: derivatives of methods, functions and operators of types that belong to other crates.
//!
//! ```text
//! pub trait Rules for Matrix { det, scaled/1 }        the methods that calls find where the trait is in scope
//!
//! impl Matrix {
//!     fn det(&self) -> f64 {                          a function of the type; its value is a call of it, unless `= value` follows
//!         self: |w| cofactors(self) * w, |d| …;       what the bar of the argument gets of a weight, and what a direction contributes
//!     }
//!     fn scaled(self, by: f64) -> Matrix {
//!         self: each by;                              the same partial for each element
//!         by: each self;
//!     }
//!     fn norm, magnitude(&self) -> f64 { … }          the same of both
//!     op Mul, MulAssign(self, by: f64) -> Matrix { … }
//! }
//! ```
//!
//! Every argument has its line; one without floats is `passive`. `result` is what the function returns.

mod expand;
mod methods;
mod operators;
mod parse;

use proc_macro2::TokenStream;

/// The implementations, or the error.
pub fn expand_rules(input: TokenStream) -> TokenStream {
    match syn::parse2::<parse::Pack>(input) {
        Ok(pack) => pack.expand(),
        Err(error) => error.to_compile_error(),
    }
}
