//! The binomial reversal of steps of which some states are stored.

use super::Action;

/// A snapshot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored {
    pub(super) slot: usize,
    pub(super) step: usize,
}

/// Reverses all steps before `end`. Between two snapshots, and after the last, the slots that are free
/// by then are used in the way that Griewank and Walther have proved to be optimal.
#[derive(Clone, Debug)]
pub(super) struct Reversal {
    /// The snapshots, in the order of their steps.
    pub(super) stored: Vec<Stored>,
    pub(super) free: Vec<usize>,
    /// How many steps are not reversed yet.
    pub(super) end: usize,
    /// The present state, if it is of any use.
    pub(super) present: Option<usize>,
    /// Whether the forward sweep of the last of these steps has run.
    pub(super) taped: bool,
}

impl Reversal {
    /// The present state is 0, and nothing is stored.
    pub(super) fn new(steps: usize, slots: usize) -> Self {
        Self {
            stored: Vec::new(),
            free: (0..slots).rev().collect(),
            end: steps,
            present: Some(0),
            taped: false,
        }
    }
}

impl Iterator for Reversal {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        if self.taped {
            self.taped = false;
            self.end -= 1;
            return Some(Action::Backward { step: self.end });
        }
        let last = self.end.checked_sub(1)?;
        let Some(present) = self.present else {
            let Stored { slot, step } =
                *self.stored.last().expect("a state is stored to start from");
            self.present = Some(step);
            if step < last {
                return Some(Action::Restore { slot, step });
            }
            self.stored.pop();
            self.free.push(slot);
            return Some(Action::Release { slot, step });
        };
        if present == last {
            self.present = None;
            self.taped = true;
            return Some(Action::Forward { step: last });
        }
        if self.stored.last().is_none_or(|stored| stored.step != present) {
            let slot = self.free.pop().expect("with the last slot the steps are run to the end");
            self.stored.push(Stored { slot, step: present });
            return Some(Action::Store { slot, step: present });
        }
        let to = present + split(self.end - present, self.free.len() + 1);
        self.present = Some(to);
        Some(Action::Advance { from: present, to })
    }
}

/// `β(s, t) = (s + t)! / (s! t!)`: how many steps can be reversed with `s` snapshots so that none is
/// run more than `t` times apart from its forward sweep.
fn reach(snapshots: usize, repetitions: usize) -> u128 {
    let small = snapshots.min(repetitions) as u128;
    let large = snapshots.max(repetitions) as u128;
    // Each quotient is a binomial coefficient, hence exact; too large is as good as infinite.
    let mut found: u128 = 1;
    for factor in 1..=small {
        let Some(product) = found.checked_mul(large + factor) else { return u128::MAX };
        found = product / factor;
    }
    found
}

/// The least number of snapshots with which none of so many steps is run more often than so many times
/// apart from its forward sweep.
pub(super) fn sufficient(steps: usize, times: usize) -> usize {
    let mut snapshots = 1;
    while reach(snapshots, times) < steps as u128 {
        snapshots += 1;
    }
    snapshots
}

/// The least `t` with `steps ≤ β(snapshots, t)`.
fn repetitions(steps: usize, snapshots: usize) -> usize {
    let steps = steps as u128;
    let mut most: usize = 1;
    while reach(snapshots, most) < steps {
        most *= 2;
    }
    let mut least = most / 2;
    while most - least > 1 {
        let middle = least + (most - least) / 2;
        *(if reach(snapshots, middle) < steps { &mut least } else { &mut most }) = middle;
    }
    if reach(snapshots, least) >= steps { least } else { most }
}

/// How many of at least 2 steps to advance from a snapshot before the next is taken, if there are so
/// many snapshots, that one included: the rule of Algorithm 799.
fn split(steps: usize, snapshots: usize) -> usize {
    let snapshots = snapshots.min(steps - 1);
    if snapshots <= 1 {
        return steps - 1;
    }
    if snapshots == steps - 1 {
        return 1;
    }
    // There are fewer snapshots than steps, hence at least 2 repetitions.
    let times = repetitions(steps, snapshots);
    let n = steps as u128;
    let (below, twice_below) = (reach(snapshots, times - 1), reach(snapshots, times - 2));
    let (one, two) = (reach(snapshots - 1, times - 1), reach(snapshots - 2, times - 1));
    let advanced = if n <= below + two {
        twice_below
    } else if n >= below + one + two {
        below
    } else {
        n - one - two
    };
    usize::try_from(advanced).expect("fewer than all steps")
}

/// How often steps are advanced in all when `steps` steps are reversed with so many snapshots:
/// `t n − β(s + 1, t − 1)`.
pub(super) fn advances(steps: usize, snapshots: usize) -> u128 {
    if steps <= 1 {
        return 0;
    }
    let snapshots = snapshots.min(steps);
    if snapshots <= 1 {
        let steps = steps as u128;
        return steps * (steps - 1) / 2;
    }
    let times = repetitions(steps, snapshots);
    times as u128 * steps as u128 - reach(snapshots + 1, times - 1)
}
