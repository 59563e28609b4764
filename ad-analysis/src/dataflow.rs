//! The generic solver: the least solution of data-flow equations over the points of a flow graph.
//!
//! The sets are bit grids: one row per zone (or definition), one column per independent, dependent or
//! pair of both. The join is union. An analysis that asks "on all paths" is posed as its complement.

use crate::flow::FlowGraph;
use crate::index::{Index, IndexVec, Point};
use fixedbitset::FixedBitSet;
use std::collections::{BTreeSet, VecDeque};

/// A set of (row, column) pairs.
#[derive(Clone, PartialEq, Debug)]
pub struct Grid {
    columns: usize,
    bits: FixedBitSet,
}

impl Grid {
    /// The empty set over that many rows and columns.
    pub fn empty(rows: usize, columns: usize) -> Self {
        Self { columns, bits: FixedBitSet::with_capacity(rows * columns) }
    }

    /// The set of all pairs.
    pub fn full(rows: usize, columns: usize) -> Self {
        let mut grid = Self::empty(rows, columns);
        grid.bits.insert_range(..);
        grid
    }

    /// The columns of a row.
    pub fn row(&self, row: impl Index) -> FixedBitSet {
        let start = row.position() * self.columns;
        let mut columns = FixedBitSet::with_capacity(self.columns);
        for column in 0..self.columns {
            columns.set(column, self.bits.contains(start + column));
        }
        columns
    }

    /// Whether a row has any column.
    pub fn has(&self, row: impl Index) -> bool {
        let start = row.position() * self.columns;
        self.bits.contains_any_in_range(start..start + self.columns)
    }

    /// Adds columns to a row.
    pub fn add(&mut self, row: impl Index, columns: &FixedBitSet) {
        let start = row.position() * self.columns;
        for column in columns.ones() {
            self.bits.insert(start + column);
        }
    }

    /// Adds one column to a row.
    pub fn insert(&mut self, row: impl Index, column: usize) {
        self.bits.insert(row.position() * self.columns + column);
    }

    /// Whether a pair is in the set.
    pub fn contains(&self, row: impl Index, column: usize) -> bool {
        self.bits.contains(row.position() * self.columns + column)
    }

    /// Removes one column from a row.
    pub fn remove(&mut self, row: impl Index, column: usize) {
        self.bits.remove(row.position() * self.columns + column);
    }

    /// Removes a row.
    pub fn clear(&mut self, row: impl Index) {
        let start = row.position() * self.columns;
        self.bits.remove_range(start..start + self.columns);
    }

    /// The union of some rows.
    pub fn union_of<I: Index>(&self, rows: &[I]) -> FixedBitSet {
        let mut columns = FixedBitSet::with_capacity(self.columns);
        for &row in rows {
            columns.union_with(&self.row(row));
        }
        columns
    }

    /// Whether one of the rows has any column.
    pub fn has_any<I: Index>(&self, rows: &[I]) -> bool {
        rows.iter().any(|&row| self.has(row))
    }

    /// Adds another set; says whether this set grew.
    pub fn join(&mut self, other: &Self) -> bool {
        if other.bits.is_subset(&self.bits) {
            return false;
        }
        self.bits.union_with(&other.bits);
        true
    }
}

/// The direction in which facts travel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// With control.
    Forward,
    /// Against control.
    Backward,
}

/// Data-flow equations.
pub trait Analysis {
    /// The direction in which facts travel.
    const DIRECTION: Direction;

    /// The facts where control enters (forward) or leaves (backward) the body.
    fn boundary(&self) -> Grid;

    /// The least set of facts.
    fn bottom(&self) -> Grid;

    /// Turns the facts before a point (after it, in a backward analysis) into those on its other
    /// side. Monotone.
    fn transfer(&self, point: Point, facts: &mut Grid);
}

/// The facts at all points.
#[derive(Debug)]
pub struct Solution {
    before: IndexVec<Point, Grid>,
    after: IndexVec<Point, Grid>,
}

impl Solution {
    /// The facts before a point, in the order of control.
    pub fn before(&self, point: Point) -> &Grid {
        &self.before[point]
    }

    /// The facts after a point, in the order of control.
    pub fn after(&self, point: Point) -> &Grid {
        &self.after[point]
    }
}

/// Solves the equations of an analysis by a worklist in the order of control, or against it.
pub fn solve<A: Analysis>(graph: &FlowGraph, analysis: &A) -> Solution {
    let boundary = match A::DIRECTION {
        Direction::Forward => graph.start(),
        Direction::Backward => graph.end(),
    };
    solve_from(graph, analysis, graph.order(), &[boundary])
}

/// The same among some points, in the order of control. The facts at the boundary are those with which control comes to them from
/// elsewhere (forward) or leaves them (backward). There are no facts at other points.
pub fn solve_within<A: Analysis>(graph: &FlowGraph, analysis: &A, points: &[Point]) -> Solution {
    let within: BTreeSet<Point> = points.iter().copied().collect();
    let is_boundary = |&point: &Point| match A::DIRECTION {
        Direction::Forward => graph.predecessors(point).any(|other| !within.contains(&other)),
        Direction::Backward => graph.successors(point).any(|other| !within.contains(&other)),
    };
    let boundary: Vec<Point> = points.iter().copied().filter(is_boundary).collect();
    solve_from(graph, analysis, points, &boundary)
}

fn solve_from<A: Analysis>(
    graph: &FlowGraph,
    analysis: &A,
    points: &[Point],
    boundary: &[Point],
) -> Solution {
    let mut within = FixedBitSet::with_capacity(graph.len());
    within.extend(points.iter().map(|point| point.position()));
    let mut input = IndexVec::filled(Grid::empty(0, 0), graph.len());
    points.iter().for_each(|&point| input[point] = analysis.bottom());
    let mut output = input.clone();
    for &point in boundary {
        input[point].join(&analysis.boundary());
    }
    let mut worklist: VecDeque<Point> = match A::DIRECTION {
        Direction::Forward => points.iter().copied().collect(),
        Direction::Backward => points.iter().rev().copied().collect(),
    };
    let mut queued = within.clone();
    while let Some(point) = worklist.pop_front() {
        queued.remove(point.position());
        let mut facts = input[point].clone();
        analysis.transfer(point, &mut facts);
        if !output[point].join(&facts) {
            continue;
        }
        let mut pass_on = |next: Point| {
            let is_within = within.contains(next.position());
            if is_within && input[next].join(&output[point]) && !queued.put(next.position()) {
                worklist.push_back(next);
            }
        };
        match A::DIRECTION {
            Direction::Forward => graph.successors(point).for_each(&mut pass_on),
            Direction::Backward => graph.predecessors(point).for_each(&mut pass_on),
        }
    }
    match A::DIRECTION {
        Direction::Forward => Solution { before: input, after: output },
        Direction::Backward => Solution { before: output, after: input },
    }
}
