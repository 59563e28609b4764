//! What code that is kept as it is may do: which variables it may write, whether it may run twice,
//! whether it calls code that nobody knows.
//!
//! What is not known to be a read is a write, and an effect that must happen once. A read is known by the
//! type of what is read and by its place in the syntax, never by the name of a method alone: plain data of the
//! standard library, and what its methods make of that, are understood; everything else belongs to users,
//! whose operators, indices and methods may do anything with what they are given.

use super::known::{self, Known};
use super::macros;
use super::optional::Optional;
use super::places::strip;
use super::variants::names_of;
use super::{Lowerer, expr};
use crate::index::Var;
use crate::ir::{Binding, Class, Place};
use crate::read::{choice_of_matches, looks_like_variable, words_in};
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, Pat, Stmt, Token};

/// What kept code may do.
pub(super) struct Access {
    /// The variables that it may write.
    pub(super) writes: BTreeSet<Var>,
    /// The `Option`s in parts that it may write: it gets them put together, and what it writes to those is lost.
    pub(super) options: BTreeMap<Var, Ident>,
    pub(super) class: Class,
    pub(super) calls_unknown: bool,
    /// Constants that are taken for numbers, by their paths: generated code proves that they are.
    pub(super) numbers: BTreeSet<String>,
}

impl Default for Access {
    /// Nothing.
    fn default() -> Self {
        let (writes, options, numbers) = Default::default();
        Self { writes, options, class: Class::State, calls_unknown: false, numbers }
    }
}

/// What becomes of a value or of a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// It is looked at, by code that is known.
    Read,
    /// Nobody knows what is done with a `&` to it.
    Lent,
    /// Nobody knows what is done with the value, which may be a reference or hold some.
    Handed,
    /// It is assigned, or lent as `&mut`.
    Written,
}

impl Lowerer<'_> {
    /// What an expression may do that is kept as it is.
    pub(super) fn access_of(&self, expr: &Expr, used: Use) -> Access {
        self.access(|walk| walk.expr(expr, used))
    }

    /// What an expression may do that is kept as it is, and whose value is dropped.
    pub(super) fn access_of_statement(&self, expr: &Expr) -> Access {
        self.access(|walk| walk.statement(expr))
    }

    /// What a `let` may do that is kept as it is.
    pub(super) fn access_of_local(&self, local: &syn::Local) -> Access {
        self.access(|walk| walk.local(local))
    }

    /// What a function may do that is called with parts of plain data.
    pub(super) fn access_of_callback(&self, function: &Expr) -> Access {
        self.access(|walk| match strip(function) {
            Expr::Closure(closure) => walk.closure(closure, Some(&Known::Std)),
            other => {
                if !known::is_function_of_numbers(other) && !walk.is_known(other) {
                    walk.unknown();
                }
                walk.expr(other, Use::Handed);
            }
        })
    }

    /// Whether a call of a method may do something that must happen once, where `given` are plain data.
    pub(super) fn may_have_effects<'p>(
        &self,
        call: &syn::ExprMethodCall,
        given: impl IntoIterator<Item = &'p Pat>,
    ) -> bool {
        let access = self.access(|walk| {
            given.into_iter().for_each(|pat| walk.bind(pat, Some(&Known::Std)));
            walk.method_call(call);
        });
        access.class == Class::Once
    }

    /// Whether a method reads something of which generated code has to prove that it is a list.
    pub(super) fn reads_indexed(&self, call: &syn::ExprMethodCall) -> bool {
        self.walk().reads_indexed(call)
    }

    /// Whether an operand of a comparison is a place of which it is not known that it holds plain data.
    pub(super) fn may_be_of_users(&self, operand: &Expr) -> bool {
        let is_place = match strip(operand) {
            Expr::Path(path) => path.path.get_ident().is_some_and(looks_like_variable),
            Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)),
            other => matches!(other, Expr::Field(_) | Expr::Index(_)),
        };
        is_place && !self.walk().is_known(operand)
    }

    fn walk(&self) -> Walk<'_, '_> {
        Walk { lowerer: self, access: Access::default(), inner: Vec::new(), asserts: false }
    }

    fn access(&self, visit: impl FnOnce(&mut Walk<'_, '_>)) -> Access {
        let mut walk = self.walk();
        visit(&mut walk);
        let mut access = walk.access;
        // The name of an `Option` in parts is no variable of the function.
        access.writes.retain(|var| !self.optionals.contains_key(var));
        access
    }
}

pub(super) struct Walk<'l, 'a> {
    pub(super) lowerer: &'l Lowerer<'a>,
    access: Access,
    /// The names that the code itself binds, and what is known of their values; innermost last.
    inner: Vec<(String, Option<Known>)>,
    /// Whether the present place is in an assertion.
    asserts: bool,
}

impl<'a> Walk<'_, 'a> {
    /// A name that the code itself has bound.
    pub(super) fn inner_name(&self, name: &Ident) -> Option<&Option<Known>> {
        let found = self.inner.iter().rev().find(|(inner, _)| name == inner);
        found.map(|(_, known)| known)
    }

    /// The variable of the function that a path names.
    pub(super) fn variable(&self, path: &syn::ExprPath) -> Option<Var> {
        let name = path.path.get_ident().filter(|_| path.qself.is_none())?;
        match self.inner_name(name) {
            Some(_) => None,
            None => self.lowerer.find(&name.to_string()),
        }
    }

    pub(super) fn optional(&self, var: Var) -> Option<&Optional> {
        self.lowerer.optionals.get(&var)
    }

    /// Something happens that nobody knows.
    fn unknown(&mut self) {
        self.access.class = Class::Once;
        self.access.calls_unknown = true;
    }

    /// Something happens that nobody knows, with what this code mentions: if that is no variable, it is handed nothing.
    fn unknown_given(&mut self, code: TokenStream) {
        self.access.class = Class::Once;
        self.access.calls_unknown |= self.mentions_variables(code);
    }

    fn mentions_variables(&self, code: TokenStream) -> bool {
        let mut words = BTreeSet::new();
        words_in(code, &mut words);
        words.iter().any(|word| {
            self.lowerer.find(word).is_some() || self.inner.iter().any(|(inner, _)| inner == word)
        })
    }

    fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>, used: Use) {
        exprs.into_iter().for_each(|expr| self.expr(expr, used));
    }

    pub(super) fn expr(&mut self, expr: &Expr, used: Use) {
        // What a value is made of goes where the value goes.
        let parts = if used == Use::Read { Use::Read } else { Use::Handed };
        match expr {
            Expr::Paren(inner) => self.expr(&inner.expr, used),
            Expr::Group(inner) => self.expr(&inner.expr, used),
            Expr::Lit(_) | Expr::Infer(_) | Expr::Continue(_) => {}
            Expr::Path(path) => self.path(path, used, false),
            Expr::Field(_) | Expr::Index(_) => self.place(expr, used),
            Expr::Unary(unary) => match unary.op {
                syn::UnOp::Deref(_) => self.place(expr, used),
                // What a function or a method tells of a value is taken for a number or a truth value.
                syn::UnOp::Not(_) if self.is_truth(&unary.expr) || self.is_told(&unary.expr) => {
                    self.expr(&unary.expr, Use::Read);
                }
                _ => self.operands(&[&unary.expr]),
            },
            Expr::Reference(reference) => match (&reference.mutability, used) {
                (Some(_), _) => self.expr(&reference.expr, Use::Written),
                (None, Use::Read) => self.expr(&reference.expr, Use::Read),
                (None, _) => self.expr(&reference.expr, Use::Lent),
            },
            // What a raw pointer refers to may be written through it, also if it is `const`.
            Expr::RawAddr(address) => self.expr(&address.expr, Use::Written),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Assign(assign) => {
                self.expr(&assign.right, Use::Handed);
                self.assigned(&assign.left);
            }
            Expr::Cast(cast) => self.expr(&cast.expr, Use::Read),
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method_call(call),
            Expr::Tuple(tuple) => self.exprs(&tuple.elems, parts),
            Expr::Array(array) => self.exprs(&array.elems, parts),
            Expr::Repeat(repeat) => self.expr(&repeat.expr, parts),
            Expr::Struct(literal) => {
                self.exprs(literal.fields.iter().map(|field| &field.expr), parts);
                self.exprs(literal.rest.as_deref(), parts);
            }
            Expr::Range(range) => {
                self.exprs([&range.start, &range.end].into_iter().flatten().map(|e| &**e), parts);
            }
            Expr::Closure(closure) => self.closure(closure, None),
            Expr::Macro(mac) => self.macro_call(&mac.mac),
            Expr::Break(exit) => self.exprs(exit.expr.as_deref(), Use::Handed),
            Expr::Return(exit) => self.exprs(exit.expr.as_deref(), Use::Handed),
            Expr::Try(exit) => {
                // The error is converted by whatever type it becomes.
                self.unknown();
                self.expr(&exit.expr, Use::Handed);
            }
            _ => self.control(expr, parts),
        }
    }

    /// Expressions with statements in them.
    fn control(&mut self, expr: &Expr, value: Use) {
        let depth = self.inner.len();
        match expr {
            Expr::Block(block) => self.block(&block.block, value),
            Expr::Const(block) => self.block(&block.block, value),
            // There, statics and what raw pointers refer to are read and written.
            Expr::Unsafe(block) => match known::volatile_read(block) {
                Some(read) => {
                    self.access.class = Class::Once;
                    self.expr(read, value);
                }
                None => {
                    self.unknown();
                    self.block(&block.block, value);
                }
            },
            Expr::If(branch) => {
                self.expr(&branch.cond, Use::Read);
                self.block(&branch.then_branch, value);
                self.inner.truncate(depth);
                self.exprs(branch.else_branch.iter().map(|(_, otherwise)| &**otherwise), value);
            }
            Expr::Let(test) => self.matched(&test.expr, [&*test.pat]),
            Expr::Match(choice) => {
                self.matched(&choice.expr, choice.arms.iter().map(|arm| &arm.pat));
                let known = self.known(&choice.expr).map(|_| Known::Std);
                self.inner.truncate(depth);
                for arm in &choice.arms {
                    self.bind(&arm.pat, known.as_ref());
                    if let Pat::Guard(guarded) = &arm.pat {
                        self.expr(&guarded.guard, Use::Read);
                    }
                    self.expr(&arm.body, value);
                    self.inner.truncate(depth);
                }
            }
            Expr::ForLoop(repetition) => {
                self.expr(&repetition.expr, Use::Handed);
                let known = self.known(&repetition.expr).map(|_| Known::Std);
                if known.is_none() {
                    self.unknown();
                }
                self.bind(&repetition.pat, known.as_ref());
                self.block(&repetition.body, Use::Read);
            }
            Expr::While(repetition) => {
                self.expr(&repetition.cond, Use::Read);
                self.block(&repetition.body, Use::Read);
            }
            Expr::Loop(repetition) => self.block(&repetition.body, Use::Read),
            other => {
                self.unknown();
                self.tokens(quote::ToTokens::to_token_stream(other));
            }
        }
        // What the condition of a choice binds is seen by the operands of its `&&` and by its branch.
        if !matches!(expr, Expr::Let(_)) {
            self.inner.truncate(depth);
        }
    }

    /// An expression whose value is dropped: what a function is called for then is its effects.
    fn statement(&mut self, expr: &Expr) {
        if let Expr::Call(call) = strip(expr) {
            self.access.calls_unknown |=
                !known::is_constructor(&call.func) && !known::is_black_box(&call.func);
        }
        self.expr(expr, Use::Read);
    }

    fn block(&mut self, block: &syn::Block, value: Use) {
        let depth = self.inner.len();
        for stmt in &block.stmts {
            match stmt {
                Stmt::Local(local) => self.local(local),
                Stmt::Expr(expr, None) => self.expr(expr, value),
                Stmt::Expr(expr, Some(_)) => self.statement(expr),
                Stmt::Macro(mac) => self.macro_call(&mac.mac),
                // Items see none of the variables.
                Stmt::Item(_) => {}
            }
        }
        self.inner.truncate(depth);
    }

    fn local(&mut self, local: &syn::Local) {
        let Some(init) = &local.init else { return self.bind(&local.pat, None) };
        let depth = self.inner.len();
        self.matched(&init.expr, [&local.pat]);
        if let Some((_, otherwise)) = &init.diverge {
            let bound = self.inner.split_off(depth);
            self.expr(otherwise, Use::Read);
            self.inner.extend(bound);
        }
    }

    /// What patterns take apart may be lent to the names in them, as `&mut` also where no pattern says so.
    fn matched<'p>(&mut self, expr: &Expr, pats: impl IntoIterator<Item = &'p Pat>) {
        let pats: Vec<&Pat> = pats.into_iter().collect();
        let used = match () {
            () if pats.iter().any(|pat| known::lends_mutably(pat)) => Use::Written,
            () if pats.iter().all(|pat| names_of(pat).is_empty()) => Use::Read,
            () => Use::Handed,
        };
        self.expr(expr, used);
        let known = self.known(expr);
        for pat in pats {
            self.bind(pat, known.as_ref());
        }
    }

    /// Puts the names of a pattern in scope. Of plain data the parts are plain data.
    fn bind(&mut self, pat: &Pat, known: Option<&Known>) {
        let is_whole = matches!(pat, Pat::Ident(ident) if ident.subpat.is_none());
        let known = if is_whole { known.cloned() } else { known.map(|_| Known::Std) };
        for name in names_of(pat) {
            self.inner.push((name.ident.to_string(), known.clone()));
        }
    }

    /// A variable or a part of one: what is done with it.
    fn path(&mut self, path: &syn::ExprPath, used: Use, is_part: bool) {
        let Some(var) = self.variable(path) else { return };
        if used == Use::Written && self.gives_access(var) {
            self.option_written(var, path);
        }
        // Copies of plain data, and `&` to it, give no way to write it; the reference itself does.
        let is_plain = self.is_plain(var);
        let may_be_written = match used {
            Use::Read => false,
            Use::Lent => !is_plain,
            Use::Handed => !is_plain || !is_part && self.lowerer.is_mutable_reference(var),
            Use::Written => !is_plain || self.gives_access(var),
        };
        if may_be_written && !matches!(self.lowerer.body.vars[var].binding, Binding::Global(_)) {
            self.access.writes.insert(var);
        }
    }

    fn option_written(&mut self, var: Var, path: &syn::ExprPath) {
        if let (Some(_), Some(name)) = (self.optional(var), path.path.get_ident()) {
            self.access.options.entry(var).or_insert_with(|| name.clone());
        }
    }

    /// Whether a variable may be assigned, or lent as `&mut`.
    fn gives_access(&self, var: Var) -> bool {
        match self.lowerer.is_reference(var) {
            true => self.lowerer.is_mutable_reference(var),
            false => self.lowerer.mutable.contains(var),
        }
    }

    /// Whether a value has a derivative, whatever its type is: then it owns what it holds.
    fn owns(&self, var: Var) -> bool {
        let body = &self.lowerer.body;
        let root = body.root_of(&Place::var(var));
        let with_bars = body.independents.iter().chain(&body.dependents);
        with_bars.copied().any(|known| known == root) || self.lowerer.results.contains(root)
    }

    /// A place: a variable, or what fields, indices and `*` make of one.
    fn place(&mut self, expr: &Expr, used: Use) {
        // What users' types do to find the place is done behind a `&` at least.
        let behind = if used == Use::Read { Use::Lent } else { used };
        match strip(expr) {
            Expr::Path(path) => self.path(path, used, true),
            Expr::Field(field) => self.place(&field.base, used),
            Expr::Index(index) => {
                if self.is_list(&index.expr) {
                    self.expr(&index.index, Use::Read);
                    self.place(&index.expr, used);
                } else {
                    self.unknown();
                    self.expr(&index.index, Use::Handed);
                    self.place(&index.expr, behind);
                }
            }
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                let used = if self.is_reference(&unary.expr) {
                    used
                } else {
                    self.unknown();
                    behind
                };
                self.place(&unary.expr, used);
            }
            // A value: what is taken out of it may be what was put into it.
            other => self.expr(other, used),
        }
    }

    /// The left side of an assignment: every place in it is written.
    fn assigned(&mut self, left: &Expr) {
        match strip(left) {
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|part| self.assigned(part)),
            Expr::Array(array) => array.elems.iter().for_each(|part| self.assigned(part)),
            Expr::Call(call) => call.args.iter().for_each(|part| self.assigned(part)),
            Expr::Struct(literal) => {
                literal.fields.iter().for_each(|field| self.assigned(&field.expr));
            }
            Expr::Infer(_) | Expr::Range(_) => {}
            Expr::Path(path) => {
                // Also one that is not `mut`: it may have been declared without a value.
                if let Some(var) = self.variable(path) {
                    self.access.writes.insert(var);
                    self.option_written(var, path);
                }
            }
            other => self.expr(other, Use::Written),
        }
    }

    fn binary(&mut self, binary: &syn::ExprBinary) {
        let operands = [&*binary.left, &*binary.right];
        if expr::compound_op(&binary.op).is_some() {
            let [left, right] = operands;
            if self.is_known(left) {
                self.expr(right, Use::Read);
            } else {
                self.unknown();
                self.expr(right, Use::Handed);
            }
            return self.expr(left, Use::Written);
        }
        match binary.op {
            // What compares values of users is taken to look at them only.
            syn::BinOp::And(_)
            | syn::BinOp::Or(_)
            | syn::BinOp::Eq(_)
            | syn::BinOp::Ne(_)
            | syn::BinOp::Lt(_)
            | syn::BinOp::Le(_)
            | syn::BinOp::Gt(_)
            | syn::BinOp::Ge(_) => self.exprs(operands, Use::Read),
            _ => self.operands(&operands),
        }
    }

    /// The operands of an operator, which is one of the language if one of them is plain data.
    fn operands(&mut self, operands: &[&Expr]) {
        let mut is_known = operands.iter().any(|operand| self.is_known(operand));
        if !is_known && self.asserts && self.are_of_numbers(operands) {
            let number = operands.iter().find_map(|operand| self.constant(operand));
            is_known = number.is_some();
            self.access.numbers.extend(number);
        }
        if !is_known {
            let operands = operands.iter().map(quote::ToTokens::to_token_stream);
            self.unknown_given(operands.collect());
        }
        self.exprs(operands.iter().copied(), if is_known { Use::Read } else { Use::Handed });
    }

    fn call(&mut self, call: &syn::ExprCall) {
        if self.is_of_numbers(call) && call.args.iter().all(|arg| self.is_known(arg)) {
            return self.exprs(&call.args, Use::Read);
        }
        // A function that is called for its value is taken for one that keeps nothing of what it is given. What a closure
        // changes is what it has captured.
        self.access.class = Class::Once;
        self.expr(&call.func, Use::Read);
        self.exprs(&call.args, Use::Handed);
    }

    fn method_call(&mut self, call: &syn::ExprMethodCall) {
        let receiver = self.known(&call.receiver);
        let reads = receiver.as_ref().is_some_and(|receiver| receiver.has_method(&call.method))
            || self.reads_indexed(call);
        let is_number = receiver.as_ref().is_some_and(Known::is_number);
        let changes = receiver.is_some_and(|receiver| receiver.is_changed_by(&call.method));
        let is_closure = |arg: &&Expr| matches!(strip(arg), Expr::Closure(_));
        let others = call.args.iter().filter(|arg| !is_closure(arg));
        if self.is_length(call) {
            return;
        }
        if !(reads || changes)
            || !(is_number
                || others.clone().all(|arg| self.is_known(arg) || known::is_variant(arg)))
        {
            self.access.class = Class::Once;
            if !self.is_getter(call) {
                self.unknown_given(quote::ToTokens::to_token_stream(call));
            }
            let is_read = reads && !changes;
            self.expr(&call.receiver, if is_read { Use::Handed } else { Use::Written });
            return self.exprs(&call.args, Use::Handed);
        }
        self.expr(&call.receiver, if changes { Use::Written } else { Use::Read });
        self.exprs(others, Use::Read);
        for arg in call.args.iter().filter(is_closure) {
            // It is called with parts of plain data.
            if let Expr::Closure(closure) = strip(arg) {
                self.closure(closure, Some(&Known::Std));
            }
        }
    }

    /// Whether a method tells the length of a part of a value with a derivative.
    pub(super) fn is_length(&self, call: &syn::ExprMethodCall) -> bool {
        let is_name = ["len", "is_empty"].iter().any(|name| call.method == name);
        is_name && self.root_of(&call.receiver).is_some_and(|root| self.owns(root))
    }

    /// Whether a method is called of a value of a user's type, and with nothing else, or with integers if that type is seen: such are
    /// those that tell something of the value. Of a type that is not seen, a step of a chain may be given integers, `.take(2)`.
    fn is_getter(&self, call: &syn::ExprMethodCall) -> bool {
        let Some(root) = self.root_of(&call.receiver) else { return false };
        let tells = call.args.is_empty()
            || self.is_of_user(root) && call.args.iter().all(|arg| self.is_discrete(arg));
        tells && !self.is_known(&call.receiver)
    }

    /// Whether an operand is an integer or a truth value.
    fn is_discrete(&self, expr: &Expr) -> bool {
        matches!(self.known(expr), Some(Known::Data(ty)) if ty.is_discrete())
    }

    /// Whether a value is what a function returns, or a method that is called with nothing else.
    fn is_told(&self, expr: &Expr) -> bool {
        match strip(expr) {
            Expr::Call(_) => true,
            Expr::MethodCall(call) => self.is_getter(call),
            _ => false,
        }
    }

    fn closure(&mut self, closure: &syn::ExprClosure, given: Option<&Known>) {
        let depth = self.inner.len();
        for input in &closure.inputs {
            self.bind(input, given);
        }
        self.expr(&closure.body, Use::Handed);
        self.inner.truncate(depth);
    }

    fn macro_call(&mut self, mac: &syn::Macro) {
        let name = macros::name_of(mac);
        if name == "matches"
            && let Some(choice) = choice_of_matches(mac)
        {
            return self.expr(&Expr::Match(choice), Use::Read);
        }
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        let (Some(class), Ok(args)) = (macros::class_of(&name), list.parse2(mac.tokens.clone()))
        else {
            self.unknown_given(mac.tokens.clone());
            return self.tokens(mac.tokens.clone());
        };
        self.access.class = self.access.class.max(class);
        let asserts = std::mem::replace(&mut self.asserts, macros::is_check(&name));
        for (position, arg) in args.iter().enumerate() {
            match arg {
                // `name = value` names an argument.
                Expr::Assign(named) => self.expr(&named.right, Use::Read),
                arg if position == 0 && ["write", "writeln"].contains(&name.as_str()) => {
                    self.expr(arg, Use::Written);
                }
                // What is printed is looked at.
                arg => self.expr(arg, Use::Read),
            }
        }
        self.asserts = asserts;
    }

    /// Code of unknown syntax.
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    let path = syn::ExprPath { attrs: Vec::new(), qself: None, path: ident.into() };
                    self.path(&path, Use::Written, false);
                }
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Literal(_) | TokenTree::Punct(_) => {}
            }
        }
    }
}
