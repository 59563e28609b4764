//! Parts of one value that are lent to one call: what the call writes has a bar already, which goes in and comes out.
#![allow(clippy::useless_vec, reason = "the attribute meets code as people write it")]

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};

/// The values and gradients of functions of a list, against differences of the functions.
macro_rules! gradients {
    ($($function:ident)*) => {
        [$({
            let u: Vec<f64> = (0..9).map(|i| 0.3 + (1.3 * i as f64).sin().abs()).collect();
            let (value, gradient) = $function::gradient(&u);
            assert_eq!(value, $function(&u), stringify!($function));
            for i in 0..u.len() {
                let shifted = |h: f64| {
                    let mut u = u.clone();
                    u[i] += h;
                    $function(&u)
                };
                let difference = (shifted(1e-6) - shifted(-1e-6)) / 2e-6;
                assert_relative_eq!(gradient[i], difference, epsilon = 1e-7, max_relative = 1e-6);
            }
        }),*]
    };
}

#[adjoint]
fn givens(a: f64, b: f64, c: &mut f64, s: &mut f64) -> f64 {
    let r = (a * a + b * b).sqrt();
    *c = a / r;
    *s = b / r;
    r
}

#[adjoint]
fn apply(c: f64, s: f64, top: &mut [f64], bottom: &mut [f64]) {
    for k in 0..top.len() {
        let (t, b) = (top[k], bottom[k]);
        top[k] = c * t + s * b;
        bottom[k] = c * b - s * t;
    }
}

#[adjoint]
fn mix(a: &mut f64, b: &mut f64) {
    let t = *a * *b;
    *b = *a + t;
    *a = t * *b;
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Rotation {
    c: f64,
    s: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Nested {
    r: Rotation,
    l: Vec<f64>,
}

#[adjoint]
fn halves(x: &[f64]) -> f64 {
    let mut m = x.to_vec();
    let (top, bottom) = m.split_at_mut(2);
    apply(x[0], x[1], top, bottom);
    m[0] * m[2] + m[1] * m[3]
}

#[adjoint]
fn parts_of_halves(x: &[f64]) -> f64 {
    let mut m = x.to_vec();
    let (top, bottom) = m.split_at_mut(2);
    apply(x[0], x[1], &mut top[..2], &mut bottom[..2]);
    m[0] * m[2] + m[1] * m[3]
}

#[adjoint]
fn elements_of_halves(x: &[f64]) -> f64 {
    let mut m = [x[0], x[1], x[2]];
    let (a, b) = m.split_at_mut(1);
    mix(&mut a[0], &mut b[1]);
    m[0] * m[1] + m[2]
}

#[adjoint]
fn three_parts(x: &[f64]) -> f64 {
    let mut l = x.to_vec();
    {
        let (a, b) = l.split_at_mut(2);
        let (b, c) = b.split_at_mut(2);
        apply(0.6, 0.8, &mut a[..1], &mut c[..1]);
        apply(a[1], c[0], b, &mut c[..2]);
    }
    l[0] * l[2] + l[4] * l[3]
}

#[adjoint]
fn rows(x: &[f64]) -> f64 {
    let mut rows = vec![x[..2].to_vec(), x[2..4].to_vec()];
    for _ in 0..3 {
        let (a, b) = rows.split_at_mut(1);
        apply(0.6, 0.8, &mut a[0], &mut b[0]);
    }
    rows[0][0] * rows[1][1]
}

#[adjoint]
fn fields(x: &[f64]) -> f64 {
    let mut p = Rotation { c: x[0], s: x[1] };
    mix(&mut p.c, &mut p.s);
    mix(&mut p.s, &mut p.c);
    p.c * p.s
}

#[adjoint]
fn parts_of_a_tuple(x: &[f64]) -> f64 {
    let mut p = (x[0], x[1]);
    mix(&mut p.0, &mut p.1);
    p.0 * p.1
}

#[adjoint]
fn fields_and_elements(x: &[f64]) -> f64 {
    let mut q = Nested { r: Rotation { c: x[0], s: x[1] }, l: x.to_vec() };
    mix(&mut q.r.c, &mut q.l[2]);
    mix(&mut q.l[1], &mut q.r.s);
    q.r.c * q.r.s * q.l[1] + q.l[2]
}

#[adjoint]
fn rotate_halves(l: &mut [f64]) {
    let (top, bottom) = l.split_at_mut(2);
    apply(0.6, 0.8, top, bottom);
}

#[adjoint]
fn mix_fields(p: &mut Rotation) {
    mix(&mut p.c, &mut p.s);
}

#[adjoint]
fn of_parameters(x: &[f64]) -> f64 {
    let mut l = x[..4].to_vec();
    rotate_halves(&mut l);
    let mut p = Rotation { c: l[0], s: l[1] };
    mix_fields(&mut p);
    p.c * p.s + p.c * l[3] + l[1] * l[2]
}

/// The triangle of a matrix, by rotations of its rows.
#[adjoint(independents(m), dependents(m, return))]
fn triangle(m: &mut [f64], n: usize) -> f64 {
    let mut p = Rotation { c: 1.0, s: 0.0 };
    let mut log = vec![0.0; 2];
    let mut t = 0.0;
    for i in 1..n {
        for j in 0..i {
            let (a, b) = (j * n + j, i * n + j);
            let r = givens(m[a], m[b], &mut p.c, &mut log[j % 2]);
            p.s = log[j % 2];
            let (top, bottom) = m.split_at_mut(i * n);
            apply(p.c, p.s, &mut top[j * n..j * n + n], &mut bottom[..n]);
            t += r;
        }
    }
    t
}

#[adjoint]
fn of_a_triangle(x: &[f64]) -> f64 {
    let mut m = x[..9].to_vec();
    let t = triangle(&mut m, 3);
    t + m[0] * m[4] * m[8] + m[1] * m[2] + m[3]
}

#[adjoint]
fn element_and_rest(v: &mut [f64]) -> f64 {
    match v {
        [a, rest @ ..] => {
            *a *= 2.0;
            *a + element_and_rest(rest)
        }
        _ => 0.0,
    }
}

#[adjoint]
fn of_element_and_rest(x: &[f64]) -> f64 {
    let mut l = x.to_vec();
    let s = element_and_rest(&mut l);
    s * l[0]
}

#[adjoint]
fn exchanged_elements(v: &mut [f64]) -> f64 {
    match v {
        [a, b] => {
            std::mem::swap(a, b);
            *a
        }
        [a, ..] => *a,
        _ => 0.0,
    }
}

#[adjoint]
fn of_exchanged_elements(x: &[f64]) -> f64 {
    let mut l = x[..2].to_vec();
    let s = exchanged_elements(&mut l);
    s * l[1] + l[0]
}

#[adjoint]
fn elements_of_a_pattern(x: &[f64]) -> f64 {
    let mut l = x.to_vec();
    if let [a, b, ..] = &mut l[..] {
        mix(a, b);
    }
    l[0] * l[1] + l[2]
}

#[adjoint]
fn elements_of_an_array(x: &[f64]) -> f64 {
    let mut l = [x[0], x[1], x[2]];
    let [a, b, c] = &mut l;
    mix(a, c);
    mix(b, a);
    *c *= 2.0;
    l[0] * l[1] + l[2]
}

#[adjoint]
fn element_between_mentions_of_the_rest(x: &[f64]) -> f64 {
    let mut l = x.to_vec();
    if let [a, rest @ ..] = &mut l[..] {
        *a *= rest[0];
        rest[1] *= *a;
    }
    l[0] * l[1] + l[2]
}

#[adjoint]
fn elements_and_rest(x: &[f64]) -> f64 {
    let mut l = x.to_vec();
    if let [a, b, rest @ ..] = &mut l[..] {
        mix(a, b);
        for k in 0..rest.len() {
            rest[k] = *a * rest[k] + *b;
        }
        let s = element_and_rest(rest);
        *a += s;
    }
    l[0] * l[1] + l[2]
}

/// What is only read has bars that are lent together, too, if they are lists in different fields.
#[adjoint]
fn product(a: &[f64], b: &[f64], c: &[f64], scale: f64) -> f64 {
    let mut total = 0.0;
    for i in 0..a.len().min(c.len()) {
        total += a[i] * b[i] * c[i];
    }
    total * scale
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Inner {
    a: Vec<f64>,
    b: [f64; 4],
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Mixture {
    weights: Vec<f64>,
    means: Vec<f64>,
    rows: [[f64; 3]; 2],
    scale: f64,
    inner: Inner,
}

#[adjoint(independents(m))]
fn of_fields(m: &Mixture, d: usize) -> f64 {
    let mut total = 0.0;
    for k in 0..m.weights.len() {
        let (own, row) = (&m.means[k * d..(k + 1) * d], &m.rows[k]);
        total += product(&m.weights, own, row, m.scale);
        total += product(&m.inner.a, &m.inner.b, row, m.weights[k]);
        total += product(&m.rows[0], &m.rows[1], &m.inner.a, m.scale);
        total += product(&m.inner.a, &m.inner.a, &m.inner.b[1..], m.inner.b[0]);
    }
    total
}

#[adjoint]
fn lists_that_are_read(x: &[f64]) -> f64 {
    let inner = Inner { a: vec![x[0], x[1], x[2]], b: [x[3], x[4], x[5], x[6]] };
    let m = Mixture {
        weights: vec![x[7], x[8]],
        means: x[..4].to_vec(),
        rows: [[x[0], 2.0, x[1]], [x[2], x[3], x[4]]],
        scale: x[5],
        inner,
    };
    of_fields(&m, 2) + product(&m.inner.b, &m.inner.b, &m.weights, m.scale)
}

#[adjoint]
fn rows_times_columns(a: &[Vec<f64>], b: &[Vec<f64>], s: f64) -> f64 {
    let mut t = 0.0;
    for (i, row) in a.iter().enumerate() {
        for (j, v) in row.iter().enumerate() {
            t += v * b[j][i] * s;
        }
    }
    t
}

/// A list of lists is passed twice: both bars have lists of its lengths.
#[adjoint]
fn lists_of_lists(x: &[f64]) -> f64 {
    let mut m = vec![vec![x[0], x[1]], vec![x[2], x[3]]];
    let own = rows_times_columns(&m, &m, x[4]) + rows_times_columns(&m[..2], &m[..], x[5]);
    let changed = changed_list_of_lists(&mut m, own);
    own * changed + m[0][1] * m[2][0]
}

#[adjoint]
fn changed_list_of_lists(m: &mut Vec<Vec<f64>>, s: f64) -> f64 {
    let own = rows_times_columns(m, m, s);
    m[0][1] *= own;
    m.push(vec![own, s]);
    own * rows_times_columns(&m[1..3], &m[..2], s)
}

#[test]
fn what_is_written_keeps_its_bar() {
    gradients! {
        halves parts_of_halves elements_of_halves three_parts rows fields parts_of_a_tuple
        fields_and_elements of_parameters of_a_triangle of_element_and_rest lists_that_are_read of_exchanged_elements
        elements_of_a_pattern elements_of_an_array element_between_mentions_of_the_rest
        elements_and_rest lists_of_lists
    };
}

#[test]
fn a_bar_of_zeros_goes_in() {
    let mut m = vec![0.5, 1.0, 2.0, 0.3];
    let expected = triangle(&mut m.clone(), 2);
    let mut bar = vec![0.0; 4];
    assert_eq!(triangle::adjoint(&mut m, &mut bar, 2, 1.0), expected);
    let r = (0.5f64 * 0.5 + 2.0 * 2.0).sqrt();
    assert_relative_eq!(expected, r);
    assert_relative_eq!(bar.as_slice(), [0.5 / r, 0.0, 2.0 / r, 0.0].as_slice(), epsilon = 1e-15);
}
