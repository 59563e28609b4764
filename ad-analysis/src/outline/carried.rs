//! What the iterations of a loop hand on.

use super::Known;
use crate::analyses::Facts;
use crate::effects::Effects;
use crate::flow::PointKind;
use crate::index::{BitSet, Point, StmtId, Var, Zone};
use crate::ir::{
    BinaryOp, Block, ExprKind, Op, Opaque, Place, Projection, Stmt, StmtKind, each_expr,
    each_place, each_stmt, places_in, written_by,
};

/// A loop, as analysed.
pub(super) struct Iterations<'a> {
    pub(super) known: &'a Known<'a>,
    pub(super) id: StmtId,
    pub(super) body: &'a Block,
}

impl Iterations<'_> {
    /// Whether derivatives pass from one iteration to the next by way of a variable, if none of them ends the loop.
    pub(super) fn carry_derivatives(&self, var: Var) -> bool {
        let zones = &self.known.facts.zones;
        let floats = |zone: &Zone| zones.may_carry_floats(*zone);
        let depends = |effects: &Effects, zone: Zone| {
            effects.flows.iter().any(|flow| flow.from.contains(&zone))
        };
        zones.of_var(var).into_iter().filter(floats).any(|zone| self.carries(zone, depends))
    }

    /// Whether an iteration may read what another has left in a variable, for whatever purpose.
    pub(super) fn carry_values(&self, var: Var) -> bool {
        let uses = |effects: &Effects, zone: Zone| effects.uses.contains(&zone);
        let zones = self.known.facts.zones.of_var(var);
        zones.into_iter().any(|zone| self.carries(zone, uses)) && !self.sum_up_only(var)
    }

    /// Whether each iteration touches one element of a list only, that of its own number.
    pub(super) fn keep_to_own_elements(&self, var: Var, counter: Var) -> bool {
        let body = &self.known.lowered.body;
        let is_own = |place: &Place| match body.resolve(place).projections.first() {
            Some(Projection::Index(index)) => index.as_var() == Some(counter),
            Some(
                Projection::Field(_)
                | Projection::Boxed
                | Projection::Slice { .. }
                | Projection::Got { .. },
            )
            | None => false,
        };
        let in_code = |opaque: &Opaque| {
            opaque
                .reads
                .iter()
                .chain(&opaque.writes)
                .any(|&other| body.root_of(&Place::var(other)) == var)
        };
        let mut only = true;
        each_stmt(self.body, &mut |stmt| {
            if let StmtKind::Opaque(opaque) = &stmt.kind {
                only &= !in_code(opaque);
            }
            each_expr(stmt, &mut |expr| {
                if let ExprKind::Opaque(opaque) = &expr.kind {
                    only &= !in_code(opaque);
                }
            });
            // Where a reference is made, nothing is read.
            if !matches!(stmt.kind, StmtKind::Bind { .. }) {
                each_place(stmt, &mut |place| only &= body.root_of(place) != var || is_own(place));
            }
            only &= !written_by(body, stmt).contains(&counter);
        });
        only
    }

    /// Whether an iteration reads what the one before has left, or leaves it to the next.
    fn carries(&self, zone: Zone, reads: impl Fn(&Effects, Zone) -> bool) -> bool {
        let graph = &self.known.facts.graph;
        let is_head = |point: Point| {
            let info = graph.info(point);
            info.kind == PointKind::Iteration && info.stmt == Some(self.id)
        };
        let mut open: Vec<Point> =
            graph.order().iter().copied().filter(|point| is_head(*point)).collect();
        let mut seen = BitSet::new();
        while let Some(point) = open.pop() {
            let effects = &graph.info(point).effects;
            if reads(effects, zone) {
                return true;
            }
            if effects.kills.contains(&zone) {
                continue;
            }
            for next in graph.successors(point) {
                if is_head(next) {
                    return true;
                }
                if graph.info(next).inside.contains(&self.id) && seen.insert(next) {
                    open.push(next);
                }
            }
        }
        false
    }

    /// Whether a variable through which derivatives pass is nothing but a sum over the iterations: they add to it, and do not look at it.
    pub(super) fn only_add_to(&self, var: Var) -> bool {
        let Facts { zones, graph, activity, .. } = self.known.facts;
        let own = zones.of_var(var);
        let after = graph.after(self.id);
        if !activity.is_varied(after, &own) || !activity.is_useful(after, &own) {
            return false;
        }
        let is_own = |zone: &Zone| own.contains(zone);
        let mut only = true;
        each_stmt(self.body, &mut |stmt| {
            let effects = &graph.info(graph.at(stmt.id)).effects;
            let reads = effects.flows.iter().any(|flow| flow.from.iter().any(is_own));
            if reads || effects.writes.iter().any(is_own) {
                only &= self.adds_to(stmt, var);
            }
        });
        only
    }

    /// Whether a variable is a sum over the iterations that they do not look at.
    fn sum_up_only(&self, var: Var) -> bool {
        let Facts { zones, graph, .. } = self.known.facts;
        let own = zones.of_var(var);
        let mut sums = Vec::new();
        each_stmt(self.body, &mut |stmt| {
            if self.adds_to(stmt, var) {
                sums.push(graph.at(stmt.id));
            }
        });
        let touches = |point: &Point| {
            let info = graph.info(*point);
            let zones = info.effects.uses.iter().chain(&info.effects.writes);
            info.inside.contains(&self.id) && zones.into_iter().any(|zone| own.contains(zone))
        };
        graph.order().iter().filter(|point| touches(point)).all(|point| sums.contains(point))
    }

    /// Whether a statement is `v = v + e` or `v = v - e`, or one about an element, where `e` does not mention `v`.
    fn adds_to(&self, stmt: &Stmt, var: Var) -> bool {
        let StmtKind::Assign { place, value } = &stmt.kind else { return false };
        let ExprKind::Op(Op::Binary(op), args) = &value.kind else { return false };
        let body = &self.known.lowered.body;
        let mut mentions = false;
        let is_it = |place: &Place| body.resolve(place).root == var;
        let added = match (op, args[0].as_place() == Some(place)) {
            (BinaryOp::Add | BinaryOp::Sub, true) => &args[1],
            (BinaryOp::Add, false) if args[1].as_place() == Some(place) => &args[0],
            _ => return false,
        };
        places_in(added, &mut |place| mentions |= is_it(place));
        is_it(place) && !mentions
    }
}
