//! How values of types that hold no floats are put on the stack, where generated code may have to do so: part by part, and a number that says
//! which variant it is. The type itself is the user's, and implements nothing of ours.

use super::Lowerer;
use crate::interface::{Interface, Passing};
use crate::types::{Dropping, TypeName};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use std::collections::BTreeMap;
use syn::{Fields, Item, Variant};

impl Lowerer<'_> {
    /// The codes of the types of variables that may have to be stored: of all but parameters that are never assigned.
    pub(super) fn codes(&self, interface: &Interface) -> Vec<TokenStream> {
        let names = self.names_stored(interface);
        let coded = names.values().filter(|name| name.code().is_some());
        coded.filter_map(|name| self.code(name)).collect()
    }

    /// What dropping values does that may have to be stored, and that have no derivative, by their types.
    pub(super) fn droppings(&mut self, interface: &Interface) -> BTreeMap<String, Dropping> {
        let mut names = self.names_stored(interface);
        let declared = &self.options.declared;
        names.retain(|_, name| !name.is_without_floats() && declared.is_bare(name));
        names.into_iter().map(|(of, name)| (of, self.prove_dropping(&name))).collect()
    }

    /// The names in the types of variables that may have to be stored.
    fn names_stored(&self, interface: &Interface) -> BTreeMap<String, TypeName> {
        let is_constant = |var| {
            let mut params = interface.params.iter();
            params.any(|param| param.var == var && param.passing != Passing::Exclusive)
                && !self.mutable.contains(var)
        };
        let vars = self.body.vars.indices().filter(|&var| !is_constant(var));
        let types = vars.map(|var| self.types.resolve(&self.body.vars[var].ty));
        let names = types.flat_map(|ty| ty.names().into_iter().cloned().collect::<Vec<_>>());
        names.map(|name| (name.spelled().to_string(), name)).collect()
    }

    fn code(&self, name: &TypeName) -> Option<TokenStream> {
        let code = Ident::new(&name.code()?, Span::call_site());
        let spelled: syn::Path = syn::parse_str(name).ok()?;
        let path = self.path_of_own(&spelled);
        let variants: Vec<(TokenStream, Fields)> = match self.plain_declaration(path)? {
            Item::Enum(item) => {
                let of = |Variant { ident, fields, .. }: Variant| (quote!(#path::#ident), fields);
                item.variants.into_iter().map(of).collect()
            }
            Item::Struct(item) => vec![(path.to_token_stream(), item.fields)],
            _ => return None,
        };
        let facade = self.facade();
        let rt = quote!(#facade::__private);
        let stored = variants.iter().enumerate().map(|(number, (of, fields))| {
            let number = number as u32;
            let (names, pattern) = parts(of, fields);
            quote!(#pattern => {
                #(#rt::Storable::store(#names, stack);)*
                #rt::Storable::store(#number, stack);
            })
        });
        let last = variants.len() - 1;
        let loaded = variants.iter().enumerate().map(|(number, (of, fields))| {
            let (names, value) = parts(of, fields);
            let names = names.iter().rev();
            let number = if number == last { quote!(_) } else { (number as u32).to_token_stream() };
            quote!(#number => {
                #(let #names = #rt::Storable::load(stack);)*
                #value
            })
        });
        let (names, first) = parts(&variants[0].0, &variants[0].1);
        Some(quote! {
            #[allow(dead_code)]
            struct #code;
            impl #rt::Code for #code {
                type Value = #path;
                fn store(value: #path, stack: &mut #rt::Stack) {
                    const { #rt::not_dropped::<#path>() };
                    match value { #(#stored)* }
                }
                fn load(stack: &mut #rt::Stack) -> #path {
                    match <u32 as #rt::Storable>::load(stack) { #(#loaded)* }
                }
            }
            impl #rt::CodeOfSome for #code {
                fn placeholder() -> #path {
                    #(let #names = #rt::Placeholder::placeholder();)*
                    #first
                }
            }
        })
    }
}

/// The names of the parts of a variant or a struct, and what is made of them: a pattern, and a value.
fn parts(of: &TokenStream, fields: &Fields) -> (Vec<Ident>, TokenStream) {
    let names: Vec<Ident> = (0..fields.len()).map(|at| format_ident!("part_{at}")).collect();
    let made = match fields {
        Fields::Unit => of.clone(),
        Fields::Unnamed(_) => quote!(#of(#(#names),*)),
        Fields::Named(_) => {
            let members = fields.iter().map(|field| &field.ident);
            quote!(#of { #(#members: #names),* })
        }
    };
    (names, made)
}
