//! Small programs that catch mistakes about loops, branches and exits.
//! Values and gradients are listed with each.

use backsweep::adjoint;

/// A zero-trip loop kills nothing.
#[adjoint]
#[sample(0.7, 0)]
#[expect(value = 0.230606685204, gradient = [1.2641566])]
#[sample(0.7, 2)]
#[expect(value = 0.470625888171, gradient = [1.2352660])]
pub fn loop_that_may_not_run(x: f64, n: usize) -> f64 {
    let mut v = x * x;
    let y = v.sin();
    for _ in 0..n {
        v = 1.0;
    }
    y * v
}

/// Reset of the bar in the passive branch.
#[adjoint]
#[sample(0.7, true)]
#[expect(value = 0.700000000000, gradient = [1.0000000])]
#[sample(0.7, false)]
#[expect(value = 0.450952381066, gradient = [1.1796072])]
pub fn constant_in_one_branch(x: f64, c: bool) -> f64 {
    let mut t = x.sin();
    if c {
        t = 1.0;
    }
    t * x
}

/// Return from a nest, and the same without exit.
#[adjoint(independents(x))]
#[sample([0.7, -0.4, 1.1], 9.0)]
#[expect(value = 334.753870364649, gradient = [443.1081000, 325.8779459, 101.0191618])]
#[sample([0.7, -0.4, 1.1], 1e9)]
#[expect(value = 0.710498505890, gradient = [967.0894873, 747.7413079, 204.9634083])]
pub fn returns_from_nested_loops(x: &[f64], lim: f64) -> f64 {
    let mut p = 1.0;
    for i in 0..x.len() {
        for j in 0..x.len() {
            p = p * (2.0 + x[j].sin()) + x[i];
            if p > lim {
                return p * p;
            }
        }
        p = p.sin();
    }
    p
}

/// Data-dependent trip count.
#[adjoint]
#[sample(0.7)]
#[expect(value = 0.836660026534, gradient = [0.5976143])]
pub fn newton_square_root_relative(a: f64) -> f64 {
    let mut y = a;
    while (y * y - a).abs() > 1e-14 * a {
        y = 0.5 * (y + a / y);
    }
    y
}

/// && with index guard: no out-of-bounds re-test at i == n.
#[adjoint]
#[sample([0.7, 0.4, -1.5], 3)]
#[expect(value = 0.455000000000, gradient = [1.6300000, 0.5600000, 0.0000000])]
pub fn guarded_index_in_conditions(x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    let mut i = 0;
    while i < n && x[i] > 0.0 {
        s += x[i] * x[i];
        i += 1;
    }
    if i < n && x[i] < -1.0 || s > 100.0 {
        s * x[0]
    } else {
        s
    }
}

/// Inclusive u8 range to 255, rev/step_by, n = 0.
#[adjoint]
#[sample(0.7, 0)]
#[expect(value = 7.021875000000, gradient = [10.0312500])]
#[sample(0.7, 5)]
#[expect(value = 1.978596571875, gradient = [15.8071657])]
pub fn inclusive_reversed_and_empty_ranges(x: f64, n: usize) -> f64 {
    let mut s = 0.0;
    for k in 250u8..=255 {
        s = s * 0.5 + x * (k as f64 - 249.0);
    }
    for k in (0..n).rev().step_by(2) {
        s = s * x + k as f64;
    }
    for k in 3..=n {
        s *= x;
    }
    s
}

/// Accumulator read: not independent.
#[adjoint]
#[sample([0.7, 0.9, 0.2])]
#[expect(value = 1.800000000000, gradient = [1.1000000, 2.7000000, 2.0000000])]
pub fn accumulator_is_read(x: &[f64]) -> f64 {
    let mut s = 0.0;
    let mut t = 0.0;
    for i in 0..x.len() {
        s += x[i];
        if s > 1.0 {
            t += s * x[i];
        }
    }
    t
}

/// Break: not independent.
#[adjoint]
#[sample([0.7, 0.4, -1.5, 2.0])]
#[expect(value = 0.650000000000, gradient = [1.4000000, 0.8000000, 0.0000000, 0.0000000])]
pub fn sum_until_a_negative_entry(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        if x[i] < 0.0 {
            break;
        }
        s += x[i] * x[i];
    }
    s
}

/// Seed depends on the final sum: no single pass.
#[adjoint]
#[sample([0.6, 0.8])]
#[expect(value = 1.000000000000, gradient = [0.6000000, 0.8000000])]
pub fn norm_by_iteration(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += v * v;
    }
    s.sqrt()
}

/// Float t += 0.1 must not be inverted: optimised == naive bitwise.
#[adjoint]
#[sample(0.7)]
#[expect(value = 1.011471839635, gradient = [1.3952186])]
pub fn accumulated_time(x: f64) -> f64 {
    let mut t = 0.0;
    let mut s = 0.0;
    for _ in 0..7 {
        s += (t * x).sin();
        t += 0.1;
    }
    s * t
}

/// I32 loop with two decrements and continue.
#[adjoint]
#[sample(0.7)]
#[expect(value = 1.862000000000, gradient = [7.2800000])]
pub fn two_decrements_and_continue(x: f64) -> f64 {
    let mut y = 1.0;
    let mut i = 5i32;
    while i > -3 {
        if i % 2 == 0 {
            i -= 3;
            y *= x;
            continue;
        }
        i -= 1;
        y += x * i as f64;
    }
    y
}

/// Loop with || break.
#[adjoint]
#[sample(0.7)]
#[expect(value = 0.836660026534, gradient = [0.5976143])]
pub fn newton_square_root_with_a_limit(x: f64) -> f64 {
    let mut z = x;
    let mut c = 0;
    loop {
        let z0 = z;
        z = (z + x / z) / 2.0;
        c += 1;
        if (z - z0).abs() < 1e-15 || c > 50 {
            break;
        }
    }
    z
}

/// Condition with side effect must not be re-evaluated.
#[adjoint]
#[sample(0.7)]
#[expect(value = 19.783000000000, gradient = [24.8700000])]
pub fn condition_with_an_effect(x: f64) -> f64 {
    let mut k = 0;
    let mut s = 1.0;
    while {
        k += 1;
        k < 4
    } {
        s *= x + k as f64;
    }
    s + k as f64 * x
}

/// Labelled continue, break with value.
#[adjoint]
#[sample(0.7)]
#[expect(value = 20.411131656715, gradient = [54.3175190])]
pub fn labelled_exits_with_a_value(x: f64) -> f64 {
    let mut s = x;
    let mut k = 0;
    let r = 'o: loop {
        k += 1;
        for j in 0..5 {
            s = s * 1.1 + (j as f64) * x;
            if j == 3 {
                continue 'o;
            }
            if s > 20.0 {
                break 'o s * x;
            }
        }
    };
    r + k as f64 * x
}

/// Argmax reduction.
#[adjoint]
#[sample([0.7, -1.4, 1.1])]
#[expect(value = 3.920000000000, gradient = [0.0000000, -5.6000000, 0.0000000])]
pub fn reduction_with_argument(x: &[f64]) -> f64 {
    let mut best = x[0];
    let mut arg = 0;
    for (i, &v) in x.iter().enumerate() {
        if v * v > best {
            best = v * v;
            arg = i;
        }
    }
    best * (arg + 1) as f64
}

/// Variables that are declared before the loop that gives them values.
#[adjoint]
#[sample([0.7, -0.4, 1.1])]
#[expect(value = 1.61, gradient = [1.47, 0.48, 3.63])]
#[sample([])]
pub fn declared_before_the_loop(x: &[f64]) -> f64 {
    let (mut square, mut cube);
    let mut sum = 0.0;
    for v in x {
        square = v * v;
        cube = square * v;
        sum += cube;
    }
    sum
}
