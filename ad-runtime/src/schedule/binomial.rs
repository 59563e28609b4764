//! The binomial schedule.

use super::Action;
use super::reversal::{Reversal, advances};

/// Reverses a known number of steps with a number of snapshots, running as few steps as is possible
/// (Griewank and Walther, *revolve*, Algorithm 799).
///
/// ```
/// use backsweep::schedule::{Action, Binomial};
///
/// let actions: Vec<Action> = Binomial::new(3, 1).collect();
/// assert_eq!(actions, [
///     Action::Store { slot: 0, step: 0 },
///     Action::Advance { from: 0, to: 2 },
///     Action::Forward { step: 2 },
///     Action::Backward { step: 2 },
///     Action::Restore { slot: 0, step: 0 },
///     Action::Advance { from: 0, to: 1 },
///     Action::Forward { step: 1 },
///     Action::Backward { step: 1 },
///     Action::Release { slot: 0, step: 0 },
///     Action::Forward { step: 0 },
///     Action::Backward { step: 0 },
/// ]);
/// ```
#[derive(Clone, Debug)]
pub struct Binomial {
    reversal: Reversal,
}

impl Binomial {
    /// The schedule for so many steps and snapshots; the initial state counts as one.
    ///
    /// # Panics
    /// If there are steps and no snapshots.
    pub fn new(steps: usize, snapshots: usize) -> Self {
        assert!(steps == 0 || snapshots > 0, "checkpointing takes at least one snapshot");
        Self { reversal: Reversal::new(steps, snapshots.min(steps)) }
    }

    /// How often steps are run apart from their forward sweeps: `E(n, s) = t n − β(s + 1, t − 1)`, where
    /// `β(s, t) = (s + t)! / (s! t!)` and `t` is the least number with `n ≤ β(s, t)`.
    ///
    /// ```
    /// use backsweep::schedule::Binomial;
    ///
    /// assert_eq!(Binomial::advances(1000, 10), 3636);
    /// ```
    pub fn advances(steps: usize, snapshots: usize) -> u128 {
        advances(steps, snapshots)
    }
}

impl Iterator for Binomial {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        self.reversal.next()
    }
}
