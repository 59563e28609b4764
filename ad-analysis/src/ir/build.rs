//! Construction of bodies and their parts.

use super::names::Namer;
use super::syntax::*;
use super::values::*;
use crate::index::{BitSet, Index, IndexVec, Label, Scope, StmtId, Var};
use crate::payloads::is_of_variant;
use crate::types::{PartTypes, Type};
use proc_macro2::{Span, TokenStream};
use std::collections::BTreeMap;
use std::rc::Rc;

impl Body {
    /// A function without parameters and statements.
    pub fn new(name: &str) -> Self {
        let mut numbering = Numbering::default();
        let target = Target { label: numbering.label(), exit: None };
        let block = Block { scope: numbering.scope(), stmts: Vec::new() };
        Self {
            name: name.to_owned(),
            vars: IndexVec::new(),
            parts: PartTypes::default(),
            params: Vec::new(),
            result: None,
            independents: Vec::new(),
            dependents: Vec::new(),
            kept: Vec::new(),
            target,
            block,
            numbering,
            names: Namer::default(),
            directions: BitSet::new(),
            constants: Vec::new(),
            asked: BTreeMap::new(),
            methods_of_lists: BTreeMap::new(),
        }
    }

    /// A new variable that holds its value; its name is `hint` if that is free.
    pub fn local(&mut self, hint: &str, ty: Type, span: Span) -> Var {
        self.variable(hint, ty, Binding::Value, span)
    }

    /// A new variable; its name is `hint` if that is free.
    pub fn variable(&mut self, hint: &str, ty: Type, binding: Binding, span: Span) -> Var {
        let name = self.names.fresh(hint);
        self.vars.push(Variable { name, span, ty, assumed: false, binding, declared: None })
    }

    /// A statement with a number of its own.
    pub fn stmt(&mut self, kind: StmtKind, span: Span) -> Stmt {
        Stmt { id: self.numbering.stmt(), span, kind }
    }

    /// A scope with these statements.
    pub fn new_block(&mut self, stmts: Vec<Stmt>) -> Block {
        Block { scope: self.numbering.scope(), stmts }
    }

    /// The value of a variable.
    pub fn load(&self, var: Var) -> Expr {
        Expr::load(Place::var(var), self.vars[var].ty.clone(), self.vars[var].span)
    }

    /// The type of a place, as far as it is known.
    pub fn place_type(&self, place: &Place) -> Type {
        self.place_type_by(place, &self.parts)
    }

    /// The type of a place, as far as the types of the variables tell it: those of parts of structs may
    /// be assumptions.
    pub fn proven_place_type(&self, place: &Place) -> Type {
        self.place_type_by(place, &PartTypes::default())
    }

    fn place_type_by(&self, place: &Place, parts: &PartTypes) -> Type {
        place.projections.iter().fold(self.vars[place.root].ty.clone(), |ty, step| match step {
            Projection::Index(_) => parts.element(&ty),
            Projection::Slice { .. } => {
                ty.element().map_or(Type::Unknown, |element| Type::slice(element.clone()))
            }
            Projection::Field(name) => parts.field(&ty, name),
            Projection::Got { getter, .. } => parts.field(&ty, &getter.name),
            Projection::Boxed => parts.boxed(&ty),
        })
    }

    /// The place with views replaced by what they refer to.
    pub fn resolve(&self, place: &Place) -> Place {
        match &self.vars[place.root].binding {
            Binding::View(view) => {
                let mut resolved = view.place.clone();
                resolved.projections.extend(place.projections.iter().cloned());
                resolved
            }
            Binding::Value | Binding::Shared | Binding::Exclusive | Binding::Global(_) => {
                place.clone()
            }
        }
    }

    /// The `&mut` reference by way of which a place is spelled, if it is.
    pub fn through(&self, place: &Place) -> Option<Through> {
        match &self.vars[place.root].binding {
            Binding::View(view) if view.mutable => {
                Some(Through { view: place.root, depth: view.place.projections.len() })
            }
            Binding::View(view) => view.through,
            Binding::Value | Binding::Shared | Binding::Exclusive | Binding::Global(_) => None,
        }
    }

    /// The variable a place is a part of, also by way of a local reference.
    pub fn root_of(&self, place: &Place) -> Var {
        match &self.vars[place.root].binding {
            Binding::View(view) => view.place.root,
            Binding::Value | Binding::Shared | Binding::Exclusive | Binding::Global(_) => {
                place.root
            }
        }
    }

    /// How many pairs of an independent and a dependent there are.
    pub fn pairs(&self) -> usize {
        self.independents.len() * self.dependents.len()
    }

    /// The variables that the forward sweep hands to the backward sweep.
    pub fn kept_vars(&self) -> impl Iterator<Item = Var> {
        self.kept.iter().map(|kept| kept.var)
    }

    /// Whether a variable is a parameter that refers to the caller's storage.
    pub fn is_reference(&self, var: Var) -> bool {
        match self.vars[var].binding {
            Binding::Shared | Binding::Exclusive => true,
            Binding::Value | Binding::Global(_) | Binding::View(_) => false,
        }
    }
}

impl View {
    /// The place by way of the reference that this was made from.
    pub fn spelled(&self) -> Place {
        match self.through {
            None => self.place.clone(),
            Some(Through { view, depth }) => {
                Place { root: view, projections: self.place.projections[depth..].to_vec() }
            }
        }
    }
}

impl Numbering {
    /// The next statement.
    pub fn stmt(&mut self) -> StmtId {
        self.stmts += 1;
        StmtId::new(self.stmts as usize - 1)
    }

    /// The next label.
    pub fn label(&mut self) -> Label {
        self.labels += 1;
        Label::new(self.labels as usize - 1)
    }

    /// The next scope.
    pub fn scope(&mut self) -> Scope {
        self.scopes += 1;
        Scope::new(self.scopes as usize - 1)
    }
}

impl Place {
    /// A whole variable.
    pub fn var(root: Var) -> Self {
        Self { root, projections: Vec::new() }
    }

    /// Whether two places are in different fields of one variable, or of what is in a box in it: rustc sees that these are apart. Of payloads it
    /// does not, which are found by a function.
    pub fn is_in_another_field_than(&self, other: &Self) -> bool {
        let is_field =
            |step: &Projection| matches!(step, Projection::Field(name) if !is_of_variant(name));
        let is_way = |step: &Projection| is_field(step) || matches!(step, Projection::Boxed);
        let mut steps = self.projections.iter().zip(&other.projections);
        let parting = steps.find(|(own, other)| own != other || !is_way(own));
        self.root == other.root
            && parting.is_some_and(|(own, other)| own != other && is_field(own) && is_field(other))
    }

    /// A part of this place.
    pub fn then(&self, step: Projection) -> Self {
        let mut place = self.clone();
        place.projections.push(step);
        place
    }

    /// The element of this place at an index.
    pub fn index(&self, index: Expr) -> Self {
        self.then(Projection::Index(index))
    }

    /// The field of this place at a position.
    pub fn field(&self, position: usize) -> Self {
        self.then(Projection::Field(position.to_string().into()))
    }

    /// The same way from another variable.
    pub fn rooted_at(&self, root: Var) -> Self {
        Self { root, projections: self.projections.clone() }
    }

    /// Whether this is a whole variable.
    pub fn is_whole(&self) -> bool {
        self.projections.is_empty()
    }

    /// Whether some part of the way is found at run time.
    pub fn is_computed(&self) -> bool {
        !self.projections.iter().all(Projection::is_fixed)
    }

    /// Whether a getter leads there that says of itself that there is no derivative.
    pub fn is_passive(&self) -> bool {
        let is_passive =
            |step: &Projection| matches!(step, Projection::Got { getter, .. } if getter.is_passive);
        self.projections.iter().any(is_passive)
    }

    /// Whether it is a payload of an enum, or a part of one: it is not there for values of other variants, and rustc does not see that
    /// two payloads of one value are different places.
    pub fn is_in_variant(&self) -> bool {
        let is_payload =
            |step: &Projection| matches!(step, Projection::Field(name) if is_of_variant(name));
        self.projections.iter().any(is_payload)
    }
}

/// Two places are the same if they are spelled the same: equal places denote the same storage as
/// long as the variables in their indices keep their values.
impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.root == other.root && self.projections == other.projections
    }
}

impl Projection {
    /// Whether it leads to one place, whatever variables hold.
    pub fn is_fixed(&self) -> bool {
        match self {
            Self::Field(_) | Self::Boxed => true,
            Self::Index(_) | Self::Slice { .. } | Self::Got { .. } => false,
        }
    }
}

impl PartialEq for Projection {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Field(a), Self::Field(b)) => a == b,
            (Self::Index(a), Self::Index(b)) => a == b,
            (Self::Slice { start, end }, Self::Slice { start: start2, end: end2 }) => {
                start == start2 && end == end2
            }
            (Self::Got { getter, at }, Self::Got { getter: getter2, at: at2 }) => {
                getter == getter2 && at == at2
            }
            (Self::Boxed, Self::Boxed) => true,
            (
                Self::Field(_)
                | Self::Boxed
                | Self::Index(_)
                | Self::Slice { .. }
                | Self::Got { .. },
                _,
            ) => false,
        }
    }
}

/// Expressions are equal if they are spelled the same. Opaque code equals nothing.
impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (ExprKind::Literal(a), ExprKind::Literal(b)) => a == b,
            (ExprKind::Load(a), ExprKind::Load(b)) => a == b,
            (ExprKind::Op(a, xs), ExprKind::Op(b, ys)) => {
                a == b && xs == ys && (*a != Op::Cast || self.ty == other.ty)
            }
            (ExprKind::Guard(a), ExprKind::Guard(b)) => a == b,
            (
                ExprKind::Literal(_)
                | ExprKind::Load(_)
                | ExprKind::Op(..)
                | ExprKind::Opaque(_)
                | ExprKind::Guard(_),
                _,
            ) => false,
        }
    }
}

impl Expr {
    /// An expression.
    pub fn new(kind: ExprKind, ty: Type, span: Span) -> Self {
        Self { kind, ty, span }
    }

    /// The value at a place.
    pub fn load(place: Place, ty: Type, span: Span) -> Self {
        Self::new(ExprKind::Load(place), ty, span)
    }

    /// `bar * factor`, in the form that costs least: one operation less for factors like `1`, `-p`,
    /// `1 / p`. A factor `1 / p * q` gives `bar / p * q`.
    pub fn weighted(bar: &Self, factor: &Self) -> Self {
        // The type of a part of a bar may not be known: it is that of the partial.
        let ty = if bar.ty.is_float() { bar.ty.clone() } else { factor.ty.clone() };
        let neg = |expr| Self::op(Op::Unary(UnaryOp::Neg), vec![expr], ty.clone());
        if let Some(value) = factor.as_float() {
            if value == 1.0 {
                return bar.clone();
            }
            if value == 0.0 {
                return Self::zero(ty);
            }
        }
        match &factor.kind {
            ExprKind::Op(Op::Unary(UnaryOp::Neg), args) => neg(Self::weighted(bar, &args[0])),
            ExprKind::Op(Op::Binary(BinaryOp::Div), args) if factor.is_reciprocal() => {
                Self::binary(BinaryOp::Div, bar.clone(), args[1].clone())
            }
            // Divided first: the partial may be out of range where the product is not, and by the same the bar of the
            // other operand is mostly divided, too.
            ExprKind::Op(Op::Binary(BinaryOp::Mul), args) if args[0].is_reciprocal() => {
                let divided = Self::weighted(bar, &args[0]);
                Self::binary(BinaryOp::Mul, divided, args[1].clone())
            }
            ExprKind::Op(Op::Select, args) => {
                let branch = |factor| Self::weighted(bar, factor);
                let branches = vec![args[0].clone(), branch(&args[1]), branch(&args[2])];
                Self::op(Op::Select, branches, ty)
            }
            ExprKind::Op(..)
            | ExprKind::Literal(_)
            | ExprKind::Load(_)
            | ExprKind::Opaque(_)
            | ExprKind::Guard(_) => Self::binary(BinaryOp::Mul, bar.clone(), factor.clone()),
        }
    }

    /// `1.0 / p`.
    pub fn is_reciprocal(&self) -> bool {
        matches!(&self.kind, ExprKind::Op(Op::Binary(BinaryOp::Div), args) if args[0].as_float() == Some(1.0))
    }

    /// A bar of 0 contributes 0, whatever the partial.
    pub fn strongly(bar: &Expr, product: Expr) -> Self {
        let zero = match bar.ty.is_float() {
            true => Self::zero(bar.ty.clone()),
            // A type that is not seen may have no literals.
            false => Self::binary(BinaryOp::Sub, bar.clone(), bar.clone()),
        };
        let test = Self::test(BinaryOp::Eq, bar.clone(), zero.clone());
        let ty = bar.ty.clone();
        Self::op(Op::Select, vec![test, zero, product], ty)
    }

    /// An operation, with the span of its first operand.
    pub fn op(op: Op, args: Vec<Expr>, ty: Type) -> Self {
        let span = args.first().map_or_else(Span::call_site, |arg| arg.span);
        Self::new(ExprKind::Op(op, args), ty, span)
    }

    /// An operator between two operands, with the type of the first.
    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Self {
        let ty = left.ty.clone();
        Self::op(Op::Binary(op), vec![left, right], ty)
    }

    /// A comparison or another operator that yields a truth value.
    pub fn test(op: BinaryOp, left: Expr, right: Expr) -> Self {
        Self::op(Op::Binary(op), vec![left, right], Type::Bool)
    }

    /// The negated condition.
    pub fn negated(operand: Expr) -> Self {
        Self::op(Op::Unary(UnaryOp::Not), vec![operand], Type::Bool)
    }

    /// A literal.
    pub fn literal(text: &str, ty: Type) -> Self {
        Self::new(ExprKind::Literal(text.into()), ty, Span::call_site())
    }

    /// Some value of a type, zero where it is a number. `None` if no value can be made from the type
    /// alone.
    pub fn placeholder(ty: &Type) -> Option<Self> {
        let make = |op, args| Some(Self::op(op, args, ty.clone()));
        match ty {
            Type::Float(_) => Some(Self::zero(ty.clone())),
            Type::Int(_) => Some(Self::literal("0", ty.clone())),
            Type::Bool => Some(Self::literal("false", Type::Bool)),
            Type::Array(element, len) => {
                make(Op::Repeat(len.clone()), vec![Self::placeholder(element)?])
            }
            Type::Vec(_) => make(Op::Vec, Vec::new()),
            Type::Tuple(fields) => {
                make(Op::Tuple, fields.iter().map(Self::placeholder).collect::<Option<_>>()?)
            }
            Type::Slice(_) | Type::Named(_) | Type::Unknown | Type::Infer(_) => None,
        }
    }

    /// The float 0.
    pub fn zero(ty: Type) -> Self {
        Self::literal("0.0", ty)
    }

    /// A `usize`.
    pub fn usize(value: usize) -> Self {
        Self::literal(&value.to_string(), Type::USIZE)
    }

    /// The code of an exit.
    pub fn code(value: u8) -> Self {
        Self::literal(&value.to_string(), Type::U8)
    }

    /// A condition on the instance.
    pub fn guard(guard: Guard) -> Self {
        Self::new(ExprKind::Guard(Box::new(guard)), Type::Bool, Span::call_site())
    }

    /// The text, if this is a literal.
    pub fn as_literal(&self) -> Option<&Rc<str>> {
        match &self.kind {
            ExprKind::Literal(text) => Some(text),
            ExprKind::Load(_) | ExprKind::Op(..) | ExprKind::Opaque(_) | ExprKind::Guard(_) => None,
        }
    }

    /// The value, if this is a float literal.
    pub fn as_float(&self) -> Option<f64> {
        let text = self.as_literal()?;
        let digits = text.trim_end_matches("f64").trim_end_matches("f32").replace('_', "");
        digits.parse().ok()
    }

    /// The place, if this is the value at one.
    pub fn as_place(&self) -> Option<&Place> {
        match &self.kind {
            ExprKind::Load(place) => Some(place),
            ExprKind::Literal(_) | ExprKind::Op(..) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {
                None
            }
        }
    }

    /// The expression without the operation that asks whether a part of a direction has a bar: where it is added to, that may be left
    /// out.
    pub fn without_direction(&self) -> &Self {
        match &self.kind {
            ExprKind::Op(Op::Direction, args) => &args[0],
            ExprKind::Op(..)
            | ExprKind::Load(_)
            | ExprKind::Literal(_)
            | ExprKind::Opaque(_)
            | ExprKind::Guard(_) => self,
        }
    }

    /// The variable, if this is the value of a whole one.
    pub fn as_var(&self) -> Option<Var> {
        self.as_place().filter(|place| place.is_whole()).map(|place| place.root)
    }
}

impl Range {
    /// Whether the range runs backwards after all that was done to it.
    pub fn reversed(mut self) -> Self {
        match self.adaptors.last() {
            Some(Adaptor::Rev) => {
                self.adaptors.pop();
            }
            Some(Adaptor::StepBy(_) | Adaptor::Take(_)) | None => self.adaptors.push(Adaptor::Rev),
        }
        self
    }

    /// The expressions that are evaluated when the loop is entered.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        let steps = self.adaptors.iter().filter_map(|adaptor| match adaptor {
            Adaptor::Rev => None,
            Adaptor::StepBy(count) | Adaptor::Take(count) => Some(count),
        });
        [&self.start, &self.end].into_iter().chain(steps)
    }

    /// The expressions that are evaluated when the loop is entered.
    pub fn operands_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let steps = self.adaptors.iter_mut().filter_map(|adaptor| match adaptor {
            Adaptor::Rev => None,
            Adaptor::StepBy(count) | Adaptor::Take(count) => Some(count),
        });
        [&mut self.start, &mut self.end].into_iter().chain(steps)
    }
}

impl Opaque {
    /// What stands for a dependence that cannot be differentiated: what it is, and what to do instead.
    pub fn refused(what: &str, help: &str) -> Self {
        Self {
            tokens: TokenStream::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            declares: Vec::new(),
            class: Class::Pure,
            ending: Ending::Continues,
            calls_unknown: false,
            refusal: Some(Refusal { what: what.into(), help: help.into(), callee: None }),
        }
    }
}

impl BinaryOp {
    /// The token.
    pub fn token(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
        }
    }

    /// Whether it makes a number of two numbers of its type.
    pub fn is_arithmetic(self) -> bool {
        use BinaryOp::{Add, Div, Mul, Rem, Sub};
        matches!(self, Add | Sub | Mul | Div | Rem)
    }

    /// How tightly the operator binds: a larger number binds tighter.
    pub fn precedence(self) -> u8 {
        match self {
            BinaryOp::Or => 1,
            BinaryOp::And => 2,
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge => 3,
            BinaryOp::BitOr => 4,
            BinaryOp::BitXor => 5,
            BinaryOp::BitAnd => 6,
            BinaryOp::Shl | BinaryOp::Shr => 7,
            BinaryOp::Add | BinaryOp::Sub => 8,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 9,
        }
    }

    /// Whether the result is a truth value whatever the operands are.
    pub fn is_test(self) -> bool {
        self.precedence() <= 3
    }
}

/// The partials among the operands of an [`Op::Given`], each with what it belongs to.
pub fn given_partials(args: &[Expr]) -> impl Iterator<Item = (&Expr, &Expr)> {
    args[1..].chunks_exact(2).map(|pair| (&pair[0], &pair[1]))
}
