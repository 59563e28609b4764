//! The types of what calls return, by the variables that take it as it is: where nothing in a call tells the parameters of the type that a
//! function belongs to, `Pair::new(x, y)`, the caller does. Variables are declared with these types, which rustc proves.

use super::Lowerer;
use super::generics::is_number_of_trait;
use crate::index::{BitSet, Var};
use crate::ir::{ArgKind, Body, Expr, ExprKind, Stmt, StmtKind, each_stmt};
use crate::types::Type;
use proc_macro2::{Span, TokenStream};
use std::collections::HashMap;

/// Declares the results of calls as what takes them is declared.
pub(super) fn declare_results(body: &mut Body) {
    let mut results: BitSet<Var> = BitSet::new();
    let mut told: Vec<(Var, TokenStream)> = Vec::new();
    each_stmt(&body.block, &mut |stmt: &Stmt| {
        if let StmtKind::Call(call) = &stmt.kind
            && call.carrier.is_none()
        {
            results.extend(call.result);
        }
    });
    each_stmt(&body.block, &mut |stmt: &Stmt| {
        let (taker, value) = match &stmt.kind {
            StmtKind::Let { var, value: Some(value) } => (*var, value),
            StmtKind::Assign { place, value } if place.is_whole() => (place.root, value),
            _ => return,
        };
        if let Some(var) = value.as_var().filter(|var| results.contains(*var))
            && body.vars[var].declared.is_none()
            && let Some(ty) = &body.vars[taker].declared
        {
            told.push((var, ty.clone()));
        }
    });
    for (var, ty) in told {
        body.vars[var].declared.get_or_insert(ty);
    }
}

impl Lowerer<'_> {
    /// Refuses numbers that a trait has for all types, `Zero::zero()`, if they are handed to functions and nothing tells the type: generated
    /// code copies what it hands on, and a copy is made of what has a type.
    pub(super) fn refuse_numbers_without_types(&self) {
        for span in numbers_without_types(&self.body) {
            self.errors.report(
                span,
                "the macro cannot see the type of this number",
                "say it: `T::zero()`, or `let zero: T = Zero::zero();`",
            );
        }
    }
}

fn numbers_without_types(body: &Body) -> Vec<Span> {
    let mut numbers: HashMap<Var, Span> = HashMap::new();
    let mut found = Vec::new();
    each_stmt(&body.block, &mut |stmt: &Stmt| match &stmt.kind {
        StmtKind::Let { var, value: Some(value) } => {
            let number = number_without_type(body, value, &numbers);
            numbers.extend(number.filter(|_| is_untold(body, *var)).map(|span| (*var, span)));
        }
        StmtKind::Call(call) => {
            found.extend(call.args.iter().filter_map(|arg| match &arg.kind {
                ArgKind::Value(value) => number_without_type(body, value, &numbers),
                ArgKind::Shared(_) | ArgKind::Exclusive(_) | ArgKind::Omitted => None,
            }));
        }
        _ => {}
    });
    found
}

/// Where such a number comes from, if that is what an expression is.
fn number_without_type(body: &Body, value: &Expr, numbers: &HashMap<Var, Span>) -> Option<Span> {
    match &value.kind {
        ExprKind::Opaque(opaque) if matches!(value.ty, Type::Unknown | Type::Infer(_)) => {
            is_number_of_trait(&opaque.tokens).then_some(value.span)
        }
        _ => {
            let var = value.as_var().filter(|var| is_untold(body, *var))?;
            numbers.get(&var).copied()
        }
    }
}

fn is_untold(body: &Body, var: Var) -> bool {
    let variable = &body.vars[var];
    matches!(variable.ty, Type::Unknown | Type::Infer(_)) && variable.declared.is_none()
}
