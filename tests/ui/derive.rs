//! Types for which `Differentiable` cannot be derived.
use backsweep::Differentiable;

#[derive(Clone, Differentiable)]
enum Never {}

#[derive(Clone, Copy, Differentiable)]
union Bits {
    float: f64,
}

#[derive(Clone, Differentiable)]
struct View<'a> {
    d: &'a [f64],
}

#[derive(Clone, Differentiable)]
struct Problem<'a, T> {
    rows: Vec<&'a [T]>,
    step: fn(T) -> T,
    callback: std::option::Option<&'a (dyn Fn(&T) -> bool + 'a)>,
}

#[derive(Clone, Differentiable)]
#[differentiable(path = backsweep)]
struct Option {
    k: f64,
}

fn main() {}
