//! What a derivative is compared with: the function in dual numbers, which knows nothing of sweeps.

use crate::interpreter::{Counters, Functions, Instance, Machine, Outcome};
use crate::random::LEN;
use crate::scalar::Scalar;
use crate::value::Value;
use ad_analysis::index::Var;
use ad_analysis::ir::Body;
use ad_analysis::types::Type;
use fastrand::Rng;
use num_dual::Dual64;

/// A point at which a function is run.
#[derive(Clone, Debug)]
pub struct Point {
    /// The arguments.
    pub args: Vec<Value<f64>>,
    /// A direction for every parameter: zero unless it is an independent.
    pub directions: Vec<Value<f64>>,
    /// The bars of the `&mut` parameters.
    pub bars: Vec<Value<f64>>,
    /// The bar of the result.
    pub seed: f64,
    /// Which independents a partial instance passes as active.
    pub mask: Vec<bool>,
}

impl Point {
    /// A random point for a function.
    pub fn random(body: &Body, rng: &mut Rng) -> Self {
        let mut float = || rng.f64() * 3.0 - 1.5;
        let mut make = |ty: &Type| match ty {
            Type::Int(_) => Value::Int(0),
            Type::Float(_) => Value::Float(float()),
            _ => Value::List((0..LEN).map(|_| Value::Float(float())).collect()),
        };
        let types: Vec<Type> =
            body.params.iter().map(|&param| body.vars[param].ty.clone()).collect();
        let mut args: Vec<Value<f64>> = types.iter().map(&mut make).collect();
        let mut directions: Vec<Value<f64>> = types.iter().map(&mut make).collect();
        for (direction, param) in directions.iter_mut().zip(&body.params) {
            if !body.independents.contains(param) {
                direction.reset();
            }
        }
        let bars = types.iter().map(&mut make).collect();
        let seed = float();
        for arg in &mut args {
            if let Value::Int(value) = arg {
                *value = rng.i128(0..3);
            }
        }
        let mask = body.independents.iter().map(|_| rng.bool()).collect();
        Self { args, directions, bars, seed, mask }
    }

    /// A function at some arguments, with a random direction and random bars.
    pub fn at(body: &Body, args: Vec<Value<f64>>, rng: &mut Rng) -> Self {
        let mut random = |arg: &Value<f64>| arg.map(&mut |_| rng.f64() * 3.0 - 1.5);
        let mut directions: Vec<Value<f64>> = args.iter().map(&mut random).collect();
        for (direction, param) in directions.iter_mut().zip(&body.params) {
            if !body.independents.contains(param) {
                direction.reset();
            }
        }
        let bars = args.iter().map(random).collect();
        let seed = rng.f64() + 0.5;
        let mask = body.independents.iter().map(|_| rng.bool()).collect();
        Self { args, directions, bars, seed, mask }
    }

    /// Whether some independents are active in the partial instance, but not all.
    pub fn is_mixed(&self) -> bool {
        self.mask.contains(&true) && self.mask.contains(&false)
    }
}

/// Gradients by independent.
pub type Gradient = Vec<Vec<f64>>;

/// What a function computes at a point, and its derivatives there.
#[derive(Clone, Debug)]
pub struct Reference {
    /// What the function computes.
    pub primal: Outcome<f64>,
    /// What happened on the way.
    pub counters: Counters,
    /// What it computes in dual numbers, in the direction of the point.
    pub along: Outcome<Dual64>,
    /// The derivative in that direction of seed · result + bars · (`&mut` dependents).
    pub slope: f64,
    /// The same if only some of the independents are active.
    pub slope_of_part: f64,
    /// The gradient of the same, component by component.
    pub gradient: Option<Gradient>,
}

impl Reference {
    /// Runs a function at a point; with one run for each component of the gradient if that is asked
    /// for. `None` if numbers become too large to compare, or depend on how they are rounded.
    pub fn new(
        functions: &dyn Functions,
        body: &Body,
        at: &Point,
        by_component: bool,
    ) -> Option<Self> {
        let all = vec![true; at.mask.len()];
        let mut machine = Machine::<f64>::new(functions);
        machine.watch_elements = by_component;
        let primal = machine.run(body, instance(body, true, &all), at.args.clone(), Vec::new());
        let along = in_direction(functions, body, at, &all, &at.directions);
        let slope = slope(body, at, &all, &along);
        let is_mixed = at.is_mixed();
        let slope_of_part = if is_mixed {
            let along = in_direction(functions, body, at, &at.mask, &at.directions);
            self::slope(body, at, &at.mask, &along)
        } else {
            slope
        };
        if !has_values_of(&along, &primal) || !is_stable(functions, body, at, &along) {
            return None;
        }
        let gradient = by_component.then(|| gradient(functions, body, at));
        let counters = machine.counters;
        let reference = Self { primal, counters, along, slope, slope_of_part, gradient };
        reference.is_moderate().then_some(reference)
    }

    fn is_moderate(&self) -> bool {
        let components = self.gradient.iter().flatten().flatten().copied();
        // What is no dependent is compared too.
        let tangents = self.along.params.iter().flat_map(Value::floats).map(|float| float.eps);
        let mut all = components.chain(tangents).chain([self.slope, self.slope_of_part]);
        all.all(|value| value.is_finite() && value.abs() <= 1e6)
    }
}

/// Whether dual numbers have computed the values of the function. Some of their operations overflow where those of floats
/// do not, the hyperbolic tangent for one, and a NaN may be lost in a maximum.
fn has_values_of(along: &Outcome<Dual64>, primal: &Outcome<f64>) -> bool {
    fn values<S: Scalar>(outcome: &Outcome<S>) -> Vec<S> {
        std::iter::once(&outcome.result).chain(&outcome.params).flat_map(Value::floats).collect()
    }
    let (found, expected) = (values(along), values(primal));
    let is_close = |(a, b): (&Dual64, &f64)| (a.re - b).abs() <= 1e-6 * (1.0 + b.abs());
    found.len() == expected.len() && found.iter().zip(&expected).all(is_close)
}

/// Whether the derivatives stay what they are if the arguments change in their last digits: that of the dependents, and
/// those of everything else that is compared. Where they do not, two ways to compute them that round differently need
/// not agree.
fn is_stable(functions: &dyn Functions, body: &Body, at: &Point, along: &Outcome<Dual64>) -> bool {
    const NUDGE: f64 = 4.0 * f64::EPSILON;
    const LARGEST: f64 = 1e-10;
    let all = vec![true; at.mask.len()];
    let args = at.args.iter().map(|arg| arg.map(&mut |value| value * (1.0 + NUDGE))).collect();
    let nudged = Point { args, ..at.clone() };
    let nudged_along = in_direction(functions, body, &nudged, &all, &at.directions);
    let derivatives = |at: &Point, along: &Outcome<Dual64>| -> Vec<f64> {
        let floats = along.params.iter().flat_map(Value::floats).map(|float| float.eps);
        floats.chain([slope(body, at, &all, along)]).collect()
    };
    let (before, after) = (derivatives(at, along), derivatives(&nudged, &nudged_along));
    let is_close = |(a, b): (&f64, &f64)| (a - b).abs() <= LARGEST * (1.0 + a.abs());
    before.len() == after.len() && before.iter().zip(&after).all(is_close)
}

/// The sum of the products of bars with the directions of the independents.
pub fn product(body: &Body, at: &Point, gradient: &[Vec<f64>]) -> f64 {
    let parts = gradient.iter().zip(&body.independents).map(|(part, &var)| {
        let direction = at.directions[position_of(body, var)].floats();
        part.iter().zip(direction).map(|(bar, direction)| bar * direction).sum::<f64>()
    });
    parts.sum()
}

fn in_direction(
    functions: &dyn Functions,
    body: &Body,
    at: &Point,
    mask: &[bool],
    directions: &[Value<f64>],
) -> Outcome<Dual64> {
    let args = at.args.iter().zip(directions).zip(&body.params).map(|((arg, direction), param)| {
        let row = body.independents.iter().position(|var| var == param);
        let is_active = row.is_none_or(|row| mask[row]);
        let mut directions = direction.floats().into_iter();
        arg.map(&mut |value| {
            let direction = directions.next().expect("a direction for each float");
            Dual64::new(value, if is_active { direction } else { 0.0 })
        })
    });
    let args = args.collect();
    Machine::<Dual64>::new(functions).run(body, instance(body, true, mask), args, Vec::new())
}

/// The derivative of seed · result + bars · (`&mut` dependents), as far as they are active.
fn slope(body: &Body, at: &Point, mask: &[bool], along: &Outcome<Dual64>) -> f64 {
    let active = instance(body, true, mask).dependents;
    let dependents = body.dependents.iter().zip(active).filter(|(_, is_active)| *is_active);
    let slopes = dependents.map(|(&dependent, _)| {
        if Some(dependent) == body.result {
            return at.seed * along.result.float().eps;
        }
        let param = position_of(body, dependent);
        let tangents = along.params[param].floats();
        tangents.iter().zip(at.bars[param].floats()).map(|(t, bar)| t.eps * bar).sum()
    });
    slopes.sum()
}

/// The gradient, by one run per component.
fn gradient(functions: &dyn Functions, body: &Body, at: &Point) -> Gradient {
    let all = vec![true; at.mask.len()];
    let zero: Vec<Value<f64>> = at.args.iter().map(|arg| arg.map(&mut |_| 0.0)).collect();
    let of = |&independent: &Var| {
        let position = position_of(body, independent);
        let component = |number: usize| {
            let mut directions = zero.clone();
            let mut count = 0;
            directions[position] = at.args[position].map(&mut |_| {
                count += 1;
                if count == number + 1 { 1.0 } else { 0.0 }
            });
            slope(body, at, &all, &in_direction(functions, body, at, &all, &directions))
        };
        (0..at.args[position].floats().len()).map(component).collect()
    };
    body.independents.iter().map(of).collect()
}

/// The instance in which some of the independents are active: `&mut` dependents are as they are.
pub fn instance(body: &Body, primal: bool, mask: &[bool]) -> Instance {
    let is_active =
        |var: &Var| body.independents.iter().position(|other| other == var).is_none_or(|n| mask[n]);
    Instance {
        primal,
        independents: mask.to_vec(),
        dependents: body.dependents.iter().map(is_active).collect(),
    }
}

/// The position of a parameter.
pub fn position_of(body: &Body, var: Var) -> usize {
    body.params.iter().position(|&param| param == var).expect("a parameter")
}
