//! What callees say their backward sweeps read, asked in the sweeps of callers.

use super::Entries;
use super::sweeps::each_ident;
use crate::index::Var;
use crate::interface::Home;
use crate::ir::{AskedCall, Body, Callee, Condition, ReadBy, ReadOfParam, summary_of};
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
            for (argument, name) in names.iter().enumerate() {
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
                let argument = Literal::usize_unsuffixed(argument);
                let active = active.iter().map(|when| {
                    if when.is_always() || when.is_never() {
                        return emitter.condition(when);
                    }
                    let ty = emitter.condition_type(when);
                    quote!(<#ty as #rt::Marker>::ON)
                });
                lets.extend(quote! {
                    let #name = const { #entries.__reads(#argument, &[#(#active),*], &#rt::Callers::NONE) };
                });
            }
        }
        lets
    }

    /// Whether the backward sweep reads a parameter, by its number, where parameters are active as `active` says. Functions may call each
    /// other in turn, so it asks in the name of those it is asked by, and what is asked again already adds nothing.
    pub(super) fn reads(&self) -> TokenStream {
        let rt = &self.rt;
        if self.interface.given_adjoint.is_some() {
            // The macro does not see what it does.
            return quote! {
                #[doc(hidden)]
                pub const fn __reads(&self, _: usize, _: &[bool], _: &#rt::Callers<'_>) -> bool {
                    true
                }
            };
        }
        let backward = &self.product.adjoint.backward;
        let mut reads: BTreeMap<usize, BTreeMap<String, TokenStream>> = BTreeMap::new();
        let mut asks = false;
        for ReadOfParam { param, when, by } in summary_of(backward) {
            let Some(position) = self.position(param) else { continue };
            asks |= !when.if_read.is_empty() || matches!(by, ReadBy::Callee { .. });
            let mut term = self.when(backward, &when);
            if let ReadBy::Callee { callee, argument, active } = &by {
                let asked = self.asked(backward, callee, *argument, active);
                term = quote!((#term) && #asked);
            }
            reads.entry(position).or_default().insert(term.to_string(), term);
        }
        let arms = reads.iter().map(|(position, terms)| {
            let (position, terms) = (Literal::usize_unsuffixed(*position), terms.values());
            quote!(#position => #(#terms)||*,)
        });
        let arms: TokenStream = arms.collect();
        let prelude = asks.then(|| {
            let (items, name) = (self.items(), self.interface.name.to_string());
            quote! {
                #items
                let this = ::core::concat!(
                    ::core::module_path!(), "::", #name, ":", ::core::line!(), ":", ::core::column!()
                );
                if callers.have_asked(this, parameter, active) {
                    return false;
                }
                let callers = callers.asking(this, parameter, active);
            }
        });
        let uses_active = arms.to_string().contains("active") || asks;
        let (active, callers) = (
            if uses_active { quote!(active) } else { quote!(_) },
            if asks { quote!(callers) } else { quote!(_) },
        );
        let body = match reads.is_empty() {
            true => quote!(false),
            false => quote!(match parameter { #arms _ => false }),
        };
        let parameter = if reads.is_empty() { quote!(_) } else { quote!(parameter) };
        quote! {
            #[doc(hidden)]
            pub const fn __reads(
                &self,
                #parameter: usize,
                #active: &[bool],
                #callers: &#rt::Callers<'_>,
            ) -> bool {
                #prelude
                #body
            }
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
        for (read, pairs) in &condition.if_read {
            let AskedCall { callee, active, names: _ } = &sweep.asked[&read.call];
            let (when, asked) =
                (self.active(pairs), self.asked(sweep, callee, read.argument, active));
            terms.push(quote!((#when) && #asked));
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

    /// Whether a callee reads an argument.
    fn asked(
        &self,
        sweep: &Body,
        callee: &Callee,
        argument: usize,
        active: &[Condition],
    ) -> TokenStream {
        let mut emitter = self.emitter(&self.product.adjoint.backward, HashMap::new());
        emitter.names_numbers = false;
        let entries = emitter.entries_of(callee, Span::call_site());
        let argument = Literal::usize_unsuffixed(argument);
        let active = active.iter().map(|condition| self.when(sweep, condition));
        quote!(#entries.__reads(#argument, &[#(#active),*], &callers))
    }
}
