use backsweep::adjoint;

#[adjoint]
pub fn cubed(x: f64) -> f64 {
    x * squared(x)
}

#[adjoint]
fn squared(x: f64) -> f64 {
    x * x
}

/// The function of the module's name is called by one beside it, which it calls, too.
#[adjoint]
pub fn power(x: f64, n: usize) -> f64 {
    if n > 3 { power(x, n - 3) * cubed(x) } else { x }
}

pub mod folded {
    use backsweep::adjoint;

    #[adjoint]
    pub fn folded(x: f64, n: usize) -> f64 {
        if n == 0 { x } else { turned(x, n) }
    }

    #[adjoint]
    fn turned(x: f64, n: usize) -> f64 {
        let inner = folded(x.sin(), n - 1);
        if inner > 2.0 { folded(inner, 0) } else { inner * x }
    }
}
pub use folded::folded;
