//! Tangents that follow tests: where numbers that depend on the independents decide which way a function goes, the tangent is told
//! how fast they come apart. From that it is known how far along a direction the function goes the same way.
//!
//! Such a tangent follows all that depends on an independent, also what leads to tests only.

use super::call;
use super::tangent::{Builder, Tangent, Tracing, build};
use crate::analyses::{Activity, Facts};
use crate::index::Zone;
use crate::ir::{
    BinaryOp, Body, Call, Callee, Condition, Ending, Expr, ExprKind, Op, Opaque, Operator, Place,
    Stmt, StmtKind, Test, each_expr, each_expr_mut, each_stmt, exprs_in_place, exprs_in_place_mut,
    places_in,
};
use crate::reify::Reified;
use crate::rules;

/// Why the tests of a function cannot be followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnseenTests {
    /// Code that is kept as it is reads what depends on an independent.
    Verbatim,
    /// A function that returns nothing differentiable is called with what depends on an independent.
    PassiveCall,
    /// What is compared are no numbers.
    NoNumbers,
    /// What leads to tests has no tangent.
    NoTangent,
}

impl UnseenTests {
    /// The same in words.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Verbatim => {
                "code that is kept as it is (an unknown call or macro, `#[passive]`, sorting) reads what depends on the \
                 independents"
            }
            Self::PassiveCall => {
                "it calls a function that returns no differentiable number with what depends on the independents"
            }
            Self::NoNumbers => "it compares values that are not numbers",
            Self::NoTangent => "what it tests has no tangents in several directions",
        }
    }
}

/// The tangent that follows tests, if it is not the same as the tangent.
///
/// # Errors
/// Why there are tests that cannot be followed.
pub fn following_tests(
    primal: &Body,
    reified: &Reified,
    facts: &Facts,
) -> Result<Option<Tangent>, UnseenTests> {
    let (mut is_any, mut unseen) = (false, None);
    let activity = facts.activity.with_all_useful();
    each_stmt(&primal.block, &mut |stmt| {
        is_any |= leads_to_tests(primal, facts, &activity, stmt);
        unseen = unseen.or_else(|| unseen_tests(primal, facts, stmt));
    });
    match unseen {
        Some(unseen) => Err(unseen),
        None if is_any => Ok(Some(build(primal, reified, facts, &activity, Follow::Tests))),
        None => Ok(None),
    }
}

/// What a tangent follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Follow {
    /// What leads to dependents.
    Dependents,
    /// Everything, and what is tested.
    Tests,
    /// What leads to dependents, and what each statement makes of it is told.
    Statements(Tracing),
}

impl Follow {
    /// Whether what is not finite is searched for.
    pub(super) fn is_search(self) -> bool {
        match self {
            Self::Statements(tracing) => tracing.searched,
            Self::Dependents | Self::Tests => false,
        }
    }
}

/// Whether a statement tests what depends on an independent, or passes it to a function that may test it and has no other use.
fn leads_to_tests(body: &Body, facts: &Facts, all_useful: &Activity, stmt: &Stmt) -> bool {
    let point = facts.graph.at(stmt.id);
    if let StmtKind::Call(call) = &stmt.kind {
        let is_passive =
            |activity| call::activity(body, facts, activity, stmt, call).any.is_never();
        if is_passive(&facts.activity) && !is_passive(all_useful) {
            return true;
        }
    }
    let is_varied = |expr: &Expr| {
        let mut zones: Vec<Zone> = Vec::new();
        places_in(expr, &mut |place| zones.extend(facts.zones.of_place(&body.resolve(place))));
        facts.activity.is_varied(point, &zones)
    };
    let mut found = false;
    each_expr(stmt, &mut |expr| {
        each_operation(expr, &mut |operation| {
            let mut tests = tests_of(operation).into_iter();
            found |= tests.any(|made| is_varied(made.subject) || is_varied(&made.other));
        });
    });
    found
}

/// Visits the operations of an expression, also those in indices.
fn each_operation(expr: &Expr, visit: &mut dyn FnMut(&Expr)) {
    match &expr.kind {
        ExprKind::Op(_, args) => {
            visit(expr);
            args.iter().for_each(|arg| each_operation(arg, visit));
        }
        ExprKind::Load(place) => exprs_in_place(place, &mut |index| each_operation(index, visit)),
        ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {}
    }
}

/// A test that an operation makes.
struct Made<'e> {
    test: Test,
    /// The position of the operand that is compared.
    position: usize,
    subject: &'e Expr,
    other: Expr,
}

/// The tests that an operation makes of floats.
fn tests_of(expr: &Expr) -> Vec<Made<'_>> {
    let ExprKind::Op(op, args) = &expr.kind else { return Vec::new() };
    let Some(subject) = args.first().filter(|arg| arg.ty.is_float()) else { return Vec::new() };
    let made = |test, other| vec![Made { test, position: 0, subject, other }];
    match op {
        Op::Binary(BinaryOp::Lt | BinaryOp::Ge) => made(Test::Below, args[1].clone()),
        Op::Binary(BinaryOp::Gt | BinaryOp::Le) => made(Test::Above, args[1].clone()),
        Op::Binary(BinaryOp::Eq | BinaryOp::Ne) => made(Test::Order, args[1].clone()),
        Op::Method(name) if is_of_sign(name) => made(Test::Order, Expr::zero(subject.ty.clone())),
        Op::Cast if !expr.ty.may_carry_floats() => {
            made(Test::Truncated, Expr::literal("1.0", subject.ty.clone()))
        }
        Op::Binary(_) | Op::Method(_) | Op::Called(_) => {
            let Some(rule) = rules::rule_of(op) else { return Vec::new() };
            let tests = rule.tests.iter().map(|tested| {
                let named = |name: &str| rule.args.iter().position(|arg| arg.name == name);
                let position = named(tested.subject).expect("an argument of the rule");
                let other = named(tested.other).map(|other| args[other].clone());
                let subject = &args[position];
                let other =
                    other.unwrap_or_else(|| Expr::literal(tested.other, subject.ty.clone()));
                Made { test: tested.test, position, subject, other }
            });
            tests.collect()
        }
        _ => Vec::new(),
    }
}

fn is_of_sign(name: &str) -> bool {
    ["is_sign_positive", "is_sign_negative"].contains(&name)
}

/// Why the tests of a statement cannot be followed, if so.
fn unseen_tests(body: &Body, facts: &Facts, stmt: &Stmt) -> Option<UnseenTests> {
    let point = facts.graph.at(stmt.id);
    let is_varied = |place: &Place| {
        let zones = facts.zones.of_place(&body.resolve(place));
        facts.activity.is_varied(point, &zones)
    };
    let reads = |opaque: &Opaque| opaque.reads.iter().any(|&var| is_varied(&Place::var(var)));
    let mut unseen = None;
    each_expr(stmt, &mut |expr| {
        if let ExprKind::Opaque(opaque) = &expr.kind
            && reads(opaque)
        {
            unseen = Some(UnseenTests::Verbatim);
        }
        each_operation(expr, &mut |operation| {
            let ExprKind::Op(op, args) = &operation.kind else { return };
            let mut any = false;
            let args = args.iter().filter(|arg| arg.ty.may_carry_floats());
            for arg in args.clone() {
                places_in(arg, &mut |place| any |= is_varied(place));
            }
            if any {
                let are_floats = args.clone().all(|arg| arg.ty.is_float());
                unseen = unseen.or(unseen_in(op, are_floats));
            }
        });
    });
    match &stmt.kind {
        // What it writes nowhere decides nothing but whether it panics or fails, unless unknown code keeps it for later.
        StmtKind::Opaque(opaque) => {
            let is_of_use =
                !opaque.writes.is_empty() || !opaque.declares.is_empty() || opaque.calls_unknown;
            let is_unseen = opaque.ending == Ending::Continues && is_of_use && reads(opaque);
            unseen.or(is_unseen.then_some(UnseenTests::Verbatim))
        }
        StmtKind::Call(call) => unseen.or(unseen_in_call(facts, stmt, call)),
        _ => unseen,
    }
}

/// Why a test by an operation on what depends on an independent is not seen.
fn unseen_in(op: &Op, are_floats: bool) -> Option<UnseenTests> {
    match op {
        Op::Binary(op) if op.is_test() && !are_floats => Some(UnseenTests::NoNumbers),
        Op::Cast if !are_floats => Some(UnseenTests::NoNumbers),
        Op::Method(name) => {
            let is_seen = rules::method(name).is_some()
                || is_of_sign(name)
                || rules::TESTS.contains(&&**name) && &**name != "total_cmp";
            (!is_seen || !are_floats).then_some(UnseenTests::Verbatim)
        }
        _ => None,
    }
}

/// A call to which no direction is passed.
fn unseen_in_call(facts: &Facts, stmt: &Stmt, call: &Call) -> Option<UnseenTests> {
    let point = facts.graph.at(stmt.id);
    let effects = &facts.graph.info(point).effects;
    let is_directed =
        effects.flows.iter().any(|flow| flow.refusal.is_none() && !flow.to.is_empty());
    let floats = effects.uses.iter().copied().filter(|&zone| facts.zones.may_carry_floats(zone));
    let floats: Vec<Zone> = floats.collect();
    if call.args.is_empty() || !facts.activity.is_varied(point, &floats) {
        return None;
    }
    // An operator of values that are not seen tells nothing, and of floats this one jumps.
    let jumps = matches!(
        call.callee,
        Callee::Operator(Operator::Binary(BinaryOp::Rem) | Operator::Assign(BinaryOp::Rem))
    );
    match (is_directed, jumps) {
        (false, _) => Some(UnseenTests::PassiveCall),
        (true, true) => Some(UnseenTests::NoNumbers),
        (true, false) => None,
    }
}

impl Builder<'_> {
    /// The statements that a statement of the primal has become, with its tests.
    pub(super) fn with_tests(&mut self, stmt: &Stmt, mut stmts: Vec<Stmt>) -> Vec<Stmt> {
        if self.follow != Follow::Tests {
            return stmts;
        }
        let Some(position) = stmts.iter().position(|other| other.id == stmt.id) else {
            return stmts;
        };
        let before = std::mem::replace(&mut self.in_choice, true);
        let aside = self.aside.len();
        if let StmtKind::Assign { place, value } = &mut stmts[position].kind {
            // Its tangent has been assigned before it. What is tested has not changed by that if it is tested earlier.
            let ty = value.ty.clone();
            let named = self.tested(value);
            let is_kept = !named || ty.is_copy();
            if self.tested_indices(place) || !is_kept {
                self.unseen.get_or_insert(UnseenTests::NoTangent);
            } else if named {
                let tested = self.out.local("tested", ty, stmt.span);
                self.values.push(tested);
                let tested_value = std::mem::replace(value, self.out.load(tested));
                let kind = StmtKind::Let { var: tested, value: Some(tested_value) };
                let tested = self.out.stmt(kind, stmt.span);
                stmts.insert(0, tested);
            }
        } else {
            each_expr_mut(&mut stmts[position], &mut |expr| {
                self.tested(expr);
            });
        }
        self.in_choice = before;
        if self.aside.len() > aside {
            self.aside.truncate(aside);
            self.unseen.get_or_insert(UnseenTests::NoTangent);
        }
        stmts
    }

    fn tested_indices(&mut self, place: &mut Place) -> bool {
        let mut found = false;
        exprs_in_place_mut(place, &mut |index| found |= self.tested(index));
        found
    }

    /// Has an expression tell what it tests. Returned is whether there is anything.
    fn tested(&mut self, expr: &mut Expr) -> bool {
        let original = expr.clone();
        let mut found = false;
        match &mut expr.kind {
            ExprKind::Op(_, args) => {
                args.iter_mut().for_each(|arg| found |= self.tested(arg));
                for made in tests_of(&original) {
                    found |= self.told(&made, &mut args[made.position]);
                }
            }
            ExprKind::Load(place) => found = self.tested_indices(place),
            ExprKind::Literal(_) | ExprKind::Opaque(_) | ExprKind::Guard(_) => {}
        }
        found
    }

    /// Has an operand told how fast it and what it is compared with come apart, if they do.
    fn told(&mut self, made: &Made<'_>, operand: &mut Expr) -> bool {
        let Made { test, position: _, subject, other } = made;
        if self.activity_of(subject).is_never() && self.activity_of(other).is_never() {
            return false;
        }
        self.lost = true;
        let always = Condition::always(self.primal.pairs());
        let slope = self.derivative(subject, &always, None);
        let other_slope = self.derivative(other, &always, None);
        let ty = operand.ty.clone();
        let value = operand.clone();
        *operand = Expr::op(Op::Tested(*test), vec![value, slope, other.clone(), other_slope], ty);
        true
    }
}
