//! What `impl` blocks are for.

use super::meaning::Found;
use super::names::Scope;
use super::resolve::Wanted;
use super::scan::{Item, Kind};
use super::spelling::Speller;
use super::written::{Written, target_of};
use std::sync::Arc;
use syn::{GenericArgument, ItemImpl, PathArguments, Type};

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

/// An `impl` block that is of a type, or of references to it, and functions in it.
pub(super) struct BlockOf<'s> {
    pub(super) block: &'s Item,
    pub(super) head: ItemImpl,
    pub(super) functions: Vec<Item>,
}

impl Speller<'_> {
    /// The blocks of a module that are of a type and have such functions. Most are of other types: what is read in vain takes time.
    pub(super) fn blocks_of<'s>(
        &mut self,
        definition: &Found,
        scope: &'s Scope,
        is_wanted: impl Fn(&Item) -> bool,
    ) -> Vec<BlockOf<'s>> {
        let (mut found, name) = (Vec::new(), definition.scope.name(&definition.item));
        for block in scope.items.iter().filter(|item| item.kind == Kind::Impl) {
            let begins = block.body.as_ref().map_or(block.whole.end, |body| body.start);
            if !scope.text_between(block.keyword, begins).contains(name) {
                continue;
            }
            let items = scope.items_inside(block);
            let functions = items.iter().filter(|item| item.kind == Kind::Fn && is_wanted(item));
            let functions: Vec<Item> = functions.cloned().collect();
            let Some(head) = head_of(scope, block).filter(|_| !functions.is_empty()) else {
                continue;
            };
            if self.is_block_of(&head, definition, scope) {
                found.push(BlockOf { block, head, functions });
            }
        }
        found
    }

    fn is_block_of(&mut self, head: &ItemImpl, definition: &Found, scope: &Scope) -> bool {
        let of = match &*head.self_ty {
            Type::Reference(reference) => &*reference.elem,
            of => of,
        };
        let Type::Path(path) = of else { return false };
        let names = path.path.segments.iter().map(|segment| segment.ident.to_string());
        let names: Vec<String> = names.collect();
        let is_called_so =
            names.last().is_some_and(|last| last == definition.scope.name(&definition.item));
        if path.qself.is_some() || !is_called_so {
            return false;
        }
        let found = self.definitions(scope, &names, Wanted::Type);
        found.is_some_and(|found| found.iter().any(|found| found.is(definition)))
    }
}

/// What stands before the braces of an `impl` block.
pub(super) fn head_of(scope: &Scope, block: &Item) -> Option<ItemImpl> {
    let body = block.body.clone()?;
    let head = scope.text_between(block.keyword, body.start.checked_sub(1)?);
    syn::parse_str(&format!("{head} {{}}")).ok()
}

/// The name of the type that an `impl` block of no trait is of.
pub(super) fn generic_owner(scope: &Scope, block: &Item) -> Option<String> {
    let head = head_of(scope, block)?;
    let Type::Path(path) = &*head.self_ty else { return None };
    let is_name = path.qself.is_none() && path.path.segments.len() == 1;
    (is_name && head.trait_.is_none()).then(|| path.path.segments[0].ident.to_string())
}
