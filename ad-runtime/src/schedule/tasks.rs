//! A schedule as generated code carries it out: the steps are run by its own loops.

use super::{Action, Checkpoints, Schedule};
use crate::{Stack, Storable};
use std::ops::Range;

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

impl<A: Schedule, S: Clone> Checkpoints<A, S, ()> {
    #[doc(hidden)]
    pub fn started(schedule: A, initial: S) -> Self {
        let mut checkpoints = Self::new(schedule);
        checkpoints.begin(initial);
        checkpoints
    }

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

    fn keep_it(&mut self, action: Action) {
        let Ok(()) = self.keep(action);
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

impl<A, S> Storable for Checkpoints<A, S, ()>
where
    A: Schedule + Send + 'static,
    S: Clone + Send + 'static,
{
    fn store(self, stack: &mut Stack) {
        // What states own cannot be seen here.
        let bytes = std::mem::size_of::<Self>();
        stack.push_owned(self, bytes);
    }

    #[track_caller]
    fn load(stack: &mut Stack) -> Self {
        let owned = stack.pop_owned().downcast();
        *owned.expect("what is popped is of the type that was pushed")
    }

    fn placeholder() -> Self {
        unreachable!("in place of one there is `None`")
    }
}
