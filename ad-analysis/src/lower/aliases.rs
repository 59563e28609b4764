//! References that verbatim code returns (`v.last_mut()`, `v.split_at_mut(n)`, `v.iter_mut()`): what
//! is written through them is written to what they were made from.

use super::Lowerer;
use crate::index::Var;
use crate::ir::{ArgKind, Binding, Call, ExprKind, Place, Projection, StmtKind, places_in};
use proc_macro2::Span;

impl Lowerer<'_> {
    /// The variables that a value of verbatim code may refer to.
    pub(super) fn may_refer_to(&self, var: Var) -> &[Var] {
        self.aliases.get(&var).map_or(&[], Vec::as_slice)
    }

    /// Notes what a new variable may refer to, and refuses what would change it behind the back of
    /// the analyses.
    pub(super) fn follow_aliases(&mut self, kind: &StmtKind, span: Span) {
        match kind {
            StmtKind::Let { var, value: Some(value) } => match &value.kind {
                ExprKind::Opaque(opaque) => self.note(*var, &opaque.writes),
                ExprKind::Load(place) => {
                    let root = self.body.resolve(place).root;
                    let inherited = self.may_refer_to(root).to_vec();
                    self.note(*var, &inherited);
                }
                ExprKind::Literal(_) | ExprKind::Op(..) | ExprKind::Guard(_) => {}
            },
            StmtKind::Opaque(opaque) => {
                for &var in &opaque.declares {
                    self.note(var, &opaque.writes);
                }
            }
            StmtKind::Assign { place, value: _ } => {
                if self.body.resolve(place).projections.is_empty() {
                    return;
                }
                self.refuse_alias(place, span);
            }
            StmtKind::Resize(resize) => self.refuse_alias(&resize.list, span),
            StmtKind::Swap { a, b } => {
                self.refuse_alias(a, span);
                self.refuse_alias(b, span);
                // Elements of one list change places in that.
                if !self.are_of_one_list(a, b) {
                    self.refuse_both(a, b, span);
                }
            }
            StmtKind::Bind { view } => {
                if let Binding::View(view) = &self.body.vars[*view].binding
                    && view.mutable
                {
                    let place = view.place.clone();
                    self.refuse_alias(&place, span);
                }
            }
            StmtKind::Call(call) => {
                for arg in &call.args {
                    if let ArgKind::Exclusive(place) = &arg.kind {
                        self.refuse_alias(place, span);
                        self.refuse_lent_together(place, call, span);
                    }
                }
            }
            StmtKind::Let { var: _, value: None }
            | StmtKind::Increment { .. }
            | StmtKind::Reset { .. }
            | StmtKind::If { .. }
            | StmtKind::Loop(_)
            | StmtKind::Block { .. }
            | StmtKind::Exit { .. }
            | StmtKind::Push { .. }
            | StmtKind::Pop { .. } => {}
        }
    }

    fn note(&mut self, var: Var, made_from: &[Var]) {
        let origins = made_from.iter().flat_map(|&origin| self.may_refer_to(origin));
        let mut all: Vec<Var> = Vec::new();
        for &origin in made_from.iter().chain(origins) {
            if !all.contains(&origin) {
                all.push(origin);
            }
        }
        if !all.is_empty() {
            self.aliases.insert(var, all);
        }
    }

    /// Of two payloads of one value rustc does not see that they are different places: generated code has a function for each.
    fn refuse_lent_together(&self, place: &Place, call: &Call, span: Span) {
        let mut is_itself = true;
        for arg in &call.args {
            match &arg.kind {
                // Each pair once.
                ArgKind::Exclusive(other) if other == place => is_itself = false,
                ArgKind::Exclusive(other) if is_itself => self.refuse_both(place, other, span),
                ArgKind::Exclusive(_) | ArgKind::Omitted => {}
                ArgKind::Shared(other) => self.refuse_both(place, other, span),
                ArgKind::Value(value) => {
                    places_in(value, &mut |other| self.refuse_both(place, other, span));
                }
            }
        }
    }

    fn are_of_one_list(&self, a: &Place, b: &Place) -> bool {
        let [a, b] = [a, b].map(|place| self.body.resolve(place));
        let list = |place: &Place| match place.projections.split_last() {
            Some((Projection::Index(_), list)) => Some(list.to_vec()),
            Some(_) | None => None,
        };
        a.root == b.root && list(&a).is_some_and(|of_a| list(&b) == Some(of_a))
    }

    fn refuse_both(&self, a: &Place, b: &Place, span: Span) {
        let [a, b] = [a, b].map(|place| self.body.resolve(place));
        if a.root == b.root && a.is_in_variant() && b.is_in_variant() {
            self.errors.report(
                span,
                "two payloads of one enum are borrowed together here",
                "copy one of them to a variable before, and back afterwards if it changes",
            );
        }
    }

    fn refuse_alias(&self, place: &Place, span: Span) {
        let root = self.body.resolve(place).root;
        let Some(origin) = self.may_refer_to(root).first() else { return };
        let (name, origin) = (&self.body.vars[root].name, &self.body.vars[*origin].name);
        self.errors.report(
            span,
            format!("`{name}` may refer to a part of `{origin}`, which the macro does not follow"),
            format!("write to `{origin}` itself, by index"),
        );
    }
}
