//! Attributes inside of a function that would change what the macro sees.
use backsweep::adjoint;

#[adjoint]
fn on_a_statement(x: f64) -> f64 {
    let mut s = x * x;
    #[cfg(any())]
    {
        s = 0.0;
    }
    #[inline]
    {
        s *= x;
    }
    s
}

#[adjoint]
fn on_a_let(x: f64) -> f64 {
    let s = x * x;
    #[cfg(any())]
    let s = 0.0;
    s
}

#[adjoint]
fn on_an_arm(x: f64, n: usize) -> f64 {
    match n {
        #[cfg(any())]
        0 => 0.0,
        _ => x * x,
    }
}

#[adjoint]
fn on_the_last_expression(x: f64) -> f64 {
    #[cfg(any())]
    {
        0.0
    }
    #[cfg(all())]
    {
        x * x
    }
}

#[adjoint]
fn in_a_list(x: f64) -> f64 {
    let a = [x, #[cfg(any())] 1.0, x * x];
    a[1]
}

#[adjoint]
fn on_a_macro(x: f64) -> f64 {
    let s = x * x;
    #[cfg(any())]
    {
        println!("{x}");
    }
    #[cfg(any())]
    println!("{s}");
    s
}

fn main() {
    on_a_statement(1.0) + on_a_let(1.0) + on_a_macro(1.0);
    on_an_arm(1.0, 1) + on_the_last_expression(1.0) + in_a_list(1.0);
}
