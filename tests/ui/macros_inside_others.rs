//! Macros of the function that are called in what other macros are given.
use backsweep::adjoint;

#[adjoint(no(context))]
fn unrolled(x: f64, n: usize) -> f64 {
    let mut s = x;
    macro_rules! step {
        ($k:ident) => {
            s += x * $k as f64
        };
    }
    twice! { for k in 0..n { step!(k); } }
    for k in 0..n {
        step!(k);
    }
    s
}

macro_rules! twice {
    ($loop:stmt) => {
        $loop
        $loop
    };
}
use twice;

fn main() {
    unrolled(1.0, 2);
}
