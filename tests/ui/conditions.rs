//! `let` in conditions, `match` on other things than numbers, `let … else`.
use backsweep::adjoint;

enum Shape {
    Square,
    Circle { radius: f64 },
}

#[adjoint]
fn if_let(x: &[f64]) -> f64 {
    let mut s = 0.0;
    if let Some(first) = x.first() {
        s = first * first;
    }
    s
}

#[adjoint]
fn while_let(x: &[f64]) -> f64 {
    let mut s = 0.0;
    while let Some(top) = x.get(3) {
        s += top * top;
    }
    s
}

#[adjoint]
fn let_else(x: &[f64]) -> f64 {
    let Some(first) = x.first() else { return 0.0 };
    first * first
}

#[adjoint]
fn let_else_panics(x: &[f64]) -> f64 {
    let [first, ..] = x else { panic!("empty") };
    first * first
}

#[adjoint(passive(shape))]
fn match_on_an_enum(x: f64, shape: &Shape) -> f64 {
    match shape {
        Shape::Square => x * x,
        Shape::Circle { radius } => x * radius,
    }
}

#[adjoint]
fn match_on_floats(x: f64) -> f64 {
    match x {
        0.0 => 1.0,
        t if t < 0.0 => -t,
        t => t * t,
    }
}

#[adjoint]
fn match_on_a_tuple(x: f64, n: usize) -> f64 {
    match (n, x > 0.0) {
        (0, true) => x,
        (_, _) => x * x,
    }
}

#[adjoint]
fn chain(x: &[f64]) -> f64 {
    if let Some(first) = x.first()
        && *first > 0.0
    {
        return first * first;
    }
    0.0
}

fn main() {
    if_let(&[1.0]) + while_let(&[1.0]) + let_else(&[1.0]) + let_else_panics(&[1.0]);
    match_on_an_enum(1.0, &Shape::Square) + match_on_an_enum(1.0, &Shape::Circle { radius: 1.0 });
    match_on_floats(1.0) + match_on_a_tuple(1.0, 0) + chain(&[1.0]);
}
