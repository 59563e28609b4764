//! Methods that make a vector or a matrix of another crate out of the elements of another one.

use super::items::Item;
use super::{Lowerer, Operand};
use crate::ir::{Expr, ExprKind, Op, Place, Projection};
use syn::spanned::Spanned;

impl Lowerer<'_> {
    /// `v.map(|x| …)` and `v.mapv(|x| …)`, through which a derivative has to pass: a copy, of which each element is replaced. That
    /// `v` is gone through as a list is, and that the method is that of its type, generated code proves; of what is no list, and of what has elements of another type afterwards,
    /// rustc says so.
    pub(super) fn elementwise(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        let is_map = ["map", "mapv"].iter().any(|name| call.method == name);
        let function = call.args.first().filter(|_| is_map && call.args.len() == 1)?;
        if !self.calls.has(&call.method) || call.turbofish.is_some() {
            return None;
        }
        let span = call.span();
        self.attempt("a method of elements", |this| {
            let source = this.unseen_elements(&call.receiver)?;
            this.note_method_of_lists(&call.method);
            let function = this.function(function, 1)?;
            let ty = this.type_of(&source);
            let whole = Expr::load(source.clone(), ty.clone(), span);
            let copy = Expr::new(ExprKind::Op(Op::Clone, vec![whole]), ty, span);
            let mapped = this.name_value("mapped", copy);
            this.mutable.insert(mapped);
            this.each_element(&Place::var(mapped), span, |this, element| {
                let Some(Projection::Index(index)) = element.projections.last() else {
                    unreachable!("an element has an index")
                };
                let place = source.index(index.clone());
                let ty = this.type_of(&place);
                let item = Item::value(Expr::load(place, ty, span));
                let value = this.inline(&function, vec![item]);
                let value = this.item_value(value);
                this.assign(element, value, span);
            });
            Some(this.load(mapped, span))
        })
    }

    /// What is gone through element by element, of a type that the macro does not see.
    fn unseen_elements(&mut self, expr: &syn::Expr) -> Option<Place> {
        let place = match self.operand(expr)? {
            Operand::Reference { place, .. } => place,
            Operand::Value(value) => self.place_of_value(value, "elements"),
        };
        self.is_unseen_list(&place).then(|| self.fixed_list(place, false, expr.span()))
    }
}
