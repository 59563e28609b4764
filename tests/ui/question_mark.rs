//! `?`, `Option` and `Result`.
use backsweep::adjoint;

#[adjoint]
fn option(x: &[f64]) -> Option<f64> {
    let first = x.first()?;
    Some(first * first)
}

#[adjoint]
fn result(x: f64) -> Result<f64, String> {
    if x < 0.0 {
        return Err("negative".into());
    }
    Ok(x.sqrt())
}

#[adjoint]
fn passive_inside(x: f64, text: &str) -> Result<f64, std::num::ParseFloatError> {
    let factor: f64 = text.parse()?;
    Ok(x * factor)
}

fn main() {
    option(&[1.0]);
    let _ = result(1.0);
    let _ = passive_inside(1.0, "2");
}
