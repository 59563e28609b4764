//! Second derivatives: the adjoint of the tangent, as callers find it and as users call it.
//!
//! The tangent is a function of its own here, with a struct of its own that carries its sweeps. Callers know which of their arguments have directions and
//! not which parameters have some, so that they call it by way of another struct, whose functions take something behind each
//! argument: a direction, or `()`.

use super::super::{Product, at, hidden_name, located};
use super::carrier::carrying;
use super::operators::{directed_operator, directed_trait_of};
use super::{Entries, relocated};
use crate::diff::Products;
use crate::index::Var;
use crate::interface::{Home, Interface, Parameter, Passing};
use crate::ir::{Body, directed_name};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

/// The entries of second derivatives: `product` is that of the tangent of a function, of which `directions` are the directions of the
/// parameters, and `products` its sweeps for several directions at once, if there are such.
pub(in super::super) fn second_derivatives(
    product: &Product<'_>,
    function: &Interface,
    directions: &[Option<Var>],
    products: Option<&Products>,
) -> TokenStream {
    let entries = Entries { prefix: &function.entries, ..Entries::new(product) };
    let second = Second { entries, function, directions, products };
    if let Some(operator) = &function.standard {
        return directed_operator(operator, &second.entries);
    }
    if function.home == Home::Impl {
        return second.of_method();
    }
    let (own, directed, gradient) = (second.own(), second.directed(), second.gradient());
    let of_function = second.of_function();
    quote!(#own #directed #gradient #of_function)
}

/// The signature of the tangent, in which each parameter with a direction is followed by it.
pub(in super::super) fn signature_of_tangent(
    interface: &Interface,
    body: &Body,
    directions: &[Option<Var>],
) -> Interface {
    let mut params = Vec::new();
    for (param, direction) in interface.params.iter().zip(directions) {
        params.push(param.clone());
        params.extend(direction.map(|var| {
            let ident = Ident::new(&body.vars[var].name, param.ident.span());
            Parameter { var, names: vec![ident.clone()], ident, ..param.clone() }
        }));
    }
    let payload = interface.payload.as_ref().map(|payload| quote!((#payload, #payload)));
    let output = match (&payload, &interface.output) {
        (Some(payload), Some(_)) => Some(carrying(interface, payload)),
        (None, output) => output.clone(),
        (Some(_), None) => None,
    };
    interface_of_tangent(interface, &Interface { params, payload, output, ..interface.clone() })
}

/// The signature `own` of the tangent of a function, with the names by which it goes.
pub(in super::super) fn interface_of_tangent(interface: &Interface, own: &Interface) -> Interface {
    let entries = &interface.entries;
    let (primal, called) = match interface.home {
        Home::Struct | Home::Beside => (quote!(#entries::tangent), interface.called.clone()),
        Home::StandardTrait => {
            let (known, facade) = (interface.standard.as_ref(), &interface.facade);
            let known = known.expect("what is an operator is known to be one");
            let of_trait = directed_trait_of(known, &quote!(#facade::__private));
            (quote!(<Self as #of_trait>::primal), interface.called.clone())
        }
        Home::Impl => {
            let prefix = entries.to_string();
            let tangent = format_ident!("{}_tangent", prefix.trim_start_matches("r#"));
            let directed = format_ident!("{}", directed_name(&prefix));
            let tangent = match own.is_decided() {
                true => tangent,
                false => hidden_name(&format!("__{entries}_tangent"), "primal"),
            };
            (quote!(Self::#tangent), quote!(Self::#directed))
        }
    };
    Interface {
        name: format_ident!("{}_tangent", interface.name),
        visibility: interface.visibility.clone(),
        primal,
        called,
        entries: format_ident!("__{}_tangent", entries, span = Span::call_site()),
        examples: Vec::new(),
        selection: None,
        ..own.clone()
    }
}

pub(super) struct Second<'a> {
    /// Those of the tangent.
    pub(super) entries: Entries<'a>,
    pub(super) function: &'a Interface,
    pub(super) directions: &'a [Option<Var>],
    /// The sweeps for several directions, if there are such.
    pub(super) products: Option<&'a Products>,
}

/// A parameter of the function.
pub(super) struct Of<'a> {
    /// The parameter of the tangent that it is, and its number.
    pub(super) value: (usize, &'a Parameter),
    /// That of its direction.
    pub(super) direction: Option<(usize, &'a Parameter)>,
    /// The name of the direction.
    pub(super) name: Ident,
    /// The name of its type, where it is generic.
    pub(super) ty: Ident,
}

impl Of<'_> {
    /// What its direction refers to.
    fn pointee(&self) -> TokenStream {
        let (_, param) = self.direction.unwrap_or(self.value);
        located(param.pointee.clone())
    }
}

/// A parameter of what callers find.
pub(super) struct Passed {
    pattern: TokenStream,
    pub(super) name: Ident,
    pub(super) ty: TokenStream,
}

impl Passed {
    fn named(name: &Ident, ty: TokenStream) -> Self {
        Self { pattern: quote!(#name), name: name.clone(), ty }
    }

    pub(super) fn ignored(name: &Ident, ty: TokenStream) -> Self {
        Self { pattern: quote!(_), ..Self::named(name, ty) }
    }
}

/// The tokens that tell which generic parameters there must be.
fn mentioned(params: &[Passed]) -> TokenStream {
    params.iter().map(|param| param.ty.clone()).collect()
}

/// A sweep that callers find, which takes something behind each argument.
pub(super) struct DirectedSweep {
    pub(super) name: &'static str,
    /// The generic parameters and the where clause.
    pub(super) generics: (TokenStream, TokenStream),
    /// What precedes the arguments.
    pub(super) head: Vec<Passed>,
    /// For each parameter its value, what tells whether that is active, its direction, and what tells whether that is active.
    pub(super) params: Vec<Passed>,
    /// What follows them.
    pub(super) last: Option<Passed>,
    pub(super) output: Option<TokenStream>,
    body: TokenStream,
}

impl<'a> Second<'a> {
    pub(super) fn params(&self) -> Vec<Of<'a>> {
        let mut params = self.entries.interface.params.iter().enumerate();
        let mut next = || params.next().expect("each parameter, and the directions");
        let all = self.directions.iter().enumerate().map(|(position, direction)| {
            let value = next();
            let direction = direction.map(|_| next());
            let name = direction.map_or_else(
                || self.numbered("direction", position),
                |(_, param)| self.entries.inner_name(param),
            );
            Of { value, direction, name, ty: format_ident!("Direction{position}") }
        });
        all.collect()
    }

    /// A name that nothing else has.
    pub(super) fn numbered(&self, hint: &str, position: usize) -> Ident {
        let [name] = self.entries.fresh([&format!("{hint}_{position}")]);
        name
    }

    fn directed_name(&self) -> Ident {
        let entries = &self.function.entries;
        let name = format_ident!("__{}_directed", entries);
        super::super::ident(&name.to_string(), entries.span())
    }

    /// The tangent as a function with an adjoint.
    fn own(&self) -> TokenStream {
        let Interface { entries, visibility, .. } = self.entries.interface;
        let primal = match self.function.is_decided() {
            true => self.entries.primal_function(),
            false => self.undecided_primal(&format_ident!("__primal")),
        };
        let class = self.entries.class();
        let (forward, backward) = (self.entries.forward_sweep(), self.entries.backward_sweep());
        let hessian_vector = self.hessian_vector().map(|entry| entry.tokens);
        let (tangent, along) = (self.tangent_of_tangent(), self.along());
        quote! {
            #[doc(hidden)]
            #visibility struct #entries {}

            #[automatically_derived]
            #[allow(unreachable_code, clippy::all)]
            impl #entries {
                #primal
                #class
                #forward
                #backward
                #hessian_vector
                #tangent
                #(#along)*
            }
        }
    }

    /// A sweep of the tangent, as a function.
    fn own_sweep(&self, sweep: &str) -> TokenStream {
        let own = &self.entries.interface.entries;
        let name = format_ident!("__{sweep}");
        match self.function.home {
            Home::Impl => {
                let name = self.entries.hidden_name(sweep);
                quote!(Self::#name)
            }
            Home::Struct | Home::Beside | Home::StandardTrait => quote!(#own {}.#name),
        }
    }

    /// The tangent of the function, with anything that is a direction or none.
    fn tangent_of_function(&self) -> TokenStream {
        let function = &self.function.entries;
        match self.function.home {
            Home::Impl => {
                let name = super::super::hidden_name(&function.to_string(), "tangent");
                quote!(Self::#name)
            }
            Home::Struct | Home::Beside | Home::StandardTrait => quote!(#function {}.__tangent),
        }
    }

    /// The tangent as a function, by way of the one that other annotated functions call: where it is not clear what is differentiated
    /// with respect to what, that of users cannot be called.
    pub(super) fn undecided_primal(&self, name: &Ident) -> TokenStream {
        let (mut params, mut args) = (Vec::new(), Vec::new());
        for Of { value: (_, param), direction, .. } in self.params() {
            for (_, param) in [Some((0, param)), direction].into_iter().flatten() {
                let (name, ty) = (self.entries.inner_name(param), located(param.ty.clone()));
                params.push(quote!(#name: #ty));
            }
            let value = self.entries.inner_name(param);
            let direction = direction.map(|(_, param)| {
                let name = self.entries.inner_name(param);
                if param.passing == Passing::Value { quote!(&#name) } else { quote!(#name) }
            });
            let direction = direction.unwrap_or_else(|| quote!(()));
            args.push(quote!(#value, #direction));
        }
        let (generics, bounds) = self.entries.generics(&[], &quote!(#(#params)*));
        let (output, tangent) = (self.entries.output(), self.tangent_of_function());
        let call = self.of_output(&quote!(#tangent(#(#args),*)));
        quote! {
            #[doc(hidden)]
            #[inline]
            fn #name #generics (#(#params),*) -> #output #bounds { #call }
        }
    }

    /// What a tangent returns without the pair of units that stands for a result that is no dependent.
    fn of_output(&self, call: &TokenStream) -> TokenStream {
        match (self.function.output_dependent, self.function.carrier) {
            (true, _) => call.clone(),
            (false, None) => quote!(let ((), ()) = #call;),
            (false, Some(_)) => quote!(#call.map(|((), ())| ())),
        }
    }

    /// The beginning of the definition of a sweep that callers find, and its parameter `self`.
    pub(super) fn directed_definition(&self, sweep: &str) -> (TokenStream, Option<TokenStream>) {
        match self.function.home {
            Home::Impl => {
                let (visibility, name) = (&self.function.visibility, self.hidden_directed(sweep));
                (quote!(#[doc(hidden)] #[allow(clippy::all)] #[inline] #visibility fn #name), None)
            }
            Home::Struct | Home::Beside | Home::StandardTrait => {
                let name = format_ident!("__{sweep}");
                (quote!(#[inline] pub fn #name), Some(quote!(self,)))
            }
        }
    }

    /// What callers find.
    fn directed(&self) -> TokenStream {
        let (name, visibility) = (self.directed_name(), &self.function.visibility);
        let (rt, own, function) =
            (&self.entries.rt, &self.entries.interface.entries, &self.function.entries);
        let primal = self.primal();
        let [forward, backward] =
            [self.forward(), self.backward()].map(|sweep| self.directed_sweep(&sweep));
        let along = self.directed_along();
        quote! {
            #[doc(hidden)]
            #visibility struct #name {}

            #[automatically_derived]
            #[allow(clippy::all)]
            impl #name {
                #primal
                #forward
                #backward
                #along
                pub const fn __is_repeatable(&self, callers: &#rt::Callers<'_>) -> bool {
                    #own {}.__is_repeatable(callers)
                }
                pub const fn __is_exclusive(&self, parameter: usize) -> bool {
                    #function {}.__is_exclusive(parameter / 2)
                }
            }
        }
    }

    /// The tangent with anything for a direction.
    pub(super) fn primal(&self) -> TokenStream {
        let rt = &self.entries.rt;
        let (mut generics, mut params, mut args) = (Vec::new(), Vec::new(), Vec::new());
        for Of { value: (number, param), direction, name, ty } in self.params() {
            let value_ty = located(param.ty.clone());
            let is_receiver = number == 0 && self.function.has_receiver;
            let value = match is_receiver {
                true => relocated(&param.ident),
                false => self.entries.inner_name(param),
            };
            let of = located(param.pointee.clone());
            generics.push(match (direction, param.passing) {
                (None, _) => quote!(#ty),
                (Some(_), Passing::Exclusive) => quote!(#ty: #rt::Slot<#of>),
                (Some(_), Passing::Value | Passing::Shared) => quote!(#ty: #rt::Along<#of>),
            });
            params.push(match self.entries.receiver().filter(|_| is_receiver) {
                Some(receiver) => quote!(#receiver, #name: #ty),
                None => quote!(#value: #value_ty, #name: #ty),
            });
            args.push(quote!(#value, #name));
        }
        let (generics, bounds) = self.entries.generics(&generics, &quote!(#(#params)*));
        let (output, tangent) = (self.entries.output(), self.tangent_of_function());
        let call = self.of_output(&quote!(#tangent(#(#args),*)));
        let (definition, own) = self.directed_definition("primal");
        quote! {
            #definition #generics (#own #(#params),*) -> #output #bounds {
                #call
            }
        }
    }

    pub(super) fn forward(&self) -> DirectedSweep {
        let Entries { stack, stack_type, primal_type, activity, .. } = &self.entries;
        let [primal] = self.entries.fresh(["primal"]);
        let mut generics = self.entries.forward_activities();
        let (mut params, mut args, mut lets) = (Vec::new(), Vec::new(), TokenStream::new());
        for (position, of) in self.params().into_iter().enumerate() {
            let Of { value: (number, param), direction, name, ty } = &of;
            let (value, value_ty) = (self.entries.inner_name(param), located(param.ty.clone()));
            let (marker, activity_ty) = (self.numbered("marker", position), &activity[*number]);
            params.push(Passed::named(&value, value_ty));
            params.push(Passed::named(&marker, quote!(#activity_ty)));
            args.push(quote!(#value, #marker));
            let own_marker = self.numbered("direction_marker", position);
            let Some((number, _)) = direction else {
                let any = format_ident!("Marker{position}");
                generics.extend([quote!(#ty), quote!(#any)]);
                params.push(Passed::ignored(name, quote!(#ty)));
                params.push(Passed::ignored(&own_marker, quote!(#any)));
                continue;
            };
            let activity_ty = &activity[*number];
            generics.push(self.direction_bound(&of));
            let pattern = quote!(mut #name);
            params.push(Passed { pattern, ..Passed::named(name, quote!(#ty)) });
            params.push(Passed::named(&own_marker, quote!(#activity_ty)));
            lets.extend(self.own_bars(param));
            lets.extend(self.direction(&of));
            args.push(quote!(#name, #own_marker));
        }
        let types = self.entries.forward_types();
        let (kept, output) = (self.entries.kept_type(&types), self.entries.output());
        let generics = self.entries.generics(&generics, &mentioned(&params));
        let own_forward = self.own_sweep(self.entries.forward_name());
        let head = [
            Passed::named(stack, quote!(&mut #stack_type)),
            Passed::named(&primal, quote!(#primal_type)),
        ];
        DirectedSweep {
            name: self.entries.forward_name(),
            generics,
            head: head.into_iter().chain(self.passed_marker()).collect(),
            params,
            last: None,
            output: Some(quote!((#output, #kept))),
            body: quote!(#lets #own_forward(&mut *#stack, #primal, #(#args),*)),
        }
    }

    /// A sweep that callers find.
    pub(super) fn directed_sweep(&self, sweep: &DirectedSweep) -> TokenStream {
        let DirectedSweep { name, generics: (generics, bounds), head, params, last, body, output } =
            sweep;
        let params = head
            .iter()
            .chain(params)
            .chain(last)
            .map(|Passed { pattern, ty, .. }| quote!(#pattern: #ty));
        let output = output.as_ref().map(|output| quote!(-> #output));
        let (definition, own) = self.directed_definition(name);
        quote! {
            #[allow(unused_mut)]
            #definition #generics (#own #(#params),*) #output #bounds { #body }
        }
    }

    pub(super) fn direction_bound(&self, of: &Of<'_>) -> TokenStream {
        let (rt, ty, pointee) = (&self.entries.rt, &of.ty, of.pointee());
        match of.value.1.passing {
            Passing::Exclusive => quote!(#ty: #rt::Slot<#pointee>),
            Passing::Value | Passing::Shared => quote!(#ty: #rt::Along<#pointee>),
        }
    }

    /// Proves that the bars of a parameter, and so those of its direction, are of its own type, where the macro does not see it.
    fn own_bars(&self, param: &Parameter) -> Option<TokenStream> {
        let (rt, ty) = (&self.entries.rt, located(param.pointee.clone()));
        let is_seen = self.entries.type_of(param).is_structural();
        let span = at(param.pointee.span());
        (!is_seen).then(|| quote_spanned!(span=> #rt::own_bars::<#ty>();))
    }

    /// The direction that is passed, or zeros.
    pub(super) fn direction(&self, of: &Of<'_>) -> TokenStream {
        let Of { value: (_, param), name, .. } = of;
        let (rt, value) = (&self.entries.rt, self.entries.inner_name(param));
        let (zeros, ty) = (format_ident!("{name}_zeros"), of.pointee());
        match param.passing {
            Passing::Value => {
                let zeros = self.zeros(&quote!(&#value));
                quote! {
                    let #name: #ty = match #rt::Along::direction(&#name) {
                        ::core::option::Option::Some(direction) => ::core::clone::Clone::clone(direction),
                        ::core::option::Option::None => #zeros,
                    };
                }
            }
            Passing::Shared => self.direction_again(of),
            Passing::Exclusive => {
                let made = self.zeros(&quote!(&*#value));
                quote! {
                    let mut #zeros;
                    let #name: &mut #ty = match #rt::Slot::bar(&mut #name) {
                        ::core::option::Option::Some(direction) => direction,
                        ::core::option::Option::None => {
                            #zeros = #made;
                            &mut #zeros
                        }
                    };
                }
            }
        }
    }

    pub(super) fn backward(&self) -> DirectedSweep {
        self.backward_with(false)
    }

    /// The same, where the bar of the receiver may be the receiver.
    pub(super) fn backward_with(&self, receiver_is_bar: bool) -> DirectedSweep {
        let Entries { stack, stack_type, primal_type, activity, kept, .. } = &self.entries;
        let [primal] = self.entries.fresh(["primal"]);
        let mut generics = self.entries.backward_activities(receiver_is_bar);
        let (mut params, mut args, mut lets) = (Vec::new(), Vec::new(), TokenStream::new());
        for (position, of) in self.params().into_iter().enumerate() {
            let Of { value: (number, param), direction, name, ty } = &of;
            let (value, value_ty) = (self.entries.inner_name(param), located(param.ty.clone()));
            let value_ty = match param.passing {
                Passing::Shared => value_ty,
                Passing::Value => quote!(&#value_ty),
                Passing::Exclusive => quote!(()),
            };
            let (slot, activity_ty) = (self.numbered("slot", position), &activity[*number]);
            params.push(Passed::named(&value, value_ty));
            params.push(Passed::named(&slot, quote!(#activity_ty)));
            args.push(quote!(#value, #slot));
            let own_slot = self.numbered("direction_slot", position);
            let is_exclusive = param.passing == Passing::Exclusive;
            let Some((number, _)) = direction else {
                let any = format_ident!("Slot{position}");
                let taken = if is_exclusive { quote!(()) } else { quote!(#ty) };
                generics.extend((!is_exclusive).then(|| quote!(#ty)));
                generics.push(quote!(#any));
                params.push(Passed::ignored(name, taken));
                params.push(Passed::ignored(&own_slot, quote!(#any)));
                continue;
            };
            let activity_ty = &activity[*number];
            if is_exclusive {
                params.push(Passed::ignored(name, quote!(())));
                params.push(Passed::named(&own_slot, quote!(#activity_ty)));
                args.push(quote!((), #own_slot));
                continue;
            }
            generics.push(self.direction_bound(&of));
            params.push(Passed::named(name, quote!(#ty)));
            params.push(Passed::named(&own_slot, quote!(#activity_ty)));
            lets.extend(self.direction_again(&of));
            args.push(quote!(#name, #own_slot));
        }
        let kept_type = self.entries.kept_type(&self.entries.backward_types(receiver_is_bar));
        let mentioned = mentioned(&params);
        let generics = self.entries.generics(&generics, &quote!(#mentioned #kept_type));
        let rt = &self.entries.rt;
        let (seed, seed_type) = match self.entries.interface.output_dependent {
            true => (self.entries.seed.clone(), self.entries.seed_type()),
            false => (Ident::new("seed", Span::call_site()), quote!(())),
        };
        let own_backward = self.own_sweep(self.entries.backward_name());
        let marker = self.entries.marker_of_several();
        let head = [
            Passed::named(stack, quote!(&mut #stack_type)),
            Passed::named(&primal, quote!(#primal_type)),
        ];
        let head = head.into_iter().chain(self.passed_marker());
        DirectedSweep {
            name: self.entries.backward_name(),
            generics,
            head: head.chain([Passed::named(kept, kept_type)]).collect(),
            params,
            last: Some(Passed::named(&seed, quote!(impl #rt::Seed<#seed_type>))),
            output: None,
            body: quote! {
                #lets
                #own_backward(&mut *#stack, #primal, #marker #kept, #(#args,)* #seed)
            },
        }
    }

    /// The direction that was passed, or zeros, as the backward sweep takes it.
    fn direction_again(&self, of: &Of<'_>) -> TokenStream {
        let Of { value: (_, param), name, .. } = of;
        let (rt, value) = (&self.entries.rt, self.entries.inner_name(param));
        let (zeros, ty) = (format_ident!("{name}_zeros"), of.pointee());
        let made = self.zeros(&quote!(#value));
        quote! {
            let #zeros;
            let #name: &#ty = match #rt::Along::direction(&#name) {
                ::core::option::Option::Some(direction) => direction,
                ::core::option::Option::None => {
                    #zeros = #made;
                    &#zeros
                }
            };
        }
    }

    /// What the struct of the function has besides.
    fn of_function(&self) -> TokenStream {
        let (entries, directed) = (&self.function.entries, self.directed_name());
        let (public, nested) = (self.public(), self.nested_entries());
        quote! {
            #[automatically_derived]
            #[allow(clippy::all)]
            impl #entries {
                #public
                #nested
                #[doc(hidden)]
                #[inline]
                pub const fn __entries_of_directed<Callee>(callee: Callee) -> #directed {
                    ::core::mem::forget(callee);
                    #directed {}
                }
            }
        }
    }
}
