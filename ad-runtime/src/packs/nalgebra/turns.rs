//! What rotations have in common, whatever they are made of.

use super::Float;
use super::floats::number;
use crate::rules::check::Sample;
use crate::{Differentiable, Placeholder, Storable, Unchanging, Vector};
use nalgebra::*;

/// A rotation of vectors. Its inverse is the adjoint, for all numbers that it may hold.
pub trait Turn<F: Float, const N: usize>:
    AbstractRotation<F, N>
    + Copy
    + Differentiable<Bar = Self>
    + Vector
    + Storable
    + Placeholder
    + Unchanging
    + Sample
{
    /// What it gets of the weight of a vector that it has turned.
    fn pulled(&self, vector: &SVector<F, N>, weight: &SVector<F, N>) -> Self;
    /// What a direction of it does to the vector.
    fn pushed(&self, vector: &SVector<F, N>, direction: &Self) -> SVector<F, N>;
}

impl<F: Float, const N: usize> Turn<F, N> for Rotation<F, N>
where
    Self: AbstractRotation<F, N>,
{
    fn pulled(&self, vector: &SVector<F, N>, weight: &SVector<F, N>) -> Self {
        Rotation::from_matrix_unchecked(weight * vector.transpose())
    }
    fn pushed(&self, vector: &SVector<F, N>, direction: &Self) -> SVector<F, N> {
        direction.matrix() * vector
    }
}

impl<F: Float> Turn<F, 2> for UnitComplex<F> {
    fn pulled(&self, vector: &SVector<F, 2>, weight: &SVector<F, 2>) -> Self {
        Unit::new_unchecked(Complex::new(vector.dot(weight), vector.perp(weight)))
    }
    fn pushed(&self, vector: &SVector<F, 2>, direction: &Self) -> SVector<F, 2> {
        direction * vector
    }
}

impl<F: Float> Turn<F, 3> for UnitQuaternion<F> {
    fn pulled(&self, vector: &SVector<F, 3>, weight: &SVector<F, 3>) -> Self {
        let (axis, scalar, two) = (self.as_ref().imag(), self.as_ref().w, number::<F>(2.0));
        let across = axis.cross(vector);
        let part = vector.cross(weight) * scalar
            + across.cross(weight)
            + vector.cross(&weight.cross(&axis));
        Unit::new_unchecked(Quaternion::from_parts(across.dot(weight) * two, part * two))
    }
    fn pushed(&self, vector: &SVector<F, 3>, direction: &Self) -> SVector<F, 3> {
        let (axis, scalar, two) = (self.as_ref().imag(), self.as_ref().w, number::<F>(2.0));
        let (along, change) = (direction.as_ref().imag(), direction.as_ref().w);
        let (across, moved) = (axis.cross(vector), along.cross(vector));
        (across * change + moved * scalar + along.cross(&across) + axis.cross(&moved)) * two
    }
}

/// The vector of the part of a matrix that turns signs when it is transposed.
pub(super) fn axial<F: Float>(of: &SMatrix<F, 3, 3>) -> SVector<F, 3> {
    Vector3::new(of.m32 - of.m23, of.m13 - of.m31, of.m21 - of.m12)
}

/// The sine over an angle, and its derivative over the angle.
fn sine_over<F: Float>(angle: F) -> (F, F) {
    let square = angle * angle;
    if square < number(1e-4) {
        return (
            F::one() - square / number(6.0) + square * square / number(120.0),
            number::<F>(-1.0 / 3.0) + square / number(30.0),
        );
    }
    let ratio = angle.sin() / angle;
    (ratio, (angle.cos() - ratio) / square)
}

/// What is left of 1 less the cosine over the square of an angle, and its derivative over the angle.
fn versine_over<F: Float>(angle: F) -> (F, F) {
    let square = angle * angle;
    if square < number(1e-4) {
        return (
            number::<F>(0.5) - square / number(24.0) + square * square / number(720.0),
            number::<F>(-1.0 / 12.0) + square / number(180.0),
        );
    }
    let half = (angle * number(0.5)).sin();
    let ratio = number::<F>(2.0) * half * half / square;
    (ratio, (sine_over(angle).0 - ratio - ratio) / square)
}

/// What an axis times an angle gets of the weight of the quaternion that is made of it.
pub(super) fn pulled_by_scaled_axis<F: Float>(
    of: &SVector<F, 3>,
    weight: &UnitQuaternion<F>,
) -> SVector<F, 3> {
    let (half, weight) = (of * number::<F>(0.5), weight.as_ref());
    let (ratio, slope) = sine_over(half.norm());
    let part = half * (half.dot(&weight.imag()) * slope - ratio * weight.w) + weight.imag() * ratio;
    part * number::<F>(0.5)
}

/// What a direction of an axis times an angle does to the quaternion that is made of it.
pub(super) fn pushed_by_scaled_axis<F: Float>(
    of: &SVector<F, 3>,
    direction: &SVector<F, 3>,
) -> UnitQuaternion<F> {
    let (half, along) = (of * number::<F>(0.5), direction * number::<F>(0.5));
    let (ratio, slope) = sine_over(half.norm());
    let change = half.dot(&along);
    Unit::new_unchecked(Quaternion::from_parts(
        -ratio * change,
        along * ratio + half * (slope * change),
    ))
}

/// What an axis times an angle gets of the weight of the matrix that is made of it.
pub(super) fn pulled_by_axis_of_matrix<F: Float>(
    of: &SVector<F, 3>,
    weight: &SMatrix<F, 3, 3>,
) -> SVector<F, 3> {
    let (sine, sine_slope) = sine_over(of.norm());
    let (versine, versine_slope) = versine_over(of.norm());
    let (axial, both) = (axial(weight), (weight + weight.transpose()) * of);
    let along = axial.dot(of) * sine_slope - sine * weight.trace()
        + both.dot(of) * versine_slope * number(0.5);
    axial * sine + both * versine + of * along
}

/// What a direction of an axis times an angle does to the matrix that is made of it.
pub(super) fn pushed_by_axis_of_matrix<F: Float>(
    of: &SVector<F, 3>,
    direction: &SVector<F, 3>,
) -> SMatrix<F, 3, 3> {
    let (sine, sine_slope) = sine_over(of.norm());
    let (versine, versine_slope) = versine_over(of.norm());
    let (change, outer) = (of.dot(direction), of * direction.transpose());
    Matrix3::from_diagonal_element(-sine * change)
        + direction.cross_matrix() * sine
        + of.cross_matrix() * (sine_slope * change)
        + (outer + outer.transpose()) * versine
        + of * of.transpose() * (versine_slope * change)
}
