//! Methods that are those of operators, `x.mul(y)`, where the files of the crate say so. They are lowered only for floats: a
//! type of the user's may have a method of that name besides. What cannot be seen to be a float is proved to be one.

use super::Lowerer;
use crate::ir::{BinaryOp, Expr, ExprKind, Op, StmtKind, UnaryOp};
use crate::rules;
use proc_macro2::Span;
use syn::ExprMethodCall;

/// Methods with a value, and their operators.
const OF_VALUES: [(&str, BinaryOp); 5] = [
    ("add", BinaryOp::Add),
    ("sub", BinaryOp::Sub),
    ("mul", BinaryOp::Mul),
    ("div", BinaryOp::Div),
    ("rem", BinaryOp::Rem),
];

impl Lowerer<'_> {
    /// The value of the method of an operator, called on floats.
    pub(super) fn operator_method(&mut self, call: &ExprMethodCall, span: Span) -> Option<Expr> {
        if !self.may_be_operator_on_floats(call) {
            return None;
        }
        let receiver = self.dereferenced(&call.receiver);
        let args: Vec<&syn::Expr> = std::iter::once(&receiver).chain(&call.args).collect();
        match args.as_slice() {
            [_] if call.method == "neg" => {
                let operand = self.values(&args).pop()?;
                let ty = operand.ty.clone();
                Some(Expr::new(ExprKind::Op(Op::Unary(UnaryOp::Neg), vec![operand]), ty, span))
            }
            [_, _] => {
                let (_, op) = OF_VALUES.iter().find(|(name, _)| call.method == name)?;
                let mut args = self.values(&args);
                let (right, left) = (args.pop()?, args.pop()?);
                Some(self.operation(*op, left, right, span))
            }
            _ => None,
        }
    }

    /// The method of an operator that assigns, called on a float.
    pub(super) fn operator_statement_method(
        &mut self,
        call: &ExprMethodCall,
        span: Span,
    ) -> Option<()> {
        let method = call.method.to_string();
        let of_value = method.strip_suffix("_assign")?;
        let (_, op) = OF_VALUES.iter().find(|(name, _)| of_value == *name)?;
        if !self.may_be_operator_on_floats(call) || call.args.len() != 1 {
            return None;
        }
        let before = self.out.len();
        let receiver = self.dereferenced(&call.receiver);
        let Some((place, value)) = self.place_and_value(&receiver, &call.args[0]) else {
            self.out.truncate(before);
            return None;
        };
        let own = Expr::load(place.clone(), self.type_of(&place), span);
        let value = self.operation(*op, own, value, span);
        self.emit(StmtKind::Assign { place, value }, span);
        Some(())
    }

    /// The value of `x.sin_cos()`, if `x` is a float.
    pub(super) fn pair_method(&mut self, call: &ExprMethodCall, span: Span) -> Option<Expr> {
        let is_pair = call.method == rules::PAIR.0 && call.args.is_empty();
        if !is_pair || !self.calls.has(&call.method) || !self.may_be_number(&call.receiver) {
            return None;
        }
        let receiver = self.dereferenced(&call.receiver);
        let angle = self.value(&receiver);
        Some(self.sine_and_cosine(angle, span))
    }

    /// Only where a derivative has to pass through: there it is proved to be a float, and elsewhere the call stays what it is.
    fn may_be_operator_on_floats(&self, call: &ExprMethodCall) -> bool {
        self.calls.has(&call.method)
            && self.options.operators.contains(&call.method)
            && call.turbofish.is_none()
            && self.float_params.is_empty()
            && self.sibling(call).is_none()
            && self.may_be_number(&call.receiver)
    }
}
