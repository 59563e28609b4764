//! What tangents in several directions at once calculate with.

use crate::tested::Zero;
use crate::{Placeholder, Storable};

/// The derivatives of a number in several directions: what stands for the tangents of floats where one evaluation of a
/// function serves them all.
///
/// For `[f64; N]` these are `N` derivatives, each bit for bit what a tangent in that direction alone is, of functions of
/// `f64`.
pub trait Directions: Copy + Send + Storable + Placeholder + 'static {
    /// Those of a constant.
    const ZERO: Self;

    /// Those of a sum.
    fn plus(self, other: Self) -> Self;

    /// Those of a difference.
    fn minus(self, other: Self) -> Self;

    /// With the opposite sign.
    fn negative(self) -> Self;

    /// Weighted with a partial.
    fn times(self, partial: impl Into<f64>) -> Self;

    /// Weighted with the reciprocal of a number.
    fn over(self, divisor: impl Into<f64>) -> Self;

    /// Weighted with a partial that may be infinite: a derivative of 0 stays 0.
    fn strongly(self, partial: impl Into<f64>) -> Self;

    /// Weighted with the reciprocal of a number that may be 0: a derivative of 0 stays 0.
    fn strongly_over(self, divisor: impl Into<f64>) -> Self;

    /// Weighted with a bar, which is the same in all directions: where that is 0 they contribute 0, infinite or not.
    fn under(self, bar: impl Into<f64>) -> Self;

    /// Whether these are told what is tested.
    const FOLLOWS_TESTS: bool = false;

    /// These are the derivatives of a number by the sign of which it is decided how the function goes on.
    fn tested(self, number: f64, zero: Zero) {
        let _ = (number, zero);
    }
}

impl<const N: usize> Directions for [f64; N] {
    const ZERO: Self = [0.0; N];

    #[inline]
    fn plus(self, other: Self) -> Self {
        std::array::from_fn(|k| self[k] + other[k])
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        std::array::from_fn(|k| self[k] - other[k])
    }

    #[inline]
    fn negative(self) -> Self {
        self.map(|part| -part)
    }

    #[inline]
    fn times(self, partial: impl Into<f64>) -> Self {
        let partial = partial.into();
        self.map(|part| part * partial)
    }

    #[inline]
    fn over(self, divisor: impl Into<f64>) -> Self {
        let divisor = divisor.into();
        self.map(|part| part / divisor)
    }

    #[inline]
    fn strongly(self, partial: impl Into<f64>) -> Self {
        let partial = partial.into();
        self.map(|part| if part == 0.0 { 0.0 } else { part * partial })
    }

    #[inline]
    fn strongly_over(self, divisor: impl Into<f64>) -> Self {
        let divisor = divisor.into();
        self.map(|part| if part == 0.0 { 0.0 } else { part / divisor })
    }

    #[inline]
    fn under(self, bar: impl Into<f64>) -> Self {
        let bar = bar.into();
        if bar == 0.0 { Self::ZERO } else { self.times(bar) }
    }
}

/// A value made of numbers, lists and tuples, whose derivatives are of the same structure with `D` in the places of floats.
pub trait HasTangents<D> {
    /// The type of the derivatives. Those of a list behind a reference are owned.
    type Tangent;

    /// Derivatives in the shape of the value: one `next()` for each float, in order.
    fn tangent_of(&self, next: &mut impl FnMut() -> D) -> Self::Tangent;

    /// Visits the derivatives of all floats in order.
    fn visit_tangent(tangent: &Self::Tangent, visit: &mut impl FnMut(D));
}

macro_rules! floats {
    ($($ty:ty)*) => {$(
        impl<D: Directions> HasTangents<D> for $ty {
            type Tangent = D;
            #[inline]
            fn tangent_of(&self, next: &mut impl FnMut() -> D) -> D {
                next()
            }
            #[inline]
            fn visit_tangent(tangent: &D, visit: &mut impl FnMut(D)) {
                visit(*tangent);
            }
        }
    )*};
}

floats! { f64 f32 }

macro_rules! discrete {
    ($($ty:ty)*) => {$(
        impl<D> HasTangents<D> for $ty {
            type Tangent = $ty;
            #[inline]
            fn tangent_of(&self, _: &mut impl FnMut() -> D) -> $ty {
                *self
            }
            #[inline]
            fn visit_tangent(_: &$ty, _: &mut impl FnMut(D)) {}
        }
    )*};
}

discrete! { usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 bool char }

impl<D, T: HasTangents<D>> HasTangents<D> for [T] {
    type Tangent = Vec<T::Tangent>;
    #[inline]
    fn tangent_of(&self, next: &mut impl FnMut() -> D) -> Self::Tangent {
        self.iter().map(|item| item.tangent_of(next)).collect()
    }
    #[inline]
    fn visit_tangent(tangent: &Self::Tangent, visit: &mut impl FnMut(D)) {
        tangent.iter().for_each(|item| T::visit_tangent(item, visit));
    }
}

impl<D, T: HasTangents<D>> HasTangents<D> for Vec<T> {
    type Tangent = Vec<T::Tangent>;
    #[inline]
    fn tangent_of(&self, next: &mut impl FnMut() -> D) -> Self::Tangent {
        self.as_slice().tangent_of(next)
    }
    #[inline]
    fn visit_tangent(tangent: &Self::Tangent, visit: &mut impl FnMut(D)) {
        <[T]>::visit_tangent(tangent, visit);
    }
}

impl<D, T: HasTangents<D>, const N: usize> HasTangents<D> for [T; N] {
    type Tangent = [T::Tangent; N];
    #[inline]
    fn tangent_of(&self, next: &mut impl FnMut() -> D) -> Self::Tangent {
        std::array::from_fn(|k| self[k].tangent_of(next))
    }
    #[inline]
    fn visit_tangent(tangent: &Self::Tangent, visit: &mut impl FnMut(D)) {
        tangent.iter().for_each(|item| T::visit_tangent(item, visit));
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),*))*) => {$(
        impl<D, $($name: HasTangents<D>),*> HasTangents<D> for ($($name,)*) {
            type Tangent = ($($name::Tangent,)*);
            #[inline]
            #[allow(unused_variables, clippy::unused_unit, reason = "the unit has no parts")]
            fn tangent_of(&self, next: &mut impl FnMut() -> D) -> Self::Tangent {
                ($(self.$index.tangent_of(next),)*)
            }
            #[inline]
            #[allow(unused_variables, reason = "the unit has no parts")]
            fn visit_tangent(tangent: &Self::Tangent, visit: &mut impl FnMut(D)) {
                $($name::visit_tangent(&tangent.$index, visit);)*
            }
        }
    )*};
}

tuples! {
    () (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, E 3) (A 0, B 1, C 2, E 3, F 4)
    (A 0, B 1, C 2, E 3, F 4, G 5) (A 0, B 1, C 2, E 3, F 4, G 5, H 6)
    (A 0, B 1, C 2, E 3, F 4, G 5, H 6, I 7)
}

/// Zeros of the shape of a value.
#[inline]
pub fn zeros_along<D: Directions, T: HasTangents<D> + ?Sized>(value: &T) -> T::Tangent {
    value.tangent_of(&mut || D::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_direction_by_itself() {
        let (a, b) = ([1.0, 0.0], [3.0, -4.0]);
        assert_eq!(a.plus(b), [4.0, -4.0]);
        assert_eq!(a.minus(b), [-2.0, 4.0]);
        assert_eq!(b.negative(), [-3.0, 4.0]);
        assert_eq!(b.times(2.0), [6.0, -8.0]);
        assert_eq!(b.over(2.0_f32), [1.5, -2.0]);
        assert_eq!(a.strongly(f64::INFINITY), [f64::INFINITY, 0.0]);
        assert_eq!(a.strongly_over(0.0), [f64::INFINITY, 0.0]);
        assert_eq!([f64::INFINITY, 2.0].under(0.0), [0.0, 0.0]);
        assert_eq!(b.under(-1.0), [-3.0, 4.0]);
    }

    #[test]
    fn zeros_have_the_shape_of_the_value() {
        let zeros = zeros_along::<[f64; 2], _>(&(1.5, 7_usize, vec![[1.0_f32; 2]]));
        assert_eq!(zeros, ([0.0; 2], 7, vec![[[0.0; 2]; 2]]));
        assert_eq!(zeros_along::<[f64; 1], _>(&[1.0, 2.0][..]), [[0.0], [0.0]]);
    }

    #[test]
    fn tangents_are_visited_in_the_order_in_which_they_are_made() {
        let (value, mut count) = ((vec![1.0, 2.0], 3_u8, [(4.0, true)]), 0.0);
        let tangent = value.tangent_of(&mut || {
            count += 1.0;
            [count]
        });
        assert_eq!(tangent, (vec![[1.0], [2.0]], 3, [([3.0], true)]));
        let mut visited = Vec::new();
        <(Vec<f64>, u8, [(f64, bool); 1])>::visit_tangent(&tangent, &mut |[part]: [f64; 1]| {
            visited.push(part);
        });
        assert_eq!(visited, [1.0, 2.0, 3.0]);
    }
}
