//! Traits with type parameters, as models of any precision have: their methods are called by bounds and of types, and their derivatives
//! compared with differences.

use crate::differences::assert_gradient;
use backsweep::{Differentiable, adjoint};
use num_traits::Float;

#[adjoint]
trait Ode<T: Float> {
    fn slope(&self, t: T, x: &[T]) -> Vec<T>;

    fn power(&self, x: &[T]) -> T {
        let slope = self.slope(T::one(), x);
        slope[0] * slope[0] + x[1] * slope[1]
    }
}

#[derive(Clone, Differentiable)]
struct Pendulum {
    stiffness: f64,
}

#[adjoint]
impl Ode<f64> for Pendulum {
    fn slope(&self, t: f64, x: &[f64]) -> Vec<f64> {
        vec![x[1] * t, -self.stiffness * x[0].sin()]
    }
}

#[derive(Clone, Differentiable)]
struct Spring<F> {
    stiffness: F,
}

#[adjoint]
impl<F: Float> Ode<F> for Spring<F> {
    fn slope(&self, t: F, x: &[F]) -> Vec<F> {
        vec![x[1] * t, -self.stiffness * x[0]]
    }
}

/// It has no parameter itself: an `impl` block of the type alone could not have one.
#[derive(Clone, Differentiable)]
struct Unit;

#[adjoint]
impl<F: Float> Ode<F> for Unit {
    fn slope(&self, t: F, x: &[F]) -> Vec<F> {
        x.iter().map(|x| t * *x * *x).collect()
    }
}

#[adjoint(independents(ode, x), dependents(return))]
fn one_step<O: Ode<f64> + Differentiable>(ode: &O, x: &[f64]) -> f64 {
    let slope = ode.slope(0.5, x);
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += (x[i] + 0.1 * slope[i]).powi(2);
    }
    sum
}

#[adjoint(independents(x), dependents(return))]
fn of_any_float<T: Float, O: Ode<T>>(ode: &O, x: &[T]) -> T {
    let slope = ode.slope(x[0], x);
    slope[0] * slope[1] * ode.power(x)
}

#[adjoint(independents(spring, x), dependents(return))]
fn of_a_type(spring: &Spring<f64>, x: &[f64]) -> f64 {
    let slope = spring.slope(x[0], x);
    slope[0] + slope[1] * x[1]
}

const AT: [f64; 2] = [0.3, 0.7];

#[test]
fn methods_of_bounds_with_arguments_have_derivatives() {
    let pendulum = Pendulum { stiffness: 2.0 };
    let (_, (pendulum_b, x_b)) = one_step::gradient(&pendulum, &AT);
    assert_gradient(&x_b, &AT, |x| one_step(&pendulum, x));
    let of_stiffness = |at: &[f64]| one_step(&Pendulum { stiffness: at[0] }, &AT);
    assert_gradient(&[pendulum_b.stiffness], &[2.0], of_stiffness);
    let (_, tangent) = one_step::tangent(&pendulum, &Pendulum { stiffness: 0.3 }, &AT, &[0.1, 0.2]);
    let expected = 0.3 * pendulum_b.stiffness + 0.1 * x_b[0] + 0.2 * x_b[1];
    assert!((tangent - expected).abs() < 1e-14);
    let spring = Spring { stiffness: 2.0 };
    let (_, (spring_b, x_b)) = one_step::gradient(&spring, &AT);
    assert_gradient(&x_b, &AT, |x| one_step(&spring, x));
    let of_stiffness = |at: &[f64]| one_step(&Spring { stiffness: at[0] }, &AT);
    assert_gradient(&[spring_b.stiffness], &[2.0], of_stiffness);
}

#[test]
fn bounds_are_in_terms_of_the_float() {
    let (pendulum, spring) = (Pendulum { stiffness: 2.0 }, Spring { stiffness: 2.0 });
    let (_, x_b) = of_any_float::gradient(&pendulum, &AT);
    assert_gradient(&x_b, &AT, |x| of_any_float(&pendulum, x));
    let (_, x_b) = of_any_float::gradient(&spring, &AT);
    assert_gradient(&x_b, &AT, |x| of_any_float(&spring, x));
    let (_, x_b) = of_any_float::gradient(&Unit, &AT);
    assert_gradient(&x_b, &AT, |x| of_any_float(&Unit, x));
    let (single, x_b) = of_any_float::gradient(&Unit, &[0.5_f32, 2.0]);
    assert_eq!((single, x_b.len()), (of_any_float(&Unit, &[0.5_f32, 2.0]), 2));
}

#[test]
fn types_have_the_entries_of_methods() {
    let spring = Spring { stiffness: 2.0 };
    let (_, (spring_b, x_b)) = of_a_type::gradient(&spring, &AT);
    assert_gradient(&x_b, &AT, |x| of_a_type(&spring, x));
    let of_stiffness = |at: &[f64]| of_a_type(&Spring { stiffness: at[0] }, &AT);
    assert_gradient(&[spring_b.stiffness], &[2.0], of_stiffness);
    let (mut spring_b, mut t_b, mut x_b) = (Spring { stiffness: 0.0 }, 0.0, [0.0; 2]);
    let seed = vec![1.0, 0.5];
    spring.slope_adjoint(&mut spring_b, 0.4, &mut t_b, &AT, &mut x_b, seed);
    assert_eq!((spring_b.stiffness, t_b, x_b), (-0.15, 0.7, [-1.0, 0.4]));
}

#[adjoint(independents(x), dependents(return))]
fn of_all(odes: &[Box<dyn Ode<f64>>], x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for ode in odes.iter() {
        let slope: Vec<f64> = ode.slope(x[0], x);
        sum += slope[0] * slope[1] * ode.power(x);
    }
    sum
}

#[adjoint(independents(x), dependents(return))]
fn of_any_dyn<T: Float>(ode: &dyn Ode<T>, x: &[T]) -> T {
    let slope: Vec<T> = ode.slope(x[1], x);
    slope[0] * slope[1]
}

#[test]
fn values_of_a_dyn_have_the_methods() {
    let spring = Spring { stiffness: 3.0 };
    let odes: Vec<Box<dyn Ode<f64>>> =
        vec![Box::new(Pendulum { stiffness: 2.0 }), Box::new(spring.clone()), Box::new(Unit)];
    let (_, x_b) = of_all::gradient(&odes, &AT);
    assert_gradient(&x_b, &AT, |x| of_all(&odes, x));
    let (_, tangent) = of_all::tangent(&odes, &AT, &[0.1, 0.2]);
    assert!((tangent - 0.1 * x_b[0] - 0.2 * x_b[1]).abs() < 1e-14);
    let (_, x_b) = of_any_dyn::gradient(&spring, &AT);
    assert_gradient(&x_b, &AT, |x| of_any_dyn(&spring, x));
}

/// Nothing is said of the parameter: it stands where floats do.
#[adjoint]
trait Flow<T> {
    fn at(&self, t: &T, x: &[T]) -> Vec<T>;
}

#[adjoint]
impl<T: Float> Flow<T> for Spring<T> {
    fn at(&self, t: &T, x: &[T]) -> Vec<T> {
        let rate = self.stiffness * *t;
        x.iter().map(|x| -rate * *x * *x).collect()
    }
}

#[adjoint(independents(x), dependents(return))]
fn euler<T: Float, O>(flow: &O, x: &[T]) -> T
where
    O: Flow<T>,
{
    let (mut x, mut t) = (x.to_vec(), T::zero());
    let h = T::from(0.1).unwrap();
    for _ in 0..5 {
        let slope = flow.at(&t, &x);
        for i in 0..x.len() {
            x[i] = x[i] + h * slope[i];
        }
        t = t + h;
    }
    x[0] * x[1]
}

#[test]
fn parameters_without_bounds_may_be_floats() {
    let spring = Spring { stiffness: 2.0 };
    let (_, x_b) = euler::gradient(&spring, &AT);
    assert_gradient(&x_b, &AT, |x| euler(&spring, x));
}

/// Where it may be anything, which of its parameters have derivatives has to be said.
#[adjoint]
trait Distance<V> {
    #[adjoint(independents(a, b), dependents(return))]
    fn distance(&self, a: &V, b: &V) -> f64;
}

#[adjoint]
impl Distance<Vec<f64>> for Unit {
    #[adjoint(independents(a, b), dependents(return))]
    fn distance(&self, a: &Vec<f64>, b: &Vec<f64>) -> f64 {
        let mut sum = 0.0;
        for i in 0..a.len() {
            sum += (a[i] - b[i]).powi(2);
        }
        sum.sqrt()
    }
}

#[adjoint(independents(x), dependents(return))]
fn twice_the_distance<D: Distance<Vec<f64>>>(by: &D, x: &Vec<f64>, y: &Vec<f64>) -> f64 {
    by.distance(x, y) * 2.0
}

#[test]
fn parameters_are_types_with_derivatives() {
    let (x, y) = (AT.to_vec(), vec![1.0, 2.0]);
    let (_, x_b) = twice_the_distance::gradient(&Unit, &x, &y);
    assert_gradient(&x_b, &AT, |x| twice_the_distance(&Unit, &x.to_vec(), &y));
}

#[adjoint]
trait System<const N: usize> {
    fn rates(&self, x: [f64; N]) -> [f64; N];
}

#[adjoint]
impl System<2> for Pendulum {
    fn rates(&self, x: [f64; 2]) -> [f64; 2] {
        [x[1], -self.stiffness * x[0].sin()]
    }
}

/// What methods return is told by the argument that is a type.
#[adjoint]
trait Sensor<const N: usize, T> {
    fn readings(&self, x: &[T]) -> Vec<T>;
}

#[adjoint]
impl<const N: usize, T: Float> Sensor<N, T> for Unit {
    fn readings(&self, x: &[T]) -> Vec<T> {
        (0..N).map(|i| x[i] * x[0]).collect()
    }
}

#[adjoint(independents(x), dependents(return))]
fn sensed<const N: usize, S: Sensor<N, f64>>(by: &S, x: &[f64]) -> f64 {
    let readings = by.readings(x);
    (readings[0] + 2.0 * readings[N - 1]).sin()
}

#[test]
fn arguments_may_be_constants_beside_types() {
    let (_, x_b) = sensed::gradient::<2, Unit>(&Unit, &AT);
    assert_gradient(&x_b, &AT, |x| sensed::<2, Unit>(&Unit, x));
}

#[adjoint]
trait Cost<T = f64>
where
    T: Float,
{
    fn cost(&self, x: &[T]) -> T;
}

#[adjoint]
impl Cost for Pendulum {
    fn cost(&self, x: &[f64]) -> f64 {
        x[0] * x[1] * self.stiffness
    }
}

#[adjoint(independents(of, x), dependents(return))]
fn of_constants_and_defaults<const N: usize, S>(of: &S, x: [f64; N]) -> f64
where
    S: System<N> + Cost + Differentiable,
{
    let rates = of.rates(x);
    let mut sum = 0.0;
    for i in 0..N {
        sum += rates[i] * x[i];
    }
    sum * of.cost(&x)
}

#[test]
fn arguments_may_be_constants_and_defaults() {
    let pendulum = Pendulum { stiffness: 2.0 };
    let (_, (pendulum_b, x_b)) = of_constants_and_defaults::gradient(&pendulum, AT);
    let value =
        |at: &[f64]| of_constants_and_defaults(&Pendulum { stiffness: at[2] }, [at[0], at[1]]);
    assert_gradient(&[x_b[0], x_b[1], pendulum_b.stiffness], &[0.3, 0.7, 2.0], value);
}

#[adjoint]
trait Kernel<T: Float> {
    fn value(r: T) -> T;

    fn twice(r: T) -> T {
        Self::value(r) + Self::value(r + r)
    }
}

#[adjoint]
impl<T: Float> Kernel<T> for Unit {
    fn value(r: T) -> T {
        (-r * r).exp()
    }
}

#[adjoint]
fn of_kernels<T: Float, K: Kernel<T>>(x: &[T]) -> T {
    K::value(x[0]) * K::twice(x[1])
}

#[test]
fn functions_of_bounds_have_derivatives() {
    let (_, x_b) = of_kernels::gradient::<f64, Unit>(&AT);
    assert_gradient(&x_b, &AT, of_kernels::<f64, Unit>);
}

#[adjoint]
impl Flow<f64> for Unit {
    fn at(&self, t: &f64, x: &[f64]) -> Vec<f64> {
        x.iter().map(|x| *t * x.sin()).collect()
    }
}

#[adjoint]
impl Flow<f32> for Unit {
    fn at(&self, t: &f32, x: &[f32]) -> Vec<f32> {
        x.iter().map(|x| *t * *x).collect()
    }
}

#[test]
fn types_may_implement_a_trait_several_times() {
    let (_, x_b) = euler::gradient(&Unit, &AT);
    assert_gradient(&x_b, &AT, |x| euler(&Unit, x));
    // x += h t x, for t = 0, h, …, 4 h.
    let (value, x_b) = euler::gradient(&Unit, &[2.0_f32, 3.0]);
    let growth = (0..5).map(|i| 1.0 + 0.01 * i as f32).product::<f32>().powi(2);
    assert!((value - 6.0 * growth).abs() < 1e-5, "{value}");
    assert!((x_b[0] - 3.0 * growth).abs() < 1e-5 && (x_b[1] - 2.0 * growth).abs() < 1e-5);
}

/// Whether a body may run again depends on the types.
#[derive(Clone, Copy, Differentiable)]
struct State<T> {
    x: T,
    v: T,
}

#[adjoint]
impl<T: Float> State<T> {
    fn moved(self, by: State<T>, h: T) -> Self {
        State { x: self.x + by.x * h, v: self.v + by.v * h }
    }
}

#[adjoint]
trait Motion<T> {
    fn rates(&self, t: T, state: &State<T>) -> State<T>;
}

#[adjoint]
impl<T: Float> Motion<T> for Spring<T> {
    fn rates(&self, t: T, state: &State<T>) -> State<T> {
        State { x: state.v * t.cos(), v: -self.stiffness * state.x }
    }
}

#[adjoint(independents(of, x, v), dependents(return))]
fn checkpointed<O: Motion<f64> + Differentiable>(of: &O, x: f64, v: f64) -> f64 {
    let mut state: State<f64> = State { x, v };
    let mut t: f64 = 0.0;
    #[checkpoint(snapshots = 3)]
    for _ in 0..20 {
        let rates = of.rates(t, &state);
        state = state.moved(rates, 0.05);
        t += 0.05;
    }
    state.x * state.v
}

#[test]
fn checkpointed_loops_call_methods_of_bounds() {
    let (_, (spring_b, x_b, v_b)) = checkpointed::gradient(&Spring { stiffness: 2.0 }, 0.3, 0.4);
    let value = |at: &[f64]| checkpointed(&Spring { stiffness: at[2] }, at[0], at[1]);
    assert_gradient(&[x_b, v_b, spring_b.stiffness], &[0.3, 0.4, 2.0], value);
}

#[adjoint(independents(x, v), dependents(return))]
fn checkpointed_beside_constants<T: Float, O: Motion<T>>(of: &O, x: T, v: T) -> T {
    let mut state: State<T> = State { x, v };
    let h: T = T::from(0.05).unwrap();
    #[checkpoint(snapshots = 3)]
    for _ in 0..20 {
        let rates = of.rates(h, &state);
        state = state.moved(rates, h);
    }
    state.x * state.v
}

#[test]
fn checkpointed_loops_call_methods_of_constants() {
    let spring = Spring { stiffness: 2.0 };
    let (_, (x_b, v_b)) = checkpointed_beside_constants::gradient(&spring, 0.3, 0.4);
    let value = |at: &[f64]| checkpointed_beside_constants(&spring, at[0], at[1]);
    assert_gradient(&[x_b, v_b], &[0.3, 0.4], value);
}
