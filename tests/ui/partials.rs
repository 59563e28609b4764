//! Partials that are no partials.
use backsweep::adjoint;

#[adjoint(partials(y: 1.0))]
fn no_such_parameter(x: f64) -> f64 {
    x
}

#[adjoint(partials(x))]
fn without_a_value(x: f64) -> f64 {
    x
}

#[adjoint(partials())]
fn without_anything(x: f64) -> f64 {
    x
}

#[adjoint(partials(x: 1.0, x: 2.0))]
fn twice(x: f64) -> f64 {
    x
}

#[adjoint(partials(n: 1.0))]
fn of_an_integer(x: f64, n: usize) -> f64 {
    x * n as f64
}

#[adjoint(partials(x: 1.0), passive(x))]
fn of_a_passive_parameter(x: f64) -> f64 {
    x
}

#[adjoint(partials(x: 1.0), independents(x), dependents(return))]
fn with_independents(x: f64) -> f64 {
    x
}

#[adjoint(partials(x: [1.0, 1.0]))]
fn of_a_list(x: f64) -> [f64; 2] {
    [x, x]
}

#[adjoint(partials(x: 1.0))]
fn that_may_fail(x: f64) -> Option<f64> {
    Some(x)
}

#[adjoint(partials(x: 1.0))]
fn of_another_type(x: f32) -> f64 {
    x as f64
}

#[adjoint(partials(p: (1.0, 1.0)))]
fn of_a_pair(p: (f64, f64)) -> f64 {
    p.0 + p.1
}

#[adjoint(partials(x: 1.0))]
fn that_writes(x: f64, m: &mut [f64]) -> f64 {
    m[0] = x;
    x
}

#[adjoint(partials(result: 1.0))]
fn with_that_name(result: f64) -> f64 {
    result
}

#[adjoint(partials(x: 1.0))]
fn with_a_pattern(x: f64, (a, b): (f64, f64)) -> f64 {
    x * a * b
}

#[adjoint(partials(x: 1.0), with = by_hand)]
fn both(x: f64) -> f64 {
    x
}

#[adjoint(partials = "x", with(by_hand))]
fn wrong_kind_of_value(x: f64) -> f64 {
    x
}

struct Spring(f64);

impl Spring {
    #[adjoint(with = by_hand)]
    fn energy(&self, x: f64) -> f64 {
        self.0 * x * x
    }
}

fn by_hand(_: f64, x_b: &mut f64, _: f64) -> f64 {
    *x_b
}

fn main() {}
