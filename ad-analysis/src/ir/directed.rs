//! The tangent of a function as callers in other tangents name it: it is called as the function is, with something behind each argument.

use super::{
    Arg, ArgKind, Body, Call, Callee, Change, Derivative, Expr, ExprKind, Op, Place, Projection,
    Resize, Stmt, StmtKind, each_expr,
};
use crate::types::Type;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;

/// The name of the tangent of a function in an `impl` block, which has sweeps as any function has.
pub fn directed_name(prefix: &str) -> String {
    format!("__{}_{}", prefix.trim_start_matches("r#"), Derivative::Directed.name())
}

/// Whether a function in an `impl` block is the tangent of another.
pub fn is_directed(name: &Ident) -> bool {
    let text = name.to_string();
    let end = text.strip_suffix(Derivative::Directed.name());
    text.starts_with("__") && end.is_some_and(|rest| rest.ends_with('_'))
}

/// What the names of the entries of a function in an `impl` block begin with, where `callee(…)` may say something else than its
/// name.
pub fn entries_prefix(callees: &[(Ident, TokenStream)], name: &Ident) -> String {
    let other = callees.iter().find(|(callee, _)| callee == name);
    let path = other.and_then(|(_, path)| syn::parse2::<syn::Path>(path.clone()).ok());
    let last = path.and_then(|path| path.segments.last().map(|segment| segment.ident.clone()));
    last.unwrap_or_else(|| name.clone()).to_string()
}

impl Callee {
    /// The tangent of a callee as a function, if there is one. `callees` says where entries are.
    pub fn directed(self, callees: &[(Ident, TokenStream)]) -> Option<Self> {
        let hidden =
            |name: &Ident| Ident::new(&directed_name(&entries_prefix(callees, name)), name.span());
        match self {
            Self::Function(path) => Some(Self::Derivative(Derivative::Directed, path)),
            Self::Associated(path) => {
                let mut path: syn::Path = syn::parse2(path).ok()?;
                let last = path.segments.last_mut()?;
                last.ident = hidden(&last.ident);
                // Generic arguments would have to be given for directions, too.
                last.arguments = syn::PathArguments::None;
                Some(Self::Associated(path.to_token_stream()))
            }
            Self::Method(name) => Some(Self::Method(hidden(&name))),
            Self::Operator(operator) => Some(Self::DirectedOperator(operator)),
            Self::Derivative(..)
            | Self::DirectedOperator(_)
            | Self::Conversion(_)
            | Self::Given => None,
        }
    }
}

impl Body {
    /// Whether a place is in a field of a direction, of something that is no tuple.
    pub fn is_part_of_direction(&self, place: &Place) -> bool {
        let place = self.resolve(place);
        let mut whole = Place::var(place.root);
        self.directions.contains(place.root)
            && place.projections.iter().any(|step| {
                let is_field = matches!(step, Projection::Field(_))
                    && !matches!(self.proven_place_type(&whole), Type::Tuple(_));
                whole = whole.then(step.clone());
                is_field
            })
    }

    /// The parts of directions to which a statement refers, or of which it takes a copy as a whole.
    pub fn directions_referred_to(&self, stmt: &Stmt) -> Vec<Place> {
        let mut found = Vec::new();
        each_expr(stmt, &mut |expr| copied_in(expr, &mut found));
        match &stmt.kind {
            StmtKind::Swap { a, b } => found.extend([a.clone(), b.clone()]),
            StmtKind::Resize(Resize { change: Change::Extend(items), .. }) => {
                found.extend(items.as_place().cloned());
            }
            StmtKind::Call(Call { args, .. }) => {
                found.extend(args.iter().filter_map(|Arg { kind, .. }| match kind {
                    ArgKind::Shared(place) | ArgKind::Exclusive(place) => Some(place.clone()),
                    ArgKind::Value(_) | ArgKind::Omitted => None,
                }));
            }
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Resize(Resize { change: Change::Truncate(_), .. })
            | StmtKind::Bind { .. }
            | StmtKind::Opaque(_)
            | StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block { .. }
            | StmtKind::Exit { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => {}
        }
        found.retain(|place| self.is_part_of_direction(place));
        found
    }
}

/// The places of which an expression takes copies.
fn copied_in(expr: &Expr, found: &mut Vec<Place>) {
    if let ExprKind::Op(op, args) = &expr.kind {
        if matches!(op, Op::Clone | Op::ToVec) {
            found.extend(args[0].as_place().cloned());
        }
        args.iter().for_each(|arg| copied_in(arg, found));
    }
}
