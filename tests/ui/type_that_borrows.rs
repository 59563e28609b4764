//! An independent of a type with an anonymous lifetime, which the result has.
use backsweep::adjoint;

struct View<'a> {
    d: &'a [f64],
}

#[adjoint(independents(v), dependents(return))]
fn f(v: View<'_>) -> View<'_> {
    v
}

fn main() {
    f(View { d: &[1.0] });
}
