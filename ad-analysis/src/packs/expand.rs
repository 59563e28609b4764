//! The implementations of rules of functions.

use super::parse::{
    Instance, Line, Map, Owner, Pack, Param, Pullback, Rule, Subject, Taken, renamed,
};
use crate::derive::number_of_field;
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};

/// Where things are.
pub(super) struct Names {
    pub(super) rt: TokenStream,
    pub(super) pack: TokenStream,
}

/// The parts of a rule that functions and operators have in common, for one argument each.
pub(super) struct Parts {
    pub(super) names: Vec<Ident>,
    pub(super) bars: Vec<Ident>,
    pub(super) directions: Vec<Ident>,
    pub(super) pulled: Vec<TokenStream>,
    pub(super) pushed: Vec<TokenStream>,
    /// Whether the result is read when the weight is pulled back.
    pub(super) reads_result: bool,
    /// Whether any argument is read then, or the result.
    pub(super) reads: bool,
    /// The elements of arguments and result.
    pub(super) elements: TokenStream,
}

/// The number by which rules of a name are found.
pub(super) fn number(name: &Ident) -> Literal {
    Literal::u128_unsuffixed(number_of_field(&name.to_string()))
}

impl Pack {
    pub(super) fn expand(&self) -> TokenStream {
        let rt = match &self.runtime {
            Some(path) => quote!(#path),
            None => quote!(::backsweep::__private),
        };
        let pack = match self.methods.as_slice() {
            [] => quote!(#rt::rules::Packs),
            [methods, ..] if self.runtime.is_none() => {
                let name = format_ident!("__{}", methods.name);
                quote!(#name)
            }
            [..] => quote!(#rt::rules::Packs),
        };
        let names = Names { rt, pack };
        let methods = self.methods.iter().map(|methods| methods.expand(&names));
        let owners = self.owners.iter().map(|owner| owner.expand(&names));
        let table = self.table(&names);
        quote!(#(#methods)* #(#owners)* #table)
    }

    /// What there is, for the documentation and for tests.
    fn table(&self, Names { rt, pack }: &Names) -> TokenStream {
        let rows = self.owners.iter().flat_map(|owner| {
            let rules = owner.rules.iter();
            rules.flat_map(|rule| owner.instances.iter().map(|at| rule.row(owner, at, rt, pack)))
        });
        let rows: Vec<TokenStream> = rows.collect();
        match self.runtime {
            None => TokenStream::new(),
            Some(_) => quote! {
                /// What there are rules for.
                pub(crate) fn table() -> Vec<#rt::rules::check::Checked> {
                    vec![#(#rows),*]
                }
            },
        }
    }
}

impl Owner {
    fn expand(&self, names: &Names) -> TokenStream {
        let rules = self.rules.iter().map(|rule| match &rule.subject {
            Subject::Function(name) => rule.function(name, self, names),
            Subject::Operator(name, assigning) => {
                rule.operator(name, assigning.as_ref(), self, names)
            }
        });
        rules.collect()
    }

    /// The parameters of the type, and what is known of them.
    pub(super) fn params(&self) -> (TokenStream, TokenStream) {
        let params = &self.generics.params;
        let bounds = self.generics.where_clause.as_ref().map(|bounds| &bounds.predicates);
        (quote!(#params), quote!(#bounds))
    }
}

impl Rule {
    fn signature(&self, ty: &syn::Type) -> String {
        let params = self.params.iter().map(|param| {
            let reference = match param.taken {
                Taken::Value => "",
                Taken::Shared => "&",
            };
            match param.is_receiver {
                true => format!("{reference}self"),
                false => format!("{}: {reference}{}", param.name, spelled(&param.ty)),
            }
        });
        let params: Vec<String> = params.collect();
        let output = spelled(&self.output);
        let name = match &self.subject {
            Subject::Function(name) | Subject::Operator(name, _) => name,
        };
        format!("{}::{name}({}) -> {output}", spelled(ty), params.join(", "))
    }

    /// What the table says of the rule.
    fn row(
        &self,
        owner: &Owner,
        at: &Instance,
        rt: &TokenStream,
        pack: &TokenStream,
    ) -> TokenStream {
        let signature = self.signature(&owner.ty);
        let ty = at.of(owner.ty.to_token_stream());
        let types: Vec<TokenStream> =
            self.params.iter().map(|param| at.of(param.ty.to_token_stream())).collect();
        let names: Vec<&Ident> = self.params.iter().map(|param| &param.name).collect();
        let (is_operator, check) = match &self.subject {
            Subject::Function(name) => {
                let number = number(name);
                let passed = self.params.iter().map(|Param { name, taken, .. }| match taken {
                    Taken::Value => quote!(::core::clone::Clone::clone(#name)),
                    Taken::Shared => quote!(#name),
                });
                let of = quote!(<#ty as #rt::rules::Rule<#number, #pack>>);
                let check = quote! {
                    fn passed((#(#names,)*): &#of::Args) -> #of::Passed<'_> {
                        (#(#passed,)*)
                    }
                    #rt::rules::check::function::<#number, #pack, #ty>(point, passed)
                };
                (false, check)
            }
            Subject::Operator(name, _) => {
                let kind = quote!(#rt::operator::kind::#name);
                let method = Ident::new(&name.to_string().to_lowercase(), name.span());
                let function = match names.len() {
                    1 => format_ident!("unary"),
                    _ => format_ident!("binary"),
                };
                let own = &types[0];
                let others = &types[1..];
                let check = quote! {
                    #rt::rules::check::#function::<#kind, #(#types),*>(
                        point,
                        <#own as ::core::ops::#name #(<#others>)*>::#method,
                    )
                };
                (true, check)
            }
        };
        quote! {
            {
                fn check(point: u64) -> Result<bool, ::std::string::String> { #check }
                #rt::rules::check::Checked { signature: #signature, is_operator: #is_operator, check }
            }
        }
    }

    pub(super) fn parts(&self, rt: &TokenStream) -> Parts {
        let names: Vec<Ident> = self.params.iter().map(|param| param.name.clone()).collect();
        let bars = names.iter().map(|name| format_ident!("__bar_of_{name}")).collect();
        let directions = names.iter().map(|name| format_ident!("__along_{name}")).collect();
        let elements = self.elements(rt);
        let each = self.element_names();
        let maps = self.params.iter().map(|param| param.maps(rt, &each));
        let (pulled, pushed): (Vec<_>, Vec<_>) = maps.unzip();
        let is_each = self.params.iter().any(|param| matches!(param.line, Line::Each(_)));
        let reads_result =
            is_each || pulled.iter().any(|tokens: &TokenStream| mentions(tokens, "result"));
        let reads = reads_result
            || names.iter().any(|name| {
                pulled.iter().any(|tokens: &TokenStream| mentions(tokens, &name.to_string()))
            });
        Parts { names, bars, directions, pulled, pushed, reads_result, reads, elements }
    }

    /// The arguments that have elements where partials are of those.
    fn element_names(&self) -> Vec<Ident> {
        let each = self.params.iter().filter(|param| matches!(param.line, Line::Each(_)));
        each.map(|param| param.name.clone()).collect()
    }

    fn elements(&self, rt: &TokenStream) -> TokenStream {
        let names = self.element_names();
        if names.is_empty() {
            return TokenStream::new();
        }
        let arrays = names.iter().map(|name| format_ident!("__each_{name}"));
        quote! {
            #(let #arrays = #rt::rules::each::of(&#names, result);)*
            let __each_result = #rt::rules::each::of(result, result);
        }
    }

    fn function(&self, name: &Ident, owner: &Owner, Names { rt, pack }: &Names) -> TokenStream {
        let number = number(name);
        let ty = &owner.ty;
        let (params, bounds) = owner.params();
        let output = &self.output;
        let Parts { names, bars, directions, pulled, pushed, reads_result, elements, .. } =
            self.parts(rt);
        let kind = match self.params.first() {
            Some(param) if param.is_receiver => match param.taken {
                Taken::Value => quote!(#rt::ByValue),
                Taken::Shared => quote!(#rt::ByShared),
            },
            Some(_) | None => quote!(()),
        };
        let owned = self.params.iter().map(|param| &param.ty);
        let passed = self.params.iter().map(|Param { taken, ty, .. }| match taken {
            Taken::Value => quote!(#ty),
            Taken::Shared => quote!(&'a #ty),
        });
        // Behind references in a backward sweep.
        let by_value = self.params.iter().map(|Param { name, taken, .. }| match taken {
            Taken::Value => quote!(let #name = ::core::clone::Clone::clone(#name);),
            Taken::Shared => TokenStream::new(),
        });
        let value = match &self.value {
            Some(value) => renamed(quote!(#value)),
            None => quote!(<#ty>::#name(#(#names),*)),
        };
        let copies = self.params.iter().map(|Param { name, taken, .. }| match taken {
            Taken::Value => quote!(::core::clone::Clone::clone(&#name)),
            Taken::Shared => quote!(#name),
        });
        let of_self = quote!(<Self as #rt::rules::Rule<#number, #pack>>);
        let compute = quote!(let result = &#of_self::value((#(#copies,)*)););
        let result = reads_result.then_some(&compute);
        quote! {
            #[allow(unused_variables, clippy::all)]
            impl<#params> #rt::rules::Rule<#number, #pack> for #ty
            where
                #bounds
            {
                type Kind = #kind;
                type Args = (#(#owned,)*);
                type Passed<'a> = (#(#passed,)*);
                type Output = #output;
                #[inline]
                fn value((#(#names,)*): Self::Passed<'_>) -> #output {
                    #value
                }
                #[inline]
                fn pullback(
                    (#(#names,)*): <Self::Args as #rt::rules::Arguments>::Shared<'_>,
                    __weight: &#output,
                    (#(#bars,)*): <Self::Args as #rt::rules::Arguments>::Bars<'_>,
                ) {
                    #(#by_value)*
                    #result
                    #elements
                    #(#pulled)*
                }
                #[inline]
                fn pushforward(
                    (#(#names,)*): Self::Passed<'_>,
                    (#(#directions,)*): <Self::Args as #rt::rules::Arguments>::Directions<'_>,
                ) -> (#output, #output) {
                    #compute
                    let mut __tangent = #rt::Differentiable::zero_bar(result);
                    #elements
                    #(#pushed)*
                    (::core::clone::Clone::clone(result), __tangent)
                }
            }
        }
    }
}

impl Param {
    /// What the bar gets of a weight, and what a direction adds to the tangent.
    fn maps(&self, rt: &TokenStream, each: &[Ident]) -> (TokenStream, TokenStream) {
        let Self { name, ty, line, .. } = self;
        let (bar, along) = (format_ident!("__bar_of_{name}"), format_ident!("__along_{name}"));
        let part = |pulled: TokenStream| {
            quote! {
                let __part: <#ty as #rt::Differentiable>::Bar = #pulled;
                #rt::Vector::accumulate(__bar, &__part);
            }
        };
        let of = |Map { of, value }: &Map, source: TokenStream| quote!({ let #of = #source.clone(); #value });
        let (pulled, pushed) = match line {
            Line::Passive => {
                let proof = quote!(const { #rt::rules::discrete::<#ty>() };);
                return (proof.clone(), proof);
            }
            Line::Same => {
                let add = quote!(#rt::Vector::accumulate);
                let pulled = quote! {
                    if let ::core::option::Option::Some(__bar) = #bar {
                        #add(__bar, __weight);
                    }
                };
                let pushed = quote! {
                    if let ::core::option::Option::Some(__direction) = #along {
                        #add(&mut __tangent, __direction);
                    }
                };
                return (pulled, pushed);
            }
            Line::Each(partial) => {
                let arrays = each.iter().map(|name| format_ident!("__each_{name}"));
                let partial = quote! {
                    |__at| {
                        #(let #each = #arrays.at(__at);)*
                        let result = __each_result.at(__at);
                        #partial
                    }
                };
                (
                    part(quote!(#rt::rules::each::pulled(__weight, #partial))),
                    quote!(#rt::rules::each::pushed(__direction, result, #partial)),
                )
            }
            Line::Maps { pullback, pushforward } => {
                let pulled = match pullback {
                    Pullback::Part(map) => part(of(map, quote!(__weight))),
                    Pullback::Added { bar, of, added } => quote! {
                        let (#bar, #of) = (__bar, __weight);
                        #added;
                    },
                };
                (pulled, of(pushforward, quote!(__direction)))
            }
        };
        let pulled = quote! {
            if let ::core::option::Option::Some(__bar) = #bar {
                #pulled
            }
        };
        let pushed = quote! {
            if let ::core::option::Option::Some(__direction) = #along {
                let __part = #pushed;
                #rt::Vector::accumulate(&mut __tangent, &__part);
            }
        };
        (pulled, pushed)
    }
}

/// A type as it is written.
fn spelled(ty: &syn::Type) -> String {
    ty.to_token_stream().to_string().replace(' ', "").replace(',', ", ")
}

fn mentions(tokens: &TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
