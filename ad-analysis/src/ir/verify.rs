//! The invariants of the IR, checked between all phases in tests and debug builds:
//!
//! 1. Numbers of statements, scopes and labels occur once and are below the body's numbering.
//! 2. Every variable is declared exactly once, as a parameter, the result, a kept value, a global or
//!    by a statement, and is used only after that, inside the scope of its declaration.
//! 3. An exit names an enclosing labelled construct, or the body.
//! 4. A view refers to a place whose root is no view.
//! 5. There are no [contradictions].
//! 6. Opaque expressions stand only at the root of a value.
//! 7. What is kept is declared in the outermost scope or by the header: it is there at the end.
//! 8. No two variables have the same name.

use super::contradictions::contradictions;
use super::print::print_stmt_line;
use super::syntax::*;
use super::values::*;
use super::visit::{each_expr, each_place, each_stmt};
use crate::index::{BitSet, Index, Label, Var};
use std::collections::HashSet;

/// Checks a body; the errors are sentences for the developer of a phase.
pub fn verify(body: &Body) -> Result<(), Vec<String>> {
    let mut verifier = Verifier {
        body,
        errors: Vec::new(),
        visible: BitSet::new(),
        declared: BitSet::new(),
        labels: vec![body.target.label],
    };
    verifier.numbers();
    verifier.header();
    verifier.block(&body.block);
    verifier.names();
    verifier.errors.extend(contradictions(body).into_iter().map(|found| found.message));
    if verifier.errors.is_empty() { Ok(()) } else { Err(verifier.errors) }
}

struct Verifier<'a> {
    body: &'a Body,
    errors: Vec<String>,
    visible: BitSet<Var>,
    declared: BitSet<Var>,
    labels: Vec<Label>,
}

impl Verifier<'_> {
    fn numbers(&mut self) {
        let (mut stmts, mut scopes) = (HashSet::new(), HashSet::new());
        scopes.insert(self.body.block.scope);
        let mut labels = HashSet::from([self.body.target.label]);
        let mut duplicates = Vec::new();
        each_stmt(&self.body.block, &mut |stmt| {
            if !stmts.insert(stmt.id) {
                duplicates.push(format!("{} occurs twice", stmt.id));
            }
            super::visit::each_block(stmt, &mut |block| {
                if !scopes.insert(block.scope) {
                    duplicates.push(format!("scope {} occurs twice", block.scope));
                }
            });
            let target = match &stmt.kind {
                StmtKind::Loop(inner) => Some(&inner.target),
                StmtKind::Block { target, .. } => target.as_ref(),
                _ => None,
            };
            if let Some(target) = target
                && !labels.insert(target.label)
            {
                duplicates.push(format!("label {} occurs twice", target.label));
            }
        });
        let numbering = self.body.numbering;
        let below = |position: usize, limit: u32| position < limit as usize;
        if !stmts.iter().all(|id| below(id.position(), numbering.stmts))
            || !scopes.iter().all(|scope| below(scope.position(), numbering.scopes))
            || !labels.iter().all(|label| below(label.position(), numbering.labels))
        {
            duplicates.push("a number is above the numbering of the body".into());
        }
        self.errors.extend(duplicates);
    }

    fn names(&mut self) {
        let mut names = HashSet::new();
        for (var, variable) in self.body.vars.enumerated() {
            if self.declared.contains(var) && !names.insert(&variable.name) {
                self.errors.push(format!("two variables are called `{}`", variable.name));
            }
        }
    }

    fn header(&mut self) {
        for (var, variable) in self.body.vars.enumerated() {
            if let Binding::Global(_) = &variable.binding {
                self.declare(var);
            }
        }
        let header = self.body.params.iter().chain(&self.body.result).copied();
        let header: Vec<Var> = header.chain(self.backward_kept()).collect();
        for var in header {
            self.declare(var);
        }
        self.kept();
    }

    fn kept(&mut self) {
        let mut inner = BitSet::new();
        for stmt in &self.body.block.stmts {
            super::visit::each_block(stmt, &mut |block| _ = inner.join(&declared_within(block)));
        }
        for var in self.body.kept_vars().filter(|var| inner.contains(*var)) {
            let name = &self.body.vars[var].name;
            self.errors.push(format!("`{name}` is kept but dies before the end"));
        }
    }

    /// What is kept is declared by the header of a backward sweep, by statements of a forward one.
    fn backward_kept(&self) -> impl Iterator<Item = Var> {
        let mut by_statements = HashSet::new();
        each_stmt(&self.body.block, &mut |stmt| by_statements.extend(declared_by(stmt)));
        by_statements.extend(self.body.params.iter().chain(&self.body.result));
        self.body.kept_vars().filter(move |var| !by_statements.contains(var))
    }

    fn declare(&mut self, var: Var) {
        if !self.declared.insert(var) {
            self.errors.push(format!("`{}` is declared twice", self.body.vars[var].name));
        }
        self.visible.insert(var);
    }

    fn block(&mut self, block: &Block) {
        let outside = self.visible.clone();
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        self.visible = outside;
    }

    fn error(&mut self, stmt: &Stmt, message: &str) {
        self.errors.push(format!("{message} in `{}`", print_stmt_line(self.body, stmt)));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let mut used = Vec::new();
        each_place(stmt, &mut |place| used.push(place.root));
        let declared = declared_by(stmt);
        used.retain(|var| !declared.contains(var));
        match &stmt.kind {
            StmtKind::Opaque(opaque) => used.extend(opaque.reads.iter().chain(&opaque.writes)),
            StmtKind::Bind { view } => match &self.body.vars[*view].binding {
                Binding::View(target) => {
                    used.push(target.place.root);
                    if matches!(self.body.vars[target.place.root].binding, Binding::View(_)) {
                        self.error(stmt, "a view of a view");
                    }
                    if let Some(through) = target.through {
                        used.push(through.view);
                        if self.body.resolve(&target.spelled()) != target.place {
                            self.error(stmt, "a view through a view of something else");
                        }
                    }
                }
                _ => self.error(stmt, "a binding of something that is no view"),
            },
            _ => {}
        }
        let mut opaque_below = false;
        each_expr(stmt, &mut |expr| {
            if let ExprKind::Opaque(opaque) = &expr.kind {
                used.extend(opaque.reads.iter().chain(&opaque.writes));
            }
            if let ExprKind::Op(_, args) = &expr.kind {
                opaque_below |= args.iter().any(contains_opaque);
            }
        });
        if opaque_below {
            self.error(stmt, "opaque code inside an expression");
        }
        for var in used {
            if !self.visible.contains(var) {
                let name = self.body.vars[var].name.clone();
                self.error(stmt, &format!("`{name}` is used outside of its scope"));
            }
        }
        self.nested(stmt);
        for var in declared_by(stmt) {
            self.declare(var);
        }
    }

    fn nested(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::If { test: _, then, otherwise } => {
                self.block(then);
                self.block(otherwise);
            }
            StmtKind::Loop(inner) => {
                self.labels.push(inner.target.label);
                let outside = self.visible.clone();
                if let LoopKind::Counted { var, range: _ } = &inner.kind {
                    self.declare(*var);
                }
                self.block(&inner.body);
                self.visible = outside;
                self.labels.pop();
            }
            StmtKind::Block { target, body } => {
                self.labels.extend(target.as_ref().map(|target| target.label));
                self.block(body);
                if target.is_some() {
                    self.labels.pop();
                }
            }
            StmtKind::Exit { label, code: _ } => {
                if !self.labels.contains(label) {
                    self.error(stmt, "an exit from a construct that does not enclose it");
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
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => {}
        }
    }
}

/// The variables that the statements of a block, and those in them, declare.
pub fn declared_within(block: &Block) -> BitSet<Var> {
    let mut declared = BitSet::new();
    each_stmt(block, &mut |stmt| {
        declared.extend(declared_by(stmt));
        if let StmtKind::Loop(Loop { kind: LoopKind::Counted { var, range: _ }, .. }) = &stmt.kind {
            declared.insert(*var);
        }
    });
    declared
}

/// The variables a statement declares in its own scope.
pub fn declared_by(stmt: &Stmt) -> Vec<Var> {
    let mut vars = Vec::new();
    match &stmt.kind {
        StmtKind::Let { var, value } => {
            vars.push(*var);
            if let Some(Expr { kind: ExprKind::Opaque(opaque), .. }) = value {
                vars.extend(&opaque.declares);
            }
        }
        StmtKind::Bind { view } => vars.push(*view),
        StmtKind::Call(call) => {
            vars.extend(call.result.iter().chain(&call.failure));
            // The backward sweep of a call reads what the other two declare.
            match call.sweep {
                Sweep::Primal | Sweep::Forward { primal: _ } => vars.extend(call.kept),
                Sweep::Backward { seed: _, primal: _ } => {}
                Sweep::Tangent { result, .. } => vars.extend(result),
            }
        }
        StmtKind::Opaque(opaque) => vars.extend(&opaque.declares),
        StmtKind::Pop { place, declares: true } => vars.push(place.root),
        StmtKind::Assign { .. }
        | StmtKind::Increment { .. }
        | StmtKind::Reset { .. }
        | StmtKind::Resize(_)
        | StmtKind::Swap { .. }
        | StmtKind::If { .. }
        | StmtKind::Loop(_)
        | StmtKind::Block { .. }
        | StmtKind::Exit { .. }
        | StmtKind::Push { .. }
        | StmtKind::Pop { .. } => {}
    }
    vars
}

fn contains_opaque(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Opaque(_) => true,
        ExprKind::Op(_, args) => args.iter().any(contains_opaque),
        ExprKind::Literal(_) | ExprKind::Load(_) | ExprKind::Guard(_) => false,
    }
}
