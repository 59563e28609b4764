//! The tangent of a body: what depends on an independent is followed by its directional derivative.
//!
//! Each assignment is accompanied by that of its tangent, `lhs_d = Σ ∂e/∂u · u_d`, which reads the values
//! as they are before it. Singular partials are applied strongly, as in the adjoint: a direction of 0
//! contributes 0.
//!
//! A variable has a tangent in the instances of the function in which a derivative passes through it anywhere.
//! There, all that is written to it is accompanied; in the others its tangent is not looked at.

use super::backward::guarded;
use super::directions::activity_of_vars;
use super::moves::clone_what_stays;
use super::no_tangent::NoTangent;
use super::tested::{Follow, UnseenTests};
use super::values::clone_wanted;
use crate::analyses::{Activity, Facts};
use crate::index::{BitSet, Index, IndexVec, Point, Var};
use crate::ir::{
    Binding, Block, Body, Change, Condition, Expr, ExprKind, Guard, Kept, Loop, Op, Opaque, Place,
    Projection, Resize, Stmt, StmtKind, Target, each_expr, each_place, each_stmt, each_stmt_mut,
    exits_of_block,
};
use crate::reify::Reified;
use crate::types::Type;
use proc_macro2::Span;
use std::rc::Rc;

/// The tangent of a body.
#[derive(Debug)]
pub struct Tangent {
    /// Its parameters are those of the body, each that has a bar in the adjoint followed by its direction. What is
    /// kept is the tangent of the result, if that is a dependent.
    pub body: Body,
    /// The directions, by parameter.
    pub directions: Vec<Option<Var>>,
    /// For `&mut` parameters, the zeros that take the place of a direction that is not passed: what is written to the parameter
    /// may have a derivative.
    pub unpassed: Vec<Option<Expr>>,
    /// Why there is none, if so.
    pub refusal: Option<NoTangent>,
    /// The variables of the primal, and those that hold their directions.
    pub tangents: Vec<(Var, Var)>,
    /// Variables that the body of the primal does not have and that hold values: the others hold directions.
    pub values: Vec<Var>,
    /// Why what it follows are not all tests, if so.
    pub unseen: Option<UnseenTests>,
    /// What for it is traced, if it is.
    pub traced: Option<Tracing>,
    /// If it is one in several directions, the type parameter that stands for the derivatives of a float.
    pub several: Option<Rc<str>>,
}

/// What a tangent is traced for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tracing {
    /// What statements assign is compared with differences.
    pub compared: bool,
    /// The first statement is searched for whose value or derivative is not finite.
    pub searched: bool,
}

impl Tangent {
    /// The variables that hold directions. `primal` is what it is the tangent of.
    pub fn holding_directions(&self, primal: &Body) -> BitSet<Var> {
        let added = (primal.vars.len()..self.body.vars.len()).map(Var::new);
        added.filter(|var| !self.values.contains(var)).collect()
    }

    /// In a generic function, a zero must be one of a type.
    pub fn refuse_untyped_zeros(&mut self) {
        let mut is_untyped = false;
        each_stmt(&self.body.block, &mut |stmt| {
            let is_zero =
                |expr: &Expr| matches!(&expr.kind, ExprKind::Literal(text) if **text == *"0.0");
            let is_new = |expr: &Expr| is_zero(expr) && !expr.ty.is_float();
            each_expr(stmt, &mut |expr| is_untyped |= any_part(expr, &is_new));
        });
        if is_untyped {
            self.refusal.get_or_insert(NoTangent::UntypedZero);
        }
    }
}

fn any_part(expr: &Expr, test: &dyn Fn(&Expr) -> bool) -> bool {
    match &expr.kind {
        ExprKind::Op(_, args) => test(expr) || args.iter().any(|arg| any_part(arg, test)),
        ExprKind::Literal(_) | ExprKind::Load(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {
            test(expr)
        }
    }
}

/// The tangent of a body whose control is reified.
pub fn tangent(primal: &Body, reified: &Reified, facts: &Facts) -> Tangent {
    build(primal, reified, facts, &facts.activity, Follow::Dependents)
}

/// The tangent of what is active.
pub(super) fn build(
    primal: &Body,
    reified: &Reified,
    facts: &Facts,
    activity: &Activity,
    follow: Follow,
) -> Tangent {
    let mut builder = Builder {
        primal,
        facts,
        activity,
        follow,
        values: Vec::new(),
        unseen: None,
        shapes: reified.shapes.values().copied().collect(),
        out: primal.clone(),
        active: activity_of_vars(primal, facts, activity),
        tangents: IndexVec::filled(None, primal.vars.len()),
        aside: Vec::new(),
        undecided: primal.result.into_iter().collect(),
        in_choice: false,
        counters: Vec::new(),
        lost: true,
        refusal: None,
    };
    // Without the analysis of activity everything is active, also a result that nobody asks the derivative of.
    if let Some(result) = primal.result.filter(|result| !primal.dependents.contains(result))
        && !is_read(primal, result)
    {
        builder.active[result] = Condition::never(primal.pairs());
    }
    let directions = builder.header();
    let mut stmts = builder.unpassed();
    let block = builder.block(&primal.block);
    let returns = exits_of_block(&primal.block).iter().any(|exit| exit.0 == primal.target.label);
    if returns {
        let body = builder.out.new_block(block.stmts);
        let target = Some(Target { label: primal.target.label, exit: primal.target.exit });
        let kind = StmtKind::Block { target, body };
        stmts.push(builder.out.stmt(kind, Span::call_site()));
        builder.out.target.label = builder.out.numbering.label();
        builder.out.target.exit = None;
    } else {
        stmts.extend(block.stmts);
    }
    builder.out.block.stmts = stmts;
    // Payloads of enums cannot be moved.
    each_stmt_mut(&mut builder.out.block, &mut |stmt| clone_wanted(stmt, &|_| false));
    let (values, first) = (builder.values.clone(), primal.vars.len());
    let is_direction = |var: Var| var.position() >= first && !values.contains(&var);
    clone_what_stays(&mut builder.out, &is_direction, &is_direction);
    let unpassed = builder.zeros_of_unpassed();
    let Builder { out: body, tangents, values, refusal, unseen, .. } = builder;
    let tangents = tangents.enumerated().filter_map(|(var, tangent)| Some((var, (*tangent)?)));
    let tangents = tangents.collect();
    let traced = match follow {
        Follow::Statements(tracing) => Some(tracing),
        Follow::Dependents | Follow::Tests => None,
    };
    let several = None;
    Tangent { body, directions, unpassed, refusal, tangents, values, unseen, traced, several }
}

/// Whether a variable is mentioned anywhere but as the target of assignments.
fn is_read(body: &Body, var: Var) -> bool {
    let mut found = false;
    each_stmt(&body.block, &mut |stmt| {
        let is_target = |place: &Place| place.root == var;
        let assigned =
            matches!(&stmt.kind, StmtKind::Assign { place, value: _ } if is_target(place));
        let mut mentions = 0;
        each_place(stmt, &mut |place| mentions += usize::from(body.root_of(place) == var));
        found |= mentions > usize::from(assigned);
    });
    found
}

pub(super) struct Builder<'a> {
    pub(super) primal: &'a Body,
    pub(super) facts: &'a Facts,
    /// What is active.
    pub(super) activity: &'a Activity,
    pub(super) follow: Follow,
    /// Its variables that hold values.
    pub(super) values: Vec<Var>,
    /// Why there are tests that it does not follow, though it should.
    pub(super) unseen: Option<UnseenTests>,
    /// Variables that hold shapes, of which bars are made.
    shapes: BitSet<Var>,
    pub(super) out: Body,
    /// When each variable has a tangent.
    active: IndexVec<Var, Condition>,
    tangents: IndexVec<Var, Option<Var>>,
    /// What is put before the current statement.
    pub(super) aside: Vec<Stmt>,
    /// Variables that are declared without a value: rustc wants to see that their tangents get one.
    undecided: BitSet<Var>,
    /// Whether the expression at hand is evaluated only if a choice falls on it.
    pub(super) in_choice: bool,
    /// The variables that count the iterations of the loops around the current statement.
    pub(super) counters: Vec<Var>,
    /// Whether the expression at hand may be infinite or NaN where the function is not.
    pub(super) lost: bool,
    refusal: Option<NoTangent>,
}

impl Builder<'_> {
    fn header(&mut self) -> Vec<Option<Var>> {
        let (mut params, mut directions) = (Vec::new(), Vec::new());
        for &param in &self.primal.params {
            params.push(param);
            let has_direction = self.primal.independents.contains(&param)
                || self.primal.dependents.contains(&param);
            let direction = has_direction.then(|| self.declare(param));
            params.extend(direction);
            directions.push(direction);
        }
        self.out.params = params;
        let result = self.primal.result.filter(|result| self.primal.dependents.contains(result));
        let result = result.map(|result| self.declare(result));
        let when = Condition::always(self.primal.pairs());
        self.out.kept = result.map(|var| Kept { var, when }).into_iter().collect();
        directions
    }

    fn declare(&mut self, var: Var) -> Var {
        let variable = self.primal.vars[var].clone();
        let hint = format!("{}_d", variable.name);
        let tangent = self.out.variable(&hint, variable.ty, variable.binding, variable.span);
        self.out.vars[tangent].assumed = variable.assumed;
        self.tangents[var] = Some(tangent);
        tangent
    }

    /// Tangents of parameters that have no direction and carry derivatives on their way.
    fn unpassed(&mut self) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for &param in &self.primal.params {
            if self.tangents[param].is_some() || self.active[param].is_never() {
                continue;
            }
            let zero = self.zero_like(&self.primal.load(param));
            let (name, span) = (&self.primal.vars[param].name, self.primal.vars[param].span);
            let ty = match &zero.ty {
                Type::Slice(element) => Type::Vec(element.clone()),
                ty => ty.clone(),
            };
            let tangent = self.out.local(&format!("{name}_d"), ty, span);
            self.tangents[param] = Some(tangent);
            let kind = StmtKind::Let { var: tangent, value: Some(zero) };
            stmts.push(self.out.stmt(kind, span));
        }
        stmts
    }

    fn zeros_of_unpassed(&mut self) -> Vec<Option<Expr>> {
        let params = self.primal.params.iter().map(|&param| {
            let is_exclusive = matches!(self.primal.vars[param].binding, Binding::Exclusive);
            (is_exclusive && self.primal.vars[param].ty.may_carry_floats())
                .then(|| self.zero_like(&self.primal.load(param)))
        });
        params.collect()
    }

    pub(super) fn refuse(&mut self, why: NoTangent) {
        self.refusal.get_or_insert(why);
    }

    /// The tangent of a place, and when there is one.
    pub(super) fn tangent_of(&mut self, place: &Place) -> Option<(Place, Condition)> {
        let place = self.primal.resolve(place);
        let variable = &self.primal.vars[place.root];
        let condition = self.active[place.root].clone();
        if condition.is_never() || !variable.ty.may_carry_floats() || place.is_passive() {
            return None;
        }
        if matches!(variable.binding, Binding::Global(_)) {
            return None;
        }
        let tangent = match self.tangents[place.root] {
            Some(tangent) => tangent,
            None => self.declare(place.root),
        };
        Some((place.rooted_at(tangent), condition))
    }

    pub(super) fn guarded(&mut self, condition: &Condition, stmts: Vec<Stmt>) -> Vec<Stmt> {
        guarded(&mut self.out, Guard::both(condition.clone()), stmts)
    }

    /// One value where a condition holds, another where it does not.
    pub(super) fn where_active(condition: &Condition, then: Expr, otherwise: Expr) -> Expr {
        if condition.is_always() {
            return then;
        }
        let ty = then.ty.clone();
        let test = Expr::guard(Guard::both(condition.clone()));
        Expr::op(Op::Select, vec![test, then, otherwise], ty)
    }

    fn block(&mut self, block: &Block) -> Block {
        let mut stmts = Vec::new();
        for stmt in &block.stmts {
            if self.is_of_shapes(stmt) {
                continue;
            }
            let outer = std::mem::take(&mut self.aside);
            let with_tangent = self.stmt(stmt);
            let with_tangent = self.with_tests(stmt, with_tangent);
            let with_tangent = self.with_trace(stmt, with_tangent);
            stmts.append(&mut self.aside);
            self.aside = outer;
            stmts.extend(with_tangent);
        }
        Block { scope: block.scope, stmts }
    }

    /// Whether a statement tells a shape: directions have those of their values.
    fn is_of_shapes(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Let { var, .. } => self.shapes.contains(*var),
            StmtKind::Assign { place, .. } | StmtKind::Swap { a: place, .. } => {
                self.shapes.contains(place.root)
            }
            _ => false,
        }
    }

    /// The statement with its tangent.
    fn stmt(&mut self, stmt: &Stmt) -> Vec<Stmt> {
        let kind = match &stmt.kind {
            StmtKind::Let { var, value } => return self.declaration(stmt, *var, value.as_ref()),
            StmtKind::Assign { place, value } => return self.assignment(stmt, place, value),
            StmtKind::Resize(resize) => return self.resize(stmt, resize),
            StmtKind::Swap { a, b } => return self.exchange(stmt, a, b),
            StmtKind::Call(call) => return self.call(stmt, call),
            StmtKind::Opaque(opaque) => return self.verbatim(stmt, opaque),
            StmtKind::If { test, then, otherwise } => {
                let (then, otherwise) = (self.block(then), self.block(otherwise));
                StmtKind::If { test: test.clone(), then, otherwise }
            }
            StmtKind::Loop(inner) => {
                let depth = self.counters.len();
                self.counters.extend(inner.counter());
                let body = self.block(&inner.body);
                self.counters.truncate(depth);
                StmtKind::Loop(Loop { body, ..inner.clone() })
            }
            StmtKind::Block { target, body } => {
                StmtKind::Block { target: target.clone(), body: self.block(body) }
            }
            // What a reference refers to stands for it in tangents.
            StmtKind::Bind { .. } | StmtKind::Exit { .. } => stmt.kind.clone(),
            StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => unreachable!("a primal has no sweep statements"),
        };
        vec![Stmt { kind, ..stmt.clone() }]
    }

    fn declaration(&mut self, stmt: &Stmt, var: Var, value: Option<&Expr>) -> Vec<Stmt> {
        let Some((tangent, condition)) = self.tangent_of(&Place::var(var)) else {
            return vec![stmt.clone()];
        };
        let declare = |this: &mut Self, value| {
            this.out.stmt(StmtKind::Let { var: tangent.root, value }, stmt.span)
        };
        self.lost = self.is_lost(stmt, &Place::var(var));
        let Some(value) = value else {
            self.undecided.insert(var);
            return vec![declare(self, None), stmt.clone()];
        };
        if matches!(value.kind, ExprKind::Opaque(_)) {
            let zero = self.zero_like(&self.primal.load(var));
            return vec![stmt.clone(), declare(self, Some(zero))];
        }
        if value.ty.is_float() {
            // A derivative may be had from the result.
            let result = self.primal.load(var);
            let zero = |_: &mut Self| Expr::zero(value.ty.clone());
            let derivative = self.unguarded(value, &condition, Some(&result), zero);
            let mut stmts = vec![stmt.clone()];
            stmts.append(&mut self.aside);
            stmts.push(declare(self, Some(derivative)));
            return stmts;
        }
        let derivative = self.unguarded(value, &condition, None, |this| {
            Expr::placeholder(&value.ty).unwrap_or_else(|| this.zero_like(value))
        });
        vec![declare(self, Some(derivative)), stmt.clone()]
    }

    /// The derivative of a value in a statement that runs in all instances, and what stands for it where the condition
    /// does not hold.
    fn unguarded(
        &mut self,
        value: &Expr,
        condition: &Condition,
        result: Option<&Expr>,
        otherwise: impl FnOnce(&mut Self) -> Expr,
    ) -> Expr {
        let before = self.aside.len();
        let derivative = self.derivative(value, condition, result);
        if condition.is_always() {
            return derivative;
        }
        if self.aside.len() == before {
            let otherwise = otherwise(self);
            return Self::where_active(condition, derivative, otherwise);
        }
        // What was put aside runs in all instances, too.
        self.aside.truncate(before);
        self.derivative(value, &Condition::always(self.primal.pairs()), result)
    }

    fn assignment(&mut self, stmt: &Stmt, place: &Place, value: &Expr) -> Vec<Stmt> {
        let Some((tangent, condition)) = self.tangent_of(place) else { return vec![stmt.clone()] };
        self.lost = self.is_lost(stmt, place);
        let assign = |this: &mut Self, value| {
            this.out.stmt(StmtKind::Assign { place: tangent.clone(), value }, stmt.span)
        };
        let is_undecided = place.is_whole() && self.undecided.contains(place.root);
        if matches!(value.kind, ExprKind::Opaque(_)) {
            let ty = self.primal.place_type(place);
            let zero = self.zero_like(&Expr::load(place.clone(), ty, stmt.span));
            let assign = assign(self, zero);
            let condition = match is_undecided {
                true => Condition::always(self.primal.pairs()),
                false => condition,
            };
            let mut stmts = vec![stmt.clone()];
            stmts.extend(self.guarded(&condition, vec![assign]));
            return stmts;
        }
        if is_undecided {
            let derivative = self.unguarded(value, &condition, None, |this| this.zero_like(value));
            return vec![assign(self, derivative), stmt.clone()];
        }
        let derivative = self.derivative(value, &condition, None);
        let assign = assign(self, derivative);
        let mut stmts = std::mem::take(&mut self.aside);
        stmts.push(assign);
        let mut stmts = self.guarded(&condition, stmts);
        stmts.push(stmt.clone());
        stmts
    }

    /// Whether what a statement assigns may be infinite or NaN where the function is not.
    fn is_lost(&self, stmt: &Stmt, place: &Place) -> bool {
        let zones = self.facts.zones.of_place(&self.primal.resolve(place));
        self.facts.lost.is_lost(self.facts.graph.at(stmt.id), &zones)
    }

    fn resize(&mut self, stmt: &Stmt, resize: &Resize) -> Vec<Stmt> {
        let list = self.tangent_of(&resize.list);
        let bare = StmtKind::Resize(Resize { len: None, ..resize.clone() });
        let bare = Stmt { kind: bare, ..stmt.clone() };
        let Some((list, condition)) = list else { return vec![bare] };
        let stmts = match &resize.change {
            Change::Truncate(rest) => {
                let change = Change::Truncate(rest.clone());
                let resize = StmtKind::Resize(Resize { list, change, len: None });
                vec![self.out.stmt(resize, stmt.span)]
            }
            Change::Extend(items) => self.extended(&list, items, &condition, stmt.span),
        };
        let mut stmts = self.guarded(&condition, stmts);
        stmts.push(bare);
        stmts
    }

    /// Appends the tangents of items to that of a list.
    fn extended(
        &mut self,
        list: &Place,
        items: &Expr,
        condition: &Condition,
        span: Span,
    ) -> Vec<Stmt> {
        let extend = |this: &mut Self, items: Expr| {
            let change = Change::Extend(items);
            let resize = StmtKind::Resize(Resize { list: list.clone(), change, len: None });
            this.out.stmt(resize, span)
        };
        self.lost = true;
        let Some(place) = items.as_place() else {
            let items = self.derivative(items, condition, None);
            let extend = extend(self, items);
            let mut stmts = std::mem::take(&mut self.aside);
            stmts.push(extend);
            return stmts;
        };
        // Of a list there may be a reference only.
        let zeros = self.zero_list(items);
        let Some((tangent, own)) = self.tangent_of(place) else {
            return vec![extend(self, zeros)];
        };
        let items = Expr { kind: ExprKind::Load(tangent), ..items.clone() };
        let (then, otherwise) = (extend(self, items), extend(self, zeros));
        if condition.implies(&own) {
            return vec![then];
        }
        let test = Expr::guard(Guard::both(own));
        let then = self.out.new_block(vec![then]);
        let otherwise = self.out.new_block(vec![otherwise]);
        vec![self.out.stmt(StmtKind::If { test, then, otherwise }, span)]
    }

    fn exchange(&mut self, stmt: &Stmt, a: &Place, b: &Place) -> Vec<Stmt> {
        let tangents = (self.tangent_of(a), self.tangent_of(b));
        let (Some((a_tangent, own)), Some((b_tangent, other))) = tangents else {
            return vec![stmt.clone()];
        };
        // They have derivatives together; where one condition does not hold, both are zero.
        let condition = if own.implies(&other) { own } else { other };
        let is_one_list =
            a_tangent.root == b_tangent.root && !a_tangent.is_in_another_field_than(&b_tangent);
        let ty = self.primal.place_type(a);
        let exchanged = if is_one_list && !are_elements_of_one(&a_tangent, &b_tangent) {
            // rustc knows of views that they are apart, and not of places in one tangent.
            if !ty.is_copy() {
                self.refuse(NoTangent::ExchangeOfParts);
            }
            self.by_way_of_a_copy(a_tangent, b_tangent, ty, stmt.span)
        } else {
            vec![self.out.stmt(StmtKind::Swap { a: a_tangent, b: b_tangent }, stmt.span)]
        };
        let mut stmts = self.guarded(&condition, exchanged);
        stmts.push(stmt.clone());
        stmts
    }

    fn by_way_of_a_copy(&mut self, a: Place, b: Place, ty: Type, span: Span) -> Vec<Stmt> {
        let copy = self.out.local("d", ty.clone(), span);
        let value = Some(Expr::load(a.clone(), ty.clone(), span));
        let kinds = [
            StmtKind::Let { var: copy, value },
            StmtKind::Assign { place: a, value: Expr::load(b.clone(), ty, span) },
            StmtKind::Assign { place: b, value: self.out.load(copy) },
        ];
        kinds.into_iter().map(|kind| self.out.stmt(kind, span)).collect()
    }

    /// What verbatim code declares is passive at first.
    fn verbatim(&mut self, stmt: &Stmt, opaque: &Opaque) -> Vec<Stmt> {
        let mut stmts = vec![stmt.clone()];
        for &var in &opaque.declares {
            if let Some((tangent, _)) = self.tangent_of(&Place::var(var)) {
                let zero = self.zero_like(&self.primal.load(var));
                let kind = StmtKind::Let { var: tangent.root, value: Some(zero) };
                stmts.push(self.out.stmt(kind, stmt.span));
            }
        }
        let point = self.facts.graph.at(stmt.id);
        for &var in opaque.writes.iter().filter(|var| !opaque.declares.contains(var)) {
            stmts.extend(self.zeros_of_another_length(var, point, stmt.span));
        }
        stmts
    }

    /// The tangent of a list without a derivative, which has been given another length.
    fn zeros_of_another_length(&mut self, var: Var, point: Point, span: Span) -> Vec<Stmt> {
        let list = Place::var(var);
        let is_list = matches!(self.primal.vars[var].ty, Type::Vec(_));
        let zones = self.facts.zones.of_place(&self.primal.resolve(&list));
        if !is_list || self.activity.is_varied(point, &zones) {
            return Vec::new();
        }
        let Some((tangent, own)) = self.tangent_of(&list) else { return Vec::new() };
        let value = self.zero_list(&self.primal.load(var));
        let assign = self.out.stmt(StmtKind::Assign { place: tangent, value }, span);
        self.guarded(&own, vec![assign])
    }

    pub(super) fn name(&mut self, hint: &str, value: Expr) -> Expr {
        let span: Span = value.span;
        let var = self.out.local(hint, value.ty.clone(), span);
        let stmt = self.out.stmt(StmtKind::Let { var, value: Some(value) }, span);
        self.aside.push(stmt);
        self.out.load(var)
    }
}

/// Whether two places are elements of one list, which rustc can exchange.
fn are_elements_of_one(a: &Place, b: &Place) -> bool {
    match (a.projections.split_last(), b.projections.split_last()) {
        (Some((Projection::Index(_), list)), Some((Projection::Index(_), other))) => list == other,
        _ => false,
    }
}
