//! Where could a value be computed again, and where does it survive?

use crate::dataflow::{Analysis, Direction, Grid, Solution, solve};
use crate::effects::{Definition, Zones};
use crate::flow::{FlowGraph, PointKind};
use crate::index::{BitSet, IndexVec, Point, Var, Zone};
use crate::ir::{
    Binding, Body, Class, Expr, ExprKind, Loop, LoopKind, Op, StmtKind, each_stmt, places_in,
};
use crate::types::Type;
use std::collections::BTreeMap;

crate::index::index_type!(
    /// A definition that may be repeated.
    DefId,
    "d"
);

/// A definition is available at a point if every path there has passed it and nothing on the way from
/// it has written its variable or an operand. Then, and only then, repeating it at that point yields
/// the variable's value. Exactly one definition reaches the point in that case, and it dominates the
/// point within one iteration of the loops around it.
#[derive(Debug)]
pub struct Available {
    definitions: IndexVec<DefId, (Point, Definition)>,
    unavailable: Solution,
}

struct Unavailable<'a> {
    graph: &'a FlowGraph,
    definitions: &'a IndexVec<DefId, (Point, Definition)>,
    /// Which definition stands at a point.
    sites: BTreeMap<Point, DefId>,
    /// What is not available any more when a zone is written.
    ended_by: BTreeMap<Zone, Vec<DefId>>,
}

impl<'a> Unavailable<'a> {
    fn new(graph: &'a FlowGraph, definitions: &'a IndexVec<DefId, (Point, Definition)>) -> Self {
        let mut ended_by: BTreeMap<Zone, Vec<DefId>> = BTreeMap::new();
        for (id, (_, definition)) in definitions.enumerated() {
            for &zone in definition.zones.iter().chain(&definition.operands) {
                ended_by.entry(zone).or_default().push(id);
            }
        }
        let sites = definitions.enumerated().map(|(id, (site, _))| (*site, id)).collect();
        Self { graph, definitions, sites, ended_by }
    }
}

impl Analysis for Unavailable<'_> {
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self) -> Grid {
        Grid::full(self.definitions.len(), 1)
    }

    // Bottom: every definition is available.
    fn bottom(&self) -> Grid {
        Grid::empty(self.definitions.len(), 1)
    }

    fn transfer(&self, point: Point, facts: &mut Grid) {
        let effects = &self.graph.info(point).effects;
        for id in effects.writes.iter().filter_map(|zone| self.ended_by.get(zone)).flatten() {
            facts.insert(*id, 0);
        }
        if let Some(&id) = self.sites.get(&point) {
            let (_, definition) = &self.definitions[id];
            if !effects.writes.iter().any(|zone| definition.operands.contains(zone)) {
                facts.clear(id);
            }
        }
    }
}

impl Available {
    /// Solves the equations for all definitions that may be repeated.
    pub fn of(body: &Body, graph: &FlowGraph) -> Self {
        let mut definitions = IndexVec::new();
        let counters = counters_of(body);
        for &point in graph.order() {
            let effects = &graph.info(point).effects;
            if let (Some(definition), Some(Class::Pure)) = (&effects.defines, effects.class)
                && is_repeatable(body, definition, &counters)
            {
                definitions.push((point, definition.clone()));
            }
        }
        let unavailable = solve(graph, &Unavailable::new(graph, &definitions));
        Self { definitions, unavailable }
    }

    /// The definition of a variable that is available before (or after) a point.
    pub fn definition(&self, var: Var, point: Point, after: bool) -> Option<DefId> {
        let facts =
            if after { self.unavailable.after(point) } else { self.unavailable.before(point) };
        let mut all = self.definitions.enumerated();
        let found = all.find(|(id, (_, definition))| definition.var == var && !facts.has(*id));
        found.map(|(id, _)| id)
    }

    /// Whether a definition is available before (or after) a point.
    pub fn is_available(&self, id: DefId, point: Point, after: bool) -> bool {
        let facts =
            if after { self.unavailable.after(point) } else { self.unavailable.before(point) };
        !facts.has(id)
    }

    /// Whether a definition is a value of which it is not known that it can be stored: of verbatim code, or a copy that may be a reference.
    pub fn cannot_be_stored(&self, body: &Body, id: DefId) -> bool {
        let (_, definition) = &self.definitions[id];
        let is_unknown = matches!(definition.value.kind, ExprKind::Opaque(_) | ExprKind::Load(_));
        is_unknown && !body.vars[definition.var].ty.has_placeholder()
    }

    /// A definition, and the point where it stands.
    pub fn get(&self, id: DefId) -> &(Point, Definition) {
        &self.definitions[id]
    }
}

/// The variables of loops over ranges, which the backward sweep has under their names.
fn counters_of(body: &Body) -> BitSet<Var> {
    let mut counters = BitSet::new();
    each_stmt(&body.block, &mut |stmt| {
        if let StmtKind::Loop(Loop { kind: LoopKind::Counted { var, range: _ }, .. }) = &stmt.kind {
            counters.insert(*var);
        }
    });
    counters
}

/// Whether a definition is worth repeating and legal to repeat: a scalar made of scalars, a copy out of what a `&` refers to, or verbatim
/// code that reads only what the backward sweep has under the same names.
fn is_repeatable(body: &Body, definition: &Definition, counters: &BitSet<Var>) -> bool {
    if let ExprKind::Opaque(opaque) = &definition.value.kind {
        let is_there = |var: &Var| match body.vars[*var].binding {
            Binding::Shared | Binding::Global(_) => true,
            Binding::Value => counters.contains(*var),
            Binding::Exclusive | Binding::View(_) => false,
        };
        return opaque.class == Class::Pure
            && opaque.writes.is_empty()
            && opaque.reads.iter().all(is_there);
    }
    let ty = &body.vars[definition.var].ty;
    if let ExprKind::Load(place) = &definition.value.kind {
        let is_shared = matches!(body.vars[body.root_of(place)].binding, Binding::Shared);
        match ty {
            Type::Named(name) if name.is_reference() => return true,
            // It may be a reference, which cannot be stored. What leaves a `&` by value is `Copy`.
            Type::Unknown => return is_shared,
            Type::Float(_) | Type::Int(_) | Type::Bool => {}
            Type::Array(..)
            | Type::Slice(_)
            | Type::Vec(_)
            | Type::Tuple(_)
            | Type::Named(_)
            | Type::Infer(_) => return false,
        }
    }
    let scalar = |ty: &Type| matches!(ty, Type::Float(_) | Type::Int(_) | Type::Bool);
    if !scalar(ty) || !is_scalar_operation(&definition.value) {
        return false;
    }
    let mut plain = true;
    places_in(&definition.value, &mut |place| {
        plain &= match body.vars[body.root_of(place)].binding {
            Binding::Value | Binding::Shared | Binding::Exclusive | Binding::Global(_) => true,
            Binding::View(_) => false,
        };
    });
    plain
}

fn is_scalar_operation(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Load(_) | ExprKind::Guard(_) => true,
        ExprKind::Opaque(_) => false,
        ExprKind::Op(op, args) => match op {
            Op::Len => true,
            Op::Unary(_)
            | Op::Binary(_)
            | Op::Method(_)
            | Op::Standard(_)
            | Op::Called(_)
            | Op::Decided(_)
            | Op::Cast
            | Op::Select
            | Op::Strong
            | Op::Real
            | Op::Number
            | Op::FromBits
            | Op::Spacing
            | Op::Unclear(_)
            | Op::Direction => args.iter().all(is_scalar_operation),
            Op::Array
            | Op::Vec
            | Op::Tuple
            | Op::Boxed
            | Op::Struct(..)
            | Op::Repeat(_)
            | Op::VecRepeat
            | Op::ToVec
            | Op::Clone
            | Op::Tested(_)
            | Op::Traced(_)
            | Op::TracedStrong
            | Op::Given
            | Op::Shape
            | Op::ZeroBar
            | Op::ZeroTangent
            | Op::Placeholder => false,
        },
    }
}

/// A zone is doomed at a point if on some path from there it is written, or its variable dies, before
/// the turn. What is not doomed is still there when the backward sweep comes back: it costs nothing to
/// read.
#[derive(Debug)]
pub struct Doomed(Solution);

struct MayBeWritten<'a> {
    graph: &'a FlowGraph,
    zones: &'a Zones,
}

impl Analysis for MayBeWritten<'_> {
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&self) -> Grid {
        self.bottom()
    }

    // Bottom: nothing is written any more.
    fn bottom(&self) -> Grid {
        Grid::empty(self.zones.len(), 1)
    }

    fn transfer(&self, point: Point, facts: &mut Grid) {
        let info = self.graph.info(point);
        // A loop variable is there for the backward iteration that needs it.
        if info.kind != PointKind::Iteration {
            for &zone in &info.effects.writes {
                facts.insert(zone, 0);
            }
        }
    }
}

impl Doomed {
    /// Solves the equations.
    pub fn of(graph: &FlowGraph, zones: &Zones) -> Self {
        Self(solve(graph, &MayBeWritten { graph, zones }))
    }

    /// Whether the value that a zone has before (or after) a point is lost before the turn.
    pub fn is_doomed(&self, zone: Zone, point: Point, after: bool) -> bool {
        if after { self.0.after(point).has(zone) } else { self.0.before(point).has(zone) }
    }
}
