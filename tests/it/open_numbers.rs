//! Numbers whose types the macro does not see: literals without suffix that meet constants, fields, parameters of functions that
//! are called. What overflows, or is rounded, in one type and not in another shows that a sweep computes with the user's.
#![allow(
    clippy::explicit_counter_loop,
    clippy::vec_init_then_push,
    reason = "the attribute meets code as people write it"
)]

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};

const N: usize = 10;

mod grid {
    pub const WIDTH: usize = 3;
    pub const ROUNDS: i64 = 3;
}

static TABLE: [u8; 3] = [1, 2, 3];

/// The values and derivatives of functions of one number, against differences of the functions.
macro_rules! derivatives {
    ($($function:ident)*) => {
        [$({
            let x = 0.7;
            let (value, slope) = $function::gradient(x);
            assert_eq!(value, $function(x), stringify!($function));
            let difference = ($function(x + 1e-6) - $function(x - 1e-6)) / 2e-6;
            assert_relative_eq!(slope, difference, epsilon = 1e-6, max_relative = 1e-6);
        }),*]
    };
}

/// The same for functions of a list.
macro_rules! gradients {
    ($($function:ident)*) => {
        [$({
            let u: Vec<f64> = (0..90).map(|i| 0.3 + (0.1 + i as f64).sin().abs()).collect();
            let (value, gradient) = $function::gradient(&u);
            assert_eq!(value, $function(&u), stringify!($function));
            for i in 0..u.len() {
                let shifted = |h: f64| {
                    let mut u = u.clone();
                    u[i] += h;
                    $function(&u)
                };
                let difference = (shifted(1e-6) - shifted(-1e-6)) / 2e-6;
                assert_relative_eq!(gradient[i], difference, epsilon = 1e-6, max_relative = 1e-6);
            }
        }),*]
    };
}

#[adjoint]
fn twice(x: f64) -> f64 {
    2.0 * x
}

/// The type of the literal is that of what another function returns.
#[adjoint]
fn bounded(x: f64) -> f64 {
    let (low, high) = (twice(x).max(1e-10), twice(x).min(1e10));
    twice(low) * high
}

#[adjoint]
fn stencil(u: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 1..N - 1 {
        s += u[N + i].powi(2);
    }
    s
}

#[adjoint]
fn constant_behind(u: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 1..N - 1 {
        s += u[N + i] * u[i + N];
    }
    s
}

#[adjoint]
fn rows(u: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..4 {
        for j in 0..3 {
            s += u[i * grid::WIDTH + j].powi(2);
        }
    }
    s
}

#[adjoint]
fn counted_by_hand(u: &[f64]) -> f64 {
    let mut s = 1.0;
    let mut i = 0;
    while i < N {
        s *= u[i * 2] + 0.5;
        i += 1;
    }
    s
}

#[adjoint]
fn index_by_name(u: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 1..N - 1 {
        let k = N + i;
        s = s * 0.5 + u[k] * u[k];
    }
    s
}

#[adjoint]
fn chosen_index(u: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in (1..N - 1).rev() {
        let a = if i % 2 == 0 { N + i } else { N };
        s *= u[a] + 0.4;
    }
    s
}

#[adjoint]
fn leaves_in_the_middle(u: &[f64]) -> f64 {
    let mut p = 0;
    let mut s = 0.0;
    loop {
        if p >= N {
            break;
        }
        s += u[p + N] * u[p];
        p += 3;
    }
    s
}

#[adjoint]
fn in_steps(u: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in (0..N).step_by(2) {
        s += u[N + i].exp();
    }
    s
}

#[adjoint]
fn in_a_chain(u: &[f64]) -> f64 {
    (0..N - 1).map(|i| u[N + i] * u[i]).sum()
}

#[adjoint]
fn list_of_constant_length(u: &[f64]) -> f64 {
    let mut v = [0.0; N];
    for i in 2..N {
        v[N - i] = u[i] * u[N + i];
    }
    v.iter().map(|t| t * t).sum()
}

#[adjoint]
fn named_bounds(u: &[f64]) -> f64 {
    let mut s = 0.0;
    let lo = 1;
    let hi = N - 2;
    for i in lo..hi {
        s += u[i * N + lo].ln();
    }
    s
}

#[adjoint]
fn listed_indices(u: &[f64]) -> f64 {
    let mut s = 0.0;
    let idx = [0, 2, 1];
    for &i in &idx {
        s += u[N + i].ln();
    }
    s
}

#[adjoint]
fn pairs_of_indices(u: &[f64]) -> f64 {
    let mut s = 0.0;
    let idx = [(0, 1), (2, 3)];
    for (i, j) in idx {
        s += u[N * i + j].ln();
    }
    s
}

fn bound(n: usize) -> usize {
    n / 2
}

#[adjoint]
fn bound_of_a_call(u: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in 0..bound(u.len()) {
        s = s * 0.9 + u[i] * u[i];
    }
    s
}

#[adjoint]
fn sweeps_in_place(u: &mut [f64]) {
    for t in 0..N {
        for i in 1..N - 1 {
            u[N + i] = u[i] * u[i - 1] + u[i + N] * t as f64;
        }
    }
}

#[test]
fn constants_in_ranges_and_indices() {
    gradients! {
        stencil constant_behind rows counted_by_hand index_by_name chosen_index
        leaves_in_the_middle in_steps in_a_chain list_of_constant_length named_bounds
        listed_indices pairs_of_indices bound_of_a_call
    };
    let u: Vec<f64> = (0..20).map(|i| 0.1 + (i as f64).cos().abs() / 2.0).collect();
    let weights: Vec<f64> = (0..20).map(|i| 1.0 + (i as f64).sin()).collect();
    let weighted = |u: &[f64]| {
        let mut u = u.to_vec();
        sweeps_in_place(&mut u);
        u.iter().zip(&weights).map(|(a, w)| a * w).sum::<f64>()
    };
    let (mut changed, mut bar) = (u.clone(), weights.clone());
    sweeps_in_place::adjoint(&mut changed, &mut bar);
    for i in 0..u.len() {
        let shifted = |h: f64| {
            let mut u = u.clone();
            u[i] += h;
            weighted(&u)
        };
        let difference = (shifted(1e-6) - shifted(-1e-6)) / 2e-6;
        assert_relative_eq!(bar[i], difference, epsilon = 1e-3, max_relative = 1e-6);
    }
}

fn note(_: u8) {}

/// As an `i32`, `!0` is -1.
#[adjoint]
fn told_by_a_call_that_is_kept(x: f64) -> f64 {
    let k = !0;
    note(k);
    x * k as f64
}

#[adjoint]
fn rounds_of_another_type(x: f64) -> f64 {
    let mut s = x;
    for k in 0..grid::ROUNDS {
        s = s * x + k as f64;
    }
    s
}

#[adjoint]
fn compared_with_a_constant(x: f64) -> f64 {
    let mut s = x;
    let mut k = 1;
    while k < grid::ROUNDS {
        s = s * x + k as f64;
        k *= 2;
    }
    s
}

#[adjoint]
fn compared_inside(x: f64) -> f64 {
    let k = 3;
    let mut s = x;
    for i in 0..k {
        if i < grid::ROUNDS {
            s *= x + i as f64;
        }
    }
    s
}

#[adjoint]
fn compared_with_the_largest(x: f64) -> f64 {
    let k = 2;
    let most = u64::MAX;
    let mut s = x;
    for j in 0..3 {
        if most / k > j {
            s *= x;
        }
    }
    s
}

#[adjoint]
fn table_in_sum(x: f64) -> f64 {
    let mut s = 0;
    for i in 0..3 {
        s += TABLE[i];
    }
    x * s as f64
}

#[adjoint]
fn table_by_reference(x: f64) -> f64 {
    let mut s = 0;
    for t in &TABLE {
        s = s * 3 + *t;
    }
    x * s as f64
}

type Small = u8;

#[adjoint]
fn name_of_a_type(x: f64) -> f64 {
    let k: Small = !0;
    x * k as f64
}

#[adjoint]
fn taken_over_by_a_name_of_a_type(x: f64) -> f64 {
    let a = !0;
    let k: Small = a;
    x * k as f64 * a as f64
}

#[test]
fn what_tells_a_type_elsewhere() {
    derivatives! {
        bounded
        told_by_a_call_that_is_kept rounds_of_another_type compared_with_a_constant compared_inside
        compared_with_the_largest table_in_sum table_by_reference name_of_a_type
        taken_over_by_a_name_of_a_type
    };
    assert_eq!(told_by_a_call_that_is_kept::gradient(2.0), (510.0, 255.0));
    assert_eq!(taken_over_by_a_name_of_a_type::gradient(2.0), (130050.0, 65025.0));
}

#[adjoint]
fn times(x: f64, k: usize) -> f64 {
    x * k as f64 * x
}

#[adjoint]
fn times_small(x: f64, k: u8) -> f64 {
    x * (k as f64) * x
}

#[adjoint]
fn powers(x: f64, exponents: &[u16]) -> f64 {
    let mut s = 0.0;
    for k in exponents {
        s += x.powi(*k as i32);
    }
    s
}

#[adjoint]
fn weighted_pair(x: f64, pair: (u8, f32)) -> f64 {
    x * pair.0 as f64 * pair.1 as f64
}

#[adjoint]
fn counting(x: f64, k: &mut u32) -> f64 {
    *k += 1;
    x * *k as f64
}

#[derive(Clone, Copy, Differentiable)]
struct Setting {
    n: u8,
    w: f32,
}

#[adjoint(independents(x))]
fn with_setting(x: f64, p: &Setting) -> f64 {
    x * p.n as f64 * p.w as f64
}

#[adjoint]
fn by_name(x: f64) -> f64 {
    let k = 1;
    times(x, k)
}

#[adjoint]
fn by_choice(x: f64) -> f64 {
    times(x, if x > 0.5 { 2 } else { 1 })
}

#[adjoint]
fn changed_in_a_loop(x: f64) -> f64 {
    let mut k = 1;
    let mut s = x;
    for _ in 0..3 {
        s = times(s, k);
        k += 1;
    }
    s
}

/// As an `i32`, `!0 >> 1` is -1.
#[adjoint]
fn shifted_bits(x: f64) -> f64 {
    let mut k = !0;
    k >>= 1;
    times_small(x, k) * k as f64
}

#[adjoint]
fn in_an_array(x: f64) -> f64 {
    let exponents = [1, 2, 3];
    powers(x, &exponents)
}

#[adjoint]
fn in_a_list(x: f64) -> f64 {
    let exponents = vec![1, 2, 3];
    powers(x, &exponents) * exponents[1] as f64
}

#[adjoint]
fn in_a_list_that_grows(x: f64) -> f64 {
    let mut exponents = Vec::new();
    exponents.push(3);
    exponents.push(2);
    powers(x, &exponents)
}

#[adjoint]
fn in_a_tuple(x: f64) -> f64 {
    let pair = (2, 0.1);
    weighted_pair(x, pair)
}

#[adjoint]
fn by_exclusive_reference(x: f64) -> f64 {
    let mut k = 1;
    let y = counting(x, &mut k);
    counting(y, &mut k) * k as f64
}

#[adjoint]
fn in_a_struct(x: f64) -> f64 {
    let n = !0;
    let p = Setting { n, w: 0.1 };
    with_setting(x, &p) * n as f64
}

#[adjoint]
fn two_at_once(x: f64) -> f64 {
    let (a, b) = (1, 2);
    times(x, a) * times(x, b)
}

#[adjoint]
fn elements_of_an_array(x: f64) -> f64 {
    let mut y = x;
    for k in [1, 2, 3] {
        y += times(x, k);
    }
    y
}

#[adjoint]
fn items_of_a_chain(x: f64) -> f64 {
    (1..4).map(|k| times(x, k)).sum()
}

#[adjoint]
fn by_match(x: f64) -> f64 {
    let k = match x > 1.0 {
        true => 2,
        false => 5,
    };
    let j = k + 1;
    times(x, j) + times(x, k)
}

#[adjoint]
fn counted_and_continued(x: f64) -> f64 {
    let mut k = 0;
    while k < 3 {
        k += 1;
        if k == 2 {
            continue;
        }
    }
    times(x, k)
}

#[test]
fn arguments_of_calls() {
    derivatives! {
        by_name by_choice changed_in_a_loop shifted_bits in_an_array in_a_list in_a_list_that_grows
        in_a_tuple by_exclusive_reference in_a_struct two_at_once elements_of_an_array
        items_of_a_chain by_match counted_and_continued
    };
    assert_eq!(shifted_bits::gradient(1.0), (16129.0, 32258.0));
}

#[adjoint]
fn product(x: f32, k: f32) -> f32 {
    x * k
}

#[adjoint]
fn short_float(x: f32) -> f32 {
    let k = 1.0 / 3.0;
    product(x, k)
}

#[adjoint]
fn short_float_in_a_loop(x: f32) -> f32 {
    let mut w = 0.1;
    let mut s = x;
    for _ in 0..3 {
        s = product(s, w);
        w *= 0.1;
    }
    s
}

#[test]
fn short_floats_as_arguments() {
    assert_eq!(short_float::gradient(2.0), (2.0 * (1.0f32 / 3.0), 1.0f32 / 3.0));
    let mut weight = 0.1f32;
    let mut expected = (2.0f32, 1.0f32);
    for _ in 0..3 {
        expected.0 *= weight;
        weight *= 0.1;
    }
    // The adjoint multiplies from the other end.
    weight = 0.1f32 * 0.1 * 0.1;
    expected.1 = weight * (0.1f32 * 0.1) * 0.1;
    let found = short_float_in_a_loop::gradient(2.0);
    assert_eq!(found.0, expected.0);
    assert_relative_eq!(found.1, expected.1, max_relative = 2e-7);
}
