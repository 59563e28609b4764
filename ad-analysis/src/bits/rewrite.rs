//! Gives floats that are made of bits their derivatives.

use super::solve::{Integers, Leaf, State};
use super::value::{Content, Copied, Value};
use crate::index::{StmtId, Var};
use crate::ir::{
    ArgKind, BinaryOp, Block, Body, Change, Expr, ExprKind, Op, Place, Projection, Stmt, StmtKind,
    Unclear, each_block_mut, each_stmt,
};
use crate::types::{FloatKind, Type};
use proc_macro2::Span;
use std::collections::{BTreeMap, HashMap};

/// Rewrites a body by what is known of its integers.
pub fn rewrite(body: &mut Body, integers: &Integers<'_>) {
    let mut planner = Planner::new(integers);
    each_stmt(&integers.body.block, &mut |stmt| planner.look_at(stmt.id));
    planner.companions_of_companions();
    let Planner { rounds, indexes, companions, .. } = planner;
    let mut rewriter = Rewriter {
        integers,
        conflict: rounds && indexes,
        companions: BTreeMap::new(),
        named: HashMap::new(),
        out: Vec::new(),
        body: std::mem::replace(body, Body::new("")),
    };
    for (var, ty) in companions {
        let variable = &rewriter.body.vars[var];
        let (name, span) = (format!("{}_float", variable.name), variable.span);
        let companion = rewriter.body.local(&name, ty, span);
        rewriter.companions.insert(var, companion);
    }
    let mut block = rewriter.body.block.clone();
    rewriter.block(&mut block);
    let params: Vec<Var> = rewriter.body.params.clone();
    for param in params {
        if let Some(&companion) = rewriter.companions.get(&param) {
            let one = rewriter.constant(companion);
            let span = rewriter.body.vars[param].span;
            let kind = StmtKind::Let { var: companion, value: Some(one) };
            block.stmts.insert(0, rewriter.body.stmt(kind, span));
        }
    }
    *body = rewriter.body;
    body.block = block;
}

/// What is to be done with a float that is made of an integer.
enum Made {
    /// It does not depend on a mantissa.
    Constant,
    /// It follows a float.
    Copy(Copied, Leaf),
    /// It is not known.
    Unclear(Unclear),
}

/// What a float is that is made of bits.
fn float_of(integers: &Integers<'_>, stmt: &Stmt, state: &State, bits: &Expr, ty: &Type) -> Made {
    let Value { content, zeros, end: _ } = integers.eval(stmt, state, bits);
    let mantissa = mantissa_of(ty);
    // A power of 2, or 0, or infinite.
    if zeros >= mantissa {
        return Made::Constant;
    }
    match content {
        Content::Discrete(discrete) if !discrete.is_part => Made::Constant,
        Content::Truncated => Made::Constant,
        Content::Copy(copied) if copied.mantissa == mantissa => {
            match integers.leaf(stmt, state, bits) {
                Some(leaf) => Made::Copy(copied, leaf),
                None => Made::Unclear(Unclear::Float),
            }
        }
        Content::Discrete(_) | Content::Copy(_) | Content::Low(..) | Content::Unknown { .. } => {
            Made::Unclear(Unclear::Float)
        }
    }
}

/// What a float is that an integer is cast to.
fn number_of(integers: &Integers<'_>, stmt: &Stmt, state: &State, integer: &Expr) -> Made {
    let value = integers.eval(stmt, state, integer);
    match value.content {
        Content::Copy(copied) if copied.is_exact() => match integers.leaf(stmt, state, integer) {
            Some(leaf) => Made::Copy(copied, leaf),
            None => Made::Unclear(Unclear::Number),
        },
        _ if value.holds_bits() => Made::Unclear(Unclear::Number),
        _ => Made::Constant,
    }
}

fn mantissa_of(ty: &Type) -> u32 {
    match ty {
        Type::Float(FloatKind::F32) => 23,
        _ => 52,
    }
}

fn float_type(mantissa: u32) -> Type {
    Type::Float(if mantissa == 23 { FloatKind::F32 } else { FloatKind::F64 })
}

/// Whether an expression is a cast of an integer to a float.
fn as_cast(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Op(Op::Cast, args)
            if expr.ty.is_float() && matches!(args[0].ty, Type::Int(_)) =>
        {
            Some(&args[0])
        }
        _ => None,
    }
}

fn as_made(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Op(Op::FromBits, args) => Some(&args[0]),
        _ => None,
    }
}

/// Finds out which integers need companions.
struct Planner<'a> {
    integers: &'a Integers<'a>,
    /// Whether a mantissa is rounded.
    rounds: bool,
    /// Whether a part of a mantissa is an index.
    indexes: bool,
    companions: BTreeMap<Var, Type>,
    assigned: Vec<StmtId>,
}

impl<'a> Planner<'a> {
    fn new(integers: &'a Integers<'a>) -> Self {
        Self {
            integers,
            rounds: false,
            indexes: false,
            companions: BTreeMap::new(),
            assigned: Vec::new(),
        }
    }

    fn look_at(&mut self, id: StmtId) {
        self.assigned.push(id);
        let integers = self.integers;
        let Some((stmt, state)) = integers.before(id) else { return };
        let mut visit = |expr: &Expr| self.look_at_expr(stmt, state, expr);
        values_of(stmt, &mut visit);
    }

    fn look_at_expr(&mut self, stmt: &Stmt, state: &State, expr: &Expr) {
        let made = as_made(expr).map(|bits| float_of(self.integers, stmt, state, bits, &expr.ty));
        if let Some(Made::Copy(copied, _)) = &made {
            self.rounds |= !copied.is_exact();
        }
        let cast = as_cast(expr).map(|integer| number_of(self.integers, stmt, state, integer));
        if let Some(Made::Copy(copied, Leaf::Integer(var))) = made.or(cast) {
            self.companions.insert(var, float_type(copied.mantissa));
        }
        match &expr.kind {
            ExprKind::Load(place) => {
                for index in indices(self.integers, place) {
                    let value = self.integers.eval(stmt, state, &index);
                    self.indexes |= matches!(value.content, Content::Copy(_));
                }
            }
            ExprKind::Op(_, args) => {
                args.iter().for_each(|arg| self.look_at_expr(stmt, state, arg));
            }
            ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {}
        }
    }

    /// What a companion is assigned may be another one.
    fn companions_of_companions(&mut self) {
        let mut todo: Vec<Var> = self.companions.keys().copied().collect();
        while let Some(var) = todo.pop() {
            for id in &self.assigned {
                let Some((stmt, state)) = self.integers.before(*id) else { continue };
                let Some((assigned, Some(value))) = assignment(stmt) else { continue };
                let leaf = self.integers.leaf(stmt, state, value);
                if let (true, Some(Leaf::Integer(other))) = (assigned == var, leaf)
                    && !self.companions.contains_key(&other)
                {
                    let ty = self.companions[&var].clone();
                    self.companions.insert(other, ty);
                    todo.push(other);
                }
            }
        }
    }
}

/// The variable that a statement declares or assigns, and its value.
fn assignment(stmt: &Stmt) -> Option<(Var, Option<&Expr>)> {
    match &stmt.kind {
        StmtKind::Let { var, value } => Some((*var, value.as_ref())),
        StmtKind::Assign { place, value } if place.is_whole() => Some((place.root, Some(value))),
        _ => None,
    }
}

/// The values that a statement makes, apart from those that only decide something.
fn values_of(stmt: &Stmt, visit: &mut dyn FnMut(&Expr)) {
    match &stmt.kind {
        StmtKind::Let { var: _, value: Some(value) } | StmtKind::Assign { place: _, value } => {
            visit(value)
        }
        StmtKind::Resize(resize) => match &resize.change {
            Change::Extend(items) => visit(items),
            Change::Truncate(_) => {}
        },
        StmtKind::Call(call) => {
            for arg in &call.args {
                if let ArgKind::Value(value) = &arg.kind {
                    visit(value);
                }
            }
        }
        _ => {}
    }
}

fn indices(integers: &Integers<'_>, place: &Place) -> Vec<Expr> {
    let place = integers.body.resolve(place);
    let indices = place.projections.iter().filter_map(|step| match step {
        Projection::Index(index) => Some(index.clone()),
        Projection::Field(_)
        | Projection::Boxed
        | Projection::Slice { .. }
        | Projection::Got { .. } => None,
    });
    indices.collect()
}

struct Rewriter<'a> {
    integers: &'a Integers<'a>,
    /// Whether roundings are unclear, because parts of mantissas are used as numbers, too.
    conflict: bool,
    /// The floats that integers follow.
    companions: BTreeMap<Var, Var>,
    /// The floats whose bits a statement takes, in variables.
    named: HashMap<StmtId, Vec<(Expr, Var)>>,
    /// The statements of the block under construction.
    out: Vec<Stmt>,
    body: Body,
}

impl Rewriter<'_> {
    fn block(&mut self, block: &mut Block) {
        let outer = std::mem::take(&mut self.out);
        for mut stmt in std::mem::take(&mut block.stmts) {
            each_block_mut(&mut stmt, &mut |inner| self.block(inner));
            self.stmt(stmt);
        }
        block.stmts = std::mem::replace(&mut self.out, outer);
    }

    fn emit(&mut self, kind: StmtKind, span: Span) {
        let stmt = self.body.stmt(kind, span);
        self.out.push(stmt);
    }

    fn stmt(&mut self, mut stmt: Stmt) {
        let integers = self.integers;
        if let Some((original, state)) = integers.before(stmt.id) {
            self.follow(original, state);
            let original = original.clone();
            match &mut stmt.kind {
                StmtKind::Let { var: _, value: Some(value) }
                | StmtKind::Assign { place: _, value } => {
                    self.value(&original, state, value, true);
                }
                StmtKind::Resize(resize) => match &mut resize.change {
                    Change::Extend(items) => self.value(&original, state, items, true),
                    Change::Truncate(_) => {}
                },
                StmtKind::Call(call) => {
                    for arg in &mut call.args {
                        if let ArgKind::Value(value) = &mut arg.kind {
                            self.argument(&original, state, value);
                        }
                    }
                }
                _ => {}
            }
        } else if let Some((var, value)) = assignment(&stmt)
            && let Some(&companion) = self.companions.get(&var)
        {
            // Control does not get here.
            let value = value.map(|_| self.constant(companion));
            self.assign(&stmt, companion, value);
        }
        self.out.push(stmt);
    }

    /// The companion of an integer follows what the integer is assigned.
    fn follow(&mut self, stmt: &Stmt, state: &State) {
        let Some((var, value)) = assignment(stmt) else { return };
        let Some(&companion) = self.companions.get(&var) else { return };
        let Some(value) = value else { return self.assign(stmt, companion, None) };
        let ty = self.body.vars[companion].ty.clone();
        let leaf = match self.integers.eval(stmt, state, value).content {
            Content::Copy(copied) if float_type(copied.mantissa) == ty => {
                self.integers.leaf(stmt, state, value)
            }
            _ => None,
        };
        let float = match leaf {
            Some(Leaf::Integer(other)) if other == var => return,
            Some(leaf) => self.float_at(stmt, leaf),
            None => None,
        };
        let float = float.map_or_else(|| self.constant(companion), |float| self.body.load(float));
        self.assign(stmt, companion, Some(float));
    }

    fn assign(&mut self, stmt: &Stmt, companion: Var, value: Option<Expr>) {
        let kind = match (&stmt.kind, value) {
            (StmtKind::Let { .. }, value) => StmtKind::Let { var: companion, value },
            (_, Some(value)) => StmtKind::Assign { place: Place::var(companion), value },
            (_, None) => return,
        };
        self.emit(kind, stmt.span);
    }

    /// A float that is none of those whose bits are taken.
    fn constant(&self, companion: Var) -> Expr {
        Expr::literal("1.0", self.body.vars[companion].ty.clone())
    }

    /// The variable with the float that something follows.
    fn float_at(&mut self, stmt: &Stmt, leaf: Leaf) -> Option<Var> {
        let float = match leaf {
            Leaf::Integer(var) => return self.companions.get(&var).copied(),
            Leaf::Float(float) => float,
        };
        let named = self.named.get(&stmt.id).into_iter().flatten();
        if let Some((_, var)) = named.clone().find(|(other, _)| *other == float) {
            return Some(*var);
        }
        let var = self.body.local("bits_of", float.ty.clone(), float.span);
        self.emit(StmtKind::Let { var, value: Some(float.clone()) }, stmt.span);
        self.named.entry(stmt.id).or_default().push((float, var));
        Some(var)
    }

    fn value(&mut self, stmt: &Stmt, state: &State, value: &mut Expr, is_always: bool) {
        let (made, unclear) = if let Some(bits) = as_made(value) {
            let made = float_of(self.integers, stmt, state, bits, &value.ty);
            (made, Unclear::Float)
        } else if let Some(integer) = as_cast(value) {
            (number_of(self.integers, stmt, state, integer), Unclear::Number)
        } else {
            return self.parts(stmt, state, value, is_always);
        };
        let integer = match &value.kind {
            ExprKind::Op(_, args) => args[0].clone(),
            ExprKind::Literal(_) | ExprKind::Load(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {
                return;
            }
        };
        let is_rounded = |copied: &Copied| unclear == Unclear::Float && !copied.is_exact();
        match made {
            Made::Constant => {}
            Made::Copy(copied, _) if self.conflict && is_rounded(&copied) => {
                mark(value, Unclear::Rounded, integer);
            }
            Made::Copy(copied, leaf) if is_always => match self.float_at(stmt, leaf) {
                Some(float) => self.give(stmt, value, &copied, float),
                None => mark(value, unclear, integer),
            },
            Made::Copy(..) => mark(value, unclear, integer),
            Made::Unclear(unclear) => mark(value, unclear, integer),
        }
    }

    /// The operands of an operation, and the elements that it reads.
    fn parts(&mut self, stmt: &Stmt, state: &State, value: &mut Expr, is_always: bool) {
        match &mut value.kind {
            ExprKind::Load(place) => {
                let unclear = indices(self.integers, place).into_iter().find(|index| {
                    let content = self.integers.eval(stmt, state, index).content;
                    matches!(content, Content::Low(..) | Content::Unknown { of_bits: true })
                });
                if let Some(index) = unclear {
                    mark(value, Unclear::Element, index);
                }
            }
            ExprKind::Op(op, args) => {
                let is_choice = matches!(op, Op::Select | Op::Binary(BinaryOp::And | BinaryOp::Or));
                for arg in args {
                    self.value(stmt, state, arg, is_always && !is_choice);
                }
            }
            ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {}
        }
    }

    /// An argument of a call: an integer may become a float elsewhere.
    fn argument(&mut self, stmt: &Stmt, state: &State, value: &mut Expr) {
        if !matches!(value.ty, Type::Int(_)) {
            return self.value(stmt, state, value, true);
        }
        if self.integers.eval(stmt, state, value).holds_bits() {
            let integer = value.clone();
            mark(value, Unclear::Argument, integer);
        }
    }

    /// A value that follows a float: `ratio` times as many steps, of the size that they have there.
    fn give(&mut self, stmt: &Stmt, value: &mut Expr, copied: &Copied, float: Var) {
        let (ty, span) = (value.ty.clone(), value.span);
        let is_number = as_cast(value).is_some();
        let raw = self.body.local("raw", ty.clone(), span);
        self.emit(StmtKind::Let { var: raw, value: Some(value.clone()) }, stmt.span);
        let size = |value: Expr| Expr::op(Op::Spacing, vec![value], ty.clone());
        let of_float = self.body.load(float);
        let of_float = match of_float.ty == ty {
            true => of_float,
            false => Expr::op(Op::Cast, vec![of_float], ty.clone()),
        };
        let own = match is_number {
            true => Expr::literal("1.0", ty.clone()),
            false => size(self.body.load(raw)),
        };
        let mut slope = Expr::binary(BinaryOp::Div, own, size(of_float));
        if let Some(factor) = copied.ratio.factor() {
            slope = Expr::binary(BinaryOp::Mul, Expr::literal(&factor, ty.clone()), slope);
        }
        let name = self.body.local("slope", ty.clone(), span);
        self.emit(StmtKind::Let { var: name, value: Some(slope) }, stmt.span);
        let args = vec![self.body.load(raw), self.body.load(name), self.body.load(float)];
        *value = Expr::new(ExprKind::Op(Op::Given, args), ty, span);
    }
}

fn mark(value: &mut Expr, unclear: Unclear, source: Expr) {
    let (ty, span) = (value.ty.clone(), value.span);
    let args = vec![value.clone(), source];
    *value = Expr::new(ExprKind::Op(Op::Unclear(unclear), args), ty, span);
}
