//! What the sweeps of a function read of its parameters: callers need not store the rest for them.
//!
//! The answer is taken from the sweeps as they are emitted, so that it holds whatever was decided before. Lengths do not count: callers keep
//! the shapes of what they pass.

use super::syntax::*;
use super::values::*;
use super::visit::{each_block, each_expr, each_written_place, exprs_in_place};
use crate::index::Var;
use proc_macro2::Span;

/// That a parameter is read in some instances.
#[derive(Clone, Debug)]
pub struct ReadOfParam {
    /// The parameter.
    pub param: Var,
    /// When the code around runs.
    pub when: Condition,
    /// What reads it.
    pub by: ReadBy,
}

/// What reads a parameter.
#[derive(Clone, Debug)]
pub enum ReadBy {
    /// The sweep itself.
    Itself,
    /// The backward sweep of a function to which it is passed, if that reads it.
    Callee {
        /// The function.
        callee: Callee,
        /// The position of the argument.
        argument: usize,
        /// When each argument of that call is active.
        active: Vec<Condition>,
        /// Where the call is.
        span: Span,
    },
}

/// The instances of a sweep that are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instances {
    /// All.
    All,
    /// Those in which no primal value is wanted.
    Bare,
}

/// What a sweep reads of its parameters, bars and seed among them.
pub fn reads_of(sweep: &Body, instances: Instances) -> Vec<ReadOfParam> {
    let mut reads = Reads { body: sweep, instances, found: Vec::new() };
    reads.block(&sweep.block, &Condition::always(sweep.pairs()));
    // What a forward sweep hands over it reads at its end.
    for Kept { var, when } in &sweep.kept {
        reads.read(&Place::var(*var), when, ReadBy::Itself);
    }
    reads.found
}

struct Reads<'a> {
    body: &'a Body,
    instances: Instances,
    found: Vec<ReadOfParam>,
}

impl Reads<'_> {
    /// Adds what a block reads, which runs at most where the condition holds.
    fn block(&mut self, block: &Block, when: &Condition) {
        for stmt in &block.stmts {
            if let StmtKind::If { test, then, otherwise } = &stmt.kind
                && let ExprKind::Guard(guard) = &test.kind
            {
                self.choice(guard, [then, otherwise], when);
            } else {
                self.own(stmt, when);
                each_block(stmt, &mut |block| self.block(block, when));
            }
        }
    }

    fn choice(&mut self, guard: &Guard, [then, otherwise]: [&Block; 2], when: &Condition) {
        let guard = match self.instances {
            Instances::All => guard.clone(),
            Instances::Bare => Guard::both(guard.bare.clone()),
        };
        let mut taken = guard.primal.clone();
        taken.join(&guard.bare);
        if !taken.is_never() {
            self.block(then, &taken);
        }
        if !guard.is_always() {
            self.block(otherwise, when);
        }
    }

    /// Adds what a statement itself reads. What is written counts: a part of it may stay.
    fn own(&mut self, stmt: &Stmt, when: &Condition) {
        if let StmtKind::Call(call) = &stmt.kind {
            return self.call(call, stmt.span, when);
        }
        if let StmtKind::Opaque(opaque) = &stmt.kind {
            self.opaque(opaque, when);
        }
        if let StmtKind::Push { place, transfer: _ } = &stmt.kind {
            self.place(place, when);
        }
        each_expr(stmt, &mut |expr| self.expr(expr, when));
        each_written_place(stmt, &mut |place| self.place(place, when));
    }

    fn call(&mut self, call: &Call, span: Span, when: &Condition) {
        let tells =
            matches!((&call.callee, &call.sweep), (Callee::Function(_), Sweep::Backward { .. }));
        for (argument, arg) in call.args.iter().enumerate() {
            let passed = match &arg.kind {
                ArgKind::Value(value) => match value.as_place() {
                    Some(place) => place,
                    None => {
                        self.expr(value, when);
                        continue;
                    }
                },
                ArgKind::Shared(place) | ArgKind::Exclusive(place) => place,
                ArgKind::Omitted => continue,
            };
            self.indices(passed, when);
            let by = match tells {
                true => ReadBy::Callee {
                    callee: call.callee.clone(),
                    argument,
                    active: call.args.iter().map(|arg| self.active(&arg.slot)).collect(),
                    span,
                },
                false => ReadBy::Itself,
            };
            self.read(passed, when, by);
        }
        let bars = call.args.iter().filter_map(|arg| match &arg.slot {
            Slot::Bar(place, _) => Some(place),
            Slot::Passive | Slot::Marker(_) => None,
        });
        let seed = match &call.sweep {
            Sweep::Backward { seed, primal: _ } => seed.as_ref(),
            Sweep::Primal | Sweep::Forward { .. } | Sweep::Tangent { .. } => None,
        };
        bars.chain(seed).for_each(|place| self.indices(place, when));
    }

    fn active(&self, slot: &Slot) -> Condition {
        match slot {
            Slot::Passive => Condition::never(self.body.pairs()),
            Slot::Marker(condition) | Slot::Bar(_, condition) => condition.clone(),
        }
    }

    fn opaque(&mut self, opaque: &Opaque, when: &Condition) {
        for &var in opaque.reads.iter().chain(&opaque.writes) {
            self.place(&Place::var(var), when);
        }
    }

    fn expr(&mut self, expr: &Expr, when: &Condition) {
        match &expr.kind {
            ExprKind::Load(place) => self.place(place, when),
            // The shape of what is written there, not what it holds.
            ExprKind::Op(Op::Len | Op::Shape | Op::ZeroBar | Op::ZeroTangent, args) => {
                for arg in args {
                    match arg.as_place() {
                        Some(place) => self.indices(place, when),
                        None => self.expr(arg, when),
                    }
                }
            }
            ExprKind::Op(_, args) => args.iter().for_each(|arg| self.expr(arg, when)),
            ExprKind::Opaque(opaque) => self.opaque(opaque, when),
            ExprKind::Literal(_) | ExprKind::Guard(_) => {}
        }
    }

    fn place(&mut self, place: &Place, when: &Condition) {
        self.indices(place, when);
        self.read(place, when, ReadBy::Itself);
    }

    fn indices(&mut self, place: &Place, when: &Condition) {
        let resolved = self.body.resolve(place);
        exprs_in_place(&resolved, &mut |index| self.expr(index, when));
    }

    fn read(&mut self, place: &Place, when: &Condition, by: ReadBy) {
        let param = self.body.root_of(place);
        if self.body.params.contains(&param) {
            self.found.push(ReadOfParam { param, when: when.clone(), by });
        }
    }
}
