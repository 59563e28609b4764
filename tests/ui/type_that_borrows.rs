//! An independent of a type with an anonymous lifetime.
use backsweep::adjoint;

struct View<'a> {
    d: &'a [f64],
}

#[adjoint(independents(v))]
fn f(v: View<'_>) -> f64 {
    v.d[0] * v.d[0]
}

fn main() {
    f(View { d: &[1.0] });
}
