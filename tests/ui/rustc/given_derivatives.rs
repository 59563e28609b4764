//! Partials and adjoints of other types, and bars that a partial does not have.
use backsweep::adjoint;

#[adjoint(partials(x: "1.0"))]
fn of_another_type(x: f64) -> f64 {
    x
}

#[adjoint(partials(x: undeclared * 2.0))]
fn of_unknown_names(x: f64) -> f64 {
    x
}

#[adjoint(partials(a: [1.0_f32, 2.0]))]
fn of_another_element(a: &[f64]) -> f64 {
    a[0] + a[1]
}

#[adjoint(with = by_hand)]
fn of_another_signature(x: f64, y: f64) -> f64 {
    x * y
}

#[adjoint(with = missing)]
fn without_adjoint(x: f64) -> f64 {
    x
}

#[adjoint(with = by_hand_of_one, tangent = by_hand)]
fn with_another_tangent(x: f64) -> f64 {
    x
}

fn by_hand_of_one(_: f64, _: &mut f64, _: f64) -> f64 {
    0.0
}

fn by_hand(_: f64, _: &mut f64, _: f64, _: f64) -> f64 {
    0.0
}

#[adjoint(partials(x: w))]
fn weighted(x: f64, w: f64) -> f64 {
    x * w
}

#[adjoint]
fn weighted_by_itself(x: f64) -> f64 {
    weighted(x, x)
}

fn main() {}
