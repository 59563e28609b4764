use backsweep::{Differentiable, adjoint};

#[derive(Differentiable)]
struct State {
    u: f64,
    v: f64,
}

#[adjoint]
fn kick(s: &mut State, a: f64) {
    s.u += a * s.v * s.u;
    s.v -= a * s.u * s.u;
}

#[adjoint]
fn calls(a: f64) -> f64 {
    let mut state = State { u: a, v: 1.0 };
    #[checkpoint]
    kick(&mut state, a);
    #[checkpoint]
    kick(&mut state, a);
    state.u * state.v
}

fn main() {
    calls(1.0);
}
