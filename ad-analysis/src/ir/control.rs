//! Questions about the structure of control: what leaves a statement, and does its end get reached?

use super::syntax::*;
use super::visit::each_block;
use crate::index::Label;

/// An exit, by the construct it leaves and its code there.
pub type ExitCode = (Label, u8);

/// The exits inside a statement that leave it.
pub fn exits_of(stmt: &Stmt) -> Vec<ExitCode> {
    let mut exits = Vec::new();
    match &stmt.kind {
        StmtKind::Exit { label, code } => exits.push((*label, *code)),
        StmtKind::Let { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Increment { .. }
        | StmtKind::Reset { .. }
        | StmtKind::Resize(_)
        | StmtKind::Swap { .. }
        | StmtKind::Bind { .. }
        | StmtKind::Call(_)
        | StmtKind::Opaque(_)
        | StmtKind::If { .. }
        | StmtKind::Loop(_)
        | StmtKind::Block { .. }
        | StmtKind::Push { .. }
        | StmtKind::Pop { .. } => {
            each_block(stmt, &mut |block| exits.extend(exits_of_block(block)));
            if let Some(target) = stmt.target() {
                exits.retain(|(label, _)| *label != target.label);
            }
        }
    }
    exits
}

/// The exits inside a block that leave it.
pub fn exits_of_block(block: &Block) -> Vec<ExitCode> {
    block.stmts.iter().flat_map(exits_of).collect()
}

/// Whether control may reach the end of a block.
pub fn completes(block: &Block) -> bool {
    block.stmts.iter().all(stmt_completes)
}

fn stmt_completes(stmt: &Stmt) -> bool {
    let left_by_exit = |target: &Target, body: &Block| {
        exits_of_block(body).iter().any(|(label, _)| *label == target.label)
    };
    match &stmt.kind {
        StmtKind::Exit { .. } => false,
        StmtKind::Opaque(opaque) => opaque.ending == Ending::Continues,
        StmtKind::If { test: _, then, otherwise } => completes(then) || completes(otherwise),
        StmtKind::Loop(Loop { target, kind: LoopKind::Forever, body, trips: _ }) => {
            left_by_exit(target, body)
        }
        StmtKind::Block { target, body } => {
            completes(body) || target.as_ref().is_some_and(|target| left_by_exit(target, body))
        }
        StmtKind::Loop(_)
        | StmtKind::Let { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Increment { .. }
        | StmtKind::Reset { .. }
        | StmtKind::Resize(_)
        | StmtKind::Swap { .. }
        | StmtKind::Bind { .. }
        | StmtKind::Call(_)
        | StmtKind::Push { .. }
        | StmtKind::Pop { .. } => true,
    }
}

impl Stmt {
    /// Where exits that leave this construct lead, if it is labelled.
    pub fn target(&self) -> Option<&Target> {
        match &self.kind {
            StmtKind::Loop(inner) => Some(&inner.target),
            StmtKind::Block { target, body: _ } => target.as_ref(),
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Resize(_)
            | StmtKind::Swap { .. }
            | StmtKind::Bind { .. }
            | StmtKind::Call(_)
            | StmtKind::Opaque(_)
            | StmtKind::If { .. }
            | StmtKind::Exit { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => None,
        }
    }
}
