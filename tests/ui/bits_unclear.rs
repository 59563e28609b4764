//! Floats that are made of bits in ways that are not followed.
use backsweep::adjoint;

#[adjoint]
fn low_bits(x: f64) -> f64 {
    let low = x.to_bits() & 0xffff_ffff;
    f64::from_bits(low | 0x3ff0_0000_0000_0000)
}

#[adjoint]
fn of_two(x: f64, y: f64) -> f64 {
    f64::from_bits((x.to_bits() + y.to_bits()) / 2)
}

#[adjoint]
fn exponential(x: f64) -> f64 {
    let bits = (6_497_320_848_556_798.0 * x + 4.6e18) as i64;
    f64::from_bits(bits as u64)
}

#[adjoint]
fn in_an_array(x: f64) -> f64 {
    let mut words = [0_u64; 2];
    words[1] = x.to_bits();
    f64::from_bits(words[1] & 0x7fff_ffff_ffff_ffff)
}

#[adjoint]
fn in_a_tuple(x: f64) -> f64 {
    let pair = (x.to_bits(), 1.0);
    pair.1 * f64::from_bits(pair.0)
}

fn high_word(x: f64) -> u32 {
    (x.to_bits() >> 32) as u32
}

#[adjoint]
fn from_a_call(x: f64) -> f64 {
    let high: u32 = high_word(x);
    f64::from_bits((high as u64) << 32)
}

#[adjoint]
fn float_of(high: u32, x: f64) -> f64 {
    f64::from_bits((high as u64) << 32) * x
}

#[adjoint]
fn to_a_call(x: f64) -> f64 {
    let high = (x.to_bits() >> 32) as u32;
    float_of(high, x)
}

#[adjoint]
fn part_as_a_number(x: f64) -> f64 {
    let high = (x.to_bits() >> 32) as u32;
    high as f64 * x
}

#[adjoint]
fn last_bits_as_an_index(x: f64, table: &[f64]) -> f64 {
    let shifted = x + 6755399441055744.0;
    let i = (shifted.to_bits() & 15) as usize;
    table[i] * x
}

#[adjoint]
fn rounded_and_an_index(x: f64, table: &[f64]) -> f64 {
    let bits = x.to_bits();
    let i = ((bits >> 48) & 15) as usize;
    let center = f64::from_bits(bits & 0xffff_0000_0000_0000);
    table[i] + (x - center) / center
}

#[adjoint]
fn added_as_integers(x: f64, y: f64) -> f64 {
    let (ux, uy) = (x.to_bits(), y.to_bits());
    let shift = (ux >> 52).wrapping_sub(uy >> 52);
    let mantissa = (uy & 0x000f_ffff_ffff_ffff | 0x0010_0000_0000_0000) >> shift;
    f64::from_bits(ux + mantissa)
}

#[adjoint]
fn mixed(x: f64, y: f64) -> f64 {
    let high = x.to_bits() & 0xffff_ffff_0000_0000;
    let low = y.to_bits() & 0x0000_0000_ffff_ffff;
    f64::from_bits(high | low)
}

#[adjoint]
fn from_the_last_iteration(x: f64) -> f64 {
    let mut low = 0;
    let mut y = x;
    for _ in 0..2 {
        let high = y.to_bits() & 0xffff_ffff_0000_0000;
        y = f64::from_bits(high | low);
        low = y.to_bits() & 0xffff_ffff;
        y = y * x;
    }
    y
}

#[adjoint]
fn in_a_closure(x: f64) -> f64 {
    let rebuilt = |bits: u64| f64::from_bits(bits.reverse_bits());
    rebuilt(x.to_bits())
}

#[adjoint]
fn transmuted(x: f64) -> f64 {
    let bits = x.to_bits();
    let y: f64 = unsafe { std::mem::transmute(bits) };
    y * x
}

#[adjoint]
fn bit_by_bit(x: f64) -> f64 {
    let mut bits = x.to_bits();
    let mut reversed = 0_u64;
    while bits != 0 {
        reversed = reversed << 1 | bits & 1;
        bits >>= 1;
    }
    f64::from_bits(reversed)
}

#[adjoint]
fn of_an_unknown_width(x: f64) -> f64 {
    let words: Vec<u64> = vec![x.to_bits()];
    let mut sum = 0.0;
    for &word in &words {
        sum += f64::from_bits(word);
    }
    sum
}

#[adjoint]
fn outside_of_a_block(x: f64) -> f64 {
    let mut y = x;
    let mut bits = x.to_bits();
    #[checkpoint]
    {
        bits -= 1 << 52;
        y = f64::from_bits(bits) * y;
    }
    y
}

#[adjoint]
fn exchanged(x: f64) -> f64 {
    let mut a = x.to_bits();
    let mut b = 0_u64;
    std::mem::swap(&mut a, &mut b);
    f64::from_bits(b) * x
}

#[adjoint]
fn by_reference(x: f64) -> f64 {
    let mut bits = x.to_bits();
    let r = &mut bits;
    *r &= 0x7fff_ffff_ffff_ffff;
    bits as f64 * x
}

static KEPT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

#[adjoint]
fn kept_elsewhere(x: f64) -> f64 {
    let bits = x.to_bits();
    KEPT.store(bits, std::sync::atomic::Ordering::Relaxed);
    f64::from_bits(KEPT.load(std::sync::atomic::Ordering::Relaxed))
}

trait Float: Copy {
    type Int: Copy + std::ops::BitAnd<Output = Self::Int>;
    fn to_bits(self) -> Self::Int;
    fn from_bits(bits: Self::Int) -> Self;
    fn mask_of(x: Self) -> Self::Int;
}

#[adjoint]
fn masked_by_itself<F: Float>(x: F) -> F {
    let mask = F::mask_of(x);
    F::from_bits(x.to_bits() & mask)
}

fn main() {}
