//! Calls of queries: what they tell is computed again where it is needed, as if it were written out.
//!
//! ```text
//! self.data[self.offset(i, j)]        let offset = self.__told_by_offset(i, j); self.data[offset]
//! ```

use super::Lowerer;
use super::getters::Operands;
use crate::getters::told_by;
use crate::ir::{Class, Expr, Place};
use crate::types::Type;
use quote::quote_spanned;

impl Lowerer<'_> {
    /// What a query tells, if the method is one of the type that it is called on.
    pub(super) fn by_query(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        let name = call.method.to_string();
        if !self.options.declared.has_query(&name) || !self.names_are_unique {
            return None;
        }
        self.attempt("what a query tells", |this| {
            let owner = this.base_place(&call.receiver)?;
            let ty = this.type_of(&owner);
            let Type::Named(of) = this.types.shallow(&ty) else { return None };
            let types = this.options.declared.query(&of, &name)?;
            let given: Vec<syn::Type> = types.inputs.iter().map(|input| input.ty.clone()).collect();
            let syn::ReturnType::Type(_, told) = types.output.clone() else { return None };
            (given.len() == call.args.len()).then_some(())?;
            Some(this.told_by_query(owner, call, &given, &told))
        })
    }

    fn told_by_query(
        &mut self,
        mut owner: Place,
        call: &syn::ExprMethodCall,
        given: &[syn::Type],
        told: &syn::Type,
    ) -> Expr {
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        let args = self.after(&mut owner, |this| {
            let args = this.values(&args);
            for (arg, ty) in args.iter().zip(given) {
                let ty = this.lower_type(ty);
                this.types.unify(&arg.ty, &ty);
            }
            args
        });
        let args: Vec<Expr> = args.into_iter().map(|arg| self.captured(arg, "operand")).collect();
        let told = self.lower_type(told);
        let Operands { owner, args, reads } = self.operands_of_call(&owner, &args, call);
        let (span, tell) = (call.method.span(), told_by(&call.method));
        let value = quote_spanned!(span=> #owner.#tell(#(#args),*));
        let tokens = match self.found_first(reads[0], &owner, call, false) {
            None => value,
            Some(proof) => quote_spanned!(span=> { if false { #proof } #value }),
        };
        self.found(tokens, reads, Class::Pure, told)
    }
}
