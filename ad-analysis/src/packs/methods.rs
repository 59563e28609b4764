//! The trait of the methods of a pack: for each of them the hidden functions that stand beside an annotated method.

use super::expand::{Names, number};
use super::parse::{Method, Methods};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

impl Methods {
    pub(super) fn expand(&self, names: &Names) -> TokenStream {
        let Self { visibility, name, types, methods, .. } = self;
        let own = (!self.is_of_packs(names)).then(|| {
            let pack = &names.pack;
            quote! {
                #[doc(hidden)]
                #[derive(Clone, Copy, Debug)]
                #visibility struct #pack;
            }
        });
        let methods = methods.iter().map(|method| sweeps(method, self.is_behind_deref, names));
        let impls = types.iter().map(|(generics, ty)| {
            let (params, bounds) = (&generics.params, &generics.where_clause);
            quote!(impl<#params> #name for #ty #bounds {})
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

/// The arguments of the hidden functions beside a method.
struct Arguments {
    /// The parameters of functions that get them as they are passed, and these types.
    params: Vec<Ident>,
    passed: Vec<TokenStream>,
    /// The parameters of functions that get what they refer to as well.
    all_params: Vec<Ident>,
    /// The types without references.
    owned: Vec<Ident>,
    /// The parameters of functions that get these.
    owned_params: Vec<Ident>,
}

impl Method {
    fn arguments(&self) -> Arguments {
        let named = |letter: &str| -> Vec<Ident> {
            (1..=self.others).map(|n| format_ident!("{letter}{n}")).collect()
        };
        let (passed, owned) = (named("A"), named("O"));
        match self.is_overloaded {
            true => Arguments {
                params: owned.clone(),
                passed: owned.iter().map(|owned| quote!(&'a #owned)).collect(),
                all_params: owned.clone(),
                owned_params: owned.clone(),
                owned,
            },
            false => Arguments {
                params: passed.clone(),
                passed: passed.iter().map(|passed| quote!(#passed)).collect(),
                all_params: [passed.clone(), owned.clone()].concat(),
                owned_params: owned.clone(),
                owned,
            },
        }
    }

    /// The trait of the rule, with what is known of its types.
    fn bound(&self, Names { rt, pack }: &Names, bindings: &TokenStream) -> TokenStream {
        let number = number(&self.name);
        let owned = self.arguments().owned;
        let pack = match self.is_overloaded {
            true => quote!(#rt::rules::Overloaded<(#(#owned,)*)>),
            false => quote!(#pack),
        };
        quote!(#rt::rules::Rule<#number, #pack, #bindings>)
    }

    /// How the receiver is taken, its type and how it is passed.
    fn receiver(&self, Names { rt, .. }: &Names, rule: &TokenStream) -> [TokenStream; 3] {
        let kind = quote!(<Self as #rule>::Kind);
        match self.is_overloaded {
            true => [quote!(#rt::ByShared), quote!(&'a Self), quote!(self)],
            false => [
                kind.clone(),
                quote!(<#kind as #rt::method::Reading<Self>>::Receiver<'a>),
                quote!(<#kind as #rt::method::Reading<Self>>::pass(self)),
            ],
        }
    }
}

fn sweeps(method: &Method, is_behind_deref: bool, names: &Names) -> TokenStream {
    let rt = &names.rt;
    let rule = method.bound(names, &TokenStream::new());
    let of_self = quote!(<Self as #rule>);
    let of_carrier = quote!(<#of_self::Carrier as #rt::rules::Carrier>);
    let repeatable = hidden(&method.name, "repeatable_of");
    let [name, forward, backward, backwards, tangent, tangents] =
        ["method", "forward_of", "backward_of", "backwards_of", "tangent_of", "tangents_of"]
            .map(|function| hidden(&method.name, function));
    let range = 1..=method.others;
    let values: Vec<Ident> = range.clone().map(|n| format_ident!("a{n}")).collect();
    let slots: Vec<Ident> = range.clone().map(|n| format_ident!("s{n}")).collect();
    let kinds: Vec<Ident> = range.map(|n| format_ident!("S{n}")).collect();
    let Arguments { params, passed, all_params, owned, owned_params } = method.arguments();
    let [kind, receiver, pass] = method.receiver(names, &rule);
    let (shown, has_kind) = match (is_behind_deref, method.is_overloaded) {
        (true, true) => (quote!(#rt::method::BehindDeref), TokenStream::new()),
        (true, false) => (
            quote!(<#kind as #rt::method::ByDeref>::Kind),
            quote!(where Self: #rule, #kind: #rt::method::ByDeref),
        ),
        (false, true) => (kind.clone(), TokenStream::new()),
        (false, false) => (kind.clone(), quote!(where Self: #rule)),
    };
    let reads = (!method.is_overloaded).then(|| quote!(#kind: #rt::method::Reading<Self>,));
    let (of_passed, of_owned) =
        (quote!(Passed<'a> = (#receiver, #(#passed,)*)), quote!(Args = (Self, #(#owned,)*)));
    let [with_passed, with_owned, with_both] =
        [quote!(#of_passed), quote!(#of_owned), quote!(#of_passed, #of_owned)]
            .map(|bindings| method.bound(names, &bindings));
    let copied = method.is_copied.then(|| {
        let name = hidden(&method.name, "copied");
        quote! {
            fn #name(&self) -> #rt::method::Copied<#of_self::Output>
            where
                Self: #rule,
            {
                #rt::method::Copied::new()
            }
        }
    });
    quote! {
        #copied
        fn #name(&self) -> #rt::Method<Self, #shown>
        #has_kind
        {
            #rt::Method::new()
        }
        fn #repeatable<#(#owned,)* R>(&self, #(_: #owned,)* _: R) -> #rt::method::Is<true> {
            #rt::method::Is
        }
        #[inline]
        fn #forward<'a, P, S0, #(#params, #kinds),*>(
            &'a self,
            _: &mut #rt::Stack,
            _: P,
            _: S0,
            #(#values: #passed, _: #kinds),*
        ) -> (#of_carrier::Of<#of_self::Output>, #of_self::Kept)
        where
            Self: #with_passed,
            #reads
        {
            let value = #of_self::value((#pass, #(#values,)*));
            let kept = #of_self::keep(&value);
            (value, kept)
        }
        #[inline]
        fn #backward<P, S0, #(#owned_params, #kinds,)* S>(
            &self,
            _: &mut #rt::Stack,
            _: P,
            kept: #of_self::Kept,
            mut s0: S0,
            #(#values: &#owned, mut #slots: #kinds,)*
            seed: S,
        )
        where
            Self: #with_owned + #rt::Differentiable,
            S0: #rt::Slot<<Self as #rt::Differentiable>::Bar>,
            #(#owned: #rt::Differentiable, #kinds: #rt::Slot<#owned::Bar>,)*
            S: #rt::Seed<#of_self::Weight>,
        {
            if let ::core::option::Option::Some(weight) = #rt::rules::weight_of(seed) {
                #of_self::pullback((self, #(#values,)*), &kept, &weight, (s0.bar(), #(#slots.bar(),)*));
            }
        }
        fn #backwards<P, K, B, S0, #(#owned, #kinds,)* S>(
            &self,
            _: &mut #rt::Stack,
            _: P,
            _: B,
            _: K,
            _: S0,
            #(_: &#owned, _: #kinds,)*
            _: S,
        ) {
            const { ::core::panic!("{}", #rt::rules::WITHOUT_SEEDS) }
        }
        #[inline]
        fn #tangent<'a, S0, #(#all_params,)* #(#kinds),*>(
            &'a self,
            s0: S0,
            #(#values: #passed, #slots: #kinds),*
        ) -> #of_carrier::Of<(#of_self::Output, #of_self::Weight)>
        where
            Self: #with_both + #rt::Differentiable,
            #reads
            S0: #rt::Along<<Self as #rt::Differentiable>::Bar>,
            #(#owned: #rt::Differentiable, #kinds: #rt::Along<#owned::Bar>,)*
        {
            #of_self::pushforward((#pass, #(#values,)*), (s0.direction(), #(#slots.direction(),)*))
        }
        fn #tangents<'a, D, S0, #(#params, #kinds),*>(
            &'a self,
            _: ::core::marker::PhantomData<D>,
            _: S0,
            #(_: #passed, _: #kinds),*
        ) -> #of_carrier::Of<(#of_self::Output, <#of_self::Output as #rt::rules::Spread<D>>::Tangents)>
        where
            Self: #rule,
            #of_self::Output: #rt::rules::Spread<D>,
        {
            const { ::core::panic!("{}", #rt::rules::WITHOUT_DIRECTIONS) }
        }
    }
}
