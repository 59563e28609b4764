//! Rules by hand are checked where they are used, while a check of the user's runs.

use super::super::respanned;
use super::super::types::known;
use super::{Entries, relocated};
use crate::interface::{Home, Parameter, Passing};
use crate::ir::Carrier;
use crate::types::{FloatKind, IntKind, Type};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;

/// So many fields have the tuples that are vectors.
const LONGEST: usize = 8;

/// The parameters of a function with a rule, as the check of the rule has them.
#[derive(Default)]
struct Watched {
    /// What they are called, where, and what they are.
    parts: Vec<TokenStream>,
    /// The names of those with bars, and of the bars.
    names: Vec<Ident>,
    bars: Vec<Ident>,
    /// Copies of those with bars.
    point: Vec<TokenStream>,
    /// The arguments of the function.
    args: Vec<TokenStream>,
    /// The arguments of the adjoint.
    adjoint_args: Vec<TokenStream>,
}

impl Entries<'_> {
    /// What stands before the uses of a derivative that the user gives. Nothing does if there are arguments that cannot be changed to
    /// see what happens.
    pub(super) fn watch(&self, name_of: impl Fn(&Parameter) -> Ident) -> Option<TokenStream> {
        let is_given =
            self.interface.given_adjoint.is_some() || !self.interface.given_partials.is_empty();
        if !is_given || self.interface.home == Home::StandardTrait {
            return None;
        }
        let Watched { parts, names, bars, point, args, mut adjoint_args } =
            self.watched(name_of)?;
        let value = self.watched_value(&args)?;
        let seed = match self.interface.output_dependent {
            true => {
                let seed = &self.seed;
                adjoint_args.push(quote!(#seed));
                quote!(#seed)
            }
            false => quote!(_),
        };
        let (rt, function) = (&self.rt, self.interface.name.to_string());
        let adjoint = self.entry_name("adjoint");
        let names = nested(names.iter().map(|name| quote!(#name)).collect());
        let (bars, point) = (nested(bars.iter().map(|bar| quote!(#bar)).collect()), nested(point));
        Some(quote! {
            if ::core::cfg!(debug_assertions) && #rt::check::watch::is_on() {
                #rt::check::watch::rule(
                    #function,
                    [#(#parts),*],
                    #point,
                    |#names| #value,
                    |#names, #bars, #seed| {
                        let _ = Self::#adjoint(#(#adjoint_args),*);
                    },
                );
            }
        })
    }

    fn watched(&self, name_of: impl Fn(&Parameter) -> Ident) -> Option<Watched> {
        let mut watched = Watched::default();
        for (param, bar) in self.params() {
            let (name, ty) = (name_of(param), self.type_of(param));
            let Some(bar) = bar else {
                let arg = unchanged(&name, param.passing, ty)?;
                watched.args.push(arg.clone());
                watched.adjoint_args.push(arg);
                continue;
            };
            if !can_be_changed(ty, param.passing) {
                return None;
            }
            watched.parts.push(self.part(param, &name)?);
            watched.point.push(match (param.passing, ty) {
                (Passing::Shared | Passing::Exclusive, Type::Slice(_)) => quote!(#name.to_vec()),
                (Passing::Shared, _) => quote!(::core::clone::Clone::clone(#name)),
                (Passing::Exclusive, _) => quote!(::core::clone::Clone::clone(&*#name)),
                (Passing::Value, ty) if ty.is_copy() => quote!(#name),
                (Passing::Value, _) => quote!(::core::clone::Clone::clone(&#name)),
            });
            let arg = match param.passing {
                Passing::Shared => quote!(&*#name),
                Passing::Exclusive => quote!(&mut *#name),
                Passing::Value if ty.is_copy() => quote!(*#name),
                Passing::Value => quote!(::core::clone::Clone::clone(&*#name)),
            };
            watched.args.push(arg.clone());
            watched.adjoint_args.extend([arg, quote!(&mut *#bar)]);
            watched.names.push(name);
            watched.bars.push(bar.clone());
        }
        (!watched.parts.is_empty()).then_some(watched)
    }

    /// What a parameter with a bar is, and where its derivative is given: those tokens of the user's tell the line.
    fn part(&self, param: &Parameter, name: &Ident) -> Option<TokenStream> {
        let (rt, text) = (&self.rt, param.ident.to_string());
        let location = respanned(
            quote!(const { ::core::panic::Location::caller() }),
            self.place_of_rule(param)?,
        );
        let kind = match (param.independent, param.dependent) {
            (true, true) => quote!(both),
            (true, false) => quote!(independent),
            (false, _) => quote!(dependent),
        };
        let value = match param.passing {
            Passing::Shared => quote!(#name),
            Passing::Exclusive => quote!(&*#name),
            Passing::Value => quote!(&#name),
        };
        Some(quote!(#rt::check::watch::Part::#kind(#text, #location, #value)))
    }

    fn place_of_rule(&self, param: &Parameter) -> Option<Span> {
        if let Some(path) = &self.interface.given_adjoint {
            return path.clone().into_iter().next().as_ref().map(TokenTree::span);
        }
        let named = self.interface.given_partials.iter().find(|name| param.names.contains(name));
        named.map(Ident::span)
    }

    /// The result of the function if it depends on the arguments, in an `Option`.
    fn watched_value(&self, args: &[TokenStream]) -> Option<TokenStream> {
        let primal = self.primal_path();
        let call = quote!(#primal(#(#args),*));
        let result = self.primal.result.filter(|_| self.interface.output_dependent);
        if let Some(result) = result
            && !is_made_of_doubles(&self.primal.vars[result].ty)
        {
            return None;
        }
        Some(match (self.interface.carrier, result) {
            (None, Some(_)) => quote!(::core::option::Option::Some(#call)),
            (None, None) => quote!({
                let _ = #call;
                ::core::option::Option::Some(())
            }),
            (Some(Carrier::Option), Some(_)) => call,
            (Some(Carrier::Option), None) => quote!(#call.map(|_| ())),
            (Some(Carrier::Result), Some(_)) => quote!(#call.ok()),
            (Some(Carrier::Result), None) => quote!(#call.ok().map(|_| ())),
        })
    }

    /// The same where parameters have the names that the user gave them.
    pub(super) fn watch_in_entry(&self) -> Option<TokenStream> {
        self.watch(|param| relocated(&param.ident))
    }

    /// The same in a sweep.
    pub(super) fn watch_in_sweep(&self) -> Option<TokenStream> {
        // Adjoints that are given run in the backward sweep.
        match self.interface.given_adjoint {
            Some(_) => None,
            None => self.watch(|param| self.inner_name(param)),
        }
    }
}

/// An argument without a bar, as often as it is wanted. What is written is a copy.
fn unchanged(name: &Ident, passing: Passing, ty: &Type) -> Option<TokenStream> {
    match (passing, ty) {
        (Passing::Shared, _) => Some(quote!(#name)),
        (Passing::Value, ty) if ty.is_copy() => Some(quote!(#name)),
        (Passing::Value | Passing::Exclusive, ty) if known(ty).is_none() => None,
        (Passing::Value, _) => Some(quote!(::core::clone::Clone::clone(&#name))),
        (Passing::Exclusive, Type::Slice(_)) => Some(quote!(&mut #name.to_vec())),
        (Passing::Exclusive, _) => Some(quote!(&mut ::core::clone::Clone::clone(&*#name))),
    }
}

/// Whether other numbers can be put in. Lists that are given other lengths would have bars of other lengths.
fn can_be_changed(ty: &Type, passing: Passing) -> bool {
    match (ty, passing) {
        (Type::Vec(_), Passing::Exclusive) => false,
        (Type::Slice(element), _) => is_made_of_doubles(element),
        (ty, _) => is_made_of_doubles(ty),
    }
}

/// Whether the type is its own bar and all its floats have the digits that differences need.
fn is_made_of_doubles(ty: &Type) -> bool {
    match ty {
        Type::Float(FloatKind::F64) | Type::Bool | Type::Int(IntKind::Named(_)) => true,
        Type::Array(element, _) | Type::Vec(element) => is_made_of_doubles(element),
        Type::Tuple(fields) => fields.len() <= LONGEST && fields.iter().all(is_made_of_doubles),
        Type::Float(
            FloatKind::F32 | FloatKind::Generic(_) | FloatKind::Directions(_) | FloatKind::Open(_),
        )
        | Type::Int(IntKind::Open(_))
        | Type::Slice(_)
        | Type::Named(_)
        | Type::Unknown
        | Type::Infer(_) => false,
    }
}

/// A tuple, of tuples if it is too long.
fn nested(mut parts: Vec<TokenStream>) -> TokenStream {
    while parts.len() > LONGEST {
        parts = parts.chunks(LONGEST).map(|chunk| quote!((#(#chunk,)*))).collect();
    }
    quote!((#(#parts,)*))
}
