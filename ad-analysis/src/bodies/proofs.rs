//! What generated code proves of bodies: at the function, what its names mean; where it is lowered in place of a call, that it is
//! that function, and that its tokens are the same.

use super::names::{Body, Meant, foreign_path, path_of};
use crate::signatures::Receiver;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

/// The constant that tells a body from others.
const TOKENS: &str = "__TOKENS";

/// What carries the constant of a function.
pub enum Carrier<'a> {
    /// A struct of that name.
    Struct(&'a Ident),
    /// The module that the function is called like.
    Module,
    /// The type that the function is one of, by the name of the function.
    Type(&'a Ident),
}

/// The constant of a function, where its entries are.
pub fn constant_of_function(entries: &TokenStream) -> TokenStream {
    let tokens = format_ident!("{TOKENS}");
    quote!(#entries::#tokens)
}

/// The constant of a function of a type.
pub fn constant_of_method(owner: &TokenStream, method: &str) -> TokenStream {
    let name = constant_in_type(method);
    quote!(#owner::#name)
}

fn constant_in_type(method: &str) -> Ident {
    format_ident!("{TOKENS}_of_{}", method.trim_start_matches("r#"))
}

/// Entries that users may look for.
const ENTRIES: [&str; 8] =
    ["adjoint", "backward", "forward", "gradient", "hessian", "jacobian", "pullback", "tangent"];

/// The constant of a function, which is as visible as that.
pub fn declaration(
    carrier: &Carrier<'_>,
    visibility: &TokenStream,
    digest: &TokenStream,
    facade: Option<&TokenStream>,
) -> TokenStream {
    let facade = facade.cloned().unwrap_or_else(|| quote!(::backsweep));
    let rt = quote!(#facade::__private);
    let tokens = format_ident!("{TOKENS}");
    let entries = ENTRIES.map(|name| format_ident!("{name}"));
    match carrier {
        Carrier::Module => quote! {
            #[doc(hidden)]
            #[allow(dead_code)]
            #visibility const #tokens: u128 = #digest;
            #[doc(hidden)]
            #[allow(dead_code)]
            #visibility const fn __entries<Asks: #rt::AsksInPlace>(asks: Asks) -> Asks::Entries {
                ::core::mem::forget(asks);
                Asks::ENTRIES
            }
        },
        Carrier::Struct(name) => quote! {
            /// The function takes functions: derivatives are had of those that call it, with functions that are known there.
            #[allow(dead_code, non_camel_case_types)]
            #visibility struct #name {}
            impl #name {
                #[doc(hidden)]
                #[allow(dead_code)]
                pub const #tokens: u128 = #digest;
                #[doc(hidden)]
                #[allow(dead_code)]
                pub const fn __entries<Asks: #rt::AsksInPlace>(asks: Asks) -> Asks::Entries {
                    ::core::mem::forget(asks);
                    Asks::ENTRIES
                }
                #(
                    #[doc(hidden)]
                    #[allow(dead_code, non_upper_case_globals)]
                    pub const #entries: #rt::DerivativesOfItsCallersOnly = #rt::DerivativesOfItsCallersOnly;
                )*
            }
        },
        Carrier::Type(method) => {
            let tokens = constant_in_type(&method.to_string());
            quote! {
                #[doc(hidden)]
                #[allow(dead_code, non_upper_case_globals)]
                #visibility const #tokens: u128 = #digest;
            }
        }
    }
}

/// Proves that names of a module mean what they are taken for. `meant` are these names, as paths that begin in the module, and for
/// each, paths that lead to the same: two imports of all names that bring different things under one name make it ambiguous.
pub fn names_proof<'m>(
    meant: impl IntoIterator<Item = (&'m str, Vec<TokenStream>)>,
) -> TokenStream {
    let (mut own, mut others, mut uses) = (TokenStream::new(), Vec::new(), TokenStream::new());
    for (position, (written, paths)) in meant.into_iter().enumerate() {
        let name = format_ident!("__name_{position}");
        let path = from_inside(written);
        own.extend(quote!(pub(super) use #path as #name;));
        for (rank, path) in paths.into_iter().enumerate() {
            if others.len() == rank {
                others.push(TokenStream::new());
            }
            others[rank].extend(quote!(pub(super) use #path as #name;));
        }
        let used = format_ident!("__used_{position}");
        uses.extend(quote!(use self::#name as #used;));
    }
    if own.is_empty() {
        return own;
    }
    let names = (0..others.len()).map(|rank| format_ident!("__paths_{rank}"));
    let names: Vec<Ident> = names.collect();
    quote! {
        #[allow(unused_imports)]
        mod __names {
            mod __own { #own }
            #(mod #names { #others })*
            use self::__own::*;
            #(use self::#names::*;)*
            #uses
        }
    }
}

/// A path that begins at the root of the crate.
pub fn from_root(path: &TokenStream) -> TokenStream {
    quote!(crate::#path)
}

/// A path that begins in a module, as it is written in a module of a module of it.
fn from_inside(written: &str) -> TokenStream {
    let names: Vec<String> = written.split("::").map(str::to_owned).collect();
    let at = Span::call_site();
    match names[0].as_str() {
        "crate" => path_of(&names, at),
        "self" => {
            let rest = path_of(&names[1..], at);
            quote!(super::super::#rest)
        }
        _ => {
            let path = path_of(&names, at);
            quote!(super::super::#path)
        }
    }
}

impl Body {
    /// Proves in the module of the function that its names mean what they are taken for.
    pub fn proof(&self) -> TokenStream {
        let at = Span::call_site();
        let (mut meant, mut types) = (Vec::new(), TokenStream::new());
        for (name, meaning) in &self.meant {
            match meaning {
                Meant::FunctionType(ty) => {
                    let alias: Vec<String> = name.split("::").map(str::to_owned).collect();
                    let alias = path_of(&alias, at);
                    types.extend(quote! {
                        const _: ::core::marker::PhantomData<#alias> = ::core::marker::PhantomData::<#ty>;
                    });
                }
                // Another crate, by its name.
                Meant::Foreign(path) if path.join("::") == *name => {}
                Meant::Foreign(path) => meant.push((name.as_str(), vec![foreign_path(path, at)])),
                Meant::Paths(paths) => {
                    let paths = paths.iter().map(|path| path_of(path, at)).collect();
                    meant.push((name.as_str(), paths));
                }
            }
        }
        let names = names_proof(meant);
        quote!(#names #types)
    }
}

/// Proofs, where items may stand.
pub fn proven(proofs: TokenStream) -> TokenStream {
    if proofs.is_empty() { proofs } else { quote!(const _: () = { #proofs };) }
}

/// Proves where a body is lowered that it is that of the function whose constant is at a path.
pub fn assertion(constant: &TokenStream, digest: &TokenStream) -> TokenStream {
    quote! {
        const _: () = ::core::assert!(
            #constant == #digest,
            "the function that is called here is not the one whose body was read: write `#[adjoint(no(context))]`"
        );
    }
}

/// Proves that a call of a method by its name, on a value of its type or on a reference to one, is that of the method of the type
/// itself.
pub fn lookup_proof(owner: &TokenStream, method: &Ident, receiver: Receiver) -> TokenStream {
    let proof = lookup_proof_of(&quote!(owner()), method, receiver);
    if proof.is_empty() {
        return proof;
    }
    quote! {
        #[allow(unused, clippy::all)]
        const _: fn() = || {
            let _ = |owner: fn() -> #owner| { #proof };
        };
    }
}

/// The same for a value of the type, in code that is never run: rustc finds the method of the type before those of traits, but not where
/// one of these takes what is looked at before, as by value what the method takes by reference. For each such receiver a trait has a method
/// of that name at the last step before: one of another trait is found before, or is as good, and an error.
pub fn lookup_proof_of(value: &TokenStream, method: &Ident, receiver: Receiver) -> TokenStream {
    let at = Span::call_site().located_at(method.span());
    let mut method = method.clone();
    method.set_span(at);
    // What it is called on, and the last step before that at which the method is found.
    let owned = (quote!(#value), quote!(__T));
    let lent_for_change = (quote!((&mut #value)), quote!(&mut &mut __T));
    let lent_twice = (quote!((&&#value)), quote!(&mut &&__T));
    let steps = match receiver {
        // It is called on values only, whose own methods are found first.
        Receiver::Value => Vec::new(),
        Receiver::Shared => vec![owned, lent_for_change, lent_twice],
        Receiver::Exclusive => vec![(quote!(#value), quote!(&__T))],
    };
    let each = steps.into_iter().map(|(called_on, before)| {
        quote_spanned! {at=> {
            struct __NoOther;
            trait __Before: ::core::marker::Sized {
                fn #method(self) -> __NoOther {
                    __NoOther
                }
            }
            impl<__T> __Before for #before {}
            let _: __NoOther = #called_on.#method();
        }}
    });
    each.collect()
}
