//! Getters: methods of users that return a reference to a part of their receiver.

use crate::{List, Number, Placeholder, Stack, Storable};
use std::fmt;
use std::marker::PhantomData;

/// Where a getter finds what it returns a reference to: `value[at]` is that place, of the value, and of its bar, and of its direction.
///
/// `KEY` is a number made of the name of the getter, `N` is how many numbers tell where the place is (indices on the way to it,
/// bounds of ranges, and which of several ways it is), and `T` is what is found there.
pub struct At<const KEY: u128, const N: usize, T: ?Sized> {
    /// The numbers.
    pub numbers: [usize; N],
    found: PhantomData<fn() -> *const T>,
}

impl<const KEY: u128, const N: usize, T: ?Sized> At<KEY, N, T> {
    /// The place that these numbers tell.
    #[inline(always)]
    pub const fn new(numbers: [usize; N]) -> Self {
        Self { numbers, found: PhantomData }
    }
}

impl<const KEY: u128, const N: usize, T: ?Sized> Clone for At<KEY, N, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<const KEY: u128, const N: usize, T: ?Sized> Copy for At<KEY, N, T> {}

impl<const KEY: u128, const N: usize, T: ?Sized> fmt::Debug for At<KEY, N, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("At").field(&self.numbers).finish()
    }
}

impl<const KEY: u128, const N: usize, T: ?Sized> Storable for At<KEY, N, T> {
    #[inline]
    #[track_caller]
    fn store(self, stack: &mut Stack) {
        self.numbers.store(stack);
    }

    #[inline]
    fn load(stack: &mut Stack) -> Self {
        Self::new(Storable::load(stack))
    }

    const WORDS: Option<usize> = <[usize; N]>::WORDS;

    #[inline]
    fn to_words(&self, words: &mut [u64]) {
        self.numbers.to_words(words);
    }

    #[inline]
    fn from_words(words: &[u64]) -> Self {
        Self::new(Storable::from_words(words))
    }
}

impl<const KEY: u128, const N: usize, T: ?Sized> Placeholder for At<KEY, N, T> {
    #[inline]
    fn placeholder() -> Self {
        Self::new([0; N])
    }
}

/// An operand in a getter.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` is an operand in a getter, as if it were a number",
    note = "a getter of which places are found again calls no operators of other types: return the value, or leave the getter out with \
            `#[adjoint(skip)]`"
)]
pub trait NumberInGetter {}

#[diagnostic::do_not_recommend]
impl<T: Number> NumberInGetter for T {}

/// The operand, which is a number.
#[inline(always)]
pub const fn number_in_getter<T: NumberInGetter>(operand: T) -> T {
    operand
}

/// What is indexed, which is a list of the standard library.
#[inline(always)]
pub const fn list_in_getter<L: List + ?Sized>(list: &L) -> &L {
    list
}

/// What is at the end of the way of a getter that refers to a `T`.
#[diagnostic::on_unimplemented(
    message = "a getter leads to a `{T}` by way of a `Deref` of `{Self}`",
    note = "what that leads to in the bar only `{Self}` knows: write out the fields on the way, return the value, or leave the getter out with \
            `#[adjoint(skip)]`"
)]
pub trait LeadsTo<T: ?Sized> {}

impl<T: ?Sized> LeadsTo<T> for T {}
impl<T> LeadsTo<[T]> for Vec<T> {}
impl<T, const N: usize> LeadsTo<[T]> for [T; N] {}
impl<T: ?Sized> LeadsTo<T> for Box<T> {}

/// Proves that the reference that a getter returns is one to what it leads to, or to all that is in it.
#[inline(always)]
pub const fn leads_to<T: ?Sized, P: LeadsTo<T> + ?Sized>(_: &P) {}

/// A number on the way to the place.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` on the way to what a getter returns a reference to is not supported",
    note = "the way goes by fields, and by elements and ranges of lists, which numbers of the type `usize` tell"
)]
pub trait NumberOfPlace {
    /// The number.
    fn number(self) -> usize;
}

impl NumberOfPlace for usize {
    #[inline(always)]
    fn number(self) -> usize {
        self
    }
}

/// A field on the way to what a getter refers to.
#[diagnostic::on_unimplemented(
    message = "a getter leads through a field that is marked `#[passive]`, which has no bar",
    note = "take the mark off the field, return the value, or leave the getter out with `#[adjoint(skip)]`"
)]
pub trait LeadsToBar {}

impl LeadsToBar for crate::ActiveField {}

/// Proves that a field has a bar.
#[inline(always)]
pub const fn leads_to_bar<F: LeadsToBar + Copy>(_: F) {}

/// A number on the way to the place.
#[inline(always)]
pub fn number_of_place(number: impl NumberOfPlace) -> usize {
    number.number()
}

/// As many numbers as any way of the getter has.
#[inline(always)]
pub const fn numbers_of_place<const GIVEN: usize, const N: usize>(
    given: [usize; GIVEN],
) -> [usize; N] {
    let (mut numbers, mut position) = ([0; N], 0);
    while position < GIVEN {
        numbers[position] = given[position];
        position += 1;
    }
    numbers
}

/// The place, if what is found there has the type that the caller of the getter takes it for.
#[inline(always)]
pub const fn found<T: ?Sized, const KEY: u128, const N: usize>(at: At<KEY, N, T>) -> At<KEY, N, T> {
    at
}

/// The same of a getter that returns a reference in an `Option`.
#[inline(always)]
pub const fn found_if_any<T: ?Sized, const KEY: u128, const N: usize>(
    at: Option<At<KEY, N, T>>,
) -> Option<At<KEY, N, T>> {
    at
}

/// The place, if there is one: otherwise nothing is looked for there.
#[inline(always)]
pub fn place_if_any<T: ?Sized, const KEY: u128, const N: usize>(
    at: Option<At<KEY, N, T>>,
) -> At<KEY, N, T> {
    at.unwrap_or(At::new([0; N]))
}

#[cfg(test)]
mod tests {
    use super::At;
    use crate::{Stack, Storable};

    #[test]
    fn places_are_stored_as_their_numbers() {
        let mut stack = Stack::new();
        let (row, whole) = (At::<1, 2, [f64]>::new([3, 7]), At::<2, 0, f64>::new([]));
        row.store(&mut stack);
        whole.store(&mut stack);
        assert_eq!(At::<2, 0, f64>::load(&mut stack).numbers, []);
        assert_eq!(At::<1, 2, [f64]>::load(&mut stack).numbers, [3, 7]);
        assert!(stack.is_empty());
        assert_eq!(format!("{row:?}"), "At([3, 7])");
    }
}
