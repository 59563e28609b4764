//! Activity: which dependences carry a derivative from an independent to a dependent?
//!
//! *Varied* at a point is, per zone, the set of independents its value depends on differentiably;
//! *useful*, the set of dependents it influences (TBR 2003, section 4). A dependence of `to` on `from`
//! is active for the pairs `varied(from) × useful(to)`: a condition on the instance, since a caller
//! may pass any subset of the independents as active.
//!
//! # Limitations
//! An array is one zone: writing an element does not make the others less varied or useful.

use super::{Optimisation, Optimisations};
use crate::dataflow::{Analysis, Direction, Grid, Solution, solve};
use crate::effects::{Flow, Zones};
use crate::flow::FlowGraph;
use crate::index::{Point, Var, Zone};
use crate::ir::{Body, Condition};
use fixedbitset::FixedBitSet;

/// The solution of both analyses.
#[derive(Debug)]
pub struct Activity {
    varied: Solution,
    useful: Solution,
    dependents: usize,
    pairs: usize,
    everything: bool,
}

struct Varied<'a> {
    body: &'a Body,
    zones: &'a Zones,
    graph: &'a FlowGraph,
}

impl Analysis for Varied<'_> {
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self) -> Grid {
        let mut grid = self.bottom();
        mark(&mut grid, self.zones, &self.body.independents);
        grid
    }

    // Bottom: nothing is varied.
    fn bottom(&self) -> Grid {
        Grid::empty(self.zones.len(), self.body.independents.len())
    }

    fn transfer(&self, point: Point, facts: &mut Grid) {
        let effects = &self.graph.info(point).effects;
        let gained: Vec<_> = effects.flows.iter().map(|flow| facts.union_of(&flow.from)).collect();
        for &zone in &effects.kills {
            facts.clear(zone);
        }
        for (flow, columns) in effects.flows.iter().zip(&gained) {
            for &zone in &flow.to {
                facts.add(zone, columns);
            }
        }
    }
}

struct Useful<'a> {
    body: &'a Body,
    zones: &'a Zones,
    graph: &'a FlowGraph,
}

impl Analysis for Useful<'_> {
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&self) -> Grid {
        let mut grid = self.bottom();
        mark(&mut grid, self.zones, &self.body.dependents);
        grid
    }

    // Bottom: nothing is useful.
    fn bottom(&self) -> Grid {
        Grid::empty(self.zones.len(), self.body.dependents.len())
    }

    fn transfer(&self, point: Point, facts: &mut Grid) {
        let effects = &self.graph.info(point).effects;
        let gained: Vec<_> = effects.flows.iter().map(|flow| facts.union_of(&flow.to)).collect();
        for &zone in &effects.kills {
            facts.clear(zone);
        }
        for (flow, columns) in effects.flows.iter().zip(&gained) {
            for &zone in &flow.from {
                facts.add(zone, columns);
            }
        }
    }
}

/// Gives each variable the column of its position.
fn mark(grid: &mut Grid, zones: &Zones, vars: &[Var]) {
    for (column, &var) in vars.iter().enumerate() {
        for zone in zones.of_var(var) {
            if zones.may_carry_floats(zone) {
                grid.insert(zone, column);
            }
        }
    }
}

impl Activity {
    /// Solves both analyses.
    pub fn of(body: &Body, zones: &Zones, graph: &FlowGraph, enabled: Optimisations) -> Self {
        Self {
            varied: solve(graph, &Varied { body, zones, graph }),
            useful: solve(graph, &Useful { body, zones, graph }),
            dependents: body.dependents.len(),
            pairs: body.pairs(),
            everything: !enabled.has(Optimisation::Activity),
        }
    }

    fn product(&self, varied: &FixedBitSet, useful: &FixedBitSet) -> Condition {
        let mut condition = Condition::never(self.pairs);
        for independent in varied.ones() {
            for dependent in useful.ones() {
                condition.pairs.insert(independent * self.dependents + dependent);
            }
        }
        condition
    }

    /// When a dependence at a point is active, whatever the optimisations.
    pub fn exact(&self, point: Point, flow: &Flow) -> Condition {
        let varied = self.varied.before(point).union_of(&flow.from);
        let useful = self.useful.after(point).union_of(&flow.to);
        self.product(&varied, &useful)
    }

    /// When the adjoint of a dependence at a point must run. Code whose adjoint does not exist is
    /// never active.
    pub fn condition(&self, point: Point, flow: &Flow) -> Condition {
        if flow.refusal.is_some() {
            return Condition::never(self.pairs);
        }
        if self.everything {
            return Condition::always(self.pairs);
        }
        self.exact(point, flow)
    }

    /// When the bar of overwritten zones must be reset: it may hold something, and the value before
    /// has a bar of its own.
    pub fn reset_condition(&self, point: Point, written: &[Zone]) -> Condition {
        if self.everything {
            return Condition::always(self.pairs);
        }
        let varied = self.varied.before(point).union_of(written);
        let useful = self.useful.after(point).union_of(written);
        self.product(&varied, &useful)
    }

    /// When zones are varied before a point, whatever becomes of them.
    pub fn varied_before(&self, point: Point, zones: &[Zone]) -> Condition {
        let mut all = FixedBitSet::with_capacity(self.dependents);
        all.insert_range(..);
        self.product(&self.varied.before(point).union_of(zones), &all)
    }

    /// When zones are varied before a point and zones are useful after it.
    pub fn between(&self, point: Point, from: &[Zone], to: &[Zone]) -> Condition {
        if self.everything {
            return Condition::always(self.pairs);
        }
        let varied = self.varied.before(point).union_of(from);
        let useful = self.useful.after(point).union_of(to);
        self.product(&varied, &useful)
    }

    /// The independents that zones depend on before a point.
    pub fn varied_columns(&self, point: Point, zone: Zone) -> FixedBitSet {
        self.varied.before(point).row(zone)
    }

    /// The dependents that zones influence after a point.
    pub fn useful_columns(&self, point: Point, zone: Zone) -> FixedBitSet {
        self.useful.after(point).row(zone)
    }

    /// How many pairs of an independent and a dependent there are.
    pub fn pairs(&self) -> usize {
        self.pairs
    }
}
