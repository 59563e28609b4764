//! Words that are pushed, or popped, in a block without anything else being done with the stack in between.

use super::frames::{is_assumed, leaves_stack_alone, takes_a_word};
use super::syntax::*;
use super::values::Place;
use super::visit::{each_block, each_stmt};
use super::{Body, exits_of};
use crate::index::{BitSet, Var};
use crate::types::Type;

/// The runtime takes so many values at once.
const MOST: usize = 12;

/// Statements of a block, at least two, that push values which can as well be pushed together, where the last of them is; or that pop
/// values which can be popped together, where the first of them is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Together {
    /// Whether they push.
    pub pushes: bool,
    /// Where in the block they are, in order.
    pub members: Vec<usize>,
}

/// All such statements of a block, group by group. Values are words, or what callees have kept.
/// `kept` are the variables that hold that.
pub fn together(body: &Body, kept: &BitSet<Var>, stmts: &[Stmt]) -> Vec<Together> {
    let mut groups: Vec<Together> = Vec::new();
    let mut is_open = false;
    for (at, stmt) in stmts.iter().enumerate() {
        let Some((pushes, place)) = transferred(stmt) else {
            is_open &= passes(stmt);
            continue;
        };
        let is_kept = place.is_whole()
            && body.vars[place.root].ty == Type::Unknown
            && kept.contains(place.root);
        let is_word = takes_a_word(&body.place_type(place)) && !is_assumed(body, place);
        if !is_kept && !is_word {
            is_open = false;
            continue;
        }
        match groups.last_mut() {
            Some(group) if is_open && group.pushes == pushes && group.members.len() < MOST => {
                group.members.push(at);
            }
            Some(_) | None => groups.push(Together { pushes, members: vec![at] }),
        }
        is_open = true;
    }
    groups.retain(|group| group.members.len() > 1);
    groups
}

/// Whether a statement pushes or pops, and the place.
fn transferred(stmt: &Stmt) -> Option<(bool, &Place)> {
    if let StmtKind::Push { place, transfer: _ } = &stmt.kind {
        return Some((true, place));
    }
    let StmtKind::Pop { place, declares: _ } = &stmt.kind else { return None };
    Some((false, place))
}

/// Whether control passes a statement, and those in it, without anything being done with the stack.
fn passes(stmt: &Stmt) -> bool {
    let mut passes = leaves_stack_alone(stmt) && exits_of(stmt).is_empty();
    each_block(stmt, &mut |block| {
        each_stmt(block, &mut |inner| {
            passes &= transferred(inner).is_none() && leaves_stack_alone(inner);
        });
    });
    passes
}

/// The variables that hold what callees have kept.
pub fn kept_by_calls(body: &Body) -> BitSet<Var> {
    let mut kept = BitSet::new();
    each_stmt(&body.block, &mut |stmt| {
        if let StmtKind::Call(call) = &stmt.kind {
            kept.extend(call.kept);
        }
    });
    kept
}
