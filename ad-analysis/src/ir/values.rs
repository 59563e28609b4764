//! Places, expressions and conditions: the parts of statements. This file, too, only declares types.

use super::syntax::Opaque;
use crate::index::{StmtId, Var};
use crate::types::Type;
use fixedbitset::FixedBitSet;
use proc_macro2::{Ident, Span, TokenStream};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A place: a variable or a part of one.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable.
    pub root: Var,
    /// The way from the variable to the part.
    pub projections: Vec<Projection>,
}

/// One step from a value to a part of it.
#[derive(Clone, Debug)]
pub enum Projection {
    /// A field, by name or number.
    Field(Rc<str>),
    /// What is in a `Box`.
    Boxed,
    /// An element.
    Index(Expr),
    /// A range of elements.
    Slice {
        /// The first element, if it is not the first of all.
        start: Option<Expr>,
        /// The end, if it is not the end of all.
        end: Option<Expr>,
    },
    /// What a getter of a type of the user's refers to: `grid.row(i)` of `fn row(&self, i: usize) -> &[f64]`.
    Got {
        /// The getter.
        getter: Rc<Getter>,
        /// Where it has found it: the value of a variable that is never written.
        at: Expr,
    },
}

/// A method that returns a reference.
#[derive(Clone, Debug)]
pub struct Getter {
    /// Its name, as it is called: `row()`. No field has that name.
    pub name: Rc<str>,
    /// The type of what it refers to.
    pub found: TokenStream,
    /// Whether that has no derivative: it belongs to a field that is marked `#[passive]`, of what nobody writes to.
    pub is_passive: bool,
}

/// Getters of one type are told apart by their names.
impl PartialEq for Getter {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// An expression. Evaluating it has no effect but for [`Opaque`] code, which stands only at the root
/// of the value of a `Let` or `Assign`.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: Type,
    /// The user's code it comes from.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A literal, as Rust spells it.
    Literal(Rc<str>),
    /// The value at a place.
    Load(Place),
    /// An operation.
    Op(Op, Vec<Expr>),
    /// Code that is kept as it is.
    Opaque(Rc<Opaque>),
    /// A condition on the instance of the sweep, constant when it is compiled.
    Guard(Box<Guard>),
}

/// What a tangent that is traced tells of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// What the value is, in words.
    pub what: Rc<str>,
    /// What it is to the statement.
    pub role: ToldRole,
}

/// What a value is to the statement that is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToldRole {
    /// The statement has assigned it.
    Assigned,
    /// The statement is about to read it.
    Read,
    /// It counts the iterations of a loop around the statement.
    Counter,
}

/// An operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// An operator before its operand.
    Unary(UnaryOp),
    /// An operator between its operands.
    Binary(BinaryOp),
    /// A method of the first operand: an elementary function or a pure method of a primitive type.
    /// Of a type parameter it is what its traits have.
    Method(Rc<str>),
    /// An elementary function of the standard library, of operands whose type is a type parameter: what partials are made of.
    Standard(Rc<str>),
    /// A function of a trait of such a type parameter, as the user's code calls it.
    Called(Rc<Called>),
    /// [`Op::Method`] with one operand more, which is no part of its value: the outcome of the test by which its partials are
    /// chosen. `min` and `max` are of the kind.
    Decided(Rc<str>),
    /// `as`, to the type of the expression.
    Cast,
    /// The number of elements.
    Len,
    /// `[a, b, …]`
    Array,
    /// `vec![a, b, …]`
    Vec,
    /// `(a, b, …)`
    Tuple,
    /// `Box::new(a)`
    Boxed,
    /// `Name { a: …, b: … }`: the path of the struct and the names of the fields. The fields of a tuple
    /// struct are called `0`, `1`, … One operand more is where the other fields come from:
    /// `Name { ..base }`.
    Struct(Rc<str>, Rc<[Rc<str>]>),
    /// `[a; N]`
    Repeat(Rc<str>),
    /// `vec![a; n]`
    VecRepeat,
    /// `.to_vec()`
    ToVec,
    /// `.clone()`
    Clone,
    /// `if a { b } else { c }`, evaluating one of them.
    Select,
    /// The product of a direction and a partial that may be infinite: 0 where the direction is 0.
    Strong,
    /// The first operand, which branches tell from the third: each is followed by its direction. Where a tangent follows tests
    /// it is told how fast they come apart.
    Tested(Test),
    /// In a tangent that is traced: hands a value over, and its direction if it has one. It is the value of a `Let` of `()`.
    Traced(Told),
    /// [`Op::Strong`] in a tangent that is traced: hands the partial over.
    TracedStrong,
    /// The operand, proved to be a float.
    Real,
    /// The operand of an operator, which is what a reference refers to, proved to be a number: only those are known to have
    /// the same operators on references.
    Number,
    /// The operand, a part of a direction: zero where it is in a field without a bar, of which a direction has a copy of the
    /// value.
    Direction,
    /// The first operand, whose partials the user gives: the others are pairs of a partial and of what it
    /// belongs to, a float or a list of floats.
    Given,
    /// The float that the integer has the bits of: what is not known of them has no derivative.
    FromBits,
    /// The step from a float to the next one that is further from zero: a constant between two powers of 2.
    Spacing,
    /// The first operand, which depends on the others in a way that cannot be differentiated: an error where a derivative would
    /// have to pass through it.
    Unclear(Unclear),
    /// What is needed to make a zero bar of the operand: its shape.
    Shape,
    /// The zero bar of a shape.
    ZeroBar,
    /// A value of the type and the shape of the operand whose floats are zero.
    ZeroTangent,
    /// Some value, for a variable that gets its real value elsewhere.
    Placeholder,
}

impl Op {
    /// The operands that the value is made of.
    pub fn of_value<'a>(&self, args: &'a [Expr]) -> &'a [Expr] {
        let outcomes = usize::from(matches!(self, Self::Decided(_)));
        &args[..args.len() - outcomes]
    }
}

/// The call of a function of a trait of a type parameter that stands for a float. What it does it is taken to do, and generated code
/// checks that.
#[derive(Clone, Debug)]
pub struct Called {
    /// The elementary function that it is taken for; otherwise it converts a number to a float, with the derivative 1.
    pub rule: Option<Rc<str>>,
    /// What the operands are called in the call.
    pub arguments: Vec<Ident>,
    /// The call.
    pub tokens: TokenStream,
}

impl Called {
    /// Whether it converts a number to a float.
    pub fn is_conversion(&self) -> bool {
        self.rule.is_none()
    }
}

impl PartialEq for Called {
    fn eq(&self, other: &Self) -> bool {
        self.rule == other.rule && self.tokens.to_string() == other.tokens.to_string()
    }
}

impl Eq for Called {}

/// What is made of an integer that holds bits of floats, so that its derivative is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unclear {
    /// A float of these bits.
    Float,
    /// A float that is rounded, while the bits that it is rounded to are used as a number, too.
    Rounded,
    /// A number.
    Number,
    /// The element of a list at such an index.
    Element,
    /// What a function makes of it.
    Argument,
}

impl Unclear {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Float, Self::Rounded, Self::Number, Self::Element, Self::Argument];

    /// Its name in listings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Float => "unclear_float",
            Self::Rounded => "unclear_rounded",
            Self::Number => "unclear_number",
            Self::Element => "unclear_element",
            Self::Argument => "unclear_argument",
        }
    }

    /// That of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unclear| unclear.name() == name)
    }
}

/// What branches tell two numbers `a` and `b` by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Test {
    /// Whether `a < b`, or not.
    Below,
    /// Whether `a > b`, or not.
    Above,
    /// Whether `a` is less than, equal to or greater than `b`.
    Order,
    /// The integer `⌊a / b⌋`.
    Floor,
    /// The integer `⌈a / b⌉`.
    Ceiling,
    /// The integer next to `a / b`.
    Nearest,
    /// The integer of which `a / b` has digits behind the point.
    Truncated,
    /// The integer `k` with `0 ≤ a - k b < |b|`.
    Euclidean,
}

impl Test {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Below,
        Self::Above,
        Self::Order,
        Self::Floor,
        Self::Ceiling,
        Self::Nearest,
        Self::Truncated,
        Self::Euclidean,
    ];

    /// Its name: of a function of the runtime, and in listings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Below => "below",
            Self::Above => "above",
            Self::Order => "order",
            Self::Floor => "floor",
            Self::Ceiling => "ceiling",
            Self::Nearest => "nearest",
            Self::Truncated => "truncated",
            Self::Euclidean => "euclidean",
        }
    }

    /// The test of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|test| test.name() == name)
    }
}

/// An operator before its operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`
    Not,
}

/// An operator between its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// What only a callee knows of an argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fact {
    /// Its backward sweep reads it.
    Reads,
    /// Its forward sweep reads it where no primal value is wanted, or its backward sweep does.
    Uses,
    /// It may give it another length.
    Resizes,
}

/// Something that what a call calls says of an argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CalleeFact {
    /// The call, in the primal.
    pub call: StmtId,
    /// The position of the argument.
    pub argument: usize,
    /// What is said.
    pub fact: Fact,
}

/// Under which activity of the caller's arguments something matters: a set of pairs (independent,
/// dependent). It holds in an instance where both of some pair are active.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// One bit for each pair, `independent * dependents + dependent`.
    pub pairs: FixedBitSet,
    /// Further pairs, which matter only where a callee says so. They are none of the others, and not empty.
    pub if_callee: BTreeMap<CalleeFact, FixedBitSet>,
}

/// A condition on the instance of a sweep: whether the primal values are wanted, and which
/// arguments are active.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guard {
    /// The condition if the primal values are wanted.
    pub primal: Condition,
    /// The condition if they are not.
    pub bare: Condition,
}
