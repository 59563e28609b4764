//! Bundle adjustment: cameras and points are found such that the points appear where they were seen.

use backsweep::adjoint;
use serde::{Deserialize, Serialize};

use crate::protocol::Module;
use crate::runs::evaluate_and_report;

pub const MODULE: Module = Module {
    name: "ba",
    functions: &[
        ("objective", |input| {
            evaluate_and_report(input, errors, |_, errors| ErrorsReport::of(&errors))
        }),
        ("jacobian", |input| {
            evaluate_and_report(input, jacobian, |_, jacobian| JacobianReport::of(&jacobian))
        }),
    ],
};

/// Parameters of a camera: the axis times the angle of its rotation (3), its centre (3), the focal length, the principal
/// point (2) and the coefficients of radial distortion (2).
const CAMERA: usize = 11;
/// Coordinates of a point.
const POINT: usize = 3;
/// What the error of an observation depends on: a camera, a point and a weight.
const BLOCK: usize = CAMERA + POINT + 1;

/// The problem: observation `i` is of point `i % m` by camera `i % n`.
#[derive(Deserialize)]
#[serde(try_from = "Unchecked")]
struct Input {
    cameras: Vec<[f64; CAMERA]>,
    points: Vec<[f64; POINT]>,
    weights: Vec<f64>,
    features: Vec<[f64; 2]>,
}

#[derive(Deserialize)]
struct Unchecked {
    n: usize,
    m: usize,
    p: usize,
    cam: [f64; CAMERA],
    x: [f64; POINT],
    w: f64,
    feat: [f64; 2],
}

impl TryFrom<Unchecked> for Input {
    type Error = &'static str;

    fn try_from(Unchecked { n, m, p, cam, x, w, feat }: Unchecked) -> Result<Self, Self::Error> {
        if n == 0 || m == 0 || p == 0 {
            return Err("a camera, a point and an observation are the least");
        }
        Ok(Self {
            cameras: vec![cam; n],
            points: vec![x; m],
            weights: vec![w; p],
            features: vec![feat; p],
        })
    }
}

impl Input {
    fn camera(&self, observation: usize) -> usize {
        observation % self.cameras.len()
    }

    fn point(&self, observation: usize) -> usize {
        observation % self.points.len()
    }
}

/// Functions of one observation.
#[adjoint]
mod observation {
    use super::{CAMERA, POINT};

    #[adjoint]
    fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    #[adjoint]
    fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    }

    /// Rotates `point` about the axis `rotation` by an angle of the length of it (Rodrigues 1840).
    #[adjoint]
    fn rotated(rotation: [f64; 3], point: [f64; 3]) -> [f64; 3] {
        let squared_angle = dot(rotation, rotation);
        if squared_angle == 0.0 {
            let moved = cross(rotation, point);
            return [point[0] + moved[0], point[1] + moved[1], point[2] + moved[2]];
        }
        let angle = squared_angle.sqrt();
        let (sine, cosine) = angle.sin_cos();
        let axis = [rotation[0] / angle, rotation[1] / angle, rotation[2] / angle];
        let across = cross(axis, point);
        let along = dot(axis, point) * (1.0 - cosine);
        [
            point[0] * cosine + across[0] * sine + axis[0] * along,
            point[1] * cosine + across[1] * sine + axis[1] * along,
            point[2] * cosine + across[2] * sine + axis[2] * along,
        ]
    }

    /// Where `camera` sees `point`: a pinhole with radial distortion 1 + k₁ r² + k₂ r⁴.
    #[adjoint]
    fn projected(camera: &[f64; CAMERA], point: &[f64; POINT]) -> [f64; 2] {
        let from_centre = [point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]];
        let seen = rotated([camera[0], camera[1], camera[2]], from_centre);
        let (x, y) = (seen[0] / seen[2], seen[1] / seen[2]);
        let squared_radius = x * x + y * y;
        let distortion = 1.0 + squared_radius * (camera[9] + squared_radius * camera[10]);
        [x * distortion * camera[6] + camera[7], y * distortion * camera[6] + camera[8]]
    }

    /// The distance from where a point is seen to where it was, times a weight.
    #[adjoint(independents(camera, point, weight), dependents(return))]
    pub fn reprojection_error(
        camera: &[f64; CAMERA],
        point: &[f64; POINT],
        weight: f64,
        feature: &[f64; 2],
    ) -> [f64; 2] {
        let seen = projected(camera, point);
        [weight * (seen[0] - feature[0]), weight * (seen[1] - feature[1])]
    }

    /// What keeps a weight away from zero (Zach 2014).
    #[adjoint(independents(weight), dependents(return))]
    pub fn weight_error(weight: f64) -> f64 {
        1.0 - weight * weight
    }
}

use observation::{reprojection_error, weight_error};

struct Errors {
    reprojection: Vec<[f64; 2]>,
    weights: Vec<f64>,
}

/// The errors of all observations, as in ADBench (Šrajer, Kukelova and Fitzgibbon 2018, section 4.2).
fn errors(input: &Input) -> Errors {
    let observed = input.weights.iter().zip(&input.features).enumerate();
    let reprojection = observed
        .map(|(i, (weight, feature))| {
            let (camera, point) = (&input.cameras[input.camera(i)], &input.points[input.point(i)]);
            reprojection_error(camera, point, *weight, feature)
        })
        .collect();
    let weights = input.weights.iter().map(|weight| weight_error(*weight)).collect();
    Errors { reprojection, weights }
}

/// A sparse matrix: row `i` has the entries from `rows[i]` to `rows[i + 1]`.
struct Jacobian {
    rows: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

/// The directions of some numbers of a block, from the first of these on: with all of them at once, tangents are its derivatives by all
/// of its numbers.
fn axes<const COUNT: usize>(first: usize) -> [[f64; BLOCK]; COUNT] {
    std::array::from_fn(|number| {
        std::array::from_fn(|direction| f64::from(u8::from(first + number == direction)))
    })
}

/// The derivatives of all errors: of the two coordinates of each observation, then of the weights.
fn jacobian(input: &Input) -> Jacobian {
    let count = input.weights.len();
    let entries = (2 * BLOCK + 1) * count;
    let mut rows = Vec::with_capacity(3 * count + 1);
    let mut columns = Vec::with_capacity(entries);
    let mut values = Vec::with_capacity(entries);
    rows.push(0);

    let first_point = CAMERA * input.cameras.len();
    let first_weight = first_point + POINT * input.points.len();
    let (camera_d, point_d) = (axes::<CAMERA>(0), axes::<POINT>(CAMERA));
    let [weight_d] = axes(CAMERA + POINT);
    for (i, (weight, feature)) in input.weights.iter().zip(&input.features).enumerate() {
        let (camera, point) = (input.camera(i), input.point(i));
        let (_, block) = reprojection_error::tangents::<BLOCK>(
            &input.cameras[camera],
            &camera_d,
            &input.points[point],
            &point_d,
            *weight,
            weight_d,
            feature,
        );
        for row in block {
            columns.extend((0..CAMERA).map(|j| CAMERA * camera + j));
            columns.extend((0..POINT).map(|j| first_point + POINT * point + j));
            columns.push(first_weight + i);
            values.extend_from_slice(&row);
            rows.push(values.len());
        }
    }
    for (i, weight) in input.weights.iter().enumerate() {
        columns.push(first_weight + i);
        values.push(weight_error::gradient(*weight).1);
        rows.push(values.len());
    }
    Jacobian { rows, columns, values }
}

/// What is reported of the errors, since all observations are the same.
#[derive(Serialize)]
struct ErrorsReport {
    reproj_error: Repeated<[f64; 2]>,
    w_err: RepeatedWeight,
}

#[derive(Serialize)]
struct Repeated<T> {
    elements: T,
    repeated: usize,
}

#[derive(Serialize)]
struct RepeatedWeight {
    element: f64,
    repeated: usize,
}

impl ErrorsReport {
    fn of(errors: &Errors) -> Self {
        Self {
            reproj_error: Repeated {
                elements: errors.reprojection[0],
                repeated: errors.reprojection.len(),
            },
            w_err: RepeatedWeight { element: errors.weights[0], repeated: errors.weights.len() },
        }
    }
}

/// What is reported of the Jacobian: the entries of the first observation, and the last one.
#[derive(Serialize)]
struct JacobianReport {
    rows: Vec<usize>,
    cols: Vec<usize>,
    vals: Vec<f64>,
}

impl JacobianReport {
    fn of(jacobian: &Jacobian) -> Self {
        Self {
            rows: beginning_and_end(&jacobian.rows),
            cols: beginning_and_end(&jacobian.columns),
            vals: beginning_and_end(&jacobian.values),
        }
    }
}

fn beginning_and_end<T: Copy>(list: &[T]) -> Vec<T> {
    list.iter().take(2 * BLOCK).chain(list.last()).copied().collect()
}
