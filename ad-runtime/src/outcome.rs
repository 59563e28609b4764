//! What a function that may fail returns, taken apart by a caller that goes on.

use crate::Placeholder;

/// An `Option` or a `Result`.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` is neither an `Option` nor a `Result`",
    note = "what is matched with `Some`, `None`, `Ok` and `Err`, or unwrapped, must be one of the standard library's"
)]
pub trait Outcome {
    /// What it carries.
    type Payload;
    /// What there is instead.
    type Failure;
    /// One or the other.
    ///
    /// # Errors
    /// The failure, if there is no payload.
    fn outcome(self) -> Result<Self::Payload, Self::Failure>;
}

impl<T> Outcome for Option<T> {
    type Payload = T;
    type Failure = ();
    #[inline]
    fn outcome(self) -> Result<T, ()> {
        self.ok_or(())
    }
}

impl<T, E> Outcome for Result<T, E> {
    type Payload = T;
    type Failure = E;
    #[inline]
    fn outcome(self) -> Self {
        self
    }
}

/// What a function makes of an error.
#[inline]
pub fn mapped_error<E, F>(error: E, function: impl FnOnce(E) -> F) -> F {
    function(error)
}

/// The payload and the failure; without a payload there is a placeholder, which nobody reads.
#[inline]
pub fn caught<O: Outcome<Payload: Placeholder>>(outcome: O) -> (O::Payload, Option<O::Failure>) {
    match outcome.outcome() {
        Ok(payload) => (payload, None),
        Err(failure) => (O::Payload::placeholder(), Some(failure)),
    }
}
