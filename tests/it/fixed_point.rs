//! Fixed-point loops: their derivatives are those of what they converge to.

use backsweep::{Convergence, Differentiable, Stack, adjoint};
use num_traits::Float;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How often the adjoints of the loops of one place have been iterated.
fn convergence(stack: &Stack) -> Convergence {
    let known = stack.report().fixed_points;
    assert_eq!(known.len(), 1, "{known:?}");
    known[0].1
}

#[track_caller]
fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() <= tolerance * (1.0 + expected.abs()),
            "{found} {expected}"
        );
    }
}

/// Heron's method, which finds out at the end of an iteration that it is the last.
#[adjoint(independents(a, start), dependents(return))]
fn root(a: f64, start: f64) -> f64 {
    let mut y = start;
    #[fixed_point(tol = 1e-14)]
    loop {
        let next = 0.5 * (y + a / y);
        let change = (next - y).abs();
        y = next;
        if change < 1e-13 {
            break;
        }
    }
    y
}

/// The same, where the end is found out before an iteration, by the condition.
#[adjoint(independents(a, start), dependents(return))]
fn root_while(a: f64, start: f64) -> f64 {
    let mut y = start;
    #[fixed_point(tol = 1e-14)]
    while (y * y - a).abs() > 1e-12 {
        y = 0.5 * (y + a / y);
    }
    y
}

/// The same, where it is found out in the course of an iteration.
#[adjoint(independents(a, start), dependents(return))]
fn root_by_newton(a: f64, start: f64) -> f64 {
    let mut y = start;
    let rate = 0.5;
    #[fixed_point(tol = 1e-14)]
    'newton: loop {
        let residual = y * y - a;
        if residual.abs() > 1e-12 {
            let slope = 2.0 * y;
            y -= residual / slope * (2.0 * rate);
        } else {
            break 'newton;
        }
    }
    y
}

#[test]
fn square_roots() {
    for a in [2.0, 4.0, 0.3] {
        let expected = 0.5 / f64::sqrt(a);
        // Also from the solution itself: the loop then has no iteration that is complete.
        for start in [1.0, 2.0, f64::sqrt(a)] {
            for gradient in [root::gradient, root_while::gradient, root_by_newton::gradient] {
                let (value, (a_g, start_g)) = gradient(a, start);
                assert_near(&[value, a_g], &[f64::sqrt(a), expected], 1e-12);
                assert_eq!(start_g, 0.0, "the initial state does not matter");
            }
        }
    }
}

/// Kepler's equation, with the number of iterations and the last change.
#[adjoint(independents(mean, eccentricity), dependents(return))]
fn anomaly(mean: f64, eccentricity: f64) -> (f64, f64, usize) {
    let mut x = mean;
    let mut change = 1.0;
    let mut count: usize = 0;
    #[fixed_point(tol = 1e-15, max = 500)]
    while f64::abs(change) > 1e-15 {
        let next = mean + eccentricity * x.sin();
        change = next - x;
        x = next;
        count += 1;
    }
    (x, change, count)
}

#[test]
fn keplers_equation() {
    for (mean, eccentricity) in [(0.7, 0.4), (2.0, 0.9), (-1.0, 0.1)] {
        let (mut mean_b, mut eccentricity_b) = (0.25, 0.0);
        let (x, _, count) =
            anomaly::adjoint(mean, &mut mean_b, eccentricity, &mut eccentricity_b, (3.0, 0.0, 0));
        assert!(count > 3);
        let slope = 3.0 / (1.0 - eccentricity * x.cos());
        assert_near(&[mean_b, eccentricity_b], &[slope + 0.25, slope * x.sin()], 1e-12);
        // The change is zero wherever the loop converges to.
        let (mut mean_b, mut eccentricity_b) = (0.0, 0.0);
        anomaly::adjoint(mean, &mut mean_b, eccentricity, &mut eccentricity_b, (0.0, 1.0, 0));
        assert_near(&[mean_b, eccentricity_b], &[0.0, 0.0], 1e-12);
    }
}

/// Jacobi's iteration for a linear system.
#[adjoint(independents(matrix, rhs), dependents(return))]
fn jacobi(matrix: &[f64], rhs: &[f64], weights: &[f64]) -> f64 {
    let n = rhs.len();
    let mut x = vec![0.0; n];
    let mut next = vec![0.0; n];
    #[fixed_point(tol = 1e-13)]
    loop {
        let mut change = 0.0;
        for i in 0..n {
            let mut sum = rhs[i];
            for j in 0..n {
                if j != i {
                    sum -= matrix[i * n + j] * x[j];
                }
            }
            next[i] = sum / matrix[i * n + i];
            change += (next[i] - x[i]).abs();
        }
        x.copy_from_slice(&next);
        if change < 1e-14 {
            break;
        }
    }
    let mut s = 0.0;
    for i in 0..n {
        s += weights[i] * x[i] * x[i];
    }
    s
}

/// Solves a linear system by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut rhs: Vec<f64>) -> Vec<f64> {
    let n = rhs.len();
    for k in 0..n {
        for i in (0..n).filter(|i| *i != k) {
            let factor = matrix[i][k] / matrix[k][k];
            for j in 0..n {
                matrix[i][j] -= factor * matrix[k][j];
            }
            rhs[i] -= factor * rhs[k];
        }
    }
    (0..n).map(|k| rhs[k] / matrix[k][k]).collect()
}

#[test]
fn linear_systems() {
    let matrix = [4.0, -1.0, 0.5, 0.7, 3.0, -0.2, -0.3, 1.1, 5.0];
    let (rhs, weights) = ([1.0, -2.0, 0.5], [0.3, 1.0, -2.0]);
    let rows = |index: fn(usize, usize) -> usize| -> Vec<Vec<f64>> {
        (0..3).map(|i| (0..3).map(|j| matrix[index(i, j)]).collect()).collect()
    };
    let x = solve(rows(|i, j| 3 * i + j), rhs.to_vec());
    let bar = (0..3).map(|i| 2.0 * weights[i] * x[i]).collect();
    let rhs_b = solve(rows(|i, j| 3 * j + i), bar);
    let matrix_b: Vec<f64> = (0..9).map(|at| -rhs_b[at / 3] * x[at % 3]).collect();
    let (_, (matrix_g, rhs_g)) = jacobi::gradient(&matrix, &rhs, &weights);
    assert_near(&rhs_g, &rhs_b, 1e-11);
    assert_near(&matrix_g, &matrix_b, 1e-11);
}

/// Two equations, and what the residual depends on, which is returned.
#[adjoint(independents(p), dependents(return))]
fn system(p: &[f64; 2], residual: &mut f64) -> [f64; 2] {
    let mut z = [0.0, 0.0];
    #[fixed_point(tol = 1e-13)]
    loop {
        let x = (p[0] * z[1]).cos() * 0.5;
        let y = (p[1] + z[0]).sin() * 0.4;
        *residual = (x - z[0]).abs() + (y - z[1]).abs();
        z = [x, y];
        if *residual < 1e-14 {
            break;
        }
    }
    z
}

#[test]
fn nonlinear_systems() {
    let p = [1.3, 0.4];
    for seed in [[1.0, 0.0], [0.0, 1.0], [0.5, -2.0]] {
        let (mut p_b, mut residual) = ([0.0; 2], 0.0);
        let [x, y] = system::adjoint(&p, &mut p_b, &mut residual, seed);
        // x = ½cos(p₀y), y = 0.4 sin(p₁ + x)
        let (a, b) = (-0.5 * (p[0] * y).sin() * p[0], 0.4 * (p[1] + x).cos());
        let weights = solve(vec![vec![1.0, -b], vec![-a, 1.0]], seed.to_vec());
        let expected = [-0.5 * (p[0] * y).sin() * y * weights[0], b * weights[1]];
        assert_near(&p_b, &expected, 1e-12);
    }
}

/// Implicit time steps, each of which is solved by iteration.
#[adjoint(independents(u, rate), dependents(return))]
fn implicit_steps(u: f64, rate: f64, steps: usize) -> f64 {
    let mut u = u;
    for _ in 0..steps {
        let before = u;
        #[fixed_point(tol = 1e-13)]
        loop {
            let next = before - 0.05 * rate * (u + 0.2 * u * u * u);
            let change = (next - u).abs();
            u = next;
            if change < 1e-15 {
                break;
            }
        }
    }
    u * u
}

/// The same, by hand.
fn stepped(start: f64, rate: f64, steps: usize) -> [f64; 3] {
    let (mut u, mut by_start, mut by_rate) = (start, 1.0, 0.0);
    for _ in 0..steps {
        let before = u;
        for _ in 0..200 {
            u = before - 0.05 * rate * (u + 0.2 * u * u * u);
        }
        let slope = 1.0 + 0.05 * rate * (1.0 + 0.6 * u * u);
        by_start /= slope;
        by_rate = (by_rate - 0.05 * (u + 0.2 * u * u * u)) / slope;
    }
    [u * u, 2.0 * u * by_start, 2.0 * u * by_rate]
}

#[test]
fn the_adjoint_of_the_step_before_spares_passes() {
    let (u, rate) = (0.9, 6.0);
    let passes = |steps| {
        let mut stack = Stack::new();
        let (value, (u_g, rate_g)) = implicit_steps::gradient_with(&mut stack, u, rate, steps);
        assert_near(&[value, u_g, rate_g], &stepped(u, rate, steps), 1e-10);
        let Convergence { loops, passes } = convergence(&stack);
        assert_eq!(loops, steps as u64);
        passes
    };
    let (one, all) = (passes(1), passes(40));
    println!("{one} passes for a step, {all} for 40 steps");
    assert!(10 * all < 9 * 40 * one, "{all} passes, {one} without what is known");
}

#[test]
fn derivatives_do_not_depend_on_those_before() {
    let mut stack = Stack::new();
    let first = implicit_steps::gradient_with(&mut stack, 0.9, 6.0, 5);
    implicit_steps::gradient_with(&mut stack, 0.3, 2.0, 7);
    assert_eq!(implicit_steps::gradient_with(&mut stack, 0.9, 6.0, 5), first);
    assert!(stack.is_empty());
    let value = implicit_steps::forward(&mut stack, 0.9, 6.0, 5);
    let (mut u_b, mut rate_b) = (0.0, 0.0);
    implicit_steps::backward(&mut stack, 0.9, &mut u_b, 6.0, &mut rate_b, 5, 1.0);
    assert_eq!((value, (u_b, rate_b)), first);
    for _ in 0..2 {
        let (value, pullback) = implicit_steps::pullback(0.9, 6.0, 5);
        let (mut u_b, mut rate_b) = (0.0, 0.0);
        pullback.call(&mut u_b, &mut rate_b, 1.0);
        assert_eq!((value, (u_b, rate_b)), first);
    }
}

/// What the loop writes without reading it is returned.
#[adjoint(independents(a, first), dependents(return))]
fn with_diagnostic(a: f64, start: f64, first: f64) -> f64 {
    let mut y = start;
    let mut energy = first;
    #[fixed_point(tol = 1e-14)]
    while (y * y - a).abs() > 1e-12 {
        energy = a * y * y * y;
        y = 0.5 * (y + a / y);
    }
    energy
}

#[test]
fn diagnostics_are_adjointed_once() {
    let a: f64 = 2.0;
    let (_, (a_g, first_g)) = with_diagnostic::gradient(a, 1.0, 7.0);
    // a·y³ with y = √a
    assert_near(&[a_g, first_g], &[2.5 * a.powf(1.5), 0.0], 1e-11);
    // There is no iteration.
    assert_eq!(with_diagnostic::gradient(a, a.sqrt(), 7.0), (7.0, (0.0, 1.0)));
}

/// `iterations` iterations, of which nothing is stored but the state before the last.
#[adjoint(independents(a), dependents(return))]
fn slowly(a: &[f64], iterations: usize) -> f64 {
    let mut z = vec![0.5; a.len()];
    let mut count: usize = 0;
    #[fixed_point(tol = 1e-12)]
    while count < iterations {
        for i in 0..a.len() {
            z[i] = (a[i] + 0.3 * z[(i + 1) % a.len()].sin() * z[i]).tanh();
        }
        count += 1;
    }
    let mut s = 0.0;
    for i in 0..a.len() {
        s += z[i];
    }
    s
}

#[test]
fn one_iteration_is_stored() {
    let a = [0.2, -0.4, 0.7, 0.1, 0.3];
    let peak = |iterations| {
        let mut stack = Stack::recording();
        slowly::gradient_with(&mut stack, &a, iterations);
        stack.report().peak_bytes
    };
    assert_eq!(peak(10), peak(1000));
    // Differences of what the loop converges to.
    let (_, gradient) = slowly::gradient(&a, 500);
    for k in 0..a.len() {
        let shifted = |by: f64| {
            let mut a = a;
            a[k] += by;
            slowly(&a, 500)
        };
        let difference = (shifted(1e-5) - shifted(-1e-5)) / 2e-5;
        assert!((gradient[k] - difference).abs() < 1e-9, "{} {difference}", gradient[k]);
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Flow {
    pressure: f64,
    speeds: Vec<f64>,
}

#[adjoint]
fn relax(flow: &mut Flow, load: f64) {
    for k in 0..flow.speeds.len() {
        flow.speeds[k] = 0.5 * (flow.pressure * load + flow.speeds[k].cos());
    }
    flow.pressure = 0.3 * flow.speeds[0] + load;
}

/// A struct is the state, and an annotated function the step.
#[adjoint(independents(load), dependents(return))]
fn relaxed(load: f64, size: usize) -> f64 {
    let mut flow = Flow { pressure: 0.0, speeds: vec![0.0; size] };
    let mut last = 1.0;
    #[fixed_point(tol = 1e-13)]
    while f64::abs(flow.pressure - last) > 1e-15 {
        last = flow.pressure;
        relax(&mut flow, load);
    }
    flow.pressure * flow.speeds[size - 1]
}

#[test]
fn a_struct_is_a_state() {
    let (_, gradient) = relaxed::gradient(0.4, 3);
    let difference = (relaxed(0.4001, 3) - relaxed(0.3999, 3)) / 2e-4;
    assert!((gradient - difference).abs() < 1e-7, "{gradient} {difference}");
}

#[derive(Clone, Differentiable)]
struct Model {
    stiffness: f64,
}

#[adjoint]
impl Model {
    fn rest(&self, load: f64) -> f64 {
        let mut z = 0.0;
        #[fixed_point(tol = 1e-14)]
        loop {
            let before = z;
            z = (load - self.stiffness * z).cos();
            if f64::abs(z - before) < 1e-15 {
                break;
            }
        }
        z
    }
}

#[adjoint]
fn generic_rest<T: Float>(load: T, stiffness: T) -> T {
    let mut z = T::zero();
    #[fixed_point(tol = 1e-6)]
    loop {
        let before = z;
        z = (load - stiffness * z).cos();
        if (z - before).abs() < T::epsilon() {
            break;
        }
    }
    z
}

#[test]
fn methods_and_generic_functions() {
    // z = cos(l - kz), dz = -sin(l - kz)(dl - z dk - k dz)
    let implicit = |z: f64, load: f64, stiffness: f64| {
        let sin = (load - stiffness * z).sin();
        let slope = -sin / (1.0 - stiffness * sin);
        [slope, -z * slope]
    };
    let model = Model { stiffness: 0.5 };
    let (z, (model_g, load_g)) = model.rest_gradient(0.3);
    assert_near(&[load_g, model_g.stiffness], &implicit(z, 0.3, 0.5), 1e-13);
    let (z, (load_g, stiffness_g)) = generic_rest::gradient(0.3, 0.5);
    assert_near(&[load_g, stiffness_g], &implicit(z, 0.3, 0.5), 1e-6);
    let (z, (load_g, stiffness_g)) = generic_rest::gradient(0.3_f32, 0.5);
    let found = [f64::from(load_g), f64::from(stiffness_g)];
    assert_near(&found, &implicit(f64::from(z), 0.3, 0.5), 1e-5);
}

/// Steps that are run again contain loops that converge, one of which is inside of another.
#[adjoint(independents(x), dependents(return))]
fn nested(x: f64, steps: usize) -> f64 {
    let mut u = x;
    #[checkpoint(snapshots = 3)]
    for _ in 0..steps {
        let mut z = 0.0;
        #[fixed_point(tol = 1e-14)]
        loop {
            let before = z;
            let mut y = 1.0;
            #[fixed_point(tol = 1e-14)]
            while f64::abs(y - 0.5 * (y + (2.0 + z) / y)) > 1e-15 {
                y = 0.5 * (y + (2.0 + z) / y);
            }
            z = 0.5 * (u * y).sin();
            if f64::abs(z - before) < 1e-15 {
                break;
            }
        }
        u = 0.8 * u + z;
    }
    u
}

#[test]
fn loops_in_loops() {
    let (_, gradient) = nested::gradient(0.6, 10);
    let difference = (nested(0.60001, 10) - nested(0.59999, 10)) / 2e-5;
    assert!((gradient - difference).abs() < 1e-8, "{gradient} {difference}");
}

/// Turns a vector, which never converges.
#[adjoint(independents(angle), dependents(return))]
fn turns(angle: f64, count: usize) -> f64 {
    let (mut x, mut y) = (1.0, 0.0);
    let mut k: usize = 0;
    #[fixed_point(tol = 1e-3, max = 50)]
    while k < count {
        (x, y) = (x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos());
        k += 1;
    }
    x
}

/// A sum that the macro does not see.
#[adjoint(independents(a), dependents(return))]
fn hidden_sum(a: f64, tolerance: f64) -> f64 {
    let mut pair = [a, 0.0];
    let mut k = 0;
    #[fixed_point(tol = tolerance, max = 2000)]
    while k < 30 {
        pair = [0.5 * (pair[0] + a / pair[0]), pair[1] + pair[0]];
        k += 1;
    }
    pair[1]
}

fn panic_of<R: std::fmt::Debug>(run: impl FnOnce() -> R) -> String {
    let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("it does not converge");
    panic.downcast_ref::<String>().expect("it says why").clone()
}

#[test]
fn what_does_not_converge_is_no_derivative() {
    let mut stack = Stack::new();
    let text = panic_of(|| turns::gradient_with(&mut stack, 0.3, 20));
    assert!(text.contains("the adjoint of a fixed-point loop (loop 1 in `turns`, "), "{text}");
    assert!(text.contains("has not converged: pass 50 has changed it by "), "{text}");
    assert!(text.contains("`tol` is 1e-3"), "{text}");
    assert!(stack.is_empty());
    // What is added in each pass is soon small in relation to the sum.
    let text = panic_of(|| hidden_sum::gradient(2.0, 1e-2));
    assert!(text.contains("has not converged"), "{text}");
}
