//! Where a value of the primal is found in the backward sweep.

use super::Backward;
use crate::analyses::{Recomputation, Side};
use crate::index::{Point, Var};
use crate::ir::{BinaryOp, Expr, ExprKind, Place, Projection};

impl Backward<'_> {
    /// The variable that holds what an operand of a repeated definition held, if the operand is
    /// repeated for it. Otherwise the operand has its value there.
    pub(super) fn repeated_value(
        &self,
        recomputation: &Recomputation,
        operand: Var,
        point: Point,
        side: Side,
    ) -> Option<Var> {
        if !recomputation.repeated.contains(&operand) {
            return None;
        }
        let id = self.facts.needed.repeated(operand, point, side)?;
        self.repeated.iter().rev().find_map(|scope| scope.get(&id).map(|(var, _)| *var))
    }

    /// An expression of the primal, as the backward sweep evaluates it on a side of a point.
    pub(in crate::diff) fn read(&mut self, expr: &Expr, point: Point, side: Side) -> Expr {
        self.substitute(expr, &mut |this, var| this.source(var, point, side))
    }

    /// The variable that the backward sweep reads instead of one of the primal.
    pub(super) fn source(&self, var: Var, point: Point, side: Side) -> Option<Var> {
        if side == Side::After
            && let Some(&captured) = self.captured.get(&var)
        {
            return Some(captured);
        }
        let id = self.facts.needed.source(var, point, side)?;
        self.repeated.iter().rev().find_map(|scope| scope.get(&id).map(|(var, _)| *var))
    }

    /// Whether parts of a variable may be read from a repeated definition: nothing else can be, and
    /// its value is never put aside.
    fn is_verbatim(&self, var: Var) -> bool {
        !self.captured.contains_key(&var)
    }

    pub(super) fn substitute(
        &mut self,
        expr: &Expr,
        source: &mut dyn FnMut(&mut Self, Var) -> Option<Var>,
    ) -> Expr {
        let kind = match &expr.kind {
            ExprKind::Load(place) => {
                let place = self.primal.resolve(place);
                let mut place = self.substitute_indices(&place, source);
                if (place.is_whole() || self.is_verbatim(place.root))
                    && let Some(other) = source(self, place.root)
                {
                    place.root = other;
                }
                ExprKind::Load(place)
            }
            ExprKind::Op(op, args) => {
                let args = args.iter().map(|arg| self.substitute(arg, source)).collect();
                ExprKind::Op(op.clone(), args)
            }
            ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => expr.kind.clone(),
        };
        Expr { kind, ty: expr.ty.clone(), span: expr.span }
    }

    /// A place of the primal, with views resolved, as the backward sweep finds it.
    pub(in crate::diff) fn read_place(&mut self, place: &Place, point: Point, side: Side) -> Place {
        let place = self.primal.resolve(place);
        let mut place = self.read_indices(&place, point, side);
        if (place.is_whole() || self.is_verbatim(place.root))
            && let Some(other) = self.source(place.root, point, side)
        {
            place.root = other;
        }
        place
    }

    /// A place, with views resolved already, whose indices are as the backward sweep finds them.
    pub(in crate::diff) fn read_indices(
        &mut self,
        place: &Place,
        point: Point,
        side: Side,
    ) -> Place {
        self.substitute_indices(place, &mut |this, var| this.source(var, point, side))
    }

    /// Evaluates the indices of a place; an element of a range of elements becomes an element.
    pub(super) fn substitute_indices(
        &mut self,
        place: &Place,
        source: &mut dyn FnMut(&mut Self, Var) -> Option<Var>,
    ) -> Place {
        let mut steps: Vec<Projection> = Vec::new();
        for step in &place.projections {
            let step = match step {
                Projection::Field(_) | Projection::Boxed => step.clone(),
                Projection::Index(index) => {
                    let index = self.substitute(index, source);
                    match steps.pop() {
                        Some(Projection::Slice { start: Some(start), end: _ }) => {
                            Projection::Index(Expr::binary(BinaryOp::Add, start, index))
                        }
                        Some(Projection::Slice { start: None, end: _ }) | None => {
                            Projection::Index(index)
                        }
                        Some(other) => {
                            steps.push(other);
                            Projection::Index(index)
                        }
                    }
                }
                Projection::Slice { start, end } => Projection::Slice {
                    start: start.as_ref().map(|start| self.substitute(start, source)),
                    end: end.as_ref().map(|end| self.substitute(end, source)),
                },
                Projection::Got { getter, at } => {
                    Projection::Got { getter: getter.clone(), at: self.substitute(at, source) }
                }
            };
            steps.push(step);
        }
        Place { root: place.root, projections: steps }
    }

    /// The bar of a place of the backward sweep, if it has one.
    pub(in crate::diff) fn bar_place(&self, place: &Place) -> Option<Place> {
        let bar = self.bars.get(place.root).copied().flatten();
        bar.filter(|_| !place.is_passive()).map(|bar| place.rooted_at(bar))
    }
}
