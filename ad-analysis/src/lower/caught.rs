//! Calls of functions and methods that may fail, of which the caller goes on: the payload and the failure are in variables.
//!
//! A callee that has failed keeps nothing, so what it changed before cannot be undone. It is given copies, which take the places of what is
//! behind a `&mut` when it has returned. Where it has failed, no derivative passes through what it left there:
//!
//! ```text
//! let Some(u) = m.solve(b) else { … };      attempted = m.clone(); call attempted.solve(b) failure f;
//!                                           if f.is_none() { swap m, attempted } else { m = «what a function changed before it failed» }
//! ```

use super::Lowerer;
use super::calls::{Callee, Caught, OnFailure};
use super::items::Item;
use super::optional::{Failure, Optional};
use crate::index::{BitSet, Var};
use crate::ir::{
    ArgKind, Block, Body, Class, Ending, Expr, ExprKind, Op, Opaque, Place, Refusal, Stmt,
    StmtKind, UnaryOp, each_block, each_block_mut, each_place, each_stmt,
};
use crate::stdlib::is_known;
use crate::types::Type;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::rc::Rc;
use syn::parse::Parser;
use syn::spanned::Spanned;

impl Lowerer<'_> {
    /// The `Option` or `Result` of a call of a function that may be annotated.
    pub(super) fn caught_call(&mut self, call: &syn::ExprCall) -> Option<Optional> {
        let span = call.span();
        let syn::Expr::Path(path) = super::places::strip(&call.func) else { return None };
        // What is computed from passive values alone has no derivative, whatever it is.
        if !matches!(self.callee(path), Callee::User | Callee::Associated)
            || self.is_inert(&call.args, false)
        {
            return None;
        }
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        let caught = self.caught(span);
        let payload = self.user_value(path, &args, OnFailure::Caught(caught), span)?;
        Some(self.caught_value(caught, payload, span))
    }

    /// The same of a method.
    pub(super) fn caught_method(&mut self, call: &syn::ExprMethodCall) -> Option<Optional> {
        // `next` of an iterator, say.
        if self.sibling(call).is_none() && call.args.is_empty() && is_known(&call.method) {
            return None;
        }
        let span = call.method.span();
        let caught = self.caught(span);
        let payload = self.method_value(call, OnFailure::Caught(caught), span)?;
        Some(self.caught_value(caught, payload, span))
    }

    fn caught(&mut self, span: Span) -> Caught {
        Caught {
            failure: self.body.local("failure", Type::Unknown, span),
            succeeds: self.body.local("succeeds", Type::Bool, span),
        }
    }

    fn caught_value(
        &self,
        Caught { failure, succeeds }: Caught,
        payload: Expr,
        span: Span,
    ) -> Optional {
        let (some, payload) = (self.load(succeeds, span), Item::value(payload));
        Optional { some, payload, failure: Failure::Of(failure) }
    }

    /// The pattern of an error, as one of the variable that may hold it.
    pub(super) fn failure_pattern(&self, pat: &syn::Pat, failure: Var) -> (syn::Pat, Opaque) {
        let tokens = quote!(::core::option::Option::Some(#pat));
        let whole = syn::Pat::parse_single.parse2(tokens).expect("it is a pattern");
        (whole, self.of_failure(failure, &TokenStream::new(), None))
    }

    /// What a callee failed with.
    pub(super) fn error_of(&self, failure: Var) -> Opaque {
        let refusal = Refusal {
            what: "a number in an error".into(),
            help: "return what has a derivative as the result".into(),
            callee: None,
        };
        self.of_failure(failure, &quote!(.unwrap()), Some(refusal))
    }

    /// Puts copies in the places that a callee is given a `&mut` to. Returned are these, each with the copy.
    pub(super) fn attempted(&mut self, args: &mut [ArgKind], span: Span) -> Vec<(Place, Var)> {
        let mut attempted = Vec::new();
        for arg in args {
            let ArgKind::Exclusive(place) = arg else { continue };
            let ty = self.type_of(place);
            let ty = self.types.shallow(&ty);
            if matches!(ty, Type::Slice(_)) {
                self.errors.report(
                    span,
                    "a call that takes a `&mut` to a slice and may fail is not supported here",
                    "fail with it, `f(&mut x)?`: what it changed before it failed could not be undone. Or hand it a list, \
                     `&mut Vec<f64>`; a reference that it only reads is passed as `&*r`",
                );
                continue;
            }
            let value = Expr::load(place.clone(), ty.clone(), span);
            let value = if ty.is_copy() { value } else { Expr::op(Op::Clone, vec![value], ty) };
            let copy = self.state("attempted", value);
            attempted.push((std::mem::replace(place, Place::var(copy)), copy));
        }
        attempted
    }

    /// Notes whether a callee has failed. What it has left in copies takes the places of what they are copies of.
    pub(super) fn note_outcome(
        &mut self,
        Caught { failure, succeeds }: Caught,
        attempted: Vec<(Place, Var)>,
        span: Span,
    ) {
        let test = self.of_failure(failure, &quote!(.is_none()), None);
        let test = Expr::new(ExprKind::Opaque(Rc::new(test)), Type::Bool, span);
        self.emit(StmtKind::Let { var: succeeds, value: Some(test) }, span);
        if attempted.is_empty() {
            return;
        }
        let then = self.in_block(|this| {
            for (place, copy) in &attempted {
                this.exchange(place.clone(), Place::var(*copy), span);
            }
        });
        let otherwise = self.in_block(|this| {
            for (place, copy) in attempted {
                let ty = this.type_of(&place);
                let left = this.left_by_failure(copy);
                let value = Expr::new(ExprKind::Opaque(Rc::new(left)), ty, span);
                this.emit(StmtKind::Assign { place, value }, span);
            }
        });
        let test = self.load(succeeds, span);
        self.emit(StmtKind::If { test, then, otherwise }, span);
        self.outcomes.insert(succeeds);
    }

    /// What a callee has left in a copy before it failed.
    fn left_by_failure(&self, copy: Var) -> Opaque {
        let refusal = Refusal {
            what: "what a function changed before it failed".into(),
            help: "where it has failed, use nothing that it was given a `&mut` to, or fail with it, `f(&mut x)?`".into(),
            callee: None,
        };
        let name = Ident::new(&self.body.vars[copy].name, Span::call_site());
        Opaque {
            reads: vec![copy],
            ..Self::about_failure(quote!(::core::clone::Clone::clone(&#name)), Some(refusal))
        }
    }

    /// Code about what a callee failed with.
    fn of_failure(&self, failure: Var, code: &TokenStream, refusal: Option<Refusal>) -> Opaque {
        let name = Ident::new(&self.body.vars[failure].name, Span::call_site());
        Opaque { reads: vec![failure], ..Self::about_failure(quote!(#name #code), refusal) }
    }

    fn about_failure(tokens: TokenStream, refusal: Option<Refusal>) -> Opaque {
        Opaque {
            tokens,
            reads: Vec::new(),
            writes: Vec::new(),
            declares: Vec::new(),
            class: Class::State,
            ending: Ending::Continues,
            calls_unknown: false,
            refusal,
        }
    }
}

/// Where what depends on the outcome of a call follows at once, what the callee has left takes its place there: so that the analyses see what
/// is used where it has failed, and what where it has not.
///
/// ```text
/// if succeeds { swap m, attempted } else { m = … }     if succeeds { swap m, attempted; u = … } else { m = …; return }
/// if succeeds { u = … } else { return }
/// ```
pub(super) fn join_outcomes(body: &mut Body, outcomes: &BitSet<Var>) {
    let empty = body.new_block(Vec::new());
    let mut block = std::mem::replace(&mut body.block, empty);
    join_in(&mut block, body, outcomes);
    body.block = block;
}

fn join_in(block: &mut Block, body: &Body, outcomes: &BitSet<Var>) {
    let is_joined = |stmts: &[Stmt], at: usize| {
        let of = outcome_of(&stmts[at], outcomes)?;
        let touched = touched_in(&stmts[at], body);
        let next = at
            + 1
            + stmts[at + 1..].iter().position(|stmt| !is_independent(stmt, body, &touched))?;
        (outcome_of(&stmts[next], outcomes)?.var == of.var).then_some(next)
    };
    for at in (0..block.stmts.len()).rev() {
        if let Some(next) = is_joined(&block.stmts, at) {
            let is_negated =
                outcome_of(&block.stmts[next], outcomes).is_some_and(|of| of.is_negated);
            let StmtKind::If { mut then, mut otherwise, .. } = block.stmts.remove(at).kind else {
                unreachable!("it tests an outcome")
            };
            if is_negated {
                std::mem::swap(&mut then, &mut otherwise);
            }
            let StmtKind::If { then: first, otherwise: second, .. } =
                &mut block.stmts[next - 1].kind
            else {
                unreachable!("it tests an outcome")
            };
            first.stmts.splice(0..0, then.stmts);
            second.stmts.splice(0..0, otherwise.stmts);
        }
    }
    for stmt in &mut block.stmts {
        each_block_mut(stmt, &mut |block| join_in(block, body, outcomes));
    }
}

/// The outcome that decides which branch is taken.
struct Outcome {
    var: Var,
    is_negated: bool,
}

fn outcome_of(stmt: &Stmt, outcomes: &BitSet<Var>) -> Option<Outcome> {
    let StmtKind::If { test, .. } = &stmt.kind else { return None };
    let (tested, is_negated) = match &test.kind {
        ExprKind::Op(Op::Unary(UnaryOp::Not), operands) => (operands.first()?, true),
        _ => (test, false),
    };
    let var = tested.as_var().filter(|var| outcomes.contains(*var))?;
    Some(Outcome { var, is_negated })
}

/// The variables that the branches of a statement mention; a reference to a part stands for the whole.
fn touched_in(stmt: &Stmt, body: &Body) -> BitSet<Var> {
    let mut touched = BitSet::new();
    each_block(stmt, &mut |block| {
        each_stmt(block, &mut |stmt| {
            each_place(stmt, &mut |place| touched.extend([body.root_of(place)]));
        });
    });
    touched
}

/// Whether a statement only names what a call has returned, and nothing that the call was given.
fn is_independent(stmt: &Stmt, body: &Body, touched: &BitSet<Var>) -> bool {
    match &stmt.kind {
        StmtKind::Let { var: _, value: None } => true,
        StmtKind::Let { var: _, value: Some(value) } => match value.as_var() {
            Some(var) => !touched.contains(body.root_of(&Place::var(var))),
            None => value.as_literal().is_some(),
        },
        _ => false,
    }
}
