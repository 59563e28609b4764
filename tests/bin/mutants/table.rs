//! The mutants: mistakes that are easily made, each one replacement in the source.

/// A mistake.
#[derive(Clone, Copy, Debug)]
pub struct Mutant {
    /// What is wrong.
    pub name: &'static str,
    /// The file, below `ad-analysis/src`.
    pub file: &'static str,
    /// What stands there; it occurs once.
    pub old: &'static str,
    /// What the mutant has instead.
    pub new: &'static str,
    /// The tests that find it where no random program can, by what their names begin with: they are in the binary `sweeps`.
    pub tests: Option<&'static str>,
}

const fn mutant(
    name: &'static str,
    file: &'static str,
    old: &'static str,
    new: &'static str,
) -> Mutant {
    Mutant { name, file, old, new, tests: None }
}

/// A mistake that tests have to find.
const fn mutant_for(
    tests: &'static str,
    name: &'static str,
    file: &'static str,
    old: &'static str,
    new: &'static str,
) -> Mutant {
    Mutant { name, file, old, new, tests: Some(tests) }
}

/// All mutants, in the order of the phases.
#[rustfmt::skip]
pub const MUTANTS: &[Mutant] = &[
    // Rules.
    mutant("sign of a rule", "rules/table.rs",
        "z = a - b, cost 1, { d a: 1.0; d b: -1.0; }",
        "z = a - b, cost 1, { d a: 1.0; d b: 1.0; }"),
    mutant("partial of the wrong argument", "rules/table.rs",
        "z = a * b, cost 1, { d a: b; d b: a; }",
        "z = a * b, cost 1, { d a: a; d b: b; }"),
    // Reification.
    mutant("test read again although overwritten", "reify.rs",
        "stable &= !self.written.contains(place.root)",
        "stable &= !self.written.contains(place.root) || true"),
    mutant("every exit looks like the first", "reify.rs",
        "StmtKind::Assign { place, value: Expr::code(code) }",
        "StmtKind::Assign { place, value: Expr::code(1) }"),
    mutant("trip count off by one", "reify.rs",
        "self.name_value(\"trips\", Expr::usize(0))",
        "self.name_value(\"trips\", Expr::usize(1))"),
    mutant("captured index missing", "reify.rs",
        "if !reads {",
        "if !reads || !written.is_empty() {"),
    // Effects.
    mutant("own need ignored", "effects/expr.rs",
        "needs.own = true;",
        "needs.own = false;"),
    mutant("argument of a joint call not needed", "effects/mod.rs",
        "if call.mode == CallMode::Joint {\n                    needs.before.extend(&zones);",
        "if call.mode != CallMode::Joint {\n                    needs.before.extend(&zones);"),
    mutant("inverse of an update by a variable", "effects/mod.rs",
        "matches!(value.ty, Type::Int(_)) && args[1].as_literal().is_some()",
        "matches!(value.ty, Type::Int(_))"),
    // Flow graph.
    mutant("back edge missing", "flow/mod.rs",
        "self.edge(last, iteration);",
        ""),
    mutant("exit edge missing", "flow/mod.rs",
        "self.edge(current, point);",
        "let _ = (current, point);"),
    // Analyses.
    mutant("overwriting does not make passive what was varied", "analyses/activity.rs",
        "let gained: Vec<_> = effects.flows.iter().map(|flow| facts.union_of(&flow.from)).collect();\n        for &zone in &effects.kills {\n            facts.clear(zone);\n        }",
        "for &zone in &effects.kills {\n            facts.clear(zone);\n        }\n        let gained: Vec<_> = effects.flows.iter().map(|flow| facts.union_of(&flow.from)).collect();"),
    mutant("computed again although an operand is overwritten", "analyses/availability.rs",
        "} else if writes_operand\n                || effects.writes",
        "} else if effects.writes"),
    mutant("exits that leave a construct forgotten", "analyses/needs.rs",
        "sites.extend(exits.map(",
        "sites.extend(exits.take(0).map("),
    mutant("shape of a bar not needed where it dies", "analyses/needs.rs",
        "need(point, Side::Before, zone, &self.bars[var], terms);",
        "let _ = (point, zone, terms, var);"),
    mutant("shape of a bar not needed where it changes", "analyses/needs.rs",
        "need(point, Side::Before, zone, &any, value);",
        "let _ = zone;"),
    mutant("needs after TBR", "analyses/mod.rs",
        "let storage = Storage::of(body, &zones, &graph, &needed, &liveness, enabled);",
        "let before = enabled.without(Optimisation::Recompute).without(Optimisation::Retest);
            let before =
                Needed::of(body, reified, &zones, &graph, &activity, &assumptions, before);
            let storage = Storage::of(body, &zones, &graph, &before, &liveness, enabled);"),
    mutant("kill not gated by liveness", "analyses/tbr.rs",
        "if self.happens(point) {",
        "if true {"),
    mutant("bare sweeps store what others do", "analyses/tbr.rs",
        "[solve_for(Mode::Primal), solve_for(Mode::Bare)]",
        "[solve_for(Mode::Primal), solve_for(Mode::Primal)]"),
    mutant("scope end is no overwrite", "analyses/tbr.rs",
        ".chain(dying)",
        ".chain(dying.take(0))"),
    // Sweeps.
    mutant("bar not reset", "diff/assignment.rs",
        "let resets = self.reset(place, &bar, point, stmt.span);\n                out.extend(self.guarded(Guard::both(reset), resets));",
        ""),
    mutant("reset after increment", "diff/assignment.rs",
        "inner.extend(self.guarded_within(&both, Guard::both(reset), resets));
                assignment.context = both.clone();
                self.visit(&mut assignment, value, saved, true);
                inner.extend(assignment.out);",
        "let resets = self.guarded_within(&both, Guard::both(reset), resets);
                assignment.context = both.clone();
                self.visit(&mut assignment, value, saved, true);
                inner.extend(assignment.out);
                inner.extend(resets);"),
    mutant("bar of an update not put aside", "diff/assignment.rs",
        "if aliases { self.put_aside",
        "if aliases && false { self.put_aside"),
    mutant("bars of overlapping arguments not added back", "diff/call.rs",
        "add_back.extend(self.guarded(Guard::both(condition.clone()), vec![back]));",
        "let _ = back;"),
    mutant("joint call writes where it reads again", "diff/call.rs",
        "ArgKind::Exclusive(Place::var(copy))",
        "{ let _ = copy; ArgKind::Exclusive(place.clone()) }"),
    mutant("exit taken in every iteration", "diff/backward/mod.rs",
        "body.stmts.push(self.emit(assign, stmt.span));",
        "let _ = self.emit(assign, stmt.span);"),
    mutant("split call restored before its callee", "diff/backward/mod.rs",
        "let restore_first = !matches!(stmt.kind, StmtKind::Call(ref call) if call.kept.is_some());",
        "let restore_first = true;"),
    // Summaries.
    mutant("callees say that they read nothing", "ir/summary.rs",
        "if self.body.params.contains(&param) {",
        "if self.body.params.contains(&param) && false {"),
    mutant("what is handed over is not read", "ir/summary.rs",
        "reads.read(&Place::var(*var), when, ReadBy::Itself);",
        "let _ = (var, when);"),
    mutant("the first argument of a callee stands for all", "ir/summary.rs",
        "                    argument,\n                    active:",
        "                    argument: 0,\n                    active:"),
    mutant("a condition on callees is lost", "analyses/tbr.rs",
        "columns.extend(further.map(|pair| (1 + position) * self.pairs + pair));",
        "let _ = (further, position);"),
    // Random programs pass no lists that may get another length.
    mutant_for("summaries::", "a list is as long as a callee reads it", "analyses/tbr.rs",
        "(false, ..) => read = all,",
        "(false, ..) => { let _ = all; }"),
    // Inlining.
    mutant("argument that changes is no copy", "inline/copy.rs",
        "&& !self.written.contains(var)\n            && matches!",
        "&& matches!"),
    mutant("parameter that changes is no copy", "inline/copy.rs",
        "self.value(param, value, rewritten.contains(param), span);",
        "self.value(param, value, rewritten.contains(param) && false, span);"),
    mutant("index of an inlined reference is no copy", "inline/copy.rs",
        "if is_fixed || index.as_literal().is_some() {",
        "if is_fixed || index.as_literal().is_none() {"),
    // Simplification.
    mutant("reset fused with an increment of another bar", "simplify/bars.rs",
        "&& *place == Place::var(bar)\n            && value.ty.is_float()",
        "&& value.ty.is_float()"),
    mutant("bar put aside used after its group", "simplify/bars.rs",
        "(own > 0 && !used_later)",
        "(own > 0 && (!used_later || true))"),
];
