//! Which dependents does a loop *search*, by comparisons of values that derivatives pass through?
//!
//! Bisection halves an interval at the side where the sign of an active value changes. All that its result has from
//! that value is by comparisons, through which no derivative passes: the derivative of the statements is 0, that of the root
//! is not. Counts and sums whose terms are chosen by comparisons are meant as steps and left alone, and so are step sizes
//! that are chosen on the way to a result that depends on the independents itself.
//!
//! A number is searched in a loop if
//! * no derivative passes through it, but what it has from when the loop was entered (`entered.rs`): then it is moved and
//!   scaled, and nothing else is computed with it,
//! * it follows from its own value of an iteration before, together with another such number (a count and a sum do
//!   not),
//! * a comparison of an active value in the loop decides on that, and numbers follow into what is compared (a sum of chosen terms does
//!   not decide which these are), and
//! * a dependent gets it behind the loop, as it is or mixed with what depends on the independents, and no step of a method computes with it
//!   (`reaching.rs`).

mod entered;
mod reaching;

use super::Activity;
use crate::dataflow::{Analysis, Direction, Grid, Solution, solve};
use crate::effects::Zones;
use crate::flow::{FlowGraph, PointKind};
use crate::index::{Label, Point, StmtId, Zone};
use crate::ir::{Body, Expr, LoopKind, StmtKind, each_stmt, places_in};
use entered::{Gained, linear_of};
use petgraph::algo::{has_path_connecting, tarjan_scc};
use petgraph::graph::{DiGraph, NodeIndex};
use reaching::reaching;
use std::collections::{BTreeMap, BTreeSet};

/// The statements that search what a dependent gets.
pub fn searches(
    body: &Body,
    zones: &Zones,
    graph: &FlowGraph,
    activity: &Activity,
) -> BTreeSet<StmtId> {
    let within = |&point: &Point| graph.info(point).inside.iter().copied();
    let loops: BTreeSet<StmtId> =
        graph.order().iter().flat_map(within).filter(|&stmt| graph.is_loop(stmt)).collect();
    if loops.is_empty() {
        return BTreeSet::new();
    }
    let deciding = Deciding::of(body);
    let decided = decided(&deciding, body, zones, graph);
    let tests: BTreeSet<StmtId> = deciding.tests.into_iter().collect();
    let mut values = BTreeMap::new();
    each_stmt(&body.block, &mut |stmt| {
        values.extend(stmt.value().map(|value| (stmt.id, value.clone())));
    });
    let searched: Vec<Searched> = loops
        .into_iter()
        .flat_map(|of| {
            let within = |&&point: &&Point| graph.info(point).inside.contains(&of);
            let points: Vec<Point> = graph.order().iter().filter(within).copied().collect();
            let gained = Gained::among(&points, &tests, zones, graph, activity);
            let (decided, values) = (&decided, &values);
            Repetition { of, points, body, zones, graph, activity, gained, decided, values }
                .searched()
        })
        .collect();
    if searched.is_empty() {
        return BTreeSet::new();
    }
    reaching(&outermost(searched, graph), body, zones, graph)
}

/// Each statement with the outermost loop that searches by it: inside of that the number is a step on the way.
fn outermost(searched: Vec<Searched>, graph: &FlowGraph) -> Vec<Searched> {
    let depth = |searched: &Searched| {
        graph.info(searched.point).inside.iter().position(|&stmt| stmt == searched.of)
    };
    let mut by_zones: BTreeMap<Zone, Option<usize>> = BTreeMap::new();
    for one in &searched {
        let known = by_zones.entry(one.zone).or_insert_with(|| depth(one));
        *known = (*known).min(depth(one));
    }
    searched.into_iter().filter(|one| by_zones[&one.zone] == depth(one)).collect()
}

/// A statement that gives a number the next of the values that are searched.
struct Searched {
    /// The loop.
    of: StmtId,
    point: Point,
    zone: Zone,
    stmt: StmtId,
}

/// The choices and loops whose tests compare what depends on an independent in any way, and loops that are left by such a choice.
fn decided(deciding: &Deciding, body: &Body, zones: &Zones, graph: &FlowGraph) -> BTreeSet<StmtId> {
    let Deciding { tests, loops, exits } = deciding;
    let at = |stmt: StmtId| {
        let points = graph.order().iter().copied();
        points.filter(move |&point| graph.info(point).stmt == Some(stmt))
    };
    let mut found = BTreeSet::new();
    loop {
        let solution = solve(graph, &Following { body, zones, graph, decided: &found });
        let is_decided = |&stmt: &StmtId| {
            at(stmt).any(|point| {
                let tests =
                    matches!(graph.info(point).kind, PointKind::Statement | PointKind::Iteration);
                tests && follows(&solution, graph, point)
            })
        };
        let left = exits.iter().filter_map(|(exit, label)| {
            let left = *loops.get(label)?;
            let within = at(*exit).flat_map(|point| graph.info(point).inside.iter().copied());
            let mut within = within.skip_while(|&stmt| stmt != left).skip(1);
            within.any(|stmt| found.contains(&stmt)).then_some(left)
        });
        let next: BTreeSet<StmtId> = tests.iter().copied().filter(is_decided).chain(left).collect();
        if next == found {
            return found;
        }
        found = next;
    }
}

/// What may decide how control goes on.
#[derive(Default)]
struct Deciding {
    /// Choices and loops with tests.
    tests: Vec<StmtId>,
    /// Loops, by their labels.
    loops: BTreeMap<Label, StmtId>,
    /// What leaves constructs, with their labels.
    exits: Vec<(StmtId, Label)>,
}

impl Deciding {
    fn of(body: &Body) -> Self {
        let mut found = Self::default();
        each_stmt(&body.block, &mut |stmt| match &stmt.kind {
            StmtKind::If { .. } => found.tests.push(stmt.id),
            StmtKind::Loop(inner) => {
                found.loops.insert(inner.target.label, stmt.id);
                match inner.kind {
                    LoopKind::While { .. } => found.tests.push(stmt.id),
                    LoopKind::Counted { .. } | LoopKind::Forever => {}
                }
            }
            StmtKind::Exit { label, code: _ } => found.exits.push((stmt.id, *label)),
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Resize(_)
            | StmtKind::Swap { .. }
            | StmtKind::Bind { .. }
            | StmtKind::Call(_)
            | StmtKind::Opaque(_)
            | StmtKind::Block { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => {}
        });
        found
    }
}

fn follows(solution: &Solution, graph: &FlowGraph, point: Point) -> bool {
    let facts = solution.before(point);
    graph.info(point).effects.uses.iter().any(|&zone| facts.has(zone))
}

/// What depends on an independent in any way, also by comparisons.
struct Following<'a> {
    body: &'a Body,
    zones: &'a Zones,
    graph: &'a FlowGraph,
    decided: &'a BTreeSet<StmtId>,
}

impl Analysis for Following<'_> {
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self) -> Grid {
        let mut grid = self.bottom();
        for &var in &self.body.independents {
            self.zones.of_var(var).into_iter().for_each(|zone| grid.insert(zone, 0));
        }
        grid
    }

    // Bottom: nothing does.
    fn bottom(&self) -> Grid {
        Grid::empty(self.zones.len(), 1)
    }

    fn transfer(&self, point: Point, facts: &mut Grid) {
        let info = self.graph.info(point);
        let is_decided = info.inside.iter().any(|stmt| self.decided.contains(stmt));
        let follows = is_decided || info.effects.uses.iter().any(|&zone| facts.has(zone));
        for &zone in &info.effects.kills {
            facts.clear(zone);
        }
        if follows && !matches!(info.kind, PointKind::ScopeEnd { .. }) {
            info.effects.writes.iter().for_each(|&zone| facts.insert(zone, 0));
        }
    }
}

/// A loop, and what is found out of it.
struct Repetition<'a> {
    of: StmtId,
    /// In it, in the order of control.
    points: Vec<Point>,
    body: &'a Body,
    zones: &'a Zones,
    graph: &'a FlowGraph,
    activity: &'a Activity,
    gained: Gained,
    decided: &'a BTreeSet<StmtId>,
    /// What statements give to places.
    values: &'a BTreeMap<StmtId, Expr>,
}

impl Repetition<'_> {
    fn searched(&self) -> Vec<Searched> {
        let definitions = self.definitions();
        let (mut steps, mut nodes) = (DiGraph::<Zone, ()>::new(), BTreeMap::new());
        for &zone in definitions.keys() {
            nodes.insert(zone, steps.add_node(zone));
        }
        for (zone, points) in &definitions {
            let from = points.iter().flat_map(|&point| self.floats_read(point));
            for read in from.filter_map(|read| nodes.get(&read)) {
                steps.update_edge(*read, nodes[zone], ());
            }
        }
        let mut circles = tarjan_scc(&steps);
        circles.retain(|circle| circle.len() > 1 || steps.contains_edge(circle[0], circle[0]));
        let carried: BTreeSet<Zone> = circles.iter().flatten().map(|&node| steps[node]).collect();
        let chosen_by = |is_chosen: &dyn Fn(Point) -> bool| -> Vec<NodeIndex> {
            let any = |node: &NodeIndex| definitions[&steps[*node]].iter().copied().any(is_chosen);
            steps.node_indices().filter(any).collect()
        };
        let chosen = chosen_by(&|point| self.is_chosen(point));
        let chosen_apart = chosen_by(&|point| self.is_chosen_apart(point));
        let enters = |node: &NodeIndex| {
            let zone = steps[*node];
            definitions[&zone].iter().any(|&point| self.activity.is_varied_after(point, zone))
        };
        // Of two numbers of iterations before, or of what follows from them.
        let sources = |zone: Zone| -> Vec<Zone> {
            let Some(&node) = nodes.get(&zone) else { return Vec::new() };
            match carried.contains(&zone) {
                true => vec![zone],
                false => {
                    let leads = |of: &&Zone| has_path_connecting(&steps, nodes[*of], node, None);
                    carried.iter().filter(leads).copied().collect()
                }
            }
        };
        let is_joint = |node: &NodeIndex| {
            definitions[&steps[*node]].iter().any(|&point| {
                let read: BTreeSet<Zone> = self.floats_read(point).flat_map(sources).collect();
                read.iter().map(|&zone| self.numbers_read(point, zone)).sum::<usize>() > 1
            })
        };
        circles.retain(|circle| {
            let leads = |from: &NodeIndex| {
                circle.contains(from) || has_path_connecting(&steps, *from, circle[0], None)
            };
            let chosen = if circle.iter().any(enters) { &chosen_apart } else { &chosen };
            let choosing = chosen.iter().filter(|node| leads(node));
            let choosing: Vec<Point> =
                choosing.flat_map(|&node| definitions[&steps[node]].iter().copied()).collect();
            let numbers = circle.iter().map(|&node| steps[node]).collect();
            circle.iter().any(is_joint)
                && !choosing.is_empty()
                && self.feeds_back(numbers, &choosing)
        });
        circles
            .iter()
            .flatten()
            .flat_map(|&node| {
                let zone = steps[node];
                definitions[&zone].iter().filter_map(move |&point| {
                    let stmt = self.graph.info(point).stmt?;
                    Some(Searched { of: self.of, point, zone, stmt })
                })
            })
            .collect()
    }

    /// Where numbers are written in it through which no derivative passes but from when it is entered.
    fn definitions(&self) -> BTreeMap<Zone, Vec<Point>> {
        let mut definitions: BTreeMap<Zone, Vec<Point>> = BTreeMap::new();
        for &point in &self.points {
            let info = self.graph.info(point);
            if info.kind != PointKind::Statement {
                continue;
            }
            let written = info.effects.writes.iter().filter(|&&zone| {
                self.zones.may_carry_floats(zone)
                    && !self.zones.is_without_bar(self.body, zone)
                    && !self.gained.has_after(point, zone)
            });
            written.for_each(|&zone| definitions.entry(zone).or_default().push(point));
        }
        let is_constant = |point: Point, zone| !self.activity.is_varied_after(point, zone);
        let stmt_at = |&point: &Point| self.graph.info(point).stmt;
        let stmts = definitions.values().flatten().filter_map(stmt_at).collect();
        let numbers = definitions.keys().copied().collect();
        let linear = linear_of(stmts, self.body, self.zones, &numbers);
        let is_linear = |point: Point| stmt_at(&point).is_some_and(|stmt| linear.contains(&stmt));
        for (&zone, points) in &mut definitions {
            points.retain(|&point| is_constant(point, zone) || is_linear(point));
        }
        definitions.retain(|_, points| !points.is_empty());
        definitions
    }

    fn floats_read(&self, point: Point) -> impl Iterator<Item = Zone> {
        let uses = self.graph.info(point).effects.uses.iter().copied();
        uses.filter(|&zone| self.zones.may_carry_floats(zone))
    }

    /// How many numbers of a zone a statement reads: of a list several elements.
    fn numbers_read(&self, point: Point, zone: Zone) -> usize {
        let mut read = Vec::new();
        let value = self.graph.info(point).stmt.and_then(|stmt| self.values.get(&stmt));
        if let Some(value) = value {
            places_in(value, &mut |place| {
                let place = self.body.resolve(place);
                if self.zones.of_place(&place).contains(&zone) && !read.contains(&place) {
                    read.push(place);
                }
            });
        }
        read.len().max(1)
    }

    /// Whether a comparison of active values in the loop decides what a statement writes, or whether it does.
    fn is_chosen(&self, point: Point) -> bool {
        let compares = self.activity.is_varied(point, &self.graph.info(point).effects.uses);
        compares || self.compares(point) || self.deciding(point).next().is_some()
    }

    /// The same, if what the numbers have from when the loop was entered does not count.
    fn is_chosen_apart(&self, point: Point) -> bool {
        self.compares(point) || self.deciding(point).any(|stmt| self.tests_gained(stmt))
    }

    /// The statements in the loop around a point whose tests compare what depends on an independent.
    fn deciding(&self, point: Point) -> impl Iterator<Item = StmtId> {
        let inside = self.graph.info(point).inside.iter().copied();
        let inner = inside.skip_while(|&stmt| stmt != self.of).skip(1);
        inner.filter(|stmt| self.decided.contains(stmt))
    }

    /// Whether what is compared in the loop, by tests or by statements that choose, follows from numbers: a sum whose terms are chosen does not
    /// decide which are.
    fn feeds_back(&self, numbers: BTreeSet<Zone>, choosing: &[Point]) -> bool {
        let mut following = numbers;
        loop {
            let known = following.len();
            for &point in &self.points {
                let effects = &self.graph.info(point).effects;
                if effects.uses.iter().any(|zone| following.contains(zone)) {
                    following.extend(&effects.writes);
                }
            }
            if following.len() == known {
                break;
            }
        }
        let follows = |point: Point| {
            self.graph.info(point).effects.uses.iter().any(|zone| following.contains(zone))
        };
        self.points.iter().copied().any(|point| {
            let info = self.graph.info(point);
            let tests = info.stmt.is_some_and(|stmt| self.decided.contains(&stmt));
            let compares =
                self.activity.is_varied(point, &info.effects.uses) || self.compares(point);
            (tests || compares && choosing.contains(&point)) && follows(point)
        })
    }

    fn compares(&self, point: Point) -> bool {
        self.gained.is_told(point, &self.graph.info(point).effects.uses)
    }

    /// Whether the test of a statement compares what has a derivative from elsewhere.
    fn tests_gained(&self, stmt: StmtId) -> bool {
        let of_test = |&&point: &&Point| {
            let info = self.graph.info(point);
            info.stmt == Some(stmt) && info.kind == PointKind::Statement
        };
        self.points.iter().filter(of_test).any(|&point| self.compares(point))
    }
}
