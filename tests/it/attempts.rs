//! Methods and functions that are given a `&mut` and may fail, of which the caller goes on: an elimination in place, a step that is refused.

#![allow(clippy::ptr_arg, clippy::useless_vec, dead_code, reason = "as users write it")]

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

/// Steps in place, of parts and elements, in loops and methods.
mod simulations {
    use backsweep::{Differentiable, adjoint};

    #[derive(Clone, Debug, Differentiable)]
    struct State {
        y: Vec<f64>,
        t: f64,
    }

    #[derive(Clone, Debug, Differentiable)]
    struct Sim {
        state: State,
        h: f64,
        log: Vec<f64>,
    }

    #[derive(Debug)]
    enum Fail {
        Small,
        Large(usize),
    }

    #[adjoint]
    impl State {
        fn step(&mut self, h: f64) -> Result<f64, Fail> {
            if self.y[0].abs() < 1e-9 {
                return Err(Fail::Small);
            }
            for i in 0..self.y.len() {
                self.y[i] += h * self.y[0] * (i as f64 + 1.0);
            }
            self.t += h;
            if self.t > 10.0 {
                return Err(Fail::Large(self.y.len()));
            }
            Ok(self.y[0] * self.t)
        }
        fn grow(&mut self, v: f64) -> Option<()> {
            if v < 0.0 {
                return None;
            }
            self.y.push(v * self.t);
            Some(())
        }
    }

    #[adjoint]
    impl Sim {
        fn run(&mut self, n: usize) -> f64 {
            let mut e = 0.0;
            for _ in 0..n {
                match self.state.step(self.h) {
                    Ok(v) => {
                        e += v;
                        self.log.push(v);
                        self.h *= 0.9;
                    }
                    Err(Fail::Small) => {
                        self.state = State { y: vec![e; 3], t: 1.0 };
                        return e;
                    }
                    Err(Fail::Large(_)) => {
                        self.state = State { y: vec![e; 2], t: 0.0 };
                    }
                }
            }
            e + self.log.iter().sum::<f64>() * self.h + self.state.t
        }
        fn nested(&mut self) -> Result<f64, Fail> {
            let a = self.state.step(self.h)?;
            let b = match self.state.step(a * 0.01) {
                Ok(b) => b,
                Err(e) => {
                    self.state.t = 0.0;
                    self.state.y.clear();
                    return Err(e);
                }
            };
            Ok(a * b)
        }
    }

    #[adjoint]
    fn drive(s: &State, h: f64) -> f64 {
        let mut s = s.clone();
        let Ok(a) = s.step(h) else { return -1.0 };
        if s.grow(a).is_none() {
            return 0.0;
        }
        a * s.y[s.y.len() - 1]
    }

    #[adjoint]
    pub fn stepped(x: &[f64]) -> f64 {
        let mut sim =
            Sim { state: State { y: vec![x[0], x[1]], t: x[2] }, h: x[3] * 0.1, log: vec![] };
        sim.run(4) * sim.state.y[1]
    }

    #[adjoint]
    pub fn refused(x: &[f64]) -> f64 {
        let mut sim = Sim {
            state: State { y: vec![x[0], x[1]], t: 9.5 + x[2] * 0.1 },
            h: x[3] * 0.1,
            log: vec![],
        };
        let first = sim.h * x[0];
        first + sim.run(6)
    }

    #[adjoint]
    pub fn driven(x: &[f64]) -> f64 {
        let s = State { y: x.to_vec(), t: x[1] };
        let a = drive(&s, x[3]);
        let b = drive(&s, x[2] * a);
        a * b + s.y.iter().map(|y| y * y).sum::<f64>() + s.t
    }

    #[adjoint]
    pub fn nested(x: &[f64]) -> f64 {
        let mut sim =
            Sim { state: State { y: vec![x[0], x[1]], t: x[2] }, h: x[3] * 0.1, log: vec![x[0]] };
        if let Ok(v) = sim.nested() { v * sim.state.y[0] * sim.log[0] } else { x[0] * x[1] }
    }

    #[adjoint]
    pub fn listed(x: &[f64]) -> f64 {
        let mut all = vec![State { y: x.to_vec(), t: x[1] }, State { y: x[1..].to_vec(), t: x[0] }];
        let mut e = 0.0;
        for i in 0..2 {
            let Ok(v) = all[i].step(x[i]) else { return e };
            e += v * all[i].t;
        }
        let mut k = 0;
        while let Ok(v) = all[0].step(0.5) {
            e += v.sin();
            k += 1;
            if k > 2 {
                break;
            }
        }
        e
    }
    /// What is emptied before a failure has no way back.
    #[adjoint]
    fn emptied(s: &mut Sim, x: f64) -> Result<f64, String> {
        if s.h < 0.0 {
            s.state.y.clear();
            return Err("a negative step".into());
        }
        s.h *= x;
        Ok(s.h * s.state.y[0])
    }

    #[adjoint]
    pub fn cleared(x: &[f64]) -> Result<f64, String> {
        let mut sim = Sim { state: State { y: x.to_vec(), t: x[1] }, h: x[3], log: vec![] };
        emptied(&mut sim, x[2])
    }
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
    use simulations::{cleared, driven, listed, nested, refused, stepped};
    assert_derivatives!(at, [1.0, -1.0, 0.5, 0.25]; stepped refused driven nested listed);
    assert_eq!(cleared::gradient(&at).unwrap().1, [0.4 * 2.0, 0.0, 0.7 * 2.0, 0.7 * 0.4]);
    assert!(cleared::gradient(&[0.7, 1.3, 0.4, -2.0]).is_err());
}
