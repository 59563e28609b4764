//! Operators on references. Everywhere else a reference is as good as what it refers to, and is lowered as that. An operator
//! on references is one of its own, which may do something else: that it does not, only numbers are known for. So it is noted
//! which operands were references, and generated code proves that these are numbers.

use super::items::Item;
use super::operators::names_user_type;
use super::order::{Later, Operands};
use super::{Lowerer, Operand};
use crate::ir::{
    Callee, Expr, ExprKind, Op, Place, Resolution, StmtKind, each_expr_mut, each_stmt,
    each_stmt_mut,
};
use crate::types::{Type, Unifier};
use syn::spanned::Spanned;

/// An operand of an operator.
pub(super) struct OperatorOperand {
    pub(super) value: Expr,
    /// Whether it is a reference to the value.
    is_reference: bool,
}

impl OperatorOperand {
    /// The operand where the operator is taken for one of numbers.
    pub(super) fn proved(self, types: &Unifier) -> Expr {
        let Self { value, is_reference } = self;
        match is_reference && may_be_of_user(types, &value.ty) {
            true => {
                let (ty, span) = (value.ty.clone(), value.span);
                Expr::new(ExprKind::Op(Op::Number, vec![value]), ty, span)
            }
            false => value,
        }
    }
}

impl Operands for OperatorOperand {
    fn put_aside(&mut self, lowerer: &mut Lowerer<'_>, later: &Later) {
        self.value.put_aside(lowerer, later);
    }
}

/// An operand without the proof that it is a number.
pub(super) fn bare(operand: &Expr) -> &Expr {
    match &operand.kind {
        ExprKind::Op(Op::Number, args) => &args[0],
        ExprKind::Op(..) | ExprKind::Load(_) | ExprKind::Literal(_) => operand,
        ExprKind::Opaque(_) | ExprKind::Guard(_) => operand,
    }
}

/// Which operator of its name is called: what is lowered is the one on values.
pub(super) fn resolution_of(operands: &[OperatorOperand]) -> Resolution {
    match operands.iter().any(|operand| operand.is_reference) {
        true => Resolution::OnReferences,
        false => Resolution::AsNamed,
    }
}

/// Whether a type may be one of the user's, as far as is known: a number may be only assumed to be one.
fn may_be_of_user(types: &Unifier, ty: &Type) -> bool {
    match types.shallow(ty) {
        Type::Float(_) | Type::Int(_) | Type::Bool => types.is_assumed(ty),
        Type::Infer(_) | Type::Unknown => true,
        known @ Type::Named(_) => names_user_type(&known),
        Type::Tuple(_) | Type::Array(..) | Type::Slice(_) | Type::Vec(_) => false,
    }
}

impl Lowerer<'_> {
    /// The operands of an operator.
    pub(super) fn operands_of_operator(&mut self, exprs: &[&syn::Expr]) -> Vec<OperatorOperand> {
        self.in_order(exprs, |this, expr| this.operand_of_operator(expr))
    }

    /// An operand of an operator.
    pub(super) fn operand_of_operator(&mut self, expr: &syn::Expr) -> OperatorOperand {
        let item = match super::places::strip(expr) {
            syn::Expr::Path(_) | syn::Expr::Reference(_) | syn::Expr::MethodCall(_) => {
                self.item_of(expr)
            }
            _ => Item::value(self.value(expr)),
        };
        let is_reference = match &item {
            Item::Operand(Operand::Reference { .. }) | Item::Lent(_) => true,
            Item::Operand(Operand::Value(_)) | Item::Tuple(_) => false,
        };
        OperatorOperand { value: self.item_value(item), is_reference }
    }

    /// The operands of a compound assignment by an operator of the user's.
    pub(super) fn operands_of_statement(
        &mut self,
        left: &syn::Expr,
        right: &syn::Expr,
    ) -> Option<((Place, Expr), Resolution)> {
        let mut place = self.place(left)?;
        let mut operand = self.after(&mut place, |this| this.operand_of_operator(right));
        operand.is_reference |= self.names_reference(left);
        let resolution = resolution_of(std::slice::from_ref(&operand));
        Some(((place, operand.value), resolution))
    }

    /// Whether an expression is the name of a reference.
    pub(super) fn names_reference(&self, expr: &syn::Expr) -> bool {
        let syn::Expr::Path(path) = super::places::strip(expr) else { return false };
        let var = path.path.get_ident().and_then(|name| self.find(&name.to_string()));
        var.is_some_and(|var| self.is_reference(var))
    }

    /// Notes that a reference was taken for what it refers to, but not as an operand of an operator.
    pub(super) fn note_referent(&mut self, operand: &Operand) {
        if let Operand::Reference { place, mutable: _, span } = operand {
            let ty = self.type_of(place);
            if !self.is_number(&ty) {
                self.referents.push((ty, *span));
            }
        }
    }

    /// The same of a reference to a reference, which is taken for that.
    pub(super) fn note_reference_to_reference(&mut self, referent: &syn::Expr) {
        if self.names_reference(referent)
            && let Some(place) = self.place(referent)
        {
            let span = referent.span();
            self.note_referent(&Operand::Reference { place, mutable: false, span });
        }
    }

    /// Refuses references that were taken for values, where there are operators of a type of the user's: such a value may be
    /// an operand of one by then.
    pub(super) fn refuse_referents(&mut self) {
        let mut has_operators = false;
        each_stmt(&self.body.block, &mut |stmt| {
            let StmtKind::Call(call) = &stmt.kind else { return };
            has_operators |= matches!(call.callee, Callee::Operator(_));
        });
        for (ty, span) in std::mem::take(&mut *self.referents) {
            let ty = self.types.resolve(&ty);
            let may_have_operators = ty == Type::Unknown || names_user_type(&ty);
            if has_operators && may_have_operators {
                self.errors.report(
                    span,
                    "a reference in the place of a value is not supported where a user's type has operators",
                    "those on references may be others than those on values: write the value, `*r` or `r.clone()`",
                );
            }
        }
    }

    /// What has turned out to be a number needs no proof.
    pub(super) fn drop_needless_proofs(&mut self) {
        let types = &self.types;
        each_stmt_mut(&mut self.body.block, &mut |stmt| {
            each_expr_mut(stmt, &mut |expr| drop_needless_proof(types, expr));
        });
    }
}

fn drop_needless_proof(types: &Unifier, expr: &mut Expr) {
    let ExprKind::Op(op, args) = &mut expr.kind else { return };
    args.iter_mut().for_each(|arg| drop_needless_proof(types, arg));
    if matches!(op, Op::Number) && !may_be_of_user(types, &args[0].ty) {
        *expr = args.remove(0);
    }
}
