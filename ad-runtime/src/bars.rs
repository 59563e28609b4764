//! What backward sweeps for several seeds at once calculate with.

use crate::{Directions, Seed, Vector};

/// The bars of a number for several seeds: what stands for the bars of floats where one run of both sweeps serves them all.
///
/// For `[f64; N]` these are `N` bars, each bit for bit what an adjoint with that seed alone adds, of functions of `f64`.
pub trait Bars: Directions + Vector + ZeroSeed {}

impl<const N: usize> Bars for [f64; N] {}

/// What has a value that stands for a seed that is not there.
pub trait ZeroSeed {
    /// The value. A list has no elements: nothing is read of it.
    fn zero_seed() -> Self;
}

macro_rules! numbers {
    ($($ty:ty)*) => {$(
        impl ZeroSeed for $ty {
            #[inline]
            fn zero_seed() -> $ty {
                <$ty>::default()
            }
        }
    )*};
}

numbers! { f64 f32 usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 bool char }

impl<T: ZeroSeed, const N: usize> ZeroSeed for [T; N] {
    #[inline]
    fn zero_seed() -> Self {
        std::array::from_fn(|_| T::zero_seed())
    }
}

impl<T> ZeroSeed for Vec<T> {
    #[inline]
    fn zero_seed() -> Self {
        Vec::new()
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {$(
        impl<$($name: ZeroSeed),*> ZeroSeed for ($($name,)*) {
            #[inline]
            #[allow(clippy::unused_unit, reason = "the unit has no parts")]
            fn zero_seed() -> Self {
                ($($name::zero_seed(),)*)
            }
        }
    )*};
}

tuples! { () (A) (A B) (A B C) (A B C E) (A B C E F) (A B C E F G) (A B C E F G H) (A B C E F G H I) }

/// The seeds of a call whose result does not matter.
#[derive(Clone, Copy, Debug)]
pub struct UnweightedSeeds;

impl<T: ZeroSeed> Seed<T> for UnweightedSeeds {
    #[inline]
    fn weight(self) -> T {
        T::zero_seed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_that_is_not_there_is_zero() {
        let seed: ([[f64; 2]; 3], Vec<[f64; 2]>, usize) = UnweightedSeeds.weight();
        assert_eq!(seed, ([[0.0; 2]; 3], Vec::new(), 0));
    }
}
