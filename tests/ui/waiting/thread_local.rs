//! State outside of the function that carries an active value: not a gradient of 0.
use backsweep::adjoint;

thread_local! {
    static LOCAL: std::cell::Cell<f64> = const { std::cell::Cell::new(0.0) };
}

#[adjoint]
fn f(x: f64) -> f64 {
    LOCAL.with(|cell| cell.set(x * x));
    LOCAL.with(|cell| cell.get())
}

fn main() {
    f(1.0);
}
