//! Sorting is understood; a derivative through its comparison is not.
use backsweep::adjoint;

#[adjoint]
fn counted(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut total = 0.0;
    v.sort_by(|a, b| {
        total += a * b;
        a.total_cmp(b)
    });
    v[0] * total
}

#[adjoint]
fn value_of_a_selection(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let (_, median, _) = v.select_nth_unstable_by(1, |a, b| a.total_cmp(b));
    *median
}

fn main() {}
