//! Types with indices of their own.

use backsweep::{Differentiable, adjoint};
use num_traits::Float;
use std::ops::{Index, IndexMut, MulAssign};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    data: Vec<f64>,
}

impl Matrix {
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self { rows, columns, data: vec![0.0; rows * columns] }
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn columns(&self) -> usize {
        self.columns
    }
}

#[adjoint]
impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    #[inline]
    fn index(&self, (i, j): (usize, usize)) -> &Self::Output {
        assert!(i < self.rows && j < self.columns, "out of bounds");
        &self.data[i * self.columns + j]
    }
}

#[adjoint]
impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        assert!(i < self.rows && j < self.columns, "out of bounds");
        &mut self.data[i * self.columns + j]
    }
}

/// From the other corner, and not changed in the same way.
#[adjoint]
impl Index<[usize; 2]> for Matrix {
    type Output = f64;

    fn index(&self, [i, j]: [usize; 2]) -> &f64 {
        let at = self.data.len() - 1 - (i * self.columns + j);
        &self.data[at]
    }
}

/// The place before the one that is read.
#[adjoint]
impl IndexMut<[usize; 2]> for Matrix {
    fn index_mut(&mut self, [i, j]: [usize; 2]) -> &mut f64 {
        let at = self.data.len() - 2 - (i * self.columns + j);
        &mut self.data[at]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

#[adjoint]
impl Index<usize> for Point {
    type Output = f64;

    fn index(&self, axis: usize) -> &f64 {
        match axis {
            0 => &self.x,
            1 => &self.y,
            2 => &self.z,
            _ => panic!("a point has three coordinates"),
        }
    }
}

#[adjoint]
impl IndexMut<usize> for Point {
    fn index_mut(&mut self, axis: usize) -> &mut f64 {
        if axis == 0 {
            return &mut self.x;
        }
        if axis == 1 { &mut self.y } else { &mut self.z }
    }
}

#[adjoint]
impl Point {
    pub fn norm(&self) -> f64 {
        (self[0] * self[0] + self[1] * self[1] + self[2].powi(2)).sqrt()
    }

    pub fn turned(self) -> Self {
        Self { x: self.y, y: -self.x, z: 2.0 * self.z }
    }

    pub fn bump(&mut self, axis: usize, x: f64) {
        self[axis] = x;
        self[axis] += x * self[0];
    }
}

#[adjoint]
impl MulAssign for Point {
    fn mul_assign(&mut self, other: Self) {
        *self = Self {
            x: self.x * other.x - self.y * other.y,
            y: self.x * other.y + self.y * other.x,
            z: self.z * other.z,
        };
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Scene {
    pub matrix: Matrix,
    pub points: Vec<Point>,
}

/// By columns.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Grid<T> {
    rows: usize,
    data: Vec<T>,
}

#[adjoint]
impl<T: Float> Grid<T> {
    pub fn new(rows: usize, data: Vec<T>) -> Self {
        Self { rows, data }
    }
}

#[adjoint]
impl<T: Float> Index<[usize; 2]> for Grid<T> {
    type Output = T;

    fn index(&self, index: [usize; 2]) -> &T {
        &self.data[index[1] * self.rows + index[0]]
    }
}

#[adjoint]
impl<T: Float> IndexMut<[usize; 2]> for Grid<T> {
    fn index_mut(&mut self, [i, j]: [usize; 2]) -> &mut T {
        &mut self.data[j * self.rows + i]
    }
}

#[adjoint]
impl<T: Float + MulAssign> Grid<T> {
    pub fn corner(&self, x: T) -> T {
        self[[0, 1]] * x
    }

    pub fn put(&mut self, x: T) {
        self[[0, 1]] = x * x;
        self[[0, 1]] *= x;
    }
}

/// Rows of two kinds, by two kinds of numbers.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Rows {
    points: Vec<Point>,
    lists: Vec<Vec<f64>>,
}

#[adjoint]
impl Rows {
    pub fn new(points: Vec<Point>, lists: Vec<Vec<f64>>) -> Self {
        Self { points, lists }
    }
}

#[adjoint]
impl Index<usize> for Rows {
    type Output = Point;

    fn index(&self, i: usize) -> &Point {
        &self.points[i]
    }
}

#[adjoint]
impl IndexMut<usize> for Rows {
    fn index_mut(&mut self, i: usize) -> &mut Point {
        &mut self.points[i]
    }
}

#[adjoint]
impl Index<u8> for Rows {
    type Output = Vec<f64>;

    fn index(&self, i: u8) -> &Vec<f64> {
        &self.lists[usize::from(i)]
    }
}
