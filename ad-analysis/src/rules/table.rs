//! The derivative rules: one line for each elementary operation.
//!
//! `name(arg in domain, …) => result = value, cost c, { d arg: partial; … };` where every expression
//! is ordinary Rust in the arguments and the result; rustc type-checks the table, and the numeric
//! test samples each line in its domain. From a line come the tangent, the adjoint, what the backward
//! sweep needs (the names that occur in a partial), linearity, and the operations of the random
//! programs.
//!
//! * An argument without a partial is passive. An operation without partials cuts the dependence.
//! * `singular` marks a partial that may be infinite or NaN where the operation itself is defined. It
//!   is applied strongly: a bar of 0 yields 0. Where another partial is infinite or NaN, so is the result.
//! * `loses { a }` says for which arguments the result may be finite though the argument is infinite or NaN.
//!   Of all others the result is not finite either.
//! * `F` is the float type of the operation.
//! * `tests { Below a b; }` are what the branches of the operation go by: there its derivative jumps, or its value.
//! * `1.0 / a * b` divides the bar before it multiplies it: the partial itself may be out of range where the product is not.
//! * The cost is a rough number of multiplications.
//!
//! A partial is right to a few units in the last place wherever the operation is, save where numbers are so small that
//! they have fewer digits (`tests/it/accuracy.rs`). So no partial takes a difference of the rounded result
//! from a number close to it, as in `1 - tanh²`.

#![allow(clippy::approx_constant, reason = "partials are parsed as arithmetic on literals")]

use super::{Argument, Partial, Rule, Tested};
use crate::ir::Test;

rules! {
    // Operators.
    add(a in -2.0..2.0, b in -2.0..2.0) => z = a + b, cost 1, { d a: 1.0; d b: 1.0; };
    sub(a in -2.0..2.0, b in -2.0..2.0) => z = a - b, cost 1, { d a: 1.0; d b: -1.0; };
    mul(a in -2.0..2.0, b in -2.0..2.0) => z = a * b, cost 1, { d a: b; d b: a; };
    div(a in -2.0..2.0, b in 0.5..2.0) => z = a / b, cost 4, { singular a: 1.0 / b; singular b: -(1.0 / b * z); } loses { b };
    // The remainder of a truncated division: constant quotient between its jumps. What the quotient was is told by
    // the remainder: `a / b` may have been rounded to the next integer.
    rem(a in 0.1..0.9, b in 1.0..2.0) => z = a % b, cost 10, { d a: 1.0; singular b: -((a - z) / b).round(); } loses { b } tests { Truncated a b; };
    neg(a in -2.0..2.0) => z = -a, cost 1, { d a: -1.0; };

    // What a direction contributes by way of a singular partial.
    strong(d in -2.0..2.0, p in -2.0..2.0) => z = if d == 0.0 { 0.0 } else { d * p }, cost 2, { singular d: p; singular p: d; } loses { p };

    // Powers and roots.
    sqrt(x in 0.1..9.0) => y = x.sqrt(), cost 5, { singular x: 0.5 / y; };
    cbrt(x in 0.1..9.0) => y = x.cbrt(), cost 20, { singular x: 1.0 / (3.0 * y * y); };
    recip(x in 0.5..2.0) => y = x.recip(), cost 4, { singular x: -(y * y); } loses { x };
    hypot(a in 0.1..2.0, b in 0.1..2.0) => r = a.hypot(b), cost 10, { singular a: a / r; singular b: b / r; };
    // n = 0 is constant, also at x = 0. There is no integer below the least exponent.
    powi(x in 0.5..2.0, n: i32 in -3..4) => y = x.powi(n), cost 4, {
        singular x: if n == 0 { 0.0 } else { if n == -2147483648 { n as F * (x.powi(n) / x) } else { n as F * x.powi(n - 1) } };
    } loses { x };
    // p = 0 is constant in x, also at x = 0; x = 0 is constant in p. An exponent `p - 1` would be rounded, which
    // tells where `x` is far from 1: only where the power itself has overflowed or almost vanished.
    powf(x in 0.2..2.0, p in -2.0..2.0) => y = x.powf(p), cost 30, {
        singular x: if p == 0.0 { 0.0 } else { if y.is_normal() { y / x * p } else { p * x.powf(p - 1.0) } };
        singular p: if x == 0.0 { 0.0 } else { y * x.ln() };
    } loses { x p };
    mul_add(a in -2.0..2.0, b in -2.0..2.0, c in -2.0..2.0) => z = a.mul_add(b, c), cost 2, { d a: b; d b: a; d c: 1.0; };

    // Exponentials and logarithms.
    exp(x in -2.0..2.0) => y = x.exp(), cost 15, { d x: y; } loses { x };
    exp2(x in -2.0..2.0) => y = x.exp2(), cost 15, { d x: y * 0.693_147_180_559_945_3; } loses { x };
    exp_m1(x in -2.0..2.0) => y = x.exp_m1(), cost 20, { d x: x.exp(); } loses { x };
    ln(x in 0.1..3.0) => y = x.ln(), cost 15, { singular x: 1.0 / x; };
    ln_1p(x in -0.8..3.0) => y = x.ln_1p(), cost 20, { singular x: 1.0 / (1.0 + x); };
    log2(x in 0.1..3.0) => y = x.log2(), cost 15, { singular x: 1.0 / (x * 0.693_147_180_559_945_3); };
    log10(x in 0.1..3.0) => y = x.log10(), cost 15, { singular x: 1.0 / (x * 2.302_585_092_994_046); };
    log(x in 0.1..3.0, b in 1.5..3.0) => y = x.log(b), cost 30, {
        singular x: 1.0 / (x * b.ln());
        singular b: -(y / (b * b.ln()));
    } loses { b };

    // Trigonometric functions.
    sin(x in -3.0..3.0) => y = x.sin(), cost 15, { d x: x.cos(); };
    cos(x in -3.0..3.0) => y = x.cos(), cost 15, { d x: -x.sin(); };
    tan(x in -1.0..1.0) => y = x.tan(), cost 20, { d x: 1.0 + y * y; };
    asin(x in -0.9..0.9) => y = x.asin(), cost 20, { singular x: 1.0 / ((1.0 - x) * (1.0 + x)).sqrt(); };
    acos(x in -0.9..0.9) => y = x.acos(), cost 20, { singular x: -1.0 / ((1.0 - x) * (1.0 + x)).sqrt(); };
    atan(x in -3.0..3.0) => y = x.atan(), cost 20, { d x: 1.0 / (1.0 + x * x); } loses { x };
    atan2(a in -2.0..2.0, b in 0.1..2.0) => y = a.atan2(b), cost 25, {
        singular a: b / a.hypot(b) / a.hypot(b);
        singular b: -(a / a.hypot(b) / a.hypot(b));
    } loses { a b };
    to_degrees(x in -3.0..3.0) => y = x.to_degrees(), cost 1, { d x: 57.295_779_513_082_32; };
    to_radians(x in -180.0..180.0) => y = x.to_radians(), cost 1, { d x: 0.017_453_292_519_943_295; };

    // Hyperbolic functions.
    sinh(x in -2.0..2.0) => y = x.sinh(), cost 20, { d x: x.cosh(); };
    cosh(x in -2.0..2.0) => y = x.cosh(), cost 20, { d x: x.sinh(); };
    tanh(x in -2.0..2.0) => y = x.tanh(), cost 20, { d x: 4.0 * (-2.0 * x.abs()).exp() / (1.0 + (-2.0 * x.abs()).exp()).powi(2); } loses { x };
    asinh(x in -2.0..2.0) => y = x.asinh(), cost 25, { d x: 1.0 / x.hypot(1.0); };
    acosh(x in 1.1..3.0) => y = x.acosh(), cost 25, { singular x: 1.0 / ((x - 1.0).sqrt() * (x + 1.0).sqrt()); };
    atanh(x in -0.9..0.9) => y = x.atanh(), cost 25, { singular x: 1.0 / ((1.0 - x) * (1.0 + x)); };

    // Kinks. The derivative of |x| at 0 is 0.
    abs(x in 0.1..2.0) => y = x.abs(), cost 1, { d x: if x > 0.0 { 1.0 } else { if x < 0.0 { -1.0 } else { 0.0 } }; } tests { Order x 0.0; };
    // To the operand that the primal returns; a NaN is never returned while there is a number; ties go
    // to the first.
    max(a in -2.0..0.0, b in 0.1..2.0) => y = a.max(b), cost 1, {
        d a: if a >= b || b.is_nan() { 1.0 } else { 0.0 };
        d b: if a >= b || b.is_nan() { 0.0 } else { 1.0 };
    } loses { a b } tests { Below a b; };
    min(a in -2.0..0.0, b in 0.1..2.0) => y = a.min(b), cost 1, {
        d a: if a <= b || b.is_nan() { 1.0 } else { 0.0 };
        d b: if a <= b || b.is_nan() { 0.0 } else { 1.0 };
    } loses { a b } tests { Above a b; };
    // Inside the bounds, which it includes, to x.
    clamp(x in -0.9..0.9, lo in -2.0..-1.0, hi in 1.0..2.0) => y = x.clamp(lo, hi), cost 2, {
        d x: if x < lo || x > hi { 0.0 } else { 1.0 };
        d lo: if x < lo { 1.0 } else { 0.0 };
        d hi: if x > hi { 1.0 } else { 0.0 };
    } loses { x lo hi } tests { Below x lo; Above x hi; };
    abs_sub(a in 0.1..2.0, b in -2.0..0.0) => y = a.max(b) - b, cost 2, {
        d a: if a > b { 1.0 } else { 0.0 };
        d b: if a > b { -1.0 } else { 0.0 };
    } loses { a b } tests { Above a b; };
    // The sign is a cut; the magnitude keeps or changes its sign.
    copysign(x in 0.1..2.0, s in -2.0..-0.1) => y = x.copysign(s), cost 1, {
        d x: if x.is_sign_negative() == y.is_sign_negative() { 1.0 } else { -1.0 };
    } tests { Order x 0.0; Order s 0.0; };
    midpoint(a in -2.0..2.0, b in -2.0..2.0) => y = a.midpoint(b), cost 2, { d a: 0.5; d b: 0.5; };

    // Steps: 0 between the jumps, and 0 at them by convention.
    floor(x in 0.1..0.9) => y = x.floor(), cost 1, {} tests { Floor x 1.0; };
    ceil(x in 0.1..0.9) => y = x.ceil(), cost 1, {} tests { Ceiling x 1.0; };
    round(x in 0.1..0.4) => y = x.round(), cost 1, {} tests { Nearest x 1.0; };
    round_ties_even(x in 0.1..0.4) => y = x.round_ties_even(), cost 1, {} tests { Nearest x 1.0; };
    trunc(x in 0.1..0.9) => y = x.trunc(), cost 1, {} tests { Truncated x 1.0; };
    signum(x in 0.1..0.9) => y = x.signum(), cost 1, {} tests { Order x 0.0; };
    div_euclid(a in 0.1..0.9, b in 1.0..2.0) => y = a.div_euclid(b), cost 10, {} tests { Euclidean a b; };
    fract(x in 0.1..0.9) => y = x.fract(), cost 1, { d x: 1.0; } tests { Truncated x 1.0; };
    rem_euclid(a in 0.1..0.9, b in 1.0..2.0) => y = a.rem_euclid(b), cost 10, { d a: 1.0; singular b: -((a - y) / b).round(); } loses { b } tests { Euclidean a b; };
}

/// Inherent float methods that yield a truth value or an integer: they cut the dependence.
pub const TESTS: [&str; 8] = [
    "is_nan",
    "is_infinite",
    "is_finite",
    "is_subnormal",
    "is_normal",
    "is_sign_positive",
    "is_sign_negative",
    "total_cmp",
];

/// Inherent float methods that turn a float into its bits, or bits into a float. A float made of bits of an active value loses its
/// derivative, unless it is known what of the bits is left: see [`crate::bits`].
pub const BITS: [&str; 8] = [
    "to_bits",
    "from_bits",
    "to_be_bytes",
    "to_le_bytes",
    "to_ne_bytes",
    "from_be_bytes",
    "from_le_bytes",
    "from_ne_bytes",
];

/// A method that returns a pair of operations, and the two.
pub const PAIR: (&str, [&str; 2]) = ("sin_cos", ["sin", "cos"]);

/// Stable inherent float methods that are refused in active code, with the reason.
pub const UNSUPPORTED: [(&str, &str); 4] = [
    ("next_up", "it steps through the representable numbers"),
    ("next_down", "it steps through the representable numbers"),
    ("classify", "its result is an enum"),
    ("to_int_unchecked", "it is unsafe"),
];
