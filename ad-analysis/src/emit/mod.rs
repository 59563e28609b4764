//! Emission: from the IR to tokens. Nothing is decided here, and nothing can fail.

mod body;
mod callees;
mod calls;
mod coded;
mod directions;
mod docs;
mod elementary;
mod entries;
mod expr;
mod frames;
mod getters;
mod lists;
mod methods;
mod numbers;
mod operators;
mod proofs;
mod ranges;
mod repeats;
mod resolution;
mod rules;
mod tangents;
mod together;
mod traced;
mod types;
mod untested;
mod untold;
mod uses;
mod variables;
mod views;
mod witness;

pub use entries::{ByDyn, Implementation};
pub use getters::{BesideGetter, Destination, beside_getter, beside_query};
pub use types::{bar as bar_type, known as known_type};
pub use untold::naming_untold;

use crate::analyses::Facts;
use crate::diff::{Adjoint, Products, Seeds, Site, Tangent};
use crate::index::Var;
use crate::interface::{InTrait, Interface};
use crate::ir::{Body, StandardTrait};
use crate::reify::Reified;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// Everything that emission needs.
#[derive(Clone, Copy, Debug)]
pub struct Product<'a> {
    /// The signature.
    pub interface: &'a Interface,
    /// The primal, with control reified.
    pub primal: &'a Body,
    /// What was added when control was reified.
    pub reified: &'a Reified,
    /// The analyses of the primal.
    pub facts: &'a Facts,
    /// The sweeps.
    pub adjoint: &'a Adjoint,
    /// The backward sweep for several seeds, if anybody may ask for it.
    pub seeds: Option<&'a Seeds>,
    /// The tangent, if anybody may ask for it.
    pub tangent: Option<&'a Tangent>,
    /// The same in several directions.
    pub tangents: Option<&'a Tangent>,
    /// The tangent that is traced, if there are tests.
    pub traced: Option<&'a Tangent>,
    /// The function with a sum of what its statements assign, if there are tests.
    pub summed: Option<SummedProduct<'a>>,
    /// The same function with its checkpointed blocks and loops as ordinary ones, of which the tangent is taken.
    pub ordinary: Option<&'a Product<'a>>,
    /// Both sweeps in one body, for callers that want the value, too.
    pub single_pass: Option<&'a Body>,
    /// Items that the sweeps repeat.
    pub items: &'a [TokenStream],
    /// How values of types without floats are stored, for the sweeps.
    pub codes: &'a [TokenStream],
    /// Where the entries of callees are, if not beside the functions.
    pub callees: &'a [(Ident, TokenStream)],
    /// Where those of functions are, as the files of the crate tell.
    pub found: &'a [(Ident, TokenStream)],
    /// By which paths callees are imported whose modules are hidden.
    pub imported: &'a [(Ident, TokenStream)],
    /// By which paths others import the function.
    pub imports: &'a [(Ident, TokenStream)],
}

/// A function with a sum of what its statements assign.
#[derive(Clone, Copy, Debug)]
pub struct SummedProduct<'a> {
    /// The function.
    pub product: &'a Product<'a>,
    /// The statements that are told.
    pub sites: &'a [Site],
}

/// The struct with the entries.
pub fn emit(product: &Product<'_>) -> TokenStream {
    entries::entries(product)
}

/// The hidden functions beside a method of an annotated trait.
pub fn emit_in_trait(product: &Product<'_>, place: &InTrait) -> TokenStream {
    entries::in_trait(product, place)
}

/// What a method of an annotated trait has by way of `dyn`.
pub fn emit_by_dyn(product: &Product<'_>, place: &InTrait) -> Option<ByDyn> {
    entries::by_dyn(product, place)
}

/// The hidden trait that an annotated one of that name is a subtrait of, with what belongs to it, and the bound.
pub fn emit_all_by_dyn(
    of_trait: (&syn::Visibility, &Ident, &syn::Generics),
    methods: &[ByDyn],
) -> (TokenStream, TokenStream) {
    entries::all_by_dyn(of_trait, methods)
}

/// What an annotated trait says of what implements it, or an `impl` block of itself: which methods it defines.
pub fn emit_implementation(facade: Option<&TokenStream>, of: Implementation<'_>) -> TokenStream {
    entries::implementation(facade, of)
}

/// The signature of the tangent as a function, which has that body: each parameter with a direction is followed by it.
pub fn signature_of_tangent(
    interface: &Interface,
    body: &Body,
    directions: &[Option<Var>],
) -> Interface {
    entries::signature_of_tangent(interface, body, directions)
}

/// The path of the function whose results the sum of what statements assign consists of.
pub fn path_of_terms(interface: &Interface) -> TokenStream {
    entries::path_of_terms(interface)
}

/// The signature of a function with such a sum, which has that body.
pub fn signature_with_sum(interface: &Interface, body: &Body, sum: Var) -> Interface {
    entries::signature_with_sum(interface, body, sum)
}

/// The signature `own` of the tangent of a function, with the names by which it goes.
pub fn interface_of_tangent(interface: &Interface, own: &Interface) -> Interface {
    entries::interface_of_tangent(interface, own)
}

/// The second derivatives of a function: `product` is its tangent as a function, and `directions` are those of its
/// parameters, `products` the sweeps for several directions at once, if there are such.
pub fn emit_second(
    product: &Product<'_>,
    function: &Interface,
    directions: &[Option<Var>],
    products: Option<&Products>,
) -> TokenStream {
    entries::second_derivatives(product, function, directions, products)
}

/// What was generated for the functions of an `impl` block, beside that.
pub fn emit_block(block: &syn::ItemImpl, functions: TokenStream) -> TokenStream {
    let standard = block
        .trait_
        .as_ref()
        .and_then(|(path, _)| StandardTrait::of_name(&path.segments.last()?.ident.to_string()));
    if standard.is_some() {
        return functions;
    }
    let self_type = &block.self_ty;
    let (generics, _, bounds) = block.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        #[allow(unreachable_code, clippy::all)]
        impl #generics #self_type #bounds { #functions }
    }
}

/// Places tokens where the user's code is, for errors, without making them the user's: lints are for
/// what the user has written.
pub fn located(tokens: TokenStream) -> TokenStream {
    with_spans(tokens, &at)
}

/// Tokens with one span.
fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    with_spans(tokens, &|_| span)
}

/// Tokens with spans made of their own.
fn with_spans(tokens: TokenStream, span_of: &dyn Fn(Span) -> Span) -> TokenStream {
    let changed = |token: TokenTree| match token {
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), with_spans(group.stream(), span_of));
            inner.set_span(span_of(group.span()));
            TokenTree::Group(inner)
        }
        mut token => {
            token.set_span(span_of(token.span()));
            token
        }
    };
    tokens.into_iter().map(changed).collect()
}

/// The span of generated code that stands for the user's code there.
fn at(span: Span) -> Span {
    Span::call_site().located_at(span)
}

/// The name of a hidden function in an `impl` block, for the entries of that prefix.
fn hidden_name(prefix: &str, function: &str) -> Ident {
    let prefix = prefix.trim_start_matches("r#");
    Ident::new(&format!("__{prefix}_{function}"), Span::call_site())
}

/// An identifier; raw if it is a keyword.
fn ident(name: &str, span: Span) -> Ident {
    let span = at(span);
    if matches!(name, "self" | "Self") {
        return Ident::new(name, span);
    }
    let plain = name.trim_start_matches("r#");
    let ident = Ident::new(plain, span);
    match syn::parse2::<Ident>(ident.to_token_stream()) {
        Ok(_) => ident,
        Err(_) => Ident::new_raw(plain, span),
    }
}
