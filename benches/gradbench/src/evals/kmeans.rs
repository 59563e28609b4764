//! Clusters of points, by Newton's method.

use backsweep::adjoint;
use serde::Deserialize;

use crate::matrix::Matrix;
use crate::protocol::Module;
use crate::runs::evaluate;

pub const MODULE: Module = Module {
    name: "kmeans",
    functions: &[
        ("cost", |input| {
            evaluate(input, |i: &Input| {
                cost(&i.centroids.entries, &i.points.entries, i.points.columns)
            })
        }),
        ("dir", |input| evaluate(input, direction)),
    ],
};

#[derive(Deserialize)]
#[serde(try_from = "Unchecked")]
struct Input {
    points: Matrix,
    centroids: Matrix,
}

#[derive(Deserialize)]
struct Unchecked {
    points: Matrix,
    centroids: Matrix,
}

impl TryFrom<Unchecked> for Input {
    type Error = String;

    fn try_from(Unchecked { points, centroids }: Unchecked) -> Result<Self, Self::Error> {
        if points.columns == 0 || centroids.rows == 0 {
            return Err("a point and a centroid are the least".to_owned());
        }
        centroids.expect_shape("centroids", centroids.rows, points.columns)?;
        Ok(Self { points, centroids })
    }
}

#[adjoint(second_order)]
fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// The squared distances of points from the centroids that are nearest to them, Σᵢ minⱼ ‖Cⱼ − Pᵢ‖² (Bottou and
/// Bengio 1994).
#[adjoint(independents(centroids), dependents(return), second_order)]
fn cost(centroids: &[f64], points: &[f64], dimension: usize) -> f64 {
    let mut cost = 0.0;
    for point in points.chunks_exact(dimension) {
        let mut nearest = f64::INFINITY;
        for centroid in centroids.chunks_exact(dimension) {
            nearest = nearest.min(squared_distance(point, centroid));
        }
        cost += nearest;
    }
    cost
}

/// The gradient over the diagonal of the Hessian, which has nothing outside of its diagonal: its product with ones is the
/// diagonal.
fn direction(Input { points, centroids }: &Input) -> Matrix {
    let ones = vec![1.0; centroids.entries.len()];
    let (_, gradient, diagonal) =
        cost::hessian_vector(&centroids.entries, &ones, &points.entries, points.columns);
    let entries = gradient.iter().zip(&diagonal).map(|(first, second)| first / second).collect();
    Matrix::from_entries(centroids.rows, centroids.columns, entries)
}
