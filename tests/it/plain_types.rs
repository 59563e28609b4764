//! Parameters of types of the crate that hold no floats, as their declarations tell: they are constants without being called so.

use approx::assert_relative_eq;
use backsweep::adjoint;
use kinds::{Dimensions, Saturation, Side};

mod kinds {
    /// Where a point lies.
    #[derive(Clone, Copy, PartialEq)]
    pub enum Saturation {
        None,
        InsideLow,
        OutsideHigh,
    }

    pub enum Side {
        Left,
        Step(usize, bool),
        Named { letter: char },
    }

    #[derive(Clone, Copy)]
    pub struct Dimensions {
        pub rows: usize,
        pub columns: usize,
    }
}

#[adjoint]
fn weight(t: f64, saturation: Saturation) -> f64 {
    match saturation {
        Saturation::None => t * t,
        Saturation::InsideLow => t.sin(),
        Saturation::OutsideHigh => 3.0 * t,
    }
}

#[adjoint]
fn of_side(t: f64, side: &Side) -> f64 {
    match side {
        Side::Left => -t,
        Side::Step(n, true) => t.powi(*n as i32),
        Side::Step(_, false) => 0.5 * t,
        Side::Named { letter } => {
            if *letter == 'e' {
                t.exp()
            } else {
                t
            }
        }
    }
}

#[adjoint]
fn both(t: f64, saturation: Saturation, of: Dimensions) -> f64 {
    let (mut sum, columns) = (0.0, of.columns as f64);
    for row in 0..of.rows {
        sum += weight(t, saturation) * (row as f64 + columns);
    }
    sum + of_side(t, &Side::Step(3, true))
}

struct Rows;

#[adjoint]
impl Rows {
    fn scaled(t: f64, of: &Dimensions) -> f64 {
        t * of.rows as f64
    }
}

#[test]
fn enums_and_structs_of_plain_data_are_constants() {
    let t = 0.7_f64;
    assert_eq!(weight::gradient(t, Saturation::None), (t * t, 2.0 * t));
    assert_eq!(weight::gradient(t, Saturation::InsideLow), (t.sin(), t.cos()));
    assert_eq!(weight::gradient(t, Saturation::OutsideHigh), (3.0 * t, 3.0));
    assert_eq!(of_side::gradient(t, &Side::Left), (-t, -1.0));
    assert_eq!(of_side::gradient(t, &Side::Step(2, true)).1, 2.0 * t);
    assert_eq!(of_side::gradient(t, &Side::Step(2, false)).1, 0.5);
    assert_eq!(of_side::gradient(t, &Side::Named { letter: 'e' }).1, t.exp());
    let of = Dimensions { rows: 2, columns: 5 };
    let (_, t_b) = both::gradient(t, Saturation::InsideLow, of);
    assert_relative_eq!(t_b, 11.0 * t.cos() + 3.0 * t * t, max_relative = 1e-14);
    assert_eq!(Rows::scaled_gradient(t, &of), (2.0 * t, 2.0));
}
