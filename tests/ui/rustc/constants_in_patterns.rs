//! Names in patterns that are spelled like variables and are constants, and the other way round.
use backsweep::adjoint;

#[allow(non_upper_case_globals)]
const third: i32 = 2;

#[adjoint(independents(x))]
fn constant(x: f64, n: i32) -> f64 {
    match n % 3 {
        third => x,
        _ => x * x,
    }
}

#[adjoint(independents(x))]
fn constant_of_the_function(x: f64, n: i32) -> f64 {
    #[allow(non_upper_case_globals)]
    const second: i32 = 1;
    match n % 3 {
        second => x,
        _ => x * x,
    }
}

#[derive(Clone, Copy)]
#[allow(non_camel_case_types)]
pub enum Mode {
    fast,
    slow,
}
use Mode::*;

#[adjoint(independents(x), passive(mode))]
fn variant(x: f64, mode: Mode) -> f64 {
    match mode {
        fast => x,
        slow => x * x,
    }
}

#[adjoint(independents(x), passive(mode))]
fn inside(x: f64, mode: Option<Mode>) -> f64 {
    if matches!(mode, Some(fast)) { x } else { x * x }
}

#[adjoint(independents(x))]
fn variable_in_capitals(x: f64, n: i32) -> f64 {
    match n {
        0 => x,
        N => x * N as f64,
    }
}

fn main() {}
