//! How long ranges are: there may be more integers in one than the greatest of them, and one more than the greatest
//! length.

use super::Lowerer;
use super::sequences::{endless, is_endless, number, sum, typed};
use crate::ir::{Adaptor, BinaryOp, Expr, ExprKind, Op, UnaryOp};
use crate::types::{IntKind, Type};
use proc_macro2::Span;

/// How many items there are.
pub(super) struct Length {
    pub(super) len: Expr,
    /// The number of the last item, where that is no more than it seems: `len` is too small if it is the
    /// greatest number.
    pub(super) last: Option<Expr>,
}

impl Lowerer<'_> {
    /// How many positions `start..=end` has: `end` may be the greatest.
    pub(super) fn count_to(&mut self, start: Expr, end: Expr) -> Length {
        match (number(&start), number(&end)) {
            (Some(first), Some(last)) if first > last => {
                return Length { len: Expr::usize(0), last: None };
            }
            (Some(first), Some(last)) => {
                let last = last - first;
                let length = last.checked_add(1).map(Expr::usize);
                let last = length.is_none().then(|| Expr::usize(last));
                return Length { len: length.unwrap_or_else(endless), last };
            }
            (None, Some(last)) if last < usize::MAX => {
                return Length { len: self.less(Expr::usize(last + 1), start), last: None };
            }
            (None | Some(_), _) => {}
        }
        let end = self.frozen(end, "end");
        if number(&start) == Some(0) {
            let len = self.count("saturating_add", end.clone(), Expr::usize(1));
            return Length { len, last: Some(end) };
        }
        let distance = self.less(end.clone(), start.clone());
        self.count_if_ordered(start, end, distance)
    }

    /// One more than a distance, if a range has a beginning before its end.
    fn count_if_ordered(&mut self, start: Expr, end: Expr, distance: Expr) -> Length {
        let last = self.frozen(distance, "last");
        let count = self.count("saturating_add", last.clone(), Expr::usize(1));
        let args = vec![Expr::test(BinaryOp::Le, start, end), count, Expr::usize(0)];
        Length { len: Expr::op(Op::Select, args, Type::USIZE), last: Some(last) }
    }

    /// How many integers of whatever type a range has.
    pub(super) fn count_of_integers(&mut self, start: Expr, end: Expr, inclusive: bool) -> Length {
        if let (Some(first), Some(last)) = (integer(&start), integer(&end)) {
            let last = if inclusive { last.saturating_add(1) } else { last };
            let count = last.saturating_sub(first).max(0);
            let len = Expr::usize(usize::try_from(count).unwrap_or(usize::MAX));
            return Length { len, last: None };
        }
        let end = if inclusive { self.frozen(end, "end") } else { end };
        if inclusive {
            let distance = self.distance(end.clone(), start.clone());
            return self.count_if_ordered(start, end, distance);
        }
        let top = self.of_integers("max", end, start.clone());
        Length { len: self.distance(top, start), last: None }
    }

    /// The distance of ordered integers as a length, or the greatest length. It may be more than the greatest integer
    /// of their type, which rustc alone may know.
    fn distance(&mut self, high: Expr, low: Expr) -> Expr {
        let span = high.span;
        let cast = |expr, ty| Expr::new(ExprKind::Op(Op::Cast, vec![expr]), ty, span);
        let wide = |name| Type::Int(IntKind::Named(name));
        let distance = match self.is_wide(&high.ty) {
            true => {
                let distance = self.of_integers("abs_diff", high, low);
                self.of_integers("min", distance, cast(endless(), wide("u128")))
            }
            false => {
                let [high, low] = [high, low].map(|number| cast(number, wide("i128")));
                Expr::binary(BinaryOp::Sub, high, low)
            }
        };
        cast(distance, Type::USIZE)
    }

    /// Each `count`th of so many items.
    pub(super) fn in_steps(&mut self, Length { len, last }: Length, count: Expr) -> Length {
        if let Some(last) = last {
            let last = self.frozen(Expr::binary(BinaryOp::Div, last, count), "last");
            let more = self.count("saturating_add", last.clone(), Expr::usize(1));
            let is_empty = Expr::test(BinaryOp::Eq, len, Expr::usize(0));
            let len = Expr::op(Op::Select, vec![is_empty, Expr::usize(0), more], Type::USIZE);
            return Length { len, last: Some(last) };
        }
        let len = match (number(&len), number(&count)) {
            _ if is_endless(&len) => len,
            (Some(len), Some(count)) if count > 0 => Expr::usize(len.div_ceil(count)),
            _ => self.count("div_ceil", typed(len), count),
        };
        Length { len, last: None }
    }

    /// The number at a position behind the first of a range.
    pub(super) fn number_at(&self, first: &Expr, position: Expr) -> Expr {
        let (span, ty) = (position.span, first.ty.clone());
        let offset = Expr::new(ExprKind::Op(Op::Cast, vec![position]), ty, span);
        // An offset from a negative number may be more than the greatest number.
        let is_signed = matches!(self.types.shallow(&offset.ty), Type::Int(IntKind::Named(name)) if name.starts_with('i'));
        match integer(first) {
            Some(0) => offset,
            _ if is_signed => self.of_integers("wrapping_add", offset, first.clone()),
            _ => sum(first.clone(), offset),
        }
    }

    /// The same of a range without an end, which counts on before it hands out a number: where numbers are checked, the greatest
    /// of the type is never handed out.
    pub(super) fn counted_at(&self, first: &Expr, position: Expr) -> Expr {
        let number = self.number_at(first, position);
        let one = Expr::literal("1", first.ty.clone());
        let next = Expr::binary(BinaryOp::Add, number, one.clone());
        Expr::binary(BinaryOp::Sub, next, one)
    }

    /// Whether a range without an end that begins there may come to the end of its type.
    pub(super) fn may_end(&self, first: &Expr) -> bool {
        let is_narrow = match self.types.shallow(&first.ty) {
            Type::Int(IntKind::Named(name)) => matches!(name, "u8" | "i8" | "u16" | "i16"),
            _ => false,
        };
        is_narrow || !matches!(integer(first), Some(0 | 1))
    }

    /// Positions are of the width of a length, and in an iterator that is looked at by number the last
    /// of a wider range has none.
    pub(super) fn check_width(&mut self, ty: &Type, adaptors: &[Adaptor], span: Span) {
        if self.is_wide(ty) && !adaptors.is_empty() {
            self.errors.report(
                span,
                "`rev` and `step_by` of integers of 128 bits are not supported here",
                "use a range of `u64` or `i64`, or count in a `while` loop",
            );
        }
    }

    fn is_wide(&self, ty: &Type) -> bool {
        matches!(self.types.shallow(ty), Type::Int(IntKind::Named("u128" | "i128")))
    }

    /// A method of two integers of one type, whose result is of that type, or as wide.
    pub(super) fn of_integers(&self, method: &str, a: Expr, b: Expr) -> Expr {
        let (span, ty) = (a.span, a.ty.clone());
        Expr::new(ExprKind::Op(Op::Method(method.into()), vec![a, b]), ty, span)
    }
}

/// The number, if it is written there, with or without a sign and a type.
pub(super) fn integer(value: &Expr) -> Option<i128> {
    if let ExprKind::Op(Op::Unary(UnaryOp::Neg), args) = &value.kind {
        return Some(-integer(&args[0])?);
    }
    let text = value.as_literal()?.replace('_', "");
    let digits = text.find(['i', 'u']).map_or(text.as_str(), |suffix| &text[..suffix]);
    digits.parse().ok()
}
