//! Backward loops go through parts of lists that are cut before them: the derivatives are the same bits as without, and nothing panics that did
//! not.

use backsweep::adjoint;
use std::panic::catch_unwind;

/// A function with windows and the same one without.
macro_rules! both {
    ($($name:ident, $without:ident: [$($arguments:tt)*] $signature:tt -> $result:ty $body:block)*) => {$(
        both! { @one $name, ($($arguments)*), $signature, $result, $body }
        both! { @one $without, ($($arguments)*, no(windows)), $signature, $result, $body }
    )*};
    (@one $name:ident, ($($arguments:tt)*), ($($signature:tt)*), $result:ty, $body:block) => {
        #[adjoint($($arguments)*)]
        fn $name($($signature)*) -> $result $body
    };
}

both! {
    banded, banded_without: [independents(x, y)] (x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 1..n {
            sum += x[i - 1] * x[i] * y[i + 2];
        }
        sum
    }
    of_column, of_column_without: [independents(matrix, x, y)] (matrix: &[f64], x: f64, y: &mut [f64], j: usize) -> f64 {
        let n = y.len();
        for i in j + 1..n {
            y[i] += matrix[j * n + i - j] * x;
        }
        let mut sum = 0.0;
        for i in 0..n {
            sum += y[i] * y[i];
        }
        sum
    }
    recurrent, recurrent_without: [independents(u)] (u: &mut [f64], rate: f64) -> f64 {
        for i in 1..u.len() {
            u[i] += rate * u[i - 1] * u[i - 1];
        }
        u[u.len() - 1]
    }
    where_there, where_there_without: [independents(x)] (x: &[f64]) -> f64 {
        let n = x.len();
        let mut sum = 0.0;
        for i in 0..n {
            if i + 1 < n {
                sum += x[i] * x[i + 1];
            }
            sum += 0.5 * x[i] * x[i];
        }
        sum
    }
    sparse, sparse_without: [independents(w, t)] (w: &[f64], t: &[f64], k: usize) -> f64 {
        let mut sum = 0.0;
        for i in 0..w.len() {
            sum += if w[i] == 0.0 { 0.0 } else { w[i] * t[i + k] };
        }
        sum
    }
    of_rows, of_rows_without: [independents(grid)] (grid: &[f64], width: usize) -> f64 {
        let height = grid.len() / width;
        let mut sum = 0.0;
        for i in 1..height - 1 {
            for j in 1..width - 1 {
                let up = grid[(i - 1) * width + j];
                let down = grid[(i + 1) * width + j];
                let here = grid[i * width + j];
                let beside = grid[i * width + j - 1] + grid[i * width + j + 1];
                let flux = up + down + beside - 4.0 * here;
                sum += flux * flux * here;
            }
        }
        sum
    }
    through_indices, through_indices_without: [independents(x)] (x: &[f64], at: &[usize], from: usize) -> f64 {
        let mut sum = 0.0;
        for k in from..at.len() {
            sum += x[at[k]] * x[k - from];
        }
        sum
    }
    moved, moved_without: [independents(x, y)] (x: &[f64], y: &mut [f64]) -> f64 {
        let n = x.len();
        for i in 0..n {
            let old = y[i];
            y[i] = old * x[n - 1 - i];
        }
        let mut sum = 0.0;
        for i in 0..n {
            sum += y[i] * x[i];
        }
        sum
    }
    inclusive, inclusive_without: [independents(x)] (x: &[f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for i in (0..n).rev() {
            sum = sum * 0.5 + x[i] * x[i];
        }
        for i in 0..=n {
            sum += x[i] * sum;
        }
        sum
    }
    diffused, diffused_without: [independents(u, rate)] (u: &mut [f64], rate: f64, steps: usize) -> f64 {
        let n = u.len();
        for _ in 0..steps {
            let mut left = u[0];
            for i in 1..n - 1 {
                let here = u[i];
                u[i] += rate * (left - 2.0 * here + u[i + 1]) * here;
                left = here;
            }
        }
        u[n / 2] * u[n / 3]
    }
    with_gaps, with_gaps_without: [independents(x, y)] (x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut sum = 0.0;
        for i in 3..n {
            sum += x[i - 3] * x[i] * y[i];
            if sum > 0.5 {
                sum -= 0.5 * x[i - 1] * x[i - 1];
            }
        }
        sum
    }
    generic_lists, generic_lists_without: [independents(x)] (x: Vec<f64>, rows: &[usize]) -> f64 {
        let mut squares = vec![0.0; x.len()];
        for i in 0..x.len() {
            squares[i] = x[i] * x[i];
        }
        let mut sum = 0.0;
        for r in 0..rows.len() {
            let row = rows[r];
            for i in 0..row {
                sum += squares[i] * x[r + i];
            }
        }
        sum
    }
}

fn numbers(count: usize, seed: usize) -> Vec<f64> {
    (0..count).map(|i| ((i * 7 + seed * 13) % 11) as f64 * 0.23 - 0.9).collect()
}

#[test]
fn sums_over_neighbours() {
    for (len, n) in [(0, 0), (1, 1), (2, 2), (7, 7), (7, 3), (5, 0)] {
        let (x, y) = (numbers(len, 1), numbers(len + 2, 2));
        let found = banded::gradient(&x, &y, n);
        assert_eq!(found, banded_without::gradient(&x, &y, n));
        let (_, (x_b, y_b)) = found;
        for i in 0..len {
            let before = if i >= 1 && i < n { x[i - 1] * y[i + 2] } else { 0.0 };
            let after = if i + 1 < n { x[i + 1] * y[i + 3] } else { 0.0 };
            assert!((x_b[i] - before - after).abs() < 1e-15);
        }
        for (k, bar) in y_b.into_iter().enumerate() {
            let expected = if k >= 3 && k - 2 < n { x[k - 3] * x[k - 2] } else { 0.0 };
            assert_eq!(bar, expected);
        }
    }
}

#[test]
fn columns_in_all_instances() {
    let n = 5;
    let (matrix, y) = (numbers(n * n, 3), numbers(n, 4));
    for j in 0..n + 2 {
        let run = |with: bool| {
            let (mut y, mut y_b) = (y.clone(), vec![0.25; n]);
            let (mut matrix_b, mut x_b) = (vec![0.0; n * n], 0.0);
            let adjoint = if with { of_column::adjoint } else { of_column_without::adjoint };
            let value = adjoint(&matrix, &mut matrix_b, 0.7, &mut x_b, &mut y, &mut y_b, j, 1.5);
            (value, matrix_b, x_b, y, y_b)
        };
        assert_eq!(run(true), run(false));
        let (_, matrix_b, x_b, y, _) = run(true);
        let bars: Vec<f64> = (0..n).map(|i| 0.25 + 1.5 * 2.0 * y[i]).collect();
        let expected: f64 = (j + 1..n).map(|i| bars[i] * matrix[j * n + i - j]).sum();
        assert!((x_b - expected).abs() < 1e-14);
        for i in j + 1..n {
            assert!((matrix_b[j * n + i - j] - bars[i] * 0.7).abs() < 1e-14);
        }
    }
}

#[test]
fn lists_that_are_changed() {
    for n in [1, 2, 6] {
        let u = numbers(n, 5);
        let run = |with: bool| {
            let (mut values, mut u_b) = (u.clone(), vec![0.0; n]);
            let adjoint = if with { recurrent::adjoint } else { recurrent_without::adjoint };
            (adjoint(&mut values, &mut u_b, 0.3, 1.0), values, u_b)
        };
        assert_eq!(run(true), run(false));
        let at = |u: &[f64]| recurrent(&mut u.to_vec(), 0.3);
        for (k, bar) in run(true).2.into_iter().enumerate() {
            let [mut up, mut down] = [u.clone(), u.clone()];
            up[k] += 1e-6;
            down[k] -= 1e-6;
            assert!((bar - (at(&up) - at(&down)) / 2e-6).abs() < 1e-8);
        }
        let (x, mut y) = (numbers(n, 6), numbers(n, 7));
        let (mut other, [mut x_b, mut y_b, mut x_c, mut y_c]) =
            (y.clone(), [(); 4].map(|()| vec![0.0; n]));
        moved::adjoint(&x, &mut x_b, &mut y, &mut y_b, 1.0);
        moved_without::adjoint(&x, &mut x_c, &mut other, &mut y_c, 1.0);
        assert_eq!((x_b, y_b, y), (x_c, y_c, other));
    }
}

/// Numbers that iterations hand on are written back, whatever is active.
#[test]
fn numbers_that_are_handed_on() {
    for (n, steps) in [(2, 2), (3, 1), (3, 4), (9, 3)] {
        let u = numbers(n, 5);
        let run = |with: bool| {
            let (mut values, mut u_b, mut rate_b) = (u.clone(), vec![0.5; n], 0.0);
            let adjoint = if with { diffused::adjoint } else { diffused_without::adjoint };
            let value = adjoint(&mut values, &mut u_b, 0.2, &mut rate_b, steps, 1.0);
            (value, values, u_b, rate_b)
        };
        assert_eq!(run(true), run(false));
        let weighted = |u: &[f64], rate: f64| {
            let mut values = u.to_vec();
            diffused(&mut values, rate, steps) + 0.5 * values.iter().sum::<f64>()
        };
        let (_, _, u_b, rate_b) = run(true);
        let difference = (weighted(&u, 0.2 + 1e-6) - weighted(&u, 0.2 - 1e-6)) / 2e-6;
        assert!((rate_b - difference).abs() < 1e-8);
        for (k, bar) in u_b.into_iter().enumerate() {
            let [mut up, mut down] = [u.clone(), u.clone()];
            up[k] += 1e-6;
            down[k] -= 1e-6;
            let difference = (weighted(&up, 0.2) - weighted(&down, 0.2)) / 2e-6;
            assert!((bar - difference).abs() < 1e-8);
        }
    }
    for n in [0, 3, 4, 5, 11] {
        let (x, y) = (numbers(n, 3), numbers(n, 4));
        let found = with_gaps::gradient(&x, &y, n);
        assert_eq!(found, with_gaps_without::gradient(&x, &y, n));
        for (k, bar) in found.1.0.into_iter().enumerate() {
            let [mut up, mut down] = [x.clone(), x.clone()];
            up[k] += 1e-7;
            down[k] -= 1e-7;
            let difference = (with_gaps(&up, &y, n) - with_gaps(&down, &y, n)) / 2e-7;
            assert!((bar - difference).abs() < 1e-7);
        }
    }
}

#[test]
fn what_iterations_do_not_all_come_to_need_not_be_there() {
    for n in [0, 1, 5] {
        let x = numbers(n, 8);
        let found = where_there::gradient(&x);
        assert_eq!(found, where_there_without::gradient(&x));
        for (i, bar) in found.1.into_iter().enumerate() {
            let before = if i > 0 { x[i - 1] } else { 0.0 };
            let after = x.get(i + 1).copied().unwrap_or(0.0);
            assert!((bar - before - after - x[i]).abs() < 1e-15);
        }
    }
    // The last element of `t` that is read is before its end, as the last weights are zero.
    let (w, t) = ([0.5, 0.0, 2.0, 0.0, 0.0], [9.0, 1.0, 2.0, 3.0]);
    let (value, (w_b, t_b)) = sparse::gradient(&w, &t, 1);
    assert_eq!(
        (value, &w_b, &t_b),
        (6.5, &vec![1.0, 0.0, 3.0, 0.0, 0.0], &vec![0.0, 0.5, 0.0, 2.0])
    );
    assert_eq!((value, (w_b, t_b)), sparse_without::gradient(&w, &t, 1));
}

#[test]
fn rows_of_matrices() {
    let (width, height) = (5, 4);
    let grid = numbers(width * height, 9);
    let found = of_rows::gradient(&grid, width);
    assert_eq!(found, of_rows_without::gradient(&grid, width));
    for (k, bar) in found.1.into_iter().enumerate() {
        let [mut up, mut down] = [grid.clone(), grid.clone()];
        up[k] += 1e-6;
        down[k] -= 1e-6;
        let difference = (of_rows(&up, width) - of_rows(&down, width)) / 2e-6;
        assert!((bar - difference).abs() < 1e-7, "{k}: {bar} {difference}");
    }
    let (x, at) = (numbers(6, 1), [3, 1, 5, 0]);
    assert_eq!(
        through_indices::gradient(&x, &at, 1),
        through_indices_without::gradient(&x, &at, 1)
    );
    assert_eq!(inclusive::gradient(&x, 5), inclusive_without::gradient(&x, 5));
    let rows = [3, 0, 4];
    assert_eq!(
        generic_lists::gradient(x.clone(), &rows),
        generic_lists_without::gradient(x, &rows)
    );
}

/// What is out of bounds is so in the forward sweep, with the words of Rust.
#[test]
fn panics_are_those_of_the_function() {
    let words = |panic: Box<dyn std::any::Any + Send>| *panic.downcast::<String>().expect("a text");
    let x = [1.0, 2.0, 3.0];
    let function = catch_unwind(|| banded(&x, &x, 3)).expect_err("it is too short");
    let gradient = catch_unwind(|| banded::gradient(&x, &x, 3)).expect_err("it is too short");
    assert_eq!(words(function), words(gradient));
}

/// In other homes: of other floats, of type parameters, in methods, modules and second derivatives.
mod elsewhere {
    use backsweep::adjoint;
    use num_traits::Float;

    #[adjoint]
    pub fn of_any_float<T: Float>(x: &[T]) -> T {
        let mut sum = T::zero();
        for i in 1..x.len() {
            sum = sum + x[i - 1] * x[i] * x[i];
        }
        sum
    }

    #[adjoint]
    pub fn single(x: &[f32]) -> f32 {
        let mut sum = 0.0;
        for i in 1..x.len() {
            sum += x[i - 1] * x[i] * x[i];
        }
        sum
    }

    #[adjoint(independents(x), dependents(return), second_order)]
    pub fn twice(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 1..x.len() {
            sum += x[i - 1] * x[i] * x[i];
        }
        sum
    }

    pub struct Chain(pub f64);

    #[adjoint]
    impl Chain {
        #[adjoint(independents(x), dependents(return))]
        pub fn energy(&self, x: &[f64]) -> f64 {
            let mut sum = 0.0;
            for i in 1..x.len() {
                sum += self.0 * x[i - 1] * x[i] * x[i];
            }
            sum
        }
    }

    #[adjoint]
    pub mod inner {
        pub fn energy(x: &[f64]) -> f64 {
            let mut sum = 0.0;
            for i in 1..x.len() {
                sum += x[i - 1] * x[i] * x[i];
            }
            2.0 * sum
        }
    }
}

#[test]
fn they_are_the_same_elsewhere() {
    use elsewhere::{Chain, inner, of_any_float, single, twice};
    let x = [0.5, -1.0, 2.0, 0.25, 3.0];
    let expected: Vec<f64> = (0..x.len())
        .map(|i| {
            let before = if i > 0 { 2.0 * x[i - 1] * x[i] } else { 0.0 };
            before + x.get(i + 1).map_or(0.0, |next| next * next)
        })
        .collect();
    assert_eq!(of_any_float::gradient(&x).1, expected);
    assert_eq!(twice::gradient(&x).1, expected);
    let doubled: Vec<f64> = expected.iter().map(|bar| 2.0 * bar).collect();
    assert_eq!(Chain(2.0).energy_gradient(&x).1, doubled);
    assert_eq!(inner::energy::gradient(&x).1, doubled);
    let narrow = x.map(|value| value as f32);
    assert_eq!(
        single::gradient(&narrow).1,
        expected.iter().map(|&bar| bar as f32).collect::<Vec<_>>()
    );
    // d²/dx_i² = 2 x_{i-1}, d²/dx_i dx_{i+1} = 2 x_{i+1}.
    let hessian = twice::hessian(&x);
    for i in 0..x.len() {
        for j in 0..x.len() {
            let expected = match j.abs_diff(i) {
                0 if i > 0 => 2.0 * x[i - 1],
                1 => 2.0 * x[i.max(j)],
                _ => 0.0,
            };
            assert_eq!(hessian[i * x.len() + j], expected, "{i}, {j}");
        }
    }
}
