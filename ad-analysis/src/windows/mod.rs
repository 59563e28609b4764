//! Windows: the parts of lists that a backward loop goes through, cut to length before it.
//!
//! In a loop over `a..b` the elements `x[c + i]` are those of the window `w = &x[c + a..c + b]`, and are read as `w[i - a]`. That such an
//! index is in bounds follows from the length of the window, which is that of the range: compilers leave out the test in each iteration, and
//! vectorise what is left. A window is cut only for elements that every iteration comes to, so that a window that does not fit stands
//! for an element that is not there. Only backward sweeps have windows: they come to elements that the forward sweep has come to, so that
//! nothing panics earlier than in the user's code.
//!
//! ```text
//! for i in a..b {                     let from = if a < b { c + a } else { 0 };
//!     x_b[c + i] += bar;              let to = if a < b { from + (b - a) } else { 0 };
//! }                                   let window = &mut x_b[from..to];
//!                                     for i in a..b {
//!                                         window[i - a] += bar;
//!                                     }
//! ```

mod carried;
mod offset;
mod uses;

use crate::index::{BitSet, Var};
use crate::ir::{
    Adaptor, BinaryOp, Binding, Block, Body, Expr, ExprKind, Loop, LoopKind, Op, Place, Projection,
    Range, Stmt, StmtKind, View, declared_within, each_block_mut, each_place_mut, each_stmt,
    exits_of_block, places_in, written_by,
};
use crate::types::Type;
use carried::{Carried, MOST};
use offset::{Invariants, Offset};
use proc_macro2::Span;
use std::collections::BTreeMap;
use std::rc::Rc;
use uses::{Element, Uses, uses_of};

/// Has the loops of a backward sweep go through windows.
pub fn cut_windows(body: &mut Body) {
    let mut viewed = BitSet::new();
    each_stmt(&body.block, &mut |stmt| {
        if let StmtKind::Bind { view } = stmt.kind
            && let Binding::View(view) = &body.vars[view].binding
        {
            viewed.insert(view.place.root);
        }
    });
    let outermost = body.new_block(Vec::new());
    let mut block = std::mem::replace(&mut body.block, outermost);
    in_block(body, &viewed, &mut block);
    body.block = block;
}

/// `viewed` are the lists that the function itself refers to.
fn in_block(body: &mut Body, viewed: &BitSet<Var>, block: &mut Block) {
    let stmts = std::mem::take(&mut block.stmts);
    for mut stmt in stmts {
        let mut around = None;
        if let StmtKind::Loop(inner) = &mut stmt.kind {
            around = in_loop(body, viewed, inner, stmt.span);
        }
        each_block_mut(&mut stmt, &mut |block| in_block(body, viewed, block));
        let Around { before, after } = around.unwrap_or_default();
        block.stmts.extend(before);
        block.stmts.push(stmt);
        block.stmts.extend(after);
    }
}

/// What stands around a loop that goes through windows.
#[derive(Default)]
struct Around {
    before: Vec<Stmt>,
    after: Vec<Stmt>,
}

/// Has a loop go through windows.
fn in_loop(body: &mut Body, viewed: &BitSet<Var>, inner: &mut Loop, span: Span) -> Option<Around> {
    let counted = Counted::of(body, inner)?;
    let declared = declared_within(&inner.body);
    let mut changed = declared.clone();
    changed.insert(counted.counter);
    each_stmt(&inner.body, &mut |stmt| changed.extend(written_by(body, stmt)));
    let invariants = Invariants { body, counter: counted.counter, changed: &changed };
    let Range { start, end, .. } = &counted.range;
    if !invariants.is_invariant(start) || !invariants.is_invariant(end) {
        return None;
    }
    let mut windows = Windows::default();
    for (list, uses) in uses_of(&invariants, inner)? {
        let is_outside = !declared.contains(list) && !counted.is_measured_by(list);
        if is_outside && !viewed.contains(list) && is_flat_list(body, list) {
            windows.add(list, &uses);
        }
    }
    Some(windows.cut(body, inner, &changed, &counted, span))
}

/// A loop over all of `a..b`, in either order.
struct Counted {
    counter: Var,
    range: Range,
}

impl Counted {
    fn of(body: &Body, inner: &Loop) -> Option<Self> {
        let LoopKind::Counted { var, range } = &inner.kind else { return None };
        let is_in_order = matches!(range.adaptors.as_slice(), [] | [Adaptor::Rev]);
        let is_whole =
            !range.inclusive && inner.trips.is_none() && exits_of_block(&inner.body).is_empty();
        // Where both ends are literals compilers see how many iterations there are, and unroll few.
        let is_short = range.start.as_literal().is_some() && range.end.as_literal().is_some();
        let is_plain = is_in_order && is_whole && !is_short && body.vars[*var].ty == Type::USIZE;
        is_plain.then(|| Self { counter: *var, range: range.clone() })
    }

    fn is_reversed(&self) -> bool {
        !self.range.adaptors.is_empty()
    }

    /// Whether the ends of the range mention a list: they are evaluated when its windows are there.
    fn is_measured_by(&self, list: Var) -> bool {
        let mut found = false;
        for end in self.range.operands() {
            places_in(end, &mut |place| found |= place.root == list);
        }
        found
    }

    /// Whether there is an iteration.
    fn is_run(&self) -> Expr {
        Expr::test(BinaryOp::Lt, self.range.start.clone(), self.range.end.clone())
    }

    /// How many iterations there are, if there are any.
    fn count(&self) -> Expr {
        since(self.range.end.clone(), &self.range.start)
    }

    /// The counter, from the start of the range on.
    fn position(&self, body: &Body) -> Expr {
        since(body.load(self.counter), &self.range.start)
    }
}

fn since(value: Expr, start: &Expr) -> Expr {
    match is_zero(start) {
        true => value,
        false => Expr::binary(BinaryOp::Sub, value, start.clone()),
    }
}

/// Whether it is a list of numbers.
fn is_flat_list(body: &Body, list: Var) -> bool {
    let is_flat = match &body.vars[list].ty {
        Type::Slice(element) | Type::Vec(element) => {
            element.is_discrete() || (element.is_float() && element.is_known())
        }
        Type::Float(_)
        | Type::Int(_)
        | Type::Bool
        | Type::Array(..)
        | Type::Tuple(_)
        | Type::Named(_)
        | Type::Unknown
        | Type::Infer(_) => false,
    };
    let is_own = match &body.vars[list].binding {
        Binding::Value | Binding::Shared | Binding::Exclusive => true,
        Binding::View(_) | Binding::Global(_) => false,
    };
    is_flat && is_own
}

/// A window to be cut.
struct Window {
    list: Var,
    mutable: bool,
    /// Whether elements are exchanged, or go to the stack or come from there.
    is_moved: bool,
    /// The index that is the smallest in each iteration, and its literal part.
    lowest: (Expr, i64),
    /// The literal part of the highest.
    highest: i64,
    /// Where it is cut.
    guards: Vec<Expr>,
}

/// Windows by their lists, and by what their indices have in common.
#[derive(Default)]
struct Windows {
    found: BTreeMap<(Var, Vec<String>), Window>,
}

impl Windows {
    /// Adds the windows of a list that is used so.
    fn add(&mut self, list: Var, uses: &Uses) {
        let mut classes: BTreeMap<&[String], Vec<&Element>> = BTreeMap::new();
        for element in &uses.elements {
            classes.entry(&element.offset.terms).or_default().push(element);
        }
        // A window through which elements are changed is the only way to the list.
        if uses.is_written && (uses.others || classes.len() > 1) {
            return;
        }
        for (terms, elements) in classes {
            let Some(window) = Window::of(list, uses, &elements) else { continue };
            let is_complete =
                elements.iter().all(|element| window.has(&element.offset, &element.guards));
            if is_complete || !uses.is_written {
                self.found.insert((list, terms.to_vec()), window);
            }
        }
    }

    /// Cuts the windows before a loop, and has the loop go through them.
    fn cut(
        self,
        body: &mut Body,
        inner: &mut Loop,
        changed: &BitSet<Var>,
        counted: &Counted,
        span: Span,
    ) -> Around {
        let (mut ends, mut binds, mut views) = (Ends::default(), Vec::new(), BTreeMap::new());
        for (key, window) in self.found {
            let view = window.cut(body, counted, &mut ends, span);
            binds.push(body.stmt(StmtKind::Bind { view }, span));
            let carried = window.carried(body, view, span);
            views.insert(key, Cut { view, window, carried });
        }
        let invariants = Invariants { body, counter: counted.counter, changed };
        Rewriting { invariants, counted, views: &views }.block(&mut inner.body, &mut Vec::new());
        let (mut before, mut after) = (ends.stmts, Vec::new());
        before.extend(binds);
        for carried in views.values().filter_map(|cut| cut.carried.as_ref()) {
            before.extend(carried.before(body, counted));
            inner.body.stmts.insert(0, carried.begin(body, counted));
            inner.body.stmts.extend(carried.end(body, counted));
            after.extend(carried.after(body, counted));
        }
        Around { before, after }
    }
}

/// A window that is cut.
struct Cut {
    view: Var,
    window: Window,
    /// What iterations hand on.
    carried: Option<Carried>,
}

impl Window {
    /// The window of a list that holds elements which every iteration comes to, where these are used the least conditionally.
    fn of(list: Var, uses: &Uses, elements: &[&Element]) -> Option<Self> {
        let certain = || elements.iter().filter(|element| element.is_certain);
        let guards = &certain().min_by_key(|element| element.guards.len())?.guards;
        let held = || certain().filter(|element| element.guards == *guards);
        let lowest = held().min_by_key(|element| element.offset.literal)?;
        let highest = held().map(|element| element.offset.literal).max()?;
        let lowest = (lowest.index.clone(), lowest.offset.literal);
        let (mutable, is_moved) = (uses.is_written, uses.is_moved);
        Some(Self { list, mutable, is_moved, lowest, highest, guards: narrowest(guards) })
    }

    /// Whether an element is in the window wherever it is used.
    fn has(&self, offset: &Offset, guards: &[Expr]) -> bool {
        let is_inside = (self.lowest.1..=self.highest).contains(&offset.literal);
        is_inside && self.guards.iter().all(|guard| guards.contains(guard))
    }

    /// The condition on the instance, if there is one.
    fn of_instance(&self) -> Option<Expr> {
        self.guards.iter().cloned().reduce(and)
    }

    /// The numbers that iterations hand on, if several of them change what is in the window.
    fn carried(&self, body: &mut Body, view: Var, span: Span) -> Option<Carried> {
        let list = &body.vars[self.list];
        let (name, element) = (list.name.clone(), list.ty.element()?.clone());
        let spread = self.highest - self.lowest.1;
        let is_handed_on = self.mutable && !self.is_moved && element.is_float();
        (is_handed_on && (1..=MOST).contains(&spread))
            .then(|| Carried::new(body, view, (&name, &element), spread, self.of_instance(), span))
    }

    /// The reference to the window. Where there are no iterations, or in other instances, it is empty.
    fn cut(&self, body: &mut Body, counted: &Counted, ends: &mut Ends, span: Span) -> Var {
        let Range { start, end, .. } = &counted.range;
        let (list, element) = {
            let list = &body.vars[self.list];
            (list.name.clone(), list.ty.element().expect("it is a list").clone())
        };
        let spread = self.highest - self.lowest.1;
        let of_instance = self.of_instance();
        let is_first =
            self.lowest.0.as_var() == Some(counted.counter) && is_zero(start) && spread == 0;
        let (start, end) = if is_first {
            // Without iterations it is empty by itself.
            let end = match of_instance {
                None if is_atom(end) => end.clone(),
                None => ends.kept(body, &format!("{list}_to"), end.clone(), span),
                Some(test) => {
                    ends.kept(body, &format!("{list}_to"), or_zero(test, end.clone()), span)
                }
            };
            (None, end)
        } else {
            let is_there = match of_instance {
                Some(test) => and(test, counted.is_run()),
                None => counted.is_run(),
            };
            let first = at(&self.lowest.0, counted.counter, start);
            let from = (!is_zero(&first)).then(|| {
                let first = or_zero(is_there.clone(), first);
                ends.kept(body, &format!("{list}_from"), first, span)
            });
            let last = match &from {
                Some(from) => Expr::binary(BinaryOp::Add, from.clone(), counted.count()),
                None => counted.count(),
            };
            let last = or_zero(is_there, plus(last, spread));
            let to = ends.kept(body, &format!("{list}_to"), last, span);
            (from, to)
        };
        let slice = Projection::Slice { start, end: Some(end) };
        let place = Place { root: self.list, projections: vec![slice] };
        let view = View { place, mutable: self.mutable, through: None };
        let hint = format!("{list}_window");
        body.variable(&hint, Type::slice(element), Binding::View(Rc::new(view)), span)
    }
}

/// Those of some guards that do not follow from others.
fn narrowest(guards: &[Expr]) -> Vec<Expr> {
    let follows = |position: usize| {
        guards.iter().enumerate().any(|(other, from)| {
            other != position
                && implies(from, &guards[position])
                && (other > position || !implies(&guards[position], from))
        })
    };
    let needed = (0..guards.len()).filter(|&position| !follows(position));
    needed.map(|position| guards[position].clone()).collect()
}

fn implies(guard: &Expr, other: &Expr) -> bool {
    let (ExprKind::Guard(guard), ExprKind::Guard(other)) = (&guard.kind, &other.kind) else {
        return false;
    };
    guard.primal.implies(&other.primal) && guard.bare.implies(&other.bare)
}

/// The ends of windows.
#[derive(Default)]
struct Ends {
    /// The declarations of variables for them.
    stmts: Vec<Stmt>,
    known: Vec<(Expr, Var)>,
}

impl Ends {
    /// A variable that has the value, and a name like `hint` if it is new.
    fn kept(&mut self, body: &mut Body, hint: &str, value: Expr, span: Span) -> Expr {
        let known = self.known.iter().find(|(known, _)| *known == value);
        let var = known.map(|(_, var)| *var).unwrap_or_else(|| {
            let var = body.local(hint, Type::USIZE, span);
            self.known.push((value.clone(), var));
            self.stmts.push(body.stmt(StmtKind::Let { var, value: Some(value) }, span));
            var
        });
        body.load(var)
    }
}

fn and(left: Expr, right: Expr) -> Expr {
    Expr::test(BinaryOp::And, left, right)
}

fn or(test: Expr, value: Expr, otherwise: Expr) -> Expr {
    let ty = value.ty.clone();
    Expr::op(Op::Select, vec![test, value, otherwise], ty)
}

fn or_zero(test: Expr, value: Expr) -> Expr {
    or(test, value, Expr::usize(0))
}

fn is_zero(expr: &Expr) -> bool {
    expr.as_literal().is_some_and(|text| text.trim_end_matches("usize") == "0")
}

fn is_atom(expr: &Expr) -> bool {
    expr.as_literal().is_some() || expr.as_var().is_some()
}

fn plus(expr: Expr, literal: i64) -> Expr {
    match usize::try_from(literal) {
        Ok(0) | Err(_) => expr,
        Ok(literal) => Expr::binary(BinaryOp::Add, expr, Expr::usize(literal)),
    }
}

/// An index in the first iteration.
fn at(index: &Expr, counter: Var, start: &Expr) -> Expr {
    if index.as_var() == Some(counter) {
        return start.clone();
    }
    let mut index = index.clone();
    if let ExprKind::Op(op, args) = &mut index.kind {
        args.iter_mut().for_each(|arg| *arg = at(arg, counter, start));
        let is_sum = matches!(op, Op::Binary(BinaryOp::Add));
        let is_difference = matches!(op, Op::Binary(BinaryOp::Sub));
        if is_sum && is_zero(&args[0]) {
            return args.swap_remove(1);
        }
        if (is_sum || is_difference) && is_zero(&args[1]) {
            return args.swap_remove(0);
        }
    }
    index
}

/// Has a loop go through windows.
struct Rewriting<'a> {
    invariants: Invariants<'a>,
    counted: &'a Counted,
    views: &'a BTreeMap<(Var, Vec<String>), Cut>,
}

impl Rewriting<'_> {
    fn block(&self, block: &mut Block, guards: &mut Vec<Expr>) {
        for stmt in &mut block.stmts {
            each_place_mut(stmt, &mut |place| self.place(place, guards));
            if let StmtKind::If { test, then, otherwise } = &mut stmt.kind
                && let ExprKind::Guard(_) = test.kind
            {
                guards.push(test.clone());
                self.block(then, guards);
                guards.pop();
                self.block(otherwise, guards);
            } else {
                each_block_mut(stmt, &mut |block| self.block(block, guards));
            }
        }
    }

    fn place(&self, place: &mut Place, guards: &[Expr]) {
        let Some(Projection::Index(index)) = place.projections.first_mut() else { return };
        let Some(offset) = self.invariants.offset(index) else { return };
        let Some(cut) = self.views.get(&(place.root, offset.terms.clone())) else { return };
        if !cut.window.has(&offset, guards) {
            return;
        }
        let position = offset.literal - cut.window.lowest.1;
        if let Some(carried) = &cut.carried {
            *place = Place::var(carried.numbers[position as usize]);
            return;
        }
        *index = plus(self.counted.position(self.invariants.body), position);
        place.root = cut.view;
    }
}
