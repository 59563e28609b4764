//! `(a, x[i], Pair { b, .. }) = …`: the parts of the value are bound to names first, as `let` binds them, and then assigned to
//! the places from left to right, each found when its turn comes. So Rust has it.

use super::Lowerer;
use super::places::strip;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Expr, ExprAssign, Pat, Stmt};

/// Whether the left side of an assignment takes the value apart.
pub(super) fn takes_apart(left: &Expr) -> bool {
    match strip(left) {
        Expr::Tuple(_) | Expr::Array(_) | Expr::Struct(_) => true,
        Expr::Call(call) => matches!(*call.func, Expr::Path(_)),
        _ => false,
    }
}

impl Lowerer<'_> {
    /// An assignment to several places.
    pub(super) fn assign_parts(&mut self, assign: &ExprAssign) {
        let mut targets = Vec::new();
        let pat = self.pattern_of_places(&assign.left, &mut targets);
        let right = &assign.right;
        let binding: Stmt = syn::parse_quote!(let #pat = #right;);
        if let Stmt::Local(local) = binding {
            self.local(&local, &[]);
        }
        for (place, part) in targets {
            self.assignment(&ExprAssign {
                attrs: Vec::new(),
                left: Box::new(place.clone()),
                eq_token: assign.eq_token,
                right: Box::new(syn::parse_quote!(#part)),
            });
        }
    }

    /// The pattern that binds the parts, and what they are assigned to.
    fn pattern_of_places<'e>(
        &mut self,
        left: &'e Expr,
        targets: &mut Vec<(&'e Expr, Ident)>,
    ) -> Pat {
        match strip(left) {
            Expr::Tuple(tuple) => {
                let pats = tuple.elems.iter().map(|part| self.pattern_of_places(part, targets));
                let pats: Vec<Pat> = pats.collect();
                syn::parse_quote!((#(#pats,)*))
            }
            Expr::Array(array) => {
                let pats = array.elems.iter().map(|part| self.pattern_of_places(part, targets));
                let pats: Vec<Pat> = pats.collect();
                syn::parse_quote!([#(#pats),*])
            }
            Expr::Call(call) if let Expr::Path(path) = &*call.func => {
                let pats = call.args.iter().map(|part| self.pattern_of_places(part, targets));
                Pat::TupleStruct(syn::PatTupleStruct {
                    attrs: Vec::new(),
                    qself: path.qself.clone(),
                    path: path.path.clone(),
                    paren_token: call.paren_token,
                    elems: pats.collect(),
                })
            }
            Expr::Struct(literal) => {
                let fields = literal.fields.iter().map(|field| {
                    let (member, pat) =
                        (&field.member, self.pattern_of_places(&field.expr, targets));
                    quote!(#member: #pat)
                });
                let (path, fields, rest): (_, Vec<TokenStream>, _) =
                    (&literal.path, fields.collect(), &literal.dot2_token);
                syn::parse_quote!(#path { #(#fields,)* #rest })
            }
            Expr::Infer(_) => syn::parse_quote!(_),
            Expr::Range(range) if range.start.is_none() && range.end.is_none() => {
                Pat::Rest(syn::PatRest {
                    attrs: Vec::new(),
                    dot2_token: syn::token::DotDot(range.span()),
                })
            }
            place => {
                let part = Ident::new(&self.body.names.fresh("part"), place.span());
                let pat = syn::parse_quote!(#part);
                targets.push((place, part));
                pat
            }
        }
    }
}
