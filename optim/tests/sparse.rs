//! Sparse matrices.

use backsweep::{adjoint, sparse::Compression};
use backsweep_optim::{Csc, Layout};

/// Springs in a row that are held at their ends, and get stiffer.
#[adjoint(second_order)]
fn energy(x: &[f64]) -> f64 {
    let n = x.len();
    let mut sum = 0.5 * x[0] * x[0] + 0.5 * (1.0 - x[n - 1]) * (1.0 - x[n - 1]);
    for i in 1..n {
        let stretch = x[i] - x[i - 1];
        sum += 0.5 * stretch * stretch + 0.25 * stretch.powi(4);
    }
    for x in x {
        sum += 0.01 * x;
    }
    sum
}

#[adjoint]
fn forces(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut r = vec![0.0; n];
    for i in 0..n {
        let left = if i > 0 { x[i - 1] } else { 0.0 };
        r[i] = x[i] * x[i] - left;
    }
    r
}

fn dense(matrix: &Csc) -> Vec<f64> {
    let mut found = vec![0.0; matrix.rows * matrix.columns];
    for column in 0..matrix.columns {
        for k in matrix.starts[column]..matrix.starts[column + 1] {
            found[matrix.row_indices[k] * matrix.columns + column] = matrix.values[k];
        }
    }
    found
}

#[test]
fn matrices_are_those_of_the_dense_entries() {
    let x = [0.5, 1.5, 2.5, -1.0];
    let jacobian = Csc::new(4, 4, forces::jacobian_sparse(&x));
    assert_eq!(dense(&jacobian), forces::jacobian(&x));
    assert_eq!(jacobian.values.len(), 7);

    let compression = Compression::by_columns(forces::jacobian_pattern(&x));
    let values = forces::jacobian_values(&x, &compression);
    assert_eq!(Layout::new(compression.pattern()).matrix(&values), jacobian);

    let hessian = Csc::new(4, 4, energy::hessian_sparse(&x));
    let full = energy::hessian(&x);
    assert_eq!(dense(&hessian).len(), full.len());
    for (found, expected) in dense(&hessian).iter().zip(&full) {
        assert!((found - expected).abs() < 1e-13);
    }
}

#[test]
fn triangles() {
    let x = [0.5, 1.5, 2.5, -1.0];
    let compression = Compression::symmetric(energy::hessian_pattern(&x));
    let values = energy::hessian_values(&x, &compression);
    let full = dense(&Layout::new(compression.pattern()).matrix(&values));
    let upper = dense(&Layout::upper(compression.pattern()).matrix(&values));
    let lower = Layout::lower(compression.pattern());
    let (mut rows, mut columns) = (vec![0; lower.len()], vec![0; lower.len()]);
    let mut entries = vec![0.0; lower.len()];
    assert!(lower.indices_into(&mut rows, &mut columns));
    assert!(lower.values_into(&values, &mut entries));
    let mut both = upper.clone();
    for ((&row, &column), value) in rows.iter().zip(&columns).zip(&entries) {
        assert!(row >= column);
        both[4 * row as usize + column as usize] = *value;
    }
    assert_eq!(both, full);
    for row in 0..4 {
        assert!(upper[4 * row..][..row].iter().all(|&value| value == 0.0));
    }
    assert!(!lower.values_into(&vec![f64::NAN; values.len()], &mut entries));
}

#[test]
fn any_order_and_no_repetition() {
    let matrix = Csc::new(2, 3, (vec![1, 0, 1], vec![2, 2, 0], vec![3.0, 4.0, 5.0]));
    assert_eq!((matrix.starts, matrix.row_indices), (vec![0, 1, 1, 3], vec![1, 0, 1]));
    assert_eq!(matrix.values, [5.0, 4.0, 3.0]);
    let empty = Csc::new(2, 2, (vec![], vec![], vec![]));
    assert_eq!(empty.starts, [0, 0, 0]);

    let message = |entries| {
        let panic = std::panic::catch_unwind(|| Csc::new(2, 2, entries)).expect_err("a panic");
        panic.downcast_ref::<String>().expect("a message").clone()
    };
    assert_eq!(
        message((vec![0, 0], vec![1, 1], vec![1.0; 2])),
        "the entry in row 0 and column 1 is there twice"
    );
    assert_eq!(message((vec![2], vec![1], vec![1.0])), "there is no row 2: there are 2");
    assert_eq!(message((vec![1], vec![2], vec![1.0])), "there is no column 2: there are 2");
    assert_eq!(
        message((vec![1], vec![1], vec![])),
        "there are 1 rows, 1 columns and 0 values of entries"
    );
}

#[cfg(feature = "faer")]
#[test]
fn matrices_of_faer() {
    use faer::sparse::SparseColMat;

    let x = [0.5, 1.5, 2.5, -1.0];
    let matrix: SparseColMat<usize, f64> = Csc::new(4, 4, forces::jacobian_sparse(&x)).into();
    let expected = forces::jacobian(&x);
    for row in 0..4 {
        for column in 0..4 {
            let found = matrix.as_ref().get(row, column).copied().unwrap_or(0.0);
            assert_eq!(found, expected[4 * row + column]);
        }
    }
}

#[cfg(feature = "nalgebra-sparse")]
#[test]
fn newton_with_a_sparse_factorisation() {
    use nalgebra_sparse::CscMatrix;
    use nalgebra_sparse::factorization::CscCholesky;

    let n = 200;
    let mut x = vec![0.0; n];
    let compression = Compression::symmetric(energy::hessian_pattern(&x));
    assert!(compression.colours() <= 3);
    let layout = Layout::new(compression.pattern());
    for _ in 0..20 {
        let (_, gradient) = energy::gradient(&x);
        let hessian: CscMatrix<f64> =
            layout.matrix(&energy::hessian_values(&x, &compression)).into();
        let factor = CscCholesky::factor(&hessian).expect("the energy is convex");
        let gradient = nalgebra_sparse::na::DVector::from_vec(gradient);
        let step = factor.solve(&gradient);
        x.iter_mut().zip(step.iter()).for_each(|(x, step)| *x -= step);
    }
    let (_, gradient) = energy::gradient(&x);
    assert!(gradient.iter().all(|slope| slope.abs() < 1e-10));
}
