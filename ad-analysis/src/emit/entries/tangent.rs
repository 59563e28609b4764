//! The tangent: what users call, and what callers find, generic over the activity of each argument.

use super::super::body::{Emitter, Role};
use super::super::{docs, located};
use super::{Entries, Entry, relocated};
use crate::diff::{NoTangent, Tangent};
use crate::index::Var;
use crate::interface::{Home, Parameter, Passing};
use crate::ir::Expr;
use crate::types::{FloatKind, Type};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashMap;

impl<'a> Entries<'a> {
    /// The parameters with their directions.
    fn directed(
        &self,
        tangent: &'a Tangent,
    ) -> impl Iterator<Item = (&'a Parameter, Option<Ident>)> + use<'a> {
        let directions = tangent.directions.iter().map(|direction| {
            let variable = &tangent.body.vars[(*direction)?];
            Some(super::super::ident(&variable.name, variable.span))
        });
        self.interface.params.iter().zip(directions)
    }

    /// The tangent of the result.
    fn tangent_payload(&self) -> TokenStream {
        if self.interface.output_dependent { self.payload() } else { quote!(()) }
    }

    /// What the function for callers returns.
    fn tangent_output(&self) -> TokenStream {
        let (payload, tangent) = (self.payload(), self.tangent_payload());
        self.carrying(&quote!((#payload, #tangent)))
    }

    /// The entry for users. Where the user gives the adjoint there is none.
    pub(super) fn tangent(&self) -> Option<Entry> {
        let tangent = self.product.tangent?;
        if self.interface.given_adjoint.is_some() {
            return None;
        }
        let (mut params, mut args) = (Vec::new(), Vec::new());
        let (mut checks, rt) = (TokenStream::new(), &self.rt);
        for (position, (param, direction)) in self.directed(tangent).enumerate() {
            let (name, ty) = (relocated(&param.ident), located(param.ty.clone()));
            if position > 0 || !self.interface.has_receiver {
                params.push(quote!(#name: #ty));
            }
            args.push(quote!(#name));
            let Some(direction) = direction else {
                args.push(quote!(()));
                continue;
            };
            params.push(quote!(#direction: #ty));
            args.push(match param.passing {
                Passing::Value => quote!(&#direction),
                Passing::Shared => quote!(#direction),
                Passing::Exclusive => quote!(&mut *#direction),
            });
            if matches!(self.type_of(param), Type::Slice(_) | Type::Vec(_)) {
                let text = direction.to_string();
                checks.extend(quote!(#rt::check_len(#text, #direction.len(), #name.len());));
            }
        }
        let (call, ret) = (self.sweep("tangent"), &self.ret);
        let call = quote!(#call(#(#args),*));
        let (output, body) = match (self.interface.output_dependent, self.interface.carrier) {
            (true, _) => (Some(self.tangent_output()), quote!(#checks #call)),
            (false, None) => (self.value_output(), quote!(#checks #call.0)),
            (false, Some(_)) => (self.value_output(), quote!(#checks #call.map(|#ret| #ret.0))),
        };
        let doc = docs::tangent(self.interface);
        let Some(why) = tangent.refusal else {
            return Some(self.entry("tangent", doc, false, params, output, body));
        };
        let reason = format_ident!("{}", bound_of(why));
        let demand = quote!(for<'user> (): #rt::tangent_of::#reason);
        let body = quote!(::core::unreachable!());
        Some(self.entry_with("tangent", doc, false, params, output, body, Some(demand)))
    }

    /// The type parameters that stand for the activity of the parameters in the tangent.
    fn tangent_activities(&self, tangent: &'a Tangent) -> Vec<TokenStream> {
        let rt = &self.rt;
        let activities = self.directed(tangent).zip(&self.activity);
        let activities = activities.map(|((param, direction), activity)| {
            let ty = located(param.pointee.clone());
            match (direction, param.passing) {
                (Some(_), Passing::Exclusive) => quote!(#activity: #rt::Slot<#ty>),
                (Some(_), Passing::Value | Passing::Shared) => quote!(#activity: #rt::Along<#ty>),
                // That nothing is passed for it is proved in the sweeps.
                (None, _) => quote!(#activity),
            }
        });
        activities.collect()
    }

    /// The function that callers find.
    pub(super) fn uniform_tangent(&self, tangent: &'a Tangent) -> TokenStream {
        let rt = &self.rt;
        let (mut params, mut types) = (Vec::new(), HashMap::new());
        for ((param, direction), activity) in self.directed(tangent).zip(&self.activity) {
            let (name, ty) = (self.inner_name(param), located(param.ty.clone()));
            params.push(quote!(#name: #ty));
            let Some(direction) = direction else {
                params.push(quote!(_: #activity));
                continue;
            };
            let ty = located(param.pointee.clone());
            let (binder, of) = match param.passing {
                Passing::Exclusive => (quote!(mut #direction), quote!(Slot)),
                Passing::Value | Passing::Shared => (quote!(#direction), quote!(Along)),
            };
            params.push(quote!(#binder: #activity));
            types.insert(param.var, quote!(<#activity as #rt::#of<#ty>>::Marker));
        }
        let body = match tangent.refusal {
            Some(why) => self.refused_tangent(why),
            None => self.tangent_body(tangent, &types),
        };
        let activities = self.tangent_activities(tangent);
        let mentioned = quote!(#(#activities)* #(#params)* #body);
        let (generics, bounds) = self.generics(&activities, &mentioned);
        let (items, output) = (self.items(), self.tangent_output());
        let (definition, own) = self.sweep_definition("tangent");
        quote! {
            #[doc(hidden)]
            #[inline]
            #definition #generics (#own #(#params),*) -> #output #bounds {
                #items
                #body
            }
        }
    }

    /// Only where the tangent is used, it is missed.
    fn refused_tangent(&self, why: NoTangent) -> TokenStream {
        let message = format!("`{}` has no tangent: {}", self.interface.name, why.in_words());
        let (rt, params) = (&self.rt, self.interface.params.iter());
        let names = params.map(|param| self.inner_name(param));
        quote! {
            let _ = (#(&#names,)*);
            const { ::core::assert!(<#rt::Off as #rt::Marker>::ON, #message) };
            ::core::unreachable!()
        }
    }

    fn tangent_body(&self, tangent: &'a Tangent, types: &HashMap<Var, TokenStream>) -> TokenStream {
        let (rt, body) = (&self.rt, &tangent.body);
        let emitter = self.emitter_of(body, Role::Tangent, types.clone());
        let statements = emitter.stmts(&body.block);
        let bindings = self
            .directed(tangent)
            .zip(&tangent.unpassed)
            .map(|((param, name), zero)| self.direction(&emitter, param, name, zero.as_ref()));
        let bindings: TokenStream = bindings.collect();
        let declare = |var: Var| {
            let (name, ty) = (emitter.name(var), self.payload());
            (quote!(let mut #name: #ty;), name)
        };
        let unit = || (TokenStream::new(), quote!(()));
        let (declare_result, result) = body.result.map_or_else(unit, declare);
        let (declare_tangent, tangent) =
            body.kept.first().map_or_else(unit, |kept| declare(kept.var));
        let fallbacks = emitter.fallbacks(&statements);
        let value = self.success(&quote!((#result, #tangent)));
        let body = quote! {
            #fallbacks
            #bindings
            #declare_result
            #declare_tangent
            #statements
            #value
        };
        let active =
            self.interface.params.iter().filter_map(|param| {
                types.get(&param.var).map(|ty| (&self.markers[&param.var], ty))
            });
        let names = active.clone().map(|(name, _)| name);
        let (passive, watch) = (self.passive_tangent(), self.watch_in_sweep());
        let body = quote! {
            if !(#(#names)||*) {
                return #passive;
            }
            #watch
            #body
        };
        let lets = active.map(|(name, ty)| quote!(let #name = <#ty as #rt::Marker>::ON;));
        quote!(#(#lets)* #body)
    }

    /// Without a direction there is only the value.
    fn passive_tangent(&self) -> TokenStream {
        let (rt, ret, primal) = (&self.rt, &self.ret, self.primal_path());
        let args = self.interface.params.iter().map(|param| self.inner_name(param));
        let result = self.product.primal.result.map(|result| &self.product.primal.vars[result].ty);
        let zero = match self.interface.output_dependent {
            false => quote!(()),
            true if matches!(result, Some(Type::Float(FloatKind::F64 | FloatKind::F32))) => {
                quote!(0.0)
            }
            true => quote!({ use #rt::zero::*; (&&&Zero(&#ret)).zero_tangent() }),
        };
        let call = quote!(#primal(#(#args),*));
        match self.interface.carrier {
            None => quote!({ let #ret = #call; let zero = #zero; (#ret, zero) }),
            Some(_) => quote! {
                #call.map(|#ret| {
                    let zero = #zero;
                    (#ret, zero)
                })
            },
        }
    }

    /// Gets a direction out of what is passed. Where it is not, it is zero, or nobody looks at what takes its place.
    fn direction(
        &self,
        emitter: &Emitter<'_>,
        param: &Parameter,
        direction: Option<Ident>,
        zero: Option<&Expr>,
    ) -> TokenStream {
        let Some(name) = direction else { return TokenStream::new() };
        let alone = self.interface.params.iter().filter(|param| param.has_bar()).count() == 1;
        let emission = Direction { rt: &self.rt, name, param, of: self.type_of(param), alone };
        let zero = match param.passing {
            Passing::Shared | Passing::Value => Expr::placeholder(emission.of),
            Passing::Exclusive => zero.cloned(),
        };
        let zero = zero.map(|zero| emitter.expr(&zero));
        match param.passing {
            Passing::Shared => emission.shared(&self.inner_name(param), zero),
            Passing::Value => emission.value(&self.inner_name(param), zero),
            Passing::Exclusive => emission.exclusive(zero),
        }
    }

    /// The tangent of a method, for callers that see a value, and not its type.
    pub(super) fn tangent_by_receiver(&self) -> Option<TokenStream> {
        let tangent = self.product.tangent?;
        if !self.interface.has_receiver {
            return None;
        }
        let [receiver, others @ ..] = self.interface.params.as_slice() else { return None };
        let visibility = &self.interface.visibility;
        let (sweep, tangent_of) = (self.sweep("tangent"), self.hidden_name("tangent_of"));
        let (own, name) = (self.receiver(), relocated(&receiver.ident));
        let names: Vec<Ident> = others.iter().map(|param| self.inner_name(param)).collect();
        let types: Vec<TokenStream> =
            others.iter().map(|param| located(param.ty.clone())).collect();
        let slots: Vec<Ident> = names.iter().map(|name| format_ident!("{name}_slot")).collect();
        let (own_activity, activities) = (&self.activity[0], &self.activity[1..]);
        let bounds = self.tangent_activities(tangent);
        let (generics, bounds) = self.generics(&bounds, &quote!(#(#bounds)* #(#types)*));
        let output = self.tangent_output();
        Some(quote! {
            #[doc(hidden)]
            #[allow(clippy::all)]
            #[inline]
            #visibility fn #tangent_of #generics (
                #own,
                slot: #own_activity,
                #(#names: #types, #slots: #activities),*
            ) -> #output #bounds {
                #sweep(#name, slot, #(#names, #slots),*)
            }
        })
    }

    /// The user's function.
    pub(super) fn primal_path(&self) -> TokenStream {
        match self.interface.home {
            Home::Struct | Home::Beside => quote!(Self::__primal),
            Home::Impl | Home::Operator => {
                let (path, turbofish) =
                    (located(self.interface.primal.clone()), self.own_turbofish());
                quote!(#path #turbofish)
            }
        }
    }
}

/// The bound that says why there is no tangent.
fn bound_of(why: NoTangent) -> &'static str {
    match why {
        NoTangent::GivenAdjoint => "NoGivenAdjoint",
        NoTangent::Aliases => "NoAliases",
        NoTangent::ExchangeOfParts => "NoExchangeOfParts",
        NoTangent::UnknownCast => "NoUnknownCast",
        NoTangent::UntypedZero => "NoUntypedZero",
        NoTangent::InnerFixedPoint => "NoInnerFixedPoint",
    }
}

/// The direction of a parameter, where a tangent begins.
struct Direction<'a> {
    rt: &'a TokenStream,
    name: Ident,
    param: &'a Parameter,
    /// What the parameter is of.
    of: &'a Type,
    /// Whether no other parameter has a direction: then this one is passed.
    alone: bool,
}

impl Direction<'_> {
    fn ty(&self) -> TokenStream {
        located(self.param.pointee.clone())
    }

    fn shared(&self, value: &Ident, zero: Option<TokenStream>) -> TokenStream {
        let (rt, name, ty) = (self.rt, &self.name, self.ty());
        let (declare, instead) = match (self.of, zero) {
            (Type::Slice(_), _) => (None, quote!(&[])),
            (_, Some(zero)) if !self.alone => {
                let scratch = self.scratch();
                (Some(quote!(let #scratch = #zero;)), quote!(&#scratch))
            }
            _ => (None, quote!(#value)),
        };
        quote!(#declare let #name: &#ty = #rt::direction_or_at(&#name, #instead);)
    }

    fn value(&self, value: &Ident, zero: Option<TokenStream>) -> TokenStream {
        let (rt, name, ty) = (self.rt, &self.name, self.ty());
        if let Some(zero) = zero {
            return quote!(let mut #name: #ty = #rt::direction_or(&#name, #zero););
        }
        // The sweeps demand `Clone`, too; one error is enough.
        quote! {
            let mut #name: #ty = {
                use #rt::owned::*;
                (&&Direction(#rt::direction_or_at(&#name, &#value))).owned()
            };
        }
    }

    fn exclusive(&self, zero: Option<TokenStream>) -> TokenStream {
        let (rt, name, ty) = (self.rt, &self.name, self.ty());
        let scratch = self.scratch();
        let whole = matches!(self.of, Type::Slice(_)).then(|| quote!([..]));
        let (declare, instead) = match self.alone {
            true => (None, quote!(::core::unreachable!())),
            false => (
                Some(quote!(let mut #scratch;)),
                quote!({ #scratch = #zero; &mut #scratch #whole }),
            ),
        };
        quote! {
            #declare
            let #name: &mut #ty = match #rt::Slot::bar(&mut #name) {
                ::core::option::Option::Some(direction) => direction,
                ::core::option::Option::None => #instead,
            };
        }
    }

    fn scratch(&self) -> Ident {
        format_ident!("{}_scratch", self.name)
    }
}
