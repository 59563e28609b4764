//! Functions in modules of their names, which others find by an import only: `mod area; pub use area::area;`. The module is hidden from
//! these, and with it the entries.

mod shapes;

/// A function of the name of one that others import.
mod elsewhere {
    mod area {
        use backsweep::adjoint;

        #[adjoint(independents(sides))]
        pub fn area(sides: &[f64]) -> f64 {
            sides[0] + 5.0 * sides[1]
        }
    }
    pub use area::area;
}

pub use shapes::scaled as doubled_often;

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};
use elsewhere::area;
use shapes::raised;

#[adjoint]
fn by_paths(x: f64, y: f64) -> f64 {
    shapes::area(&[x, y]).sin() + area(&[x * x, y]) + shapes::scaled(y, 3)
}

#[adjoint]
fn by_other_names(x: f32) -> f32 {
    doubled_often(x * x, 2) + crate::found_by_imports::shapes::scaled(x, 1)
}

#[adjoint]
fn through_a_mutable_reference(x: f64) -> f64 {
    let mut y = x * x;
    raised(&mut y);
    y + shapes::cooled(x)
}

#[adjoint]
fn generic<F: shapes::numbers::Float>(x: F) -> F {
    shapes::scaled(x * x, 1)
}

#[adjoint]
fn without_derivatives(x: f64) -> f64 {
    #[passive]
    let rate = shapes::halved(x) + shapes::scaled(2.0, 1);
    rate * x
}

/// What is imported inside of a function hides what is imported around it.
#[adjoint]
fn with_an_import_inside(x: f64) -> f64 {
    #[passive]
    let k = {
        use crate::found_by_imports::shapes::halved as area;
        area(6.0)
    };
    k * x
}

#[derive(Clone, Debug, Differentiable)]
struct Plate {
    width: f64,
    height: f64,
}

#[adjoint]
impl Plate {
    fn both(&self) -> f64 {
        shapes::area(&[self.width, self.height]) * area(&[self.height, self.width])
    }
}

#[adjoint]
trait Shape {
    fn size(&self, by: f64) -> f64;
}

impl Plate {
    #[adjoint]
    fn alone(&self, x: f64) -> f64 {
        shapes::area(&[self.width, x])
    }
}

#[adjoint]
impl std::ops::Mul for Plate {
    type Output = Plate;
    fn mul(self, other: Plate) -> Plate {
        let width = shapes::area(&[self.width, other.height]);
        Plate { width, height: self.height }
    }
}

#[adjoint]
fn product(x: f64, y: f64) -> f64 {
    let plate = Plate { width: x, height: y } * Plate { width: y, height: x * y };
    plate.both() + plate.alone(x) + plate.size(y)
}

#[adjoint]
impl Shape for Plate {
    fn size(&self, by: f64) -> f64 {
        self.both() * shapes::scaled(by, 2)
    }
}

/// By differences.
fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-5;
    (f(x + h) - f(x - h)) / (2.0 * h)
}

#[test]
fn functions_have_their_entries_where_their_module_is_hidden() {
    let (x, y) = (1.3, 0.7);
    let (value, gradient) = by_paths::gradient(x, y);
    assert_eq!(value, by_paths(x, y));
    // sin(xy) + x² + 5y + 8y
    assert_relative_eq!(gradient.0, y * (x * y).cos() + 2.0 * x, max_relative = 1e-12);
    assert_relative_eq!(gradient.1, x * (x * y).cos() + 13.0, max_relative = 1e-12);
    // 4x² + 2x
    assert_relative_eq!(by_other_names::gradient(1.5).1, 14.0);
    let expected = slope(through_a_mutable_reference, x);
    assert_relative_eq!(through_a_mutable_reference::gradient(x).1, expected, max_relative = 1e-8);
    assert_relative_eq!(generic::gradient(3.0_f64).1, 12.0);
    assert_relative_eq!(generic::gradient(3.0_f32).1, 12.0);
}

#[test]
fn what_is_meant_by_a_name_is_called() {
    assert_eq!(without_derivatives::gradient(2.0), (10.0, 5.0));
    assert_eq!(with_an_import_inside::gradient(2.0), (6.0, 3.0));
}

#[test]
fn methods_and_operators_call_them() {
    let (x, y) = (1.3, 0.7);
    let (value, gradient) = product::gradient(x, y);
    assert_eq!(value, product(x, y));
    assert_relative_eq!(gradient.0, slope(|x| product(x, y), x), max_relative = 1e-8);
    assert_relative_eq!(gradient.1, slope(|y| product(x, y), y), max_relative = 1e-8);
}
