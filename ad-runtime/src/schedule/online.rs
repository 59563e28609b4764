//! The online schedule.

use super::Action;
use super::reversal::{Reversal, Stored};

/// Reverses steps whose number is only known when all have run, with a number of snapshots.
///
/// Until [`finish`](Self::finish) is called it runs steps one by one. It keeps snapshots so spread out
/// that whenever the steps end, no more repetitions are necessary than if their number had been known
/// (Wang, Moin, Iaccarino): each has a level, and one that is followed by one of a higher level can
/// be spared. Afterwards it reverses the steps like [`Binomial`](super::Binomial) from the snapshots there are.
///
/// ```
/// use backsweep::schedule::{Action, Online};
///
/// let mut schedule = Online::new(2);
/// let store = schedule.next();
/// assert_eq!(store, Some(Action::Store { slot: 0, step: 0 }));
/// assert_eq!(schedule.next(), Some(Action::Advance { from: 0, to: 1 }));
/// schedule.finish();
/// assert_eq!(schedule.next(), Some(Action::Release { slot: 0, step: 0 }));
/// assert_eq!(schedule.next(), Some(Action::Forward { step: 0 }));
/// assert_eq!(schedule.next(), Some(Action::Backward { step: 0 }));
/// assert_eq!(schedule.next(), None);
/// ```
#[derive(Clone, Debug)]
pub struct Online {
    reversal: Reversal,
    /// The levels of the snapshots; that of the initial state does not matter.
    levels: Vec<u32>,
    /// The level of the next snapshot.
    level: u32,
    is_open: bool,
}

impl Online {
    /// The schedule with so many snapshots; the initial state counts as one.
    ///
    /// # Panics
    /// If there are none.
    pub fn new(snapshots: usize) -> Self {
        assert!(snapshots > 0, "checkpointing takes at least one snapshot");
        let reversal = Reversal::new(0, snapshots);
        Self { reversal, levels: Vec::new(), level: 0, is_open: true }
    }

    /// All steps have run that there are: those that it has told to run.
    pub fn finish(&mut self) {
        if self.is_open {
            self.is_open = false;
            self.reversal.present = None;
        }
    }

    /// Whether there may be more steps: [`finish`](Self::finish) has not been called.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// How many steps it has told to run, less those that are reversed.
    pub fn steps(&self) -> usize {
        self.reversal.end
    }

    /// The snapshot to do without.
    fn spared(&self) -> usize {
        let mut highest = 0;
        for at in (1..self.levels.len()).rev() {
            if self.levels[at] < highest {
                return at;
            }
            highest = highest.max(self.levels[at]);
        }
        self.levels.len() - 1
    }

    /// The next action while there may be more steps.
    fn run(&mut self) -> Action {
        let step = self.reversal.end;
        let Reversal { stored, free, .. } = &mut self.reversal;
        if stored.last().is_some_and(|stored| stored.step == step) {
            self.reversal.end += 1;
            return Action::Advance { from: step, to: step + 1 };
        }
        if let Some(slot) = free.pop() {
            stored.push(Stored { slot, step });
            self.levels.push(std::mem::take(&mut self.level));
            return Action::Store { slot, step };
        }
        if stored.len() == 1 {
            // The initial state is all that can be kept.
            self.reversal.end += 1;
            return Action::Advance { from: step, to: step + 1 };
        }
        let at = self.spared();
        let is_newest = at + 1 == self.levels.len();
        let level = self.levels.remove(at);
        self.level = if is_newest { level + 1 } else { 0 };
        let Stored { slot, step } = self.reversal.stored.remove(at);
        self.reversal.free.push(slot);
        Action::Discard { slot, step }
    }
}

impl Iterator for Online {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        if self.is_open { Some(self.run()) } else { self.reversal.next() }
    }
}
