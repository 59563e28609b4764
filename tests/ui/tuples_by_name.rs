//! Names for tuples of references that exist nowhere, of which more than fields is mentioned.
use backsweep::adjoint;

static TABLE: &[f64] = &[1.0, 2.0];

#[adjoint]
fn moved(x: f64) -> f64 {
    let mut s = x;
    for t in TABLE.iter().enumerate() {
        let whole = t;
        s += whole.1 * x;
    }
    s
}

#[adjoint]
fn hidden(x: f64) -> f64 {
    TABLE.iter().enumerate().fold(x, |s, t| {
        let s = s + t.1 * x;
        let t = (s, x);
        t.0 * t.1
    })
}

#[adjoint]
fn printed(x: f64) -> f64 {
    TABLE.iter().zip(TABLE.iter()).fold(x, |s, t| {
        println!("{t:?}");
        s + t.1 * x
    })
}

#[adjoint]
fn lent(x: &[f64], y: &mut [f64]) {
    for t in y.iter_mut().zip(x) {
        let r = &t;
        *t.0 += r.1 * r.1;
    }
}

fn main() {
    moved(1.0) + hidden(1.0) + printed(1.0);
    lent(&[1.0], &mut [1.0]);
}
