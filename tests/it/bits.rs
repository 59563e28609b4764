//! Floats that are made of the bits of floats, compared with differences, which see the pieces between two powers of 2.

#![allow(
    clippy::manual_swap,
    clippy::needless_late_init,
    reason = "libraries of elementary functions are written so"
)]

use backsweep::adjoint;

const SIGN: u64 = 1 << 63;

/// Central differences. The points are such that no exponent changes.
fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = x.abs() * 1e-6;
    (f(x + h) - f(x - h)) / (2.0 * h)
}

#[track_caller]
fn agree(name: &str, gradient: f64, f: impl Fn(f64) -> f64, x: f64) {
    let expected = slope(f, x);
    let error = (gradient - expected).abs() / expected.abs().max(1e-3);
    assert!(error < 1e-6, "{name} at {x}: {gradient} instead of {expected}");
}

const POINTS: [f64; 8] = [0.3, 0.7, 1.3, 2.7, 5.1, 37.0, 1.1e10, 3.3e-7];

#[adjoint]
fn absolute(x: f64) -> f64 {
    let u = x.to_bits() & !0 >> 1;
    f64::from_bits(u) * x.sin()
}

#[adjoint]
fn negated(x: f64) -> f64 {
    f64::from_bits(x.to_bits() ^ 0x8000_0000_0000_0000).exp()
}

#[adjoint]
fn with_sign_of(x: f64, y: f64) -> f64 {
    let sign = y.to_bits() & (1 << 63);
    f64::from_bits(x.to_bits() & 0x7fff_ffff_ffff_ffff | sign) * y
}

#[test]
fn signs_are_replaced() {
    for x in [-3.3, 0.7, 2.1] {
        agree("absolute", absolute::gradient(x).1, absolute, x);
        agree("negated", negated::gradient(x).1, negated, x);
        for y in [-1.7, 0.3] {
            let (x_b, y_b) = with_sign_of::gradient(x, y).1;
            agree("with_sign_of", x_b, |x| with_sign_of(x, y), x);
            agree("with_sign_of", y_b, |y| with_sign_of(x, y), y);
        }
    }
    // At 0 the derivative is that on the side of its sign.
    let bits = |x: f64| x.to_bits() & !SIGN;
    assert_eq!(f64::from_bits(bits(-0.0)), 0.0);
    assert_eq!(absolute_alone::gradient(0.0).1, 1.0);
    assert_eq!(absolute_alone::gradient(-0.0).1, -1.0);
    assert_eq!(absolute_alone::gradient(f64::NEG_INFINITY).1, -1.0);
    assert_eq!(absolute_alone::gradient(-5e-324).1, -1.0);
}

#[adjoint]
fn absolute_alone(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0x7fff_ffff_ffff_ffff)
}

/// The logarithm as in FreeBSD's libm, with bits taken at two places and the two words apart.
#[adjoint]
fn logarithm(mut x: f64) -> f64 {
    let mut ui: u64 = x.to_bits();
    let mut hx = (ui >> 32) as u32;
    let mut k: i32 = 0;
    if hx < 0x0010_0000 || (hx >> 31) > 0 {
        if ui << 1 == 0 {
            return -1.0 / (x * x);
        }
        if (hx >> 31) > 0 {
            return f64::NAN;
        }
        k -= 54;
        x *= f64::from_bits(0x4350_0000_0000_0000);
        ui = x.to_bits();
        hx = (ui >> 32) as u32;
    } else if hx >= 0x7ff0_0000 {
        return x;
    }
    hx += 0x3ff0_0000 - 0x3fe6_a09e;
    k += (hx >> 20) as i32 - 0x3ff;
    hx = (hx & 0x000f_ffff) + 0x3fe6_a09e;
    ui = ((hx as u64) << 32) | (ui & 0xffff_ffff);
    x = f64::from_bits(ui);
    let s = (x - 1.0) / (x + 1.0);
    let mut power = s;
    let mut sum = 0.0;
    for i in 0..20 {
        sum += power / (2 * i + 1) as f64;
        power *= s * s;
    }
    2.0 * sum + k as f64 * std::f64::consts::LN_2
}

#[adjoint]
fn logarithm_32(mut x: f32) -> f32 {
    let mut ix = x.to_bits();
    ix += 0x3f80_0000 - 0x3f35_04f3;
    let k = (ix >> 23) as i32 - 0x7f;
    ix = (ix & 0x007f_ffff) + 0x3f35_04f3;
    x = f32::from_bits(ix);
    x.ln() + k as f32 * std::f32::consts::LN_2
}

#[test]
fn exponents_are_replaced() {
    for x in [0.3, 0.7, 1.3, 2.7, 5.1, 37.0, 1.1e10, 3.3e-7, 1e-308] {
        let gradient = logarithm::gradient(x).1;
        assert!((gradient * x - 1.0).abs() < 1e-12, "{gradient} at {x}");
        let (_, tangent) = logarithm::tangent(x, 1.0);
        assert!((tangent / gradient - 1.0).abs() < 1e-14);
    }
    for x in [0.3_f32, 1.3, 2.7, 1.1e10] {
        assert!((logarithm_32::gradient(x).1 * x - 1.0).abs() < 1e-6);
    }
}

#[adjoint]
fn mantissa(x: f64) -> f64 {
    let mut y = x.to_bits();
    let e = ((y >> 52) & 0x7ff) as i32 - 0x3fe;
    y &= 0x800f_ffff_ffff_ffff;
    y |= 0x3fe0_0000_0000_0000;
    let y = f64::from_bits(y);
    y * y * e as f64
}

#[adjoint]
fn scaled(x: f64, k: i32) -> f64 {
    let u = x.to_bits();
    f64::from_bits(u.wrapping_add((k as u64) << 52)).sqrt()
}

/// Between powers of 2 the logarithm is the line through them.
#[adjoint]
fn coarse_logarithm(x: f64) -> f64 {
    let number = x.to_bits() as f64;
    number * 2.220446049250313e-16 - 1023.0
}

#[adjoint]
fn inverse_root(x: f64) -> f64 {
    let half = 0.5 * x;
    let mut i = x.to_bits();
    i = 0x5fe6_eb50_c7b5_37a9 - (i >> 1);
    let y = f64::from_bits(i);
    y * (1.5 - half * y * y)
}

#[adjoint]
fn cube_root(x: f32) -> f64 {
    let mut ui: u32 = x.to_bits();
    let mut hx: u32 = ui & 0x7fff_ffff;
    hx = hx / 3 + 709_958_130;
    ui &= 0x8000_0000;
    ui |= hx;
    let mut t = f32::from_bits(ui) as f64;
    for _ in 0..2 {
        let r = t * t * t;
        t = t * (x as f64 + x as f64 + r) / (x as f64 + r + r);
    }
    t
}

#[test]
fn mantissas_follow_the_float() {
    for x in POINTS {
        agree("mantissa", mantissa::gradient(x).1, mantissa, x);
        agree("scaled", scaled::gradient(x, -7).1, |x| scaled(x, -7), x);
        agree("coarse_logarithm", coarse_logarithm::gradient(x).1, coarse_logarithm, x);
        agree("inverse_root", inverse_root::gradient(x).1, inverse_root, x);
    }
    for x in [0.3_f32, -1.3, 2.7, 1.1e10] {
        let expected = f64::from(x).cbrt() / (3.0 * f64::from(x));
        let gradient = f64::from(cube_root::gradient(x).1);
        assert!((gradient / expected - 1.0).abs() < 1e-6, "{gradient} instead of {expected}");
    }
}

/// `asin` near 1: the root is split into the part with few digits and the rest.
#[adjoint]
fn split(x: f64) -> f64 {
    let z = (1.0 - x) * 0.5;
    let s = z.sqrt();
    let df = f64::from_bits(s.to_bits() & 0xffff_ffff_0000_0000);
    let c = (z - df * df) / (s + df);
    2.0 * (df + c)
}

#[adjoint]
fn rounded(x: f32) -> f32 {
    f32::from_bits(x.to_bits() & 0xffff_f000) * 3.0
}

#[test]
fn rounding_the_mantissa_has_the_derivative_of_the_float() {
    for x in [0.3, 0.61, 0.9] {
        agree("split", split::gradient(x).1, split, x);
    }
    assert_eq!(rounded::gradient(1.234567).1, 3.0);
    assert_eq!(rounded::gradient(-77.77).1, 3.0);
}

#[adjoint]
fn integer_part(x: f64) -> f64 {
    let mut u = x.to_bits();
    let e = ((u >> 52) & 0x7ff) as i32 - 0x3ff;
    if !(0..52).contains(&e) {
        return x;
    }
    let mask: u64 = ((!0) >> 12) >> e;
    if (u & mask) == 0 {
        return x;
    }
    u &= !mask;
    let whole = f64::from_bits(u);
    (x - whole) * x + whole
}

/// The logarithm with a table: the first bits of the mantissa are an index.
#[adjoint]
fn tabulated(x: f64) -> f64 {
    const TABLE: [f64; 4] = [1.125, 1.375, 1.625, 1.875];
    let bits = x.to_bits();
    let k = (bits >> 52) as i64 - 1023;
    let i = ((bits >> 50) & 3) as usize;
    let z = f64::from_bits(bits.wrapping_sub((k as u64) << 52));
    let r = (z - TABLE[i]) / TABLE[i];
    k as f64 * 0.5 + TABLE[i] * 3.0 + r.exp()
}

#[adjoint]
fn power_of_two(x: f64) -> f64 {
    let n = x.floor() as i32;
    let scale = f64::from_bits(((0x3ff + n) as u64) << 52);
    (x - n as f64) * scale
}

#[test]
fn what_only_jumps_is_a_constant() {
    for x in [1.3, 2.7, 5.1, 37.3, 0.3] {
        agree("integer_part", integer_part::gradient(x).1, integer_part, x);
        agree("tabulated", tabulated::gradient(x).1, tabulated, x);
        agree("power_of_two", power_of_two::gradient(x).1, power_of_two, x);
    }
}

/// The bits of two floats change places.
#[adjoint]
fn ordered(x: f64, y: f64) -> f64 {
    let mut ux = x.to_bits();
    let mut uy = y.to_bits();
    ux &= -1i64 as u64 >> 1;
    uy &= -1i64 as u64 >> 1;
    if ux < uy {
        let ut = ux;
        ux = uy;
        uy = ut;
    }
    let (large, small) = (f64::from_bits(ux), f64::from_bits(uy));
    large.powi(3) * small.sin()
}

#[adjoint]
fn halved(x: f64, limit: f64) -> f64 {
    let mut u = x.to_bits();
    let mut y = x;
    let mut sum = 0.0;
    while y > limit {
        u -= 1 << 52;
        y = f64::from_bits(u);
        sum += y.sin();
    }
    sum
}

#[adjoint]
fn taken_again(x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        let mut u = y.to_bits();
        if y > 1.0 {
            u -= 1 << 52;
        } else {
            u |= 0;
        }
        y = f64::from_bits(u) * 1.7 + x;
    }
    y
}

#[adjoint]
fn chosen(x: f64, y: f64, c: bool) -> f64 {
    let bits = if c { x.to_bits() } else { 0x3ff8_0000_0000_0000 };
    let z = f64::from_bits(bits & 0x7fff_ffff_ffff_ffff);
    let word = if c { (y.to_bits() >> 32) as u32 } else { (x.to_bits() >> 32) as u32 };
    z * f64::from_bits((word as u64) << 32) * y
}

#[test]
fn integers_follow_floats_through_control() {
    for (x, y) in [(1.3, -2.7), (-5.1, 0.3)] {
        let (x_b, y_b) = ordered::gradient(x, y).1;
        agree("ordered", x_b, |x| ordered(x, y), x);
        agree("ordered", y_b, |y| ordered(x, y), y);
    }
    for x in [1.3, 77.7] {
        agree("halved", halved::gradient(x, 0.01).1.0, |x| halved(x, 0.01), x);
        agree("taken_again", taken_again::gradient(x, 3).1, |x| taken_again(x, 3), x);
    }
    let (x, y) = (1.3_f64, 2.7_f64);
    let low = |x: f64| f64::from_bits(x.to_bits() & 0xffff_ffff_0000_0000);
    let (x_b, y_b) = chosen::gradient(x, y, true).1;
    assert_eq!((x_b, y_b), (low(y) * y, x * y + x * low(y)));
    let (x_b, y_b) = chosen::gradient(x, y, false).1;
    assert_eq!((x_b, y_b), (1.5 * y, 1.5 * low(x)));
}

/// Bits that only decide something.
#[adjoint]
fn looked_at(x: f64) -> f64 {
    let hx = (x.to_bits() >> 32) as u32;
    let ix = hx & 0x7fff_ffff;
    let lx = x.to_bits() as u32;
    if ix >= 0x7ff0_0000 || (ix == 0x3ff0_0000 && lx == 0) {
        return x + x;
    }
    if hx >> 31 != 0 { -x * x } else { x.sqrt() }
}

#[test]
fn bits_may_be_looked_at() {
    assert_eq!(looked_at::gradient(1.0).1, 2.0);
    assert_eq!(looked_at::gradient(-3.0).1, 6.0);
    assert_eq!(looked_at::gradient(4.0).1, 0.25);
}

/// Second derivatives: the slope does not change.
#[adjoint(second_order)]
fn curved(x: f64) -> f64 {
    let y = f64::from_bits(x.to_bits() & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000);
    y * y * y
}

#[test]
fn second_derivatives_go_through_bits() {
    let x = 5.1;
    let y = x / 4.0;
    let (_, gradient, product) = curved::hessian_vector(x, 1.0);
    assert!((gradient / (3.0 * y * y / 4.0) - 1.0).abs() < 1e-14);
    assert!((product / (6.0 * y / 16.0) - 1.0).abs() < 1e-14);
}

/// The last word is another one: the float is rounded.
#[adjoint]
fn with_low_word(x: f64, low: u32) -> f64 {
    let mut bits = x.to_bits();
    bits &= 0xffff_ffff_0000_0000;
    bits |= low as u64;
    f64::from_bits(bits) * x.sin()
}

/// What is added is an integer that the standard library makes a float of.
#[adjoint]
fn logarithm_by_conversion(mut x: f64) -> f64 {
    let k: i32 = (x.to_bits() >> 52) as i32 - 0x3ff;
    x = f64::from_bits(x.to_bits() & !(0x7ff << 52) | 0x3ff << 52);
    let y: f64;
    y = k.into();
    y * std::f64::consts::LN_2 + x.ln()
}

#[test]
fn integers_from_outside_and_exponents_are_constants() {
    for x in [1.3, -5.1, 1e-3] {
        let (value, gradient) = with_low_word::gradient(x, 77);
        assert_eq!(value, with_low_word(x, 77));
        assert!((gradient - (x.sin() + x * x.cos())).abs() < 1e-5, "{gradient} at {x}");
    }
    for x in POINTS {
        let (value, gradient) = logarithm_by_conversion::gradient(x);
        assert!((value - x.ln()).abs() < 1e-14 * value.abs().max(1.0), "{value} at {x}");
        assert!((gradient * x - 1.0).abs() < 1e-14, "{gradient} at {x}");
    }
}
