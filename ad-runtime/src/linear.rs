//! Dense linear algebra on slices with adjoints by hand.
//!
//! Matrices are stored by rows. The rules are those of M. Giles, *Collected matrix derivative results for
//! forward and reverse mode algorithmic differentiation*, 2008 (sections 2.2.2 and 2.3.1 on products and inverses); that of the
//! Cholesky factor is in closed form in I. Murray, *Differentiation of the Cholesky decomposition*, 2016.

/// The solution of `a x = b`: Gaussian elimination with partial pivoting. `None` if the matrix is singular.
///
/// # Panics
/// If `a` does not have as many elements as `b` squared.
pub fn solve(a: &[f64], b: &[f64]) -> Option<Vec<f64>> {
    let (factors, mut x) = (Factors::of(a, b.len())?, b.to_vec());
    factors.solve(&mut x);
    Some(x)
}

/// The adjoint of [`solve`]: with `aᵀ λ = x̄`, `b̄ += λ` and `ā −= λ xᵀ`. The factors serve both systems.
///
/// # Panics
/// As [`solve`].
pub fn solve_adjoint(
    a: &[f64],
    a_b: &mut [f64],
    b: &[f64],
    b_b: &mut [f64],
    ret_b: Vec<f64>,
) -> Option<Vec<f64>> {
    let (factors, mut x) = (Factors::of(a, b.len())?, b.to_vec());
    factors.solve(&mut x);
    let mut lambda = ret_b;
    factors.solve_transposed(&mut lambda);
    for (row, (bar, weight)) in
        a_b.chunks_exact_mut(x.len().max(1)).zip(b_b.iter_mut().zip(&lambda))
    {
        *bar += weight;
        for (element, value) in row.iter_mut().zip(&x) {
            *element -= weight * value;
        }
    }
    Some(x)
}

/// The tangent of [`solve`]: `ẋ` solves `a ẋ = ḃ − ȧ x` with the same factors.
///
/// # Panics
/// As [`solve`].
pub fn solve_tangent(
    a: &[f64],
    a_d: &[f64],
    b: &[f64],
    b_d: &[f64],
) -> Option<(Vec<f64>, Vec<f64>)> {
    let (factors, mut x) = (Factors::of(a, b.len())?, b.to_vec());
    factors.solve(&mut x);
    let mut x_d = b_d.to_vec();
    for (rest, row) in x_d.iter_mut().zip(a_d.chunks_exact(x.len().max(1))) {
        *rest -= row.iter().zip(&x).map(|(element, value)| element * value).sum::<f64>();
    }
    factors.solve(&mut x_d);
    Some((x, x_d))
}

/// The factors of a matrix with its rows in another order: `p a = l u`.
struct Factors {
    /// Both factors; the diagonal of `l` is 1.
    lu: Vec<f64>,
    /// Which row of the matrix each row is.
    rows: Vec<usize>,
}

impl Factors {
    fn of(a: &[f64], n: usize) -> Option<Self> {
        check_square(a, n);
        let (mut lu, mut rows) = (a.to_vec(), (0..n).collect::<Vec<usize>>());
        for k in 0..n {
            let size = |i: &usize| lu[i * n + k].abs();
            let pivot = (k..n).max_by(|i, j| size(i).total_cmp(&size(j)))?;
            if lu[pivot * n + k] == 0.0 || !lu[pivot * n + k].is_finite() {
                return None;
            }
            if pivot != k {
                rows.swap(k, pivot);
                (0..n).for_each(|j| lu.swap(k * n + j, pivot * n + j));
            }
            for i in k + 1..n {
                let factor = lu[i * n + k] / lu[k * n + k];
                lu[i * n + k] = factor;
                for j in k + 1..n {
                    lu[i * n + j] -= factor * lu[k * n + j];
                }
            }
        }
        Some(Self { lu, rows })
    }

    fn solve(&self, x: &mut Vec<f64>) {
        let (lu, n) = (&self.lu, self.rows.len());
        *x = self.rows.iter().map(|&row| x[row]).collect();
        for i in 0..n {
            for j in 0..i {
                x[i] -= lu[i * n + j] * x[j];
            }
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                x[i] -= lu[i * n + j] * x[j];
            }
            x[i] /= lu[i * n + i];
        }
    }

    fn solve_transposed(&self, x: &mut Vec<f64>) {
        let (lu, n) = (&self.lu, self.rows.len());
        for i in 0..n {
            for j in 0..i {
                x[i] -= lu[j * n + i] * x[j];
            }
            x[i] /= lu[i * n + i];
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                x[i] -= lu[j * n + i] * x[j];
            }
        }
        let mut solution = vec![0.0; n];
        self.rows.iter().zip(&*x).for_each(|(&row, value)| solution[row] = *value);
        *x = solution;
    }
}

/// The lower triangular `l` with `l lᵀ = a`, for a symmetric `a` of `n` rows. Only the lower triangle of `a` is
/// read. `None` if the matrix is not positive definite.
///
/// # Panics
/// If `a` does not have `n * n` elements.
pub fn cholesky(a: &[f64], n: usize) -> Option<Vec<f64>> {
    check_square(a, n);
    let mut l = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let products = (0..j).map(|k| l[i * n + k] * l[j * n + k]);
            let rest = a[i * n + j] - products.sum::<f64>();
            if i != j {
                l[i * n + j] = rest / l[j * n + j];
            } else if rest > 0.0 {
                l[i * n + i] = rest.sqrt();
            } else {
                return None;
            }
        }
    }
    Some(l)
}

/// The adjoint of [`cholesky`]: with `Φ` taking the lower triangle and half of the diagonal, and
/// `s = l⁻ᵀ Φ(lᵀ l̄) l⁻¹`, the bar of the matrix is the symmetric part of `s`. Both of a pair of elements that are
/// equal by symmetry go to the one that is read.
///
/// # Panics
/// As [`cholesky`].
pub fn cholesky_adjoint(a: &[f64], a_b: &mut [f64], n: usize, ret_b: Vec<f64>) -> Option<Vec<f64>> {
    let l = cholesky(a, n)?;
    let mut s = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let products = (i..n).map(|k| l[k * n + i] * ret_b[k * n + j]);
            let half = if i == j { 0.5 } else { 1.0 };
            s[i * n + j] = half * products.sum::<f64>();
        }
    }
    // From the left by the inverse of the transpose: column by column; then from the right: row by row.
    for j in 0..n {
        for i in (0..n).rev() {
            for k in i + 1..n {
                s[i * n + j] -= l[k * n + i] * s[k * n + j];
            }
            s[i * n + j] /= l[i * n + i];
        }
    }
    for i in 0..n {
        for j in (0..n).rev() {
            for k in j + 1..n {
                s[i * n + j] -= s[i * n + k] * l[k * n + j];
            }
            s[i * n + j] /= l[j * n + j];
        }
    }
    for i in 0..n {
        a_b[i * n + i] += s[i * n + i];
        for j in 0..i {
            a_b[i * n + j] += s[i * n + j] + s[j * n + i];
        }
    }
    Some(l)
}

/// The tangent of [`cholesky`]: its recurrences, differentiated element by element. Of the direction, too, only the lower
/// triangle is read.
///
/// # Panics
/// As [`cholesky`].
pub fn cholesky_tangent(a: &[f64], a_d: &[f64], n: usize) -> Option<(Vec<f64>, Vec<f64>)> {
    let l = cholesky(a, n)?;
    let mut l_d = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let products =
                (0..j).map(|k| l_d[i * n + k] * l[j * n + k] + l[i * n + k] * l_d[j * n + k]);
            let rest = a_d[i * n + j] - products.sum::<f64>();
            l_d[i * n + j] = match i == j {
                true => rest / (2.0 * l[i * n + i]),
                false => (rest - l[i * n + j] * l_d[j * n + j]) / l[j * n + j],
            };
        }
    }
    Some((l, l_d))
}

fn check_square(a: &[f64], n: usize) {
    assert!(a.len() == n * n, "a matrix of {n} rows has {} elements, not {}", n * n, a.len());
}
