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

#[adjoint]
fn in_two_modes(x: f64) -> f64 {
    #[checkpoint]
    #[split]
    let y = square(x);
    #[checkpoint]
    let z = #[split]
    square(x);
    y + z
}

#[adjoint]
fn of_what_is_called(x: f64) -> f64 {
    (#[checkpoint(0)]
    square)(x)
}

#[adjoint]
fn with_a_schedule(x: f64) -> f64 {
    #[checkpoint(0)]
    let y = square(x);
    y
}

fn main() {
    in_two_modes(1.0) + of_what_is_called(1.0) + with_a_schedule(1.0);
    on_the_block_of_a_value(1.0) + on_a_loop(1.0) + on_no_call(1.0);
    repeatable(1.0);
}
