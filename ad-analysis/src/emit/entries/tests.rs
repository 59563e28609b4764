//! Tests of the derivatives at arguments that the user gives.

use super::{Entries, relocated};
use crate::diff::Tracing;
use crate::interface::{Parameter, Passing};
use crate::ir::Carrier;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

impl Entries<'_> {
    /// The tangent that finds statements that are wrong.
    pub(super) fn traced_tangent(&self) -> Option<TokenStream> {
        let traced = self.uniform_tangent(self.product.traced?);
        let in_tests = (!self.interface.is_searched).then(|| quote!(#[cfg(test)]));
        Some(quote!(#in_tests #traced))
    }

    /// A test for each example.
    pub(super) fn tests(&self) -> TokenStream {
        let examples = self.interface.examples.iter().enumerate();
        let tests = examples.map(|(number, arguments)| Tested::new(self, arguments).test(number));
        tests.collect()
    }
}

/// A function with arguments.
pub(super) struct Tested<'e, 'a> {
    entries: &'e Entries<'a>,
    params: Vec<Passed<'e>>,
    /// The numbers of the independents.
    numbers: Ident,
    /// What is passed besides: those of a direction, or of the bars of the dependents.
    others: Ident,
    /// The numbers of the dependents.
    found: Ident,
    /// Their derivatives, or the bars of the independents.
    derivatives: Ident,
    result: Ident,
    /// The derivative of the result, or its bar.
    of_result: Ident,
}

/// A parameter with an argument.
struct Passed<'e> {
    param: &'e Parameter,
    argument: &'e TokenStream,
    name: Ident,
    /// The name of its bar, or its direction.
    part: Ident,
}

impl<'e, 'a> Tested<'e, 'a> {
    pub(super) fn new(entries: &'e Entries<'a>, arguments: &'e [TokenStream]) -> Self {
        let mut names = entries.product.adjoint.backward.names.clone();
        let mut fresh =
            |hint: &str| Ident::new(&names.fresh(hint.trim_start_matches("r#")), Span::call_site());
        let params = entries.interface.params.iter().zip(arguments);
        let params = params.map(|(param, argument)| Passed {
            param,
            argument,
            name: relocated(&param.ident),
            part: fresh(&format!("{}_part", param.ident)),
        });
        Self {
            entries,
            params: params.collect(),
            numbers: fresh("numbers"),
            others: fresh("others"),
            found: fresh("found"),
            derivatives: fresh("derivatives"),
            result: fresh("result"),
            of_result: fresh("result_part"),
        }
    }

    fn test(&self, number: usize) -> TokenStream {
        let (rt, name) = (&self.entries.rt, self.entries.interface.name.to_string());
        let ending = if number == 0 { String::new() } else { format!("_{}", number + 1) };
        let name = format_ident!("derivatives_of_{}{ending}", name.trim_start_matches("r#"));
        let (point, value, adjoint) = (self.point(), self.value(), self.adjoint());
        let compared = self.tracing().filter(|tracing| tracing.compared);
        let traced = compared.and_then(|_| self.traced());
        let [tangent, traced, summed] =
            [self.tangent(), traced, self.summed()].map(|derivative| match derivative {
                Some(derivative) => quote!(::core::option::Option::Some(&#derivative)),
                None => quote!(::core::option::Option::None),
            });
        quote! {
            #[cfg(test)]
            #[test]
            #[allow(clippy::all, unused_mut, unused_variables)]
            fn #name() {
                #rt::check::generated::derivatives(
                    &#point, &#value, &#adjoint, #tangent, #traced, #summed
                );
            }
        }
    }

    fn is_output_dependent(&self) -> bool {
        self.entries.interface.output_dependent
    }

    /// Of the parameters with a derivative those that are such as is asked for.
    fn with_parts(&self, is_meant: fn(&Parameter) -> bool) -> impl Iterator<Item = &Passed<'e>> {
        let params = self.params.iter();
        params.filter(move |passed| passed.param.has_bar() && is_meant(passed.param))
    }

    /// The arguments under the names of their parameters, as they are given.
    fn given(&self) -> TokenStream {
        let bindings = self.params.iter().map(|Passed { param, argument, name, part: _ }| {
            let ty = super::located(param.ty.clone());
            match param.passing {
                _ if !param.has_bar() => quote!(let #name: #ty = #argument;),
                Passing::Value => quote!(let mut #name: #ty = #argument;),
                Passing::Shared | Passing::Exclusive => quote! {
                    let mut #name = {
                        let #name: #ty = #argument;
                        ::std::borrow::ToOwned::to_owned(&*#name)
                    };
                },
            }
        });
        bindings.collect()
    }

    /// The same with the independents read from a list.
    fn bindings(&self) -> TokenStream {
        let (rt, numbers, given) = (&self.entries.rt, &self.numbers, self.given());
        let independents = self.with_parts(|param| param.independent).map(|passed| &passed.name);
        quote! {
            #given
            #(let #numbers = #rt::Vector::read_flat(&mut #independents, #numbers);)*
        }
    }

    /// A list of the numbers of some values.
    fn listed(&self, list: &Ident, values: impl Iterator<Item = Ident>) -> TokenStream {
        let rt = &self.entries.rt;
        quote! {
            let mut #list = ::std::vec::Vec::<f64>::new();
            #(#rt::Vector::write_flat(&#values, &mut #list);)*
        }
    }

    /// The values of the dependents, in a list.
    fn dependents(&self) -> TokenStream {
        let result = self.is_output_dependent().then(|| self.result.clone());
        let others = self.with_parts(|param| param.dependent).map(|passed| passed.name.clone());
        self.listed(&self.found, result.into_iter().chain(others))
    }

    /// The numbers of the independents.
    pub(super) fn point(&self) -> TokenStream {
        let (given, numbers) = (self.given(), &self.numbers);
        let independents = self.with_parts(|param| param.independent);
        let listed = self.listed(numbers, independents.map(|passed| passed.name.clone()));
        quote!({ #given #listed #numbers })
    }

    /// Arguments, those with derivatives followed by something.
    fn passed(&self, part: impl Fn(&Passed<'_>) -> Option<TokenStream>) -> Vec<TokenStream> {
        let args = self.params.iter().flat_map(|passed| {
            let name = &passed.name;
            let own = match passed.param.passing {
                _ if !passed.param.has_bar() => quote!(#name),
                Passing::Value => quote!(::core::clone::Clone::clone(&#name)),
                Passing::Shared => quote!(&#name),
                Passing::Exclusive => quote!(&mut #name),
            };
            let part = part(passed).filter(|_| passed.param.has_bar());
            [Some(own), part].into_iter().flatten()
        });
        args.collect()
    }

    /// Binds what a call returns.
    fn called(
        &self,
        pattern: &TokenStream,
        call: &TokenStream,
        failure: &TokenStream,
    ) -> TokenStream {
        let success = match self.entries.interface.carrier {
            None => return quote!(let #pattern = #call;),
            Some(Carrier::Option) => quote!(::core::option::Option::Some(#pattern)),
            Some(Carrier::Result) => quote!(::core::result::Result::Ok(#pattern)),
        };
        quote! {
            let #success = #call else { #failure };
        }
    }

    fn result_pattern(&self) -> TokenStream {
        let result = &self.result;
        if self.is_output_dependent() { quote!(#result) } else { quote!(_) }
    }

    /// A call of the function itself. A parameter may have its name.
    fn run(&self, failure: &TokenStream) -> TokenStream {
        let (entries, args) = (relocated(&self.entries.interface.entries), self.passed(|_| None));
        self.called(&self.result_pattern(), &quote!(#entries::__primal(#(#args),*)), failure)
    }

    /// The function, of lists of numbers.
    pub(super) fn value(&self) -> TokenStream {
        let (numbers, found) = (&self.numbers, &self.found);
        let (bindings, dependents) = (self.bindings(), self.dependents());
        // Beside the point it may fail.
        let run = self.run(&quote!(return ::core::option::Option::None));
        quote!(|#numbers: &[f64]| {
            #bindings
            #run
            #dependents
            ::core::option::Option::Some(#found)
        })
    }

    /// The adjoint, of the numbers of the independents and of the bars of the dependents.
    pub(super) fn adjoint(&self) -> TokenStream {
        let (rt, entries) = (&self.entries.rt, relocated(&self.entries.interface.entries));
        let Self { numbers, others, found, derivatives, result, of_result, .. } = self;
        let (bindings, dependents) = (self.bindings(), self.dependents());
        let (failure, run) = (failure(), self.run(&failure()));
        let exclusive = || self.with_parts(|param| param.passing == Passing::Exclusive);
        let (exclusive, mut after) = (
            exclusive().map(|passed| &passed.part).collect::<Vec<_>>(),
            exclusive().map(|passed| &passed.name).collect::<Vec<_>>(),
        );
        // The bars of what the function changes have the shape that it has afterwards.
        let seed = self.is_output_dependent().then_some(of_result);
        after.extend(seed.map(|_| result));
        let made = exclusive.iter().copied().chain(seed);
        let seeded = self.with_parts(|param| param.dependent).map(|passed| &passed.part);
        let seeded = seed.into_iter().chain(seeded);
        let rest = || self.with_parts(|param| param.passing != Passing::Exclusive);
        let (rest, values) = (rest().map(|passed| &passed.part), rest().map(|passed| &passed.name));
        let mut args = self.passed(|Passed { part, .. }| Some(quote!(&mut #part)));
        args.extend(seed.map(|seed| quote!(#seed)));
        let call =
            self.called(&self.result_pattern(), &quote!(#entries::adjoint(#(#args),*)), &failure);
        let independents = self.with_parts(|param| param.independent);
        let bars = self.listed(derivatives, independents.map(|passed| passed.part.clone()));
        quote!(|#numbers: &[f64], #others: &[f64]| {
            let (#(mut #made,)*) = {
                #bindings
                #run
                (#(#rt::Differentiable::zero_bar(&#after),)*)
            };
            #(let #others = #rt::Vector::read_flat(&mut #seeded, #others);)*
            #bindings
            #(let mut #rest = #rt::Differentiable::zero_bar(&#values);)*
            #call
            #dependents
            #bars
            (#found, #derivatives)
        })
    }

    /// The tangent, of the numbers of the independents and of a direction.
    fn tangent(&self) -> Option<TokenStream> {
        let interface = self.entries.interface;
        let ordinary = self.entries.product.ordinary.unwrap_or(self.entries.product);
        let has_tangent = ordinary.tangent.is_some_and(|tangent| tangent.refusal.is_none());
        if !has_tangent {
            return None;
        }
        let entries = relocated(&interface.entries);
        let Self { numbers, others, found, derivatives, of_result, result, .. } = self;
        let (directed, dependents) = (self.directed(), self.dependents());
        let args = self.passed(|Passed { param, part, .. }| {
            Some(match param.passing {
                Passing::Value => quote!(::core::clone::Clone::clone(&#part)),
                Passing::Shared => quote!(&#part),
                Passing::Exclusive => quote!(&mut #part),
            })
        });
        let pattern = match self.is_output_dependent() {
            true => quote!((#result, #of_result)),
            false => quote!(_),
        };
        let call = self.called(&pattern, &quote!(#entries::tangent(#(#args),*)), &failure());
        let changed = self.with_parts(|param| param.dependent).map(|passed| passed.part.clone());
        let of_result = self.is_output_dependent().then(|| of_result.clone());
        let slopes = self.listed(derivatives, of_result.into_iter().chain(changed));
        Some(quote!(|#numbers: &[f64], #others: &[f64]| {
            #directed
            #call
            #dependents
            #slopes
            (#found, #derivatives)
        }))
    }

    /// The derivatives of the function with a sum of what its statements assign.
    fn summed(&self) -> Option<TokenStream> {
        let rt = &self.entries.rt;
        let (summed, sites) =
            (Entries::new(self.entries.product.summed?.product), self.entries.sites()?);
        let arguments = self.params.iter().map(|passed| passed.argument.clone());
        let arguments: Vec<TokenStream> = arguments.chain([quote!(&mut 0.0_f64)]).collect();
        let with_sum = Tested::new(&summed, &arguments);
        let (adjoint, tangent) = (with_sum.adjoint(), with_sum.tangent()?);
        Some(quote!(#rt::check::summed::Summed {
            adjoint: &#adjoint,
            tangent: &#tangent,
            sites: &#sites,
        }))
    }

    /// The arguments, and the directions of those that have one.
    fn directed(&self) -> TokenStream {
        let (rt, others, bindings) = (&self.entries.rt, &self.others, self.bindings());
        let parts = self.with_parts(|_| true).map(|passed| &passed.part);
        let values = self.with_parts(|_| true).map(|passed| &passed.name);
        let moving = self.with_parts(|param| param.independent).map(|passed| &passed.part);
        quote! {
            #bindings
            #(let mut #parts = #rt::Differentiable::zero_bar(&#values);)*
            #(let #others = #rt::Vector::read_flat(&mut #moving, #others);)*
        }
    }

    /// What the tangent is traced for that tells what its statements assign, if there is one.
    fn tracing(&self) -> Option<Tracing> {
        self.entries.product.ordinary.unwrap_or(self.entries.product).traced?.traced
    }

    /// The tangent that tells what its statements assign, of the numbers of the independents and of a direction.
    pub(super) fn traced(&self) -> Option<TokenStream> {
        self.tracing()?;
        let (entries, directed) = (relocated(&self.entries.interface.entries), self.directed());
        let Self { numbers, others, .. } = self;
        let args = self.params.iter().map(|Passed { param, name, part, .. }| {
            let (own, direction) = match param.passing {
                Passing::Value => (quote!(::core::clone::Clone::clone(&#name)), quote!(&#part)),
                Passing::Shared => (quote!(&#name), quote!(&#part)),
                Passing::Exclusive => (quote!(&mut #name), quote!(&mut #part)),
            };
            if param.has_bar() { quote!(#own, #direction) } else { quote!(#name, ()) }
        });
        Some(quote!(|#numbers: &[f64], #others: &[f64]| {
            #directed
            let _ = #entries {}.__traced(#(#args),*);
        }))
    }
}

/// Derivatives are taken at the point itself.
fn failure() -> TokenStream {
    quote!(::core::panic!("the function fails at this point"))
}
