//! Payloads of enums.

use crate::differentiable::{Vector, is_zero};
use crate::direct::Has;
use std::ops::{Index, IndexMut};

/// A payload of an enum, by a number made of its name and that of its variant: `value[Payload::<N>]` is a place, with which enums that
/// derive `Differentiable` answer for values of that variant. Others tell by it whether a value is of a variant.
#[derive(Clone, Copy, Debug)]
pub struct Payload<const FIELD: u128>;

/// Two values of an enum meet that are of different variants, a value and its bar or its direction, or two bars: the bar of a value is of the
/// variant of the value.
#[cold]
#[track_caller]
pub fn variants_differ() -> ! {
    panic!(
        "a value of an enum and its derivative are of one variant, and these are of different ones"
    )
}

/// A bar is added to one of another variant. Where a value was replaced by one of another variant the bar of that has been used up, and is zero.
///
/// # Panics
/// If the bar is not zero.
#[cold]
#[track_caller]
pub fn adds_nothing<T: Vector>(bar: &T) {
    if !is_zero(bar) {
        variants_differ();
    }
}

/// The number of a name, as the macro makes it: a hash of 128 bits (FNV-1a).
const fn number_of(name: &str) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let name = name.as_bytes();
    let (mut hash, mut position) = (BASIS, 0);
    while position < name.len() {
        hash = (hash ^ name[position] as u128).wrapping_mul(PRIME);
        position += 1;
    }
    hash
}

/// What is in an `Option`.
const SOME: u128 = number_of("Some::0");

/// Whether there is something in an `Option`.
const IS_SOME: u128 = number_of("Some::?");

impl<T> Has<SOME> for Option<T> {}
impl<T> Has<IS_SOME> for Option<T> {}

/// `Option`s that are kept whole answer as enums that derive `Differentiable` do.
impl<T> Index<Payload<SOME>> for Option<T> {
    type Output = T;
    #[inline]
    #[track_caller]
    fn index(&self, _: Payload<SOME>) -> &T {
        match self {
            Some(payload) => payload,
            None => variants_differ(),
        }
    }
}

impl<T> IndexMut<Payload<SOME>> for Option<T> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, _: Payload<SOME>) -> &mut T {
        match self {
            Some(payload) => payload,
            None => variants_differ(),
        }
    }
}

impl<T> Index<Payload<IS_SOME>> for Option<T> {
    type Output = bool;
    #[inline]
    fn index(&self, _: Payload<IS_SOME>) -> &bool {
        match self {
            Some(_) => &true,
            None => &false,
        }
    }
}
