//! An interpreter of the IR: runs primals, sweeps and tangents over any scalar.

mod calls;
mod operations;
mod places;
mod scheduled;
mod summaries;

use crate::program::{Function, Program};
use crate::scalar::Scalar;
use crate::value::Value;
use ad_analysis::index::{Index, Label, Var};
use ad_analysis::ir::{
    Binding, Block, Body, Change, Kept, Loop, LoopKind, Place, Resize, Stmt, StmtKind,
};
pub use calls::scratch_value;
use scheduled::Reversal;
use std::cell::RefCell;
use std::collections::HashMap;
pub use summaries::says;

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
    /// Values that calls hand back besides the stack; each element of a list counts.
    pub kept: usize,
    /// Statements run.
    pub steps: usize,
    /// Iterations of loops.
    pub iterations: usize,
    /// Exits taken, those apart by which a `loop` ends as a rule.
    pub early_exits: usize,
    /// Loops entered that ran no iteration.
    pub empty_loops: usize,
    /// Accesses to an element that was accessed before by another name; counted if
    /// [watched](Machine::watch_elements) for.
    pub equal_indices: usize,
}

/// The state of the interpreter.
pub struct Machine<'p, S> {
    program: &'p dyn Functions,
    /// The stack that forward sweeps leave values on.
    pub stack: Vec<Value<S>>,
    /// What happened so far.
    pub counters: Counters,
    /// Whether to count elements that are accessed by different names.
    pub watch_elements: bool,
    depth: usize,
    /// The loops that schedules are reversing, by the numbers that stand for them where they are kept.
    reversals: Vec<Option<Reversal<S>>>,
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
    /// The step of a function, if that is a loop which a schedule reverses.
    fn step_of(&self, _name: &str) -> Option<&Function> {
        None
    }
}

impl Functions for Program {
    fn primal(&self, name: &str) -> &Body {
        &self.functions[name].source.primal
    }

    fn derived(&self, name: &str) -> &Function {
        &self.functions[name]
    }

    fn step_of(&self, name: &str) -> Option<&Function> {
        self.steps.get(name).map(|step| &self.functions[step])
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
    /// What is called; nothing, where nothing is.
    functions: Option<&'b dyn Functions>,
    instance: Instance,
    values: Vec<Value<S>>,
    watched: Option<RefCell<Watched>>,
}

/// The elements that were accessed, with the name by which each was accessed first.
#[derive(Default)]
struct Watched {
    names: HashMap<(Var, usize), Place>,
    equal_indices: usize,
}

enum Flow {
    Next,
    Exit(Label),
}

impl<'p, S: Scalar> Machine<'p, S> {
    /// A machine with an empty stack.
    pub fn new(program: &'p dyn Functions) -> Self {
        Self {
            program,
            stack: Vec::new(),
            counters: Counters::default(),
            watch_elements: false,
            depth: 0,
            reversals: Vec::new(),
        }
    }

    /// The functions that it runs.
    pub fn functions(&self) -> &'p dyn Functions {
        self.program
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
        let values = vec![Value::Nothing; body.vars.len()];
        let watched = self.watch_elements.then(RefCell::default);
        let functions = Some(self.program);
        let mut frame = Frame { body, functions, instance, values, watched };
        assert_eq!(body.params.len(), params.len(), "arguments of {}", body.name);
        for (&var, value) in body.params.iter().zip(params) {
            frame.values[var.position()] = value;
        }
        for (var, value) in body.kept_vars().zip(kept) {
            frame.values[var.position()] = value;
        }
        self.block(&mut frame, &body.block);
        self.depth -= 1;
        if let Some(watched) = &frame.watched {
            self.counters.equal_indices += watched.borrow().equal_indices;
        }
        let take = |var: &Var| frame.values[var.position()].clone();
        // What is not handed over is not there: whoever reads it fails.
        let hand_over = |kept: &Kept| match frame.is_handed_over(kept) {
            true => take(&kept.var),
            false => Value::Nothing,
        };
        Outcome {
            result: body.result.as_ref().map_or(Value::Nothing, take),
            kept: body.kept.iter().map(hand_over).collect(),
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
        assert!(self.counters.steps < 500_000, "the program does not seem to end");
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
            StmtKind::Resize(Resize { list, change, len: _ }) => {
                let mut value = frame.read(list);
                match change {
                    Change::Extend(items) => {
                        let items = frame.eval(items);
                        value.parts_mut().extend_from_slice(items.parts());
                    }
                    Change::Truncate(rest) => {
                        let rest = usize::try_from(frame.eval(rest).int()).expect("a length");
                        assert!(rest <= value.parts().len(), "a list does not grow by truncation");
                        value.parts_mut().truncate(rest);
                    }
                }
                frame.write(list, value);
            }
            StmtKind::Swap { a, b } => frame.swap(a, b),
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
                self.counters.early_exits += 1;
                return Flow::Exit(*label);
            }
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
                let is_its_end = matches!(left, Some(Flow::Next));
                self.counters.early_exits -= usize::from(is_its_end);
            }
        }
        self.counters.empty_loops += usize::from(iterations == 0);
        left.unwrap_or(Flow::Next)
    }
}

fn size<S: Scalar>(value: &Value<S>) -> usize {
    match value {
        Value::List(parts) | Value::Tuple(parts) => parts.iter().map(size).sum(),
        Value::Nothing | Value::Float(_) | Value::Int(_) | Value::Bool(_) => 1,
    }
}

/// Whether a parameter is a `&mut`.
pub fn is_exclusive(body: &Body, var: Var) -> bool {
    matches!(body.vars[var].binding, Binding::Exclusive)
}
