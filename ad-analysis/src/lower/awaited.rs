//! Variables without a written type whose values are of a type that what follows tells.
//!
//! ```text
//! let values = times.iter().map(…).collect();
//! Curve { values }                               the field says that it is a `Vec<f64>`
//!
//! let spacing = array::from_fn(…);
//! Grid { spacing }                               the field says that it is a `[f64; 3]`
//! ```
//!
//! The function is lowered again with it.

use super::Lowerer;
use super::arrays::is_array_from_fn;
use super::chains::is_typed_by_context;
use crate::ir;
use crate::types::Type;
use syn::{Expr, Local, Pat};

impl Lowerer<'_> {
    /// Notes what was known in the end of the type of the variable of a `let`, when the function was lowered before.
    pub(super) fn want_what_follows(&mut self, local: &Local, init: &Expr) {
        let known = key_of(local, init).and_then(|(key, _)| self.calls.awaited.get(&key).cloned());
        if let Some(ty) = known {
            self.want(init, ty);
        }
    }

    /// Asks for the type of the variable of a `let`, if that is open.
    pub(super) fn await_type(&mut self, local: &Local, init: &Expr) {
        let Some((key, name)) = key_of(local, init) else { return };
        if let Some(var) = self.find(&name)
            && self.types.is_open(&self.body.vars[var].ty)
        {
            self.awaited.push((key, var));
        }
    }

    /// Whether a value is that of a variable whose type was asked for and is not told yet.
    pub(super) fn is_awaited(&self, value: &ir::Expr) -> bool {
        let Some(var) = value.as_var() else { return false };
        self.types.is_open(&value.ty) && self.awaited.iter().any(|(_, awaited)| *awaited == var)
    }

    /// The types that were asked for and that something has told.
    pub(super) fn awaited_types(&self) -> Vec<(String, Type)> {
        let told = self.awaited.iter().map(|(key, var)| (key, &self.body.vars[*var]));
        let told = told.filter(|(_, variable)| !variable.assumed && variable.ty.is_seen());
        told.map(|(key, variable)| (key.clone(), variable.ty.clone())).collect()
    }
}

/// Whether an expression is of a type that only its context tells.
pub(super) fn says_nothing_of_its_type(expr: &Expr) -> bool {
    if super::conversions::is_of_any_number(expr) {
        return true;
    }
    let says_nothing = match expr {
        Expr::MethodCall(call) => call.turbofish.is_none(),
        Expr::Call(call) => is_array_from_fn(&call.func),
        _ => false,
    };
    says_nothing && is_typed_by_context(expr)
}

/// What a variable is known by when the function is lowered again, and its name.
fn key_of(local: &Local, init: &Expr) -> Option<(String, String)> {
    let Pat::Ident(name) = &local.pat else { return None };
    let is_open = name.subpat.is_none() && says_nothing_of_its_type(init);
    let name = &name.ident;
    is_open.then(|| (format!("{name} {:?}", name.span()), name.to_string()))
}
