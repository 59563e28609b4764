//! Why there are no tangents.

/// Why a function has no tangent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoTangent {
    /// It calls a function whose adjoint is given.
    GivenAdjoint,
    /// It passes parts of one list to a call, one of them as a `&mut`.
    Aliases,
    /// It exchanges elements of two parts of one list.
    ExchangeOfParts,
    /// It casts a number of which it is not known whether it is a float.
    UnknownCast,
    /// It is generic, and the type of a number is not known.
    UntypedZero,
    /// It has a fixed-point loop that the analysis of the function does not see.
    InnerFixedPoint,
    /// What it calls, or a value that it differentiates, has tangents in one direction only.
    InSeveralDirections,
    /// In several directions, there is none without all optimisations.
    ForComparison,
}

impl NoTangent {
    /// The same in words.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::GivenAdjoint => "its adjoint is given",
            Self::Aliases => "it passes parts of one list to a call, one of them as a `&mut`",
            Self::ExchangeOfParts => "it exchanges elements of two parts of one list",
            Self::UnknownCast => "it casts a number of which it is not known whether it is a float",
            Self::UntypedZero => "it is generic, and the type of a number is not known",
            Self::InnerFixedPoint => {
                "it has a fixed-point loop inside of another block or loop with an attribute"
            }
            Self::ForComparison => "it is annotated with `no(…)`, which is for comparisons",
            Self::InSeveralDirections => {
                "it is generic, has a fixed-point loop, or differentiates values of which the macro does not see that they are \
                 numbers, lists and tuples of them"
            }
        }
    }
}
