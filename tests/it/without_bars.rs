//! Values of types without derivatives, in fields, tuples, lists and variables, are stored whatever they are: an enum of activations, the
//! stage of an envelope, bonds, a model with observations. The programs are written as users write them.
#![allow(
    clippy::needless_range_loop,
    clippy::should_implement_trait,
    dead_code,
    reason = "as users write it"
)]

use crate::differences::assert_derivatives;

/// A network: a passive enum without a default in a field, and in tuples that a loop takes apart.
mod network {
    use backsweep::{Differentiable, adjoint};

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Activation {
        Identity,
        Relu,
        Tanh,
        Leaky,
    }

    impl Activation {
        #[adjoint]
        fn apply(&self, v: f64) -> f64 {
            match *self {
                Activation::Identity => v,
                Activation::Relu => v.max(0.0),
                Activation::Tanh => v.tanh(),
                Activation::Leaky => {
                    if v > 0.0 {
                        v
                    } else {
                        0.01 * v
                    }
                }
            }
        }
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Layer {
        weights: Vec<Vec<f64>>,
        bias: Vec<f64>,
        #[passive]
        activation: Activation,
    }

    impl Layer {
        #[adjoint]
        fn from_slice(p: &[f64], rows: usize, cols: usize, activation: Activation) -> Self {
            let weights = (0..rows).map(|i| p[i * cols..(i + 1) * cols].to_vec()).collect();
            let bias = p[rows * cols..rows * cols + rows].to_vec();
            Self { weights, bias, activation }
        }

        #[adjoint]
        fn forward(&self, input: &[f64]) -> Vec<f64> {
            self.weights
                .iter()
                .zip(&self.bias)
                .map(|(row, b)| {
                    let z = row.iter().zip(input).map(|(w, x)| w * x).sum::<f64>() + b;
                    self.activation.apply(z)
                })
                .collect()
        }
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Network {
        layers: Vec<Layer>,
    }

    impl Network {
        #[adjoint]
        fn new(p: &[f64]) -> Network {
            let mut layers = Vec::new();
            let mut at = 0;
            for (rows, cols, act) in
                [(3, 2, Activation::Tanh), (2, 3, Activation::Leaky), (1, 2, Activation::Identity)]
            {
                let size = rows * cols + rows;
                layers.push(Layer::from_slice(&p[at..at + size], rows, cols, act));
                at += size;
            }
            Network { layers }
        }

        #[adjoint]
        fn predict(&self, input: &[f64]) -> Vec<f64> {
            let mut a = input.to_vec();
            for layer in &self.layers {
                a = layer.forward(&a);
            }
            a
        }
    }

    #[adjoint]
    pub fn loss(p: &[f64]) -> f64 {
        let net = Network::new(p);
        let data = [([0.1, 0.5], 0.3), ([0.7, -0.2], -0.4), ([-0.3, 0.9], 0.8)];
        let mut total = 0.0;
        for (x, y) in data.iter() {
            let out = net.predict(x);
            total += (out[0] - y).powi(2);
        }
        total / data.len() as f64
    }
}

/// A curve and bonds: a loop over an iterator that is not known is left by `?`.
mod bonds {
    use backsweep::{Differentiable, adjoint};

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Compounding {
        Continuous,
        Annual,
        Simple,
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Curve {
        #[passive]
        times: Vec<f64>,
        zeros: Vec<f64>,
        #[passive]
        compounding: Compounding,
    }

    #[derive(Debug)]
    pub enum CurveError {
        Empty,
        OutOfRange { time: f64, max: f64 },
    }

    #[adjoint]
    impl Curve {
        pub fn zero(&self, t: f64) -> Result<f64, CurveError> {
            let last = *self.times.last().ok_or(CurveError::Empty)?;
            if t > last {
                return Err(CurveError::OutOfRange { time: t, max: last });
            }
            if t <= self.times[0] {
                return Ok(self.zeros[0]);
            }
            let i = self.times.partition_point(|&x| x < t);
            let w = (t - self.times[i - 1]) / (self.times[i] - self.times[i - 1]);
            Ok((1.0 - w) * self.zeros[i - 1] + w * self.zeros[i])
        }

        pub fn discount(&self, t: f64) -> Result<f64, CurveError> {
            let z = self.zero(t)?;
            Ok(match self.compounding {
                Compounding::Continuous => (-z * t).exp(),
                Compounding::Annual => (1.0 + z).powf(-t),
                Compounding::Simple => 1.0 / (1.0 + z * t),
            })
        }
    }

    #[derive(Clone, Debug)]
    pub struct Bond {
        coupon: f64,
        maturity: u32,
        frequency: u32,
    }

    impl Bond {
        fn cashflows(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
            let n = self.maturity * self.frequency;
            (1..=n).map(move |i| {
                let t = i as f64 / self.frequency as f64;
                let amount = self.coupon / self.frequency as f64 + if i == n { 1.0 } else { 0.0 };
                (t, amount)
            })
        }
    }

    #[adjoint(independents(curve), passive(bond))]
    pub fn price(bond: &Bond, curve: &Curve) -> Result<f64, CurveError> {
        let mut pv = 0.0;
        for (t, amount) in bond.cashflows() {
            pv += amount * curve.discount(t)?;
        }
        Ok(pv)
    }

    #[adjoint]
    pub fn portfolio(z: &[f64]) -> f64 {
        let curve = Curve {
            times: vec![1.0, 2.0, 5.0, 10.0],
            zeros: z.to_vec(),
            compounding: Compounding::Annual,
        };
        let bonds = [
            Bond { coupon: 0.05, maturity: 3, frequency: 2 },
            Bond { coupon: 0.02, maturity: 7, frequency: 1 },
        ];
        let mut total = 0.0;
        for b in &bonds {
            total += price(b, &curve).unwrap_or(f64::NAN);
        }
        total
    }
}

/// Filters and an envelope, which goes through stages.
mod filters {
    use backsweep::{Differentiable, adjoint};
    use std::f64::consts::PI;

    #[derive(Clone, Copy, Debug, Default, Differentiable)]
    pub struct Biquad {
        b0: f64,
        b1: f64,
        b2: f64,
        a1: f64,
        a2: f64,
        z1: f64,
        z2: f64,
    }

    #[adjoint]
    impl Biquad {
        pub fn low_pass(rate: f64, cutoff: f64, q: f64) -> Self {
            let w = 2.0 * PI * cutoff / rate;
            let alpha = w.sin() / (2.0 * q);
            let a0 = 1.0 + alpha;
            Self {
                b0: (1.0 - w.cos()) / 2.0 / a0,
                b1: (1.0 - w.cos()) / a0,
                b2: (1.0 - w.cos()) / 2.0 / a0,
                a1: -2.0 * w.cos() / a0,
                a2: (1.0 - alpha) / a0,
                ..Default::default()
            }
        }

        #[inline]
        pub fn process(&mut self, x: f64) -> f64 {
            let y = self.b0 * x + self.z1;
            self.z1 = self.b1 * x - self.a1 * y + self.z2;
            self.z2 = self.b2 * x - self.a2 * y;
            y
        }

        pub fn process_block(&mut self, block: &mut [f64]) {
            for s in block {
                *s = self.process(*s);
            }
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Stage {
        Idle,
        Attack,
        Decay,
        Sustain,
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Envelope {
        attack: f64,
        decay: f64,
        sustain: f64,
        level: f64,
        #[passive]
        stage: Stage,
    }

    impl Envelope {
        #[adjoint]
        pub fn next(&mut self) -> f64 {
            match self.stage {
                Stage::Idle => self.level = 0.0,
                Stage::Attack => {
                    self.level += self.attack;
                    if self.level >= 1.0 {
                        self.level = 1.0;
                        self.stage = Stage::Decay;
                    }
                }
                Stage::Decay => {
                    self.level *= 1.0 - self.decay;
                    if self.level <= self.sustain {
                        self.level = self.sustain;
                        self.stage = Stage::Sustain;
                    }
                }
                Stage::Sustain => (),
            }
            self.level
        }
    }

    #[adjoint]
    pub fn energy(p: &[f64]) -> f64 {
        let mut filters =
            [Biquad::low_pass(100.0, p[0], p[1]), Biquad::low_pass(100.0, 2.0 * p[0], 0.7)];
        let mut env =
            Envelope { attack: p[2], decay: p[3], sustain: p[4], level: 0.0, stage: Stage::Attack };
        let mut buffer = [0.0; 16];
        for (i, s) in buffer.iter_mut().enumerate() {
            *s = if i % 4 < 2 { 1.0 } else { -1.0 } * env.next();
        }
        for f in filters.iter_mut() {
            f.process_block(&mut buffer);
        }
        buffer.chunks(4).map(|b| b.iter().map(|v| v * v).sum::<f64>().sqrt()).sum()
    }
}

/// A model with a length as a parameter, which is no parameter of any attribute.
mod markov {
    use backsweep::adjoint;

    #[adjoint]
    fn log_sum_exp(v: &[f64]) -> f64 {
        let m = v.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
        if m == f64::NEG_INFINITY {
            return m;
        }
        m + v.iter().map(|x| (x - m).exp()).sum::<f64>().ln()
    }

    #[adjoint]
    fn log_softmax(v: &[f64]) -> Vec<f64> {
        let z = log_sum_exp(v);
        v.iter().map(|x| x - z).collect()
    }

    pub struct Hmm<const S: usize> {
        observations: [usize; 5],
    }

    impl<const S: usize> Hmm<S> {
        #[adjoint(independents(params))]
        pub fn forward(&self, params: &[f64], symbols: usize) -> f64 {
            let (init, rest) = params.split_at(S);
            let (trans, emit) = rest.split_at(S * S);
            let init = log_softmax(init);
            let trans: Vec<Vec<f64>> = trans.chunks(S).map(log_softmax).collect();
            let emit: Vec<Vec<f64>> = emit.chunks_exact(symbols).map(log_softmax).collect();
            let mut alpha = [0.0; S];
            for s in 0..S {
                alpha[s] = init[s] + emit[s][self.observations[0]];
            }
            for &o in &self.observations[1..] {
                let mut next = [f64::NEG_INFINITY; S];
                for (j, slot) in next.iter_mut().enumerate() {
                    let terms: Vec<f64> = (0..S).map(|i| alpha[i] + trans[i][j]).collect();
                    *slot = log_sum_exp(&terms) + emit[j][o];
                }
                alpha = next;
            }
            log_sum_exp(&alpha)
        }
    }

    #[adjoint]
    pub fn likelihood(p: &[f64]) -> f64 {
        let hmm = Hmm::<2> { observations: [0, 1, 1, 2, 0] };
        hmm.forward(p, 3)
    }
}

#[test]
fn derivatives_are_those_of_differences() {
    use {bonds::portfolio, filters::energy, markov::likelihood, network::loss};
    let at: [f64; 20] = std::array::from_fn(|i| ((i * 7 % 11) as f64 - 5.0) * 0.13 + 0.01);
    let along: [f64; 20] = std::array::from_fn(|i| ((i * 5 % 7) as f64 - 3.0) * 0.3);
    assert_derivatives!(at, along; loss);
    assert_derivatives!([0.01, 0.015, 0.02, 0.03], [1.0, 0.3, -0.7, 0.5]; portfolio);
    assert_derivatives!([10.0, 0.8, 0.3, 0.1, 0.5], [1.0, 0.3, -0.1, 0.05, 0.2]; energy);
    let (at, along) =
        (*at.first_chunk::<12>().expect("20"), *along.first_chunk::<12>().expect("20"));
    assert_derivatives!(at, along; likelihood);
}
