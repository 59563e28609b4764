//! Tangents that are traced: after each statement they tell what it has assigned, and the derivative of that, so that the first statement
//! whose derivative is wrong can be found by differences.

use super::tangent::{Builder, Tangent, build};
use super::tested::Follow;
use super::told::{Telling, has_short_floats};
use crate::analyses::Facts;
use crate::ir::{Body, Expr, Op, Place, Stmt, StmtKind};
use crate::reify::Reified;
use crate::types::Type;

/// The tangent that is traced. There is none where there is no tangent, and of functions of floats that do not have the digits
/// that differences need.
pub fn traced(primal: &Body, reified: &Reified, facts: &Facts) -> Option<Tangent> {
    if primal.vars.iter().any(|variable| has_short_floats(&variable.ty)) {
        return None;
    }
    let traced = build(primal, reified, facts, &facts.activity, Follow::Statements);
    traced.refusal.is_none().then_some(traced)
}

impl Builder<'_> {
    /// The statements that a statement of the primal has become, followed by those that tell what it has assigned.
    pub(super) fn with_trace(&mut self, stmt: &Stmt, mut stmts: Vec<Stmt>) -> Vec<Stmt> {
        if self.follow == Follow::Statements {
            let telling = Telling { primal: self.primal, facts: self.facts };
            for place in telling.places(stmt) {
                let what = telling.in_words(stmt, &place);
                stmts.push(self.told_of(stmt, &place, what));
            }
        }
        stmts
    }

    /// The statement that tells a value and its direction.
    fn told_of(&mut self, stmt: &Stmt, place: &Place, what: String) -> Stmt {
        let span = stmt.span;
        let ty = self.primal.place_type(place);
        let load = |place| Expr::load(place, ty.clone(), span);
        let direction = self.tangent_of(place).map(|(direction, _)| load(direction));
        let args = [load(place.clone())].into_iter().chain(direction).collect();
        let value = Expr::op(Op::Traced(what.into()), args, Type::unit());
        let value = Some(Expr { span, ..value });
        let var = self.out.local("traced", Type::unit(), span);
        self.values.push(var);
        self.out.stmt(StmtKind::Let { var, value }, span)
    }
}
