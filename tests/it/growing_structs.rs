//! Lists in structs that grow and shrink: methods with `&mut self`, and functions that are given a `&mut`, change how long they are.

use crate::differences::{assert_derivatives, assert_gradient};
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Curve {
    knots: Vec<f64>,
    scale: f64,
    points: Vec<[f64; 2]>,
}

#[adjoint]
impl Curve {
    fn of(x: &[f64]) -> Self {
        Curve { knots: vec![x[0], x[1]], scale: x[2], points: vec![[x[0], x[1]]] }
    }
    /// What is pushed reads the list, and another field.
    fn put(&mut self, knot: f64) {
        self.knots.push(knot * self.knots[0] + self.scale);
    }
    fn put_all(&mut self, x: &[f64]) {
        for v in x {
            self.knots.push(v * self.scale);
            self.points.push([*v, self.knots[0]]);
        }
    }
    fn lengthen(&mut self, x: &[f64]) {
        self.knots.extend(x.iter().map(|v| v * self.scale));
        self.scale *= 2.0;
    }
    fn shorten(&mut self) -> f64 {
        let last = self.knots.pop().unwrap();
        self.scale += last;
        last * last
    }
    fn put_in_order(&mut self, knot: f64) {
        let at = self.knots.iter().position(|k| *k >= knot).unwrap_or(self.knots.len());
        self.knots.insert(at, knot * self.scale);
    }
    fn put_twice(&mut self, x: f64) {
        self.put(x);
        self.put(x * x);
    }
    fn put_some(&mut self, x: &[f64]) {
        for v in x {
            self.put(*v);
            if *v > 0.5 {
                self.shorten();
            }
        }
    }
    fn value(&self, x: f64) -> f64 {
        let mut sum = 0.0;
        for (k, knot) in self.knots.iter().enumerate() {
            sum += knot.sin() * (k + 1) as f64 * x;
        }
        for (k, [a, b]) in self.points.iter().enumerate() {
            sum += a * b * (k + 1) as f64 * x;
        }
        sum * self.scale
    }
}

#[adjoint(independents(curve, x), dependents(curve))]
fn grow(curve: &mut Curve, x: f64) {
    curve.knots.push(x * curve.scale);
    curve.knots.push(x * curve.knots[0]);
}

#[adjoint]
fn grow_list(list: &mut Vec<f64>, x: f64) {
    list.push(x * list[0]);
}

#[adjoint]
fn by_each(x: &[f64]) -> f64 {
    let mut curve = Curve::of(x);
    curve.put(x[1]);
    curve.put_all(x);
    curve.lengthen(&x[1..]);
    let last = curve.shorten();
    curve.scale *= 0.1 * last;
    curve.put_in_order(x[2]);
    curve.put_twice(x[2]);
    curve.put_some(x);
    grow(&mut curve, x[1]);
    grow_list(&mut curve.knots, x[0]);
    curve.value(x[0])
}

#[adjoint]
fn in_loop(x: &[f64]) -> f64 {
    let mut curve = Curve::of(x);
    for v in &x[..2] {
        curve.put(*v);
        curve.lengthen(x);
        let last = curve.shorten();
        curve.put_in_order(last);
        curve.scale *= 0.3;
    }
    curve.value(x[0])
}

#[adjoint]
fn left_early(x: &[f64]) -> f64 {
    let mut curve = Curve::of(x);
    for v in x {
        curve.put(*v);
        if *v < 0.5 {
            return curve.value(*v) * 2.0;
        }
    }
    curve.value(x[0])
}

#[adjoint]
fn left_for_outer_loop(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    'outer: for u in x {
        let mut curve = Curve { knots: vec![x[0], x[1]], scale: *u, points: vec![] };
        for v in x {
            curve.put(*v);
            if *v < 0.5 {
                sum += curve.value(*u);
                continue 'outer;
            }
            if *u < 0.5 {
                break 'outer;
            }
        }
        sum += curve.value(x[0]);
    }
    sum
}

#[adjoint]
fn overwritten(x: &[f64]) -> f64 {
    let mut curve = Curve::of(x);
    let mut sum = 0.0;
    for v in x {
        curve.put(*v);
        sum += curve.value(*v);
        curve = Curve { knots: vec![*v], scale: curve.scale * 0.5, points: vec![[*v, sum]] };
        curve.put_all(x);
        sum += curve.value(x[1]);
    }
    sum + curve.value(x[0])
}

#[adjoint]
fn exchanged(x: &[f64]) -> f64 {
    let mut one = Curve::of(x);
    let mut other = Curve { knots: vec![x[1]], scale: x[0], points: vec![] };
    for v in x {
        one.put(*v);
        std::mem::swap(&mut one, &mut other);
        other.put_all(&[*v]);
    }
    other.value(x[1]) * one.value(x[0])
}

#[adjoint]
fn moved_and_copied(x: &[f64]) -> f64 {
    let mut first = Curve::of(x);
    first.put_all(x);
    let mut second = first;
    for v in x {
        second.put(*v);
    }
    let copy = second.clone();
    second.put(x[0]);
    copy.value(x[0]) + second.value(x[1])
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Plant {
    curve: Curve,
    all: Vec<Curve>,
    pair: (Vec<f64>, f64),
}

#[adjoint]
impl Plant {
    fn work(&mut self, x: f64) {
        self.curve.put(x);
        self.all[0].put(x * x);
        self.pair.0.push(x * self.pair.1);
        self.all.push(Curve { knots: vec![x], scale: x, points: vec![] });
    }
    fn value(&self, x: f64) -> f64 {
        let mut sum = self.curve.value(x);
        for curve in &self.all {
            sum += curve.value(x) * sum.cos();
        }
        for v in &self.pair.0 {
            sum += v * v;
        }
        sum
    }
}

#[adjoint]
fn in_parts(x: &[f64]) -> f64 {
    let curve = Curve::of(x);
    let mut plant = Plant { curve: curve.clone(), all: vec![curve], pair: (vec![x[0]], x[1]) };
    for v in &x[..1] {
        plant.work(*v);
        plant.curve.put(*v);
        let last = plant.all.len() - 1;
        plant.all[last].put_all(x);
    }
    plant.value(x[0])
}

#[adjoint]
fn add_to(rows: &mut [Vec<f64>; 2], v: f64) {
    rows[0].push(v * v);
    rows[1].push(v.sin());
}

#[adjoint]
fn in_array(x: &[f64]) -> f64 {
    let mut rows: [Vec<f64>; 2] = [vec![x[0]], vec![]];
    for v in x {
        add_to(&mut rows, *v);
    }
    rows[0].iter().sum::<f64>() * rows[1].iter().map(|v| v * v).sum::<f64>()
}

/// It has no derivative, and needs none.
fn fill(curve: &mut Curve, k: usize) {
    curve.knots.push(k as f64);
}

/// The lists are longer before anything of the curve has a derivative.
#[adjoint]
fn of_constants_first(x: &[f64]) -> f64 {
    let mut curve = Curve { knots: vec![], scale: 2.0, points: vec![] };
    curve.put_all(&[1.0, 2.0]);
    for k in 0..3 {
        fill(&mut curve, k);
    }
    curve.scale = x[0];
    curve.put(x[1]);
    curve.value(x[2])
}

#[adjoint]
fn in_checkpoints(x: &[f64]) -> f64 {
    let mut curve = Curve::of(x);
    let mut sum = 0.0;
    #[checkpoint(snapshots = 2)]
    for k in 0..4 {
        curve.put(x[k % 3]);
        sum += curve.knots[curve.knots.len() - 1] * sum + curve.scale;
    }
    #[checkpoint]
    {
        curve.put(x[0]);
    }
    curve.value(x[0]) * 0.1 + sum
}

/// Fields are told apart by their names, which may be raw.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Raw {
    r#in: Vec<f64>,
    r#type: f64,
    other: Vec<f64>,
}

#[adjoint]
impl Raw {
    fn grow(&mut self, x: f64) {
        self.r#in.push(self.r#in[0] * x + self.r#type);
        self.r#in.push(self.r#in.len() as f64 * x);
        self.other.push(self.r#in[1]);
    }
    fn shrink(&mut self) {
        self.r#in.truncate(self.r#in.len() - 1);
        self.other.insert(self.other.len(), self.other[0] * self.r#type);
    }
    fn value(&self) -> f64 {
        let squares: f64 = self.r#in.iter().map(|v| v * v).sum();
        squares * self.other.iter().sum::<f64>() + self.r#in[2]
    }
}

#[adjoint]
fn of_raw_names(x: &[f64]) -> f64 {
    let mut raw = Raw { r#in: vec![x[0]], r#type: x[1], other: vec![x[2]] };
    raw.grow(x[1]);
    raw.shrink();
    raw.grow(x[2]);
    raw.value()
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct State {
    x: Vec<f64>,
    k: f64,
}

/// It keeps what it has gone through.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Simulation {
    state: State,
    history: Vec<State>,
    rows: Vec<Vec<f64>>,
}

#[adjoint]
impl Simulation {
    fn step(&mut self, h: f64) {
        for i in 0..self.state.x.len() {
            self.state.x[i] += h * self.state.k * self.state.x[i].sin();
        }
        self.history.push(self.state.clone());
        self.rows.push(self.state.x.clone());
        self.rows.push(self.rows[0].clone());
    }
    fn value(&self) -> f64 {
        let mut sum = 0.0;
        for state in &self.history {
            sum += state.x[0] * state.x[1] * state.k;
        }
        for row in &self.rows {
            sum += row[0] * row[0];
        }
        sum
    }
}

#[adjoint]
fn of_history(x: &[f64]) -> f64 {
    let state = State { x: vec![x[0], x[1]], k: x[2] };
    let mut simulation = Simulation { state, history: vec![], rows: vec![] };
    for _ in 0..3 {
        simulation.step(0.1);
    }
    simulation.value()
}

const AT: [f64; 3] = [1.2, 0.4, 0.7];
const ALONG: [f64; 3] = [0.3, -0.2, 0.9];

#[test]
fn bars_are_as_long_as_lists_have_become() {
    assert_derivatives!(AT, ALONG; by_each in_loop left_early left_for_outer_loop overwritten exchanged);
    assert_derivatives!(AT, ALONG; moved_and_copied in_parts in_array of_constants_first);
    assert_derivatives!(AT, ALONG; of_raw_names of_history);
}

#[test]
fn checkpointed_code_makes_lists_longer() {
    let (_, gradient) = in_checkpoints::gradient(&AT);
    assert_gradient(&gradient, &AT, in_checkpoints);
}
