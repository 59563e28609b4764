//! Loops that converge, and loops whose iterations are independent.

use backsweep::adjoint;

/// Kepler's equation.
#[adjoint(independents(mean, eccentricity), dependents(return))]
#[sample(0.7, 0.4)]
#[sample(-2.0, 0.6)]
pub fn kepler(mean: f64, eccentricity: f64) -> f64 {
    let mut x = mean;
    let mut change = 1.0_f64;
    #[fixed_point(tol = 1e-14)]
    while change.abs() > 1e-16 * x.abs() && change != 0.0 {
        let next = x - (x - eccentricity * x.sin() - mean) / (1.0 - eccentricity * x.cos());
        change = 0.5 * (next - x);
        x = next;
    }
    x * x + change
}

/// The friction factor of Colebrook and White, by Newton's method, left in the middle.
#[adjoint(independents(reynolds, roughness), dependents(return))]
#[sample(1e5, 1e-4)]
#[sample(4e3, 0.02)]
pub fn colebrook(reynolds: f64, roughness: f64) -> f64 {
    let mut y = 6.0;
    let mut rounds = 0;
    #[fixed_point(tol = 1e-13, max = 50)]
    loop {
        let inner = roughness / 3.7 + 2.51 * y / reynolds;
        let residual = y + 2.0 * inner.ln() / std::f64::consts::LN_10;
        if rounds == 12 {
            break;
        }
        let slope = 1.0 + 2.0 * 2.51 / (reynolds * inner * std::f64::consts::LN_10);
        y -= residual / slope;
        rounds += 1;
    }
    1.0 / (y * y)
}

/// Jacobi's iteration on a slice that is the caller's.
#[adjoint(independents(matrix, rhs), dependents(x))]
#[sample([4.0, -1.0, 0.5, 0.7, 3.0, -0.2, -0.3, 1.1, 5.0], [1.0, -2.0, 0.5], [0.0, 0.0, 0.0])]
pub fn jacobi(matrix: &[f64], rhs: &[f64], x: &mut [f64]) {
    let n = rhs.len();
    let mut rounds = 0;
    #[fixed_point(tol = 1e-14)]
    while rounds < 80 {
        let old = x.to_vec();
        for i in 0..n {
            let mut sum = rhs[i];
            for j in 0..n {
                if j != i {
                    sum -= matrix[i * n + j] * old[j];
                }
            }
            x[i] = sum / matrix[i * n + i];
        }
        rounds += 1;
    }
}

/// Implicit steps, each of which is iterated; the first guess is the state before.
#[adjoint(independents(start, stiffness), dependents(return))]
#[sample([1.0, 0.2], 1.5, 6)]
#[sample([0.4, -0.6], 0.8, 1)]
#[sample([0.4, -0.6], 0.8, 0)]
pub fn implicit_oscillator(start: &[f64], stiffness: f64, steps: usize) -> f64 {
    let (mut u, mut v) = (start[0], start[1]);
    let mut energy = 0.0;
    for _ in 0..steps {
        let (u_old, v_old) = (u, v);
        let mut rounds = 0;
        #[fixed_point(tol = 1e-14)]
        loop {
            let middle = 0.5 * (u + u_old);
            let u_next = u_old + 0.05 * (v + v_old);
            v = v_old - 0.1 * stiffness * (middle + middle * middle * middle);
            u = u_next;
            rounds += 1;
            if rounds > 40 {
                break;
            }
        }
        energy += u * u + v * v;
    }
    energy
}

/// Forces on particles: each iteration writes its own element, and all add to the energy and to the cells.
#[adjoint(independents(places, strength), dependents(forces, cells, return))]
#[sample([0.1, 0.9, 1.7, 2.2], 0.7, [0.0, 0.0, 0.0, 0.0], [0.5, 0.1])]
pub fn forces(places: &[f64], strength: f64, forces: &mut [f64], cells: &mut [f64]) -> f64 {
    let mut energy = 0.0;
    #[independent]
    for i in 0..places.len() {
        let mut force = 0.0;
        for j in 0..places.len() {
            if j != i {
                let distance = places[i] - places[j];
                let pull = strength * (-distance * distance).exp();
                force += pull * distance;
                energy += 0.5 * pull;
            }
        }
        forces[i] = force;
        cells[i % 2] += force * force;
    }
    energy
}

/// An independent loop in one that is not; every step overwrites what the loop writes.
#[adjoint(independents(u), dependents(u))]
#[sample([0.3, 0.5, -0.2, 0.8], 3)]
pub fn red_and_black(u: &mut [f64], sweeps: usize) {
    let n = u.len();
    for sweep in 0..2 * sweeps {
        let first = sweep % 2;
        #[independent]
        for k in 0..n / 2 {
            let i = 2 * k + first;
            let (left, right) = (u[(i + n - 1) % n], u[(i + 1) % n]);
            u[i] = 0.25 * (left + right) + 0.5 * u[i].sin() * left;
        }
    }
}
