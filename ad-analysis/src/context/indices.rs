//! What indices of types with parameters find, `impl<const R: usize, const C: usize> Index<(usize, usize)> for Matrix<R, C>`.

use super::declared::{Collector, names_of_params};
use super::facts::{Facts, Told};
use super::heads::BlockOf;
use super::meaning::Found;
use super::names::Scope;
use super::scan::Item;
use super::spelling::{At, Owner};
use super::written::Written;
use syn::ReturnType;

impl Collector<'_> {
    /// What the annotated indices of a type with parameters find, where that does not depend on these.
    pub(super) fn add_indices_of_generic(
        &mut self,
        owner: &Owner,
        definition: &Found,
        scope: &Scope,
        facts: &mut Facts,
    ) {
        let is_index = |item: &Item| ["index", "index_mut"].contains(&scope.name(item));
        for BlockOf { block, head, functions: _ } in
            self.speller.blocks_of(definition, scope, is_index)
        {
            let Some(index) = index_of(&head).filter(|_| scope.is_annotated(block)) else {
                continue;
            };
            let params = names_of_params(&head.generics);
            let at = At { scope, own: None, params: &params, told: &[] };
            let (name, by) = index;
            let output =
                output_of(scope, block).and_then(|output| self.speller.spelled(&output, at));
            if let Some((by, output)) = self.speller.spelled(&by, at).zip(output) {
                let of = Told::Operator([name, owner.name.clone(), by]);
                facts.insert(of, Some(output));
            }
        }
    }
}

/// The trait of an index and what it goes by, if a block is one of an index.
fn index_of(head: &syn::ItemImpl) -> Option<(String, Written)> {
    let (path, _) = head.trait_.as_ref()?;
    let last = path.segments.last().filter(|last| last.ident.to_string().starts_with("Index"))?;
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return None };
    match args.args.first()? {
        syn::GenericArgument::Type(by) => Some((last.ident.to_string(), Written::of(by)?)),
        _ => None,
    }
}

/// What an index finds: that of an `IndexMut` is that of the `Index` of the type.
pub(super) fn output_of(scope: &Scope, block: &Item) -> Option<Written> {
    let items = syn::parse_str::<syn::ItemImpl>(scope.text_of(block)).ok()?.items;
    items.iter().find_map(|item| match item {
        syn::ImplItem::Type(output) if output.ident == "Output" => Written::of(&output.ty),
        syn::ImplItem::Fn(function) if function.sig.ident == "index_mut" => {
            match &function.sig.output {
                ReturnType::Type(_, ty) => match &**ty {
                    syn::Type::Reference(found) => Written::of(&found.elem),
                    _ => None,
                },
                ReturnType::Default => None,
            }
        }
        _ => None,
    })
}
