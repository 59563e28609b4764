//! Programs: functions that call each other, with their derivatives.

use ad_analysis::analyses::{Facts, Optimisation, Optimisations};
use ad_analysis::diff::{Adjoint, Tangent, adjoint, tangent};
use ad_analysis::fuse::{keep_partials, single_pass, straighten};
use ad_analysis::ir::{Body, verify};
use ad_analysis::reify::reify;
use ad_analysis::simplify::simplify;
use ad_analysis::windows::cut_windows;
use std::collections::HashMap;
use std::rc::Rc;

/// A function and what was derived from it.
#[derive(Debug)]
pub struct Function {
    /// The function as written.
    pub source: Rc<Source>,
    /// The function with control reified: what the sweeps were made from.
    pub reified: Body,
    /// The analyses.
    pub facts: Facts,
    /// Its sweeps.
    pub adjoint: Adjoint,
    /// Its tangent.
    pub tangent: Tangent,
    /// Both sweeps in one, where that spares a loop.
    pub single_pass: Option<Body>,
}

/// What of a function does not depend on the optimisations.
#[derive(Debug)]
pub struct Source {
    /// The function as written.
    pub primal: Body,
}

/// Functions by name.
#[derive(Debug, Default)]
pub struct Program {
    /// The functions.
    pub functions: HashMap<String, Function>,
    /// Those that are loops which a schedule reverses, each with the function that is its step.
    pub steps: HashMap<String, String>,
}

impl Program {
    /// Differentiates functions.
    pub fn new(bodies: &[Body], enabled: Optimisations) -> Self {
        let sources = bodies.iter().map(|body| Rc::new(Source::new(body)));
        Self::of_sources(sources, enabled)
    }

    /// The same functions, differentiated with other optimisations.
    pub fn with(&self, enabled: Optimisations) -> Self {
        let sources = self.functions.values().map(|function| function.source.clone());
        Self { steps: self.steps.clone(), ..Self::of_sources(sources, enabled) }
    }

    /// With loops that a schedule reverses, each with the function that is its step: the names say which these are.
    pub fn with_scheduled_loops(self) -> Self {
        let loops = self.functions.keys().filter_map(|name| {
            let (head, number) = name.rsplit_once("_steps_")?;
            Some((name.clone(), format!("{head}_step_{number}")))
        });
        let steps = loops.collect();
        Self { steps, ..self }
    }

    fn of_sources(sources: impl Iterator<Item = Rc<Source>>, enabled: Optimisations) -> Self {
        let named =
            |source: Rc<Source>| (source.primal.name.clone(), Function::new(source, enabled));
        Self { functions: sources.map(named).collect(), steps: HashMap::new() }
    }
}

impl Source {
    /// A function.
    pub fn new(primal: &Body) -> Self {
        check(primal, "primal");
        Self { primal: primal.clone() }
    }
}

impl Function {
    /// Differentiates a function, verifying each step.
    pub fn new(source: Rc<Source>, enabled: Optimisations) -> Self {
        let mut body = source.primal.clone();
        let reified = reify(&mut body, enabled.has(Optimisation::Cse));
        check(&body, "reified");
        let facts = Facts::of(&body, &reified, enabled);
        let mut adjoint = adjoint(&body, &reified, &facts);
        let mut tangent = tangent(&body, &reified, &facts);
        check(&tangent.body, "tangent");
        if enabled.has(Optimisation::Simplify) {
            simplify(&mut adjoint.forward);
            simplify(&mut adjoint.backward);
            simplify(&mut tangent.body);
            check(&tangent.body, "simplified tangent");
        }
        let single_pass = enabled.has(Optimisation::Fuse).then(|| {
            straighten(&mut adjoint.backward);
            single_pass(&body, &adjoint)
        });
        let single_pass = single_pass.flatten();
        if enabled.has(Optimisation::Preaccumulate) && single_pass.is_none() {
            keep_partials(&body, &mut adjoint);
        }
        if enabled.has(Optimisation::Windows) {
            cut_windows(&mut adjoint.backward);
        }
        check(&adjoint.forward, "forward sweep");
        check(&adjoint.backward, "backward sweep");
        if let Some(body) = &single_pass {
            check(body, "single pass");
        }
        Self { source, reified: body, facts, adjoint, tangent, single_pass }
    }
}

fn check(body: &Body, phase: &str) {
    if let Err(errors) = verify(body) {
        let text = ad_analysis::ir::print(body);
        panic!("invalid {phase}:\n  {}\n{text}", errors.join("\n  "));
    }
}
