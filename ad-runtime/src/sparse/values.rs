//! The values of a sparse Jacobian, from tangents.

use super::{Compression, Pattern};

/// The values of a Jacobian while they are found, by sweeps in several directions each.
///
/// One direction more than there are colours is a sum of all columns with weights: what comes of it tells whether the pattern has all
/// entries that are not zero.
#[derive(Debug)]
pub struct CompressedValues<'c> {
    compression: &'c Compression,
    values: Vec<f64>,
    /// The weights of the columns in the sum of all.
    weights: Vec<f64>,
    /// That sum.
    sum: Vec<f64>,
    /// How many directions the sweeps have had.
    directions: usize,
    /// How many rows the current sweep has found.
    rows: usize,
}

/// What a sum of rounded values may be off, relative to the sum of the magnitudes in its row.
const IN_ROW: f64 = 1e-6;
/// The same, relative to the greatest such sum of all rows: where values cancel, what is left is small, its error is not.
const IN_MATRIX: f64 = 1e-12;

impl<'c> CompressedValues<'c> {
    /// None yet.
    pub fn new(compression: &'c Compression) -> Self {
        let sum = vec![0.0; compression.pattern().rows()];
        let weights = (0..compression.pattern().cols()).map(weight).collect();
        Self { compression, values: compression.zeros(), weights, sum, directions: 0, rows: 0 }
    }

    /// How many directions there are that no sweep has had.
    pub fn remaining(&self) -> usize {
        (self.compression.colours() + 1).saturating_sub(self.directions)
    }

    /// A sweep in `N` directions: what returns those of the columns, one after another, and what takes the derivatives
    /// of the rows.
    ///
    /// # Panics
    /// If the sweep before has not found all rows. What is returned panics if there are more columns or rows than the pattern has.
    pub fn sweep<const N: usize>(&mut self) -> (impl FnMut() -> [f64; N], impl FnMut([f64; N])) {
        self.check_rows();
        let (count, first) = (self.compression.colours(), self.directions);
        self.directions += N;
        self.rows = 0;
        let (pattern, colours) =
            (self.compression.pattern(), self.compression.colouring().colours());
        let mut columns = colours.iter().zip(&self.weights);
        let direction = move || {
            let column = columns.next();
            let (&colour, &weight) = column.expect("there are more columns than in the pattern");
            std::array::from_fn(|k| match first + k {
                own if own == colour => 1.0,
                own if own == count => weight,
                _ => 0.0,
            })
        };
        let (rows, sum, mut values) = (&mut self.rows, &mut self.sum, self.values.iter_mut());
        let found = move |parts: [f64; N]| {
            let row = *rows;
            *rows += 1;
            for (&column, value) in pattern.row(row).iter().zip(&mut values) {
                if let Some(part) = parts.get(colours[column].wrapping_sub(first)) {
                    *value = *part;
                }
            }
            if let Some(part) = parts.get(count.wrapping_sub(first)) {
                sum[row] = *part;
            }
        };
        (direction, found)
    }

    fn check_rows(&self) {
        let (found, expected) = (self.rows, self.sum.len());
        assert!(
            self.directions == 0 || found == expected,
            "the Jacobian has {found} rows, the pattern {expected}"
        );
    }

    /// The values, in the order of [`Pattern::triplets`](super::Pattern::triplets).
    ///
    /// # Panics
    /// If they are not all that there is: the pattern is that of other arguments, or not one for tangents.
    #[track_caller]
    pub fn finish(self) -> Vec<f64> {
        self.check_rows();
        let rows = Rows { pattern: self.compression.pattern(), weights: &self.weights };
        if let Some(row) = rows.first_with_more(&self.values, &self.sum) {
            panic!(
                "row {row} of the Jacobian has entries that the pattern does not have: it is the pattern of other \
                 arguments, or its compression is not one by columns"
            );
        }
        self.values
    }
}

/// The rows of a matrix, and the weights of its columns in a sum of all.
pub(super) struct Rows<'c> {
    pub(super) pattern: &'c Pattern,
    pub(super) weights: &'c [f64],
}

impl Rows<'_> {
    /// The first row whose sum with weights is not that of its values, which are those of the pattern.
    pub(super) fn first_with_more(&self, values: &[f64], sum: &[f64]) -> Option<usize> {
        let mut values = values.iter();
        let of_row = |row| {
            let (mut sum, mut scale) = (0.0, 0.0);
            for (&column, value) in self.pattern.row(row).iter().zip(&mut values) {
                let term = value * self.weights[column];
                sum += term;
                scale += f64::abs(term);
            }
            (sum, scale)
        };
        let sums: Vec<(f64, f64)> = (0..self.pattern.rows()).map(of_row).collect();
        let greatest = sums.iter().map(|sum| sum.1).filter(|scale| scale.is_finite());
        let allowed = IN_MATRIX * greatest.fold(0.0, f64::max);
        // Where a value is infinite or no number, so is the sum; an entry that is missing may be that, too.
        sums.into_iter().zip(sum).position(|((sum, scale), found)| {
            let is_same = (sum - found).abs() <= IN_ROW * scale + allowed;
            sum.is_finite() && !is_same
        })
    }
}

/// The weight of a column: between 0.5 and 1.5, without a pattern.
pub(super) fn weight(column: usize) -> f64 {
    let scattered = (column as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 12;
    0.5 + scattered as f64 / (1_u64 << 52) as f64
}
