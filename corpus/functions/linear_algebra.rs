//! Vectors, matrices and linear systems.

use backsweep::adjoint;

/// The inner product.
#[adjoint]
#[sample([1.0, 2.0, -0.5], [0.3, 0.1, 4.0])]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.len() {
        sum += a[i] * b[i];
    }
    sum
}

/// `y += a x`.
#[adjoint]
#[sample(0.5, [1.0, 2.0], [0.3, 0.1])]
pub fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] += a * x[i];
    }
}

/// The product of two square matrices, stored by rows, with the loops ordered for the cache.
#[adjoint]
#[sample([1.0, 2.0, 3.0, -1.0], [0.3, 0.1, 2.0, 0.7], 2)]
pub fn matmul_trace(a: &[f64], b: &[f64], n: usize) -> f64 {
    let mut c = vec![0.0; n * n];
    for i in 0..n {
        for k in 0..n {
            let aik = a[i * n + k];
            for j in 0..n {
                c[i * n + j] += aik * b[k * n + j];
            }
        }
    }
    let mut trace = 0.0;
    for i in 0..n {
        trace += c[i * n + i] * c[i * n + i];
    }
    trace
}

/// A tridiagonal system by the algorithm of Thomas; the right-hand side becomes the solution.
#[adjoint]
#[sample([0.0, -1.0, -0.8, -1.2], [4.0, 3.5, 4.2, 3.9], [-1.0, -0.7, -1.1, 0.0], [1.0, 2.0, 0.5, -1.0])]
pub fn thomas(lower: &[f64], diagonal: &[f64], upper: &[f64], d: &mut [f64]) {
    let n = d.len();
    let mut c = vec![0.0; n];
    c[0] = upper[0] / diagonal[0];
    d[0] /= diagonal[0];
    for i in 1..n {
        let m = diagonal[i] - lower[i] * c[i - 1];
        c[i] = upper[i] / m;
        d[i] = (d[i] - lower[i] * d[i - 1]) / m;
    }
    for i in (0..n - 1).rev() {
        d[i] -= c[i] * d[i + 1];
    }
}

/// The determinant by Gaussian elimination with partial pivoting.
#[adjoint]
#[sample([0.0, 2.0, 1.0, 1.0, -1.0, 0.5, 3.0, 0.2, 4.0], 3)]
#[sample([2.0, 1.0, 1.0, 3.0], 2)]
#[sample([0.0, 0.0, 1.0, 3.0], 2)]
pub fn determinant(a: &[f64], n: usize) -> f64 {
    let mut m = a.to_vec();
    let mut det = 1.0;
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if m[i * n + k].abs() > m[pivot * n + k].abs() {
                pivot = i;
            }
        }
        if m[pivot * n + k] == 0.0 {
            return 0.0;
        }
        if pivot != k {
            for j in 0..n {
                m.swap(k * n + j, pivot * n + j);
            }
            det = -det;
        }
        det *= m[k * n + k];
        for i in k + 1..n {
            let factor = m[i * n + k] / m[k * n + k];
            for j in k + 1..n {
                m[i * n + j] -= factor * m[k * n + j];
            }
        }
    }
    det
}

/// Solves a 3 × 3 system in place with partial pivoting; returns the product of the pivots.
#[adjoint]
#[sample([[0.1, 2.0, 1.0], [1.0, -1.0, 0.5], [3.0, 0.2, 4.0]], [1.0, 2.0, 3.0])]
pub fn gauss_3x3(mut a: [[f64; 3]; 3], b: &mut [f64; 3]) -> f64 {
    let mut product = 1.0;
    for k in 0..3 {
        let mut p = k;
        for i in (k + 1)..3 {
            if a[i][k].abs() > a[p][k].abs() {
                p = i;
            }
        }
        a.swap(k, p);
        b.swap(k, p);
        product *= a[k][k];
        for i in (k + 1)..3 {
            let f = a[i][k] / a[k][k];
            for j in k..3 {
                a[i][j] -= f * a[k][j];
            }
            b[i] -= f * b[k];
        }
    }
    for i in (0..3).rev() {
        let mut s = b[i];
        for j in (i + 1)..3 {
            s -= a[i][j] * b[j];
        }
        b[i] = s / a[i][i];
    }
    product
}

/// The Cholesky factor of a symmetric matrix, in place, lower triangle; false if it is not positive.
#[adjoint]
#[sample([4.0, 0.0, 0.0, 1.0, 3.0, 0.0, 0.5, -0.2, 2.0], 3)]
#[sample([1.0, 0.0, 2.0, 1.0], 2)]
pub fn cholesky(a: &mut [f64], n: usize) -> bool {
    for j in 0..n {
        let mut d = a[j * n + j];
        for k in 0..j {
            d -= a[j * n + k] * a[j * n + k];
        }
        if d <= 0.0 {
            return false;
        }
        let d = d.sqrt();
        a[j * n + j] = d;
        for i in j + 1..n {
            let mut s = a[i * n + j];
            for k in 0..j {
                s -= a[i * n + k] * a[j * n + k];
            }
            a[i * n + j] = s / d;
        }
    }
    true
}

/// Doolittle's decomposition without pivoting, in place.
#[adjoint]
#[sample([[4.0, 1.0, 0.5], [2.0, 5.0, -0.2], [0.5, -0.7, 3.0]])]
pub fn lu_in_place(a: &mut [[f64; 3]; 3]) {
    let n = a.len();
    for k in 0..n {
        for i in k + 1..n {
            a[i][k] /= a[k][k];
            let factor = a[i][k];
            for j in k + 1..n {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
}

/// Modified Gram-Schmidt on the rows of a matrix, in place; returns the product of the norms.
#[adjoint]
#[sample([1.0, 0.5, -0.2, 0.3, 2.0, 0.7], 3)]
pub fn gram_schmidt(rows: &mut [f64], width: usize) -> f64 {
    let count = rows.len() / width;
    let mut volume = 1.0;
    for i in 0..count {
        for j in 0..i {
            let mut projection = 0.0;
            for k in 0..width {
                projection += rows[i * width + k] * rows[j * width + k];
            }
            for k in 0..width {
                rows[i * width + k] -= projection * rows[j * width + k];
            }
        }
        let mut norm = 0.0;
        for v in &rows[i * width..(i + 1) * width] {
            norm += v * v;
        }
        let norm = norm.sqrt();
        for v in rows[i * width..(i + 1) * width].iter_mut() {
            *v /= norm;
        }
        volume *= norm;
    }
    volume
}

/// Some sweeps of Gauss-Seidel on a diagonally dominant system.
#[adjoint]
#[sample([[4.0, 1.0, 0.2], [0.5, 5.0, -1.0], [0.1, 0.3, 3.0]], [1.0, 2.0, 3.0], 3)]
pub fn gauss_seidel(a: &[[f64; 3]; 3], b: &[f64; 3], sweeps: usize) -> [f64; 3] {
    let mut x = [0.0; 3];
    for _ in 0..sweeps {
        for i in 0..3 {
            let mut s = b[i];
            for j in 0..3 {
                if j != i {
                    s -= a[i][j] * x[j];
                }
            }
            x[i] = s / a[i][i];
        }
    }
    x
}

/// A Jacobi rotation that annihilates an off-diagonal entry: the eigenvalues of a symmetric 2 × 2 matrix.
#[adjoint]
#[sample(2.0, 0.5, 1.0)]
#[sample(1.0, 0.7, 1.0)]
#[sample(1.0, 0.0, 3.0)]
pub fn symmetric_eigenvalues(a: f64, b: f64, c: f64) -> (f64, f64) {
    if b == 0.0 {
        return if a > c { (a, c) } else { (c, a) };
    }
    let theta = (c - a) / (2.0 * b);
    let t = if theta >= 0.0 {
        1.0 / (theta + (1.0 + theta * theta).sqrt())
    } else {
        -1.0 / (-theta + (1.0 + theta * theta).sqrt())
    };
    let (first, second) = (a - t * b, c + t * b);
    if first > second { (first, second) } else { (second, first) }
}

/// The logarithm of the determinant of a positive matrix and the quadratic form of its inverse.
#[adjoint]
#[sample([4.0, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 2.0], [0.3, -0.4, 1.0])]
pub fn gaussian_terms(covariance: &[f64], x: &[f64]) -> (f64, f64) {
    let n = x.len();
    let mut l = covariance.to_vec();
    if !cholesky(&mut l, n) {
        return (f64::INFINITY, f64::INFINITY);
    }
    let mut z = x.to_vec();
    let mut log_det = 0.0;
    let mut quadratic = 0.0;
    for i in 0..n {
        for k in 0..i {
            z[i] -= l[i * n + k] * z[k];
        }
        z[i] /= l[i * n + i];
        log_det += l[i * n + i].ln();
        quadratic += z[i] * z[i];
    }
    (2.0 * log_det, quadratic)
}

/// A matrix, stored by rows, times a vector.
#[adjoint]
#[sample([1.0, 2.0, 3.0, -1.0, 0.5, 0.25], [0.3, 0.1, 2.0], [0.0, 0.0])]
pub fn matvec(a: &[f64], x: &[f64], y: &mut [f64]) {
    let n = x.len();
    for i in 0..y.len() {
        let row = &a[i * n..(i + 1) * n];
        y[i] = dot(row, x);
    }
}

/// The largest eigenvalue of a symmetric matrix by power iteration (Rayleigh quotient).
#[adjoint(independents(a))]
#[sample([2.0, 1.0, 1.0, 3.0], 2, 12)]
pub fn power_iteration(a: &[f64], n: usize, iterations: usize) -> f64 {
    let mut v = vec![1.0; n];
    let mut w = vec![0.0; n];
    let mut eigenvalue = 0.0;
    for _ in 0..iterations {
        matvec(a, &v, &mut w);
        let norm = dot(&w, &w).sqrt();
        eigenvalue = dot(&v, &w) / dot(&v, &v);
        for i in 0..n {
            v[i] = w[i] / norm;
        }
    }
    eigenvalue
}

/// The conjugate gradient method for a positive system; the residual after at most `n` steps.
#[adjoint(independents(a, b))]
#[sample([4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.5, 0.2, 2.0], [1.0, -2.0, 0.5], 1e-10)]
#[sample([4.0, 1.0, 1.0, 3.0], [1.0, -2.0], 0.5)]
pub fn conjugate_gradient(a: &[f64], b: &[f64], tolerance: f64) -> f64 {
    let n = b.len();
    let mut x = vec![0.0; n];
    let mut r = b.to_vec();
    let mut p = b.to_vec();
    let mut ap = vec![0.0; n];
    let mut rr = dot(&r, &r);
    for _ in 0..n {
        matvec(a, &p, &mut ap);
        let alpha = rr / dot(&p, &ap);
        axpy(alpha, &p, &mut x);
        axpy(-alpha, &ap, &mut r);
        let rr_new = dot(&r, &r);
        if rr_new.sqrt() < tolerance {
            break;
        }
        let beta = rr_new / rr;
        for i in 0..n {
            p[i] = r[i] + beta * p[i];
        }
        rr = rr_new;
    }
    dot(&x, b)
}
