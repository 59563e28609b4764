//! Derivatives of the functions of the crate `libm`.
//!
//! Calls of these functions are read as calls of the annotated ones that stand here under the same names, after a proof that
//! they are the same: with [`of_crate`]. Their values are those of the crate, bit for bit. What has steps or kinks has the
//! derivatives that the methods of floats have there.

/// What the functions of users are compared with.
pub use ::libm as of_crate;

use crate::adjoint;
use core::f64::consts::PI;

/// Annotated functions of one kind of floats, under the names that the crate has for it.
macro_rules! functions {
    ($float:ident: $(
        fn $name:ident($($arg:ident: $ty:ident),+) { $($of:ident: $partial:expr),+ }
    )+) => {$(
        #[adjoint(crate = crate, no(context), entries(), second_order, partials($($of: $partial),+))]
        pub fn $name($($arg: $ty),+) -> $float {
            of_crate::$name($($arg),+)
        }
    )+};
}

/// All functions of one kind of floats, given their names in the order of the table, those that return pairs at the end.
macro_rules! of {
    (
        $module:ident of $float:ident:
        $acos:ident $acosh:ident $asin:ident $asinh:ident $atan:ident $atan2:ident $atanh:ident $cbrt:ident $ceil:ident
        $copysign:ident $cos:ident $cosh:ident $erf:ident $erfc:ident $exp:ident $exp10:ident $exp2:ident $expm1:ident
        $fabs:ident $fdim:ident $floor:ident $fma:ident $fmax:ident $fmin:ident $fmod:ident $fmaximum:ident $fminimum:ident $fmaximum_num:ident $fminimum_num:ident $hypot:ident $j0:ident $j1:ident
        $jn:ident $ldexp:ident $lgamma:ident $log:ident $log10:ident $log1p:ident $log2:ident $pow:ident $remainder:ident
        $rint:ident $round:ident $roundeven:ident $scalbn:ident $sin:ident $sinh:ident $sqrt:ident $tan:ident $tanh:ident
        $tgamma:ident $trunc:ident $y0:ident $y1:ident $yn:ident, and $sincos:ident $modf:ident $frexp:ident $lgamma_r:ident
    ) => {
        pub use $module::*;

        mod $module {
            use super::*;
            use core::$float::consts::{FRAC_2_SQRT_PI, LN_2, LN_10};

            functions! { $float:
                fn $acos(x: $float) { x: -1.0 / ((1.0 - x) * (1.0 + x)).sqrt() }
                fn $acosh(x: $float) { x: 1.0 / ((x - 1.0).sqrt() * (x + 1.0).sqrt()) }
                fn $asin(x: $float) { x: 1.0 / ((1.0 - x) * (1.0 + x)).sqrt() }
                fn $asinh(x: $float) { x: 1.0 / x.hypot(1.0) }
                fn $atan(x: $float) { x: 1.0 / (1.0 + x * x) }
                fn $atan2(y: $float, x: $float) {
                    y: x / x.hypot(y) / x.hypot(y),
                    x: -(y / x.hypot(y) / x.hypot(y))
                }
                fn $atanh(x: $float) { x: 1.0 / ((1.0 - x) * (1.0 + x)) }
                fn $cbrt(x: $float) { x: 1.0 / (3.0 * result * result) }
                fn $ceil(x: $float) { x: 0.0 }
                fn $copysign(x: $float, y: $float) {
                    x: if x.is_sign_negative() == y.is_sign_negative() { 1.0 } else { -1.0 },
                    y: 0.0
                }
                fn $cos(x: $float) { x: -x.sin() }
                fn $cosh(x: $float) { x: x.sinh() }
                fn $erf(x: $float) { x: FRAC_2_SQRT_PI * (-(x * x)).exp() }
                fn $erfc(x: $float) { x: -FRAC_2_SQRT_PI * (-(x * x)).exp() }
                fn $exp(x: $float) { x: result }
                fn $exp10(x: $float) { x: LN_10 * result }
                fn $exp2(x: $float) { x: LN_2 * result }
                fn $expm1(x: $float) { x: x.exp() }
                fn $fabs(x: $float) { x: if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { 0.0 } }
                fn $fdim(x: $float, y: $float) {
                    x: if x > y { 1.0 } else { 0.0 },
                    y: if x > y { -1.0 } else { 0.0 }
                }
                fn $floor(x: $float) { x: 0.0 }
                fn $fma(x: $float, y: $float, z: $float) { x: y, y: x, z: 1.0 }
                fn $fmax(x: $float, y: $float) {
                    x: if x >= y || y.is_nan() { 1.0 } else { 0.0 },
                    y: if x >= y || y.is_nan() { 0.0 } else { 1.0 }
                }
                fn $fmin(x: $float, y: $float) {
                    x: if x <= y || y.is_nan() { 1.0 } else { 0.0 },
                    y: if x <= y || y.is_nan() { 0.0 } else { 1.0 }
                }
                fn $fmaximum(x: $float, y: $float) {
                    x: if x >= y || x.is_nan() { 1.0 } else { 0.0 },
                    y: if x >= y || x.is_nan() { 0.0 } else { 1.0 }
                }
                fn $fminimum(x: $float, y: $float) {
                    x: if x <= y || x.is_nan() { 1.0 } else { 0.0 },
                    y: if x <= y || x.is_nan() { 0.0 } else { 1.0 }
                }
                fn $fmaximum_num(x: $float, y: $float) {
                    x: if x >= y || y.is_nan() { 1.0 } else { 0.0 },
                    y: if x >= y || y.is_nan() { 0.0 } else { 1.0 }
                }
                fn $fminimum_num(x: $float, y: $float) {
                    x: if x <= y || y.is_nan() { 1.0 } else { 0.0 },
                    y: if x <= y || y.is_nan() { 0.0 } else { 1.0 }
                }
                fn $fmod(x: $float, y: $float) { x: 1.0, y: -((x - result) / y).round() }
                fn $hypot(x: $float, y: $float) { x: x / result, y: y / result }
                fn $j0(x: $float) { x: -$j1(x) }
                fn $j1(x: $float) { x: 0.5 * ($j0(x) - $jn(2, x)) }
                fn $jn(n: i32, x: $float) { x: 0.5 * ($jn(n - 1, x) - $jn(n + 1, x)) }
                fn $ldexp(x: $float, n: i32) { x: of_crate::$ldexp(1.0, n) }
                fn $lgamma(x: $float) { x: psi(x) }
                fn $log(x: $float) { x: 1.0 / x }
                fn $log10(x: $float) { x: 1.0 / (x * LN_10) }
                fn $log1p(x: $float) { x: 1.0 / (1.0 + x) }
                fn $log2(x: $float) { x: 1.0 / (x * LN_2) }
                fn $pow(x: $float, y: $float) {
                    x: if y == 0.0 {
                        0.0
                    } else if result.is_normal() {
                        result / x * y
                    } else {
                        y * x.powf(y - 1.0)
                    },
                    y: if x == 0.0 { 0.0 } else { result * x.ln() }
                }
                fn $remainder(x: $float, y: $float) { x: 1.0, y: -((x - result) / y).round() }
                fn $rint(x: $float) { x: 0.0 }
                fn $round(x: $float) { x: 0.0 }
                fn $roundeven(x: $float) { x: 0.0 }
                fn $scalbn(x: $float, n: i32) { x: of_crate::$scalbn(1.0, n) }
                fn $sin(x: $float) { x: x.cos() }
                fn $sinh(x: $float) { x: x.cosh() }
                fn $sqrt(x: $float) { x: 0.5 / result }
                fn $tan(x: $float) { x: 1.0 + result * result }
                fn $tanh(x: $float) {
                    x: 4.0 * (-2.0 * x.abs()).exp() / (1.0 + (-2.0 * x.abs()).exp()).powi(2)
                }
                fn $tgamma(x: $float) { x: result * psi(x) }
                fn $trunc(x: $float) { x: 0.0 }
                fn $y0(x: $float) { x: -$y1(x) }
                fn $y1(x: $float) { x: 0.5 * ($y0(x) - $yn(2, x)) }
                fn $yn(n: i32, x: $float) { x: 0.5 * ($yn(n - 1, x) - $yn(n + 1, x)) }
            }

            #[adjoint(crate = crate, no(context), entries(), partials(x: trigamma(f64::from(x)) as $float))]
            fn psi(x: $float) -> $float {
                digamma(f64::from(x)) as $float
            }

            #[adjoint(crate = crate, no(context), entries(), independents(x))]
            pub fn $sincos(x: $float) -> ($float, $float) {
                ($sin(x), $cos(x))
            }

            #[adjoint(crate = crate, no(context), entries(), partials(x: 1.0))]
            fn fraction(x: $float) -> $float {
                of_crate::$modf(x).0
            }

            #[adjoint(crate = crate, no(context), entries(), partials(x: 0.0))]
            fn whole(x: $float) -> $float {
                of_crate::$modf(x).1
            }

            #[adjoint(crate = crate, no(context), entries(), independents(x))]
            pub fn $modf(x: $float) -> ($float, $float) {
                (fraction(x), whole(x))
            }

            #[adjoint(crate = crate, no(context), entries(), partials(x: result / x))]
            fn mantissa(x: $float) -> $float {
                of_crate::$frexp(x).0
            }

            #[adjoint(crate = crate, no(context), entries(), independents(x))]
            pub fn $frexp(x: $float) -> ($float, i32) {
                #[passive]
                let exponent: i32 = of_crate::$frexp(x).1;
                (mantissa(x), exponent)
            }

            #[adjoint(crate = crate, no(context), entries(), independents(x))]
            pub fn $lgamma_r(x: $float) -> ($float, i32) {
                #[passive]
                let sign: i32 = of_crate::$lgamma_r(x).1;
                ($lgamma(x), sign)
            }
        }
    };
}

of! {
    double of f64:
    acos acosh asin asinh atan atan2 atanh cbrt ceil
    copysign cos cosh erf erfc exp exp10 exp2 expm1
    fabs fdim floor fma fmax fmin fmod fmaximum fminimum fmaximum_num fminimum_num hypot j0 j1
    jn ldexp lgamma log log10 log1p log2 pow remainder
    rint round roundeven scalbn sin sinh sqrt tan tanh
    tgamma trunc y0 y1 yn, and sincos modf frexp lgamma_r
}

of! {
    single of f32:
    acosf acoshf asinf asinhf atanf atan2f atanhf cbrtf ceilf
    copysignf cosf coshf erff erfcf expf exp10f exp2f expm1f
    fabsf fdimf floorf fmaf fmaxf fminf fmodf fmaximumf fminimumf fmaximum_numf fminimum_numf hypotf j0f j1f
    jnf ldexpf lgammaf logf log10f log1pf log2f powf remainderf
    rintf roundf roundevenf scalbnf sinf sinhf sqrtf tanf tanhf
    tgammaf truncf y0f y1f ynf, and sincosf modff frexpf lgammaf_r
}

/// The derivative of the logarithm of the gamma function: by its recurrence and reflection where its asymptotic series does
/// not converge fast enough (Abramowitz and Stegun, 6.3.5, 6.3.7 and 6.3.18).
fn digamma(x: f64) -> f64 {
    if x < 0.5 {
        return digamma(1.0 - x) - PI / (PI * (x - x.round())).tan();
    }
    let (mut at, mut sum) = (x, 0.0);
    while at < 10.0 {
        sum -= 1.0 / at;
        at += 1.0;
    }
    sum + at.ln() - 0.5 / at - series(at, |k, number| number / (2.0 * k))
}

/// The derivative of [`digamma`], likewise (6.4.6, 6.4.7 and 6.4.12).
fn trigamma(x: f64) -> f64 {
    if x < 0.5 {
        let sine = (PI * (x - x.round())).sin();
        return PI * PI / (sine * sine) - trigamma(1.0 - x);
    }
    let (mut at, mut sum) = (x, 0.0);
    while at < 10.0 {
        sum += 1.0 / (at * at);
        at += 1.0;
    }
    sum + (1.0 + 0.5 / at + series(at, |_, number| number)) / at
}

/// The sum of `coefficient(k, B₂ₖ) / at²ᵏ` over the Bernoulli numbers that count for `at` ≥ 10.
fn series(at: f64, coefficient: impl Fn(f64, f64) -> f64) -> f64 {
    const BERNOULLI: [(f64, f64); 7] = [
        (1.0, 1.0 / 6.0),
        (2.0, -1.0 / 30.0),
        (3.0, 1.0 / 42.0),
        (4.0, -1.0 / 30.0),
        (5.0, 5.0 / 66.0),
        (6.0, -691.0 / 2730.0),
        (7.0, 7.0 / 6.0),
    ];
    let numbers = BERNOULLI.iter().rev();
    numbers.fold(0.0, |sum, &(k, number)| (sum + coefficient(k, number)) / (at * at))
}
