//! Whether the derivatives of a function agree: with each other, with differences, and their values with the function's.

use crate::Draw;
use fastrand::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A list of values, and one of derivatives.
pub type Both = (Vec<f64>, Vec<f64>);

/// A tangent, which takes arguments and a direction.
pub type Tangent<'c> = &'c dyn Fn(&mut Draw, &mut Draw) -> Both;

/// A function that is driven. All numbers that it returns, and those in its `&mut` parameters afterwards, are one list.
pub struct Case<'c> {
    /// Its path in the crate.
    pub name: &'c str,
    /// Are there numbers of type `f32`?
    pub single: bool,
    /// The function as it is written.
    pub plain: &'c dyn Fn(&mut Draw) -> Vec<f64>,
    /// Its tangent, for arguments and a direction: values and derivatives. Some functions have none.
    pub tangent: Option<Tangent<'c>>,
    /// Its adjoint, for arguments and seeds: values and the bars of all floats in the arguments.
    pub adjoint: &'c dyn Fn(&mut Draw, &[f64]) -> Both,
}

/// What became of the points at which a function was called.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// Value, adjoint and tangent agree, and the differences with them.
    pub agreed: usize,
    /// Value, adjoint and tangent agree; differences do not agree among themselves.
    pub not_comparable: usize,
    /// Points at which all derivatives along the direction are zero.
    pub flat: usize,
    /// Points at which a derivative is not finite since numbers inside have overflowed: the function is the same number to the last bit around
    /// them, or the derivative is so large that its square overflows.
    pub saturated: usize,
    /// What does not agree.
    pub wrong: Vec<String>,
}

/// What a derivative says at one point.
enum Point {
    /// The function panics, does not return a finite number, or returns something else the next time.
    Unsuitable,
    Agreed {
        flat: bool,
    },
    NotComparable {
        flat: bool,
    },
    Saturated,
    Wrong(String),
}

const WANTED: usize = 7;
const TRIED: u64 = 300;

/// Calls a function at random points.
#[must_use]
pub fn examine(case: &Case) -> Points {
    let mut points = Points::default();
    for seed in 0..TRIED {
        match examine_at(case, seed) {
            Point::Unsuitable => {}
            Point::Agreed { flat } => {
                points.agreed += 1;
                points.flat += usize::from(flat);
            }
            Point::NotComparable { flat } => {
                points.not_comparable += 1;
                points.flat += usize::from(flat);
            }
            Point::Saturated => points.saturated += 1,
            Point::Wrong(what) => points.wrong.push(format!("seed {seed}: {what}")),
        }
        let met = points.agreed + points.not_comparable + points.saturated + points.wrong.len();
        if met == WANTED {
            break;
        }
    }
    points
}

fn examine_at(case: &Case, seed: u64) -> Point {
    let Some((x, value)) = suitable(case, seed) else { return Point::Unsuitable };
    let mut rng = Rng::with_seed(seed ^ 0x5eed);
    let direction: Vec<f64> =
        x.iter().map(|x| round((2.0 * rng.f64() - 1.0) * x.abs().max(0.1), case.single)).collect();
    let weights: Vec<f64> =
        value.iter().map(|_| round(2.0 * rng.f64() - 1.0, case.single)).collect();

    let tangent = tangent_at(case, seed, &x, &direction);
    let adjoint = caught(|| (case.adjoint)(&mut Draw::with_floats(seed, &x), &weights));
    let (along, bars) = match (tangent, adjoint) {
        (Err(panic), _) => return Point::Wrong(format!("the tangent panics at {x:?}: {panic}")),
        (_, Err(panic)) => return Point::Wrong(format!("the adjoint panics at {x:?}: {panic}")),
        (Ok(tangent), Ok((adjoint_value, bars))) => {
            if let Some((tangent_value, _)) = &tangent
                && !same_bits(tangent_value, &value)
            {
                return Point::Wrong(format!(
                    "the tangent's value at {x:?} is {tangent_value:?}, not {value:?}"
                ));
            }
            if !same_bits(&adjoint_value, &value) {
                return Point::Wrong(format!(
                    "the adjoint's value at {x:?} is {adjoint_value:?}, not {value:?}"
                ));
            }
            (tangent.map(|(_, along)| along), bars)
        }
    };
    let size = Sum::of(&weights, &value).magnitude;
    compare(case, seed, &Values { size, x, direction, weights, along, bars })
}

/// The tangent's value and derivative, if there is a tangent.
fn tangent_at(
    case: &Case,
    seed: u64,
    x: &[f64],
    direction: &[f64],
) -> Result<Option<Both>, String> {
    let Some(tangent) = case.tangent else { return Ok(None) };
    let arguments = || (Draw::with_floats(seed, x), Draw::with_floats(seed, direction));
    caught(|| {
        let (mut at, mut along) = arguments();
        Some(tangent(&mut at, &mut along))
    })
}

/// The coordinates of a point at which the function returns finite numbers, twice the same, and these.
fn suitable(case: &Case, seed: u64) -> Option<(Vec<f64>, Vec<f64>)> {
    let mut draw = Draw::new(seed);
    let value = caught(|| (case.plain)(&mut draw)).ok()?;
    let x = draw.floats().to_vec();
    let again = caught(|| (case.plain)(&mut Draw::with_floats(seed, &x))).ok()?;
    let finite = value.iter().all(|value| value.is_finite());
    (!value.is_empty() && finite && same_bits(&value, &again)).then_some((x, value))
}

/// Derivatives below this may have underflowed on the way.
const TINY: f64 = 1e-100;

/// Derivatives above this may have overflowed on the way: products of two such numbers do.
const HUGE: f64 = 1e155;

/// The same of single precision.
const HUGE_SINGLE: f64 = 1e19;

/// Everything at one point.
struct Values {
    /// The sum of the magnitudes of what the function returns, weighted.
    size: f64,
    x: Vec<f64>,
    direction: Vec<f64>,
    weights: Vec<f64>,
    along: Option<Vec<f64>>,
    bars: Vec<f64>,
}

impl Values {
    /// How much the derivative changes where the point, and what the derivative is of, change by some roundings: as much as it is worth less.
    fn noise(&self, case: &Case, seed: u64) -> f64 {
        let ulp = if case.single { f64::from(f32::EPSILON) } else { f64::EPSILON };
        let (mut by_tangent, mut by_adjoint) = (Vec::new(), Vec::new());
        for shift in [-4.0, -1.0, 0.0, 1.0, 3.0] {
            let moved = |numbers: &[f64]| -> Vec<f64> {
                let signs = [1.0, -1.0].into_iter().cycle();
                let moved = numbers.iter().zip(signs);
                moved.map(|(number, sign)| number + number * shift * sign * ulp).collect()
            };
            let (near, direction) = (moved(&self.x), moved(&self.direction));
            let weights = moved(&self.weights);
            if let Ok(Some((_, along))) = tangent_at(case, seed, &near, &direction) {
                by_tangent.push(Sum::of(&self.weights, &along).total);
            }
            let adjoint = caught(|| (case.adjoint)(&mut Draw::with_floats(seed, &near), &weights));
            if let Ok((_, bars)) = adjoint {
                by_adjoint.push(Sum::of(&bars, &self.direction).total);
            }
        }
        // Sums of one may cancel where those of the other do not.
        100.0 * spread(&by_tangent).max(spread(&by_adjoint))
    }
}

fn spread(slopes: &[f64]) -> f64 {
    let least = slopes.iter().copied().fold(f64::INFINITY, f64::min);
    let most = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most >= least { most - least } else { 0.0 }
}

fn compare(case: &Case, seed: u64, values: &Values) -> Point {
    let Values { x, direction, weights, along, bars, size: _ } = values;
    let derivatives = along.as_ref().map_or(weights.len(), Vec::len);
    if bars.len() != direction.len() || derivatives != weights.len() {
        return Point::Wrong(format!(
            "{} bars of {} numbers, {derivatives} derivatives of {}",
            bars.len(),
            direction.len(),
            weights.len()
        ));
    }
    let by_adjoint = Sum::of(bars, direction);
    // A function without a tangent is compared with differences alone.
    let by_tangent = along.as_ref().map_or(by_adjoint, |along| Sum::of(weights, along));
    let differences = Differences::of(case, seed, x, direction, weights);
    if !by_tangent.total.is_finite() || !by_adjoint.total.is_finite() {
        let huge = if case.single { HUGE_SINGLE } else { HUGE };
        return match differences {
            Some(Differences { is_constant: true, .. }) => Point::Saturated,
            Some(differences) if differences.slope.abs() > huge => Point::Saturated,
            Some(differences) if differences.slope.is_finite() => Point::Wrong(format!(
                "at {x:?} the tangent says {}, the adjoint {}, differences {}",
                by_tangent.total, by_adjoint.total, differences.slope
            )),
            _ => Point::NotComparable { flat: false },
        };
    }
    let (exact, tiny, rough) = if case.single { (1e-3, 1e-5, 3e-2) } else { (1e-9, 1e-12, 1e-4) };
    let scale = by_tangent.magnitude.max(by_adjoint.magnitude);
    // Where the parts of a value cancel, the derivative is no better than what rounding leaves of it.
    let noise = tiny * values.size + values.noise(case, seed) + TINY;
    if (by_tangent.total - by_adjoint.total).abs() > exact * scale + noise {
        return Point::Wrong(format!(
            "at {x:?} the tangent says {}, the adjoint {}, differences {:?}",
            by_tangent.total,
            by_adjoint.total,
            differences.map(|differences| differences.slope)
        ));
    }
    let flat = by_tangent.magnitude == 0.0 && by_adjoint.magnitude == 0.0;
    let Some(differences) = differences else { return Point::NotComparable { flat } };
    let apart = (differences.slope - by_tangent.total).abs();
    if apart > rough * (scale + differences.slope.abs()) + 10.0 * differences.uncertainty + noise {
        return Point::Wrong(format!(
            "at {x:?} along {direction:?} differences say {} ± {}, the tangent {}",
            differences.slope, differences.uncertainty, by_tangent.total
        ));
    }
    Point::Agreed { flat }
}

/// An inner product, and the sum of the magnitudes of its terms.
#[derive(Clone, Copy)]
struct Sum {
    total: f64,
    magnitude: f64,
}

impl Sum {
    fn of(left: &[f64], right: &[f64]) -> Self {
        let terms = left.iter().zip(right).map(|(left, right)| left * right);
        Self { total: terms.clone().sum(), magnitude: terms.map(f64::abs).sum() }
    }
}

/// The slope of the weighted sum of the values, by differences that agree among themselves.
struct Differences {
    slope: f64,
    uncertainty: f64,
    /// Whether the function is the same number to the last bit at the points of this step, and at all that are nearer.
    is_constant: bool,
}

impl Differences {
    /// Extrapolates central differences, and takes the step where neighbours differ least. Nothing where they do not agree, or not from both
    /// sides, or where smaller steps say something else: on stairs, larger ones tell the mean slope.
    fn of(case: &Case, seed: u64, x: &[f64], direction: &[f64], weights: &[f64]) -> Option<Self> {
        let weighted = |step: f64| {
            let moved: Vec<f64> = x.iter().zip(direction).map(|(x, d)| x + step * d).collect();
            let value = caught(|| (case.plain)(&mut Draw::with_floats(seed, &moved))).ok()?;
            (value.len() == weights.len()).then(|| Sum::of(&value, weights).total)
        };
        let start = weighted(0.0)?;
        // What rounding alone makes of the value, which a small step makes large.
        let ulp = if case.single { f64::from(f32::EPSILON) } else { f64::EPSILON };
        let near = [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0].into_iter().filter_map(|k| weighted(k * ulp));
        let jitter = near.fold(ulp * start.abs(), |most, near| most.max((near - start).abs()));
        let steps: Vec<f64> = match case.single {
            true => (3..14).map(|k| 0.5_f64.powi(k)).collect(),
            false => (4..16).map(|k| 0.25_f64.powi(k).max(1e-9)).collect(),
        };
        let mut best: Option<Self> = None;
        let is_quiet = jitter == ulp * start.abs();
        let mut nearer: Vec<Nearer> = Vec::new();
        // The steps of stairs may happen to lie so that two quotients of differences agree, but not three.
        let (mut previous, mut change): (Option<(f64, f64)>, Option<f64>) = (None, None);
        for step in steps {
            let (Some(above), Some(below)) = (weighted(step), weighted(-step)) else {
                (previous, change) = (None, None);
                continue;
            };
            let central = (above - below) / (2.0 * step);
            let one_sided = ((above - start) / step - (start - below) / step).abs();
            if let (Some((coarse, kink)), Some(before)) = (previous, change) {
                let ratio = if case.single { 2.0_f64 } else { 4.0 };
                let slope = central + (central - coarse) / (ratio * ratio - 1.0);
                let apart = (central - coarse).abs().max(before / (ratio * ratio));
                let uncertainty = apart + jitter / step;
                // The two sides come together where the function is smooth.
                let smooth = one_sided <= 0.75 * kink || one_sided <= 1e-4 * slope.abs();
                let better = best.as_ref().is_none_or(|best| uncertainty < best.uncertainty);
                if slope.is_finite() && smooth && better {
                    best = Some(Self { slope, uncertainty, is_constant: is_quiet });
                    nearer.clear();
                }
            }
            let is_constant = above == start && below == start;
            nearer.push(Nearer { slope: central, noise: jitter / step, is_constant });
            change = previous.map(|(coarse, _)| (central - coarse).abs());
            previous = Some((central, one_sided));
        }
        let tolerance = if case.single { 3e-2 } else { 1e-4 };
        let best = best.filter(|best| {
            best.uncertainty <= tolerance * best.slope.abs().max(1e-3 * start.abs())
                && nearer.iter().all(|nearer| nearer.agrees_with(best, tolerance))
        })?;
        let is_constant = best.is_constant && nearer.iter().all(|nearer| nearer.is_constant);
        Some(Self { is_constant, ..best })
    }
}

/// What differences over a step say that is not larger than the best.
struct Nearer {
    slope: f64,
    /// What rounding may make of it.
    noise: f64,
    /// Whether the function is the same number on both sides.
    is_constant: bool,
}

impl Nearer {
    fn agrees_with(&self, best: &Differences, tolerance: f64) -> bool {
        let apart = (self.slope - best.slope).abs();
        apart <= 10.0 * (best.uncertainty + self.noise) + tolerance * best.slope.abs()
    }
}

fn round(value: f64, single: bool) -> f64 {
    if single { f64::from(value as f32) } else { value }
}

fn same_bits(left: &[f64], right: &[f64]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| {
            left.to_bits() == right.to_bits() || left.is_nan() && right.is_nan()
        })
}

fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
            .unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x² sin(y)`, with a derivative with respect to `y` that is wrong by a factor.
    fn points_of(factor: f64, adjoint_factor: f64, single: bool) -> Points {
        let arguments = |draw: &mut Draw| -> (f64, f64) { draw.active() };
        let value = |(x, y): (f64, f64)| x * x * y.sin();
        let partials = |(x, y): (f64, f64)| (2.0 * x * y.sin(), factor * x * x * y.cos());
        examine(&Case {
            name: "f",
            single,
            plain: &|draw| vec![value(arguments(draw))],
            tangent: Some(&|draw, direction| {
                let at = arguments(draw);
                let ((by_x, by_y), (x_d, y_d)) = (partials(at), arguments(direction));
                (vec![value(at)], vec![by_x * x_d + by_y * y_d])
            }),
            adjoint: &|draw, seeds| {
                let at = arguments(draw);
                let (by_x, by_y) = partials(at);
                (vec![value(at)], vec![by_x * seeds[0], adjoint_factor * by_y * seeds[0]])
            },
        })
    }

    #[test]
    fn right_derivatives_agree() {
        let points = points_of(1.0, 1.0, false);
        assert_eq!(points.wrong, Vec::<String>::new());
        assert!(points.agreed >= 6, "{points:?}");
    }

    #[test]
    fn what_has_overflowed_is_saturated() {
        // c + 1 / eˣ⁺¹⁰⁰⁰, whose derivative is 0 · ∞ as it is computed.
        let saturated_at = |c: f64| {
            examine(&Case {
                name: "saturated",
                single: false,
                plain: &|draw| vec![c + 1.0 / (draw.active::<f64>() + 1000.0).exp()],
                tangent: Some(&|draw, along| {
                    let (power, slope): (f64, f64) =
                        ((draw.active::<f64>() + 1000.0).exp(), along.active());
                    (vec![c + 1.0 / power], vec![-(1.0 / power) * (1.0 / power) * (power * slope)])
                }),
                adjoint: &|draw, seeds| {
                    let power = (draw.active::<f64>() + 1000.0).exp();
                    (vec![c + 1.0 / power], vec![-(1.0 / power) * (1.0 / power) * seeds[0] * power])
                },
            })
        };
        for c in [0.0, 3.0] {
            let points = saturated_at(c);
            assert_eq!((points.saturated, points.wrong.len()), (WANTED, 0), "{c}");
        }
    }

    #[test]
    fn what_overflows_in_single_precision_is_saturated() {
        // A product of 1e21 and x, whose adjoint has a number on the way that single precision does not have.
        let points = examine(&Case {
            name: "overflowing",
            single: true,
            plain: &|draw| vec![1e21 * draw.active::<f64>()],
            tangent: Some(&|draw, along| {
                (vec![1e21 * draw.active::<f64>()], vec![1e21 * along.active::<f64>()])
            }),
            adjoint: &|draw, _| (vec![1e21 * draw.active::<f64>()], vec![f64::NAN]),
        });
        assert!(points.saturated > 0 && points.wrong.is_empty(), "{points:?}");
    }

    #[test]
    fn wrong_derivatives_are_found() {
        assert!(points_of(1.01, 1.0, false).wrong.len() >= 6, "by differences");
        assert!(points_of(1.0, 1.0 + 1e-6, false).wrong.len() >= 6, "by the inner product");
    }

    #[test]
    fn without_a_tangent_differences_tell() {
        let points = examine(&Case {
            name: "f",
            single: false,
            plain: &|draw| vec![draw.active::<f64>().sin()],
            tangent: None,
            adjoint: &|draw, seeds| {
                let x = draw.active::<f64>();
                (vec![x.sin()], vec![1.01 * x.cos() * seeds[0]])
            },
        });
        assert_eq!(points.wrong.len(), WANTED);
    }

    #[test]
    fn kinks_and_panics_are_no_findings() {
        let points = examine(&Case {
            name: "f",
            single: false,
            plain: &|draw| {
                let x: f64 = draw.active();
                assert!(x < 1.0);
                vec![x.floor()]
            },
            tangent: Some(&|draw, _| (vec![draw.active::<f64>().floor()], vec![0.0])),
            adjoint: &|draw, _| (vec![draw.active::<f64>().floor()], vec![0.0]),
        });
        assert_eq!(points.wrong, Vec::<String>::new());
        assert_eq!(points.flat, WANTED);
    }

    #[test]
    fn derivatives_near_the_largest_number_are_saturated() {
        let points = examine(&Case {
            name: "huge",
            single: false,
            plain: &|draw| vec![1e300 * draw.active::<f64>()],
            tangent: Some(&|draw, direction| {
                (vec![1e300 * draw.active::<f64>()], vec![1e300 * direction.active::<f64>()])
            }),
            adjoint: &|draw, _| (vec![1e300 * draw.active::<f64>()], vec![f64::NAN]),
        });
        assert_eq!((points.saturated, points.wrong.len()), (WANTED, 0));
    }

    #[test]
    fn the_mean_slope_of_stairs_is_no_finding() {
        for single in [false, true] {
            // Stairs of which many are within the larger steps.
            let value = |draw: &mut Draw| (1e3 * draw.active::<f64>()).trunc();
            let points = examine(&Case {
                name: "stairs",
                single,
                plain: &|draw| vec![value(draw)],
                tangent: Some(&|draw, _| (vec![value(draw)], vec![0.0])),
                adjoint: &|draw, _| (vec![value(draw)], vec![0.0]),
            });
            assert_eq!(points.wrong, Vec::<String>::new());
        }
    }

    #[test]
    fn values_are_compared_bit_by_bit() {
        let points = examine(&Case {
            name: "f",
            single: false,
            plain: &|draw| vec![draw.active::<f64>()],
            tangent: Some(&|draw, direction| {
                (vec![draw.active::<f64>()], vec![direction.active::<f64>()])
            }),
            adjoint: &|draw, seeds| {
                (vec![draw.active::<f64>() * (1.0 + f64::EPSILON)], seeds.to_vec())
            },
        });
        assert_eq!(points.wrong.len(), WANTED);
    }
}
