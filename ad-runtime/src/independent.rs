//! Loops whose iterations do not depend on each other.

/// What is kept of an independent loop.
#[derive(Clone, Debug)]
pub struct Independent<S> {
    /// The state before it.
    pub state: S,
    /// The fingerprints of the lists that it has written.
    pub prints: Vec<u64>,
    /// What the state owns on the heap.
    pub heap_bytes: usize,
}

impl<S> Independent<S> {
    /// Checks that iterations that have run in the opposite order have left the same.
    ///
    /// # Panics
    /// If they have not: then one has read what another has written.
    #[track_caller]
    pub fn check(&self, name: &str, prints: &[u64]) {
        assert!(
            self.prints == prints,
            "the iterations of {name} are not independent: in the opposite order they leave something else"
        );
    }
}
