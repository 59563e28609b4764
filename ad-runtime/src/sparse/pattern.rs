//! Where a matrix has entries.

/// Where a sparse matrix has entries: compressed rows, each sorted and without repetitions.
///
/// ```
/// use backsweep::sparse::Pattern;
///
/// let pattern = Pattern::from_triplets(2, 3, [(1, 2), (0, 0), (1, 0), (1, 2)]);
/// assert_eq!((pattern.rows(), pattern.cols(), pattern.len()), (2, 3, 3));
/// assert_eq!(pattern.row(1), [0, 2]);
/// assert_eq!(pattern.triplets(), (vec![0, 1, 1], vec![0, 0, 2]));
/// assert_eq!(pattern.transposed().row(0), [0, 1]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    cols: usize,
    /// Where each row starts, and at the end where the last one ends.
    starts: Vec<usize>,
    /// The columns of the entries, row by row.
    entries: Vec<usize>,
}

impl Pattern {
    /// A pattern from the columns of the entries of each row, in any order.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn from_rows<R>(cols: usize, rows: impl IntoIterator<Item = R>) -> Self
    where
        R: IntoIterator<Item = usize>,
    {
        let (mut starts, mut entries) = (vec![0], Vec::new());
        let mut sorted = Vec::new();
        for row in rows {
            sorted.clear();
            sorted.extend(row);
            sorted.sort_unstable();
            sorted.dedup();
            if let Some(last) = sorted.last() {
                assert!(*last < cols, "there is no column {last}: there are {cols}");
            }
            entries.extend_from_slice(&sorted);
            starts.push(entries.len());
        }
        Self { cols, starts, entries }
    }

    /// A pattern from the rows and columns of its entries, in any order. In time and space
    /// in proportion to their number and to those of rows and columns.
    ///
    /// # Panics
    /// If there is no such row or column.
    pub fn from_triplets(
        rows: usize,
        cols: usize,
        entries: impl IntoIterator<Item = (usize, usize)>,
    ) -> Self {
        let mut lists = vec![Vec::new(); rows];
        for (row, col) in entries {
            let list = lists.get_mut(row);
            list.unwrap_or_else(|| panic!("there is no row {row}: there are {rows}")).push(col);
        }
        Self::from_rows(cols, lists)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The columns of the entries of a row, in order.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, row: usize) -> &[usize] {
        &self.entries[self.starts[row]..self.starts[row + 1]]
    }

    /// Whether there is an entry at this place.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn contains(&self, row: usize, col: usize) -> bool {
        self.row(row).binary_search(&col).is_ok()
    }

    /// The rows and columns of all entries, by rows: with their values, the triplets that ipopt and sparse solvers
    /// take.
    pub fn triplets(&self) -> (Vec<usize>, Vec<usize>) {
        let rows = (0..self.rows()).flat_map(|row| std::iter::repeat_n(row, self.row(row).len()));
        (rows.collect(), self.entries.clone())
    }

    /// The pattern of the transposed matrix.
    pub fn transposed(&self) -> Self {
        let mut starts = vec![0; self.cols + 1];
        for &col in &self.entries {
            starts[col + 1] += 1;
        }
        for col in 0..self.cols {
            starts[col + 1] += starts[col];
        }
        let mut next = starts.clone();
        let mut entries = vec![0; self.len()];
        for row in 0..self.rows() {
            for &col in self.row(row) {
                entries[next[col]] = row;
                next[col] += 1;
            }
        }
        Self { cols: self.rows(), starts, entries }
    }

    /// Whether the transposed matrix has the same pattern.
    pub fn is_symmetric(&self) -> bool {
        self.rows() == self.cols && *self == self.transposed()
    }

    /// The pattern of the sum with the transposed matrix: of a Hessian of which some entries are known on one side of the diagonal only.
    ///
    /// # Panics
    /// If there are not as many rows as columns.
    pub fn symmetrised(&self) -> Self {
        assert!(self.rows() == self.cols, "a matrix that is symmetric is square");
        let other = self.transposed();
        let rows = (0..self.rows()).map(|row| self.row(row).iter().chain(other.row(row)).copied());
        Self::from_rows(self.cols, rows)
    }

    /// The pattern with the whole diagonal.
    pub(super) fn with_diagonal(&self) -> Self {
        let rows = (0..self.rows()).map(|row| self.row(row).iter().copied().chain([row]));
        Self::from_rows(self.cols, rows)
    }
}
