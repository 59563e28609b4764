//! Choices: `if`, `if let`, `match`, `let … else`, `while let`, `matches!`. They become choices by truth
//! values, with what a pattern binds at the beginning of its branch.

use super::enums;
use super::optional_syntax::yields_optional;
use super::places::strip;
use super::subjects::{Subject, both, is_plain};
use super::variants::names_of;
use super::{Destination, Lowerer, Operand, macros};
use crate::index::Label;
use crate::ir::{Block, Ending, Expr, LoopKind, StmtKind, Target, completes, exits_of_block};
use crate::read::{choice_of_matches, looks_like_variable};
use crate::walk::visit::{self, Visit};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Pat;
use syn::spanned::Spanned;

/// An arm of a `match`, its guard apart.
struct Arm<'e> {
    pat: Pat,
    guard: Option<syn::Expr>,
    arm: &'e syn::Arm,
}

impl Arm<'_> {
    /// Where the names of the pattern are used.
    fn scope(&self) -> TokenStream {
        let (guard, body) = (self.guard.iter(), &self.arm.body);
        quote!(#(if #guard {})* #body)
    }
}

impl Lowerer<'_> {
    /// Whether a choice by patterns can be kept as it is.
    pub(super) fn can_stay(&self, expr: &syn::Expr) -> bool {
        self.is_inert(expr, leaves(expr)) && !yields_optional(expr)
    }

    /// `if condition { … } else { … }`
    pub(super) fn choice(&mut self, choice: &syn::ExprIf, destination: &Destination) {
        let span = choice.if_token.span();
        if let Some(selection) = selection_of(choice) {
            return self.selection(&selection, destination);
        }
        let mut conditions = Vec::new();
        if has_let(&choice.cond) {
            conditions_of(&choice.cond, &mut conditions);
        } else {
            conditions.push(&*choice.cond);
        }
        let otherwise = choice.else_branch.as_ref().map(|(_, otherwise)| &**otherwise);
        // Without names to bind, or with a single condition, one choice is enough.
        if let [condition] = conditions[..] {
            let after =
                |this: &mut Self| this.in_block(|this| this.otherwise(otherwise, destination));
            let then = choice.then_branch.to_token_stream();
            let has_else = otherwise.is_some();
            let (test, then) = self.conditional(condition, &then, has_else, |this| {
                this.block_into(&choice.then_branch, destination);
            });
            match test {
                Some(test) => {
                    let otherwise = after(self);
                    self.emit(StmtKind::If { test, then, otherwise }, span);
                }
                None => self.emit(StmtKind::Block { target: None, body: then }, span),
            }
            return;
        }
        let label = otherwise.map(|_| self.body.numbering.label());
        let body = self.in_block(|this| {
            this.nested_conditions(&conditions, choice, destination, label);
            this.otherwise(otherwise, destination);
        });
        self.emit_left(label, body, span);
    }

    /// A block that an exit leaves, if there is one.
    fn emit_left(&mut self, label: Option<Label>, body: Block, span: proc_macro2::Span) {
        let left = |label: &Label| exits_of_block(&body).iter().any(|exit| exit.0 == *label);
        let target = label.filter(left).map(|label| Target { label, exit: None });
        self.emit(StmtKind::Block { target, body }, span);
    }

    fn otherwise(&mut self, otherwise: Option<&syn::Expr>, destination: &Destination) {
        match otherwise {
            Some(syn::Expr::Block(block)) if block.label.is_none() => {
                self.block_into(&block.block, destination);
            }
            Some(other) => self.lower_into(other, destination),
            None => {}
        }
    }

    /// A condition, and what is done if it holds. `scope` is where the names that it binds are used.
    fn conditional(
        &mut self,
        condition: &syn::Expr,
        scope: &TokenStream,
        has_else: bool,
        lower: impl FnOnce(&mut Self),
    ) -> (Option<Expr>, Block) {
        match strip(condition) {
            syn::Expr::Let(condition) => {
                let start = self.out.len();
                let subject = self.refutable_subject(&condition.expr, &condition.pat);
                if has_else {
                    // They are dropped before `else`, or, up to the edition of 2021, after it.
                    self.prove_unnoticed(start);
                }
                let test = self.pattern_test(&condition.pat, &subject);
                let then = self.in_block(|this| {
                    this.bind_pattern(&condition.pat, &subject, Some(scope));
                    lower(this);
                });
                (test, then)
            }
            other => {
                let test = self.truth_value(other);
                (Some(test), self.in_block(lower))
            }
        }
    }

    /// `a && let P = b && …`: each condition is evaluated if the ones before hold.
    fn nested_conditions(
        &mut self,
        conditions: &[&syn::Expr],
        choice: &syn::ExprIf,
        destination: &Destination,
        label: Option<Label>,
    ) {
        let span = choice.if_token.span();
        let Some((condition, rest)) = conditions.split_first() else {
            let body = self.in_block(|this| this.block_into(&choice.then_branch, destination));
            self.emit_and_leave(body, label, span);
            return;
        };
        let then = &choice.then_branch;
        let scope = quote!(#(let _ = #rest;)* #then);
        let has_else = choice.else_branch.is_some();
        let (test, then) = self.conditional(condition, &scope, has_else, |this| {
            this.nested_conditions(rest, choice, destination, label);
        });
        self.emit_if(test, then, span);
    }

    fn emit_and_leave(&mut self, body: Block, label: Option<Label>, span: proc_macro2::Span) {
        let goes_on = completes(&body);
        self.emit(StmtKind::Block { target: None, body }, span);
        if let Some(label) = label.filter(|_| goes_on) {
            self.emit(StmtKind::Exit { label, code: 0 }, span);
        }
    }

    fn emit_if(&mut self, test: Option<Expr>, then: Block, span: proc_macro2::Span) {
        let otherwise = self.body.new_block(Vec::new());
        match test {
            Some(test) => self.emit(StmtKind::If { test, then, otherwise }, span),
            None => self.emit(StmtKind::Block { target: None, body: then }, span),
        }
    }

    /// `match`: a chain of choices.
    pub(super) fn selection(&mut self, choice: &syn::ExprMatch, destination: &Destination) {
        let span = choice.match_token.span();
        let pats: Vec<&Pat> = choice.arms.iter().map(|arm| &arm.pat).collect();
        let mut subject = self.subject(&choice.expr, &pats);
        let has_effects = |arm: &syn::Arm| match &arm.pat {
            Pat::Guard(guarded) => self.body_has_effects(&guarded.guard),
            _ => false,
        };
        if choice.arms.iter().any(has_effects) {
            // Where it is was found out before the guards.
            subject.each_place(&mut |place| *place = self.capture(place.clone(), "subject"));
        }
        let is_verbatim = matches!(subject, Subject::Verbatim(_));
        let arms: Vec<Arm<'_>> =
            choice.arms.iter().flat_map(|arm| arms_of(arm, is_verbatim)).collect();
        let label = self.body.numbering.label();
        let chain = self.arms(&arms, &subject, destination, label);
        if exits_of_block(&chain).iter().any(|exit| exit.0 == label) {
            self.emit_left(Some(label), chain, span);
        } else {
            self.out.extend(chain.stmts);
        }
    }

    fn arms(
        &mut self,
        arms: &[Arm<'_>],
        subject: &Subject,
        destination: &Destination,
        label: Label,
    ) -> Block {
        let Some((arm, rest)) = arms.split_first() else {
            return self.body.new_block(Vec::new());
        };
        self.requests(&arm.arm.attrs);
        self.in_block(|this| {
            this.scopes.push(super::Scope::default());
            let guard = arm.guard.as_ref();
            // A number has its name also in the guard, which then is a part of the test.
            let is_named = guard.is_some() && this.name_selector(&arm.pat, subject);
            // Of the arms of an enum, the last one matches if none of the others does.
            let is_last = rest.is_empty() && guard.is_none();
            let mut test = match subject {
                Subject::Verbatim(_) if is_last => None,
                subject => this.pattern_test(&arm.pat, subject),
            };
            let mut apart = guard.filter(|_| !is_named);
            if let Some(guard) = guard.filter(|_| is_named) {
                let outer = std::mem::take(&mut this.out);
                let holds = this.truth_value(guard);
                let effects = std::mem::replace(&mut this.out, outer);
                if effects.is_empty() {
                    test = both(test, Some(holds));
                } else {
                    apart = Some(guard);
                }
            }
            match apart {
                None => this.plain_arm(arm, rest, test, subject, destination, label),
                Some(guard) => {
                    this.guarded_arm(arm, guard, test, subject, destination, label);
                    this.scopes.pop();
                    let rest = this.arms(rest, subject, destination, label);
                    this.out.extend(rest.stmts);
                    this.scopes.push(super::Scope::default());
                }
            }
            this.scopes.pop();
        })
    }

    fn plain_arm(
        &mut self,
        arm: &Arm<'_>,
        rest: &[Arm<'_>],
        test: Option<Expr>,
        subject: &Subject,
        destination: &Destination,
        label: Label,
    ) {
        let span = arm.pat.span();
        let then = self.in_block(|this| {
            if !this.name_selector(&arm.pat, subject) {
                this.bind_pattern(&arm.pat, subject, Some(&arm.scope()));
            }
            this.lower_into(&arm.arm.body, destination);
        });
        match test {
            Some(test) if !rest.is_empty() => {
                let names = self.scopes.pop();
                let otherwise = self.arms(rest, subject, destination, label);
                self.scopes.extend(names);
                self.emit(StmtKind::If { test, then, otherwise }, span);
            }
            // One of the arms matches, and it is none of those before.
            _ => self.emit(StmtKind::Block { target: None, body: then }, span),
        }
    }

    /// An arm whose guard sees what the pattern binds: if it holds, the others are left out.
    fn guarded_arm(
        &mut self,
        arm: &Arm<'_>,
        guard: &syn::Expr,
        test: Option<Expr>,
        subject: &Subject,
        destination: &Destination,
        label: Label,
    ) {
        let span = arm.pat.span();
        // What is moved out of the value is not moved before the guard has held.
        let lent = self.lent_subject(subject);
        let then = self.in_block(|this| {
            this.bind_pattern(&arm.pat, lent.as_ref().unwrap_or(subject), Some(&arm.scope()));
            let holds = this.truth_value(guard);
            let body = this.in_block(|this| {
                let body = this.in_block(|this| {
                    if lent.is_some() {
                        this.bind_pattern(&arm.pat, subject, Some(&arm.scope()));
                    }
                    this.lower_into(&arm.arm.body, destination);
                });
                this.emit_and_leave(body, Some(label), span);
            });
            this.emit_if(Some(holds), body, span);
        });
        self.emit_if(test, then, span);
    }

    /// Gives the variable that is compared the name that a pattern has for it.
    fn name_selector(&mut self, pat: &Pat, subject: &Subject) -> bool {
        if names_of(pat).is_empty() {
            return true;
        }
        let Some(var) = subject.as_selector() else { return false };
        match pat {
            Pat::Ident(ident)
                if ident.subpat.is_none()
                    && ident.by_ref.is_none()
                    && ident.mutability.is_none()
                    && !self.is_user_variable(var) =>
            {
                self.bind(&ident.ident.to_string(), var);
                true
            }
            Pat::Paren(inner) => self.name_selector(&inner.pat, subject),
            _ => false,
        }
    }

    /// `let pattern = value else { … };`
    pub(super) fn let_else(
        &mut self,
        local: &syn::Local,
        passive: Option<Expr>,
        init: &syn::LocalInit,
        diverge: &syn::Expr,
    ) {
        let span = local.let_token.span();
        let pat = &local.pat;
        let start = self.out.len();
        let subject = match passive {
            Some(value) => Subject::Verbatim(self.verbatim_operand(&Operand::Value(value))),
            None => self.refutable_subject(&init.expr, pat),
        };
        if self.body_is_noticed(diverge) && !panics(diverge) {
            // The temporaries are dropped before `else`.
            self.prove_unnoticed(start);
        }
        if let Some(test) = self.pattern_test(pat, &subject) {
            let then = self.in_block(|this| this.lower_into(diverge, &Destination::Discard));
            self.emit_if(Some(Expr::negated(test)), then, span);
        }
        self.bind_pattern(pat, &subject, None);
    }

    /// `while let pattern = value { … }`, also with other conditions.
    pub(super) fn while_let(&mut self, repetition: &syn::ExprWhile) {
        let span = repetition.while_token.span();
        let mut conditions = Vec::new();
        conditions_of(&repetition.cond, &mut conditions);
        let label = self.body.numbering.label();
        let outer = std::mem::take(&mut self.out);
        self.scopes.push(super::Scope::default());
        let then = &repetition.body;
        for (position, condition) in conditions.iter().enumerate() {
            let rest = &conditions[position + 1..];
            let scope = quote!(#(let _ = #rest;)* #then);
            let leave = |this: &mut Self, test: Option<Expr>| {
                if let Some(test) = test {
                    let then = this.in_block(|this| {
                        this.emit(StmtKind::Exit { label, code: 0 }, span);
                    });
                    this.emit_if(Some(Expr::negated(test)), then, span);
                }
            };
            if let syn::Expr::Let(condition) = strip(condition) {
                let subject = self.refutable_subject(&condition.expr, &condition.pat);
                let test = self.pattern_test(&condition.pat, &subject);
                leave(self, test);
                self.bind_pattern(&condition.pat, &subject, Some(&scope));
            } else {
                let test = self.truth_value(condition);
                leave(self, Some(test));
            }
        }
        let head = std::mem::replace(&mut self.out, outer);
        let name = repetition.label.as_ref();
        let mut body = self.iteration(name, label, &Destination::Discard, |this| {
            this.block_into(&repetition.body, &Destination::Discard);
        });
        self.scopes.pop();
        // What the pattern binds belongs to each iteration.
        body.stmts.splice(0..0, head);
        self.emit_loop(label, LoopKind::Forever, body, span);
    }

    /// `matches!(value, pattern if guard)`, as a `match`.
    pub(super) fn matches_macro(&mut self, mac: &syn::Macro) -> Option<Expr> {
        let mut choice = choice_of_matches(mac)?;
        if !enums::write_variants(&mut choice, &self.options.declared) {
            return None;
        }
        if self.can_stay(&syn::Expr::Match(choice.clone())) {
            return None;
        }
        let span = mac.span();
        let ty = crate::types::Type::Bool;
        let var = self.body.local("matches", ty, span);
        self.emit(StmtKind::Let { var, value: None }, span);
        let destination = Destination::Place(crate::ir::Place::var(var));
        self.selection(&choice, &destination);
        Some(self.load(var, span))
    }
}

/// Whether a block is a panic and nothing else.
fn panics(block: &syn::Expr) -> bool {
    let syn::Expr::Block(block) = strip(block) else { return false };
    match block.block.stmts.as_slice() {
        [syn::Stmt::Macro(panic)] => {
            macros::ending(&macros::name_of(&panic.mac)) == Ending::Diverges
        }
        _ => false,
    }
}

/// `if let A(x) | B(x) = place { … }` of variants that are taken apart: each binds the names in its own way, as the arms of a `match` do.
fn selection_of(choice: &syn::ExprIf) -> Option<syn::ExprMatch> {
    let syn::Expr::Let(condition) = strip(&choice.cond) else { return None };
    let syn::ExprLet { pat, expr, .. } = condition;
    let cases = alternatives(pat);
    let are_variants = cases.len() > 1 && cases.iter().any(enums::is_variant);
    if !are_variants || names_of(pat).is_empty() || !super::variants::is_place(expr) {
        return None;
    }
    let then = &choice.then_branch;
    let otherwise = choice.else_branch.as_ref().map(|(_, otherwise)| otherwise);
    let otherwise = otherwise.map_or_else(|| quote!({}), |otherwise| quote!(#otherwise));
    Some(syn::parse_quote!(match #expr { #pat => #then _ => #otherwise }))
}

/// Whether a condition binds names.
pub(super) fn has_let(cond: &syn::Expr) -> bool {
    match strip(cond) {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// The conditions that must hold all, in order.
fn conditions_of<'e>(cond: &'e syn::Expr, conditions: &mut Vec<&'e syn::Expr>) {
    match strip(cond) {
        syn::Expr::Binary(binary) if matches!(binary.op, syn::BinOp::And(_)) && has_let(cond) => {
            conditions_of(&binary.left, conditions);
            conditions_of(&binary.right, conditions);
        }
        other => conditions.push(other),
    }
}

/// Whether all patterns are about integers and truth values.
pub(super) fn is_on_numbers(choice: &syn::ExprMatch) -> bool {
    choice.arms.iter().all(|arm| is_number(&arm.pat))
}

fn is_number(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) => true,
        Pat::Ident(pat) => {
            pat.by_ref.is_none() && pat.subpat.is_none() && looks_like_variable(&pat.ident)
        }
        Pat::Lit(_) | Pat::Range(_) | Pat::Path(_) => is_plain(pat),
        Pat::Or(or) => or.cases.iter().all(is_number),
        Pat::Paren(inner) => is_number(&inner.pat),
        Pat::Guard(guarded) => is_number(&guarded.pat),
        _ => false,
    }
}

/// The arms that an arm stands for: one for each alternative, if they bind names that must be told
/// apart.
fn arms_of(arm: &syn::Arm, is_verbatim: bool) -> Vec<Arm<'_>> {
    let (pat, guard) = match &arm.pat {
        Pat::Guard(guarded) => (&*guarded.pat, Some((*guarded.guard).clone())),
        pat => (pat, None),
    };
    let has_names = !names_of(pat).is_empty();
    let apart = has_names && (guard.is_some() || !is_verbatim);
    let pats = if apart { alternatives(pat) } else { vec![pat.clone()] };
    pats.into_iter().map(|pat| Arm { pat, guard: guard.clone(), arm }).collect()
}

/// The patterns without alternatives that a pattern stands for.
fn alternatives(pat: &Pat) -> Vec<Pat> {
    let of_list = |elems: Vec<&Pat>| {
        let mut lists: Vec<Vec<Pat>> = vec![Vec::new()];
        for elem in elems {
            let cases = alternatives(elem);
            lists = lists
                .iter()
                .flat_map(|list| {
                    cases.iter().map(|case| {
                        let mut list = list.clone();
                        list.push(case.clone());
                        list
                    })
                })
                .collect();
        }
        lists
    };
    match pat {
        Pat::Or(or) => or.cases.iter().flat_map(alternatives).collect(),
        Pat::Paren(inner) => alternatives(&inner.pat),
        Pat::Reference(inner) => {
            let cases = alternatives(&inner.pat).into_iter();
            cases
                .map(|case| {
                    Pat::Reference(syn::PatReference { pat: Box::new(case), ..inner.clone() })
                })
                .collect()
        }
        Pat::Tuple(tuple) => {
            let lists = of_list(tuple.elems.iter().collect()).into_iter();
            lists
                .map(|list| {
                    let elems = list.into_iter().collect();
                    let mut tuple = syn::PatTuple { elems, ..tuple.clone() };
                    if tuple.elems.len() == 1 {
                        tuple.elems.push_punct(syn::token::Comma::default());
                    }
                    Pat::Tuple(tuple)
                })
                .collect()
        }
        Pat::Struct(inner) => {
            let pats = inner.fields.iter().map(|field| &*field.pat).collect();
            let lists = of_list(pats).into_iter();
            lists
                .map(|list| {
                    let mut inner = inner.clone();
                    for (field, pat) in inner.fields.iter_mut().zip(list) {
                        // What has another name than the field has it written.
                        *field.pat = pat;
                    }
                    Pat::Struct(inner)
                })
                .collect()
        }
        Pat::TupleStruct(inner) => {
            let lists = of_list(inner.elems.iter().collect()).into_iter();
            lists
                .map(|list| {
                    let elems = list.into_iter().collect();
                    Pat::TupleStruct(syn::PatTupleStruct { elems, ..inner.clone() })
                })
                .collect()
        }
        pat => vec![pat.clone()],
    }
}

/// Whether control may leave code other than by its end.
pub(super) fn leaves(expr: &syn::Expr) -> bool {
    struct Exits(bool);
    impl<'ast> Visit<'ast> for Exits {
        fn visit_expr_return(&mut self, _: &'ast syn::ExprReturn) {
            self.0 = true;
        }
        fn visit_expr_break(&mut self, _: &'ast syn::ExprBreak) {
            self.0 = true;
        }
        fn visit_expr_continue(&mut self, _: &'ast syn::ExprContinue) {
            self.0 = true;
        }
        fn visit_expr_try(&mut self, _: &'ast syn::ExprTry) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut exits = Exits(false);
    visit::visit_expr(&mut exits, expr);
    exits.0
}
