//! Bars of structs that may borrow: their types have lifetimes.

use super::body::Emitter;
use crate::ir::{Place, Projection};
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
        let (mut tokens, mut is_behind_field) = (self.name(place.root), false);
        for step in &place.projections {
            tokens = match step {
                Projection::Field(name) => {
                    is_behind_field = true;
                    self.field_of(&tokens, name)
                }
                Projection::Index(index) => {
                    let index = self.expr(index);
                    let list = match is_behind_field {
                        true => quote!(#rt::views::Part(&mut #tokens).reached()),
                        false => tokens,
                    };
                    quote!(#list[#index])
                }
                Projection::Slice { .. } => return None,
            };
        }
        let is_element = matches!(place.projections.last(), Some(Projection::Index(_)));
        is_element.then_some(tokens)
    }

    /// Whether the type of a parameter says that it may hold references.
    fn may_borrow(&self) -> bool {
        let has_lifetime = |ty: &TokenStream| ty.to_string().contains('\'');
        let interface = &self.product.interface;
        interface.owner_may_borrow
            || interface.params.iter().any(|param| has_lifetime(&param.pointee))
    }
}
