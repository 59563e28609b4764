//! An interpreter of the IR: runs primals, sweeps and tangents over any scalar.

use crate::program::{Function, Program};
use crate::scalar::Scalar;
use crate::value::Value;
use ad_analysis::index::{Index, Label, Var};
use ad_analysis::ir::{
    Adaptor, Arg, ArgKind, BinaryOp, Binding, Block, Body, Call, Condition, Expr, ExprKind, Guard,
    Loop, LoopKind, Op, Place, Projection, Range, Slot, Stmt, StmtKind, Sweep, UnaryOp,
};
use ad_analysis::types::Type;

/// The instance of a sweep: what the guards ask.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Whether primal values are wanted.
    pub primal: bool,
    /// Which independents are active, in order.
    pub independents: Vec<bool>,
    /// Which dependents are active, in order.
    pub dependents: Vec<bool>,
}

/// What happened at run time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Values pushed; each element of a list counts.
    pub pushes: usize,
    /// Statements run.
    pub steps: usize,
    /// Iterations of loops.
    pub iterations: usize,
    /// Exits from constructs.
    pub exits: usize,
    /// Loops entered that ran no iteration.
    pub empty_loops: usize,
}

/// The state of the interpreter.
pub struct Machine<'p, S> {
    program: &'p dyn Functions,
    /// The stack that forward sweeps leave values on.
    pub stack: Vec<Value<S>>,
    /// What happened so far.
    pub counters: Counters,
    depth: usize,
}

/// What a function leaves behind.
#[derive(Clone, Debug)]
pub struct Outcome<S> {
    /// The result.
    pub result: Value<S>,
    /// What is returned besides it.
    pub kept: Vec<Value<S>>,
    /// The parameters, in order, as they are at the end.
    pub params: Vec<Value<S>>,
}

/// The functions that a program calls.
pub trait Functions {
    /// A function as written.
    fn primal(&self, name: &str) -> &Body;
    /// A function with its derivatives.
    fn derived(&self, name: &str) -> &Function;
}

impl Functions for Program {
    fn primal(&self, name: &str) -> &Body {
        &self.functions[name].primal
    }

    fn derived(&self, name: &str) -> &Function {
        &self.functions[name]
    }
}

impl Functions for &[Body] {
    fn primal(&self, name: &str) -> &Body {
        self.iter().find(|body| body.name == name).expect("the function exists")
    }

    fn derived(&self, name: &str) -> &Function {
        panic!("{name} has not been differentiated")
    }
}

struct Frame<'b, S> {
    body: &'b Body,
    instance: Instance,
    values: Vec<Value<S>>,
}

enum Flow {
    Next,
    Exit(Label),
}

impl<'p, S: Scalar> Machine<'p, S> {
    /// A machine with an empty stack.
    pub fn new(program: &'p dyn Functions) -> Self {
        Self { program, stack: Vec::new(), counters: Counters::default(), depth: 0 }
    }

    /// Runs a function of whatever kind.
    pub fn run(
        &mut self,
        body: &Body,
        instance: Instance,
        params: Vec<Value<S>>,
        kept: Vec<Value<S>>,
    ) -> Outcome<S> {
        self.depth += 1;
        assert!(self.depth < 50, "the recursion does not seem to end");
        let mut frame =
            Frame { body, instance, values: vec![Value::Nothing; body.vars.len()] };
        assert_eq!(body.params.len(), params.len(), "arguments of {}", body.name);
        for (&var, value) in body.params.iter().zip(params) {
            frame.values[var.position()] = value;
        }
        for (&var, value) in body.kept.iter().zip(kept) {
            frame.values[var.position()] = value;
        }
        self.block(&mut frame, &body.block);
        self.depth -= 1;
        let take = |var: &Var| frame.values[var.position()].clone();
        Outcome {
            result: body.result.as_ref().map_or(Value::Nothing, take),
            kept: body.kept.iter().map(take).collect(),
            params: body.params.iter().map(take).collect(),
        }
    }

    fn block(&mut self, frame: &mut Frame<'_, S>, block: &Block) -> Flow {
        for stmt in &block.stmts {
            if let Flow::Exit(label) = self.stmt(frame, stmt) {
                return Flow::Exit(label);
            }
        }
        Flow::Next
    }

    fn stmt(&mut self, frame: &mut Frame<'_, S>, stmt: &Stmt) -> Flow {
        self.counters.steps += 1;
        assert!(self.counters.steps < 5_000_000, "the program does not seem to end");
        match &stmt.kind {
            StmtKind::Let { var, value } => {
                frame.values[var.position()] = match value {
                    Some(value) => frame.eval(value),
                    None => Value::Nothing,
                };
            }
            StmtKind::Assign { place, value } => {
                let value = frame.eval(value);
                frame.write(place, value);
            }
            StmtKind::Increment { place, value } => {
                let value = frame.eval(value);
                let mut sum = frame.read(place);
                sum.add(&value);
                frame.write(place, sum);
            }
            StmtKind::Reset { place } => {
                let mut value = frame.read(place);
                value.reset();
                frame.write(place, value);
            }
            StmtKind::Bind { .. } => {}
            StmtKind::Call(call) => self.call(frame, call),
            StmtKind::Opaque(_) => panic!("opaque code cannot be interpreted"),
            StmtKind::If { test, then, otherwise } => {
                let taken = if frame.eval(test).bool() { then } else { otherwise };
                return self.block(frame, taken);
            }
            StmtKind::Loop(inner) => return self.repeat(frame, inner),
            StmtKind::Block { target, body } => {
                let label = target.as_ref().map(|target| target.label);
                return match self.block(frame, body) {
                    Flow::Exit(exit) if Some(exit) == label => Flow::Next,
                    flow => flow,
                };
            }
            StmtKind::Exit { label, .. } => {
                self.counters.exits += 1;
                return Flow::Exit(*label);
            }
            StmtKind::Region { body } => return self.block(frame, body),
            StmtKind::Push { place, .. } => {
                let value = frame.read(place);
                self.counters.pushes += size(&value);
                self.stack.push(value);
            }
            StmtKind::Pop { place, .. } => {
                let value = self.stack.pop().expect("the stack is not empty");
                frame.write(place, value);
            }
        }
        Flow::Next
    }

    fn repeat(&mut self, frame: &mut Frame<'_, S>, inner: &Loop) -> Flow {
        let mut iterations = 0;
        let mut body = |this: &mut Self, frame: &mut Frame<'_, S>| {
            this.counters.iterations += 1;
            iterations += 1;
            match this.block(frame, &inner.body) {
                Flow::Next => None,
                Flow::Exit(label) if label == inner.target.label => Some(Flow::Next),
                exit => Some(exit),
            }
        };
        let mut left = None;
        match &inner.kind {
            LoopKind::Counted { var, range } => {
                for index in frame.range(range) {
                    frame.values[var.position()] = Value::Int(index);
                    left = body(self, frame);
                    if left.is_some() {
                        break;
                    }
                }
            }
            LoopKind::While { test } => {
                while frame.eval(test).bool() {
                    left = body(self, frame);
                    if left.is_some() {
                        break;
                    }
                }
            }
            LoopKind::Forever => {
                while left.is_none() {
                    left = body(self, frame);
                }
            }
        }
        self.counters.empty_loops += usize::from(iterations == 0);
        left.unwrap_or(Flow::Next)
    }

    fn call(&mut self, frame: &mut Frame<'_, S>, call: &Call) {
        let program = self.program;
        let name = call.callee.to_string();
        let primal = program.primal(&name);
        let derived = || program.derived(&name);
        let active: Vec<bool> = call.args.iter().map(|arg| frame.is_active(arg)).collect();
        let position = |var: &Var| primal.params.iter().position(|param| param == var);
        let is_active = |var: &Var| position(var).is_none_or(|position| active[position]);
        let instance = |wanted: &Guard, frame: &Frame<'_, S>| Instance {
            primal: frame.holds(wanted),
            independents: primal.independents.iter().map(is_active).collect(),
            dependents: primal.dependents.iter().map(is_active).collect(),
        };
        match &call.sweep {
            Sweep::Primal => {
                let args = call.args.iter().map(|arg| frame.argument(arg)).collect();
                let anything = Instance { primal: true, independents: vec![], dependents: vec![] };
                let outcome = self.run(primal, anything, args, Vec::new());
                frame.write_back(call, outcome.params.into_iter());
                frame.define(call.result, outcome.result);
            }
            Sweep::Forward { primal: wanted } => {
                let args = call.args.iter().map(|arg| frame.argument(arg)).collect();
                let instance = instance(wanted, frame);
                // Without an active argument the callee runs as it is and keeps nothing.
                let is_active = instance.independents.contains(&true);
                let body = if is_active { &derived().adjoint.forward } else { primal };
                let outcome = self.run(body, instance, args, Vec::new());
                frame.write_back(call, outcome.params.into_iter());
                frame.define(call.result, outcome.result);
                frame.define(call.kept, Value::Tuple(outcome.kept));
            }
            Sweep::Backward { seed, primal: wanted } => {
                let instance = instance(wanted, frame);
                self.backward(frame, call, seed.as_ref(), instance);
            }
            Sweep::Tangent { result } => {
                let mut args = Vec::new();
                for (arg, &param) in call.args.iter().zip(&primal.params) {
                    args.push(frame.argument(arg));
                    match &arg.slot {
                        Slot::Bar(place, _) => args.push(frame.read(place)),
                        Slot::Passive | Slot::Marker(_) => {
                            if primal.vars[param].ty.may_carry_floats() {
                                let mut zero = args.last().expect("pushed above").clone();
                                zero.reset();
                                args.push(zero);
                            }
                        }
                    }
                }
                let anything = Instance { primal: true, independents: vec![], dependents: vec![] };
                let outcome = self.run(&derived().tangent, anything, args, Vec::new());
                let mut params = outcome.params.into_iter();
                for (arg, &param) in call.args.iter().zip(&primal.params) {
                    let value = params.next().expect("a value for each parameter");
                    let carries = primal.vars[param].ty.may_carry_floats();
                    let tangent = if carries { params.next() } else { None };
                    if let ArgKind::Exclusive(place) = &arg.kind {
                        frame.write(place, value);
                        if let (Slot::Bar(place, _), Some(tangent)) = (&arg.slot, tangent) {
                            frame.write(place, tangent);
                        }
                    }
                }
                frame.define(call.result, outcome.result);
                frame.define(*result, outcome.kept.into_iter().next().unwrap_or(Value::Nothing));
            }
        }
    }

    fn backward(
        &mut self,
        frame: &mut Frame<'_, S>,
        call: &Call,
        seed: Option<&Place>,
        instance: Instance,
    ) {
        let program = self.program;
        let function = program.derived(&call.callee.to_string());
        let kept = call.kept.expect("a backward sweep reads what was kept");
        let kept = frame.values[kept.position()].parts().to_vec();
        let adjoint = &function.adjoint;
        let mut args = Vec::new();
        let mut bars = Vec::new();
        for (arg, slot) in call.args.iter().zip(&adjoint.bars) {
            if !matches!(arg.kind, ArgKind::Omitted) {
                args.push(frame.argument(arg));
            }
            if slot.bar.is_some() {
                let place = match &arg.slot {
                    Slot::Bar(place, _) if frame.is_active(arg) => Some(place.clone()),
                    Slot::Bar(..) | Slot::Passive | Slot::Marker(_) => None,
                };
                let bar = match (&place, &slot.scratch) {
                    (Some(place), _) => frame.read(place),
                    (None, Some(scratch)) => {
                        scratch_value(&adjoint.backward, scratch, &kept)
                    }
                    (None, None) => Value::Nothing,
                };
                bars.push((args.len(), place));
                args.push(bar);
            }
        }
        if adjoint.seed.is_some() {
            args.push(match seed {
                Some(place) => frame.read(place),
                None => Value::Float(S::constant(0.0)),
            });
        }
        let outcome = self.run(&adjoint.backward, instance, args, kept);
        for (position, place) in bars {
            if let Some(place) = place {
                frame.write(&place, outcome.params[position].clone());
            }
        }
        if let Some(place) = seed {
            let mut zero = frame.read(place);
            zero.reset();
            frame.write(place, zero);
        }
    }
}

/// The zero that takes the place of a bar that is not passed.
pub fn scratch_value<S: Scalar>(backward: &Body, scratch: &Expr, kept: &[Value<S>]) -> Value<S> {
    let mut frame = Frame {
        body: backward,
        instance: Instance { primal: true, independents: vec![], dependents: vec![] },
        values: vec![Value::Nothing; backward.vars.len()],
    };
    for (&var, value) in backward.kept.iter().zip(kept) {
        frame.values[var.position()] = value.clone();
    }
    frame.eval(scratch)
}

fn size<S: Scalar>(value: &Value<S>) -> usize {
    match value {
        Value::List(parts) | Value::Tuple(parts) => parts.iter().map(size).sum(),
        Value::Nothing | Value::Float(_) | Value::Int(_) | Value::Bool(_) => 1,
    }
}

impl<S: Scalar> Frame<'_, S> {
    fn holds(&self, guard: &Guard) -> bool {
        self.condition(if self.instance.primal { &guard.primal } else { &guard.bare })
    }

    fn condition(&self, condition: &Condition) -> bool {
        let dependents = self.instance.dependents.len();
        if dependents == 0 {
            return !condition.is_never();
        }
        condition.pairs.ones().any(|pair| {
            self.instance.independents[pair / dependents]
                && self.instance.dependents[pair % dependents]
        })
    }

    fn is_active(&self, arg: &Arg) -> bool {
        match &arg.slot {
            Slot::Passive => false,
            Slot::Marker(condition) | Slot::Bar(_, condition) => self.condition(condition),
        }
    }

    fn argument(&self, arg: &Arg) -> Value<S> {
        match &arg.kind {
            ArgKind::Value(value) => self.eval(value),
            ArgKind::Shared(place) | ArgKind::Exclusive(place) => self.read(place),
            ArgKind::Omitted => Value::Nothing,
        }
    }

    fn write_back(&mut self, call: &Call, values: impl Iterator<Item = Value<S>>) {
        for (arg, value) in call.args.iter().zip(values) {
            if let ArgKind::Exclusive(place) = &arg.kind {
                self.write(place, value);
            }
        }
    }

    fn define(&mut self, var: Option<Var>, value: Value<S>) {
        if let Some(var) = var {
            self.values[var.position()] = value;
        }
    }

    fn range(&self, range: &Range) -> Vec<i128> {
        let (start, end) = (self.eval(&range.start).int(), self.eval(&range.end).int());
        let mut values: Vec<i128> =
            if range.inclusive { (start..=end).collect() } else { (start..end).collect() };
        for adaptor in &range.adaptors {
            match adaptor {
                Adaptor::Rev => values.reverse(),
                Adaptor::StepBy(step) => {
                    let step = self.eval(step).int() as usize;
                    values = values.into_iter().step_by(step).collect();
                }
                Adaptor::Take(count) => values.truncate(self.eval(count).int() as usize),
            }
        }
        values
    }

    fn read(&self, place: &Place) -> Value<S> {
        let place = self.body.resolve(place);
        let mut value = &self.values[place.root.position()];
        let slice;
        for (depth, step) in place.projections.iter().enumerate() {
            match step {
                Projection::Field(name) => {
                    value = &value.parts()[name.parse::<usize>().expect("tuple fields")];
                }
                Projection::Index(index) => {
                    let index = self.eval(index).int();
                    let parts = value.parts();
                    value = parts.get(usize::try_from(index).expect("a valid index")).unwrap_or_else(
                        || panic!("index {index} of {} in {}", parts.len(), self.body.name),
                    );
                }
                Projection::Slice { start, end } => {
                    let (start, end) = self.bounds(start, end, value.parts().len());
                    slice = Value::List(value.parts()[start..end].to_vec());
                    let rest = Place {
                        root: place.root,
                        projections: place.projections[depth + 1..].to_vec(),
                    };
                    return self.part(&slice, &rest.projections);
                }
            }
        }
        value.clone()
    }

    /// A part of a value that stands for itself.
    fn part(&self, value: &Value<S>, steps: &[Projection]) -> Value<S> {
        let Some((step, rest)) = steps.split_first() else { return value.clone() };
        match step {
            Projection::Field(name) => {
                let field = &value.parts()[name.parse::<usize>().expect("tuple fields")];
                self.part(field, rest)
            }
            Projection::Index(index) => {
                let index = usize::try_from(self.eval(index).int()).expect("a valid index");
                self.part(&value.parts()[index], rest)
            }
            Projection::Slice { start, end } => {
                let (start, end) = self.bounds(start, end, value.parts().len());
                self.part(&Value::List(value.parts()[start..end].to_vec()), rest)
            }
        }
    }

    fn bounds(&self, start: &Option<Expr>, end: &Option<Expr>, len: usize) -> (usize, usize) {
        let bound = |expr: &Expr| usize::try_from(self.eval(expr).int()).expect("a valid bound");
        (start.as_ref().map_or(0, bound), end.as_ref().map_or(len, bound))
    }

    fn write(&mut self, place: &Place, value: Value<S>) {
        let place = self.body.resolve(place);
        // Indices are evaluated before anything is borrowed.
        let steps: Vec<(usize, Option<usize>)> = {
            let mut steps = Vec::new();
            let mut current = self.values[place.root.position()].clone();
            for step in &place.projections {
                let (first, end) = match step {
                    Projection::Field(name) => (name.parse().expect("tuple fields"), None),
                    Projection::Index(index) => {
                        (usize::try_from(self.eval(index).int()).expect("a valid index"), None)
                    }
                    Projection::Slice { start, end } => {
                        let (start, end) = self.bounds(start, end, current.parts().len());
                        (start, Some(end))
                    }
                };
                current = match end {
                    None => current.parts()[first].clone(),
                    Some(end) => Value::List(current.parts()[first..end].to_vec()),
                };
                steps.push((first, end));
            }
            steps
        };
        store(&mut self.values[place.root.position()], &steps, 0, value);
    }

    fn eval(&self, expr: &Expr) -> Value<S> {
        match &expr.kind {
            ExprKind::Literal(text) => literal(text, &expr.ty),
            ExprKind::Load(place) => self.read(place),
            ExprKind::Guard(guard) => Value::Bool(self.holds(guard)),
            ExprKind::Opaque(_) => panic!("opaque code cannot be interpreted"),
            ExprKind::Op(op, args) => self.operation(op, args, &expr.ty),
        }
    }

    fn operation(&self, op: &Op, args: &[Expr], ty: &Type) -> Value<S> {
        match op {
            Op::Binary(BinaryOp::And) => {
                Value::Bool(self.eval(&args[0]).bool() && self.eval(&args[1]).bool())
            }
            Op::Binary(BinaryOp::Or) => {
                Value::Bool(self.eval(&args[0]).bool() || self.eval(&args[1]).bool())
            }
            Op::Select => {
                let taken = if self.eval(&args[0]).bool() { &args[1] } else { &args[2] };
                self.eval(taken)
            }
            Op::Unary(UnaryOp::Not) => Value::Bool(!self.eval(&args[0]).bool()),
            Op::Unary(UnaryOp::Neg) | Op::Binary(_) | Op::Method(_) => {
                let args: Vec<Value<S>> = args.iter().map(|arg| self.eval(arg)).collect();
                apply(op, &args)
            }
            Op::Cast => match self.eval(&args[0]) {
                Value::Int(value) if ty.is_float() => Value::Float(S::constant(value as f64)),
                Value::Float(value) if !ty.is_float() => Value::Int(value.value() as i128),
                value => value,
            },
            Op::Len => Value::Int(self.eval(&args[0]).parts().len() as i128),
            Op::Array | Op::Vec => Value::List(args.iter().map(|arg| self.eval(arg)).collect()),
            Op::Tuple => Value::Tuple(args.iter().map(|arg| self.eval(arg)).collect()),
            Op::Repeat(len) => {
                Value::List(vec![self.eval(&args[0]); len.parse().expect("a literal length")])
            }
            Op::VecRepeat => {
                let len = usize::try_from(self.eval(&args[1]).int()).expect("a length");
                Value::List(vec![self.eval(&args[0]); len])
            }
            Op::ToVec | Op::Clone | Op::Real | Op::Shape => self.eval(&args[0]),
            Op::ZeroBar => {
                let mut zero = self.eval(&args[0]);
                zero.reset();
                zero
            }
        }
    }
}

fn store<S: Scalar>(
    target: &mut Value<S>,
    steps: &[(usize, Option<usize>)],
    offset: usize,
    value: Value<S>,
) {
    match steps.split_first() {
        None => *target = value,
        Some((&(first, None), rest)) => {
            store(&mut target.parts_mut()[first + offset], rest, 0, value);
        }
        Some((&(first, Some(end)), rest)) => {
            if rest.is_empty() {
                let parts = &mut target.parts_mut()[first + offset..end + offset];
                assert_eq!(parts.len(), value.parts().len(), "slices of one length");
                parts.clone_from_slice(value.parts());
            } else {
                store(target, rest, first + offset, value);
            }
        }
    }
}

fn literal<S: Scalar>(text: &str, ty: &Type) -> Value<S> {
    match text {
        "true" => return Value::Bool(true),
        "false" => return Value::Bool(false),
        _ => {}
    }
    let digits = text.replace('_', "");
    if ty.is_float() {
        Value::Float(S::constant(digits.parse().expect("a float literal")))
    } else {
        let digits: String = digits.chars().take_while(char::is_ascii_digit).collect();
        Value::Int(digits.parse().expect("an integer literal"))
    }
}

fn apply<S: Scalar>(op: &Op, args: &[Value<S>]) -> Value<S> {
    if let Op::Binary(op) = op
        && op.is_test()
    {
        let order = match (&args[0], &args[1]) {
            (Value::Float(a), Value::Float(b)) => a.value().partial_cmp(&b.value()),
            (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
            (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
            (a, b) => panic!("{a:?} and {b:?} cannot be compared"),
        };
        return Value::Bool(match op {
            BinaryOp::Eq => order.is_some_and(|order| order.is_eq()),
            BinaryOp::Ne => order.is_none_or(|order| order.is_ne()),
            BinaryOp::Lt => order.is_some_and(|order| order.is_lt()),
            BinaryOp::Le => order.is_some_and(|order| order.is_le()),
            BinaryOp::Gt => order.is_some_and(|order| order.is_gt()),
            BinaryOp::Ge => order.is_some_and(|order| order.is_ge()),
            other => panic!("{other:?} is no comparison"),
        });
    }
    if let (Op::Binary(op), Value::Int(a), Some(Value::Int(b))) = (op, &args[0], args.get(1)) {
        return Value::Int(match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a / b,
            BinaryOp::Rem => a % b,
            other => panic!("{other:?} on integers"),
        });
    }
    if let (Op::Unary(UnaryOp::Neg), Value::Int(a)) = (op, &args[0]) {
        return Value::Int(-a);
    }
    let method = match op {
        Op::Method(name) => &**name,
        _ => "",
    };
    match method {
        "is_nan" => return Value::Bool(args[0].float().value().is_nan()),
        "is_sign_negative" => return Value::Bool(args[0].float().value().is_sign_negative()),
        _ => {}
    }
    let rule = ad_analysis::rules::rule_of(op).unwrap_or_else(|| panic!("{op:?} has no rule"));
    let (mut floats, mut ints) = (Vec::new(), Vec::new());
    for arg in args {
        match arg {
            Value::Int(value) => ints.push(*value),
            value => floats.push(value.float()),
        }
    }
    let value = S::elementary(rule.name, &floats, &ints);
    Value::Float(value.unwrap_or_else(|| panic!("no reference for {}", rule.name)))
}

/// Whether a parameter is a `&mut`.
pub fn is_exclusive(body: &Body, var: Var) -> bool {
    matches!(body.vars[var].binding, Binding::Exclusive)
}
