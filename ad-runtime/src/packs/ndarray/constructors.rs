//! Arrays that are made of numbers, and of shapes that may be those of values with derivatives.

use super::Float;
use super::types::number;
use ndarray::{Array, Ix1, Ix2};

/// How far an element is on the way, of so many.
fn part<F: Float>(at: usize, len: usize) -> F {
    if len > 1 { number::<F>(at as f64) / number((len - 1) as f64) } else { F::zero() }
}

/// The sum of elements times factors by their places.
fn weighted<F: Float>(weight: &Array<F, Ix1>, factor: impl Fn(usize) -> F) -> F {
    weight.iter().enumerate().fold(F::zero(), |sum, (at, weight)| sum + *weight * factor(at))
}

/// Elements by their places.
fn placed<F: Float>(like: &Array<F, Ix1>, element: impl Fn(usize) -> F) -> Array<F, Ix1> {
    (0..like.len()).map(element).collect()
}

ad_macros::rules! {
    crate = crate;

    impl<F: Float> Array<F, Ix1> {
        check F = f64;
        check F = f32;

        fn from_vec(elements: Vec<F>) -> Array<F, Ix1> {
            elements: |bar, w| {
                          assert_eq!(bar.len(), w.len(), "a bar has the length of its value");
                          bar.iter_mut().zip(w).for_each(|(bar, w)| *bar += *w)
                      },
                      |d| Array::from_vec(d);
        }
        fn zeros(len: usize) -> Array<F, Ix1> { len: passive; }
        fn ones(len: usize) -> Array<F, Ix1> { len: passive; }
        fn from_elem(len: usize, x: F) -> Array<F, Ix1> {
            len: passive;
            x: |bar, w| *bar += w.sum(), |d| Array::from_elem(len, d);
        }
        fn linspace(start: F, end: F, n: usize) -> Array<F, Ix1> {
            start: |bar, w| *bar += weighted(w, |at| F::one() - part(at, n)), |d| placed(result, |at| d * (F::one() - part(at, n)));
            end: |bar, w| *bar += weighted(w, |at| part(at, n)), |d| placed(result, |at| d * part(at, n));
            n: passive;
        }
    }

    impl<F: Float> Array<F, Ix2> {
        check F = f64;
        check F = f32;

        fn zeros(shape: (usize, usize)) -> Array<F, Ix2> { shape: passive; }
        fn ones(shape: (usize, usize)) -> Array<F, Ix2> { shape: passive; }
        fn eye(n: usize) -> Array<F, Ix2> { n: passive; }
        fn from_elem(shape: (usize, usize), x: F) -> Array<F, Ix2> {
            shape: passive;
            x: |bar, w| *bar += w.sum(), |d| Array::from_elem(shape, d);
        }
        fn from_diag(diagonal: &Array<F, Ix1>) -> Array<F, Ix2> {
            diagonal: |bar, w| *bar += &w.diag(), |d| Array::from_diag(&d);
        }
        fn from_diag_elem(n: usize, x: F) -> Array<F, Ix2> {
            n: passive;
            x: |bar, w| *bar += w.diag().sum(), |d| Array::from_diag_elem(n, d);
        }
    }
}
