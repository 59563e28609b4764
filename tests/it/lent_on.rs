//! A `&mut` that is passed where a `&` is taken: it is lent on, and nothing that it refers to is written.

use crate::differences::assert_gradient;
use backsweep::{Differentiable, adjoint};
use num_traits::Float;

#[derive(Clone, Differentiable)]
struct Oscillator {
    stiffness: f64,
}

#[adjoint]
fn force(of: &Oscillator, t: f64, state: &[f64; 2]) -> f64 {
    -of.stiffness * state[0] * t.cos()
}

#[adjoint]
impl Oscillator {
    fn energy(&self, state: &[f64; 2]) -> f64 {
        self.stiffness * state[0] * state[0] + state[1] * state[1]
    }

    fn damp(&self, state: &mut [f64; 2]) {
        let energy = self.energy(state);
        state[1] *= 1.0 - 0.1 * energy;
        state[0] += 0.01 * Self::square(state);
    }

    fn square(state: &[f64; 2]) -> f64 {
        state[0] * state[1]
    }
}

#[adjoint]
trait Ode<T: Float> {
    fn slopes(&self, t: T, state: &[T], slopes: &mut [T]);
}

#[adjoint]
impl Ode<f64> for Oscillator {
    fn slopes(&self, t: f64, state: &[f64], slopes: &mut [f64]) {
        slopes[0] = state[1] * t.cos();
        slopes[1] = -self.stiffness * state[0];
    }
}

#[adjoint(independents(of, state), dependents(state))]
fn by_bound<O: Ode<f64> + Differentiable>(of: &O, t: f64, state: &mut [f64]) {
    let mut slopes = vec![0.0; 2];
    of.slopes(t, state, &mut slopes);
    state[0] += slopes[0] * 0.05;
    state[1] += slopes[1] * 0.05;
}

#[derive(Clone, Differentiable)]
struct Stepper<T> {
    step: T,
}

#[adjoint]
impl<T: Float> Stepper<T> {
    fn slopes(&self, state: &[T]) -> Vec<T> {
        vec![state[1], -self.step * state[0]]
    }

    fn go(&self, state: &mut [T]) {
        let slopes = self.slopes(state);
        state[0] = state[0] + slopes[0] * self.step;
        state[1] = state[1] + slopes[1] * self.step;
    }
}

#[adjoint(independents(of, state), dependents(state))]
fn by_function(of: &Oscillator, t: f64, state: &mut [f64; 2]) {
    let force = force(of, t, state);
    state[1] += 0.05 * force;
    of.damp(state);
}

#[adjoint(independents(of, x), dependents(return))]
fn all(of: &Oscillator, x: &[f64]) -> f64 {
    let mut state = [x[0], x[1]];
    for i in 0..3 {
        by_function(of, i as f64, &mut state);
        by_bound(of, i as f64 * 0.1, &mut state);
    }
    let stepper = Stepper { step: 0.3 * of.stiffness };
    let mut list = state.to_vec();
    stepper.go(&mut list);
    list[0] * list[1]
}

#[test]
fn what_is_lent_on_has_derivatives() {
    let at = [0.3, 0.4, 2.0];
    let value = |at: &[f64]| all(&Oscillator { stiffness: at[2] }, &at[..2]);
    let (_, (of_b, x_b)) = all::gradient(&Oscillator { stiffness: at[2] }, &at[..2]);
    assert_gradient(&[x_b[0], x_b[1], of_b.stiffness], &at, value);
    let along = Oscillator { stiffness: 0.7 };
    let (_, tangent) = all::tangent(&Oscillator { stiffness: 2.0 }, &along, &at[..2], &[0.1, 0.2]);
    let expected = 0.7 * of_b.stiffness + 0.1 * x_b[0] + 0.2 * x_b[1];
    assert!((tangent - expected).abs() < 1e-14, "{tangent} instead of {expected}");
}
