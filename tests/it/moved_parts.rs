//! Lists that are moved out of structs, arrays and options, and that change places in them.

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};
use num_traits::Float;

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct State {
    now: Vec<f64>,
    next: Vec<f64>,
    #[passive]
    weights: Vec<f64>,
    rate: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Both {
    state: State,
    scale: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Series<T> {
    items: Vec<T>,
    offset: T,
}

fn state(x: &[f64], rate: f64) -> State {
    let next = x.iter().map(|x| 2.0 * x).collect();
    State { now: x.to_vec(), next, weights: vec![0.5, 1.5, -0.3], rate }
}

#[adjoint(second_order)]
fn field_taken(x: &[f64], y: f64) -> f64 {
    let s = State { now: x.to_vec(), next: vec![y], weights: vec![0.5], rate: y * y };
    let now = s.now;
    now[0] * now[1] * s.rate + s.next[0]
}

#[adjoint(second_order)]
fn all_fields_taken(x: &[f64], y: f64) -> f64 {
    let s = State { now: x.to_vec(), next: vec![y], weights: vec![0.5], rate: y * y };
    let State { now, next, weights, rate } = s;
    now[0] * next[0] * weights[0] * rate + now[2]
}

#[adjoint(independents(s, y))]
fn taken_of_parameter(s: State, y: f64) -> f64 {
    let State { now, weights, rate, .. } = s;
    now[0] * weights[1] * rate * y
}

#[adjoint(independents(s, y))]
fn list_made_of_parameter(s: State, y: f64) -> Vec<f64> {
    let mut list = s.now;
    list.push(s.rate * y * s.next[1]);
    list
}

#[adjoint]
fn struct_taken(x: &[f64], y: f64) -> f64 {
    let state = State { now: x.to_vec(), next: vec![y], weights: vec![0.5], rate: y * y };
    let both = Both { state, scale: y };
    let state = both.state;
    let now = state.now;
    now[1] * state.rate * both.scale
}

#[adjoint]
fn elements_taken(x: &[f64], y: f64) -> f64 {
    let rows = [x.to_vec(), vec![y * y, y]];
    let [first, second] = rows;
    first[0] * second[0] + first[1] * second[1]
}

#[adjoint]
fn taken_in_turn(x: &[f64], y: f64) -> f64 {
    let mut s = State { now: x.to_vec(), next: vec![y], weights: vec![0.5], rate: y };
    let mut sum = 0.0;
    for k in 0..3 {
        let mut now = s.now;
        now[k] = now[k] * s.rate + now[0];
        sum += now[k];
        s.now = now;
    }
    sum * s.now[1]
}

#[adjoint(second_order)]
fn swapped(x: &[f64], y: f64) -> f64 {
    let mut s = State { now: x.to_vec(), next: vec![y, 3.0, y * y], weights: vec![0.5], rate: y };
    std::mem::swap(&mut s.now, &mut s.next);
    s.next[0] * s.rate * s.now[0] + s.next[2] * s.now[2]
}

#[adjoint]
fn diffused(x: &[f64], y: f64, steps: usize) -> f64 {
    let n = x.len();
    let mut s = State { now: x.to_vec(), next: vec![0.0; n], weights: vec![0.5], rate: y };
    for _ in 0..steps {
        for i in 0..n {
            s.next[i] = s.now[i] * s.now[(i + 1) % n] + s.rate * s.now[i];
        }
        std::mem::swap(&mut s.now, &mut s.next);
    }
    s.now[0] + s.now[n - 1]
}

#[adjoint]
impl State {
    fn flip(&mut self, y: f64) {
        std::mem::swap(&mut self.now, &mut self.next);
        self.now[0] *= y * self.rate;
    }

    fn into_list(self, y: f64) -> Vec<f64> {
        let mut list = self.now;
        list.push(y * self.rate);
        list
    }
}

#[adjoint]
fn by_methods(x: &[f64], y: f64) -> f64 {
    let mut s = State { now: x.to_vec(), next: vec![y, 3.0, y * y], weights: vec![0.5], rate: y };
    s.flip(x[1]);
    let list = s.into_list(y);
    list[0] * list[2] + list[3] * x[2]
}

#[adjoint]
fn of_series(x: &[f64], y: f64) -> f64 {
    let series = Series { items: x.to_vec(), offset: y };
    total(series, y)
}

#[adjoint(independents(series, y))]
fn total<T: Float>(series: Series<T>, y: T) -> T {
    let items = series.items;
    items[0] * items[1] * y + series.offset * items[2]
}

/// Lists and directions of them, exchanged.
#[adjoint]
fn in_directions(x: &[f64], y: f64) -> f64 {
    let rows = [x.to_vec(), vec![y * y, y, 1.0]];
    let [first, mut second] = rows;
    let mut pair = (first, vec![y]);
    std::mem::swap(&mut pair.0, &mut second);
    pair.0[0] * second[1] + pair.1[0] * second[2]
}

/// What is taken out of an `Option` is put back, or not.
#[adjoint]
fn taken_and_put_back(x: &[f64], y: f64) -> f64 {
    let mut kept: Option<Vec<f64>> = Some(x.to_vec());
    let mut sum = y;
    for k in 0..5 {
        if let Some(mut list) = kept.take() {
            sum += list[k % 3] * y;
            list[0] *= y;
            if k < 3 {
                kept = Some(list);
            }
        }
    }
    sum * x[1]
}

/// The same without a loop.
#[adjoint]
fn taken_twice(x: &[f64], y: f64) -> f64 {
    let mut kept: Option<Vec<f64>> = Some(x.to_vec());
    let mut sum = y;
    if let Some(list) = kept.take() {
        sum += list[0] * y;
    }
    if let Some(list) = kept.take() {
        sum += list[1] * y;
    }
    sum * x[2]
}

/// What is moved in each iteration, and left as it is then.
#[adjoint]
fn stepped(x: &[f64], y: f64) -> f64 {
    let mut now = x.to_vec();
    let mut sum = 0.0;
    for k in 0..3 {
        let before = now;
        now = before.iter().map(|v| v * y).collect();
        sum += before[k] * now[0];
        if sum > 100.0 {
            let last = now;
            sum += last[1];
            break;
        }
    }
    sum
}

/// A slope by differences, of the fourth order.
fn slope(f: impl Fn(f64) -> f64) -> f64 {
    let h = 1e-3;
    (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)
}

fn moved(x: &[f64; 3], by: f64, along: &[f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| x[i] + by * along[i])
}

const X: [f64; 3] = [0.7, -1.3, 0.4];
const ALONG: [f64; 3] = [0.3, 1.1, -0.8];

/// The value, the gradient, and the tangent of a function of a list and a number.
macro_rules! assert_right {
    ($($f:ident ($($more:expr)?)),* $(,)?) => {$({
        let y = 1.2;
        let f = |h: f64, k: f64| $f(&moved(&X, h, &ALONG), y + k $(, $more)?);
        let (value, (by_x, by_y)) = $f::gradient(&X, y $(, $more)?);
        assert_eq!(value, f(0.0, 0.0), "{}", stringify!($f));
        let along: f64 = by_x.iter().zip(ALONG).map(|(x, d)| x * d).sum();
        assert_relative_eq!(along, slope(|h| f(h, 0.0)), max_relative = 1e-9);
        assert_relative_eq!(by_y, slope(|k| f(0.0, k)), max_relative = 1e-9);
        let (again, tangent) = $f::tangent(&X, &ALONG, y, 0.6 $(, $more)?);
        assert_eq!(again, value);
        assert_relative_eq!(tangent, along + 0.6 * by_y, max_relative = 1e-12);
    })*};
}

#[test]
fn parts_that_are_moved_have_derivatives() {
    assert_right!(
        field_taken(),
        all_fields_taken(),
        struct_taken(),
        elements_taken(),
        taken_in_turn(),
        of_series(),
    );
}

#[test]
fn lists_that_change_places_have_derivatives() {
    assert_right!(swapped(), diffused(4), by_methods(), in_directions());
}

#[test]
fn whole_lists_that_are_moved_have_derivatives() {
    assert_right!(taken_and_put_back(), taken_twice(), stepped());
}

#[test]
fn in_several_directions() {
    let directions: Vec<[f64; 2]> = ALONG.iter().map(|&d| [d, 0.0]).collect();
    let (value, slopes) = in_directions::tangents(&X, &directions, 1.2, [0.0, 1.0]);
    let (again, (by_x, by_y)) = in_directions::gradient(&X, 1.2);
    assert_eq!(value, again);
    let along: f64 = by_x.iter().zip(ALONG).map(|(x, d)| x * d).sum();
    assert_relative_eq!(slopes[0], along, max_relative = 1e-12);
    assert_relative_eq!(slopes[1], by_y, max_relative = 1e-12);
}

#[test]
fn parts_of_parameters_have_derivatives() {
    let (s, y, h) = (state(&X, 0.9), 1.2, 1e-3);
    let (value, (bar, by_y)) = taken_of_parameter::gradient(s.clone(), y);
    assert_eq!(value, taken_of_parameter(s.clone(), y));
    assert_relative_eq!(by_y, value / y, max_relative = 1e-12);
    assert_relative_eq!(bar.rate, value / s.rate, max_relative = 1e-12);
    assert_relative_eq!(bar.now[0], value / s.now[0], max_relative = 1e-12);
    assert_eq!((bar.now[1], bar.next[0]), (0.0, 0.0));
    let direction = State { now: ALONG.to_vec(), rate: h, ..s.clone() };
    let (again, tangent) = taken_of_parameter::tangent(s.clone(), direction, y, 0.6);
    assert_eq!(again, value);
    let expected = bar.now[0] * ALONG[0] + bar.rate * h + by_y * 0.6;
    assert_relative_eq!(tangent, expected, max_relative = 1e-12);
}

#[test]
fn lists_made_of_parameters_have_tangents() {
    let (s, y) = (state(&X, 0.9), 1.2);
    let direction = State { now: ALONG.to_vec(), next: vec![0.2; 3], rate: 0.7, ..s.clone() };
    let (list, slopes) = list_made_of_parameter::tangent(s.clone(), direction, y, 0.6);
    assert_eq!(list, list_made_of_parameter(s.clone(), y));
    let last = 0.7 * y * s.next[1] + s.rate * 0.6 * s.next[1] + s.rate * y * 0.2;
    assert_eq!(slopes[..3], ALONG);
    assert_relative_eq!(slopes[3], last, max_relative = 1e-12);
}

#[test]
fn second_derivatives_go_through_moved_parts() {
    let y = 1.2;
    macro_rules! assert_hessian {
        ($($f:ident),*) => {$({
            let (_, gradient, product) = $f::hessian_vector(&X, &ALONG, y, 0.6);
            let along = |h: f64| $f::gradient(&moved(&X, h, &ALONG), y + 0.6 * h).1;
            assert_eq!(gradient, along(0.0));
            for i in 0..3 {
                assert_relative_eq!(product.0[i], slope(|h| along(h).0[i]), epsilon = 1e-9);
            }
            assert_relative_eq!(product.1, slope(|h| along(h).1), max_relative = 1e-9);
        })*};
    }
    assert_hessian!(field_taken, all_fields_taken, swapped);
}
