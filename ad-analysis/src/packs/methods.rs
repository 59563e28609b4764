//! The trait of the methods of a pack: for each of them the hidden functions that stand beside an annotated method.

use super::expand::{Names, number};
use super::parse::Methods;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

impl Methods {
    pub(super) fn expand(&self, names: &Names) -> TokenStream {
        let Self { visibility, name, types, methods } = self;
        let own = (!self.is_of_packs(names)).then(|| {
            let pack = &names.pack;
            quote! {
                #[doc(hidden)]
                #[derive(Clone, Copy, Debug)]
                #visibility struct #pack;
            }
        });
        let methods = methods.iter().map(|(method, others)| sweeps(method, *others, names));
        let impls = types.iter().map(|(generics, ty)| {
            let params = &generics.params;
            quote!(impl<#params> #name for #ty {})
        });
        quote! {
            #own

            /// The methods of these types that have rules.
            #[doc(hidden)]
            #[allow(missing_docs, clippy::all)]
            #visibility trait #name: ::core::marker::Sized {
                #(#methods)*
            }

            #(#impls)*
        }
    }

    fn is_of_packs(&self, Names { pack, .. }: &Names) -> bool {
        pack.to_string() != format!("__{}", self.name)
    }
}

fn hidden(method: &Ident, function: &str) -> Ident {
    format_ident!("__{}_{function}", method)
}

fn sweeps(method: &Ident, others: usize, Names { rt, pack }: &Names) -> TokenStream {
    let number = number(method);
    let rule = quote!(#rt::rules::Rule<#number, #pack>);
    let of_self = quote!(<Self as #rule>);
    let repeatable = hidden(method, "repeatable_of");
    let [name, forward, backward, backwards, tangent, tangents] =
        ["method", "forward_of", "backward_of", "backwards_of", "tangent_of", "tangents_of"]
            .map(|function| hidden(method, function));
    let range = 1..=others;
    let values: Vec<Ident> = range.clone().map(|n| format_ident!("a{n}")).collect();
    let slots: Vec<Ident> = range.clone().map(|n| format_ident!("s{n}")).collect();
    let passed: Vec<Ident> = range.clone().map(|n| format_ident!("A{n}")).collect();
    let owned: Vec<Ident> = range.clone().map(|n| format_ident!("O{n}")).collect();
    let kinds: Vec<Ident> = range.map(|n| format_ident!("S{n}")).collect();
    let receiver = quote!(<#of_self::Kind as #rt::method::Reading<Self>>::Receiver<'a>);
    let pass = quote!(<#of_self::Kind as #rt::method::Reading<Self>>::pass(self));
    quote! {
        fn #name(&self) -> #rt::Method<Self, #of_self::Kind>
        where
            Self: #rule,
        {
            #rt::Method::new()
        }
        fn #repeatable<#(#passed,)* R>(&self, #(_: #passed,)* _: R) -> #rt::method::Is<true> {
            #rt::method::Is
        }
        #[inline]
        fn #forward<'a, P, S0, #(#passed, #kinds),*>(
            &'a self,
            _: &mut #rt::Stack,
            _: P,
            _: S0,
            #(#values: #passed, _: #kinds),*
        ) -> (#of_self::Output, ())
        where
            Self: #rt::rules::Rule<#number, #pack, Passed<'a> = (#receiver, #(#passed,)*)>,
            #of_self::Kind: #rt::method::Reading<Self>,
        {
            (#of_self::value((#pass, #(#values,)*)), ())
        }
        #[inline]
        fn #backward<P, S0, #(#passed, #kinds,)* S>(
            &self,
            _: &mut #rt::Stack,
            _: P,
            (): (),
            mut s0: S0,
            #(#values: &#passed, mut #slots: #kinds,)*
            seed: S,
        )
        where
            Self: #rt::rules::Rule<#number, #pack, Args = (Self, #(#passed,)*)> + #rt::Differentiable,
            S0: #rt::Slot<<Self as #rt::Differentiable>::Bar>,
            #(#passed: #rt::Differentiable, #kinds: #rt::Slot<#passed::Bar>,)*
            S: #rt::Seed<#of_self::Output>,
        {
            if let ::core::option::Option::Some(weight) = #rt::rules::weight_of(seed) {
                #of_self::pullback((self, #(#values,)*), &weight, (s0.bar(), #(#slots.bar(),)*));
            }
        }
        fn #backwards<P, K, B, S0, #(#passed, #kinds,)* S>(
            &self,
            _: &mut #rt::Stack,
            _: P,
            _: B,
            _: K,
            _: S0,
            #(_: &#passed, _: #kinds,)*
            _: S,
        ) {
            const { ::core::panic!("{}", #rt::rules::WITHOUT_SEEDS) }
        }
        #[inline]
        fn #tangent<'a, S0, #(#passed, #owned, #kinds),*>(
            &'a self,
            s0: S0,
            #(#values: #passed, #slots: #kinds),*
        ) -> (#of_self::Output, #of_self::Output)
        where
            Self: #rt::rules::Rule<
                    #number,
                    #pack,
                    Passed<'a> = (#receiver, #(#passed,)*),
                    Args = (Self, #(#owned,)*),
                > + #rt::Differentiable,
            #of_self::Kind: #rt::method::Reading<Self>,
            S0: #rt::Along<Self>,
            #(#owned: #rt::Differentiable, #kinds: #rt::Along<#owned>,)*
        {
            #of_self::pushforward((#pass, #(#values,)*), (s0.direction(), #(#slots.direction(),)*))
        }
        fn #tangents<D, S0, #(#passed, #kinds),*>(
            &self,
            _: ::core::marker::PhantomData<D>,
            _: S0,
            #(_: #passed, _: #kinds),*
        ) -> (#of_self::Output, <#of_self::Output as #rt::rules::Spread<D>>::Tangents)
        where
            Self: #rule,
            #of_self::Output: #rt::rules::Spread<D>,
        {
            const { ::core::panic!("{}", #rt::rules::WITHOUT_DIRECTIONS) }
        }
    }
}
