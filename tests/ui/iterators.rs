//! Iterator chains and loops over iterators that are not understood.
use backsweep::adjoint;

#[adjoint]
fn flat_map(x: &[f64]) -> f64 {
    x.iter().flat_map(|a| x.iter().map(move |b| a * b)).sum()
}

#[adjoint]
fn collect_of_some(x: &[f64]) -> f64 {
    let positive: Vec<f64> = x.iter().copied().filter(|t| *t > 0.0).collect();
    positive[0]
}

#[adjoint]
fn collect_into_a_box(x: &[f64]) -> f64 {
    let squares: Box<[f64]> = x.iter().map(|t| t * t).collect();
    squares[0]
}

#[adjoint]
fn chain(x: &[f64], y: &[f64]) -> f64 {
    x.iter().chain(y).map(|t| t * t).sum()
}

#[adjoint]
fn zip_of_some(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for (a, b) in x.iter().filter(|t| **t > 0.0).zip(y) {
        s += a * b;
    }
    s
}

#[adjoint]
fn zip_of_effects(x: &[f64], y: &[f64]) -> f64 {
    let mut n = 0;
    x.iter().map(|t| { n += 1; t * t }).zip(y).map(|(a, b)| a * b).sum()
}

#[adjoint]
fn largest_of_pairs(x: &[f64], y: &[f64]) -> f64 {
    let pairs = x.iter().zip(y);
    let largest = pairs.max_by(|a, b| a.0.partial_cmp(b.0).unwrap()).unwrap();
    largest.0 * largest.1
}

#[adjoint]
fn total_order(x: &[f64]) -> f64 {
    let largest = x.iter().max_by(|a, b| a.total_cmp(b)).unwrap();
    largest * largest
}

#[adjoint]
fn by_hand(x: &[f64]) -> f64 {
    let mut elements = x.iter();
    let first = elements.next().unwrap();
    first * first
}

#[adjoint]
fn kept(x: &[f64]) -> f64 {
    let squares = x.iter().map(|t| t * t);
    squares.sum()
}

#[adjoint(independents(x), passive(f))]
fn unknown_function(x: &[f64], f: fn(&f64) -> f64) -> f64 {
    x.iter().map(f).sum()
}

#[adjoint]
fn failing(x: &[f64]) -> Option<f64> {
    let s: Option<f64> = x.iter().map(|t| { let u = (*t > 0.0).then_some(*t)?; Some(u * u) }).sum();
    Some(s.unwrap_or(0.0))
}

#[adjoint]
fn unknown_option(x: &[f64]) -> f64 {
    x.iter().filter_map(|t| (*t > 0.0).then(|| t.ln())).sum()
}

#[adjoint]
fn pattern(x: &[[f64; 3]]) -> f64 {
    x.iter().map(|[a, ..]| a * a).sum()
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

fn main() {}
