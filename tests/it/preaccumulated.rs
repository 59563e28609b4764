//! Functions of a few numbers hand over their partials instead of what these are made of.

use backsweep::adjoint;
use testkit::storage::bytes_between_sweeps;

/// The same functions as they are by default, and with what the backward sweep is made of.
macro_rules! functions {
    ($($module:ident: $($option:ident)?;)*) => {$(
        mod $module {
            use backsweep::adjoint;

            #[adjoint($(no($option))?)]
            pub fn sigmoid(x: f64) -> f64 {
                1.0 / (1.0 + (-x).exp())
            }

            #[adjoint($(no($option))?)]
            pub fn branches(x: f64, y: f64, n: i32) -> f64 {
                if n < 0 {
                    return x * y;
                }
                let z = (x - y) / (1.0 + x * x);
                if z > 0.0 { (-0.5 * z * z).exp() / y + z.powi(n) } else { z.sin() * y.sqrt().tanh() }
            }

            /// The probability integral of Gauss, by its series.
            #[adjoint($(no($option))?)]
            pub fn integral(x: f64) -> f64 {
                let (mut term, mut sum) = (x, x);
                let mut k = 1.0;
                while term.abs() > 1e-17 * sum.abs() {
                    term *= -x * x * (2.0 * k - 1.0) / (k * (2.0 * k + 1.0));
                    sum += term;
                    k += 1.0;
                }
                sum * std::f64::consts::FRAC_2_SQRT_PI
            }

            /// Calls keep something in their turn, one of them in a loop.
            #[adjoint(passive(weights) $(, no($option))?)]
            pub fn calls(x: f64, y: f64, weights: &[f64]) -> f64 {
                let mut z = sigmoid(x * y) + x;
                for w in weights {
                    z = branches(z, y, 2) + w * x;
                }
                z
            }

            /// As often as it is told.
            #[adjoint($(no($option))?)]
            pub fn iterates(x: f64, n: usize) -> f64 {
                if n == 0 { x } else { sigmoid(iterates(x, n - 1) * x) * 3.0 }
            }

            #[adjoint($(no($option))?)]
            pub fn single(x: f32, y: f32) -> f32 {
                let t = (x * y).tanh();
                (t * x).exp() / (1.0 + t * t) + y
            }

            /// In a loop.
            #[adjoint(independents(x), dependents(return) $(, no($option))?)]
            pub fn all(x: &[f64]) -> f64 {
                let mut sum = 0.0;
                for k in 0..x.len() {
                    sum += integral(x[k]) * sigmoid(x[k]) + branches(x[k], 1.5, 2);
                }
                sum
            }
        }
    )*};
}

functions! {
    by_partials:;
    by_parts: preaccumulate;
}

fn close(left: f64, right: f64) {
    assert!((left - right).abs() <= 1e-13 * (left.abs() + right.abs()), "{left} {right}");
}

/// Both say the same, in each of several ways to ask.
macro_rules! agree {
    ($function:ident($($arg:expr),*); $slopes:pat => $list:expr) => {{
        let (partials, parts) =
            (by_partials::$function::gradient($($arg),*), by_parts::$function::gradient($($arg),*));
        assert_eq!(partials.0, parts.0);
        let $slopes = partials.1;
        let partials = $list;
        let $slopes = parts.1;
        partials.into_iter().zip($list).for_each(|(left, right)| close(left, right));
    }};
}

#[test]
fn partials_are_those_of_the_backward_sweep() {
    for x in [-3.0, -0.7, 0.0, 0.4, 2.5] {
        agree!(sigmoid(x); a => [a]);
        agree!(integral(x); a => [a]);
        agree!(iterates(x, 0); a => [a]);
        agree!(iterates(x, 5); a => [a]);
        for y in [0.3, 1.0, 2.0] {
            for n in [-1, 0, 1, 3] {
                agree!(branches(x, y, n); (a, b) => [a, b]);
            }
            agree!(calls(x, y, &[0.2, -0.4, 1.0]); (a, b) => [a, b]);
        }
    }
    let (value, slopes) = by_partials::single::gradient(0.5, 0.25);
    let (same, others) = by_parts::single::gradient(0.5, 0.25);
    assert_eq!(value, same);
    assert!((slopes.0 - others.0).abs() < 1e-6 && (slopes.1 - others.1).abs() < 1e-6);
}

#[test]
fn all_entries_weight_the_same_partials() {
    let (x, y) = (0.7, 1.3);
    let (_, (by_x, by_y)) = by_partials::branches::gradient(x, y, 2);
    let (mut x_b, mut y_b) = (0.0, 0.0);
    by_partials::branches::adjoint_only(x, &mut x_b, y, &mut y_b, 2, 1.0);
    assert_eq!((x_b, y_b), (by_x, by_y));
    let mut stack = backsweep::Stack::new();
    let (mut x_b, mut y_b) = (0.0, 0.0);
    by_partials::branches::forward(&mut stack, x, y, 2);
    by_partials::branches::backward(&mut stack, x, &mut x_b, y, &mut y_b, 2, -3.0);
    assert_eq!((x_b, y_b), (-3.0 * by_x, -3.0 * by_y));
    let (mut x_b, mut y_b) = ([0.0; 2], [0.0; 2]);
    by_partials::branches::adjoints(x, &mut x_b, y, &mut y_b, 2, [1.0, -3.0]);
    assert_eq!((x_b, y_b), ([by_x, -3.0 * by_x], [by_y, -3.0 * by_y]));
    // A seed of 0 adds nothing, also where the partial is infinite.
    let mut x_b = 0.0;
    by_partials::branches::adjoint_only(x, &mut x_b, 0.0, &mut 0.0, 2, 0.0);
    assert_eq!(x_b, 0.0);
}

#[test]
fn less_is_stored() {
    let x: Vec<f64> = (0..50).map(|k| 0.05 * f64::from(k)).collect();
    let [less, more] = [
        bytes_between_sweeps(|stack| {
            by_partials::all::forward(stack, &x);
        }),
        bytes_between_sweeps(|stack| {
            by_parts::all::forward(stack, &x);
        }),
    ];
    // Two values and three partials for each number, and what is about the loop.
    assert!(less <= 5 * 8 * x.len() + 64, "{less}");
    assert!(more > 8 * less, "{more}");
    let (value, gradient) = by_partials::all::gradient(&x);
    let (same, other) = by_parts::all::gradient(&x);
    assert_eq!(value, same);
    // Terms of about 1 cancel.
    assert!(gradient.iter().zip(&other).all(|(left, right)| (left - right).abs() < 1e-12));
}

/// The fixed point of a logistic map, which iterates to a cycle of two beyond `a = 3`: there the adjoint does not converge.
#[adjoint]
fn logistic(a: f64) -> f64 {
    let (mut z, mut k) = (0.4, 0);
    #[fixed_point(tol = 1e-12, max = 200)]
    loop {
        let next = a * z * (1.0 - z);
        let change = (next - z).abs();
        z = next;
        k += 1;
        if change < 1e-14 || k > 60 {
            break;
        }
    }
    z
}

/// The same behind a call.
#[adjoint(no(inline))]
fn twice_logistic(a: f64) -> f64 {
    2.0 * logistic(a)
}

/// Only the first candidates count.
#[adjoint]
fn best(x: f64, n: usize) -> f64 {
    let mut best = 0.0;
    for k in 0..n {
        let candidates = [logistic(x + k as f64 * 0.7), twice_logistic(x + k as f64 * 0.7)];
        let value = if k < 2 { candidates[0] + candidates[1] } else { 0.0 };
        if value > best {
            best = value;
        }
    }
    best * best
}

#[test]
fn adjoints_that_may_not_converge_are_not_asked_for_in_advance() {
    let (value, slope) = best::gradient(1.8, 4);
    assert_eq!(value, best(1.8, 4));
    // 3 (1 - 1 / a) at a = x + 0.7.
    let a = 2.5;
    assert!((slope - 18.0 * (1.0 - 1.0 / a) / (a * a)).abs() < 1e-9, "{slope}");
}

/// A loop without elementary functions, whose partial is not finite at 0.
#[adjoint]
fn quotients(x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y = 1.0 / (y * y + x);
    }
    y
}

#[test]
fn a_seed_of_zero_adds_nothing() {
    assert!(!quotients::gradient(0.0, 1).1.is_finite());
    let mut x_b = 0.5;
    quotients::adjoint_only(0.0, &mut x_b, 1, 0.0);
    assert_eq!(x_b, 0.5);
}
