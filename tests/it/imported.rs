//! Functions of the standard library by the names by which they are imported.

use approx::assert_relative_eq;
use backsweep::adjoint;
use core::mem::{replace as put, swap};
use num_traits::Float;

#[adjoint]
fn ordered<T: Float>(x: T, y: T) -> T {
    let (mut x, mut y) = (x, y);
    if x < y {
        swap(&mut x, &mut y);
    }
    x * x * y
}

#[adjoint]
fn replaced(x: f64, y: f64) -> f64 {
    let mut kept = x * y;
    let before = put(&mut kept, x.sin());
    before * kept
}

/// What a function imports itself.
#[adjoint]
fn taken(x: f64, y: f64) -> f64 {
    use std::mem::take as out_of;
    let mut kept = x * y;
    let before = out_of(&mut kept);
    before * before + kept
}

mod own {
    use backsweep::adjoint;

    /// No function of the standard library, whatever it is called.
    #[adjoint]
    pub fn swap(x: &mut f64, y: &mut f64) {
        *x = 3.0 * *y;
        *y *= 2.0;
    }
}

mod of_own {
    use super::own::swap;
    use backsweep::adjoint;

    #[adjoint]
    pub fn changed(x: f64, y: f64) -> f64 {
        let (mut x, mut y) = (x, y);
        swap(&mut x, &mut y);
        x * y
    }
}

/// A function inside of the function hides what the module imports.
#[adjoint]
fn hidden(x: f64, y: f64) -> f64 {
    fn swap(x: &f64, y: &f64) -> bool {
        x < y
    }
    if swap(&x, &y) { x * x } else { y }
}

#[test]
fn exchanges() {
    let (value, (x_g, y_g)) = ordered::gradient(1.5, 0.4);
    assert_relative_eq!(value, 1.5 * 1.5 * 0.4);
    assert_relative_eq!(x_g, 2.0 * 1.5 * 0.4);
    assert_relative_eq!(y_g, 1.5 * 1.5);
    let (value, (x_g, y_g)) = ordered::gradient(0.4, 1.5);
    assert_relative_eq!(value, 1.5 * 1.5 * 0.4);
    assert_relative_eq!(x_g, 1.5 * 1.5);
    assert_relative_eq!(y_g, 2.0 * 1.5 * 0.4);
    let (x, y) = (0.7_f64, 1.3);
    let (value, (x_g, y_g)) = replaced::gradient(x, y);
    assert_relative_eq!(value, x * y * x.sin());
    assert_relative_eq!(x_g, y * x.sin() + x * y * x.cos(), max_relative = 1e-14);
    assert_relative_eq!(y_g, x * x.sin(), max_relative = 1e-14);
    let (value, (x_g, y_g)) = taken::gradient(x, y);
    assert_relative_eq!(value, x * x * y * y, max_relative = 1e-14);
    assert_relative_eq!(x_g, 2.0 * x * y * y, max_relative = 1e-14);
    assert_relative_eq!(y_g, 2.0 * x * x * y, max_relative = 1e-14);
}

#[test]
fn functions_of_the_user() {
    let (x, y) = (0.7, 1.3);
    let (value, (x_g, y_g)) = of_own::changed::gradient(x, y);
    assert_relative_eq!(value, 6.0 * y * y);
    assert_eq!(x_g, 0.0);
    assert_relative_eq!(y_g, 12.0 * y);
    assert_eq!(hidden::gradient(x, y), (x * x, (2.0 * x, 0.0)));
    assert_eq!(hidden::gradient(y, x), (x, (0.0, 1.0)));
}
