//! Rules: the derivatives of methods and functions of types that have none of their own, those of other crates.
//!
//! A [`Rule`] says of one function of a type, named by a number, what it returns, its pullback and its pushforward. Generated code
//! finds it in two ways. Functions that are called by their path, `DVec3::new(x, y, z)`, are looked for by their number ([`Found`]). Methods
//! are found as any method is: a trait of all types of a pack has the hidden functions that stand beside the methods of annotated types.

#[cfg(any(feature = "glam", feature = "nalgebra", feature = "ndarray"))]
pub mod check;
pub mod each;
#[cfg(any(feature = "nalgebra", feature = "ndarray"))]
pub(crate) mod indexed;
#[cfg(any(feature = "glam", feature = "nalgebra", feature = "ndarray"))]
pub(crate) mod operators;
#[cfg(any(feature = "nalgebra", feature = "ndarray"))]
pub(crate) mod vectors;

use std::marker::PhantomData;

use crate::method::Returned;
use crate::{Along, Differentiable, Marker, Seed, Slot, Stack, Vector};

/// The number of a name, as the macro has it.
pub const fn number(name: &str) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let bytes = name.as_bytes();
    let (mut hash, mut at) = (BASIS, 0);
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u128).wrapping_mul(PRIME);
        at += 1;
    }
    hash
}

/// The rules of this library.
#[derive(Clone, Copy, Debug)]
pub struct Packs;

/// The rules of functions of one name that arguments of these types tell apart.
#[derive(Clone, Copy, Debug)]
pub struct Overloaded<Args>(PhantomData<Args>);

/// The derivative of a function of this type, whose name is given as its [`number`].
#[diagnostic::on_unimplemented(
    message = "the function called here has no adjoint",
    label = "no adjoint",
    note = "annotate it with `#[adjoint]`, or mark the call `#[passive]` if its derivative does not matter"
)]
pub trait Rule<const NAME: u128, Pack = Packs> {
    /// How the first argument is taken, if it is a receiver.
    type Kind;
    /// What the arguments are, references taken off.
    type Args: Arguments;
    /// What is passed.
    type Passed<'a>;
    /// Whether there is always a result.
    type Carrier: Carrier;
    /// The type of the result.
    type Output: Differentiable<Bar = Self::Weight> + Clone;
    /// The type of its weights and of its tangents.
    type Weight: Differentiable<Bar = Self::Weight> + Clone + PartialEq;
    /// What the backward sweep needs beside the arguments.
    type Kept;
    /// The function itself.
    fn value(passed: Self::Passed<'_>) -> <Self::Carrier as Carrier>::Of<Self::Output>;
    /// What is kept for the backward sweep.
    fn keep(result: &<Self::Carrier as Carrier>::Of<Self::Output>) -> Self::Kept;
    /// Adds to the bars that are there what the weight of the result contributes.
    fn pullback(
        args: <Self::Args as Arguments>::Shared<'_>,
        kept: &Self::Kept,
        weight: &Self::Weight,
        bars: <Self::Args as Arguments>::Bars<'_>,
    );
    /// The value and the tangent.
    fn pushforward(
        passed: Self::Passed<'_>,
        directions: <Self::Args as Arguments>::Directions<'_>,
    ) -> <Self::Carrier as Carrier>::Of<(Self::Output, Self::Weight)>;
}

/// A tangent in the making: what the directions of the arguments add up to. Nothing is added to zeros whose shape the type tells.
#[derive(Debug)]
pub struct Sum<Weight>(Option<Weight>);

impl<Weight: Vector> Sum<Weight> {
    /// None has been added.
    #[inline]
    pub fn of<T: Differentiable<Bar = Weight>>(result: &T) -> Self {
        Self(if T::common_zero_bar().is_some() { None } else { Some(result.zero_bar()) })
    }

    /// Adds the part of one argument.
    #[inline]
    pub fn add(&mut self, part: Weight) {
        match &mut self.0 {
            Some(sum) => sum.accumulate(&part),
            None => self.0 = Some(part),
        }
    }

    /// The tangent of a result.
    #[inline]
    pub fn of_all<T: Differentiable<Bar = Weight>>(self, result: &T) -> Weight {
        self.0.unwrap_or_else(|| result.zero_bar())
    }
}

/// What a function with a rule returns: a result, or perhaps none.
pub trait Carrier {
    /// That.
    type Of<T>;
    /// With something else in it.
    fn map<T, U>(carrier: Self::Of<T>, other: impl FnOnce(T) -> U) -> Self::Of<U>;
    /// What is in it.
    fn content<T>(carrier: Self::Of<T>) -> Option<T>;
    /// A copy of that.
    fn copied<T: Clone>(carrier: &Self::Of<T>) -> Option<T>;
}

/// There is always a result.
#[derive(Clone, Copy, Debug)]
pub struct Always;

impl Carrier for Always {
    type Of<T> = T;
    #[inline(always)]
    fn map<T, U>(carrier: T, other: impl FnOnce(T) -> U) -> U {
        other(carrier)
    }
    #[inline(always)]
    fn content<T>(carrier: T) -> Option<T> {
        Some(carrier)
    }
    #[inline(always)]
    fn copied<T: Clone>(carrier: &T) -> Option<T> {
        Some(carrier.clone())
    }
}

/// An `Option` is returned.
#[derive(Clone, Copy, Debug)]
pub struct Perhaps;

impl Carrier for Perhaps {
    type Of<T> = Option<T>;
    #[inline(always)]
    fn map<T, U>(carrier: Option<T>, other: impl FnOnce(T) -> U) -> Option<U> {
        carrier.map(other)
    }
    #[inline(always)]
    fn content<T>(carrier: Option<T>) -> Option<T> {
        carrier
    }
    #[inline(always)]
    fn copied<T: Clone>(carrier: &Option<T>) -> Option<T> {
        carrier.clone()
    }
}

/// The arguments of a function.
pub trait Arguments {
    /// References to them.
    type Shared<'a>
    where
        Self: 'a;
    /// Their bars, of those that are active.
    type Bars<'b>
    where
        Self: 'b;
    /// Their directions, of those that are active.
    type Directions<'d>
    where
        Self: 'd;
}

macro_rules! arguments {
    ($(($($arg:ident)*))*) => {$(
        impl<$($arg: Differentiable),*> Arguments for ($($arg,)*) {
            type Shared<'a>
                = ($(&'a $arg,)*)
            where
                Self: 'a;
            type Bars<'b>
                = ($(Option<&'b mut $arg::Bar>,)*)
            where
                Self: 'b;
            type Directions<'d>
                = ($(Option<&'d $arg::Bar>,)*)
            where
                Self: 'd;
        }
    )*};
}

arguments! {
    (A)
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E F)
    (A B C D E F G H)
    (A B C D E F G H I)
    (A B C D E F G H I J K L)
    (A B C D E F G H I J K L M N O P)
}

/// A value that is no float, nor made of floats: a rule says nothing of it.
#[diagnostic::on_unimplemented(
    message = "a rule says nothing of this argument, which carries floats"
)]
pub trait Discrete {}

/// Values that are no floats, to try rules at.
pub trait Tried: Discrete {
    /// One of them.
    fn some(word: usize) -> Self;
}

/// Indices by all axes. They are tried as arrays of other values are.
impl<const N: usize> Discrete for [usize; N] {}

/// Indices: all that is indexed has two parts.
impl Discrete for usize {}

impl Tried for usize {
    fn some(word: usize) -> Self {
        word % 2
    }
}

/// Diagonals above and below that of a matrix.
impl Discrete for isize {}

impl Tried for isize {
    fn some(word: usize) -> Self {
        (word % 3) as isize - 1
    }
}

/// Those of rows and columns.
impl Discrete for (usize, usize) {}

impl Tried for (usize, usize) {
    fn some(word: usize) -> Self {
        (usize::some(word), usize::some(word / 2))
    }
}

/// Those of arrays of three dimensions.
impl Discrete for (usize, usize, usize) {}

impl Tried for (usize, usize, usize) {
    fn some(word: usize) -> Self {
        (usize::some(word), usize::some(word / 2), usize::some(word / 4))
    }
}

/// Powers and orders of norms.
impl Discrete for i32 {}

impl Tried for i32 {
    fn some(word: usize) -> Self {
        1 + (word % 4) as i32
    }
}

/// Proves that a type has no floats.
pub const fn discrete<T: Discrete>() {}

/// A weight, unless all its floats are zero: nothing is added then, whatever the partials are.
#[inline]
pub fn weight_of<T: Differentiable<Bar = T> + PartialEq>(seed: impl Seed<T>) -> Option<T> {
    let weight = seed.weight();
    (weight != weight.zero_bar()).then_some(weight)
}

/// Why there is something missing.
pub const WITHOUT_DIRECTIONS: &str = "there are no tangents in several directions of types of other crates: use tangents in one direction";

/// Why there is something missing.
pub const WITHOUT_SEEDS: &str =
    "there is no adjoint for several seeds of types of other crates: use one seed";

/// A sweep, as a type.
#[derive(Clone, Copy, Debug)]
pub struct Forward;

/// A sweep, as a type.
#[derive(Clone, Copy, Debug)]
pub struct Backward;

/// A sweep, as a type.
#[derive(Clone, Copy, Debug)]
pub struct Tangent;

/// Not a sweep: the question whether one may run again.
#[derive(Clone, Copy, Debug)]
pub struct Again;

/// A sweep of a function of this type that is called by its path, with all that is handed to it: generated code asks for it where the type
/// has none itself.
#[diagnostic::on_unimplemented(
    message = "the function called here has no adjoint",
    label = "no adjoint",
    note = "annotate it with `#[adjoint]`, or mark the call `#[passive]` if its derivative does not matter"
)]
pub trait Found<const NAME: u128, Sweep, Handed> {
    /// What the sweep returns.
    type Output;
    /// The sweep.
    fn called(handed: Handed) -> Self::Output;
}

/// The same of the sweeps of second derivatives, which no rule has.
#[diagnostic::on_unimplemented(
    message = "the function called here has no second derivatives",
    label = "no second derivatives",
    note = "annotate it with `#[adjoint(…, second_order)]`, or mark the call `#[passive]` if its derivative does not matter"
)]
pub trait SecondDerivatives<const NAME: u128, Sweep, Handed> {
    /// What the sweep returns.
    type Output;
    /// The sweep.
    fn called(handed: Handed) -> Self::Output;
}

/// The type of the tangents of a result in several directions, where a number stands for them. No rule has them, so that of other types any does.
pub trait Spread<D> {
    /// That type.
    type Tangents;
}

macro_rules! spread {
    ($($float:ty)*) => {$(
        impl<D> Spread<D> for $float {
            type Tangents = D;
        }

        impl<D, const N: usize> Spread<D> for [$float; N] {
            type Tangents = [D; N];
        }
    )*};
}

spread! { f64 f32 }

/// A sweep, as a type.
#[derive(Clone, Copy, Debug)]
pub struct Tangents;

macro_rules! found {
    ($(($($arg:ident $owned:ident $value:ident $slot:ident $bar:ident),*))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'a, const NAME: u128, T, P, $($arg, $slot),*>
            Found<NAME, Forward, (&mut Stack, P, $($arg, $slot),*)> for T
        where
            T: Rule<NAME, Passed<'a> = ($($arg,)*)> + ?Sized,
            $($slot: Marker),*
        {
            type Output = (<T::Carrier as Carrier>::Of<T::Output>, T::Kept);
            #[inline]
            fn called(
                (_, _, $($value, _),*): (&mut Stack, P, $($arg, $slot),*),
            ) -> Self::Output {
                let value = T::value(($($value,)*));
                let kept = T::keep(&value);
                (value, kept)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<const NAME: u128, T, P, K, $($arg, $slot,)* S>
            Found<NAME, Backward, (&mut Stack, P, K, $(&$arg, $slot,)* S)> for T
        where
            T: Rule<NAME, Args = ($($arg,)*), Kept = K> + ?Sized,
            $($arg: Differentiable, $slot: Slot<$arg::Bar>,)*
            S: Seed<T::Weight>,
        {
            type Output = ();
            #[inline]
            fn called(
                (_, _, kept, $($value, mut $bar,)* seed): (&mut Stack, P, K, $(&$arg, $slot,)* S),
            ) {
                if let Some(weight) = weight_of(seed) {
                    T::pullback(($($value,)*), &kept, &weight, ($($bar.bar(),)*));
                }
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'a, const NAME: u128, T, $($arg, $owned, $slot),*>
            Found<NAME, Tangent, ($($arg, $slot,)*)> for T
        where
            T: Rule<NAME, Passed<'a> = ($($arg,)*), Args = ($($owned,)*)> + ?Sized,
            $($owned: Differentiable, $slot: Along<$owned::Bar>,)*
        {
            type Output = <T::Carrier as Carrier>::Of<(T::Output, T::Weight)>;
            #[inline]
            fn called(($($value, $bar,)*): ($($arg, $slot,)*)) -> Self::Output {
                T::pushforward(($($value,)*), ($($bar.direction(),)*))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'a, const NAME: u128, T, $($arg,)* R> Found<NAME, Again, ($($arg,)* Returned<R>)> for T
        where
            T: Rule<NAME, Passed<'a> = ($($arg,)*)> + ?Sized,
        {
            type Output = ();
            fn called(_: ($($arg,)* Returned<R>)) {}
        }

        #[diagnostic::do_not_recommend]
        impl<const NAME: u128, T, D, $($arg, $slot),*>
            Found<NAME, Tangents, (PhantomData<D>, $($arg, $slot,)*)> for T
        where
            T: Rule<NAME> + ?Sized,
            T::Output: Spread<D>,
        {
            type Output = <T::Carrier as Carrier>::Of<(T::Output, <T::Output as Spread<D>>::Tangents)>;
            fn called(_: (PhantomData<D>, $($arg, $slot,)*)) -> Self::Output {
                const { panic!("{}", WITHOUT_DIRECTIONS) }
            }
        }
    )*};
}

found! {
    (A0 O0 a0 S0 b0)
    (A0 O0 a0 S0 b0, A1 O1 a1 S1 b1)
    (A0 O0 a0 S0 b0, A1 O1 a1 S1 b1, A2 O2 a2 S2 b2)
    (A0 O0 a0 S0 b0, A1 O1 a1 S1 b1, A2 O2 a2 S2 b2, A3 O3 a3 S3 b3)
    (A0 O0 a0 S0 b0, A1 O1 a1 S1 b1, A2 O2 a2 S2 b2, A3 O3 a3 S3 b3, A4 O4 a4 S4 b4)
    (A0 O0 a0 S0 b0, A1 O1 a1 S1 b1, A2 O2 a2 S2 b2, A3 O3 a3 S3 b3, A4 O4 a4 S4 b4, A5 O5 a5 S5 b5)
    (A0 O0 a0 S0 b0, A1 O1 a1 S1 b1, A2 O2 a2 S2 b2, A3 O3 a3 S3 b3, A4 O4 a4 S4 b4, A5 O5 a5 S5 b5, A6 O6 a6 S6 b6, A7 O7 a7 S7 b7)
    (A0 O0 a0 S0 b0, A1 O1 a1 S1 b1, A2 O2 a2 S2 b2, A3 O3 a3 S3 b3, A4 O4 a4 S4 b4, A5 O5 a5 S5 b5, A6 O6 a6 S6 b6, A7 O7 a7 S7 b7, A8 O8 a8 S8 b8)
    (A0 O0 a0 S0 b0, A1 O1 a1 S1 b1, A2 O2 a2 S2 b2, A3 O3 a3 S3 b3, A4 O4 a4 S4 b4, A5 O5 a5 S5 b5, A6 O6 a6 S6 b6, A7 O7 a7 S7 b7, A8 O8 a8 S8 b8, A9 O9 a9 S9 b9, A10 O10 a10 S10 b10, A11 O11 a11 S11 b11)
    (A0 O0 a0 S0 b0, A1 O1 a1 S1 b1, A2 O2 a2 S2 b2, A3 O3 a3 S3 b3, A4 O4 a4 S4 b4, A5 O5 a5 S5 b5, A6 O6 a6 S6 b6, A7 O7 a7 S7 b7, A8 O8 a8 S8 b8, A9 O9 a9 S9 b9, A10 O10 a10 S10 b10, A11 O11 a11 S11 b11, A12 O12 a12 S12 b12, A13 O13 a13 S13 b13, A14 O14 a14 S14 b14, A15 O15 a15 S15 b15)
}

/// An operator of two values, with its derivative.
pub trait BinaryRule<Operator, Rhs: Differentiable>: Differentiable {
    /// The type of the result.
    type Output: Differentiable<Bar = Self::Output> + Clone + PartialEq;
    /// Adds to the bars that are there what the weight of the result contributes.
    fn pullback(
        left: &Self,
        right: &Rhs,
        weight: &Self::Output,
        left_bar: Option<&mut Self::Bar>,
        right_bar: Option<&mut Rhs::Bar>,
    );
    /// The tangent, of a result that is known.
    fn pushforward(
        left: &Self,
        right: &Rhs,
        result: &Self::Output,
        left_direction: Option<&Self>,
        right_direction: Option<&Rhs>,
    ) -> Self::Output;
}

/// An operator of one value, with its derivative.
pub trait UnaryRule<Operator>: Differentiable {
    /// The type of the result.
    type Output: Differentiable<Bar = Self::Output> + Clone + PartialEq;
    /// Adds to the bar what the weight of the result contributes.
    fn pullback(value: &Self, weight: &Self::Output, bar: Option<&mut Self::Bar>);
    /// The tangent, of a result that is known.
    fn pushforward(value: &Self, result: &Self::Output, direction: Option<&Self>) -> Self::Output;
}
