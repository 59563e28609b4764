//! Where the order of evaluation depends on a type that the macro cannot see.
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct State {
    a: Vec<f64>,
}

#[adjoint(independents(x, s))]
fn f(x: f64, s: &mut State) -> f64 {
    let mut i = 0;
    s.a[{
        i += 1;
        i
    }] += x * i as f64;
    s.a[1]
}

fn main() {
    f(1.0, &mut State { a: vec![1.0; 2] });
}
