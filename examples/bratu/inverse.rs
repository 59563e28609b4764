//! The inverse problem: which fuel has this temperature profile?

use crate::slab::residual;
use crate::tridiagonal::Tridiagonal;
use argmin::core::observers::{Observe, ObserverMode};
use argmin::core::{
    CostFunction, Error, Executor, Gradient, IterState, KV, State, TerminationReason,
};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use backsweep::adjoint;
use indicatif::ProgressBar;
use std::cell::{Cell, RefCell};

/// A temperature profile, measured at some points of the grid.
pub struct Observations {
    /// The number of inner points of the grid.
    pub n: usize,
    /// The points of the grid with a sensor.
    pub sensors: Vec<usize>,
    /// What the sensors show.
    pub temperatures: Vec<f64>,
    /// The standard deviation of their errors.
    pub noise: f64,
}

/// What the search has found.
pub struct Fit {
    /// The parameters `s` and `t`.
    pub parameters: [f64; 2],
    /// Their standard errors, from the noise of the sensors.
    pub standard_errors: [f64; 2],
    /// The root of the mean square of the deviations.
    pub deviation: f64,
    /// The number of iterations.
    pub iterations: u64,
    /// How often the Bratu problem was solved for it.
    pub solves: usize,
}

/// The state of the slab for given parameters: the solution of the Bratu problem that Newton's method
/// finds from a cold slab; nothing if it finds none.
///
/// For `t` below about 1/4 there may be several: this is the one on the lower branch, as long as the
/// fuel does not ignite.
pub fn temperatures(n: usize, s: f64, t: f64) -> Option<Vec<f64>> {
    let mut x = vec![0.0; n + 2];
    let mut balance = vec![0.0; n + 2];
    // The condition of the Jacobian grows as the square of n.
    let tolerance = 1e-9_f64.max(f64::EPSILON * (n * n) as f64);
    for _ in 0..100 {
        residual(&x, s, t, &mut balance);
        let step = Tridiagonal::jacobian(&x, s, t).solve(&balance);
        // Steps that more than double the temperature are cut: the exponential is not that linear.
        let (hottest, largest) = (largest(&x), largest(&step));
        let part = ((1.0 + hottest) / largest).min(1.0);
        x.iter_mut().zip(&step).for_each(|(x, step)| *x -= part * step);
        if largest < tolerance {
            return Some(x);
        }
    }
    None
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, value| value.abs().max(largest))
}

/// Half the mean square of the deviations from the observations.
#[adjoint(independents(x), dependents(return))]
pub fn misfit(x: &[f64], sensors: &[usize], observed: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..sensors.len() {
        let deviation = x[sensors[k]] - observed[k];
        sum += deviation * deviation;
    }
    0.5 * sum / sensors.len() as f64
}

/// The gradient of the misfit with respect to `s` and `t`, through the solution of the Bratu problem.
///
/// The state `x(s, t)` solves `F(x, s, t) = 0`. With `λ` from `F_xᵀ λ = misfit_x`, the gradient is
/// `−F_pᵀ λ`: one linear solve and one adjoint sweep, however many parameters there are.
pub fn misfit_gradient(x: &[f64], [s, t]: [f64; 2], observations: &Observations) -> [f64; 2] {
    let (_, misfit_x) = misfit::gradient(x, &observations.sensors, &observations.temperatures);
    let mut lambda = Tridiagonal::jacobian(x, s, t).transposed().solve(&misfit_x);
    let mut x_b = vec![0.0; x.len()];
    let mut balance = vec![0.0; x.len()];
    let (mut s_b, mut t_b) = (0.0, 0.0);
    residual::adjoint_only(x, &mut x_b, s, &mut s_b, t, &mut t_b, &mut balance, &mut lambda);
    [-s_b, -t_b]
}

/// The misfit as a function of the logarithms of the parameters, which keeps both positive.
struct Inversion<'o> {
    observations: &'o Observations,
    /// Where the search was last, with the state there: it asks for the value and then for the
    /// gradient at the same place.
    last: RefCell<Option<(Vec<f64>, Vec<f64>)>>,
    solves: &'o Cell<usize>,
}

impl Inversion<'_> {
    /// Evaluates something of the state and the parameters; nothing if there is none.
    fn with_state<R>(
        &self,
        logarithms: &[f64],
        evaluate: impl FnOnce(&[f64], [f64; 2]) -> R,
    ) -> Option<R> {
        let [s, t] = [logarithms[0].exp(), logarithms[1].exp()];
        let mut last = self.last.borrow_mut();
        if last.as_ref().is_none_or(|(place, _)| place != logarithms) {
            self.solves.update(|count| count + 1);
            *last = Some((logarithms.to_vec(), temperatures(self.observations.n, s, t)?));
        }
        let (_, x) = last.as_ref()?;
        Some(evaluate(x, [s, t]))
    }
}

impl CostFunction for Inversion<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, logarithms: &Vec<f64>) -> Result<f64, Error> {
        let Observations { sensors, temperatures, .. } = self.observations;
        let value = self.with_state(logarithms, |x, _| misfit(x, sensors, temperatures));
        value.ok_or_else(|| Error::msg("there is no steady state"))
    }
}

impl Gradient for Inversion<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, logarithms: &Vec<f64>) -> Result<Vec<f64>, Error> {
        let gradient = self.with_state(logarithms, |x, [s, t]| {
            let [by_s, by_t] = misfit_gradient(x, [s, t], self.observations);
            vec![s * by_s, t * by_t]
        });
        gradient.ok_or_else(|| Error::msg("there is no steady state"))
    }
}

/// Shows how far the search is.
struct Progress {
    line: ProgressBar,
}

type SearchState = IterState<Vec<f64>, Vec<f64>, (), (), (), f64>;

impl Observe<SearchState> for Progress {
    fn observe_iter(&mut self, state: &SearchState, _: &KV) -> Result<(), Error> {
        let [s, t] = state.get_best_param().map_or([f64::NAN; 2], |p| [p[0].exp(), p[1].exp()]);
        let (iteration, misfit) = (state.get_iter(), state.get_cost());
        self.line.set_message(format!(
            "iteration {iteration}: s = {s:.5}, t = {t:.5}, misfit {misfit:.3e}"
        ));
        self.line.tick();
        Ok(())
    }
}

/// Recovers the parameters from the observations.
pub fn recover(observations: &Observations, start: [f64; 2]) -> Result<Fit, Error> {
    let line = ProgressBar::new_spinner();
    let solves = Cell::new(0);
    let inversion = Inversion { observations, last: RefCell::new(None), solves: &solves };
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 5).with_tolerance_grad(1e-10)?;
    let found = Executor::new(inversion, solver)
        .configure(|state| state.param(start.map(f64::ln).to_vec()).max_iters(100))
        .add_observer(Progress { line: line.clone() }, ObserverMode::Always)
        .run()?;
    line.finish_and_clear();
    if let Some(TerminationReason::SolverExit(reason)) = found.state.get_termination_reason() {
        return Err(Error::msg(reason.clone()));
    }
    let best = found.state.get_best_param().expect("the search has been somewhere");
    let parameters = [best[0].exp(), best[1].exp()];
    Ok(Fit {
        parameters,
        standard_errors: standard_errors(observations, parameters)?,
        deviation: (2.0 * found.state.get_best_cost()).sqrt(),
        iterations: found.state.get_iter(),
        solves: solves.into_inner(),
    })
}

/// The standard errors of the parameters, to first order: the inverse of the normal matrix of the
/// sensitivities at the sensors, which are taken from difference quotients of the state.
fn standard_errors(observations: &Observations, [s, t]: [f64; 2]) -> Result<[f64; 2], Error> {
    const STEP: f64 = 1e-4;
    let state = |s, t| {
        temperatures(observations.n, s, t).ok_or_else(|| Error::msg("the fit is at the limit"))
    };
    let [s_up, s_down] = [state(s + STEP, t)?, state(s - STEP, t)?];
    let [t_up, t_down] = [state(s, t + STEP)?, state(s, t - STEP)?];
    let (mut ss, mut st, mut tt) = (0.0, 0.0, 0.0);
    for &sensor in &observations.sensors {
        let by_s = (s_up[sensor] - s_down[sensor]) / (2.0 * STEP);
        let by_t = (t_up[sensor] - t_down[sensor]) / (2.0 * STEP);
        ss += by_s * by_s;
        st += by_s * by_t;
        tt += by_t * by_t;
    }
    let determinant = ss * tt - st * st;
    let variance = observations.noise * observations.noise;
    Ok([(variance * tt / determinant).sqrt(), (variance * ss / determinant).sqrt()])
}
