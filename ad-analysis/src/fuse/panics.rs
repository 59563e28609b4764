//! Which statements certainly do not panic?

use crate::index::Var;
use crate::ir::{
    BinaryOp, Binding, Body, Expr, ExprKind, Loop, LoopKind, Op, Place, Projection, Stmt, StmtKind,
};
use crate::payloads::is_of_variant;
use crate::types::{FloatKind, Type};
use std::collections::HashMap;
use std::rc::Rc;

/// What is known about the values of variables.
pub(super) struct Calm<'a> {
    body: &'a Body,
    /// The values of variables that are never written again.
    definitions: HashMap<Var, Expr>,
    /// Counters of the loops around, with the ends that they stay below.
    counters: HashMap<Var, Vec<Bound>>,
}

/// What a counter stays below.
enum Bound {
    /// The length of a list whose length does not change.
    Len(Place),
    /// A number or constant, as it is spelled.
    Number(Rc<str>),
}

impl<'a> Calm<'a> {
    /// With the definitions among these statements, of variables that `is_final` says are not written
    /// after that.
    pub(super) fn after(body: &'a Body, stmts: &[Stmt], is_final: impl Fn(Var) -> bool) -> Self {
        let definitions = stmts.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Let { var, value: Some(value) } if is_final(*var) => {
                Some((*var, value.clone()))
            }
            _ => None,
        });
        Self { body, definitions: definitions.collect(), counters: HashMap::new() }
    }

    /// Whether none of these statements can panic.
    pub(super) fn are_calm(&mut self, stmts: &[Stmt]) -> bool {
        stmts.iter().all(|stmt| self.is_calm(stmt))
    }

    fn is_calm(&mut self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Let { var: _, value } => {
                value.as_ref().is_none_or(|value| self.is_calm_expr(value))
            }
            StmtKind::Assign { place, value } | StmtKind::Increment { place, value } => {
                self.is_calm_expr(value) && self.is_calm_place(place)
            }
            StmtKind::Reset { place } => self.is_calm_place(place),
            StmtKind::Bind { view } => self.is_calm_place(&Place::var(*view)),
            StmtKind::If { test, then, otherwise } => {
                self.is_calm_expr(test)
                    && self.are_calm(&then.stmts)
                    && self.are_calm(&otherwise.stmts)
            }
            StmtKind::Block { target: None, body } => self.are_calm(&body.stmts),
            StmtKind::Loop(inner) => self.is_calm_loop(inner),
            StmtKind::Block { target: Some(_), body: _ }
            | StmtKind::Resize(_)
            | StmtKind::Swap { .. }
            | StmtKind::Call(_)
            | StmtKind::Opaque(_)
            | StmtKind::Exit { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => false,
        }
    }

    fn is_calm_loop(&mut self, inner: &Loop) -> bool {
        let LoopKind::Counted { var, range } = &inner.kind else { return false };
        if range.inclusive || !range.adaptors.is_empty() {
            return false;
        }
        let operands_are_calm = range.operands().all(|operand| self.is_calm_expr(operand));
        let bounds = self.bounds(&range.end);
        self.counters.insert(*var, bounds);
        operands_are_calm && self.are_calm(&inner.body.stmts)
    }

    /// What a value is not greater than.
    fn bounds(&self, end: &Expr) -> Vec<Bound> {
        match &end.kind {
            ExprKind::Literal(text) => vec![Bound::Number(text.clone())],
            ExprKind::Load(place) if place.is_whole() => match self.definitions.get(&place.root) {
                Some(value) => self.bounds(value),
                None => self.constant(place.root).into_iter().collect(),
            },
            ExprKind::Op(Op::Method(name), args) if &**name == "min" => {
                args.iter().flat_map(|arg| self.bounds(arg)).collect()
            }
            ExprKind::Op(Op::Len, args) => {
                let list = args[0].as_place().map(|place| self.body.resolve(place));
                list.filter(|place| self.keeps_its_length(place))
                    .map(Bound::Len)
                    .into_iter()
                    .collect()
            }
            ExprKind::Load(_) | ExprKind::Op(..) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {
                Vec::new()
            }
        }
    }

    fn constant(&self, var: Var) -> Option<Bound> {
        let variable = &self.body.vars[var];
        let is_constant = matches!(variable.binding, Binding::Global(_));
        is_constant.then(|| Bound::Number(variable.name.as_str().into()))
    }

    /// Whether a place is a list behind a shared reference, or one that has its length by its type.
    fn keeps_its_length(&self, place: &Place) -> bool {
        let variable = &self.body.vars[place.root];
        let is_shared = matches!(variable.binding, Binding::Shared);
        place.is_whole() && (is_shared || matches!(variable.ty, Type::Array(..)))
    }

    fn is_calm_place(&self, place: &Place) -> bool {
        let place = self.body.resolve(place);
        let mut list = Place::var(place.root);
        for step in &place.projections {
            let is_calm = match step {
                Projection::Field(name) => !is_of_variant(name),
                Projection::Boxed => true,
                Projection::Index(index) => self.is_inside(&list, index),
                Projection::Slice { start, end } => start.is_none() && end.is_none(),
                Projection::Got { .. } => false,
            };
            if !is_calm {
                return false;
            }
            list = list.then(step.clone());
        }
        true
    }

    /// Whether an index is certainly one of a list.
    fn is_inside(&self, list: &Place, index: &Expr) -> bool {
        let len = match self.body.proven_place_type(list) {
            Type::Array(_, len) => Some(len),
            _ => None,
        };
        if let Some(text) = index.as_literal() {
            let (index, len) = (text.parse::<u64>(), len.and_then(|len| len.parse::<u64>().ok()));
            return index.is_ok_and(|index| len.is_some_and(|len| index < len));
        }
        let bounds = index.as_var().and_then(|counter| self.counters.get(&counter));
        bounds.into_iter().flatten().any(|bound| match bound {
            Bound::Len(other) => other == list,
            Bound::Number(text) => len.as_ref() == Some(text),
        })
    }

    fn is_calm_expr(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Guard(_) => true,
            ExprKind::Load(place) => self.is_calm_place(place),
            ExprKind::Opaque(_) => false,
            ExprKind::Op(op, args) => {
                let of_floats = args.iter().all(|arg| arg.ty.is_float());
                let of_numbers = args.iter().all(|arg| is_number(&arg.ty));
                let is_calm = match op {
                    Op::Binary(op) => {
                        of_floats || (of_numbers && (op.is_test() || is_bitwise(*op)))
                    }
                    Op::Unary(_) => of_floats || expr.ty == Type::Bool,
                    // `clamp` panics if its bounds are in the wrong order.
                    Op::Method(_) if is_of_trait(args) => false,
                    Op::Method(name) => match &**name {
                        "min" | "max" => of_numbers,
                        "clamp" => false,
                        _ => args[0].ty.is_float(),
                    },
                    Op::Decided(_) => of_numbers,
                    Op::Standard(name) => &**name != "clamp",
                    // It is checked what a trait has.
                    Op::Called(_) => false,
                    Op::Len => return args[0].as_place().is_none_or(|p| self.is_calm_place(p)),
                    Op::Cast
                    | Op::Array
                    | Op::Tuple
                    | Op::Struct(..)
                    | Op::Select
                    | Op::Strong
                    | Op::Tested(_)
                    | Op::FromBits
                    | Op::Spacing
                    | Op::Unclear(_)
                    | Op::Real
                    | Op::Number => true,
                    Op::Direction => args[0].ty.is_float(),
                    Op::Repeat(_) | Op::Placeholder | Op::Given => true,
                    // They allocate, or call what the user wrote.
                    Op::Vec
                    | Op::Boxed
                    | Op::VecRepeat
                    | Op::ToVec
                    | Op::Clone
                    | Op::Shape
                    | Op::ZeroBar
                    | Op::ZeroTangent
                    | Op::Traced(_)
                    | Op::TracedStrong => false,
                };
                is_calm && args.iter().all(|arg| self.is_calm_expr(arg))
            }
        }
    }
}

/// Whether the method of these operands is one of a trait of a type parameter, which may do anything.
fn is_of_trait(operands: &[Expr]) -> bool {
    matches!(operands[0].ty, Type::Float(FloatKind::Generic(_)))
}

fn is_number(ty: &Type) -> bool {
    ty.is_float() || matches!(ty, Type::Int(_) | Type::Bool)
}

fn is_bitwise(op: BinaryOp) -> bool {
    match op {
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => true,
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge => false,
    }
}
