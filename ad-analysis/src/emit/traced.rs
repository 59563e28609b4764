//! What traced tangents tell.

use super::body::Emitter;
use super::respanned;
use crate::ir::{Expr, Place};
use proc_macro2::{Span, TokenStream};
use quote::quote;

impl Emitter<'_> {
    /// Hands a value over, with its direction if it has one. The line is that of the user's code.
    pub(super) fn traced(&self, name: &str, args: &[Expr], span: Span) -> TokenStream {
        let rt = &self.rt;
        let place = |expr: &Expr| -> Place { expr.as_place().expect("places are traced").clone() };
        let value = place(&args[0]);
        let location = respanned(quote!(const { ::core::panic::Location::caller() }), span);
        let reference = self.shared(&value);
        let assigned = match args.get(1).map(place) {
            Some(direction) => {
                let direction = self.shared(&direction);
                quote!(with(#reference, #direction))
            }
            None => quote!(without(#reference)),
        };
        let told = quote! {
            {
                use #rt::check::trace::{OfNumbers as _, OfOthers as _};
                (&&#rt::check::trace::Assigned::#assigned).tell(#name, #location);
            }
        };
        // What a field without a bar is given has no derivative, and needs none.
        self.if_fields_have_bars(&value, told)
    }
}
