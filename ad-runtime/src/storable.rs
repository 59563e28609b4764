//! Values that can be pushed onto the stack.

use crate::Stack;
use crate::fixed_point::FixedPoint;
use crate::independent::Independent;
use crate::schedule::Run;
use crate::stack::heap_bytes_of_elements;
use std::marker::PhantomData;

/// A value that can be pushed onto a [`Stack`] and popped again.
///
/// Scalars take a word, truth values a bit, aggregates what their parts take; a `Vec` is moved.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot be stored for the backward sweep",
    note = "the backward sweep needs this value, and it is overwritten or dropped before: keep it in a variable of its own, or compute it again where it is needed"
)]
pub trait Storable: Sized {
    /// Puts the value on the stack.
    #[track_caller]
    fn store(self, stack: &mut Stack);
    /// Takes the value off the stack.
    fn load(stack: &mut Stack) -> Self;
    /// Some value, for a variable that is given its value later, or never.
    fn placeholder() -> Self;
    /// How many bytes the value owns on the heap, so that a stack that holds it can tell how much memory it takes.
    ///
    /// Numbers, arrays, tuples, `Option`s, `Vec`s, `String`s and structs with `#[derive(Differentiable)]` know it; without an
    /// implementation it is 0. Of a `Vec` whose elements own memory in their turn only lists of numbers and texts are
    /// looked into, and of a `#[passive]` field of a struct nothing.
    #[inline]
    fn heap_bytes(&self) -> usize {
        0
    }
}

macro_rules! words {
    ($($ty:ty: $to:expr, $from:expr;)*) => {$(
        impl Storable for $ty {
            #[inline]
            #[track_caller]
            fn store(self, stack: &mut Stack) {
                let to: fn($ty) -> u64 = $to;
                stack.push_word(to(self), stringify!($ty));
            }
            #[inline]
            #[track_caller]
            fn load(stack: &mut Stack) -> Self {
                let from: fn(u64) -> $ty = $from;
                from(stack.pop_word())
            }
            #[inline]
            fn placeholder() -> Self {
                <$ty>::default()
            }
        }
    )*};
}

words! {
    f64: f64::to_bits, f64::from_bits;
    f32: |x| u64::from(x.to_bits()), |w| f32::from_bits(w as u32);
    u8: u64::from, |w| w as u8;
    u16: u64::from, |w| w as u16;
    u32: u64::from, |w| w as u32;
    u64: |x| x, |w| w;
    usize: |x| x as u64, |w| w as usize;
    i8: |x| x as u64, |w| w as i8;
    i16: |x| x as u64, |w| w as i16;
    i32: |x| x as u64, |w| w as i32;
    i64: |x| x as u64, |w| w as i64;
    isize: |x| x as u64, |w| w as isize;
    char: |x| u64::from(u32::from(x)), |w| char::from_u32(w as u32).unwrap_or_default();
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
    #[inline]
    fn placeholder() -> Self {
        false
    }
}

impl<T: Storable, const N: usize> Storable for [T; N] {
    #[inline]
    #[track_caller]
    fn store(self, stack: &mut Stack) {
        for item in self {
            item.store(stack);
        }
    }
    #[inline]
    fn load(stack: &mut Stack) -> Self {
        let mut items = [const { None }; N];
        for item in items.iter_mut().rev() {
            *item = Some(T::load(stack));
        }
        items.map(|item| item.expect("every item has been loaded"))
    }
    #[inline]
    fn placeholder() -> Self {
        std::array::from_fn(|_| T::placeholder())
    }
    #[inline]
    fn heap_bytes(&self) -> usize {
        self.iter().map(T::heap_bytes).sum()
    }
}

/// Values that are moved to the stack in one piece: what they own on the heap, and what takes their places.
macro_rules! moved {
    ($([$($generics:tt)*] $ty:ty: $heap:expr, $placeholder:expr;)*) => {$(
        impl<$($generics)*> Storable for $ty {
            #[track_caller]
            fn store(self, stack: &mut Stack) {
                let heap_bytes = self.heap_bytes();
                stack.push_owned(self, heap_bytes);
            }
            #[track_caller]
            fn load(stack: &mut Stack) -> Self {
                let owned = stack.pop_owned().downcast();
                *owned.expect("what is popped is of the type that was pushed")
            }
            fn placeholder() -> Self {
                $placeholder
            }
            fn heap_bytes(&self) -> usize {
                let heap: fn(&$ty) -> usize = $heap;
                heap(self)
            }
        }
    )*};
}

moved! {
    [T: Send + 'static] Vec<T>:
        |list| list.capacity() * size_of::<T>() + heap_bytes_of_elements(list), Vec::new();
    [T: Send + 'static] Box<[T]>:
        |list| size_of_val(&**list) + heap_bytes_of_elements(list), Box::default();
    [] String: String::capacity, String::new();
    [S: Send + 'static] FixedPoint<S>: |run| run.heap_bytes, never_missing();
    [S: Send + 'static] Independent<S>: |run| run.heap_bytes + run.prints.heap_bytes(), never_missing();
    // These count their snapshots as they come and go.
    [A: Send + 'static, S: Send + 'static, M: Send + 'static] Run<A, S, M>:
        |_| 0, never_missing();
}

/// What is kept of a loop is in an `Option`, whose placeholder is `None`.
fn never_missing<T>() -> T {
    unreachable!("in place of one there is `None`")
}

impl<T: ?Sized> Storable for PhantomData<T> {
    fn store(self, _: &mut Stack) {}
    fn load(_: &mut Stack) -> Self {
        PhantomData
    }
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
    fn placeholder() -> Self {
        Self::new(T::placeholder())
    }
    fn heap_bytes(&self) -> usize {
        size_of::<T>() + (**self).heap_bytes()
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
    fn placeholder() -> Self {
        None
    }
    #[inline]
    fn heap_bytes(&self) -> usize {
        self.as_ref().map_or(0, T::heap_bytes)
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {$(
        impl<$($name: Storable),*> Storable for ($($name,)*) {
            #[inline]
            #[allow(non_snake_case, unused_variables, clippy::unused_unit, reason = "one body for all lengths")]
            #[track_caller]
            fn store(self, stack: &mut Stack) {
                let ($($name,)*) = self;
                $($name.store(stack);)*
            }
            #[inline]
            #[allow(non_snake_case, unused_variables, clippy::unused_unit, reason = "one body for all lengths")]
            fn load(stack: &mut Stack) -> Self {
                tuples!(@load stack $($name)*);
                ($($name,)*)
            }
            #[inline]
            #[allow(clippy::unused_unit, reason = "one body for all lengths")]
            fn placeholder() -> Self {
                ($($name::placeholder(),)*)
            }
            #[inline]
            #[allow(non_snake_case, reason = "one body for all lengths")]
            fn heap_bytes(&self) -> usize {
                let ($($name,)*) = self;
                0 $(+ $name.heap_bytes())*
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
