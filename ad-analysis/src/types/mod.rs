//! The types the analyses know.
//!
//! A macro sees tokens, not types. What the signature, literals, casts and known methods tell is
//! unified locally while a function is lowered ([`Unifier`]); what remains open is
//! [`Type::Unknown`], which is legal everywhere.

mod name;
mod parts;
mod unify;

pub use name::{Dropping, OfDyn, TypeName};
pub use parts::{BOXED, ELEMENT, PartTypes};
pub use unify::{Arithmetic, Said, Unifier};

use std::fmt;
use std::rc::Rc;

/// What is one type within a function, though the macro does not know which: that of a literal without suffix, and of all
/// that is computed with it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Number(pub u32);

/// The width of a floating-point type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FloatKind {
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// A type parameter of that name, which stands for one of the two.
    Generic(Rc<str>),
    /// Derivatives in several directions at once: a type parameter of that name.
    Directions(Rc<str>),
    /// A float whose width rustc knows and the macro does not.
    Open(Number),
}

/// An integer type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntKind {
    /// A primitive integer type, by its name (`"usize"`, `"i32"`, …).
    Named(&'static str),
    /// An integer whose type rustc knows and the macro does not.
    Open(Number),
}

/// The names of the primitive integer types.
pub const INT_NAMES: [&str; 12] =
    ["usize", "i32", "u32", "i64", "u64", "u8", "i8", "u16", "i16", "isize", "u128", "i128"];

/// A variable of the [`Unifier`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TypeVar(u32);

/// What is known of the type of a value. References do not occur: whether a variable holds a value
/// or refers to one is a property of the variable (see [`Binding`](crate::ir::Binding)).
#[derive(Clone, PartialEq, Debug)]
pub enum Type {
    /// A floating-point number.
    Float(FloatKind),
    /// An integer.
    Int(IntKind),
    /// A truth value.
    Bool,
    /// `[T; N]` with its length as the user spells it.
    Array(Rc<Type>, Rc<str>),
    /// `[T]`, behind a reference.
    Slice(Rc<Type>),
    /// `Vec<T>`.
    Vec(Rc<Type>),
    /// A tuple; `()` is the empty one.
    Tuple(Rc<[Type]>),
    /// A named type, of whose parts this library knows nothing.
    Named(TypeName),
    /// A type that only rustc knows.
    Unknown,
    /// A type under inference; occurs only while a function is lowered.
    Infer(TypeVar),
}

impl Type {
    /// `f64`
    pub const F64: Type = Type::Float(FloatKind::F64);
    /// `f32`
    pub const F32: Type = Type::Float(FloatKind::F32);
    /// `usize`
    pub const USIZE: Type = Type::Int(IntKind::Named("usize"));
    /// `u8`
    pub const U8: Type = Type::Int(IntKind::Named("u8"));

    /// The unit type.
    pub fn unit() -> Type {
        Type::Tuple(Rc::new([]))
    }

    /// `[element; len]`
    pub fn array(element: Type, len: &str) -> Type {
        Type::Array(Rc::new(element), len.into())
    }

    /// `[element]`
    pub fn slice(element: Type) -> Type {
        Type::Slice(Rc::new(element))
    }

    /// `Vec<element>`
    pub fn vec(element: Type) -> Type {
        Type::Vec(Rc::new(element))
    }

    /// The integer type of that name.
    pub fn int(name: &str) -> Option<Type> {
        let name = INT_NAMES.into_iter().find(|&known| known == name)?;
        Some(Type::Int(IntKind::Named(name)))
    }

    /// Whether this is a float of known or unknown width.
    pub fn is_float(&self) -> bool {
        matches!(self, Type::Float(_))
    }

    /// Whether this is a `Box` of something else than a slice.
    pub fn is_box(&self) -> bool {
        matches!(self, Type::Named(name) if name.in_box().is_some())
    }

    /// Whether this is an integer or a truth value: a type that carries no derivative.
    pub fn is_discrete(&self) -> bool {
        matches!(self, Type::Int(_) | Type::Bool)
    }

    /// Whether there is nothing in it but floats, and how many is known.
    pub fn is_made_of_floats(&self) -> bool {
        match self {
            Type::Float(_) => true,
            Type::Array(element, _) => element.is_made_of_floats(),
            Type::Tuple(fields) => fields.iter().all(Type::is_made_of_floats),
            Type::Vec(_)
            | Type::Slice(_)
            | Type::Int(_)
            | Type::Bool
            | Type::Named(_)
            | Type::Infer(_)
            | Type::Unknown => false,
        }
    }

    /// Whether it consists of types of the language and the standard library, which are the types of their bars, too.
    pub fn is_structural(&self) -> bool {
        match self {
            Type::Float(_) | Type::Int(_) | Type::Bool => true,
            Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => {
                element.is_structural()
            }
            Type::Tuple(fields) => fields.iter().all(Type::is_structural),
            Type::Named(_) | Type::Unknown | Type::Infer(_) => false,
        }
    }

    /// Whether a derivative may flow through a value of this type. `true` for what is not known.
    pub fn may_carry_floats(&self) -> bool {
        match self {
            Type::Named(name) => !name.is_without_floats(),
            Type::Float(_) | Type::Unknown | Type::Infer(_) => true,
            Type::Int(_) | Type::Bool => false,
            Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => {
                element.may_carry_floats()
            }
            Type::Tuple(fields) => fields.iter().any(Type::may_carry_floats),
        }
    }

    /// Whether values of this type hold what is linear in several directions.
    pub fn holds_several(&self) -> bool {
        match self {
            Type::Float(kind) => matches!(kind, FloatKind::Directions(_)),
            Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => {
                element.holds_several()
            }
            Type::Tuple(fields) => fields.iter().any(Type::holds_several),
            Type::Int(_) | Type::Bool | Type::Named(_) | Type::Unknown | Type::Infer(_) => false,
        }
    }

    /// Whether this type, and what it consists of, is completely known.
    pub fn is_known(&self) -> bool {
        match self {
            Type::Float(kind) => !matches!(kind, FloatKind::Open(_)),
            Type::Int(kind) => !matches!(kind, IntKind::Open(_)),
            Type::Bool => true,
            Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => {
                element.is_known()
            }
            Type::Tuple(fields) => fields.iter().all(Type::is_known),
            Type::Named(_) | Type::Unknown | Type::Infer(_) => false,
        }
    }

    /// Whether it is seen what this type consists of, but for the widths of numbers and what named types are.
    pub fn is_seen(&self) -> bool {
        match self {
            Type::Float(_) | Type::Int(_) | Type::Bool | Type::Named(_) => true,
            Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => {
                element.is_seen()
            }
            Type::Tuple(fields) => fields.iter().all(Type::is_seen),
            Type::Unknown | Type::Infer(_) => false,
        }
    }

    /// Whether values of this type are plain data for sure: no reference, no destructor but a
    /// `Vec`'s, no interior mutability.
    pub fn is_plain(&self) -> bool {
        match self {
            Type::Float(_) | Type::Int(_) | Type::Bool => true,
            Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => {
                element.is_plain()
            }
            Type::Tuple(fields) => fields.iter().all(Type::is_plain),
            Type::Named(_) | Type::Unknown | Type::Infer(_) => false,
        }
    }

    /// The type with number types that nothing determines replaced by those rustc falls back to.
    pub fn with_fallbacks(&self) -> Self {
        self.mapped(&|ty| match ty {
            Type::Float(FloatKind::Open(_)) => Some(Type::F64),
            Type::Int(IntKind::Open(_)) => Some(Type::Int(IntKind::Named("i32"))),
            _ => None,
        })
    }

    /// The type with other numbers in the places of unknown ones.
    pub fn with_numbers(&self, other: &impl Fn(Number) -> Number) -> Self {
        self.mapped(&|ty| match ty {
            Type::Float(FloatKind::Open(number)) => {
                Some(Type::Float(FloatKind::Open(other(*number))))
            }
            Type::Int(IntKind::Open(number)) => Some(Type::Int(IntKind::Open(other(*number)))),
            _ => None,
        })
    }

    /// The type with other names in the places of some.
    pub fn with_names(&self, other: &impl Fn(&TypeName) -> Option<TypeName>) -> Self {
        self.mapped(&|ty| match ty {
            Type::Named(name) => other(name).map(Type::Named),
            _ => None,
        })
    }

    /// The names in it.
    pub fn names(&self) -> Vec<&TypeName> {
        match self {
            Type::Named(name) => vec![name],
            Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => element.names(),
            Type::Tuple(fields) => fields.iter().flat_map(Type::names).collect(),
            Type::Float(_) | Type::Int(_) | Type::Bool | Type::Unknown | Type::Infer(_) => {
                Vec::new()
            }
        }
    }

    /// The type with some of the types in it replaced.
    fn mapped(&self, replacement: &impl Fn(&Type) -> Option<Type>) -> Self {
        if let Some(other) = replacement(self) {
            return other;
        }
        let inner = |element: &Rc<Type>| Rc::new(element.mapped(replacement));
        match self {
            Type::Array(element, len) => Type::Array(inner(element), len.clone()),
            Type::Slice(element) => Type::Slice(inner(element)),
            Type::Vec(element) => Type::Vec(inner(element)),
            Type::Tuple(fields) => {
                Type::Tuple(fields.iter().map(|field| field.mapped(replacement)).collect())
            }
            Type::Float(_)
            | Type::Int(_)
            | Type::Bool
            | Type::Named(_)
            | Type::Unknown
            | Type::Infer(_) => self.clone(),
        }
    }

    /// The numbers in it whose types the macro does not know.
    pub fn numbers(&self) -> Vec<Number> {
        match self {
            Type::Float(FloatKind::Open(number)) | Type::Int(IntKind::Open(number)) => {
                vec![*number]
            }
            Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => {
                element.numbers()
            }
            Type::Tuple(fields) => fields.iter().flat_map(Type::numbers).collect(),
            Type::Float(_)
            | Type::Int(_)
            | Type::Bool
            | Type::Named(_)
            | Type::Unknown
            | Type::Infer(_) => Vec::new(),
        }
    }

    /// Whether two types are the same as far as the macro knows.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let first = |_| Number(0);
        self.with_numbers(&first) == other.with_numbers(&first)
    }

    /// Whether it is written as a reference to what is no list.
    pub fn is_reference(&self) -> bool {
        matches!(self, Type::Named(name) if name.is_reference())
    }

    /// Whether values of this type are `Copy` for sure.
    pub fn is_copy(&self) -> bool {
        match self {
            Type::Float(_) | Type::Int(_) | Type::Bool => true,
            Type::Array(element, _) => element.is_copy(),
            Type::Tuple(fields) => fields.iter().all(Type::is_copy),
            Type::Slice(_) | Type::Vec(_) | Type::Named(_) | Type::Unknown | Type::Infer(_) => {
                false
            }
        }
    }

    /// Whether two values of this type may differ in shape (the number of elements somewhere
    /// inside), so that a zero bar cannot be made from the type alone.
    pub fn has_dynamic_shape(&self) -> bool {
        match self {
            Type::Float(_) | Type::Int(_) | Type::Bool => false,
            Type::Slice(_) | Type::Vec(_) | Type::Named(_) | Type::Unknown | Type::Infer(_) => true,
            Type::Array(element, _) => element.has_dynamic_shape(),
            Type::Tuple(fields) => fields.iter().any(Type::has_dynamic_shape),
        }
    }

    /// Whether some value can be made from the type alone, to stand in for one that is not wanted.
    pub fn has_placeholder(&self) -> bool {
        match self {
            Type::Float(_) | Type::Int(_) | Type::Bool | Type::Vec(_) => true,
            Type::Array(element, _) => element.has_placeholder(),
            Type::Tuple(fields) => fields.iter().all(Type::has_placeholder),
            Type::Slice(_) | Type::Named(_) | Type::Unknown | Type::Infer(_) => false,
        }
    }

    /// The type of an element, if this is a sequence.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => Some(element),
            Type::Float(_)
            | Type::Int(_)
            | Type::Bool
            | Type::Tuple(_)
            | Type::Named(_)
            | Type::Unknown
            | Type::Infer(_) => None,
        }
    }
}

/// Prints the type as Rust spells it; what has no spelling prints as `_`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Float(FloatKind::F32) => f.write_str("f32"),
            Type::Float(FloatKind::F64) => f.write_str("f64"),
            Type::Float(FloatKind::Generic(name) | FloatKind::Directions(name)) => {
                f.write_str(name)
            }
            Type::Float(FloatKind::Open(_)) => f.write_str("float"),
            Type::Int(IntKind::Named(name)) => f.write_str(name),
            Type::Int(IntKind::Open(_)) => f.write_str("int"),
            Type::Bool => f.write_str("bool"),
            Type::Array(element, len) => write!(f, "[{element}; {len}]"),
            Type::Slice(element) => write!(f, "[{element}]"),
            Type::Vec(element) => write!(f, "Vec<{element}>"),
            Type::Tuple(fields) => {
                f.write_str("(")?;
                for (position, field) in fields.iter().enumerate() {
                    if position > 0 {
                        f.write_str(", ")?;
                    }
                    field.fmt(f)?;
                }
                f.write_str(if fields.len() == 1 { ",)" } else { ")" })
            }
            Type::Named(name) => f.write_str(name),
            Type::Unknown | Type::Infer(_) => f.write_str("_"),
        }
    }
}
