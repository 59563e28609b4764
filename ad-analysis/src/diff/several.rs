//! The tangent in several directions at once: one evaluation of the function serves them all.
//!
//! It is the tangent in which the derivative of a float is of another type, a type parameter that stands for the derivatives in
//! all directions. They are added, and weighted with floats; that is all that a tangent does with them, so that no statement changes.

use super::no_tangent::NoTangent;
use super::tangent::Tangent;
use crate::index::{BitSet, Var};
use crate::ir::{
    Arg, ArgKind, BinaryOp, Block, Body, Call, Callee, Change, Derivative, Expr, ExprKind, Op,
    Place, Projection, Resize, Slot, Stmt, StmtKind, Sweep, UnaryOp, each_block_mut, each_expr,
    each_expr_mut, each_place, each_stmt, each_stmt_mut, exprs_in_place_mut,
};
use crate::types::{FloatKind, Type};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::HashMap;
use std::rc::Rc;

/// Tuples of more parts have no tangents in the runtime.
const LONGEST_TUPLE: usize = 8;

/// The tangent in several directions. `primal` is what it is the tangent of.
pub fn in_several_directions(tangent: &Tangent, primal: &Body) -> Tangent {
    let mut names = tangent.body.names.clone();
    let parameter: Rc<str> = names.fresh("Directions").into();
    let mut body = tangent.body.clone();
    let mut builder = Builder::new(primal, tangent.holding_directions(primal), &parameter);
    builder.variables(&mut body);
    builder.tests(&mut body.block);
    for var in
        tangent.directions.iter().flatten().copied().chain(body.kept.iter().map(|kept| kept.var))
    {
        // Callers find directions by their types.
        if !tangent.body.vars[var].ty.is_seen() {
            builder.refuse();
        }
    }
    builder.body(&mut body);
    let unpassed = tangent.unpassed.iter().zip(&tangent.directions);
    let unpassed = unpassed.map(|(zero, direction)| {
        zero.as_ref().filter(|_| direction.is_some()).map(|zero| builder.direction(zero))
    });
    let unpassed = unpassed.collect();
    let several = builder.is_refused.then_some(NoTangent::InSeveralDirections);
    let refusal = tangent.refusal.or(several);
    let directions = tangent.directions.clone();
    let unseen = tangent.unseen;
    Tangent {
        body,
        directions,
        unpassed,
        refusal,
        tangents: tangent.tangents.clone(),
        values: tangent.values.clone(),
        unseen,
        traced: None,
        several: Some(parameter),
    }
}

/// Gives the derivatives in a body another type.
pub(super) struct Builder<'a> {
    primal: &'a Body,
    /// The variables that hold derivatives.
    pub(super) directions: BitSet<Var>,
    /// Pairs, and which part of them holds some.
    pub(super) pairs: HashMap<Var, [bool; 2]>,
    /// The type of the derivatives of a float.
    of_float: Type,
    /// Whether there is something that cannot be of that type.
    pub(super) is_refused: bool,
}

impl<'a> Builder<'a> {
    /// `parameter` is the type parameter that stands for the derivatives of a float.
    pub(super) fn new(primal: &'a Body, directions: BitSet<Var>, parameter: &Rc<str>) -> Self {
        let of_float = Type::Float(FloatKind::Directions(parameter.clone()));
        Self { primal, directions, pairs: HashMap::new(), of_float, is_refused: false }
    }

    pub(super) fn refuse(&mut self) {
        self.is_refused = true;
    }

    /// The variables that hold derivatives.
    pub(super) fn variables(&mut self, body: &mut Body) {
        for var in self.directions.iter().collect::<Vec<_>>() {
            let variable = &mut body.vars[var];
            variable.ty = self.directed(&variable.ty);
            variable.declared = None;
            // What is taken for a float is one, of some width: rustc is made to prove it.
            if variable.assumed && !variable.ty.is_float() {
                self.refuse();
            }
            variable.assumed = false;
        }
        for (&var, &holds) in &self.pairs.clone() {
            let Type::Tuple(parts) = body.vars[var].ty.clone() else {
                self.refuse();
                continue;
            };
            let part = |(ty, holds): (&Type, _)| if holds { self.directed(ty) } else { ty.clone() };
            body.vars[var].ty = Type::Tuple(parts.iter().zip(holds).map(part).collect());
            body.vars[var].declared = None;
        }
    }

    /// The statements of a body whose variables are of their types.
    pub(super) fn body(&mut self, body: &mut Body) {
        self.block(&mut body.block);
        self.check_places(body);
        self.check_types(body);
    }

    /// The type of the directions of a value.
    fn directed(&mut self, ty: &Type) -> Type {
        match ty {
            Type::Float(FloatKind::F64 | FloatKind::F32 | FloatKind::Open(_)) => {
                self.of_float.clone()
            }
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
        self.directions.contains(var)
    }

    /// Whether there are derivatives at a place.
    pub(super) fn holds(&self, place: &Place) -> bool {
        let of_pair = self.pairs.get(&place.root).map(|parts| match place.projections.first() {
            Some(Projection::Field(name)) => match &**name {
                "0" => parts[0],
                _ => parts[1],
            },
            Some(_) | None => true,
        });
        of_pair.unwrap_or(false) || self.is_direction(place.root)
    }

    /// Whether a value is made of derivatives.
    pub(super) fn is_linear(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Load(place) => self.holds(place),
            ExprKind::Op(Op::Len | Op::Shape | Op::ZeroBar | Op::ZeroTangent, _) => false,
            ExprKind::Op(Op::Select, args) => args[1..].iter().any(|arg| self.is_linear(arg)),
            ExprKind::Op(_, args) => args.iter().any(|arg| self.is_linear(arg)),
            ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => false,
        }
    }

    /// Whether derivatives are read as a number, in a body whose variables are of their types.
    pub(super) fn reads_as_float(&self, body: &Body) -> bool {
        let mut found = false;
        each_stmt(&body.block, &mut |stmt| {
            each_expr(stmt, &mut |expr| found |= self.is_read_as_float(expr));
        });
        found
    }

    fn is_read_as_float(&self, expr: &Expr) -> bool {
        match &expr.kind {
            // The length of a list does not depend on what is in it.
            ExprKind::Op(Op::Len, _) => false,
            ExprKind::Op(_, args) => args.iter().any(|arg| self.is_read_as_float(arg)),
            ExprKind::Load(place) => {
                let is_whole_pair = place.is_whole() && self.pairs.contains_key(&place.root);
                let is_float = expr.ty.may_carry_floats() && !expr.ty.holds_several();
                is_whole_pair || self.holds(place) && is_float
            }
            ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => false,
        }
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
            StmtKind::Let { var, value: Some(value) } if self.pairs.contains_key(var) => {
                self.pair(self.pairs[var], value);
            }
            StmtKind::Assign { place, value }
                if place.is_whole() && self.pairs.contains_key(&place.root) =>
            {
                self.pair(self.pairs[&place.root], value);
            }
            StmtKind::Assign { place, value } | StmtKind::Increment { place, value }
                if self.holds(place) =>
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
                let is_operator = matches!(
                    callee,
                    Callee::Operator(_) | Callee::DirectedOperator(_) | Callee::Conversion(_)
                );
                let is_unseen = |arg: &Arg| !is_operator && self.is_changed_unseen(arg);
                if !may_have_several(callee) || !has_direction || args.iter().any(is_unseen) {
                    self.refuse();
                }
            }
            StmtKind::Call(Call { callee, sweep: Sweep::Backward { .. }, args, .. }) => {
                if !may_have_several_seeds(callee, args) {
                    self.refuse();
                }
            }
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Resize(_)
            | StmtKind::Call(_)
            | StmtKind::Swap { .. }
            | StmtKind::Bind { .. }
            | StmtKind::Opaque(_)
            | StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block { .. }
            | StmtKind::Exit { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => {}
        }
    }

    /// What a pair is assigned.
    fn pair(&mut self, holds: [bool; 2], value: &mut Expr) {
        let ExprKind::Op(Op::Tuple, parts) = &mut value.kind else {
            self.refuse();
            return;
        };
        for (part, holds) in parts.iter_mut().zip(holds) {
            if holds {
                *part = self.direction(part);
            }
        }
        value.ty = Type::Tuple(parts.iter().map(|part| part.ty.clone()).collect());
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
    pub(super) fn direction(&mut self, expr: &Expr) -> Expr {
        if !expr.ty.may_carry_floats() {
            return expr.clone();
        }
        if let Some(strong) = self.as_strong(expr) {
            return self.direction(&strong);
        }
        let ty = self.type_of(expr);
        let kind = match &expr.kind {
            ExprKind::Load(place) => {
                if !self.holds(place) {
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
            ExprKind::Op(Op::Real | Op::Number | Op::Cast | Op::Given | Op::Tested(_), args) => {
                return self.direction(&args[0]);
            }
            // A weight may come first.
            ExprKind::Op(Op::Binary(BinaryOp::Mul), args)
                if !self.is_linear(&args[0]) && self.is_linear(&args[1]) =>
            {
                let args = vec![args[1].clone(), args[0].clone()];
                let kind = ExprKind::Op(Op::Binary(BinaryOp::Mul), args);
                return self.direction(&Expr { kind, ..expr.clone() });
            }
            ExprKind::Op(op, args) => ExprKind::Op(op.clone(), self.operands(op, args, &ty)),
            ExprKind::Opaque(_) | ExprKind::Guard(_) => {
                self.refuse();
                expr.kind.clone()
            }
        };
        Expr { kind, ty, span: expr.span }
    }

    /// A bar that contributes 0 where it is 0, whatever the partial: what is asked is asked of each of several.
    fn as_strong(&self, expr: &Expr) -> Option<Expr> {
        let ExprKind::Op(Op::Select, args) = &expr.kind else { return None };
        let ExprKind::Op(Op::Binary(BinaryOp::Eq), sides) = &args[0].kind else { return None };
        let bar = &sides[0];
        let is_bar = |bar: &Expr| bar.as_place().is_some_and(|place| self.holds(place));
        let is_of_bar = match &bar.kind {
            ExprKind::Op(Op::Unary(UnaryOp::Neg), args) => is_bar(&args[0]),
            _ => is_bar(bar),
        };
        // The bar may be a number, and what it is a bar of be weighted with derivatives.
        let is_weighted = |bar| !self.is_linear(bar) && self.is_linear(&args[2]);
        let is_zero = |expr: &Expr| match &expr.kind {
            ExprKind::Op(Op::Binary(BinaryOp::Sub), args) => args[0] == *bar && args[1] == *bar,
            _ => expr.as_float() == Some(0.0),
        };
        let is_strong = (is_of_bar || is_weighted(bar)) && is_zero(&sides[1]) && is_zero(&args[1]);
        is_strong.then(|| strong_product(bar, &args[2])).flatten()
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
    fn operands(&mut self, op: &Op, args: &[Expr], ty: &Type) -> Vec<Expr> {
        if matches!(op, Op::ToVec) && args[0].ty.element().is_none() {
            self.refuse();
        }
        let directions = match op {
            Op::Array | Op::Vec | Op::Tuple | Op::ToVec | Op::Clone | Op::Repeat(_) => {
                0..args.len()
            }
            Op::Binary(BinaryOp::Add | BinaryOp::Sub) | Op::Unary(UnaryOp::Neg) => 0..args.len(),
            Op::Strong if !self.is_linear(&args[0]) && self.is_linear(&args[1]) => 1..2,
            Op::Binary(BinaryOp::Mul | BinaryOp::Div) | Op::Strong | Op::VecRepeat => 0..1,
            Op::Select => 1..args.len(),
            // Of the shape of a value, and of its type.
            Op::ZeroTangent => 0..0,
            Op::ZeroBar => {
                if !ty.is_seen() {
                    self.refuse();
                }
                0..0
            }
            Op::Binary(_)
            | Op::Unary(UnaryOp::Not)
            | Op::Method(_)
            | Op::Standard(_)
            | Op::Called(_)
            | Op::Decided(_)
            | Op::Boxed
            | Op::Struct(..)
            | Op::Real
            | Op::Number
            | Op::Direction
            | Op::Cast
            | Op::Given
            | Op::FromBits
            | Op::Spacing
            | Op::Unclear(_)
            | Op::Tested(_)
            | Op::Traced(_)
            | Op::TracedStrong
            | Op::Len
            | Op::Shape
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

/// A bar times a factor, by the operation that makes a bar of 0 contribute 0, from the form of [`Expr::weighted`].
fn strong_product(bar: &Expr, product: &Expr) -> Option<Expr> {
    if product.as_float() == Some(0.0) || product == bar {
        return Some(product.clone());
    }
    let ExprKind::Op(op, args) = &product.kind else { return None };
    let strong = |factor: Expr| Expr {
        kind: ExprKind::Op(Op::Strong, vec![bar.clone(), factor]),
        ..product.clone()
    };
    let with = |args| Expr { kind: ExprKind::Op(op.clone(), args), ..product.clone() };
    match op {
        Op::Binary(BinaryOp::Mul) if args[0] == *bar => Some(strong(args[1].clone())),
        Op::Binary(BinaryOp::Div) if args[0] == *bar => {
            let one = Expr::literal("1.0", args[1].ty.clone());
            Some(strong(Expr::binary(BinaryOp::Div, one, args[1].clone())))
        }
        // Divided before it is multiplied, as one derivative is.
        Op::Binary(BinaryOp::Mul) if is_divided(&args[0], bar) => {
            let divided = strong_product(bar, &args[0])?;
            let kind = ExprKind::Op(Op::Strong, vec![divided, args[1].clone()]);
            Some(Expr { kind, ..product.clone() })
        }
        Op::Unary(UnaryOp::Neg) => Some(with(vec![strong_product(bar, &args[0])?])),
        Op::Select => {
            let [then, otherwise] = [&args[1], &args[2]].map(|arg| strong_product(bar, arg));
            Some(with(vec![args[0].clone(), then?, otherwise?]))
        }
        _ => None,
    }
}

/// `bar / b`.
fn is_divided(expr: &Expr, bar: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Op(Op::Binary(BinaryOp::Div), args) if args[0] == *bar)
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
            (Projection::Field(_) | Projection::Boxed | Projection::Got { .. }, _) => None,
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
        Callee::Method(_)
        | Callee::Operator(_)
        | Callee::DirectedOperator(_)
        | Callee::Conversion(_) => true,
        Callee::Derivative(..) | Callee::Given => false,
    }
}

/// The same of the backward sweep for several seeds. That of a method that changes its receiver is found by the bar of that.
fn may_have_several_seeds(callee: &Callee, args: &[Arg]) -> bool {
    match callee {
        Callee::Function(path) | Callee::Associated(path) => !has_arguments(path),
        Callee::Method(_) => args.first().is_some_and(|receiver| match receiver.kind {
            ArgKind::Shared(_) | ArgKind::Value(_) => true,
            ArgKind::Exclusive(_) | ArgKind::Omitted => false,
        }),
        // In second derivatives.
        Callee::Derivative(Derivative::Directed, path) => !has_arguments(path),
        Callee::Operator(_)
        | Callee::DirectedOperator(_)
        | Callee::Conversion(_)
        | Callee::Derivative(..)
        | Callee::Given => false,
    }
}

/// Whether generic arguments are written for the function at a path, behind its name.
pub(super) fn has_arguments(path: &TokenStream) -> bool {
    let last = path.clone().into_iter().last();
    last.is_some_and(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '>'))
}
