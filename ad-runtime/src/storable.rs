//! Values that can be pushed onto the stack.

use crate::Stack;
use crate::fixed_point::FixedPoint;
use crate::independent::Independent;
use crate::schedule::Run;
use crate::stack::heap_bytes_of_elements;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::marker::PhantomData;

/// A value that can be pushed onto a [`Stack`] and popped again.
///
/// Scalars take a word, truth values a bit, aggregates what their parts take; a `Vec` is moved.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot be stored for the backward sweep",
    note = "the backward sweep needs this value, and it is overwritten or dropped before: derive `Differentiable` for its type, with `#[passive]` on fields without derivatives, or compute it again where it is needed"
)]
pub trait Storable: Sized {
    /// Puts the value on the stack.
    #[track_caller]
    fn store(self, stack: &mut Stack);
    /// Takes the value off the stack.
    fn load(stack: &mut Stack) -> Self;
    /// How many bytes the value owns on the heap, so that a stack that holds it can tell how much memory it takes.
    ///
    /// Numbers, arrays, tuples, `Option`s, `Vec`s, `String`s and structs with `#[derive(Differentiable)]` know it; without an
    /// implementation it is 0. Of a `Vec` whose elements own memory in their turn only lists of numbers and texts are
    /// looked into, and of a `#[passive]` field of a struct nothing.
    #[inline]
    fn heap_bytes(&self) -> usize {
        0
    }

    /// What the type is called where a sweep pops something else than what was pushed.
    #[doc(hidden)]
    fn type_name() -> &'static str {
        std::any::type_name::<Self>()
    }

    /// How many words a value takes, if all values take as many and nothing else: such values are stored in one piece.
    ///
    /// Of an implementation by hand that may stay `None`; if it is not, [`store`](Self::store) has to put the words of
    /// [`to_words`](Self::to_words) on the stack, one after the other.
    const WORDS: Option<usize> = None;
    /// Writes the words that the value takes, which are [`WORDS`](Self::WORDS) many.
    fn to_words(&self, _words: &mut [u64]) {
        unreachable!("what takes a number of words that is not known is not stored in one piece")
    }
    /// The value that these words were made of.
    fn from_words(_words: &[u64]) -> Self {
        unreachable!("what takes a number of words that is not known is not stored in one piece")
    }
}

/// A type of which there is some value to begin with.
#[diagnostic::on_unimplemented(
    message = "there is no value of `{Self}` for a variable that gets its value later",
    note = "a type that derives `Differentiable` has one if its fields have; the type of a `#[passive]` field has one if it is `Default`"
)]
pub trait Placeholder: Sized {
    /// Some value, for a variable that is given its value later, or never.
    fn placeholder() -> Self;
}

/// How many words values take together, if all of them take words only.
pub const fn words_together(parts: &[Option<usize>]) -> Option<usize> {
    let (mut sum, mut rest) = (0, parts);
    while let [first, others @ ..] = rest {
        match first {
            Some(words) => sum += *words,
            None => return None,
        }
        rest = others;
    }
    Some(sum)
}

/// Writes the first words, and leaves those behind them.
#[inline(always)]
pub fn put_words<T: Storable>(value: &T, words: &mut &mut [u64]) {
    let (own, rest) = std::mem::take(words).split_at_mut(T::WORDS.unwrap_or(0));
    value.to_words(own);
    *words = rest;
}

/// The value of the first words; leaves those behind them.
#[inline(always)]
pub fn take_words<T: Storable>(words: &mut &[u64]) -> T {
    let (own, rest) = words.split_at(T::WORDS.unwrap_or(0));
    *words = rest;
    T::from_words(own)
}

macro_rules! words {
    ($($ty:ty: $value:ident => $to:expr, $word:ident => $from:expr;)*) => {$(
        impl Storable for $ty {
            #[inline]
            #[track_caller]
            fn store(self, stack: &mut Stack) {
                let $value = self;
                stack.push_word($to, stringify!($ty));
            }
            #[inline]
            #[track_caller]
            fn load(stack: &mut Stack) -> Self {
                let $word = stack.pop_word();
                $from
            }
            const WORDS: Option<usize> = Some(1);
            #[inline]
            fn to_words(&self, words: &mut [u64]) {
                let $value = *self;
                words[0] = $to;
            }
            #[inline]
            fn from_words(words: &[u64]) -> Self {
                let $word = words[0];
                $from
            }
        }

        impl Placeholder for $ty {
            #[inline]
            fn placeholder() -> Self {
                <$ty>::default()
            }
        }
    )*};
}

words! {
    f64: x => x.to_bits(), w => f64::from_bits(w);
    f32: x => u64::from(x.to_bits()), w => f32::from_bits(w as u32);
    u8: x => u64::from(x), w => w as u8;
    u16: x => u64::from(x), w => w as u16;
    u32: x => u64::from(x), w => w as u32;
    u64: x => x, w => w;
    usize: x => x as u64, w => w as usize;
    i8: x => x as u64, w => w as i8;
    i16: x => x as u64, w => w as i16;
    i32: x => x as u64, w => w as i32;
    i64: x => x as u64, w => w as i64;
    isize: x => x as u64, w => w as isize;
    char: x => u64::from(u32::from(x)), w => char::from_u32(w as u32).unwrap_or_default();
}

macro_rules! double_words {
    ($($ty:ty)*) => {$(
        impl Storable for $ty {
            #[track_caller]
            fn store(self, stack: &mut Stack) {
                stack.push_word(self as u64, stringify!($ty));
                stack.push_word((self >> 64) as u64, stringify!($ty));
            }
            fn load(stack: &mut Stack) -> Self {
                let high = stack.pop_word();
                let low = stack.pop_word();
                (high as $ty) << 64 | low as $ty
            }
            const WORDS: Option<usize> = Some(2);
            fn to_words(&self, words: &mut [u64]) {
                [words[0], words[1]] = [*self as u64, (*self >> 64) as u64];
            }
            fn from_words(words: &[u64]) -> Self {
                (words[1] as $ty) << 64 | words[0] as $ty
            }
        }

        impl Placeholder for $ty {
            fn placeholder() -> Self {
                0
            }
        }
    )*};
}

double_words! { u128 i128 }

impl Storable for bool {
    #[inline]
    #[track_caller]
    fn store(self, stack: &mut Stack) {
        stack.push_bit(self);
    }
    #[inline]
    fn load(stack: &mut Stack) -> Self {
        stack.pop_bit()
    }
}

impl Placeholder for bool {
    #[inline]
    fn placeholder() -> Self {
        false
    }
}

impl<T: Storable, const N: usize> Storable for [T; N] {
    #[inline]
    #[track_caller]
    fn store(self, stack: &mut Stack) {
        if Self::WORDS.is_some() {
            return stack.push_words_of(self, |items, stack| {
                items.into_iter().for_each(|item| item.store(stack));
            });
        }
        for item in self {
            item.store(stack);
        }
    }
    #[inline]
    fn load(stack: &mut Stack) -> Self {
        let by_items = |stack: &mut Stack| {
            let mut items = [const { None }; N];
            for item in items.iter_mut().rev() {
                *item = Some(T::load(stack));
            }
            items.map(|item| item.expect("every item has been loaded"))
        };
        match Self::WORDS {
            Some(_) => stack.pop_words_of(by_items),
            None => by_items(stack),
        }
    }
    #[inline]
    fn heap_bytes(&self) -> usize {
        self.iter().map(T::heap_bytes).sum()
    }
    const WORDS: Option<usize> = match T::WORDS {
        Some(words) => Some(N * words),
        None => None,
    };
    #[inline]
    fn to_words(&self, mut words: &mut [u64]) {
        self.iter().for_each(|item| put_words(item, &mut words));
    }
    #[inline]
    fn from_words(mut words: &[u64]) -> Self {
        std::array::from_fn(|_| take_words(&mut words))
    }
}

impl<T: Placeholder, const N: usize> Placeholder for [T; N] {
    #[inline]
    fn placeholder() -> Self {
        std::array::from_fn(|_| T::placeholder())
    }
}

/// Values that are moved to the stack in one piece: what they own on the heap, and what takes their places.
macro_rules! moved {
    ($([$($generics:tt)*] $ty:ty $(where [$($bounds:tt)*])?: $heap:expr $(, $placeholder:expr)?;)*) => {$(
        impl<$($generics)*> $crate::Storable for $ty
        $(where
            $($bounds)*)?
        {
            #[track_caller]
            fn store(self, stack: &mut $crate::Stack) {
                let heap_bytes = self.heap_bytes();
                stack.push_owned(self, heap_bytes);
            }
            #[track_caller]
            fn load(stack: &mut $crate::Stack) -> Self {
                let owned = stack.pop_owned().downcast();
                *owned.expect("what is popped is of the type that was pushed")
            }
            fn heap_bytes(&self) -> usize {
                let heap: fn(&$ty) -> usize = $heap;
                heap(self)
            }
        }

        $crate::storable::moved!(@placeholder [$($generics)*] $ty [$($($bounds)*)?] $($placeholder)?);
    )*};
    (@placeholder [$($generics:tt)*] $ty:ty [$($bounds:tt)*]) => {};
    (@placeholder [$($generics:tt)*] $ty:ty [$($bounds:tt)*] $placeholder:expr) => {
        impl<$($generics)*> $crate::Placeholder for $ty
        where
            $($bounds)*
        {
            fn placeholder() -> Self {
                $placeholder
            }
        }
    };
}
pub(crate) use moved;

moved! {
    [T: Send + 'static] VecDeque<T>:
        |queue| queue.capacity() * size_of::<T>(), VecDeque::new();
    [K: Send + 'static, V: Send + 'static, S: Default + Send + 'static] HashMap<K, V, S>:
        |map| map.capacity() * size_of::<(K, V)>(), Self::default();
    [K: Send + 'static, S: Default + Send + 'static] HashSet<K, S>:
        |set| set.capacity() * size_of::<K>(), Self::default();
    [K: Send + 'static, V: Send + 'static] BTreeMap<K, V>:
        |map| map.len() * size_of::<(K, V)>(), BTreeMap::new();
    [K: Send + 'static] BTreeSet<K>: |set| set.len() * size_of::<K>(), BTreeSet::new();
    [] &'static str: |_| 0, "";
    [T: Send + 'static] Vec<T>:
        |list| list.capacity() * size_of::<T>() + heap_bytes_of_elements(list), Vec::new();
    [T: Send + 'static] Box<[T]>:
        |list| size_of_val(&**list) + heap_bytes_of_elements(list), Box::default();
    [] String: String::capacity, String::new();
    [S: Send + 'static] FixedPoint<S>: |run| run.heap_bytes;
    [S: Send + 'static] Independent<S>: |run| run.heap_bytes + run.prints.heap_bytes();
    // These count their snapshots as they come and go.
    [A: Send + 'static, S: Send + 'static, M: Send + 'static] Run<A, S, M>:
        |_| 0;
}

impl<T: ?Sized> Storable for PhantomData<T> {
    fn store(self, _: &mut Stack) {}
    fn load(_: &mut Stack) -> Self {
        PhantomData
    }
    const WORDS: Option<usize> = Some(0);
    fn to_words(&self, _: &mut [u64]) {}
    fn from_words(_: &[u64]) -> Self {
        PhantomData
    }
}

impl<T: ?Sized> Placeholder for PhantomData<T> {
    fn placeholder() -> Self {
        PhantomData
    }
}

impl<T: Storable> Storable for Box<T> {
    #[track_caller]
    fn store(self, stack: &mut Stack) {
        (*self).store(stack);
    }
    fn load(stack: &mut Stack) -> Self {
        Self::new(T::load(stack))
    }
    fn heap_bytes(&self) -> usize {
        size_of::<T>() + (**self).heap_bytes()
    }
}

impl<T: Placeholder> Placeholder for Box<T> {
    fn placeholder() -> Self {
        Self::new(T::placeholder())
    }
}

impl<T: Storable> Storable for Option<T> {
    #[inline]
    #[track_caller]
    fn store(self, stack: &mut Stack) {
        let is_some = self.is_some();
        if let Some(value) = self {
            value.store(stack);
        }
        stack.push_bit(is_some);
    }
    #[inline]
    fn load(stack: &mut Stack) -> Self {
        stack.pop_bit().then(|| T::load(stack))
    }
    #[inline]
    fn heap_bytes(&self) -> usize {
        self.as_ref().map_or(0, T::heap_bytes)
    }
}

impl<T> Placeholder for Option<T> {
    #[inline]
    fn placeholder() -> Self {
        None
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {$(
        impl<$($name: Storable),*> Storable for ($($name,)*) {
            #[inline]
            #[allow(non_snake_case, unused_variables, clippy::unused_unit, reason = "one body for all lengths")]
            #[track_caller]
            fn store(self, stack: &mut Stack) {
                if Self::WORDS.is_some() {
                    return stack.push_words_of(self, |parts, stack| {
                        let ($($name,)*) = parts;
                        $($name.store(stack);)*
                    });
                }
                let ($($name,)*) = self;
                $($name.store(stack);)*
            }
            #[inline]
            #[allow(non_snake_case, unused_variables, clippy::unused_unit, reason = "one body for all lengths")]
            fn load(stack: &mut Stack) -> Self {
                let by_parts = |stack: &mut Stack| {
                    tuples!(@load stack $($name)*);
                    ($($name,)*)
                };
                match Self::WORDS {
                    Some(_) => stack.pop_words_of(by_parts),
                    None => by_parts(stack),
                }
            }
            #[inline]
            #[allow(non_snake_case, reason = "one body for all lengths")]
            fn heap_bytes(&self) -> usize {
                let ($($name,)*) = self;
                0 $(+ $name.heap_bytes())*
            }
            const WORDS: Option<usize> = words_together(&[$($name::WORDS),*]);
            #[inline]
            #[allow(non_snake_case, unused_mut, unused_variables, reason = "one body for all lengths")]
            fn to_words(&self, mut words: &mut [u64]) {
                let ($($name,)*) = self;
                $(put_words($name, &mut words);)*
            }
            #[inline]
            #[allow(unused_mut, unused_variables, clippy::unused_unit, reason = "one body for all lengths")]
            fn from_words(mut words: &[u64]) -> Self {
                ($(take_words::<$name>(&mut words),)*)
            }
        }

        impl<$($name: Placeholder),*> Placeholder for ($($name,)*) {
            #[inline]
            #[allow(clippy::unused_unit, reason = "one body for all lengths")]
            fn placeholder() -> Self {
                ($($name::placeholder(),)*)
            }
        }
    )*};
    // The last part first.
    (@load $stack:ident) => {};
    (@load $stack:ident $first:ident $($rest:ident)*) => {
        tuples!(@load $stack $($rest)*);
        let $first = $first::load($stack);
    };
}

tuples! {
    ()
    (A)
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E F)
    (A B C D E F G)
    (A B C D E F G H)
    (A B C D E F G H I)
    (A B C D E F G H I J)
    (A B C D E F G H I J K)
    (A B C D E F G H I J K L)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_in_the_opposite_order() {
        let mut stack = Stack::new();
        for round in 0..2000_i32 {
            stack.push(f64::from(round));
            stack.push(round % 3 == 0);
            stack.push((round, [round as f32, 0.5], -7_i8));
            stack.push(vec![round; 2]);
            stack.push(Some(i128::from(round) << 70));
            stack.push_slice(&[1.0, f64::from(round)]);
        }
        for round in (0..2000_i32).rev() {
            let mut slice = [0.0; 2];
            stack.pop_slice(&mut slice);
            assert_eq!(slice, [1.0, f64::from(round)]);
            assert_eq!(stack.pop::<Option<i128>>(), Some(i128::from(round) << 70));
            assert_eq!(stack.pop::<Vec<i32>>(), vec![round; 2]);
            assert_eq!(stack.pop::<(i32, [f32; 2], i8)>(), (round, [round as f32, 0.5], -7));
            assert_eq!(stack.pop::<bool>(), round % 3 == 0);
            assert_eq!(stack.pop::<f64>(), f64::from(round));
        }
        assert!(stack.is_empty());
    }

    #[test]
    fn what_takes_words_only_comes_back_across_blocks_and_from_stacks_that_record() {
        type Piece = ([f64; 3], (u8, i128), [(); 2], f32);
        assert_eq!(Piece::WORDS, Some(7));
        assert_eq!(<(f64, bool)>::WORDS, None);
        let piece = |k: f64| -> Piece { ([k, 0.5, -k], (7, -3 << 80), [(); 2], 0.25) };
        for mut stack in [Stack::new(), Stack::recording(), Stack::with_limit(1 << 20)] {
            for round in 0..1000_u16 {
                stack.push(piece(f64::from(round)));
                stack.push_slice(&[[1.0, f64::from(round)]; 5][..usize::from(round % 6)]);
                stack.push(round);
            }
            for round in (0..1000_u16).rev() {
                assert_eq!(stack.pop::<u16>(), round);
                let mut list = vec![[0.0; 2]; usize::from(round % 6)];
                stack.pop_slice(&mut list);
                assert!(list.iter().all(|item| *item == [1.0, f64::from(round)]));
                assert_eq!(stack.pop::<Piece>(), piece(f64::from(round)));
            }
            assert!(stack.is_empty());
        }
    }

    #[test]
    fn all_pushes_are_recorded_also_those_that_follow_pops() {
        let mut stack = Stack::recording();
        for round in 0..3 {
            stack.push([f64::from(round), 1.0]);
            stack.push(true);
            assert!(stack.pop::<bool>());
            assert_eq!(stack.pop::<[f64; 2]>(), [f64::from(round), 1.0]);
        }
        let pushed = stack.report().pushed.expect("the stack records");
        assert_eq!((pushed.values, pushed.bytes), (9, 48));
    }

    #[test]
    fn rewinding_drops_what_was_pushed_since() {
        let mut stack = Stack::new();
        stack.push(1.0);
        let mark = stack.mark();
        for value in 0..10_000 {
            stack.push(value);
            stack.push(value % 2 == 0);
        }
        stack.push(vec![1]);
        stack.rewind(mark);
        assert_eq!(stack.mark(), mark);
        assert_eq!(stack.pop::<f64>(), 1.0);
    }

    #[test]
    #[should_panic(expected = "the stack is empty")]
    fn an_empty_stack_has_nothing_to_pop() {
        Stack::new().pop::<f64>();
    }

    #[test]
    #[should_panic(expected = "limit of 4096 bytes")]
    fn a_limit_is_kept() {
        let mut stack = Stack::with_limit(4096);
        for value in 0..10_000 {
            stack.push(value);
        }
    }
}
