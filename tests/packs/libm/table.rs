//! Each function against central differences, at random points.

use backsweep::adjoint;

/// Random points in an interval.
fn points(seed: u64, low: f64, high: f64) -> impl Iterator<Item = f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..200).map(move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        low + (high - low) * (state >> 11) as f64 / (1_u64 << 53) as f64
    })
}

/// How far differences with steps of `1e-5` are from derivatives, and those of single floats from these, in units of the larger of 1 and
/// the derivative.
const CLOSE: [f64; 2] = [2e-8, 3e-5];

#[track_caller]
fn assert_close(found: f64, expected: f64, close: f64, what: &str) {
    let scale = expected.abs().max(1.0);
    assert!((found - expected).abs() <= close * scale, "{what}: {found}, {expected}");
}

macro_rules! of_one {
    ($($name:ident $single:ident in $low:literal..$high:literal;)*) => {$(
        #[test]
        fn $name() {
            #[adjoint(independents(x), second_order)]
            fn double(x: f64) -> f64 {
                libm::$name(x)
            }
            #[adjoint(independents(x))]
            fn single(x: f32) -> f32 {
                // Only a type that is known is repeated.
                vec![libm::$single(x); 2][1]
            }
            for x in points(1, $low, $high) {
                let (value, gradient) = double::gradient(x);
                assert_eq!(value.to_bits(), libm::$name(x).to_bits());
                assert_eq!(double::tangent(x, 1.0), (value, gradient));
                let differences = (libm::$name(x + 1e-5) - libm::$name(x - 1e-5)) / 2e-5;
                assert_close(gradient, differences, CLOSE[0], &format!("at {x}"));
                let slope = |x: f64| double::gradient(x).1;
                let differences = (slope(x + 1e-5) - slope(x - 1e-5)) / 2e-5;
                let second = double::hessian_vector(x, 1.0).2;
                assert_close(second, differences, CLOSE[1], &format!("twice at {x}"));
                let x = x as f32;
                let (value, of_single) = single::gradient(x);
                assert_eq!(value.to_bits(), libm::$single(x).to_bits());
                let gradient = double::gradient(x.into()).1;
                assert_close(of_single.into(), gradient, CLOSE[1], &format!("at {x}"));
            }
        }
    )*};
}

of_one! {
    acos acosf in -0.9..0.9;
    acosh acoshf in 1.1..3.0;
    asin asinf in -0.9..0.9;
    asinh asinhf in -3.0..3.0;
    atan atanf in -3.0..3.0;
    atanh atanhf in -0.9..0.9;
    cbrt cbrtf in 0.1..9.0;
    ceil ceilf in 0.1..0.9;
    cos cosf in -3.0..3.0;
    cosh coshf in -2.0..2.0;
    erf erff in -2.0..2.0;
    erfc erfcf in -2.0..2.0;
    exp expf in -2.0..2.0;
    exp10 exp10f in -2.0..2.0;
    exp2 exp2f in -2.0..2.0;
    expm1 expm1f in -2.0..2.0;
    fabs fabsf in -2.0..2.0;
    floor floorf in 0.1..0.9;
    j0 j0f in 0.1..9.0;
    j1 j1f in 0.1..9.0;
    lgamma lgammaf in 0.2..20.0;
    log logf in 0.1..3.0;
    log10 log10f in 0.1..3.0;
    log1p log1pf in -0.8..3.0;
    log2 log2f in 0.1..3.0;
    rint rintf in 0.1..0.4;
    round roundf in 0.1..0.4;
    roundeven roundevenf in 0.1..0.4;
    sin sinf in -3.0..3.0;
    sinh sinhf in -2.0..2.0;
    sqrt sqrtf in 0.1..9.0;
    tan tanf in -1.0..1.0;
    tanh tanhf in -2.0..2.0;
    tgamma tgammaf in 0.2..6.0;
    trunc truncf in 0.1..0.9;
    y0 y0f in 0.5..9.0;
    y1 y1f in 0.5..9.0;
}

macro_rules! of_two {
    ($($name:ident $single:ident in $low:literal..$high:literal, $from:literal..$to:literal;)*) => {$(
        #[test]
        fn $name() {
            #[adjoint(independents(x, y))]
            fn double(x: f64, y: f64) -> f64 {
                libm::$name(x, y)
            }
            #[adjoint(independents(x, y))]
            fn single(x: f32, y: f32) -> f32 {
                libm::$single(x, y)
            }
            for (x, y) in points(1, $low, $high).zip(points(2, $from, $to)) {
                let (value, (by_x, by_y)) = double::gradient(x, y);
                assert_eq!(value.to_bits(), libm::$name(x, y).to_bits());
                assert_eq!(double::tangent(x, 1.0, y, 0.0), (value, by_x));
                let differences = (libm::$name(x + 1e-5, y) - libm::$name(x - 1e-5, y)) / 2e-5;
                assert_close(by_x, differences, CLOSE[0], &format!("by x at {x}, {y}"));
                let differences = (libm::$name(x, y + 1e-5) - libm::$name(x, y - 1e-5)) / 2e-5;
                assert_close(by_y, differences, CLOSE[0], &format!("by y at {x}, {y}"));
                let (x, y) = (x as f32, y as f32);
                let (value, of_single) = single::gradient(x, y);
                assert_eq!(value.to_bits(), libm::$single(x, y).to_bits());
                let (by_x, by_y) = double::gradient(x.into(), y.into()).1;
                assert_close(of_single.0.into(), by_x, CLOSE[1], &format!("by x at {x}, {y}"));
                assert_close(of_single.1.into(), by_y, CLOSE[1], &format!("by y at {x}, {y}"));
            }
        }
    )*};
}

of_two! {
    atan2 atan2f in -2.0..2.0, 0.1..2.0;
    copysign copysignf in 0.1..2.0, -2.0..-0.1;
    fdim fdimf in 0.1..2.0, -2.0..0.0;
    fmax fmaxf in -2.0..-0.1, 0.0..2.0;
    fmin fminf in -2.0..-0.1, 0.0..2.0;
    fmaximum fmaximumf in -2.0..-0.1, 0.0..2.0;
    fmaximum_num fmaximum_numf in -2.0..-0.1, 0.0..2.0;
    fminimum fminimumf in -2.0..-0.1, 0.0..2.0;
    fminimum_num fminimum_numf in -2.0..-0.1, 0.0..2.0;
    fmod fmodf in 2.1..2.9, 1.0..1.04;
    hypot hypotf in 0.1..2.0, 0.1..2.0;
    pow powf in 0.2..2.0, -2.0..2.0;
    remainder remainderf in 2.1..2.4, 1.0..1.04;
}

macro_rules! with_an_integer {
    ($($name:ident $single:ident($x:ident, $n:ident) = ($first:ident, $second:ident);)*) => {$(
        #[test]
        fn $name() {
            #[adjoint(independents($x))]
            fn double($x: f64, $n: i32) -> f64 {
                libm::$name($first, $second)
            }
            #[adjoint(independents($x))]
            fn single($x: f32, $n: i32) -> f32 {
                libm::$single($first, $second)
            }
            for $x in points(3, 0.5, 9.0) {
                for $n in -3..=4 {
                    let (value, gradient) = double::gradient($x, $n);
                    let at = |$x: f64| libm::$name($first, $second);
                    assert_eq!(value.to_bits(), at($x).to_bits());
                    let differences = (at($x + 1e-5) - at($x - 1e-5)) / 2e-5;
                    // Those of high order are steep at 0, and so have large differences of third order.
                    assert_close(gradient, differences, 1e-6, &format!("{} at {}", $n, $x));
                    let $x = $x as f32;
                    let (value, of_single) = single::gradient($x, $n);
                    assert_eq!(value.to_bits(), libm::$single($first, $second).to_bits());
                    let gradient = double::gradient($x.into(), $n).1;
                    assert_close(of_single.into(), gradient, 2e-4, &format!("{} at {}", $n, $x));
                }
            }
        }
    )*};
}

with_an_integer! {
    jn jnf(x, n) = (n, x);
    yn ynf(x, n) = (n, x);
    ldexp ldexpf(x, n) = (x, n);
    scalbn scalbnf(x, n) = (x, n);
}

#[test]
fn fma() {
    #[adjoint(independents(x, y, z))]
    fn double(x: f64, y: f64, z: f64) -> f64 {
        libm::fma(x, y, z)
    }
    #[adjoint(independents(x, y, z))]
    fn single(x: f32, y: f32, z: f32) -> f32 {
        libm::fmaf(x, y, z)
    }
    assert_eq!(double::gradient(2.0, 3.0, 0.5), (6.5, (3.0, 2.0, 1.0)));
    assert_eq!(single::gradient(2.0, 3.0, 0.5), (6.5, (3.0, 2.0, 1.0)));
}

macro_rules! pairs {
    ($($name:ident $single:ident in $low:literal..$high:literal, |$first:ident, $second:ident| $sum:expr, $of_single:expr;)*) => {$(
        #[test]
        fn $name() {
            #[adjoint(independents(x))]
            fn double(x: f64) -> f64 {
                let ($first, $second) = libm::$name(x);
                $sum
            }
            #[adjoint(independents(x))]
            fn single(x: f32) -> f32 {
                let ($first, $second) = libm::$single(x);
                $of_single
            }
            for x in points(4, $low, $high) {
                let (value, gradient) = double::gradient(x);
                let at = |x: f64| {
                    let ($first, $second) = libm::$name(x);
                    $sum
                };
                assert_eq!(value.to_bits(), at(x).to_bits());
                let differences = (at(x + 1e-5) - at(x - 1e-5)) / 2e-5;
                assert_close(gradient, differences, CLOSE[0], &format!("at {x}"));
                let of_single = single::gradient(x as f32).1;
                assert_close(of_single.into(), gradient, CLOSE[1], &format!("at {x}"));
            }
        }
    )*};
}

pairs! {
    sincos sincosf in -20.0..20.0, |a, b| a + 2.0 * b, a + 2.0 * b;
    modf modff in 3.1..3.9, |a, b| a + 2.0 * b, a + 2.0 * b;
    frexp frexpf in 2.1..3.9, |a, n| a * f64::from(n), a * n as f32;
    lgamma_r lgammaf_r in 0.2..20.0, |a, n| a * f64::from(n), a * n as f32;
}

#[test]
fn the_digamma_function_has_the_values_that_are_known() {
    #[adjoint(independents(x))]
    fn of(x: f64) -> f64 {
        libm::lgamma(x)
    }
    // Abramowitz and Stegun, 6.3.2 to 6.3.8 and table 6.1.
    let euler = 0.577_215_664_901_532_9;
    let ln_2 = core::f64::consts::LN_2;
    let known = [
        (1.0, -euler),
        (2.0, 1.0 - euler),
        (0.5, -euler - 2.0 * ln_2),
        (-0.5, 2.0 - euler - 2.0 * ln_2),
        (-1.5, 2.0 / 3.0 + 2.0 - euler - 2.0 * ln_2),
        (0.25, -euler - core::f64::consts::FRAC_PI_2 - 3.0 * ln_2),
        (1.5, 2.0 - euler - 2.0 * ln_2),
        (100.0, 4.600_161_852_738_087),
    ];
    for (x, expected) in known {
        assert_close(of::gradient(x).1, expected, 4e-15, &format!("at {x}"));
    }
}

#[test]
fn all_functions_are_compared() {
    let table = include_str!("../../../src/libm.rs");
    let tested = include_str!("table.rs");
    let names = |text: &'static str| text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let calls = table.split("\nof! {").skip(1).filter_map(|call| call.split('}').next());
    let is_of_syntax =
        |name: &&str| ["double", "single", "of", "f64", "f32", "and", ""].contains(name);
    let missing: Vec<&str> = calls
        .flat_map(names)
        .filter(|name| !is_of_syntax(name) && !names(tested).any(|other| other == *name))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert_eq!(table.matches("\nof! {").count(), 2);
}
