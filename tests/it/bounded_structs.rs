//! Structs and enums whose parameters have bounds, lifetimes and lengths among them: their declarations tell what their fields are.

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};

pub trait Real: num_traits::Float + std::ops::AddAssign + std::ops::MulAssign {}
impl Real for f64 {}

mod matrices {
    use super::{Differentiable, Real};
    use core::fmt::Debug;

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    pub enum Storage<T: Real + Debug> {
        Full,
        Sparse { coords: Vec<(usize, usize, T)>, zero: T },
    }

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    pub struct Matrix<T: Real + Debug> {
        pub n: usize,
        pub data: Vec<T>,
        pub storage: Storage<T>,
    }

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    pub struct Table<'a, T: Real, const N: usize> {
        #[passive]
        pub at: &'a [f64],
        pub heights: Vec<(T, T)>,
        pub slopes: [T; N],
    }
}
use matrices::{Matrix, Storage, Table};

/// In another module than the types, which sees their bounds, too.
mod methods {
    use super::{Matrix, Real, Storage, Table, adjoint};
    use core::fmt::Debug;

    #[adjoint]
    impl<T: Real + Debug> Matrix<T> {
        pub fn to_dense(&self) -> Vec<T> {
            let mut dense = vec![T::zero(); self.n * self.n];
            match &self.storage {
                Storage::Full => dense = self.data.clone(),
                Storage::Sparse { coords, .. } => {
                    for &(row, col, value) in coords {
                        dense[row * self.n + col] += value;
                    }
                }
            }
            dense
        }

        pub fn scaled(mut self, by: T) -> Self {
            match self.storage {
                Storage::Full => {
                    for v in &mut self.data {
                        *v *= by;
                    }
                    self
                }
                Storage::Sparse { mut coords, zero } => {
                    for item in coords.iter_mut() {
                        item.2 *= by;
                    }
                    Matrix { n: self.n, data: vec![], storage: Storage::Sparse { coords, zero } }
                }
            }
        }

        pub fn scale(&mut self, by: T) {
            match &mut self.storage {
                Storage::Full => {
                    for v in &mut self.data {
                        *v *= by;
                    }
                }
                Storage::Sparse { coords, .. } => {
                    for item in coords.iter_mut() {
                        item.2 *= by;
                    }
                }
            }
        }
    }

    #[adjoint]
    impl<T: Real, const N: usize> Table<'_, T, N> {
        pub fn area(&self) -> T {
            let mut sum = T::zero();
            for (low, high) in &self.heights {
                sum += *low * *high * self.slopes[N - 1];
            }
            for pair in self.heights.iter().rev() {
                sum += pair.0 * self.slopes[0];
            }
            sum
        }
    }
}

fn matrix(x: &[f64], kind: usize) -> Matrix<f64> {
    match kind {
        0 => Matrix { n: 2, data: x[..4].to_vec(), storage: Storage::Full },
        _ => {
            let coords = vec![(0, 1, x[0]), (1, 0, x[1]), (1, 1, x[2]), (0, 1, x[3])];
            Matrix { n: 2, data: vec![], storage: Storage::Sparse { coords, zero: 0.0 } }
        }
    }
}

#[adjoint]
fn determinant(x: &[f64], kind: usize) -> f64 {
    let m = match kind {
        0 => Matrix { n: 2, data: x[..4].to_vec(), storage: Storage::Full },
        _ => {
            let coords = vec![(0, 1, x[0]), (1, 0, x[1]), (1, 1, x[2]), (0, 1, x[3])];
            Matrix { n: 2, data: vec![], storage: Storage::Sparse { coords, zero: 0.0 } }
        }
    };
    let mut m = m.scaled(x[4]);
    m.scale(x[5]);
    let d = m.to_dense();
    d[0] * d[3] - d[1] * d[2] + d[3] * x[0]
}

fn table(x: [f64; 5]) -> Table<'static, f64, 2> {
    Table { at: &[0.5], heights: vec![(x[0], x[1]), (x[2], x[0])], slopes: [x[3], x[4]] }
}

#[test]
fn fields_are_what_their_declarations_tell() {
    let (x, h) = ([0.7, -0.4, 1.3, 0.6, 1.9, -0.8], 1e-6);
    for kind in [0, 1] {
        let (value, gradient) = determinant::gradient(&x, kind);
        assert_eq!(value, determinant(&x, kind));
        let plain = matrix(&x, kind).scaled(x[4]).scaled(x[5]).to_dense();
        assert_eq!(value, plain[0] * plain[3] - plain[1] * plain[2] + plain[3] * x[0]);
        for at in 0..x.len() {
            let (mut more, mut less) = (x, x);
            more[at] += h;
            less[at] -= h;
            let slope = (determinant(&more, kind) - determinant(&less, kind)) / (2.0 * h);
            assert_relative_eq!(gradient[at], slope, max_relative = 1e-7, epsilon = 1e-9);
        }
    }
}

#[test]
fn lifetimes_and_lengths_are_parameters_as_well() {
    let (x, h) = ([0.7, -0.4, 1.3, 0.9, -1.1], 1e-6);
    let mut bar = table(x).zero_bar();
    assert_eq!(table(x).area_adjoint(&mut bar, 1.0), table(x).area());
    let found = [
        bar.heights[0].0 + bar.heights[1].1,
        bar.heights[0].1,
        bar.heights[1].0,
        bar.slopes[0],
        bar.slopes[1],
    ];
    for at in 0..x.len() {
        let (mut more, mut less) = (x, x);
        more[at] += h;
        less[at] -= h;
        let slope = (table(more).area() - table(less).area()) / (2.0 * h);
        assert_relative_eq!(found[at], slope, max_relative = 1e-7, epsilon = 1e-9);
    }
}
