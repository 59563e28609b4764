//! The entries: one generic body for each sweep, and thin wrappers around them.

use super::body::{Emitter, Markers};
use super::types::{bar, known, owned_bar};
use super::{Product, docs, located};
use crate::diff::ParamBar;
use crate::index::Var;
use crate::interface::{Interface, Parameter, Passing};
use crate::ir::{Binding, Body, Namer, StmtKind, Sweep, each_stmt};
use crate::types::Type;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashMap;

/// The struct with all entries.
pub(super) fn entries(product: &Product<'_>) -> TokenStream {
    Entries::new(product).all()
}

struct Entries<'a> {
    product: &'a Product<'a>,
    interface: &'a Interface,
    primal: &'a Body,
    /// The path of the runtime.
    rt: TokenStream,
    /// The path of the stack.
    stack_type: TokenStream,
    stack: Ident,
    ret: Ident,
    kept: Ident,
    guard: Ident,
    /// The bar of the result.
    seed: Ident,
    /// The bars of the parameters, in order.
    bars: Vec<Option<Ident>>,
    /// Type parameters for the activity of the parameters, in order.
    activity: Vec<Ident>,
    primal_type: Ident,
    markers: HashMap<Var, Ident>,
    primal_marker: Ident,
}

impl<'a> Entries<'a> {
    fn new(product: &'a Product<'a>) -> Self {
        let interface = product.interface;
        let facade = &interface.facade;
        let mut names: Namer = product.adjoint.backward.names.clone();
        let mut fresh = |hint: &str| Ident::new(&names.fresh(hint), Span::call_site());
        let backward = &product.adjoint.backward;
        let name_of = |var: Var| {
            let variable = &backward.vars[var];
            super::ident(&variable.name, variable.span)
        };
        let bars = product.adjoint.bars.iter().map(|slot| slot.bar.map(name_of)).collect();
        let seed = product.adjoint.seed.map_or_else(|| fresh("ret_b"), name_of);
        let activity = interface.params.iter().map(|param| {
            fresh(&camel_case(&format!("{}_activity", param.ident)))
        });
        let activity = activity.collect();
        let markers = interface.params.iter().filter(|param| param.has_bar()).map(|param| {
            (param.var, fresh(&format!("{}_is_active", param.ident)))
        });
        let markers = markers.collect();
        Self {
            product,
            interface,
            primal: product.primal,
            rt: quote!(#facade::__private),
            stack_type: quote!(#facade::Stack),
            stack: fresh("stack"),
            ret: fresh("result"),
            kept: fresh("kept"),
            guard: fresh("guard"),
            seed,
            bars,
            activity,
            primal_type: fresh("Primal"),
            markers,
            primal_marker: fresh("primal"),
        }
    }

    fn all(&self) -> TokenStream {
        let Interface { entries, visibility, beside, .. } = self.interface;
        let name = super::ident(&entries.to_string(), entries.span());
        let doc = docs::of_struct(self.interface);
        let public = self.public();
        let (primal, class) = (self.primal_function(), self.class());
        let (forward, backward) = (self.forward_sweep(), self.backward_sweep());
        let hidden = beside.then(|| quote!(#[doc(hidden)]));
        let free = beside.then(|| self.free_functions());
        let public: TokenStream = public.into_iter().map(|entry| entry.tokens).collect();
        quote! {
            #[doc = #doc]
            #hidden
            #visibility struct #name {}

            #[automatically_derived]
            impl #name {
                #public
                #primal
                #class
                #forward
                #backward
            }
            #free
        }
    }

    fn params(&self) -> impl Iterator<Item = (&'a Parameter, &Option<Ident>)> {
        self.interface.params.iter().zip(&self.bars)
    }

    fn output(&self) -> TokenStream {
        match &self.interface.output {
            Some(output) => located(output.clone()),
            None => quote!(()),
        }
    }

    fn generics(&self, more: &TokenStream) -> TokenStream {
        let own = located(self.interface.generics.clone());
        let separator = (!self.interface.generics.is_empty()
            && !self.interface.generics.to_string().trim_end().ends_with(','))
        .then(|| quote!(,));
        quote!(<#own #separator #more>)
    }

    fn type_of(&self, param: &Parameter) -> &'a Type {
        &self.primal.vars[param.var].ty
    }

    /// The type of the bar of a parameter as a caller passes it.
    fn bar_type(&self, param: &Parameter) -> TokenStream {
        bar(self.type_of(param), &located(param.pointee.clone()), &self.rt)
    }

    fn seed_type(&self) -> TokenStream {
        match self.primal.result {
            Some(result) => bar(&self.primal.vars[result].ty, &self.output(), &self.rt),
            None => quote!(()),
        }
    }

    /// The parameters of the function as they are.
    fn primal_params(&self) -> Vec<TokenStream> {
        let params = self.interface.params.iter().map(|param| {
            let (name, ty) = (relocated(&param.ident), located(param.ty.clone()));
            quote!(#name: #ty)
        });
        params.collect()
    }

    /// The parameters of the adjoint: each followed by its bar.
    fn adjoint_params(&self, suffix_owner: bool) -> Vec<TokenStream> {
        let mut params = Vec::new();
        for (param, bar) in self.params() {
            let (name, ty) = (relocated(&param.ident), located(param.ty.clone()));
            if !suffix_owner || param.passing != Passing::Exclusive {
                params.push(quote!(#name: #ty));
            }
            if let Some(bar) = bar {
                let ty = self.bar_type(param);
                params.push(quote!(#bar: &mut #ty));
            }
        }
        if self.interface.output_dependent {
            let (seed, ty) = (&self.seed, self.seed_type());
            params.push(quote!(#seed: #ty));
        }
        params
    }

    /// The arguments of the adjoint, as a wrapper passes them on.
    fn adjoint_args(&self) -> Vec<TokenStream> {
        let mut args = Vec::new();
        for (param, bar) in self.params() {
            let name = relocated(&param.ident);
            args.push(quote!(#name));
            args.extend(bar.as_ref().map(|bar| quote!(#bar)));
        }
        if self.interface.output_dependent {
            let seed = &self.seed;
            args.push(quote!(#seed));
        }
        args
    }

    /// Arguments of the forward sweep. What is moved into it is cloned if the backward sweep gets it too.
    fn forward_args(&self) -> Vec<TokenStream> {
        let rt = &self.rt;
        let args = self.interface.params.iter().map(|param| {
            let name = relocated(&param.ident);
            let marker = if param.has_bar() { quote!(#rt::On) } else { quote!(#rt::Off) };
            let value = match param.passing {
                Passing::Shared => quote!(#name),
                Passing::Exclusive => quote!(&mut *#name),
                Passing::Value if self.type_of(param).is_copy() => quote!(#name),
                Passing::Value => quote!(::core::clone::Clone::clone(&#name)),
            };
            quote!(#value, #marker)
        });
        args.collect()
    }

    fn backward_args(&self) -> Vec<TokenStream> {
        let args = self.params().map(|(param, bar)| {
            let name = relocated(&param.ident);
            let slot = match bar {
                Some(bar) => quote!(&mut *#bar),
                None => quote!(()),
            };
            match param.passing {
                Passing::Shared => quote!(#name, #slot),
                Passing::Value => quote!(&#name, #slot),
                Passing::Exclusive => slot,
            }
        });
        let mut args: Vec<TokenStream> = args.collect();
        args.push(self.seed_argument());
        args
    }

    fn seed_argument(&self) -> TokenStream {
        if self.interface.output_dependent {
            let seed = &self.seed;
            return quote!(#seed);
        }
        quote!(())
    }

    /// Checks of lengths, where types do not imply them.
    fn checks(&self) -> TokenStream {
        let rt = &self.rt;
        let checks = self.params().filter_map(|(param, bar)| {
            let bar = bar.as_ref()?;
            let (name, text) = (relocated(&param.ident), bar.to_string());
            let by_len = matches!(self.type_of(param), Type::Slice(_))
                || (matches!(self.type_of(param), Type::Vec(_))
                    && param.passing != Passing::Exclusive);
            by_len.then(|| quote!(#rt::check_len(#text, #bar.len(), #name.len());))
        });
        checks.collect()
    }

    /// Checks of what is only known after the forward sweep.
    fn late_checks(&self) -> TokenStream {
        let rt = &self.rt;
        let mut checks = TokenStream::new();
        for (param, bar) in self.params() {
            let (name, is_list) =
                (relocated(&param.ident), matches!(self.type_of(param), Type::Vec(_)));
            if let (Some(bar), Passing::Exclusive, true) = (bar, param.passing, is_list) {
                let text = bar.to_string();
                checks.extend(quote!(#rt::check_len(#text, #bar.len(), #name.len());));
            }
        }
        let is_list = self.primal.result.is_some_and(|result| {
            matches!(self.primal.vars[result].ty, Type::Vec(_))
        });
        if self.interface.output_dependent && is_list {
            let (seed, ret) = (&self.seed, &self.ret);
            let text = seed.to_string();
            checks.extend(quote!(#rt::check_len(#text, #seed.len(), #ret.len());));
        }
        checks
    }

    /// Bars of `&mut` parameters that are independent but not dependent start from zero.
    fn cleared(&self) -> TokenStream {
        let rt = &self.rt;
        let cleared = self.params().filter_map(|(param, bar)| {
            let bar = bar.as_ref()?;
            let overwritten = param.passing == Passing::Exclusive && !param.dependent;
            overwritten.then(|| quote!(#rt::Vector::set_zero(&mut *#bar);))
        });
        cleared.collect()
    }

    fn public(&self) -> Vec<Entry> {
        let mut entries = vec![self.adjoint(), self.adjoint_with()];
        entries.extend([self.adjoint_only(), self.adjoint_only_with()]);
        if self.has_gradient() {
            entries.extend([self.gradient(), self.gradient_with()]);
            entries.extend([self.gradient_into(), self.gradient_into_with()]);
        }
        entries.extend([self.pullback(), self.forward(), self.backward()]);
        entries
    }

    fn has_gradient(&self) -> bool {
        let scalar =
            self.primal.result.is_some_and(|result| self.primal.vars[result].ty.is_float());
        let others = self.interface.params.iter().any(|param| param.dependent);
        scalar && self.interface.output_dependent && !others
    }

    fn entry(
        &self,
        name: &str,
        doc: String,
        with_stack: bool,
        params: Vec<TokenStream>,
        output: Option<TokenStream>,
        body: TokenStream,
    ) -> Entry {
        let ident = Ident::new(name, Span::call_site());
        let (stack, stack_type) = (&self.stack, &self.stack_type);
        let generics = self.generics(&TokenStream::new());
        let bounds = located(self.interface.bounds.clone());
        let stack_param = with_stack.then(|| quote!(#stack: &mut #stack_type,));
        let returns = output.as_ref().map(|output| quote!(-> #output));
        let signature = quote!(fn #ident #generics (#stack_param #(#params),*) #returns #bounds);
        let tokens = quote! {
            #[doc = #doc]
            #[inline]
            #[track_caller]
            pub #signature { #body }
        };
        Entry { name: ident, doc, signature, tokens }
    }

    fn value_output(&self) -> Option<TokenStream> {
        self.interface.output.as_ref().map(|_| self.output())
    }

    fn adjoint(&self) -> Entry {
        let (rt, args) = (&self.rt, self.adjoint_args());
        let body = quote!(Self::adjoint_with(&mut #rt::pool(), #(#args),*));
        let doc = docs::adjoint(self.interface);
        self.entry("adjoint", doc, false, self.adjoint_params(false), self.value_output(), body)
    }

    fn adjoint_with(&self) -> Entry {
        let body = self.joint(true);
        let ret = &self.ret;
        let body = quote!(#body #ret);
        let doc = docs::with(&docs::adjoint(self.interface));
        self.entry("adjoint_with", doc, true, self.adjoint_params(false), self.value_output(), body)
    }

    fn adjoint_only(&self) -> Entry {
        let (rt, args) = (&self.rt, self.adjoint_args());
        let body = quote!(Self::adjoint_only_with(&mut #rt::pool(), #(#args),*););
        let doc = docs::adjoint_only(self.interface);
        self.entry("adjoint_only", doc, false, self.adjoint_params(false), None, body)
    }

    fn adjoint_only_with(&self) -> Entry {
        let doc = docs::with(&docs::adjoint_only(self.interface));
        let params = self.adjoint_params(false);
        self.entry("adjoint_only_with", doc, true, params, None, self.joint(false))
    }

    /// Both sweeps, one after the other.
    fn joint(&self, wants_value: bool) -> TokenStream {
        let Self { rt, stack, ret, kept, guard, .. } = self;
        let (forward, backward) = (self.forward_args(), self.backward_args());
        let (checks, late, cleared) = (self.checks(), self.late_checks(), self.cleared());
        let wanted = if wants_value { quote!(#rt::On) } else { quote!(#rt::Off) };
        // A result whose length is checked must be there.
        let late = wants_value.then_some(late);
        quote! {
            #checks
            let mut #guard = #stack.rewind_on_drop();
            let (#ret, #kept) = Self {}.__forward(&mut #guard, #wanted, #(#forward),*);
            #late
            #cleared
            Self {}.__backward(&mut #guard, #wanted, #kept, #(#backward),*);
        }
    }

    fn independents(&self) -> Vec<(&'a Parameter, &Ident)> {
        let independents = self.params().filter(|(param, _)| param.independent);
        independents.filter_map(|(param, bar)| Some((param, bar.as_ref()?))).collect()
    }

    fn gradient_type(&self) -> TokenStream {
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

    fn gradient_output(&self) -> TokenStream {
        let (output, gradient) = (self.output(), self.gradient_type());
        quote!((#output, #gradient))
    }

    fn gradient(&self) -> Entry {
        let rt = &self.rt;
        let args = self.interface.params.iter().map(|param| relocated(&param.ident));
        let body = quote!(Self::gradient_with(&mut #rt::pool(), #(#args),*));
        let doc = docs::gradient(self.interface);
        let output = Some(self.gradient_output());
        self.entry("gradient", doc, false, self.primal_params(), output, body)
    }

    fn gradient_with(&self) -> Entry {
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
                Some(bar) => quote!(#name, &mut #bar),
                None => quote!(#name),
            }
        });
        let bars = self.independents().into_iter().map(|(_, bar)| bar);
        let bars: Vec<&Ident> = bars.collect();
        let gradient = match bars.as_slice() {
            [only] => quote!(#only),
            bars => quote!((#(#bars),*)),
        };
        let body = quote! {
            #(#zeros)*
            let #ret = Self::adjoint_with(#stack, #(#args,)* 1.0);
            (#ret, #gradient)
        };
        let doc = docs::with(&docs::gradient(self.interface));
        let output = Some(self.gradient_output());
        self.entry("gradient_with", doc, true, self.primal_params(), output, body)
    }

    /// The parameters of `gradient_into`: each independent followed by where its gradient goes.
    fn gradient_params(&self) -> (Vec<TokenStream>, Vec<Ident>) {
        let (mut params, mut names) = (Vec::new(), Vec::new());
        let mut taken = self.product.adjoint.backward.names.clone();
        for (param, _) in self.params() {
            let (name, ty) = (relocated(&param.ident), located(param.ty.clone()));
            params.push(quote!(#name: #ty));
            if param.independent {
                let gradient = taken.fresh(&format!("{}_g", param.ident));
                let gradient = Ident::new(&gradient, super::at(param.ident.span()));
                let ty = self.bar_type(param);
                params.push(quote!(#gradient: &mut #ty));
                names.push(gradient);
            }
        }
        (params, names)
    }

    fn gradient_into_args(&self, names: &[Ident]) -> Vec<TokenStream> {
        let mut names = names.iter();
        let args = self.interface.params.iter().map(|param| {
            let name = relocated(&param.ident);
            match param.independent.then(|| names.next()).flatten() {
                Some(gradient) => quote!(#name, #gradient),
                None => quote!(#name),
            }
        });
        args.collect()
    }

    fn gradient_into(&self) -> Entry {
        let rt = &self.rt;
        let (params, names) = self.gradient_params();
        let args = self.gradient_into_args(&names);
        let body = quote!(Self::gradient_into_with(&mut #rt::pool(), #(#args),*));
        let doc = docs::gradient_into(self.interface);
        self.entry("gradient_into", doc, false, params, Some(self.output()), body)
    }

    fn gradient_into_with(&self) -> Entry {
        let Self { rt, stack, .. } = self;
        let (params, names) = self.gradient_params();
        let args = self.gradient_into_args(&names);
        let clear = names.iter().map(|name| quote!(#rt::Vector::set_zero(&mut *#name);));
        let body = quote! {
            #(#clear)*
            Self::adjoint_with(#stack, #(#args,)* 1.0)
        };
        let doc = docs::with(&docs::gradient_into(self.interface));
        self.entry("gradient_into_with", doc, true, params, Some(self.output()), body)
    }

    fn pullback(&self) -> Entry {
        let Self { rt, stack, ret, kept, .. } = self;
        let facade = &self.interface.facade;
        let (mut params, mut bar_params, mut bar_types) = (Vec::new(), Vec::new(), Vec::new());
        for (param, bar) in self.params() {
            let (name, ty) = (relocated(&param.ident), located(param.ty.clone()));
            let pointee = located(param.pointee.clone());
            params.push(match param.passing {
                Passing::Shared => quote!(#name: &'inputs #pointee),
                Passing::Value | Passing::Exclusive => quote!(#name: #ty),
            });
            if let Some(bar) = bar {
                let ty = self.bar_type(param);
                bar_params.push(quote!(#bar: &'bars mut #ty));
                bar_types.push(quote!(&'bars mut #ty));
            }
        }
        if self.interface.output_dependent {
            let (seed, ty) = (&self.seed, self.seed_type());
            bar_params.push(quote!(#seed: #ty));
            bar_types.push(ty);
        }
        let (forward, backward) = (self.forward_args(), self.backward_args());
        let lens = self.pullback_lens();
        let checks = self.pullback_checks();
        let cleared = self.cleared();
        let body = quote! {
            let mut #stack = #rt::pool();
            let (#ret, #kept) = Self {}.__forward(&mut #stack, #rt::On, #(#forward),*);
            #lens
            let backward = move |#(#bar_params),*| {
                #checks
                #cleared
                Self {}.__backward(&mut #stack, #rt::On, #kept, #(#backward),*);
            };
            (#ret, #facade::Pullback::new(backward))
        };
        let captured = self.captured();
        let output = self.output();
        let output = quote! {
            (#output, #facade::Pullback<
                impl ::core::ops::FnOnce(#(#bar_types),*) + use<#captured>,
                (#(#bar_types,)*),
            >)
        };
        let name = Ident::new("pullback", Span::call_site());
        let doc = docs::pullback(self.interface);
        let generics = located(self.interface.generics.clone());
        let generics = if generics.is_empty() {
            quote!(<'inputs, 'bars>)
        } else {
            quote!(<'inputs, 'bars, #generics>)
        };
        let bounds = located(self.interface.bounds.clone());
        let signature = quote!(fn #name #generics (#(#params),*) -> #output #bounds);
        let tokens = quote! {
            #[doc = #doc]
            #[inline]
            #[track_caller]
            pub #signature { #body }
        };
        Entry { name, doc, signature, tokens }
    }

    /// Lengths that the closure of a pullback checks and cannot see.
    fn pullback_lens(&self) -> TokenStream {
        let mut lens = TokenStream::new();
        for (param, bar) in self.params() {
            let is_list = matches!(self.type_of(param), Type::Slice(_) | Type::Vec(_));
            if let (Some(bar), Passing::Exclusive, true) = (bar, param.passing, is_list) {
                let (name, len) = (relocated(&param.ident), format_ident!("{bar}_len"));
                lens.extend(quote!(let #len = #name.len();));
            }
        }
        lens
    }

    fn pullback_checks(&self) -> TokenStream {
        let rt = &self.rt;
        let mut checks = TokenStream::new();
        for (param, bar) in self.params() {
            let is_list = matches!(self.type_of(param), Type::Slice(_) | Type::Vec(_));
            if let (Some(bar), true) = (bar, is_list) {
                let text = bar.to_string();
                let expected = if param.passing == Passing::Exclusive {
                    let len = format_ident!("{bar}_len");
                    quote!(#len)
                } else {
                    let name = relocated(&param.ident);
                    quote!(#name.len())
                };
                checks.extend(quote!(#rt::check_len(#text, #bar.len(), #expected);));
            }
        }
        checks
    }

    /// The generic parameters that the closure of a pullback may capture.
    fn captured(&self) -> TokenStream {
        let mut names = vec![quote!('inputs), quote!('bars)];
        let generics: syn::Result<syn::Generics> = {
            let own = &self.interface.generics;
            syn::parse2(quote!(<#own>))
        };
        if let Ok(generics) = generics {
            for param in &generics.params {
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
        }
        quote!(#(#names),*)
    }

    /// The constant that tells this function's sweeps from others'.
    fn tag(&self) -> TokenStream {
        let (rt, name) = (&self.rt, self.interface.entries.to_string());
        quote!(const { #rt::tag(::core::concat!(::core::module_path!(), "::", #name), ::core::line!()) })
    }

    fn fingerprinted(&self) -> Vec<(Ident, TokenStream)> {
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

    fn forward(&self) -> Entry {
        let Self { rt, stack, ret, kept, guard, .. } = self;
        let (args, tag) = (self.forward_args(), self.tag());
        let prints = self.fingerprinted().into_iter().map(|(_, value)| {
            quote!(#rt::push_fingerprint(&mut #guard, #value);)
        });
        let body = quote! {
            let mut #guard = #stack.rewind_on_drop();
            let (#ret, #kept) = Self {}.__forward(&mut #guard, #rt::On, #(#args),*);
            #guard.push(#kept);
            #(#prints)*
            #guard.push_tag(#tag);
            #guard.keep();
            #ret
        };
        let doc = docs::forward(self.interface);
        self.entry("forward", doc, true, self.primal_params(), self.value_output(), body)
    }

    fn backward(&self) -> Entry {
        let Self { rt, stack, kept, .. } = self;
        let (args, tag) = (self.backward_args(), self.tag());
        let function = self.interface.name.to_string();
        let prints = self.fingerprinted().into_iter().rev().map(|(name, value)| {
            let text = name.to_string();
            quote!(#rt::check_fingerprint(#stack, #value, #text);)
        });
        let checks = self.backward_checks();
        let cleared = self.cleared();
        let body = quote! {
            #stack.pop_tag(#tag, #function);
            #checks
            #(#prints)*
            let #kept = #stack.pop();
            #cleared
            Self {}.__backward(#stack, #rt::On, #kept, #(#args),*);
        };
        let doc = docs::backward(self.interface);
        self.entry("backward", doc, true, self.adjoint_params(true), None, body)
    }

    fn backward_checks(&self) -> TokenStream {
        let rt = &self.rt;
        let checks = self.params().filter_map(|(param, bar)| {
            let bar = bar.as_ref()?;
            let by_len = matches!(self.type_of(param), Type::Slice(_) | Type::Vec(_))
                && param.passing != Passing::Exclusive;
            let (name, text) = (relocated(&param.ident), bar.to_string());
            by_len.then(|| quote!(#rt::check_len(#text, #bar.len(), #name.len());))
        });
        checks.collect()
    }

    /// The user's function, under a name that nothing can hide.
    fn primal_function(&self) -> TokenStream {
        let name = relocated(&self.interface.name);
        let names: Vec<Ident> =
            (0..self.interface.params.len()).map(|n| format_ident!("argument_{n}")).collect();
        let types = self.interface.params.iter().map(|param| located(param.ty.clone()));
        let output = self.output();
        let generics = self.generics(&TokenStream::new());
        let bounds = located(self.interface.bounds.clone());
        let turbofish = self.own_turbofish();
        quote! {
            #[doc(hidden)]
            #[inline]
            fn __primal #generics (#(#names: #types),*) -> #output #bounds {
                #name #turbofish (#(#names),*)
            }
        }
    }

    fn own_turbofish(&self) -> Option<TokenStream> {
        let args = &self.interface.generic_args;
        (!args.is_empty()).then(|| quote!(::<#(#args),*>))
    }

    /// What a callee must tell its callers, besides its sweeps.
    fn class(&self) -> TokenStream {
        let is_repeatable = self.is_repeatable();
        quote! {
            #[doc(hidden)]
            #[inline]
            pub const fn __entries<Callee>(callee: Callee) -> Self {
                ::core::mem::forget(callee);
                Self {}
            }
            #[doc(hidden)]
            pub const fn __is_repeatable(&self) -> bool {
                #is_repeatable
            }
        }
    }

    /// Whether the function may run twice: it has no effects of its own that must happen once, and
    /// neither have the functions it calls.
    fn is_repeatable(&self) -> TokenStream {
        let emitter = self.emitter(&self.product.adjoint.forward, HashMap::new());
        let mut own = true;
        let mut callees: Vec<TokenStream> = Vec::new();
        each_stmt(&self.product.adjoint.forward.block, &mut |stmt| match &stmt.kind {
            StmtKind::Call(call) => match &call.sweep {
                Sweep::Forward { .. } => {
                    let callee = emitter.entries_of(&call.callee, stmt.span);
                    let itself = call.callee.to_string() == self.interface.name.to_string();
                    let known = callees.iter().any(|other| other.to_string() == callee.to_string());
                    if !known && !itself {
                        callees.push(callee);
                    }
                }
                Sweep::Primal if call.mode == crate::ir::CallMode::Joint => {}
                Sweep::Primal | Sweep::Backward { .. } | Sweep::Tangent { .. } => own = false,
            },
            StmtKind::Opaque(opaque) => own &= opaque.class < crate::ir::Class::Once,
            StmtKind::Let { value: Some(value), .. } | StmtKind::Assign { value, .. } => {
                if let crate::ir::ExprKind::Opaque(opaque) = &value.kind {
                    own &= opaque.class < crate::ir::Class::Once;
                }
            }
            _ => {}
        });
        quote!(#own #(&& #callees.__is_repeatable())*)
    }

    fn emitter(&self, body: &'a Body, types: HashMap<Var, TokenStream>) -> Emitter<'a> {
        let params = self.markers.iter().map(|(&var, value)| {
            let ty = types.get(&var).cloned().unwrap_or_default();
            (var, (value.clone(), ty))
        });
        let markers = Markers { primal: self.primal_marker.clone(), params: params.collect() };
        Emitter::new(self.product, body, self.rt.clone(), markers, self.stack.clone())
    }

    /// The kept variables whose types can be written down, and the others.
    fn kept_vars(&self) -> (Vec<Var>, Vec<Var>) {
        let body = &self.product.adjoint.backward;
        let can_be_written = |var: &Var| {
            let variable = &body.vars[*var];
            known(&variable.ty).is_some() && !variable.assumed
        };
        body.kept.iter().copied().partition(can_be_written)
    }

    fn kept_type(&self) -> TokenStream {
        let body = &self.product.adjoint.backward;
        let types = self.kept_vars().0.into_iter().map(|var| known(&body.vars[var].ty));
        quote!(::core::option::Option<(#(#types,)*)>)
    }

    /// The variables that stand for the activity of parameters, where the sweep looks at them.
    fn marker_lets(&self, body: &TokenStream, types: &HashMap<Var, TokenStream>) -> TokenStream {
        let rt = &self.rt;
        let text = body.to_string();
        let words: Vec<&str> =
            text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let mut lets = TokenStream::new();
        for param in self.interface.params.iter().filter(|param| param.has_bar()) {
            let (name, ty) = (&self.markers[&param.var], &types[&param.var]);
            if words.contains(&name.to_string().as_str()) {
                lets.extend(quote!(let #name = <#ty as #rt::Marker>::ON;));
            }
        }
        let (primal, ty) = (&self.primal_marker, &self.primal_type);
        if words.contains(&primal.to_string().as_str()) {
            lets.extend(quote!(let #primal = <#ty as #rt::Marker>::ON;));
        }
        lets
    }

    fn forward_sweep(&self) -> TokenStream {
        let Self { rt, stack, stack_type, primal_type, .. } = self;
        let (mut generics, mut params, mut types) = (Vec::new(), Vec::new(), HashMap::new());
        for (param, activity) in self.interface.params.iter().zip(&self.activity) {
            let (name, ty) = (relocated(&param.ident), located(param.ty.clone()));
            generics.push(if param.has_bar() {
                types.insert(param.var, quote!(#activity));
                quote!(#activity: #rt::Marker)
            } else if self.type_of(param).may_carry_floats() {
                quote!(#activity: #rt::Passive)
            } else {
                quote!(#activity)
            });
            params.push(quote!(#name: #ty, _: #activity));
        }
        let any: Vec<TokenStream> = self
            .interface
            .params
            .iter()
            .filter_map(|param| types.get(&param.var))
            .map(|ty| quote!(<#ty as #rt::Marker>::ON))
            .collect();
        let args = self.interface.params.iter().map(|param| relocated(&param.ident));
        let args: Vec<Ident> = args.collect();
        let body = self.forward_body(&types);
        let lets = self.marker_lets(&body, &types);
        let generics = self.generics(&quote!(#primal_type: #rt::Marker, #(#generics),*));
        let (output, kept, items) = (self.output(), self.kept_type(), self.items());
        let bounds = located(self.interface.bounds.clone());
        quote! {
            #[doc(hidden)]
            #[inline]
            pub fn __forward #generics (
                self,
                #stack: &mut #stack_type,
                _: #primal_type,
                #(#params),*
            ) -> (#output, #kept) #bounds {
                #items
                if !(#(#any)||*) {
                    return (Self::__primal(#(#args),*), ::core::option::Option::None);
                }
                #lets
                #body
            }
        }
    }

    fn items(&self) -> TokenStream {
        self.product.items.iter().cloned().map(located).collect()
    }

    fn forward_body(&self, types: &HashMap<Var, TokenStream>) -> TokenStream {
        let body = &self.product.adjoint.forward;
        let emitter = self.emitter(body, types.clone());
        let statements = emitter.stmts(&body.block);
        let (known_vars, other_vars) = self.kept_vars();
        let (stack, kept_name) = (&self.stack, &self.kept);
        let pushes = other_vars.iter().map(|&var| {
            let value = self.kept_value(&emitter, body, var);
            quote!(#stack.push(#value);)
        });
        let pushes: TokenStream = pushes.collect();
        let kept = known_vars.iter().map(|&var| self.kept_value(&emitter, body, var));
        let kept: Vec<TokenStream> = kept.collect();
        let result = match body.result {
            Some(result) => {
                let (name, ty) = (emitter.name(result), self.output());
                (quote!(let mut #name: #ty;), quote!(#name))
            }
            None => (TokenStream::new(), quote!(())),
        };
        let (declare, value) = result;
        quote! {
            #declare
            #statements
            let #kept_name = ::core::option::Option::Some((#(#kept,)*));
            #pushes
            (#value, #kept_name)
        }
    }

    /// What is handed to the backward sweep for a variable.
    fn kept_value(&self, emitter: &Emitter<'_>, body: &Body, var: Var) -> TokenStream {
        let name = emitter.name(var);
        let variable = &body.vars[var];
        match (&variable.binding, &variable.ty) {
            (Binding::Exclusive, Type::Slice(_)) => quote!(#name.to_vec()),
            (Binding::Exclusive, ty) if ty.is_copy() => quote!(*#name),
            (Binding::Exclusive, _) => quote!(#name.clone()),
            (_, ty) if ty.is_copy() => name,
            _ if body.result == Some(var) => quote!(#name.clone()),
            _ => name,
        }
    }

    fn backward_sweep(&self) -> TokenStream {
        let Self { rt, stack, stack_type, primal_type, .. } = self;
        let kept_name = &self.kept;
        let (mut generics, mut params, mut types) = (Vec::new(), Vec::new(), HashMap::new());
        for ((param, bar), activity) in self.params().zip(&self.activity) {
            let name = relocated(&param.ident);
            match param.passing {
                Passing::Shared => {
                    let ty = located(param.ty.clone());
                    params.push(quote!(#name: #ty));
                }
                Passing::Value => {
                    let ty = located(param.ty.clone());
                    params.push(quote!(#name: &#ty));
                }
                Passing::Exclusive => {}
            }
            match bar {
                Some(bar) => {
                    let ty = self.bar_type(param);
                    generics.push(quote!(#activity: #rt::Slot<#ty>));
                    params.push(quote!(mut #bar: #activity));
                    types.insert(
                        param.var,
                        quote!(<#activity as #rt::Slot<#ty>>::Marker),
                    );
                }
                None => {
                    generics.push(if self.type_of(param).may_carry_floats() {
                        quote!(#activity: #rt::Passive)
                    } else {
                        quote!(#activity)
                    });
                    params.push(quote!(_: #activity));
                }
            }
        }
        let body = self.backward_body(&types);
        let lets = self.marker_lets(&body, &types);
        let generics = self.generics(&quote!(#primal_type: #rt::Marker, #(#generics),*));
        let (kept_type, items) = (self.kept_type(), self.items());
        let bounds = located(self.interface.bounds.clone());
        let seed = self.seed_parameter();
        quote! {
            #[doc(hidden)]
            #[inline]
            pub fn __backward #generics (
                self,
                #stack: &mut #stack_type,
                _: #primal_type,
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

    fn seed_parameter(&self) -> TokenStream {
        let rt = &self.rt;
        if self.interface.output_dependent {
            let (seed, ty) = (&self.seed, self.seed_type());
            return quote!(#seed: impl #rt::Seed<#ty>);
        }
        quote!(_: impl #rt::Seed<()>)
    }

    /// The seed as a variable of the backward sweep.
    fn seed_variable(&self) -> Option<TokenStream> {
        let (rt, seed, ty) = (&self.rt, &self.seed, self.seed_type());
        self.interface
            .output_dependent
            .then(|| quote!(let mut #seed: #ty = #rt::Seed::weight(#seed);))
    }

    fn backward_body(&self, types: &HashMap<Var, TokenStream>) -> TokenStream {
        let body = &self.product.adjoint.backward;
        let emitter = self.emitter(body, types.clone());
        let kept_name = &self.kept;
        let (known_vars, other_vars) = self.kept_vars();
        let known_vars = known_vars.iter().map(|&var| {
            let name = emitter.name(var);
            quote!(mut #name)
        });
        let pops = other_vars.iter().rev().map(|&var| {
            let (name, value) = (emitter.name(var), emitter.witnessed_pop(var));
            quote!(let mut #name = #value;)
        });
        let bars = self.interface.params.iter().zip(&self.product.adjoint.bars);
        let bars = bars.map(|(param, slot)| self.bar_binding(&emitter, param, slot));
        let bars: TokenStream = bars.collect();
        let statements = emitter.stmts(&body.block);
        let seed = self.seed_variable();
        quote! {
            let ::core::option::Option::Some((#(#known_vars,)*)) = #kept_name else { return };
            #(#pops)*
            #bars
            #seed
            #statements
        }
    }

    /// Gets the bar out of a slot. Where it is not passed, something else takes its place.
    fn bar_binding(&self, emitter: &Emitter<'_>, param: &Parameter, slot: &ParamBar) -> TokenStream {
        let Some(bar) = slot.bar else { return TokenStream::new() };
        let rt = &self.rt;
        let name = emitter.name(bar);
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
            (None, Type::Slice(_)) => {
                return quote! {
                    let #name: &mut #ty = match #get {
                        ::core::option::Option::Some(bar) => bar,
                        ::core::option::Option::None => &mut [],
                    };
                };
            }
            (None, _) if param.passing == Passing::Exclusive => {
                // Never looked at: nothing of it is active.
                quote!({ #scratch = ::core::default::Default::default(); &mut #scratch })
            }
            (None, _) => {
                let value = relocated(&param.ident);
                quote!({ #scratch = #rt::Differentiable::zero_bar(#value); &mut #scratch })
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

    /// The entries as functions beside the function.
    fn free_functions(&self) -> TokenStream {
        let entries = &self.interface.entries;
        let visibility = &self.interface.visibility;
        let functions = self.public().into_iter().map(|entry| {
            let Entry { name, doc, signature, tokens: _ } = entry;
            let parsed: syn::Result<syn::Signature> = syn::parse2(signature.clone());
            let args: Vec<TokenStream> = parsed.map_or_else(
                |_| Vec::new(),
                |signature| {
                    let args = signature.inputs.iter().filter_map(|input| match input {
                        syn::FnArg::Typed(param) => {
                            let pat = &param.pat;
                            Some(quote!(#pat))
                        }
                        syn::FnArg::Receiver(_) => None,
                    });
                    args.collect()
                },
            );
            quote! {
                #[doc = #doc]
                #[inline]
                #[track_caller]
                #visibility #signature { #entries::#name(#(#args),*) }
            }
        });
        let functions: TokenStream = functions.collect();
        quote! {
            #functions
            #[doc(hidden)]
            #[inline]
            #visibility const fn __entries<Callee>(callee: Callee) -> #entries {
                #entries::__entries(callee)
            }
        }
    }
}

/// A public entry.
struct Entry {
    name: Ident,
    doc: String,
    signature: TokenStream,
    tokens: TokenStream,
}

/// The user's identifier, as an identifier of generated code.
fn relocated(ident: &Ident) -> Ident {
    super::ident(&ident.to_string(), ident.span())
}

/// `some_name` as `SomeName`.
fn camel_case(name: &str) -> String {
    let words = name.trim_start_matches("r#").split('_').filter(|word| !word.is_empty());
    let capitalised = words.map(|word| {
        let mut chars = word.chars();
        let first = chars.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(chars).collect::<String>()
    });
    capitalised.collect()
}
