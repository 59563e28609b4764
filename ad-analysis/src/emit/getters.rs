//! What stands beside a getter: a method that finds where it leads to, and an index that leads there.
//!
//! ```text
//! fn row(&self, i: usize) -> &[f64] { &self.data[i * self.columns..(i + 1) * self.columns] }
//!
//! fn __at_of_row(&self, i: usize) -> At<KEY, 2, [f64]> {
//!     { let at = At::new([i * self.columns, (i + 1) * self.columns]); let _ = &self[at]; at }
//! }
//!
//! impl Index<At<KEY, 2, [f64]>> for Grid { … &self.data[at.numbers[0]..at.numbers[1]] }
//! ```
//!
//! The body runs once, where the getter is called. What it refers to is `grid[at]` then, in the value and in its bar. Beside a query
//! stands a method that tells the same.

use super::located;
use crate::derive::{field_query, number_of_field};
use crate::getters::{
    Getter, Number, Step, Unclear, Way, each_end, elements_of_vec, finder, is_number_method,
    is_number_operator, is_number_sign, leads_nowhere, passive_query, told_by,
};
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::{Expr, Generics, ImplItemFn, ReceiverKind, ReturnType, Type, TypeParamBound};

/// What stands beside a getter.
pub struct BesideGetter {
    /// A method, in an `impl` block of the type.
    pub method: TokenStream,
    /// The index.
    pub index: TokenStream,
}

/// What a getter leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Destination {
    /// A part of its receiver, as which the bar has one.
    Part,
    /// What belongs to fields that are marked `#[passive]`.
    Passive,
}

/// What stands beside a getter of a type, unless it returns a reference that is held and has to lead to a part.
pub fn beside_getter(
    getter: Getter,
    leads_to: Destination,
    (generics, owner): (&Generics, &Type),
    facade: Option<&TokenStream>,
) -> Result<BesideGetter, Unclear> {
    let facade = facade.map_or_else(|| quote!(::backsweep), ToTokens::to_token_stream);
    let mut getter = match leads_to {
        Destination::Part => getter.of_parts()?,
        Destination::Passive => getter,
    };
    name_lifetime_of_dyn(&mut getter.found, generics);
    let emitter = Emitter { getter: &getter, leads_to, rt: quote!(#facade::__private) };
    let (method, query) = (emitter.method(), emitter.query());
    let index = emitter.index(generics, owner);
    Ok(BesideGetter { method: quote!(#method #query), index })
}

/// What stands beside a query or a maker, in an `impl` block of the type: the same, of which is proved that nothing but numbers are computed with.
pub fn beside_query(query: &ImplItemFn, facade: Option<&TokenStream>) -> TokenStream {
    let facade = facade.map_or_else(|| quote!(::backsweep), ToTokens::to_token_stream);
    let mut function = query.clone();
    function.sig.ident = told_by(&function.sig.ident);
    function.attrs.clear();
    Proved { rt: &quote!(#facade::__private) }.visit_block_mut(&mut function.block);
    beside(located(function.to_token_stream()))
}

fn beside(function: TokenStream) -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[inline]
        #[track_caller]
        #[allow(missing_docs, clippy::all, clippy::pedantic)]
        #function
    }
}

/// What is behind a `dyn` lives as long as what the type borrows, unless the getter says how long.
fn name_lifetime_of_dyn(found: &mut Type, generics: &Generics) {
    let Type::TraitObject(object) = found else { return };
    let is_lifetime = |bound: &TypeParamBound| matches!(bound, TypeParamBound::Lifetime(_));
    if let Some(param) = generics.lifetimes().next()
        && !object.bounds.iter().any(is_lifetime)
    {
        object.bounds.push(TypeParamBound::Lifetime(param.lifetime.clone()));
    }
}

struct Emitter<'g> {
    getter: &'g Getter,
    leads_to: Destination,
    rt: TokenStream,
}

impl Emitter<'_> {
    /// The type of the place.
    fn at(&self) -> TokenStream {
        let name = self.getter.function.sig.ident.to_string();
        let key = Literal::u128_unsuffixed(number_of_field(&name));
        let numbers = Literal::usize_unsuffixed(self.getter.numbers());
        let (rt, found) = (&self.rt, &self.getter.found);
        quote!(#rt::At<#key, #numbers, #found>)
    }

    /// The getter with the numbers in the places of what it refers to.
    fn method(&self) -> TokenStream {
        let mut function = self.getter.function.clone();
        let at = self.at();
        function.sig.ident = finder(&function.sig.ident, self.getter.is_repeatable);
        let result = match self.getter.is_optional {
            true => quote!(::core::option::Option<#at>),
            false => at,
        };
        function.sig.output =
            ReturnType::Type(Default::default(), Box::new(Type::Verbatim(result)));
        if let Some(syn::FnArg::Receiver(receiver)) = function.sig.inputs.first_mut()
            && let ReceiverKind::Reference(_, _, mutability) = &mut receiver.kind
        {
            *mutability = None;
        }
        function.attrs.clear();
        let mut ways = self.getter.ways.iter().enumerate();
        each_end(&mut function.block, &mut |end| {
            if !leads_nowhere(end)
                && let Some((position, way)) = ways.next()
            {
                *end = self.found(position, way, end.span());
            }
        });
        if self.getter.is_repeatable {
            Proved { rt: &self.rt }.visit_block_mut(&mut function.block);
        }
        beside(located(function.to_token_stream()))
    }

    /// The place, by its numbers. What is out of bounds panics here.
    fn found(&self, position: usize, way: &Way, span: Span) -> Expr {
        let (rt, numbers) = (&self.rt, &way.numbers);
        let choice = self.getter.has_choice().then(|| Literal::usize_unsuffixed(position));
        let choice = choice.into_iter();
        let numbers = numbers.iter().map(|number| match number {
            Number::Given(number) => {
                let (span, mut number) = (number.span(), number.clone());
                if self.getter.is_repeatable {
                    Proved { rt }.visit_expr_mut(&mut number);
                }
                quote_spanned!(span=> #rt::number_of_place(#number))
            }
            Number::First => quote!(0),
            // Where there is none, the place is not found.
            Number::Last(list) => quote!(#list.len().wrapping_sub(1)),
        });
        let given = choice.map(ToTokens::into_token_stream).chain(numbers);
        let proofs = self.proofs(way);
        let found = match self.getter.is_optional {
            true => quote!(::core::option::Option::Some(at)),
            false => quote!(at),
        };
        let found = match self.is_there(way) {
            None => quote!({ let _ = &self[at]; #found }),
            Some(test) => quote!(if #test { #found } else { ::core::option::Option::None }),
        };
        let found = quote_spanned!(span=> {
            let at = #rt::At::new(#rt::numbers_of_place([#(#given),*]));
            #proofs
            #found
        });
        Expr::Verbatim(found)
    }

    /// What tells callers that there is no derivative where the getter leads to, as a type tells of its fields.
    fn query(&self) -> Option<TokenStream> {
        let (rt, vis) = (&self.rt, &self.getter.function.vis);
        let name = self.getter.function.sig.ident.to_string();
        let query = format_ident!("{}", passive_query(&name));
        (self.leads_to == Destination::Passive).then(|| {
            located(quote! {
                #[doc(hidden)]
                #[inline]
                #[allow(missing_docs, clippy::all, clippy::pedantic)]
                #vis fn #query(&self) -> #rt::PassiveField {
                    #rt::PassiveField
                }
            })
        })
    }

    /// Proves that the way is what callers take it for.
    fn proofs(&self, way: &Way) -> TokenStream {
        match self.leads_to {
            Destination::Part => self.proofs_of_part(way),
            Destination::Passive => self.proofs_of_passive(way),
        }
    }

    /// Proves that the way begins with a field that is marked `#[passive]`.
    fn proofs_of_passive(&self, way: &Way) -> TokenStream {
        let rt = &self.rt;
        let fields = way.field().into_iter().map(|member| {
            let query = format_ident!("{}", field_query(&member.to_token_stream().to_string()));
            quote!(#rt::passive_field((*self).#query());)
        });
        quote!(if false { #(#fields)* })
    }

    /// Proves that the way leads to the same place of the bar: by fields that have bars and are fields of the values themselves, by lists and boxes
    /// of the standard library, and by no `Deref` of the user's, which may depend on what it is called on.
    fn proofs_of_part(&self, way: &Way) -> TokenStream {
        let (rt, first) = (&self.rt, usize::from(self.getter.has_choice()));
        let (mut proofs, mut queries) = (TokenStream::new(), BTreeSet::new());
        for (position, step) in way.steps.iter().enumerate() {
            let owner = match position {
                0 => quote!((*self)),
                _ => place(&way.steps[..position], first),
            };
            match step {
                Step::Field(member) => {
                    let name = member.to_token_stream().to_string();
                    let query = format_ident!("{}", field_query(&name));
                    let field = Literal::u128_unsuffixed(number_of_field(&name));
                    proofs.extend(quote! {
                        #rt::leads_to_bar((#owner).#query());
                        #rt::direct_field((&&&&&Owner::<_, #field>(&#owner)).way());
                    });
                    queries.insert(query);
                }
                Step::Element | Step::Range { .. } => proofs.extend(quote!(#rt::list(&#owner);)),
                Step::Dereferenced => proofs.extend(quote!(#rt::boxed(&#owner);)),
            }
        }
        let (end, found) = (place(&way.steps, first), &self.getter.found);
        let queries = queries.into_iter();
        quote! {
            if false {
                #[allow(unused_imports)]
                use #rt::direct::*;
                trait __Fields {
                    #(fn #queries(&self) -> #rt::ActiveField { #rt::ActiveField })*
                }
                impl<__T: ?::core::marker::Sized> __Fields for __T {}
                #proofs
                #rt::leads_to::<#found, _>(&#end);
            }
        }
    }

    /// Whether there is such a place, if there need not be one.
    fn is_there(&self, way: &Way) -> Option<TokenStream> {
        if !way.may_be_absent {
            return None;
        }
        let first = usize::from(self.getter.has_choice());
        let (_, before) = way.steps.split_last()?;
        let list = place(before, first);
        let last = Literal::usize_unsuffixed(first + way.numbers.len() - 1);
        Some(quote!(at.numbers[#last] < #list.len()))
    }

    /// What leads to the place.
    fn index(&self, generics: &Generics, owner: &Type) -> TokenStream {
        let (params, _, bounds) = generics.split_for_impl();
        let (at, found) = (self.at(), &self.getter.found);
        let shared = self.ways(&quote!(&));
        let of_bar = (self.leads_to == Destination::Part).then(|| {
            let exclusive = self.ways(&quote!(&mut));
            quote! {
                #[allow(non_local_definitions)]
                impl #params ::core::ops::IndexMut<#at> for #owner #bounds {
                    #[inline(always)]
                    #[track_caller]
                    fn index_mut(&mut self, at: #at) -> &mut Self::Output {
                        #exclusive
                    }
                }
            }
        });
        let indices = quote! {
            #[allow(non_local_definitions)]
            impl #params ::core::ops::Index<#at> for #owner #bounds {
                type Output = #found;
                #[inline(always)]
                #[track_caller]
                fn index(&self, at: #at) -> &Self::Output {
                    #shared
                }
            }
            #of_bar
        };
        located(indices)
    }

    fn ways(&self, reference: &TokenStream) -> TokenStream {
        let ways = &self.getter.ways;
        if let [way] = ways.as_slice() {
            let place = place(&way.steps, 0);
            let unused = way.numbers.is_empty().then(|| quote!(let _ = at;));
            return quote!(#unused #reference #place);
        }
        let arms = ways.iter().enumerate().map(|(position, way)| {
            let (position, place) = (Literal::usize_unsuffixed(position), place(&way.steps, 1));
            quote!(#position => #reference #place,)
        });
        quote! {
            match at.numbers[0] {
                #(#arms)*
                _ => ::core::unreachable!("a place is found by a way that there is"),
            }
        }
    }
}

/// The place that a way leads to, by numbers of which the first is at a position.
fn place(steps: &[Step], first: usize) -> TokenStream {
    let mut numbers = (first..).map(|position| {
        let position = Literal::usize_unsuffixed(position);
        quote!(at.numbers[#position])
    });
    let mut number = || numbers.next();
    steps.iter().fold(quote!(self), |place, step| match step {
        Step::Field(member) => quote!(#place.#member),
        Step::Dereferenced => quote!((*#place)),
        Step::Element => {
            let number = number();
            quote!(#place[#number])
        }
        Step::Range { has_start, has_end, is_closed } => {
            let start = has_start.then(&mut number).flatten();
            let end = has_end.then(&mut number).flatten();
            match is_closed {
                true => quote!(#place[#start..=#end]),
                false => quote!(#place[#start..#end]),
            }
        }
    })
}

/// Proves of a getter that may run again that its operands are numbers, where they stand, and that what it indexes are lists.
struct Proved<'r> {
    rt: &'r TokenStream,
}

impl VisitMut for Proved<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let rt = self.rt;
        match expr {
            Expr::Binary(binary) if is_number_operator(&binary.op) => {
                for operand in [&mut binary.left, &mut binary.right] {
                    if !matches!(**operand, Expr::Lit(_)) {
                        let (span, code) = (operand.span(), operand.to_token_stream());
                        let proved = quote_spanned!(span=> #rt::number_in_getter(#code));
                        **operand = Expr::Verbatim(proved);
                    }
                }
            }
            Expr::Unary(unary)
                if is_number_sign(&unary.op) && !matches!(*unary.expr, Expr::Lit(_)) =>
            {
                let (span, code) = (unary.expr.span(), unary.expr.to_token_stream());
                let proved = quote_spanned!(span=> #rt::number_in_getter(#code));
                *unary.expr = Expr::Verbatim(proved);
            }
            Expr::MethodCall(call) if is_number_method(call) => {
                let (span, code) = (call.receiver.span(), call.receiver.to_token_stream());
                let proved = quote_spanned!(span=> #rt::number_in_getter(#code));
                *call.receiver = Expr::Verbatim(proved);
            }
            Expr::Macro(mac) => {
                if let Some(mut elements) = elements_of_vec(&mac.mac) {
                    self.visit_expr_mut(&mut elements);
                    if let Some(TokenTree::Group(list)) =
                        elements.to_token_stream().into_iter().next()
                    {
                        mac.mac.tokens = list.stream();
                    }
                }
            }
            Expr::Index(index) => {
                let (span, code) = (index.expr.span(), index.expr.to_token_stream());
                *index.expr = Expr::Verbatim(quote_spanned!(span=> (*#rt::list_in_getter(&#code))));
            }
            _ => {}
        }
    }
}
