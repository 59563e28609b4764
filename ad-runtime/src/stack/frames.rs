//! Frames: the words that all iterations of a loop push, in one piece.

use super::bits::{BitsPopped, BitsPushed};
use super::{Full, Stack};
use crate::Storable;
use std::iter::Zip;
use std::ops::Range;
use std::panic::Location;
use std::slice;

/// A word that every iteration of a loop pushes, or a bit: of what type it is, and where that is said.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    kind: &'static str,
    site: &'static Location<'static>,
    is_bit: bool,
}

impl Word {
    /// The word of a value of this type.
    #[inline]
    #[track_caller]
    pub fn of<T: Storable>() -> Self {
        Self { kind: std::any::type_name::<T>(), site: Location::caller(), is_bit: false }
    }

    /// A truth value.
    #[inline]
    #[track_caller]
    pub fn bit() -> Self {
        Self::bit_at(Location::caller())
    }

    pub(super) fn bit_at(site: &'static Location<'static>) -> Self {
        Self { kind: "bool", site, is_bit: true }
    }

    pub(super) fn is_bit(&self) -> bool {
        self.is_bit
    }

    pub(super) fn site(&self) -> &'static Location<'static> {
        self.site
    }
}

/// The words that the iterations of a loop push.
#[derive(Debug)]
pub struct FramesPushed<'s, const K: usize> {
    first: usize,
    frames: &'s mut [[u64; K]],
}

/// The words that the iterations of a loop have pushed.
#[derive(Debug)]
pub struct FramesPopped<'s, const K: usize> {
    first: usize,
    frames: &'s [[u64; K]],
}

impl<const K: usize> FramesPushed<'_, K> {
    /// Those of the iteration with this number.
    #[inline(always)]
    pub fn at(&mut self, number: usize) -> &mut [u64; K] {
        &mut self.frames[number - self.first]
    }
}

impl<const K: usize> FramesPopped<'_, K> {
    /// Those of the iteration with this number.
    #[inline(always)]
    pub fn at(&self, number: usize) -> &[u64; K] {
        &self.frames[number - self.first]
    }
}

/// The word of a value that takes one.
#[inline(always)]
pub fn word<T: Storable>(value: T) -> u64 {
    const { assert!(matches!(T::WORDS, Some(1))) };
    let mut words = [0];
    value.to_words(&mut words);
    words[0]
}

/// The value that a word was made of.
#[inline(always)]
pub fn from_word<T: Storable>(word: u64) -> T {
    const { assert!(matches!(T::WORDS, Some(1))) };
    T::from_words(&[word])
}

impl Stack {
    /// The numbers of a range, each with the words that its iteration pushes. The iterations write them, in whatever order;
    /// on the stack the words of the last one are on top, as if each had pushed its own.
    #[inline]
    pub fn pushing<const K: usize>(
        &mut self,
        range: Range<usize>,
        words: [Word; K],
    ) -> Zip<Range<usize>, slice::IterMut<'_, [u64; K]>> {
        self.note_types(range.len(), &words);
        let frame = self.push_frame(range.len() * K, &words).0;
        range.zip(frame.as_chunks_mut().0)
    }

    /// The numbers of a range, each with the words that its iteration has pushed, all of which are popped.
    #[inline]
    pub fn popping<const K: usize>(
        &mut self,
        range: Range<usize>,
        words: [Word; K],
    ) -> Zip<Range<usize>, slice::Iter<'_, [u64; K]>> {
        self.check_types(range.len(), &words);
        let frame = self.pop_frame(range.len() * K).0;
        range.zip(frame.as_chunks().0)
    }

    /// Takes `K` words for each number of a range, and bits, if its iterations push them: `items` tell in what order.
    #[inline]
    pub fn pushing_frames<const K: usize, const N: usize>(
        &mut self,
        is_pushed: bool,
        numbers: &Range<usize>,
        items: [Word; N],
    ) -> (FramesPushed<'_, K>, BitsPushed<'_>) {
        let count = if is_pushed { numbers.len() } else { 0 };
        self.note_types(count, &items);
        let below = self.room_for_bits(count * (N - K), &items);
        let (words, bits) = self.push_frame(count * K, &items);
        let frames = &mut words.as_chunks_mut().0[..count];
        (FramesPushed { first: numbers.start, frames }, BitsPushed::above(below, bits))
    }

    /// The same for what iterations pop, if they do, from the last to the first.
    #[inline]
    pub fn popping_frames<const K: usize, const N: usize>(
        &mut self,
        is_popped: bool,
        numbers: &Range<usize>,
        items: [Word; N],
    ) -> (FramesPopped<'_, K>, BitsPopped<'_>) {
        let count = if is_popped { numbers.len() } else { 0 };
        self.check_types(count, &items);
        let above = self.give_up_bits(count * (N - K));
        let (words, bits) = self.pop_frame(count * K);
        let frames = &words.as_chunks().0[..count];
        (FramesPopped { first: numbers.start, frames }, BitsPopped::of(above, bits))
    }

    /// Room for so many words, and the words of all bits.
    #[inline]
    pub(super) fn push_frame(&mut self, count: usize, items: &[Word]) -> (&mut [u64], &mut [u64]) {
        if count > self.block.len() - self.top {
            return self.frame_beyond(count, items);
        }
        let bottom = self.top;
        self.top += count;
        (&mut self.block[bottom..self.top], &mut self.bits)
    }

    /// The topmost words, which are popped, and the words of all bits.
    #[inline]
    pub(super) fn pop_frame(&mut self, count: usize) -> (&[u64], &[u64]) {
        if count > self.top {
            return self.frame_below(count);
        }
        let top = self.top;
        self.top -= count;
        (&self.block[self.top..top], &self.bits)
    }

    /// Notes what is pushed by turns, where that is checked.
    #[inline]
    pub(super) fn note_types(&mut self, count: usize, items: &[Word]) {
        #[cfg(debug_assertions)]
        for _ in 0..count {
            self.types.extend(items.iter().map(|item| item.kind));
        }
        let _ = (count, items);
    }

    /// Checks that what is popped by turns was pushed.
    #[inline]
    pub(super) fn check_types(&mut self, count: usize, items: &[Word]) {
        #[cfg(debug_assertions)]
        for _ in 0..count {
            for item in items.iter().rev() {
                let pushed = self.types.pop().expect("the stack is empty");
                let popped = item.kind;
                assert!(pushed == popped, "a `{pushed}` was pushed, a `{popped}` is popped");
            }
        }
        let _ = (count, items);
    }

    /// A frame for which there is no room in the block.
    #[cold]
    fn frame_beyond(&mut self, count: usize, items: &[Word]) -> (&mut [u64], &mut [u64]) {
        self.note_peak();
        let site = items.iter().find(|item| !item.is_bit).map_or(Location::caller(), Word::site);
        self.check_limit(8 * count, site);
        if self.recorder.is_some() {
            return self.recorded_frame(count, items);
        }
        let next = match self.spare.pop() {
            Some(block) if block.len() >= count => block,
            spare => {
                self.spare.extend(spare);
                let len = match self.limit {
                    Some(_) => count,
                    None => self.length_of_next_block().max(count),
                };
                vec![0; len].into_boxed_slice()
            }
        };
        self.begin_block(next);
        self.top = count;
        (&mut self.block[..count], &mut self.bits)
    }

    /// The words of a stack that records are elsewhere.
    fn recorded_frame(&mut self, count: usize, items: &[Word]) -> (&mut [u64], &mut [u64]) {
        for word in items.iter().filter(|item| !item.is_bit).cycle().take(count) {
            self.words_below += 1;
            self.record(word.kind, 8, word.site, self.all_bytes());
        }
        let recorder = self.recorder.as_mut().expect("the stack records");
        let bottom = recorder.words.len();
        recorder.words.resize(bottom + count, 0);
        (&mut recorder.words[bottom..], &mut recorder.bits)
    }

    /// A frame that is not in one piece, or not in the block.
    #[cold]
    fn frame_below(&mut self, count: usize) -> (&[u64], &[u64]) {
        let mut gathered = std::mem::take(&mut self.gathered);
        gathered.clear();
        gathered.extend((0..count).map(|_| self.pop_word()));
        gathered.reverse();
        self.gathered = gathered;
        let bits = self.recorder.as_ref().map_or(&self.bits, |recorder| &recorder.bits);
        (&self.gathered, bits)
    }
}

impl Stack {
    /// Goes on in another block.
    pub(super) fn begin_block(&mut self, next: Box<[u64]>) {
        let words = std::mem::replace(&mut self.block, next);
        self.words_below += self.top;
        self.below.push(Full { words, top: self.top });
        self.top = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pushes and pops by turns in frames and one by one.
    fn round(stack: &mut Stack, lens: &[usize]) {
        let words = || [Word::of::<f64>(), Word::of::<u8>()];
        for (round, &len) in lens.iter().enumerate() {
            stack.push(round);
            if round % 3 == 2 {
                for k in 0..len {
                    stack.push(k as f64);
                    stack.push(round as u8);
                }
            } else {
                for (k, frame) in stack.pushing(5..5 + len, words()) {
                    frame[0] = word((k - 5) as f64);
                    frame[1] = word(round as u8);
                }
            }
        }
        for (round, &len) in lens.iter().enumerate().rev() {
            if round % 4 == 1 {
                for k in (0..len).rev() {
                    assert_eq!(stack.pop::<u8>(), round as u8);
                    assert_eq!(stack.pop::<f64>(), k as f64);
                }
            } else {
                let mut expected = (0..len).rev();
                for (k, frame) in stack.popping(0..len, words()).rev() {
                    assert_eq!(Some(k), expected.next());
                    assert_eq!(from_word::<u8>(frame[1]), round as u8);
                    assert_eq!(from_word::<f64>(frame[0]), k as f64);
                }
                assert_eq!(expected.next(), None);
            }
            assert_eq!(stack.pop::<usize>(), round);
        }
        assert!(stack.is_empty());
    }

    #[test]
    fn frames_are_what_their_iterations_push() {
        let lens = [3, 0, 700, 1, 120, 120, 120, 5000, 2, 90, 90, 33, 1, 0, 300_000, 4];
        let mut stacks = [Stack::new(), Stack::recording(), Stack::with_limit(1 << 24)];
        for stack in &mut stacks {
            round(stack, &lens);
            round(stack, &lens);
        }
        let [stack, recording, _] = stacks.map(|stack| stack.report());
        assert_eq!(stack.bytes, 0);
        let words = 2 * (lens.len() + 2 * lens.iter().sum::<usize>());
        assert_eq!(recording.pushed.expect("it records").bytes, 8 * words as u64);
    }

    #[test]
    fn frames_are_rewound() {
        for mut stack in [Stack::new(), Stack::recording()] {
            stack.push(0.5);
            let mark = stack.mark();
            for (k, frame) in stack.pushing(0..1000, [Word::of::<usize>()]) {
                frame[0] = word(k);
            }
            for (k, frame) in stack.pushing(0..3, [Word::of::<usize>()]) {
                frame[0] = word(k);
            }
            assert_eq!(stack.bytes(), 8 * 1004);
            stack.rewind(mark);
            assert_eq!(stack.pop::<f64>(), 0.5);
            assert!(stack.is_empty());
        }
    }

    #[test]
    #[should_panic(expected = "limit of 4096 bytes")]
    fn a_limit_is_kept() {
        let mut stack = Stack::with_limit(4096);
        let _ = stack.pushing(0..10_000, [Word::of::<f64>()]);
    }

    #[test]
    #[should_panic(expected = "the stack is empty")]
    fn an_empty_stack_has_no_frame() {
        let _ = Stack::new().popping(0..1, [Word::of::<f64>()]);
    }
}
