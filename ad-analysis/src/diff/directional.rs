//! The tangent as a function of values and directions, which can be differentiated in its turn: the adjoint of the
//! tangent is that of second derivatives.
//!
//! It is the tangent in the instance in which all independents and dependents are active: conditions are settled, a call of a tangent is an
//! ordinary call of the [tangent of a function](Derivative::Directed), with a direction or `()` behind each argument, and value and tangent of the result are a
//! pair.

use super::tangent::Tangent;
use crate::index::{StmtId, Var};
use crate::ir::{
    Arg, ArgKind, BinaryOp, Block, Body, Call, Callee, Change, Expr, ExprKind, Loop, Op, Place,
    Resize, Slot, Stmt, StmtKind, Sweep, Target, each_expr_mut, each_stmt,
};
use crate::types::Type;
use proc_macro2::{Ident, Span, TokenStream};

/// The tangent as a function. `primal` is what it is the tangent of, and `callees` says where the entries of functions are that it
/// calls. The error is where a derivative is called, of which the tangent cannot be differentiated.
pub fn directional(
    tangent: &Tangent,
    primal: &Body,
    callees: &[(Ident, TokenStream)],
) -> Result<Body, Span> {
    let mut body = tangent.body.clone();
    if let Some(span) = called_derivative(&body) {
        return Err(span);
    }
    note_directions(&mut body, tangent, primal);
    let empty = Block { scope: body.block.scope, stmts: Vec::new() };
    let block = std::mem::replace(&mut body.block, empty);
    let mut builder = Builder { out: body, callees };
    let mut block = builder.block(block);
    let Builder { out: mut body, .. } = builder;
    let directions: Vec<(Var, Option<Var>)> =
        primal.params.iter().copied().zip(tangent.directions.iter().copied()).collect();
    let with_directions = |vars: &[Var]| -> Vec<Var> {
        let chosen = directions.iter().filter(|(param, _)| vars.contains(param));
        chosen.flat_map(|&(param, direction)| [Some(param), direction]).flatten().collect()
    };
    body.independents = with_directions(&primal.independents);
    body.dependents = with_directions(&primal.dependents);
    let slope = body.kept.first().map(|kept| kept.var);
    body.kept.clear();
    if let (Some(result), Some(slope)) = (primal.result, slope) {
        let pair = pair(&mut body, result, slope, &mut block);
        body.result = Some(pair);
        body.dependents.push(pair);
    }
    body.target.exit = None;
    body.block = block;
    body.name = format!("{}_tangent", primal.name);
    Ok(body)
}

/// Notes which variables hold directions, and their types as the user wrote them of the values, unless a direction is a list of its own for a
/// part of one.
fn note_directions(body: &mut Body, tangent: &Tangent, primal: &Body) {
    body.directions = tangent.holding_directions(primal);
    for &(var, direction) in &tangent.tangents {
        if body.vars[direction].ty == primal.vars[var].ty {
            body.vars[direction].declared = primal.vars[var].declared.clone();
        }
    }
}

/// The result of a tangent is the pair of value and tangent, which are variables of their own now.
fn pair(body: &mut Body, result: Var, slope: Var, block: &mut Block) -> Var {
    let span = body.vars[result].span;
    let types: [Type; 2] = [result, slope].map(|var| body.vars[var].ty.clone());
    let ty = Type::Tuple(types.into());
    let pair = body.local("values", ty.clone(), span);
    let declare = [result, slope].map(|var| body.stmt(StmtKind::Let { var, value: None }, span));
    let value = Expr::op(Op::Tuple, vec![body.load(result), body.load(slope)], ty);
    let assign = body.stmt(StmtKind::Assign { place: Place::var(pair), value }, span);
    block.stmts.splice(0..0, declare);
    block.stmts.push(assign);
    pair
}

/// Where a derivative is called: its tangent cannot be differentiated.
fn called_derivative(body: &Body) -> Option<Span> {
    let mut found = None;
    each_stmt(&body.block, &mut |stmt| {
        if let StmtKind::Call(Call { callee, sweep: Sweep::Tangent { .. }, .. }) = &stmt.kind
            && matches!(callee, Callee::Derivative(..))
        {
            found.get_or_insert(stmt.span);
        }
    });
    found
}

struct Builder<'a> {
    out: Body,
    callees: &'a [(Ident, TokenStream)],
}

impl Builder<'_> {
    fn block(&mut self, block: Block) -> Block {
        let stmts = block.stmts.into_iter().flat_map(|stmt| self.stmt(stmt)).collect();
        Block { scope: block.scope, stmts }
    }

    fn stmt(&mut self, mut stmt: Stmt) -> Vec<Stmt> {
        each_expr_mut(&mut stmt, &mut settle);
        ask_for_bars(&self.out, &mut stmt);
        let span = stmt.span;
        let kind = match stmt.kind {
            StmtKind::If { test, then, otherwise } => {
                let (then, otherwise) = (self.block(then), self.block(otherwise));
                match test.as_literal().map(|text| &**text) {
                    Some("true") => StmtKind::Block { target: None, body: then },
                    Some("false") => StmtKind::Block { target: None, body: otherwise },
                    _ => StmtKind::If { test, then, otherwise },
                }
            }
            StmtKind::Loop(inner) => StmtKind::Loop(Loop {
                target: unreified(inner.target),
                trips: None,
                body: self.block(inner.body),
                ..inner
            }),
            StmtKind::Block { target, body } => {
                StmtKind::Block { target: target.map(unreified), body: self.block(body) }
            }
            StmtKind::Exit { label, code: _ } => StmtKind::Exit { label, code: 0 },
            StmtKind::Resize(resize) => StmtKind::Resize(Resize { len: None, ..resize }),
            StmtKind::Increment { place, value } => {
                let before = Expr::load(place.clone(), value.ty.clone(), span);
                StmtKind::Assign { place, value: Expr::binary(BinaryOp::Add, before, value) }
            }
            StmtKind::Call(call) => return self.call(stmt.id, span, call),
            kind @ (StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Swap { .. }
            | StmtKind::Bind { .. }
            | StmtKind::Opaque(_)) => kind,
            StmtKind::Reset { .. } | StmtKind::Push { .. } | StmtKind::Pop { .. } => {
                unreachable!("a tangent has no such statements")
            }
        };
        vec![Stmt { kind, ..stmt }]
    }

    /// A call of a tangent becomes one of a function that takes a direction behind each argument and returns a pair.
    fn call(&mut self, id: StmtId, span: Span, call: Call) -> Vec<Stmt> {
        let Sweep::Tangent { result: slope, leads: _ } = call.sweep else {
            let call = Call { kept: None, ..call };
            return vec![Stmt { id, span, kind: StmtKind::Call(call) }];
        };
        let callee = call.callee.directed(self.callees).expect("what has none is an obstacle");
        let mut before = Vec::new();
        let args = call.args.into_iter().flat_map(|Arg { kind, slot }| {
            let direction = match &callee {
                Callee::DirectedOperator(_) => self.operand(&kind, slot, span, &mut before),
                Callee::Function(_)
                | Callee::Derivative(..)
                | Callee::Associated(_)
                | Callee::Method(_)
                | Callee::Operator(_)
                | Callee::Conversion(_)
                | Callee::Given => direction(&kind, slot),
            };
            [kind, direction].map(|kind| Arg { kind, slot: Slot::Passive })
        });
        let args = args.collect();
        let parts = [call.result, slope];
        let pair = call.result.map(|result| {
            let name = format!("{}_pair", self.out.vars[result].name);
            let types =
                parts.map(|part| part.map_or(Type::Unknown, |var| self.out.vars[var].ty.clone()));
            self.out.local(&name, Type::Tuple(types.into()), span)
        });
        let call = Call { callee, args, result: pair, kept: None, sweep: Sweep::Primal, ..call };
        let mut stmts = before;
        stmts.push(Stmt { id, span, kind: StmtKind::Call(call) });
        for (position, part) in parts.into_iter().enumerate() {
            let (Some(pair), Some(var)) = (pair, part) else { continue };
            let place = Place::var(pair).field(position);
            let value = Some(Expr::load(place, self.out.vars[var].ty.clone(), span));
            stmts.push(self.out.stmt(StmtKind::Let { var, value }, span));
        }
        stmts
    }
}

impl Builder<'_> {
    /// What stands behind an operand of an operator: a copy of its direction, or zero. That of an operand that is changed is what it refers
    /// to.
    fn operand(
        &mut self,
        kind: &ArgKind,
        slot: Slot,
        span: Span,
        before: &mut Vec<Stmt>,
    ) -> ArgKind {
        let direction = match slot {
            Slot::Bar(place, condition) if !condition.is_never() => Some(place),
            Slot::Bar(..) | Slot::Passive | Slot::Marker(_) => None,
        };
        let (value, is_changed) = match kind {
            ArgKind::Value(value) => (value.clone(), false),
            ArgKind::Exclusive(place) => {
                (Expr::load(place.clone(), self.out.place_type(place), span), true)
            }
            ArgKind::Shared(_) | ArgKind::Omitted => unreachable!("operators take values"),
        };
        let ty = value.ty.clone();
        let direction = match direction {
            Some(place) if is_changed => return ArgKind::Exclusive(place),
            Some(place) => {
                let mut load = Expr::load(place, ty.clone(), span);
                match ty.is_copy() {
                    true => ask_for_bar(&self.out, &mut load),
                    false => load = Expr::op(Op::Clone, vec![load], ty.clone()),
                }
                load
            }
            None if ty.is_float() => Expr::zero(ty.clone()),
            None if ty.is_discrete() => value,
            None => Expr::new(ExprKind::Op(Op::ZeroTangent, vec![value]), ty.clone(), span),
        };
        let var = self.out.local("direction", ty, span);
        self.out.directions.insert(var);
        before.push(self.out.stmt(StmtKind::Let { var, value: Some(direction) }, span));
        match is_changed {
            true => ArgKind::Exclusive(Place::var(var)),
            false => ArgKind::Value(self.out.load(var)),
        }
    }
}

/// What stands behind an argument: its direction, or `()`.
fn direction(kind: &ArgKind, slot: Slot) -> ArgKind {
    match slot {
        Slot::Bar(place, condition) if !condition.is_never() => match kind {
            ArgKind::Exclusive(_) => ArgKind::Exclusive(place),
            ArgKind::Value(_) | ArgKind::Shared(_) | ArgKind::Omitted => ArgKind::Shared(place),
        },
        Slot::Bar(..) | Slot::Passive | Slot::Marker(_) => {
            ArgKind::Value(Expr::literal("()", Type::unit()))
        }
    }
}

/// Conditions hold where anything is active.
fn settle(expr: &mut Expr) {
    if let ExprKind::Op(_, args) = &mut expr.kind {
        args.iter_mut().for_each(settle);
    }
    if let ExprKind::Guard(guard) = &expr.kind {
        let holds = if guard.primal.is_never() { "false" } else { "true" };
        *expr = Expr::literal(holds, Type::Bool);
    }
    if let ExprKind::Op(Op::Select, args) = &expr.kind {
        match args[0].as_literal().map(|text| &**text) {
            Some("true") => *expr = args[1].clone(),
            Some("false") => *expr = args[2].clone(),
            _ => {}
        }
    }
}

/// What a direction has in a field without a bar is a copy of the value: what loads a field of one asks for that. What is only
/// referred to stays as it is.
fn ask_for_bars(body: &Body, stmt: &mut Stmt) {
    if let StmtKind::Resize(Resize { change: Change::Extend(items), .. }) = &stmt.kind
        && items.as_place().is_some()
    {
        return;
    }
    each_expr_mut(stmt, &mut |expr| ask_for_bar(body, expr));
}

fn ask_for_bar(body: &Body, expr: &mut Expr) {
    match &mut expr.kind {
        ExprKind::Load(place) if body.is_part_of_direction(place) => {
            let (ty, span) = (expr.ty.clone(), expr.span);
            let load = std::mem::replace(expr, Expr::literal("()", Type::unit()));
            *expr = Expr::new(ExprKind::Op(Op::Direction, vec![load]), ty, span);
        }
        ExprKind::Op(Op::Clone | Op::ToVec | Op::Len | Op::Shape | Op::ZeroTangent, args)
            if args[0].as_place().is_some() => {}
        ExprKind::Op(Op::Direction, _) => {}
        ExprKind::Op(_, args) => args.iter_mut().for_each(|arg| ask_for_bar(body, arg)),
        ExprKind::Load(_) | ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {}
    }
}

/// Control is made explicit anew.
fn unreified(target: Target) -> Target {
    Target { exit: None, ..target }
}
