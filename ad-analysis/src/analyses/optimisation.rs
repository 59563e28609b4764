//! The optimisations that can be switched off by name. Without any of them everything that is
//! overwritten is stored: the reference that the optimised sweeps are compared with.

/// An optimisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum Optimisation {
    /// Treat as passive what does not depend on an independent or influence a dependent.
    Activity = 1,
    /// Drop from the forward sweep what neither the caller nor the backward sweep reads.
    AdjointLiveness = 1 << 1,
    /// Store only what the backward sweep reads.
    Tbr = 1 << 2,
    /// Store for a joint call only what is overwritten, where it is overwritten.
    Snapshot = 1 << 3,
    /// Compute values again instead of storing them.
    Recompute = 1 << 4,
    /// Test conditions again instead of storing their outcome.
    Retest = 1 << 5,
    /// Undo exact updates instead of storing what they overwrite.
    Invert = 1 << 6,
    /// Run the sweeps of independent iterations together.
    Fuse = 1 << 7,
    /// Analyse small callees in place.
    Inline = 1 << 8,
    /// Share common sub-expressions.
    Cse = 1 << 9,
    /// Simplify the sweeps.
    Simplify = 1 << 10,
    /// Do not test whether a bar is 0 where only a function that is infinite or NaN could tell.
    Unguarded = 1 << 11,
    /// Leave backward sweeps at once where their seed is 0.
    ZeroSeeds = 1 << 12,
    /// Hand over the partials of functions of a few numbers instead of what they are made of.
    Preaccumulate = 1 << 13,
    /// Store for a callee only what its backward sweep reads.
    Summaries = 1 << 14,
    /// Have backward loops go through parts of lists that are cut to length.
    Windows = 1 << 15,
}

impl Optimisation {
    /// All optimisations.
    pub const ALL: [Optimisation; 16] = [
        Optimisation::Activity,
        Optimisation::AdjointLiveness,
        Optimisation::Tbr,
        Optimisation::Snapshot,
        Optimisation::Recompute,
        Optimisation::Retest,
        Optimisation::Invert,
        Optimisation::Fuse,
        Optimisation::Inline,
        Optimisation::Cse,
        Optimisation::Simplify,
        Optimisation::Unguarded,
        Optimisation::ZeroSeeds,
        Optimisation::Preaccumulate,
        Optimisation::Summaries,
        Optimisation::Windows,
    ];

    /// The name by which it is switched off.
    pub fn name(self) -> &'static str {
        match self {
            Optimisation::Activity => "activity",
            Optimisation::AdjointLiveness => "adjoint_liveness",
            Optimisation::Tbr => "tbr",
            Optimisation::Snapshot => "snapshot",
            Optimisation::Recompute => "recompute",
            Optimisation::Retest => "retest",
            Optimisation::Invert => "invert",
            Optimisation::Fuse => "fuse",
            Optimisation::Inline => "inline",
            Optimisation::Cse => "cse",
            Optimisation::Simplify => "simplify",
            Optimisation::Unguarded => "unguarded",
            Optimisation::ZeroSeeds => "zero_seeds",
            Optimisation::Preaccumulate => "preaccumulate",
            Optimisation::Summaries => "summaries",
            Optimisation::Windows => "windows",
        }
    }
}

/// A set of optimisations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Optimisations(u16);

impl Optimisations {
    /// All of them.
    pub const ALL: Self = Self(u16::MAX);

    /// None of them.
    pub const NONE: Self = Self(0);

    /// Whether one of them is on.
    pub fn has(self, optimisation: Optimisation) -> bool {
        self.0 & optimisation as u16 != 0
    }

    /// The set without one of them.
    #[must_use]
    pub fn without(self, optimisation: Optimisation) -> Self {
        Self(self.0 & !(optimisation as u16))
    }
}
