//! Elements of lists by way of an `Option` that must not be `None`, and lists in two parts.

use super::places::strip;
use super::rows::Arguments;
use super::{Lowerer, Operand};
use crate::ir::{BinaryOp, Expr, ExprKind, Op, Place, Projection, View};
use crate::types::Type;
use proc_macro2::Span;

/// What stands before `.unwrap()` or `.expect("…")`, and the message of the panic.
pub(super) fn unwrapped_value(call: &syn::ExprMethodCall) -> Option<(&syn::Expr, String)> {
    let message = match (call.method.to_string().as_str(), call.args.first()) {
        ("unwrap", None) => "called `Option::unwrap()` on a `None` value".to_owned(),
        ("expect", Some(message)) if call.args.len() == 1 => match strip(message) {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => text.value(),
            _ => return None,
        },
        _ => return None,
    };
    Some((strip(&call.receiver), message))
}

/// The same of a method.
pub(super) fn unwrapped(call: &syn::ExprMethodCall) -> Option<(&syn::ExprMethodCall, String)> {
    match unwrapped_value(call)? {
        (syn::Expr::MethodCall(inner), message) => Some((inner, message)),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// `v.first().unwrap()`, `v.last_mut().expect("…")`, `v.get(i).unwrap()`: a reference to an element.
    pub(super) fn element_reference(&mut self, call: &syn::ExprMethodCall) -> Option<Operand> {
        let (inner, message) = unwrapped(call)?;
        let name = inner.method.to_string();
        let mutable = name.ends_with("_mut");
        let span = inner.method.span();
        let known = matches!(
            (name.trim_end_matches("_mut"), inner.args.len()),
            ("first" | "last", 0) | ("get", 1)
        );
        if !known || matches!(inner.args.first().map(strip), Some(syn::Expr::Range(_))) {
            return None;
        }
        let list = self.attempt("an element of a list", |this| this.list(&inner.receiver));
        let mut list = list?;
        let index = inner.args.first();
        let index = index.map(|at| self.after(&mut list, |this| this.usize_operand(at)));
        let len = self.len_of(list.clone(), span);
        let index = match index {
            Some(index) => index,
            None if name.starts_with("first") => Expr::usize(0),
            None => Expr::binary(BinaryOp::Sub, len.clone(), Expr::usize(1)),
        };
        let missing = if name.starts_with("last") {
            Expr::test(BinaryOp::Eq, len, Expr::usize(0))
        } else {
            Expr::test(BinaryOp::Ge, index.clone(), len)
        };
        self.panic_if(missing, &message, span);
        Some(Operand::Reference { place: list.index(index), mutable, span })
    }

    /// The value of `v.pop().unwrap()`, of `*v.last().unwrap()`, of `v.last().copied().unwrap()`.
    pub(super) fn element_value(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        let (inner, message) = unwrapped(call)?;
        let span = inner.method.span();
        match (inner.method.to_string().as_str(), inner.args.len()) {
            ("pop", 0) => {
                self.with_list(&inner.receiver, Arguments::Values(&[]), span, |this, list, _| {
                    let element = this.element_type(list);
                    if !this.may_be_taken(&element) {
                        return None;
                    }
                    this.panic_if_empty(list, &message, span);
                    Some(this.take_last(list, span))
                })
            }
            ("copied" | "cloned", 0) => {
                // `v.last().copied().unwrap()` is `*v.last().unwrap()`.
                let mut direct = call.clone();
                direct.receiver = inner.receiver.clone();
                let element = self.element_reference(&direct)?;
                let value = self.value_of(element);
                if let Type::Vec(_) = self.types.shallow(&value.ty) {
                    let ty = value.ty.clone();
                    return Some(Expr::new(ExprKind::Op(Op::Clone, vec![value]), ty, span));
                }
                self.may_be_taken(&value.ty).then_some(value)
            }
            // The reference is read.
            _ => {
                let element = self.element_reference(call)?;
                self.note_referent(&element);
                Some(self.value_of(element))
            }
        }
    }

    fn panic_if_empty(&mut self, list: &Place, message: &str, span: Span) {
        let len = self.len_of(list.clone(), span);
        let empty = Expr::test(BinaryOp::Eq, len, Expr::usize(0));
        self.panic_if(empty, message, span);
    }

    /// The list of `v.pop()`, if its elements can be taken.
    pub(super) fn popped_list(&mut self, expr: &syn::Expr) -> Option<Place> {
        let syn::Expr::MethodCall(call) = strip(expr) else { return None };
        if call.method != "pop" || !call.args.is_empty() {
            return None;
        }
        let list = self.growing_list(&call.receiver)?;
        let element = self.element_type(&list);
        self.may_be_taken(&element).then_some(list)
    }

    /// `let (a, b) = v.split_at(n);` makes two references.
    pub(super) fn split_at(&mut self, pat: &syn::Pat, init: &syn::Expr) -> bool {
        let (syn::Pat::Tuple(pats), syn::Expr::MethodCall(call)) = (pat, strip(init)) else {
            return false;
        };
        let (call, split) = match unwrapped(call) {
            Some((inner, message)) => (inner, split_by(inner, Some(message))),
            None => (call, split_by(call, None)),
        };
        let Some(split) = split.filter(|_| pats.elems.len() == 2) else { return false };
        let mutable = call.method.to_string().ends_with("_mut");
        let names: Vec<Option<&syn::PatIdent>> = pats.elems.iter().map(name_of).collect();
        if pats.elems.iter().zip(&names).any(|(pat, name)| name.is_none() && !is_wild(pat)) {
            return false;
        }
        let list = self.attempt("two parts of a list", |this| this.list(&call.receiver));
        let Some(list) = list else { return false };
        let spelled = self.capture(list, "halves");
        let (list, through) = (self.body.resolve(&spelled), self.body.through(&spelled));
        let span = call.method.span();
        let parts = match split {
            Split::At => {
                let middle = self.usize_operand(&call.args[0]);
                halves(&list, middle)
            }
            Split::First(message) => {
                self.panic_if_empty(&list, &message, span);
                let [_, rest] = halves(&list, Expr::usize(1));
                [list.index(Expr::usize(0)), rest]
            }
            Split::Last(message) => {
                self.panic_if_empty(&list, &message, span);
                let mut last = self.last_index(&list, span);
                self.put_aside(&mut last);
                let [rest, _] = halves(&list, last.clone());
                [list.index(last), rest]
            }
        };
        let views = names.iter().zip(parts).map(|(name, part)| {
            // Both are made: that tells whether there are so many elements.
            let view = View { place: part, mutable, through };
            let name = name.map_or_else(|| "half".to_owned(), |name| name.ident.to_string());
            self.view_of(&name, view, span)
        });
        let views: Vec<_> = views.collect();
        for (pat, view) in names.into_iter().zip(views) {
            match pat {
                Some(pat) if pat.mutability.is_some() => {
                    let part = (&Place::var(view), mutable);
                    self.rebindable(&pat.ident.to_string(), part, false, span);
                }
                Some(pat) => self.bind(&pat.ident.to_string(), view),
                None => {}
            }
        }
        true
    }

    /// Whether an expression makes an empty `Vec`, and of what.
    pub(super) fn empty_vec(&mut self, path: &syn::ExprPath, args: &[&syn::Expr]) -> Option<Type> {
        let segments: Vec<&syn::PathSegment> = path.path.segments.iter().collect();
        let (owner, function) = match segments.as_slice() {
            [owner, function] => (owner, function),
            [std, module, owner, function]
                if (std.ident == "std" || std.ident == "alloc") && module.ident == "vec" =>
            {
                (owner, function)
            }
            _ => return None,
        };
        let known = matches!(
            (function.ident.to_string().as_str(), args.len()),
            ("new", 0) | ("with_capacity", 1)
        );
        if owner.ident != "Vec" || !known || !function.arguments.is_none() {
            return None;
        }
        match &owner.arguments {
            syn::PathArguments::None => Some(self.types.fresh()),
            syn::PathArguments::AngleBracketed(types) if types.args.len() == 1 => {
                match &types.args[0] {
                    syn::GenericArgument::Type(ty) => Some(self.lower_type(ty)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// How a list is split in two.
enum Split {
    At,
    /// The first element and the others; what is said if there is none.
    First(String),
    /// The last element and the others.
    Last(String),
}

fn split_by(call: &syn::ExprMethodCall, message: Option<String>) -> Option<Split> {
    match (call.method.to_string().as_str(), call.args.len(), message) {
        ("split_at" | "split_at_mut", 1, None) => Some(Split::At),
        ("split_first", 0, Some(message)) => Some(Split::First(message)),
        ("split_last", 0, Some(message)) => Some(Split::Last(message)),
        _ => None,
    }
}

/// The name that a pattern binds, if it is no more than a name.
fn name_of(pat: &syn::Pat) -> Option<&syn::PatIdent> {
    match pat {
        syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => Some(ident),
        syn::Pat::Paren(inner) => name_of(&inner.pat),
        _ => None,
    }
}

fn is_wild(pat: &syn::Pat) -> bool {
    matches!(pat, syn::Pat::Wild(_))
}

fn halves(list: &Place, middle: Expr) -> [Place; 2] {
    let upper = Projection::Slice { start: Some(middle.clone()), end: None };
    let lower = Projection::Slice { start: None, end: Some(middle) };
    [list.then(lower), list.then(upper)]
}
