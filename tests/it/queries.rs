//! Queries and makers: functions of types that compute integers and ranges, and that make values of integers.
#![allow(clippy::all, dead_code, reason = "as users write it")]

use crate::differences::assert_derivatives;

mod grids {
    use backsweep::{Differentiable, adjoint};
    #[derive(Clone, Differentiable)]
    pub struct Grid {
        cols: usize,
        periodic: bool,
        dx: f64,
        shape: (usize, usize),
        strides: [usize; 2],
        data: Vec<f64>,
    }
    #[adjoint]
    impl Grid {
        fn offset(&self, i: usize, j: usize) -> usize {
            i * self.cols + j
        }
        fn rows(&self) -> usize {
            self.data.len() / self.cols
        }
        fn bin(&self, x: f64) -> usize {
            ((x / self.dx).floor() as usize).min(self.data.len() - 1)
        }
        fn is_inner(&self, i: usize, j: usize) -> bool {
            i > 0 && j > 0 && i + 1 < self.shape.0 && j + 1 < self.shape.1
        }
        fn is_far(&self, x: f64) -> bool {
            x > self.dx * 100.0 || !self.periodic && x < 0.0
        }
        fn wrapped(&self, i: usize, d: usize) -> usize {
            if self.periodic {
                (i + d) % self.shape.0
            } else {
                i.saturating_sub(d) * self.strides[1]
            }
        }
        fn get(&self, i: usize, j: usize) -> f64 {
            self.data[self.offset(i, j)]
        }
        fn set(&mut self, i: usize, j: usize, v: f64) {
            let at = self.offset(i, j);
            self.data[at] = v;
        }
        fn smooth(&mut self, k: f64) {
            for i in 0..self.rows() {
                for j in 0..self.cols {
                    if self.is_inner(i, j) {
                        let v = self.get(i - 1, j) * self.get(i, j - 1)
                            + self.get(self.wrapped(i, 1), j);
                        self.set(i, j, (k * v).sin());
                    } else {
                        let at = self.offset(i, j);
                        self.data[at] *= k;
                    }
                }
            }
        }
        fn at(&self, x: f64) -> f64 {
            if self.is_far(x) { 0.0 } else { self.data[self.bin(x)] * x }
        }
    }
    #[adjoint]
    fn g(x: &[f64]) -> f64 {
        let mut g = Grid {
            cols: 3,
            periodic: true,
            dx: 0.4,
            shape: (3, 3),
            strides: [3, 1],
            data: x[..9].to_vec(),
        };
        for _ in 0..3 {
            g.smooth(x[9]);
        }
        let n = g.rows();
        g.get(1, 1) * g.at(x[0]) + g.data[g.offset(n - 1, 2)] + g.data.iter().sum::<f64>()
    }
    #[derive(Clone, Differentiable)]
    pub struct Tri<T> {
        n: usize,
        data: Vec<T>,
    }
    #[adjoint]
    impl Tri<f64> {
        fn index(&self, i: usize, j: usize) -> usize {
            i * (i + 1) / 2 + j
        }
        fn dim(&self) -> usize {
            self.n
        }
        fn dot(&self, x: &[f64]) -> f64 {
            let mut s = 0.0;
            for i in 0..self.dim() {
                for j in 0..=i {
                    s += self.data[self.index(i, j)] * x[i] * x[j];
                }
            }
            s
        }
    }
    #[adjoint]
    fn h(x: &[f64]) -> f64 {
        let data: Vec<f64> = x[..6].iter().map(|v| v * v).collect();
        let t = Tri { n: 3, data };
        t.dot(&x[2..5])
    }
    #[derive(Clone, Differentiable)]
    pub struct Sq<const N: usize> {
        data: [[f64; N]; N],
        shift: usize,
    }
    #[adjoint]
    impl<const N: usize> Sq<N> {
        fn at(&self, i: usize) -> usize {
            (i + self.shift) % N
        }
        fn trace(&self) -> f64 {
            (0..N).map(|i| self.data[self.at(i)][i].exp()).sum()
        }
    }
    #[adjoint]
    fn q(x: &[f64]) -> f64 {
        let s = Sq { data: [[x[0], x[1]], [x[2] * x[3], x[4]]], shift: 1 };
        s.trace()
    }
    #[test]
    fn indices_and_conditions() {
        let at = [0.31, 1.2, 0.7, -0.4, 0.9, 1.1, 0.25, 0.55, -0.8, 0.9];
        let along = [1.0, 0.3, -0.4, 0.2, 0.6, 0.4, 0.1, -0.9, 0.5, 0.3];
        super::assert_derivatives!(at, along; g h q);
    }
}

mod bands {
    use backsweep::{Differentiable, adjoint};
    #[derive(Clone, Differentiable)]
    pub struct Banded {
        lower: usize,
        n: usize,
        data: Vec<f64>,
    }
    #[adjoint]
    impl Banded {
        fn columns(&self, i: usize) -> std::ops::Range<usize> {
            i.saturating_sub(self.lower)..i + 1
        }
        fn row_dot(&self, i: usize, x: &[f64]) -> f64 {
            self.columns(i).map(|j| self.data[j] * x[j]).sum()
        }
        fn row_dot2(&self, i: usize, x: &[f64]) -> f64 {
            let mut s = 0.0;
            for j in self.columns(i) {
                s += self.data[j] * x[j];
            }
            s
        }
    }

    #[adjoint]
    impl Banded {
        fn spans(&self) -> std::ops::RangeInclusive<usize> {
            0..=self.n
        }
        fn dim(&self) -> (usize, usize) {
            (self.n, self.data.len() / self.n)
        }
        fn norm(&self) -> f64 {
            let (n, m) = self.dim();
            let mut s = 0.0;
            for i in 0..n {
                for j in 0..m {
                    s += self.data[i * m + j] * (i + 2 * j) as f64;
                }
            }
            s * s
        }
    }
    #[adjoint]
    fn banded(x: &[f64]) -> f64 {
        let b = Banded { lower: 1, n: 2, data: x.iter().map(|v| v * v).collect() };
        (0..3).map(|i| b.row_dot(i, x) * b.row_dot2(i, x)).sum::<f64>() * b.norm()
    }
    #[test]
    fn ranges() {
        super::assert_derivatives!([0.3, 1.2, 0.7, 0.9], [1.0, 0.3, -0.4, 0.2]; banded);
    }
}

mod indices {
    use backsweep::{Differentiable, adjoint};
    use std::ops::{Index, IndexMut};
    #[derive(Clone, Differentiable)]
    pub struct M {
        cols: usize,
        data: Vec<f64>,
    }
    #[adjoint]
    impl M {
        fn offset(&self, i: usize, j: usize) -> usize {
            i * self.cols + j
        }
        fn eliminate(&mut self, factor: f64) {
            self[(1, 1)] -= factor;
        }
    }
    #[adjoint]
    impl Index<(usize, usize)> for M {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 {
            &self.data[self.offset(i, j)]
        }
    }
    #[adjoint]
    impl IndexMut<(usize, usize)> for M {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
            let at = self.offset(i, j);
            &mut self.data[at]
        }
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let mut m = M { cols: 2, data: x.to_vec() };
        m.eliminate(x[0]);
        m[(1, 1)] * m.data[1]
    }
    #[test]
    fn derivatives() {
        super::assert_derivatives!([0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4]; f);
    }
}

mod matrices {
    use backsweep::{Differentiable, adjoint};
    use std::ops::{Add, Index, IndexMut, Mul};
    #[derive(Clone, Differentiable)]
    pub struct Matrix {
        rows: usize,
        cols: usize,
        data: Vec<f64>,
    }
    #[adjoint]
    impl Matrix {
        pub fn zeros(rows: usize, cols: usize) -> Self {
            Self { rows, cols, data: vec![0.0; rows * cols] }
        }
        fn offset(&self, i: usize, j: usize) -> usize {
            assert!(j < self.cols);
            i * self.cols + j
        }
        fn of(x: &[f64], cols: usize) -> Self {
            Self { rows: x.len() / cols, cols, data: x.to_vec() }
        }
        fn trace(&self) -> f64 {
            (0..self.rows).map(|i| self[(i, i)]).sum()
        }
        fn transposed(&self) -> Self {
            let mut t = Self::zeros(self.cols, self.rows);
            for i in 0..self.rows {
                for j in 0..self.cols {
                    t[(j, i)] = self[(i, j)];
                }
            }
            t
        }
    }
    #[adjoint]
    impl Index<(usize, usize)> for Matrix {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 {
            &self.data[self.offset(i, j)]
        }
    }
    #[adjoint]
    impl IndexMut<(usize, usize)> for Matrix {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
            let at = self.offset(i, j);
            &mut self.data[at]
        }
    }
    #[adjoint]
    impl Mul for &Matrix {
        type Output = Matrix;
        fn mul(self, other: &Matrix) -> Matrix {
            let mut out = Matrix::zeros(self.rows, other.cols);
            for i in 0..self.rows {
                for k in 0..self.cols {
                    for j in 0..other.cols {
                        out[(i, j)] += self[(i, k)] * other[(k, j)];
                    }
                }
            }
            out
        }
    }
    #[adjoint]
    impl Add for Matrix {
        type Output = Matrix;
        fn add(self, other: Matrix) -> Matrix {
            let mut out = Matrix::zeros(self.rows, self.cols);
            for (o, (a, b)) in out.data.iter_mut().zip(self.data.iter().zip(&other.data)) {
                *o = a + b * b;
            }
            out
        }
    }
    #[derive(Clone, Copy, Differentiable)]
    pub struct Small<const R: usize, const C: usize>([[f64; C]; R]);
    #[adjoint]
    impl<const R: usize, const C: usize> Small<R, C> {
        fn zeros() -> Self {
            Self([[0.0; C]; R])
        }
    }
    #[adjoint]
    impl<const R: usize, const C: usize> Mul<f64> for Small<R, C> {
        type Output = Self;
        fn mul(self, k: f64) -> Self {
            let mut out = Self::zeros();
            for i in 0..R {
                for j in 0..C {
                    out.0[i][j] = self.0[i][j] * k;
                }
            }
            out
        }
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let a = Matrix::of(x, 2);
        let b = &a * &a.transposed();
        let c = &b * &b + b.clone();
        let mut d = Matrix::zeros(2, 2);
        d[(0, 1)] = c[(1, 0)];
        c.trace() * d[(0, 1)]
    }
    #[adjoint]
    fn g(x: &[f64]) -> f64 {
        let s: Small<2, 2> = Small([[x[0], x[1]], [x[2], x[3]]]);
        let t: Small<2, 2> = s * x[0] * x[3];
        t.0[0][1] * t.0[1][1]
    }
    #[test]
    fn made_in_operators() {
        super::assert_derivatives!([0.3, 0.7, 1.1, 0.4], [0.1, 0.2, 0.3, 0.5]; f g);
    }
    #[derive(Clone, Differentiable)]
    pub enum Tree {
        Leaf(f64),
        Node(Vec<Tree>),
    }
    #[adjoint]
    impl Tree {
        fn leaves(&self) -> usize {
            match self {
                Tree::Leaf(_) => 1,
                Tree::Node(of) => of.iter().map(|t| t.leaves()).sum(),
            }
        }
        fn total(&self) -> f64 {
            match self {
                Tree::Leaf(v) => v * v,
                Tree::Node(of) => of.iter().map(|t| t.total()).sum(),
            }
        }
    }
    #[adjoint]
    fn trees(x: &[f64]) -> f64 {
        let trees: Vec<Tree> =
            x.iter().map(|&v| Tree::Node(vec![Tree::Leaf(v), Tree::Leaf(v.sin())])).collect();
        let leaves: usize = trees.iter().map(|t| t.leaves()).sum();
        trees.iter().map(|t| t.total()).sum::<f64>() / leaves as f64
    }
    #[test]
    fn r20b() {
        super::assert_derivatives!([0.3, 0.7, 1.1, 0.4], [0.1, 0.2, 0.3, 0.5]; trees);
    }
}
