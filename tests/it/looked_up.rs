//! What is looked up in lists of structs: `any`, `all`, `count`, `position`, `find`, `next`, `max_by`, `last` become loops there, and what they find stays
//! in the list.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::{Differentiable, adjoint};
use testkit::vectors::check;

#[derive(Clone, Copy, Debug, Differentiable)]
struct Knot {
    at: f64,
    value: f64,
}

impl Knot {
    const fn new(at: f64, value: f64) -> Self {
        Self { at, value }
    }
}

const KNOTS: [Knot; 4] =
    [Knot::new(0.0, 1.5), Knot::new(1.0, -0.5), Knot::new(2.5, 4.0), Knot::new(3.0, 2.0)];

/// Piecewise linear interpolation, as tables of knots are read.
#[adjoint(independents(knots, x), dependents(return))]
fn between(knots: &[Knot], x: f64) -> f64 {
    let Some(right) = knots.iter().position(|knot| knot.at > x) else {
        return knots.last().map(|knot| knot.value).unwrap_or(0.0);
    };
    if right == 0 {
        return knots[0].value;
    }
    let (a, b) = (&knots[right - 1], &knots[right]);
    a.value + (b.value - a.value) * (x - a.at) / (b.at - a.at)
}

/// The same by the window that is found.
#[adjoint(independents(knots, x), dependents(return))]
fn between_ends(knots: &[Knot], x: f64) -> f64 {
    match knots.windows(2).find(|ends| ends[0].at <= x && x < ends[1].at) {
        Some(ends) => {
            let slope = (ends[1].value - ends[0].value) / (ends[1].at - ends[0].at);
            ends[0].value + slope * (x - ends[0].at)
        }
        None if x < knots[0].at => knots[0].value,
        None => knots[knots.len() - 1].value,
    }
}

type Gradient = fn(&[Knot], f64) -> (f64, (Vec<Knot>, f64));

/// The value is that of the function, and the gradient that of central differences.
#[track_caller]
fn agrees(f: fn(&[Knot], f64) -> f64, gradient: Gradient, x: f64) {
    let (value, bars) = gradient(&KNOTS, x);
    assert_eq!(value, f(&KNOTS, x));
    check(|(knots, x): &(Vec<Knot>, f64)| f(knots, *x), &(KNOTS.to_vec(), x), &bars);
}

#[test]
fn a_table_of_knots() {
    for x in [-0.5, 0.25, 1.75, 2.75, 3.5] {
        agrees(between, between::gradient, x);
        agrees(between_ends, between_ends::gradient, x);
    }
}

/// Structs are taken apart where they go through a chain.
#[adjoint(independents(knots, x), dependents(return))]
fn taken_apart(knots: &[Knot], x: f64) -> f64 {
    let mut sum: f64 = knots.iter().map(|Knot { at, value }| at * value).sum();
    for Knot { at, .. } in knots {
        sum += at.sin() * x;
    }
    for (i, &Knot { at, value: height }) in knots.iter().enumerate() {
        sum += (i as f64 + at) * height * x;
    }
    let shift = knots.iter().fold(x, |shift, Knot { value, .. }| shift * 0.5 + value * value);
    sum + shift
}

#[test]
fn structs_are_taken_apart_on_their_way() {
    agrees(taken_apart, taken_apart::gradient, 1.75);
}

/// Decisions and counts over knots.
#[adjoint(independents(knots, x), dependents(return))]
fn decided(knots: &[Knot], x: f64) -> f64 {
    let near = knots.iter().any(|knot| (knot.at - x).abs() < 0.3);
    let below = knots.iter().all(|Knot { value, .. }| *value < 2.0 * x);
    let left = knots.iter().filter(|knot| knot.at < x).map(|knot| knot.value * knot.value).count();
    let scale = if near { x * x } else { x };
    let shift = if below { knots[1].value } else { knots[0].at * x };
    scale * left as f64 + shift
}

#[test]
fn decisions_and_counts() {
    for x in [0.1, 1.6, 2.9, 7.0] {
        agrees(decided, decided::gradient, x);
    }
}

/// The largest, the smallest, the last and the first that pass.
#[adjoint(independents(knots, x), dependents(return))]
fn extremes(knots: &[Knot], x: f64) -> f64 {
    let highest = knots.iter().max_by(|a, b| a.value.total_cmp(&b.value)).unwrap();
    let (number, lowest) = knots
        .iter()
        .enumerate()
        .min_by(|(_, a), (_, b)| a.value.partial_cmp(&b.value).unwrap())
        .unwrap();
    let first = knots.iter().filter(|knot| knot.value > x).next();
    let last = knots.iter().filter(|knot| knot.value > x).last();
    let ends = match (first, last) {
        (Some(first), Some(last)) => first.at * last.value + first.value * last.at,
        _ => x,
    };
    highest.value * x + lowest.at * lowest.value * number as f64 + ends * x
}

#[test]
fn extremes_stay_in_the_list() {
    for x in [0.1, 1.6, 3.0, 7.0] {
        agrees(extremes, extremes::gradient, x);
    }
    assert!(std::panic::catch_unwind(|| extremes::gradient(&[], 1.0)).is_err());
}

/// What is found is changed where it is, again and again.
#[adjoint(independents(knots, x), dependents(knots))]
fn raised(knots: &mut Vec<Knot>, x: f64) {
    for level in 0..3 {
        if let Some(knot) = knots.iter_mut().find(|knot| knot.value > level as f64 + 0.3) {
            knot.value -= x * knot.at + 0.5;
        }
        if !knots.iter().any(|knot| (knot.at - x).abs() < 1e-9) {
            knots.push(Knot { at: x, value: x * x });
        }
    }
}

#[test]
fn what_is_found_is_changed() {
    for x in [0.3, 0.7] {
        let plain = |(knots, x): &(Vec<Knot>, f64)| {
            let mut knots = knots.clone();
            raised(&mut knots, *x);
            knots.iter().enumerate().map(|(i, k)| (i + 1) as f64 * (k.value + k.at)).sum::<f64>()
        };
        let mut knots = KNOTS.to_vec();
        raised(&mut knots, x);
        let mut seeds: Vec<Knot> =
            (0..knots.len()).map(|i| Knot::new((i + 1) as f64, (i + 1) as f64)).collect();
        let mut primal = KNOTS.to_vec();
        let mut x_b = 0.0;
        raised::adjoint(&mut primal, &mut seeds, x, &mut x_b);
        assert_eq!(seeds.len(), KNOTS.len());
        check(plain, &(KNOTS.to_vec(), x), &(seeds, x_b));
    }
}

/// Options on the way through a chain: of fields, of elements, of calls.
#[derive(Clone, Debug, Differentiable)]
struct Scored {
    score: Option<f64>,
    value: f64,
}

#[adjoint]
fn checked(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x.sqrt()) } else { None }
}

#[adjoint(independents(items, x), dependents(return))]
fn of_options(items: &[Scored], x: &[Option<f64>]) -> f64 {
    let scores: Vec<f64> = items.iter().filter_map(|item| item.score).collect();
    let squares: f64 = scores.iter().map(|s| s * s).sum();
    let known: f64 = x.iter().flatten().product();
    let roots: f64 = items.iter().filter_map(|item| checked(item.value)).sum();
    let logarithms: f64 = items.iter().filter_map(|t| (t.value > 0.0).then(|| t.value.ln())).sum();
    let mut first = 0.0;
    for score in items.iter().map_while(|item| item.score) {
        first += score * known;
    }
    let doubled: f64 = items.iter().flat_map(|item| item.score.map(|s| 2.0 * s)).sum();
    squares * known + roots * logarithms + first + doubled
}

#[test]
fn options_in_chains() {
    let items: Vec<Scored> = [(Some(1.5), 2.0), (Some(-0.5), -1.0), (None, 0.7), (Some(3.0), 4.0)]
        .map(|(score, value)| Scored { score, value })
        .to_vec();
    let x = vec![Some(0.5), None, Some(-3.0)];
    let (value, bars) = of_options::gradient(&items, &x);
    assert_eq!(value, of_options(&items, &x));
    let plain = |(items, x): &(Vec<Scored>, Vec<Option<f64>>)| of_options(items, x);
    check(plain, &(items, x), &bars);
}

/// What a closure counts, it counts until an item decides.
#[adjoint]
fn counted(x: &[f64]) -> f64 {
    let mut n = 0;
    let mut count = |t: f64| {
        n += 1;
        t > 0.0
    };
    let first = count(x[0]);
    let any = x.iter().any(|t| count(*t));
    if first || any { x[0] * x[1] * n as f64 } else { x[1] }
}

#[test]
fn closures_count_until_it_is_decided() {
    assert_eq!(counted::gradient(&[-1.0, 2.0, 3.0]), (-6.0, vec![6.0, -3.0, 0.0]));
    assert_eq!(counted(&[-1.0, 2.0, 3.0]), -6.0);
    assert_eq!(counted::gradient(&[-1.0, -2.0]), (-2.0, vec![0.0, 1.0]));
}

/// An iterator with a name goes on behind what was found.
#[adjoint]
fn goes_on(v: &[f64]) -> f64 {
    let mut items = v.iter();
    let large = *items.find(|&&x| x > 1.0).unwrap();
    let next = items.next().copied().unwrap_or(2.0);
    let sum = items.try_fold(0.0, |sum: f64, &x| if x < 3.0 { Some(sum + x * x) } else { None });
    let rest = items.next().copied().unwrap_or(0.5);
    large * next + sum.unwrap_or(next) * rest
}

#[test]
fn iterators_with_names_go_on() {
    let v: [f64; 7] = [0.5, 1.5, 0.7, 2.0, 3.5, 4.0, 1.0];
    let (value, v_b) = goes_on::gradient(&v);
    assert_eq!(value, goes_on(&v));
    // 1.5 · 0.7 + 0.7 · 4
    assert_eq!(v_b, [0.0, 0.7, 1.5 + 4.0, 0.0, 0.0, 0.7, 0.0]);
    let (value, v_b) = goes_on::gradient(&v[..4]);
    assert_eq!(value, goes_on(&v[..4]));
    assert_eq!(v_b, [0.0, 0.7, 1.5, 2.0 * 2.0 * 0.5]);
}

/// The same behind what `any` and `position` have looked at.
#[adjoint]
fn goes_on_behind_tests(v: &[f64]) -> f64 {
    let mut items = v.iter();
    let is_there = items.any(|&x| x > 1.0);
    let next = items.next().copied().unwrap_or(2.0);
    let before = items.position(|&x| x < 0.5).unwrap_or(7);
    let rest = items.next().copied().unwrap_or(0.5);
    if is_there { next.powi(before as i32) * rest } else { next }
}

#[test]
fn tests_leave_the_rest() {
    let v: [f64; 7] = [0.5, 1.5, 0.7, 2.0, 3.5, 0.1, 1.25];
    let (value, v_b) = goes_on_behind_tests::gradient(&v);
    assert_eq!(value, goes_on_behind_tests(&v));
    // 0.7² · 1.25
    assert_eq!(v_b, [0.0, 0.0, 2.0 * 0.7 * 1.25, 0.0, 0.0, 0.0, 0.7f64.powi(2)]);
    assert_eq!(goes_on_behind_tests::gradient(&v[..1]), (2.0, vec![0.0]));
}
