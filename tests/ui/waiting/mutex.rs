//! A static that carries an active value: not a gradient of 0.
use backsweep::adjoint;
use std::sync::Mutex;

static SUM: Mutex<f64> = Mutex::new(0.0);

#[adjoint]
fn f(x: f64) -> f64 {
    *SUM.lock().unwrap() += x * x;
    let s: f64 = *SUM.lock().unwrap();
    s * x
}

fn main() {
    f(1.0);
}
