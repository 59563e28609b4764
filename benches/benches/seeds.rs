//! Adjoints for several seeds at once, and dense Jacobians by rows: `cargo bench -p backsweep-benches --bench seeds`.

use backsweep::adjoint;
use backsweep_benches::measure::side_by_side;
use criterion::{Criterion, criterion_group, criterion_main};
use reactions::network;
use std::hint::black_box;

const SPECIES: usize = 64;
const RESULTS: usize = 8;

/// Functions that are differentiated as one: `rate` is inlined.
#[adjoint]
mod reactions {
    use super::{RESULTS, SPECIES};

    /// The rate of a reaction of two species at a temperature.
    fn rate(a: f64, b: f64, temperature: f64) -> f64 {
        let activation = (-1.0 / (0.5 + temperature * temperature)).exp();
        activation * (a * b).sqrt() / (1.0 + a + b)
    }

    /// What a network of reactions makes of some products.
    pub fn network(species: &[f64; SPECIES], temperature: f64) -> [f64; RESULTS] {
        let mut made = [0.0; RESULTS];
        for i in 0..SPECIES {
            for k in 0..RESULTS {
                let other = species[(i * 7 + k * 5) % SPECIES];
                let r = rate(species[i], other, temperature);
                made[k] += r;
                made[(k + 1) % RESULTS] -= 0.5 * r * made[k];
            }
        }
        made
    }
}

fn one_after_the_other(
    species: &[f64; SPECIES],
    temperature: f64,
) -> ([[f64; SPECIES]; RESULTS], [f64; RESULTS]) {
    let (mut bars, mut temperature_b) = ([[0.0; SPECIES]; RESULTS], [0.0; RESULTS]);
    for row in 0..RESULTS {
        let mut seed = [0.0; RESULTS];
        seed[row] = 1.0;
        network::adjoint(species, &mut bars[row], temperature, &mut temperature_b[row], seed);
    }
    (bars, temperature_b)
}

fn at_once(
    species: &[f64; SPECIES],
    temperature: f64,
) -> ([[f64; RESULTS]; SPECIES], [f64; RESULTS]) {
    let (mut bars, mut temperature_b) = ([[0.0; RESULTS]; SPECIES], [0.0; RESULTS]);
    let mut seeds = [[0.0; RESULTS]; RESULTS];
    for (row, seed) in seeds.iter_mut().enumerate() {
        seed[row] = 1.0;
    }
    network::adjoints::<RESULTS>(species, &mut bars, temperature, &mut temperature_b, seeds);
    (bars, temperature_b)
}

fn seeds(criterion: &mut Criterion) {
    let species: [f64; SPECIES] = std::array::from_fn(|k| 0.5 + 0.3 * (k as f64).sin());
    side_by_side(
        criterion,
        "seeds/network",
        &mut [
            ("primal", &mut || {
                black_box(network(black_box(&species), 1.3));
            }),
            ("one adjoint for each row", &mut || {
                black_box(one_after_the_other(black_box(&species), 1.3));
            }),
            ("adjoints::<8>", &mut || {
                black_box(at_once(black_box(&species), 1.3));
            }),
            ("jacobian", &mut || drop(black_box(network::jacobian(black_box(&species), 1.3)))),
        ],
    );
}

criterion_group!(benches, seeds);
criterion_main!(benches);
