//! Functions without derivatives whose results are only tested. A tangent calls them as they are; one that follows tests cannot be had.

use crate::{Callee, Directions};

/// Stands for the entries of a function that has none.
#[derive(Clone, Copy, Debug)]
pub struct Untested;

const WITHOUT: &str = "there is no validity: what is tested comes from a function without derivatives, which are unknown then; annotate that with `#[adjoint]`";

/// Of the entries of other functions: the tangent, whatever it returns.
pub trait Tested: Sized {
    /// Of a function that returns a number.
    #[inline(always)]
    fn __or_value<R, V>(self, tangents: impl FnOnce(Self) -> R, _: impl FnOnce() -> V) -> R {
        tangents(self)
    }

    /// Of one that may return a number, or `None`.
    #[inline(always)]
    fn __or_some_value<R, V>(self, tangents: impl FnOnce(Self) -> R, _: impl FnOnce() -> V) -> R {
        tangents(self)
    }

    /// Of one that may return a number, or an error.
    #[inline(always)]
    fn __or_ok_value<R, V>(self, tangents: impl FnOnce(Self) -> R, _: impl FnOnce() -> V) -> R {
        tangents(self)
    }

    /// Of one whose result is not used.
    #[inline(always)]
    fn __or_nothing<R, V>(self, tangents: impl FnOnce(Self) -> R, _: impl FnOnce() -> V) -> R {
        tangents(self)
    }

    /// Of one of which nothing but whether it returns `None` is used.
    #[inline(always)]
    fn __or_some<R, V>(self, tangents: impl FnOnce(Self) -> R, _: impl FnOnce() -> V) -> R {
        tangents(self)
    }

    /// Of one of which nothing but whether it returns an error is used.
    #[inline(always)]
    fn __or_ok<R, V>(self, tangents: impl FnOnce(Self) -> R, _: impl FnOnce() -> V) -> R {
        tangents(self)
    }
}

impl<E> Tested for E {}

/// The function itself, and a tangent that leads nowhere. These are found before those of [`Tested`].
///
/// # Panics
/// If tests are to be followed.
impl Untested {
    fn zero<D: Directions>() -> D {
        assert!(!D::FOLLOWS_TESTS, "{WITHOUT}");
        D::ZERO
    }

    /// A number.
    pub fn __or_value<D: Directions, T>(
        self,
        _: impl FnOnce(Self) -> Self,
        value: impl FnOnce() -> T,
    ) -> (T, D) {
        (value(), Self::zero())
    }

    /// A number, or `None`.
    pub fn __or_some_value<D: Directions, T>(
        self,
        _: impl FnOnce(Self) -> Self,
        value: impl FnOnce() -> Option<T>,
    ) -> Option<(T, D)> {
        value().map(|value| (value, Self::zero()))
    }

    /// A number, or an error.
    pub fn __or_ok_value<D: Directions, T, E>(
        self,
        _: impl FnOnce(Self) -> Self,
        value: impl FnOnce() -> Result<T, E>,
    ) -> Result<(T, D), E> {
        value().map(|value| (value, Self::zero()))
    }

    /// Nothing.
    pub fn __or_nothing<T>(
        self,
        _: impl FnOnce(Self) -> Self,
        value: impl FnOnce() -> T,
    ) -> ((), ()) {
        value();
        ((), ())
    }

    /// Whether it is `None`.
    pub fn __or_some<T>(
        self,
        _: impl FnOnce(Self) -> Self,
        value: impl FnOnce() -> Option<T>,
    ) -> Option<((), ())> {
        value().map(|_| ((), ()))
    }

    /// Whether it is an error.
    pub fn __or_ok<T, E>(
        self,
        _: impl FnOnce(Self) -> Self,
        value: impl FnOnce() -> Result<T, E>,
    ) -> Result<((), ()), E> {
        value().map(|_| ((), ()))
    }
}

/// Glob-imported before `use path::function as __callee`: if that imports no entries, this is found.
pub mod __callee {
    use super::{Callee, Untested};

    /// In the place of entries.
    pub const fn __entries(_: Callee) -> Untested {
        Untested
    }
}
