//! Conditions as sets of pairs: conjunction with a pair is membership, disjunction is union.

use super::values::{Condition, Guard};
use fixedbitset::FixedBitSet;

impl Condition {
    /// The condition that never holds, over `pairs` pairs.
    pub fn never(pairs: usize) -> Self {
        Self { pairs: FixedBitSet::with_capacity(pairs) }
    }

    /// The condition that always holds, over `pairs` pairs: a sweep only runs if some pair is
    /// active.
    pub fn always(pairs: usize) -> Self {
        let mut set = FixedBitSet::with_capacity(pairs);
        set.insert_range(..);
        Self { pairs: set }
    }

    /// Whether it never holds.
    pub fn is_never(&self) -> bool {
        self.pairs.is_clear()
    }

    /// Whether it holds in every instance.
    pub fn is_always(&self) -> bool {
        self.pairs.is_full()
    }

    /// Whether this implies `other`.
    pub fn implies(&self, other: &Self) -> bool {
        self.pairs.is_subset(&other.pairs)
    }

    /// Where some independent of it is active, whatever is a dependent.
    pub fn of_independents(&self, dependents: usize) -> Self {
        let mut wider = self.clone();
        for pair in self.pairs.ones() {
            let row = pair - pair % dependents;
            wider.pairs.insert_range(row..row + dependents);
        }
        wider
    }

    /// Makes this hold also where `other` holds; says whether that changed it.
    pub fn join(&mut self, other: &Self) -> bool {
        let before = self.pairs.count_ones(..);
        self.pairs.union_with(&other.pairs);
        self.pairs.count_ones(..) > before
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
