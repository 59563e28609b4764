//! The functions that a checkpointed block or loop becomes.

use super::captures::{Capture, Captures};
use super::convergence::FixedPoint;
use super::entries::Entries;
use super::marks::{Repetition, Reversal, Shape};
use super::{Known, Mark};
use crate::emit::located;
use crate::interface::Passing;
use crate::walk::visit_mut::VisitMut;
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::collections::BTreeSet;
use syn::{Expr, ItemFn, Stmt};

pub(super) struct Parts<'a> {
    pub(super) mark: &'a Mark,
    /// Which of the marks it is.
    pub(super) position: usize,
    pub(super) found: &'a Captures,
    /// The name of the step.
    pub(super) step: Ident,
    /// The name of the loop.
    pub(super) steps: Ident,
    pub(super) known: &'a Known<'a>,
}

/// A parameter of a loop before those that are captured.
pub(super) struct Lead<'a> {
    pub(super) name: Ident,
    pub(super) ty: TokenStream,
    /// What the caller passes.
    value: &'a Expr,
}

impl Parts<'_> {
    pub(super) fn captures(&self) -> &[Capture] {
        &self.found.captures
    }

    /// The captures that are the state, and their places in it.
    pub(super) fn state(&self) -> impl Iterator<Item = (syn::Index, usize, &Capture)> {
        let captures = self.captures().iter().enumerate();
        let state = captures.filter(|(_, capture)| capture.is_state()).enumerate();
        state.map(|(place, (position, capture))| (syn::Index::from(place), position, capture))
    }

    /// The parameters of a loop before those that are captured: the numbers in its attribute, and its bounds.
    pub(super) fn leads<'r>(&self, repetition: &'r Repetition) -> Vec<Lead<'r>> {
        let numbers = match &repetition.reversal {
            Reversal::Schedule(plan) => plan.numbers(),
            Reversal::Independent => Vec::new(),
            Reversal::FixedPoint(found) => {
                let FixedPoint { tolerance, passes, completes: _ } = &**found;
                vec![("tolerance", quote!(f64), tolerance), ("passes", quote!(usize), passes)]
            }
        };
        let numbers = numbers.into_iter().map(|(name, ty, value)| Lead {
            name: format_ident!("{name}"),
            ty,
            value,
        });
        let bounds = repetition.range.iter().zip(&self.found.index).flat_map(|(range, index)| {
            [("start", &range.start), ("end", &range.end)].map(|(name, value)| Lead {
                name: format_ident!("{name}"),
                ty: index.clone(),
                value,
            })
        });
        numbers.chain(bounds).collect()
    }

    /// The call that takes the place of the block or the loop.
    pub(super) fn call(&self) -> TokenStream {
        let Self { step, steps, mark, .. } = self;
        let args = self.captures().iter().map(|capture| {
            let name = &capture.name;
            match (capture.passing, capture.is_reference) {
                (Passing::Value, _) => quote!(#name),
                (Passing::Shared, true) => quote!(&*#name),
                (Passing::Shared, false) => quote!(&#name),
                (Passing::Exclusive, true) => quote!(&mut *#name),
                (Passing::Exclusive, false) => quote!(&mut #name),
            }
        });
        match &mark.shape {
            Shape::Block => quote_spanned!(mark.span=> #[checkpoint] #step(#(#args),*);),
            Shape::Loop(repetition) => {
                let leads = self.leads(repetition).into_iter().map(|lead| lead.value);
                quote_spanned!(mark.span=> #[split] #steps(#(#leads,)* #(#args),*);)
            }
        }
    }

    /// The block, or the body of the loop, as a function.
    pub(super) fn step(&self) -> ItemFn {
        let (step, mark) = (&self.step, self.mark);
        let mut block = mark.body.clone();
        let behind = self.captures().iter().filter(|capture| capture.is_behind());
        let names = behind.map(|capture| capture.name.to_string()).collect();
        Dereference { names }.visit_block_mut(&mut block);
        let params = self.params(|_, capture| capture.name.clone());
        let repetition = mark.repetition();
        let range = repetition.and_then(|repetition| repetition.range.as_ref());
        let index = range.zip(self.found.index.as_ref()).map(|(range, index)| {
            let pat = &range.pat;
            quote!(#pat: #index,)
        });
        let goes_on = repetition.and_then(|repetition| repetition.goes_on.as_ref());
        let goes_on = goes_on.map(|name| quote!(#name: &mut bool,));
        let completes = repetition.and_then(Repetition::completes);
        let completes = completes.map(|name| quote!(#name: bool));
        let items = top_items(self.known);
        block.stmts.splice(0..0, items);
        let found = &self.found.generics;
        let (lifetimes, generics, bounds) = (found.lifetimes(), found.params(), found.bounds());
        let step: ItemFn = syn::parse_quote! {
            #[doc(hidden)]
            #[allow(unused, non_snake_case, clippy::all)]
            fn #step<#lifetimes #generics>(#index #(#params,)* #goes_on #completes) #bounds #block
        };
        with_self_type(step, self.known)
    }

    /// The arguments of `#[adjoint]` for the step.
    pub(super) fn step_arguments(&self, inherited: TokenStream) -> TokenStream {
        let active = self.active(|_, capture| capture.name.clone());
        quote!(#active #inherited)
    }

    /// The same for the loop.
    pub(super) fn loop_arguments(&self) -> TokenStream {
        self.active(|position, _| argument(position))
    }

    /// What is active of the parameters that are captured, by one name or another.
    fn active(&self, name: impl Fn(usize, &Capture) -> Ident) -> TokenStream {
        let captures = self.captures().iter().enumerate();
        let active = captures.filter(|(_, capture)| capture.is_active);
        let independents = active.clone().map(|(position, capture)| name(position, capture));
        let dependents = active.filter(|(_, capture)| capture.is_state());
        let dependents = dependents.map(|(position, capture)| name(position, capture));
        quote!(independents(#(#independents),*), dependents(#(#dependents),*),)
    }

    /// The parameters that are captured, by names of the user's or by others.
    pub(super) fn params(&self, name: impl Fn(usize, &Capture) -> Ident) -> Vec<TokenStream> {
        let params = self.captures().iter().enumerate().map(|(position, capture)| {
            let (name, spelled) = (name(position, capture), &capture.spelled);
            match capture.passing {
                Passing::Value => quote!(#name: #spelled),
                Passing::Shared => quote!(#name: &#spelled),
                Passing::Exclusive => quote!(#name: &mut #spelled),
            }
        });
        params.collect()
    }

    /// The sweeps of a loop. A block needs no more than the step.
    pub(super) fn entries(&self, repetition: &Repetition) -> TokenStream {
        located(Entries { parts: self, repetition }.items())
    }

    /// The loop as a function.
    pub(super) fn loop_function(&self, repetition: &Repetition) -> ItemFn {
        let Self { step, steps, .. } = self;
        let generics = &self.found.generics;
        let (lifetimes, bounds, turbofish) =
            (generics.lifetimes(), generics.bounds(), generics.turbofish());
        let generics = generics.params();
        let leads = self.leads(repetition);
        let leads = leads.iter().map(|Lead { name, ty, .. }| quote!(#name: #ty));
        let params = self.params(|position, _| argument(position));
        let args = self.captures().iter().enumerate().map(|(position, capture)| {
            let name = argument(position);
            match capture.passing {
                Passing::Value | Passing::Shared => quote!(#name,),
                Passing::Exclusive => quote!(&mut *#name,),
            }
        });
        let args = quote!(#(#args)*);
        let completes = repetition.completes().map(|_| quote!(false));
        let body = match (&repetition.range, &repetition.goes_on) {
            (Some(_), None) => quote! {
                for index in start..end {
                    #step #turbofish(index, #args);
                }
            },
            (Some(_), Some(_)) => quote! {
                let mut goes_on = true;
                for index in start..end {
                    #step #turbofish(index, #args &mut goes_on);
                    if !goes_on {
                        break;
                    }
                }
            },
            (None, _) => quote! {
                let mut goes_on = true;
                while goes_on {
                    #step #turbofish(#args &mut goes_on, #completes);
                }
            },
        };
        syn::parse_quote! {
            #[doc(hidden)]
            #[allow(unused, clippy::all)]
            fn #steps<#lifetimes #generics>(#(#leads,)* #(#params),*) #bounds {
                #body
            }
        }
    }
}

/// The name of a parameter of the loop.
pub(super) fn argument(position: usize) -> Ident {
    format_ident!("argument_{position}")
}

/// The items that the body of the function begins with or has among its statements: the step mentions them, too.
fn top_items(known: &Known<'_>) -> Vec<Stmt> {
    let stmts = known.annotated.function.block.stmts.iter();
    stmts.filter(|stmt| matches!(stmt, Stmt::Item(_))).cloned().collect()
}

/// The function with the type of the `impl` block in place of `Self`.
fn with_self_type(function: ItemFn, known: &Known<'_>) -> ItemFn {
    let Some(surroundings) = known.annotated.surroundings() else { return function };
    let own = surroundings.self_type.to_token_stream();
    let replaced = in_place_of_self(function.into_token_stream(), &own);
    syn::parse2(replaced).expect("a type in place of a type")
}

/// The tokens with a type in place of `Self`.
pub(super) fn in_place_of_self(tokens: TokenStream, own: &TokenStream) -> TokenStream {
    let replace = |token: TokenTree| match token {
        TokenTree::Ident(ident) if ident == "Self" => own.clone(),
        TokenTree::Group(group) => {
            let stream = in_place_of_self(group.stream(), own);
            let mut inner = Group::new(group.delimiter(), stream);
            inner.set_span(group.span());
            TokenTree::Group(inner).into()
        }
        token => token.into(),
    };
    tokens.into_iter().map(replace).collect::<Vec<TokenStream>>().into_iter().collect()
}

/// Writes `*x` for `x`.
struct Dereference {
    names: BTreeSet<String>,
}

impl VisitMut for Dereference {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Path(path) = expr
            && let Some(ident) = path.path.get_ident()
            && self.names.contains(&ident.to_string())
        {
            let attrs = &path.attrs;
            *expr = syn::parse_quote_spanned!(ident.span()=> #(#attrs)* (*#ident));
            return;
        }
        crate::walk::visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        field.colon_token.get_or_insert_default();
        crate::walk::visit_mut::visit_field_value_mut(self, field);
    }
}
