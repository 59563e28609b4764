//! The entries that users call: thin wrappers around the two sweeps.

use super::super::types::{known, owned_bar};
use super::super::{docs, located};
use super::shapes::LateShape;
use super::{Entries, Entry, relocated};
use crate::interface::{Home, Parameter, Passing};
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

/// What some entries have besides.
#[derive(Default)]
pub(super) struct Extras {
    /// More generic parameters.
    pub(super) generics: Vec<TokenStream>,
    /// A demand on those who use it.
    pub(super) demand: Option<TokenStream>,
}

impl<'a> Entries<'a> {
    /// Those that there are.
    pub(super) fn public(&self) -> Vec<Entry> {
        self.selected(self.all_public())
    }

    /// Those that there may be.
    pub(super) fn all_public(&self) -> Vec<Entry> {
        let mut entries = vec![self.adjoint(), self.adjoint_with()];
        entries.extend([self.adjoint_only(), self.adjoint_only_with()]);
        if self.has_gradient() {
            entries.extend([self.gradient(), self.gradient_with()]);
            entries.extend([self.gradient_into(), self.gradient_into_with()]);
        }
        entries.extend([self.pullback(), self.forward(), self.backward()]);
        let ordinary = self.product.ordinary.map(Entries::new);
        let ordinary = ordinary.as_ref().unwrap_or(self);
        entries.extend(ordinary.tangent());
        entries.extend(ordinary.tangents());
        entries.extend(ordinary.validity());
        entries.extend(ordinary.sparse());
        entries.extend(self.adjoints());
        entries.extend(self.jacobian());
        entries.extend(self.first_nonfinite());
        entries
    }

    pub(super) fn has_gradient(&self) -> bool {
        let scalar =
            self.primal.result.is_some_and(|result| self.primal.vars[result].ty.is_float());
        let others = self.interface.params.iter().any(|param| param.dependent);
        scalar && self.interface.output_dependent && !others
    }

    pub(super) fn entry(
        &self,
        name: &str,
        doc: String,
        with_stack: bool,
        params: Vec<TokenStream>,
        output: Option<TokenStream>,
        body: TokenStream,
    ) -> Entry {
        self.entry_with(name, doc, with_stack, params, output, body, Extras::default())
    }

    /// The same, with something more.
    #[allow(clippy::too_many_arguments, reason = "the parts of a function")]
    pub(super) fn entry_with(
        &self,
        name: &str,
        doc: String,
        with_stack: bool,
        params: Vec<TokenStream>,
        output: Option<TokenStream>,
        body: TokenStream,
        extras: Extras,
    ) -> Entry {
        let ident = self.entry_name(name);
        let (stack, stack_type) = (&self.stack, &self.stack_type);
        let (generics, mut bounds) =
            self.public_generics(&extras.generics, &quote!(#(#params)* #output));
        if let Some(demand) = extras.demand {
            let begin = if bounds.is_empty() { quote!(where) } else { quote!(,) };
            bounds.extend(quote!(#begin #demand));
        }
        // What a backward sweep needs of what a `&mut` refers to is on the stack.
        let is_found_by_type = name == "backward" && self.changes_receiver();
        let receiver = self.receiver().filter(|_| !is_found_by_type);
        let stack_param = with_stack.then(|| quote!(#stack: &mut #stack_type));
        let params = receiver.into_iter().chain(stack_param).chain(params);
        let returns = output.as_ref().map(|output| quote!(-> #output));
        let signature = quote!(fn #ident #generics (#(#params),*) #returns #bounds);
        let visibility = self.entry_visibility();
        let tokens = quote! {
            #[doc = #doc]
            #[inline]
            #[track_caller]
            #visibility #signature { #body }
        };
        Entry { name: ident, doc, signature, tokens }
    }

    pub(super) fn value_output(&self) -> Option<TokenStream> {
        self.interface.output.as_ref().map(|_| self.output())
    }

    pub(super) fn adjoint(&self) -> Entry {
        let with_pool = || self.call_of("adjoint_with", &self.pool(), self.adjoint_args());
        let at_once = self.call_of_single_pass().or_else(|| self.call_of_given_adjoint());
        let body = at_once.unwrap_or_else(with_pool);
        let doc = docs::adjoint(self.interface);
        self.entry("adjoint", doc, false, self.adjoint_params(false), self.value_output(), body)
    }

    pub(super) fn adjoint_with(&self) -> Entry {
        let (ret, stack) = (&self.ret, &self.stack);
        let at_once = self.call_of_single_pass().or_else(|| self.call_of_given_adjoint());
        let body = match at_once {
            Some(call) => quote!(let _ = #stack; #call),
            None => {
                let joint = self.joint(true);
                quote!(#joint #ret)
            }
        };
        let doc = docs::with(&docs::adjoint(self.interface));
        self.entry("adjoint_with", doc, true, self.adjoint_params(false), self.value_output(), body)
    }

    pub(super) fn adjoint_only(&self) -> Entry {
        let call = self.call_of("adjoint_only_with", &self.pool(), self.adjoint_args());
        let (output, body) = match self.outcome_output() {
            Some(output) => (Some(output), call),
            None => (None, quote!(#call;)),
        };
        let doc = docs::adjoint_only(self.interface);
        self.entry("adjoint_only", doc, false, self.adjoint_params(false), output, body)
    }

    pub(super) fn adjoint_only_with(&self) -> Entry {
        let doc = docs::with(&docs::adjoint_only(self.interface));
        let params = self.adjoint_params(false);
        let (joint, ret) = (self.joint(false), &self.ret);
        let output = self.outcome_output();
        let body = match output {
            Some(_) => quote!(#joint #ret.map(|_| ())),
            None => joint,
        };
        self.entry("adjoint_only_with", doc, true, params, output, body)
    }

    /// What is left of the returned value without the result, if the function may fail.
    fn outcome_output(&self) -> Option<TokenStream> {
        self.interface.carrier.map(|_| self.carrying(&quote!(())))
    }

    /// Both sweeps, one after the other.
    pub(super) fn joint(&self, wants_value: bool) -> TokenStream {
        self.joint_after(wants_value, &TokenStream::new())
    }

    /// Both sweeps, and between them some statements, unless the function has failed.
    fn joint_after(&self, wants_value: bool, between: &TokenStream) -> TokenStream {
        let Self { rt, stack, ret, kept, guard, .. } = self;
        let (forward, backward) = (self.forward_args(), self.backward_args());
        let (checks, cleared) = (self.checks(), self.cleared());
        let late: TokenStream = self.reshaped().iter().map(|shape| shape.check(rt)).collect();
        let (forward_sweep, backward_sweep) =
            (self.sweep(self.forward_name()), self.sweep(self.backward_name()));
        let several = self.marker_of_several();
        // A result whose shape is checked must be there.
        let wanted = match wants_value || self.has_shape_of_seed() {
            true => quote!(#rt::On),
            false => quote!(#rt::Off),
        };
        let types = self.interface.params.iter().map(|param| located(param.ty.clone()));
        let is_told = wants_value || self.names_generics(&types.collect::<Vec<_>>(), &quote!());
        let output = self.output();
        let told = (!is_told).then(|| quote!(: (#output, _)));
        let turn = self.turn(&quote!(#guard));
        let backward = quote! {
            #late
            #turn
            #between
            #cleared
            #backward_sweep(&mut #guard, #wanted, #several #kept, #(#backward),*);
        };
        let backward = self.unless_failed(&backward);
        quote! {
            #checks
            let mut #guard = #stack.rewind_on_drop();
            let (#ret, #kept) #told = #forward_sweep(&mut #guard, #wanted, #(#forward),*);
            #backward
        }
    }

    pub(super) fn independents(&self) -> Vec<(&'a Parameter, &Ident)> {
        let independents = self.params().filter(|(param, _)| param.independent);
        independents.filter_map(|(param, bar)| Some((param, bar.as_ref()?))).collect()
    }

    pub(super) fn gradient_type(&self) -> TokenStream {
        let types: Vec<TokenStream> = self
            .independents()
            .into_iter()
            .map(|(param, _)| {
                owned_bar(self.type_of(param), &located(param.pointee.clone()), &self.rt)
            })
            .collect();
        match types.as_slice() {
            [only] => only.clone(),
            types => quote!((#(#types),*)),
        }
    }

    pub(super) fn gradient_output(&self) -> TokenStream {
        let (payload, gradient) = (self.payload(), self.gradient_type());
        self.carrying(&quote!((#payload, #gradient)))
    }

    pub(super) fn gradient(&self) -> Entry {
        let args = self.interface.params.iter().map(|param| {
            let name = relocated(&param.ident);
            quote!(#name)
        });
        let body = self.call_of("gradient_with", &self.pool(), args.collect());
        let doc = docs::gradient(self.interface);
        let output = Some(self.gradient_output());
        self.entry("gradient", doc, false, self.primal_params(), output, body)
    }

    pub(super) fn gradient_with(&self) -> Entry {
        let Self { rt, stack, ret, .. } = self;
        let zeros = self.independents().into_iter().map(|(param, bar)| {
            let name = relocated(&param.ident);
            let value = match param.passing {
                Passing::Shared => quote!(#name),
                Passing::Value => quote!(&#name),
                Passing::Exclusive => quote!(&*#name),
            };
            quote!(let mut #bar = #rt::Differentiable::zero_bar(#value);)
        });
        let args = self.params().map(|(param, bar)| {
            let name = relocated(&param.ident);
            match bar {
                Some(bar) => vec![quote!(#name), quote!(&mut #bar)],
                None => vec![quote!(#name)],
            }
        });
        let args = args.flatten();
        let bars = self.independents().into_iter().map(|(_, bar)| bar);
        let bars: Vec<&Ident> = bars.collect();
        let gradient = match bars.as_slice() {
            [only] => quote!(#only),
            bars => quote!((#(#bars),*)),
        };
        let args = args.chain([self.one()]).collect();
        let adjoint = self.call_of("adjoint_with", &quote!(#stack), args);
        let pair = match self.interface.carrier {
            Some(_) => quote!(#ret.map(|#ret| (#ret, #gradient))),
            None => quote!((#ret, #gradient)),
        };
        let body = quote! {
            #(#zeros)*
            let #ret = #adjoint;
            #pair
        };
        let doc = docs::with(&docs::gradient(self.interface));
        let output = Some(self.gradient_output());
        self.entry("gradient_with", doc, true, self.primal_params(), output, body)
    }

    /// The parameters of `gradient_into`: each independent followed by where its gradient goes.
    pub(super) fn gradient_params(&self) -> (Vec<TokenStream>, Vec<Ident>) {
        let (mut params, mut names) = (Vec::new(), Vec::new());
        let mut taken = self.product.adjoint.backward.names.clone();
        for (position, (param, _)) in self.params().enumerate() {
            let (name, ty) = (relocated(&param.ident), located(param.ty.clone()));
            if position > 0 || !self.interface.has_receiver {
                params.push(quote!(#name: #ty));
            }
            if param.independent {
                let name = param.ident.to_string();
                let gradient = taken.fresh(&format!("{}_g", name.trim_start_matches("r#")));
                let gradient = Ident::new(&gradient, super::super::at(param.ident.span()));
                let ty = self.bar_type(param);
                params.push(quote!(#gradient: &mut #ty));
                names.push(gradient);
            }
        }
        (params, names)
    }

    pub(super) fn gradient_into_args(&self, names: &[Ident]) -> Vec<TokenStream> {
        let mut names = names.iter();
        let args = self.interface.params.iter().flat_map(|param| {
            let name = relocated(&param.ident);
            let gradient = param.independent.then(|| names.next()).flatten();
            [quote!(#name)].into_iter().chain(gradient.map(|gradient| quote!(#gradient)))
        });
        args.collect()
    }

    pub(super) fn gradient_into(&self) -> Entry {
        let (params, names) = self.gradient_params();
        let args = self.gradient_into_args(&names);
        let body = self.call_of("gradient_into_with", &self.pool(), args);
        let doc = docs::gradient_into(self.interface);
        self.entry("gradient_into", doc, false, params, Some(self.output()), body)
    }

    pub(super) fn gradient_into_with(&self) -> Entry {
        let Self { rt, stack, .. } = self;
        let (params, names) = self.gradient_params();
        let args = self.gradient_into_args(&names);
        let clear = |names: &[&Ident]| quote!(#(#rt::Vector::set_zero(&mut *#names);)*);
        let one = self.one();
        let body = match self.interface.carrier {
            None => {
                let clear = clear(&names.iter().collect::<Vec<_>>());
                let args = args.into_iter().chain([one]).collect();
                let adjoint = self.call_of("adjoint_with", &quote!(#stack), args);
                quote!(#clear #adjoint)
            }
            // Of what fails the gradients stay as they are.
            Some(_) => {
                let independents = self.independents();
                let bars: Vec<&Ident> = independents.iter().map(|(_, bar)| *bar).collect();
                let (seed, ret) = (&self.seed, &self.ret);
                let joint = self.joint_after(true, &clear(&bars));
                quote! {
                    #(let #bars = &mut *#names;)*
                    let #seed = #one;
                    #joint
                    #ret
                }
            }
        };
        let doc = docs::with(&docs::gradient_into(self.interface));
        self.entry("gradient_into_with", doc, true, params, Some(self.output()), body)
    }

    pub(super) fn pullback(&self) -> Entry {
        let Self { rt, stack, ret, kept, .. } = self;
        let facade = &self.interface.facade;
        let (mut params, mut bar_params) = (Vec::new(), Vec::new());
        let (mut bar_types, mut kinds) = (Vec::new(), Vec::new());
        for (position, (param, bar)) in self.params().enumerate() {
            let (name, ty) = (relocated(&param.ident), located(param.ty.clone()));
            let pointee = located(param.pointee.clone());
            let is_receiver = position == 0 && self.interface.has_receiver;
            params.push(match param.passing {
                Passing::Shared if is_receiver => quote!(&'inputs #name),
                Passing::Value if is_receiver => quote!(#name),
                Passing::Exclusive if is_receiver => quote!(&mut #name),
                Passing::Shared => {
                    let (lifetime, pointee) = (self.lifetime_of(&ty), with_inputs(pointee));
                    quote!(#name: &#lifetime #pointee)
                }
                Passing::Value => {
                    let ty = with_inputs(ty);
                    quote!(#name: #ty)
                }
                Passing::Exclusive => quote!(#name: #ty),
            });
            if let Some(bar) = bar {
                let ty = self.bar_type(param);
                bar_params.push(quote!(#bar: &mut #ty));
                bar_types.push(quote!(&mut #ty));
                kinds.push(quote!(#rt::pullback::Bar<#ty>));
            }
        }
        if self.interface.output_dependent {
            let (seed, ty) = (&self.seed, self.seed_type());
            bar_params.push(quote!(#seed: #ty));
            kinds.push(quote!(#rt::pullback::Weight<#ty>));
            bar_types.push(ty);
        }
        let (forward, backward) = (self.forward_args(), self.backward_args());
        let (checks, late) = (self.checks_of_shared(), self.out_of_reach());
        let shapes = late.iter().map(LateShape::remembered);
        let late_checks = late.iter().map(|shape| shape.check_remembered(rt));
        let (cleared, turn) = (self.cleared(), self.turn(&quote!(#stack)));
        let (forward_sweep, backward_sweep) = (self.sweep("forward"), self.sweep("backward"));
        let pullback = quote!(#facade::Pullback::new(backward));
        let returned = match self.interface.carrier {
            Some(_) => quote!(#ret.map(|#ret| (#ret, #pullback))),
            None => quote!((#ret, #pullback)),
        };
        let body = quote! {
            let mut #stack = #rt::pool();
            let (#ret, #kept) = #forward_sweep(&mut #stack, #rt::On, #(#forward),*);
            #turn
            #(#shapes)*
            let backward = move |#(#bar_params),*| {
                #checks
                #(#late_checks)*
                #cleared
                #backward_sweep(&mut #stack, #rt::On, #kept, #(#backward),*);
            };
            #returned
        };
        let captured = self.captured();
        let payload = self.payload();
        let output = self.carrying(&quote! {
            (#payload, #facade::Pullback<
                impl ::core::ops::FnOnce(#(#bar_types),*) + #captured,
                (#(#kinds,)*),
            >)
        });
        let name = self.entry_name("pullback");
        let doc = docs::pullback(self.interface);
        let (generics, bounds) = self.public_generics(&[], &quote!(#(#params)* #output));
        let own = generics.into_iter().skip(1);
        let generics = match own.clone().next() {
            Some(_) => quote!(<'inputs, #(#own)*),
            None => quote!(<'inputs>),
        };
        let signature = quote!(fn #name #generics (#(#params),*) -> #output #bounds);
        let visibility = self.entry_visibility();
        let tokens = quote! {
            #[doc = #doc]
            #[inline]
            #[track_caller]
            #visibility #signature { #body }
        };
        Entry { name, doc, signature, tokens }
    }

    /// How long a pullback has what a reference is to: as long as the function asks for, where that is no parameter of its own.
    fn lifetime_of(&self, reference: &TokenStream) -> syn::Lifetime {
        let inputs = || syn::Lifetime::new("'inputs", Span::call_site());
        let Ok(syn::Type::Reference(reference)) = syn::parse2(reference.clone()) else {
            return inputs();
        };
        let own = self.own_generics();
        let is_own = |lifetime: &syn::Lifetime| {
            lifetime.ident == "_" || own.lifetimes().any(|param| param.lifetime == *lifetime)
        };
        reference.lifetime.filter(|lifetime| !is_own(lifetime)).unwrap_or_else(inputs)
    }

    /// What the closure of a pullback may capture.
    pub(super) fn captured(&self) -> TokenStream {
        if self.interface.home == Home::Impl {
            // The generic parameters of the `impl` block cannot be listed by an attribute in it.
            let rt = &self.rt;
            return quote!(#rt::Captures<(&'inputs (), fn() -> Self)>);
        }
        let mut names = vec![quote!('inputs)];
        for param in &self.own_generics().params {
            match param {
                syn::GenericParam::Lifetime(param) => {
                    let lifetime = &param.lifetime;
                    names.insert(0, quote!(#lifetime));
                }
                syn::GenericParam::Const(param) => {
                    let ident = &param.ident;
                    names.push(quote!(#ident));
                }
                syn::GenericParam::Type(param) => {
                    let ident = &param.ident;
                    names.push(quote!(#ident));
                }
            }
        }
        quote!(use<#(#names),*>)
    }

    /// The constant that tells this function's sweeps from others'.
    pub(super) fn tag(&self) -> TokenStream {
        let (rt, name) = (&self.rt, self.interface.entries.to_string());
        quote!(const { #rt::tag(::core::concat!(::core::module_path!(), "::", #name), ::core::line!()) })
    }

    pub(super) fn fingerprinted(&self) -> Vec<(Ident, TokenStream)> {
        let again = self.interface.params.iter().filter(|param| {
            param.passing != Passing::Exclusive && known(self.type_of(param)).is_some()
        });
        let named = again.map(|param| {
            let name = relocated(&param.ident);
            let reference = match param.passing {
                Passing::Value => quote!(&#name),
                Passing::Shared | Passing::Exclusive => quote!(#name),
            };
            (name, reference)
        });
        named.collect()
    }

    pub(super) fn forward(&self) -> Entry {
        let Self { rt, stack, ret, kept, guard, .. } = self;
        let (args, tag) = (self.forward_args(), self.tag());
        let prints = self
            .fingerprinted()
            .into_iter()
            .map(|(_, value)| quote!(#rt::push_fingerprint(&mut #guard, #value);));
        let forward_sweep = self.sweep("forward");
        let fails = self.interface.carrier.is_some();
        let shapes = self.out_of_reach();
        let shapes = shapes.iter().map(|shape| shape.pushed(guard));
        let leave = fails.then(|| quote!(if #kept.is_none() { return #ret; }));
        let body = quote! {
            let mut #guard = #stack.rewind_on_drop();
            let (#ret, #kept) = #forward_sweep(&mut #guard, #rt::On, #(#args),*);
            #leave
            #guard.push(#kept);
            #(#shapes)*
            #(#prints)*
            #guard.push_tag(#tag);
            #guard.keep();
            #ret
        };
        let doc = docs::forward(self.interface);
        self.entry("forward", doc, true, self.primal_params(), self.value_output(), body)
    }

    pub(super) fn backward(&self) -> Entry {
        let Self { rt, stack, kept, .. } = self;
        let (args, tag) = (self.backward_args(), self.tag());
        let function = self.interface.name.to_string();
        let prints = self.fingerprinted().into_iter().rev().map(|(name, value)| {
            let text = name.to_string();
            quote!(#rt::check_fingerprint(#stack, #value, #text);)
        });
        let checks = self.checks_of_shared();
        let shapes = self.out_of_reach();
        let shapes = shapes.iter().rev().map(|shape| shape.check_popped(stack, rt));
        let backward_sweep = self.sweep("backward");
        let cleared = self.cleared();
        let (held, released) = self.holding(stack);
        let body = quote! {
            #stack.pop_tag(#tag, #function);
            #checks
            #(#prints)*
            #(#shapes)*
            let #kept = #stack.pop();
            #held
            #cleared
            #backward_sweep(#stack, #rt::On, #kept, #(#args),*);
            #released
        };
        let doc = docs::backward(self.interface);
        self.entry("backward", doc, true, self.adjoint_params(true), None, body)
    }
}

/// A type in which the lifetimes that are left out have a name: a pullback keeps the value.
fn with_inputs(ty: TokenStream) -> TokenStream {
    struct Named;
    impl VisitMut for Named {
        fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
            if lifetime.ident == "_" {
                *lifetime = syn::Lifetime::new("'inputs", lifetime.span());
            }
        }

        fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
            let named = || syn::Lifetime::new("'inputs", reference.and_token.span);
            if reference.lifetime.is_none() {
                reference.lifetime = Some(named());
            }
            visit_mut::visit_type_reference_mut(self, reference);
        }

        // Those of functions are their own.
        fn visit_parenthesized_generic_arguments_mut(
            &mut self,
            _: &mut syn::ParenthesizedGenericArguments,
        ) {
        }
    }
    let Ok(mut parsed) = syn::parse2::<syn::Type>(ty.clone()) else { return ty };
    if !matches!(parsed, syn::Type::ImplTrait(_)) {
        Named.visit_type_mut(&mut parsed);
    }
    parsed.into_token_stream()
}
