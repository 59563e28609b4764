//! Lists of references that are written down and gone through: they become lists of copies, for behind a `&` nothing changes.
//!
//! ```text
//! for layer in [&self.first, &self.second] { … }      for layer in &[self.first.clone(), self.second.clone()] { … }
//! [(a, 1.0), (b, 2.0)].iter().map(…)                  [(a.to_vec(), 1.0), (b.to_vec(), 2.0)].iter().map(…)
//! ```

use super::places::strip;
use super::{Lowerer, Operand};
use crate::types::Type;
use syn::Expr;

impl Lowerer<'_> {
    /// The list of copies that is gone through in place of a list of references, lent.
    pub(super) fn copies_of_referents(&mut self, list: &Expr) -> Option<Expr> {
        let Expr::Array(written) = strip(list) else { return None };
        let mut copies = written.clone();
        let mut refers = false;
        for element in &mut copies.elems {
            refers |= self.copy_referents(element);
        }
        refers.then(|| syn::parse_quote!(&#copies))
    }

    /// Puts copies where an element refers to structs or lists: itself, or in parts of a tuple. Whether it does.
    fn copy_referents(&mut self, element: &mut Expr) -> bool {
        match element {
            Expr::Paren(inner) => self.copy_referents(&mut inner.expr),
            Expr::Group(inner) => self.copy_referents(&mut inner.expr),
            Expr::Tuple(tuple) => tuple
                .elems
                .iter_mut()
                .fold(false, |refers, part| self.copy_referents(part) | refers),
            _ => match self.copy_of_referent(element) {
                Some(copy) => {
                    *element = copy;
                    true
                }
                None => false,
            },
        }
    }

    fn copy_of_referent(&mut self, reference: &Expr) -> Option<Expr> {
        let place = match strip(reference) {
            Expr::Reference(lent) if lent.mutability.is_none() => &*lent.expr,
            Expr::Path(_) if self.is_lent(reference) => reference,
            _ => return None,
        };
        let ty = self.glimpse(|this| match this.operand(reference)? {
            Operand::Reference { place, mutable: false, .. } => Some(this.type_of(&place)),
            Operand::Reference { mutable: true, .. } | Operand::Value(_) => None,
        })?;
        match self.types.shallow(&ty) {
            Type::Slice(_) => Some(syn::parse_quote!((#place).to_vec())),
            Type::Vec(_) => Some(syn::parse_quote!((#place).clone())),
            Type::Named(name) if !name.is_reference() => Some(syn::parse_quote!((#place).clone())),
            Type::Named(_)
            | Type::Array(..)
            | Type::Tuple(_)
            | Type::Float(_)
            | Type::Int(_)
            | Type::Bool
            | Type::Unknown
            | Type::Infer(_) => None,
        }
    }
}
