//! The types of what calls return, by the variables that take it as it is: where nothing in a call tells the parameters of the type that a
//! function belongs to, `Pair::new(x, y)`, the caller does. Variables are declared with these types, which rustc proves.

use super::Lowerer;
use super::generics::is_number_of_trait;
use crate::index::{BitSet, Var};
use crate::ir::{ArgKind, Body, Expr, ExprKind, Stmt, StmtKind, each_stmt};
use crate::types::{FloatKind, Type};
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
    // What a list takes has the type of its elements.
    for var in results.iter() {
        if let Type::Named(name) = &body.vars[var].ty
            && name.contains('<')
            && !name.contains('_')
            && body.vars[var].declared.is_none()
        {
            body.vars[var].declared = name.spelled().parse().ok();
        }
    }
}

/// A number that a trait has for all types, `Zero::zero()`, and is handed to a function, while nothing tells its type.
struct Untold {
    ty: Type,
    span: Span,
}

impl Lowerer<'_> {
    /// Takes numbers without a type that are handed to functions for those of the type parameter that stands for a float, if there is one only.
    /// Variables are declared with that type, so rustc refuses it where it is another one.
    pub(super) fn tell_numbers_of_traits(&mut self) {
        let [only] = self.float_params.as_slice() else { return };
        let parameter = Type::Float(FloatKind::Generic(only.as_str().into()));
        for number in untold_numbers(&self.body, &|ty| self.types.is_open(ty)) {
            self.types.unify(&number.ty, &parameter);
        }
    }

    /// Refuses the others: generated code copies what it hands on, and a copy is made of what has a type.
    pub(super) fn refuse_numbers_without_types(&self) {
        let is_open = |ty: &Type| matches!(ty, Type::Unknown | Type::Infer(_));
        for number in untold_numbers(&self.body, &is_open) {
            self.errors.report(
                number.span,
                "the macro cannot see the type of this number",
                "say it: `T::zero()`, or `let zero: T = Zero::zero();`",
            );
        }
    }
}

fn untold_numbers(body: &Body, is_open: &dyn Fn(&Type) -> bool) -> Vec<Untold> {
    let mut numbers: HashMap<Var, Span> = HashMap::new();
    let mut found = Vec::new();
    each_stmt(&body.block, &mut |stmt: &Stmt| match &stmt.kind {
        StmtKind::Let { var, value: Some(value) } => {
            let number = untold_number(body, value, &numbers, is_open);
            let number = number.filter(|_| is_untold(body, *var, is_open));
            numbers.extend(number.map(|span| (*var, span)));
        }
        StmtKind::Call(call) => {
            found.extend(call.args.iter().filter_map(|arg| match &arg.kind {
                ArgKind::Value(value) => {
                    let span = untold_number(body, value, &numbers, is_open)?;
                    Some(Untold { ty: value.ty.clone(), span })
                }
                ArgKind::Shared(_) | ArgKind::Exclusive(_) | ArgKind::Omitted => None,
            }));
        }
        _ => {}
    });
    found
}

/// Where such a number comes from, if that is what an expression is.
fn untold_number(
    body: &Body,
    value: &Expr,
    numbers: &HashMap<Var, Span>,
    is_open: &dyn Fn(&Type) -> bool,
) -> Option<Span> {
    match &value.kind {
        ExprKind::Opaque(opaque) if is_open(&value.ty) => {
            is_number_of_trait(&opaque.tokens).then_some(value.span)
        }
        _ => {
            let var = value.as_var().filter(|var| is_untold(body, *var, is_open))?;
            numbers.get(&var).copied()
        }
    }
}

fn is_untold(body: &Body, var: Var, is_open: &dyn Fn(&Type) -> bool) -> bool {
    let variable = &body.vars[var];
    is_open(&variable.ty) && variable.declared.is_none()
}
