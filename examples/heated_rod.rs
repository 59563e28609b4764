//! `cargo run --release --example heated_rod`: how well does a rod conduct heat, which is heated at one end?
//!
//! A sensor in the middle has measured the temperature. The conductivity depends on the temperature, so each implicit
//! time step is solved by an iteration. `#[fixed_point]` keeps nothing of its passes but the last one, and the
//! derivative is that of what it converges to, not of the way there; L-BFGS finds the two parameters with it.

use argmin::core::{CostFunction, Error, Executor, Gradient, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use backsweep::{Stack, adjoint};

const CELLS: usize = 20;
const STEPS: usize = 40;
/// The conductivity of a cold rod, and how much it grows with the temperature.
const TRUTH: [f64; 2] = [2.0, 0.7];

/// The temperature at the sensor after each step.
#[adjoint(independents(conductivity), dependents(sensor))]
fn heat(conductivity: &[f64], sensor: &mut [f64]) {
    let mut u = vec![0.0; CELLS];
    for reading in sensor {
        let before = u.clone();
        #[fixed_point(tol = 1e-12, max = 2000)]
        loop {
            let mut change: f64 = 0.0;
            for i in 0..CELLS {
                let left = if i > 0 { u[i - 1] } else { 1.0 };
                let right = if i + 1 < CELLS { u[i + 1] } else { u[i] };
                let flow = conductivity[0] * (1.0 + conductivity[1] * u[i]);
                let next = (before[i] + flow * (left + right)) / (1.0 + 2.0 * flow);
                change = change.max((next - u[i]).abs());
                u[i] = next;
            }
            if change < 1e-13 {
                break;
            }
        }
        *reading = u[CELLS / 2];
    }
}

/// The sum of the squares of what the sensor should have measured less or more.
#[adjoint(independents(conductivity), dependents(return))]
fn misfit(conductivity: &[f64], measured: &[f64]) -> f64 {
    let mut sensor = vec![0.0; measured.len()];
    heat(conductivity, &mut sensor);
    sensor.iter().zip(measured).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// The rod as a problem for argmin.
struct Rod {
    measured: Vec<f64>,
}

impl CostFunction for Rod {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, conductivity: &Vec<f64>) -> Result<f64, Error> {
        Ok(misfit(conductivity, &self.measured))
    }
}

impl Gradient for Rod {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, conductivity: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(misfit::gradient(conductivity, &self.measured).1)
    }
}

fn main() -> Result<(), Error> {
    let mut measured = vec![0.0; STEPS];
    heat(&TRUTH, &mut measured);
    let start = vec![1.0, 0.0];

    let mut stack = Stack::recording();
    let (_, gradient) = misfit::gradient_with(&mut stack, &start, &measured);
    println!("gradient at the start     {gradient:?}");
    for k in 0..start.len() {
        let at = |shift: f64| {
            let mut conductivity = start.clone();
            conductivity[k] += shift;
            misfit(&conductivity, &measured)
        };
        let quotient = (at(1e-5) - at(-1e-5)) / 2e-5;
        println!("difference quotient       {quotient}");
        assert!((quotient - gradient[k]).abs() < 1e-7 * (1.0 + quotient.abs()));
    }
    let report = stack.report();
    for (place, known) in &report.fixed_points {
        println!(
            "adjoint of the iteration  {} passes for {} steps ({place})",
            known.passes, known.loops
        );
    }
    println!("largest stack             {} bytes", report.peak_bytes);

    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 5);
    let result = Executor::new(Rod { measured }, solver)
        .configure(|state| state.param(start).max_iters(60).target_cost(1e-20))
        .run()?;
    let found = result.state().get_best_param().expect("the solver has run");
    println!("conductivity              {found:?} after {} iterations", result.state().get_iter());
    for (found, truth) in found.iter().zip(TRUTH) {
        assert!((found - truth).abs() < 1e-4, "{found} instead of {truth}");
    }
    Ok(())
}
