//! What operations on integers leave of the bits of floats.

use super::value::{Content, Copied, Discrete, Value};
use crate::ir::{BinaryOp, UnaryOp};
use crate::types::{IntKind, Type};
use std::collections::BTreeSet;

/// A type of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Width {
    /// How many bits it has for sure.
    pub bits: u32,
    /// How many it has at most.
    pub most: u32,
    pub signed: bool,
}

impl Width {
    /// Nothing is known of the bits of other types.
    pub fn of(ty: &Type) -> Option<Self> {
        let Type::Int(IntKind::Named(name)) = ty else { return None };
        let signed = name.starts_with('i');
        let (bits, most) = match &name[1..] {
            "size" => (32, 64),
            bits => (bits.parse().ok()?, bits.parse().ok()?),
        };
        Some(Self { bits, most, signed })
    }

    fn cut(self, number: u128) -> u128 {
        if self.bits >= 128 { number } else { number & ((1 << self.bits) - 1) }
    }

    /// The number that bits stand for.
    fn number(self, bits: u128) -> i128 {
        let unused = 128 - self.bits;
        let number = (bits << unused).cast_signed();
        if self.signed {
            number >> unused
        } else {
            (number.cast_unsigned() >> unused).cast_signed()
        }
    }
}

/// The ones from a bit to another.
fn ones(from: u32, to: u32) -> u128 {
    let below = |end: u32| if end >= 128 { u128::MAX } else { (1 << end) - 1 };
    below(to) & !below(from.min(to))
}

fn unknown(a: &Value, b: &Value, width: Width) -> Value {
    Value::unknown(a.holds_bits() || b.holds_bits(), width.most)
}

fn exponents(a: &Value, b: &Value) -> BTreeSet<super::value::Origin> {
    a.exponents().union(&b.exponents()).copied().collect()
}

/// `a op b`, of a type.
pub fn binary(op: BinaryOp, a: &Value, b: &Value, width: Width) -> Value {
    if width.bits == width.most
        && let (Some(x), Some(y)) = (a.as_constant(), b.as_constant())
        && let Some(constant) = folded(op, x, y, width)
    {
        let mut value = Value::constant(constant);
        value.content =
            Content::Discrete(Discrete { of: exponents(a, b), ..Discrete::constant(constant) });
        return value;
    }
    let value = match op {
        BinaryOp::Add => sum(a, b, false, width),
        BinaryOp::Sub => sum(a, b, true, width),
        BinaryOp::Mul => product(a, b, width),
        BinaryOp::Div => quotient(a, b, width),
        BinaryOp::Rem => match b.as_constant() {
            Some(divisor) if divisor.is_power_of_two() && !width.signed => {
                masked(a, b, divisor - 1, width)
            }
            _ => both_discrete(a, b, width),
        },
        BinaryOp::Shl => shifted_left(a, b, width),
        BinaryOp::Shr => shifted_right(a, b, width),
        BinaryOp::BitAnd => match (a.as_constant(), b.as_constant()) {
            (_, Some(mask)) => masked(a, b, mask, width),
            (Some(mask), _) => masked(b, a, mask, width),
            (None, None) => masked_by_unknown(a, b, width),
        },
        BinaryOp::BitOr => united(a, b, width).unwrap_or_else(|| unknown(a, b, width)),
        BinaryOp::BitXor => exchanged(a, b, width),
        BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge => Value::discrete(BTreeSet::new(), 1),
    };
    Value { end: value.end.min(width.most), ..value }
}

fn folded(op: BinaryOp, x: u128, y: u128, width: Width) -> Option<u128> {
    let (a, b) = (width.number(x), width.number(y));
    let number = match op {
        BinaryOp::Add => a.checked_add(b)?,
        BinaryOp::Sub => a.checked_sub(b)?,
        BinaryOp::Mul => a.checked_mul(b)?,
        BinaryOp::Div => a.checked_div(b)?,
        BinaryOp::Rem => a.checked_rem(b)?,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl if y < u128::from(width.bits) => a << y,
        BinaryOp::Shr if y < u128::from(width.bits) => a >> y,
        _ => return None,
    };
    Some(width.cut(number.cast_unsigned()))
}

/// What only discrete operands give something known for.
fn both_discrete(a: &Value, b: &Value, width: Width) -> Value {
    match (&a.content, &b.content) {
        (Content::Discrete(_), Content::Discrete(_)) => match a.is_part() || b.is_part() {
            true => Value::part(exponents(a, b), width.most),
            false => Value::discrete(exponents(a, b), width.most),
        },
        _ => unknown(a, b, width),
    }
}

/// Whether a number may be added to what follows a float, or put beside it, without being lost.
fn is_constant_beside(other: &Value, copied: &Copied) -> bool {
    !other.is_part() || other.zeros >= copied.top()
}

fn sum(a: &Value, b: &Value, is_difference: bool, width: Width) -> Value {
    let zeros = a.zeros.min(b.zeros);
    // Without a carry nothing gets beyond both.
    let end = if is_difference { width.most } else { a.end.max(b.end).saturating_add(1) };
    let with = |copied: &Copied, offset: u32, is_negated: bool| {
        let ratio = copied.ratio.times(if is_negated { -1 } else { 1 });
        let content = ratio.map(|ratio| {
            let offset = if is_negated { 0 } else { copied.offset.min(offset) };
            Content::Copy(Copied { ratio, offset, ..copied.clone() })
        });
        Value { content: content.unwrap_or(Content::Unknown { of_bits: true }), zeros, end }
    };
    match (&a.content, &b.content) {
        (Content::Copy(copied), Content::Discrete(_)) if is_constant_beside(b, copied) => {
            with(copied, b.zeros, false)
        }
        (Content::Discrete(_), Content::Copy(copied)) if is_constant_beside(a, copied) => {
            with(copied, a.zeros, is_difference)
        }
        (Content::Copy(_), Content::Low(..)) | (Content::Low(..), Content::Copy(_))
            if !is_difference =>
        {
            put_together(a, b)
                .or_else(|| put_together(b, a))
                .unwrap_or_else(|| Value { zeros, ..unknown(a, b, width) })
        }
        (Content::Discrete(_), Content::Discrete(_)) => {
            Value { zeros, end, ..both_discrete(a, b, width) }
        }
        _ => Value { zeros, ..unknown(a, b, width) },
    }
}

/// The upper bits of a float with its last ones, which have been taken apart.
fn put_together(upper: &Value, lower: &Value) -> Option<Value> {
    let (Content::Copy(copied), Content::Low(origin, end)) = (&upper.content, &lower.content)
    else {
        return None;
    };
    let fits = copied.ratio == super::value::Ratio::ONE
        && copied.origin == Some(*origin)
        && upper.zeros >= lower.end
        && upper.zeros >= *end
        && copied.offset >= *end;
    let from = if copied.from <= *end { 0 } else { copied.from };
    fits.then(|| Value {
        content: Content::Copy(Copied { from, ..copied.clone() }),
        zeros: 0,
        end: upper.end,
    })
}

fn product(a: &Value, b: &Value, width: Width) -> Value {
    let (value, factor) = match (a.as_constant(), b.as_constant()) {
        (_, Some(factor)) => (a, factor),
        (Some(factor), _) => (b, factor),
        (None, None) => return both_discrete(a, b, width),
    };
    let factor = width.number(factor);
    let shift = factor.unsigned_abs().trailing_zeros().min(128);
    let zeros = value.zeros.saturating_add(shift);
    let scaled = |copied: &Copied| {
        let ratio = copied.ratio.times(factor)?;
        let offset = copied.offset.saturating_add(shift);
        let scaled = Copied { ratio, offset, ..copied.clone() };
        (scaled.top() <= width.bits && factor != 0).then_some(scaled)
    };
    let content = match &value.content {
        Content::Discrete(_) => return Value { zeros, ..both_discrete(a, b, width) },
        Content::Copy(copied) => scaled(copied).map(Content::Copy),
        Content::Low(..) | Content::Truncated | Content::Unknown { .. } => None,
    };
    match content {
        Some(content) => Value { content, zeros, end: width.most },
        None => Value { zeros, ..unknown(a, b, width) },
    }
}

fn quotient(a: &Value, b: &Value, width: Width) -> Value {
    let Some(divisor) = b.as_constant().map(|divisor| width.number(divisor)).filter(|n| *n > 0)
    else {
        return both_discrete(a, b, width);
    };
    match &a.content {
        Content::Copy(copied) => {
            let end = if width.signed { width.most } else { a.end.saturating_sub(divisor.ilog2()) };
            divided(copied, divisor, end, width).unwrap_or_else(|| unknown(a, b, width))
        }
        _ => both_discrete(a, b, width),
    }
}

/// An integer that follows a float, divided and rounded.
fn divided(copied: &Copied, divisor: i128, end: u32, width: Width) -> Option<Value> {
    let ratio = copied.ratio.over(divisor)?;
    let divided = Copied { ratio, ..copied.clone() };
    if divided.top() == 0 {
        return Some(Value::discrete(copied.origin.into_iter().collect(), width.most.min(end)));
    }
    let from = copied.from.max(divided.bit_at(0));
    let shift = divisor.trailing_zeros();
    let offset = if divisor.unsigned_abs().is_power_of_two() {
        copied.offset.saturating_sub(shift)
    } else {
        0
    };
    Some(Value { content: Content::Copy(Copied { from, offset, ..divided }), zeros: 0, end })
}

fn shifted_left(a: &Value, b: &Value, width: Width) -> Value {
    let Some(shift) = b.as_constant().filter(|shift| *shift < u128::from(width.bits)) else {
        return Value { zeros: a.zeros, ..both_discrete(a, b, width) };
    };
    // Less than 128.
    #[allow(clippy::cast_possible_truncation, reason = "see above")]
    let shift = shift as u32;
    let (zeros, end) = (a.zeros.saturating_add(shift), a.end.saturating_add(shift));
    let content = match &a.content {
        Content::Discrete(discrete) => {
            Content::Discrete(Discrete { constant: None, ..discrete.clone() })
        }
        Content::Copy(copied) => {
            let ratio = 1_i128.checked_shl(shift).and_then(|factor| copied.ratio.times(factor));
            let offset = copied.offset.saturating_add(shift);
            let moved = ratio.map(|ratio| Copied { ratio, offset, ..copied.clone() });
            match moved.filter(|moved| moved.top() <= width.bits) {
                Some(moved) => Content::Copy(moved),
                None => Content::Unknown { of_bits: a.holds_bits() },
            }
        }
        Content::Low(..) | Content::Truncated | Content::Unknown { .. } => {
            Content::Unknown { of_bits: a.holds_bits() }
        }
    };
    Value { content, zeros, end }
}

fn shifted_right(a: &Value, b: &Value, width: Width) -> Value {
    let Some(shift) = b.as_constant().filter(|shift| *shift < u128::from(width.bits)) else {
        return match (&a.content, &b.content) {
            // The mantissa, shifted by the exponent, is the integer part of the float.
            (Content::Copy(copied), Content::Discrete(discrete))
                if is_place_of(discrete, copied) =>
            {
                Value::part(exponents(a, b), width.most)
            }
            // What is not negative does not grow.
            _ if !width.signed || a.end < width.bits => {
                Value { end: a.end, ..both_discrete(a, b, width) }
            }
            _ => both_discrete(a, b, width),
        };
    };
    // Less than 128.
    #[allow(clippy::cast_possible_truncation, reason = "see above")]
    let shift = shift as u32;
    let end = if width.signed { width.most } else { a.end.saturating_sub(shift) };
    match &a.content {
        Content::Copy(copied) => divided(copied, 1_i128 << shift.min(126), end, width).map_or_else(
            || unknown(a, b, width),
            |value| Value { zeros: a.zeros.saturating_sub(shift), ..value },
        ),
        Content::Discrete(_) => {
            Value { zeros: a.zeros.saturating_sub(shift), end, ..both_discrete(a, b, width) }
        }
        Content::Low(..) | Content::Truncated | Content::Unknown { .. } => {
            Value { end, ..unknown(a, b, width) }
        }
    }
}

/// Whether a number is computed from the exponent of what an integer follows, and so tells a place in its mantissa.
fn is_place_of(discrete: &Discrete, copied: &Copied) -> bool {
    discrete.constant.is_none()
        && !discrete.is_part
        && copied.origin.is_some_and(|origin| discrete.of.contains(&origin))
}

/// `a & mask`
fn masked(a: &Value, b: &Value, mask: u128, width: Width) -> Value {
    let mask = width.cut(mask);
    let zeros = a.zeros.max(if mask == 0 { 128 } else { mask.trailing_zeros() });
    let end = a.end.min(128 - mask.leading_zeros());
    let content = match &a.content {
        Content::Discrete(discrete) => {
            Content::Discrete(Discrete { constant: None, ..discrete.clone() })
        }
        Content::Copy(copied) => masked_copy(copied, mask, width),
        Content::Low(origin, bits) if mask & ones(0, *bits) == ones(0, *bits) => {
            Content::Low(*origin, *bits)
        }
        Content::Low(..) | Content::Truncated | Content::Unknown { .. } => {
            Content::Unknown { of_bits: a.holds_bits() || b.holds_bits() }
        }
    };
    Value { content, zeros, end }
}

fn masked_copy(copied: &Copied, mask: u128, width: Width) -> Content {
    let top = copied.top().min(width.bits);
    let of_mantissa = mask & ones(0, top);
    let first = of_mantissa.trailing_zeros();
    if copied.top() <= width.bits && of_mantissa == 0 {
        let of = copied.origin.into_iter().collect();
        return Content::Discrete(Discrete { of, ..Discrete::default() });
    }
    if copied.top() <= width.bits && of_mantissa != 0 && of_mantissa == ones(first, top) {
        let from = if first == 0 { copied.from } else { copied.from.max(copied.bit_at(first)) };
        return Content::Copy(Copied { from, offset: copied.offset.min(top), ..copied.clone() });
    }
    let end = 128 - mask.leading_zeros();
    low(copied, end).filter(|_| mask == ones(0, end)).unwrap_or(Content::Unknown { of_bits: true })
}

/// The last bits of an integer that follows a float, if they are those of the float.
fn low(copied: &Copied, end: u32) -> Option<Content> {
    let is_own = copied.ratio == super::value::Ratio::ONE
        && copied.is_exact()
        && copied.offset >= end
        && end < copied.top();
    let origin = copied.origin.filter(|_| is_own)?;
    Some(Content::Low(origin, end))
}

/// `a & b` with a mask that is computed.
fn masked_by_unknown(a: &Value, b: &Value, width: Width) -> Value {
    let (zeros, end) = (a.zeros.max(b.zeros), a.end.min(b.end));
    let content = match (&a.content, &b.content) {
        (Content::Copy(copied), Content::Discrete(mask))
            if is_place_of(mask, copied) && b.end > copied.top() =>
        {
            Content::Truncated
        }
        (Content::Discrete(mask), Content::Copy(copied))
            if is_place_of(mask, copied) && a.end > copied.top() =>
        {
            Content::Truncated
        }
        _ => both_discrete(a, b, width).content,
    };
    Value { content, zeros, end }
}

/// `a | b`, where each has its own bits.
fn united(a: &Value, b: &Value, width: Width) -> Option<Value> {
    let (zeros, end) = (a.zeros.min(b.zeros), a.end.max(b.end));
    let content = match (&a.content, &b.content) {
        (Content::Copy(copied), Content::Discrete(_)) => united_copy(a, copied, b, width)?,
        (Content::Discrete(_), Content::Copy(copied)) => united_copy(b, copied, a, width)?,
        (Content::Copy(_), Content::Low(..)) => return put_together(a, b),
        (Content::Low(..), Content::Copy(_)) => return put_together(b, a),
        (Content::Discrete(_), Content::Discrete(_)) => both_discrete(a, b, width).content,
        _ => return None,
    };
    Some(Value { content, zeros, end })
}

fn united_copy(value: &Value, copied: &Copied, other: &Value, width: Width) -> Option<Content> {
    let top = copied.top();
    if top > width.bits {
        return None;
    }
    // Above the mantissa.
    if other.zeros >= top || other.as_constant().is_some_and(|n| n & ones(0, top) == 0) {
        return Some(Content::Copy(Copied { offset: copied.offset.min(top), ..copied.clone() }));
    }
    // Where there were zeros.
    if other.end <= value.zeros && !other.is_part() {
        return Some(Content::Copy(Copied {
            offset: copied.offset.min(other.zeros),
            ..copied.clone()
        }));
    }
    None
}

/// `a ^ b`
fn exchanged(a: &Value, b: &Value, width: Width) -> Value {
    let zeros = a.zeros.min(b.zeros);
    let with = |copied: &Copied, other: &Value| {
        let top = copied.top();
        let is_above =
            other.zeros >= top || other.as_constant().is_some_and(|n| n & ones(0, top) == 0);
        let offset = copied.offset.min(top);
        (is_above && top <= width.bits).then(|| Content::Copy(Copied { offset, ..copied.clone() }))
    };
    let content = match (&a.content, &b.content) {
        (Content::Copy(copied), Content::Discrete(_)) => with(copied, b),
        (Content::Discrete(_), Content::Copy(copied)) => with(copied, a),
        (Content::Discrete(_), Content::Discrete(_)) => Some(both_discrete(a, b, width).content),
        _ => None,
    };
    match content {
        Some(content) => Value { content, zeros, end: a.end.max(b.end) },
        None => unknown(a, b, width),
    }
}

/// `-a`, `!a`
pub fn unary(op: UnaryOp, a: &Value, width: Width) -> Value {
    if let Some(constant) = a.as_constant()
        && width.bits == width.most
    {
        let number = width.number(constant);
        let number = match op {
            UnaryOp::Neg => number.wrapping_neg(),
            UnaryOp::Not => !number,
        };
        return Value::constant(width.cut(number.cast_unsigned()));
    }
    let zeros = match op {
        UnaryOp::Neg => a.zeros,
        UnaryOp::Not => 0,
    };
    match &a.content {
        Content::Copy(copied) => match copied.ratio.times(-1) {
            Some(ratio) => {
                let content = Content::Copy(Copied { ratio, offset: 0, ..copied.clone() });
                Value { content, zeros, end: width.most }
            }
            None => unknown(a, a, width),
        },
        Content::Discrete(_) => Value { zeros, ..both_discrete(a, a, width) },
        Content::Low(..) | Content::Truncated | Content::Unknown { .. } => unknown(a, a, width),
    }
}

/// `a as …`
pub fn cast(a: &Value, from: Width, to: Width) -> Value {
    if let Some(constant) = a.as_constant()
        && from.bits == from.most
        && to.bits == to.most
    {
        let mut value = Value::constant(to.cut(from.number(constant).cast_unsigned()));
        if let Content::Discrete(discrete) = &mut value.content {
            discrete.of = a.exponents();
        }
        return value;
    }
    let is_extended = from.signed && a.end >= from.bits;
    let end = if is_extended { to.most } else { a.end.min(to.most) };
    let content = match &a.content {
        Content::Copy(copied) if copied.top() > to.bits => {
            low(copied, to.bits).unwrap_or(Content::Unknown { of_bits: a.holds_bits() })
        }
        // What is truncated may have lost its sign and exponent.
        Content::Truncated if to.bits < from.bits => Content::Unknown { of_bits: true },
        Content::Low(_, bits) if *bits > to.bits => Content::Unknown { of_bits: true },
        Content::Discrete(discrete) if a.end >= from.bits.min(to.bits) => {
            Content::Discrete(Discrete { constant: None, ..discrete.clone() })
        }
        content => content.clone(),
    };
    Value { content, zeros: a.zeros, end }
}
