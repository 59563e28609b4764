//! Lists and structs that are moved though they have to stay.
//!
//! The function itself does not look again at what it moves. Generated code does where it asks a struct about its fields, and it moves
//! what the function exchanges, or takes out of an `Option`; rustc moves nothing out of an element, or out of what a `&mut` refers
//! to. A clone is taken there.

use super::values::clone_moved;
use crate::index::Var;
use crate::ir::{
    Binding, Block, Body, Expr, ExprKind, Op, Place, Projection, Stmt, StmtKind, declared_by,
    each_block, each_block_mut, each_place,
};
use crate::types::Type;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// Takes clones where something is moved that has to stay. `is_asked` tells of which variables generated code asks for more than what
/// is loaded, `is_direction` which ones hold directions.
pub(super) fn clone_what_stays(
    body: &mut Body,
    is_asked: &dyn Fn(Var) -> bool,
    is_direction: &dyn Fn(Var) -> bool,
) {
    let mut mentions = Mentions::new(body);
    mentions.of_block(&body.block, 0);
    let Mentions { again, .. } = mentions;
    let empty = Block { scope: body.block.scope, stmts: Vec::new() };
    let mut block = std::mem::replace(&mut body.block, empty);
    let mut pass = Pass { body, again, is_asked, is_direction, number: 0 };
    pass.block(&mut block);
    body.block = block;
}

/// Which variables are looked at again after something was moved out of them.
struct Mentions<'a> {
    body: &'a Body,
    /// The number of the current statement, in the order of the text.
    number: usize,
    /// How many loops there are around a declaration.
    declared: HashMap<Var, usize>,
    /// What comes after the current statement, from inside to outside at the end.
    rest: Vec<&'a [Stmt]>,
    /// Where the bodies of the loops around it are in that, and those.
    loops: Vec<(usize, &'a Block)>,
    /// The statements that move, and the variables that are looked at again.
    again: HashSet<(usize, Var)>,
}

/// What happens next to a variable.
enum Next {
    /// It is looked at.
    Mentioned,
    /// It gets another value, or control goes elsewhere.
    Replaced,
}

impl<'a> Mentions<'a> {
    fn new(body: &'a Body) -> Self {
        let (declared, rest, loops, again) = Default::default();
        Self { body, number: 0, declared, rest, loops, again }
    }

    fn of_block(&mut self, block: &'a Block, loops: usize) {
        for (position, stmt) in block.stmts.iter().enumerate() {
            self.number += 1;
            self.declared.extend(declared_by(stmt).into_iter().map(|var| (var, loops)));
            self.rest.push(&block.stmts[position + 1..]);
            for var in self.moved_by(stmt) {
                if self.is_looked_at_again(var, stmt) {
                    self.again.insert((self.number, var));
                }
            }
            match &stmt.kind {
                StmtKind::Loop(inner) => {
                    self.loops.push((self.rest.len(), &inner.body));
                    self.of_block(&inner.body, loops + 1);
                    self.loops.pop();
                }
                StmtKind::If { test: _, then, otherwise } => {
                    self.of_block(then, loops);
                    self.of_block(otherwise, loops);
                }
                StmtKind::Block { target: _, body } => self.of_block(body, loops),
                StmtKind::Let { .. }
                | StmtKind::Assign { .. }
                | StmtKind::Increment { .. }
                | StmtKind::Reset { .. }
                | StmtKind::Resize(_)
                | StmtKind::Swap { .. }
                | StmtKind::Bind { .. }
                | StmtKind::Call(_)
                | StmtKind::Opaque(_)
                | StmtKind::Exit { .. }
                | StmtKind::Push { .. }
                | StmtKind::Pop { .. } => {}
            }
            self.rest.pop();
        }
    }

    /// The variables that a statement moves, or parts of them.
    fn moved_by(&self, stmt: &Stmt) -> Vec<Var> {
        let (mut is_compound, moved) = (false, RefCell::new(Vec::new()));
        each_block(stmt, &mut |_| is_compound = true);
        if is_compound {
            return Vec::new();
        }
        clone_moved(&mut stmt.clone(), &|load, place| {
            if !load.ty.is_copy() {
                moved.borrow_mut().push(self.body.root_of(place));
            }
            None
        });
        moved.into_inner()
    }

    /// Whether a variable is mentioned elsewhere in a statement that moves it, or after it.
    fn is_looked_at_again(&self, var: Var, stmt: &Stmt) -> bool {
        let mut count = 0;
        self.mentions(stmt, &mut |mentioned| count += usize::from(mentioned == var));
        if matches!(&stmt.kind, StmtKind::Assign { place, .. } if *place == Place::var(var)) {
            return count > 2;
        }
        let outside = self.declared.get(&var).copied().unwrap_or(0);
        let mut end = self.rest.len();
        // Around again in the loops in which it is not declared, the innermost one first.
        let around = self.loops[outside.min(self.loops.len())..].iter().rev();
        let parts = around.flat_map(|&(start, body)| {
            let within = self.rest[start..end].iter().rev().copied();
            end = start;
            within.chain([&body.stmts[..]]).collect::<Vec<_>>()
        });
        let mut parts = parts.collect::<Vec<_>>();
        parts.extend(self.rest[..end].iter().rev());
        let next = parts.into_iter().flatten().find_map(|stmt| self.next(var, stmt));
        count > 1 || matches!(next, Some(Next::Mentioned))
    }

    fn next(&self, var: Var, stmt: &Stmt) -> Option<Next> {
        let mut reads = 0;
        self.mentions_within(stmt, &mut |mentioned| reads += usize::from(mentioned == var));
        let is_replaced = matches!(&stmt.kind, StmtKind::Assign { place, value: _ } if *place == Place::var(var))
            && reads == 1;
        if is_replaced || matches!(stmt.kind, StmtKind::Exit { .. }) {
            return Some(Next::Replaced);
        }
        (reads > 0).then_some(Next::Mentioned)
    }

    fn mentions_within(&self, stmt: &Stmt, visit: &mut dyn FnMut(Var)) {
        self.mentions(stmt, visit);
        each_block(stmt, &mut |block| {
            block.stmts.iter().for_each(|stmt| self.mentions_within(stmt, visit));
        });
    }

    /// The variables that a statement mentions itself.
    fn mentions(&self, stmt: &Stmt, visit: &mut dyn FnMut(Var)) {
        each_place(stmt, &mut |place| visit(self.body.root_of(place)));
        if let StmtKind::Bind { view } = &stmt.kind {
            visit(self.body.root_of(&Place::var(*view)));
        } else if let StmtKind::Opaque(opaque) = &stmt.kind {
            opaque.reads.iter().for_each(|&var| visit(self.body.root_of(&Place::var(var))));
        }
    }
}

struct Pass<'a> {
    body: &'a Body,
    /// The statements that move, and the variables that are looked at again.
    again: HashSet<(usize, Var)>,
    is_asked: &'a dyn Fn(Var) -> bool,
    is_direction: &'a dyn Fn(Var) -> bool,
    /// The number of the current statement.
    number: usize,
}

impl Pass<'_> {
    fn block(&mut self, block: &mut Block) {
        for stmt in &mut block.stmts {
            self.number += 1;
            clone_moved(stmt, &|load, place| {
                self.has_to_stay(place, &load.ty).then(|| self.clone_of(load, place))
            });
            each_block_mut(stmt, &mut |block| self.block(block));
        }
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
    fn has_to_stay(&self, place: &Place, ty: &Type) -> bool {
        let place = self.body.resolve(place);
        if ty.is_copy() || !ty.is_seen() {
            return false;
        }
        let is_exclusive = match self.body.vars[place.root].binding {
            Binding::Value | Binding::View(_) => false,
            Binding::Exclusive => true,
            Binding::Shared | Binding::Global(_) => return false,
        };
        let is_looked_at = self.again.contains(&(self.number, place.root));
        if place.is_whole() {
            return is_looked_at && !is_exclusive && ty.is_structural();
        }
        let is_asked = (self.is_asked)(place.root) && is_in_struct(self.body, &place);
        let is_element = place.projections.iter().any(|step| match step {
            Projection::Index(_) | Projection::Got { .. } => true,
            Projection::Field(_) | Projection::Boxed | Projection::Slice { .. } => false,
        });
        (is_looked_at && is_asked)
            || is_in_array(self.body, &place)
            || ((is_exclusive || is_element) && holds_lists(ty))
    }
}

/// Whether a place is in a field of something that is no tuple.
fn is_in_struct(body: &Body, place: &Place) -> bool {
    each_step(place).any(|(owner, step)| {
        step.is_fixed() && !matches!(body.proven_place_type(&owner), Type::Tuple(_))
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
