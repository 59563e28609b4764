//! Parameters of types whose tokens do not tell whether they carry floats.
use backsweep::adjoint;

struct Params {
    k: f64,
}

#[adjoint]
fn undecided(p: &Params) -> f64 {
    p.k * p.k
}

#[adjoint(independents(x), dependents(return))]
fn result_not_declared(x: f64) -> Params {
    Params { k: x * x }
}

fn main() {
    let p = result_not_declared(1.0);
    undecided(&p);
}
