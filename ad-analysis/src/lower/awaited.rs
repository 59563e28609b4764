//! Variables without a written type whose values are of a type that what follows tells.
//!
//! ```text
//! let values = times.iter().map(…).collect();
//! Curve { values }                               the field says that it is a `Vec<f64>`
//! ```
//!
//! The function is lowered again with it.

use super::Lowerer;
use super::chains::is_typed_by_context;
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

    /// The types that were asked for and that something has told.
    pub(super) fn awaited_types(&self) -> Vec<(String, Type)> {
        let told = self.awaited.iter().map(|(key, var)| (key, &self.body.vars[*var]));
        let told = told.filter(|(_, variable)| !variable.assumed && variable.ty.is_seen());
        told.map(|(key, variable)| (key.clone(), variable.ty.clone())).collect()
    }
}

/// What a variable is known by when the function is lowered again, and its name.
fn key_of(local: &Local, init: &Expr) -> Option<(String, String)> {
    let Pat::Ident(name) = &local.pat else { return None };
    let is_open = name.subpat.is_none()
        && matches!(init, Expr::MethodCall(call) if call.turbofish.is_none())
        && is_typed_by_context(init);
    let name = &name.ident;
    is_open.then(|| (format!("{name} {:?}", name.span()), name.to_string()))
}
