//! The checks of the corpus.

use super::{Case, Derivative, Entry, Primal, Report, Run, Variant, same_bits};
use crate::dual::Dual;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Checks all functions in some variants; the first variant is what the others must agree with.
pub fn check(cases: &[Case], variants: &[&Variant]) -> Report {
    let mut report = Report::default();
    for (position, case) in cases.iter().enumerate() {
        for sample in 0..case.expectations.len() {
            let place = format!("{} #{sample}", case.name);
            let Some(point) = guarded(&place, &mut report, || Some(Point::new(case, sample)))
            else {
                continue;
            };
            point.check_reference(&mut report);
            let mut first: Option<Vec<f64>> = None;
            for variant in variants {
                let Some(run) = variant.runs[position] else { continue };
                let place = format!("{place} [{}]", variant.name);
                let subject = Subject { point: &point, run, place };
                let gradient = subject.check(&mut report);
                if let (Some(first), Some(gradient)) = (&first, &gradient) {
                    let what = format!("{} as {}", subject.place, variants[0].name);
                    point.compare(&what, gradient, first, point.rounding(), &mut report);
                }
                first = first.or(gradient);
            }
        }
    }
    report
}

/// A hash of the bits of all values and gradients, to compare debug and release builds.
pub fn digest(cases: &[Case], variants: &[&Variant]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |float: f64| hash = (hash ^ float.to_bits()).wrapping_mul(0x0100_0000_01b3);
    for (position, case) in cases.iter().enumerate() {
        for sample in 0..case.expectations.len() {
            let primal = (case.plain)(sample);
            primal.outputs.floats.iter().copied().for_each(&mut add);
            let seeds = generic_weights(&primal);
            for run in variants.iter().filter_map(|variant| variant.runs[position]) {
                run(Entry::Adjoint, sample, &seeds)
                    .iter()
                    .flat_map(|derivative| &derivative.bars)
                    .copied()
                    .for_each(&mut add);
            }
        }
    }
    hash
}

/// Runs something that may panic; a panic is a failure.
pub(super) fn guarded<T>(
    place: &str,
    report: &mut Report,
    run: impl FnOnce() -> Option<T>,
) -> Option<T> {
    let result = catch_unwind(AssertUnwindSafe(run));
    report.check(result.is_ok(), || format!("{place}: panic"));
    result.ok().flatten()
}

/// A sample of a function, and what is right there.
pub(super) struct Point<'a> {
    case: &'a Case,
    sample: usize,
    pub(super) primal: Primal,
    /// The derivatives of all outputs, for each input.
    pub(super) jacobian: Vec<Vec<f64>>,
    /// The values of the outputs in dual numbers.
    dual_values: Vec<f64>,
}

impl<'a> Point<'a> {
    pub(super) fn new(case: &'a Case, sample: usize) -> Self {
        let primal = (case.plain)(sample);
        let mut jacobian = Vec::new();
        let mut dual_values = Vec::new();
        for input in 0..primal.inputs {
            let mut slopes = vec![0.0; primal.inputs];
            slopes[input] = 1.0;
            let outputs = (case.dual)(sample, &slopes);
            dual_values = outputs.iter().map(|output| output.value()).collect();
            jacobian.push(outputs.iter().map(|output| output.slope()).collect());
        }
        Self { case, sample, primal, jacobian, dual_values }
    }

    /// The outputs in dual numbers with such slopes of the inputs.
    pub(super) fn dual(&self, slopes: &[f64]) -> Vec<Dual> {
        (self.case.dual)(self.sample, slopes)
    }

    /// How far a derivative may be from the reference. Single precision has a unit of 6e-8, and the
    /// reference is computed in double precision.
    pub(super) fn precision(&self) -> f64 {
        if self.case.is_single { 1e-4 } else { 1e-10 }
    }

    /// How far derivatives may differ that differ by the order of additions.
    fn rounding(&self) -> f64 {
        if self.case.is_single { 1e-5 } else { 1e-12 }
    }

    /// The weights of the outputs with which values and gradients are listed.
    fn listed_weights(&self) -> Vec<f64> {
        if let Some(weights) = self.case.weights {
            return weights.to_vec();
        }
        let Primal { returned, dependent, .. } = &self.primal;
        let of_result = dependent[..*returned].contains(&true);
        let mut weight = 0.0;
        let weights = dependent.iter().enumerate().map(|(position, is_dependent)| {
            if *is_dependent && (position < *returned) == of_result {
                weight += 1.0;
                weight
            } else {
                0.0
            }
        });
        weights.collect()
    }

    pub(super) fn reference(&self, weights: &[f64]) -> Vec<f64> {
        // An output that is not wanted counts for nothing, also where its derivative is infinite.
        let weighted = |column: &Vec<f64>| {
            let terms = column.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
            terms.map(|(derivative, weight)| weight * derivative).sum()
        };
        self.jacobian.iter().map(weighted).collect()
    }

    /// Compares what is listed with the function itself and the dual numbers.
    fn check_reference(&self, report: &mut Report) {
        let name = format!("{} #{} [dual]", self.case.name, self.sample);
        let values = &self.primal.outputs.floats;
        if self.case.is_single {
            self.compare(&format!("{name} value"), &self.dual_values, values, 1e-4, report);
        } else if self.primal.inputs > 0 {
            report.check(same_bits(&self.dual_values, values), || {
                format!("{name} value: {:?} instead of {values:?}", self.dual_values)
            });
        }
        let Some(expectation) = self.case.expectations[self.sample] else { return };
        let weights = self.listed_weights();
        if let Some(listed) = expectation.value {
            let value: f64 =
                values.iter().zip(&weights).map(|(value, weight)| value * weight).sum();
            self.compare(&format!("{name} listed value"), &[value], &[listed], 1e-11, report);
        }
        if let Some(listed) = expectation.gradient {
            let what = format!("{name} listed gradient");
            self.compare(&what, &self.reference(&weights), listed, 1e-6, report);
        }
    }

    /// How many inputs there are.
    pub(super) fn inputs(&self) -> usize {
        self.primal.inputs
    }

    /// A direction of the inputs without any relation between them.
    pub(super) fn direction(&self) -> Vec<f64> {
        (0..self.primal.inputs)
            .map(|input| (0.754_877_666_246_692 * (input + 1) as f64).fract() - 0.4)
            .collect()
    }

    /// The result.
    pub(super) fn value(&self) -> f64 {
        self.primal.outputs.floats[0]
    }

    /// The gradient of the result.
    pub(super) fn gradient(&self) -> Vec<f64> {
        self.jacobian.iter().map(|column| column[0]).collect()
    }

    /// The Jacobian, row by row: `&mut` arguments before the result, and of the inputs those that have a column.
    pub(super) fn rows(&self, columns: &[bool]) -> Vec<f64> {
        let Primal { returned, dependent, .. } = &self.primal;
        let outputs = (*returned..dependent.len()).chain(0..*returned);
        let outputs = outputs.filter(|output| dependent[*output]);
        let columns = self.jacobian.iter().zip(columns).filter(|(_, is_meant)| **is_meant);
        let columns: Vec<&Vec<f64>> = columns.map(|(column, _)| column).collect();
        outputs.flat_map(|output| columns.iter().map(move |column| column[output])).collect()
    }

    /// The second derivative of the result in a direction.
    pub(super) fn curvature(&self, direction: &[f64]) -> f64 {
        (self.case.dual)(self.sample, direction)[0].curvature()
    }

    /// Compares lists, with a tolerance relative to the larger of 1 and what is expected.
    pub(super) fn compare(
        &self,
        what: &str,
        found: &[f64],
        expected: &[f64],
        tolerance: f64,
        report: &mut Report,
    ) {
        report.check(found.len() == expected.len(), || {
            format!("{what}: {found:?} instead of {expected:?}")
        });
        for (component, (found, expected)) in found.iter().zip(expected).enumerate() {
            let error = (found - expected).abs() / expected.abs().max(1.0);
            report.check(error <= tolerance, || {
                format!("{what}, component {component}: {found:e} instead of {expected:e}")
            });
        }
    }
}

/// Weights of all dependent outputs without any relation between them.
pub(super) fn generic_weights(primal: &Primal) -> Vec<f64> {
    let weights = primal.dependent.iter().enumerate().map(|(position, is_dependent)| {
        let weight = 0.3 + (0.618_033_988_749_895 * (position + 1) as f64).fract();
        if *is_dependent { weight } else { 0.0 }
    });
    weights.collect()
}

/// A function in a variant, at a sample.
struct Subject<'a> {
    point: &'a Point<'a>,
    run: Run,
    place: String,
}

impl Subject<'_> {
    fn run(&self, entry: Entry, seeds: &[f64], report: &mut Report) -> Option<Derivative> {
        let place = format!("{} {entry:?}", self.place);
        let derivative = guarded(&place, report, || (self.run)(entry, self.point.sample, seeds))?;
        report.check(derivative.stack_is_empty, || format!("{place}: the stack is not empty"));
        if let Some(outputs) = &derivative.outputs {
            let expected = &self.point.primal.outputs;
            report.check(outputs.same_bits(expected), || {
                format!("{place}: the value is {outputs:?} instead of {expected:?}")
            });
        }
        Some(derivative)
    }

    /// Checks everything; returns the gradient with the listed weights.
    fn check(&self, report: &mut Report) -> Option<Vec<f64>> {
        let listed = self.point.listed_weights();
        let generic = generic_weights(&self.point.primal);
        let gradient = self.check_entries(&listed, report);
        let other = self.check_entries(&generic, report);
        self.check_zero_seed(report);
        self.check_tangent(&generic, other.as_deref(), report);
        if let (Some(gradient), Some(other)) = (&gradient, &other) {
            self.check_linearity((&listed, gradient), (&generic, other), report);
            self.check_expectation(gradient, report);
        }
        gradient
    }

    /// Compares `adjoint` with the reference, and the other entries with `adjoint`.
    fn check_entries(&self, seeds: &[f64], report: &mut Report) -> Option<Vec<f64>> {
        let point = self.point;
        let adjoint = self.run(Entry::Adjoint, seeds, report)?;
        let reference = point.reference(seeds);
        point.compare(&self.place, &adjoint.bars, &reference, point.precision(), report);
        if let Some(twice) = self.run(Entry::Twice, seeds, report) {
            let what = format!("{} twice", self.place);
            point.compare(&what, &twice.bars, &adjoint.bars, point.rounding(), report);
        }
        let is_one = seeds[..point.primal.returned] == [1.0];
        for entry in Entry::OTHERS {
            if entry.is_gradient() && !is_one {
                continue;
            }
            if let Some(other) = self.run(entry, seeds, report) {
                report.check(same_bits(&other.bars, &adjoint.bars), || {
                    format!("{} {entry:?}: {:?} is not {:?}", self.place, other.bars, adjoint.bars)
                });
            }
        }
        Some(adjoint.bars)
    }

    /// Compares the tangent with the reference, and its product with the seeds with that of its direction and the
    /// bars.
    fn check_tangent(&self, seeds: &[f64], bars: Option<&[f64]>, report: &mut Report) {
        let point = self.point;
        let direction = point.direction();
        let Some(tangent) = self.run(Entry::Tangent, &direction, report) else { return };
        let dependents: Vec<usize> =
            (0..seeds.len()).filter(|output| point.primal.dependent[*output]).collect();
        let along = |output: &usize| {
            let terms = point.jacobian.iter().zip(&direction);
            terms.map(|(column, direction)| column[*output] * direction).sum()
        };
        let expected: Vec<f64> = dependents.iter().map(along).collect();
        let place = format!("{} tangent", self.place);
        report.check(tangent.bars.len() == expected.len(), || {
            format!("{place}: {:?} instead of {expected:?}", tangent.bars)
        });
        // Dual numbers know no direction of 0.
        if !expected.iter().all(|slope: &f64| slope.is_finite()) {
            return;
        }
        point.compare(&place, &tangent.bars, &expected, point.precision(), report);
        let Some(bars) = bars else { return };
        let products = |a: &mut dyn Iterator<Item = (f64, f64)>| {
            a.fold((0.0, 1.0), |(sum, scale), (a, b)| (sum + a * b, scale + (a * b).abs()))
        };
        let weights = dependents.iter().map(|output| seeds[*output]);
        let (forwards, _) = products(&mut weights.zip(tangent.bars.iter().copied()));
        let (backwards, scale) = products(&mut bars.iter().copied().zip(direction));
        report.check((forwards - backwards).abs() <= point.precision() * scale, || {
            format!("{place}: the products are {forwards:e} and {backwards:e}")
        });
    }

    fn check_zero_seed(&self, report: &mut Report) {
        let seeds = vec![0.0; self.point.primal.dependent.len()];
        if let Some(derivative) = self.run(Entry::Adjoint, &seeds, report) {
            let bars = derivative.bars;
            report.check(bars.iter().all(|bar| *bar == 0.0), || {
                format!("{}: the seed 0 gives {bars:?}", self.place)
            });
        }
    }

    fn check_linearity(
        &self,
        (seeds, gradient): (&[f64], &[f64]),
        (other_seeds, other): (&[f64], &[f64]),
        report: &mut Report,
    ) {
        let combined = |a: &[f64], b: &[f64]| -> Vec<f64> {
            a.iter().zip(b).map(|(a, b)| 2.0 * a - 0.5 * b).collect()
        };
        let seeds = combined(seeds, other_seeds);
        let Some(found) = self.run(Entry::Adjoint, &seeds, report) else { return };
        for (component, found) in found.bars.iter().enumerate() {
            let (a, b) = (2.0 * gradient[component], 0.5 * other[component]);
            let error = (found - (a - b)).abs() / (a.abs() + b.abs()).max(1.0);
            report.check(error <= self.point.rounding(), || {
                format!(
                    "{} linear, component {component}: {found:e} is not {a:e} - {b:e}",
                    self.place
                )
            });
        }
    }

    fn check_expectation(&self, gradient: &[f64], report: &mut Report) {
        let expectation = self.point.case.expectations[self.point.sample];
        if let Some(listed) = expectation.and_then(|expectation| expectation.gradient) {
            let what = format!("{} listed", self.place);
            self.point.compare(&what, gradient, listed, 1e-6, report);
        }
    }
}
