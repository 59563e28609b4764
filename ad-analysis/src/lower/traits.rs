//! Annotated traits: which of their methods have adjoints, and what those of an `impl` are.

use super::annotated::{Annotated, Standing, receiver_of};
use super::blocks::{
    calls_function, check_options, has_derivative, is_of_standard_trait, taken_attributes,
    with_options,
};
use super::stand_ins::{
    StandsFor, generics_of_trait, has_bars, implementor, name_of_stand_in, options_of_stand_in,
    stand_in,
};
use crate::diag::Errors;
use crate::interface::{Behind, InTrait, Passing, StandIn};
use crate::options::Options;
use crate::read::{Reader, conditions_of, words_in};
use crate::walk::visit_mut::VisitMut;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{
    Attribute, GenericArgument, GenericParam, Generics, ImplItem, ImplItemFn, ItemFn, ItemImpl,
    ItemTrait, PathArguments, TraitItem, TraitItemFn, Type, Visibility, parse_quote,
};

/// The `impl` block of an annotated trait.
pub(super) struct Implemented {
    path: TokenStream,
    self_type: TokenStream,
    generics: Generics,
    /// The methods of the trait that have adjoints.
    methods: Vec<Ident>,
    /// Whether functions with these parameters can stand in an `impl` block of the type.
    has_block: bool,
}

impl Implemented {
    /// What an `impl` block is of, if that is said to be an annotated trait.
    pub(super) fn of(block: &ItemImpl, arguments: &TokenStream, errors: &Errors) -> Option<Self> {
        let unheeded = Errors::new();
        let Options { of_trait: methods, is_apart, .. } =
            Options::parse(arguments.clone(), &unheeded);
        unheeded.take();
        let (path, _) = block.trait_.as_ref()?;
        let has_block = has_block(&block.self_ty);
        let Some(methods) = methods else {
            if !has_block && !is_of_standard_trait(block) {
                errors.report(
                    block.self_ty.span(),
                    "`#[adjoint]` on the `impl` of a trait for a type of the standard library",
                    "annotate the trait, `#[adjoint] trait …`; if it is, in another crate, name its methods with \
                     adjoints: `#[adjoint(of_trait(…))]`",
                );
            }
            return None;
        };
        let name = block.self_ty.to_token_stream().to_string();
        let is_parameter = block.generics.type_params().any(|param| param.ident == name);
        let (path, self_type) = (path.to_token_stream(), block.self_ty.to_token_stream());
        let params = arguments_of(&block.generics);
        // An `impl` block of the type alone has no other parameters than those of the type.
        let has_block = has_block && !is_apart && all_mentioned(&params, &self_type);
        let of_trait = arguments_by_name(&path);
        let is_of_trait =
            |param: &TokenStream| of_trait.iter().any(|name| *name == param.to_string());
        if is_parameter || !has_block && !params.iter().all(is_of_trait) {
            errors.report(
                block.self_ty.span(),
                "an annotated trait that is implemented for a type parameter, or with others than those of a type of the crate and the \
                 arguments of the trait, is not supported yet",
                "implement it for the types one by one",
            );
            return None;
        }
        let generics = block.generics.clone();
        Some(Self { path, self_type, generics, methods, has_block })
    }

    /// A method in the block, and its options.
    pub(super) fn method(
        &self,
        function: &ImplItemFn,
        annotated: Annotated,
        options: TokenStream,
        errors: &Errors,
    ) -> Option<(Annotated, TokenStream)> {
        let name = &function.sig.ident;
        let Self { path, self_type, generics, methods, has_block } = self;
        let is_of_trait = methods.iter().any(|method| method == name);
        if !is_of_trait {
            if *has_block {
                return Some((annotated, options));
            }
            errors.report(
                name.span(),
                format!("the trait has no adjoint of `{name}`"),
                "annotate the method in the trait, too, or write `#[adjoint(skip)]` on this one",
            );
            return None;
        }
        let (entries, params) = (name_of_stand_in(path, self_type, name), arguments_of(generics));
        let own = arguments_of(&function.sig.generics);
        let behind = match has_block {
            true => Behind::Type,
            false => Behind::Function(StandIn {
                entries: entries.clone(),
                arguments: params.iter().chain(&own).cloned().collect(),
            }),
        };
        let mut annotated = annotated;
        let place = place_of(&function.sig, &function.attrs, path.clone(), generics, behind);
        annotated.in_trait = Some(Rc::new(place));
        if *has_block {
            return Some((annotated, options));
        }
        let receiver = receiver_name(&annotated);
        let stands_for = StandsFor {
            path: quote!(<#self_type as #path>::#name),
            arguments: own,
            is_recursive: calls_function(function.block.to_token_stream(), &name.to_string()),
        };
        let options = options_of_stand_in(options, receiver.as_ref(), false);
        Some((stand_in(annotated, entries, self_type, generics, stands_for), options))
    }
}

/// Whether functions can stand in an `impl` block of a type: of its own crate, as far as its tokens tell.
fn has_block(ty: &Type) -> bool {
    const PRIMITIVE: [&str; 17] = [
        "f32", "f64", "bool", "char", "str", "usize", "isize", "u8", "u16", "u32", "u64", "u128",
        "i8", "i16", "i32", "i64", "i128",
    ];
    match ty {
        Type::Path(path) => {
            path.path.get_ident().is_none_or(|name| PRIMITIVE.iter().all(|other| name != other))
        }
        _ => false,
    }
}

/// Whether tokens mention all of these parameters.
fn all_mentioned(params: &[TokenStream], tokens: &TokenStream) -> bool {
    let mut words = BTreeSet::new();
    words_in(tokens.clone(), &mut words);
    params.iter().all(|param| words.contains(&param.to_string()))
}

/// The arguments of a trait that are names, of types or of constants.
fn arguments_by_name(of_trait: &TokenStream) -> Vec<Ident> {
    let path = syn::parse2::<syn::Path>(of_trait.clone()).ok();
    let last = path.and_then(|path| path.segments.into_iter().next_back());
    let Some(PathArguments::AngleBracketed(args)) = last.map(|last| last.arguments) else {
        return Vec::new();
    };
    let names = args.args.iter().filter_map(|arg| match arg {
        GenericArgument::Type(Type::Path(path)) => path.path.get_ident().cloned(),
        _ => None,
    });
    names.collect()
}

/// The generic parameters that can be given explicitly.
fn arguments_of(generics: &Generics) -> Vec<TokenStream> {
    let named = generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(param) => Some(param.ident.to_token_stream()),
        GenericParam::Const(param) => Some(param.ident.to_token_stream()),
        GenericParam::Lifetime(_) => None,
    });
    named.collect()
}

/// A method in a trait, or in an `impl` of it.
fn place_of(
    sig: &syn::Signature,
    attrs: &[Attribute],
    of_trait: TokenStream,
    outer: &Generics,
    behind: Behind,
) -> InTrait {
    let clauses = sig.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let of_trait_params = arguments_by_name(&of_trait);
    InTrait {
        method: sig.ident.clone(),
        of_trait,
        params: sig.generics.params.iter().map(ToTokens::to_token_stream).collect(),
        clauses: clauses.map(ToTokens::to_token_stream).collect(),
        arguments: arguments_of(&sig.generics),
        types: sig.generics.type_params().map(|param| param.ident.clone()).collect(),
        outer: arguments_of(outer),
        outer_types: outer.type_params().map(|param| param.ident.clone()).collect(),
        of_trait_params,
        receiver: receiver_of(sig),
        conditions: conditions_of(attrs),
        behind,
    }
}

fn receiver_name(annotated: &Annotated) -> Option<Ident> {
    annotated.receiver.as_ref()?;
    match annotated.function.sig.inputs.first() {
        Some(syn::FnArg::Typed(param)) => match &*param.pat {
            syn::Pat::Ident(pat) => Some(pat.ident.clone()),
            _ => None,
        },
        Some(syn::FnArg::Receiver(_)) | None => None,
    }
}

/// The names of all methods in an `impl` block.
pub fn methods_of(block: &ItemImpl) -> Vec<String> {
    let functions = block.items.iter().filter_map(|item| match item {
        ImplItem::Fn(function) => Some(function.sig.ident.to_string().replace("r#", "")),
        _ => None,
    });
    functions.collect()
}

/// The names of the methods of an annotated trait that have adjoints.
pub fn methods_with_adjoints(item: &ItemTrait) -> Vec<Ident> {
    let chosen = chosen_methods(&mut item.clone());
    chosen.into_iter().map(|(method, _)| method.sig.ident).collect()
}

/// The methods to differentiate and their options: those with an attribute of their own, or if there are none, all whose signatures
/// carry floats. The attributes are taken away.
fn chosen_methods(item: &mut ItemTrait) -> Vec<(TraitItemFn, TokenStream)> {
    let (mut with_own, mut others) = (Vec::new(), Vec::new());
    for item in &mut item.items {
        let TraitItem::Fn(method) = item else { continue };
        let own = taken_attributes(&mut method.attrs);
        if own.iter().any(|options| options.to_string() == "skip") {
            continue;
        }
        if own.is_empty() && has_derivative(&method.sig) {
            others.push((method.clone(), TokenStream::new()));
        }
        with_own.extend(own.into_iter().map(|options| (method.clone(), options)));
    }
    if with_own.is_empty() { others } else { with_own }
}

/// The methods of a trait that have adjoints, with the options of each.
pub fn methods_of_trait(
    item: &mut ItemTrait,
    arguments: &TokenStream,
    reader: &mut Reader<'_>,
    errors: &Errors,
) -> Vec<(Annotated, TokenStream)> {
    check_options(arguments, "a trait", errors);
    let chosen = chosen_methods(item);
    if chosen.is_empty() {
        errors.report(
            item.trait_token.span(),
            "nothing to differentiate",
            "no method of this trait has floats among its parameters and in its result",
        );
    }
    let methods = chosen.into_iter().filter_map(|(method, own)| {
        let options = with_options(own, arguments.clone());
        method_of_trait(item, method, options, reader, errors)
    });
    methods.collect()
}

fn method_of_trait(
    item: &ItemTrait,
    method: TraitItemFn,
    options: TokenStream,
    reader: &mut Reader<'_>,
    errors: &Errors,
) -> Option<(Annotated, TokenStream)> {
    let TraitItemFn { attrs, sig, default, .. } = method;
    let has_body = default.is_some();
    // A signature is all there is, and what it says does not depend on the body.
    let block = default.unwrap_or_else(|| parse_quote!({ ::core::unreachable!() }));
    let mut function: ItemFn = parse_quote!(#sig {});
    (function.block, function.vis) = (Box::new(block), Visibility::Inherited);
    reader.visit_item_fn_mut(&mut function);
    let (name, receiver) = (sig.ident.clone(), receiver_of(&sig));
    let is_recursive = calls_function(function.block.to_token_stream(), &name.to_string());
    let standing = Standing::Trait(Box::new(item.generics.clone()));
    let mut annotated = Annotated::in_impl(function, standing, errors)?;
    let own = &item.ident;
    let (_, arguments, _) = item.generics.split_for_impl();
    let of_trait = quote!(#own #arguments);
    let place =
        |behind| Some(Rc::new(place_of(&sig, &attrs, of_trait.clone(), &item.generics, behind)));
    // What changes its receiver says nothing that passes no derivative through it.
    let needs_bars = receiver == Some(Passing::Exclusive) && !has_bars(item);
    if !has_body || needs_bars {
        annotated.in_trait = place(Behind::Nowhere);
        return Some((annotated, options));
    }
    let self_name = receiver_name(&annotated);
    let implementor = implementor();
    let entries = name_of_stand_in(&own.to_token_stream(), &quote!(all), &name);
    let mut of_implementor = generics_of_trait(item);
    if receiver.is_none() {
        let bounds = &mut of_implementor.where_clause;
        let clause = bounds.get_or_insert_with(|| parse_quote!(where));
        clause.predicates.push(parse_quote!(#implementor: ?::core::marker::Sized));
    }
    let own_arguments = arguments_of(&sig.generics);
    let all = arguments_of(&of_implementor).into_iter().chain(own_arguments.clone());
    let arguments = all.collect();
    annotated.in_trait = place(Behind::Default(StandIn { entries: entries.clone(), arguments }));
    let path = quote!(<#implementor as #of_trait>::#name);
    let stands_for = StandsFor { path, arguments: own_arguments, is_recursive };
    let options = options_of_stand_in(options, self_name.as_ref(), !has_bars(item));
    let as_type = implementor.to_token_stream();
    Some((stand_in(annotated, entries, &as_type, &of_implementor, stands_for), options))
}
