//! A schedule as generated code carries it out: the steps are run by its own loops.

use super::disk::written_bytes;
use super::{Action, Checkpoints, Memory, Multistage, Online, Persist, Store, Taken, Tiered};
use crate::Stack;
use std::fmt::Display;
use std::ops::Range;
use std::panic::Location;
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

/// A schedule in the course of being carried out, and what tells how much a state owns on the heap.
#[derive(Debug)]
pub struct Run<A, S, M> {
    checkpoints: Checkpoints<A, S, (), M>,
    heap_bytes: fn(&S) -> usize,
    /// What the stack knows of the states.
    counted: Taken,
}

impl<A: Iterator<Item = Action>, S: Clone> Run<A, S, Memory<S>> {
    #[doc(hidden)]
    pub fn started(schedule: A, initial: S, heap_bytes: fn(&S) -> usize) -> Self {
        Self::begun(schedule, Memory::measured_by(heap_bytes), initial, heap_bytes)
    }
}

impl<S: Clone + Persist> Run<Multistage, S, Tiered<S>> {
    #[doc(hidden)]
    #[track_caller]
    pub fn started_on_disk(
        schedule: Multistage,
        directory: impl AsRef<Path>,
        initial: S,
        heap_bytes: fn(&S) -> usize,
    ) -> Self {
        let memory = Memory::measured_by(heap_bytes);
        let store = Tiered::with_memory(&schedule, directory, memory);
        let store = store.unwrap_or_else(|error| panic!("{error}"));
        Self::begun(schedule, store, initial, heap_bytes)
    }
}

impl<A: Iterator<Item = Action>, S, M> Run<A, S, M>
where
    M: Store<S>,
    M::Error: Display,
{
    fn begun(schedule: A, store: M, initial: S, heap_bytes: fn(&S) -> usize) -> Self {
        let mut checkpoints = Checkpoints::with_store(schedule, store);
        checkpoints.begin(initial);
        Self { checkpoints, heap_bytes, counted: Taken::default() }
    }

    /// The next task before the last state is there.
    #[doc(hidden)]
    #[track_caller]
    pub fn forward_task(&mut self, stack: &mut Stack) -> Option<Task<'_, S>> {
        loop {
            match self.checkpoints.next()? {
                Action::Backward { .. } => return None,
                Action::Advance { .. } | Action::Forward { .. } => return self.task(stack),
                action => self.keep(action),
            }
        }
    }

    /// The last state.
    #[doc(hidden)]
    #[track_caller]
    pub fn last(&mut self, stack: &mut Stack) -> S {
        let last = self.checkpoints.last_state();
        self.count(stack);
        last
    }

    /// The next task. After the last one nothing is held any more.
    #[doc(hidden)]
    #[track_caller]
    pub fn backward_task(&mut self, stack: &mut Stack) -> Option<Task<'_, S>> {
        loop {
            let Some(action) = self.checkpoints.next() else {
                stack.count_snapshots(&mut self.counted, Taken::default(), Location::caller());
                return None;
            };
            match action {
                Action::Advance { .. } | Action::Forward { .. } | Action::Backward { .. } => {
                    return self.task(stack);
                }
                action => self.keep(action),
            }
        }
    }

    /// Generated code has no errors to return.
    fn keep(&mut self, action: Action) {
        if let Err(error) = self.checkpoints.keep(action) {
            panic!("{error}");
        }
        self.checkpoints.pending = None;
    }

    /// Tells the stack what the states take.
    #[track_caller]
    fn count(&mut self, stack: &mut Stack) {
        let present = self.checkpoints.state.as_ref().map_or(0, self.heap_bytes);
        let Taken { bytes, on_disk } = self.checkpoints.store.taken();
        let now = Taken { bytes: bytes + present, on_disk };
        stack.count_snapshots(&mut self.counted, now, Location::caller());
    }

    /// The pending action, as a task.
    #[track_caller]
    fn task(&mut self, stack: &mut Stack) -> Option<Task<'_, S>> {
        self.count(stack);
        let action = self.checkpoints.pending.take()?;
        if let Action::Backward { step } = action {
            return Some(Task::Backward { step });
        }
        let state = self.checkpoints.state.as_mut();
        let state = state.expect("the schedule has made a state present");
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

impl<S, M> Run<Online, S, M>
where
    M: Store<S>,
    M::Error: Display,
{
    /// The next step, if a condition on the state and the step holds. Otherwise there is none.
    #[doc(hidden)]
    #[track_caller]
    pub fn step_task(
        &mut self,
        stack: &mut Stack,
        goes_on: impl Fn(&S, usize) -> bool,
    ) -> Option<Task<'_, S>> {
        let state = self.checkpoints.state.as_ref().expect("the state before the step");
        if !goes_on(state, self.checkpoints.steps_so_far()) {
            self.checkpoints.finish();
            return None;
        }
        self.forward_task(stack)
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
