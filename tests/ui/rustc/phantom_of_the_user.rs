//! A type of the user's that is called `PhantomData` is not taken for that of the standard library: it may hold floats.
use backsweep::Differentiable;

#[derive(Clone, Copy)]
struct PhantomData(f64);

#[derive(Clone, Copy, Differentiable)]
struct Model {
    k: f64,
    hidden: PhantomData,
}

fn main() {
    let model = Model { k: 1.0, hidden: PhantomData(2.0) };
    let _ = model.k + model.hidden.0;
}
