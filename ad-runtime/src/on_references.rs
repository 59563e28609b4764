//! Operators on references: `&a * &b` is another operator than `a * b`, and may do something else. So their adjoints are those of traits of
//! their own, by which of the operands are references. What the references refer to are the types of a trait, and bars are those of
//! what they refer to.

use crate::operator::{self, Binary, WITHOUT_TANGENTS, kind};
use crate::{Along, Differentiable, Marker, Scalar, Seed, Slot, Stack, Storable};
use std::marker::PhantomData;

/// An operator of two operands, of which at least one is a reference, with its adjoint.
macro_rules! binary {
    ($(#[doc = $doc:literal] $name:ident($left_text:literal): $left:ty, $right:ty, |$a:ident, $b:ident| $left_value:expr, $right_value:expr;)*) => {$(
        #[doc = $doc]
        #[diagnostic::on_unimplemented(
            message = "this operator of `{Self}` and `{Rhs}` by reference has no adjoint",
            label = $left_text,
            note = "an operator on references may do something else than the one on values",
            note = "annotate its `impl` with `#[adjoint]`, or write the operator on values, `*a * *b` or `a.clone() * b.clone()`; or mark the expression `#[passive]` if its derivative does not matter"
        )]
        pub trait $name<Operator, Rhs: Differentiable>: Differentiable + Sized {
            /// The type of the result.
            type Output: Differentiable;
            /// What the forward sweep hands to the backward sweep.
            type Kept: Storable;
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
                const { panic!("{}", WITHOUT_TANGENTS) }
            }
        }

        /// Floats have the same operators by reference.
        #[diagnostic::do_not_recommend]
        impl<Operator, T: Scalar + Binary<Operator, Rhs>, Rhs: Scalar> $name<Operator, Rhs> for T {
            type Output = <T as Binary<Operator, Rhs>>::Output;
            type Kept = <T as Binary<Operator, Rhs>>::Kept;
            #[inline]
            fn forward<P: Marker, A: Marker, B: Marker>(
                stack: &mut Stack,
                primal: P,
                $a: $left,
                left_marker: A,
                $b: $right,
                right_marker: B,
            ) -> (Self::Output, Self::Kept) {
                let (left, right) = ($left_value, $right_value);
                <T as Binary<Operator, Rhs>>::forward(stack, primal, left, left_marker, right, right_marker)
            }
            #[inline]
            fn backward<P: Marker, A: Slot<Self::Bar>, B: Slot<Rhs::Bar>>(
                stack: &mut Stack,
                primal: P,
                kept: Self::Kept,
                left: &Self,
                left_bar: A,
                right: &Rhs,
                right_bar: B,
                seed: impl Seed<<Self::Output as Differentiable>::Bar>,
            ) {
                <T as Binary<Operator, Rhs>>::backward(
                    stack, primal, kept, left, left_bar, right, right_bar, seed,
                );
            }
            #[inline]
            fn tangent<A: Along<Self>, B: Along<Rhs>>(
                $a: $left,
                left_direction: A,
                $b: $right,
                right_direction: B,
            ) -> (Self::Output, Self::Output) {
                let (left, right) = ($left_value, $right_value);
                <T as Binary<Operator, Rhs>>::tangent(left, left_direction, right, right_direction)
            }
        }
    )*};
}

binary! {
    /// `&a * b`, with its adjoint.
    Left("the left operand is a reference"):
        &Self, Rhs, |a, b| *a, b;
    /// `a * &b`, with its adjoint.
    Right("the right operand is a reference"):
        Self, &Rhs, |a, b| a, *b;
    /// `&a * &b`, with its adjoint.
    Both("both operands are references"):
        &Self, &Rhs, |a, b| *a, *b;
}

/// `-&a`, with its adjoint.
#[diagnostic::on_unimplemented(
    message = "this operator of `&{Self}` has no adjoint",
    label = "the operand is a reference",
    note = "an operator on references may do something else than the one on values",
    note = "annotate its `impl` with `#[adjoint]`, or write the operator on values, `-*a` or `-a.clone()`; or mark the expression `#[passive]` if its derivative does not matter"
)]
pub trait Unary<Operator>: Differentiable + Sized {
    /// The type of the result.
    type Output: Differentiable;
    /// What the forward sweep hands to the backward sweep.
    type Kept: Storable;
    /// The forward sweep.
    fn forward<P: Marker, A: Marker>(
        stack: &mut Stack,
        primal: P,
        value: &Self,
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
    fn tangent<A: Along<Self>>(_value: &Self, _direction: A) -> (Self::Output, Self::Output) {
        const { panic!("{}", WITHOUT_TANGENTS) }
    }
}

#[diagnostic::do_not_recommend]
impl<Operator, T: Scalar + operator::Unary<Operator>> Unary<Operator> for T {
    type Output = <T as operator::Unary<Operator>>::Output;
    type Kept = <T as operator::Unary<Operator>>::Kept;
    #[inline]
    fn forward<P: Marker, A: Marker>(
        stack: &mut Stack,
        primal: P,
        value: &Self,
        marker: A,
    ) -> (Self::Output, Self::Kept) {
        <T as operator::Unary<Operator>>::forward(stack, primal, *value, marker)
    }
    #[inline]
    fn backward<P: Marker, A: Slot<Self::Bar>>(
        stack: &mut Stack,
        primal: P,
        kept: Self::Kept,
        value: &Self,
        bar: A,
        seed: impl Seed<<Self::Output as Differentiable>::Bar>,
    ) {
        <T as operator::Unary<Operator>>::backward(stack, primal, kept, value, bar, seed);
    }
    #[inline]
    fn tangent<A: Along<Self>>(value: &Self, direction: A) -> (Self::Output, Self::Output) {
        <T as operator::Unary<Operator>>::tangent(*value, direction)
    }
}

/// `a += &b`, with its adjoint.
#[diagnostic::on_unimplemented(
    message = "this operator of `{Self}` and `&{Rhs}` has no adjoint",
    label = "the right operand is a reference",
    note = "an operator on references may do something else than the one on values",
    note = "annotate its `impl` with `#[adjoint]`, or write the operator on values, `a += *b` or `a += b.clone()`; or mark the expression `#[passive]` if its derivative does not matter"
)]
pub trait Assign<Operator, Rhs: Differentiable>: Differentiable + Sized {
    /// What the forward sweep hands to the backward sweep.
    type Kept: Storable;
    /// The forward sweep.
    fn forward<P: Marker, A: Marker, B: Marker>(
        stack: &mut Stack,
        primal: P,
        left: &mut Self,
        left_marker: A,
        right: &Rhs,
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
        _right: &Rhs,
        _right_direction: B,
    ) -> ((), ()) {
        const { panic!("{}", WITHOUT_TANGENTS) }
    }
}

#[diagnostic::do_not_recommend]
impl<Operator, T: Scalar + operator::Assign<Operator, T>> Assign<Operator, T> for T {
    type Kept = <T as operator::Assign<Operator, T>>::Kept;
    #[inline]
    fn forward<P: Marker, A: Marker, B: Marker>(
        stack: &mut Stack,
        primal: P,
        left: &mut Self,
        left_marker: A,
        right: &T,
        right_marker: B,
    ) -> ((), Self::Kept) {
        <T as operator::Assign<Operator, T>>::forward(
            stack,
            primal,
            left,
            left_marker,
            *right,
            right_marker,
        )
    }
    #[inline]
    fn backward<P: Marker, A: Slot<Self::Bar>, B: Slot<T::Bar>>(
        stack: &mut Stack,
        primal: P,
        kept: Self::Kept,
        left: PhantomData<Self>,
        left_bar: A,
        right: &T,
        right_bar: B,
        seed: impl Seed<()>,
    ) {
        <T as operator::Assign<Operator, T>>::backward(
            stack, primal, kept, left, left_bar, right, right_bar, seed,
        );
    }
    #[inline]
    fn tangent<A: Slot<Self>, B: Along<T>>(
        left: &mut Self,
        left_direction: A,
        right: &T,
        right_direction: B,
    ) -> ((), ()) {
        <T as operator::Assign<Operator, T>>::tangent(left, left_direction, *right, right_direction)
    }
}

/// An operator and the types of its operands.
#[derive(Debug)]
pub struct Operands<Operator, Left, Right>(PhantomData<(Operator, Left, Right)>);

/// The operands of an operator, by references to them.
#[inline(always)]
pub fn operands<Operator, Left, Right>(_: &Left, _: &Right) -> Operands<Operator, Left, Right> {
    Operands(PhantomData)
}

/// The only operand of an operator.
#[inline(always)]
pub fn operand<Operator, Value>(_: &Value) -> Operands<Operator, Value, ()> {
    Operands(PhantomData)
}

/// Operands that have the operator. With [`NoOperator`] in scope the method is ambiguous for these.
pub trait HasOperator {
    /// Never called.
    fn has_no_operator(&self) {}
}

/// All operands.
pub trait NoOperator {
    /// Never called.
    fn has_no_operator(&self) {}
}

impl<Operator, Left, Right> NoOperator for Operands<Operator, Left, Right> {}

macro_rules! have_operators {
    ($($kind:ident)*; $($unary:ident)*) => {
        $(
            impl<L: std::ops::$kind<R>, R> HasOperator for Operands<kind::$kind, L, R> {}
        )*
        $(
            impl<T: std::ops::$unary> HasOperator for Operands<kind::$unary, T, ()> {}
        )*
    };
}

have_operators! {
    Add Sub Mul Div Rem BitAnd BitOr BitXor Shl Shr
    AddAssign SubAssign MulAssign DivAssign RemAssign
    BitAndAssign BitOrAssign BitXorAssign ShlAssign ShrAssign;
    Neg Not
}
