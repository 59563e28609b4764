//! Proofs for rustc: a scalar rule is only ever applied to floats.
//!
//! Where the type of an operand was only assumed, the forward sweep states it: by the type of the
//! variable's declaration, or by `real(…)`, which accepts nothing but floats. Where nothing is known
//! of the type of an active operation, that is an error.

use crate::analyses::Facts;
use crate::diag::Errors;
use crate::index::{Index, Var};
use crate::ir::{Binding, Body, Expr, ExprKind, Op, Stmt, StmtKind, each_stmt_mut};
use crate::rules;
use crate::types::Type;
use std::collections::BTreeSet;

/// Adds the proofs to the forward sweep. The variables whose types are stated count as proven in both
/// sweeps.
pub fn prove(facts: &Facts, primal: &Body, sweeps: [&mut Body; 2], errors: &Errors) {
    let [forward, backward] = sweeps;
    let mut stated = BTreeSet::new();
    let statements = primal.numbering.stmts;
    each_stmt_mut(&mut forward.block, &mut |stmt| {
        if stmt.id.position() < statements as usize && facts.is_active(facts.graph.at(stmt.id)) {
            prove_stmt(primal, stmt, &mut stated, errors);
        }
    });
    for var in stated {
        forward.vars[var].assumed = false;
        // What a sweep adds is its own.
        if primal.vars.get(var).is_some() {
            backward.vars[var].assumed = false;
        }
    }
}

fn prove_stmt(primal: &Body, stmt: &mut Stmt, stated: &mut BTreeSet<Var>, errors: &Errors) {
    match &mut stmt.kind {
        StmtKind::Let { var, value: Some(value) } => {
            stated.insert(*var);
            prove_value(primal, value, stated, errors);
        }
        StmtKind::Assign { place, value } => {
            if place.is_whole() {
                stated.insert(place.root);
            }
            prove_value(primal, value, stated, errors);
        }
        StmtKind::Call(call) => stated.extend(call.result),
        _ => {}
    }
}

/// Proves the operands of the operations in a value; a value that is only copied needs no proof.
fn prove_value(primal: &Body, value: &mut Expr, stated: &mut BTreeSet<Var>, errors: &Errors) {
    let ExprKind::Op(op, args) = &mut value.kind else { return };
    if !value.ty.may_carry_floats() {
        return;
    }
    let is_conversion = matches!(op, Op::Called(called) if called.is_conversion());
    let is_scalar = rules::rule_of(op).is_some() || *op == Op::Cast || is_conversion;
    let is_repeated = matches!(op, Op::Repeat(_) | Op::VecRepeat);
    // Operands of which nothing is known are proved to be floats, and with them the value.
    let is_open = value.ty == Type::Unknown
        && args.iter().all(|arg| arg.ty.is_float() || arg.ty == Type::Unknown);
    let is_unknown = if is_repeated {
        !args[0].ty.has_placeholder()
    } else {
        is_scalar && !value.ty.is_float() && !(is_open && *op != Op::Cast)
    };
    if is_unknown {
        errors.report(
            value.span,
            "the macro cannot see the type of this active expression",
            "write the types of its operands, `let y: f64 = …;`; operators of other types than floats \
             are not supported",
        );
        return;
    }
    for arg in args {
        let is_operand = *op != Op::Cast || arg.ty.is_float();
        if is_scalar && is_operand && arg.ty.may_carry_floats() {
            match &arg.kind {
                ExprKind::Op(
                    Op::Clone | Op::ToVec | Op::Select | Op::Number | Op::Direction,
                    _,
                ) => {
                    prove_here(arg);
                }
                _ => prove_operand(primal, arg, stated),
            }
        }
        prove_value(primal, arg, stated, errors);
    }
}

fn prove_operand(primal: &Body, operand: &mut Expr, stated: &mut BTreeSet<Var>) {
    let Some(place) = operand.as_place() else { return };
    let root = primal.resolve(place).root;
    let variable = &primal.vars[root];
    let declared = primal.proven_place_type(&primal.resolve(place));
    if declared.is_float() && !variable.assumed {
        return;
    }
    let is_local = matches!(variable.binding, Binding::Value) && place.is_whole();
    if is_local && variable.ty.is_known() {
        stated.insert(root);
        return;
    }
    prove_here(operand);
}

fn prove_here(operand: &mut Expr) {
    let (ty, span) = (operand.ty.clone(), operand.span);
    let inner = operand.clone();
    *operand = Expr::new(ExprKind::Op(Op::Real, vec![inner]), ty, span);
}
