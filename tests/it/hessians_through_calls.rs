//! Sparse Hessians of functions that call others: they are the dense ones, which take one row to a run there, and their patterns are
//! those of the functions, not of the point.

use backsweep::adjoint;

/// The entries are those of the dense Hessian, and the pattern is as expected: `(row, column)` on and below the diagonal.
#[track_caller]
fn assert_same(
    (rows, cols, values): (Vec<usize>, Vec<usize>, Vec<f64>),
    dense: &[f64],
    pattern: &[(usize, usize)],
) {
    let n = (0..).find(|n| n * n >= dense.len()).expect("a square");
    assert_eq!(n * n, dense.len());
    let found: Vec<(usize, usize)> = rows.iter().copied().zip(cols.iter().copied()).collect();
    let mut expected: Vec<(usize, usize)> =
        pattern.iter().flat_map(|&(row, col)| [(row, col), (col, row)]).collect();
    expected.sort_unstable();
    expected.dedup();
    let mut sorted = found.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, expected);
    let mut rest = dense.to_vec();
    let scale = rest.iter().fold(1.0_f64, |most, entry| most.max(entry.abs()));
    for (&(row, col), value) in found.iter().zip(values) {
        let dense = std::mem::take(&mut rest[row * n + col]);
        // The entry may be the one on the other side of the diagonal, which is rounded otherwise.
        assert!((value - dense).abs() <= 1e-14 * scale, "({row}, {col}): {value} {dense}");
    }
    assert!(rest.iter().all(|&entry| entry == 0.0), "{rest:?} outside of the pattern");
}

/// All on and below the diagonal.
fn full(n: usize) -> Vec<(usize, usize)> {
    (0..n).flat_map(|row| (0..=row).map(move |col| (row, col))).collect()
}

/// Differences of the gradient, of fourth order: 1e-7 is what their rounding and truncation leave at this step.
#[track_caller]
fn assert_is_hessian(gradient: impl Fn(&[f64]) -> Vec<f64>, x: &[f64], dense: &[f64]) {
    let h = 1e-3;
    for at in 0..x.len() {
        let moved = |by: f64| {
            let mut y = x.to_vec();
            y[at] += by;
            gradient(&y)
        };
        let [far, near, back, far_back] = [2.0 * h, h, -h, -2.0 * h].map(moved);
        for row in 0..x.len() {
            let near = near[row] - back[row];
            let difference = (8.0 * near - far[row] + far_back[row]) / (12.0 * h);
            let found = dense[row * x.len() + at];
            let error = (difference - found).abs();
            assert!(error <= 1e-7 * (1.0 + found.abs()), "({row}, {at}): {found} {difference}");
        }
    }
}

#[adjoint(second_order)]
fn spring(a: f64, b: f64, stiffness: f64) -> f64 {
    let stretched = b - a;
    stiffness * stretched * stretched + stretched.sin()
}

#[adjoint(second_order)]
fn chain(x: &[f64]) -> f64 {
    let mut energy = 0.0;
    for i in 0..x.len() - 1 {
        energy += spring(x[i], x[i + 1], 1.5);
    }
    energy
}

#[test]
fn calls_in_a_loop_give_a_band() {
    let x = [0.3, -0.2, 1.1, 0.7, 2.0, -1.0];
    let dense = chain::hessian(&x);
    let band: Vec<_> = full(6).into_iter().filter(|(row, col)| row - col <= 1).collect();
    assert_same(chain::hessian_sparse(&x), &dense, &band);
    assert_is_hessian(|x| chain::gradient(x).1, &x, &dense);
}

#[adjoint(second_order)]
fn weighted(x: f64, count: usize, weights: &[f64]) -> f64 {
    let mut sum = x;
    for weight in weights.iter().take(count) {
        sum = sum * x + weight * x.cos();
    }
    sum
}

#[adjoint(second_order, passive(weights, count))]
fn with_passive(x: &[f64; 3], count: usize, weights: &[f64]) -> f64 {
    let first = weighted(x[0] * x[1], count, weights);
    if x[2] > 0.5 { first * weighted(x[2], 1, weights) } else { first }
}

#[test]
fn passive_arguments_have_no_direction() {
    let weights = [0.7, -1.2, 0.4];
    for (x, pattern) in [([0.9, -0.4, 1.3], full(3)), ([0.9, -0.4, 0.3], full(2))] {
        let dense = with_passive::hessian(&x, 3, &weights);
        assert_same(with_passive::hessian_sparse(&x, 3, &weights), &dense, &pattern);
        let gradient = |x: &[f64]| {
            let x = <&[f64; 3]>::try_from(x).expect("three numbers");
            with_passive::gradient(x, 3, &weights).1.to_vec()
        };
        assert_is_hessian(gradient, &x, &dense);
    }
}

#[adjoint(second_order)]
fn constant_argument(x: &[f64; 2]) -> f64 {
    // The first argument of the first call is no independent, and the last of the second.
    spring(2.0, x[0], 0.5) + spring(x[0] * x[1], 1.0, x[1])
}

#[test]
fn constants_are_passed_for_independents() {
    let x = [0.4, -0.8];
    let dense = constant_argument::hessian(&x);
    assert_same(constant_argument::hessian_sparse(&x), &dense, &full(2));
    let gradient = |x: &[f64]| constant_argument::gradient(&[x[0], x[1]]).1.to_vec();
    assert_is_hessian(gradient, &x, &dense);
}

#[adjoint(second_order)]
fn smooth(x: &[f64], out: &mut [f64]) {
    for i in 0..x.len() {
        out[i] = out[i] * x[i] + x[i].exp();
    }
}

#[adjoint(second_order)]
fn with_work(x: &[f64]) -> f64 {
    let mut work = vec![1.0; x.len()];
    smooth(x, &mut work);
    smooth(x, &mut work);
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += work[i] * work[i];
    }
    sum
}

#[test]
fn work_arrays_are_written_by_calls() {
    let x = [0.3, -0.2, 0.9, 0.1];
    let dense = with_work::hessian(&x);
    let diagonal: Vec<_> = (0..4).map(|at| (at, at)).collect();
    assert_same(with_work::hessian_sparse(&x), &dense, &diagonal);
    assert_is_hessian(|x| with_work::gradient(x).1, &x, &dense);
}

#[adjoint(second_order)]
fn with_array(x: &[f64; 3]) -> f64 {
    let mut work = [1.0; 3];
    smooth(&x[..], &mut work[..]);
    work[0] * work[1] + work[2]
}

#[test]
fn arrays_are_passed_as_slices() {
    let x = [0.3, -0.2, 0.9];
    let dense = with_array::hessian(&x);
    let pattern = [(0, 0), (1, 0), (1, 1), (2, 2)];
    assert_same(with_array::hessian_sparse(&x), &dense, &pattern);
    let gradient = |x: &[f64]| with_array::gradient(&[x[0], x[1], x[2]]).1.to_vec();
    assert_is_hessian(gradient, &x, &dense);
}

#[adjoint(second_order)]
fn turned(x: [f64; 2], angle: f64) -> [f64; 2] {
    let (c, s) = (angle.cos(), angle.sin());
    [c * x[0] - s * x[1], s * x[0] + c * x[1]]
}

#[adjoint(second_order)]
fn parts(x: f64, y: f64) -> (f64, f64) {
    (x * x * y, y.exp())
}

#[adjoint(second_order)]
fn of_several_results(x: &[f64]) -> f64 {
    let point: [f64; 2] = turned([x[0], x[1]], x[2]);
    let (left, right): (f64, f64) = parts(point[0], x[3]);
    left * right
}

#[test]
fn results_are_arrays_and_tuples() {
    let x = [0.3, -0.2, 0.9, 0.4];
    let dense = of_several_results::hessian(&x);
    assert_same(of_several_results::hessian_sparse(&x), &dense, &full(4));
    assert_is_hessian(|x| of_several_results::gradient(x).1, &x, &dense);
}

#[adjoint(second_order)]
fn root(x: f64) -> Option<f64> {
    if x < 0.0 {
        return None;
    }
    Some(x.sqrt() * x)
}

#[adjoint(second_order)]
fn of_roots(x: &[f64]) -> Option<f64> {
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += root(x[i])? * x[0];
    }
    Some(sum)
}

#[test]
fn calls_that_fail_fail_the_caller() {
    let x = [0.3, 0.2, 0.9];
    let dense = of_roots::hessian(&x).expect("no number is negative");
    let sparse = of_roots::hessian_sparse(&x).expect("no number is negative");
    assert_same(sparse, &dense, &[(1, 0), (2, 0), (1, 1), (2, 2)]);
    let gradient = |x: &[f64]| of_roots::gradient(x).expect("no number is negative").1;
    assert_is_hessian(gradient, &x, &dense);
    assert_eq!(of_roots::hessian_sparse(&[0.3, 0.2, -0.9]), None);
}

#[adjoint(second_order)]
fn product(x: f64, y: f64) -> f64 {
    x * y * y
}

#[adjoint(second_order)]
fn products(x: &[f64]) -> f64 {
    product(x[0], x[1]) + product(x[1], x[2])
}

#[test]
fn an_entry_that_happens_to_be_zero_is_in_the_pattern() {
    let x = [0.0, 0.0, 0.0];
    let dense = products::hessian(&x);
    assert_eq!(dense, [0.0; 9]);
    let pattern = [(1, 0), (1, 1), (2, 1), (2, 2)];
    assert_same(products::hessian_sparse(&x), &dense, &pattern);
    let (rows, cols) = products::hessian_pattern(&x).triplets();
    assert_eq!(rows.len(), 6);
    assert_eq!(cols.len(), 6);
}

#[adjoint(second_order)]
fn power(x: f64, n: usize) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

#[adjoint(second_order)]
fn powers(x: &[f64]) -> f64 {
    power(x[0] * x[1], 3) + power(x[2], 2)
}

#[test]
fn functions_call_themselves() {
    let x = [0.3, 1.2, 0.9];
    let dense = powers::hessian(&x);
    assert_same(powers::hessian_sparse(&x), &dense, &[(0, 0), (1, 0), (1, 1), (2, 2)]);
    assert_is_hessian(|x| powers::gradient(x).1, &x, &dense);
}

#[adjoint(second_order)]
fn middle(x: &[f64], k: usize) -> f64 {
    spring(x[k], x[k + 1], x[0]) * spring(x[k], 0.0, 1.0)
}

#[adjoint(second_order)]
fn nested(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 1..x.len() - 1 {
        let part: f64 = middle(x, k);
        sum += part;
        if part < 0.0 {
            sum += middle(&x[1..], k - 1);
        }
    }
    sum
}

#[test]
fn calls_are_nested() {
    let x = [0.3, -1.2, 0.9, 2.0];
    let dense = nested::hessian(&x);
    // In the first number it is linear, and the second and the last occur in no term together.
    let is_expected = |entry: &(usize, usize)| !matches!(entry, (0, 0) | (3, 1));
    let pattern: Vec<_> = full(4).into_iter().filter(is_expected).collect();
    assert_same(nested::hessian_sparse(&x), &dense, &pattern);
    assert_is_hessian(|x| nested::gradient(x).1, &x, &dense);
}

#[adjoint(second_order)]
fn same_twice(x: &[f64; 2]) -> f64 {
    let y = x[0] * x[1];
    spring(y, y, y) + spring(x[0], y, x[0])
}

#[test]
fn one_variable_is_passed_several_times() {
    let x = [0.3, -1.2];
    let dense = same_twice::hessian(&x);
    assert_same(same_twice::hessian_sparse(&x), &dense, &full(2));
    let gradient = |x: &[f64]| same_twice::gradient(&[x[0], x[1]]).1.to_vec();
    assert_is_hessian(gradient, &x, &dense);
}

#[adjoint(second_order, partials(x: 2.0 * x))]
fn square(x: f64) -> f64 {
    x * x
}

/// Its sparse Hessian cannot be used, for that of `square` has one direction: its dense one can.
#[adjoint(second_order)]
fn of_given(x: &[f64]) -> f64 {
    square(x[0]) * x[1]
}

#[test]
fn the_dense_hessian_needs_no_several_directions() {
    assert_eq!(of_given::hessian(&[2.0, 3.0]), [6.0, 4.0, 4.0, 0.0]);
    assert_eq!(of_given::hessian_diagonal(&[2.0, 3.0]), [6.0, 0.0]);
}

#[adjoint(second_order)]
fn both(a: f64, b: f64) -> f64 {
    let mut sum = 0.0;
    for _ in 0..3 {
        let left: f64 = weighted(a, 2, &[0.5, -0.3]);
        let right: f64 = weighted(b, 2, &[0.7, 1.3]);
        sum = sum * left + right * right;
    }
    sum
}

#[adjoint(second_order)]
fn half_constant(x: &[f64; 2]) -> f64 {
    let mut sum = 0.0;
    for k in 0..2 {
        sum = sum * x[1] + both(0.4, x[k]) * both(x[k], 0.6);
    }
    sum
}

#[test]
fn calls_of_calls_with_constants_keep_nothing() {
    let x = [0.3, -0.8];
    let dense = half_constant::hessian(&x);
    assert_same(half_constant::hessian_sparse(&x), &dense, &full(2));
    let gradient = |x: &[f64]| half_constant::gradient(&[x[0], x[1]]).1.to_vec();
    assert_is_hessian(gradient, &x, &dense);
}

#[adjoint(second_order)]
fn put(x: f32, out: &mut [f32; 2]) -> f32 {
    out[0] = x * x * out[1];
    out[1] = x.sin();
    x + out[0]
}

#[adjoint(second_order)]
fn single(x: f32, y: f32) -> f32 {
    let mut out: [f32; 2] = [y, 1.0];
    put(x, &mut out);
    let last: f32 = put(y, &mut out);
    out[0] * out[1] + last * x
}

#[test]
fn numbers_may_be_narrow_and_results_left_alone() {
    let dense = single::hessian(0.4, 0.9);
    assert!(dense.iter().all(|entry| *entry != 0.0), "{dense:?}");
    let (rows, cols, values) = single::hessian_sparse(0.4, 0.9);
    assert_eq!(rows.len(), 4);
    for ((row, col), value) in rows.into_iter().zip(cols).zip(values) {
        // Sums of `f32`s, in another order.
        let error = (value - f64::from(dense[row * 2 + col] as f32)).abs();
        assert!(error <= 1e-6 * value.abs(), "({row}, {col}): {value} {dense:?}");
    }
}

#[adjoint(second_order)]
fn extended(x: f64, list: &mut Vec<f64>) {
    let last = list[list.len() - 1];
    list.push(last * x);
}

#[adjoint(second_order)]
fn with_list(x: &[f64]) -> f64 {
    let mut list = vec![x[0]];
    for i in 0..x.len() {
        extended(x[i], &mut list);
    }
    list[list.len() - 1] + list[1]
}

#[test]
fn lists_grow_in_calls() {
    let x = [0.3, -0.8, 1.2];
    let dense = with_list::hessian(&x);
    assert_same(
        with_list::hessian_sparse(&x),
        &dense,
        &full(3)
            .into_iter()
            .filter(|&entry| entry != (1, 1) && entry != (2, 2))
            .collect::<Vec<_>>(),
    );
    assert_is_hessian(|x| with_list::gradient(x).1, &x, &dense);
}
