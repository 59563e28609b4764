//! The hidden functions of an annotated trait that are the same for all that implement it: those by which callers find the sweeps of a
//! method who see a value, and not its type, and those that are missing.

use super::super::located;
use super::Entries;
use super::in_trait::type_again;
use crate::interface::{InTrait, Passing};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

impl Entries<'_> {
    /// The functions beside a method that no `impl` has.
    pub(super) fn found_by_receiver(&self, place: &InTrait) -> Vec<TokenStream> {
        let mut found = self.missing_in_trait(place, false);
        if let Some(passing) = place.receiver {
            found.extend(self.missing_in_trait(place, true));
            found
                .extend([self.method_in_trait(place, passing), self.repeatable_of_in_trait(place)]);
            found.push(self.forward_of_in_trait(place, passing));
            found.push(self.backward_of_in_trait(place, passing));
            found.extend(self.tangent_of_in_trait(place, passing));
        }
        found
    }

    fn method_in_trait(&self, place: &InTrait, passing: Passing) -> TokenStream {
        let (rt, name) = (&self.rt, self.hidden(place, "method"));
        let kind = match passing {
            Passing::Value => quote!(#rt::ByValue),
            Passing::Shared => quote!(#rt::ByShared),
            Passing::Exclusive => quote!(#rt::ByExclusive),
        };
        quote! {
            fn #name(&self) -> #rt::Method<Self, #kind>
            where
                Self: ::core::marker::Sized,
            {
                #rt::Method::new()
            }
        }
    }

    fn repeatable_of_in_trait(&self, place: &InTrait) -> TokenStream {
        let (rt, name) = (&self.rt, self.hidden(place, "repeatable_of"));
        let (generics, bounds) = self.signature_in_trait(place, &[]);
        let (names, types) = (&self.names_and_slots().0[1..], self.types_after_receiver());
        let path = self.path_in_trait(place, "repeatable", 0);
        let (repeatable, output) = (self.repeatable_type_in_trait(place), self.output());
        quote! {
            fn #name #generics (
                &self,
                #(#names: #types,)*
                __returned: #rt::method::Returned<#output>
            ) -> #repeatable #bounds {
                #path(#rt::never(), #(#names,)* __returned)
            }
        }
    }

    fn types_after_receiver(&self) -> Vec<TokenStream> {
        self.interface.params.iter().skip(1).map(|param| located(param.ty.clone())).collect()
    }

    /// Names, slots and activities of the receiver and of the parameters after it.
    fn slots_after_receiver(&self) -> (Ident, Vec<Ident>, Vec<Ident>) {
        let (mut names, mut slots) = self.names_and_slots();
        names.remove(0);
        (slots.remove(0), names, slots)
    }

    fn forward_of_in_trait(&self, place: &InTrait, passing: Passing) -> TokenStream {
        let Self { rt, stack, stack_type, primal_type, .. } = self;
        let activities =
            self.activities_in_trait(place, self.forward_activities(), 1, &quote!(#rt::Marker));
        let (generics, bounds) = self.signature_in_trait(place, &activities);
        let (name, path) = (
            self.hidden(place, "forward_of"),
            self.path_in_trait(place, "forward", activities.len()),
        );
        let (output, types) = (self.output(), self.types_after_receiver());
        let (marker, names, markers) = self.slots_after_receiver();
        let (own_activity, activities) = (&self.activity[0], &self.activity[1..]);
        let (primal, own) = (&self.primal_marker, receiver_of(passing));
        quote! {
            fn #name #generics (
                #own,
                #stack: &mut #stack_type,
                #primal: #primal_type,
                #marker: #own_activity,
                #(#names: #types, #markers: #activities),*
            ) -> (#output, ::core::option::Option<()>) #bounds {
                #path(#stack, #primal, self, #marker, #(#names, #markers),*)
            }
        }
    }

    fn backward_of_in_trait(&self, place: &InTrait, passing: Passing) -> TokenStream {
        let Self { rt, stack, stack_type, primal_type, .. } = self;
        let receiver_is_bar = passing == Passing::Exclusive;
        let of_receiver = match receiver_is_bar {
            true => quote!(#rt::Marker),
            false => quote!(#rt::in_trait::ReceiverSlot<Self>),
        };
        let activities =
            self.activities_in_trait(place, self.backward_activities(false), 1, &of_receiver);
        let (generics, mut bounds) = self.signature_in_trait(place, &activities);
        let (name, path) = (
            self.hidden(place, "backward_of"),
            self.path_in_trait(place, "backward", activities.len()),
        );
        let (slot, names, slots) = self.slots_after_receiver();
        let types: Vec<TokenStream> =
            self.interface.params.iter().skip(1).map(type_again).collect();
        let (own_activity, activities) = (&self.activity[0], &self.activity[1..]);
        let (primal, kept, seed) = (&self.primal_marker, &self.kept, &self.seed);
        let seed_type = self.seed_bound();
        let (own, binder, first) = match receiver_is_bar {
            true => {
                bounds.extend(quote!(, Self: #rt::Differentiable<Bar = Self> + 'static));
                let bar = quote!(#rt::when::<#own_activity, Self>(self));
                (quote!(&mut self), quote!(_), quote!((), #bar))
            }
            false => (quote!(&self), quote!(#slot), quote!(self, #slot)),
        };
        quote! {
            fn #name #generics (
                #own,
                #stack: &mut #stack_type,
                #primal: #primal_type,
                #kept: ::core::option::Option<()>,
                #binder: #own_activity,
                #(#names: #types, #slots: #activities,)*
                #seed: impl #rt::Seed<#seed_type>
            ) #bounds {
                #path(#stack, #primal, #kept, #first, #(#names, #slots,)* #seed);
            }
        }
    }

    fn tangent_of_in_trait(&self, place: &InTrait, passing: Passing) -> Option<TokenStream> {
        let (rt, tangent) = (&self.rt, self.product.tangent?);
        let of_receiver = match passing {
            Passing::Exclusive => quote!(#rt::Slot<Self>),
            Passing::Value | Passing::Shared => quote!(#rt::Along<Self>),
        };
        let activities =
            self.activities_in_trait(place, self.tangent_activities(tangent), 0, &of_receiver);
        let (generics, bounds) = self.signature_in_trait(place, &activities);
        let (name, path) = (
            self.hidden(place, "tangent_of"),
            self.path_in_trait(place, "tangent", activities.len()),
        );
        let (output, types) = (self.tangent_output(tangent), self.types_after_receiver());
        let (slot, names, slots) = self.slots_after_receiver();
        let (own_activity, activities) = (&self.activity[0], &self.activity[1..]);
        let own = receiver_of(passing);
        Some(quote! {
            fn #name #generics (
                #own,
                #slot: #own_activity,
                #(#names: #types, #slots: #activities),*
            ) -> #output #bounds {
                #path(self, #slot, #(#names, #slots),*)
            }
        })
    }

    /// Sweeps for several seeds and in several directions, which methods of traits do not have. Only where they are used, they are missed:
    /// anything may be passed until then.
    pub(super) fn missing_in_trait(&self, place: &InTrait, by_receiver: bool) -> Vec<TokenStream> {
        let rt = &self.rt;
        let suffix = if by_receiver { "_of" } else { "" };
        let (first, after) = match place.receiver {
            Some(passing) if by_receiver => (Some(receiver_of(passing)), 1),
            Some(_) | None => (None, 0),
        };
        let own = &self.activity[..after];
        let (params, activities) = (&self.interface.params[after..], &self.activity[after..]);
        let first: Vec<&TokenStream> = first.iter().collect();
        let refused = |what: &str| {
            let message = format!("`{}`, a method of a trait, has no {what}", place.method);
            quote! {
                const { ::core::assert!(<#rt::Off as #rt::Marker>::ON, #message) };
                ::core::unreachable!()
            }
        };
        let mut missing = Vec::new();
        if let Some(tangents) = self.product.tangents {
            let types = params.iter().map(|param| located(param.ty.clone()));
            let directions = super::several::directions_of(tangents);
            let (more, output) = self.generics_of_refused(tangents);
            let (generics, bounds) = self.signature_in_trait(place, &more);
            let name = self.hidden(place, &format!("tangents{suffix}"));
            let body = refused("tangents in several directions");
            missing.push(quote! {
                fn #name #generics (
                    #(#first,)*
                    _: ::core::marker::PhantomData<#directions>,
                    #(_: #own,)*
                    #(_: #types, _: #activities),*
                ) -> #output #bounds {
                    #body
                }
            });
        }
        if self.product.seeds.is_some() {
            let (stack_type, primal_type) = (&self.stack_type, &self.primal_type);
            let types = params.iter().map(type_again);
            let bars = format_ident!("{}_", primal_type);
            let more = self.activity.iter().map(|activity| quote!(#activity));
            let more = [quote!(#primal_type)].into_iter().chain(more);
            let more: Vec<TokenStream> = more.chain([quote!(#bars: #rt::Bars)]).collect();
            let (generics, bounds) = self.signature_in_trait(place, &more);
            let name = self.hidden(place, &format!("backwards{suffix}"));
            let body = refused("adjoint for several seeds");
            let first = first.iter().map(|_| quote!(&self));
            missing.push(quote! {
                fn #name #generics (
                    #(#first,)*
                    _: &mut #stack_type,
                    _: #primal_type,
                    _: ::core::marker::PhantomData<#bars>,
                    _: ::core::option::Option<()>,
                    #(_: #own,)*
                    #(_: #types, _: #activities,)*
                    _: impl ::core::marker::Sized
                ) #bounds {
                    #body
                }
            });
        }
        missing
    }
}

fn receiver_of(passing: Passing) -> TokenStream {
    match passing {
        Passing::Value => quote!(self),
        Passing::Shared => quote!(&self),
        Passing::Exclusive => quote!(&mut self),
    }
}
