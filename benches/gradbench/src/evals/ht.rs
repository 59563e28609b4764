//! Hand tracking: the pose of a hand is found such that its surface meets measured points.

use backsweep::{Differentiable, adjoint};
use serde::Deserialize;

use crate::matrix::Matrix;
use crate::protocol::Module;
use crate::runs::evaluate;

pub const MODULE: Module = Module {
    name: "ht",
    functions: &[
        ("objective", |input| evaluate(input, objective)),
        ("jacobian", |input| evaluate(input, jacobian)),
    ],
};

/// The parameters of a pose: the axis times the angle of the rotation of the hand, its translation, and for each finger how far
/// its first joint is bent and spread, and how far the two others are bent.
const POSE: usize = 26;
const FINGERS: usize = 5;
const BONES_OF_FINGER: usize = 4;
/// The wrist comes before the fingers.
const BONES_BEFORE_FINGERS: usize = 1;

#[derive(Deserialize)]
#[serde(try_from = "Unchecked")]
struct Input {
    theta: [f64; POSE],
    /// Two coordinates in a triangle for each point; none, if points belong to vertices.
    us: Vec<f64>,
    hand: Hand,
    /// What is measured of each point.
    points: Vec<[f64; 3]>,
    /// The corners of the triangle, or three times the vertex, to which each point belongs.
    corners: Vec<[usize; 3]>,
}

#[derive(Deserialize)]
struct Unchecked {
    theta: [f64; POSE],
    data: Data,
    us: Vec<[f64; 2]>,
}

#[derive(Deserialize)]
struct Data {
    model: Model,
    correspondences: Vec<usize>,
    points: Vec<[f64; 3]>,
}

#[derive(Deserialize)]
struct Model {
    parents: Vec<i64>,
    base_relatives: Vec<[[f64; 4]; 4]>,
    inverse_base_absolutes: Vec<[[f64; 4]; 4]>,
    base_positions: Vec<[f64; 4]>,
    weights: Matrix,
    triangles: Vec<[usize; 3]>,
    is_mirrored: bool,
}

impl TryFrom<Unchecked> for Input {
    type Error = String;

    fn try_from(Unchecked { theta, data, us }: Unchecked) -> Result<Self, Self::Error> {
        let Data { model, correspondences, points } = data;
        if correspondences.len() != points.len() || !(us.is_empty() || us.len() == points.len()) {
            let (corresponding, coordinates) = (correspondences.len(), us.len());
            let points = points.len();
            return Err(format!(
                "{points} points, {corresponding} correspondences, {coordinates} coordinates"
            ));
        }
        let vertices = model.base_positions.len();
        let corners_of = |place: usize| {
            let corners =
                if us.is_empty() { Some([place; 3]) } else { model.triangles.get(place).copied() };
            corners
                .filter(|corners| corners.iter().all(|vertex| *vertex < vertices))
                .ok_or_else(|| format!("nothing corresponds to {place}"))
        };
        let corners = correspondences.into_iter().map(corners_of).collect::<Result<_, _>>()?;
        Ok(Self { theta, us: us.concat(), hand: Hand::try_from(model)?, points, corners })
    }
}

/// The surface of a hand and the bones that move it.
struct Hand {
    /// The bone that each bone is attached to; it comes before.
    parents: Vec<Option<usize>>,
    /// Where bones are with respect to their parents, when the hand is at rest.
    base_relatives: Vec<Affine>,
    /// What takes bones back from where they are when the hand is at rest.
    inverse_base_absolutes: Vec<Affine>,
    /// Where vertices are when the hand is at rest.
    base_positions: Vec<[f64; 4]>,
    /// The bones that move vertex `i`, with their weights, are those from `first_influence[i]` to `first_influence[i + 1]`.
    first_influence: Vec<usize>,
    influencing_bones: Vec<usize>,
    influences: Vec<f64>,
    mirrored: bool,
}

impl TryFrom<Model> for Hand {
    type Error = String;

    fn try_from(model: Model) -> Result<Self, Self::Error> {
        let bones = model.parents.len();
        if bones < BONES_BEFORE_FINGERS + FINGERS * BONES_OF_FINGER {
            return Err(format!("{bones} bones are not enough for a hand"));
        }
        if model.base_relatives.len() != bones || model.inverse_base_absolutes.len() != bones {
            return Err(format!("there are not as many transforms as bones, {bones}"));
        }
        model.weights.expect_shape("weights", model.base_positions.len(), bones)?;
        let mut first_influence = vec![0];
        let (mut influencing_bones, mut influences) = (Vec::new(), Vec::new());
        for weights in model.weights.entries.chunks_exact(bones) {
            for (bone, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
                influencing_bones.push(bone);
                influences.push(*weight);
            }
            first_influence.push(influences.len());
        }
        Ok(Self {
            parents: parents(&model.parents)?,
            base_relatives: affine(&model.base_relatives)?,
            inverse_base_absolutes: affine(&model.inverse_base_absolutes)?,
            base_positions: model.base_positions,
            first_influence,
            influencing_bones,
            influences,
            mirrored: model.is_mirrored,
        })
    }
}

/// The parents of bones, where −1 stands for none.
fn parents(parents: &[i64]) -> Result<Vec<Option<usize>>, String> {
    let parent_of = |(bone, parent): (usize, &i64)| match usize::try_from(*parent) {
        Ok(parent) if parent < bone => Ok(Some(parent)),
        Err(_) if *parent == -1 => Ok(None),
        _ => Err(format!("the parent of bone {bone} is {parent}")),
    };
    parents.iter().enumerate().map(parent_of).collect()
}

fn affine(matrices: &[[[f64; 4]; 4]]) -> Result<Vec<Affine>, String> {
    let affine_of = |[x, y, z, w]: &[[f64; 4]; 4]| {
        if *w == [0.0, 0.0, 0.0, 1.0] {
            Ok(Affine { rows: [*x, *y, *z] })
        } else {
            Err(format!("{w:?} is projective"))
        }
    };
    matrices.iter().map(affine_of).collect()
}

/// A linear map of three dimensions and a translation, the last column.
#[derive(Clone, Copy, Differentiable)]
struct Affine {
    rows: [[f64; 4]; 3],
}

#[adjoint]
impl Affine {
    /// `self` after `first`.
    fn after(&self, first: &Affine) -> Affine {
        let mut rows = [[0.0; 4]; 3];
        for i in 0..3 {
            for j in 0..4 {
                rows[i][j] = self.rows[i][0] * first.rows[0][j]
                    + self.rows[i][1] * first.rows[1][j]
                    + self.rows[i][2] * first.rows[2][j];
            }
            rows[i][3] += self.rows[i][3];
        }
        Affine { rows }
    }

    /// The rotation by the angle `bend` about the first axis, then by `spread` about the third.
    fn of_joint(bend: f64, spread: f64) -> Affine {
        let (sb, cb) = bend.sin_cos();
        let (ss, cs) = spread.sin_cos();
        Affine {
            rows: [[cs, -ss * cb, ss * sb, 0.0], [ss, cs * cb, -cs * sb, 0.0], [0.0, sb, cb, 0.0]],
        }
    }

    /// The rotation about the axis `rotation` by an angle of the length of it (Rodrigues 1840), then a translation.
    fn of_hand(rotation: [f64; 3], translation: [f64; 3]) -> Affine {
        let angle =
            (rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2])
                .sqrt();
        let mut rows = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
        if angle >= 1e-4 {
            let (x, y, z) = (rotation[0] / angle, rotation[1] / angle, rotation[2] / angle);
            let (s, c) = angle.sin_cos();
            let v = 1.0 - c;
            rows = [
                [x * x * v + c, x * y * v - z * s, x * z * v + y * s, 0.0],
                [x * y * v + z * s, y * y * v + c, y * z * v - x * s, 0.0],
                [x * z * v - y * s, y * z * v + x * s, z * z * v + c, 0.0],
            ];
        }
        for i in 0..3 {
            rows[i][3] = translation[i];
        }
        Affine { rows }
    }
}

/// Where the bones of a hand in this pose take what surrounds them when the hand is at rest.
#[adjoint(independents(theta), dependents(return))]
fn bone_transforms(theta: &[f64; POSE], hand: &Hand) -> Vec<Affine> {
    let bones = hand.parents.len();
    let mut joints = vec![[0.0; 2]; bones];
    for finger in 0..FINGERS {
        // The first bone of a finger does not move with respect to the wrist.
        let bone = BONES_BEFORE_FINGERS + finger * BONES_OF_FINGER;
        let first = 6 + finger * 4;
        joints[bone + 1] = [theta[first], theta[first + 1]];
        joints[bone + 2] = [theta[first + 2], 0.0];
        joints[bone + 3] = [theta[first + 3], 0.0];
    }
    let mut absolutes: Vec<Affine> = Vec::with_capacity(bones);
    for bone in 0..bones {
        let joint = Affine::of_joint(joints[bone][0], joints[bone][1]);
        let relative = hand.base_relatives[bone].after(&joint);
        let absolute = match hand.parents[bone] {
            Some(parent) => absolutes[parent].after(&relative),
            None => relative,
        };
        absolutes.push(absolute);
    }
    let mut transforms: Vec<Affine> = Vec::with_capacity(bones);
    for bone in 0..bones {
        transforms.push(absolutes[bone].after(&hand.inverse_base_absolutes[bone]));
    }
    transforms
}

/// The vertices of a hand in this pose. Each is moved by the bones near it (linear blend skinning), then all by the hand.
#[adjoint(independents(theta), dependents(return))]
fn posed_vertices(theta: &[f64; POSE], hand: &Hand) -> Vec<[f64; 3]> {
    let transforms = bone_transforms(theta, hand);
    let whole = Affine::of_hand([theta[0], theta[1], theta[2]], [theta[3], theta[4], theta[5]]);
    let count = hand.base_positions.len();
    let mut vertices = vec![[0.0; 3]; count];
    for vertex in 0..count {
        let base = hand.base_positions[vertex];
        let mut skinned = [0.0; 3];
        for influence in hand.first_influence[vertex]..hand.first_influence[vertex + 1] {
            let transform = &transforms[hand.influencing_bones[influence]];
            let weight = hand.influences[influence];
            for i in 0..3 {
                let row = transform.rows[i];
                skinned[i] += weight
                    * (row[0] * base[0] + row[1] * base[1] + row[2] * base[2] + row[3] * base[3]);
            }
        }
        if hand.mirrored {
            skinned[0] = -skinned[0];
        }
        for i in 0..3 {
            let row = whole.rows[i];
            vertices[vertex][i] =
                row[0] * skinned[0] + row[1] * skinned[1] + row[2] * skinned[2] + row[3];
        }
    }
    vertices
}

/// From the points of a hand in this pose to where they were measured, as in ADBench (Šrajer, Kukelova and Fitzgibbon 2018,
/// section 4.3, after Taylor et al. 2014). A point is a vertex, or lies in a triangle at two of its barycentric coordinates `us`.
#[adjoint(independents(theta, us), dependents(return))]
fn errors(
    theta: &[f64; POSE],
    us: &[f64],
    hand: &Hand,
    corners: &[[usize; 3]],
    points: &[[f64; 3]],
) -> Vec<f64> {
    let vertices = posed_vertices(theta, hand);
    let mut errors = vec![0.0; 3 * points.len()];
    for point in 0..points.len() {
        let [a, b, c] = corners[point];
        for i in 0..3 {
            let place = if us.is_empty() {
                vertices[a][i]
            } else {
                let (u, v) = (us[2 * point], us[2 * point + 1]);
                u * vertices[a][i] + v * vertices[b][i] + (1.0 - u - v) * vertices[c][i]
            };
            errors[3 * point + i] = points[point][i] - place;
        }
    }
    errors
}

fn objective(input: &Input) -> Vec<f64> {
    errors(&input.theta, &input.us, &input.hand, &input.corners, &input.points)
}

/// The derivatives of all errors. The first columns are by the coordinates in the triangle, of which each error depends on
/// those of its own point only, so that one direction serves all of them; then come those by the pose.
fn jacobian(input: &Input) -> Matrix {
    let still = ([0.0; POSE], vec![0.0; input.us.len()]);
    let mut directions = Vec::new();
    if !input.us.is_empty() {
        for coordinate in 0..2 {
            let mut direction = still.clone();
            direction.1.iter_mut().skip(coordinate).step_by(2).for_each(|u| *u = 1.0);
            directions.push(direction);
        }
    }
    for parameter in 0..POSE {
        let mut direction = still.clone();
        direction.0[parameter] = 1.0;
        directions.push(direction);
    }

    let (rows, columns) = (3 * input.points.len(), directions.len());
    let mut entries = vec![0.0; rows * columns];
    for (column, (theta_d, us_d)) in directions.iter().enumerate() {
        let Input { theta, us, hand, corners, points } = input;
        let (_, errors_d) = errors::tangent(theta, theta_d, us, us_d, hand, corners, points);
        for (row, error_d) in errors_d.iter().enumerate() {
            entries[row * columns + column] = *error_d;
        }
    }
    Matrix::from_entries(rows, columns, entries)
}
