//! Second derivatives of models with structs of parameters and of methods of them, against hyper-dual numbers: fields that have no
//! derivatives, generic structs, receivers, and gradients that are structs.

use crate::second_methods::{Entries, assert_all_near, assert_is_hessian};
use crate::second_structs::{entries, filled, flat};
use backsweep::{Differentiable, adjoint};
use num_dual::{DualNum, HyperDual64};

type Dual = HyperDual64;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Kernel {
    #[default]
    Linear,
    Cubic,
}

#[derive(Clone, Debug, Default, PartialEq, Differentiable)]
pub struct Noise {
    scale: f64,
}

/// With fields of all kinds: what has no derivatives is next to what has some.
#[derive(Clone, Debug, Default, PartialEq, Differentiable)]
pub struct Model {
    bias: f64,
    #[passive]
    rate: f64,
    weights: [f64; 2],
    order: usize,
    #[passive]
    noise: Noise,
    layers: Vec<Vec<f64>>,
    is_on: bool,
    own: Noise,
    name: String,
    #[passive]
    kernel: Kernel,
    #[passive]
    table: Vec<f64>,
    knots: Vec<f64>,
}

fn model() -> Model {
    Model {
        bias: 0.7,
        rate: 1.7,
        weights: [0.3, -0.8],
        order: 2,
        noise: Noise { scale: 2.3 },
        layers: vec![vec![1.2], vec![0.2, 0.4]],
        is_on: true,
        own: Noise { scale: 0.6 },
        name: "model".to_owned(),
        kernel: Kernel::Cubic,
        table: vec![0.3, 1.1, 0.8],
        knots: vec![0.9, 1.4],
    }
}

/// Fields that are marked are read in all ways: alone, by patterns, from copies, from structs that are made of others.
#[adjoint(independents(m), second_order)]
fn loss(m: &Model, data: &[f64]) -> f64 {
    let rate = m.rate;
    let Model { bias, weights: [a, b], noise, .. } = m;
    let mut sum = rate * bias * bias + m.noise.scale * a * b + noise.scale;
    for i in 0..m.order {
        sum += m.table[i] * m.knots[i] * sum * m.own.scale + data[i] * m.layers[1][i];
    }
    let mut other = Model { bias: sum * m.layers[0][0], rate: 2.0, ..m.clone() };
    other.own.scale *= other.rate;
    other.weights[0] = m.rate * other.bias;
    let scaled = Noise { scale: other.noise.scale * m.bias };
    if m.is_on {
        sum *= other.own.scale;
    }
    sum * other.weights[0] * scaled.scale * m.table[m.order] + other.bias * other.rate
}

fn loss_of(m: &[Dual], data: &[f64]) -> Dual {
    let (bias, a, b, first, second, own, knots) = (m[0], m[1], m[2], m[3], &m[4..6], m[6], &m[7..]);
    let mut sum = bias * bias * 1.7 + a * b * 2.3 + 2.3;
    for i in 0..2 {
        sum += sum * knots[i] * own * [0.3, 1.1][i] + second[i] * data[i];
    }
    let weight = sum * first;
    sum * own * 2.0 * weight * 1.7 * bias * 2.3 * 0.8 + weight * 2.0
}

#[test]
fn fields_without_derivatives() {
    let data = [0.4, -0.9];
    let entries = entries!(loss, model(), |m| (&m, &data), |d| (&m, &d, &data));
    assert_is_hessian(&entries, &flat(&model()), |m| loss_of(m, &data));
}

#[test]
fn what_a_direction_has_in_fields_without_derivatives_is_not_looked_at() {
    let (data, direction) = ([0.4, -0.9], model());
    let (value, gradient, product) = loss::hessian_vector(&model(), &direction, &data);
    let odd = Model {
        rate: 1e9,
        noise: Noise { scale: f64::NAN },
        order: 77,
        is_on: false,
        name: String::new(),
        kernel: Kernel::Linear,
        table: Vec::new(),
        ..direction
    };
    assert_eq!(
        loss::hessian_vector(&model(), &odd, &data),
        (value, gradient.clone(), product.clone())
    );
    // Gradient and product are zero bars of the value, to which is added: the rest is copied.
    for bar in [gradient, product] {
        assert_eq!(filled(&bar, &flat(&model())), model());
    }
}

/// Options on a market: structs by value, and one without derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable)]
pub struct Market {
    spot: f64,
    volatility: f64,
    rate: f64,
}

pub struct Contract {
    strike: f64,
    expiry: f64,
}

#[adjoint(second_order)]
fn normal(x: f64) -> f64 {
    1.0 / (1.0 + (-1.5976 * x - 0.07056 * x.powi(3)).exp())
}

#[adjoint(independents(market), passive(contract), second_order)]
fn call(market: Market, contract: &Contract) -> f64 {
    let Market { spot, volatility, rate } = market;
    let (strike, expiry) = (contract.strike, contract.expiry);
    let spread = volatility * expiry.sqrt();
    let d = ((spot / strike).ln() + (rate + 0.5 * volatility * volatility) * expiry) / spread;
    spot * normal(d) - strike * (-rate * expiry).exp() * normal(d - spread)
}

#[adjoint(independents(market), passive(contracts), second_order)]
fn book(market: &Market, contracts: &[Contract]) -> f64 {
    let mut sum = 0.0;
    for contract in contracts {
        let shifted =
            Market { volatility: market.volatility * (1.0 + 0.1 * market.rate), ..*market };
        sum += call(shifted, contract) * market.spot;
    }
    sum
}

fn call_of(spot: Dual, volatility: Dual, rate: Dual, contract: &Contract) -> Dual {
    let normal = |x: Dual| (-(x * 1.5976) - x.powi(3) * 0.07056).exp().recip_plus_one();
    let spread = volatility * contract.expiry.sqrt();
    let drift = (rate + volatility * volatility * 0.5) * contract.expiry;
    let d = ((spot / contract.strike).ln() + drift) / spread;
    spot * normal(d) - (-rate * contract.expiry).exp() * contract.strike * normal(d - spread)
}

trait RecipPlusOne {
    fn recip_plus_one(self) -> Self;
}

impl RecipPlusOne for Dual {
    fn recip_plus_one(self) -> Self {
        (self + 1.0).recip()
    }
}

#[test]
fn structs_by_value_and_structs_without_derivatives() {
    let contracts =
        [Contract { strike: 95.0, expiry: 0.5 }, Contract { strike: 110.0, expiry: 1.5 }];
    let at = [100.0, 0.25, 0.03];
    let one = &contracts[0];
    let entries = entries!(call, Market::default(), |m| (m, one), |d| (m, d, one));
    assert_is_hessian(&entries, &at, |m| call_of(m[0], m[1], m[2], one));
    let entries = entries!(book, Market::default(), |m| (&m, &contracts), |d| (&m, &d, &contracts));
    assert_is_hessian(&entries, &at, |m| {
        let volatility = m[1] * (m[2] * 0.1 + 1.0);
        let all = contracts.iter().map(|contract| call_of(m[0], volatility, m[2], contract) * m[0]);
        all.sum()
    });
}

/// A filter: functions that return structs, and that fail.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct State {
    mean: f64,
    variance: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Differentiable)]
pub struct Filter {
    decay: f64,
    process: f64,
    measured: f64,
    #[passive]
    start: f64,
}

#[adjoint(second_order)]
fn predicted(state: State, filter: &Filter) -> State {
    State {
        mean: filter.decay * state.mean,
        variance: filter.decay * filter.decay * state.variance + filter.process,
    }
}

#[adjoint(second_order)]
fn updated(state: &State, z: f64, filter: &Filter) -> Result<(State, f64), String> {
    let total = state.variance + filter.measured;
    if total <= 0.0 {
        return Err(format!("a variance of {total}"));
    }
    let (gain, r) = (state.variance / total, z - state.mean);
    let next = State { mean: state.mean + gain * r, variance: (1.0 - gain) * state.variance };
    Ok((next, 0.5 * (r * r / total + total.ln())))
}

#[adjoint(independents(filter), passive(z), second_order)]
fn surprise(filter: &Filter, z: &[f64]) -> Result<f64, String> {
    let mut state = State { mean: filter.start, variance: filter.process };
    let mut sum = 0.0;
    for v in z {
        state = predicted(state, filter);
        let (next, surprise) = updated(&state, *v, filter)?;
        state = next;
        sum += surprise;
    }
    Ok(sum)
}

#[test]
fn a_filter_that_may_fail() {
    let filter = Filter { decay: 0.9, process: 0.3, measured: 0.5, start: 0.2 };
    let (z, fine) = ([0.4, 0.9, -0.3, 0.7], "all variances are positive");
    let of = |x: &[f64]| filled(&filter, x);
    let entries = Entries {
        hessian: &|x| surprise::hessian(&of(x), &z).expect(fine),
        diagonal: &|x| surprise::hessian_diagonal(&of(x), &z).expect(fine),
        vector: &|x, d| {
            let (value, gradient, product) =
                surprise::hessian_vector(&of(x), &of(d), &z).expect(fine);
            (value, flat(&gradient), flat(&product))
        },
        gradient: &|x| {
            let (value, gradient) = surprise::gradient(&of(x), &z).expect(fine);
            assert_eq!(value.to_bits(), surprise(&of(x), &z).expect(fine).to_bits());
            (value, flat(&gradient))
        },
    };
    assert_is_hessian(&entries, &flat(&filter), |x| {
        let (mut mean, mut variance, mut sum) = (x[0] * 0.0 + 0.2, x[1], x[0] * 0.0);
        for v in z {
            (mean, variance) = (x[0] * mean, x[0] * x[0] * variance + x[1]);
            let total = variance + x[2];
            let (gain, r) = (variance / total, -mean + v);
            sum += (r * r / total + total.ln()) * 0.5;
            (mean, variance) = (mean + gain * r, variance - gain * variance);
        }
        sum
    });
    let failed = surprise::hessian(&Filter { measured: -9.0, ..filter }, &z);
    assert!(failed.is_err_and(|error| error.starts_with("a variance of -")));
}

/// Methods whose receivers are independents: passed by value, by reference, and changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable)]
pub struct Oscillator {
    mass: f64,
    at: f64,
    speed: f64,
    #[passive]
    dt: f64,
}

#[adjoint(second_order)]
impl Oscillator {
    #[adjoint(independents(self))]
    fn kinetic(&self) -> f64 {
        0.5 * self.mass * self.speed * self.speed
    }

    #[adjoint]
    fn moved(self, k: f64) -> Self {
        let at = self.at + self.dt * k * self.speed;
        Self { at, ..self }
    }

    #[adjoint]
    fn pushed(&mut self, force: f64) -> f64 {
        self.speed += self.dt * force / self.mass;
        let before = self.at;
        self.at *= self.speed;
        before * force
    }

    #[adjoint]
    fn damped(&mut self, by: f64) {
        self.speed *= by * self.at;
    }

    #[adjoint]
    fn at_rest(mass: f64, at: f64) -> Self {
        Self { mass, at, speed: 0.0, dt: 0.1 }
    }

    #[adjoint(independents(self, k))]
    fn action(&self, k: f64) -> f64 {
        let mut now: Self = *self;
        let mut sum = 0.0;
        for _ in 0..3 {
            now = now.moved(k);
            let force = -k * now.at;
            sum += Self::pushed(&mut now, force) * self.kinetic() + now.kinetic() * k;
            now.damped(k);
        }
        let other = Self::at_rest(k * k, now.at);
        sum * other.moved(k).at
    }
}

fn action_of(x: &[Dual]) -> Dual {
    let ([mass, mut at, mut speed, k], dt) = ([x[0], x[1], x[2], x[3]], 0.2);
    let kinetic = mass * speed * speed * 0.5;
    let mut sum = k * 0.0;
    for _ in 0..3 {
        at += k * speed * dt;
        let force = -k * at;
        speed += force / mass * dt;
        sum += at * force * kinetic + mass * speed * speed * 0.5 * k;
        at *= speed;
        speed *= k * at;
    }
    sum * at
}

#[test]
fn receivers_are_independents() {
    let oscillator = Oscillator { mass: 1.3, at: 0.4, speed: -0.7, dt: 0.2 };
    let entries = entries!(
        [Oscillator::kinetic] [Oscillator kinetic_hessian kinetic_hessian_diagonal kinetic_hessian_vector kinetic_gradient],
        oscillator, |o| (&o), |d| (&o, &d)
    );
    assert_is_hessian(&entries, &flat(&oscillator), |x| x[0] * x[2] * x[2] * 0.5);
    let template = (oscillator, 1.4);
    let entries = entries!(
        [Oscillator::action] [Oscillator action_hessian action_hessian_diagonal action_hessian_vector action_gradient],
        template, |(o, k)| (&o, k), |(d, k_d)| (&o, &d, k, k_d)
    );
    assert_is_hessian(&entries, &flat(&template), action_of);
}

/// Of a function whose receiver is known by its type only.
#[adjoint(independents(o, k), second_order)]
fn of_methods(o: &Oscillator, k: f64) -> f64 {
    let mut other: Oscillator = o.moved(k);
    let done = Oscillator::pushed(&mut other, k);
    other.damped(done);
    done * Oscillator::kinetic(&other) * other.at
}

#[test]
fn functions_call_methods_of_independents() {
    let template = (Oscillator { mass: 1.3, at: 0.4, speed: -0.7, dt: 0.2 }, 1.4);
    let entries = entries!(of_methods, template, |(o, k)| (&o, k), |(d, k_d)| (&o, &d, k, k_d));
    assert_is_hessian(&entries, &flat(&template), |x| {
        let at = x[1] + x[3] * x[2] * 0.2;
        let speed = x[2] + x[3] / x[0] * 0.2;
        let (done, after) = (at * x[3], at * speed);
        let damped = speed * done * after;
        done * (x[0] * damped * damped * 0.5) * after
    });
}

/// Generic structs, those of lists and of arrays of some length.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Pair<T> {
    first: T,
    rest: Vec<T>,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Series<const N: usize>(f64, [f64; N]);

#[adjoint(independents(p), second_order)]
fn mixed(p: &Pair<f64>) -> f64 {
    let mut q = p.clone();
    let mut v = p.rest.clone();
    for i in 0..2 {
        q.first = q.first * q.rest[i] + v[i];
        v[i] = q.first * v[1 - i];
        q.rest[1] = v[0];
    }
    let r = Pair { first: v[0], rest: vec![q.first, q.rest[1] * 2.0] };
    q.first * r.first + r.rest[0] * r.rest[1]
}

#[adjoint(independents(series), second_order)]
fn horner<const N: usize>(series: Series<N>, at: f64) -> f64 {
    let mut sum = series.0;
    for i in 0..N {
        sum = sum * series.1[i] + at;
    }
    sum * series.0
}

#[test]
fn generic_structs() {
    let pair = Pair { first: 0.6, rest: vec![0.4, 1.2] };
    let entries = entries!(mixed, pair, |p| (&p), |d| (&p, &d));
    assert_is_hessian(&entries, &flat(&pair), |x| {
        let (mut first, mut rest, mut v) = (x[0], [x[1], x[2]], [x[1], x[2]]);
        for i in 0..2 {
            first = first * rest[i] + v[i];
            v[i] = first * v[1 - i];
            rest[1] = v[0];
        }
        first * v[0] + first * rest[1] * 2.0
    });
    let series = Series(0.4, [0.7, -0.4, 1.2]);
    let entries = entries!(horner, series, |s| (s, 0.3), |d| (s, d, 0.3));
    assert_is_hessian(&entries, &flat(&series), |x| {
        (1..4).fold(x[0], |sum, i| sum * x[i] + 0.3) * x[0]
    });
}

/// Structs that exchange values, and choices between structs.
#[adjoint(independents(m), second_order)]
fn exchanged(m: &Model, c: f64) -> f64 {
    let mut q = m.clone();
    let mut r = Model { bias: m.weights[0] * m.weights[0], ..m.clone() };
    std::mem::swap(&mut q.bias, &mut q.weights[1]);
    std::mem::swap(&mut q, &mut r);
    std::mem::swap(&mut q.own, &mut r.own);
    let best = if q.bias > c { q.clone() } else { Model { bias: q.bias * c, ..r.clone() } };
    best.bias * r.bias * q.own.scale * r.weights[1] * q.rate + best.weights[1]
}

#[test]
fn structs_that_exchange_values() {
    for (c, is_above) in [(0.01, true), (0.5, false)] {
        let entries = entries!(exchanged, model(), |m| (&m, c), |d| (&m, &d, c));
        assert_is_hessian(&entries, &flat(&model()), |m| {
            let bias = m[1] * m[1];
            let (best, weight) = if is_above { (bias, m[2]) } else { (bias * c, m[0]) };
            best * m[2] * m[6] * m[0] * 1.7 + weight
        });
    }
}

/// A gradient that is a struct, in active code: a step of descent on an energy with parameters.
#[adjoint(independents(o, k), second_order)]
fn well(o: &Oscillator, k: f64) -> f64 {
    (o.at * o.at * o.speed + o.speed.sin()) * k * o.dt * o.mass
}

#[adjoint(independents(o, k))]
fn descended(o: &Oscillator, k: f64) -> f64 {
    let (value, (g, g_k)) = well::gradient(o, k);
    let (_, slope) = well::tangent(o, o, k, value);
    g.at * g.speed * o.at + slope * g_k
}

#[test]
fn gradients_are_structs_in_active_code() {
    let template = (Oscillator { mass: 1.3, at: 0.7, speed: 0.4, dt: 0.2 }, 1.4);
    let (value, gradient) = descended::gradient(&template.0, template.1);
    assert_eq!(value.to_bits(), descended(&template.0, template.1).to_bits());
    let reference = |x: &[Dual]| {
        let ([mass, at, speed, k], dt) = ([x[0], x[1], x[2], x[3]], 0.2);
        let inner = at * at * speed + speed.sin();
        let (in_at, in_speed) = (at * speed * 2.0, at * at + speed.cos());
        let value = inner * k * mass * dt;
        // Along the value itself; the field that is marked counts for nothing.
        let slope = (in_at * at + in_speed * speed) * k * mass * dt + value + value * (value / k);
        in_at * in_speed * (k * mass * dt).powi(2) * at + slope * (value / k)
    };
    let expected: Vec<f64> = (0..4)
        .map(|i| {
            let number =
                |(k, x): (usize, &f64)| Dual::new(*x, f64::from(u8::from(i == k)), 0.0, 0.0);
            reference(&flat(&template).iter().enumerate().map(number).collect::<Vec<_>>()).eps1
        })
        .collect();
    assert_all_near(&flat(&gradient), &expected);
    let direction = filled(&template, &[0.3, -0.2, 0.5, 0.9]);
    let (_, slope) = descended::tangent(&template.0, &direction.0, template.1, direction.1);
    let along = expected.iter().zip(flat(&direction)).map(|(g, d)| g * d).sum::<f64>();
    assert_all_near(&[slope], &[along]);
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Single {
    x: f32,
    y: f32,
}

#[adjoint(independents(s), second_order)]
fn narrow(s: Single) -> f32 {
    let t = Single { x: s.x * s.y, ..s };
    t.x * t.x * t.y
}

#[test]
fn structs_of_narrow_floats() {
    // x² y³ at x = 0.5, y = 2.
    let s = Single { x: 0.5, y: 2.0 };
    assert_eq!(narrow::hessian(s), [16.0, 12.0, 12.0, 3.0]);
    assert_eq!(narrow::hessian_diagonal(s), [16.0, 3.0]);
}
