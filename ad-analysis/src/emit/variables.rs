//! How variables are declared in a sweep.

use crate::index::{BitSet, Var};
use crate::ir::{
    Binding, Block, Body, Expr, ExprKind, Opaque, Place, Projection, StmtKind, View, declared_by,
    each_block, each_expr, each_place, each_stmt, written_by,
};
use crate::payloads::is_of_variant;
use std::collections::HashMap;

/// References to elements at constant positions, to elements and rests that a pattern binds beside others of one list, to different fields of one
/// element, and to payloads beside others: rustc does not see that they do not overlap. Verbatim code needs its references.
pub(super) fn undeclared_in(body: &Body) -> BitSet<Var> {
    let mut undeclared = payloads_in(body);
    let mut elements: Vec<(Var, Var, &[Projection])> = Vec::new();
    for (var, place) in mutable_views(body) {
        if let Some((Projection::Index(index) | Projection::Got { at: index, .. }, list)) =
            place.projections.split_last()
        {
            elements.push((var, place.root, list));
            if index.as_literal().is_some() {
                undeclared.insert(var);
            }
        }
    }
    let is_constant =
        |bound: &Option<Expr>| bound.as_ref().is_none_or(|bound| bound.as_literal().is_some());
    for (var, place) in mutable_views(body) {
        let list = match place.projections.split_last() {
            Some((Projection::Index(_) | Projection::Got { .. }, list)) => list,
            Some((Projection::Slice { start, end }, list))
                if is_constant(start) && is_constant(end) =>
            {
                list
            }
            Some((Projection::Slice { .. } | Projection::Field(_) | Projection::Boxed, _))
            | None => {
                continue;
            }
        };
        let is_beside = |(element, root, other): &&(Var, Var, &[Projection])| {
            *element != var && *root == place.root && *other == list
        };
        let mut beside = elements.iter().filter(is_beside);
        if beside.any(|(element, ..)| is_used_between(body, *element, var)) {
            undeclared.insert(var);
        }
    }
    let views: Vec<(Var, &Place)> = mutable_views(body).collect();
    for (at, (var, place)) in views.iter().enumerate() {
        for (other, beside) in &views[..at] {
            if are_parts_of_one_element(place, beside) && is_used_after(body, *other, *var) {
                undeclared.extend([*var, *other]);
            }
        }
    }
    each_stmt(&body.block, &mut |stmt| {
        let mut keep = |opaque: &Opaque| {
            opaque.reads.iter().for_each(|&var| undeclared.remove(var));
        };
        if let StmtKind::Opaque(opaque) = &stmt.kind {
            keep(opaque);
        }
        each_expr(stmt, &mut |expr| {
            if let ExprKind::Opaque(opaque) = &expr.kind {
                keep(opaque);
            }
        });
    });
    undeclared
}

/// References to payloads beside others of one value, of which one is written by way of its reference.
fn payloads_in(body: &Body) -> BitSet<Var> {
    let payloads: Vec<(Var, &View)> = body
        .vars
        .enumerated()
        .filter_map(|(var, variable)| match &variable.binding {
            Binding::View(view) if view.place.is_in_variant() => Some((var, &**view)),
            Binding::Value
            | Binding::Shared
            | Binding::Exclusive
            | Binding::Global(_)
            | Binding::View(_) => None,
        })
        .collect();
    let has_other = |view: &View| {
        let mut others = payloads.iter().map(|(_, other)| other);
        others.any(|other| (view.mutable || other.mutable) && are_beside(&view.place, &other.place))
    };
    payloads.iter().filter(|(_, view)| has_other(view)).map(|(var, _)| *var).collect()
}

/// Whether two places are in different fields of an element: the list lends all of it for each.
pub(super) fn are_parts_of_one_element(a: &Place, b: &Place) -> bool {
    let both = a.projections.iter().zip(&b.projections);
    let common = both.take_while(|(step, other)| step == other).count();
    let is_element = |step: &Projection| matches!(step, Projection::Index(_));
    let is_field =
        |place: &Place| matches!(place.projections.get(common), Some(Projection::Field(_)));
    a.root == b.root && a.projections[..common].iter().any(is_element) && is_field(a) && is_field(b)
}

/// Whether two places are in different payloads of one value.
fn are_beside(a: &Place, b: &Place) -> bool {
    let mut steps = a.projections.iter().zip(&b.projections);
    let parting = steps.find(|(step, other)| step != other);
    a.root == b.root
        && matches!(
            parting,
            Some((Projection::Field(field), Projection::Field(_))) if is_of_variant(field)
        )
}

/// The local references through which something may be written, and what they refer to.
fn mutable_views(body: &Body) -> impl Iterator<Item = (Var, &Place)> {
    body.vars.enumerated().filter_map(|(var, variable)| match &variable.binding {
        Binding::View(view) if view.mutable => Some((var, &view.place)),
        Binding::View(_)
        | Binding::Value
        | Binding::Shared
        | Binding::Exclusive
        | Binding::Global(_) => None,
    })
}

/// Whether something mentions a reference after another one was made.
fn is_used_after(body: &Body, view: Var, made: Var) -> bool {
    let (mut is_made, mut is_used) = (false, false);
    each_stmt(&body.block, &mut |stmt| {
        each_place(stmt, &mut |place| is_used |= is_made && place.root == view);
        if let StmtKind::Bind { view: bound } = stmt.kind
            && let Binding::View(target) = &body.vars[bound].binding
        {
            is_used |= is_made && target.through.is_some_and(|through| through.view == view);
            is_made |= bound == made;
        }
    });
    is_used
}

/// Whether something mentions an element while a reference beside it is there.
fn is_used_between(body: &Body, element: Var, beside: Var) -> bool {
    let (mut position, mut is_bound) = (0, false);
    let (mut first, mut last) = (None, None);
    each_stmt(&body.block, &mut |stmt| {
        position += 1;
        let mut mentioned = |root: Var| {
            if root == element && is_bound {
                first = first.or(Some(position));
            }
            if root == beside {
                last = Some(position);
            }
        };
        each_place(stmt, &mut |place| mentioned(place.root));
        if let StmtKind::Bind { view } = stmt.kind
            && let Binding::View(target) = &body.vars[view].binding
        {
            target.through.iter().for_each(|through| mentioned(through.view));
            is_bound |= view == beside;
        }
    });
    matches!((first, last), (Some(first), Some(last)) if first <= last)
}

/// The variables that have to be declared `mut`: all that are written, but those that are declared
/// without a value and assigned as a whole in one place, in the same turn.
pub(super) fn mutated_in(body: &Body) -> BitSet<Var> {
    let mut assigned: HashMap<Var, usize> = HashMap::new();
    let (mut mutated, mut initialised) = (BitSet::new(), BitSet::new());
    each_stmt(&body.block, &mut |stmt| {
        if !matches!(&stmt.kind, StmtKind::Let { value: None, .. }) {
            initialised.extend(declared_by(stmt));
        }
        for var in written_by(body, stmt) {
            *assigned.entry(var).or_default() += 1;
            let alone = matches!(&stmt.kind, StmtKind::Assign { place, .. } if place.is_whole());
            if !alone {
                mutated.insert(var);
            }
        }
        if let StmtKind::Bind { view } = stmt.kind
            && let Binding::View(target) = &body.vars[view].binding
            && target.mutable
        {
            mutated.insert(target.place.root);
        }
    });
    let again = |(var, count): &(Var, usize)| *count > 1 || initialised.contains(*var);
    mutated.extend(assigned.into_iter().filter(again).map(|(var, _)| var));
    assigned_again(&body.block, 0, &mut HashMap::new(), &mut mutated);
    mutated
}

/// The variables that statements write, those apart that declare them.
pub(super) fn written_in(body: &Body) -> BitSet<Var> {
    let mut written = BitSet::new();
    each_stmt(&body.block, &mut |stmt| written.extend(written_by(body, stmt)));
    written
}

/// The variables that get their value back in some instances only: rustc does not see that they are not read in the others, so that
/// nothing can be moved out of them. Nor out of those that are exchanged, which are looked at again.
pub(super) fn conditional_in(body: &Body) -> BitSet<Var> {
    let mut found = BitSet::new();
    each_stmt(&body.block, &mut |stmt| {
        if let StmtKind::Swap { a, b } = &stmt.kind {
            found.extend([a.root, b.root]);
        }
        if let StmtKind::If { test, then, otherwise } = &stmt.kind
            && matches!(test.kind, ExprKind::Guard(_))
        {
            for block in [then, otherwise] {
                each_stmt(block, &mut |inner| found.extend(written_by(body, inner)));
            }
        }
    });
    found
}

/// The variables that are declared without a value outside of a loop, and assigned inside of it. `declared` are the numbers of loops around the
/// declarations.
fn assigned_again(
    block: &Block,
    loops: usize,
    declared: &mut HashMap<Var, usize>,
    mutated: &mut BitSet<Var>,
) {
    for stmt in &block.stmts {
        if let StmtKind::Let { var, value: None } = &stmt.kind {
            declared.insert(*var, loops);
        }
        if let StmtKind::Assign { place, value: _ } = &stmt.kind
            && declared.get(&place.root).is_some_and(|outside| *outside < loops)
        {
            mutated.insert(place.root);
        }
        let loops = loops + usize::from(matches!(stmt.kind, StmtKind::Loop(_)));
        each_block(stmt, &mut |block| assigned_again(block, loops, declared, mutated));
    }
}
