//! What sparse Jacobians and sparse Hessians have in common: the values come from sweeps for several directions, one for each colour of the
//! pattern, and the triplets from both.

use super::Entries;
use crate::interface::Interface;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The directions of a sweep for the values, if there are few left, and otherwise. A sweep by itself costs as much as some
/// directions more.
const DIRECTIONS: [usize; 2] = [5, 10];

/// A derivative of which the entries that are not zero can be asked alone.
#[derive(Clone, Copy)]
pub(super) enum Sparse {
    Jacobian,
    Hessian,
}

impl Sparse {
    /// The names of the entries for the pattern and for the values.
    fn entries(self) -> [&'static str; 2] {
        match self {
            Sparse::Jacobian => ["jacobian_pattern", "jacobian_values"],
            Sparse::Hessian => ["hessian_pattern", "hessian_values"],
        }
    }

    /// How a pattern is compressed.
    fn compression(self) -> TokenStream {
        match self {
            Sparse::Jacobian => quote!(by_columns),
            Sparse::Hessian => quote!(symmetric),
        }
    }

    /// The type of the runtime that finds the values.
    fn values(self) -> TokenStream {
        match self {
            Sparse::Jacobian => quote!(CompressedValues),
            Sparse::Hessian => quote!(SymmetricValues),
        }
    }
}

impl Entries<'_> {
    /// The type of rows, columns and values.
    pub(super) fn triplets_type(&self) -> TokenStream {
        let list = |of: TokenStream| quote!(::std::vec::Vec<#of>);
        let (indices, numbers) = (list(quote!(usize)), list(quote!(f64)));
        quote!((#indices, #indices, #numbers))
    }

    /// The body of the entry that returns triplets. `function` is what is differentiated, whose arguments they are.
    pub(super) fn body_of_triplets(&self, of: Sparse, function: &Interface) -> TokenStream {
        let rt = &self.rt;
        let [pattern, compression, rows, cols, values] =
            self.fresh(["pattern", "compression", "rows", "cols", "values"]);
        let [of_pattern, of_values] = of.entries().map(|name| self.entry_name(name));
        let args = function.params.iter().map(|param| self.argument_again(param));
        let args: Vec<TokenStream> = args.collect();
        let attempt = function.carrier.map(|_| quote!(?));
        let (compress, result) = (of.compression(), self.success(&quote!((#rows, #cols, #values))));
        quote! {
            let #pattern = Self::#of_pattern(#(#args),*)#attempt;
            let (#rows, #cols) = #pattern.triplets();
            let #compression = #rt::sparse::Compression::#compress(#pattern);
            let #values = Self::#of_values(#(#args,)* &#compression)#attempt;
            #result
        }
    }

    /// The body of the entry that returns the values, and the parameter that it has more. `run` writes a run of the sweeps, which asks for
    /// directions and hands on what it finds.
    pub(super) fn body_of_values(
        &self,
        of: Sparse,
        run: impl Fn(&Ident, &Ident) -> TokenStream,
    ) -> (TokenStream, TokenStream) {
        let rt = &self.rt;
        let [compression, values, next, found] =
            self.fresh(["compression", "values", "next", "found"]);
        let run = run(&next, &found);
        let [few, many] = DIRECTIONS.map(|count| {
            let count = proc_macro2::Literal::usize_unsuffixed(count);
            quote! {
                let (mut #next, mut #found) = #values.sweep::<#count>();
                #run
            }
        });
        let least = proc_macro2::Literal::usize_unsuffixed(DIRECTIONS[0]);
        let (kind, result) = (of.values(), self.success(&quote!(#values.finish())));
        let body = quote! {
            let mut #values = #rt::sparse::#kind::new(#compression);
            while #values.remaining() > 0 {
                if #values.remaining() > #least { #many } else { #few }
            }
            #result
        };
        (quote!(#compression: &#rt::sparse::Compression), body)
    }
}
