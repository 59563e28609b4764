//! Operators on references to values of the user's types, as code for linear algebra has them, and simulations whose states are lists.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::{Differentiable, adjoint};
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Vector {
    data: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Matrix {
    rows: usize,
    columns: usize,
    data: Vec<f64>,
}

#[adjoint]
impl<'a, 'b> Add<&'b Vector> for &'a Vector {
    type Output = Vector;

    fn add(self, other: &'b Vector) -> Self::Output {
        assert_eq!(self.data.len(), other.data.len());
        Vector { data: self.data.iter().zip(other.data.iter()).map(|(a, b)| a + b).collect() }
    }
}

#[adjoint]
impl Sub<&Vector> for Vector {
    type Output = Vector;

    fn sub(mut self, other: &Vector) -> Vector {
        for i in 0..self.data.len() {
            self.data[i] -= other.data[i];
        }
        self
    }
}

#[adjoint]
impl Mul<f64> for &Vector {
    type Output = Vector;

    fn mul(self, factor: f64) -> Vector {
        Vector { data: self.data.iter().map(|a| a * factor).collect() }
    }
}

/// The type of the right operand is that of the left one, a reference.
#[adjoint]
impl Mul for &Vector {
    type Output = f64;

    fn mul(self, other: Self) -> f64 {
        self.data.iter().zip(&other.data).map(|(a, b)| a * b).sum()
    }
}

#[adjoint]
impl<'a> Mul<&'a Vector> for &Matrix {
    type Output = Vector;

    fn mul(self, vector: &'a Vector) -> Vector {
        let mut out = vec![0.0; self.rows];
        for i in 0..self.rows {
            for j in 0..self.columns {
                out[i] += self.data[i * self.columns + j] * vector.data[j];
            }
        }
        Vector { data: out }
    }
}

#[adjoint]
impl Neg for &Vector {
    type Output = Vector;

    fn neg(self) -> Vector {
        Vector { data: self.data.iter().map(|a| -a).collect() }
    }
}

#[adjoint]
impl<'a> AddAssign<&'a Vector> for Vector {
    fn add_assign(&mut self, other: &'a Vector) {
        for (own, other) in self.data.iter_mut().zip(&other.data) {
            *own += other;
        }
    }
}

#[adjoint]
impl SubAssign<&Vector> for Vector {
    fn sub_assign(&mut self, other: &Vector) {
        for i in 0..self.data.len() {
            self.data[i] -= other.data[i];
        }
    }
}

#[adjoint(independents(a, b, m))]
fn energy(a: &Vector, b: &Vector, m: &Matrix) -> f64 {
    let sum = a + b;
    let image = m * &sum;
    let r = &(image.clone() - a);
    let square = r * r;
    let mut left = &image * 2.0;
    left += b;
    left -= &sum;
    let negative = -&left;
    square + &negative * b
}

/// What is overwritten is an operand of what it is overwritten with.
#[adjoint(independents(m, start))]
fn powers(m: &Matrix, start: &Vector, n: usize) -> f64 {
    let mut x = start.clone();
    for k in 0..n {
        x = &(m * &x) * 0.7;
        if k % 2 == 0 {
            x += start;
        }
    }
    &x * &x
}

/// Elements of one list, also the same ones.
#[adjoint(independents(vs))]
fn gram(vs: &[Vector]) -> f64 {
    let mut sum = 0.0;
    for i in 0..vs.len() {
        for j in i..vs.len() {
            sum += (&vs[i] * &vs[j]).sin();
        }
    }
    let mut total = vs[0].clone();
    for v in &vs[1..] {
        total = &total + v;
    }
    sum + &total * &total
}

/// Central differences with respect to all numbers of a list.
fn differences(numbers: &[f64], f: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    const STEP: f64 = 1e-6;
    let at = |k: usize, step: f64| {
        let mut moved = numbers.to_vec();
        moved[k] += step;
        f(&moved)
    };
    (0..numbers.len()).map(|k| (at(k, STEP) - at(k, -STEP)) / (2.0 * STEP)).collect()
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        approx::assert_relative_eq!(found, expected, max_relative = 1e-6, epsilon = 1e-7);
    }
}

fn vector(data: &[f64]) -> Vector {
    Vector { data: data.to_vec() }
}

fn matrix(data: &[f64]) -> Matrix {
    Matrix { rows: 2, columns: 2, data: data.to_vec() }
}

const NUMBERS: [f64; 8] = [1.0, 2.0, 0.5, -1.5, 1.0, 0.3, -0.2, 0.7];

#[test]
fn vectors_and_matrices_by_reference() {
    let of = |n: &[f64]| (vector(&n[..2]), vector(&n[2..4]), matrix(&n[4..]));
    let plain = |n: &[f64]| {
        let (a, b, m) = of(n);
        energy(&a, &b, &m)
    };
    let (a, b, m) = of(&NUMBERS);
    let (value, (a_bar, b_bar, m_bar)) = energy::gradient(&a, &b, &m);
    assert_eq!(value.to_bits(), plain(&NUMBERS).to_bits());
    let found = [&a_bar.data[..], &b_bar.data, &m_bar.data].concat();
    assert_close(&found, &differences(&NUMBERS, plain));
    // The derivative in the direction of the gradient is its square.
    let (value, along) = energy::tangent(&a, &a_bar, &b, &b_bar, &m, &m_bar);
    assert_eq!(value.to_bits(), plain(&NUMBERS).to_bits());
    assert_close(&[along], &[found.iter().map(|x| x * x).sum()]);
}

#[test]
fn what_is_overwritten_is_an_operand() {
    let plain = |n: &[f64]| powers(&matrix(&n[4..]), &vector(&n[..2]), 5);
    let (value, (m_bar, start_bar)) =
        powers::gradient(&matrix(&NUMBERS[4..]), &vector(&NUMBERS[..2]), 5);
    assert_eq!(value.to_bits(), plain(&NUMBERS).to_bits());
    let found = [&start_bar.data[..], &[0.0, 0.0], &m_bar.data].concat();
    assert_close(&found, &differences(&NUMBERS, plain));
}

#[test]
fn elements_of_one_list() {
    let of = |n: &[f64]| n.chunks(2).map(vector).collect::<Vec<_>>();
    let plain = |n: &[f64]| gram(&of(n));
    let (value, bars) = gram::gradient(&of(&NUMBERS));
    assert_eq!(value.to_bits(), plain(&NUMBERS).to_bits());
    let found: Vec<f64> = bars.iter().flat_map(|bar| bar.data.clone()).collect();
    assert_close(&found, &differences(&NUMBERS, plain));
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct State {
    positions: Vec<f64>,
    velocities: Vec<f64>,
}

#[adjoint]
impl<'a> Add<&'a State> for &State {
    type Output = State;

    fn add(self, other: &'a State) -> State {
        State {
            positions: self.positions.iter().zip(&other.positions).map(|(a, b)| a + b).collect(),
            velocities: self.velocities.iter().zip(&other.velocities).map(|(a, b)| a + b).collect(),
        }
    }
}

#[adjoint]
impl Mul<&State> for f64 {
    type Output = State;

    fn mul(self, state: &State) -> State {
        State {
            positions: state.positions.iter().map(|a| self * a).collect(),
            velocities: state.velocities.iter().map(|a| self * a).collect(),
        }
    }
}

/// Operators that call others of the type.
#[adjoint]
impl Mul<State> for &f64 {
    type Output = State;

    fn mul(self, state: State) -> State {
        *self * &state
    }
}

#[adjoint]
impl State {
    #[adjoint(independents(self, g))]
    fn rate(&self, g: f64) -> State {
        State {
            positions: self.velocities.clone(),
            velocities: self.positions.iter().map(|x| -g * x.sin()).collect(),
        }
    }

    /// `self` is a reference.
    #[adjoint(independents(self, g))]
    fn step(&self, h: f64, g: f64) -> State {
        let k1 = self.rate(g);
        let k2: State = (self + &(0.5 * h * &k1)).rate(g);
        let k3: State = (self + &(0.5 * h * &k2)).rate(g);
        let sum = &(&k1 + &(2.0 * &k2)) + &(&2.0 * k3);
        self + &(h / 5.0 * &sum)
    }
}

#[adjoint(independents(start, g))]
fn simulated(start: &State, g: f64) -> f64 {
    let mut state = start.clone();
    for _ in 0..10 {
        state = state.step(0.1, g);
        state = &state + &(0.01 * &state);
    }
    state.positions[0] * state.velocities[1] + state.positions[1]
}

#[test]
fn a_simulation_by_reference() {
    let of = |n: &[f64]| State { positions: n[..2].to_vec(), velocities: n[2..4].to_vec() };
    let plain = |n: &[f64]| simulated(&of(n), n[4]);
    let numbers = [0.3, -0.2, 0.1, 0.9, 1.7];
    let (value, (bar, g_bar)) = simulated::gradient(&of(&numbers), 1.7);
    assert_eq!(value.to_bits(), plain(&numbers).to_bits());
    let found = [&bar.positions[..], &bar.velocities, &[g_bar]].concat();
    assert_close(&found, &differences(&numbers, plain));
}

trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + AddAssign + PartialOrd
{
}
impl Real for f64 {}
impl Real for f32 {}

/// Lists of a type parameter: their declaration tells that they are lists.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Sequence<T> {
    data: Vec<T>,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Table<T> {
    rows: usize,
    columns: usize,
    data: Vec<T>,
}

#[adjoint]
impl<T: Real> Add<Sequence<T>> for Sequence<T> {
    type Output = Sequence<T>;

    fn add(self, other: Sequence<T>) -> Self::Output {
        let mut data = self.data;
        for i in 0..data.len() {
            data[i] += other.data[i];
        }
        Sequence { data }
    }
}

#[adjoint]
impl<'a, 'b, T> Add<&'b Sequence<T>> for &'a Sequence<T>
where
    T: Real,
{
    type Output = Sequence<T>;

    fn add(self, other: &'b Sequence<T>) -> Self::Output {
        Sequence { data: self.data.iter().zip(other.data.iter()).map(|(a, b)| *a + *b).collect() }
    }
}

#[adjoint]
impl<'a, 'b, T: Real> Sub<&'b Sequence<T>> for &'a Sequence<T> {
    type Output = Sequence<T>;

    fn sub(self, other: &'b Sequence<T>) -> Self::Output {
        let own: &'a Vec<T> = &self.data;
        let mut out = own.clone();
        for (own, other) in out.iter_mut().zip(other.data.iter()) {
            *own = *own - *other;
        }
        Sequence { data: out }
    }
}

#[adjoint]
impl<'a, T: Real> Mul<T> for &'a Sequence<T> {
    type Output = Sequence<T>;

    fn mul(self, factor: T) -> Sequence<T> {
        Sequence { data: self.data.iter().map(|x| *x * factor).collect() }
    }
}

#[adjoint]
impl<'a, T> Mul<&'a T> for &'a Sequence<T>
where
    T: Real,
    &'a T: Mul<&'a T, Output = T>,
{
    type Output = Sequence<T>;

    fn mul(self, factor: &'a T) -> Self::Output {
        Sequence { data: self.data.iter().map(|x| x * factor).collect() }
    }
}

#[adjoint]
impl<'a, T: Real + 'a> SubAssign<&'a Sequence<T>> for Sequence<T> {
    fn sub_assign(&mut self, other: &'a Sequence<T>) {
        for i in 0..self.data.len() {
            self.data[i] = self.data[i] - other.data[i];
        }
    }
}

#[adjoint]
impl<T: Real> MulAssign<&T> for Sequence<T> {
    fn mul_assign(&mut self, factor: &T) {
        for x in self.data.iter_mut() {
            *x = *x * *factor;
        }
    }
}

#[adjoint]
impl<'a, T: Real> Mul<&'a Sequence<T>> for &Table<T> {
    type Output = Sequence<T>;

    fn mul(self, sequence: &'a Sequence<T>) -> Sequence<T> {
        let mut out = Vec::with_capacity(self.rows);
        for i in 0..self.rows {
            let mut sum = self.data[i * self.columns] * sequence.data[0];
            for j in 1..self.columns {
                sum += self.data[i * self.columns + j] * sequence.data[j];
            }
            out.push(sum);
        }
        Sequence { data: out }
    }
}

#[adjoint(independents(a, b, m, k))]
fn generic(a: &Sequence<f64>, b: &Sequence<f64>, m: &Table<f64>, k: f64) -> f64 {
    let mut sum = a + b;
    sum -= &(a * k);
    sum *= &k;
    let difference = &sum - &(b * &k);
    let both = difference.clone() + sum;
    let reference: &Sequence<f64> = &both;
    let image = m * &(reference + &difference);
    let mut squares = 0.0;
    for x in image.data.iter() {
        squares += x * x;
    }
    squares
}

#[adjoint(independents(sequence))]
fn square<T: Real>(sequence: &Sequence<T>) -> T {
    let mut sum = sequence.data[0] * sequence.data[0];
    for i in 1..sequence.data.len() {
        sum += sequence.data[i] * sequence.data[i];
    }
    sum
}

#[test]
fn generic_operators_by_reference() {
    let sequence = |n: &[f64]| Sequence { data: n.to_vec() };
    let of = |n: &[f64]| {
        let table = Table { rows: 2, columns: 2, data: n[4..8].to_vec() };
        (sequence(&n[..2]), sequence(&n[2..4]), table)
    };
    let plain = |n: &[f64]| {
        let (a, b, m) = of(n);
        generic(&a, &b, &m, n[8])
    };
    let numbers = [&NUMBERS[..], &[0.7]].concat();
    let (a, b, m) = of(&numbers);
    let (value, (a, b, m, k)) = generic::gradient(&a, &b, &m, 0.7);
    assert_eq!(value.to_bits(), plain(&numbers).to_bits());
    let found = [&a.data[..], &b.data, &m.data, &[k]].concat();
    assert_close(&found, &differences(&numbers, plain));
    assert_eq!(square::gradient(&sequence(&[1.0, 2.0])), (5.0, sequence(&[2.0, 4.0])));
    let single = square::gradient(&Sequence { data: vec![1.0_f32, 2.0] });
    assert_eq!(single, (5.0, Sequence { data: vec![2.0, 4.0] }));
}
