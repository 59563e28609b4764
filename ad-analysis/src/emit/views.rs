//! Bars of structs that may borrow: their types have lifetimes.

use super::body::Emitter;
use crate::ir::{Arg, ArgKind, Place, Projection, Slot};
use crate::types::Type;
use proc_macro2::TokenStream;
use quote::quote;

impl Emitter<'_> {
    /// Adds to a bar, by an operator. What is behind a field may be behind a reference, which has none: rustc is not to complain of what
    /// never happens.
    pub(super) fn changed_bar(
        &self,
        place: &Place,
        change: impl Fn(TokenStream) -> TokenStream,
    ) -> TokenStream {
        let place = &self.spelled_out(place);
        let rt = &self.rt;
        let part = match self.may_borrow() && !self.struct_fields(place).is_empty() {
            true => self.reached_part(place),
            false => None,
        };
        match part {
            Some(part) => {
                let change = change(part);
                quote!({ use #rt::views::{OfOthers as _, OfReferences as _}; #change })
            }
            None => change(self.place(place)),
        }
    }

    /// An element behind a field.
    fn reached_part(&self, place: &Place) -> Option<TokenStream> {
        let rt = &self.rt;
        let (mut tokens, mut is_behind_field) = (self.root_of_parts(place), false);
        for step in &place.projections {
            tokens = match step {
                Projection::Field(name) => {
                    is_behind_field = true;
                    self.field_of(&tokens, name)
                }
                Projection::Boxed => quote!((*#tokens)),
                Projection::Index(index) => {
                    let index = self.expr(index);
                    let list = match is_behind_field {
                        true => quote!(#rt::views::Part(&mut #tokens).reached()),
                        false => tokens,
                    };
                    quote!(#list[#index])
                }
                Projection::Slice { .. } | Projection::Got { .. } => return None,
            };
        }
        let is_element = matches!(place.projections.last(), Some(Projection::Index(_)));
        is_element.then_some(tokens)
    }

    /// What says of a slice behind fields that is passed whether these have bars. The forward sweep, which has no bar, and the backward
    /// sweep, which may not have the value, find the same.
    fn kind_of_slice(&self, arg: &Arg) -> Option<TokenStream> {
        let place = match (&arg.kind, &arg.slot) {
            (ArgKind::Shared(place), Slot::Marker(_) | Slot::Bar(..)) => place,
            (ArgKind::Omitted, Slot::Bar(place, _)) => place,
            (_, _) => return None,
        };
        let is_range = |step: &Projection| matches!(step, Projection::Slice { .. });
        let is_slice = matches!(self.body.place_type(place), Type::Slice(_));
        let is_part = place.projections.iter().any(is_range);
        if !is_slice || is_part { None } else { self.kind_of_fields(place) }
    }

    /// What says whether all fields on the way to a place have bars.
    pub(super) fn kind_of_fields(&self, place: &Place) -> Option<TokenStream> {
        let kinds = self.struct_fields(place).into_iter();
        let kinds = kinds.map(|(owner, name)| self.field_kind(&owner, &name));
        kinds.reduce(|all, kind| quote!((#all, #kind)))
    }

    /// The marker of a slice behind fields.
    pub(super) fn marker_of_slice(&self, arg: &Arg) -> Option<TokenStream> {
        let Slot::Marker(condition) = &arg.slot else { return None };
        let (rt, kind) = (&self.rt, self.kind_of_slice(arg)?);
        let ty = self.condition_type(condition);
        Some(quote!(#rt::field_marker::<#ty, _>(|| #kind)))
    }

    /// The bar of a slice behind fields.
    pub(super) fn bar_of_slice(&self, arg: &Arg) -> Option<TokenStream> {
        let Slot::Bar(place, condition) = &arg.slot else { return None };
        let (rt, kind) = (&self.rt, self.kind_of_slice(arg)?);
        let (ty, bar) = (self.condition_type(condition), self.bar_behind(place));
        Some(quote!(#rt::when_field::<#ty, _, _>(|| #kind, || #bar)))
    }

    /// A reference to the bar at a place, if no reference is on the way to it, in an `Option`.
    fn bar_behind(&self, place: &Place) -> TokenStream {
        let (rt, place) = (&self.rt, &self.spelled_out(place));
        let fields = place.projections.iter().take_while(|step| step.is_fixed());
        let list = fields.cloned().fold(Place::var(place.root), |of, field| of.then(field));
        let (exclusive, behind) =
            (self.exclusive(&list), &place.projections[list.projections.len()..]);
        let way = quote!(::core::option::Option::Some(#exclusive));
        if behind.is_empty() {
            return way;
        }
        let way = behind.iter().fold(way, |way, step| match step {
            Projection::Field(name) => {
                let field = self.field_of(&quote!(part), name);
                quote!(#way.map(|part| &mut #field))
            }
            Projection::Boxed => quote!(#way.map(|part| &mut **part)),
            Projection::Index(index) => {
                let index = self.expr(index);
                quote! {
                    #way.and_then(|part| #rt::views::Way::by(part).leads_to())
                        .map(|part| &mut part[#index])
                }
            }
            Projection::Got { at, .. } => {
                let at = self.expr(at);
                quote!(#way.map(|part| &mut part[#at]))
            }
            Projection::Slice { .. } => unreachable!("it is no part of a slice"),
        });
        quote!({ use #rt::views::{ByPart as _, ByReference as _}; #way })
    }

    /// Whether the type of a parameter says that it may hold references.
    fn may_borrow(&self) -> bool {
        let has_lifetime = |ty: &TokenStream| ty.to_string().contains('\'');
        let interface = &self.product.interface;
        interface.owner_may_borrow
            || interface.params.iter().any(|param| has_lifetime(&param.pointee))
    }
}
