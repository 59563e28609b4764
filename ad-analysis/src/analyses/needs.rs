//! Needs: which values does the backward sweep read, and which of them does it compute again?
//!
//! This is the only analysis that decides between keeping and recomputing. It starts from what the
//! partials, the resets, the shapes of bars and the way back through control read, and replaces a value
//! by the operands of its definition where that is legal (the definition is [available](Available))
//! and saves storage: every operand survives anyway, is stored anyway, is changed back, or can itself be
//! computed again. What costs more than a store and a load (`tanh`, `powf`; `exp`, too, where it is stored in a frame) is not computed again. An integer that parameters tell is computed again even if it survives: it would have to be handed over.
//! Whether the operands survive is TBR's business, since they are needed now. No later phase changes
//! what is needed.

use super::assumptions::Assumptions;
use super::availability::{Available, DefId, Doomed};
use super::undone::undone;
use super::{Activity, Optimisation, Optimisations};
use crate::effects::Zones;
use crate::flow::{FlowGraph, PointKind};
use crate::index::{BitSet, IndexVec, Point, StmtId, Var, Zone};
use crate::ir::{Binding, Body, CalleeFact, Condition, ExprKind, stmts_of_frames};
use crate::reify::Reified;
use crate::rules::{DEARER_THAN_FRAMES, DEARER_THAN_STORAGE, cost_of_reused, dearest, is_cheap};
use crate::types::Type;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How many bits a set of needs may have, of which there is one for each point.
const LARGEST_GRID: usize = 1 << 16;

/// A side of a point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The values before what happens there.
    Before,
    /// The values after it.
    After,
}

/// Where the backward sweep reads a value: when it passes this side of the point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// The point.
    pub point: Point,
    /// The side.
    pub side: Side,
}

/// How a needed value may be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Terms {
    /// It only says which way control went.
    control: bool,
    /// It is read before what the statement overwrote has been restored.
    early: bool,
    /// It is read only if control came through the site, not if an exit left the construct before.
    here: bool,
    /// It is read at more than one place, or must be what it was left as.
    stored: bool,
}

#[derive(Clone, Debug)]
struct Need {
    site: Site,
    zone: Zone,
    condition: Condition,
    terms: Terms,
}

/// Needs, one for each site and zone.
#[derive(Default)]
struct Needs(BTreeMap<(Site, Zone), Need>);

impl Needs {
    fn add(&mut self, need: Need) {
        match self.0.entry((need.site, need.zone)) {
            Entry::Vacant(entry) => {
                entry.insert(need);
            }
            Entry::Occupied(entry) => {
                let known = entry.into_mut();
                known.condition.join(&need.condition);
                known.terms.control &= need.terms.control;
                known.terms.early |= need.terms.early;
                known.terms.here &= need.terms.here;
                known.terms.stored |= need.terms.stored;
            }
        }
    }
}

/// A definition that the backward sweep repeats.
#[derive(Clone, Debug)]
pub struct Recomputation {
    /// The definition.
    pub definition: DefId,
    /// When it is needed.
    pub condition: Condition,
    /// The operands that are repeated for it; the others are read as they are.
    pub repeated: Vec<Var>,
}

/// The solution.
#[derive(Debug)]
pub struct Needed {
    available: Available,
    direct: BTreeMap<Site, Vec<(Zone, Condition)>>,
    own: BTreeMap<Point, Condition>,
    recompute: BTreeMap<Site, Vec<Recomputation>>,
    recomputed: HashMap<(Site, Var), DefId>,
    bars: IndexVec<Var, Condition>,
    inverted: BitSet<StmtId>,
    reversed: HashMap<StmtId, Condition>,
}

/// A step of the way to compute a value again.
struct Step {
    definition: DefId,
    /// The operands that earlier steps compute.
    repeated: Vec<Var>,
}

/// What the decisions are based on.
struct Context<'a> {
    body: &'a Body,
    reified: &'a Reified,
    zones: &'a Zones,
    graph: &'a FlowGraph,
    activity: &'a Activity,
    enabled: Optimisations,
    doomed: Doomed,
    loop_vars: BitSet<Zone>,
    undone: BitSet<Var>,
    /// The statements of iterations that store in one piece.
    framed: BitSet<StmtId>,
    asks_callees: bool,
}

impl Needed {
    /// Collects and decides, given when the backward sweeps of constructs have anything to do.
    pub fn of(
        body: &Body,
        reified: &Reified,
        zones: &Zones,
        graph: &FlowGraph,
        activity: &Activity,
        assumptions: &Assumptions,
        enabled: Optimisations,
    ) -> Self {
        let loop_vars = graph.order().iter().map(|&point| graph.info(point));
        let loop_vars = loop_vars
            .filter(|info| info.kind == PointKind::Iteration)
            .flat_map(|info| info.effects.writes.iter().copied())
            .collect();
        let doomed = Doomed::of(graph, zones);
        let undone = match enabled.has(Optimisation::Invert) && enabled.has(Optimisation::Tbr) {
            true => undone(body, graph),
            false => BitSet::new(),
        };
        let framed = stmts_of_frames(body);
        let context = Context {
            body,
            reified,
            zones,
            graph,
            activity,
            enabled,
            doomed,
            loop_vars,
            undone,
            framed,
            asks_callees: asks_callees(body, zones, graph, enabled),
        };
        let mut needed = Self {
            available: Available::of(body, graph),
            direct: BTreeMap::new(),
            own: BTreeMap::new(),
            recompute: BTreeMap::new(),
            recomputed: HashMap::new(),
            bars: IndexVec::filled(Condition::never(body.pairs()), body.vars.len()),
            inverted: assumptions.inverted.keys().copied().collect(),
            reversed: assumptions.reversed.clone(),
        };
        let needs = needed.collect(&context, assumptions);
        needed.decide(&context, needs);
        needed
    }

    /// Everything that is read, before any decision.
    fn collect(&mut self, context: &Context<'_>, assumptions: &Assumptions) -> Needs {
        let Context { body, reified, zones, graph, activity, .. } = *context;
        let mut needs = Needs::default();
        let mut need = |point, side, zone, condition: &Condition, terms| {
            if !condition.is_never() && !context.loop_vars.contains(zone) {
                let site = Site { point, side };
                needs.add(Need { site, zone, condition: condition.clone(), terms });
            }
        };
        let value = Terms::default();
        let stored = Terms { stored: true, ..value };
        for point in graph.order().iter().copied().chain(graph.ends_left()) {
            let info = graph.info(point);
            let effects = &info.effects;
            let mut any = Condition::never(body.pairs());
            let here = Terms { early: effects.late, ..value };
            for flow in &effects.flows {
                let condition = activity.condition(point, flow);
                any.join(&condition);
                for &zone in &flow.needs.before {
                    need(point, Side::Before, zone, &condition, here);
                }
                for &zone in &flow.needs.after {
                    need(point, Side::After, zone, &condition, here);
                }
                for &(zone, argument, fact) in &flow.needs.by_callee {
                    let call = info.stmt.expect("a callee reads where it is called");
                    let fact = CalleeFact { call, argument, fact };
                    let condition = match context.asks_callees {
                        true => condition.if_callee(fact),
                        false => condition.clone(),
                    };
                    need(point, Side::Before, zone, &condition, here);
                }
                if flow.needs.own && !condition.is_never() {
                    let own = self.own.entry(point);
                    own.or_insert_with(|| Condition::never(body.pairs())).join(&condition);
                }
                for &zone in &flow.to {
                    self.bars[zones.var(zone)].join(&condition);
                }
                for &zone in &flow.from {
                    let var = zones.var(zone);
                    // What never depends on an independent may be of a type without bars, and that of a list is made for each.
                    let is_cheap = {
                        let ty = &body.vars[var].ty;
                        ty.has_placeholder() && !ty.has_dynamic_shape()
                    };
                    if is_cheap || activity.is_varied(point, &[zone]) {
                        self.bars[var].join(&condition);
                    }
                }
            }
            let reset = activity.reset_condition(point, effects);
            any.join(&reset);
            for &zone in &effects.reset_needs {
                need(point, Side::Before, zone, &reset, value);
            }
            for &zone in &effects.writes {
                self.bars[zones.var(zone)].join(&reset);
            }
            let whole = effects.assigned.iter().filter(|place| place.is_whole());
            for shape in whole.filter_map(|place| reified.shapes.get(&place.root)) {
                for zone in zones.of_var(*shape) {
                    need(point, Side::Before, zone, &any, value);
                }
            }
            let part = info.stmt.and_then(|stmt| reified.part_shapes.get(&stmt));
            for zone in part.into_iter().flat_map(|&shape| zones.of_var(shape)) {
                need(point, Side::Before, zone, &any, value);
            }
            for place in &effects.passed_lists {
                let filled = activity.filled(&zones.of_place(place));
                let shape = reified.shapes.get(&place.root);
                for zone in shape.into_iter().flat_map(|&shape| zones.of_var(shape)) {
                    need(point, Side::Before, zone, &filled, here);
                }
            }
            // To restore an element, its index must be there first.
            if let Some(condition) = assumptions.restored.get(&point) {
                for &zone in &effects.overwritten_indices {
                    let early = Terms { early: true, ..value };
                    need(point, Side::Before, zone, condition, early);
                }
            }
            // An update is undone from the value it left behind.
            let undone = info.stmt.filter(|_| info.kind == PointKind::Statement);
            if let Some(condition) = undone.and_then(|stmt| assumptions.inverted.get(&stmt)) {
                for &zone in &effects.writes {
                    need(point, Side::After, zone, condition, stored);
                }
            }
            let way_back = control_condition(context, point, assumptions);
            let control = Terms { control: true, ..value };
            for &zone in &info.control {
                need(point, Side::After, zone, &way_back, control);
            }
            for &zone in &info.exit {
                let stored = !reified.told_exits.contains(zones.var(zone));
                let terms = Terms { here: true, stored, ..control };
                need(point, Side::After, zone, &way_back, terms);
            }
        }
        // The shape of a bar is needed where its variable dies: there the backward sweep declares it.
        for (&var, &shape) in &reified.shapes {
            // No backward sweep begins there.
            if graph.never_dies(var) {
                continue;
            }
            let deaths: Vec<Point> = graph.deaths(var).collect();
            let one_end = deaths.iter().all(|&point| match graph.info(point).kind {
                PointKind::ScopeEnd { scope, exit: _ } => graph.has_one_end(scope),
                _ => true,
            });
            let terms = if one_end { value } else { stored };
            let ends = if deaths.is_empty() { vec![graph.end()] } else { deaths };
            for point in ends {
                for zone in zones.of_var(shape) {
                    need(point, Side::Before, zone, &self.bars[var], terms);
                }
            }
        }
        needs
    }

    fn decide(&mut self, context: &Context<'_>, needs: Needs) {
        let mut open = Vec::new();
        let mut stored = BitSet::new();
        for need in needs.0.into_values() {
            match self.candidate(context, &need) {
                Some(_) => open.push(need),
                None => self.keep(context, need, &mut stored),
            }
        }
        // Earlier definitions first: what is stored for them may serve the later ones.
        let order: HashMap<Point, usize> =
            context.graph.order().iter().enumerate().map(|(n, &point)| (point, n)).collect();
        open.sort_by_key(|need| {
            let id = self.candidate(context, need).expect("open needs have candidates");
            (order[&self.available.get(id).0], need.site)
        });
        loop {
            let mut rest = Vec::new();
            let before = open.len();
            for need in open {
                match self.recipe(context, &need, &stored) {
                    Some((site, recipe)) => self.repeat(context, need, site, recipe),
                    None => rest.push(need),
                }
            }
            if rest.is_empty() {
                return;
            }
            open = rest;
            if open.len() == before {
                let first = open.remove(0);
                self.keep(context, first, &mut stored);
            }
        }
    }

    /// The definition that could be repeated to satisfy a need that would otherwise cost storage.
    fn candidate(&self, context: &Context<'_>, need: &Need) -> Option<DefId> {
        let wanted =
            if need.terms.control { Optimisation::Retest } else { Optimisation::Recompute };
        let sites = context.reached_from(need.site, need.terms);
        let var = context.zones.var(need.zone);
        let is_after = need.site.side == Side::After;
        let id = self.available.definition(var, need.site.point, is_after)?;
        if self.available.cannot_be_stored(context.body, id) {
            return Some(id);
        }
        if self.is_stored(context, id) {
            return None;
        }
        let saves =
            !context.survives(need.zone, &sites) || self.is_told_by_parameters(context, id, &sites);
        (saves && !need.terms.stored && context.enabled.has(wanted)).then_some(id)
    }

    /// Whether a value costs more than to store and to read it.
    fn is_stored(&self, context: &Context<'_>, id: DefId) -> bool {
        let (point, definition) = self.available.get(id);
        let stmt = context.graph.info(*point).stmt;
        let is_framed = stmt.is_some_and(|stmt| context.framed.contains(stmt));
        let reused = match &definition.value.kind {
            ExprKind::Op(op, args) => cost_of_reused(op, args),
            ExprKind::Literal(_) | ExprKind::Load(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {
                0
            }
        };
        dearest(&definition.value) >= DEARER_THAN_STORAGE
            || is_framed && reused >= DEARER_THAN_FRAMES
    }

    /// Whether a definition is an integer or a truth value that costs next to nothing to make of parameters, which the backward
    /// sweep gets anyway. What survives otherwise is handed over, and callers in loops store it.
    fn is_told_by_parameters(&self, context: &Context<'_>, id: DefId, sites: &[Site]) -> bool {
        let (_, definition) = self.available.get(id);
        let is_parameter = |zone: Zone| {
            context.body.params.contains(&context.zones.var(zone)) && context.survives(zone, sites)
        };
        matches!(context.body.vars[definition.var].ty, Type::Int(_) | Type::Bool)
            && is_cheap(&definition.value)
            && definition.operands.iter().all(|&operand| is_parameter(operand))
    }

    /// How to compute the needed value again at the outermost place where that is possible, in
    /// the order of execution, if all that takes is there anyway.
    fn recipe(
        &self,
        context: &Context<'_>,
        need: &Need,
        stored: &BitSet<Zone>,
    ) -> Option<(Site, Vec<Step>)> {
        let id = self.candidate(context, need)?;
        let mut best = None;
        for site in context.outward(need.site, self.available.get(id).0) {
            let mut recipe = Vec::new();
            let sites = context.reached_from(site, need.terms);
            if !self.can_repeat(context, id, &sites, stored, need.terms.early, &mut recipe) {
                break;
            }
            best = Some((site, recipe));
        }
        best
    }

    fn can_repeat(
        &self,
        context: &Context<'_>,
        id: DefId,
        sites: &[Site],
        stored: &BitSet<Zone>,
        early: bool,
        recipe: &mut Vec<Step>,
    ) -> bool {
        if recipe.iter().any(|step| step.definition == id) {
            return true;
        }
        let is_after = |site: &Site| site.side == Side::After;
        let here = |site: &Site| self.available.is_available(id, site.point, is_after(site));
        if !sites.iter().all(here) {
            return false;
        }
        let site = sites[0];
        let (_, definition) = self.available.get(id);
        if self.is_stored(context, id) {
            return false;
        }
        let overwritten = &context.graph.info(site.point).effects.writes;
        let mut known = self.recompute.get(&site).into_iter().flatten();
        let known = known.find(|known| known.definition == id);
        let mut repeated = Vec::new();
        for &operand in &definition.operands {
            if early && site.side == Side::Before && overwritten.contains(&operand) {
                return false;
            }
            let var = context.zones.var(operand);
            let is_there = match known {
                // One place repeats a definition in one way.
                Some(known) => !known.repeated.contains(&var),
                None => {
                    context.survives(operand, sites)
                        || stored.contains(operand)
                        || context.undone.contains(var)
                }
            };
            if is_there || context.loop_vars.contains(operand) {
                continue;
            }
            let after = is_after(&site);
            let Some(inner) = self.available.definition(var, site.point, after) else {
                return false;
            };
            if !self.can_repeat(context, inner, sites, stored, early, recipe) {
                return false;
            }
            repeated.push(var);
        }
        recipe.push(Step { definition: id, repeated });
        true
    }

    /// Decides that a value is read as it is.
    fn keep(&mut self, context: &Context<'_>, need: Need, stored: &mut BitSet<Zone>) {
        let sites = context.reached_from(need.site, need.terms);
        if !context.survives(need.zone, &sites) {
            stored.insert(need.zone);
        }
        for site in sites {
            self.read(site, need.zone, &need.condition);
        }
    }

    fn read(&mut self, site: Site, zone: Zone, condition: &Condition) {
        let list = self.direct.entry(site).or_default();
        match list.iter_mut().find(|(known, _)| *known == zone) {
            Some((_, known)) => {
                known.join(condition);
            }
            None => list.push((zone, condition.clone())),
        }
    }

    /// Decides that a value is computed again.
    fn repeat(&mut self, context: &Context<'_>, mut need: Need, site: Site, recipe: Vec<Step>) {
        // There is nothing to put in the place of what may be a reference, and of a list a callee that reads no element may want
        // the length.
        let has_no_substitute = |step: &Step| {
            let var = self.available.get(step.definition).1.var;
            context.body.vars[var].ty.has_dynamic_shape()
                || self.available.cannot_be_stored(context.body, step.definition)
        };
        if recipe.iter().any(has_no_substitute) {
            need.condition = Condition::always(context.body.pairs());
        }
        let last = recipe.last().expect("a recipe repeats at least one definition").definition;
        self.recomputed.insert((need.site, context.zones.var(need.zone)), last);
        for Step { definition: id, repeated } in recipe {
            let (_, definition) = self.available.get(id).clone();
            for operand in definition.operands {
                let var = context.zones.var(operand);
                if !repeated.contains(&var) && !context.loop_vars.contains(operand) {
                    for site in context.reached_from(site, need.terms) {
                        self.read(site, operand, &need.condition);
                    }
                }
            }
            let list = self.recompute.entry(site).or_default();
            match list.iter_mut().find(|known| known.definition == id) {
                Some(known) => {
                    known.condition.join(&need.condition);
                }
                None => {
                    let condition = need.condition.clone();
                    list.push(Recomputation { definition: id, condition, repeated });
                }
            }
        }
    }

    /// What callees are asked in the conditions under which values are read, or computed again.
    pub fn asked(&self) -> BTreeSet<CalleeFact> {
        let read = self.direct.values().flatten().map(|(_, condition)| condition);
        let repeated = self.recompute.values().flatten();
        let repeated = repeated.map(|recomputation| &recomputation.condition);
        read.chain(repeated).flat_map(|condition| condition.if_callee.keys().copied()).collect()
    }

    /// The values that are read on a side of a point, with the conditions.
    pub fn direct(&self, point: Point, side: Side) -> &[(Zone, Condition)] {
        self.direct.get(&Site { point, side }).map_or(&[], Vec::as_slice)
    }

    /// When the adjoint of the statement at a point reads what the statement overwrites.
    pub fn own(&self, point: Point) -> Option<&Condition> {
        self.own.get(&point)
    }

    /// The definitions that are repeated on a side of a point, in the order of execution.
    pub fn recomputations(&self, point: Point, side: Side) -> &[Recomputation] {
        self.recompute.get(&Site { point, side }).map_or(&[], Vec::as_slice)
    }

    /// The definition of a variable that is repeated on a side of a point, for whatever reads it there.
    pub fn repeated(&self, var: Var, point: Point, side: Side) -> Option<DefId> {
        let here = self.recomputations(point, side).iter();
        let mut ids = here.map(|recomputation| recomputation.definition);
        ids.find(|&id| self.definition(id).1.var == var)
    }

    /// The definition that is repeated to have the value of a variable on a side of a point.
    pub fn source(&self, var: Var, point: Point, side: Side) -> Option<DefId> {
        self.recomputed.get(&(Site { point, side }, var)).copied()
    }

    /// A definition, and the point where it stands.
    pub fn definition(&self, id: DefId) -> &(Point, crate::effects::Definition) {
        self.available.get(id)
    }

    /// When the backward sweep of a construct has anything to do, if ever.
    pub fn reversed(&self, stmt: StmtId) -> Option<&Condition> {
        self.reversed.get(&stmt)
    }

    /// Whether a statement is an update that the backward sweep undoes.
    pub fn is_inverted(&self, stmt: StmtId) -> bool {
        self.inverted.contains(stmt)
    }

    /// When the bar of a variable holds anything.
    pub fn bar(&self, var: Var) -> &Condition {
        &self.bars[var]
    }
}

impl Context<'_> {
    /// Whether the value of a zone at these sites is still there when the backward sweep comes back.
    fn survives(&self, zone: Zone, sites: &[Site]) -> bool {
        let by_caller = match self.body.vars[self.zones.var(zone)].binding {
            // The backward sweep is not given what the primal may write.
            Binding::Exclusive => true,
            Binding::Value | Binding::Shared | Binding::Global(_) | Binding::View(_) => false,
        };
        let is_doomed =
            |site: &Site| self.doomed.is_doomed(zone, site.point, site.side == Side::After);
        !by_caller && !sites.iter().any(is_doomed)
    }

    /// The sites from which control may have come when the backward sweep reads a value at a site: at
    /// the end of a construct, also the exits that left it for an outer one.
    fn reached_from(&self, site: Site, terms: Terms) -> Vec<Site> {
        let info = self.graph.info(site.point);
        let mut sites = vec![site];
        if let (PointKind::After, Some(stmt), false) = (info.kind, info.stmt, terms.here) {
            let exits = self.graph.leaving(stmt).iter();
            sites.extend(exits.map(|&point| Site { point, side: Side::Before }));
        }
        sites.retain(|site| self.graph.is_reachable(site.point));
        sites
    }

    /// A site and, going outward, the ends of the loops around it that do not contain the definition.
    fn outward(&self, site: Site, definition: Point) -> Vec<Site> {
        let around_definition = &self.graph.info(definition).inside;
        let mut sites = vec![site];
        for &outer in self.graph.info(site.point).inside.iter().rev() {
            if around_definition.contains(&outer) {
                break;
            }
            if self.graph.is_loop(outer) {
                sites.push(Site { point: self.graph.after(outer), side: Side::After });
            }
        }
        sites
    }
}

/// Whether callees are asked what they read: each answer that matters multiplies what the equations are solved for.
fn asks_callees(body: &Body, zones: &Zones, graph: &FlowGraph, enabled: Optimisations) -> bool {
    let flows = graph.order().iter().flat_map(|&point| &graph.info(point).effects.flows);
    let answers: usize = flows.map(|flow| flow.needs.by_callee.len()).sum();
    let size = zones.len() * body.pairs() * (1 + answers);
    enabled.has(Optimisation::Summaries) && size <= LARGEST_GRID
}

/// When the way back must be found at a point.
fn control_condition(context: &Context<'_>, point: Point, assumptions: &Assumptions) -> Condition {
    let reversed = &assumptions.reversed;
    let never = Condition::never(context.body.pairs());
    let info = context.graph.info(point);
    match info.kind {
        PointKind::End => assumptions.anything.clone(),
        PointKind::After => {
            info.stmt.and_then(|stmt| reversed.get(&stmt)).cloned().unwrap_or(never)
        }
        PointKind::Start
        | PointKind::Statement
        | PointKind::Iteration
        | PointKind::ScopeEnd { .. } => never,
    }
}
