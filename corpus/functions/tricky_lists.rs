//! Small programs that catch mistakes about arrays, slices and lists.
//! Values and gradients are listed with each.

use backsweep::adjoint;

/// Y primal output on return although overwritten values are restored; scalarised by weights 1, 2.
#[adjoint]
#[sample(0.7, [0.3, -1.2])]
#[expect(value = 2.079000000000, gradient = [2.9700000, 0.4200000, -3.3600000])]
pub fn squares_in_place(x: f64, y: &mut [f64]) {
    for i in 0..y.len() {
        y[i] = y[i] * y[i] * x;
    }
}

/// X_b += 2x·s, y_b stays s (composable).
#[adjoint]
#[weights(3.0)]
#[sample([0.7], 0.5)]
#[expect(value = 2.970000000000, gradient = [4.2000000, 3.0000000])]
pub fn accumulates_into_its_argument(x: &[f64], y: &mut f64) {
    *y += x[0] * x[0];
}

/// Equal run-time indices; template temp-reset-increment.
#[adjoint]
#[sample([0.7, 0.5], 0, 0)]
#[expect(value = 1.240100000000, gradient = [1.3720000, 2.0000000])]
#[sample([0.7, 0.5], 0, 1)]
#[expect(value = 0.500000000000, gradient = [0.0000000, 2.5000000])]
pub fn equal_or_different_indices(a: &mut [f64], i: usize, j: usize) {
    a[i] = a[j] * a[j];
    a[j] *= a[i];
}

/// Swap as inversion, i == j.
#[adjoint]
#[weights(1.0, 0.0, 3.0)]
#[sample([0.7, 0.1, 0.5], 0, 2)]
#[expect(value = 2.972438339346, gradient = [2.8765532, 0.0000000, 5.4410119])]
pub fn swaps(a: &mut [f64], i: usize, j: usize) {
    a[j] = a[j].sin();
    a.swap(i, j);
    a[i] *= 2.0;
    a.swap(j, j);
    a[j] = a[j] * a[i];
}

/// View bounds captured before i += 1.
#[adjoint]
#[sample([0.7, -0.4, 1.1])]
#[expect(value = -0.372000000000, gradient = [0.1600000, 0.6500000, -0.8800000])]
pub fn view_from_a_moving_index(a: &[f64]) -> f64 {
    let mut i = 0;
    let mut s = 0.0;
    while i + 1 < a.len() {
        let row = &a[i..i + 2];
        i += 1;
        s += row[0] * row[1] * a[i];
    }
    s
}

/// In-place write; factor overwritten later.
#[adjoint]
#[sample([0.7, -0.4], 1.3)]
#[expect(value = 1.696702250000, gradient = [6.5981020, -2.9703440, 3.7129300])]
pub fn factor_overwritten_after_the_loop(x: &mut [f64], mut c: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        x[i] = x[i] * x[i];
        s += x[i] * c;
    }
    c = s * c;
    c * c + x[0]
}

/// Index array overwritten.
#[adjoint]
#[sample([0.7, -0.4, 1.1])]
#[expect(value = 2.470000000000, gradient = [-0.4000000, 2.9000000, 5.8000000])]
pub fn index_list_overwritten(x: &[f64]) -> f64 {
    let mut idx = [0usize, 1, 2];
    let mut s = 0.0;
    for k in 0..3 {
        s += x[idx[k]] * x[idx[(k + 1) % 3]] * (k as f64 + 1.0);
        idx[k] = (idx[k] + 1) % 3;
        idx.swap(0, 1);
    }
    s
}

/// Usize k -= 1 inverted; wrap-around index.
#[adjoint]
#[sample([0.7, -0.4, 1.1], 0.9)]
#[expect(value = -0.114800000000, gradient = [-0.4720000, 1.8620000, -0.4480000, 0.1120000])]
pub fn countdown_with_wrapped_index(a: &mut [f64], x: f64) -> f64 {
    let n = a.len();
    let mut k = n;
    while k > 0 {
        k -= 1;
        a[k] = a[k] * x + a[(k + 1) % n] * a[k];
    }
    a[0]
}

/// Const generic, by-value mut array; x_b is the bar of the entry value.
#[adjoint]
#[generics(N = 3)]
#[sample([0.7, -0.4, 1.1])]
#[expect(value = -0.196000000000, gradient = [-0.2800000, 0.4900000, -0.0933333])]
pub fn array_by_value<const N: usize>(mut x: [f64; N]) -> f64 {
    let mut s = 0.0;
    for i in 1..N {
        x[i] *= x[i - 1];
        s += x[i] / N as f64;
    }
    x[0] = 0.0;
    s
}

/// Nested array, row write.
#[adjoint]
#[sample([[0.7, -0.4], [1.1, 0.3]])]
#[expect(value = 0.527800000000, gradient = [0.5040000, 0.8530000, 0.7900000, 0.0920000])]
pub fn rows_of_a_nested_array(m: &mut [[f64; 2]; 2]) -> f64 {
    for k in 0..2 {
        let (r, c) = (m[k][0], m[k][1]);
        m[1 - k][0] += r * c;
        m[k] = [c, r];
    }
    m[0][0] * m[1][0] + m[0][1] * m[1][1]
}

/// Bar must change length.
#[adjoint]
#[sample([0.7, -0.4, 1.1])]
#[expect(value = 0.980000000000, gradient = [2.1000000, 0.7000000, 0.7000000])]
pub fn list_changes_its_length(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut a = 0.0;
    for value in &v {
        a += value;
    }
    v = vec![x[0]; 2];
    a * v[1]
}

/// Local array: bar reset every iteration.
#[adjoint]
#[sample([0.7, -0.4, 1.1])]
#[expect(value = 2.184200000000, gradient = [1.3720000, -2.4000000, 5.3240000])]
pub fn array_of_the_loop_body(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let mut buf = [0.0; 2];
        buf[i % 2] = x[i] * x[i];
        s += buf[0] * buf[0] + 3.0 * buf[1];
    }
    s
}
