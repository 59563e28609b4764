//! Conversions between types of users: `impl From<Source> for Target`, and what is called by it, `Target::from(source)` and
//! `source.into()`. Rustc finds the adjoint by both types.

use crate::{Along, Differentiable, Marker, Placeholder, Seed, Slot, Stack, Storable};

/// A conversion with its adjoint.
#[diagnostic::on_unimplemented(
    message = "the conversion of `{Source}` into `{Self}` has no adjoint",
    label = "no adjoint",
    note = "annotate `impl From<{Source}> for {Self}` with `#[adjoint]`, or mark the expression `#[passive]` if its derivative does not matter"
)]
pub trait Conversion<Source: Differentiable>: Differentiable + Sized {
    /// What the forward sweep hands to the backward sweep.
    type Kept: Storable + Placeholder;
    /// The forward sweep.
    fn forward<P: Marker, A: Marker>(
        stack: &mut Stack,
        primal: P,
        value: Source,
        marker: A,
    ) -> (Self, Self::Kept);
    /// The backward sweep.
    fn backward<P: Marker, A: Slot<Source::Bar>>(
        stack: &mut Stack,
        primal: P,
        kept: Self::Kept,
        value: &Source,
        bar: A,
        seed: impl Seed<<Self as Differentiable>::Bar>,
    );
    /// The tangent.
    fn tangent<A: Along<Source>>(_value: Source, _direction: A) -> (Self, Self) {
        const { panic!("{}", crate::operator::WITHOUT_TANGENTS) }
    }
}

/// The value.
#[inline(always)]
pub fn primal<Target, Source: Into<Target>>(value: Source) -> Target {
    value.into()
}

/// [`Conversion::forward`]
#[inline(always)]
pub fn forward<Target, Source, P: Marker, A: Marker>(
    stack: &mut Stack,
    primal: P,
    value: Source,
    marker: A,
) -> (Target, Target::Kept)
where
    Target: Conversion<Source>,
    Source: Differentiable,
{
    Target::forward(stack, primal, value, marker)
}

/// [`Conversion::backward`]
#[inline(always)]
pub fn backward<Target, Source, P: Marker, A: Slot<Source::Bar>>(
    stack: &mut Stack,
    primal: P,
    kept: Target::Kept,
    value: &Source,
    bar: A,
    seed: impl Seed<<Target as Differentiable>::Bar>,
) where
    Target: Conversion<Source>,
    Source: Differentiable,
{
    Target::backward(stack, primal, kept, value, bar, seed);
}

/// [`Conversion::tangent`]
#[inline(always)]
pub fn tangent<Target, Source, A: Along<Source>>(value: Source, direction: A) -> (Target, Target)
where
    Target: Conversion<Source>,
    Source: Differentiable,
{
    Target::tangent(value, direction)
}

/// There are no tangents in several directions.
pub fn tangents<Target, Source: Into<Target>, A, Directions>(
    _value: Source,
    _direction: A,
) -> (Target, Directions) {
    const { panic!("{}", crate::unseen::MISSED) }
}
