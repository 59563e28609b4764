//! `cargo run --release --example logistic_regression`: learns where two interlocked half moons lie.
//!
//! The loss is an ordinary loop over samples; L-BFGS minimises it with the generated gradient.

use argmin::core::{CostFunction, Error, Executor, Gradient, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use backsweep::adjoint;

/// The degree of the polynomial that separates the moons, and the number of its coefficients.
const DEGREE: usize = 5;
const WIDTH: usize = (DEGREE + 1) * (DEGREE + 2) / 2;

/// The polynomial of a point.
#[adjoint(independents(weights), dependents(return))]
fn score(weights: &[f64], x: f64, y: f64) -> f64 {
    let mut score = 0.0;
    let mut k = 0;
    let mut x_power = 1.0;
    for i in 0..=DEGREE {
        let mut power = x_power;
        for _ in 0..=DEGREE - i {
            score += weights[k] * power;
            power *= y;
            k += 1;
        }
        x_power *= x;
    }
    score
}

/// The mean of the negative logarithms of the likelihoods, with a small penalty.
#[adjoint(independents(weights), dependents(return))]
fn loss(weights: &[f64], points: &[[f64; 2]], labels: &[bool], penalty: f64) -> f64 {
    let mut loss = 0.0;
    for k in 0..points.len() {
        let z = score(weights, points[k][0], points[k][1]);
        let towards = if labels[k] { -z } else { z };
        // ln(1 + exp(towards)), without overflow.
        loss +=
            if towards > 0.0 { towards + (-towards).exp().ln_1p() } else { towards.exp().ln_1p() };
    }
    let mut squares = 0.0;
    for weight in weights {
        squares += weight * weight;
    }
    loss / points.len() as f64 + penalty * squares
}

/// The samples, and the problem for argmin.
struct Moons {
    points: Vec<[f64; 2]>,
    labels: Vec<bool>,
}

const PENALTY: f64 = 1e-4;

impl CostFunction for Moons {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, weights: &Vec<f64>) -> Result<f64, Error> {
        Ok(loss(weights, &self.points, &self.labels, PENALTY))
    }
}

impl Gradient for Moons {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, weights: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(loss::gradient(weights, &self.points, &self.labels, PENALTY).1)
    }
}

impl Moons {
    fn sample(count: usize, seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let labels: Vec<bool> = (0..count).map(|k| k % 2 == 0).collect();
        let points = labels.iter().map(|&upper| {
            let angle = std::f64::consts::PI * random.f64();
            let mut noise = || 0.3 * (random.f64() + random.f64() - 1.0);
            let [x, y] = if upper {
                [angle.cos() - 0.5, angle.sin() - 0.25]
            } else {
                [0.5 - angle.cos(), 0.25 - angle.sin()]
            };
            [x + noise(), y + noise()]
        });
        Self { points: points.collect(), labels }
    }

    /// The part of the samples that is on the right side.
    fn accuracy(&self, weights: &[f64]) -> f64 {
        let samples = self.points.iter().zip(&self.labels);
        let right = samples.filter(|([x, y], label)| (score(weights, *x, *y) > 0.0) == **label);
        right.count() as f64 / self.points.len() as f64
    }
}

fn main() -> Result<(), Error> {
    let (seen, unseen) = (Moons::sample(2000, 1), Moons::sample(2000, 2));
    check(&seen);
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 7).with_tolerance_grad(1e-5)?;
    let found =
        Executor::new(Moons { points: seen.points.clone(), labels: seen.labels.clone() }, solver)
            .configure(|state| state.param(vec![0.0; WIDTH]).max_iters(300))
            .run()?
            .state;
    let weights = found.get_best_param().expect("the search has been somewhere");
    draw(weights, &unseen);
    println!("loss {:.4} after {} iterations", found.get_best_cost(), found.get_iter());
    let (on_seen, on_unseen) = (seen.accuracy(weights), unseen.accuracy(weights));
    println!(
        "right on {:.1} % of its samples and {:.1} % of new ones",
        100.0 * on_seen,
        100.0 * on_unseen
    );
    assert!(on_unseen > 0.95, "the moons are told apart");
    Ok(())
}

/// The gradient agrees with difference quotients.
fn check(moons: &Moons) {
    let weights: Vec<f64> = (0..WIDTH).map(|k| 0.3 * (k as f64).sin()).collect();
    let (_, gradient) = loss::gradient(&weights, &moons.points, &moons.labels, PENALTY);
    let mut largest: f64 = 0.0;
    for (position, derivative) in gradient.iter().enumerate() {
        let moved = |by: f64| {
            let mut weights = weights.clone();
            weights[position] += by;
            loss(&weights, &moons.points, &moons.labels, PENALTY)
        };
        let quotient = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        largest = largest.max((quotient - derivative).abs());
    }
    assert!(largest < 1e-8, "the gradient is off by {largest}");
    println!("{WIDTH} derivatives, off from differences by {largest:.0e} at most\n");
}

/// Draws the plane as it is divided, with some samples.
fn draw(weights: &[f64], moons: &Moons) {
    let (columns, rows) = (72, 26);
    let place = |column: usize, row: usize| {
        [4.4 * column as f64 / columns as f64 - 2.2, 1.5 - 3.0 * row as f64 / rows as f64]
    };
    let mut canvas: Vec<Vec<char>> = (0..rows)
        .map(|row| {
            let side = |column| {
                let [x, y] = place(column, row);
                if score(weights, x, y) > 0.0 { '░' } else { ' ' }
            };
            (0..columns).map(side).collect()
        })
        .collect();
    for ([x, y], label) in moons.points.iter().zip(&moons.labels).take(300) {
        let column = ((x + 2.2) / 4.4 * columns as f64) as usize;
        let row = ((1.5 - y) / 3.0 * rows as f64) as usize;
        canvas[row.min(rows - 1)][column.min(columns - 1)] = if *label { '●' } else { 'x' };
    }
    canvas.iter().for_each(|row| println!("  {}", String::from_iter(row)));
    println!();
}
