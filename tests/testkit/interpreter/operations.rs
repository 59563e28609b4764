//! Operations on values.

use super::Frame;
use crate::scalar::Scalar;
use crate::value::Value;
use ad_analysis::ir::{BinaryOp, Expr, Op, UnaryOp};
use ad_analysis::types::Type;

impl<S: Scalar> Frame<'_, S> {
    pub(super) fn operation(&self, op: &Op, args: &[Expr], ty: &Type) -> Value<S> {
        match op {
            Op::Binary(BinaryOp::And) => {
                Value::Bool(self.eval(&args[0]).bool() && self.eval(&args[1]).bool())
            }
            Op::Binary(BinaryOp::Or) => {
                Value::Bool(self.eval(&args[0]).bool() || self.eval(&args[1]).bool())
            }
            Op::Select => {
                let taken = if self.eval(&args[0]).bool() { &args[1] } else { &args[2] };
                self.eval(taken)
            }
            Op::Strong | Op::TracedStrong if self.eval(&args[0]).float().value() == 0.0 => {
                Value::Float(S::constant(0.0))
            }
            Op::Strong | Op::TracedStrong => {
                apply(&Op::Binary(BinaryOp::Mul), &[self.eval(&args[0]), self.eval(&args[1])])
            }
            Op::Unary(UnaryOp::Not) => Value::Bool(!self.eval(&args[0]).bool()),
            Op::Unary(UnaryOp::Neg) | Op::Binary(_) | Op::Method(_) => {
                let args: Vec<Value<S>> = args.iter().map(|arg| self.eval(arg)).collect();
                apply(op, &args)
            }
            Op::Decided(name) => {
                let args: Vec<Value<S>> =
                    op.of_value(args).iter().map(|arg| self.eval(arg)).collect();
                apply(&Op::Method(name.clone()), &args)
            }
            Op::Standard(_) | Op::Called(_) => unreachable!("programs are not generic"),
            Op::Cast => match self.eval(&args[0]) {
                Value::Int(value) if ty.is_float() => Value::Float(S::constant(value as f64)),
                Value::Float(value) if !ty.is_float() => Value::Int(value.value() as i128),
                value => value,
            },
            Op::Len => Value::Int(self.eval(&args[0]).parts().len() as i128),
            Op::Array | Op::Vec => Value::List(args.iter().map(|arg| self.eval(arg)).collect()),
            Op::Tuple | Op::Struct(..) => {
                Value::Tuple(args.iter().map(|arg| self.eval(arg)).collect())
            }
            Op::Repeat(len) => {
                Value::List(vec![self.eval(&args[0]); len.parse().expect("a literal length")])
            }
            Op::VecRepeat => {
                let len = usize::try_from(self.eval(&args[1]).int()).expect("a length");
                Value::List(vec![self.eval(&args[0]); len])
            }
            Op::ToVec
            | Op::Boxed
            | Op::Clone
            | Op::Real
            | Op::Number
            | Op::Direction
            | Op::Tested(_)
            | Op::Traced(_)
            | Op::Unclear(_)
            | Op::Shape => self.eval(&args[0]),
            Op::Spacing => {
                let float = self.eval(&args[0]).float().value();
                Value::Float(S::constant(spacing(float)))
            }
            Op::FromBits => {
                let bits = self.eval(&args[0]).int();
                let value = if *ty == Type::F32 {
                    f64::from(f32::from_bits(u32::try_from(bits).expect("32 bits")))
                } else {
                    f64::from_bits(u64::try_from(bits).expect("64 bits"))
                };
                Value::Float(S::constant(value))
            }
            Op::Given => {
                let apply = |name: &str, a, b| {
                    S::elementary(name, &[a, b], &[]).expect("an operation of arithmetic")
                };
                let mut sum = self.eval(&args[0]).float();
                for (partial, arg) in ad_analysis::ir::given_partials(args) {
                    let (partial, arg) = (self.eval(partial), self.eval(arg));
                    let pairs = match (&partial, &arg) {
                        (Value::List(partials), Value::List(args)) => {
                            partials.iter().cloned().zip(args.iter().cloned()).collect()
                        }
                        _ => vec![(partial, arg)],
                    };
                    for (partial, arg) in pairs {
                        let (partial, arg) = (partial.float().value(), arg.float());
                        let change = apply("sub", arg, S::constant(arg.value()));
                        let change = apply("mul", change, S::constant(partial));
                        sum = apply("add", sum, change);
                    }
                }
                Value::Float(sum)
            }
            // Nothing that could pass for a value; a struct and its shape have parts.
            Op::Placeholder if matches!(ty, Type::Named(_) | Type::Unknown) => {
                Value::Tuple(vec![Value::Float(S::constant(f64::NAN)); 2])
            }
            Op::Placeholder => Value::Tuple(Vec::new()),
            Op::ZeroBar | Op::ZeroTangent => {
                let mut zero = self.eval(&args[0]);
                zero.reset();
                zero
            }
        }
    }
}

/// The step to the next float.
fn spacing(float: f64) -> f64 {
    f64::from_bits(float.to_bits() + 1) - float
}

pub(super) fn literal<S: Scalar>(text: &str, ty: &Type) -> Value<S> {
    match text {
        "true" => return Value::Bool(true),
        "false" => return Value::Bool(false),
        _ => {}
    }
    let digits = text.replace('_', "");
    if ty.is_float() {
        Value::Float(S::constant(digits.parse().expect("a float literal")))
    } else {
        let digits: String = digits.chars().take_while(char::is_ascii_digit).collect();
        Value::Int(digits.parse().expect("an integer literal"))
    }
}

fn apply<S: Scalar>(op: &Op, args: &[Value<S>]) -> Value<S> {
    if let Op::Binary(op) = op
        && op.is_test()
    {
        let order = match (&args[0], &args[1]) {
            (Value::Float(a), Value::Float(b)) => a.value().partial_cmp(&b.value()),
            (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
            (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
            (a, b) => panic!("{a:?} and {b:?} cannot be compared"),
        };
        return Value::Bool(match op {
            BinaryOp::Eq => order.is_some_and(|order| order.is_eq()),
            BinaryOp::Ne => order.is_none_or(|order| order.is_ne()),
            BinaryOp::Lt => order.is_some_and(|order| order.is_lt()),
            BinaryOp::Le => order.is_some_and(|order| order.is_le()),
            BinaryOp::Gt => order.is_some_and(|order| order.is_gt()),
            BinaryOp::Ge => order.is_some_and(|order| order.is_ge()),
            other => panic!("{other:?} is no comparison"),
        });
    }
    if let (Op::Binary(op), Value::Int(a), Some(Value::Int(b))) = (op, &args[0], args.get(1)) {
        return Value::Int(match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a / b,
            BinaryOp::Rem => a % b,
            other => panic!("{other:?} on integers"),
        });
    }
    if let (Op::Unary(UnaryOp::Neg), Value::Int(a)) = (op, &args[0]) {
        return Value::Int(-a);
    }
    let method = match op {
        Op::Method(name) => &**name,
        _ => "",
    };
    if let ("min", [Value::Int(a), Value::Int(b)]) = (method, args) {
        return Value::Int(*a.min(b));
    }
    match method {
        "is_nan" => return Value::Bool(args[0].float().value().is_nan()),
        "is_normal" => return Value::Bool(args[0].float().value().is_normal()),
        "is_sign_negative" => return Value::Bool(args[0].float().value().is_sign_negative()),
        _ => {}
    }
    if let (Value::Int(a), Some(Value::Int(b))) = (&args[0], args.get(1)) {
        return Value::Int(match method {
            "min" => *a.min(b),
            "max" => *a.max(b),
            // The integers are `usize`s.
            "saturating_sub" => (a - b).max(0),
            "saturating_add" | "wrapping_add" => a + b,
            "abs_diff" => (a - b).abs(),
            "div_ceil" => (a + b - 1) / b,
            other => panic!("{other:?} on integers"),
        });
    }
    let rule = ad_analysis::rules::rule_of(op).unwrap_or_else(|| panic!("{op:?} has no rule"));
    let (mut floats, mut ints) = (Vec::new(), Vec::new());
    for arg in args {
        match arg {
            Value::Int(value) => ints.push(*value),
            value => floats.push(value.float()),
        }
    }
    let value = S::elementary(rule.name, &floats, &ints);
    Value::Float(value.unwrap_or_else(|| panic!("no reference for {}", rule.name)))
}
