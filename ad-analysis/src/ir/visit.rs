//! Traversals. Every match is exhaustive in variants and fields, so a new construct is noticed here.

use super::syntax::*;
use super::values::*;
use crate::index::Var;

/// Generates a traversal for `&` and for `&mut`.
macro_rules! traversals {
    ($($mutability:ident)?; $each_block:ident, $each_stmt:ident, $each_expr:ident, $each_place:ident,
     $in_expr:ident, $in_place:ident, $operands:ident) => {
        /// Visits the blocks a statement consists of, not those nested in them.
        pub fn $each_block(stmt: &$($mutability)? Stmt, visit: &mut dyn FnMut(&$($mutability)? Block)) {
            match &$($mutability)? stmt.kind {
                StmtKind::If { test: _, then, otherwise } => {
                    visit(then);
                    visit(otherwise);
                }
                StmtKind::Loop(Loop { target: _, kind: _, trips: _, body }) => visit(body),
                StmtKind::Block { target: _, body } => visit(body),
                StmtKind::Let { var: _, value: _ }
                | StmtKind::Assign { place: _, value: _ }
                | StmtKind::Increment { place: _, value: _ }
                | StmtKind::Reset { place: _ }
                | StmtKind::Resize(_)
                | StmtKind::Swap { a: _, b: _ }
                | StmtKind::Bind { view: _ }
                | StmtKind::Call(_)
                | StmtKind::Opaque(_)
                | StmtKind::Exit { label: _, code: _ }
                | StmtKind::Push { place: _, transfer: _ }
                | StmtKind::Pop { place: _, declares: _ } => {}
            }
        }

        /// Visits all statements of a block, each before those nested in it.
        pub fn $each_stmt(block: &$($mutability)? Block, visit: &mut dyn FnMut(&$($mutability)? Stmt)) {
            for stmt in &$($mutability)? block.stmts {
                visit(stmt);
                $each_block(stmt, &mut |block| $each_stmt(block, visit));
            }
        }

        /// Visits the expressions a statement evaluates itself, those in its nested blocks apart.
        /// Expressions inside expressions are not visited.
        pub fn $each_expr(stmt: &$($mutability)? Stmt, visit: &mut dyn FnMut(&$($mutability)? Expr)) {
            match &$($mutability)? stmt.kind {
                StmtKind::Let { var: _, value } => {
                    if let Some(value) = value {
                        visit(value);
                    }
                }
                StmtKind::Assign { place, value } | StmtKind::Increment { place, value } => {
                    visit(value);
                    $in_place(place, visit);
                }
                StmtKind::Call(Call { callee: _, args, result: _, kept: _, mode: _, sweep, carrier: _, failure: _, resolution: _ }) => {
                    for Arg { kind, slot } in args {
                        match kind {
                            ArgKind::Value(value) => visit(value),
                            ArgKind::Shared(place) | ArgKind::Exclusive(place) => $in_place(place, visit),
                            ArgKind::Omitted => {}
                        }
                        match slot {
                            Slot::Bar(place, _) => $in_place(place, visit),
                            Slot::Passive | Slot::Marker(_) => {}
                        }
                    }
                    match sweep {
                        Sweep::Primal | Sweep::Forward { primal: _ } | Sweep::Tangent { .. } => {}
                        Sweep::Backward { seed, primal: _ } => {
                            if let Some(place) = seed {
                                $in_place(place, visit);
                            }
                        }
                    }
                }
                StmtKind::If { test, then: _, otherwise: _ } => visit(test),
                StmtKind::Loop(Loop { target: _, kind, trips: _, body: _ }) => match kind {
                    LoopKind::Counted { var: _, range } => range.$operands().for_each(visit),
                    LoopKind::While { test } => visit(test),
                    LoopKind::Forever => {}
                },
                StmtKind::Push { place, transfer: _ } => $in_place(place, visit),
                StmtKind::Pop { place, declares: _ } => $in_place(place, visit),
                StmtKind::Reset { place } => $in_place(place, visit),
                StmtKind::Resize(Resize { list, change, len: _ }) => {
                    match change {
                        Change::Extend(items) => visit(items),
                        Change::Truncate(rest) => visit(rest),
                    }
                    $in_place(list, visit);
                }
                StmtKind::Swap { a, b } => {
                    $in_place(a, visit);
                    $in_place(b, visit);
                }
                StmtKind::Bind { view: _ }
                | StmtKind::Opaque(_)
                | StmtKind::Block { target: _, body: _ }
                | StmtKind::Exit { label: _, code: _ } => {}
            }
        }

        /// Visits the places a statement itself reads, writes or passes on, those in indices
        /// included, those in its nested blocks apart.
        pub fn $each_place(stmt: &$($mutability)? Stmt, visit: &mut dyn FnMut(&$($mutability)? Place)) {
            $each_expr(stmt, &mut |expr| $in_expr(expr, visit));
            match &$($mutability)? stmt.kind {
                StmtKind::Assign { place, value: _ }
                | StmtKind::Increment { place, value: _ }
                | StmtKind::Reset { place }
                | StmtKind::Push { place, transfer: _ }
                | StmtKind::Pop { place, declares: _ } => visit(place),
                StmtKind::Resize(Resize { list, change: _, len: _ }) => visit(list),
                StmtKind::Swap { a, b } => {
                    visit(a);
                    visit(b);
                }
                StmtKind::Call(Call { callee: _, args, result: _, kept: _, mode: _, sweep, carrier: _, failure: _, resolution: _ }) => {
                    for Arg { kind, slot } in args {
                        match kind {
                            ArgKind::Shared(place) | ArgKind::Exclusive(place) => visit(place),
                            ArgKind::Value(_) | ArgKind::Omitted => {}
                        }
                        match slot {
                            Slot::Bar(place, _) => visit(place),
                            Slot::Passive | Slot::Marker(_) => {}
                        }
                    }
                    match sweep {
                        Sweep::Primal | Sweep::Forward { primal: _ } | Sweep::Tangent { .. } => {}
                        Sweep::Backward { seed, primal: _ } => {
                            if let Some(place) = seed {
                                visit(place);
                            }
                        }
                    }
                }
                StmtKind::Let { var: _, value: _ }
                | StmtKind::Bind { view: _ }
                | StmtKind::Opaque(_)
                | StmtKind::If { test: _, then: _, otherwise: _ }
                | StmtKind::Loop(_)
                | StmtKind::Block { target: _, body: _ }
                | StmtKind::Exit { label: _, code: _ } => {}
            }
        }

        /// Visits the places an expression reads, those in indices included.
        pub fn $in_expr(expr: &$($mutability)? Expr, visit: &mut dyn FnMut(&$($mutability)? Place)) {
            match &$($mutability)? expr.kind {
                ExprKind::Load(place) => {
                    $in_place(place, &mut |index| $in_expr(index, visit));
                    visit(place);
                }
                ExprKind::Op(_, args) => {
                    for arg in args {
                        $in_expr(arg, visit);
                    }
                }
                ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {}
            }
        }

        /// Visits the indices of a place. Expressions inside expressions are not visited.
        pub fn $in_place(place: &$($mutability)? Place, visit: &mut dyn FnMut(&$($mutability)? Expr)) {
            for step in &$($mutability)? place.projections {
                match step {
                    Projection::Field(_) | Projection::Boxed => {}
                    Projection::Index(index) | Projection::Got { at: index, .. } => visit(index),
                    Projection::Slice { start, end } => {
                        if let Some(start) = start {
                            visit(start);
                        }
                        if let Some(end) = end {
                            visit(end);
                        }
                    }
                }
            }
        }
    };
}

traversals!(; each_block, each_stmt, each_expr, each_place, places_in, exprs_in_place, operands);
traversals!(mut; each_block_mut, each_stmt_mut, each_expr_mut, each_place_mut, places_in_mut,
            exprs_in_place_mut, operands_mut);

/// Visits the places that a statement writes, but for those that code writes that is kept as it is.
pub fn each_written_place(stmt: &Stmt, visit: &mut dyn FnMut(&Place)) {
    match &stmt.kind {
        StmtKind::Assign { place, value: _ }
        | StmtKind::Increment { place, value: _ }
        | StmtKind::Reset { place }
        | StmtKind::Pop { place, declares: false } => visit(place),
        StmtKind::Resize(Resize { list, change: _, len: _ }) => visit(list),
        StmtKind::Swap { a, b } => [a, b].into_iter().for_each(visit),
        StmtKind::Call(Call {
            callee: _,
            args,
            result: _,
            kept: _,
            mode: _,
            sweep: _,
            carrier: _,
            failure: _,
            resolution: _,
        }) => {
            for Arg { kind, slot } in args {
                match kind {
                    ArgKind::Exclusive(place) => visit(place),
                    ArgKind::Value(_) | ArgKind::Shared(_) | ArgKind::Omitted => {}
                }
                match slot {
                    Slot::Bar(place, _) => visit(place),
                    Slot::Passive | Slot::Marker(_) => {}
                }
            }
        }
        StmtKind::Opaque(_)
        | StmtKind::Let { .. }
        | StmtKind::Bind { .. }
        | StmtKind::If { .. }
        | StmtKind::Loop(_)
        | StmtKind::Block { .. }
        | StmtKind::Exit { .. }
        | StmtKind::Push { .. }
        | StmtKind::Pop { place: _, declares: true } => {}
    }
}

/// The variables a statement itself may write after their declaration, views resolved.
pub fn written_by(body: &Body, stmt: &Stmt) -> Vec<Var> {
    let mut written = Vec::new();
    each_written_place(stmt, &mut |place| written.push(body.root_of(place)));
    if let StmtKind::Opaque(opaque) = &stmt.kind {
        written.extend(&opaque.writes);
    }
    each_expr(stmt, &mut |expr| {
        if let ExprKind::Opaque(opaque) = &expr.kind {
            written.extend(&opaque.writes);
        }
    });
    written.into_iter().map(|var| body.root_of(&Place::var(var))).collect()
}

/// Whether a place is rooted in a variable or an index of it reads the variable.
pub fn place_mentions(place: &Place, var: Var) -> bool {
    let mut found = place.root == var;
    exprs_in_place(place, &mut |expr| places_in(expr, &mut |place| found |= place.root == var));
    found
}

impl Stmt {
    /// The value that it gives to a place or adds to one, if it is an expression.
    pub fn value(&self) -> Option<&Expr> {
        match &self.kind {
            StmtKind::Let { var: _, value } => value.as_ref(),
            StmtKind::Assign { place: _, value } | StmtKind::Increment { place: _, value } => {
                Some(value)
            }
            StmtKind::Reset { .. }
            | StmtKind::Resize(_)
            | StmtKind::Swap { .. }
            | StmtKind::Bind { .. }
            | StmtKind::Call(_)
            | StmtKind::Opaque(_)
            | StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block { .. }
            | StmtKind::Exit { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => None,
        }
    }
}
