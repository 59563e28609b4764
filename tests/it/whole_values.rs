//! Values of types of users that are taken out of places, that are called like floats, and lists of integers that methods lend.
#![allow(clippy::all, dead_code, reason = "as users write it")]

use crate::differences::assert_derivatives;

mod taken {
    use backsweep::{Differentiable, adjoint};
    #[derive(Clone, Debug, Default, Differentiable)]
    enum Phase {
        #[default]
        Idle,
        Hot(f64),
    }
    #[adjoint]
    impl Phase {
        fn advance(&mut self, x: f64) {
            *self = match std::mem::take(self) {
                Phase::Idle => Phase::Hot(x),
                Phase::Hot(t) => Phase::Hot(t * x),
            };
        }
    }
    #[derive(Clone, Debug, Default, Differentiable)]
    struct Queue {
        items: Vec<f64>,
        w: f64,
    }
    #[derive(Clone, Debug, Differentiable)]
    struct Sim {
        queue: Queue,
        k: f64,
    }
    #[adjoint]
    impl Sim {
        fn flush(&mut self) -> f64 {
            let q = std::mem::take(&mut self.queue);
            let s: f64 = q.items.iter().map(|v| v * self.k).sum();
            self.queue.w += s;
            s * q.w
        }
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let mut p = Phase::default();
        p.advance(x[0]);
        p.advance(x[1]);
        match p {
            Phase::Hot(t) => t,
            _ => 0.0,
        }
    }
    #[adjoint]
    fn g(x: &[f64]) -> f64 {
        let mut s = Sim { queue: Queue { items: x.to_vec(), w: x[0] }, k: x[1] };
        let a = s.flush();
        s.queue.items.push(x[2] * a);
        let b = s.flush();
        a * b + s.queue.w
    }
    #[test]
    fn derivatives() {
        super::assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; f g);
    }
}

mod named_like_floats {
    use backsweep::{Differentiable, adjoint};
    use std::ops::Mul;
    #[derive(Clone, Copy, Debug, Differentiable)]
    enum Number {
        Real(f64),
        Dual(f64, f64),
    }
    #[adjoint]
    impl Mul for Number {
        type Output = Number;
        fn mul(self, o: Number) -> Number {
            match (self, o) {
                (Number::Real(a), Number::Real(b)) => Number::Real(a * b),
                (n, _) => n,
            }
        }
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let x = x[0] * x[1];
        let n: Number = Number::Real(x);
        let m: Number = n * n;
        match m {
            Number::Real(v) => v,
            Number::Dual(v, d) => v + d,
        }
    }
    #[test]
    fn derivatives() {
        super::assert_derivatives!([0.3, 0.7], [0.1, 0.2]; f);
    }
}

mod graphs {
    use backsweep::adjoint;
    pub struct Graph {
        to: Vec<usize>,
        starts: Vec<usize>,
    }
    impl Graph {
        fn neighbours(&self, i: usize) -> &[usize] {
            &self.to[self.starts[i]..self.starts[i + 1]]
        }
    }
    #[adjoint(passive(g))]
    fn smooth(g: &Graph, x: &[f64]) -> Vec<f64> {
        let mut y = x.to_vec();
        for i in 0..x.len() {
            for &j in g.neighbours(i) {
                y[i] += 0.5 * x[j] * x[i];
            }
            let degree = g.neighbours(i).len() as f64;
            y[i] = y[i].sin() / (1.0 + degree)
                + g.neighbours(i).iter().map(|&j| x[j] * x[j]).sum::<f64>();
            for (k, j) in g.neighbours(i).iter().enumerate() {
                y[i] *= 1.0 + 0.1 * x[*j] * k as f64;
            }
        }
        y
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let g = Graph { to: vec![1, 2, 0, 0, 1], starts: vec![0, 2, 3, 5] };
        smooth(&g, x).iter().sum()
    }
    #[test]
    fn derivatives() {
        super::assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; f);
    }
    #[adjoint(passive(g))]
    fn zipped(g: &Graph, x: &[f64]) -> f64 {
        let mut s = 1.0;
        let list: &[usize] = g.neighbours(1);
        let others = g.neighbours(0);
        for (v, &j) in x.iter().zip(list.iter()) {
            s = s * x[j] + v;
        }
        for (v, &j) in x.iter().zip(others) {
            s = s * x[j] + v;
        }
        s * others.len() as f64 + x[others[1]]
    }
    #[adjoint]
    fn h(x: &[f64]) -> f64 {
        let g = Graph { to: vec![1, 2, 0, 0, 1], starts: vec![0, 2, 3, 5] };
        zipped(&g, x)
    }
    #[test]
    fn derivatives_of_named() {
        super::assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; h);
    }
}
