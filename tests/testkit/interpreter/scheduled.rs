//! Loops that a schedule reverses: what their sweeps do, which are not in the IR.

use super::{Frame, Instance, Machine, Outcome, is_exclusive, scratch_value};
use crate::program::Function;
use crate::scalar::Scalar;
use crate::value::Value;
use ad_analysis::index::Var;
use ad_analysis::ir::{ArgKind, Body, Call, Slot};
use backsweep::schedule::{Binomial, Checkpoints, Online, Steps};
use std::convert::Infallible;

type Run<A, S> = Checkpoints<A, Vec<Value<S>>, Vec<Value<S>>>;

/// A loop whose forward sweep has run.
pub(super) struct Reversal<S> {
    run: Schedule<S>,
    captured: Captured<S>,
}

/// By what the loop is reversed.
enum Schedule<S> {
    Counted(Run<Binomial, S>),
    Open(Run<Online, S>),
}

/// A loop as a function, and its step. The parameters of the loop are numbers and then what is captured; those of
/// the step are the loop variable, what is captured, and whether there is another step.
#[derive(Clone, Copy)]
pub(super) struct Repetition<'p> {
    pub(super) body: &'p Body,
    pub(super) step: &'p Function,
}

/// The values of a loop.
struct Captured<S> {
    /// The first value of the loop variable, if there is one.
    start: Option<i128>,
    /// What is captured; of the state, as it was in the end.
    values: Vec<Value<S>>,
    /// What of it is active; the state is, as far as it can be.
    active: Vec<bool>,
    /// The bars of what is captured, while the backward sweep runs.
    bars: Vec<Value<S>>,
}

impl Repetition<'_> {
    fn param(&self, name: &str) -> Option<usize> {
        self.body.params.iter().position(|&param| self.body.vars[param].name == name)
    }

    /// The number of parameters before those that are captured.
    fn leads(&self) -> usize {
        let is_captured = |param: &&Var| self.body.vars[**param].name.starts_with("argument_");
        self.body.params.len() - self.body.params.iter().filter(is_captured).count()
    }

    /// The parameters of the step that are captured.
    fn captured(&self) -> &[Var] {
        let first = usize::from(self.param("start").is_some());
        &self.step.source.primal.params[first..][..self.body.params.len() - self.leads()]
    }

    /// Whether the step says if there is another.
    fn finds_out(&self) -> bool {
        let index = usize::from(self.param("start").is_some());
        self.step.source.primal.params.len() > index + self.captured().len()
    }

    /// The positions among what is captured that are the state.
    fn state(&self) -> impl Iterator<Item = usize> + '_ {
        let primal = &self.step.source.primal;
        let captured = self.captured().iter().enumerate();
        captured.filter(|(_, param)| is_exclusive(primal, **param)).map(|(position, _)| position)
    }
}

impl<S: Scalar> Machine<'_, S> {
    /// The forward sweep: what it keeps is the number of the reversal.
    pub(super) fn scheduled_forward(
        &mut self,
        repetition: Repetition<'_>,
        instance: &Instance,
        args: Vec<Value<S>>,
    ) -> Outcome<S> {
        let body = repetition.body;
        let lead = |name: &str| repetition.param(name).map(|position| args[position].int());
        let count =
            lead("start").zip(lead("end")).map(|(start, end)| (end - start).max(0) as usize);
        let is_active = |param: &Var| {
            body.independents
                .iter()
                .position(|other| other == param)
                .is_some_and(|position| instance.independents[position])
        };
        let active = body.params[repetition.leads()..].iter().map(is_active).collect();
        let values = args[repetition.leads()..].to_vec();
        let captured = Captured { start: lead("start"), values, active, bars: Vec::new() };
        let mut initial: Vec<Value<S>> =
            repetition.state().map(|position| captured.values[position].clone()).collect();
        let finds_out = repetition.finds_out();
        initial.extend(finds_out.then_some(Value::Bool(true)));
        let number = lead("number").map_or(1, |number| (number.max(1) as usize).min(9));
        let mut steps = Interpreted { machine: self, repetition, captured };
        let (run, last) = if finds_out {
            let mut run = Run::new(Online::new(number));
            let goes_on = |state: &Vec<Value<S>>, step: usize| {
                state.last().expect("it is the last").bool()
                    && count.is_none_or(|count| step < count)
            };
            let last = run.forward_while(&mut steps, initial, goes_on);
            (Schedule::Open(run), last)
        } else {
            let mut run = Run::new(Binomial::new(count.expect("it is counted"), number));
            let last = run.forward(&mut steps, initial);
            (Schedule::Counted(run), last)
        };
        let Interpreted { mut captured, .. } = steps;
        let last = last.unwrap_or_else(|never: Infallible| match never {});
        let mut params = args;
        for (position, value) in repetition.state().zip(last) {
            params[repetition.leads() + position] = value.clone();
            captured.values[position] = value;
        }
        self.reversals.push(Some(Reversal { run, captured }));
        let kept = vec![Value::Int((self.reversals.len() - 1) as i128)];
        Outcome { result: Value::Nothing, kept, params }
    }

    /// The backward sweep.
    pub(super) fn scheduled_backward(
        &mut self,
        frame: &mut Frame<'_, S>,
        call: &Call,
        function: &Function,
        kept: &[Value<S>],
    ) {
        let program = self.program;
        let body = &function.source.primal;
        let step = program.step_of(&call.callee.to_string()).expect("it is such a loop");
        let repetition = Repetition { body, step };
        let number = usize::try_from(kept[0].int()).expect("the number of a reversal");
        let Reversal { run, mut captured } = self.reversals[number].take().expect("it runs once");
        let mut places = Vec::new();
        for (position, arg) in call.args[repetition.leads()..].iter().enumerate() {
            let place = match &arg.slot {
                Slot::Bar(place, _) if frame.is_active(arg) => Some(place.clone()),
                Slot::Bar(..) | Slot::Passive | Slot::Marker(_) => None,
            };
            if !matches!(arg.kind, ArgKind::Omitted) {
                captured.values[position] = frame.argument(arg);
            }
            captured.bars.push(match &place {
                Some(place) => frame.read(place),
                None => {
                    let mut zero = captured.values[position].clone();
                    zero.reset();
                    zero
                }
            });
            places.push(place);
        }
        let mut steps = Interpreted { machine: self, repetition, captured };
        let done = match run {
            Schedule::Counted(mut run) => run.backward(&mut steps),
            Schedule::Open(mut run) => run.backward(&mut steps),
        };
        done.unwrap_or_else(|never: Infallible| match never {});
        let bars = steps.captured.bars;
        for (place, bar) in places.into_iter().zip(bars) {
            if let Some(place) = place {
                frame.write(&place, bar);
            }
        }
    }
}

/// The steps of a loop, as a schedule runs them.
struct Interpreted<'m, 'p, S> {
    machine: &'m mut Machine<'p, S>,
    repetition: Repetition<'m>,
    captured: Captured<S>,
}

impl<S: Scalar> Interpreted<'_, '_, S> {
    /// What the step is given: the loop variable, what is captured, and the state.
    fn args(&self, state: &[Value<S>], step: usize) -> Vec<Value<S>> {
        let mut args: Vec<Value<S>> = self.index(step).into_iter().collect();
        let first = args.len();
        args.extend(self.captured.values.iter().cloned());
        for (position, value) in self.repetition.state().zip(state) {
            args[first + position] = value.clone();
        }
        args.extend(self.repetition.finds_out().then(|| state[state.len() - 1].clone()));
        args
    }

    fn index(&self, step: usize) -> Option<Value<S>> {
        self.captured.start.map(|start| Value::Int(start + step as i128))
    }

    /// Runs the step, or its forward sweep.
    fn run(&mut self, body: &Body, state: &mut Vec<Value<S>>, step: usize) -> Vec<Value<S>> {
        let args = self.args(state, step);
        let outcome = self.machine.run(body, self.instance(), args, Vec::new());
        let first = usize::from(self.captured.start.is_some());
        let mut params = outcome.params;
        if self.repetition.finds_out() {
            *state.last_mut().expect("it is the last") = params.pop().expect("the last parameter");
        }
        for (position, value) in self.repetition.state().zip(state) {
            *value = params[first + position].clone();
        }
        outcome.kept
    }

    /// Whether a parameter of the step is active.
    fn is_active(&self, param: Var) -> bool {
        let position = self.repetition.captured().iter().position(|&other| other == param);
        let is_state = |position| self.repetition.state().any(|other| other == position);
        position.is_some_and(|position| is_state(position) || self.captured.active[position])
    }

    fn instance(&self) -> Instance {
        let primal = &self.repetition.step.source.primal;
        let active = |vars: &[Var]| vars.iter().map(|&var| self.is_active(var)).collect();
        Instance {
            primal: true,
            independents: active(&primal.independents),
            dependents: active(&primal.dependents),
        }
    }
}

impl<S: Scalar> Steps for Interpreted<'_, '_, S> {
    type State = Vec<Value<S>>;
    type Tape = Vec<Value<S>>;

    fn advance(&mut self, state: &mut Self::State, step: usize) {
        let primal = &self.repetition.step.source.primal;
        self.run(primal, state, step);
    }

    fn forward(&mut self, state: &mut Self::State, step: usize) -> Self::Tape {
        let forward = &self.repetition.step.adjoint.forward;
        self.run(forward, state, step)
    }

    fn backward(&mut self, tape: Self::Tape, step: usize) {
        let Function { source, adjoint, .. } = self.repetition.step;
        let captured = self.repetition.captured();
        let (mut args, mut bars) = (Vec::new(), Vec::new());
        for slot in &adjoint.bars {
            let position = captured.iter().position(|&param| param == slot.param);
            if !is_exclusive(&source.primal, slot.param) {
                let value = match position {
                    Some(position) => self.captured.values[position].clone(),
                    None => self.index(step).expect("the loop variable"),
                };
                args.push(value);
            }
            if slot.bar.is_some() {
                let position = position.expect("only what is captured is active");
                if self.is_active(slot.param) {
                    bars.push((args.len(), position));
                    args.push(self.captured.bars[position].clone());
                } else {
                    let scratch = slot.scratch.as_ref();
                    let zero =
                        scratch.map(|scratch| scratch_value(&adjoint.backward, scratch, &tape));
                    args.push(zero.unwrap_or(Value::Nothing));
                }
            }
        }
        let outcome = self.machine.run(&adjoint.backward, self.instance(), args, tape);
        for (at, position) in bars {
            self.captured.bars[position] = outcome.params[at].clone();
        }
    }
}
