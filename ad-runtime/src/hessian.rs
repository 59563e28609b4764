//! Dense Hessians: which rows are next, and what has been found.

use crate::jacobian::{LANES, Lanes};

/// A Hessian in the making, by products with unit vectors: several to a run. By symmetry these are rows.
///
/// ```
/// use ad_runtime::Hessian;
///
/// // That of x² + 3 x y.
/// let mut hessian = Hessian::rows();
/// while hessian.goes_on() {
///     let (mut next, mut found) = hessian.sweep();
///     let (x, y) = (next(), next());
///     found(std::array::from_fn(|k| 2.0 * x[k] + 3.0 * y[k]));
///     found(x.map(|part| 3.0 * part));
/// }
/// assert_eq!(hessian.finish(), [2.0, 3.0, 3.0, 0.0]);
/// ```
#[derive(Debug)]
pub struct Hessian {
    part: Part,
    /// What has been found in earlier runs.
    found: Vec<f64>,
    /// The rows of the present run.
    present: [Vec<f64>; LANES],
    /// How many rows have been begun.
    begun: usize,
    /// How many numbers a direction has, once the first has been passed.
    count: usize,
}

/// What is wanted of a Hessian.
#[derive(Clone, Copy, Debug)]
enum Part {
    Rows,
    Diagonal,
}

impl Hessian {
    /// All rows.
    #[must_use]
    pub fn rows() -> Self {
        Self::of(Part::Rows)
    }

    /// The diagonal.
    #[must_use]
    pub fn diagonal() -> Self {
        Self::of(Part::Diagonal)
    }

    fn of(part: Part) -> Self {
        Self { part, found: Vec::new(), present: Default::default(), begun: 0, count: 0 }
    }

    /// Whether there is a run to come. There is at least one, if only to count.
    pub fn goes_on(&mut self) -> bool {
        self.end();
        self.begun == 0 || self.begun < self.count
    }

    /// Begins a run: what returns the directions of the numbers, one after another, and what takes the products.
    pub fn sweep(&mut self) -> (impl FnMut() -> Lanes, impl FnMut(Lanes)) {
        let (first, count) = (self.begun, &mut self.count);
        self.begun += LANES;
        *count = 0;
        let next = move || {
            let number = *count;
            *count += 1;
            std::array::from_fn(|k| if first + k == number { 1.0 } else { 0.0 })
        };
        let present = &mut self.present;
        let found = |parts: Lanes| {
            for (row, part) in present.iter_mut().zip(parts) {
                row.push(part);
            }
        };
        (next, found)
    }

    /// Takes over what the present run has found, if there is one.
    fn end(&mut self) {
        if self.present[0].is_empty() {
            return;
        }
        let first = self.begun.saturating_sub(LANES);
        for (row, number) in self.present.iter_mut().zip(first..self.count) {
            match self.part {
                Part::Rows => self.found.extend_from_slice(row),
                Part::Diagonal => self.found.push(row[number]),
            }
        }
        self.present.iter_mut().for_each(Vec::clear);
    }

    /// What has been found.
    ///
    /// # Panics
    /// If there is a run to come.
    #[must_use]
    pub fn finish(mut self) -> Vec<f64> {
        assert!(!self.goes_on(), "there are rows to be found");
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// That of Σ (i + 1) xᵢ² / 2 + Σ xᵢ xᵢ₊₁.
    fn of_chain(count: usize, mut hessian: Hessian) -> (Vec<f64>, usize) {
        let mut runs = 0;
        while hessian.goes_on() {
            runs += 1;
            let (mut next, mut found) = hessian.sweep();
            let v: Vec<Lanes> = (0..count).map(|_| next()).collect();
            for i in 0..count {
                found(std::array::from_fn(|k| {
                    let before = if i > 0 { v[i - 1][k] } else { 0.0 };
                    let after = v.get(i + 1).map_or(0.0, |v| v[k]);
                    (i + 1) as f64 * v[i][k] + before + after
                }));
            }
        }
        (hessian.finish(), runs)
    }

    #[test]
    fn four_rows_take_one_run() {
        for count in 0..10_usize {
            let (rows, runs) = of_chain(count, Hessian::rows());
            assert_eq!(runs, count.div_ceil(4).max(1));
            let entry = |i: usize, j: usize| match i.abs_diff(j) {
                0 => (i + 1) as f64,
                1 => 1.0,
                _ => 0.0,
            };
            let expected = (0..count).flat_map(|i| (0..count).map(move |j| entry(i, j)));
            assert_eq!(rows, expected.collect::<Vec<f64>>());
            let (diagonal, _) = of_chain(count, Hessian::diagonal());
            assert_eq!(diagonal, (1..=count).map(|i| i as f64).collect::<Vec<f64>>());
        }
    }
}
