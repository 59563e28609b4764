//! `?`, `Option` and `Result`, where they are not taken apart.
use backsweep::adjoint;

#[derive(Debug)]
struct Failure(f64);

#[adjoint]
fn checked(x: f64) -> Option<f64> {
    if x < 0.0 { None } else { Some(x.sqrt()) }
}

#[adjoint]
fn scaled(x: &mut [f64]) -> Result<f64, Failure> {
    if x[0] < 0.0 {
        return Err(Failure(x[0]));
    }
    x[0] *= 2.0;
    Ok(x[0])
}

#[adjoint]
fn failing(x: f64) -> Result<f64, Failure> {
    if x < 0.0 { Err(Failure(x)) } else { Ok(x.sqrt()) }
}

#[adjoint(independents(x))]
fn inside_of_verbatim_code(x: f64, text: &str) -> Result<f64, std::num::ParseFloatError> {
    let factor = text.parse::<f64>()?.max(1.0) as usize + text.parse::<usize>().unwrap_or(0);
    let list: Vec<f64> = vec![text.parse()?; 3].into_iter().collect();
    Ok(x * factor as f64 * list[0])
}

#[adjoint]
fn neither(x: f64) -> Result<f64, Failure> {
    std::hint::black_box(Ok(x))
}

#[adjoint]
fn what_was_changed(mut x: [f64; 2]) -> f64 {
    match scaled(&mut x) {
        Ok(y) => y,
        Err(_) => x[0],
    }
}

#[adjoint]
fn scaled_slice(x: &mut [f64]) -> Result<f64, Failure> {
    if x[0] < 0.0 {
        return Err(Failure(x[0]));
    }
    x[0] *= 2.0;
    Ok(x[0])
}

#[adjoint]
fn of_a_slice(mut x: [f64; 2]) -> f64 {
    scaled_slice(&mut x[1..]).unwrap_or(1.0)
}

#[adjoint]
fn read_before_it_is_tested(mut x: [f64; 2]) -> f64 {
    let scaled = scaled(&mut x);
    let copy = x;
    if let Ok(y) = scaled { y * copy[0] } else { 0.0 }
}

#[adjoint]
fn number_in_an_error(x: f64) -> f64 {
    match failing(x) {
        Ok(y) => y,
        Err(Failure(y)) => y,
    }
}

#[adjoint]
fn forgotten_error(x: f64) -> Result<f64, Failure> {
    let y = if x > 2.0 { Err(Failure(2.0)) } else { Ok(x * x) };
    let z = y?;
    Ok(z * x)
}

#[adjoint]
fn other_methods(x: f64) -> f64 {
    let mut y = Some(x);
    if y.replace(x * x).is_some() { y.unwrap() } else { x }
}

#[adjoint]
fn by_reference(x: f64) -> f64 {
    let mut y: Option<f64> = checked(x);
    std::mem::swap(&mut y, &mut Some(x));
    y.unwrap_or(x)
}

#[adjoint]
fn assigned_again(x: &[f64]) -> f64 {
    let mut z: Result<f64, Failure> = failing(x[0]);
    if x[0] > 1.0 {
        z = Err(Failure(1.0));
    }
    z.unwrap()
}

fn main() {
    let _ = inside_of_verbatim_code(1.0, "2");
    let _ = neither(1.0);
    what_was_changed([1.0; 2]) + number_in_an_error(1.0) + other_methods(1.0);
    by_reference(1.0) + assigned_again(&[1.0]);
    let _ = forgotten_error(1.0);
}
