//! Functions inside of a function that are called there, and nothing else: in the copy of the item they are closures. A function sees
//! none of the variables around it, and what else it mentions means the same in a closure, as long as no variable is called so.

use super::own_names::words_in;
use crate::walk::visit::{self, Visit};
use crate::walk::visit_mut::{self, VisitMut};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{
    Attribute, Block, Expr, ExprCall, FnArg, Ident, Item, ItemFn, Pat, PatIdent, ReturnType,
    Signature, Stmt, Type,
};

/// Makes closures of the functions in a block that can be.
pub(super) fn as_closures(sig: &Signature, block: &mut Block) {
    let mut functions = Functions(Vec::new());
    functions.visit_block(block);
    let Functions(functions) = functions;
    if functions.is_empty() {
        return;
    }
    let mut bound = Bound::default();
    bound.visit_signature(sig);
    bound.visit_block(block);
    let text = block.to_token_stream();
    let mut chosen = functions;
    chosen.retain(|function| is_plain(function) && !bound.hides(function));
    loop {
        let is_closure = |function: &ItemFn| {
            let name = &function.sig.ident;
            let others = chosen.iter().filter(|other| other.sig.ident != *name);
            let calls = calls_in(block, name)
                + others.map(|other| calls_in(&other.block, name)).sum::<usize>();
            // It is called, and mentioned in its declaration; bodies of others are kept as they are.
            calls > 0 && times(&text, &name.to_string()) == calls + 1
        };
        let closures: Vec<ItemFn> =
            chosen.iter().filter(|function| is_closure(function)).cloned().collect();
        let is_settled = closures.len() == chosen.len();
        chosen = closures;
        if is_settled {
            break;
        }
    }
    let mut closures = Closures(in_order(chosen));
    closures.visit_block_mut(block);
}

/// The names of functions, each behind those that it calls. Functions that call each other are none of them.
fn in_order(mut functions: Vec<ItemFn>) -> Vec<Ident> {
    let mut order = Vec::new();
    loop {
        let waits = |function: &ItemFn| {
            functions.iter().any(|other| calls_in(&function.block, &other.sig.ident) > 0)
        };
        let (later, next): (Vec<ItemFn>, Vec<ItemFn>) = functions.iter().cloned().partition(waits);
        if next.is_empty() {
            return order;
        }
        order.extend(next.into_iter().map(|function| function.sig.ident));
        functions = later;
    }
}

/// How often a function is called in a block, outside of the items in it.
fn calls_in(block: &Block, name: &Ident) -> usize {
    let mut calls = Calls { name, count: 0 };
    calls.visit_block(block);
    calls.count
}

/// Whether a closure can do what the function does.
fn is_plain(function: &ItemFn) -> bool {
    let ItemFn { attrs, sig, block, .. } = function;
    let Signature { safety, asyncness, abi, generics, inputs, variadic, output, .. } = sig;
    let is_ordinary = matches!(safety, syn::Safety::Default)
        && asyncness.is_none()
        && abi.is_none()
        && variadic.is_none();
    let is_generic = !generics.params.is_empty() || generics.where_clause.is_some();
    let mut contents = Contents(false);
    contents.visit_block(block);
    is_ordinary
        && !is_generic
        && !contents.0
        && attrs.iter().all(says_nothing)
        && inputs.iter().all(is_named)
        && inputs.iter().any(|input| {
            times(&input.to_token_stream(), "f64") > 0 || times(&input.to_token_stream(), "f32") > 0
        })
        && matches!(output, ReturnType::Type(_, ty) if is_of_floats(ty))
}

/// Whether a type is that of floats, or a tuple or array of such.
fn is_of_floats(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.is_ident("f64") || path.path.is_ident("f32"),
        Type::Tuple(tuple) => !tuple.elems.is_empty() && tuple.elems.iter().all(is_of_floats),
        Type::Array(array) => is_of_floats(&array.elem),
        _ => false,
    }
}

fn is_named(input: &FnArg) -> bool {
    match input {
        FnArg::Typed(param) => {
            let is_name = matches!(&*param.pat, Pat::Ident(name) if name.subpat.is_none());
            is_name && param.attrs.is_empty() && !matches!(&*param.ty, Type::ImplTrait(_))
        }
        FnArg::Receiver(_) => false,
    }
}

fn says_nothing(attr: &Attribute) -> bool {
    ["inline", "allow", "expect", "warn", "deny", "doc", "must_use", "cold", "rustfmt", "clippy"]
        .iter()
        .any(|name| attr.path().segments.first().is_some_and(|first| first.ident == name))
}

/// How often a word is there.
fn times(tokens: &proc_macro2::TokenStream, word: &str) -> usize {
    let count = |token: proc_macro2::TokenTree| match token {
        proc_macro2::TokenTree::Ident(name) => usize::from(name == word),
        proc_macro2::TokenTree::Group(group) => times(&group.stream(), word),
        // Text may mention it.
        proc_macro2::TokenTree::Literal(text) => usize::from(text.to_string().contains(word)) * 2,
        proc_macro2::TokenTree::Punct(_) => 0,
    };
    tokens.clone().into_iter().map(count).sum()
}

/// The functions that stand in blocks.
struct Functions(Vec<ItemFn>);

impl<'ast> Visit<'ast> for Functions {
    fn visit_item(&mut self, item: &'ast Item) {
        if let Item::Fn(function) = item {
            self.0.push(function.clone());
        }
    }
}

/// The variables around.
#[derive(Default)]
struct Bound(BTreeSet<String>);

impl Bound {
    /// Whether something that a function mentions and does not declare is the name of a variable here, or so may be.
    fn hides(&self, function: &ItemFn) -> bool {
        let mut own = Bound::default();
        own.visit_signature(&function.sig);
        own.visit_block(&function.block);
        let mut words = BTreeSet::new();
        words_in(function.to_token_stream(), &mut words);
        words.iter().any(|word| self.0.contains(word) && !own.0.contains(word))
    }
}

impl<'ast> Visit<'ast> for Bound {
    fn visit_item(&mut self, _: &'ast Item) {}

    fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
        self.0.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }
}

/// Whether there is something in a body that is not as it is in a closure, or that is kept as it is.
struct Contents(bool);

impl<'ast> Visit<'ast> for Contents {
    fn visit_item(&mut self, _: &'ast Item) {
        self.0 = true;
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.0 |= matches!(expr, Expr::Try(_) | Expr::Unsafe(_) | Expr::Await(_));
        visit::visit_expr(self, expr);
    }

    fn visit_attribute(&mut self, attr: &'ast Attribute) {
        self.0 |= !says_nothing(attr);
    }

    /// What it stands for may be anything.
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.0 |= !super::library::is_of_library(mac);
        visit::visit_macro(self, mac);
    }
}

/// Calls outside of other items.
struct Calls<'n> {
    name: &'n Ident,
    count: usize,
}

impl<'ast> Visit<'ast> for Calls<'_> {
    fn visit_item(&mut self, _: &'ast Item) {}

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if matches!(&*call.func, Expr::Path(path) if path.path.is_ident(self.name)) {
            self.count += 1;
        }
        visit::visit_expr_call(self, call);
    }
}

/// The functions that become closures, in their order.
struct Closures(Vec<Ident>);

impl VisitMut for Closures {
    fn visit_item_mut(&mut self, _: &mut Item) {}

    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        let is_chosen = |stmt: &Stmt| matches!(stmt, Stmt::Item(Item::Fn(function)) if self.0.contains(&function.sig.ident));
        if !block.stmts.iter().any(is_chosen) {
            return;
        }
        let stmts = std::mem::take(&mut block.stmts);
        let (mut functions, others): (Vec<Stmt>, Vec<Stmt>) =
            stmts.into_iter().partition(is_chosen);
        functions.sort_by_key(|stmt| match stmt {
            Stmt::Item(Item::Fn(function)) => {
                self.0.iter().position(|name| *name == function.sig.ident)
            }
            _ => None,
        });
        block.stmts = functions.into_iter().map(closure_of).chain(others).collect();
    }
}

fn closure_of(stmt: Stmt) -> Stmt {
    let Stmt::Item(Item::Fn(ItemFn { sig, block, .. })) = stmt else { return stmt };
    let Signature { ident, inputs, output, .. } = sig;
    syn::parse_quote!(let #ident = |#inputs| #output #block;)
}
