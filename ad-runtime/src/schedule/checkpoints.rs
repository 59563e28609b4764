//! Carries out a schedule.

use super::{Action, Memory, Online, Schedule, Store};

/// Steps that have an adjoint.
pub trait Steps {
    /// What a step changes. What the steps only read belongs to the implementation.
    type State;

    /// What the forward sweep of a step leaves for its backward sweep; `()` if that is on a
    /// [`Stack`](crate::Stack).
    type Tape;

    /// Runs a step.
    fn advance(&mut self, state: &mut Self::State, step: usize);

    /// Runs the forward sweep of a step: changes the state like [`advance`](Self::advance).
    fn forward(&mut self, state: &mut Self::State, step: usize) -> Self::Tape;

    /// Runs the backward sweep of the step whose forward sweep has run last.
    fn backward(&mut self, tape: Self::Tape, step: usize);
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Work {
    /// How often steps were run without a tape.
    pub advanced: usize,
    /// How often forward sweeps of steps were run.
    pub taped: usize,
    /// How many snapshots were taken.
    pub stored: usize,
    /// How many snapshots were read.
    pub restored: usize,
    /// The largest number of snapshots at once.
    pub most_stored: usize,
    /// The largest number of tapes at once.
    pub most_taped: usize,
}

impl Work {
    /// How often steps were run in all, backward sweeps apart.
    pub fn runs(&self) -> usize {
        self.advanced + self.taped
    }
}

/// Runs steps forwards and then backwards as a schedule says.
///
/// [`forward`](Self::forward) returns the last state; from it follow the bars with which the backward
/// sweep starts. [`backward`](Self::backward) then reverses all steps. Everything that was stored is gone when this
/// is dropped.
///
/// An action that has failed (the disk is full) can be tried again: nothing is lost, and
/// [`resume`](Self::resume) or [`backward`](Self::backward) goes on where it was.
#[derive(Debug)]
pub struct Checkpoints<A, S, T, M = Memory<S>> {
    schedule: A,
    pub(super) store: M,
    /// The present state.
    pub(super) state: Option<S>,
    tapes: Vec<T>,
    /// An action that is not done yet.
    pub(super) pending: Option<Action>,
    /// How many snapshots there are.
    stored: usize,
    phase: Phase,
    work: Work,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Nothing has run.
    Fresh,
    /// The steps run to the end.
    Forward,
    /// The last state has been handed out.
    Backward,
    /// A step is running, or has panicked.
    Broken,
}

impl<A, S: Clone, T> Checkpoints<A, S, T>
where
    A: Iterator<Item = Action>,
{
    /// With snapshots in memory.
    pub fn new(schedule: A) -> Self {
        Self::with_store(schedule, Memory::new())
    }
}

impl<A: Iterator<Item = Action>, S, T, M: Store<S>> Checkpoints<A, S, T, M> {
    /// With snapshots in a store.
    pub fn with_store(schedule: A, store: M) -> Self {
        Self {
            schedule,
            store,
            state: None,
            tapes: Vec::new(),
            pending: None,
            stored: 0,
            phase: Phase::Fresh,
            work: Work::default(),
        }
    }

    /// Reverses all steps.
    ///
    /// # Errors
    /// Those of the store. After them, calling this again goes on.
    ///
    /// # Panics
    /// If [`forward`](Self::forward) has not run to the end.
    pub fn backward(
        &mut self,
        steps: &mut impl Steps<State = S, Tape = T>,
    ) -> Result<Work, M::Error> {
        self.expect(Phase::Backward, "backward without its forward");
        while let Some(action) = self.next() {
            self.perform(action, steps)?;
        }
        Ok(self.work)
    }

    /// What was done so far.
    pub fn work(&self) -> Work {
        self.work
    }

    /// The next action, which remains to be done until it has succeeded.
    pub(super) fn next(&mut self) -> Option<Action> {
        if self.pending.is_none() {
            self.pending = self.schedule.next();
        }
        self.pending
    }

    pub(super) fn begin(&mut self, initial: S) {
        self.expect(Phase::Fresh, "a schedule runs once");
        self.state = Some(initial);
        self.phase = Phase::Forward;
    }

    pub(super) fn last_state(&mut self) -> S {
        self.phase = Phase::Backward;
        self.state.take().expect(PRESENT)
    }

    #[track_caller]
    fn expect(&self, phase: Phase, otherwise: &str) {
        assert!(self.phase != Phase::Broken, "a step has panicked before");
        assert!(self.phase == phase, "{otherwise}");
    }

    fn perform(
        &mut self,
        action: Action,
        steps: &mut impl Steps<State = S, Tape = T>,
    ) -> Result<(), M::Error> {
        // A step that panics leaves the state halfway.
        let phase = std::mem::replace(&mut self.phase, Phase::Broken);
        let done = self.perform_with(action, steps);
        self.phase = phase;
        if done.is_ok() {
            self.pending = None;
        }
        done
    }

    fn perform_with(
        &mut self,
        action: Action,
        steps: &mut impl Steps<State = S, Tape = T>,
    ) -> Result<(), M::Error> {
        match action {
            Action::Advance { from, to } => {
                let state = self.state.as_mut().expect(PRESENT);
                (from..to).for_each(|step| steps.advance(state, step));
                self.work.advanced += to - from;
            }
            Action::Store { .. }
            | Action::Restore { .. }
            | Action::Release { .. }
            | Action::Discard { .. } => self.keep(action)?,
            Action::Forward { step } => {
                let tape = steps.forward(self.state.as_mut().expect(PRESENT), step);
                self.tapes.push(tape);
                self.work.taped += 1;
                self.work.most_taped = self.work.most_taped.max(self.tapes.len());
            }
            Action::Backward { step } => {
                let tape = self.tapes.pop().expect("a backward sweep follows its forward sweep");
                steps.backward(tape, step);
            }
        }
        Ok(())
    }

    /// What does not run steps.
    pub(super) fn keep(&mut self, action: Action) -> Result<(), M::Error> {
        match action {
            Action::Store { slot, step: _ } => {
                self.store.store(slot, self.state.as_ref().expect(PRESENT))?;
                self.stored += 1;
                self.work.stored += 1;
                self.work.most_stored = self.work.most_stored.max(self.stored);
            }
            Action::Restore { slot, step: _ } => {
                self.state = Some(self.store.restore(slot, self.state.take())?);
                self.work.restored += 1;
            }
            Action::Release { slot, step: _ } => {
                self.state = Some(self.store.release(slot, self.state.take())?);
                self.stored -= 1;
                self.work.restored += 1;
            }
            Action::Discard { slot, step: _ } => {
                self.store.discard(slot);
                self.stored -= 1;
            }
            Action::Advance { .. } | Action::Forward { .. } | Action::Backward { .. } => {}
        }
        Ok(())
    }
}

const PRESENT: &str = "the schedule has made a state present";

impl<A: Schedule, S, T, M: Store<S>> Checkpoints<A, S, T, M> {
    /// Runs all steps from an initial state and returns the last state.
    ///
    /// # Errors
    /// Those of the store. After them, [`resume`](Self::resume) goes on.
    pub fn forward(
        &mut self,
        steps: &mut impl Steps<State = S, Tape = T>,
        initial: S,
    ) -> Result<S, M::Error> {
        self.begin(initial);
        self.resume(steps)
    }

    /// Goes on with a [`forward`](Self::forward) that an error has interrupted.
    ///
    /// # Errors
    /// Those of the store.
    ///
    /// # Panics
    /// If none was interrupted.
    pub fn resume(&mut self, steps: &mut impl Steps<State = S, Tape = T>) -> Result<S, M::Error> {
        self.expect(Phase::Forward, "no forward sweep was interrupted");
        while let Some(action) = self.next() {
            if matches!(action, Action::Backward { .. }) {
                break;
            }
            self.perform(action, steps)?;
        }
        Ok(self.last_state())
    }
}

impl<S, T, M: Store<S>> Checkpoints<Online, S, T, M> {
    /// How many steps have run.
    pub(super) fn steps_so_far(&self) -> usize {
        self.schedule.steps()
    }

    /// There are no more steps.
    pub(super) fn finish(&mut self) {
        self.schedule.finish();
    }

    /// Runs steps from an initial state as long as a condition holds, which is asked before each step
    /// with the state and the step, and returns the last state.
    ///
    /// ```
    /// use backsweep::schedule::{Checkpoints, Online, Steps};
    ///
    /// /// `x → cos(x)`, its tape the state before.
    /// struct Cosine {
    ///     x_b: f64,
    /// }
    ///
    /// impl Steps for Cosine {
    ///     type State = f64;
    ///     type Tape = f64;
    ///     fn advance(&mut self, x: &mut f64, _step: usize) {
    ///         *x = x.cos();
    ///     }
    ///     fn forward(&mut self, x: &mut f64, step: usize) -> f64 {
    ///         let before = *x;
    ///         self.advance(x, step);
    ///         before
    ///     }
    ///     fn backward(&mut self, before: f64, _step: usize) {
    ///         self.x_b *= -before.sin();
    ///     }
    /// }
    ///
    /// let mut cosine = Cosine { x_b: 1.0 };
    /// let mut checkpoints = Checkpoints::new(Online::new(4));
    /// let Ok(x) = checkpoints.forward_while(&mut cosine, 1.0, |x, _| (x - x.cos()).abs() > 1e-3);
    /// let Ok(work) = checkpoints.backward(&mut cosine);
    /// assert!((x - 0.739).abs() < 1e-3);
    /// assert!(work.most_stored == 4 && cosine.x_b.abs() < 1e-2);
    /// ```
    ///
    /// # Errors
    /// Those of the store. After them, [`resume_while`](Self::resume_while) goes on.
    pub fn forward_while(
        &mut self,
        steps: &mut impl Steps<State = S, Tape = T>,
        initial: S,
        condition: impl FnMut(&S, usize) -> bool,
    ) -> Result<S, M::Error> {
        self.begin(initial);
        self.resume_while(steps, condition)
    }

    /// Goes on with a [`forward_while`](Self::forward_while) that an error has interrupted.
    ///
    /// # Errors
    /// Those of the store.
    ///
    /// # Panics
    /// If none was interrupted.
    pub fn resume_while(
        &mut self,
        steps: &mut impl Steps<State = S, Tape = T>,
        mut condition: impl FnMut(&S, usize) -> bool,
    ) -> Result<S, M::Error> {
        self.expect(Phase::Forward, "no forward sweep was interrupted");
        // An interrupted step has been asked for already.
        let mut is_decided = self.pending.is_some();
        loop {
            let step = self.schedule.steps();
            if !is_decided && !condition(self.state.as_ref().expect(PRESENT), step) {
                self.schedule.finish();
                return Ok(self.last_state());
            }
            is_decided = false;
            while let Some(action) = self.next() {
                self.perform(action, steps)?;
                if matches!(action, Action::Advance { .. }) {
                    break;
                }
            }
        }
    }
}
