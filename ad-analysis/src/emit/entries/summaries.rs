//! What callees say of their parameters, asked in the sweeps of callers.

use super::Entries;
use super::sweeps::each_ident;
use crate::diff::Adjoint;
use crate::index::Var;
use crate::interface::{Home, Passing};
use crate::ir::{
    AskedCall, Body, Callee, Condition, Fact, Instances, ReadBy, ReadOfParam, reads_of,
};
use crate::types::Type;
use fixedbitset::FixedBitSet;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use std::collections::{BTreeMap, BTreeSet, HashMap};

impl<'a> Entries<'a> {
    /// The answers of callees that a sweep looks at, as variables. They are constants, so that what is not stored costs nothing.
    pub(super) fn answers(
        &self,
        sweep: &'a Body,
        tokens: &TokenStream,
        types: &HashMap<Var, TokenStream>,
    ) -> TokenStream {
        if sweep.asked.is_empty() {
            return TokenStream::new();
        }
        let mut mentioned = BTreeSet::new();
        each_ident(tokens.clone(), &mut |ident| {
            mentioned.insert(ident.to_string());
        });
        let emitter = self.emitter(sweep, types.clone());
        let rt = &self.rt;
        let mut lets = TokenStream::new();
        for AskedCall { callee, active, names } in sweep.asked.values() {
            for (&about, name) in names {
                if !mentioned.contains(name) {
                    continue;
                }
                let name = Ident::new(name, Span::call_site());
                if self.interface.home == Home::StandardTrait {
                    // The types of an operator say nothing of activity.
                    lets.extend(quote!(let #name = true;));
                    continue;
                }
                let entries = emitter.entries_of(callee, Span::call_site());
                let active = active.iter().map(|when| {
                    if when.is_always() || when.is_never() {
                        return emitter.condition(when);
                    }
                    let ty = emitter.condition_type(when);
                    quote!(<#ty as #rt::Marker>::ON)
                });
                let nobody = quote!(&#rt::Callers::NONE);
                let said = said(&entries, about, &active.collect::<Vec<_>>(), &nobody);
                lets.extend(quote!(let #name = const { #said };));
            }
        }
        lets
    }

    /// What the function says of its parameters, by their numbers.
    pub(super) fn summaries(&self) -> TokenStream {
        let rt = &self.rt;
        let resizes = self.resizes();
        let resizes = quote! {
            #[doc(hidden)]
            pub const fn __resizes(&self, parameter: usize) -> bool {
                #resizes
            }
        };
        if self.interface.given_adjoint.is_some() {
            // The macro does not see what it does.
            return quote! {
                #[doc(hidden)]
                pub const fn __reads(&self, _: usize, _: &[bool], _: &#rt::Callers<'_>) -> bool {
                    true
                }
                #[doc(hidden)]
                pub const fn __uses(&self, _: usize, _: &[bool], _: &#rt::Callers<'_>) -> bool {
                    true
                }
                #resizes
            };
        }
        let Adjoint { forward, backward, .. } = self.product.adjoint;
        let reads = self.summary("__reads", &self.terms(&[backward], Instances::All));
        let used = self.terms(&[forward, backward], Instances::Bare);
        let uses = self.summary("__uses", &used);
        quote!(#reads #uses #resizes)
    }

    /// Whether a parameter may be given another length: a slice cannot.
    fn resizes(&self) -> TokenStream {
        let params = self.interface.params.iter().enumerate();
        let resized = params.filter(|(_, param)| {
            let is_slice = matches!(self.type_of(param), Type::Slice(_) | Type::Array(..));
            param.passing == Passing::Exclusive && !is_slice
        });
        let resized = resized.map(|(position, _)| Literal::usize_unsuffixed(position));
        let resized: Vec<Literal> = resized.collect();
        match resized.is_empty() {
            true => quote!({
                let _ = parameter;
                false
            }),
            false => quote!(::core::matches!(parameter, #(#resized)|*)),
        }
    }

    /// When sweeps read parameters, by their numbers.
    fn terms(&self, sweeps: &[&Body], instances: Instances) -> BTreeMap<usize, Terms> {
        let mut terms: BTreeMap<usize, Terms> = BTreeMap::new();
        for sweep in sweeps {
            for ReadOfParam { param, when, by } in reads_of(sweep, instances) {
                let Some(position) = self.position(param) else { continue };
                let known = terms.entry(position).or_default();
                known.ask |= !when.if_callee.is_empty();
                let mut term = self.when(sweep, &when);
                if let ReadBy::Callee { callee, argument, active } = &by {
                    known.ask = true;
                    let asked = self.asked(sweep, callee, (*argument, Fact::Reads), active);
                    term = match when.is_always() {
                        true => asked,
                        false => quote!(((#term) && #asked)),
                    };
                }
                known.either.insert(term.to_string(), term);
            }
        }
        terms
    }

    /// A constant function that says whether a parameter is read, where parameters are active as `active` says. Functions may call each
    /// other in turn, so it asks in the name of those it is asked by, and what is asked again already adds nothing.
    fn summary(&self, name: &str, terms: &BTreeMap<usize, Terms>) -> TokenStream {
        let rt = &self.rt;
        let function = Ident::new(name, Span::call_site());
        let arms = terms.iter().map(|(position, terms)| {
            let always = quote!(true);
            let either: Vec<&TokenStream> = match terms.either.contains_key("true") {
                true => vec![&always],
                false => terms.either.values().collect(),
            };
            let position = Literal::usize_unsuffixed(*position);
            quote!(#position => #(#either)||*,)
        });
        let arms: Vec<TokenStream> = arms.collect();
        let (prelude, answer) = match (terms.is_empty(), terms.values().any(|terms| terms.ask)) {
            (true, _) => (quote!(let _ = (parameter, active, callers);), quote!(false)),
            (false, false) => (
                quote!(let _ = (active, callers);),
                quote!(match parameter { #(#arms)* _ => false }),
            ),
            (false, true) => {
                (self.prelude_of_summary(name), quote!(match parameter { #(#arms)* _ => false }))
            }
        };
        quote! {
            #[doc(hidden)]
            pub const fn #function(
                &self,
                parameter: usize,
                active: &[bool],
                callers: &#rt::Callers<'_>,
            ) -> bool {
                #prelude
                #answer
            }
        }
    }

    fn prelude_of_summary(&self, name: &str) -> TokenStream {
        let (items, function) = (self.items(), self.interface.name.to_string());
        quote! {
            #items
            let this = ::core::concat!(
                ::core::module_path!(), "::", #function, ":", ::core::line!(), ":", ::core::column!(), #name
            );
            if callers.have_asked(this, parameter, active) {
                return false;
            }
            let callers = callers.asking(this, parameter, active);
        }
    }

    fn position(&self, param: Var) -> Option<usize> {
        self.interface.params.iter().position(|known| known.var == param)
    }

    /// A condition on the activity that a caller tells.
    fn when(&self, sweep: &Body, condition: &Condition) -> TokenStream {
        if condition.is_always() {
            return quote!(true);
        }
        let mut terms = vec![self.active(&condition.pairs)];
        for (fact, pairs) in &condition.if_callee {
            let AskedCall { callee, active, names: _ } = &sweep.asked[&fact.call];
            let (when, about) = (self.active(pairs), (fact.argument, fact.fact));
            let asked = self.asked(sweep, callee, about, active);
            terms.push(quote!(((#when) && #asked)));
        }
        quote!(#(#terms)||*)
    }

    /// Whether one of the independents of some pairs is active. Whether a dependent is makes no difference here.
    fn active(&self, pairs: &FixedBitSet) -> TokenStream {
        let dependents = self.product.primal.dependents.len();
        let independents =
            pairs.ones().map(|pair| self.product.primal.independents[pair / dependents]);
        let positions: BTreeSet<usize> =
            independents.filter_map(|independent| self.position(independent)).collect();
        if positions.is_empty() {
            return quote!(false);
        }
        let positions = positions.into_iter().map(Literal::usize_unsuffixed);
        quote!(#(active[#positions])||*)
    }

    /// What a callee says of an argument.
    fn asked(
        &self,
        sweep: &Body,
        callee: &Callee,
        about: (usize, Fact),
        active: &[Condition],
    ) -> TokenStream {
        let mut emitter = self.emitter(&self.product.adjoint.backward, HashMap::new());
        emitter.names_numbers = false;
        let entries = emitter.entries_of(callee, Span::call_site());
        let active = active.iter().map(|condition| self.when(sweep, condition));
        said(&entries, about, &active.collect::<Vec<_>>(), &quote!(&callers))
    }
}

/// When a parameter is read.
#[derive(Default)]
struct Terms {
    /// The alternatives, by their texts.
    either: BTreeMap<String, TokenStream>,
    /// Whether a callee is asked.
    ask: bool,
}

/// What a callee with such entries says of an argument.
fn said(
    entries: &TokenStream,
    (argument, fact): (usize, Fact),
    active: &[TokenStream],
    callers: &TokenStream,
) -> TokenStream {
    let argument = Literal::usize_unsuffixed(argument);
    match fact {
        Fact::Reads => quote!(#entries.__reads(#argument, &[#(#active),*], #callers)),
        Fact::Uses => quote!(#entries.__uses(#argument, &[#(#active),*], #callers)),
        Fact::Resizes => quote!(#entries.__resizes(#argument)),
    }
}
