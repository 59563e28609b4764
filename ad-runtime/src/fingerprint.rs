//! Fingerprints of inputs: debug builds check that a backward sweep is given the inputs of its
//! forward sweep.

use crate::Stack;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A value with a fingerprint.
pub trait Fingerprint {
    /// Adds the value to a hash.
    fn add_to(&self, hasher: &mut DefaultHasher);
}

/// Debug builds: remembers what an input was.
pub fn push_fingerprint<T: Fingerprint + ?Sized>(stack: &mut Stack, value: &T) {
    if cfg!(debug_assertions) {
        stack.push(fingerprint(value));
    }
}

/// Debug builds: checks that an input is what it was.
///
/// # Panics
/// If it is not, naming it.
#[track_caller]
pub fn check_fingerprint<T: Fingerprint + ?Sized>(stack: &mut Stack, value: &T, name: &str) {
    if cfg!(debug_assertions) {
        let is_same = stack.pop::<u64>() == fingerprint(value);
        assert!(is_same, "`{name}` has changed between the forward and the backward sweep");
    }
}

/// The fingerprint of a value.
pub fn fingerprint<T: Fingerprint + ?Sized>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.add_to(&mut hasher);
    hasher.finish()
}

impl Fingerprint for f64 {
    fn add_to(&self, hasher: &mut DefaultHasher) {
        self.to_bits().hash(hasher);
    }
}

impl Fingerprint for f32 {
    fn add_to(&self, hasher: &mut DefaultHasher) {
        self.to_bits().hash(hasher);
    }
}

macro_rules! hashed {
    ($($ty:ty)*) => {$(
        impl Fingerprint for $ty {
            fn add_to(&self, hasher: &mut DefaultHasher) {
                self.hash(hasher);
            }
        }
    )*};
}

hashed! { usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 bool char str }

impl<T: Fingerprint> Fingerprint for [T] {
    fn add_to(&self, hasher: &mut DefaultHasher) {
        self.len().hash(hasher);
        for item in self {
            item.add_to(hasher);
        }
    }
}

impl<T: Fingerprint, const N: usize> Fingerprint for [T; N] {
    fn add_to(&self, hasher: &mut DefaultHasher) {
        self.as_slice().add_to(hasher);
    }
}

impl<T: Fingerprint> Fingerprint for Vec<T> {
    fn add_to(&self, hasher: &mut DefaultHasher) {
        self.as_slice().add_to(hasher);
    }
}

impl<T: Fingerprint + ?Sized> Fingerprint for Box<T> {
    fn add_to(&self, hasher: &mut DefaultHasher) {
        (**self).add_to(hasher);
    }
}

impl<T: Fingerprint + ?Sized> Fingerprint for &T {
    fn add_to(&self, hasher: &mut DefaultHasher) {
        (**self).add_to(hasher);
    }
}

macro_rules! tuples {
    ($(($($name:ident $position:tt)*))*) => {$(
        impl<$($name: Fingerprint),*> Fingerprint for ($($name,)*) {
            fn add_to(&self, hasher: &mut DefaultHasher) {
                $(self.$position.add_to(hasher);)*
                0_u8.hash(hasher);
            }
        }
    )*};
}

tuples! {
    () (A 0) (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3) (A 0 B 1 C 2 D 3 E 4) (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6) (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
}
