//! Operators in second derivatives: the tangent of `a + b` as a function of values and directions, with its adjoint. The adjoints of operators
//! are in [`operator`], and rustc finds these as it finds those, by the types of the operands.

use crate::operator::{self, kind, strong};
use crate::{Differentiable, Marker, Seed, Slot, Stack, Storable};
use std::marker::PhantomData;
use std::ops::{Add, AddAssign, Mul};

/// The bars of the value and of the tangent of a result.
type Bars<T> = (<T as Differentiable>::Bar, <T as Differentiable>::Bar);

/// An operator of two values, with second derivatives.
#[diagnostic::on_unimplemented(
    message = "this operator of `{Self}` and `{Rhs}` has no second derivatives",
    label = "no second derivatives",
    note = "annotate its `impl` with `#[adjoint(second_order)]`, or mark the expression `#[passive]` if its derivative does not matter"
)]
pub trait Binary<Operator, Rhs: Differentiable<Bar = Rhs>>:
    operator::Binary<Operator, Rhs> + Differentiable<Bar = Self>
{
    /// What the forward sweep hands to the backward sweep.
    type Stored: Storable;
    /// The value and the tangent.
    #[inline]
    fn primal(
        left: Self,
        left_direction: Self,
        right: Rhs,
        right_direction: Rhs,
    ) -> (Self::Output, Self::Output) {
        Self::tangent(left, &left_direction, right, &right_direction)
    }
    /// The forward sweep.
    #[allow(clippy::too_many_arguments, reason = "the signature of all forward sweeps")]
    fn forward<P: Marker, A: Marker, Along: Marker, B: Marker, AlongRight: Marker>(
        stack: &mut Stack,
        primal: P,
        left: Self,
        left_marker: A,
        left_direction: Self,
        left_direction_marker: Along,
        right: Rhs,
        right_marker: B,
        right_direction: Rhs,
        right_direction_marker: AlongRight,
    ) -> ((Self::Output, Self::Output), Self::Stored);
    /// The backward sweep.
    #[allow(clippy::too_many_arguments, reason = "the signature of all backward sweeps")]
    fn backward<P: Marker, A: Slot<Self>, Along: Slot<Self>, B: Slot<Rhs>, AlongRight: Slot<Rhs>>(
        stack: &mut Stack,
        primal: P,
        kept: Self::Stored,
        left: &Self,
        left_bar: A,
        left_direction: &Self,
        left_direction_bar: Along,
        right: &Rhs,
        right_bar: B,
        right_direction: &Rhs,
        right_direction_bar: AlongRight,
        seed: impl Seed<Bars<Self::Output>>,
    );
}

/// An operator of one value, with second derivatives.
#[diagnostic::on_unimplemented(
    message = "this operator of `{Self}` has no second derivatives",
    label = "no second derivatives",
    note = "annotate its `impl` with `#[adjoint(second_order)]`, or mark the expression `#[passive]` if its derivative does not matter"
)]
pub trait Unary<Operator>: operator::Unary<Operator> + Differentiable<Bar = Self> {
    /// What the forward sweep hands to the backward sweep.
    type Stored: Storable;
    /// The value and the tangent.
    #[inline]
    fn primal(value: Self, direction: Self) -> (Self::Output, Self::Output) {
        Self::tangent(value, &direction)
    }
    /// The forward sweep.
    fn forward<P: Marker, A: Marker, Along: Marker>(
        stack: &mut Stack,
        primal: P,
        value: Self,
        marker: A,
        direction: Self,
        direction_marker: Along,
    ) -> ((Self::Output, Self::Output), Self::Stored);
    /// The backward sweep.
    #[allow(clippy::too_many_arguments, reason = "the signature of all backward sweeps")]
    fn backward<P: Marker, A: Slot<Self>, Along: Slot<Self>>(
        stack: &mut Stack,
        primal: P,
        kept: Self::Stored,
        value: &Self,
        bar: A,
        direction: &Self,
        direction_bar: Along,
        seed: impl Seed<Bars<Self::Output>>,
    );
}

/// An operator that changes its left operand, with second derivatives.
#[diagnostic::on_unimplemented(
    message = "this operator of `{Self}` and `{Rhs}` has no second derivatives",
    label = "no second derivatives",
    note = "annotate its `impl` with `#[adjoint(second_order)]`, or mark the expression `#[passive]` if its derivative does not matter"
)]
pub trait Assign<Operator, Rhs: Differentiable<Bar = Rhs>>:
    operator::Assign<Operator, Rhs> + Differentiable<Bar = Self>
{
    /// What the forward sweep hands to the backward sweep.
    type Stored: Storable;
    /// Changes the value and its direction.
    #[inline]
    fn primal(left: &mut Self, left_direction: &mut Self, right: Rhs, right_direction: Rhs) {
        let ((), ()) = Self::tangent(left, left_direction, right, &right_direction);
    }
    /// The forward sweep.
    #[allow(clippy::too_many_arguments, reason = "the signature of all forward sweeps")]
    fn forward<P: Marker, A: Marker, Along: Marker, B: Marker, AlongRight: Marker>(
        stack: &mut Stack,
        primal: P,
        left: &mut Self,
        left_marker: A,
        left_direction: &mut Self,
        left_direction_marker: Along,
        right: Rhs,
        right_marker: B,
        right_direction: Rhs,
        right_direction_marker: AlongRight,
    ) -> ((), Self::Stored);
    /// The backward sweep, of which the bars of what was changed tell the type.
    #[allow(clippy::too_many_arguments, reason = "the signature of all backward sweeps")]
    fn backward<P: Marker, A: Slot<Self>, Along: Slot<Self>, B: Slot<Rhs>, AlongRight: Slot<Rhs>>(
        stack: &mut Stack,
        primal: P,
        kept: Self::Stored,
        left: PhantomData<Self>,
        left_bar: A,
        left_direction: PhantomData<Self>,
        left_direction_bar: Along,
        right: &Rhs,
        right_bar: B,
        right_direction: &Rhs,
        right_direction_bar: AlongRight,
        seed: impl Seed<()>,
    );
}

/// The partials of an operator of two floats, and those of the partials: with respect to the left operand twice, to both, to the right
/// one twice.
struct Partials<F> {
    left: F,
    right: F,
    twice_left: F,
    both: F,
    twice_right: F,
}

/// The partials of an operator of two floats.
trait Rule<Operator>: Sized {
    fn partials(left: Self, right: Self) -> Partials<Self>;
}

/// What the bars of the value and of the tangent add to those of the operands and of their directions.
struct Added<F> {
    left: F,
    along_left: F,
    right: F,
    along_right: F,
}

impl<F: Copy + PartialEq + Default + Add<Output = F> + Mul<Output = F>> Partials<F> {
    #[inline]
    fn weighted(self, (value, tangent): (F, F), along: [F; 2]) -> Added<F> {
        let [left, right] = along.map(|along| strong(tangent, along));
        Added {
            left: strong(value, self.left)
                + strong(left, self.twice_left)
                + strong(right, self.both),
            along_left: strong(tangent, self.left),
            right: strong(value, self.right)
                + strong(left, self.both)
                + strong(right, self.twice_right),
            along_right: strong(tangent, self.right),
        }
    }
}

/// Adds to a bar, if there is one.
#[inline]
fn add<F: AddAssign>(bar: Option<&mut F>, what: F) {
    if let Some(bar) = bar {
        *bar += what;
    }
}

/// One operator of one float, and its compound assignment, by the partials.
macro_rules! binary {
    ($float:ty, $kind:ident, $assign:ident, |$a:ident, $b:ident| $left:expr, $right:expr, $twice_left:expr, $both:expr, $twice_right:expr) => {
        impl Rule<kind::$kind> for $float {
            #[inline]
            fn partials($a: $float, $b: $float) -> Partials<$float> {
                let _ = ($a, $b);
                Partials {
                    left: $left,
                    right: $right,
                    twice_left: $twice_left,
                    both: $both,
                    twice_right: $twice_right,
                }
            }
        }

        impl Binary<kind::$kind, $float> for $float {
            type Stored = ();
            #[inline]
            fn forward<P: Marker, A: Marker, Along: Marker, B: Marker, AlongRight: Marker>(
                _: &mut Stack,
                _: P,
                left: $float,
                _: A,
                left_direction: $float,
                _: Along,
                right: $float,
                _: B,
                right_direction: $float,
                _: AlongRight,
            ) -> (($float, $float), ()) {
                let values = <$float as Binary<kind::$kind, $float>>::primal(
                    left,
                    left_direction,
                    right,
                    right_direction,
                );
                (values, ())
            }
            #[inline]
            fn backward<
                P: Marker,
                A: Slot<$float>,
                Along: Slot<$float>,
                B: Slot<$float>,
                AlongRight: Slot<$float>,
            >(
                _: &mut Stack,
                _: P,
                (): (),
                &left: &$float,
                mut left_bar: A,
                &left_direction: &$float,
                mut left_direction_bar: Along,
                &right: &$float,
                mut right_bar: B,
                &right_direction: &$float,
                mut right_direction_bar: AlongRight,
                seed: impl Seed<($float, $float)>,
            ) {
                let partials = <$float as Rule<kind::$kind>>::partials(left, right);
                let added = partials.weighted(seed.weight(), [left_direction, right_direction]);
                add(left_bar.bar(), added.left);
                add(left_direction_bar.bar(), added.along_left);
                add(right_bar.bar(), added.right);
                add(right_direction_bar.bar(), added.along_right);
            }
        }

        impl Assign<kind::$assign, $float> for $float {
            type Stored = ($float, $float);
            #[inline]
            fn forward<P: Marker, A: Marker, Along: Marker, B: Marker, AlongRight: Marker>(
                _: &mut Stack,
                _: P,
                left: &mut $float,
                _: A,
                left_direction: &mut $float,
                _: Along,
                right: $float,
                _: B,
                right_direction: $float,
                _: AlongRight,
            ) -> ((), ($float, $float)) {
                let before = (*left, *left_direction);
                <$float as Assign<kind::$assign, $float>>::primal(
                    left,
                    left_direction,
                    right,
                    right_direction,
                );
                ((), before)
            }
            #[inline]
            fn backward<
                P: Marker,
                A: Slot<$float>,
                Along: Slot<$float>,
                B: Slot<$float>,
                AlongRight: Slot<$float>,
            >(
                _: &mut Stack,
                _: P,
                (left, left_direction): ($float, $float),
                _: PhantomData<$float>,
                mut left_bar: A,
                _: PhantomData<$float>,
                mut left_direction_bar: Along,
                &right: &$float,
                mut right_bar: B,
                &right_direction: &$float,
                mut right_direction_bar: AlongRight,
                _: impl Seed<()>,
            ) {
                let partials = <$float as Rule<kind::$kind>>::partials(left, right);
                let value = left_bar.bar().map_or(0.0, |bar| *bar);
                let tangent = left_direction_bar.bar().map_or(0.0, |bar| *bar);
                let added = partials.weighted((value, tangent), [left_direction, right_direction]);
                if let Some(bar) = left_bar.bar() {
                    *bar = added.left;
                }
                if let Some(bar) = left_direction_bar.bar() {
                    *bar = added.along_left;
                }
                add(right_bar.bar(), added.right);
                add(right_direction_bar.bar(), added.along_right);
            }
        }
    };
}

macro_rules! floats {
    ($($float:ty)*) => {$(
        binary!($float, Add, AddAssign, |a, b| 1.0, 1.0, 0.0, 0.0, 0.0);
        binary!($float, Sub, SubAssign, |a, b| 1.0, -1.0, 0.0, 0.0, 0.0);
        binary!($float, Mul, MulAssign, |a, b| b, a, 0.0, 1.0, 0.0);
        binary!($float, Div, DivAssign, |a, b| 1.0 / b, -(a / b / b), 0.0, -(1.0 / b / b), 2.0 * (a / b / b / b));
        binary!($float, Rem, RemAssign, |a, b| 1.0, -((a - a % b) / b).round(), 0.0, 0.0, 0.0);

        impl Unary<kind::Neg> for $float {
            type Stored = ();
            #[inline]
            fn forward<P: Marker, A: Marker, Along: Marker>(
                _: &mut Stack,
                _: P,
                value: $float,
                _: A,
                direction: $float,
                _: Along,
            ) -> (($float, $float), ()) {
                ((-value, -direction), ())
            }
            #[inline]
            fn backward<P: Marker, A: Slot<$float>, Along: Slot<$float>>(
                _: &mut Stack,
                _: P,
                (): (),
                _: &$float,
                mut bar: A,
                _: &$float,
                mut direction_bar: Along,
                seed: impl Seed<($float, $float)>,
            ) {
                let (value, tangent): ($float, $float) = seed.weight();
                add(bar.bar(), -value);
                add(direction_bar.bar(), -tangent);
            }
        }
    )*};
}

floats! { f64 f32 }
