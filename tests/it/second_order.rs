//! Second derivatives, and derivatives of functions that call derivatives. That Hessians are right on ordinary functions the
//! corpus shows.

use backsweep::adjoint;

#[track_caller]
fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-11 * (1.0 + expected.abs()), "{found} {expected}");
}

/// Differences of fourth order: 1e-8 is what their rounding and truncation leave at this step.
#[track_caller]
fn assert_is_gradient(f: impl Fn(&[f64]) -> f64, x: &[f64], gradient: &[f64]) {
    assert_eq!(x.len(), gradient.len());
    for at in 0..x.len() {
        let moved = |by: f64| {
            let mut y = x.to_vec();
            y[at] += by;
            f(&y)
        };
        let h = 1e-3;
        let difference =
            (8.0 * (moved(h) - moved(-h)) - moved(2.0 * h) + moved(-2.0 * h)) / (12.0 * h);
        let error = (difference - gradient[at]).abs();
        assert!(error <= 1e-8 * (1.0 + difference.abs()), "{at}: {} {difference}", gradient[at]);
    }
}

#[adjoint(second_order)]
fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        let a = x[i + 1] - x[i] * x[i];
        let b = 1.0 - x[i];
        sum += 100.0 * a * a + b * b;
    }
    sum
}

#[test]
fn the_hessian_of_rosenbrock() {
    let x = [0.5, -1.2, 2.0];
    let expected = [
        1200.0 * 0.25 + 400.0 * 1.2 + 2.0,
        -400.0 * 0.5,
        0.0,
        -400.0 * 0.5,
        1200.0 * 1.44 - 400.0 * 2.0 + 2.0 + 200.0,
        400.0 * 1.2,
        0.0,
        400.0 * 1.2,
        200.0,
    ];
    let hessian = rosenbrock::hessian(&x);
    assert_eq!(hessian.len(), expected.len());
    hessian.iter().zip(expected).for_each(|(found, expected)| assert_near(*found, expected));
    let diagonal = rosenbrock::hessian_diagonal(&x);
    assert_eq!(diagonal, [hessian[0], hessian[4], hessian[8]]);
    let direction = [0.3, -0.7, 0.2];
    let (value, gradient, product) = rosenbrock::hessian_vector(&x, &direction);
    assert_eq!(value.to_bits(), rosenbrock(&x).to_bits());
    assert_eq!(gradient.len(), 3);
    gradient.iter().zip(rosenbrock::gradient(&x).1).for_each(|(a, b)| assert_near(*a, b));
    for (row, found) in expected.chunks(3).zip(product) {
        assert_near(found, row.iter().zip(direction).map(|(h, d)| h * d).sum());
    }
}

#[test]
#[should_panic(expected = "x_d")]
fn a_direction_has_the_length_of_its_value() {
    rosenbrock::hessian_vector(&[0.5, 1.0, 2.0], &[1.0]);
}

#[adjoint(second_order)]
fn distance(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt() * x
}

#[adjoint(second_order)]
fn weighted(x: f64, y: f64) -> f64 {
    x.sqrt() * y
}

/// The direction of a root is 0 where the direction of the gradient is not.
#[test]
fn a_partial_that_may_be_infinite_counts_along_a_direction_of_zero() {
    let (_, _, product) = weighted::hessian_vector(4.0, 0.0, 3.0, 1.0);
    assert_near(product.0, 0.25);
    assert_near(product.1, 0.0);
    // The weight is 0, and with it the bar of the root.
    let (_, gradient, product) = weighted::hessian_vector(4.0, 1.0, 0.0, 0.0);
    assert_eq!(gradient, (0.0, 2.0));
    assert_near(product.0, 0.0);
    assert_near(product.1, 0.25);
    let (_, _, product) = distance::hessian_vector(3.0, 0.0, 4.0, 1.0);
    // f = r x: f_xy = y/r - x² y / r³, f_yy = x/r - x y²/r³.
    assert_near(product.0, 0.8 - 9.0 * 4.0 / 125.0);
    assert_near(product.1, 0.6 - 3.0 * 16.0 / 125.0);
}

#[adjoint(second_order)]
fn smooth(v: &mut [f64], k: f64) {
    for i in 1..v.len() {
        v[i] = v[i] * k + v[i - 1].tanh();
    }
}

#[adjoint(second_order)]
fn scaled(x: &[f64], k: f64) -> Vec<f64> {
    x.iter().map(|a| k * a.exp()).collect()
}

#[adjoint(second_order)]
fn fibonacci(x: f64, n: usize) -> f64 {
    if n < 2 { x.powi(2) } else { fibonacci(x, n - 1) * x + fibonacci(x * 0.5, n - 2) }
}

#[adjoint(second_order)]
fn logarithm(x: f64) -> Result<f64, String> {
    if x <= 0.0 {
        return Err("no logarithm".to_owned());
    }
    Ok(x.ln())
}

/// Calls with directions and without, of functions that write, that return lists, that fail and that call themselves.
#[adjoint(independents(x), dependents(return), second_order)]
fn calls(x: &[f64], n: usize) -> Result<f64, String> {
    let mut v = x.to_vec();
    smooth(&mut v, 0.7);
    let w = scaled(&v, x[0]);
    let mut sum = fibonacci(x[1], n) + fibonacci(1.5, 2) * x[0];
    smooth(&mut v, x[1]);
    for i in 0..v.len() {
        if v[i] > 0.3 {
            sum += logarithm(w[i])? * v[i];
        } else {
            sum -= v[i].powi(3);
        }
    }
    Ok(sum)
}

#[test]
fn second_derivatives_go_through_calls() {
    let x = [0.5, 1.2, 0.8, 0.3];
    let hessian = calls::hessian(&x, 5).expect("nothing fails");
    for row in 0..x.len() {
        let partial = |y: &[f64]| calls::gradient(y, 5).expect("nothing fails").1[row];
        assert_is_gradient(partial, &x, &hessian[row * x.len()..][..x.len()]);
    }
    assert_eq!(calls::hessian(&[-0.5, 1.2, 0.8], 1), Err("no logarithm".to_owned()));
}

#[adjoint(independents(x), dependents(return), second_order)]
fn checkpointed(x: &[f64], n: usize) -> f64 {
    let mut s = x.to_vec();
    #[checkpoint(snapshots = 3)]
    for _ in 0..n {
        for i in 1..s.len() {
            s[i] += 0.1 * (s[i - 1] * s[i]).sin();
        }
    }
    s.iter().map(|v| v * v).sum()
}

#[test]
fn second_derivatives_go_through_checkpointed_loops() {
    let x = [0.5, 1.2, -0.8];
    let hessian = checkpointed::hessian(&x, 12);
    for row in 0..x.len() {
        let partial = |y: &[f64]| checkpointed::gradient(y, 12).1[row];
        assert_is_gradient(partial, &x, &hessian[row * x.len()..][..x.len()]);
    }
}

#[adjoint(second_order)]
fn sum_of(x: &[f64; 2], at: f64) -> f64 {
    // These are the names that generated code would take for its own.
    let (unit, row, found) = (x[0] * at, x[1] * at, at * at);
    unit * row * found
}

#[test]
fn names_of_parameters_are_nobody_elses() {
    let hessian = sum_of::hessian(&[2.0, 3.0], 0.5);
    let a = 0.5_f64.powi(3);
    let expected = [0.0, a * 0.5, 12.0 * a, a * 0.5, 0.0, 8.0 * a, 12.0 * a, 8.0 * a, 18.0];
    hessian.iter().zip(expected).for_each(|(found, expected)| assert_near(*found, expected));
}

// Derivatives of derivatives.

#[adjoint(second_order)]
fn potential(x: &[f64], k: f64) -> f64 {
    let mut v = 0.0;
    for i in 0..x.len() {
        v += 0.5 * k * x[i] * x[i] + 0.1 * x[i].powi(4) * x[(i + 1) % x.len()];
    }
    v
}

/// A trajectory whose force is a gradient.
#[adjoint(independents(x, k), dependents(return))]
fn trajectory(x: &[f64], k: f64, steps: usize) -> f64 {
    let mut q = x.to_vec();
    let mut p = vec![0.0; x.len()];
    for _ in 0..steps {
        let (_, (force, _)) = potential::gradient(&q, k);
        for i in 0..q.len() {
            p[i] -= 0.05 * force[i];
            q[i] += 0.05 * p[i];
        }
    }
    let mut sum = 0.0;
    for i in 0..q.len() {
        sum += q[i] * q[i] * p[i];
    }
    sum
}

#[test]
fn the_force_on_a_trajectory_is_a_gradient() {
    let x = [0.4, -0.3, 0.7];
    let (value, (x_b, k_b)) = trajectory::gradient(&x, 1.3, 10);
    assert_eq!(value.to_bits(), trajectory(&x, 1.3, 10).to_bits());
    assert_is_gradient(|x| trajectory(x, 1.3, 10), &x, &x_b);
    assert_is_gradient(|k| trajectory(&x, k[0], 10), &[1.3], &[k_b]);
    let direction = [0.3, -0.2, 0.5];
    let (_, slope) = trajectory::tangent(&x, &direction, 1.3, 0.7, 10);
    let expected: f64 = x_b.iter().zip(direction).map(|(bar, d)| bar * d).sum();
    assert_near(slope, expected + 0.7 * k_b);
}

#[adjoint(second_order)]
fn payoff(y: f64, x: f64) -> f64 {
    x * y - 0.5 * y * y * (1.0 + 0.2 * x) - 0.05 * y.powi(4)
}

/// The maximum over y, found by gradient ascent, of which the minimum over x is wanted.
#[adjoint]
fn worst_case(x: f64) -> f64 {
    let mut y = 0.1;
    for _ in 0..200 {
        let (_, (slope, _)) = payoff::gradient(y, x);
        y += 0.3 * slope;
    }
    payoff(y, x) + 0.5 * (x - 2.0) * (x - 2.0)
}

#[test]
fn a_minimum_of_maxima() {
    let x = 1.3;
    let (_, slope) = worst_case::gradient(x);
    assert_is_gradient(|x| worst_case(x[0]), &[x], &[slope]);
    assert_near(worst_case::tangent(x, 1.0).1, slope);
}

#[adjoint(second_order)]
fn wave(t: f64, a: f64) -> f64 {
    (a * t).sin() * t
}

/// Tangents in active code, their directions included.
#[adjoint]
fn slopes(t: f64, a: f64) -> f64 {
    let (value, along) = wave::tangent(t, a * t, a, t);
    let (_, (in_t, in_a)) = wave::gradient(t * t, a);
    value * along + in_t * in_a
}

#[test]
fn all_modes_nest_in_all_modes() {
    let (t, a) = (0.7, 1.2);
    let (_, (t_b, a_b)) = slopes::gradient(t, a);
    assert_is_gradient(|x| slopes(x[0], x[1]), &[t, a], &[t_b, a_b]);
    assert_near(slopes::tangent(t, 0.4, a, -0.9).1, 0.4 * t_b - 0.9 * a_b);
}

#[adjoint(second_order)]
fn sum(y: f64, x: f64) -> f64 {
    x + y
}

/// x · d(x + y)/dy, of which the derivative is 1: the direction of the inner derivative is none of the outer.
#[adjoint]
fn unconfused(x: f64) -> f64 {
    let (_, (in_y, _)) = sum::gradient(1.0, x);
    let (_, along) = sum::tangent(1.0, 1.0, x, 0.0);
    x * in_y + x * along
}

#[test]
fn perturbations_are_not_confused() {
    assert_eq!(unconfused::gradient(3.0), (6.0, 2.0));
    assert_eq!(unconfused::tangent(3.0, 1.0), (6.0, 2.0));
}
