//! Functions inside of functions.

use approx::assert_relative_eq;
use backsweep::adjoint;
use num_traits::Float;

const SCALE: f64 = 1.5;
const SHIFT: f64 = 3.0;

fn difference(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = 1e-6;
    (f(x + h) - f(x - h)) / (2.0 * h)
}

#[adjoint]
fn expansion(h: f64, t: f64) -> f64 {
    /// The first coefficient.
    #[inline]
    fn b0(a: f64) -> f64 {
        SCALE * a
    }
    fn b1(mut a: f64, h2: f64) -> f64 {
        let q = a * h2;
        a += SHIFT;
        (q - 1.0 + h2 * a).mul_add(a, SHIFT) / 6.0
    }
    fn b2(p: &[f64], pair: (f64, f64)) -> (f64, f64) {
        let mut sum = 0.0;
        for &k in p {
            sum += k * pair.0;
        }
        (sum, pair.1 * pair.0)
    }
    let a = h.sin();
    let h2 = h * h;
    let (s, r) = b2(&[a, h2], (t, a));
    t.mul_add(b1(a, h2), b0(a)) * t + s * r
}

/// Functions that call each other, by names that variables have too, and with types of their own.
#[adjoint]
fn of_names(x: f64, y: f64) -> f64 {
    fn inner(y: f64) -> f64 {
        let x = y * y;
        x * y
    }
    let value = if x > 0.0 {
        fn halved(x: f64) -> f64 {
            if x > 1e3 {
                return 0.0;
            }
            x / 2.0
        }
        halved(inner(x) * y)
    } else {
        inner(y)
    };
    value * x
}

fn module_level(x: f64) -> f64 {
    x * x
}

/// What is mentioned besides in other ways than by a call stays a function, as does one that mentions what a variable is called here.
#[adjoint]
fn kept(x: f64, steps: &[f64]) -> f64 {
    fn next(x: f64) -> f64 {
        x + 1.0
    }
    fn level(x: f64) -> f64 {
        module_level(x)
    }
    let module_level = steps.len() as f64;
    #[passive]
    let start = level(steps[0]);
    #[passive]
    let count = steps.iter().copied().map(next).sum::<f64>();
    x * count * module_level * start
}

#[adjoint]
fn generic<T: Float>(x: T, y: f64) -> T {
    fn half(y: f64) -> f64 {
        0.5 * y
    }
    x * x * T::from(half(2.0)).unwrap() + x * if half(y) > 1.0 { x } else { T::one() }
}

#[test]
fn calls() {
    let (h, t) = (0.6, -1.2);
    let (value, (h_g, t_g)) = expansion::gradient(h, t);
    assert_eq!(value, expansion(h, t));
    assert_relative_eq!(h_g, difference(|h| expansion(h, t), h), max_relative = 1e-7);
    assert_relative_eq!(t_g, difference(|t| expansion(h, t), t), max_relative = 1e-7);
    let (value, slope) = expansion::tangent(h, 2.0, t, -1.0);
    assert_eq!(value, expansion(h, t));
    assert_relative_eq!(slope, 2.0 * h_g - t_g, max_relative = 1e-13);
    for (x, y) in [(0.7, 1.3), (-0.7, 1.3)] {
        let (value, (x_g, y_g)) = of_names::gradient(x, y);
        assert_eq!(value, of_names(x, y));
        assert_relative_eq!(x_g, difference(|x| of_names(x, y), x), max_relative = 1e-7);
        assert_relative_eq!(y_g, difference(|y| of_names(x, y), y), max_relative = 1e-7);
    }
}

#[test]
fn other_uses() {
    let steps = [2.0, 3.0];
    let (value, (x_g, steps_g)) = kept::gradient(0.5, &steps);
    assert_eq!(value, kept(0.5, &steps));
    assert_eq!((x_g, steps_g), (7.0 * 2.0 * 4.0, vec![0.0; 2]));
    assert_eq!(generic::gradient(3.0, 1.0), (12.0, (7.0, 0.0)));
    assert_eq!(generic::gradient(3.0, 4.0), (18.0, (12.0, 0.0)));
}
