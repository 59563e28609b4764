//! Loops over lists in fields, in elements and in variables whose types the macro does not see; lists that code which is kept as it
//! is gives other lengths.

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Copy, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Differentiable)]
struct Scene {
    points: Vec<Point>,
    rows: Vec<Vec<f64>>,
    three: [f64; 3],
}

#[derive(Clone, Differentiable)]
struct Group(Vec<Scene>, usize);

fn scene() -> Scene {
    Scene {
        points: vec![Point { x: 1.25, y: 2.0 }, Point { x: 3.0, y: -0.5 }],
        rows: vec![vec![1.0], vec![2.0, 3.0, -1.0], Vec::new()],
        three: [0.1, 0.2, 0.4],
    }
}

#[adjoint(independents(scene), dependents(return))]
fn gone_through(scene: &Scene) -> f64 {
    let mut total = 0.0;
    for point in &scene.points {
        total += point.x * point.y;
    }
    for (k, row) in scene.rows.iter().enumerate() {
        for value in row.iter() {
            total += value * value * k as f64;
        }
    }
    for (a, b) in scene.three.iter().zip(&scene.rows[1]) {
        total += a * b;
    }
    for pair in scene.three.windows(2) {
        total += pair[0] * pair[1];
    }
    total
}

#[adjoint(independents(scene), dependents(return))]
fn in_chains(scene: &Scene) -> f64 {
    let xs = scene.points.iter().map(|point| point.x).fold(0.0, f64::max);
    let squares: f64 = scene.rows[1].iter().filter(|value| **value > 0.0).map(|v| v * v).sum();
    xs * squares + scene.three.iter().sum::<f64>()
}

/// Through elements of tuple structs.
#[adjoint(independents(group, factor), dependents(return))]
fn nested(group: &Group, factor: f64) -> f64 {
    let mut total = factor;
    for scene in group.0.iter() {
        for point in scene.points.iter().rev() {
            total *= point.x * factor;
        }
    }
    total
}

#[adjoint]
fn squares(x: &[f64]) -> Vec<f64> {
    x.iter().map(|t| t * t).collect()
}

#[adjoint]
fn list_of_a_call(x: &[f64]) -> f64 {
    let list = squares(x);
    let mut total = list.iter().sum::<f64>();
    for value in &list {
        total *= value;
    }
    total
}

#[test]
fn lists_that_are_returned() {
    let (value, gradient) = list_of_a_call::gradient(&[1.5, -2.0]);
    let [a, b] = [2.25, 4.0];
    assert_relative_eq!(value, (a + b) * a * b, max_relative = 1e-14);
    let expected = [(2.0 * a * b + b * b) * 3.0, (a * a + 2.0 * a * b) * -4.0];
    for (found, expected) in gradient.iter().zip(expected) {
        assert_relative_eq!(*found, expected, max_relative = 1e-14);
    }
}

#[test]
fn loops_over_fields() {
    let scene = scene();
    let (value, gradient) = gone_through::gradient(&scene);
    let [a, b, c] = scene.three;
    let squares = 4.0 + 9.0 + 1.0;
    let products = a * 2.0 + b * 3.0 - c;
    assert_relative_eq!(
        value,
        2.5 - 1.5 + squares + products + a * b + b * c,
        max_relative = 1e-14
    );
    assert_eq!(gradient.points[1].x, -0.5);
    assert_eq!(gradient.points[0].y, 1.25);
    assert_eq!(gradient.rows[0], [0.0]);
    let expected = [2.0 * 2.0 + a, 2.0 * 3.0 + b, -2.0 + c];
    for (found, expected) in gradient.rows[1].iter().zip(expected) {
        assert_relative_eq!(*found, expected, max_relative = 1e-14);
    }
    let expected = [2.0 + b, 3.0 + a + c, -1.0 + b];
    for (found, expected) in gradient.three.iter().zip(expected) {
        assert_relative_eq!(*found, expected, max_relative = 1e-14);
    }
}

#[test]
fn chains_over_fields() {
    let scene = scene();
    let (value, gradient) = in_chains::gradient(&scene);
    assert_relative_eq!(value, 3.0 * 13.0 + 0.7, max_relative = 1e-14);
    assert_eq!(gradient.points[0].x, 0.0);
    assert_eq!(gradient.points[1].x, 13.0);
    assert_eq!(gradient.rows[1], [12.0, 18.0, 0.0]);
    assert_eq!(gradient.three, [1.0; 3]);
}

#[test]
fn loops_in_loops_over_fields() {
    let group = Group(vec![scene(), scene()], 7);
    let (value, (gradient, factor)) = nested::gradient(&group, 0.5);
    let product = (1.25_f64 * 3.0).powi(2);
    assert_relative_eq!(value, product * 0.5_f64.powi(5), max_relative = 1e-14);
    assert_relative_eq!(gradient.0[1].points[0].x, value / 1.25, max_relative = 1e-14);
    assert_relative_eq!(factor, 5.0 * value / 0.5, max_relative = 1e-14);
}

/// Code that is kept as it is gives lists other lengths.
#[adjoint]
fn wrapped(signal: &[f64], window: &[f64]) -> Vec<f64> {
    let m = signal.len();
    let mut result = Vec::with_capacity(m);
    result.resize_with(m, f64::default);
    for i in 0..m {
        for j in 0..window.len() {
            result[i] += signal[(m + i - j) % m] * window[j];
        }
    }
    result
}

#[adjoint]
fn refilled(x: &[f64]) -> f64 {
    let mut v: Vec<f64> = Vec::new();
    let mut total = 0.0;
    for k in 0..x.len() {
        v.clear();
        v.extend(std::iter::repeat_n(1.0, k + 1));
        v[k] = x[k] * x[k];
        for value in v.iter() {
            total += value * value;
        }
    }
    total
}

#[test]
fn lists_that_kept_code_gives_other_lengths() {
    let (signal, window) = ([1.0, 2.0, 3.0], [0.5, 0.25]);
    let (value, slope) = wrapped::tangent(&signal, &[1.0, 0.0, 0.0], &window, &[0.0; 2]);
    assert_eq!((value, slope), (vec![1.25, 1.25, 2.0], vec![0.5, 0.25, 0.0]));
    let (mut signal_b, mut window_b) = ([0.0; 3], [0.0; 2]);
    let seed = vec![1.0, 2.0, 3.0];
    wrapped::adjoint(&signal, &mut signal_b, &window, &mut window_b, seed);
    assert_eq!((signal_b, window_b), ([1.0, 1.75, 1.75], [14.0, 11.0]));

    // Ones, and fourth powers.
    assert_eq!(refilled::gradient(&signal), (101.0, vec![4.0, 32.0, 108.0]));
    assert_eq!(refilled::tangent(&signal, &[1.0, 0.5, 0.25]), (101.0, 47.0));
}

/// Lists that keep their lengths.
#[derive(Clone, Differentiable)]
struct Rule {
    pairs: Box<[(f64, f64)]>,
    nodes: Box<[f64]>,
    /// What is in it is not used where derivatives pass.
    next: Option<Box<Rule>>,
}

fn rule(x: [f64; 6]) -> Rule {
    let last = Rule { pairs: Box::new([]), nodes: Box::new([x[5]]), next: None };
    Rule {
        pairs: Box::new([(x[0], x[1]), (x[2], x[3])]),
        nodes: Box::new([x[4], x[5]]),
        next: Some(Box::new(last)),
    }
}

#[adjoint(independents(rule, x))]
fn of_boxes(rule: &Rule, x: f64) -> f64 {
    let mut sum = 0.0;
    for k in 0..rule.nodes.len() {
        sum += rule.nodes[k] * x.powi(k as i32 + 1);
    }
    for &(node, weight) in rule.pairs.iter() {
        sum += node * weight * x;
    }
    sum * rule.nodes.iter().sum::<f64>()
}

#[adjoint(independents(rule, x))]
fn of_changed_boxes(rule: &Rule, x: f64) -> f64 {
    let mut rule = rule.clone();
    for k in 0..rule.nodes.len() {
        rule.nodes[k] *= x;
    }
    rule.nodes[0] = x * rule.nodes[1];
    rule.pairs[1].0 = x * x;
    of_boxes(&rule, x)
}

#[test]
fn lists_in_boxes() {
    const AT: [f64; 6] = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
    type Function = fn(&Rule, f64) -> f64;
    type Gradient = fn(&Rule, f64) -> (f64, (Rule, f64));
    let cases: [(Function, Gradient); 2] =
        [(of_boxes, of_boxes::gradient), (of_changed_boxes, of_changed_boxes::gradient)];
    for (function, gradient) in cases {
        let (value, (bar, by_x)) = gradient(&rule(AT), 0.9);
        assert_eq!(value, function(&rule(AT), 0.9));
        let found = [
            bar.pairs[0].0,
            bar.pairs[0].1,
            bar.pairs[1].0,
            bar.pairs[1].1,
            bar.nodes[0],
            bar.nodes[1],
        ];
        for (k, found) in found.into_iter().enumerate() {
            let shifted = |by: f64| {
                let mut at = AT;
                at[k] += by;
                function(&rule(at), 0.9)
            };
            let slope = (shifted(1e-5) - shifted(-1e-5)) / 2e-5;
            assert_relative_eq!(found, slope, max_relative = 1e-8, epsilon = 1e-9);
        }
        let slope = (function(&rule(AT), 0.9 + 1e-5) - function(&rule(AT), 0.9 - 1e-5)) / 2e-5;
        assert_relative_eq!(by_x, slope, max_relative = 1e-8);
        assert_eq!(bar.next.map(|next| next.nodes[0]), Some(0.0));
    }
}

/// A polynomial, the highest coefficient first.
#[derive(Clone, Differentiable)]
struct Polynomial<T> {
    coefficients: Vec<T>,
}

#[adjoint]
impl<T> Polynomial<T> {
    #[adjoint(independents(rising), dependents(return))]
    fn from_rising(mut rising: Vec<T>) -> Polynomial<T> {
        rising.reverse();
        Polynomial { coefficients: rising }
    }
}

#[derive(Clone, Differentiable)]
struct Spline<T: num_traits::Float> {
    pieces: Vec<((T, T), Polynomial<T>)>,
}

#[adjoint]
impl<T: num_traits::Float> Spline<T> {
    /// Only what is pushed tells what the list is of.
    fn through(x: &[T], y: &[T]) -> Spline<T> {
        let mut pieces = Vec::new();
        for i in 0..x.len() - 1 {
            let slope = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
            let piece = Polynomial::from_rising(vec![y[i] - slope * x[i], slope]);
            pieces.push(((x[i], x[i + 1]), piece));
        }
        Spline { pieces }
    }
}

#[adjoint(independents(x, y), dependents(return))]
fn of_spline(x: &[f64], y: &[f64]) -> f64 {
    let spline = Spline::through(x, y);
    let mut sum = 0.0;
    for k in 0..spline.pieces.len() {
        let at = 0.25 * spline.pieces[k].0.0 + 0.75 * spline.pieces[k].0.1;
        let line = &spline.pieces[k].1.coefficients;
        sum += (line[0] * at * at + line[1]) * at.sin();
    }
    sum
}

#[test]
fn items_tell_what_a_list_is_of() {
    let (x, y) = ([0.1, 0.7, 1.9, 2.4], [1.5, -0.3, 0.8, 2.2]);
    let (value, (by_x, by_y)) = of_spline::gradient(&x, &y);
    assert_eq!(value, of_spline(&x, &y));
    for k in 0..4 {
        let moved = |list: [f64; 4], by: f64| {
            let mut list = list;
            list[k] += by;
            list
        };
        let slope = (of_spline(&moved(x, 1e-5), &y) - of_spline(&moved(x, -1e-5), &y)) / 2e-5;
        assert_relative_eq!(by_x[k], slope, max_relative = 1e-7, epsilon = 1e-9);
        let slope = (of_spline(&x, &moved(y, 1e-5)) - of_spline(&x, &moved(y, -1e-5))) / 2e-5;
        assert_relative_eq!(by_y[k], slope, max_relative = 1e-7, epsilon = 1e-9);
    }
}

/// Structs that no parameter has the type of, copied and changed, as simulations keep states.
#[adjoint(independents(x), dependents(return))]
fn states(x: &[f64]) -> f64 {
    let start = Scene {
        points: vec![Point { x: x[0] * x[1], y: x[1] }],
        rows: vec![vec![x[0], x[1] * x[1]]],
        three: [x[0], x[1], 1.0],
    };
    let mut now = start.clone();
    let mut all = Vec::new();
    for k in 0..4 {
        let before = now.clone();
        now.points[0].x += 0.1 * before.points[0].y * start.three[k % 3];
        now.rows[0][1] = before.rows[0][0] * now.points[0].x;
        now.rows[0][0] -= 0.2 * now.rows[0][1];
        all.push(now.rows[0][0] * before.rows[0][1]);
    }
    let ends = [now.clone(), start];
    let end = ends[x.len() - 2].clone();
    all.iter().sum::<f64>() + end.points[0].x * end.rows[0][0]
}

#[test]
fn clones_of_structs_are_copies() {
    let at = [0.7, -1.2];
    let (value, gradient) = states::gradient(&at);
    assert_eq!(value, states(&at));
    for direction in 0..2 {
        let moved = |step: f64| {
            let mut x = at;
            x[direction] += step;
            states(&x)
        };
        let slope = (8.0 * (moved(1e-4) - moved(-1e-4)) - (moved(2e-4) - moved(-2e-4))) / 12e-4;
        assert_relative_eq!(gradient[direction], slope, max_relative = 1e-9);
        let along = [0, 1].map(|k| f64::from(u8::from(k == direction)));
        assert_relative_eq!(states::tangent(&at, &along).1, slope, max_relative = 1e-9);
    }
}

#[derive(Clone, Differentiable)]
struct Named {
    x: f64,
    name: String,
}

/// A struct with a text, which the function may be left before.
#[adjoint(independents(x), dependents(return))]
fn named(x: f64, n: usize) -> f64 {
    let mut sum = 0.0;
    for k in 0..n {
        let scaled = Named { x: x * k as f64, name: String::from("scaled") };
        if scaled.x > 3.0 {
            return sum;
        }
        let square = Named { x: scaled.x * scaled.x, name: scaled.name };
        sum += square.x;
    }
    sum
}

#[test]
fn functions_are_left_before_structs_with_texts_are_made() {
    assert_eq!(named::gradient(2.0, 0), (0.0, 0.0));
    assert_eq!(named::gradient(2.0, 2), (4.0, 4.0));
    assert_eq!(named::gradient(2.0, 5), (4.0, 4.0));
}
