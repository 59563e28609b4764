//! Items that chains pick: by comparisons of any kind, by keys, of values of users' types.

#![allow(clippy::iter_nth, reason = "chains end so as well")]

use crate::differences::assert_derivatives;
use backsweep::{Differentiable, adjoint};
use std::cmp::Ordering;

const AT: [f64; 4] = [1.2, 0.7, 1.9, 0.4];
const ALONG: [f64; 4] = [0.3, -0.2, 0.5, 0.9];

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Matrix {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}
#[adjoint]
impl std::ops::Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (r, c): (usize, usize)) -> &f64 {
        &self.data[r * self.cols + c]
    }
}
#[adjoint]
impl Matrix {
    fn at(&self, r: usize, c: usize) -> f64 {
        self.data[r * self.cols + c]
    }
    fn p1(&self) -> f64 {
        let p = (0..2)
            .max_by(|&a, &b| self.data[a].abs().partial_cmp(&self.data[b].abs()).unwrap())
            .unwrap();
        self.data[p]
    }
    fn p2(&self) -> f64 {
        let p = (0..2)
            .max_by(|&a, &b| self[(a, 0)].abs().partial_cmp(&self[(b, 0)].abs()).unwrap())
            .unwrap();
        self.data[p]
    }
    fn p3(&self) -> f64 {
        let p = (0..2)
            .max_by(|&a, &b| self.at(a, 0).abs().total_cmp(&self.at(b, 0).abs()))
            .unwrap_or(0);
        self.data[p]
    }
    fn p4(&self) -> f64 {
        let p = (0..2).min_by_key(|&a| (self.at(a, 0) * 100.0) as i64).unwrap_or(0);
        self.data[p]
    }
    fn p5(&self) -> f64 {
        let mut p = 0;
        for i in 0..2 {
            if self[(i, 0)].abs() > self[(p, 0)].abs() {
                p = i;
            }
        }
        self.data[p]
    }
    fn p6(&self) -> f64 {
        let n = (0..2).filter(|&i| self[(i, 1)] > 0.0).count();
        let any = (0..2).any(|i| self.at(i, i) > 0.0);
        let pos = (0..2).position(|i| self[(i, i)] > 1.0).unwrap_or(1);
        self.data[pos] * n as f64 * if any { 2.0 } else { 1.0 }
    }
}
#[adjoint]
fn pivots(x: &[f64]) -> f64 {
    let m = Matrix { rows: 2, cols: 2, data: x.to_vec() };
    m.p1() * m.p2() * m.p3() * m.p4() * m.p5() * m.p6()
}
#[derive(Clone, Debug, Differentiable)]
struct Thing {
    id: usize,
    w: f64,
    v: f64,
}
#[adjoint]
impl Thing {
    fn ratio(&self) -> f64 {
        self.v / self.w
    }
    fn rank(&self) -> i32 {
        (self.w * 10.0) as i32
    }
}
#[adjoint]
fn things(x: &[f64]) -> Vec<Thing> {
    x.iter().enumerate().map(|(i, &w)| Thing { id: i % 2, w, v: w * w + x[0] }).collect()
}
#[adjoint]
fn of_references(x: &[f64]) -> f64 {
    let items = things(x);
    let a = items.iter().max_by(|a, b| a.ratio().partial_cmp(&b.ratio()).unwrap()).unwrap();
    let b = items.iter().max_by_key(|i| i.id).unwrap();
    let c = items.iter().min_by_key(|i| (i.id, (i.w * 100.0) as i64)).map(|i| i.v).unwrap_or(0.0);
    let d = items.iter().min_by(|a, b| b.id.cmp(&a.id)).unwrap();
    let e = items.iter().min_by_key(|i| i.rank()).map_or(0.0, |i| i.w);
    a.v * b.w + c * d.v + e
}
#[adjoint]
fn of_numbers(x: &[f64]) -> f64 {
    let (i, m) = x.iter().copied().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b)).unwrap();
    let (j, n) = x.iter().enumerate().min_by(|a, b| a.1.partial_cmp(b.1).unwrap()).unwrap();
    let k = (0..x.len()).max_by_key(|&k| (x[k] * 1000.0) as u64).unwrap();
    let by = |a: &usize, b: &usize| x[*a].partial_cmp(&x[*b]).unwrap();
    let l = (0..x.len()).min_by(by).unwrap();
    let o = (0..4).max_by(|&a, &b| x[a].partial_cmp(&x[b]).unwrap_or(Ordering::Less)).unwrap();
    m * x[j] + n * x[i] + x[k] * x[l] + x[o]
}
#[adjoint]
fn of_structs(x: &[f64]) -> f64 {
    let best = things(x).into_iter().max_by(|a, b| a.v.partial_cmp(&b.v).unwrap());
    let lightest = things(x).into_iter().min_by_key(|i| i.rank()).unwrap();
    let r: Option<Thing> = things(x).iter().cloned().reduce(|a, b| if a.w > b.w { a } else { b });
    let last = things(x).last().cloned().unwrap();
    best.map(|b| b.ratio()).unwrap_or(0.0) * lightest.v + r.unwrap().w + last.v
}
#[adjoint]
fn by_position(x: &[f64]) -> f64 {
    let a = x.iter().nth(2).unwrap();
    let b = x.iter().map(|v| v * v).nth(x.len() - 1).unwrap_or(0.0);
    let c = x.iter().rev().nth(9).copied().unwrap_or(x[0]);
    a * b * c
}

#[test]
fn picked_items() {
    assert_derivatives!(AT, ALONG; pivots of_references of_numbers of_structs by_position);
}
