//! What tells the types of variables: defaults, lengths of arguments; plain data in tuples, and what has no derivative.
#![allow(clippy::all, dead_code, reason = "as users write it")]

use crate::differences::assert_derivatives;

mod defaults {
    use backsweep::{Differentiable, adjoint};
    #[derive(Clone, Default, Differentiable)]
    pub struct Network {
        rates: Vec<f64>,
        n: usize,
    }
    #[derive(Clone, Copy, Differentiable)]
    pub struct P {
        a: f64,
        b: f64,
    }
    impl Default for P {
        fn default() -> Self {
            P { a: 2.0, b: 0.5 }
        }
    }
    #[adjoint]
    impl Network {
        fn add(&mut self, k: f64) {
            self.rates.push(k);
            self.n += 1;
        }
        fn total(&self, g: impl Fn(f64) -> f64) -> f64 {
            self.rates.iter().map(|&k| g(k)).sum()
        }
    }
    #[adjoint]
    impl P {
        fn at(&self, x: f64) -> f64 {
            self.a * x + self.b * x * x
        }
        fn scaled(k: f64) -> Self {
            let mut p = Self::default();
            p.a *= k;
            p
        }
    }
    #[adjoint]
    fn f1(x: &[f64]) -> f64 {
        let mut net = Network::default();
        net.rates.push(x[0]);
        net.rates[0] * x[1]
    }
    #[adjoint]
    fn f2(x: &[f64]) -> f64 {
        let mut net = Network::default();
        for v in x {
            net.add(v * v);
        }
        net.total(|t| x[1] * t) * net.n as f64
    }
    #[adjoint]
    fn f3(x: &[f64]) -> f64 {
        let mut p = P::default();
        p.b *= x[1];
        let q = P { a: x[0], ..Default::default() };
        let r = P { b: x[2], ..P::default() };
        p.at(x[2]) + q.at(x[1]) * r.at(x[0]) + P::scaled(x[1]).at(x[0])
    }
    #[test]
    fn of_structs() {
        super::assert_derivatives!([0.3, 1.2, 0.7], [1.0, 0.3, -0.4]; f1 f2 f3);
    }
}

mod cases {
    use backsweep::{Differentiable, adjoint};
    #[derive(Clone, Copy, PartialEq)]
    pub enum Link {
        Identity,
        Log,
    }
    #[derive(Clone, PartialEq, Debug)]
    pub enum Kind {
        Small,
        Big(usize),
    }
    #[derive(Clone, Copy, Differentiable)]
    pub enum Family {
        Gaussian { dispersion: f64 },
        Poisson,
    }
    #[adjoint]
    impl Link {
        fn inverse(self, eta: f64) -> f64 {
            match self {
                Link::Identity => eta,
                Link::Log => eta.exp(),
            }
        }
    }
    #[adjoint]
    impl Kind {
        fn scale(&self, x: f64) -> f64 {
            match self {
                Kind::Small => x,
                Kind::Big(n) => x * *n as f64,
            }
        }
    }
    #[adjoint]
    impl Family {
        fn variance(self, mu: f64) -> f64 {
            match self {
                Family::Gaussian { dispersion } => dispersion,
                Family::Poisson => mu,
            }
        }
    }
    const CASES: [(Link, f64); 2] = [(Link::Log, 0.3), (Link::Identity, 1.5)];
    #[adjoint]
    fn a(x: &[f64]) -> f64 {
        let cases = [(Link::Log, 0.3), (Link::Identity, 1.5)];
        let mut t = 0.0;
        for (link, y) in cases {
            t += y * link.inverse(x[0]);
        }
        for (link, y) in &cases {
            t += y * link.inverse(x[1]);
        }
        for &(link, y) in cases.iter() {
            t += y * link.inverse(x[1] * x[0]);
        }
        for (i, (link, y)) in cases.iter().enumerate() {
            t += y * link.inverse(x[i]);
        }
        t
    }
    #[adjoint]
    fn b(x: &[f64]) -> f64 {
        let mut t = 0.0;
        for (link, y) in CASES {
            t += y * link.inverse(x[0]);
        }
        for (link, y) in &CASES {
            t += y * link.inverse(x[1]);
        }
        t + CASES.iter().map(|(l, y)| l.inverse(y * x[2])).sum::<f64>()
    }
    #[adjoint]
    fn c(x: &[f64]) -> f64 {
        let cases = vec![(Kind::Small, 0.3), (Kind::Big(3), 1.5)];
        let mut t = 0.0;
        for (kind, y) in &cases {
            t += kind.scale(*y * x[0]) * y;
        }
        for (kind, y) in cases {
            t += kind.scale(y + x[1]);
        }
        t
    }
    #[adjoint]
    fn d(x: &[f64]) -> f64 {
        let cases =
            [(Link::Log, Family::Poisson), (Link::Identity, Family::Gaussian { dispersion: 0.5 })];
        let mut t = 0.0;
        for (link, family) in cases {
            t += family.variance(x[0]) * if link == Link::Log { x[1].exp() } else { x[0] };
        }
        t
    }
    #[adjoint]
    fn e(x: &[f64]) -> f64 {
        let terms = [("linear", 0.7), ("quadratic", 1.3)];
        let mut t = 0.0;
        for (name, c) in terms {
            t += if name == "linear" { c * x[2] } else { c * x[2] * x[2] };
        }
        let named = vec![("a".to_string(), 0.2), ("bc".to_string(), 0.9)];
        for (name, c) in &named {
            t += c * c * x[0] * name.len() as f64;
        }
        t
    }
    #[test]
    fn with_plain_data() {
        super::assert_derivatives!([0.3, 1.2, 0.7], [1.0, 0.3, -0.4]; a b c d e);
    }
}

mod failures {
    use backsweep::{Differentiable, adjoint};
    #[adjoint]
    fn step(x: &[f64]) -> Result<Vec<f64>, usize> {
        if x.is_empty() { Err(0) } else { Ok(x.iter().map(|v| v * v).collect()) }
    }
    #[adjoint]
    fn refined(b: &[f64]) -> Result<Vec<f64>, usize> {
        let mut x = b.to_vec();
        for (x, dx) in x.iter_mut().zip(step(b)?) {
            *x += dx;
        }
        for dx in step(&x)? {
            x[0] += dx.sin();
        }
        let s: f64 = step(&x)?.iter().map(|v| v * 0.5).sum();
        x[1] *= s;
        Ok(x)
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        refined(x).map_or(0.0, |v| v.iter().sum())
    }
    #[adjoint]
    fn solve<const P: usize>(b: [f64; P]) -> Option<[f64; P]> {
        if b[0] > 0.0 { Some(b.map(|v| v * v)) } else { None }
    }
    #[adjoint]
    fn fit<const P: usize>(x: [f64; P]) -> Option<[f64; P]> {
        let mut beta = x;
        let step = solve(beta)?;
        for (b, s) in beta.iter_mut().zip(step) {
            *b += s;
        }
        for (b, s) in beta.iter_mut().zip(solve(x)?) {
            *b += s;
        }
        Some(beta)
    }
    #[adjoint]
    fn mul<const N: usize, const M: usize>(a: &[[f64; M]; N], v: &[f64; M]) -> [f64; N] {
        let mut r = [0.0; N];
        for (r, row) in r.iter_mut().zip(a) {
            *r = row.iter().zip(v).map(|(a, b)| a * b).sum();
        }
        r
    }
    #[adjoint]
    fn g(x: &[f64]) -> f64 {
        let Some(b) = fit([x[0], x[1], x[2]]) else { return 0.0 };
        let a = [[x[0], x[1], x[2]], [x[2], x[0], 1.0]];
        let y = mul(&a, &b);
        let z = mul(&a, &[x[1], y[0], y[1]]);
        z.iter().zip(y).map(|(z, y)| z * y).sum()
    }
    #[derive(Debug)]
    pub enum Bad {
        Code(usize),
    }
    impl Bad {
        fn code(&self) -> usize {
            3
        }
    }
    impl std::fmt::Display for Bad {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("bad")
        }
    }
    #[adjoint]
    fn ln(x: f64) -> Result<f64, Bad> {
        if x > 0.0 { Ok(x.ln()) } else { Err(Bad::Code(2)) }
    }
    #[adjoint]
    fn h1(x: f64) -> Result<f64, usize> {
        let y = ln(x).map_err(|e| e.code())?;
        Ok(y * y)
    }
    #[adjoint]
    fn h2(x: f64) -> Result<f64, String> {
        let y = ln(x).map_err(|e| e.to_string())?;
        Ok(y * y)
    }
    #[adjoint]
    fn h3(x: f64) -> Result<f64, Box<dyn std::error::Error>> {
        let y = ln(x).map_err(|e| format!("{e:?}"))?;
        Ok(y * y)
    }
    #[adjoint]
    fn h4(x: f64) -> Result<f64, usize> {
        ln(x).map_err(|e| match e {
            Bad::Code(n) => n,
        })
    }
    #[adjoint]
    fn h(x: &[f64]) -> f64 {
        h1(x[0]).unwrap_or(0.0)
            + h2(x[1]).unwrap() * h3(x[2]).unwrap()
            + h4(x[0] * x[1]).unwrap_or(1.0)
    }
    #[derive(Clone, Differentiable)]
    pub struct Net {
        laws: Vec<f64>,
    }
    #[adjoint]
    impl Net {
        fn add(&mut self, forward: f64, reverse: Option<f64>) {
            self.laws.push(forward);
            if let Some(law) = reverse {
                self.laws.push(law);
            }
        }
    }
    #[adjoint]
    fn k(x: &[f64]) -> f64 {
        let mut net = Net { laws: vec![] };
        net.add(x[0], None);
        net.add(x[1], Some(x[2] * x[0]));
        net.laws[0] * x[0] + net.laws[2]
    }
    #[test]
    fn in_what_fails() {
        super::assert_derivatives!([0.3, 1.2, 0.7], [1.0, 0.3, -0.4]; f g h k);
    }
}

mod generators {
    use backsweep::{Differentiable, adjoint};
    pub struct Rng {
        state: u64,
        spare: Option<f64>,
        last: f64,
    }
    impl Rng {
        fn next(&mut self) -> f64 {
            self.state += 1;
            self.last = self.state as f64 * 0.1;
            self.last
        }
        fn store(&mut self, x: f64) {
            self.last = x;
        }
    }
    #[derive(Clone, Differentiable)]
    pub struct Model {
        a: f64,
    }
    #[adjoint]
    impl Model {
        #[adjoint(passive(rng))]
        fn path(&self, x: f64, rng: &mut Rng) -> f64 {
            let mut s = x;
            for _ in 0..3 {
                s += self.a * s * rng.next();
            }
            s
        }
    }
    #[adjoint]
    fn ok(x: &[f64]) -> f64 {
        let mut rng = Rng { state: 1, spare: None, last: 0.0 };
        let m = Model { a: x[1] };
        let mut t = 0.0;
        for k in 0..3 {
            t += m.path(x[0], &mut rng) * x[k];
        }
        t + rng.last * x[0]
    }
    #[test]
    fn lent_to_methods() {
        super::assert_derivatives!([0.3, 1.2, 0.7], [1.0, 0.3, -0.4]; ok);
    }
}

mod lent {
    use backsweep::adjoint;
    pub struct Rng {
        state: u64,
        spare: Option<f64>,
    }
    impl Rng {
        fn new(seed: u64) -> Self {
            Rng { state: seed, spare: None }
        }
        fn next_f64(&mut self) -> f64 {
            self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1);
            (self.state >> 11) as f64 / (1u64 << 53) as f64
        }
    }
    #[adjoint(passive(rng))]
    fn mean(sigma: f64, rng: &mut Rng) -> f64 {
        (0..4).map(|_| (sigma * rng.next_f64()).exp()).sum()
    }
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let mut rng = Rng::new(7);
        mean(x[0], &mut rng) + mean(x[1], &mut rng)
    }
    #[test]
    fn derivatives() {
        super::assert_derivatives!([0.1, 0.2], [0.1, 0.2]; f);
    }
}

mod tried {
    use backsweep::adjoint;
    #[adjoint]
    fn f(x: &[f64]) -> f64 {
        let [a, b, c] = x.try_into().expect("three parameters");
        let y = [a * b, c];
        let [p, q] = y[..].try_into().unwrap();
        let k: f64 = p * q;
        k + a
    }
    #[test]
    fn told_by_patterns() {
        super::assert_derivatives!([0.3, 0.7, 1.1], [0.1, 0.2, 0.3]; f);
    }
}
