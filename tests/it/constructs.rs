//! What the functions of the corpus are made of, so that `docs/language.md` can be asked for a function that
//! uses a construct.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, FnArg, GenericParam, Ident, ItemFn, Pat, Type};

/// The constructs of a function, in the words of the document.
pub fn constructs(function: &ItemFn) -> BTreeSet<&'static str> {
    let mut seen = Seen::default();
    seen.signature(function);
    seen.visit_item_fn(function);
    seen.constructs
}

/// All functions in a file, those in `impl` blocks and in macros among them.
pub fn functions(tokens: TokenStream) -> Vec<ItemFn> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => found.extend(functions(group.stream())),
            TokenTree::Ident(word) if word == "fn" => {
                let is_body = |tree: &TokenTree| matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
                let Some(length) = trees[at..].iter().position(is_body) else { continue };
                let function = trees[at..=at + length].iter().cloned().collect();
                found.extend(syn::parse2::<ItemFn>(function).ok());
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    found
}

#[derive(Default)]
struct Seen {
    constructs: BTreeSet<&'static str>,
    /// How often each name is bound.
    bound: BTreeMap<String, usize>,
    /// How many loops are around.
    loops: usize,
}

impl Seen {
    fn note(&mut self, construct: &'static str) {
        self.constructs.insert(construct);
    }

    fn signature(&mut self, function: &ItemFn) {
        let signature = &function.sig;
        for param in &signature.generics.params {
            match param {
                GenericParam::Type(_) => self.note("generic float `T`"),
                GenericParam::Const(_) => self.note("length as a parameter `N`"),
                GenericParam::Lifetime(_) => {}
            }
        }
        for input in &signature.inputs {
            match input {
                FnArg::Receiver(_) => self.note("method with a receiver"),
                FnArg::Typed(typed) => match &*typed.ty {
                    Type::ImplTrait(_) => self.note("`Fn` parameter"),
                    Type::Reference(reference) => match &*reference.elem {
                        Type::TraitObject(_) => self.note("`dyn`"),
                        _ if reference.mutability.is_some() => self.note("`&mut` parameter"),
                        _ => {}
                    },
                    _ => {}
                },
            }
        }
        if let syn::ReturnType::Type(_, ty) = &signature.output
            && let Some(name) = last_segment(ty)
        {
            match name.to_string().as_str() {
                "Option" => self.note("`Option` as a result"),
                "Result" => self.note("`Result` as a result"),
                _ => {}
            }
        }
    }

    fn in_loop(&mut self, visit: impl FnOnce(&mut Self)) {
        self.loops += 1;
        visit(self);
        self.loops -= 1;
    }

    fn method(&mut self, call: &syn::ExprMethodCall) {
        match call.method.to_string().as_str() {
            "push" => self.note("`push`"),
            "swap" => self.note("`slice.swap`"),
            "map" | "filter" | "fold" | "zip" | "sum" | "product" => {
                self.note("iterator chain");
            }
            "is_finite" | "is_nan" | "partial_cmp" | "total_cmp" => {
                self.note("`is_finite`, `is_nan`, `partial_cmp`, `total_cmp`");
            }
            "to_bits" => self.note("`to_bits`"),
            _ => {}
        }
        if matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self")) {
            self.note("method of a user's type");
        }
    }

    fn path(&mut self, path: &syn::Path) {
        let segments: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let Some((last, before)) = segments.split_last() else { return };
        if last.len() > 1 && !last.chars().any(char::is_lowercase) {
            self.note("constant");
        }
        if last == "from_bits" {
            self.note("`from_bits`");
        }
        match before.last().map(String::as_str) {
            Some("mem") => self.note("`mem::swap`, `mem::replace`"),
            Some("Box") => self.note("`Box`"),
            Some("T") => self.note("`T::zero()`, `T::from(…)`"),
            _ => {}
        }
    }
}

fn last_segment(ty: &Type) -> Option<&Ident> {
    let Type::Path(path) = ty else { return None };
    path.path.segments.last().map(|segment| &segment.ident)
}

fn is_float(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|name| name == "f64" || name == "f32")
}

impl<'ast> Visit<'ast> for Seen {
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        const OF_THE_LIBRARY: [&str; 10] = [
            "vec",
            "matches",
            "panic",
            "unreachable",
            "println",
            "print",
            "format",
            "write",
            "writeln",
            "todo",
        ];
        let is_users = |name: &Ident| {
            let name = name.to_string();
            !name.contains("assert") && !OF_THE_LIBRARY.contains(&name.as_str())
        };
        if mac.path.get_ident().is_some_and(is_users) {
            self.note("user's macro");
        }
    }

    fn visit_stmt(&mut self, stmt: &'ast syn::Stmt) {
        if let syn::Stmt::Expr(Expr::If(branch), Some(_)) = stmt {
            // As a statement.
            self.note("`if`");
            return visit::visit_expr_if(self, branch);
        }
        visit::visit_stmt(self, stmt);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        match &local.init {
            None => self.note("`let x;` without a value"),
            Some(init) => {
                if init.diverge.is_some() {
                    self.note("`let … else`");
                }
                if matches!(&*init.expr, Expr::If(_)) {
                    self.note("`if` as a value");
                    if matches!(local.pat, Pat::Tuple(_)) {
                        self.note("`if` with a tuple as its value");
                    }
                }
            }
        }
        if matches!(local.pat, Pat::Tuple(_)) {
            self.note("`let` with a tuple pattern");
        }
        visit::visit_local(self, local);
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        let times = self.bound.entry(pat.ident.to_string()).or_default();
        *times += 1;
        if *times > 1 {
            self.note("shadowing");
        }
        if pat.by_ref.is_none() && pat.mutability.is_some() {
            self.note("`let mut`");
        }
        visit::visit_pat_ident(self, pat);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::If(branch) => match &*branch.cond {
                Expr::Let(_) => self.note("`if let`"),
                _ => self.note("`if`"),
            },
            Expr::Return(_) => {
                self.note("early `return`");
                if self.loops > 0 {
                    self.note("`return` from inside of a loop");
                }
            }
            Expr::Break(_) => self.note("`break`, `continue`"),
            Expr::Continue(_) => self.note("`break`, `continue`"),
            Expr::Assign(_) => self.note("assignment"),
            Expr::Binary(binary) => match binary.op {
                BinOp::AddAssign(_)
                | BinOp::SubAssign(_)
                | BinOp::MulAssign(_)
                | BinOp::DivAssign(_) => self.note("compound assignment"),
                BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::Shr(_) | BinOp::Shl(_) => {
                    self.note("bit operation");
                }
                _ => {}
            },
            Expr::Index(index) => {
                self.note("index");
                if matches!(&*index.expr, Expr::Index(_)) {
                    self.note("nested index");
                }
                if matches!(&*index.index, Expr::Range(_)) {
                    self.note("part of a slice, `a[i..j]`");
                }
            }
            Expr::Cast(cast) if is_float(&cast.ty) => self.note("cast to a float"),
            Expr::Cast(_) => self.note("cast to an integer"),
            Expr::Reference(reference) if reference.mutability.is_some() => self.note("`&mut x`"),
            Expr::Reference(_) => self.note("`&x`"),
            Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), .. }) => self.note("`*x`"),
            Expr::Call(_) => self.note("call of a function"),
            Expr::MethodCall(call) => self.method(call),
            Expr::Tuple(_) => self.note("tuple"),
            Expr::Closure(_) => self.note("closure"),
            Expr::Try(_) => self.note("`?`"),
            Expr::Struct(_) => self.note("struct literal"),
            Expr::Field(field) => {
                if matches!(&*field.base, Expr::Path(path) if path.path.is_ident("self")) {
                    self.note("`self.field`");
                }
            }
            _ => {}
        }
        visit::visit_expr(self, expr);
    }

    fn visit_expr_struct(&mut self, literal: &'ast syn::ExprStruct) {
        if is_of_type(&literal.path) {
            self.note("variant of an enum");
        }
        visit::visit_expr_struct(self, literal);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let pattern = match &arm.pat {
            Pat::Guard(guarded) => {
                self.note("guard of a `match`");
                &guarded.pat
            }
            pattern => pattern,
        };
        match pattern {
            Pat::Lit(_) => self.note("`match` on numbers"),
            Pat::Tuple(_) => self.note("`match` on a tuple"),
            Pat::TupleStruct(pat) if pat.path.is_ident("Some") || pat.path.is_ident("Ok") => {
                self.note("`match` on an `Option` or a `Result`");
            }
            Pat::Path(path) if path.path.segments.len() > 1 => self.note("`match` on an enum"),
            _ => {}
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_for_loop(&mut self, inner: &'ast syn::ExprForLoop) {
        let head = match &*inner.expr {
            Expr::Paren(paren) => &paren.expr,
            head => head,
        };
        self.note(match head {
            Expr::Range(_) => "`for` over a range",
            _ => "`for` over an iterator",
        });
        if inner.label.is_some() {
            self.note("loop with a label");
        }
        self.in_loop(|seen| visit::visit_expr_for_loop(seen, inner));
    }

    fn visit_expr_while(&mut self, inner: &'ast syn::ExprWhile) {
        self.note("`while`");
        self.in_loop(|seen| visit::visit_expr_while(seen, inner));
    }

    fn visit_expr_loop(&mut self, inner: &'ast syn::ExprLoop) {
        self.note("`loop`");
        if inner.label.is_some() {
            self.note("loop with a label");
        }
        self.in_loop(|seen| visit::visit_expr_loop(seen, inner));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.path(path);
        visit::visit_path(self, path);
    }
}

/// Whether a path leads through a type.
fn is_of_type(path: &syn::Path) -> bool {
    let owner = path.segments.iter().rev().nth(1);
    owner.is_some_and(|owner| owner.ident.to_string().starts_with(char::is_uppercase))
}
