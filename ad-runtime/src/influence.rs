//! Which inputs of a function each of its results depends on: a run of the tangent with sets in the place of
//! derivatives.
//!
//! See A. Griewank, A. Walther, *Evaluating Derivatives*, 2nd edition, section 7.1 (sparsity pattern propagation).

use crate::sparse::Pattern;
use crate::{Bars, Directions, Placeholder, Stack, Storable, Vector, ZeroSeed};
use std::cell::RefCell;

/// A set of inputs: those that a number depends on.
///
/// Sets are nodes of a graph, which belongs to the [`Influences`] that last began on the thread: a union is had in constant time, and what is
/// in a set is looked at in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Influence(u32);

/// How a set has come about.
#[derive(Clone, Copy, Debug)]
enum Node {
    /// It is empty.
    Nothing,
    /// An input.
    Input(u32),
    /// The union of two sets.
    Union(Influence, Influence),
}

thread_local! {
    static NODES: RefCell<Vec<Node>> = const { RefCell::new(Vec::new()) };
}

fn make(nodes: &mut Vec<Node>, node: Node) -> Influence {
    let number = u32::try_from(nodes.len());
    nodes.push(node);
    Influence(number.expect("a pattern has come to 2³² sets: look for it at a smaller size"))
}

impl Influence {
    /// The union of two sets.
    fn and(self, other: Self) -> Self {
        if self == other || other == Self::ZERO {
            return self;
        }
        if self == Self::ZERO {
            return other;
        }
        NODES.with_borrow_mut(|nodes| {
            // Sums add one and the same set again and again.
            let has = |whole: Self, part: Self| match nodes[whole.0 as usize] {
                Node::Union(a, b) => a == part || b == part,
                Node::Nothing | Node::Input(_) => false,
            };
            if has(self, other) {
                self
            } else if has(other, self) {
                other
            } else {
                make(nodes, Node::Union(self, other))
            }
        })
    }
}

impl Directions for Influence {
    const ZERO: Self = Self(0);

    fn plus(self, other: Self) -> Self {
        self.and(other)
    }

    fn minus(self, other: Self) -> Self {
        self.and(other)
    }

    fn negative(self) -> Self {
        self
    }

    fn times(self, _: impl Into<f64>) -> Self {
        self
    }

    fn over(self, _: impl Into<f64>) -> Self {
        self
    }

    fn strongly(self, _: impl Into<f64>) -> Self {
        self
    }

    fn strongly_over(self, _: impl Into<f64>) -> Self {
        self
    }

    // That a bar is 0 here does not say that it is 0 elsewhere.
    fn under(self, _: impl Into<f64>) -> Self {
        self
    }
}

impl Bars for Influence {}

impl ZeroSeed for Influence {
    fn zero_seed() -> Self {
        Self::ZERO
    }
}

/// A bar of second derivatives. It is no number: it is set to zero and added to, and nothing else.
impl Vector for Influence {
    fn set_zero(&mut self) {
        *self = Self::ZERO;
    }

    fn accumulate(&mut self, other: &Self) {
        *self = self.and(*other);
    }

    fn inner(&self, _: &Self) -> f64 {
        unreachable!("sets of inputs have no inner product")
    }

    fn write_flat(&self, _: &mut Vec<f64>) {
        unreachable!("a set of inputs is no number")
    }

    fn read_flat<'s>(&mut self, _: &'s [f64]) -> &'s [f64] {
        unreachable!("a set of inputs is no number")
    }
}

impl Storable for Influence {
    fn store(self, stack: &mut Stack) {
        self.0.store(stack);
    }

    fn load(stack: &mut Stack) -> Self {
        Self(u32::load(stack))
    }
}

impl Placeholder for Influence {
    fn placeholder() -> Self {
        Self::ZERO
    }
}

/// The sets of one run. They are forgotten when it is dropped, and those of the run around it are there again.
#[derive(Debug)]
pub struct Influences {
    around: Vec<Node>,
    inputs: u32,
}

impl Influences {
    /// Begins a run.
    #[expect(clippy::new_without_default, reason = "to begin is an effect")]
    pub fn new() -> Self {
        let around = NODES.with_borrow_mut(|nodes| std::mem::replace(nodes, vec![Node::Nothing]));
        Self { around, inputs: 0 }
    }

    /// The next input.
    ///
    /// # Panics
    /// If there are 2³².
    pub fn input(&mut self) -> Influence {
        let input = NODES.with_borrow_mut(|nodes| make(nodes, Node::Input(self.inputs)));
        self.inputs += 1;
        input
    }

    /// The pattern of the Jacobian: a row for each result, a column for each input.
    pub fn pattern(self, results: &[Influence]) -> Pattern {
        NODES.with_borrow(|nodes| {
            // By which result a node has been visited last.
            let mut visited = vec![0; nodes.len()];
            let (mut open, mut row) = (Vec::new(), 0);
            let rows = results.iter().map(|&result| {
                let mut inputs = Vec::new();
                row += 1;
                open.push(result);
                while let Some(Influence(number)) = open.pop() {
                    if std::mem::replace(&mut visited[number as usize], row) == row {
                        continue;
                    }
                    match nodes[number as usize] {
                        Node::Nothing => {}
                        Node::Input(input) => inputs.push(input as usize),
                        Node::Union(a, b) => open.extend([a, b]),
                    }
                }
                inputs
            });
            Pattern::from_rows(self.inputs as usize, rows)
        })
    }
}

impl Drop for Influences {
    fn drop(&mut self) {
        NODES.with_borrow_mut(|nodes| *nodes = std::mem::take(&mut self.around));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_or_weighted_has_influence() {
        let mut run = Influences::new();
        let [x, y, z] = [(); 3].map(|()| run.input());
        let rows = [x.plus(y.times(0.0)), Influence::ZERO, z.negative().minus(x).over(2.0), y];
        let pattern = run.pattern(&rows);
        let expected = Pattern::from_rows(3, [vec![0, 1], vec![], vec![0, 2], vec![1]]);
        assert_eq!(pattern, expected);
    }

    #[test]
    fn a_run_inside_of_another_leaves_it_as_it_is() {
        let mut outer = Influences::new();
        let [x, y] = [(); 2].map(|()| outer.input());
        let sum = x.plus(y);
        let mut inner = Influences::new();
        let other = inner.input().strongly(2.0);
        assert_eq!(inner.pattern(&[other]), Pattern::from_rows(1, [[0]]));
        assert_eq!(outer.pattern(&[sum, y]), Pattern::from_rows(2, [vec![0, 1], vec![1]]));
    }

    #[test]
    fn sums_of_one_set_stay_small() {
        let mut run = Influences::new();
        let x = run.input();
        let y = run.input();
        let sum = (0..1000).fold(x, |sum, _| sum.plus(y));
        assert_eq!(NODES.with_borrow(Vec::len), 4);
        assert_eq!(run.pattern(&[sum]).len(), 2);
    }
}
