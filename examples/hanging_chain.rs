//! `cargo run --release --example hanging_chain`: how does a chain hang that is longer than the way between its ends, above a table?
//!
//! Where the energy of its links is least, by Newton's method. The Hessian has two thousand rows with entries beside the diagonal only:
//! `hessian_pattern` finds out where, once, and `hessian_values` gets them all from a few products.

use backsweep::{adjoint, sparse::Compression};

const MASSES: usize = 1000;
const ENDS: [[f64; 2]; 2] = [[0.0, 0.0], [1.0, 0.2]];
/// The length of a link, its stiffness and its weight, where the table is and how hard.
const LENGTH: f64 = 1.8 / (MASSES + 1) as f64;
const STIFFNESS: f64 = 1e3;
const WEIGHT: f64 = 1.0 / MASSES as f64;
const TABLE: f64 = -0.45;
const HARDNESS: f64 = 1e2;
/// So many rows apart are the entries farthest from the diagonal.
const BAND: usize = 3;

/// The energy of masses at (q₀, q₁), (q₂, q₃), ….
#[adjoint(second_order)]
fn energy(q: &[f64]) -> f64 {
    let mut sum = 0.0;
    let mut from = ENDS[0];
    for i in 0..=MASSES {
        let to = if i < MASSES { [q[2 * i], q[2 * i + 1]] } else { ENDS[1] };
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let stretch = (dx * dx + dy * dy).sqrt() - LENGTH;
        sum += 0.5 * STIFFNESS * stretch * stretch + WEIGHT * to[1];
        let depth = TABLE - to[1];
        if depth > 0.0 {
            sum += 0.5 * HARDNESS * depth * depth;
        }
        from = to;
    }
    sum
}

/// The lower half of a symmetric matrix with a band, row by row: the diagonal is last.
type Banded = Vec<[f64; BAND + 1]>;

/// The solution of a system with a positive definite matrix by Cholesky's method, if it is one.
fn solved(mut a: Banded, mut b: Vec<f64>) -> Option<Vec<f64>> {
    for i in 0..b.len() {
        for j in i.saturating_sub(BAND)..=i {
            let at = BAND + j - i;
            for k in i.saturating_sub(BAND)..j {
                if k + BAND >= j {
                    a[i][at] -= a[i][BAND + k - i] * a[j][BAND + k - j];
                }
            }
            if j < i {
                a[i][at] /= a[j][BAND];
            } else if a[i][BAND] > 0.0 {
                a[i][BAND] = a[i][BAND].sqrt();
            } else {
                return None;
            }
        }
        let known = (i.saturating_sub(BAND)..i).map(|j| a[i][BAND + j - i] * b[j]);
        b[i] = (b[i] - known.sum::<f64>()) / a[i][BAND];
    }
    for i in (0..b.len()).rev() {
        let known = (i + 1..b.len().min(i + BAND + 1)).map(|j| a[j][BAND + i - j] * b[j]);
        b[i] = (b[i] - known.sum::<f64>()) / a[i][BAND];
    }
    Some(b)
}

fn main() {
    // A bow below the ends, of roughly the right length.
    let mut q: Vec<f64> = (1..=MASSES)
        .map(|k| k as f64 / (MASSES + 1) as f64)
        .flat_map(|t| [t, 0.2 * t - 2.6 * t * (1.0 - t)])
        .collect();
    let compression = Compression::symmetric(energy::hessian_pattern(&q));
    let (rows, cols) = compression.pattern().triplets();
    println!("{} entries, {} products", rows.len(), compression.colours());

    let (mut damping, mut size) = (1.0, f64::INFINITY);
    println!("pass  energy          gradient");
    for pass in 0..500 {
        let (value, gradient) = energy::gradient(&q);
        size = gradient.iter().fold(0.0, |size: f64, g| size.max(g.abs()));
        if pass % 10 == 0 || size < 1e-10 {
            println!("{pass:4}  {value:.10}  {size:.3e}");
        }
        if size < 1e-10 {
            break;
        }
        let mut hessian = vec![[0.0; BAND + 1]; q.len()];
        let values = energy::hessian_values(&q, &compression);
        for ((&row, &col), value) in rows.iter().zip(&cols).zip(values) {
            if col <= row {
                hessian[row][BAND + col - row] = value;
            }
        }
        // Damped until it is positive definite and the energy becomes less.
        loop {
            let mut damped = hessian.clone();
            damped.iter_mut().for_each(|row| row[BAND] += damping);
            let change = solved(damped, gradient.clone());
            let next = change.map(|change| q.iter().zip(change).map(|(q, c)| q - c).collect());
            if let Some(next) = next.filter(|next: &Vec<f64>| energy(next) <= value) {
                (q, damping) = (next, damping * 0.3);
                break;
            }
            damping = (damping * 4.0).max(1e-9);
        }
    }
    assert!(size < 1e-10, "it has not converged");

    let mut picture = vec![[' '; 61]; 16];
    for mass in q.chunks_exact(2) {
        let (row, column) = ((0.2 - mass[1]) / 0.66 * 15.0, mass[0] * 60.0);
        picture[row.round() as usize][column.round() as usize] = 'o';
    }
    picture.iter().for_each(|line| println!("{}", line.iter().collect::<String>()));
    println!("{}", "▔".repeat(61));
}
