//! What is done to lists that is not differentiated.
use backsweep::{Differentiable, adjoint};
use std::collections::VecDeque;

#[derive(Clone, Differentiable)]
struct Body {
    mass: f64,
}

#[adjoint]
fn bodies_taken_away(x: f64) -> f64 {
    let mut bodies = vec![Body { mass: x }, Body { mass: 1.0 }];
    bodies.truncate(1);
    bodies[0].mass
}

#[adjoint]
fn bodies_read_before(x: f64) -> f64 {
    let mut bodies = vec![Body { mass: 1.0 }, Body { mass: x }];
    let s = bodies[1].mass * 2.0;
    bodies.pop();
    s
}

#[adjoint]
fn rows_that_are_not_seen(x: &[f64]) -> f64 {
    let mut rows = Vec::new();
    let mut s = 0.0;
    for t in x {
        rows.clear();
        rows.push(vec![t * t]);
        s += rows[0][0];
    }
    s
}

#[adjoint]
fn boxed(x: &[f64]) -> f64 {
    let squares = x.iter().map(|t| t * t).collect::<Vec<_>>().into_boxed_slice();
    squares[0]
}

#[adjoint]
fn spliced(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.splice(..1, [x[1], x[0]]);
    v[0]
}

#[adjoint]
fn queue(x: f64) -> f64 {
    let mut queue = VecDeque::new();
    queue.push_back(x * x);
    queue[0]
}

#[adjoint]
fn with_a_message_made_up(x: &[f64], n: usize) -> f64 {
    let mut v = x.to_vec();
    let last = v.pop().expect(&format!("{n} elements"));
    last * v[0]
}

#[adjoint]
fn references_exchanged(a: &mut [f64], b: &mut [f64]) {
    let (mut front, mut back) = (&mut a[..], &mut b[..]);
    std::mem::swap(&mut front, &mut back);
    front[0] *= back[1];
}

#[adjoint]
fn references_in_a_list(a: &[f64], b: &Vec<f64>) -> f64 {
    let lists = [a, &a[1..]];
    let others = vec![b, b];
    lists[0][0] * lists[1][0] * others[0][1]
}

fn main() {
    references_in_a_list(&[1.0], &vec![1.0]);
    bodies_taken_away(1.0) + bodies_read_before(1.0) + rows_that_are_not_seen(&[1.0]);
    queue(1.0) + boxed(&[1.0]);
    spliced(&[1.0, 2.0]) + with_a_message_made_up(&[1.0, 2.0], 2);
    references_exchanged(&mut [1.0; 2], &mut [2.0; 2]);
}
