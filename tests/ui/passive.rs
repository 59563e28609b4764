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

fn main() {
    on_a_statement(1.0);
}
