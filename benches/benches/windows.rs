//! What it costs to test each index in backward loops (`no(windows)`): `cargo bench -p backsweep-benches --bench windows`.

use backsweep::adjoint;
use backsweep_benches::measure::side_by_side;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

/// A function with windows and the same one without.
macro_rules! both {
    ($($name:ident, $without:ident: ($($independent:ident),*) [$($params:tt)*] $body:block)*) => {$(
        #[adjoint(independents($($independent),*), dependents(return))]
        fn $name($($params)*) -> f64 $body

        #[adjoint(independents($($independent),*), dependents(return), no(windows))]
        fn $without($($params)*) -> f64 $body
    )*};
}

both! {
    rosenbrock, rosenbrock_tested: (x) [x: &[f64]] {
        let mut sum = 0.0;
        for i in 0..x.len() - 1 {
            let (a, b) = (1.0 - x[i], x[i + 1] - x[i] * x[i]);
            sum += a * a + 100.0 * b * b;
        }
        sum
    }
    trapezoid, trapezoid_tested: (x, y) [x: &[f64], y: &[f64]] {
        let mut sum = 0.0;
        for k in 0..x.len() - 1 {
            sum += 0.5 * (x[k + 1] - x[k]) * (y[k] + y[k + 1]);
        }
        sum
    }
    by_columns, by_columns_tested: (x, y) [x: &[f64], y: &[f64]] {
        let n = y.len();
        let mut image = vec![0.0; n];
        for j in 0..n {
            for i in 0..n {
                image[i] += x[j * n + i] * y[j];
            }
        }
        image.iter().map(|entry| entry * entry).sum()
    }
}

fn numbers(len: usize, seed: u64) -> Vec<f64> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..len).map(|_| random.f64() - 0.5).collect()
}

/// Measures a function and its gradient, with windows and without.
macro_rules! contest {
    ($criterion:ident, $name:ident, $tested:ident, ($($arg:expr),*), ($($full:expr),*)) => {
        side_by_side(
            $criterion,
            stringify!($name),
            &mut [
                ("primal", &mut || {
                    black_box($name($($arg),*));
                }),
                ("windows", &mut || {
                    black_box($name::gradient_into($($full),*));
                }),
                ("tested", &mut || {
                    black_box($tested::gradient_into($($full),*));
                }),
            ],
        );
    };
}

fn windows(criterion: &mut Criterion) {
    let (x, y) = (numbers(2304, 1), numbers(2304, 2));
    let bars = || std::cell::RefCell::new(vec![0.0; 2304]);
    let (x_b, y_b) = (bars(), bars());
    let (short, rows) = (black_box(&x[..1000]), black_box(&y[..1000]));
    contest!(
        criterion,
        rosenbrock,
        rosenbrock_tested,
        (short),
        (short, &mut x_b.borrow_mut()[..1000])
    );
    contest!(
        criterion,
        trapezoid,
        trapezoid_tested,
        (short, rows),
        (short, &mut x_b.borrow_mut()[..1000], rows, &mut y_b.borrow_mut()[..1000])
    );
    let (matrix, vector) = (black_box(&x[..]), black_box(&y[..48]));
    contest!(
        criterion,
        by_columns,
        by_columns_tested,
        (matrix, vector),
        (matrix, &mut x_b.borrow_mut(), vector, &mut y_b.borrow_mut()[..48])
    );
}

criterion_group!(benches, windows);
criterion_main!(benches);
