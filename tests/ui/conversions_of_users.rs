//! Conversions through which no derivative passes.

use backsweep::{Differentiable, adjoint};

#[derive(Clone, Copy, Differentiable)]
struct Narrow {
    x: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct Wide {
    x: f64,
}

#[adjoint]
impl From<Narrow> for Wide {
    fn from(narrow: Narrow) -> Self {
        Self { x: narrow.x }
    }
}

/// Another conversion.
impl From<&Narrow> for Wide {
    fn from(narrow: &Narrow) -> Self {
        Self { x: narrow.x * 3.0 }
    }
}

#[adjoint(independents(wide), dependents(return))]
fn part(wide: Wide) -> f64 {
    wide.x
}

#[adjoint(independents(narrow), dependents(return), declared(operator From, Wide, Narrow, Wide;))]
fn of_a_reference(narrow: &Narrow) -> f64 {
    let wide: Wide = narrow.into();
    part(wide)
}

#[adjoint(independents(narrow), dependents(return), declared(operator From, Wide, Narrow, Wide;))]
fn into_something(narrow: Narrow) -> f64 {
    let wide = narrow.into();
    part(wide)
}

#[adjoint(independents(narrow), dependents(return))]
fn not_declared(narrow: Narrow) -> f64 {
    let wide: Wide = narrow.into();
    part(wide)
}

/// There is no conversion of a reference with an adjoint.
#[adjoint]
impl From<&Wide> for Narrow {
    fn from(wide: &Wide) -> Self {
        Self { x: wide.x }
    }
}

fn main() {}
