//! The tangent of a body: every float is followed by its directional derivative.
//!
//! Each assignment is preceded by that of its tangent, `lhs_d = Σ ∂e/∂u · u_d`, which reads the values
//! as they are before it. Singular partials are applied strongly, as in the adjoint: a direction of 0
//! contributes 0.

use crate::index::{IndexVec, Var};
use crate::ir::{
    Arg, ArgKind, BinaryOp, Binding, Block, Body, Call, Change, Condition, Expr, ExprKind, Kept,
    Loop, LoopKind, Op, Place, Range, Resize, Slot, Stmt, StmtKind, Sweep, Target, Through,
    UnaryOp, View, given_partials,
};
use crate::rules;
use crate::types::Type;
use proc_macro2::Span;
use std::rc::Rc;

/// The tangent of a body. Its parameters are those of the body, each that may carry floats followed
/// by its direction; what it returns besides the result is the tangent of the result.
pub fn tangent(body: &Body) -> Body {
    let mut builder = Tangent {
        out: body.clone(),
        tangents: IndexVec::filled(None, body.vars.len()),
        aside: Vec::new(),
    };
    let mut params = Vec::new();
    for &param in &body.params {
        params.push(param);
        params.extend(builder.tangent_of(param));
    }
    builder.out.params = params;
    let tangent = body.result.and_then(|result| builder.tangent_of(result));
    let when = Condition::always(body.pairs());
    builder.out.kept = tangent.map(|var| Kept { var, when }).into_iter().collect();
    let result: Vec<Stmt> = builder.declare_result().into_iter().collect();
    let mut block = builder.block(&body.block);
    block.stmts.splice(0..0, result);
    builder.out.block = block;
    builder.out
}

struct Tangent {
    out: Body,
    tangents: IndexVec<Var, Option<Var>>,
    /// Values put aside for the current statement.
    aside: Vec<Stmt>,
}

impl Tangent {
    fn tangent_of(&mut self, var: Var) -> Option<Var> {
        if let Some(Some(tangent)) = self.tangents.get(var) {
            return Some(*tangent);
        }
        let variable = self.out.vars[var].clone();
        if !variable.ty.may_carry_floats() {
            return None;
        }
        let binding = match &variable.binding {
            Binding::View(view) => {
                let root = self.tangent_of(view.place.root)?;
                let place = view.place.rooted_at(root);
                let through = view.through.and_then(|through| {
                    let view = self.tangent_of(through.view)?;
                    Some(Through { view, ..through })
                });
                Binding::View(Rc::new(View { place, mutable: view.mutable, through }))
            }
            Binding::Global(_) => return None,
            binding => binding.clone(),
        };
        let hint = format!("{}_d", variable.name);
        let tangent = self.out.variable(&hint, variable.ty, binding, variable.span);
        self.tangents[var] = Some(tangent);
        Some(tangent)
    }

    fn declare_result(&mut self) -> Option<Stmt> {
        let var = self.out.kept.first()?.var;
        let value = Expr::placeholder(&self.out.vars[var].ty);
        Some(self.out.stmt(StmtKind::Let { var, value }, Span::call_site()))
    }

    fn block(&mut self, block: &Block) -> Block {
        let mut stmts = Vec::new();
        for stmt in &block.stmts {
            let tangent = self.stmt(stmt);
            stmts.append(&mut self.aside);
            stmts.extend(tangent);
        }
        Block { scope: block.scope, stmts }
    }

    /// The statement with its tangent.
    fn stmt(&mut self, stmt: &Stmt) -> Vec<Stmt> {
        let span = stmt.span;
        let kind = match &stmt.kind {
            StmtKind::Let { var, value } => {
                let Some(tangent) = self.tangent_of(*var) else { return vec![stmt.clone()] };
                let value = value.as_ref().map(|value| self.derivative(value));
                StmtKind::Let { var: tangent, value }
            }
            StmtKind::Assign { place, value } => {
                let Some(tangent) = self.tangent_of(place.root) else { return vec![stmt.clone()] };
                let value = self.derivative(value);
                StmtKind::Assign { place: place.rooted_at(tangent), value }
            }
            StmtKind::Resize(Resize { list, change, len: _ }) => {
                let Some(tangent) = self.tangent_of(list.root) else { return vec![stmt.clone()] };
                let change = match change {
                    Change::Extend(items) => Change::Extend(self.derivative(items)),
                    Change::Truncate(rest) => Change::Truncate(rest.clone()),
                };
                StmtKind::Resize(Resize { list: list.rooted_at(tangent), change, len: None })
            }
            StmtKind::Swap { a, b } => {
                let tangents = (self.tangent_of(a.root), self.tangent_of(b.root));
                let (Some(of_a), Some(of_b)) = tangents else { return vec![stmt.clone()] };
                StmtKind::Swap { a: a.rooted_at(of_a), b: b.rooted_at(of_b) }
            }
            StmtKind::Bind { view } => {
                let Some(view) = self.tangent_of(*view) else { return vec![stmt.clone()] };
                StmtKind::Bind { view }
            }
            StmtKind::Call(call) => {
                let kind = StmtKind::Call(self.call(call));
                return vec![Stmt { kind, ..stmt.clone() }];
            }
            StmtKind::If { test, then, otherwise } => {
                let (then, otherwise) = (self.block(then), self.block(otherwise));
                let kind = StmtKind::If { test: test.clone(), then, otherwise };
                return vec![Stmt { kind, ..stmt.clone() }];
            }
            StmtKind::Loop(inner) => {
                let body = self.block(&inner.body);
                let kind = StmtKind::Loop(Loop { body, ..inner.clone() });
                return vec![Stmt { kind, ..stmt.clone() }];
            }
            StmtKind::Block { target, body } => {
                let kind = StmtKind::Block { target: target.clone(), body: self.block(body) };
                return vec![Stmt { kind, ..stmt.clone() }];
            }
            StmtKind::Opaque(_) | StmtKind::Exit { .. } => return vec![stmt.clone()],
            StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => unreachable!("a primal has no sweep statements"),
        };
        vec![self.out.stmt(kind, span), stmt.clone()]
    }

    fn call(&mut self, call: &Call) -> Call {
        let always = Condition::always(self.out.pairs().max(1));
        let mut args = Vec::new();
        for Arg { kind, slot: _ } in &call.args {
            let place = match kind {
                ArgKind::Value(value) => value.as_place(),
                ArgKind::Shared(place) | ArgKind::Exclusive(place) => Some(place),
                ArgKind::Omitted => unreachable!("a primal has no sweep statements"),
            };
            let tangent =
                place.and_then(|place| Some(place.rooted_at(self.tangent_of(place.root)?)));
            let slot = tangent.map_or(Slot::Passive, |place| Slot::Bar(place, always.clone()));
            args.push(Arg { kind: kind.clone(), slot });
        }
        let result = call.result.and_then(|result| self.tangent_of(result));
        Call { args, sweep: Sweep::Tangent { result }, ..call.clone() }
    }

    /// The tangent of an expression.
    fn derivative(&mut self, expr: &Expr) -> Expr {
        let zero = || Expr::zero(expr.ty.clone());
        if !expr.ty.may_carry_floats() {
            // A discrete part of an aggregate is copied.
            return expr.clone();
        }
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Guard(_) => zero(),
            ExprKind::Opaque(_) => Expr::placeholder(&expr.ty).unwrap_or_else(|| expr.clone()),
            ExprKind::Load(place) => match self.tangent_of(place.root) {
                Some(tangent) => {
                    Expr { kind: ExprKind::Load(place.rooted_at(tangent)), ..expr.clone() }
                }
                None => Expr::placeholder(&expr.ty).unwrap_or_else(zero),
            },
            ExprKind::Op(op, args) => self.derivative_of_operation(expr, op, args),
        }
    }

    fn derivative_of_operation(&mut self, expr: &Expr, op: &Op, args: &[Expr]) -> Expr {
        let same = |op: &Op, args| Expr { kind: ExprKind::Op(op.clone(), args), ..expr.clone() };
        match op {
            Op::Cast if !args[0].ty.may_carry_floats() => Expr::zero(expr.ty.clone()),
            Op::Array
            | Op::Vec
            | Op::Tuple
            | Op::Struct(..)
            | Op::ToVec
            | Op::Clone
            | Op::Real
            | Op::Cast => same(op, args.iter().map(|arg| self.derivative(arg)).collect()),
            Op::Repeat(_) => same(op, vec![self.derivative(&args[0])]),
            Op::VecRepeat => same(op, vec![self.derivative(&args[0]), args[1].clone()]),
            Op::Select => {
                let branches = args[1..].iter().map(|arg| self.derivative(arg));
                same(op, [args[0].clone()].into_iter().chain(branches).collect())
            }
            Op::Unary(_) | Op::Binary(_) | Op::Method(_) => self.elementary(expr, op, args),
            Op::Given => self.given(args),
            Op::Len | Op::Shape | Op::ZeroBar | Op::Placeholder => expr.clone(),
        }
    }

    fn elementary(&mut self, expr: &Expr, op: &Op, args: &[Expr]) -> Expr {
        let zero = Expr::zero(expr.ty.clone());
        let Some(rule) = rules::rule_of(op) else { return zero };
        let mut sum: Option<Expr> = None;
        for (position, arg) in args.iter().enumerate() {
            let Some(partial) = rule.partial(position) else { continue };
            let mut direction = self.derivative(arg);
            if direction.as_float() == Some(0.0) {
                continue;
            }
            let is_singular = rule.is_singular(partial, args);
            if is_singular && direction.as_var().is_none() {
                direction = self.name("d", direction);
            }
            let factor = rule.instantiate(partial, args, expr);
            let mut term = super::assignment::apply(&direction, &factor);
            if is_singular {
                term = super::assignment::strongly(&direction, term);
            }
            sum = Some(match (sum, &term.kind) {
                (None, _) => term,
                (Some(sum), ExprKind::Op(Op::Unary(UnaryOp::Neg), inner)) => {
                    Expr::binary(BinaryOp::Sub, sum, inner[0].clone())
                }
                (Some(sum), _) => Expr::binary(BinaryOp::Add, sum, term),
            });
        }
        sum.unwrap_or(zero)
    }

    /// The tangent of a value whose partials the user gives.
    fn given(&mut self, args: &[Expr]) -> Expr {
        let mut sum = self.derivative(&args[0]);
        for (partial, arg) in given_partials(args) {
            let Some(element) = arg.ty.element().cloned() else {
                let direction = self.derivative(arg);
                let term = weighted(direction, partial.clone());
                sum = Expr::binary(BinaryOp::Add, sum, term);
                continue;
            };
            let (direction, partials) = (self.derivative(arg), partial.as_place().cloned());
            let (Some(list), Some(partials)) = (direction.as_place().cloned(), partials) else {
                continue;
            };
            let total = self.name("sum", Expr::zero(element.clone())).as_var();
            let total = total.expect("what was named has a name");
            let (span, var) = (arg.span, self.out.local("k", Type::USIZE, arg.span));
            let load =
                |place: &Place, index: Expr| Expr::load(place.index(index), element.clone(), span);
            let index = self.out.load(var);
            let value = weighted(load(&list, index.clone()), load(&partials, index));
            let place = Place::var(total);
            let add = self.out.stmt(StmtKind::Increment { place, value }, span);
            let body = self.out.new_block(vec![add]);
            let end = Expr::op(Op::Len, vec![arg.clone()], Type::USIZE);
            let range =
                Range { start: Expr::usize(0), end, inclusive: false, adaptors: Vec::new() };
            let target = Target { label: self.out.numbering.label(), exit: None };
            let kind = LoopKind::Counted { var, range };
            let repetition = Loop { target, kind, trips: None, body };
            let repetition = self.out.stmt(StmtKind::Loop(repetition), span);
            self.aside.push(repetition);
            sum = Expr::binary(BinaryOp::Add, sum, self.out.load(total));
        }
        sum
    }

    fn name(&mut self, hint: &str, value: Expr) -> Expr {
        let span = value.span;
        let var = self.out.local(hint, value.ty.clone(), span);
        let stmt = self.out.stmt(StmtKind::Let { var, value: Some(value) }, span);
        self.aside.push(stmt);
        self.out.load(var)
    }
}

/// What a direction contributes, weighted with a partial that may be infinite.
fn weighted(direction: Expr, partial: Expr) -> Expr {
    let product = Expr::binary(BinaryOp::Mul, direction.clone(), partial);
    super::assignment::strongly(&direction, product)
}
