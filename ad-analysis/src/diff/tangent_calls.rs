//! Tangents of calls: those of the callees.

use super::call::{CallActivity, activity};
use super::no_tangent::NoTangent;
use super::tangent::Builder;
use crate::ir::{
    Arg, ArgKind, Call, Callee, Condition, Expr, Guard, Leads, Place, Projection, Slot, Stmt,
    StmtKind, Sweep,
};
use crate::payloads::is_of_variant;
use crate::types::Type;

impl Builder<'_> {
    pub(super) fn call(&mut self, stmt: &Stmt, call: &Call) -> Vec<Stmt> {
        let CallActivity { any, args: conditions } =
            activity(self.primal, self.facts, self.activity, stmt, call);
        let result = call.result.and_then(|result| {
            let (tangent, _) = self.tangent_of(&Place::var(result))?;
            Some((tangent.root, result))
        });
        if any.is_never() {
            let kind = StmtKind::Call(Call { kept: None, ..call.clone() });
            let mut stmts = vec![Stmt { kind, ..stmt.clone() }];
            stmts.extend(self.reshaped(stmt, call, &conditions));
            stmts.extend(result.map(|(tangent, result)| {
                let value = Some(self.zero_like(&self.primal.load(result)));
                self.out.stmt(StmtKind::Let { var: tangent, value }, stmt.span)
            }));
            return stmts;
        }
        if matches!(call.callee, Callee::Given) {
            self.refuse(NoTangent::GivenAdjoint);
        }
        let mut args = Vec::new();
        for (arg, condition) in call.args.iter().zip(&conditions) {
            let place = match &arg.kind {
                ArgKind::Value(value) => value.as_place(),
                ArgKind::Shared(place) | ArgKind::Exclusive(place) => Some(place),
                ArgKind::Omitted => unreachable!("a primal has no sweep statements"),
            };
            let place = place.filter(|_| !condition.is_never());
            let tangent = place.and_then(|place| self.tangent_of(place));
            let condition = condition.of_independents(self.primal.dependents.len());
            let slot = tangent.map_or(Slot::Passive, |(place, _)| Slot::Bar(place, condition));
            args.push(Arg { kind: arg.kind.clone(), slot });
        }
        self.check_aliases(&args);
        let of_dependents = activity(self.primal, self.facts, &self.facts.activity, stmt, call);
        let leads = match of_dependents.any.is_never() {
            true => Leads::ToTests,
            false => Leads::ToDependents,
        };
        let sweep = Sweep::Tangent { result: result.map(|(tangent, _)| tangent), leads };
        let kind = StmtKind::Call(Call { args, sweep, kept: None, ..call.clone() });
        let mut stmts = vec![Stmt { kind, ..stmt.clone() }];
        stmts.extend(self.reshaped(stmt, call, &conditions));
        stmts
    }

    /// The tangents of lists that the callee may have given other lengths, and of what may have such lists, where it is not given the tangents: no
    /// derivative goes through them, so that zeros are right.
    fn reshaped(&mut self, stmt: &Stmt, call: &Call, conditions: &[Condition]) -> Vec<Stmt> {
        let effects = &self.facts.graph.info(self.facts.graph.at(stmt.id)).effects;
        let mut stmts = Vec::new();
        for (arg, condition) in call.args.iter().zip(conditions) {
            let ArgKind::Exclusive(place) = &arg.kind else { continue };
            let list = self.primal.resolve(place);
            let Some((tangent, own)) = self.tangent_of(&list) else { continue };
            let condition = condition.of_independents(self.primal.dependents.len());
            let ty = self.primal.place_type(&list);
            let may_have_lists = matches!(ty, Type::Named(_));
            let is_list = effects.passed_lists.contains(&list);
            if !is_list && !may_have_lists || own.implies(&condition) {
                continue;
            }
            let value = Expr::load(list, ty, stmt.span);
            let value = if is_list { self.zero_list(&value) } else { self.zero_like(&value) };
            let assign = StmtKind::Assign { place: tangent, value };
            let mut zeros = vec![self.out.stmt(assign, stmt.span)];
            if !condition.is_never() {
                let test = Expr::guard(Guard::both(condition));
                let (then, otherwise) = (self.out.new_block(Vec::new()), self.out.new_block(zeros));
                zeros = vec![self.out.stmt(StmtKind::If { test, then, otherwise }, stmt.span)];
            }
            stmts.extend(self.guarded(&own, zeros));
        }
        stmts
    }

    /// rustc knows of views that they are apart, and of different fields, and not of other places in one tangent.
    fn check_aliases(&mut self, args: &[Arg]) {
        let exclusive = args.iter().filter(|arg| matches!(arg.kind, ArgKind::Exclusive(_)));
        for arg in exclusive {
            let Slot::Bar(place, _) = &arg.slot else { continue };
            let is_same = |other: &&Arg| match &other.slot {
                Slot::Bar(other, _) => other.root == place.root && !are_fields(place, other),
                Slot::Passive | Slot::Marker(_) => false,
            };
            if args.iter().filter(is_same).count() > 1 {
                self.refuse(NoTangent::Aliases);
            }
        }
    }
}

/// Whether two places are in different fields of one value, and not in lists in it.
fn are_fields(a: &Place, b: &Place) -> bool {
    let is_field =
        |step: &Projection| matches!(step, Projection::Field(name) if !is_of_variant(name));
    let mut steps = a.projections.iter().zip(&b.projections);
    let parting = steps.by_ref().take_while(|(step, _)| step.is_fixed()).find(|(a, b)| a != b);
    parting.is_some_and(|(a, b)| is_field(a) && is_field(b))
}
