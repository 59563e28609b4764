use backsweep::adjoint;
use std::f64::consts::PI;

pub const POINTS: usize = 200;

#[adjoint]
pub fn integrate(mut f: impl FnMut(f64) -> f64, lo: f64, hi: f64) -> f64 {
    let h = (hi - lo) / POINTS as f64;
    let mut sum = 0.0;
    for k in 0..POINTS {
        sum += f(lo + (k as f64 + 0.5) * h);
    }
    sum * h
}

#[adjoint]
pub fn over_circle(f: &dyn Fn(f64) -> f64) -> f64 {
    integrate(|t| 0.5 * f(t), 0.0, 2.0 * PI) * 2.0
}
