//! Attributes inside of a function: `#[checkpoint]`, `#[split]`, `#[passive]`.
//!
//! syn hangs an attribute on the leftmost operand (`#[passive] y = e` on `y`); an assignment is what
//! the user means.

use super::{Destination, Lowerer, Operand};
use crate::index::{Label, Var};
use crate::ir::{CallMode, Expr, StmtKind, Target};
use crate::read::{PASSIVE, attributes_of, without_attributes};
use crate::types::Type;
use crate::walk::visit::Visit;
use proc_macro2::{Ident, Span};
use std::collections::BTreeMap;
use syn::spanned::Spanned;
use syn::{Attribute, FnArg, Signature};

/// What attributes on an expression or statement ask for.
#[derive(Clone, Copy, Default)]
pub(super) struct Requests {
    /// `#[checkpoint]` or `#[split]`, and where.
    pub(super) mode: Option<(CallMode, Span)>,
    /// `#[passive]`
    pub(super) passive: bool,
    /// The mark of a checkpointed block or loop: which one it is.
    pub(super) site: Option<usize>,
}

/// The mark of a checkpointed block or loop.
pub const SITE: &str = "__checkpointed";

/// A checkpointed block or loop, and what names mean there.
#[derive(Clone, Debug)]
pub struct Site {
    /// Which one it is.
    pub position: usize,
    /// Its label.
    pub label: Label,
    /// The names in scope before it, and the variables they stand for, if they stand for variables.
    pub names: Vec<(String, Option<Var>)>,
}

impl Lowerer<'_> {
    /// Whether an expression carries attributes of its own.
    pub(super) fn has_attributes(&self, expr: &syn::Expr) -> bool {
        !attributes_of(expr).is_empty()
    }

    /// The value of an expression with attributes.
    pub(super) fn attributed_value(&mut self, expr: &syn::Expr) -> Expr {
        let requests = self.requests(attributes_of(expr));
        let bare = without_attributes(expr);
        if requests.passive {
            return self.passive_value(&bare);
        }
        self.with_mode(requests.mode, |this| this.value(&bare))
    }

    /// What an expression marked `#[passive]` denotes. A reference refers to a copy.
    pub(super) fn passive_operand(&mut self, expr: &syn::Expr) -> Option<Operand> {
        self.requests(attributes_of(expr));
        let bare = without_attributes(expr);
        let denoted = self.glimpse(|this| {
            let operand = this.operand(&bare)?;
            let ty = match &operand {
                Operand::Value(value) => value.ty.clone(),
                Operand::Reference { place, .. } => this.type_of(place),
            };
            Some((operand, this.types.known(&ty)))
        });
        let (copied, ty) = match denoted {
            Some((Operand::Reference { mutable: true, span, .. }, _)) => {
                self.errors.report(
                    span,
                    "`#[passive]` on a `&mut` is not supported",
                    "pass a copy: `let mut copy = (#[passive] x); f(&mut copy)`",
                );
                return Some(Operand::Value(self.passive_value(&bare)));
            }
            Some((Operand::Reference { mutable: false, .. }, ty)) => {
                let ty = match ty {
                    Type::Slice(element) => Type::Vec(element),
                    ty => ty,
                };
                (syn::parse_quote!(::std::borrow::ToOwned::to_owned(#bare)), ty)
            }
            Some((Operand::Value(_), ty)) => {
                let passive = self.passive_value(&bare);
                self.types.unify(&passive.ty, &ty);
                return Some(Operand::Value(passive));
            }
            None => return Some(Operand::Value(self.passive_value(&bare))),
        };
        let copy = self.passive_value(&copied);
        self.types.unify(&copy.ty, &ty);
        let (place, span) = (copy.as_place().cloned()?, bare.span());
        Some(Operand::Reference { place, mutable: false, span })
    }

    /// `#[passive]` that no expression or statement has taken notice of.
    pub(super) fn refuse_overlooked_marks(&self, block: &syn::Block) {
        struct Marks<'l, 'a>(&'l Lowerer<'a>);
        impl<'ast> Visit<'ast> for Marks<'_, '_> {
            // `(#[checkpoint] g)(x)`: nobody asks for the attributes of what is called.
            fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
                let mut function = &*call.func;
                while let syn::Expr::Paren(inner) = function {
                    function = &inner.expr;
                }
                let is_mode = |attr: &&Attribute| {
                    attr.path().is_ident("checkpoint") || attr.path().is_ident("split")
                };
                attributes_of(function).iter().filter(is_mode).for_each(|attr| {
                    self.0.errors.report(
                        attr.meta.span(),
                        "an attribute of what is called is not supported here",
                        "write it before the call",
                    );
                });
                crate::walk::visit::visit_expr_call(self, call);
            }

            fn visit_attribute(&mut self, attr: &'ast Attribute) {
                if is_marked(attr)
                    && number_of(attr).is_none_or(|mark| !self.0.honoured.contains(&mark))
                {
                    self.0.errors.report(
                        attr.span(),
                        "`#[passive]` is not supported here",
                        "mark a value, and put it in parentheses: `(#[passive] g(x))`",
                    );
                }
            }
        }
        Marks(self).visit_block(block);
    }

    /// Reads the attributes; those that are not understood are reported.
    pub(super) fn requests(&mut self, attrs: &[Attribute]) -> Requests {
        let mut requests = Requests::default();
        for attr in attrs {
            let name = attr.path().segments.last().map(|segment| segment.ident.to_string());
            let span = attr.meta.span();
            if changes_nothing(attr) {
                continue;
            }
            match name.as_deref() {
                Some("checkpoint") if attr.meta.require_path_only().is_ok() => {
                    self.request_mode(&mut requests, CallMode::Joint, span);
                }
                Some("split") if attr.meta.require_path_only().is_ok() => {
                    self.request_mode(&mut requests, CallMode::Split, span);
                }
                Some(PASSIVE) => {
                    self.honoured.extend(number_of(attr));
                    requests.passive = true;
                }
                Some(SITE) => {
                    requests.site = number_of(attr);
                }
                Some(name @ ("checkpoint" | "fixed_point" | "independent" | "repeatable")) => {
                    self.errors.report(
                        span,
                        format!("`#[{name}]` is not supported here yet"),
                        "leave it out: the derivatives are the same",
                    );
                }
                Some("cfg") => self.errors.report(
                    span,
                    "`#[cfg]` inside of a method that is annotated alone is not evaluated",
                    "annotate the `impl` block, or write `if cfg!(…) { … }`",
                ),
                _ => self.errors.report(
                    span,
                    "this attribute is not supported inside of an annotated function",
                    "remove it, or move the statement to a function of its own",
                ),
            }
        }
        requests
    }

    /// A call is in one mode.
    fn request_mode(&self, requests: &mut Requests, mode: CallMode, span: Span) {
        if requests.mode.replace((mode, span)).is_some() {
            self.refuse_second_mode(span);
        }
    }

    fn refuse_second_mode(&self, span: Span) {
        self.errors.report(
            span,
            "there is a mode of this call already",
            "a call has `#[checkpoint]` or `#[split]`, of its own or of the statement it is in: leave one out",
        );
    }

    /// Lowers a checkpointed block or loop like any other, and remembers what names mean there.
    pub(super) fn checkpointed(&mut self, position: usize, marked: &syn::Expr) {
        let mut names: BTreeMap<String, Option<Var>> = BTreeMap::new();
        for (name, &var) in self.scopes.iter().flat_map(|scope| scope.iter()) {
            let is_plain = !self.closures.contains_key(&var)
                && !self.optionals.contains_key(&var)
                && !self.iterators.contains_key(&var)
                && !self.rebound.contains_key(&var)
                && !self.aliases.contains_key(&var)
                && !self.twofold.contains(var);
            names.insert(name.clone(), is_plain.then_some(var));
        }
        let label = match marked {
            syn::Expr::Block(_) => {
                let target = Target { label: self.body.numbering.label(), exit: None };
                let label = target.label;
                let body = self.in_block(|this| this.lower_into(marked, &Destination::Discard));
                self.emit(StmtKind::Block { target: Some(target), body }, marked.span());
                label
            }
            repetition => {
                self.lower_into(repetition, &Destination::Discard);
                let last = self.out.last().map(|stmt| &stmt.kind);
                let Some(StmtKind::Loop(inner)) = last else { return };
                inner.target.label
            }
        };
        self.sites.push(Site { position, label, names: names.into_iter().collect() });
    }

    /// Lowers with the mode of calls that an attribute asked for. If there is no call, the attribute
    /// is reported.
    pub(super) fn with_mode<R>(
        &mut self,
        mode: Option<(CallMode, Span)>,
        lower: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let Some((mode, span)) = mode else { return lower(self) };
        if self.is_in_mode {
            self.refuse_second_mode(span);
        }
        let around = std::mem::replace(&mut self.is_in_mode, true);
        let before = self.out.len();
        let result = lower(self);
        self.is_in_mode = around;
        let mut calls = 0;
        for stmt in &mut self.out[before..] {
            if let StmtKind::Call(call) = &mut stmt.kind {
                call.mode = mode;
                calls += 1;
            }
        }
        if calls == 0 {
            self.errors.report(
                span,
                "there is no call here whose mode could be chosen",
                "`#[checkpoint]` and `#[split]` are supported on calls of annotated functions, \
                 `#[checkpoint]` on blocks that are statements, `#[checkpoint(snapshots = n)]` on \
                 loops",
            );
        }
        result
    }
}

/// Whether an attribute speaks to the compiler, lints or tools, and means nothing for what is computed.
fn changes_nothing(attr: &Attribute) -> bool {
    const SPEAKING: [&str; 14] = [
        "allow",
        "warn",
        "deny",
        "forbid",
        "expect",
        "doc",
        "inline",
        "cold",
        "must_use",
        "deprecated",
        "track_caller",
        "rustfmt",
        "clippy",
        "diagnostic",
    ];
    attr.path()
        .segments
        .first()
        .is_some_and(|first| SPEAKING.iter().any(|name| first.ident == name))
}

/// Whether an attribute is `#[passive]`, as it was read.
fn is_marked(attr: &Attribute) -> bool {
    attr.path().is_ident(PASSIVE)
}

/// Whether an expression itself is marked `#[passive]`.
pub(super) fn is_marked_passive(expr: &syn::Expr) -> bool {
    attributes_of(expr).iter().any(is_marked)
}

/// Which of its kind an attribute is.
fn number_of(attr: &Attribute) -> Option<usize> {
    attr.parse_args::<syn::LitInt>().ok()?.base10_parse().ok()
}

/// The parameters marked `#[passive]`.
pub(super) fn passive_parameters(sig: &Signature) -> Vec<Ident> {
    let is_passive = |attr: &Attribute| attr.path().is_ident("passive");
    let marked = sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(param) if param.attrs.iter().any(is_passive) => Some(&*param.pat),
        FnArg::Typed(_) | FnArg::Receiver(_) => None,
    });
    marked.filter_map(super::signature::name_bound_by).collect()
}
