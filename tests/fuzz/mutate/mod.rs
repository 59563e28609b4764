//! Random changes of functions.

mod exprs;
pub mod kinds;
mod options;
mod statements;
mod tokens;
mod wild;

use crate::program::Program;
use fastrand::Rng;
use kinds::Names;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, ItemFn, Pat, Stmt, Type};

/// How much a mutant may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Degree {
    /// Changes that often leave a function which rustc accepts.
    Typed,
    /// Anything that is put together of parts of Rust functions.
    Wild,
    /// Changes of tokens.
    Tokens,
}

/// What functions are made of, to be put into others.
#[derive(Default)]
pub struct Pool {
    exprs: Vec<Expr>,
    stmts: Vec<Stmt>,
    pats: Vec<Pat>,
    types: Vec<Type>,
}

impl Pool {
    /// The parts of some functions.
    pub fn of(programs: &[Program]) -> Self {
        let mut pool = Self::default();
        for program in programs {
            pool.visit_item_fn(program.function());
        }
        pool
    }

    fn one<T: Clone>(list: &[T], rng: &mut Rng) -> T {
        list[rng.usize(..list.len())].clone()
    }
}

impl Visit<'_> for Pool {
    fn visit_expr(&mut self, expr: &Expr) {
        self.exprs.push(expr.clone());
        visit::visit_expr(self, expr);
    }

    fn visit_stmt(&mut self, stmt: &Stmt) {
        self.stmts.push(stmt.clone());
        visit::visit_stmt(self, stmt);
    }

    fn visit_pat(&mut self, pat: &Pat) {
        self.pats.push(pat.clone());
        visit::visit_pat(self, pat);
    }

    fn visit_type(&mut self, ty: &Type) {
        self.types.push(ty.clone());
        visit::visit_type(self, ty);
    }
}

/// A function with changes by which rustc is often still content.
pub fn typed(program: &Program, rng: &mut Rng) -> Program {
    let mut mutant = program.clone();
    for _ in 0..1 + rng.usize(..4) {
        typed_change(mutant.function_mut(), rng);
    }
    mutant
}

/// The typed mutants of seeds.
pub fn of_seed(programs: Vec<Program>) -> impl Fn(u64) -> Program {
    move |seed| {
        let mut rng = Rng::with_seed(seed);
        let program = &programs[rng.usize(..programs.len())];
        let mut mutant = typed(program, &mut rng);
        mutant.origin = format!("seed {seed}, {}", program.origin);
        mutant
    }
}

fn typed_change(function: &mut ItemFn, rng: &mut Rng) {
    // What does not find a place is tried again as something else.
    for _ in 0..8 {
        let names = Names::of(function);
        let is_done = match rng.usize(..10) {
            0..=5 => exprs::change(function, &names, rng),
            _ => statements::change(function, &names, rng),
        };
        if is_done {
            return;
        }
    }
}

/// The arguments of `#[adjoint]` and a function, to be expanded.
pub fn input(
    programs: &[Program],
    pool: &Pool,
    degree: Degree,
    rng: &mut Rng,
) -> (TokenStream, TokenStream) {
    let program = &programs[rng.usize(..programs.len())];
    let mut mutant = typed(program, rng);
    if degree == Degree::Wild {
        for _ in 0..1 + rng.usize(..3) {
            wild::change(mutant.function_mut(), pool, rng);
        }
    }
    let (mut arguments, mut item) = mutant.annotated();
    if rng.usize(..5) == 0 {
        arguments = options::change(arguments, mutant.function(), rng);
    }
    if degree == Degree::Tokens {
        for _ in 0..1 + rng.usize(..3) {
            item = tokens::change(item, rng);
        }
        if rng.usize(..8) == 0 {
            arguments = tokens::change(arguments, rng);
        }
    }
    (arguments, item)
}

/// Parses what has been put together of parts; nothing if it is no Rust.
fn parsed<T: syn::parse::Parse>(tokens: impl ToTokens) -> Option<T> {
    syn::parse2(tokens.into_token_stream()).ok()
}

fn name(text: &str) -> proc_macro2::Ident {
    proc_macro2::Ident::new(text, proc_macro2::Span::call_site())
}

/// One of a list; nothing of an empty one.
fn pick<'a, T: ?Sized>(list: &[&'a T], rng: &mut Rng) -> Option<&'a T> {
    (!list.is_empty()).then(|| list[rng.usize(..list.len())])
}
