//! The types of fields and of constants, as the files of the crate tell them: proofs that they are right.

use super::super::located;
use super::Entries;
use crate::derive::number_of_field;
use crate::ir::Binding;
use crate::options::{Declaration, Declarations, Subject};
use crate::payloads::is_of_variant;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use std::collections::BTreeMap;
use syn::Member;

impl Entries<'_> {
    /// Proves to rustc that fields and constants have the types that they were taken to have: a pattern finds the very field, and a
    /// reference to it is not coerced. What results are taken to be, the variables are declared as that take them.
    pub(super) fn declarations_proof(&self) -> TokenStream {
        let used = self.declarations_used();
        used.values().map(|declaration| self.declaration_proof(declaration)).collect()
    }

    fn declarations_used(&self) -> BTreeMap<&Subject, &Declaration> {
        let declared: &Declarations = &self.interface.declared;
        if declared.is_empty() {
            return BTreeMap::new();
        }
        let fields = self.primal.parts.names().into_iter();
        let fields =
            fields.map(|(owner, name)| Subject::Field(declared.name_of(&owner), name.to_string()));
        let constants = self.primal.vars.iter().filter_map(|variable| match &variable.binding {
            Binding::Global(path) => Some(Subject::Constant(declared.name_of(&path.to_string()))),
            Binding::Value | Binding::Shared | Binding::Exclusive | Binding::View(_) => None,
        });
        let all = fields.chain(constants).filter_map(|subject| declared.get(&subject));
        all.map(|declaration| (&declaration.subject, declaration)).collect()
    }

    fn declaration_proof(&self, declaration: &Declaration) -> TokenStream {
        let rt = &self.rt;
        let (of, ty) = (located(declaration.of.clone()), located(declaration.ty.to_token_stream()));
        match &declaration.subject {
            Subject::Field(_, name) if is_of_variant(name) => {
                let number = Literal::u128_unsuffixed(number_of_field(name));
                quote! {
                    const _: fn(&#of) = |value| {
                        let of_payload = #rt::type_of(&value[#rt::Payload::<#number>]);
                        let _: ::core::marker::PhantomData<#ty> = of_payload;
                    };
                }
            }
            Subject::Field(_, name) => {
                let name: Member = syn::parse_str(name).expect("it was one");
                quote! {
                    const _: fn(&#of) = |#of { #name: field, .. }| {
                        let of_field = #rt::type_of(field);
                        let _: ::core::marker::PhantomData<#ty> = of_field;
                    };
                }
            }
            Subject::Constant(_) => quote! {
                const _: fn() = || {
                    let of_constant = #rt::type_of(&#of);
                    let _: ::core::marker::PhantomData<#ty> = of_constant;
                };
            },
            Subject::Result(..)
            | Subject::Getter(..)
            | Subject::GetterOnce(..)
            | Subject::Query(..)
            | Subject::Lends(..)
            | Subject::Function(_)
            | Subject::Generic(_)
            | Subject::Operator(..)
            | Subject::Parameter(..)
            | Subject::Shared(..) => TokenStream::new(),
        }
    }
}
