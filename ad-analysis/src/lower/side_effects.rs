//! What code does beyond having a value, as far as its syntax tells: whether it makes a difference that a
//! closure is called once more, or once less.

use super::Lowerer;
use super::expr::compound_op;
use super::places::strip;
use super::variants::names_of;
use crate::getters::elements_of_vec;
use crate::rules;
use crate::stdlib::{self, Role};
use crate::walk::visit::{self, Visit};
use std::collections::BTreeSet;
use syn::{Expr, Pat};

/// What code does beyond having a value.
pub(super) struct SideEffects {
    pub(super) found: bool,
    /// Whether annotated functions are called: these may panic.
    pub(super) calls: bool,
}

impl SideEffects {
    const NONE: Self = Self { found: false, calls: false };
}

impl Lowerer<'_> {
    /// Whether an expression does something beyond having a value.
    pub(super) fn body_has_effects(&self, body: &Expr) -> bool {
        self.side_effects_given(body, std::iter::empty()).found
    }

    /// Whether it is noticed if an expression is not evaluated.
    pub(super) fn body_is_noticed(&self, body: &Expr) -> bool {
        let effects = self.side_effects_given(body, std::iter::empty());
        effects.found || effects.calls
    }

    /// The same of the body of a closure with these parameters.
    pub(super) fn side_effects_given<'p>(
        &self,
        body: &'p Expr,
        given: impl Iterator<Item = &'p Pat>,
    ) -> SideEffects {
        let mut own = Declared { names: BTreeSet::new() };
        own.visit_expr(body);
        let (given, own, effects) = (given.collect(), own.names, SideEffects::NONE);
        let mut search = Search { lowerer: self, given, own, effects };
        search.visit_expr(body);
        search.effects
    }
}

/// The names that code declares.
struct Declared {
    names: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Declared {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        self.names.extend(names_of(&local.pat).iter().map(|name| name.ident.to_string()));
        visit::visit_local(self, local);
    }
}

struct Search<'l, 'a, 'p> {
    lowerer: &'l Lowerer<'a>,
    /// The parameters of the closure whose body it is, and of closures in it.
    given: Vec<&'p Pat>,
    /// Names that the code declares.
    own: BTreeSet<String>,
    effects: SideEffects,
}

impl Search<'_, '_, '_> {
    /// Whether a place is in a variable that the code declares: nobody sees that it is written. A name that is one of a variable
    /// around it, too, may be that.
    fn is_own(&self, place: &Expr) -> bool {
        match strip(place) {
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| {
                let name = name.to_string();
                self.own.contains(&name) && self.lowerer.find(&name).is_none()
            }),
            Expr::Field(field) => self.is_own(&field.base),
            Expr::Index(index) => self.is_own(&index.expr),
            _ => false,
        }
    }

    /// Whether a method is one of an iterator over something that the code goes through: what its closures do is seen
    /// where they are, and what it goes through where that is.
    fn is_of_iterator(&self, call: &syn::ExprMethodCall) -> bool {
        let takes = |arg: &Expr| match arg {
            Expr::Closure(_) | Expr::Lit(_) => true,
            other => is_iterator(other),
        };
        let is_known = stdlib::is(&call.method, Role::ReadsOther)
            || stdlib::is(&call.method, Role::MakesIterator);
        is_known && is_iterator(&call.receiver) && call.args.iter().all(takes)
    }
}

/// Whether an expression is an iterator over a list or a range, as far as its syntax tells.
fn is_iterator(expr: &Expr) -> bool {
    match strip(expr) {
        Expr::Range(_) => true,
        Expr::MethodCall(call) if call.method == "iter" || call.method == "into_iter" => true,
        Expr::MethodCall(call) if stdlib::is(&call.method, Role::MakesParts) => true,
        Expr::MethodCall(call) => {
            stdlib::is(&call.method, Role::MakesIterator) && is_iterator(&call.receiver)
        }
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Search<'_, '_, 'ast> {
    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        self.effects.found |= !self.is_own(&assign.left);
        visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        self.effects.found |= compound_op(&binary.op).is_some() && !self.is_own(&binary.left);
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
        self.effects.found |= reference.mutability.is_some() && !self.is_own(&reference.expr);
        visit::visit_expr_reference(self, reference);
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.given.extend(&closure.inputs);
        visit::visit_expr_closure(self, closure);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let Some(elements) = elements_of_vec(mac) else {
            self.effects.found = true;
            return;
        };
        let (given, own) = (self.given.clone(), self.own.clone());
        let mut search = Search { lowerer: self.lowerer, given, own, effects: SideEffects::NONE };
        search.visit_expr(&elements);
        self.effects.found |= search.effects.found;
        self.effects.calls |= search.effects.calls;
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        // What is found is found: chains of calls are long, and each is gone through from its beginning.
        self.effects.found = self.effects.found
            || rules::method(&call.method.to_string()).is_none()
                && !self.is_of_iterator(call)
                && self.lowerer.may_have_effects(call, self.given.iter().copied());
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        let Expr::Path(path) = strip(&call.func) else {
            self.effects.found = true;
            return;
        };
        match self.lowerer.closure_named(path) {
            Some(var) => {
                let function = self.lowerer.function_of_closure(var);
                self.effects.found |= function.has_effects();
                self.effects.calls |= function.is_noticed();
            }
            None => {
                self.effects.found |= !self.lowerer.is_function(path);
                self.effects.calls |= self.lowerer.is_users_function(path);
            }
        }
        visit::visit_expr_call(self, call);
    }
}
