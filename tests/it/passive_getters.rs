//! Getters of what is marked `#[passive]`: what they lead to is a constant, as the field is. Gradients are compared with differences.

use crate::differences::assert_gradient;
use backsweep::adjoint;
use bodies::Body;
use problem::{Decay, Ode, Problem};
use simulation::{Coupled, Force, Simulation, Spring};
use std::sync::Arc;

/// What a direction has in a field that is marked `#[passive]` is none.
fn assert_tangent(derivative: f64, gradient: &[f64], direction: &[f64]) {
    let along: f64 = gradient.iter().zip(direction).map(|(g, d)| g * d).sum();
    assert!((derivative - along).abs() < 1e-12 * (1.0 + along.abs()), "{derivative} and {along}");
}

/// A problem that holds a reference to its model, as solvers have it.
mod problem {
    use backsweep::{Differentiable, adjoint};

    #[adjoint]
    pub trait Ode<T: Copy> {
        fn slope(&self, t: T, x: &[T]) -> Vec<T>;
    }

    pub struct Decay {
        pub rate: f64,
    }

    #[adjoint]
    impl Ode<f64> for Decay {
        #[adjoint(passive(self))]
        fn slope(&self, t: f64, x: &[f64]) -> Vec<f64> {
            x.iter().map(|v| -self.rate * v * v + t.sin()).collect()
        }
    }

    #[derive(Clone)]
    pub struct Config {
        pub tolerance: f64,
        pub steps: usize,
    }

    impl Config {
        fn twice(&self) -> f64 {
            2.0 * self.tolerance
        }
    }

    #[derive(Clone, Differentiable)]
    pub struct Problem<'a, O: Ode<f64>> {
        #[passive]
        ode: &'a O,
        #[passive]
        config: Config,
        #[passive]
        weights: Vec<f64>,
        #[passive]
        others: Vec<f64>,
        start: f64,
        initial: Vec<f64>,
    }

    #[adjoint]
    impl<'a, O: Ode<f64>> Problem<'a, O> {
        #[adjoint(skip)]
        pub fn new(ode: &'a O, start: f64, initial: &[f64]) -> Self {
            let config = Config { tolerance: 0.1, steps: 3 };
            let (weights, others) = (vec![0.3, 0.7], vec![2.0, 3.0]);
            Self { ode, config, weights, others, start, initial: initial.to_vec() }
        }

        pub fn ode(&self) -> &'a O {
            self.ode
        }

        pub fn config(&self) -> &Config {
            &self.config
        }

        pub fn weights(&self) -> &[f64] {
            &self.weights
        }

        pub fn weight(&self, i: usize) -> &f64 {
            &self.weights[i]
        }

        pub fn either(&self, first: bool) -> &Vec<f64> {
            if first { &self.weights } else { &self.others }
        }

        pub fn config_if(&self, there: bool) -> Option<&Config> {
            if there { Some(&self.config) } else { None }
        }

        pub fn initial(&self) -> &[f64] {
            &self.initial
        }

        pub fn start(&self) -> f64 {
            self.start
        }

        pub fn inside(&self, k: f64) -> f64 {
            let config = self.config();
            let slope = self.ode().slope(self.start, &self.initial)[0];
            slope * k * config.tolerance + self.config().twice() * k * k * self.weights()[1]
        }
    }
}

/// A parameter of which the lifetime is left out.
#[adjoint(independents(problem, h), dependents(return))]
fn step<O: Ode<f64>>(problem: &Problem<O>, h: f64) -> f64 {
    let ode = problem.ode();
    let x = problem.initial().to_vec();
    let slope = ode.slope(problem.start(), &x);
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += (x[i] + h * slope[i]) * problem.weights()[i] * problem.config().tolerance;
    }
    sum
}

#[adjoint(independents(problem, h), dependents(return))]
fn all_ways<O: Ode<f64>>(problem: &Problem<O>, h: f64) -> f64 {
    let mut sum = problem.start() * h;
    let n = problem.config().steps;
    for (i, w) in problem.weights().iter().enumerate() {
        sum += w * problem.initial()[i] * h.powi(n as i32) * problem.weight(i);
    }
    sum += problem.either(h > 0.0)[1] * h * h;
    if let Some(config) = problem.config_if(h > 0.1) {
        sum *= config.tolerance + h;
    }
    sum + problem.inside(h) * dot(problem.weights(), problem.initial())
}

#[adjoint]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[adjoint(independents(problem, h), dependents(return))]
fn checkpointed<O: Ode<f64>>(problem: &Problem<O>, h: f64) -> f64 {
    let mut x = problem.initial().to_vec();
    #[checkpoint(snapshots = 2)]
    for i in 0..problem.config().steps {
        let slope = problem.ode().slope(problem.start() + h * i as f64, &x);
        for j in 0..x.len() {
            x[j] += h * slope[j] * problem.weights()[j];
        }
    }
    x.iter().sum()
}

#[test]
fn what_a_problem_holds_is_a_constant() {
    let ode = Decay { rate: 1.3 };
    let at = [0.2, 0.5, -0.3, 0.4];
    let made = |v: &[f64]| Problem::new(&ode, v[0], &v[1..3]);
    let flat = |p: &Problem<Decay>, h: f64| [p.start(), p.initial()[0], p.initial()[1], h];
    let d = [0.3, -0.4, 0.8, 0.5];
    let (_, (p, h)) = step::gradient(&made(&at), at[3]);
    assert_gradient(&flat(&p, h), &at, |v| step(&made(v), v[3]));
    let (_, along) = step::tangent(&made(&at), &made(&d), at[3], d[3]);
    assert_tangent(along, &flat(&p, h), &d);
    let (_, (p, h)) = all_ways::gradient(&made(&at), at[3]);
    assert_gradient(&flat(&p, h), &at, |v| all_ways(&made(v), v[3]));
    let (_, along) = all_ways::tangent(&made(&at), &made(&d), at[3], d[3]);
    assert_tangent(along, &flat(&p, h), &d);
    let (_, (p, h)) = checkpointed::gradient(&made(&at), at[3]);
    assert_gradient(&flat(&p, h), &at, |v| checkpointed(&made(v), v[3]));
    let (_, along) = checkpointed::tangent(&made(&at), &made(&d), at[3], d[3]);
    assert_tangent(along, &flat(&p, h), &d);
}

/// Values of a `dyn`, held by reference and in an `Arc`.
mod simulation {
    use backsweep::{Differentiable, adjoint};
    use std::sync::Arc;

    #[adjoint]
    pub trait Force {
        fn at(&self, x: f64) -> f64;
    }

    pub struct Spring {
        pub k: f64,
    }

    #[adjoint]
    impl Force for Spring {
        #[adjoint(passive(self))]
        fn at(&self, x: f64) -> f64 {
            -self.k * x * x * x
        }
    }

    pub struct Settings {
        pub dt: f64,
        pub n: usize,
        pub table: Vec<f64>,
    }

    #[adjoint]
    impl Settings {
        #[adjoint(passive(self))]
        pub fn scaled(&self, x: f64) -> f64 {
            self.dt * x * x
        }
    }

    #[derive(Clone, Differentiable)]
    pub struct Simulation<'a> {
        pub x: f64,
        pub v: f64,
        #[passive]
        settings: Arc<Settings>,
        #[passive]
        force: &'a dyn Force,
        #[passive]
        shared: Arc<dyn Force + 'a>,
    }

    /// The types of its fields have lifetimes, or none while it has some.
    #[derive(Clone, Differentiable)]
    pub struct Coupled<'a> {
        simulation: Simulation<'a>,
        state: State,
        pub w: f64,
    }

    #[derive(Clone, Differentiable)]
    pub struct State {
        values: Vec<f64>,
    }

    #[adjoint]
    impl State {
        pub fn values(&self) -> &[f64] {
            &self.values
        }
    }

    #[adjoint]
    impl<'a> Coupled<'a> {
        #[adjoint(skip)]
        pub fn new(simulation: Simulation<'a>, w: f64) -> Self {
            Self { simulation, state: State { values: vec![w, w * w] }, w }
        }

        pub fn simulation(&self) -> &Simulation<'a> {
            &self.simulation
        }

        pub fn state(&self) -> &State {
            &self.state
        }

        pub fn by_fields(&self) -> f64 {
            let force = self.simulation.force().at(self.simulation.x);
            self.simulation.settings().dt * self.w * self.state.values()[1] + force
        }

        pub fn by_getters(&self) -> f64 {
            let dt = self.simulation().settings().dt;
            dt * self.w * self.simulation().x * self.state().values()[0]
        }
    }

    #[adjoint]
    impl Simulation<'_> {
        pub fn kinetic(&self) -> f64 {
            self.v * self.v * self.settings().dt
        }
    }

    #[adjoint]
    impl<'a> Simulation<'a> {
        #[adjoint(skip)]
        pub fn new(force: &'a dyn Force, shared: Arc<dyn Force + 'a>, x: f64, v: f64) -> Self {
            let settings = Arc::new(Settings { dt: 0.1, n: 4, table: vec![1.0, 2.0] });
            Self { x, v, settings, force, shared }
        }

        pub fn settings(&self) -> &Settings {
            &self.settings
        }

        pub fn force(&self) -> &dyn Force {
            self.force
        }

        pub fn shared(&self) -> &(dyn Force + 'a) {
            &*self.shared
        }

        pub fn energy(&self) -> f64 {
            let settings = self.settings();
            let mut sum = 0.5 * self.v * self.v * settings.dt;
            for t in &settings.table {
                sum += t * self.x;
            }
            sum + self.kinetic()
                + self.force().at(self.x)
                + self.shared().at(self.v)
                + self.settings().scaled(self.x)
        }
    }
}

#[adjoint(independents(simulation), dependents(return))]
fn whole(simulation: &Simulation) -> f64 {
    let settings = simulation.settings();
    let mut sum = simulation.energy();
    for i in 0..settings.n {
        sum += simulation.x * settings.table[i % 2] * settings.scaled(simulation.v);
    }
    sum + decayed(settings.dt, simulation.x)
}

#[adjoint(independents(x), dependents(return))]
fn decayed(dt: f64, x: f64) -> f64 {
    dt * x.sin()
}

#[adjoint(passive(simulation), independents(x), dependents(return))]
fn of_constant(simulation: &Simulation, x: f64) -> f64 {
    x * simulation.settings().dt + simulation.force().at(x)
}

#[test]
fn what_is_behind_a_dyn_is_a_constant() {
    let spring = Spring { k: 1.5 };
    let made = |v: &[f64]| Simulation::new(&spring, Arc::new(Spring { k: 0.5 }), v[0], v[1]);
    let at = [0.4, -0.7];
    let d = [0.3, 0.8];
    let (_, g) = whole::gradient(&made(&at));
    assert_gradient(&[g.x, g.v], &at, |v| whole(&made(v)));
    let (_, along) = whole::tangent(&made(&at), &made(&d));
    assert_tangent(along, &[g.x, g.v], &d);
    let (_, g) = made(&at).energy_gradient();
    assert_gradient(&[g.x, g.v], &at, |v| made(v).energy());
    let (_, along) = made(&at).energy_tangent(&made(&d));
    assert_tangent(along, &[g.x, g.v], &d);
    let (_, g) = of_constant::gradient(&made(&at), at[0]);
    assert_gradient(&[g], &at[..1], |v| of_constant(&made(&at), v[0]));
}

#[test]
fn types_of_fields_have_lifetimes() {
    let spring = Spring { k: 1.5 };
    let made = |v: &[f64]| {
        let shared = Arc::new(Spring { k: 0.5 });
        Coupled::new(Simulation::new(&spring, shared, v[0], v[1]), v[2])
    };
    let at = [0.4, -0.7, 0.3];
    let flat = |g: &Coupled| {
        let (simulation, values) = (g.simulation(), g.state().values());
        let w = g.w + values[0] + 2.0 * at[2] * values[1];
        [simulation.x, simulation.v, w]
    };
    let (_, g) = made(&at).by_fields_gradient();
    assert_gradient(&flat(&g), &at, |v| made(v).by_fields());
    let (_, g) = made(&at).by_getters_gradient();
    assert_gradient(&flat(&g), &at, |v| made(v).by_getters());
}

/// Values that are written to while their settings are read.
mod bodies {
    use backsweep::{Differentiable, adjoint};

    #[derive(Clone, Debug, Default)]
    pub struct Settings {
        pub dt: f64,
        pub n: usize,
        pub table: Vec<f64>,
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Body {
        pub x: f64,
        pub v: f64,
        #[passive]
        settings: Settings,
        #[passive]
        weights: Vec<f64>,
    }

    #[adjoint]
    impl Body {
        #[adjoint(skip)]
        pub fn new(x: f64, v: f64) -> Self {
            let settings = Settings { dt: 0.1, n: 2, table: vec![1.0, 2.0] };
            Self { x, v, settings, weights: vec![0.3, 0.6] }
        }

        pub fn settings(&self) -> &Settings {
            &self.settings
        }

        pub fn weight(&self, i: usize) -> &f64 {
            &self.weights[i]
        }

        pub fn step(&mut self) {
            let dt = self.settings().dt;
            for i in 0..self.settings().n {
                let force = self.x * self.settings().table[i] * *self.weight(i);
                self.v -= dt * force + self.weight(i) * self.v;
            }
            self.x += dt * self.v * self.v;
        }
    }
}

#[adjoint(independents(bodies), dependents(bodies))]
fn advance(bodies: &mut [Body]) {
    for body in bodies.iter_mut() {
        body.x *= body.settings().dt;
        body.step();
    }
}

#[adjoint(independents(bodies), dependents(return))]
fn energy(bodies: &[Body]) -> f64 {
    let mut sum = 0.0;
    for body in bodies {
        sum += body.settings().dt * body.v * body.v * body.weight(1);
    }
    for i in 0..bodies.len() {
        sum += bodies[i].settings().table[0] * bodies[i].x;
    }
    sum
}

#[adjoint(independents(x, v), dependents(return))]
fn of_local(x: f64, v: f64, body: Body) -> f64 {
    let mut body = body;
    body.x = x * body.settings().dt;
    body.v = v;
    body.step();
    body.settings().dt * body.x
}

#[test]
fn numbers_are_copied_of_what_is_written_to() {
    let made = |v: &[f64]| vec![Body::new(v[0], v[1]), Body::new(v[2], v[3])];
    let flat = |bodies: &[Body]| bodies.iter().flat_map(|b| [b.x, b.v]).collect::<Vec<f64>>();
    let at = [0.3, -0.8, 0.9, 0.2];
    let d = [0.3, 0.8, -0.2, 0.6];
    let (_, g) = energy::gradient(&made(&at));
    assert_gradient(&flat(&g), &at, |v| energy(&made(v)));
    let (_, along) = energy::tangent(&made(&at), &made(&d));
    assert_tangent(along, &flat(&g), &d);

    let seeds = [1.3, -0.5, 0.0, 1.0];
    let weighted = |v: &[f64]| {
        let mut bodies = made(v);
        advance(&mut bodies);
        flat(&bodies).iter().zip(seeds).map(|(value, seed)| value * seed).sum()
    };
    let mut bars = made(&seeds);
    advance::adjoint(&mut made(&at), &mut bars);
    assert_gradient(&flat(&bars), &at, weighted);
    let mut along = made(&d);
    advance::tangent(&mut made(&at), &mut along);
    let along = flat(&along).iter().zip(seeds).map(|(value, seed)| value * seed).sum();
    assert_tangent(along, &flat(&bars), &d);

    let of_local_at = |v: &[f64]| of_local(v[0], v[1], Body::new(0.0, 0.0));
    let (_, (x, v)) = of_local::gradient(at[0], at[1], Body::new(0.0, 0.0));
    assert_gradient(&[x, v], &at[..2], of_local_at);
}

/// Second derivatives.
mod curved {
    use backsweep::{Differentiable, adjoint};

    #[derive(Clone, Default)]
    pub struct Settings {
        pub dt: f64,
    }

    #[derive(Clone, Differentiable)]
    pub struct Curve {
        pub x: f64,
        pub v: f64,
        #[passive]
        settings: Settings,
    }

    impl Curve {
        pub fn new([x, v]: [f64; 2]) -> Self {
            Self { x, v, settings: Settings { dt: 0.1 } }
        }
    }

    #[adjoint(second_order)]
    impl Curve {
        pub fn settings(&self) -> &Settings {
            &self.settings
        }

        pub fn energy(&self) -> f64 {
            self.x * self.v * self.v * self.settings().dt
        }
    }
}

#[adjoint(independents(curve), dependents(return), second_order)]
fn cubic(curve: &curved::Curve) -> f64 {
    curve.energy() * curve.settings().dt + curve.x.powi(3) * curve.settings().dt
}

#[test]
fn second_derivatives_have_constants_behind_getters() {
    use curved::Curve;
    let (at, d) = ([0.4, 0.6], [1.0, 0.5]);
    let (_, g, h) = cubic::hessian_vector(&Curve::new(at), &Curve::new(d));
    assert_gradient(&[g.x, g.v], &at, |v| cubic(&Curve::new([v[0], v[1]])));
    let along = |step: f64| {
        let (_, g) = cubic::gradient(&Curve::new([at[0] + step * d[0], at[1] + step * d[1]]));
        [g.x, g.v]
    };
    assert_gradient(&[h.x], &[0.0], |step| along(step[0])[0]);
    assert_gradient(&[h.v], &[0.0], |step| along(step[0])[1]);
}

/// Methods under conditions in a block that is annotated as a whole.
mod conditional {
    use backsweep::{Differentiable, adjoint};

    #[derive(Clone, Differentiable)]
    pub struct Pair<T> {
        pub x: T,
        pub list: Vec<T>,
    }

    #[adjoint]
    impl<T: num_traits::Float> Pair<T> {
        #[cfg(test)]
        pub fn scaled(&self, k: T) -> T {
            self.x * self.x * k
        }

        #[cfg(not(test))]
        pub fn scaled(&self, k: T) -> T {
            self.x * k
        }

        #[cfg(not(test))]
        pub fn list(&self) -> &[T] {
            &self.list
        }

        #[cfg(test)]
        pub fn list(&self) -> &[T] {
            &self.list[1..]
        }

        #[cfg(not(test))]
        pub fn repeated(&self, k: T) -> T {
            let mut power = self.x;
            #[checkpoint(snapshots = 2)]
            for _ in 0..4 {
                power = power * k;
            }
            power
        }
    }
}

#[adjoint(independents(pair), dependents(return))]
fn of_conditional(pair: &conditional::Pair<f64>) -> f64 {
    pair.scaled(2.0) + pair.list()[0]
}

#[test]
fn methods_under_conditions_have_derivatives_under_these() {
    let pair = conditional::Pair { x: 3.0, list: vec![1.0, 2.0] };
    let (_, g) = of_conditional::gradient(&pair);
    assert_eq!((g.x, g.list), (12.0, vec![0.0, 1.0]));
}
