//! Operators on references: `&a * &b` is another operator than `a * b`, and may do something else. So their adjoints are those of traits of
//! their own, by which of the operands are references. What the references refer to are the types of a trait, and bars are those of
//! what they refer to.

use crate::operator::{self, Binary, kind, operator_traits};
use crate::{Along, Differentiable, Marker, Placeholder, Scalar, Seed, Slot, Stack, Storable};
use std::marker::PhantomData;

operator_traits! {
    /// `&a * b`, with its adjoint.
    #[diagnostic::on_unimplemented(
        message = "this operator of `{Self}` and `{Rhs}` by reference has no adjoint",
        label = "the left operand is a reference",
        note = "an operator on references may do something else than the one on values",
        note = "annotate its `impl` with `#[adjoint]`, or write the operator on values, `*a * *b` or `a.clone() * b.clone()`; or mark the expression `#[passive]` if its derivative does not matter"
    )]
    Left: two(&Self, Rhs);

    /// `a * &b`, with its adjoint.
    #[diagnostic::on_unimplemented(
        message = "this operator of `{Self}` and `{Rhs}` by reference has no adjoint",
        label = "the right operand is a reference",
        note = "an operator on references may do something else than the one on values",
        note = "annotate its `impl` with `#[adjoint]`, or write the operator on values, `*a * *b` or `a.clone() * b.clone()`; or mark the expression `#[passive]` if its derivative does not matter"
    )]
    Right: two(Self, &Rhs);

    /// `&a * &b`, with its adjoint.
    #[diagnostic::on_unimplemented(
        message = "this operator of `{Self}` and `{Rhs}` by reference has no adjoint",
        label = "both operands are references",
        note = "an operator on references may do something else than the one on values",
        note = "annotate its `impl` with `#[adjoint]`, or write the operator on values, `*a * *b` or `a.clone() * b.clone()`; or mark the expression `#[passive]` if its derivative does not matter"
    )]
    Both: two(&Self, &Rhs);

    /// `-&a`, with its adjoint.
    #[diagnostic::on_unimplemented(
        message = "this operator of `&{Self}` has no adjoint",
        label = "the operand is a reference",
        note = "an operator on references may do something else than the one on values",
        note = "annotate its `impl` with `#[adjoint]`, or write the operator on values, `-*a` or `-a.clone()`; or mark the expression `#[passive]` if its derivative does not matter"
    )]
    Unary: one(&Self);

    /// `a += &b`, with its adjoint.
    #[diagnostic::on_unimplemented(
        message = "this operator of `{Self}` and `&{Rhs}` has no adjoint",
        label = "the right operand is a reference",
        note = "an operator on references may do something else than the one on values",
        note = "annotate its `impl` with `#[adjoint]`, or write the operator on values, `a += *b` or `a += b.clone()`; or mark the expression `#[passive]` if its derivative does not matter"
    )]
    Assign: changing(&Rhs);
}

/// Floats have the same operators by reference.
macro_rules! of_floats {
    ($($name:ident: $left:ty, $right:ty, |$a:ident, $b:ident| $left_value:expr, $right_value:expr;)*) => {$(
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

of_floats! {
    Left: &Self, Rhs, |a, b| *a, b;
    Right: Self, &Rhs, |a, b| a, *b;
    Both: &Self, &Rhs, |a, b| *a, *b;
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
