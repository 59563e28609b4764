//! Difference quotients with many steps, and how far they may be trusted.

use super::noise::noise;
use super::report::{Comparison, Place, Reason, Verdict};
use super::scale;

/// Each step is the last over this.
const RATIO: f64 = 4.0;
/// The largest step over the size of the point.
const LARGEST: f64 = 0.25;
/// How much larger it may be than a coordinate that is small against 1: its size may say nothing of the function.
const FURTHER: f64 = (1 << 20) as f64;
/// So many steps follow below the smallest size in the point.
const BELOW: i32 = 20;
/// No ladder is longer.
const LONGEST: i32 = 60;
/// How far apart points are at which noise is measured: from so much of the smallest size…
const CLOSEST: f64 = 0.7e-12;
/// …to so much of the largest…
const CLOSE: f64 = 0.3e-6;
/// …each time so many times as far, which is not a power of two, so that rounding errors do not repeat.
const APART: f64 = 43.7;
/// How often quotients are extrapolated.
const EXTRAPOLATIONS: i32 = 3;
/// How much larger than the noise an error of a value may be.
const NOISE_FACTOR: f64 = 8.0;
/// The rounding errors that a derivative has of its own, relative to it.
const OWN: f64 = 1e-11;
/// Quotients to both sides that differ by less of their size are no kink.
const KINK: f64 = 1e-6;
/// Differences whose estimated error is a larger part of the derivative say nothing of it…
const HIDDEN: f64 = 1e-3;
/// …unless they are small against the change to either side, as at a minimum.
const FLAT: f64 = 1e-6;
/// That change is the largest with the step and so many larger ones.
const LARGER: usize = 6;

/// The sizes of the steps along a line.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    largest: f64,
    smallest: f64,
}

impl Extent {
    /// From a point along a direction: where its coordinates change by their size.
    pub(super) fn of(x: &[f64], direction: &[f64]) -> Self {
        let changing = x.iter().zip(direction).filter(|(_, d)| **d != 0.0);
        let (mut largest, mut smallest) = (0.0_f64, f64::INFINITY);
        for (x, d) in changing {
            let size = scale(*x) / d.abs();
            let more = (1.0 / d.abs()).min(FURTHER * size);
            (largest, smallest) = (largest.max(size).max(more), smallest.min(size));
        }
        if largest == 0.0 {
            Self { largest: 1.0, smallest: 1.0 }
        } else {
            Self { largest, smallest }
        }
    }

    fn steps(self) -> Vec<f64> {
        let mut steps = Vec::new();
        let mut step = LARGEST * self.largest;
        let last = self.smallest * LARGEST * RATIO.powi(-BELOW);
        while step > last && steps.len() < LONGEST as usize {
            steps.push(step);
            step /= RATIO;
        }
        steps
    }

    /// The distances of points at which noise is measured.
    fn spacings(self) -> Vec<f64> {
        let mut spacings = Vec::new();
        let mut spacing = CLOSEST * self.smallest;
        while spacing <= CLOSE * self.largest {
            spacings.push(spacing);
            spacing *= APART;
        }
        spacings
    }
}

/// A function on both sides of the point.
#[derive(Clone, Copy)]
struct Rung {
    step: f64,
    below: f64,
    above: f64,
}

/// A quotient that has been decided for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quotient {
    pub(super) value: f64,
    /// How far from the derivative it is estimated to be.
    pub(super) error: f64,
    pub(super) step: f64,
    /// The size of the quotients to either side, not extrapolated.
    around: f64,
}

/// A function of one number around zero, with many steps.
pub(super) struct Ladder {
    middle: f64,
    noise: f64,
    /// From the largest step down; where the function is not finite there is none.
    rungs: Vec<Rung>,
}

impl Ladder {
    /// The ladders of each of some functions of a distance.
    pub(super) fn of_each(at: impl Fn(f64) -> Vec<f64>, extent: Extent, count: usize) -> Vec<Self> {
        let middle = at(0.0);
        let noise = noise(&at, &extent.spacings(), count);
        let mut ladders: Vec<Self> = (0..count)
            .map(|i| Self { middle: middle[i], noise: noise[i], rungs: Vec::new() })
            .collect();
        for step in extent.steps() {
            let (below, above) = (at(-step), at(step));
            for (i, ladder) in ladders.iter_mut().enumerate() {
                let (below, above) = (below.get(i), above.get(i));
                if let (Some(&below), Some(&above)) = (below, above)
                    && below.is_finite()
                    && above.is_finite()
                {
                    ladder.rungs.push(Rung { step, below, above });
                }
            }
        }
        ladders
    }

    /// A bound of the rounding errors of the values around a rung.
    fn rounding(&self, rung: &Rung) -> f64 {
        let size = self.middle.abs().max(rung.below.abs()).max(rung.above.abs());
        NOISE_FACTOR * self.noise.max(0.25 * f64::EPSILON * size)
    }

    /// The quotients to the left and to the right.
    fn one_sided(&self, rung: &Rung) -> (f64, f64) {
        ((self.middle - rung.below) / rung.step, (rung.above - self.middle) / rung.step)
    }

    /// The quotient with the smallest estimated error.
    pub(super) fn quotient(&self) -> Result<Quotient, Reason> {
        if !self.middle.is_finite() || self.rungs.len() < 4 {
            return Err(Reason::NotFinite);
        }
        let mut best: Option<Quotient> = None;
        let table = self.table();
        for order in 1..table.len() {
            for k in order..self.rungs.len() {
                let quotient = self.judge(&table, k, order);
                if best.is_none_or(|best| quotient.error < best.error) {
                    best = Some(quotient);
                }
            }
        }
        let best = best.filter(|best| best.error.is_finite()).ok_or(Reason::NotFinite)?;
        match self.kink(best.error) {
            Some(reason) => Err(reason),
            None => Ok(best),
        }
    }

    /// The quotients, and above them their extrapolations: `table[order][rung]`.
    fn table(&self) -> Vec<Vec<f64>> {
        let quotient = |rung: &Rung| (rung.above - rung.below) / (2.0 * rung.step);
        let mut table: Vec<Vec<f64>> = vec![self.rungs.iter().map(quotient).collect()];
        for order in 1..=EXTRAPOLATIONS {
            let last = &table[table.len() - 1];
            let weight = 1.0 / (RATIO.powi(2 * order) - 1.0);
            let mut next = last.clone();
            for k in 1..last.len() {
                next[k] = last[k] + weight * (last[k] - last[k - 1]);
            }
            table.push(next);
        }
        table
    }

    /// The extrapolated quotient and its error. Those with smaller steps have less of an error but for rounding, so if
    /// they differ by more than that it is this one that is wrong.
    fn judge(&self, table: &[Vec<f64>], k: usize, order: usize) -> Quotient {
        let value = table[order][k];
        let rounding = |k: usize| self.rounding(&self.rungs[k]) / self.rungs[k].step;
        let lower = &table[order - 1];
        let mut error = (value - lower[k]).abs().max((value - lower[k - 1]).abs());
        for (below, other) in table[order].iter().enumerate().skip(k + 1) {
            error = error.max((value - other).abs() - 4.0 * rounding(below));
        }
        error += rounding(k) + OWN * value.abs();
        Quotient { value, error, step: self.rungs[k].step, around: self.around(k) }
    }

    /// The largest quotient to either side with this step or one of the next larger ones.
    fn around(&self, k: usize) -> f64 {
        let sides = |rung| {
            let (left, right) = self.one_sided(rung);
            left.abs().max(right.abs())
        };
        self.rungs[k.saturating_sub(LARGER)..=k].iter().map(sides).fold(0.0, f64::max)
    }

    /// Quotients to both sides that do not approach each other. Of something smooth the difference goes down
    /// as the step does, and next to a kink it vanishes with a step that does not reach it.
    fn kink(&self, error: f64) -> Option<Reason> {
        let gap = |rung: &Rung| {
            let (left, right) = self.one_sided(rung);
            (right - left).abs()
        };
        let seen = |gap: f64, rung: &Rung| gap * rung.step > 4.0 * self.rounding(rung);
        let end = self.rungs.iter().rposition(|rung| seen(gap(rung), rung))?;
        let [larger, middle, smallest] = &self.rungs[end.checked_sub(2)?..=end] else {
            return None;
        };
        let stays = gap(smallest) > gap(larger) / RATIO;
        // What does not go down is noise.
        let change = |rung: &Rung| gap(rung) * rung.step;
        let goes_down =
            change(smallest) < 0.7 * change(middle) && change(middle) < 0.7 * change(larger);
        let ends = self.rungs.get(end + 1).is_some_and(|below| seen(0.5 * gap(smallest), below));
        let (left, right) = self.one_sided(smallest);
        let least = error.max(KINK * left.abs().max(right.abs()));
        (stays && goes_down && !ends && gap(smallest) > least)
            .then_some(Reason::Kink { left, right })
    }

    /// Compares a derivative with the quotients.
    pub(super) fn compare(&self, place: Place, derivative: f64) -> Comparison {
        let quotient = match self.quotient() {
            Ok(quotient) => quotient,
            Err(reason) => {
                return Comparison { derivative, ..Comparison::not_compared(place, reason) };
            }
        };
        let Quotient { value, error, step, around } = quotient;
        let is_constant = around == 0.0 && self.rungs.iter().all(|rung| self.is_level(rung));
        let agrees = (derivative - value).abs() <= error;
        let is_seen = error <= HIDDEN * derivative.abs().max(value.abs())
            || error <= FLAT * around
            || is_constant && derivative == 0.0;
        let verdict = match (agrees, is_seen) {
            (false, _) => Verdict::Disagrees,
            (true, true) => Verdict::Agrees,
            (true, false) => Verdict::NotCompared(Reason::Hidden),
        };
        Comparison {
            place,
            derivative,
            reference: value,
            tolerance: error,
            step: Some(step),
            verdict,
        }
    }

    fn is_level(&self, rung: &Rung) -> bool {
        rung.below == self.middle && rung.above == self.middle
    }
}
