//! Functions without derivatives whose results are only tested. A tangent calls them as they are; one that follows tests cannot be had.

use crate::{Callee, Directions};

/// Stands for the entries of a function that has none.
#[derive(Clone, Copy, Debug)]
pub struct Untested;

/// Of the entries of other functions: the tangent.
pub trait Tested: Sized {
    /// What the tangent returns.
    #[inline(always)]
    fn __or<R, U>(self, tangents: impl FnOnce(Self) -> R, _: impl FnOnce() -> U) -> R {
        tangents(self)
    }
}

impl<E> Tested for E {}

impl Untested {
    /// What the function itself returns, with what stands for its tangent. It is found before that of [`Tested`].
    #[inline(always)]
    pub fn __or<R, U>(self, _: impl FnOnce(Self) -> R, untested: impl FnOnce() -> U) -> U {
        untested()
    }
}

/// The tangent of a number that is only tested.
///
/// # Panics
/// If tests are to be followed.
#[inline(always)]
pub fn zero<D: Directions>() -> D {
    assert!(
        !D::FOLLOWS_TESTS,
        "there is no validity: what is tested comes from a function without derivatives, which are unknown then; annotate that with `#[adjoint]`"
    );
    D::ZERO
}

/// Glob-imported before `use path::function as __callee`: if that imports no entries, this is found.
pub mod __callee {
    use super::{Callee, Untested};

    /// In the place of entries.
    pub const fn __entries(_: Callee) -> Untested {
        Untested
    }
}
