//! Random arguments, which are the same again for the same seed but for their floats.

use fastrand::Rng;

/// Makes the arguments of one call.
///
/// Two draws with one seed make arguments of the same shape with the same integers; the second one may be told the floats.
#[derive(Debug)]
pub struct Draw {
    seed: u64,
    rng: Rng,
    sizes: Sizes,
    /// How many elements lists have: mostly all the same number.
    length: usize,
    /// How deep we are in parts that carry no derivative.
    passive: usize,
    /// The floats with derivatives that have been made, in order.
    made: Vec<f64>,
    /// The floats that are to be taken, if they have been chosen.
    given: Option<Vec<f64>>,
}

/// Where floats lie.
#[derive(Clone, Copy, Debug)]
enum Sizes {
    Unit,
    Moderate,
    Signed,
    Large,
    Increasing,
}

impl Draw {
    /// Chooses everything at random.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let sizes = [Sizes::Unit, Sizes::Moderate, Sizes::Signed, Sizes::Large, Sizes::Increasing]
            [rng.usize(..5)];
        let length = rng.usize(1..7);
        Self { seed, rng, sizes, length, passive: 0, made: Vec::new(), given: None }
    }

    /// Makes the arguments of this seed with other floats.
    #[must_use]
    pub fn with_floats(seed: u64, floats: &[f64]) -> Self {
        Self { given: Some(floats.to_vec()), ..Self::new(seed) }
    }

    /// Makes the same arguments again.
    #[must_use]
    pub fn again(&self) -> Self {
        Self { given: self.given.clone(), ..Self::new(self.seed) }
    }

    /// The floats with derivatives that have been made.
    #[must_use]
    pub fn floats(&self) -> &[f64] {
        &self.made
    }

    /// Makes a value that carries no derivative.
    pub fn passive<T: Sample>(&mut self) -> T {
        self.passive += 1;
        let value = T::sample(self);
        self.passive -= 1;
        value
    }

    /// Makes a value.
    pub fn active<T: Sample>(&mut self) -> T {
        T::sample(self)
    }

    /// Which of so many variants is made.
    pub fn variant(&mut self, count: usize) -> usize {
        if count == 1 { 0 } else { self.rng.usize(..count) }
    }

    fn random(&mut self, position: usize) -> f64 {
        let unit = self.rng.f64();
        match self.sizes {
            Sizes::Unit => 0.05 + 0.9 * unit,
            Sizes::Moderate => 0.25 + 3.0 * unit,
            Sizes::Signed => 4.0 * unit - 2.0,
            Sizes::Large => 10.0 + 290.0 * unit,
            Sizes::Increasing => 0.2 + 0.5 * position as f64 + 0.4 * unit,
        }
    }

    fn float(&mut self, rounded: fn(f64) -> f64) -> f64 {
        let random = self.random(self.made.len());
        if self.passive > 0 {
            return rounded(random);
        }
        let value = match &self.given {
            Some(given) => rounded(given[self.made.len()]),
            None => rounded(random),
        };
        self.made.push(value);
        value
    }

    fn length(&mut self) -> usize {
        if self.rng.u8(..8) == 0 { self.rng.usize(..7) } else { self.length }
    }
}

/// A value that can be made at random.
pub trait Sample: Sized {
    /// Makes one.
    fn sample(draw: &mut Draw) -> Self;
}

impl Sample for f64 {
    fn sample(draw: &mut Draw) -> Self {
        draw.float(|value| value)
    }
}

impl Sample for f32 {
    fn sample(draw: &mut Draw) -> Self {
        draw.float(|value| f64::from(value as f32)) as f32
    }
}

macro_rules! integers {
    ($low:literal: $($ty:ty)*) => {$(
        impl Sample for $ty {
            fn sample(draw: &mut Draw) -> Self {
                match draw.rng.u8(..4) {
                    0 => draw.length as $ty,
                    1 => draw.rng.usize(..=draw.length) as $ty,
                    _ => draw.rng.i8($low..9) as $ty,
                }
            }
        }
    )*};
}

integers! { 0: usize u8 u16 u32 u64 u128 }
integers! { -4: isize i8 i16 i32 i64 i128 }

impl Sample for bool {
    fn sample(draw: &mut Draw) -> Self {
        draw.rng.bool()
    }
}

impl Sample for char {
    fn sample(draw: &mut Draw) -> Self {
        draw.rng.alphabetic()
    }
}

impl Sample for String {
    fn sample(draw: &mut Draw) -> Self {
        draw.rng.alphabetic().to_string()
    }
}

impl<T: Sample, const N: usize> Sample for [T; N] {
    fn sample(draw: &mut Draw) -> Self {
        std::array::from_fn(|_| T::sample(draw))
    }
}

impl<T: Sample> Sample for Vec<T> {
    fn sample(draw: &mut Draw) -> Self {
        (0..draw.length()).map(|_| T::sample(draw)).collect()
    }
}

impl<T: Sample> Sample for Option<T> {
    fn sample(draw: &mut Draw) -> Self {
        (draw.rng.u8(..4) > 0).then(|| T::sample(draw))
    }
}

impl<T> Sample for std::marker::PhantomData<T> {
    fn sample(_: &mut Draw) -> Self {
        Self
    }
}

macro_rules! tuples {
    ($($($name:ident)*;)*) => {$(
        impl<$($name: Sample),*> Sample for ($($name,)*) {
            fn sample(draw: &mut Draw) -> Self {
                ($($name::sample(draw),)*)
            }
        }
    )*};
}

tuples! { A; A B; A B C; A B C D; A B C D E; A B C D E F; }

impl Sample for () {
    fn sample(_: &mut Draw) -> Self {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_the_same_again_with_other_floats() {
        type Arguments = (f64, Vec<f32>, usize, [(f64, bool); 2]);
        for seed in 0..50 {
            let mut first = Draw::new(seed);
            let made: Arguments = first.active();
            let mut again = Draw::with_floats(seed, first.floats());
            assert_eq!(made, again.active());
            let zeros = vec![0.0; first.floats().len()];
            let (x, list, n, pairs): Arguments = Draw::with_floats(seed, &zeros).active();
            assert_eq!((x, list, n), (0.0, vec![0.0; made.1.len()], made.2));
            assert_eq!(pairs.map(|pair| pair.1), made.3.map(|pair| pair.1));
        }
    }

    #[test]
    fn passive_floats_are_not_among_the_coordinates() {
        let mut draw = Draw::new(3);
        let fixed: f64 = draw.passive();
        let free: f64 = draw.active();
        assert_eq!(draw.floats(), [free]);
        let mut again = Draw::with_floats(3, &[7.0]);
        assert_eq!((again.passive::<f64>(), again.active::<f64>()), (fixed, 7.0));
    }
}
