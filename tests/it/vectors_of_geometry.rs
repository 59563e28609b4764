//! Types of vectors as libraries of geometry have them: methods that are named like those of lists, conversions of a type into itself, operators
//! called by their methods.

#![allow(clippy::all, reason = "the attribute meets code as people write it, in all forms")]

use backsweep::{Differentiable, adjoint};
use core::ops::{Add, Div, Index, IndexMut, Mul, MulAssign};
use testkit::vectors::check_entries;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct V3 {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct V4 {
    pub x: f64,
    pub y: f64,
    pub z: f64,
    pub w: f64,
}
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct M3 {
    pub x_axis: V3,
    pub y_axis: V3,
    pub z_axis: V3,
}
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct M4 {
    pub x_axis: V4,
    pub y_axis: V4,
    pub z_axis: V4,
    pub w_axis: V4,
}
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Affine {
    pub matrix3: M3,
    pub translation: V3,
}

#[adjoint]
impl V3 {
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }
    pub const fn splat(v: f64) -> Self {
        Self { x: v, y: v, z: v }
    }
    pub fn extend(self, w: f64) -> V4 {
        V4::new(self.x, self.y, self.z, w)
    }
    pub fn to_array(&self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }
    pub fn to_homogeneous(self) -> V4 {
        self.extend(1.0)
    }
    pub fn write_to_slice(self, slice: &mut [f64]) {
        slice[..3].copy_from_slice(&self.to_array());
    }
    pub fn dot(self, r: Self) -> f64 {
        self.x * r.x + self.y * r.y + self.z * r.z
    }
    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }
    pub fn normalize(self) -> Self {
        self * (1.0 / self.length())
    }
    pub fn signed(self, r: Self) -> f64 {
        2.0 * self.dot(r).signum() * self.x
    }
}
#[adjoint]
impl V4 {
    pub const fn new(x: f64, y: f64, z: f64, w: f64) -> Self {
        Self { x, y, z, w }
    }
    pub fn truncate(self) -> V3 {
        V3::new(self.x, self.y, self.z)
    }
}
#[adjoint]
impl From<V4> for V3 {
    fn from(v: V4) -> Self {
        Self { x: v.x, y: v.y, z: v.z }
    }
}
#[adjoint]
impl From<(V3, f64)> for V4 {
    fn from((v, w): (V3, f64)) -> Self {
        v.extend(w)
    }
}
#[adjoint]
impl From<V3> for (f64, f64, f64) {
    fn from(v: V3) -> Self {
        (v.x, v.y, v.z)
    }
}
#[adjoint]
impl From<V3> for [f64; 3] {
    fn from(v: V3) -> Self {
        [v.x, v.y, v.z]
    }
}
#[adjoint]
impl Add for V3 {
    type Output = Self;
    fn add(self, r: Self) -> Self {
        Self { x: self.x + r.x, y: self.y + r.y, z: self.z + r.z }
    }
}
#[adjoint]
impl Mul<f64> for V3 {
    type Output = Self;
    fn mul(self, r: f64) -> Self {
        Self { x: self.x * r, y: self.y * r, z: self.z * r }
    }
}
#[adjoint]
impl Mul<f64> for V4 {
    type Output = Self;
    fn mul(self, r: f64) -> Self {
        Self { x: self.x * r, y: self.y * r, z: self.z * r, w: self.w * r }
    }
}
#[adjoint]
impl Div<f64> for V3 {
    type Output = Self;
    fn div(self, r: f64) -> Self {
        Self { x: self.x / r, y: self.y / r, z: self.z / r }
    }
}
#[adjoint]
impl Mul<V3> for V3 {
    type Output = Self;
    fn mul(self, r: V3) -> Self {
        Self { x: self.x * r.x, y: self.y * r.y, z: self.z * r.z }
    }
}
#[adjoint]
impl Mul<&V3> for V3 {
    type Output = Self;
    fn mul(self, r: &V3) -> Self {
        self.mul(*r)
    }
}
#[adjoint]
impl Mul<&V3> for &V3 {
    type Output = V3;
    fn mul(self, r: &V3) -> V3 {
        (*self).mul(*r)
    }
}
#[adjoint]
impl Mul<V3> for &V3 {
    type Output = V3;
    fn mul(self, r: V3) -> V3 {
        (*self).mul(r)
    }
}
#[adjoint]
impl MulAssign<V3> for V3 {
    fn mul_assign(&mut self, r: V3) {
        *self = self.mul(r);
    }
}
#[adjoint]
impl MulAssign<&V3> for V3 {
    fn mul_assign(&mut self, r: &V3) {
        self.mul_assign(*r);
    }
}
#[adjoint]
impl Index<usize> for V3 {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        match i {
            0 => &self.x,
            1 => &self.y,
            2 => &self.z,
            _ => panic!("index out of bounds"),
        }
    }
}
#[adjoint]
impl IndexMut<usize> for V3 {
    fn index_mut(&mut self, i: usize) -> &mut Self::Output {
        match i {
            0 => &mut self.x,
            1 => &mut self.y,
            2 => &mut self.z,
            _ => panic!("index out of bounds"),
        }
    }
}
#[adjoint]
impl M3 {
    pub fn mul_vec3(&self, v: V3) -> V3 {
        let mut res = self.x_axis.mul(v.x);
        res = res.add(self.y_axis.mul(v.y));
        res = res.add(self.z_axis.mul(v.z));
        res
    }
    pub fn from_axis_angle(axis: V3, angle: f64) -> Self {
        let (sin, cos) = angle.sin_cos();
        let (xsin, ysin, zsin) = axis.mul(sin).into();
        let (x, y, z) = axis.into();
        let (x2, y2, z2) = axis.mul(axis).into();
        let omc = 1.0 - cos;
        let xyomc = x * y * omc;
        let xzomc = x * z * omc;
        let yzomc = y * z * omc;
        Self {
            x_axis: V3::new(x2 * omc + cos, xyomc + zsin, xzomc - ysin),
            y_axis: V3::new(xyomc - zsin, y2 * omc + cos, yzomc + xsin),
            z_axis: V3::new(xzomc + ysin, yzomc - xsin, z2 * omc + cos),
        }
    }
    pub fn from_mat4(m: M4) -> Self {
        Self {
            x_axis: m.x_axis.truncate(),
            y_axis: m.y_axis.truncate(),
            z_axis: m.z_axis.truncate(),
        }
    }
    pub fn scale_checked<const CHECKED: bool>(self) -> (Self, bool) {
        let l = self.x_axis.length();
        if CHECKED && l == 0.0 {
            return (self, false);
        }
        let i = 1.0 / l;
        (
            Self {
                x_axis: self.x_axis.mul(i),
                y_axis: self.y_axis.mul(i),
                z_axis: self.z_axis.mul(i),
            },
            true,
        )
    }
    pub fn scaled(self) -> Self {
        self.scale_checked::<false>().0
    }
    pub fn try_scaled(self) -> Option<Self> {
        let (m, ok) = self.scale_checked::<true>();
        if ok { Some(m) } else { None }
    }
}
#[adjoint]
impl M4 {
    pub fn from_mat3(m: M3) -> Self {
        Self {
            x_axis: V4::from((m.x_axis, 0.0)),
            y_axis: V4::from((m.y_axis, 0.0)),
            z_axis: m.z_axis.extend(0.0),
            w_axis: V4::new(0.0, 0.0, 0.0, 1.0),
        }
    }
}
#[adjoint]
impl From<Affine> for M4 {
    fn from(m: Affine) -> M4 {
        M4 {
            x_axis: m.matrix3.x_axis.extend(0.0),
            y_axis: m.matrix3.y_axis.extend(0.0),
            z_axis: m.matrix3.z_axis.extend(0.0),
            w_axis: m.translation.extend(1.0),
        }
    }
}
#[adjoint]
impl Affine {
    pub fn from_translation(t: V3) -> Self {
        Self {
            matrix3: M3 { x_axis: V3::splat(1.0), y_axis: V3::splat(2.0), z_axis: V3::splat(0.5) },
            translation: t.into(),
        }
    }
    pub fn from_mat3(m: M3) -> Self {
        Self { matrix3: m.into(), translation: V3::splat(0.0) }
    }
    pub fn to_parts(&self) -> (f64, V3) {
        (self.matrix3.x_axis.x, self.translation.into())
    }
    pub fn to_cols(&self) -> [[f64; 3]; 4] {
        [
            self.matrix3.x_axis.into(),
            self.matrix3.y_axis.into(),
            self.matrix3.z_axis.into(),
            self.translation.into(),
        ]
    }
    pub fn write(&self, s: &mut [f64]) {
        self.translation.write_to_slice(&mut s[2..5]);
    }
    pub fn transform(&self, p: V3) -> V3 {
        ((self.matrix3.x_axis * p.x)
            + (self.matrix3.y_axis * p.y)
            + (self.matrix3.z_axis * p.z)
            + self.translation)
            .into()
    }
}

#[adjoint]
fn axes(a: V3, b: V3) -> M4 {
    let axes = [a, b, a * b];
    M4 {
        x_axis: axes[0].extend(0.0),
        y_axis: axes[1].extend(0.0),
        z_axis: axes[2].extend(0.0),
        w_axis: V4::new(0.0, 0.0, 0.0, 1.0),
    }
}
#[adjoint]
fn total(m: &M4) -> f64 {
    m.x_axis.truncate().dot(m.y_axis.truncate()) + m.z_axis.truncate().length()
}
#[adjoint]
fn columns(x: &[f64]) -> f64 {
    let (a, b) = (V3::new(x[0], x[1], x[2]), V3::new(x[3], x[4], x[5]));
    total(&axes(a, b)) + a.signed(b)
}
#[adjoint]
fn rotated(x: &[f64]) -> f64 {
    let axis = V3::new(x[0], x[1], x[2]).normalize();
    let m = M3::from_axis_angle(axis, x[3]);
    let v = m.mul_vec3(V3::new(x[4], x[5], 0.3));
    v.x * v.y + v.z
}
#[adjoint]
fn scaled(x: &[f64]) -> f64 {
    let m = M3 {
        x_axis: V3::new(x[0], x[1], x[2]),
        y_axis: V3::new(x[3], x[4], x[5]),
        z_axis: V3::splat(x[0] * x[5]),
    };
    let one = m.scaled();
    let m4 = M4::from_mat3(one);
    let back = M3::from_mat4(m4);
    match m.try_scaled() {
        Some(other) => back.z_axis.dot(other.y_axis) + total(&m4),
        None => 0.0,
    }
}
#[adjoint]
fn affine(x: &[f64]) -> f64 {
    let moved = Affine::from_translation(V3::new(x[0], x[1], x[2]));
    let turned = Affine::from_mat3(M3::from_axis_angle(V3::new(0.6, 0.0, 0.8), x[3]));
    let (corner, translation) = moved.to_parts();
    let columns = turned.to_cols();
    let mut flat = [x[4]; 6];
    moved.write(&mut flat);
    let m4: M4 = turned.into();
    let p = turned.transform(moved.transform(V3::new(x[4], x[5], 1.0)));
    corner * translation.y
        + columns[0][2] * columns[1][1]
        + flat[0] * flat[3]
        + flat[5]
        + total(&m4)
        + p.x * p.z
}
#[adjoint]
fn indexed(x: &[f64]) -> f64 {
    let mut v = V3::new(x[0], x[1], x[2]);
    for i in 0..3 {
        v[i] *= x[3 + i];
        v[i] += v[(i + 1) % 3];
    }
    v *= V3::new(x[5], x[4], x[3]);
    v *= &V3::splat(x[0]);
    v[0] * v[1] + (&v * &v).z + (v * &v).y + (&v * v).x
}

#[test]
fn vectors_as_libraries_of_geometry_write_them() {
    let x = [0.7, -0.4, 1.1, 0.5, 1.3, -0.8];
    check_entries(&x, columns, columns::gradient, columns::tangent);
    check_entries(&x, rotated, rotated::gradient, rotated::tangent);
    check_entries(&x, scaled, scaled::gradient, scaled::tangent);
    check_entries(&x, affine, affine::gradient, affine::tangent);
    check_entries(&x, indexed, indexed::gradient, indexed::tangent);
}
