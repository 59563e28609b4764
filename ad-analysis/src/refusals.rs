//! What is refused because of what the analyses say.

use crate::analyses::{Facts, searches};
use crate::diag::Errors;
use crate::effects::Flow;
use crate::index::Var;
use crate::ir::{
    ArgKind, Body, Call, Expr, ExprKind, Op, Opaque, Place, StmtKind, contradictions, each_expr,
    each_stmt,
};
use crate::lower::Found;
use crate::simplify::own_mentions;
use proc_macro2::Span;

/// Reports whatever stands in the way of derivatives. Returned are the calls that were kept as they are, though
/// derivatives pass through them.
pub fn report_obstacles(primal: &Body, facts: &Facts, errors: &Errors) -> Vec<Found> {
    let mut found = report_refusals(primal, facts, errors);
    // What is refused is no detour any more.
    if errors.is_empty() {
        report_lost_shapes(primal, facts, errors);
        found.extend(report_detours(primal, facts, errors));
        report_searches(primal, facts, errors);
    }
    found
}

/// What bisection finds has no derivative that its statements tell.
fn report_searches(primal: &Body, facts: &Facts, errors: &Errors) {
    let Facts { zones, graph, activity, .. } = facts;
    let searches = searches(primal, zones, graph, activity);
    let mut first = None;
    each_stmt(&primal.block, &mut |stmt| {
        if first.is_none() && searches.contains(&stmt.id) {
            first = Some(stmt.span);
        }
    });
    if let Some(span) = first {
        errors.report(
            span,
            "a result is searched here by comparisons of active values, through which no derivative passes",
            "take a step of Newton's method behind the search, `x - f(x) / slope`, with `slope` marked `#[passive]`, which has \
             the derivative of the root; or mark the result `#[passive]` if it is a constant",
        );
    }
}

/// What rustc does not accept either: it says so about the function itself. Says whether there is any; the
/// analyses rely on types.
pub fn report_contradictions(primal: &Body, errors: &Errors) -> bool {
    let found = contradictions(primal);
    let contradicts = !found.is_empty();
    // What is refused may be left as anything.
    if !errors.is_empty() {
        return contradicts;
    }
    for contradiction in found {
        errors.report(
            contradiction.span,
            contradiction.message,
            "where rustc has nothing against it, give the variables types",
        );
    }
    contradicts
}

/// Verbatim code that a derivative would have to pass through. Returns the functions it calls that may be
/// annotated.
fn report_refusals(primal: &Body, facts: &Facts, errors: &Errors) -> Vec<Found> {
    let mut found = Vec::new();
    for &point in facts.graph.order() {
        for flow in &facts.graph.info(point).effects.flows {
            let Some((opaque, span)) = &flow.refusal else { continue };
            if facts.activity.exact(point, &flow.from, &flow.to).is_never() {
                continue;
            }
            let value = flow.to.first().map(|&zone| facts.zones.var(zone));
            let is_cast = value.is_some_and(|value| is_only_cast(primal, value));
            let kind = if is_cast { Found::Integer } else { Found::Call };
            let callee = opaque.refusal.as_ref().and_then(|refusal| refusal.callee.clone());
            found.extend(callee.map(kind));
            report_refusal(opaque, *span, errors);
        }
    }
    found
}

/// Whether all that is done with a value is a cast to a float: that of an integer, most likely.
fn is_only_cast(primal: &Body, var: Var) -> bool {
    let (mut casts, mut mentions) = (0, 0);
    each_stmt(&primal.block, &mut |stmt| {
        mentions += own_mentions(primal, stmt, var);
        each_expr(stmt, &mut |expr| casts += casts_of(expr, var));
    });
    // It is also mentioned where it is declared.
    casts > 0 && mentions == casts + 1
}

/// How often an expression takes a cast of a variable, or the shape of its bar.
fn casts_of(expr: &Expr, var: Var) -> usize {
    match &expr.kind {
        ExprKind::Op(Op::Cast | Op::Shape, args) if args[0].as_var() == Some(var) => 1,
        ExprKind::Op(_, args) => args.iter().map(|arg| casts_of(arg, var)).sum(),
        ExprKind::Load(_) | ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => 0,
    }
}

/// The bars of elements that a list loses must come back in the shape that they had, also where nothing that is
/// left of the list is active.
fn report_lost_shapes(primal: &Body, facts: &Facts, errors: &Errors) {
    each_stmt(&primal.block, &mut |stmt| {
        let StmtKind::Resize(_) = stmt.kind else { return };
        let point = facts.graph.at(stmt.id);
        let effects = &facts.graph.info(point).effects;
        if facts.activity.reset_condition(point, effects).is_never() {
            return;
        }
        for (opaque, span) in effects.flows.iter().filter_map(|flow| flow.refusal.as_ref()) {
            report_refusal(opaque, *span, errors);
        }
    });
}

fn report_refusal(opaque: &Opaque, span: Span, errors: &Errors) {
    if let Some(refusal) = &opaque.refusal {
        let message = format!("{} is not supported in active code", refusal.what);
        errors.report(span, message, refusal.help.clone());
    }
}

/// Unknown code that is handed a varied value may keep it where other code finds it (a static, a channel, a
/// cell), in this function or in another one: the derivative would be lost on the way. Returned are methods of values that have bars, or
/// would have if they had no `#[passive]` fields: a call of one is taken for a call of a function, which keeps nothing.
fn report_detours(primal: &Body, facts: &Facts, errors: &Errors) -> Vec<Found> {
    let mut found = Vec::new();
    let refuse = |span: Span| {
        errors.report(
            span,
            "unknown code is handed an active value here, and may keep it where other code finds it",
            "if it does not, mark it `#[passive]`; if it does, pass the value on as an argument or a result",
        );
    };
    each_stmt(&primal.block, &mut |stmt| {
        let point = facts.graph.at(stmt.id);
        let flows = &facts.graph.info(point).effects.flows;
        let varied = |flow: &&Flow| facts.activity.is_varied(point, &flow.from);
        let unknown = flows.iter().filter_map(|flow| flow.refusal.as_ref().map(|it| (flow, it)));
        for (flow, (opaque, span)) in unknown {
            if opaque.calls_unknown && varied(&flow) {
                refuse(*span);
                let callee = opaque.refusal.as_ref().and_then(|refusal| refusal.callee.clone());
                found.extend(
                    callee.filter(|_| writes_what_has_bars(primal, opaque)).map(Found::Call),
                );
            }
        }
        if let StmtKind::Call(call) = &stmt.kind
            && is_for_effects(call)
            && flows.iter().any(|flow| varied(&flow))
        {
            refuse(stmt.span);
        }
    });
    found
}

/// Whether there is something that code may write, and all of it is of types that have bars.
fn writes_what_has_bars(primal: &Body, opaque: &Opaque) -> bool {
    let with_bars = |var: &Var| {
        let root = primal.root_of(&Place::var(*var));
        primal.independents.contains(&root) || primal.dependents.contains(&root)
    };
    !opaque.writes.is_empty() && opaque.writes.iter().all(with_bars)
}

/// Whether a call leaves nothing in the function: all that it can do is done elsewhere.
fn is_for_effects(call: &Call) -> bool {
    let mut args = call.args.iter();
    call.result.is_none() && !args.any(|arg| matches!(arg.kind, ArgKind::Exclusive(_)))
}
