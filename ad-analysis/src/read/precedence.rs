//! An expression that a macro has been given (`$e:expr`) is one operand wherever the macro puts it. The group without
//! delimiters around it says so, and rustc ignores such groups where a macro has made them: parentheses say the same.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::Expr;

/// The same expression without a group around it, if it is in one.
pub(super) fn ungroup(expr: &mut Expr) {
    let Expr::Group(group) = expr else { return };
    let mut inner = (*group.expr).clone();
    if is_compound(&inner) {
        inner = syn::parse_quote!((#inner));
    }
    *expr = inner;
}

/// Tokens with parentheses for the groups without delimiters, where precedence could tell the difference.
pub fn parenthesised(tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) => TokenTree::Group(parenthesised_group(&group)),
            other => other,
        })
        .collect()
}

/// A group with what is inside of it parenthesised. A group without delimiters gets some if it is an operand.
fn parenthesised_group(group: &Group) -> Group {
    let inside = parenthesised(group.stream());
    let is_operand = group.delimiter() == Delimiter::None
        && syn::parse2::<Expr>(inside.clone()).is_ok_and(|expr| is_compound(&expr));
    let delimiter = if is_operand { Delimiter::Parenthesis } else { group.delimiter() };
    let mut new = Group::new(delimiter, inside);
    new.set_span(group.span());
    new
}

/// Whether an expression could fall apart among operators. Types and patterns that look like one may stand in parentheses,
/// too; what looks like an assignment may be that of an attribute.
fn is_compound(expr: &Expr) -> bool {
    match expr {
        Expr::Binary(_)
        | Expr::Break(_)
        | Expr::Cast(_)
        | Expr::Closure(_)
        | Expr::Range(_)
        | Expr::Reference(_)
        | Expr::RawAddr(_)
        | Expr::Return(_)
        | Expr::Struct(_)
        | Expr::Unary(_)
        | Expr::Yield(_) => true,
        Expr::Group(group) => is_compound(&group.expr),
        _ => false,
    }
}
