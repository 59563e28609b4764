//! Results inside of values that the backward sweep reads get variables, so that they can be kept instead of computed twice.

use super::Reifier;
use crate::ir::{BinaryOp, Expr, ExprKind, Op};
use crate::rules;
use crate::types::{FloatKind, Type};
use std::collections::BTreeSet;

/// An operation at least as expensive as this, in multiplications, is worth a variable.
const EXPENSIVE: u32 = 5;

/// What a value is an operand of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    /// Of nothing: it is all that is assigned.
    Nothing,
    /// An operation.
    Operation,
    /// An operation whose partials read it.
    Reader,
}

fn is_dearer_than_storage(op: &Op) -> bool {
    rules::rule_of(op).is_some_and(|rule| rule.cost >= rules::DEARER_THAN_STORAGE)
}

/// The operands that partials of an operation read, with respect to operands that are no literals.
fn read_by_partials(op: &Op, args: &[Expr]) -> BTreeSet<usize> {
    let Some(rule) = rules::rule_of(op) else { return BTreeSet::new() };
    let variable = (0..args.len()).filter(|&arg| args[arg].as_literal().is_none());
    let partials = variable.filter_map(|arg| rule.partial(arg));
    partials.flat_map(|partial| rule.reads(partial, args).0).collect()
}

impl Reifier {
    /// Gives names to the results of expensive operations inside a value whose partials reuse them, or those of the operation around them.
    pub(super) fn split(&mut self, value: Expr, place: Within) -> Expr {
        let Expr { kind, ty, span } = value;
        let ExprKind::Op(op, args) = kind else { return Expr { kind, ty, span } };
        // What may not be evaluated at all stays where it is.
        let lazy = matches!(op, Op::Select | Op::Strong)
            || matches!(op, Op::Binary(BinaryOp::And | BinaryOp::Or));
        if !self.split_results || lazy {
            return Expr { kind: ExprKind::Op(op, args), ty, span };
        }
        let is_reused = || rules::cost_of_reused(&op, &args) >= EXPENSIVE;
        let is_reused = match place {
            Within::Nothing => false,
            Within::Operation => is_reused(),
            Within::Reader => is_reused() || is_dearer_than_storage(&op),
        };
        let is_split = is_reused && ty.is_float();
        let read = read_by_partials(&op, &args);
        let within = |at: usize| match read.contains(&at) {
            true => Within::Reader,
            false => Within::Operation,
        };
        let args =
            args.into_iter().enumerate().map(|(at, arg)| self.split(arg, within(at))).collect();
        let value = self.decide(Expr { kind: ExprKind::Op(op, args), ty, span });
        if !is_split {
            return value;
        }
        let hint = match &value.kind {
            ExprKind::Op(Op::Method(name), _) => name.clone(),
            _ => "value".into(),
        };
        let var = self.name_value(&hint, value);
        self.body.load(var)
    }

    /// Gives names to the outcome of the test by which the partials of an operation are chosen, and to operands that would
    /// be computed twice for it.
    fn decide(&mut self, value: Expr) -> Expr {
        let ExprKind::Op(Op::Method(name), args) = &value.kind else { return value };
        let is_known = |ty: &Type| matches!(ty, Type::Float(FloatKind::F64 | FloatKind::F32));
        let rule = rules::method(name).filter(|_| args.iter().all(|arg| is_known(&arg.ty)));
        let Some(rule) = rule.filter(|rule| rule.decision(args, &value).is_some()) else {
            return value;
        };
        let named = |arg: &Expr| match &arg.kind {
            ExprKind::Literal(_) | ExprKind::Load(_) => arg.clone(),
            ExprKind::Op(..) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {
                let var = self.name_value("operand", arg.clone());
                self.body.load(var)
            }
        };
        let mut args: Vec<Expr> = args.iter().map(named).collect();
        let test = rule.decision(&args, &value).expect("that does not depend on operands");
        let first = self.name_value("first", test);
        args.push(self.body.load(first));
        Expr { kind: ExprKind::Op(Op::Decided(name.clone()), args), ..value }
    }
}
