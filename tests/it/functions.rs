//! Functions that are passed as values, where no derivative passes through them.

use backsweep::adjoint;

#[adjoint(independents(x), passive(weight))]
fn weighted(x: &[f64], weight: impl Fn(usize) -> f64) -> f64 {
    let mut s = 0.0;
    for (k, t) in x.iter().enumerate() {
        let w = weight(k);
        s += w * t * t;
    }
    s
}

#[adjoint(independents(x), passive(keep))]
fn chosen<F: Fn(f64) -> bool>(x: &[f64], keep: &F) -> f64 {
    let mut s = 1.0;
    for t in x {
        if keep(*t) {
            s *= t;
        }
    }
    s
}

#[adjoint(independents(x), passive(scale))]
fn scaled(x: f64, scale: &dyn Fn(f64) -> f64) -> f64 {
    #[passive]
    let factor: f64 = scale(x);
    factor * x
}

#[test]
fn what_they_yield_is_a_constant() {
    let (value, gradient) = weighted::gradient(&[1.0, 2.0, 3.0], |k| k as f64);
    assert_eq!((value, gradient), (22.0, vec![0.0, 4.0, 12.0]));
    let (value, gradient) = chosen::gradient(&[2.0, -1.0, 3.0], &|t: f64| t > 0.0);
    assert_eq!((value, gradient), (6.0, vec![3.0, 0.0, 2.0]));
    assert_eq!(scaled::gradient(3.0, &|t| t + 1.0), (12.0, 4.0));
}
