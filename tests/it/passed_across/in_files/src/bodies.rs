use crate::others::helper;

#[adjoint]
pub fn plain(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    2.0 * f(helper(x))
}

fn private(x: f64) -> f64 {
    x
}

#[adjoint]
pub fn uses_private(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(private(x))
}

#[adjoint]
pub fn uses_method(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x).norm()
}

#[adjoint]
pub fn recursive(f: impl Fn(f64) -> f64 + Copy, x: f64) -> f64 {
    if x > 2.0 { recursive(f, x - 1.0) } else { f(x) }
}

#[adjoint]
pub fn by_turns(f: impl Fn(f64) -> f64 + Copy, x: f64) -> f64 {
    if x > 2.0 { in_turn(f, x - 1.0) } else { f(x) }
}

#[adjoint]
pub fn in_turn(f: impl Fn(f64) -> f64 + Copy, x: f64) -> f64 {
    by_turns(f, x - 1.0)
}

#[adjoint]
pub fn fails(f: impl Fn(f64) -> f64, x: f64) -> Option<f64> {
    Some(f(x))
}

#[adjoint]
pub fn generic<T: Into<f64>>(f: impl Fn(f64) -> f64, x: T) -> f64 {
    f(x.into())
}

pub fn not_annotated(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[adjoint(no(context))]
pub fn without_context(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[adjoint]
pub fn hides(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let y = f(helper(x));
    let helper = 2.0 * y;
    helper
}

#[adjoint]
pub fn uses_macro(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    twice!(f(x))
}

#[adjoint]
pub fn unknown(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(elsewhere(x))
}
