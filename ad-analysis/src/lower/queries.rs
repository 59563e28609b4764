//! Calls of queries: what they tell is computed again where it is needed, as if it were written out.
//!
//! ```text
//! self.data[self.offset(i, j)]        let offset = self.__told_by_offset(i, j); self.data[offset]
//! ```

use super::Lowerer;
use super::calls::OnFailure;
use super::getters::Operands;
use super::pipelines::Pipeline;
use super::sequences::{Items, Sequence};
use crate::getters::{range_of, told_by};
use crate::index::Var;
use crate::ir::{Class, Expr, Place, Range};
use crate::types::Type;
use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;

impl Lowerer<'_> {
    /// What a query tells, if the method is one of the type that it is called on.
    pub(super) fn by_query(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        self.attempt("what a query tells", |this| {
            let Asked { told, tokens, reads } = this.query_asked(call)?;
            range_of(&told).is_none().then_some(())?;
            let told = this.lower_type(&told);
            Some(this.found(tokens, reads, Class::Pure, told))
        })
    }

    /// The integers in the range that a query tells.
    pub(super) fn range_by_query(&mut self, call: &syn::ExprMethodCall) -> Option<Pipeline> {
        self.attempt("a range that a query tells", |this| {
            let Asked { told, tokens, reads } = this.query_asked(call)?;
            let ty = this.lower_type(range_of(&told)?);
            let span = call.method.span();
            let mut bound = |of: &str| {
                let of = Ident::new(of, span);
                let tokens = quote_spanned!(span=> #tokens.#of);
                this.found(tokens, reads.clone(), Class::Pure, ty.clone())
            };
            let (start, end) = (bound("start"), bound("end"));
            let range = Range { start, end, inclusive: false, adaptors: Vec::new() };
            Some(Pipeline::over(Sequence { range, ty, items: Items::Position }))
        })
    }

    /// What a maker makes, if a path is one of a type of the crate that has it.
    pub(super) fn by_maker(&mut self, path: &syn::ExprPath, args: &[&syn::Expr]) -> Option<Expr> {
        let last = path.path.segments.last().filter(|_| path.qself.is_none())?;
        let name = last.ident.to_string();
        if !self.options.declared.has_query(&name)
            || !self.names_are_unique
            || !last.arguments.is_none()
        {
            return None;
        }
        let made = self.declared_call(&path.path, &OnFailure::Impossible);
        self.attempt("what a maker makes", |this| {
            let of: Vec<String> =
                path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            let (_, of) = of.split_last().filter(|(_, of)| !of.is_empty())?;
            let types = this.options.declared.query(&of.join("::"), &name)?;
            let given: Vec<syn::Type> = types.inputs.iter().map(|input| input.ty.clone()).collect();
            let makes = matches!(&types.output, syn::ReturnType::Type(_, told)
                if matches!(&**told, syn::Type::Path(path) if path.path.is_ident("Self")));
            (makes && given.len() == args.len()).then_some(())?;
            let values = this.typed_values(args, &given);
            let (args, reads) = this.spelled_operands(&values, last.ident.span());
            let mut maker = path.path.clone();
            if let Some(last) = maker.segments.last_mut() {
                last.ident = told_by(&last.ident);
            }
            let tokens = quote_spanned!(last.ident.span()=> #maker(#(#args),*));
            let ty = match made {
                Some(made) => this.lower_type(&made),
                None => this.types.fresh(),
            };
            Some(this.found(tokens, reads, Class::Pure, ty))
        })
    }

    /// The values of arguments of these types, in variables.
    fn typed_values(&mut self, args: &[&syn::Expr], given: &[syn::Type]) -> Vec<Expr> {
        let values = self.values(args);
        for (value, ty) in values.iter().zip(given) {
            let ty = self.lower_type(ty);
            self.types.unify(&value.ty, &ty);
        }
        values.into_iter().map(|value| self.captured(value, "operand")).collect()
    }

    fn query_asked(&mut self, call: &syn::ExprMethodCall) -> Option<Asked> {
        let name = call.method.to_string();
        if !self.options.declared.has_query(&name) || !self.names_are_unique {
            return None;
        }
        let owner = self.base_place(&call.receiver)?;
        let ty = self.type_of(&owner);
        let Type::Named(of) = self.types.shallow(&ty) else { return None };
        let types = self.options.declared.query(&of, &name)?;
        let given: Vec<syn::Type> = types.inputs.iter().map(|input| input.ty.clone()).collect();
        let syn::ReturnType::Type(_, told) = types.output.clone() else { return None };
        (given.len() == call.args.len()).then_some(())?;
        let (tokens, reads) = self.question(owner, call, &given);
        Some(Asked { told: *told, tokens, reads })
    }

    /// The call of the method that stands beside the query, and the variables that it mentions.
    fn question(
        &mut self,
        mut owner: Place,
        call: &syn::ExprMethodCall,
        given: &[syn::Type],
    ) -> (TokenStream, Vec<Var>) {
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        let args = self.after(&mut owner, |this| this.typed_values(&args, given));
        let Operands { owner, args, reads } = self.operands_of_call(&owner, &args, call);
        let (span, tell) = (call.method.span(), told_by(&call.method));
        let value = quote_spanned!(span=> #owner.#tell(#(#args),*));
        let tokens = match self.found_first(reads[0], &owner, call, false) {
            None => value,
            Some(proof) => quote_spanned!(span=> { if false { #proof } #value }),
        };
        (tokens, reads)
    }
}

/// A call of a query.
struct Asked {
    /// The type of what it tells.
    told: syn::Type,
    tokens: TokenStream,
    reads: Vec<Var>,
}
