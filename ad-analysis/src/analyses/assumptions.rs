//! What the backward sweep has to do, for which values are needed.

use super::{Activity, Optimisation, Optimisations, Storage};
use crate::flow::FlowGraph;
use crate::index::{Point, StmtId};
use crate::ir::{Body, Condition};
use std::collections::HashMap;

/// What the needs are collected for. It grows until nothing new is restored.
#[derive(Debug)]
pub struct Assumptions {
    /// When the backward sweep of a construct has anything to do.
    pub(super) reversed: HashMap<StmtId, Condition>,
    /// When the backward sweep has anything to do at all.
    pub(super) anything: Condition,
    /// The exact updates that the backward sweep undoes, and when.
    pub(super) inverted: HashMap<StmtId, Condition>,
    /// Where the backward sweep restores something, and when.
    pub(super) restored: HashMap<Point, Condition>,
}

impl Assumptions {
    /// The constructs in which something is active; nothing is undone.
    pub fn from_activity(body: &Body, graph: &FlowGraph, activity: &Activity) -> Self {
        let mut assumptions = Self {
            reversed: HashMap::new(),
            anything: Condition::never(body.pairs()),
            inverted: HashMap::new(),
            restored: HashMap::new(),
        };
        for &point in graph.order() {
            let effects = &graph.info(point).effects;
            let mut condition = Condition::never(body.pairs());
            for flow in &effects.flows {
                condition.join(&activity.condition(point, flow));
            }
            condition.join(&activity.reset_condition(point, effects));
            assumptions.reverse_around(graph, point, &condition);
        }
        assumptions
    }

    /// Adds the constructs in which something is restored, and the updates that can be undone
    /// instead; says whether any is new.
    pub fn grow(&mut self, graph: &FlowGraph, storage: &Storage, enabled: Optimisations) -> bool {
        let mut grew = false;
        for &point in graph.order() {
            let condition = storage.restores(point);
            if condition.is_never() {
                continue;
            }
            let never = || Condition::never(condition.pairs.len());
            grew |= self.reverse_around(graph, point, &condition);
            grew |= self.restored.entry(point).or_insert_with(never).join(&condition);
            let info = graph.info(point);
            if let Some(stmt) = info.stmt
                && info.effects.inverse.is_some()
                && enabled.has(Optimisation::Invert)
                && enabled.has(Optimisation::Tbr)
            {
                grew |= self.inverted.entry(stmt).or_insert_with(never).join(&condition);
            }
        }
        grew
    }

    fn reverse_around(&mut self, graph: &FlowGraph, point: Point, condition: &Condition) -> bool {
        let mut grew = self.anything.join(condition);
        if !condition.is_never() {
            for &outer in &graph.info(point).inside {
                let never = || Condition::never(condition.pairs.len());
                grew |= self.reversed.entry(outer).or_insert_with(never).join(condition);
            }
        }
        grew
    }
}
