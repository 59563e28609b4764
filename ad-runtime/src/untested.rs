//! Functions without derivatives whose results are only tested. A tangent calls them as they are; one that follows tests cannot be had.

use crate::{Callee, Directions};

/// Stands for the entries of a function that has none.
#[derive(Clone, Copy, Debug)]
pub struct Untested;

impl Untested {
    /// The value of the function, without a tangent.
    ///
    /// # Panics
    /// If tests are to be followed.
    pub fn __or_value<D: Directions, T>(
        self,
        _tangents: impl FnOnce(Self) -> (T, D),
        value: impl FnOnce() -> T,
    ) -> (T, D) {
        assert!(!D::FOLLOWS_TESTS, "{WITHOUT}");
        (value(), D::ZERO)
    }
}

const WITHOUT: &str = "there is no validity: what is tested comes from a function without derivatives, which are unknown then; annotate that with `#[adjoint]`";

/// Of the entries of other functions.
pub trait Tested: Sized {
    /// The value and the tangent of the function.
    #[inline(always)]
    fn __or_value<D: Directions, T>(
        self,
        tangents: impl FnOnce(Self) -> (T, D),
        _value: impl FnOnce() -> T,
    ) -> (T, D) {
        tangents(self)
    }
}

impl<E> Tested for E {}

/// Glob-imported before `use path::function as __callee`: if that imports no entries, this is found.
pub mod __callee {
    use super::{Callee, Untested};

    /// In the place of entries.
    pub const fn __entries(_: Callee) -> Untested {
        Untested
    }
}
