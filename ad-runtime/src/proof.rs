//! What generated code proves to rustc because a macro cannot see types.

/// A floating-point type of the language. Sealed: scalar rules are applied to nothing else.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is differentiated as if it were a float",
    note = "the macro cannot see this type; operators of user types are not supported yet: compute with floats, or mark the expression `#[passive]`"
)]
pub trait Real: sealed::Sealed + Copy {}

impl Real for f64 {}
impl Real for f32 {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f64 {}
    impl Sealed for f32 {}
}

/// A value of a type the macro cannot see, proved to be a float.
#[inline(always)]
pub fn real<T: Real>(value: T) -> T {
    value
}

/// A value of some type, in code that is never run: only its type matters.
pub fn never<T>() -> T {
    unreachable!("this code only tells a type")
}

/// What stands, in a backward sweep, for an argument whose value it does not read. Which arguments
/// these are is up to the callee: `()` if it is so, and otherwise the caller does not compile.
pub trait Unread {
    /// The only value, if there is one.
    fn unread() -> Self;
}

impl Unread for () {
    #[inline(always)]
    fn unread() -> Self {}
}

impl<T: ?Sized> Unread for &T {
    fn unread() -> Self {
        unreachable!("the caller of this function does not compile")
    }
}

/// What stands for an argument that is not read.
#[inline(always)]
pub fn unread<T: Unread>() -> T {
    T::unread()
}

/// What generated code hands to a callee to get at its entries.
#[derive(Clone, Copy, Debug)]
pub struct Callee;

/// Implemented by nothing: [`fallback`] asks for it, where a callee has no entries.
#[diagnostic::on_unimplemented(
    message = "the function called here has no adjoint",
    label = "no adjoint",
    note = "annotate it with `#[adjoint]`, or mark the call `#[passive]` if its derivative does not matter"
)]
pub trait HasAdjoint {
    /// The entries.
    type Entries;
}

/// Glob-imported before `use path::function as __callee`: if that imports no entries, this is found.
pub mod fallback {
    /// Stands for the entries of a function that has none.
    pub mod __callee {
        /// Cannot be called: nothing implements the bound.
        pub const fn __entries<F: crate::HasAdjoint>(callee: F) -> F::Entries {
            core::mem::forget(callee);
            panic!("nothing has the bound of this function")
        }
    }
}
