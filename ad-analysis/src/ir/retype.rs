//! The types in a body, to be replaced by what is found out later.

use super::syntax::*;
use super::values::*;
use super::visit::{each_expr_mut, each_stmt_mut, exprs_in_place_mut};
use crate::types::{Number, Type};
use std::rc::Rc;

impl Body {
    /// Visits the types of all variables, expressions and parts of values.
    pub fn each_type_mut(&mut self, visit: &mut dyn FnMut(&mut Type)) {
        for var in self.vars.indices() {
            let variable = &mut self.vars[var];
            visit(&mut variable.ty);
            if let Binding::View(view) = &variable.binding {
                let mut view = View::clone(&**view);
                exprs_in_place_mut(&mut view.place, &mut |index| types_in(index, visit));
                variable.binding = Binding::View(Rc::new(view));
            }
        }
        each_stmt_mut(&mut self.block, &mut |stmt| {
            each_expr_mut(stmt, &mut |expr| types_in(expr, visit));
        });
        self.parts.types_mut().for_each(visit);
    }

    /// Gives the numbers of unknown types others, from `first` on.
    pub fn renumber(&mut self, first: u32) {
        self.each_type_mut(&mut |ty| {
            *ty = ty.with_numbers(&|Number(number)| Number(number + first));
        });
        self.numbering.numbers += first;
    }
}

fn types_in(expr: &mut Expr, visit: &mut dyn FnMut(&mut Type)) {
    visit(&mut expr.ty);
    match &mut expr.kind {
        ExprKind::Load(place) => exprs_in_place_mut(place, &mut |index| types_in(index, visit)),
        ExprKind::Op(_, args) => args.iter_mut().for_each(|arg| types_in(arg, visit)),
        ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {}
    }
}
