//! Methods as functions of their own: those of types of other crates, beside which no function can stand, and those that a trait gives
//! a body. `Self` is a type there, or a type parameter.

use super::annotated::{Annotated, Standing};
use crate::options::Options;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{GenericParam, Generics, ItemFn, ItemTrait, TypeParamBound, Visibility, parse_quote};

/// What a function is called by that stands in the place of another one.
#[derive(Clone)]
pub struct StandsFor {
    /// The path of the method.
    pub path: TokenStream,
    /// The method's own generic parameters.
    pub arguments: Vec<TokenStream>,
    /// Whether it may call itself.
    pub is_recursive: bool,
}

/// The type parameter that `Self` is in the functions of a trait.
pub(super) fn implementor() -> Ident {
    Ident::new("Implementor__", Span::call_site())
}

/// What is said of a type parameter that stands for `Self`, said of `Self`.
pub fn own_self(tokens: TokenStream) -> TokenStream {
    replaced(tokens, &implementor().to_string(), &quote!(Self))
}

/// What stands in the place of a method whose `Self` is that type, under a name. It has these generic parameters before its own.
pub fn stand_in(
    method: Annotated,
    name: Ident,
    self_type: &TokenStream,
    generics: &Generics,
    stands_for: StandsFor,
) -> Annotated {
    let mut function: ItemFn =
        syn::parse2(replaced(method.function.to_token_stream(), "Self", self_type))
            .expect("a type in place of a type");
    function.sig.ident = Ident::new(&name.to_string(), function.sig.ident.span());
    function.vis = Visibility::Inherited;
    let is_lifetime = |param: &&GenericParam| matches!(param, GenericParam::Lifetime(_));
    let all: Vec<GenericParam> =
        generics.params.iter().chain(&function.sig.generics.params).cloned().collect();
    let (lifetimes, others): (Vec<&GenericParam>, Vec<&GenericParam>) =
        all.iter().partition(is_lifetime);
    let clauses = [&generics.where_clause, &function.sig.generics.where_clause];
    let clauses = clauses.into_iter().flatten().flat_map(|clause| clause.predicates.iter());
    let clauses: Vec<_> = clauses.cloned().collect();
    let params = lifetimes.into_iter().chain(others);
    function.sig.generics = Generics {
        params: params.cloned().collect(),
        where_clause: (!clauses.is_empty()).then(|| parse_quote!(where #(#clauses),*)),
        ..Generics::default()
    };
    Annotated {
        function,
        place: Standing::Free,
        receiver: None,
        stands_for: Some(stands_for),
        ..method
    }
}

/// The generic parameters of what stands in the place of a method of a trait: what implements it, and those of the trait.
pub fn generics_of_trait(item: &ItemTrait) -> Generics {
    let (implementor, name) = (implementor(), &item.ident);
    let (_, arguments, _) = item.generics.split_for_impl();
    let mut generics = item.generics.clone();
    let bars = bound_of_bars(item).into_iter();
    generics.params.push(parse_quote!(#implementor: #name #arguments #(+ #bars)*));
    let as_type = implementor.to_token_stream();
    if let Some(clause) = &mut generics.where_clause {
        let changed = replaced(clause.to_token_stream(), "Self", &as_type);
        *clause = syn::parse2(changed).expect("a type in place of a type");
    }
    for param in &mut generics.params {
        match param {
            GenericParam::Type(param) => param.default = None,
            GenericParam::Const(param) => param.default = None,
            GenericParam::Lifetime(_) => {}
        }
    }
    generics
}

/// Whether what implements a trait has bars, as the trait says.
pub fn has_bars(item: &ItemTrait) -> bool {
    bound_of_bars(item).is_some()
}

fn bound_of_bars(item: &ItemTrait) -> Option<&TypeParamBound> {
    item.supertraits.iter().find(|bound| match bound {
        TypeParamBound::Trait(bound) => {
            bound.path.segments.last().is_some_and(|last| last.ident == "Differentiable")
        }
        _ => false,
    })
}

/// The options of a method for what stands in its place: the receiver has another name there. If what implements the trait need not have
/// bars, and nothing is said of the receiver, it is passive.
pub fn options_of_stand_in(
    own: TokenStream,
    receiver: Option<&Ident>,
    passive: bool,
) -> TokenStream {
    let Some(receiver) = receiver else { return own };
    let unheeded = crate::diag::Errors::new();
    let mut options = Options::parse(own.clone(), &unheeded);
    unheeded.take();
    let own = replaced(own, "self", &receiver.to_token_stream());
    let lists = [options.independents.take(), options.dependents.take(), Some(options.passive)];
    let is_named = lists.iter().flatten().flatten().any(|name| name == "self");
    match passive && !is_named && lists[0].is_none() {
        true if own.is_empty() => quote!(passive(#receiver)),
        true => quote!(#own, passive(#receiver)),
        false => own,
    }
}

/// A name that says of which trait and type a method is.
pub fn name_of_stand_in(of_trait: &TokenStream, self_type: &TokenStream, method: &Ident) -> Ident {
    let plain = |tokens: &TokenStream| {
        let text = tokens.to_string();
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join("_")
    };
    let method = method.to_string();
    let method = method.trim_start_matches("r#");
    format_ident!("__{}_for_{}_{method}", plain(of_trait), plain(self_type))
}

/// The tokens with others in the places of a name.
pub(super) fn replaced(tokens: TokenStream, name: &str, by: &TokenStream) -> TokenStream {
    let replace = |token: TokenTree| match token {
        TokenTree::Ident(ident) if ident == name => by
            .clone()
            .into_iter()
            .map(|mut token| {
                token.set_span(token.span().located_at(ident.span()));
                token
            })
            .collect(),
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), replaced(group.stream(), name, by));
            inner.set_span(group.span());
            TokenStream::from(TokenTree::Group(inner))
        }
        token => token.into(),
    };
    tokens.into_iter().map(replace).collect()
}
