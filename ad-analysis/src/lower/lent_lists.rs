//! Lists of integers that methods lend and that are gone through: they are copied, since the backward sweep goes through them again, and nobody knows
//! whether the method may be called once more.
//!
//! ```text
//! for &j in graph.neighbours(i) { … }         let list = graph.neighbours(i).to_vec(); for &j in &list { … }
//! ```

use super::Lowerer;
use super::places::strip;
use proc_macro2::Ident;
use syn::Expr;

impl Lowerer<'_> {
    /// The name of what a call lends, if the files tell that it is a list of integers.
    pub(super) fn name_of_lent(&mut self, expr: &Expr) -> Option<Expr> {
        let Expr::MethodCall(call) = strip(expr) else { return None };
        let method = call.method.to_string();
        if !self.options.declared.lends_by_name(&method) || !self.names_are_unique {
            return None;
        }
        let owner = self.glimpse(|this| {
            let place = this.base_place(&call.receiver)?;
            Some(this.type_of(&place))
        })?;
        let owner = self.declared_name(&owner)?;
        let list = self.options.declared.lent_by(&owner, &method)?.clone();
        let element = match &list {
            syn::Type::Slice(list) => &list.elem,
            _ => return None,
        };
        let name = self.body.names.fresh(&method);
        let name = Ident::new(&name, call.method.span());
        let syn::Stmt::Local(named) = syn::parse_quote!(
            let #name: ::std::vec::Vec<#element> = <[#element]>::to_vec(#call);
        ) else {
            unreachable!("it is written as one")
        };
        self.local(&named, &[]);
        Some(syn::parse_quote!(&#name))
    }
}
