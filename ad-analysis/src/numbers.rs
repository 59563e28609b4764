//! Numbers whose types only rustc knows.
//!
//! A literal without a suffix, and all that is computed with it, is of one type, and where the macro does not see that
//! type, something else in the user's function tells it rustc: a constant it is added to, a field, a parameter of a function
//! that is called. A sweep has not all of that. So what a sweep does with such a number is of the type that the whole
//! function gives it: by a value of that type, or by everything the number is used for, in code that is never run.

use crate::index::{Index, Var};
use crate::ir::{
    ArgKind, Binding, Body, Call, Expr, ExprKind, Op, Opaque, Place, Projection, Stmt, StmtKind,
    each_expr, each_stmt, exprs_in_place,
};
use crate::types::{FloatKind, IntKind, Number, Type};
use std::collections::BTreeMap;

/// What is known of the types of numbers.
#[derive(Clone, Default, Debug)]
pub struct Numbers(BTreeMap<Number, Told>);

/// What tells the type of a number.
#[derive(Clone, Debug)]
pub enum Told {
    /// A value of the same type, which rustc knows.
    By(Example),
    /// All that it is used for together.
    ByUses(Vec<Use>),
}

/// A value whose type rustc knows.
#[derive(Clone, Debug)]
pub enum Example {
    /// A constant, a field, what verbatim code yields.
    Value(Expr),
    /// The result of a call.
    Result(Box<Call>),
}

/// What a number is used for.
#[derive(Clone, Debug)]
pub enum Use {
    /// It is an operand.
    Operand(Expr),
    /// It is in a value of a variable of another type.
    Stored(Var, Type),
    /// It is an argument, or in the result.
    Call(Call),
    /// Verbatim code mentions it.
    Code(Opaque),
}

impl Numbers {
    /// What a body tells.
    pub fn of(body: &Body) -> Self {
        let mut found = Self::default();
        each_stmt(&body.block, &mut |stmt| found.stmt(body, stmt));
        found
    }

    /// What tells the type of a number, if anything does. Otherwise it is the one that rustc falls back to.
    pub fn get(&self, number: Number) -> Option<&Told> {
        self.0.get(&number)
    }

    /// Whether something tells what numbers in a type are.
    pub fn tell(&self, ty: &Type) -> bool {
        ty.numbers().iter().any(|number| self.0.contains_key(number))
    }

    fn example(&mut self, number: Number, example: Example) {
        let told = self.0.entry(number).or_insert_with(|| Told::ByUses(Vec::new()));
        if let Told::ByUses(_) = told {
            *told = Told::By(example);
        }
    }

    fn used(&mut self, ty: &Type, what: &Use) {
        for number in ty.numbers() {
            let told = self.0.entry(number).or_insert_with(|| Told::ByUses(Vec::new()));
            if let Told::ByUses(uses) = told {
                uses.push(what.clone());
            }
        }
    }

    fn stmt(&mut self, body: &Body, stmt: &Stmt) {
        each_expr(stmt, &mut |expr| self.expr(body, expr));
        match &stmt.kind {
            StmtKind::Let { var, value: Some(value) } => self.stored(body, *var, value),
            StmtKind::Assign { place, value } if place.is_whole() => {
                self.stored(body, place.root, value);
            }
            StmtKind::Assign { place, value: _ } => {
                let target = Expr::load(place.clone(), body.place_type(place), stmt.span);
                self.expr(body, &target);
            }
            StmtKind::Call(call) => self.call(body, call),
            StmtKind::Opaque(opaque) => self.code(body, opaque),
            _ => {}
        }
    }

    /// A value of a variable whose type the user wrote down, or a callee.
    fn stored(&mut self, body: &Body, var: Var, value: &Expr) {
        let target = &body.vars[var];
        if target.ty.agrees_with(&value.ty) && target.declared.is_none() {
            return;
        }
        self.used(&value.ty, &Use::Stored(var, value.ty.clone()));
    }

    fn call(&mut self, body: &Body, call: &Call) {
        let types = call.args.iter().map(|arg| match &arg.kind {
            ArgKind::Value(value) => value.ty.clone(),
            ArgKind::Shared(place) | ArgKind::Exclusive(place) => body.place_type(place),
            ArgKind::Omitted => Type::Unknown,
        });
        let types: Vec<Type> = types.collect();
        let result = call.result.map(|result| &body.vars[result].ty);
        let own = result.and_then(number_of);
        if let Some(number) = own
            && !types.iter().any(|ty| ty.numbers().contains(&number))
        {
            self.example(number, Example::Result(Box::new(call.clone())));
        }
        let what = Use::Call(call.clone());
        types.iter().chain(result).for_each(|ty| self.used(ty, &what));
    }

    fn code(&mut self, body: &Body, opaque: &Opaque) {
        for var in opaque.reads.iter().chain(&opaque.writes) {
            let root = body.root_of(&Place::var(*var));
            self.used(&body.vars[root].ty, &Use::Code(opaque.clone()));
        }
    }

    fn expr(&mut self, body: &Body, expr: &Expr) {
        match &expr.kind {
            ExprKind::Load(place) => {
                exprs_in_place(place, &mut |index| self.expr(body, index));
                let place = body.resolve(place);
                match number_of(&expr.ty) {
                    Some(number) if is_known_to_rustc(body, &place) => {
                        self.example(number, Example::Value(expr.clone()));
                    }
                    None if is_known_to_rustc(body, &place) => {
                        self.used(&expr.ty, &Use::Operand(expr.clone()));
                    }
                    Some(_) | None => {}
                }
            }
            ExprKind::Opaque(opaque) => {
                self.code(body, opaque);
                let reads = opaque.reads.iter().flat_map(|var| body.vars[*var].ty.numbers());
                let reads: Vec<Number> = reads.collect();
                match number_of(&expr.ty) {
                    Some(number) if !reads.contains(&number) => {
                        self.example(number, Example::Value(expr.clone()));
                    }
                    Some(_) | None => self.used(&expr.ty, &Use::Operand(expr.clone())),
                }
            }
            ExprKind::Op(op, args) => {
                args.iter().for_each(|arg| self.expr(body, arg));
                let is_binary = matches!(op, Op::Binary(_));
                let relates = match op {
                    Op::Binary(_) | Op::Unary(_) | Op::Method(_) => {
                        let result = Some(&expr.ty).filter(|ty| !is_binary || **ty != Type::Bool);
                        let mut types = args.iter().map(|arg| &arg.ty).chain(result);
                        types.any(|ty| *ty != args[0].ty)
                    }
                    Op::Struct(..) => true,
                    _ => false,
                };
                if relates {
                    let types = args.iter().map(|arg| &arg.ty).chain([&expr.ty]);
                    types.for_each(|ty| self.used(ty, &Use::Operand(expr.clone())));
                }
            }
            ExprKind::Literal(_) | ExprKind::Guard(_) => {}
        }
    }
}

/// The number that a type is.
fn number_of(ty: &Type) -> Option<Number> {
    match ty {
        Type::Float(FloatKind::Open(number)) | Type::Int(IntKind::Open(number)) => Some(*number),
        _ => None,
    }
}

/// Whether rustc knows the type of a place, by a type that the user declares elsewhere.
fn is_known_to_rustc(body: &Body, place: &Place) -> bool {
    let is_global = matches!(body.vars[place.root].binding, Binding::Global(_));
    let is_part = !place.is_whole() && body.proven_place_type(place) == Type::Unknown;
    is_global || is_part
}

/// Whether the value of an expression comes from a variable of a type, which has been told already.
pub fn comes_from_variable(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Load(place) => !place.projections.iter().any(Projection::is_fixed),
        ExprKind::Op(Op::Binary(_) | Op::Unary(_) | Op::Method(_), args) => {
            args.iter().any(|arg| arg.ty == expr.ty && comes_from_variable(arg))
        }
        ExprKind::Op(..) | ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => false,
    }
}

/// Whether a variable of a sweep is one of the primal, or certainly no bar.
pub fn is_value(primal: &Body, var: Var, ty: &Type) -> bool {
    var.position() < primal.vars.len() || !ty.may_carry_floats()
}
