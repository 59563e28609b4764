//! Operators on references. Everywhere else a reference is as good as what it refers to, and is lowered as that. An operator
//! on references is one of its own, which may do something else.
//!
//! So a call of an operator is handed the references that it is handed in the user's code, and its adjoint is found by them. What lowering
//! follows as one reference may be several, `&&x`: generated code proves that there is no such operator. Where it is not known
//! that an operand is a reference to a place and nothing else, it is noted, and generated code proves that it is a number.

use super::items::Item;
use super::operators::is_named_like_users;
use super::order::{Later, Operands};
use super::{Lowerer, Operand};
use crate::ir::{
    ArgKind, Callee, Expr, ExprKind, Op, Place, Resolution, StmtKind, each_expr_mut, each_stmt,
    each_stmt_mut,
};
use crate::types::{Type, Unifier};
use syn::spanned::Spanned;

/// An operand of an operator.
pub(super) struct OperatorOperand {
    pub(super) value: Expr,
    /// Whether it is a reference to the value.
    pub(super) is_reference: bool,
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

/// An operand of an operator that is a call.
pub(super) struct Handed {
    pub(super) arg: ArgKind,
    pub(super) ty: Type,
    pub(super) resolution: Resolution,
}

impl Handed {
    pub(super) fn is_reference(&self) -> bool {
        matches!(self.arg, ArgKind::Shared(_))
    }
}

impl Operands for Handed {
    fn put_aside(&mut self, lowerer: &mut Lowerer<'_>, later: &Later) {
        self.arg.put_aside(lowerer, later);
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

/// Whether the operator that is called is one on references that are taken for values.
pub(super) fn resolution_of(operands: &[Handed]) -> Resolution {
    let is_unsure = |operand: &Handed| matches!(operand.resolution, Resolution::OnReferences);
    match operands.iter().any(is_unsure) {
        true => Resolution::OnReferences,
        false => Resolution::AsNamed,
    }
}

/// Whether a type may be one of the user's, as far as is known: a number may be only assumed to be one.
fn may_be_of_user(types: &Unifier, ty: &Type) -> bool {
    match types.shallow(ty) {
        Type::Float(_) | Type::Int(_) | Type::Bool => types.is_assumed(ty),
        Type::Infer(_) | Type::Unknown => true,
        known @ Type::Named(_) => is_named_like_users(&known),
        Type::Tuple(_) | Type::Array(..) | Type::Slice(_) | Type::Vec(_) => false,
    }
}

impl Lowerer<'_> {
    /// The operands of an operator.
    pub(super) fn operands_of_operator(&mut self, exprs: &[&syn::Expr]) -> Vec<OperatorOperand> {
        self.in_order(exprs, |this, expr| this.operand_of_operator(expr))
    }

    /// An operand of an operator that is taken for one of numbers.
    pub(super) fn operand_of_operator(&mut self, expr: &syn::Expr) -> OperatorOperand {
        let item = self.item_of_operand(expr);
        let is_reference = match &item {
            Item::Operand(Operand::Reference { .. }) | Item::Lent(_) => true,
            Item::Operand(Operand::Value(_)) | Item::Tuple(_) => false,
        };
        OperatorOperand { value: self.copied_item(item), is_reference }
    }

    fn item_of_operand(&mut self, expr: &syn::Expr) -> Item {
        match super::places::strip(expr) {
            syn::Expr::Path(_) | syn::Expr::Reference(_) | syn::Expr::MethodCall(_) => {
                self.item_of(expr)
            }
            _ => Item::value(self.value(expr)),
        }
    }

    /// The operands of an operator that is a call.
    pub(super) fn handed_operands(&mut self, exprs: &[&syn::Expr]) -> Vec<Handed> {
        self.in_order(exprs, |this, expr| this.handed(expr))
    }

    /// An operand of an operator that is a call.
    pub(super) fn handed(&mut self, expr: &syn::Expr) -> Handed {
        let item = self.item_of_operand(expr);
        let (item, resolution) = match item {
            Item::Operand(Operand::Reference { place, mutable: false, span: _ })
                if self.is_single_reference(expr, &place) =>
            {
                let ty = self.type_of(&place);
                return Handed { arg: ArgKind::Shared(place), ty, resolution: Resolution::AsNamed };
            }
            item @ (Item::Operand(Operand::Reference { .. }) | Item::Lent(_)) => {
                (item, Resolution::OnReferences)
            }
            item @ (Item::Operand(Operand::Value(_)) | Item::Tuple(_)) => {
                (item, Resolution::AsNamed)
            }
        };
        let value = self.copied_item(item);
        let ty = value.ty.clone();
        Handed { arg: ArgKind::Value(value), ty, resolution }
    }

    /// Whether an operand is a reference to a place: it is written as one, `&a`, or is the name of one. Second derivatives are those of
    /// operators on values.
    fn is_single_reference(&self, expr: &syn::Expr, place: &Place) -> bool {
        let is_written = match super::places::strip(expr) {
            syn::Expr::Reference(reference) => !self.names_reference(&reference.expr),
            expr => self.names_reference(expr),
        };
        let is_twofold = place.is_whole() && self.twofold.contains(place.root);
        is_written && !is_twofold && self.options.second_order.is_none()
    }

    /// The operands of a compound assignment by an operator of the user's.
    pub(super) fn operands_of_statement(
        &mut self,
        left: &syn::Expr,
        right: &syn::Expr,
    ) -> Option<(Place, Handed)> {
        let mut place = self.place(left)?;
        let mut operand = self.after(&mut place, |this| this.handed(right));
        if self.names_reference(left) {
            operand.resolution = Resolution::OnReferences;
        }
        Some((place, operand))
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

    /// The same of the references of an item.
    pub(super) fn note_referents(&mut self, item: &Item) {
        match item {
            Item::Operand(operand) => self.note_referent(operand),
            Item::Tuple(parts) => parts.iter().for_each(|part| self.note_referents(part)),
            Item::Lent(lent) => {
                let span = item.span();
                let ty = self.item_type(lent);
                if !self.is_number(&ty) {
                    self.referents.push((ty, span));
                }
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
            let may_have_operators = ty == Type::Unknown || self.names_user_type(&ty);
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
