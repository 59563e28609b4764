//! Lists and structs that are moved out of a part of something.
//!
//! The function itself may do so: it does not look at the part again. Generated code does where it asks a struct about its
//! fields, and it moves what the function exchanges; rustc moves nothing out of an element, or out of what a `&mut` refers to.
//! A clone is taken there.

use super::values::clone_moved;
use crate::index::Var;
use crate::ir::{
    Binding, Block, Body, Expr, ExprKind, Op, Place, Projection, Stmt, StmtKind, declared_by,
    each_block, each_block_mut, each_place,
};
use crate::types::Type;
use std::collections::HashMap;

/// Takes clones where a part is moved that has to stay. `is_asked` tells of which variables generated code asks for more than what is
/// loaded, `is_direction` which ones hold directions.
pub(super) fn clone_moved_parts(
    body: &mut Body,
    is_asked: &dyn Fn(Var) -> bool,
    is_direction: &dyn Fn(Var) -> bool,
) {
    let mut mentions = Mentions::default();
    mentions.of_block(body, &body.block, 0);
    let empty = Block { scope: body.block.scope, stmts: Vec::new() };
    let mut block = std::mem::replace(&mut body.block, empty);
    let mut pass = Pass { body, mentions: &mentions, is_asked, is_direction, number: 0 };
    pass.block(&mut block, 0);
    body.block = block;
}

/// Where variables are declared and mentioned. Statements are numbered in the order of the text.
#[derive(Default)]
struct Mentions {
    /// The number of the current statement.
    number: usize,
    /// How many loops there are around a declaration.
    declared: HashMap<Var, usize>,
    /// The last statement with a variable, and how often that mentions it.
    last: HashMap<Var, (usize, usize)>,
}

impl Mentions {
    fn of_block(&mut self, body: &Body, block: &Block, loops: usize) {
        for stmt in &block.stmts {
            self.number += 1;
            self.declared.extend(declared_by(stmt).into_iter().map(|var| (var, loops)));
            each_place(stmt, &mut |place| self.mention(body.root_of(place)));
            match &stmt.kind {
                StmtKind::Bind { view } => self.mention(body.root_of(&Place::var(*view))),
                StmtKind::Opaque(opaque) => {
                    opaque
                        .reads
                        .iter()
                        .for_each(|&var| self.mention(body.root_of(&Place::var(var))));
                }
                StmtKind::Let { .. }
                | StmtKind::Assign { .. }
                | StmtKind::Increment { .. }
                | StmtKind::Reset { .. }
                | StmtKind::Resize(_)
                | StmtKind::Swap { .. }
                | StmtKind::Call(_)
                | StmtKind::If { .. }
                | StmtKind::Loop(_)
                | StmtKind::Block { .. }
                | StmtKind::Exit { .. }
                | StmtKind::Push { .. }
                | StmtKind::Pop { .. } => {}
            }
            let loops = loops + usize::from(matches!(stmt.kind, StmtKind::Loop(_)));
            each_block(stmt, &mut |block| self.of_block(body, block, loops));
        }
    }

    fn mention(&mut self, var: Var) {
        let (number, count) = self.last.entry(var).or_default();
        *count = if *number == self.number { *count + 1 } else { 1 };
        *number = self.number;
    }

    /// Whether a variable is mentioned elsewhere in a statement with so many loops around, or after it.
    fn are_there_more(&self, var: Var, number: usize, loops: usize) -> bool {
        let outside = self.declared.get(&var).copied().unwrap_or(0);
        outside < loops || self.last.get(&var) != Some(&(number, 1))
    }
}

struct Pass<'a> {
    body: &'a Body,
    mentions: &'a Mentions,
    is_asked: &'a dyn Fn(Var) -> bool,
    is_direction: &'a dyn Fn(Var) -> bool,
    /// The number of the current statement.
    number: usize,
}

impl Pass<'_> {
    fn block(&mut self, block: &mut Block, loops: usize) {
        for stmt in &mut block.stmts {
            self.number += 1;
            self.stmt(stmt, loops);
            let loops = loops + usize::from(matches!(stmt.kind, StmtKind::Loop(_)));
            each_block_mut(stmt, &mut |block| self.block(block, loops));
        }
    }

    fn stmt(&self, stmt: &mut Stmt, loops: usize) {
        clone_moved(stmt, &|load, place| {
            self.has_to_stay(place, &load.ty, loops).then(|| self.clone_of(load, place))
        });
    }

    fn clone_of(&self, load: &Expr, place: &Place) -> Expr {
        let (ty, span) = (load.ty.clone(), load.span);
        let place = self.body.resolve(place);
        let operand = match (self.is_direction)(place.root) && is_in_struct(self.body, &place) {
            true => Expr::new(ExprKind::Op(Op::Direction, vec![load.clone()]), ty.clone(), span),
            false => load.clone(),
        };
        Expr::new(ExprKind::Op(Op::Clone, vec![operand]), ty, span)
    }

    /// Whether what is loaded cannot be moved. Of types that are not seen it may be a reference, and so may what a reference refers to.
    fn has_to_stay(&self, place: &Place, ty: &Type, loops: usize) -> bool {
        let place = self.body.resolve(place);
        if place.is_whole() || ty.is_copy() || !ty.is_seen() {
            return false;
        }
        let is_exclusive = match self.body.vars[place.root].binding {
            Binding::Value | Binding::View(_) => false,
            Binding::Exclusive => true,
            Binding::Shared | Binding::Global(_) => return false,
        };
        let is_looked_at = (self.is_asked)(place.root)
            && is_in_struct(self.body, &place)
            && self.mentions.are_there_more(place.root, self.number, loops);
        is_looked_at || is_in_array(self.body, &place) || {
            let is_element = place.projections.iter().any(|step| match step {
                Projection::Index(_) => true,
                Projection::Field(_) | Projection::Slice { .. } => false,
            });
            (is_exclusive || is_element) && holds_lists(ty)
        }
    }
}

/// Whether a place is in a field of something that is no tuple.
fn is_in_struct(body: &Body, place: &Place) -> bool {
    each_step(place).any(|(owner, step)| {
        matches!(step, Projection::Field(_))
            && !matches!(body.proven_place_type(&owner), Type::Tuple(_))
    })
}

/// Whether a place is in an element of an array, of which patterns move.
fn is_in_array(body: &Body, place: &Place) -> bool {
    each_step(place).any(|(owner, step)| {
        matches!(step, Projection::Index(_)) && matches!(body.place_type(&owner), Type::Array(..))
    })
}

/// The steps of a place, each with where it starts.
fn each_step(place: &Place) -> impl Iterator<Item = (Place, &Projection)> {
    place.projections.iter().enumerate().map(|(position, step)| {
        let projections = place.projections[..position].to_vec();
        (Place { root: place.root, projections }, step)
    })
}

/// Whether there is a list in values of a type, so that they are moved for sure.
fn holds_lists(ty: &Type) -> bool {
    match ty {
        Type::Vec(_) => true,
        Type::Array(element, _) => holds_lists(element),
        Type::Tuple(fields) => fields.iter().any(holds_lists),
        Type::Float(_)
        | Type::Int(_)
        | Type::Bool
        | Type::Slice(_)
        | Type::Named(_)
        | Type::Unknown
        | Type::Infer(_) => false,
    }
}
