//! What the attribute stands on: a function of its own, or one in an `impl` block. A receiver becomes a
//! parameter like the others.

use super::Neighbours;
use super::referents::{Referents, referent, right_of};
use super::stand_ins::{StandsFor, replaced};
use crate::diag::Errors;
use crate::interface::{Home, InTrait, Passing, StandardImpl, WrittenTrait};
use crate::ir::{ByReference, StandardTrait};
use crate::read::rename_receiver;
use crate::signatures::{Lent, shared_parameters};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{
    FnArg, GenericParam, Generics, ItemFn, Path, PathArguments, Receiver, ReceiverKind, Signature,
    Type, Visibility,
};

/// A function to differentiate.
#[derive(Clone)]
pub struct Annotated {
    /// The function, without a receiver.
    pub function: ItemFn,
    /// Where it stands.
    pub place: Standing,
    /// What the receiver was called, if there is one: it is the first parameter.
    pub receiver: Option<Ident>,
    /// What is known of the functions beside it.
    pub neighbours: Rc<Neighbours>,
    /// Whether anybody may ask for its tangent.
    pub has_tangent: bool,
    /// Whether it is the body of a checkpointed block or loop.
    pub is_step: bool,
    /// What it is called by, if it stands in the place of a method.
    pub stands_for: Option<StandsFor>,
    /// The method of an annotated trait that it is.
    pub in_trait: Option<Rc<InTrait>>,
}

/// Whether functions have tangents at all.
pub const HAS_TANGENTS: bool = cfg!(feature = "tangent");

/// Whether functions have adjoints for several seeds at all.
pub const HAS_SEEDS: bool = cfg!(feature = "seeds");

/// Where a function stands.
#[derive(Clone)]
pub enum Standing {
    /// In a module or a block.
    Free,
    /// In an `impl` block of which nothing is known.
    SomeImpl,
    /// In a trait with these generic parameters.
    Trait(Box<Generics>),
    /// In an `impl` block.
    Impl(Box<Surroundings>),
}

/// What is known of an `impl` block.
#[derive(Clone)]
pub struct Surroundings {
    /// Its generic parameters.
    pub generics: Generics,
    /// The type.
    pub self_type: Type,
    /// The trait.
    pub of_trait: Option<Path>,
    /// The annotated functions in it that may call themselves by way of others.
    pub recursive: BTreeSet<String>,
    /// What the trait is for, if it is one of the standard library that may have adjoints.
    pub standard: Option<StandardTrait>,
    /// The operands of the operator that are references, if some are.
    pub referents: Option<Referents>,
    /// The types and the constants of the trait, which only the `impl` of the trait can call `Self::Name`.
    pub items: HashMap<String, TokenStream>,
    /// How the annotated functions in it take their parameters.
    pub functions: HashMap<String, Sibling>,
    /// What is annotated.
    pub attribute: AttributeOn,
}

/// How a function takes its parameters.
#[derive(Clone)]
pub struct Sibling {
    /// The receiver, if it has one.
    pub receiver: Option<Passing>,
    /// Those behind it that are a `&`.
    pub shared: BTreeMap<usize, Lent>,
}

impl Sibling {
    /// Its name, and how it takes its parameters, as its signature says.
    pub fn by_name(sig: &Signature) -> (String, Self) {
        let shared = shared_parameters(sig).collect();
        (sig.ident.to_string(), Self { receiver: receiver_of(sig), shared })
    }
}

/// What the attribute stands on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttributeOn {
    /// The `impl` block: what is generated stands in another one, and beside it.
    Block,
    /// A function in the block: all that is generated stands in that, too.
    Function,
}

impl Annotated {
    /// A function that is no method.
    pub fn free(function: ItemFn) -> Self {
        Self {
            function,
            place: Standing::Free,
            receiver: None,
            neighbours: Rc::default(),
            has_tangent: HAS_TANGENTS,
            is_step: false,
            stands_for: None,
            in_trait: None,
        }
    }

    /// The function with a body that panics, which is right whatever its signature is.
    pub fn that_panics(&self) -> Self {
        let mut function = self.function.clone();
        *function.block = syn::parse_quote!({ ::core::panic!("refused") });
        Self { function, ..self.clone() }
    }

    /// A function in an `impl` block. What is wrong with its receiver is reported.
    pub fn in_impl(mut function: ItemFn, place: Standing, errors: &Errors) -> Option<Self> {
        let referents = match &place {
            Standing::Impl(known) => known.referents.clone(),
            Standing::Free | Standing::SomeImpl | Standing::Trait(_) => None,
        };
        if let Standing::Impl(known) = &place {
            let signature = with_items(function.sig.to_token_stream(), known);
            function.sig = syn::parse2(signature).expect("types in place of types");
            let block = with_items(function.block.to_token_stream(), known);
            *function.block = syn::parse2(block).expect("types in place of types");
        }
        if let Some(referents) = &referents {
            referents.function(&mut function);
        }
        let Some(FnArg::Receiver(receiver)) = function.sig.inputs.first() else {
            return Some(Self {
                function,
                place,
                receiver: None,
                neighbours: Rc::default(),
                has_tangent: HAS_TANGENTS,
                is_step: false,
                stands_for: None,
                in_trait: None,
            });
        };
        let Some(passing) = passing_of(receiver) else {
            errors.report(
                receiver.span(),
                "this type of receiver is not supported",
                "take `self`, `&self` or `&mut self`",
            );
            return None;
        };
        let called = Ident::new("self", receiver.self_token.span());
        let mutability = match passing {
            Passing::Value => receiver.mutability.to_token_stream(),
            Passing::Shared | Passing::Exclusive => TokenStream::new(),
        };
        let lifetime = match &receiver.kind {
            ReceiverKind::Reference(_, lifetime, _) => lifetime.clone(),
            _ => None,
        };
        let ty = match passing {
            Passing::Value => quote!(Self),
            Passing::Shared => quote!(& #lifetime Self),
            Passing::Exclusive => quote!(& #lifetime mut Self),
        };
        let name = rename_receiver(&mut function, called.span());
        function.sig.inputs[0] = syn::parse_quote!(#mutability #name: #ty);
        if let Some(referents) = &referents {
            let tokens = referents.with_own(function.to_token_stream());
            function = syn::parse2(tokens).expect("a type in place of another");
        }
        Some(Self {
            function,
            place,
            receiver: Some(called),
            neighbours: Rc::default(),
            has_tangent: HAS_TANGENTS,
            is_step: false,
            stands_for: None,
            in_trait: None,
        })
    }

    /// What is known of the `impl` block around the function.
    pub fn surroundings(&self) -> Option<&Surroundings> {
        match &self.place {
            Standing::Impl(surroundings) => Some(surroundings),
            Standing::Free | Standing::SomeImpl | Standing::Trait(_) => None,
        }
    }

    /// The generic parameters of what is around the function, as far as they are known.
    pub fn generics_around(&self) -> Option<&Generics> {
        match &self.place {
            Standing::Impl(known) => Some(&known.generics),
            Standing::Trait(generics) => Some(generics),
            Standing::Free | Standing::SomeImpl => None,
        }
    }

    /// Whether the attribute stands on the function, and that in an `impl` block, where there are no other items than those of a type.
    pub fn is_alone_in_impl(&self) -> bool {
        match &self.place {
            Standing::Free => false,
            Standing::SomeImpl | Standing::Trait(_) => true,
            Standing::Impl(known) => known.attribute == AttributeOn::Function,
        }
    }

    /// Whether the function stands in an `impl` block.
    pub fn is_in_impl(&self) -> bool {
        !matches!(self.place, Standing::Free)
    }

    /// Where the entries are.
    pub fn home(&self) -> Home {
        match &self.place {
            Standing::Free => Home::Struct,
            Standing::Impl(known) if known.standard.is_some() => Home::StandardTrait,
            Standing::SomeImpl | Standing::Trait(_) | Standing::Impl(_) => Home::Impl,
        }
    }

    /// The `impl` block around the function, if it is that of an operator or of a conversion.
    pub fn standard_impl(&self) -> Option<StandardImpl> {
        let known = self.surroundings()?;
        let (of, path) = (known.standard?, known.of_trait.as_ref()?);
        let params = &known.generics.params;
        let bounds = known.generics.where_clause.as_ref();
        let right = match &path.segments.last()?.arguments {
            PathArguments::AngleBracketed(args) => args.args.to_token_stream(),
            PathArguments::None | PathArguments::Parenthesized(_) => quote!(Self),
        };
        let self_type = known.self_type.to_token_stream();
        if let Some(referents) = &known.referents {
            let bounds = bounds.map(|bounds| bounds.predicates.to_token_stream());
            let bounds = referents.with_own(bounds.unwrap_or_default());
            return Some(StandardImpl {
                of,
                written: referents.written.clone(),
                generics: params.to_token_stream(),
                bounds,
                by_reference: referents.by_reference,
                right: right_of(known.of_trait.as_ref()?)
                    .map_or(self_type.clone(), |right| referent(right).to_token_stream()),
                self_type,
            });
        }
        // What is proved of the trait is proved outside of the block.
        let outside = |tokens: TokenStream| replaced(tokens, "Self", &self_type);
        let bounds = bounds.map(|bounds| bounds.predicates.to_token_stream()).unwrap_or_default();
        let (params, bounds) = (outside(params.to_token_stream()), outside(bounds));
        let path = outside(path.to_token_stream());
        Some(StandardImpl {
            of,
            written: WrittenTrait { path, params: params.clone(), clauses: bounds.clone() },
            generics: params,
            bounds,
            by_reference: ByReference::Neither,
            self_type: self_type.clone(),
            right,
        })
    }

    /// The type and constant parameters of the `impl` block around the function, if they are known.
    pub fn outer_params(&self) -> Option<Vec<Ident>> {
        let params = match &self.place {
            Standing::Free => return Some(Vec::new()),
            Standing::SomeImpl | Standing::Trait(_) => return None,
            Standing::Impl(known) => known.generics.params.iter(),
        };
        let named = params.filter_map(|param| match param {
            GenericParam::Type(param) => Some(param.ident.clone()),
            GenericParam::Const(param) => Some(param.ident.clone()),
            GenericParam::Lifetime(_) => None,
        });
        Some(named.collect())
    }

    /// The type around the function with any parameters in place of those of the `impl` block. A path that begins with it finds what a
    /// value of any of these types finds.
    pub fn any_owner(&self) -> TokenStream {
        let params = self.outer_params().unwrap_or_default();
        let Some(known) = self.surroundings().filter(|_| !params.is_empty()) else {
            return quote!(Self);
        };
        let any = with_any(known.self_type.to_token_stream(), &params);
        let is_type = syn::parse2::<Type>(any.clone()).is_ok();
        if is_type { any } else { quote!(Self) }
    }

    /// Whether the type around the function may hold references.
    pub fn owner_may_borrow(&self) -> bool {
        match &self.place {
            Standing::Free => false,
            Standing::SomeImpl | Standing::Trait(_) => true,
            Standing::Impl(known) => known.self_type.to_token_stream().to_string().contains('\''),
        }
    }

    /// Whether the function may call itself by way of others in its `impl` block.
    pub fn is_recursive(&self) -> bool {
        if let Some(stands_for) = &self.stands_for {
            return stands_for.is_recursive;
        }
        let name = self.function.sig.ident.to_string();
        self.surroundings().is_some_and(|known| known.recursive.contains(&name))
    }

    /// The visibility of what is generated: that of the function. What a trait asks for is as visible as
    /// the type.
    pub fn visibility(&self) -> TokenStream {
        match (&self.function.vis, self.surroundings()) {
            (Visibility::Inherited, Some(Surroundings { of_trait: Some(_), .. })) => quote!(pub),
            (vis, _) => vis.to_token_stream(),
        }
    }

    /// The path of the function in generated code.
    pub fn path(&self) -> TokenStream {
        let name = &self.function.sig.ident;
        match &self.place {
            Standing::Free => match &self.stands_for {
                Some(StandsFor { path, .. }) => path.clone(),
                None => name.to_token_stream(),
            },
            Standing::SomeImpl | Standing::Trait(_) => quote!(Self::#name),
            Standing::Impl(surroundings) => match &surroundings.of_trait {
                Some(path) => {
                    let of = surroundings.referents.as_ref().and_then(|known| known.own.as_ref());
                    let of = of.map_or_else(|| quote!(Self), ToTokens::to_token_stream);
                    quote!(<#of as #path>::#name)
                }
                None => quote!(Self::#name),
            },
        }
    }
}

/// The tokens with what the items of a trait are, in place of `Self::Name`.
fn with_items(tokens: TokenStream, known: &Surroundings) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_colon =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
    let mut out = Vec::new();
    let mut rest = tokens.as_slice();
    while let [first, others @ ..] = rest {
        rest = others;
        match (first, others) {
            (TokenTree::Ident(own), [a, b, TokenTree::Ident(name), after @ ..])
                if own == "Self" && is_colon(a) && is_colon(b) =>
            {
                match known.items.get(&name.to_string()) {
                    Some(item) => {
                        out.extend(item.clone());
                        rest = after;
                    }
                    None => out.push(first.clone()),
                }
            }
            (TokenTree::Group(group), _) => {
                let mut inner = Group::new(group.delimiter(), with_items(group.stream(), known));
                inner.set_span(group.span());
                out.push(TokenTree::Group(inner));
            }
            _ => out.push(first.clone()),
        }
    }
    out.into_iter().collect()
}

/// How a method takes its receiver, if it takes it in one of the usual ways.
pub fn passing_of(receiver: &Receiver) -> Option<Passing> {
    let is_self = |ty: &Type| ty.to_token_stream().to_string() == "Self";
    let by_reference = |is_mutable: bool| match is_mutable {
        true => Passing::Exclusive,
        false => Passing::Shared,
    };
    match &receiver.kind {
        ReceiverKind::Value => Some(Passing::Value),
        ReceiverKind::Reference(_, _, mutability) => Some(by_reference(mutability.is_some())),
        ReceiverKind::Typed(_, ty) => match &**ty {
            Type::Reference(reference) if is_self(&reference.elem) => {
                Some(by_reference(reference.mutability.is_some()))
            }
            ty => is_self(ty).then_some(Passing::Value),
        },
        _ => None,
    }
}

/// How the first parameter of a function is passed, if it is a receiver.
pub fn receiver_of(sig: &Signature) -> Option<Passing> {
    sig.receiver().and_then(passing_of)
}

/// A type with `_` in place of parameters.
fn with_any(ty: TokenStream, params: &[Ident]) -> TokenStream {
    let with_any = |token| match token {
        TokenTree::Ident(name) if params.contains(&name) => {
            Ident::new("_", name.span()).to_token_stream()
        }
        TokenTree::Group(group) => {
            Group::new(group.delimiter(), with_any(group.stream(), params)).to_token_stream()
        }
        other @ (TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_)) => {
            other.to_token_stream()
        }
    };
    ty.into_iter().map(with_any).collect()
}
