//! Finds the loops with `#[checkpoint(…)]`, and marks them for lowering.

use crate::diag::Errors;
use crate::lower::SITE;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Expr, ExprForLoop, ItemFn, RangeLimits, Stmt, Token};

/// A checkpointed loop.
pub struct Mark {
    /// The loop, without the attribute.
    pub repetition: ExprForLoop,
    /// How it is reversed.
    pub plan: Plan,
    /// The first value of the range.
    pub start: Expr,
    /// The end of the range.
    pub end: Expr,
    /// Where the attribute is.
    pub span: Span,
}

/// A schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `snapshots = n`
    Binomial,
    /// `every = k`
    Periodic,
}

/// A schedule and its number.
pub struct Plan {
    /// The schedule.
    pub kind: Kind,
    /// How many snapshots, or after how many steps.
    pub number: Expr,
}

/// Marks the loops with `#[checkpoint(…)]` that are not inside of others. What is wrong with them is
/// reported.
pub fn mark(function: &mut ItemFn, errors: &Errors) -> Vec<Mark> {
    let mut marker = Marker { marks: Vec::new(), errors };
    marker.visit_block_mut(&mut function.block);
    if marker.marks.is_empty() {
        return Vec::new();
    }
    let mut items = Items(None);
    items.visit_block(&function.block);
    if let Some(item) = items.0 {
        errors.report(
            item,
            "an item inside of a function with a checkpointed loop is not supported yet",
            "declare it outside of the function",
        );
    }
    marker.marks
}

/// Looks for an item, which the step would not see.
struct Items(Option<Span>);

impl<'ast> Visit<'ast> for Items {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        self.0.get_or_insert(item.span());
    }
}

struct Marker<'e> {
    marks: Vec<Mark>,
    errors: &'e Errors,
}

impl VisitMut for Marker<'_> {
    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        if let Stmt::Expr(Expr::ForLoop(repetition), _) = stmt
            && let Some(at) = repetition.attrs.iter().position(is_ours)
        {
            let attribute = repetition.attrs.remove(at);
            if let Some(mark) = self.mark(&attribute, repetition) {
                let (site, position) = (site(), self.marks.len());
                repetition.attrs.push(syn::parse_quote!(#[#site(#position)]));
                // Those inside are the business of the step.
                Plain.visit_block_mut(&mut repetition.body);
                self.marks.push(mark);
            }
            return;
        }
        syn::visit_mut::visit_stmt_mut(self, stmt);
    }

    /// What a closure captures is not known before it is called.
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Takes the attributes from checkpointed loops.
struct Plain;

impl VisitMut for Plain {
    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        if let Stmt::Expr(Expr::ForLoop(repetition), _) = stmt {
            repetition.attrs.retain(|attribute| !is_ours(attribute));
        }
        syn::visit_mut::visit_stmt_mut(self, stmt);
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// A statement that mentions what the attribute of a loop mentions and does nothing: without the attribute,
/// rustc would call it unused.
pub fn mentions(stmt: &Stmt) -> Option<Stmt> {
    let Stmt::Expr(Expr::ForLoop(repetition), _) = stmt else { return None };
    let attribute = repetition.attrs.iter().find(|attribute| is_ours(attribute))?;
    let plan: syn::ExprAssign = attribute.parse_args().ok()?;
    let number = plan.right;
    Some(syn::parse_quote!(if false { let _ = &#number; }))
}

fn site() -> Ident {
    Ident::new(SITE, Span::call_site())
}

fn is_ours(attribute: &Attribute) -> bool {
    attribute.path().is_ident("checkpoint") && attribute.meta.require_list().is_ok()
}

/// Which of the marks a loop has; the attribute is taken away.
pub(super) fn position_of(attrs: &mut Vec<Attribute>) -> Option<usize> {
    let at = attrs.iter().position(|attribute| attribute.path().is_ident(SITE))?;
    let number: syn::LitInt = attrs.remove(at).parse_args().ok()?;
    number.base10_parse().ok()
}

impl Marker<'_> {
    fn mark(&self, attribute: &Attribute, repetition: &ExprForLoop) -> Option<Mark> {
        let span = attribute.meta.span();
        let plan = self.plan(attribute)?;
        let Expr::Range(range) = bare(&repetition.expr) else {
            return self.refuse(repetition.expr.span(), "a loop that is not over `a..b`", RANGES);
        };
        let (Some(start), Some(end), RangeLimits::HalfOpen(_)) =
            (&range.start, &range.end, &range.limits)
        else {
            return self.refuse(repetition.expr.span(), "a loop that is not over `a..b`", RANGES);
        };
        if !matches!(&*repetition.pat, syn::Pat::Ident(_) | syn::Pat::Wild(_)) {
            return self.refuse(repetition.pat.span(), "this pattern", "name the loop variable");
        }
        let mut exits = Exits { found: None, loops: 0, labels: Vec::new() };
        exits.visit_block(&repetition.body);
        if let Some(exit) = exits.found {
            let help = "let the loop run to its end, with the rest of the body under a condition";
            return self.refuse(exit, "leaving a checkpointed loop", help);
        }
        Some(Mark {
            repetition: ExprForLoop { attrs: Vec::new(), label: None, ..repetition.clone() },
            plan,
            start: Expr::clone(start),
            end: Expr::clone(end),
            span,
        })
    }

    fn refuse(&self, span: Span, what: &str, help: &str) -> Option<Mark> {
        self.errors.report(span, format!("{what} is not supported here yet"), help);
        None
    }

    fn plan(&self, attribute: &Attribute) -> Option<Plan> {
        const HELP: &str = "write `#[checkpoint(snapshots = n)]` or `#[checkpoint(every = k)]`";
        let tokens: TokenStream = attribute.meta.require_list().ok()?.tokens.clone();
        let parse = |input: ParseStream<'_>| {
            let name: Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            let number: Expr = input.parse()?;
            input.parse::<Option<Token![,]>>()?;
            let rest: TokenStream = input.parse()?;
            Ok((name, number, rest))
        };
        let (name, number, rest) = match Parser::parse2(parse, tokens) {
            Ok(parsed) => parsed,
            Err(error) => {
                self.errors.report_syntax(&error, HELP);
                return None;
            }
        };
        let kind = match name.to_string().as_str() {
            "snapshots" => Kind::Binomial,
            "every" => Kind::Periodic,
            other => {
                let message = format!("`{other}` is not supported here yet");
                self.errors.report(name.span(), message, HELP);
                return None;
            }
        };
        if !rest.is_empty() {
            self.errors.report(rest.span(), "this is not supported here yet", HELP);
            return None;
        }
        Some(Plan { kind, number })
    }
}

const RANGES: &str = "write `for i in a..b`";

/// The expression inside of parentheses.
fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => bare(&inner.expr),
        Expr::Group(inner) => bare(&inner.expr),
        other => other,
    }
}

/// Looks for what leaves the body of a loop.
struct Exits {
    found: Option<Span>,
    /// How many loops there are around the present place, inside of the body.
    loops: usize,
    /// Labels inside of the body.
    labels: Vec<String>,
}

impl Exits {
    fn within(&mut self, label: Option<&syn::Label>, loops: usize, visit: impl FnOnce(&mut Self)) {
        let depth = self.labels.len();
        self.labels.extend(label.map(|label| label.name.ident.to_string()));
        self.loops += loops;
        visit(self);
        self.loops -= loops;
        self.labels.truncate(depth);
    }

    fn exit(&mut self, label: Option<&syn::Lifetime>, tokens: impl ToTokens) {
        let stays = match label {
            Some(label) => self.labels.contains(&label.ident.to_string()),
            None => self.loops > 0,
        };
        if !stays {
            self.found.get_or_insert(tokens.span());
        }
    }
}

impl<'ast> Visit<'ast> for Exits {
    fn visit_expr_for_loop(&mut self, inner: &'ast ExprForLoop) {
        self.visit_expr(&inner.expr);
        self.within(inner.label.as_ref(), 1, |this| this.visit_block(&inner.body));
    }

    fn visit_expr_while(&mut self, inner: &'ast syn::ExprWhile) {
        let label = inner.label.as_ref();
        self.within(label, 1, |this| syn::visit::visit_expr_while(this, inner));
    }

    fn visit_expr_loop(&mut self, inner: &'ast syn::ExprLoop) {
        self.within(inner.label.as_ref(), 1, |this| this.visit_block(&inner.body));
    }

    fn visit_expr_block(&mut self, inner: &'ast syn::ExprBlock) {
        self.within(inner.label.as_ref(), 0, |this| this.visit_block(&inner.block));
    }

    fn visit_expr_break(&mut self, exit: &'ast syn::ExprBreak) {
        self.exit(exit.label.as_ref(), exit);
        syn::visit::visit_expr_break(self, exit);
    }

    fn visit_expr_continue(&mut self, exit: &'ast syn::ExprContinue) {
        self.exit(exit.label.as_ref(), exit);
    }

    fn visit_expr_return(&mut self, exit: &'ast syn::ExprReturn) {
        self.found.get_or_insert(exit.span());
    }

    fn visit_expr_try(&mut self, exit: &'ast syn::ExprTry) {
        self.found.get_or_insert(exit.span());
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        // What a macro makes of them cannot be seen.
        let mentions = |name: &str| mac.tokens.clone().into_iter().any(|t| t.to_string() == name);
        if ["return", "break", "continue", "?"].into_iter().any(mentions) {
            self.found.get_or_insert(mac.span());
        }
    }

    // Exits of a closure leave the closure.
    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

impl Plan {
    /// The schedule, for so many steps.
    pub(super) fn schedule(
        &self,
        rt: &TokenStream,
        steps: &TokenStream,
        of: &Ident,
    ) -> TokenStream {
        let name = self.name();
        quote!(#rt::schedule::#name::new(#steps, #of))
    }

    /// The type of the schedule.
    pub(super) fn name(&self) -> Ident {
        let name = match self.kind {
            Kind::Binomial => "Binomial",
            Kind::Periodic => "Periodic",
        };
        Ident::new(name, Span::call_site())
    }
}
