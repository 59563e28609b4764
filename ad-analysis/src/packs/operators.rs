//! Rules of operators: the runtime has the sweeps, for operands by value and by reference.

use super::expand::{Names, Parts};
use super::parse::{Assigning, Forms, Line, Owner, Rule, Taken};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Error, Type};

fn token(operator: &Ident) -> Result<TokenStream, Error> {
    let token = match operator.to_string().as_str() {
        "Add" => quote!(+),
        "Sub" | "Neg" => quote!(-),
        "Mul" => quote!(*),
        "Div" => quote!(/),
        "Rem" => quote!(%),
        _ => return Err(Error::new(operator.span(), "there are no rules of this operator")),
    };
    Ok(token)
}

impl Rule {
    /// The rule of an operator, and of the one that assigns.
    pub(super) fn operator(
        &self,
        name: &Ident,
        assigning: Option<&Assigning>,
        owner: &Owner,
        Names { rt, .. }: &Names,
    ) -> TokenStream {
        let op = match token(name) {
            Ok(op) => op,
            Err(error) => return error.to_compile_error(),
        };
        let (ty, output) = (&owner.ty, &self.output);
        let (generics, bounds) = owner.params();
        let params = quote!({ #generics } { #bounds });
        let Parts { bars, directions, pulled, pushed, reads_result, reads_first, elements, .. } =
            self.parts(rt);
        let (of_trait, value, forms) = match self.params.as_slice() {
            [operand] => {
                let references = match operand.forms {
                    Forms::All => quote!([Value Shared]),
                    Forms::Values => quote!([Value]),
                };
                let operand = &operand.name;
                let types = quote!(#params #references #ty);
                let forms = quote!(#rt::rules::operators::unary! { #types, #output, #name, #op });
                (quote!(UnaryRule<#rt::operator::kind::#name>), quote!(#op #operand), forms)
            }
            [left, right] => {
                let references = match (left.forms, right.forms) {
                    (Forms::All, Forms::All) => quote!([Values Left Right Both]),
                    (Forms::All, Forms::Values) => quote!([Values Left]),
                    (Forms::Values, Forms::All) => quote!([Values Right]),
                    (Forms::Values, Forms::Values) => quote!([Values]),
                };
                let is_same = matches!(left.line, Line::Same | Line::SameIfAsLarge(_));
                let (left, right_ty, right) = (&left.name, &right.ty, &right.name);
                let types = quote!(#params #references #ty, #right_ty);
                let mut forms =
                    quote!(#rt::rules::operators::binary! { #types, #output, #name, #op });
                if let Some(Assigning { name: of, is_by_reference }) = assigning {
                    let method = format!("{}_assign", name.to_string().to_lowercase());
                    let method = Ident::new(&method, of.span());
                    // Where nothing is read, and the bar stays as it is.
                    let kept = match is_same && !reads_first {
                        true => quote!(Nothing),
                        false => quote!(Overwritten),
                    };
                    let references = match is_by_reference {
                        true => quote!([Right]),
                        false => references,
                    };
                    forms.extend(quote! {
                        #rt::rules::operators::assign! { #kept #params #references #ty, #right_ty, #of, #method, #name }
                    });
                }
                let of_trait = quote!(BinaryRule<#rt::operator::kind::#name, #right_ty>);
                (of_trait, quote!(#left #op #right), forms)
            }
            _ => {
                let message = "an operator has one operand, or two";
                return Error::new(name.span(), message).to_compile_error();
            }
        };
        let result = reads_result.then(|| quote!(let result = &(#value);));
        let types: Vec<&Type> = self.params.iter().map(|param| &param.ty).collect();
        // Operands that are taken by value are copied.
        let patterns: Vec<TokenStream> = self
            .params
            .iter()
            .map(|param| {
                let name = &param.name;
                match param.taken {
                    Taken::Value => quote!(&#name),
                    Taken::Shared => quote!(#name),
                }
            })
            .collect();
        quote! {
            #[allow(unused_variables, clippy::all)]
            impl<#generics> #rt::rules::#of_trait for #ty
            where
                #bounds
            {
                type Output = #output;
                #[inline]
                fn pullback(
                    #(#patterns: &#types,)*
                    __weight: &#output,
                    #(#bars: ::core::option::Option<&mut <#types as #rt::Differentiable>::Bar>),*
                ) {
                    #result
                    #elements
                    #(#pulled)*
                }
                #[inline]
                fn pushforward(
                    #(#patterns: &#types,)*
                    result: &#output,
                    #(#directions: ::core::option::Option<&#types>),*
                ) -> #output {
                    let mut __sum = #rt::rules::Sum::of(result);
                    #elements
                    #(#pushed)*
                    __sum.of_all(result)
                }
            }
            #forms
        }
    }
}
