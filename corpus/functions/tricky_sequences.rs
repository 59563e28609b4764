//! Small programs that catch mistakes about lists that grow, closures and references.
//! Values and gradients are listed with each.

use backsweep::adjoint;

/// A `Vec` as a stack.
#[adjoint]
#[sample([0.7, -0.4, 1.1, 0.3])]
#[expect(value = 1.284456, gradient = [0.2441600, -0.4272800, 1.0900000, 0.7070400])]
#[sample([])]
pub fn list_as_a_stack(x: &[f64]) -> f64 {
    let mut st = Vec::new();
    for &v in x {
        if v > 0.0 && st.len() > 1 {
            let a: f64 = st.pop().unwrap();
            let b: f64 = st.pop().unwrap();
            st.push(a * b + v);
        } else {
            st.push(v * v);
        }
    }
    let mut r = 0.0;
    while let Some(t) = st.pop() {
        r = r * t + t;
    }
    r
}

/// Moves and redefinitions.
#[adjoint]
#[sample([0.7, -0.4])]
#[expect(value = 0.012544, gradient = [0.0358400, -0.1254400])]
pub fn moved_and_defined_again(x: &[f64]) -> f64 {
    let v: Vec<f64> = x.iter().map(|t| t * t).collect();
    let mut w = v;
    w[0] = w[0] * w[1];
    let v = w;
    let mut u = vec![1.0; 3];
    u = v;
    u[0] * u[1]
}

/// Two buffers that change places an odd, an even and no number of times.
#[adjoint]
#[sample([0.7, -0.4, 1.1], 3)]
#[expect(value = 0.79570584, gradient = [0.0200424, 0.8805812, -0.2898568])]
#[sample([0.7, -0.4, 1.1], 2)]
#[sample([0.7, -0.4], 0)]
#[expect(value = 0.7, gradient = [1.0, 0.0])]
pub fn buffers_that_change_places(x: &[f64], n: usize) -> f64 {
    let mut a = x.to_vec();
    let mut b = vec![0.0; x.len()];
    for _ in 0..n {
        for i in 0..a.len() {
            b[i] = a[i] * a[(i + 1) % a.len()] + 0.5;
        }
        std::mem::swap(&mut a, &mut b);
    }
    a[0]
}

/// Writes through `split_at_mut`.
#[adjoint]
#[weights(1.0, 0.0, 0.0, 0.0, 0.0)]
#[sample([0.7, -0.4, 1.1, 0.3])]
#[expect(gradient = [1.3738191, -0.0716548, 0.8742485, 0.0955397])]
pub fn writes_through_halves(a: &mut [f64]) -> f64 {
    let (l, r) = a.split_at_mut(2);
    for i in 0..2 {
        r[i] = l[i] * r[i];
        l[i] = r[i].sin();
    }
    a[0] * a[2] + a[1] * a[3]
}

/// An entry that is minus infinity has a bar of 0, not a NaN.
#[adjoint(independents(x))]
#[sample([0.0, 1.0], f64::NEG_INFINITY)]
#[expect(value = 1.313261687518, gradient = [0.2689414, 0.7310586])]
pub fn sum_of_exponentials_with_nothing(x: &[f64], nothing: f64) -> f64 {
    let x = [x[0], x[1], nothing];
    let m = x.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    let mut s = 0.0;
    for &v in &x {
        s += (v - m).exp();
    }
    m + s.ln()
}

/// A `move` closure copies `c`, and the one outside stays 0.
#[adjoint]
#[sample(0.7)]
#[expect(value = 1.47, gradient = [4.2])]
pub fn closure_with_a_copy(x: f64) -> f64 {
    let mut c = 0.0;
    let mut f = move |t: f64| {
        c += t;
        c * t
    };
    let a = f(x);
    let b = f(x);
    a + b + c
}

/// A closure that changes what it captures.
#[adjoint]
#[sample(0.7)]
#[expect(value = 2.023, gradient = [5.27])]
pub fn closure_with_a_state(x: f64) -> f64 {
    let mut s = 0.0;
    let mut add = |v: f64| {
        s += v * x;
        s
    };
    let p = add(1.0);
    let q = add(x);
    p * q + s
}

/// A reference to one of two variables.
#[adjoint]
#[sample(0.7, 0.3, true)]
#[expect(value = 1.19, gradient = [2.4, 0.0])]
#[sample(0.7, 0.3, false)]
#[expect(value = 0.79, gradient = [1.0, 0.6])]
pub fn reference_to_one_of_two(a: f64, b: f64, c: bool) -> f64 {
    let r = if c { &a } else { &b };
    *r * *r + a
}

/// A slice that a pattern takes apart again and again.
#[adjoint]
#[sample([0.7, -0.4, 1.1])]
#[expect(value = 1.4125, gradient = [0.35, -0.4, 2.2])]
#[sample([])]
pub fn first_and_rest_again_and_again(mut xs: &[f64]) -> f64 {
    let mut s = 0.0;
    while let [h, rest @ ..] = xs {
        s = s * 0.5 + h * h;
        xs = rest;
    }
    s
}

/// Chains of iterators with a captured mean.
#[adjoint]
#[sample([0.7, -0.4, 1.1])]
#[expect(value = 0.776745346515, gradient = [0.1501994, -0.5578834, 0.4076840])]
pub fn deviation_by_chains(x: &[f64]) -> f64 {
    let m = x.iter().sum::<f64>() / x.len() as f64;
    let v = x.iter().map(|t| (t - m).powi(2)).sum::<f64>();
    (v / (x.len() as f64 - 1.0)).sqrt()
}

/// A range whose start is made of literals.
#[adjoint]
#[sample([0.7, -0.4, 1.1, 0.5])]
#[expect(value = 0.55, gradient = [0.0, 0.0, 0.5, 1.1])]
#[sample([0.7])]
pub fn range_that_begins_with_a_sum(x: &[f64]) -> f64 {
    let mut product = 1.0;
    for i in (1 + 0..x.len()).skip(1) {
        product *= x[i];
    }
    product
}
