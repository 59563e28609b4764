//! What generated tests call.

use super::directions::Directions;
use super::report::Report;
use super::{dot_product, gradient, inner, scale, tangent};

/// What an adjoint or a tangent computes of a point and of bars, or a direction: the dependents, and derivatives.
type Derivative<'f> = &'f dyn Fn(&[f64], &[f64]) -> (Vec<f64>, Vec<f64>);

/// Compares the adjoint of a function with differences, and its tangent with differences and with the adjoint.
///
/// `value(x)` are the dependents, `adjoint(x, bars)` they and the bars of the independents, `tangent(x, direction)` they and their
/// derivatives.
///
/// # Panics
/// With the reports of what has not passed.
#[track_caller]
pub fn derivatives(
    x: &[f64],
    value: &dyn Fn(&[f64]) -> Vec<f64>,
    adjoint: Derivative<'_>,
    along: Option<Derivative<'_>>,
) {
    let failed: Vec<String> = reports(x, value, adjoint, along)
        .iter()
        .filter(|report| !report.passed())
        .map(Report::to_string)
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn reports(
    x: &[f64],
    value: &dyn Fn(&[f64]) -> Vec<f64>,
    adjoint: Derivative<'_>,
    along: Option<Derivative<'_>>,
) -> Vec<Report> {
    let mut directions = Directions::new();
    let dependents = value(x);
    // A single number is compared as it is.
    let bars = match dependents.len() {
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
    if let Some(along) = along {
        let x_d = directions.weights(x.iter().map(|number| scale(*number)));
        reports.push(tangent(value, along, x, &x_d));
        let slopes = |x: &[f64], x_d: &[f64]| along(x, x_d).1;
        reports.push(dot_product(slopes, |x: &[f64], y_b: &[f64]| adjoint(x, y_b).1, x));
    }
    reports
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
        let reports = reports(&[0.7, -1.2], &value, adjoint, tangent);
        reports.iter().map(Report::passed).collect()
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
        derivatives(&[0.7, -1.2], &value, &|x, bars| (value(x), bars.to_vec()), None);
    }
}
