//! Methods and functions that are given a `&mut` and may fail, of which the caller goes on: an elimination in place, a step that is refused.

#![allow(clippy::ptr_arg, reason = "as users write it")]

use crate::differences::assert_derivatives;
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Debug, Differentiable)]
struct Matrix {
    d: Vec<f64>,
    n: f64,
}

#[adjoint]
impl Matrix {
    fn solve(&mut self, b: f64) -> Option<f64> {
        if self.d[0] <= 0.0 {
            return None;
        }
        self.d[0] += b;
        self.n *= self.d[1];
        if self.n > 100.0 {
            return None;
        }
        Some(self.d[0] * b)
    }
    fn solved(&self, b: f64) -> Option<f64> {
        let mut copy = self.clone();
        copy.solve(b)
    }

    fn factor(&mut self) -> Result<(), String> {
        for i in 1..self.d.len() {
            if self.d[i - 1].abs() < 1e-12 {
                return Err(format!("singular at {i}"));
            }
            self.d[i] -= self.n / self.d[i - 1];
        }
        Ok(())
    }
}

#[adjoint]
fn f(x: &[f64]) -> f64 {
    let mut m = Matrix { d: x.to_vec(), n: x[1] * x[2] };
    let Some(u) = m.solve(x[0]) else { return f64::NAN };
    u * m.d[0] * m.n
}

#[adjoint]
fn loops(x: &[f64]) -> f64 {
    let mut m = Matrix { d: x.to_vec(), n: x[1] * x[2] };
    let mut t = 0.0;
    for k in 0..3 {
        let y = m.n * m.d[1] + k as f64;
        match m.solve(x[k]) {
            Some(u) => {
                t += u * m.d[0] + y * y;
                m.n = m.n.sin();
            }
            None => {
                m = Matrix { d: x.to_vec(), n: t };
                t += 0.5 * x[3];
            }
        }
        if m.n > 0.3 {
            m.d[0] = -x[1];
        }
    }
    t + m.n
}

#[adjoint]
fn failing(x: &[f64]) -> f64 {
    let mut m = Matrix { d: x.to_vec(), n: x[1] * x[2] * 1e3 };
    let a = m.n * m.n;
    let v = if let Some(u) = m.solve(x[0]) { u * m.n } else { x[3] * x[3] };
    v + a * 1e-6
}

#[adjoint]
fn tried(x: &[f64]) -> f64 {
    let mut m = Matrix { d: x.to_vec(), n: x[1] * x[2] };
    if let Err(e) = m.factor() {
        return -(e.len() as f64);
    }
    m.d.iter().map(|d| d * d).sum()
}

#[adjoint]
fn of_a_copy(x: &[f64]) -> f64 {
    let m = Matrix { d: x.to_vec(), n: x[1] * x[2] };
    m.solved(x[0]).unwrap_or(0.0) * m.d[0]
}

#[adjoint]
fn is_ok(x: &[f64]) -> f64 {
    let mut m = Matrix { d: x.to_vec(), n: x[1] * x[2] };
    if m.factor().is_ok() { m.d[2] * m.d[3] } else { x[0] }
}

#[adjoint]
fn scale(v: &mut Vec<f64>, s: f64) -> Result<f64, String> {
    if s < 0.0 {
        return Err("negative".to_string());
    }
    for a in v.iter_mut() {
        *a *= s;
    }
    Ok(v[0])
}

#[adjoint]
fn of_list(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let a = v[0];
    let b = match scale(&mut v, x[2]) {
        Ok(b) => b * v[1],
        Err(_) => return 0.0,
    };
    a + b * v[2]
}

#[test]
fn what_succeeds_has_derivatives_and_what_fails_is_left() {
    let at = [0.7, 1.3, 0.4, 2.0];
    assert_derivatives!(at, [1.0, -1.0, 0.5, 0.25]; f loops failing tried of_a_copy is_ok of_list);
    // Callees fail here.
    assert_derivatives!([0.7, 1.3, 0.4, -2.0], [1.0, -1.0, 0.5, 0.25]; failing loops);
    assert_derivatives!([0.7, 1.3, -0.4, 2.0], [1.0, -1.0, 0.5, 0.25]; of_list is_ok);
    assert!(f(&[-0.5, 1.0, 1.0]).is_nan() && f::gradient(&[-0.5, 1.0, 1.0]).0.is_nan());
    assert_eq!(tried::gradient(&[0.0, 1.0, 1.0]), (-13.0, vec![0.0; 3]));
}
