//! Values that come back: popped from the stack, or computed again.

use super::{Backward, exits_with_ids};
use crate::analyses::{DefId, Save, Side};
use crate::effects::Inverse;
use crate::index::{Label, Point, Scope, StmtId, Var};
use crate::ir::{
    Block, Change, Condition, ExprKind, Guard, Place, Projection, Stmt, StmtKind, Variable,
    completes,
};
use crate::types::Type;
use proc_macro2::Span;

/// An exit, by what it leaves and its code there.
type Exit = (Label, u8);
/// How control left a scope, if by an exit, and what was saved there.
type Way = (Option<Exit>, Vec<Save>);

impl Backward<'_> {
    /// Restores what died at the end of a scope, or where an exit left it.
    pub(super) fn restore_scope(&mut self, block: &Block, declared: &[Var]) -> Vec<Stmt> {
        let facts = self.facts;
        let scope = block.scope;
        let mut ways: Vec<Way> = Vec::new();
        let mut ends = Vec::new();
        if completes(block) {
            ways.push((None, self.saves_at_end(scope, None)));
            ends.push(facts.graph.scope_end(scope, None));
        }
        for (id, exit) in exits_with_ids(block) {
            let end = facts.graph.scope_end(scope, Some(id));
            if end.is_some_and(|end| facts.graph.is_reachable(end)) {
                ways.push((Some(exit), self.saves_at_end(scope, Some(id))));
                ends.push(end);
            }
        }
        let popped = |var: Var| {
            ways.iter().any(|(_, saves)| saves.iter().any(|save| save.place.root == var))
        };
        let alone = ways.len() == 1;
        let unconditional = |save: &Save| save.to_place.is_always();
        let mut stmts = Vec::new();
        for &var in declared {
            let by_pop =
                alone && ways[0].1.iter().any(|save| save.place.root == var && unconditional(save));
            if !by_pop && (popped(var) || self.restored.contains(var)) {
                stmts.push(self.declare_storage(var));
            }
        }
        if alone {
            let (_, saves) = ways.remove(0);
            stmts.extend(self.pops(&saves, true));
            // Shapes of what dies may be computed again.
            if let Some(end) = ends[0] {
                stmts.extend(self.recomputations(end, Side::Before));
            }
            return stmts;
        }
        stmts.extend(self.pops_by_way(ways));
        stmts
    }

    pub(super) fn saves_at_end(&self, scope: Scope, exit: Option<StmtId>) -> Vec<Save> {
        let point = self.facts.graph.scope_end(scope, exit);
        point.map_or_else(Vec::new, |point| self.facts.storage.saves(point).to_vec())
    }

    /// Pops what was pushed on the way that was taken: ways with the same pushes share their pops.
    pub(super) fn pops_by_way(&mut self, ways: Vec<Way>) -> Vec<Stmt> {
        let mut groups: Vec<(Vec<Exit>, bool, Vec<Save>)> = Vec::new();
        for (exit, saves) in ways {
            let group = match groups.iter().position(|(_, _, known)| *known == saves) {
                Some(known) => &mut groups[known],
                None => {
                    groups.push((Vec::new(), false, saves));
                    groups.last_mut().expect("just pushed")
                }
            };
            match exit {
                Some(exit) => group.0.push(exit),
                None => group.1 = true,
            }
        }
        // The way that reaches the end is what remains.
        groups.sort_by_key(|(_, reaches_end, _)| *reaches_end);
        let mut result: Option<Vec<Stmt>> = None;
        for (exits, _, saves) in groups.into_iter().rev() {
            let pops = self.pops(&saves, false);
            result = Some(match result {
                None => pops,
                Some(others) => {
                    let test = self.taken(&exits);
                    self.choose(test, pops, others)
                }
            });
        }
        result.unwrap_or_default()
    }

    /// Pops in the opposite order of the pushes.
    pub(super) fn pops(&mut self, saves: &[Save], declares: bool) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for save in saves.iter().rev() {
            let place = save.place.clone();
            let span = self.primal.vars[place.root].span;
            let declares = declares && save.to_place.is_always();
            let pop = self.emit(StmtKind::Pop { place, declares }, span);
            stmts.extend(self.guarded(save.to_place.clone(), vec![pop]));
        }
        stmts
    }

    /// Puts aside the value that an assignment left behind.
    pub(super) fn capture(&mut self, stmt: &Stmt, point: Point) -> Vec<Stmt> {
        let StmtKind::Assign { place, .. } = &stmt.kind else { return Vec::new() };
        let var = place.root;
        let value = self.read(&self.primal.load(var), point, Side::After);
        let Variable { name, ty, .. } = self.primal.vars[var].clone();
        let result = self.out.local(&format!("{name}_new"), ty, stmt.span);
        self.captured.insert(var, result);
        vec![self.emit(StmtKind::Let { var: result, value: Some(value) }, stmt.span)]
    }

    /// Restores what the statement at a point overwrote.
    pub(super) fn restore(&mut self, saves: &[Save], point: Point, span: Span) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for save in saves.iter().rev() {
            let place = self.primal.resolve(&save.place);
            let place = self.read_indices(&place, point, Side::Before);
            if let Some(inverse) = &save.inverse {
                let mut guard = save.to_place.clone();
                if matches!(inverse, Inverse::Swap { .. }) {
                    // One exchange restores both places.
                    if !std::ptr::eq(save, &saves[0]) {
                        continue;
                    }
                    saves.iter().for_each(|save| guard.join(&save.to_place));
                }
                let undone = self.undo(place, inverse, point, span);
                stmts.extend(self.guarded(guard, undone));
                continue;
            }
            // What only the statement itself reads need not have a place: the list may not be there.
            let has_place = save.own.primal.implies(&save.to_place.primal)
                && save.own.bare.implies(&save.to_place.bare);
            if save.to_place.is_never() || (place.is_computed() && !has_place) {
                let name = format!("{}_old", self.primal.vars[place.root].name);
                let ty = self.primal.place_type(&place);
                let old = self.out.local(&name, ty.clone(), span);
                self.own.insert(point, old);
                self.overwritten.push((old, self.primal.resolve(&save.place)));
                stmts.extend(self.pop_new(old, &save.guard(), span));
                if !save.to_place.is_never() {
                    let value = self.out.load(old);
                    let put = self.emit(StmtKind::Assign { place, value }, span);
                    stmts.extend(self.guarded(save.to_place.clone(), vec![put]));
                }
                continue;
            }
            // What was pushed as a slice is popped into one: here the parameter is a list.
            let is_slice = matches!(self.primal.place_type(&place), Type::Slice(_));
            let place = if is_slice && place.is_whole() {
                place.then(Projection::Slice { start: None, end: None })
            } else {
                place
            };
            let pop = self.emit(StmtKind::Pop { place, declares: false }, span);
            stmts.extend(self.guarded(save.guard(), vec![pop]));
        }
        stmts
    }

    /// Undoes an exact update.
    fn undo(&mut self, place: Place, inverse: &Inverse, point: Point, span: Span) -> Vec<Stmt> {
        match inverse {
            Inverse::Value(value) => {
                vec![self.emit(StmtKind::Assign { place, value: value.clone() }, span)]
            }
            Inverse::Truncate { len } => {
                let len = self.read(&self.primal.load(*len), point, Side::Before);
                vec![self.resize(place, Change::Truncate(len), span)]
            }
            Inverse::Extend { first: _, len } => {
                let len = self.read(&self.primal.load(*len), point, Side::Before);
                self.put_back(place, len, span)
            }
            Inverse::Swap { a, b } => {
                let [a, b] = [a, b].map(|place| {
                    let place = self.primal.resolve(place);
                    self.read_indices(&place, point, Side::Before)
                });
                vec![self.emit(StmtKind::Swap { a, b }, span)]
            }
        }
    }

    /// Pops into a new variable.
    pub(super) fn pop_new(&mut self, var: Var, guard: &Guard, span: Span) -> Vec<Stmt> {
        let place = Place::var(var);
        if guard.is_always() {
            return vec![self.emit(StmtKind::Pop { place, declares: true }, span)];
        }
        let mut stmts = vec![self.declare_storage(var)];
        let pop = self.emit(StmtKind::Pop { place, declares: false }, span);
        stmts.extend(self.guarded(guard.clone(), vec![pop]));
        stmts
    }

    /// The definitions that are repeated on a side of a point.
    pub(super) fn recomputations(&mut self, point: Point, side: Side) -> Vec<Stmt> {
        self.recomputations_if(point, side, None)
    }

    /// Of the definitions that are repeated on a side of a point, those that do (or do not) read what
    /// the statement there overwrites.
    pub(super) fn recomputations_if(
        &mut self,
        point: Point,
        side: Side,
        reads: Option<bool>,
    ) -> Vec<Stmt> {
        let facts = self.facts;
        let mut stmts = Vec::new();
        for recomputation in facts.needed.recomputations(point, side) {
            let id = recomputation.definition;
            if reads.is_some_and(|reads| reads != self.reads_overwritten(id, point, side)) {
                continue;
            }
            // What cannot be stored has no placeholder either.
            let is_verbatim =
                matches!(facts.needed.definition(id).1.value.kind, ExprKind::Opaque(_));
            let always = Condition::always(recomputation.condition.pairs.len());
            let condition = if is_verbatim { &always } else { &recomputation.condition };
            let known = self.repeated.iter().rev().find_map(|scope| scope.get(&id)).cloned();
            if known.as_ref().is_some_and(|(_, known)| condition.implies(known)) {
                continue;
            }
            let (_, definition) = facts.needed.definition(id);
            let value = self.substitute(&definition.value, &mut |this, var| {
                this.repeated_value(recomputation, var, point, side)
            });
            let Variable { name, ty, span, .. } = self.primal.vars[definition.var].clone();
            let guard = Guard::both(condition.clone());
            let (again, mut covered) = match known {
                Some(known) => known,
                None => (self.out.local(&name, ty, span), Condition::never(condition.pairs.len())),
            };
            if guard.is_always() && covered.is_never() {
                stmts.push(self.emit(StmtKind::Let { var: again, value: Some(value) }, span));
            } else {
                if covered.is_never() {
                    stmts.push(self.declare_storage(again));
                }
                let assign = StmtKind::Assign { place: Place::var(again), value };
                let assign = self.emit(assign, span);
                stmts.extend(self.guarded(guard, vec![assign]));
            }
            covered.join(condition);
            self.repeated.last_mut().expect("a scope is open").insert(id, (again, covered));
        }
        stmts
    }

    /// Whether a definition repeated on a side of a point reads what the statement there overwrites,
    /// itself or through an operand that is repeated too.
    pub(super) fn reads_overwritten(&self, id: DefId, point: Point, side: Side) -> bool {
        let overwritten = &self.facts.graph.info(point).effects.writes;
        let needed = &self.facts.needed;
        let mut here = needed.recomputations(point, side).iter();
        let Some(this) = here.find(|known| known.definition == id) else { return false };
        needed.definition(id).1.operands.iter().any(|operand| overwritten.contains(operand))
            || this.repeated.iter().any(|&var| {
                let other = needed.repeated(var, point, side);
                other.is_some_and(|other| self.reads_overwritten(other, point, side))
            })
    }
}
