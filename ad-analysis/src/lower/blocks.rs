//! The attribute on an `impl` block: which of its functions are differentiated?

use super::annotated::{Annotated, AttributeOn, Sibling, Standing, Surroundings, passing_of};
use super::referents::Referents;
use super::traits::Implemented;
use crate::diag::Errors;
use crate::getters::{Getter, Maker, Query};
use crate::interface::Passing;
use crate::ir::StandardTrait;
use crate::read::{Reader, calls_as_choices, parenthesised};
use crate::signatures::{referent_of, returns_references};
use crate::walk::visit::{self, Visit};
use crate::walk::visit_mut::VisitMut;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::{BTreeSet, HashMap};
use syn::spanned::Spanned;
use syn::{Attribute, ImplItem, ImplItemFn, ItemFn, ItemImpl, Meta, Path, ReturnType, Signature};

/// The functions of an `impl` block that are differentiated, with the options of each. The block loses the
/// attributes on them.
pub fn functions_of(
    block: &mut ItemImpl,
    arguments: &TokenStream,
    reader: &mut Reader<'_>,
    errors: &Errors,
) -> Vec<(Annotated, TokenStream)> {
    check_options(arguments, "an `impl` block", errors);
    calls_as_choices(block);
    let has_others = has_others(block);
    let mut chosen = chosen_functions(block);
    chosen.iter_mut().for_each(|(function, _)| reader.visit_impl_item_fn_mut(function));
    if chosen.is_empty() && !has_others {
        errors.report(
            block.impl_token.span(),
            "nothing to differentiate",
            "no function in this block has floats among its parameters and in its result: take the attribute away, to \
             annotated callers they return constants",
        );
    }
    let in_trait = Implemented::of(block, arguments, errors);
    let standard = block.trait_.as_ref().and_then(|(path, _)| standard_trait(path));
    let referents = match standard {
        Some(StandardTrait::Operator(operator)) => Referents::of(block, operator, errors),
        Some(StandardTrait::Conversion) => {
            if let Some(source) = reference_converted(block) {
                errors.report(
                    source,
                    "a conversion of a reference has no adjoint",
                    "make it a function, or a conversion of the value: `fn of(list: &[f64]) -> Self { … }`",
                );
            }
            None
        }
        None => None,
    };
    let of_trait = block.trait_.as_ref().map(|(path, _)| path);
    let (generics, self_type, of_trait) = match &referents {
        Some(referents) => (
            referents.generics(&block.generics),
            referents.self_type(block),
            of_trait.map(|path| referents.path(path)),
        ),
        None => (block.generics.clone(), (*block.self_ty).clone(), of_trait.cloned()),
    };
    let surroundings = Surroundings {
        generics,
        self_type,
        items: items_of(block),
        recursive: recursive_functions(&chosen),
        standard,
        referents,
        of_trait,
        functions: chosen.iter().map(|(function, _)| Sibling::by_name(&function.sig)).collect(),
        attribute: AttributeOn::Block,
    };
    let annotated = chosen.into_iter().filter_map(|(function, own)| {
        let standing = Standing::Impl(Box::new(surroundings.clone()));
        let annotated = Annotated::in_impl(item_of(&function), standing, errors)?;
        let options = with_options(own, arguments.clone());
        match &in_trait {
            Some(implemented) => implemented.method(&function, annotated, options, errors),
            None => Some((annotated, options)),
        }
    });
    annotated.collect()
}

/// The types and the constants in the `impl` block of a trait, as other code says them.
fn items_of(block: &ItemImpl) -> HashMap<String, TokenStream> {
    let Some((path, _)) = &block.trait_ else { return HashMap::new() };
    let items = block.items.iter().filter_map(|item| match item {
        ImplItem::Type(item) if item.generics.params.is_empty() => {
            Some((item.ident.to_string(), item.ty.to_token_stream()))
        }
        ImplItem::Const(item) => {
            let name = &item.ident;
            Some((name.to_string(), quote!(<Self as #path>::#name)))
        }
        _ => None,
    });
    items.collect()
}

/// The functions that may call themselves by way of others, as far as names tell.
fn recursive_functions(functions: &[(ImplItemFn, TokenStream)]) -> BTreeSet<String> {
    let name = |function: &ImplItemFn| function.sig.ident.to_string();
    let mentions = |function: &ImplItemFn, other: &str| {
        calls_function(function.block.to_token_stream(), other)
    };
    let names: BTreeSet<String> = functions.iter().map(|(function, _)| name(function)).collect();
    let called_by = |caller: &str| {
        let bodies = functions.iter().filter(move |(function, _)| name(function) == caller);
        let called = names.iter().filter(move |other| {
            *other != caller && bodies.clone().any(|(function, _)| mentions(function, other))
        });
        called.cloned().collect::<BTreeSet<String>>()
    };
    let reaches_itself = |start: &&String| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![(*start).clone()]);
        while let Some(next) = open.pop() {
            for called in called_by(&next) {
                if called == **start {
                    return true;
                }
                if seen.insert(called.clone()) {
                    open.push(called);
                }
            }
        }
        false
    };
    names.iter().filter(reaches_itself).cloned().collect()
}

/// Whether `.name` or `::name` occurs.
pub(super) fn calls_function(tokens: TokenStream, name: &str) -> bool {
    let mut follows = false;
    tokens.into_iter().any(|token| {
        let found = match &token {
            TokenTree::Group(group) => calls_function(group.stream(), name),
            TokenTree::Ident(ident) => follows && ident == name,
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        };
        follows = matches!(&token, TokenTree::Punct(punct) if matches!(punct.as_char(), '.' | ':'));
        found
    })
}

/// Options, and others that hold besides.
pub fn with_options(own: TokenStream, others: TokenStream) -> TokenStream {
    match own.is_empty() || others.is_empty() {
        true => quote!(#own #others),
        false => quote!(#own, #others),
    }
}

/// Whether there is something in a block that has no derivative, but something beside it: a getter, a query, a maker.
fn has_others(block: &ItemImpl) -> bool {
    block.trait_.is_none()
        && block.items.iter().any(|item| match item {
            // One that says so itself, and is none, is refused for that.
            ImplItem::Fn(function) => {
                let is_getter = Getter::of(function).is_some_and(|getter| {
                    getter.is_ok() || !taken_attributes(&mut function.attrs.clone()).is_empty()
                });
                is_getter || Query::of(function).is_some() || Maker::of(function).is_some()
            }
            _ => false,
        })
}

/// Whether an `impl` block is one of a trait of the standard library that may have adjoints.
pub(super) fn is_of_standard_trait(block: &ItemImpl) -> bool {
    block.trait_.as_ref().and_then(|(path, _)| standard_trait(path)).is_some()
}

/// Where the `impl` block of a conversion says that it is one of a reference, or of something that holds one.
pub(super) fn reference_converted(block: &ItemImpl) -> Option<Span> {
    let (path, _) = block.trait_.as_ref()?;
    let Some(StandardTrait::Conversion) = standard_trait(path) else { return None };
    let arguments = path.segments.last()?.arguments.to_token_stream();
    let source = arguments.into_iter().nth(1)?;
    let is_reference = path.to_token_stream().to_string().contains('&');
    is_reference.then(|| source.span())
}

fn standard_trait(path: &Path) -> Option<StandardTrait> {
    StandardTrait::of_name(&path.segments.last()?.ident.to_string())
}

/// Which parameters are differentiated with respect to is up to each function.
pub fn check_options(arguments: &TokenStream, of: &str, errors: &Errors) {
    for token in arguments.clone() {
        let TokenTree::Ident(option) = token else { continue };
        if ["independents", "dependents", "passive", "name", "skip"]
            .contains(&option.to_string().as_str())
        {
            errors.report(
                option.span(),
                format!("`{option}` does not belong to {of}"),
                format!("write `#[adjoint({option}…)]` on the functions in it"),
            );
        }
    }
}

fn item_of(function: &ImplItemFn) -> ItemFn {
    let ImplItemFn { attrs, vis, modifiers, sig, block } = function.clone();
    ItemFn { attrs, vis, modifiers, sig, block: Box::new(block) }
}

/// The functions to differentiate and their options: those with an attribute of their own, or if nothing has one, no getter either, all
/// whose signatures carry floats. The attributes are taken away.
fn chosen_functions(block: &mut ItemImpl) -> Vec<(ImplItemFn, TokenStream)> {
    let (mut with_own, mut others, mut any_own) = (Vec::new(), Vec::new(), false);
    let is_inherent = block.trait_.is_none();
    for item in &mut block.items {
        let ImplItem::Fn(function) = item else { continue };
        let own = taken_attributes(&mut function.attrs);
        if own.iter().any(|options| options.to_string() == "skip") {
            continue;
        }
        any_own |= !own.is_empty();
        let returns_reference = is_inherent && referent_of(&function.sig.output).is_some();
        if returns_reference && (own.is_empty() || Getter::of(function).is_some()) {
            continue;
        }
        if own.is_empty() && is_inherent && returns_references(&function.sig.output) {
            continue;
        }
        if own.is_empty() && has_derivative(&function.sig) {
            others.push((function.clone(), TokenStream::new()));
        }
        with_own.extend(own.into_iter().map(|options| (function.clone(), options)));
    }
    if any_own { with_own } else { others }
}

/// The options of each `#[adjoint]`, which are taken away.
pub fn taken_attributes(attrs: &mut Vec<Attribute>) -> Vec<TokenStream> {
    let mut options = Vec::new();
    attrs.retain(|attr| {
        let is_ours = attr.path().segments.last().is_some_and(|last| last.ident == "adjoint");
        if is_ours {
            options.push(match &attr.meta {
                Meta::List(list) => parenthesised(list.tokens.clone()),
                Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
            });
        }
        !is_ours
    });
    options
}

/// Whether derivatives may go into a function and come out of it, as far as its signature tells.
pub(super) fn has_derivative(sig: &Signature) -> bool {
    let goes_in = sig.inputs.iter().any(|input| may_carry_floats(&input.to_token_stream()));
    let is_exclusive = |input: &syn::FnArg| match input {
        syn::FnArg::Receiver(receiver) => passing_of(receiver) == Some(Passing::Exclusive),
        syn::FnArg::Typed(param) => {
            matches!(&*param.ty, syn::Type::Reference(reference) if reference.mutability.is_some())
                && may_carry_floats(&param.ty.to_token_stream())
        }
    };
    let comes_out = match &sig.output {
        ReturnType::Default => false,
        ReturnType::Type(_, ty) => {
            !matches!(&**ty, syn::Type::Reference(_)) && may_carry_floats(&ty.to_token_stream())
        }
    };
    goes_in && (comes_out || sig.inputs.iter().any(is_exclusive))
}

/// Whether a type is something else than integers, truth values and text.
fn may_carry_floats(tokens: &TokenStream) -> bool {
    struct Names(bool);
    impl Visit<'_> for Names {
        fn visit_type_path(&mut self, path: &syn::TypePath) {
            const DISCRETE: [&str; 16] = [
                "usize", "isize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64",
                "i128", "bool", "char", "str", "String",
            ];
            const CONTAINERS: [&str; 6] =
                ["Vec", "Option", "Result", "Box", "Range", "RangeInclusive"];
            let last = path.path.segments.last();
            let name = last.map(|last| last.ident.to_string()).unwrap_or_default();
            let is_container = CONTAINERS.contains(&name.as_str())
                && last.is_some_and(|last| !last.arguments.is_empty());
            self.0 |= !is_container && !DISCRETE.contains(&name.as_str());
            visit::visit_type_path(self, path);
        }
    }
    let mut names = Names(false);
    match syn::parse2::<syn::FnArg>(tokens.clone()) {
        Ok(syn::FnArg::Receiver(_)) => return true,
        Ok(syn::FnArg::Typed(param)) => names.visit_type(&param.ty),
        Err(_) => match syn::parse2::<syn::Type>(tokens.clone()) {
            Ok(ty) => names.visit_type(&ty),
            Err(_) => return true,
        },
    }
    names.0
}
