//! `cargo run --release --example spirals --features ndarray`: a small network on arrays of ndarray learns to tell two spirals apart.
//!
//! The gradient of the loss is a network, too: a struct that derives `Differentiable` is the type of its bars. Adam needs no more of both
//! than their floats in a row. The curve of the loss, and what the network has learned, are drawn at the end.

use backsweep::{Differentiable, Vector, adjoint};
use ndarray::{Array1, Array2};
use std::f64::consts::PI;

const EPOCHS: usize = 600;

#[derive(Clone, Differentiable)]
struct Layer {
    weights: Array2<f64>,
    bias: Array1<f64>,
}

#[derive(Clone, Differentiable)]
struct Network {
    hidden: Vec<Layer>,
    output: Layer,
}

/// How much likelier points, one in each row, are of the second spiral: the logarithm.
#[adjoint(independents(network))]
fn scores(network: &Network, points: &Array2<f64>) -> Array2<f64> {
    let mut activations = points.clone();
    for layer in &network.hidden {
        activations = (activations.dot(&layer.weights) + &layer.bias).tanh();
    }
    activations.dot(&network.output.weights) + &network.output.bias
}

/// The mean cross entropy, of targets that are 0 or 1.
#[adjoint(independents(network))]
fn loss(network: &Network, points: &Array2<f64>, targets: &Array2<f64>) -> f64 {
    let scores: Array2<f64> = scores(network, points);
    // ln(1 + e^s), that does not overflow.
    let softplus = (-scores.abs()).exp().ln_1p() + (&scores + scores.abs()) * 0.5;
    (softplus - targets * &scores).sum() / points.nrows() as f64
}

/// Adam (Kingma and Ba, 2015), with the constants of the paper.
struct Adam {
    rate: f64,
    steps: i32,
    means: Vec<f64>,
    squares: Vec<f64>,
}

impl Adam {
    fn step(&mut self, network: &mut Network, gradient: &Network) {
        let (mut x, mut g) = (Vec::new(), Vec::new());
        network.write_flat(&mut x);
        gradient.write_flat(&mut g);
        self.steps += 1;
        self.means.resize(x.len(), 0.0);
        self.squares.resize(x.len(), 0.0);
        for (k, (x, g)) in x.iter_mut().zip(&g).enumerate() {
            self.means[k] += 0.1 * (g - self.means[k]);
            self.squares[k] += 0.001 * (g * g - self.squares[k]);
            let mean = self.means[k] / (1.0 - 0.9_f64.powi(self.steps));
            let square = self.squares[k] / (1.0 - 0.999_f64.powi(self.steps));
            *x -= self.rate * mean / (square.sqrt() + 1e-8);
        }
        network.read_flat(&x);
    }
}

/// Points of two spirals, in turn.
fn spirals(count: usize) -> (Array2<f64>, Array2<f64>) {
    let points = Array2::from_shape_fn((count, 2), |(k, axis)| {
        let along = (k / 2 * 2) as f64 / count as f64;
        let angle = 3.0 * PI * along + PI * (k % 2) as f64;
        (0.4 + 4.0 * along) * if axis == 0 { angle.cos() } else { angle.sin() }
    });
    (points, Array2::from_shape_fn((count, 1), |(k, _)| (k % 2) as f64))
}

fn main() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut layer = |inputs: usize, outputs: usize| Layer {
        weights: Array2::from_shape_fn((inputs, outputs), |_| {
            (2.0 * random.f64() - 1.0) * (6.0 / (inputs + outputs) as f64).sqrt()
        }),
        bias: Array1::zeros(outputs),
    };
    let mut network = Network { hidden: vec![layer(2, 16), layer(16, 16)], output: layer(16, 1) };
    let mut adam = Adam { rate: 0.01, steps: 0, means: Vec::new(), squares: Vec::new() };
    let (points, targets) = spirals(200);
    for epoch in 0..=EPOCHS {
        let (loss, gradient) = loss::gradient(&network, &points, &targets);
        if epoch % 40 == 0 {
            println!("{epoch:5}  {loss:.6}  {}", "▇".repeat((60.0 * loss).ceil() as usize));
        }
        adam.step(&mut network, &gradient);
    }

    let scores = scores(&network, &points);
    let right = scores.iter().zip(&targets).filter(|&(s, t)| (*s > 0.0) == (*t == 1.0)).count();
    println!(
        "\n{right} of {} points are told right; what the network has learned:\n",
        points.nrows()
    );
    for row in 0..24 {
        let line = Array2::from_shape_fn((48, 2), |(k, axis)| match axis {
            0 => (k as f64 / 47.0 - 0.5) * 9.6,
            _ => (0.5 - row as f64 / 23.0) * 9.6,
        });
        let learned = self::scores(&network, &line);
        let drawn = learned.iter().map(|&score| if score > 0.0 { '█' } else { '·' });
        println!("{}", drawn.collect::<String>());
    }
    assert!(right * 100 >= 98 * points.nrows(), "the network has not learned");
}
