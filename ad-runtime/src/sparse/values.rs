//! The values of a sparse Jacobian, from tangents.

use super::Compression;

/// The values of a Jacobian while they are found, by sweeps in `N` directions each.
///
/// One direction more than there are colours is a sum of all columns with weights: what comes of it tells whether the pattern has all
/// entries that are not zero.
#[derive(Debug)]
pub struct CompressedValues<'c, const N: usize> {
    compression: &'c Compression,
    values: Vec<f64>,
    /// The sum of all columns with weights.
    sum: Vec<f64>,
    /// The sweep that comes next.
    sweep: usize,
}

/// What a sum of rounded values may be off, relative to the sum of the magnitudes in its row.
const IN_ROW: f64 = 1e-6;
/// The same, relative to the greatest such sum of all rows: where values cancel, what is left is small, its error is not.
const IN_MATRIX: f64 = 1e-12;

impl<'c, const N: usize> CompressedValues<'c, N> {
    /// None yet.
    pub fn new(compression: &'c Compression) -> Self {
        let sum = vec![0.0; compression.pattern().rows()];
        Self { compression, values: compression.zeros(), sum, sweep: 0 }
    }

    /// The directions of the columns in the next sweep, one after another, if there is another sweep.
    pub fn next_sweep(&self) -> Option<impl FnMut() -> [f64; N] + use<'c, N>> {
        let count = self.compression.colours();
        let first = self.sweep * N;
        if first > count {
            return None;
        }
        let (mut colours, mut column) = (self.compression.colouring().colours().iter(), 0);
        Some(move || {
            let &colour = colours.next().expect("the Jacobian has more columns than the pattern");
            let weight = weight(column);
            column += 1;
            std::array::from_fn(|k| match first + k {
                own if own == colour => 1.0,
                own if own == count => weight,
                _ => 0.0,
            })
        })
    }

    /// Takes the result of a sweep.
    ///
    /// # Panics
    /// If it does not have the rows of the pattern.
    pub fn take(&mut self, product: &[[f64; N]]) {
        let (sweep, count) = (self.sweep, self.compression.colours());
        self.sweep += 1;
        if sweep * N < count {
            self.compression.recover(sweep, product, &mut self.values);
        }
        if let Some(k) = count.checked_sub(sweep * N).filter(|&k| k < N) {
            let rows = self.sum.len();
            assert!(
                product.len() == rows,
                "the Jacobian has {} rows in place of {rows}",
                product.len()
            );
            self.sum.iter_mut().zip(product).for_each(|(sum, row)| *sum = row[k]);
        }
    }

    /// The values, in the order of [`Pattern::triplets`](super::Pattern::triplets).
    ///
    /// # Panics
    /// If they are not all that there is: the pattern is that of other arguments, or not one for tangents.
    #[track_caller]
    pub fn finish(self) -> Vec<f64> {
        let (pattern, mut next) = (self.compression.pattern(), 0);
        let mut sums = Vec::with_capacity(self.sum.len());
        for row in 0..pattern.rows() {
            let (mut sum, mut scale) = (0.0, 0.0);
            for &column in pattern.row(row) {
                let term = self.values[next] * weight(column);
                next += 1;
                sum += term;
                scale += f64::abs(term);
            }
            sums.push((sum, scale));
        }
        let greatest = sums.iter().map(|sum| sum.1).filter(|scale| scale.is_finite());
        let allowed = IN_MATRIX * greatest.fold(0.0, f64::max);
        for (row, ((sum, scale), &found)) in sums.into_iter().zip(&self.sum).enumerate() {
            let off = (sum - found).abs();
            assert!(
                !off.is_finite() || off <= IN_ROW * scale + allowed,
                "row {row} of the Jacobian has entries that the pattern does not have: it is the pattern of other \
                 arguments, or its compression is not one by columns"
            );
        }
        self.values
    }
}

/// The weight of a column: between 0.5 and 1.5, without a pattern.
fn weight(column: usize) -> f64 {
    let scattered = (column as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 12;
    0.5 + scattered as f64 / (1_u64 << 52) as f64
}
