//! The adjoint of an assignment.
//!
//! For `lhs = e` the bar of `lhs` is saved, reset, and then added to the bars of the floats in `e`,
//! times the partials: `let t = a_b[i]; a_b[i] = 0; a_b[j] += 2 * t` is right also when `i == j`. The
//! save is left out where `lhs` does not occur in `e`, and the reset where `e` is `lhs + rest`.

use super::backward::Backward;
use super::values::zero_bar;
use crate::analyses::Side;
use crate::index::{Point, Var, Zone};
use crate::ir::{
    BinaryOp, Condition, Expr, ExprKind, Guard, Op, Place, Projection, Stmt, StmtKind, UnaryOp,
    given_partials,
};
use crate::rules;
use crate::types::Type;
use proc_macro2::Span;

/// An assignment whose adjoint is being built.
pub(super) struct Assignment<'a> {
    /// The assigned place as the primal spells it, with views resolved.
    place: &'a Place,
    pub(super) point: Point,
    pub(super) span: Span,
    /// The zones it writes.
    written: Vec<Zone>,
    /// Whether partials may read the result from the assigned variable.
    result: bool,
    /// Whether the expression at hand may be infinite or NaN where the function is not.
    lost: bool,
    /// When the statements under construction run.
    context: Condition,
    pub(super) out: Vec<Stmt>,
}

/// The bar of a node of the expression tree.
#[derive(Clone)]
pub(super) enum Bar {
    /// A place that holds it.
    Place(Place),
    /// A scalar expression that is it.
    Value(Expr),
}

impl Backward<'_> {
    /// The adjoint of `place = value`; the place is resolved.
    pub(super) fn reverse_assign(&mut self, stmt: &Stmt, place: &Place, value: &Expr) -> Vec<Stmt> {
        let point = self.facts.graph.at(stmt.id);
        let effects = &self.facts.graph.info(point).effects;
        let mut any = Condition::never(self.primal.pairs());
        for flow in &effects.flows {
            any.join(&self.facts.activity.condition(point, flow));
        }
        let reset = self.facts.activity.reset_condition(point, effects);
        let Some(bar) = self.read_indices_of_bar(place, point) else { return Vec::new() };
        if any.is_never() && reset.is_never() {
            return Vec::new();
        }
        let mut assignment = Assignment {
            place,
            point,
            span: stmt.span,
            written: effects.writes.clone(),
            result: place.is_whole() && !mentions(self, value, place.root),
            lost: self.facts.lost.is_lost(point, &self.facts.zones.of_place(place)),
            context: any.clone(),
            out: Vec::new(),
        };
        let mut out = Vec::new();
        match self.shape(place, value) {
            Shape::Fresh => {
                self.visit(&mut assignment, value, Bar::Place(bar.clone()), true);
                out.extend(self.guarded(Guard::both(any), assignment.out));
                let resets = self.reset(place, &bar, point, stmt.span);
                out.extend(self.guarded(Guard::both(reset), resets));
            }
            Shape::Update { rest, negative, aliases } => {
                let source =
                    if aliases { self.put_aside(&bar, &mut assignment) } else { Bar::Place(bar) };
                let source = if negative { self.negated(source) } else { source };
                self.visit(&mut assignment, rest, source, false);
                out.extend(self.guarded(Guard::both(any), assignment.out));
            }
            Shape::Alias => {
                let saved = self.put_aside(&bar, &mut assignment);
                let put_aside = std::mem::take(&mut assignment.out);
                let mut both = any.clone();
                both.join(&reset);
                let resets = self.reset(place, &bar, point, stmt.span);
                let mut inner = put_aside;
                inner.extend(self.guarded_within(&both, Guard::both(reset), resets));
                assignment.context = both.clone();
                self.visit(&mut assignment, value, saved, true);
                inner.extend(assignment.out);
                out.extend(self.guarded(Guard::both(both), inner));
            }
        }
        out
    }

    /// Adds the bars of elements that a list gets to the bars of what they are computed from.
    pub(super) fn reverse_items(
        &mut self,
        stmt: &Stmt,
        list: &Place,
        items: &Expr,
        bar: Place,
    ) -> Vec<Stmt> {
        let point = self.facts.graph.at(stmt.id);
        let effects = &self.facts.graph.info(point).effects;
        let mut any = Condition::never(self.primal.pairs());
        for flow in &effects.flows {
            any.join(&self.facts.activity.condition(point, flow));
        }
        let mut assignment = Assignment {
            place: list,
            point,
            span: stmt.span,
            written: effects.writes.clone(),
            result: false,
            lost: true,
            context: any.clone(),
            out: Vec::new(),
        };
        self.visit(&mut assignment, items, Bar::Place(bar), true);
        self.guarded(Guard::both(any), assignment.out)
    }

    /// Guards statements inside of something guarded by `outer` already.
    fn guarded_within(&mut self, outer: &Condition, guard: Guard, stmts: Vec<Stmt>) -> Vec<Stmt> {
        if guard == Guard::both(outer.clone()) { stmts } else { self.guarded(guard, stmts) }
    }

    fn read_indices_of_bar(&mut self, place: &Place, point: Point) -> Option<Place> {
        let place = self.read_indices(place, point, Side::Before);
        self.bar_place(&place)
    }

    /// Zeroes the bar of what the assignment overwrites: the bar of the value before.
    pub(super) fn reset(
        &mut self,
        place: &Place,
        bar: &Place,
        point: Point,
        span: Span,
    ) -> Vec<Stmt> {
        let stmt = self.facts.graph.info(point).stmt;
        let shape = match place.is_whole() {
            true => self.reified.shapes.get(&place.root).copied(),
            false => stmt.and_then(|stmt| self.reified.part_shapes.get(&stmt).copied()),
        };
        let kind = match shape {
            Some(shape) => {
                let shape = self.read(&self.primal.load(shape), point, Side::Before);
                let value = zero_bar(&self.primal.place_type(place), Some(shape));
                StmtKind::Assign { place: bar.clone(), value }
            }
            None => StmtKind::Reset { place: bar.clone() },
        };
        vec![self.emit(kind, span)]
    }

    /// Copies the bar of the assigned place to a variable.
    fn put_aside(&mut self, bar: &Place, assignment: &mut Assignment<'_>) -> Bar {
        let ty = self.out.place_type(bar);
        let load = Expr::load(bar.clone(), ty.clone(), assignment.span);
        let value = if ty.is_copy() { load } else { Expr::op(Op::Clone, vec![load], ty.clone()) };
        let name = format!("{}_old", self.out.vars[bar.root].name);
        let saved = self.bar_variable(&name, ty, assignment.span);
        let kind = StmtKind::Let { var: saved, value: Some(value) };
        assignment.out.push(self.emit(kind, assignment.span));
        Bar::Place(Place::var(saved))
    }

    fn negated(&self, bar: Bar) -> Bar {
        let value = self.value_of(&bar);
        let ty = value.ty.clone();
        Bar::Value(Expr::op(Op::Unary(UnaryOp::Neg), vec![value], ty))
    }

    pub(super) fn value_of(&self, bar: &Bar) -> Expr {
        match bar {
            Bar::Place(place) => {
                Expr::load(place.clone(), self.out.place_type(place), Span::call_site())
            }
            Bar::Value(value) => value.clone(),
        }
    }

    /// Adds the bar of a node to the bars of the floats it is computed from. What that takes runs only
    /// where one of them is active: elsewhere the values it reads may not be there.
    pub(super) fn visit(&mut self, at: &mut Assignment<'_>, expr: &Expr, bar: Bar, is_root: bool) {
        self.where_active(at, expr, |this, at| match &expr.kind {
            ExprKind::Load(place) => this.increment(at, place, &bar),
            ExprKind::Op(op, args) => this.visit_operation(at, expr, op, args, bar, is_root),
            ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {}
        });
    }

    /// Does something for an operand, in a condition that holds where it is active.
    pub(super) fn where_active<'p>(
        &mut self,
        at: &mut Assignment<'p>,
        expr: &Expr,
        run: impl FnOnce(&mut Self, &mut Assignment<'p>),
    ) {
        let condition = self.activity_of(at, expr);
        if condition.is_never() {
            return;
        }
        let outer = std::mem::replace(&mut at.context, condition.clone());
        let before = std::mem::take(&mut at.out);
        run(self, at);
        let inner = std::mem::replace(&mut at.out, before);
        let inner = self.guarded_within(&outer, Guard::both(condition), inner);
        at.out.extend(inner);
        at.context = outer;
    }

    fn increment(&mut self, at: &mut Assignment<'_>, place: &Place, bar: &Bar) {
        let place = self.primal.resolve(place);
        let place = self.read_indices(&place, at.point, Side::Before);
        let Some(mut target) = self.bar_place(&place) else { return };
        let mut value = self.value_of(bar);
        // An array and its copy in a `Vec` add up as slices.
        let kinds = (self.out.place_type(&target), &value.ty);
        if let ((Type::Array(..), Type::Vec(_) | Type::Slice(_)), Bar::Place(source)) = (kinds, bar)
        {
            let all = || Projection::Slice { start: None, end: None };
            target = target.then(all());
            value = self.value_of(&Bar::Place(source.then(all())));
        }
        at.out.push(self.emit(StmtKind::Increment { place: target, value }, at.span));
    }

    fn visit_operation(
        &mut self,
        at: &mut Assignment<'_>,
        expr: &Expr,
        op: &Op,
        args: &[Expr],
        bar: Bar,
        is_root: bool,
    ) {
        match op {
            Op::Array | Op::Vec => {
                let Bar::Place(bar) = bar else { unreachable!("aggregates have places") };
                for (position, arg) in args.iter().enumerate() {
                    let element = element_of(&bar, position);
                    self.visit(at, arg, Bar::Place(element), false);
                }
            }
            Op::Tuple => {
                let Bar::Place(bar) = bar else { unreachable!("aggregates have places") };
                for (position, arg) in args.iter().enumerate() {
                    self.visit(at, arg, Bar::Place(bar.field(position)), false);
                }
            }
            Op::Boxed => {
                let Bar::Place(bar) = bar else { unreachable!("aggregates have places") };
                self.visit(at, &args[0], Bar::Place(bar.then(Projection::Boxed)), false);
            }
            Op::Struct(_, fields) => {
                let Bar::Place(bar) = bar else { unreachable!("aggregates have places") };
                for (field, arg) in fields.iter().zip(args) {
                    let part = bar.then(Projection::Field(field.clone()));
                    self.visit(at, arg, Bar::Place(part), false);
                }
                if let Some(base) = args.get(fields.len()) {
                    self.visit(at, base, Bar::Place(bar), false);
                }
            }
            Op::Repeat(_) | Op::VecRepeat => {
                let Bar::Place(bar) = bar else { unreachable!("aggregates have places") };
                self.visit_repeated(at, &args[0], &bar);
            }
            Op::ToVec
            | Op::Clone
            | Op::Real
            | Op::Number
            | Op::Direction
            | Op::Tested(_)
            | Op::Unclear(_) => {
                self.visit(at, &args[0], bar, false);
            }
            Op::Traced(_) | Op::TracedStrong => unreachable!("only tangents are traced"),
            Op::Given => {
                self.visit(at, &args[0], bar.clone(), false);
                for (partial, arg) in given_partials(args) {
                    self.visit_given(at, partial, arg, &bar);
                }
            }
            Op::Cast => self.visit_cast(at, &args[0], &bar),
            Op::Called(called) if called.is_conversion() => self.visit_cast(at, &args[0], &bar),
            Op::Select => {
                let test = self.operand(at, &args[0]);
                let outer = std::mem::replace(&mut at.lost, true);
                for (position, arg) in args[1..].iter().enumerate() {
                    let (bar, zero) = (self.value_of(&bar), Expr::zero(expr.ty.clone()));
                    let args = if position == 0 {
                        vec![test.clone(), bar, zero]
                    } else {
                        vec![test.clone(), zero, bar]
                    };
                    let selected = Expr::op(Op::Select, args, expr.ty.clone());
                    self.visit(at, arg, Bar::Value(selected), false);
                }
                at.lost = outer;
            }
            Op::Unary(_)
            | Op::Binary(_)
            | Op::Method(_)
            | Op::Standard(_)
            | Op::Called(_)
            | Op::Decided(_)
            | Op::Strong => {
                self.visit_elementary(at, expr, op, args, bar, is_root);
            }
            Op::FromBits
            | Op::Spacing
            | Op::Len
            | Op::Shape
            | Op::ZeroBar
            | Op::ZeroTangent
            | Op::Placeholder => {}
        }
    }

    /// The operand of a conversion, whose derivative is 1.
    fn visit_cast(&mut self, at: &mut Assignment<'_>, operand: &Expr, bar: &Bar) {
        let cast = Expr::op(Op::Cast, vec![self.value_of(bar)], operand.ty.clone());
        self.visit(at, operand, Bar::Value(cast), false);
    }

    fn visit_elementary(
        &mut self,
        at: &mut Assignment<'_>,
        expr: &Expr,
        op: &Op,
        args: &[Expr],
        bar: Bar,
        is_root: bool,
    ) {
        let Some(rule) = rules::rule_of(op) else { return };
        let active: Vec<bool> = args.iter().map(|arg| self.leaves(at, arg) > 0).collect();
        let uses = active.iter().filter(|&&active| active).count();
        if uses == 0 {
            return;
        }
        let operands: Vec<Expr> = args.iter().map(|arg| self.operand(at, arg)).collect();
        let result = if is_root && at.result {
            let result = Expr::load(at.place.clone(), expr.ty.clone(), at.span);
            self.read(&result, at.point, Side::After)
        } else {
            Expr { kind: ExprKind::Op(op.clone(), operands.clone()), ..expr.clone() }
        };
        let mut bar = self.value_of(&bar);
        let outer = at.lost;
        let factors = (args.iter().enumerate()).filter_map(|(position, arg)| {
            let partial = rule.partial(position).filter(|_| active[position])?;
            let factor = rule.instantiate(partial, &operands, &result);
            let is_tested = rule.is_tested(partial, args, &factor, outer);
            Some((position, arg, factor, is_tested))
        });
        let factors: Vec<_> = factors.collect();
        let tests = factors.iter().any(|&(.., is_tested)| is_tested);
        if (uses > 1 || tests) && !is_simple(&bar) {
            bar = self.name(at, "bar", bar);
        }
        for (position, arg, factor, is_tested) in factors {
            let mut product = Expr::weighted(&bar, &factor);
            if is_tested && product != bar {
                product = Expr::strongly(&bar, product);
            }
            at.lost = outer || rule.may_lose(position, args);
            let is_shared = self.leaves(at, arg) > 1 && !is_simple(&product);
            self.where_active(at, arg, |this, at| {
                if is_shared {
                    product = this.name(at, "bar", product);
                }
                this.visit(at, arg, Bar::Value(product), false);
            });
        }
        at.lost = outer;
    }

    /// A bar under a name.
    fn name(&mut self, at: &mut Assignment<'_>, hint: &str, value: Expr) -> Expr {
        let var = self.bar_variable(hint, value.ty.clone(), at.span);
        at.out.push(self.emit(StmtKind::Let { var, value: Some(value) }, at.span));
        self.out.load(var)
    }

    /// An operand as the backward sweep evaluates it.
    pub(super) fn operand(&mut self, at: &Assignment<'_>, expr: &Expr) -> Expr {
        let value = self.read(expr, at.point, Side::Before);
        match self.own_value(at.point) {
            Some(own) => {
                let place = self.read_indices(at.place, at.point, Side::Before);
                replace(value, &place, own)
            }
            None => value,
        }
    }

    /// When any of the floats an expression is computed from is active.
    fn activity_of(&self, at: &Assignment<'_>, expr: &Expr) -> Condition {
        let mut any = Condition::never(self.primal.pairs());
        self.each_leaf(at, expr, &mut |condition| {
            any.join(&condition);
        });
        any
    }

    /// How many active floats an expression is computed from.
    fn leaves(&self, at: &Assignment<'_>, expr: &Expr) -> usize {
        let mut count = 0;
        self.each_leaf(at, expr, &mut |_| count += 1);
        count
    }

    /// Visits the conditions under which the floats an expression is computed from are active.
    fn each_leaf(&self, at: &Assignment<'_>, expr: &Expr, visit: &mut dyn FnMut(Condition)) {
        if !expr.ty.may_carry_floats() {
            return;
        }
        match &expr.kind {
            ExprKind::Load(place) => {
                let place = self.primal.resolve(place);
                let zones = self.facts.zones.of_place(&place);
                let condition = self.facts.activity.between(at.point, &zones, &at.written);
                if !condition.is_never() && self.bars[place.root].is_some() {
                    visit(condition);
                }
            }
            ExprKind::Op(Op::Len | Op::Shape, _)
            | ExprKind::Literal(_)
            | ExprKind::Opaque(_)
            | ExprKind::Guard(_) => {}
            ExprKind::Op(Op::Given, args) => {
                self.each_leaf(at, &args[0], visit);
                given_partials(args).for_each(|(_, arg)| self.each_leaf(at, arg, visit));
            }
            ExprKind::Op(op, args) => {
                let rule = rules::rule_of(op);
                for (position, arg) in args.iter().enumerate() {
                    if rule.is_none_or(|rule| rule.partial(position).is_some()) {
                        self.each_leaf(at, arg, visit);
                    }
                }
            }
        }
    }

    /// How the assigned place occurs in the value.
    fn shape<'e>(&self, place: &Place, value: &'e Expr) -> Shape<'e> {
        if !mentions(self, value, place.root) {
            return Shape::Fresh;
        }
        let is_place = |expr: &Expr| {
            let read = expr.without_direction().as_place();
            read.is_some_and(|read| self.primal.resolve(read) == *place)
        };
        if let ExprKind::Op(Op::Binary(op), args) = &value.kind {
            let rest = match op {
                BinaryOp::Add if is_place(&args[0]) => Some((&args[1], false)),
                BinaryOp::Add if is_place(&args[1]) => Some((&args[0], false)),
                BinaryOp::Sub if is_place(&args[0]) => Some((&args[1], true)),
                _ => None,
            };
            if let Some((rest, negative)) = rest {
                let aliases = mentions(self, rest, place.root);
                return Shape::Update { rest, negative, aliases };
            }
        }
        Shape::Alias
    }
}

/// How an assigned place occurs in the assigned value.
enum Shape<'e> {
    /// Not at all.
    Fresh,
    /// The value is the place plus (or minus) a rest, in which other parts of the variable may occur.
    Update { rest: &'e Expr, negative: bool, aliases: bool },
    /// Some other way.
    Alias,
}

/// An element of a list; that of the rest of a list is an element of the list.
fn element_of(list: &Place, position: usize) -> Place {
    let Some((Projection::Slice { start: Some(start), end: None }, steps)) =
        list.projections.split_last()
    else {
        return list.index(Expr::usize(position));
    };
    let index = match position {
        0 => start.clone(),
        position => Expr::binary(BinaryOp::Add, start.clone(), Expr::usize(position)),
    };
    Place { root: list.root, projections: steps.to_vec() }.index(index)
}

/// Whether an expression reads a variable, through whatever reference.
fn mentions(builder: &Backward<'_>, expr: &Expr, root: Var) -> bool {
    let mut found = false;
    crate::ir::places_in(expr, &mut |place| {
        found |= builder.primal.root_of(place) == root;
    });
    found
}

/// Whether an expression may be repeated for nothing.
fn is_simple(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Load(place) => !place.is_computed(),
        ExprKind::Op(Op::Unary(UnaryOp::Neg), args) => is_simple(&args[0]),
        ExprKind::Op(..) | ExprKind::Opaque(_) | ExprKind::Guard(_) => false,
    }
}

/// Reads a variable instead of a place.
fn replace(expr: Expr, place: &Place, var: Var) -> Expr {
    let Expr { kind, ty, span } = expr;
    let kind = match kind {
        ExprKind::Load(read) if read == *place => ExprKind::Load(Place::var(var)),
        ExprKind::Op(op, args) => {
            ExprKind::Op(op, args.into_iter().map(|arg| replace(arg, place, var)).collect())
        }
        kind @ (ExprKind::Load(_)
        | ExprKind::Literal(_)
        | ExprKind::Opaque(_)
        | ExprKind::Guard(_)) => kind,
    };
    Expr { kind, ty, span }
}
