//! The checks of adjoints for several seeds.

use super::check::{Point, generic_weights, guarded};
use super::{Case, Report, RunSeeds, Seeded};

/// Checks adjoints for three seeds against dual numbers.
pub fn check_seeds(cases: &[Case], runs: &[(usize, RunSeeds)]) -> Report {
    let mut report = Report::default();
    for &(position, run) in runs {
        let case = &cases[position];
        for sample in 0..case.expectations.len() {
            let place = format!("{} #{sample} [seeds]", case.name);
            let Some(point) = guarded(&place, &mut report, || Some(Point::new(case, sample)))
            else {
                continue;
            };
            let seeds = seeds(&point);
            let found = guarded(&place, &mut report, || Some(run(sample, &seeds)));
            let Some(Seeded { outputs, bars }) = found else { continue };
            report.check(outputs.same_bits(&point.primal.outputs), || {
                format!("{place}: {outputs:?} instead of {:?}", point.primal.outputs)
            });
            for k in 0..3 {
                let of_seed = |parts: &[[f64; 3]]| -> Vec<f64> {
                    parts.iter().map(|parts| parts[k]).collect()
                };
                let (found, expected) = (of_seed(&bars), point.reference(&of_seed(&seeds)));
                let place = format!("{place} seed {k}");
                point.compare(&place, &found, &expected, point.precision(), &mut report);
            }
        }
    }
    report
}

/// Three seeds: one, its reverse, and one that is often 0.
fn seeds(point: &Point<'_>) -> Vec<[f64; 3]> {
    let weights = generic_weights(&point.primal);
    let others = weights.iter().rev();
    let seeds = weights.iter().zip(others).zip(&point.primal.dependent).enumerate();
    let seeds = seeds.map(|(at, ((&own, &other), &is_dependent))| match is_dependent {
        true => [own, other, if at % 3 == 0 { own } else { 0.0 }],
        false => [0.0; 3],
    });
    seeds.collect()
}
