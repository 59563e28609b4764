//! Functions that factor matrices and go through their elements, as they are written.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::adjoint;
use backsweep_packs::compare;
use nalgebra::{DMatrix, DVector, Matrix2, Matrix3, Matrix4, SVector, Vector3};

const STEP: f64 = 1e-6;

/// Minus the logarithm of a normal density.
#[adjoint(independents(x, mean, covariance))]
fn normal(x: &DVector<f64>, mean: &DVector<f64>, covariance: &DMatrix<f64>) -> f64 {
    let d = x - mean;
    let chol = covariance.clone().cholesky().expect("positive definite");
    0.5 * (d.dot(&chol.solve(&d)) + chol.ln_determinant())
}

/// The likelihood of a Gaussian process, with its kernel.
#[adjoint(independents(kernel))]
fn process(kernel: [f64; 3], at: &[f64], y: &DVector<f64>) -> Option<f64> {
    let [scale, length, noise] = kernel;
    let n = at.len();
    let mut k: DMatrix<f64> = DMatrix::zeros(n, n);
    for i in 0..n {
        for j in 0..n {
            let d = (at[i] - at[j]) / length;
            k[(i, j)] = scale * scale * (-0.5 * d * d).exp();
        }
        k[(i, i)] += noise;
    }
    let factor = k.cholesky()?;
    let l = factor.l();
    let z = l.solve_lower_triangular(y)?;
    Some(-0.5 * z.norm_squared() - l.determinant().ln() + 0.1 * factor.inverse().trace())
}

/// A step of Newton's method.
#[adjoint(independents(m, b))]
fn step(m: Matrix3<f64>, b: Vector3<f64>) -> Option<f64> {
    let x = m.lu().solve(&b)?;
    Some(x.norm() + x.x)
}

#[adjoint(independents(m, b))]
fn inverted(m: Matrix4<f64>, b: SVector<f64, 4>) -> f64 {
    match m.try_inverse() {
        Some(inverse) => (inverse * b).norm() + inverse.trace(),
        None => b.norm(),
    }
}

/// A factorization that is used several times, and kept in a loop.
#[adjoint(independents(m, b))]
fn refined(m: &DMatrix<f64>, b: &DVector<f64>, steps: usize) -> f64 {
    let lu = m.clone().lu();
    let mut x = b.clone();
    let mut sum = 0.0;
    for k in 0..steps {
        let scaled: DMatrix<f64> = m * (1.0 + 0.1 * k as f64);
        let other = scaled.lu();
        if let Some(y) = other.solve(&x) {
            x = y * 2.0;
        }
        sum += other.determinant();
    }
    let back = lu.solve(&x).expect("it has been solved");
    sum + back.dot(b) + lu.try_inverse().map_or(0.0, |inverse| inverse.norm())
}

/// The update of a Kalman filter, with matrices on right-hand sides.
#[adjoint(independents(state, covariance, noise))]
fn updated(
    state: &DVector<f64>,
    covariance: &DMatrix<f64>,
    noise: &DMatrix<f64>,
    observed: &DMatrix<f64>,
    seen: &DVector<f64>,
) -> Option<f64> {
    let spread: DMatrix<f64> = observed * covariance;
    let innovation: DMatrix<f64> = &spread * observed.transpose() + noise;
    let factor = innovation.cholesky()?;
    let gain: DMatrix<f64> = factor.solve(&spread);
    let state: DVector<f64> = state + gain.transpose() * (seen - observed * state);
    let covariance: DMatrix<f64> = covariance - gain.transpose() * &spread;
    Some(state.norm() + covariance.determinant() + factor.ln_determinant())
}

/// Least squares by QR, and a solution with several right-hand sides.
#[adjoint(independents(m, b))]
fn orthogonal(m: Matrix3<f64>, b: Matrix3<f64>) -> f64 {
    let qr = m.qr();
    let x = qr.solve(&b).expect("it is regular");
    let y = m.lu().solve(&(b * 2.0)).expect("it is regular");
    let inverse = qr.try_inverse().expect("it is regular");
    (x.component_mul(&y)).sum()
        + inverse.norm()
        + m.upper_triangle().solve_upper_triangular(&x).unwrap().trace()
}

/// Functions of eigenvalues and of singular values.
#[adjoint(independents(m, r))]
fn spectrum(m: &DMatrix<f64>, r: &DMatrix<f64>) -> f64 {
    let eigenvalues = m.symmetric_eigenvalues();
    let singular = r.singular_values();
    let least: f64 = eigenvalues.min();
    eigenvalues.max() - least.powi(3) + singular.sum() + singular[0] / singular[1]
}

/// What is not factored goes another way.
#[adjoint(independents(m, b))]
fn either(m: Matrix2<f64>, b: SVector<f64, 2>) -> f64 {
    let Some(chol) = m.cholesky() else { return m.norm() };
    let upper = chol.l().transpose();
    let x = upper.solve_upper_triangular(&b).unwrap();
    let l = chol.unpack();
    let y = l.tr_solve_lower_triangular(&x).unwrap();
    y.norm() + upper.tr_solve_upper_triangular(&b).unwrap().x
}

fn matrix() -> DMatrix<f64> {
    DMatrix::from_row_slice(3, 3, &[4.0, 1.0, 0.3, 0.8, 3.0, -0.2, 0.4, -0.1, 2.0])
}

#[test]
fn densities() {
    let (x, mean) =
        (DVector::from_vec(vec![1.0, -2.0, 0.5]), DVector::from_vec(vec![0.1, 0.2, 0.3]));
    compare(
        &(x.clone(), mean.clone(), matrix()),
        |(x, mean, m)| normal(x, mean, m),
        normal::gradient(&x, &mean, &matrix()),
        |(along_x, along_mean, along_m)| {
            normal::tangent(&x, along_x, &mean, along_mean, &matrix(), along_m)
        },
        STEP,
    );
    let (at, y) = ([0.0, 0.4, 1.1, 1.5], DVector::from_vec(vec![0.3, -0.2, 1.0, 0.7]));
    let kernel = [1.2, 0.7, 0.3];
    compare(
        &kernel,
        |kernel| process(*kernel, &at, &y).unwrap(),
        process::gradient(kernel, &at, &y).unwrap(),
        |along| process::tangent(kernel, *along, &at, &y).unwrap(),
        STEP,
    );
    assert!(process::gradient([1.0, 1e9, -0.5], &at, &y).is_none());
}

#[test]
fn solutions() {
    let (m, b) = (matrix(), DVector::from_vec(vec![1.0, -2.0, 0.5]));
    let (small, right) = (Matrix3::from_column_slice(m.as_slice()), Vector3::new(1.0, -2.0, 0.5));
    compare(
        &(small, right),
        |(m, b)| step(*m, *b).unwrap(),
        step::gradient(small, right).unwrap(),
        |(along_m, along_b)| step::tangent(small, *along_m, right, *along_b).unwrap(),
        STEP,
    );
    assert!(step::gradient(Matrix3::zeros(), right).is_none());
    compare(
        &(m.clone(), b.clone()),
        |(m, b)| refined(m, b, 3),
        refined::gradient(&m, &b, 3),
        |(along_m, along_b)| refined::tangent(&m, along_m, &b, along_b, 3),
        STEP,
    );
}

#[test]
fn right_hand_sides_may_be_matrices() {
    let numbers = |rows, columns, seed: f64| {
        DMatrix::from_fn(rows, columns, |i, j| (seed + 1.3 * i as f64 + 0.7 * j as f64).sin())
    };
    let observed = numbers(2, 3, 0.4);
    let (state, seen) =
        (DVector::from_vec(vec![0.5, -1.0, 2.0]), DVector::from_vec(vec![0.2, 1.1]));
    let covariance = numbers(3, 3, 0.1) + DMatrix::from_diagonal_element(3, 3, 3.0);
    let noise = numbers(2, 2, 0.9) + DMatrix::from_diagonal_element(2, 2, 2.0);
    let (value, gradient) =
        updated::gradient(&state, &covariance, &noise, &observed, &seen).unwrap();
    compare(
        &(state, covariance, noise),
        |(state, covariance, noise)| updated(state, covariance, noise, &observed, &seen).unwrap(),
        (value, gradient),
        |(along_state, along_covariance, along_noise)| {
            let at = (
                DVector::from_vec(vec![0.5, -1.0, 2.0]),
                numbers(3, 3, 0.1) + DMatrix::from_diagonal_element(3, 3, 3.0),
                numbers(2, 2, 0.9) + DMatrix::from_diagonal_element(2, 2, 2.0),
            );
            let (state, covariance, noise) = &at;
            updated::tangent(
                state,
                along_state,
                covariance,
                along_covariance,
                noise,
                along_noise,
                &observed,
                &seen,
            )
            .unwrap()
        },
        STEP,
    );
    let m = Matrix3::new(2.0, 0.3, -0.4, 0.1, 3.0, 0.7, -0.2, 0.5, 1.5);
    let b = Matrix3::new(1.0, -0.5, 0.2, 0.4, 2.0, -1.0, 0.3, 0.6, 1.2);
    compare(
        &(m, b),
        |(m, b)| orthogonal(*m, *b),
        orthogonal::gradient(m, b),
        |(along_m, along_b)| orthogonal::tangent(m, *along_m, b, *along_b),
        STEP,
    );
}

#[test]
fn eigenvalues_and_singular_values() {
    let m = DMatrix::from_fn(4, 4, |i, j| {
        (1.1 * i as f64 - 0.6 * j as f64).cos() + if i == j { 2.0 * i as f64 } else { 0.0 }
    });
    let r = DMatrix::from_fn(5, 3, |i, j| (0.8 * (i * i) as f64 + 1.9 * (i * j + j) as f64).sin());
    compare(
        &(m.clone(), r.clone()),
        |(m, r)| spectrum(m, r),
        spectrum::gradient(&m, &r),
        |(along_m, along_r)| spectrum::tangent(&m, along_m, &r, along_r),
        STEP,
    );
}

#[test]
fn both_ways() {
    let regular =
        Matrix4::from_fn(|i, j| if i == j { 3.0 } else { 0.3 * i as f64 - 0.2 * j as f64 });
    let b = SVector::from([1.0, 0.5, -0.7, 0.2]);
    compare(
        &(regular, b),
        |(m, b)| inverted(*m, *b),
        inverted::gradient(regular, b),
        |(along_m, along_b)| inverted::tangent(regular, *along_m, b, *along_b),
        STEP,
    );
    let (value, gradient) = inverted::gradient(Matrix4::zeros(), b);
    assert_eq!((value, gradient), (b.norm(), (Matrix4::zeros(), b / b.norm())));
    let b = SVector::from([1.0, 0.5]);
    for m in [Matrix2::new(2.0, 0.3, 0.4, 1.5), Matrix2::new(-2.0, 0.3, 0.4, 1.5)] {
        compare(
            &(m, b),
            |(m, b)| either(*m, *b),
            either::gradient(m, b),
            |(along_m, along_b)| either::tangent(m, *along_m, b, *along_b),
            STEP,
        );
    }
}

/// The derivative of a determinant does not need an inverse.
#[adjoint(independents(m))]
fn determinant(m: DMatrix<f64>) -> f64 {
    m.lu().determinant()
}

#[test]
fn determinants_of_singular_matrices() {
    let mut m = DMatrix::from_fn(6, 6, |i, j| ((i * 5 + j * 3) % 7) as f64 - 2.5);
    for (rank, mend) in [(4, 1e-12), (5, 0.0)] {
        let row = m.row(0) + m.row(1) * 2.0;
        m.set_row(rank, &row);
        m[(rank, 2)] += mend;
        let (_, gradient) = determinant::gradient(m.clone());
        for (i, j) in [(0, 0), (rank, 2), (3, 1), (rank, 5)] {
            let minor = m.clone().remove_row(i).remove_column(j);
            let sign = if (i + j) % 2 == 0 { 1.0 } else { -1.0 };
            let cofactor = sign * minor.determinant();
            assert!(
                (gradient[(i, j)] - cofactor).abs() < 1e-6 * cofactor.abs().max(1.0),
                "{i} {j}: {} {cofactor}",
                gradient[(i, j)]
            );
        }
        m[(rank, 2)] += 1.0;
    }
}

/// Elements, one after the other.
#[adjoint(independents(x, m))]
fn elements(x: &DVector<f64>, m: &DMatrix<f64>) -> f64 {
    let z = m * x;
    let p: DVector<f64> = z.map(|z| 1.0 / (1.0 + (-z).exp()));
    let q: DVector<f64> = p.component_mul(&z.map(f64::sin));
    let r = (m * &q).map(f64::tanh);
    let mut total = r.iter().fold(0.0, |sum, r| sum + r.abs());
    for (k, p) in p.iter().enumerate() {
        total -= (1 + k) as f64 * p.ln();
    }
    let close: f64 = x.iter().zip(r.iter()).map(|(x, r)| (x - r).powi(2)).sum();
    total + close + q.sum() + (&q + &p).sum() + m.map(|x| x * x).trace()
}

#[adjoint(independents(v))]
fn directed(v: Vector3<f64>, least: f64) -> f64 {
    let w = v.map(f64::sqrt);
    let sum = v.iter().sum::<f64>() * v.product() + w.sum();
    match w.try_normalize(least) {
        Some(unit) => unit.x * sum,
        None => w.max(),
    }
}

#[test]
fn vectors_element_by_element() {
    let x = DVector::from_vec(vec![0.3, -0.4, 0.7]);
    compare(
        &(x.clone(), matrix()),
        |(x, m)| elements(x, m),
        elements::gradient(&x, &matrix()),
        |(along_x, along_m)| elements::tangent(&x, along_x, &matrix(), along_m),
        STEP,
    );
    let v = Vector3::new(0.3, 0.5, 0.2);
    for least in [0.1, 10.0] {
        compare(
            &v,
            |v| directed(*v, least),
            directed::gradient(v, least),
            |along| directed::tangent(v, *along, least),
            STEP,
        );
    }
}
