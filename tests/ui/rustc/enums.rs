//! A payload without a derivative.
use backsweep::Differentiable;

pub struct Opaque;

#[derive(Clone, Differentiable)]
pub enum Holder {
    Of(Opaque),
    Empty,
}

fn main() {}
