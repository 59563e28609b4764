//! The adjoint of what happens to whole lists.
//!
//! `v.push(e)` gives `v_b` an element more, so its adjoint adds the last element of `v_b` to the bar of
//! `e` and takes it away. `v.truncate(n)` takes elements from `v_b`, so its adjoint puts zeros back.
//! Exchanged values have exchanged their bars.

use super::Backward;
use crate::analyses::Side;
use crate::ir::{
    BinaryOp, Change, Condition, Expr, Guard, Op, Place, Projection, Resize, Stmt, StmtKind,
};
use crate::types::Type;
use proc_macro2::Span;

impl Backward<'_> {
    /// The adjoint of a change of length.
    pub(super) fn reverse_resize(&mut self, stmt: &Stmt, resize: &Resize) -> Vec<Stmt> {
        let (point, span) = (self.facts.graph.at(stmt.id), stmt.span);
        let effects = &self.facts.graph.info(point).effects;
        let Some(len) = resize.len else { unreachable!("lengths are reified") };
        let list = self.primal.resolve(&resize.list);
        let Some(bar) = self.bar_place(&list) else { return Vec::new() };
        let mut any = self.facts.activity.reset_condition(point, effects);
        for flow in &effects.flows {
            any.join(&self.facts.activity.condition(point, flow));
        }
        if any.is_never() {
            return Vec::new();
        }
        let len = self.read(&self.primal.load(len), point, Side::Before);
        let stmts = match &resize.change {
            Change::Extend(items) => {
                let start = Some(len.clone());
                let added = bar.then(Projection::Slice { start, end: None });
                let mut stmts = self.reverse_items(stmt, &list, items, added);
                stmts.push(self.resize(bar, Change::Truncate(len), span));
                stmts
            }
            Change::Truncate(_) => self.lengthened(bar, len, span).1,
        };
        self.guarded(Guard::both(any), stmts)
    }

    pub(super) fn resize(&mut self, list: Place, change: Change, span: Span) -> Stmt {
        self.emit(StmtKind::Resize(Resize { list, change, len: None }), span)
    }

    /// Gives a list as many elements as it lacks, and says how many it had.
    fn lengthened(&mut self, list: Place, len: Expr, span: Span) -> (Expr, Vec<Stmt>) {
        let ty = self.out.place_type(&list);
        let zero = ty.element().and_then(Expr::placeholder);
        let zero = zero.expect("lists that shrink are of numbers");
        let whole = Expr::load(list.clone(), ty.clone(), span);
        let present = self.out.local("present", Type::USIZE, span);
        let value = Some(Expr::op(Op::Len, vec![whole], Type::USIZE));
        let count = self.emit(StmtKind::Let { var: present, value }, span);
        let present = self.out.load(present);
        let lacking = Expr::binary(BinaryOp::Sub, len, present.clone());
        let zeros = Expr::op(Op::VecRepeat, vec![zero, lacking], ty);
        (present, vec![count, self.resize(list, Change::Extend(zeros), span)])
    }

    /// Puts the elements back that a list lost.
    pub(super) fn put_back(&mut self, list: Place, len: Expr, span: Span) -> Vec<Stmt> {
        let (present, mut stmts) = self.lengthened(list.clone(), len, span);
        let place = list.then(Projection::Slice { start: Some(present), end: None });
        stmts.push(self.emit(StmtKind::Pop { place, declares: false }, span));
        stmts
    }

    /// The adjoint of an exchange.
    pub(super) fn reverse_swap(&mut self, stmt: &Stmt, a: &Place, b: &Place) -> Vec<Stmt> {
        let (point, span) = (self.facts.graph.at(stmt.id), stmt.span);
        let effects = &self.facts.graph.info(point).effects;
        let [a, b] = [a, b].map(|place| self.primal.resolve(place));
        let mut any = self.facts.activity.reset_condition(point, effects);
        // When the adjoint carries anything from `a` to `b`, and back.
        let across = [(&b, &a), (&a, &b)].map(|(from, to)| {
            let (from, to) = (self.facts.zones.of_place(from), self.facts.zones.of_place(to));
            self.facts.activity.between(point, &from, &to)
        });
        across.iter().for_each(|condition| {
            any.join(condition);
        });
        let bars = [&a, &b].map(|place| {
            let place = self.read_indices(place, point, Side::Before);
            self.bar_place(&place)
        });
        if any.is_never() {
            return Vec::new();
        }
        let reshapes = effects.reshapes;
        // What is active of one is active of the other.
        let is_one_zone = self.facts.zones.of_place(&a) == self.facts.zones.of_place(&b);
        let stmts = match bars {
            [Some(bar_a), Some(bar_b)] => {
                let mut either = across[0].clone();
                either.join(&across[1]);
                if is_one_zone {
                    vec![self.emit(StmtKind::Swap { a: bar_a, b: bar_b }, span)]
                } else if reshapes || either == any {
                    self.exchange_bars(bar_a, bar_b, &across, &any, span)
                } else {
                    let exchanged =
                        self.exchange_bars(bar_a.clone(), bar_b.clone(), &across, &either, span);
                    let mut resets = Vec::new();
                    for (place, bar) in [(&a, bar_a), (&b, bar_b)] {
                        let zones = self.facts.zones.of_place(place);
                        let filled = self.facts.activity.reset_of(point, &zones);
                        let reset = self.reset(place, &bar, point, span);
                        resets.extend(self.guarded(Guard::both(filled), reset));
                    }
                    match either.is_never() {
                        true => resets,
                        false => self.choose(Expr::guard(Guard::both(either)), exchanged, resets),
                    }
                }
            }
            [Some(bar), None] => self.reset(&a, &bar, point, span),
            [None, Some(bar)] => self.reset(&b, &bar, point, span),
            [None, None] => Vec::new(),
        };
        self.guarded(Guard::both(any), stmts)
    }

    /// Exchanges two bars; a bar that got what is due to a passive value is reset.
    fn exchange_bars(
        &mut self,
        a: Place,
        b: Place,
        across: &[Condition; 2],
        any: &Condition,
        span: Span,
    ) -> Vec<Stmt> {
        let [to_b, to_a] = across;
        let mut stmts = vec![self.emit(StmtKind::Swap { a: a.clone(), b: b.clone() }, span)];
        for (bar, active) in [(b, to_b), (a, to_a)] {
            if active == any {
                continue;
            }
            let reset = vec![self.emit(StmtKind::Reset { place: bar }, span)];
            if active.is_never() {
                stmts.extend(reset);
            } else {
                let test = Expr::guard(Guard::both(active.clone()));
                stmts.extend(self.choose(test, Vec::new(), reset));
            }
        }
        stmts
    }
}
