//! Loops whose iterations do not depend on each other.

use crate::{Stack, Storable};

/// What is kept of an independent loop.
#[derive(Clone, Debug)]
pub struct Independent<S> {
    /// The state before it.
    pub state: S,
    /// The fingerprints of the lists that it has written.
    pub prints: Vec<u64>,
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

impl<S: Send + 'static> Storable for Independent<S> {
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
