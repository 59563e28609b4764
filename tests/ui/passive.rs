//! `#[passive]` where it cannot be honoured.
use backsweep::adjoint;

#[adjoint]
fn on_a_statement(x: f64) -> f64 {
    let mut s = x * x;
    #[passive]
    {
        s += x;
    }
    s
}

#[adjoint]
fn on_a_list(a: &[f64]) -> f64 {
    (#[passive] a)[0] * a[0]
}

#[adjoint]
fn on_what_is_written(x: f64) -> f64 {
    let mut v = [x, x];
    set(#[passive] &mut v);
    v[0]
}

fn set(v: &mut [f64]) {
    v[0] = 1.0;
}

fn main() {
    on_a_statement(1.0);
}
