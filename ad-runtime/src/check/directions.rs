//! Directions, and which coordinates are compared.

/// Up to so many coordinates, each is compared.
pub(super) const EACH: usize = 100;
/// So many of more.
const SAMPLE: usize = 50;
/// So many directions besides.
pub(super) const MANY: usize = 16;

/// The coordinates, or some of them from the first to the last.
pub(super) fn selected(len: usize) -> Vec<usize> {
    if len <= EACH {
        return (0..len).collect();
    }
    (0..SAMPLE).map(|k| k * (len - 1) / (SAMPLE - 1)).collect()
}

/// The size of a number, a power of two; 1 for zero, whose size is not known.
pub(super) fn scale(x: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    let power = f64::from_bits(x.to_bits() & EXPONENT);
    if power == 0.0 || !power.is_finite() { 1.0 } else { power }
}

/// A sequence of directions, always the same: the generator is SplitMix64.
pub(super) struct Directions(u64);

impl Directions {
    pub(super) fn new() -> Self {
        Self(0x5eed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A direction in which each coordinate changes by its size, up or down.
    pub(super) fn signs(&mut self, x: &[f64]) -> Vec<f64> {
        x.iter().map(|x| if self.next() >> 63 == 0 { scale(*x) } else { -scale(*x) }).collect()
    }

    /// Numbers of these sizes, up or down, between half and one and a half of them.
    pub(super) fn weights(&mut self, scales: impl IntoIterator<Item = f64>) -> Vec<f64> {
        let mut weight = |scale: f64| {
            let bits = self.next();
            let size = 0.5 + (bits & 0xffff_ffff) as f64 / (1_u64 << 32) as f64;
            scale * if bits >> 63 == 0 { size } else { -size }
        };
        scales.into_iter().map(&mut weight).collect()
    }
}
