//! Random expressions.

use super::Generator;
use ad_analysis::ir::{BinaryOp, Expr, ExprKind, Op, Place, UnaryOp};
use ad_analysis::types::Type;
use proc_macro2::Span;

impl Generator<'_> {
    pub(super) fn test(&mut self) -> Expr {
        if self.chance(0.3)
            && let Some(var) = self.pick(&self.bools.clone())
        {
            return self.load(var);
        }
        match self.rng.usize(..5) {
            0 => {
                let op = self.pick(&[BinaryOp::Eq, BinaryOp::Lt, BinaryOp::Ge]).expect("not empty");
                Expr::test(op, self.int(1), Expr::usize(self.rng.usize(..3)))
            }
            1 => {
                let (left, right) = (self.float(1), self.float(1));
                Expr::test(BinaryOp::Lt, left, right)
            }
            _ => {
                let bound = self.rng.f64() * 2.0 - 1.0;
                let op = self.pick(&[BinaryOp::Lt, BinaryOp::Gt]).expect("not empty");
                let bound = constant(bound);
                Expr::test(op, self.float(1), bound)
            }
        }
    }

    pub(super) fn int(&mut self, depth: usize) -> Expr {
        if depth > 0 && self.chance(0.25) {
            let left = self.int(depth - 1);
            return match self.rng.usize(..3) {
                0 => Expr::binary(BinaryOp::Add, left, Expr::usize(1)),
                1 => Expr::binary(BinaryOp::Mul, left, Expr::usize(2)),
                _ => {
                    // A cut: the dependence on floats ends in an integer.
                    let x = self.float(0);
                    let square = Expr::binary(BinaryOp::Mul, x.clone(), x);
                    let small = Expr::op(Op::Method("sin".into()), vec![square], Type::F64);
                    let scaled = Expr::binary(BinaryOp::Mul, small, constant(3.0));
                    let positive = Expr::op(Op::Method("abs".into()), vec![scaled], Type::F64);
                    Expr::op(Op::Cast, vec![positive], Type::USIZE)
                }
            };
        }
        let vecs = self.lists.iter().copied();
        let vecs: Vec<_> =
            vecs.filter(|&var| matches!(self.body.vars[var].ty, Type::Vec(_))).collect();
        if self.chance(0.1)
            && let Some(list) = self.pick(&vecs)
        {
            return Expr::op(Op::Len, vec![self.load(list)], Type::USIZE);
        }
        match self.pick(&self.ints.clone()) {
            Some(var) if self.chance(0.7) => self.load(var),
            _ => Expr::usize(self.rng.usize(..4)),
        }
    }

    pub(super) fn float(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.chance(0.25) {
            return self.leaf();
        }
        match self.rng.usize(..10) {
            0..=4 => {
                let ops = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul];
                let op = self.pick(&ops).expect("not empty");
                let (left, right) = (self.float(depth - 1), self.float(depth - 1));
                let value = Expr::binary(op, left, right);
                self.bounded(value, op == BinaryOp::Mul)
            }
            5 => {
                let operand = self.float(depth - 1);
                Expr::op(Op::Unary(UnaryOp::Neg), vec![operand], Type::F64)
            }
            _ => self.elementary(depth - 1),
        }
    }

    /// An operation of the table, with arguments moved into its domain.
    fn elementary(&mut self, depth: usize) -> Expr {
        let rule = self.rules[self.rng.usize(..self.rules.len())];
        let mut args = Vec::new();
        for arg in rule.args {
            if arg.is_int {
                args.push(Expr::literal(
                    &self.rng.usize(..4).to_string(),
                    Type::int("i32").expect("i32"),
                ));
                continue;
            }
            let (middle, half) = (0.5 * (arg.low + arg.high), 0.5 * (arg.high - arg.low));
            let inner = self.float(depth);
            let wave = Expr::op(Op::Method("sin".into()), vec![inner], Type::F64);
            let scaled = Expr::binary(BinaryOp::Mul, wave, constant(half));
            args.push(if middle == 0.0 {
                scaled
            } else {
                Expr::binary(BinaryOp::Add, scaled, constant(middle))
            });
        }
        Expr::op(ad_analysis::rules::operation_of(rule), args, Type::F64)
    }

    /// A variable or an element.
    pub(super) fn variable(&mut self) -> Expr {
        if self.chance(0.5) {
            let list = self.pick(&self.lists.clone()).expect("there is a list");
            let place = self.element(list);
            return Expr::load(place, Type::F64, Span::call_site());
        }
        let var = self.pick(&self.floats.clone()).expect("there is a float");
        self.load(var)
    }

    fn leaf(&mut self) -> Expr {
        match self.rng.usize(..10) {
            0 => constant(self.rng.f64() * 2.0 - 0.5),
            1..=4 => {
                let list = self.pick(&self.lists.clone()).expect("there is a list");
                let place = self.element(list);
                Expr::load(place, Type::F64, Span::call_site())
            }
            5 => match self.pick(&self.pairs.clone()) {
                Some(pair) => {
                    let place = Place::var(pair).field(self.rng.usize(..2));
                    Expr::load(place, Type::F64, Span::call_site())
                }
                None => constant(self.rng.f64()),
            },
            6 => {
                let int = self.int(0);
                let float = Expr::op(Op::Cast, vec![int], Type::F64);
                Expr::binary(BinaryOp::Mul, float, constant(0.25))
            }
            _ => {
                let var = self.pick(&self.floats.clone()).expect("there is a float");
                self.load(var)
            }
        }
    }
}

/// A literal; Rust has no negative ones.
pub(super) fn constant(value: f64) -> Expr {
    let rounded = (value.abs() * 1000.0).round() / 1000.0;
    let literal = Expr::literal(&format!("{rounded:?}"), Type::F64);
    if value < 0.0 {
        Expr::new(
            ExprKind::Op(Op::Unary(UnaryOp::Neg), vec![literal]),
            Type::F64,
            Span::call_site(),
        )
    } else {
        literal
    }
}
