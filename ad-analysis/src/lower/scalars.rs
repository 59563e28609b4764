//! Which type parameters stand for floats: those that their bounds call numbers, and those of which nothing is said but that they are
//! data, where numbers stand.
//!
//! Nothing rests on the choice: derivatives of a function exist for instances with floats only, which its entries ask of rustc by a bound.
//! There the operators are those of floats. What is called numbers too narrowly has an error in its entries, in the words of that bound.

use super::annotated::{Annotated, Standing};
use super::generics::mentions;
use crate::options::{Held, OfStruct, Options, key_of};
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::borrow::Cow;
use syn::{
    FnArg, GenericArgument, GenericParam, Generics, PathArguments, ReturnType, Signature, Type,
    TypeParamBound, TypePath, WherePredicate,
};

/// Traits that only numbers with a decimal point have, of `num-traits` and others.
const FLOAT_TRAITS: [&str; 7] =
    ["Float", "FloatCore", "Real", "RealField", "FloatConst", "FloatNumber", "RealNumber"];

/// Traits of arithmetic whose results are of the type itself for numbers.
pub(super) const ARITHMETIC: [&str; 11] = [
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "Neg",
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
    "RemAssign",
];

/// Those of them that say what an operator yields.
const YIELDING: [&str; 6] = ["Add", "Sub", "Mul", "Div", "Rem", "Neg"];

/// Traits of `num-traits` that floats have as integers have them.
const NUMBERS: [&str; 11] = [
    "Num",
    "NumOps",
    "NumRef",
    "NumAssign",
    "NumAssignOps",
    "NumAssignRef",
    "RefNum",
    "Signed",
    "Zero",
    "One",
    "Inv",
];

/// Traits that say no more than that a value is data, and that floats have.
const OF_DATA: [&str; 11] = [
    "Copy",
    "Clone",
    "Debug",
    "Display",
    "LowerExp",
    "Default",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Sync",
    "Unpin",
];

/// Traits beside those of arithmetic by which a type is none of floats: they have none of these.
const OF_INTEGERS: [&str; 12] = [
    "Eq", "Ord", "Hash", "Integer", "PrimInt", "Unsigned", "Not", "BitAnd", "BitOr", "BitXor",
    "Shl", "Shr",
];

/// The generic parameters of a function and of the `impl` block around it.
pub(super) struct Generic<'g> {
    generics: Vec<&'g Generics>,
    /// Traits of the crate that only floats have.
    float_traits: &'g [Ident],
    /// Whether the signature has floats in it that are no type parameters: arithmetic of the parameters may be another then, that of
    /// indices for instance.
    names_floats: bool,
}

impl<'g> Generic<'g> {
    pub(super) fn of(
        sig: &'g Signature,
        around: Option<&'g Generics>,
        options: &'g Options,
    ) -> Self {
        let generics: Vec<&Generics> = [&sig.generics].into_iter().chain(around).collect();
        let names = |float: &str| {
            let float = Ident::new(float, Span::call_site());
            mentions(quote!(#sig #around), &float)
        };
        let names_floats = names("f64") || names("f32");
        let mut found = Self { generics, float_traits: &options.float_traits, names_floats };
        found.names_floats |= found.names().any(|name| found.is_float(name));
        found
    }

    fn names(&self) -> impl Iterator<Item = &'g Ident> + use<'g> {
        let all = self.generics.clone().into_iter().flat_map(|generics| &generics.params);
        all.filter_map(|param| match param {
            GenericParam::Type(param) => Some(&param.ident),
            GenericParam::Lifetime(_) | GenericParam::Const(_) => None,
        })
    }

    fn is_bounded_by(&self, name: &Ident, is_meant: impl Fn(&TypeParamBound) -> bool) -> bool {
        self.generics.iter().any(|generics| bounds_of(name, generics).any(&is_meant))
    }

    /// Whether a bound of a parameter says that it is a float: derivatives ask that it is one.
    fn is_float(&self, name: &Ident) -> bool {
        self.is_bounded_by(name, |bound| {
            path_of_bound(bound).is_some_and(|path| {
                path.last().is_some_and(|name| is_float_trait(name))
                    || self.float_traits.iter().any(|known| *known == key_of(&path))
            })
        })
    }

    /// Those that their bounds call numbers.
    pub(super) fn numbers(&self) -> Vec<Ident> {
        let is_number = |name: &&Ident| {
            let has = |traits| self.is_bounded_by(name, |bound| is_bound_by(bound, traits));
            // A type that is said to have a derivative is a float only if operators on it say so.
            let is_known = has(&["Differentiable"]);
            let by_arithmetic = |bound: &TypeParamBound| {
                is_arithmetic_bound(name, bound) && (!is_known || has_arguments(bound))
            };
            let may_be_float = !self.names_floats && !has(&OF_INTEGERS);
            self.is_float(name) || may_be_float && self.is_bounded_by(name, by_arithmetic)
        };
        self.names().filter(is_number).cloned().collect()
    }

    /// Proves that bounds which do not say what an operator yields are those of the standard library: what that is follows from there then.
    pub(super) fn proofs(&self) -> Vec<TokenStream> {
        let mut numbers = self.numbers();
        numbers.retain(|name| !self.is_float(name));
        let bounds = numbers.iter().flat_map(|name| {
            let bounds = self.generics.iter().flat_map(move |generics| bounds_of(name, generics));
            bounds.filter(|bound| is_arithmetic_bound(name, bound)).map(move |bound| (name, bound))
        });
        let proofs = bounds.filter_map(|(name, bound)| {
            let TypeParamBound::Trait(of) = bound else { return None };
            let last = of.path.segments.last()?;
            let yields = YIELDING.iter().any(|operator| last.ident == operator);
            let is_told = last
                .arguments
                .to_token_stream()
                .into_iter()
                .any(|token| matches!(&token, TokenTree::Ident(name) if name == "Output"));
            let (path, arguments) = (&of.path, &last.arguments);
            let span = Span::call_site().located_at(last.ident.span());
            let kind = Ident::new(&last.ident.to_string(), span);
            let yielding = quote_spanned!(span=> impl ::core::ops::#kind #arguments);
            (yields && !is_told).then(|| {
                quote! {
                    const _: () = {
                        fn _is_operator<#name, __Of: #path>(value: __Of) -> #yielding {
                            value
                        }
                    };
                }
            })
        });
        proofs.collect()
    }

    /// Proves that `x.clone()` of a parameter that stands for a float is that of the standard library, and not of one of its bounds.
    pub(super) fn proof_of_copy(
        &self,
        name: &Ident,
        method: &Ident,
        facade: TokenStream,
    ) -> TokenStream {
        let is_lifetime = |param: &&GenericParam| matches!(param, GenericParam::Lifetime(_));
        let params = self.generics.iter().flat_map(|generics| &generics.params);
        let (lifetimes, others): (Vec<_>, Vec<_>) = params.partition(is_lifetime);
        let clauses = self.generics.iter().flat_map(|generics| &generics.where_clause);
        let own = Ident::new("Self", Span::call_site());
        let predicates = clauses.flat_map(|clause| &clause.predicates);
        let predicates = predicates.filter(|predicate| !mentions(quote!(#predicate), &own));
        let of_library = match method == "clone" {
            true => quote!(::core::clone::Clone),
            false => quote!(::std::borrow::ToOwned),
        };
        let span = Span::call_site().located_at(method.span());
        let (method, name) =
            (Ident::new(&method.to_string(), span), Ident::new(&name.to_string(), span));
        quote_spanned! {span=>
            const _: () = {
                fn _copies<#(#lifetimes,)* #(#others),*>()
                where
                    #(#predicates,)*
                    #name: #facade::__private::Scalar,
                {
                    #facade::__private::method::same(
                        #name::#method,
                        <#name as #of_library>::#method,
                    );
                }
            };
        }
    }

    /// Those of which nothing is said but that they are data, if the signature has no floats.
    fn data(&self) -> Vec<Ident> {
        let is_data = |bound: &TypeParamBound| match bound {
            TypeParamBound::Trait(of) => of.maybe.is_none() && is_bound_by(bound, &OF_DATA),
            TypeParamBound::Lifetime(_) => true,
            _ => false,
        };
        let names = self.names().filter(|name| {
            !self.names_floats && !self.is_bounded_by(name, |bound| !is_data(bound))
        });
        names.cloned().collect()
    }
}

/// What the parameters of a function that have derivatives, and its result, are made of.
#[derive(Default)]
pub(super) struct Made {
    /// Type parameters that stand where numbers do.
    pub(super) numbers: Vec<Ident>,
    /// What was taken from declarations.
    pub(super) proofs: Vec<TokenStream>,
}

impl Made {
    /// Of a signature whose receiver has become a parameter.
    pub(super) fn of(
        generic: &Generic<'_>,
        sig: &Signature,
        receiver: Option<&Ident>,
        own: Option<&Type>,
        options: &Options,
    ) -> Self {
        let mut search = Search { held: &options.held, own, made: Self::default() };
        for (position, input) in sig.inputs.iter().enumerate() {
            let FnArg::Typed(input) = input else { continue };
            let name = match (&*input.pat, receiver) {
                (_, Some(receiver)) if position == 0 => Some(receiver),
                (syn::Pat::Ident(pat), _) => Some(&pat.ident),
                _ => None,
            };
            if may_have_derivative(name, options) {
                search.visit(&input.ty);
            }
        }
        let returns = |names: &Vec<Ident>| names.iter().any(|name| name == "return");
        if let ReturnType::Type(_, ty) = &sig.output
            && options.dependents.as_ref().is_none_or(returns)
        {
            search.visit(ty);
        }
        let (mut made, mut data) = (search.made, generic.data());
        data.retain(|name| made.numbers.contains(name));
        made.numbers = data;
        made
    }
}

/// Whether a parameter may have a derivative, as far as the options tell.
fn may_have_derivative(name: Option<&Ident>, options: &Options) -> bool {
    let Some(name) = name else { return options.independents.is_none() };
    let is_listed = |list: &Option<Vec<Ident>>| list.as_ref().is_some_and(|all| all.contains(name));
    let is_left_out = options.independents.is_some()
        && !is_listed(&options.independents)
        && !is_listed(&options.dependents);
    !options.passive.contains(name) && !is_left_out
}

/// Looks for type parameters in types.
struct Search<'s> {
    held: &'s Held,
    /// What `Self` is.
    own: Option<&'s Type>,
    made: Made,
}

impl Search<'_> {
    fn visit(&mut self, ty: &Type) {
        match ty {
            Type::Reference(reference) => self.visit(&reference.elem),
            Type::Paren(inner) => self.visit(&inner.elem),
            Type::Group(inner) => self.visit(&inner.elem),
            Type::Array(array) => self.visit(&array.elem),
            Type::Slice(slice) => self.visit(&slice.elem),
            Type::Tuple(tuple) => tuple.elems.iter().for_each(|part| self.visit(part)),
            Type::Path(path) if path.qself.is_none() => self.visit_path(&path.path),
            _ => {}
        }
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let [segment] = path.segments.iter().collect::<Vec<_>>()[..] else { return };
        match &segment.arguments {
            PathArguments::None if segment.ident == "Self" => {
                if let Some(own) = self.own.take() {
                    self.visit(own);
                    self.own = Some(own);
                }
            }
            PathArguments::None => self.made.numbers.push(segment.ident.clone()),
            PathArguments::AngleBracketed(arguments) => {
                let arguments = arguments.args.iter().filter_map(|argument| match argument {
                    GenericArgument::Type(ty) => Some(ty),
                    _ => None,
                });
                self.visit_arguments(&segment.ident, &arguments.collect::<Vec<_>>());
            }
            PathArguments::Parenthesized(_) => {}
        }
    }

    fn visit_arguments(&mut self, of: &Ident, arguments: &[&Type]) {
        if ["Vec", "Option", "Box", "Result"].iter().any(|list| of == list) {
            arguments.iter().take(1).for_each(|ty| self.visit(ty));
        }
        let Some(held) = self.held.of(of).filter(|held| held.params == arguments.len()) else {
            return;
        };
        for part in &held.parts {
            self.visit(arguments[part.1]);
            self.made.proofs.push(proof_of_part(held, of, part));
        }
    }
}

/// Proves that what is at a place of a struct has a parameter for its type.
pub(super) fn proof_of_part(
    held: &OfStruct,
    of: &Ident,
    (place, param): &(TokenStream, usize),
) -> TokenStream {
    let ty = format_ident!("A{param}");
    proof_of_place(held, of, place, &ty.into_token_stream())
}

/// Proves that what is at a place of a struct or in a variant is of a type: in an `Option` no reference becomes another one.
pub(super) fn proof_of_place(
    held: &OfStruct,
    of: &Ident,
    place: &TokenStream,
    ty: &TokenStream,
) -> TokenStream {
    let generics: Generics = syn::parse2(held.generics.clone()).expect("parameters");
    let is_lifetime = |param: &&GenericParam| matches!(param, GenericParam::Lifetime(_));
    let (lifetimes, params): (Vec<_>, Vec<_>) = generics.params.iter().partition(is_lifetime);
    let (_, arguments, _) = generics.split_for_impl();
    let of = Ident::new(&of.to_string(), Span::call_site());
    let tokens: Vec<TokenTree> = place.clone().into_iter().collect();
    let part = match &tokens[..] {
        [variant, TokenTree::Punct(colon), _, member] if colon.as_char() == ':' => quote! {
            match value {
                #of::#variant { #member: part, .. } => ::core::option::Option::Some(part),
                _ => ::core::option::Option::None,
            }
        },
        _ => quote!(::core::option::Option::Some(&value.#place)),
    };
    quote! {
        #[allow(unreachable_patterns)]
        const _: () = {
            fn _holds<'of_value, #(#lifetimes,)* #(#params),*>(
                value: &'of_value #of #arguments,
            ) -> ::core::option::Option<&'of_value #ty> {
                let part = #part;
                part
            }
        };
    }
}

/// The function with `T` in place of `T::Output` of type parameters that stand for floats. With the bounds of the entries besides, `T` has
/// several of that name.
pub(super) fn without_outputs<'a>(
    annotated: &'a Annotated,
    options: &Options,
) -> Cow<'a, Annotated> {
    let around = annotated.generics_around();
    let floats = Generic::of(&annotated.function.sig, around, options).numbers();
    if floats.is_empty() {
        return Cow::Borrowed(annotated);
    }
    let mut annotated = annotated.clone();
    let mut rewriting = WithoutOutputs(&floats);
    rewriting.visit_item_fn_mut(&mut annotated.function);
    match &mut annotated.place {
        Standing::Impl(around) => rewriting.visit_generics_mut(&mut around.generics),
        Standing::Trait(generics) => rewriting.visit_generics_mut(generics),
        Standing::Free | Standing::SomeImpl => {}
    }
    Cow::Owned(annotated)
}

struct WithoutOutputs<'n>(&'n [Ident]);

impl VisitMut for WithoutOutputs<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = ty
            && let Some(of) = self.output_of(path)
        {
            *ty = syn::parse_quote_spanned!(of.span()=> #of);
        }
        visit_mut::visit_type_mut(self, ty);
    }
}

impl WithoutOutputs<'_> {
    fn output_of(&self, path: &TypePath) -> Option<Ident> {
        let segments: Vec<&syn::PathSegment> = path.path.segments.iter().collect();
        let of = match (&path.qself, segments.as_slice()) {
            (None, [of, output]) if output.ident == "Output" => of.ident.clone(),
            (Some(of), [.., operator, output]) if output.ident == "Output" => {
                let is_operator = ARITHMETIC.iter().any(|name| operator.ident == name);
                let Type::Path(of) = &*of.ty else { return None };
                of.path.get_ident().filter(|_| is_operator)?.clone()
            }
            _ => return None,
        };
        self.0.contains(&of).then_some(of)
    }
}

/// Whether traits of that name are those of floats.
pub fn is_float_trait(name: &str) -> bool {
    FLOAT_TRAITS.contains(&name)
}

/// The path of the trait of a bound.
pub fn path_of_bound(bound: &TypeParamBound) -> Option<Vec<String>> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    Some(bound.path.segments.iter().map(|segment| segment.ident.to_string()).collect())
}

pub(super) fn is_bound_by(bound: &TypeParamBound, traits: &[&str]) -> bool {
    let TypeParamBound::Trait(bound) = bound else { return false };
    let last = bound.path.segments.last().map(|segment| segment.ident.to_string());
    last.is_some_and(|name| traits.contains(&name.as_str()))
}

/// `Mul`, `Mul<Output = T>`, `Mul<T, Output = T>` of a parameter `T`, and traits of numbers.
fn is_arithmetic_bound(name: &Ident, bound: &TypeParamBound) -> bool {
    if is_bound_by(bound, &NUMBERS) {
        return true;
    }
    let TypeParamBound::Trait(of) = bound else { return false };
    let Some(last) = of.path.segments.last() else { return false };
    let is_own = |ty: &Type| matches!(ty, Type::Path(path) if path.path.is_ident(name));
    let are_own = match &last.arguments {
        PathArguments::None => true,
        PathArguments::AngleBracketed(arguments) => {
            arguments.args.iter().all(|argument| match argument {
                GenericArgument::Type(ty) => is_own(ty),
                GenericArgument::AssocType(output) => {
                    output.ident == "Output" && is_own(&output.ty)
                }
                _ => false,
            })
        }
        PathArguments::Parenthesized(_) => false,
    };
    are_own && is_bound_by(bound, &ARITHMETIC)
}

fn has_arguments(bound: &TypeParamBound) -> bool {
    let TypeParamBound::Trait(of) = bound else { return false };
    of.path.segments.last().is_some_and(|last| !last.arguments.is_empty())
}

/// The bounds of a type parameter.
pub(super) fn bounds_of<'g>(
    name: &'g Ident,
    generics: &'g Generics,
) -> impl Iterator<Item = &'g TypeParamBound> {
    let own = generics.type_params().filter(move |param| param.ident == *name);
    let clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let of_clauses = clauses.filter_map(move |predicate| match predicate {
        WherePredicate::Type(predicate) => match &predicate.bounded_ty {
            Type::Path(path) if path.path.is_ident(name) => Some(&predicate.bounds),
            _ => None,
        },
        _ => None,
    });
    let all = own.map(|param| &param.bounds).chain(of_clauses);
    all.flat_map(|bounds| bounds.iter())
}

/// The type parameters that have such a bound.
pub(super) fn parameters_bounded_by(generics: &Generics, traits: &[&str]) -> Vec<Ident> {
    let names = generics.type_params().map(|param| &param.ident);
    let is_meant =
        |name: &&Ident| bounds_of(name, generics).any(|bound| is_bound_by(bound, traits));
    names.filter(is_meant).cloned().collect()
}
