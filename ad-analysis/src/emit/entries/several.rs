//! Tangents in several directions at once.

use super::super::{docs, ident, located};
use super::public::Extras;
use super::tangent::{Purpose, TangentEntry};
use super::{Entries, Entry};
use crate::diff::{NoTangent, Tangent};
use crate::interface::Home;
use crate::types::{FloatKind, Type};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;

impl<'a> Entries<'a> {
    /// The tangent in several directions, if callers find one: operators have tangents in one direction.
    pub(super) fn several(&self) -> Option<&'a Tangent> {
        self.product.tangents.filter(|_| self.is_function())
    }

    /// Whether it is a function, or a method, and not an operator.
    pub(super) fn is_function(&self) -> bool {
        match self.interface.home {
            Home::Struct | Home::Beside | Home::Impl => true,
            Home::StandardTrait => false,
        }
    }

    /// The entry for users. It is missing where that of one direction is.
    pub(super) fn tangents(&self) -> Option<Entry> {
        let count = self.fresh_count("DIRECTIONS");
        let entry = TangentEntry {
            doc: docs::tangents(self.interface, &count),
            purpose: Purpose::Derivatives,
            extras: Extras { generics: vec![quote!(const #count: usize)], demand: None },
        };
        self.entry_along(&quote!([f64; #count]), entry)
    }

    /// How far along a direction the branches stay the same: the same sweep, with derivatives that follow tests.
    pub(super) fn validity(&self) -> Option<Entry> {
        let entry = TangentEntry {
            doc: docs::validity(self.interface),
            purpose: Purpose::Validity,
            extras: Extras::default(),
        };
        self.entry_along(&quote!(f64), entry)
    }

    /// An entry with directions of some type.
    fn entry_along(&self, directions: &TokenStream, entry: TangentEntry) -> Option<Entry> {
        let tangents = self.several()?;
        let name = ident(tangents.several.as_ref()?, Span::call_site());
        let Entry { name: own, doc, signature, tokens } = self.entry_of_tangent(tangents, entry)?;
        let [signature, tokens] =
            [signature, tokens].map(|tokens| replaced(tokens, &name, directions));
        Some(Entry { name: own, doc, signature, tokens })
    }

    /// A name of a count: `N`, or something longer where it may be taken, for what the parameters of a block around the function are called may
    /// be unknown.
    pub(super) fn fresh_count(&self, longer: &str) -> Ident {
        match self.interface.outer_params {
            Some(_) => self.fresh_parameter("N"),
            None => self.fresh_parameter(longer),
        }
    }

    /// A name of a generic parameter that nothing else has.
    fn fresh_parameter(&self, hint: &str) -> Ident {
        let mut names = self.product.adjoint.backward.names.clone();
        // Those of the block around it need not occur in the function.
        for outer in self.interface.outer_params.iter().flatten() {
            names.fresh(&outer.to_string());
        }
        Ident::new(&names.fresh(hint), Span::call_site())
    }

    /// The function that callers find.
    pub(super) fn uniform_tangents(&self) -> Option<TokenStream> {
        let tangents = self.several()?;
        Some(match tangents.refusal {
            Some(why) => self.refused_tangents(tangents, why),
            None => self.uniform_tangent(tangents),
        })
    }

    /// Only where the tangent is used, it is missed: anything may be passed until then.
    fn refused_tangents(&self, tangents: &Tangent, why: NoTangent) -> TokenStream {
        let rt = &self.rt;
        let directions = directions_of(tangents);
        let message = format!(
            "`{}` has no tangents in several directions: {}",
            self.interface.name,
            why.in_words()
        );
        let params = self.interface.params.iter().zip(&self.activity).map(|(param, activity)| {
            let (name, ty) = (self.inner_name(param), located(param.ty.clone()));
            quote!(#name: #ty, _: #activity)
        });
        let names = self.interface.params.iter().map(|param| self.inner_name(param));
        let names = quote!(#(&#names,)*);
        let params: TokenStream = quote!(#(#params),*);
        let (more, output) = self.generics_of_refused(tangents);
        let (generics, bounds) = self.generics(&more, &quote!(#params #output));
        let (definition, own) = self.sweep_definition("tangents");
        quote! {
            #[doc(hidden)]
            #definition #generics (
                #own
                _: ::core::marker::PhantomData<#directions>,
                #params
            ) -> #output #bounds {
                let _ = (#names);
                const { ::core::assert!(<#rt::Off as #rt::Marker>::ON, #message) };
                ::core::unreachable!()
            }
        }
    }

    /// The generic parameters of a function that is missing, and what it returns.
    pub(super) fn generics_of_refused(
        &self,
        tangents: &Tangent,
    ) -> (Vec<TokenStream>, TokenStream) {
        let (rt, directions) = (&self.rt, directions_of(tangents));
        let activities = self.activity.iter().map(|activity| quote!(#activity));
        let mut more: Vec<TokenStream> = activities.collect();
        let known = self.known_slope(tangents);
        let slope = known.unwrap_or_else(|| {
            let slope = self.fresh_parameter("Slope");
            more.push(quote!(#slope));
            quote!(#slope)
        });
        more.push(quote!(#directions: #rt::Directions));
        let payload = self.payload();
        (more, self.carrying(&quote!((#payload, #slope))))
    }

    /// The function for callers that see a value, and not its type.
    pub(super) fn tangents_by_receiver(&self) -> Option<TokenStream> {
        let tangents = self.several()?;
        let (rt, directions) = (&self.rt, directions_of(tangents));
        let (more, output) = match tangents.refusal {
            Some(_) => self.generics_of_refused(tangents),
            None => {
                let mut more = self.tangent_activities(tangents);
                more.push(quote!(#directions: #rt::Directions));
                (more, self.tangent_output(tangents))
            }
        };
        let marker = quote!(::core::marker::PhantomData::<#directions>);
        let first = Some((quote!(::core::marker::PhantomData<#directions>), marker));
        self.by_receiver("tangents", &more, &output, first)
    }

    /// The type of the tangents of the result, if it is known.
    fn known_slope(&self, tangents: &Tangent) -> Option<TokenStream> {
        if !self.interface.output_dependent {
            return Some(quote!(()));
        }
        let slope = tangents.body.kept.first()?;
        let ty = super::super::types::known(&tangents.body.vars[slope.var].ty)?;
        // Of a function that is generic over floats, callers expect the derivatives that they have themselves.
        let result = self.primal.result.map(|result| &self.primal.vars[result].ty);
        let Some(float) = result.and_then(type_parameter_in) else {
            return Some(ty);
        };
        let directions = directions_of(tangents);
        Some(replaced(ty, &ident(float, Span::call_site()), &quote!(#directions)))
    }
}

/// The type parameter that floats in a number, in lists and in tuples are of.
fn type_parameter_in(ty: &Type) -> Option<&str> {
    match ty {
        Type::Float(FloatKind::Generic(float)) => Some(float),
        Type::Tuple(parts) => parts.iter().find_map(type_parameter_in),
        ty => type_parameter_in(ty.element()?),
    }
}

/// The type parameter that stands for the derivatives of a float.
pub(super) fn directions_of(tangents: &Tangent) -> Option<Ident> {
    tangents.several.as_ref().map(|name| ident(name, Span::call_site()))
}

/// Tokens in which an identifier is replaced.
pub(super) fn replaced(tokens: TokenStream, name: &Ident, by: &TokenStream) -> TokenStream {
    let tokens = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(ident) if ident == *name => by.clone(),
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), replaced(group.stream(), name, by));
            inner.set_span(group.span());
            TokenTree::Group(inner).into()
        }
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => token.into(),
    });
    tokens.collect()
}
