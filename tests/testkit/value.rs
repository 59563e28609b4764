//! Values of the interpreter.

use crate::scalar::Scalar;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<S> {
    /// A declared variable without a value.
    Nothing,
    /// A float.
    Float(S),
    /// An integer.
    Int(i128),
    /// A truth value.
    Bool(bool),
    /// An array, a slice or a `Vec`.
    List(Vec<Value<S>>),
    /// A tuple, or what a callee keeps.
    Tuple(Vec<Value<S>>),
}

impl<S: Scalar> Value<S> {
    /// The float.
    pub fn float(&self) -> S {
        match self {
            Value::Float(value) => *value,
            other => panic!("a float is expected, found {other:?}"),
        }
    }

    /// The integer.
    pub fn int(&self) -> i128 {
        match self {
            Value::Int(value) => *value,
            other => panic!("an integer is expected, found {other:?}"),
        }
    }

    /// The truth value.
    pub fn bool(&self) -> bool {
        match self {
            Value::Bool(value) => *value,
            other => panic!("a truth value is expected, found {other:?}"),
        }
    }

    /// The parts, if this has parts.
    pub fn parts(&self) -> &[Value<S>] {
        match self {
            Value::List(parts) | Value::Tuple(parts) => parts,
            other => panic!("a value with parts is expected, found {other:?}"),
        }
    }

    /// The parts, if this has parts.
    pub fn parts_mut(&mut self) -> &mut Vec<Value<S>> {
        match self {
            Value::List(parts) | Value::Tuple(parts) => parts,
            other => panic!("a value with parts is expected, found {other:?}"),
        }
    }

    /// All floats, in order.
    pub fn floats(&self) -> Vec<S> {
        match self {
            Value::Float(value) => vec![*value],
            Value::List(parts) | Value::Tuple(parts) => {
                parts.iter().flat_map(Value::floats).collect()
            }
            Value::Nothing | Value::Int(_) | Value::Bool(_) => Vec::new(),
        }
    }

    /// The value with every float replaced.
    pub fn map<T: Scalar>(&self, convert: &mut dyn FnMut(S) -> T) -> Value<T> {
        match self {
            Value::Nothing => Value::Nothing,
            Value::Float(value) => Value::Float(convert(*value)),
            Value::Int(value) => Value::Int(*value),
            Value::Bool(value) => Value::Bool(*value),
            Value::List(parts) => Value::List(parts.iter().map(|part| part.map(convert)).collect()),
            Value::Tuple(parts) => {
                Value::Tuple(parts.iter().map(|part| part.map(convert)).collect())
            }
        }
    }

    /// Adds another value, float by float.
    pub fn add(&mut self, other: &Value<S>) {
        match (self, other) {
            (Value::Float(a), Value::Float(b)) => {
                *a = S::elementary("add", &[*a, *b], &[]).expect("addition is elementary");
            }
            (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
                assert_eq!(a.len(), b.len(), "only values of one shape can be added");
                a.iter_mut().zip(b).for_each(|(a, b)| a.add(b));
            }
            (Value::Int(_), Value::Int(_)) | (Value::Bool(_), Value::Bool(_)) => {}
            (a, b) => panic!("{a:?} and {b:?} cannot be added"),
        }
    }

    /// Sets every float to zero.
    pub fn reset(&mut self) {
        *self = self.map(&mut |_| S::constant(0.0));
    }
}
