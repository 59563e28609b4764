//! Operators: rustc finds the adjoint of `a + b` by the types of the operands, which the macro cannot
//! see. Those of floats are here; for their own types users annotate the `impl` of the operator.

use crate::{Along, Differentiable, Marker, Placeholder, Seed, Slot, Stack, Storable};
use std::marker::PhantomData;

/// The operators of the language, as types.
pub mod kind {
    macro_rules! kinds {
        ($($name:ident)*) => {$(
            #[doc = concat!("`", stringify!($name), "` of `std::ops`.")]
            #[derive(Clone, Copy, Debug)]
            pub struct $name;
        )*};
    }

    kinds! {
        Add Sub Mul Div Rem Neg AddAssign SubAssign MulAssign DivAssign RemAssign
        BitAnd BitOr BitXor Shl Shr Not BitAndAssign BitOrAssign BitXorAssign ShlAssign ShrAssign
    }
}

/// What is said where a tangent is asked for, and there are none.
pub(crate) const WITHOUT_TANGENTS: &str =
    "tangents are switched off: they are the feature `tangent` of the library";

/// The trait of an operator with its adjoint, by how it takes its operands: as values, or as references, of which `Self` and `Rhs` are what
/// they refer to.
macro_rules! operator_traits {
    ($($(#[$about:meta])* $name:ident: $form:ident($($operand:ty),*);)*) => {$(
        operator_traits! { @$form [$(#[$about])*] $name($($operand),*) }
    )*};
    (@two [$($about:tt)*] $name:ident($left:ty, $right:ty)) => {
        $($about)*
        pub trait $name<Operator, Rhs: Differentiable>: Differentiable + Sized {
            /// The type of the result.
            type Output: Differentiable;
            /// What the forward sweep hands to the backward sweep.
            type Kept: Storable + Placeholder;
            /// The forward sweep.
            fn forward<P: Marker, A: Marker, B: Marker>(
                stack: &mut Stack,
                primal: P,
                left: $left,
                left_marker: A,
                right: $right,
                right_marker: B,
            ) -> (Self::Output, Self::Kept);
            /// The backward sweep.
            #[allow(clippy::too_many_arguments, reason = "the signature of all backward sweeps")]
            fn backward<P: Marker, A: Slot<Self::Bar>, B: Slot<Rhs::Bar>>(
                stack: &mut Stack,
                primal: P,
                kept: Self::Kept,
                left: &Self,
                left_bar: A,
                right: &Rhs,
                right_bar: B,
                seed: impl Seed<<Self::Output as Differentiable>::Bar>,
            );
            /// The tangent.
            fn tangent<A: Along<Self>, B: Along<Rhs>>(
                _left: $left,
                _left_direction: A,
                _right: $right,
                _right_direction: B,
            ) -> (Self::Output, Self::Output) {
                const { panic!("{}", $crate::operator::WITHOUT_TANGENTS) }
            }
        }
    };
    (@one [$($about:tt)*] $name:ident($value:ty)) => {
        $($about)*
        pub trait $name<Operator>: Differentiable + Sized {
            /// The type of the result.
            type Output: Differentiable;
            /// What the forward sweep hands to the backward sweep.
            type Kept: Storable + Placeholder;
            /// The forward sweep.
            fn forward<P: Marker, A: Marker>(
                stack: &mut Stack,
                primal: P,
                value: $value,
                marker: A,
            ) -> (Self::Output, Self::Kept);
            /// The backward sweep.
            fn backward<P: Marker, A: Slot<Self::Bar>>(
                stack: &mut Stack,
                primal: P,
                kept: Self::Kept,
                value: &Self,
                bar: A,
                seed: impl Seed<<Self::Output as Differentiable>::Bar>,
            );
            /// The tangent.
            fn tangent<A: Along<Self>>(_value: $value, _direction: A) -> (Self::Output, Self::Output) {
                const { panic!("{}", $crate::operator::WITHOUT_TANGENTS) }
            }
        }
    };
    (@changing [$($about:tt)*] $name:ident($right:ty)) => {
        $($about)*
        pub trait $name<Operator, Rhs: Differentiable>: Differentiable + Sized {
            /// What the forward sweep hands to the backward sweep.
            type Kept: Storable + Placeholder;
            /// The forward sweep.
            fn forward<P: Marker, A: Marker, B: Marker>(
                stack: &mut Stack,
                primal: P,
                left: &mut Self,
                left_marker: A,
                right: $right,
                right_marker: B,
            ) -> ((), Self::Kept);
            /// The backward sweep, of which the bar of what was changed tells the type.
            #[allow(clippy::too_many_arguments, reason = "the signature of all backward sweeps")]
            fn backward<P: Marker, A: Slot<Self::Bar>, B: Slot<Rhs::Bar>>(
                stack: &mut Stack,
                primal: P,
                kept: Self::Kept,
                left: PhantomData<Self>,
                left_bar: A,
                right: &Rhs,
                right_bar: B,
                seed: impl Seed<()>,
            );
            /// The tangent.
            fn tangent<A: Slot<Self>, B: Along<Rhs>>(
                _left: &mut Self,
                _left_direction: A,
                _right: $right,
                _right_direction: B,
            ) -> ((), ()) {
                const { panic!("{}", $crate::operator::WITHOUT_TANGENTS) }
            }
        }
    };
}
pub(crate) use operator_traits;

operator_traits! {
    /// An operator of two values, with its adjoint.
    #[diagnostic::on_unimplemented(
        message = "this operator of `{Self}` and `{Rhs}` has no adjoint",
        label = "no adjoint",
        note = "annotate its `impl` with `#[adjoint]`, or mark the expression `#[passive]` if its derivative does not matter"
    )]
    Binary: two(Self, Rhs);

    /// An operator of one value, with its adjoint.
    #[diagnostic::on_unimplemented(
        message = "this operator of `{Self}` has no adjoint",
        label = "no adjoint",
        note = "annotate its `impl` with `#[adjoint]`, or mark the expression `#[passive]` if its derivative does not matter"
    )]
    Unary: one(Self);

    /// An operator that changes its left operand, with its adjoint.
    #[diagnostic::on_unimplemented(
        message = "this operator of `{Self}` and `{Rhs}` has no adjoint",
        label = "no adjoint",
        note = "annotate its `impl` with `#[adjoint]`, or mark the expression `#[passive]` if its derivative does not matter"
    )]
    Assign: changing(Rhs);
}

/// Operands of an operator of which at least one was a reference. For types of users the operator on references may be another one
/// than that on values, which is the one that has an adjoint.
#[diagnostic::on_unimplemented(
    message = "an operator on references has no adjoint: it may do something else than the one on values",
    label = "an operand is a reference",
    note = "write the operator on values, `*a * *b`, or `a.clone() * b.clone()` if they are not `Copy`; or mark the expression `#[passive]` if its derivative does not matter"
)]
pub trait OnReferences<Rhs> {}

impl OnReferences<f64> for f64 {}
impl OnReferences<f32> for f32 {}
impl OnReferences<()> for f64 {}
impl OnReferences<()> for f32 {}

/// Proves that an operator on references is that on values.
#[inline(always)]
pub fn on_references<L: OnReferences<R>, R>(_: &L, _: &R) {}

/// The type of a value.
#[inline(always)]
pub fn type_of<T>(_: &T) -> PhantomData<T> {
    PhantomData
}

/// A factor that is infinite or undefined counts as zero where the weight is zero.
#[inline]
pub(crate) fn strong<T: PartialEq + Default + std::ops::Mul<Output = T>>(
    weight: T,
    factor: T,
) -> T {
    if weight == T::default() { T::default() } else { weight * factor }
}

/// One operator of one float: the value, and what is added to the bars of the operands.
macro_rules! binary {
    ($float:ty, $kind:ident, |$a:ident, $b:ident, $weight:ident| $value:expr, $left:expr, $right:expr) => {
        impl Binary<kind::$kind, $float> for $float {
            type Output = $float;
            type Kept = ();
            #[inline]
            fn forward<P: Marker, A: Marker, B: Marker>(
                _: &mut Stack,
                _: P,
                $a: $float,
                _: A,
                $b: $float,
                _: B,
            ) -> ($float, ()) {
                ($value, ())
            }
            #[inline]
            fn backward<P: Marker, A: Slot<$float>, B: Slot<$float>>(
                _: &mut Stack,
                _: P,
                (): (),
                &$a: &$float,
                mut left_bar: A,
                &$b: &$float,
                mut right_bar: B,
                seed: impl Seed<$float>,
            ) {
                let $weight: $float = seed.weight();
                let _ = ($a, $b);
                if let Some(bar) = left_bar.bar() {
                    *bar += $left;
                }
                if let Some(bar) = right_bar.bar() {
                    *bar += $right;
                }
            }
            #[inline]
            fn tangent<A: Along<$float>, B: Along<$float>>(
                $a: $float,
                left: A,
                $b: $float,
                right: B,
            ) -> ($float, $float) {
                let left = left.direction().map(|&$weight| $left);
                let right = right.direction().map(|&$weight| $right);
                let tangent = match (left, right) {
                    (Some(left), Some(right)) => left + right,
                    (Some(part), None) | (None, Some(part)) => part,
                    (None, None) => 0.0,
                };
                ($value, tangent)
            }
        }
    };
}

/// One compound assignment of one float. What was overwritten is kept.
macro_rules! assign {
    ($float:ty, $kind:ident, |$a:ident, $b:ident, $weight:ident| $value:expr, $left:expr, $right:expr) => {
        impl Assign<kind::$kind, $float> for $float {
            type Kept = $float;
            #[inline]
            fn forward<P: Marker, A: Marker, B: Marker>(
                _: &mut Stack,
                _: P,
                left: &mut $float,
                _: A,
                $b: $float,
                _: B,
            ) -> ((), $float) {
                let $a = *left;
                *left = $value;
                ((), $a)
            }
            #[inline]
            fn backward<P: Marker, A: Slot<$float>, B: Slot<$float>>(
                _: &mut Stack,
                _: P,
                $a: $float,
                _: PhantomData<$float>,
                mut left_bar: A,
                &$b: &$float,
                mut right_bar: B,
                _: impl Seed<()>,
            ) {
                let _ = ($a, $b);
                let Some(left) = left_bar.bar() else { return };
                let $weight = std::mem::take(left);
                *left = $left;
                if let Some(bar) = right_bar.bar() {
                    *bar += $right;
                }
            }
            #[inline]
            fn tangent<A: Slot<$float>, B: Along<$float>>(
                left: &mut $float,
                mut left_direction: A,
                $b: $float,
                right_direction: B,
            ) -> ((), ()) {
                let $a = *left;
                *left = $value;
                if let Some(direction) = left_direction.bar() {
                    let $weight = std::mem::take(direction);
                    *direction = $left;
                    if let Some(&$weight) = right_direction.direction() {
                        *direction += $right;
                    }
                }
                ((), ())
            }
        }
    };
}

macro_rules! floats {
    ($($float:ty)*) => {$(
        binary!($float, Add, |a, b, w| a + b, w, w);
        binary!($float, Sub, |a, b, w| a - b, w, -w);
        binary!($float, Mul, |a, b, w| a * b, strong(w, b), strong(w, a));
        binary!($float, Div, |a, b, w| a / b, strong(w, 1.0 / b), -strong(w, a / b / b));
        binary!($float, Rem, |a, b, w| a % b, w, -strong(w, ((a - a % b) / b).round()));
        assign!($float, AddAssign, |a, b, w| a + b, w, w);
        assign!($float, SubAssign, |a, b, w| a - b, w, -w);
        assign!($float, MulAssign, |a, b, w| a * b, strong(w, b), strong(w, a));
        assign!($float, DivAssign, |a, b, w| a / b, strong(w, 1.0 / b), -strong(w, a / b / b));
        assign!($float, RemAssign, |a, b, w| a % b, w, -strong(w, ((a - a % b) / b).round()));

        impl Unary<kind::Neg> for $float {
            type Output = $float;
            type Kept = ();
            #[inline]
            fn forward<P: Marker, A: Marker>(_: &mut Stack, _: P, value: $float, _: A) -> ($float, ()) {
                (-value, ())
            }
            #[inline]
            fn backward<P: Marker, A: Slot<$float>>(
                _: &mut Stack,
                _: P,
                (): (),
                _: &$float,
                mut bar: A,
                seed: impl Seed<$float>,
            ) {
                let weight: $float = seed.weight();
                if let Some(bar) = bar.bar() {
                    *bar -= weight;
                }
            }
            #[inline]
            fn tangent<A: Along<$float>>(value: $float, direction: A) -> ($float, $float) {
                (-value, direction.direction().map_or(0.0, |direction| -direction))
            }
        }
    )*};
}

floats! { f64 f32 }
