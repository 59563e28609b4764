//! `Option`s and `Result`s in parts: whether there is a payload, and the payload, which carries
//! derivatives like any other value. What is there instead of it carries none.
//!
//! ```text
//! let mut best = None;                    let best_is_some = false; let best_payload = 0.0;
//! best = Some(x);                         best_payload = x; best_is_some = true;
//! if let Some(b) = best { … }             if best_is_some { let b = best_payload; … }
//! ```

use super::choices::leaves;
use super::items::Item;
use super::optional_syntax::{
    constructor, is_name, is_none, is_taken_apart, mentions_error, names, yields_optional,
};
use super::places::strip;
use super::subjects::Subject;
use super::temporaries::Unparted;
use super::{Destination, Lowerer, Operand};
use crate::index::Var;
use crate::ir::{Binding, Expr, ExprKind, Op, Opaque, Place, StmtKind, places_in};
use crate::read::{attributes_of, looks_like_variable, without_attributes};
use crate::types::Type;
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote};
use syn::Pat;
use syn::spanned::Spanned;

/// An `Option` or a `Result`.
#[derive(Clone)]
pub(super) struct Optional {
    /// Whether there is a payload.
    pub(super) some: Expr,
    /// The payload, not to be touched if there is none.
    pub(super) payload: Item,
    /// What there is otherwise.
    pub(super) failure: Failure,
}

/// What there is instead of a payload.
#[derive(Clone)]
pub(super) enum Failure {
    /// `None`, or an error that is of no interest any more.
    None,
    /// An error, by code that computes it.
    Code(Opaque),
    /// What a callee failed with, `()` if that is `None`, in a variable.
    Of(Var),
    /// One of several errors: which one is not kept.
    Lost,
}

/// The variables that make up an `Option`.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) some: Var,
    pub(super) payload: Var,
}

impl Optional {
    /// Whether a variable is a part of it, or refers to one.
    pub(super) fn mentions(&self, var: Var) -> bool {
        let fails_with = match &self.failure {
            Failure::None | Failure::Lost => false,
            Failure::Of(failure) => *failure == var,
            Failure::Code(code) => code.reads.contains(&var),
        };
        let mut found = fails_with;
        places_in(&self.some, &mut |place| found |= place.root == var);
        found || self.payload.mentions(var)
    }
}

impl Lowerer<'_> {
    /// The parts of an `Option` or `Result`, if they are known.
    pub(super) fn optional(&mut self, expr: &syn::Expr) -> Option<Optional> {
        if self.has_attributes(expr) {
            return self.attributed_optional(expr);
        }
        if let Some(optional) = self.converted_optional(expr) {
            return Some(optional);
        }
        self.attempt("an `Option` or a `Result`", |this| match strip(expr) {
            syn::Expr::Path(path) => this.optional_path(path).or_else(|| this.optional_place(expr)),
            syn::Expr::Field(_) | syn::Expr::Index(_) | syn::Expr::Unary(_) => {
                this.optional_place(expr)
            }
            syn::Expr::Call(call) => this.optional_call(call),
            syn::Expr::Reference(reference) => {
                let optional = this.optional(&reference.expr);
                optional.map(|optional| this.lent(optional, reference.mutability.is_some()))
            }
            syn::Expr::MethodCall(call) => {
                this.optional_method(call).or_else(|| this.caught_method(call))
            }
            bare if this.is_structured(bare) && yields_optional(bare) => {
                Some(this.optional_of_control(bare))
            }
            _ => None,
        })
    }

    /// The value of branches and blocks.
    fn optional_of_control(&mut self, expr: &syn::Expr) -> Optional {
        let parts = self.new_parts("value", expr.span());
        self.lower_into(expr, &Destination::Optional(parts));
        let failure = if mentions_error(expr) { Failure::Lost } else { Failure::None };
        Optional { failure, ..self.optional_of(parts, expr.span()) }
    }

    fn attributed_optional(&mut self, expr: &syn::Expr) -> Option<Optional> {
        let bare = without_attributes(expr);
        if !matches!(strip(&bare), syn::Expr::Call(_)) {
            return None;
        }
        let requests = self.requests(attributes_of(expr));
        if requests.passive {
            return None;
        }
        self.with_mode(requests.mode, |this| this.optional(&bare))
    }

    fn optional_path(&mut self, path: &syn::ExprPath) -> Option<Optional> {
        let span = path.span();
        if let Some(ident) = path.path.get_ident()
            && let Some(var) = self.find(&ident.to_string())
        {
            return self.optionals.get(&var).cloned();
        }
        names(&path.path, &["None"]).then(|| Optional {
            some: Expr::literal("false", Type::Bool),
            payload: Item::unit(span),
            failure: Failure::None,
        })
    }

    /// `Some(e)`, `Ok(e)`, `Err(e)`.
    fn optional_call(&mut self, call: &syn::ExprCall) -> Option<Optional> {
        let span = call.span();
        let Some(name) = constructor(call) else {
            return self.closure_optional(call).or_else(|| self.caught_call(call));
        };
        let [arg] = call.args.iter().collect::<Vec<_>>()[..] else { return None };
        if name == "Err" {
            let error = self.verbatim_cut(arg);
            return Some(Optional {
                some: Expr::literal("false", Type::Bool),
                payload: Item::unit(span),
                failure: Failure::Code(error),
            });
        }
        let item = self.item_of(arg);
        let payload = self.fixed(item);
        let some = Expr::literal("true", Type::Bool);
        Some(Optional { some, payload, failure: Failure::None })
    }

    /// What a local closure returns.
    fn closure_optional(&mut self, call: &syn::ExprCall) -> Option<Optional> {
        let syn::Expr::Path(path) = strip(&call.func) else { return None };
        self.closure_named(path)?;
        let function = self.function(&call.func, call.args.len())?;
        if leaves(function.body()) {
            return None;
        }
        let span = call.span();
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        let args = self.items_of(&args);
        let parts = self.new_parts("value", span);
        let failure = if mentions_error(function.body()) { Failure::Lost } else { Failure::None };
        self.inline_with(&function, args, |this, body| {
            this.lower_into(body, &Destination::Optional(parts));
            Item::unit(span)
        });
        Some(Optional { failure, ..self.optional_of(parts, span) })
    }

    /// What a reference to an `Option` gives access to.
    pub(super) fn lent(&mut self, optional: Optional, mutable: bool) -> Optional {
        let payload = match optional.payload {
            Item::Operand(Operand::Value(value)) if value.as_place().is_some() => {
                let (place, span) = (value.as_place().expect("just seen").clone(), value.span);
                Item::Operand(Operand::Reference { place, mutable, span })
            }
            payload @ (Item::Operand(_) | Item::Tuple(_) | Item::Lent(_)) if mutable => payload,
            // Patterns refer to its parts.
            payload @ (Item::Operand(Operand::Value(_)) | Item::Tuple(_)) => {
                Item::Lent(Box::new(payload))
            }
            payload @ (Item::Operand(Operand::Reference { .. }) | Item::Lent(_)) => payload,
        };
        Optional { payload, ..optional }
    }

    /// The `Option` that a reference to one is of: what a pattern behind `&` binds is no reference.
    fn referent_of(&mut self, optional: Optional) -> Optional {
        let payload = match optional.payload {
            Item::Operand(operand) => Item::value(self.value_of(operand)),
            Item::Lent(item) => *item,
            Item::Tuple(parts) => Item::Tuple(parts),
        };
        Optional { payload, ..optional }
    }

    /// Variables for an `Option` that is none.
    pub(super) fn new_parts(&mut self, name: &str, span: Span) -> Parts {
        let none = Expr { span, ..Expr::literal("false", Type::Bool) };
        let some = self.name_value(&format!("{name}_is_some"), none);
        let ty = self.types.fresh();
        let nothing = Expr::new(ExprKind::Op(Op::Placeholder, Vec::new()), ty, span);
        let payload = self.name_value(&format!("{name}_payload"), nothing);
        self.mutable.insert(some);
        self.mutable.insert(payload);
        Parts { some, payload }
    }

    pub(super) fn optional_of(&mut self, parts: Parts, span: Span) -> Optional {
        Optional {
            some: self.load(parts.some, span),
            payload: Item::value(self.load(parts.payload, span)),
            failure: Failure::None,
        }
    }

    /// Evaluates an `Option` into variables.
    pub(super) fn optional_into(&mut self, expr: &syn::Expr, parts: Parts) {
        let optional = match self.optional(expr) {
            Some(optional) => optional,
            None => self.verbatim_optional(expr),
        };
        self.store_optional(optional, parts, expr.span());
    }

    pub(super) fn store_optional(&mut self, optional: Optional, parts: Parts, span: Span) {
        let some = optional.some.clone();
        let payload = Place::var(parts.payload);
        match some.as_literal().map(|text| &**text) {
            Some("false") => {}
            Some(_) => {
                let value = self.item_value(optional.payload);
                self.assign(payload, value, span);
            }
            None => self.only_if(some.clone(), span, |this| {
                let value = this.item_value(optional.payload);
                this.assign(payload, value, span);
            }),
        }
        self.assign(Place::var(parts.some), some, span);
    }

    /// The value of verbatim code, in parts; its payload carries no derivative.
    pub(super) fn verbatim_optional(&mut self, expr: &syn::Expr) -> Optional {
        let span = expr.span();
        let value = self.opaque_value(expr);
        let whole = self.verbatim_operand(&Operand::Value(value));
        let name = &whole.tokens;
        let some = Opaque { tokens: quote!(#name.is_some()), ..whole.clone() };
        let refusal = Some(super::fence::refusal(expr));
        let payload = Opaque { tokens: quote!(#name.unwrap()), refusal, ..whole.clone() };
        let of = |opaque, ty| Expr::new(ExprKind::Opaque(std::rc::Rc::new(opaque)), ty, span);
        let some = self.name_value("is_some", of(some, Type::Bool));
        let parts = self.new_parts("value", span);
        let test = self.load(some, span);
        self.only_if(test.clone(), span, |this| {
            let ty = this.types.fresh();
            this.assign(Place::var(parts.payload), of(payload, ty), span);
        });
        Optional { some: test, ..self.optional_of(parts, span) }
    }

    /// `let name = …;` of an `Option` whose parts are known. What a function returns is one if it is used like one in what follows.
    pub(super) fn optional_local(
        &mut self,
        local: &syn::Local,
        init: &syn::Expr,
        rest: &[syn::Stmt],
    ) -> bool {
        let (pat, annotated) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        let Pat::Ident(ident) = pat else { return false };
        if ident.by_ref.is_some() || ident.subpat.is_some() || self.calls.is_whole(&ident.ident) {
            return false;
        }
        let payload = annotated.map(|ty| self.carried(ty).map(|(_, payload)| payload.clone()));
        let payload = match payload {
            Some(None) => return false,
            Some(Some(payload)) => Some(payload),
            None => None,
        };
        // What is of a user's type is kept whole if it may be assigned again.
        let (payload, stated) = match payload {
            Some(payload) if !self.holds_numbers(&payload) => {
                if ident.mutability.is_some() {
                    return false;
                }
                (None, Some(payload))
            }
            payload => (payload, None),
        };
        let is_call = match strip(init) {
            syn::Expr::Call(call) => constructor(call).is_none(),
            syn::Expr::MethodCall(call) => {
                super::conversions::target_of(&call.method).is_some()
                    || self.sibling(call).is_some()
                    || self.calls.has(&call.method)
            }
            _ => false,
        };
        // An `Option` that is somewhere is one there, too, where it is not changed.
        if payload.is_none() && self.is_whole_option(init) {
            return false;
        }
        let is_wanted = payload.is_some() || is_taken_apart(&ident.ident, rest);
        if is_call && !is_wanted {
            return false;
        }
        let optional = match self.is_structured(init) && is_wanted && !self.can_stay(init) {
            true => Some(self.optional_of_control(init)),
            false => self.optional(init),
        };
        let Some(optional) = optional else { return false };
        if let (Some(ty), Item::Operand(Operand::Value(value))) = (&stated, &optional.payload) {
            let ty = self.lower_type(ty);
            self.types.unify(&value.ty, &ty);
        }
        let span = ident.ident.span();
        let name = ident.ident.to_string();
        let is_variable = ident.mutability.is_some() || payload.is_some();
        let optional = if is_variable {
            let parts = self.new_parts(&name, span);
            if let Some(payload) = &payload {
                let ty = self.lower_type(payload);
                let known = self.body.vars[parts.payload].ty.clone();
                self.types.unify(&known, &ty);
            }
            let failure = optional.failure.clone();
            self.store_optional(optional, parts, span);
            Optional { failure, ..self.optional_of(parts, span) }
        } else {
            self.settled_optional(optional, &name, span)
        };
        self.name_optional(ident, optional);
        true
    }

    /// `let name: Option<f64>;`
    pub(super) fn deferred_optional(&mut self, local: &syn::Local) -> bool {
        let Pat::Type(typed) = &local.pat else { return false };
        let Pat::Ident(ident) = &*typed.pat else { return false };
        let Some((_, payload)) = self.carried(&typed.ty) else { return false };
        if !self.holds_numbers(payload) {
            return false;
        }
        let (name, span) = (ident.ident.to_string(), ident.ident.span());
        let parts = self.new_parts(&name, span);
        let ty = self.lower_type(payload);
        let known = self.body.vars[parts.payload].ty.clone();
        self.types.unify(&known, &ty);
        let optional = self.optional_of(parts, span);
        self.name_optional(ident, optional);
        true
    }

    /// Whether a type is one of numbers and lists and tuples of them.
    fn holds_numbers(&mut self, ty: &syn::Type) -> bool {
        fn holds(ty: &Type) -> bool {
            match ty {
                Type::Float(_) | Type::Int(_) | Type::Bool => true,
                Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => {
                    holds(element)
                }
                Type::Tuple(fields) => fields.iter().all(holds),
                Type::Infer(_) => true,
                Type::Named(_) | Type::Unknown => false,
            }
        }
        let ty = self.lower_type(ty);
        holds(&self.types.resolve(&ty)) || matches!(ty, Type::Infer(_))
    }

    fn settled_optional(&mut self, optional: Optional, name: &str, span: Span) -> Optional {
        let Optional { mut some, payload, failure } = optional;
        self.put_aside(&mut some);
        let is_settled = match &payload {
            Item::Operand(Operand::Reference { .. }) => true,
            Item::Operand(Operand::Value(value)) => {
                value.as_literal().is_some()
                    || value.as_var().is_some_and(|var| self.is_unnamed(var))
            }
            Item::Tuple(_) | Item::Lent(_) => false,
        };
        if is_settled || some.as_literal().is_some() {
            let payload = self.fixed(payload);
            return Optional { some, payload, failure };
        }
        let parts = self.new_parts(name, span);
        self.store_optional(Optional { some, payload, failure: Failure::None }, parts, span);
        Optional { failure, ..self.optional_of(parts, span) }
    }

    /// Whether a variable holds no value that the user has a name for, also not as the payload of an
    /// `Option`.
    fn is_unnamed(&self, var: Var) -> bool {
        let is_payload =
            |optional: &Optional| variables_of(optional).is_some_and(|parts| parts.payload == var);
        !self.is_user_variable(var) && !self.optionals.values().any(is_payload)
    }

    /// Whether the user may write to a variable.
    pub(super) fn is_user_variable(&self, var: Var) -> bool {
        self.scopes.iter().any(|scope| scope.values().any(|&known| known == var))
    }

    /// Makes a name stand for an `Option` in parts.
    fn name_optional(&mut self, named: &syn::PatIdent, optional: Optional) {
        let (name, ty) = (named.ident.to_string(), self.types.fresh());
        let var = self.user_variable(&name, ty, Binding::Value, named.ident.span());
        if named.mutability.is_some() {
            self.mutable.insert(var);
        }
        self.optionals.insert(var, optional);
    }

    /// Notes that the parts of an `Option` are not enough if what is in it turns out to be no data.
    pub(super) fn wanted_whole(&self, name: &str, var: Var, span: Span) {
        let Some(optional) = self.optionals.get(&var) else { return };
        let payload = match &optional.payload {
            Item::Operand(Operand::Value(value)) => value.ty.clone(),
            Item::Operand(Operand::Reference { .. }) | Item::Tuple(_) | Item::Lent(_) => return,
        };
        let name = Ident::new(name, self.body.vars[var].span);
        self.unparted.borrow_mut().push(Unparted {
            site: super::found::site_of(&name),
            payload,
            span,
        });
    }

    /// `name = …` of an `Option` in parts.
    pub(super) fn assign_optional(&mut self, assign: &syn::ExprAssign) -> bool {
        let syn::Expr::Path(path) = strip(&assign.left) else { return false };
        let Some(var) = path.path.get_ident().and_then(|ident| self.find(&ident.to_string()))
        else {
            return false;
        };
        let Some(optional) = self.optionals.get(&var) else { return false };
        let parts = variables_of(optional).filter(|_| !mentions_error(&assign.right));
        match parts {
            Some(parts) if self.is_structured(&assign.right) => {
                self.lower_into(&assign.right, &Destination::Optional(parts));
            }
            Some(parts) => {
                if is_none(&assign.right) {
                    self.wanted_whole(&path.path.to_token_stream().to_string(), var, assign.span());
                }
                self.optional_into(&assign.right, parts);
            }
            None => self.errors.report(
                assign.span(),
                "this `Option` cannot be assigned again here",
                "declare it with `let mut name: Option<f64> = …`",
            ),
        }
        true
    }

    /// Whether an `Option` in parts matches a pattern.
    pub(super) fn optional_test(&mut self, pat: &Pat, optional: &Optional) -> Option<Expr> {
        let some = optional.some.clone();
        match pat {
            Pat::Reference(inner) => {
                self.pattern_test(&inner.pat, &Subject::Optional(Box::new(optional.clone())))
            }
            Pat::TupleStruct(inner) if inner.elems.len() != 1 => {
                self.unsupported_pattern(pat);
                None
            }
            Pat::TupleStruct(inner) if names(&inner.path, &["Some", "Ok"]) => {
                let payload = Subject::Item(optional.payload.clone());
                let inner = &inner.elems[0];
                Some(self.test_if(some, |this| this.pattern_test(inner, &payload)))
            }
            Pat::TupleStruct(inner) if names(&inner.path, &["Err"]) => {
                let none = Expr::negated(some);
                match (&inner.elems[0], &optional.failure) {
                    (Pat::Wild(_), _) => Some(none),
                    (pat, _) if is_name(pat) => Some(none),
                    (pat, Failure::Of(failure)) => {
                        let (whole, error) = self.failure_pattern(pat, *failure);
                        self.verbatim_test(&whole, &error)
                    }
                    _ => {
                        self.unsupported_pattern(pat);
                        Some(none)
                    }
                }
            }
            Pat::Ident(_) | Pat::Path(_) => Some(Expr::negated(some)),
            other => {
                self.unsupported_pattern(other);
                None
            }
        }
    }

    /// Binds the names of a pattern that an `Option` in parts matches.
    pub(super) fn bind_optional(
        &mut self,
        pat: &Pat,
        optional: &Optional,
        scope: Option<&dyn ToTokens>,
    ) {
        match pat {
            Pat::Reference(inner) => {
                let referent = self.referent_of(optional.clone());
                self.bind_optional(&inner.pat, &referent, scope);
            }
            Pat::Or(or) => self.bind_optional(&or.cases[0], optional, scope),
            Pat::TupleStruct(inner) if inner.elems.len() != 1 => self.unsupported_pattern(pat),
            Pat::TupleStruct(inner) if names(&inner.path, &["Some", "Ok"]) => {
                let payload = Subject::Item(optional.payload.clone());
                self.bind_pattern(&inner.elems[0], &payload, scope);
            }
            Pat::TupleStruct(inner) => self.bind_failure(&inner.elems[0], &optional.failure, scope),
            Pat::Ident(ident) if looks_like_variable(&ident.ident) => {
                let (name, span) = (ident.ident.to_string(), ident.ident.span());
                let optional = self.settled_optional(optional.clone(), &name, span);
                self.name_optional(ident, optional);
            }
            _ => {}
        }
    }

    fn bind_failure(&mut self, pat: &Pat, failure: &Failure, scope: Option<&dyn ToTokens>) {
        match (pat, failure) {
            (Pat::Wild(_), _) => {}
            (Pat::Ident(ident), Failure::Of(_)) if ident.ident.to_string().starts_with('_') => {}
            (Pat::Ident(ident), Failure::Of(failure)) if is_name(pat) => {
                let ty = self.types.fresh();
                let error = self.error_of(*failure);
                let value = Expr::new(ExprKind::Opaque(std::rc::Rc::new(error)), ty, pat.span());
                self.declare(&ident.ident.to_string(), value, pat.span());
            }
            (pat, Failure::Of(failure)) => {
                let (whole, error) = self.failure_pattern(pat, *failure);
                self.bind_verbatim(&whole, &error, scope);
            }
            (Pat::Ident(ident), Failure::Code(code)) => {
                let ty = self.types.fresh();
                let value =
                    Expr::new(ExprKind::Opaque(std::rc::Rc::new(code.clone())), ty, pat.span());
                self.declare(&ident.ident.to_string(), value, pat.span());
            }
            (Pat::Ident(ident), Failure::None) if ident.ident.to_string().starts_with('_') => {}
            (pat, _) => self.unsupported_pattern(pat),
        }
    }

    /// `Some(e)`, or what yields an `Option`, as the value of the function.
    pub(super) fn return_optional(&mut self, optional: Optional, span: Span) {
        let destination = self.payload_destination();
        let Optional { some, payload, failure } = optional;
        self.fail_unless(some, &failure, span);
        let value = self.item_value(payload);
        self.store(&destination, value);
    }

    /// The function fails if a test does not hold.
    pub(super) fn fail_unless(&mut self, some: Expr, failure: &Failure, span: Span) {
        let then = self.in_block(|this| {
            let failure = this.failure_of(failure, span);
            this.fail(failure, span);
        });
        let otherwise = self.body.new_block(Vec::new());
        self.emit(StmtKind::If { test: Expr::negated(some), then, otherwise }, span);
    }
}

/// The variables of an `Option` that can be assigned.
pub(super) fn variables_of(optional: &Optional) -> Option<Parts> {
    match &optional.payload {
        Item::Operand(Operand::Value(value)) => {
            Some(Parts { some: optional.some.as_var()?, payload: value.as_var()? })
        }
        Item::Operand(Operand::Reference { .. }) | Item::Tuple(_) | Item::Lent(_) => None,
    }
}
