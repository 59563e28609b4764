//! The traits of a crate that are annotated, and their `impl` blocks.

use crate::select::{
    Block, Insertion, Kind, Place, Selection, Signature, Traits, Unit, computes, is_exclusive,
};
use crate::source::{Source, bytes, first_byte, only_in_tests};
use crate::types::{Scope, Types};
use quote::ToTokens;
use std::collections::HashMap;
use std::ops::Range;
use syn::{
    FnArg, Generics, ImplItem, Item, ItemImpl, ItemTrait, Path, ReturnType, TraitItem, Type,
};

const ATTRIBUTE: &str = "#[::backsweep::adjoint] ";

/// The methods with floats of the traits of a crate, by the name of the trait.
pub struct AnnotatedTraits {
    methods: HashMap<String, Vec<String>>,
}

/// The methods of one trait.
pub struct AnnotatedTrait<'t> {
    name: String,
    methods: &'t [String],
}

impl AnnotatedTraits {
    /// Traits of one name cannot be told from each other by their `impl` blocks, and are left out.
    pub fn of(source: &Source, types: &Types) -> Self {
        let mut methods = HashMap::new();
        let mut several = Vec::new();
        for item in source.modules.iter().flat_map(|module| &module.items) {
            let Item::Trait(item) = item else { continue };
            let name = item.ident.to_string();
            if methods.insert(name.clone(), methods_of(item, types)).is_some() {
                several.push(name);
            }
        }
        methods.retain(|name, methods: &mut Vec<String>| {
            !several.contains(name) && !methods.is_empty()
        });
        Self { methods }
    }

    pub fn of_path(&self, path: &Path) -> Option<AnnotatedTrait<'_>> {
        let name = path.segments.last()?.ident.to_string();
        let methods = self.methods.get(&name)?;
        Some(AnnotatedTrait { name, methods })
    }
}

fn methods_of(item: &ItemTrait, types: &Types) -> Vec<String> {
    if only_in_tests(&item.attrs) {
        return Vec::new();
    }
    let generics = &item.generics;
    let methods = item.items.iter().filter_map(|item| match item {
        TraitItem::Fn(method) if has_floats(&method.sig, generics, types) => {
            Some(method.sig.ident.to_string())
        }
        _ => None,
    });
    methods.collect()
}

/// Whether floats go in and come out, as far as the trait tells. What its receiver holds it does not.
fn has_floats(signature: &syn::Signature, of_trait: &Generics, types: &Types) -> bool {
    let floats = types.numbers(signature, Some(of_trait)).floats;
    let scope = Scope { floats, self_type: None };
    let (mut takes, mut gives) = (false, false);
    for input in &signature.inputs {
        match input {
            FnArg::Receiver(_) => takes = true,
            FnArg::Typed(input) if types.carries(&input.ty, &scope) => {
                takes = true;
                gives |= is_exclusive(&input.ty);
            }
            FnArg::Typed(_) => {}
        }
    }
    if let ReturnType::Type(_, ty) = &signature.output {
        gives |= types.carries(ty, &scope);
    }
    let is_plain = signature.asyncness.is_none()
        && signature.abi.is_none()
        && matches!(signature.safety, syn::Safety::Default);
    takes && gives && is_plain
}

/// A method as it stands in a trait or in an `impl` of it.
struct Method<'m> {
    signature: &'m syn::Signature,
    body: Option<&'m syn::Block>,
    span: Range<usize>,
    at: usize,
}

impl Selection {
    /// The methods of a trait.
    pub(crate) fn of_trait(&mut self, place: &Place, traits: &AnnotatedTraits, item: &ItemTrait) {
        let known = traits.methods.get(&item.ident.to_string());
        let Some(methods) = known.filter(|_| !only_in_tests(&item.attrs)) else {
            let computing = item.items.iter().filter(|item| match item {
                TraitItem::Fn(method) => method.default.as_ref().is_some_and(computes),
                _ => false,
            });
            self.not_taken.of_traits += computing.count();
            return;
        };
        let bare = ItemTrait { attrs: Vec::new(), ..item.clone() };
        let name = item.ident.to_string();
        let open = item.brace_token.span.open().byte_range().start;
        let block = self.block_of_trait(place, &name, first_byte(&bare), open);
        let around = (&item.generics, None);
        for item in &item.items {
            let TraitItem::Fn(method) = item else { continue };
            if !methods.contains(&method.sig.ident.to_string()) {
                continue;
            }
            let bare = syn::TraitItemFn { attrs: Vec::new(), ..method.clone() };
            let (signature, body) = (&method.sig, method.default.as_ref());
            let found = Method { signature, body, span: bytes(method), at: first_byte(&bare) };
            self.method_of_trait(place, &name, found, block, around);
        }
    }

    /// The methods of an `impl` of a trait.
    pub(crate) fn implemented(
        &mut self,
        place: &Place,
        known: AnnotatedTrait<'_>,
        block: &ItemImpl,
        insertion: Insertion,
    ) {
        let open = block.brace_token.span.open().byte_range().start;
        let id = self.block_of_trait(place, &known.name, insertion.at, open);
        let around = (&block.generics, Some(&*block.self_ty));
        let of = block.self_ty.to_token_stream().to_string().replace(' ', "");
        for item in &block.items {
            let ImplItem::Fn(method) = item else { continue };
            if only_in_tests(&method.attrs)
                || !known.methods.contains(&method.sig.ident.to_string())
            {
                continue;
            }
            let bare = syn::ImplItemFn { attrs: Vec::new(), ..method.clone() };
            let (signature, body) = (&method.sig, Some(&method.block));
            let found = Method { signature, body, span: bytes(method), at: first_byte(&bare) };
            self.method_of_trait(place, &of, found, id, around);
        }
    }

    fn block_of_trait(&mut self, place: &Place, name: &str, at: usize, open: usize) -> usize {
        self.blocks.push(Block {
            module: place.module,
            insertion: Insertion { at, text: ATTRIBUTE.to_string() },
            head: at..open,
            of_trait: Some(name.to_string()),
        });
        self.blocks.len() - 1
    }

    fn method_of_trait(
        &mut self,
        place: &Place,
        of: &str,
        found: Method<'_>,
        block: usize,
        (generics, self_type): (&Generics, Option<&Type>),
    ) {
        let Method { signature, body, span, at } = found;
        let floats = place.types.numbers(signature, Some(generics)).floats;
        let scope = Scope { floats, self_type: self_type.cloned() };
        let mut mentions = signature.to_token_stream();
        mentions.extend(body.map(ToTokens::to_token_stream));
        self.units.push(Unit {
            kind: if body.is_some() { Kind::OfTrait } else { Kind::Declared },
            path: place.path(Some(of), &signature.ident),
            name: signature.ident.to_string(),
            module: place.module,
            span,
            insertion: Insertion { at, text: attribute(place, signature, &scope) },
            block: Some(block),
            counted: body.is_some_and(computes),
            foreign: place.types.mentions_foreign(mentions),
            traits: Traits::default(),
            fields: Vec::new(),
            signature: None::<Signature>,
        });
    }
}

/// A receiver that holds no floats, or of which a trait does not tell, is passive.
fn attribute(place: &Place, signature: &syn::Signature, scope: &Scope) -> String {
    let holds_floats = scope.self_type.as_ref().is_some_and(|ty| place.types.carries(ty, scope));
    if signature.receiver().is_none() || holds_floats {
        return place.attribute(signature, scope);
    }
    let mut others = signature.clone();
    others.inputs =
        others.inputs.into_iter().filter(|input| matches!(input, FnArg::Typed(_))).collect();
    let attribute = place.attribute(&others, scope);
    match attribute == ATTRIBUTE {
        true => "#[::backsweep::adjoint(passive(self))] ".to_string(),
        false => attribute,
    }
}
