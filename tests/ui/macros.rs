//! Macros of the user's with active arguments.
use backsweep::adjoint;

macro_rules! decay {
    ($s:ident) => {
        $s *= 0.5;
    };
}

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

#[adjoint]
fn writes(x: f64) -> f64 {
    let mut s = x * x;
    decay!(s);
    s
}

#[adjoint]
fn value(x: f64) -> f64 {
    square!(x)
}

#[adjoint]
fn several_of_a_name(x: f64) -> f64 {
    let y = x * x;
    let y = y * x;
    if square!(y) > 1.0 { y } else { 0.0 }
}

fn main() {
    writes(1.0) + value(1.0) + several_of_a_name(1.0);
}
