//! Ways of turning an active value into a float again that lose the derivative.
use backsweep::adjoint;

#[adjoint]
fn bits(x: f64) -> f64 {
    f64::from_bits(x.to_bits() ^ 1)
}

#[adjoint]
fn bits_in_steps(x: f64) -> f64 {
    let b = x.to_bits();
    let c = b ^ 1;
    let y = f64::from_bits(c);
    y * x
}

#[adjoint]
fn bytes(x: f64) -> f64 {
    f64::from_le_bytes(x.to_le_bytes())
}

#[adjoint]
fn text(x: f64) -> f64 {
    format!("{x}").parse::<f64>().unwrap()
}

#[adjoint]
fn text_in_steps(x: f64) -> f64 {
    let text = x.to_string();
    let y: f64 = text.parse().unwrap();
    y * y
}

#[adjoint]
fn cell(x: f64) -> f64 {
    let c = std::cell::Cell::new(0.0);
    c.set(x * x);
    c.get()
}

#[adjoint]
fn map(x: f64) -> f64 {
    let mut m = std::collections::HashMap::new();
    m.insert(1, x * x);
    m[&1]
}

#[adjoint]
fn shared(x: f64) -> f64 {
    let s = std::rc::Rc::new(std::cell::RefCell::new(0.0));
    *s.borrow_mut() += x * x;
    let y: f64 = *s.borrow();
    y
}

#[adjoint]
fn thread(x: f64) -> f64 {
    let handle = std::thread::spawn(move || x * x);
    handle.join().unwrap()
}

#[adjoint]
fn channel(x: f64) -> f64 {
    let (tx, rx) = std::sync::mpsc::channel();
    tx.send(x * x).unwrap();
    rx.recv().unwrap()
}

#[adjoint]
fn written(x: f64) -> f64 {
    use std::fmt::Write;
    let mut text = String::new();
    write!(text, "{x}").unwrap();
    let y: f64 = text.parse().unwrap();
    y * y
}

fn main() {
    bits(1.0) + bits_in_steps(1.0) + bytes(1.0) + text(1.0) + text_in_steps(1.0) + cell(1.0);
    map(1.0) + shared(1.0) + thread(1.0) + channel(1.0) + written(1.0);
}
