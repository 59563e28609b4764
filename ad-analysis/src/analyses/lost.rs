//! Which values may get lost on the way to the result?
//!
//! A bar of 0 contributes 0, also where it is multiplied by what is infinite or NaN. A partial that is not
//! [singular](crate::rules::Partial::singular) is infinite or NaN only where the result of its operation is. If
//! that makes the value of the function infinite or NaN in its turn, whatever way control takes, then there is
//! no derivative, and bars need not be tested. Otherwise the result of the operation may be *lost*: it is not
//! read on some way, an operation swallows it, as `exp` does −∞, or it is an element of a list, which may not
//! be read.
//!
//! # Limitations
//! Calls may lose what they are given. Of functions with several dependents everything is lost: the rows of a
//! Jacobian have seeds of 0.

use super::{Optimisation, Optimisations};
use crate::dataflow::{Analysis, Direction, Grid, Solution, solve};
use crate::effects::Zones;
use crate::flow::FlowGraph;
use crate::index::{IndexVec, Point, Zone};
use crate::ir::{Body, Expr, ExprKind, Op, Place, Stmt, StmtKind, each_stmt};
use crate::rules;

/// What is not certain to make the result infinite or NaN.
#[derive(Debug)]
pub struct Lost {
    /// `None` if everything counts as lost.
    solution: Option<Solution>,
}

impl Lost {
    /// Solves the analysis.
    pub fn of(body: &Body, zones: &Zones, graph: &FlowGraph, enabled: Optimisations) -> Self {
        let solution = enabled.has(Optimisation::Unguarded).then(|| {
            let mut steps = IndexVec::filled(Step::default(), graph.len());
            each_stmt(&body.block, &mut |stmt| {
                steps[graph.at(stmt.id)] = step_of(body, zones, stmt);
            });
            solve(graph, &MayBeLost { body, zones, graph, steps })
        });
        Self { solution }
    }

    /// Whether what a statement assigns to zones may get lost after it.
    pub fn is_lost(&self, point: Point, zones: &[Zone]) -> bool {
        let is_lost = |solution: &Solution| {
            let facts = solution.after(point);
            zones.iter().any(|&zone| facts.has(zone))
        };
        self.solution.as_ref().is_none_or(is_lost)
    }
}

/// What an assignment does with what is not finite.
#[derive(Clone, Default)]
struct Step {
    /// The zones that are assigned.
    to: Vec<Zone>,
    /// Zones of which the assigned value is infinite or NaN if they are.
    from: Vec<Zone>,
    /// Whether what was at the place before is one of these.
    is_update: bool,
}

fn step_of(body: &Body, zones: &Zones, stmt: &Stmt) -> Step {
    let mut step = Step::default();
    let (place, value) = match &stmt.kind {
        StmtKind::Let { var, value: Some(value) } => (Place::var(*var), value),
        StmtKind::Assign { place, value } => (body.resolve(place), value),
        StmtKind::Let { value: None, .. }
        | StmtKind::Resize(_)
        | StmtKind::Swap { .. }
        | StmtKind::Bind { .. }
        | StmtKind::Call(_)
        | StmtKind::Opaque(_)
        | StmtKind::If { .. }
        | StmtKind::Loop(_)
        | StmtKind::Block { .. }
        | StmtKind::Exit { .. } => return step,
        StmtKind::Increment { .. }
        | StmtKind::Reset { .. }
        | StmtKind::Push { .. }
        | StmtKind::Pop { .. } => unreachable!("sweeps are not analysed"),
    };
    step.to = zones.of_place(&place);
    each_passed(value, &mut |read| {
        let read = body.resolve(read);
        step.is_update |= read == place;
        if !read.is_computed() {
            step.from.extend(zones.of_place(&read));
        }
    });
    step
}

/// Visits the places that, if they are infinite or NaN, make an expression so.
fn each_passed(expr: &Expr, visit: &mut dyn FnMut(&Place)) {
    match &expr.kind {
        ExprKind::Load(place) => visit(place),
        ExprKind::Op(op, args) => {
            for (position, arg) in args.iter().enumerate() {
                if arg.ty.may_carry_floats() && passes(op, args, position) {
                    each_passed(arg, visit);
                }
            }
        }
        ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {}
    }
}

/// Whether an operation is infinite or NaN, all of it or a part, where an operand is.
fn passes(op: &Op, args: &[Expr], position: usize) -> bool {
    match op {
        Op::Called(called) if called.is_conversion() => args[0].ty.is_float(),
        Op::Unary(_)
        | Op::Binary(_)
        | Op::Method(_)
        | Op::Standard(_)
        | Op::Called(_)
        | Op::Decided(_)
        | Op::Strong => {
            let rule = rules::rule_of(op);
            rule.is_some_and(|rule| {
                rule.partial(position).is_some() && !rule.may_lose(position, args)
            })
        }
        Op::Tuple | Op::ToVec | Op::Clone | Op::Real | Op::Number | Op::Direction => true,
        Op::Tested(_) => position == 0,
        Op::Cast => args[0].ty.is_float(),
        Op::Select
        | Op::Array
        | Op::Vec
        | Op::Boxed
        | Op::Struct(..)
        | Op::Repeat(_)
        | Op::VecRepeat
        | Op::Given
        | Op::FromBits
        | Op::Spacing
        | Op::Unclear(_)
        | Op::Traced(_)
        | Op::TracedStrong
        | Op::Len
        | Op::Shape
        | Op::ZeroBar
        | Op::ZeroTangent
        | Op::Placeholder => false,
    }
}

struct MayBeLost<'a> {
    body: &'a Body,
    zones: &'a Zones,
    graph: &'a FlowGraph,
    steps: IndexVec<Point, Step>,
}

impl Analysis for MayBeLost<'_> {
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&self) -> Grid {
        let mut grid = Grid::full(self.zones.len(), 1);
        // What is asked of a tangent that is a function is the derivative of one number, too.
        let is_tangent = !self.body.directions.is_empty();
        match self.body.dependents.as_slice() {
            [result] if is_tangent || self.body.vars[*result].ty.is_float() => {
                self.zones.of_var(*result).into_iter().for_each(|zone| grid.clear(zone));
            }
            _ => {}
        }
        grid
    }

    // Bottom: nothing is lost.
    fn bottom(&self) -> Grid {
        Grid::empty(self.zones.len(), 1)
    }

    fn transfer(&self, point: Point, facts: &mut Grid) {
        let (info, step) = (self.graph.info(point), &self.steps[point]);
        let is_passed_on = !step.to.iter().any(|&zone| facts.has(zone));
        if !step.is_update {
            info.effects.writes.iter().for_each(|&zone| facts.insert(zone, 0));
        }
        for &var in &info.dies {
            self.zones.of_var(var).into_iter().for_each(|zone| facts.insert(zone, 0));
        }
        if is_passed_on {
            step.from.iter().for_each(|&zone| facts.clear(zone));
        }
    }
}
