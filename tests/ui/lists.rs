//! What is done to lists that is not differentiated.
use backsweep::adjoint;
use std::collections::VecDeque;

#[adjoint]
fn list_in_a_list(x: f64) -> f64 {
    let mut rows = vec![vec![x], vec![1.0]];
    rows[0].push(x * x);
    rows[0][1]
}

#[adjoint]
fn rows_taken_away(x: f64) -> f64 {
    let mut rows = vec![vec![x], vec![1.0]];
    rows.truncate(1);
    rows[0][0]
}

#[adjoint]
fn row_popped(x: f64) -> f64 {
    let mut rows = vec![vec![x], vec![1.0]];
    let row = rows.pop().unwrap();
    row[0]
}

#[adjoint]
fn queue(x: f64) -> f64 {
    let mut queue = VecDeque::new();
    queue.push_back(x * x);
    queue[0]
}

#[adjoint]
fn drained(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.drain(..1);
    v[0]
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
    list_in_a_list(1.0) + rows_taken_away(1.0) + row_popped(1.0) + queue(1.0);
    drained(&[1.0, 2.0]) + with_a_message_made_up(&[1.0, 2.0], 2);
    references_exchanged(&mut [1.0; 2], &mut [2.0; 2]);
}
