//! `match`, `let` in conditions, `let … else`, where a derivative would have to pass through an enum.
use backsweep::adjoint;

enum Shape {
    Square,
    Circle { radius: f64 },
}

fn shape_of(x: f64) -> Shape {
    if x > 0.0 { Shape::Circle { radius: x } } else { Shape::Square }
}

macro_rules! circle {
    ($radius:ident) => {
        Shape::Circle { radius: $radius }
    };
}

#[adjoint]
fn match_on_a_value(x: f64) -> f64 {
    match shape_of(x) {
        Shape::Square => x * x,
        Shape::Circle { radius } => x * radius,
    }
}

#[adjoint]
fn let_as_a_value(x: f64, limit: Option<f64>) -> f64 {
    let is_limited = (let Some(_) = limit) as u32;
    x * is_limited as f64
}

#[adjoint]
fn match_on_a_local(x: f64) -> f64 {
    let shape = Shape::Circle { radius: x };
    match shape {
        Shape::Square => x * x,
        Shape::Circle { radius } => radius,
    }
}

#[adjoint]
fn let_else(x: f64) -> f64 {
    let Shape::Circle { radius } = shape_of(x) else { return x };
    radius * radius
}

#[adjoint]
fn if_let(x: f64) -> f64 {
    if let Shape::Circle { radius } = shape_of(x)
        && radius > 1.0
    {
        return radius;
    }
    x
}

#[adjoint]
fn while_let(x: &[f64]) -> f64 {
    let mut s = 0.0;
    let mut items = x.chunk_by(|a, b| a < b);
    while let Some(chunk) = items.next() {
        s += chunk[0] * chunk[0];
    }
    s
}

#[adjoint]
fn of_a_string(x: f64, text: &str) -> f64 {
    match text.parse::<f64>() {
        Ok(factor) => factor * x,
        Err(_) => match format!("{x}").parse::<f64>() {
            Ok(same) => same,
            Err(_) => 0.0,
        },
    }
}

#[adjoint(passive(shape))]
fn by_a_macro(x: f64, shape: &Shape) -> f64 {
    match shape {
        circle!(radius) => x * radius,
        _ => x,
    }
}

fn main() {
    match_on_a_value(1.0) + match_on_a_local(1.0) + let_else(1.0) + if_let(1.0);
    while_let(&[1.0]) + of_a_string(1.0, "2") + by_a_macro(1.0, &Shape::Square);
}
