//! Where a type has no sweeps of a function that is called by its path: there may be a rule.

use super::body::Emitter;
use super::{at, hidden_name, respanned};
use crate::derive::number_of_field;
use crate::ir::is_directed;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote_spanned};

impl Emitter<'_> {
    /// A trait of all types with a sweep of that name, which is found if the type has none of its own: there may be a rule for the function,
    /// and otherwise rustc says that it has no adjoint.
    pub(super) fn fallback_of(
        &self,
        path: &TokenStream,
        sweep: &str,
        args: usize,
        span: Span,
    ) -> TokenStream {
        let Ok(path) = syn::parse2::<syn::Path>(path.clone()) else { return TokenStream::new() };
        let Some(last) = path.segments.last() else { return TokenStream::new() };
        if self.is_of_trait(&path) {
            return TokenStream::new();
        }
        let span = at(span);
        let name = hidden_name(&self.prefix_of(&last.ident), sweep);
        let name = Ident::new(&name.to_string(), span);
        let rt = respanned(self.rt.clone(), span);
        // Behind stack and marker come, for each argument, the argument and what follows it; in a
        // backward sweep what was kept before them, and the seed after them. A tangent has neither.
        let count = match sweep {
            "backward" => 2 * args + 4,
            "backwards" => 2 * args + 5,
            "tangent" => 2 * args,
            // The type of the derivatives comes first.
            "tangents" => 2 * args + 1,
            _ => 2 * args + 2,
        };
        let types: Vec<Ident> = (0..count).map(|n| format_ident!("A{n}")).collect();
        let values: Vec<Ident> = (0..count).map(|n| format_ident!("a{n}")).collect();
        let found = match sweep {
            "forward" => "Forward",
            "backward" => "Backward",
            "tangent" => "Tangent",
            "tangents" => "Tangents",
            // The backward sweep for one seed asks.
            _ => return self.fallback_for_seeds(&name, &types),
        };
        let (found, number) = (Ident::new(found, span), number_of_field(&last.ident.to_string()));
        let number = Literal::u128_unsuffixed(number);
        let asked = match is_directed(&last.ident) {
            true => quote_spanned!(span=> #rt::rules::SecondDerivatives),
            false => quote_spanned!(span=> #rt::rules::Found),
        };
        let asked = quote_spanned!(span=> #asked<#number, #rt::rules::#found, (#(#types,)*)>);
        quote_spanned! {span=>
            trait __Function {
                fn #name<#(#types),*>(#(#values: #types),*) -> <Self as #asked>::Output
                where
                    Self: #asked,
                {
                    <Self as #asked>::called((#(#values,)*))
                }
            }
            impl<T: ?Sized> __Function for T {}
        }
    }

    /// The same of a backward sweep for several seeds, which no rule has: nobody may need it, so it is an error where it is made.
    fn fallback_for_seeds(&self, name: &Ident, types: &[Ident]) -> TokenStream {
        let span = name.span();
        let rt = respanned(self.rt.clone(), span);
        // Stack, marker and the type of the bars; what was kept is of some type; the arguments.
        let (before, behind) = types.split_at(3);
        let behind = &behind[1..];
        quote_spanned! {span=>
            trait __Function {
                fn #name<#(#before,)* #(#behind),*>(#(_: #before,)* _: (), #(_: #behind),*) {
                    const { ::core::panic!("{}", #rt::rules::WITHOUT_SEEDS) }
                }
            }
            impl<T: ?Sized> __Function for T {}
        }
    }
}
