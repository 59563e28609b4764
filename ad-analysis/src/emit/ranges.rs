//! The ranges that counted loops run over.

use super::body::Emitter;
use super::types::known;
use crate::ir::{Adaptor, Range};
use crate::types::Type;
use proc_macro2::TokenStream;
use quote::quote;

impl Emitter<'_> {
    /// A range. Run backwards, a range with steps or a limit must know its length.
    pub(super) fn range(&self, range: &Range, ty: &Type) -> TokenStream {
        let Range { start, end, inclusive, adaptors } = range;
        let (from, to) = (self.operand(start, 2), self.operand(end, 2));
        let from = self.typed_start(range, ty, from);
        // `a..b`, of which the first n are taken, is `a..a + n`.
        if let ([Adaptor::Take(count), rest @ ..], false, true) =
            (adaptors.as_slice(), *inclusive, *ty == Type::USIZE)
        {
            let count = self.operand(count, 9);
            let first = if start.as_literal().is_some_and(|text| &**text == "0") {
                quote!(0..#count)
            } else {
                let from = self.operand(start, 8);
                quote!(#from..#from + #count)
            };
            return self.adapted(first, rest, true);
        }
        let bare = if *inclusive { quote!(#from..=#to) } else { quote!(#from..#to) };
        let exact = !inclusive
            && matches!(
                known(ty).map(|ty| ty.to_string()).as_deref(),
                Some("usize" | "isize" | "u8" | "i8" | "u16" | "i16" | "u32" | "i32")
            );
        self.adapted(bare, adaptors, exact)
    }

    fn adapted(&self, range: TokenStream, adaptors: &[Adaptor], exact: bool) -> TokenStream {
        if adaptors.is_empty() {
            return range;
        }
        let rt = &self.rt;
        let mut tokens = quote!((#range));
        let mut plain = true;
        for adaptor in adaptors {
            tokens = match adaptor {
                Adaptor::Rev if plain || exact => quote!(#tokens.rev()),
                Adaptor::Rev => quote!(#rt::reversed(#tokens)),
                Adaptor::StepBy(count) => {
                    let count = self.expr(count);
                    plain = false;
                    quote!(#tokens.step_by(#count))
                }
                Adaptor::Take(count) => {
                    let count = self.expr(count);
                    plain = false;
                    quote!(#tokens.take(#count))
                }
            };
        }
        tokens
    }
}
