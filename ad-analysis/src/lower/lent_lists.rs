//! Lists of integers that methods lend and that are gone through: they get names first.
//!
//! ```text
//! for &j in graph.neighbours(i) { … }         let list: &[usize] = graph.neighbours(i); for &j in list { … }
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
        let name = Ident::new(&format!("__list_of_{method}"), call.method.span());
        let syn::Stmt::Local(named) = syn::parse_quote!(let #name: &#list = #call;) else {
            unreachable!("it is written as one")
        };
        self.local(&named, &[]);
        Some(syn::parse_quote!(#name))
    }
}
