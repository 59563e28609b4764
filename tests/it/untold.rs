//! Generic parameters that no argument tells: whoever calls the function or an entry names them.

use approx::assert_relative_eq;
use backsweep::{Differentiable, adjoint};

/// The derivative of a function of one number, by differences.
fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-5;
    (f(x - 2.0 * h) - 8.0 * f(x - h) + 8.0 * f(x + h) - f(x + 2.0 * h)) / (12.0 * h)
}

trait Kernel {
    const RATE: f64;
}

struct Slow;
struct Fast;

impl Kernel for Slow {
    const RATE: f64 = 0.5;
}

impl Kernel for Fast {
    const RATE: f64 = 2.0;
}

#[adjoint(second_order)]
fn right_handed<const RIGHT: bool>(x: f64, y: f64) -> f64 {
    if RIGHT { x * y.sin() } else { -x * y.cos() }
}

#[adjoint(second_order)]
fn both(x: f64, y: f64) -> f64 {
    right_handed::<true>(x, y) * right_handed::<false>(y, x)
}

#[adjoint(second_order)]
fn decay<K: Kernel, const N: usize>(t: f64, weights: &[f64; N]) -> f64 {
    let rate = K::RATE;
    let mut state = 1.0 + t;
    let mut sum = 0.0;
    #[checkpoint(every = 2)]
    for _ in 0..4 {
        for w in weights {
            sum += w * (-rate * t).exp() * state;
        }
        state = state.sin() + 1.0;
    }
    sum
}

#[adjoint]
fn two_decays(t: f64, weights: &[f64; 2]) -> f64 {
    let slow = decay::<Slow, 2>(t, weights);
    #[split]
    let fast = decay::<Fast, _>(t * t, weights);
    slow + fast
}

#[adjoint]
fn root<K: Kernel>(x: &[f64], out: &mut [f64]) -> Result<f64, String> {
    if x[0] < 0.0 {
        return Err("negative".to_owned());
    }
    for (o, v) in out.iter_mut().zip(x) {
        *o = (v * K::RATE).sqrt();
    }
    Ok(x[0] * K::RATE)
}

#[adjoint]
fn rooted<K: Kernel>(x: &[f64]) -> Result<f64, String> {
    let mut out = [0.0; 2];
    let first = root::<K>(x, &mut out)?;
    Ok(first * out[0] * out[1])
}

mod counted {
    use backsweep::adjoint;

    #[adjoint(passive(n), name = "self")]
    pub fn counted<const N: usize, T>(x: f64, n: T) -> f64
    where
        T: Into<f64>,
    {
        let n: f64 = n.into();
        x.powi(N as i32) * n
    }
}

#[adjoint(partials(x: 2.0 * x * N as f64))]
fn with_partials<const N: usize>(x: f64) -> f64 {
    x * x * N as f64
}

#[adjoint]
fn of_partials(x: f64) -> f64 {
    with_partials::<3>(x).sin()
}

fn times_adjoint<const N: usize>(x: f64, x_b: &mut f64, seed: f64) -> f64 {
    *x_b += seed * N as f64;
    x * N as f64
}

#[adjoint(with = times_adjoint, repeatable)]
fn times<const N: usize>(x: f64) -> f64 {
    x * N as f64
}

#[adjoint]
fn of_times(x: f64) -> f64 {
    (times::<3>(x) + times::<2>(x * x)).sin()
}

/// It calls itself with other arguments.
#[adjoint]
fn power<const EVEN: bool>(x: f64, n: u32) -> f64 {
    if n == 0 {
        1.0
    } else if EVEN {
        x * power::<false>(x, n - 1)
    } else {
        x.sin() * power::<true>(x, n - 1)
    }
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Pair {
    a: f64,
    b: f64,
}

#[adjoint]
impl Pair {
    fn turned<const K: usize>(&self, w: f64) -> f64 {
        self.a * w * K as f64 + self.b
    }

    fn scale<const K: usize>(&mut self, w: f64) {
        self.a *= w * K as f64;
        self.b = self.b.sin();
    }

    fn two(&self, w: f64) -> f64 {
        self.turned::<3>(w) + Self::turned::<2>(self, w * w)
    }

    fn scale_twice(&mut self, w: f64) -> f64 {
        self.scale::<2>(w);
        self.scale::<3>(w);
        self.a * self.b
    }
}

#[adjoint(independents(p, w))]
fn through_pair(p: &Pair, w: f64) -> f64 {
    Pair::turned::<4>(p, w) * w
}

#[test]
fn callers_name_them() {
    let (x, y) = (1.2, 0.7);
    let (value, (by_x, by_y)) = both::gradient(x, y);
    assert_eq!(value, both(x, y));
    assert_relative_eq!(by_x, slope(|x| both(x, y), x), max_relative = 1e-8);
    assert_relative_eq!(by_y, slope(|y| both(x, y), y), max_relative = 1e-8);
    let (weights, t) = ([1.0, 2.0], 0.3);
    let (value, (by_t, by_weights)) = two_decays::gradient(t, &weights);
    assert_eq!(value, two_decays(t, &weights));
    assert_relative_eq!(by_t, slope(|t| two_decays(t, &weights), t), max_relative = 1e-8);
    assert_relative_eq!(
        by_weights[1],
        slope(|w| two_decays(t, &[1.0, w]), 2.0),
        max_relative = 1e-8
    );
    assert_relative_eq!(of_partials::gradient(0.4).1, slope(of_partials, 0.4), max_relative = 1e-8);
    assert_relative_eq!(of_times::gradient(0.4).1, slope(of_times, 0.4), max_relative = 1e-8);
    assert_eq!(times::gradient::<7>(0.4).1, 7.0);
}

#[test]
fn users_name_them() {
    let (x, y) = (1.2, 0.7);
    let (value, (by_x, by_y)) = right_handed::gradient::<false>(x, y);
    assert_eq!(value, right_handed::<false>(x, y));
    assert_relative_eq!(by_x, slope(|x| right_handed::<false>(x, y), x), max_relative = 1e-8);
    assert_relative_eq!(by_y, slope(|y| right_handed::<false>(x, y), y), max_relative = 1e-8);
    let (value, tangent) = right_handed::tangent::<true>(x, 1.0, y, 0.5);
    assert_eq!(value, right_handed::<true>(x, y));
    let along = |e| right_handed::<true>(x + e, y + 0.5 * e);
    assert_relative_eq!(tangent, slope(along, 0.0), max_relative = 1e-8);
    let (_, tangents) = right_handed::tangents::<true, 2>(x, [1.0, 0.0], y, [0.0, 1.0]);
    assert_relative_eq!(tangents[0], y.sin());
    assert_relative_eq!(tangents[1], x * y.cos());
    let (mut by_x, mut by_y) = (0.0, 0.0);
    right_handed::pullback::<true>(x, y).1.call(&mut by_x, &mut by_y, 2.0);
    assert_relative_eq!(by_x, 2.0 * y.sin());
    assert_relative_eq!(by_y, 2.0 * x * y.cos());
    let (_, by_x) = counted::gradient::<3, f32>(0.5, 2.0);
    assert_relative_eq!(by_x, 1.5);
}

#[test]
fn functions_that_fail() {
    let x = [0.4, 0.9];
    let (value, by_x) = rooted::gradient::<Fast>(&x).unwrap();
    assert_eq!(value, rooted::<Fast>(&x).unwrap());
    for k in 0..2 {
        let changed = |v| {
            let mut x = x;
            x[k] = v;
            rooted::<Fast>(&x).unwrap()
        };
        assert_relative_eq!(by_x[k], slope(changed, x[k]), max_relative = 1e-8);
    }
    assert_eq!(rooted::gradient::<Slow>(&[-1.0, 1.0]).unwrap_err(), "negative");
}

#[test]
fn functions_that_call_themselves() {
    let (value, by_x) = power::gradient::<true>(0.6, 5);
    assert_eq!(value, power::<true>(0.6, 5));
    assert_relative_eq!(by_x, slope(|x| power::<true>(x, 5), 0.6), max_relative = 1e-8);
}

#[test]
fn methods() {
    let (pair, w) = (Pair { a: 1.1, b: 0.4 }, 0.3);
    let (value, (by_pair, by_w)) = pair.two_gradient(w);
    assert_eq!(value, pair.two(w));
    assert_relative_eq!(by_w, slope(|w| pair.two(w), w), max_relative = 1e-8);
    assert_relative_eq!(by_pair.a, 3.0 * w + 2.0 * w * w);
    let (mut changed, mut of_pair, mut by_w) = (pair, Pair { a: 0.0, b: 0.0 }, 0.0);
    let value = changed.scale_twice_adjoint(&mut of_pair, w, &mut by_w, 1.0);
    let of = |a, b, w| Pair { a, b }.scale_twice(w);
    assert_eq!(value, of(pair.a, pair.b, w));
    assert_relative_eq!(by_w, slope(|w| of(pair.a, pair.b, w), w), max_relative = 1e-8);
    assert_relative_eq!(of_pair.a, slope(|a| of(a, pair.b, w), pair.a), max_relative = 1e-8);
    assert_relative_eq!(of_pair.b, slope(|b| of(pair.a, b, w), pair.b), max_relative = 1e-8);
    let (value, (_, by_w)) = pair.turned_gradient::<5>(w);
    assert_eq!(value, pair.turned::<5>(w));
    assert_relative_eq!(by_w, 5.5);
    let (_, (_, by_w)) = through_pair::gradient(&pair, w);
    assert_relative_eq!(by_w, slope(|w| through_pair(&pair, w), w), max_relative = 1e-8);
}

#[test]
fn second_derivatives() {
    let (t, weights) = (0.3, [1.0, 2.0]);
    let first = |t| decay::gradient::<Slow, 2>(t, &weights).1.0;
    let (.., (by_t, by_weights)) = decay::hessian_vector::<Slow, 2>(t, 1.0, &weights, &[0.0; 2]);
    assert_relative_eq!(by_t, slope(first, t), max_relative = 1e-8);
    let of_weight = |t| decay::gradient::<Slow, 2>(t, &weights).1.1[1];
    assert_relative_eq!(by_weights[1], slope(of_weight, t), max_relative = 1e-8);
    let (.., (by_x, _)) = both::hessian_vector(1.2, 1.0, 0.7, 0.0);
    let first = |x| both::gradient(x, 0.7).1.0;
    assert_relative_eq!(by_x, slope(first, 1.2), max_relative = 1e-8);
}
