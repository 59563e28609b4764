//! A channel that carries an active value: not a gradient of 0.
use backsweep::adjoint;

#[adjoint]
fn channel(x: f64) -> f64 {
    let (tx, rx) = std::sync::mpsc::channel();
    tx.send(x * x).unwrap();
    rx.recv().unwrap()
}

fn main() {
    channel(1.0);
}
