//! What is done to lists that is not differentiated.
use backsweep::adjoint;
use std::collections::VecDeque;

#[adjoint]
fn rows_taken_away(x: f64) -> f64 {
    let mut rows = vec![vec![x], vec![1.0]];
    rows.truncate(1);
    rows[0][0]
}

#[adjoint]
fn rows_popped(x: f64) -> f64 {
    let mut rows = vec![vec![x], vec![x * x]];
    let row = rows.pop().unwrap();
    row[0] * rows[0][0]
}

#[adjoint]
fn rows_retained(x: f64) -> f64 {
    let mut rows = vec![vec![x], vec![x * x]];
    rows.retain(|row| row[0] > 1.0);
    rows[0][0]
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
fn ends_changed(x: &mut [f64]) {
    let (first, rest) = x.split_first_mut().unwrap();
    *first *= rest[0];
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

fn main() {
    rows_taken_away(1.0) + rows_popped(1.0) + rows_retained(1.0) + queue(1.0) + boxed(&[1.0]);
    ends_changed(&mut [1.0]);
    spliced(&[1.0, 2.0]) + with_a_message_made_up(&[1.0, 2.0], 2);
    references_exchanged(&mut [1.0; 2], &mut [2.0; 2]);
}
