//! Conditions as sets of pairs: conjunction with a pair is membership, disjunction is union.

use super::values::{CalleeFact, Condition, Guard};
use fixedbitset::FixedBitSet;
use std::collections::BTreeMap;

impl Condition {
    /// The condition that holds where one of these pairs is active.
    pub fn of(pairs: FixedBitSet) -> Self {
        Self { pairs, if_callee: BTreeMap::new() }
    }

    /// The condition that never holds, over `pairs` pairs.
    pub fn never(pairs: usize) -> Self {
        Self::of(FixedBitSet::with_capacity(pairs))
    }

    /// The condition that always holds, over `pairs` pairs: a sweep only runs if some pair is
    /// active.
    pub fn always(pairs: usize) -> Self {
        let mut set = FixedBitSet::with_capacity(pairs);
        set.insert_range(..);
        Self::of(set)
    }

    /// This, where a callee says so. This asks no callee itself.
    pub fn if_callee(&self, fact: CalleeFact) -> Self {
        debug_assert!(self.if_callee.is_empty(), "one callee is asked at a time");
        let mut narrower = Self::never(self.pairs.len());
        if !self.pairs.is_clear() {
            narrower.if_callee.insert(fact, self.pairs.clone());
        }
        narrower
    }

    /// This, as if callees did all that they are asked about.
    pub fn whatever_callees_do(&self) -> Self {
        let mut pairs = self.pairs.clone();
        self.if_callee.values().for_each(|further| pairs.union_with(further));
        Self::of(pairs)
    }

    /// Whether it never holds.
    pub fn is_never(&self) -> bool {
        self.pairs.is_clear() && self.if_callee.is_empty()
    }

    /// Whether it holds in every instance.
    pub fn is_always(&self) -> bool {
        self.pairs.is_full()
    }

    /// Whether this implies `other`.
    pub fn implies(&self, other: &Self) -> bool {
        self.pairs.is_subset(&other.pairs)
            && self.if_callee.iter().all(|(fact, further)| {
                let known = other.if_callee.get(fact);
                further.ones().all(|pair| {
                    other.pairs.contains(pair) || known.is_some_and(|known| known.contains(pair))
                })
            })
    }

    /// Where some independent of it is active, whatever is a dependent.
    pub fn of_independents(&self, dependents: usize) -> Self {
        let widened = |pairs: &FixedBitSet| {
            let mut wider = pairs.clone();
            for pair in pairs.ones() {
                let row = pair - pair % dependents;
                wider.insert_range(row..row + dependents);
            }
            wider
        };
        let mut wider = Self::of(widened(&self.pairs));
        for (fact, further) in &self.if_callee {
            let further = Self::of(widened(further)).if_callee(*fact);
            wider.join(&further);
        }
        wider
    }

    /// Makes this hold also where `other` holds; says whether that changed it.
    pub fn join(&mut self, other: &Self) -> bool {
        if other.implies(self) {
            return false;
        }
        self.pairs.union_with(&other.pairs);
        for (fact, further) in &other.if_callee {
            self.if_callee.entry(*fact).or_default().union_with(further);
        }
        self.if_callee.values_mut().for_each(|further| further.difference_with(&self.pairs));
        self.if_callee.retain(|_, further| !further.is_clear());
        true
    }
}

impl Guard {
    /// The guard that does not depend on whether primal values are wanted.
    pub fn both(condition: Condition) -> Self {
        Self { primal: condition.clone(), bare: condition }
    }

    /// The guard that holds in every instance where primal values are wanted, and in no other.
    pub fn primal_only(pairs: usize) -> Self {
        Self { primal: Condition::always(pairs), bare: Condition::never(pairs) }
    }

    /// The guard that always holds.
    pub fn always(pairs: usize) -> Self {
        Self::both(Condition::always(pairs))
    }

    /// Whether it holds in every instance.
    pub fn is_always(&self) -> bool {
        self.primal.is_always() && self.bare.is_always()
    }

    /// Whether it holds in no instance.
    pub fn is_never(&self) -> bool {
        self.primal.is_never() && self.bare.is_never()
    }

    /// Whether this implies `other`.
    pub fn implies(&self, other: &Self) -> bool {
        self.primal.implies(&other.primal) && self.bare.implies(&other.bare)
    }

    /// Makes this hold also where `other` holds.
    pub fn join(&mut self, other: &Self) {
        self.primal.join(&other.primal);
        self.bare.join(&other.bare);
    }
}
