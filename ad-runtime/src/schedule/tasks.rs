//! A schedule as generated code carries it out: the steps are run by its own loops.

use super::disk::written_bytes;
use super::{Action, Checkpoints, Multistage, Online, Persist, Store, Tiered};
use std::fmt::Display;
use std::ops::Range;
use std::path::Path;

/// What generated code does next.
#[derive(Debug)]
pub enum Task<'r, S> {
    /// Run steps.
    Advance {
        /// The present state.
        state: &'r mut S,
        /// The steps.
        steps: Range<usize>,
    },
    /// Run the forward sweep of a step; its tape goes to the stack.
    Forward {
        /// The present state.
        state: &'r mut S,
        /// The step.
        step: usize,
    },
    /// Run the backward sweep of a step.
    Backward {
        /// The step.
        step: usize,
    },
}

impl<A: Iterator<Item = Action>, S: Clone> Checkpoints<A, S, ()> {
    #[doc(hidden)]
    pub fn started(schedule: A, initial: S) -> Self {
        let mut checkpoints = Self::new(schedule);
        checkpoints.begin(initial);
        checkpoints
    }
}

impl<S: Clone + Persist> Checkpoints<Multistage, S, (), Tiered<S>> {
    #[doc(hidden)]
    #[track_caller]
    pub fn started_on_disk(schedule: Multistage, directory: impl AsRef<Path>, initial: S) -> Self {
        let store = Tiered::new(&schedule, directory).unwrap_or_else(|error| panic!("{error}"));
        let mut checkpoints = Self::with_store(schedule, store);
        checkpoints.begin(initial);
        checkpoints
    }
}

impl<A: Iterator<Item = Action>, S, M> Checkpoints<A, S, (), M>
where
    M: Store<S>,
    M::Error: Display,
{
    /// The next task before the last state is there.
    #[doc(hidden)]
    pub fn forward_task(&mut self) -> Option<Task<'_, S>> {
        loop {
            match self.next()? {
                Action::Backward { .. } => return None,
                Action::Advance { .. } | Action::Forward { .. } => return self.task(),
                action => self.keep_it(action),
            }
        }
    }

    /// The last state.
    #[doc(hidden)]
    pub fn last(&mut self) -> S {
        self.last_state()
    }

    /// The next task.
    #[doc(hidden)]
    pub fn backward_task(&mut self) -> Option<Task<'_, S>> {
        loop {
            match self.next()? {
                Action::Advance { .. } | Action::Forward { .. } | Action::Backward { .. } => {
                    return self.task();
                }
                action => self.keep_it(action),
            }
        }
    }

    /// Generated code has no errors to return.
    fn keep_it(&mut self, action: Action) {
        if let Err(error) = self.keep(action) {
            panic!("{error}");
        }
        self.pending = None;
    }

    /// The pending action, as a task.
    fn task(&mut self) -> Option<Task<'_, S>> {
        let action = self.pending.take()?;
        if let Action::Backward { step } = action {
            return Some(Task::Backward { step });
        }
        let state = self.state.as_mut().expect("the schedule has made a state present");
        match action {
            Action::Advance { from, to } => Some(Task::Advance { state, steps: from..to }),
            Action::Forward { step } => Some(Task::Forward { state, step }),
            Action::Store { .. }
            | Action::Restore { .. }
            | Action::Release { .. }
            | Action::Discard { .. }
            | Action::Backward { .. } => None,
        }
    }
}

impl<S, M> Checkpoints<Online, S, (), M>
where
    M: Store<S>,
    M::Error: Display,
{
    /// The next step, if a condition on the state and the step holds. Otherwise there is none.
    #[doc(hidden)]
    pub fn step_task(&mut self, goes_on: impl Fn(&S, usize) -> bool) -> Option<Task<'_, S>> {
        let state = self.state.as_ref().expect("the state before the step");
        if !goes_on(state, self.steps_so_far()) {
            self.finish();
            return None;
        }
        self.forward_task()
    }
}

/// How many snapshots there can be in so many bytes, by the size of a state: at least one.
#[doc(hidden)]
pub fn affordable<S: Persist>(bytes: usize, state: &S) -> usize {
    // The lists that hold snapshots take some space, too.
    const OVERHEAD: usize = 64;
    let size = written_bytes(state).saturating_add(size_of::<S>() + OVERHEAD);
    (bytes / size).max(1)
}
