//! Numbers that the iterations of a loop hand on to the next one.
//!
//! Of a window in which an iteration uses several elements, each element is used by several iterations. Where they change it, the number is
//! in a variable as long as they do, is read once and written once: an iteration need not wait for what the one before has written.
//!
//! ```text
//!                                     let mut low = if a < b { w[0] } else { 0.0 };
//! for i in a..b {                     for i in a..b {
//!     w[i - a] += d;                      let mut high = w[i - a + 1];
//!     w[i - a + 1] += e;                  low += d;
//! }                                       high += e;
//!                                         w[i - a] = low;
//!                                         low = high;
//!                                     }
//!                                     if a < b { w[b - a] = low; }
//! ```

use super::{Counted, and, or, plus};
use crate::index::Var;
use crate::ir::{Body, Expr, Place, Stmt, StmtKind};
use crate::types::Type;
use proc_macro2::Span;

/// The most elements beside the first that iterations use: there are so many registers.
pub(super) const MOST: i64 = 4;

/// The numbers that an iteration of a loop uses.
pub(super) struct Carried {
    /// Variables for them, in the order of the list.
    pub(super) numbers: Vec<Var>,
    view: Var,
    element: Type,
    /// The condition on the instance, if there is one.
    of_instance: Option<Expr>,
    span: Span,
}

impl Carried {
    /// The numbers of a window in which each iteration uses `spread` elements beside the first.
    pub(super) fn new(
        body: &mut Body,
        view: Var,
        (list, element): (&str, &Type),
        spread: i64,
        of_instance: Option<Expr>,
        span: Span,
    ) -> Self {
        let number = |_| body.local(&format!("{list}_carried"), element.clone(), span);
        let numbers = (0..=spread).map(number).collect();
        Self { numbers, view, element: element.clone(), of_instance, span }
    }

    fn at(&self, index: Expr) -> Place {
        Place::var(self.view).index(index)
    }

    /// Reads a number where a condition holds.
    fn read(&self, body: &mut Body, var: Var, index: Expr, test: Option<Expr>) -> Stmt {
        let load = Expr::load(self.at(index), self.element.clone(), self.span);
        let value = match test {
            Some(test) => or(test, load, Expr::zero(self.element.clone())),
            None => load,
        };
        body.stmt(StmtKind::Let { var, value: Some(value) }, self.span)
    }

    fn write(&self, body: &mut Body, index: Expr, var: Var) -> Stmt {
        let value = body.load(var);
        body.stmt(StmtKind::Assign { place: self.at(index), value }, self.span)
    }

    fn where_holds(&self, body: &mut Body, test: Option<Expr>, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let Some(test) = test else { return stmts };
        let [then, otherwise] = [stmts, Vec::new()].map(|stmts| body.new_block(stmts));
        vec![body.stmt(StmtKind::If { test, then, otherwise }, self.span)]
    }

    /// Whether there is an iteration.
    fn is_there(&self, counted: &Counted) -> Expr {
        match &self.of_instance {
            Some(test) => and(test.clone(), counted.is_run()),
            None => counted.is_run(),
        }
    }

    /// Those that an iteration hands on, each with its position in the window of that iteration.
    fn handed_on(&self, counted: &Counted) -> Vec<(i64, Var)> {
        let numbers = (0..).zip(self.numbers.iter().copied());
        let entering = if counted.is_reversed() { 0 } else { self.numbers.len() - 1 };
        numbers.filter(|(position, _)| *position != entering as i64).collect()
    }

    /// What stands before the loop.
    pub(super) fn before(&self, body: &mut Body, counted: &Counted) -> Vec<Stmt> {
        let first = |position| match counted.is_reversed() {
            true => plus(counted.count(), position - 1),
            false => Expr::usize(position as usize),
        };
        let is_there = self.is_there(counted);
        let reads = self.handed_on(counted).into_iter();
        let reads = reads
            .map(|(position, var)| self.read(body, var, first(position), Some(is_there.clone())));
        reads.collect()
    }

    /// What an iteration begins with: a number is used for the first time.
    pub(super) fn begin(&self, body: &mut Body, counted: &Counted) -> Stmt {
        let last = self.numbers.len() - 1;
        let position = if counted.is_reversed() { 0 } else { last };
        let index = plus(counted.position(body), position as i64);
        self.read(body, self.numbers[position], index, self.of_instance.clone())
    }

    /// What an iteration ends with: a number is used for the last time, the others are handed on.
    pub(super) fn end(&self, body: &mut Body, counted: &Counted) -> Vec<Stmt> {
        let last = self.numbers.len() - 1;
        let position = if counted.is_reversed() { last } else { 0 };
        let index = plus(counted.position(body), position as i64);
        let written = self.write(body, index, self.numbers[position]);
        let mut stmts = self.where_holds(body, self.of_instance.clone(), vec![written]);
        let mut numbers = self.numbers.clone();
        if counted.is_reversed() {
            numbers.reverse();
        }
        for pair in numbers.windows(2) {
            let value = body.load(pair[1]);
            let place = Place::var(pair[0]);
            stmts.push(body.stmt(StmtKind::Assign { place, value }, self.span));
        }
        stmts
    }

    /// What stands after the loop: those are written that were handed on by the last iteration.
    pub(super) fn after(&self, body: &mut Body, counted: &Counted) -> Vec<Stmt> {
        let index = |position| match counted.is_reversed() {
            true => Expr::usize(position as usize - 1),
            false => plus(counted.count(), position),
        };
        let writes = self.handed_on(counted).into_iter();
        let writes = writes.map(|(position, var)| self.write(body, index(position), var)).collect();
        self.where_holds(body, Some(self.is_there(counted)), writes)
    }
}
