//! Loops whose iterations cannot be asserted to be independent.
use backsweep::{Differentiable, adjoint};

#[adjoint]
fn on_another_kind(x: f64) -> f64 {
    let mut s = x;
    #[independent]
    while s < 100.0 {
        s += x;
    }
    s
}

#[adjoint]
fn on_a_list(x: &[f64]) -> f64 {
    let mut s = 0.0;
    #[independent]
    for t in x {
        s += t * t;
    }
    s
}

#[adjoint]
fn breaks(x: &[f64]) -> f64 {
    let mut s = 0.0;
    #[independent]
    for i in 0..x.len() {
        if x[i] < 0.0 {
            break;
        }
        s += x[i] * x[i];
    }
    s
}

#[adjoint]
fn returns(x: &[f64]) -> f64 {
    let mut s = 0.0;
    #[independent]
    for i in 0..x.len() {
        if x[i] < 0.0 {
            return s;
        }
        s += x[i] * x[i];
    }
    s
}

#[adjoint]
fn recurrence(x: &[f64]) -> f64 {
    let mut a = 1.0;
    #[independent]
    for i in 0..x.len() {
        a = 0.5 * a + x[i] * a;
    }
    a
}

#[adjoint]
fn looks_at_the_sum(x: &[f64]) -> f64 {
    let mut s = 0.0;
    #[independent]
    for i in 0..x.len() {
        if s < 10.0 {
            s += x[i] * x[i];
        }
    }
    s
}

#[adjoint]
fn counts(x: &[f64]) -> f64 {
    let mut s = 0.0;
    let mut k: usize = 0;
    #[independent]
    for i in 0..x.len() / 2 {
        s += x[i] * x[k];
        k += 2;
    }
    s
}

#[adjoint]
fn sometimes(x: &[f64]) -> f64 {
    let mut last = 0.0;
    #[independent]
    for i in 0..x.len() {
        if x[i] > 0.0 {
            last = x[i] * x[i];
        }
    }
    last
}

#[derive(Clone, Differentiable)]
struct Total {
    sum: f64,
    norm: f64,
}

#[adjoint]
fn in_a_struct(x: &[f64], total: &mut Total) {
    #[independent]
    for i in 0..x.len() {
        total.sum += x[i];
        total.norm = x[i] * x[i];
    }
}

#[adjoint]
fn hidden_in_a_sum(x: &[f64]) -> f64 {
    let mut u = vec![0.0; x.len()];
    let mut s = 0.0;
    #[independent]
    for i in 1..x.len() {
        u[i] = x[i] * x[i];
        s += u[i - 1] * u[i - 1];
    }
    s
}

fn main() {
    hidden_in_a_sum(&[]);
    on_another_kind(1.0) + on_a_list(&[]) + breaks(&[]) + returns(&[]) + recurrence(&[]);
    looks_at_the_sum(&[]) + counts(&[]) + sometimes(&[]);
    in_a_struct(&[], &mut Total { sum: 0.0, norm: 0.0 });
}
