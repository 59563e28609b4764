//! Operators of user types: calls of functions that rustc finds by the types of the operands.
//!
//! Whether an operand is a number is often known only when everything has been lowered. So operators
//! are taken for those of numbers first; those that have turned out to be others are calls when the
//! function is lowered again.

use super::Lowerer;
use super::calls::OnFailure;
use super::on_references::{Handed, bare, resolution_of};
use crate::index::Var;
use crate::ir::{
    ArgKind, BinaryOp, ByReference, Call, Callee, Expr, Operator, Place, StmtKind, UnaryOp,
};
use crate::options::HAS_ARRAYS;
use crate::types::Type;
use proc_macro2::{Ident, Span};
use std::rc::Rc;
use syn::spanned::Spanned;

/// The types of the operands and of the result of an operator.
#[derive(Clone)]
pub(super) struct Operation {
    /// The operator and where it stands.
    name: Ident,
    operator: Operator,
    types: Vec<Type>,
    /// Whether an operand comes from a function of a type of the user's.
    is_of_user: bool,
}

/// Names by which types of floats go.
const FLOAT_NAMES: [&str; 10] =
    ["Real", "Float", "Scalar", "Number", "Num", "Double", "FloatType", "F", "FP", "Precision"];

/// The name of the operator that yields the value of an expression, if one does.
pub(super) fn operator_of(expr: &syn::Expr) -> Option<Ident> {
    match expr {
        syn::Expr::Binary(binary) => {
            let op = super::expr::binary_op(&binary.op)?;
            Some(name_of(Operator::Binary(op), span_of(&binary.op)))
        }
        syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => {
            Some(name_of(Operator::Unary(UnaryOp::Neg), unary.op.span()))
        }
        _ => None,
    }
}

impl Lowerer<'_> {
    /// An operator, if it is a call.
    pub(super) fn operator_call(
        &mut self,
        operator: Operator,
        name: &Ident,
        operands: &[&syn::Expr],
    ) -> Option<Expr> {
        if !self.calls.has(name) {
            return None;
        }
        let span = name.span();
        let operands = self.handed_operands(operands);
        let resolution = resolution_of(&operands);
        for operand in &operands {
            self.may_be_of_user(&operand.ty);
        }
        let types: Vec<Type> = operands.iter().map(|operand| operand.ty.clone()).collect();
        let by_reference = ByReference::among(&operands, Handed::is_reference);
        let told = self.declared_operation(operator, by_reference, &types);
        let mut args: Vec<ArgKind> = operands.into_iter().map(|operand| operand.arg).collect();
        self.separate(&mut args);
        let ty = self.types.fresh();
        let result = self.body.local(&format!("{}_value", operator.method()), ty, span);
        self.emit_call(
            Callee::Operator(operator),
            name,
            args,
            Some(result),
            OnFailure::Impossible,
            span,
        );
        self.last_call().resolution = resolution;
        self.declare_as(result, told.as_ref());
        self.results.insert(result);
        self.of_users.insert(result);
        Some(self.load(result, span))
    }

    /// `place op= value`, as a call.
    pub(super) fn operator_statement(
        &mut self,
        op: BinaryOp,
        name: &Ident,
        (place, operand): (Place, Handed),
    ) {
        self.may_be_of_user(&operand.ty);
        let resolution = operand.resolution;
        let mut args = vec![operand.arg];
        self.separate(&mut args);
        args.insert(0, ArgKind::Exclusive(place));
        let callee = Callee::Operator(Operator::Assign(op));
        self.emit_call(callee, name, args, None, OnFailure::Impossible, name.span());
        self.last_call().resolution = resolution;
    }

    /// The call that was emitted last.
    pub(super) fn last_call(&mut self) -> &mut Call {
        let mut calls = self.out.iter_mut().rev().filter_map(|stmt| match &mut stmt.kind {
            StmtKind::Call(call) => Some(call),
            _ => None,
        });
        calls.next().expect("a call was emitted")
    }

    /// Notes what a function of a type returned. In functions with second derivatives that is taken for a number unless it has the name of
    /// another type; generated code proves that.
    pub(super) fn note_of_user(&mut self, result: Option<Var>) {
        if self.options.second_order.is_none() {
            self.of_users.extend(result);
        }
    }

    /// Whether a value of a type that is not seen may be an array, whose elements have the functions of floats: a function of a type of
    /// the user's has returned it.
    pub(super) fn may_be_array(&self, value: &Expr) -> bool {
        let place = bare(value).as_place();
        HAS_ARRAYS && place.is_some_and(|place| self.of_users.contains(place.root))
    }

    /// An operand of a call may have been computed by another operator of the same types.
    fn may_be_of_user(&mut self, ty: &Type) {
        let may_be = |operation: &Operation| {
            operation.operator.is_arithmetic()
                && matches!(ty, Type::Infer(_))
                && operation.types.last() == Some(ty)
        };
        if self.operations.iter().any(|operation| may_be(operation)) {
            for operation in self.operations.iter_mut().filter(|operation| may_be(operation)) {
                Rc::make_mut(operation).is_of_user = true;
            }
        }
    }

    /// Notes an operator that is taken for one of numbers.
    pub(super) fn note_operation(
        &mut self,
        operator: Operator,
        name: Ident,
        operands: &[&Expr],
        result: &Type,
    ) {
        // Integers and truth values have the others, too, and no adjoint: there a type has to be seen.
        let is_of_user = operator.is_arithmetic()
            && operands.iter().any(|operand| {
                bare(operand).as_place().is_some_and(|place| self.of_users.contains(place.root))
            });
        let types = operands.iter().map(|operand| operand.ty.clone()).chain([result.clone()]);
        let types = types.collect();
        self.operations.push(Rc::new(Operation { name, operator, types, is_of_user }));
    }

    /// Whether something is a part of what was taken for a number: it is none.
    fn has_parts(&self, ty: &Type) -> bool {
        let is_owner = |owner: &Type| self.types.are_one(owner, ty);
        self.types.is_assumed(ty) && self.parts.iter().any(|part| is_owner(&part.owner))
    }

    /// Whether a type has a name that is none of a float and none of text, or that the files declare to be another type.
    pub(super) fn names_user_type(&self, ty: &Type) -> bool {
        let Type::Named(name) = ty else { return false };
        let declared = &self.options.declared;
        is_named_like_users(ty) || declared.is_derived(name) || declared.is_bare(name)
    }

    /// The operators that are none of numbers, as far as is known now.
    pub(super) fn operators_of_users(&self) -> Vec<Ident> {
        let is_users = |operation: &&Operation| {
            let types = operation.types.iter().map(|ty| self.types.resolve(ty));
            let types: Vec<Type> = types.collect();
            let is_number = |ty: &Type| matches!(ty, Type::Float(_) | Type::Int(_) | Type::Bool);
            let all_numbers = || {
                operation
                    .types
                    .iter()
                    .zip(&types)
                    .all(|(ty, resolved)| is_number(resolved) && !self.types.is_assumed(ty))
            };
            let has_parts = || {
                operation.operator.is_arithmetic()
                    && operation.types.iter().any(|ty| self.has_parts(ty))
            };
            types.iter().any(|ty| self.names_user_type(ty))
                || operation.is_of_user && !all_numbers()
                || has_parts()
        };
        let found = self.operations.iter().map(|operation| &**operation).filter(is_users);
        found.map(|operation| operation.name.clone()).collect()
    }
}

/// Whether a type has a name that is none of a float and none of text.
pub(super) fn is_named_like_users(ty: &Type) -> bool {
    let Type::Named(name) = ty else { return false };
    let last = name.split("::").last().unwrap_or_default().trim();
    last.starts_with(char::is_uppercase)
        && !FLOAT_NAMES.contains(&last)
        && !matches!(last, "String" | "Duration" | "Instant" | "Wrapping")
}

/// The name of an operator, where it stands.
pub(super) fn name_of(operator: Operator, span: Span) -> Ident {
    Ident::new(&format!("operator_{}", operator.method()), span)
}

/// The span of a binary operator.
pub(super) fn span_of(op: &syn::BinOp) -> Span {
    op.span()
}
