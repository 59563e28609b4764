//! Random changes of whole lists.

use super::Generator;
use ad_analysis::index::Var;
use ad_analysis::ir::{BinaryOp, Change, Expr, Op, Place, Projection, Resize, Stmt, StmtKind};
use ad_analysis::types::Type;
use proc_macro2::Span;

/// Lists stop growing at this length.
const LONGEST: usize = 9;
/// What reads an element counts on so many.
pub(super) const SHORTEST: usize = 2;

impl Generator<'_> {
    fn vecs(&self) -> Vec<Var> {
        let vecs = self.writable.iter().copied();
        vecs.filter(|&var| matches!(self.body.vars[var].ty, Type::Vec(_))).collect()
    }

    /// `if v.len() < n { v.push(e) }`, `if v.len() > n { v.truncate(n) }`, …
    pub(super) fn resize(&mut self) -> Option<Stmt> {
        let list = self.pick(&self.vecs())?;
        let len = Expr::op(Op::Len, vec![self.load(list)], Type::USIZE);
        let mut before = Vec::new();
        let shrinks = self.chance(0.4);
        let change = if shrinks && self.chance(0.7) {
            if self.chance(0.7) {
                before.extend(self.take_last(list, &len));
            }
            let less = Expr::binary(BinaryOp::Sub, len.clone(), Expr::usize(1));
            Change::Truncate(less)
        } else if shrinks {
            Change::Truncate(Expr::usize(SHORTEST))
        } else {
            Change::Extend(self.items(list))
        };
        let test = if shrinks {
            Expr::test(BinaryOp::Gt, len, Expr::usize(SHORTEST))
        } else {
            Expr::test(BinaryOp::Lt, len, Expr::usize(LONGEST))
        };
        let resize = Resize { list: Place::var(list), change, len: None };
        before.push(self.emit(StmtKind::Resize(resize)));
        let (then, otherwise) = (self.body.new_block(before), self.body.new_block(Vec::new()));
        Some(self.emit(StmtKind::If { test, then, otherwise }))
    }

    /// `f = f + v[v.len() - 1]`, as a `pop` does.
    fn take_last(&mut self, list: Var, len: &Expr) -> Option<Stmt> {
        let floats: Vec<Var> =
            self.floats.iter().copied().filter(|var| self.writable.contains(var)).collect();
        let target = self.pick(&floats)?;
        let index = Expr::binary(BinaryOp::Sub, len.clone(), Expr::usize(1));
        let place = Place::var(list).index(index);
        let last = Expr::load(place, Type::F64, Span::call_site());
        let value = if self.chance(0.5) {
            last
        } else {
            let own = self.load(target);
            let product = Expr::binary(BinaryOp::Mul, own, last);
            self.bounded(product, true)
        };
        Some(self.emit(StmtKind::Assign { place: Place::var(target), value }))
    }

    fn items(&mut self, list: Var) -> Expr {
        let array = |items: Vec<Expr>| {
            let ty = Type::array(Type::F64, &items.len().to_string());
            Expr::op(Op::Array, items, ty)
        };
        match self.rng.usize(..6) {
            0 => {
                let item = self.float(2);
                let count = if self.chance(0.5) {
                    Expr::usize(self.rng.usize(..3))
                } else {
                    Expr::binary(BinaryOp::Rem, self.int(1), Expr::usize(3))
                };
                Expr::op(Op::VecRepeat, vec![item, count], Type::vec(Type::F64))
            }
            1 => {
                let others: Vec<Var> =
                    self.lists.iter().copied().filter(|&other| other != list).collect();
                let other = self.pick(&others).expect("there is a list that is no `Vec`");
                let place = Place::var(other).then(Projection::Slice { start: None, end: None });
                Expr::load(place, Type::slice(Type::F64), Span::call_site())
            }
            2 => array(vec![self.float(1), self.float(1)]),
            _ => array(vec![self.float(self.config.expression)]),
        }
    }

    /// An exchange of two lists, two elements or two floats.
    pub(super) fn swap(&mut self) -> Option<Stmt> {
        let lists: Vec<Var> =
            self.lists.iter().copied().filter(|var| self.writable.contains(var)).collect();
        let floats: Vec<Var> =
            self.floats.iter().copied().filter(|var| self.writable.contains(var)).collect();
        let (a, b) = match self.rng.usize(..3) {
            0 => {
                let (a, b) = (self.pick(&self.vecs())?, self.pick(&self.vecs())?);
                (Place::var(a), Place::var(b))
            }
            1 => {
                let (a, b) = (self.pick(&lists)?, self.pick(&lists)?);
                (self.element(a), self.element(b))
            }
            _ => {
                let a = Place::var(self.pick(&floats)?);
                let b = match self.pick(&lists) {
                    Some(list) if self.chance(0.5) => self.element(list),
                    _ => Place::var(self.pick(&floats)?),
                };
                (a, b)
            }
        };
        Some(self.emit(StmtKind::Swap { a, b }))
    }
}
