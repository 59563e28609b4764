//! The sweeps of operators with rules, for operands by value and by reference.

use super::{BinaryRule, weight_of};
use crate::{Differentiable, Placeholder, Storable, Vector};

/// What an operator that assigns keeps of what it overwrites.
pub trait Keeps<L: Differentiable<Bar = L>> {
    /// What is kept.
    type Kept: Storable + Placeholder;
    /// Keeps it.
    fn keep(left: &L) -> Self::Kept;
    /// Pulls the bar of what was written back to those of the operands.
    fn pull<Operator, R: Differentiable>(
        kept: Self::Kept,
        bar: &mut L,
        right: &R,
        right_bar: Option<&mut R::Bar>,
    ) where
        L: BinaryRule<Operator, R, Output = L>;
}

/// All of it.
#[derive(Debug)]
pub struct Overwritten;

impl<L: Differentiable<Bar = L> + Vector + Storable + Placeholder + Clone + PartialEq> Keeps<L>
    for Overwritten
{
    type Kept = L;
    #[inline]
    fn keep(left: &L) -> L {
        left.clone()
    }
    #[inline]
    fn pull<Operator, R: Differentiable>(
        kept: L,
        bar: &mut L,
        right: &R,
        right_bar: Option<&mut R::Bar>,
    ) where
        L: BinaryRule<Operator, R, Output = L>,
    {
        if let Some(weight) = weight_of(bar.clone()) {
            bar.set_zero();
            L::pullback(&kept, right, &weight, Some(bar), right_bar);
        }
    }
}

/// Nothing: the bar is the same before and after, and no partial reads what was overwritten.
#[cfg(any(feature = "nalgebra", feature = "ndarray"))]
#[derive(Debug)]
pub struct Nothing;

#[cfg(any(feature = "nalgebra", feature = "ndarray"))]
impl<L: Differentiable<Bar = L>> Keeps<L> for Nothing {
    type Kept = ();
    #[inline]
    fn keep(_: &L) {}
    #[inline]
    fn pull<Operator, R: Differentiable>(
        (): (),
        bar: &mut L,
        right: &R,
        right_bar: Option<&mut R::Bar>,
    ) where
        L: BinaryRule<Operator, R, Output = L>,
    {
        // Something of the type stands for what is not read.
        L::pullback(bar, right, bar, None, right_bar);
    }
}

/// Those of an operator of two values, in the forms that there are.
macro_rules! binary {
    ($params:tt $bounds:tt [$($form:ident)*] $left:ty, $right:ty, $output:ty, $kind:ident, $op:tt) => {$(
        $crate::rules::operators::binary! {
            @$form($left, $right) [$params $bounds $left, $right, $output, $kind, $op]
        }
    )*};
    (@Values($left:ty, $right:ty) $rule:tt) => {
        $crate::rules::operators::binary! { @operator::Binary($left, $right) $rule }
    };
    (@Left($left:ty, $right:ty) $rule:tt) => {
        $crate::rules::operators::binary! { @on_references::Left(&$left, $right) $rule }
    };
    (@Right($left:ty, $right:ty) $rule:tt) => {
        $crate::rules::operators::binary! { @on_references::Right($left, &$right) $rule }
    };
    (@Both($left:ty, $right:ty) $rule:tt) => {
        $crate::rules::operators::binary! { @on_references::Both(&$left, &$right) $rule }
    };
    (@$module:ident::$of_trait:ident($a:ty, $b:ty) [{ $($params:tt)* } { $($bounds:tt)* } $left:ty, $right:ty, $output:ty, $kind:ident, $op:tt]) => {
        impl<$($params)*> $crate::$module::$of_trait<$crate::operator::kind::$kind, $right> for $left
        where
            $($bounds)*
        {
            type Output = $output;
            type Kept = ();
            #[inline]
            fn forward<P: $crate::Marker, A: $crate::Marker, B: $crate::Marker>(
                _: &mut $crate::Stack,
                _: P,
                left: $a,
                _: A,
                right: $b,
                _: B,
            ) -> ($output, ()) {
                (left $op right, ())
            }
            #[inline]
            fn backward<
                P: $crate::Marker,
                A: $crate::Slot<<$left as $crate::Differentiable>::Bar>,
                B: $crate::Slot<<$right as $crate::Differentiable>::Bar>,
            >(
                _: &mut $crate::Stack,
                _: P,
                (): (),
                left: &$left,
                mut left_bar: A,
                right: &$right,
                mut right_bar: B,
                seed: impl $crate::Seed<$output>,
            ) {
                if let Some(weight) = $crate::rules::weight_of(seed) {
                    let (left_bar, right_bar) = (left_bar.bar(), right_bar.bar());
                    <$left as $crate::rules::BinaryRule<$crate::operator::kind::$kind, $right>>::pullback(
                        left, right, &weight, left_bar, right_bar,
                    );
                }
            }
            #[inline]
            fn tangent<A: $crate::Along<$left>, B: $crate::Along<$right>>(
                left: $a,
                left_direction: A,
                right: $b,
                right_direction: B,
            ) -> ($output, $output) {
                let result = <$a as std::clone::Clone>::clone(&left) $op <$b as std::clone::Clone>::clone(&right);
                let tangent =
                    <$left as $crate::rules::BinaryRule<$crate::operator::kind::$kind, $right>>::pushforward(
                        std::borrow::Borrow::<$left>::borrow(&left),
                        std::borrow::Borrow::<$right>::borrow(&right),
                        &result,
                        left_direction.direction(),
                        right_direction.direction(),
                    );
                (result, tangent)
            }
        }
    };
}
pub(crate) use binary;

/// Those of an operator that assigns, by the rule of the one that does not.
macro_rules! assign {
    ($kept:ident $params:tt $bounds:tt [$($form:ident)*] $left:ty, $right:ty, $kind:ident, $assign:ident, $op:ident) => {$(
        $crate::rules::operators::assign! {
            @$form($right) $kept [$params $bounds $left, $right, $kind, $assign, $op]
        }
    )*};
    (@Values($right:ty) $kept:ident $rule:tt) => {
        $crate::rules::operators::assign! { @operator::Assign($right) $kept $rule }
    };
    (@Right($right:ty) $kept:ident $rule:tt) => {
        $crate::rules::operators::assign! { @on_references::Assign(&$right) $kept $rule }
    };
    // The left operand is changed.
    (@Left($right:ty) $kept:ident $rule:tt) => {};
    (@Both($right:ty) $kept:ident $rule:tt) => {};
    (@$module:ident::$of_trait:ident($b:ty) $kept:ident [{ $($params:tt)* } { $($bounds:tt)* } $left:ty, $right:ty, $kind:ident, $assign:ident, $op:ident]) => {
        impl<$($params)*> $crate::$module::$of_trait<$crate::operator::kind::$kind, $right> for $left
        where
            $($bounds)*
        {
            type Kept = <$crate::rules::operators::$kept as $crate::rules::operators::Keeps<$left>>::Kept;
            #[inline]
            fn forward<P: $crate::Marker, A: $crate::Marker, B: $crate::Marker>(
                _: &mut $crate::Stack,
                _: P,
                left: &mut $left,
                _: A,
                right: $b,
                _: B,
            ) -> ((), Self::Kept) {
                let kept = <$crate::rules::operators::$kept as $crate::rules::operators::Keeps<$left>>::keep(left);
                <$left as std::ops::$kind<$b>>::$assign(left, right);
                ((), kept)
            }
            #[inline]
            fn backward<
                P: $crate::Marker,
                A: $crate::Slot<<$left as $crate::Differentiable>::Bar>,
                B: $crate::Slot<<$right as $crate::Differentiable>::Bar>,
            >(
                _: &mut $crate::Stack,
                _: P,
                kept: Self::Kept,
                _: std::marker::PhantomData<$left>,
                mut left_bar: A,
                right: &$right,
                mut right_bar: B,
                _: impl $crate::Seed<()>,
            ) {
                if let Some(bar) = left_bar.bar() {
                    <$crate::rules::operators::$kept as $crate::rules::operators::Keeps<$left>>::pull::<
                        $crate::operator::kind::$op,
                        $right,
                    >(kept, bar, right, right_bar.bar());
                }
            }
            #[inline]
            fn tangent<A: $crate::Slot<$left>, B: $crate::Along<$right>>(
                left: &mut $left,
                mut left_direction: A,
                right: $b,
                right_direction: B,
            ) -> ((), ()) {
                let before = std::clone::Clone::clone(left);
                let right_value = std::clone::Clone::clone(std::borrow::Borrow::<$right>::borrow(&right));
                <$left as std::ops::$kind<$b>>::$assign(left, right);
                if let Some(direction) = left_direction.bar() {
                    let along = std::clone::Clone::clone(direction);
                    *direction =
                        <$left as $crate::rules::BinaryRule<$crate::operator::kind::$op, $right>>::pushforward(
                            &before, &right_value, left, Some(&along), right_direction.direction(),
                        );
                }
                ((), ())
            }
        }
    };
}
pub(crate) use assign;

/// Those of an operator of one value.
macro_rules! unary {
    ($params:tt $bounds:tt [$($form:ident)*] $value:ty, $output:ty, $kind:ident, $op:tt) => {$(
        $crate::rules::operators::unary! { @$form($value) [$params $bounds $value, $output, $kind, $op] }
    )*};
    (@Value($value:ty) $rule:tt) => {
        $crate::rules::operators::unary! { @operator::Unary($value) $rule }
    };
    (@Shared($value:ty) $rule:tt) => {
        $crate::rules::operators::unary! { @on_references::Unary(&$value) $rule }
    };
    (@$module:ident::$of_trait:ident($a:ty) [{ $($params:tt)* } { $($bounds:tt)* } $value:ty, $output:ty, $kind:ident, $op:tt]) => {
        impl<$($params)*> $crate::$module::$of_trait<$crate::operator::kind::$kind> for $value
        where
            $($bounds)*
        {
            type Output = $output;
            type Kept = ();
            #[inline]
            fn forward<P: $crate::Marker, A: $crate::Marker>(
                _: &mut $crate::Stack,
                _: P,
                value: $a,
                _: A,
            ) -> ($output, ()) {
                ($op value, ())
            }
            #[inline]
            fn backward<
                P: $crate::Marker,
                A: $crate::Slot<<$value as $crate::Differentiable>::Bar>,
            >(
                _: &mut $crate::Stack,
                _: P,
                (): (),
                value: &$value,
                mut bar: A,
                seed: impl $crate::Seed<$output>,
            ) {
                if let Some(weight) = $crate::rules::weight_of(seed) {
                    <$value as $crate::rules::UnaryRule<$crate::operator::kind::$kind>>::pullback(
                        value, &weight, bar.bar(),
                    );
                }
            }
            #[inline]
            fn tangent<A: $crate::Along<$value>>(value: $a, direction: A) -> ($output, $output) {
                let result = $op <$a as std::clone::Clone>::clone(&value);
                let tangent = <$value as $crate::rules::UnaryRule<$crate::operator::kind::$kind>>::pushforward(
                    std::borrow::Borrow::<$value>::borrow(&value),
                    &result,
                    direction.direction(),
                );
                (result, tangent)
            }
        }
    };
}
pub(crate) use unary;
