//! The tangent in several directions at once: one evaluation of the function serves them all.
//!
//! It is the tangent in which the derivative of a float is of another type, a type parameter that stands for the derivatives in
//! all directions. They are added, and weighted with floats; that is all that a tangent does with them, so that no statement changes.

use super::tangent::{NoTangent, Tangent};
use crate::index::{Index, Var};
use crate::ir::{
    Arg, ArgKind, BinaryOp, Block, Body, Call, Callee, Change, Expr, ExprKind, Op, Place,
    Projection, Resize, Slot, Stmt, StmtKind, Sweep, UnaryOp, each_block_mut, each_expr_mut,
    each_place, each_stmt, each_stmt_mut, exprs_in_place_mut,
};
use crate::types::{FloatKind, Type};
use proc_macro2::{TokenStream, TokenTree};
use std::rc::Rc;

/// Tuples of more parts have no tangents in the runtime.
const LONGEST_TUPLE: usize = 8;

/// The tangent in several directions. `primal` is what it is the tangent of.
pub fn in_several_directions(tangent: &Tangent, primal: &Body) -> Tangent {
    let mut names = tangent.body.names.clone();
    let parameter: Rc<str> = names.fresh("Directions").into();
    let mut builder = Builder {
        primal,
        values: &tangent.values,
        of_float: Type::Float(FloatKind::Directions(parameter.clone())),
        refusal: None,
    };
    let mut body = tangent.body.clone();
    for var in (primal.vars.len()..body.vars.len()).map(Var::new) {
        if !builder.is_direction(var) {
            continue;
        }
        let variable = &mut body.vars[var];
        variable.ty = builder.directed(&variable.ty);
        variable.declared = None;
        // What is taken for a float is one, of some width: rustc is made to prove it.
        if variable.assumed && !variable.ty.is_float() {
            builder.refuse();
        }
        variable.assumed = false;
    }
    builder.tests(&mut body.block);
    for var in
        tangent.directions.iter().flatten().copied().chain(body.kept.iter().map(|kept| kept.var))
    {
        // Callers find directions by their types.
        if !tangent.body.vars[var].ty.is_seen() {
            builder.refuse();
        }
    }
    builder.block(&mut body.block);
    builder.check_places(&body);
    builder.check_types(&body);
    let unpassed = tangent.unpassed.iter().zip(&tangent.directions);
    let unpassed = unpassed.map(|(zero, direction)| {
        zero.as_ref().filter(|_| direction.is_some()).map(|zero| builder.direction(zero))
    });
    let unpassed = unpassed.collect();
    let refusal = tangent.refusal.or(builder.refusal);
    let directions = tangent.directions.clone();
    let unseen = tangent.unseen;
    Tangent {
        body,
        directions,
        unpassed,
        refusal,
        values: tangent.values.clone(),
        unseen,
        several: Some(parameter),
    }
}

struct Builder<'a> {
    primal: &'a Body,
    /// Variables of the tangent that hold values.
    values: &'a [Var],
    /// The type of the derivatives of a float.
    of_float: Type,
    refusal: Option<NoTangent>,
}

impl Builder<'_> {
    fn refuse(&mut self) {
        self.refusal.get_or_insert(NoTangent::InSeveralDirections);
    }

    /// The type of the directions of a value.
    fn directed(&mut self, ty: &Type) -> Type {
        match ty {
            Type::Float(FloatKind::F64 | FloatKind::F32 | FloatKind::Any) => self.of_float.clone(),
            Type::Float(FloatKind::Directions(_)) => unreachable!("the tangent has one direction"),
            Type::Array(element, len) => Type::Array(Rc::new(self.directed(element)), len.clone()),
            Type::Slice(element) => Type::slice(self.directed(element)),
            Type::Vec(element) => Type::vec(self.directed(element)),
            Type::Tuple(fields) if fields.len() <= LONGEST_TUPLE => {
                Type::Tuple(fields.iter().map(|field| self.directed(field)).collect())
            }
            Type::Int(_) | Type::Bool => ty.clone(),
            // What is not seen is taken for a float; where it is none, that is an error in the instance.
            Type::Unknown => self.of_float.clone(),
            Type::Float(FloatKind::Generic(_))
            | Type::Tuple(_)
            | Type::Named(_)
            | Type::Infer(_) => {
                self.refuse();
                ty.clone()
            }
        }
    }

    fn is_direction(&self, var: Var) -> bool {
        var.position() >= self.primal.vars.len() && !self.values.contains(&var)
    }

    /// The directions of what is tested.
    fn tests(&mut self, block: &mut Block) {
        each_stmt_mut(block, &mut |stmt| each_expr_mut(stmt, &mut |expr| self.tested(expr)));
    }

    fn tested(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Op(op, args) => {
                if let (Op::Tested(_), [_, slope, _, other_slope]) = (op, args.as_mut_slice()) {
                    *slope = self.direction(slope);
                    *other_slope = self.direction(other_slope);
                }
                args.iter_mut().for_each(|arg| self.tested(arg));
            }
            ExprKind::Load(place) => {
                exprs_in_place_mut(place, &mut |index| self.tested(index));
            }
            ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {}
        }
    }

    fn block(&mut self, block: &mut Block) {
        for stmt in &mut block.stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        each_block_mut(stmt, &mut |block| self.block(block));
        match &mut stmt.kind {
            StmtKind::Let { var, value: Some(value) } if self.is_direction(*var) => {
                *value = self.direction(value);
            }
            StmtKind::Assign { place, value } | StmtKind::Increment { place, value }
                if self.is_direction(place.root) =>
            {
                *value = self.direction(value);
            }
            StmtKind::Resize(Resize { list, change: Change::Extend(items), .. })
                if self.is_direction(list.root) =>
            {
                *items = self.direction(items);
                if items.ty.element().is_none() {
                    self.refuse();
                }
            }
            StmtKind::Call(Call { callee, sweep: Sweep::Tangent { .. }, args, .. }) => {
                let has_direction = args.iter().any(|arg| matches!(arg.slot, Slot::Bar(..)));
                let is_operator = matches!(callee, Callee::Operator(_));
                let is_unseen = |arg: &Arg| !is_operator && self.is_changed_unseen(arg);
                if !may_have_several(callee) || !has_direction || args.iter().any(is_unseen) {
                    self.refuse();
                }
            }
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Increment { .. }
            | StmtKind::Resize(_)
            | StmtKind::Call(_)
            | StmtKind::Swap { .. }
            | StmtKind::Bind { .. }
            | StmtKind::Opaque(_)
            | StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block { .. }
            | StmtKind::Exit { .. } => {}
            StmtKind::Reset { .. } | StmtKind::Push { .. } | StmtKind::Pop { .. } => {
                unreachable!("a tangent has no such statements")
            }
        }
    }

    /// Whether a call changes a value whose type is not seen.
    fn is_changed_unseen(&self, arg: &Arg) -> bool {
        match (&arg.kind, &arg.slot) {
            (ArgKind::Exclusive(place), Slot::Bar(..)) => !self.primal.place_type(place).is_seen(),
            (
                ArgKind::Value(_) | ArgKind::Shared(_) | ArgKind::Omitted | ArgKind::Exclusive(_),
                _,
            ) => false,
        }
    }

    /// What is not seen may be no float if it has parts.
    fn check_places(&mut self, body: &Body) {
        let mut has_parts = true;
        each_stmt(&body.block, &mut |stmt| {
            each_place(stmt, &mut |place| {
                has_parts &= !self.is_direction(place.root) || is_made_of_parts(body, place);
            });
            if let StmtKind::Resize(Resize { list, .. }) = &stmt.kind
                && self.is_direction(list.root)
            {
                has_parts &= matches!(body.place_type(list), Type::Vec(_));
            }
        });
        if !has_parts {
            self.refuse();
        }
    }

    /// What is not seen may be no float where something of another type is made of it.
    fn check_types(&mut self, body: &Body) {
        let mut is_consistent = true;
        each_stmt(&body.block, &mut |stmt| {
            is_consistent &= match &stmt.kind {
                StmtKind::Let { var, value: Some(value) } if self.is_direction(*var) => {
                    is_like(body, &body.vars[*var].ty, value)
                }
                StmtKind::Assign { place, value } | StmtKind::Increment { place, value }
                    if self.is_direction(place.root) =>
                {
                    is_like(body, &body.place_type(place), value)
                }
                StmtKind::Resize(Resize { list, change: Change::Extend(items), .. })
                    if self.is_direction(list.root) =>
                {
                    is_like(body, &body.place_type(list), items)
                }
                StmtKind::Swap { a, b } if self.is_direction(a.root) => {
                    are_alike(&body.place_type(a), &body.place_type(b))
                }
                _ => true,
            };
        });
        if !is_consistent {
            self.refuse();
        }
    }

    /// What a direction is assigned.
    fn direction(&mut self, expr: &Expr) -> Expr {
        if !expr.ty.may_carry_floats() {
            return expr.clone();
        }
        let ty = self.type_of(expr);
        let kind = match &expr.kind {
            ExprKind::Load(place) => {
                if !self.is_direction(place.root) {
                    self.refuse();
                }
                expr.kind.clone()
            }
            ExprKind::Literal(_) => {
                if expr.as_float() != Some(0.0) {
                    self.refuse();
                }
                expr.kind.clone()
            }
            // A sum of floats of either width, and what a user gives the derivative of.
            ExprKind::Op(Op::Real | Op::Cast | Op::Given | Op::Tested(_), args) => {
                return self.direction(&args[0]);
            }
            ExprKind::Op(op, args) => ExprKind::Op(op.clone(), self.operands(op, args)),
            ExprKind::Opaque(_) | ExprKind::Guard(_) => {
                self.refuse();
                expr.kind.clone()
            }
        };
        Expr { kind, ty, span: expr.span }
    }

    fn type_of(&mut self, expr: &Expr) -> Type {
        match &expr.kind {
            // Nothing but floats is added and weighted.
            ExprKind::Op(Op::Binary(_) | Op::Unary(_) | Op::Strong, _) => self.of_float.clone(),
            ExprKind::Op(..)
            | ExprKind::Load(_)
            | ExprKind::Literal(_)
            | ExprKind::Opaque(_)
            | ExprKind::Guard(_) => self.directed(&expr.ty),
        }
    }

    /// The operands of an operation: directions, and what they are weighted with.
    fn operands(&mut self, op: &Op, args: &[Expr]) -> Vec<Expr> {
        if matches!(op, Op::ToVec) && args[0].ty.element().is_none() {
            self.refuse();
        }
        let directions = match op {
            Op::Array | Op::Vec | Op::Tuple | Op::ToVec | Op::Clone | Op::Repeat(_) => {
                0..args.len()
            }
            Op::Binary(BinaryOp::Add | BinaryOp::Sub) | Op::Unary(UnaryOp::Neg) => 0..args.len(),
            Op::Binary(BinaryOp::Mul | BinaryOp::Div) | Op::Strong | Op::VecRepeat => 0..1,
            Op::Select => 1..args.len(),
            // Of the shape of a value, and of its type.
            Op::ZeroTangent => 0..0,
            Op::Binary(_)
            | Op::Unary(UnaryOp::Not)
            | Op::Method(_)
            | Op::Struct(..)
            | Op::Real
            | Op::Cast
            | Op::Given
            | Op::Tested(_)
            | Op::Len
            | Op::Shape
            | Op::ZeroBar
            | Op::Placeholder => {
                self.refuse();
                0..0
            }
        };
        let operands = args.iter().enumerate().map(|(position, arg)| {
            if directions.contains(&position) { self.direction(arg) } else { arg.clone() }
        });
        operands.collect()
    }
}

/// Whether directions are of a type, and so are the parts that they are made of. What a variable holds is of its type, whatever is known of
/// the value elsewhere.
fn is_like(body: &Body, ty: &Type, directions: &Expr) -> bool {
    let (op, args) = match &directions.kind {
        ExprKind::Load(place) => return are_alike(ty, &body.place_type(place)),
        ExprKind::Op(op, args) => (op, args),
        ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {
            return are_alike(ty, &directions.ty);
        }
    };
    let element = || ty.element().cloned().unwrap_or(Type::Unknown);
    match (op, ty) {
        (Op::Array | Op::Vec, _) => args.iter().all(|arg| is_like(body, &element(), arg)),
        (Op::Repeat(_) | Op::VecRepeat, _) => is_like(body, &element(), &args[0]),
        (Op::Tuple, Type::Tuple(fields)) if fields.len() == args.len() => {
            fields.iter().zip(args).all(|(field, arg)| is_like(body, field, arg))
        }
        (Op::Tuple, _) => false,
        (Op::Select, _) => args[1..].iter().all(|arg| is_like(body, ty, arg)),
        (Op::Clone | Op::ToVec, _) => is_like(body, ty, &args[0]),
        _ => are_alike(ty, &directions.ty),
    }
}

/// Whether two types are the same, apart from the kinds of lists.
fn are_alike(left: &Type, right: &Type) -> bool {
    match (left, right) {
        (Type::Float(_), Type::Float(_)) => true,
        (Type::Tuple(left), Type::Tuple(right)) => {
            left.len() == right.len()
                && left.iter().zip(right.iter()).all(|(left, right)| are_alike(left, right))
        }
        (left, right) if left.is_discrete() && right.is_discrete() => true,
        (left, right) => match (left.element(), right.element()) {
            (Some(left), Some(right)) => are_alike(left, right),
            _ => false,
        },
    }
}

/// Whether a place is a part of its variable, as far as the types of directions tell.
fn is_made_of_parts(body: &Body, place: &Place) -> bool {
    let mut ty = body.vars[place.root].ty.clone();
    place.projections.iter().all(|step| {
        let part = match (step, &ty) {
            (Projection::Field(name), Type::Tuple(fields)) => {
                name.parse().ok().and_then(|position: usize| fields.get(position).cloned())
            }
            (Projection::Field(_), _) => None,
            (Projection::Index(_), ty) => ty.element().cloned(),
            (Projection::Slice { .. }, ty) => ty.element().cloned().map(Type::slice),
        };
        let is_part = part.is_some();
        ty = part.unwrap_or(Type::Unknown);
        is_part
    })
}

/// Whether a callee may have tangents in several directions. One that has none has other type parameters, so that none must be
/// written.
fn may_have_several(callee: &Callee) -> bool {
    match callee {
        Callee::Function(path) | Callee::Associated(path) => !has_arguments(path),
        Callee::Method(_) | Callee::Operator(_) => true,
        Callee::Derivative(..) | Callee::Given => false,
    }
}

/// Whether generic arguments are written for the function at a path, behind its name.
fn has_arguments(path: &TokenStream) -> bool {
    let last = path.clone().into_iter().last();
    last.is_some_and(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '>'))
}
