//! The edges of numbers: what is infinite or NaN where bars are 0, equal elements that are sorted, ranges at the
//! ends of their types.
#![allow(
    clippy::reversed_empty_ranges,
    clippy::type_complexity,
    clippy::unnecessary_sort_by,
    clippy::useless_vec,
    reason = "the attribute meets code as people write it"
)]

use backsweep::{Differentiable, adjoint};
use fastrand::Rng;

const INF: f64 = f64::INFINITY;

/// Functions whose values are finite though something on the way is not, each with a point and its derivatives there, by hand. All
/// entries agree on them, bit for bit.
macro_rules! finite {
    ($($name:ident($($arg:ident),*) at ($($point:expr),*) $body:block = $expected:expr;)*) => {
        $(
            #[adjoint(second_order)]
            fn $name($($arg: f64),*) -> f64 $body
        )*

        #[test]
        fn a_bar_of_0_adds_nothing() {
            $({
                let expected: Vec<f64> = $expected.to_vec();
                let value = $name($($point),*);
                assert!(value.is_finite(), stringify!($name));
                finite!(@bars $name ($($arg = $point),*) value, expected);
            })*
        }
    };
    (@bars $name:ident ($a:ident = $x:expr) $value:ident, $expected:ident) => {
        assert_eq!($name::gradient($x), ($value, $expected[0]), stringify!($name));
        let (mut x_b, mut many) = (1.0, [0.0, 1.0]);
        assert_eq!($name::adjoint($x, &mut x_b, 2.0), $value);
        assert_eq!(x_b, 1.0 + 2.0 * $expected[0], stringify!($name));
        $name::adjoints::<2>($x, &mut many, [0.0, 2.0]);
        assert_eq!(many, [0.0, 1.0 + 2.0 * $expected[0]], stringify!($name));
        let (_, x_b, _) = $name::hessian_vector($x, 0.0);
        assert_eq!(x_b, $expected[0], stringify!($name));
    };
    (@bars $name:ident ($a:ident = $x:expr, $b:ident = $y:expr) $value:ident, $expected:ident) => {
        let of = |(a, b): (f64, f64)| [a, b];
        let (own, gradient) = $name::gradient($x, $y);
        assert_eq!((own, &of(gradient)[..]), ($value, &$expected[..]), stringify!($name));
        let (mut x_b, mut y_b) = (0.0, 0.0);
        let mut stack = backsweep::Stack::new();
        $name::forward(&mut stack, $x, $y);
        $name::backward(&mut stack, $x, &mut x_b, $y, &mut y_b, 1.0);
        assert_eq!([x_b, y_b], $expected[..], stringify!($name));
        let (mut x_many, mut y_many) = ([0.0; 2], [0.0; 2]);
        $name::adjoints::<2>($x, &mut x_many, $y, &mut y_many, [1.0, 0.0]);
        assert_eq!([x_many[0], y_many[0], x_many[1], y_many[1]], [x_b, y_b, 0.0, 0.0]);
        let (_, gradient, _) = $name::hessian_vector($x, 0.0, $y, 0.0);
        assert_eq!(of(gradient), $expected[..], stringify!($name));
        assert_eq!($name::tangent($x, 0.0, $y, 0.0), ($value, 0.0), stringify!($name));
    };
}

finite! {
    infinite_factor(x, y) at (2.0, 0.0) {
        let q = x * (1.0 / y);
        if y == 0.0 { x } else { q }
    } = [1.0, 0.0];
    infinite_factors(x, y) at (2.0, INF) {
        let q = x * y;
        let r = y.mul_add(x, q);
        let s = r - y;
        if y < 9.0 { s * q } else { 3.0 * x }
    } = [3.0, 0.0];
    overflow(x) at (800.0) {
        let e = x.exp();
        if x > 30.0 { x } else { (1.0 + e).ln() }
    } = [1.0];
    overflow_of_others(x) at (800.0) {
        let e = x.exp2() + x.exp_m1() + x.sinh() + x.cosh() + (200.0 * x).powi(200) + x.powf(110.0 + x);
        if x > 30.0 { x } else { e }
    } = [1.0];
    logistic(x) at (-800.0) { 1.0 / (1.0 + (-x).exp()) } = [0.0];
    logistic_by_recip(x) at (-800.0) {
        let e = (-x).exp();
        let d = 1.0 + e;
        d.recip()
    } = [0.0];
    saturated(x, y) at (0.5, INF) { (x * y).tanh() + (y * x).atan() + (-(x * y)).exp() } = [0.0, 0.0];
    outside_of_bounds(x, y) at (0.5, INF) { (x * y).min(4.0) + (y * x).clamp(0.0, x) - (-x * y).max(-x) } = [2.0, 0.0];
    choice(x, y) at (0.5, INF) { x + if y > 1.0 { 0.0 } else { x * y } } = [1.0, 0.0];
    selected_by_call(x, y) at (0.5, INF) { let q = guarded_product(x, y); if y > 1.0 { x } else { q } } = [1.0, 0.0];
    element_that_is_not_read(x, y) at (0.5, INF) {
        let v = [x * x, x * y];
        v[0]
    } = [1.0, 0.0];
    element_that_is_overwritten(x, y) at (0.5, INF) {
        let mut v = vec![0.0; 3];
        for k in 0..3 {
            v[k] = x * y;
            v[k] = x * k as f64;
        }
        v[1] + v[2]
    } = [3.0, 0.0];
    last_iteration(x, y) at (2.0, 1e200) {
        let (mut s, mut t) = (0.0, x);
        for _ in 0..2 {
            s += t;
            t *= y * y;
            if t > 1e300 {
                break;
            }
        }
        s
    } = [1.0, 0.0];
    early_return(x, y) at (0.5, INF) {
        let q = x * y;
        if q > 1e9 {
            return x * x;
        }
        q
    } = [1.0, 0.0];
    overwritten(x, y) at (0.5, INF) {
        let mut q = x * y;
        if q > 1e9 {
            q = x;
        }
        q * q
    } = [1.0, 0.0];
    part_of_a_pair(x, y) at (0.5, INF) {
        let p = (x * y, x * x);
        p.1
    } = [1.0, 0.0];
    moved_by_sorting(x, y) at (0.5, INF) {
        let mut v = [x * y, x * x, 3.0 * x];
        v.sort_by(|a, b| a.total_cmp(b));
        v[0] + v[1]
    } = [4.0, 0.0];
}

/// The result may be used by a caller that does not need it.
#[adjoint(no(unguarded), second_order)]
fn guarded_product(x: f64, y: f64) -> f64 {
    x * y
}

/// Where nothing can get lost, nothing is tested: if the product of the bars is not a number, neither is the value.
#[adjoint]
fn product(x: f64, y: f64) -> f64 {
    x * y
}

#[test]
fn a_seed_of_0_of_a_single_result_is_not_tested_unless_asked() {
    let (mut x_b, mut y_b) = (0.0, 0.0);
    guarded_product::adjoint(2.0, &mut x_b, INF, &mut y_b, 0.0);
    assert_eq!((x_b, y_b), (0.0, 0.0));
    product::adjoint(2.0, &mut x_b, INF, &mut y_b, 0.0);
    assert!(x_b.is_nan() && y_b == 0.0);
}

#[adjoint]
fn softplus(x: f64) -> f64 {
    (1.0 + x.exp()).ln()
}

#[adjoint]
fn weighted_sum(w: &[f64], x: &[f64]) -> f64 {
    w.iter().zip(x).map(|(w, x)| w * x).sum()
}

#[adjoint(second_order)]
fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// One of two results is used.
#[adjoint(independents(x))]
fn chosen(x: f64, large: &[f64]) -> f64 {
    let (smooth, sum) = (softplus(x), weighted_sum(&[x], large));
    if x > 30.0 { x } else { smooth + sum }
}

#[adjoint(independents(centres), second_order)]
fn nearest(centres: &[f64], point: &[f64]) -> f64 {
    let mut nearest = f64::INFINITY;
    for centre in centres.chunks_exact(2) {
        nearest = nearest.min(distance(point, centre));
    }
    nearest
}

/// Of functions with loops or elementary functions the whole sweep is left.
#[test]
fn a_sweep_with_a_seed_of_0_is_left() {
    assert_eq!(chosen::gradient(800.0, &[INF]), (800.0, 1.0));
    assert_eq!(chosen::gradient(0.5, &[2.0]).1, 1.0 / (1.0 + (-0.5_f64).exp()) + 2.0);
    let (w, x, mut w_b, mut x_b) = ([1.0, 2.0], [INF, f64::NAN], [3.0, 4.0], [5.0, 6.0]);
    let (_, pullback) = weighted_sum::pullback(&w, &x);
    pullback.call(&mut w_b, &mut x_b, 0.0);
    assert_eq!((w_b, x_b), ([3.0, 4.0], [5.0, 6.0]));
    let (_, pullback) = weighted_sum::pullback(&w, &x);
    pullback.call(&mut w_b, &mut x_b, f64::NAN);
    assert!(w_b[0].is_nan() && x_b[0].is_nan());
    let (value, gradient) = nearest::gradient(&[1.0, 2.0, INF, 0.0, 0.0, 1.0], &[0.5, 0.75]);
    assert_eq!((value, gradient), (0.3125, vec![0.0, 0.0, 0.0, 0.0, -1.0, 0.5]));
    let along = [1.0, 1.0, 1.0, 1.0, 2.0, 3.0];
    let (_, _, products) =
        nearest::hessian_vector(&[1.0, 2.0, 3.0, 0.0, 0.0, 1.0], &along, &[0.5, 0.75]);
    assert_eq!(products, [0.0, 0.0, 0.0, 0.0, 4.0, 6.0]);
}

/// Two results: the row of one has a seed of 0 for the other.
#[adjoint]
fn results(x: f64, y: f64) -> [f64; 2] {
    [x * y, x * x]
}

#[adjoint]
fn written(x: &[f64], y: &mut [f64]) {
    for k in 0..y.len() {
        y[k] = x[k].exp() * x[k];
    }
}

#[test]
fn rows_of_jacobians_are_apart() {
    assert_eq!(results::jacobian(1.0, INF)[2..], [2.0, 0.0]);
    let (x, mut x_b) = ([1.0, 900.0], [0.0; 2]);
    let (mut y, mut y_b) = ([0.0; 2], [1.0, 0.0]);
    written::adjoint(&x, &mut x_b, &mut y, &mut y_b);
    assert_eq!((y[1], x_b[1], y_b), (INF, 0.0, [0.0; 2]));
    assert!((x_b[0] - 2.0 * 1.0_f64.exp()).abs() < 1e-14);
}

/// A mask of −∞, in all modes of calls and with checkpoints.
#[adjoint]
fn weight(score: f64, scale: f64) -> f64 {
    (score * scale).exp()
}

macro_rules! attention {
    ($($name:ident($($option:tt)*) $($mark:meta)?;)*) => {
        $(
            #[adjoint(independents(scores, scale), $($option)*)]
            fn $name(scores: &[f64], mask: &[f64], scale: f64) -> f64 {
                let (mut total, mut weighted) = (0.0, 0.0);
                $(#[$mark])?
                for k in 0..scores.len() {
                    let w = weight(scores[k] + mask[k], scale);
                    total += w;
                    weighted += w * k as f64;
                }
                weighted / total
            }
        )*

        #[test]
        fn masked_scores_add_nothing() {
            let (scores, mask) = ([0.3, 1.7, -0.4], [0.0, -INF, 0.0]);
            let expected = attention(&[0.3, -0.4], &[0.0, 0.0], 0.5);
            let (_, (_, scale_b)) = attention::gradient(&[0.3, -0.4], &[0.0, 0.0], 0.5);
            $({
                let (value, (scores_b, scale_bar)) = $name::gradient(&scores, &mask, 0.5);
                assert!((value - 2.0 * expected).abs() < 1e-15, stringify!($name));
                assert!((scale_bar - 2.0 * scale_b).abs() < 1e-15, "{scale_bar} and {scale_b}");
                assert_eq!(scores_b[1], 0.0, stringify!($name));
            })*
        }
    };
}

attention! {
    attention(mode = "auto");
    attention_split(mode = "split");
    attention_joint(mode = "joint");
    attention_without(no(all));
    attention_checkpointed(mode = "auto") checkpoint(snapshots = 2);
}

/// What is sorted, weighted by where it comes to stand.
macro_rules! sorted {
    ($($name:ident |$v:ident: $ty:ty, $n:ident, $k:ident, $x:ident| $make:expr, $sort:expr, $read:expr;)*) => {
        $(
            #[adjoint]
            fn $name(x: &[f64], $n: usize) -> f64 {
                let mut $v: Vec<$ty> = Vec::new();
                for $k in 0..$n {
                    let $x = x[$k % 5] * $k as f64;
                    $v.push($make);
                }
                $sort;
                let mut sum = 0.0;
                for $k in 0..$n {
                    sum += $read * ($k * $k % 64) as f64;
                }
                sum
            }
        )*

        #[test]
        fn equal_elements_are_in_the_order_of_the_plain_function() {
            // Sums of these are exact, in whatever order.
            let x = [1.0, 2.0, -1.0, 0.5, 3.0];
            for n in [3, 20, 21, 64, 200] {
                $({
                    let (value, x_b) = $name::gradient(&x, n);
                    assert_eq!(value, $name(&x, n), "{} of {n}", stringify!($name));
                    let rest: f64 = x_b.iter().zip(&x).map(|(bar, x)| bar * x).sum();
                    assert_eq!(rest, value, "{} of {n}", stringify!($name));
                })*
            }
        }
    };
}

/// What has one number that counts and one that sorts.
#[derive(Clone, Debug, Differentiable)]
struct Ranked {
    key: usize,
    value: f64,
}

sorted! {
    pairs |v: (f64, f64), n, k, x| ((k * 7 % 3) as f64, x), v.sort_unstable_by(|a, b| a.0.total_cmp(&b.0)), v[k].1;
    indexed |v: (usize, f64), n, k, x| (k * 7 % 3, x), v.sort_unstable_by_key(|e| e.0), v[k].1;
    by_whole |v: (usize, f64), n, k, x| (k * 7 % 3, x), v.sort_by(|a, b| b.0.cmp(&a.0)), v[k].1;
    triples |v: [f64; 3], n, k, x| [x, (k * 7 % 3) as f64, 0.0], v.sort_unstable_by(|a, b| a[1].total_cmp(&b[1])), v[k][0];
    rows |v: Vec<f64>, n, k, x| vec![x, (k * 7 % 3) as f64], v.sort_unstable_by(|a, b| a[1].total_cmp(&b[1])), v[k][0];
    structs |v: Ranked, n, k, x| Ranked { key: k * 7 % 3, value: x }, v.sort_unstable_by_key(|e| e.key), v[k].value;
    numbers |v: f64, n, k, x| x, v.sort_unstable_by(|a, b| (a.abs() as i64 % 4).cmp(&(b.abs() as i64 % 4))), v[k];
    selected |v: f64, n, k, x| x, v.select_nth_unstable_by(n / 2, |a, b| (a.abs() as i64 % 4).cmp(&(b.abs() as i64 % 4))), v[k];
}

/// A function of four numbers that is linear with integers as coefficients: value and gradient are exact.
fn compare(plain: &dyn Fn(&[f64]) -> f64, gradient: &dyn Fn(&[f64]) -> (f64, Vec<f64>)) {
    let x = [1.0, -2.0, 3.0, 5.0];
    let (value, x_b) = gradient(&x);
    assert_eq!(value, plain(&x));
    for (k, bar) in x_b.iter().enumerate() {
        let mut unit = [0.0; 4];
        unit[k] = 1.0;
        assert_eq!(*bar, plain(&unit));
    }
}

/// Loops over ranges of integers of a type. The first are short wherever the ends are.
macro_rules! ranges {
    ($($module:ident $ty:ty;)*) => {
        $(
            mod $module {
                use super::compare;
                use backsweep::adjoint;

                #[adjoint(independents(x))]
                fn zipped(x: &[f64], a: $ty, b: $ty) -> f64 {
                    let mut s = 0.0;
                    for (i, t) in (a..b).zip(x) { s += t * (i % 7) as f64; }
                    s
                }

                #[adjoint(independents(x))]
                fn zipped_inclusive(x: &[f64], a: $ty, b: $ty) -> f64 {
                    let mut s = 0.0;
                    for (t, i) in x.iter().zip(a..=b) { s += t * (i % 7) as f64; }
                    s
                }

                #[adjoint(independents(x))]
                fn skipped(x: &[f64], a: $ty, b: $ty, n: usize) -> f64 {
                    let mut s = 0.0;
                    for (i, t) in (a..=b).rev().skip(n).zip(x) { s += t * (i % 7) as f64; }
                    s
                }

                #[adjoint(independents(x))]
                fn stepped(x: &[f64], a: $ty, b: $ty, n: usize) -> f64 {
                    let mut s = 0.0;
                    for (i, t) in (a..=b).step_by(n + 1).zip(x.iter().rev()) { s += t * (i % 7) as f64; }
                    s
                }

                #[adjoint(independents(x))]
                fn taken(x: &[f64], a: $ty, b: $ty, n: usize) -> f64 {
                    let mut s = 0.0;
                    for (k, i) in (a..b).step_by(n + 1).take(9).enumerate() { s += x[k % 4] * (i % 7) as f64; }
                    s
                }

                #[adjoint(independents(x))]
                fn mapped(x: &[f64], a: $ty, b: $ty, n: usize) -> f64 {
                    let mut s = 0.0;
                    s += (a..=b).take(n).zip(x).map(|(i, t)| t * (i % 7) as f64).sum::<f64>();
                    s
                }

                #[adjoint(independents(x))]
                fn left_early(x: &[f64], a: $ty, b: $ty, n: usize) -> f64 {
                    let mut s = 0.0;
                    for (k, i) in (a..=b).enumerate() {
                        if k > n {
                            break;
                        }
                        s += x[k % 4] * (i % 7) as f64;
                    }
                    s
                }

                #[adjoint(independents(x))]
                fn counted(x: &[f64], a: $ty, b: $ty, n: usize) -> f64 {
                    let mut s = 0.0;
                    for (k, i) in (a..b).rev().enumerate().skip(n) { s += x[k % 4] * (i % 7) as f64; }
                    s
                }

                #[adjoint(independents(x))]
                fn zipped_ranges(x: &[f64], a: $ty, b: $ty, n: usize) -> f64 {
                    let mut s = 0.0;
                    for (i, j) in (a..b).zip(0..) { s += x[n % 4] * ((i % 7) as f64 - (j % 5) as f64); }
                    s
                }

                #[adjoint(independents(x))]
                fn backwards(x: &[f64], a: $ty, b: $ty) -> f64 {
                    let mut s = 0.0;
                    for i in (a..=b).rev() { s += x[(i % 3) as usize & 3] * (i % 7) as f64; }
                    s
                }

                #[adjoint(independents(x))]
                fn with_steps(x: &[f64], a: $ty, b: $ty, n: usize) -> f64 {
                    let mut s = 0.0;
                    for i in (a..=b).rev().step_by(n + 1) { s += x[(i % 3) as usize & 3] * (i % 7) as f64; }
                    s
                }

                pub fn compare_short(a: $ty, b: $ty, n: usize) {
                    compare(&|x| zipped(x, a, b), &|x| zipped::gradient(x, a, b));
                    compare(&|x| zipped_inclusive(x, a, b), &|x| zipped_inclusive::gradient(x, a, b));
                    compare(&|x| skipped(x, a, b, n), &|x| skipped::gradient(x, a, b, n));
                    compare(&|x| stepped(x, a, b, n), &|x| stepped::gradient(x, a, b, n));
                    compare(&|x| taken(x, a, b, n), &|x| taken::gradient(x, a, b, n));
                    compare(&|x| mapped(x, a, b, n), &|x| mapped::gradient(x, a, b, n));
                    compare(&|x| left_early(x, a, b, n), &|x| left_early::gradient(x, a, b, n));
                }

                pub fn compare_long(a: $ty, b: $ty, n: usize) {
                    compare(&|x| counted(x, a, b, n), &|x| counted::gradient(x, a, b, n));
                    compare(&|x| zipped_ranges(x, a, b, n), &|x| zipped_ranges::gradient(x, a, b, n));
                    compare(&|x| backwards(x, a, b), &|x| backwards::gradient(x, a, b));
                    compare(&|x| with_steps(x, a, b, n), &|x| with_steps::gradient(x, a, b, n));
                }
            }
        )*

        #[test]
        fn ranges_end_where_their_types_do() {
            let mut rng = Rng::with_seed(22);
            $(for _ in 0..100 {
                let mut near = || {
                    let (least, greatest) = (<$ty>::MIN, <$ty>::MAX);
                    let by = rng.u8(0..5) as $ty;
                    [least + by, greatest - by, greatest / 2 + least / 2 + by][rng.usize(0..3)]
                };
                let (a, b) = (near(), near());
                let n = rng.usize(0..4);
                $module::compare_short(a, b, n);
                // The others are as long as the range.
                let b = if <$ty>::BITS == 8 { b } else { a.saturating_add(rng.u8(0..90) as $ty) };
                $module::compare_long(a, b, n);
            })*
        }
    };
}

ranges! {
    bytes u8;
    signed_bytes i8;
    signed i64;
    sizes usize;
}

#[adjoint]
fn of_the_widest(x: &[f64]) -> f64 {
    let many = (0..u128::MAX).zip(x).map(|(i, t)| t * i as f64).sum::<f64>();
    many + (u128::MAX - 1..=u128::MAX)
        .zip(x)
        .map(|(i, t)| t * (u128::MAX - i + 1) as f64)
        .sum::<f64>()
}

#[adjoint]
fn of_literals(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, t) in (-5..5).step_by(2).zip(x) {
        s += t * i as f64;
    }
    for (k, i) in (usize::MAX - 2..=usize::MAX).enumerate() {
        s += x[k] * (usize::MAX - i) as f64;
    }
    for ((i, j), t) in (-100i8..).zip(0..=usize::MAX).zip(x.iter().cycle()).take(200) {
        s += t * (i as f64 + j as f64);
    }
    s
}

/// Ranges that end with the greatest length, as a number and by name, which other iterators are counted along with.
#[adjoint]
fn of_the_greatest(x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for (r, j) in (18446744073709551615usize..=18446744073709551615).rev().zip((0..3usize).rev()) {
        s += x[j] * (r % 7) as f64;
    }
    for (r, t) in (18446744073709551613usize..=18446744073709551615).rev().zip(x) {
        s += t * (r % 7) as f64;
    }
    for (r, j) in (usize::MAX..=usize::MAX).rev().zip((0..3usize).rev()) {
        s += x[j] * (r % 5) as f64;
    }
    for (r, t) in (usize::MAX - n..=18446744073709551615).step_by(2).zip(x) {
        s += t * (r % 11) as f64;
    }
    for (r, t) in (0..=18446744073709551615usize).step_by(3).zip(x) {
        s += t * (r % 11) as f64;
    }
    for (r, t) in (0..=18446744073709551615usize).rev().zip(x).skip(1) {
        s += t * (r % 13) as f64;
    }
    for (r, t) in (18446744073709551615usize..=18446744073709551612).zip(x) {
        s += t * r as f64;
    }
    s
}

/// What tells the type of a loop's numbers is the range alone, which begins elsewhere.
#[adjoint]
fn of_types_told_by_ranges(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for r in (18446744073709551612usize..18446744073709551615).skip(1) {
        s += r as f64 * x[0];
    }
    for r in (0usize..5).skip(1) {
        s += (!r % 7) as f64 * x[1];
    }
    for r in (3..=7u8).skip(2) {
        s += !r as f64 * x[2];
    }
    for (r, t) in [x[0], x[3]].iter().enumerate() {
        s += (!r % 5) as f64 * t;
    }
    s
}

#[test]
fn literals_of_ranges_keep_their_types() {
    compare(&of_types_told_by_ranges, &of_types_told_by_ranges::gradient);
}

macro_rules! counted_to_the_end {
    ($($name:ident $first:literal;)*) => {
        $(
            #[adjoint]
            fn $name(x: &[f64]) -> f64 {
                ($first..).zip(x).map(|(i, t)| t * i as f64).sum::<f64>()
            }
        )*

        /// Where numbers are checked, a range without an end panics before it hands out the greatest of its type.
        #[test]
        fn ranges_without_an_end_end_with_their_types() {
            $(
                for len in 1..8 {
                    let x = vec![1.0; len];
                    let plain = std::panic::catch_unwind(|| ($first..).zip(&x).map(|(i, t)| t * i as f64).sum::<f64>());
                    let value = std::panic::catch_unwind(|| $name::gradient(&x).0);
                    assert_eq!(value.ok(), plain.ok(), "{} and {len}", stringify!($first));
                }
            )*
        }
    };
}

counted_to_the_end! {
    of_bytes 250u8;
    of_signed_bytes 124i8;
    of_signed_numbers -3i16;
    of_long_numbers 18446744073709551611u64;
}

#[test]
fn ranges_that_end_with_the_greatest_length() {
    for n in [0, 1, 3] {
        compare(&|x| of_the_greatest(x, n), &|x| of_the_greatest::gradient(x, n));
    }
}

#[test]
fn ranges_of_the_widest_integers_and_of_literals() {
    compare(&of_the_widest, &of_the_widest::gradient);
    compare(&of_literals, &of_literals::gradient);
}
