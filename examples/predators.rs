//! `cargo run --release --example predators --features nalgebra`: how fast do hares breed, and how hungry are lynxes? The parameters of an
//! ordinary differential equation from counts of twenty years, with errors.
//!
//! The solver is an ordinary function that takes the right side as a closure. The Jacobian of the residuals is that of all its steps;
//! Levenberg and Marquardt's method gets six numbers for each count.

use backsweep::adjoint;
use nalgebra::{DMatrix, DVector};

const YEARS: usize = 20;
/// Rates of birth and hunting, of lynxes starving and fed, and both numbers in the beginning, in thousands.
const PARAMETERS: usize = 6;

#[adjoint]
mod model {
    use super::{PARAMETERS, YEARS};

    /// One step of Runge and Kutta's method of fourth order.
    fn step(rate: impl Fn([f64; 2]) -> [f64; 2], y: [f64; 2], h: f64) -> [f64; 2] {
        let a = rate(y);
        let b = rate([y[0] + 0.5 * h * a[0], y[1] + 0.5 * h * a[1]]);
        let c = rate([y[0] + 0.5 * h * b[0], y[1] + 0.5 * h * b[1]]);
        let d = rate([y[0] + h * c[0], y[1] + h * c[1]]);
        [
            y[0] + h / 6.0 * (a[0] + 2.0 * b[0] + 2.0 * c[0] + d[0]),
            y[1] + h / 6.0 * (a[1] + 2.0 * b[1] + 2.0 * c[1] + d[1]),
        ]
    }

    /// By how much the logarithms of the numbers of each year are off, by Lotka and Volterra's equations.
    #[adjoint(independents(p))]
    pub fn residuals(p: &[f64; PARAMETERS], counts: &[[f64; 2]]) -> Vec<f64> {
        let mut y = [p[4], p[5]];
        let mut residuals = Vec::with_capacity(2 * YEARS);
        for count in counts {
            residuals.push(y[0].ln() - count[0].ln());
            residuals.push(y[1].ln() - count[1].ln());
            for _ in 0..24 {
                let rate = |y: [f64; 2]| [y[0] * (p[0] - p[1] * y[1]), y[1] * (p[3] * y[0] - p[2])];
                y = step(rate, y, 1.0 / 24.0);
            }
        }
        residuals
    }
}

use model::residuals;

fn main() {
    let truth = [0.55, 0.028, 0.84, 0.026, 30.0, 4.0];
    let mut random = fastrand::Rng::with_seed(11);
    let exact = residuals(&truth, &[[1.0; 2]; YEARS]);
    let counts: Vec<[f64; 2]> = exact
        .chunks_exact(2)
        .map(|year| [0, 1].map(|k| (year[k] + 0.1 * (random.f64() - 0.5)).exp()))
        .collect();

    let mut p = [0.4, 0.02, 0.6, 0.02, 25.0, 6.0];
    let error = |p: &[f64; PARAMETERS]| residuals(p, &counts).iter().map(|r| r * r).sum::<f64>();
    let (mut found, mut damping) = (error(&p), 1e-2);
    println!("pass  sum of squares");
    for pass in 0..60 {
        let r = DVector::from_vec(residuals(&p, &counts));
        let j = DMatrix::from_row_slice(r.len(), PARAMETERS, &residuals::jacobian(&p, &counts));
        let (mut normal, slope) = (j.tr_mul(&j), j.tr_mul(&r));
        for k in 0..PARAMETERS {
            normal[(k, k)] *= 1.0 + damping;
        }
        let change = normal.cholesky().expect("it is positive definite").solve(&slope);
        let next: [f64; PARAMETERS] = std::array::from_fn(|k| p[k] - change[k]);
        let there = error(&next);
        let is_over = (found - there).abs() < 1e-12 * found;
        // A step into nowhere has an error that is no number.
        if there < found {
            println!("{pass:4}  {there:14.9}");
            (p, found, damping) = (next, there, damping * 0.2);
        } else {
            damping *= 8.0;
        }
        if is_over {
            break;
        }
    }

    println!("\nyear  hares, counted and by the model");
    let modelled = residuals(&p, &[[1.0; 2]; YEARS]);
    for (year, (count, model)) in counts.iter().zip(modelled.chunks_exact(2)).enumerate() {
        let (counted, model) = (count[0], model[0].exp());
        println!("{year:4}  {counted:5.1} {model:5.1}  {}", "▇".repeat(model.round() as usize));
    }

    println!("\nparameter     truth     found");
    let names = ["born", "hunted", "starved", "fed", "hares", "lynxes"];
    for ((name, truth), found) in names.iter().zip(truth).zip(p) {
        println!("{name:9} {truth:9.4} {found:9.4}");
        assert!((found / truth - 1.0).abs() < 0.1, "{name} is far from the truth");
    }
}
