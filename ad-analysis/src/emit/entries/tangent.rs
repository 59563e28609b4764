//! The tangent: what users call, and what callers find, generic over the activity of each argument.

use super::super::body::{Emitter, Role};
use super::super::types::known;
use super::super::{docs, ident, located};
use super::public::Extras;
use super::{Entries, Entry, relocated};
use crate::diff::{NoTangent, Tangent, UnseenTests};
use crate::index::Var;
use crate::interface::{Home, Parameter, Passing};
use crate::ir::Expr;
use crate::types::{FloatKind, Type};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashMap;

impl<'a> Entries<'a> {
    /// The parameters with their directions.
    pub(super) fn directed(
        &self,
        tangent: &'a Tangent,
    ) -> impl Iterator<Item = (&'a Parameter, Option<Ident>)> + use<'a> {
        let directions = tangent.directions.iter().map(|direction| {
            let variable = &tangent.body.vars[(*direction)?];
            Some(super::super::ident(&variable.name, variable.span))
        });
        self.interface.params.iter().zip(directions)
    }

    /// The type of the tangent of the result.
    pub(super) fn tangent_payload(&self, tangent: &Tangent) -> TokenStream {
        match tangent.body.kept.first() {
            _ if !self.interface.output_dependent => quote!(()),
            Some(kept) if tangent.several.is_some() => {
                let ty = known(&tangent.body.vars[kept.var].ty);
                quote!(#ty)
            }
            _ => self.payload(),
        }
    }

    /// What the function for callers returns.
    pub(super) fn tangent_output(&self, tangent: &Tangent) -> TokenStream {
        let (payload, slope) = (self.payload(), self.tangent_payload(tangent));
        self.carrying(&quote!((#payload, #slope)))
    }

    /// The type of the direction of a parameter, behind references.
    fn direction_type(&self, tangent: &Tangent, position: usize) -> TokenStream {
        let param = &self.interface.params[position];
        let direction = tangent.several.as_ref().and(tangent.directions[position]);
        let ty = direction.and_then(|direction| known(&tangent.body.vars[direction].ty));
        ty.unwrap_or_else(|| located(param.pointee.clone()))
    }

    /// The entry for users. Where the user gives the adjoint and no tangent, there is none.
    pub(super) fn tangent(&self) -> Option<Entry> {
        let entry = TangentEntry { doc: docs::tangent(self.interface), ..TangentEntry::default() };
        self.entry_of_tangent(self.product.tangent?, entry)
    }

    pub(super) fn entry_of_tangent(
        &self,
        tangent: &'a Tangent,
        entry: TangentEntry,
    ) -> Option<Entry> {
        if self.interface.given_adjoint.is_some()
            && (tangent.several.is_some() || tangent.refusal.is_some())
        {
            return None;
        }
        let TangentEntry { doc, purpose, mut extras } = entry;
        let several = tangent.several.as_ref().map(|name| ident(name, Span::call_site()));
        let first = several.map(|directions| quote!(::core::marker::PhantomData::<#directions>));
        let (mut params, mut args) = (Vec::new(), Vec::from_iter(first));
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
            let ty = self.passed_direction_type(tangent, position);
            params.push(quote!(#direction: #ty));
            args.push(match param.passing {
                Passing::Value => quote!(&#direction),
                Passing::Shared => quote!(#direction),
                Passing::Exclusive => quote!(&mut *#direction),
            });
            checks.extend(self.check_of_direction(tangent, param, &direction));
        }
        let sweep = sweep_of(tangent);
        let call = self.sweep(sweep);
        let (output, call) = self.answer(tangent, purpose, quote!(#call(#(#args),*)));
        let mut body = quote!(#checks #call);
        let (name, unseen) = match purpose {
            Purpose::Derivatives => (sweep, None),
            Purpose::Validity => ("validity", tangent.unseen.map(bound_of_unseen)),
        };
        if let Some(why) = tangent.refusal.map(bound_of).or(unseen) {
            let reason = format_ident!("{why}");
            extras.demand = Some(quote!(for<'user> (): #rt::tangent_of::#reason));
            body = quote!(::core::unreachable!());
        }
        Some(self.entry_with(name, doc, false, params, output, body, extras))
    }

    /// What an entry returns, and what it computes that by, from a call of the sweep.
    fn answer(
        &self,
        tangent: &Tangent,
        purpose: Purpose,
        call: TokenStream,
    ) -> (Option<TokenStream>, TokenStream) {
        let (rt, ret, carrier) = (&self.rt, &self.ret, self.interface.carrier);
        match (purpose, self.interface.output_dependent, carrier) {
            (Purpose::Derivatives, true, _) => (Some(self.tangent_output(tangent)), call),
            (Purpose::Derivatives, false, None) => (self.value_output(), quote!(#call.0)),
            (Purpose::Derivatives, false, Some(_)) => {
                (self.value_output(), quote!(#call.map(|#ret| #ret.0)))
            }
            (Purpose::Validity, _, carrier) => {
                let output = Some(self.carrying(&quote!((f64, f64))));
                let ends = match carrier {
                    None => quote!(let _ = #call; #ret.interval()),
                    Some(_) => quote!(#call.map(|_| #ret.interval())),
                };
                (output, quote!(let #ret = #rt::tested::Validity::new(); #ends))
            }
        }
    }

    /// The type of the direction of a parameter, as it is passed.
    fn passed_direction_type(&self, tangent: &Tangent, position: usize) -> TokenStream {
        let param = &self.interface.params[position];
        if tangent.several.is_none() {
            return located(param.ty.clone());
        }
        let ty = self.direction_type(tangent, position);
        match param.passing {
            Passing::Value => ty,
            Passing::Shared => quote!(&#ty),
            Passing::Exclusive => quote!(&mut #ty),
        }
    }

    /// The type parameters that stand for the activity of the parameters in the tangent.
    pub(super) fn tangent_activities(&self, tangent: &'a Tangent) -> Vec<TokenStream> {
        let rt = &self.rt;
        let activities = self.directed(tangent).zip(&self.activity).enumerate();
        let activities = activities.map(|(position, ((param, direction), activity))| {
            let ty = self.direction_type(tangent, position);
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
        let several = tangent.several.as_ref().map(|name| ident(name, Span::call_site()));
        params.extend(several.as_ref().map(|name| quote!(_: ::core::marker::PhantomData<#name>)));
        let all = self.directed(tangent).zip(&self.activity).enumerate();
        for (position, ((param, direction), activity)) in all {
            let (name, ty) = (self.inner_name(param), located(param.ty.clone()));
            params.push(quote!(#name: #ty));
            let Some(direction) = direction else {
                params.push(quote!(_: #activity));
                continue;
            };
            let ty = self.direction_type(tangent, position);
            let (binder, of) = match param.passing {
                Passing::Exclusive => (quote!(mut #direction), quote!(Slot)),
                Passing::Value | Passing::Shared => (quote!(#direction), quote!(Along)),
            };
            params.push(quote!(#binder: #activity));
            types.insert(param.var, quote!(<#activity as #rt::#of<#ty>>::Marker));
        }
        let body = match (tangent.refusal, &self.interface.given_tangent) {
            (Some(why), _) => self.refused_tangent(why),
            (None, None) => self.tangent_body(tangent, &types),
            (None, Some(_)) => self.body_of_given_tangent(tangent, &types),
        };
        let mut activities = self.tangent_activities(tangent);
        activities.extend(several.map(|name| quote!(#name: #rt::Directions)));
        let mentioned = quote!(#(#activities)* #(#params)* #body);
        let (generics, bounds) = self.generics(&activities, &mentioned);
        let (items, output) = (self.items(), self.tangent_output(tangent));
        let (definition, own) = self.sweep_definition(sweep_of(tangent));
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
        let body = &tangent.body;
        let mut emitter = self.emitter_of(body, Role::Tangent, types.clone());
        emitter.several.clone_from(&tangent.several);
        let statements = emitter.stmts(&body.block);
        let bindings = self
            .directed(tangent)
            .enumerate()
            .map(|(position, (_, name))| self.direction(&emitter, tangent, position, name));
        let bindings: TokenStream = bindings.collect();
        let declare = |var: Var, ty: TokenStream| {
            let name = emitter.name(var);
            (quote!(let mut #name: #ty;), name)
        };
        let unit = || (TokenStream::new(), quote!(()));
        let (declare_result, result) =
            body.result.map_or_else(unit, |result| declare(result, self.payload()));
        let slope = body.kept.first();
        let (declare_tangent, slope) =
            slope.map_or_else(unit, |kept| declare(kept.var, self.tangent_payload(tangent)));
        let (fallbacks, told) = (emitter.fallbacks(&statements), emitter.types());
        let constants = emitter.constants();
        let value = self.success(&quote!((#result, #slope)));
        let body = quote! {
            #fallbacks
            #told
            #constants
            #bindings
            #declare_result
            #declare_tangent
            #statements
            #value
        };
        let (watch, unseen) = (self.watch_in_sweep(), self.unseen_tests(tangent));
        self.unless_passive(tangent, types, &quote!(#watch #body), unseen)
    }

    /// What comes of a call with directions; of one without, there is only the value.
    pub(super) fn unless_passive(
        &self,
        tangent: &Tangent,
        types: &HashMap<Var, TokenStream>,
        body: &TokenStream,
        first: Option<TokenStream>,
    ) -> TokenStream {
        let active =
            self.interface.params.iter().filter_map(|param| {
                types.get(&param.var).map(|ty| (&self.markers[&param.var], ty))
            });
        let names = active.clone().map(|(name, _)| name);
        let (rt, passive) = (&self.rt, self.passive_tangent(tangent));
        let lets = active.map(|(name, ty)| quote!(let #name = <#ty as #rt::Marker>::ON;));
        quote! {
            #(#lets)*
            #first
            if !(#(#names)||*) {
                return #passive;
            }
            #body
        }
    }

    /// Only where tests are followed, those that are not seen are missed.
    fn unseen_tests(&self, tangent: &Tangent) -> Option<TokenStream> {
        let (rt, why) = (&self.rt, tangent.unseen?.in_words());
        let directions = ident(tangent.several.as_ref()?, Span::call_site());
        let message = format!("`{}` has no validity: {why}", self.interface.name);
        let follows = quote!(<#directions as #rt::Directions>::FOLLOWS_TESTS);
        Some(quote!(const { ::core::assert!(!#follows, #message) };))
    }

    /// Without a direction there is only the value.
    fn passive_tangent(&self, tangent: &Tangent) -> TokenStream {
        let (rt, ret, primal) = (&self.rt, &self.ret, self.primal_path());
        let args = self.interface.params.iter().map(|param| self.inner_name(param));
        let result = self.product.primal.result.map(|result| &self.product.primal.vars[result].ty);
        let several = tangent.several.as_ref().map(|name| ident(name, Span::call_site()));
        let zero = match self.interface.output_dependent {
            false => quote!(()),
            true if several.is_some() => quote!(#rt::zeros_along::<#several, _>(&#ret)),
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
        tangent: &Tangent,
        position: usize,
        name: Option<Ident>,
    ) -> TokenStream {
        let (Some(name), Some(var)) = (name, tangent.directions[position]) else {
            return TokenStream::new();
        };
        let (param, zero) = (&self.interface.params[position], tangent.unpassed[position].as_ref());
        let with_bars = self.interface.params.iter().filter(|param| param.has_bar()).count();
        let emission = Direction {
            rt: &self.rt,
            name,
            ty: self.direction_type(tangent, position),
            of: &tangent.body.vars[var].ty,
            // A value does not stand for directions in which nothing is looked at if they are of another type.
            alone: with_bars == 1 && tangent.several.is_none(),
        };
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
        let (activities, output) = (self.tangent_activities(tangent), self.tangent_output(tangent));
        self.by_receiver("tangent", &activities, &output, None)
    }

    /// A function that hands on its receiver to one that takes it as any argument. Something may go before the arguments: its
    /// type, and what is passed.
    pub(super) fn by_receiver(
        &self,
        sweep: &str,
        generics: &[TokenStream],
        output: &TokenStream,
        first: Option<(TokenStream, TokenStream)>,
    ) -> Option<TokenStream> {
        if !self.interface.has_receiver {
            return None;
        }
        let [receiver, others @ ..] = self.interface.params.as_slice() else { return None };
        let visibility = &self.interface.visibility;
        let (of, sweep) = (self.hidden_name(&format!("{sweep}_of")), self.sweep(sweep));
        let (own, name) = (self.receiver(), relocated(&receiver.ident));
        let names: Vec<Ident> = others.iter().map(|param| self.inner_name(param)).collect();
        let types: Vec<TokenStream> =
            others.iter().map(|param| located(param.ty.clone())).collect();
        let slots: Vec<Ident> = names.iter().map(|name| format_ident!("{name}_slot")).collect();
        let (own_activity, activities) = (&self.activity[0], &self.activity[1..]);
        let (generics, bounds) = self.generics(generics, &quote!(#(#generics)* #(#types)* #output));
        let (first_type, first) = first.unzip();
        let (first_type, first) = (first_type.into_iter(), first.into_iter());
        Some(quote! {
            #[doc(hidden)]
            #[allow(clippy::all)]
            #[inline]
            #visibility fn #of #generics (
                #own,
                #(_: #first_type,)*
                slot: #own_activity,
                #(#names: #types, #slots: #activities),*
            ) -> #output #bounds {
                #sweep(#(#first,)* #name, slot, #(#names, #slots),*)
            }
        })
    }

    /// The user's function.
    pub(super) fn primal_path(&self) -> TokenStream {
        match self.interface.home {
            Home::Struct | Home::Beside => quote!(Self::__primal),
            Home::Impl | Home::StandardTrait => {
                let (path, turbofish) =
                    (located(self.interface.primal.clone()), self.own_turbofish());
                quote!(#path #turbofish)
            }
        }
    }
}

/// What tells the entry of a tangent from that of another.
#[derive(Default)]
pub(super) struct TangentEntry {
    pub(super) doc: String,
    pub(super) purpose: Purpose,
    pub(super) extras: Extras,
}

/// What an entry is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Purpose {
    /// The value with its derivatives.
    #[default]
    Derivatives,
    /// How far the branches that were taken stay the same.
    Validity,
}

/// The name of the function that callers find.
pub(super) fn sweep_of(tangent: &Tangent) -> &'static str {
    match (&tangent.several, tangent.traced.is_some()) {
        (Some(_), _) => "tangents",
        (None, true) => "traced",
        (None, false) => "tangent",
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
        NoTangent::ForComparison => "NoComparison",
        NoTangent::InSeveralDirections => "NoOtherDirections",
    }
}

/// The bound that says why not all tests are followed.
fn bound_of_unseen(why: UnseenTests) -> &'static str {
    match why {
        UnseenTests::Verbatim => "NoVerbatimTests",
        UnseenTests::PassiveCall => "NoPassiveCalls",
        UnseenTests::NoNumbers => "NoOtherComparisons",
        UnseenTests::NoTangent => "NoTestedDirections",
    }
}

/// The direction of a parameter, where a tangent begins.
struct Direction<'a> {
    rt: &'a TokenStream,
    name: Ident,
    ty: TokenStream,
    /// The same, as far as it is known.
    of: &'a Type,
    /// Whether no other parameter has a direction: then this one is passed.
    alone: bool,
}

impl Direction<'_> {
    fn shared(&self, value: &Ident, zero: Option<TokenStream>) -> TokenStream {
        let (rt, name, ty) = (self.rt, &self.name, &self.ty);
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
        let (rt, name, ty) = (self.rt, &self.name, &self.ty);
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
        let (rt, name, ty) = (self.rt, &self.name, &self.ty);
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
