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
use super::places::strip;
use crate::ir;
use crate::types::Type;
use syn::{Expr, Local, Pat};

impl Lowerer<'_> {
    /// Notes what was known in the end of the type of the variable of a `let`, when the function was lowered before.
    pub(super) fn want_what_follows(&mut self, local: &Local, init: &Expr) {
        if let Some(ty) = self.what_follows(local, init) {
            self.want(init, ty);
        }
    }

    /// A value of a type that only what follows tells is of that.
    pub(super) fn told_by_what_follows(&mut self, local: &Local, init: &Expr, value: &ir::Expr) {
        if self.types.is_open(&value.ty)
            && self.is_untold_maker(init)
            && let Some(ty) = self.what_follows(local, init)
        {
            self.types.unify(&value.ty, &ty);
        }
    }

    fn what_follows(&self, local: &Local, init: &Expr) -> Option<Type> {
        let (key, _) = self.key_of_awaited(local, init)?;
        self.calls.awaited.get(&key).cloned()
    }

    /// Whether a call makes a value of a type with parameters, of which nothing is said: `let mut m = Matrix::zeros();`.
    fn is_untold_maker(&self, init: &Expr) -> bool {
        let Expr::Call(call) = init else { return false };
        let Expr::Path(path) = strip(&call.func) else { return false };
        let segments = &path.path.segments;
        path.qself.is_none()
            && segments.len() > 1
            && segments.iter().all(|segment| segment.arguments.is_none())
            && segments
                .last()
                .is_some_and(|last| self.options.declared.has_query(&last.ident.to_string()))
    }

    /// What a variable is known by when the function is lowered again, and its name.
    fn key_of_awaited(&self, local: &Local, init: &Expr) -> Option<(String, String)> {
        let Pat::Ident(name) = &local.pat else { return None };
        let says_nothing = says_nothing_of_its_type(init) || self.is_untold_maker(init);
        let (is_whole, name) = (name.subpat.is_none(), &name.ident);
        (is_whole && says_nothing).then(|| (format!("{name} {:?}", name.span()), name.to_string()))
    }

    /// Asks for the type of the variable of a `let`, if that is open.
    pub(super) fn await_type(&mut self, local: &Local, init: &Expr) {
        let Some((key, name)) = self.key_of_awaited(local, init) else { return };
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
