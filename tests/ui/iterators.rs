//! Iterator chains and loops over iterators that are not understood.
use backsweep::adjoint;

#[adjoint]
fn sum(x: &[f64]) -> f64 {
    x.iter().sum()
}

#[adjoint]
fn map_sum(x: &[f64]) -> f64 {
    x.iter().map(|t| t * t).sum::<f64>()
}

#[adjoint]
fn fold(x: &[f64]) -> f64 {
    x.iter().fold(1.0, |p, t| p * t)
}

#[adjoint]
fn collect(x: &[f64]) -> f64 {
    let squares: Vec<f64> = x.iter().map(|t| t * t).collect();
    squares[0]
}

#[adjoint]
fn for_each(x: &[f64]) -> f64 {
    let mut s = 0.0;
    x.iter().for_each(|t| s += t * t);
    s
}

#[adjoint]
fn enumerate(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, t) in x.iter().rev().enumerate() {
        s += i as f64 * t;
    }
    s
}

#[adjoint]
fn zip(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for (a, b) in x.iter().zip(y) {
        s += a * b;
    }
    s
}

#[adjoint]
fn chunks(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for pair in x.chunks(2) {
        s += pair[0] * pair[1];
    }
    s
}

#[adjoint]
fn by_value(x: Vec<f64>) -> f64 {
    let mut s = 0.0;
    for t in x {
        s += t * t;
    }
    s
}

#[adjoint]
fn unbounded(x: f64) -> f64 {
    let mut s = x;
    for k in 1.. {
        if k > 3 {
            break;
        }
        s *= x;
    }
    s
}

fn main() {
    let x = [1.0, 2.0];
    sum(&x) + map_sum(&x) + fold(&x) + collect(&x) + for_each(&x) + enumerate(&x) + zip(&x, &x);
    chunks(&x) + by_value(x.to_vec()) + unbounded(1.0);
}
