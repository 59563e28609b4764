//! Parts of variables that are lent by a `&mut` while others are used, lists of which change their lengths or places.

use crate::differences::assert_derivatives;
use backsweep::{Differentiable, adjoint};

const AT: [f64; 4] = [1.2, 0.7, 1.9, 0.4];
const ALONG: [f64; 4] = [0.3, -0.2, 0.5, 0.9];

#[derive(Clone, Debug, Differentiable)]
struct Part {
    k: f64,
    list: Vec<f64>,
}
#[adjoint]
impl Part {
    fn grow(&mut self, by: f64) {
        self.list.push(by * self.k);
    }
    fn sum(&self) -> f64 {
        self.k * self.list.iter().sum::<f64>()
    }
}
#[derive(Clone, Debug, Differentiable)]
struct Whole {
    one: Part,
    parts: Vec<Part>,
    other: Option<Part>,
}
#[adjoint]
fn whole(x: &[f64]) -> Whole {
    let one = Part { k: x[0], list: vec![x[1]] };
    Whole {
        one: one.clone(),
        parts: vec![one.clone(), Part { k: x[2], list: Vec::new() }],
        other: Some(one),
    }
}
#[adjoint]
fn total(w: &Whole) -> f64 {
    w.one.sum()
        + w.parts.iter().map(|p| p.sum()).sum::<f64>()
        + w.other.as_ref().map_or(0.0, |p| p.sum())
}
#[adjoint]
fn grow(l: &mut Vec<f64>, x: f64) {
    l.push(x * l[0]);
}
#[adjoint]
fn pushed(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let l = &mut v;
    l.push(x[0]);
    l[4] *= 2.0;
    v.iter().product()
}
#[adjoint]
fn grown(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let l = &mut v;
    grow(l, x[1]);
    l[0] *= x[2];
    v.iter().product()
}
#[adjoint]
fn replaced(x: &[f64]) -> f64 {
    let mut w = whole(x);
    let s = &mut w.one;
    s.list = vec![x[0], x[1] * s.k, x[2]];
    s.k *= 2.0;
    total(&w)
}
#[adjoint]
fn grown_twice(x: &[f64]) -> f64 {
    let mut w = whole(x);
    let s = &mut w.one;
    s.grow(x[3]);
    s.k *= x[1];
    s.grow(x[0]);
    total(&w)
}
#[adjoint]
fn each_grown(x: &[f64]) -> f64 {
    let mut w = whole(x);
    for s in w.parts.iter_mut() {
        s.grow(x[3]);
        s.k *= x[1];
    }
    total(&w)
}
#[adjoint]
fn some_grown(x: &[f64]) -> f64 {
    let mut w = whole(x);
    for s in w.parts.iter_mut() {
        s.grow(x[3]);
        if s.k > 1.0 {
            break;
        }
        s.k *= x[1];
    }
    total(&w)
}
#[adjoint]
fn held_grown(x: &[f64]) -> f64 {
    let mut w = whole(x);
    if let Some(s) = w.other.as_mut() {
        s.grow(x[3]);
        s.k *= 2.0;
    }
    total(&w)
}
#[adjoint]
fn grown_in_a_loop(x: &[f64]) -> f64 {
    let mut w = whole(x);
    let s = &mut w.one;
    for i in 0..3 {
        s.grow(x[i]);
        if s.k > 10.0 {
            break;
        }
        s.k *= x[1];
    }
    total(&w)
}
#[adjoint]
fn left_early(x: &[f64]) -> f64 {
    let mut w = whole(x);
    for j in 0..3 {
        let s = &mut w.one;
        s.grow(x[j]);
        if s.k > 2.0 {
            return total(&w) * 2.0;
        }
        s.k *= x[1] + 1.0;
        if s.k < -10.0 {
            break;
        }
        s.grow(x[0]);
    }
    total(&w)
}
#[adjoint]
fn last_grown(x: &[f64]) -> f64 {
    let mut w = whole(x);
    let s = w.parts.last_mut().unwrap();
    s.grow(x[3]);
    s.k *= x[1];
    total(&w)
}
#[adjoint]
fn halves(x: &[f64]) -> f64 {
    let mut w = whole(x);
    let (p, q) = w.parts.split_at_mut(1);
    let s = &mut p[0];
    s.grow(x[3]);
    q[0].k *= x[1] * s.k;
    s.k *= q[0].k;
    total(&w)
}
#[adjoint]
fn by_pattern(x: &[f64]) -> f64 {
    let mut w = whole(x);
    let Whole { one, parts, .. } = &mut w;
    one.grow(x[3]);
    parts[0].k *= x[1] * one.k;
    parts.push(one.clone());
    one.k *= 2.0;
    total(&w)
}
#[adjoint]
fn lent_on(x: &[f64]) -> f64 {
    let mut w = whole(x);
    let s = &mut w.one;
    let t = &mut s.list;
    grow(t, x[0]);
    t[0] *= 2.0;
    grow(t, x[2]);
    s.k *= x[1];
    total(&w)
}
#[derive(Clone, Debug, Differentiable)]
struct Both {
    one: Part,
    two: Part,
    parts: Vec<Part>,
}
#[adjoint]
fn both(x: &[f64]) -> Both {
    let one = Part { k: x[0], list: vec![x[1]] };
    Both {
        one: one.clone(),
        two: one.clone(),
        parts: vec![one.clone(), Part { k: x[2], list: Vec::new() }],
    }
}
#[adjoint]
fn beside(x: &[f64]) -> f64 {
    let mut w = both(x);
    let one = &mut w.one;
    w.two.k *= one.k;
    one.k = x[3] * w.parts[0].k;
    w.one.k * w.two.k
}
#[adjoint]
fn pushed_beside(x: &[f64]) -> f64 {
    let mut w = both(x);
    let one = &mut w.one;
    w.parts.push(one.clone());
    one.k = x[3] * w.parts[2].k;
    w.one.k * w.two.k
}
#[adjoint]
fn exchanged(x: &[f64]) -> f64 {
    let mut w = both(x);
    let one = &mut w.one;
    w.two.list.push(x[0]);
    std::mem::swap(&mut w.two.list, &mut one.list);
    one.k *= 2.0;
    w.one.k * w.two.list[0] + w.one.list[1]
}
#[derive(Clone, Debug, Differentiable)]
struct Duo {
    a: Vec<f64>,
    b: Vec<f64>,
    p: f64,
    q: f64,
}
#[adjoint]
fn fields_exchanged(x: &[f64]) -> f64 {
    let mut w = Duo { a: vec![x[0], x[1]], b: vec![1.0, 2.0, 3.0], p: x[2], q: 2.0 };
    std::mem::swap(&mut w.a, &mut w.b);
    std::mem::swap(&mut w.p, &mut w.q);
    w.a.iter().sum::<f64>() * w.p + w.b[0] * w.b[1] * w.q
}
#[adjoint]
fn exchanged_in_a_loop(x: &[f64]) -> f64 {
    let mut w = Duo { a: vec![x[0], x[1]], b: vec![1.0, 2.0], p: x[2], q: 2.0 };
    for _ in 0..5 {
        w.a[0] *= x[3];
        let n = w.b.len();
        w.b[n - 1] += w.p * w.a[0];
        std::mem::swap(&mut w.a, &mut w.b);
        std::mem::swap(&mut w.p, &mut w.q);
        w.a[1] += 0.5;
    }
    w.a.iter().sum::<f64>() * w.p + w.b[0] * w.b[1] * w.q
}
#[adjoint]
fn of_tuples(x: &[f64]) -> f64 {
    let mut t = (vec![x[0], x[1]], vec![x[2]], 0.0);
    for _ in 0..3 {
        std::mem::swap(&mut t.0, &mut t.1);
        t.2 += t.0[0] * x[3];
        t.1.push(t.2);
    }
    t.0.iter().product::<f64>() + t.1.iter().sum::<f64>() * t.2
}
#[adjoint]
fn of_halves(x: &[f64]) -> f64 {
    let mut a = [
        Duo { a: vec![x[0], x[1]], b: vec![1.0, 2.0], p: x[2], q: 2.0 },
        Duo { a: vec![x[2]], b: vec![x[3]], p: x[1], q: x[0] },
    ];
    let (s, t) = a.split_at_mut(1);
    std::mem::swap(&mut s[0].a, &mut t[0].b);
    std::mem::swap(&mut s[0].p, &mut t[0].q);
    s[0].a[0] *= 3.0;
    t[0].b[1] *= s[0].p;
    a[0].a[0] * a[1].b[1] * a[1].q * a[0].p
}
#[adjoint]
fn by_a_callee(x: &[f64]) -> f64 {
    let mut w = Duo { a: vec![x[0], x[1]], b: vec![1.0, 2.0], p: x[2], q: 2.0 };
    swap_all(&mut w, x[3]);
    w.a[0] * w.b[1] * w.q * w.p
}
#[adjoint]
fn swap_all(w: &mut Duo, y: f64) {
    if y > 0.0 {
        std::mem::swap(&mut w.a, &mut w.b);
        w.a[1] *= y;
    }
    let old = std::mem::replace(&mut w.p, y * w.q);
    w.q += old * std::mem::take(&mut w.a[0]);
    w.a[0] += y;
}

#[test]
fn shapes_of_what_is_lent() {
    assert_derivatives!(AT, ALONG; pushed grown replaced grown_twice each_grown some_grown held_grown grown_in_a_loop left_early last_grown halves by_pattern lent_on);
}

#[test]
fn places_beside_what_is_lent() {
    assert_derivatives!(AT, ALONG; beside pushed_beside);
}

#[test]
fn exchanged_fields() {
    assert_derivatives!(AT, ALONG; exchanged fields_exchanged exchanged_in_a_loop of_tuples of_halves by_a_callee);
}
