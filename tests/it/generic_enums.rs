//! Enums with type parameters: their variants hold numbers of a generic type, lists of them, and change while a loop runs. Gradients against
//! central differences, tangents against gradients.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::{Differentiable, adjoint};
use num_traits::Float;
use testkit::vectors::{check, check_entries};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub enum Luminance<T> {
    Lightness(T),
    Brightness { q: T, w: T },
    None,
}

#[adjoint]
impl<T: Float> Luminance<T> {
    fn turned(self, x: T) -> Self {
        match self {
            Self::Lightness(j) => Self::Brightness { q: j * x, w: j + x },
            Luminance::Brightness { q, w } if q > w => Luminance::None,
            Self::Brightness { q, w } => Self::Lightness(q / w * x),
            Self::None => Self::Lightness(x),
        }
    }
    fn turn(&mut self, x: T) {
        *self = match *self {
            Self::Lightness(j) => Self::Brightness { q: j * x, w: j },
            Self::Brightness { q, w } => Self::Lightness(q * w),
            Self::None => Self::Lightness(x),
        };
    }
    fn value(&self) -> T {
        match self {
            Luminance::Lightness(j) => *j * *j,
            Luminance::Brightness { q, .. } => q.sin(),
            Luminance::None => T::zero(),
        }
    }
    fn scale(&mut self, by: T) {
        match self {
            Self::Lightness(j) => *j = *j * by,
            Self::Brightness { q, w } => {
                *q = *q * *w;
                *w = *w + by;
            }
            Self::None => {}
        }
    }
}

#[adjoint]
fn loops(x: &[f64], n: usize) -> f64 {
    let mut state = Luminance::Lightness(x[0]);
    let mut sum = 0.0;
    for k in 0..n {
        state = state.turned(x[k % 3]);
        sum += state.value() * x[1];
        if k % 2 == 1 {
            state.turn(x[2]);
        }
        state.scale(x[k % 2]);
        sum += match state {
            Luminance::Lightness(j) => j.cos(),
            Luminance::Brightness { q, w } => q * w,
            Luminance::None => x[0] * x[0],
        };
    }
    sum
}

#[adjoint]
fn generic_loops<T: Float>(x: &[T], n: usize) -> T {
    let mut state = Luminance::None;
    let mut sum = T::zero();
    for k in 0..n {
        state = match state {
            Luminance::None => Luminance::Lightness(x[k % 3]),
            Luminance::Lightness(j) if j > x[1] => Luminance::Brightness { q: j * j, w: x[0] },
            Luminance::Lightness(j) => Luminance::Lightness(j + x[1] * x[2]),
            Luminance::Brightness { q, w } => Luminance::Lightness(q / (w + T::one())),
        };
        sum = sum + state.value();
    }
    sum
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub enum Storage<T> {
    Full,
    Banded { ml: usize, zero: T },
    Sparse { coords: Vec<(usize, usize, T)>, zero: T },
}
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Matrix<T> {
    n: usize,
    data: Vec<T>,
    storage: Storage<T>,
}
#[adjoint]
impl<T: Float> Matrix<T> {
    fn full(n: usize, data: &[T]) -> Self {
        Self { n, data: data.to_vec(), storage: Storage::Full }
    }
    fn get(&self, i: usize, j: usize) -> T {
        match &self.storage {
            Storage::Full => self.data[i * self.n + j],
            Storage::Banded { ml, zero } => {
                if j + ml < i {
                    *zero
                } else {
                    self.data[i * self.n + j]
                }
            }
            Storage::Sparse { coords, zero } => {
                let mut s = *zero;
                for &(r, c, v) in coords {
                    if r == i && c == j {
                        s = s + v;
                    }
                }
                s
            }
        }
    }
    fn to_dense(&self) -> Vec<T> {
        let mut out = vec![T::zero(); self.n * self.n];
        match &self.storage {
            Storage::Sparse { coords, .. } => {
                for (r, c, v) in coords {
                    out[r * self.n + c] = *v;
                }
            }
            _ => {
                for i in 0..self.n {
                    for j in 0..self.n {
                        out[i * self.n + j] = self.get(i, j);
                    }
                }
            }
        }
        out
    }
    fn scaled(mut self, by: T) -> Self {
        match &mut self.storage {
            Storage::Sparse { coords, zero } => {
                for (_, _, v) in coords.iter_mut() {
                    *v = *v * by;
                }
                *zero = *zero * by;
            }
            Storage::Banded { zero, .. } => *zero = *zero * by,
            Storage::Full => {}
        }
        for v in self.data.iter_mut() {
            *v = *v * by;
        }
        self
    }
}
#[adjoint]
fn matrices(x: &[f64], kind: usize) -> f64 {
    let m = match kind {
        0 => Matrix::full(2, &x[..4]),
        1 => Matrix { n: 2, data: x.to_vec(), storage: Storage::Banded { ml: 0, zero: x[4] } },
        _ => Matrix {
            n: 2,
            data: vec![],
            storage: Storage::Sparse {
                coords: vec![(0, 1, x[0]), (1, 1, x[1] * x[2])],
                zero: x[3],
            },
        },
    };
    let m = m.scaled(x[5]);
    let d = m.to_dense();
    d[0] * d[3] - d[1] * d[2] + m.get(1, 0) * m.get(1, 1)
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Settings<T: Float> {
    tolerance: T,
    seed: Option<u64>,
}
#[adjoint]
impl<T: Float> Settings<T> {
    fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }
}

#[test]
fn a_bar_has_the_options_without_floats_of_the_value_that_it_was_made_of() {
    let settings = Settings { tolerance: 0.5, seed: None };
    let mut bar = settings.zero_bar();
    let weights = settings.clone().seed(3);
    settings.seed_adjoint(&mut bar, 3, weights);
    assert_eq!(bar, Settings { tolerance: 0.5, seed: None });
}

/// In a module of their own: called by paths, and by methods alone, so that the variants are nowhere mentioned.
mod states {
    use super::{Differentiable, Float, adjoint};

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    pub enum State<T> {
        One(T),
        Two { q: T, w: T },
        Many(Vec<T>),
        None,
    }

    #[adjoint]
    impl<T: Float> State<T> {
        pub fn start(x: T) -> Self {
            State::One(x)
        }
        pub fn turned(&self, x: T) -> Self {
            match self {
                Self::One(j) => Self::Two { q: *j * x, w: *j },
                Self::Two { q, w } => Self::Many(vec![*q, *w, x]),
                Self::Many(v) => Self::One(v.iter().fold(T::zero(), |a, b| a + *b * *b)),
                Self::None => Self::One(x),
            }
        }
        pub fn value(&self) -> T {
            match self {
                Self::One(j) => *j * *j,
                Self::Two { q, w } => *q * *w,
                Self::Many(v) => v[0] * v[2],
                Self::None => T::zero(),
            }
        }
    }
}

#[adjoint]
fn by_methods(x: &[f64], n: usize) -> f64 {
    let mut state = states::State::start(x[0]);
    let mut sum = 0.0;
    for k in 0..n {
        state = state.turned(x[k % 3]);
        sum += state.value() * x[1];
    }
    sum
}

#[adjoint(independents(state, x), dependents(return))]
fn from_state(mut state: states::State<f64>, x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for k in 0..n {
        sum += state.value() * x[1];
        state = state.turned(x[k % 3]);
    }
    sum + match &state {
        states::State::One(j) => j * x[0],
        states::State::Two { q, w } => q * w * x[1],
        states::State::Many(v) => v[0] * x[0] * v[1],
        states::State::None => x[0],
    }
}

/// No payload is a number by itself.
#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Weights<T> {
    List(Vec<T>),
    Pair((T, usize)),
    None,
}
#[adjoint(independents(weights, k), dependents(return))]
fn weighted<T: Float>(weights: &Weights<T>, k: T) -> T {
    match weights {
        Weights::List(v) => v.iter().fold(T::zero(), |sum, x| sum + *x * k),
        Weights::Pair(pair) => pair.0 * k * k,
        Weights::None => k,
    }
}

#[test]
fn states_of_other_shapes_while_a_loop_runs() {
    let x = [0.7, -0.4, 1.1, 0.5, 1.3, -0.8];
    for n in 0..8 {
        let along =
            |f: fn(&[f64], &[f64], usize) -> (f64, f64)| move |x: &[f64], d: &[f64]| f(x, d, n);
        check_entries(&x, |x| loops(x, n), |x| loops::gradient(x, n), along(loops::tangent));
        check_entries(
            &x,
            |x| generic_loops(x, n),
            |x| generic_loops::gradient(x, n),
            along(generic_loops::tangent::<f64>),
        );
        check_entries(
            &x,
            |x| by_methods(x, n),
            |x| by_methods::gradient(x, n),
            along(by_methods::tangent),
        );
    }
    for kind in 0..3 {
        check_entries(
            &x,
            |x| matrices(x, kind),
            |x| matrices::gradient(x, kind),
            |x, d| matrices::tangent(x, d, kind),
        );
    }
}

#[test]
fn states_that_are_parameters() {
    use states::State;
    let x = vec![0.7, 1.3, 0.9];
    for state in [
        State::One(0.4),
        State::Two { q: 0.3, w: 0.2 },
        State::Many(vec![0.1, 0.2, 0.3]),
        State::None,
    ] {
        for n in 0..5 {
            let at = (state.clone(), x.clone());
            let (value, gradient) = from_state::gradient(state.clone(), &x, n);
            assert_eq!(value, from_state(state.clone(), &x, n));
            check(
                |(state, x): &(State<f64>, Vec<f64>)| from_state(state.clone(), x, n),
                &at,
                &gradient,
            );
        }
    }
    for weights in [Weights::List(vec![0.3, 0.4]), Weights::Pair((0.4, 3)), Weights::None] {
        let (value, gradient) = weighted::gradient(&weights, 0.6);
        assert_eq!(value, weighted(&weights, 0.6));
        check(
            |(weights, k): &(Weights<f64>, f64)| weighted(weights, *k),
            &(weights, 0.6),
            &gradient,
        );
    }
}
