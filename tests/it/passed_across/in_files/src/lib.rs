mod bodies;
mod others;
use bodies::*;

#[adjoint]
fn of_a_plain_one(a: f64) -> f64 {
    plain(|x| a * x, 2.0)
}

#[adjoint]
fn of_a_private_function(a: f64) -> f64 {
    uses_private(|x| a * x, 2.0)
}

#[adjoint]
fn of_a_method(a: f64) -> f64 {
    uses_method(|x| a * x, 2.0)
}

#[adjoint]
fn of_one_that_calls_itself(a: f64) -> f64 {
    by_turns(|x| a * x, 2.0)
}

#[adjoint]
fn of_one_that_is_not_annotated(a: f64) -> f64 {
    not_annotated(|x| a * x, 2.0)
}

#[adjoint]
fn of_one_without_context(a: f64) -> f64 {
    without_context(|x| a * x, 2.0)
}

#[adjoint]
fn of_a_variable(a: f64) -> f64 {
    hides(|x| a * x, 2.0)
}

#[adjoint]
fn of_a_macro(a: f64) -> f64 {
    uses_macro(|x| a * x, 2.0)
}

#[adjoint]
fn of_what_is_not_known(a: f64) -> f64 {
    unknown(|x| a * x, 2.0)
}
