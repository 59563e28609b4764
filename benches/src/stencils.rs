//! Residuals of partial differential equations on a square, whose Jacobians are sparse.

use backsweep::adjoint;

/// The Bratu problem, `Δu + λ eᵘ = 0` with `u = 0` around the square, in differences over five points. There are
/// `side²` unknowns, row by row.
#[adjoint]
pub fn five_points(u: &[f64], side: usize, lambda: f64) -> Vec<f64> {
    let h = 1.0 / (side + 1) as f64;
    let mut residual = vec![0.0; side * side];
    for row in 0..side {
        for col in 0..side {
            let at = row * side + col;
            let mut sum = -4.0 * u[at];
            if row > 0 {
                sum += u[at - side];
            }
            if row + 1 < side {
                sum += u[at + side];
            }
            if col > 0 {
                sum += u[at - 1];
            }
            if col + 1 < side {
                sum += u[at + 1];
            }
            residual[at] = sum + h * h * lambda * u[at].exp();
        }
    }
    residual
}

/// Diffusion that depends on the concentration: over nine points, the flux between two of them is `(1 + ū²) (v - u)`
/// with the mean `ū`, a sixth for neighbours across a corner.
#[adjoint]
pub fn nine_points(u: &[f64], side: usize, #[passive] source: f64) -> Vec<f64> {
    let h = 1.0 / (side + 1) as f64;
    let mut residual = vec![0.0; side * side];
    for row in 0..side {
        for col in 0..side {
            let own = u[row * side + col];
            let mut sum = h * h * source;
            for below in 0..3 {
                for right in 0..3 {
                    let is_inside = row + below > 0
                        && row + below <= side
                        && col + right > 0
                        && col + right <= side;
                    let other =
                        if is_inside { u[(row + below - 1) * side + col + right - 1] } else { 0.0 };
                    let weight = if below == 1 || right == 1 { 4.0 / 6.0 } else { 1.0 / 6.0 };
                    let mean = 0.5 * (own + other);
                    sum += weight * (1.0 + mean * mean) * (other - own);
                }
            }
            residual[row * side + col] = sum;
        }
    }
    residual
}

/// A bump on the square.
pub fn bump(side: usize) -> Vec<f64> {
    let place = |k: usize| (k + 1) as f64 / (side + 1) as f64;
    let height = |k: usize| 4.0 * place(k) * (1.0 - place(k));
    (0..side * side).map(|at| height(at / side) * height(at % side)).collect()
}

/// The area of a membrane over the square, the graph of heights that are 0 around it, less the work of a load: its Hessian has seven points.
#[adjoint(passive(load), second_order)]
pub fn membrane(u: &[f64], side: usize, load: f64) -> f64 {
    let h = 1.0 / (side + 1) as f64;
    let mut energy = 0.0;
    for row in 0..=side {
        for col in 0..=side {
            let own = if row > 0 && col > 0 { u[(row - 1) * side + col - 1] } else { 0.0 };
            let below = if row < side && col > 0 { u[row * side + col - 1] } else { 0.0 };
            let right = if row > 0 && col < side { u[(row - 1) * side + col] } else { 0.0 };
            let (down, along) = ((below - own) / h, (right - own) / h);
            energy += h * h * ((1.0 + down * down + along * along).sqrt() - load * own);
        }
    }
    energy
}
