//! Tangents that are traced: after each statement they tell what it has assigned, and the derivative of that, so that the first statement
//! whose derivative is wrong can be found by differences, or the first whose value or derivative is not finite.

use super::tangent::{Builder, Tangent, Tracing, build};
use super::tested::Follow;
use super::told::{Telling, has_short_floats};
use crate::analyses::Facts;
use crate::ir::{Body, Expr, Op, Place, Stmt, StmtKind, Told, ToldRole};
use crate::reify::Reified;
use crate::types::Type;

/// The tangent that is traced. There is none where there is no tangent, and for comparisons none of functions of floats that do not have
/// the digits that differences need.
pub fn traced(
    primal: &Body,
    reified: &Reified,
    facts: &Facts,
    tracing: Tracing,
) -> Option<Tangent> {
    let has_digits = !primal.vars.iter().any(|variable| has_short_floats(&variable.ty));
    let tracing = Tracing { compared: tracing.compared && has_digits, ..tracing };
    if !tracing.compared && !tracing.searched {
        return None;
    }
    let traced = build(primal, reified, facts, &facts.activity, Follow::Statements(tracing));
    traced.refusal.is_none().then_some(traced)
}

impl Builder<'_> {
    /// The statements that a statement of the primal has become, followed by those that tell what it has assigned. Where a search wants to
    /// know, what it reads is told before it.
    pub(super) fn with_trace(&mut self, stmt: &Stmt, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let Follow::Statements(tracing) = self.follow else { return stmts };
        let telling = Telling { primal: self.primal, facts: self.facts };
        let assigned = telling.places(stmt);
        let mut all = Vec::new();
        if tracing.searched && !assigned.is_empty() {
            for counter in self.counters.clone() {
                let counter = Place::var(counter);
                let Some(what) = telling.name_of(&counter) else { continue };
                all.push(self.told_of(stmt, &counter, Told { what, role: ToldRole::Counter }));
            }
            for place in telling.read(stmt) {
                let what = telling.text_of(&place);
                all.push(self.told_of(stmt, &place, Told { what, role: ToldRole::Read }));
            }
        }
        all.extend(stmts);
        for place in assigned {
            let what = telling.in_words(stmt, &place);
            all.push(self.told_of(stmt, &place, Told { what, role: ToldRole::Assigned }));
        }
        all
    }

    /// The statement that tells a value and its direction.
    fn told_of(&mut self, stmt: &Stmt, place: &Place, told: Told) -> Stmt {
        let span = stmt.span;
        let ty = self.primal.place_type(place);
        let load = |place| Expr::load(place, ty.clone(), span);
        let direction = match told.role {
            ToldRole::Assigned | ToldRole::Read => self.tangent_of(place),
            ToldRole::Counter => None,
        };
        let direction = direction.map(|(direction, _)| load(direction));
        let args = [load(place.clone())].into_iter().chain(direction).collect();
        let value = Expr::op(Op::Traced(told), args, Type::unit());
        let value = Some(Expr { span, ..value });
        let var = self.out.local("traced", Type::unit(), span);
        self.values.push(var);
        self.out.stmt(StmtKind::Let { var, value }, span)
    }
}
