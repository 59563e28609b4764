use super::constants::*;
use backsweep::adjoint;

/// Newton's method with the slope of a difference.
#[adjoint]
pub fn newton<F>(f: F, start: f64) -> f64
where
    F: Fn(f64) -> f64,
{
    let mut x = start;
    for _ in 0..STEPS {
        let value = f(x);
        if value.abs() < TOLERANCE {
            return x;
        }
        let slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6;
        x -= value / slope;
    }
    x
}

#[adjoint]
pub fn bisected(f: impl Fn(f64) -> f64, mut lo: f64, mut hi: f64) -> f64 {
    let below = f(lo);
    assert!(below * f(hi) < 0.0, "no root between {lo} and {hi}");
    for _ in 0..8 {
        let middle = halved(lo + hi);
        match f(middle) {
            value if value * below > 0.0 => lo = middle,
            _ => hi = middle,
        }
    }
    halved(lo + hi)
}

/// Means something else where these are called.
#[adjoint]
pub fn halved(x: f64) -> f64 {
    0.5 * x
}

#[adjoint]
fn doubled(x: f64) -> f64 {
    x + x
}

#[adjoint]
fn root_twice_doubled(f: &dyn Fn(f64) -> f64) -> f64 {
    doubled(doubled(newton(f, 1.0)))
}

pub mod inside {
    use super::root_twice_doubled;
    use backsweep::adjoint;

    #[adjoint]
    pub fn root(a: f64) -> f64 {
        root_twice_doubled(&|x| x * x * x - a)
    }
}
