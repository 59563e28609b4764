use backsweep::adjoint;

#[adjoint]
fn blend(a: &mut [f64], b: &[f64]) {
    for i in 0..a.len() {
        a[i] = a[i] * b[i];
    }
}

#[adjoint(independents(x))]
fn halves(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let (left, right) = v.split_at_mut(2);
    blend(left, &*right);
    v[0]
}

#[adjoint(with = twice_adjoint)]
fn twice(x: f64) -> f64 {
    2.0 * x
}

fn twice_adjoint(x: f64, x_b: &mut f64, ret_b: f64) -> f64 {
    *x_b += 2.0 * ret_b;
    2.0 * x
}

fn main() {
    let _ = halves::gradient(&[1.0, 2.0, 3.0, 4.0]);
    let _ = halves::tangent(&[1.0, 2.0, 3.0, 4.0], &[1.0, 0.0, 0.0, 0.0]);
    let _ = twice::tangent(1.0, 1.0);
}
