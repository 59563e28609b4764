//! Options of the attribute that are unknown, given twice or given wrongly: all are reported at once.
use backsweep::adjoint;

#[adjoint(independants(x), dependents(return), dependents(return))]
fn misspelt(x: f64) -> f64 {
    x * x
}

#[adjoint(independents = "x", name(f), mode = joint, callee, no = "tbr", crate = "backsweep")]
fn wrong_kind_of_value(x: f64) -> f64 {
    x * x
}

#[adjoint(mode = "automatic", name = "two words", no(tape, cse), callee(g, h = "h"))]
fn wrong_value(x: f64) -> f64 {
    x * x
}

#[adjoint(independents x)]
fn wrong_syntax(x: f64) -> f64 {
    x * x
}

#[adjoint(independents(x y))]
fn wrong_list(x: f64, y: f64) -> f64 {
    x * y
}

#[adjoint(skip)]
fn later(x: f64) -> f64 {
    x * x
}

#[adjoint(split(misspelt, mispelt), checkpoint(wrong_list, misspelt))]
fn modes(x: f64) -> f64 {
    misspelt(x)
}

#[adjoint(once, repeatable, with = modes)]
fn twice_told(x: f64) -> f64 {
    x * x
}

#[adjoint(repeatable)]
fn not_given(x: f64) -> f64 {
    x * x
}

#[adjoint(tangent = modes)]
fn tangent_alone(x: f64) -> f64 {
    x * x
}

#[adjoint(with = modes, tangent(x))]
fn tangent_of_another_kind(x: f64) -> f64 {
    x * x
}

fn main() {
    // The functions are there in spite of the errors.
    misspelt(1.0) + wrong_kind_of_value(1.0) + wrong_value(1.0);
    wrong_syntax(1.0) + wrong_list(1.0, 2.0) + later(1.0) + modes(1.0);
    twice_told(1.0) + not_given(1.0) + tangent_alone(1.0) + tangent_of_another_kind(1.0);
}
