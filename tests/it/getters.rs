//! Getters, methods that return a reference to a part of their receiver: what they lead to has derivatives, compared with differences, and
//! tangents with adjoints.
#![allow(clippy::needless_return, reason = "getters end in all ways")]

use crate::differences::assert_gradient;
use backsweep::adjoint;
use grid::Grid;
use matrix::Matrix;

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A matrix whose fields no other module sees.
mod grid {
    use backsweep::{Differentiable, adjoint};
    use std::cell::Cell;

    thread_local! {
        /// How often places were looked for by a function that is called.
        pub static LOOKED: Cell<usize> = const { Cell::new(0) };
    }

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    pub struct Grid {
        data: Vec<f64>,
        columns: usize,
        scale: f64,
        #[passive]
        weights: Vec<f64>,
    }

    fn counted(index: usize) -> usize {
        LOOKED.with(|looked| looked.set(looked.get() + 1));
        index
    }

    #[adjoint]
    impl Grid {
        pub fn new(data: Vec<f64>, columns: usize, scale: f64) -> Self {
            Self { data, columns, scale, weights: Vec::new() }
        }

        pub fn row(&self, i: usize) -> &[f64] {
            assert!(i < 100, "a row");
            &self.data[i * self.columns..(i + 1) * self.columns]
        }

        pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
            let start = i * self.columns;
            &mut self.data[start..start + self.columns]
        }

        pub fn at(&mut self, i: usize, j: usize) -> &mut f64 {
            &mut self.data[i * self.columns + j]
        }

        pub fn data(&self) -> &[f64] {
            &self.data
        }

        pub fn values(&mut self) -> &mut Vec<f64> {
            &mut self.data
        }

        pub fn scale(&self) -> &f64 {
            &self.scale
        }

        pub fn either(&self, first: bool) -> &f64 {
            if first {
                &self.data[0]
            } else {
                return &self.scale;
            }
        }

        pub fn looked_for(&self, i: usize) -> &f64 {
            &self.data[counted(i)]
        }

        /// What leads through a field without a bar has no derivative, and is no getter.
        pub fn weights(&self) -> &[f64] {
            &self.weights
        }

        #[allow(dead_code, reason = "of results that hold no floats nothing is generated")]
        pub fn name(&self) -> &str {
            "grid"
        }

        pub fn trace(&self) -> f64 {
            self.row(0)[0] + self.row(1)[1] * self.scale()
        }
    }
}

fn grid_of(numbers: &[f64]) -> Grid {
    Grid::new(numbers[..4].to_vec(), 2, numbers[4])
}

fn numbers_of(grid: &Grid) -> Vec<f64> {
    grid.data().iter().chain([grid.scale()]).copied().collect()
}

const NUMBERS: [f64; 5] = [0.3, 0.7, 1.1, -0.4, 1.7];

#[adjoint(independents(grid, x), dependents(return))]
fn product(grid: &Grid, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..2 {
        let row = grid.row(i);
        for j in 0..row.len() {
            sum += row[j] * x[j] * *grid.scale();
        }
    }
    sum * grid.either(sum > 0.0) + grid.either(false).sin() + grid.trace()
}

#[test]
fn elements_of_rows_have_derivatives() {
    let x = [0.5, 0.9];
    let grid = grid_of(&NUMBERS);
    let (value, (grid_b, x_b)) = product::gradient(&grid, &x);
    assert_eq!(value, product(&grid, &x));
    assert_gradient(&numbers_of(&grid_b), &NUMBERS, |numbers| product(&grid_of(numbers), &x));
    assert_gradient(&x_b, &x, |x| product(&grid, x));
    let along = [0.1, -0.2, 0.3, 0.7, 0.9];
    let (_, tangent) = product::tangent(&grid, &grid_of(&along), &x, &[0.4, 0.0]);
    let expected = dot(&numbers_of(&grid_b), &along) + 0.4 * x_b[0];
    assert!((tangent - expected).abs() < 1e-13, "{tangent} instead of {expected}");
}

#[adjoint(independents(grid, x), dependents(return))]
fn folded(grid: &Grid, x: f64) -> f64 {
    let sines = grid.data().iter().map(|v| v.sin() * x).sum::<f64>();
    let pairs = grid.row(1).iter().zip(grid.row(0)).map(|(a, b)| a * b).sum::<f64>();
    let neighbours = grid.data().windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>();
    let largest = grid.data().iter().copied().fold(0.0, f64::max);
    let entry = |i: usize| grid.row(i)[0] * x;
    sines + pairs + neighbours + largest * x + entry(0) * entry(1) + grid.data().last().unwrap()
}

#[test]
fn iterators_go_over_what_getters_lead_to() {
    let (_, (grid_b, x_b)) = folded::gradient(&grid_of(&NUMBERS), 0.6);
    assert_gradient(&numbers_of(&grid_b), &NUMBERS, |numbers| folded(&grid_of(numbers), 0.6));
    assert_gradient(&[x_b], &[0.6], |x| folded(&grid_of(&NUMBERS), x[0]));
}

#[adjoint(independents(list, factor), dependents(list))]
fn scale(list: &mut [f64], factor: f64) {
    for v in list.iter_mut() {
        *v *= factor;
    }
}

#[adjoint(independents(grid, x), dependents(grid))]
fn change(grid: &mut Grid, x: f64) {
    *grid.at(0, 1) *= x;
    for v in grid.row_mut(1).iter_mut() {
        *v = v.sin() * x;
    }
    grid.row_mut(0)[0] = x * x;
    *grid.at(1, 1) += grid.row(0)[1] * x;
    grid.values().swap(0, 3);
    let (low, high) = grid.values().split_at_mut(2);
    low[0] *= high[1];
    std::mem::swap(&mut low[1], &mut high[0]);
    if let Some(v) = grid.values().get_mut(2) {
        *v = v.exp();
    }
    scale(grid.row_mut(1), x);
    let copy = grid.data().to_vec();
    for (v, w) in grid.values().iter_mut().zip(&copy) {
        *v *= w;
    }
}

#[test]
fn what_getters_lead_to_is_written() {
    let seed = [0.5, -0.2, 0.9, 1.3, 0.0];
    let changed = |numbers: &[f64], x: f64| {
        let mut grid = grid_of(numbers);
        change(&mut grid, x);
        dot(&numbers_of(&grid), &seed)
    };
    let (mut grid, mut grid_b, mut x_b) = (grid_of(&NUMBERS), grid_of(&seed), 0.0);
    change::adjoint(&mut grid, &mut grid_b, 0.6, &mut x_b);
    let mut plain = grid_of(&NUMBERS);
    change(&mut plain, 0.6);
    assert_eq!(grid, plain);
    assert_gradient(&numbers_of(&grid_b), &NUMBERS, |numbers| changed(numbers, 0.6));
    assert_gradient(&[x_b], &[0.6], |x| changed(&NUMBERS, x[0]));
}

#[adjoint(independents(x), dependents(return))]
fn made_here(x: &[f64]) -> f64 {
    let mut grid = Grid::new(x[..4].to_vec(), 2, x[4]);
    *grid.at(0, 0) *= 3.0;
    let kept = *grid.at(1, 0);
    *grid.at(1, 0) = x[0] * x[4];
    grid.row(0)[0] * grid.row(1)[1] + kept * grid.row(1)[0]
}

#[test]
fn values_that_are_made_here_have_getters() {
    let (value, x_b) = made_here::gradient(&NUMBERS);
    assert_eq!(value, made_here(&NUMBERS));
    assert_gradient(&x_b, &NUMBERS, made_here);
}

#[adjoint(independents(grid), dependents(return))]
fn looked_for_once(grid: &Grid) -> f64 {
    let mut product = 1.0;
    for i in 0..4 {
        let found = grid.looked_for(i);
        product *= found * found;
    }
    product
}

#[test]
fn what_a_getter_calls_is_called_once() {
    let looked = |run: &dyn Fn()| {
        grid::LOOKED.set(0);
        run();
        grid::LOOKED.get()
    };
    let grid = grid_of(&NUMBERS);
    assert_eq!(looked(&|| assert!(looked_for_once(&grid) > 0.0)), 4);
    let gradient = || {
        let (_, grid_b) = looked_for_once::gradient(&grid);
        assert_gradient(&numbers_of(&grid_b), &NUMBERS, |numbers| {
            let before = grid::LOOKED.get();
            let value = looked_for_once(&grid_of(numbers));
            grid::LOOKED.set(before);
            value
        });
    };
    assert_eq!(looked(&gradient), 4);
}

#[adjoint(independents(grid), dependents(return))]
fn weighed(grid: &Grid) -> f64 {
    let count = #[passive]
    grid.weights().len();
    grid.data()[count] * *grid.scale()
}

#[test]
fn getters_of_passive_fields_are_called_as_they_are() {
    let (value, grid_b) = weighed::gradient(&grid_of(&NUMBERS));
    assert_eq!(value, 0.3 * 1.7);
    assert_eq!(numbers_of(&grid_b), [1.7, 0.0, 0.0, 0.0, 0.3]);
}

/// Types with parameters.
mod matrix {
    use backsweep::{Differentiable, adjoint};
    use num_traits::Float;

    #[derive(Clone, Debug, Differentiable)]
    pub struct Matrix<T> {
        data: Vec<T>,
        columns: usize,
        corner: Point<T>,
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Point<T> {
        x: T,
        y: T,
    }

    impl<T: Float> Point<T> {
        #[adjoint]
        pub fn x(&self) -> &T {
            &self.x
        }

        #[adjoint]
        pub fn norm(&self) -> T {
            (*self.x() * self.x + self.y * self.y).sqrt()
        }
    }

    #[adjoint]
    impl<T: Float> Matrix<T> {
        pub fn new(data: Vec<T>, columns: usize) -> Self {
            let corner = Point { x: data[0] * data[1], y: data[1] };
            Self { data, columns, corner }
        }

        pub fn row(&self, i: usize) -> &[T] {
            &self.data[i * self.columns..(i + 1) * self.columns]
        }

        pub fn row_mut(&mut self, i: usize) -> &mut [T] {
            &mut self.data[i * self.columns..(i + 1) * self.columns]
        }

        pub fn at(&self, i: usize, j: usize) -> &T {
            &self.data[i * self.columns + j]
        }

        pub fn corner(&self) -> &Point<T> {
            &self.corner
        }

        pub fn values(&self) -> &Vec<T> {
            &self.data
        }

        pub fn dot(&self, i: usize, list: &[T]) -> T {
            let mut sum = T::zero();
            for (a, b) in self.row(i).iter().zip(list) {
                sum = sum + *a * *b;
            }
            sum + *self.at(0, 0)
        }
    }
}

#[adjoint(independents(matrix, x), dependents(return))]
fn of_numbers(matrix: &Matrix<f64>, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..2 {
        let row = matrix.row(i);
        for j in 0..row.len() {
            sum += row[j] * x[j];
        }
    }
    sum * matrix.at(1, 1)
        + matrix.dot(1, x)
        + matrix.corner().norm()
        + *matrix.corner().x()
        + matrix.values()[2].sin()
}

#[adjoint(independents(data, x), dependents(return))]
fn of_data(data: &[f64], x: f64) -> f64 {
    of_numbers(&Matrix::new(data.to_vec(), 2), &[x, 0.7])
}

#[test]
fn types_with_parameters_have_getters() {
    let data = &NUMBERS[..4];
    let (_, (data_b, x_b)) = of_data::gradient(data, 0.6);
    assert_gradient(&data_b, data, |data| of_data(data, 0.6));
    assert_gradient(&[x_b], &[0.6], |x| of_data(data, x[0]));
}

#[adjoint(independents(matrix, x), dependents(matrix))]
fn of_floats<T: num_traits::Float>(matrix: &mut Matrix<T>, x: T) {
    for v in matrix.row_mut(1).iter_mut() {
        *v = *v * x;
    }
    let last = *matrix.at(1, 1);
    let row = matrix.row_mut(0);
    row[0] = row[0] * row[1] + last;
}

#[test]
fn functions_of_floats_call_getters() {
    let (seed, data) = ([0.5, -0.2, 0.9, 1.3], &NUMBERS[..4]);
    let changed = |data: &[f64], x: f64| {
        let mut matrix = Matrix::new(data.to_vec(), 2);
        of_floats(&mut matrix, x);
        dot(matrix.values(), &seed)
    };
    let (mut matrix, mut matrix_b) = (Matrix::new(data.to_vec(), 2), Matrix::new(seed.to_vec(), 2));
    let mut x_b = 0.0;
    of_floats::adjoint(&mut matrix, &mut matrix_b, 0.6, &mut x_b);
    assert_gradient(matrix_b.values(), data, |data| changed(data, 0.6));
    assert_gradient(&[x_b], &[0.6], |x| changed(data, x[0]));
}

#[adjoint]
mod annotated {
    use backsweep::Differentiable;

    #[derive(Clone, Debug, Differentiable)]
    pub struct Pair {
        pub list: Vec<f64>,
    }

    impl Pair {
        pub fn entry(&self, i: usize) -> &f64 {
            &self.list[i]
        }

        pub fn sum(&self) -> f64 {
            self.entry(0) + self.entry(1)
        }
    }

    pub fn total(pair: &Pair) -> f64 {
        pair.entry(0) * pair.sum()
    }
}

#[adjoint(independents(pair), dependents(return))]
fn of_pair(pair: &annotated::Pair) -> f64 {
    annotated::total(pair) * pair.entry(1)
}

#[test]
fn getters_stand_in_annotated_modules() {
    let pair = annotated::Pair { list: vec![2.0, 3.0] };
    let (value, pair_b) = of_pair::gradient(&pair);
    assert_eq!((value, pair_b.list), (30.0, vec![21.0, 16.0]));
}

#[adjoint(independents(a, b), dependents(return))]
fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[adjoint(independents(a, b), dependents(return))]
fn overlapping(a: &Grid, b: &Grid) -> f64 {
    inner(a.data(), b.data()) + inner(&a.data()[1..], &a.data()[..3]) + inner(a.row(0), a.row(0))
}

#[test]
fn references_to_one_place_are_passed_together() {
    let (a, b) = (grid_of(&NUMBERS), grid_of(&[0.9, 0.8, -0.7, 0.6, 0.5]));
    let (_, (a_b, b_b)) = overlapping::gradient(&a, &b);
    assert_gradient(&numbers_of(&a_b), &NUMBERS, |numbers| overlapping(&grid_of(numbers), &b));
    assert_eq!(&numbers_of(&b_b)[..4], &NUMBERS[..4]);
}

/// What else the crate tells holds in checkpointed code, too.
mod rules {
    use backsweep::{Differentiable, adjoint};

    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct Angle {
        pub turns: f64,
    }

    #[adjoint]
    impl Angle {
        pub fn sin(self) -> f64 {
            self.turns * self.turns
        }

        pub fn half(self) -> Angle {
            Angle { turns: 0.5 * self.turns }
        }
    }
}

#[adjoint(independents(x), dependents(return))]
fn turned(x: f64) -> f64 {
    let mut y = x;
    #[checkpoint(snapshots = 2)]
    for _ in 0..3usize {
        let angle = rules::Angle { turns: y };
        y = angle.half().sin() + x;
    }
    y
}

#[test]
fn methods_that_are_called_like_those_of_floats_are_found_in_checkpointed_code() {
    let (_, x_b) = turned::gradient(0.7);
    assert_gradient(&[x_b], &[0.7], |x| turned(x[0]));
}

/// What has the attribute itself is what the attribute of the block is about, if it is a getter only.
mod chosen_alone {
    use backsweep::{Differentiable, adjoint};
    use std::collections::VecDeque;

    #[derive(Clone, Differentiable)]
    pub struct Samples {
        pub data: Vec<f64>,
    }

    #[adjoint]
    impl Samples {
        #[adjoint]
        pub fn first(&self) -> &f64 {
            &self.data[0]
        }

        /// Queues have no derivatives.
        pub fn queued(&self, x: f64) -> f64 {
            let mut queue = VecDeque::new();
            queue.push_back(self.data[0] * x);
            queue[0]
        }
    }
}

#[adjoint(independents(samples), dependents(return))]
fn squared(samples: &chosen_alone::Samples) -> f64 {
    *samples.first() * *samples.first()
}

#[test]
fn a_getter_may_be_all_that_is_annotated_in_a_block() {
    let samples = chosen_alone::Samples { data: vec![3.0] };
    assert_eq!(samples.queued(2.0), 6.0);
    let (_, samples_b) = squared::gradient(&samples);
    assert_eq!(samples_b.data, [6.0]);
}
