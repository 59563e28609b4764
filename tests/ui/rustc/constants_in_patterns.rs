//! Names in patterns that are spelled like variables and are constants, and the other way round.
use backsweep::adjoint;

#[allow(non_upper_case_globals)]
const third: i32 = 2;

#[adjoint(independents(x))]
fn constant(x: f64, n: i32) -> f64 {
    match n % 3 {
        third if x > 0.0 => x,
        _ => x * x,
    }
}

/// A constant of another block is none here.
#[adjoint(independents(x))]
#[allow(unreachable_patterns)]
fn constant_of_another_block(x: f64, n: i32) -> f64 {
    {
        #[allow(non_upper_case_globals)]
        const second: i32 = 1;
        assert!(second > 0);
    }
    match n % 3 {
        second => x * second as f64,
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
    match Some(n) {
        Some(COUNT) => x * COUNT as f64,
        None => x,
    }
}

const G: i32 = 3;

#[adjoint(independents(x))]
fn constant_of_one_letter(x: f64, n: i32) -> f64 {
    match n {
        G => x * G as f64,
        _ => x,
    }
}

fn main() {}
