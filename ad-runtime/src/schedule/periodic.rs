//! The periodic schedule.

use super::Action;

/// Takes a snapshot every `k` steps. On the way back each period is run once more, with the tapes of
/// all its steps at once: no step runs more than twice, at the price of more memory than
/// [`Binomial`](super::Binomial) needs.
///
/// ```
/// use backsweep::schedule::{Action, Periodic};
///
/// let forwards = |action: &Action| matches!(action, Action::Forward { .. });
/// assert_eq!(Periodic::new(1000, 32).filter(forwards).count(), 1000);
/// ```
#[derive(Clone, Debug)]
pub struct Periodic {
    every: usize,
    /// How many steps are not reversed yet.
    end: usize,
    /// The present state, if it is of any use.
    present: Option<usize>,
    /// The snapshot that was taken of the present state, or would have been.
    is_stored: bool,
    /// Whether the tapes of the last period are at hand.
    taped: bool,
}

impl Periodic {
    /// The schedule for so many steps.
    ///
    /// # Panics
    /// If the period is 0.
    pub fn new(steps: usize, every: usize) -> Self {
        assert!(every > 0, "a snapshot every 0 steps");
        Self { every, end: steps, present: Some(0), is_stored: false, taped: false }
    }

    /// Where the last period begins that is not reversed yet.
    fn last_period(&self) -> usize {
        (self.end - 1) / self.every * self.every
    }
}

impl Iterator for Periodic {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        let last = self.end.checked_sub(1)?;
        if self.taped {
            self.end = last;
            self.taped = !last.is_multiple_of(self.every);
            return Some(Action::Backward { step: last });
        }
        let period = self.last_period();
        let Some(present) = self.present else {
            self.present = Some(period);
            return Some(Action::Release { slot: period / self.every, step: period });
        };
        if present < period {
            self.is_stored = !self.is_stored;
            if self.is_stored {
                return Some(Action::Store { slot: present / self.every, step: present });
            }
            self.present = Some(present + self.every);
            return Some(Action::Advance { from: present, to: present + self.every });
        }
        self.taped = present == last;
        self.present = (!self.taped).then_some(present + 1);
        Some(Action::Forward { step: present })
    }
}
