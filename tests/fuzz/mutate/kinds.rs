//! A guess at the types of expressions, good enough to put one in the place of another.

use quote::ToTokens;
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, FnArg, ItemFn, Lit, Local, Pat, Stmt, Type, UnOp};

/// What an expression seems to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A float, or a reference to one.
    Float,
    /// An integer.
    Int,
    /// A truth value.
    Bool,
    /// A list of floats.
    List,
    /// Something else.
    Other,
}

/// The kinds of the names in a function.
#[derive(Clone, Debug, Default)]
pub struct Names {
    kinds: BTreeMap<String, Kind>,
    mutable: Vec<String>,
}

/// Methods of floats with a float as their value and no arguments.
pub const FUNCTIONS: [&str; 24] = [
    "sqrt", "cbrt", "recip", "exp", "exp2", "exp_m1", "ln", "ln_1p", "log2", "log10", "sin", "cos",
    "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "abs", "floor", "signum", "fract",
    "asinh",
];

/// Methods of floats that take another one.
pub const BINARY: [&str; 9] =
    ["max", "min", "powf", "atan2", "hypot", "copysign", "rem_euclid", "div_euclid", "log"];

impl Names {
    /// The names of a function.
    pub fn of(function: &ItemFn) -> Self {
        let mut names = Self::default();
        for input in &function.sig.inputs {
            if let FnArg::Typed(param) = input {
                names.bind(&param.pat, of_type(&param.ty));
                if matches!(&*param.ty, Type::Reference(ty) if ty.mutability.is_some()) {
                    names.mutable.extend(simple(&param.pat));
                }
            }
        }
        names.visit_block(&function.block);
        names
    }

    fn bind(&mut self, pat: &Pat, kind: Kind) {
        let Some(name) = simple(pat) else { return };
        if matches!(pat, Pat::Ident(pat) if pat.mutability.is_some()) {
            self.mutable.push(name.clone());
        }
        let known = self.kinds.insert(name.clone(), kind);
        if known.is_some_and(|known| known != kind) {
            self.kinds.insert(name, Kind::Other);
        }
    }

    /// All names of a kind.
    pub fn of_kind(&self, kind: Kind) -> Vec<&str> {
        let names = self.kinds.iter().filter(|(_, known)| **known == kind);
        names.map(|(name, _)| name.as_str()).collect()
    }

    /// The names of a kind that can be written.
    pub fn mutable(&self, kind: Kind) -> Vec<&str> {
        let names = self.of_kind(kind);
        names.into_iter().filter(|name| self.mutable.iter().any(|other| other == name)).collect()
    }

    /// The kind of an expression.
    pub fn kind(&self, expr: &Expr) -> Kind {
        match expr {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Float(_) => Kind::Float,
                Lit::Int(_) => Kind::Int,
                Lit::Bool(_) => Kind::Bool,
                _ => Kind::Other,
            },
            Expr::Path(path) => match path.path.get_ident() {
                Some(name) => self.kinds.get(&name.to_string()).copied().unwrap_or(Kind::Other),
                None if path.path.segments.iter().any(|part| part.ident == "consts") => Kind::Float,
                None => Kind::Other,
            },
            Expr::Binary(binary) => match &binary.op {
                BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_) => {
                    match (self.kind(&binary.left), self.kind(&binary.right)) {
                        (Kind::Float, _) | (_, Kind::Float) => Kind::Float,
                        (Kind::Int, Kind::Int) => Kind::Int,
                        _ => Kind::Other,
                    }
                }
                BinOp::Eq(_)
                | BinOp::Ne(_)
                | BinOp::Lt(_)
                | BinOp::Le(_)
                | BinOp::Gt(_)
                | BinOp::Ge(_)
                | BinOp::And(_)
                | BinOp::Or(_) => Kind::Bool,
                _ => Kind::Other,
            },
            Expr::Unary(unary) => match &unary.op {
                UnOp::Deref(_) | UnOp::Neg(_) | UnOp::Not(_) => self.kind(&unary.expr),
                _ => Kind::Other,
            },
            Expr::Paren(inner) => self.kind(&inner.expr),
            Expr::Cast(cast) => of_type(&cast.ty),
            Expr::MethodCall(call) => of_method(&call.method.to_string()),
            Expr::Index(index) if matches!(&*index.index, Expr::Range(_)) => Kind::Other,
            Expr::Index(index) if self.kind(&index.expr) == Kind::List => Kind::Float,
            Expr::If(choice) => self.of_block(&choice.then_branch.stmts),
            Expr::Block(block) => self.of_block(&block.block.stmts),
            _ => Kind::Other,
        }
    }

    fn of_block(&self, stmts: &[Stmt]) -> Kind {
        match stmts.last() {
            Some(Stmt::Expr(value, None)) => self.kind(value),
            _ => Kind::Other,
        }
    }
}

impl Visit<'_> for Names {
    fn visit_local(&mut self, local: &Local) {
        visit::visit_local(self, local);
        match (&local.pat, &local.init) {
            (Pat::Type(typed), _) => self.bind(&typed.pat, of_type(&typed.ty)),
            (pat, Some(init)) => {
                let kind = self.kind(&init.expr);
                self.bind(pat, kind);
            }
            (_, None) => {}
        }
    }

    fn visit_expr_for_loop(&mut self, inner: &syn::ExprForLoop) {
        let kind = match &*inner.expr {
            Expr::Range(_) => Kind::Int,
            _ => Kind::Float,
        };
        self.bind(&inner.pat, kind);
        visit::visit_expr_for_loop(self, inner);
    }
}

/// The name that a pattern binds, if it is nothing but a name.
fn simple(pat: &Pat) -> Option<String> {
    match pat {
        Pat::Ident(pat) => Some(pat.ident.to_string()),
        _ => None,
    }
}

/// The kind of values of a type.
fn of_type(ty: &Type) -> Kind {
    let text = ty.to_token_stream().to_string().replace(' ', "");
    let bare = text.trim_start_matches("&mut").trim_start_matches('&');
    match bare {
        "f64" => Kind::Float,
        "usize" => Kind::Int,
        "bool" => Kind::Bool,
        "[f64]" | "Vec<f64>" => Kind::List,
        _ if bare.starts_with("[f64;") => Kind::List,
        _ => Kind::Other,
    }
}

fn of_method(name: &str) -> Kind {
    match name {
        "len" | "count" => Kind::Int,
        "is_empty" | "is_nan" | "is_finite" | "any" | "all" => Kind::Bool,
        "to_vec" => Kind::List,
        "powi" | "mul_add" | "clamp" | "to_radians" | "tanh" | "acosh" | "atanh" | "round" => {
            Kind::Float
        }
        _ if FUNCTIONS.contains(&name) || BINARY.contains(&name) => Kind::Float,
        _ => Kind::Other,
    }
}
