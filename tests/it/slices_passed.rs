//! Slices behind fields and in lists of references are passed to functions as they are: `f(self.table)`, `f(rows[i])`. A field that is
//! `#[passive]` has no bar and no direction, also where it is passed as a whole.

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};

mod sums {
    use backsweep::adjoint;

    #[adjoint]
    pub fn weighted(values: &[f64], x: f64) -> f64 {
        let mut sum = 0.0;
        for (k, v) in values.iter().enumerate() {
            sum += v * x.powi(k as i32 + 1);
        }
        sum
    }

    /// The elements are read by no sweep.
    #[adjoint]
    pub fn measured(values: &[f64], x: f64) -> f64 {
        x * x * values.len() as f64
    }

    #[adjoint]
    pub fn element<T: Copy, const N: usize>(at: [usize; N], data: &[T]) -> T {
        let mut i = 0;
        for k in 0..N {
            i += at[k];
        }
        data[i]
    }
}
use sums::{element, measured, weighted};

#[adjoint]
fn rows(rows: &[&[f64]], x: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..rows.len() {
        sum += weighted(rows[i], x * (i + 1) as f64);
    }
    sum
}

#[adjoint(independents(x))]
fn passive_rows(rows: &[&[f64]; 2], x: f64) -> f64 {
    let mut s = x;
    for i in 0..2 {
        s = weighted(rows[i], s);
    }
    s
}

#[derive(Clone, Debug, Differentiable)]
struct Table<'a> {
    #[passive]
    table: &'a [f64],
    #[passive]
    rows: &'a [&'a [f64]; 2],
    #[passive]
    owned: Vec<f64>,
    scale: f64,
}

#[adjoint]
impl<'a> Table<'a> {
    fn at(&self, x: f64) -> f64 {
        weighted(self.table, x) * self.scale + weighted(self.rows[1], x * self.scale)
    }

    fn of_its_own(&self, x: f64) -> f64 {
        weighted(&self.owned, x) * self.scale
    }

    fn in_a_loop(&self, n: usize, x: f64) -> f64 {
        let mut s = x;
        for k in 0..n {
            s = weighted(self.table, s * self.scale) + weighted(self.rows[k % 2], s);
            s = measured(self.rows[1], s).sin() + measured(self.table, self.scale).cos();
        }
        s
    }

    fn chosen(&self, x: f64) -> f64 {
        element([1, 0], self.table) * x * self.scale + element([0], self.rows[0])
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Generic<'a, T: num_traits::Float, const N: usize> {
    #[passive]
    values: &'a [T],
    #[passive]
    rows: &'a [&'a [T]; N],
    shift: T,
}

#[adjoint]
impl<'a, T: num_traits::Float, const N: usize> Generic<'a, T, N> {
    fn at(&self, x: T) -> T {
        let mut s = self.shift;
        for k in 0..N {
            s = s * x + element([k], self.values) * element([1], self.rows[k]);
        }
        s
    }
}

#[adjoint(passive(n))]
fn with_a_table(values: &[f64], n: usize, x: f64, scale: f64) -> f64 {
    let mut s = scale;
    for _ in 0..n {
        s = weighted(values, s * x);
    }
    s
}

/// By differences.
fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-5;
    (f(x + h) - f(x - h)) / (2.0 * h)
}

#[test]
fn lists_of_references_have_bars() {
    let (first, second) = ([0.3, 0.5], [0.2, -0.4, 0.7]);
    let lists: [&[f64]; 2] = [&first, &second];
    let x = 0.8;
    let (value, (bars, slope_x)) = rows::gradient(&lists, x);
    assert_eq!(value, rows(&lists, x));
    assert_relative_eq!(slope_x, slope(|x| rows(&lists, x), x), max_relative = 1e-8);
    assert_relative_eq!(bars[0][1], x * x, max_relative = 1e-12);
    assert_relative_eq!(bars[1][2], (2.0 * x).powi(3), max_relative = 1e-12);
    let directions: [&[f64]; 2] = [&[1.0, 2.0], &[0.5, -1.0, 3.0]];
    let (_, tangent) = rows::tangent(&lists, &directions, x, 0.25);
    let inner: f64 = bars.iter().flatten().zip(directions.iter().copied().flatten()).map(|(b, d)| b * d).sum();
    assert_relative_eq!(tangent, inner + 0.25 * slope_x, max_relative = 1e-12);
    let (_, gradient) = passive_rows::gradient(&lists, x);
    assert_relative_eq!(gradient, slope(|x| passive_rows(&lists, x), x), max_relative = 1e-8);
}

#[test]
fn slices_behind_passive_fields_are_constants() {
    let (table, rows) = ([0.5, -0.3, 0.2], [[0.1, 0.9], [0.4, -0.6]]);
    let rows: [&[f64]; 2] = [&rows[0], &rows[1]];
    let table = Table { table: &table, rows: &rows, owned: vec![0.7, 0.1], scale: 1.3 };
    let x = 0.6;
    let at = |scale: f64| Table { scale, ..table.clone() };
    type Function = fn(&Table<'_>, f64) -> f64;
    let along = at(0.5);
    let functions = [
        (
            (|table, x| table.at(x)) as Function,
            table.at_gradient(x),
            table.at_tangent(&along, x, 2.0),
        ),
        (
            |table, x| table.of_its_own(x),
            table.of_its_own_gradient(x),
            table.of_its_own_tangent(&along, x, 2.0),
        ),
        (
            |table, x| table.in_a_loop(3, x),
            table.in_a_loop_gradient(3, x),
            table.in_a_loop_tangent(&along, 3, x, 2.0),
        ),
        (
            |table, x| table.chosen(x),
            table.chosen_gradient(x),
            table.chosen_tangent(&along, x, 2.0),
        ),
    ];
    for (f, (value, (table_b, x_b)), (_, tangent)) in functions {
        assert_eq!(value, f(&table, x));
        assert_relative_eq!(x_b, slope(|x| f(&table, x), x), max_relative = 1e-6);
        let of_scale = slope(|scale| f(&at(scale), x), table.scale);
        assert_relative_eq!(table_b.scale, of_scale, max_relative = 1e-6);
        assert_relative_eq!(tangent, 0.5 * table_b.scale + 2.0 * x_b, max_relative = 1e-12);
    }
}

#[test]
fn generic_structs_pass_their_slices() {
    let (values, rows) = ([0.5, -0.3], [[0.1, 0.9], [0.4, -0.6]]);
    let rows: [&[f64]; 2] = [&rows[0], &rows[1]];
    let at = |shift: f64| Generic { values: &values, rows: &rows, shift };
    let x = 0.7;
    let (value, (bar, x_b)) = at(1.1).at_gradient(x);
    assert_eq!(value, at(1.1).at(x));
    assert_relative_eq!(x_b, slope(|x| at(1.1).at(x), x), max_relative = 1e-8);
    assert_relative_eq!(bar.shift, x * x, max_relative = 1e-12);
    let (_, tangent) = at(1.1).at_tangent(&at(0.5), x, 2.0);
    assert_relative_eq!(tangent, 0.5 * x * x + 2.0 * x_b, max_relative = 1e-12);
    let (_, gradient) = with_a_table::gradient(&values, 3, x, 1.2);
    assert_relative_eq!(gradient.1, slope(|x| with_a_table(&values, 3, x, 1.2), x), max_relative = 1e-8);
}
