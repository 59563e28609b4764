//! Whether rules are right: at points of their own, pullback and pushforward are compared with each other, and with central differences.

use super::{Arguments, BinaryRule, Carrier, Rule, Tried, UnaryRule};
use crate::{Differentiable, Vector};
use std::panic::AssertUnwindSafe;

/// A rule that can be checked.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What it is the derivative of.
    pub signature: &'static str,
    /// Whether it is an operator.
    pub is_operator: bool,
    /// What is wrong at a point that a number tells, or whether the point was good enough to find out.
    pub check: fn(u64) -> Result<bool, String>,
}

/// Numbers that look random.
#[derive(Debug)]
pub struct Random {
    state: u64,
    /// Whether floats of a sample may be negative: where they are, many functions have no value, and others another branch.
    has_negatives: bool,
    /// Between what their sizes are. Some functions have values below 1 only, at points from 20 on, and others above, at points from 30 on:
    /// of many numbers that may be on either side, hardly ever all are on one.
    sizes: (f64, f64),
}

impl Random {
    fn at(point: u64) -> Self {
        let sizes = match point {
            0..20 => (0.3, 1.7),
            20..30 => (0.3, 0.95),
            _ => (1.05, 1.7),
        };
        Self { state: point, has_negatives: point % 2 == 1, sizes }
    }

    fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// Whether something is to be so that holds for half of the points.
    pub fn half(&mut self) -> bool {
        self.word().is_multiple_of(2)
    }

    /// A number between two others.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.word() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A value that floats tell.
pub trait Flat: Differentiable {
    /// These.
    fn flat(&self) -> Vec<f64>;
    /// A value of this shape with other floats.
    fn with_flat(&self, flat: &[f64]) -> Self;
}

impl<T: Differentiable<Bar = T> + Vector + Clone> Flat for T {
    fn flat(&self) -> Vec<f64> {
        flat_of(self)
    }
    fn with_flat(&self, flat: &[f64]) -> Self {
        let mut value = self.clone();
        assert!(value.read_flat(flat).is_empty(), "there is a number for each float");
        value
    }
}

/// A type of which there are values to try rules at.
pub trait Sample: Flat + Clone + 'static {
    /// Some value.
    fn sample(random: &mut Random) -> Self;
}

/// A value that is made of floats, from one of which they are replaced.
pub fn sample_floats<T: Vector>(mut value: T, random: &mut Random) -> T {
    let mut flat = Vec::new();
    value.write_flat(&mut flat);
    for float in &mut flat {
        let is_negative = random.has_negatives && !random.half();
        let size = random.between(random.sizes.0, random.sizes.1);
        *float = if is_negative { -size } else { size };
    }
    value.read_flat(&flat);
    value
}

macro_rules! floats {
    ($($float:ty)*) => {$(
        impl Sample for $float {
            fn sample(random: &mut Random) -> Self {
                sample_floats(0.0, random)
            }
        }
    )*};
}

floats! { f64 f32 }

impl<T: Sample + Differentiable<Bar = T> + Vector, const N: usize> Sample for [T; N] {
    fn sample(random: &mut Random) -> Self {
        std::array::from_fn(|_| T::sample(random))
    }
}

impl<T: Sample + Differentiable<Bar = T> + Vector> Sample for Vec<T> {
    fn sample(random: &mut Random) -> Self {
        (0..3).map(|_| T::sample(random)).collect()
    }
}

impl<T: Tried + Differentiable<Bar = T> + Vector + Clone + 'static> Sample for T {
    fn sample(random: &mut Random) -> Self {
        T::some(random.word() as usize)
    }
}

/// The arguments of a rule that is checked.
pub trait Arity: Arguments + Sized {
    /// Their bars.
    type Owned;
    /// Some arguments.
    fn sample(random: &mut Random) -> Self;
    /// All their floats.
    fn flat(&self) -> Vec<f64>;
    /// These with other floats.
    fn with_flat(&self, flat: &[f64]) -> Self;
    /// What all bars get.
    fn pulled(&self, pull: impl Fn(Self::Shared<'_>, Self::Bars<'_>)) -> Vec<f64>;
    /// Directions of these floats.
    fn along(&self, flat: &[f64]) -> Self::Owned;
    /// The floats of directions.
    fn flat_along(along: &Self::Owned) -> Vec<f64>;
    /// These as directions.
    fn directions(along: &Self::Owned) -> Self::Directions<'_>;
}

macro_rules! arity {
    ($(($($arg:ident $value:ident $bar:ident),*))*) => {$(
        impl<$($arg: Sample),*> Arity for ($($arg,)*) {
            type Owned = ($($arg::Bar,)*);
            fn sample(random: &mut Random) -> Self {
                ($($arg::sample(random),)*)
            }
            fn flat(&self) -> Vec<f64> {
                let ($($value,)*) = self;
                [$($value.flat()),*].concat()
            }
            fn with_flat(&self, flat: &[f64]) -> Self {
                let ($($value,)*) = self;
                $(let ($bar, flat) = flat.split_at($value.flat().len());
                let $value = $value.with_flat($bar);)*
                assert!(flat.is_empty(), "there is a number for each float");
                ($($value,)*)
            }
            fn pulled(&self, pull: impl Fn(Self::Shared<'_>, Self::Bars<'_>)) -> Vec<f64> {
                let ($($value,)*) = self;
                let ($(mut $bar,)*) = ($($value.zero_bar(),)*);
                pull(($($value,)*), ($(Some(&mut $bar),)*));
                [$(flat_of(&$bar)),*].concat()
            }
            fn along(&self, flat: &[f64]) -> Self::Owned {
                let ($($value,)*) = self;
                $(let mut $bar = $value.zero_bar();
                let flat = $bar.read_flat(flat);)*
                assert!(flat.is_empty(), "there is a number for each float");
                ($($bar,)*)
            }
            fn flat_along(along: &Self::Owned) -> Vec<f64> {
                let ($($bar,)*) = along;
                [$(flat_of($bar)),*].concat()
            }
            fn directions(along: &Self::Owned) -> Self::Directions<'_> {
                let ($($bar,)*) = along;
                ($(Some($bar),)*)
            }
        }
    )*};
}

arity! {
    (A a a_bar)
    (A a a_bar, B b b_bar)
    (A a a_bar, B b b_bar, C c c_bar)
    (A a a_bar, B b b_bar, C c c_bar, D d d_bar)
    (A a a_bar, B b b_bar, C c c_bar, D d d_bar, E e e_bar)
    (A a a_bar, B b b_bar, C c c_bar, D d d_bar, E e e_bar, F f f_bar)
    (A a a_bar, B b b_bar, C c c_bar, D d d_bar, E e e_bar, F f f_bar, G g g_bar, H h h_bar)
    (A a a_bar, B b b_bar, C c c_bar, D d d_bar, E e e_bar, F f f_bar, G g g_bar, H h h_bar, I i i_bar)
    (A a a_bar, B b b_bar, C c c_bar, D d d_bar, E e e_bar, F f f_bar, G g g_bar, H h h_bar, I i i_bar, J j j_bar, K k k_bar, L l l_bar)
    (A a a_bar, B b b_bar, C c c_bar, D d d_bar, E e e_bar, F f f_bar, G g g_bar, H h h_bar, I i i_bar, J j j_bar, K k k_bar, L l l_bar, M m m_bar, N n n_bar, O o o_bar, P p p_bar)
}

fn flat_of<V: Vector>(vector: &V) -> Vec<f64> {
    let mut flat = Vec::new();
    vector.write_flat(&mut flat);
    flat
}

/// As many floats between -1 and 1.
fn direction_of(flat: &[f64], random: &mut Random) -> Vec<f64> {
    flat.iter().map(|_| random.between(-1.0, 1.0)).collect()
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let scale = a.iter().chain(b).fold(1.0_f64, |scale, part| scale.max(part.abs()));
    a.iter().zip(b).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / scale
}

/// Whether numbers are rounded to single precision: by what it does to a third.
fn is_single(rounded: impl Fn(&[f64]) -> Vec<f64>, len: usize) -> bool {
    rounded(&vec![1.0 / 3.0; len]).contains(&f64::from(1.0_f32 / 3.0))
}

/// Checks a function by what it yields, its tangent and its pullback.
fn checked<A: Arity, R: Flat<Bar: Clone>>(
    point: u64,
    value: impl Fn(&A) -> Option<R>,
    tangent: impl Fn(&A, &R, &A::Owned) -> Option<R::Bar>,
    pullback: impl Fn(&A, R::Bar) -> Vec<f64>,
) -> Result<bool, String> {
    let random = &mut Random::at(point);
    let args = A::sample(random);
    // A function that panics, where an argument is out of range, has no value.
    let result = std::panic::catch_unwind(AssertUnwindSafe(|| value(&args)));
    let Ok(Some(result)) = result else { return Ok(false) };
    let (at, result_flat) = (args.flat(), result.flat());
    let along = args.along(&direction_of(&at, random));
    let along_flat = A::flat_along(&along);
    let mut weight = result.zero_bar();
    weight.read_flat(&direction_of(&result_flat, random));
    let Some(tangent) = tangent(&args, &result, &along) else {
        return Err("there is a result and no pushforward".to_owned());
    };
    let bars = pullback(&args, weight.clone());
    let is_single = is_single(|flat| args.with_flat(flat).flat(), at.len())
        || is_single(|flat| result.with_flat(flat).flat(), result_flat.len());
    let (step, close, closest) = if is_single { (1e-2, 5e-3, 1e-4) } else { (1e-5, 1e-7, 1e-11) };
    let moved = |step: f64| {
        let moved: Vec<f64> =
            at.iter().zip(&along_flat).map(|(at, along)| at + step * along).collect();
        value(&args.with_flat(&moved))
            .map_or(vec![f64::NAN; result_flat.len()], |moved| moved.flat())
    };
    let slope = |from: f64, to: f64| -> Vec<f64> {
        moved(to).iter().zip(&moved(from)).map(|(a, b)| (a - b) / (to - from)).collect()
    };
    let (forward, backward) =
        (inner(&flat_of(&weight), &flat_of(&tangent)), inner(&bars, &along_flat));
    let (slope, other, sides) =
        (slope(-step, step), slope(-step / 2.0, step / 2.0), [slope(-step, 0.0), slope(0.0, step)]);
    // Where a function has no value, or none beside the point, nothing is found out.
    if result_flat.iter().chain(&slope).any(|number| !number.is_finite()) {
        return Ok(false);
    }
    if !forward.is_finite() || !backward.is_finite() {
        return Err(format!(
            "pushforward {forward}, pullback {backward}, where differences are {slope:?}"
        ));
    }
    if distance(&[forward], &[backward]) > closest {
        return Err(format!("pushforward {forward}, pullback {backward}"));
    }
    // Close to a kink differences tell nothing.
    if distance(&slope, &other) > close || distance(&sides[0], &sides[1]) > 20.0 * step {
        return Ok(false);
    }
    match distance(&slope, &flat_of(&tangent)) <= 4.0 * close {
        true => Ok(true),
        false => Err(format!("differences {slope:?}, pushforward {:?}", flat_of(&tangent))),
    }
}

/// Checks a rule of a function, whose arguments are passed as a function says.
///
/// # Errors
/// If the rule is wrong.
pub fn function<const NAME: u128, P, T>(
    point: u64,
    passed: fn(&T::Args) -> T::Passed<'_>,
) -> Result<bool, String>
where
    T: Rule<NAME, P> + ?Sized,
    T::Args: Arity,
    T::Output: Flat,
{
    checked(
        point,
        |args: &T::Args| T::Carrier::content(T::value(passed(args))),
        |args, _, along| {
            let tangent = T::pushforward(passed(args), T::Args::directions(along));
            T::Carrier::content(tangent).map(|(_, tangent)| tangent)
        },
        |args, weight| {
            let kept = T::keep(&T::value(passed(args)));
            args.pulled(|args, bars| T::pullback(args, &kept, &weight, bars))
        },
    )
}

/// Checks a rule of an operator of two values.
///
/// # Errors
/// If the rule is wrong.
pub fn binary<Operator, L, R>(
    point: u64,
    operator: fn(L, R) -> <L as BinaryRule<Operator, R>>::Output,
) -> Result<bool, String>
where
    L: BinaryRule<Operator, R> + Sample + Differentiable<Bar = L>,
    R: Sample + Differentiable<Bar = R>,
    <L as BinaryRule<Operator, R>>::Output: Vector + Clone,
{
    checked(
        point,
        |(left, right): &(L, R)| Some(operator(left.clone(), right.clone())),
        |(left, right), result, along| {
            Some(L::pushforward(left, right, result, Some(&along.0), Some(&along.1)))
        },
        |args, weight| {
            args.pulled(|(left, right), (left_bar, right_bar)| {
                L::pullback(left, right, &weight, left_bar, right_bar);
            })
        },
    )
}

/// Checks a rule of an operator of one value.
///
/// # Errors
/// If the rule is wrong.
pub fn unary<Operator, T>(
    point: u64,
    operator: fn(T) -> <T as UnaryRule<Operator>>::Output,
) -> Result<bool, String>
where
    T: UnaryRule<Operator> + Sample + Differentiable<Bar = T>,
    <T as UnaryRule<Operator>>::Output: Vector + Clone,
{
    checked(
        point,
        |(value,): &(T,)| Some(operator(value.clone())),
        |(value,), result, along| Some(T::pushforward(value, result, Some(&along.0))),
        |args, weight| args.pulled(|(value,), (bar,)| T::pullback(value, &weight, bar)),
    )
}

#[cfg(test)]
mod tests {
    use super::{Arity, checked};

    /// What the check says of a derivative of |x|, at many points.
    fn outcomes(derivative: fn(f64) -> f64, pulled: fn(f64) -> f64) -> Vec<Result<bool, String>> {
        let points = (0..20).map(|point| {
            checked(
                point,
                |(x,): &(f64,)| Some(x.abs()),
                |(x,), _, (along,)| Some(derivative(*x) * along),
                |args, weight| {
                    args.pulled(|(x,), (bar,)| *bar.expect("a bar") += pulled(*x) * weight)
                },
            )
        });
        points.collect()
    }

    #[test]
    fn a_rule_that_is_wrong_for_negative_numbers_is_wrong() {
        assert!(outcomes(f64::signum, f64::signum).iter().all(|found| *found == Ok(true)));
        assert!(outcomes(|_| 1.0, |_| 1.0).iter().any(Result::is_err));
        assert!(outcomes(f64::signum, |_| 1.0).iter().any(Result::is_err));
        assert!(outcomes(|_| f64::NAN, |_| f64::NAN).iter().all(Result::is_err));
    }

    #[test]
    fn where_there_is_no_value_nothing_is_found_out() {
        let root = |point| {
            checked(
                point,
                |(x,): &(f64,)| Some(x.sqrt()),
                |(x,), _, (along,)| Some(along * 0.5 / x.sqrt()),
                |args, weight| {
                    args.pulled(|(x,), (bar,)| *bar.expect("a bar") += weight * 0.5 / x.sqrt())
                },
            )
        };
        let outcomes: Vec<_> = (0..20).map(root).collect();
        assert!(outcomes.contains(&Ok(true)) && outcomes.contains(&Ok(false)));
        assert!(outcomes.iter().all(Result::is_ok));
    }
}
