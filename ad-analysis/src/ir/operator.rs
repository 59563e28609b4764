//! Operators of types of the user's, and how what is called was found.

use super::{Arg, ArgKind, BinaryOp, Call, UnaryOp};
use proc_macro2::TokenStream;
use quote::ToTokens;

/// How a callee was found.
#[derive(Clone, Debug)]
pub enum Resolution {
    /// By its name, or as the operator that the tokens say, on values.
    AsNamed,
    /// It is an operator or a function of a type that is called as a method, `x.mul(y)`: the type of `x`. The
    /// method is that function.
    MethodOf(TokenStream),
    /// It is the operator that is called as a method of what `self` refers to, `self.mul(y)`: the type of that. There is none of
    /// references, which Rust would find first.
    MethodOfReferent(TokenStream),
    /// It is taken for the operator on values, but an operand is a reference, of which more is not known. What the operator on it does may
    /// be something else: they are floats.
    OnReferences,
    /// It is a method of what has an annotated index of that type.
    Index {
        /// The type of the index.
        by: TokenStream,
        /// What is done with what it finds.
        method: IndexMethod,
    },
}

/// Which operands of an operator are references. Each choice has an operator of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByReference {
    /// None of them.
    Neither,
    /// The left one, or the only one.
    Left,
    /// The right one.
    Right,
    /// Both of them.
    Both,
}

impl ByReference {
    /// The references among operands, by what says of one whether it is a reference.
    pub fn among<T>(operands: &[T], is_reference: impl Fn(&T) -> bool) -> Self {
        let [left, right] = [0, 1].map(|at| operands.get(at).is_some_and(&is_reference));
        match (left, right) {
            (false, false) => Self::Neither,
            (true, false) => Self::Left,
            (false, true) => Self::Right,
            (true, true) => Self::Both,
        }
    }

    /// Those among the arguments of a call.
    pub fn of_call(args: &[Arg]) -> Self {
        Self::among(args, |arg| matches!(arg.kind, ArgKind::Shared(_)))
    }

    /// Whether the left operand, or the only one, is a reference.
    pub fn has_left(self) -> bool {
        matches!(self, Self::Left | Self::Both)
    }

    /// Whether the right operand is a reference: the trait of an operator of one value has the type of that for the other.
    pub fn has_right(self, operator: Operator) -> bool {
        match operator {
            Operator::Unary(_) => self.has_left(),
            Operator::Binary(_) | Operator::Assign(_) => matches!(self, Self::Right | Self::Both),
        }
    }
}

impl Call {
    /// Whether it is an operator of which an operand is a reference.
    pub fn is_on_references(&self) -> bool {
        matches!(self.resolution, Resolution::OnReferences)
            || ByReference::of_call(&self.args) != ByReference::Neither
    }
}

/// An operator that types implement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `a + b` and its kin.
    Binary(BinaryOp),
    /// `-a` and its kin.
    Unary(UnaryOp),
    /// `a += b` and its kin.
    Assign(BinaryOp),
}

impl Operator {
    /// The operator that a trait of `std::ops` is for.
    pub fn of_trait(name: &str) -> Option<Self> {
        let binary = OPERATORS.iter().flat_map(|(op, ..)| [Self::Binary(*op), Self::Assign(*op)]);
        let unary = [UnaryOp::Neg, UnaryOp::Not].map(Self::Unary);
        binary.chain(unary).find(|operator| operator.trait_name() == name)
    }

    /// The trait of `std::ops`.
    pub fn trait_name(self) -> String {
        match self {
            Self::Unary(UnaryOp::Neg) => "Neg".to_owned(),
            Self::Unary(UnaryOp::Not) => "Not".to_owned(),
            Self::Binary(op) => names_of(op).0.to_owned(),
            Self::Assign(op) => format!("{}Assign", names_of(op).0),
        }
    }

    /// The method of the trait.
    pub fn method(self) -> String {
        match self {
            Self::Unary(UnaryOp::Neg) => "neg".to_owned(),
            Self::Unary(UnaryOp::Not) => "not".to_owned(),
            Self::Binary(op) => names_of(op).1.to_owned(),
            Self::Assign(op) => format!("{}_assign", names_of(op).1),
        }
    }

    /// Whether floats have it.
    pub fn is_arithmetic(self) -> bool {
        match self {
            Self::Unary(op) => op == UnaryOp::Neg,
            Self::Binary(op) | Self::Assign(op) => op.is_arithmetic(),
        }
    }
}

/// A trait of the standard library whose implementations have adjoints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StandardTrait {
    /// That of an operator.
    Operator(Operator),
    /// `From`.
    Conversion,
}

impl StandardTrait {
    /// The trait of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        match name {
            "From" => Some(Self::Conversion),
            name => Operator::of_trait(name).map(Self::Operator),
        }
    }
}

/// The operators that types can have, their traits and the methods of these.
const OPERATORS: [(BinaryOp, &str, &str); 10] = [
    (BinaryOp::Add, "Add", "add"),
    (BinaryOp::Sub, "Sub", "sub"),
    (BinaryOp::Mul, "Mul", "mul"),
    (BinaryOp::Div, "Div", "div"),
    (BinaryOp::Rem, "Rem", "rem"),
    (BinaryOp::BitAnd, "BitAnd", "bitand"),
    (BinaryOp::BitOr, "BitOr", "bitor"),
    (BinaryOp::BitXor, "BitXor", "bitxor"),
    (BinaryOp::Shl, "Shl", "shl"),
    (BinaryOp::Shr, "Shr", "shr"),
];

fn names_of(operator: BinaryOp) -> (&'static str, &'static str) {
    let found = OPERATORS.iter().find(|(op, ..)| *op == operator);
    found.map(|(_, of_trait, method)| (*of_trait, *method)).expect("an operator with a trait")
}

/// Whether an operator that returns a value is a method of that name: those take what they are called on by value.
pub fn is_operator_method(name: &str) -> bool {
    OPERATORS.iter().any(|(.., method)| *method == name) || matches!(name, "neg" | "not")
}

/// What is done with the place that `m[index]` means, where a type of the user's decides that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IndexMethod {
    /// It is read: the place that `Index` finds.
    Get,
    /// It is read before it is written: the place that `IndexMut` finds.
    GetMut,
    /// It is written.
    Set,
}

impl IndexMethod {
    /// The kind of indices of a type: what it is made of, and of a path the end.
    fn kind_of(index: &syn::Type) -> String {
        match index {
            syn::Type::Tuple(tuple) => {
                Self::of_parts("tuple", tuple.elems.iter().map(Self::kind_of))
            }
            syn::Type::Array(array) => {
                let len = array.len.to_token_stream().to_string();
                Self::of_parts("array", [Self::kind_of(&array.elem), word_of(&len)])
            }
            syn::Type::Path(path) => {
                path.path.segments.last().map_or_else(String::new, |last| last.ident.to_string())
            }
            other => word_of(&other.to_token_stream().to_string()),
        }
    }

    fn of_parts(kind: &str, parts: impl IntoIterator<Item = String>) -> String {
        parts.into_iter().fold(kind.to_owned(), |kind, part| format!("{kind}_{part}"))
    }

    /// The name of the method for indices of a type.
    pub fn name(self, index: &syn::Type) -> String {
        let access = match self {
            Self::Get => "",
            Self::GetMut => "_mut",
            Self::Set => "_set",
        };
        format!("__index{access}_{}", Self::kind_of(index))
    }
}

fn word_of(text: &str) -> String {
    text.replace(|char: char| !char.is_alphanumeric() && char != '_', "")
}
