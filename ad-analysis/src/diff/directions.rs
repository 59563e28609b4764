//! What the tangent of an expression is made of: directions, weighted with partials.

use super::no_tangent::NoTangent;
use super::tangent::Builder;
use crate::analyses::{Activity, Facts};
use crate::index::{IndexVec, Var, Zone};
use crate::ir::{
    BinaryOp, Binding, Body, Condition, Expr, ExprKind, Loop, LoopKind, Op, Place, Range, Stmt,
    StmtKind, Target, UnaryOp, each_stmt, given_partials, places_in,
};
use crate::rules;
use crate::types::Type;

/// When a derivative passes through each variable, anywhere.
pub(super) fn activity_of_vars(
    body: &Body,
    facts: &Facts,
    activity: &Activity,
) -> IndexVec<Var, Condition> {
    let mut active = IndexVec::filled(Condition::never(body.pairs()), body.vars.len());
    for (position, &var) in body.independents.iter().enumerate() {
        let columns = body.dependents.len();
        active[var].pairs.extend((0..columns).map(|column| position * columns + column));
    }
    for (column, &var) in body.dependents.iter().enumerate() {
        let rows = 0..body.independents.len();
        active[var].pairs.extend(rows.map(|row| row * body.dependents.len() + column));
    }
    let mut join = |zone: Zone, condition: Condition| {
        if facts.zones.may_carry_floats(zone) {
            active[facts.zones.var(zone)].join(&condition);
        }
    };
    for &point in facts.graph.order() {
        for flow in &facts.graph.info(point).effects.flows {
            if flow.refusal.is_some() {
                continue;
            }
            for &zone in &flow.from {
                join(zone, activity.between(point, &[zone], &flow.to));
            }
            for &zone in &flow.to {
                join(zone, activity.between(point, &flow.from, &[zone]));
            }
        }
    }
    // What changes places has tangents together.
    let mut pairs = Vec::new();
    each_stmt(&body.block, &mut |stmt| {
        if let StmtKind::Swap { a, b } = &stmt.kind {
            pairs.push((body.root_of(a), body.root_of(b)));
        }
    });
    let mut grew = true;
    while grew {
        grew = false;
        for &(a, b) in &pairs {
            let mut either = active[a].clone();
            either.join(&active[b]);
            grew |= active[a].join(&either);
            grew |= active[b].join(&either);
        }
    }
    for var in body.vars.indices() {
        active[var] = widened(body, var, &active[var]);
    }
    active
}

/// Conditions are many words in the generated code. They do not look at what is a dependent, and where a zero costs nothing there is
/// none: of numbers, and of what a `&mut` refers to, which has one in any case.
fn widened(body: &Body, var: Var, condition: &Condition) -> Condition {
    let variable = &body.vars[var];
    let has_zero =
        !variable.ty.has_dynamic_shape() || matches!(variable.binding, Binding::Exclusive);
    match has_zero && !condition.is_never() {
        true => Condition::always(body.pairs()),
        false => condition.of_independents(body.dependents.len()),
    }
}

impl Builder<'_> {
    /// When any derivative passes through an expression.
    pub(super) fn activity_of(&mut self, expr: &Expr) -> Condition {
        let mut places = Vec::new();
        places_in(expr, &mut |place| places.push(place.clone()));
        let mut condition = Condition::never(self.primal.pairs());
        for place in places {
            if let Some((_, own)) = self.tangent_of(&place) {
                condition.join(&own);
            }
        }
        condition
    }

    /// The tangent of an expression, in instances in which a condition holds. `result` is where its value is, if the
    /// statement has run.
    pub(super) fn derivative(
        &mut self,
        expr: &Expr,
        condition: &Condition,
        result: Option<&Expr>,
    ) -> Expr {
        if !expr.ty.may_carry_floats() {
            return match expr.ty.is_copy() || expr.as_place().is_none() {
                true => expr.clone(),
                false => Expr::op(Op::Clone, vec![expr.clone()], expr.ty.clone()),
            };
        }
        match &expr.kind {
            ExprKind::Load(place) => match self.tangent_of(place) {
                Some((tangent, own)) => {
                    let load = Expr { kind: ExprKind::Load(tangent), ..expr.clone() };
                    if condition.implies(&own) {
                        return load;
                    }
                    let zero = self.zero_like(expr);
                    Self::where_active(&own, load, zero)
                }
                None => self.zero_like(expr),
            },
            ExprKind::Op(op, args) => self.of_operation(expr, op, args, condition, result),
            ExprKind::Literal(_) | ExprKind::Guard(_) | ExprKind::Opaque(_) => self.zero_like(expr),
        }
    }

    fn of_operation(
        &mut self,
        expr: &Expr,
        op: &Op,
        args: &[Expr],
        condition: &Condition,
        result: Option<&Expr>,
    ) -> Expr {
        let same = |args| Expr { kind: ExprKind::Op(op.clone(), args), ..expr.clone() };
        match op {
            Op::Array
            | Op::Vec
            | Op::Tuple
            | Op::Boxed
            | Op::Struct(..)
            | Op::Real
            | Op::Number
            | Op::Direction => {
                same(args.iter().map(|arg| self.derivative(arg, condition, None)).collect())
            }
            // Of lists there may be references only.
            Op::ToVec | Op::Clone => {
                let own = self.activity_of(&args[0]);
                if own.is_never() {
                    return self.zero_like(expr);
                }
                let copy = same(vec![self.derivative(&args[0], &own, None)]);
                if condition.implies(&own) {
                    return copy;
                }
                let zero = self.zero_like(expr);
                Self::where_active(&own, copy, zero)
            }
            Op::Cast if args[0].ty.is_float() => {
                same(vec![self.derivative(&args[0], condition, None)])
            }
            Op::Cast => {
                let may_be_float = args[0].ty.may_carry_floats();
                if may_be_float && !self.activity_of(&args[0]).is_never() {
                    self.refuse(NoTangent::UnknownCast);
                }
                Expr::zero(expr.ty.clone())
            }
            Op::Called(called) if called.is_conversion() => match args[0].ty.is_float() {
                true => {
                    let direction = self.derivative(&args[0], condition, None);
                    Expr::op(Op::Cast, vec![direction], expr.ty.clone())
                }
                false => Expr::zero(expr.ty.clone()),
            },
            Op::Traced(_) | Op::TracedStrong => unreachable!("only tangents are traced"),
            Op::Tested(_) => self.derivative(&args[0], condition, result),
            Op::Repeat(_) => same(vec![self.derivative(&args[0], condition, None)]),
            Op::VecRepeat => {
                same(vec![self.derivative(&args[0], condition, None), args[1].clone()])
            }
            Op::Select => {
                let before = std::mem::replace(&mut self.in_choice, true);
                let outer = std::mem::replace(&mut self.lost, true);
                let branches: Vec<Expr> =
                    args[1..].iter().map(|arg| self.derivative(arg, condition, None)).collect();
                self.in_choice = before;
                self.lost = outer;
                same([args[0].clone()].into_iter().chain(branches).collect())
            }
            Op::Unary(_)
            | Op::Binary(_)
            | Op::Method(_)
            | Op::Standard(_)
            | Op::Called(_)
            | Op::Decided(_)
            | Op::Strong => self.elementary(expr, op, args, condition, result.unwrap_or(expr)),
            Op::Given => self.given(args, condition),
            Op::Unclear(_) => self.derivative(&args[0], condition, result),
            Op::FromBits | Op::Spacing => Expr::zero(expr.ty.clone()),
            Op::Len | Op::Shape | Op::ZeroBar | Op::ZeroTangent | Op::Placeholder => expr.clone(),
        }
    }

    /// The tangent of a value whose partials the user gives.
    fn given(&mut self, args: &[Expr], condition: &Condition) -> Expr {
        let mut sum = self.derivative(&args[0], condition, None);
        let pairs: Vec<_> = given_partials(args).collect();
        for (partial, arg) in pairs {
            let own = self.activity_of(arg);
            if own.is_never() {
                continue;
            }
            let term = match arg.ty.element() {
                None => {
                    let direction = self.named_direction(arg, &own, condition);
                    self.weighted(direction, partial.clone())
                }
                Some(element) => {
                    let element = element.clone();
                    let direction = self.derivative(arg, &own, None);
                    let (total, stmts) = given_loop(self, &direction, partial, arg, element);
                    let [declare, repetition] = stmts;
                    self.aside.push(declare);
                    let repetition = match condition.implies(&own) {
                        true => vec![repetition],
                        false => self.guarded(&own, vec![repetition]),
                    };
                    self.aside.extend(repetition);
                    total
                }
            };
            sum = Expr::binary(BinaryOp::Add, sum, term);
        }
        sum
    }

    /// The tangent of an elementary operation with that result.
    pub(super) fn elementary(
        &mut self,
        expr: &Expr,
        op: &Op,
        args: &[Expr],
        condition: &Condition,
        result: &Expr,
    ) -> Expr {
        let zero = Expr::zero(expr.ty.clone());
        let Some(rule) = rules::rule_of(op) else { return zero };
        let mut sum: Option<Expr> = None;
        for (position, arg) in args.iter().enumerate() {
            let Some(partial) = rule.partial(position) else { continue };
            let own = self.activity_of(arg);
            if own.is_never() {
                continue;
            }
            let factor = rule.instantiate(partial, args, result);
            let is_tested = rule.is_tested(partial, args, &factor, self.lost);
            let outer = self.lost;
            self.lost |= rule.may_lose(position, args);
            let term = if is_tested {
                let direction = self.named_direction(arg, &own, condition);
                self.weighted(direction, factor)
            } else {
                let (direction, within) = self.direction(arg, &own, condition);
                Self::where_active(&within, Expr::weighted(&direction, &factor), zero.clone())
            };
            self.lost = outer;
            if term.as_float() == Some(0.0) {
                continue;
            }
            sum = Some(match (sum, &term.kind) {
                (None, _) => term,
                (Some(sum), ExprKind::Op(Op::Unary(UnaryOp::Neg), inner)) => {
                    Expr::binary(BinaryOp::Sub, sum, inner[0].clone())
                }
                (Some(sum), _) => Expr::binary(BinaryOp::Add, sum, term),
            });
        }
        sum.unwrap_or(zero)
    }

    /// The derivative of an operand that depends on an independent where `own` holds, and the condition under which
    /// it may be evaluated.
    fn direction(
        &mut self,
        arg: &Expr,
        own: &Condition,
        condition: &Condition,
    ) -> (Expr, Condition) {
        let always = Condition::always(own.pairs.len());
        if condition.implies(own) {
            return (self.derivative(arg, condition, None), always);
        }
        let before = self.aside.len();
        let direction = self.derivative(arg, own, None);
        if self.aside.len() == before {
            return (direction, own.clone());
        }
        // What was put aside is evaluated in other instances, too.
        self.aside.truncate(before);
        (self.derivative(arg, condition, None), always)
    }

    /// A direction that is read twice: under a name, unless it is evaluated only if a choice falls on it.
    pub(super) fn named_direction(
        &mut self,
        arg: &Expr,
        own: &Condition,
        condition: &Condition,
    ) -> Expr {
        let (direction, within) = self.direction(arg, own, condition);
        let direction = Self::where_active(&within, direction, Expr::zero(arg.ty.clone()));
        match direction.as_var().is_some() || self.in_choice {
            true => direction,
            false => self.name("d", direction),
        }
    }

    /// What a direction contributes, weighted with a partial that may be infinite.
    pub(super) fn weighted(&mut self, direction: Expr, partial: Expr) -> Expr {
        let ty = direction.ty.clone();
        let op = if self.follow.is_search() { Op::TracedStrong } else { Op::Strong };
        Expr::op(op, vec![direction, partial], ty)
    }
}

/// The sum of the directions of a list, weighted with the partials that the user gives: the declaration of the sum, and
/// the loop that adds.
pub(super) fn given_loop(
    builder: &mut Builder<'_>,
    directions: &Expr,
    partials: &Expr,
    list: &Expr,
    element: Type,
) -> (Expr, [Stmt; 2]) {
    let (Some(directions), Some(partials)) =
        (directions.as_place().cloned(), partials.as_place().cloned())
    else {
        unreachable!("a parameter and the list of its partials")
    };
    let span = list.span;
    let total = builder.out.local("sum", element.clone(), span);
    let zero = Some(Expr::zero(element.clone()));
    let declare = builder.out.stmt(StmtKind::Let { var: total, value: zero }, span);
    let var = builder.out.local("k", Type::USIZE, span);
    let index = builder.out.load(var);
    let load = |place: &Place, index: Expr| Expr::load(place.index(index), element.clone(), span);
    let value = builder.weighted(load(&directions, index.clone()), load(&partials, index));
    let add = StmtKind::Increment { place: Place::var(total), value };
    let add = builder.out.stmt(add, span);
    let body = builder.out.new_block(vec![add]);
    let end = Expr::op(Op::Len, vec![list.clone()], Type::USIZE);
    let range = Range { start: Expr::usize(0), end, inclusive: false, adaptors: Vec::new() };
    let target = Target { label: builder.out.numbering.label(), exit: None };
    let kind = LoopKind::Counted { var, range };
    let repetition = Loop { target, kind, trips: None, body };
    let repetition = builder.out.stmt(StmtKind::Loop(repetition), span);
    (builder.out.load(total), [declare, repetition])
}
