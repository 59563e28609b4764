//! What is the derivative of an elementary operation, and what does its adjoint need?
//!
//! Everything is read off the [table]; no other place of the library knows a derivative.

use crate::index::Index;
use crate::ir::{BinaryOp, Binding, Body, Expr, ExprKind, Op, Place, Test, UnaryOp, parse_expr};
use crate::types::{FloatKind, IntKind, Type};
use proc_macro2::Span;
use std::cell::RefCell;
use std::collections::HashMap;

/// One elementary operation.
#[derive(Debug)]
pub struct Rule {
    /// The name: of the method, or of the operator (`add`, `neg`, …).
    pub name: &'static str,
    /// The arguments.
    pub args: &'static [Argument],
    /// The name of the result in the partials.
    pub result: &'static str,
    /// The partials that are not identically zero.
    pub partials: &'static [Partial],
    /// What its branches test.
    pub tests: &'static [Tested],
    /// The arguments that may be infinite or NaN while the result is finite.
    pub loses: &'static [&'static str],
    /// The cost of the operation in multiplications.
    pub cost: u32,
    /// The value and the partials at a point, one number per argument.
    pub evaluate: fn(&[f64]) -> (f64, Vec<f64>),
}

/// An argument of an elementary operation.
#[derive(Debug)]
pub struct Argument {
    /// Its name in the partials.
    pub name: &'static str,
    /// Whether it is an integer.
    pub is_int: bool,
    /// The lower end of the interval in which the operation is sampled.
    pub low: f64,
    /// The upper end of that interval.
    pub high: f64,
}

/// A partial derivative.
#[derive(Debug)]
pub struct Partial {
    /// The name of the argument.
    pub arg: &'static str,
    /// The derivative, as Rust code in the names of arguments and result.
    pub text: &'static str,
    /// Whether it may be infinite or NaN where the operation is defined.
    pub singular: bool,
}

/// A test that an elementary operation makes: its derivative jumps where the outcome changes, or its value does.
#[derive(Debug)]
pub struct Tested {
    /// What is tested.
    pub test: Test,
    /// The argument that is compared.
    pub subject: &'static str,
    /// What it is compared with: another argument, or a number.
    pub other: &'static str,
}

macro_rules! rules {
    ($($name:ident($($arg:ident $(: $ty:ident)? in $low:literal..$high:literal),*)
        => $result:ident = $value:expr, cost $cost:literal,
        { $($kind:ident $wrt:ident: $partial:expr;)* }
        $(loses { $($lost:ident)* })?
        $(tests { $($test:ident $subject:ident $other:tt;)* })?;)*) => {
        /// All rules.
        pub static RULES: &[Rule] = &[$(Rule {
            name: stringify!($name),
            args: &[$(Argument {
                name: stringify!($arg),
                is_int: $(stringify!($ty).len() == 3 ||)? false,
                low: $low as f64,
                high: $high as f64,
            }),*],
            result: stringify!($result),
            partials: &[$(Partial {
                arg: stringify!($wrt),
                text: stringify!($partial),
                singular: matches!(stringify!($kind).as_bytes(), b"singular"),
            }),*],
            tests: &[$($(Tested {
                test: Test::$test,
                subject: stringify!($subject),
                other: stringify!($other),
            }),*)?],
            loses: &[$($(stringify!($lost)),*)?],
            cost: $cost,
            evaluate: |values| {
                #[allow(dead_code, reason = "most rules do not name the float type")]
                type F = f64;
                let mut values = values.iter();
                $(rules!(@bind values, $arg $(: $ty)?);)*
                let $result: f64 = $value;
                ($result, vec![$($partial),*])
            },
        }),*];
    };
    (@bind $values:ident, $arg:ident) => {
        let $arg: f64 = *$values.next().expect("one value per argument");
    };
    (@bind $values:ident, $arg:ident: $ty:ident) => {
        let $arg = *$values.next().expect("one value per argument") as $ty;
    };
}

pub mod table;

pub use table::{BITS, PAIR, RULES, TESTS, UNSUPPORTED};

/// The name under which an operator stands in the table.
fn name_of(op: &Op) -> Option<&str> {
    match op {
        Op::Method(name) | Op::Standard(name) | Op::Decided(name) => Some(name),
        Op::Called(called) => called.rule.as_deref(),
        Op::Unary(UnaryOp::Neg) => Some("neg"),
        Op::Binary(BinaryOp::Add) => Some("add"),
        Op::Binary(BinaryOp::Sub) => Some("sub"),
        Op::Binary(BinaryOp::Mul) => Some("mul"),
        Op::Binary(BinaryOp::Div) => Some("div"),
        Op::Binary(BinaryOp::Rem) => Some("rem"),
        Op::Strong => Some("strong"),
        Op::Unary(UnaryOp::Not)
        | Op::Binary(_)
        | Op::Cast
        | Op::Len
        | Op::Array
        | Op::Vec
        | Op::Tuple
        | Op::Boxed
        | Op::Struct(..)
        | Op::Repeat(_)
        | Op::VecRepeat
        | Op::ToVec
        | Op::Clone
        | Op::Select
        | Op::Tested(_)
        | Op::Traced(_)
        | Op::TracedStrong
        | Op::Real
        | Op::Number
        | Op::Direction
        | Op::Given
        | Op::FromBits
        | Op::Spacing
        | Op::Unclear(_)
        | Op::Shape
        | Op::ZeroBar
        | Op::ZeroTangent
        | Op::Placeholder => None,
    }
}

/// Whether floats have a method of that name in the standard library.
pub fn is_of_standard_library(method: &str) -> bool {
    TESTS.contains(&method)
        || BITS.contains(&method)
        || UNSUPPORTED.iter().any(|(name, _)| *name == method)
        || self::method(method).is_some()
}

/// The rule of that name.
pub fn find(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.name == name)
}

/// The rule of the method of that name. Operators are none: what `x.add(y)` calls is up to the traits
/// in scope.
pub fn method(name: &str) -> Option<&'static Rule> {
    find(name).filter(|rule| matches!(operation_of(rule), Op::Method(_)))
}

/// The rule of an operation, if it is elementary.
pub fn rule_of(op: &Op) -> Option<&'static Rule> {
    find(name_of(op)?)
}

/// Whether a value costs less than to store it, on any machine.
pub fn is_cheap(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Literal(_) | ExprKind::Load(_) => true,
        ExprKind::Op(Op::Len | Op::Cast | Op::Select | Op::Unary(_), args) => {
            args.iter().all(is_cheap)
        }
        ExprKind::Op(Op::Method(name), args) => {
            matches!(&**name, "min" | "max" | "is_nan") && args.iter().all(is_cheap)
        }
        ExprKind::Op(Op::Binary(op), args) => {
            !matches!(op, BinaryOp::Div | BinaryOp::Rem) && args.iter().all(is_cheap)
        }
        ExprKind::Op(..) | ExprKind::Opaque(_) | ExprKind::Guard(_) => false,
    }
}

/// What a function that is called for it costs at least, in multiplications. What is below is an instruction or a few, and vectorised.
pub const CALLED: u32 = 12;

/// What costs more than to store its result in the forward sweep and to read it in the backward sweep, in multiplications, even if the
/// stack is too large for the caches. `exp` and `sin` cost about as much.
pub const DEARER_THAN_STORAGE: u32 = 20;

/// The same where all iterations of a loop store it in one piece.
pub const DEARER_THAN_FRAMES: u32 = CALLED;

/// What an operation costs whose result one of its partials contains, as that of `exp`; of others 0.
pub fn cost_of_reused(op: &Op, args: &[Expr]) -> u32 {
    let Some(rule) = rule_of(op) else { return 0 };
    let contains_result = |partial| rule.reads(partial, args).1;
    let is_reused = (0..args.len()).filter_map(|arg| rule.partial(arg)).any(contains_result);
    if is_reused { rule.cost } else { 0 }
}

/// What all operations in a value cost.
pub fn cost(value: &Expr) -> u32 {
    let ExprKind::Op(op, args) = &value.kind else { return 0 };
    let own = rule_of(op).map_or(0, |rule| rule.cost);
    args.iter().map(cost).fold(own, u32::saturating_add)
}

/// What the dearest operation in a value costs.
pub fn dearest(value: &Expr) -> u32 {
    let ExprKind::Op(op, args) = &value.kind else { return 0 };
    let own = rule_of(op).map_or(0, |rule| rule.cost);
    args.iter().map(dearest).fold(own, u32::max)
}

/// The operation that a rule is about.
pub fn operation_of(rule: &Rule) -> Op {
    match rule.name {
        "add" => Op::Binary(BinaryOp::Add),
        "sub" => Op::Binary(BinaryOp::Sub),
        "mul" => Op::Binary(BinaryOp::Mul),
        "div" => Op::Binary(BinaryOp::Div),
        "rem" => Op::Binary(BinaryOp::Rem),
        "neg" => Op::Unary(UnaryOp::Neg),
        "strong" => Op::Strong,
        name => Op::Method(name.into()),
    }
}

impl Rule {
    /// The partial with respect to an argument, unless it is identically zero.
    pub fn partial(&'static self, arg: usize) -> Option<&'static Partial> {
        let name = self.args.get(arg)?.name;
        self.partials.iter().find(|partial| partial.arg == name)
    }

    /// The partial as an expression in the arguments and the result of one application. Of an operation that is
    /// [decided](Op::Decided) the test is the last argument.
    pub fn instantiate(
        &'static self,
        partial: &'static Partial,
        args: &[Expr],
        result: &Expr,
    ) -> Expr {
        let template = template(self, partial);
        let of_rule = &args[..self.args.len().min(args.len())];
        let value = |position| of_rule.get(position).unwrap_or(result);
        let mut partial = substitute(&template, &value, &result.ty);
        if let (Some(outcome), ExprKind::Op(Op::Select, choice)) =
            (self.outcome(args), &mut partial.kind)
        {
            choice[0] = outcome.clone();
        }
        partial
    }

    /// The outcome of the test that chooses the partials, where it is among the arguments.
    fn outcome<'a>(&self, args: &'a [Expr]) -> Option<&'a Expr> {
        args.get(self.args.len())
    }

    /// The test by which all partials are chosen from constants, of these arguments, if there is one that does not read the result.
    pub fn decision(&'static self, args: &[Expr], result: &Expr) -> Option<Expr> {
        let mut decision = None;
        for partial in self.partials {
            let reads_result = self.reads(partial, args).1;
            let ExprKind::Op(Op::Select, choice) = self.instantiate(partial, args, result).kind
            else {
                return None;
            };
            let are_constant = choice[1..].iter().all(is_constant);
            let is_another = decision.as_ref().is_some_and(|decision| *decision != choice[0]);
            if reads_result || !are_constant || is_another {
                return None;
            }
            decision = choice.into_iter().next();
        }
        decision
    }

    /// Whether the partial may be infinite or NaN, given the arguments: not if one that is a literal
    /// keeps away from where it is.
    pub fn is_singular(&self, partial: &Partial, args: &[Expr]) -> bool {
        partial.singular
            && match (self.name, partial.arg, second_literal(args)) {
                ("div", "a", Some(divisor)) => divisor == 0.0,
                ("powi" | "powf", "x", Some(exponent)) => exponent < 1.0,
                _ => true,
            }
    }

    /// Whether a partial is applied strongly: where it may be infinite or NaN, unless that makes the function so.
    /// `is_lost` says whether the result may be infinite or NaN where the function is not.
    pub fn is_tested(
        &self,
        partial: &Partial,
        args: &[Expr],
        factor: &Expr,
        is_lost: bool,
    ) -> bool {
        self.is_singular(partial, args) || is_lost && !is_finite(factor)
    }

    /// Whether the result may be finite where an argument is infinite or NaN, given the arguments: not
    /// that of a power with a literal exponent above 0.
    pub fn may_lose(&self, arg: usize, args: &[Expr]) -> bool {
        let name = self.args[arg].name;
        self.loses.contains(&name)
            && match (self.name, name, second_literal(args)) {
                ("powi" | "powf", "x", Some(exponent)) => exponent <= 0.0,
                _ => true,
            }
    }

    /// What the partial reads: the positions of the arguments that occur in it, and whether the
    /// result does.
    pub fn reads(&'static self, partial: &'static Partial, args: &[Expr]) -> (Vec<usize>, bool) {
        if self.outcome(args).is_some() {
            return (vec![self.args.len()], false);
        }
        let mut positions = Vec::new();
        crate::ir::places_in(&template(self, partial), &mut |place| {
            positions.push(place.root.position());
        });
        let result = positions.contains(&self.args.len());
        positions.retain(|&position| position < self.args.len());
        (positions, result)
    }
}

/// Whether a factor is finite, whatever its operands.
fn is_finite(factor: &Expr) -> bool {
    match &factor.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Op(Op::Cast, args) => matches!(args[0].ty, Type::Int(_)),
        ExprKind::Op(Op::Unary(UnaryOp::Neg), args) => is_finite(&args[0]),
        ExprKind::Op(Op::Select, args) => args[1..].iter().all(is_finite),
        ExprKind::Op(..) | ExprKind::Load(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => false,
    }
}

/// Whether a factor is a number that is written down.
fn is_constant(factor: &Expr) -> bool {
    match &factor.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Op(Op::Unary(UnaryOp::Neg), args) => is_constant(&args[0]),
        ExprKind::Op(..) | ExprKind::Load(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => false,
    }
}

/// The second argument, if it is a number that is written there.
fn second_literal(args: &[Expr]) -> Option<f64> {
    args.get(1)?.as_literal()?.parse().ok()
}

thread_local! {
    static TEMPLATES: RefCell<HashMap<(&'static str, &'static str), Expr>> = RefCell::default();
}

/// The partial as an expression in which variable `n` stands for argument `n` and the last variable
/// for the result.
fn template(rule: &'static Rule, partial: &'static Partial) -> Expr {
    let parse = || {
        let mut scratch = Body::new(rule.name);
        for arg in rule.args {
            let ty = if arg.is_int { Type::Int(IntKind::Named("i32")) } else { Type::F64 };
            scratch.variable(arg.name, ty, Binding::Value, Span::call_site());
        }
        scratch.variable(rule.result, Type::F64, Binding::Value, Span::call_site());
        let parsed = parse_expr(partial.text, &scratch);
        parsed.unwrap_or_else(|error| panic!("{}: `{}`: {error}", rule.name, partial.text))
    };
    TEMPLATES.with_borrow_mut(|templates| {
        templates.entry((rule.name, partial.arg)).or_insert_with(parse).clone()
    })
}

/// An operation of a partial: what a type parameter calls by that name is up to the user's traits, if there is such a thing. Where the
/// type is not known it may be one.
fn standard(op: &Op, float: &Type) -> Op {
    let may_be_parameter = matches!(
        float,
        Type::Float(FloatKind::Generic(_)) | Type::Infer(_) | Type::Unknown | Type::Named(_)
    );
    match op {
        Op::Method(name) if may_be_parameter => Op::Standard(name.clone()),
        op => op.clone(),
    }
}

fn substitute<'a>(template: &Expr, value: &impl Fn(usize) -> &'a Expr, float: &Type) -> Expr {
    match &template.kind {
        ExprKind::Load(Place { root, projections: _ }) => value(root.position()).clone(),
        ExprKind::Literal(text) => {
            let ty = if template.ty.is_float() { float.clone() } else { template.ty.clone() };
            Expr::literal(text, ty)
        }
        ExprKind::Op(op, args) => {
            let args: Vec<Expr> = args.iter().map(|arg| substitute(arg, value, float)).collect();
            // The type of a cast has no meaning in the table.
            let ty = if template.ty.is_discrete() { template.ty.clone() } else { float.clone() };
            Expr::op(standard(op, float), args, ty)
        }
        ExprKind::Opaque(_) | ExprKind::Guard(_) => unreachable!("partials are pure"),
    }
}
