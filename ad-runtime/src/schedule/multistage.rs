//! The binomial schedule with snapshots in memory and on disk.

use super::reversal::sufficient;
use super::{Action, Binomial};

/// Where a snapshot is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tier {
    /// In memory.
    Memory,
    /// On disk.
    Disk,
}

/// The [`Binomial`] schedule with some snapshots in memory and some on disk.
///
/// The steps run as often as if all snapshots were in memory. In memory are the slots that are written
/// and read most often (Stumm and Walther); [`Tiered`](super::Tiered) is the store for it.
///
/// ```
/// use backsweep::schedule::{Multistage, Tier};
///
/// let schedule = Multistage::new(100, 2, 3);
/// let on_disk = schedule.tiers().iter().filter(|tier| **tier == Tier::Disk);
/// assert_eq!(on_disk.count(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct Multistage {
    actions: Binomial,
    tiers: Vec<Tier>,
}

impl Multistage {
    /// The schedule for so many steps and so many snapshots in memory and on disk.
    ///
    /// # Panics
    /// If there are steps and no snapshots.
    pub fn new(steps: usize, in_memory: usize, on_disk: usize) -> Self {
        let actions = Binomial::new(steps, in_memory.saturating_add(on_disk));
        let mut accesses = Vec::new();
        for action in actions.clone() {
            let (Action::Store { slot, step: _ }
            | Action::Restore { slot, step: _ }
            | Action::Release { slot, step: _ }
            | Action::Discard { slot, step: _ }) = action
            else {
                continue;
            };
            if accesses.len() <= slot {
                accesses.resize(slot + 1, 0_usize);
            }
            accesses[slot] += 1;
        }
        let mut busiest: Vec<usize> = (0..accesses.len()).collect();
        busiest.sort_by_key(|&slot| std::cmp::Reverse(accesses[slot]));
        let mut tiers = vec![Tier::Disk; accesses.len()];
        for &slot in busiest.iter().take(in_memory) {
            tiers[slot] = Tier::Memory;
        }
        Self { actions, tiers }
    }

    /// The schedule for so many steps and so many snapshots in memory, with as many on disk as are enough to run
    /// no step more often than twice apart from its forward sweep: about `√(2 n)` in all for `n` steps.
    ///
    /// ```
    /// use backsweep::schedule::Multistage;
    ///
    /// let schedule = Multistage::repeating_twice(10_000, 20);
    /// assert_eq!(schedule.tiers().len(), 140);
    /// ```
    pub fn repeating_twice(steps: usize, in_memory: usize) -> Self {
        let in_all = sufficient(steps, 2);
        Self::new(steps, in_memory, in_all.saturating_sub(in_memory))
    }

    /// Where the snapshots of the slots are.
    pub fn tiers(&self) -> &[Tier] {
        &self.tiers
    }
}

impl Iterator for Multistage {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        self.actions.next()
    }
}
