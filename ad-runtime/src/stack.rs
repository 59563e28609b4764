//! The typed stack of the forward and backward sweeps.

use crate::Storable;
use crate::fixed_point::FixedPoints;
use crate::report::Recorder;
use memory::{BesideMark, Usage};
use std::any::Any;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location;

mod bits;
mod frames;
mod memory;
mod together;

pub use frames::{Word, from_word, word};
pub(crate) use memory::heap_bytes_of_elements;
pub use together::{Popped, Put, Together, put};

/// The stack on which a forward sweep leaves what the backward sweep reads, last in, first out.
///
/// Scalars are stored as words in a list of blocks that never moves and never shrinks: growth copies
/// nothing, and once a stack has reached the size a computation needs, pushing allocates nothing.
/// Truth values are packed as bits. Owned values are moved in and out.
///
/// ```
/// use backsweep::Stack;
///
/// let mut stack = Stack::new();
/// stack.push(1.5_f64);
/// stack.push(true);
/// assert!(stack.pop::<bool>());
/// assert_eq!(stack.pop::<f64>(), 1.5);
/// assert!(stack.is_empty());
/// ```
///
/// # Panics
/// Popping from an empty stack panics; so does, in debug builds, popping another type than was
/// pushed.
pub struct Stack {
    /// The block that is written; `block[..top]` is in use.
    block: Box<[u64]>,
    top: usize,
    /// The blocks below it, in which there was no room any more.
    below: Vec<Full>,
    /// Empty blocks, to be used again.
    spare: Vec<Box<[u64]>>,
    /// Words in the blocks below.
    words_below: usize,
    /// What was popped of a frame that was not in one piece.
    gathered: Vec<u64>,
    bits: Vec<u64>,
    bit_count: usize,
    owned: Vec<Owned>,
    usage: Usage,
    limit: Option<usize>,
    recorder: Option<Box<Recorder>>,
    /// Where it is said what is pushed, if that is not where the stack is called.
    site: Option<&'static Location<'static>>,
    pub(crate) fixed_points: FixedPoints,
    #[cfg(debug_assertions)]
    types: Vec<&'static str>,
}

/// A block in which there was no room for what came next.
struct Full {
    words: Box<[u64]>,
    /// How many of the words are in use.
    top: usize,
}

/// A value that was moved onto the stack, and its size.
struct Owned {
    value: Box<dyn Any + Send>,
    bytes: usize,
}

/// A height of a [`Stack`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    words: usize,
    bits: usize,
    owned: usize,
    beside: BesideMark,
    types: usize,
}

impl Mark {
    /// The height of an empty stack.
    pub(crate) const BOTTOM: Self =
        Self { words: 0, bits: 0, owned: 0, beside: BesideMark::BOTTOM, types: 0 };
}

/// The length of the first block, in words; each new block is twice as long as the last.
const FIRST_BLOCK: usize = 1 << 8;
/// The length of the longest block, in words.
const LONGEST_BLOCK: usize = 1 << 20;
/// The length of the longest block of a stack with a limit, so that what is not full is soon noticed.
const LONGEST_LIMITED_BLOCK: usize = FIRST_BLOCK;

impl Stack {
    /// An empty stack.
    pub fn new() -> Self {
        Self {
            block: Box::default(),
            top: 0,
            below: Vec::new(),
            spare: Vec::new(),
            words_below: 0,
            gathered: Vec::new(),
            bits: Vec::new(),
            bit_count: 0,
            owned: Vec::new(),
            usage: Usage::default(),
            limit: None,
            recorder: None,
            site: None,
            fixed_points: FixedPoints::default(),
            #[cfg(debug_assertions)]
            types: Vec::new(),
        }
    }

    /// An empty stack that panics rather than hold more than so many bytes, in the sense of
    /// [`peak_bytes`](Self::peak_bytes), naming the limit and the place that takes them. Where scalars, truth values and lists
    /// are pushed by turns, it may hold 2 KiB more.
    pub fn with_limit(bytes: usize) -> Self {
        Self { limit: Some(bytes), ..Self::new() }
    }

    /// An empty stack that records what is pushed onto it, for its [report](Self::report). It is slower, and
    /// takes several times the memory that it reports; other stacks pay nothing for that.
    ///
    /// ```
    /// use backsweep::Stack;
    ///
    /// let mut stack = Stack::recording();
    /// stack.push(1.5_f64);
    /// println!("{}", stack.report());
    /// ```
    pub fn recording() -> Self {
        // There is never room for a word or a bit, so that each push takes the way that is otherwise taken by those for
        // which there is none.
        Self { recorder: Some(Box::default()), ..Self::new() }
    }

    /// Pushes a value.
    #[inline]
    #[track_caller]
    pub fn push<T: Storable>(&mut self, value: T) {
        #[cfg(debug_assertions)]
        self.types.push(T::type_name());
        value.store(self);
    }

    /// Pops the value on top.
    #[inline]
    #[track_caller]
    pub fn pop<T: Storable>(&mut self) -> T {
        #[cfg(debug_assertions)]
        {
            let pushed = self.types.pop().expect("the stack is empty");
            let popped = T::type_name();
            assert!(pushed == popped, "a `{pushed}` was pushed, a `{popped}` is popped");
        }
        T::load(self)
    }

    /// Pushes copies of all elements of a slice, as one value.
    #[inline]
    #[track_caller]
    pub fn push_slice<T: Storable + Clone>(&mut self, slice: &[T]) {
        #[cfg(debug_assertions)]
        self.types.push(std::any::type_name::<[T]>());
        let mut rest = slice;
        while let [first, others @ ..] = rest {
            rest = match self.push_while_there_is_room(rest) {
                0 => {
                    first.clone().store(self);
                    others
                }
                stored => &rest[stored..],
            };
        }
    }

    /// Pops what [`push_slice`](Self::push_slice) pushed for a slice of that length.
    #[inline]
    #[track_caller]
    pub fn pop_slice<T: Storable>(&mut self, slice: &mut [T]) {
        #[cfg(debug_assertions)]
        {
            let pushed = self.types.pop().expect("the stack is empty");
            let popped = std::any::type_name::<[T]>();
            assert!(pushed == popped, "a `{pushed}` was pushed, a `{popped}` is popped");
        }
        let mut rest = slice;
        while !rest.is_empty() {
            let loaded = self.pop_while_there_are_words(rest);
            let (others, above) = rest.split_at_mut(rest.len() - loaded.max(1));
            if loaded == 0 {
                above[0] = T::load(self);
            }
            rest = others;
        }
    }

    /// Pushes a value that takes words only, if there is room for it in the block.
    #[inline]
    pub fn push_in_one_piece<T: Storable>(&mut self, value: &T) -> bool {
        let Some(words) = T::WORDS else { return false };
        let Some(room) = self.block.get_mut(self.top..self.top + words) else { return false };
        value.to_words(room);
        self.top += words;
        true
    }

    /// Pushes a value that takes words only, part by part where there is no room for them in the block.
    #[inline(always)]
    #[track_caller]
    pub(crate) fn push_words_of<T: Storable>(
        &mut self,
        value: T,
        by_parts: impl FnOnce(T, &mut Self),
    ) {
        if !self.push_in_one_piece(&value) {
            let site = Location::caller();
            cold(|| {
                let outer = self.site;
                self.site = outer.or(Some(site));
                by_parts(value, self);
                self.site = outer;
            });
        }
    }

    /// Pops a value that takes words only, part by part where not all of them are in the block.
    #[inline(always)]
    pub(crate) fn pop_words_of<T: Storable>(&mut self, by_parts: impl FnOnce(&mut Self) -> T) -> T {
        let words = T::WORDS.unwrap_or(usize::MAX);
        if words > self.top {
            return cold(|| by_parts(self));
        }
        let bottom = self.top - words;
        let value = T::from_words(&self.block[bottom..self.top]);
        self.top = bottom;
        value
    }

    /// Pops a value that takes words only, if all of them are in the block.
    #[inline]
    pub fn pop_in_one_piece<T: Storable>(&mut self) -> Option<T> {
        let bottom = self.top.checked_sub(T::WORDS?)?;
        let value = T::from_words(&self.block[bottom..self.top]);
        self.top = bottom;
        Some(value)
    }

    /// Pushes the first elements of a list, as many as there is room for in the block; says how many.
    #[inline]
    fn push_while_there_is_room<T: Storable>(&mut self, list: &[T]) -> usize {
        let Some(words @ 1..) = T::WORDS else { return 0 };
        let count = list.len().min((self.block.len() - self.top) / words);
        let room = &mut self.block[self.top..self.top + count * words];
        for (item, words) in list.iter().zip(room.chunks_exact_mut(words)) {
            item.to_words(words);
        }
        self.top += count * words;
        count
    }

    /// Pops the last elements of a list, as many as have all their words in the block; says how many.
    #[inline]
    fn pop_while_there_are_words<T: Storable>(&mut self, list: &mut [T]) -> usize {
        let Some(words @ 1..) = T::WORDS else { return 0 };
        let count = list.len().min(self.top / words);
        let first = list.len() - count;
        let bottom = self.top - count * words;
        let pushed = &self.block[bottom..self.top];
        for (item, words) in list[first..].iter_mut().zip(pushed.chunks_exact(words)) {
            *item = T::from_words(words);
        }
        self.top = bottom;
        count
    }

    #[inline]
    #[track_caller]
    pub(crate) fn push_word(&mut self, word: u64, kind: &'static str) {
        if self.top == self.block.len() {
            return self.push_beyond(word, kind, Location::caller());
        }
        self.block[self.top] = word;
        self.top += 1;
    }

    #[inline]
    #[track_caller]
    pub(crate) fn pop_word(&mut self) -> u64 {
        if self.top == 0 {
            return self.pop_below();
        }
        self.top -= 1;
        self.block[self.top]
    }

    /// Pushes a word for which there is no room.
    #[cold]
    fn push_beyond(&mut self, word: u64, kind: &'static str, site: &'static Location<'static>) {
        self.note_peak();
        self.check_limit(8, site);
        if let Some(recorder) = &mut self.recorder {
            recorder.words.push(word);
            self.words_below = recorder.words.len();
            return self.record(kind, 8, site, self.all_bytes());
        }
        let next = match self.spare.pop() {
            Some(block) => block,
            None => vec![0; self.length_of_next_block()].into_boxed_slice(),
        };
        self.begin_block(next);
        self.block[0] = word;
        self.top = 1;
    }

    fn length_of_next_block(&self) -> usize {
        let len = (2 * self.block.len()).clamp(FIRST_BLOCK, LONGEST_BLOCK);
        match self.limit {
            Some(limit) => {
                let room = (limit - self.all_bytes()) / 8;
                len.min(LONGEST_LIMITED_BLOCK).min(room)
            }
            None => len,
        }
    }

    /// Pops a word that is not in the block.
    #[cold]
    #[track_caller]
    fn pop_below(&mut self) -> u64 {
        if let Some(recorder) = &mut self.recorder {
            let word = recorder.words.pop().expect("the stack is empty");
            self.words_below = recorder.words.len();
            return word;
        }
        self.previous_block();
        self.top -= 1;
        self.block[self.top]
    }

    #[cold]
    #[track_caller]
    fn previous_block(&mut self) {
        while self.top == 0 {
            let Full { words, top } = self.below.pop().expect("the stack is empty");
            self.words_below -= top;
            self.top = top;
            self.spare.push(std::mem::replace(&mut self.block, words));
        }
    }

    fn words(&self) -> usize {
        self.words_below + self.top
    }

    /// Whether nothing is on the stack.
    pub fn is_empty(&self) -> bool {
        self.words() == 0 && self.bit_count == 0 && self.owned.is_empty()
    }

    /// The present height.
    pub fn mark(&self) -> Mark {
        Mark {
            words: self.words(),
            bits: self.bit_count,
            owned: self.owned.len(),
            beside: self.mark_beside(),
            #[cfg(debug_assertions)]
            types: self.types.len(),
            #[cfg(not(debug_assertions))]
            types: 0,
        }
    }

    /// Drops everything above a height.
    pub fn rewind(&mut self, mark: Mark) {
        self.note_peak();
        if let Some(recorder) = &mut self.recorder {
            recorder.words.truncate(mark.words);
            self.words_below = recorder.words.len();
        }
        while self.words() > mark.words {
            let above = self.words() - mark.words;
            if self.top == 0 {
                self.previous_block();
            }
            self.top -= above.min(self.top);
        }
        self.bit_count = self.bit_count.min(mark.bits);
        while self.owned.len() > mark.owned {
            self.pop_owned();
        }
        self.rewind_beside(mark);
        self.site = None;
        #[cfg(debug_assertions)]
        self.types.truncate(mark.types);
    }

    /// Drops everything that is pushed through the result when that goes out of scope, also by a
    /// panic, unless it is told to [keep](Rewind::keep) it.
    pub fn rewind_on_drop(&mut self) -> Rewind<'_> {
        self.fixed_points.forget();
        let mark = self.mark();
        Rewind { stack: self, mark, keeps: false }
    }

    /// Marks the end of a forward sweep of the function with this tag.
    #[track_caller]
    pub fn push_tag(&mut self, tag: u64) {
        self.push_word(tag, "tag");
        self.note_peak();
    }

    /// Checks that what is on top was left by a forward sweep of the function with this tag.
    ///
    /// # Panics
    /// If it was not: "backward without its forward".
    #[track_caller]
    pub fn pop_tag(&mut self, tag: u64, function: &str) {
        self.fixed_points.forget();
        let found = self.words() > 0 && self.pop_word() == tag;
        assert!(found, "backward without its forward: `{function}`");
    }
}

/// Runs what is seldom run, out of line.
#[cold]
#[inline(never)]
fn cold<R>(run: impl FnOnce() -> R) -> R {
    run()
}

impl Default for Stack {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stack")
            .field("bytes", &self.bytes())
            .field("owned", &self.owned.len())
            .field("peak_bytes", &self.peak_bytes())
            .finish()
    }
}

/// Rewinds a stack to the height it had; see [`Stack::rewind_on_drop`].
#[derive(Debug)]
pub struct Rewind<'s> {
    stack: &'s mut Stack,
    mark: Mark,
    keeps: bool,
}

impl Rewind<'_> {
    /// Leaves on the stack what has been pushed.
    pub fn keep(mut self) {
        self.keeps = true;
    }
}

impl Drop for Rewind<'_> {
    fn drop(&mut self) {
        if !self.keeps {
            self.stack.rewind(self.mark);
            self.stack.fixed_points.forget();
        }
    }
}

impl Deref for Rewind<'_> {
    type Target = Stack;
    fn deref(&self) -> &Stack {
        self.stack
    }
}

impl DerefMut for Rewind<'_> {
    fn deref_mut(&mut self) -> &mut Stack {
        self.stack
    }
}

/// The tag of a function: a hash (FNV-1a) of where it is.
pub const fn tag(place: &str, line: u32) -> u64 {
    let bytes = place.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325 ^ line as u64;
    let mut position = 0;
    while position < bytes.len() {
        hash = (hash ^ bytes[position] as u64).wrapping_mul(0x0100_0000_01b3);
        position += 1;
    }
    hash
}
