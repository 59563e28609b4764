//! The gradient and the tangent as functions that others call in active code: what their adjoints and their tangents are
//! made of is the adjoint of the tangent.
//!
//! With `v` the value and `H` the Hessian, along a direction `d`:
//!
//! * the adjoint of `x ↦ (v, ∇v)` with the seeds `(s, d)` adds `s ∇v + H d` to the bar of `x`: what the adjoint of the tangent along `d` adds with
//!   the seeds `(s, 1)`. So it does for parameters that the gradient is not one of, as long as they are independents;
//! * the tangent of the gradient is `(∇v·d, H d)`;
//! * the tangent of `(x, e) ↦ (v, ∇v·e)` along `(d, f)` is `(∇v·d, d·H e + ∇v·f)`.

use super::super::located;
use super::relocated;
use super::second::{Of, Second};
use crate::interface::{Interface, Passing};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

impl Second<'_> {
    /// Whether others can call the gradient in active code.
    pub(super) fn is_nested(&self) -> bool {
        let is_exclusive = |of: &Of<'_>| of.value.1.passing == Passing::Exclusive;
        self.has_hessian()
            && self.function.is_decided()
            && self.function.carrier.is_none()
            && !self.params().iter().any(is_exclusive)
    }

    fn gradient_name(&self) -> Ident {
        let entries = &self.function.entries;
        let name = format_ident!("__{}_gradient", entries);
        super::super::ident(&name.to_string(), entries.span())
    }

    /// What callers of the gradient find.
    pub(super) fn gradient(&self) -> Option<TokenStream> {
        if !self.is_nested() {
            return None;
        }
        let (name, visibility) = (self.gradient_name(), &self.function.visibility);
        let (rt, function) = (&self.entries.rt, &self.function.entries);
        let (forward, backward) = (self.forward_of_gradient(), self.backward_of_gradient());
        let tangent = self.tangent_of_gradient();
        Some(quote! {
            #[doc(hidden)]
            #visibility struct #name {}

            #[automatically_derived]
            #[allow(clippy::all)]
            impl #name {
                #forward
                #backward
                #tangent
                pub const fn __is_repeatable(&self, callers: &#rt::Callers<'_>) -> bool {
                    #function {}.__is_repeatable(callers)
                }
                pub const fn __is_exclusive(&self, _: usize) -> bool {
                    false
                }
            }
        })
    }

    /// How callers get to them.
    pub(super) fn nested_entries(&self) -> Option<TokenStream> {
        if !self.is_nested() {
            return None;
        }
        let (gradient, tangent) = (self.gradient_name(), &self.entries.interface.entries);
        Some(quote! {
            #[doc(hidden)]
            #[inline]
            pub const fn __entries_of_gradient<Callee>(callee: Callee) -> #gradient {
                ::core::mem::forget(callee);
                #gradient {}
            }
            #[doc(hidden)]
            #[inline]
            pub const fn __entries_of_tangent<Callee>(callee: Callee) -> #tangent {
                ::core::mem::forget(callee);
                #tangent {}
            }
        })
    }

    /// What the gradient returns.
    fn gradient_output(&self) -> TokenStream {
        let (payload, gradient) =
            (self.function.payload.clone().map(located), self.gradient_type());
        quote!((#payload, #gradient))
    }

    /// The parameters with what follows them, by their names and types, which are generic parameters.
    fn followed(&self) -> Vec<(Of<'_>, TokenStream, Ident)> {
        let params = self.params().into_iter().enumerate().map(|(position, of)| {
            let ty = located(of.value.1.ty.clone());
            (of, ty, self.numbered("slot", position))
        });
        params.collect()
    }

    fn forward_of_gradient(&self) -> TokenStream {
        let (stack_type, function) = (&self.entries.stack_type, &self.function.entries);
        let activities = self.entries.forward_activities();
        let mut generics = vec![activities[0].clone()];
        let (mut params, mut args) = (Vec::new(), Vec::new());
        for (of, ty, _) in self.followed() {
            let (number, param) = of.value;
            let (value, activity) = (relocated(&param.ident), &self.entries.activity[number]);
            generics.push(activities[number + 1].clone());
            params.push(quote!(#value: #ty, _: #activity));
            args.push(quote!(#value));
        }
        let output = self.gradient_output();
        let (generics, bounds) = self.entries.generics(&generics, &quote!(#(#params)* #output));
        let primal = &self.entries.primal_type;
        quote! {
            #[inline]
            pub fn __forward #generics (
                self,
                _: &mut #stack_type,
                _: #primal,
                #(#params),*
            ) -> (#output, ::core::option::Option<()>) #bounds {
                (#function::gradient(#(#args),*), ::core::option::Option::Some(()))
            }
        }
    }

    fn backward_of_gradient(&self) -> TokenStream {
        let entries = &self.entries;
        let (rt, stack, stack_type) = (&entries.rt, &entries.stack, &entries.stack_type);
        let own = &entries.interface.entries;
        let activities = entries.backward_activities(false);
        let mut generics = vec![activities[0].clone()];
        let [seed, weight, kept] = self.entries.fresh(["seed", "weight", "kept"]);
        let (mut params, mut directions) = (Vec::new(), Vec::new());
        let (mut forward, mut backward) = (Vec::new(), Vec::new());
        for (of, ty, slot) in self.followed() {
            let (number, param) = of.value;
            let (value, activity) = (relocated(&param.ident), &entries.activity[number]);
            generics.push(activities[number + 1].clone());
            let by_value = param.passing == Passing::Value;
            let ty = if by_value { quote!(&#ty) } else { ty };
            params.push(quote!(#value: #ty, #slot: #activity));
            let passed = match by_value {
                true => quote!(#rt::copied(#value)),
                false => quote!(#value),
            };
            let Some(_) = of.direction else {
                forward.push(quote!(#passed, #rt::Off));
                backward.push(quote!(#value, #slot));
                continue;
            };
            let (bar, direction) = (entries.bar_type(param), &of.name);
            let marker = quote!(<<#activity as #rt::Slot<#bar>>::Marker as #rt::Marker>::MARKER);
            let along = match by_value {
                true => quote!(::core::clone::Clone::clone(&#direction)),
                false => quote!(&#direction),
            };
            forward.push(quote!(#passed, #marker, #along, #rt::Off));
            backward.push(quote!(#value, #slot, &#direction, ()));
            directions.push(direction.clone());
        }
        let (directions, output) = (tuple(&directions), self.gradient_output());
        let (generics, bounds) = entries.generics(&generics, &quote!(#(#params)* #output));
        let primal = &entries.primal_type;
        quote! {
            #[inline]
            pub fn __backward #generics (
                self,
                #stack: &mut #stack_type,
                _: #primal,
                _: ::core::option::Option<()>,
                #(#params,)*
                #seed: impl #rt::Seed<#output>
            ) #bounds {
                let (#weight, #directions): #output = #rt::Seed::weight(#seed);
                let (_, #kept) = #own {}.__forward(&mut *#stack, #rt::Off, #(#forward),*);
                #stack.hold(&#kept);
                #own {}.__backward(&mut *#stack, #rt::Off, #kept, #(#backward,)* (#weight, 1.0));
                #stack.release();
            }
        }
    }

    /// The tangent, with directions that may not be there.
    fn tangent_of_gradient(&self) -> TokenStream {
        let (function, entries) = (&self.function.entries, &self.entries);
        let (mut generics, mut params, mut lets) = (Vec::new(), Vec::new(), TokenStream::new());
        let (mut args, mut directed, mut sum) = (Vec::new(), Vec::new(), Vec::new());
        let [result, products, slope] = self.entries.fresh(["result", "products", "slope"]);
        for (of, ty, _) in self.followed() {
            let param = of.value.1;
            let (value, name, direction) = (relocated(&param.ident), &of.name, &of.ty);
            params.push(quote!(#value: #ty, #name: #direction));
            let passed = cloned(param.passing, &quote!(#value));
            args.push(passed.clone());
            directed.push(passed);
            if of.direction.is_none() {
                generics.push(quote!(#direction));
                continue;
            }
            generics.push(self.direction_bound(&of));
            lets.extend(self.direction(&of));
            directed.push(cloned(param.passing, &quote!(#name)));
            let reference = if param.passing == Passing::Value { quote!(&) } else { quote!() };
            sum.push(quote!(#reference #name));
        }
        let terms = self.products(&quote!(#result.1), &sum);
        let output = self.gradient_output();
        let (generics, bounds) = entries.generics(&generics, &quote!(#(#params)* #output));
        quote! {
            #[inline]
            pub fn __tangent #generics (self, #(#params),*) -> (#output, #output) #bounds {
                #lets
                let #result = #function::gradient(#(#args),*);
                let (_, _, #products) = #function::hessian_vector(#(#directed),*);
                let #slope = #terms;
                (#result, (#slope, #products))
            }
        }
    }

    /// The inner product of a gradient with directions.
    fn products(&self, gradient: &TokenStream, directions: &[TokenStream]) -> TokenStream {
        let (rt, payload) = (&self.entries.rt, self.function.payload.clone().map(located));
        let terms = directions.iter().enumerate().map(|(position, direction)| {
            let position = syn::Index::from(position);
            let part = if directions.len() == 1 { quote!() } else { quote!(.#position) };
            quote!(#rt::slope_along::<_, #payload>(&#gradient #part, #direction))
        });
        quote!((#(#terms)+*))
    }

    /// The tangent of the tangent as users call it.
    pub(super) fn tangent_of_tangent(&self) -> Option<TokenStream> {
        if !self.is_nested() {
            return None;
        }
        let (function, entries) = (&self.function.entries, &self.entries);
        let Interface { params: own, .. } = entries.interface;
        let (mut generics, mut params, mut lets) = (Vec::new(), Vec::new(), TokenStream::new());
        let (mut args, mut along_values, mut along_directions) =
            (Vec::new(), Vec::new(), Vec::new());
        let [result, products, gradient] = self.entries.fresh(["result", "products", "gradient"]);
        for (position, param) in own.iter().enumerate() {
            let (value, ty) = (relocated(&param.ident), located(param.ty.clone()));
            let (name, generic) =
                (self.numbered("along", position), format_ident!("Along{position}"));
            params.push(quote!(#value: #ty, #name: #generic));
            args.push(cloned(param.passing, &quote!(#value)));
            if !param.has_bar() {
                generics.push(quote!(#generic));
                continue;
            }
            let (value, direction) = ((position, param), Some((position, param)));
            let of = Of { value, direction, name: name.clone(), ty: generic };
            generics.push(self.direction_bound(&of));
            lets.extend(self.direction(&of));
            let reference = if param.passing == Passing::Value { quote!(&) } else { quote!() };
            let is_value = self.params().iter().any(|of| of.value.0 == position);
            let list = if is_value { &mut along_values } else { &mut along_directions };
            list.push(quote!(#reference #name));
        }
        let slope = self.products(&quote!(#gradient), &along_values);
        let bend = self.products(&quote!(#products), &along_values);
        let turn = self.products(&quote!(#gradient), &along_directions);
        let output = entries.output();
        let (generics, bounds) = entries.generics(&generics, &quote!(#(#params)* #output));
        Some(quote! {
            #[doc(hidden)]
            #[inline]
            pub fn __tangent #generics (self, #(#params),*) -> (#output, #output) #bounds {
                #lets
                let #result = #function::tangent(#(#args),*);
                let (_, #gradient, #products) = #function::hessian_vector(#(#args),*);
                (#result, (#slope, #bend + #turn))
            }
        })
    }
}

fn tuple(names: &[Ident]) -> TokenStream {
    match names {
        [only] => quote!(#only),
        names => quote!((#(#names),*)),
    }
}

/// What is passed again.
fn cloned(passing: Passing, value: &TokenStream) -> TokenStream {
    match passing {
        Passing::Value => quote!(::core::clone::Clone::clone(&#value)),
        Passing::Shared | Passing::Exclusive => quote!(#value),
    }
}
