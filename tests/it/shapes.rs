//! Bars of another shape than the value they belong to are refused, by every entry, before any bar is changed: numbers that are
//! missing would count as zero.

use backsweep::{Differentiable, Stack, adjoint};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Samples {
    data: Vec<f64>,
    scale: f64,
}

#[adjoint]
impl Samples {
    #[adjoint(independents(self, x), dependents(self))]
    fn replace(&mut self, x: f64, n: usize) {
        self.data = vec![x * self.scale; n];
    }
}

#[adjoint(independents(x), dependents(return))]
fn repeated(x: f64, n: usize) -> Samples {
    Samples { data: vec![2.0 * x; n], scale: x }
}

#[adjoint(independents(x), dependents(return))]
fn repeated_if_any(x: f64, n: usize) -> Option<Samples> {
    if n == 0 {
        return None;
    }
    Some(Samples { data: vec![2.0 * x; n], scale: x })
}

#[adjoint(independents(rows), dependents(return))]
fn sum(rows: &[Vec<f64>]) -> f64 {
    let mut total = 0.0;
    for row in rows {
        total += row.iter().sum::<f64>();
    }
    total
}

#[adjoint(independents(x), dependents(list))]
fn pushed(x: f64, list: &mut Vec<f64>) {
    list.push(x);
}

#[adjoint(independents(x), dependents(x))]
fn doubled(x: &mut [f64]) {
    for value in x {
        *value *= 2.0;
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Shape {
    Point,
    Circle(f64),
    Polygon(Vec<f64>),
}

#[adjoint(independents(size), dependents(return))]
fn chosen(size: f64, corners: usize) -> Shape {
    match corners {
        0 => Shape::Circle(size),
        1 => Shape::Point,
        n => Shape::Polygon(vec![size; n]),
    }
}

fn samples(len: usize) -> Samples {
    Samples { data: vec![1.0; len], scale: 0.0 }
}

/// The message of the panic of something, or nothing.
fn refusal(run: impl FnOnce()) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(run)).err()?;
    let text = panic.downcast::<String>().map(|text| *text);
    Some(text.unwrap_or_else(|panic| panic.downcast::<&str>().expect("a text").to_string()))
}

const OTHER: &str = "has another shape than the value it belongs to";

#[test]
fn the_bar_of_a_receiver_has_the_shape_of_what_it_is_afterwards() {
    let value = Samples { data: vec![1.0], scale: 3.0 };
    let (mut bar, mut x_b) = (samples(4), 0.0);
    value.clone().replace_adjoint(&mut bar, 2.0, &mut x_b, 4);
    // It comes out with the shape of what the receiver was.
    assert_eq!((x_b, &bar), (12.0, &Samples { data: vec![0.0], scale: 8.0 }));
    for len in [0, 1, 3, 5] {
        let (mut bar, mut x_b) = (samples(len), 0.0);
        let said = refusal(|| value.clone().replace_adjoint(&mut bar, 2.0, &mut x_b, 4));
        assert!(said.is_some_and(|said| said.contains(OTHER) && said.contains("`self_")));
        assert_eq!((x_b, bar), (0.0, samples(len)));
    }
}

#[test]
fn so_it_is_between_two_calls() {
    let mut value = Samples { data: vec![1.0], scale: 3.0 };
    let mut stack = Stack::new();
    value.replace_forward(&mut stack, 2.0, 4);
    let (mut bar, mut x_b) = (samples(3), 0.0);
    let said = refusal(|| Samples::replace_backward(&mut stack, &mut bar, 2.0, &mut x_b, 4));
    assert!(said.is_some_and(|said| said.contains(OTHER)));

    let mut value = Samples { data: vec![1.0], scale: 3.0 };
    let ((), pullback) = value.replace_pullback(2.0, 4);
    let said = refusal(|| pullback.call(&mut bar, &mut x_b));
    assert!(said.is_some_and(|said| said.contains(OTHER)));
    assert_eq!((x_b, bar), (0.0, samples(3)));

    let mut x = [1.0, 2.0];
    let mut stack = Stack::new();
    doubled::forward(&mut stack, &mut x);
    let said = refusal(|| doubled::backward(&mut stack, &mut [1.0]));
    assert_eq!(
        said.expect("a panic"),
        "`x_b` has length 1, but the value it belongs to has length 2"
    );
}

#[test]
fn seeds_have_the_shape_of_the_result() {
    let mut x_b = 0.0;
    repeated::adjoint(1.5, &mut x_b, 2, samples(2));
    repeated_if_any::adjoint(1.5, &mut x_b, 2, samples(2));
    assert_eq!(x_b, 8.0);
    let said = refusal(|| drop(repeated::adjoint(1.5, &mut x_b, 3, samples(2))));
    assert!(said.is_some_and(|said| said.contains(OTHER) && said.contains("lengths [2] instead of [3]")));
    assert!(refusal(|| repeated::adjoint_only(1.5, &mut x_b, 3, samples(2))).is_some());
    assert!(refusal(|| drop(repeated_if_any::adjoint(1.5, &mut x_b, 3, samples(2)))).is_some());
    assert!(
        refusal(|| {
            let _ = repeated_if_any::adjoint_only(1.5, &mut x_b, 3, samples(2));
        })
        .is_some()
    );
    assert_eq!(repeated_if_any::adjoint(1.5, &mut x_b, 0, samples(2)), None);
    let (_, pullback) = repeated::pullback(1.5, 3);
    assert!(refusal(|| pullback.call(&mut x_b, samples(2))).is_some());
    let mut stack = Stack::new();
    assert!(repeated_if_any::forward(&mut stack, 1.5, 3).is_some());
    assert!(
        refusal(|| repeated_if_any::backward(&mut stack, 1.5, &mut x_b, 3, samples(2))).is_some()
    );
    assert_eq!(x_b, 8.0);
}

#[test]
fn variants_are_compared() {
    let mut size_b = 0.0;
    chosen::adjoint(2.0, &mut size_b, 0, Shape::Circle(1.0));
    chosen::adjoint(2.0, &mut size_b, 1, Shape::Point);
    chosen::adjoint(2.0, &mut size_b, 2, Shape::Polygon(vec![1.0, 2.0]));
    assert_eq!(size_b, 4.0);
    let wrong = [(0, Shape::Point), (1, Shape::Circle(1.0)), (2, Shape::Polygon(vec![1.0]))];
    for (corners, seed) in wrong {
        let said = refusal(|| drop(chosen::adjoint(2.0, &mut size_b, corners, seed)));
        assert!(said.is_some_and(|said| said.contains(OTHER)));
    }
    assert_eq!(size_b, 4.0);
}

#[test]
fn rows_are_compared() {
    let rows = [vec![1.0, 2.0], vec![3.0]];
    let mut rows_b = [vec![0.0, 0.0], vec![0.0]].to_vec();
    sum::adjoint(&rows, &mut rows_b, 1.0);
    assert_eq!(rows_b, [vec![1.0, 1.0], vec![1.0]]);
    for shape in [&[1, 2][..], &[2], &[2, 0], &[3, 0], &[2, 1, 0]] {
        let mut rows_b: Vec<Vec<f64>> = shape.iter().map(|&len| vec![0.0; len]).collect();
        assert!(
            refusal(|| {
                sum::adjoint(&rows, &mut rows_b, 1.0);
            })
            .is_some(),
            "{shape:?}"
        );
        assert!(rows_b.iter().flatten().all(|&value| value == 0.0));
        assert!(
            refusal(|| {
                let _ = sum::tangent(&rows, &rows_b);
            })
            .is_some(),
            "{shape:?}"
        );
    }
}

#[test]
fn without_the_value_too() {
    let (mut x_b, mut list_b) = (0.0, vec![1.0]);
    assert!(refusal(|| pushed::adjoint_only(1.0, &mut x_b, &mut vec![0.5], &mut list_b)).is_some());
    assert_eq!((x_b, list_b), (0.0, vec![1.0]));
}

/// Lists in a value that are replaced by lists of other lengths.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Table {
    data: Vec<f64>,
    rows: Vec<Vec<f64>>,
}

#[adjoint]
impl Table {
    fn squares(&self) -> Vec<f64> {
        let mut squares = self.data.clone();
        for i in 0..self.data.len() {
            squares.push(self.data[i] * self.data[i]);
        }
        squares
    }

    fn grow(&mut self) {
        self.data = self.squares();
        self.rows = vec![self.data.clone(), vec![self.rows[0][0]]];
    }

    fn shrink(&mut self) {
        self.data = vec![self.data[0] * 2.0];
        self.rows[1] = self.rows[0].iter().skip(1).map(|x| x * 3.0).collect();
    }
}

#[adjoint(independents(rows), dependents(rows))]
fn replaced(rows: &mut [Vec<f64>]) {
    for i in 0..rows.len() {
        let row: Vec<f64> = rows[i].iter().chain(rows[i].iter()).map(|x| 2.0 * x).collect();
        rows[i] = row;
    }
}

#[test]
fn bars_of_replaced_lists_have_the_shapes_before() {
    let table = || Table { data: vec![1.0, 3.0], rows: vec![vec![2.0, 4.0], vec![5.0]] };
    let mut bar = Table { data: vec![1.0; 4], rows: vec![vec![1.0, 2.0, 3.0, 4.0], vec![5.0]] };
    table().grow_adjoint(&mut bar);
    // Both the copies and the squares go to the list that there was: 1 + 1 + (1 + 3)·2x.
    assert_eq!(
        bar,
        Table { data: vec![2.0 + 8.0, 3.0 + 30.0], rows: vec![vec![5.0, 0.0], vec![0.0]] }
    );

    let mut bar = Table { data: vec![1.0], rows: vec![vec![1.0, 1.0], vec![1.0]] };
    table().shrink_adjoint(&mut bar);
    assert_eq!(bar, Table { data: vec![2.0, 0.0], rows: vec![vec![1.0, 4.0], vec![0.0]] });

    let mut bars = vec![vec![1.0, 2.0, 3.0, 4.0], vec![5.0, 6.0]];
    replaced::adjoint(&mut [vec![1.0, 2.0], vec![3.0]], &mut bars);
    assert_eq!(bars, [vec![8.0, 12.0], vec![22.0]]);
}
