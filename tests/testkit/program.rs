//! Programs: functions that call each other, with their derivatives.

use ad_analysis::analyses::{Facts, Optimisation, Optimisations};
use ad_analysis::diff::{Adjoint, adjoint, tangent};
use ad_analysis::ir::{Body, verify};
use ad_analysis::reify::reify;
use ad_analysis::simplify::simplify;
use std::collections::HashMap;

/// A function and what was derived from it.
#[derive(Debug)]
pub struct Function {
    /// The function as written.
    pub primal: Body,
    /// The function with control reified: what the sweeps were made from.
    pub reified: Body,
    /// The analyses.
    pub facts: Facts,
    /// Its sweeps.
    pub adjoint: Adjoint,
    /// Its tangent.
    pub tangent: Body,
}

/// Functions by name.
#[derive(Debug, Default)]
pub struct Program {
    /// The functions.
    pub functions: HashMap<String, Function>,
}

impl Program {
    /// Differentiates functions.
    pub fn new(bodies: &[Body], enabled: Optimisations) -> Self {
        let functions = bodies.iter().map(|body| (body.name.clone(), Function::new(body, enabled)));
        Self { functions: functions.collect() }
    }
}

impl Function {
    /// Differentiates a function, verifying each step.
    pub fn new(primal: &Body, enabled: Optimisations) -> Self {
        check(primal, "primal");
        let mut body = primal.clone();
        let reified = reify(&mut body, enabled.has(Optimisation::Cse));
        check(&body, "reified");
        let facts = Facts::of(&body, &reified, enabled);
        let mut adjoint = adjoint(&body, &reified, &facts);
        if enabled.has(Optimisation::Simplify) {
            simplify(&mut adjoint.forward);
            simplify(&mut adjoint.backward);
        }
        check(&adjoint.forward, "forward sweep");
        check(&adjoint.backward, "backward sweep");
        let tangent = tangent(primal);
        check(&tangent, "tangent");
        Self { primal: primal.clone(), reified: body, facts, adjoint, tangent }
    }
}

fn check(body: &Body, phase: &str) {
    if let Err(errors) = verify(body) {
        let text = ad_analysis::ir::print(body);
        panic!("invalid {phase}:\n  {}\n{text}", errors.join("\n  "));
    }
}
