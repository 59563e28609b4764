//! A name for a tuple that exists nowhere, the item of `zip` and `enumerate`: where code mentions nothing but its fields, each is a name of
//! its own.

use super::items::Item;
use super::places::strip;
use super::{Destination, Lowerer};
use crate::read::words_in;
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::Ident;
use quote::ToTokens;
use std::borrow::Cow;
use std::collections::BTreeSet;
use syn::{Block, Expr, ExprBlock, ExprField, Member, Pat, PatIdent};

impl Lowerer<'_> {
    /// Binds what a function is given, or a loop goes through. The code that sees it is changed where names become others.
    pub(super) fn bind_for(&mut self, pat: &Pat, item: Item, code: &mut Cow<'_, Expr>) {
        match (pat, item) {
            (Pat::Reference(inner), Item::Lent(item)) => self.bind_for(&inner.pat, *item, code),
            (Pat::Tuple(tuple), Item::Tuple(parts)) if tuple.elems.len() == parts.len() => {
                for (pat, part) in tuple.elems.iter().zip(parts) {
                    self.bind_for(pat, part, code);
                }
            }
            (pat, item) => match self.spread(pat, &item, code) {
                None => self.bind_item(pat, item),
                Some((names, seen)) => {
                    *code = Cow::Owned(seen);
                    // The fields are found behind a reference as well.
                    for (name, part) in names.iter().zip(parts_of(&item).unwrap_or_default()) {
                        self.bind_for(&syn::parse_quote!(#name), part.clone(), code);
                    }
                }
            },
        }
    }

    /// The body of a loop for an item.
    pub(super) fn body_for(&mut self, pat: &Pat, item: Item, block: &Block) {
        let body = ExprBlock { attrs: Vec::new(), label: None, block: block.clone() };
        let mut code = Cow::Owned(Expr::Block(body));
        self.bind_for(pat, item, &mut code);
        let Expr::Block(body) = &*code else { unreachable!("a block stays one") };
        self.block_into(&body.block, &Destination::Discard);
    }

    /// Names for the fields of a tuple that exists nowhere, and the code with them, if the code mentions nothing else of it.
    fn spread(&mut self, pat: &Pat, item: &Item, code: &Expr) -> Option<(Vec<Ident>, Expr)> {
        let (tuple, parts) = (plain_name(pat)?, parts_of(item)?);
        if self.is_data(item) {
            return None;
        }
        let names = (0..parts.len()).map(|position| {
            let fresh = self.body.names.fresh(&format!("{tuple}_{position}"));
            Ident::new(&fresh, tuple.span())
        });
        let names: Vec<Ident> = names.collect();
        let mut seen = code.clone();
        let mut fields = Fields { tuple, names: &names, is_mentioned: false };
        fields.visit_expr_mut(&mut seen);
        let is_mentioned = fields.is_mentioned;
        (!is_mentioned).then_some((names, seen))
    }
}

/// The name, if a pattern is one for a value that does not change.
fn plain_name(pat: &Pat) -> Option<&Ident> {
    match pat {
        Pat::Ident(PatIdent { by_ref: None, mutability: None, subpat: None, ident, .. }) => {
            Some(ident)
        }
        Pat::Paren(inner) => plain_name(&inner.pat),
        _ => None,
    }
}

/// The parts of a tuple, also of one that is referred to.
fn parts_of(item: &Item) -> Option<&[Item]> {
    match item {
        Item::Tuple(parts) => Some(parts),
        Item::Lent(item) => parts_of(item),
        Item::Operand(_) => None,
    }
}

/// Puts names in the places of the fields of a tuple.
struct Fields<'a> {
    tuple: &'a Ident,
    names: &'a [Ident],
    /// Whether the name is mentioned otherwise, or is one of something else there.
    is_mentioned: bool,
}

impl Fields<'_> {
    /// The name of a field that an expression is.
    fn name_of(&self, field: &ExprField) -> Option<&Ident> {
        let Expr::Path(path) = strip(&field.base) else { return None };
        let Member::Unnamed(member) = &field.member else { return None };
        let is_bare = field.attrs.is_empty() && path.path.is_ident(self.tuple);
        self.names.get(member.index as usize).filter(|_| is_bare)
    }
}

impl VisitMut for Fields<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Field(field) = expr
            && let Some(name) = self.name_of(field)
        {
            *expr = syn::parse_quote!(#name);
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_ident_mut(&mut self, ident: &mut Ident) {
        self.is_mentioned |= ident == self.tuple;
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        let mut words = BTreeSet::new();
        words_in(mac.to_token_stream(), &mut words);
        self.is_mentioned |= words.contains(&self.tuple.to_string());
    }
}
