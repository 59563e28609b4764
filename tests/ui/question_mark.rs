//! `?`, `Option` and `Result`, where they are not taken apart.
use backsweep::adjoint;

#[adjoint]
fn of_verbatim_code(x: &[f64]) -> Option<f64> {
    let first = x.first()?;
    Some(first * first)
}

#[adjoint]
fn neither(x: f64) -> Result<f64, String> {
    if x < 0.0 {
        return Err("negative".into());
    }
    Some(x.sqrt()).ok_or("negative".into())
}

#[adjoint(independents(x))]
fn inside_of_verbatim_code(x: f64, text: &str) -> Result<f64, std::num::ParseFloatError> {
    let factor = text.parse::<f64>()?.max(1.0) as usize + text.parse::<usize>().unwrap_or(0);
    let list: Vec<f64> = vec![text.parse()?; 3].into_iter().collect();
    Ok(x * factor as f64 * list[0])
}

#[adjoint]
fn of_a_function_that_cannot_fail(x: f64) -> f64 {
    let root = checked(x).unwrap();
    root * 2.0
}

#[adjoint]
fn checked(x: f64) -> Option<f64> {
    if x < 0.0 { None } else { Some(x.sqrt()) }
}

fn main() {
    of_verbatim_code(&[1.0]);
    let _ = neither(1.0);
    let _ = inside_of_verbatim_code(1.0, "2");
    of_a_function_that_cannot_fail(1.0);
}
