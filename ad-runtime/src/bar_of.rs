//! Proves that there is no derivative with respect to values of a type.

use crate::Differentiable;
use std::marker::PhantomData;

/// Whether a type has bars.
#[derive(Debug)]
pub struct BarOf<T>(PhantomData<T>);

/// The answer for types that have none: where there are bars, the constant of [`BarOf`] itself is found before it.
pub trait NoBar {
    /// Whether there are bars.
    const EXISTS: bool = false;
}

impl<T> NoBar for BarOf<T> {}

impl<T: Differentiable> BarOf<T> {
    /// Whether there are bars.
    pub const EXISTS: bool = true;
}

/// Proves that a type without floats has no bar, which may be written by hand.
///
/// ```
/// use ad_runtime::{BarOf, NoBar as _, no_bar};
/// struct Kind;
/// const _: () = no_bar(BarOf::<Kind>::EXISTS);
/// ```
/// ```compile_fail,E0080
/// use ad_runtime::{BarOf, NoBar as _, no_bar};
/// const _: () = no_bar(BarOf::<f64>::EXISTS);
/// ```
///
/// # Panics
/// If it has.
pub const fn no_bar(exists: bool) {
    assert!(
        !exists,
        "a type without floats implements `Differentiable` where the macro does not see it: write the `impl` in the module of the type"
    );
}
