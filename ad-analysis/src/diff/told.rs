//! Of what a statement assigns, what is told in tests that look for the statement that is wrong, and in which words.
//!
//! What does not lead to a dependent is not told: it may be passive on purpose.

use crate::analyses::Facts;
use crate::index::Var;
use crate::ir::{
    ArgKind, BinaryOp, Binding, Body, Callee, Change, Ending, Expr, ExprKind, Op, Place,
    Projection, Resize, Stmt, StmtKind, each_stmt, exprs_in_place, places_in, print_place,
};
use crate::types::{FloatKind, Type};
use proc_macro2::Span;
use std::collections::HashSet;
use std::rc::Rc;

/// Tells what statements of a primal assign.
#[derive(Clone, Copy)]
pub(super) struct Telling<'a> {
    pub(super) primal: &'a Body,
    pub(super) facts: &'a Facts,
}

impl Telling<'_> {
    /// The places that are told after a statement.
    pub(super) fn places(&self, stmt: &Stmt) -> Vec<Place> {
        let assigned = self.assigned(stmt);
        let roots: Vec<Var> = assigned.iter().map(|place| self.primal.root_of(place)).collect();
        assigned.into_iter().filter(|place| self.is_told(stmt, place, &roots)).collect()
    }

    /// The places that a statement reads whatever is chosen, and that carry floats.
    pub(super) fn read(&self, stmt: &Stmt) -> Vec<Place> {
        let mut places = Vec::new();
        match &stmt.kind {
            StmtKind::Let { value: Some(value), .. } | StmtKind::Assign { value, .. } => {
                read_by(value, &mut places);
            }
            StmtKind::Resize(Resize { change: Change::Extend(items), .. }) => {
                read_by(items, &mut places);
            }
            StmtKind::Swap { a, b } => places.extend([a.clone(), b.clone()]),
            StmtKind::Call(call) => {
                for arg in &call.args {
                    match &arg.kind {
                        ArgKind::Value(value) => read_by(value, &mut places),
                        ArgKind::Shared(place) | ArgKind::Exclusive(place) => {
                            places.push(place.clone());
                        }
                        ArgKind::Omitted => {}
                    }
                }
            }
            StmtKind::Opaque(opaque) => {
                places.extend(opaque.reads.iter().map(|&var| Place::var(var)));
            }
            StmtKind::Let { value: None, .. }
            | StmtKind::Resize(_)
            | StmtKind::Bind { .. }
            | StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block { .. }
            | StmtKind::Exit { .. }
            | StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => {}
        }
        places.retain(|place| self.primal.place_type(place).may_carry_floats());
        let mut seen = HashSet::new();
        places.retain(|place| seen.insert(print_place(self.primal, place)));
        places
    }

    /// What the value at one of them is; nothing if it is of no variable of the user's.
    pub(super) fn in_words(&self, stmt: &Stmt, place: &Place) -> Rc<str> {
        match &stmt.kind {
            StmtKind::Call(call) => call_in_words(&call.callee).into(),
            _ => self.variable_in_words(place.root),
        }
    }

    /// The places that a statement assigns itself.
    fn assigned(&self, stmt: &Stmt) -> Vec<Place> {
        match &stmt.kind {
            StmtKind::Let { var, value: Some(value) } if !is_constant(value) => {
                vec![Place::var(*var)]
            }
            StmtKind::Assign { place, value } if !is_constant(value) => vec![place.clone()],
            StmtKind::Resize(resize) => self.appended(resize).into_iter().collect(),
            StmtKind::Swap { a, b } => vec![a.clone(), b.clone()],
            StmtKind::Call(call) => {
                let written = call.args.iter().filter_map(|arg| match &arg.kind {
                    ArgKind::Exclusive(place) => Some(place.clone()),
                    ArgKind::Value(_) | ArgKind::Shared(_) | ArgKind::Omitted => None,
                });
                call.result.map(Place::var).into_iter().chain(written).collect()
            }
            StmtKind::Opaque(opaque) if opaque.ending == Ending::Continues => {
                let vars = opaque.declares.iter().chain(&opaque.writes);
                vars.map(|&var| Place::var(var)).collect()
            }
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Opaque(_)
            | StmtKind::Bind { .. }
            | StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block { .. }
            | StmtKind::Exit { .. } => Vec::new(),
            StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => unreachable!("a primal has no sweep statements"),
        }
    }

    /// The elements that a list gets: the last ones, if their number can be told, or all.
    fn appended(&self, resize: &Resize) -> Option<Place> {
        let Change::Extend(items) = &resize.change else { return None };
        let ExprKind::Op(Op::Array | Op::Vec, items) = &items.kind else {
            return Some(resize.list.clone());
        };
        let list = Expr::load(
            resize.list.clone(),
            self.primal.place_type(&resize.list),
            Span::call_site(),
        );
        let len = Expr::op(Op::Len, vec![list], Type::USIZE);
        let count = Expr::usize(items.len());
        let start = Some(Expr::binary(BinaryOp::Sub, len, count));
        Some(resize.list.then(Projection::Slice { start, end: None }))
    }

    /// Whether a dependent depends on what is assigned, and it can be read after that.
    fn is_told(&self, stmt: &Stmt, place: &Place, assigned: &[Var]) -> bool {
        let resolved = self.primal.resolve(place);
        let variable = &self.primal.vars[resolved.root];
        if matches!(variable.binding, Binding::Global(_))
            || !self.primal.place_type(place).may_carry_floats()
        {
            return false;
        }
        // What code that is kept as it is leaves of a value may be a part.
        let zones = self.facts.zones.of_place(&resolved);
        let point = self.facts.graph.at(stmt.id);
        let is_useful = |zone| self.facts.activity.is_useful(point, &[zone]);
        let is_useful = match &stmt.kind {
            StmtKind::Opaque(_) => zones.iter().all(|&zone| is_useful(zone)),
            _ => zones.iter().any(|&zone| is_useful(zone)),
        };
        let mut moves = false;
        let is_appended = matches!(stmt.kind, StmtKind::Resize(_));
        for place in [place, &resolved] {
            exprs_in_place(place, &mut |index| {
                places_in(index, &mut |read| {
                    moves |= !is_appended && assigned.contains(&self.primal.root_of(read));
                });
            });
        }
        is_useful && !moves
    }

    /// Nothing if the variable is none of the user's.
    fn variable_in_words(&self, var: Var) -> Rc<str> {
        let name = self.own_name(var);
        name.map_or_else(|| "".into(), |name| format!("the value of `{name}`").into())
    }

    /// A place by the name that the user has given its variable, if so.
    pub(super) fn name_of(&self, place: &Place) -> Option<Rc<str>> {
        let name = self.own_name(place.root)?;
        let text = print_place(self.primal, place);
        let rest = text.strip_prefix(&*self.primal.vars[place.root].name)?;
        Some(format!("{name}{rest}").into())
    }

    /// The same, or what a variable that is none of the user's is declared to be.
    pub(super) fn text_of(&self, place: &Place) -> Rc<str> {
        let mut text = self.name_of(place);
        if text.is_none() && place.is_whole() {
            each_stmt(&self.primal.block, &mut |stmt| match &stmt.kind {
                StmtKind::Let { var, value: Some(value) } if *var == place.root => {
                    text = value.as_place().and_then(|place| self.name_of(place));
                }
                _ => {}
            });
        }
        text.unwrap_or_default()
    }

    fn own_name(&self, var: Var) -> Option<String> {
        let variable = &self.primal.vars[var];
        let text = variable.span.source_text()?;
        // Names are made unique by what is behind them.
        (!text.is_empty() && variable.name.starts_with(&*text)).then_some(text)
    }
}

/// The places that are read whenever an expression is evaluated.
fn read_by(expr: &Expr, places: &mut Vec<Place>) {
    match &expr.kind {
        ExprKind::Load(place) => places.push(place.clone()),
        ExprKind::Op(Op::Select | Op::Binary(BinaryOp::And | BinaryOp::Or), args) => {
            read_by(&args[0], places);
        }
        ExprKind::Op(_, args) => args.iter().for_each(|arg| read_by(arg, places)),
        ExprKind::Opaque(opaque) => {
            places.extend(opaque.reads.iter().map(|&var| Place::var(var)));
        }
        ExprKind::Literal(_) | ExprKind::Guard(_) => {}
    }
}

/// Whether values of a type hold floats that do not have the digits that differences need.
pub(super) fn has_short_floats(ty: &Type) -> bool {
    match ty {
        Type::Float(FloatKind::F32) => true,
        Type::Array(element, _) | Type::Slice(element) | Type::Vec(element) => {
            has_short_floats(element)
        }
        Type::Tuple(fields) => fields.iter().any(has_short_floats),
        Type::Float(
            FloatKind::F64 | FloatKind::Generic(_) | FloatKind::Directions(_) | FloatKind::Open(_),
        )
        | Type::Int(_)
        | Type::Bool
        | Type::Named(_)
        | Type::Unknown
        | Type::Infer(_) => false,
    }
}

fn call_in_words(callee: &Callee) -> String {
    match callee {
        Callee::Function(_) | Callee::Associated(_) | Callee::Derivative(..) => {
            let name = callee.to_string();
            // What a loop with an attribute has become has no name for users.
            match name.starts_with("__") {
                true => "the loop".to_owned(),
                false => format!("the call of `{name}`"),
            }
        }
        Callee::Method(name) => format!("the call of `{name}`"),
        Callee::Operator(operator) | Callee::DirectedOperator(operator) => {
            format!("the `{}` of an operator", operator.method())
        }
        Callee::Conversion(_) => "the conversion".to_owned(),
        Callee::Given => String::new(),
    }
}

/// Whether a value is written as one that depends on nothing.
fn is_constant(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Literal(_) | ExprKind::Guard(_) | ExprKind::Op(Op::Placeholder, _) => true,
        ExprKind::Op(_, args) => args.iter().all(is_constant),
        ExprKind::Load(_) | ExprKind::Opaque(_) => false,
    }
}
