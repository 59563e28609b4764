//! Loops: over ranges, over the elements of lists, `while`, `loop`.

use super::choices::has_let;
use super::closures::leaves_function;
use super::items::takes;
use super::places::strip;
use super::without_floats::names_collection;
use super::{Breakable, Destination, Lowerer, Operand};
use crate::index::Label;
use crate::ir::{
    Adaptor, BinaryOp, Block, Expr, Loop, LoopKind, Range, StmtKind, Target, exits_of_block,
};
use crate::stdlib::{self, Role};
use crate::types::Type;
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Pat, parse_quote_spanned};

impl Lowerer<'_> {
    /// The body of a loop. If something continues the loop early, the iteration is a labelled block.
    pub(super) fn iteration(
        &mut self,
        name: Option<&syn::Label>,
        label: Label,
        destination: &Destination,
        lower: impl FnOnce(&mut Self),
    ) -> Block {
        let iteration = self.body.numbering.label();
        self.breakables.push(Breakable {
            name: name.map(|label| label.name.ident.to_string()),
            label,
            iteration: Some(iteration),
            destination: destination.clone(),
        });
        let body = self.in_block(lower);
        self.breakables.pop();
        let continues = exits_of_block(&body).iter().any(|exit| exit.0 == iteration);
        if !continues {
            return body;
        }
        let span = body.stmts.first().map_or_else(Span::call_site, |stmt| stmt.span);
        let target = Some(Target { label: iteration, exit: None });
        let block = self.body.stmt(StmtKind::Block { target, body }, span);
        self.body.new_block(vec![block])
    }

    pub(super) fn emit_loop(&mut self, label: Label, kind: LoopKind, body: Block, span: Span) {
        let target = Target { label, exit: None };
        self.emit(StmtKind::Loop(Loop { target, kind, trips: None, body }), span);
    }

    /// `loop { … }`
    pub(super) fn endless_loop(&mut self, repetition: &syn::ExprLoop, destination: &Destination) {
        let label = self.body.numbering.label();
        let body = self.iteration(repetition.label.as_ref(), label, destination, |this| {
            this.block_into(&repetition.body, &Destination::Discard);
        });
        self.emit_loop(label, LoopKind::Forever, body, repetition.loop_token.span());
    }

    /// `while condition { … }`
    pub(super) fn while_loop(&mut self, repetition: &syn::ExprWhile) {
        let span = repetition.while_token.span();
        if self.while_popped(repetition, span) || self.while_next(repetition, span) {
            return;
        }
        if has_let(&repetition.cond) {
            let whole = syn::Expr::While(repetition.clone());
            match self.can_stay(&whole) {
                true => self.opaque_statement_expr(&whole),
                false => self.while_let(repetition),
            }
            return;
        }
        let label = self.body.numbering.label();
        let outer = std::mem::take(&mut self.out);
        let test = self.truth_value(&repetition.cond);
        let effects = std::mem::replace(&mut self.out, outer);
        let name = repetition.label.as_ref();
        let lower = |this: &mut Self| this.block_into(&repetition.body, &Destination::Discard);
        let mut body = self.iteration(name, label, &Destination::Discard, lower);
        if effects.is_empty() {
            self.emit_loop(label, LoopKind::While { test }, body, span);
            return;
        }
        // A condition with effects is evaluated once per iteration, by statements.
        let exit = self.body.stmt(StmtKind::Exit { label, code: 0 }, span);
        let (then, otherwise) = (self.body.new_block(vec![exit]), self.body.new_block(Vec::new()));
        let leave = StmtKind::If { test: Expr::negated(test), then, otherwise };
        let leave = self.body.stmt(leave, span);
        body.stmts.splice(0..0, effects.into_iter().chain([leave]));
        self.emit_loop(label, LoopKind::Forever, body, span);
    }

    /// `while let Some(pattern) = list.pop() { … }`
    fn while_popped(&mut self, repetition: &syn::ExprWhile, span: Span) -> bool {
        let syn::Expr::Let(condition) = strip(&repetition.cond) else { return false };
        let Pat::TupleStruct(some) = &*condition.pat else { return false };
        if !some.path.is_ident("Some")
            || some.elems.len() != 1
            || !Self::understands(&some.elems[0])
        {
            return false;
        }
        let list = self.attempt("a list that is emptied", |this| this.popped_list(&condition.expr));
        let Some(list) = list else { return false };
        let label = self.body.numbering.label();
        let name = repetition.label.as_ref();
        let exit = StmtKind::Exit { label, code: 0 };
        let body = self.iteration(name, label, &Destination::Discard, |this| {
            let taken = this.take_last(&list, span);
            this.bind_operand(&some.elems[0], Operand::Value(taken));
            this.block_into(&repetition.body, &Destination::Discard);
        });
        // The test stands before the iteration, which `continue` may leave.
        let len = self.len_of(list, span);
        let empty = Expr::test(BinaryOp::Eq, len, Expr::usize(0));
        let exit = self.body.stmt(exit, span);
        let (then, otherwise) = (self.body.new_block(vec![exit]), self.body.new_block(Vec::new()));
        let leave = self.body.stmt(StmtKind::If { test: empty, then, otherwise }, span);
        let mut body = body;
        body.stmts.insert(0, leave);
        self.emit_loop(label, LoopKind::Forever, body, span);
        true
    }

    /// `for pattern in items { … }`
    pub(super) fn for_loop(&mut self, repetition: &syn::ExprForLoop) {
        if let Some((start, end, inclusive, steps)) = range_of(&repetition.expr) {
            self.range_loop(repetition, start, end, inclusive, &steps);
            return;
        }
        let span = repetition.for_token.span();
        let done = self.attempt("a loop over an iterator", |this| {
            let pipeline =
                takes(&repetition.pat).then(|| this.iterated(&repetition.expr)).flatten()?;
            let sink = Box::new(|this: &mut Lowerer<'_>, item, _| {
                this.body_for(&repetition.pat, item, &repetition.body);
            });
            this.drive(pipeline, repetition.label.as_ref(), span, sink)
        });
        if done.is_some() {
            return;
        }
        let whole = syn::Expr::ForLoop(repetition.clone());
        // Where derivatives pass through the iterator itself, the loop is what is refused.
        let is_active = self.calls.has(&Ident::new("into_iter", span));
        let is_wanted = self.calls.has(&site_of_loop(repetition)) || leaves_function(&whole);
        if is_wanted && !is_active && self.loop_over_state(repetition) {
            return;
        }
        self.opaque_statement_expr(&whole);
    }

    /// Whether an iterator is one of a text, or of a collection that is no list: it calls nothing that is annotated.
    pub(super) fn goes_through_collection(&mut self, source: &syn::Expr) -> bool {
        match strip(source) {
            syn::Expr::Lit(_) => true,
            syn::Expr::MethodCall(call) => self.goes_through_collection(&call.receiver),
            syn::Expr::Reference(reference) => self.goes_through_collection(&reference.expr),
            source @ (syn::Expr::Path(_) | syn::Expr::Field(_)) => self.glimpse(|this| {
                let place = this.place(source);
                let ty = place.map(|place| this.type_of(&place));
                match ty.map(|ty| this.types.shallow(&ty)) {
                    Some(Type::Named(name)) => {
                        names_collection(&name) || ["str", "String"].contains(&&*name)
                    }
                    Some(_) | None => false,
                }
            }),
            _ => false,
        }
    }

    /// A loop over an iterator that is not known, in which derivatives pass: each item is had by code of which nothing is known.
    ///
    /// ```text
    /// for (name, k) in &table { … }          let mut items = (&table).into_iter(); while let Some((name, k)) = items.next() { … }
    /// ```
    fn loop_over_state(&mut self, repetition: &syn::ExprForLoop) -> bool {
        if goes_through_temporary(&repetition.expr) {
            return false;
        }
        let span = repetition.for_token.span();
        let (label, pat, body) = (&repetition.label, &repetition.pat, &repetition.body);
        let source = &repetition.expr;
        let items = Ident::new(&self.body.names.fresh("items"), span);
        let block: syn::Block = parse_quote_spanned! {span=> {
            let mut #items = ::core::iter::IntoIterator::into_iter(#source);
            #label while let ::core::option::Option::Some(#pat) = ::core::iter::Iterator::next(&mut #items) #body
        }};
        self.block_into(&block, &Destination::Discard);
        true
    }

    fn range_loop(
        &mut self,
        repetition: &syn::ExprForLoop,
        start: &syn::Expr,
        end: &syn::Expr,
        inclusive: bool,
        steps: &[Step<'_>],
    ) {
        let span = repetition.for_token.span();
        let mut exprs = vec![start, end];
        exprs.extend(steps.iter().filter_map(|step| match step {
            Step::Rev => None,
            Step::By(count) => Some(*count),
        }));
        let mut values = self.values(&exprs).into_iter();
        let (start, end) = (values.next().expect("a start"), values.next().expect("an end"));
        self.types.unify(&start.ty, &end.ty);
        let adaptors = steps.iter().map(|step| match step {
            Step::Rev => Adaptor::Rev,
            Step::By(_) => Adaptor::StepBy(values.next().expect("a count for each step")),
        });
        let adaptors: Vec<Adaptor> = adaptors.collect();
        for adaptor in &adaptors {
            if let Adaptor::StepBy(count) = adaptor {
                self.types.unify(&count.ty, &Type::USIZE);
            }
        }
        let ty = start.ty.clone();
        let range = Range { start, end, inclusive, adaptors };
        let Some((name, pattern_span, is_mutable)) = loop_variable(&repetition.pat) else {
            self.unsupported_pattern(&repetition.pat);
            return;
        };
        let var = match &name {
            Some(name) => self.new_user_variable(name, ty, pattern_span),
            None => self.body.local("i", ty, pattern_span),
        };
        self.counters.insert(var);
        let label = self.body.numbering.label();
        let body =
            self.iteration(repetition.label.as_ref(), label, &Destination::Discard, |this| {
                if let Some(name) = &name {
                    this.bind(name, var);
                    if is_mutable {
                        // A loop variable that the body changes is a copy of the one that counts.
                        let value = this.load(var, pattern_span);
                        let copy = this.declare(name, value, pattern_span);
                        this.mutable.insert(copy);
                    }
                }
                this.block_into(&repetition.body, &Destination::Discard);
            });
        self.emit_loop(label, LoopKind::Counted { var, range }, body, span);
    }
}

/// What tells a loop from others.
pub(super) fn site_of_loop(repetition: &syn::ExprForLoop) -> Ident {
    Ident::new("for", repetition.for_token.span())
}

/// Whether an iterator may refer to a value that dies with the statement it is made in.
fn goes_through_temporary(source: &syn::Expr) -> bool {
    fn is_place(expr: &syn::Expr) -> bool {
        match strip(expr) {
            syn::Expr::Path(_) | syn::Expr::Lit(_) => true,
            syn::Expr::Field(field) => is_place(&field.base),
            syn::Expr::Index(index) => is_place(&index.expr),
            syn::Expr::Unary(unary) => is_place(&unary.expr),
            _ => false,
        }
    }
    match strip(source) {
        syn::Expr::Reference(reference) => !is_place(&reference.expr),
        syn::Expr::MethodCall(call) if is_place(&call.receiver) => false,
        // Adaptors take the iterator that they go on from.
        syn::Expr::MethodCall(call) => {
            !stdlib::is(&call.method, Role::MakesIterator) || goes_through_temporary(&call.receiver)
        }
        syn::Expr::Call(_) | syn::Expr::Macro(_) => false,
        syn::Expr::Array(syn::ExprArray { elems, .. })
        | syn::Expr::Tuple(syn::ExprTuple { elems, .. }) => {
            elems.iter().any(goes_through_temporary)
        }
        source => !is_place(source),
    }
}

/// A step of a range.
enum Step<'e> {
    Rev,
    By(&'e syn::Expr),
}

type RangeParts<'e> = (&'e syn::Expr, &'e syn::Expr, bool, Vec<Step<'e>>);

/// The parts of `a..b`, perhaps with `.rev()` and `.step_by(n)`.
fn range_of(expr: &syn::Expr) -> Option<RangeParts<'_>> {
    match strip(expr) {
        syn::Expr::Range(range) => {
            let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
            Some((range.start.as_deref()?, range.end.as_deref()?, inclusive, Vec::new()))
        }
        syn::Expr::MethodCall(call) => {
            let (start, end, inclusive, mut steps) = range_of(&call.receiver)?;
            match (call.method.to_string().as_str(), call.args.first()) {
                ("rev", None) => steps.push(Step::Rev),
                ("step_by", Some(count)) if call.args.len() == 1 => steps.push(Step::By(count)),
                _ => return None,
            }
            Some((start, end, inclusive, steps))
        }
        _ => None,
    }
}

/// The name a loop pattern binds, if it binds one, and whether the body may change it.
fn loop_variable(pat: &Pat) -> Option<(Option<String>, Span, bool)> {
    match pat {
        Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
            Some((Some(ident.ident.to_string()), ident.ident.span(), ident.mutability.is_some()))
        }
        Pat::Wild(_) => Some((None, pat.span(), false)),
        Pat::Paren(inner) => loop_variable(&inner.pat),
        Pat::Type(inner) => loop_variable(&inner.pat),
        _ => None,
    }
}
