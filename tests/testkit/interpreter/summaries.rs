//! What the backward sweep of a function reads, as generated code would find out.

use super::Functions;
use ad_analysis::ir::{AskedCall, Body, Condition, ReadBy, summary_of};

/// Whether the backward sweep of a function reads an argument, given which are active.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Question {
    pub(super) function: String,
    pub(super) argument: usize,
    pub(super) active: Vec<bool>,
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
        asked.push(self.clone());
        let derived = functions.derived(&self.function);
        let (primal, backward) = (&derived.reified, &derived.adjoint.backward);
        let here = Here { question: self, functions, primal, backward };
        let answer = summary_of(backward).iter().any(|read| {
            let is_by_callee = |asked: &mut Vec<Self>| match &read.by {
                ReadBy::Itself => true,
                ReadBy::Callee { callee, argument, active } => {
                    let callee =
                        AskedCall { callee: callee.clone(), active: active.clone(), names: vec![] };
                    here.ask(&callee, *argument, asked)
                }
            };
            read.param == primal.params[self.argument]
                && here.holds(&read.when, asked)
                && is_by_callee(asked)
        });
        asked.pop();
        answer
    }
}

struct Here<'a> {
    question: &'a Question,
    functions: &'a dyn Functions,
    primal: &'a Body,
    backward: &'a Body,
}

impl Here<'_> {
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
            || condition.if_read.iter().any(|(read, pairs)| {
                pairs.ones().any(is_active)
                    && self.ask(&self.backward.asked[&read.call], read.argument, asked)
            })
    }

    fn ask(&self, call: &AskedCall, argument: usize, asked: &mut Vec<Question>) -> bool {
        let active = call.active.iter().map(|condition| self.holds(condition, asked)).collect();
        let question = Question { function: call.callee.to_string(), argument, active };
        question.is_answered_by(self.functions, asked)
    }
}
