//! The types of fields, as the files of the crate tell them: proofs that they are right.

use super::super::located;
use super::Entries;
use crate::options::Member;
use crate::types::Type;
use proc_macro2::TokenStream;
use quote::quote;

impl Entries<'_> {
    /// Proves to rustc that fields have the types that they were taken to have: a pattern finds the very field, and a
    /// reference to it is not coerced.
    pub(super) fn field_types_proof(&self) -> TokenStream {
        let rt = &self.rt;
        let used = self.interface.fields.iter().filter(|field| self.is_used(field));
        let proofs = used.map(|Member { owner, name, ty }| {
            let ty = located(ty.clone());
            quote! {
                const _: fn(&#owner) = |#owner { #name: field, .. }| {
                    let of_field = #rt::type_of(field);
                    let _: ::core::marker::PhantomData<#ty> = of_field;
                };
            }
        });
        proofs.collect()
    }

    fn is_used(&self, field: &Member) -> bool {
        let Member { owner, name, ty } = field;
        let of = |owner: &str| {
            let ty_of_field =
                self.primal.parts.field(&Type::Named(owner.into()), &name.to_string());
            ty_of_field == Type::Named(ty.to_string().into())
        };
        of(&owner.to_string()) || of("Self")
    }
}
