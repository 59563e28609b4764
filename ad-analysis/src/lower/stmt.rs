//! Statements.

use super::arrays::TakenArray;
use super::opaque::UnknownLocal;
use super::{Destination, Lowerer};
use crate::ir::{Expr, ExprKind, StmtKind};
use crate::read::{attributes_of, without_attributes};
use crate::types::Type;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Block, Local, Stmt};

impl Lowerer<'_> {
    /// The body of the function: its value is the result.
    pub(super) fn function_body(&mut self, block: &Block) {
        let destination = self.function_destination();
        self.block_into(block, &destination);
        self.body.block.stmts = std::mem::take(&mut self.out);
    }

    /// Lowers the statements of a block into the current list; its value goes to a destination.
    pub(super) fn block_into(&mut self, block: &Block, destination: &Destination) {
        let first = self.out.len();
        for (position, stmt) in block.stmts.iter().enumerate() {
            let is_last = position + 1 == block.stmts.len();
            let start = self.out.len();
            let is_tail = is_last && matches!(stmt, Stmt::Expr(_, None));
            let in_operand = self.in_operand;
            self.in_operand = is_tail && in_operand;
            let references = self.iterators.len() + self.rebound.len();
            match stmt {
                Stmt::Expr(expr, None) if is_last => self.lower_into(expr, destination),
                // A semicolon alone.
                Stmt::Expr(syn::Expr::Verbatim(tokens), Some(_)) if tokens.is_empty() => {}
                Stmt::Macro(mac) if !mac.attrs.is_empty() => {
                    let is_value = is_last && mac.semi_token.is_none();
                    let value = if is_value { destination } else { &Destination::Discard };
                    let (attrs, mac) = (mac.attrs.clone(), mac.mac.clone());
                    self.lower_into(&syn::Expr::Macro(syn::ExprMacro { attrs, mac }), value);
                }
                Stmt::Macro(mac) if is_last && mac.semi_token.is_none() => {
                    self.macro_into(&mac.mac, destination);
                }
                Stmt::Expr(expr, _) => self.lower_into(expr, &Destination::Discard),
                Stmt::Local(local) => self.local(local, &block.stmts[position + 1..]),
                Stmt::Item(item) => self.item(item, block),
                Stmt::Macro(mac) => self.macro_statement(&mac.mac),
            }
            if is_tail {
                self.end_of_tail(first, start);
            } else if references == self.iterators.len() + self.rebound.len() {
                self.end_temporaries(start);
            }
            self.in_operand = in_operand;
        }
    }

    /// The temporaries of the expression that a block ends in are dropped before the variables of the block, or, up to the edition
    /// of 2021, after them, with the statement that the block is a part of.
    fn end_of_tail(&mut self, first: usize, start: usize) {
        let depends = self.in_operand || self.has_noticed_locals(first, start);
        if depends && !self.temporaries(start).is_empty() {
            self.prove_unnoticed(start);
        }
    }

    /// `let pattern = value;`
    pub(super) fn local(&mut self, local: &Local, rest: &[Stmt]) {
        let requests = self.requests(&local.attrs);
        let Some(init) = &local.init else {
            if !self.deferred_optional(local) && !self.deferred_reference(local, rest) {
                self.deferred(local);
            }
            return;
        };
        if let Some((_, diverge)) = &init.diverge {
            let passive = requests.passive.then(|| self.passive_value(&init.expr));
            self.with_mode(requests.mode, |this| this.let_else(local, passive, init, diverge));
            return;
        }
        let is_bare = !requests.passive && requests.mode.is_none();
        if is_bare && self.optional_local(local, &init.expr, rest) {
            return;
        }
        if !Self::understands(&local.pat) {
            self.opaque_local(local, UnknownLocal::Pattern);
            return;
        }
        if is_bare && let Some(list) = self.name_of_lent(&init.expr) {
            let init = Some(syn::LocalInit { expr: Box::new(list), ..init.clone() });
            return self.local(&Local { init, ..local.clone() }, rest);
        }
        if requests.passive {
            let value = self.passive_value(&init.expr);
            self.bind_with_type(local, value);
            return;
        }
        if let (syn::Pat::Tuple(pats), syn::Expr::Tuple(items)) = (pattern_of(local), &*init.expr)
            && pats.elems.len() == items.elems.len()
            && requests.mode.is_none()
        {
            self.bind_parts(&with_types(local, pats), &items.elems);
            return;
        }
        if let syn::Pat::Wild(_) = &local.pat {
            // The value of a place stays where it is, any other is dropped.
            self.with_mode(requests.mode, |this| {
                this.lower_into(&init.expr, &Destination::Discard);
            });
            return;
        }
        if self.sin_cos(local, &init.expr) || self.split_at(pattern_of(local), &init.expr) {
            return;
        }
        if self.is_structured(&init.expr)
            && requests.mode.is_none()
            && self.chosen_reference(local, &init.expr)
        {
            return;
        }
        if self.is_structured(&init.expr) && !Self::can_be_deferred(&local.pat) {
            self.with_mode(requests.mode, |this| {
                this.destructure_structured(pattern_of(local), &init.expr);
            });
            return;
        }
        if self.is_structured(&init.expr) {
            let ty = self.types.fresh();
            let mut names = Vec::new();
            let destination = self.declare_deferred(&local.pat, &ty, &mut names);
            self.with_mode(requests.mode, |this| this.lower_into(&init.expr, &destination));
            for (name, var) in names {
                self.bind(&name, var);
            }
            return;
        }
        if let (syn::Pat::Ident(ident), syn::Expr::Closure(closure)) = (&local.pat, &*init.expr)
            && self.local_closure(&ident.ident, closure)
        {
            return;
        }
        if self.iterator_local(&local.pat, &init.expr) {
            return;
        }
        if super::items::takes(&local.pat)
            && let Some(item) = self.taken_item(&init.expr)
        {
            self.bind_item(&local.pat, item);
            return;
        }
        if let syn::Pat::Type(typed) = &local.pat {
            let ty = self.lower_type(&typed.ty);
            self.want(&init.expr, ty);
        }
        self.want_what_follows(local, &init.expr);
        if let (syn::Pat::Tuple(parts), syn::Expr::MethodCall(call)) = (&local.pat, &*init.expr)
            && call.method == "into"
        {
            let parts = parts.elems.iter().map(|_| self.types.fresh()).collect();
            self.want(&init.expr, Type::Tuple(parts));
        }
        // The pattern tells how long the array is.
        if let (syn::Pat::Slice(parts), syn::Expr::MethodCall(call)) =
            (referred_to(&local.pat), &*init.expr)
            && TakenArray::of(call).is_some()
            && !parts.elems.iter().any(super::subjects::is_rest)
        {
            let element = self.types.fresh();
            self.want(&init.expr, Type::array(element, &parts.elems.len().to_string()));
        }
        if self.parts_of_optional(pattern_of(local), &init.expr) {
            return;
        }
        let lowered = self.attempt("the value of a `let`", |this| {
            let operand = this.with_mode(requests.mode, |this| this.operand(&init.expr));
            // Verbatim code may return a reference to a struct: then the names are references, too.
            match Self::can_be_deferred(&local.pat) || !this.last_is_verbatim() {
                true => Some(operand),
                false => None,
            }
        });
        let operand = match lowered {
            Some(Some(operand)) => operand,
            Some(None) => {
                self.opaque_local(local, UnknownLocal::Value);
                return;
            }
            None => {
                self.opaque_local(local, UnknownLocal::Kept);
                self.await_type(local, &init.expr);
                return;
            }
        };
        match operand {
            super::Operand::Value(value) => {
                self.told_by_what_follows(local, &init.expr, &value);
                self.bind_with_type(local, value);
                self.await_type(local, &init.expr);
            }
            reference @ super::Operand::Reference { .. } => {
                if !self.rebindable_local(&local.pat, &reference) {
                    self.bind_operand(&local.pat, reference);
                }
            }
        }
    }

    /// Binds a value, keeping the type that the user wrote.
    fn bind_with_type(&mut self, local: &Local, mut value: Expr) {
        self.give_type(&local.pat, &mut value);
        // What a call has just declared need not be declared again.
        if let (Some(var), syn::Pat::Ident(ident)) = (value.as_var(), pattern_of(local))
            && ident.subpat.is_none()
            && self.is_fresh_result(var)
        {
            let name = ident.ident.to_string();
            self.rename(var, &name);
            if ident.mutability.is_some() {
                self.mutable.insert(var);
            }
            self.keep_declared_type(local, var);
            return;
        }
        let before = self.body.vars.len();
        self.bind_operand(&local.pat, super::Operand::Value(value));
        if matches!(pattern_of(local), syn::Pat::Ident(_))
            && let Some(var) = self.body.vars.indices().nth(before)
        {
            self.keep_declared_type(local, var);
        }
    }

    /// A value has the type that is written on its pattern.
    fn give_type(&mut self, pat: &syn::Pat, value: &mut Expr) {
        let syn::Pat::Type(typed) = pat else { return };
        let ty = self.lower_type(&typed.ty);
        if self.types.is_open(&value.ty) {
            // A pattern takes a tuple apart.
            if self.names_user_type(&ty) || matches!(ty, Type::Tuple(_)) {
                self.types.unify(&value.ty, &ty);
            }
            value.ty = ty;
        } else {
            self.types.unify(&ty, &value.ty);
        }
    }

    fn keep_declared_type(&mut self, local: &Local, var: crate::index::Var) {
        if let syn::Pat::Type(typed) = &local.pat {
            self.variable_mut(var).declared = Some(typed.ty.to_token_stream());
            let ty = self.lower_type(&typed.ty);
            let known = self.body.vars[var].ty.clone();
            self.types.unify(&known, &ty);
        }
    }

    /// Whether this variable takes the value of the last statement, or holds one made for it.
    pub(super) fn is_fresh_result(&self, var: crate::index::Var) -> bool {
        // What the user has named is a variable of its own: `let b = g(x); let mut z = b;`.
        let is_named = self.scopes.iter().any(|scope| scope.values().any(|&named| named == var));
        if is_named {
            return false;
        }
        if self.made.contains(var) {
            return true;
        }
        match self.out.last().map(|stmt| &stmt.kind) {
            Some(StmtKind::Call(call)) => call.result == Some(var),
            Some(StmtKind::Let { var: last, value: Some(value) }) => {
                *last == var && matches!(value.kind, ExprKind::Opaque(_))
            }
            _ => false,
        }
    }

    /// Whether the last statement takes the value of verbatim code.
    pub(super) fn last_is_verbatim(&self) -> bool {
        matches!(
            self.out.last().map(|stmt| &stmt.kind),
            Some(StmtKind::Let { value: Some(value), .. }) if matches!(value.kind, ExprKind::Opaque(_))
        )
    }

    /// Gives a variable of the library's own the name the user has for it.
    pub(super) fn rename(&mut self, var: crate::index::Var, name: &str) {
        self.made.remove(var);
        let own = match self.is_taken(name) {
            true => self.body.names.fresh(name),
            false => name.to_owned(),
        };
        self.variable_mut(var).name = own;
        self.bind(name, var);
    }

    /// `let x;`
    fn deferred(&mut self, local: &Local) {
        let ty = self.types.fresh();
        let mut names = Vec::new();
        self.declare_deferred(&local.pat, &ty, &mut names);
        for (name, var) in names {
            self.bind(&name, var);
            self.keep_declared_type(local, var);
        }
    }

    /// `let (a, b) = (x, y);` without a tuple.
    fn bind_parts<P: ToTokens>(
        &mut self,
        pats: &syn::punctuated::Punctuated<syn::Pat, P>,
        items: &syn::punctuated::Punctuated<syn::Expr, P>,
    ) {
        let iterators = self.attempt("iterators with names", |this| {
            let mut pairs = pats.iter().zip(items);
            pairs.all(|(pat, init)| this.iterator_local(pat, init)).then_some(())
        });
        if iterators.is_some() {
            return;
        }
        let operands = self.in_order(items, |this, item| {
            let operand = if this.is_structured(item) { None } else { this.operand(item) };
            operand.unwrap_or_else(|| super::Operand::Value(this.value(item)))
        });
        for (pat, mut operand) in pats.iter().zip(operands) {
            if let super::Operand::Value(value) = &mut operand {
                self.give_type(pat, value);
            }
            if !self.rebindable_local(pat, &operand) {
                self.bind_operand(pat, operand);
            }
        }
    }

    /// `let (s, c) = x.sin_cos();` is two operations, as it is in the standard library.
    fn sin_cos(&mut self, local: &Local, init: &syn::Expr) -> bool {
        let (syn::Pat::Tuple(pats), syn::Expr::MethodCall(call)) = (pattern_of(local), init) else {
            return false;
        };
        if call.method != crate::rules::PAIR.0 || pats.elems.len() != 2 || !call.args.is_empty() {
            return false;
        }
        let receiver = self.value(&call.receiver);
        let values = self.sine_and_cosine(receiver, &call.method, call.span());
        for (pat, value) in pats.elems.iter().zip(values) {
            self.bind_operand(pat, super::Operand::Value(value));
        }
        true
    }

    /// Whether an expression yields no value worth having: it is lowered for its effects.
    pub(super) fn is_statement(&self, expr: &syn::Expr) -> bool {
        match expr {
            syn::Expr::Assign(_)
            | syn::Expr::While(_)
            | syn::Expr::ForLoop(_)
            | syn::Expr::Break(_)
            | syn::Expr::Continue(_)
            | syn::Expr::Return(_) => true,
            syn::Expr::Binary(binary) => super::expr::compound_op(&binary.op).is_some(),
            _ => false,
        }
    }

    /// Lowers an expression for its effects.
    pub(super) fn statement(&mut self, expr: &syn::Expr) {
        match expr {
            syn::Expr::Assign(assign) => self.assignment(assign),
            syn::Expr::Binary(binary) => self.compound_assignment(binary),
            syn::Expr::While(repetition) => self.while_loop(repetition),
            syn::Expr::ForLoop(repetition) => self.for_loop(repetition),
            syn::Expr::Break(exit) => self.break_out(exit),
            syn::Expr::Continue(exit) => self.continue_loop(exit),
            syn::Expr::Return(exit) => self.return_out(exit),
            other => self.opaque_statement_expr(other),
        }
    }

    /// Lowers an expression; its value goes to a destination.
    pub(super) fn lower_into(&mut self, expr: &syn::Expr, destination: &Destination) {
        let attrs = attributes_of(expr);
        if !attrs.is_empty() {
            let requests = self.requests(attrs);
            let bare = without_attributes(expr);
            if let Some(position) = requests.site {
                self.checkpointed(position, &bare);
            } else if requests.passive {
                self.passive_into(&bare, destination);
            } else {
                self.with_mode(requests.mode, |this| this.lower_into(&bare, destination));
            }
            return;
        }
        match expr {
            syn::Expr::Paren(inner) => self.lower_into(&inner.expr, destination),
            syn::Expr::Group(inner) => self.lower_into(&inner.expr, destination),
            _ if self.is_statement(expr) => self.statement(expr),
            _ if self.is_structured(expr) => self.structured_into(expr, destination),
            syn::Expr::Macro(mac) => self.macro_into(&mac.mac, destination),
            _ if matches!(destination, Destination::Outcome) => self.outcome_of(expr),
            _ if let Destination::Optional(parts) = destination => self.optional_into(expr, *parts),
            _ if let Destination::Reference(referent) = destination => {
                self.refer_into(expr, referent);
            }
            syn::Expr::Tuple(tuple) if matches!(destination, Destination::Tuple(parts) if parts.len() == tuple.elems.len()) =>
            {
                let items: Vec<&syn::Expr> = tuple.elems.iter().collect();
                if let Destination::Tuple(parts) = destination {
                    if parts.iter().all(|part| matches!(part, Destination::Reference(_))) {
                        items
                            .iter()
                            .zip(parts)
                            .for_each(|(item, part)| self.lower_into(item, part));
                        return;
                    }
                    let values = self.values(&items);
                    for (part, value) in parts.iter().zip(values) {
                        self.store(part, value);
                    }
                }
            }
            syn::Expr::Tuple(tuple) if tuple.elems.is_empty() => {}
            _ if matches!(destination, Destination::Discard) => self.effects_of(expr),
            _ => {
                if let Destination::Place(place) = destination {
                    let ty = self.type_of(place);
                    self.want(expr, ty);
                }
                let value = self.value(expr);
                self.store(destination, value);
            }
        }
    }

    /// Evaluates an expression whose value is dropped.
    fn effects_of(&mut self, expr: &syn::Expr) {
        match expr {
            syn::Expr::Call(call) => self.call_statement(call),
            syn::Expr::MethodCall(call) => self.method_statement(call),
            _ => {
                let value = self.value(expr);
                self.discard(value);
            }
        }
    }

    /// Puts a value where it goes.
    pub(super) fn store(&mut self, destination: &Destination, value: Expr) {
        let span = value.span;
        match destination {
            Destination::Discard => self.discard(value),
            Destination::Outcome | Destination::Optional(_) => self.unknown_outcome(span),
            Destination::Place(place) => self.assign(place.clone(), value, span),
            Destination::Reference(_) => self.refuse_referent(span),
            Destination::Tuple(parts) => {
                let fields: Vec<Type> = parts.iter().map(|_| self.types.fresh()).collect();
                self.types.unify(&value.ty, &Type::Tuple(fields.into()));
                let whole = self.place_of_value(value, "parts");
                for (position, part) in parts.iter().enumerate() {
                    let place = whole.field(position);
                    let ty = self.type_of(&place);
                    self.store(part, Expr::load(place, ty, span));
                }
            }
        }
    }
}

/// The parts of the tuple pattern of a `let`, each with its part of the type.
fn with_types(local: &Local, pats: &syn::PatTuple) -> Punctuated<syn::Pat, syn::Token![,]> {
    let mut parts = pats.elems.clone();
    if let syn::Pat::Type(syn::PatType { ty, .. }) = &local.pat
        && let syn::Type::Tuple(types) = &**ty
    {
        for (pat, ty) in parts.iter_mut().zip(&types.elems) {
            let typed = syn::PatType {
                attrs: Vec::new(),
                pat: Box::new(pat.clone()),
                colon_token: <syn::Token![:]>::default(),
                ty: Box::new(ty.clone()),
            };
            *pat = syn::Pat::Type(typed);
        }
    }
    parts
}

/// The pattern of a `let`, its type apart.
fn pattern_of(local: &Local) -> &syn::Pat {
    match &local.pat {
        syn::Pat::Type(typed) => &typed.pat,
        pat => pat,
    }
}

/// The pattern of what a reference refers to.
fn referred_to(pat: &syn::Pat) -> &syn::Pat {
    match pat {
        syn::Pat::Reference(reference) => &reference.pat,
        pat => pat,
    }
}
