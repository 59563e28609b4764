//! Code that is kept as it is: what does it mention, what may it write, how does control leave it?
//!
//! Verbatim code is fine as long as no derivative passes through it.

use super::access::Access;
use super::loops::site_of_loop;
use super::macros;
use super::operators::operator_of;
use super::pipelines::lists_gone_through;
use super::places::strip;
use super::receivers::callee_of;
use super::variants::is_constant;
use super::{Destination, Lowerer, fence};
use crate::index::Var;
use crate::ir::{Binding, Class, Ending, Expr, ExprKind, Opaque, Refusal, StmtKind};
use crate::read::looks_like_variable;
use crate::types::Type;
use crate::walk::visit::{self, Visit};
use crate::walk::visit_mut::{self, VisitMut};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use std::rc::Rc;
use syn::Local;
use syn::spanned::Spanned;

/// Whether this is a variable, or a field of one.
fn is_of_fields(expr: &syn::Expr) -> bool {
    match strip(expr) {
        syn::Expr::Path(_) => true,
        syn::Expr::Field(field) => is_of_fields(&field.base),
        _ => false,
    }
}

/// The receivers of which code asks the `capacity`.
#[derive(Default)]
struct Capacities<'ast>(Vec<&'ast syn::ExprMethodCall>);

impl<'ast> Visit<'ast> for Capacities<'ast> {
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if call.method == "capacity" && call.args.is_empty() {
            self.0.push(call);
        }
        visit::visit_expr_method_call(self, call);
    }
}

/// What is not understood of a `let`.
#[derive(Clone, Copy)]
pub(super) enum UnknownLocal {
    Pattern,
    Value,
    /// The value is that of verbatim code, which may return a reference, so that the pattern would bind references.
    Kept,
}

impl Lowerer<'_> {
    /// The value of verbatim code, in a variable of its own.
    pub(super) fn opaque_value(&mut self, expr: &syn::Expr) -> Expr {
        let refusal = Some(self.refusal(expr));
        self.verbatim_value(expr, refusal)
    }

    /// The same in one piece, whose temporaries die at the end of the statement, where they do in Rust.
    pub(super) fn opaque_whole(&mut self, expr: &syn::Expr) -> Expr {
        let refusal = Some(self.refusal(expr));
        let opaque = self.verbatim(expr, refusal);
        self.named_verbatim(opaque, fence::token_of(expr))
    }

    fn named_verbatim(&mut self, opaque: Opaque, span: Span) -> Expr {
        let ty = self.types.fresh();
        let value = Expr::new(ExprKind::Opaque(Rc::new(opaque)), ty, span);
        let var = self.name_value("value", value);
        self.load(var, span)
    }

    /// Why code is not differentiated, and what could be tried if a derivative has to pass through it: first whether what it goes
    /// through is a list, and what a value is that is converted.
    fn refusal(&mut self, expr: &syn::Expr) -> Refusal {
        self.refuse_capacities(expr);
        let mut refusal = fence::refusal(expr);
        if let syn::Expr::ForLoop(repetition) = expr
            && self.goes_through_collection(&repetition.expr)
        {
            refusal.callee = Some(site_of_loop(repetition));
            return refusal;
        }
        if let Some(reason) = std::mem::take(&mut self.tried).last() {
            reason.explain(&mut refusal);
        }
        let list = lists_gone_through(expr).into_iter().find(|list| !self.calls.has(list));
        let converted = match expr {
            syn::Expr::MethodCall(call) if call.method == "into" => {
                callee_of(strip(&call.receiver))
            }
            _ => None,
        };
        let indexed = match expr {
            syn::Expr::Index(index) => self.call_before(strip(&index.expr)),
            _ => None,
        };
        let known_before = converted.or(indexed).filter(|callee| !self.calls.has(callee));
        let named_like_those_of_lists =
            callee_of(expr).filter(|name| self.is_method_of_users(&name.to_string()));
        let own = self.method_named_like_others(expr);
        let callee = own.or(list).or(known_before).or(refusal.callee);
        refusal.callee = callee.or(named_like_those_of_lists);
        refusal
    }

    /// An operator or a method of users in what is indexed, or in its operands, that is not known to be one yet.
    fn call_before(&self, expr: &syn::Expr) -> Option<Ident> {
        let is_new = |name: &Ident| !self.calls.has(name);
        match expr {
            syn::Expr::Binary(binary) => self
                .call_before(strip(&binary.left))
                .or_else(|| self.call_before(strip(&binary.right)))
                .or_else(|| operator_of(expr).filter(is_new)),
            syn::Expr::Unary(unary) => {
                self.call_before(strip(&unary.expr)).or_else(|| operator_of(expr).filter(is_new))
            }
            syn::Expr::Reference(reference) => self.call_before(strip(&reference.expr)),
            syn::Expr::MethodCall(call) => {
                let is_own = self.is_method_of_users(&call.method.to_string());
                let own = Some(call.method.clone()).filter(|name| is_own && is_new(name));
                self.call_before(strip(&call.receiver)).or(own)
            }
            _ => None,
        }
    }

    /// Whether any type of the crate has a method of that name, as far as is declared.
    fn is_method_of_users(&self, name: &str) -> bool {
        let declared = &self.options.declared;
        declared.has_method(name) || declared.has_receiver(name)
    }

    /// Refuses what depends on the capacity of a list: sweeps go by copies of lists, which are equal in all but that. Types of users
    /// have capacities of other kinds.
    fn refuse_capacities(&mut self, expr: &syn::Expr) {
        let mut asked = Capacities::default();
        asked.visit_expr(expr);
        for call in asked.0 {
            if self.may_be_copied_list(&call.receiver) {
                self.errors.report(
                    call.method.span(),
                    "what depends on a `capacity` is not differentiated",
                    "a copy of a list has another capacity than the list: let it depend on `len`, or mark the \
                     expression `#[passive]` if all is the same for any capacity",
                );
            }
        }
    }

    /// Whether a value may be a list that sweeps have a copy of: a passive parameter is what the caller has.
    fn may_be_copied_list(&mut self, value: &syn::Expr) -> bool {
        let place = is_of_fields(value).then(|| self.place(value)).flatten();
        let Some(place) = place else { return true };
        let root = self.body.resolve(&place).root;
        let mut with_bars = self.body.independents.iter().chain(&self.body.dependents);
        let is_passive = self.body.params.contains(&root) && !with_bars.any(|&var| var == root);
        let ty = self.type_of(&place);
        !is_passive && !matches!(self.types.shallow(&ty), Type::Named(_))
    }

    /// The value of code that the user declares to be passive.
    pub(super) fn passive_value(&mut self, expr: &syn::Expr) -> Expr {
        self.verbatim_value(expr, None)
    }

    pub(super) fn verbatim_value(&mut self, expr: &syn::Expr, refusal: Option<Refusal>) -> Expr {
        let span = fence::token_of(expr);
        let (apart, names) = self.taken_apart(expr, refusal.as_ref());
        self.scopes.push(names);
        let mut opaque = self.verbatim(&apart, refusal);
        self.scopes.pop();
        if is_constant(expr) {
            opaque.class = Class::Pure;
        }
        let callee = opaque.refusal.as_ref().and_then(|refusal| refusal.callee.as_ref());
        let ty = if callee.is_some_and(|callee| self.calls.is_integer(callee)) {
            let facade = self.facade();
            let tokens = opaque.tokens;
            opaque.tokens = quote_spanned!(span=> #facade::__private::whole(#tokens));
            self.types.int_literal()
        } else {
            self.types.fresh()
        };
        let value = Expr::new(ExprKind::Opaque(Rc::new(opaque)), ty, span);
        let var = self.name_value("value", value);
        self.load(var, span)
    }

    /// A variable for a part of verbatim code. Where a derivative would pass through it, it would pass through the whole, and that is
    /// refused, once.
    pub(super) fn part_of_verbatim(
        &mut self,
        part: &syn::Expr,
        refusal: Option<Refusal>,
        span: Span,
    ) -> Var {
        let opaque = self.verbatim(part, refusal);
        self.named_verbatim(opaque, span).as_var().expect("it has a name")
    }

    /// Verbatim code whose value no derivative passes through, for it is not returned as a result.
    pub(super) fn verbatim_cut(&mut self, expr: &syn::Expr) -> Opaque {
        self.verbatim(expr, None)
    }

    /// Verbatim code whose value is dropped.
    pub(super) fn opaque_statement_expr(&mut self, expr: &syn::Expr) {
        let refusal = Some(self.refusal(expr));
        let mut access = self.access_of_statement(expr);
        let wholes = self.put_together_for(&mut access);
        let mut opaque = self.resolved(expr.clone(), access, refusal, |expr, resolver| {
            resolver.whole = wholes.iter().map(|whole| whole.var).collect();
            resolver.visit_expr_mut(expr);
        });
        if let syn::Expr::Macro(mac) = expr {
            opaque.ending = macros::ending(&macros::name_of(&mac.mac));
        }
        let tokens = std::mem::take(&mut opaque.tokens);
        opaque.tokens = terminated(expr, tokens);
        let opaque = self.with_wholes(&wholes, opaque);
        self.emit(StmtKind::Opaque(Rc::new(opaque)), fence::token_of(expr));
    }

    /// An expression or statement marked `#[passive]`.
    pub(super) fn passive_into(&mut self, expr: &syn::Expr, destination: &Destination) {
        if let syn::Expr::Assign(assign) = expr {
            let value = self.passive_value(&assign.right);
            match self.place(&assign.left) {
                Some(place) => self.assign(place, value, assign.span()),
                None => self.unsupported_passive(expr.span()),
            }
            return;
        }
        if !matches!(destination, Destination::Discard) {
            let value = self.passive_value(expr);
            self.store(destination, value);
            return;
        }
        let access = self.access_of_statement(expr);
        let opaque = self.resolved(expr.clone(), access, None, |expr, resolver| {
            resolver.visit_expr_mut(expr);
        });
        if !opaque.writes.is_empty() {
            self.unsupported_passive(expr.span());
        }
        let tokens = terminated(expr, opaque.tokens.clone());
        self.emit(StmtKind::Opaque(Rc::new(Opaque { tokens, ..opaque })), expr.span());
    }

    fn unsupported_passive(&self, span: Span) {
        self.errors.report(
            span,
            "`#[passive]` on a statement that changes variables is not supported",
            "mark the value that is assigned: `y = (#[passive] g(x));`",
        );
    }

    /// `let` with a pattern or initialiser that is not understood: the statement as it is.
    pub(super) fn opaque_local(&mut self, local: &Local, unknown: UnknownLocal) {
        let Some(init) = &local.init else { return };
        let refused = |what: &str| Refusal {
            what: what.to_owned(),
            help: "bind a value to a name, and take it apart with field accesses and indices"
                .into(),
            callee: None,
        };
        let refusal = match unknown {
            UnknownLocal::Pattern => refused("this pattern"),
            UnknownLocal::Value => refused("this value"),
            // It may be a call of an annotated function.
            UnknownLocal::Kept => self.refusal(&init.expr),
        };
        let mut names = Vec::new();
        collect_names(&local.pat, &mut names);
        let mut local = local.clone();
        let access = self.access_of_local(&local);
        let Some(init) = &mut local.init else { return };
        // The names of the pattern are not in scope in its own initialiser.
        let mut expr = (*init.expr).clone();
        let value =
            self.resolved(expr.clone(), access, Some(refusal.clone()), |inner, resolver| {
                resolver.visit_expr_mut(inner);
                expr = inner.clone();
            });
        *init.expr = expr;
        let mut declares = Vec::new();
        for ident in &names {
            let ty = self.types.fresh();
            let var = self.user_variable(&ident.to_string(), ty, Binding::Value, ident.span());
            declares.push(var);
        }
        let other = self.resolved(local.clone(), Access::default(), None, |local, resolver| {
            resolver.visit_pat_mut(&mut local.pat);
            if let Some((_, diverge)) = local.init.as_mut().and_then(|i| i.diverge.as_mut()) {
                resolver.visit_expr_mut(diverge);
            }
        });
        let not_own = |var: &Var| !declares.contains(var);
        let reads = value.reads.into_iter().chain(other.reads.into_iter().filter(not_own));
        let writes = value.writes.into_iter().chain(other.writes.into_iter().filter(not_own));
        let opaque = Opaque {
            tokens: other.tokens,
            reads: reads.collect(),
            writes: writes.collect(),
            declares,
            class: value.class,
            ending: Ending::Continues,
            calls_unknown: value.calls_unknown,
            refusal: Some(refusal),
        };
        self.emit(StmtKind::Opaque(Rc::new(opaque)), local.pat.span());
    }

    /// Tokens of the library's own, as a verbatim statement.
    pub(super) fn opaque_tokens(
        &mut self,
        tokens: TokenStream,
        class: Class,
        ending: Ending,
    ) -> StmtKind {
        StmtKind::Opaque(Rc::new(Opaque {
            tokens,
            reads: Vec::new(),
            writes: Vec::new(),
            declares: Vec::new(),
            class,
            ending,
            calls_unknown: false,
            refusal: None,
        }))
    }
}

/// The code as a statement: with a semicolon unless it is a block.
fn terminated(expr: &syn::Expr, tokens: TokenStream) -> TokenStream {
    match expr {
        syn::Expr::If(_)
        | syn::Expr::Match(_)
        | syn::Expr::Block(_)
        | syn::Expr::ForLoop(_)
        | syn::Expr::While(_)
        | syn::Expr::Loop(_)
        | syn::Expr::Unsafe(_) => tokens,
        _ => {
            // Where it stood, a block could begin an expression: `|x| { x }.push(1)`.
            let begins_with_block = match tokens.clone().into_iter().next() {
                Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
                Some(TokenTree::Ident(first)) => ["if", "match", "for", "while", "loop", "unsafe"]
                    .iter()
                    .any(|word| first == word),
                Some(TokenTree::Punct(first)) => first.as_char() == '\'',
                Some(TokenTree::Literal(_)) | None => false,
            };
            if begins_with_block { quote!((#tokens);) } else { quote!(#tokens;) }
        }
    }
}

fn collect_names(pat: &syn::Pat, names: &mut Vec<proc_macro2::Ident>) {
    struct Names<'n>(&'n mut Vec<proc_macro2::Ident>);
    impl VisitMut for Names<'_> {
        fn visit_pat_ident_mut(&mut self, pat: &mut syn::PatIdent) {
            if looks_like_variable(&pat.ident) {
                self.0.push(pat.ident.clone());
            }
            visit_mut::visit_pat_ident_mut(self, pat);
        }
    }
    Names(names).visit_pat_mut(&mut pat.clone());
}
