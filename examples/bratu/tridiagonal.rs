//! The Jacobian of the residual: three diagonals, read from three adjoint sweeps.

use crate::slab::residual;

/// A tridiagonal matrix. `lower[i]`, `diagonal[i]` and `upper[i]` are in row `i`.
pub struct Tridiagonal {
    lower: Vec<f64>,
    diagonal: Vec<f64>,
    upper: Vec<f64>,
}

impl Tridiagonal {
    /// The derivative of the residual with respect to the state.
    ///
    /// Rows that are three apart have no column in common, so one adjoint sweep, seeded with 1 in
    /// every third row, gives a third of all rows.
    pub fn jacobian(x: &[f64], s: f64, t: f64) -> Self {
        let len = x.len();
        let mut matrix =
            Self { lower: vec![0.0; len], diagonal: vec![0.0; len], upper: vec![0.0; len] };
        let mut balance = vec![0.0; len];
        for colour in 0..3 {
            let mut balance_b: Vec<f64> =
                (0..len).map(|row| if row % 3 == colour { 1.0 } else { 0.0 }).collect();
            let mut x_b = vec![0.0; len];
            let (mut s_b, mut t_b) = (0.0, 0.0);
            residual::adjoint_only(
                x,
                &mut x_b,
                s,
                &mut s_b,
                t,
                &mut t_b,
                &mut balance,
                &mut balance_b,
            );
            for row in (colour..len).step_by(3) {
                matrix.diagonal[row] = x_b[row];
                if row > 0 {
                    matrix.lower[row] = x_b[row - 1];
                }
                if row + 1 < len {
                    matrix.upper[row] = x_b[row + 1];
                }
            }
        }
        matrix
    }

    /// The transposed matrix.
    pub fn transposed(&self) -> Self {
        let mut lower = self.upper.clone();
        lower.rotate_right(1);
        let mut upper = self.lower.clone();
        upper.rotate_left(1);
        Self { lower, diagonal: self.diagonal.clone(), upper }
    }

    /// Solves a system with this matrix, by elimination without pivoting.
    pub fn solve(&self, right_side: &[f64]) -> Vec<f64> {
        let mut solution = right_side.to_vec();
        let mut above = vec![0.0; solution.len()];
        for row in 0..solution.len() {
            let (carried, value) =
                if row == 0 { (0.0, 0.0) } else { (above[row - 1], solution[row - 1]) };
            let pivot = self.diagonal[row] - self.lower[row] * carried;
            above[row] = self.upper[row] / pivot;
            solution[row] = (solution[row] - self.lower[row] * value) / pivot;
        }
        for row in (1..solution.len()).rev() {
            solution[row - 1] -= above[row - 1] * solution[row];
        }
        solution
    }
}
