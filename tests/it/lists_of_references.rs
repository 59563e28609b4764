//! Lists of references to lists, and references inside of other types of parameters, whose lifetimes have no names.

use backsweep::adjoint;

#[adjoint]
fn products(rows: &[&[f64]], x: f64) -> f64 {
    let mut sum = 0.0;
    for (i, row) in rows.iter().enumerate() {
        sum += row[0] * x * rows[i][1];
    }
    sum
}

#[adjoint]
fn of_columns(columns: &[&Vec<f64>; 2], x: f64) -> f64 {
    let mut sum = 0.0;
    for column in columns {
        sum += column[0] * x * column.iter().sum::<f64>();
    }
    let last = columns[1];
    sum + last[2]
}

#[adjoint]
fn of_a_pair(pair: (&[f64], f64), x: &&[f64]) -> f64 {
    pair.0[0] * pair.1 * x[0]
}

#[adjoint]
fn passed_on(names: &[&str], rows: &[&[f64]], x: f64) -> f64 {
    products(rows, x) * x + products(rows, 2.0 * x) * names.len() as f64
}

struct Scale(f64);

#[adjoint]
impl Scale {
    #[adjoint(passive(self))]
    fn scaled(&self, rows: &[&[f64]]) -> f64 {
        rows[1][0] * rows[0][1] * self.0
    }
}

#[adjoint]
trait Rule {
    fn apply(&self, rows: &[&[f64]], x: f64) -> f64;
}

#[adjoint]
impl Rule for Scale {
    #[adjoint(passive(self))]
    fn apply(&self, rows: &[&[f64]], x: f64) -> f64 {
        rows[1][0] * x * self.0
    }
}

#[adjoint(passive(rule))]
fn by_a_rule<R: Rule>(rule: &R, rows: &[&[f64]], x: f64) -> f64 {
    rule.apply(rows, x * x)
}

const ROWS: [&[f64]; 2] = [&[1.0, 2.0], &[3.0, 4.0, 5.0]];

#[test]
fn bars_are_lists_of_lists() {
    let (value, (rows_b, x_b)) = products::gradient(&ROWS, 2.0);
    assert_eq!((value, x_b), (2.0 * (1.0 * 2.0 + 3.0 * 4.0), 14.0));
    assert_eq!(rows_b, [vec![4.0, 2.0], vec![8.0, 6.0, 0.0]]);
    let (_, pullback) = products::pullback(&ROWS, 2.0);
    let (mut rows_b, mut x_b) = (vec![vec![0.0; 2], vec![0.0; 3]], 0.0);
    pullback.call(&mut rows_b, &mut x_b, 0.5);
    assert_eq!((rows_b, x_b), (vec![vec![2.0, 1.0], vec![4.0, 3.0, 0.0]], 7.0));
}

#[test]
fn tangents_have_directions_of_the_same_type() {
    // Of order two in the rows, and one in `x`.
    assert_eq!(products::tangent(&ROWS, &ROWS, 2.0, 0.0), (28.0, 56.0));
    assert_eq!(products::tangent(&ROWS, &ROWS, 2.0, 2.0), (28.0, 84.0));
}

#[test]
fn references_to_lists_that_own_what_they_hold() {
    let columns = [&vec![1.0, 2.0], &vec![3.0, 4.0, 5.0]];
    let (value, (columns_b, x_b)) = of_columns::gradient(&columns, 2.0);
    assert_eq!((value, x_b), (2.0 * (3.0 + 3.0 * 12.0) + 5.0, 39.0));
    assert_eq!(columns_b, [vec![2.0 * 3.0 + 2.0, 2.0], vec![2.0 * 12.0 + 6.0, 6.0, 6.0 + 1.0]]);
}

#[test]
fn references_in_pairs_and_behind_references() {
    let (value, ((list_b, factor_b), x_b)) = of_a_pair::gradient((&[2.0], 3.0), &&[4.0][..]);
    assert_eq!((value, factor_b), (24.0, 8.0));
    assert_eq!((list_b, x_b), (vec![12.0], vec![6.0]));
}

#[test]
fn calls_and_methods_hand_them_on() {
    let (value, (rows_b, x_b)) = passed_on::gradient(&["a"], &ROWS, 2.0);
    // 14 x² + 28 x
    assert_eq!((value, x_b), (112.0, 84.0));
    assert_eq!(rows_b, [vec![16.0, 8.0], vec![32.0, 24.0, 0.0]]);
    let (value, rows_b) = Scale(2.0).scaled_gradient(&ROWS);
    assert_eq!((value, rows_b), (12.0, vec![vec![0.0, 6.0], vec![4.0, 0.0, 0.0]]));
    let (value, (rows_b, x_b)) = by_a_rule::gradient(&Scale(2.0), &ROWS, 3.0);
    assert_eq!((value, x_b), (54.0, 36.0));
    assert_eq!(rows_b, [vec![0.0; 2], vec![18.0, 0.0, 0.0]]);
}
