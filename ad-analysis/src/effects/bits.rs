//! Integers that are made of floats: they carry no derivative, and what is made of them has none. But a float that is made of
//! the bits of such an integer would lose that of the float that the bits are of. So integers are followed as floats
//! are, by flows that are refused without a word; where the integer becomes a float, the refusal says why.

use super::expr::Reader;
use super::{Effects, Flow, Needs};
use crate::index::Zone;
use crate::ir::{ArgKind, Call, Expr, ExprKind, Op, Opaque, Unclear};
use crate::rules;
use crate::types::Type;
use proc_macro2::Span;
use std::rc::Rc;

impl Reader<'_> {
    /// The zones that a value is made of, those apart that only decide which value it is: the indices of places, and the
    /// operands of comparisons.
    pub(super) fn data(&self, expr: &Expr, out: &mut Vec<Zone>) {
        if expr.ty == Type::Bool {
            return;
        }
        match &expr.kind {
            ExprKind::Load(place) => out.extend(self.zones.of_place(&self.body.resolve(place))),
            ExprKind::Op(op, args) => {
                let first = usize::from(*op == Op::Select);
                if *op != Op::Len {
                    args[first..].iter().for_each(|arg| self.data(arg, out));
                }
            }
            ExprKind::Opaque(_) => self.uses(expr, out),
            ExprKind::Literal(_) | ExprKind::Guard(_) => {}
        }
    }

    fn integers_of(&self, zones: &[Zone]) -> Vec<Zone> {
        let is_integer = |zone: &Zone| !self.zones.may_carry_floats(*zone);
        zones.iter().copied().filter(is_integer).collect()
    }

    fn floats_of(&self, zones: &[Zone]) -> Vec<Zone> {
        zones.iter().copied().filter(|zone| self.zones.may_carry_floats(*zone)).collect()
    }
}

/// What an assignment makes of floats and puts into integers.
pub(super) fn into_integers(reader: &Reader<'_>, value: &Expr, span: Span, effects: &mut Effects) {
    let to = reader.integers_of(&effects.writes);
    if !reader.zones.follow_integers() || to.is_empty() {
        return;
    }
    let mut from = Vec::new();
    reader.data(value, &mut from);
    effects.flows.push(unnoticed(to, from, span));
}

/// Integers that change places.
pub(super) fn among_integers(
    reader: &Reader<'_>,
    zones: &[Zone],
    span: Span,
    effects: &mut Effects,
) {
    let integers = reader.integers_of(zones);
    if reader.zones.follow_integers() && !integers.is_empty() {
        effects.flows.push(unnoticed(integers.clone(), integers, span));
    }
}

/// What verbatim code makes of floats and puts into integers, and of integers and puts into floats.
pub(super) fn through_opaque(
    reader: &Reader<'_>,
    opaque: &Opaque,
    span: Span,
    effects: &mut Effects,
) {
    if !reader.zones.follow_integers() {
        return;
    }
    let to = reader.integers_of(&effects.writes);
    // It may keep them, as it may keep floats.
    let calls_unknown = opaque.calls_unknown;
    let unnoticed = Opaque { refusal: None, calls_unknown, ..Opaque::refused("", "") };
    effects.flows.push(Flow {
        to,
        from: effects.uses.clone(),
        needs: Needs::default(),
        refusal: Some((Rc::new(unnoticed), span)),
    });
    if opaque.calls_unknown || makes_floats_of_bits(opaque) {
        effects.flows.push(Flow {
            to: reader.floats_of(&effects.writes),
            from: reader.integers_of(&effects.uses),
            needs: Needs::default(),
            refusal: Some((refused(Unclear::Argument), span)),
        });
    }
}

/// What a call makes of its arguments and puts into integers, and of integers that hold bits of floats.
pub(super) fn through_call(reader: &Reader<'_>, call: &Call, span: Span, effects: &mut Effects) {
    if !reader.zones.follow_integers() {
        return;
    }
    let (mut all, mut unclear) = (Vec::new(), Vec::new());
    for arg in &call.args {
        match &arg.kind {
            ArgKind::Value(value) => {
                reader.data(value, &mut all);
                if let ExprKind::Op(Op::Unclear(_), args) = &value.kind {
                    args[1..].iter().for_each(|source| reader.data(source, &mut unclear));
                }
            }
            ArgKind::Shared(place) | ArgKind::Exclusive(place) => {
                let zones = reader.zones.of_place(&reader.body.resolve(place));
                unclear.extend(reader.integers_of(&zones));
                all.extend(zones);
            }
            ArgKind::Omitted => unreachable!("sweeps are not analysed"),
        }
    }
    let to = reader.integers_of(&effects.writes);
    effects.flows.push(unnoticed(to, all, span));
    effects.flows.push(Flow {
        to: reader.floats_of(&effects.writes),
        from: unclear,
        needs: Needs::default(),
        refusal: Some((refused(Unclear::Argument), span)),
    });
}

/// Whether verbatim code makes floats of bits in a way that is seen.
pub(super) fn makes_floats_of_bits(opaque: &Opaque) -> bool {
    let text = opaque.tokens.to_string();
    let mut names = rules::BITS.iter().filter(|name| name.starts_with("from"));
    names.any(|name| text.contains(name)) || text.contains("transmute")
}

/// A dependence that matters only for what depends on it in turn.
fn unnoticed(to: Vec<Zone>, from: Vec<Zone>, span: Span) -> Flow {
    let opaque = Opaque { refusal: None, ..Opaque::refused("", "") };
    Flow { to, from, needs: Needs::default(), refusal: Some((Rc::new(opaque), span)) }
}

/// Why what is made of bits has no derivative.
pub(super) fn refused(unclear: Unclear) -> Rc<Opaque> {
    let (what, help) = match unclear {
        Unclear::Float => (
            "a float made of bits that the macro does not follow",
            "it follows bits of a float that keep their order: sign and exponent may be replaced, the mantissa shifted, or its last \
             digits be cleared by a mask that is written there; compute with floats, or mark the expression `#[passive]` if its \
             derivative does not matter",
        ),
        Unclear::Rounded => (
            "a float whose mantissa is rounded, while a part of such a mantissa is used as a number, too,",
            "the derivative of the rounded float would be that of the float, and that of the number 0: mark the one that does not \
             matter `#[passive]`",
        ),
        Unclear::Number => (
            "a number made of a part of the bits of a float",
            "its derivative is not known: compute with floats, or mark the expression `#[passive]` if its derivative does not matter",
        ),
        Unclear::Element => (
            "an element chosen by the last bits of a float",
            "where a large number is added to round a float, use `round_ties_even` and a cast; mark the index `#[passive]` if the \
             derivative does not matter",
        ),
        Unclear::Argument => (
            "handing on an integer that holds bits of a float",
            "a float might be made of them elsewhere: take the bits there, or mark the argument `#[passive]` if it only decides \
             something",
        ),
    };
    Rc::new(Opaque::refused(what, help))
}
