//! Where does an adjoint go wrong? Of a function with a weighted sum of what its statements assign, adjoint and tangent are compared: with the weights of
//! all statements up to one they agree as long as those are right.
//!
//! With a direction ẋ and the weights w of what is assigned, s, both are the derivative of ⟨w, s⟩: `⟨Jᵀw, ẋ⟩ = ⟨w, Jẋ⟩`. The first statement with
//! which they differ is found by halves.

use super::bisection::Ran;
use super::inner;
use crate::{Along, Marker, Seed, Slot, Stack, Vector};
use std::cell::RefCell;
use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};

/// How far two derivatives may be apart, relative to the sizes of what they are sums of.
const TOLERANCE: f64 = 1e-9;

/// What an adjoint or a tangent computes of a point and of bars, or a direction: the dependents, and derivatives.
pub type Derivative<'f> = &'f dyn Fn(&[f64], &[f64]) -> (Vec<f64>, Vec<f64>);

/// A function with a sum of what its statements assign, which is its last dependent.
#[derive(Clone, Copy)]
pub struct Summed<'f> {
    /// The dependents, and the bars of the independents.
    pub adjoint: Derivative<'f>,
    /// The dependents, and their derivatives.
    pub tangent: Derivative<'f>,
    /// The statements.
    pub sites: &'f [Site],
}

impl fmt::Debug for Summed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Summed").field("sites", &self.sites).finish_non_exhaustive()
    }
}

/// A statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Site {
    /// What it assigns, as "the value of `y`"; may be empty.
    pub name: &'static str,
    /// Where it is.
    pub location: &'static Location<'static>,
}

/// What is summed.
struct Sum {
    /// The terms that count, by their numbers in the order in which they are told.
    window: Range<usize>,
    /// Of each term the number of its statement.
    terms: Vec<usize>,
    /// The sum of the sizes of what derivatives are the sums of.
    size: f64,
}

impl Sum {
    const NOTHING: Self = Self { window: 0..0, terms: Vec::new(), size: 0.0 };
}

thread_local! {
    static SUM: RefCell<Sum> = const { RefCell::new(Sum::NOTHING) };
}

/// The weights of the numbers of a term: of random sizes and signs, so that they cancel nothing.
fn weights(number: usize) -> Option<impl Iterator<Item = f64>> {
    let counts = SUM.with_borrow(|sum| sum.window.contains(&number));
    // By the finalizer of MurmurHash3.
    let mixed = |value: u64| {
        let value = (value ^ (value >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        let value = (value ^ (value >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        value ^ (value >> 33)
    };
    let weight = move |position: u64| {
        let bits = mixed(mixed(number as u64 + 1).wrapping_add(position));
        let size = 0.5 + (bits >> 12) as f64 / (1_u64 << 52) as f64;
        if bits & 1 == 0 { size } else { -size }
    };
    counts.then(|| (0..).map(weight))
}

fn flat<V: Vector + ?Sized>(vector: &V) -> Vec<f64> {
    let mut numbers = Vec::new();
    vector.write_flat(&mut numbers);
    numbers
}

/// The weighted sum of the numbers of a value: `number` terms have been told before, and `site` is the number of the statement that has assigned it.
pub fn term<V: Vector + ?Sized>(value: &V, number: usize, site: usize) -> f64 {
    SUM.with_borrow_mut(|sum| {
        if sum.terms.len() == number {
            sum.terms.push(site);
        }
    });
    let Some(weights) = weights(number) else { return 0.0 };
    flat(value).iter().zip(weights).map(|(number, weight)| number * weight).sum()
}

/// The derivatives of [`term`](fn@term), as of any function.
#[allow(non_camel_case_types, reason = "it has the name of the function")]
#[derive(Debug)]
pub struct term {}

impl term {
    #[doc(hidden)]
    #[inline]
    pub const fn __entries<Callee>(callee: Callee) -> Self {
        std::mem::forget(callee);
        Self {}
    }

    #[doc(hidden)]
    pub const fn __is_repeatable(&self, _: &crate::Callers<'_>) -> bool {
        true
    }

    #[doc(hidden)]
    pub const fn __says(&self, _: &crate::Question<'_>) -> bool {
        true
    }

    #[doc(hidden)]
    pub const fn __is_exclusive(&self, _: usize) -> bool {
        false
    }

    #[doc(hidden)]
    #[allow(clippy::too_many_arguments, reason = "the signature of all forward sweeps")]
    pub fn __forward<P: Marker, V: Vector + ?Sized, A: Marker, Number, Site>(
        self,
        _: &mut Stack,
        _: P,
        value: &V,
        _: A,
        number: usize,
        _: Number,
        site: usize,
        _: Site,
    ) -> (f64, ()) {
        (term(value, number, site), ())
    }

    #[doc(hidden)]
    #[allow(clippy::too_many_arguments, reason = "the signature of all backward sweeps")]
    pub fn __backward<P: Marker, V: Vector + ?Sized, A: Slot<V>, Number, Site>(
        self,
        _: &mut Stack,
        _: P,
        (): (),
        _: &V,
        mut value_bar: A,
        number: &usize,
        _: Number,
        _: &usize,
        _: Site,
        seed: impl Seed<f64>,
    ) {
        let (Some(bar), Some(weights)) = (value_bar.bar(), weights(*number)) else { return };
        let seed: f64 = seed.weight();
        let mut numbers = flat(bar);
        numbers.iter_mut().zip(weights).for_each(|(bar, weight)| *bar += seed * weight);
        bar.read_flat(&numbers);
    }

    #[doc(hidden)]
    pub fn __tangent<V: Vector + ?Sized, A: Along<V>, Number, Site>(
        self,
        value: &V,
        direction: A,
        number: usize,
        _: Number,
        site: usize,
        _: Site,
    ) -> (f64, f64) {
        let (mut slope, mut size) = (0.0, 0.0);
        if let (Some(direction), Some(weights)) = (direction.direction(), weights(number)) {
            for (direction, weight) in flat(direction).iter().zip(weights) {
                slope += direction * weight;
                size += (direction * weight).abs();
            }
        }
        SUM.with_borrow_mut(|sum| sum.size += size);
        (term(value, number, site), slope)
    }
}

/// What has come of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Found {
    /// The adjoint of a statement disagrees with its tangent.
    Statement(Culprit),
    /// The sums of all statements agree, which ran so many times.
    Nothing { told: usize },
    /// A derivative panics, or the tangent is not finite.
    NotCompared,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Statement(culprit) => culprit.fmt(f),
            Self::Nothing { told } => {
                write!(f, "the adjoint and the tangent of a sum of all {told} assignments agree")
            }
            Self::NotCompared => {
                write!(f, "the adjoint and the tangent of what is assigned could not be compared")
            }
        }
    }
}

/// The first statement whose adjoint disagrees with its tangent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Culprit {
    ran: Ran,
    by_adjoint: f64,
    by_tangent: f64,
}

impl fmt::Display for Culprit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ran, by_adjoint, by_tangent } = self;
        write!(f, "the first statement whose adjoint disagrees with its tangent: {ran}: ")?;
        write!(f, "{by_adjoint:.9e} by the adjoint, {by_tangent:.9e} by the tangent")
    }
}

/// Looks for that statement, along a direction.
pub(super) fn bisect(x: &[f64], x_d: &[f64], summed: &Summed<'_>) -> Found {
    let Some(all) = compare(x, x_d, summed, 0..usize::MAX) else { return Found::NotCompared };
    let terms = &all.terms;
    if !all.disagree() {
        return Found::Nothing { told: terms.len() };
    }
    let disagree = |window: Range<usize>| {
        compare(x, x_d, summed, window).is_some_and(|compared| compared.disagree())
    };
    let (mut agreeing, mut disagreeing) = (0, terms.len());
    while disagreeing - agreeing > 1 {
        let middle = agreeing + (disagreeing - agreeing) / 2;
        match disagree(0..middle) {
            true => disagreeing = middle,
            false => agreeing = middle,
        }
    }
    let found = compare(x, x_d, summed, agreeing..disagreeing).filter(Compared::disagree);
    let Some(found) = found else { return Found::NotCompared };
    let site = terms[agreeing];
    let times = |terms: &[usize]| terms.iter().filter(|other| **other == site).count();
    let Site { name, location } = summed.sites[site];
    let ran = Ran { name, location, time: times(&terms[..disagreeing]), times: times(terms) };
    let Compared { by_adjoint, by_tangent, .. } = found;
    Found::Statement(Culprit { ran, by_adjoint, by_tangent })
}

/// Both derivatives of a sum.
struct Compared {
    by_adjoint: f64,
    by_tangent: f64,
    /// How large what they are sums of is.
    size: f64,
    terms: Vec<usize>,
}

impl Compared {
    fn disagree(&self) -> bool {
        let difference = (self.by_adjoint - self.by_tangent).abs();
        // What is not a number disagrees with what is one.
        difference.is_nan() || difference > TOLERANCE * self.size
    }
}

/// Compares the sums of some terms, unless a derivative panics or the tangent is not finite.
fn compare(x: &[f64], x_d: &[f64], summed: &Summed<'_>, window: Range<usize>) -> Option<Compared> {
    SUM.set(Sum { window, ..Sum::NOTHING });
    let run = || {
        let (_, slopes) = (summed.tangent)(x, x_d);
        let mut seeds = vec![0.0; slopes.len()];
        *seeds.last_mut()? = 1.0;
        let (_, bars) = (summed.adjoint)(x, &seeds);
        Some((*slopes.last()?, bars))
    };
    let found = catch_unwind(AssertUnwindSafe(run));
    let Sum { terms, size, .. } = SUM.replace(Sum::NOTHING);
    let (by_tangent, bars) = found.ok()?.filter(|(by_tangent, _)| by_tangent.is_finite())?;
    let sizes = bars.iter().zip(x_d).map(|(bar, direction)| (bar * direction).abs());
    let size = size + sizes.sum::<f64>();
    Some(Compared { by_adjoint: inner(&bars, x_d), by_tangent, size, terms })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Off, On};

    const SITES: [Site; 2] = [
        Site { name: "the value of `y`", location: Location::caller() },
        Site { name: "", location: Location::caller() },
    ];

    /// Assigns `y = k x₀` and `z = y + x₁` for k = 0, …, 9.
    fn tangent(x: &[f64], x_d: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (mut sum, mut slope) = (0.0, 0.0);
        for k in 0..10 {
            let (y, y_d) = (k as f64 * x[0], k as f64 * x_d[0]);
            let (z, z_d) = ([y + x[1]], [y_d + x_d[1]]);
            for (value, derivative) in [
                term {}.__tangent(&y, &y_d, 2 * k, (), 0, ()),
                term {}.__tangent(&z[..], &z_d[..], 2 * k + 1, (), 1, ()),
            ] {
                sum += value;
                slope += derivative;
            }
        }
        (vec![x[0], sum], vec![x_d[0], slope])
    }

    /// The adjoint, in which the bar of `y` at `mistaken` is off by a factor.
    fn adjoint(mistaken: usize) -> impl Fn(&[f64], &[f64]) -> (Vec<f64>, Vec<f64>) {
        move |x, seeds| {
            let mut stack = Stack::new();
            let mut bars = vec![seeds[0], 0.0];
            for k in (0..10).rev() {
                let (mut y_b, mut z_b) = (0.0, [0.0]);
                let backward = term {};
                backward.__backward(
                    &mut stack,
                    On,
                    (),
                    &[0.0][..],
                    &mut z_b[..],
                    &(2 * k + 1),
                    Off,
                    &1,
                    Off,
                    seeds[1],
                );
                y_b += z_b[0];
                bars[1] += z_b[0];
                term {}.__backward(
                    &mut stack,
                    On,
                    (),
                    &0.0,
                    &mut y_b,
                    &(2 * k),
                    Off,
                    &0,
                    Off,
                    seeds[1],
                );
                bars[0] += y_b * k as f64 * if k == mistaken { 1.001 } else { 1.0 };
            }
            (vec![x[0], 0.0], bars)
        }
    }

    fn found(mistaken: usize) -> Found {
        let adjoint = adjoint(mistaken);
        let summed = Summed { adjoint: &adjoint, tangent: &tangent, sites: &SITES };
        bisect(&[0.7, -1.2], &[0.3, 2.0], &summed)
    }

    #[test]
    fn the_first_statement_that_disagrees_is_found() {
        for mistaken in 1..10 {
            let Found::Statement(culprit) = found(mistaken) else {
                panic!("a mistake at {mistaken}")
            };
            let Culprit { ran: Ran { name, time, times, .. }, by_adjoint, by_tangent } = culprit;
            assert_eq!((name, time, times), ("the value of `y`", mistaken + 1, 10));
            assert!((by_adjoint / by_tangent - 1.001).abs() < 1e-12);
        }
    }

    #[test]
    fn what_agrees_is_left_alone() {
        // The first y is 0 times x₀.
        assert_eq!(found(0), Found::Nothing { told: 20 });
        assert_eq!(found(10), Found::Nothing { told: 20 });
    }

    #[test]
    fn what_panics_or_is_not_finite_is_not_compared() {
        let panics = |_: &[f64], _: &[f64]| -> (Vec<f64>, Vec<f64>) { panic!("not at this point") };
        let summed = Summed { adjoint: &panics, tangent: &tangent, sites: &SITES };
        assert_eq!(bisect(&[0.7, -1.2], &[0.3, 2.0], &summed), Found::NotCompared);
        let adjoint = adjoint(10);
        let infinite = |x: &[f64], _: &[f64]| (vec![x[0], 0.0], vec![0.0, f64::INFINITY]);
        let summed = Summed { adjoint: &adjoint, tangent: &infinite, sites: &SITES };
        assert_eq!(bisect(&[0.7, -1.2], &[0.3, 2.0], &summed), Found::NotCompared);
    }

    #[test]
    fn a_bar_that_is_no_number_disagrees() {
        let adjoint = |x: &[f64], _: &[f64]| (vec![x[0], 0.0], vec![f64::NAN, 0.0]);
        let summed = Summed { adjoint: &adjoint, tangent: &tangent, sites: &SITES };
        assert!(matches!(bisect(&[0.7, -1.2], &[0.3, 2.0], &summed), Found::Statement(_)));
    }
}
