//! Generic parameters of functions that take functions: what they stand for where one of these is lowered in place of a call. Lengths are
//! those of the arguments; a type parameter may stand for any type whose values are handed on, or go to operators.
//!
//! ```text
//! fn step<const N: usize, S: Copy + Add<Output = S>>(f: impl Fn(S) -> S, y: S, weights: [f64; N]) -> S
//! ```

use super::Lowerer;
use super::contents::{Contents, Obstacle};
use super::generics::mentions;
use crate::bodies::{arguments_of, arguments_of_type};
use crate::walk::visit::Visit;
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::{
    FnArg, GenericArgument, GenericParam, Generics, ItemFn, PathArguments, Signature, Type,
    TypeParam, TypeParamBound, WherePredicate,
};

/// Whether a type parameter may stand for any type, and nothing is done with its values but to hand them on: the body means the same
/// wherever it stands, without the name. A trait may give all types methods, `impl<T> Size for T`, which others of that type hide where the
/// type is known: so there are none but those of lists, options and iterators, of which it is proved where they are lowered.
pub(super) fn is_arbitrary(param: &TypeParam, callee: &ItemFn) -> bool {
    let clauses = callee.sig.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let is_harmful = |predicate: &WherePredicate| match predicate {
        WherePredicate::Type(predicate) => {
            let bounded = &predicate.bounded_ty;
            let is_itself = matches!(bounded, Type::Path(path) if path.path.is_ident(&param.ident));
            arguments_of_type(bounded, &callee.sig.generics).is_none()
                && mentions(bounded.to_token_stream(), &param.ident)
                && !(is_itself && predicate.bounds.iter().all(is_harmless))
        }
        _ => false,
    };
    let mut contents = Contents::default();
    contents.visit_block(&callee.block);
    param.bounds.iter().all(is_harmless)
        && !clauses.into_iter().any(is_harmful)
        && !contents.has_methods_of_values
        && !mentions(callee.block.to_token_stream(), &param.ident)
}

/// Whether a bound of a type parameter gives its values operators at most: these are the same ones wherever the type is known.
fn is_harmless(bound: &TypeParamBound) -> bool {
    const HARMLESS: [&str; 13] = [
        "Copy",
        "Clone",
        "PartialEq",
        "PartialOrd",
        "Add",
        "Sub",
        "Mul",
        "Div",
        "Neg",
        "AddAssign",
        "SubAssign",
        "MulAssign",
        "DivAssign",
    ];
    let TypeParamBound::Trait(bound) = bound else { return false };
    bound.path.segments.last().is_some_and(|last| HARMLESS.iter().any(|name| last.ident == name))
}

/// The signature with `_` in the place of parameters that may stand for any type, and of types with a length that is not known.
pub(super) fn without_arbitrary(callee: &ItemFn) -> Signature {
    struct Erased {
        types: Vec<Ident>,
        lengths: Vec<Ident>,
    }
    impl VisitMut for Erased {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            let is_open = |len: &syn::Expr| {
                self.lengths.iter().any(|name| mentions(len.to_token_stream(), name))
            };
            let is_erased = match &*ty {
                Type::Path(path) => {
                    let mut names = self.types.iter().chain(&self.lengths);
                    names.any(|name| path.path.is_ident(name))
                }
                Type::Array(array) => is_open(&array.len),
                _ => false,
            };
            match is_erased {
                true => *ty = syn::parse_quote!(_),
                false => visit_mut::visit_type_mut(self, ty),
            }
        }
    }
    let generics = &callee.sig.generics;
    let params = generics.type_params().filter(|param| {
        let ident = &param.ident;
        let function = arguments_of_type(&syn::parse_quote!(#ident), generics);
        function.is_none() && is_arbitrary(param, callee)
    });
    let mut erased = Erased {
        types: params.map(|param| param.ident.clone()).collect(),
        lengths: generics.const_params().map(|param| param.ident.clone()).collect(),
    };
    let mut sig = callee.sig.clone();
    for input in &mut sig.inputs {
        if let FnArg::Typed(param) = input {
            erased.visit_type_mut(&mut param.ty);
        }
    }
    erased.visit_return_type_mut(&mut sig.output);
    erased.visit_generics_mut(&mut sig.generics);
    sig
}

/// How a function is called: by its name, and with generic arguments if they are stated.
#[derive(Clone, Copy)]
pub(super) struct Called<'c> {
    pub(super) name: &'c Ident,
    pub(super) stated: &'c PathArguments,
}

impl Lowerer<'_> {
    /// A function with the lengths of the arguments of a call in the place of its parameters.
    pub(super) fn with_lengths(
        &mut self,
        callee: &ItemFn,
        args: &[&syn::Expr],
        called: Called<'_>,
    ) -> Result<ItemFn, Obstacle> {
        let params = callee.sig.generics.const_params();
        let mut open: Vec<Ident> = params.map(|param| param.ident.clone()).collect();
        if open.is_empty() {
            return Ok(callee.clone());
        }
        let mut told = Told { params: &open, lengths: BTreeMap::new() };
        told.note_stated(&callee.sig.generics, called.stated);
        for (input, &arg) in callee.sig.inputs.iter().zip(args) {
            let FnArg::Typed(param) = input else { continue };
            if arguments_of(input, &callee.sig.generics).is_none()
                && let Some(known) = self.type_of_argument(arg)
            {
                told.compare(&param.ty, &known);
            }
        }
        let lengths = told.lengths;
        open.retain(|param| !lengths.contains_key(param));
        if let Some(param) =
            open.iter().find(|param| mentions(callee.block.to_token_stream(), param))
        {
            let what =
                format!("has a length `{param}` of which the macro does not see what it is here");
            let help = "state the type of the array that is passed: `let list: [f64; 3] = …`";
            return Err(Obstacle::of(called.name, &what, help));
        }
        let mut made = callee.clone();
        made.sig.generics.params = std::mem::take(&mut made.sig.generics.params)
            .into_iter()
            .filter(|param| !matches!(param, GenericParam::Const(of) if lengths.contains_key(&of.ident)))
            .collect();
        let tokens = replaced(made.to_token_stream(), &lengths);
        Ok(syn::parse2(tokens).unwrap_or(made))
    }

    fn type_of_argument(&mut self, arg: &syn::Expr) -> Option<Type> {
        let ty = self.glimpse(|this| {
            let item = this.item_of(arg);
            let ty = this.item_type(&item);
            this.types.resolve(&ty)
        });
        syn::parse_str(&ty.to_string()).ok()
    }
}

/// What the types of arguments tell of lengths.
struct Told<'p> {
    params: &'p [Ident],
    lengths: BTreeMap<Ident, TokenStream>,
}

impl Told<'_> {
    /// Notes what a call states, `step::<3, _>(…)`.
    fn note_stated(&mut self, generics: &Generics, stated: &PathArguments) {
        let PathArguments::AngleBracketed(stated) = stated else { return };
        let params = generics.params.iter().filter_map(|param| match param {
            GenericParam::Type(param) => Some(&param.ident),
            GenericParam::Const(param) => Some(&param.ident),
            GenericParam::Lifetime(_) => None,
        });
        for (param, known) in params.zip(stated.args.iter().filter(is_no_lifetime)) {
            self.note(param, known.to_token_stream());
        }
    }

    fn compare(&mut self, param: &Type, known: &Type) {
        match (param, known) {
            (Type::Reference(param), known) => self.compare(&param.elem, known),
            (Type::Paren(param), known) => self.compare(&param.elem, known),
            (Type::Array(param), Type::Array(known)) => {
                self.note(&param.len, known.len.to_token_stream());
                self.compare(&param.elem, &known.elem);
            }
            (Type::Slice(param), Type::Slice(known)) => self.compare(&param.elem, &known.elem),
            (Type::Tuple(params), Type::Tuple(known)) => {
                for (param, known) in params.elems.iter().zip(&known.elems) {
                    self.compare(param, known);
                }
            }
            (Type::Path(param), Type::Path(known)) => {
                let (Some(param), Some(known)) =
                    (param.path.segments.last(), known.path.segments.last())
                else {
                    return;
                };
                if param.ident == known.ident {
                    self.compare_arguments(&param.arguments, &known.arguments);
                }
            }
            (_, _) => {}
        }
    }

    fn compare_arguments(&mut self, params: &PathArguments, known: &PathArguments) {
        let (PathArguments::AngleBracketed(params), PathArguments::AngleBracketed(known)) =
            (params, known)
        else {
            return;
        };
        let params = params.args.iter().filter(is_no_lifetime);
        for (param, known) in params.zip(known.args.iter().filter(is_no_lifetime)) {
            self.note(param, known.to_token_stream());
            if let (GenericArgument::Type(param), GenericArgument::Type(known)) = (param, known) {
                self.compare(param, known);
            }
        }
    }

    /// Notes a length that is a literal, or the name of a constant.
    fn note(&mut self, param: &impl ToTokens, known: TokenStream) {
        let spelled = param.to_token_stream().to_string();
        let is_simple = known.clone().into_iter().count() == 1 && known.to_string() != "_";
        if let Some(param) = self.params.iter().find(|param| spelled == param.to_string())
            && is_simple
        {
            self.lengths.entry(param.clone()).or_insert(known);
        }
    }
}

fn is_no_lifetime(argument: &&GenericArgument) -> bool {
    !matches!(argument, GenericArgument::Lifetime(_))
}

/// Tokens with names of lengths replaced. A field may be called so, behind one dot.
fn replaced(tokens: TokenStream, lengths: &BTreeMap<Ident, TokenStream>) -> TokenStream {
    let mut dots = 0;
    let replaced = tokens.into_iter().flat_map(|token| {
        let is_field = dots == 1;
        let is_dot = matches!(&token, TokenTree::Punct(sign) if sign.as_char() == '.');
        dots = if is_dot { dots + 1 } else { 0 };
        match token {
            TokenTree::Ident(name) if !is_field => match lengths.get(&name) {
                Some(length) => length.clone(),
                None => TokenTree::Ident(name).into(),
            },
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replaced(group.stream(), lengths));
                inner.set_span(group.span());
                TokenTree::Group(inner).into()
            }
            token => TokenStream::from(token),
        }
    });
    replaced.collect()
}
