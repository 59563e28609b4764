//! The flow graph of a body: which points follow which?
//!
//! The graph is derived from the structured statements and points back to them. A point is a place in
//! the program where something happens: a simple statement, the test of a choice, the end of a
//! construct, the end of a scope. Every early exit is an edge, through the ends of the scopes it
//! leaves.

use crate::effects::{Effects, Zones, control_needs, effects, exit_needs};
use crate::index::{BitSet, Index, IndexVec, Label, Point, Scope, StmtId, Var, Zone};
use crate::ir::{Block, Body, Ending, ExprKind, Loop, LoopKind, Stmt, StmtKind, declared_by};
use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{DfsPostOrder, Reversed};
use std::collections::HashMap;

/// What happens at a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointKind {
    /// Control enters the body.
    Start,
    /// Control leaves the body.
    End,
    /// A statement without nested statements, or what a construct evaluates when it is entered: the
    /// test of a choice, the bounds of a loop.
    Statement,
    /// The beginning of an iteration: the loop variable changes, `while` tests its condition.
    Iteration,
    /// The end of a construct, where control joins again.
    After,
    /// The variables of a scope die: at its end, or because an exit leaves it.
    ScopeEnd {
        /// The scope.
        scope: Scope,
        /// The exit, unless it is the end of the scope.
        exit: Option<StmtId>,
    },
}

/// A point of the flow graph.
#[derive(Debug)]
pub struct PointInfo {
    /// What happens.
    pub kind: PointKind,
    /// The statement it belongs to, if any.
    pub stmt: Option<StmtId>,
    /// The effects.
    pub effects: Effects,
    /// At the end of a construct: what its backward sweep reads to find its way, however the
    /// construct was left.
    pub control: Vec<Zone>,
    /// At the end of a construct: what tells by which of its exits control came here.
    pub exit: Vec<Zone>,
    /// The variables that die here.
    pub dies: Vec<Var>,
    /// The constructs around the point, outermost first.
    pub inside: Vec<StmtId>,
}

/// The flow graph of a body.
#[derive(Debug)]
pub struct FlowGraph {
    graph: DiGraph<Point, ()>,
    points: IndexVec<Point, PointInfo>,
    statements: HashMap<StmtId, Point>,
    afters: HashMap<StmtId, Point>,
    scope_ends: HashMap<(Scope, Option<StmtId>), Point>,
    loops: BitSet<StmtId>,
    leaving: HashMap<StmtId, Vec<Point>>,
    start: Point,
    end: Point,
    /// The points in reverse postorder from the start; unreachable points are missing.
    order: Vec<Point>,
    reachable: BitSet<Point>,
    /// The points from which control may get to the end.
    ending: BitSet<Point>,
}

impl FlowGraph {
    /// The flow graph of a body.
    pub fn of(body: &Body, zones: &Zones) -> Self {
        let mut builder = Builder {
            body,
            zones,
            graph: DiGraph::new(),
            points: IndexVec::new(),
            statements: HashMap::new(),
            afters: HashMap::new(),
            scope_ends: HashMap::new(),
            loops: BitSet::new(),
            leaving: HashMap::new(),
            scopes: Vec::new(),
            targets: Vec::new(),
            inside: Vec::new(),
        };
        let start = builder.point(PointKind::Start, None);
        let end = builder.point(PointKind::End, None);
        builder.points[end].exit = exit_needs(zones, &body.target);
        builder.targets.push(Destination {
            label: body.target.label,
            point: end,
            scopes: 1,
            constructs: 0,
        });
        // The locals of the body itself do not die before the turn.
        builder.scopes.push(Open { scope: body.block.scope, declared: Vec::new() });
        let last = builder.stmts(&body.block, Some(start));
        builder.edge(last, end);
        let Builder { graph, points, statements, afters, scope_ends, loops, leaving, .. } = builder;
        let mut postorder = DfsPostOrder::new(&graph, node(start));
        let mut order = Vec::new();
        while let Some(next) = postorder.next(&graph) {
            order.push(graph[next]);
        }
        order.reverse();
        let reachable = order.iter().copied().collect();
        let mut ending = BitSet::new();
        let mut back = DfsPostOrder::new(Reversed(&graph), node(end));
        while let Some(next) = back.next(Reversed(&graph)) {
            ending.insert(graph[next]);
        }
        Self {
            graph,
            points,
            statements,
            afters,
            scope_ends,
            loops,
            leaving,
            start,
            end,
            order,
            reachable,
            ending,
        }
    }

    /// Where control enters.
    pub fn start(&self) -> Point {
        self.start
    }

    /// Where control leaves.
    pub fn end(&self) -> Point {
        self.end
    }

    /// What happens at a point.
    pub fn info(&self, point: Point) -> &PointInfo {
        &self.points[point]
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether there are no points. There always are.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The reachable points, each after its predecessors as far as loops allow.
    pub fn order(&self) -> &[Point] {
        &self.order
    }

    /// The points that may come just before.
    pub fn predecessors(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        self.graph.neighbors_directed(node(point), Direction::Incoming).map(|next| self.graph[next])
    }

    /// The points that may come next.
    pub fn successors(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        self.graph.neighbors_directed(node(point), Direction::Outgoing).map(|next| self.graph[next])
    }

    /// The point of a statement: where it happens, or where its construct is entered.
    pub fn at(&self, stmt: StmtId) -> Point {
        self.statements[&stmt]
    }

    /// The end of a construct.
    pub fn after(&self, stmt: StmtId) -> Point {
        self.afters[&stmt]
    }

    /// Whether control may get to a point.
    pub fn is_reachable(&self, point: Point) -> bool {
        self.reachable.contains(point)
    }

    /// Whether control may get to a point, and from there to the end: elsewhere the function panics or fails.
    pub fn is_on_the_way(&self, point: Point) -> bool {
        self.is_reachable(point) && self.ending.contains(point)
    }

    /// The ends of constructs that control reaches only to go on to an outer one: by its exits.
    pub fn ends_left(&self) -> impl Iterator<Item = Point> + '_ {
        self.leaving.keys().map(|&stmt| self.after(stmt)).filter(|&end| !self.is_reachable(end))
    }

    /// The points where a variable dies; none if it lives until the end of the body.
    pub fn deaths(&self, var: Var) -> impl Iterator<Item = Point> + '_ {
        self.order.iter().copied().filter(move |&point| self.points[point].dies.contains(&var))
    }

    /// Whether control never gets to where a variable would die: its scope is left by a panic or a failure only.
    pub fn never_dies(&self, var: Var) -> bool {
        let dies = |point: &PointInfo| point.dies.contains(&var);
        self.points.iter().any(dies) && self.deaths(var).next().is_none()
    }

    /// Whether a scope is left at its end only, or through one exit only.
    pub fn has_one_end(&self, scope: Scope) -> bool {
        let ends = self.scope_ends.iter().filter(|((other, _), _)| *other == scope);
        ends.filter(|(_, point)| self.is_reachable(**point)).count() <= 1
    }

    /// Whether a construct is a loop.
    pub fn is_loop(&self, stmt: StmtId) -> bool {
        self.loops.contains(stmt)
    }

    /// The exits that leave a construct for an outer one.
    pub fn leaving(&self, stmt: StmtId) -> &[Point] {
        self.leaving.get(&stmt).map_or(&[], Vec::as_slice)
    }

    /// Where the variables of a scope die, at its end or because of an exit. There is none for the
    /// scope of the body.
    pub fn scope_end(&self, scope: Scope, exit: Option<StmtId>) -> Option<Point> {
        self.scope_ends.get(&(scope, exit)).copied()
    }
}

fn node(point: Point) -> NodeIndex {
    NodeIndex::new(point.position())
}

/// Where an exit leads, and how deep the construct is nested.
struct Destination {
    label: Label,
    point: Point,
    scopes: usize,
    constructs: usize,
}

/// A scope around the current point.
struct Open {
    scope: Scope,
    /// What has been declared in it so far.
    declared: Vec<Var>,
}

struct Builder<'a> {
    body: &'a Body,
    zones: &'a Zones,
    graph: DiGraph<Point, ()>,
    points: IndexVec<Point, PointInfo>,
    statements: HashMap<StmtId, Point>,
    afters: HashMap<StmtId, Point>,
    scope_ends: HashMap<(Scope, Option<StmtId>), Point>,
    loops: BitSet<StmtId>,
    /// The exits that leave a construct for an outer one.
    leaving: HashMap<StmtId, Vec<Point>>,
    scopes: Vec<Open>,
    targets: Vec<Destination>,
    /// The constructs around the current point.
    inside: Vec<&'a Stmt>,
}

impl<'a> Builder<'a> {
    fn point(&mut self, kind: PointKind, stmt: Option<&Stmt>) -> Point {
        let point = self.points.push(PointInfo {
            kind,
            stmt: stmt.map(|stmt| stmt.id),
            effects: Effects::default(),
            control: Vec::new(),
            exit: Vec::new(),
            dies: Vec::new(),
            inside: self.inside.iter().map(|stmt| stmt.id).collect(),
        });
        let node = self.graph.add_node(point);
        debug_assert_eq!(node.index(), point.position());
        point
    }

    /// Connects two points; `from` is `None` where control cannot come from.
    fn edge(&mut self, from: Option<Point>, to: Point) {
        if let Some(from) = from {
            self.graph.update_edge(node(from), node(to), ());
        }
    }

    fn stmts(&mut self, block: &'a Block, mut current: Option<Point>) -> Option<Point> {
        for stmt in &block.stmts {
            current = self.stmt(stmt, current);
            let declared = declared_by(stmt);
            self.scopes.last_mut().expect("a scope is open").declared.extend(declared);
        }
        current
    }

    /// Adds a block with a scope of its own.
    fn block(&mut self, block: &'a Block, current: Option<Point>) -> Option<Point> {
        self.scopes.push(Open { scope: block.scope, declared: Vec::new() });
        let last = self.stmts(block, current);
        let Open { scope, declared } = self.scopes.pop().expect("pushed above");
        let end = self.scope_end(scope, declared, None);
        self.edge(last, end);
        last.map(|_| end)
    }

    fn scope_end(&mut self, scope: Scope, declared: Vec<Var>, exit: Option<&Stmt>) -> Point {
        let id = exit.map(|stmt| stmt.id);
        let point = self.point(PointKind::ScopeEnd { scope, exit: id }, exit);
        let kills: Vec<Zone> = declared.iter().flat_map(|&var| self.zones.of_var(var)).collect();
        let info = &mut self.points[point];
        info.effects.writes.clone_from(&kills);
        info.effects.kills = kills;
        info.dies = declared;
        self.scope_ends.insert((scope, id), point);
        point
    }

    fn stmt(&mut self, stmt: &'a Stmt, current: Option<Point>) -> Option<Point> {
        let entry = self.point(PointKind::Statement, Some(stmt));
        self.statements.insert(stmt.id, entry);
        self.points[entry].effects = effects(self.body, self.zones, stmt);
        self.edge(current, entry);
        let entered = current.map(|_| entry);
        match &stmt.kind {
            StmtKind::If { test: _, then, otherwise } => {
                self.inside.push(stmt);
                let then = self.block(then, entered);
                let otherwise = self.block(otherwise, entered);
                self.inside.pop();
                let after = self.after(stmt);
                self.edge(then, after);
                self.edge(otherwise, after);
                (then.is_some() || otherwise.is_some()).then_some(after)
            }
            StmtKind::Loop(inner) => self.repetition(stmt, inner, entered),
            StmtKind::Block { target, body } => {
                let after = self.after(stmt);
                if let Some(target) = target {
                    self.open(target.label, after);
                }
                self.inside.push(stmt);
                let last = self.block(body, entered);
                self.inside.pop();
                if target.is_some() {
                    self.targets.pop();
                }
                self.edge(last, after);
                self.reached(after)
            }
            StmtKind::Exit { label, code: _ } => {
                self.exit(stmt, *label, entered);
                None
            }
            StmtKind::Opaque(opaque) if opaque.ending != Ending::Continues => None,
            StmtKind::Let { var: _, value: Some(value) } if matches!(&value.kind, ExprKind::Opaque(opaque) if opaque.ending != Ending::Continues) => {
                None
            }
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Resize(_)
            | StmtKind::Swap { .. }
            | StmtKind::Bind { .. }
            | StmtKind::Call(_)
            | StmtKind::Opaque(_)
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => entered,
        }
    }

    /// The point after a construct, where its backward sweep finds its way.
    fn after(&mut self, stmt: &Stmt) -> Point {
        let after = self.point(PointKind::After, Some(stmt));
        self.points[after].control = control_needs(self.body, self.zones, stmt);
        if let Some(target) = stmt.target() {
            self.points[after].exit = exit_needs(self.zones, target);
        }
        self.afters.insert(stmt.id, after);
        after
    }

    fn reached(&self, point: Point) -> Option<Point> {
        let mut incoming = self.graph.neighbors_directed(node(point), Direction::Incoming);
        incoming.next().map(|_| point)
    }

    fn open(&mut self, label: Label, point: Point) {
        // The construct itself is entered after this call.
        self.targets.push(Destination {
            label,
            point,
            scopes: self.scopes.len(),
            constructs: self.inside.len() + 1,
        });
    }

    fn repetition(
        &mut self,
        stmt: &'a Stmt,
        inner: &'a Loop,
        entered: Option<Point>,
    ) -> Option<Point> {
        self.loops.insert(stmt.id);
        let after = self.after(stmt);
        self.open(inner.target.label, after);
        self.inside.push(stmt);
        let iteration = self.point(PointKind::Iteration, Some(stmt));
        match &inner.kind {
            LoopKind::Counted { var, range: _ } => {
                let zones = self.zones.of_var(*var);
                self.points[iteration].effects.writes.clone_from(&zones);
                self.points[iteration].effects.kills = zones;
                self.edge(entered.map(|_| iteration), after);
            }
            LoopKind::While { test: _ } => {
                // The condition is evaluated before every iteration, not at the entry.
                let entry = self.statements[&stmt.id];
                let effects = std::mem::take(&mut self.points[entry].effects);
                self.points[iteration].effects = effects;
                self.edge(entered.map(|_| iteration), after);
            }
            LoopKind::Forever => {}
        }
        self.edge(entered, iteration);
        let last = self.block(&inner.body, entered.map(|_| iteration));
        self.edge(last, iteration);
        self.inside.pop();
        self.targets.pop();
        self.reached(after)
    }

    fn exit(&mut self, stmt: &'a Stmt, label: Label, entered: Option<Point>) {
        let target = self.targets.iter().rev().find(|target| target.label == label);
        let Destination { label: _, point, scopes, constructs } =
            *target.expect("exits leave enclosing constructs");
        let at = self.statements[&stmt.id];
        for outer in &self.inside[constructs..] {
            self.leaving.entry(outer.id).or_default().push(at);
        }
        let mut current = entered;
        for depth in (scopes..self.scopes.len()).rev() {
            let Open { scope, declared } = &self.scopes[depth];
            let end = self.scope_end(*scope, declared.clone(), Some(stmt));
            self.edge(current, end);
            current = current.map(|_| end);
        }
        self.edge(current, point);
    }
}
