//! Lists that grow and shrink: their bars, the panics of the standard library, what is stored.

use backsweep::{Stack, adjoint};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Whether both panic, and with the same message if the macro knows it.
fn panics_alike<T, U>(primal: impl FnOnce() -> T, derivative: impl FnOnce() -> U) -> bool {
    let primal = catch_unwind(AssertUnwindSafe(primal)).map(drop);
    let derivative = catch_unwind(AssertUnwindSafe(derivative)).map(drop);
    primal.is_err() && derivative.is_err()
}

fn message<T>(run: impl FnOnce() -> T) -> String {
    let payload = catch_unwind(AssertUnwindSafe(run)).map(drop).expect_err("it panics");
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => (*payload.downcast::<&str>().expect("a message")).to_owned(),
    }
}

/// Appends the products of neighbours.
#[adjoint]
fn append_products(points: &mut Vec<f64>) {
    for k in 1..points.len() {
        let product = points[k - 1] * points[k];
        points.push(product);
    }
}

#[adjoint]
fn takes(x: f64, pops: usize) -> f64 {
    let mut stack = vec![x, x * x];
    let mut sum = 0.0;
    for _ in 0..pops {
        sum += stack.pop().unwrap();
    }
    sum
}

#[adjoint]
fn expects(x: f64, n: usize) -> f64 {
    let list = vec![x; n];
    list.first().expect("there is a first") * list.last().expect("there is a last")
}

#[adjoint]
fn moves(x: f64, what: usize, at: usize) -> f64 {
    let mut list = vec![x, x * x, 1.0];
    match what {
        0 => list.insert(at, x),
        1 => {
            list.remove(at);
        }
        2 => {
            list.swap_remove(at);
        }
        3 => list.rotate_left(at),
        4 => list.rotate_right(at),
        5 => list.swap(0, at),
        6 => {
            let (a, _) = list.split_at(at);
            return a[0];
        }
        7 => {
            let mut other = vec![x; at];
            list.swap_with_slice(&mut other);
        }
        _ => return *list.get(at).unwrap(),
    }
    list[0]
}

/// A random walk in a list, read when it is complete.
#[adjoint]
fn walk(x: &[f64]) -> f64 {
    let mut path = Vec::new();
    for k in 0..x.len() {
        path.push(x[k] * x[k]);
    }
    path.reverse();
    let mut other = vec![1.0; x.len()];
    std::mem::swap(&mut path, &mut other);
    let mut sum = 0.0;
    for k in 0..x.len() {
        sum += path[k] * other[k] * other[k];
    }
    sum
}

#[test]
fn the_bar_of_a_list_has_the_length_of_the_list() {
    let mut points = vec![2.0, 3.0, 5.0];
    let mut bar = vec![0.0, 0.0, 0.0, 1.0, 10.0];
    append_products::adjoint(&mut points, &mut bar);
    assert_eq!(points, [2.0, 3.0, 5.0, 6.0, 15.0]);
    assert_eq!(bar, [3.0, 52.0, 30.0]);
}

#[test]
fn panics_are_those_of_the_standard_library() {
    assert_eq!(takes::gradient(0.5, 2), (0.75, 2.0));
    assert_eq!(message(|| takes::gradient(0.5, 3)), message(|| takes(0.5, 3)));
    assert_eq!(message(|| expects::gradient(0.5, 0)), "there is a first");
    for what in 0..=8 {
        let outside = if what == 6 || what == 7 { 9 } else { 4 };
        assert!(
            panics_alike(|| moves(0.5, what, outside), || moves::gradient(0.5, what, outside)),
            "{what}"
        );
        let inside = if what == 7 { 3 } else { 1 };
        assert_eq!(moves::gradient(0.5, what, inside).0, moves(0.5, what, inside), "{what}");
    }
}

#[test]
fn appending_and_exchanging_store_nothing_per_element() {
    let size = |n: usize| {
        let mut stack = Stack::new();
        let x = vec![0.5; n];
        walk::forward(&mut stack, &x);
        let size = stack.bytes();
        let mut bar = vec![0.0; n];
        walk::backward(&mut stack, &x, &mut bar, 1.0);
        size
    };
    assert_eq!(size(10), size(1000));
}

#[adjoint]
fn names_of_passive_iterators(x: &[f64]) -> f64 {
    let lengths = [3_usize, 1, 2].iter().map(|n| n * 2);
    let longest = lengths.clone().max().unwrap();
    let mut order = [2_usize, 0].iter();
    let last: usize = *order.nth(1).unwrap();
    x[longest - 6] * x[last + 1] * lengths.count() as f64
}

/// Iterators that carry no derivative are whatever they are in the function.
#[test]
fn iterators_with_names_may_be_kept_as_they_are() {
    assert_eq!(names_of_passive_iterators::gradient(&[2.0, 5.0]).1, [15.0, 6.0]);
}

struct Made {
    list: Vec<f64>,
    len: usize,
}

fn made(value: f64) -> Made {
    Made { list: vec![value; 3], len: 3 }
}

/// The list comes from a pattern that is not taken apart, and is another one later.
#[adjoint(no(simplify))]
fn replaces_what_a_pattern_bound(x: f64) -> f64 {
    #[passive]
    let Made { list: mut v, len } = made(3.0);
    v[len - 1] = x * x;
    let before = v[2] * v[0];
    v = vec![x, x * x * x];
    before * v[1]
}

/// The list is another one by way of a name for it, and shorter.
#[adjoint(no(simplify))]
fn replaces_by_another_name(x: f64) -> f64 {
    let mut w = vec![x, 2.0, x * 3.0];
    let v = &mut w;
    v[1] = x * x;
    let before = v[1] * v[2];
    *v = vec![x, x * x];
    before * w[1]
}

#[test]
fn a_list_that_is_replaced_has_a_length_from_the_start() {
    for x in [-1.5, 0.5, 2.0_f64] {
        // Both are 3x⁵.
        let slope = 15.0 * x.powi(4);
        for (_, found) in
            [replaces_what_a_pattern_bound::gradient(x), replaces_by_another_name::gradient(x)]
        {
            assert!((found - slope).abs() <= 1e-14 * slope, "{found} is not {slope}");
        }
    }
}

#[adjoint]
fn product_of_two(row: &[f64]) -> f64 {
    row[0] * row[1]
}

/// Lists whose values are wanted later are moved, one of them into the elements of another.
#[adjoint]
fn moves_what_is_wanted(x: &[f64], first: bool) -> f64 {
    let row = vec![x[0] * x[1]; 2];
    let other = vec![x[0], x[1]];
    let factor = product_of_two(&row) + product_of_two(&other);
    let mut rows = vec![row; 3];
    rows[1][0] *= x[2];
    let mut chosen = if first { rows } else { vec![other; 2] };
    chosen[0][1] += x[2];
    factor * chosen[1][0] * chosen[0][1]
}

#[test]
fn lists_that_are_moved_are_still_there() {
    let x = [0.7, -0.4, 1.1];
    for first in [true, false] {
        let value = |x: &[f64]| moves_what_is_wanted(x, first);
        let gradient = |x: &[f64]| moves_what_is_wanted::gradient(x, first);
        backsweep::check::gradient(value, gradient, &x).assert_passed();
    }
}

/// Rows are other ones by way of references to them: shorter, longer, and by a choice.
#[adjoint]
fn replaces_rows(x: &[f64]) -> f64 {
    let mut m = vec![vec![x[0], x[1], x[2]], vec![x[1]]];
    let mut s = m[0][2] * m[0][1];
    for row in m.iter_mut() {
        let k = row.len();
        s *= row[0];
        *row = vec![s; k + 1];
    }
    let before = m[0][3] * m[1][1];
    for row in &mut m {
        *row = if s > 0.0 { vec![row[1] * x[0]] } else { vec![x[2] * row[0], s] };
    }
    {
        let first = &mut m[0];
        *first = vec![before * x[1]];
    }
    replaces_first_and_last(&mut m, x[0]);
    m[1][0] * m[0][1] * m[1][1] + m[0][0]
}

#[adjoint]
fn replaces_first_and_last(m: &mut [Vec<f64>], y: f64) {
    if let Some(first) = m.first_mut() {
        *first = vec![first[0] * y, y];
    }
    let last = m.last_mut().unwrap();
    *last = vec![last[0], y * last[0]];
}

#[test]
fn rows_that_are_replaced_by_way_of_references() {
    for x in [[0.7, -1.3, 0.4], [0.7, 1.3, 0.4]] {
        backsweep::check::gradient(replaces_rows, replaces_rows::gradient, &x[..]).assert_passed();
    }
}

/// Arrays of lists are results, also with something beside them, and parameters.
#[adjoint]
fn two_lists(y: f64) -> [Vec<f64>; 2] {
    [vec![y * y], vec![y, y.sin()]]
}

#[adjoint]
fn lists_beside_a_number(y: f64) -> ([Vec<f64>; 2], f64) {
    ([vec![y], vec![y * y * y]], 2.0 * y)
}

#[adjoint]
fn lists_if_there_are_some(y: f64) -> Option<[Vec<f64>; 2]> {
    if y > 0.0 { Some([vec![y], vec![y.sqrt()]]) } else { None }
}

#[adjoint]
fn grid<const N: usize>(y: &[[Vec<f64>; N]; 2], z: f64) -> [[(Vec<f64>, f64); N]; 2] {
    let mut made: [[(Vec<f64>, f64); N]; 2] =
        std::array::from_fn(|_| std::array::from_fn(|_| (Vec::new(), 0.0)));
    for i in 0..2 {
        for k in 0..N {
            made[i][k] = (vec![z * z, y[i][k][0]], y[i][k][0] * z);
        }
    }
    made
}

#[adjoint]
fn product_of_heads(y: &[Vec<f64>; 2], z: f64) -> f64 {
    z * y[0][0] * y[1][0]
}

#[adjoint]
fn scales_head(y: &mut [Vec<f64>; 2], z: f64) {
    y[0][0] *= z * y[1][0];
}

#[adjoint]
fn of_arrays_of_lists(x: &[f64]) -> f64 {
    let mut first = two_lists(x[0]);
    scales_head(&mut first, x[1]);
    let (second, number) = lists_beside_a_number(x[1]);
    let fourth = lists_if_there_are_some(x[0]).unwrap();
    let third = grid(&[[vec![x[0]]], [vec![x[1]]]], x[2]);
    let (head, number_of_third) = &third[1][0];
    product_of_heads(&first, number) + product_of_heads(&second, x[2]) + fourth[1][0]
        - first[1][1] * head[0] * *number_of_third
}

#[test]
fn arrays_of_lists_in_signatures() {
    let x = [0.7, 1.3, 0.4];
    let weights = [vec![1.0], vec![0.5, 2.0]];
    let mut y_b = 0.0;
    assert_eq!(two_lists::adjoint(x[0], &mut y_b, weights), two_lists(x[0]));
    assert!((y_b - (2.0 * x[0] + 0.5 + 2.0 * x[0].cos())).abs() < 1e-15);
    let (value, (y_b, z_b)) = product_of_heads::gradient(&[vec![2.0], vec![3.0, 1.0]], 5.0);
    assert_eq!((value, z_b), (30.0, 6.0));
    assert_eq!(y_b, [vec![15.0], vec![10.0, 0.0]]);
    assert_eq!(of_arrays_of_lists::gradient(&x).0, of_arrays_of_lists(&x));
    backsweep::check::gradient(of_arrays_of_lists, of_arrays_of_lists::gradient, &x[..])
        .assert_passed();
}
