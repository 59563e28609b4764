//! Entries of methods and of other functions in an `impl` block: they are functions beside it.

use super::super::located;
use super::in_trait::imported;
use super::{Entries, relocated};
use crate::interface::{Home, Parameter, Passing};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

/// The trait in `<Self as Trait>::function`.
fn trait_of(path: &TokenStream) -> Option<TokenStream> {
    let mut path = syn::parse2::<syn::ExprPath>(path.clone()).ok()?.path;
    path.segments.pop();
    path.segments.pop_punct();
    Some(quote!(#path))
}

impl Entries<'_> {
    /// The name of a public entry.
    pub(super) fn entry_name(&self, entry: &str) -> Ident {
        match self.interface.home {
            Home::Struct | Home::Beside => Ident::new(entry, Span::call_site()),
            Home::Impl | Home::StandardTrait => {
                let prefix = self.prefix.to_string();
                format_ident!("{}_{entry}", prefix.trim_start_matches("r#"))
            }
        }
    }

    /// The name of a hidden function in the `impl` block of a type.
    pub(super) fn hidden_name(&self, function: &str) -> Ident {
        let prefix = self.interface.entries.to_string();
        super::super::hidden_name(&prefix, function)
    }

    /// The beginning of the definition of a sweep, and its parameter `self`.
    pub(super) fn sweep_definition(&self, sweep: &str) -> (TokenStream, Option<TokenStream>) {
        match self.interface.home {
            Home::Struct | Home::Beside => {
                let name = format_ident!("__{sweep}");
                (quote!(pub fn #name), Some(quote!(self,)))
            }
            Home::Impl => {
                let (visibility, name) = (&self.interface.visibility, self.hidden_name(sweep));
                (quote!(#visibility fn #name), None)
            }
            Home::StandardTrait => {
                let name = format_ident!("{sweep}");
                (quote!(fn #name), None)
            }
        }
    }

    /// A sweep, as a wrapper calls it.
    pub(super) fn sweep(&self, sweep: &str) -> TokenStream {
        match self.interface.home {
            Home::Struct | Home::Beside => {
                let name = format_ident!("__{sweep}");
                quote!(Self {}.#name)
            }
            Home::Impl | Home::StandardTrait => {
                let name = self.hidden_name(sweep);
                quote!(Self::#name)
            }
        }
    }

    /// The visibility of the entries.
    pub(super) fn entry_visibility(&self) -> TokenStream {
        match self.interface.home {
            Home::Struct | Home::Beside => quote!(pub),
            Home::Impl | Home::StandardTrait => self.interface.visibility.clone(),
        }
    }

    /// The receiver of an entry.
    pub(super) fn receiver(&self) -> Option<TokenStream> {
        if !self.interface.has_receiver {
            return None;
        }
        let receiver = &self.interface.params[0];
        let name = relocated(&receiver.ident);
        Some(match receiver.passing {
            Passing::Value => quote!(#name),
            Passing::Shared => quote!(&#name),
            Passing::Exclusive => quote!(&mut #name),
        })
    }

    /// Whether the function is a method that takes a `&mut self`.
    pub(super) fn changes_receiver(&self) -> bool {
        self.interface.has_receiver && self.interface.params[0].passing == Passing::Exclusive
    }

    /// A stack from the pool.
    pub(super) fn pool(&self) -> TokenStream {
        let rt = &self.rt;
        quote!(&mut #rt::pool())
    }

    /// A call of another entry: the stack follows the receiver.
    pub(super) fn call_of(
        &self,
        entry: &str,
        stack: &TokenStream,
        mut args: Vec<TokenStream>,
    ) -> TokenStream {
        let name = self.entry_name(entry);
        let receiver = self.interface.has_receiver.then(|| args.remove(0));
        let args = receiver.into_iter().chain([stack.clone()]).chain(args);
        quote!(Self::#name(#(#args),*))
    }

    /// A function of a trait is what callers mean by its name only if the type has no function of that name
    /// itself, also not for some parameters only.
    pub(super) fn own_function_proof(&self) -> Option<TokenStream> {
        let text = self.interface.primal.to_string();
        if self.interface.home != Home::Impl || !text.starts_with('<') {
            return None;
        }
        let (rt, path) = (&self.rt, located(self.interface.primal.clone()));
        let (name, turbofish) = (relocated(&self.interface.name), self.own_turbofish());
        let import = trait_of(&self.interface.primal).and_then(|path| imported(&path));
        let owner = located(self.interface.any_owner.clone());
        Some(quote! {
            if false {
                #import
                #rt::method::same(<#owner>::#name #turbofish, #path #turbofish);
            }
        })
    }

    /// What a function in an `impl` block must tell its callers, besides its sweeps.
    pub(super) fn class_of_method(&self) -> TokenStream {
        let params = self.interface.params.iter().map(|param| located(param.ty.clone()));
        self.class_under(&self.interface.entries, &params.collect::<Vec<_>>(), &[])
    }

    /// The same under some prefix, for a function with parameters of these types, which may be more generic parameters.
    pub(super) fn class_under(
        &self,
        prefix: &Ident,
        params: &[TokenStream],
        more: &[Ident],
    ) -> TokenStream {
        let visibility = &self.interface.visibility;
        let rt = &self.rt;
        let hidden_name = |name: &str| super::super::hidden_name(&prefix.to_string(), name);
        let repeatable = hidden_name("repeatable");
        let items = self.items();
        let (all, all_type) = self.repeatable(more);
        let more: Vec<TokenStream> = more.iter().map(|name| quote!(#name)).collect();
        let output = self.output();
        let returned = quote!(#rt::method::Returned<#output>);
        let (generics, bounds) = self.generics(&more, &quote!(#(#params)* #output));
        let by_receiver = self.interface.has_receiver.then(|| {
            let (method, again) = (hidden_name("method"), hidden_name("repeatable_of"));
            let kind = match self.interface.params[0].passing {
                Passing::Value => quote!(#rt::ByValue),
                Passing::Shared => quote!(#rt::ByShared),
                Passing::Exclusive => quote!(#rt::ByExclusive),
            };
            let others = &params[1..];
            let names = (0..others.len()).map(|n| format_ident!("argument_{n}"));
            let names: Vec<Ident> = names.collect();
            quote! {
                #[doc(hidden)]
                #[inline]
                #visibility fn #method(&self) -> #rt::Method<Self, #kind> {
                    #rt::Method::new()
                }
                #[doc(hidden)]
                #visibility fn #again #generics (
                    &self,
                    #(#names: #others,)*
                    returned: #returned
                ) -> #all_type #bounds {
                    Self::#repeatable(#rt::never(), #(#names,)* returned)
                }
            }
        });
        quote! {
            #[doc(hidden)]
            #visibility fn #repeatable #generics (#(_: #params,)* _: #returned) -> #all_type #bounds {
                #items
                #all
            }
            #by_receiver
        }
    }

    /// The forward sweep for callers that see a value, and not its type.
    pub(super) fn forward_by_receiver(&self) -> Option<TokenStream> {
        let (receiver, others) = self.receiver_and_others()?;
        let Self { stack, stack_type, primal_type, .. } = self;
        let visibility = &self.interface.visibility;
        let (forward, forward_of) = (self.hidden_name("forward"), self.hidden_name("forward_of"));
        let (own, name) = (self.receiver(), relocated(&receiver.ident));
        let (own_activity, activities) = (&self.activity[0], &self.activity[1..]);
        let names: Vec<Ident> = others.iter().map(|param| self.inner_name(param)).collect();
        let markers: Vec<Ident> = names.iter().map(|name| format_ident!("{name}_marker")).collect();
        let types: Vec<TokenStream> =
            others.iter().map(|param| located(param.ty.clone())).collect();
        let (output, kept_type) = (self.output(), self.kept_type(&self.forward_types()));
        let (generics, bounds) = self.forward_generics(&quote!(#(#types)* #output));
        Some(quote! {
            #[doc(hidden)]
            #[allow(clippy::all)]
            #[inline]
            #visibility fn #forward_of #generics (
                #own,
                #stack: &mut #stack_type,
                primal: #primal_type,
                marker: #own_activity,
                #(#names: #types, #markers: #activities),*
            ) -> (#output, #kept_type) #bounds {
                Self::#forward(#stack, primal, #name, marker, #(#names, #markers),*)
            }
        })
    }

    fn receiver_and_others(&self) -> Option<(&Parameter, &[Parameter])> {
        self.interface.params.split_first().filter(|_| self.interface.has_receiver)
    }

    /// The types of the parameters after the receiver, as a backward sweep takes them.
    pub(super) fn passed_again(&self) -> Vec<TokenStream> {
        let types = self.interface.params.iter().skip(1).map(|param| {
            let ty = located(param.ty.clone());
            match param.passing {
                Passing::Shared => ty,
                Passing::Value => quote!(&#ty),
                Passing::Exclusive => quote!(()),
            }
        });
        types.collect()
    }

    /// The backward sweep for callers that see a value, and not its type. That of a method that changes its receiver is found by the bar
    /// of that, which is of the same type.
    pub(super) fn backward_by_receiver(&self) -> Option<TokenStream> {
        let (receiver, others) = self.receiver_and_others()?;
        let Self { rt, stack, stack_type, primal_type, .. } = self;
        let visibility = &self.interface.visibility;
        let sweep = self.backward_name();
        let (backward, backward_of) =
            (self.hidden_name(sweep), self.hidden_name(&format!("{sweep}_of")));
        let name = relocated(&receiver.ident);
        let (own_activity, activities) = (&self.activity[0], &self.activity[1..]);
        let names: Vec<Ident> = others.iter().map(|param| self.inner_name(param)).collect();
        let markers: Vec<Ident> = names.iter().map(|name| format_ident!("{name}_marker")).collect();
        let (backward_types, several) =
            (self.passed_again(), self.several.iter().map(|several| &several.parameter));
        let receiver_is_bar = self.changes_receiver() && receiver.has_bar();
        let kept_type = self.kept_type(&self.backward_types(receiver_is_bar));
        let seed_type = match self.interface.output_dependent {
            true => self.seed_type(),
            false => quote!(()),
        };
        let mentioned = quote!(#(#backward_types)* #kept_type #seed_type);
        let (generics, mut bounds) = self.backward_generics(receiver_is_bar, &mentioned);
        let (own, marker, first) = if receiver_is_bar {
            let begin = if bounds.is_empty() { quote!(where) } else { quote!(,) };
            bounds.extend(quote!(#begin for<'bar> Self: #rt::Differentiable<Bar = Self>));
            (quote!(&mut #name), quote!(_), quote!((), #rt::when::<#own_activity, _>(#name),))
        } else if self.changes_receiver() {
            (quote!(&mut #name), quote!(marker), quote!((), marker,))
        } else {
            (quote!(&#name), quote!(marker), quote!(#name, marker,))
        };
        let (seed, kept) = (&self.seed, &self.kept);
        let marker_of_several = self.marker_of_several();
        Some(quote! {
            #[doc(hidden)]
            #[allow(clippy::all)]
            #[inline]
            #visibility fn #backward_of #generics (
                #own,
                #stack: &mut #stack_type,
                primal: #primal_type,
                #(_: ::core::marker::PhantomData<#several>,)*
                #kept: #kept_type,
                #marker: #own_activity,
                #(#names: #backward_types, #markers: #activities,)*
                #seed: impl #rt::Seed<#seed_type>
            ) #bounds {
                Self::#backward(
                    #stack, primal, #marker_of_several #kept, #first #(#names, #markers,)* #seed
                );
            }
        })
    }
}
