//! Where a search has failed and another value is returned, nothing comes of the search: the seeds of what it has called are 0, whatever its numbers are by then.

use backsweep::adjoint;

/// What is zero at the radius of a satellite's sphere.
#[adjoint]
fn imbalance(small: f64, large: f64, distance: f64, radius: f64) -> f64 {
    let near = small / radius.powi(2);
    let far = large / (distance.powi(2) * (1.0 - radius / distance).powi(2));
    let centrifugal = (1.0 - radius / distance) * large / distance.powi(2);
    near - far + centrifugal
}

/// The radius, or an estimate of it if steps of a fixed gain do not lead there. If they lead far away, they end at infinity.
#[adjoint]
fn radius(small: f64, large: f64, distance: f64) -> f64 {
    let estimate = distance * (small / (3.0 * large)).cbrt();
    let mut found = estimate;
    let mut steps = 0;
    loop {
        let rest = imbalance(small, large, distance, found);
        if rest.abs() < 1e-12 {
            return found;
        }
        found += rest * 1e300;
        if steps > 20 {
            break;
        }
        steps += 1;
    }
    estimate
}

#[test]
fn a_search_that_has_failed_adds_nothing() {
    let (small, large, distance) = (0.8, 0.7, 0.2);
    let (value, slopes) = radius::gradient(small, large, distance);
    let estimate = distance * (small / (3.0 * large)).cbrt();
    assert_eq!(value, estimate);
    let expected = (estimate / (3.0 * small), -estimate / (3.0 * large), estimate / distance);
    let close = |left: f64, right: f64| (left - right).abs() < 1e-14;
    assert!(close(slopes.0, expected.0), "{slopes:?}");
    assert!(close(slopes.1, expected.1) && close(slopes.2, expected.2), "{slopes:?}");
}
