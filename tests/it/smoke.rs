//! smoke
use backsweep::adjoint;

#[adjoint(independents(x), dependents(return))]
pub fn norm(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * x[i];
    }
    s.sqrt()
}

#[adjoint]
fn helper(a: f64, b: &[f64], n: usize) -> f64 {
    let mut y = a;
    for i in 0..n {
        y = y * b[i].sin() + a;
    }
    y
}

#[adjoint]
fn outer(x: &[f64], p: f64) -> f64 {
    let mut t = 1.0;
    let mut k = 0;
    while k < x.len() {
        t = t * helper(x[k] * p, x, k) + x[k];
        if t > 100.0 { return t * t; }
        k += 1;
    }
    t
}

#[adjoint]
fn scale(x: &mut [f64], c: f64) {
    for i in 0..x.len() { x[i] = x[i] * x[i] * c; }
}

#[test]
fn smoke() {
    let x = [3.0, 4.0];
    let (v, g) = norm::gradient(&x);
    println!("{v} {g:?}");
    let (v, (gx, gp)) = outer::gradient(&[0.5, 0.2, 0.3], 2.0);
    println!("{v} {gx:?} {gp}");
    let f = |x: &[f64], p: f64| outer(x, p);
    let h = 1e-6;
    println!("{}", (f(&[0.5, 0.2, 0.3], 2.0 + h) - f(&[0.5, 0.2, 0.3], 2.0 - h)) / (2.0 * h));
    for i in 0..3 {
        let mut a = [0.5, 0.2, 0.3];
        let mut b = a;
        a[i] += h; b[i] -= h;
        println!("{}", (f(&a, 2.0) - f(&b, 2.0)) / (2.0 * h));
    }
    let (mut x, mut xb, mut cb) = ([1.0, 2.0, 3.0], [1.0, 1.0, 1.0], 0.0);
    scale::adjoint(&mut x, &mut xb, 0.5, &mut cb);
    println!("{x:?} {xb:?} {cb}");
}
