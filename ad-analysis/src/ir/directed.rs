//! The tangent of a function as callers in other tangents name it: it is called as the function is, with something behind each argument.

use super::{Callee, Derivative};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;

/// The name of the tangent of a function in an `impl` block, which has sweeps as any function has.
pub fn directed_name(prefix: &str) -> String {
    format!("__{}_{}", prefix.trim_start_matches("r#"), Derivative::Directed.name())
}

/// Whether a function in an `impl` block is the tangent of another.
pub fn is_directed(name: &Ident) -> bool {
    let text = name.to_string();
    let end = text.strip_suffix(Derivative::Directed.name());
    text.starts_with("__") && end.is_some_and(|rest| rest.ends_with('_'))
}

/// What the names of the entries of a function in an `impl` block begin with, where `callee(…)` may say something else than its
/// name.
pub fn entries_prefix(callees: &[(Ident, TokenStream)], name: &Ident) -> String {
    let other = callees.iter().find(|(callee, _)| callee == name);
    let path = other.and_then(|(_, path)| syn::parse2::<syn::Path>(path.clone()).ok());
    let last = path.and_then(|path| path.segments.last().map(|segment| segment.ident.clone()));
    last.unwrap_or_else(|| name.clone()).to_string()
}

impl Callee {
    /// The tangent of a callee as a function, if there is one. `callees` says where entries are.
    pub fn directed(self, callees: &[(Ident, TokenStream)]) -> Option<Self> {
        let hidden =
            |name: &Ident| Ident::new(&directed_name(&entries_prefix(callees, name)), name.span());
        match self {
            Self::Function(path) => Some(Self::Derivative(Derivative::Directed, path)),
            Self::Associated(path) => {
                let mut path: syn::Path = syn::parse2(path).ok()?;
                let last = path.segments.last_mut()?;
                last.ident = hidden(&last.ident);
                // Generic arguments would have to be given for directions, too.
                last.arguments = syn::PathArguments::None;
                Some(Self::Associated(path.to_token_stream()))
            }
            Self::Method(name) => Some(Self::Method(hidden(&name))),
            Self::Derivative(..) | Self::Operator(_) | Self::Given => None,
        }
    }
}
