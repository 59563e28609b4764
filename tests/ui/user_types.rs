//! Parameters of types whose tokens do not tell whether they carry floats.
use backsweep::adjoint;

struct Params {
    k: f64,
}

#[adjoint]
fn undecided(p: &Params) -> f64 {
    p.k * p.k
}

fn main() {
    undecided(&Params { k: 1.0 });
}
