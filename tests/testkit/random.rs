//! Random programs: nested branches and loops, early exits, arrays, views, equal indices,
//! overwrites, calls. Values stay bounded and gradients finite as a rule; the distribution is asserted
//! by the tests that use it.

use crate::scalar::Scalar;
use ad_analysis::index::{Label, Var};
use ad_analysis::ir::{
    Adaptor, Arg, ArgKind, BinaryOp, Binding, Block, Body, Call, CallMode, Expr, ExprKind, Loop,
    LoopKind, Op, Place, Projection, Range, Slot, Stmt, StmtKind, Sweep, Target, UnaryOp, View,
};
use ad_analysis::rules::{RULES, Rule};
use ad_analysis::types::Type;
use fastrand::Rng;
use num_dual::Dual64;
use proc_macro2::{Ident, Span, TokenStream};
use std::rc::Rc;

/// How programs are made.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Statements per list, at most.
    pub statements: usize,
    /// Depth of nesting, at most.
    pub depth: usize,
    /// Depth of expressions, at most.
    pub expression: usize,
    /// Functions besides the main one, at most.
    pub helpers: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self { statements: 7, depth: 3, expression: 3, helpers: 2 }
    }
}

/// The length of the arrays that parameters refer to.
pub const LEN: usize = 3;

/// The functions of a random program; the last one is the main function.
pub fn program(rng: &mut Rng, config: Config) -> Vec<Body> {
    let helpers = if rng.f64() < 0.6 { rng.usize(1..=config.helpers) } else { 0 };
    let mut bodies: Vec<Body> = Vec::new();
    for number in 0..helpers {
        let name = format!("helper{number}");
        let small = Config { statements: config.statements.div_ceil(2), depth: 2, ..config };
        let body = Generator::new(rng, small, &bodies, true).function(&name);
        bodies.push(body);
    }
    let main = Generator::new(rng, config, &bodies, false).function("main");
    bodies.push(main);
    bodies
}

/// The rules that the reference knows too.
fn known_rules() -> Vec<&'static Rule> {
    let known = |rule: &&Rule| {
        let floats: Vec<Dual64> = rule
            .args
            .iter()
            .filter(|arg| !arg.is_int)
            .map(|arg| Dual64::from(0.5 * (arg.low + arg.high)))
            .collect();
        Dual64::elementary(rule.name, &floats, &[2]).is_some()
    };
    RULES.iter().filter(known).collect()
}

struct Generator<'a> {
    rng: &'a mut Rng,
    config: Config,
    helpers: &'a [Body],
    is_helper: bool,
    body: Body,
    rules: Vec<&'static Rule>,
    /// Variables in scope.
    floats: Vec<Var>,
    lists: Vec<Var>,
    ints: Vec<Var>,
    pairs: Vec<Var>,
    /// Variables in scope that may be written.
    writable: Vec<Var>,
    /// Labels in scope that may be left, outermost first.
    labels: Vec<Label>,
    depth: usize,
    loops: usize,
    /// The variable that bounds the recursion of a helper.
    fuel: Option<Var>,
}

/// The variables in scope at some point.
struct Mark([usize; 6]);

impl<'a> Generator<'a> {
    fn new(rng: &'a mut Rng, config: Config, helpers: &'a [Body], is_helper: bool) -> Self {
        Self {
            rng,
            config,
            helpers,
            is_helper,
            body: Body::new(""),
            rules: known_rules(),
            floats: Vec::new(),
            lists: Vec::new(),
            ints: Vec::new(),
            pairs: Vec::new(),
            writable: Vec::new(),
            labels: Vec::new(),
            depth: 0,
            loops: 0,
            fuel: None,
        }
    }

    fn chance(&mut self, probability: f64) -> bool {
        self.rng.f64() < probability
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        (!items.is_empty()).then(|| items[self.rng.usize(..items.len())])
    }

    fn mark(&self) -> Mark {
        Mark([
            self.floats.len(),
            self.lists.len(),
            self.ints.len(),
            self.pairs.len(),
            self.writable.len(),
            self.labels.len(),
        ])
    }

    fn release(&mut self, Mark(lens): Mark) {
        self.floats.truncate(lens[0]);
        self.lists.truncate(lens[1]);
        self.ints.truncate(lens[2]);
        self.pairs.truncate(lens[3]);
        self.writable.truncate(lens[4]);
        self.labels.truncate(lens[5]);
    }

    fn function(mut self, name: &str) -> Body {
        self.body.name = name.to_owned();
        self.params();
        let result = self.body.local("ret", Type::F64, Span::call_site());
        self.body.result = Some(result);
        self.body.dependents.insert(0, result);
        self.labels.push(self.body.target.label);
        let mut stmts = self.recursion(name);
        stmts.extend(self.stmts());
        stmts.push(self.assign_result());
        self.body.block.stmts = stmts;
        self.body
    }

    fn param(&mut self, name: &str, ty: Type, binding: Binding) -> Var {
        let param = self.body.variable(name, ty, binding, Span::call_site());
        self.body.params.push(param);
        param
    }

    fn params(&mut self) {
        let list = Type::slice(Type::F64);
        let x = self.param("x", list.clone(), Binding::Shared);
        self.lists.push(x);
        self.body.independents.push(x);
        let a = self.param("a", Type::F64, Binding::Value);
        self.floats.push(a);
        if self.is_helper || self.chance(0.8) {
            self.body.independents.push(a);
        }
        if self.chance(0.4) {
            let y = self.param("y", Type::F64, Binding::Exclusive);
            self.floats.push(y);
            self.writable.push(y);
            self.exclusive(y);
        }
        if self.chance(0.4) {
            let w = self.param("w", list, Binding::Exclusive);
            self.lists.push(w);
            self.writable.push(w);
            self.exclusive(w);
        }
        let n = self.param("n", Type::USIZE, Binding::Value);
        self.ints.push(n);
        if self.is_helper && self.chance(0.3) {
            self.fuel = Some(n);
        }
    }

    fn exclusive(&mut self, var: Var) {
        if self.is_helper || self.chance(0.8) {
            self.body.independents.push(var);
            self.body.dependents.push(var);
        }
    }

    fn emit(&mut self, kind: StmtKind) -> Stmt {
        self.body.stmt(kind, Span::call_site())
    }

    fn load(&self, var: Var) -> Expr {
        self.body.load(var)
    }

    fn let_float(&mut self, hint: &str, value: Expr) -> (Var, Stmt) {
        let var = self.body.local(hint, Type::F64, Span::call_site());
        (var, self.emit(StmtKind::Let { var, value: Some(value) }))
    }

    /// A self-call with less fuel, behind a test.
    fn recursion(&mut self, name: &str) -> Vec<Stmt> {
        let Some(fuel) = self.fuel else { return Vec::new() };
        let value = self.float(2);
        let (t, define) = self.let_float("t", value);
        let args: Vec<ArgKind> = self.body.params.clone().into_iter().map(|param| {
            match self.body.vars[param].binding {
                Binding::Shared => ArgKind::Shared(Place::var(param)),
                Binding::Exclusive => ArgKind::Exclusive(Place::var(param)),
                _ if param == fuel => {
                    let less = Expr::binary(BinaryOp::Sub, self.load(fuel), Expr::usize(1));
                    ArgKind::Value(less)
                }
                _ => ArgKind::Value(self.load(t)),
            }
        }).collect();
        let result = self.body.local("r", Type::F64, Span::call_site());
        let call = self.call_stmt(name, args, Some(result));
        let target = self.body.local("inner", Type::F64, Span::call_site());
        let declare = self.emit(StmtKind::Let { var: target, value: Some(Expr::zero(Type::F64)) });
        let value = self.load(result);
        let take = self.emit(StmtKind::Assign { place: Place::var(target), value });
        let test = Expr::test(BinaryOp::Gt, self.load(fuel), Expr::usize(0));
        let (then, otherwise) =
            (self.body.new_block(vec![define, call, take]), self.body.new_block(Vec::new()));
        let choice = self.emit(StmtKind::If { test, then, otherwise });
        self.floats.push(target);
        vec![declare, choice]
    }

    fn assign_result(&mut self) -> Stmt {
        let value = self.float(self.config.expression);
        let place = Place::var(self.body.result.expect("functions have a result"));
        self.emit(StmtKind::Assign { place, value })
    }

    fn stmts(&mut self) -> Vec<Stmt> {
        let count = self.rng.usize(1..=self.config.statements);
        (0..count).flat_map(|_| self.stmt()).collect()
    }

    fn block(&mut self) -> Block {
        let mark = self.mark();
        self.depth += 1;
        let stmts = self.stmts();
        self.depth -= 1;
        self.release(mark);
        self.body.new_block(stmts)
    }

    fn stmt(&mut self) -> Vec<Stmt> {
        let nested = self.depth < self.config.depth;
        match self.rng.usize(..20) {
            0..=2 => self.declaration(),
            3..=8 => self.assignment().into_iter().collect(),
            9 => self.int_update().into_iter().collect(),
            10 => self.view().into_iter().collect(),
            11 | 12 if nested => self.choice().into_iter().collect(),
            13..=15 if nested && self.loops < 3 => self.repetition(),
            16 if nested => self.labelled().into_iter().collect(),
            17 => self.exit().into_iter().collect(),
            18 | 19 => self.call(),
            _ => self.assignment().into_iter().collect(),
        }
    }

    fn declaration(&mut self) -> Vec<Stmt> {
        let depth = self.config.expression;
        match self.rng.usize(..8) {
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
                let args = vec![self.float(2), self.float(2)];
                let ty = Type::Tuple([Type::F64, Type::F64].into());
                let var = self.body.local("p", ty.clone(), Span::call_site());
                self.pairs.push(var);
                self.writable.push(var);
                let value = Expr::op(Op::Tuple, args, ty);
                vec![self.emit(StmtKind::Let { var, value: Some(value) })]
            }
            _ => self.deferred(),
        }
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

    fn assignment(&mut self) -> Option<Stmt> {
        let target = self.pick(&self.writable.clone())?;
        let depth = self.config.expression;
        let ty = self.body.vars[target].ty.clone();
        let (place, value) = match &ty {
            Type::Float(_) => (Place::var(target), self.float(depth)),
            Type::Int(_) => return self.int_update(),
            Type::Tuple(_) => {
                let field = self.rng.usize(..2);
                (Place::var(target).field(field), self.float(depth))
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
        let value = if value.ty.is_float() && self.chance(0.4) {
            let op = self.pick(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul]).expect("not empty");
            let own = Expr::load(place.clone(), Type::F64, Span::call_site());
            self.bounded(Expr::binary(op, own, value), op == BinaryOp::Mul)
        } else {
            value
        };
        Some(self.emit(StmtKind::Assign { place, value }))
    }

    /// Keeps growing values in bounds, mostly.
    fn bounded(&mut self, value: Expr, grows: bool) -> Expr {
        if self.loops > 0 && (grows || self.chance(0.2)) && self.chance(0.8) {
            Expr::op(Op::Method("sin".into()), vec![value], Type::F64)
        } else {
            value
        }
    }

    fn int_update(&mut self) -> Option<Stmt> {
        let ints: Vec<Var> =
            self.ints.iter().copied().filter(|var| self.writable.contains(var)).collect();
        let var = self.pick(&ints)?;
        let own = self.load(var);
        let value = match self.rng.usize(..4) {
            0 | 1 => Expr::binary(BinaryOp::Add, own, Expr::usize(1)),
            2 => {
                let next = Expr::binary(BinaryOp::Add, own, self.int(1));
                Expr::binary(BinaryOp::Rem, next, Expr::usize(5))
            }
            _ => self.int(2),
        };
        Some(self.emit(StmtKind::Assign { place: Place::var(var), value }))
    }

    /// A reference to a part of a list.
    fn view(&mut self) -> Option<Stmt> {
        let lists: Vec<Var> = self
            .lists
            .iter()
            .copied()
            .filter(|&var| !matches!(self.body.vars[var].binding, Binding::View(_)))
            .filter(|&var| !matches!(self.body.vars[var].ty, Type::Vec(_)))
            .collect();
        let list = self.pick(&lists)?;
        let start = self.rng.usize(..2);
        let len = match &self.body.vars[list].ty {
            Type::Array(_, len) => len.parse().expect("literal lengths"),
            _ => LEN,
        };
        let slice = Projection::Slice {
            start: (start > 0).then(|| Expr::usize(start)),
            end: (start + 2 < len || self.rng.bool()).then(|| Expr::usize((start + 2).min(len))),
        };
        let place = Place::var(list).then(slice);
        let mutable = self.writable.contains(&list);
        let binding = Binding::View(Rc::new(View { place, mutable }));
        let span = Span::call_site();
        let view = self.body.variable("row", Type::slice(Type::F64), binding, span);
        self.lists.push(view);
        if mutable {
            self.writable.push(view);
        }
        Some(self.emit(StmtKind::Bind { view }))
    }

    /// A valid element of a list.
    fn element(&mut self, list: Var) -> Place {
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

    fn choice(&mut self) -> Option<Stmt> {
        let test = self.test();
        let then = self.block();
        let otherwise =
            if self.chance(0.6) { self.block() } else { self.body.new_block(Vec::new()) };
        Some(self.emit(StmtKind::If { test, then, otherwise }))
    }

    fn repetition(&mut self) -> Vec<Stmt> {
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
                    let test = Expr::not(over);
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
        let end = if self.chance(0.3) {
            Expr::binary(BinaryOp::Rem, self.int(1), Expr::usize(4))
        } else {
            Expr::usize(self.rng.usize(..5))
        };
        let mut adaptors = Vec::new();
        if self.chance(0.2) {
            adaptors.push(Adaptor::Rev);
        }
        if self.chance(0.2) {
            adaptors.push(Adaptor::StepBy(Expr::usize(2)));
        }
        Range { start, end, inclusive, adaptors }
    }

    fn labelled(&mut self) -> Option<Stmt> {
        let label = self.body.numbering.label();
        self.labels.push(label);
        let body = self.block();
        self.labels.pop();
        let target = Some(Target { label, exit: None });
        Some(self.emit(StmtKind::Block { target, body }))
    }

    /// `if c { …; exit }`
    fn exit(&mut self) -> Option<Stmt> {
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

    fn call_stmt(&mut self, name: &str, args: Vec<ArgKind>, result: Option<Var>) -> Stmt {
        let callee = TokenStream::from(proc_macro2::TokenTree::from(Ident::new(name, Span::call_site())));
        let args = args.into_iter().map(|kind| Arg { kind, slot: Slot::Passive }).collect();
        let modes = [CallMode::Auto, CallMode::Joint, CallMode::Split];
        let mode = self.pick(&modes).expect("not empty");
        let call = Call { callee, args, result, kept: None, mode, sweep: Sweep::Primal };
        self.emit(StmtKind::Call(call))
    }

    fn call(&mut self) -> Vec<Stmt> {
        if self.helpers.is_empty() || self.loops > 1 {
            return self.assignment().into_iter().collect();
        }
        let helper = &self.helpers[self.rng.usize(..self.helpers.len())];
        let mut stmts = Vec::new();
        let mut args = Vec::new();
        let mut taken = Vec::new();
        for &param in &helper.params {
            let Some((arg, define)) = self.argument(helper, param, &mut taken) else {
                return self.assignment().into_iter().collect();
            };
            stmts.extend(define);
            args.push(arg);
        }
        let result = self.body.local("r", Type::F64, Span::call_site());
        stmts.push(self.call_stmt(&helper.name, args, Some(result)));
        self.floats.push(result);
        stmts
    }

    /// An argument for a parameter of a helper. What is passed as `&mut` is passed once.
    fn argument(
        &mut self,
        helper: &Body,
        param: Var,
        taken: &mut Vec<Var>,
    ) -> Option<(ArgKind, Option<Stmt>)> {
        let variable = &helper.vars[param];
        let whole = |this: &Self, var: &Var| match &this.body.vars[*var].ty {
            Type::Array(_, len) => **len == *LEN.to_string(),
            Type::Slice(_) => !matches!(this.body.vars[*var].binding, Binding::View(_)),
            _ => false,
        };
        match (&variable.binding, &variable.ty) {
            (Binding::Shared, _) => {
                let lists: Vec<Var> = self.lists.iter().copied().filter(|v| whole(self, v)).collect();
                let list = self.pick(&lists)?;
                taken.push(list);
                Some((ArgKind::Shared(Place::var(list)), None))
            }
            (Binding::Exclusive, Type::Float(_)) => {
                let floats: Vec<Var> = self
                    .floats
                    .iter()
                    .copied()
                    .filter(|var| self.writable.contains(var) && !taken.contains(var))
                    .collect();
                let lists: Vec<Var> = self
                    .lists
                    .iter()
                    .copied()
                    .filter(|var| self.writable.contains(var) && !taken.contains(var))
                    .filter(|&var| !matches!(self.body.vars[var].binding, Binding::View(_)))
                    .collect();
                let list = self.pick(&lists).filter(|_| self.rng.f64() < 0.3);
                let place = match list {
                    Some(list) => {
                        taken.push(list);
                        self.element(list)
                    }
                    None => {
                        let var = self.pick(&floats)?;
                        taken.push(var);
                        Place::var(var)
                    }
                };
                // Indices are captured, as lowering does.
                Some((ArgKind::Exclusive(place), None))
            }
            (Binding::Exclusive, _) => {
                let lists: Vec<Var> = self
                    .lists
                    .iter()
                    .copied()
                    .filter(|v| whole(self, v) && self.writable.contains(v) && !taken.contains(v))
                    .collect();
                let list = self.pick(&lists)?;
                taken.push(list);
                Some((ArgKind::Exclusive(Place::var(list)), None))
            }
            (_, Type::Int(_)) => {
                let value = self.int(1);
                Some((ArgKind::Value(Expr::binary(BinaryOp::Rem, value, Expr::usize(3))), None))
            }
            _ => {
                let value = self.float(2);
                let (var, define) = self.let_float("t", value);
                Some((ArgKind::Value(self.load(var)), Some(define)))
            }
        }
    }

    fn test(&mut self) -> Expr {
        match self.rng.usize(..5) {
            0 => {
                let op = self.pick(&[BinaryOp::Eq, BinaryOp::Lt, BinaryOp::Ge]).expect("not empty");
                Expr::test(op, self.int(1), Expr::usize(self.rng.usize(..3)))
            }
            1 => {
                let (left, right) = (self.float(1), self.float(1));
                Expr::test(BinaryOp::Lt, left, right)
            }
            _ => {
                let bound = self.rng.f64() * 2.0 - 1.0;
                let op = self.pick(&[BinaryOp::Lt, BinaryOp::Gt]).expect("not empty");
                let bound = constant(bound);
                Expr::test(op, self.float(1), bound)
            }
        }
    }

    fn int(&mut self, depth: usize) -> Expr {
        if depth > 0 && self.chance(0.25) {
            let left = self.int(depth - 1);
            return match self.rng.usize(..3) {
                0 => Expr::binary(BinaryOp::Add, left, Expr::usize(1)),
                1 => Expr::binary(BinaryOp::Mul, left, Expr::usize(2)),
                _ => {
                    // A cut: the dependence on floats ends in an integer.
                    let x = self.float(0);
                    let square = Expr::binary(BinaryOp::Mul, x.clone(), x);
                    let small = Expr::op(Op::Method("sin".into()), vec![square], Type::F64);
                    let scaled = Expr::binary(BinaryOp::Mul, small, constant(3.0));
                    let positive = Expr::op(Op::Method("abs".into()), vec![scaled], Type::F64);
                    Expr::op(Op::Cast, vec![positive], Type::USIZE)
                }
            };
        }
        match self.pick(&self.ints.clone()) {
            Some(var) if self.chance(0.7) => self.load(var),
            _ => Expr::usize(self.rng.usize(..4)),
        }
    }

    fn float(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.chance(0.25) {
            return self.leaf();
        }
        match self.rng.usize(..10) {
            0..=4 => {
                let ops = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul];
                let op = self.pick(&ops).expect("not empty");
                let (left, right) = (self.float(depth - 1), self.float(depth - 1));
                let value = Expr::binary(op, left, right);
                self.bounded(value, op == BinaryOp::Mul)
            }
            5 => {
                let operand = self.float(depth - 1);
                Expr::op(Op::Unary(UnaryOp::Neg), vec![operand], Type::F64)
            }
            _ => self.elementary(depth - 1),
        }
    }

    /// An operation of the table, with arguments moved into its domain.
    fn elementary(&mut self, depth: usize) -> Expr {
        let rule = self.rules[self.rng.usize(..self.rules.len())];
        let mut args = Vec::new();
        for arg in rule.args {
            if arg.is_int {
                args.push(Expr::literal(&self.rng.usize(..4).to_string(), Type::int("i32").expect("i32")));
                continue;
            }
            let (middle, half) = (0.5 * (arg.low + arg.high), 0.5 * (arg.high - arg.low));
            let inner = self.float(depth);
            let wave = Expr::op(Op::Method("sin".into()), vec![inner], Type::F64);
            let scaled = Expr::binary(BinaryOp::Mul, wave, constant(half));
            args.push(if middle == 0.0 {
                scaled
            } else {
                Expr::binary(BinaryOp::Add, scaled, constant(middle))
            });
        }
        Expr::op(ad_analysis::rules::operation_of(rule), args, Type::F64)
    }

    fn leaf(&mut self) -> Expr {
        match self.rng.usize(..10) {
            0 => constant(self.rng.f64() * 2.0 - 0.5),
            1..=4 => {
                let list = self.pick(&self.lists.clone()).expect("there is a list");
                let place = self.element(list);
                Expr::load(place, Type::F64, Span::call_site())
            }
            5 => match self.pick(&self.pairs.clone()) {
                Some(pair) => {
                    let place = Place::var(pair).field(self.rng.usize(..2));
                    Expr::load(place, Type::F64, Span::call_site())
                }
                None => constant(self.rng.f64()),
            },
            6 => {
                let int = self.int(0);
                let float = Expr::op(Op::Cast, vec![int], Type::F64);
                Expr::binary(BinaryOp::Mul, float, constant(0.25))
            }
            _ => {
                let var = self.pick(&self.floats.clone()).expect("there is a float");
                self.load(var)
            }
        }
    }
}

/// A literal; Rust has no negative ones.
fn constant(value: f64) -> Expr {
    let rounded = (value.abs() * 1000.0).round() / 1000.0;
    let literal = Expr::literal(&format!("{rounded:?}"), Type::F64);
    if value < 0.0 {
        Expr::new(ExprKind::Op(Op::Unary(UnaryOp::Neg), vec![literal]), Type::F64, Span::call_site())
    } else {
        literal
    }
}
