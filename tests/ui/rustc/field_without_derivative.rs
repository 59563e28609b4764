//! A field of a type that is not `Differentiable`, and is not marked.
use backsweep::Differentiable;

#[derive(Clone)]
enum Kind {
    Linear,
}

#[derive(Clone, Differentiable)]
struct Law {
    k: f64,
    kind: Kind,
}

fn main() {
    let _ = Law { k: 1.0, kind: Kind::Linear };
}
