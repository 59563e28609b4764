//! An independent of a type that is not `Differentiable`.
use backsweep::adjoint;

struct Params {
    k: f64,
}

#[adjoint(independents(p))]
fn f(p: &Params) -> f64 {
    p.k * p.k
}

fn main() {
    f(&Params { k: 1.0 });
}
