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
use crate::effects::{Effects, Flow, Inverse, Zones};
use crate::flow::FlowGraph;
use crate::index::{IndexVec, Point, Var, Zone};
use crate::ir::{Binding, Body, Condition};
use fixedbitset::FixedBitSet;
use std::rc::Rc;

/// The solution of both analyses.
#[derive(Clone, Debug)]
pub struct Activity {
    varied: Rc<Solution>,
    useful: Rc<Solution>,
    dependents: usize,
    pairs: usize,
    /// Per zone, the independents its value may depend on at all; `None` for zones without floats.
    possible: IndexVec<Zone, Option<FixedBitSet>>,
    /// Per zone, when anything is ever added to its bar.
    filled: IndexVec<Zone, Condition>,
    everything: bool,
    /// Whether all that depends on an independent is active, whatever depends on it.
    all_useful: bool,
}

pub(super) struct Varied<'a> {
    pub(super) body: &'a Body,
    pub(super) zones: &'a Zones,
    pub(super) graph: &'a FlowGraph,
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
        pass(&self.graph.info(point).effects, facts, &|_| true);
    }
}

/// What is written has what it is made of, in zones that take it.
pub(super) fn pass(effects: &Effects, facts: &mut Grid, takes: &dyn Fn(Zone) -> bool) {
    let gained: Vec<_> = effects.flows.iter().map(|flow| facts.union_of(&flow.from)).collect();
    for &zone in &effects.kills {
        facts.clear(zone);
    }
    for (flow, columns) in effects.flows.iter().zip(&gained) {
        flow.to.iter().filter(|&&zone| takes(zone)).for_each(|&zone| facts.add(zone, columns));
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
        let mut activity = Self {
            varied: Rc::new(solve(graph, &Varied { body, zones, graph })),
            useful: Rc::new(solve(graph, &Useful { body, zones, graph })),
            dependents: body.dependents.len(),
            pairs: body.pairs(),
            possible: zones.all().map(|zone| possible(body, zones, zone)).collect(),
            filled: IndexVec::filled(Condition::never(body.pairs()), zones.len()),
            everything: !enabled.has(Optimisation::Activity),
            all_useful: false,
        };
        activity.leave_out_foreign(body, zones, graph);
        activity.fill(body, zones, graph);
        activity
    }

    /// Values of types that the macro does not know may be anything, also what has no bar. They are
    /// left alone unless they depend on an independent, even if activity is not looked at.
    fn leave_out_foreign(&mut self, body: &Body, zones: &Zones, graph: &FlowGraph) {
        let foreign = zones.all().filter(|&zone| !body.vars[zones.var(zone)].ty.is_known());
        for zone in foreign.collect::<Vec<_>>() {
            let is_varied = |&point: &Point| self.is_varied(point, &[zone]);
            if !graph.order().iter().any(is_varied) {
                self.possible[zone] = None;
            }
        }
    }

    fn fill(&mut self, body: &Body, zones: &Zones, graph: &FlowGraph) {
        for &point in graph.order() {
            for flow in &graph.info(point).effects.flows {
                if flow.refusal.is_some() {
                    continue;
                }
                // A constant variable gets nothing from what it is used with. What is constant in one that is not does: its bar is added to as a whole.
                for &zone in &flow.from {
                    let is_of_variable = |other: &Zone| zones.var(*other) == zones.var(zone);
                    let from: Vec<Zone> =
                        flow.from.iter().copied().filter(is_of_variable).collect();
                    let condition = self.between(point, &from, &flow.to);
                    self.filled[zone].join(&condition);
                }
            }
        }
        // The bars of the dependents come filled.
        for (column, &var) in body.dependents.iter().enumerate() {
            for zone in zones.of_var(var) {
                let pairs = &mut self.filled[zone].pairs;
                pairs
                    .extend((0..body.independents.len()).map(|row| row * self.dependents + column));
            }
        }
        self.fill_exchanged(graph);
    }

    /// Lists that change places change the shapes of their bars, so that both bars are kept if one is.
    fn fill_exchanged(&mut self, graph: &FlowGraph) {
        let exchanges: Vec<&[Zone]> = graph
            .order()
            .iter()
            .map(|&point| &graph.info(point).effects)
            .filter(|effects| {
                effects.reshapes && matches!(effects.inverse, Some(Inverse::Swap { .. }))
            })
            .map(|effects| effects.writes.as_slice())
            .collect();
        let mut grew = true;
        while grew {
            grew = false;
            for zones in &exchanges {
                let mut either = Condition::never(self.pairs);
                for &zone in *zones {
                    either.join(&self.filled[zone]);
                }
                for &zone in *zones {
                    grew |= self.filled[zone].join(&either);
                }
            }
        }
    }

    fn product(&self, varied: &FixedBitSet, useful: &FixedBitSet) -> Condition {
        let mut condition = Condition::never(self.pairs);
        for independent in varied.ones().take_while(|&row| row * self.dependents < self.pairs) {
            for dependent in useful.ones() {
                condition.pairs.insert(independent * self.dependents + dependent);
            }
        }
        condition
    }

    /// When a dependence at a point is active, whatever the optimisations.
    pub fn exact(&self, point: Point, from: &[Zone], to: &[Zone]) -> Condition {
        let varied = self.varied.before(point).union_of(from);
        let useful = self.useful.after(point).union_of(to);
        self.product(&varied, &useful)
    }

    /// When the adjoint of a dependence at a point must run. Code whose adjoint does not exist is
    /// never active.
    pub fn condition(&self, point: Point, flow: &Flow) -> Condition {
        if flow.refusal.is_some() {
            return Condition::never(self.pairs);
        }
        self.between(point, &flow.from, &flow.to)
    }

    /// When zones are varied before a point and zones are useful after it.
    pub fn between(&self, point: Point, from: &[Zone], to: &[Zone]) -> Condition {
        if self.everything {
            return self.anything(from, to);
        }
        let varied = self.varied.before(point).union_of(from);
        let mut useful = self.useful.after(point).union_of(to);
        if self.all_useful {
            useful.insert_range(..);
        }
        self.product(&varied, &useful)
    }

    /// The same where all that depends on an independent counts.
    pub fn with_all_useful(&self) -> Self {
        Self { all_useful: true, ..self.clone() }
    }

    /// Whether any of these zones depends on an independent before a point.
    pub fn is_varied(&self, point: Point, zones: &[Zone]) -> bool {
        self.varied.before(point).has_any(zones)
    }

    /// Whether a zone depends on an independent after a point.
    pub fn is_varied_after(&self, point: Point, zone: Zone) -> bool {
        self.varied.after(point).has(zone)
    }

    /// Whether any dependent depends on any of these zones after a point.
    pub fn is_useful(&self, point: Point, zones: &[Zone]) -> bool {
        self.useful.after(point).has_any(zones)
    }

    /// Whether a zone depends on an independent after a point, and a dependent on it.
    pub fn is_active_after(&self, point: Point, zone: Zone) -> bool {
        self.is_varied_after(point, zone) && self.is_useful(point, &[zone])
    }

    /// When the bar of what an assignment overwrites must be reset: it may hold something that later
    /// statements added, none of which is due to the value before. That value may be as passive as
    /// the new one; still an earlier value of the variable may be active on another path.
    pub fn reset_condition(&self, point: Point, effects: &Effects) -> Condition {
        if effects.assigned.is_empty() && !effects.reshapes {
            return Condition::never(self.pairs);
        }
        if !effects.reshapes || self.everything {
            return self.reset_of(point, &effects.writes);
        }
        self.filled(&effects.writes)
    }

    /// When the bars of some zones ever hold anything.
    pub fn filled(&self, zones: &[Zone]) -> Condition {
        let mut condition = Condition::never(self.pairs);
        for &zone in zones {
            condition.join(&self.filled[zone]);
        }
        condition
    }

    /// When the bar of some zones must be reset because a statement overwrites them.
    pub fn reset_of(&self, point: Point, written: &[Zone]) -> Condition {
        if self.everything {
            return self.anything(written, written);
        }
        let mut all = FixedBitSet::with_capacity(self.pairs);
        all.insert_range(..);
        let mut condition = Condition::never(self.pairs);
        for &zone in written {
            let useful = self.useful.after(point).row(zone);
            let mut filled = self.filled[zone].clone();
            filled.pairs.intersect_with(&self.product(&all, &useful).pairs);
            condition.join(&filled);
        }
        condition
    }

    /// Everything that carries floats, as far as there is an independent it can depend on.
    fn anything(&self, from: &[Zone], to: &[Zone]) -> Condition {
        let mut all = FixedBitSet::with_capacity(self.dependents);
        all.insert_range(..);
        let mut varied = FixedBitSet::with_capacity(self.pairs);
        for &zone in from {
            if let Some(possible) = &self.possible[zone] {
                varied.union_with(possible);
            }
        }
        if to.iter().all(|&zone| self.possible[zone].is_none()) {
            varied.clear();
        }
        self.product(&varied, &all)
    }
}

/// The independents that the value of a zone may depend on: a parameter that is not written only on
/// itself, a constant on none.
fn possible(body: &Body, zones: &Zones, zone: Zone) -> Option<FixedBitSet> {
    if !zones.may_carry_floats(zone) {
        return None;
    }
    let var = zones.var(zone);
    let mut columns = FixedBitSet::with_capacity(body.independents.len());
    let is_param = body.params.contains(&var);
    match body.vars[var].binding {
        Binding::Global(_) => {}
        Binding::Shared | Binding::Value if is_param => {
            columns.extend(body.independents.iter().position(|&other| other == var));
        }
        Binding::Shared | Binding::Value | Binding::Exclusive | Binding::View(_) => {
            columns.insert_range(..);
        }
    }
    Some(columns)
}
