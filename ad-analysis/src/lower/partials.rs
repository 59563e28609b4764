//! The tangent of a function whose partials are given, as a function that is lowered as any other: the partials are ordinary code in
//! it, and what they call `result` is what a call of the function returns, which has an adjoint.

use crate::interface::{Interface, Passing};
use crate::ir::Body;
use crate::options::NamedValue;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, ItemFn, Pat, ReturnType};

/// The tangent of a function of which the partials are given, and what lowering has found: a parameter with a direction is followed by
/// that.
pub fn tangent_of_partials(
    function: &ItemFn,
    partials: &[NamedValue],
    interface: &Interface,
    body: &Body,
    directions: &[Option<Ident>],
) -> ItemFn {
    Source { function, partials, interface, body, directions }.tangent()
}

struct Source<'a> {
    function: &'a ItemFn,
    partials: &'a [NamedValue],
    interface: &'a Interface,
    body: &'a Body,
    directions: &'a [Option<Ident>],
}

impl Source<'_> {
    /// A name that the function and the partials do not mention.
    fn free_name(&self, hint: &str) -> Ident {
        let mut text = self.function.to_token_stream().to_string();
        for partial in self.partials {
            text.push(' ');
            text.push_str(&partial.value.to_string());
        }
        let is_taken = |name: &str| {
            text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
        };
        let mut name = hint.to_owned();
        while is_taken(&name) {
            name.push('_');
        }
        Ident::new(&name, Span::call_site())
    }

    /// The function: the value of the other, and the sum of the partials times the directions.
    fn tangent(&self) -> ItemFn {
        let ReturnType::Type(_, float) = &self.function.sig.output else {
            unreachable!("partials are those of a float")
        };
        let interface = self.interface;
        let (mut params, mut args, mut terms) = (Vec::new(), Vec::new(), TokenStream::new());
        let slope = self.free_name("slope");
        for (position, input) in self.function.sig.inputs.iter().enumerate() {
            let FnArg::Typed(param) = input else { unreachable!("a free function") };
            let mut pat = Pat::clone(&param.pat);
            if let Pat::Ident(pat) = &mut pat {
                pat.mutability = None;
            }
            let ty = &param.ty;
            let own = &interface.params[position];
            let name = &own.ident;
            params.push(quote!(#pat: #ty));
            let var_ty = &self.body.vars[own.var].ty;
            args.push(match own.passing {
                Passing::Shared => quote!(#name),
                Passing::Exclusive => quote!(&mut *#name),
                Passing::Value if var_ty.is_copy() => quote!(#name),
                // The partials may read it, too.
                Passing::Value => quote!(#name.clone()),
            });
            let Some(direction) = &self.directions[position] else { continue };
            params.push(quote!(#direction: #ty));
            let partial = self.partials.iter().find(|partial| own.names.contains(&partial.name));
            let is_list = var_ty.element().is_some();
            terms.extend(partial.map(|partial| self.term(partial, direction, is_list, &slope)));
        }
        let sig = &self.function.sig;
        let (name, generics) = (&sig.ident, &sig.generics);
        let bounds = &generics.where_clause;
        let tangent = format_ident!("{}_tangent", name);
        let tokens = quote! {
            fn #tangent #generics (#(#params),*) -> (#float, #float) #bounds {
                let result: #float = #name(#(#args),*);
                let mut #slope: #float = 0.0;
                #terms
                (result, #slope)
            }
        };
        syn::parse2(tokens).expect("a function")
    }

    /// What a parameter contributes.
    fn term(
        &self,
        partial: &NamedValue,
        direction: &Ident,
        is_list: bool,
        slope: &Ident,
    ) -> TokenStream {
        let (name, value) = (&partial.name, &partial.value);
        let span = value.span();
        if !is_list {
            return quote_spanned!(span=> #slope += (#value) * #direction;);
        }
        let (list, at) = (self.free_name("partials"), self.free_name("at"));
        let message = format!(
            "the list of partials with respect to `{name}` and that of directions must have its length"
        );
        quote_spanned! {span=>
            let #list = #value;
            assert!(#list.len() == #name.len() && #direction.len() == #name.len(), #message);
            for #at in 0..#name.len() {
                #slope += #list[#at] * #direction[#at];
            }
        }
    }
}
