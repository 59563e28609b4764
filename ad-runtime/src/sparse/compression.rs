//! Jacobians and Hessians, compressed into few directions.

use super::{Colouring, Order, Pattern};

/// How the values of a sparse matrix are had from products with few directions.
///
/// With `N` directions at once there are [`sweeps`](Self::sweeps) products to compute. Each has its
/// [`directions`](Self::directions), one row `[f64; N]` for each number that is changed or weighted, and from its result
/// [`recover`](Self::recover) takes values.
///
/// | | directions | result |
/// | --- | --- | --- |
/// | [`by_columns`](Self::by_columns) | of tangents, one row for each column | one row for each row |
/// | [`by_rows`](Self::by_rows) | weights of adjoints, one row for each row | one row for each column |
/// | [`symmetric`](Self::symmetric) | of Hessian-vector products | one row for each column |
///
/// Values are in the order of [`Pattern::triplets`]. They are taken from the products as they are, without
/// arithmetic: if an entry is missing in the pattern, what is recovered for others is wrong.
#[derive(Clone, Debug)]
pub struct Compression {
    pattern: Pattern,
    colouring: Colouring,
    /// The rows of the result of a product.
    results: usize,
    /// By colours: where each entry is.
    sources: Vec<Vec<Source>>,
    is_symmetric: bool,
}

/// Where the value of an entry is.
#[derive(Clone, Copy, Debug)]
struct Source {
    /// Which entry.
    entry: usize,
    /// In which row of a product.
    row: usize,
}

/// The orders that are tried.
const TRIED: [Order; 2] = [Order::Natural, Order::SmallestLast];

impl Compression {
    /// For tangents: columns together that have no row in common, in the better of the natural and the
    /// smallest-last order.
    pub fn by_columns(pattern: Pattern) -> Self {
        let colouring = best(longest(&pattern), |order| Colouring::of_columns(&pattern, order));
        Self::with_columns(pattern, colouring)
    }

    /// For adjoints: rows together that have no column in common.
    ///
    /// ```
    /// use backsweep::sparse::{Compression, Pattern};
    ///
    /// // `y = [x0 + x1 + x2, 3 x3]`: all columns of the first row need sweeps of their own, but the rows do not.
    /// let pattern = Pattern::from_rows(4, [vec![0, 1, 2], vec![3]]);
    /// assert_eq!(Compression::by_columns(pattern.clone()).colours(), 3);
    /// let compression = Compression::by_rows(pattern);
    /// assert_eq!(compression.directions::<1>(0), [[1.0], [1.0]]);
    /// let mut values = compression.zeros();
    /// compression.recover(0, &[[1.0], [1.0], [1.0], [3.0]], &mut values);
    /// assert_eq!(values, [1.0, 1.0, 1.0, 3.0]);
    /// ```
    pub fn by_rows(pattern: Pattern) -> Self {
        let least = longest(&pattern.transposed());
        let colouring = best(least, |order| Colouring::of_rows(&pattern, order));
        let colours = colouring.colours();
        let sources = sources(&pattern, colouring.count(), |row, col| (col, colours[row]));
        Self { results: pattern.cols(), pattern, colouring, sources, is_symmetric: false }
    }

    /// For Hessians, which are symmetric: often fewer colours than [`by_columns`](Self::by_columns). All
    /// of the diagonal may have values, whether it is in the pattern or not.
    ///
    /// ```
    /// use backsweep::sparse::{Compression, Pattern};
    ///
    /// // The Hessian of `x0 (x1 + x2 + x3)`.
    /// let rows = [vec![1, 2, 3], vec![0], vec![0], vec![0]];
    /// let compression = Compression::symmetric(Pattern::from_rows(4, rows));
    /// assert_eq!(compression.colours(), 2);
    /// let v = compression.directions::<2>(0);
    /// assert_eq!(v, [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]]);
    /// let products = [[0.0, 3.0], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]];
    /// let mut values = compression.zeros();
    /// compression.recover(0, &products, &mut values);
    /// assert_eq!(values, [1.0; 6]);
    /// ```
    ///
    /// # Panics
    /// If the pattern is not symmetric.
    pub fn symmetric(pattern: Pattern) -> Self {
        let star = best(2, |order| Colouring::star(&pattern, order));
        // One in which neighbours of neighbours differ is a star colouring, and sometimes a better one than is found as such.
        let square = pattern.with_diagonal();
        let colouring = star.or_better(Colouring::of_columns(&square, Order::Natural));
        let colours = colouring.colours();
        // Whether a vertex has only this neighbour with the colour of it.
        let is_alone = |vertex: usize, other: usize| {
            let mut row = pattern.row(vertex).iter();
            !row.any(|&third| third != other && colours[third] == colours[other])
        };
        let sources = sources(&pattern, colouring.count(), |row, col| {
            if is_alone(row, col) { (row, colours[col]) } else { (col, colours[row]) }
        });
        Self { results: pattern.cols(), pattern, colouring, sources, is_symmetric: true }
    }

    fn with_columns(pattern: Pattern, colouring: Colouring) -> Self {
        let colours = colouring.colours();
        let sources = sources(&pattern, colouring.count(), |row, col| (row, colours[col]));
        Self { results: pattern.rows(), pattern, colouring, sources, is_symmetric: false }
    }

    /// The pattern of the matrix.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Which rows or columns go together.
    pub fn colouring(&self) -> &Colouring {
        &self.colouring
    }

    /// Whether it is one for products with a Hessian.
    pub(super) fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    /// How many directions there are in all.
    pub fn colours(&self) -> usize {
        self.colouring.count()
    }

    /// How many products there are to compute, with `N` directions each.
    pub const fn sweeps<const N: usize>(&self) -> usize {
        const { assert!(N > 0, "a sweep has at least one direction") };
        self.sources.len().div_ceil(N)
    }

    /// The directions of a product. The last ones may be zero.
    pub fn directions<const N: usize>(&self, sweep: usize) -> Vec<[f64; N]> {
        let colours = self.colouring.colours().iter();
        let row = |&colour: &usize| {
            std::array::from_fn(|k| if sweep * N + k == colour { 1.0 } else { 0.0 })
        };
        colours.map(row).collect()
    }

    /// Zeros for all values.
    pub fn zeros(&self) -> Vec<f64> {
        vec![0.0; self.pattern.len()]
    }

    /// Takes values from the result of a product.
    ///
    /// # Panics
    /// If the result or the values do not have the length they should.
    pub fn recover<const N: usize>(&self, sweep: usize, product: &[[f64; N]], values: &mut [f64]) {
        let (expected, len) = (self.results, product.len());
        assert!(len == expected, "the product has {len} rows in place of {expected}");
        let (expected, len) = (self.pattern.len(), values.len());
        assert!(len == expected, "there is room for {len} values, the pattern has {expected}");
        for (k, sources) in self.sources.iter().skip(sweep * N).take(N).enumerate() {
            for source in sources {
                values[source.entry] = product[source.row][k];
            }
        }
    }

    /// Takes the values from the product with the direction of a colour.
    pub(super) fn take(&self, colour: usize, product: &[f64], values: &mut [f64]) {
        for source in &self.sources[colour] {
            values[source.entry] = product[source.row];
        }
    }
}

/// The better of the colourings in some orders; one with the fewest colours that there can be is good enough.
fn best(fewest: usize, colouring: impl Fn(Order) -> Colouring) -> Colouring {
    let [first, second] = TRIED;
    let first = colouring(first);
    if first.count() <= fewest { first } else { first.or_better(colouring(second)) }
}

/// The length of the longest row. All its columns have different colours.
fn longest(pattern: &Pattern) -> usize {
    (0..pattern.rows()).map(|row| pattern.row(row).len()).max().unwrap_or(0)
}

/// The entries by colours, from the row and the colour of each.
fn sources(
    pattern: &Pattern,
    colours: usize,
    of: impl Fn(usize, usize) -> (usize, usize),
) -> Vec<Vec<Source>> {
    let mut sources = vec![Vec::new(); colours];
    let mut entry = 0;
    for row in 0..pattern.rows() {
        for &col in pattern.row(row) {
            let (row, colour) = of(row, col);
            sources[colour].push(Source { entry, row });
            entry += 1;
        }
    }
    sources
}
