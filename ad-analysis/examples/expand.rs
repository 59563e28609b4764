//! Prints what `#[adjoint(…)]` makes of the functions in a file:
//! `cargo run -p backsweep-analysis --example expand file.rs`. With `--phases` it prints the program in the
//! textual form of the IR as well: the primal with its control made explicit, and both sweeps.

use ad_analysis::{differentiate, expand, sweeps};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::process::ExitCode;
use syn::{Attribute, Item, ItemImpl, ItemTrait, Meta};

fn main() -> ExitCode {
    let (flags, paths): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let [path] = &paths[..] else {
        eprintln!("usage: expand [--phases] file.rs");
        return ExitCode::FAILURE;
    };
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let file = syn::parse_file(&text).expect("the file is Rust");
    for item in file.items {
        if let Item::Mod(mut module) = item {
            module.attrs.retain(|attr| !attr.path().is_ident("adjoint"));
            let expansion = expand(TokenStream::new(), module.into_token_stream());
            print(&expansion);
            continue;
        }
        if let Item::Impl(ItemImpl { attrs, .. }) | Item::Trait(ItemTrait { attrs, .. }) = &item {
            let is_ours = |attr: &syn::Attribute| attr.path().is_ident("adjoint");
            let Some(attribute) = attrs.iter().find(|attr| is_ours(attr)).cloned() else {
                continue;
            };
            let mut item = item;
            if let Item::Impl(ItemImpl { attrs, .. }) | Item::Trait(ItemTrait { attrs, .. }) =
                &mut item
            {
                attrs.retain(|attr| !is_ours(attr));
            }
            print(&expand(arguments_of(attribute), item.into_token_stream()));
            continue;
        }
        let Item::Fn(mut function) = item else { continue };
        let Some(at) = function.attrs.iter().position(|attr| attr.path().is_ident("adjoint"))
        else {
            continue;
        };
        let arguments = arguments_of(function.attrs.remove(at));
        if flags.iter().any(|flag| flag == "--phases") {
            match sweeps(arguments.clone(), &function) {
                Ok(phases) => println!("{phases}"),
                Err(errors) => println!("{errors:#?}"),
            }
        }
        let expansion = match differentiate(arguments.clone(), &function) {
            Ok(generated) => generated,
            Err(_) => expand(arguments, function.into_token_stream()),
        };
        print(&expansion);
    }
    ExitCode::SUCCESS
}

/// What is in the parentheses of an attribute.
fn arguments_of(attribute: Attribute) -> TokenStream {
    match attribute.meta {
        Meta::List(list) => list.tokens,
        Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
    }
}

fn print(expansion: &TokenStream) {
    match syn::parse2(expansion.clone()) {
        Ok(file) => println!("{}", prettyplease::unparse(&file)),
        Err(error) => println!("not Rust ({error}):\n{expansion}"),
    }
}
