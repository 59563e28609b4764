//! What do the numbers of a loop have from elsewhere than from what they were when it was entered?
//!
//! The ends of an interval may carry derivatives into a bisection, which come out of it as those of its middle. The root has nothing of
//! them: it follows from what the loop compares. So for a search the values with which its numbers enter count for constants.

use super::Searched;
use crate::analyses::Activity;
use crate::analyses::activity::{Varied, pass};
use crate::dataflow::{Analysis, Direction, Grid, Solution, solve_within};
use crate::effects::Zones;
use crate::flow::{FlowGraph, PointKind};
use crate::index::{Point, StmtId, Zone};
use crate::ir::{BinaryOp, Body, Expr, ExprKind, Op, StmtKind, UnaryOp, each_stmt, places_in};
use std::collections::{BTreeMap, BTreeSet};

/// Where derivatives pass in a loop, if none do through what its own numbers are when it is entered.
pub(super) struct Gained {
    solution: Solution,
}

impl Gained {
    /// Among the points of a loop, of a function with these tests.
    pub(super) fn among(
        points: &[Point],
        tests: &BTreeSet<StmtId>,
        zones: &Zones,
        graph: &FlowGraph,
        activity: &Activity,
    ) -> Self {
        let written = points.iter().flat_map(|&point| graph.info(point).effects.writes.iter());
        let own: BTreeSet<Zone> = written.copied().collect();
        let (first, mut entering) = (points.first().copied(), Grid::empty(zones.len(), COLUMNS));
        let others = zones.all().filter(|zone| !own.contains(zone));
        others
            .filter(|&zone| first.is_some_and(|first| activity.is_varied(first, &[zone])))
            .for_each(|zone| entering.insert(zone, PASSES));
        let (mut telling, within) = (BTreeSet::new(), points.iter().copied());
        let tested: Vec<(Point, StmtId)> = within
            .filter_map(|point| Some((point, graph.info(point).stmt?)))
            .filter(|(point, stmt)| {
                let kind = &graph.info(*point).kind;
                tests.contains(stmt) && matches!(kind, PointKind::Statement | PointKind::Iteration)
            })
            .collect();
        loop {
            let entered = Entered { entering: entering.clone(), telling, zones, graph };
            let found = Self { solution: solve_within(graph, &entered, points) };
            let tells = |&&(point, _): &&(Point, StmtId)| {
                found.is_told(point, &graph.info(point).effects.uses)
            };
            let next = tested.iter().filter(tells).map(|&(_, stmt)| stmt).collect();
            if next == entered.telling {
                return found;
            }
            telling = next;
        }
    }

    /// Whether any of these has a derivative, or is found out of one that has, as what a comparison says.
    pub(super) fn is_told(&self, point: Point, zones: &[Zone]) -> bool {
        !self.solution.before(point).union_of(zones).is_clear()
    }

    pub(super) fn has_after(&self, point: Point, zone: Zone) -> bool {
        self.solution.after(point).contains(zone, PASSES)
    }
}

/// The columns: what has a derivative, and what is found out of that.
const PASSES: usize = 0;
const TOLD: usize = 1;
const COLUMNS: usize = 2;

struct Entered<'a> {
    /// What has a derivative when the loop is entered, but for what the loop writes.
    entering: Grid,
    /// The tests of what has a derivative, or is found out of that: integers and truth values that are written under these tell it.
    telling: BTreeSet<StmtId>,
    zones: &'a Zones,
    graph: &'a FlowGraph,
}

impl Analysis for Entered<'_> {
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self) -> Grid {
        self.entering.clone()
    }

    // Bottom: nothing has any.
    fn bottom(&self) -> Grid {
        Grid::empty(self.zones.len(), COLUMNS)
    }

    fn transfer(&self, point: Point, facts: &mut Grid) {
        let info = self.graph.info(point);
        let effects = &info.effects;
        let is_told = !facts.union_of(&effects.uses).is_clear();
        let is_chosen = info.inside.iter().any(|stmt| self.telling.contains(stmt));
        pass(effects, facts, &|_| true);
        for &zone in &effects.writes {
            if is_told || is_chosen && !self.zones.may_carry_floats(zone) {
                facts.insert(zone, TOLD);
            }
        }
    }
}

/// Where derivatives pass, if none do through what is searched.
pub(super) struct Others<'a> {
    varied: Varied<'a>,
    /// What is searched, by loops.
    searched: BTreeMap<StmtId, BTreeSet<Zone>>,
}

impl<'a> Others<'a> {
    pub(super) fn than(
        searched: &[Searched],
        body: &'a Body,
        zones: &'a Zones,
        graph: &'a FlowGraph,
    ) -> Self {
        let mut by_loops: BTreeMap<StmtId, BTreeSet<Zone>> = BTreeMap::new();
        for Searched { of, zone, .. } in searched {
            by_loops.entry(*of).or_default().insert(*zone);
        }
        Self { varied: Varied { body, zones, graph }, searched: by_loops }
    }

    fn leave_out(&self, point: Point, facts: &mut Grid) {
        let info = self.varied.graph.info(point);
        for stmt in info.inside.iter().chain(&info.stmt) {
            for &zone in self.searched.get(stmt).into_iter().flatten() {
                facts.clear(zone);
            }
        }
    }
}

impl Analysis for Others<'_> {
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self) -> Grid {
        self.varied.boundary()
    }

    // Bottom: nothing has any.
    fn bottom(&self) -> Grid {
        self.varied.bottom()
    }

    fn transfer(&self, point: Point, facts: &mut Grid) {
        self.leave_out(point, facts);
        self.varied.transfer(point, facts);
        self.leave_out(point, facts);
    }
}

/// Those of some statements that move and scale numbers, and do not compute with them otherwise: a step of an equation is no search, though
/// its size may be chosen by comparisons.
pub(super) fn linear_of(
    mut stmts: BTreeSet<StmtId>,
    body: &Body,
    zones: &Zones,
    numbers: &BTreeSet<Zone>,
) -> BTreeSet<StmtId> {
    let mentions = |expr: &Expr| mentions(body, zones, numbers, expr);
    each_stmt(&body.block, &mut |stmt| {
        let is_linear = || {
            matches!(stmt.kind, StmtKind::Swap { .. })
                || stmt.value().is_some_and(|value| is_linear(value, &mentions))
        };
        if stmts.contains(&stmt.id) && !is_linear() {
            stmts.remove(&stmt.id);
        }
    });
    stmts
}

fn mentions(body: &Body, zones: &Zones, numbers: &BTreeSet<Zone>, expr: &Expr) -> bool {
    let mut found = false;
    places_in(expr, &mut |place| {
        let read = zones.of_place(&body.resolve(place));
        found |= read.iter().any(|zone| numbers.contains(zone));
    });
    found
}

/// Whether a value is a sum of multiples of the numbers that expressions may mention, or one of several such.
fn is_linear(expr: &Expr, mentions: &dyn Fn(&Expr) -> bool) -> bool {
    if !mentions(expr) {
        return true;
    }
    let all = |args: &[Expr]| args.iter().all(|arg| is_linear(arg, mentions));
    match &expr.kind {
        ExprKind::Load(_) => true,
        ExprKind::Literal(_) | ExprKind::Guard(_) | ExprKind::Opaque(_) => false,
        ExprKind::Op(op, args) => match op {
            Op::Binary(BinaryOp::Add | BinaryOp::Sub) | Op::Unary(UnaryOp::Neg) => all(args),
            Op::Binary(BinaryOp::Mul) => all(args) && !args.iter().all(mentions),
            Op::Binary(BinaryOp::Div) => all(args) && !mentions(&args[1]),
            Op::Method(name) => LINEAR.contains(&&**name) && all(args),
            Op::Select | Op::Tuple | Op::Array | Op::Real | Op::Number => all(args),
            _ => false,
        },
    }
}

/// Methods that choose one of their operands, or their sign or their mean.
const LINEAR: [&str; 6] = ["min", "max", "clamp", "abs", "midpoint", "copysign"];
