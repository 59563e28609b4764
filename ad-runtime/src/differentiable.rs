//! Values with derivatives, and the vectors that derivatives are.

use crate::{ShapeDigest, Shapes};
use std::marker::PhantomData;

/// A value with a derivative.
///
/// Floats, arrays, `Vec`s, slices, `Option`s and tuples of them are differentiable; integers, truth
/// values and strings count as values without floats: their bars are copies of them, so that a bar
/// has the shape of its value, and nothing is ever added to them. Structs and enums derive the trait:
/// `#[derive(Differentiable)]`.
///
/// ```
/// use backsweep::{Differentiable, Vector};
///
/// let parameters = (vec![1.0, 2.0], 7_usize);
/// let mut bar = parameters.zero_bar();
/// assert_eq!(bar, (vec![0.0, 0.0], 7));
/// bar.accumulate(&(vec![0.5, 0.25], 7));
/// assert_eq!(bar, (vec![0.5, 0.25], 7));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no derivative",
    note = "structs derive it, `#[derive(Clone, Differentiable)]`; what carries no derivative is marked: a parameter `passive(…)` in the attribute, a field `#[passive]`"
)]
pub trait Differentiable {
    /// The type of its bars: of derivatives with respect to a value of this type.
    type Bar: Vector;

    /// The bar in which all floats are zero.
    fn zero_bar(&self) -> Self::Bar;

    /// The zero bar, if it is the same for all values of the type.
    #[doc(hidden)]
    fn common_zero_bar() -> Option<Self::Bar> {
        None
    }

    /// Some bar, of whatever shape, in place of that of a value that is not there yet.
    #[doc(hidden)]
    fn any_bar() -> Option<Self::Bar> {
        Self::common_zero_bar()
    }

    /// Adds the shape of the bars of this value to a digest.
    #[doc(hidden)]
    fn digest_bar_shape(&self, digest: &mut ShapeDigest) {
        self.zero_bar().digest_shape(digest);
    }
}

/// A vector, as far as its floats are concerned.
///
/// ```
/// use backsweep::Vector;
///
/// let gradient = (vec![1.0, 2.0], [3.0]);
/// assert_eq!(gradient.inner(&gradient), 14.0);
///
/// // Optimisers want a flat list.
/// let mut flat = Vec::new();
/// gradient.write_flat(&mut flat);
/// assert_eq!(flat, [1.0, 2.0, 3.0]);
///
/// let mut back = (vec![0.0; 2], [0.0]);
/// let rest = back.read_flat(&flat);
/// assert!(rest.is_empty());
/// assert_eq!(back, gradient);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no type of derivatives",
    note = "a slice behind the field of a struct is used by its elements: `x.field[i]`, or `let list = x.field;` and `list[i]`, `list.len()`, `list.iter()`"
)]
pub trait Vector {
    /// How many shapes there are.
    #[doc(hidden)]
    const SHAPES: Shapes = Shapes::Several;

    /// Sets all floats to zero; the shape stays.
    fn set_zero(&mut self);

    /// Adds another vector of the same shape. One of zeros may have any shape, and adds nothing.
    ///
    /// # Panics
    /// If the shapes differ.
    fn accumulate(&mut self, other: &Self);

    /// The inner product with another vector of the same shape.
    ///
    /// # Panics
    /// If the shapes differ.
    fn inner(&self, other: &Self) -> f64;

    /// Appends all floats, in order.
    fn write_flat(&self, flat: &mut Vec<f64>);

    /// Takes all floats from the front of a slice, in order; returns what remains of it.
    ///
    /// # Panics
    /// If there are too few.
    fn read_flat<'s>(&mut self, flat: &'s [f64]) -> &'s [f64];

    /// Adds the shape to a digest: unless told otherwise, there is one for each number of floats.
    #[doc(hidden)]
    fn digest_shape(&self, digest: &mut ShapeDigest) {
        let mut flat = Vec::new();
        self.write_flat(&mut flat);
        digest.add_length(flat.len());
    }

    /// Appends all floats of a list, in order.
    #[doc(hidden)]
    fn write_list_flat(list: &[Self], flat: &mut Vec<f64>)
    where
        Self: Sized,
    {
        flat.reserve(list.len());
        list.iter().for_each(|item| item.write_flat(flat));
    }
}

macro_rules! floats {
    ($($ty:ty)*) => {$(
        impl Vector for $ty {
            const SHAPES: Shapes = Shapes::One;
            #[inline]
            fn set_zero(&mut self) {
                *self = 0.0;
            }
            #[inline]
            fn accumulate(&mut self, other: &Self) {
                *self += *other;
            }
            fn inner(&self, other: &Self) -> f64 {
                f64::from(*self) * f64::from(*other)
            }
            fn write_flat(&self, flat: &mut Vec<f64>) {
                flat.push(f64::from(*self));
            }
            fn read_flat<'s>(&mut self, flat: &'s [f64]) -> &'s [f64] {
                let (first, rest) = flat.split_first().expect("a number for each float");
                *self = *first as $ty;
                rest
            }
            #[inline]
            fn digest_shape(&self, _: &mut ShapeDigest) {}
            fn write_list_flat(list: &[$ty], flat: &mut Vec<f64>) {
                flat.extend(list.iter().map(|&item| f64::from(item)));
            }
        }

        impl Differentiable for $ty {
            type Bar = $ty;
            #[inline]
            fn zero_bar(&self) -> $ty {
                0.0
            }
            #[inline]
            fn common_zero_bar() -> Option<$ty> {
                Some(0.0)
            }
        }
    )*};
}

floats! { f64 f32 }

/// Types that can be copied and have no floats: what is asked of values with floats does nothing.
macro_rules! discrete {
    ($($ty:ty)*) => {$(
        impl $crate::Vector for $ty {
            const SHAPES: $crate::Shapes = $crate::Shapes::NoFloats;
            #[inline]
            fn set_zero(&mut self) {}
            #[inline]
            fn accumulate(&mut self, _: &Self) {}
            fn inner(&self, _: &Self) -> f64 {
                0.0
            }
            fn write_flat(&self, _: &mut Vec<f64>) {}
            #[inline]
            fn digest_shape(&self, _: &mut $crate::ShapeDigest) {}
            fn read_flat<'s>(&mut self, flat: &'s [f64]) -> &'s [f64] {
                flat
            }
        }

        impl $crate::Differentiable for $ty {
            type Bar = $ty;
            #[inline]
            fn zero_bar(&self) -> $ty {
                *self
            }
            fn any_bar() -> Option<$ty> {
                Some(<$ty>::default())
            }
        }
    )*};
}
#[cfg(feature = "glam")]
pub(crate) use discrete;

discrete! { usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 bool char }

macro_rules! without_floats {
    ($([$($generics:tt)*] $ty:ty: $copy:expr, $any:expr;)*) => {$(
        impl<$($generics)*> $crate::Vector for $ty {
            const SHAPES: $crate::Shapes = $crate::Shapes::NoFloats;
            fn set_zero(&mut self) {}
            fn accumulate(&mut self, _: &Self) {}
            fn inner(&self, _: &Self) -> f64 {
                0.0
            }
            fn write_flat(&self, _: &mut Vec<f64>) {}
            #[inline]
            fn digest_shape(&self, _: &mut $crate::ShapeDigest) {}
            fn read_flat<'s>(&mut self, flat: &'s [f64]) -> &'s [f64] {
                flat
            }
        }

        impl<$($generics)*> $crate::Differentiable for $ty {
            type Bar = $ty;
            fn zero_bar(&self) -> $ty {
                let copy: fn(&$ty) -> $ty = $copy;
                copy(self)
            }
            fn any_bar() -> Option<$ty> {
                Some($any)
            }
        }
    )*};
}

#[cfg(feature = "ndarray")]
pub(crate) use without_floats;

without_floats! {
    [] String: String::clone, String::new();
    [T: ?Sized] PhantomData<T>: |_| PhantomData, PhantomData;
}

/// Adds a list to another one of the same length, whatever holds them: the bar of a `Vec` to that of an array that it was made of.
#[inline]
pub fn accumulate_list<T: Vector>(list: &mut [T], other: &(impl AsRef<[T]> + ?Sized)) {
    list.accumulate(other.as_ref());
}

impl<T: Vector> Vector for [T] {
    const SHAPES: Shapes = T::SHAPES.of_several();
    fn set_zero(&mut self) {
        self.iter_mut().for_each(T::set_zero);
    }
    fn accumulate(&mut self, other: &Self) {
        if self.len() != other.len() {
            return assert_zero(self.len(), other);
        }
        for (a, b) in self.iter_mut().zip(other) {
            a.accumulate(b);
        }
    }
    fn inner(&self, other: &Self) -> f64 {
        assert_eq!(self.len(), other.len(), "vectors of one length have an inner product");
        self.iter().zip(other).map(|(a, b)| a.inner(b)).sum()
    }
    fn write_flat(&self, flat: &mut Vec<f64>) {
        T::write_list_flat(self, flat);
    }
    #[inline]
    fn digest_shape(&self, digest: &mut ShapeDigest) {
        digest.add_list(self, T::SHAPES, T::digest_shape);
    }
    fn read_flat<'s>(&mut self, flat: &'s [f64]) -> &'s [f64] {
        self.iter_mut().fold(flat, |flat, item| item.read_flat(flat))
    }
}

/// Where a list was replaced by one of another length the bar of that has been used up, and is zero: nothing is added.
#[cold]
#[track_caller]
fn assert_zero<T: Vector>(len: usize, other: &[T]) {
    assert!(
        is_zero(other),
        "vectors of one length can be added, and these have {len} and {} elements",
        other.len()
    );
}

/// Whether all floats are zero.
pub(crate) fn is_zero(vector: &(impl Vector + ?Sized)) -> bool {
    let mut flat = Vec::new();
    vector.write_flat(&mut flat);
    flat.iter().all(|part| *part == 0.0)
}

/// Forwards to the implementation for slices.
macro_rules! like_slices {
    () => {
        #[inline]
        fn set_zero(&mut self) {
            self.as_mut_slice().set_zero();
        }
        #[inline]
        fn accumulate(&mut self, other: &Self) {
            self.as_mut_slice().accumulate(other.as_slice());
        }
        fn inner(&self, other: &Self) -> f64 {
            self.as_slice().inner(other.as_slice())
        }
        fn write_flat(&self, flat: &mut Vec<f64>) {
            self.as_slice().write_flat(flat);
        }
        #[inline]
        fn digest_shape(&self, digest: &mut ShapeDigest) {
            self.as_slice().digest_shape(digest);
        }
        fn read_flat<'s>(&mut self, flat: &'s [f64]) -> &'s [f64] {
            self.as_mut_slice().read_flat(flat)
        }
    };
}

impl<T: Vector, const N: usize> Vector for [T; N] {
    const SHAPES: Shapes = T::SHAPES;
    like_slices! {}
}

impl<T: Vector> Vector for Vec<T> {
    const SHAPES: Shapes = T::SHAPES.of_several();
    like_slices! {}
}

impl<T: Differentiable> Differentiable for [T] {
    type Bar = Vec<T::Bar>;
    fn zero_bar(&self) -> Vec<T::Bar> {
        self.iter().map(T::zero_bar).collect()
    }
    #[inline]
    fn digest_bar_shape(&self, digest: &mut ShapeDigest) {
        digest.add_list(self, T::Bar::SHAPES, T::digest_bar_shape);
    }
}

impl<T: Differentiable, const N: usize> Differentiable for [T; N] {
    type Bar = [T::Bar; N];
    fn zero_bar(&self) -> [T::Bar; N] {
        std::array::from_fn(|position| self[position].zero_bar())
    }
    #[inline]
    fn common_zero_bar() -> Option<[T::Bar; N]> {
        T::common_zero_bar()?;
        Some(std::array::from_fn(|_| T::common_zero_bar().expect("it was there before")))
    }
    fn any_bar() -> Option<[T::Bar; N]> {
        T::any_bar()?;
        Some(std::array::from_fn(|_| T::any_bar().expect("it was there before")))
    }
    #[inline]
    fn digest_bar_shape(&self, digest: &mut ShapeDigest) {
        self.as_slice().digest_bar_shape(digest);
    }
}

impl<T: Differentiable> Differentiable for Vec<T> {
    type Bar = Vec<T::Bar>;
    fn zero_bar(&self) -> Vec<T::Bar> {
        self.as_slice().zero_bar()
    }
    fn any_bar() -> Option<Vec<T::Bar>> {
        Some(Vec::new())
    }
    #[inline]
    fn digest_bar_shape(&self, digest: &mut ShapeDigest) {
        self.as_slice().digest_bar_shape(digest);
    }
}

impl<T: Vector + ?Sized> Vector for Box<T> {
    const SHAPES: Shapes = T::SHAPES;
    fn set_zero(&mut self) {
        (**self).set_zero();
    }
    fn accumulate(&mut self, other: &Self) {
        (**self).accumulate(other);
    }
    fn inner(&self, other: &Self) -> f64 {
        (**self).inner(other)
    }
    fn write_flat(&self, flat: &mut Vec<f64>) {
        (**self).write_flat(flat);
    }
    #[inline]
    fn digest_shape(&self, digest: &mut ShapeDigest) {
        (**self).digest_shape(digest);
    }
    fn read_flat<'s>(&mut self, flat: &'s [f64]) -> &'s [f64] {
        (**self).read_flat(flat)
    }
}

impl<T: Differentiable> Differentiable for Box<T> {
    type Bar = Box<T::Bar>;
    fn zero_bar(&self) -> Box<T::Bar> {
        Box::new((**self).zero_bar())
    }
    fn common_zero_bar() -> Option<Box<T::Bar>> {
        T::common_zero_bar().map(Box::new)
    }
    fn any_bar() -> Option<Box<T::Bar>> {
        T::any_bar().map(Box::new)
    }
    #[inline]
    fn digest_bar_shape(&self, digest: &mut ShapeDigest) {
        (**self).digest_bar_shape(digest);
    }
}

impl<T: Differentiable> Differentiable for Box<[T]> {
    type Bar = Box<[T::Bar]>;
    fn zero_bar(&self) -> Box<[T::Bar]> {
        (**self).zero_bar().into_boxed_slice()
    }
    fn any_bar() -> Option<Box<[T::Bar]>> {
        Some(Box::default())
    }
    #[inline]
    fn digest_bar_shape(&self, digest: &mut ShapeDigest) {
        (**self).digest_bar_shape(digest);
    }
}

/// Whether there are floats in a vector. What has none may be there in one of two vectors and not in the other: a bar copies it from a
/// value, which may have been changed since (`options.seed = Some(7)`).
fn holds_floats<T: Vector>(vector: &T) -> bool {
    let mut flat = Vec::new();
    vector.write_flat(&mut flat);
    !flat.is_empty()
}

impl<T: Vector> Vector for Option<T> {
    const SHAPES: Shapes = T::SHAPES.of_several();
    fn set_zero(&mut self) {
        self.iter_mut().for_each(T::set_zero);
    }
    fn accumulate(&mut self, other: &Self) {
        match (self, other) {
            (Some(a), Some(b)) => a.accumulate(b),
            (None, None) => {}
            (Some(_), None) => {}
            (None, Some(only)) => assert!(is_zero(only), "vectors of one shape can be added"),
        }
    }
    fn inner(&self, other: &Self) -> f64 {
        match (self, other) {
            (Some(a), Some(b)) => a.inner(b),
            (None, None) => 0.0,
            (Some(only), None) | (None, Some(only)) => {
                assert!(!holds_floats(only), "vectors of one shape have an inner product");
                0.0
            }
        }
    }
    fn write_flat(&self, flat: &mut Vec<f64>) {
        self.iter().for_each(|value| value.write_flat(flat));
    }
    #[inline]
    fn digest_shape(&self, digest: &mut ShapeDigest) {
        digest.add_option(self.as_ref(), T::SHAPES, T::digest_shape);
    }
    fn read_flat<'s>(&mut self, flat: &'s [f64]) -> &'s [f64] {
        self.iter_mut().fold(flat, |flat, value| value.read_flat(flat))
    }
}

impl<T: Differentiable> Differentiable for Option<T> {
    type Bar = Option<T::Bar>;
    fn zero_bar(&self) -> Option<T::Bar> {
        self.as_ref().map(T::zero_bar)
    }
    fn any_bar() -> Option<Option<T::Bar>> {
        Some(None)
    }
    #[inline]
    fn digest_bar_shape(&self, digest: &mut ShapeDigest) {
        digest.add_option(self.as_ref(), T::Bar::SHAPES, T::digest_bar_shape);
    }
}

impl<T: Differentiable + ?Sized> Differentiable for &T {
    type Bar = T::Bar;
    fn zero_bar(&self) -> T::Bar {
        (**self).zero_bar()
    }
    #[inline]
    fn digest_bar_shape(&self, digest: &mut ShapeDigest) {
        (**self).digest_bar_shape(digest);
    }
}

impl<T: Differentiable + ?Sized> Differentiable for &mut T {
    type Bar = T::Bar;
    fn zero_bar(&self) -> T::Bar {
        (**self).zero_bar()
    }
    #[inline]
    fn digest_bar_shape(&self, digest: &mut ShapeDigest) {
        (**self).digest_bar_shape(digest);
    }
}

macro_rules! tuples {
    ($(($($name:ident $position:tt)*))*) => {$(
        impl<$($name: Vector),*> Vector for ($($name,)*) {
            const SHAPES: Shapes = Shapes::NoFloats$(.and($name::SHAPES))*;
            #[inline]
            fn set_zero(&mut self) {
                $(self.$position.set_zero();)*
            }
            #[inline]
            #[allow(unused_variables, reason = "one body for all lengths")]
            fn accumulate(&mut self, other: &Self) {
                $(self.$position.accumulate(&other.$position);)*
            }
            #[allow(unused_variables, reason = "one body for all lengths")]
            fn inner(&self, other: &Self) -> f64 {
                0.0 $(+ self.$position.inner(&other.$position))*
            }
            #[allow(unused_variables, reason = "one body for all lengths")]
            fn write_flat(&self, flat: &mut Vec<f64>) {
                $(self.$position.write_flat(flat);)*
            }
            fn read_flat<'s>(&mut self, flat: &'s [f64]) -> &'s [f64] {
                $(let flat = self.$position.read_flat(flat);)*
                flat
            }
            #[inline]
            #[allow(unused_variables, reason = "one body for all lengths")]
            fn digest_shape(&self, digest: &mut ShapeDigest) {
                $(self.$position.digest_shape(digest);)*
            }
        }

        impl<$($name: Differentiable),*> Differentiable for ($($name,)*) {
            type Bar = ($($name::Bar,)*);
            #[allow(clippy::unused_unit, reason = "one body for all lengths")]
            fn zero_bar(&self) -> Self::Bar {
                ($(self.$position.zero_bar(),)*)
            }
            fn any_bar() -> Option<Self::Bar> {
                Some(($($name::any_bar()?,)*))
            }
            #[inline]
            #[allow(unused_variables, reason = "one body for all lengths")]
            fn digest_bar_shape(&self, digest: &mut ShapeDigest) {
                $(self.$position.digest_bar_shape(digest);)*
            }
        }
    )*};
}

tuples! {
    ()
    (A 0)
    (A 0 B 1)
    (A 0 B 1 C 2)
    (A 0 B 1 C 2 D 3)
    (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_has_the_shape_of_its_value() {
        let value = (vec![[1.0, 2.0], [3.0, 4.0]], 7_usize, 0.5_f32);
        let mut bar = value.zero_bar();
        assert_eq!(bar, (vec![[0.0, 0.0], [0.0, 0.0]], 7, 0.0));
        bar.accumulate(&value);
        bar.accumulate(&value);
        assert_eq!(bar, (vec![[2.0, 4.0], [6.0, 8.0]], 7, 1.0));
        assert_eq!(bar.inner(&value), 2.0 * (1.0 + 4.0 + 9.0 + 16.0 + 0.25));
        bar.set_zero();
        assert_eq!(bar, value.zero_bar());
    }

    #[test]
    fn what_holds_no_floats_may_be_there_in_one_of_two() {
        let (mut bar, other) = ((1.0, None), (0.5, Some(7_usize)));
        bar.accumulate(&other);
        assert_eq!((bar, bar.inner(&other)), ((1.5, None), 0.75));
    }

    #[test]
    #[should_panic(expected = "vectors of one shape can be added")]
    fn what_holds_floats_may_not() {
        (1.0, None).accumulate(&(0.5, Some(0.5)));
    }

    #[test]
    fn floats_go_to_and_from_a_flat_list() {
        let value = (vec![1.0, 2.0], 3, [4.0_f32]);
        let mut flat = Vec::new();
        value.write_flat(&mut flat);
        assert_eq!(flat, [1.0, 2.0, 4.0]);
        let mut other = value.zero_bar();
        assert!(other.read_flat(&flat).is_empty());
        assert_eq!(other, value);
    }
}
