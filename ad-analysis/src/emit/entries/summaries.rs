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
        for AskedCall { callee, active, names, span } in sweep.asked.values() {
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
                let entries = emitter.entries_of(callee, *span);
                let active = active.iter().map(|when| {
                    if when.is_always() || when.is_never() {
                        return emitter.condition(when);
                    }
                    let ty = emitter.condition_type(when);
                    quote!(<#ty as #rt::Marker>::ON)
                });
                let (fact, argument) = (fact_named(about.1), Literal::usize_unsuffixed(about.0));
                let question =
                    quote!(#rt::Question::new(#rt::Fact::#fact, #argument, &[#(#active),*]));
                lets.extend(quote!(let #name = const { #entries.__says(&#question) };));
            }
        }
        lets
    }

    /// What the function says of its parameters. Functions may call each other in turn, so a question knows by which others it came.
    pub(super) fn says(&self) -> TokenStream {
        let rt = &self.rt;
        if self.interface.given_adjoint.is_some() {
            // The macro does not see what it does.
            return quote! {
                #[doc(hidden)]
                pub const fn __says(&self, _: &#rt::Question<'_>) -> bool {
                    true
                }
            };
        }
        let Adjoint { forward, backward, .. } = self.product.adjoint;
        let reads = self.terms(&[backward], Instances::All);
        let uses = self.terms(&[forward, backward], Instances::Bare);
        let asks = reads.values().chain(uses.values()).any(|terms| terms.ask);
        let reads = reads.iter().map(|(param, terms)| self.arm(Fact::Reads, *param, &terms.either));
        let uses = uses.iter().map(|(param, terms)| self.arm(Fact::Uses, *param, &terms.either));
        let always = BTreeMap::from([(ALWAYS.to_owned(), quote!(true))]);
        let resized = self.resized().into_iter();
        let resizes = resized.map(|param| self.arm(Fact::Resizes, param, &always));
        let arms: Vec<TokenStream> = reads.chain(uses).chain(resizes).collect();
        if arms.is_empty() {
            return quote! {
                #[doc(hidden)]
                pub const fn __says(&self, _: &#rt::Question<'_>) -> bool {
                    false
                }
            };
        }
        let prelude = asks.then(|| {
            let (items, function) = (self.items(), self.interface.name.to_string());
            quote! {
                #items
                let asked = &asked.to(::core::concat!(
                    ::core::module_path!(), "::", #function, ":", ::core::line!(), ":", ::core::column!()
                ));
                if let ::core::option::Option::Some(known) = asked.known() {
                    return known;
                }
            }
        });
        quote! {
            #[doc(hidden)]
            pub const fn __says(&self, asked: &#rt::Question<'_>) -> bool {
                #prelude
                match (asked.fact, asked.parameter) { #(#arms)* _ => false }
            }
        }
    }

    /// The answer to a question about a parameter.
    fn arm(
        &self,
        fact: Fact,
        parameter: usize,
        either: &BTreeMap<String, TokenStream>,
    ) -> TokenStream {
        let (rt, fact) = (&self.rt, fact_named(fact));
        let parameter = Literal::usize_unsuffixed(parameter);
        let either: Vec<&TokenStream> = match either.get(ALWAYS) {
            Some(always) => vec![always],
            None => either.values().collect(),
        };
        quote!((#rt::Fact::#fact, #parameter) => #(#either)||*,)
    }

    /// The parameters that may be given other lengths: slices cannot.
    fn resized(&self) -> Vec<usize> {
        let params = self.interface.params.iter().enumerate();
        let resized = params.filter(|(_, param)| {
            let is_slice = matches!(self.type_of(param), Type::Slice(_) | Type::Array(..));
            param.passing == Passing::Exclusive && !is_slice
        });
        resized.map(|(position, _)| position).collect()
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
                if let ReadBy::Callee { callee, argument, active, span } = &by {
                    known.ask = true;
                    let about = (*argument, Fact::Reads);
                    let asked = self.asked(sweep, (callee, *span), about, active);
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
            let AskedCall { callee, active, names: _, span } = &sweep.asked[&fact.call];
            let (when, about) = (self.active(pairs), (fact.argument, fact.fact));
            let asked = self.asked(sweep, (callee, *span), about, active);
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
        quote!(#(asked.active[#positions])||*)
    }

    /// What a callee says of an argument.
    fn asked(
        &self,
        sweep: &Body,
        (callee, span): (&Callee, Span),
        about: (usize, Fact),
        active: &[Condition],
    ) -> TokenStream {
        let mut emitter = self.emitter(&self.product.adjoint.backward, HashMap::new());
        emitter.names_numbers = false;
        let entries = emitter.entries_of(callee, span);
        let active = active.iter().map(|condition| self.when(sweep, condition));
        let (fact, argument) = (fact_named(about.1), Literal::usize_unsuffixed(about.0));
        let rt = &self.rt;
        quote!(#entries.__says(&asked.then(#rt::Fact::#fact, #argument, &[#(#active),*])))
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

/// The text of a condition that always holds.
const ALWAYS: &str = "true";

fn fact_named(fact: Fact) -> Ident {
    let name = match fact {
        Fact::Reads => "Reads",
        Fact::Uses => "Uses",
        Fact::Resizes => "Resizes",
    };
    Ident::new(name, Span::call_site())
}
