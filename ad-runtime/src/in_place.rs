//! What stands in the place of derivatives that a function does not have, because it takes functions.

use crate::unannotated::__callee::AnyFunction;

/// A function that takes functions has no derivatives of its own: those of what it is given are not known. Functions that call it
/// with functions that are known have them.
#[derive(Clone, Copy, Debug)]
pub struct DerivativesOfItsCallersOnly;

/// Asks for the entries of a function in whose call no derivative passes through: it is called as it is.
#[derive(Clone, Copy, Debug)]
pub struct CalledAsItIs;

/// Who may ask a function that takes functions for entries.
#[diagnostic::on_unimplemented(
    message = "the function called here takes functions, and the macro does not see its body from here",
    label = "not lowered in place",
    note = "call it in the crate in which it is annotated, and not from code that a macro has written or that says `no(context)`; \
            or mark the call `#[passive]` if its derivative does not matter"
)]
pub trait AsksInPlace {
    /// The entries.
    type Entries;
    /// They are all alike.
    const ENTRIES: Self::Entries;
}

impl AsksInPlace for CalledAsItIs {
    type Entries = AnyFunction;
    const ENTRIES: AnyFunction = AnyFunction;
}
