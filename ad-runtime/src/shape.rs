//! The shapes of bars: how long the lists in them are, which variants they are of.

use crate::{Differentiable, Placeholder, Stack, Storable, Vector, put_words, take_words};
use std::fmt;

/// What it takes to make a zero bar of a value later: nothing, where all values of the type have the
/// same zero bar.
pub struct Shape<T: Differentiable + ?Sized> {
    zero: Option<T::Bar>,
}

impl<T: Differentiable + ?Sized> Shape<T> {
    /// The shape of a value.
    #[inline]
    pub fn of(value: &T) -> Self {
        Self { zero: if T::common_zero_bar().is_some() { None } else { Some(value.zero_bar()) } }
    }

    /// The zero bar of the value. If the function was left before there was one, what the bar is does not
    /// matter.
    #[inline]
    pub fn zero_bar(self) -> T::Bar {
        let zero = self.zero.or_else(T::any_bar);
        zero.expect("a function that is left early declares its structs with lists before")
    }

    /// Makes a bar the zero bar of the value. If there is no value yet, what the bar is does not matter.
    #[inline]
    pub fn reset(self, bar: &mut T::Bar) {
        if let Some(zero) = self.zero.or_else(T::common_zero_bar) {
            *bar = zero;
        }
    }
}

impl<T: Differentiable + ?Sized> Clone for Shape<T>
where
    T::Bar: Clone,
{
    fn clone(&self) -> Self {
        Self { zero: self.zero.clone() }
    }
}

impl<T: Differentiable + ?Sized> Storable for Shape<T>
where
    T::Bar: Storable,
{
    #[inline]
    fn store(self, stack: &mut Stack) {
        // A placeholder has no zero, and is stored all the same.
        if T::common_zero_bar().is_none() {
            self.zero.store(stack);
        }
    }
    #[inline]
    fn load(stack: &mut Stack) -> Self {
        Self { zero: if T::common_zero_bar().is_some() { None } else { Option::load(stack) } }
    }
    #[inline]
    fn heap_bytes(&self) -> usize {
        self.zero.heap_bytes()
    }
}

impl<T: Differentiable + ?Sized> Placeholder for Shape<T> {
    #[inline]
    fn placeholder() -> Self {
        Self { zero: None }
    }
}

/// How many shapes the vectors of a type have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shapes {
    /// None: there are no floats in them.
    NoFloats,
    /// One.
    One,
    /// Several: there are lists or variants in them.
    Several,
}

impl Shapes {
    /// Those of a value that is made of two values.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Several, _) | (_, Self::Several) => Self::Several,
            (Self::One, _) | (_, Self::One) => Self::One,
            (Self::NoFloats, Self::NoFloats) => Self::NoFloats,
        }
    }

    /// Those of a list, or of a value that may be of several variants, which are made of such values.
    #[must_use]
    pub const fn of_several(self) -> Self {
        match self {
            Self::NoFloats => Self::NoFloats,
            Self::One | Self::Several => Self::Several,
        }
    }

    /// Whether two vectors may differ in shape.
    pub const fn may_differ(self) -> bool {
        match self {
            Self::Several => true,
            Self::NoFloats | Self::One => false,
        }
    }
}

/// A number for a shape, and for messages how many lengths there are in it, and the first of them. The dimensions of a matrix are lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShapeDigest {
    hash: u64,
    count: usize,
    first: [usize; 3],
}

impl ShapeDigest {
    /// Adds a length.
    #[inline]
    pub fn add_length(&mut self, length: usize) {
        self.mix(length);
        if let Some(first) = self.first.get_mut(self.count) {
            *first = length;
        }
        self.count += 1;
    }

    /// Adds the number of a variant.
    #[inline]
    pub fn add_variant(&mut self, number: usize) {
        self.mix(number);
    }

    #[inline]
    fn mix(&mut self, number: usize) {
        /// 2⁶⁴ divided by the golden ratio, and odd.
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed = (self.hash ^ number as u64).wrapping_add(1).wrapping_mul(SPREAD);
        self.hash = mixed ^ (mixed >> 32);
    }

    /// Adds a list.
    #[inline]
    pub fn add_list<T>(&mut self, list: &[T], shapes: Shapes, each: impl Fn(&T, &mut Self)) {
        if shapes == Shapes::NoFloats {
            return;
        }
        self.add_length(list.len());
        if shapes.may_differ() {
            list.iter().for_each(|item| each(item, self));
        }
    }

    /// Adds a value that may be there.
    #[inline]
    pub fn add_option<T>(
        &mut self,
        value: Option<&T>,
        shapes: Shapes,
        each: impl Fn(&T, &mut Self),
    ) {
        if shapes == Shapes::NoFloats {
            return;
        }
        self.add_variant(usize::from(value.is_some()));
        value.into_iter().for_each(|value| each(value, self));
    }
}

impl fmt::Display for ShapeDigest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = &self.first[..self.count.min(self.first.len())];
        let more = if shown.len() < self.count { ", …" } else { "" };
        let shown: Vec<String> = shown.iter().map(usize::to_string).collect();
        write!(out, "[{}{more}]", shown.join(", "))
    }
}

/// What a digest is on the stack.
type Stored = (u64, usize, [usize; 3]);

impl Storable for ShapeDigest {
    #[track_caller]
    fn store(self, stack: &mut Stack) {
        (self.hash, self.count, self.first).store(stack);
    }
    fn load(stack: &mut Stack) -> Self {
        let (hash, count, first) = Stored::load(stack);
        Self { hash, count, first }
    }
    const WORDS: Option<usize> = Stored::WORDS;
    fn to_words(&self, mut words: &mut [u64]) {
        put_words(&(self.hash, self.count, self.first), &mut words);
    }
    fn from_words(mut words: &[u64]) -> Self {
        let (hash, count, first) = take_words::<Stored>(&mut words);
        Self { hash, count, first }
    }
}

impl Placeholder for ShapeDigest {
    fn placeholder() -> Self {
        Self::default()
    }
}

/// The shape of the bars of a value, if it has bars. That it has none is reported elsewhere.
pub mod shaped {
    use super::ShapeDigest;
    use crate::{Differentiable, Vector};

    /// A value.
    #[derive(Debug)]
    pub struct Shaped<'v, T: ?Sized>(pub &'v T);

    /// Found first: the value has bars.
    pub trait WithBars {
        /// Their shape.
        fn shape(self) -> ShapeDigest;
    }

    impl<T: Differentiable + ?Sized> WithBars for &Shaped<'_, T> {
        #[inline]
        fn shape(self) -> ShapeDigest {
            let mut digest = ShapeDigest::default();
            if <T::Bar as Vector>::SHAPES.may_differ() {
                self.0.digest_bar_shape(&mut digest);
            }
            digest
        }
    }

    /// Found next.
    pub trait WithoutBars {
        /// No shape.
        fn shape(&self) -> ShapeDigest;
    }

    impl<T: ?Sized> WithoutBars for &Shaped<'_, T> {
        #[inline]
        fn shape(&self) -> ShapeDigest {
            ShapeDigest::default()
        }
    }
}

/// The shape of a bar.
#[inline]
pub fn shape_of_bar<B: Vector + ?Sized>(bar: &B) -> ShapeDigest {
    let mut digest = ShapeDigest::default();
    if B::SHAPES.may_differ() {
        bar.digest_shape(&mut digest);
    }
    digest
}

/// Panics unless a bar has the shape of what it is the bar of.
///
/// # Panics
/// If it has another one, naming the bar.
#[inline]
#[track_caller]
pub fn check_shape(name: &str, found: ShapeDigest, expected: ShapeDigest) {
    if found != expected {
        shapes_differ(name, found, expected);
    }
}

#[cold]
#[track_caller]
fn shapes_differ(name: &str, found: ShapeDigest, expected: ShapeDigest) -> ! {
    let what = format!("`{name}` has another shape than the value it belongs to");
    match (found.count, found.first) == (expected.count, expected.first) {
        true => panic!("{what}: a list, an enum or an `Option` in it is another one"),
        false => panic!("{what}: lengths {found} instead of {expected}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_other_lengths_have_other_shapes() {
        let of = |rows: &[usize]| {
            let rows: Vec<Vec<f64>> = rows.iter().map(|&len| vec![0.0; len]).collect();
            shape_of_bar(&rows)
        };
        let all = [&[][..], &[0], &[1], &[0, 1], &[1, 0], &[0, 0], &[2], &[1, 1]].map(of);
        for (position, shape) in all.iter().enumerate() {
            assert!(!all[..position].contains(shape), "{position}: {all:?}");
        }
    }

    #[test]
    fn what_has_no_floats_may_differ() {
        assert_eq!(shape_of_bar(&(vec![1_usize], 1.0)), shape_of_bar(&(vec![1_usize, 2], 1.0)));
        assert_eq!(shape_of_bar(&Some(1_usize)), shape_of_bar(&None::<usize>));
        assert_ne!(shape_of_bar(&Some(1.0)), shape_of_bar(&None::<f64>));
        assert_eq!(shape_of_bar(&vec![[1.0, 2.0]]).to_string(), "[1]");
        assert_eq!(shape_of_bar(&vec![vec![1.0]; 3]).to_string(), "[3, 1, 1, …]");
    }

    #[test]
    fn a_value_has_the_shape_of_its_bars() {
        use shaped::{Shaped, WithBars};
        let value = (vec![Some(vec![1.0]), None], Box::new([2.0_f32]), [(1_usize, vec![0.5])]);
        assert_eq!(Shaped(&value).shape(), shape_of_bar(&value.zero_bar()));
        let slice: &[Vec<f64>] = &[vec![1.0], vec![]];
        assert_eq!(Shaped(slice).shape(), shape_of_bar(&slice.zero_bar()));
    }

    #[test]
    #[should_panic(
        expected = "`x_b` has another shape than the value it belongs to: a list, an enum"
    )]
    fn one_of_another_variant_is_refused() {
        check_shape("x_b", shape_of_bar(&Some(0.0)), shape_of_bar(&None::<f64>));
    }

    #[test]
    #[should_panic(
        expected = "`x_b` has another shape than the value it belongs to: lengths [1] instead of [2]"
    )]
    fn a_shorter_bar_is_refused() {
        check_shape("x_b", shape_of_bar(&(vec![0.0], 1.0)), shape_of_bar(&(vec![0.0, 1.0], 2.0)));
    }

    #[test]
    fn a_shape_of_a_scalar_takes_no_room() {
        let mut stack = Stack::new();
        stack.push(Shape::of(&1.5));
        assert!(stack.is_empty());
        assert_eq!(stack.pop::<Shape<f64>>().zero_bar(), 0.0);
        stack.push(Shape::of(&vec![1.5; 3]));
        assert_eq!(stack.pop::<Shape<Vec<f64>>>().zero_bar(), [0.0; 3]);
        stack.push(Shape::<Vec<f64>>::placeholder());
        stack.pop::<Shape<Vec<f64>>>();
        assert!(stack.is_empty());
    }
}
