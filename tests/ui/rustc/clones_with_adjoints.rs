//! A clone is taken for a copy: what makes something else is refused.
use backsweep::{Differentiable, adjoint};

#[derive(Debug, Differentiable)]
struct Doubled {
    x: f64,
}

#[adjoint]
impl Clone for Doubled {
    fn clone(&self) -> Self {
        Doubled { x: 2.0 * self.x }
    }
}

#[derive(Differentiable)]
struct Own {
    x: f64,
}

#[adjoint]
impl Own {
    fn clone(&self) -> Self {
        Own { x: 3.0 * self.x }
    }
}

#[adjoint(independents(p))]
fn of_a_parameter(p: &Doubled) -> f64 {
    let q = p.clone();
    q.x * q.x
}

#[adjoint]
fn of_what_is_made(x: f64) -> f64 {
    let p = Doubled { x: x * x };
    let q = p.clone();
    q.x
}

#[adjoint]
fn of_the_type_itself(x: f64) -> f64 {
    let p = Own { x: x * x };
    let q = p.clone();
    q.x
}

fn main() {
    of_a_parameter(&Doubled { x: 1.0 }) + of_what_is_made(1.0) + of_the_type_itself(1.0);
}
