//! What no program does that rustc accepts, as far as the types are known. In what has just been lowered it
//! is the user's mistake, in anything else that of a phase:
//!
//! 1. Globals, `&` parameters and loop variables are never written.
//! 2. Conditions are truth values, indices and bounds integers; a value has the type of the place
//!    it is assigned to, the operand of an operator that of its value.

use super::print::{print_expr, print_stmt_line};
use super::syntax::*;
use super::values::*;
use super::visit::{each_expr, each_place, each_stmt, places_in};
use crate::index::{BitSet, Var};
use crate::types::{FloatKind, IntKind, Number, Type};
use proc_macro2::Span;

const SOME_INTEGER: Type = Type::Int(IntKind::Open(Number(0)));

/// A statement that contradicts the types of what it mentions.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// The statement.
    pub span: Span,
    /// What is wrong with it.
    pub message: String,
}

/// All contradictions in a body.
pub fn contradictions(body: &Body) -> Vec<Contradiction> {
    let mut search = Search { body, found: Vec::new(), fixed: BitSet::new() };
    for (var, variable) in body.vars.enumerated() {
        if matches!(variable.binding, Binding::Global(_) | Binding::Shared) {
            search.fixed.insert(var);
        }
    }
    each_stmt(&body.block, &mut |stmt| {
        if let StmtKind::Loop(Loop { kind: LoopKind::Counted { var, range: _ }, .. }) = &stmt.kind {
            search.fixed.insert(*var);
        }
    });
    each_stmt(&body.block, &mut |stmt| {
        search.writes(stmt);
        search.values(stmt);
        search.steps(stmt);
        each_expr(stmt, &mut |expr| search.operands(stmt, expr));
    });
    search.found
}

struct Search<'a> {
    body: &'a Body,
    found: Vec<Contradiction>,
    /// Variables that must not be written.
    fixed: BitSet<Var>,
}

impl Search<'_> {
    fn report(&mut self, stmt: &Stmt, message: &str) {
        let message = format!("{message} in `{}`", print_stmt_line(self.body, stmt));
        self.found.push(Contradiction { span: stmt.span, message });
    }

    fn writes(&mut self, stmt: &Stmt) {
        let written = match &stmt.kind {
            StmtKind::Assign { place, .. }
            | StmtKind::Increment { place, .. }
            | StmtKind::Reset { place }
            | StmtKind::Pop { place, .. } => vec![self.body.root_of(place)],
            StmtKind::Resize(resize) => vec![self.body.root_of(&resize.list)],
            StmtKind::Swap { a, b } => vec![self.body.root_of(a), self.body.root_of(b)],
            StmtKind::Call(call) => {
                let exclusive = call.args.iter().filter_map(|arg| match &arg.kind {
                    ArgKind::Exclusive(place) => Some(self.body.root_of(place)),
                    ArgKind::Value(_) | ArgKind::Shared(_) | ArgKind::Omitted => None,
                });
                exclusive.collect()
            }
            _ => Vec::new(),
        };
        for var in written {
            if self.fixed.contains(var) {
                let variable = &self.body.vars[var];
                let name = match &variable.binding {
                    Binding::Global(path) => path.to_string().replace(' ', ""),
                    Binding::Value | Binding::Shared | Binding::Exclusive | Binding::View(_) => {
                        variable.name.clone()
                    }
                };
                self.report(stmt, &format!("`{name}` cannot be written"));
            }
        }
    }

    fn values(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { var, value: Some(value) } => {
                let ty = self.body.vars[*var].ty.clone();
                self.same_type(stmt, &ty, value);
            }
            StmtKind::Assign { place, value } | StmtKind::Increment { place, value } => {
                let ty = self.body.place_type(place);
                self.same_type(stmt, &ty, value);
            }
            StmtKind::Resize(Resize { list, change, len: _ }) => match change {
                Change::Extend(items) => {
                    let ty = self.body.place_type(list);
                    self.same_type(stmt, &ty, items);
                }
                Change::Truncate(rest) => self.same_type(stmt, &Type::USIZE, rest),
            },
            StmtKind::Swap { a, b } => {
                let ty = self.body.place_type(a);
                let other = Expr::load(b.clone(), self.body.place_type(b), stmt.span);
                self.same_type(stmt, &ty, &other);
            }
            StmtKind::If { test, .. } => self.same_type(stmt, &Type::Bool, test),
            StmtKind::Loop(Loop { kind: LoopKind::While { test }, .. }) => {
                self.same_type(stmt, &Type::Bool, test);
            }
            StmtKind::Loop(Loop { kind: LoopKind::Counted { range, .. }, .. }) => {
                for bound in range.operands() {
                    self.same_type(stmt, &SOME_INTEGER, bound);
                }
            }
            _ => {}
        }
    }

    /// Elements are elements of lists, with an integer for a position; fields are parts of what has some.
    fn steps(&mut self, stmt: &Stmt) {
        let mut places = Vec::new();
        let mut collect = |place: &Place| places.push(place.clone());
        each_place(stmt, &mut collect);
        each_expr(stmt, &mut |expr| places_in(expr, &mut collect));
        if let StmtKind::Bind { view } = stmt.kind {
            places.push(self.body.resolve(&Place::var(view)));
        }
        for place in places {
            let mut from = Place::var(place.root);
            for step in &place.projections {
                let ty = self.body.place_type(&from);
                let is_known = !matches!(ty, Type::Unknown | Type::Named(_));
                let (fits, positions) = match step {
                    Projection::Index(index) => (ty.element().is_some(), vec![index]),
                    Projection::Slice { start, end } => {
                        (ty.element().is_some(), start.iter().chain(end).collect())
                    }
                    Projection::Field(_) => (matches!(ty, Type::Tuple(_)), Vec::new()),
                    Projection::Boxed | Projection::Got { .. } => (false, Vec::new()),
                };
                if is_known && !fits {
                    self.report(stmt, &format!("a part of {ty}"));
                }
                for position in positions {
                    self.operands(stmt, position);
                    self.same_type(stmt, &SOME_INTEGER, position);
                }
                from.projections.push(step.clone());
            }
        }
    }

    /// The operands of arithmetic and the elements of lists.
    fn operands(&mut self, stmt: &Stmt, expr: &Expr) {
        if let ExprKind::Load(place) = &expr.kind {
            let ty = self.body.place_type(place);
            self.same_type(stmt, &ty, expr);
        }
        let ExprKind::Op(op, args) = &expr.kind else { return };
        args.iter().for_each(|arg| self.operands(stmt, arg));
        let (expected, args) = match op {
            Op::Unary(UnaryOp::Neg | UnaryOp::Not) => (expr.ty.clone(), args.as_slice()),
            Op::Binary(op) if op.is_arithmetic() => (expr.ty.clone(), args.as_slice()),
            Op::Cast => {
                for arg in args.iter().filter(|arg| is_aggregate(&arg.ty)) {
                    self.report(stmt, &format!("a cast of {}", arg.ty));
                }
                return;
            }
            Op::Method(name) => {
                if let ("powi", Some(exponent)) = (&**name, args.get(1)) {
                    self.same_type(stmt, &Type::Int(IntKind::Named("i32")), exponent);
                }
                match (&expr.ty, &**name) {
                    (Type::Float(_), "powi") => (expr.ty.clone(), &args[..1]),
                    (Type::Float(_), _) => (expr.ty.clone(), args.as_slice()),
                    _ => return,
                }
            }
            Op::Array | Op::Vec => match &expr.ty {
                Type::Array(element, _) | Type::Vec(element) => {
                    (Type::clone(element), args.as_slice())
                }
                _ => return,
            },
            Op::Repeat(_) | Op::VecRepeat => match (&expr.ty, args.split_first()) {
                (Type::Array(element, _) | Type::Vec(element), Some((_, length))) => {
                    length.iter().for_each(|length| self.same_type(stmt, &Type::USIZE, length));
                    (Type::clone(element), &args[..1])
                }
                _ => return,
            },
            _ => return,
        };
        for arg in args {
            // A function of floats may be told a truth value.
            if !matches!(op, Op::Method(_)) || matches!(arg.ty, Type::Float(_) | Type::Int(_)) {
                self.same_type(stmt, &expected, arg);
            }
            // There is no arithmetic of lists, and none of truth values that makes numbers.
            let is_known_wrong = !matches!(op, Op::Method(_)) && !compatible(&expected, &arg.ty);
            let is_whole = is_aggregate(&arg.ty) && !is_known_wrong
                || arg.ty == Type::Bool && expected == Type::Unknown;
            if is_whole && matches!(op, Op::Unary(UnaryOp::Neg) | Op::Binary(_) | Op::Method(_)) {
                self.report(stmt, &format!("arithmetic of {}", arg.ty));
            }
        }
    }

    fn same_type(&mut self, stmt: &Stmt, expected: &Type, value: &Expr) {
        // What an operator makes of numbers of one type is of that type.
        if value.ty == Type::Unknown
            && let ExprKind::Op(Op::Binary(op), args) = &value.kind
            && op.is_arithmetic()
        {
            args.iter().for_each(|arg| self.same_type(stmt, expected, arg));
        }
        if !compatible(expected, &value.ty) {
            let found = print_expr(self.body, value);
            let message = format!("`{found}: {}` where {expected} is expected", value.ty);
            self.report(stmt, &message);
        }
    }
}

fn is_aggregate(ty: &Type) -> bool {
    match ty {
        Type::Array(..) | Type::Vec(_) | Type::Slice(_) | Type::Tuple(_) => true,
        Type::Bool
        | Type::Float(_)
        | Type::Int(_)
        | Type::Named(_)
        | Type::Unknown
        | Type::Infer(_) => false,
    }
}

/// Whether two types may be the same.
fn compatible(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Unknown | Type::Named(_), _) | (_, Type::Unknown | Type::Named(_)) => true,
        (Type::Float(a), Type::Float(b)) => {
            a == b || matches!((a, b), (FloatKind::Open(_), _) | (_, FloatKind::Open(_)))
        }
        (Type::Int(a), Type::Int(b)) => {
            a == b || matches!((a, b), (IntKind::Open(_), _) | (_, IntKind::Open(_)))
        }
        (Type::Array(a, _), Type::Array(b, _))
        | (
            Type::Array(a, _) | Type::Slice(a) | Type::Vec(a),
            Type::Slice(b) | Type::Vec(b) | Type::Array(b, _),
        ) => compatible(a, b),
        (Type::Tuple(a), Type::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| compatible(a, b))
        }
        (a, b) => a == b,
    }
}
