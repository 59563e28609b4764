//! Parts of lists from their ends on, in the order and with the lengths that the standard library gives them.

use backsweep::adjoint;

#[adjoint]
fn of_parts(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for (k, part) in x.rchunks(n).enumerate() {
        sum += part[0] * part[part.len() - 1] * (k + 1) as f64 + part.len() as f64;
    }
    sum
}

#[adjoint]
fn of_whole_parts(x: &[f64], n: usize) -> f64 {
    x.rchunks_exact(n).zip(x.chunks_exact(n)).map(|(a, b)| a[0] * b[n - 1]).sum()
}

#[adjoint]
fn changed(x: &mut [f64], n: usize) {
    for (k, part) in x.rchunks_mut(n).rev().enumerate() {
        part[0] *= k as f64 + 2.0;
    }
    for part in x.rchunks_exact_mut(n).skip(1) {
        part[n - 1] = part[0] * part[n - 1];
    }
}

/// Derivatives of sums of products are differences with any step, but for rounding.
fn slopes(f: impl Fn(&[f64]) -> f64, x: &[f64]) -> Vec<f64> {
    let moved = |i: usize, h: f64| {
        let mut x = x.to_vec();
        x[i] += h;
        f(&x)
    };
    (0..x.len()).map(|i| (moved(i, 0.5) - moved(i, -0.5)).round()).collect()
}

#[test]
fn from_the_end_on() {
    let x = [1.0, 2.0, 3.0, 5.0, 7.0, 11.0, 13.0];
    for n in 1..9 {
        let (value, slope) = of_parts::gradient(&x, n);
        assert_eq!((value, slope), (of_parts(&x, n), slopes(|x| of_parts(x, n), &x)), "{n}");
        let (value, slope) = of_whole_parts::gradient(&x, n);
        let expected = (of_whole_parts(&x, n), slopes(|x| of_whole_parts(x, n), &x));
        assert_eq!((value, slope), expected, "{n}");
        let weights = [1.0, -2.0, 4.0, 3.0, -1.0, 2.0, 5.0];
        let changed_by = |x: &[f64]| -> f64 {
            let mut x = x.to_vec();
            changed(&mut x, n);
            x.iter().zip(&weights).map(|(x, w)| x * w).sum()
        };
        let (mut at, mut bar) = (x, weights);
        changed::adjoint(&mut at, &mut bar, n);
        let mut expected = x;
        changed(&mut expected, n);
        assert_eq!((at, bar.to_vec()), (expected, slopes(changed_by, &x)), "{n}");
    }
    let nothing = std::panic::catch_unwind(|| of_parts::gradient(&[1.0], 0));
    assert!(nothing.is_err());
}
