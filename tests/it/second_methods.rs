//! Second derivatives of methods and of other functions in `impl` blocks, and of functions with data of user types, against hyper-dual
//! numbers: the references are written out as formulas, without the calls that the functions make.

use backsweep::{Differentiable, adjoint};
use num_dual::{DualNum, HyperDual64};

/// The value, the gradient and the product, of a point and a direction.
type VectorProduct<'a> = &'a dyn Fn(&[f64], &[f64]) -> (f64, Vec<f64>, Vec<f64>);
/// The value and the gradient.
type Gradient<'a> = &'a dyn Fn(&[f64]) -> (f64, Vec<f64>);

/// What is to be compared: a function of a list, by its entries.
pub struct Entries<'a> {
    pub hessian: &'a dyn Fn(&[f64]) -> Vec<f64>,
    pub diagonal: &'a dyn Fn(&[f64]) -> Vec<f64>,
    pub vector: VectorProduct<'a>,
    pub gradient: Gradient<'a>,
}

/// The entries of a method of a value, whose parameter is a list.
macro_rules! method {
    ($value:ident . $hessian:ident $diagonal:ident $vector:ident $gradient:ident) => {
        Entries {
            hessian: &|x| $value.$hessian(x),
            diagonal: &|x| $value.$diagonal(x),
            vector: &|x, d| $value.$vector(x, d),
            gradient: &|x| $value.$gradient(x),
        }
    };
}

/// 1e-12 of the size of the entry and of that of the whole: both sides round.
#[track_caller]
pub fn assert_all_near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    let size = expected.iter().fold(1.0, |size: f64, entry| size.max(entry.abs()));
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-12 * size, "{found:?} {expected:?}");
    }
}

#[track_caller]
pub fn assert_is_hessian(
    entries: &Entries<'_>,
    x: &[f64],
    reference: impl Fn(&[HyperDual64]) -> HyperDual64,
) {
    let (n, mut rows, mut slopes) = (x.len(), Vec::new(), Vec::new());
    for i in 0..n {
        for j in 0..n {
            let one_at = |at: usize, k: usize| f64::from(u8::from(at == k));
            let numbers = (0..n).map(|k| HyperDual64::new(x[k], one_at(i, k), one_at(j, k), 0.0));
            let numbers: Vec<HyperDual64> = numbers.collect();
            let value = reference(&numbers);
            rows.push(value.eps1eps2);
            if j == 0 {
                slopes.push(value.eps1);
            }
        }
    }
    let hessian = (entries.hessian)(x);
    assert_all_near(&hessian, &rows);
    for i in 0..n {
        let column: Vec<f64> = (0..n).map(|j| hessian[j * n + i]).collect();
        assert_all_near(&hessian[i * n..][..n], &column);
    }
    let diagonal: Vec<f64> = (0..n).map(|i| hessian[i * n + i]).collect();
    assert_eq!((entries.diagonal)(x), diagonal);
    let direction: Vec<f64> = (0..n).map(|i| 0.3 - 0.7 * i as f64 + 0.4 * (i * i) as f64).collect();
    let (value, gradient, product) = (entries.vector)(x, &direction);
    let (of_gradient, first) = (entries.gradient)(x);
    assert_eq!(value.to_bits(), of_gradient.to_bits());
    assert_all_near(&gradient, &first);
    assert_all_near(&gradient, &slopes);
    let expected = rows.chunks(n).map(|row| row.iter().zip(&direction).map(|(h, d)| h * d).sum());
    assert_all_near(&product, &expected.collect::<Vec<f64>>());
}

/// Data without derivatives: it need not be `Differentiable`.
#[derive(Clone)]
struct Regression {
    x: Vec<f64>,
    y: Vec<f64>,
    prior: f64,
}

fn regression() -> Regression {
    Regression { x: vec![0.1, 0.5, 0.9, 1.4], y: vec![1.2, 1.5, 2.9, 4.1], prior: 0.7 }
}

#[adjoint(second_order)]
impl Regression {
    /// Calls methods of the block by `self`, and functions by `Self`.
    #[adjoint(passive(self))]
    fn nll(&self, theta: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.x.len() {
            let r = self.residual(theta, i);
            sum += r * r / Self::variance(theta[2]) + Self::variance(theta[2]).ln();
        }
        sum + self.penalty(theta)
    }

    #[adjoint(passive(self))]
    fn residual(&self, theta: &[f64], i: usize) -> f64 {
        self.y[i] - theta[0] * (theta[1] * self.x[i]).exp()
    }

    #[adjoint(passive(self))]
    fn penalty(&self, theta: &[f64]) -> f64 {
        self.prior * theta.iter().map(|t| t * t).sum::<f64>() * self.residual(theta, 0)
    }

    #[adjoint]
    fn variance(scale: f64) -> f64 {
        (2.0 * scale).exp()
    }
}

fn nll_reference(data: &Regression, t: &[HyperDual64]) -> HyperDual64 {
    let residual = |i: usize| -t[0] * (t[1] * data.x[i]).exp() + data.y[i];
    let squares: HyperDual64 = (0..data.x.len()).map(|i| residual(i).powi(2)).sum();
    let norm = t[0].powi(2) + t[1].powi(2) + t[2].powi(2);
    squares * (t[2] * -2.0).exp()
        + t[2] * 2.0 * data.x.len() as f64
        + norm * residual(0) * data.prior
}

#[test]
fn methods_call_methods_and_functions_of_their_block() {
    let data = regression();
    let entries = method!(data.nll_hessian nll_hessian_diagonal nll_hessian_vector nll_gradient);
    assert_is_hessian(&entries, &[0.9, 0.8, 0.2], |t| nll_reference(&data, t));
    let (value, slope, product) = Regression::variance_hessian_vector(0.3, 2.0);
    assert_eq!(value.to_bits(), 0.6_f64.exp().to_bits());
    assert_all_near(&[slope, product], &[2.0 * value, 8.0 * value]);
}

#[adjoint(passive(data), second_order)]
fn of_data(data: &Regression, t: &[f64]) -> f64 {
    let inner = vec![t[0] * t[1], t[1], t[0].sin()];
    data.nll(&inner) * data.y[1] + Regression::variance(t[1]) * data.prior
}

/// Data that are passed by value.
#[adjoint(passive(data, list), second_order)]
fn of_more_data(data: Regression, list: Vec<f64>, t: &[f64]) -> f64 {
    data.nll(t) * t[0] * list[1]
}

#[test]
fn functions_call_methods_of_data() {
    let data = regression();
    let entries = Entries {
        hessian: &|t| of_data::hessian(&data, t),
        diagonal: &|t| of_data::hessian_diagonal(&data, t),
        vector: &|t, d| of_data::hessian_vector(&data, t, d),
        gradient: &|t| of_data::gradient(&data, t),
    };
    let own = |t: &[HyperDual64]| (t[1] * 2.0).exp() * data.prior;
    assert_is_hessian(&entries, &[0.9, 0.8], |t| {
        nll_reference(&data, &[t[0] * t[1], t[1], t[0].sin()]) * data.y[1] + own(t)
    });
    let list = vec![0.5, 1.7];
    let entries = Entries {
        hessian: &|t| of_more_data::hessian(data.clone(), list.clone(), t),
        diagonal: &|t| of_more_data::hessian_diagonal(data.clone(), list.clone(), t),
        vector: &|t, d| of_more_data::hessian_vector(data.clone(), list.clone(), t, d),
        gradient: &|t| of_more_data::gradient(data.clone(), list.clone(), t),
    };
    assert_is_hessian(&entries, &[0.9, 0.8, 0.2], |t| nll_reference(&data, t) * t[0] * 1.7);
}

/// A method that is annotated alone: the macro sees nothing of the block around it.
struct Potential {
    k: f64,
}

impl Potential {
    #[adjoint(passive(self), second_order)]
    fn well(&self, x: &[f64]) -> f64 {
        x.iter().map(|v| self.k * v * v * (v - 1.0)).sum()
    }

    #[adjoint(passive(self), second_order)]
    fn coupled(&self, x: &[f64]) -> f64 {
        let well = self.well(x);
        well * (self.k * x[0] * x[1]).sin() + well.powi(2)
    }
}

#[test]
fn methods_that_are_annotated_alone() {
    let potential = Potential { k: 1.3 };
    let entries = method!(
        potential.coupled_hessian coupled_hessian_diagonal coupled_hessian_vector coupled_gradient
    );
    assert_is_hessian(&entries, &[0.9, -0.8, 0.4], |x| {
        let well = x.iter().fold(x[0] * 0.0, |sum, v| sum + *v * *v * (*v - 1.0) * 1.3);
        well * (x[0] * x[1] * 1.3).sin() + well.powi(2)
    });
}

trait Likelihood {
    fn likelihood(&self, t: &[f64]) -> f64;
}

/// With types and constants as parameters, and with functions that return lists, that write, that fail, and that call themselves.
#[derive(Clone, Differentiable)]
struct Series<T, const N: usize> {
    c: [f64; N],
    #[passive]
    label: T,
}

#[adjoint(second_order)]
impl<T: Clone + PartialEq, const N: usize> Series<T, N> {
    #[adjoint(passive(self))]
    fn at(&self, t: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..N {
            sum = sum * t + self.c[i];
        }
        sum
    }

    #[adjoint(passive(self))]
    fn all(&self, t: &[f64]) -> Vec<f64> {
        t.iter().map(|v| self.at(*v)).collect()
    }

    #[adjoint(passive(self))]
    fn scale(&self, t: &mut [f64], by: f64) {
        for v in t.iter_mut() {
            *v *= by * self.c[0];
        }
    }

    #[adjoint(passive(self))]
    fn root(&self, t: f64) -> Result<f64, String> {
        if t <= 0.0 {
            return Err("no root".to_owned());
        }
        Ok(t.sqrt() * self.c[1])
    }

    #[adjoint(passive(self))]
    fn even(&self, t: f64, n: usize) -> f64 {
        if n == 0 { self.at(t) } else { self.odd(t * t, n - 1) * t }
    }

    #[adjoint(passive(self))]
    fn odd(&self, t: f64, n: usize) -> f64 {
        if n == 0 { t } else { self.even(t.sin(), n - 1) }
    }

    #[adjoint(passive(self))]
    fn everything(&self, t: &[f64]) -> Result<f64, String> {
        let mut values = self.all(t);
        self.scale(&mut values, t[1]);
        let root = self.root(values[0])?;
        Ok(root * values[1] * values[2] + self.even(t[0], 3) + self.root(t[2])?)
    }

    #[adjoint(passive(self))]
    fn in_steps(&self, t: &[f64], n: usize) -> f64 {
        let mut s = t[0];
        #[checkpoint(snapshots = 2)]
        for _ in 0..n {
            s += 0.1 * self.c[0] * (s * t[1]).sin();
        }
        s * s
    }
}

#[adjoint(second_order)]
impl<T: Clone + PartialEq, const N: usize> Likelihood for Series<T, N> {
    #[adjoint(passive(self))]
    fn likelihood(&self, t: &[f64]) -> f64 {
        let values = self.all(t);
        values[0] * values[1] * self.even(t[1], 2)
    }
}

#[test]
fn methods_of_generic_types_of_traits_and_with_all_that_calls_do() {
    let series = Series { c: [0.3, 0.5, 0.9], label: "cubic" };
    assert_eq!(series.label, "cubic");
    let at = |t: HyperDual64| (t * 0.3 + 0.5) * t + 0.9;
    let x = [0.9, 0.8, 0.2];
    let fails = "nothing fails";
    let entries = Entries {
        hessian: &|t| series.everything_hessian(t).expect(fails),
        diagonal: &|t| series.everything_hessian_diagonal(t).expect(fails),
        vector: &|t, d| series.everything_hessian_vector(t, d).expect(fails),
        gradient: &|t| series.everything_gradient(t).expect(fails),
    };
    assert_is_hessian(&entries, &x, |t| {
        let values = [0, 1, 2].map(|i| at(t[i]) * t[1] * 0.3);
        let square = (t[0] * t[0]).sin();
        // even(t, 3) = odd(t², 2) t = even(sin t², 1) t = odd(sin² t², 0) sin t² t
        let recursive = square.powi(3) * t[0];
        values[0].sqrt() * 0.5 * values[1] * values[2] + recursive + t[2].sqrt() * 0.5
    });
    assert_eq!(series.everything_hessian(&[0.9, -0.8, 0.2]), Err("no root".to_owned()));
    let entries = method!(
        series.likelihood_hessian likelihood_hessian_diagonal likelihood_hessian_vector likelihood_gradient
    );
    assert_eq!(series.likelihood(&x).to_bits(), series.likelihood_gradient(&x).0.to_bits());
    assert_is_hessian(&entries, &x, |t| at(t[0]) * at(t[1]) * at((t[1] * t[1]).sin()) * t[1]);
}

#[test]
fn methods_with_checkpointed_loops() {
    let series = Series { c: [0.7], label: 1 };
    let entries = Entries {
        hessian: &|t| series.in_steps_hessian(t, 7),
        diagonal: &|t| series.in_steps_hessian_diagonal(t, 7),
        vector: &|t, d| series.in_steps_hessian_vector(t, d, 7),
        gradient: &|t| series.in_steps_gradient(t, 7),
    };
    assert_is_hessian(&entries, &[0.9, 1.8], |t| {
        let mut s = t[0];
        for _ in 0..7 {
            s += (s * t[1]).sin() * 0.07;
        }
        s * s
    });
}

/// Receivers that are passed by value and that are changed, names of entries, and calls that compute again.
#[derive(Clone, Copy)]
struct Counter {
    k: f64,
    calls: usize,
}

#[adjoint(second_order)]
impl Counter {
    #[adjoint(passive(self))]
    fn cube(self, x: f64) -> f64 {
        self.k * x.powi(3)
    }

    #[adjoint(passive(self))]
    fn counted(&mut self, x: f64) -> f64 {
        self.calls += 1;
        x.powi(4)
    }

    #[adjoint(passive(self), name = "bumped")]
    fn attempt(&self, x: f64) -> f64 {
        self.cube(x) * x
    }

    #[adjoint(passive(self), callee(attempt = bumped))]
    fn tried(&self, x: f64) -> f64 {
        self.attempt(x) * x
    }
}

#[adjoint(passive(counter), second_order, checkpoint(cube, tried))]
fn of_counter(counter: &Counter, x: f64) -> f64 {
    Counter::cube(*counter, x) * counter.tried(x)
}

#[test]
fn receivers_names_and_joint_calls() {
    let mut counter = Counter { k: 2.0, calls: 0 };
    assert_all_near(&counter.cube_hessian(3.0), &[36.0]);
    assert_all_near(&counter.bumped_hessian(3.0), &[24.0 * 9.0]);
    assert_all_near(&counter.tried_hessian(3.0), &[40.0 * 27.0]);
    assert_all_near(&of_counter::hessian(&counter, 2.0), &[4.0 * 56.0 * 64.0]);
    let (value, slope, product) = counter.counted_hessian_vector(2.0, 0.5);
    assert_eq!((value, slope, product), (16.0, 32.0, 24.0));
    assert_eq!(counter.calls, 1);
}
