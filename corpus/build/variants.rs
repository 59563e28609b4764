//! The variants of the options.

use crate::source::{self, Source};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Item, Meta};

/// Options that are added to every `#[adjoint(…)]`.
pub struct Variant {
    /// Its name.
    pub name: &'static str,
    options: &'static str,
    scope: Scope,
}

/// What is differentiated by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Each function.
    Function,
    /// Each file: small functions are inlined.
    Module,
}

/// An option of each function.
const fn with(name: &'static str, options: &'static str) -> Variant {
    Variant { name, options, scope: Scope::Function }
}

/// An option of each function, in modules that are annotated.
const fn inlined(name: &'static str, options: &'static str) -> Variant {
    Variant { name, options, scope: Scope::Module }
}

/// No optimisation but inlining.
const NAIVE: &str =
    "no(activity, adjoint_liveness, tbr, snapshot, recompute, retest, invert, fuse, cse, simplify)";

/// All variants.
pub const ALL: [Variant; 13] = [
    with("all", ""),
    with("no_all", "no(all)"),
    with("no_activity", "no(activity)"),
    with("no_adjoint_liveness", "no(adjoint_liveness)"),
    with("no_tbr", "no(tbr)"),
    with("no_snapshot", "no(snapshot)"),
    with("no_recompute", "no(recompute)"),
    with("no_retest", "no(retest)"),
    with("no_invert", "no(invert)"),
    with("no_cse", "no(cse)"),
    with("no_simplify", "no(simplify)"),
    with("split", "mode = \"split\""),
    with("joint", "mode = \"joint\""),
];

/// The variants of programs of many functions: the modes of their calls, with and without optimisations.
pub const MODES: [Variant; 8] = [
    with("all", ""),
    with("no_all", "no(all)"),
    with("split", "mode = \"split\""),
    with("joint", "mode = \"joint\""),
    with("no_all_split", "no(all), mode = \"split\""),
    with("no_all_joint", "no(all), mode = \"joint\""),
    inlined("inline", ""),
    inlined("no_all_inline", NAIVE),
];

/// The variant of a name.
pub fn named(name: &str) -> &'static Variant {
    const { &ALL }.iter().find(|variant| variant.name == name).expect("there is such a variant")
}

impl Variant {
    /// The corpus with these options.
    pub fn modules(&self, sources: &[Source]) -> TokenStream {
        let modules = sources.iter().map(|source| {
            let (file, items) = (&source.name, self.items(source));
            let annotation: Option<Attribute> = (self.scope == Scope::Module
                && is_annotated(&items))
            .then(|| syn::parse_quote!(#[backsweep::adjoint]));
            syn::parse_quote!(#annotation pub mod #file { #(#items)* })
        });
        source::module_of(self.name, modules)
    }

    /// A file with these options.
    pub fn items(&self, source: &Source) -> Vec<Item> {
        let mut items = source.items.clone();
        items.iter_mut().for_each(|item| self.annotate(item));
        items
    }

    fn annotate(&self, item: &mut Item) {
        let attrs = match item {
            Item::Fn(function) => &mut function.attrs,
            Item::Impl(block) => &mut block.attrs,
            Item::Mod(module) if source::find(&module.attrs, "adjoint").is_some() => {
                &mut module.attrs
            }
            Item::Mod(module) => {
                let items = module.content.iter_mut().flat_map(|(_, items)| items);
                return items.for_each(|item| self.annotate(item));
            }
            _ => return,
        };
        let adjoint = source::find(attrs, "adjoint").cloned();
        source::remove_ours(attrs);
        attrs.extend(adjoint.map(|attr| self.annotation(&attr)));
    }

    fn annotation(&self, attr: &Attribute) -> Attribute {
        let given = match &attr.meta {
            Meta::List(list) => list.tokens.clone(),
            Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
        };
        let ours: TokenStream = self.options.parse().expect("the options are tokens");
        let comma = (!given.is_empty() && !ours.is_empty()).then(|| quote!(,));
        let arguments = quote!(#given #comma #ours);
        if arguments.is_empty() {
            syn::parse_quote!(#[adjoint])
        } else {
            syn::parse_quote!(#[adjoint(#arguments)])
        }
    }
}

/// Whether anything in a file is differentiated.
fn is_annotated(items: &[Item]) -> bool {
    items.iter().any(|item| match item {
        Item::Fn(function) => source::find(&function.attrs, "adjoint").is_some(),
        Item::Impl(block) => source::find(&block.attrs, "adjoint").is_some(),
        _ => false,
    })
}
