//! Functions that cannot be differentiated as a whole, and names that the entries cannot have.
use backsweep::adjoint;

#[adjoint]
async fn asynchronous(x: f64) -> f64 {
    x * x
}

#[adjoint]
unsafe fn not_safe(x: f64) -> f64 {
    x * x
}

#[adjoint]
extern "C" fn foreign(x: f64) -> f64 {
    x * x
}

#[adjoint]
fn std(x: &[f64]) -> f64 {
    x[0] * x[0]
}

#[adjoint(name = "f64")]
fn named_like_a_primitive(x: f64) -> f64 {
    x * x
}

#[adjoint]
fn references(x: &(f64, f64)) -> (&f64, &f64) {
    (&x.0, &x.1)
}

#[adjoint]
fn reference<'a>(x: &'a [f64]) -> &'a f64 {
    &x[0]
}

#[adjoint]
fn never(x: f64) -> ! {
    panic!("{x}")
}

#[adjoint]
fn generic<T: Copy + Into<f64>>(x: T) -> f64 {
    x.into()
}

#[adjoint]
fn takes_a_closure(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[adjoint]
fn attribute_on_a_parameter(#[allow(unused)] x: f64) -> f64 {
    1.0
}

#[adjoint]
fn fails(x: f64) -> Result<f64, String> {
    if x < 0.0 { Err("negative".into()) } else { Ok(x.sqrt()) }
}

struct View<'a> {
    of: &'a [f64],
}

#[adjoint(independents(x))]
fn lends(x: &[f64]) -> View<'_> {
    View { of: x }
}

fn main() {
    lends(&[1.0]);
    constant(1.0) + unsafe { not_safe(1.0) } + foreign(1.0) + std(&[1.0]);
    named_like_a_primitive(1.0) + reference(&[1.0]) + generic(1.0) + takes_a_closure(|x| x, 1.0);
    attribute_on_a_parameter(1.0) + fails(1.0).unwrap();
    let _ = asynchronous(1.0);
    let _ = || never(1.0);
}
