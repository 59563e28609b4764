//! What the entries are made of, found by callers through the uniform entry: the two sweeps, generic
//! over the activity of each argument.

use super::super::body::{Emitter, Markers, Role};
use super::super::types::known;
use super::super::{at, ident, located};
use super::generics::mentions;
use super::{Entries, Several, SeveralOf};
use crate::diff::ParamBar;
use crate::index::Var;
use crate::interface::{Home, Parameter, Passing};
use crate::ir::{Binding, Body, Condition, Kept, Variable};
use crate::types::Type;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::collections::HashMap;

impl<'a> Entries<'a> {
    /// The user's function, under a name that nothing can hide.
    pub(super) fn primal_function(&self) -> TokenStream {
        let path = located(self.interface.primal.clone());
        let names: Vec<Ident> =
            (0..self.interface.params.len()).map(|n| format_ident!("argument_{n}")).collect();
        let types = self.interface.params.iter().map(|param| located(param.ty.clone()));
        let output = self.output();
        let types: Vec<TokenStream> = types.collect();
        let (generics, bounds) = self.generics(&[], &quote!(#(#types)* #output));
        let turbofish = self.own_turbofish();
        quote! {
            #[doc(hidden)]
            #[inline]
            fn __primal #generics (#(#names: #types),*) -> #output #bounds {
                #path #turbofish (#(#names),*)
            }
        }
    }

    pub(super) fn own_turbofish(&self) -> Option<TokenStream> {
        let args = &self.interface.primal_args;
        (!args.is_empty()).then(|| quote!(::<#(#args),*>))
    }

    pub(super) fn emitter(&self, body: &'a Body, types: HashMap<Var, TokenStream>) -> Emitter<'a> {
        self.emitter_of(body, Role::Sweep, types)
    }

    pub(super) fn emitter_of(
        &self,
        body: &'a Body,
        role: Role,
        types: HashMap<Var, TokenStream>,
    ) -> Emitter<'a> {
        let params = self.markers.iter().map(|(&var, value)| {
            let ty = types.get(&var).cloned().unwrap_or_default();
            (var, (value.clone(), ty))
        });
        let markers = Markers { primal: self.primal_marker.clone(), params: params.collect() };
        let mut emitter = Emitter::new(
            self.product,
            body,
            role,
            self.rt.clone(),
            markers,
            self.stack.clone(),
            self.mark.clone(),
        );
        emitter.frame = self.frame.clone();
        emitter.several = self.several.as_ref().map(|several| several.parameter.to_string().into());
        emitter.is_along = self.several_of() == Some(SeveralOf::Directions);
        emitter
    }

    /// What is kept of types that can be written down, and the rest.
    pub(super) fn kept_parts(&self) -> (Vec<Kept>, Vec<Kept>) {
        let body = &self.product.adjoint.backward;
        let can_be_written = |kept: &Kept| {
            let variable = &body.vars[kept.var];
            let ty = known(&variable.ty).filter(|_| !variable.assumed);
            ty.is_some_and(|ty| !self.mentions_inner_items(ty))
        };
        let mut parts = body.kept.clone();
        // An operator has one type for what it keeps.
        if self.interface.home == Home::StandardTrait {
            parts.iter_mut().for_each(|kept| kept.when = Condition::always(body.pairs()));
        }
        parts.into_iter().partition(can_be_written)
    }

    /// The type of what is kept, for callers with such types of activity.
    pub(super) fn kept_type(&self, marker_types: &HashMap<Var, TokenStream>) -> TokenStream {
        let rt = &self.rt;
        let body = &self.product.adjoint.backward;
        let emitter = self.emitter(body, marker_types.clone());
        let types = self.kept_parts().0.into_iter().map(|kept| {
            let ty = known(&body.vars[kept.var].ty);
            if kept.when.is_always() {
                return quote!(#ty);
            }
            let when = emitter.condition_type(&kept.when);
            quote!(#rt::Kept<#when, #ty>)
        });
        let kept = nested_tuple(types.collect());
        match self.is_kept_by_type() {
            true => {
                let any = self.any_marker(marker_types);
                quote!(#rt::Kept<#any, #kept>)
            }
            false => quote!(::core::option::Option<#kept>),
        }
    }

    /// Whether the types of activity alone tell whether something is kept: not where a function may fail, nor of operators, whose types
    /// say nothing of activity.
    fn is_kept_by_type(&self) -> bool {
        self.interface.carrier.is_none() && self.interface.home != Home::StandardTrait
    }

    /// The marker that is on if that of any parameter is.
    fn any_marker(&self, types: &HashMap<Var, TokenStream>) -> TokenStream {
        let rt = &self.rt;
        let markers = self.interface.params.iter().filter_map(|param| types.get(&param.var));
        let any = markers.cloned().reduce(|any, marker| quote!(#rt::Or<#any, #marker>));
        any.unwrap_or_else(|| quote!(#rt::Off))
    }

    /// Nothing that is kept.
    fn nothing_kept(&self) -> TokenStream {
        let rt = &self.rt;
        match self.is_kept_by_type() {
            true => quote!(#rt::Kept::absent()),
            false => quote!(::core::option::Option::None),
        }
    }

    /// The types that say whether parameters are active, in the forward sweep.
    pub(super) fn forward_types(&self) -> HashMap<Var, TokenStream> {
        let params = self.interface.params.iter().zip(&self.activity);
        let types = params.filter(|(param, _)| param.has_bar());
        types.map(|(param, activity)| (param.var, quote!(#activity))).collect()
    }

    /// The same in the backward sweep.
    pub(super) fn backward_types(&self, receiver_is_bar: bool) -> HashMap<Var, TokenStream> {
        let rt = &self.rt;
        let params = self.interface.params.iter().zip(&self.activity).enumerate();
        let types = params.filter(|(_, (param, _))| param.has_bar());
        let types = types.map(|(position, (param, activity))| {
            let ty = self.bar_type(param);
            match position == 0 && receiver_is_bar {
                true => (param.var, quote!(#activity)),
                false => (param.var, quote!(<#activity as #rt::Slot<#ty>>::Marker)),
            }
        });
        types.collect()
    }

    /// The variables that stand for the activity of parameters, where the sweep looks at them.
    pub(super) fn marker_lets(
        &self,
        sweep: &'a Body,
        body: &TokenStream,
        types: &HashMap<Var, TokenStream>,
    ) -> TokenStream {
        let rt = &self.rt;
        let params = self.interface.params.iter().filter(|param| param.has_bar());
        let of_params = params.map(|param| (&self.markers[&param.var], &types[&param.var]));
        let primal_type = self.primal_type.to_token_stream();
        let all: Vec<_> = of_params.chain([(&self.primal_marker, &primal_type)]).collect();
        let mut mentioned = vec![false; all.len()];
        each_ident(body.clone(), &mut |ident| {
            for (mentioned, (name, _)) in mentioned.iter_mut().zip(&all) {
                *mentioned = *mentioned || ident == *name;
            }
        });
        let lets = all.iter().zip(mentioned).filter(|(_, mentioned)| *mentioned);
        let lets = lets.map(|((name, ty), _)| quote!(let #name = <#ty as #rt::Marker>::ON;));
        lets.chain([self.answers(sweep, body, types)]).collect()
    }

    /// The type parameters that stand for the activity of the parameters in the forward sweep.
    pub(super) fn forward_activities(&self) -> Vec<TokenStream> {
        let Self { rt, primal_type, .. } = self;
        let params = self.interface.params.iter().zip(&self.activity);
        let activities = params.map(|(param, activity)| {
            if param.has_bar() {
                quote!(#activity: #rt::Marker)
            } else if self.type_of(param).may_carry_floats() {
                quote!(#activity: #rt::Passive)
            } else {
                quote!(#activity)
            }
        });
        let first = [quote!(#primal_type: #rt::Marker)].into_iter();
        let several = match self.several_of() {
            None | Some(SeveralOf::Seeds) => None,
            Some(SeveralOf::Directions) => self.parameter_of_several(),
        };
        first.chain(activities).chain(several).collect()
    }

    /// The type parameter that stands for the bars of a float, if there are several.
    fn parameter_of_several(&self) -> Option<TokenStream> {
        let (rt, Several { parameter, .. }) = (&self.rt, self.several.as_ref()?);
        Some(quote!(#parameter: #rt::Bars))
    }

    /// The generic parameters and the where clause of the forward sweep.
    pub(super) fn forward_generics(&self, mentioned: &TokenStream) -> (TokenStream, TokenStream) {
        self.generics(&self.forward_activities(), mentioned)
    }

    pub(super) fn forward_sweep(&self) -> TokenStream {
        let Self { rt, stack, stack_type, primal_type, .. } = self;
        let types = self.forward_types();
        let params = self.interface.params.iter().zip(&self.activity).map(|(param, activity)| {
            let (name, ty) = (self.inner_name(param), located(param.ty.clone()));
            quote!(#name: #ty, _: #activity)
        });
        let params: Vec<TokenStream> = params.collect();
        let any: Vec<TokenStream> = self
            .interface
            .params
            .iter()
            .filter_map(|param| types.get(&param.var))
            .map(|ty| quote!(<#ty as #rt::Marker>::ON))
            .collect();
        let args = self.interface.params.iter().map(|param| self.inner_name(param));
        let args: Vec<Ident> = args.collect();
        let body = self.forward_body(&types);
        let lets = self.marker_lets(&self.product.adjoint.forward, &body, &types);
        let (output, kept, items) = (self.output(), self.kept_type(&types), self.items_of_sweep());
        let (generics, bounds) = self.forward_generics(&quote!(#(#params)* #body));
        let (definition, own) = self.sweep_definition(self.forward_name());
        // Callers take it for granted of operators.
        let repeatable = (self.interface.home == Home::StandardTrait).then(|| {
            let is_repeatable = self.is_repeatable();
            let message = "an operator with an adjoint must not have effects of its own";
            quote! {
                const {
                    let callers = #rt::Callers::NONE;
                    let _ = &callers;
                    ::core::assert!(#is_repeatable, #message)
                };
            }
        });
        let unless_active = self.unless_active(&any, &args);
        let (is_own, watch) = (self.own_function_proof(), self.watch_in_sweep());
        let declarations = self.declarations_proof();
        quote! {
            #[doc(hidden)]
            #[inline]
            #definition #generics (
                #own
                #stack: &mut #stack_type,
                _: #primal_type,
                #(#params),*
            ) -> (#output, #kept) #bounds {
                #items
                #declarations
                #is_own
                #repeatable
                #unless_active
                #watch
                #lets
                #body
            }
        }
    }

    /// What a forward sweep does unless something is active.
    fn unless_active(&self, any: &[TokenStream], args: &[Ident]) -> Option<TokenStream> {
        let (rt, stack, mark) = (&self.rt, &self.stack, &self.mark);
        let nothing = self.nothing_kept();
        let inactive = match self.several_of() {
            None | Some(SeveralOf::Seeds) => {
                let primal = self.primal_path();
                quote!(return (#primal(#(#args),*), #nothing);)
            }
            // Of methods users have an entry, and nobody else.
            Some(SeveralOf::Directions) if self.interface.home == Home::Impl => return None,
            // There is no function for several directions but this.
            Some(SeveralOf::Directions) => {
                let (sweep, ret) = (self.sweep(self.forward_name()), &self.ret);
                let args = self.interface.params.iter().zip(args).map(|(param, arg)| {
                    let marker = if param.has_bar() { quote!(On) } else { quote!(Off) };
                    quote!(#arg, #rt::#marker)
                });
                quote! {
                    let #mark = #stack.mark();
                    let (#ret, _) =
                        #sweep(&mut *#stack, #rt::On, #(#args),*);
                    #stack.rewind(#mark);
                    return (#ret, #nothing);
                }
            }
        };
        Some(quote!(if !(#(#any)||*) { #inactive }))
    }

    /// The name of a parameter in the sweeps.
    pub(super) fn inner_name(&self, param: &Parameter) -> Ident {
        let name = &self.primal.vars[param.var].name;
        super::super::ident(name, param.ident.span())
    }

    pub(super) fn items(&self) -> TokenStream {
        self.product.items.iter().cloned().map(located).collect()
    }

    /// The items of a sweep, which may have to store values of any type.
    pub(super) fn items_of_sweep(&self) -> TokenStream {
        let codes = self.product.codes.iter().cloned().map(located);
        [self.items()].into_iter().chain(codes).collect()
    }

    pub(super) fn forward_body(&self, types: &HashMap<Var, TokenStream>) -> TokenStream {
        let body = &self.product.adjoint.forward;
        let emitter = self.emitter(body, types.clone());
        let statements = emitter.stmts(&body.block);
        let (known, others) = self.kept_parts();
        let (stack, kept_name, rt) = (&self.stack, &self.kept, &self.rt);
        let pushes = others.iter().map(|kept| {
            let value = self.kept_value(&emitter, body, kept.var);
            let value = emitter.coded(&body.vars[kept.var].ty, value);
            let push = quote!(#stack.push(#value););
            if kept.when.is_always() {
                return push;
            }
            let when = emitter.condition(&kept.when);
            quote!(if #when { #push })
        });
        let pushes: TokenStream = pushes.collect();
        let kept = known.iter().map(|kept| {
            let value = self.kept_value(&emitter, body, kept.var);
            match (kept.when.is_always(), body.vars[kept.var].ty.is_copy()) {
                (true, _) => value,
                (false, true) => quote!(#rt::Kept::new(#value)),
                (false, false) => quote!(#rt::Kept::made(|| #value)),
            }
        });
        let kept = nested_tuple(kept.collect());
        let kept = match self.is_kept_by_type() {
            true => quote!(#rt::Kept::new(#kept)),
            false => quote!(::core::option::Option::Some(#kept)),
        };
        let result = match body.result {
            Some(result) => {
                let (name, ty) = (emitter.name(result), self.payload());
                (quote!(let mut #name: #ty;), quote!(#name))
            }
            None => (TokenStream::new(), quote!(())),
        };
        let (declare, value) = result;
        let passive = emitter.passive_proofs();
        let (fallbacks, told) = (emitter.fallbacks(&quote!(#passive #statements)), emitter.types());
        let constants = emitter.constants();
        let (mark, value) = (self.mark_before(), self.success(&value));
        quote! {
            #fallbacks
            #told
            #passive
            #constants
            #declare
            #mark
            #statements
            let #kept_name = #kept;
            #pushes
            (#value, #kept_name)
        }
    }

    /// What is handed to the backward sweep for a variable.
    pub(super) fn kept_value(&self, emitter: &Emitter<'_>, body: &Body, var: Var) -> TokenStream {
        let name = emitter.name(var);
        let variable = &body.vars[var];
        let (rt, span) = (&self.rt, at(variable.span));
        match (&variable.binding, &variable.ty) {
            (Binding::Exclusive, Type::Slice(_)) => quote!(#name.to_vec()),
            (Binding::Exclusive, ty) if ty.is_copy() => quote!(*#name),
            (Binding::Exclusive, ty) if ty.is_known() => quote_spanned!(span=> #name.clone()),
            (Binding::Exclusive, _) => quote_spanned!(span=> #rt::copied(&*#name)),
            (_, ty) if ty.is_copy() => name,
            (_, ty) if body.result == Some(var) && ty.is_known() => {
                quote_spanned!(span=> #name.clone())
            }
            _ if body.result == Some(var) => quote_spanned!(span=> #rt::copied(&#name)),
            _ => name,
        }
    }

    /// The type parameters that stand for the activity of the parameters in the backward sweep. Where
    /// the bar of the receiver is the receiver, a marker follows it.
    pub(super) fn backward_activities(&self, receiver_is_bar: bool) -> Vec<TokenStream> {
        let Self { rt, primal_type, .. } = self;
        let activities = self.params().zip(&self.activity).enumerate();
        let activities = activities.map(|(position, ((param, bar), activity))| match bar {
            Some(_) if position == 0 && receiver_is_bar => quote!(#activity: #rt::Marker),
            Some(_) => {
                let ty = self.bar_type(param);
                quote!(#activity: #rt::Slot<#ty>)
            }
            // For several seeds that is what the backward sweep for one says.
            None if self.type_of(param).may_carry_floats() && self.several.is_none() => {
                quote!(#activity: #rt::Passive)
            }
            None => quote!(#activity),
        });
        let first = [quote!(#primal_type: #rt::Marker)].into_iter();
        first.chain(activities).chain(self.parameter_of_several()).collect()
    }

    /// The generic parameters and the where clause of the backward sweep.
    pub(super) fn backward_generics(
        &self,
        receiver_is_bar: bool,
        mentioned: &TokenStream,
    ) -> (TokenStream, TokenStream) {
        let activities = self.backward_activities(receiver_is_bar);
        let mentioned = quote!(#(#activities)* #mentioned);
        self.generics(&activities, &mentioned)
    }

    pub(super) fn backward_sweep(&self) -> TokenStream {
        let Self { stack, stack_type, primal_type, .. } = self;
        let kept_name = &self.kept;
        let types = self.backward_types(false);
        let mut params = Vec::new();
        for ((param, bar), activity) in self.params().zip(&self.activity) {
            let (name, ty) = (self.inner_name(param), located(param.ty.clone()));
            match param.passing {
                Passing::Shared => params.push(quote!(#name: #ty)),
                Passing::Value => params.push(quote!(#name: &#ty)),
                Passing::Exclusive if self.interface.home == Home::StandardTrait => {
                    params.push(quote!(_: ::core::marker::PhantomData<Self>));
                }
                Passing::Exclusive => params.push(quote!(_: ())),
            }
            match bar {
                Some(bar) => params.push(quote!(mut #bar: #activity)),
                None => params.push(quote!(_: #activity)),
            }
        }
        let body = self.backward_body(&types);
        let lets = self.marker_lets(&self.product.adjoint.backward, &body, &types);
        let (kept_type, items) = (self.kept_type(&types), self.items_of_sweep());
        let (generics, bounds) =
            self.backward_generics(false, &quote!(#(#params)* #kept_type #body));
        let seed = self.seed_parameter();
        let (definition, own) = self.sweep_definition(self.backward_name());
        let several = self.several.iter().map(|several| &several.parameter);
        quote! {
            #[doc(hidden)]
            #[inline]
            #definition #generics (
                #own
                #stack: &mut #stack_type,
                _: #primal_type,
                #(_: ::core::marker::PhantomData<#several>,)*
                #kept_name: #kept_type,
                #(#params,)*
                #seed
            ) #bounds {
                #items
                #lets
                #body
            }
        }
    }

    pub(super) fn seed_parameter(&self) -> TokenStream {
        let rt = &self.rt;
        if self.interface.output_dependent {
            let (seed, ty) = (&self.seed, self.seed_type());
            return quote!(#seed: impl #rt::Seed<#ty>);
        }
        quote!(_: impl #rt::Seed<()>)
    }

    /// The seed as a variable of the backward sweep.
    pub(super) fn seed_variable(&self) -> Option<TokenStream> {
        let (rt, seed, ty) = (&self.rt, &self.seed, self.seed_type());
        self.interface
            .output_dependent
            .then(|| quote!(let mut #seed: #ty = #rt::Seed::weight(#seed);))
    }

    pub(super) fn backward_body(&self, types: &HashMap<Var, TokenStream>) -> TokenStream {
        let body = &self.product.adjoint.backward;
        let emitter = self.emitter(body, types.clone());
        let kept_name = &self.kept;
        let (known, others) = self.kept_parts();
        let pattern = known.iter().map(|kept| {
            let name = emitter.name(kept.var);
            if kept.when.is_always() { quote!(mut #name) } else { quote!(#name) }
        });
        let pattern = nested_tuple(pattern.collect());
        let present = match self.is_kept_by_type() {
            true => quote!(#kept_name.present()),
            false => quote!(#kept_name),
        };
        let values = known.iter().filter(|kept| !kept.when.is_always()).map(|kept| {
            let name = emitter.name(kept.var);
            quote!(let mut #name = #name.value();)
        });
        let pops = others.iter().rev().map(|kept| {
            let (name, value) = (emitter.name(kept.var), emitter.witnessed_pop(kept.var));
            if kept.when.is_always() {
                return quote!(let mut #name = #value;);
            }
            let when = emitter.condition(&kept.when);
            let other = emitter.stand_in(&emitter.body.vars[kept.var].ty);
            quote!(let mut #name = if #when { #value } else { #other };)
        });
        let pops: TokenStream = pops.collect();
        let bars = self.interface.params.iter().zip(&self.product.adjoint.bars);
        let statements = emitter.stmts(&body.block);
        let bars = bars.map(|(param, slot)| self.bar_binding(&emitter, param, slot, &statements));
        let bars: TokenStream = bars.collect();
        let seed = self.seed_variable();
        let (fallbacks, told) = (emitter.fallbacks(&statements), emitter.types());
        quote! {
            #fallbacks
            #told
            let ::core::option::Option::Some(#pattern) = #present else { return };
            #(#values)*
            #pops
            #bars
            #seed
            #statements
        }
    }

    /// Gets the bar out of a slot, for the statements. Where it is not passed, something else takes its place.
    fn bar_binding(
        &self,
        emitter: &Emitter<'_>,
        param: &Parameter,
        slot: &ParamBar,
        statements: &TokenStream,
    ) -> TokenStream {
        let Some(bar) = slot.bar else { return TokenStream::new() };
        let rt = &self.rt;
        let Variable { name, span, .. } = &emitter.body.vars[bar];
        let name = ident(name, *span);
        let get = quote!(#rt::Slot::bar(&mut #name));
        let alone = self.interface.params.iter().filter(|param| param.has_bar()).count() == 1;
        if alone {
            return quote!(let ::core::option::Option::Some(#name) = #get else { return };);
        }
        let ty = self.bar_type(param);
        let scratch = format_ident!("{}_scratch", self.primal.vars[param.var].name);
        let instead = match (&slot.scratch, self.type_of(param)) {
            (Some(zero), _) => {
                let zero = emitter.expr(zero);
                quote!({ #scratch = #zero; &mut #scratch })
            }
            // Where the user gives the adjoint, it gets all bars.
            (None, Type::Slice(_))
                if self.interface.given_adjoint.is_some() && param.passing == Passing::Shared =>
            {
                let value = self.inner_name(param);
                quote!({ #scratch = #rt::Differentiable::zero_bar(#value); &mut #scratch[..] })
            }
            (None, of @ Type::Slice(_)) if known(of).is_some() => {
                return quote! {
                    let #name: &mut #ty = match #get {
                        ::core::option::Option::Some(bar) => bar,
                        ::core::option::Option::None => &mut [],
                    };
                };
            }
            // Nothing of it is active: not every type has a value that could take its place.
            (None, _) if !mentions(statements, &name) => return quote!(let _ = &mut #name;),
            (None, of) if param.passing == Passing::Exclusive || matches!(of, Type::Slice(_)) => {
                let unset = match self.several {
                    Some(_) => quote!(#rt::ZeroSeed::zero_seed()),
                    None => quote!(::core::default::Default::default()),
                };
                quote!({ #scratch = #unset; &mut #scratch })
            }
            (None, _) => {
                let zero = self.zeros_for(param);
                quote!({ #scratch = #zero; &mut #scratch })
            }
        };
        quote! {
            let mut #scratch;
            let #name: &mut #ty = match #get {
                ::core::option::Option::Some(bar) => bar,
                ::core::option::Option::None => #instead,
            };
        }
    }
}

impl Entries<'_> {
    /// Zeros in the place of the bar of a parameter.
    fn zeros_for(&self, param: &Parameter) -> TokenStream {
        let (rt, value) = (&self.rt, self.inner_name(param));
        let Some(Several { parameter, .. }) = &self.several else {
            return quote!(#rt::Differentiable::zero_bar(#value));
        };
        let body = &self.product.adjoint.backward;
        if !body.vars[param.var].ty.holds_several() {
            return quote!(#rt::zeros_along::<#parameter, _>(#value));
        }
        // The bar of a direction is made of numbers, as the value is of which it is a direction, which precedes it.
        let is_own = |other: &Parameter| other.var == param.var;
        let number = self.interface.params.iter().position(is_own);
        let number = number.expect("it is one of the parameters");
        let value = self.inner_name(&self.interface.params[number - 1]);
        quote!(#rt::Differentiable::zero_bar(#value))
    }
}

/// A tuple, of tuples if there are more parts than tuples can have for the standard traits.
fn nested_tuple(mut parts: Vec<TokenStream>) -> TokenStream {
    const LONGEST: usize = 12;
    while parts.len() > LONGEST {
        parts = parts.chunks(LONGEST).map(|chunk| quote!((#(#chunk,)*))).collect();
    }
    quote!((#(#parts,)*))
}

/// All names in code.
pub(super) fn each_ident(code: TokenStream, visit: &mut impl FnMut(&Ident)) {
    for token in code {
        match token {
            TokenTree::Group(group) => each_ident(group.stream(), visit),
            TokenTree::Ident(ident) => visit(&ident),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
