//! Dense Jacobians: which column or row is next, and what has been found.

use crate::{Differentiable, HasTangents, Vector};

/// How many columns or rows are found in one run, where that is possible.
pub(crate) const LANES: usize = 4;

/// The derivatives of a number in such a run.
pub type Lanes = [f64; LANES];

/// A Jacobian in the making. Columns come first: tangents along unit vectors. The first of them tells how many independents
/// and how many dependents there are; if there are fewer of these, rows take over: adjoints with unit seeds.
///
/// ```
/// use ad_runtime::Jacobian;
///
/// // The rows of (x, y) ↦ (x y, x + y).
/// let (point, mut jacobian) = ([2.0, 5.0], Jacobian::new());
/// while jacobian.next_row() {
///     let seed = jacobian.seed(&[10.0, 7.0]);
///     jacobian.found(&[seed[0] * point[1] + seed[1], seed[0] * point[0] + seed[1]]);
/// }
/// assert_eq!(jacobian.finish(), [5.0, 2.0, 1.0, 1.0]);
/// ```
#[derive(Debug, Default)]
pub struct Jacobian {
    /// What has been found, one column or row after the other, without those of the present run.
    found: Vec<f64>,
    /// The columns or rows of the present run.
    present: [Vec<f64>; LANES],
    /// How many these are.
    width: usize,
    /// The floats of what unit vectors are written to.
    unit: Vec<f64>,
    /// How many columns or rows have been begun.
    begun: usize,
    /// How many floats of the unit vectors of the present run have been passed.
    passed: usize,
    /// The length of each column or row, once one is there.
    len: usize,
    /// Whether a tangent has been found that cannot be written as a column.
    has_no_columns: bool,
    /// The number of independents and that of dependents, once all columns are there.
    by_columns: Option<(usize, usize)>,
}

impl Jacobian {
    /// Nothing is known yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there is a column to be found. There is at least one, if only to count.
    ///
    /// # Panics
    /// If the columns are not of one length.
    pub fn next_column(&mut self) -> bool {
        self.goes_on_with_columns(1)
    }

    /// The same for several columns.
    ///
    /// # Panics
    /// As that does.
    pub fn next_columns(&mut self) -> bool {
        self.goes_on_with_columns(LANES)
    }

    fn goes_on_with_columns(&mut self, width: usize) -> bool {
        if self.begun > 0 {
            self.end();
            let (independents, dependents) = (self.passed, self.len);
            if self.has_no_columns || independents > dependents && dependents > 0 {
                *self = Self::new();
                return false;
            }
            if self.begun >= independents || dependents == 0 {
                self.by_columns = Some((independents, dependents));
                return false;
            }
        }
        self.begin(width);
        true
    }

    /// Whether there is a row to be found: not after all columns. There is at least one, if only to count.
    ///
    /// # Panics
    /// If the rows are not of one length.
    pub fn next_row(&mut self) -> bool {
        self.goes_on_with_rows(1)
    }

    /// The same for several rows.
    ///
    /// # Panics
    /// As that does.
    pub fn next_rows(&mut self) -> bool {
        self.goes_on_with_rows(LANES)
    }

    fn goes_on_with_rows(&mut self, width: usize) -> bool {
        if self.by_columns.is_some() {
            return false;
        }
        if self.begun > 0 {
            self.end();
            if self.begun >= self.passed {
                return false;
            }
        }
        self.begin(width);
        true
    }

    fn begin(&mut self, width: usize) {
        self.begun += width;
        self.width = width;
        self.passed = 0;
    }

    /// The first column or row of the present run.
    fn first(&self) -> usize {
        self.begun - self.width
    }

    /// Notes what the present run has found, but for what lies behind the last column or row.
    fn end(&mut self) {
        let first = self.first();
        if first == 0 {
            self.len = self.present[0].len();
        }
        for (lane, found) in self.present[..self.width].iter_mut().enumerate() {
            assert!(
                found.len() == self.len,
                "the function has another number of results when it is run again"
            );
            if first + lane < self.passed {
                self.found.append(found);
            }
            found.clear();
        }
    }

    /// The part of the unit vector that belongs to a zero vector.
    #[must_use]
    pub fn direction<B: Vector>(&mut self, mut zero: B) -> B {
        self.unit.clear();
        zero.write_flat(&mut self.unit);
        let len = self.unit.len();
        let at = self.first().wrapping_sub(self.passed);
        self.passed += len;
        if at < len {
            self.unit.fill(0.0);
            self.unit[at] = 1.0;
            zero.read_flat(&self.unit);
        }
        zero
    }

    /// The part of the unit seed that belongs to a dependent.
    #[must_use]
    pub fn seed<T: Differentiable + ?Sized>(&mut self, value: &T) -> T::Bar {
        self.direction(value.zero_bar())
    }

    /// Notes a part of a column or of a row.
    pub fn found<B: Vector + ?Sized>(&mut self, part: &B) {
        part.write_flat(&mut self.present[0]);
    }

    /// The parts of the unit vectors of a run for several columns or rows that belong to a value.
    #[must_use]
    pub fn units<T: HasTangents<Lanes> + ?Sized>(&mut self, value: &T) -> T::Tangent {
        value.tangent_of(&mut || {
            let first = self.first();
            let unit = std::array::from_fn(|lane| f64::from(u8::from(first + lane == self.passed)));
            self.passed += 1;
            unit
        })
    }

    /// Notes parts of several columns or rows: the derivatives of a value, or its bars.
    pub fn found_in_all<T: HasTangents<Lanes> + ?Sized>(&mut self, _: &T, parts: &T::Tangent) {
        T::visit_tangent(parts, &mut |parts| {
            for (found, part) in self.present.iter_mut().zip(parts) {
                found.push(part);
            }
        });
    }

    /// All of it, row by row.
    #[must_use]
    pub fn finish(self) -> Vec<f64> {
        match self.by_columns {
            Some((independents, dependents)) => {
                let mut rows = Vec::with_capacity(independents * dependents);
                for row in 0..dependents {
                    let at = |column| self.found[column * dependents + row];
                    rows.extend((0..independents).map(at));
                }
                rows
            }
            None => self.found,
        }
    }
}

/// A value that may be of the type of its bars.
#[derive(Debug)]
pub struct Value<'a, T: ?Sized>(pub &'a T);

/// Found first: its directions and its tangents are bars.
pub trait Directed<T> {
    /// That this is so.
    fn has_directions(&self) -> bool;

    /// The direction of one that has no part in the unit vector.
    fn zero(&self) -> T;

    /// Its part of the unit vector.
    fn direction(&self, jacobian: &mut Jacobian) -> T;

    /// Notes it as a part of a column.
    fn found(&self, jacobian: &mut Jacobian);
}

impl<T: Differentiable<Bar = T> + Vector> Directed<T> for &Value<'_, T> {
    #[inline]
    fn has_directions(&self) -> bool {
        true
    }
    fn zero(&self) -> T {
        self.0.zero_bar()
    }
    fn direction(&self, jacobian: &mut Jacobian) -> T {
        jacobian.direction(self.0.zero_bar())
    }
    fn found(&self, jacobian: &mut Jacobian) {
        jacobian.found(self.0);
    }
}

/// Found last: bars that are written by hand may be of another type. Then there are rows only.
pub trait Undirected<T> {
    /// That there are none.
    fn has_directions(&self) -> bool;

    /// There is none.
    fn zero(&self) -> T;

    /// There is none.
    fn direction(&self, jacobian: &mut Jacobian) -> T;

    /// Notes that there are no columns.
    fn found(&self, jacobian: &mut Jacobian);
}

impl<T> Undirected<T> for Value<'_, T> {
    #[inline]
    fn has_directions(&self) -> bool {
        false
    }
    fn zero(&self) -> T {
        unreachable!("it has been asked whether there are directions")
    }
    fn direction(&self, _: &mut Jacobian) -> T {
        self.zero()
    }
    fn found(&self, jacobian: &mut Jacobian) {
        jacobian.has_no_columns = true;
    }
}

/// What a `&mut` parameter holds, for runs that leave it as it is.
#[derive(Debug)]
pub struct Original<'a, T: ?Sized>(pub &'a T);

/// Found first.
pub trait Cloned<T: ?Sized> {
    /// A copy.
    fn copied(&self) -> Box<T>;
}

impl<T: ToOwned + ?Sized> Cloned<T> for &Original<'_, T>
where
    Box<T>: From<T::Owned>,
{
    fn copied(&self) -> Box<T> {
        self.0.to_owned().into()
    }
}

/// Found last: an error where the Jacobian is used.
pub trait Uncloned<T: ?Sized> {
    /// There is none.
    fn copied(&self) -> Box<T>;
}

impl<T: ?Sized> Uncloned<T> for Original<'_, T> {
    fn copied(&self) -> Box<T> {
        const { panic!("there is no Jacobian: the type of a `&mut` parameter is not `Clone`") }
    }
}

#[cfg(test)]
#[allow(clippy::needless_borrow, reason = "generated code looks at all types in this way")]
mod tests {
    use super::*;

    /// (x, y) ↦ (x y, x + y, 3 x), along a direction.
    fn along([x, y]: [f64; 2], [x_d, y_d]: [f64; 2]) -> ([f64; 2], f64) {
        ([x_d * y + x * y_d, x_d + y_d], 3.0 * x_d)
    }

    #[test]
    fn columns_are_transposed() {
        let mut jacobian = Jacobian::new();
        let mut columns = 0;
        while jacobian.next_column() {
            columns += 1;
            let (x_d, y_d) = (jacobian.direction(0.0), jacobian.direction(vec![0.0]));
            let (pair, last) = along([2.0, 5.0], [x_d, y_d[0]]);
            jacobian.found(&pair);
            jacobian.found(&last);
        }
        assert!(!jacobian.next_row());
        assert_eq!(columns, 2);
        assert_eq!(jacobian.finish(), [5.0, 2.0, 1.0, 1.0, 3.0, 0.0]);
    }

    #[test]
    fn rows_take_over_where_there_are_fewer() {
        let mut jacobian = Jacobian::new();
        let mut columns = 0;
        while jacobian.next_column() {
            columns += 1;
            let x_d = jacobian.direction([0.0; 3]);
            jacobian.found(&[x_d[0] + x_d[1], x_d[2]]);
        }
        let mut rows = 0;
        while jacobian.next_row() {
            rows += 1;
            let seed = jacobian.seed(&(4.0, 5.0));
            jacobian.found(&[seed.0, seed.0, seed.1]);
        }
        assert_eq!((columns, rows), (1, 2));
        assert_eq!(jacobian.finish(), [1.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    }

    /// Runs the rows and the columns of a function that has so many independents and dependents, all partials of which are 1.
    fn of_ones(independents: usize, dependents: usize, has_columns: bool) -> Vec<f64> {
        let mut jacobian = Jacobian::new();
        while has_columns && jacobian.next_column() {
            let direction = jacobian.direction(vec![0.0; independents]);
            jacobian.found(&vec![direction.iter().sum::<f64>(); dependents]);
        }
        while jacobian.next_row() {
            let seed = jacobian.seed(&vec![0.5; dependents]);
            jacobian.found(&vec![seed.iter().sum::<f64>(); independents]);
        }
        jacobian.finish()
    }

    /// The same by several at once, of (x, y, …) ↦ (k x + y + …, …).
    fn of_counts(independents: usize, dependents: usize) -> Vec<f64> {
        let mut jacobian = Jacobian::new();
        let point = (vec![1.5_f64; independents], vec![0.5_f32; dependents]);
        let partial = |row: usize, column: usize| (10 * row + column) as f64;
        while jacobian.next_columns() {
            let directions = jacobian.units(&point.0);
            let slopes = (0..dependents).map(|row| {
                std::array::from_fn(|lane| {
                    let terms = directions.iter().enumerate();
                    terms.map(|(column, direction)| direction[lane] * partial(row, column)).sum()
                })
            });
            jacobian.found_in_all(&point.1, &slopes.collect());
        }
        while jacobian.next_rows() {
            let seeds = jacobian.units(&point.1);
            let bars = (0..independents).map(|column| {
                std::array::from_fn(|lane| {
                    let terms = seeds.iter().enumerate();
                    terms.map(|(row, seed)| seed[lane] * partial(row, column)).sum()
                })
            });
            jacobian.found_in_all(&point.0, &bars.collect());
        }
        jacobian.finish()
    }

    #[test]
    fn several_at_once() {
        for independents in 0..10 {
            for dependents in 0..10 {
                let rows = 0..dependents;
                let partials =
                    rows.flat_map(|row| (0..independents).map(move |k| (10 * row + k) as f64));
                assert_eq!(of_counts(independents, dependents), partials.collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn there_may_be_nothing() {
        for independents in 0..4 {
            for dependents in 0..4 {
                let expected = vec![1.0; independents * dependents];
                assert_eq!(of_ones(independents, dependents, true), expected);
                assert_eq!(of_ones(independents, dependents, false), expected);
            }
        }
    }

    #[test]
    #[should_panic(expected = "another number of results")]
    fn all_columns_are_of_one_length() {
        let mut jacobian = Jacobian::new();
        for found in 0.. {
            assert!(jacobian.next_column());
            let _ = jacobian.direction([0.0; 2]);
            jacobian.found(&vec![0.0; 2 + found]);
        }
    }

    struct Single(f64);

    /// Bars by hand, of another type.
    struct Celsius;

    impl Differentiable for Celsius {
        type Bar = [f64; 1];
        fn zero_bar(&self) -> [f64; 1] {
            [0.0]
        }
    }

    #[test]
    fn only_bars_are_directions() {
        assert!((&&Value(&vec![1.0])).has_directions());
        assert!(!(&&Value(&Celsius)).has_directions());
        let mut jacobian = Jacobian::new();
        assert!(jacobian.next_column());
        assert_eq!((&&Value(&[2.0, 3.0])).zero(), [0.0, 0.0]);
        assert_eq!((&&Value(&[2.0, 3.0])).direction(&mut jacobian), [1.0, 0.0]);
        (&&Value(&[2.0, 3.0])).found(&mut jacobian);
        assert!(jacobian.next_column());
        assert_eq!((&&Value(&[2.0, 3.0])).direction(&mut jacobian), [0.0, 1.0]);
        (&&Value(&Celsius)).found(&mut jacobian);
    }

    #[test]
    fn a_tangent_that_is_no_bar_is_no_column() {
        let mut jacobian = Jacobian::new();
        assert!(jacobian.next_column());
        let _ = jacobian.direction([0.0]);
        (&&Value(&Celsius)).found(&mut jacobian);
        assert!(!jacobian.next_column());
        assert!(jacobian.next_row());
        assert_eq!(jacobian.seed(&Celsius), [1.0]);
        jacobian.found(&[2.0]);
        assert!(!jacobian.next_row());
        assert_eq!(jacobian.finish(), [2.0]);
    }

    #[test]
    fn copies_of_lists_and_of_values() {
        let mut list = (&&Original(&[1.0, 2.0][..])).copied();
        list[0] = 3.0;
        assert_eq!(*list, [3.0, 2.0]);
        assert_eq!(*(&&Original(&vec![1_usize])).copied(), [1]);
        // That it cannot be copied is said only where it is.
        let _ = |single: &Single| (&&Original(single)).copied().0;
    }
}
