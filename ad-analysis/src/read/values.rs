//! Which receivers are values, and not references to values, as far as the syntax tells.

use super::library::is_of_floats;
use crate::walk::visit::{self, Visit};
use std::collections::HashMap;
use syn::{Block, Expr, FnArg, Pat, Signature, Stmt, Type};

/// What the names in a function are bound to.
#[derive(Default)]
pub(super) struct Values<'f> {
    bound: HashMap<String, Vec<Bound<'f>>>,
}

/// What a name is bound to, at one of the places that bind it.
#[derive(Clone, Copy)]
enum Bound<'f> {
    /// A value of a type that is no reference.
    Value,
    /// Whatever the expression is.
    To(&'f Expr),
    Unknown,
}

impl<'f> Values<'f> {
    pub(super) fn of(sig: &'f Signature, block: &'f Block) -> Self {
        let mut values = Self::default();
        values.visit_signature(sig);
        values.visit_block(block);
        values
    }

    /// Whether an expression may be a reference.
    pub(super) fn may_be_reference(&self, expr: &Expr) -> bool {
        self.may_refer(expr, &mut Vec::new())
    }

    fn may_refer(&self, expr: &Expr, open: &mut Vec<String>) -> bool {
        match expr {
            // What functions return and fields hold must be a float where a derivative passes through it, and is what it is for the
            // function where none does.
            Expr::Lit(_)
            | Expr::Binary(_)
            | Expr::Unary(_)
            | Expr::Index(_)
            | Expr::Cast(_)
            | Expr::Call(_)
            | Expr::Field(_) => false,
            Expr::Paren(inner) => self.may_refer(&inner.expr, open),
            Expr::MethodCall(call) => {
                let is_own =
                    matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"));
                !is_own && !is_of_floats(&call.method)
            }
            Expr::Block(inner) => self.block_may_refer(&inner.block, open),
            Expr::If(choice) => {
                let otherwise = choice.else_branch.as_ref();
                self.block_may_refer(&choice.then_branch, open)
                    || otherwise.is_none_or(|(_, otherwise)| self.may_refer(otherwise, open))
            }
            Expr::Path(path) => match path.path.get_ident() {
                Some(name) => self.name_may_refer(&name.to_string(), open),
                None => true,
            },
            _ => true,
        }
    }

    fn block_may_refer(&self, block: &Block, open: &mut Vec<String>) -> bool {
        match block.stmts.last() {
            Some(Stmt::Expr(tail, None)) => self.may_refer(tail, open),
            _ => true,
        }
    }

    /// A name refers to nothing if none of those that are spelled like it does.
    fn name_may_refer(&self, name: &str, open: &mut Vec<String>) -> bool {
        if open.iter().any(|other| other == name) {
            return false;
        }
        let Some(bound) = self.bound.get(name) else { return true };
        open.push(name.to_owned());
        let found = bound.iter().any(|bound| match bound {
            Bound::Value => false,
            Bound::To(expr) => self.may_refer(expr, open),
            Bound::Unknown => true,
        });
        open.pop();
        found
    }

    fn bind(&mut self, pat: &'f Pat, to: Bound<'f>) {
        match (pat, to) {
            (Pat::Type(typed), _) if is_value(&typed.ty) => self.bind(&typed.pat, Bound::Value),
            (Pat::Type(typed), _) => self.bind(&typed.pat, Bound::Unknown),
            (Pat::Paren(inner), to) => self.bind(&inner.pat, to),
            (Pat::Ident(name), to) if name.by_ref.is_none() && name.subpat.is_none() => {
                self.bound.entry(name.ident.to_string()).or_default().push(to);
            }
            (Pat::Tuple(pats), Bound::To(Expr::Tuple(parts)))
                if pats.elems.len() == parts.elems.len()
                    && !pats.elems.iter().any(|pat| matches!(pat, Pat::Rest(_))) =>
            {
                pats.elems.iter().zip(&parts.elems).for_each(|(pat, part)| {
                    self.bind(pat, Bound::To(part));
                });
            }
            (pat, _) => self.visit_pat(pat),
        }
    }
}

impl<'f> Visit<'f> for Values<'f> {
    fn visit_item(&mut self, _: &'f syn::Item) {}

    fn visit_fn_arg(&mut self, arg: &'f FnArg) {
        if let FnArg::Typed(param) = arg {
            let to = if is_value(&param.ty) { Bound::Value } else { Bound::Unknown };
            self.bind(&param.pat, to);
        }
    }

    fn visit_local(&mut self, local: &'f syn::Local) {
        let init = local.init.as_ref();
        self.bind(&local.pat, init.map_or(Bound::Unknown, |init| Bound::To(&init.expr)));
        if let Some(init) = init {
            self.visit_local_init(init);
        }
    }

    fn visit_expr_assign(&mut self, assign: &'f syn::ExprAssign) {
        if let Expr::Path(path) = &*assign.left
            && let Some(name) = path.path.get_ident()
        {
            self.bound.entry(name.to_string()).or_default().push(Bound::To(&assign.right));
        }
        visit::visit_expr_assign(self, assign);
    }

    /// Bound in any other way.
    fn visit_pat(&mut self, pat: &'f Pat) {
        match pat {
            Pat::Type(_) => self.bind(pat, Bound::Unknown),
            Pat::Ident(name) => {
                self.bound.entry(name.ident.to_string()).or_default().push(Bound::Unknown);
                visit::visit_pat_ident(self, name);
            }
            other => visit::visit_pat(self, other),
        }
    }
}

/// Whether a type is a float, or has a name of its own: a struct, or a type parameter, which stands for a float where derivatives ask for one.
fn is_value(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let name = path.path.get_ident().filter(|_| path.qself.is_none()).map(ToString::to_string);
    name.is_some_and(|name| {
        matches!(name.as_str(), "f64" | "f32") || name.starts_with(char::is_uppercase)
    })
}
