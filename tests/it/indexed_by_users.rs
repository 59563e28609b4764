//! Indices that are functions of the user's types, where derivatives pass through them. The oracles are differences of the functions
//! themselves.

mod matrices;

use approx::assert_relative_eq;
use backsweep::adjoint;
use matrices::{Grid, Matrix, Point, Rows, Scene};

const AT: [f64; 10] = [3.3, 0.7, 0.2, -0.1, 2.2, 0.9, 1.4, 0.1, 3.8, 0.6];

/// Compares a gradient, and derivatives along the axes, with differences.
fn compare(
    function: fn(&[f64]) -> f64,
    gradient: fn(&[f64]) -> (f64, Vec<f64>),
    tangent: fn(&[f64], &[f64]) -> (f64, f64),
) {
    let (value, found) = gradient(&AT);
    assert_eq!(value.to_bits(), function(&AT).to_bits());
    for (axis, found) in found.into_iter().enumerate() {
        let shifted = |by: f64| {
            let mut at = AT;
            at[axis] += by;
            function(&at)
        };
        let slope = (shifted(1e-5) - shifted(-1e-5)) / 2e-5;
        assert_relative_eq!(found, slope, max_relative = 1e-8, epsilon = 1e-8);
        let mut along = [0.0; 10];
        along[axis] = 1.0;
        let (_, derivative) = tangent(&AT, &along);
        assert_relative_eq!(derivative, found, max_relative = 1e-12, epsilon = 1e-13);
    }
}

macro_rules! compared {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            compare(functions::$name, functions::$name::gradient, functions::$name::tangent);
        }
    )*};
}

compared! {
    read trace scaled product cholesky two_indices by_axis moved own_methods in_parts generic chosen of_rows
    squares_of_users
}

/// The functions, each of a list of ten numbers.
mod functions {
    use super::*;

    #[adjoint]
    fn matrix_of(x: &[f64]) -> Matrix {
        let mut matrix = Matrix::zeros(3, 3);
        for i in 0..3 {
            for j in 0..3 {
                matrix[(i, j)] = x[3 * i + j];
            }
        }
        matrix
    }

    #[adjoint]
    pub(super) fn read(x: &[f64]) -> f64 {
        let matrix = matrix_of(x);
        matrix[(0, 1)].sin() * matrix[(2, 2)] / (1.0 + matrix[(1, 1)] * matrix[(1, 1)])
    }

    #[adjoint]
    pub(super) fn trace(x: &[f64]) -> f64 {
        let matrix = matrix_of(x);
        let mut sum = 0.0;
        for i in 0..matrix.rows() {
            sum += matrix[(i, i)] * matrix[(i, 0)];
        }
        sum
    }

    #[adjoint]
    pub(super) fn scaled(x: &[f64]) -> f64 {
        let (matrix, s) = (matrix_of(x), x[9]);
        let mut out = Matrix::zeros(matrix.rows(), matrix.columns());
        let mut sum = 0.0;
        for i in 0..3 {
            for j in 0..3 {
                out[(i, j)] = matrix[(i, j)] * s;
                out[(i, j)] += s * s;
                out[(i, j)] *= matrix[(j, i)].sin();
                out[(i, j)] -= out[(j, i)];
                sum += out[(i, j)] * out[(0, 0)];
            }
        }
        sum
    }

    #[adjoint]
    fn multiplied(a: &Matrix, b: &Matrix) -> Matrix {
        let mut c = Matrix::zeros(a.rows(), b.columns());
        for i in 0..a.rows() {
            for j in 0..b.columns() {
                let mut sum = 0.0;
                for k in 0..a.columns() {
                    sum += a[(i, k)] * b[(k, j)];
                }
                c[(i, j)] = sum;
            }
        }
        c
    }

    #[adjoint]
    pub(super) fn product(x: &[f64]) -> f64 {
        let matrix = matrix_of(x);
        let square = multiplied(&matrix, &matrix);
        let cube = multiplied(&square, &matrix);
        cube[(0, 2)] * x[9] - cube[(1, 0)]
    }

    /// In place, of a matrix whose lower half is used.
    #[adjoint]
    fn factorised(m: &mut Matrix) {
        for j in 0..m.rows() {
            for k in 0..j {
                for i in j..m.rows() {
                    m[(i, j)] = m[(i, j)] - m[(i, k)] * m[(j, k)];
                }
            }
            m[(j, j)] = m[(j, j)].sqrt();
            for i in j + 1..m.rows() {
                let diagonal = m[(j, j)];
                m[(i, j)] /= diagonal;
            }
        }
    }

    #[adjoint]
    pub(super) fn cholesky(x: &[f64]) -> f64 {
        let mut matrix = matrix_of(x);
        factorised(&mut matrix);
        matrix[(0, 0)] + 2.0 * matrix[(1, 1)] + matrix[(2, 2)] * matrix[(2, 0)] + matrix[(2, 1)]
    }

    /// What `IndexMut` finds is not what `Index` finds.
    #[adjoint]
    pub(super) fn two_indices(x: &[f64]) -> f64 {
        let mut matrix = matrix_of(x);
        matrix[[0, 1]] *= x[9];
        matrix[[1, 0]] = matrix[[0, 2]] * matrix[(0, 0)];
        matrix[(0, 0)] * matrix[[0, 0]]
            + matrix[(2, 0)] * matrix[(2, 1)]
            + matrix[(1, 1)] * matrix[(1, 2)]
    }

    #[adjoint]
    fn dot(a: Point, b: &Point) -> f64 {
        let mut sum = 0.0;
        for axis in 0..3 {
            sum += a[axis] * b[axis];
        }
        sum * a[0]
    }

    #[adjoint]
    pub(super) fn by_axis(x: &[f64]) -> f64 {
        let a = Point { x: x[0], y: x[1], z: x[2] };
        let b = Point { x: x[3], y: x[4], z: x[5] };
        dot(a, &b) * a[2]
    }

    #[adjoint]
    fn rotated(mut point: Point, angle: f64) -> Point {
        let (s, c) = angle.sin_cos();
        let x = point[0] * c - point[1] * s;
        point[1] = point[0] * s + point[1] * c;
        point[0] = x;
        point[2] -= x;
        point
    }

    #[adjoint]
    pub(super) fn moved(x: &[f64]) -> f64 {
        let point = rotated(Point { x: x[0], y: x[1], z: x[2] }, x[9]);
        let again = rotated(point, point[2]);
        again[0] * again[2] + point[1]
    }

    #[adjoint]
    pub(super) fn own_methods(x: &[f64]) -> f64 {
        let mut point = Point { x: x[0], y: x[1], z: x[2] };
        let before = point.norm();
        point.bump(1, x[9]);
        point.bump(0, x[4] * before);
        point.norm() * before
    }

    #[adjoint]
    pub(super) fn in_parts(x: &[f64]) -> f64 {
        let point = Point { x: x[0], y: x[1], z: x[2] };
        let mut scene = Scene { matrix: matrix_of(x), points: vec![point, point] };
        scene.matrix[(0, 0)] = scene.matrix[(0, 1)] * x[9];
        scene.points[1][2] *= x[3];
        let i = 1;
        scene.points[i][0] + scene.matrix[(0, 0)].sin() * scene.points[1][2] + scene.points[0][2]
    }

    #[adjoint]
    pub(super) fn generic(x: &[f64]) -> f64 {
        let mut grid: Grid<f64> = Grid::new(2, vec![x[0], x[1], x[2], x[3]]);
        grid[[1, 0]] = x[4];
        grid.put(x[9]);
        grid[[1, 0]] * grid[[0, 0]] + grid.corner(x[5]) * grid[[1, 1]]
    }

    /// Which element it is depends on values.
    #[adjoint]
    pub(super) fn chosen(x: &[f64]) -> f64 {
        let mut matrix = matrix_of(x);
        let mut best = (0, 0);
        for i in 0..3 {
            for j in 0..3 {
                if matrix[(i, j)] > matrix[best] {
                    best = (i, j);
                }
            }
        }
        let largest: f64 = matrix[(best.0, best.1)];
        while matrix[(0, 1)] < 2.0 {
            matrix[(0, 1)] += largest * x[9];
        }
        matrix[(0, 1)] * largest
    }

    #[adjoint]
    pub(super) fn of_rows(x: &[f64]) -> f64 {
        let point = Point { x: x[0], y: x[1], z: x[2] };
        let mut rows = Rows::new(vec![point, point], vec![vec![x[3], x[4]]]);
        let first = rows[0usize];
        rows[1usize] = Point { x: first.x * x[9], y: x[9], z: first[2] };
        let weight = rows[0u8][1] * x[9];
        rows[0usize][2] * rows[1usize].x + rows[1usize][1] * weight
    }

    /// The operand of an operator is what the operator changes.
    #[adjoint]
    pub(super) fn squares_of_users(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for k in 0..3 {
            let mut point = Point { x: x[k], y: x[k + 1], z: x[k + 2] }.turned();
            point *= point;
            sum += point.x * point.y + point.z;
        }
        sum
    }
}
