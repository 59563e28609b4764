//! Typed indices: `u32` newtypes that print as the textual IR does (`v3`, `s7`), the vectors they
//! index and the bit sets they form.
//!
//! Facts about variables, statements, zones and program points live in side tables keyed by these
//! types; nothing is hung on the nodes of the IR.

use fixedbitset::FixedBitSet;
use std::fmt;
use std::marker::PhantomData;
use std::ops;

/// A dense index into an [`IndexVec`].
pub trait Index: Copy + Eq + Ord + fmt::Debug {
    /// The index with this position.
    fn new(position: usize) -> Self;
    /// The position of this index.
    fn position(self) -> usize;
}

macro_rules! index_type {
    ($(#[$attr:meta])* $name:ident, $prefix:literal) => {
        $(#[$attr])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $crate::index::Index for $name {
            fn new(position: usize) -> Self {
                Self(u32::try_from(position).expect("fewer than 2^32 entities"))
            }
            fn position(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(self, f)
            }
        }
    };
}

pub(crate) use index_type;

index_type!(
    /// A variable of a [`Body`](crate::ir::Body).
    Var,
    "v"
);
index_type!(
    /// A statement of a [`Body`](crate::ir::Body).
    StmtId,
    "s"
);
index_type!(
    /// A labelled construct that an exit can leave.
    Label,
    "l"
);
index_type!(
    /// A scope: a list of statements whose declarations die at its end.
    Scope,
    "b"
);
index_type!(
    /// A zone: the unit of storage the analyses distinguish.
    Zone,
    "z"
);
index_type!(
    /// A point of the flow graph.
    Point,
    "p"
);

/// A vector indexed by one index type.
#[derive(Clone, PartialEq)]
pub struct IndexVec<I, T> {
    items: Vec<T>,
    marker: PhantomData<fn(I)>,
}

impl<I: Index, T> IndexVec<I, T> {
    /// An empty vector.
    pub fn new() -> Self {
        Self::default()
    }

    /// `len` copies of `item`.
    pub fn filled(item: T, len: usize) -> Self
    where
        T: Clone,
    {
        Self { items: vec![item; len], marker: PhantomData }
    }

    /// Appends an item and returns its index.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::new(self.items.len() - 1)
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The item at an index, if there is one.
    pub fn get(&self, index: I) -> Option<&T> {
        self.items.get(index.position())
    }

    /// The items in the order of their indices.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// The indices in order.
    pub fn indices(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::new)
    }

    /// Indices with their items.
    pub fn enumerated(&self) -> impl Iterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(position, item)| (I::new(position), item))
    }
}

impl<I, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Self { items: Vec::new(), marker: PhantomData }
    }
}

impl<I, T: fmt::Debug> fmt::Debug for IndexVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.fmt(f)
    }
}

impl<I: Index, T> ops::Index<I> for IndexVec<I, T> {
    type Output = T;
    fn index(&self, index: I) -> &T {
        &self.items[index.position()]
    }
}

impl<I: Index, T> ops::IndexMut<I> for IndexVec<I, T> {
    fn index_mut(&mut self, index: I) -> &mut T {
        &mut self.items[index.position()]
    }
}

impl<I: Index, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(items: It) -> Self {
        Self { items: items.into_iter().collect(), marker: PhantomData }
    }
}

/// A set of indices of one type. It grows on insertion, so sets over different universes of the
/// same type may be combined.
#[derive(Clone)]
pub struct BitSet<I> {
    bits: FixedBitSet,
    marker: PhantomData<fn(I)>,
}

impl<I: Index> BitSet<I> {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an index; says whether it was new.
    pub fn insert(&mut self, index: I) -> bool {
        let position = index.position();
        if position >= self.bits.len() {
            self.bits.grow(position + 1);
        }
        !self.bits.put(position)
    }

    /// Removes an index.
    pub fn remove(&mut self, index: I) {
        if index.position() < self.bits.len() {
            self.bits.remove(index.position());
        }
    }

    /// Whether the index is in the set.
    pub fn contains(&self, index: I) -> bool {
        self.bits.contains(index.position())
    }

    /// Adds all of `other`; says whether the set grew.
    pub fn join(&mut self, other: &Self) -> bool {
        let before = self.bits.count_ones(..);
        self.bits.union_with(&other.bits);
        self.bits.count_ones(..) > before
    }

    /// Removes all of `other`.
    pub fn subtract(&mut self, other: &Self) {
        self.bits.difference_with(&other.bits);
    }

    /// Whether the sets share an index.
    pub fn intersects(&self, other: &Self) -> bool {
        !self.bits.is_disjoint(&other.bits)
    }

    /// Whether every index of this set is in `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.iter().all(|index| other.contains(index))
    }

    /// Whether the set has no index.
    pub fn is_empty(&self) -> bool {
        self.bits.is_clear()
    }

    /// The indices in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = I> + '_ {
        self.bits.ones().map(I::new)
    }
}

impl<I> Default for BitSet<I> {
    fn default() -> Self {
        Self { bits: FixedBitSet::new(), marker: PhantomData }
    }
}

impl<I: Index> PartialEq for BitSet<I> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<I: Index> Eq for BitSet<I> {}

impl<I: Index> fmt::Debug for BitSet<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<I: Index> FromIterator<I> for BitSet<I> {
    fn from_iter<It: IntoIterator<Item = I>>(indices: It) -> Self {
        let mut set = Self::new();
        set.extend(indices);
        set
    }
}

impl<I: Index> Extend<I> for BitSet<I> {
    fn extend<It: IntoIterator<Item = I>>(&mut self, indices: It) {
        for index in indices {
            self.insert(index);
        }
    }
}
