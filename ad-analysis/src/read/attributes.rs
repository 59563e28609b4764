//! The attributes that are meant for an expression. syn hangs an attribute on the leftmost operand (`#[passive] y = e` on
//! `y`); an assignment is what the user means.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, BinOp};

/// Generates the way to the attributes of an expression for `&` and for `&mut`.
macro_rules! own_attributes {
    ($name:ident $(, $mutability:ident)?) => {
        fn $name(expr: &$($mutability)? syn::Expr) -> Option<&$($mutability)? Vec<Attribute>> {
            match expr {
                syn::Expr::Array(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Assign(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Binary(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Block(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Break(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Call(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Cast(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Closure(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Const(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Continue(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Field(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::ForLoop(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Group(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::If(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Index(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Lit(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Loop(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Macro(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Match(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::MethodCall(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Paren(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Path(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Range(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Reference(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Repeat(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Return(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Struct(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Tuple(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Try(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Unary(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::Unsafe(inner) => Some(&$($mutability)? inner.attrs),
                syn::Expr::While(inner) => Some(&$($mutability)? inner.attrs),
                _ => None,
            }
        }
    };
}

own_attributes!(own_attributes);
own_attributes!(own_attributes_mut, mut);

/// The attributes that are meant for an expression.
pub fn attributes_of(expr: &syn::Expr) -> &[Attribute] {
    let own = own_attributes(expr).map_or(&[][..], Vec::as_slice);
    match expr {
        syn::Expr::Assign(inner) if own.is_empty() => attributes_of(&inner.left),
        syn::Expr::Binary(inner) if own.is_empty() && is_compound(&inner.op) => {
            attributes_of(&inner.left)
        }
        _ => own,
    }
}

/// The expression without the attributes that are meant for it.
pub fn without_attributes(expr: &syn::Expr) -> syn::Expr {
    let mut bare = expr.clone();
    remove_attributes(&mut bare);
    bare
}

fn remove_attributes(expr: &mut syn::Expr) {
    if let Some(attrs) = own_attributes_mut(expr)
        && !attrs.is_empty()
    {
        attrs.clear();
        return;
    }
    match expr {
        syn::Expr::Assign(inner) => remove_attributes(&mut inner.left),
        syn::Expr::Binary(inner) if is_compound(&inner.op) => {
            remove_attributes(&mut inner.left);
        }
        _ => {}
    }
}

fn is_compound(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// The conditions under which an item with attributes is there.
pub fn conditions_of(attrs: &[Attribute]) -> TokenStream {
    let conditions = attrs.iter().filter(|attr| attr.path().is_ident("cfg"));
    conditions.map(ToTokens::to_token_stream).collect()
}
