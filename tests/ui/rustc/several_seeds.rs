//! What has adjoints for one seed only.

use backsweep::{Differentiable, adjoint};

#[derive(Clone, Differentiable)]
struct Point {
    x: f64,
}

#[adjoint(independents(point))]
fn of_a_struct(point: &Point) -> f64 {
    point.x * point.x
}

#[adjoint]
fn checkpointed(x: f64) -> [f64; 2] {
    let mut y = x;
    #[checkpoint(snapshots = 2)]
    for _ in 0..10 {
        y = y.sin();
    }
    [y, x]
}

#[adjoint]
impl Point {
    #[adjoint(independents(self))]
    fn norm(&self) -> f64 {
        self.x.abs()
    }
}

#[adjoint(with = halved_adjoint)]
fn halved(x: f64) -> f64 {
    x / 2.0
}

fn halved_adjoint(x: f64, x_b: &mut f64, seed: f64) -> f64 {
    *x_b += seed / 2.0;
    halved(x)
}

/// An error of the instance: the function called has none.
#[adjoint]
fn calls(x: f64) -> [f64; 2] {
    [halved(x), x]
}

fn main() {
    let point = Point { x: 1.0 };
    of_a_struct::adjoints::<2>(&point, &mut Point { x: 0.0 }, [1.0; 2]);
    checkpointed::adjoints::<2>(1.0, &mut [0.0; 2], [[1.0; 2]; 2]);
    point.norm_adjoints::<2>(&mut Point { x: 0.0 }, [1.0; 2]);
    halved::adjoints::<2>(1.0, &mut [0.0; 2], [1.0; 2]);
}
