//! Functions inside of functions that call each other; lists that payloads hold; integers that methods tell; `iter::zip`.
#![allow(clippy::all, dead_code, reason = "as users write it")]

use crate::differences::assert_derivatives;

mod functions {
    use backsweep::adjoint;
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        fn pick(u: f64, v: f64) -> f64 {
            if u > v {
                return u * v;
            }
            square(u - v) + cube(v)
        }
        fn square(t: f64) -> f64 {
            t * t
        }
        fn cube(t: f64) -> f64 {
            t * square(t)
        }
        pick(x[0], 2.0 * x[1]) + cube(x[2]) * pick(x[1], x[0])
    }
    #[test]
    fn derivatives() {
        super::assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; f);
    }
}

mod payloads {
    use backsweep::{Differentiable, adjoint};
    #[derive(Clone, Debug, Differentiable)]
    enum Phase {
        Idle(f64),
        Cooling(Vec<f64>),
    }
    #[adjoint]
    impl Phase {
        fn damp(&mut self, k: f64) {
            match self {
                Phase::Idle(t) => *t *= k,
                Phase::Cooling(v) => v.swap(0, 1),
            }
        }
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let mut p = Phase::Cooling(vec![x[0], x[1] * x[2], x[2]]);
        p.damp(2.0);
        let mut q = Phase::Idle(x[0]);
        q.damp(x[1]);
        match (p, q) {
            (Phase::Cooling(v), Phase::Idle(t)) => v[0] * v[1].sin() * t,
            _ => 0.0,
        }
    }
    #[test]
    fn derivatives() {
        super::assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; f);
    }
}

mod zipped {
    use backsweep::adjoint;
    use std::iter::zip;
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let w = vec![x[0] * 2.0, x[1], x[2].sin()];
        let s: f64 = zip(x, &w).map(|(a, b)| a * b).sum();
        let mut y = x.to_vec();
        for (y, w) in std::iter::zip(&mut y, w) {
            *y *= w;
        }
        s + y.iter().sum::<f64>()
    }
    #[test]
    fn derivatives() {
        super::assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; f);
    }
}

mod depths {
    use backsweep::{Differentiable, adjoint};
    #[derive(Clone, Debug, Differentiable)]
    struct Tree {
        v: Vec<f64>,
        #[passive]
        left: Vec<usize>,
    }
    impl Tree {
        fn depth(&self, at: usize) -> usize {
            if at == 0 { 1 } else { 1 + self.depth(self.left[at]) }
        }
    }
    #[derive(Clone, Copy, Debug, Default, Differentiable)]
    struct V2 {
        x: f64,
        y: f64,
    }
    #[derive(Clone, Debug, Differentiable)]
    struct System {
        at: Vec<V2>,
        f: Vec<V2>,
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let t = Tree { v: x.to_vec(), left: vec![0, 0, 1] };
        let n = 2;
        let mut s = System { at: vec![V2 { x: x[0], y: x[1] }], f: vec![V2::default(); n] };
        s.f[0].x = s.at[0].y;
        t.v[0] * t.v[1] * t.depth(2) as f64 + s.f[0].x * s.at[0].x + s.f[1].y
    }
    #[test]
    fn derivatives() {
        super::assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; f);
    }
}
