//! TBR (to be recorded): which values are lost before the backward sweep reads them, and where?
//!
//! Per point, forward (TBR 2003, section 5): with `R` the zones whose present values the backward sweep
//! reads later on its way back,
//!
//! ```text
//! R' = R ∪ Use(I⃖)    save(I) = Out(I) ∩ R'    R := R' \ Kill(I)
//! ```
//!
//! A statement that does not run overwrites nothing and discharges nothing; the equations are solved
//! for `PRIMAL = true` and `PRIMAL = false`. What is in `R` at the end is kept for the turn.

use super::liveness::Mode;
use super::{Liveness, Needed, Optimisation, Optimisations, Side};
use crate::dataflow::{Analysis, Direction, Grid, Solution, solve};
use crate::effects::{Inverse, Zones};
use crate::flow::{FlowGraph, PointKind};
use crate::index::{BitSet, IndexVec, Point, Var};
use crate::ir::{
    Binding, Body, CalleeFact, Condition, Fact, Guard, Kept, Place, Projection, declared_by,
    each_stmt, kept_by_calls,
};
use crate::types::Type;
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;

/// A place whose value is saved before the statement at a point writes it, and restored when the backward sweep passes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Save {
    /// The place, as the primal spells it.
    pub place: Place,
    /// When it is saved because the backward sweep reads the zone elsewhere too: it is restored to
    /// its place.
    pub to_place: Guard,
    /// When it is saved only because the adjoint of the statement itself reads it.
    pub own: Guard,
    /// How the value as it was is had from the value as it is, so that not all of it need be pushed.
    pub inverse: Option<Inverse>,
}

impl Save {
    /// When anything is saved.
    pub fn guard(&self) -> Guard {
        let mut guard = self.to_place.clone();
        guard.join(&self.own);
        guard
    }

    /// What the forward sweep pushes, if anything.
    pub fn pushed(&self) -> Option<Place> {
        match &self.inverse {
            None => Some(self.place.clone()),
            Some(Inverse::Extend { first, len: _ }) => {
                Some(self.place.then(Projection::Slice { start: Some(first.clone()), end: None }))
            }
            Some(Inverse::Value(_) | Inverse::Truncate { .. } | Inverse::Swap { .. }) => None,
        }
    }
}

/// What is stored.
#[derive(Debug, PartialEq)]
pub struct Storage {
    saves: IndexVec<Point, Vec<Save>>,
    unchanged: IndexVec<Point, Vec<Var>>,
    kept: Vec<Kept>,
}

/// The columns of the sets: the pairs, and once more for each thing that callees are asked.
struct Columns {
    pairs: usize,
    asked: Vec<CalleeFact>,
}

impl Columns {
    fn len(&self) -> usize {
        self.pairs * (1 + self.asked.len())
    }

    fn of(&self, condition: &Condition) -> FixedBitSet {
        let mut columns = FixedBitSet::with_capacity(self.len());
        columns.union_with(&condition.pairs);
        for (position, fact) in self.asked.iter().enumerate() {
            let further = condition.if_callee.get(fact).into_iter().flat_map(FixedBitSet::ones);
            columns.extend(further.map(|pair| (1 + position) * self.pairs + pair));
        }
        columns
    }

    fn condition(&self, columns: &FixedBitSet) -> Condition {
        let pairs = |part: usize| {
            let first = part * self.pairs;
            let mut pairs = FixedBitSet::with_capacity(self.pairs);
            pairs.extend((0..self.pairs).filter(|pair| columns.contains(first + pair)));
            pairs
        };
        let mut condition = Condition::of(pairs(0));
        for (position, fact) in self.asked.iter().enumerate() {
            condition.join(&Condition::of(pairs(1 + position)).if_callee(*fact));
        }
        condition
    }
}

struct Required<'a> {
    body: &'a Body,
    columns: &'a Columns,
    zones: &'a Zones,
    graph: &'a FlowGraph,
    needed: &'a Needed,
    liveness: &'a Liveness,
    mode: Mode,
}

impl Required<'_> {
    fn happens(&self, point: Point) -> bool {
        let info = self.graph.info(point);
        matches!(info.kind, PointKind::ScopeEnd { .. })
            || info.stmt.is_none_or(|stmt| self.liveness.runs(stmt, self.mode))
    }

    /// Whether the forward sweep comes by a point: whether it runs the exit that leads there, or the
    /// construct around it.
    fn is_passed(&self, point: Point) -> bool {
        let info = self.graph.info(point);
        let deciding = match info.kind {
            PointKind::ScopeEnd { scope: _, exit: Some(exit) } => Some(exit),
            PointKind::ScopeEnd { scope: _, exit: None }
            | PointKind::Start
            | PointKind::End
            | PointKind::Statement
            | PointKind::Iteration
            | PointKind::After => info.inside.last().copied(),
        };
        deciding.is_none_or(|stmt| self.liveness.runs(stmt, self.mode))
    }

    /// What the backward sweep reads of the values as they are before the statement at a point: below it on its
    /// way, and at it.
    fn before(&self, point: Point, solution: &Solution) -> Grid {
        let mut facts = solution.before(point).clone();
        self.read(point, Side::Before, &mut facts);
        facts
    }

    fn read(&self, point: Point, side: Side, facts: &mut Grid) {
        for (zone, condition) in self.needed.direct(point, side) {
            facts.add(*zone, &self.columns.of(condition));
        }
    }
}

impl Analysis for Required<'_> {
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self) -> Grid {
        self.bottom()
    }

    // Bottom: nothing is read.
    fn bottom(&self) -> Grid {
        Grid::empty(self.zones.len(), self.columns.len())
    }

    fn transfer(&self, point: Point, facts: &mut Grid) {
        self.read(point, Side::Before, facts);
        if self.happens(point) {
            for &zone in &self.graph.info(point).effects.kills {
                facts.clear(zone);
            }
        }
        self.read(point, Side::After, facts);
    }
}

impl Storage {
    /// Solves the equations for both modes.
    pub fn of(
        body: &Body,
        zones: &Zones,
        graph: &FlowGraph,
        needed: &Needed,
        liveness: &Liveness,
        enabled: Optimisations,
    ) -> Self {
        let columns = Columns { pairs: body.pairs(), asked: needed.asked().into_iter().collect() };
        let solve_for = |mode| {
            let columns = &columns;
            let required = Required { body, columns, zones, graph, needed, liveness, mode };
            let solution = solve(graph, &required);
            (required, solution)
        };
        let modes = [solve_for(Mode::Primal), solve_for(Mode::Bare)];
        let everything = !enabled.has(Optimisation::Tbr);
        let idle = if everything { declared_in(body, liveness) } else { BitSet::new() };
        let mut saves: IndexVec<Point, Vec<Save>> = IndexVec::filled(Vec::new(), graph.len());
        let mut unchanged: IndexVec<Point, Vec<Var>> = IndexVec::filled(Vec::new(), graph.len());
        for &point in graph.order() {
            saves[point] = saves_at(point, &modes, &idle);
            unchanged[point] = unchanged_at(point, &modes);
        }
        let kept_by_calls = kept_by_calls(body);
        let outermost: BitSet<Var> = body.block.stmts.iter().flat_map(declared_by).collect();
        let kept = body.vars.indices().filter(|&var| is_kept(body, var)).filter_map(|var| {
            let mut when = Condition::never(body.pairs());
            for zone in zones.of_var(var) {
                for (_, solution) in &modes {
                    when.join(&columns.condition(&solution.after(graph.end()).row(zone)));
                }
            }
            // What is restored to the storage of a caller goes to a copy of it; an element that is
            // restored for nothing, to a list that is there for nothing (that of an inner scope is
            // stored where it dies).
            let is_exclusive = matches!(body.vars[var].binding, Binding::Exclusive);
            let is_idle = everything && outermost.contains(var);
            let needs_rest = |place: &Place| is_exclusive || is_idle && place.is_computed();
            when.join(&restored(body, &saves, var, needs_rest));
            if when.is_never() {
                return None;
            }
            // What is restored in parts must be there.
            when.join(&restored(body, &saves, var, |place| !place.is_whole()));
            // Where nothing is active, bars are declared all the same, and what is measured for that is integers and
            // lists.
            let measures = !body.vars[var].ty.is_made_of_floats();
            if measures && !kept_by_calls.contains(var) {
                when = Condition::always(body.pairs());
            }
            // The types of what is kept say when it is there, which callees know nothing of.
            Some(Kept { var, when: when.whatever_callees_do() })
        });
        let kept = kept.collect();
        Self { saves, unchanged, kept }
    }

    /// The parameters that the backward sweep reads, and that the statement at a point could change
    /// behind a shared reference: it must not.
    pub fn unchanged(&self, point: Point) -> &[Var] {
        &self.unchanged[point]
    }

    /// What is saved before the statement at a point.
    pub fn saves(&self, point: Point) -> &[Save] {
        &self.saves[point]
    }

    /// What callees are asked in the conditions under which values are saved.
    pub fn asked(&self) -> BTreeSet<CalleeFact> {
        let guards = self.saves.iter().flatten().map(|save| &save.to_place);
        let conditions = guards.flat_map(|guard| [&guard.primal, &guard.bare]);
        conditions.flat_map(|condition| condition.if_callee.keys().copied()).collect()
    }

    /// When the backward sweep restores anything at a point.
    pub fn restores(&self, point: Point) -> Condition {
        let mut any = Condition::never(0);
        for save in &self.saves[point] {
            for guard in [&save.to_place, &save.own] {
                any.pairs.grow(guard.primal.pairs.len());
                any.join(&guard.primal);
                any.join(&guard.bare);
            }
        }
        any
    }

    /// What the forward sweep hands to the backward sweep at the turn.
    pub fn kept(&self) -> &[Kept] {
        &self.kept
    }
}

/// When places of a variable are restored.
fn restored(
    body: &Body,
    saves: &IndexVec<Point, Vec<Save>>,
    var: Var,
    counts: impl Fn(&Place) -> bool,
) -> Condition {
    let mut when = Condition::never(body.pairs());
    for save in saves.iter().flatten() {
        let place = body.resolve(&save.place);
        if place.root == var && counts(&place) {
            when.join(&save.to_place.primal);
            when.join(&save.to_place.bare);
        }
    }
    when
}

/// Whether the backward sweep has to be handed the variable: others are there, or are made anew.
fn is_kept(body: &Body, var: Var) -> bool {
    match body.vars[var].binding {
        Binding::Value => !body.params.contains(&var),
        Binding::Exclusive => true,
        Binding::Shared | Binding::Global(_) | Binding::View(_) => false,
    }
}

/// The variables that the forward sweep declares, or is given.
fn declared_in(body: &Body, liveness: &Liveness) -> BitSet<Var> {
    let mut declared: BitSet<Var> = body.params.iter().copied().collect();
    each_stmt(&body.block, &mut |stmt| {
        if liveness.runs(stmt.id, Mode::Primal) {
            declared.extend(declared_by(stmt));
        }
    });
    declared
}

/// What the statement at a point could change behind a shared reference, and is read as it was before.
fn unchanged_at(point: Point, modes: &[(Required<'_>, Solution); 2]) -> Vec<Var> {
    let Required { zones, graph, .. } = modes[0].0;
    let interior = &graph.info(point).effects.interior;
    if interior.is_empty() {
        return Vec::new();
    }
    let known = modes.each_ref().map(|(required, solution)| required.before(point, solution));
    let is_read = |var: &Var| {
        let zones = zones.of_var(*var);
        known.iter().any(|facts| zones.iter().any(|&zone| facts.has(zone)))
    };
    interior.iter().copied().filter(is_read).collect()
}

/// Whether what is written to a place of that type has the shape of what was there. A callee that reads no element of a list may ask for
/// its length.
fn keeps_shape(ty: &Type) -> bool {
    match ty {
        Type::Slice(element) => !element.has_dynamic_shape(),
        ty => !ty.has_dynamic_shape(),
    }
}

/// What is saved at a point: what is read later, and what is `idle`, whether it is read or not.
fn saves_at(point: Point, modes: &[(Required<'_>, Solution); 2], idle: &BitSet<Var>) -> Vec<Save> {
    let Required { body, zones, graph, needed, .. } = modes[0].0;
    let info = graph.info(point);
    let holds_value = |var: &Var| matches!(body.vars[*var].binding, Binding::Value);
    let dying = info.dies.iter().copied().filter(holds_value).map(Place::var);
    let mut saves = Vec::new();
    for place in info.effects.overwritten.iter().cloned().chain(dying) {
        let root = body.root_of(&place);
        let is_idle =
            idle.contains(root) && body.vars[root].ty.is_known() && body.result != Some(root);
        let never = Guard::both(Condition::never(body.pairs()));
        let mut save = Save { place, to_place: never.clone(), own: never, inverse: None };
        for (required, solution) in modes {
            if !required.happens(point) {
                continue;
            }
            let (to_place, own) = match required.mode {
                Mode::Primal => (&mut save.to_place.primal, &mut save.own.primal),
                Mode::Bare => (&mut save.to_place.bare, &mut save.own.bare),
            };
            let facts = required.before(point, solution);
            let place = body.resolve(&save.place);
            let mut read = Condition::never(body.pairs());
            for zone in zones.of_place(&place) {
                read.join(&required.columns.condition(&facts.row(zone)));
            }
            let all = read.whatever_callees_do();
            let mut told = info.effects.resized_if_told.iter();
            let told = told.find(|(list, _)| *list == save.place);
            match (keeps_shape(&body.place_type(&place)), info.stmt, told) {
                (true, ..) => {}
                (false, Some(call), Some(&(_, argument))) => {
                    let resizes = CalleeFact { call, argument, fact: Fact::Resizes };
                    read.join(&all.if_callee(resizes));
                }
                (false, ..) => read = all,
            }
            to_place.join(&read);
            if is_idle && required.is_passed(point) {
                *to_place = Condition::always(body.pairs());
            }
            if let Some(condition) = needed.own(point) {
                own.join(condition);
            }
        }
        if !save.to_place.is_never() || !save.own.is_never() {
            if info.stmt.is_some_and(|stmt| needed.is_inverted(stmt)) {
                save.inverse.clone_from(&info.effects.inverse);
            }
            saves.push(save);
        }
    }
    saves
}
