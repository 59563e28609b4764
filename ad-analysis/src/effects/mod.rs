//! What does a statement read and write, how do derivatives flow through it, and what does its
//! adjoint need? Analyses ask this module and never look at a statement: a new statement kind is
//! taught to all of them here.

mod bits;
mod expr;
mod lists;
mod zones;

pub use zones::Zones;

use crate::index::{Var, Zone};
use crate::ir::{
    Arg, ArgKind, BinaryOp, Binding, Body, Call, CallMode, Callee, Class, Expr, ExprKind, Fact,
    LoopKind, Op, Opaque, Place, Stmt, StmtKind, Target, UnaryOp,
};
use crate::types::Type;
use expr::Reader;
use proc_macro2::Span;
use std::rc::Rc;

/// The effects of a statement itself, those of the statements nested in it apart.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// Zones whose values it reads, for whatever purpose.
    pub uses: Vec<Zone>,
    /// Zones it may write, completely or in part.
    pub writes: Vec<Zone>,
    /// Parameters that are only read, which it could change behind a shared reference at most (`Cell`). Where that would matter, generated
    /// code proves that there is nothing of that kind in them.
    pub interior: Vec<Var>,
    /// What is lent to a callee by shared references, or is passed by value and may hold some. One that has no adjoint may keep something
    /// in it.
    pub lent: Vec<Var>,
    /// Zones it overwrites completely, whenever it runs.
    pub kills: Vec<Zone>,
    /// How derivatives flow through it.
    pub flows: Vec<Flow>,
    /// What its adjoint reads to reset the bar of what it overwrites.
    pub reset_needs: Vec<Zone>,
    /// What happens if it runs again.
    pub class: Option<Class>,
    /// The definition of a whole variable, if this is a pure one that may be repeated.
    pub defines: Option<Definition>,
    /// The places it assigns to, with views resolved, unless it declares them.
    pub assigned: Vec<Place>,
    /// Whether what it writes may differ in shape from the value before.
    pub reshapes: bool,
    /// Whole lists of callers that it passes to callees, which may give them other lengths: the bars follow, whether
    /// the call is active or not.
    pub passed_lists: Vec<Place>,
    /// Lists of numbers, as they are spelled, and the positions of arguments that pass them to a callee, which says whether it gives them other
    /// lengths.
    pub resized_if_told: Vec<(Place, usize)>,
    /// The places it may overwrite, as they are spelled.
    pub overwritten: Vec<Place>,
    /// Zones that the indices of those places read, and those that tell the variants they lead through: what is restored to a place must
    /// find it.
    pub overwritten_indices: Vec<Zone>,
    /// Whether the backward sweep restores what this overwrites only after its adjoint has run.
    pub late: bool,
    /// How the value before is had from the value after, if this is an exact update.
    pub inverse: Option<Inverse>,
}

/// How what an exact update did is undone.
#[derive(Clone, PartialEq, Debug)]
pub enum Inverse {
    /// The value before, in terms of the value after.
    Value(Expr),
    /// The list is truncated to the length it had.
    Truncate {
        /// The variable that holds that length.
        len: Var,
    },
    /// The elements that the list lost are put back at its end; they have been pushed.
    Extend {
        /// The index of the first of them.
        first: Expr,
        /// The variable that holds the length the list had.
        len: Var,
    },
    /// What was exchanged is exchanged again.
    Swap {
        /// One place.
        a: Place,
        /// The other.
        b: Place,
    },
}

/// A pure definition of a whole variable.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The variable.
    pub var: Var,
    /// Its zones.
    pub zones: Vec<Zone>,
    /// The value.
    pub value: Expr,
    /// The zones the value is computed from.
    pub operands: Vec<Zone>,
}

/// A differentiable dependence of what a statement writes on what it reads.
#[derive(Clone, Debug)]
pub struct Flow {
    /// The zones that are written.
    pub to: Vec<Zone>,
    /// The zones that the written values depend on.
    pub from: Vec<Zone>,
    /// What the adjoint of this dependence reads.
    pub needs: Needs,
    /// Why the dependence cannot be differentiated, if so.
    pub refusal: Option<(Rc<Opaque>, Span)>,
}

/// What the adjoint of a dependence reads.
#[derive(Clone, Debug, Default)]
pub struct Needs {
    /// Zones as they were before the statement.
    pub before: Vec<Zone>,
    /// Zones as they are after it: the result of an operation instead of its operands.
    pub after: Vec<Zone>,
    /// Whether it reads the overwritten place itself, as it was before.
    pub own: bool,
    /// Zones as they were before a call, which matter only where that is said by the callee of the argument in that position.
    pub by_callee: Vec<(Zone, usize, Fact)>,
}

impl Needs {
    /// Adds what is passed to a callee: numbers it may leave alone, all else is there for it.
    fn passed(&mut self, zones: &Zones, passed: &[Zone], position: usize, matters: Option<Fact>) {
        for &zone in passed {
            match matters.filter(|_| zones.holds_only_floats(zone)) {
                Some(fact) => self.by_callee.push((zone, position, fact)),
                None => self.before.push(zone),
            }
        }
    }
}

/// The effects of a statement.
pub fn effects(body: &Body, zones: &Zones, stmt: &Stmt) -> Effects {
    let reader = Reader { body, zones };
    let mut effects = Effects::default();
    match &stmt.kind {
        StmtKind::Let { var, value } => {
            effects.kills = zones.of_var(*var);
            effects.writes.clone_from(&effects.kills);
            if let Some(value) = value {
                assignment(&reader, &mut effects, &Place::var(*var), value, stmt.span);
            }
        }
        StmtKind::Assign { place, value } => {
            reader.reference(place, &mut effects.uses);
            effects.overwritten.push(place.clone());
            let place = body.resolve(place);
            effects.writes = zones.of_place(&place);
            if zones.is_total(&place) {
                effects.kills.clone_from(&effects.writes);
            }
            reader.indices(&place, &mut effects.uses);
            reader.indices(&place, &mut effects.reset_needs);
            effects.overwritten_indices.clone_from(&effects.reset_needs);
            assignment(&reader, &mut effects, &place, value, stmt.span);
            effects.reshapes = match place.is_whole() {
                true => body.vars[place.root].ty.has_dynamic_shape(),
                false => body.parts.varies(&body.place_type(&place)),
            };
            effects.inverse = inverse_of(&place, value);
            effects.assigned.push(place);
        }
        StmtKind::Resize(resize) => lists::resize(&reader, resize, stmt.span, &mut effects),
        StmtKind::Swap { a, b } => lists::swap(&reader, [a, b], &mut effects),
        StmtKind::Bind { view } => {
            effects.kills = zones.of_var(*view);
            effects.writes.clone_from(&effects.kills);
            reader.indices(&body.resolve(&Place::var(*view)), &mut effects.uses);
        }
        StmtKind::Call(call) => call_effects(&reader, call, stmt.span, &mut effects),
        StmtKind::Opaque(opaque) => {
            opaque_effects(&reader, opaque, stmt.span, &mut effects);
        }
        StmtKind::If { test, then: _, otherwise: _ } => reader.uses(test, &mut effects.uses),
        StmtKind::Loop(inner) => match &inner.kind {
            LoopKind::Counted { var: _, range } => {
                range.operands().for_each(|operand| reader.uses(operand, &mut effects.uses));
            }
            LoopKind::While { test } => reader.uses(test, &mut effects.uses),
            LoopKind::Forever => {}
        },
        StmtKind::Block { target: _, body: _ } | StmtKind::Exit { label: _, code: _ } => {}
        StmtKind::Increment { .. }
        | StmtKind::Reset { .. }
        | StmtKind::Push { .. }
        | StmtKind::Pop { .. } => unreachable!("sweeps are not analysed"),
    }
    for place in &effects.overwritten {
        reader.variants(&body.resolve(place), &mut effects.overwritten_indices);
    }
    effects
}

/// The inverse `i - k` of `i = i + k` and the other way round, with a literal `k`: exact for integers, which do
/// not overflow in the primal. Sums of floats are rounded, so they are not inverted. A sign would be exact, too; but what is left of it at
/// the end is one number more to hand over for each call, and recursive functions are slower by a quarter with it.
fn inverse_of(place: &Place, value: &Expr) -> Option<Inverse> {
    let ExprKind::Op(op, args) = &value.kind else { return None };
    if !place.is_whole() || args.first().and_then(Expr::as_place) != Some(place) {
        return None;
    }
    let is_integer = matches!(value.ty, Type::Int(_));
    let by_literal =
        is_integer && args.get(1).is_some_and(|operand| operand.as_literal().is_some());
    let inverse = match op {
        Op::Binary(BinaryOp::Add) if by_literal => Op::Binary(BinaryOp::Sub),
        Op::Binary(BinaryOp::Sub) if by_literal => Op::Binary(BinaryOp::Add),
        Op::Binary(BinaryOp::BitXor) if by_literal => op.clone(),
        Op::Unary(UnaryOp::Neg) if is_integer => op.clone(),
        Op::Unary(UnaryOp::Not) if is_integer || value.ty == Type::Bool => op.clone(),
        _ => return None,
    };
    Some(Inverse::Value(Expr::op(inverse, args.clone(), value.ty.clone())))
}

/// What the backward sweep of a construct reads to find its way, however the construct was left: the
/// condition of a choice, the number of iterations.
pub fn control_needs(body: &Body, zones: &Zones, stmt: &Stmt) -> Vec<Zone> {
    let reader = Reader { body, zones };
    let mut needs = Vec::new();
    match &stmt.kind {
        StmtKind::If { test, then, otherwise } => {
            // If a branch does not reach its end, the exit that was taken tells.
            if crate::ir::completes(then) && crate::ir::completes(otherwise) {
                reader.uses(test, &mut needs);
            }
        }
        StmtKind::Loop(inner) => {
            needs.extend(inner.trips.iter().flat_map(|&trips| zones.of_var(trips)));
            if let LoopKind::Counted { var: _, range } = &inner.kind {
                range.operands().for_each(|operand| reader.uses(operand, &mut needs));
            }
        }
        StmtKind::Let { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Increment { .. }
        | StmtKind::Reset { .. }
        | StmtKind::Resize(_)
        | StmtKind::Swap { .. }
        | StmtKind::Bind { .. }
        | StmtKind::Call(_)
        | StmtKind::Opaque(_)
        | StmtKind::Block { .. }
        | StmtKind::Exit { .. }
        | StmtKind::Push { .. }
        | StmtKind::Pop { .. } => {}
    }
    needs
}

/// What tells by which exit a construct was left, if it was left by one of its own.
pub fn exit_needs(zones: &Zones, target: &Target) -> Vec<Zone> {
    target.exit.map_or_else(Vec::new, |exit| zones.of_var(exit))
}

fn assignment(reader: &Reader<'_>, effects: &mut Effects, place: &Place, value: &Expr, span: Span) {
    if let ExprKind::Opaque(opaque) = &value.kind {
        opaque_effects(reader, opaque, span, effects);
        if opaque.class == Class::Pure && place.is_whole() {
            effects.defines = Some(definition(reader, place.root, value, effects.uses.clone()));
        }
        return;
    }
    effects.class = Some(Class::Pure);
    reader.uses(value, &mut effects.uses);
    let carries = |zone: &Zone| reader.zones.may_carry_floats(*zone);
    let to: Vec<Zone> = effects.writes.iter().copied().filter(carries).collect();
    if !to.is_empty() {
        let mut lhs = Needs::default();
        reader.indices(place, &mut lhs.before);
        effects.flows = reader.flows(place, value, &to, &lhs);
    }
    bits::into_integers(reader, value, span, effects);
    if place.is_whole() && !effects.kills.is_empty() {
        let mut operands = Vec::new();
        reader.uses(value, &mut operands);
        effects.defines = Some(definition(reader, place.root, value, operands));
    }
}

fn definition(reader: &Reader<'_>, var: Var, value: &Expr, operands: Vec<Zone>) -> Definition {
    Definition { var, zones: reader.zones.of_var(var), value: value.clone(), operands }
}

fn opaque_effects(reader: &Reader<'_>, opaque: &Rc<Opaque>, span: Span, effects: &mut Effects) {
    let root = |var: &Var| reader.body.root_of(&Place::var(*var));
    for var in &opaque.reads {
        reader.reference(&Place::var(*var), &mut effects.uses);
        effects.uses.extend(reader.zones.of_var(root(var)));
    }
    for var in &opaque.writes {
        if is_read_only(reader.body, root(var)) {
            effects.interior.push(root(var));
        } else {
            effects.overwritten.push(Place::var(*var));
            effects.writes.extend(reader.zones.of_var(root(var)));
        }
    }
    for var in &opaque.declares {
        effects.kills.extend(reader.zones.of_var(*var));
        effects.writes.extend(reader.zones.of_var(*var));
    }
    effects.class = Some(opaque.class);
    if opaque.refusal.is_none() {
        return;
    }
    let carries = |zone: &Zone| reader.zones.may_carry_floats(*zone);
    let depend = |effects: &mut Effects, to: &[Zone], from: Vec<Zone>| {
        effects.flows.push(Flow {
            to: to.iter().copied().filter(carries).collect(),
            from: from.into_iter().filter(carries).collect(),
            needs: Needs::default(),
            refusal: Some((opaque.clone(), span)),
        });
    };
    let (writes, uses) = (effects.writes.clone(), effects.uses.clone());
    depend(effects, &writes, uses);
    bits::through_opaque(reader, opaque, span, effects);
    // Locks count as unwind safe, so that no proof finds them: something else may get into what is behind a shared reference that way. What a
    // parameter gets out of itself has been active before.
    for var in effects.interior.clone() {
        let own = reader.zones.of_var(var);
        let others = effects.uses.iter().copied().filter(|zone| !own.contains(zone)).collect();
        depend(effects, &own, others);
    }
}

/// Whether a variable is a parameter that no assignment can change: one that is `mut` is copied.
fn is_read_only(body: &Body, var: Var) -> bool {
    match body.vars[var].binding {
        Binding::Shared => true,
        Binding::Value => body.params.contains(&var),
        Binding::Exclusive | Binding::View(_) | Binding::Global(_) => false,
    }
}

/// What a function is lent as `&mut` of a type that has no derivative, beside what may have one: it is one parameter that the function declares to
/// be passive, which is proved of such calls.
pub fn lent_without_bar(body: &Body, call: &Call) -> Vec<Var> {
    let is_proved = matches!(call.callee, Callee::Function(_) | Callee::Method(_));
    let is_without_bar = |place: &Place| {
        let place = body.resolve(place);
        [body.vars[place.root].ty.clone(), body.place_type(&place)]
            .iter()
            .any(|ty| matches!(ty, Type::Named(name) if name.is_without_bar()))
    };
    let (mut lent, mut may_have_bars) = (Vec::new(), false);
    for arg in &call.args {
        match &arg.kind {
            ArgKind::Exclusive(place) if is_without_bar(place) => lent.push(body.root_of(place)),
            ArgKind::Shared(place) | ArgKind::Exclusive(place) => {
                may_have_bars |=
                    !is_without_bar(place) && body.place_type(place).may_carry_floats();
            }
            ArgKind::Value(value) => may_have_bars |= value.ty.may_carry_floats(),
            ArgKind::Omitted => {}
        }
    }
    lent.retain(|_| is_proved && may_have_bars);
    lent
}

fn call_effects(reader: &Reader<'_>, call: &Call, span: Span, effects: &mut Effects) {
    effects.class = Some(Class::Once);
    // What a split callee stores lies above what the caller stored before the call.
    effects.late = call.mode != CallMode::Joint;
    let mut needs = Needs::default();
    let mut from = Vec::new();
    // Methods tell nobody what they read.
    let matters = matches!(call.callee, Callee::Function(_)).then(|| match call.mode {
        CallMode::Auto | CallMode::Split => Fact::Reads,
        CallMode::Joint => Fact::Uses,
    });
    for var in call.result.iter().chain(&call.kept).chain(&call.failure) {
        effects.kills.extend(reader.zones.of_var(*var));
    }
    effects.writes.clone_from(&effects.kills);
    needs.after.extend(call.kept.iter().flat_map(|&kept| reader.zones.of_var(kept)));
    for (position, Arg { kind, slot: _ }) in call.args.iter().enumerate() {
        match kind {
            ArgKind::Value(value) => {
                reader.uses(value, &mut effects.uses);
                match value.as_place() {
                    Some(place) => {
                        let resolved = reader.body.resolve(place);
                        reader.reference(place, &mut needs.before);
                        reader.indices(&resolved, &mut needs.before);
                        let zones = reader.zones.of_place(&resolved);
                        needs.passed(reader.zones, &zones, position, matters);
                        if !value.ty.has_placeholder() {
                            effects.lent.push(resolved.root);
                        }
                    }
                    None => reader.uses(value, &mut needs.before),
                }
                if value.ty.may_carry_floats() {
                    reader.uses(value, &mut from);
                }
            }
            ArgKind::Shared(place) => {
                let resolved = reader.body.resolve(place);
                let zones = reader.zones.of_place(&resolved);
                reader.reference(place, &mut effects.uses);
                for list in [&mut effects.uses, &mut needs.before] {
                    reader.indices(&resolved, list);
                }
                effects.uses.extend(&zones);
                effects.lent.push(resolved.root);
                needs.passed(reader.zones, &zones, position, matters);
                from.extend(zones);
            }
            ArgKind::Exclusive(place) => {
                let resolved = reader.body.resolve(place);
                let zones = reader.zones.of_place(&resolved);
                reader.reference(place, &mut effects.uses);
                let indices = &mut effects.overwritten_indices;
                for list in [&mut effects.uses, &mut needs.before, indices] {
                    reader.indices(&resolved, list);
                }
                effects.uses.extend(&zones);
                if call.mode == CallMode::Joint {
                    needs.passed(reader.zones, &zones, position, matters);
                }
                let ty = reader.body.place_type(&resolved);
                let is_flat = ty.element().is_some_and(|element| !element.has_dynamic_shape());
                if is_flat && matters.is_some() {
                    effects.resized_if_told.push((place.clone(), position));
                }
                effects.writes.extend(&zones);
                effects.overwritten.push(place.clone());
                from.extend(zones);
                let may_change = matches!(ty, Type::Vec(_)) || reader.body.parts.varies(&ty);
                if resolved.is_whole() && may_change {
                    effects.passed_lists.push(resolved);
                }
            }
            ArgKind::Omitted => unreachable!("sweeps are not analysed"),
        }
    }
    let is_of = |var: Option<Var>, zone: &Zone| var == Some(reader.zones.var(*zone));
    let is_apart_without_bar = !lent_without_bar(reader.body, call).is_empty();
    let carries = |zone: &Zone| {
        let is_apart = is_of(call.kept, zone)
            || is_of(call.failure, zone)
            || is_apart_without_bar && reader.zones.is_without_bar(reader.body, *zone);
        reader.zones.may_carry_floats(*zone) && !is_apart
    };
    let from: Vec<Zone> = from.into_iter().filter(carries).collect();
    let failure = effects.writes.iter().copied().filter(|zone| is_of(call.failure, zone));
    let to_failure = refused_failure(call, failure.collect(), from.clone(), span);
    effects.flows.push(Flow {
        to: effects.writes.iter().copied().filter(carries).collect(),
        from,
        needs,
        refusal: None,
    });
    effects.flows.extend(to_failure);
    bits::through_call(reader, call, span, effects);
}

/// What a callee fails with has no derivative.
fn refused_failure(call: &Call, to: Vec<Zone>, from: Vec<Zone>, span: Span) -> Option<Flow> {
    call.failure?;
    let opaque =
        Opaque::refused("a number in an error", "return what has a derivative as the result");
    Some(Flow { to, from, needs: Needs::default(), refusal: Some((Rc::new(opaque), span)) })
}
