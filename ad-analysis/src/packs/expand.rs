//! The implementations of rules of functions.

use super::parse::{
    Fails, Instance, Kept, Line, Map, Maps, Owner, Pack, Param, Pullback, Rule, Subject, Taken,
    renamed,
};
use crate::derive::number_of_field;
use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::Error;

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
    /// Whether what is pulled back to the second operand of an operator reads the first one, or the result.
    pub(super) reads_first: bool,
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

    /// What there is, for the documentation and for tests: nobody else compiles it.
    fn table(&self, names @ Names { rt, .. }: &Names) -> TokenStream {
        let rows = self.owners.iter().flat_map(|owner| {
            let rules = owner.rules.iter();
            rules.flat_map(|rule| owner.instances.iter().map(|at| rule.row(owner, at, names)))
        });
        let rows: Vec<TokenStream> = rows.collect();
        match self.runtime {
            None => TokenStream::new(),
            Some(_) => quote! {
                /// What there are rules for.
                #[cfg(feature = "rule-checks")]
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
            Subject::Function(name) | Subject::Overloaded(name) => rule.function(name, self, names),
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
        let output = match self.fails {
            Fails::Never => spelled(&self.output),
            Fails::ByOption => format!("Option<{}>", spelled(&self.output)),
        };
        let name = match &self.subject {
            Subject::Function(name) | Subject::Overloaded(name) | Subject::Operator(name, _) => {
                name
            }
        };
        format!("{}::{name}({}) -> {output}", spelled(ty), params.join(", "))
    }

    /// What the table says of the rule.
    fn row(&self, owner: &Owner, at: &Instance, names @ Names { rt, .. }: &Names) -> TokenStream {
        let signature = self.signature(&owner.ty);
        let ty = at.of(owner.ty.to_token_stream());
        let types: Vec<TokenStream> =
            self.params.iter().map(|param| at.of(param.ty.to_token_stream())).collect();
        let args: Vec<&Ident> = self.params.iter().map(|param| &param.name).collect();
        let (is_operator, check) = match &self.subject {
            Subject::Function(name) | Subject::Overloaded(name) => {
                let number = number(name);
                let pack = self.pack(names);
                let pack = at.of(quote!(#pack));
                let passed = self.params.iter().map(|Param { name, taken, .. }| match taken {
                    Taken::Value => quote!(::core::clone::Clone::clone(#name)),
                    Taken::Shared => quote!(#name),
                });
                let of = quote!(<#ty as #rt::rules::Rule<#number, #pack>>);
                let check = quote! {
                    fn passed((#(#args,)*): &#of::Args) -> #of::Passed<'_> {
                        (#(#passed,)*)
                    }
                    #rt::rules::check::function::<#number, #pack, #ty>(point, passed)
                };
                (false, check)
            }
            Subject::Operator(name, _) => {
                let kind = quote!(#rt::operator::kind::#name);
                let method = Ident::new(&name.to_string().to_lowercase(), name.span());
                let function = match args.len() {
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
        let reads_first = is_each
            || pulled.iter().skip(1).any(|tokens| {
                mentions(tokens, "result") || mentions(tokens, &names[0].to_string())
            });
        Parts { names, bars, directions, pulled, pushed, reads_result, reads_first, elements }
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

    /// Whether there is always a result.
    fn carrier(&self, rt: &TokenStream) -> TokenStream {
        match self.fails {
            Fails::Never => quote!(#rt::rules::Always),
            Fails::ByOption => quote!(#rt::rules::Perhaps),
        }
    }

    /// The pack in which the rule is found: of several functions of one name, that of the arguments.
    fn pack(&self, Names { rt, pack }: &Names) -> TokenStream {
        match &self.subject {
            Subject::Overloaded(_) => {
                let others = self.params.iter().skip(1).map(|param| &param.ty);
                quote!(#rt::rules::Overloaded<(#(#others,)*)>)
            }
            Subject::Function(_) | Subject::Operator(..) => pack.clone(),
        }
    }

    fn function(&self, name: &Ident, owner: &Owner, names: &Names) -> TokenStream {
        let number = number(name);
        let (rt, pack) = (&names.rt, self.pack(names));
        let ty = &owner.ty;
        let (params, bounds) = owner.params();
        let output = &self.output;
        let Parts { names, bars, directions, pulled, pushed, reads_result, elements, .. } =
            self.parts(rt);
        if self.result == Kept::Result && !reads_result {
            let message = "the result is kept, and no pullback reads it: `fn` without `kept`";
            return Error::new(name.span(), message).to_compile_error();
        }
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
        let carrier = self.carrier(rt);
        let of_carrier = quote!(<#carrier as #rt::rules::Carrier>);
        let compute = quote!(#of_self::value((#(#copies,)*)));
        let there = quote!(.expect("there is a result where a weight of it is pulled back"));
        let (kept, keep, found) = match self.result {
            Kept::Nothing => (quote!(()), quote!(), quote!(&#of_carrier::content(#compute) #there)),
            Kept::Result => (
                quote!(::core::option::Option<#output>),
                quote!(#of_carrier::copied(result)),
                quote!(__kept.as_ref() #there),
            ),
        };
        let result = reads_result.then(|| quote!(let result = #found;));
        quote! {
            #[allow(unused_variables, clippy::all)]
            impl<#params> #rt::rules::Rule<#number, #pack> for #ty
            where
                #bounds
            {
                type Kind = #kind;
                type Args = (#(#owned,)*);
                type Passed<'a> = (#(#passed,)*);
                type Carrier = #carrier;
                type Output = #output;
                type Weight = <#output as #rt::Differentiable>::Bar;
                type Kept = #kept;
                #[inline]
                fn value((#(#names,)*): Self::Passed<'_>) -> #of_carrier::Of<#output> {
                    #value
                }
                #[inline]
                fn keep(result: &#of_carrier::Of<#output>) -> #kept {
                    #keep
                }
                #[inline]
                fn pullback(
                    (#(#names,)*): <Self::Args as #rt::rules::Arguments>::Shared<'_>,
                    __kept: &#kept,
                    __weight: &Self::Weight,
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
                ) -> #of_carrier::Of<(#output, Self::Weight)> {
                    #of_carrier::map(#compute, |__value| {
                        let result = &__value;
                        let mut __sum = #rt::rules::Sum::of(result);
                        #elements
                        #(#pushed)*
                        let __tangent = __sum.of_all(result);
                        (__value, __tangent)
                    })
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
                        __sum.add(::core::clone::Clone::clone(__direction));
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
            Line::Maps(maps) | Line::SameIfAsLarge(maps) => {
                let Maps { pullback, pushforward } = maps;
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
                __sum.add(#pushed);
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
