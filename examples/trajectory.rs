//! `cargo run --release --example trajectory`: how to throw a ball over a wall into a bucket, against
//! air and wind, with as little speed as possible.
//!
//! The flight is integrated by an ordinary loop over an array that is updated in place. The cost is
//! the speed at launch and penalties for missing the bucket and for hitting the wall; its gradient
//! with respect to launch velocity and time of flight goes to L-BFGS.

use argmin::core::{CostFunction, Error, Executor, Gradient, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use backsweep::adjoint;

const STEPS: usize = 400;
const GRAVITY: f64 = 9.81;
const DRAG: f64 = 0.02;
const WIND: f64 = -4.0;
const BUCKET: [f64; 2] = [30.0, 1.0];
const WALL: [f64; 2] = [18.0, 11.0];

/// One step of the midpoint rule. The ball is position and velocity.
#[adjoint]
fn step(ball: &mut [f64; 4], time: f64) {
    let mut middle = [0.0; 4];
    let mut from = *ball;
    for stage in 0..2 {
        let against = from[2] - WIND;
        let drag = DRAG * (against * against + from[3] * from[3]).sqrt();
        let length = if stage == 0 { 0.5 * time } else { time };
        middle[0] = ball[0] + length * from[2];
        middle[1] = ball[1] + length * from[3];
        middle[2] = ball[2] - length * drag * against;
        middle[3] = ball[3] - length * (drag * from[3] + GRAVITY);
        from = middle;
    }
    *ball = from;
}

/// Cost of a throw: the launch velocity and the time of flight.
#[adjoint(independents(throw), dependents(return))]
fn cost(throw: &[f64], weight: f64) -> f64 {
    let mut ball = [0.0, 1.5, throw[0], throw[1]];
    let time = throw[2] / STEPS as f64;
    let mut violation = 0.0;
    for _ in 0..STEPS {
        let before = ball[0];
        let height = ball[1];
        step(&mut ball, time);
        if before < WALL[0] && ball[0] >= WALL[0] {
            // Where the ball passes the wall, between two steps.
            let part = (WALL[0] - before) / (ball[0] - before);
            let clearance = height + part * (ball[1] - height) - WALL[1];
            if clearance < 0.0 {
                violation = clearance * clearance;
            }
        }
    }
    let miss = (ball[0] - BUCKET[0]).powi(2) + (ball[1] - BUCKET[1]).powi(2);
    0.001 * (throw[0] * throw[0] + throw[1] * throw[1]) + weight * (miss + violation)
}

/// The throw as a problem for argmin.
struct Throw {
    weight: f64,
}

impl CostFunction for Throw {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, throw: &Vec<f64>) -> Result<f64, Error> {
        Ok(cost(throw, self.weight))
    }
}

impl Gradient for Throw {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, throw: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(cost::gradient(throw, self.weight).1)
    }
}

fn main() -> Result<(), Error> {
    let start = vec![15.0, 12.0, 2.5];
    check(&start);

    // A little penalty first: the next search starts where the last one has ended.
    let mut throw = start.clone();
    println!("weight of misses   speed   angle    time    cost   iterations");
    for weight in [0.01, 0.1, 1.0, 10.0] {
        let solver = LBFGS::new(MoreThuenteLineSearch::new(), 7).with_tolerance_grad(1e-7)?;
        let found = Executor::new(Throw { weight }, solver)
            .configure(|state| state.param(throw.clone()).max_iters(200))
            .run()?
            .state;
        throw = found.get_best_param().expect("the search has been somewhere").clone();
        let (speed, angle) = (throw[0].hypot(throw[1]), throw[1].atan2(throw[0]).to_degrees());
        println!(
            "{weight:>16} {speed:>7.3} {angle:>6.2}° {:>6.3}s {:>7.4} {:>12}",
            throw[2],
            found.get_best_cost(),
            found.get_iter()
        );
    }
    draw(&start, &throw);
    let end = *flight(&throw).last().expect("the ball flies");
    let miss = (end[0] - BUCKET[0]).hypot(end[1] - BUCKET[1]);
    println!("the ball misses the middle of the bucket by {:.1} cm", 100.0 * miss);
    assert!(miss < 0.1, "the bucket is hit");
    Ok(())
}

/// The gradient agrees with difference quotients.
fn check(throw: &[f64]) {
    let (_, gradient) = cost::gradient(throw, 1.0);
    for (position, derivative) in gradient.iter().enumerate() {
        let moved = |by: f64| {
            let mut throw = throw.to_vec();
            throw[position] += by;
            cost(&throw, 1.0)
        };
        let quotient = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        let error = (quotient - derivative).abs() / derivative.abs();
        assert!(error < 1e-6, "{position}: {derivative}, by differences {quotient}");
    }
    println!("gradient at the first guess agrees with differences: {gradient:.3?}\n");
}

/// The places the ball comes by.
fn flight(throw: &[f64]) -> Vec<[f64; 2]> {
    let mut ball = [0.0, 1.5, throw[0], throw[1]];
    let mut places = vec![[ball[0], ball[1]]];
    for _ in 0..STEPS {
        step(&mut ball, throw[2] / STEPS as f64);
        places.push([ball[0], ball[1]]);
    }
    places
}

/// Draws the first guess (·), the best throw (o), the wall and the bucket.
fn draw(start: &[f64], best: &[f64]) {
    let mut canvas = vec![vec![' '; 72]; 13];
    let mut put = |[x, y]: [f64; 2], mark: char| {
        let (column, row) = ((2.2 * x).round(), 12.0 - y.round());
        if (0.0..72.0).contains(&column) && (0.0..13.0).contains(&row) {
            canvas[row as usize][column as usize] = mark;
        }
    };
    (0..=10).for_each(|height| put([WALL[0], f64::from(height)], '█'));
    flight(start).into_iter().for_each(|place| put(place, '·'));
    flight(best).into_iter().for_each(|place| put(place, 'o'));
    put([BUCKET[0], 0.0], 'U');
    println!();
    canvas.iter().for_each(|row| println!("  {}", String::from_iter(row).trim_end()));
    println!("  {}\n", "─".repeat(72));
}
