//! Sparse matrices by columns, as solvers take them.

use backsweep::sparse::Pattern;

/// A sparse matrix by columns, of what `jacobian_sparse` and `hessian_sparse` return.
///
/// ```
/// use backsweep::adjoint;
/// use backsweep_optim::Csc;
///
/// #[adjoint]
/// fn differences(x: &[f64]) -> Vec<f64> {
///     x.windows(2).map(|pair| pair[1] * pair[1] - pair[0]).collect()
/// }
///
/// let jacobian = Csc::new(2, 3, differences::jacobian_sparse(&[1.0, 2.0, 3.0]));
/// assert_eq!(jacobian.starts, [0, 1, 3, 4]);
/// assert_eq!(jacobian.row_indices, [0, 0, 1, 1]);
/// assert_eq!(jacobian.values, [-1.0, 4.0, -1.0, 6.0]);
/// ```
///
/// Its fields are what clarabel's matrices are made of, `CscMatrix::new(m.rows, m.columns, m.starts, m.row_indices, m.values)`. With the feature
/// `faer` it goes `into()` a `faer::sparse::SparseColMat<usize, f64>`, with `nalgebra-sparse` into a
/// `nalgebra_sparse::CscMatrix<f64>`; nothing is copied.
///
/// Where the matrix is needed more than once there is a [`Layout`], which is found once.
#[derive(Clone, Debug, PartialEq)]
pub struct Csc {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// Where each column starts in the lists that follow, and at the end where the last one ends.
    pub starts: Vec<usize>,
    /// The rows of the entries, column by column, in order.
    pub row_indices: Vec<usize>,
    /// The entries.
    pub values: Vec<f64>,
}

impl Csc {
    /// The matrix with these numbers of rows and columns, and these entries: their rows, their columns and their values, in any order.
    ///
    /// # Panics
    /// If the lists do not have the same length, if there is no such row or column, or if an entry is there twice.
    pub fn new(
        rows: usize,
        columns: usize,
        (at_rows, at_columns, values): (Vec<usize>, Vec<usize>, Vec<f64>),
    ) -> Self {
        let (r, c, v) = (at_rows.len(), at_columns.len(), values.len());
        assert!(r == c && c == v, "there are {r} rows, {c} columns and {v} values of entries");
        let entries = at_rows.into_iter().zip(at_columns).enumerate();
        Layout::from_entries(rows, columns, entries).matrix(&values)
    }
}

/// Where the entries of a sparse matrix are, by columns, for values in the order of a [`Pattern`]: those of `jacobian_values` and `hessian_values`.
///
/// ```
/// use backsweep::{adjoint, sparse::Compression};
/// use backsweep_optim::Layout;
///
/// #[adjoint(second_order)]
/// fn energy(x: &[f64]) -> f64 {
///     let mut sum = 0.0;
///     for i in 1..x.len() {
///         sum += x[i] * x[i] * x[i - 1];
///     }
///     sum
/// }
///
/// let x = [1.0, 2.0, 3.0];
/// let compression = Compression::symmetric(energy::hessian_pattern(&x));
/// // Solvers of quadratic programs take the upper triangle.
/// let layout = Layout::upper(compression.pattern());
/// let hessian = layout.matrix(&energy::hessian_values(&x, &compression));
/// assert_eq!(hessian.starts, [0, 0, 2, 4]);
/// assert_eq!(hessian.row_indices, [0, 1, 1, 2]);
/// assert_eq!(hessian.values, [4.0, 2.0, 6.0, 4.0]);
/// ```
///
/// For ipopt, which takes triplets, see [`ipopt`](crate::ipopt).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    rows: usize,
    starts: Vec<usize>,
    row_indices: Vec<usize>,
    /// Which value of the pattern each entry has.
    order: Vec<usize>,
    /// How many values the pattern has.
    values: usize,
}

impl Layout {
    /// All entries.
    pub fn new(pattern: &Pattern) -> Self {
        Self::of(pattern, |_, _| true)
    }

    /// The entries of the diagonal and above it.
    pub fn upper(pattern: &Pattern) -> Self {
        Self::of(pattern, |row, column| row <= column)
    }

    /// The entries of the diagonal and below it.
    pub fn lower(pattern: &Pattern) -> Self {
        Self::of(pattern, |row, column| row >= column)
    }

    fn of(pattern: &Pattern, is_in: impl Fn(usize, usize) -> bool) -> Self {
        let (rows, columns) = pattern.triplets();
        let entries = rows.into_iter().zip(columns).enumerate();
        let entries = entries.filter(|&(_, (row, column))| is_in(row, column));
        let layout = Self::from_entries(pattern.rows(), pattern.cols(), entries);
        Self { values: pattern.len(), ..layout }
    }

    /// From entries with the places of their values.
    fn from_entries(
        rows: usize,
        columns: usize,
        entries: impl Iterator<Item = (usize, (usize, usize))>,
    ) -> Self {
        let mut entries: Vec<_> =
            entries.map(|(place, (row, column))| (column, row, place)).collect();
        entries.sort_unstable();
        let mut starts = vec![0; columns + 1];
        for (k, &(column, row, _)) in entries.iter().enumerate() {
            assert!(row < rows, "there is no row {row}: there are {rows}");
            assert!(column < columns, "there is no column {column}: there are {columns}");
            let is_new = k == 0 || (entries[k - 1].0, entries[k - 1].1) != (column, row);
            assert!(is_new, "the entry in row {row} and column {column} is there twice");
            starts[column + 1] += 1;
        }
        for column in 0..columns {
            starts[column + 1] += starts[column];
        }
        let row_indices = entries.iter().map(|&(_, row, _)| row).collect();
        let order: Vec<usize> = entries.into_iter().map(|(_, _, place)| place).collect();
        Self { rows, starts, row_indices, values: order.len(), order }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The matrix with these values, all of the pattern.
    ///
    /// # Panics
    /// If there are not as many values as the pattern has entries.
    pub fn matrix(&self, values: &[f64]) -> Csc {
        Csc {
            rows: self.rows,
            columns: self.starts.len() - 1,
            starts: self.starts.clone(),
            row_indices: self.row_indices.clone(),
            values: self.ordered(values).collect(),
        }
    }

    /// Writes the rows and columns of the entries, and returns `true`, as ipopt is to be told that they are there.
    ///
    /// # Panics
    /// If there is not room for as many numbers as there are entries, or if one is beyond 2³¹.
    pub fn indices_into(&self, rows: &mut [i32], columns: &mut [i32]) -> bool {
        let (len, r, c) = (self.len(), rows.len(), columns.len());
        assert!(
            r == len && c == len,
            "there is room for {r} rows and {c} columns of {len} entries"
        );
        let number = |index: usize| i32::try_from(index).expect("ipopt counts to 2³¹");
        for (place, &row) in rows.iter_mut().zip(&self.row_indices) {
            *place = number(row);
        }
        for (column, ends) in self.starts.windows(2).enumerate() {
            columns[ends[0]..ends[1]].fill(number(column));
        }
        true
    }

    /// Writes the values of the entries, from all of the pattern, and returns whether all are finite, as ipopt is to be told.
    ///
    /// # Panics
    /// If there are not as many values as the pattern has entries, or not room for as many as the layout has.
    pub fn values_into(&self, values: &[f64], into: &mut [f64]) -> bool {
        let (len, room) = (self.len(), into.len());
        assert!(room == len, "there is room for {room} values of {len} entries");
        into.iter_mut().zip(self.ordered(values)).for_each(|(place, value)| *place = value);
        into.iter().all(|value| value.is_finite())
    }

    /// The values in the order of the entries.
    fn ordered(&self, values: &[f64]) -> impl Iterator<Item = f64> {
        let (expected, found) = (self.values, values.len());
        assert!(expected == found, "there are {found} values, the pattern has {expected}");
        self.order.iter().map(|&place| values[place])
    }
}

#[cfg(feature = "faer")]
impl From<Csc> for ::faer::sparse::SparseColMat<usize, f64> {
    fn from(matrix: Csc) -> Self {
        let Csc { rows, columns, starts, row_indices, values } = matrix;
        let symbolic = ::faer::sparse::SymbolicSparseColMat::new_checked(
            rows,
            columns,
            starts,
            None,
            row_indices,
        );
        Self::new(symbolic, values)
    }
}

#[cfg(feature = "nalgebra-sparse")]
impl From<Csc> for ::nalgebra_sparse::CscMatrix<f64> {
    fn from(matrix: Csc) -> Self {
        let Csc { rows, columns, starts, row_indices, values } = matrix;
        let made = Self::try_from_csc_data(rows, columns, starts, row_indices, values);
        made.expect("columns and their rows are in order")
    }
}
