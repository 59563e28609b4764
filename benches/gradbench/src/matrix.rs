//! Lists of rows, which the protocol nests, as flat lists.

use serde::{Deserialize, Serialize};

/// A matrix, row after row.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(try_from = "Vec<Vec<f64>>", into = "Vec<Vec<f64>>")]
pub struct Matrix {
    pub rows: usize,
    pub columns: usize,
    pub entries: Vec<f64>,
}

impl Matrix {
    /// The matrix of so many rows whose entries these are.
    pub fn from_entries(rows: usize, columns: usize, entries: Vec<f64>) -> Self {
        assert_eq!(entries.len(), rows * columns);
        Self { rows, columns, entries }
    }

    /// Fails if this matrix, called `name`, has another shape than that.
    pub fn expect_shape(&self, name: &str, rows: usize, columns: usize) -> Result<(), String> {
        // A list without rows does not tell how long they would be.
        if self.rows != rows || (rows > 0 && self.columns != columns) {
            let (has_rows, has_columns) = (self.rows, self.columns);
            return Err(format!(
                "`{name}` is {has_rows} × {has_columns} instead of {rows} × {columns}"
            ));
        }
        Ok(())
    }
}

impl TryFrom<Vec<Vec<f64>>> for Matrix {
    type Error = &'static str;

    fn try_from(rows: Vec<Vec<f64>>) -> Result<Self, Self::Error> {
        let columns = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|row| row.len() != columns) {
            return Err("the rows have different lengths");
        }
        Ok(Self { rows: rows.len(), columns, entries: rows.concat() })
    }
}

impl From<Matrix> for Vec<Vec<f64>> {
    fn from(matrix: Matrix) -> Self {
        let row = |i: usize| matrix.entries[i * matrix.columns..][..matrix.columns].to_vec();
        (0..matrix.rows).map(row).collect()
    }
}
