//! Macros of the standard library; others are kept as they are.

use super::{Destination, Lowerer};
use crate::ir::{Class, Ending, Expr, ExprKind, Op, StmtKind};
use crate::types::Type;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Macro, Token};

/// Macros that check something and otherwise do nothing.
const CHECKS: [&str; 6] =
    ["assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne"];

/// Macros after which control does not go on.
const DIVERGING: [&str; 4] = ["panic", "unreachable", "todo", "unimplemented"];

/// Macros that print.
const PRINTING: [&str; 4] = ["println", "print", "eprintln", "eprint"];

/// What running a macro of the standard library does, if it is one whose arguments are plain
/// expressions that it only reads.
pub(super) fn class_of(name: &str) -> Option<Class> {
    if CHECKS.contains(&name) || DIVERGING.contains(&name) {
        return Some(Class::State);
    }
    if PRINTING.contains(&name) {
        return Some(Class::Once);
    }
    ["format", "concat", "stringify", "line", "file", "cfg", "env", "write", "writeln"]
        .contains(&name)
        .then_some(Class::Once)
}

/// Whether a macro checks something, and does nothing else.
pub(super) fn is_check(name: &str) -> bool {
    CHECKS.contains(&name)
}

/// How many operands a macro checks, if it checks any.
pub(super) fn operands_checked(name: &str) -> Option<usize> {
    is_check(name).then(|| if name.ends_with("_eq") || name.ends_with("_ne") { 2 } else { 1 })
}

/// Whether control goes on after a macro.
pub(super) fn ending(name: &str) -> Ending {
    if DIVERGING.contains(&name) { Ending::Diverges } else { Ending::Continues }
}

/// The name of a macro that is called by its name alone, or as one of the standard library: what others do is not known,
/// whatever they are called.
pub(super) fn name_of(mac: &Macro) -> String {
    let names: Vec<String> =
        mac.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    match names.as_slice() {
        [name] => name.clone(),
        [library, name] if ["std", "core", "alloc"].contains(&library.as_str()) => name.clone(),
        _ => String::new(),
    }
}

impl Lowerer<'_> {
    /// The value of a macro.
    pub(super) fn macro_value(&mut self, mac: &Macro, expr: &syn::Expr) -> Expr {
        let span = mac.span();
        if name_of(mac) == "vec"
            && let Some(value) = self.vec_macro(mac, span)
        {
            return value;
        }
        if name_of(mac) == "matches"
            && let Some(value) = self.matches_macro(mac)
        {
            return value;
        }
        self.opaque_value(expr)
    }

    fn vec_macro(&mut self, mac: &Macro, span: proc_macro2::Span) -> Option<Expr> {
        let repeat = |input: syn::parse::ParseStream<'_>| {
            let item: syn::Expr = input.parse()?;
            input.parse::<Token![;]>()?;
            let len: syn::Expr = input.parse()?;
            Ok((item, len))
        };
        if let Ok((item, len)) = repeat.parse2(mac.tokens.clone()) {
            let written = item;
            let mut values = self.values(&[&written, &len]).into_iter();
            let (item, len) = (values.next()?, values.next()?);
            self.types.unify(&len.ty, &Type::USIZE);
            if self.may_be_active_copies(&item.ty, &written) {
                return Some(self.vec_of_copies(item, len, span));
            }
            let ty = Type::vec(item.ty.clone());
            let is_of_users = self.holds_users_types(&item.ty);
            let list = Expr::new(ExprKind::Op(Op::VecRepeat, vec![item, len]), ty, span);
            // A list of constants has bars of its own, whatever it becomes a part of.
            return Some(if is_of_users { self.captured(list, "list") } else { list });
        }
        let list = Punctuated::<syn::Expr, Token![,]>::parse_terminated;
        let items = list.parse2(mac.tokens.clone()).ok()?;
        let items: Vec<&syn::Expr> = items.iter().collect();
        Some(self.vec_of(&items, span))
    }

    /// A macro in the position of a statement.
    pub(super) fn macro_statement(&mut self, mac: &Macro) {
        self.macro_into(mac, &Destination::Discard);
    }

    /// A macro whose value goes to a destination.
    pub(super) fn macro_into(&mut self, mac: &Macro, destination: &Destination) {
        let name = name_of(mac);
        if is_check(&name) && matches!(destination, Destination::Discard) && self.check(mac) {
            return;
        }
        let expr = syn::Expr::Macro(syn::ExprMacro { attrs: Vec::new(), mac: mac.clone() });
        if ending(&name) == Ending::Diverges || matches!(destination, Destination::Discard) {
            self.opaque_statement_expr(&expr);
            return;
        }
        let value = self.macro_value(mac, &expr);
        self.store(destination, value);
    }

    /// A statement that panics.
    pub(super) fn diverging_statement(&mut self, message: &str) -> StmtKind {
        let tokens = quote::quote!(::core::panic!(#message));
        self.opaque_tokens(tokens, Class::State, Ending::Diverges)
    }
}
