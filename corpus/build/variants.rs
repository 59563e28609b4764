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
}

/// All variants.
pub const ALL: [Variant; 13] = [
    Variant { name: "all", options: "" },
    Variant { name: "no_all", options: "no(all)" },
    Variant { name: "no_activity", options: "no(activity)" },
    Variant { name: "no_adjoint_liveness", options: "no(adjoint_liveness)" },
    Variant { name: "no_tbr", options: "no(tbr)" },
    Variant { name: "no_snapshot", options: "no(snapshot)" },
    Variant { name: "no_recompute", options: "no(recompute)" },
    Variant { name: "no_retest", options: "no(retest)" },
    Variant { name: "no_invert", options: "no(invert)" },
    Variant { name: "no_cse", options: "no(cse)" },
    Variant { name: "no_simplify", options: "no(simplify)" },
    Variant { name: "split", options: "mode = \"split\"" },
    Variant { name: "joint", options: "mode = \"joint\"" },
];

/// The variants of programs of many functions: the modes of their calls, with and without optimisations.
pub const MODES: [Variant; 6] = [
    Variant { name: "all", options: "" },
    Variant { name: "no_all", options: "no(all)" },
    Variant { name: "split", options: "mode = \"split\"" },
    Variant { name: "joint", options: "mode = \"joint\"" },
    Variant { name: "no_all_split", options: "no(all), mode = \"split\"" },
    Variant { name: "no_all_joint", options: "no(all), mode = \"joint\"" },
];

impl Variant {
    /// The corpus with these options.
    pub fn modules(&self, sources: &[Source]) -> TokenStream {
        source::modules(self.name, sources, |source| self.items(source))
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
