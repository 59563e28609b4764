//! Random statements.

use super::expressions::constant;
use super::lists::SHORTEST;
use super::{Generator, LEN};
use ad_analysis::index::Var;
use ad_analysis::ir::{
    Adaptor, BinaryOp, Binding, Expr, Loop, LoopKind, Op, Place, Projection, Range, Stmt, StmtKind,
    Target, View,
};
use ad_analysis::types::Type;
use proc_macro2::Span;
use std::rc::Rc;

impl Generator<'_> {
    pub(super) fn declaration(&mut self) -> Vec<Stmt> {
        let depth = self.config.expression;
        match self.rng.usize(..9) {
            8 => {
                let value = self.test();
                let var = self.body.local("b", Type::Bool, Span::call_site());
                self.bools.push(var);
                self.writable.push(var);
                vec![self.emit(StmtKind::Let { var, value: Some(value) })]
            }
            0..=2 => {
                let value = self.float(depth);
                let (var, stmt) = self.let_float("f", value);
                self.floats.push(var);
                if self.chance(0.6) {
                    self.writable.push(var);
                }
                vec![stmt]
            }
            3 => {
                let value = self.int(2);
                let var = self.body.local("i", Type::USIZE, Span::call_site());
                self.ints.push(var);
                self.writable.push(var);
                vec![self.emit(StmtKind::Let { var, value: Some(value) })]
            }
            4 | 5 => {
                let len = self.rng.usize(2..=4);
                let (value, ty) = self.list(len);
                let var = self.body.local("v", ty, Span::call_site());
                self.lists.push(var);
                self.writable.push(var);
                vec![self.emit(StmtKind::Let { var, value: Some(value) })]
            }
            6 => {
                let value = self.pair();
                let var = self.body.local("p", value.ty.clone(), Span::call_site());
                self.pairs.push(var);
                self.writable.push(var);
                vec![self.emit(StmtKind::Let { var, value: Some(value) })]
            }
            _ => self.deferred(),
        }
    }

    /// A new pair, or a copy of one.
    fn pair(&mut self) -> Expr {
        if self.chance(0.4)
            && let Some(other) = self.pick(&self.pairs.clone())
        {
            let load = self.load(other);
            let ty = load.ty.clone();
            return if ty.is_copy() { load } else { Expr::op(Op::Clone, vec![load], ty) };
        }
        if self.chance(0.5) {
            return self.new_struct();
        }
        let args = vec![self.float(2), self.float(2)];
        Expr::op(Op::Tuple, args, Type::Tuple([Type::F64, Type::F64].into()))
    }

    /// A new pair that is a struct.
    pub(super) fn new_struct(&mut self) -> Expr {
        let args = vec![self.float(2), self.float(2)];
        let fields = vec!["0".into(), "1".into()].into();
        Expr::op(Op::Struct("Pair".into(), fields), args, Type::Named("Pair".into()))
    }

    /// `let f; if c { f = … } else { f = … }`
    fn deferred(&mut self) -> Vec<Stmt> {
        let var = self.body.local("g", Type::F64, Span::call_site());
        let declare = self.emit(StmtKind::Let { var, value: None });
        let branch = |this: &mut Self| {
            let value = this.float(2);
            let stmt = this.emit(StmtKind::Assign { place: Place::var(var), value });
            this.body.new_block(vec![stmt])
        };
        let (then, otherwise) = (branch(self), branch(self));
        let test = self.test();
        let choice = self.emit(StmtKind::If { test, then, otherwise });
        self.floats.push(var);
        vec![declare, choice]
    }

    /// A list of that length: an array or a vector.
    fn list(&mut self, len: usize) -> (Expr, Type) {
        let array = Type::array(Type::F64, &len.to_string());
        let vec = Type::vec(Type::F64);
        let items = |this: &mut Self| (0..len).map(|_| this.float(1)).collect::<Vec<_>>();
        match self.rng.usize(..5) {
            0 => (Expr::op(Op::Array, items(self), array.clone()), array),
            1 => {
                let item = self.float(2);
                (Expr::op(Op::Repeat(len.to_string().into()), vec![item], array.clone()), array)
            }
            2 => (Expr::op(Op::Vec, items(self), vec.clone()), vec),
            3 => {
                let item = self.float(2);
                (Expr::op(Op::VecRepeat, vec![item, Expr::usize(len)], vec.clone()), vec)
            }
            _ => {
                let source = self.pick(&self.lists.clone()).expect("there is a list");
                let load = self.load(source);
                (Expr::op(Op::ToVec, vec![load], vec.clone()), vec)
            }
        }
    }

    pub(super) fn assignment(&mut self) -> Option<Stmt> {
        let target = self.pick(&self.writable.clone())?;
        let depth = self.config.expression;
        let ty = self.body.vars[target].ty.clone();
        let (place, value) = match &ty {
            Type::Float(_) => (Place::var(target), self.float(depth)),
            Type::Int(_) => return self.int_update(),
            Type::Bool => (Place::var(target), self.test()),
            Type::Tuple(_) | Type::Named(_) => {
                let field = self.rng.usize(..2);
                // Its bar gets nothing, though that of the whole does.
                let value = if self.chance(0.3) { constant(0.5) } else { self.float(depth) };
                (Place::var(target).field(field), value)
            }
            // A new list, perhaps of another length.
            Type::Vec(_) if self.chance(0.25) => {
                let len = self.rng.usize(2..=4);
                let item = self.float(2);
                let value = Expr::op(Op::VecRepeat, vec![item, Expr::usize(len)], ty.clone());
                (Place::var(target), value)
            }
            Type::Array(_, len) if self.chance(0.2) => {
                let len: usize = len.parse().expect("literal lengths");
                let items = (0..len).map(|_| self.float(1)).collect();
                (Place::var(target), Expr::op(Op::Array, items, ty.clone()))
            }
            _ => (self.element(target), self.float(depth)),
        };
        // Updates are what real code is full of.
        let often = if self.loops > 0 { 0.5 } else { 0.4 };
        let value = if value.ty.is_float() && self.chance(often) {
            let op = self.pick(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul]).expect("not empty");
            let own = Expr::load(place.clone(), Type::F64, Span::call_site());
            self.bounded(Expr::binary(op, own, value), op == BinaryOp::Mul)
        } else {
            value
        };
        Some(self.emit(StmtKind::Assign { place, value }))
    }

    /// Keeps growing values in bounds, mostly.
    pub(super) fn bounded(&mut self, value: Expr, grows: bool) -> Expr {
        if self.loops > 0 && (grows || self.chance(0.2)) && self.chance(0.8) {
            Expr::op(Op::Method("sin".into()), vec![value], Type::F64)
        } else {
            value
        }
    }

    pub(super) fn int_update(&mut self) -> Option<Stmt> {
        let ints: Vec<Var> =
            self.ints.iter().copied().filter(|var| self.writable.contains(var)).collect();
        let var = self.pick(&ints)?;
        let own = self.load(var);
        let value = match self.rng.usize(..5) {
            0 | 1 => Expr::binary(BinaryOp::Add, own, Expr::usize(1)),
            2 => Expr::binary(BinaryOp::Add, own, self.int(0)),
            3 => {
                let next = Expr::binary(BinaryOp::Add, own, self.int(1));
                Expr::binary(BinaryOp::Rem, next, Expr::usize(5))
            }
            _ => self.int(2),
        };
        Some(self.emit(StmtKind::Assign { place: Place::var(var), value }))
    }

    /// A reference to a part of a list.
    pub(super) fn view(&mut self) -> Option<Stmt> {
        let lists: Vec<Var> = self
            .lists
            .iter()
            .copied()
            .filter(|&var| !matches!(self.body.vars[var].binding, Binding::View(_)))
            .filter(|&var| !matches!(self.body.vars[var].ty, Type::Vec(_)))
            .collect();
        let list = self.pick(&lists)?;
        let len = match &self.body.vars[list].ty {
            Type::Array(_, len) => len.parse().expect("literal lengths"),
            _ => LEN,
        };
        // A list that is made of the view must have `SHORTEST` elements.
        let start = self.rng.usize(..2).min(len - SHORTEST);
        let slice = Projection::Slice {
            start: (start > 0).then(|| Expr::usize(start)),
            end: (start + 2 < len || self.rng.bool()).then(|| Expr::usize((start + 2).min(len))),
        };
        let place = Place::var(list).then(slice);
        let mutable = self.writable.contains(&list);
        let binding = Binding::View(Rc::new(View { place, mutable, through: None }));
        let span = Span::call_site();
        let view = self.body.variable("row", Type::slice(Type::F64), binding, span);
        self.lists.push(view);
        if mutable {
            self.writable.push(view);
        }
        Some(self.emit(StmtKind::Bind { view }))
    }

    /// A valid element of a list.
    pub(super) fn element(&mut self, list: Var) -> Place {
        let len = match &self.body.vars[list].ty {
            Type::Array(_, len) => Expr::usize(len.parse().expect("literal lengths")),
            Type::Vec(_) => Expr::op(Op::Len, vec![self.load(list)], Type::USIZE),
            _ if matches!(self.body.vars[list].binding, Binding::View(_)) => Expr::usize(1),
            _ => Expr::usize(LEN),
        };
        let index = if self.chance(0.3) {
            Expr::usize(self.rng.usize(..2).min(if len == Expr::usize(1) { 0 } else { 1 }))
        } else {
            Expr::binary(BinaryOp::Rem, self.int(1), len)
        };
        Place::var(list).index(index)
    }

    pub(super) fn choice(&mut self) -> Option<Stmt> {
        let test = self.test();
        let then = self.block();
        let otherwise =
            if self.chance(0.6) { self.block() } else { self.body.new_block(Vec::new()) };
        Some(self.emit(StmtKind::If { test, then, otherwise }))
    }

    pub(super) fn repetition(&mut self) -> Vec<Stmt> {
        let label = self.body.numbering.label();
        let mark = self.mark();
        self.loops += 1;
        self.labels.push(label);
        let mut before = Vec::new();
        let mut first = Vec::new();
        let kind = match self.rng.usize(..5) {
            0..=2 => {
                let var = self.body.local("k", Type::USIZE, Span::call_site());
                let range = self.range();
                self.ints.push(var);
                LoopKind::Counted { var, range }
            }
            kind => {
                // A counter that ends the loop for sure.
                let var = self.body.local("c", Type::USIZE, Span::call_site());
                let start = Expr::usize(self.rng.usize(..4));
                before.push(self.emit(StmtKind::Let { var, value: Some(start) }));
                self.ints.push(var);
                let over = Expr::test(BinaryOp::Gt, self.load(var), Expr::usize(0));
                let less = Expr::binary(BinaryOp::Sub, self.load(var), Expr::usize(1));
                let step = StmtKind::Assign { place: Place::var(var), value: less };
                let step = self.emit(step);
                if kind == 3 {
                    first.push(step);
                    let test = if self.rng.bool() {
                        over
                    } else {
                        let other = self.test();
                        Expr::test(BinaryOp::And, over, other)
                    };
                    LoopKind::While { test }
                } else {
                    let exit = self.emit(StmtKind::Exit { label, code: 0 });
                    let (then, otherwise) =
                        (self.body.new_block(vec![exit]), self.body.new_block(Vec::new()));
                    let test = Expr::negated(over);
                    first.push(self.emit(StmtKind::If { test, then, otherwise }));
                    first.push(step);
                    LoopKind::Forever
                }
            }
        };
        let mut body = self.block();
        body.stmts.splice(0..0, first);
        self.loops -= 1;
        self.release(mark);
        let target = Target { label, exit: None };
        before.push(self.emit(StmtKind::Loop(Loop { target, kind, trips: None, body })));
        before
    }

    fn range(&mut self) -> Range {
        let inclusive = self.chance(0.2);
        let start = Expr::usize(self.rng.usize(..3));
        // What is written elsewhere than by a loop might grow too large.
        let ends: Vec<Var> =
            self.ints.iter().copied().filter(|var| !self.writable.contains(var)).collect();
        let end = if self.chance(0.3)
            && let Some(var) = self.pick(&ends)
        {
            self.load(var)
        } else if self.chance(0.3) {
            Expr::binary(BinaryOp::Rem, self.int(1), Expr::usize(4))
        } else {
            Expr::usize(self.rng.usize(..5))
        };
        let mut adaptors = Vec::new();
        if self.chance(0.2) {
            adaptors.push(Adaptor::Rev);
        }
        if self.chance(0.2) {
            // A step of 0 is none: what stands for one that is not there must not be used.
            let parity = Expr::binary(BinaryOp::Rem, self.int(1), Expr::usize(2));
            let step = match self.rng.bool() {
                true => Expr::usize(2),
                false => Expr::binary(BinaryOp::Add, parity, Expr::usize(1)),
            };
            adaptors.push(Adaptor::StepBy(step));
        }
        Range { start, end, inclusive, adaptors }
    }

    pub(super) fn labelled(&mut self) -> Option<Stmt> {
        let label = self.body.numbering.label();
        self.labels.push(label);
        let body = self.block();
        self.labels.pop();
        let target = Some(Target { label, exit: None });
        Some(self.emit(StmtKind::Block { target, body }))
    }

    /// `if c { …; exit }`
    pub(super) fn exit(&mut self) -> Option<Stmt> {
        let inner = self.labels.len() - 1;
        let label = if self.chance(0.5) {
            self.labels[inner]
        } else {
            self.pick(&self.labels.clone()).expect("the body has a label")
        };
        let test = self.test();
        let mut stmts = Vec::new();
        if self.chance(0.6) {
            stmts.extend(self.assignment());
        }
        if label == self.body.target.label {
            stmts.push(self.assign_result());
        }
        stmts.push(self.emit(StmtKind::Exit { label, code: 0 }));
        let (then, otherwise) = (self.body.new_block(stmts), self.body.new_block(Vec::new()));
        Some(self.emit(StmtKind::If { test, then, otherwise }))
    }
}
