//! Parts of a list that are taken in turn: what is left of it is assigned again.
#![allow(clippy::all, reason = "as users write it")]

use crate::differences::assert_derivatives;

use backsweep::adjoint;
#[adjoint]
fn split_in_turn(x: &[f64]) -> f64 {
    let (m, mut rest) = x.split_at(2);
    let mut s = m[0];
    for i in 1..3 {
        let (row, after) = rest.split_at(i);
        s += row[0] * row[i - 1];
        rest = after;
    }
    s
}
#[adjoint]
fn split_of_a_whole(x: &[f64]) -> f64 {
    let mut rest = x;
    let mut s = 0.0;
    for i in 1..3 {
        let (row, after) = rest.split_at(i);
        s += row[0] * row[i - 1];
        rest = after;
    }
    s
}
#[adjoint]
fn first_ones(x: &[f64]) -> f64 {
    let mut rest = x;
    let mut s = 0.0;
    while let Some((first, after)) = rest.split_first() {
        s = s * 0.5 + first * first;
        rest = after;
    }
    s
}
#[adjoint]
fn assigned_in_pairs(x: &[f64]) -> f64 {
    let mut rest = x;
    let mut s = 0.0;
    let mut row = &x[..1];
    s += row[0];
    (row, rest) = rest.split_at(2);
    s += row[0] * row[1];
    while let [a, b, after @ ..] = rest {
        s += a * b.sin();
        rest = after;
    }
    s
}
#[adjoint]
fn by_a_closure(x: &[f64]) -> f64 {
    let mut at = x;
    let mut take = |n: usize| {
        let (head, tail) = at.split_at(n);
        at = tail;
        head
    };
    let a = take(2);
    let b = take(1);
    a[0] * b[0] + a[1]
}
#[test]
fn parts_in_turn() {
    assert_derivatives!([0.3, 1.2, 0.7, -0.4, 0.9, 1.1], [1.0, 0.3, -0.4, 0.2, 0.6, 0.4]; split_in_turn split_of_a_whole first_ones assigned_in_pairs by_a_closure);
}
