use backsweep::adjoint;
use crunchy::unroll;

// The variable is a constant in what the macro writes: a pattern compares with it.
#[adjoint]
fn compared(x: f64, n: usize) -> f64 {
    let mut s = 0.0;
    unroll! {
        for i in 0..3 {
            s += match n {
                i => x,
                _ => x * x,
            };
        }
    }
    s
}

// What it writes is no loop, so that this leaves the one around it.
#[adjoint]
fn left(x: f64, n: usize) -> f64 {
    let mut s = 0.0;
    for _ in 0..n {
        unroll! {
            for i in 0..3 {
                s += x * i as f64;
                if s > 9.0 {
                    break;
                }
            }
        }
    }
    s
}

// Nothing is said about this one.
#[adjoint]
fn understood(x: f64, n: usize) -> f64 {
    let mut s = 0.0;
    unroll! {
        for i < 8 in 0..n {
            s += x * i as f64;
        }
    }
    s
}

fn main() {
    understood(1.0, 2);
    compared(1.0, 2);
    left(1.0, 2);
}
