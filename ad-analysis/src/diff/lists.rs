//! Adjoints that take a loop over the elements of a list.

use super::assignment::{Assignment, Bar};
use super::backward::Backward;
use crate::analyses::Side;
use crate::ir::{BinaryOp, Expr, Loop, LoopKind, Op, Place, Range, Stmt, StmtKind, Target};
use crate::types::Type;

impl Backward<'_> {
    /// `[e; n]`: the bar of `e` is the sum of the bars of the elements.
    pub(super) fn visit_repeated(&mut self, at: &mut Assignment<'_>, element: &Expr, bar: &Place) {
        let span = at.span;
        if element.ty.has_dynamic_shape() {
            // A sum has no shape before the first of them.
            let repetition = self.for_each(at, bar, |this, at, index| {
                this.visit(at, element, Bar::Place(bar.index(index)), false);
            });
            at.out.push(repetition);
            return;
        }
        // Elements of unknown type are an error already, or become one when types are proved.
        let Some(zero) = Expr::placeholder(&element.ty) else { return };
        let sum = self.bar_variable("sum", element.ty.clone(), span);
        at.out.push(self.emit(StmtKind::Let { var: sum, value: Some(zero) }, span));
        let repetition = self.for_each(at, bar, |this, at, index| {
            let value = Expr::load(bar.index(index), element.ty.clone(), span);
            at.out.push(this.emit(StmtKind::Increment { place: Place::var(sum), value }, span));
        });
        at.out.push(repetition);
        self.visit(at, element, Bar::Place(Place::var(sum)), false);
    }

    /// What a partial that the user gives contributes. It may be infinite.
    pub(super) fn visit_given(
        &mut self,
        at: &mut Assignment<'_>,
        partial: &Expr,
        arg: &Expr,
        bar: &Bar,
    ) {
        self.where_active(at, arg, |this, at| {
            let bar = this.value_of(bar);
            let partial = this.operand(at, partial);
            let weighted = |partial| {
                let product = Expr::binary(BinaryOp::Mul, bar.clone(), partial);
                Expr::strongly(&bar, product)
            };
            let Some(element) = arg.ty.element().cloned() else {
                let product = weighted(partial);
                return this.visit(at, arg, Bar::Value(product), false);
            };
            let (Some(list), Some(partials)) = (arg.as_place(), partial.as_place()) else {
                unreachable!("a parameter and the list of its partials")
            };
            let list = this.read_place(list, at.point, Side::Before);
            let Some(target) = this.bar_place(&list) else { return };
            let span = at.span;
            let repetition = this.for_each(at, &target, |this, at, index| {
                let partial = Expr::load(partials.index(index.clone()), element.clone(), span);
                let (place, value) = (target.index(index), weighted(partial));
                at.out.push(this.emit(StmtKind::Increment { place, value }, span));
            });
            at.out.push(repetition);
        });
    }

    /// A loop over the indices of a list, with what `body` adds to the statements under construction.
    fn for_each<'p>(
        &mut self,
        at: &mut Assignment<'p>,
        list: &Place,
        body: impl FnOnce(&mut Self, &mut Assignment<'p>, Expr),
    ) -> Stmt {
        let span = at.span;
        let var = self.out.local("k", Type::USIZE, span);
        let index = self.out.load(var);
        let before = std::mem::take(&mut at.out);
        body(self, at, index);
        let stmts = std::mem::replace(&mut at.out, before);
        let body = self.out.new_block(stmts);
        let whole = Expr::load(list.clone(), self.out.place_type(list), span);
        let end = Expr::op(Op::Len, vec![whole], Type::USIZE);
        let range = Range { start: Expr::usize(0), end, inclusive: false, adaptors: Vec::new() };
        let target = Target { label: self.out.numbering.label(), exit: None };
        let kind = LoopKind::Counted { var, range };
        self.emit(StmtKind::Loop(Loop { target, kind, trips: None, body }), span)
    }
}
