//! A function that is annotated alone: it stands in a module or a block of statements, or in an `impl` block, of which the files of the
//! crate tell.

use super::{imported, in_place, options_of};
use crate::context::Names;
use crate::diag::{Diagnostic, Errors};
use crate::lower::Neighbours;
use crate::lower::annotated::{Annotated, AttributeOn, Sibling, Standing, Surroundings};
use crate::options::{Options, WITHIN, block_of};
use crate::read::{in_impl, proof_of_block, read};
use crate::walk::visit_mut::VisitMut;
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use syn::{Item, ItemFn, ItemImpl};

/// The `impl` block around a function, with nothing else in it.
pub(super) fn block_around(item: &Item, names: Option<&Names>) -> Option<ItemImpl> {
    let Item::Fn(function) = item else { return None };
    let head = names?.block_around()?;
    let mut block = syn::parse_str::<ItemImpl>(&format!("{head} {{}}")).ok()?;
    block.items.push(syn::parse2(function.to_token_stream()).ok()?);
    Some(block)
}

/// `within(impl<T> Pair<T>)`, if that is the head of the `impl` block around a function.
pub(super) fn within(names: &Names) -> Option<String> {
    Some(format!("{WITHIN}({}),", names.block_around()?))
}

/// The function, without its receiver, and proofs of what its names are taken for.
pub(super) fn annotated(
    arguments: &TokenStream,
    function: &ItemFn,
) -> Result<(Annotated, TokenStream), Vec<Diagnostic>> {
    let (mut function, errors) = (function.clone(), Errors::new());
    let options = options_of(arguments);
    let mut known = (Neighbours::default(), TokenStream::new());
    let mut proofs = read(options.facade.as_ref(), options.told(), &errors, |reader| {
        reader.visit_item_fn_mut(&mut function);
        known = in_place::neighbours(&options.passed_to, reader);
    });
    let (neighbours, assertions) = known;
    proofs.extend(assertions);
    proofs.extend(imported::proof_of_callees(&options));
    let annotated = match (options.within.and_then(block_of), function.sig.receiver()) {
        (Some(block), _) => {
            refuse_method_of_trait(&block, &function, &errors);
            let standing = surroundings(block, &function);
            Annotated::in_impl(function, standing, &errors)
        }
        (None, Some(_)) => Annotated::in_impl(function, Standing::SomeImpl, &errors),
        (None, None) => Some(Annotated::free(function)),
    };
    let annotated = annotated.map(|annotated| {
        let neighbours = Rc::new(neighbours);
        Annotated { neighbours, ..annotated }
    });
    let errors = errors.take();
    match annotated {
        Some(annotated) if errors.is_empty() => Ok((annotated, proofs)),
        Some(_) | None => Err(errors),
    }
}

/// The block of a trait has the methods of the trait and no others.
fn refuse_method_of_trait(block: &ItemImpl, function: &ItemFn, errors: &Errors) {
    if block.trait_.is_some() {
        errors.report(
            function.sig.ident.span(),
            "a method in the `impl` block of a trait cannot be annotated alone",
            "annotate the block, `#[adjoint] impl Trait for Type { … }`",
        );
    }
}

fn surroundings(block: ItemImpl, function: &ItemFn) -> Standing {
    Standing::Impl(Box::new(Surroundings {
        generics: block.generics,
        self_type: *block.self_ty,
        of_trait: None,
        // What others call is not seen.
        recursive: BTreeSet::new(),
        standard: None,
        referents: None,
        items: HashMap::new(),
        functions: [Sibling::by_name(&function.sig)].into_iter().collect(),
        attribute: AttributeOn::Function,
    }))
}

/// What stands in an `impl` block beside the entries of a function: the proofs, and that the block is of the type that it is taken for.
pub(super) fn proofs_in_impl(
    annotated: &Annotated,
    options: &Options,
    proofs: TokenStream,
) -> TokenStream {
    let name = match &options.name {
        Some((name, _)) => name.clone(),
        None => annotated.function.sig.ident.to_string(),
    };
    let of_type = annotated.surroundings().map(|known| proof_of_block(&known.self_type, &name));
    in_impl(proofs, &name).into_iter().chain(of_type.into_iter().flatten()).collect()
}
