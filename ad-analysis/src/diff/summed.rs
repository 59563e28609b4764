//! A function with a weighted sum of all that its statements assign, for tests that look for the statement whose adjoint disagrees with its
//! tangent.
//!
//! The sum is one more dependent, so that its tangent and its adjoint come about as those of any function. Weights are chosen when it runs: with those
//! of a single statement, the adjoint is the gradient of what that assigns.

use super::told::{Telling, has_short_floats};
use crate::analyses::Facts;
use crate::index::Var;
use crate::ir::{
    Arg, ArgKind, BinaryOp, Binding, Block, Body, Call, CallMode, Callee, Expr, Place, Projection,
    Resolution, Slot, Stmt, StmtKind, Sweep, each_block_mut, each_stmt,
};
use crate::types::Type;
use proc_macro2::{Span, TokenStream};

/// A function with a sum of what its statements assign.
#[derive(Debug)]
pub struct Summed {
    /// The function.
    pub body: Body,
    /// Its parameter for the sum, the last one.
    pub sum: Var,
    /// The statements that are told, by the numbers under which they are.
    pub sites: Vec<Site>,
}

/// A statement that is told.
#[derive(Debug)]
pub struct Site {
    /// What it assigns, in words; may be empty.
    pub name: String,
    /// Where it is.
    pub span: Span,
}

/// The function with such a sum. There is none of functions of floats whose digits are too few to tell what is wrong.
///
/// `function` is as it was lowered, `primal` the same with control reified, of which the facts are. `term` is the path of the function that
/// takes a value, how many have been told, and the number of the statement, and that returns what is added.
pub fn summed(function: &Body, primal: &Body, facts: &Facts, term: &TokenStream) -> Option<Summed> {
    if primal.vars.iter().any(|variable| has_short_floats(&variable.ty)) {
        return None;
    }
    let mut body = function.clone();
    let span = Span::call_site();
    let sum = body.variable("sum", Type::F64, Binding::Exclusive, span);
    let count = body.local("count", Type::USIZE, span);
    body.params.push(sum);
    body.dependents.push(sum);
    let telling = Telling { primal, facts };
    let empty = Block { scope: body.block.scope, stmts: Vec::new() };
    let mut block = std::mem::replace(&mut body.block, empty);
    let writes_fields = writes_fields(primal);
    let mut builder =
        Builder { telling, out: body, sum, count, sites: Vec::new(), term, writes_fields };
    builder.block(&mut block);
    let Builder { out: mut body, sites, .. } = builder;
    let zero = Some(Expr::usize(0));
    let start = body.stmt(StmtKind::Let { var: count, value: zero }, span);
    block.stmts.insert(0, start);
    body.block = block;
    body.name = format!("{}_summed", body.name);
    (!sites.is_empty()).then_some(Summed { body, sum, sites })
}

struct Builder<'a> {
    telling: Telling<'a>,
    out: Body,
    sum: Var,
    /// The variable that counts what has been told.
    count: Var,
    sites: Vec<Site>,
    term: &'a TokenStream,
    /// Whether fields of structs are written.
    writes_fields: bool,
}

impl Builder<'_> {
    fn block(&mut self, block: &mut Block) {
        for mut stmt in std::mem::take(&mut block.stmts) {
            each_block_mut(&mut stmt, &mut |block| self.block(block));
            let told = self.told_after(&stmt);
            block.stmts.push(stmt);
            block.stmts.extend(told);
        }
    }

    fn told_after(&mut self, stmt: &Stmt) -> Vec<Stmt> {
        let places = self.telling.places(stmt).into_iter();
        let told = places.filter(|place| self.is_active(stmt, place) && self.can_be_summed(place));
        let told = told.map(|place| {
            let name = self.telling.in_words(stmt, &place).to_string();
            (self.as_slice(place), Site { name, span: stmt.span })
        });
        let told: Vec<_> = told.collect();
        told.into_iter().flat_map(|(place, site)| self.added(place, site)).collect()
    }

    /// Only what is active has bars: values of other types may have none.
    fn is_active(&self, stmt: &Stmt, place: &Place) -> bool {
        let Telling { primal, facts } = self.telling;
        let point = facts.graph.at(stmt.id);
        let zones = facts.zones.of_place(&primal.resolve(place));
        zones.iter().any(|&zone| facts.activity.is_active_after(point, zone))
    }

    /// Whether a term can be made of the value at a place. What is in the sum is asked for its bar, and what is written to a passive field has none: so
    /// where fields are written, structs are left out.
    fn can_be_summed(&self, place: &Place) -> bool {
        let primal = self.telling.primal;
        let is_own = !has_struct_field(primal, &primal.resolve(place));
        is_own && (!self.writes_fields || primal.place_type(place).is_structural())
    }

    /// A slice is passed as one: a sweep may hold a copy of it in a list of its own.
    fn as_slice(&self, place: Place) -> Place {
        match self.telling.primal.place_type(&place) {
            Type::Slice(_) => place.then(Projection::Slice { start: None, end: None }),
            _ => place,
        }
    }

    /// `sum += term(&place, count, site); count += 1`
    fn added(&mut self, place: Place, site: Site) -> [Stmt; 3] {
        let span = site.span;
        let number = Expr::usize(self.sites.len());
        self.sites.push(site);
        let out = &mut self.out;
        let term = out.local("term", Type::F64, span);
        let kinds =
            [ArgKind::Shared(place), ArgKind::Value(out.load(self.count)), ArgKind::Value(number)];
        let call = Call {
            callee: Callee::Function(self.term.clone()),
            args: kinds.into_iter().map(|kind| Arg { kind, slot: Slot::Passive }).collect(),
            result: Some(term),
            kept: None,
            mode: CallMode::Auto,
            sweep: Sweep::Primal,
            carrier: None,
            failure: None,
            resolution: Resolution::AsNamed,
        };
        let plus = |out: &Body, var: Var, what: Expr| StmtKind::Assign {
            place: Place::var(var),
            value: Expr::binary(BinaryOp::Add, out.load(var), what),
        };
        let add = plus(out, self.sum, out.load(term));
        let next = plus(out, self.count, Expr::usize(1));
        [StmtKind::Call(call), add, next].map(|kind| out.stmt(kind, span))
    }
}

fn writes_fields(primal: &Body) -> bool {
    let mut found = false;
    each_stmt(&primal.block, &mut |stmt| {
        let mut look = |place: &Place| found |= has_struct_field(primal, &primal.resolve(place));
        match &stmt.kind {
            StmtKind::Assign { place, .. } => look(place),
            StmtKind::Resize(resize) => look(&resize.list),
            StmtKind::Swap { a, b } => [a, b].into_iter().for_each(look),
            StmtKind::Call(call) => call.args.iter().for_each(|arg| match &arg.kind {
                ArgKind::Exclusive(place) => look(place),
                ArgKind::Value(_) | ArgKind::Shared(_) | ArgKind::Omitted => {}
            }),
            StmtKind::Let { .. }
            | StmtKind::Opaque(_)
            | StmtKind::Bind { .. }
            | StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block { .. }
            | StmtKind::Exit { .. } => {}
            StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => unreachable!("a primal has no sweep statements"),
        }
    });
    found
}

/// Whether a place is a part of a struct.
fn has_struct_field(primal: &Body, place: &Place) -> bool {
    let mut owner = Place::var(place.root);
    place.projections.iter().any(|step| {
        let is_tuple = matches!(primal.place_type(&owner), Type::Tuple(_));
        owner = owner.then(step.clone());
        step.is_fixed() && !is_tuple
    })
}
