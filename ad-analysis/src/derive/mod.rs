//! `#[derive(Differentiable)]`: a type whose bar is a value of the same type, with the same variant if it is an enum.
//!
//! The macro sees no types, so every field is asked for its bar through the traits of the runtime;
//! rustc decides whether it has one. Fields without floats are copied into the bar; those of types
//! that have no bar at all must be marked `#[passive]`.
//!
//! A struct is a type with one case, an enum has one for each variant: what is generated takes values apart case by case.

mod cases;
mod members;
mod storable;
mod vector;

use crate::context::{has_standard_names, through_runtime};
use crate::diag::{Diagnostic, Errors};
use crate::getters::{getter_of_part, passive_query};
use crate::payloads::is_of_variant;
use cases::{Case, Structure};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::path::Path;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput};

/// The name of the hidden function of a type that says that a field is passive, or what a getter leads to. Names of payloads are no
/// identifiers.
pub(crate) fn field_query(member: &str) -> String {
    match (is_of_variant(member), getter_of_part(member)) {
        (true, _) => format!("__payload_{:032x}", number_of_field(member)),
        (false, Some(getter)) => passive_query(getter),
        (false, None) => format!("__field_{}", member.trim_start_matches("r#")),
    }
}

/// A number by which the name of a field goes in types: a hash of 128 bits (FNV-1a).
pub(crate) fn number_of_field(member: &str) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let name = member.trim_start_matches("r#").bytes();
    name.fold(BASIS, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME))
}

/// The implementations for a type that stands in the file, or the errors.
pub fn derive_differentiable(input: TokenStream, file: Option<&Path>) -> TokenStream {
    let errors = Errors::new();
    let derived = match syn::parse2::<DeriveInput>(input) {
        Ok(input) => {
            let is_right = |of: &Structure<'_>| errors.is_empty() || of.may_be_cloned();
            parse(&input, &errors).filter(is_right).map(|structure| {
                let derived = structure.derive();
                match file.is_none_or(has_standard_names) {
                    true => derived,
                    false => through_runtime(derived, &structure.rt),
                }
            })
        }
        Err(error) => {
            errors.report_syntax(&error, "`Differentiable` is derived for structs and enums");
            None
        }
    };
    // A refused type has a bar without the fields for which it is, so that what uses it is no error, too.
    errors.take().iter().map(Diagnostic::to_compile_error).chain(derived).collect()
}

fn parse<'a>(input: &'a DeriveInput, errors: &Errors) -> Option<Structure<'a>> {
    let facade = facade_of(&input.attrs, errors);
    let cases: Vec<Case<'a>> = match &input.data {
        Data::Struct(data) => vec![Case::of(None, &data.fields, errors)],
        Data::Enum(data) => {
            if data.variants.is_empty() {
                errors.report(
                    data.enum_token.span(),
                    "`Differentiable` cannot be derived for an enum without variants",
                    "there is no value of it that could have a derivative",
                );
                return None;
            }
            let variants = data.variants.iter();
            variants
                .map(|variant| Case::of(Some(&variant.ident), &variant.fields, errors))
                .collect()
        }
        Data::Union(data) => {
            errors.report(
                data.union_token.span(),
                "`Differentiable` cannot be derived for a union",
                "use a struct, and mark fields of this type `#[passive]`",
            );
            return None;
        }
    };
    Some(Structure {
        name: &input.ident,
        generics: &input.generics,
        cases,
        rt: quote!(#facade::__private),
    })
}

/// The path in `#[differentiable(crate = path)]`.
fn facade_of(attrs: &[Attribute], errors: &Errors) -> TokenStream {
    let mut facade = quote!(::backsweep);
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("differentiable")) {
        let parsed = attr.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(meta.error("the only option is `crate`"));
            }
            let path = meta.value()?.call(syn::Path::parse_mod_style)?;
            facade = path.into_token_stream();
            Ok(())
        });
        if let Err(error) = parsed {
            errors.report_syntax(&error, "write `#[differentiable(crate = path)]`, without quotes");
        }
    }
    facade
}
