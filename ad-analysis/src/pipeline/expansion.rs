//! An annotated item as it comes from rustc, and what stands in its place.

use super::alone::block_around;
use super::blocks::{OfBlock, differentiate_block};
use super::names::{with_body, with_names};
use super::traits::{OfTrait, differentiate_trait};
use super::{Generated, generated, macros, modules, options_of, written};
use crate::context::{Names, Place, has_standard_names, through_runtime};
use crate::diag::Diagnostic;
use crate::inline::Callees;
use crate::lower::index_methods::{self, Beside};
use crate::lower::sums;
use crate::options::Options;
use crate::read::{Decided, Known, Said, Undecided, decided, is_method, parenthesised, with_told};
use proc_macro2::TokenStream;
use std::path::Path;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{Attribute, Item, ItemFn, ItemImpl, ItemMod, ItemTrait};

/// Expands `#[adjoint(arguments)] item`: the item as it is, without the attributes that are only for
/// this macro, and beside it the derivatives, or the errors.
pub fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand_in(arguments, item, None)
}

/// The same for an item of which it is known where it stands.
pub fn expand_in(arguments: TokenStream, item: TokenStream, place: Option<&Place>) -> TokenStream {
    let arguments = parenthesised(arguments);
    match syn::parse2::<Item>(item.clone()) {
        Ok(parsed) => {
            let options = options_of(&arguments);
            let place = place.filter(|_| options.has_context);
            let names = place.and_then(Names::at);
            let macros = macros::known(&parsed, names.as_ref());
            // What macros call is called, too.
            let undecided = Undecided { tokens: &item, item: &parsed, macros: &macros };
            let block = block_around(&parsed, names.as_ref());
            let is_in_impl = block.is_some() || is_method(&parsed);
            let (whole, open) = match is_in_impl {
                // No struct can stand in an `impl` block.
                true => (macros.expanded(&parsed), Vec::new()),
                false => undecided.with_all(),
            };
            let arguments = with_body(arguments, &options, &parsed, names.as_ref());
            let arguments = with_names(arguments, &options, &whole, names.as_ref());
            let open = match is_in_impl {
                true => open,
                false => with_told(open, options_of(&arguments).undecided),
            };
            if open.is_empty() {
                let standard = standard_of(place.map(|place| place.file.as_path()));
                return expanded(arguments, item, whole, standard);
            }
            undecided.to_struct(options.facade.as_ref(), &arguments, &Known::default(), &open)
        }
        Err(error) => item.into_iter().chain(not_an_item(&error).to_compile_error()).collect(),
    }
}

/// What the files of the crate add to the arguments of an item.
pub fn arguments_in(item: &TokenStream, place: &Place) -> TokenStream {
    let names = Names::at(place);
    let found =
        |parsed| with_names(TokenStream::new(), &Options::default(), &parsed, names.as_ref());
    syn::parse2(item.clone()).map(found).unwrap_or_default()
}

/// What an item with conditions inside of its functions becomes when rustc has decided them. It stands in the file.
pub fn expand_decided(input: TokenStream, file: Option<&Path>) -> TokenStream {
    let said = |arguments: &TokenStream| {
        let Options { facade, undecided, .. } = options_of(arguments);
        Said { facade, conditions: undecided }
    };
    match decided(input, said) {
        Ok(Decided::All(arguments, item, parsed)) => {
            expanded(arguments, item, *parsed, standard_of(file))
        }
        Ok(Decided::Struct(next)) => next,
        Err(error) => not_an_item(&error).to_compile_error(),
    }
}

fn not_an_item(error: &syn::Error) -> Diagnostic {
    Diagnostic {
        span: error.span(),
        message: error.to_string(),
        help: "`#[adjoint]` is for functions".to_owned(),
    }
}

/// How generated code names the standard library.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standard {
    ByItsName,
    ThroughRuntime,
}

fn standard_of(file: Option<&Path>) -> Standard {
    match file.is_none_or(has_standard_names) {
        true => Standard::ByItsName,
        false => Standard::ThroughRuntime,
    }
}

/// The expansion of an item, given as it was written and without what is not there.
fn expanded(
    arguments: TokenStream,
    item: TokenStream,
    parsed: Item,
    standard: Standard,
) -> TokenStream {
    let facade = options_of(&arguments).facade;
    let (item, generated) = match annotatable(parsed) {
        Err(error) => (item, vec![error].into()),
        Ok(Annotatable::Function(function)) => {
            let generated = generated(arguments, &function);
            // Another attribute wants them, too.
            let has_others = function.attrs.iter().any(is_adjoint);
            (if has_others { item } else { written::code(item) }, generated)
        }
        Ok(Annotatable::Impl(mut block)) => {
            let of_block = |block: &mut ItemImpl| {
                differentiate_block(&arguments, block, &Rc::default(), &Callees::default())
            };
            let beside = index_methods::beside(&block, facade.as_ref());
            let found = match beside.or_else(|| sums::beside(&block).map(Ok)) {
                None => of_block(&mut block),
                Some(Ok(Beside { plain, mut methods, proofs })) => {
                    let found = of_block(&mut methods);
                    let beside = plain.into_iter().chain(proofs).chain(found.beside).collect();
                    OfBlock { beside, ..found }
                }
                Some(Err(errors)) => OfBlock { errors, ..OfBlock::default() },
            };
            with_inside(item, found)
        }
        Ok(Annotatable::Trait(mut of_trait)) => {
            let OfTrait { of_block, supertrait } = differentiate_trait(&arguments, &mut of_trait);
            with_inside(written::with_supertrait(item, supertrait), of_block)
        }
        Ok(Annotatable::Module(mut module)) => {
            let (additions, errors) = modules::differentiate(&arguments, &mut module);
            (written::module(item, &additions), errors.into())
        }
    };
    let Generated { items, errors } = generated;
    let errors = errors.iter().map(Diagnostic::to_compile_error);
    let generated = errors.chain([items]).collect();
    let generated = match standard {
        Standard::ByItsName => generated,
        Standard::ThroughRuntime => {
            let facade = facade.map_or_else(|| "::backsweep".to_owned(), |path| path.to_string());
            let runtime = format!("{facade}::__private").parse().expect("a path");
            through_runtime(generated, &runtime)
        }
    };
    item.into_iter().chain(generated).collect()
}

/// A block of functions with what is added to it, and what stands beside it.
fn with_inside(item: TokenStream, found: OfBlock) -> (TokenStream, Generated) {
    let OfBlock { beside, inside, errors } = found;
    (written::block(item, inside), Generated { items: beside, errors })
}

fn is_adjoint(attr: &Attribute) -> bool {
    attr.path().segments.last().is_some_and(|segment| segment.ident == "adjoint")
}

/// What the attribute may stand on.
enum Annotatable {
    Function(ItemFn),
    Impl(ItemImpl),
    Trait(ItemTrait),
    Module(ItemMod),
}

fn annotatable(item: Item) -> Result<Annotatable, Diagnostic> {
    let refuse = |item: &Item, what: &str, help: &str| Diagnostic {
        span: item.span(),
        message: format!("`#[adjoint]` on {what} is not supported yet"),
        help: help.to_owned(),
    };
    match item {
        Item::Fn(function) => Ok(Annotatable::Function(function)),
        Item::Impl(block) => Ok(Annotatable::Impl(block)),
        Item::Trait(of_trait) => Ok(Annotatable::Trait(of_trait)),
        Item::Mod(module) if module.content.is_none() => Err(refuse(
            &Item::Mod(module),
            "a module in a file of its own",
            "rustc does not hand such modules to macros: annotate the functions in it",
        )),
        Item::Mod(module) => Ok(Annotatable::Module(module)),
        item => Err(refuse(&item, "this item", "it is for functions")),
    }
}
