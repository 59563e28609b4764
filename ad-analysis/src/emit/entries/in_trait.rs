//! Methods of annotated traits. Beside each stand hidden ones in the trait itself, so that callers find them where they find the method: by
//! the bounds of a type parameter, or by the trait that is in scope. Trait and `impl` do not see each other, and what they say of one
//! hidden function has to agree: so any receiver may have a bar there, and what is kept goes to the stack.

use super::super::located;
use super::{Entries, relocated};
use crate::interface::{Behind, InTrait, Interface, Parameter, Passing, StandIn};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::PathArguments;

/// The hidden functions that differ from one `impl` to the other.
struct Parts {
    forward: TokenStream,
    backward: TokenStream,
    tangent: Option<TokenStream>,
    repeatable: TokenStream,
}

impl Entries<'_> {
    /// What stands beside the method.
    pub(super) fn in_trait(&self, place: &InTrait) -> TokenStream {
        let conditions = &place.conditions;
        let Parts { forward, backward, tangent, repeatable } = Parts {
            forward: self.forward_in_trait(place),
            backward: self.backward_in_trait(place),
            tangent: self.tangent_in_trait(place),
            repeatable: self.repeatable_in_trait(place),
        };
        let others = match place.behind {
            Behind::Nowhere | Behind::Default(_) => self.found_by_receiver(place),
            Behind::Type | Behind::Function(_) => Vec::new(),
        };
        let all = [forward, backward, repeatable].into_iter().chain(tangent).chain(others);
        let all = all.map(|function| {
            quote! {
                #conditions
                #[doc(hidden)]
                #[allow(unreachable_code, clippy::all)]
                #[inline]
                #function
            }
        });
        all.collect()
    }

    pub(super) fn hidden(&self, place: &InTrait, function: &str) -> Ident {
        super::super::hidden_name(&place.method.to_string(), function)
    }

    /// A hidden function as it is called, with that many generic parameters beside those of the method.
    pub(super) fn path_in_trait(
        &self,
        place: &InTrait,
        function: &str,
        count: usize,
    ) -> TokenStream {
        let (name, of_trait) = (self.hidden(place, function), located(place.of_trait.clone()));
        let own = &place.arguments;
        let all = own.iter().cloned().chain(std::iter::repeat_n(quote!(_), count));
        let turbofish = (!own.is_empty()).then(|| quote!(::<#(#all),*>));
        quote!(<Self as #of_trait>::#name #turbofish)
    }

    /// The generic parameters and the where clause of a hidden function.
    pub(super) fn signature_in_trait(
        &self,
        place: &InTrait,
        more: &[TokenStream],
    ) -> (TokenStream, TokenStream) {
        let rt = &self.rt;
        let own = self.interface.elided.iter().chain(&place.params);
        let own: Vec<TokenStream> = own.cloned().map(located).collect();
        let clauses = place.clauses.iter().cloned().map(located);
        let Interface { demands, asked_of_others, outer_params, .. } = self.interface;
        // The trait asks for nothing of parameters of the block, but of those that stand for its own.
        let is_asked = |tokens: &&TokenStream| {
            let others = outer_params.iter().flatten();
            let mut others = others.filter(|name| !place.of_trait_params.contains(name));
            !others.any(|name| mentions(tokens, &|other| other == name))
        };
        let clauses =
            clauses.chain(demands.iter().chain(asked_of_others).filter(is_asked).cloned());
        let of_trait = match place.behind {
            Behind::Nowhere | Behind::Default(_) => {
                let unknown = self.unknown_types(place).into_iter();
                let unknown = unknown.map(|ty| quote!(#ty: #rt::Differentiable));
                // A trait with a function without a receiver that does not ask for it has no `dyn`.
                let sized = place.receiver.map(|_| quote!(Self: ::core::marker::Sized));
                sized.into_iter().chain(unknown).collect()
            }
            Behind::Type | Behind::Function(_) => Vec::new(),
        };
        let clauses: Vec<TokenStream> = of_trait.into_iter().chain(clauses).collect();
        let generics = match own.is_empty() && more.is_empty() {
            true => TokenStream::new(),
            false => quote!(<#(#own,)* #(#more),*>),
        };
        let bounds = (!clauses.is_empty()).then(|| quote!(where #(#clauses),*));
        let bounds = bounds.unwrap_or_default();
        (generics, bounds)
    }

    /// The types behind parameters and the result that only an `impl` tells, and that must have bars.
    pub(super) fn unknown_types(&self, place: &InTrait) -> Vec<TokenStream> {
        let is_parameter = |name: &Ident| name == "Self" || place.types.contains(name);
        let after_receiver = usize::from(place.receiver.is_some());
        let params = self.interface.params.iter().skip(after_receiver);
        let params = params.filter(|param| param.has_bar());
        let types = params.map(|param| (self.type_of(param), param.pointee.clone()));
        let result = self.primal.result.filter(|_| self.interface.output_dependent);
        let result = result.map(|result| (&self.primal.vars[result].ty, self.payload()));
        let unknown =
            types.chain(result).filter(|(ty, _)| super::super::types::known(ty).is_none());
        let unknown: Vec<TokenStream> = unknown.map(|(_, tokens)| located(tokens)).collect();
        // Of a type with parameters its own `impl` says what they need.
        let demanded: Vec<String> = self.interface.demands.iter().map(subject_of).collect();
        let of_trait = place.outer.iter().filter(|param| {
            let name = param.to_string();
            let is_meant = |other: &Ident| *other == name;
            !demanded.contains(&name) && unknown.iter().any(|tokens| mentions(tokens, &is_meant))
        });
        let of_trait: Vec<TokenStream> = of_trait.cloned().collect();
        unknown
            .into_iter()
            .filter(|tokens| mentions(tokens, &is_parameter))
            .chain(of_trait)
            .collect()
    }

    /// The types of activity, of which the first is that of a receiver if there is one.
    pub(super) fn activities_in_trait(
        &self,
        place: &InTrait,
        mut activities: Vec<TokenStream>,
        before: usize,
        of_receiver: &TokenStream,
    ) -> Vec<TokenStream> {
        if place.receiver.is_some() {
            let activity = &self.activity[0];
            activities[before] = quote!(#activity: #of_receiver);
        }
        activities
    }

    fn forward_in_trait(&self, place: &InTrait) -> TokenStream {
        let Self { rt, stack, stack_type, primal_type, .. } = self;
        let activities =
            self.activities_in_trait(place, self.forward_activities(), 1, &quote!(#rt::Marker));
        let (generics, bounds) = self.signature_in_trait(place, &activities);
        let (name, output) = (self.hidden(place, "forward"), self.output());
        let (names, markers) = self.names_and_slots();
        let types = self.interface.params.iter().map(|param| located(param.ty.clone()));
        let all = self.interface.params.iter().zip(&markers).enumerate();
        let passed = all.map(|(position, (param, marker))| {
            match position == 0 && place.receiver.is_some() && !param.has_bar() {
                true => quote!(#rt::Off),
                false => quote!(#marker),
            }
        });
        let (primal, kept) = (&self.primal_marker, &self.kept);
        let args = quote!(&mut *#stack, #primal, #(#names, #passed),*);
        let body = match self.sweep_behind(place, "forward", activities.len(), &args) {
            Some(call) => {
                let (proof, own) = (self.receiver_proof(place), self.own_method_proof(place));
                let activity = self.activity.first();
                let proof = proof.map(|message| {
                    quote!(const { ::core::assert!(!<#activity as #rt::Marker>::ON, #message) };)
                });
                quote! {
                    #proof
                    #own
                    let #kept = #call;
                    #rt::in_trait::kept_on_stack(#stack, #kept)
                }
            }
            None => self.without_adjoint(place, &quote!(#stack, #primal, #(#names, #markers),*)),
        };
        let activities = &self.activity;
        quote! {
            fn #name #generics (
                #stack: &mut #stack_type,
                #primal: #primal_type,
                #(#names: #types, #markers: #activities),*
            ) -> (#output, ::core::option::Option<()>) #bounds {
                #body
            }
        }
    }

    fn backward_in_trait(&self, place: &InTrait) -> TokenStream {
        let Self { rt, stack, stack_type, primal_type, .. } = self;
        let of_receiver = quote!(#rt::in_trait::ReceiverSlot<Self>);
        let activities =
            self.activities_in_trait(place, self.backward_activities(false), 1, &of_receiver);
        let (generics, bounds) = self.signature_in_trait(place, &activities);
        let name = self.hidden(place, "backward");
        let (names, slots) = self.names_and_slots();
        let types = self.interface.params.iter().map(type_again);
        let all = self.interface.params.iter().zip(&slots).enumerate();
        let passed = all.map(|(position, (param, slot))| {
            match (position == 0 && place.receiver.is_some(), param.has_bar()) {
                (true, true) => quote!(#rt::in_trait::of_receiver::<Self, _>(#slot)),
                (true, false) => quote!(()),
                (false, _) => quote!(#slot),
            }
        });
        let (primal, kept, seed) = (&self.primal_marker, &self.kept, &self.seed);
        let popped = quote!(#rt::in_trait::kept_of_stack(#stack));
        let args = quote!(&mut *#stack, #primal, #kept, #(#names, #passed,)* #seed);
        let body = match self.sweep_behind(place, "backward", activities.len(), &args) {
            Some(call) => quote! {
                if #kept.is_none() {
                    return;
                }
                let #kept = #popped;
                #call
            },
            None => self
                .without_adjoint(place, &quote!(#stack, #primal, #kept, #(#names, #slots,)* #seed)),
        };
        let (activities, seed_type) = (&self.activity, self.seed_bound());
        quote! {
            fn #name #generics (
                #stack: &mut #stack_type,
                #primal: #primal_type,
                #kept: ::core::option::Option<()>,
                #(#names: #types, #slots: #activities,)*
                #seed: impl #rt::Seed<#seed_type>
            ) #bounds {
                #body
            }
        }
    }

    fn tangent_in_trait(&self, place: &InTrait) -> Option<TokenStream> {
        let tangent = self.product.tangent?;
        let rt = &self.rt;
        let of_receiver = match place.receiver {
            Some(Passing::Exclusive) => quote!(#rt::Slot<Self>),
            Some(Passing::Value | Passing::Shared) | None => quote!(#rt::Along<Self>),
        };
        let activities =
            self.activities_in_trait(place, self.tangent_activities(tangent), 0, &of_receiver);
        let (generics, bounds) = self.signature_in_trait(place, &activities);
        let (name, output) = (self.hidden(place, "tangent"), self.tangent_output(tangent));
        let (names, slots) = self.names_and_slots();
        let types = self.interface.params.iter().map(|param| located(param.ty.clone()));
        let directions = self.directed(tangent).map(|(_, direction)| direction);
        let has_direction: Vec<bool> = directions.map(|direction| direction.is_some()).collect();
        let passed = slots.iter().zip(&has_direction).enumerate();
        let passed = passed.map(|(position, (slot, has_direction))| {
            match position == 0 && place.receiver.is_some() && !has_direction {
                true => quote!(()),
                false => quote!(#slot),
            }
        });
        let args = quote!(#(#names, #passed),*);
        let body = match self.sweep_behind(place, "tangent", activities.len(), &args) {
            Some(call) => {
                let (activity, proof) = (self.activity.first(), self.receiver_proof(place));
                let proof = proof.map(|message| {
                    let marker = quote!(<#activity as #of_receiver>::Marker);
                    quote!(const { ::core::assert!(!<#marker as #rt::Marker>::ON, #message) };)
                });
                quote!(#proof #call)
            }
            None => self.without_adjoint(place, &quote!(#(#names, #slots),*)),
        };
        let activities = &self.activity;
        Some(quote! {
            fn #name #generics (#(#names: #types, #slots: #activities),*) -> #output #bounds {
                #body
            }
        })
    }

    fn repeatable_in_trait(&self, place: &InTrait) -> TokenStream {
        let rt = &self.rt;
        let name = self.hidden(place, "repeatable");
        let (generics, bounds) = self.signature_in_trait(place, &[]);
        let (names, _) = self.names_and_slots();
        let types = self.interface.params.iter().map(|param| located(param.ty.clone()));
        let unused = quote!(let _ = (#(&#names,)* __returned););
        let body = match &place.behind {
            Behind::Type => {
                let own = &place.arguments;
                let turbofish = (!own.is_empty()).then(|| quote!(::<#(#own),*>));
                quote!(Self::#name #turbofish (#(#names,)* __returned))
            }
            Behind::Function(StandIn { entries, arguments }) if arguments.is_empty() => {
                let asked = quote!(#entries {}.__is_repeatable(&#rt::Callers::NONE));
                quote!(#unused #rt::method::Is::<{ #asked }>)
            }
            Behind::Nowhere | Behind::Default(_) | Behind::Function(_) => {
                quote!(#unused #rt::method::Is::<false>)
            }
        };
        let repeatable = self.repeatable_type_in_trait(place);
        let output = self.output();
        quote! {
            fn #name #generics (
                #(#names: #types,)*
                __returned: #rt::method::Returned<#output>
            ) -> #repeatable #bounds {
                #body
            }
        }
    }

    /// A type that says whether the method may run twice. It does not depend on lifetimes.
    pub(super) fn repeatable_type_in_trait(&self, place: &InTrait) -> TokenStream {
        let rt = &self.rt;
        let own = match place.behind {
            Behind::Nowhere | Behind::Default(_) => Some(quote!(Self)),
            Behind::Type | Behind::Function(_) => None,
        };
        let all = own.into_iter().chain(place.outer.clone()).chain(place.arguments.clone());
        quote!(impl #rt::method::Repeatable + use<#(#all),*>)
    }

    /// A sweep of the function behind the method, called in a hidden one with that many generic parameters of its own.
    fn sweep_behind(
        &self,
        place: &InTrait,
        sweep: &str,
        count: usize,
        args: &TokenStream,
    ) -> Option<TokenStream> {
        let rt = &self.rt;
        let inferred = || std::iter::repeat_n(quote!(_), count);
        match &place.behind {
            Behind::Nowhere => None,
            Behind::Type => {
                let (name, own) = (self.hidden(place, sweep), &place.arguments);
                let all = own.iter().cloned().chain(inferred());
                let turbofish = (!own.is_empty()).then(|| quote!(::<#(#all),*>));
                Some(quote!(Self::#name #turbofish (#args)))
            }
            Behind::Default(function) | Behind::Function(function) => {
                let StandIn { entries, arguments } = function;
                let name = format_ident!("__{sweep}");
                let all = arguments.iter().cloned().chain(inferred());
                let turbofish = (!arguments.is_empty()).then(|| quote!(::<#(#all),*>));
                let inherited = matches!(place.behind, Behind::Default(_)).then(|| {
                    let (of_trait, method) = (&place.of_trait, place.method.to_string());
                    let (of_trait, method) =
                        (located(of_trait.clone()), method.trim_start_matches("r#").to_owned());
                    quote! {
                        struct __Name;
                        impl #rt::in_trait::Name for __Name {
                            const NAME: &'static str = #method;
                        }
                        #rt::in_trait::must_be_inherited(
                            __Name,
                            || <Self as #of_trait>::__adjoint_implementation(),
                        );
                    }
                });
                Some(quote!({ #inherited #entries {}.#name #turbofish (#args) }))
            }
        }
    }

    /// What a hidden function of the trait does if what implements the trait has none: it is an error in the instance.
    pub(super) fn without_adjoint(&self, place: &InTrait, unused: &TokenStream) -> TokenStream {
        let rt = &self.rt;
        let message = format!(
            "the method `{}` of an annotated trait is called here, which this type implements without an adjoint: \
             annotate the `impl` of the trait, `#[adjoint] impl …`",
            place.method
        );
        quote! {
            let _ = (#unused);
            const { ::core::assert!(<#rt::Off as #rt::Marker>::ON, #message) };
            ::core::unreachable!()
        }
    }

    /// What is said if a receiver has a derivative, with respect to which the method is not differentiated.
    fn receiver_proof(&self, place: &InTrait) -> Option<String> {
        let is_passive = self.interface.params.first().is_some_and(|param| !param.has_bar());
        (place.receiver.is_some() && is_passive).then(|| {
            format!(
                "the receiver carries a derivative, but `{}` is not differentiated with respect to `self` here",
                place.method
            )
        })
    }

    /// The method of the trait is what callers mean by its name only if the type has no function of that name itself.
    fn own_method_proof(&self, place: &InTrait) -> Option<TokenStream> {
        let Behind::Function(_) = place.behind else { return None };
        let (rt, of_trait) = (&self.rt, located(place.of_trait.clone()));
        let (name, own) = (relocated(&place.method), &place.arguments);
        let turbofish = (!own.is_empty()).then(|| quote!(::<#(#own),*>));
        let import = imported(&place.of_trait);
        let owner = located(self.interface.any_owner.clone());
        Some(quote! {
            if false {
                #import
                #rt::method::same(<#owner>::#name #turbofish, <Self as #of_trait>::#name #turbofish);
            }
        })
    }

    pub(super) fn seed_bound(&self) -> TokenStream {
        match self.interface.output_dependent {
            true => self.seed_type(),
            false => quote!(()),
        }
    }

    /// The names of the parameters, and of what follows them.
    pub(super) fn names_and_slots(&self) -> (Vec<Ident>, Vec<Ident>) {
        let names = self.interface.params.iter().map(|param| self.inner_name(param));
        let names: Vec<Ident> = names.collect();
        let slots = names.iter().map(|name| format_ident!("{name}_slot")).collect();
        (names, slots)
    }
}

/// An import of a trait, unless it is in scope by its name.
pub(super) fn imported(of_trait: &TokenStream) -> Option<TokenStream> {
    let mut path = syn::parse2::<syn::Path>(of_trait.clone()).ok()?;
    let is_in_scope = path.segments.len() == 1;
    path.segments.iter_mut().for_each(|segment| segment.arguments = PathArguments::None);
    let path = located(path.to_token_stream());
    (!is_in_scope).then(|| quote!(use #path as _;))
}

/// A parameter as a backward sweep takes it.
pub(super) fn type_again(param: &Parameter) -> TokenStream {
    let ty = located(param.ty.clone());
    match param.passing {
        Passing::Shared => ty,
        Passing::Value => quote!(&#ty),
        Passing::Exclusive => quote!(()),
    }
}

/// What a demand is about, if that is a name.
fn subject_of(demand: &TokenStream) -> String {
    demand.clone().into_iter().next().map(|name| name.to_string()).unwrap_or_default()
}

fn mentions(tokens: &TokenStream, is_meant: &dyn Fn(&Ident) -> bool) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) => mentions(&group.stream(), is_meant),
        TokenTree::Ident(ident) => is_meant(&ident),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Who says which methods have adjoints.
#[derive(Clone, Copy)]
pub enum Implementation<'m> {
    /// A trait, for the types that say nothing.
    Missing {
        /// Whether the trait may be one of a `dyn`, which it stays.
        dyn_compatible: bool,
    },
    /// An `impl` block, with these methods.
    OfBlock(&'m [String]),
}

/// What a trait, or an `impl` block of it, says of the methods that the `impl` defines; a trait says that there are no adjoints.
pub(in crate::emit) fn implementation(
    facade: Option<&TokenStream>,
    of: Implementation<'_>,
) -> TokenStream {
    let facade = facade.cloned().unwrap_or_else(|| quote!(::backsweep));
    let rt = quote!(#facade::__private);
    let head = quote! {
        #[doc(hidden)]
        #[inline]
        fn __adjoint_implementation() -> impl #rt::in_trait::Implementation
    };
    let methods = match of {
        Implementation::OfBlock(methods) => methods,
        Implementation::Missing { dyn_compatible } => {
            let bounds = dyn_compatible.then(|| quote!(where Self: ::core::marker::Sized));
            return quote!(#head #bounds { #rt::in_trait::Unannotated });
        }
    };
    quote! {
        #head {
            struct __Here;
            impl #rt::in_trait::Implementation for __Here {
                const METHODS: ::core::option::Option<&'static [&'static str]> =
                    ::core::option::Option::Some(&[#(#methods),*]);
            }
            __Here
        }
    }
}
