//! Operators, indices and results of types with parameters, as fields, literals and aliases have them.
#![allow(clippy::all, dead_code, reason = "as users write it")]

use crate::differences::assert_derivatives;

use backsweep::{Differentiable, adjoint};
use std::ops::{Index, Mul};
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
impl<const R: usize, const C: usize> Mul for Mat<R, C> {
    type Output = Self;
    fn mul(self, rhs: Self) -> Self {
        Mat([[self.0[0][0] * rhs.0[0][0]; C]; R])
    }
}
#[derive(Clone, Differentiable)]
struct Belief {
    mean: Mat<2, 1>,
}
#[adjoint]
fn f(b: &[Belief]) -> f64 {
    b.iter().map(|b| b.mean[(1, 0)]).sum()
}
#[adjoint(independents(h, p))]
fn g(h: Mat<2, 2>, p: Mat<2, 2>) -> f64 {
    (h * p)[(0, 0)]
}
#[adjoint(independents(h, p))]
fn k(h: Mat<2, 2>, p: Mat<2, 2>) -> f64 {
    let q = h * p;
    q[(0, 0)]
}
#[derive(Clone, Copy, Differentiable)]
pub struct Big<const R: usize, const C: usize>([[f64; C]; R]);
#[adjoint]
impl<const R: usize, const C: usize> Index<(usize, usize)> for Big<R, C> {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.0[i][j]
    }
}
#[adjoint]
impl<const R: usize, const K: usize, const C: usize> Mul<&Big<K, C>> for &Big<R, K> {
    type Output = Big<R, C>;
    fn mul(self, rhs: &Big<K, C>) -> Big<R, C> {
        let mut out = [[0.0; C]; R];
        for i in 0..R {
            for j in 0..C {
                for k in 0..K {
                    out[i][j] += self.0[i][k] * rhs.0[k][j];
                }
            }
        }
        Big(out)
    }
}
#[adjoint]
impl<const R: usize, const C: usize> Mul<f64> for Big<R, C> {
    type Output = Self;
    fn mul(self, rhs: f64) -> Self {
        let mut out = self;
        for i in 0..R {
            for j in 0..C {
                out.0[i][j] *= rhs;
            }
        }
        out
    }
}
#[adjoint(independents(h, p))]
fn m(h: Big<2, 3>, p: Big<3, 1>, k: f64) -> f64 {
    let q = &h * &p;
    let s = (q * k)[(1, 0)] + (&h * &p)[(0, 0)] * (h * 2.0)[(1, 2)];
    s * q[(1, 0)]
}
#[adjoint]
fn n(x: &[f64]) -> f64 {
    let h = Big([[x[0], x[1], x[2]], [x[2], x[1] * x[0], 0.3]]);
    let p = Big([[x[1]], [x[0]], [x[2]]]);
    m(h, p, 0.7)
        + f(&[Belief { mean: Mat([[x[0]], [x[1] * x[1]]]) }])
        + g(Mat([[x[0], x[1]], [x[2], 1.0]]), Mat([[x[2], 1.0], [2.0, x[1]]]))
}
#[derive(Clone, Copy, Differentiable)]
pub struct V3<T> {
    x: T,
    y: T,
}
#[adjoint]
impl Mul<f64> for V3<f64> {
    type Output = V3<f64>;
    fn mul(self, rhs: f64) -> V3<f64> {
        V3 { x: self.x * rhs, y: self.y * rhs }
    }
}
#[adjoint]
impl V3<f64> {
    fn dot(self, o: Self) -> f64 {
        self.x * o.x + self.y * o.y
    }
}
#[derive(Clone, Differentiable)]
struct Body {
    at: V3<f64>,
    v: V3<f64>,
    m: f64,
}
#[adjoint]
fn energy(b: &[Body]) -> f64 {
    b.iter()
        .map(|b| {
            let p = b.v * b.m;
            p.dot(b.v) * b.at.x.abs().min(3.0)
        })
        .sum()
}
#[adjoint]
fn o(x: &[f64]) -> f64 {
    energy(&[Body { at: V3 { x: x[0], y: x[1] }, v: V3 { x: x[2], y: x[1] * x[0] }, m: x[2] }])
}
#[test]
fn derivatives() {
    assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; n);
    assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; o);
}

mod rows {
    use backsweep::{Differentiable, adjoint};
    use std::ops::Mul;
    #[derive(Clone, Copy, Differentiable)]
    pub struct Row<const N: usize>([f64; N]);
    #[adjoint]
    impl<const N: usize> Mul<f64> for Row<N> {
        type Output = f64;
        fn mul(self, k: f64) -> f64 {
            self.0[0] * k
        }
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let a = Row([x[0], x[1]]);
        let b = a * x[2];
        b.sin()
    }
    #[test]
    fn derivatives() {
        super::assert_derivatives!([0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4]; f);
    }
}

mod literals {
    use backsweep::{Differentiable, adjoint};
    use std::ops::{Index, Mul};
    #[derive(Clone, Copy, Differentiable)]
    pub struct Mat<const R: usize, const C: usize>([[f64; C]; R]);
    #[adjoint]
    impl<const R: usize, const C: usize> Mat<R, C> {
        fn transpose(&self) -> Mat<C, R> {
            let mut out = [[0.0; R]; C];
            for i in 0..R {
                for j in 0..C {
                    out[j][i] = self.0[i][j];
                }
            }
            Mat(out)
        }
    }
    #[adjoint]
    impl<const R: usize, const C: usize> Index<(usize, usize)> for Mat<R, C> {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 {
            &self.0[i][j]
        }
    }
    #[adjoint]
    impl<const R: usize, const K: usize, const C: usize> Mul<Mat<K, C>> for Mat<R, K> {
        type Output = Mat<R, C>;
        fn mul(self, rhs: Mat<K, C>) -> Mat<R, C> {
            let mut out = [[0.0; C]; R];
            for i in 0..R {
                for j in 0..C {
                    for k in 0..K {
                        out[i][j] += self.0[i][k] * rhs.0[k][j];
                    }
                }
            }
            Mat(out)
        }
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let h = Mat([[1.0, x[0]]]);
        let p = Mat([[x[1], x[2]], [0.3, x[0]]]);
        let s = (h * p * h.transpose())[(0, 0)];
        s.sin() + h[(0, 1)]
    }
    #[test]
    fn derivatives() {
        super::assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; f);
    }
}

mod kalman {
    //! A Kalman filter and a Rauch–Tung–Striebel smoother with matrices of fixed sizes.
    use backsweep::{Differentiable, adjoint};
    use std::ops::{Add, Index, IndexMut, Mul, Sub};

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub struct Mat<const R: usize, const C: usize>([[f64; C]; R]);

    type Vector<const N: usize> = Mat<N, 1>;

    #[adjoint]
    impl<const R: usize, const C: usize> Mat<R, C> {
        fn zeros() -> Self {
            Mat([[0.0; C]; R])
        }

        fn transpose(&self) -> Mat<C, R> {
            let mut t = Mat::<C, R>::zeros();
            for i in 0..R {
                for j in 0..C {
                    t.0[j][i] = self.0[i][j];
                }
            }
            t
        }
    }

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
        fn add(mut self, rhs: Self) -> Self {
            for (a, b) in self.0.iter_mut().zip(rhs.0.iter()) {
                for (a, b) in a.iter_mut().zip(b) {
                    *a += b;
                }
            }
            self
        }
    }

    #[adjoint]
    impl<const R: usize, const C: usize> Sub for Mat<R, C> {
        type Output = Self;
        fn sub(self, rhs: Self) -> Self {
            let mut out = self;
            for i in 0..R {
                for j in 0..C {
                    out[(i, j)] -= rhs[(i, j)];
                }
            }
            out
        }
    }

    #[adjoint]
    impl<const R: usize, const K: usize, const C: usize> Mul<Mat<K, C>> for Mat<R, K> {
        type Output = Mat<R, C>;
        fn mul(self, rhs: Mat<K, C>) -> Mat<R, C> {
            let mut out = Mat::zeros();
            for i in 0..R {
                for j in 0..C {
                    out[(i, j)] = (0..K).map(|k| self[(i, k)] * rhs[(k, j)]).sum();
                }
            }
            out
        }
    }

    #[adjoint]
    impl Mat<2, 2> {
        fn identity() -> Self {
            Mat([[1.0, 0.0], [0.0, 1.0]])
        }

        fn inverse(&self) -> Option<Self> {
            let [[a, b], [c, d]] = self.0;
            let det = a * d - b * c;
            if det.abs() < 1e-300 {
                None
            } else {
                Some(Mat([[d / det, -b / det], [-c / det, a / det]]))
            }
        }
    }

    #[derive(Clone, Debug, Differentiable)]
    struct Belief {
        mean: Vector<2>,
        cov: Mat<2, 2>,
    }

    #[adjoint]
    fn smooth(
        f: &Mat<2, 2>,
        q: &Mat<2, 2>,
        r: f64,
        start: Belief,
        data: &[f64],
    ) -> Option<(f64, Vec<Belief>)> {
        let h = Mat([[1.0, 0.0]]);
        let mut belief = start;
        let mut log_likelihood = 0.0;
        let mut predicted = Vec::new();
        let mut filtered = Vec::new();
        for &z in data {
            let prior =
                Belief { mean: *f * belief.mean, cov: *f * belief.cov * f.transpose() + *q };
            let s = (h * prior.cov * h.transpose())[(0, 0)] + r;
            let y = z - (h * prior.mean)[(0, 0)];
            let gain = prior.cov * h.transpose() * Mat([[1.0 / s]]);
            log_likelihood -= 0.5 * (y * y / s + s.ln());
            belief = Belief {
                mean: prior.mean + gain * Mat([[y]]),
                cov: (Mat::identity() - gain * h) * prior.cov,
            };
            predicted.push(prior);
            filtered.push(belief.clone());
        }
        let mut smoothed = vec![belief];
        for (prior, post) in predicted[1..].iter().zip(&filtered).rev() {
            let c = post.cov * f.transpose() * prior.cov.inverse()?;
            let next = smoothed.last().unwrap();
            let mean = post.mean + c * (next.mean - prior.mean);
            let cov = post.cov + c * (next.cov - prior.cov) * c.transpose();
            smoothed.push(Belief { mean, cov });
        }
        smoothed.reverse();
        Some((log_likelihood, smoothed))
    }

    #[adjoint]
    pub fn f(x: &[f64]) -> f64 {
        let f = Mat([[1.0, x[0]], [-x[1], 1.0 - x[2]]]);
        let q = Mat([[x[3], 0.0], [0.0, x[3]]]);
        let start = Belief { mean: Mat([[x[4]], [0.0]]), cov: Mat::<2, 2>::identity() };
        let (ll, smoothed) = smooth(&f, &q, x[5], start, &x[6..]).expect("regular");
        ll + smoothed.iter().map(|b| b.mean[(1, 0)] * b.cov[(0, 1)]).sum::<f64>()
    }

    #[test]
    fn derivatives() {
        let x = [0.3, 0.2, 0.1, 0.05, 0.4, 0.2, 0.5, 0.3, -0.1, -0.3, 0.2];
        let along = [0.1, 0.2, -0.03, 0.004, 0.05, -0.1, 0.02, 0.3, 0.2, 0.1, 0.4];
        super::assert_derivatives!(x, along; f);
    }
}
