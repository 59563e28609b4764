//! The checks of Jacobians.

use super::check::{Point, guarded};
use super::{Case, Jacobian, Report, RunJacobian};

/// Checks the Jacobians of functions against the columns of dual numbers. Returned is how many numbers have been compared.
pub fn check_jacobians(cases: &[Case], runs: &[(usize, RunJacobian)]) -> (Report, usize) {
    let (mut report, mut compared) = (Report::default(), 0);
    for &(position, run) in runs {
        let case = &cases[position];
        for sample in 0..case.expectations.len() {
            let place = format!("{} #{sample} [jacobian]", case.name);
            let found =
                guarded(&place, &mut report, || Some((Point::new(case, sample), run(sample))));
            if let Some((point, found)) = found {
                compared += check_jacobian(&place, &point, &found, &mut report);
            }
        }
    }
    (report, compared)
}

/// Says how many derivatives there were to compare: not those that are infinite.
fn check_jacobian(place: &str, point: &Point<'_>, found: &Jacobian, report: &mut Report) -> usize {
    report.check(found.keeps_arguments, || format!("{place}: a `&mut` argument has changed"));
    let expected = point.rows(&found.columns);
    report.check(found.rows.len() == expected.len(), || {
        format!("{place}: {:?} instead of {expected:?}", found.rows)
    });
    let pairs = found.rows.iter().zip(&expected).filter(|(_, expected)| expected.is_finite());
    let (found, expected): (Vec<f64>, Vec<f64>) = pairs.unzip();
    point.compare(place, &found, &expected, point.precision(), report);
    expected.len()
}
