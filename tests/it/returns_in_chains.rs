//! `return` in closures that yield an `Option`; integers in the places of fields without derivatives; numbers made of truth values.
#![allow(clippy::all, dead_code, reason = "as users write it")]

use crate::differences::assert_derivatives;

use backsweep::adjoint;
#[adjoint]
fn f(x: &[f64]) -> f64 {
    let v: Vec<f64> = x
        .iter()
        .scan(1.0, |s, &v| {
            *s *= v;
            if *s > 6.0 {
                return None;
            }
            Some(*s)
        })
        .collect();
    v.iter().sum()
}
#[adjoint]
fn g(x: &[f64]) -> f64 {
    x.iter()
        .filter_map(|&v| {
            if v > 2.0 {
                return None;
            }
            if v < 0.5 {
                return Some(v.sin());
            }
            Some(v * v)
        })
        .sum()
}
#[adjoint]
fn h(x: &[f64]) -> f64 {
    x.iter()
        .map_while(|&v| {
            if v > 2.6 {
                return None;
            }
            Some(v * v)
        })
        .sum::<f64>()
}
#[adjoint]
fn i(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x.iter().filter_map(|v| match v {
        v if *v > 2.0 => return None,
        v => Some(v * 2.0),
    }) {
        s += v * v;
    }
    s
}
#[test]
fn derivatives() {
    assert_derivatives!([1.0, 0.3, 2.5, 9.0], [0.1, 0.2, 0.3, 0.7]; f g h i);
}

mod counted {
    use backsweep::{Differentiable, adjoint};
    #[derive(Clone, Debug, Differentiable)]
    struct Matrix {
        #[passive]
        rows: usize,
        data: Vec<f64>,
    }
    #[derive(Clone, Debug, Differentiable)]
    enum S {
        N(#[passive] usize, f64),
        M(f64),
    }
    #[adjoint]
    impl Matrix {
        fn of(data: Vec<f64>) -> Self {
            Self { rows: data.len(), data }
        }
    }
    #[adjoint]
    fn f(b: &[f64]) -> f64 {
        let m = Matrix { rows: b.len(), data: b.to_vec() };
        let n = Matrix { rows: (b[0] * 0.1) as usize + b.is_empty() as usize, data: b.to_vec() };
        let o = Matrix::of(b.to_vec());
        m.data[0] * m.data[m.rows - 1] * n.data[n.rows] + o.data[o.rows - 2]
    }
    #[adjoint]
    fn g(b: &[f64]) -> f64 {
        let m = if b[0] > 0.0 { S::N(b.len() - 1, b[1]) } else { S::M(b[0]) };
        match m {
            S::N(n, v) => n as f64 * v,
            S::M(v) => v,
        }
    }
    #[test]
    fn derivatives() {
        super::assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; f g);
    }
}

mod truth_values {
    use backsweep::adjoint;
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let above = x[0] < 9.0;
        let k = u8::from(x[1] > 0.5) as f64;
        x[0] * (1.0 + f64::from(x[0] > 0.1))
            + k
            + f64::from(above) * x[2]
            + f64::from(!above) * x[1]
    }
    #[test]
    fn derivatives() {
        super::assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; f);
    }
}
