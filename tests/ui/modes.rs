//! `#[checkpoint]`, `#[split]` and their kin where they cannot be honoured.
use backsweep::adjoint;

#[adjoint]
fn square(x: f64) -> f64 {
    x * x
}

#[adjoint]
fn on_the_block_of_a_value(x: f64) -> f64 {
    let s = #[checkpoint]
    {
        x * x
    };
    s
}

#[adjoint]
fn on_a_loop(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint]
    for _ in 0..3 {
        s *= x;
    }
    s
}

#[adjoint]
fn on_no_call(x: f64) -> f64 {
    #[split]
    let y = x * x;
    y
}

#[adjoint]
fn repeatable(x: f64) -> f64 {
    #[repeatable]
    {
        println!("{x}");
    }
    square(x)
}

fn main() {
    on_the_block_of_a_value(1.0) + on_a_loop(1.0) + on_no_call(1.0);
    repeatable(1.0);
}
