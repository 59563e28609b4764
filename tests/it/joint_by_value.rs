//! Joint calls of methods that take what they are called on by value; lists behind references that grow; other results of what fails.
#![allow(clippy::all, dead_code, reason = "as users write it")]

use crate::differences::assert_derivatives;

mod receivers {
    use backsweep::{Differentiable, adjoint};
    #[derive(Clone, Debug, Differentiable)]
    struct S {
        v: Vec<f64>,
    }
    #[adjoint]
    impl S {
        fn normalized(mut self) -> S {
            let t: f64 = self.v.iter().sum();
            for e in self.v.iter_mut() {
                *e /= t;
            }
            self
        }
        fn total(&self) -> f64 {
            self.v.iter().map(|v| v * v).sum()
        }
    }
    #[adjoint(mode = "joint")]
    fn f(x: &[f64]) -> f64 {
        let s = S { v: x.to_vec() };
        let t = s.total();
        let n = s.normalized();
        n.v[0] * n.total() + t
    }
    #[adjoint]
    fn g(x: &[f64]) -> f64 {
        let s = S { v: x.to_vec() };
        let n = #[checkpoint]
        s.normalized();
        let t = #[checkpoint]
        n.total();
        n.v[0] * t
    }
    #[test]
    fn derivatives() {
        super::assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; f g);
    }
}

mod rows {
    use backsweep::{Differentiable, adjoint};
    #[derive(Clone, Differentiable)]
    struct W {
        o: Option<Vec<f64>>,
    }
    #[adjoint]
    fn change(w: &mut W, x: f64) {
        if let Some(v) = &mut w.o {
            v.push(x);
            v[0] *= 2.0;
            let n = v.len();
            v.push(v[n - 1] * x);
        }
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let mut w = W { o: Some(vec![x[0]]) };
        change(&mut w, x[1]);
        let v = w.o.unwrap();
        v[0] * x[0] + v[1] * v[2]
    }
    #[adjoint]
    fn g(x: &[f64]) -> f64 {
        let mut rows = vec![vec![x[0], 2.0 * x[1], 1.0], vec![x[0] * x[1], x[0]]];
        let mut y = 0.0;
        for r in rows.iter_mut() {
            r.truncate(2);
            y += r[1] * r[0];
            r.push(y);
        }
        for r in &mut rows {
            let t = r.pop().unwrap();
            r[0] *= t;
            r.retain(|v| *v < 50.0);
        }
        y * rows[0][0] * rows[1][0]
    }
    #[derive(Clone, Differentiable)]
    enum Phase {
        Idle(f64),
        Cooling(Vec<f64>),
    }
    #[adjoint]
    impl Phase {
        fn step(&mut self, k: f64) {
            match self {
                Phase::Idle(t) => *t *= k,
                Phase::Cooling(v) => {
                    v.push(k);
                    v[0] += k * k;
                }
            }
        }
    }
    #[adjoint]
    fn h(x: &[f64]) -> f64 {
        let mut p = Phase::Cooling(vec![x[0]]);
        p.step(x[1]);
        p.step(x[0] * x[1]);
        match p {
            Phase::Cooling(v) => v[0] * v[1] + v[2],
            Phase::Idle(t) => t,
        }
    }
    #[test]
    fn derivatives() {
        super::assert_derivatives!([0.3, 0.7], [0.1, 0.2]; f g h);
    }
}

mod failures {
    use backsweep::adjoint;
    #[adjoint]
    fn root(t: f64) -> Result<f64, String> {
        if t < 0.0 { Err("negative".to_string()) } else { Ok(t.sqrt()) }
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let y = root(x[0]).or_else(|_| root(-x[0])).unwrap_or(1.0);
        let z = root(x[1] - 5.0).or_else(|_| root(x[1])).unwrap_or(1.0);
        y * y * y * z
    }
    #[test]
    fn derivatives() {
        super::assert_derivatives!([0.3, 0.7], [0.1, 0.2]; f);
        super::assert_derivatives!([-0.3, 5.7], [0.1, 0.2]; f);
    }
}
