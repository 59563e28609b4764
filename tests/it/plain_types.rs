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

/// Types that are declared in the module itself, which the files of the crate do not tell of.
#[adjoint]
mod of_a_module {
    #[derive(Clone, Debug, PartialEq)]
    pub enum Kind {
        Linear,
        Power(i32),
        Table,
    }

    #[derive(Clone, Copy)]
    pub struct Sizes {
        rows: usize,
        pub is_even: bool,
    }

    pub fn eval(k: &Kind, x: f64) -> f64 {
        match k {
            Kind::Linear => x,
            Kind::Power(n) => x.powi(*n),
            Kind::Table => 2.0 * x,
        }
    }

    pub fn scaled(x: f64, sizes: Sizes) -> f64 {
        eval(&Kind::Power(2), x) * sizes.rows as f64
    }

    impl Sizes {
        pub fn new(rows: usize) -> Self {
            Self { rows, is_even: rows & 1 == 0 }
        }

        pub fn of(&self, kind: Kind, x: f64) -> f64 {
            if self.is_even { eval(&kind, x) } else { scaled(x, *self) }
        }
    }

    pub mod inner {
        /// One of its own, of another shape, with the name of one around it.
        #[derive(Clone, backsweep::Differentiable)]
        pub struct Sizes {
            pub factor: f64,
        }

        pub enum Side {
            Left,
            Right { steps: u8 },
        }

        pub fn on(side: &Side, x: f64) -> f64 {
            match side {
                Side::Left => -x,
                Side::Right { steps } => x.powi(*steps as i32),
            }
        }

        pub fn with_a_number(side: &Side, sizes: &Sizes, x: f64) -> f64 {
            on(side, x) * sizes.factor
        }

        pub fn of_both(x: f64, y: f64) -> f64 {
            let sizes = Sizes { factor: y };
            with_a_number(&Side::Right { steps: 2 }, &sizes, x)
        }
    }
}

/// Where some functions have attributes of their own.
#[adjoint]
mod of_a_module_with_marks {
    pub enum Kind {
        Plain,
        Squared,
    }

    #[adjoint(independents(x))]
    pub fn marked(kind: &Kind, x: f64, y: f64) -> f64 {
        match kind {
            Kind::Plain => x * y,
            Kind::Squared => x * x * y,
        }
    }

    #[adjoint(passive(kind))]
    pub fn said(kind: &Kind, x: f64) -> f64 {
        marked(kind, x, 3.0)
    }
}

#[test]
fn types_of_plain_data_in_a_module() {
    use of_a_module::{Kind, Sizes, eval, inner, scaled};

    let x = 0.7_f64;
    assert_eq!(eval::gradient(&Kind::Linear, x), (x, 1.0));
    assert_eq!(eval::gradient(&Kind::Power(2), x), (x * x, 2.0 * x));
    assert_eq!(eval::gradient(&Kind::Table, x), (2.0 * x, 2.0));
    assert_eq!(scaled::gradient(x, Sizes::new(3)), (3.0 * (x * x), 6.0 * x));
    assert_eq!(Sizes::new(2).of_gradient(Kind::Table, x), (2.0 * x, 2.0));
    assert_eq!(Sizes::new(3).of_gradient(Kind::Table, x), (3.0 * (x * x), 6.0 * x));
    assert_eq!(inner::on::gradient(&inner::Side::Left, x), (-x, -1.0));
    assert_eq!(inner::of_both::gradient(x, 2.0), (x * x * 2.0, (4.0 * x, x * x)));
    use of_a_module_with_marks::{Kind as Marked, marked, said};
    assert_eq!(marked::gradient(&Marked::Plain, x, 2.0), (x * 2.0, 2.0));
    assert_eq!(said::gradient(&Marked::Squared, 2.0), (12.0, 12.0));
}

/// A letter decides, and is handed on: no derivative passes through it.
fn region(x: f64, y: f64) -> char {
    if x > y { 'a' } else { 'b' }
}

#[adjoint]
fn in_region(x: f64, y: f64, letter: char) -> f64 {
    match letter {
        'a' => x * y,
        _ => x / y,
    }
}

#[adjoint]
fn by_region(x: f64, y: f64) -> f64 {
    let letter: char = region(x, y);
    let mut last = letter;
    for k in 0..2 {
        if k == 1 {
            last = region(y, x);
        }
    }
    in_region(x, y, letter) + in_region(x * x, y, last)
}

#[test]
fn letters_carry_no_derivative() {
    let (x, y) = (1.5_f64, 2.0);
    let (value, (x_b, y_b)) = by_region::gradient(x, y);
    assert_eq!(value, x / y + x * x * y);
    assert_relative_eq!(x_b, 1.0 / y + 2.0 * x * y, max_relative = 1e-14);
    assert_relative_eq!(y_b, -x / (y * y) + x * x, max_relative = 1e-14);
    let (_, slope) = by_region::tangent(x, 0.3, y, -0.2);
    assert_relative_eq!(slope, 0.3 * x_b - 0.2 * y_b, max_relative = 1e-14);
}
