//! Where snapshots are kept.

use std::convert::Infallible;

/// A place for snapshots.
///
/// A `spare` state is of no use any more; its memory may be used again.
pub trait Store<S> {
    /// What may go wrong. An operation that has failed has changed nothing and may be tried again.
    type Error;

    /// Puts a copy of a state into a slot, which is empty.
    ///
    /// # Errors
    /// If that is not possible.
    fn store(&mut self, slot: usize, state: &S) -> Result<(), Self::Error>;

    /// A copy of what is in a slot.
    ///
    /// # Errors
    /// If that is not possible.
    fn restore(&mut self, slot: usize, spare: Option<S>) -> Result<S, Self::Error>;

    /// What is in a slot, which is empty afterwards.
    ///
    /// # Errors
    /// If that is not possible.
    fn release(&mut self, slot: usize, spare: Option<S>) -> Result<S, Self::Error> {
        let state = self.restore(slot, spare)?;
        self.discard(slot);
        Ok(state)
    }

    /// Empties a slot.
    fn discard(&mut self, slot: usize);
}

/// Snapshots in memory.
#[derive(Clone, Debug)]
pub struct Memory<S> {
    slots: Vec<Option<S>>,
    /// States whose memory can be used again.
    spare: Vec<S>,
}

impl<S> Memory<S> {
    /// No snapshots.
    pub fn new() -> Self {
        Self { slots: Vec::new(), spare: Vec::new() }
    }
}

impl<S> Default for Memory<S> {
    fn default() -> Self {
        Self::new()
    }
}

const EMPTY: &str = "there is no snapshot in this slot";

impl<S: Clone> Store<S> for Memory<S> {
    type Error = Infallible;

    fn store(&mut self, slot: usize, state: &S) -> Result<(), Infallible> {
        if self.slots.len() <= slot {
            self.slots.resize_with(slot + 1, || None);
        }
        self.slots[slot] = Some(copy(state, self.spare.pop()));
        Ok(())
    }

    fn restore(&mut self, slot: usize, spare: Option<S>) -> Result<S, Infallible> {
        Ok(copy(self.slots[slot].as_ref().expect(EMPTY), spare))
    }

    fn release(&mut self, slot: usize, spare: Option<S>) -> Result<S, Infallible> {
        self.spare.extend(spare);
        Ok(self.slots[slot].take().expect(EMPTY))
    }

    fn discard(&mut self, slot: usize) {
        self.spare.extend(self.slots[slot].take());
    }
}

fn copy<S: Clone>(state: &S, spare: Option<S>) -> S {
    match spare {
        Some(mut copy) => {
            copy.clone_from(state);
            copy
        }
        None => state.clone(),
    }
}
