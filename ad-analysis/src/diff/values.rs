//! Values that stand for nothing: initial values of variables, zeros of bars.

use crate::index::Var;
use crate::ir::{ArgKind, Expr, ExprKind, Op, Stmt, StmtKind};
use crate::types::Type;
use proc_macro2::Span;

/// Some value of a type, zero where it is a number. `None` if no value can be made from the type
/// alone.
pub(super) fn placeholder(ty: &Type) -> Option<Expr> {
    let make = |op, args| Some(Expr::new(ExprKind::Op(op, args), ty.clone(), Span::call_site()));
    match ty {
        Type::Float(_) => Some(Expr::zero(ty.clone())),
        Type::Int(_) => Some(Expr::literal("0", ty.clone())),
        Type::Bool => Some(Expr::literal("false", Type::Bool)),
        Type::Array(element, len) => make(Op::Repeat(len.clone()), vec![placeholder(element)?]),
        Type::Vec(_) => make(Op::Vec, Vec::new()),
        Type::Tuple(fields) => {
            make(Op::Tuple, fields.iter().map(placeholder).collect::<Option<_>>()?)
        }
        Type::Slice(_) | Type::Named(_) | Type::Unknown | Type::Infer(_) => None,
    }
}

/// Some value for a variable that gets its real value elsewhere, or never. rustc does not see that it
/// is read only under the condition under which it has been written.
pub(super) fn unset(ty: &Type) -> Expr {
    placeholder(ty).unwrap_or_else(|| Expr::op(Op::Placeholder, Vec::new(), ty.clone()))
}

/// The zero bar of a value of a type, given what [reification](crate::reify) says of its shape if
/// that is dynamic: a length for a list of scalars, a shape otherwise.
pub(super) fn zero_bar(ty: &Type, shape: Option<Expr>) -> Expr {
    match (ty, shape) {
        (Type::Vec(element) | Type::Slice(element), Some(len)) if len.ty == Type::USIZE => {
            Expr::op(
                Op::VecRepeat,
                vec![placeholder(element).expect("lists with a length are lists of scalars"), len],
                Type::vec(ty.element().cloned().expect("a list")),
            )
        }
        (ty, Some(shape)) => Expr::op(Op::ZeroBar, vec![shape], ty.clone()),
        (ty, None) => placeholder(ty).expect("types without a shape have a placeholder"),
    }
}

/// Where a statement would move the value of a variable, it takes a clone instead if the variable is
/// one whose value is still wanted.
pub(super) fn clone_moved(stmt: &mut Stmt, is_wanted: &dyn Fn(Var) -> bool) {
    match &mut stmt.kind {
        StmtKind::Let { var: _, value: Some(value) } | StmtKind::Assign { place: _, value } => {
            clone_moved_in(value, is_wanted);
        }
        StmtKind::Call(call) => {
            for arg in &mut call.args {
                if let ArgKind::Value(value) = &mut arg.kind {
                    clone_moved_in(value, is_wanted);
                }
            }
        }
        StmtKind::Let { var: _, value: None }
        | StmtKind::Increment { .. }
        | StmtKind::Reset { .. }
        | StmtKind::Bind { .. }
        | StmtKind::Opaque(_)
        | StmtKind::If { .. }
        | StmtKind::Loop(_)
        | StmtKind::Block { .. }
        | StmtKind::Exit { .. }
        | StmtKind::Region { .. }
        | StmtKind::Push { .. }
        | StmtKind::Pop { .. } => {}
    }
}

fn clone_moved_in(value: &mut Expr, is_wanted: &dyn Fn(Var) -> bool) {
    match &mut value.kind {
        ExprKind::Load(place) => {
            if is_wanted(place.root) && !value.ty.is_copy() {
                let load = value.clone();
                *value =
                    Expr::new(ExprKind::Op(Op::Clone, vec![load]), value.ty.clone(), value.span);
            }
        }
        ExprKind::Op(Op::Tuple | Op::Struct(..) | Op::Array | Op::Vec, args) => {
            args.iter_mut().for_each(|arg| clone_moved_in(arg, is_wanted));
        }
        ExprKind::Literal(_) | ExprKind::Op(..) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {}
    }
}
