//! Fixed-point loops: what is kept of them, and the iteration that is their adjoint.
//!
//! With `z = φ(z, x)` and the bar `b` of `z`, the bar of `x` gets `φₓᵀ w`, where `w = b + φ_zᵀ w`
//! (B. Christianson, Reverse accumulation and attractive fixed points, 1994).

use crate::{Stack, Storable};
use std::collections::BTreeMap;
use std::fmt;
use std::panic::Location;

/// What is kept of a fixed-point loop: the state before its last iteration.
#[derive(Clone, Debug)]
pub struct FixedPoint<S> {
    /// The state.
    pub state: S,
    /// Whether an iteration has been completed before the last.
    pub iterated: bool,
    /// What the state owns on the heap.
    pub heap_bytes: usize,
}

/// How often the adjoints of a fixed-point loop have been iterated, as
/// [`Stack::report`](crate::Stack::report) tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Convergence {
    /// How many times the loop has been differentiated.
    pub loops: u64,
    /// The passes over its body until the adjoints had converged, all together.
    pub passes: u64,
}

/// What a stack knows of the fixed-point loops that it was used for.
#[derive(Default)]
pub(crate) struct FixedPoints {
    solved: BTreeMap<Site, Solved>,
    pub(crate) convergence: BTreeMap<Site, Convergence>,
    /// The bytes of the solutions.
    pub(crate) bytes: usize,
}

impl FixedPoints {
    /// Each derivative begins without knowledge of others, so that it is always the same.
    pub(crate) fn forget(&mut self) {
        if !self.solved.is_empty() {
            self.solved.clear();
            self.bytes = 0;
        }
    }
}

/// Which loop it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Site {
    /// Where the function is.
    function: &'static Location<'static>,
    /// What the loop is called.
    name: &'static str,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.name, self.function)
    }
}

/// A solution `w` for the bar `b`.
struct Solved {
    /// The bar, also that of what is no state.
    bar: Vec<f64>,
    /// `w - b`.
    added: Vec<f64>,
}

/// The iteration `w = b + φᵀw` of the adjoint, or `ż = φ_z ż + φₓ ẋ` of the tangent.
#[derive(Debug)]
pub struct LinearIteration {
    /// What is iterated.
    what: &'static str,
    site: Site,
    tolerance: f64,
    most: usize,
    /// `b`, and bars of what is no state.
    bar: Vec<f64>,
    /// `w`, or `ż`.
    iterate: Vec<f64>,
    passes: usize,
    change: Change,
}

/// How much a pass has changed the iterate, in the maximum norm.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// There was no pass yet; the iterate has this norm.
    Start(f64),
    /// By so much.
    By {
        absolute: f64,
        /// The same in relation to the iterate.
        relative: f64,
        /// Whether that is the end.
        settled: bool,
    },
}

impl LinearIteration {
    /// The beginning of the iteration of the adjoint, with the bar of the state. It converges if a pass changes the iterate by no more
    /// than a tolerance, in relation to it.
    ///
    /// The adjoint of the loop that has been iterated before on this stack is where it begins: the equation
    /// is linear, so the part of the bar that is a multiple of the one there was then has the same multiple of the solution, as far as
    /// the loops are alike.
    ///
    /// # Panics
    /// If the tolerance is negative or no number.
    #[track_caller]
    pub fn adjoint(
        stack: &Stack,
        name: &'static str,
        state: Vec<f64>,
        others: &[f64],
        tolerance: f64,
        most: usize,
    ) -> Self {
        check_tolerance(tolerance);
        let site = Site { function: Location::caller(), name };
        let mut iterate = state.clone();
        let mut bar = state;
        bar.extend(others);
        let known = stack.fixed_points.solved.get(&site);
        let known = known
            .filter(|known| known.bar.len() == bar.len() && known.added.len() == iterate.len());
        let factor = known.map_or(0.0, |known| projection(&bar, &known.bar));
        if let Some(known) = known {
            for (value, added) in iterate.iter_mut().zip(&known.added) {
                *value += factor * added;
            }
        }
        let change = Change::Start(norm(&iterate));
        Self { what: "adjoint", site, tolerance, most, bar, iterate, passes: 0, change }
    }

    /// The beginning of the iteration of the tangent of a state, with zero. A pass gives all of the next iterate.
    ///
    /// # Panics
    /// If the tolerance is negative or no number.
    #[track_caller]
    pub fn tangent(name: &'static str, zero: Vec<f64>, tolerance: f64, most: usize) -> Self {
        check_tolerance(tolerance);
        let site = Site { function: Location::caller(), name };
        let (bar, change) = (zero.clone(), Change::Start(0.0));
        Self { what: "tangent", site, tolerance, most, bar, iterate: zero, passes: 0, change }
    }

    /// The iterate.
    pub fn iterate(&self) -> &[f64] {
        &self.iterate
    }

    /// Whether another pass is needed.
    ///
    /// # Panics
    /// If it is one more than there may be, or if the iteration diverges.
    pub fn goes_on(&self) -> bool {
        match self.change {
            Change::By { settled: true, .. } => return false,
            Change::Start(_) => {}
            Change::By { relative, .. } => {
                let is_hopeless = self.passes >= self.most || relative.is_nan();
                assert!(
                    !is_hopeless,
                    "the {} of a fixed-point loop ({}) has not converged: pass {} has changed it by {relative:e} in relation \
                     to its size, and `tol` is {:e}",
                    self.what, self.site, self.passes, self.tolerance
                );
            }
        }
        true
    }

    /// Takes what a pass has made of the iterate.
    ///
    /// # Panics
    /// If that is of another length: the iteration would be one of lists that grow.
    pub fn add(&mut self, product: &[f64]) {
        assert!(
            product.len() == self.iterate.len(),
            "the state of a fixed-point loop ({}) changes its shape",
            self.site
        );
        let mut absolute = 0.0;
        for ((value, product), bar) in self.iterate.iter_mut().zip(product).zip(&self.bar) {
            let next = bar + product;
            absolute = larger(absolute, (next - *value).abs());
            *value = next;
        }
        let scale = norm(&self.iterate);
        let (Change::Start(before) | Change::By { absolute: before, .. }) = self.change;
        // A change that does not become smaller is no sign of convergence, however small it is: a sum over the passes
        // grows for ever. What contracts by less than this would not converge in so many passes.
        let contracts = absolute <= before * (1.0 - 1.0 / (self.most as f64 + 1.0));
        let settled = absolute == 0.0 || contracts && absolute <= self.tolerance * scale;
        self.change = Change::By { absolute, relative: absolute / scale, settled };
        self.passes += 1;
    }

    /// Leaves the solution to the next iteration of the same loop.
    pub fn finish(self, stack: &mut Stack) {
        let Self { site, mut bar, iterate, passes, .. } = self;
        // It is kept as long as the stack is.
        bar.shrink_to_fit();
        let added: Vec<f64> = iterate.iter().zip(&bar).map(|(value, bar)| value - bar).collect();
        let known = &mut stack.fixed_points;
        let bytes = |bar: &Vec<f64>, added: &Vec<f64>| bar.heap_bytes() + added.heap_bytes();
        known.bytes += bytes(&bar, &added);
        if let Some(Solved { bar, added }) = known.solved.insert(site, Solved { bar, added }) {
            known.bytes -= bytes(&bar, &added);
        }
        let convergence = known.convergence.entry(site).or_default();
        convergence.loops += 1;
        convergence.passes += passes as u64;
        stack.note_peak();
    }
}

#[track_caller]
fn check_tolerance(tolerance: f64) {
    assert!(tolerance >= 0.0, "`tol` is {tolerance}, which is no tolerance");
}

/// The factor of the multiple of a vector that is nearest to another one.
fn projection(vector: &[f64], onto: &[f64]) -> f64 {
    let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let factor = inner(vector, onto) / inner(onto, onto);
    if factor.is_finite() { factor } else { 0.0 }
}

/// The maximum norm; of what has an element that is no number, no number.
fn norm(vector: &[f64]) -> f64 {
    vector.iter().fold(0.0, |norm, value| larger(norm, value.abs()))
}

fn larger(a: f64, b: f64) -> f64 {
    if a >= b || a.is_nan() { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The solution for a diagonal matrix, and how many passes it has taken.
    #[track_caller]
    fn solved(stack: &mut Stack, rates: &[f64], bar: &[f64], tolerance: f64) -> (Vec<f64>, u64) {
        let passes = |stack: &Stack| -> u64 {
            stack.fixed_points.convergence.values().map(|known| known.passes).sum()
        };
        let before = passes(stack);
        let mut iteration =
            LinearIteration::adjoint(stack, "loop", bar.to_vec(), &[], tolerance, 1000);
        while iteration.goes_on() {
            let product = iteration.iterate().iter().zip(rates).map(|(w, rate)| w * rate);
            let product: Vec<f64> = product.collect();
            iteration.add(&product);
        }
        let solution = iteration.iterate().to_vec();
        iteration.finish(stack);
        (solution, passes(stack) - before)
    }

    fn is_near(found: &[f64], rates: &[f64], bar: &[f64]) -> bool {
        let pairs = found.iter().zip(rates).zip(bar);
        pairs.into_iter().all(|((found, rate), bar)| (found - bar / (1.0 - rate)).abs() < 1e-10)
    }

    #[test]
    fn what_is_known_spares_passes() {
        let mut stack = Stack::new();
        let mut all = Vec::new();
        for step in 0..4 {
            let shift = 1e-6 * f64::from(step);
            let (rates, bar) = ([0.5 + shift, -0.7], [3.0 - shift, 1.0]);
            let (found, passes) = solved(&mut stack, &rates, &bar, 1e-13);
            assert!(is_near(&found, &rates, &bar));
            all.push(passes);
        }
        assert!(all[1..].iter().all(|passes| 3 * passes < 2 * all[0]), "{all:?}");
        stack.fixed_points.forget();
        let (_, passes) = solved(&mut stack, &[0.5, -0.7], &[3.0, 1.0], 1e-13);
        assert_eq!(passes, all[0]);
    }

    #[test]
    fn bars_may_be_zero() {
        let mut stack = Stack::new();
        let rates = [0.9, 0.1];
        assert_eq!(solved(&mut stack, &rates, &[0.0; 2], 1e-12), (vec![0.0; 2], 1));
        solved(&mut stack, &rates, &[1.0, 2.0], 1e-12);
        assert_eq!(solved(&mut stack, &rates, &[0.0; 2], 1e-12), (vec![0.0; 2], 1));
        let (found, _) = solved(&mut stack, &rates, &[-2.0, 1.0], 1e-14);
        assert!(is_near(&found, &rates, &[-2.0, 1.0]));
    }

    #[test]
    #[should_panic(expected = "has not converged: pass 1000 has changed it by")]
    fn sums_over_iterations_do_not_converge() {
        // Each pass adds the same, which is soon small in relation to the sum.
        solved(&mut Stack::new(), &[1.0, 0.5], &[1.0, 1.0], 0.1);
    }

    #[test]
    fn tangents_converge() {
        let mut iteration = LinearIteration::tangent("loop", vec![0.0; 2], 1e-13, 1000);
        while iteration.goes_on() {
            let [first, second] = *iteration.iterate() else { unreachable!("there are two") };
            iteration.add(&[0.5 * first + 3.0, -0.7 * second + 1.0]);
        }
        assert!(is_near(iteration.iterate(), &[0.5, -0.7], &[3.0, 1.0]));
    }

    #[test]
    #[should_panic(expected = "the tangent of a fixed-point loop (loop, ")]
    fn tangents_of_sums_do_not_converge() {
        let mut iteration = LinearIteration::tangent("loop", vec![0.0], 0.1, 1000);
        while iteration.goes_on() {
            let next = iteration.iterate()[0] + 1.0;
            iteration.add(&[next]);
        }
    }

    #[test]
    #[should_panic(expected = "has changed it by NaN")]
    fn what_diverges_does_not_converge() {
        solved(&mut Stack::new(), &[2.0, 1e30], &[1.0, 1.0], 1e-12);
    }

    #[test]
    #[should_panic(expected = "`tol` is NaN, which is no tolerance")]
    fn tolerances_are_numbers() {
        solved(&mut Stack::new(), &[0.5], &[1.0], f64::NAN);
    }
}
