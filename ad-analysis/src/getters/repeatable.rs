//! Getters that may run again: nothing of the user's is called in them, if a few types are what they look like.

use super::{Way, element_of, is_of_whole_list, is_some, is_unwrapped, stripped};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{BinOp, Block, Expr, ExprMethodCall, Pat, Stmt};

/// What has to hold so that a getter calls nothing of the user's.
#[derive(Clone, Default)]
pub struct Assumed {
    /// Operands that are numbers.
    pub numbers: Vec<Expr>,
    /// What is indexed, and is a list of the standard library.
    pub lists: Vec<Expr>,
}

/// What has to hold so that a body may run again; nothing if it calls something, or may.
pub(super) fn assumed(body: &Block, ways: &[Way]) -> Option<Assumed> {
    let mut reading = Reading { assumed: Assumed::default(), lists: BTreeSet::new() };
    // These are proved to be lists whatever becomes of the getter.
    for way in ways {
        reading.lists.extend(way.lists.iter().map(|list| list.to_token_stream().to_string()));
    }
    reading.block(body).then_some(reading.assumed)
}

struct Reading {
    assumed: Assumed,
    /// What is known to be a list.
    lists: BTreeSet<String>,
}

impl Reading {
    fn block(&mut self, block: &Block) -> bool {
        block.stmts.iter().all(|stmt| match stmt {
            Stmt::Local(local) => {
                let is_plain = matches!(&local.pat, Pat::Ident(_));
                let value = local.init.as_ref().filter(|init| init.diverge.is_none());
                is_plain && value.is_some_and(|init| self.expr(&init.expr))
            }
            Stmt::Expr(expr, _) => self.expr(expr),
            Stmt::Macro(mac) => self.mac(&mac.mac),
            Stmt::Item(_) => false,
        })
    }

    /// What is asserted, and nothing that has to be printed.
    fn mac(&mut self, mac: &syn::Macro) -> bool {
        let is = |names: &[&str]| names.iter().any(|name| mac.path.is_ident(name));
        if is(&["panic", "unreachable", "unimplemented", "todo"]) {
            return true;
        }
        let parser = syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated;
        let Ok(args) = mac.parse_body_with(parser) else { return false };
        match is(&["assert", "debug_assert"]) {
            true => args.first().is_some_and(|test| self.expr(test)) && args.len() <= 2,
            false => false,
        }
    }

    fn expr(&mut self, expr: &Expr) -> bool {
        match expr {
            Expr::Lit(_) => true,
            Expr::Path(path) => path.qself.is_none(),
            Expr::Paren(inner) => self.expr(&inner.expr),
            Expr::Group(inner) => self.expr(&inner.expr),
            Expr::Field(field) => self.expr(&field.base),
            Expr::Reference(reference) => self.expr(&reference.expr),
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.expr(&unary.expr),
            Expr::Cast(cast) => self.expr(&cast.expr),
            Expr::Block(block) => self.block(&block.block),
            Expr::Return(exit) => exit.expr.as_ref().is_none_or(|value| self.expr(value)),
            Expr::Macro(mac) => self.mac(&mac.mac),
            Expr::MethodCall(call) if is_of_whole_list(call) => self.expr(&call.receiver),
            Expr::MethodCall(call) if element_of(call).is_some() => self.element(call),
            Expr::MethodCall(call) if is_unwrapped(call) => match stripped(&call.receiver) {
                Expr::MethodCall(call) => element_of(call).is_some() && self.element(call),
                _ => false,
            },
            Expr::Call(call) => is_some(call) && call.args.iter().all(|inner| self.expr(inner)),
            Expr::MethodCall(call) => {
                let is_length = call.method == "len" && call.args.is_empty();
                is_length && self.lists.contains(&call.receiver.to_token_stream().to_string())
            }
            Expr::Index(index) => self.index(&index.expr, &index.index),
            Expr::Binary(binary) => self.binary(&binary.left, &binary.op, &binary.right),
            Expr::If(choice) => {
                self.expr(&choice.cond)
                    && self.block(&choice.then_branch)
                    && choice.else_branch.as_ref().is_none_or(|(_, other)| self.expr(other))
            }
            Expr::Match(choice) => {
                self.expr(&choice.expr)
                    && choice
                        .arms
                        .iter()
                        .all(|arm| !matches!(arm.pat, Pat::Guard(_)) && self.expr(&arm.body))
            }
            _ => false,
        }
    }

    fn list(&mut self, list: &Expr) -> bool {
        if !self.lists.contains(&list.to_token_stream().to_string()) {
            self.assumed.lists.push(list.clone());
        }
        self.expr(list)
    }

    fn element(&mut self, call: &ExprMethodCall) -> bool {
        self.list(&call.receiver) && call.args.iter().all(|index| self.expr(index))
    }

    fn index(&mut self, list: &Expr, index: &Expr) -> bool {
        if !self.list(list) {
            return false;
        }
        match stripped(index) {
            Expr::Range(range) => {
                let mut bounds = [&range.start, &range.end].into_iter().flatten();
                bounds.all(|bound| self.expr(bound))
            }
            index => self.expr(index),
        }
    }

    fn binary(&mut self, left: &Expr, op: &BinOp, right: &Expr) -> bool {
        if !self.expr(left) || !self.expr(right) {
            return false;
        }
        match op {
            BinOp::And(_) | BinOp::Or(_) => true,
            BinOp::Add(_)
            | BinOp::Sub(_)
            | BinOp::Mul(_)
            | BinOp::Div(_)
            | BinOp::Rem(_)
            | BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_) => {
                let operands = [left, right].into_iter();
                let open = operands.filter(|operand| !matches!(stripped(operand), Expr::Lit(_)));
                self.assumed.numbers.extend(open.cloned());
                true
            }
            _ => false,
        }
    }
}
