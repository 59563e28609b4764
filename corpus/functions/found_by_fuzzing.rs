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

/// A reference that was made from another, beside the other half.
#[adjoint]
#[sample(0.7, [0.3, -0.4, 1.1, 0.2])]
pub fn references_by_way_of_halves(x: f64, mut q: [f64; 4]) -> f64 {
    {
        let (left, right) = q.split_at_mut(1);
        left[0] *= x;
        for t in right.iter_mut() {
            *t += left[0] * *t;
        }
        let (middle, rest) = right.split_at_mut(2);
        rest[0] *= middle[1];
        middle[0] += left[0] * rest[0];
    }
    q[0] * q[1] + q[2] * q[3]
}

/// Items of inner blocks: those of a closure are there once, an import stands in two blocks.
#[adjoint]
#[sample(0.7)]
pub fn items_of_inner_blocks(x: f64) -> f64 {
    let grown = |y: f64| {
        const RATE: f64 = 1.5;
        y * RATE
    };
    let area = {
        use std::f64::consts::PI;
        x * x * PI
    };
    let angle = {
        use std::f64::consts::PI;
        PI / x
    };
    grown(grown(area)) * angle.sin()
}

/// A list of which only the callee tells what its elements are.
#[adjoint]
fn scaled(x: &[f64], factor: f64, y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = factor * x[i];
    }
}

/// The square of the length.
#[adjoint]
fn squared(x: &[f64]) -> f64 {
    x.iter().map(|t| t * t).sum()
}

/// A list that nothing here is done with, kept by split calls behind a `break`.
#[adjoint(independents(x))]
#[sample([0.7, -0.4, 1.1], 10.0)]
#[sample([0.7, -0.4, 1.1], 0.1)]
pub fn list_that_only_callees_use(x: &[f64], bound: f64) -> f64 {
    let n = x.len();
    let mut y = vec![0.0; n];
    let mut norm = squared(x);
    for _ in 0..n {
        scaled(x, norm, &mut y);
        let next = norm / squared(&y);
        if next > bound {
            break;
        }
        norm = next;
    }
    norm * squared(&y)
}

/// A choice one side of which never ends: nothing there is read, and yet it cannot be left out.
#[adjoint]
#[sample(0.4)]
#[sample(2.5)]
pub fn branch_without_end(x: f64) -> f64 {
    let y = x * x;
    if x > 0.0 {
        y.sin()
    } else {
        let mut k = y;
        loop {
            k *= 0.5;
            if k < 1e-3 {}
        }
    }
}

#[adjoint]
fn halved(x: f64) -> f64 {
    0.5 * x * x
}

/// A variable that is called like the function that made it.
#[adjoint]
#[sample(0.7, [0.3, -0.2])]
#[expect(value = -0.0147, gradient = [-0.042, -0.049, 0.0735])]
pub fn named_like_a_function(x: f64, y: &[f64]) -> f64 {
    let halved = halved(x);
    let first = &y[0];
    halved * first * y[1]
}
