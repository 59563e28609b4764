//! Where did the infinity or the NaN come from? A tangent that tells what its statements read and assign runs along a coordinate whose
//! derivative is not finite: the first statement that makes what is not finite of what is, is to blame.

use super::bisection::{Ordinal, Traced};
use super::generated::Value;
use super::summed::Derivative;
use super::trace::{Entry, Listener, heard};
use std::collections::HashMap;
use std::fmt;
use std::panic::Location;

/// So many of the coordinates whose derivatives are not finite are looked at.
const COORDINATES: usize = 8;
/// So many numbers of a list are shown.
const SHOWN: usize = 4;

/// Where an infinity or a NaN comes from.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NonFinite {
    /// A statement makes it of finite numbers.
    Statement(Origin),
    /// A statement reads what is not finite, and no statement has made it: an argument, or a constant.
    Outside(Origin),
    /// The value and all tangents are finite, and the gradient is not: it is made in the backward sweep.
    Backward {
        /// The coordinate, counted over the numbers of all independents.
        coordinate: usize,
        /// The derivative.
        derivative: f64,
    },
}

/// A statement, one of the times that it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// Where it stands.
    pub location: &'static Location<'static>,
    /// What it assigns, in words; empty if that has no name.
    pub what: &'static str,
    /// How many times it has run with that.
    pub time: usize,
    /// The counters of the loops around it, from the outermost one.
    pub counters: Vec<(&'static str, i128)>,
    /// What it reads.
    pub operands: Vec<Operand>,
    /// What is not finite.
    pub made: Made,
}

/// What is not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Made {
    /// The value.
    Value(f64),
    /// The derivative of the value by a coordinate, counted over the numbers of all independents.
    Derivative {
        /// The coordinate.
        coordinate: usize,
        /// The derivative.
        derivative: f64,
    },
    /// A partial derivative by something that it reads, though the derivative by no coordinate: it is multiplied by a bar in the backward
    /// sweep, or it is not needed.
    Partial(f64),
}

/// What a statement reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// The place; empty if it has no name.
    pub name: &'static str,
    /// The numbers there.
    pub values: Vec<f64>,
    /// Their derivatives by the coordinate, if there is one.
    pub derivatives: Vec<f64>,
}

/// What a run is looked through for.
#[derive(Clone, Copy, Debug)]
enum Looking {
    /// A value that is a NaN, or one that is not finite.
    Nan,
    Infinity,
    /// A derivative by the coordinate, along which the run is.
    Derivative {
        coordinate: usize,
    },
}

/// Listens to a run.
#[derive(Debug)]
pub(super) struct Search {
    looking: Looking,
    counters: Vec<(&'static str, i128)>,
    operands: Vec<Operand>,
    partial: Option<f64>,
    times: HashMap<(&'static Location<'static>, &'static str), usize>,
    /// The first statement that makes what is looked for of what is not that.
    made: Option<Origin>,
    /// The first that has it, and reads something, and any other.
    passed: Option<Origin>,
    constant: Option<Origin>,
    /// The first with a partial that is not finite.
    singular: Option<Origin>,
}

impl Search {
    fn new(looking: Looking) -> Self {
        Self {
            looking,
            counters: Vec::new(),
            operands: Vec::new(),
            partial: None,
            times: HashMap::new(),
            made: None,
            passed: None,
            constant: None,
            singular: None,
        }
    }

    /// What is looked for among numbers.
    fn found_in(&self, values: &[f64], derivatives: &[f64]) -> Option<Made> {
        let among = |numbers: &[f64], test: fn(f64) -> bool| {
            numbers.iter().copied().find(|number| test(*number))
        };
        match self.looking {
            Looking::Nan => among(values, f64::is_nan).map(Made::Value),
            Looking::Infinity => among(values, |value| !value.is_finite()).map(Made::Value),
            Looking::Derivative { coordinate } => {
                let derivative = among(derivatives, |derivative| !derivative.is_finite())?;
                Some(Made::Derivative { coordinate, derivative })
            }
        }
    }
}

impl Listener for Search {
    fn counter(&mut self, name: &'static str, value: i128) {
        self.counters.push((name, value));
    }

    fn read(&mut self, name: &'static str, values: Vec<f64>, derivatives: Vec<f64>) {
        self.operands.push(Operand { name, values, derivatives });
    }

    fn partial(&mut self, partial: f64) {
        self.partial = self.partial.or(Some(partial).filter(|partial| !partial.is_finite()));
    }

    fn assigned(&mut self, entry: Entry, values: &[f64], derivatives: &[f64]) {
        let time = self.times.entry((entry.location, entry.name)).or_insert(0);
        *time += 1;
        let (time, counters) = (*time, std::mem::take(&mut self.counters));
        let (operands, partial) = (std::mem::take(&mut self.operands), self.partial.take());
        let Entry { location, name: what, len: _ } = entry;
        let has_it = self.found_in(values, derivatives);
        let Some(made) = has_it.or(partial.map(Made::Partial)) else { return };
        let is_passed_on = operands
            .iter()
            .any(|operand| self.found_in(&operand.values, &operand.derivatives).is_some());
        let slot = match has_it {
            None => &mut self.singular,
            Some(_) if operands.is_empty() => &mut self.constant,
            Some(_) if is_passed_on => &mut self.passed,
            Some(_) => &mut self.made,
        };
        slot.get_or_insert(Origin { location, what, time, counters, operands, made });
    }
}

/// The first statement that makes an infinity or a NaN, at a point. `value` has the values, `adjoint` also the gradient for some seeds, and
/// `traced` tells what statements read and assign, along a direction.
///
/// # Panics
/// If the function fails at the point, or panics.
pub fn first(
    point: &[f64],
    value: Value<'_>,
    adjoint: Derivative<'_>,
    traced: Traced<'_>,
) -> Option<NonFinite> {
    let run = |looking: Looking| {
        let mut direction = vec![0.0; point.len()];
        if let Looking::Derivative { coordinate } = looking {
            direction[coordinate] = 1.0;
        }
        heard(Search::new(looking), || traced(point, &direction))
    };
    let values = value(point).expect("the function does not fail at this point");
    if let Some(number) = values.iter().find(|number| !number.is_finite()) {
        let looking = if number.is_nan() { Looking::Nan } else { Looking::Infinity };
        let Search { made, passed, constant, .. } = run(looking);
        let outside = passed.or(constant).map(NonFinite::Outside);
        return made.map(|origin| NonFinite::Statement(before(origin, &run))).or(outside);
    }
    let (_, gradient) = adjoint(point, &vec![1.0; values.len()]);
    let bad = gradient.iter().enumerate().filter(|(_, derivative)| !derivative.is_finite());
    let bad: Vec<(usize, f64)> = bad.map(|(at, derivative)| (at, *derivative)).collect();
    let runs = bad.iter().take(COORDINATES);
    let runs = runs.map(|&(coordinate, _)| run(Looking::Derivative { coordinate }));
    let runs: Vec<Search> = runs.collect();
    let first =
        |which: fn(&Search) -> &Option<Origin>| runs.iter().find_map(|run| which(run).clone());
    let made = first(|run| &run.made).or_else(|| first(|run| &run.singular));
    let outside = || first(|run| &run.passed).or_else(|| first(|run| &run.constant));
    let made = made.map(|origin| NonFinite::Statement(before(origin, &run)));
    made.or_else(|| outside().map(NonFinite::Outside)).or_else(|| {
        let &(coordinate, derivative) = bad.first()?;
        Some(NonFinite::Backward { coordinate, derivative })
    })
}

/// Where an infinity comes from that a statement reads, if it reads one and a statement has made that; otherwise the statement itself.
fn before(origin: Origin, run: &dyn Fn(Looking) -> Search) -> Origin {
    let values = || origin.operands.iter().flat_map(|operand| &operand.values);
    let reads_infinity = values().any(|value| value.is_infinite());
    let infinity = reads_infinity.then(|| run(Looking::Infinity).made).flatten();
    infinity.unwrap_or(origin)
}

impl fmt::Display for NonFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Statement(origin) => origin.fmt(f),
            Self::Outside(origin) => {
                write!(f, "{origin}; no statement has made that")
            }
            Self::Backward { coordinate, derivative } => write!(
                f,
                "the derivative by coordinate {coordinate} is {derivative} in the backward sweep; the value and all tangents are finite"
            ),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { location, what, time, counters, operands, made } = self;
        write!(f, "{}:{}: ", location.file(), location.line())?;
        if !what.is_empty() {
            write!(f, "{what}, ")?;
        }
        write!(f, "the {} time", Ordinal(*time))?;
        for (position, (name, value)) in counters.iter().enumerate() {
            write!(f, "{}{name} = {value}", if position == 0 { " (" } else { ", " })?;
        }
        write!(f, "{}: ", if counters.is_empty() { "" } else { ")" })?;
        let with_derivatives = match made {
            Made::Value(value) => {
                write!(f, "{value}")?;
                false
            }
            Made::Partial(partial) => {
                write!(f, "a partial derivative is {partial}")?;
                false
            }
            Made::Derivative { coordinate, derivative } => {
                write!(f, "its derivative by coordinate {coordinate} is {derivative}")?;
                true
            }
        };
        let named = operands.iter().filter(|operand| !operand.name.is_empty());
        for (position, operand) in named.enumerate() {
            let begin = if position == 0 { ", made of" } else { "," };
            write!(f, "{begin} {} = {}", operand.name, Numbers(&operand.values))?;
            if with_derivatives {
                write!(f, " (derivative {})", Numbers(&operand.derivatives))?;
            }
        }
        Ok(())
    }
}

/// One number, or a list.
struct Numbers<'n>(&'n [f64]);

impl fmt::Display for Numbers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [number] = self.0 {
            return write!(f, "{number}");
        }
        let shown: Vec<String> = self.0.iter().take(SHOWN).map(f64::to_string).collect();
        let rest = if self.0.len() > SHOWN { ", …" } else { "" };
        write!(f, "[{}{rest}]", shown.join(", "))
    }
}
