//! Getters that may run again: nothing of the user's is called in them, if a few types are what they look like.

use super::{Way, element_of, is_of_whole_list, is_some, is_unwrapped, stripped};
use crate::stdlib::{self, Role};
use proc_macro2::{Delimiter, Group, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{BinOp, Block, Expr, ExprMethodCall, Lit, Pat, Stmt, Type, UnOp};

/// Whether a body calls nothing of the user's, if operands are numbers and what is indexed are lists. Generated code proves both.
pub(super) fn is_repeatable(body: &Block, ways: &[Way]) -> bool {
    let lists = ways.iter().flat_map(|way| &way.lists);
    let lists = lists.map(|list| list.to_token_stream().to_string()).collect();
    Reading { lists, may_make: false }.block(body)
}

/// Whether a body computes with numbers and calls nothing of the user's, if the fields of the receiver are numbers and lists, as they are used.
pub(super) fn reads_numbers(body: &Block, lists: BTreeSet<String>) -> bool {
    Reading { lists, may_make: false }.block(body)
}

/// Whether a body makes a value of numbers and calls nothing of the user's.
pub(super) fn makes_of_numbers(body: &Block) -> bool {
    Reading { lists: BTreeSet::new(), may_make: true }.block(body)
}

/// The elements of a `vec![…]`, as those of an array are written.
pub fn elements_of_vec(mac: &syn::Macro) -> Option<Expr> {
    let elements = || {
        let group = Group::new(Delimiter::Bracket, mac.tokens.clone());
        syn::parse2(TokenTree::from(group).into()).ok()
    };
    mac.path.is_ident("vec").then(elements)?
}

/// Whether a type is one of numbers or truth values, by its name.
pub(super) fn is_number_type(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let name = path.path.get_ident().filter(|_| path.qself.is_none()).map(ToString::to_string);
    name.is_some_and(|name| is_discrete_name(&name) || ["f64", "f32"].contains(&name.as_str()))
}

/// Whether a type is one of integers or truth values, by its name.
pub fn is_discrete_name(name: &str) -> bool {
    const NAMES: [&str; 13] = [
        "bool", "usize", "isize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64",
        "i128",
    ];
    NAMES.contains(&name)
}

/// Whether a method is one of numbers, of which generated code proves that it is called on one.
pub fn is_number_method(call: &ExprMethodCall) -> bool {
    let is = |role| stdlib::is(&call.method, role);
    call.turbofish.is_none() && (is(Role::OfIntegers) || is(Role::OfFloats))
}

/// Whether an operator with one operand is none of the user's on a number.
pub fn is_number_sign(op: &UnOp) -> bool {
    matches!(op, UnOp::Not(_) | UnOp::Neg(_))
}

/// Whether an operator is none of the user's between numbers.
pub fn is_number_operator(op: &BinOp) -> bool {
    matches!(
        op,
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
            | BinOp::Ge(_)
    )
}

/// Whether an operand may be a number: no variant of an enum.
pub fn may_be_number(operand: &Expr) -> bool {
    let first_of_last = |path: &syn::Path| {
        path.segments.last().and_then(|last| last.ident.to_string().chars().find(|c| *c != '_'))
    };
    match stripped(operand) {
        Expr::Path(path) => {
            let name = path.path.segments.last().map(|last| last.ident.to_string());
            let is_constant = name.is_some_and(|name| !name.chars().any(char::is_lowercase));
            is_constant || !first_of_last(&path.path).is_some_and(char::is_uppercase)
        }
        Expr::Lit(literal) => matches!(literal.lit, Lit::Int(_) | Lit::Float(_)),
        _ => true,
    }
}

/// Whether a call is a struct with positions, `Self(a, b)`, `Matrix(rows)`, by its name.
fn is_of_struct(call: &syn::ExprCall) -> bool {
    let Expr::Path(path) = stripped(&call.func) else { return false };
    let name = path.path.get_ident().map(ToString::to_string);
    name.is_some_and(|name| name.starts_with(char::is_uppercase) && name != "Some")
}

struct Reading {
    /// What is proved to be a list, whatever becomes of the getter.
    lists: BTreeSet<String>,
    /// Whether values may be made: structs, arrays and lists.
    may_make: bool,
}

impl Reading {
    fn block(&self, block: &Block) -> bool {
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
    fn mac(&self, mac: &syn::Macro) -> bool {
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

    fn expr(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Lit(_) => true,
            Expr::Path(path) => path.qself.is_none(),
            Expr::Paren(inner) => self.expr(&inner.expr),
            Expr::Group(inner) => self.expr(&inner.expr),
            Expr::Field(field) => self.expr(&field.base),
            Expr::Reference(reference) => self.expr(&reference.expr),
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.expr(&unary.expr),
            Expr::Unary(unary) if is_number_sign(&unary.op) => {
                may_be_number(&unary.expr) && self.expr(&unary.expr)
            }
            Expr::Tuple(tuple) => tuple.elems.iter().all(|part| self.expr(part)),
            Expr::Range(range) => {
                let mut bounds = [&range.start, &range.end].into_iter().flatten();
                bounds.all(|bound| self.expr(bound))
            }
            Expr::Cast(cast) => self.expr(&cast.expr),
            Expr::Block(block) => self.block(&block.block),
            Expr::Return(exit) => exit.expr.as_ref().is_none_or(|value| self.expr(value)),
            Expr::Struct(literal) if self.may_make => {
                literal.rest.is_none() && literal.fields.iter().all(|field| self.expr(&field.expr))
            }
            Expr::Array(array) if self.may_make => array.elems.iter().all(|part| self.expr(part)),
            Expr::Repeat(array) if self.may_make => self.expr(&array.expr) && self.expr(&array.len),
            Expr::Call(call) if self.may_make && is_of_struct(call) => {
                call.args.iter().all(|arg| self.expr(arg))
            }
            Expr::Macro(mac) => match elements_of_vec(&mac.mac).filter(|_| self.may_make) {
                Some(elements) => self.expr(&elements),
                None => self.mac(&mac.mac),
            },
            Expr::MethodCall(call) if is_of_whole_list(call) => self.expr(&call.receiver),
            Expr::MethodCall(call) if element_of(call).is_some() => self.element(call),
            Expr::MethodCall(call) if is_unwrapped(call) => match stripped(&call.receiver) {
                Expr::MethodCall(call) => element_of(call).is_some() && self.element(call),
                _ => false,
            },
            Expr::Call(call) => is_some(call) && call.args.iter().all(|inner| self.expr(inner)),
            Expr::MethodCall(call) if is_number_method(call) && may_be_number(&call.receiver) => {
                self.expr(&call.receiver) && call.args.iter().all(|arg| self.expr(arg))
            }
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

    fn element(&self, call: &ExprMethodCall) -> bool {
        let is_list = self.lists.contains(&call.receiver.to_token_stream().to_string());
        is_list && self.expr(&call.receiver) && call.args.iter().all(|index| self.expr(index))
    }

    fn index(&self, list: &Expr, index: &Expr) -> bool {
        self.expr(stripped(index)) && self.expr(list)
    }

    fn binary(&self, left: &Expr, op: &BinOp, right: &Expr) -> bool {
        let is_plain = match op {
            BinOp::And(_) | BinOp::Or(_) => true,
            op => is_number_operator(op) && may_be_number(left) && may_be_number(right),
        };
        is_plain && self.expr(left) && self.expr(right)
    }
}
