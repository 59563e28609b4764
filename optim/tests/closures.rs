//! Solvers that take closures.

use backsweep::adjoint;
use backsweep_optim::{Failure, Objective, Residuals};
use problems::{AT_FIRST, Calls, Outside, barrier, rosenbrock};

mod problems;

type Constraint = fn(&[f64], Option<&mut [f64]>, &mut ()) -> f64;

const NO_CONSTRAINTS: &[Constraint] = &[];

#[test]
fn slsqp_finds_the_minimum_and_evaluates_each_point_once() {
    let (values, gradients, asked) = (Calls::default(), Calls::default(), Calls::default());
    let value = values.of(rosenbrock);
    let gradient = gradients.of(rosenbrock::gradient);
    let objective = Objective::new(value, gradient);
    let seen = std::cell::RefCell::new(Vec::<Vec<u64>>::new());
    let closure = |x: &[f64], gradient: Option<&mut [f64]>, _: &mut ()| {
        asked.count();
        let bits: Vec<u64> = x.iter().map(|x| x.to_bits()).collect();
        if seen.borrow().last() != Some(&bits) {
            seen.borrow_mut().push(bits);
        }
        objective.evaluate(x, gradient)
    };
    let until = slsqp::StopTols { ftol_rel: 1e-10, ..Default::default() };
    let (start, bounds) = ([-1.2, 1.0, 0.5], [(-2.0, 2.0); 3]);
    let found = slsqp::minimize(closure, &start, &bounds, NO_CONSTRAINTS, (), 500, Some(until));
    let (_, x, _) = found.expect("a minimum");
    assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-4), "{x:?}");
    assert!(objective.take_failure().is_none());

    let points = seen.borrow().len();
    let (values, gradients) = (values.take(), gradients.take());
    assert!(asked.take() >= points);
    // No point has its gradient evaluated twice, nor its value before the gradient more often than the solver changes its mind.
    assert!(gradients <= points, "{gradients} gradients of {points} points");
    assert!(values + gradients <= points + points / 2, "{values} + {gradients} of {points} points");
}

#[adjoint]
fn bowl(x: &[f64]) -> f64 {
    let (a, b) = (x[0] - 0.25, x[1] + 0.5);
    a * a + a * b + 2.0 * b * b
}

#[test]
fn cobyla_has_one_gradient() {
    let (values, gradients) = (Calls::default(), Calls::default());
    let value = values.of(bowl);
    let gradient = gradients.of(bowl::gradient);
    let objective = Objective::new(value, gradient);
    let closure = |x: &[f64], _: &mut ()| objective.evaluate(x, None);
    let constraints: &[fn(&[f64], &mut ()) -> f64] = &[];
    let (start, bounds, begin) = ([1.0, 1.0], [(-2.0, 2.0); 2], cobyla::RhoBeg::All(0.5));
    let until = cobyla::StopTols { xtol_rel: 1e-6, ..Default::default() };
    let until = Some(until);
    let found = cobyla::minimize(closure, &start, &bounds, constraints, (), 500, begin, until);
    let (_, x, _) = found.expect("a minimum");
    assert!((x[0] - 0.25).abs() < 1e-3 && (x[1] + 0.5).abs() < 1e-3, "{x:?}");
    assert_eq!(gradients.take(), 1);
    assert!(values.take() >= 20);
}

#[test]
fn values_and_gradients_of_a_point_are_evaluated_once() {
    let (values, gradients) = (Calls::default(), Calls::default());
    let value = values.of(rosenbrock);
    let gradient = gradients.of(rosenbrock::gradient);
    let objective = Objective::new(value, gradient);
    let counts = || (values.take(), gradients.take());

    // Both of each point: the value first.
    for k in 0..5 {
        let x = [0.1 * k as f64, 1.0];
        let value = objective.value(&x).expect("a value");
        assert_eq!(value.to_bits(), rosenbrock(&x).to_bits());
        assert_eq!(objective.gradient(&x).expect("a gradient"), rosenbrock::gradient(&x).1);
    }
    assert_eq!(counts(), (AT_FIRST, 5));

    // The gradient first.
    for k in 0..5 {
        let x = [0.1 * k as f64, 2.0];
        objective.gradient(&x).expect("a gradient");
        objective.value(&x).expect("a value");
        objective.value_and_gradient(&x).expect("both");
    }
    assert_eq!(counts(), (0, 5));

    // Values only: the first is expected to be followed by its gradient.
    for k in 0..5 {
        objective.value(&[0.1 * k as f64, 3.0]).expect("a value");
    }
    assert_eq!(counts(), (4, 1));

    // After all the gradient, and both of the next point.
    objective.gradient(&[0.4, 3.0]).expect("a gradient");
    objective.value(&[0.4, 4.0]).expect("a value");
    objective.gradient(&[0.4, 4.0]).expect("a gradient");
    assert_eq!(counts(), (0, 2));

    // Zeros of two signs are two points.
    objective.gradient(&[0.0, 0.0]).expect("a gradient");
    objective.gradient(&[-0.0, 0.0]).expect("a gradient");
    assert_eq!(counts(), (0, 2));

    // A clone knows nothing.
    objective.clone().gradient(&[-0.0, 0.0]).expect("a gradient");
    assert_eq!(counts(), (AT_FIRST, 1));
}

#[adjoint]
fn some(x: &[f64]) -> Option<f64> {
    if x[0] < 0.0 {
        return None;
    }
    Some(x[0] * x[0])
}

#[test]
fn a_failing_function_is_told_of() {
    let objective = Objective::new(barrier, barrier::gradient);
    assert_eq!(objective.evaluate(&[1.0], None), 1.0);
    assert!(objective.take_failure().is_none());

    let mut gradient = [0.0];
    assert!(objective.evaluate(&[-1.0], Some(&mut gradient)).is_nan());
    assert!(gradient[0].is_nan());
    // The first is kept.
    assert!(objective.evaluate(&[-2.0], None).is_nan());
    let failure = objective.take_failure().expect("a failure");
    assert_eq!(failure.function(), Some(&Outside(-1.0)));
    assert_eq!(failure.to_string(), "-1 is outside");
    assert!(objective.take_failure().is_none());

    // What failed has not spoilt what is known.
    assert_eq!(objective.value(&[1.0]).expect("a value"), 1.0);
    assert_eq!(objective.gradient(&[2.0]).expect("a gradient"), [0.5]);

    let objective = Objective::new(some, some::gradient);
    assert_eq!(objective.gradient(&[3.0]).expect("a gradient"), [6.0]);
    assert!(matches!(objective.value(&[-3.0]), Err(Failure::Nothing)));
}

#[test]
fn what_is_not_finite_is_a_failure() {
    let same = |x: &[f64]| x[0];
    let objective = Objective::new(same, |x| (x[0], [x[1]]));
    assert!(matches!(objective.value(&[f64::NAN, 0.0]), Err(Failure::Value(v)) if v.is_nan()));
    assert!(matches!(objective.value(&[f64::NEG_INFINITY, 0.0]), Err(Failure::Value(_))));
    assert_eq!(objective.value(&[f64::INFINITY, 0.0]).expect("a barrier"), f64::INFINITY);
    assert!(!objective.evaluate_into(&[f64::INFINITY, 0.0], &mut 0.0));
    assert!(matches!(objective.take_failure(), Some(Failure::Value(f64::INFINITY))));

    // As many numbers as the point has.
    let failure = objective.gradient(&[1.0, 2.0]).expect_err("a wrong gradient");
    assert_eq!(failure.to_string(), "the gradient has 1 numbers in place of 2");
    let residuals = Residuals::new(|x| [x[0], x[1]], |_| [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    residuals.residuals(&[1.0, 2.0]).expect("residuals");
    let failure = residuals.jacobian(&[1.0, 2.0]).expect_err("a wrong Jacobian");
    assert_eq!(failure.to_string(), "the Jacobian has 6 numbers in place of 4");
    let failure = residuals.residuals(&[1.0, f64::NAN]).expect_err("no residuals");
    assert_eq!(failure.to_string(), "number 1 of the residuals is NaN");

    let mut gradient = [0.0];
    let slope = Objective::new(same, |x| (x[0], [x[0] / 0.0]));
    assert!(slope.evaluate(&[1.0], Some(&mut gradient)).is_nan());
    assert!(gradient[0].is_nan());
    let failure = slope.take_failure().expect("a failure");
    assert_eq!(failure.to_string(), "number 0 of the gradient is inf");
}

#[test]
fn constraints_of_several_results() {
    let circle =
        |x: &[f64]| if x[0] < 9.0 { Some([x[0] * x[0] + x[1] * x[1], x[0]]) } else { None };
    let constraints = Residuals::new(circle, |x| [2.0 * x[0], 2.0 * x[1], 1.0, 0.0]);
    let (mut values, mut jacobian) = ([0.0; 2], [0.0; 4]);
    constraints.evaluate(&mut values, &[1.0, 2.0], Some(&mut jacobian));
    assert_eq!((values, jacobian), ([5.0, 1.0], [2.0, 4.0, 1.0, 0.0]));
    constraints.evaluate(&mut values, &[9.0, 2.0], None);
    assert!(values.iter().all(|value| value.is_nan()));
    assert!(matches!(constraints.take_failure(), Some(Failure::Nothing)));
}

#[test]
fn threads_share_an_objective() {
    let objective = Objective::new(rosenbrock, rosenbrock::gradient);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let objective = &objective;
            scope.spawn(move || {
                for k in 0..500 {
                    let x = [0.01 * k as f64, 0.5 * thread as f64, 1.0];
                    let expected = rosenbrock::gradient(&x);
                    assert_eq!(objective.value(&x).expect("a value"), expected.0);
                    assert_eq!(objective.gradient(&x).expect("a gradient"), expected.1);
                }
            });
        }
    });
}
