//! Problems of argmin.
#![cfg(feature = "argmin")]

use argmin::core::{CostFunction, Error, Executor, Gradient, Operator, State};
use argmin::solver::gradientdescent::SteepestDescent;
use argmin::solver::linesearch::condition::ArmijoCondition;
use argmin::solver::linesearch::{BacktrackingLineSearch, MoreThuenteLineSearch};
use argmin::solver::neldermead::NelderMead;
use argmin::solver::newton::NewtonCG;
use argmin::solver::quasinewton::LBFGS;
use backsweep::adjoint;
use backsweep_optim::{Failure, Objective, Residuals};
use problems::{AT_FIRST, Calls, Outside, barrier, rosenbrock};

mod problems;

fn lbfgs<P>() -> LBFGS<MoreThuenteLineSearch<P, P, f64>, P, P, f64> {
    LBFGS::new(MoreThuenteLineSearch::new(), 5).with_tolerance_grad(1e-8).expect("a tolerance")
}

#[test]
fn what_lbfgs_asks_for_twice_is_evaluated_once() {
    let (values, gradients) = (Calls::default(), Calls::default());
    let value = values.of(rosenbrock);
    let gradient = gradients.of(rosenbrock::gradient);
    let result = Executor::new(Objective::new(value, gradient), lbfgs())
        .configure(|state| state.param(vec![-1.2, 1.0, 0.5]).max_iters(200))
        .run()
        .expect("a minimum");
    let x = result.state().get_best_param().expect("the solver has run");
    assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-6), "{x:?}");
    let counts = &result.problem().counts;
    // The line search asks for both of each point.
    assert!(counts["cost_count"] >= 20);
    assert_eq!(values.get(), AT_FIRST);
    assert!(gradients.get() as u64 <= counts["cost_count"]);
    assert!((gradients.get() as u64) < counts["gradient_count"]);
}

#[test]
fn a_search_by_values_evaluates_few_gradients() {
    let (values, gradients) = (Calls::default(), Calls::default());
    let value = values.of(rosenbrock);
    let gradient = gradients.of(rosenbrock::gradient);
    let simplex = vec![vec![-1.2, 1.0], vec![1.0, 1.5], vec![0.0, 0.0]];
    let solver = NelderMead::new(simplex).with_sd_tolerance(1e-12).expect("a tolerance");
    let result = Executor::new(Objective::new(value, gradient), solver)
        .configure(|state| state.max_iters(400))
        .run()
        .expect("a minimum");
    assert!(result.state().get_best_cost() < 1e-8);
    assert_eq!(gradients.get(), 1);
    let counts = &result.problem().counts;
    assert!(values.get() as u64 <= counts["cost_count"]);
}

/// Minus the logarithm of the likelihood of a logistic regression, with a penalty.
#[adjoint(independents(w), dependents(return), second_order)]
fn logistic(w: &[f64], samples: &[[f64; 3]], labels: &[f64]) -> f64 {
    let mut sum = 0.0;
    for w in w {
        sum += 0.05 * w * w;
    }
    for (sample, label) in samples.iter().zip(labels) {
        let mut margin = 0.0;
        for k in 0..3 {
            margin += w[k] * sample[k];
        }
        sum += (-label * margin).exp().ln_1p();
    }
    sum
}

fn samples() -> (Vec<[f64; 3]>, Vec<f64>) {
    let samples: Vec<[f64; 3]> =
        (0..40).map(|k| [1.0, (0.7 * k as f64).sin(), (1.3 * k as f64).cos()]).collect();
    let label = |s: &[f64; 3]| {
        if 0.3 + s[1] - 0.5 * s[2] + 0.4 * (9.0 * s[1]).sin() > 0.0 { 1.0 } else { -1.0 }
    };
    let labels = samples.iter().map(label).collect();
    (samples, labels)
}

#[test]
fn first_and_second_order_find_the_same_regression() -> Result<(), Error> {
    let (samples, labels) = samples();
    let problem = || {
        Objective::new(
            |w| logistic(w, &samples, &labels),
            |w| logistic::gradient(w, &samples, &labels),
        )
    };
    let first = Executor::new(problem(), lbfgs())
        .configure(|state| state.param(vec![0.0; 3]).max_iters(100))
        .run()?;
    let second = problem().with_hessian(|w| logistic::hessian(w, &samples, &labels));
    let solver = NewtonCG::new(MoreThuenteLineSearch::new()).with_tolerance(1e-14)?;
    let second = Executor::new(second, solver)
        .configure(|state| state.param(vec![0.0; 3]).max_iters(300))
        .run()?;
    let first = first.state().get_best_param().expect("the solver has run");
    let second = second.state().get_best_param().expect("the solver has run");
    for (a, b) in first.iter().zip(second) {
        assert!((a - b).abs() < 1e-5, "{first:?} {second:?}");
    }
    let slope = problem().gradient(first)?;
    assert!(slope.iter().all(|slope| slope.abs() < 1e-6), "{slope:?}");
    Ok(())
}

#[test]
fn a_failing_function_ends_the_solver_with_its_error() {
    let run = |start: f64| {
        Executor::new(Objective::new(barrier, barrier::gradient), lbfgs())
            .configure(|state| state.param(vec![start]).max_iters(50))
            .run()
    };
    let result = run(0.5).expect("a minimum");
    let x = result.state().get_best_param().expect("the solver has run");
    assert!((x[0] - 1.0).abs() < 1e-6);

    let error = run(-0.5).err().expect("an error");
    assert_eq!(error.to_string(), "-0.5 is outside");
    let failure = error.downcast_ref::<Failure>().expect("a failure");
    assert_eq!(failure.function(), Some(&Outside(-0.5)));
}

#[test]
fn what_is_not_a_number_ends_the_solver() {
    let root = Objective::new(|x| x[0].sqrt(), |x| (x[0].sqrt(), [0.5 / x[0].sqrt()]));
    let error = Executor::new(root, lbfgs())
        .configure(|state| state.param(vec![-1.0]).max_iters(50))
        .run()
        .err()
        .expect("an error");
    assert_eq!(error.to_string(), "the value is NaN");
}

#[test]
fn a_line_search_steps_back_from_infinity() -> Result<(), Error> {
    #[adjoint]
    fn walled(x: &[f64]) -> f64 {
        if x[0] <= 0.0 {
            return f64::INFINITY;
        }
        x[0] - 0.1 * x[0].ln()
    }

    let search = BacktrackingLineSearch::new(ArmijoCondition::new(1e-4)?).rho(0.5)?;
    let result =
        Executor::new(Objective::new(walled, walled::gradient), SteepestDescent::new(search))
            .configure(|state| state.param(vec![0.5]).max_iters(200))
            .run()?;
    let x = result.state().get_best_param().expect("the solver has run");
    assert!((x[0] - 0.1).abs() < 1e-4, "{x:?}");
    Ok(())
}

#[test]
fn residuals_are_an_objective() -> Result<(), Error> {
    #[adjoint]
    fn valley(x: &[f64]) -> [f64; 2] {
        [1.0 - x[0], 10.0 * (x[1] - x[0] * x[0])]
    }

    let residuals = Residuals::new(valley, valley::jacobian);
    let x = vec![0.3, -0.7];
    assert!((residuals.cost(&x)? - 0.5 * rosenbrock(&x)).abs() < 1e-12);
    assert_eq!(residuals.apply(&x)?, valley(&x));
    let (gradient, expected) = (Gradient::gradient(&residuals, &x)?, rosenbrock::gradient(&x).1);
    for (found, expected) in gradient.iter().zip(expected) {
        assert!((found - 0.5 * expected).abs() < 1e-12);
    }
    Ok(())
}

#[cfg(feature = "ndarray")]
#[test]
fn arrays_of_ndarray() -> Result<(), Error> {
    use argmin::core::Hessian;
    use ndarray::{Array1, Axis, array};

    let objective = Objective::new(rosenbrock, rosenbrock::gradient).with_parameters();
    let start: Array1<f64> = array![-1.2, 1.0, 0.5];
    let result = Executor::new(objective, lbfgs())
        .configure(|state| state.param(start).max_iters(200))
        .run()?;
    let x = result.state().get_best_param().expect("the solver has run");
    assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-6), "{x}");

    // Numbers that do not follow each other, and a matrix.
    let objective = Objective::new(|x| x[0], |x| (x[0], [1.0, 0.0]))
        .with_hessian(|x| [x[0], 2.0, 3.0, x[1]])
        .with_parameters::<Array1<f64>>();
    let mut reversed = array![1.0, 4.0];
    reversed.invert_axis(Axis(0));
    assert_eq!(objective.cost(&reversed)?, 4.0);
    assert_eq!(Hessian::hessian(&objective, &reversed)?, array![[4.0, 2.0], [3.0, 1.0]]);
    Ok(())
}

#[cfg(feature = "nalgebra")]
#[test]
fn gauss_and_newton_fit_a_curve() -> Result<(), Error> {
    use argmin::solver::gaussnewton::GaussNewton;
    use nalgebra::DVector;

    #[adjoint(independents(p), dependents(return))]
    fn left(p: &[f64], times: &[f64], measured: &[f64]) -> Vec<f64> {
        let model = times.iter().map(|t| p[0] * (-p[1] * t).exp() + p[2]);
        model.zip(measured).map(|(model, measured)| model - measured).collect()
    }

    let times: Vec<f64> = (0..30).map(|k| 0.2 * k as f64).collect();
    let measured: Vec<f64> = times.iter().map(|t| 3.0 * (-0.7 * t).exp() + 0.5).collect();
    let (evaluated, jacobians) = (Calls::default(), Calls::default());
    let value = |p: &[f64]| {
        evaluated.count();
        left(p, &times, &measured)
    };
    let jacobian = |p: &[f64]| {
        jacobians.count();
        left::jacobian(p, &times, &measured)
    };
    let problem = Residuals::new(value, jacobian).with_parameters::<DVector<f64>>();
    let result = Executor::new(problem, GaussNewton::new())
        .configure(|state| state.param(DVector::from_vec(vec![2.5, 0.8, 0.4])).max_iters(20))
        .run()?;
    let p = result.state().get_best_param().expect("the solver has run");
    assert!((p - DVector::from_vec(vec![3.0, 0.7, 0.5])).norm() < 1e-8, "{p}");
    let counts = &result.problem().counts;
    assert_eq!(evaluated.get() as u64, counts["operator_count"]);
    assert_eq!(jacobians.get() as u64, counts["jacobian_count"]);
    Ok(())
}
