//! Ordinary code around user types: operators with literals, lists of structs, parts of them as arguments; blocks that leave loops
//! as values; ranges with steps that are zipped.
#![allow(clippy::iter_cloned_collect, reason = "the attribute meets code as people write it")]

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};
use std::collections::BTreeMap;
use std::ops::{Add, Mul};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Short(f32, f32);

#[adjoint]
impl Mul<f32> for Short {
    type Output = Short;
    fn mul(self, k: f32) -> Short {
        Short(self.0 * k, self.1 * k)
    }
}

#[adjoint]
impl Add for Short {
    type Output = Short;
    fn add(self, other: Short) -> Short {
        Short(self.0 + other.0, self.1 + other.1)
    }
}

#[adjoint]
impl Short {
    fn dot(self, other: Short) -> f32 {
        self.0 * other.0 + self.1 * other.1
    }

    fn scaled(self, k: f32) -> Short {
        Short(self.0 * k, self.1 * k)
    }
}

#[adjoint(independents(v))]
fn times_literal(v: Short) -> f32 {
    let w = v * -2.0;
    w.0 * v.1
}

#[adjoint(independents(v))]
fn clipped(v: Short) -> f32 {
    v.dot(v).max(0.0) * v.0
}

#[adjoint(independents(v))]
fn literal_inside(v: Short) -> f32 {
    v.dot(v * 0.5).sqrt()
}

#[adjoint(independents(v))]
fn literal_of_a_method(v: Short) -> f32 {
    (v.scaled(2.0) + v * 3.0).dot(v)
}

#[adjoint(independents(v))]
fn name_of_a_literal(v: Short) -> f32 {
    let k = 2.0;
    (v * k + v * (k * 0.5)).dot(v)
}

#[adjoint(independents(v))]
fn sum_of_products(v: Short) -> f32 {
    let mut s = 0.0;
    for _ in 0..3 {
        s += v.dot(v) * 0.25;
    }
    s
}

#[adjoint(independents(v))]
fn compared(v: Short) -> f32 {
    let s = v.dot(v);
    if s > 1.0 { 2.0 * s } else { s.powi(2).min(3.0) }
}

/// With s = v·v = 1.3, by hand.
#[test]
fn literals_in_operators_of_short_structs() {
    let v = Short(0.7, 0.9);
    let near = |found: (f32, Short), value: f32, gradient: (f32, f32)| {
        assert_relative_eq!(found.0, value, max_relative = 1e-6);
        assert_relative_eq!(found.1.0, gradient.0, max_relative = 1e-6);
        assert_relative_eq!(found.1.1, gradient.1, max_relative = 1e-6);
    };
    near(times_literal::gradient(v), -1.26, (-1.8, -1.4));
    near(clipped::gradient(v), 0.91, (1.3 + 0.98, 1.26));
    let root = 0.65f32.sqrt();
    near(literal_inside::gradient(v), root, (0.35 / root, 0.45 / root));
    near(literal_of_a_method::gradient(v), 6.5, (7.0, 9.0));
    near(name_of_a_literal::gradient(v), 3.9, (4.2, 5.4));
    near(sum_of_products::gradient(v), 0.975, (1.05, 1.35));
    near(compared::gradient(v), 2.6, (2.8, 3.6));
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Complex {
    re: f64,
    im: f64,
}

#[adjoint(independents(l))]
fn sum(l: &[Complex]) -> f64 {
    let mut s = 0.0;
    for c in l {
        s += c.re * c.im * c.re;
    }
    s
}

#[adjoint(independents(l))]
fn pair(l: &[Complex; 2]) -> f64 {
    l[0].re * l[1].im
}

#[adjoint(independents(x))]
fn collected(x: &[Complex]) -> f64 {
    let v = x.iter().copied().collect::<Vec<Complex>>();
    sum(&v)
}

#[adjoint(independents(x))]
fn copied(x: &[Complex]) -> f64 {
    let v = x.to_vec();
    sum(&v) * v[0].re
}

#[adjoint(independents(x))]
fn array_as_argument(x: &[Complex]) -> f64 {
    sum(&[x[0], x[1]])
}

#[adjoint(independents(x))]
fn pushed(x: &[Complex]) -> f64 {
    let mut v = Vec::new();
    for c in x {
        v.push(*c);
    }
    sum(&v)
}

#[adjoint(independents(x))]
fn mapped(x: &[Complex]) -> f64 {
    let v: Vec<Complex> = x.iter().map(|c| Complex { re: c.im, im: c.re * c.re }).collect();
    sum(&v)
}

#[adjoint(independents(x))]
fn changed(x: &[Complex]) -> f64 {
    let mut v = x.to_vec();
    v[0].re = v[1].im;
    v.push(x[0]);
    sum(&v)
}

#[adjoint(independents(x))]
fn array_by_name(x: &[Complex]) -> f64 {
    let v = [x[1], x[0], x[1]];
    sum(&v)
}

#[adjoint(independents(x))]
fn made_of_itself(x: &[Complex]) -> f64 {
    let mut v: Vec<Complex> = Vec::new();
    v.push(x[0]);
    let mut n = 0;
    while v.len() < 3 {
        let c = v[n];
        v.push(Complex { re: c.im, im: c.re * 2.0 });
        n += 1;
    }
    sum(&v)
}

#[adjoint(independents(x))]
fn parts(x: &[Complex]) -> f64 {
    let v = x[1..].to_vec();
    sum(&v) + sum(&v[..1]) * sum(x) + sum(&x[1..])
}

#[adjoint(independents(x))]
fn reversed(x: &[Complex]) -> f64 {
    let mut v = x.to_vec();
    for k in 0..2 {
        v[k].re *= v[k].im;
    }
    v.reverse();
    sum(&v) * v[0].re
}

#[adjoint(independents(x))]
fn changed_array(x: &[Complex]) -> f64 {
    let mut v = [x[0], x[1]];
    v[0].re = v[1].im * v[0].re;
    sum(&v) * sum(&[x[1]])
}

#[adjoint(independents(x))]
fn arrays_as_arrays(x: &[Complex]) -> f64 {
    let v = [x[0], x[1]];
    pair(&v) * pair(&[x[1], x[2]])
}

#[test]
fn lists_of_structs() {
    let at =
        [Complex { re: 0.3, im: 0.8 }, Complex { re: 1.3, im: 0.6 }, Complex { re: 0.5, im: 0.9 }];
    macro_rules! gradients {
        ($($function:ident)*) => {$({
            let (value, gradient) = $function::gradient(&at);
            assert_eq!(value, $function(&at));
            for k in 0..at.len() {
                let shifted = |re: f64, im: f64| {
                    let mut x = at;
                    x[k].re += re;
                    x[k].im += im;
                    $function(&x)
                };
                let re = (shifted(1e-6, 0.0) - shifted(-1e-6, 0.0)) / 2e-6;
                let im = (shifted(0.0, 1e-6) - shifted(0.0, -1e-6)) / 2e-6;
                assert_relative_eq!(gradient[k].re, re, epsilon = 1e-7, max_relative = 1e-6);
                assert_relative_eq!(gradient[k].im, im, epsilon = 1e-7, max_relative = 1e-6);
            }
        })*};
    }
    gradients! {
        collected copied array_as_argument pushed mapped changed array_by_name made_of_itself parts
        reversed changed_array arrays_as_arrays
    }
}

#[adjoint]
fn block_that_leaves(x: &[f64]) -> f64 {
    let mut s = 0.0;
    'outer: for i in 0..x.len() {
        let y = {
            if x[i] < 0.0 {
                continue 'outer;
            }
            if x[i] > 2.0 {
                break 'outer;
            }
            if x[i] > 1.5 {
                return s;
            }
            x[i] * x[i]
        };
        s += y;
    }
    s
}

#[adjoint]
fn branches_that_leave(x: &[f64]) -> f64 {
    let mut s = 1.0;
    'outer: for i in 0..x.len() {
        let y = if x[i] < 0.1 {
            if i > 1 {
                return s;
            }
            continue 'outer;
        } else {
            let t = x[i] * x[i];
            if t > 4.0 {
                break 'outer;
            }
            t
        };
        s *= y;
    }
    s
}

#[adjoint]
fn nested_blocks_that_leave(x: &[f64]) -> f64 {
    let mut s = 1.0;
    'outer: for i in 0..x.len() {
        for j in 0..2 {
            let y = {
                let t = x[i] + j as f64;
                match j {
                    0 if t > 2.0 => return s * t,
                    1 => {
                        if t > 3.0 {
                            continue 'outer;
                        }
                        t * 2.0
                    }
                    _ => t,
                }
            };
            let (p, q) = {
                if y < 0.0 {
                    break 'outer;
                }
                (y, y * y)
            };
            s = s * p + q;
        }
    }
    s
}

#[adjoint]
fn list_or_leave(x: &[f64]) -> f64 {
    let mut s = 0.0;
    'rows: for i in 0..3 {
        let v = {
            let mut w = vec![x[0]; 2];
            if i == 1 {
                if x[0] > 1.0 {
                    return s;
                } else {
                    continue 'rows;
                }
            }
            w[1] = x[1] * x[0];
            w
        };
        s += v[0] * v[1];
    }
    s
}

#[adjoint]
fn zipped_steps(x: &[f64]) -> f64 {
    (1..9).step_by(2).zip(x).map(|(k, t)| t * t * k as f64).sum()
}

#[adjoint]
fn skipped_steps(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for k in (0..10).step_by(3).skip(1) {
        s += x[k % 2].powi(2);
    }
    s
}

#[adjoint]
fn looked_up(x: &[f64]) -> f64 {
    let mut m: BTreeMap<usize, usize> = BTreeMap::new();
    let mut s = x[0];
    for i in 0..3 {
        m.insert(i, i + 1);
        let k: usize = m[&(i % 2)];
        s = s * x[1] + k as f64 * s.sin();
    }
    s
}

#[derive(Clone, Copy)]
enum Power {
    Of(i32),
    One,
}

#[adjoint]
fn chosen_variant(x: &[f64]) -> f64 {
    let k = if x[0] > 0.35 { Power::Of(3) } else { Power::One };
    match k {
        Power::Of(n) => x[0].powi(n) * x[1],
        Power::One => x[0],
    }
}

#[derive(Clone, Copy)]
struct View<'a>(&'a [f64]);

#[adjoint(independents(x))]
fn weighted(x: f64, weights: View<'_>, first: Option<&f64>) -> f64 {
    x * weights.0[0] * x * first.copied().unwrap_or(1.0)
}

#[test]
fn blocks_that_leave_and_ranges_with_steps() {
    let at =
        [vec![0.3, -0.5, 0.9], vec![0.5, 1.2, 2.5, 0.4], vec![0.4, 1.7, 0.3], vec![0.05, 1.0, 3.5]];
    macro_rules! gradients {
        ($($function:ident)*) => {$(for x in &at {
            let (value, gradient) = $function::gradient(x);
            assert_eq!(value, $function(x));
            for i in 0..x.len() {
                let shifted = |h: f64| {
                    let mut x = x.clone();
                    x[i] += h;
                    $function(&x)
                };
                let difference = (shifted(1e-6) - shifted(-1e-6)) / 2e-6;
                assert_relative_eq!(gradient[i], difference, epsilon = 1e-7, max_relative = 1e-6);
            }
        })*};
    }
    gradients! {
        block_that_leaves branches_that_leave nested_blocks_that_leave list_or_leave zipped_steps
        skipped_steps looked_up chosen_variant
    }
    let weights = [2.0];
    let (value, pullback) = weighted::pullback(3.0, View(&weights), None);
    let mut bar = 0.0;
    pullback.call(&mut bar, 1.0);
    assert_eq!((value, bar), (18.0, 12.0));
}

#[derive(Clone, Copy, Differentiable)]
struct Stepper {
    step: f64,
}

#[adjoint(independents(stepper, step))]
fn set_step(stepper: &mut Stepper, step: f64) {
    stepper.step = step * step;
}

#[test]
fn an_independent_behind_an_exclusive_reference_is_a_dependent() {
    let mut stepper = Stepper { step: 1.0 };
    let (mut bar, mut step_b) = (Stepper { step: 10.0 }, 0.0);
    set_step::adjoint(&mut stepper, &mut bar, 2.0, &mut step_b);
    assert_eq!((stepper.step, bar.step, step_b), (4.0, 0.0, 40.0));
}
