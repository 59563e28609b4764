//! What traced tangents tell.

use super::body::Emitter;
use super::respanned;
use crate::ir::{Expr, Place, Told, ToldRole};
use proc_macro2::{Span, TokenStream};
use quote::quote;

impl Emitter<'_> {
    /// Hands a value over, with its direction if it has one. The line is that of the user's code.
    pub(super) fn traced(&self, told: &Told, args: &[Expr], span: Span) -> TokenStream {
        let (rt, name) = (&self.rt, &*told.what);
        let place = |expr: &Expr| -> Place { expr.as_place().expect("places are traced").clone() };
        let value = place(&args[0]);
        let tell = match told.role {
            ToldRole::Assigned => {
                let location = quote!(const { ::core::panic::Location::caller() });
                let location = respanned(location, span);
                quote!(tell(#name, #location))
            }
            ToldRole::Read => quote!(tell_read(#name)),
            ToldRole::Counter => {
                let value = self.expr(&args[0]);
                return quote!(#rt::check::trace::tell_counter(#name, #value as i128););
            }
        };
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
                (&&#rt::check::trace::Valued::#assigned).#tell;
            }
        };
        // What a field without a bar is given has no derivative, and needs none.
        self.if_fields_have_bars(&value, told)
    }
}
