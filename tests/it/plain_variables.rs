//! Variables of types of the crate that hold no floats, as their declarations tell: what a function finds out about floats carries no
//! derivative, whatever becomes of it.

use approx::assert_relative_eq;
use backsweep::__private::{Placeholder, Storable};
use backsweep::{Differentiable, Stack, adjoint};
use kinds::{Cell, Place};

mod kinds {
    /// Where a point lies.
    #[derive(Clone, Copy, PartialEq)]
    pub enum Place {
        Inside,
        Below,
        Above(u8),
    }

    /// In which cell of a grid a point lies.
    #[derive(Clone, Copy)]
    pub struct Cell {
        pub index: usize,
        pub place: u8,
    }

    pub fn place_of(x: f64) -> Place {
        match x {
            x if x < 0.0 => Place::Below,
            x if x > 1.0 => Place::Above(x as u8),
            _ => Place::Inside,
        }
    }
}

fn cell_of(x: f64, count: usize) -> Cell {
    let index = (x * count as f64).clamp(0.0, count as f64 - 1.0) as usize;
    Cell { index, place: (index > 0) as u8 }
}

/// The function and its derivative in `x`.
#[adjoint]
fn weight(x: f64, place: Place) -> f64 {
    match place {
        Place::Inside => x * x,
        Place::Below => 3.0 * x,
        Place::Above(n) => x.powi(n as i32 + 1),
    }
}

fn weight_with_slope(x: f64, place: Place) -> (f64, f64) {
    match place {
        Place::Inside => (x * x, 2.0 * x),
        Place::Below => (3.0 * x, 3.0),
        Place::Above(n) => (x.powi(n as i32 + 1), f64::from(n + 1) * x.powi(n as i32)),
    }
}

/// What a function returns says what the variable is.
#[adjoint(test(x: 0.5))]
fn by_result(x: f64) -> f64 {
    let place = kinds::place_of(x);
    weight(x, place) + weight(x * x, kinds::place_of(x * x))
}

/// A declaration says so, and what is assigned.
#[adjoint]
fn by_declaration(x: f64, y: f64) -> f64 {
    let place: Place;
    if x < y {
        place = kinds::place_of(x);
    } else if x > 2.0 * y {
        place = Place::Above(2);
    } else {
        place = Place::Inside;
    }
    let mut last = place;
    for k in 0..2 {
        if k == 1 {
            last = kinds::place_of(y);
        }
    }
    weight(x, place) * weight(y, last)
}

/// Arrays and lists of such values.
#[adjoint]
fn in_lists(x: &[f64]) -> f64 {
    let mut places = [Place::Inside; 3];
    let mut others = vec![Place::Below; x.len()];
    for i in 0..3 {
        places[i] = kinds::place_of(x[i]);
        others[i] = places[2 - i];
    }
    let mut sum = 0.0;
    for i in 0..3 {
        sum += weight(x[i], places[i]) * weight(x[i], others[i]);
    }
    sum
}

/// A struct, and its parts.
#[adjoint]
fn in_cells(x: f64, values: &[f64]) -> f64 {
    let cell = cell_of(x, values.len());
    let next = Cell { index: (cell.index + 1).min(values.len() - 1), ..cell };
    values[cell.index] * x + values[next.index] * (x + next.place as f64)
}

#[derive(Clone, Differentiable)]
struct Grid<T> {
    start: T,
    step: T,
    #[passive]
    count: usize,
}

trait Located {
    fn located(&self, x: f64) -> f64;
}

impl Grid<f64> {
    fn find(&self, x: f64) -> Result<(usize, Place), &'static str> {
        let at = (x - self.start) / self.step;
        if at.is_nan() {
            return Err("no place");
        }
        let index = at.clamp(0.0, self.count as f64 - 1.0) as usize;
        Ok((index, kinds::place_of(at / self.count as f64)))
    }
}

#[adjoint]
impl Grid<f64> {
    /// Methods find several things at once.
    fn sum(&self, x: [f64; 2]) -> Result<f64, &'static str> {
        let mut origin = [0_usize; 2];
        let mut places = [Place::Inside; 2];
        let mut sum = 0.0;
        for i in 0..2 {
            (origin[i], places[i]) = self.find(x[i])?;
            let t = x[i] - (self.start + self.step * origin[i] as f64);
            sum += weight(t, places[i]);
        }
        Ok(sum)
    }
}

#[adjoint]
impl Located for Grid<f64> {
    fn located(&self, x: f64) -> f64 {
        let place = kinds::place_of(x * self.step);
        weight(x, place)
    }
}

/// In generic functions, and with second derivatives.
#[adjoint(second_order)]
fn curved(x: f64, y: f64) -> f64 {
    let place: Place = kinds::place_of(x);
    match place {
        Place::Inside => x * x * y,
        Place::Below => x * y,
        Place::Above(n) => x.powi(n as i32) * y,
    }
}

/// A number of a knob: what is set there is elsewhere, and so is its bar, which is written by hand.
#[derive(Clone, Copy)]
struct Knob(usize);

impl Differentiable for Knob {
    type Bar = [f64; 2];
    fn zero_bar(&self) -> [f64; 2] {
        [0.0; 2]
    }
}

impl Storable for Knob {
    fn store(self, stack: &mut Stack) {
        self.0.store(stack);
    }
    fn load(stack: &mut Stack) -> Self {
        Self(usize::load(stack))
    }
}

impl Placeholder for Knob {
    fn placeholder() -> Self {
        Self(0)
    }
}

const SETTINGS: [f64; 2] = [0.5, 3.0];

#[adjoint(with = setting_adjoint, independents(knob))]
fn setting(knob: Knob) -> f64 {
    SETTINGS[knob.0]
}

fn setting_adjoint(knob: Knob, knob_b: &mut [f64; 2], ret_b: f64) -> f64 {
    knob_b[knob.0] += ret_b;
    setting(knob)
}

#[adjoint(independents(knob, x))]
fn tuned(knob: Knob, x: f64) -> f64 {
    let mut same: Knob = knob;
    let first = setting(same);
    same = Knob(0);
    first * x + setting(same)
}

#[adjoint(with = other_adjoint, independents(knob), dependents(return))]
fn other(knob: Knob) -> Knob {
    Knob(1 - knob.0)
}

/// What is set at one of the knobs is what was set at the other one.
fn other_adjoint(knob: Knob, knob_b: &mut [f64; 2], ret_b: [f64; 2]) -> Knob {
    knob_b[0] += ret_b[1];
    knob_b[1] += ret_b[0];
    other(knob)
}

#[adjoint(independents(knob, x))]
fn tuned_at_the_other(knob: Knob, x: f64) -> f64 {
    let found = other(knob);
    setting(found) * x
}

#[test]
fn what_has_a_bar_by_hand_is_no_constant() {
    assert_eq!(tuned_at_the_other::gradient(Knob(1), 2.0), (1.0, ([0.0, 2.0], 0.5)));
    assert_eq!(tuned::gradient(Knob(1), 2.0), (6.5, ([0.0, 2.0], 3.0)));
}

/// Arrays and lists as a whole.
#[adjoint]
fn weights(x: f64, places: &[Place; 2], others: &[Place]) -> f64 {
    weight(x, places[0]) + weight(x, places[1]) * weight(x, others[0])
}

#[adjoint]
fn as_a_whole(x: f64, steps: usize) -> f64 {
    let (mut a, mut sum) = (x, 0.0);
    let mut places = [Place::Below; 2];
    let mut others = vec![Place::Inside; 1];
    for _ in 0..steps {
        places = [places[1], kinds::place_of(a)];
        sum += weights(a, &places, &others);
        others = vec![kinds::place_of(a * a)];
        a = 0.5 * a * a + 0.7;
    }
    sum
}

#[test]
fn arrays_and_lists_as_a_whole() {
    let (mut a, mut slope) = (0.4_f64, 1.0);
    let (mut sum, mut sum_slope) = (0.0, 0.0);
    let (mut last, mut other) = (Place::Below, Place::Inside);
    for _ in 0..4 {
        let place = kinds::place_of(a);
        let [(f, df), (g, dg), (h, dh)] = [last, place, other].map(|p| weight_with_slope(a, p));
        last = place;
        sum += f + g * h;
        sum_slope += (df + dg * h + g * dh) * slope;
        other = kinds::place_of(a * a);
        (a, slope) = (0.5 * a * a + 0.7, a * slope);
    }
    let (value, x_b) = as_a_whole::gradient(0.4, 4);
    assert_eq!(value, sum);
    assert_relative_eq!(x_b, sum_slope, max_relative = 1e-14);
}

#[test]
fn what_is_found_out_about_floats_carries_no_derivative() {
    for x in [-0.5_f64, 0.3, 2.5] {
        let (first, slope) = weight_with_slope(x, kinds::place_of(x));
        let (second, slope_of_square) = weight_with_slope(x * x, kinds::place_of(x * x));
        let (value, x_b) = by_result::gradient(x);
        assert_eq!(value, first + second);
        assert_relative_eq!(x_b, slope + 2.0 * x * slope_of_square, max_relative = 1e-14);
        assert_relative_eq!(by_result::tangent(x, 1.0).1, x_b, max_relative = 1e-14);
    }
    for (x, y) in [(-0.5, 0.3), (2.5, 1.0), (0.4, 0.3), (0.4, 1.7)] {
        let place = match () {
            () if x < y => kinds::place_of(x),
            () if x > 2.0 * y => Place::Above(2),
            () => Place::Inside,
        };
        let (first, x_slope) = weight_with_slope(x, place);
        let (second, y_slope) = weight_with_slope(y, kinds::place_of(y));
        let (value, (x_b, y_b)) = by_declaration::gradient(x, y);
        assert_eq!(value, first * second);
        assert_relative_eq!(x_b, x_slope * second, max_relative = 1e-14);
        assert_relative_eq!(y_b, first * y_slope, max_relative = 1e-14);
    }
}

#[test]
fn lists_and_structs_of_what_is_found_out() {
    let x = [-0.5, 0.3, 2.5];
    let (value, x_b) = in_lists::gradient(&x);
    let pairs: Vec<_> = (0..3)
        .map(|i| {
            // The last place is not known yet where the first one is taken from the other end.
            let other = if i == 0 { Place::Inside } else { kinds::place_of(x[2 - i]) };
            (weight_with_slope(x[i], kinds::place_of(x[i])), weight_with_slope(x[i], other))
        })
        .collect();
    assert_eq!(value, pairs.iter().fold(0.0, |sum, ((a, _), (b, _))| sum + a * b));
    for (bar, ((a, a_slope), (b, b_slope))) in x_b.iter().zip(pairs) {
        assert_relative_eq!(*bar, a_slope * b + a * b_slope, max_relative = 1e-14);
    }
    let values = [2.0, 3.0, 5.0];
    let (value, (x_b, values_b)) = in_cells::gradient(0.5, &values);
    assert_eq!(value, 3.0 * 0.5 + 5.0 * 1.5);
    assert_eq!((x_b, &values_b[..]), (8.0, &[0.0, 0.5, 1.5][..]));
}

#[test]
fn methods_find_several_things_at_once() {
    let grid = Grid { start: 0.5, step: 0.25, count: 4 };
    let x = [0.9, 0.2];
    let (value, (grid_b, x_b)) = grid.sum_gradient(x).unwrap();
    let (first, first_slope) = weight_with_slope(x[0] - 0.75, Place::Inside);
    let (second, second_slope) = weight_with_slope(x[1] - 0.5, Place::Below);
    assert_eq!(value, first + second);
    assert_relative_eq!(x_b[0], first_slope, max_relative = 1e-14);
    assert_relative_eq!(x_b[1], second_slope, max_relative = 1e-14);
    assert_relative_eq!(grid_b.start, -first_slope - second_slope, max_relative = 1e-14);
    assert_relative_eq!(grid_b.step, -first_slope, max_relative = 1e-14);
    let (value, (grid_b, x_b)) = grid.located_gradient(2.0);
    assert_eq!((value, grid_b.step, x_b), (4.0, 0.0, 4.0));
}

#[test]
fn second_derivatives_and_modules() {
    let hessian = curved::hessian(0.5, 3.0);
    assert_eq!(hessian, [6.0, 1.0, 1.0, 0.0]);
    let x = 2.5_f64;
    let (value, slope) = of_a_module::shape_of::gradient(x);
    assert_relative_eq!(value, x * x * x + x + (x * x + x), max_relative = 1e-14);
    assert_relative_eq!(slope, 3.0 * x * x + 2.0 * x + 2.0, max_relative = 1e-14);
    assert_relative_eq!(of_a_module::shape_of::gradient(-x).1, 2.0 - 2.0 * x, max_relative = 1e-14);
}

mod shapes {
    #[derive(Clone, Copy)]
    pub enum Shape {
        Flat,
        Curved { power: i32 },
    }

    pub fn shape(x: f64) -> Shape {
        if x > 0.0 { Shape::Curved { power: 3 } } else { Shape::Flat }
    }
}

#[adjoint]
mod of_a_module {
    use super::shapes::{Shape, shape};

    fn on(x: f64, shape: Shape) -> f64 {
        match shape {
            Shape::Flat => x,
            Shape::Curved { power } => x.powi(power) + x,
        }
    }

    pub fn shape_of(x: f64) -> f64 {
        let mut found: Shape = shape(x);
        let first = on(x, found);
        found = Shape::Curved { power: 2 };
        first + on(x, found)
    }
}

/// All that it lends is marked: there is no bar in it.
#[derive(Clone, Copy, Differentiable)]
struct Steps<'a, T> {
    #[passive]
    starts: &'a [T],
    #[passive]
    slopes: &'a [T],
}

impl<T: num_traits::Float> Steps<'_, T> {
    fn find(&self, x: T, first: usize) -> Result<usize, &'static str> {
        let before = self.starts.iter().skip(first).filter(|start| **start <= x).count();
        before.checked_sub(1).map(|index| first + index).ok_or("before all steps")
    }

    fn steepest(&self, x: T) -> usize {
        if x > self.starts[1] { 1 } else { 0 }
    }
}

#[adjoint]
impl<T: num_traits::Float> Steps<'_, T> {
    fn heights(&self, x: [T; 2]) -> Result<T, &'static str> {
        let mut sum = T::zero();
        for i in 0..2 {
            let at = self.find(x[i], i)?;
            sum = sum + (x[i] - self.starts[at]) * self.slopes[at] * x[0];
        }
        let steepest = self.steepest(x[1]);
        Ok(sum * self.slopes[steepest])
    }
}

#[test]
fn places_in_a_struct_whose_fields_are_all_marked() {
    let steps = Steps { starts: &[0.0, 1.0, 2.0], slopes: &[0.5, -2.0, 3.0] };
    let mut x_b = [0.0; 2];
    let value = steps.heights_adjoint(&mut Steps { ..steps }, [0.4, 2.5], &mut x_b, 1.0);
    // (0.5 · x₀ + 3 (x₁ - 2)) x₀, times -2.
    assert_relative_eq!(value.unwrap(), -2.0 * (0.5 * 0.4 + 3.0 * 0.5) * 0.4);
    assert_relative_eq!(x_b[0], -2.0 * (0.5 * 0.4 * 2.0 + 3.0 * 0.5), max_relative = 1e-14);
    assert_relative_eq!(x_b[1], -2.0 * 3.0 * 0.4, max_relative = 1e-14);
    let failed = steps.heights_adjoint(&mut Steps { ..steps }, [-0.4, 2.5], &mut x_b, 1.0);
    assert_eq!(failed, Err("before all steps"));
}
