//! Functions of types in the places of closures, values of operators that are indexed, and aliases of arrays of structs.
#![allow(clippy::needless_range_loop, clippy::useless_vec, dead_code, reason = "as users write it")]

use crate::differences::assert_derivatives;

/// Functions of a type in the places of closures.
mod cameras {
    use backsweep::{Differentiable, adjoint};
    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct Camera {
        f: f64,
        k: f64,
    }
    impl Camera {
        #[adjoint]
        pub fn from_params(p: &[f64]) -> Self {
            Camera { f: p[0], k: p[1] * p[0] }
        }
        #[adjoint]
        pub fn see(&self, x: f64) -> f64 {
            self.f * x + self.k * x * x
        }
    }
    #[adjoint]
    pub fn paths(x: &[f64]) -> f64 {
        let cameras: Vec<Camera> = x.chunks_exact(2).map(Camera::from_params).collect();
        let mut t = 0.0;
        for c in &cameras {
            t += c.see(1.5);
        }
        t
    }
    #[adjoint]
    pub fn rows(x: &[f64]) -> f64 {
        let m = vec![vec![x[0], x[1]], vec![x[1] * x[2], x[0]]];
        let flat: Vec<f64> = m.iter().flat_map(|r| r.iter().copied()).collect();
        let mut t = 0.0;
        for (i, v) in flat.iter().enumerate() {
            t += v * v * i as f64;
        }
        t
    }
    #[adjoint]
    pub fn rows2(x: &[f64]) -> f64 {
        let m = vec![vec![x[0], x[1]], vec![x[1] * x[2], x[0]]];
        let flat: Vec<f64> = m.into_iter().flatten().collect();
        flat.iter().enumerate().map(|(i, v)| v * v * i as f64).sum()
    }
}

/// The value of an operator is indexed.
mod matrices {
    use backsweep::{Differentiable, adjoint};
    use std::ops::{Index, IndexMut, Mul};
    #[derive(Clone, Debug, Differentiable)]
    pub struct Mat {
        n: usize,
        data: Vec<f64>,
    }
    #[adjoint]
    impl Index<(usize, usize)> for Mat {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 {
            &self.data[i * self.n + j]
        }
    }
    #[adjoint]
    impl IndexMut<(usize, usize)> for Mat {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
            &mut self.data[i * self.n + j]
        }
    }
    #[adjoint]
    impl Mul<&Mat> for &Mat {
        type Output = Mat;
        fn mul(self, o: &Mat) -> Mat {
            let mut out = Mat { n: self.n, data: vec![0.0; self.n * self.n] };
            for i in 0..self.n {
                for j in 0..self.n {
                    for k in 0..self.n {
                        out[(i, j)] += self[(i, k)] * o[(k, j)];
                    }
                }
            }
            out
        }
    }
    #[adjoint]
    pub fn first(x: &[f64]) -> f64 {
        let a = Mat { n: 2, data: x[0..4].to_vec() };
        let b = Mat { n: 2, data: vec![x[0], x[1] * x[2], 1.0, x[3]] };
        (&a * &b)[(0, 0)] + (&a * &b)[(1, 1)]
    }
}

/// An alias of arrays of a struct.
mod gates {
    use backsweep::{Differentiable, adjoint};
    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct C64 {
        re: f64,
        im: f64,
    }
    type Gate = [[C64; 2]; 2];
    #[adjoint]
    impl std::ops::Mul for C64 {
        type Output = C64;
        fn mul(self, o: C64) -> C64 {
            C64 { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re }
        }
    }
    #[derive(Clone, Debug, Differentiable)]
    pub struct State {
        amps: Vec<C64>,
    }
    #[adjoint]
    impl State {
        #[adjoint]
        pub fn apply(&mut self, g: &Gate, i: usize) {
            let a = self.amps[i];
            let b = self.amps[i + 1];
            let x = g[0][0] * a;
            let y = g[0][1] * b;
            self.amps[i] = C64 { re: x.re + y.re, im: x.im + y.im };
        }
    }
    #[adjoint]
    pub fn rx(t: f64) -> Gate {
        let (s, c) = (0.5 * t).sin_cos();
        let z = C64 { re: c, im: 0.0 };
        let w = C64 { re: 0.0, im: -s };
        [[z, w], [w, z]]
    }
    #[adjoint]
    pub fn circuit(x: &[f64]) -> f64 {
        let mut s = State { amps: vec![C64 { re: x[0], im: x[1] }, C64 { re: 0.3, im: x[2] }] };
        s.apply(&rx(x[3]), 0);
        s.amps[0].re * s.amps[0].im
    }
}

#[test]
fn as_written_by_users() {
    use cameras::{paths, rows, rows2};
    use gates::circuit;
    use matrices::first;
    assert_derivatives!([0.7, 1.3, 0.4, 2.0], [1.0, -1.0, 0.5, 0.25]; paths rows rows2 first circuit);
}
