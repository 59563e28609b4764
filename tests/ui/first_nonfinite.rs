//! `first_nonfinite` where there is no search.
use backsweep::adjoint;

struct Scale(f64);

#[adjoint]
impl Scale {
    #[adjoint(independents(x), first_nonfinite)]
    fn scaled(&self, x: f64) -> f64 {
        self.0 * x
    }
}

#[adjoint(independents(x), first_nonfinite)]
fn generic<T: Copy>(x: f64, _: T) -> f64 {
    x * x
}

#[adjoint(partials(x: x.cos()), first_nonfinite)]
fn given(x: f64) -> f64 {
    x.sin()
}

#[adjoint(first_nonfinite(x))]
fn with_something(x: f64) -> f64 {
    x * x
}

fn main() {
    given(1.0) + generic(1.0, 2) + with_something(1.0) + Scale(1.0).scaled(2.0);
}
