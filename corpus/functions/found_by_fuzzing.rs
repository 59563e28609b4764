//! The smallest programs that random programs have found something wrong with.

use backsweep::adjoint;

/// After a type, `<` begins its arguments.
#[adjoint]
#[sample(0.7, 2)]
#[sample(0.7, 5)]
pub fn less_than_after_a_cast(x: f64, n: usize) -> f64 {
    let mut y = x;
    if (n as f64) < 3.0 {
        y *= x;
    }
    if x + (n as f64) < 5.0 {
        y *= y;
    }
    if (n as u32) << 1 < 9 {
        y *= 3.0;
    }
    y
}

/// A semicolon too many.
#[adjoint]
#[sample(0.7)]
pub fn semicolon_alone(x: f64) -> f64 {
    let y = x * x;;
    y * x
}

/// A scope that is left by one exit only, where a list dies of which the length is computed again.
#[adjoint]
#[sample(0.7, 2)]
pub fn left_by_one_exit(x: f64, n: usize) -> f64 {
    let mut rows = vec![vec![x], vec![x * x, 1.0, x]];
    rows[0][0] *= rows[1][0];
    let row = vec![x; n];
    loop {
        rows[1] = row;
        break;
    }
    rows[0][0] * rows[1][1]
}

/// Where only the list is active, the list as it was is not restored: what is multiplied with it must not
/// be computed.
#[adjoint]
fn list_that_is_taken(x: f64, w: &mut [f64]) -> f64 {
    let mut list: Vec<f64> = w.to_vec();
    for k in 1..list.len() {
        list[k] = list[1] * (x + x);
    }
    let rest = std::mem::take(&mut list);
    list.push(x);
    w[0] *= 2.0;
    list[0] + rest[0]
}

/// Passes a constant.
#[adjoint]
#[sample([0.7, -0.4, 1.1])]
pub fn taken_with_a_constant(w: &mut [f64]) -> f64 {
    list_that_is_taken(2.0, w)
}
