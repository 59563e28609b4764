//! Functions with effects, and their derivatives, against the functions as they are. They are run by a program of their own,
//! since a function may run for ever: one line says which is begun, one what came out.

mod compare;
mod world;

use backsweep::Stack;
pub use compare::compare;
pub use world::{Context, LOCK, Tracer, look, look_both, taken, tick, tracer};

/// What all generated functions take.
pub type Primal = fn(&[f64], usize, &Context) -> f64;

/// As `gradient`.
pub type Gradient = fn(&[f64], usize, &Context) -> (f64, Vec<f64>);

/// As `tangent`: the direction follows the point.
pub type Tangent = fn(&[f64], &[f64], usize, &Context) -> (f64, f64);

/// What bars are at the points at which functions are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bars {
    /// Numbers, where the function is one.
    Defined,
    /// A bar that is not 0 meets an infinite partial: those behind may be NaN, and nothing but NaN if they are wrong.
    MayBeUndefined,
}

/// A function without the attribute and with it.
pub struct Case {
    /// Its bars.
    pub bars: Bars,
    /// Without.
    pub plain: Primal,
    /// With.
    pub own: Primal,
    /// `gradient`.
    pub gradient: Gradient,
    /// `tangent`.
    pub tangent: Tangent,
    /// `adjoint`.
    pub adjoint: fn(&[f64], &mut [f64], usize, &Context) -> f64,
    /// `forward`.
    pub forward: fn(&mut Stack, &[f64], usize, &Context) -> f64,
    /// `backward`.
    pub backward: fn(&mut Stack, &[f64], &mut [f64], usize, &Context),
}

/// Examines the functions from the one on that the first argument says.
pub fn examine(cases: &[Case]) {
    std::panic::set_hook(Box::new(|_| ()));
    let first = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
    for (position, case) in cases.iter().enumerate().skip(first) {
        println!("begin {position}");
        match compare(case, &|| println!("runs {position}")) {
            Ok(compared) if compared > 0 => println!("compared {position} {compared}"),
            Ok(_) => println!("unusable {position} no derivative could be compared"),
            Err(what) => println!("wrong {position} {}", what.replace('\n', " ")),
        }
    }
}
