//! Patterns that are not understood, with active values in them.
use backsweep::adjoint;

struct Pair {
    a: f64,
    b: f64,
}

enum Shape {
    Disc { a: f64 },
    Other,
}

#[adjoint]
fn variant(x: f64) -> f64 {
    let Shape::Disc { a } = (Shape::Disc { a: x }) else { return x };
    a * a
}

#[adjoint]
fn part_of_a_variant(x: f64) -> f64 {
    let (Shape::Disc { a }, b) = (Shape::Disc { a: x }, x) else { return x };
    a * b
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
fn of_a_parameter(Pair { a, b }: Pair) -> f64 {
    a * b
}

fn main() {
    variant(1.0) + part_of_a_variant(1.0) + of_a_loop(&[(1.0, 2.0)]);
    of_a_range(1.0) + of_a_parameter(Pair { a: 1.0, b: 2.0 });
}
