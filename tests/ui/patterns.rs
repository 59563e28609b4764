//! Patterns that are not understood, with active values in them.
use backsweep::adjoint;

struct Pair {
    a: f64,
    b: f64,
}

enum Shape {
    Disc { a: f64 },
}

#[adjoint]
fn variant(x: f64) -> f64 {
    let Shape::Disc { a } = Shape::Disc { a: x };
    a * a
}

#[adjoint]
fn rest(x: [f64; 3]) -> f64 {
    let [first, ..] = x;
    first * first
}

#[adjoint]
fn rest_of_a_tuple(x: (f64, f64, f64)) -> f64 {
    let (first, ..) = x;
    first * first
}

#[adjoint]
fn by_reference(x: (f64, f64)) -> f64 {
    let (ref a, b) = x;
    a * b
}

#[adjoint]
fn binding(x: (f64, f64)) -> f64 {
    let whole @ (a, b) = x;
    whole.0 * a * b
}

#[adjoint]
fn of_a_loop(x: &[(f64, f64)]) -> f64 {
    let mut s = 0.0;
    for (a, ..) in x {
        s += a * a;
    }
    s
}

#[adjoint]
fn of_a_range(x: f64) -> f64 {
    let mut s = x;
    for 0..=255 in 0..3_u8 {
        s *= x;
    }
    s
}

#[adjoint]
fn reference_in_a_let(x: &f64) -> f64 {
    let &y = x;
    y * y
}

fn main() {
    variant(1.0) + rest([1.0; 3]) + rest_of_a_tuple((1.0, 2.0, 3.0)) + by_reference((1.0, 2.0));
    binding((1.0, 2.0)) + of_a_loop(&[(1.0, 2.0)]) + of_a_range(1.0);
    reference_in_a_let(&1.0);
}
