//! Options of the attribute, right and wrong.

use fastrand::Rng;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{FnArg, ItemFn, Pat};

/// The options of a function with another one, or with others in their place.
pub fn change(arguments: TokenStream, function: &ItemFn, rng: &mut Rng) -> TokenStream {
    let names = function.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(param) => match &*param.pat {
            Pat::Ident(pat) => Some(pat.ident.to_string()),
            _ => None,
        },
        FnArg::Receiver(_) => Some("self".to_owned()),
    });
    let mut names: Vec<String> = names.collect();
    names.push("return".to_owned());
    let mut a = || names[rng.usize(..names.len())].clone();
    let (a, b) = (a(), a());
    let option = match rng.usize(..18) {
        0 => "no(all)".to_owned(),
        1 => "no(tbr, recompute)".to_owned(),
        2 => "no(activity)".to_owned(),
        3 => "no(adjoint_liveness, snapshot)".to_owned(),
        4 => "no(simplify)".to_owned(),
        5 => "mode = \"split\"".to_owned(),
        6 => "mode = \"joint\"".to_owned(),
        7 => format!("independents({a})"),
        8 => format!("independents({a}), dependents({b})"),
        9 => format!("passive({a})"),
        10 => format!("dependents({a})"),
        11 => "name = \"derivative\"".to_owned(),
        12 => "crate = backsweep".to_owned(),
        13 => "split(helper)".to_owned(),
        14 => "checkpoint".to_owned(),
        15 => "no(nothing)".to_owned(),
        16 => "independents = 1".to_owned(),
        _ => format!("passive({a}, {a}"),
    };
    let option: TokenStream = option.parse().unwrap_or_else(|_| quote!(passive(,)));
    if arguments.is_empty() || rng.bool() { option } else { quote!(#arguments, #option) }
}
