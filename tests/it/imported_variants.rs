//! Variants that are called by their names, since a module or a function imports them; other imports of functions.
#![allow(clippy::all, dead_code, reason = "as users write it")]

use crate::differences::assert_derivatives;

mod kernels {
    use backsweep::{Differentiable, adjoint};
    use std::ops::Add;
    #[derive(Clone, Debug, Differentiable)]
    pub enum Kernel {
        White(f64),
        Linear { offset: f64, slope: f64 },
        Nothing,
        Sum(Box<Kernel>, Box<Kernel>),
    }
    use Kernel::*;
    #[adjoint]
    impl Kernel {
        fn eval(&self, a: f64) -> f64 {
            match self {
                White(noise) => noise * noise,
                Linear { offset, slope } => slope * a - offset,
                Nothing => 1.0,
                Sum(l, r) => l.eval(a) * r.eval(a),
            }
        }
        fn bent(&self) -> f64 {
            if let Linear { slope, .. } = self { slope.sin() } else { 0.0 }
        }
    }
    #[adjoint]
    impl Add for Kernel {
        type Output = Kernel;
        fn add(self, other: Kernel) -> Kernel {
            Sum(Box::new(self), Box::new(other))
        }
    }
    mod shapes {
        use backsweep::Differentiable;
        #[derive(Clone, Copy, Debug, Differentiable)]
        pub enum Shape {
            Disc { r: f64 },
            Square(f64),
            Empty,
        }
    }
    mod areas {
        use super::shapes::Shape::{self, Disc, Empty, Square};
        use backsweep::adjoint;
        #[adjoint]
        pub fn area(s: &Shape) -> f64 {
            match *s {
                Disc { r } => 3.0 * r * r,
                Square(a) if a > 0.0 => a * a,
                Square(_) | Empty => 0.0,
            }
        }
        #[adjoint]
        pub fn total(x: &[f64]) -> f64 {
            let all = [Disc { r: x[0] }, Square(x[1]), Empty, Square(x[2] * x[0])];
            all.iter().map(area).sum()
        }
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let k = White(x[0]) + Linear { offset: x[1], slope: x[2] };
        let n = Nothing + k.clone();
        let parts: Vec<Kernel> = x.iter().map(|v| White(v * v)).collect();
        k.eval(0.7)
            + n.eval(x[0])
            + parts.iter().map(|p| p.eval(1.0)).sum::<f64>()
            + Linear { offset: 0.0, slope: x[1] }.bent()
    }
    #[adjoint]
    fn g(x: &[f64]) -> f64 {
        areas::total(x)
    }
    #[test]
    fn of_modules_and_functions() {
        super::assert_derivatives!([0.3, 1.2, 0.7], [1.0, 0.3, -0.4]; f g);
    }
    #[adjoint]
    fn h(x: &[f64]) -> f64 {
        use shapes::Shape::*;
        let s = if x[0] > 0.0 { Disc { r: x[1] } } else { Square(x[0]) };
        match s {
            Disc { r } => r * x[2],
            Square(a) => a,
            Empty => 0.0,
        }
    }
    #[adjoint]
    fn k(x: &[f64]) -> f64 {
        use shapes::Shape::{Disc, Empty, Square};
        let all: Vec<shapes::Shape> = vec![Disc { r: x[1] }, Square(x[0]), Empty];
        let mut t = 0.0;
        for s in &all {
            t += match s {
                Disc { r } => r * x[2],
                Square(a) => a.exp(),
                Empty => 0.5 * x[0],
            };
        }
        t
    }
    #[test]
    fn r12b() {
        super::assert_derivatives!([0.3, 1.2, 0.7], [1.0, 0.3, -0.4]; h k);
    }
}

mod waves {
    use backsweep::{Differentiable, adjoint};
    #[derive(Clone, Differentiable)]
    pub struct Wave {
        modes: Vec<Mode>,
        phase: f64,
    }
    #[derive(Clone, Differentiable)]
    pub struct Mode {
        a: f64,
        k: f64,
    }
    #[adjoint]
    impl Wave {
        fn at(&self, t: f64) -> f64 {
            use std::f64::consts::{PI, TAU};
            let mut s = 0.0;
            for m in &self.modes {
                s += m.a * (TAU * m.k * t + self.phase * PI).sin();
            }
            s + self.modes.iter().map(|m| m.a).sum::<f64>()
        }
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        use std::collections::HashMap;
        let w =
            Wave { modes: x.chunks(2).map(|c| Mode { a: c[0], k: c[1] }).collect(), phase: x[0] };
        let mut m: HashMap<usize, usize> = HashMap::new();
        m.insert(1, 2);
        w.at(x[1]) * m[&1] as f64
    }
    #[test]
    fn other_imports() {
        super::assert_derivatives!([0.3, 1.2, 0.7, 0.9], [1.0, 0.3, -0.4, 0.2]; f);
    }
}

mod asserted {
    use backsweep::{Differentiable, adjoint};
    #[derive(Clone, Copy, Debug, Differentiable)]
    pub enum Shape {
        Disc { r: f64 },
        Square(f64),
        Empty,
    }
    #[adjoint]
    fn h(x: &[f64]) -> f64 {
        let s = if x[0] > 0.0 { Shape::Disc { r: x[1] } } else { Shape::Square(x[0]) };
        debug_assert!(!matches!(s, Shape::Empty));
        match s {
            Shape::Disc { r } => r * x[2],
            Shape::Square(a) => a,
            Shape::Empty => 0.0,
        }
    }

    #[test]
    fn what_is_asserted() {
        super::assert_derivatives!([0.3, 1.2, 0.7], [1.0, 0.3, -0.4]; h);
    }
}
