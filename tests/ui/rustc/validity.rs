//! Tests that cannot be followed.

use backsweep::adjoint;

fn is_large(x: f64) -> bool {
    x > 1e3
}

#[adjoint]
fn by_an_unknown_function(x: f64) -> f64 {
    if is_large(x) { 1e3 } else { x }
}

#[adjoint]
fn hands_it_to_a_function(x: f64) -> f64 {
    let _same: f64 = std::convert::identity(x);
    if std::thread::panicking() { x } else { 2.0 * x }
}

#[adjoint]
fn sorts(x: &mut [f64]) {
    x.sort_by(f64::total_cmp);
}

#[adjoint]
fn compares_lists(x: [f64; 2], y: [f64; 2]) -> f64 {
    if x == y { x[0] } else { y[0] }
}

#[adjoint(no(tbr))]
fn stores_everything(x: f64) -> f64 {
    x * x
}

fn main() {
    by_an_unknown_function::validity(1.0, 1.0);
    hands_it_to_a_function::validity(1.0, 1.0);
    sorts::validity(&mut [1.0, 2.0], &mut [1.0, 0.0]);
    compares_lists::validity([1.0; 2], [1.0; 2], [0.0; 2], [1.0; 2]);
    stores_everything::validity(1.0, 1.0);
}
