//! Programs as people write them, with vectors, matrices, potentials and layers of their own. Gradients against central differences, values against
//! the plain functions.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::{Differentiable, adjoint};
use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Sub};
use testkit::vectors::check;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}
#[adjoint]
impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, o: Vec3) -> Vec3 {
        Vec3 { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}
#[adjoint]
impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, o: Vec3) -> Vec3 {
        Vec3 { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}
#[adjoint]
impl Mul<f64> for Vec3 {
    type Output = Vec3;
    fn mul(self, s: f64) -> Vec3 {
        Vec3 { x: self.x * s, y: self.y * s, z: self.z * s }
    }
}
#[adjoint]
impl AddAssign for Vec3 {
    fn add_assign(&mut self, o: Vec3) {
        self.x += o.x;
        self.y += o.y;
        self.z += o.z;
    }
}
#[adjoint]
impl Vec3 {
    fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }
    const ZERO: Vec3 = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
    fn dot(self, o: Vec3) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }
    fn cross(self, o: Vec3) -> Vec3 {
        Vec3::new(
            self.y * o.z - self.z * o.y,
            self.z * o.x - self.x * o.z,
            self.x * o.y - self.y * o.x,
        )
    }
    fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }
    fn lerp(self, o: Vec3, t: f64) -> Vec3 {
        self + (o - self) * t
    }
}
#[derive(Clone, Debug, Differentiable)]
struct Spring {
    #[passive]
    a: usize,
    #[passive]
    b: usize,
    rest: f64,
    stiffness: f64,
}

#[adjoint]
fn spring_energy(points: &[Vec3], springs: &[Spring]) -> f64 {
    springs
        .iter()
        .map(|s| {
            let d = (points[s.a] - points[s.b]).norm() - s.rest;
            0.5 * s.stiffness * d * d
        })
        .sum()
}
#[adjoint]
fn forces(points: &[Vec3], springs: &[Spring]) -> Vec<Vec3> {
    let mut f = vec![Vec3::ZERO; points.len()];
    for s in springs {
        let d = points[s.b] - points[s.a];
        let len = d.norm();
        let dir = d * (1.0 / len);
        let mag = s.stiffness * (len - s.rest);
        f[s.a] += dir * mag;
        f[s.b] += dir * (-mag);
    }
    f
}
#[adjoint]
fn mesh_area(vertices: &[Vec3], triangles: &[[usize; 3]]) -> f64 {
    triangles
        .iter()
        .map(|&[a, b, c]| {
            let (a, b, c) = (vertices[a], vertices[b], vertices[c]);
            0.5 * (b - a).cross(c - a).norm()
        })
        .sum()
}
#[adjoint]
fn centroid(points: &[Vec3]) -> Vec3 {
    let sum = points.iter().fold(Vec3::ZERO, |acc, &p| acc + p);
    sum * (1.0 / points.len() as f64)
}
#[adjoint]
fn chamfer(a: &[Vec3], b: &[Vec3]) -> f64 {
    let one = |p: &[Vec3], q: &[Vec3]| -> f64 {
        p.iter()
            .map(|x| q.iter().map(|y| (*x - *y).dot(*x - *y)).fold(f64::INFINITY, f64::min))
            .sum::<f64>()
            / p.len() as f64
    };
    one(a, b) + one(b, a)
}
#[derive(Clone, Debug, Differentiable)]
struct Matrix {
    data: Vec<f64>,
    #[passive]
    rows: usize,
    #[passive]
    cols: usize,
}
#[adjoint]
impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.cols + j]
    }
}
#[adjoint]
impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.cols + j]
    }
}
#[adjoint]
impl Matrix {
    fn zeros(rows: usize, cols: usize) -> Self {
        Self { data: vec![0.0; rows * cols], rows, cols }
    }
    fn matmul(&self, other: &Matrix) -> Matrix {
        let mut out = Matrix::zeros(self.rows, other.cols);
        for i in 0..self.rows {
            for j in 0..other.cols {
                for k in 0..self.cols {
                    out[(i, j)] += self[(i, k)] * other[(k, j)];
                }
            }
        }
        out
    }
    fn cholesky(&self) -> Option<Matrix> {
        let n = self.rows;
        let mut l = Matrix::zeros(n, n);
        for i in 0..n {
            for j in 0..=i {
                let mut s = self[(i, j)];
                for k in 0..j {
                    s -= l[(i, k)] * l[(j, k)];
                }
                if i == j {
                    if s <= 0.0 {
                        return None;
                    }
                    l[(i, i)] = s.sqrt();
                } else {
                    l[(i, j)] = s / l[(j, j)];
                }
            }
        }
        Some(l)
    }
    fn log_det(&self) -> Option<f64> {
        let l = self.cholesky()?;
        Some(2.0 * (0..l.rows).map(|i| l[(i, i)].ln()).sum::<f64>())
    }
}
#[adjoint]
fn gp_log_likelihood(x: &[f64], y: &[f64], length: f64, signal: f64, noise: f64) -> Option<f64> {
    let n = x.len();
    let mut k = Matrix::zeros(n, n);
    for i in 0..n {
        for j in 0..n {
            let d = (x[i] - x[j]) / length;
            k[(i, j)] = signal * signal * (-0.5 * d * d).exp();
        }
        k[(i, i)] += noise * noise + 1e-8;
    }
    let l = k.cholesky()?;
    let mut z = y.to_vec();
    for i in 0..n {
        for j in 0..i {
            z[i] -= l[(i, j)] * z[j];
        }
        z[i] /= l[(i, i)];
    }
    let quad: f64 = z.iter().map(|v| v * v).sum();
    let logdet: f64 = (0..n).map(|i| l[(i, i)].ln()).sum();
    Some(-0.5 * quad - logdet - 0.5 * n as f64 * (2.0 * std::f64::consts::PI).ln())
}
#[adjoint]
trait Potential: Differentiable {
    fn value(&self, r: f64) -> f64;
    fn shifted(&self, r: f64, cutoff: f64) -> f64 {
        if r < cutoff { self.value(r) - self.value(cutoff) } else { 0.0 }
    }
}
#[derive(Clone, Debug, Differentiable)]
struct LennardJones {
    epsilon: f64,
    sigma: f64,
}
#[derive(Clone, Debug, Differentiable)]
struct Morse {
    depth: f64,
    a: f64,
    r0: f64,
}
#[adjoint]
impl Potential for LennardJones {
    fn value(&self, r: f64) -> f64 {
        let s6 = (self.sigma / r).powi(6);
        4.0 * self.epsilon * (s6 * s6 - s6)
    }
}
#[adjoint]
impl Potential for Morse {
    fn value(&self, r: f64) -> f64 {
        let e = 1.0 - (-self.a * (r - self.r0)).exp();
        self.depth * e * e
    }
}
#[adjoint]
fn total<P: Potential + Differentiable>(p: &P, points: &[Vec3]) -> f64 {
    let mut e = 0.0;
    for i in 0..points.len() {
        for j in i + 1..points.len() {
            e += p.shifted((points[i] - points[j]).norm(), 2.5);
        }
    }
    e
}
#[derive(Clone, Debug, Differentiable)]
struct Dense {
    w: Vec<Vec<f64>>,
    b: Vec<f64>,
}
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
enum Activation {
    Relu,
    Tanh,
    Sigmoid,
    Identity,
}
#[adjoint]
impl Activation {
    fn apply(self, x: f64) -> f64 {
        match self {
            Activation::Relu => x.max(0.0),
            Activation::Tanh => x.tanh(),
            Activation::Sigmoid => 1.0 / (1.0 + (-x).exp()),
            Activation::Identity => x,
        }
    }
}
#[adjoint]
impl Dense {
    fn forward(&self, x: &[f64], act: Activation) -> Vec<f64> {
        self.w
            .iter()
            .zip(&self.b)
            .map(|(row, b)| act.apply(row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + b))
            .collect()
    }
}
#[derive(Clone, Debug, Differentiable)]
struct Mlp {
    layers: Vec<Dense>,
}
#[adjoint]
impl Mlp {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        let mut h = x.to_vec();
        for (i, layer) in self.layers.iter().enumerate() {
            let act =
                if i + 1 == self.layers.len() { Activation::Identity } else { Activation::Tanh };
            h = layer.forward(&h, act);
        }
        h
    }
    fn loss(&self, xs: &[Vec<f64>], ys: &[Vec<f64>]) -> f64 {
        let mut total = 0.0;
        for (x, y) in xs.iter().zip(ys) {
            let out = self.forward(x);
            total += out.iter().zip(y).map(|(o, y)| (o - y).powi(2)).sum::<f64>();
        }
        total / xs.len() as f64
    }
}
#[adjoint]
fn kalman(z: &[f64], q: f64, r: f64, dt: f64) -> f64 {
    let mut x = [0.0, 0.0];
    let mut p = [[1.0, 0.0], [0.0, 1.0]];
    let mut ll = 0.0;
    for &zk in z {
        x = [x[0] + dt * x[1], x[1]];
        let f = [[1.0, dt], [0.0, 1.0]];
        let mut fp = [[0.0; 2]; 2];
        for i in 0..2 {
            for j in 0..2 {
                for k in 0..2 {
                    fp[i][j] += f[i][k] * p[k][j];
                }
            }
        }
        let mut pn = [[0.0; 2]; 2];
        for i in 0..2 {
            for j in 0..2 {
                for k in 0..2 {
                    pn[i][j] += fp[i][k] * f[j][k];
                }
            }
        }
        pn[0][0] += q * dt.powi(3) / 3.0;
        pn[0][1] += q * dt * dt / 2.0;
        pn[1][0] += q * dt * dt / 2.0;
        pn[1][1] += q * dt;
        let s = pn[0][0] + r;
        let k = [pn[0][0] / s, pn[1][0] / s];
        let innov = zk - x[0];
        x[0] += k[0] * innov;
        x[1] += k[1] * innov;
        for i in 0..2 {
            for j in 0..2 {
                p[i][j] = pn[i][j] - k[i] * pn[0][j];
            }
        }
        ll -= 0.5 * (innov * innov / s + s.ln());
    }
    ll
}

fn points() -> Vec<Vec3> {
    let at = |k: usize| (1.7 * k as f64).sin() + 0.2 * k as f64;
    (0..5).map(|i| Vec3::new(at(3 * i), at(3 * i + 1), at(3 * i + 2))).collect()
}

#[test]
fn springs_and_meshes() {
    let springs: Vec<Spring> =
        [(0, 1, 0.5, 2.0), (1, 2, 0.8, 1.5), (2, 4, 1.1, 0.7), (0, 3, 0.3, 3.0)]
            .map(|(a, b, rest, stiffness)| Spring { a, b, rest, stiffness })
            .to_vec();
    let at = (points(), springs);
    let (_, bars) = spring_energy::gradient(&at.0, &at.1);
    check(|(points, springs)| spring_energy(points, springs), &at, &bars);
    let weighted = |forces: &[Vec3]| -> f64 {
        forces.iter().enumerate().map(|(i, f)| f.x - i as f64 * f.y + 0.5 * f.z).sum()
    };
    let seed = (0..5).map(|i| Vec3::new(1.0, -(i as f64), 0.5)).collect();
    let mut bars = (vec![Vec3::ZERO; 5], at.1.clone());
    bars.1.iter_mut().for_each(|spring| (spring.rest, spring.stiffness) = (0.0, 0.0));
    forces::adjoint(&at.0, &mut bars.0, &at.1, &mut bars.1, seed);
    check(|(points, springs)| weighted(&forces(points, springs)), &at, &bars);
    let triangles = [[0, 1, 2], [1, 3, 2], [2, 3, 4]];
    let (_, points_b) = mesh_area::gradient(&at.0, &triangles);
    check(|points| mesh_area(points, &triangles), &at.0, &points_b);
    let others: (Vec<Vec3>, Vec<Vec3>) =
        (points(), points().iter().map(|p| p.lerp(Vec3::new(0.3, -0.1, 0.9), 0.3)).collect());
    let (_, bars) = chamfer::gradient(&others.0, &others.1);
    check(|(a, b): &(Vec<Vec3>, Vec<Vec3>)| chamfer(a, b), &others, &bars);
    let mut bars = vec![Vec3::ZERO; 5];
    centroid::adjoint(&at.0, &mut bars, Vec3::new(1.0, 2.0, -1.0));
    check(|points| centroid(points).dot(Vec3::new(1.0, 2.0, -1.0)), &at.0, &bars);
}

#[test]
fn matrices() {
    let at = (vec![0.1, 0.7, 1.9, 2.2], vec![0.3, -0.2, 0.8, 1.0], 0.9, 1.2, 0.3);
    let (value, bars) =
        gp_log_likelihood::gradient(&at.0, &at.1, at.2, at.3, at.4).expect("positive definite");
    assert_eq!(Some(value), gp_log_likelihood(&at.0, &at.1, at.2, at.3, at.4));
    check(|(x, y, l, s, n)| gp_log_likelihood(x, y, *l, *s, *n).unwrap(), &at, &bars);
    let matrix =
        Matrix { data: vec![4.0, 0.3, -0.2, 0.3, 3.0, 0.5, -0.2, 0.5, 2.0], rows: 3, cols: 3 };
    let (value, bar) = matrix.log_det_gradient().expect("positive definite");
    assert_eq!(Some(value), matrix.log_det());
    check(|matrix| matrix.log_det().unwrap(), &matrix, &bar);
    let other = Matrix { data: (0..6).map(|k| 0.3 * k as f64 - 0.7).collect(), rows: 3, cols: 2 };
    let seed = Matrix { data: vec![1.0, -1.0, 0.5, 2.0, 0.0, 1.5], rows: 3, cols: 2 };
    let mut bars = (Matrix::zeros(3, 3), Matrix::zeros(3, 2));
    matrix.matmul_adjoint(&mut bars.0, &other, &mut bars.1, seed.clone());
    let plain = |(a, b): &(Matrix, Matrix)| -> f64 {
        a.matmul(b).data.iter().zip(&seed.data).map(|(x, s)| x * s).sum()
    };
    check(plain, &(matrix, other), &bars);
}

#[test]
fn potentials() {
    let lennard_jones = (LennardJones { epsilon: 0.8, sigma: 0.9 }, points());
    let (_, bars) = total::gradient(&lennard_jones.0, &lennard_jones.1);
    check(|(p, points)| total(p, points), &lennard_jones, &bars);
    let morse = (Morse { depth: 1.2, a: 1.5, r0: 1.1 }, points());
    let (_, bars) = total::gradient(&morse.0, &morse.1);
    check(|(p, points)| total(p, points), &morse, &bars);
}

#[test]
fn networks_and_filters() {
    let number = |k: usize| (0.9 * k as f64 + 0.4).sin();
    let layer = |rows: usize, columns: usize, from: usize| Dense {
        w: (0..rows)
            .map(|i| (0..columns).map(|j| number(from + i * columns + j)).collect())
            .collect(),
        b: (0..rows).map(|i| number(from + 50 + i)).collect(),
    };
    let mlp = Mlp { layers: vec![layer(3, 2, 0), layer(4, 3, 10), layer(2, 4, 30)] };
    let xs = vec![vec![0.3, -0.8], vec![1.2, 0.1], vec![-0.5, 0.6]];
    let ys = vec![vec![1.0, 0.0], vec![0.2, 0.4], vec![-0.3, 0.9]];
    let (value, (mlp_b, xs_b, ys_b)) = mlp.loss_gradient(&xs, &ys);
    assert_eq!(value, mlp.loss(&xs, &ys));
    check(
        |(mlp, xs, ys): &(Mlp, Vec<Vec<f64>>, Vec<Vec<f64>>)| mlp.loss(xs, ys),
        &(mlp, xs, ys),
        &(mlp_b, xs_b, ys_b),
    );
    for activation in
        [Activation::Relu, Activation::Tanh, Activation::Sigmoid, Activation::Identity]
    {
        let (value, (_, x_b)) = activation.apply_gradient(0.7);
        assert_eq!(value, activation.apply(0.7));
        check(|&x| activation.apply(x), &0.7, &x_b);
    }
    let at = (vec![0.1, 0.4, 0.3, 0.9, 1.3], 0.2, 0.1, 0.5);
    let (_, bars) = kalman::gradient(&at.0, at.1, at.2, at.3);
    check(|(z, q, r, dt)| kalman(z, *q, *r, *dt), &at, &bars);
}
