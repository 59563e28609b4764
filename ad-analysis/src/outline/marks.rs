//! Finds the blocks and loops with `#[checkpoint]`, `#[fixed_point]` and their kin, and marks them for lowering.

use super::convergence::FixedPoint;
use super::exits::{Left, Own, binds, returning};
use super::plan::{Length, Plan, expressions_of};
use crate::diag::Errors;
use crate::lower::SITE;
use crate::lower::annotated::HAS_TANGENTS;
use crate::walk::visit::Visit;
use crate::walk::visit_mut::VisitMut;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Attribute, Block, Expr, ExprForLoop, ItemFn, Pat, RangeLimits, Stmt};

/// A block or a loop whose inside becomes a function.
pub struct Mark {
    /// The body of the function. Exits of a loop are returns.
    pub body: Block,
    /// What it is made of.
    pub shape: Shape,
    /// Where the attribute is.
    pub span: Span,
}

/// What has become a function.
pub enum Shape {
    /// `#[checkpoint] { … }`
    Block,
    /// `#[checkpoint(…)]` on a loop.
    Loop(Box<Repetition>),
}

/// A loop whose body is a function.
pub struct Repetition {
    /// How it is reversed.
    pub reversal: Reversal,
    /// `for i in a..b`
    pub range: Option<Range>,
    /// What is false after the last iteration, if only the iterations know which that is.
    pub goes_on: Option<Ident>,
}

/// How a loop is reversed.
pub enum Reversal {
    /// Its steps run again as a schedule says.
    Schedule(Box<Plan>),
    /// What it converges to has an adjoint of its own.
    FixedPoint(Box<FixedPoint>),
    /// Each iteration is reversed by itself.
    Independent,
}

/// A range, and what its numbers are called.
pub struct Range {
    /// The loop variable.
    pub pat: Pat,
    /// The first value.
    pub start: Expr,
    /// The end.
    pub end: Expr,
}

impl Mark {
    /// The loop.
    pub(super) fn repetition(&self) -> Option<&Repetition> {
        match &self.shape {
            Shape::Block => None,
            Shape::Loop(repetition) => Some(repetition),
        }
    }

    /// Whether anybody asks for its tangent: that of all but fixed-point loops is that of ordinary ones.
    pub fn has_tangent(&self) -> bool {
        HAS_TANGENTS && self.is_fixed_point()
    }

    /// Whether it is a fixed-point loop.
    pub fn is_fixed_point(&self) -> bool {
        let reversal = self.repetition().map(|repetition| &repetition.reversal);
        matches!(reversal, Some(Reversal::FixedPoint(_)))
    }

    /// Whether there is a fixed-point loop inside.
    pub fn has_fixed_point_inside(&self) -> bool {
        struct Search(bool);
        impl<'ast> Visit<'ast> for Search {
            fn visit_attribute(&mut self, attribute: &'ast Attribute) {
                self.0 |= attribute.path().is_ident(FIXED_POINT);
            }
        }
        let mut search = Search(false);
        search.visit_block(&self.body);
        search.0
    }

    /// What it is called in messages.
    pub(super) fn described(&self) -> &'static str {
        match self.repetition().map(|repetition| &repetition.reversal) {
            None => "a checkpointed block",
            Some(Reversal::Schedule(_)) => "a checkpointed loop",
            Some(Reversal::FixedPoint(_)) => "a fixed-point loop",
            Some(Reversal::Independent) => "an independent loop",
        }
    }
}

impl Repetition {
    /// The parameter of the step that keeps it from ending the loop, if there is one.
    pub(super) fn completes(&self) -> Option<&Ident> {
        match &self.reversal {
            Reversal::Schedule(_) | Reversal::Independent => None,
            Reversal::FixedPoint(found) => Some(&found.completes),
        }
    }

    pub(super) fn length(&self) -> Length {
        match &self.goes_on {
            Some(_) => Length::FoundOut,
            None => Length::Known,
        }
    }
}

/// Marks the blocks and loops with such attributes that are not inside of others. What is wrong with them is
/// reported.
pub fn mark(function: &mut ItemFn, errors: &Errors) -> Vec<Mark> {
    let [goes_on, completes] = ["goes_on", "completes"].map(|name| free_name(function, name));
    let mut marker = Marker { marks: Vec::new(), goes_on, completes, errors };
    marker.visit_block_mut(&mut function.block);
    if marker.marks.is_empty() {
        return Vec::new();
    }
    let mut items = Items(None);
    for stmt in &function.block.stmts {
        match stmt {
            // The steps have them, too.
            Stmt::Item(_) => {}
            stmt => items.visit_stmt(stmt),
        }
    }
    if let Some(item) = items.0 {
        errors.report(
            item,
            "an item in a block around a checkpointed block or loop is not supported yet",
            "declare it at the top of the function, or outside",
        );
    }
    marker.marks
}

/// Looks for an item that the steps might not see: not for those inside of them.
struct Items(Option<Span>);

impl<'ast> Visit<'ast> for Items {
    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        if position_of(&mut stmt.clone()).is_none() {
            crate::walk::visit::visit_stmt(self, stmt);
        }
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        self.0.get_or_insert(item.span());
    }
}

/// A name that the function does not mention.
fn free_name(function: &ItemFn, name: &str) -> String {
    let text = function.to_token_stream().to_string();
    let is_taken = |name: &str| {
        text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
    };
    let mut name = name.to_owned();
    while is_taken(&name) {
        name.push('_');
    }
    name
}

struct Marker<'e> {
    marks: Vec<Mark>,
    /// The name of the variable that ends a loop.
    goes_on: String,
    /// The name of the variable that keeps a fixed-point loop from ending.
    completes: String,
    errors: &'e Errors,
}

impl VisitMut for Marker<'_> {
    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        let Some(attribute) = taken(stmt) else {
            crate::walk::visit_mut::visit_stmt_mut(self, stmt);
            return;
        };
        let Stmt::Expr(expr, _) = stmt else { return };
        if let Some(mark) = self.mark(&attribute, expr) {
            let (site, position) = (site(), self.marks.len());
            // Those inside are the business of the step.
            Plain.visit_expr_mut(expr);
            if let Some((attrs, _)) = attributed(expr) {
                attrs.push(syn::parse_quote!(#[#site(#position)]));
            }
            self.marks.push(mark);
        }
    }

    /// What a closure captures is not known before it is called.
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Takes the attributes from checkpointed blocks and loops.
struct Plain;

impl VisitMut for Plain {
    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        taken(stmt);
        crate::walk::visit_mut::visit_stmt_mut(self, stmt);
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// What can be checkpointed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Block,
    Loop,
}

/// The attributes of a block or a loop.
fn attributed(expr: &mut Expr) -> Option<(&mut Vec<Attribute>, Kind)> {
    match expr {
        Expr::Block(block) => Some((&mut block.attrs, Kind::Block)),
        Expr::ForLoop(repetition) => Some((&mut repetition.attrs, Kind::Loop)),
        Expr::While(repetition) => Some((&mut repetition.attrs, Kind::Loop)),
        Expr::Loop(repetition) => Some((&mut repetition.attrs, Kind::Loop)),
        _ => None,
    }
}

/// Takes the attribute from a block or a loop that is a statement.
fn taken(stmt: &mut Stmt) -> Option<Attribute> {
    let Stmt::Expr(expr, _) = stmt else { return None };
    let (attrs, kind) = attributed(expr)?;
    let at = attrs.iter().position(|attribute| is_ours(attribute, kind))?;
    Some(attrs.remove(at))
}

/// A block has no schedule, a loop has one. On a block `#[split]` has to be refused.
fn is_ours(attribute: &Attribute, kind: Kind) -> bool {
    let path = attribute.path();
    match kind {
        Kind::Block => path.is_ident("checkpoint") || path.is_ident("split"),
        Kind::Loop => {
            let has_schedule = path.is_ident("checkpoint") && attribute.meta.require_list().is_ok();
            has_schedule || path.is_ident(FIXED_POINT) || path.is_ident(INDEPENDENT)
        }
    }
}

/// A statement that mentions what the attribute of a loop mentions and does nothing: without the attribute,
/// rustc would call it unused.
pub fn mentions(attribute: &Attribute) -> TokenStream {
    let mentioned = match is_ours(attribute, Kind::Loop) {
        true => expressions_of(attribute),
        false => Vec::new(),
    };
    if mentioned.is_empty() {
        return TokenStream::new();
    }
    quote!(if false { #(let _ = &#mentioned;)* })
}

const FIXED_POINT: &str = "fixed_point";
const INDEPENDENT: &str = "independent";

fn site() -> Ident {
    Ident::new(SITE, Span::call_site())
}

/// Which of the marks a statement has; the attribute is taken away.
pub(super) fn position_of(stmt: &mut Stmt) -> Option<usize> {
    let Stmt::Expr(expr, _) = stmt else { return None };
    let (attrs, _) = attributed(expr)?;
    let at = attrs.iter().position(|attribute| attribute.path().is_ident(SITE))?;
    let number: syn::LitInt = attrs.remove(at).parse_args().ok()?;
    number.base10_parse().ok()
}

const RANGES: &str = "write `for i in a..b`";

/// A loop that becomes a function.
struct OwnLoop<'a> {
    body: Block,
    label: Option<&'a syn::Label>,
}

impl Marker<'_> {
    fn mark(&self, attribute: &Attribute, expr: &Expr) -> Option<Mark> {
        match expr {
            _ if attribute.path().is_ident(FIXED_POINT) => self.fixed_point(attribute, expr),
            Expr::ForLoop(repetition) => self.counted(attribute, repetition),
            _ if attribute.path().is_ident(INDEPENDENT) => {
                self.refuse(attribute.meta.span(), "an independent loop of this kind", RANGES)
            }
            Expr::Block(block) => self.block(attribute, block),
            Expr::While(repetition) => {
                let (condition, body) = (&repetition.cond, &repetition.body);
                let goes_on = self.goes_on(expr.span());
                let step = syn::parse_quote!({ if #condition #body else { *#goes_on = false; } });
                let own = OwnLoop { body: step, label: repetition.label.as_ref() };
                self.scheduled(attribute, own, None)
            }
            Expr::Loop(repetition) => {
                let (body, label) = (repetition.body.clone(), repetition.label.as_ref());
                self.scheduled(attribute, OwnLoop { body, label }, None)
            }
            _ => None,
        }
    }

    fn block(&self, attribute: &Attribute, block: &syn::ExprBlock) -> Option<Mark> {
        let span = attribute.meta.span();
        if attribute.path().is_ident("split") {
            let help =
                "leave it out: a block is no call; on calls in it the attribute is supported";
            return self.refuse(span, "`#[split]` on a block", help);
        }
        if let Ok(list) = attribute.meta.require_list() {
            let help = "write `#[checkpoint] { … }`: schedules are for loops";
            return self.refuse(list.tokens.span(), "a schedule on a block", help);
        }
        if let Some(Stmt::Expr(value, None)) = block.block.stmts.last()
            && !is_statement(value)
        {
            let help = "assign the value to a variable that is declared before the block, or end it \
                        with a semicolon";
            return self.refuse(value.span(), "a checkpointed block with a value", help);
        }
        let inner = Expr::Block(syn::ExprBlock { attrs: Vec::new(), ..block.clone() });
        let mut body = syn::parse_quote!({ #inner });
        if let Some(exit) = returning(&mut body, None).outside {
            let help = "let it run to its end, and leave behind it under a condition";
            return self.refuse(exit, "leaving a checkpointed block", help);
        }
        Some(Mark { body, shape: Shape::Block, span })
    }

    /// `for i in a..b`
    fn counted(&self, attribute: &Attribute, repetition: &ExprForLoop) -> Option<Mark> {
        let Expr::Range(range) = bare(&repetition.expr) else {
            return self.refuse(repetition.expr.span(), "a loop that is not over `a..b`", RANGES);
        };
        let (Some(start), Some(end), RangeLimits::HalfOpen(_)) =
            (&range.start, &range.end, &range.limits)
        else {
            return self.refuse(repetition.expr.span(), "a loop that is not over `a..b`", RANGES);
        };
        if !matches!(&*repetition.pat, Pat::Ident(_) | Pat::Wild(_)) {
            return self.refuse(repetition.pat.span(), "this pattern", "name the loop variable");
        }
        let (pat, start, end) = (*repetition.pat.clone(), Expr::clone(start), Expr::clone(end));
        let range = Range { pat, start, end };
        let own = OwnLoop { body: repetition.body.clone(), label: repetition.label.as_ref() };
        match attribute.path().is_ident(INDEPENDENT) {
            true => self.independent(attribute, own, range),
            false => self.scheduled(attribute, own, Some(range)),
        }
    }

    /// A loop whose iterations do not depend on each other.
    fn independent(&self, attribute: &Attribute, own: OwnLoop<'_>, range: Range) -> Option<Mark> {
        let span = attribute.meta.span();
        if let Err(error) = attribute.meta.require_path_only() {
            self.errors.report_syntax(&error, "write `#[independent]`");
            return None;
        }
        let (body, left, _) = self.left(span, own);
        if let Some(exit) = left.outside.or(left.ends) {
            let help =
                "let it run to its end: the iteration that leaves it is one on which others depend";
            return self.refuse(exit, "leaving an independent loop", help);
        }
        let repetition =
            Repetition { reversal: Reversal::Independent, range: Some(range), goes_on: None };
        Some(Mark { body, shape: Shape::Loop(Box::new(repetition)), span })
    }

    /// A loop that is reversed by a schedule; without a range it ends when its body says so.
    fn scheduled(
        &self,
        attribute: &Attribute,
        own: OwnLoop<'_>,
        range: Option<Range>,
    ) -> Option<Mark> {
        let span = attribute.meta.span();
        let (body, left, goes_on) = self.left(span, own);
        if let Some(exit) = left.outside {
            let help = "leave it by `break` or by its condition, and go on from there";
            return self.refuse(exit, "leaving more than a checkpointed loop", help);
        }
        let goes_on = (left.ends.is_some() || range.is_none()).then_some(goes_on);
        let length = if goes_on.is_some() { Length::FoundOut } else { Length::Known };
        let plan = Plan::parse(attribute, length, self.errors)?;
        let reversal = Reversal::Schedule(Box::new(plan));
        let repetition = Repetition { reversal, range, goes_on };
        Some(Mark { body, shape: Shape::Loop(Box::new(repetition)), span })
    }

    /// The body of a loop as that of a step, how it is left, and what says whether it goes on.
    fn left(&self, span: Span, own: OwnLoop<'_>) -> (Block, Left, Ident) {
        let OwnLoop { mut body, label } = own;
        let goes_on = self.goes_on(span);
        let left = returning(&mut body, Some(Own { label, goes_on: &goes_on, completes: None }));
        (body, left, goes_on)
    }

    /// A loop that ends when it has converged.
    fn fixed_point(&self, attribute: &Attribute, expr: &Expr) -> Option<Mark> {
        let span = attribute.meta.span();
        let goes_on = self.goes_on(span);
        let completes = Ident::new(&self.completes, span);
        let (label, mut body, condition) = match expr {
            Expr::Loop(repetition) => (&repetition.label, repetition.body.clone(), None),
            Expr::While(repetition) => {
                (&repetition.label, repetition.body.clone(), Some(&repetition.cond))
            }
            _ => {
                let help = "write a `loop` with a `break`, or a `while`";
                return self.refuse(span, "a fixed-point loop of this kind", help);
            }
        };
        let own = || Own { label: label.as_ref(), goes_on: &goes_on, completes: Some(&completes) };
        let mut left = returning(&mut body, Some(own()));
        if let Some(condition) = condition {
            if binds(condition) {
                let help = "write a condition, and `match` inside";
                return self.refuse(condition.span(), "a fixed-point loop by patterns", help);
            }
            let mut condition: Block = syn::parse_quote!({ (#condition) });
            left.outside = left.outside.or(returning(&mut condition, Some(own())).outside);
            let condition = &condition.stmts[0];
            body = syn::parse_quote!({
                if #condition || #completes #body else { *#goes_on = false; }
            });
        }
        if let Some(exit) = left.outside {
            let help = "leave it by `break` or by its condition, and go on from there";
            return self.refuse(exit, "leaving more than a fixed-point loop", help);
        }
        if condition.is_none() && left.ends.is_none() {
            let help = "write `if … { break; }`, or a `while`";
            return self.refuse(span, "a fixed-point loop without an end", help);
        }
        if let Some(exit) = left.always {
            let help = "write `if … { break; }`, so that there is an iteration without it";
            return self.refuse(exit, "leaving a fixed-point loop in this way", help);
        }
        let found = FixedPoint::parse(attribute, completes, self.errors)?;
        let reversal = Reversal::FixedPoint(Box::new(found));
        let repetition = Repetition { reversal, range: None, goes_on: Some(goes_on) };
        Some(Mark { body, shape: Shape::Loop(Box::new(repetition)), span })
    }

    fn goes_on(&self, span: Span) -> Ident {
        Ident::new(&self.goes_on, span)
    }

    fn refuse(&self, span: Span, what: &str, help: &str) -> Option<Mark> {
        self.errors.report(span, format!("{what} is not supported here yet"), help);
        None
    }
}

/// Whether an expression at the end of a block is one that may stand there for its effects.
fn is_statement(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::If(_)
            | Expr::Match(_)
            | Expr::Block(_)
            | Expr::ForLoop(_)
            | Expr::While(_)
            | Expr::Loop(_)
            | Expr::Assign(_)
            | Expr::Binary(syn::ExprBinary {
                op: syn::BinOp::AddAssign(_)
                    | syn::BinOp::SubAssign(_)
                    | syn::BinOp::MulAssign(_)
                    | syn::BinOp::DivAssign(_),
                ..
            })
    )
}

/// The expression inside of parentheses.
fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => bare(&inner.expr),
        Expr::Group(inner) => bare(&inner.expr),
        other => other,
    }
}
