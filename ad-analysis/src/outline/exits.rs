//! What leaves a block or an iteration.

use crate::walk::visit_mut::VisitMut;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Block, Expr, Label, Lifetime};

/// A loop whose body becomes a function.
pub(super) struct Own<'a> {
    pub(super) label: Option<&'a Label>,
    /// What is false after the last step.
    pub(super) goes_on: &'a Ident,
    /// What is true if the exits are not to be taken, and the body runs to its end.
    pub(super) completes: Option<&'a Ident>,
}

/// How a body is left, and where first.
#[derive(Default)]
pub(super) struct Left {
    /// By `break`: the loop ends.
    pub(super) ends: Option<Span>,
    /// To somewhere outside, or in a way that cannot be followed.
    pub(super) outside: Option<Span>,
    /// By a `break` that no condition decides on.
    pub(super) always: Option<Span>,
}

/// Makes `return` of the exits of a loop, in its body, which becomes a function: `continue` returns,
/// and `break` also says that there is no other step. A block has no exits of its own.
pub(super) fn returning(body: &mut Block, own: Option<Own<'_>>) -> Left {
    let mut exits =
        Exits { own, left: Left::default(), breaks: None, loops: 0, labels: Vec::new() };
    exits.visit_block_mut(body);
    exits.left.always = exits.left.always.or(exits.breaks);
    exits.left
}

struct Exits<'a> {
    own: Option<Own<'a>>,
    left: Left,
    /// A `break` that ends the loop, in the present branch.
    breaks: Option<Span>,
    /// How many loops there are around the present place, inside of the body.
    loops: usize,
    /// Labels inside of the body.
    labels: Vec<String>,
}

/// What an exit leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaves {
    /// Something inside of the body.
    Inner,
    /// The loop itself.
    Own,
    /// What is around it.
    Outer,
}

impl Exits<'_> {
    fn within(&mut self, label: Option<&Label>, loops: usize, visit: impl FnOnce(&mut Self)) {
        let depth = self.labels.len();
        self.labels.extend(label.map(|label| label.name.ident.to_string()));
        self.loops += loops;
        visit(self);
        self.loops -= loops;
        self.labels.truncate(depth);
    }

    fn leaves(&self, label: Option<&Lifetime>) -> Leaves {
        let own = self.own.as_ref();
        match label {
            Some(label) if self.labels.contains(&label.ident.to_string()) => Leaves::Inner,
            Some(label) => {
                let own = own.and_then(|own| own.label);
                let is_own = own.is_some_and(|own| own.name.ident == label.ident);
                if is_own { Leaves::Own } else { Leaves::Outer }
            }
            None if self.loops > 0 => Leaves::Inner,
            None => own.map_or(Leaves::Outer, |_| Leaves::Own),
        }
    }

    fn outside(&mut self, tokens: impl ToTokens) {
        self.left.outside.get_or_insert(tokens.span());
    }

    /// Adds to a condition what keeps control from the branch that ends the loop.
    fn decide(&mut self, choice: &mut syn::ExprIf, ends: [Option<Span>; 2], completes: &Ident) {
        let cond = &choice.cond;
        let cond: Expr = match ends {
            [None, None] => return,
            [Some(end), _] | [_, Some(end)] if binds(cond) => {
                self.left.always.get_or_insert(end);
                return;
            }
            [Some(end), Some(_)] => {
                self.left.always.get_or_insert(end);
                return;
            }
            [Some(_), None] => syn::parse_quote!((#cond) && !#completes),
            [None, Some(_)] => syn::parse_quote!((#cond) || #completes),
        };
        *choice.cond = cond;
    }

    /// What takes the place of an exit, if something does.
    fn replaced(&mut self, exit: &Expr) -> Option<Expr> {
        let (label, is_break) = match exit {
            Expr::Break(exit) => (exit.label.as_ref(), true),
            Expr::Continue(exit) => (exit.label.as_ref(), false),
            _ => return None,
        };
        let span = exit.span();
        match (self.leaves(label), &self.own) {
            (Leaves::Inner, _) => None,
            (Leaves::Own, Some(own)) if is_break => {
                let goes_on = own.goes_on;
                self.left.ends.get_or_insert(span);
                self.breaks.get_or_insert(span);
                Some(syn::parse_quote_spanned!(span=> { *#goes_on = false; return; }))
            }
            (Leaves::Own, Some(_)) => Some(syn::parse_quote_spanned!(span=> return)),
            (Leaves::Own, None) | (Leaves::Outer, _) => {
                self.outside(exit);
                None
            }
        }
    }
}

impl VisitMut for Exits<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Break(exit)
                if exit.expr.is_some() && self.leaves(exit.label.as_ref()) != Leaves::Inner =>
            {
                self.outside(exit);
            }
            Expr::Break(_) | Expr::Continue(_) => {
                if let Some(replaced) = self.replaced(expr) {
                    *expr = replaced;
                    return;
                }
            }
            Expr::Return(_) | Expr::Try(_) => self.outside(&*expr),
            // Exits of a closure leave the closure.
            Expr::Closure(_) => return,
            _ => {}
        }
        crate::walk::visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_expr_if_mut(&mut self, choice: &mut syn::ExprIf) {
        self.visit_expr_mut(&mut choice.cond);
        let before = self.breaks.take();
        self.visit_block_mut(&mut choice.then_branch);
        let then = self.breaks.take();
        if let Some((_, otherwise)) = &mut choice.else_branch {
            self.visit_expr_mut(otherwise);
        }
        let otherwise = std::mem::replace(&mut self.breaks, before);
        if let Some(completes) = self.own.as_ref().and_then(|own| own.completes) {
            self.decide(choice, [then, otherwise], completes);
        }
    }

    fn visit_expr_for_loop_mut(&mut self, inner: &mut syn::ExprForLoop) {
        self.visit_expr_mut(&mut inner.expr);
        let label = inner.label.clone();
        self.within(label.as_ref(), 1, |this| this.visit_block_mut(&mut inner.body));
    }

    fn visit_expr_while_mut(&mut self, inner: &mut syn::ExprWhile) {
        let label = inner.label.clone();
        self.within(label.as_ref(), 1, |this| {
            crate::walk::visit_mut::visit_expr_while_mut(this, inner)
        });
    }

    fn visit_expr_loop_mut(&mut self, inner: &mut syn::ExprLoop) {
        let label = inner.label.clone();
        self.within(label.as_ref(), 1, |this| this.visit_block_mut(&mut inner.body));
    }

    fn visit_expr_block_mut(&mut self, inner: &mut syn::ExprBlock) {
        let label = inner.label.clone();
        self.within(label.as_ref(), 0, |this| this.visit_block_mut(&mut inner.block));
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        // What a macro makes of them cannot be seen.
        if mentions_exits(mac.tokens.clone()) {
            self.outside(mac);
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether a condition is one by a pattern.
pub(super) fn binds(cond: &Expr) -> bool {
    match cond {
        Expr::Let(_) => true,
        Expr::Binary(chain) => binds(&chain.left) || binds(&chain.right),
        _ => false,
    }
}

fn mentions_exits(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => mentions_exits(group.stream()),
        token => ["return", "break", "continue", "?"].contains(&token.to_string().as_str()),
    })
}
