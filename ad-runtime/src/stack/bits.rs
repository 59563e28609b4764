//! Truth values, packed as bits.

use super::Stack;
use super::frames::Word;
use std::ops::Range;
use std::panic::Location;

/// Bits that the iterations of a loop push one after the other, as many as was said.
#[derive(Debug)]
pub struct BitsPushed<'s> {
    words: &'s mut [u64],
    /// The word that is being filled, where it belongs, and how many of its bits are there.
    word: u64,
    at: usize,
    filled: u32,
}

/// Bits that iterations have pushed, from the last to the first.
#[derive(Debug)]
pub struct BitsPopped<'s> {
    words: &'s [u64],
    /// The word that is being read, where it is, and how many of its bits are left.
    word: u64,
    at: usize,
    left: u32,
}

impl BitsPushed<'_> {
    /// Pushes a bit.
    #[inline(always)]
    pub fn push(&mut self, bit: bool) {
        self.word |= u64::from(bit) << self.filled;
        self.filled += 1;
        if self.filled == u64::BITS {
            self.words[self.at] = self.word;
            (self.word, self.at, self.filled) = (0, self.at + 1, 0);
        }
    }
}

impl Drop for BitsPushed<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(word) = self.words.get_mut(self.at) {
            *word = self.word;
        }
    }
}

impl BitsPopped<'_> {
    /// Pops a bit.
    #[inline(always)]
    pub fn pop(&mut self) -> bool {
        if self.left == 0 {
            self.at -= 1;
            (self.word, self.left) = (self.words[self.at], u64::BITS);
        }
        self.left -= 1;
        self.word >> self.left & 1 == 1
    }
}

impl<'s> BitsPushed<'s> {
    /// Above so many bits.
    #[inline]
    pub(super) fn above(count: usize, words: &'s mut [u64]) -> Self {
        let (at, filled) = (count / 64, count as u32 % 64);
        let word = words.get(at).map_or(0, |word| word & ((1 << filled) - 1));
        Self { words, word, at, filled }
    }
}

impl<'s> BitsPopped<'s> {
    /// The topmost of so many bits.
    #[inline]
    pub(super) fn of(count: usize, words: &'s [u64]) -> Self {
        let (at, left) = (count / 64, count as u32 % 64);
        let word = words.get(at).copied().unwrap_or(0);
        Self { words, word, at, left }
    }
}

impl Stack {
    #[inline]
    #[track_caller]
    pub(crate) fn push_bit(&mut self, bit: bool) {
        let (word, place) = (self.bit_count / 64, self.bit_count % 64);
        match self.bits.get_mut(word) {
            Some(word) => *word = *word & !(1 << place) | u64::from(bit) << place,
            None => self.next_bit(bit, Location::caller()),
        }
        self.bit_count += 1;
    }

    #[inline]
    #[track_caller]
    pub(crate) fn pop_bit(&mut self) -> bool {
        self.bit_count = self.bit_count.checked_sub(1).expect("the stack is empty");
        match self.bits.get(self.bit_count / 64) {
            Some(word) => word >> (self.bit_count % 64) & 1 == 1,
            None => self.recorded_bit(),
        }
    }

    /// Pushes a bit for which there is no room.
    #[cold]
    fn next_bit(&mut self, bit: bool, site: &'static Location<'static>) {
        self.more_room_for_bits(1, &[Word::bit_at(site)]);
        let count = self.bit_count;
        BitsPushed::above(count, self.all_bits()).push(bit);
    }

    #[cold]
    fn recorded_bit(&self) -> bool {
        let recorder = self.recorder.as_ref().expect("only recorded bits are elsewhere");
        recorder.bits[self.bit_count / 64] >> (self.bit_count % 64) & 1 == 1
    }

    /// The words of all bits.
    fn all_bits(&mut self) -> &mut Vec<u64> {
        match &mut self.recorder {
            Some(recorder) => &mut recorder.bits,
            None => &mut self.bits,
        }
    }

    /// Takes the bits that the iterations of a loop push one after the other, if they push them: as many for each number as there are
    /// `bits`.
    #[inline]
    pub fn pushing_bits<const N: usize>(
        &mut self,
        is_pushed: bool,
        numbers: &Range<usize>,
        bits: [Word; N],
    ) -> BitsPushed<'_> {
        let count = if is_pushed { numbers.len() } else { 0 };
        self.note_types(count, &bits);
        let below = self.room_for_bits(count * N, &bits);
        BitsPushed::above(below, self.all_bits())
    }

    /// The bits that the iterations of a loop have pushed, if they have, from the last to the first.
    #[inline]
    pub fn popping_bits<const N: usize>(
        &mut self,
        is_popped: bool,
        numbers: &Range<usize>,
        bits: [Word; N],
    ) -> BitsPopped<'_> {
        let count = if is_popped { numbers.len() } else { 0 };
        self.check_types(count, &bits);
        let above = self.give_up_bits(count * N);
        BitsPopped::of(above, self.all_bits())
    }

    /// Takes room for so many bits; says how many there were before.
    #[inline]
    pub(super) fn room_for_bits(&mut self, count: usize, items: &[Word]) -> usize {
        if self.bit_count + count > 64 * self.bits.len() {
            self.more_room_for_bits(count, items);
        }
        let below = self.bit_count;
        self.bit_count += count;
        below
    }

    /// Gives up so many bits; says how many there were before.
    #[inline]
    pub(super) fn give_up_bits(&mut self, count: usize) -> usize {
        let above = self.bit_count;
        self.bit_count = above.checked_sub(count).expect("the stack is empty");
        above
    }

    /// Makes room for so many bits, of which `items` tell by turns where they are said to be pushed.
    #[cold]
    fn more_room_for_bits(&mut self, count: usize, items: &[Word]) {
        let mut sites = items.iter().filter(|item| item.is_bit()).map(Word::site).cycle();
        let wanted = (self.bit_count + count).div_ceil(64);
        let words = self.all_bits().len();
        if let (None, Some(site)) = (&self.recorder, sites.clone().next()) {
            self.check_limit(8 * wanted.saturating_sub(words), site);
        }
        self.all_bits().resize(wanted.max(words), 0);
        if self.recorder.is_some() {
            let others = self.all_bytes() - self.bit_count.div_ceil(8);
            for (bits, site) in (self.bit_count + 1..).zip(&mut sites).take(count) {
                self.record("bool", 0, site, others + bits.div_ceil(8));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{from_word, word};
    use super::*;

    /// Pushes and pops bits by turns one by one and by loops, the latter with words and without.
    fn round(stack: &mut Stack, lens: &[usize]) {
        let is_set = |k: usize, len: usize| k.is_multiple_of(3) || k == len / 2;
        let items = || [Word::bit(), Word::of::<usize>(), Word::bit()];
        for (round, &len) in lens.iter().enumerate() {
            stack.push(round % 2 == 0);
            match round % 3 {
                0 => {
                    for k in 0..len {
                        stack.push(is_set(k, len));
                        stack.push(k);
                        stack.push(k == 0);
                    }
                }
                1 => {
                    let numbers = 7..7 + len;
                    let (mut frame, mut bits) =
                        stack.pushing_frames::<1, _>(true, &numbers, items());
                    for k in numbers {
                        bits.push(is_set(k - 7, len));
                        frame.at(k)[0] = word(k - 7);
                        bits.push(k == 7);
                    }
                    drop(bits);
                    let _ = stack.pushing_frames::<1, _>(false, &(0..len), items());
                }
                _ => {
                    let mut bits = stack.pushing_bits(true, &(0..len), [Word::bit()]);
                    (0..len).for_each(|k| bits.push(is_set(k, len)));
                }
            }
        }
        for (round, &len) in lens.iter().enumerate().rev() {
            match (round % 3 == 2, round % 4 == 1) {
                (false, true) => {
                    for k in (0..len).rev() {
                        assert_eq!(stack.pop::<bool>(), k == 0);
                        assert_eq!(stack.pop::<usize>(), k);
                        assert_eq!(stack.pop::<bool>(), is_set(k, len));
                    }
                }
                (false, false) => {
                    let _ = stack.popping_frames::<1, _>(false, &(0..len), items());
                    let (frame, mut bits) = stack.popping_frames::<1, _>(true, &(0..len), items());
                    for k in (0..len).rev() {
                        assert_eq!(bits.pop(), k == 0);
                        assert_eq!(from_word::<usize>(frame.at(k)[0]), k);
                        assert_eq!(bits.pop(), is_set(k, len));
                    }
                }
                (true, true) => {
                    for k in (0..len).rev() {
                        assert_eq!(stack.pop::<bool>(), is_set(k, len));
                    }
                }
                (true, false) => {
                    let mut bits = stack.popping_bits(true, &(0..len), [Word::bit()]);
                    for k in (0..len).rev() {
                        assert_eq!(bits.pop(), is_set(k, len));
                    }
                }
            }
            assert_eq!(stack.pop::<bool>(), round % 2 == 0);
        }
        assert!(stack.is_empty());
    }

    #[test]
    fn bits_of_loops_are_what_their_iterations_push() {
        let lens = [3, 0, 700, 1, 63, 64, 65, 5000, 2, 31, 32, 33, 1, 0, 100_000, 4, 127, 128];
        let mut stacks = [Stack::new(), Stack::recording(), Stack::with_limit(1 << 24)];
        for stack in &mut stacks {
            round(stack, &lens);
            round(stack, &lens);
        }
        let [stack, recording, _] = stacks.map(|stack| stack.report());
        assert_eq!(stack.bytes, 0);
        let pushed = |kind: &str| {
            let (_, traffic) = recording.by_kind.iter().find(|(known, _)| *known == kind)?;
            Some(traffic.values as usize)
        };
        let of = |turn: usize| lens.iter().skip(turn).step_by(3).sum::<usize>();
        assert_eq!(pushed("usize"), Some(2 * (of(0) + of(1))));
        assert_eq!(pushed("bool"), Some(2 * (lens.len() + 2 * of(0) + 2 * of(1) + of(2))));
    }

    #[test]
    fn bits_of_loops_are_rewound() {
        for mut stack in [Stack::new(), Stack::recording()] {
            stack.push(true);
            let mark = stack.mark();
            let mut bits = stack.pushing_bits(true, &(0..1000), [Word::bit()]);
            (0..1000).for_each(|k| bits.push(k % 2 == 0));
            drop(bits);
            assert_eq!(stack.bytes(), 126);
            stack.rewind(mark);
            assert!(stack.pop::<bool>());
            assert!(stack.is_empty());
        }
    }

    #[test]
    #[should_panic(expected = "limit of 4096 bytes")]
    fn a_limit_is_kept() {
        let mut stack = Stack::with_limit(4096);
        let _ = stack.pushing_bits(true, &(0..100_000), [Word::bit()]);
    }
}
