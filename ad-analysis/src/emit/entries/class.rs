//! What a callee tells its callers besides its sweeps: whether it may run twice, and which of its parameters it changes.

use super::Entries;
use crate::interface::{Home, Interface, Passing};
use crate::ir::{
    ArgKind, Body, Call, CallMode, Callee, Class, ExprKind, StmtKind, Sweep, each_stmt,
};
use crate::types::Type;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::{BTreeSet, HashMap};

impl Entries<'_> {
    /// What a callee must tell its callers, besides its sweeps.
    pub(super) fn class(&self) -> TokenStream {
        let (repeatable, is_exclusive) = (self.repeatable_of_function(), self.is_exclusive());
        let (says, of_step) = (self.says(), self.repeatable_for_types());
        quote! {
            #of_step
            #[doc(hidden)]
            #[inline]
            pub const fn __entries<Callee>(callee: Callee) -> Self {
                ::core::mem::forget(callee);
                Self {}
            }
            #[doc(hidden)]
            #repeatable
            #[doc(hidden)]
            pub const fn __is_exclusive(&self, parameter: usize) -> bool {
                #is_exclusive
            }
            #says
        }
    }

    /// Whether a parameter is a `&mut`, by its number.
    pub(super) fn is_exclusive(&self) -> TokenStream {
        let params = self.interface.params.iter().enumerate();
        let exclusive = params.filter(|(_, param)| param.passing == Passing::Exclusive);
        let exclusive = exclusive.map(|(index, _)| proc_macro2::Literal::usize_unsuffixed(index));
        let exclusive: Vec<_> = exclusive.collect();
        match exclusive.is_empty() {
            true => quote!(false),
            false => quote!(::core::matches!(parameter, #(#exclusive)|*)),
        }
    }

    /// Whether the function may run twice, asked in the name of `callers`.
    pub(super) fn is_repeatable(&self) -> TokenStream {
        let (own, callees) = self.own_and_callees();
        self.all_repeatable(own, &callees)
    }

    /// That what is the function's own may run twice, and all that it calls.
    fn all_repeatable(&self, own: bool, callees: &[(Callee, TokenStream)]) -> TokenStream {
        let rt = &self.rt;
        let tests = callees.iter().map(|(callee, tokens)| match callee {
            Callee::Function(_) | Callee::Derivative(..) => tokens.clone(),
            // What tells types may be a method of a pack.
            Callee::Associated(_)
            | Callee::Method(_)
            | Callee::Operator(_)
            | Callee::DirectedOperator(_)
            | Callee::Conversion(_)
            | Callee::Given => {
                quote!(#rt::method::is_repeatable(|| { use #rt::packs::methods::*; #tokens }))
            }
        });
        let tests: Vec<TokenStream> = tests.collect();
        quote!(#own #(&& #tests)*)
    }

    /// The same of the body of a checkpointed block or loop for given types, on which the methods that are called depend.
    fn repeatable_for_types(&self) -> Option<TokenStream> {
        let Interface { is_step, generic_args, .. } = self.interface;
        if !is_step || generic_args.is_empty() {
            return None;
        }
        let (own, callees) = self.all_callees();
        let (generics, bounds) = self.generics(&[], &quote!(#(#generic_args)*));
        let (rt, items) = (&self.rt, self.items());
        let is_repeatable = self.all_repeatable(own, &callees);
        // What parameters of their types imply of lifetimes holds here, too.
        let types = self.interface.params.iter().map(|param| &param.pointee);
        Some(quote! {
            #[doc(hidden)]
            pub const fn __is_repeatable_for #generics (
                &self, _: ::core::marker::PhantomData<(#(&#types,)*)>,
            ) -> bool #bounds {
                #items
                let callers = #rt::Callers::NONE;
                let _ = &callers;
                #is_repeatable
            }
        })
    }

    /// What tells it to callers. Functions may call each other in turn, so it asks in the name of all those it is asked by.
    fn repeatable_of_function(&self) -> TokenStream {
        let (_, callees) = self.own_and_callees();
        let (rt, is_repeatable) = (&self.rt, self.is_repeatable());
        if callees.is_empty() {
            return quote! {
                pub const fn __is_repeatable(&self, _: &#rt::Callers<'_>) -> bool {
                    #is_repeatable
                }
            };
        }
        let (items, name) = (self.items(), self.interface.name.to_string());
        quote! {
            pub const fn __is_repeatable(&self, callers: &#rt::Callers<'_>) -> bool {
                #items
                let this = ::core::concat!(
                    ::core::module_path!(), "::", #name, ":", ::core::line!(), ":", ::core::column!()
                );
                if callers.contain(this) {
                    return true;
                }
                let callers = callers.and(this);
                let _ = &callers;
                #is_repeatable
            }
        }
    }

    /// An expression whose type says whether the function may run twice, and that type, if it can be
    /// written. `more` are generic parameters in scope that the function does not have.
    pub(super) fn repeatable(&self, more: &[Ident]) -> (TokenStream, TokenStream) {
        let (own, callees) = self.own_and_callees();
        let rt = &self.rt;
        let alone = quote!(let callers = #rt::Callers::NONE;);
        if let (Some(outer), false) =
            (&self.interface.outer_params, self.interface.has_anonymous_types())
        {
            let own_params = self.own_generics().params;
            let own_params = own_params.iter().filter_map(|param| match param {
                syn::GenericParam::Type(param) => Some(param.ident.clone()),
                syn::GenericParam::Const(param) => Some(param.ident.clone()),
                syn::GenericParam::Lifetime(_) => None,
            });
            let params: Vec<Ident> =
                outer.iter().cloned().chain(own_params).chain(more.iter().cloned()).collect();
            let all =
                callees.iter().fold(quote!(#rt::method::Is::<#own>), |all, (callee, tokens)| {
                    let type_of = match callee {
                        Callee::Function(_) | Callee::Derivative(..) => {
                            quote!(#rt::method::Is::<{ #alone #tokens }>)
                        }
                        Callee::Associated(_)
                        | Callee::Method(_)
                        | Callee::Operator(_)
                        | Callee::DirectedOperator(_)
                        | Callee::Conversion(_)
                        | Callee::Given => tokens.clone(),
                    };
                    quote!(#rt::method::both(|| #all, || #type_of))
                });
            return (all, quote!(impl #rt::method::Repeatable + use<#(#params),*>));
        }
        let is_at_path = |(callee, _): &(Callee, _)| {
            matches!(callee, Callee::Function(_) | Callee::Derivative(..))
        };
        let known = own && callees.iter().all(is_at_path);
        let tests = callees.iter().filter(|_| known).map(|(_, tokens)| tokens);
        let tests: Vec<&TokenStream> = tests.collect();
        let alone = (!tests.is_empty()).then_some(alone);
        (quote!(#rt::method::Is), quote!(#rt::method::Is<{ #alone #known #(&& #tests)* }>))
    }

    /// Whether a method certainly calls itself of another value, `self.left.m()`; nothing if the method is another one.
    fn calls_itself(&self, call: &Call, body: &Body) -> Option<bool> {
        let (Callee::Method(name), [receiver, ..]) = (&call.callee, call.args.as_slice()) else {
            return None;
        };
        if !self.interface.has_receiver || *name != self.interface.name {
            return None;
        }
        let of = match &receiver.kind {
            ArgKind::Shared(place) | ArgKind::Exclusive(place) => body.place_type(place),
            ArgKind::Value(value) => value.ty.clone(),
            ArgKind::Omitted => Type::Unknown,
        };
        match (&self.interface.owner, &of) {
            // A trait's method may be another one where the type has one of that name; so may that of other arguments.
            (Some(own), Type::Named(of)) => {
                let name = of.split('<').next().unwrap_or_default().trim_end();
                let is_of_trait = self.interface.primal.to_string().starts_with('<');
                let is_alike = name == own || name == "Self";
                is_alike.then_some(!of.contains('<') && !is_of_trait)
            }
            _ => Some(false),
        }
    }

    /// Whether the function has no effects of its own that must happen once, and what says the same of those
    /// it calls, as far as that can be said outside of the function.
    fn own_and_callees(&self) -> (bool, Vec<(Callee, TokenStream)>) {
        let (own, callees) = self.all_callees();
        let is_closed = match self.interface.home {
            Home::Struct | Home::Beside => {
                self.interface.generics.is_empty() && self.product.items.is_empty()
            }
            Home::Impl | Home::StandardTrait => true,
        };
        let is_at_path = |(callee, _): &(Callee, _)| {
            matches!(callee, Callee::Function(_) | Callee::Derivative(..))
        };
        if !callees.iter().all(is_at_path) && !is_closed {
            // What tells the type of a receiver could not be said outside of the function.
            return (false, Vec::new());
        }
        (own, callees)
    }

    /// The same where its type parameters and its items are in sight.
    fn all_callees(&self) -> (bool, Vec<(Callee, TokenStream)>) {
        if self.interface.given_adjoint.is_some() {
            // The macro does not see what it does.
            return (self.interface.is_repeatable, Vec::new());
        }
        if self.interface.is_recursive {
            // What it calls asks the same in its turn.
            return (false, Vec::new());
        }
        let mut emitter = self.emitter(&self.product.adjoint.forward, HashMap::new());
        emitter.names_numbers = false;
        let path: String = self.interface.called.to_string().split_whitespace().collect();
        let mut own = true;
        let mut callees: Vec<(Callee, TokenStream)> = Vec::new();
        each_stmt(&self.product.adjoint.forward.block, &mut |stmt| match &stmt.kind {
            StmtKind::Call(call) => match &call.sweep {
                Sweep::Forward { .. } if path == call.callee.to_string() => {}
                Sweep::Forward { .. }
                    if let Some(is_certain) = self.calls_itself(call, emitter.body) =>
                {
                    own &= is_certain;
                }
                // Operators are known to be repeatable.
                Sweep::Forward { .. }
                    if matches!(
                        call.callee,
                        Callee::Operator(_) | Callee::DirectedOperator(_) | Callee::Conversion(_)
                    ) => {}
                Sweep::Forward { .. } => {
                    let tokens = emitter.repeatable(call, stmt.span);
                    callees.push((call.callee.clone(), tokens));
                }
                // Its backward sweep asks.
                Sweep::Primal if call.mode == CallMode::Joint => {}
                Sweep::Primal if path == call.callee.to_string() => {}
                Sweep::Primal => match emitter.repeatable_as_it_is(call, stmt.span) {
                    Some(tokens) => callees.push((call.callee.clone(), tokens)),
                    None => own = false,
                },
                // Its forward sweep has asked.
                Sweep::Backward { .. } => {}
                Sweep::Tangent { .. } => own = false,
            },
            StmtKind::Opaque(opaque) => own &= opaque.class < Class::Once,
            StmtKind::Let { value: Some(value), .. } | StmtKind::Assign { value, .. } => {
                if let ExprKind::Opaque(opaque) = &value.kind {
                    own &= opaque.class < Class::Once;
                }
            }
            _ => {}
        });
        let mut asked = BTreeSet::new();
        callees.retain(|(_, tokens)| asked.insert(tokens.to_string()));
        (own, callees)
    }
}
