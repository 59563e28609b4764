//! What random programs are like: random tests are only worth that.

use crate::campaign::{each_seed, inlined_in_part, sample};
use crate::interpreter::says;
use crate::program::{Function, Program};
use crate::reference::Reference;
use ad_analysis::analyses::{Facts, Optimisations};
use ad_analysis::flow::PointKind;
use ad_analysis::index::Index;
use ad_analysis::ir::{Body, StmtKind, each_stmt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// What a program is like.
#[derive(Clone, Debug, Default)]
pub struct Traits {
    /// How many statements its main function has.
    pub statements: usize,
    /// Whether a statement in a loop of it overwrites a value that the backward sweep reads.
    pub overwrites_in_loop: bool,
    /// Whether it was left, or a construct in it, by an early exit.
    pub exits_early: bool,
    /// Whether an element was accessed by two names.
    pub has_equal_indices: bool,
    /// Whether a loop was entered and ran no iteration.
    pub has_empty_loop: bool,
    /// Whether a list of it grows or shrinks in a loop.
    pub resizes_in_loop: bool,
    /// Whether the sweeps of its main function can be joined in a single pass.
    pub has_single_pass: bool,
    /// Whether a function of it hands over partials.
    pub hands_over_partials: bool,
    /// Whether a callee says that it has no need of something its main function would store.
    pub spares_storage: bool,
    /// Whether calls in its main function can be inlined.
    pub has_inlined: bool,
    /// Whether its gradient is finite and somewhere not zero.
    pub has_gradient: bool,
}

/// What many programs are like.
#[derive(Clone, Debug, Default)]
pub struct Distribution {
    programs: Vec<Traits>,
}

impl Distribution {
    /// The programs of a range of seeds.
    pub fn of(first: u64, programs: u64) -> Self {
        let all = Mutex::new(Vec::new());
        each_seed(first, programs, &|seed| {
            let traits = catch_unwind(AssertUnwindSafe(|| Traits::of(seed))).unwrap_or_default();
            all.lock().expect("no thread has panicked").push(traits);
            true
        });
        Self { programs: all.into_inner().expect("no thread has panicked") }
    }

    /// The median of the numbers of statements.
    pub fn median_statements(&self) -> usize {
        let mut counts: Vec<usize> = self.programs.iter().map(|traits| traits.statements).collect();
        counts.sort_unstable();
        counts[counts.len() / 2]
    }

    /// The part of the programs, in percent, that have some property.
    pub fn percentage(&self, has: impl Fn(&Traits) -> bool) -> f64 {
        let count = self.programs.iter().filter(|traits| has(traits)).count();
        100.0 * count as f64 / self.programs.len() as f64
    }
}

/// Whether a callee says no, all arguments active, to what a condition of the sweeps asks.
fn spares_storage(program: &Program, derived: &Function) -> bool {
    derived.adjoint.forward.asked.values().any(|call| {
        let active = vec![true; call.active.len()];
        let callee = call.callee.to_string();
        call.names.keys().any(|about| !says(program, &callee, *about, &active))
    })
}

fn calls(body: &Body) -> usize {
    let mut count = 0;
    each_stmt(&body.block, &mut |stmt| {
        count += usize::from(matches!(stmt.kind, StmtKind::Call(_)));
    });
    count
}

impl Traits {
    /// What the program of a seed is like.
    pub fn of(seed: u64) -> Self {
        let (bodies, point) = sample(seed);
        let main = bodies.last().expect("there is a main function");
        let mut traits = Self::default();
        each_stmt(&main.block, &mut |_| traits.statements += 1);
        let inlined = inlined_in_part(&bodies, seed);
        traits.has_inlined = calls(&inlined[inlined.len() - 1]) < calls(main);
        let program = Program::new(&bodies, Optimisations::ALL);
        let derived = &program.functions["main"];
        traits.has_single_pass = derived.single_pass.is_some();
        traits.hands_over_partials = program.functions.values().any(|function| {
            // Partials are variables that the function does not have.
            let own = function.reified.vars.len();
            function.adjoint.forward.kept_vars().any(|var| Index::position(var) >= own)
        });
        traits.spares_storage = spares_storage(&program, derived);
        traits.overwrites_in_loop = overwrites_in_loop(&derived.facts);
        each_stmt(&main.block, &mut |stmt| {
            if let StmtKind::Loop(inner) = &stmt.kind {
                each_stmt(&inner.body, &mut |inner| {
                    traits.resizes_in_loop |= matches!(inner.kind, StmtKind::Resize(_));
                });
            }
        });
        let Some(reference) = Reference::new(&bodies.as_slice(), main, &point, true) else {
            return traits;
        };
        traits.exits_early = reference.counters.early_exits > 0;
        traits.has_equal_indices = reference.counters.equal_indices > 0;
        traits.has_empty_loop = reference.counters.empty_loops > 0;
        let mut components = reference.gradient.iter().flatten().flatten();
        traits.has_gradient = components.any(|&value| value != 0.0);
        traits
    }
}

fn overwrites_in_loop(facts: &Facts) -> bool {
    facts.graph.order().iter().any(|&point| {
        let info = facts.graph.info(point);
        info.kind == PointKind::Statement
            && info.inside.iter().any(|&outer| facts.graph.is_loop(outer))
            && !facts.storage.saves(point).is_empty()
    })
}
