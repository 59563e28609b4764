//! Checkpointed blocks and loops that only rustc can refuse.
use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct Planet {
    place: f64,
}

#[adjoint(independents(planet), dependents(planet))]
fn not_persistent(planet: &mut Planet) {
    #[checkpoint(snapshots = 2, disk = "scratch")]
    for _ in 0..9 {
        planet.place *= 0.5;
    }
}

#[adjoint]
fn once(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint]
    {
        println!("now");
        s *= s;
    }
    s
}

#[adjoint]
fn once_in_a_loop(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint(snapshots = 3)]
    while s < 100.0 {
        println!("now");
        s *= s;
    }
    s
}

fn main() {
    not_persistent::adjoint(&mut Planet { place: 1.0 }, &mut Planet { place: 1.0 });
    once::gradient(1.0);
    once_in_a_loop::gradient(1.0);
}
