//! Values that stand for nothing: initial values of variables, zeros of bars.

use crate::index::Var;
use crate::ir::{
    ArgKind, Callee, Change, Expr, ExprKind, Op, Place, Resize, Stmt, StmtKind, Sweep,
};
use crate::types::Type;

/// Some value for a variable that gets its real value elsewhere, or never. rustc does not see that it
/// is read only under the condition under which it has been written.
pub(super) fn unset(ty: &Type) -> Expr {
    Expr::placeholder(ty).unwrap_or_else(|| Expr::op(Op::Placeholder, Vec::new(), ty.clone()))
}

/// The zero bar of a value of a type, given what [reification](crate::reify) says of its shape if
/// that is dynamic: a length for a list of scalars, a shape otherwise.
pub(super) fn zero_bar(ty: &Type, shape: Option<Expr>) -> Expr {
    match (ty, shape) {
        (Type::Vec(element) | Type::Slice(element), Some(len)) if len.ty == Type::USIZE => {
            Expr::op(
                Op::VecRepeat,
                vec![
                    Expr::placeholder(element).expect("lists with a length are lists of scalars"),
                    len,
                ],
                Type::vec(ty.element().cloned().expect("a list")),
            )
        }
        (Type::Slice(element), Some(shape)) => {
            Expr::op(Op::ZeroBar, vec![shape], Type::Vec(element.clone()))
        }
        (ty, Some(shape)) => Expr::op(Op::ZeroBar, vec![shape], ty.clone()),
        (ty, None) => Expr::placeholder(ty).expect("types without a shape have a placeholder"),
    }
}

/// Where a statement would move the value of a variable, it takes a clone instead if the variable is
/// one whose value is still wanted.
pub(super) fn clone_wanted(stmt: &mut Stmt, is_wanted: &dyn Fn(Var) -> bool) {
    clone_moved(stmt, &|load, place| {
        // Nothing is moved out of what a function lends.
        let stays = is_wanted(place.root) || place.is_in_variant();
        let clone = ExprKind::Op(Op::Clone, vec![load.clone()]);
        (stays && !load.ty.is_copy()).then(|| Expr::new(clone, load.ty.clone(), load.span))
    });
}

/// Where a statement would move a value, it takes what is given for that instead, if anything.
pub(super) fn clone_moved(stmt: &mut Stmt, clone: &dyn Fn(&Expr, &Place) -> Option<Expr>) {
    match &mut stmt.kind {
        StmtKind::Let { var: _, value: Some(value) } | StmtKind::Assign { place: _, value } => {
            clone_moved_in(value, clone);
        }
        // The elements of another list are copied; those of an array are moved.
        StmtKind::Resize(Resize { list: _, change: Change::Extend(items), len: _ })
            if items.as_place().is_none() =>
        {
            clone_moved_in(items, clone);
        }
        StmtKind::Call(call) => {
            let refers = matches!(call.sweep, Sweep::Backward { .. })
                && !matches!(call.callee, Callee::Given);
            for arg in &mut call.args {
                if let ArgKind::Value(value) = &mut arg.kind {
                    // What a backward sweep is called with is referred to, but for one that users write.
                    if !(refers && value.as_place().is_some()) {
                        clone_moved_in(value, clone);
                    }
                }
            }
        }
        StmtKind::Let { var: _, value: None }
        | StmtKind::Increment { .. }
        | StmtKind::Reset { .. }
        | StmtKind::Resize(_)
        | StmtKind::Swap { .. }
        | StmtKind::Bind { .. }
        | StmtKind::Opaque(_)
        | StmtKind::If { .. }
        | StmtKind::Loop(_)
        | StmtKind::Block { .. }
        | StmtKind::Exit { .. }
        | StmtKind::Push { .. }
        | StmtKind::Pop { .. } => {}
    }
}

fn clone_moved_in(value: &mut Expr, clone: &dyn Fn(&Expr, &Place) -> Option<Expr>) {
    if let ExprKind::Load(place) = &value.kind
        && let Some(copy) = clone(value, place)
    {
        *value = copy;
        return;
    }
    match &mut value.kind {
        ExprKind::Op(
            Op::Tuple
            | Op::Boxed
            | Op::Struct(..)
            | Op::Array
            | Op::Vec
            | Op::Repeat(_)
            | Op::VecRepeat
            | Op::Select,
            args,
        ) => {
            args.iter_mut().for_each(|arg| clone_moved_in(arg, clone));
        }
        ExprKind::Load(_)
        | ExprKind::Literal(_)
        | ExprKind::Op(..)
        | ExprKind::Opaque(_)
        | ExprKind::Guard(_) => {}
    }
}
