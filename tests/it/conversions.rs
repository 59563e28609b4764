//! Conversions by traits of numbers, with values that may be missing and without, against closed forms.

use approx::assert_relative_eq;
use backsweep::adjoint;
use num_traits::{Float, FromPrimitive, NumCast, ToPrimitive};

const SCALE: f64 = 6_378.137;

/// There and back, with constants that are no literals.
#[adjoint]
fn there_and_back<T: Float + FromPrimitive>(x: T, y: T) -> T {
    let wide: f64 = x.to_f64().unwrap() * y.to_f64().expect("a number");
    let scale = T::from_f64(SCALE).unwrap();
    let half = T::from(1.0 / 2.0).unwrap();
    T::from_f64(wide.sin()).unwrap() * scale + half * T::from(wide).expect("a number")
}

fn slopes(x: f64, y: f64) -> (f64, f64, f64) {
    let slope = SCALE * (x * y).cos() + 0.5;
    (SCALE * (x * y).sin() + 0.5 * x * y, slope * y, slope * x)
}

#[test]
fn conversions_of_floats_have_the_derivative_one() {
    for (x, y) in [(0.4, 1.3), (2.0, 1.0), (-0.7, 0.0)] {
        let (value, (x_g, y_g)) = there_and_back::gradient(x, y);
        let (expected, by_x, by_y) = slopes(x, y);
        assert_relative_eq!(value, expected, max_relative = 1e-14);
        assert_relative_eq!(x_g, by_x, max_relative = 1e-14);
        assert_relative_eq!(y_g, by_y, max_relative = 1e-14);
        assert_eq!(there_and_back(x, y), value);
        let (_, slope) = there_and_back::tangent(x, 0.3, y, -0.6);
        assert_relative_eq!(slope, 0.3 * by_x - 0.6 * by_y, max_relative = 1e-13);
        let (single, (x_g, y_g)) = there_and_back::gradient(x as f32, y as f32);
        assert_relative_eq!(single as f64, expected, max_relative = 1e-5, epsilon = 1e-5);
        assert_relative_eq!(x_g as f64, by_x, max_relative = 1e-5, epsilon = 1e-5);
        assert_relative_eq!(y_g as f64, by_y, max_relative = 1e-5);
    }
}

/// What is there is looked at in each way in which an `Option` is.
#[adjoint]
fn looked_at<T: Float>(x: T, y: T) -> Result<T, &'static str> {
    let first = x.to_f64().ok_or("no number")?;
    let second = <f64 as NumCast>::from(y).unwrap_or(0.25);
    let third = y.to_f32().map_or(1.0, |y| (y * y) as f64);
    let fourth = if let (Some(x), Some(y)) = (x.to_f64(), y.to_f64()) { x / y } else { 0.0 };
    let fifth = match <T as NumCast>::from(first * second) {
        Some(product) => product * product,
        None => T::zero(),
    };
    let sixth = T::from(fourth);
    let Some(sum) = T::from(third + fourth) else { return Err("no sum") };
    Ok(sum * fifth + sixth.unwrap_or_else(T::zero))
}

#[test]
fn optional_conversions_are_taken_apart() {
    let (x, y) = (0.75_f64, 1.5);
    let (value, (x_g, y_g)) = looked_at::gradient(x, y).unwrap();
    let (sum, product) = (y * y + x / y, x * y);
    assert_relative_eq!(value, sum * product * product + x / y, max_relative = 1e-14);
    let by_x = product * product / y + sum * 2.0 * product * y + 1.0 / y;
    let by_y = (2.0 * y - x / (y * y)) * product * product + sum * 2.0 * product * x - x / (y * y);
    assert_relative_eq!(x_g, by_x, max_relative = 1e-13);
    assert_relative_eq!(y_g, by_y, max_relative = 1e-13);
    assert_eq!(looked_at(x, y).unwrap(), value);
}

/// Places on a grid: integers have no derivative, what is made of them has none either.
#[adjoint]
fn on_a_grid<T: Float>(x: T, values: &[T]) -> Result<T, &'static str> {
    let cell = x.floor().to_usize().ok_or("below the grid")?;
    let same = <isize as NumCast>::from(x.floor()).ok_or("not on the grid")?;
    let last = values.len().checked_sub(2).ok_or("no grid")?;
    let at = cell.min(last);
    let origin = <T as NumCast>::from(same).ok_or("no origin")?;
    let count = T::from(values.len()).unwrap();
    let weight = x - origin;
    Ok((values[at] + (values[at + 1] - values[at]) * weight) / count)
}

#[test]
fn integers_have_no_derivative() {
    let values = [1.0, 3.0, 2.5, 4.0];
    let (value, (x_g, values_g)) = on_a_grid::gradient(1.25, &values).unwrap();
    assert_relative_eq!(value, (3.0 - 0.5 * 0.25) / 4.0, max_relative = 1e-15);
    assert_relative_eq!(x_g, -0.125, max_relative = 1e-15);
    assert_eq!(values_g, [0.0, 0.1875, 0.0625, 0.0]);
    assert_eq!(on_a_grid::gradient(-1.0, &values), Err("below the grid"));
    assert_eq!(on_a_grid(-1.0, &values), Err("below the grid"));
}

/// Where only the user's trait has methods of these names.
mod own {
    use backsweep::adjoint;
    use std::ops::{Add, Mul};

    /// Conversions that cannot fail, of a trait of the user's. Those of numbers of single precision are none.
    pub trait Real: Copy + PartialOrd + Add<Output = Self> + Mul<Output = Self> {
        fn to_f64(&self) -> f64;
        fn from_f64(value: f64) -> Self;
        fn sin(self) -> Self;
    }

    impl Real for f64 {
        fn to_f64(&self) -> f64 {
            *self
        }

        fn from_f64(value: f64) -> f64 {
            value
        }

        fn sin(self) -> f64 {
            f64::sin(self)
        }
    }

    impl Real for f32 {
        fn to_f64(&self) -> f64 {
            f64::from(self.floor())
        }

        fn from_f64(value: f64) -> f32 {
            value as f32
        }

        fn sin(self) -> f32 {
            f32::sin(self)
        }
    }

    #[adjoint]
    pub fn surely<T: Real>(x: &[T], y: T) -> T {
        let r: f64 = y.to_f64();
        let mut sum = T::from_f64(r * r);
        for v in x {
            sum = sum
                + T::from_f64(v.to_f64() * 3.0 + r.sqrt()) * T::from_f64(0.5 * v.to_f64().cos());
        }
        let last: T = T::from_f64(r);
        sum * last.sin()
    }
}

#[test]
fn conversions_that_cannot_fail_are_told_by_what_is_wanted() {
    let (x, y) = ([0.3, -1.2], 0.8_f64);
    let (value, (x_g, y_g)) = own::surely::gradient(&x, y);
    let term = |v: f64| (3.0 * v + y.sqrt()) * 0.5 * v.cos();
    let sum = y * y + x.iter().map(|&v| term(v)).sum::<f64>();
    assert_relative_eq!(value, sum * y.sin(), max_relative = 1e-14);
    for (v, v_g) in x.iter().zip(&x_g) {
        let slope = 1.5 * v.cos() - 0.5 * (3.0 * v + y.sqrt()) * v.sin();
        assert_relative_eq!(*v_g, slope * y.sin(), max_relative = 1e-14);
    }
    let by_root: f64 = x.iter().map(|v| 0.5 * v.cos()).sum();
    let slope = (2.0 * y + by_root * 0.5 / y.sqrt()) * y.sin() + sum * y.cos();
    assert_relative_eq!(y_g, slope, max_relative = 1e-14);
}

#[test]
#[should_panic(expected = "this conversion makes 1e0 of 1.5e0: a derivative would be wrong")]
fn conversions_to_another_number_are_noticed() {
    own::surely::gradient(&[0.25_f32], 1.5);
}

#[test]
#[should_panic(expected = "a derivative would be wrong")]
fn conversions_to_another_number_are_noticed_where_they_agree() {
    own::surely::gradient(&[0.0_f32], 1.0);
}

/// Where `from` is that of the standard library only.
mod standard {
    use backsweep::{Differentiable, adjoint};
    use num_traits::Float;

    /// What is told by bounds of the standard library.
    #[adjoint(independents(pair))]
    pub fn by_standard_bounds<T: Float>(pair: &Pair<T>, n: usize) -> T
    where
        f64: From<T>,
    {
        let degrees = f64::from(pair.left).to_degrees();
        T::from(degrees).unwrap() * pair.right / T::from(n).unwrap()
    }

    #[derive(Clone, Differentiable)]
    pub struct Pair<T> {
        pub left: T,
        pub right: T,
    }
}

#[test]
fn the_standard_library_converts_type_parameters() {
    let pair = standard::Pair { left: 0.5_f64, right: 3.0 };
    let (value, pair_g) = standard::by_standard_bounds::gradient(&pair, 2);
    let one = 1.0_f64.to_degrees();
    assert_relative_eq!(value, 0.75 * one, max_relative = 1e-15);
    assert_relative_eq!(pair_g.left, 1.5 * one, max_relative = 1e-15);
    assert_relative_eq!(pair_g.right, 0.25 * one, max_relative = 1e-15);
    let (_, pair_g) =
        standard::by_standard_bounds::gradient(&standard::Pair { left: 0.5_f32, right: 3.0 }, 2);
    assert_relative_eq!(pair_g.left, 1.5 * 1.0_f32.to_degrees(), max_relative = 1e-6);
}

/// Of numbers of which the width is known.
#[adjoint]
fn of_known_width(x: f32, y: f64) -> f64 {
    let wide = x.to_f64().unwrap();
    let narrow = f32::from_f64(y).unwrap();
    let back = <f64 as NumCast>::from(x * narrow).unwrap_or(0.0);
    wide * back
}

#[test]
fn conversions_of_known_types() {
    let (value, (x_g, y_g)) = of_known_width::gradient(0.5, 1.5);
    assert_eq!((value, x_g, y_g), (0.375, 1.5, 0.25));
}

/// Further derivatives go through conversions, too.
#[adjoint(second_order)]
fn cubed(x: f64, y: f64) -> f64 {
    let wide = x.to_f64().unwrap();
    <f64 as NumCast>::from(wide * wide * wide).unwrap() * y
}

#[test]
fn other_derivatives_pass_through_conversions() {
    let (x, y) = (1.5_f64, 2.0);
    let gradient = [3.0 * x * x * y, x * x * x];
    assert_eq!(cubed::hessian(x, y), [6.0 * x * y, 3.0 * x * x, 3.0 * x * x, 0.0]);
    let (_, [by_x, by_y]) = cubed::tangents::<2>(x, [1.0, 0.0], y, [0.0, 1.0]);
    assert_eq!([by_x, by_y], gradient);
    let (_, (x_g, y_g)) = cubed::gradient(x, y);
    assert_eq!([x_g, y_g], gradient);
}

/// The functions of `num-traits` of which the context tells what they convert to.
#[adjoint]
fn as_wanted<T: Float>(x: T, y: T, n: usize) -> T {
    let count: T = num_traits::cast(n).unwrap();
    let half: T = NumCast::from(0.5).expect("a number");
    let wide: f64 = num_traits::cast(x * y).unwrap();
    let back = num_traits::cast::<f64, T>(wide * wide).unwrap();
    back * half / count + num_traits::cast::<usize, T>(n).unwrap() * y
}

#[test]
fn functions_convert_to_what_is_wanted() {
    let (x, y, n) = (1.5, -0.5, 3);
    let (value, (x_g, y_g)) = as_wanted::gradient(x, y, n);
    assert_relative_eq!(value, (x * y).powi(2) / 6.0 + 3.0 * y, max_relative = 1e-15);
    assert_relative_eq!(x_g, x * y * y / 3.0, max_relative = 1e-15);
    assert_relative_eq!(y_g, x * x * y / 3.0 + 3.0, max_relative = 1e-15);
}
