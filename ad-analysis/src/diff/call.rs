//! The adjoint of a call: the backward sweep of the callee, after its forward sweep if the call is
//! joint.

use super::backward::Backward;
use super::values::zero_bar;
use crate::analyses::{Activity, Facts, Side};
use crate::effects::lent_without_bar;
use crate::index::{StmtId, Var, Zone};
use crate::ir::{
    Arg, ArgKind, AskedCall, Binding, Body, Call, CallMode, Callee, CalleeFact, Condition, Expr,
    Fact, Guard, Op, Place, Resolution, Slot, Stmt, StmtKind, Sweep, each_stmt,
};
use crate::types::Type;
use proc_macro2::Span;
use std::collections::BTreeMap;

/// When a call and its arguments are active.
pub(super) struct CallActivity {
    /// When any dependence through the call is active.
    pub(super) any: Condition,
    /// When the bar of each argument is passed.
    pub(super) args: Vec<Condition>,
}

/// When a call and its arguments are active.
pub(super) fn activity(
    body: &Body,
    facts: &Facts,
    activity: &Activity,
    stmt: &Stmt,
    call: &Call,
) -> CallActivity {
    let point = facts.graph.at(stmt.id);
    let never = Condition::never(body.pairs());
    let mut any = never.clone();
    let (mut from, mut to): (Vec<Zone>, Vec<Zone>) = (Vec::new(), Vec::new());
    for flow in &facts.graph.info(point).effects.flows {
        any.join(&activity.condition(point, flow));
        from.extend(flow.from.iter().filter(|zone| facts.zones.may_carry_floats(**zone)));
        to.extend(flow.to.iter().filter(|zone| facts.zones.may_carry_floats(**zone)));
    }
    let is_apart_without_bar = !lent_without_bar(body, call).is_empty();
    let args = call.args.iter().map(|arg| {
        let carries = |place: &Place| -> Vec<Zone> {
            let zones = facts.zones.of_place(&body.resolve(place)).into_iter();
            let carries = |zone: &Zone| {
                facts.zones.may_carry_floats(*zone)
                    && !(is_apart_without_bar && facts.zones.is_without_bar(body, *zone))
            };
            zones.filter(carries).collect()
        };
        // The callee may have no bar for what never depends on an independent, also where the caller
        // does not look at activity.
        let read = |zones: Vec<Zone>| match activity.is_varied(point, &zones) {
            true => activity.between(point, &zones, &to),
            false => never.clone(),
        };
        match &arg.kind {
            ArgKind::Value(value) => match value.as_place() {
                Some(place) => read(carries(place)),
                None => never.clone(),
            },
            ArgKind::Shared(place) => read(carries(place)),
            // Its bar goes in as the bar of what the call writes, and comes out as that of what it
            // read.
            ArgKind::Exclusive(place) => {
                let zones = carries(place);
                let mut condition = activity.between(point, &zones, &to);
                condition.join(&activity.between(point, &from, &zones));
                condition
            }
            ArgKind::Omitted => never.clone(),
        }
    });
    let args = args.collect();
    CallActivity { any, args }
}

/// The calls whose callees the conditions of the sweeps ask.
pub(super) fn asked(body: &Body, facts: &Facts) -> BTreeMap<StmtId, AskedCall> {
    let mut wanted = facts.needed.asked();
    wanted.append(&mut facts.storage.asked());
    let mut names = body.names.clone();
    let mut asked = BTreeMap::new();
    each_stmt(&body.block, &mut |stmt| {
        let StmtKind::Call(call) = &stmt.kind else { return };
        let here = wanted.iter().filter(|fact| fact.call == stmt.id);
        let callee = call.callee.to_string();
        let callee = callee.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next();
        let here = here.map(|&CalleeFact { call: _, argument, fact }| {
            let says = match fact {
                Fact::Reads => "reads",
                Fact::Uses => "uses",
                Fact::Resizes => "resizes",
            };
            let hint = format!("{}_{says}_{argument}", callee.unwrap_or_default());
            ((argument, fact), names.fresh(&hint))
        });
        let names: BTreeMap<(usize, Fact), String> = here.collect();
        if !names.is_empty() {
            let active = activity(body, facts, &facts.activity, stmt, call).args;
            let (callee, span) = (call.callee.clone(), stmt.span);
            asked.insert(stmt.id, AskedCall { callee, active, names, span });
        }
    });
    asked
}

impl Backward<'_> {
    /// The adjoint of a call.
    pub(super) fn reverse_call(&mut self, stmt: &Stmt, call: &Call) -> Vec<Stmt> {
        let CallActivity { any, args: conditions } =
            activity(self.primal, self.facts, &self.facts.activity, stmt, call);
        let mut stmts = Vec::new();
        if !any.is_never() {
            let reversed = self.reverse_active_call(stmt, call, &conditions);
            stmts.extend(self.guarded(Guard::both(any), reversed));
        }
        stmts.extend(self.reshaped_bars(stmt, call, &conditions));
        stmts
    }

    /// The bars of lists that the callee may have given other lengths, where it is not given the bars: no derivative goes
    /// through the list, so that zeros are right.
    fn reshaped_bars(&mut self, stmt: &Stmt, call: &Call, conditions: &[Condition]) -> Vec<Stmt> {
        let point = self.facts.graph.at(stmt.id);
        let effects = &self.facts.graph.info(point).effects;
        let mut stmts = Vec::new();
        for (arg, condition) in call.args.iter().zip(conditions) {
            let ArgKind::Exclusive(place) = &arg.kind else { continue };
            let list = self.primal.resolve(place);
            let filled = self.facts.activity.filled(&self.facts.zones.of_place(&list));
            if !effects.passed_lists.contains(&list) || filled.implies(condition) {
                continue;
            }
            let Some(bar) = self.bar_place(&list) else { continue };
            let mut zeros = self.reset(&list, &bar, point, stmt.span);
            if !condition.is_never() {
                let test = Expr::guard(Guard::both(condition.clone()));
                zeros = self.choose(test, Vec::new(), zeros);
            }
            stmts.extend(self.guarded(Guard::both(filled), zeros));
        }
        stmts
    }

    fn reverse_active_call(
        &mut self,
        stmt: &Stmt,
        call: &Call,
        conditions: &[Condition],
    ) -> Vec<Stmt> {
        let point = self.facts.graph.at(stmt.id);
        let mut out = Vec::new();
        let mut args = Vec::new();
        for arg in &call.args {
            let kind = match &arg.kind {
                ArgKind::Value(value) => ArgKind::Value(self.read(value, point, Side::Before)),
                ArgKind::Shared(place) => {
                    ArgKind::Shared(self.read_place(place, point, Side::Before))
                }
                ArgKind::Exclusive(place) => {
                    ArgKind::Exclusive(self.read_place(place, point, Side::Before))
                }
                ArgKind::Omitted => ArgKind::Omitted,
            };
            args.push(kind);
        }
        if matches!(call.callee, Callee::Given) {
            for (arg, kind) in call.args.iter().zip(&mut args) {
                if let (ArgKind::Exclusive(_), ArgKind::Exclusive(place)) = (&arg.kind, kind) {
                    *place = Place::var(self.copy_of(place, stmt.span, &mut out));
                }
            }
        }
        let kept = match call.mode {
            CallMode::Joint if matches!(call.callee, Callee::Given) => None,
            CallMode::Joint => self.run_again(call, &args, conditions, stmt.span, &mut out),
            CallMode::Auto | CallMode::Split => call.kept,
        };
        let primal = match call.mode {
            CallMode::Joint => Guard::both(Condition::never(self.primal.pairs())),
            CallMode::Auto | CallMode::Split => Guard::always(self.primal.pairs()),
        };
        let (slots, given_back) = self.bar_slots(call, &args, conditions, stmt, &mut out);
        let args = args.into_iter().zip(slots).map(|(kind, slot)| match kind {
            ArgKind::Exclusive(_) if !matches!(call.callee, Callee::Given) => {
                Arg { kind: ArgKind::Omitted, slot }
            }
            kind => Arg { kind, slot },
        });
        let args = args.collect();
        let seed = call.result.and_then(|var| self.bars[var]).map(Place::var);
        let sweep = Sweep::Backward { seed, primal };
        let backward = Call {
            callee: call.callee.clone(),
            args,
            result: None,
            kept,
            mode: call.mode,
            sweep,
            carrier: None,
            failure: None,
            resolution: Resolution::AsNamed,
        };
        out.push(self.out.stmt(StmtKind::Call(backward), stmt.span));
        out.extend(given_back);
        out
    }

    /// Runs the forward sweep of a joint call on copies of what it writes.
    fn run_again(
        &mut self,
        call: &Call,
        args: &[ArgKind],
        conditions: &[Condition],
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Option<Var> {
        let mut again = Vec::new();
        for (kind, condition) in args.iter().zip(conditions) {
            let kind = match kind {
                ArgKind::Exclusive(place) => {
                    let copy = self.copy_of(place, span, out);
                    ArgKind::Exclusive(Place::var(copy))
                }
                ArgKind::Value(_) | ArgKind::Shared(_) | ArgKind::Omitted => kind.clone(),
            };
            let slot =
                if condition.is_never() { Slot::Passive } else { Slot::Marker(condition.clone()) };
            again.push(Arg { kind, slot });
        }
        let kept = self.out.local("kept", Type::Unknown, span);
        // What has not failed before does not fail now.
        let result = call.result.filter(|_| call.carrier.is_none() && call.failure.is_none()).map(
            |result| {
                let variable = self.primal.vars[result].clone();
                self.out.local(&variable.name, variable.ty, span)
            },
        );
        let sweep = Sweep::Forward { primal: Guard::both(Condition::never(self.primal.pairs())) };
        let forward = Call {
            callee: call.callee.clone(),
            args: again,
            result,
            kept: Some(kept),
            mode: call.mode,
            sweep,
            carrier: call.carrier,
            failure: None,
            resolution: Resolution::AsNamed,
        };
        out.push(self.out.stmt(StmtKind::Call(forward), span));
        Some(kept)
    }

    fn copy_of(&mut self, place: &Place, span: Span, out: &mut Vec<Stmt>) -> Var {
        let name = format!("{}_copy", self.out.vars[place.root].name);
        let ty = self.out.place_type(place);
        let load = Expr::load(place.clone(), ty.clone(), span);
        let (value, ty) = match &ty {
            Type::Slice(element) => {
                let ty = Type::Vec(element.clone());
                (Expr::op(Op::ToVec, vec![load], ty.clone()), ty)
            }
            ty if ty.is_copy() => (load, ty.clone()),
            ty => (Expr::op(Op::Clone, vec![load], ty.clone()), ty.clone()),
        };
        let copy = self.out.local(&name, ty, span);
        out.push(self.out.stmt(StmtKind::Let { var: copy, value: Some(value) }, span));
        copy
    }

    /// The bars of the arguments. Arguments that share a variable get bars of their own, which are
    /// added to the variable's afterwards. What the call writes has a bar already: if it cannot be borrowed together with
    /// those before it, that goes in and comes out by an exchange.
    fn bar_slots(
        &mut self,
        call: &Call,
        args: &[ArgKind],
        conditions: &[Condition],
        stmt: &Stmt,
        out: &mut Vec<Stmt>,
    ) -> (Vec<Slot>, Vec<Stmt>) {
        let point = self.facts.graph.at(stmt.id);
        let (mut slots, mut given_back, mut seen) = (Vec::new(), Vec::new(), Vec::<Place>::new());
        for ((arg, kind), condition) in call.args.iter().zip(args).zip(conditions) {
            let bar = place_of(&arg.kind).and_then(|place| {
                let place = self.primal.resolve(place);
                let place = self.read_indices(&place, point, Side::Before);
                self.bar_place(&place)
            });
            let (Some(bar), false) = (bar, condition.is_never()) else {
                slots.push(Slot::Passive);
                continue;
            };
            let is_written = matches!(arg.kind, ArgKind::Exclusive(_));
            // A bar of one number of its own costs nothing, and fields that are numbers may be those of another
            // struct, by way of `Deref`, which lends one at a time.
            let is_lent = match &arg.kind {
                ArgKind::Exclusive(_) => true,
                ArgKind::Value(_) => false,
                ArgKind::Shared(_) => !self.out.place_type(&bar).is_float(),
                ArgKind::Omitted => false,
            };
            let is_apart = |other: &Place| {
                other.root != bar.root || is_lent && other.is_in_another_field_than(&bar)
            };
            if seen.iter().all(is_apart) {
                seen.push(bar.clone());
                slots.push(Slot::Bar(bar, condition.clone()));
                continue;
            }
            let place = place_of(kind).expect("what has a bar has a place");
            let scratch = self.scratch_bar(place, &bar, condition, stmt.span, out);
            let own = Place::var(scratch);
            slots.push(Slot::Bar(own.clone(), condition.clone()));
            let guard = Guard::both(condition.clone());
            let back = match is_written {
                true => {
                    let exchange = StmtKind::Swap { a: bar, b: own };
                    let taken = self.out.stmt(exchange.clone(), stmt.span);
                    out.extend(self.guarded(guard.clone(), vec![taken]));
                    exchange
                }
                false => StmtKind::Increment { place: bar, value: self.out.load(scratch) },
            };
            let back = self.out.stmt(back, stmt.span);
            given_back.extend(self.guarded(guard, vec![back]));
        }
        (slots, given_back)
    }

    /// A zero bar for a part of a variable, which has a bar already. Its shape is that of the bar,
    /// for the value need not be there, nor is that of a `&mut` parameter; only the bar of a parameter may be missing.
    fn scratch_bar(
        &mut self,
        place: &Place,
        bar: &Place,
        condition: &Condition,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Var {
        let ty = self.out.place_type(place);
        let is_passed = self.out.params.contains(&bar.root);
        let is_bar_of = |param: &&Var| self.bars[**param] == Some(bar.root);
        let param = self.primal.params.iter().find(is_bar_of);
        let is_absent = param
            .is_some_and(|param| matches!(self.primal.vars[*param].binding, Binding::Exclusive));
        let measured = match is_passed && !is_absent {
            true => Expr::load(place.clone(), ty.clone(), span),
            false => Expr::load(bar.clone(), ty.clone(), span),
        };
        let zero = match &ty {
            // The lists in a list have lengths of their own.
            Type::Slice(element) | Type::Vec(element)
                if element.has_placeholder() && element.has_dynamic_shape() =>
            {
                let shape = Expr::op(Op::Shape, vec![measured], Type::Unknown);
                zero_bar(&ty, Some(shape))
            }
            Type::Slice(element) | Type::Vec(element) if element.has_placeholder() => {
                let mut len = Expr::op(Op::Len, vec![measured], Type::USIZE);
                if is_passed && is_absent && !condition.is_always() {
                    let passed = Expr::guard(Guard::both(condition.clone()));
                    len = Expr::op(Op::Select, vec![passed, len, Expr::usize(0)], Type::USIZE);
                }
                zero_bar(&ty, Some(len))
            }
            ty => match Expr::placeholder(ty) {
                Some(zero) => zero,
                None => {
                    let shape = Expr::op(Op::Shape, vec![measured], Type::Unknown);
                    zero_bar(ty, Some(shape))
                }
            },
        };
        let name = format!("{}_b", self.out.vars[place.root].name);
        let bar = self.bar_variable(&name, zero.ty.clone(), span);
        out.push(self.out.stmt(StmtKind::Let { var: bar, value: Some(zero) }, span));
        bar
    }
}

/// The place an argument passes, if it passes one.
fn place_of(kind: &ArgKind) -> Option<&Place> {
    match kind {
        ArgKind::Value(value) => value.as_place(),
        ArgKind::Shared(place) | ArgKind::Exclusive(place) => Some(place),
        ArgKind::Omitted => None,
    }
}
