//! Constants of an `impl` block that are lists of functions, `const STEPS: [fn(T) -> T; 2] = [Self::first, Self::second]`: a walk along one
//! (`Self::STEPS.iter().fold(x, |x, step| step(x))`) is one along positions, and a call of an element a choice by position.

use super::own_names::words_in;
use crate::walk::visit::{self, Visit};
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, Literal};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::{
    Expr, ExprArray, ExprCall, ExprMethodCall, ImplItem, ItemImpl, Macro, Member, Pat, PatIdent,
    Path, Type, parse_quote,
};

/// The functions in the lists of a block, by the names of the lists.
type Lists = BTreeMap<String, Vec<Path>>;

/// Writes calls of elements of such lists as choices.
pub fn calls_as_choices(block: &mut ItemImpl) {
    let mut lists = Lists::new();
    for item in &block.items {
        if let ImplItem::Const(constant) = item
            && constant.attrs.iter().all(|attr| attr.path().is_ident("doc"))
            && let Type::Array(array) = &constant.ty
            && matches!(&*array.elem, Type::FnPtr(_))
            && let Expr::Array(functions) = &constant.expr
            && let Some(functions) = paths(functions)
        {
            lists.insert(constant.ident.to_string(), functions);
        }
    }
    // A trait may have a constant of the name, and its implementation another one.
    if !lists.is_empty() && block.trait_.is_none() {
        Walks(&lists).visit_item_impl_mut(block);
    }
}

fn paths(functions: &ExprArray) -> Option<Vec<Path>> {
    let path = |function: &Expr| match function {
        Expr::Path(path) if path.qself.is_none() && path.attrs.is_empty() => {
            Some(path.path.clone())
        }
        _ => None,
    };
    functions.elems.iter().map(path).collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())
}

struct Walks<'l>(&'l Lists);

impl Walks<'_> {
    /// The functions of a list that an expression goes through, and the positions to go through instead.
    fn walked(&self, iterator: &Expr) -> Option<(&[Path], Expr)> {
        match iterator {
            Expr::MethodCall(call) if call.args.is_empty() && call.turbofish.is_none() => {
                let receiver = &call.receiver;
                if call.method == "rev" {
                    let (functions, positions) = self.walked(receiver)?;
                    return Some((functions, parse_quote!(#positions.rev())));
                }
                let is_list = ["iter", "into_iter"].iter().any(|method| call.method == method);
                is_list.then(|| self.positions(receiver)).flatten()
            }
            Expr::Reference(list) if list.mutability.is_none() => self.positions(&list.expr),
            Expr::Path(_) => self.positions(iterator),
            _ => None,
        }
    }

    fn positions(&self, list: &Expr) -> Option<(&[Path], Expr)> {
        let Expr::Path(path) = list else { return None };
        let [own, name] = path.path.segments.iter().collect::<Vec<_>>()[..] else { return None };
        let functions = self.0.get(&name.ident.to_string()).filter(|_| own.ident == "Self")?;
        let len = Literal::usize_suffixed(functions.len());
        Some((functions, parse_quote!((0usize..#len))))
    }

    /// `iterator.fold(start, |sum, function| …)` and its kin.
    fn method(&self, call: &mut ExprMethodCall) -> Option<()> {
        let parameter = match (call.method.to_string().as_str(), call.args.len()) {
            ("map" | "for_each", 1) => 0,
            ("fold", 2) => 1,
            _ => return None,
        };
        let (functions, positions) = self.walked(&call.receiver)?;
        let Some(Expr::Closure(closure)) = call.args.last_mut() else { return None };
        let name = name_in(closure.inputs.get(parameter)?)?;
        let others = closure.inputs.iter().enumerate().filter(|(at, _)| *at != parameter);
        let mut body = Body { name: &name, functions, may_be_choices: true };
        others.for_each(|(_, other)| body.visit_pat(other));
        body.visit_expr(&closure.body);
        if !body.may_be_choices {
            return None;
        }
        Choices { name: &name, functions }.visit_expr_mut(&mut closure.body);
        closure.inputs[parameter] = parse_quote!(#name);
        *call.receiver = positions;
        Some(())
    }

    fn for_loop(&self, repetition: &mut syn::ExprForLoop) -> Option<()> {
        let (functions, positions) = self.walked(&repetition.expr)?;
        let name = name_in(&repetition.pat)?;
        let mut body = Body { name: &name, functions, may_be_choices: true };
        body.visit_block(&repetition.body);
        if !body.may_be_choices {
            return None;
        }
        Choices { name: &name, functions }.visit_block_mut(&mut repetition.body);
        *repetition.pat = parse_quote!(#name);
        *repetition.expr = positions;
        Some(())
    }
}

/// The name that is bound to an element, or to a reference to one.
fn name_in(pat: &Pat) -> Option<Ident> {
    match pat {
        Pat::Ident(PatIdent { by_ref: None, mutability: None, subpat: None, ident, .. }) => {
            Some(ident.clone())
        }
        Pat::Reference(reference) => name_in(&reference.pat),
        _ => None,
    }
}

impl VisitMut for Walks<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::MethodCall(call) => _ = self.method(call),
            Expr::ForLoop(repetition) => _ = self.for_loop(repetition),
            _ => {}
        }
    }
}

/// The function that is called, if it is the one of that name, `step(x)` or `(*step)(x)`.
fn is_called(callee: &Expr, name: &Ident) -> bool {
    match callee {
        Expr::Path(path) => path.path.is_ident(name),
        Expr::Paren(inner) => is_called(&inner.expr, name),
        Expr::Unary(inner) if matches!(inner.op, syn::UnOp::Deref(_)) => {
            is_called(&inner.expr, name)
        }
        _ => false,
    }
}

/// What mentions an element.
struct Body<'b> {
    name: &'b Ident,
    functions: &'b [Path],
    /// Whether it is called, and nothing else, and no other variable has its name.
    may_be_choices: bool,
}

impl<'ast> Visit<'ast> for Body<'_> {
    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if !is_called(&call.func, self.name) {
            self.visit_expr(&call.func);
        }
        call.args.iter().for_each(|arg| self.visit_expr(arg));
    }

    fn visit_path(&mut self, path: &'ast Path) {
        self.may_be_choices &= !path.is_ident(self.name);
        visit::visit_path(self, path);
    }

    /// Nor does one have the name of a function.
    fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
        let is_function = self.functions.iter().any(|function| function.is_ident(&pat.ident));
        self.may_be_choices &= pat.ident != *self.name && !is_function;
        visit::visit_pat_ident(self, pat);
    }

    fn visit_member(&mut self, _: &'ast Member) {}

    fn visit_macro(&mut self, mac: &'ast Macro) {
        let mut words = BTreeSet::new();
        words_in(mac.to_token_stream(), &mut words);
        self.may_be_choices &= !words.contains(&self.name.to_string());
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {
        self.may_be_choices = false;
    }
}

/// Writes choices in the places of calls.
struct Choices<'c> {
    name: &'c Ident,
    functions: &'c [Path],
}

impl VisitMut for Choices<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let Expr::Call(call) = expr else { return };
        let Some((last, before)) = self.functions.split_last() else { return };
        if !is_called(&call.func, self.name) {
            return;
        }
        let (name, args) = (self.name, &call.args);
        let positions = (0..before.len()).map(Literal::usize_suffixed);
        *expr = parse_quote! {
            match #name {
                #(#positions => #before(#args),)*
                _ => #last(#args),
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "const F: [fn(T) -> T; 2] = [Self::a, b];";

    /// What becomes of a body, which says the same when it is read again.
    fn written(body: &str) -> String {
        let text = format!("impl<T> S<T> {{ {LIST} fn f(u: T) -> T {{ {body} }} }}");
        let mut block: ItemImpl = syn::parse_str(&text).expect("a block");
        calls_as_choices(&mut block);
        let again: ItemImpl = syn::parse2(block.to_token_stream()).expect("a block");
        assert_eq!(again.to_token_stream().to_string(), block.to_token_stream().to_string());
        let Some(ImplItem::Fn(function)) = block.items.pop() else { panic!("a function") };
        let body = function.block.stmts.iter().map(|stmt| stmt.to_token_stream().to_string());
        body.collect::<Vec<_>>().join(" ")
    }

    fn is_changed(body: &str) -> bool {
        let plain: syn::Block = syn::parse_str(&format!("{{ {body} }}")).expect("a block");
        let plain = plain.stmts.iter().map(|stmt| stmt.to_token_stream().to_string());
        written(body) != plain.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_call_at_the_beginning_of_a_statement_stays_an_operand() {
        let choice = "match q { 0usize => Self :: a (u) , _ => b (u) , }";
        assert_eq!(
            written("Self::F.iter().fold(u, |s, q| { q(u) * s })"),
            format!("(0usize .. 2usize) . fold (u , | s , q | {{ ({choice}) * s }})")
        );
        assert_eq!(
            written("for q in Self::F { (*q)(u); }"),
            format!("for q in (0usize .. 2usize) {{ {choice} ; }}")
        );
    }

    #[test]
    fn what_does_more_with_an_element_is_left_alone() {
        assert!(is_changed("Self::F.iter().rev().map(|&q| p.q * q(u)).sum()"));
        for body in [
            "Self::F.iter().map(|q| q).count()",
            "Self::F.iter().map(|q| g(q, u)).sum()",
            "Self::F.iter().map(|q| { let q = u; q(u) }).sum()",
            "Self::F.iter().map(|q| m!(q(u))).sum()",
            "Self::F.iter().fold(u, |b, q| q(b))",
            "Self::F.iter().skip(1).map(|q| q(u)).sum()",
            "Self::G.iter().map(|q| q(u)).sum()",
            "F.iter().map(|q| q(u)).sum()",
        ] {
            assert!(!is_changed(body), "{body}");
        }
    }
}
