//! The checks of tangents in several directions, and of sparse Jacobians.

use super::check::{Point, guarded};
use super::{Case, Report, RunSeveral, Several, Sparse};
use crate::dual::tested;

/// Iterations that end when the last step is a rounding error: so is the number that is tested, and its derivative.
const DECIDED_BY_ROUNDING: [&str; 5] = [
    "finance::bond_yield",
    "finance::implied_volatility",
    "geometry::kepler",
    "recurrences::agm",
    "special_functions::gamma_p",
];

/// How many functions have been compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    /// Those with a sparse Jacobian.
    pub sparse: usize,
    /// Those of which it is known how far they go the same way, and of these those that do not go the same way everywhere.
    pub validity: [usize; 2],
}

/// Checks tangents in three directions, sparse Jacobians and validities against dual numbers.
pub fn check_several(cases: &[Case], runs: &[(usize, RunSeveral)]) -> (Report, Compared) {
    let (mut report, mut compared) = (Report::default(), Compared::default());
    for &(position, run) in runs {
        let case = &cases[position];
        let (mut is_compared, mut is_followed) = (false, [false; 2]);
        for sample in 0..case.expectations.len() {
            let place = format!("{} #{sample} [several]", case.name);
            let Some(point) = guarded(&place, &mut report, || Some(Point::new(case, sample)))
            else {
                continue;
            };
            let parts = parts(&point);
            let found = guarded(&place, &mut report, || Some(run(sample, &parts)));
            let Some(Several { outputs, slopes, sparse, validity }) = found else { continue };
            report.check(outputs.same_bits(&point.primal.outputs), || {
                format!("{place}: {outputs:?} instead of {:?}", point.primal.outputs)
            });
            check_slopes(&place, &point, &parts, &slopes, &mut report);
            if let Some(sparse) = sparse {
                is_compared |= check_sparse(&place, &point, &sparse, &mut report);
            }
            if let Some(found) = validity.filter(|_| !DECIDED_BY_ROUNDING.contains(&case.name)) {
                let followed = check_validity(&place, &point, &parts, found, &mut report);
                is_followed = [0, 1].map(|at| is_followed[at] | followed[at]);
            }
        }
        compared.sparse += usize::from(is_compared);
        compared.validity = [0, 1].map(|at| compared.validity[at] + usize::from(is_followed[at]));
    }
    (report, compared)
}

/// Three directions: one, its reverse, and one that is often 0.
fn parts(point: &Point<'_>) -> Vec<[f64; 3]> {
    let direction = point.direction();
    let parts = direction.iter().zip(direction.iter().rev()).enumerate();
    let parts = parts.map(|(at, (&own, &other))| [own, other, if at % 3 == 0 { own } else { 0.0 }]);
    parts.collect()
}

fn check_slopes(
    place: &str,
    point: &Point<'_>,
    parts: &[[f64; 3]],
    slopes: &[[f64; 3]],
    report: &mut Report,
) {
    let dependent = &point.primal.dependent;
    let dependents: Vec<usize> = (0..dependent.len()).filter(|&output| dependent[output]).collect();
    report.check(slopes.len() == dependents.len(), || {
        format!("{place}: {} dependents in place of {}", slopes.len(), dependents.len())
    });
    for k in 0..3 {
        let along = |output: &usize| {
            let terms = point.jacobian.iter().zip(parts).filter(|(_, parts)| parts[k] != 0.0);
            terms.map(|(column, parts)| column[*output] * parts[k]).sum()
        };
        let expected: Vec<f64> = dependents.iter().map(along).collect();
        if expected.iter().all(|slope| slope.is_finite()) {
            let found: Vec<f64> = slopes.iter().map(|parts| parts[k]).collect();
            let place = format!("{place} direction {k}");
            point.compare(&place, &found, &expected, point.precision(), report);
        }
    }
}

/// Whether there was anything to compare.
fn check_sparse(place: &str, point: &Point<'_>, sparse: &Sparse, report: &mut Report) -> bool {
    let primal = &point.primal;
    // The result comes last in Jacobians, and first among the outputs.
    let rows = (primal.returned..primal.dependent.len()).chain(0..primal.returned);
    let rows: Vec<usize> = rows.filter(|&output| primal.dependent[output]).collect();
    let columns = sparse.columns.iter().zip(&point.jacobian);
    let columns: Vec<&Vec<f64>> =
        columns.filter(|(is_independent, _)| **is_independent).map(|(_, column)| column).collect();
    let is_inside = sparse.rows.iter().all(|&row| row < rows.len())
        && sparse.cols.iter().all(|&col| col < columns.len());
    report.check(is_inside, || format!("{place}: {sparse:?} has entries outside"));
    if !is_inside {
        return false;
    }
    let mut found = vec![0.0; rows.len() * columns.len()];
    for ((&row, &col), value) in sparse.rows.iter().zip(&sparse.cols).zip(&sparse.values) {
        found[row * columns.len() + col] = *value;
    }
    let expected = rows.iter().flat_map(|&row| columns.iter().map(move |column| column[row]));
    let expected: Vec<f64> = expected.collect();
    if !expected.iter().all(|entry| entry.is_finite()) {
        return false;
    }
    point.compare(&format!("{place} sparse"), &found, &expected, point.precision(), report);
    !found.is_empty()
}

/// Checks how far the function goes the same way. Returned is whether there was something to compare, and whether it ends
/// anywhere.
fn check_validity(
    place: &str,
    point: &Point<'_>,
    parts: &[[f64; 3]],
    (low, high): (f64, f64),
    report: &mut Report,
) -> [bool; 2] {
    let slopes: Vec<f64> = parts.iter().map(|parts| parts[0]).collect();
    let Some((expected_low, expected_high)) = tested::interval(|| point.dual(&slopes)) else {
        return [false; 2];
    };
    let found: Vec<f64> = [low, high].into_iter().map(bounded).collect();
    let expected: Vec<f64> = [expected_low, expected_high].into_iter().map(bounded).collect();
    point.compare(&format!("{place} validity"), &found, &expected, point.precision(), report);
    [true, low.is_finite() || high.is_finite()]
}

/// Infinities as numbers.
fn bounded(end: f64) -> f64 {
    end.clamp(-1e300, 1e300)
}
