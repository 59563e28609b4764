//! What generated tangents call: the directions of arguments, and zeros.

use crate::{And, Differentiable, FieldKind, Marker, Off, On, Vector};

/// The direction of an argument of a tangent: `&direction` if the argument is active, `()` otherwise.
#[diagnostic::on_unimplemented(
    message = "a direction of type `{T}` is expected here",
    note = "directions are of the types of the parameters"
)]
pub trait Along<T: ?Sized> {
    /// Whether there is a direction.
    type Marker: Marker;
    /// The direction, if there is one.
    fn direction(&self) -> Option<&T>;
}

impl<T: ?Sized> Along<T> for () {
    type Marker = Off;
    #[inline]
    fn direction(&self) -> Option<&T> {
        None
    }
}

impl<T: ?Sized> Along<T> for &T {
    type Marker = On;
    #[inline]
    fn direction(&self) -> Option<&T> {
        Some(self)
    }
}

impl<T> Along<[T]> for &Vec<T> {
    type Marker = On;
    #[inline]
    fn direction(&self) -> Option<&[T]> {
        Some(self)
    }
}

impl<T, const N: usize> Along<[T]> for &[T; N] {
    type Marker = On;
    #[inline]
    fn direction(&self) -> Option<&[T]> {
        Some(self.as_slice())
    }
}

impl<T: ?Sized> Along<T> for &Box<T> {
    type Marker = On;
    #[inline]
    fn direction(&self) -> Option<&T> {
        Some(self)
    }
}

/// Where the function called takes a `&`, the forward sweep refuses a `&mut`, in better words.
impl<T: ?Sized> Along<T> for &mut T {
    type Marker = On;
    #[inline]
    fn direction(&self) -> Option<&T> {
        Some(self)
    }
}

/// A direction that is there if the marker is on.
#[derive(Debug)]
pub struct AlongWhen<'d, T: ?Sized, M> {
    direction: Option<&'d T>,
    #[allow(dead_code, reason = "the marker is looked at as a type")]
    marker: M,
}

/// The direction of an argument that is active in some instances of the caller only.
#[inline]
pub fn along<M: Marker, T: ?Sized>(direction: &T) -> AlongWhen<'_, T, M> {
    along_there(Some(direction))
}

/// The same, of a direction that cannot be named if the marker is off.
#[inline]
pub fn along_there<M: Marker, T: ?Sized>(direction: Option<&T>) -> AlongWhen<'_, T, M> {
    AlongWhen { direction: direction.filter(|_| M::ON), marker: M::MARKER }
}

/// The same, of one behind fields: where one of them has no bar, what a direction has there is no direction.
#[inline]
pub fn along_field<'d, M: Marker, K: FieldKind, T: ?Sized>(
    _: impl FnOnce() -> K,
    direction: impl FnOnce() -> &'d T,
) -> AlongWhen<'d, T, And<K::Marker, M>> {
    along_there(And::<K::Marker, M>::ON.then(direction))
}

impl<T: ?Sized, M: Marker> Along<T> for AlongWhen<'_, T, M> {
    type Marker = M;
    #[inline]
    fn direction(&self) -> Option<&T> {
        self.direction
    }
}

impl<T, M: Marker> Along<[T]> for AlongWhen<'_, Vec<T>, M> {
    type Marker = M;
    #[inline]
    fn direction(&self) -> Option<&[T]> {
        self.direction.map(Vec::as_slice)
    }
}

impl<T: ?Sized, M: Marker> Along<T> for AlongWhen<'_, Box<T>, M> {
    type Marker = M;
    #[inline]
    fn direction(&self) -> Option<&T> {
        self.direction.map(|direction| &**direction)
    }
}

impl<T, M: Marker> Along<[T]> for AlongWhen<'_, &[T], M> {
    type Marker = M;
    #[inline]
    fn direction(&self) -> Option<&[T]> {
        self.direction.copied()
    }
}

impl<T> Along<[T]> for &&[T] {
    type Marker = On;
    #[inline]
    fn direction(&self) -> Option<&[T]> {
        Some(self)
    }
}

impl<T, M: Marker, const N: usize> Along<[T]> for AlongWhen<'_, [T; N], M> {
    type Marker = M;
    #[inline]
    fn direction(&self) -> Option<&[T]> {
        self.direction.map(|direction| direction.as_slice())
    }
}

/// A direction by value, or what takes its place.
#[inline]
pub fn direction_or<T: Clone, D: Along<T>>(direction: &D, otherwise: T) -> T {
    direction.direction().cloned().unwrap_or(otherwise)
}

/// A direction, or what takes its place.
#[inline]
pub fn direction_or_at<'d, T: ?Sized, D: Along<T>>(direction: &'d D, otherwise: &'d T) -> &'d T {
    direction.direction().unwrap_or(otherwise)
}

/// The derivative along a direction: the inner product with the gradient.
pub fn slope_along<G: Vector, F: FromFlat>(gradient: &G, direction: &(impl Vector + ?Sized)) -> F {
    let (mut partials, mut direction_flat) = (Vec::new(), Vec::new());
    gradient.write_flat(&mut partials);
    direction.write_flat(&mut direction_flat);
    F::from_flat(partials.iter().zip(&direction_flat).map(|(partial, part)| partial * part).sum())
}

/// A float of either width.
pub trait FromFlat {
    /// The float that is closest to a value.
    fn from_flat(value: f64) -> Self;
}

impl FromFlat for f64 {
    fn from_flat(value: f64) -> Self {
        value
    }
}

impl FromFlat for f32 {
    fn from_flat(value: f64) -> Self {
        value as f32
    }
}

/// Proves, where the tangent is used, that a field has a bar. Only the type of the closure matters.
#[inline(always)]
pub fn must_have_bar<F: FieldKind>(_: impl FnOnce() -> F) {
    const {
        assert!(
            F::HAS_BAR,
            "there is no tangent: a field marked `#[passive]` is copied or passed to a call as a whole, and what a \
             direction has there is no direction; pass a copy of the value with `#[passive]`"
        );
    }
}

/// A type that is the one of the bars of `T`, and that of its directions.
#[diagnostic::on_unimplemented(
    message = "there are no second derivatives with respect to `{T}`: its bars are of another type",
    label = "bars of type `{Self}`",
    note = "directions are of the type of the value, and so must bars be: those of `#[derive(Differentiable)]` are"
)]
pub trait BarOf<T: ?Sized> {}

impl<T> BarOf<T> for T {}
impl<T> BarOf<[T]> for Vec<T> {}

/// Proves that bars are of the type of the value.
#[inline(always)]
pub fn own_bars<T: Differentiable + ?Sized>()
where
    T::Bar: BarOf<T>,
{
}

/// Why functions have no tangents: bounds that nothing has.
pub mod tangent_of {
    macro_rules! reasons {
        ($($name:ident: $message:literal),* $(,)?) => {$(
            #[doc = $message]
            #[diagnostic::on_unimplemented(
                message = $message,
                note = "its adjoint works; what tangents do not support is in docs/language.md"
            )]
            pub trait $name {}
        )*};
    }

    reasons! {
        NoGivenAdjoint: "this function has no tangent: it calls a function whose adjoint is given",
        NoAliases: "this function has no tangent: it passes parts of one list to a call, one of them as a `&mut`",
        NoExchangeOfParts: "this function has no tangent: it exchanges elements of two parts of one list",
        NoUnknownCast: "this function has no tangent: it casts a number of which it is not known whether it is a float",
        NoUntypedZero: "this function has no tangent: it is generic, and the type of a number is not known",
        NoComparison: "this function has no tangents in several directions: it is annotated with `no(…)`, which is for comparisons",
        NoOtherDirections: "this function has no tangents in several directions: it is generic, has a fixed-point loop, or differentiates values of which the macro does not see that they are numbers, lists and tuples of them",
        NoOtherSeeds: "this function has no adjoint for several seeds: it is generic, has checkpointed blocks or loops, calls a method that changes its receiver, an operator of a user type or a function whose adjoint is given, or differentiates values of which the macro does not see that they are numbers, lists and tuples of them (`let y: f64 = self.f(x);` says it)",
        NoVerbatimTests: "this function has no validity: code that is kept as it is (an unknown call or macro, `#[passive]`, sorting) reads what depends on the independents, and may decide by it how the function goes on",
        NoPassiveCalls: "this function has no validity: it calls a function that returns no differentiable number with what depends on the independents, and that may decide by it what it returns",
        NoOtherComparisons: "this function has no validity: it compares values that are not numbers",
        NoTestedDirections: "this function has no validity: what it tests has no tangents in several directions",
        NoInnerFixedPoint: "this function has no tangent: it has a fixed-point loop inside of another block or loop with an attribute",
    }
}

/// Tangents of values on which no derivative depends.
///
/// A type parameter of which nothing is known has none: it may turn out to be a float, of which a copy is no zero.
///
/// ```compile_fail
/// use ad_runtime::zero::*;
///
/// fn zero_of<T: Clone>(value: &T) -> T {
///     (&&&Zero(value)).zero_tangent()
/// }
///
/// zero_of(&2.0);
/// ```
///
/// ```
/// use ad_runtime::{Differentiable, zero::*};
///
/// fn zero_of<T: Clone + Differentiable<Bar = T>>(value: &T) -> T {
///     (&&&Zero(value)).zero_tangent()
/// }
///
/// assert_eq!(zero_of(&2.0), 0.0);
/// ```
pub mod zero {
    use crate::Differentiable;

    /// A value.
    #[derive(Debug)]
    pub struct Zero<'v, T: ?Sized>(pub &'v T);

    /// Found first: tangents are values of the type of the value.
    pub trait OfOwnType<T> {
        /// The zero of the shape of the value.
        fn zero_tangent(&self) -> T;
    }

    impl<T: Differentiable<Bar = T>> OfOwnType<T> for &&Zero<'_, T> {
        #[inline]
        fn zero_tangent(&self) -> T {
            self.0.zero_bar()
        }
    }

    /// Of these types, of which rules of packs are, tangents are of the type of the bars, which is another.
    pub trait BarIsTangent: Differentiable {}

    /// Found next, by a reference more.
    pub trait OfBarType<T> {
        /// The zero of the shape of the bar.
        fn zero_tangent(&self) -> T;
    }

    impl<T: BarIsTangent> OfBarType<T::Bar> for &&&Zero<'_, T> {
        #[inline]
        fn zero_tangent(&self) -> T::Bar {
            self.0.zero_bar()
        }
    }

    /// Found then: the type of the bars is another.
    pub trait OfAnotherType<T> {
        /// There is none.
        fn zero_tangent(&self) -> T;
    }

    impl<T: Differentiable> OfAnotherType<T> for &Zero<'_, T> {
        fn zero_tangent(&self) -> T {
            const {
                panic!(
                    "there is no tangent: the bars of a type that is used are not of the type itself"
                );
            }
        }
    }

    /// Found last. A copy of the value would do where there is no derivative, but not for a type parameter, which may turn out
    /// to be a float.
    pub trait WithoutDerivative<T> {
        /// There is none.
        fn zero_tangent(&self) -> T;
    }

    impl<T> WithoutDerivative<T> for Zero<'_, T> {
        fn zero_tangent(&self) -> T {
            const {
                panic!(
                    "there is no tangent: a value is of a type that has no derivative, or none that is known here; derive \
                     `Differentiable`, or demand it of the type parameter"
                );
            }
        }
    }
}

/// Directions as values.
pub mod owned {
    /// A direction.
    #[derive(Debug)]
    pub struct Direction<'d, T>(pub &'d T);

    /// Found first.
    pub trait Cloned<T> {
        /// A copy.
        fn owned(&self) -> T;
    }

    impl<T: Clone> Cloned<T> for &Direction<'_, T> {
        #[inline]
        fn owned(&self) -> T {
            self.0.clone()
        }
    }

    /// Found last: the sweeps need copies, too, so that is an error already.
    pub trait Uncloned<T> {
        /// There is none.
        fn owned(&self) -> T;
    }

    impl<T> Uncloned<T> for Direction<'_, T> {
        fn owned(&self) -> T {
            const { panic!("there is no tangent: the type of a parameter is not `Clone`") }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum<D: Along<[f64]>>(direction: D) -> (bool, f64) {
        (D::Marker::ON, direction.direction().map_or(0.0, |direction| direction.iter().sum()))
    }

    #[test]
    fn a_direction_is_a_reference_or_nothing() {
        let (vec, array) = (vec![1.0, 2.0], [3.0, 4.0]);
        assert_eq!(sum(&vec), (true, 3.0));
        assert_eq!(sum(&array), (true, 7.0));
        assert_eq!(sum(&array[..1]), (true, 3.0));
        assert_eq!(sum(()), (false, 0.0));
        assert_eq!(sum(along::<On, _>(&vec)), (true, 3.0));
        assert_eq!(sum(along::<Off, _>(&vec)), (false, 0.0));
    }

    #[test]
    fn zeros_have_the_shape_of_the_value() {
        use super::zero::*;
        let (list, parts) = (vec![1.0, 2.0], (1.5, 7_usize));
        assert_eq!((&&&Zero(&list)).zero_tangent(), [0.0, 0.0]);
        assert_eq!((&&&Zero(&parts)).zero_tangent(), (0.0, 7));
    }

    #[test]
    fn directions_are_copied() {
        use super::owned::*;
        let list = vec![1.0, 2.0];
        assert_eq!((&&Direction(&list)).owned(), list);
    }
}
