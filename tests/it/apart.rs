//! Parts of one value that a call is lent apart, indices of types with parameters, and names that meet in functions that take functions.
#![allow(clippy::all, dead_code, reason = "as users write it")]

use crate::differences::assert_derivatives;

mod elements {
    use backsweep::{Differentiable, adjoint};
    #[derive(Clone, Differentiable)]
    struct Tank {
        level: f64,
        area: f64,
    }
    #[adjoint]
    fn flow(a: &mut Tank, b: &mut Tank) {
        let q = 0.3 * (a.level - b.level);
        a.level -= q / a.area;
        b.level += q / b.area;
    }
    #[adjoint]
    impl Tank {
        fn exchange(&mut self, b: &mut Tank) {
            let q = 0.3 * (self.level - b.level) * self.level;
            self.level -= q;
            b.level += q / b.area;
        }
    }
    #[derive(Clone, Differentiable)]
    struct Pile {
        v: Vec<f64>,
        #[passive]
        name: String,
    }
    #[adjoint]
    fn shift(a: &mut Pile, b: &mut Pile) {
        for (p, q) in a.v.iter_mut().zip(b.v.iter_mut()) {
            let t = 0.1 * *p * *q;
            *p -= t;
            *q += t;
        }
    }
    #[adjoint]
    fn f1(x: &[f64]) -> f64 {
        let mut tanks: Vec<Tank> =
            x.iter().map(|&c| Tank { level: c, area: 1.0 + c * c }).collect();
        let (left, right) = tanks.split_at_mut(1);
        flow(&mut left[0], &mut right[0]);
        tanks[1].level
    }
    #[adjoint]
    fn f2(x: &[f64]) -> f64 {
        let mut tanks: Vec<Tank> = x.iter().map(|&c| Tank { level: c, area: 1.0 }).collect();
        for i in 1..tanks.len() {
            let (left, right) = tanks.split_at_mut(i);
            left[i - 1].exchange(&mut right[0]);
        }
        tanks[1].level * tanks[2].level
    }
    #[adjoint]
    fn f3(x: &[f64]) -> f64 {
        let mut piles = vec![
            Pile { v: x.to_vec(), name: "a".to_string() },
            Pile { v: vec![x[0], x[2]], name: "b".to_string() },
        ];
        let (l, r) = piles.split_at_mut(1);
        shift(&mut l[0], &mut r[0]);
        piles[1].v[1] * 2.0 + piles[0].v[0]
    }
    #[adjoint]
    fn f4(x: &[f64]) -> f64 {
        let mut tanks: Vec<Tank> = x.iter().map(|&c| Tank { level: c, area: 1.0 }).collect();
        if let [first, .., last] = &mut tanks[..] {
            flow(first, last);
        }
        tanks[0].level * tanks[2].level
    }
    #[test]
    fn two_of_one_list() {
        let at = [0.3, 1.2, 0.7];
        crate::differences::assert_gradient(&f1::gradient(&at).1, &at, f1);
        crate::differences::assert_gradient(&f2::gradient(&at).1, &at, f2);
        crate::differences::assert_gradient(&f3::gradient(&at).1, &at, f3);
        crate::differences::assert_gradient(&f4::gradient(&at).1, &at, f4);
    }
}

mod one_shared {
    use backsweep::{Differentiable, adjoint};
    #[derive(Clone, Differentiable)]
    struct Tank {
        level: f64,
    }
    #[adjoint]
    fn flow(a: &mut Tank, b: &Tank) {
        a.level -= 0.3 * (a.level - b.level);
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let mut tanks = [Tank { level: x[0] }, Tank { level: x[1] }];
        let [a, b] = &mut tanks;
        flow(a, b);
        tanks[0].level
    }
    #[test]
    fn derivatives() {
        let at = [0.3, 0.7, 1.1];
        let (_, g) = f::gradient(&at);
        crate::differences::assert_gradient(&g, &at, f);
    }
}

mod fields {
    use backsweep::{Differentiable, adjoint};
    #[derive(Clone, Differentiable)]
    struct F {
        w: Vec<f64>,
        x: Vec<f64>,
        a: f64,
        b: f64,
        inner: I,
    }
    #[derive(Clone, Differentiable)]
    struct I {
        p: f64,
        q: Vec<f64>,
    }
    #[adjoint]
    fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y += a * x * x;
        }
    }
    #[adjoint]
    fn mix(a: &mut f64, b: &mut f64, k: f64) {
        let t = *a * k;
        *a = *b * t;
        *b += t;
    }
    #[adjoint]
    impl F {
        fn step(&mut self) {
            axpy(0.5, &self.w, &mut self.x);
            mix(&mut self.a, &mut self.b, self.w[0]);
            axpy(self.inner.p, &self.x, &mut self.inner.q);
            let Self { a, inner, .. } = self;
            mix(a, &mut inner.p, 0.3);
        }
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let mut m = F {
            w: x.to_vec(),
            x: x.to_vec(),
            a: x[0],
            b: x[1],
            inner: I { p: x[2], q: x.to_vec() },
        };
        m.step();
        m.x[0] * m.w[1] + m.a * m.b + m.inner.q[2] * m.inner.p
    }
    #[test]
    fn different_fields() {
        super::assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; f);
    }
}

mod matrices {
    use backsweep::{Differentiable, adjoint};
    use std::ops::{Add, Index, IndexMut, Mul};
    #[derive(Clone, Copy, Differentiable)]
    pub struct Mat<const R: usize, const C: usize>([[f64; C]; R]);
    #[adjoint]
    impl<const R: usize, const C: usize> Index<(usize, usize)> for Mat<R, C> {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 {
            &self.0[i][j]
        }
    }
    #[adjoint]
    impl<const R: usize, const C: usize> IndexMut<(usize, usize)> for Mat<R, C> {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
            &mut self.0[i][j]
        }
    }
    #[adjoint]
    impl<const R: usize, const C: usize> Add for Mat<R, C> {
        type Output = Self;
        fn add(self, rhs: Self) -> Self {
            let mut out = self;
            for i in 0..R {
                for j in 0..C {
                    out[(i, j)] += rhs[(i, j)];
                }
            }
            out
        }
    }
    #[adjoint]
    impl<const R: usize, const C: usize> Mul<f64> for Mat<R, C> {
        type Output = Self;
        fn mul(self, k: f64) -> Self {
            let mut out: Mat<R, C> = self;
            out[(0, 1)] = self[(0, 1)] * k;
            out[(1, 0)] *= k * out[(0, 0)];
            out
        }
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let a: Mat<2, 2> = Mat([[x[0], x[1]], [x[2], 1.0]]);
        let b = a + a * x[1];
        let mut c: Mat<2, 2> = b;
        c[(1, 1)] *= b[(0, 1)];
        c[(1, 1)] * b[(1, 0)] + c[(0, 0)]
    }
    #[test]
    fn of_lengths() {
        super::assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; f);
    }
}

mod names {
    use backsweep::adjoint;
    #[adjoint]
    fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
        f(x) + x
    }
    #[adjoint]
    fn twice(f: impl Fn(f64) -> f64, x: f64) -> f64 {
        let mut x = x;
        x = f(x);
        f(x)
    }
    #[adjoint]
    fn sq(v: f64) -> f64 {
        v * v
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        apply(sq, x[0]) * twice(|x| sq(x).sin(), x[1]) + apply(|v| v * x[2], x[0])
    }
    #[adjoint]
    fn rows(x: &[f64]) -> f64 {
        let m = [[x[0], x[1]], [x[2], x[0] * x[1]]];
        let dot = |x: [f64; 2], y: &[f64]| x[0] * y[0] + x[1] * y[1];
        dot(m[0], &m[1]) + dot(m[1], x)
    }
    #[test]
    fn of_parameters() {
        super::assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; f rows);
    }
}
