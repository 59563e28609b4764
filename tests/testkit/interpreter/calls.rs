//! Calls of functions and of their sweeps.

use super::scheduled::Repetition;
use super::summaries::Question;
use super::{Frame, Instance, Machine, size};
use crate::scalar::Scalar;
use crate::value::Value;
use ad_analysis::index::{Index, Var};
use ad_analysis::ir::{
    Arg, ArgKind, AskedCall, Body, Call, CalleeFact, Condition, Expr, Guard, Kept, Place, Slot,
    Sweep,
};

impl<S: Scalar> Machine<'_, S> {
    pub(super) fn call(&mut self, frame: &mut Frame<'_, S>, call: &Call) {
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
                let outcome = match program.step_of(&name) {
                    Some(step) if is_active => {
                        self.scheduled_forward(Repetition { body: primal, step }, &instance, args)
                    }
                    Some(_) | None => {
                        let body = if is_active { &derived().adjoint.forward } else { primal };
                        self.run(body, instance, args, Vec::new())
                    }
                };
                frame.write_back(call, outcome.params.into_iter());
                frame.define(call.result, outcome.result);
                self.counters.kept += outcome.kept.iter().map(size).sum::<usize>();
                frame.define(call.kept, Value::Tuple(outcome.kept));
            }
            Sweep::Backward { seed, primal: wanted } => {
                let instance = instance(wanted, frame);
                // The forward sweep kept nothing.
                if instance.independents.contains(&true) {
                    self.backward(frame, call, seed.as_ref(), instance);
                }
            }
            Sweep::Tangent { result, leads: _ } => {
                let instance = instance(&Guard::always(frame.body.pairs()), frame);
                self.tangent(frame, call, *result, instance);
            }
        }
    }

    fn tangent(
        &mut self,
        frame: &mut Frame<'_, S>,
        call: &Call,
        result: Option<Var>,
        instance: Instance,
    ) {
        let program = self.program;
        let name = call.callee.to_string();
        if !instance.independents.contains(&true) {
            let args = call.args.iter().map(|arg| frame.argument(arg)).collect();
            let outcome = self.run(program.primal(&name), instance, args, Vec::new());
            frame.write_back(call, outcome.params.into_iter());
            let mut zero = outcome.result.clone();
            zero.reset();
            frame.define(call.result, outcome.result);
            frame.define(result, zero);
            return;
        }
        let tangent = &program.derived(&name).tangent;
        let mut args = Vec::new();
        for (arg, direction) in call.args.iter().zip(&tangent.directions) {
            args.push(frame.argument(arg));
            if let Some(direction) = direction {
                let has_zero = !tangent.body.vars[*direction].ty.has_dynamic_shape();
                args.push(match &arg.slot {
                    Slot::Bar(place, _) if frame.is_active(arg) => frame.read(place),
                    Slot::Bar(..) | Slot::Passive | Slot::Marker(_) => match arg.kind {
                        _ if has_zero || matches!(arg.kind, ArgKind::Exclusive(_)) => {
                            let mut zero = args.last().expect("pushed above").clone();
                            zero.reset();
                            zero
                        }
                        // Nobody looks at it.
                        _ => Value::Nothing,
                    },
                });
            }
        }
        let outcome = self.run(&tangent.body, instance, args, Vec::new());
        let mut params = outcome.params.into_iter();
        let mut written = Vec::new();
        for (arg, direction) in call.args.iter().zip(&tangent.directions) {
            let value = params.next().expect("a value for each parameter");
            let direction = if direction.is_some() { params.next() } else { None };
            if let ArgKind::Exclusive(place) = &arg.kind {
                written.push((place, value));
                if let (Slot::Bar(place, _), Some(direction), true) =
                    (&arg.slot, direction, frame.is_active(arg))
                {
                    written.push((place, direction));
                }
            }
        }
        frame.write_all(written);
        frame.define(call.result, outcome.result);
        frame.define(result, outcome.kept.into_iter().next().unwrap_or(Value::Nothing));
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
        if program.step_of(&call.callee.to_string()).is_some() {
            return self.scheduled_backward(frame, call, function, &kept);
        }
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
                    (None, Some(scratch)) => scratch_value(&adjoint.backward, scratch, &kept),
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
        functions: None,
        instance: Instance { primal: true, independents: vec![], dependents: vec![] },
        values: vec![Value::Nothing; backward.vars.len()],
        watched: None,
    };
    for (var, value) in backward.kept_vars().zip(kept) {
        frame.values[var.position()] = value.clone();
    }
    frame.eval(scratch)
}

impl<S: Scalar> Frame<'_, S> {
    pub(super) fn holds(&self, guard: &Guard) -> bool {
        self.condition(if self.instance.primal { &guard.primal } else { &guard.bare })
    }

    pub(super) fn is_handed_over(&self, kept: &Kept) -> bool {
        kept.when.is_always() || self.condition(&kept.when)
    }

    fn condition(&self, condition: &Condition) -> bool {
        let dependents = self.instance.dependents.len();
        if dependents == 0 {
            return !condition.is_never();
        }
        let is_active = |pair: usize| {
            self.instance.independents[pair / dependents]
                && self.instance.dependents[pair % dependents]
        };
        let mut further = condition.if_callee.iter();
        condition.pairs.ones().any(is_active)
            || further.any(|(fact, pairs)| pairs.ones().any(is_active) && self.is_said(*fact))
    }

    /// Whether the callee of a call says so.
    fn is_said(&self, CalleeFact { call, argument, fact }: CalleeFact) -> bool {
        let AskedCall { callee, active, names: _, span: _ } = &self.body.asked[&call];
        let active = active.iter().map(|condition| self.condition(condition)).collect();
        let functions = self.functions.expect("what is asked is there");
        let question = Question { function: callee.to_string(), argument, fact, active };
        question.is_answered_by(functions, &mut Vec::new())
    }

    pub(super) fn is_active(&self, arg: &Arg) -> bool {
        match &arg.slot {
            Slot::Passive => false,
            Slot::Marker(condition) | Slot::Bar(_, condition) => self.condition(condition),
        }
    }

    pub(super) fn argument(&self, arg: &Arg) -> Value<S> {
        match &arg.kind {
            ArgKind::Value(value) => self.eval(value),
            ArgKind::Shared(place) | ArgKind::Exclusive(place) => self.read(place),
            ArgKind::Omitted => Value::Nothing,
        }
    }

    fn write_back(&mut self, call: &Call, values: impl Iterator<Item = Value<S>>) {
        let written = call.args.iter().zip(values).filter_map(|(arg, value)| match &arg.kind {
            ArgKind::Exclusive(place) => Some((place, value)),
            ArgKind::Value(_) | ArgKind::Shared(_) | ArgKind::Omitted => None,
        });
        self.write_all(written.collect());
    }

    fn define(&mut self, var: Option<Var>, value: Value<S>) {
        if let Some(var) = var {
            self.values[var.position()] = value;
        }
    }
}
