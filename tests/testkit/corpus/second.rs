//! The checks of second derivatives.

use super::check::{Point, guarded};
use super::{Case, Hessian, Report, RunHessian};

/// Checks the Hessians of functions against dual numbers of second order. Returned is how many functions had one that could be compared, and
/// how many a sparse one.
pub fn check_hessians(cases: &[Case], runs: &[(usize, RunHessian)]) -> (Report, [usize; 2]) {
    let (mut report, mut compared) = (Report::default(), [0, 0]);
    for &(position, run) in runs {
        let case = &cases[position];
        let (mut has_samples, mut is_sparse) = (false, false);
        for sample in 0..case.expectations.len() {
            let place = format!("{} #{sample} [second]", case.name);
            let Some(point) = guarded(&place, &mut report, || Some(Point::new(case, sample)))
            else {
                continue;
            };
            let direction = point.direction();
            let found = guarded(&place, &mut report, || Some(run(sample, &direction)));
            let Some(found) = found else { continue };
            is_sparse |= found.sparse.is_some();
            has_samples |= check_hessian(&place, &point, &direction, &found, &mut report);
        }
        compared[0] += usize::from(has_samples);
        compared[1] += usize::from(has_samples && is_sparse);
    }
    (report, compared)
}

/// Whether anything could be compared: not where the second derivative is infinite.
fn check_hessian(
    place: &str,
    point: &Point<'_>,
    direction: &[f64],
    found: &Hessian,
    report: &mut Report,
) -> bool {
    let n = point.inputs();
    let result = point.value();
    report.check(found.value.to_bits() == result.to_bits(), || {
        format!("{place}: the value is {:e} instead of {result:e}", found.value)
    });
    point.compare(
        &format!("{place} gradient"),
        &found.gradient,
        &point.gradient(),
        point.precision(),
        report,
    );
    report.check(found.rows.len() == n * n && found.diagonal.len() == n, || {
        format!("{place}: {} rows and {} on the diagonal", found.rows.len(), found.diagonal.len())
    });
    let at = |i: usize, j: usize| found.rows[i * n + j];
    let along: Vec<f64> = (0..n).map(|i| (0..n).map(|j| at(i, j) * direction[j]).sum()).collect();
    let scale = 1.0 + found.rows.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
    let mut is_compared = n > 0;
    let mut compare = |what: &str, found: f64, expected: f64| {
        if !expected.is_finite() {
            is_compared = false;
            return;
        }
        let error = (found - expected).abs() / scale;
        report.check(error <= 10.0 * point.precision(), || {
            format!("{place} {what}: {found:e} instead of {expected:e}")
        });
    };
    let unit = |at: &[usize]| -> Vec<f64> {
        (0..n).map(|k| if at.contains(&k) { 1.0 } else { 0.0 }).collect()
    };
    for (i, along) in along.into_iter().enumerate() {
        compare("product", found.products[i], along);
        compare("diagonal", found.diagonal[i], at(i, i));
        compare("second", at(i, i), point.curvature(&unit(&[i])));
        for j in 0..i {
            compare("symmetry", at(i, j), at(j, i));
            // With e_i + e_j the second derivative is that of both and twice the mixed one.
            let both = at(i, i) + at(j, j) + 2.0 * at(i, j);
            compare("mixed", both, point.curvature(&unit(&[i, j])));
        }
    }
    if let Some(sparse) = &found.sparse {
        check_sparse(place, found, sparse, point.precision(), report);
    }
    is_compared
}

/// The entries are those of all rows, and the others are zero.
fn check_sparse(
    place: &str,
    found: &Hessian,
    (rows, cols, values): &(Vec<usize>, Vec<usize>, Vec<f64>),
    precision: f64,
    report: &mut Report,
) {
    let n = found.diagonal.len();
    let mut rest = found.rows.clone();
    let scale = 1.0 + rest.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
    for ((&row, &col), &value) in rows.iter().zip(cols).zip(values) {
        let dense = std::mem::take(&mut rest[row * n + col]);
        // It may be the one on the other side of the diagonal, which is rounded otherwise. Where it is infinite, products with other columns
        // are no numbers.
        let is_same = !dense.is_finite() || (value - dense).abs() <= precision * scale;
        report.check(is_same, || {
            format!("{place} sparse ({row}, {col}): {value:e} instead of {dense:e}")
        });
    }
    let is_all = rest.iter().all(|&entry| entry == 0.0);
    report.check(is_all, || {
        format!("{place} sparse: there are entries outside of {rows:?} {cols:?}")
    });
}

/// Compares a Hessian with the gradient and with the second derivatives along the sums of two unit vectors, those before and with each, as
/// they are in random functions: what is large may cancel in one component.
pub(super) fn compare_hessian(
    found: &Hessian,
    direction: &[f64],
    gradient: &[f64],
    curvatures: &[f64],
) -> Result<(), String> {
    let n = gradient.len();
    if found.rows.len() != n * n || found.diagonal.len() != n || found.gradient.len() != n {
        return Err(format!("{} rows", found.rows.len()));
    }
    let all = gradient.iter().chain(curvatures);
    let tolerance = 1e-7 * all.fold(1.0_f64, |scale, number| scale.max(number.abs()));
    let compare = |what: &str, found: f64, expected: f64| match (found - expected).abs() {
        error if error <= tolerance => Ok(()),
        _ => Err(format!("{what}: {found:e} instead of {expected:e}")),
    };
    let at = |i: usize, j: usize| found.rows[i * n + j];
    let mut curvatures = curvatures.iter();
    for (i, &slope) in gradient.iter().enumerate() {
        compare("gradient", found.gradient[i], slope)?;
        compare("diagonal", found.diagonal[i], at(i, i))?;
        let along: f64 = (0..n).map(|j| at(i, j) * direction[j]).sum();
        compare("product", found.products[i], along)?;
        for j in 0..=i {
            let expected = *curvatures.next().expect("one for each pair");
            compare("symmetry", at(i, j), at(j, i))?;
            let along = match i == j {
                true => at(i, i),
                false => at(i, i) + at(j, j) + 2.0 * at(i, j),
            };
            compare(&format!("second ({i}, {j})"), along, expected)?;
        }
    }
    let Some((rows, cols, values)) = &found.sparse else { return Ok(()) };
    let mut sparse = vec![0.0; n * n];
    for ((row, col), value) in rows.iter().zip(cols).zip(values) {
        sparse[row * n + col] = *value;
    }
    sparse.iter().zip(&found.rows).try_for_each(|(a, b)| compare("sparse", *a, *b))
}
