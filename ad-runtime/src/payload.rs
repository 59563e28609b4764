//! Payloads of enums.

/// A payload of an enum, by a number made of its name and that of its variant: `value[Payload::<N>]` is a place, with which enums that
/// derive `Differentiable` answer for values of that variant. Others tell by it whether a value is of a variant.
#[derive(Clone, Copy, Debug)]
pub struct Payload<const FIELD: u128>;

/// Two values of an enum meet that are of different variants, a value and its bar or its direction, or two bars: the bar of a value is of the
/// variant of the value.
#[cold]
#[track_caller]
pub fn variants_differ() -> ! {
    panic!(
        "a value of an enum and its derivative are of one variant, and these are of different ones"
    )
}
