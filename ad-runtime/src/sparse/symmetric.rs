//! The values of a sparse Hessian, from its products with directions.

use super::Compression;
use super::values::{Rows, weight};

/// The values of a Hessian while they are found, by runs for several directions each.
///
/// One direction more than there are colours is a sum of all columns with weights: what comes of it tells whether the pattern has all
/// entries that are not zero.
#[derive(Debug)]
pub struct SymmetricValues<'c> {
    compression: &'c Compression,
    values: Vec<f64>,
    /// The weights of the columns in the sum of all.
    weights: Vec<f64>,
    /// That sum.
    sum: Vec<f64>,
    /// How many directions the runs have had.
    directions: usize,
    /// How many the present one has, and its products, one after another.
    width: usize,
    products: Vec<f64>,
}

impl<'c> SymmetricValues<'c> {
    /// None yet.
    ///
    /// # Panics
    /// If the compression is not a symmetric one.
    pub fn new(compression: &'c Compression) -> Self {
        assert!(
            compression.is_symmetric(),
            "the compression is not one of a Hessian: `Compression::symmetric` makes these"
        );
        let weights = (0..compression.pattern().cols()).map(weight).collect();
        Self {
            compression,
            values: compression.zeros(),
            weights,
            sum: Vec::new(),
            directions: 0,
            width: 0,
            products: Vec::new(),
        }
    }

    /// How many directions there are that no run has had.
    pub fn remaining(&self) -> usize {
        (self.compression.colours() + 1).saturating_sub(self.directions)
    }

    /// A run for `N` directions: what returns those of the numbers, one after another, and what takes the products.
    ///
    /// # Panics
    /// If the run before has not found all products. What is returned panics if there are more numbers than the pattern has.
    pub fn sweep<const N: usize>(&mut self) -> (impl FnMut() -> [f64; N], impl FnMut([f64; N])) {
        self.end();
        let (count, first) = (self.compression.colours(), self.directions);
        (self.width, self.directions) = (N, first + N);
        let mut columns = self.compression.colouring().colours().iter().zip(&self.weights);
        let direction = move || {
            let column = columns.next();
            let (&colour, &weight) = column.expect("there are more numbers than in the pattern");
            std::array::from_fn(|k| match first + k {
                own if own == colour => 1.0,
                own if own == count => weight,
                _ => 0.0,
            })
        };
        let products = &mut self.products;
        (direction, |parts: [f64; N]| products.extend(parts))
    }

    /// Takes the values from the products of a run.
    fn end(&mut self) {
        let (width, count) = (self.width, self.compression.colours());
        if width == 0 {
            return;
        }
        let (found, expected) = (self.products.len() / width, self.compression.pattern().rows());
        assert!(found == expected, "there are {found} numbers, the pattern has {expected}");
        let first = self.directions - width;
        for k in 0..width.min((count + 1).saturating_sub(first)) {
            let product = self.products.iter().skip(k).step_by(width);
            if first + k == count {
                self.sum = product.copied().collect();
            } else {
                let product: Vec<f64> = product.copied().collect();
                self.compression.take(first + k, &product, &mut self.values);
            }
        }
        self.products.clear();
    }

    /// The values, in the order of [`Pattern::triplets`](super::Pattern::triplets).
    ///
    /// # Panics
    /// If they are not all that there is: the pattern is that of other arguments.
    #[track_caller]
    pub fn finish(mut self) -> Vec<f64> {
        self.end();
        let rows = Rows { pattern: self.compression.pattern(), weights: &self.weights };
        if let Some(row) = rows.first_with_more(&self.values, &self.sum) {
            panic!(
                "row {row} of the Hessian has entries that the pattern does not have: it is the pattern of other \
                 arguments"
            );
        }
        self.values
    }
}
