//! Checks of what functions and methods of users tell: they are asked first, so that the check itself has numbers only.
//!
//! ```text
//! assert!(tree.depth() < 20);             let test = tree.depth() < 20; assert!(test, "assertion failed: tree.depth() < 20");
//! assert_eq!(model.dimension(), n);       let told = model.dimension(); assert_eq!(told, n);
//! ```

use super::access::Use;
use super::places::strip;
use super::{Destination, Lowerer, Scope, macros};
use crate::ir::Expr;
use crate::types::Type;
use proc_macro2::Ident;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Macro, Token};

impl Lowerer<'_> {
    /// Lowers a check with what it asks of users' code before it, if it asks anything.
    pub(super) fn check(&mut self, mac: &Macro) -> bool {
        let name = macros::name_of(mac);
        let Some(tested) = macros::operands_checked(&name) else { return false };
        let list = Punctuated::<syn::Expr, Token![,]>::parse_terminated;
        let Ok(args) = list.parse2(mac.tokens.clone()) else { return false };
        let mut operands = args.iter().take(tested);
        let asks = |expr: &syn::Expr| !self.access_of(expr, Use::Read).writes.is_empty();
        if args.len() < tested || !operands.any(asks) {
            return false;
        }
        if let Some(always) = name.strip_prefix("debug_") {
            let always = Ident::new(always, mac.span());
            let check =
                syn::parse_quote!(if ::core::cfg!(debug_assertions) { ::core::#always!(#args); });
            self.lower_into(&check, &Destination::Discard);
            return true;
        }
        let Some((mac, names)) = self.asked_before(mac, args, tested) else { return false };
        self.scopes.push(names);
        let attrs = Vec::new();
        self.opaque_statement_expr(&syn::Expr::Macro(syn::ExprMacro { attrs, mac }));
        self.scopes.pop();
        true
    }

    /// A check that is left when what it asks is known, and the names of the variables that it has then.
    fn asked_before(
        &mut self,
        mac: &Macro,
        mut args: Punctuated<syn::Expr, Token![,]>,
        tested: usize,
    ) -> Option<(Macro, Scope)> {
        self.attempt("what is checked", |this| {
            let operands: Vec<&syn::Expr> = args.iter().take(tested).collect();
            let values = this.values(&operands);
            let expected = if tested == 1 { Type::Bool } else { this.type_told(&values)? };
            values.iter().for_each(|value| this.types.unify(&value.ty, &expected));
            let text = operands[0].to_token_stream().to_string();
            let mut names = Scope::default();
            for (arg, value) in args.iter_mut().zip(values) {
                *arg = this.told_to_check(arg, value, &mut names);
            }
            if tested == 1 && args.len() == 1 {
                let message = format!("assertion failed: {text}");
                args.push(syn::parse_quote!("{}"));
                args.push(syn::parse_quote!(#message));
            }
            Some((Macro { tokens: quote!(#args), ..mac.clone() }, names))
        })
    }

    /// The type of numbers that are compared: what else may be is not taken out of its check.
    fn type_told(&mut self, values: &[Expr]) -> Option<Type> {
        let types = values.iter().map(|value| self.types.shallow(&value.ty)).collect::<Vec<_>>();
        types.into_iter().find(|ty| ty.is_discrete() || self.types.is_int(ty))
    }

    /// An operand of a check, by the name of the variable that has its value.
    fn told_to_check(&mut self, arg: &syn::Expr, value: Expr, names: &mut Scope) -> syn::Expr {
        if matches!(strip(arg), syn::Expr::Lit(_)) {
            return arg.clone();
        }
        let var = self.name_value("told", value);
        let name = format!("__told_{}", names.len());
        let ident = Ident::new(&name, arg.span());
        names.insert(name, var);
        syn::parse_quote!(#ident)
    }
}
