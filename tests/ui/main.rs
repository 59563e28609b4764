//! Functions that take functions and cannot be lowered in place of calls. A file of this name is the root of a crate, so it is read.
use backsweep::adjoint;

#[adjoint(test(f: f64::sin, x: 1.0), second_order, passive(x))]
fn has_options(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    2.0 * f(x)
}

#[adjoint]
fn calls_itself(f: fn(f64) -> f64, x: f64) -> f64 {
    if x > 2.0 { calls_itself(f, x - 1.0) } else { f(x) }
}

#[adjoint]
fn may_fail<F>(f: F, x: f64) -> Option<f64>
where
    F: Fn(f64) -> f64,
{
    if x > 0.0 { Some(f(x)) } else { None }
}

#[adjoint]
fn hides(f: &dyn Fn(f64) -> f64, x: f64) -> f64 {
    let y = f(helper(x));
    let helper = 2.0 * y;
    helper
}

fn helper(x: f64) -> f64 {
    x
}

mod inner {
    use backsweep::adjoint;

    fn hidden(x: f64) -> f64 {
        x
    }

    #[adjoint]
    pub fn calls_hidden(f: impl Fn(f64) -> f64, x: f64) -> f64 {
        f(hidden(x))
    }

    pub fn not_annotated(f: impl Fn(f64) -> f64, x: f64) -> f64 {
        f(x)
    }
}

#[adjoint]
fn calls(a: f64) -> f64 {
    inner::calls_hidden(|x| a * x, a) + inner::not_annotated(|x| a * x, a)
}

fn main() {
    calls(has_options(f64::sin, 1.0) + calls_itself(f64::sin, 1.0) + hides(&f64::sin, 1.0));
    may_fail(f64::sin, 1.0);
}
