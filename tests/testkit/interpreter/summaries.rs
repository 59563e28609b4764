//! What functions say of their parameters, as generated code would find out.

use super::Functions;
use ad_analysis::ir::{
    AskedCall, Body, Callee, Condition, Fact, Instances, ReadBy, ReadOfParam, reads_of,
};
use ad_analysis::types::Type;

/// What a function says of an argument, given which are active.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Question {
    pub(super) function: String,
    pub(super) argument: usize,
    pub(super) fact: Fact,
    pub(super) active: Vec<bool>,
}

/// What a function says of an argument, given which are active.
pub fn says(
    functions: &dyn Functions,
    function: &str,
    (argument, fact): (usize, Fact),
    active: &[bool],
) -> bool {
    let (function, active) = (function.to_owned(), active.to_vec());
    Question { function, argument, fact, active }.is_answered_by(functions, &mut Vec::new())
}

impl Question {
    /// The answer. `asked` are the questions on the way to this one.
    pub(super) fn is_answered_by(&self, functions: &dyn Functions, asked: &mut Vec<Self>) -> bool {
        if functions.step_of(&self.function).is_some() {
            return true;
        }
        if asked.contains(self) {
            return false;
        }
        let derived = functions.derived(&self.function);
        let (primal, adjoint) = (&derived.reified, &derived.adjoint);
        let (sweeps, instances): (&[&Body], Instances) = match self.fact {
            Fact::Reads => (&[&adjoint.backward], Instances::All),
            Fact::Uses => (&[&adjoint.forward, &adjoint.backward], Instances::Bare),
            // Lists that can be are variables.
            Fact::Resizes => {
                let param = primal.params[self.argument];
                return matches!(primal.vars[param].ty, Type::Vec(_));
            }
        };
        asked.push(self.clone());
        let answer = sweeps.iter().any(|sweep| {
            let here = Here { question: self, functions, primal, sweep };
            let mut reads = reads_of(sweep, instances).into_iter();
            reads.any(|read| here.is_read(&read, asked))
        });
        asked.pop();
        answer
    }
}

struct Here<'a> {
    question: &'a Question,
    functions: &'a dyn Functions,
    primal: &'a Body,
    sweep: &'a Body,
}

impl Here<'_> {
    fn is_read(&self, read: &ReadOfParam, asked: &mut Vec<Question>) -> bool {
        if read.param != self.primal.params[self.question.argument]
            || !self.holds(&read.when, asked)
        {
            return false;
        }
        match &read.by {
            ReadBy::Itself => true,
            ReadBy::Callee { callee, argument, active, span: _ } => {
                self.ask(callee, active, (*argument, Fact::Reads), asked)
            }
        }
    }

    fn holds(&self, condition: &Condition, asked: &mut Vec<Question>) -> bool {
        if condition.is_always() {
            return true;
        }
        let is_active = |pair: usize| {
            let independent = self.primal.independents[pair / self.primal.dependents.len()];
            let position = self.primal.params.iter().position(|param| *param == independent);
            position.is_some_and(|position| self.question.active[position])
        };
        condition.pairs.ones().any(is_active)
            || condition.if_callee.iter().any(|(fact, pairs)| {
                let AskedCall { callee, active, names: _, span: _ } = &self.sweep.asked[&fact.call];
                pairs.ones().any(is_active)
                    && self.ask(callee, active, (fact.argument, fact.fact), asked)
            })
    }

    fn ask(
        &self,
        callee: &Callee,
        active: &[Condition],
        (argument, fact): (usize, Fact),
        asked: &mut Vec<Question>,
    ) -> bool {
        let active = active.iter().map(|condition| self.holds(condition, asked)).collect();
        let question = Question { function: callee.to_string(), argument, fact, active };
        question.is_answered_by(self.functions, asked)
    }
}
