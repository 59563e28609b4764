//! What generated tests call.

use super::bisection::{self, Found, Traced, bisect};
use super::directions::Directions;
use super::report::{Report, Verdict};
use super::summed::{self, Derivative, Summed};
use super::{dot_product, gradient, inner, scale, tangent};

/// The dependents at a point, unless the function fails there.
pub type Value<'f> = &'f dyn Fn(&[f64]) -> Option<Vec<f64>>;

/// Compares the adjoint of a function with differences, and its tangent with differences and with the adjoint.
///
/// `value(x)` are the dependents, unless the function fails, `adjoint(x, bars)` they and the bars of the independents, `tangent(x, direction)` they and their
/// derivatives. `traced(x, direction)` is the tangent, too, which tells what its statements assign, and `summed` are the derivatives of the function with
/// a sum of that.
///
/// # Panics
/// With the reports of what has not passed, and with the first statement that is wrong.
#[track_caller]
pub fn derivatives(
    x: &[f64],
    value: Value<'_>,
    adjoint: Derivative<'_>,
    along: Option<Derivative<'_>>,
    traced: Option<Traced<'_>>,
    summed: Option<&Summed<'_>>,
) {
    if bisection::only(x, traced, summed) {
        return;
    }
    let failed = failures(x, value, adjoint, along, traced, summed);
    assert!(failed.is_none(), "{}", failed.unwrap_or_default());
}

/// What has not passed, and why.
fn failures(
    x: &[f64],
    value: Value<'_>,
    adjoint: Derivative<'_>,
    along: Option<Derivative<'_>>,
    traced: Option<Traced<'_>>,
    summed: Option<&Summed<'_>>,
) -> Option<String> {
    let checked = Checked::new(x, value, adjoint, along);
    let failed = checked.reports.iter().filter(|report| !report.passed());
    let mut failed: Vec<String> = failed.map(Report::to_string).collect();
    if let (true, Some(traced)) = (checked.disagrees(), traced) {
        let found = bisect(x, &checked.direction, &checked.reports, traced);
        failed.push(found.to_string());
        // That of the tangent and its comparison with the adjoint come last.
        if let (Found::Nothing { .. }, [_, tangent, product]) = (found, checked.reports.as_slice())
            && tangent.passed()
            && !product.passed()
        {
            let found = summed.map(|summed| summed::bisect(x, &checked.direction, summed));
            failed.extend(found.map(|found| found.to_string()));
            failed.push(ADJOINT_ALONE.to_owned());
        }
    }
    (!failed.is_empty()).then(|| failed.join("\n"))
}

/// Where a tangent is right, and the adjoint is not.
const ADJOINT_ALONE: &str = "the tangent is right, so that it is the adjoint that is wrong: if the function has `#[independent]` in it, see whether that is so";

/// What has been checked.
struct Checked {
    reports: Vec<Report>,
    /// The direction of the tangent.
    direction: Vec<f64>,
}

impl Checked {
    fn new(
        x: &[f64],
        value: Value<'_>,
        adjoint: Derivative<'_>,
        along: Option<Derivative<'_>>,
    ) -> Self {
        let mut directions = Directions::new();
        let dependents = value(x).expect("the function does not fail at the point of its test");
        // Beside the point it may fail, or return a list of another length.
        let count = dependents.len();
        let value = |x: &[f64]| {
            value(x).filter(|found| found.len() == count).unwrap_or_else(|| vec![f64::NAN; count])
        };
        // A single number is compared as it is.
        let bars = match count {
            1 => vec![1.0],
            _ => directions.weights(dependents.iter().map(|number| 1.0 / scale(*number))),
        };
        let mut reports = vec![gradient(
            |x: &[f64]| inner(&value(x), &bars),
            |x: &[f64]| {
                let (dependents, parts) = adjoint(x, &bars);
                (inner(&dependents, &bars), parts)
            },
            x,
        )];
        let direction = directions.weights(x.iter().map(|number| scale(*number)));
        if let Some(along) = along {
            reports.push(tangent(value, along, x, &direction));
            let slopes = |x: &[f64], x_d: &[f64]| along(x, x_d).1;
            reports.push(dot_product(slopes, |x: &[f64], y_b: &[f64]| adjoint(x, y_b).1, x));
        }
        Self { reports, direction }
    }

    /// Whether there is anything that is wrong, rather than could not be compared.
    fn disagrees(&self) -> bool {
        let mut comparisons = self.reports.iter().flat_map(Report::comparisons);
        comparisons.any(|comparison| comparison.verdict == Verdict::Disagrees)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(x: &[f64]) -> Vec<f64> {
        vec![x[0] * x[1], x[0].sin()]
    }

    fn adjoint(x: &[f64], bars: &[f64]) -> (Vec<f64>, Vec<f64>) {
        (value(x), vec![bars[0] * x[1] + bars[1] * x[0].cos(), bars[0] * x[0]])
    }

    fn tangent(x: &[f64], x_d: &[f64]) -> (Vec<f64>, Vec<f64>) {
        (value(x), vec![x_d[0] * x[1] + x[0] * x_d[1], x[0].cos() * x_d[0]])
    }

    fn passed(adjoint: Derivative<'_>, tangent: Option<Derivative<'_>>) -> Vec<bool> {
        let checked = Checked::new(&[0.7, -1.2], &|x| Some(value(x)), adjoint, tangent);
        checked.reports.iter().map(Report::passed).collect()
    }

    #[test]
    fn what_is_right_passes() {
        assert_eq!(passed(&adjoint, Some(&tangent)), [true; 3]);
        assert_eq!(passed(&adjoint, None), [true]);
    }

    #[test]
    fn wrong_bars_fail_against_differences_and_tangents() {
        let wrong = |x: &[f64], bars: &[f64]| {
            let (found, mut parts) = adjoint(x, bars);
            parts[1] *= 1.001;
            (found, parts)
        };
        assert_eq!(passed(&wrong, Some(&tangent)), [false, true, false]);
        let moved = |x: &[f64], bars: &[f64]| {
            let (mut found, parts) = adjoint(x, bars);
            found[1] += 1e-9;
            (found, parts)
        };
        assert_eq!(passed(&moved, None), [false]);
    }

    #[test]
    fn wrong_tangents_fail() {
        let wrong = |x: &[f64], x_d: &[f64]| (value(x), vec![x_d[0] * x[1], x[0].cos() * x_d[0]]);
        assert_eq!(passed(&adjoint, Some(&wrong)), [true, false, false]);
    }

    #[test]
    #[should_panic(expected = "DISAGREES")]
    fn the_reports_are_what_the_panic_says() {
        let adjoint = |x: &[f64], bars: &[f64]| (value(x), bars.to_vec());
        derivatives(&[0.7, -1.2], &|x| Some(value(x)), &adjoint, None, None, None);
    }

    #[test]
    fn what_fails_beside_the_point_is_left_out() {
        let value = |x: &[f64]| (x[0] > 0.0).then(|| vec![x[0].sqrt()]);
        let adjoint =
            |x: &[f64], bars: &[f64]| (vec![x[0].sqrt()], vec![bars[0] * 0.5 / x[0].sqrt()]);
        let longer = |x: &[f64]| Some(vec![x[0].sqrt(); if x[0] > 0.12 { 2 } else { 1 }]);
        for value in [&value as Value<'_>, &longer] {
            assert!(failures(&[0.1], value, &adjoint, None, None, None).is_none());
        }
    }

    #[test]
    #[should_panic(expected = "the function does not fail at the point of its test")]
    fn at_the_point_it_must_not_fail() {
        derivatives(&[0.7], &|_| None, &|x, bars| (x.to_vec(), bars.to_vec()), None, None, None);
    }

    /// A tangent that tells its only statement.
    fn told(factor: f64) -> impl Fn(&[f64], &[f64]) {
        move |x, x_d| {
            use super::super::trace::{OfNumbers as _, Valued};
            let (value, derivative) = (x[0].sin(), factor * x[0].cos() * x_d[0]);
            (&&Valued::with(&value, &derivative)).tell("", std::panic::Location::caller());
        }
    }

    #[test]
    fn what_has_failed_is_bisected() {
        let value = |x: &[f64]| vec![x[0].sin()];
        let adjoint = |factor: f64| {
            move |x: &[f64], bars: &[f64]| (value(x), vec![factor * bars[0] * x[0].cos()])
        };
        let tangent = |factor: f64| {
            move |x: &[f64], x_d: &[f64]| (value(x), vec![factor * x_d[0] * x[0].cos()])
        };
        let failures = |of_adjoint, of_tangent| {
            let (adjoint, tangent) = (adjoint(of_adjoint), tangent(of_tangent));
            let traced = told(of_tangent);
            failures(&[0.7], &|x| Some(value(x)), &adjoint, Some(&tangent), Some(&traced), None)
        };
        assert_eq!(failures(1.0, 1.0), None);
        let both = failures(1.5, 1.5).expect("the derivative is wrong");
        assert!(both.contains("the first statement whose derivative is wrong"), "{both}");
        let adjoint = failures(1.5, 1.0).expect("the adjoint is wrong");
        assert!(adjoint.contains("no statement was found whose tangent is wrong"), "{adjoint}");
        assert!(adjoint.ends_with(ADJOINT_ALONE), "{adjoint}");
    }
}
