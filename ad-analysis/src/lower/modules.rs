//! The attribute on a module: which of its functions and `impl` blocks are differentiated?

use super::blocks::{
    has_derivative, is_of_standard_trait, reference_converted, taken_attributes, with_options,
};
use crate::bodies::takes_functions;
use crate::getters::Getter;
use proc_macro2::TokenStream;
use syn::{
    Attribute, Ident, ImplItem, Item, ItemEnum, ItemFn, ItemImpl, ItemMod, ItemStruct, Type,
};

/// What of a module is differentiated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// What has an attribute of its own.
    Marked,
    /// All whose signatures carry floats.
    All,
}

/// What is differentiated in a module, as it was written, with the options of each.
#[derive(Default)]
pub struct Chosen {
    /// Functions, and what their own attributes say.
    pub functions: Vec<(ItemFn, TokenStream)>,
    /// `impl` blocks.
    pub blocks: Vec<(ItemImpl, TokenStream)>,
    /// Functions that are lowered where they are called.
    pub passed_to: Vec<ItemFn>,
    /// The enums and structs that are declared in it.
    pub types: Vec<Item>,
    /// Modules, by their names, with what their own attributes say.
    pub modules: Vec<(String, Chosen, TokenStream)>,
}

impl Chosen {
    /// Whether nothing is differentiated.
    pub fn is_empty(&self) -> bool {
        let inner = self.modules.iter().all(|(_, chosen, _)| chosen.is_empty());
        self.functions.is_empty() && self.blocks.is_empty() && inner
    }
}

/// Whether something in a module says itself how it is differentiated.
pub fn choice_of(items: &[Item]) -> Choice {
    let is_marked = |item: &Item| match item {
        Item::Fn(function) => is_marked(&function.attrs),
        Item::Impl(block) => {
            is_marked(&block.attrs)
                || block.items.iter().any(
                    |item| matches!(item, ImplItem::Fn(function) if is_marked(&function.attrs)),
                )
        }
        Item::Mod(ItemMod { attrs, content: Some((_, items)), .. }) => {
            is_marked(attrs) || choice_of(items) == Choice::Marked
        }
        _ => false,
    };
    let is_seen = |item: &&Item| !is_conditional(item);
    if items.iter().filter(is_seen).any(is_marked) { Choice::Marked } else { Choice::All }
}

fn is_marked(attrs: &[Attribute]) -> bool {
    taken_attributes(&mut attrs.to_vec()).iter().any(|options| options.to_string() != "skip")
}

fn attributes_of(item: &Item) -> &[Attribute] {
    match item {
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether rustc may leave an item out, which macros do not find out.
pub fn is_conditional(item: &Item) -> bool {
    attributes_of(item)
        .iter()
        .any(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr"))
}

/// What is differentiated in a module, which loses the attributes that say so.
pub fn choose(items: &mut [Item], choice: Choice) -> Chosen {
    let mut chosen = Chosen::default();
    let by_hand: Vec<Ident> = items.iter().filter_map(with_bar_by_hand).collect();
    for item in items.iter_mut() {
        if is_conditional(item) {
            continue;
        }
        match item {
            Item::Enum(ItemEnum { ident, .. }) | Item::Struct(ItemStruct { ident, .. })
                if by_hand.contains(ident) => {}
            Item::Enum(_) | Item::Struct(_) => chosen.types.push(item.clone()),
            Item::Fn(function) => choose_function(function, choice, &mut chosen),
            Item::Impl(block) => choose_block(block, choice, &mut chosen),
            Item::Mod(ItemMod { attrs, ident, content: Some((_, items)), .. }) => {
                let own = taken_attributes(attrs);
                if own.iter().any(is_skip) {
                    continue;
                }
                // A module that is marked is like one that stands alone.
                let inner = if own.is_empty() { choice } else { choice_of(items) };
                let options = own.into_iter().fold(TokenStream::new(), with_options);
                chosen.modules.push((ident.to_string(), choose(items, inner), options));
            }
            _ => {}
        }
    }
    chosen
}

/// The type of which this is `impl Differentiable for Type`.
fn with_bar_by_hand(item: &Item) -> Option<Ident> {
    let Item::Impl(ItemImpl { trait_: Some((path, _)), self_ty, .. }) = item else { return None };
    let is_bar = path.segments.last().is_some_and(|last| last.ident == "Differentiable");
    match &**self_ty {
        Type::Path(of) if is_bar => of.path.get_ident().cloned(),
        _ => None,
    }
}

fn is_skip(options: &TokenStream) -> bool {
    options.to_string() == "skip"
}

fn choose_function(function: &mut ItemFn, choice: Choice, chosen: &mut Chosen) {
    let own = taken_attributes(&mut function.attrs);
    let is_skipped = own.iter().any(is_skip);
    if own.is_empty() || is_skipped {
        if takes_functions(&function.sig) {
            chosen.passed_to.push(function.clone());
        } else if !is_skipped && choice == Choice::All && has_derivative(&function.sig) {
            chosen.functions.push((function.clone(), TokenStream::new()));
        }
        return;
    }
    chosen.functions.extend(own.into_iter().map(|options| (function.clone(), options)));
}

fn choose_block(block: &mut ItemImpl, choice: Choice, chosen: &mut Chosen) {
    let own = taken_attributes(&mut block.attrs);
    let as_written = block.clone();
    let (mut is_marked, mut carries) = (!own.is_empty(), false);
    for item in &mut block.items {
        if let ImplItem::Fn(function) = item {
            let own = taken_attributes(&mut function.attrs);
            let is_skipped = own.iter().any(is_skip);
            is_marked |= !own.is_empty() && !is_skipped;
            let is_getter = matches!(Getter::of(function), Some(Ok(_)));
            carries |= !is_skipped && (has_derivative(&function.sig) || is_getter);
        }
    }
    // Of other traits no entries are expected.
    let is_usual = block.trait_.is_none()
        || is_of_standard_trait(block) && reference_converted(block).is_none();
    let by_default = choice == Choice::All && is_usual && carries;
    if !own.iter().any(is_skip) && (is_marked || by_default) {
        let options = own.into_iter().fold(TokenStream::new(), with_options);
        chosen.blocks.push((as_written, options));
    }
}
