//! The Jacobian of functions with several dependents as users call it. Several columns are found at once where there are tangents in several
//! directions, and several rows where there is an adjoint for several seeds, of functions that call none with derivatives.

use super::super::docs;
use super::hessian::reference_to;
use super::{Entries, Entry, relocated};
use crate::interface::{Parameter, Passing};
use crate::ir::{Body, StmtKind, Sweep, each_stmt};
use crate::types::Type;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// Tuples of more parts have no bars in the runtime.
const LONGEST_TUPLE: usize = 8;

impl<'a> Entries<'a> {
    /// The entry, unless `gradient` is the one row: columns by tangents, if there are any, and rows by adjoints.
    pub(super) fn jacobian(&self) -> Option<Entry> {
        let (rt, list) = (&self.rt, quote!(::std::vec::Vec<f64>));
        let (params, output) = (self.primal_params(), self.carrying(&list));
        if self.has_gradient() || !self.has_flat_bars() || !self.names_generics(&params, &output) {
            return None;
        }
        let run = Run::new(self);
        let (columns, rows) = (run.columns(), run.rows());
        let name = &run.name;
        let result = self.success(&quote!(#name.finish()));
        let body = quote! {
            let mut #name = #rt::Jacobian::new();
            #columns
            #rows
            #result
        };
        let doc = docs::jacobian(self.interface);
        Some(self.entry("jacobian", doc, false, params, Some(output), body))
    }

    /// The types of the independents and the dependents, where they are known.
    fn differentiated_types(&self) -> impl Iterator<Item = &'a Type> {
        let params = self.interface.params.iter().filter(|param| param.has_bar());
        let params = params.map(|param| self.type_of(param));
        let result = self.primal.result.filter(|_| self.interface.output_dependent);
        params.chain(result.map(|result| &self.primal.vars[result].ty))
    }

    /// Whether the runtime can write all bars as lists.
    fn has_flat_bars(&self) -> bool {
        self.differentiated_types().all(has_short_tuples)
    }

    /// Whether the entry has the generic parameters that those have that it calls: they return the result, which it does not.
    pub(super) fn names_generics(&self, params: &[TokenStream], output: &TokenStream) -> bool {
        let own = self.output();
        let of = |output: &TokenStream| self.generics(&[], &quote!(#(#params)* #output));
        let (found, needed) = (of(output), of(&quote!(#output #own)));
        found.0.to_string() == needed.0.to_string()
    }

    /// Whether directions can be made of the zeros of bars, as far as the macro sees. A bar that is written by hand may be of another type than
    /// its value: of single values that is asked where the columns are found.
    fn has_columns(&self) -> bool {
        let ordinary = self.product.ordinary.unwrap_or(self.product);
        let has_tangent = ordinary.tangent.is_some_and(|tangent| tangent.refusal.is_none());
        has_tangent
            && self
                .differentiated_types()
                .all(|ty| ty.is_structural() || !matches!(ty, Type::Slice(_)))
    }
}

fn has_short_tuples(ty: &Type) -> bool {
    match ty {
        Type::Tuple(fields) => fields.len() <= LONGEST_TUPLE && fields.iter().all(has_short_tuples),
        Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => {
            has_short_tuples(element)
        }
        Type::Float(_)
        | Type::Int(_)
        | Type::Bool
        | Type::Named(_)
        | Type::Unknown
        | Type::Infer(_) => true,
    }
}

/// Whether a sweep calls those of other functions.
fn calls_sweeps(sweep: &Body) -> bool {
    let mut found = false;
    each_stmt(&sweep.block, &mut |stmt| {
        if let StmtKind::Call(call) = &stmt.kind {
            found |= match call.sweep {
                Sweep::Primal | Sweep::Forward { .. } => false,
                Sweep::Backward { .. } | Sweep::Tangent { .. } => true,
            };
        }
    });
    found
}

/// How many columns or rows a run finds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    One,
    Several,
}

/// A run of another entry for columns or rows.
struct Run<'e, 'a> {
    entries: &'e Entries<'a>,
    /// The Jacobian.
    name: Ident,
    result: Ident,
    /// The value of the function, where `result` is its tangent.
    value: Ident,
    seed: Ident,
    /// For each parameter, the copy of what a `&mut` refers to.
    copies: Vec<Option<Ident>>,
    /// For each parameter, its bar or its direction.
    bars: Vec<Option<Ident>>,
}

impl<'e, 'a> Run<'e, 'a> {
    fn new(entries: &'e Entries<'a>) -> Self {
        let mut names = entries.product.adjoint.backward.names.clone();
        for own in [&entries.stack, &entries.kept] {
            names.fresh(&own.to_string());
        }
        let mut fresh =
            |hint: &str| Ident::new(&names.fresh(hint.trim_start_matches("r#")), Span::call_site());
        let params = &entries.interface.params;
        let mut of = |ending: &str, is_meant: fn(&Parameter) -> bool| -> Vec<Option<Ident>> {
            let names = params
                .iter()
                .map(|param| is_meant(param).then(|| fresh(&format!("{}_{ending}", param.ident))));
            names.collect()
        };
        Self {
            entries,
            copies: of("copy", |param| param.passing == Passing::Exclusive),
            bars: of("part", Parameter::has_bar),
            name: fresh("jacobian"),
            result: fresh("result"),
            value: fresh("value"),
            seed: fresh("seed"),
        }
    }

    fn params(&self) -> impl Iterator<Item = (&'a Parameter, &Option<Ident>, &Option<Ident>)> {
        let params = self.entries.interface.params.iter();
        params.zip(&self.copies).zip(&self.bars).map(|((param, copy), bar)| (param, copy, bar))
    }

    /// Copies of what `&mut` parameters hold, which the run changes.
    fn copied(&self) -> TokenStream {
        let rt = &self.entries.rt;
        let copies = self.params().filter_map(|(param, copy, _)| {
            let (copy, value) = (copy.as_ref()?, relocated(&param.ident));
            Some(quote! {
                let mut #copy = {
                    use #rt::jacobian::*;
                    (&&Original(&*#value)).copied()
                };
            })
        });
        copies.collect()
    }

    /// What is passed for a parameter.
    fn argument(&self, param: &Parameter, copy: Option<&Ident>) -> TokenStream {
        let (rt, value) = (&self.entries.rt, relocated(&param.ident));
        match (param.passing, copy) {
            (Passing::Exclusive, Some(copy)) => quote!(&mut *#copy),
            (Passing::Shared | Passing::Exclusive, _) => quote!(#value),
            (Passing::Value, _) if self.entries.type_of(param).is_copy() => quote!(#value),
            (Passing::Value, _) => quote!(#rt::copied(&#value)),
        }
    }

    /// The zero bar of what a reference refers to.
    fn zero(&self, width: Width, reference: &TokenStream) -> TokenStream {
        let rt = &self.entries.rt;
        match width {
            Width::One => quote!(#rt::Differentiable::zero_bar(#reference)),
            Width::Several => quote!(#rt::zeros_along::<#rt::jacobian::Lanes, _>(#reference)),
        }
    }

    /// Whether all that is differentiated is of floats, lists and tuples.
    fn is_structural(&self) -> bool {
        self.entries.differentiated_types().all(Type::is_structural)
    }

    /// A question to a value of a type that the macro does not see through.
    fn ask(&self, reference: &TokenStream, question: &TokenStream) -> TokenStream {
        let rt = &self.entries.rt;
        quote!({
            use #rt::jacobian::*;
            (&&Value(#reference)).#question
        })
    }

    /// What the columns have of a parameter: its direction, before the run, and whether there are directions, if that is a question.
    fn direction(&self, width: Width, param: &Parameter) -> (TokenStream, Option<TokenStream>) {
        let (name, reference) = (&self.name, reference_to(param));
        if self.entries.type_of(param).is_structural() {
            let zero = self.zero(width, &reference);
            let unit = match (param.independent, width) {
                (true, Width::One) => quote!(#name.direction(#zero)),
                (true, Width::Several) => quote!(#name.units(#reference)),
                (false, _) => zero,
            };
            return (unit, None);
        }
        let question = match param.independent {
            true => quote!(direction(&mut #name)),
            false => quote!(zero()),
        };
        let is_there = self.ask(&reference, &quote!(has_directions()));
        (self.ask(&reference, &question), Some(is_there))
    }

    /// Notes the tangent of a value.
    fn found(&self, width: Width, ty: &Type, value: &TokenStream, tangent: &Ident) -> TokenStream {
        let name = &self.name;
        if width == Width::Several {
            return quote!(#name.found_in_all(#value, &#tangent););
        }
        if ty.is_structural() {
            return quote!(#name.found(&#tangent););
        }
        let found = self.ask(&quote!(&#tangent), &quote!(found(&mut #name)));
        quote!(#found;)
    }

    /// What a call returns, if it returns anything.
    fn attempt(&self) -> Option<TokenStream> {
        self.entries.interface.carrier.map(|_| quote!(?))
    }

    /// Tangents along unit vectors.
    fn columns(&self) -> Option<TokenStream> {
        if !self.entries.has_columns() {
            return None;
        }
        let width = self.width_of_columns();
        let Self { name, result, value, .. } = self;
        let (mut directions, mut found) = (TokenStream::new(), TokenStream::new());
        let (mut args, mut conditions) = (Vec::new(), Vec::new());
        for (param, copy, direction) in self.params() {
            args.push(self.argument(param, copy.as_ref()));
            let Some(direction) = direction else { continue };
            let (unit, is_there) = self.direction(width, param);
            let mutable = (param.passing == Passing::Exclusive).then(|| quote!(mut));
            directions.extend(quote!(let #mutable #direction = #unit;));
            conditions.extend(is_there);
            args.push(match param.passing {
                Passing::Value => quote!(#direction),
                Passing::Shared => quote!(&#direction),
                Passing::Exclusive => quote!(&mut #direction),
            });
            if param.dependent {
                let (ty, value) = (self.entries.type_of(param), quote!(&*#copy));
                found.extend(self.found(width, ty, &value, direction));
            }
        }
        let attempt = self.attempt();
        let (entry, next) = match width {
            Width::One => (self.entries.entry_name("tangent"), quote!(next_column)),
            Width::Several => (self.entries.entry_name("tangents"), quote!(next_columns)),
        };
        let output = self.entries.primal.result.filter(|_| self.entries.interface.output_dependent);
        let pattern = match output {
            Some(output) => {
                let ty = &self.entries.primal.vars[output].ty;
                found.extend(self.found(width, ty, &quote!(&#value), result));
                match width {
                    Width::One => quote!((_, #result)),
                    Width::Several => quote!((#value, #result)),
                }
            }
            None => quote!(_),
        };
        let copies = self.copied();
        Some(quote! {
            while #(#conditions &&)* #name.#next() {
                #copies
                #directions
                let #pattern = Self::#entry(#(#args),*)#attempt;
                #found
            }
        })
    }

    fn width_of_columns(&self) -> Width {
        let entries = self.entries;
        let tangents = entries.product.ordinary.unwrap_or(entries.product).tangents;
        let tangents = tangents.filter(|tangents| tangents.refusal.is_none());
        self.width_of(tangents.map(|tangents| &tangents.body))
    }

    fn width_of_rows(&self) -> Width {
        let seeds = self.entries.product.seeds.filter(|_| !self.entries.refuses_seeds());
        self.width_of(seeds.map(|seeds| &seeds.adjoint.backward))
    }

    /// The width of runs of a sweep for several directions or seeds, if there is one. A function that is called may have
    /// derivatives for one only, which is seen where code is generated: then it is too late to go without.
    fn width_of(&self, sweep: Option<&Body>) -> Width {
        match sweep {
            Some(sweep) if self.is_structural() && !calls_sweeps(sweep) => Width::Several,
            Some(_) | None => Width::One,
        }
    }

    /// The seed for the value that a reference refers to.
    fn unit(&self, width: Width, reference: &TokenStream) -> TokenStream {
        let name = &self.name;
        match width {
            Width::One => quote!(#name.seed(#reference)),
            Width::Several => quote!(#name.units(#reference)),
        }
    }

    /// The bar of a parameter, after the forward sweep, and what it is the bar of.
    fn bar(
        &self,
        width: Width,
        param: &Parameter,
        copy: Option<&Ident>,
    ) -> (TokenStream, TokenStream) {
        // That of a `&mut` has the shape of what it refers to afterwards.
        let reference = match copy {
            Some(copy) => quote!(&*#copy),
            None => reference_to(param),
        };
        let bar = match copy {
            Some(_) if param.dependent => self.unit(width, &reference),
            Some(_) | None => self.zero(width, &reference),
        };
        (bar, reference)
    }

    /// What the forward sweep returns is bound to, and what follows it if the function may fail.
    fn outcome(&self) -> (TokenStream, Option<TokenStream>) {
        let (result, attempt) = (&self.result, self.attempt());
        let is_dependent = self.entries.interface.output_dependent;
        let pattern = match is_dependent || attempt.is_some() {
            true => quote!(#result),
            false => quote!(_),
        };
        let attempt = attempt.map(|attempt| match is_dependent {
            true => quote!(let #result = #result #attempt;),
            false => quote!(#result #attempt;),
        });
        (pattern, attempt)
    }

    /// Both sweeps with unit seeds. Of a pullback rustc could not see in an `impl` block that it borrows no copy.
    fn rows(&self) -> TokenStream {
        let (Entries { rt, stack, kept, .. }, Self { name, .. }) = (self.entries, self);
        let width = self.width_of_rows();
        let (mut forward, mut slots) = (Vec::new(), Vec::new());
        let (mut bars, mut found) = (TokenStream::new(), TokenStream::new());
        for (param, copy, bar) in self.params() {
            let argument = self.argument(param, copy.as_ref());
            let (marker, slot) = match bar {
                Some(bar) => (quote!(On), quote!(&mut #bar)),
                None => (quote!(Off), quote!(())),
            };
            let value = relocated(&param.ident);
            forward.push(quote!(#argument, #rt::#marker));
            slots.push(match param.passing {
                Passing::Shared => quote!(#value, #slot),
                Passing::Value => quote!(&#value, #slot),
                Passing::Exclusive => quote!((), #slot),
            });
            if let Some(bar) = bar {
                let (zero, reference) = self.bar(width, param, copy.as_ref());
                bars.extend(quote!(let mut #bar = #zero;));
                found.extend(param.independent.then(|| match width {
                    Width::One => quote!(#name.found(&#bar);),
                    Width::Several => quote!(#name.found_in_all(#reference, &#bar);),
                }));
            }
        }
        let (result, attempt) = self.outcome();
        let seed = match self.entries.interface.output_dependent {
            true => {
                let seed = &self.seed;
                let unit = self.unit(width, &quote!(&#result));
                bars.extend(quote!(let #seed = #unit;));
                quote!(#seed)
            }
            false => quote!(()),
        };
        let (entries, copies) = (self.entries, self.copied());
        let (next, backward, several) = match width {
            Width::One => (quote!(next_row), "backward", None),
            Width::Several => {
                let marker = quote!(::core::marker::PhantomData::<#rt::jacobian::Lanes>,);
                (quote!(next_rows), "backwards", Some(marker))
            }
        };
        let (forward_sweep, backward_sweep) = (entries.sweep("forward"), entries.sweep(backward));
        let turn = entries.turn(&quote!(#stack));
        quote! {
            while #name.#next() {
                #copies
                let mut #stack = #rt::pool();
                let (#result, #kept) = #forward_sweep(&mut #stack, #rt::On, #(#forward),*);
                #attempt
                #turn
                #bars
                #backward_sweep(&mut #stack, #rt::On, #several #kept, #(#slots,)* #seed);
                #found
            }
        }
    }
}
