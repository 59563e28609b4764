//! While a check runs derivatives: each rule by hand that they come by is checked by itself, where it is used.
//!
//! Sweeps of functions with `partials(…)` or `with = …` begin with a call of [`rule`], in builds with debug assertions.
//! Outside of checks it is not made.

use super::directions::Directions;
use super::ladder::{Extent, Ladder};
use super::report::WrongRule;
use super::{inner, moved, scale};
use crate::Vector;
use std::cell::RefCell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};

/// So many uses of a rule are checked, all of them; later ones are further and further apart.
const ALL: usize = 64;
/// How many times the estimated error of the differences a rule may be off. Nobody has chosen the points at which it is used.
const LENIENCE: f64 = 4.0;
/// The rounding errors that a rule may have, relative to the sizes of its terms.
const OWN: f64 = 1e-9;
/// So many elements of a list are printed.
const PRINTED: usize = 4;

thread_local! {
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
}

/// What has been seen of the rules.
#[derive(Default)]
struct Watch {
    rules: Vec<Seen>,
}

impl Watch {
    /// Of a macro of the user's, several functions may be at one place.
    fn seen(&mut self, function: &'static str, location: &'static Location<'static>) -> &mut Seen {
        let same = |seen: &Seen| seen.function == function && seen.location == location;
        let known = self.rules.iter().position(same).unwrap_or_else(|| {
            self.rules.push(Seen { function, location, uses: 0, checked: 0, wrong: Vec::new() });
            self.rules.len() - 1
        });
        &mut self.rules[known]
    }
}

/// What has been seen of the rule of a function.
struct Seen {
    function: &'static str,
    location: &'static Location<'static>,
    uses: usize,
    /// How many of them were checked.
    checked: usize,
    /// What was wrong, with respect to each parameter.
    wrong: Vec<WrongRule>,
}

impl Seen {
    /// Whether the next use is one of those that are checked: about as many between any number and twice that, with
    /// no period, as loops have one.
    fn is_next_checked(&mut self) -> bool {
        let every = (self.uses / ALL).next_power_of_two() as u64;
        let mixed = (self.uses as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        self.uses += 1;
        mixed.is_multiple_of(every)
    }

    fn add(&mut self, found: WrongRule) {
        let same = |known: &&mut WrongRule| known.parameter == found.parameter;
        let Some(known) = self.wrong.iter_mut().find(same) else {
            self.wrong.push(found);
            return;
        };
        let wrong = known.wrong + 1;
        // A number says more.
        if found.given.is_finite() && !known.given.is_finite() {
            *known = found;
        }
        known.wrong = wrong;
    }
}

/// What is on, until this goes out of scope.
struct Set {
    before: Option<Watch>,
}

impl Set {
    fn to(watch: Option<Watch>) -> Self {
        Self { before: WATCH.replace(watch) }
    }
}

impl Drop for Set {
    fn drop(&mut self) {
        WATCH.set(self.before.take());
    }
}

/// Runs derivatives, and says which of the rules that they used are wrong.
pub(super) fn during<T>(run: impl FnOnce() -> T) -> (T, Vec<WrongRule>) {
    let outer = Set::to(Some(Watch::default()));
    let value = run();
    let watch = WATCH.take().unwrap_or_default();
    drop(outer);
    let wrong = watch.rules.into_iter().flat_map(|seen| {
        let checked = seen.checked;
        seen.wrong.into_iter().map(move |wrong| WrongRule { checked, ..wrong })
    });
    (value, wrong.collect())
}

/// Whether a check is running. While the thread ends there is none.
pub fn is_on() -> bool {
    WATCH.try_with(|watch| watch.borrow().is_some()).unwrap_or(false)
}

/// A parameter that has a bar in the rule.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    name: &'static str,
    location: &'static Location<'static>,
    len: usize,
    is_independent: bool,
    is_dependent: bool,
}

impl Part {
    /// One that is an argument.
    pub fn independent<T: Vector + ?Sized>(
        name: &'static str,
        location: &'static Location<'static>,
        value: &T,
    ) -> Self {
        let len = flat(value).len();
        Self { name, location, len, is_independent: true, is_dependent: false }
    }

    /// One that is only written.
    pub fn dependent<T: Vector + ?Sized>(
        name: &'static str,
        location: &'static Location<'static>,
        value: &T,
    ) -> Self {
        let part = Self::independent(name, location, value);
        Self { is_independent: false, is_dependent: true, ..part }
    }

    /// One that is read and written.
    pub fn both<T: Vector + ?Sized>(
        name: &'static str,
        location: &'static Location<'static>,
        value: &T,
    ) -> Self {
        Self { is_dependent: true, ..Self::independent(name, location, value) }
    }
}

/// Checks the rule of a function at the point where it is used, with respect to each of its independents. Nothing is
/// watched meanwhile: rules use functions that have rules.
///
/// `value` takes copies of the parameters with bars, may write to them, and returns the result, if there is one. `adjoint`
/// takes the same with their bars and that of the result.
pub fn rule<P: Vector + Clone, R: Vector + Clone, const N: usize>(
    function: &'static str,
    parts: [Part; N],
    point: P,
    value: impl Fn(&mut P) -> Option<R>,
    adjoint: impl Fn(&mut P, &mut P, R),
) {
    let mut off = Set::to(None);
    let (Some(watch), Some(first)) = (&mut off.before, parts.first()) else { return };
    let seen = watch.seen(function, first.location);
    if !seen.is_next_checked() {
        return;
    }
    seen.checked += 1;
    let used = Use { function, parts: &parts, point, value, adjoint };
    for found in used.wrong().unwrap_or_default() {
        seen.add(found);
    }
}

/// One use of a rule.
struct Use<'p, P, V, A> {
    function: &'static str,
    parts: &'p [Part],
    point: P,
    value: V,
    adjoint: A,
}

impl<P, R, V, A> Use<'_, P, V, A>
where
    P: Vector + Clone,
    R: Vector + Clone,
    V: Fn(&mut P) -> Option<R>,
    A: Fn(&mut P, &mut P, R),
{
    /// What is wrong at this point; `None` if there is nothing to compare with.
    fn wrong(&self) -> Option<Vec<WrongRule>> {
        let point = flat(&self.point);
        let (seed, results) = self.results(&point)?;
        if results.is_empty() || results.iter().any(|result| !result.is_finite()) {
            return None;
        }
        let mut directions = Directions::new();
        // Results of all sizes count the same; a single one as it is, so that its derivative is.
        let weights = match results.as_slice() {
            [_] => vec![1.0],
            results => directions.weights(results.iter().map(|result| 1.0 / scale(*result))),
        };
        let gradient = self.gradient(seed, &weights)?;
        let independents =
            self.ranges().filter(|(part, range)| part.is_independent && !range.is_empty());
        let wrong = independents.filter_map(|(part, range)| {
            let mut direction = vec![0.0; point.len()];
            match range.len() {
                1 => direction[range.start] = 1.0,
                _ => direction[range.clone()].copy_from_slice(&directions.signs(&point[range])),
            }
            self.wrong_along(part, &point, &direction, &gradient, &weights)
        });
        Some(wrong.collect())
    }

    /// What is wrong along a direction in which one of the parameters changes.
    fn wrong_along(
        &self,
        part: &Part,
        point: &[f64],
        direction: &[f64],
        gradient: &[f64],
        weights: &[f64],
    ) -> Option<WrongRule> {
        let weighted = |step: f64| {
            let (_, results) = self.results(&moved(point, direction, step))?;
            (results.len() == weights.len()).then(|| inner(&results, weights))
        };
        let at = |step: f64| vec![weighted(step).unwrap_or(f64::NAN)];
        let ladder = Ladder::of_each(at, Extent::of(point, direction), 1).remove(0);
        // At a kink, or where the function is not finite, nothing is said.
        let quotient = ladder.quotient().ok()?;
        let given = inner(gradient, direction);
        let terms: f64 = gradient.iter().zip(direction).map(|(g, d)| (g * d).abs()).sum();
        let tolerance = LENIENCE * quotient.error + OWN * terms;
        if (given - quotient.value).abs() <= tolerance {
            return None;
        }
        Some(WrongRule {
            function: self.function,
            parameter: part.name,
            file: part.location.file(),
            line: part.location.line(),
            wrong: 1,
            checked: 1,
            arguments: self.arguments(point),
            given,
            measured: quotient.value,
            tolerance,
        })
    }

    /// The parameters, and where they are in a flat list.
    fn ranges(&self) -> impl Iterator<Item = (&Part, Range<usize>)> {
        let mut end = 0;
        self.parts.iter().map(move |part| {
            let start = end;
            end += part.len;
            (part, start..end)
        })
    }

    /// The result of the function, and all floats that depend on the arguments: those of the result, and those
    /// that are written. `None` if it fails or panics.
    fn results(&self, numbers: &[f64]) -> Option<(R, Vec<f64>)> {
        let mut point = self.point.clone();
        point.read_flat(numbers);
        let result = caught(|| (self.value)(&mut point))??;
        let mut results = flat(&result);
        let after = flat(&point);
        for (_, range) in self.ranges().filter(|(part, _)| part.is_dependent) {
            results.extend(after.get(range)?);
        }
        Some((result, results))
    }

    /// What the rule adds to the bars of the arguments, for such bars of the results. The seed has the shape of the
    /// result.
    fn gradient(&self, mut seed: R, weights: &[f64]) -> Option<Vec<f64>> {
        let mut point = self.point.clone();
        let mut of_written = seed.read_flat(weights);
        let mut bars = vec![0.0; flat(&point).len()];
        for (_, range) in self.ranges().filter(|(part, _)| part.is_dependent) {
            let (of_this, rest) = of_written.split_at_checked(range.len())?;
            bars[range].copy_from_slice(of_this);
            of_written = rest;
        }
        let mut bar = point.clone();
        bar.read_flat(&bars);
        caught(|| (self.adjoint)(&mut point, &mut bar, seed))?;
        let gradient = flat(&bar);
        (gradient.len() == bars.len()).then_some(gradient)
    }

    /// The arguments, for a report.
    fn arguments(&self, point: &[f64]) -> String {
        let parts = self.ranges().map(|(part, range)| {
            let numbers = &point[range];
            let text = match numbers {
                [number] => format!("{number:?}"),
                numbers if numbers.len() <= PRINTED => format!("{numbers:?}"),
                numbers => {
                    let first: Vec<String> =
                        numbers[..PRINTED].iter().map(|number| format!("{number:?}")).collect();
                    format!("[{}, …]", first.join(", "))
                }
            };
            format!("{} = {text}", part.name)
        });
        parts.collect::<Vec<_>>().join(", ")
    }
}

fn flat<T: Vector + ?Sized>(value: &T) -> Vec<f64> {
    let mut flat = Vec::new();
    value.write_flat(&mut flat);
    flat
}

/// A function may panic at points at which nobody has called it.
fn caught<T>(run: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(run)).ok()
}
