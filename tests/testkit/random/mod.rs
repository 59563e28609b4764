//! Random programs: nested branches and loops, early exits, arrays, views, equal indices,
//! overwrites, calls. Values stay bounded and gradients finite as a rule; the distribution is asserted
//! by the tests that use it.

mod calls;
mod expressions;
mod lists;
mod statements;
mod sums;

use crate::scalar::Scalar;
use ad_analysis::index::{Label, Var};
use ad_analysis::ir::{ArgKind, BinaryOp, Binding, Block, Body, Expr, Op, Place, Stmt, StmtKind};
use ad_analysis::rules::{RULES, Rule};
use ad_analysis::types::Type;
use fastrand::Rng;
use num_dual::Dual64;
use proc_macro2::Span;

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
        Self { statements: 6, depth: 3, expression: 2, helpers: 2 }
    }
}

/// The length of the arrays that parameters refer to.
pub const LEN: usize = 3;

/// The functions of a random program; the last one is the main function.
pub fn program(rng: &mut Rng, config: Config) -> Vec<Body> {
    if rng.f64() < 0.06 {
        return vec![sums::sum(rng)];
    }
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
    bools: Vec<Var>,
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
struct Mark([usize; 7]);

impl<'a> Generator<'a> {
    fn new(rng: &'a mut Rng, config: Config, helpers: &'a [Body], is_helper: bool) -> Self {
        let mut body = Body::new("");
        for field in ["0", "1"] {
            body.parts.insert("Pair".into(), field.into(), Type::F64);
        }
        Self {
            rng,
            config,
            helpers,
            is_helper,
            body,
            rules: known_rules(),
            floats: Vec::new(),
            lists: Vec::new(),
            ints: Vec::new(),
            pairs: Vec::new(),
            bools: Vec::new(),
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
            self.bools.len(),
        ])
    }

    fn release(&mut self, Mark(lens): Mark) {
        self.floats.truncate(lens[0]);
        self.lists.truncate(lens[1]);
        self.ints.truncate(lens[2]);
        self.pairs.truncate(lens[3]);
        self.writable.truncate(lens[4]);
        self.labels.truncate(lens[5]);
        self.bools.truncate(lens[6]);
    }

    fn function(mut self, name: &str) -> Body {
        self.body.name = name.to_owned();
        self.params();
        let result = self.body.local("ret", Type::F64, Span::call_site());
        self.body.result = Some(result);
        self.body.dependents.insert(0, result);
        self.labels.push(self.body.target.label);
        let mut stmts: Vec<Stmt> = self.list_of_numbers().into_iter().collect();
        stmts.extend(self.recursion(name));
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
        if self.is_helper && self.chance(0.2) {
            return self.numbers();
        }
        let list = Type::slice(Type::F64);
        let x = self.param("x", list.clone(), Binding::Shared);
        self.lists.push(x);
        self.body.independents.push(x);
        if self.chance(0.3) {
            // A caller may pass one list for both.
            let v = self.param("v", list.clone(), Binding::Shared);
            self.lists.push(v);
            self.body.independents.push(v);
        }
        if self.is_helper && self.chance(0.3) {
            // Its bar is that of the whole, also where a caller has made a part of it constant.
            let p = self.param("p", Type::Named("Pair".into()), Binding::Shared);
            self.pairs.push(p);
            self.body.independents.push(p);
        }
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
        self.counter();
    }

    /// One or two numbers, which the function depends on by nothing else: it may hand over its partials.
    fn numbers(&mut self) {
        for name in ["a", "b"] {
            if name == "a" || self.chance(0.5) {
                let number = self.param(name, Type::F64, Binding::Value);
                self.floats.push(number);
                self.body.independents.push(number);
            }
        }
        self.counter();
    }

    /// The list of a function that is given none.
    fn list_of_numbers(&mut self) -> Option<Stmt> {
        if !self.lists.is_empty() {
            return None;
        }
        let ty = Type::array(Type::F64, &LEN.to_string());
        let item = self.load(self.floats[0]);
        let value = Some(Expr::op(Op::Repeat(LEN.to_string().into()), vec![item], ty.clone()));
        let var = self.body.local("l", ty, Span::call_site());
        self.lists.push(var);
        self.writable.push(var);
        Some(self.emit(StmtKind::Let { var, value }))
    }

    fn counter(&mut self) {
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
        let args: Vec<ArgKind> = self
            .body
            .params
            .clone()
            .into_iter()
            .map(|param| match self.body.vars[param].binding {
                Binding::Shared => ArgKind::Shared(Place::var(param)),
                Binding::Exclusive => ArgKind::Exclusive(Place::var(param)),
                _ if param == fuel => {
                    let less = Expr::binary(BinaryOp::Sub, self.load(fuel), Expr::usize(1));
                    ArgKind::Value(less)
                }
                _ => ArgKind::Value(self.load(t)),
            })
            .collect();
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
        let mut value = self.float(self.config.expression);
        // Results that depend on nothing are rare in real code.
        if self.chance(0.7) {
            let other = self.variable();
            value = Expr::binary(BinaryOp::Add, value, other);
        }
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
        match self.rng.usize(..28) {
            0..=2 => self.declaration(),
            3..=8 => self.assignment().into_iter().collect(),
            9 => self.int_update().into_iter().collect(),
            10 => self.view().into_iter().collect(),
            11 | 12 if nested => self.choice().into_iter().collect(),
            13..=18 | 27 if nested && self.loops < 3 => self.repetition(),
            19 if nested => self.labelled().into_iter().collect(),
            20 => self.exit().into_iter().collect(),
            21 | 22 => self.call(),
            23..=25 => match self.resize() {
                Some(stmt) => vec![stmt],
                None => self.declaration(),
            },
            26 => self.swap().or_else(|| self.assignment()).into_iter().collect(),
            _ => self.assignment().into_iter().collect(),
        }
    }
}
