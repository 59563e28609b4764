//! What is known of an integer: does it hold bits of a float, and where?
//!
//! The bits of a positive float, read as an integer, are a piecewise linear function of the float: between two powers of 2 they
//! grow by 1 for each step from one float to the next. An integer follows the float as long as it is a multiple of these bits, up to
//! rounding, and up to what changes at powers of 2 only, where exponent and sign change: that is a constant for a derivative.

use std::collections::BTreeSet;

/// What tells the bits of one float from those of another: where and when they were taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Origin(pub u32);

/// What is known of an integer.
#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    pub content: Content,
    /// How many bits at the low end are known to be zero.
    pub zeros: u32,
    /// Bits from here on are known to be zero.
    pub end: u32,
}

/// What an integer depends on.
#[derive(Clone, PartialEq, Debug)]
pub enum Content {
    /// On nothing but exponents and signs, or on no float at all.
    Discrete(Discrete),
    /// It follows a float.
    Copy(Copied),
    /// So many bits of a float, the last ones of its mantissa.
    Low(Origin, u32),
    /// The bits of a float that has been rounded to a place that its exponent tells, as by `trunc`.
    Truncated,
    /// On anything.
    Unknown {
        /// Whether that are bits of a float that have been taken here.
        of_bits: bool,
    },
}

/// An integer without bits of a mantissa.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Discrete {
    /// The number, as its bits, if it is known.
    pub constant: Option<u128>,
    /// The floats whose exponents it depends on for sure.
    pub of: BTreeSet<Origin>,
    /// Whether it may be the integer part of a float: its bits are those of the float then, in a way.
    pub is_part: bool,
}

/// An integer that follows a float: `ratio * bits + constant`.
#[derive(Clone, PartialEq, Debug)]
pub struct Copied {
    pub ratio: Ratio,
    /// How many bits the mantissa of the float has.
    pub mantissa: u32,
    /// The lowest bit of the mantissa that has not been lost.
    pub from: u32,
    /// What has been added is a multiple of this power of 2.
    pub offset: u32,
    pub origin: Option<Origin>,
}

/// A number `num / den` in lowest terms, with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ratio {
    pub num: i128,
    pub den: i128,
}

impl Ratio {
    pub const ONE: Self = Self { num: 1, den: 1 };

    fn new(num: i128, den: i128) -> Self {
        let (mut a, mut b) = (num.unsigned_abs(), den.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let divisor = i128::try_from(a.max(1)).unwrap_or(1);
        Self { num: num / divisor, den: den / divisor }
    }

    pub fn times(self, factor: i128) -> Option<Self> {
        Some(Self::new(self.num.checked_mul(factor)?, self.den))
    }

    pub fn over(self, divisor: i128) -> Option<Self> {
        let den = self.den.checked_mul(divisor)?;
        (den > 0).then(|| Self::new(self.num, den))
    }

    /// The power of 2 that this is, if it is one.
    fn shift(self) -> Option<i32> {
        let power = |n: i128| (n > 0 && n & (n - 1) == 0).then(|| n.trailing_zeros().cast_signed());
        match (self.num, self.den) {
            (num, 1) => power(num),
            (1, den) => power(den).map(|shift| -shift),
            _ => None,
        }
    }

    /// As a literal of a float, if it is not 1.
    pub fn factor(self) -> Option<String> {
        #[allow(clippy::cast_precision_loss, reason = "rounded as any constant is")]
        let value = self.num as f64 / self.den as f64;
        (self != Self::ONE).then(|| format!("{value:?}"))
    }
}

impl Discrete {
    pub fn constant(constant: u128) -> Self {
        Self { constant: Some(constant), ..Self::default() }
    }
}

impl Copied {
    /// Bits of the integer from here on change at powers of 2 only.
    pub fn top(&self) -> u32 {
        let reach = self.ratio.num.unsigned_abs().checked_shl(self.mantissa);
        let reach = reach.filter(|reach| reach >> self.mantissa == self.ratio.num.unsigned_abs());
        match reach {
            Some(reach) => {
                (0..127).find(|top| reach <= self.ratio.den.unsigned_abs() << top).unwrap_or(127)
            }
            None => 127,
        }
    }

    /// The lowest bit of the integer taken from the float that is at a position or above.
    pub fn bit_at(&self, position: u32) -> u32 {
        match self.ratio.shift() {
            Some(shift) => (position.cast_signed() - shift).max(0).cast_unsigned(),
            // Between two bits: something is lost.
            None => u32::from(position > 0).max(1),
        }
    }

    /// Whether it follows the float as it is, without any rounding.
    pub fn is_exact(&self) -> bool {
        self.from == 0
    }
}

impl Value {
    pub fn constant(constant: u128) -> Self {
        let zeros = if constant == 0 { 128 } else { constant.trailing_zeros() };
        let end = 128 - constant.leading_zeros();
        Self { content: Content::Discrete(Discrete::constant(constant)), zeros, end }
    }

    pub fn discrete(of: BTreeSet<Origin>, end: u32) -> Self {
        let discrete = Discrete { of, ..Discrete::default() };
        Self { content: Content::Discrete(discrete), zeros: 0, end }
    }

    /// The integer part of a float.
    pub fn part(of: BTreeSet<Origin>, end: u32) -> Self {
        let discrete = Discrete { of, is_part: true, constant: None };
        Self { content: Content::Discrete(discrete), zeros: 0, end }
    }

    /// Whether it may be the integer part of a float.
    pub fn is_part(&self) -> bool {
        matches!(&self.content, Content::Discrete(discrete) if discrete.is_part)
    }

    pub fn unknown(of_bits: bool, end: u32) -> Self {
        Self { content: Content::Unknown { of_bits }, zeros: 0, end }
    }

    /// Whether it holds bits of a mantissa that were taken here.
    pub fn holds_bits(&self) -> bool {
        match &self.content {
            Content::Copy(_) | Content::Low(..) | Content::Truncated => true,
            Content::Unknown { of_bits } => *of_bits,
            Content::Discrete(_) => false,
        }
    }

    /// The floats whose exponents it depends on.
    pub fn exponents(&self) -> BTreeSet<Origin> {
        match &self.content {
            Content::Discrete(discrete) => discrete.of.clone(),
            Content::Copy(copied) => copied.origin.into_iter().collect(),
            Content::Low(..) | Content::Truncated | Content::Unknown { .. } => BTreeSet::new(),
        }
    }

    pub fn as_constant(&self) -> Option<u128> {
        match &self.content {
            Content::Discrete(discrete) => discrete.constant,
            Content::Copy(_) | Content::Low(..) | Content::Truncated | Content::Unknown { .. } => {
                None
            }
        }
    }

    /// What is known where control joins, apart from origins that differ.
    pub fn join(&self, other: &Self) -> Self {
        let (zeros, end) = (self.zeros.min(other.zeros), self.end.max(other.end));
        let content = match (&self.content, &other.content) {
            (a, b) if a == b => a.clone(),
            (Content::Discrete(a), Content::Discrete(b)) => Content::Discrete(Discrete {
                constant: a.constant.filter(|_| a.constant == b.constant),
                of: a.of.intersection(&b.of).copied().collect(),
                is_part: a.is_part || b.is_part,
            }),
            // Where there is no float, it follows one that does not change.
            (Content::Copy(copied), Content::Discrete(discrete))
            | (Content::Discrete(discrete), Content::Copy(copied))
                if !discrete.is_part =>
            {
                Content::Copy(Copied { origin: None, offset: 0, ..copied.clone() })
            }
            (Content::Copy(a), Content::Copy(b))
                if a.ratio == b.ratio && a.mantissa == b.mantissa =>
            {
                Content::Copy(Copied {
                    from: a.from.max(b.from),
                    offset: a.offset.min(b.offset),
                    origin: a.origin.filter(|_| a.origin == b.origin),
                    ..a.clone()
                })
            }
            (
                Content::Discrete(_)
                | Content::Copy(_)
                | Content::Low(..)
                | Content::Truncated
                | Content::Unknown { .. },
                _,
            ) => Content::Unknown { of_bits: self.holds_bits() || other.holds_bits() },
        };
        Self { content, zeros, end }
    }
}
