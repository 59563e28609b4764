//! Tangents in several directions of values whose types the macro does not see, as of what a method returns. They are
//! taken for floats; where one is not, the tangent is missed where it is used.
//!
//! What is found for floats is found by value, what is found otherwise by reference, which rustc looks for next.

use crate::operator::kind;
use crate::{Along, Directions, HasTangents, Marker, On, Slot};
use std::any::Any;
use std::marker::PhantomData;

pub(crate) const MISSED: &str = "there are no tangents in several directions: a value whose type the macro does not see, as of what a method or \
                      an operator returns, is not a number; write its type down, or use tangents in one direction";

/// The tangent of what a call has returned: it should be of type `S`.
#[derive(Debug)]
pub struct Slope<T, S>(pub T, pub PhantomData<S>);

/// Found first.
pub trait Expected<S> {
    /// The tangent.
    fn expected(self) -> S;
}

impl<S> Expected<S> for Slope<S, S> {
    #[inline]
    fn expected(self) -> S {
        self.0
    }
}

/// Found last.
pub trait Unexpected<S> {
    /// There is none.
    fn expected(self) -> S;
}

impl<T, S> Unexpected<S> for &Slope<T, S> {
    fn expected(self) -> S {
        const { panic!("{}", MISSED) }
    }
}

/// A value of which a zero is wanted, of type `S`.
#[derive(Debug)]
pub struct Shaped<'v, T: ?Sized, D, S>(pub &'v T, pub PhantomData<(D, S)>);

/// Found first.
pub trait ExpectedZero<S> {
    /// The zero.
    fn zero(self) -> S;
}

impl<T: HasTangents<D, Tangent = S> + ?Sized, D: Directions, S> ExpectedZero<S>
    for Shaped<'_, T, D, S>
{
    #[inline]
    fn zero(self) -> S {
        crate::zeros_along::<D, T>(self.0)
    }
}

/// Found last.
pub trait UnexpectedZero<S> {
    /// There is none.
    fn zero(self) -> S;
}

impl<T: ?Sized, D, S> UnexpectedZero<S> for &Shaped<'_, T, D, S> {
    fn zero(self) -> S {
        const { panic!("{}", MISSED) }
    }
}

/// A direction for a parameter whose type the macro does not see, if the marker is on.
#[derive(Debug)]
pub struct Perhaps<'d, S: ?Sized, M> {
    direction: Option<&'d S>,
    #[allow(dead_code, reason = "the marker is looked at as a type")]
    marker: M,
}

/// The direction of an argument.
#[inline]
pub fn perhaps<S: ?Sized>(direction: &S) -> Perhaps<'_, S, On> {
    Perhaps { direction: Some(direction), marker: On }
}

/// The direction of an argument that is active in some instances of the caller only.
#[inline]
pub fn perhaps_along<M: Marker, S: ?Sized>(direction: &S) -> Perhaps<'_, S, M> {
    perhaps_along_there(Some(direction))
}

/// The same, of a direction that cannot be named if the marker is off.
#[inline]
pub fn perhaps_along_there<M: Marker, S: ?Sized>(direction: Option<&S>) -> Perhaps<'_, S, M> {
    Perhaps { direction: direction.filter(|_| M::ON), marker: M::MARKER }
}

impl<T: 'static, S: 'static, M: Marker> Along<T> for Perhaps<'_, S, M> {
    type Marker = M;
    /// # Panics
    /// If the parameter is of another type. The value is of another type then, too, and so where that has come from the tangent is
    /// missed.
    #[inline]
    fn direction(&self) -> Option<&T> {
        let direction: &dyn Any = self.direction?;
        Some(direction.downcast_ref().expect(MISSED))
    }
}

impl<T: 'static, S: 'static, M: Marker> Along<[T]> for Perhaps<'_, S, M> {
    type Marker = M;
    /// # Panics
    /// If the parameter is of another type, as above.
    #[inline]
    fn direction(&self) -> Option<&[T]> {
        let direction: &dyn Any = self.direction?;
        Some(direction.downcast_ref::<Vec<T>>().expect(MISSED))
    }
}

/// A reference, and the value behind it.
#[derive(Debug)]
pub struct Referred<'r, T>(pub &'r T);

/// Found first.
pub trait FloatBehind<F> {
    /// The float.
    fn value(self) -> F;
}

/// Found last.
pub trait OtherBehind<T> {
    /// There is no derivative.
    fn value(self) -> T;
}

impl<T> OtherBehind<T> for &Referred<'_, T> {
    fn value(self) -> T {
        const { panic!("{}", MISSED) }
    }
}

/// An operator and the types of its operands.
#[derive(Debug)]
pub struct Operation<Operator, Left, Right>(PhantomData<(Operator, Left, Right)>);

/// The operation of two values.
#[inline]
pub fn operation<Operator, Left, Right>(_: &Left, _: &Right) -> Operation<Operator, Left, Right> {
    Operation(PhantomData)
}

/// Found last.
pub trait OfOthers<Left, Right>: Sized {
    /// There is none.
    fn binary<D, A, B, Output>(
        self,
        _left: Left,
        _left_direction: A,
        _right: Right,
        _right_direction: B,
        _operator: impl FnOnce(Left, Right) -> Output,
    ) -> (Output, D) {
        const { panic!("{}", MISSED) }
    }

    /// There is none.
    fn assign<D, A, B>(
        self,
        _left: &mut Left,
        _left_direction: A,
        _right: Right,
        _right_direction: B,
        _operator: impl FnOnce(&mut Left, Right),
    ) -> ((), ()) {
        const { panic!("{}", MISSED) }
    }

    /// There is none.
    fn unary<D, A, Output>(
        self,
        _value: Left,
        _direction: A,
        _operator: impl FnOnce(Left) -> Output,
    ) -> (Output, D) {
        const { panic!("{}", MISSED) }
    }
}

impl<Operator, Left, Right> OfOthers<Left, Right> for &Operation<Operator, Left, Right> {}

/// Derivatives weighted with a partial. One that is `strong` may be infinite.
#[inline]
fn weighted<D: Directions>(derivatives: D, partial: impl Into<f64>, strong: bool) -> D {
    if strong { derivatives.strongly(partial) } else { derivatives.times(partial) }
}

/// An operator of floats: its partials, and whether these may be infinite.
trait Partials<F> {
    const STRONG: [bool; 2];
    fn partials(left: F, right: F) -> [F; 2];
}

/// Found first.
pub trait OfFloats<F>: Sized {
    /// The result and its tangent.
    fn binary<D: Directions, A: Along<D>, B: Along<D>, Output>(
        self,
        left: F,
        left_direction: A,
        right: F,
        right_direction: B,
        operator: impl FnOnce(F, F) -> Output,
    ) -> (Output, D);
}

/// Found first.
pub trait AssignsFloats<F>: Sized {
    /// What is changed, and its tangent.
    fn assign<D: Directions, A: Slot<D>, B: Along<D>>(
        self,
        left: &mut F,
        left_direction: A,
        right: F,
        right_direction: B,
        operator: impl FnOnce(&mut F, F),
    ) -> ((), ());
}

/// Found first.
pub trait OfFloat<F>: Sized {
    /// The result and its tangent.
    fn unary<D: Directions, A: Along<D>, Output>(
        self,
        value: F,
        direction: A,
        operator: impl FnOnce(F) -> Output,
    ) -> (Output, D);
}

macro_rules! operators {
    ($float:ty: $($kind:ident $assign:ident $strong:expr, |$a:ident, $b:ident| $partials:expr;)*) => {
        $(
            impl Partials<$float> for kind::$kind {
                const STRONG: [bool; 2] = $strong;
                #[inline]
                fn partials($a: $float, $b: $float) -> [$float; 2] {
                    let _ = ($a, $b);
                    $partials
                }
            }

            impl OfFloats<$float> for Operation<kind::$kind, $float, $float> {
                #[inline]
                fn binary<D: Directions, A: Along<D>, B: Along<D>, Output>(
                    self,
                    left: $float,
                    left_direction: A,
                    right: $float,
                    right_direction: B,
                    operator: impl FnOnce($float, $float) -> Output,
                ) -> (Output, D) {
                    let [of_left, of_right] = kind::$kind::partials(left, right);
                    let [left_strong, right_strong] = <kind::$kind as Partials<$float>>::STRONG;
                    let of_left = left_direction
                        .direction()
                        .map(|direction| weighted(*direction, of_left, left_strong));
                    let of_right = right_direction
                        .direction()
                        .map(|direction| weighted(*direction, of_right, right_strong));
                    let tangent = match (of_left, of_right) {
                        (Some(left), Some(right)) => left.plus(right),
                        (Some(part), None) | (None, Some(part)) => part,
                        (None, None) => D::ZERO,
                    };
                    (operator(left, right), tangent)
                }
            }

            impl AssignsFloats<$float> for Operation<kind::$assign, $float, $float> {
                #[inline]
                fn assign<D: Directions, A: Slot<D>, B: Along<D>>(
                    self,
                    left: &mut $float,
                    mut left_direction: A,
                    right: $float,
                    right_direction: B,
                    operator: impl FnOnce(&mut $float, $float),
                ) -> ((), ()) {
                    let [of_left, of_right] = kind::$kind::partials(*left, right);
                    let [left_strong, right_strong] = <kind::$kind as Partials<$float>>::STRONG;
                    operator(left, right);
                    if let Some(tangent) = left_direction.bar() {
                        *tangent = weighted(*tangent, of_left, left_strong);
                        if let Some(direction) = right_direction.direction() {
                            *tangent = tangent.plus(weighted(*direction, of_right, right_strong));
                        }
                    }
                    ((), ())
                }
            }
        )*

        impl FloatBehind<$float> for Referred<'_, $float> {
            #[inline]
            fn value(self) -> $float {
                *self.0
            }
        }

        impl OfFloat<$float> for Operation<kind::Neg, $float, ()> {
            #[inline]
            fn unary<D: Directions, A: Along<D>, Output>(
                self,
                value: $float,
                direction: A,
                operator: impl FnOnce($float) -> Output,
            ) -> (Output, D) {
                let tangent = direction.direction().map_or(D::ZERO, |direction| direction.negative());
                (operator(value), tangent)
            }
        }
    };
}

macro_rules! floats {
    ($($float:ty)*) => {$(
        operators! {
            $float:
            Add AddAssign [false, false], |a, b| [1.0, 1.0];
            Sub SubAssign [false, false], |a, b| [1.0, -1.0];
            Mul MulAssign [true, true], |a, b| [b, a];
            Div DivAssign [true, true], |a, b| [1.0 / b, -(a / b / b)];
            Rem RemAssign [false, true], |a, b| [1.0, -((a - a % b) / b).round()];
        }
    )*};
}

floats! { f64 f32 }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::{Assign, Binary, Unary};

    const ALONG: [[f64; 3]; 2] = [[1.0, 0.0, -0.7], [0.0, 2.0, 0.3]];

    /// Each direction of an operator is, bit for bit, its tangent.
    macro_rules! each_direction {
        ($($kind:ident $assign:ident $op:tt)*) => {$(
            for [a, b] in [[1.5, -0.4], [-3.0, 0.0], [0.0, f64::INFINITY]] {
                let operation = operation::<kind::$kind, _, _>(&a, &b);
                let (value, tangents) =
                    operation.binary::<[f64; 3], _, _, _>(a, &ALONG[0], b, &ALONG[1], |a, b| a $op b);
                let mut changed = (a, ALONG[0]);
                super::operation::<kind::$assign, _, _>(&a, &b).assign::<[f64; 3], _, _>(
                    &mut changed.0, &mut changed.1, b, &ALONG[1], |a, b| { let before = *a; *a = before $op b },
                );
                assert_eq!(changed.0.to_bits(), value.to_bits());
                for k in 0..3 {
                    let (left, right) = (&ALONG[0][k], &ALONG[1][k]);
                    let (own, tangent) = Binary::<kind::$kind, _>::tangent(a, left, b, right);
                    assert_eq!(value.to_bits(), own.to_bits());
                    assert_eq!(tangents[k].to_bits(), tangent.to_bits(), "{a} {b} {k}");
                    let mut one = (a, *left);
                    Assign::<kind::$assign, _>::tangent(&mut one.0, &mut one.1, b, right);
                    // A sum of zeros may have the other sign.
                    assert!(changed.1[k].to_bits() == one.1.to_bits() || changed.1[k] == one.1);
                }
            }
        )*};
    }

    #[test]
    fn each_direction_of_an_operator_is_its_tangent() {
        each_direction! { Add AddAssign + Sub SubAssign - Mul MulAssign * Div DivAssign / Rem RemAssign % }
        let (value, tangents) =
            operation::<kind::Neg, _, _>(&2.0, &()).unary::<[f64; 3], _, _>(2.0, &ALONG[1], |a| -a);
        let one = Unary::<kind::Neg>::tangent(2.0, &0.3);
        assert_eq!((value, tangents[2]), one);
    }

    #[test]
    fn what_is_not_there_has_no_part() {
        let operation = operation::<kind::Mul, _, _>(&2.0_f32, &3.0_f32);
        let (value, tangents) =
            operation.binary::<[f64; 1], _, _, _>(2.0, (), 3.0, &[0.5], |a, b| a * b);
        assert_eq!((value, tangents), (6.0, [1.0]));
    }

    #[test]
    fn tangents_and_zeros_of_the_expected_types_are_found() {
        let slope = Slope([1.0], PhantomData::<[f64; 1]>).expected();
        assert_eq!(slope, [1.0]);
        let zero: [f64; 2] = Shaped(&5.0, PhantomData::<([f64; 2], [f64; 2])>).zero();
        assert_eq!(zero, [0.0; 2]);
        // That others are missed is said where they are, when code is generated.
        let _ = |text: &str| -> [f64; 1] { (&Slope(text, PhantomData)).expected() };
        let _ = |text: &String| -> [f64; 1] {
            Shaped(text, PhantomData::<([f64; 1], [f64; 1])>).zero()
        };
    }

    #[test]
    fn directions_are_passed_to_parameters_of_their_type() {
        fn passed<T: ?Sized + ToOwned>(along: impl Along<T>) -> Option<T::Owned> {
            along.direction().map(ToOwned::to_owned)
        }
        assert_eq!(passed::<[f64; 2]>(perhaps(&[1.0, 2.0])), Some([1.0, 2.0]));
        assert_eq!(passed::<[f64]>(perhaps(&vec![1.0, 2.0])), Some(vec![1.0, 2.0]));
        assert_eq!(passed::<[f64; 2]>(perhaps_along::<crate::Off, _>(&[1.0, 2.0])), None);
        assert!(std::panic::catch_unwind(|| passed::<f64>(perhaps(&[1.0]))).is_err());
    }
}
