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

macro_rules! logged {
    ($text:literal) => {
        println!($text)
    };
}

/// Without context it is not known what the macro does with the text.
#[adjoint(no(context), passive(n))]
fn in_a_text(x: f64, n: usize) -> f64 {
    let n = n + 1;
    logged!("{n}");
    x * n as f64
}

fn main() {
    in_a_text(1.0, 1);
    writes(1.0) + value(1.0) + several_of_a_name(1.0);
}
