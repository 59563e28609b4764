//! How much memory a stack holds, on itself and beside itself.
//!
//! What is pushed as words and bits is counted where a block is full and at every turn from a forward to a backward sweep, so that
//! a push costs nothing; everything else, of which each piece is an allocation of its own, where it is made.

use super::{Mark, Owned, Stack};
use crate::Storable;
use crate::report::Report;
use crate::schedule::Taken;
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::panic::Location;
use std::sync::LazyLock;

/// What a stack knows of the memory it takes besides words and bits.
#[derive(Default)]
pub(super) struct Usage {
    /// The bytes of the values that were moved onto it.
    owned: usize,
    /// The bytes of what belongs to sweeps that have not ended, and is not on it.
    beside: usize,
    /// What calls keep by value in the course of a backward sweep, one after the other.
    kept: Vec<usize>,
    /// The bytes of snapshots on disk.
    on_disk: u64,
    /// The largest number of bytes at once, as far as it was noted.
    peak: usize,
    peak_on_disk: u64,
}

/// What there is beside a stack at some height.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BesideMark {
    bytes: usize,
    kept: usize,
    on_disk: u64,
}

impl BesideMark {
    /// There is nothing.
    pub(super) const BOTTOM: Self = Self { bytes: 0, kept: 0, on_disk: 0 };
}

impl Stack {
    /// What the stack has been used for. Traffic is known of stacks that [record](Self::recording) it.
    pub fn report(&self) -> Report {
        let convergence = self.fixed_points.convergence.iter();
        let mut report = Report {
            bytes: self.all_bytes(),
            peak_bytes: self.peak_bytes(),
            bytes_on_disk: self.usage.on_disk,
            peak_bytes_on_disk: self.usage.peak_on_disk,
            pushed: None,
            by_kind: Vec::new(),
            by_site: Vec::new(),
            fixed_points: convergence.map(|(site, known)| (site.to_string(), *known)).collect(),
        };
        if let Some(recorder) = &self.recorder {
            recorder.add_to(&mut report);
        }
        report
    }

    /// How many bytes of plain data are on the stack: 8 for each scalar, 1 for each 8 truth values.
    pub fn bytes(&self) -> usize {
        8 * self.words() + self.bit_count.div_ceil(8)
    }

    /// The largest number of bytes that the stack has held at once: scalars, truth values, lists that were moved onto it, and
    /// what belongs to sweeps that have not ended and is not on it, such as the snapshots of a checkpointed loop.
    ///
    /// Of the functions that `#[adjoint]` makes that is exact, but for what [`Storable::heap_bytes`] does not see. Of
    /// scalars and truth values that are pushed by hand it is a lower bound, unless the stack [records](Self::recording) them:
    /// it is noted where a block is full and where something is moved onto the stack.
    pub fn peak_bytes(&self) -> usize {
        self.usage.peak.max(self.all_bytes())
    }

    pub(super) fn all_bytes(&self) -> usize {
        self.bytes() + self.usage.owned + self.usage.beside + self.fixed_points.bytes
    }

    /// The turn from a forward sweep to its backward sweep, where most is on the stack. What the forward sweep has
    /// kept by value counts until the stack is rewound.
    #[inline]
    #[track_caller]
    pub fn turn<K: Storable>(&mut self, kept: &K) {
        let bytes = kept.heap_bytes();
        if bytes > 0 {
            self.add_beside(bytes, KEPT, Location::caller());
        }
        self.note_peak();
    }

    /// The turn of a call in the course of a backward sweep: what it has kept by value counts until it is
    /// [released](Self::release).
    #[inline]
    #[track_caller]
    pub fn hold<K: Storable>(&mut self, kept: &K) {
        self.turn(kept);
        self.usage.kept.push(kept.heap_bytes());
    }

    /// What was held last is gone.
    #[inline]
    pub fn release(&mut self) {
        let bytes = self.usage.kept.pop().expect("something is held");
        self.usage.beside -= bytes;
    }

    /// Snapshots take something else than they took.
    pub(crate) fn count_snapshots(
        &mut self,
        counted: &mut Taken,
        now: Taken,
        site: &'static Location<'static>,
    ) {
        let before = std::mem::replace(counted, now);
        self.usage.on_disk = self.usage.on_disk - before.on_disk + now.on_disk;
        self.usage.peak_on_disk = self.usage.peak_on_disk.max(self.usage.on_disk);
        match now.bytes.checked_sub(before.bytes) {
            Some(more @ 1..) => self.add_beside(more, "snapshot", site),
            Some(0) => {}
            None => self.usage.beside -= before.bytes - now.bytes,
        }
        self.note_peak();
    }

    fn add_beside(&mut self, bytes: usize, kind: &'static str, site: &'static Location<'static>) {
        self.check_limit(bytes, site);
        self.usage.beside += bytes;
        self.record(kind, bytes, site, self.all_bytes());
    }

    /// Moves a value onto the stack that owns so many bytes.
    #[track_caller]
    pub(crate) fn push_owned<T: Any + Send>(&mut self, value: T, heap_bytes: usize) {
        let bytes = heap_bytes + size_of::<T>() + size_of::<Owned>();
        self.check_limit(bytes, Location::caller());
        self.owned.push(Owned { value: Box::new(value), bytes });
        self.usage.owned += bytes;
        self.record(std::any::type_name::<T>(), bytes, Location::caller(), self.all_bytes());
        self.note_peak();
    }

    #[track_caller]
    pub(crate) fn pop_owned(&mut self) -> Box<dyn Any + Send> {
        let Owned { value, bytes } = self.owned.pop().expect("the stack is empty");
        self.usage.owned -= bytes;
        value
    }

    /// Something has been pushed, after which there are so many bytes.
    pub(super) fn record(
        &mut self,
        kind: &'static str,
        bytes: usize,
        site: &'static Location<'static>,
        total: usize,
    ) {
        let site = self.site.unwrap_or(site);
        if let Some(recorder) = &mut self.recorder {
            recorder.note(kind, bytes, site);
            self.usage.peak = self.usage.peak.max(total);
        }
    }

    /// Panics if there is a limit and so many bytes more exceed it.
    pub(super) fn check_limit(&self, more: usize, site: &'static Location<'static>) {
        let site = self.site.unwrap_or(site);
        if let Some(limit) = self.limit {
            assert!(
                self.all_bytes() + more <= limit,
                "the stack has reached its limit of {limit} bytes, where {site} takes {more} more"
            );
        }
    }

    pub(crate) fn note_peak(&mut self) {
        self.usage.peak = self.usage.peak.max(self.all_bytes());
    }

    pub(super) fn mark_beside(&self) -> BesideMark {
        let Usage { beside, kept, on_disk, .. } = &self.usage;
        BesideMark { bytes: *beside, kept: kept.len(), on_disk: *on_disk }
    }

    /// What sweeps above a height had beside the stack is gone with them.
    pub(super) fn rewind_beside(&mut self, Mark { beside, .. }: Mark) {
        self.usage.beside = beside.bytes;
        self.usage.kept.truncate(beside.kept);
        self.usage.on_disk = beside.on_disk;
    }
}

/// What pushes are called that stay where they are.
const KEPT: &str = "kept by value";

/// The bytes on the heap of the elements of a list. Of elements that own memory only lists of numbers and texts can be seen here.
pub(crate) fn heap_bytes_of_elements<T: 'static>(list: &[T]) -> usize {
    if !std::mem::needs_drop::<T>() {
        return 0;
    }
    let Some(heap_bytes) = HEAP_BYTES.get(&TypeId::of::<T>()) else { return 0 };
    list.iter().map(|item| heap_bytes(item)).sum()
}

type HeapBytes = fn(&dyn Any) -> usize;

/// What types of elements own. It is a table since what is generic is compiled anew for each type of elements.
static HEAP_BYTES: LazyLock<HashMap<TypeId, HeapBytes>> = LazyLock::new(|| {
    fn of<T: Storable + 'static>(table: &mut HashMap<TypeId, HeapBytes>) {
        table.insert(TypeId::of::<T>(), |item| {
            item.downcast_ref::<T>().map_or(0, Storable::heap_bytes)
        });
    }
    let mut table = HashMap::new();
    macro_rules! lists_of {
        ($($ty:ty)*) => {$(
            of::<Vec<$ty>>(&mut table);
            of::<Vec<Vec<$ty>>>(&mut table);
            of::<Vec<[$ty; 2]>>(&mut table);
            of::<Vec<[$ty; 3]>>(&mut table);
            of::<Vec<[$ty; 4]>>(&mut table);
            of::<Vec<($ty, $ty)>>(&mut table);
            of::<Option<Vec<$ty>>>(&mut table);
        )*};
    }
    lists_of! { f64 f32 usize u8 u16 u32 u64 isize i8 i16 i32 i64 bool char String }
    of::<String>(&mut table);
    table
});
