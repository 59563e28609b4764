//! Activity at the type level: what follows an argument in the uniform entry of a callee.
//!
//! The caller of a sweep passes a marker ([`On`], [`Off`]) after each argument of a forward sweep and a
//! slot (`&mut bar`, `()`) after each argument of a backward sweep. Both are types, so every call is
//! compiled for the activity of its arguments, and a passive argument costs nothing.

use crate::{FieldKind, Placeholder, Stack, Storable, Vector};
use std::marker::PhantomData;

/// A truth value as a type.
pub trait Marker: Copy {
    /// The truth value.
    const ON: bool;
    /// Whether one of the two holds.
    type Or<B: Marker>: Marker;
    /// Whether both hold.
    type And<B: Marker>: Marker;
    /// The only value of the type.
    const MARKER: Self;
}

/// Active, wanted.
#[derive(Clone, Copy, Debug)]
pub struct On;

/// Passive, not wanted.
#[derive(Clone, Copy, Debug)]
pub struct Off;

/// Whether one of two markers is on.
pub type Or<A, B> = <A as Marker>::Or<B>;

/// Whether two markers are on.
pub type And<A, B> = <A as Marker>::And<B>;

impl Marker for On {
    const ON: bool = true;
    type Or<B: Marker> = On;
    type And<B: Marker> = B;
    const MARKER: Self = On;
}

impl Marker for Off {
    const ON: bool = false;
    type Or<B: Marker> = B;
    type And<B: Marker> = Off;
    const MARKER: Self = Off;
}

/// The marker of an argument that must be passive.
#[diagnostic::on_unimplemented(
    message = "this argument carries a derivative, but the function called is not differentiated with respect to it",
    note = "add the parameter to `independents(…)` of the function called, or mark the call `#[passive]`"
)]
pub trait Passive {}

impl Passive for Off {}
impl Passive for () {}

/// The seed of a call whose result does not matter.
#[derive(Clone, Copy, Debug)]
pub struct Unweighted;

/// The seed of a backward sweep, of type `T`: `()` if the result is no dependent.
#[diagnostic::on_unimplemented(
    message = "a derivative passes through this result, but it is no dependent of the function called",
    note = "add `return` to `dependents(…)` of the function called, or mark the call `#[passive]`"
)]
pub trait Seed<T> {
    /// The weight of the result.
    fn weight(self) -> T;
}

impl<T> Seed<T> for T {
    #[inline]
    fn weight(self) -> T {
        self
    }
}

/// What a type has as its default may be something else than zero.
impl<T: Default + Vector> Seed<T> for Unweighted {
    #[inline]
    fn weight(self) -> T {
        let mut weight = T::default();
        weight.set_zero();
        weight
    }
}

/// The bar of an argument of a backward sweep: `&mut bar` if the argument is active, `()` otherwise.
#[diagnostic::on_unimplemented(
    message = "a bar of type `{T}` is expected here",
    note = "the types of bars follow from the types of the parameters"
)]
pub trait Slot<T: ?Sized> {
    /// Whether there is a bar.
    type Marker: Marker;
    /// The bar, if there is one.
    fn bar(&mut self) -> Option<&mut T>;
}

impl<T: ?Sized> Slot<T> for () {
    type Marker = Off;
    #[inline]
    fn bar(&mut self) -> Option<&mut T> {
        None
    }
}

impl<T: ?Sized> Slot<T> for &mut T {
    type Marker = On;
    #[inline]
    fn bar(&mut self) -> Option<&mut T> {
        Some(self)
    }
}

impl<T> Slot<[T]> for &mut Vec<T> {
    type Marker = On;
    #[inline]
    fn bar(&mut self) -> Option<&mut [T]> {
        Some(self)
    }
}

impl<T, const N: usize> Slot<[T]> for &mut [T; N] {
    type Marker = On;
    #[inline]
    fn bar(&mut self) -> Option<&mut [T]> {
        Some(self.as_mut_slice())
    }
}

/// A function that takes a reference takes one to what is in a `Box`, too.
impl<T: ?Sized> Slot<T> for &mut Box<T> {
    type Marker = On;
    #[inline]
    fn bar(&mut self) -> Option<&mut T> {
        Some(&mut **self)
    }
}

/// Bars in an array or in a part of a list, in the place of a bar that is an array, a slice or a `Vec`.
#[derive(Debug)]
pub struct Listed<'b, T> {
    bars: &'b mut [T],
    list: Vec<T>,
}

/// Bars of structs where the caller does not see whether a `Vec` of them is expected.
#[inline]
pub fn listed<T>(bars: &mut [T]) -> Listed<'_, T> {
    Listed { bars, list: Vec::new() }
}

impl<T> Drop for Listed<'_, T> {
    fn drop(&mut self) {
        for (bar, changed) in self.bars.iter_mut().zip(self.list.drain(..)) {
            *bar = changed;
        }
    }
}

impl<T, const N: usize> Slot<[T; N]> for Listed<'_, T> {
    type Marker = On;
    #[inline]
    fn bar(&mut self) -> Option<&mut [T; N]> {
        Some((&mut *self.bars).try_into().expect("as many bars as values"))
    }
}

impl<T> Slot<[T]> for Listed<'_, T> {
    type Marker = On;
    #[inline]
    fn bar(&mut self) -> Option<&mut [T]> {
        Some(self.bars)
    }
}

impl<T: Clone> Slot<Vec<T>> for Listed<'_, T> {
    type Marker = On;
    fn bar(&mut self) -> Option<&mut Vec<T>> {
        self.list = self.bars.to_vec();
        Some(&mut self.list)
    }
}

impl<T, B: ?Sized, M: Marker> Slot<B> for When<'_, Listed<'_, T>, M>
where
    for<'l> Listed<'l, T>: Slot<B>,
{
    type Marker = M;
    #[inline]
    fn bar(&mut self) -> Option<&mut B> {
        self.bar.as_deref_mut().and_then(|listed| listed.bar())
    }
}

/// What may follow an argument of a backward sweep, whatever bar is expected.
pub trait AnySlot {
    /// Whether there is a bar.
    type Marker: Marker;
}

impl AnySlot for () {
    type Marker = Off;
}

impl<T: ?Sized> AnySlot for &mut T {
    type Marker = On;
}

impl<T> AnySlot for Listed<'_, T> {
    type Marker = On;
}

impl<T: ?Sized, M: Marker> AnySlot for When<'_, T, M> {
    type Marker = M;
}

/// A bar that is there if the marker is on.
#[derive(Debug)]
pub struct When<'b, T: ?Sized, M> {
    bar: Option<&'b mut T>,
    #[allow(dead_code, reason = "the marker is looked at as a type")]
    marker: M,
}

/// The bar of an argument that is active in some instances of the caller only.
#[inline]
pub fn when<M: Marker, T: ?Sized>(bar: &mut T) -> When<'_, T, M> {
    when_there(Some(bar))
}

/// The same, of a bar that cannot be named if the marker is off: a list that is passive has no elements.
#[inline]
pub fn when_there<M: Marker, T: ?Sized>(bar: Option<&mut T>) -> When<'_, T, M> {
    When { bar: bar.filter(|_| M::ON), marker: M::MARKER }
}

/// The bar of an argument behind fields: where one of them has no bar, there is none.
#[inline]
pub fn when_field<'b, M: Marker, K: FieldKind, T: ?Sized>(
    _: impl FnOnce() -> K,
    bar: impl FnOnce() -> Option<&'b mut T>,
) -> When<'b, T, And<K::Marker, M>> {
    let is_on = And::<K::Marker, M>::ON;
    when_there(is_on.then(bar).flatten())
}

/// The marker of an argument behind fields.
#[inline]
pub fn field_marker<M: Marker, K: FieldKind>(_: impl FnOnce() -> K) -> And<K::Marker, M> {
    And::<K::Marker, M>::MARKER
}

impl<T: ?Sized, M: Marker> Slot<T> for When<'_, T, M> {
    type Marker = M;
    #[inline]
    fn bar(&mut self) -> Option<&mut T> {
        self.bar.as_deref_mut()
    }
}

impl<T, M: Marker> Slot<[T]> for When<'_, Vec<T>, M> {
    type Marker = M;
    #[inline]
    fn bar(&mut self) -> Option<&mut [T]> {
        self.bar.as_deref_mut().map(|bar| bar.as_mut_slice())
    }
}

impl<T: ?Sized, M: Marker> Slot<T> for When<'_, Box<T>, M> {
    type Marker = M;
    #[inline]
    fn bar(&mut self) -> Option<&mut T> {
        self.bar.as_deref_mut().map(|bar| &mut **bar)
    }
}

/// The bar of a struct has a copy of what a `#[passive]` field refers to, and no bar for it.
impl<T> Slot<[T]> for When<'_, &[T], Off> {
    type Marker = Off;
    #[inline]
    fn bar(&mut self) -> Option<&mut [T]> {
        None
    }
}

impl<T, M: Marker, const N: usize> Slot<[T]> for When<'_, [T; N], M> {
    type Marker = M;
    #[inline]
    fn bar(&mut self) -> Option<&mut [T]> {
        self.bar.as_deref_mut().map(|bar| bar.as_mut_slice())
    }
}

/// What a forward sweep hands to its backward sweep under a condition: nothing, and nothing is stored for
/// it, if the marker is off.
#[derive(Debug)]
pub struct Kept<M, T> {
    value: Option<T>,
    marker: PhantomData<M>,
}

impl<M: Marker, T> Kept<M, T> {
    /// A value, unless the marker is off.
    #[inline]
    pub fn new(value: T) -> Self {
        Self::made(|| value)
    }

    /// The same, of a value that takes something to make.
    #[inline]
    pub fn made(make: impl FnOnce() -> T) -> Self {
        Self { value: M::ON.then(make), marker: PhantomData }
    }

    /// Nothing, of a marker that is off.
    #[inline]
    pub fn absent() -> Self {
        debug_assert!(!M::ON, "a value is missing that is kept");
        Self { value: None, marker: PhantomData }
    }

    /// What is kept, if the marker is on.
    #[inline]
    pub fn present(self) -> Option<T> {
        self.value.filter(|_| M::ON)
    }
}

impl<M: Marker, T: Placeholder> Kept<M, T> {
    /// The value; if the marker is off, some value for a variable that is not read.
    #[inline]
    pub fn value(self) -> T {
        self.value.unwrap_or_else(T::placeholder)
    }
}

impl<M: Marker, T: Storable> Storable for Kept<M, T> {
    #[inline]
    #[track_caller]
    fn store(self, stack: &mut Stack) {
        if let (true, Some(value)) = (M::ON, self.value) {
            value.store(stack);
        }
    }
    #[inline]
    fn load(stack: &mut Stack) -> Self {
        Self::made(|| T::load(stack))
    }
    #[inline]
    fn heap_bytes(&self) -> usize {
        self.value.heap_bytes()
    }
    const WORDS: Option<usize> = if M::ON { T::WORDS } else { Some(0) };
    #[inline]
    fn to_words(&self, words: &mut [u64]) {
        if let (true, Some(value)) = (M::ON, &self.value) {
            value.to_words(words);
        }
    }
    #[inline]
    fn from_words(words: &[u64]) -> Self {
        Self::made(|| T::from_words(words))
    }
}

impl<M: Marker, T: Placeholder> Placeholder for Kept<M, T> {
    #[inline]
    fn placeholder() -> Self {
        Self::made(T::placeholder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill<S: Slot<[f64]>>(mut slot: S) -> bool {
        if let Some(bar) = slot.bar() {
            bar.fill(1.0);
        }
        S::Marker::ON
    }

    #[test]
    fn a_seed_that_is_not_there_is_zero_whatever_the_default_is() {
        struct One(f64);

        impl Default for One {
            fn default() -> Self {
                Self(1.0)
            }
        }

        impl Vector for One {
            fn set_zero(&mut self) {
                self.0 = 0.0;
            }
            fn accumulate(&mut self, _: &Self) {}
            fn inner(&self, _: &Self) -> f64 {
                0.0
            }
            fn write_flat(&self, _: &mut Vec<f64>) {}
            fn read_flat<'s>(&mut self, flat: &'s [f64]) -> &'s [f64] {
                flat
            }
        }

        let seed: One = Unweighted.weight();
        assert_eq!(seed.0, 0.0);
    }

    #[test]
    fn a_slot_is_a_bar_or_nothing() {
        let (mut vec, mut array) = (vec![0.0; 2], [0.0; 2]);
        assert!(fill(&mut vec));
        assert!(fill(&mut array[..1]));
        assert!(fill(when::<Or<Off, On>, _>(&mut array)));
        assert!(!fill(()));
        assert!(!fill(when::<And<Off, On>, _>(&mut vec)));
        assert_eq!((vec, array), (vec![1.0; 2], [1.0; 2]));
    }
}
