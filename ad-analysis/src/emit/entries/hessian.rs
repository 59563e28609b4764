//! Second derivatives as users call them.

use super::super::{docs, located};
use super::carrier::carrying;
use super::second::Second;
use super::{Entries, Entry, relocated};
use crate::interface::{Parameter, Passing};
use crate::types::Type;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

impl Second<'_> {
    /// Whether there are entries for users: the result is a number, and nothing else is a dependent.
    pub(super) fn has_hessian(&self) -> bool {
        let is_plain = |param: &Parameter| {
            !param.has_bar() || param.passing != Passing::Exclusive && !param.dependent
        };
        self.is_scalar()
            && self.function.output_dependent
            && self.function.params.iter().all(is_plain)
    }

    fn is_scalar(&self) -> bool {
        let body = self.entries.primal;
        match body.result.map(|result| &body.vars[result].ty) {
            Some(Type::Tuple(parts)) => parts[0].is_float(),
            _ => false,
        }
    }

    /// The bars of the values are the products with the Hessian, those of the directions are the gradient.
    pub(super) fn hessian_vector(&self) -> Option<Entry> {
        if !self.has_hessian() {
            return None;
        }
        let entries = &self.entries;
        let Entries { rt, ret, seed, stack, .. } = entries;
        let (mut products, mut gradient, mut zeros) = (Vec::new(), Vec::new(), TokenStream::new());
        for of in self.params() {
            let (Some((direction, _)), (number, param)) = (of.direction, of.value) else {
                continue;
            };
            for (number, list) in [(number, &mut products), (direction, &mut gradient)] {
                let bar = entries.bars[number].as_ref().expect("an independent has a bar");
                let (zero, value) = (format_ident!("{bar}_zero"), reference_to(param));
                zeros.extend(quote! {
                    let mut #zero = #rt::Differentiable::zero_bar(#value);
                    let #bar = &mut #zero;
                });
                list.push(zero);
            }
        }
        let tuple = |parts: &[Ident]| match parts {
            [only] => quote!(#only),
            parts => quote!((#(#parts),*)),
        };
        let (products, gradient) = (tuple(&products), tuple(&gradient));
        let joint = entries.joint(true);
        let all = match entries.interface.carrier {
            Some(_) => quote!(#ret.map(|#ret| (#ret.0, #gradient, #products))),
            None => quote!((#ret.0, #gradient, #products)),
        };
        let pool = entries.pool();
        let body = quote! {
            #zeros
            let #seed = (0.0, 1.0);
            let #stack = #pool;
            #joint
            #all
        };
        let params = entries.primal_params();
        let doc = docs::hessian_vector(self.function);
        Some(entries.entry(
            "hessian_vector",
            doc,
            false,
            params,
            Some(self.hessian_vector_output()),
            body,
        ))
    }

    pub(super) fn gradient_type(&self) -> TokenStream {
        let types = self.params().into_iter().filter_map(|of| {
            of.direction?;
            let (_, param) = of.value;
            let ty = located(param.pointee.clone());
            Some(super::super::types::owned_bar(self.entries.type_of(param), &ty, &self.entries.rt))
        });
        let types: Vec<TokenStream> = types.collect();
        match types.as_slice() {
            [only] => only.clone(),
            types => quote!((#(#types),*)),
        }
    }

    fn hessian_vector_output(&self) -> TokenStream {
        let (gradient, payload) = (self.gradient_type(), &self.function.payload);
        let payload = payload.clone().map(located);
        carrying(self.function, &quote!((#payload, #gradient, #gradient)))
    }

    /// The entries for users.
    pub(super) fn public(&self) -> TokenStream {
        let Some(entry) = self.hessian_vector() else { return TokenStream::new() };
        let entries = &self.entries;
        let own = &entries.interface.entries;
        let args = entries.interface.params.iter().map(|param| relocated(&param.ident));
        let body = quote!(#own::hessian_vector(#(#args),*));
        let params = entries.primal_params();
        let output = Some(self.hessian_vector_output());
        let vector = entries.entry("hessian_vector", entry.doc, false, params, output, body).tokens;
        let (dense, sparse) = (self.dense_entries(), self.sparse());
        quote!(#vector #(#dense)* #(#sparse)*)
    }

    /// The Hessian and its diagonal.
    pub(super) fn dense_entries(&self) -> Vec<TokenStream> {
        if !self.has_hessian() {
            return Vec::new();
        }
        vec![self.dense(Part::Rows), self.dense(Part::Diagonal)]
    }

    /// The Hessian by its products with all unit vectors, which are its rows.
    fn dense(&self, part: Part) -> TokenStream {
        let (entries, list) = (&self.entries, quote!(::std::vec::Vec<f64>));
        let (name, doc) = match part {
            Part::Rows => ("hessian", docs::hessian(self.function)),
            Part::Diagonal => ("hessian_diagonal", docs::hessian_diagonal(self.function)),
        };
        let (params, output) = (self.function_params(), carrying(self.function, &list));
        let body = self.dense_in_several(part).unwrap_or_else(|| self.dense_one_by_one(part));
        entries.entry(name, doc, false, params, Some(output), body).tokens
    }

    /// The parameters of the function as they are, without a receiver.
    pub(super) fn function_params(&self) -> Vec<TokenStream> {
        let after_receiver = usize::from(self.function.has_receiver);
        let params = self.function.params.iter().skip(after_receiver).map(|param| {
            let (name, ty) = (relocated(&param.ident), located(param.ty.clone()));
            quote!(#name: #ty)
        });
        params.collect()
    }

    /// What finds it where each row takes a run of its own.
    fn dense_one_by_one(&self, part: Part) -> TokenStream {
        let (entries, rt) = (&self.entries, &self.entries.rt);
        let [unit, found, row, rest, at, products] =
            self.entries.fresh(["unit", "found", "row", "rest", "at", "products"]);
        let (mut zeros, mut sizes, mut units) =
            (TokenStream::new(), TokenStream::new(), TokenStream::new());
        let vector = entries.entry_name("hessian_vector");
        let mut args = Vec::new();
        for of in self.params() {
            let param = of.value.1;
            args.push(entries.argument_again(param));
            if of.direction.is_none() {
                continue;
            }
            let (direction, reference) = (&of.name, reference_to(param));
            zeros.extend(quote!(let mut #direction = #rt::Differentiable::zero_bar(#reference);));
            sizes.extend(quote!(#rt::Vector::write_flat(&#direction, &mut #unit);));
            units.extend(quote!(let #rest = #rt::Vector::read_flat(&mut #direction, #rest);));
            args.push(match param.passing {
                Passing::Value => quote!(::core::clone::Clone::clone(&#direction)),
                Passing::Shared | Passing::Exclusive => quote!(&#direction),
            });
        }
        let attempt = entries.interface.carrier.map(|_| quote!(?));
        let list = quote!(::std::vec::Vec<f64>);
        let (declare, keep) = match part {
            Part::Rows => (None, quote!(#rt::Vector::write_flat(&#products, &mut #found);)),
            Part::Diagonal => (
                Some(quote!(let mut #row: #list = ::std::vec::Vec::new();)),
                quote! {
                    #row.clear();
                    #rt::Vector::write_flat(&#products, &mut #row);
                    #found.push(#row[#at]);
                },
            ),
        };
        let result = entries.success(&quote!(#found));
        quote! {
            #zeros
            let mut #unit: #list = ::std::vec::Vec::new();
            #sizes
            let mut #found: #list = ::std::vec::Vec::new();
            #declare
            for #at in 0..#unit.len() {
                #unit.fill(0.0);
                #unit[#at] = 1.0;
                let #rest = &#unit[..];
                #units
                let _ = #rest;
                let (_, _, #products) = Self::#vector(#(#args),*)#attempt;
                #keep
            }
            #result
        }
    }
}

/// A reference to the value of a parameter.
pub(super) fn reference_to(param: &Parameter) -> TokenStream {
    let value = relocated(&param.ident);
    match param.passing {
        Passing::Value => quote!(&#value),
        Passing::Shared => quote!(#value),
        Passing::Exclusive => quote!(&*#value),
    }
}

/// What is taken of the Hessian.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Rows,
    Diagonal,
}

impl Part {
    /// What the runtime begins one with.
    pub(super) fn constructor(self) -> Ident {
        let name = match self {
            Self::Rows => "rows",
            Self::Diagonal => "diagonal",
        };
        Ident::new(name, Span::call_site())
    }
}
