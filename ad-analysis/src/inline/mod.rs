//! Calls of functions whose bodies are known are replaced by these bodies, before control is reified: what the
//! analyses see then is one function.
//!
//! ```text
//! let r = half_square(t);      let r: f64;
//!                              {
//!                                  let a: f64 = t;
//!                                  r = 0.5 * a * a;
//!                              }
//! ```
//!
//! A parameter that is passed by value becomes a variable, or stands for one that is never written. A reference to
//! a whole variable stands for that, a reference to a part of one is a local reference. `return` leaves the block.
//! What calls itself, also by way of others, is never inlined.

mod copy;

use crate::index::{BitSet, Var};
use crate::ir::{
    ArgKind, Binding, Body, Call, CallMode, Callee, Ending, Expr, ExprKind, Op, Opaque, Place,
    Projection, Stmt, StmtKind, Sweep, each_block_mut, each_expr, each_stmt, written_by,
};
use crate::types::{FloatKind, IntKind, Type};
use copy::Copier;
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeSet, HashMap};

/// A function of more statements is not small.
const SMALL: usize = 12;

/// A function that has grown to so many statements grows no more.
const LARGE: usize = 500;

/// Functions that calls may be replaced by, by the paths of the calls.
#[derive(Clone, Debug, Default)]
pub struct Callees(HashMap<String, Body>);

impl Callees {
    /// Those of some functions that can be inlined and are wanted, each with what it calls itself inlined.
    pub fn of(bodies: Vec<Body>, is_wanted: impl Fn(&Body) -> bool) -> Self {
        let mut graph = DiGraph::<Body, ()>::new();
        let nodes: HashMap<String, _> =
            bodies.into_iter().map(|body| (body.name.clone(), graph.add_node(body))).collect();
        for &caller in nodes.values() {
            for callee in calls_of(&graph[caller]).iter().filter_map(|name| nodes.get(name)) {
                graph.add_edge(caller, *callee, ());
            }
        }
        let mut callees = Self::default();
        // Callees come before their callers.
        for component in tarjan_scc(&graph) {
            let [node] = component.as_slice() else { continue };
            if graph.contains_edge(*node, *node) {
                continue;
            }
            let mut body = graph[*node].clone();
            inline(&mut body, &callees);
            if may_be_inlined(&body) && is_wanted(&body) {
                callees.0.insert(body.name.clone(), body);
            }
        }
        callees
    }
}

/// The names of the functions that a function calls.
fn calls_of(body: &Body) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    each_stmt(&body.block, &mut |stmt| {
        if let StmtKind::Call(Call { callee: callee @ Callee::Function(_), .. }) = &stmt.kind {
            names.insert(callee.to_string());
        }
    });
    names
}

/// Whether a function can be inlined: all that control and values do in it can be said in a block of its
/// caller.
pub fn may_be_inlined(body: &Body) -> bool {
    let mut fits = body.kept.is_empty() && body.target.exit.is_none();
    let mut code = |opaque: &Opaque| {
        // Verbatim code has the names of its variables in its tokens.
        fits &= opaque.reads.is_empty() && opaque.writes.is_empty() && opaque.declares.is_empty();
        fits &= opaque.ending != Ending::Fails && opaque.refusal.is_none();
    };
    each_stmt(&body.block, &mut |stmt| {
        if let StmtKind::Opaque(opaque) = &stmt.kind {
            code(opaque);
        }
        each_expr(stmt, &mut |expr| {
            if let ExprKind::Opaque(opaque) = &expr.kind {
                code(opaque);
            }
        });
    });
    each_stmt(&body.block, &mut |stmt| {
        if let StmtKind::Call(call) = &stmt.kind {
            fits &= call.carrier.is_none() && call.failure.is_none();
            fits &= !matches!(call.callee, Callee::Given);
        }
    });
    // Every way that a derivative can take is open to callers.
    let is_open = |var: &Var| {
        let written = matches!(body.vars[*var].binding, Binding::Exclusive);
        let carries = body.vars[*var].ty.may_carry_floats();
        !carries || body.independents.contains(var) && (!written || body.dependents.contains(var))
    };
    let result = body.result.is_none_or(|result| {
        !body.vars[result].ty.may_carry_floats() || body.dependents.contains(&result)
    });
    fits && result && body.params.iter().all(is_open)
}

/// Whether a function is a leaf of the call graph, and so small that a call of it would be a waste.
pub fn is_small_leaf(body: &Body) -> bool {
    size(body) <= SMALL && calls_of(body).is_empty()
}

fn size(body: &Body) -> usize {
    let mut count = 0;
    each_stmt(&body.block, &mut |_| count += 1);
    count
}

/// Replaces the calls of known functions, unless the user has chosen a mode for them.
pub fn inline(body: &mut Body, callees: &Callees) {
    if callees.0.is_empty() {
        return;
    }
    let mut written = BitSet::new();
    each_stmt(&body.block, &mut |stmt| {
        written.extend(written_by(body, stmt));
        if let StmtKind::Let { var, value: None } = stmt.kind {
            written.insert(var);
        }
    });
    let mut budget = LARGE.saturating_sub(size(body));
    let mut stmts = std::mem::take(&mut body.block.stmts);
    inline_in(body, &mut stmts, callees, &written, &mut budget);
    body.block.stmts = stmts;
}

fn inline_in(
    body: &mut Body,
    stmts: &mut Vec<Stmt>,
    callees: &Callees,
    written: &BitSet<Var>,
    budget: &mut usize,
) {
    for mut stmt in std::mem::take(stmts) {
        each_block_mut(&mut stmt, &mut |block| {
            inline_in(body, &mut block.stmts, callees, written, budget);
        });
        let known = match &stmt.kind {
            StmtKind::Call(call) => callees.0.get(&call.callee.to_string()).map(|of| (call, of)),
            _ => None,
        };
        match known {
            Some((call, callee)) if size(callee) <= *budget && fits(body, call, callee) => {
                *budget -= size(callee);
                let mut callee = callee.clone();
                callee.renumber(body.numbering.numbers);
                body.numbering.numbers = callee.numbering.numbers;
                let parts = body.parts.joined(&callee.parts).expect("just seen");
                body.parts = parts;
                let methods = callee.methods_of_lists.iter();
                body.methods_of_lists
                    .extend(methods.map(|(name, method)| (name.clone(), method.clone())));
                stmts.extend(Copier::new(body, &callee, written).call(call, stmt.span));
            }
            _ => stmts.push(stmt),
        }
    }
}

/// Whether the body of a function can stand in place of a call.
fn fits(caller: &Body, call: &Call, callee: &Body) -> bool {
    let is_plain = call.mode == CallMode::Auto
        && matches!(call.sweep, Sweep::Primal)
        && matches!(call.callee, Callee::Function(_))
        && call.carrier.is_none()
        && call.failure.is_none()
        && call.kept.is_none();
    is_plain
        && call.args.len() == callee.params.len()
        && call
            .args
            .iter()
            .zip(&callee.params)
            .all(|(arg, &param)| passes(caller, &arg.kind, callee, param))
        && result_fits(caller, call, callee)
        && caller.parts.joined(&callee.parts).is_some()
        && names_mean_the_same(caller, callee)
}

fn result_fits(caller: &Body, call: &Call, callee: &Body) -> bool {
    match (call.result, callee.result) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(to), Some(from)) => {
            let (to, from) = (&caller.vars[to].ty, &callee.vars[from].ty);
            is_known(from) && (*to == Type::Unknown || to == from)
        }
    }
}

/// Whether an argument is such that a variable of the caller can stand for the parameter.
fn passes(caller: &Body, arg: &ArgKind, callee: &Body, param: Var) -> bool {
    let ty = &callee.vars[param].ty;
    match (&callee.vars[param].binding, arg) {
        (Binding::Value, ArgKind::Value(value)) => {
            let is_opaque = matches!(value.kind, ExprKind::Opaque(_));
            is_known(ty) && !is_opaque && value_fits(&value.ty, ty)
        }
        (Binding::Shared, ArgKind::Shared(place) | ArgKind::Exclusive(place)) => {
            stands_for(&caller.place_type(place), ty)
        }
        (Binding::Exclusive, ArgKind::Exclusive(place)) => {
            let is_variable =
                place.is_whole() && !matches!(caller.vars[place.root].binding, Binding::View(_));
            stands_for(&caller.place_type(place), ty)
                && (is_variable || !is_reshaped(callee, param))
        }
        _ => false,
    }
}

/// Whether a parameter may get another length.
fn is_reshaped(callee: &Body, param: Var) -> bool {
    let mut found = false;
    let is_param = |place: &Place| place.is_whole() && place.root == param;
    each_stmt(&callee.block, &mut |stmt| match &stmt.kind {
        StmtKind::Resize(resize) => found |= callee.root_of(&resize.list) == param,
        StmtKind::Assign { place, value: _ } => found |= is_param(place),
        StmtKind::Swap { a, b } => found |= is_param(a) || is_param(b),
        StmtKind::Call(call) => {
            for arg in &call.args {
                if let ArgKind::Exclusive(place) = &arg.kind {
                    found |= is_param(place);
                }
            }
        }
        StmtKind::Let { .. }
        | StmtKind::Increment { .. }
        | StmtKind::Reset { .. }
        | StmtKind::Bind { .. }
        | StmtKind::Opaque(_)
        | StmtKind::If { .. }
        | StmtKind::Loop(_)
        | StmtKind::Block { .. }
        | StmtKind::Exit { .. }
        | StmtKind::Push { .. }
        | StmtKind::Pop { .. } => {}
    });
    found && callee.vars[param].ty.has_dynamic_shape()
}

/// Whether a value is of the type of a parameter, as far as the types tell.
fn value_fits(value: &Type, param: &Type) -> bool {
    match (value, param) {
        (Type::Float(FloatKind::Open(_)), Type::Float(_))
        | (Type::Int(IntKind::Open(_)), Type::Int(_)) => true,
        (value, param) => value == param || !is_known(value),
    }
}

fn is_known(ty: &Type) -> bool {
    match ty {
        Type::Unknown | Type::Infer(_) => false,
        Type::Float(_) | Type::Int(_) | Type::Bool | Type::Named(_) => true,
        Type::Array(element, _) | Type::Vec(element) | Type::Slice(element) => is_known(element),
        Type::Tuple(fields) => fields.iter().all(is_known),
    }
}

/// Whether a place of a type may be passed as a reference to another.
fn stands_for(place: &Type, param: &Type) -> bool {
    let (Type::Slice(expected), Some(element)) = (param, place.element()) else {
        return is_known(place) && place == param;
    };
    is_known(element) && **expected == *element
}

/// Whether the paths in a callee mean in the caller what they mean there.
fn names_mean_the_same(caller: &Body, callee: &Body) -> bool {
    let mut mentioned = BTreeSet::new();
    for variable in callee.vars.iter() {
        if let Binding::Global(path) = &variable.binding {
            names_in(path.clone(), &mut mentioned);
        }
        names_in(variable.declared.clone().unwrap_or_default(), &mut mentioned);
    }
    each_stmt(&callee.block, &mut |stmt| {
        match &stmt.kind {
            StmtKind::Opaque(opaque) => names_in(opaque.tokens.clone(), &mut mentioned),
            StmtKind::Call(Call {
                callee:
                    Callee::Function(path) | Callee::Derivative(_, path) | Callee::Associated(path),
                ..
            }) => {
                names_in(path.clone(), &mut mentioned);
            }
            _ => {}
        }
        each_expr(stmt, &mut |expr| names_in_expr(expr, &mut mentioned));
    });
    let is_hidden = |name: &str| {
        caller.vars.iter().any(|variable| {
            let is_path =
                matches!(&variable.binding, Binding::Global(path) if path.to_string() == name);
            variable.name == name && !is_path
        })
    };
    !mentioned.iter().any(|name| is_hidden(name))
}

fn names_in_expr(expr: &Expr, names: &mut BTreeSet<String>) {
    let mut text = |text: &str| {
        names_in(text.parse().unwrap_or_default(), names);
    };
    match &expr.kind {
        ExprKind::Opaque(opaque) => names_in(opaque.tokens.clone(), names),
        ExprKind::Op(op, args) => {
            if let Op::Struct(path, _) | Op::Repeat(path) = op {
                text(path);
            }
            args.iter().for_each(|arg| names_in_expr(arg, names));
        }
        ExprKind::Load(place) => {
            for step in &place.projections {
                match step {
                    Projection::Field(_) | Projection::Boxed => {}
                    Projection::Index(index) | Projection::Got { at: index, .. } => {
                        names_in_expr(index, names);
                    }
                    Projection::Slice { start, end } => {
                        start.iter().chain(end).for_each(|bound| names_in_expr(bound, names));
                    }
                }
            }
        }
        ExprKind::Literal(_) | ExprKind::Guard(_) => {}
    }
}

fn names_in(tokens: TokenStream, names: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                names.insert(ident.to_string());
            }
            TokenTree::Group(group) => names_in(group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
