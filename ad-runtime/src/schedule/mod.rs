//! Checkpointing: the adjoint of many steps with the memory of a few states.
//!
//! The backward sweep visits the steps from the last to the first and needs what the forward sweep of
//! each had at hand. To keep all of it takes memory in proportion to the number of steps. A *schedule*
//! keeps a few states instead, *snapshots*, and runs steps again from there.
//!
//! | schedule | the steps run | it keeps |
//! | --- | --- | --- |
//! | [`Binomial`] | as few times as is possible | so many snapshots |
//! | [`Periodic`] | at most twice | a snapshot of every `k`th state, and the tapes of `k` steps |
//! | [`Online`] | a little more often | so many snapshots, of a loop whose length is found out by running it |
//! | [`Multistage`] | as `Binomial` with all snapshots | some snapshots in memory, some on disk |
//!
//! A schedule is an iterator of [`Action`]s and knows neither states nor steps. [`Checkpoints`] carries
//! the actions out on a state, with snapshots in a [`Store`].
//!
//! ```
//! use backsweep::adjoint;
//! use backsweep::Stack;
//! use backsweep::schedule::{Binomial, Checkpoints, Steps};
//!
//! /// One step of the logistic map.
//! #[adjoint]
//! fn step(x: &mut f64, rate: f64) {
//!     *x = rate * *x * (1.0 - *x);
//! }
//!
//! struct Map<'b> {
//!     rate: f64,
//!     stack: Stack,
//!     x_b: &'b mut f64,
//!     rate_b: &'b mut f64,
//! }
//!
//! impl Steps for Map<'_> {
//!     type State = f64;
//!     /// The sweeps leave what they need on the stack.
//!     type Tape = ();
//!     fn advance(&mut self, x: &mut f64, _step: usize) {
//!         step(x, self.rate);
//!     }
//!     fn forward(&mut self, x: &mut f64, _step: usize) {
//!         step::forward(&mut self.stack, x, self.rate);
//!     }
//!     fn backward(&mut self, (): (), _step: usize) {
//!         step::backward(&mut self.stack, self.x_b, self.rate, self.rate_b);
//!     }
//! }
//!
//! // The derivatives of the state after 1000 steps, with 5 snapshots.
//! let (mut x_b, mut rate_b) = (1.0, 0.0);
//! let mut map = Map { rate: 2.9, stack: Stack::new(), x_b: &mut x_b, rate_b: &mut rate_b };
//! let mut checkpoints = Checkpoints::new(Binomial::new(1000, 5));
//! let Ok(x) = checkpoints.forward(&mut map, 0.3);
//! let Ok(work) = checkpoints.backward(&mut map);
//! // A fixed point of the map, where its derivative is known.
//! assert!((x - (1.0 - 1.0 / 2.9)).abs() < 1e-12);
//! assert!((rate_b - 1.0 / (2.9 * 2.9)).abs() < 1e-9 && x_b.abs() < 1e-9);
//! assert_eq!(work.runs(), 1000 + 6284);
//! assert_eq!(work.most_stored, 5);
//! ```
//!
//! # Literature
//! * A. Griewank, A. Walther, *Algorithm 799: revolve*, ACM TOMS 26 (2000): the binomial schedule.
//! * Q. Wang, P. Moin, G. Iaccarino, *Minimal repetition dynamic checkpointing algorithm for unsteady
//!   adjoint calculation*, SIAM J. Sci. Comput. 31 (2009): the online schedule.
//! * P. Stumm, A. Walther, *MultiStage approaches for optimal offline checkpointing*, SIAM J. Sci.
//!   Comput. 31 (2009): which snapshots go to disk.

mod binomial;
mod checkpoints;
mod disk;
mod multistage;
mod online;
mod periodic;
mod persist;
mod reversal;
mod store;
mod tasks;
#[cfg(test)]
mod tests;

pub use binomial::Binomial;
pub use checkpoints::{Checkpoints, Steps, Work};
pub use disk::{Disk, DiskError, Tiered};
pub use multistage::{Multistage, Tier};
pub use online::Online;
pub use periodic::Periodic;
pub use persist::Persist;
pub use store::{Memory, Store, Taken};
#[doc(hidden)]
pub use tasks::{Run, Task, affordable};

/// A schedule of a number of steps that is known from the beginning.
pub trait Schedule: Iterator<Item = Action> {}

impl Schedule for Binomial {}
impl Schedule for Periodic {}
impl Schedule for Multistage {}

/// What a schedule asks for.
///
/// State `i` is the state before step `i`; there is one *present* state, 0 at the beginning. A slot
/// holds at most one snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Run the steps `from..to`: the present state goes from `from` to `to`.
    Advance {
        /// The first step, and the present state.
        from: usize,
        /// The step after the last, and the present state afterwards.
        to: usize,
    },
    /// Put a copy of the present state into a slot, which is empty.
    Store {
        /// The slot.
        slot: usize,
        /// The state.
        step: usize,
    },
    /// Make a copy of a snapshot the present state.
    Restore {
        /// The slot.
        slot: usize,
        /// The state.
        step: usize,
    },
    /// Make a snapshot the present state; its slot is empty afterwards.
    Release {
        /// The slot.
        slot: usize,
        /// The state.
        step: usize,
    },
    /// Forget a snapshot.
    Discard {
        /// The slot.
        slot: usize,
        /// The state.
        step: usize,
    },
    /// Run the forward sweep of a step on the present state, which becomes the one after it, and keep
    /// its tape.
    Forward {
        /// The step.
        step: usize,
    },
    /// Run the backward sweep of the step whose tape was kept last.
    Backward {
        /// The step.
        step: usize,
    },
}
