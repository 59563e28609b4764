//! Indices of the user's types that have no adjoints.
use backsweep::{Differentiable, adjoint};
use std::ops::{Deref, DerefMut, Index, IndexMut};

#[derive(Clone, Differentiable)]
struct Grid<T> {
    data: Vec<T>,
    columns: usize,
}

impl<T> Index<[usize; 2]> for Grid<T> {
    type Output = T;

    fn index(&self, [row, column]: [usize; 2]) -> &T {
        &self.data[row * self.columns + column]
    }
}

#[adjoint]
fn unannotated<T: Copy + std::ops::Mul<Output = T>>(grid: &Grid<T>, x: T) -> T {
    grid[[0, 1]] * x
}

#[derive(Clone, Differentiable)]
struct Inner<T> {
    data: Vec<T>,
}

#[adjoint]
impl<T: Copy> Index<[usize; 2]> for Inner<T> {
    type Output = T;

    fn index(&self, [row, _]: [usize; 2]) -> &T {
        &self.data[row]
    }
}

#[derive(Clone, Differentiable)]
struct Outer<T> {
    inner: Inner<T>,
}

impl<T> Deref for Outer<T> {
    type Target = Inner<T>;

    fn deref(&self) -> &Inner<T> {
        &self.inner
    }
}

impl<T: Copy> Index<[usize; 2]> for Outer<T> {
    type Output = T;

    fn index(&self, [_, column]: [usize; 2]) -> &T {
        &self.inner.data[column]
    }
}

#[adjoint]
fn behind_deref<T: Copy + std::ops::Mul<Output = T>>(outer: &Outer<T>, x: T) -> T {
    outer[[0, 1]] * x
}

/// Written is another place than the annotated one.
#[derive(Clone, Differentiable)]
struct Table {
    data: Vec<f64>,
}

#[adjoint]
impl Index<[usize; 2]> for Table {
    type Output = f64;

    fn index(&self, [row, _]: [usize; 2]) -> &f64 {
        &self.data[row]
    }
}

#[adjoint]
impl IndexMut<[usize; 2]> for Table {
    fn index_mut(&mut self, [row, _]: [usize; 2]) -> &mut f64 {
        &mut self.data[row]
    }
}

#[derive(Clone, Differentiable)]
struct Wrapped {
    pub table: Table,
}

impl Deref for Wrapped {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

impl DerefMut for Wrapped {
    fn deref_mut(&mut self) -> &mut Table {
        &mut self.table
    }
}

#[adjoint]
impl Index<[usize; 2]> for Wrapped {
    type Output = f64;

    fn index(&self, [_, column]: [usize; 2]) -> &f64 {
        &self.table.data[column]
    }
}

impl IndexMut<[usize; 2]> for Wrapped {
    fn index_mut(&mut self, [_, column]: [usize; 2]) -> &mut f64 {
        &mut self.table.data[column]
    }
}

#[adjoint(independents(x), declared(operator Index, Wrapped, [usize; 2], f64;))]
fn written_behind_deref(x: f64) -> f64 {
    let mut wrapped = Wrapped { table: Table { data: vec![0.0; 2] } };
    wrapped[[0, 1]] = x;
    wrapped[[0, 1]] * x
}

#[derive(Clone, Differentiable)]
struct Twice {
    data: Vec<f64>,
}

/// Numbers that are written as they are, `twice[0]`, are those of the other one.
#[adjoint]
impl Index<usize> for Twice {
    type Output = f64;

    fn index(&self, at: usize) -> &f64 {
        &self.data[at]
    }
}

impl Index<i32> for Twice {
    type Output = f64;

    fn index(&self, at: i32) -> &f64 {
        &self.data[at as usize + 1]
    }
}

fn main() {}
