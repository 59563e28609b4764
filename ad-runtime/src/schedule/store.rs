//! Where snapshots are kept.

use std::convert::Infallible;

/// What snapshots take.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Taken {
    /// The bytes in memory.
    pub bytes: usize,
    /// The bytes on disk.
    pub on_disk: u64,
}

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

    /// What the snapshots take, as far as it is known.
    fn taken(&self) -> Taken {
        Taken::default()
    }
}

/// Snapshots in memory.
#[derive(Clone, Debug)]
pub struct Memory<S> {
    slots: Vec<Option<S>>,
    /// States whose memory can be used again.
    spare: Vec<S>,
    /// What a state owns on the heap.
    heap_bytes: fn(&S) -> usize,
    /// What all of them own there.
    owned: usize,
}

impl<S> Memory<S> {
    /// No snapshots, of states of which no more is known than that they have a size.
    pub fn new() -> Self {
        Self::measured_by(|_| 0)
    }

    /// No snapshots; the function tells what a state owns on the heap.
    pub fn measured_by(heap_bytes: fn(&S) -> usize) -> Self {
        Self { slots: Vec::new(), spare: Vec::new(), heap_bytes, owned: 0 }
    }

    fn keep_spare(&mut self, spare: Option<S>) {
        if let Some(spare) = spare {
            self.owned += (self.heap_bytes)(&spare);
            self.spare.push(spare);
        }
    }

    /// A state leaves the store.
    fn leaves(&mut self, state: Option<S>) -> Option<S> {
        self.owned -= state.as_ref().map_or(0, self.heap_bytes);
        state
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
        let spare = self.spare.pop();
        let spare = self.leaves(spare);
        let copy = copy(state, spare);
        self.owned += (self.heap_bytes)(&copy);
        self.slots[slot] = Some(copy);
        Ok(())
    }

    fn restore(&mut self, slot: usize, spare: Option<S>) -> Result<S, Infallible> {
        Ok(copy(self.slots[slot].as_ref().expect(EMPTY), spare))
    }

    fn release(&mut self, slot: usize, spare: Option<S>) -> Result<S, Infallible> {
        self.keep_spare(spare);
        let state = self.slots[slot].take();
        Ok(self.leaves(state).expect(EMPTY))
    }

    fn discard(&mut self, slot: usize) {
        self.spare.extend(self.slots[slot].take());
    }

    fn taken(&self) -> Taken {
        let places =
            self.slots.capacity() * size_of::<Option<S>>() + self.spare.capacity() * size_of::<S>();
        Taken { bytes: self.owned + places, on_disk: 0 }
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
