//! What `impl` blocks are for.

use super::names::Scope;
use super::scan::{Item, Kind};
use super::written::{Written, target_of};
use std::sync::Arc;
use syn::{GenericArgument, ItemImpl, PathArguments};

/// What an `impl` block is for, as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Head {
    /// The type.
    pub(super) of: Written,
    /// The trait.
    pub(super) of_trait: Option<OfTrait>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OfTrait {
    /// Its name.
    pub(super) name: String,
    /// Its only argument.
    pub(super) argument: Option<Written>,
    /// `Output`.
    pub(super) output: Option<Written>,
}

impl Head {
    /// Of a block whose parameters are lifetimes only.
    fn of_text(text: &str, output: impl FnOnce() -> Option<Written>) -> Option<Self> {
        let block = syn::parse_str::<ItemImpl>(&format!("{text} {{}}")).ok()?;
        let params = &block.generics;
        if params.type_params().next().is_some() || params.const_params().next().is_some() {
            return None;
        }
        let of = Written::of(&block.self_ty)?;
        let Some((path, _)) = &block.trait_ else { return Some(Self { of, of_trait: None }) };
        let last = path.segments.last()?;
        let argument = match &last.arguments {
            PathArguments::None => None,
            PathArguments::AngleBracketed(args) => match args.args.first()? {
                GenericArgument::Type(ty) => Some(Written::of(ty)?),
                _ => return None,
            },
            PathArguments::Parenthesized(_) => return None,
        };
        let of_trait = OfTrait { name: last.ident.to_string(), argument, output: output() };
        Some(Self { of, of_trait: Some(of_trait) })
    }

    /// Whether the name of a type occurs in it.
    pub(super) fn mentions(&self, name: &str) -> bool {
        let argument = self.of_trait.as_ref().and_then(|of_trait| of_trait.argument.as_ref());
        self.of.mentions(name) || argument.is_some_and(|argument| argument.mentions(name))
    }
}

impl Scope {
    /// The `impl` blocks of the module, as far as they are of use.
    pub(super) fn heads(&self) -> impl Iterator<Item = (&Item, Arc<Head>)> {
        let blocks = self.items.iter().filter(|item| item.kind == Kind::Impl);
        blocks.filter_map(|item| Some((item, self.head(item)?)))
    }

    /// What an `impl` block is for.
    pub(super) fn head(&self, block: &Item) -> Option<Arc<Head>> {
        let (part, body) = (self.path.last()?, block.body.clone()?);
        let text = self.text_between(block.keyword, body.start.checked_sub(1)?);
        let output = || {
            let items = self.items_inside(block);
            let output = items.iter().find(|item| self.name(item) == "Output")?;
            Written::of(&target_of(self.text_of(output))?)
        };
        part.source.head(block.keyword, || Head::of_text(text, output))
    }

    /// The items between the braces of an item.
    pub(super) fn items_inside(&self, block: &Item) -> Arc<[Item]> {
        match (self.path.last(), &block.body) {
            (Some(part), Some(body)) => part.source.items(body.clone()),
            (_, _) => Arc::from([]),
        }
    }

    pub(super) fn text_between(&self, start: usize, end: usize) -> &str {
        self.path.last().map_or("", |part| &part.source.text[start..end])
    }
}
