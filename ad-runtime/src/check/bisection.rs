//! Which statement is wrong? Where a derivative disagrees with differences, what each statement assigns is compared with differences, too:
//! the first that disagrees is to blame, as all that it computes with is right.
//!
//! Along the same direction a tangent runs at the point and at many beside it, and tells what it assigns. As long as it goes the same way
//! as at the point, the numbers of all runs are those of the same statements, which make a ladder each.
//!
//! A statement that could not be compared is passed over, and a disagreement must be clear.

use super::directions::Directions;
use super::ladder::{Extent, Ladder};
use super::moved;
use super::report::{Comparison, Place, Report, Verdict};
use super::scale;
use super::summed::{self, Summed};
use super::trace::{Entry, Record, record};
use std::cell::RefCell;
use std::fmt;
use std::ops::Range;
use std::panic::Location;
use std::rc::Rc;

/// A tangent that tells what its statements assign, of a point and of a direction.
pub type Traced<'f> = &'f dyn Fn(&[f64], &[f64]);

/// So many numbers are compared at a time, and…
const WINDOW: usize = 1 << 14;
/// …so many in all.
const MOST: usize = 1 << 18;
/// How many times the estimated error of the differences a derivative may be off. Nobody has chosen what statements assign.
const LENIENCE: f64 = 4.0;
/// The rounding errors that a derivative may have, relative to it…
const OWN: f64 = 1e-9;
/// …and to the largest that has been before it.
const INHERITED: f64 = 1e-14;
/// So many coordinates of those in which a gradient is wrong are directions.
const COORDINATES: usize = 4;

/// A direction, and what it is.
struct Along {
    what: String,
    direction: Vec<f64>,
}

/// What has come of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Found {
    /// A statement is wrong.
    Statement(Culprit),
    /// All agree, as far as they could be compared.
    Nothing {
        /// How many times statements ran that have been compared.
        compared: usize,
        /// Of how many.
        told: usize,
    },
}

/// The first statement that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Culprit {
    ran: Ran,
    /// Its place among all that ran.
    position: usize,
    /// Which of the numbers it assigns, and how many there are.
    number: usize,
    numbers: usize,
    /// How many times before it a statement ran that could not be compared.
    passed_over: usize,
    along: String,
    given: f64,
    measured: f64,
    tolerance: f64,
}

/// One of the times that a statement runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ran {
    /// What it assigns; may be empty.
    pub(super) name: &'static str,
    pub(super) location: &'static Location<'static>,
    /// How many times it had run with that, and how many times it runs.
    pub(super) time: usize,
    pub(super) times: usize,
}

/// Looks for the first statement whose derivative is wrong: in the direction `x_d`, and in those in which checks have failed.
pub(super) fn bisect(x: &[f64], x_d: &[f64], reports: &[Report], run: Traced<'_>) -> Found {
    let mut found = Found::Nothing { compared: 0, told: 0 };
    for along in directions(x, x_d, reports) {
        let walk = Walk::new(x, &along, run);
        // Only what is before the statement found is of interest.
        let end = match &found {
            Found::Statement(culprit) => culprit.position,
            Found::Nothing { .. } => usize::MAX,
        };
        let next = walk.first_wrong(end);
        found = match (found, next) {
            (_, next @ Found::Statement(_)) => next,
            (found @ Found::Statement(_), Found::Nothing { .. }) => found,
            (Found::Nothing { compared, told }, Found::Nothing { compared: now, told: all }) => {
                Found::Nothing { compared: compared.max(now), told: told.max(all) }
            }
        };
    }
    found
}

thread_local! {
    static FOUND: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// What is said of the statements of functions while their tests run, which check nothing else.
///
/// So it can be tested that no statement of a function that is right is found wrong.
pub fn of_tests(tests: impl FnOnce()) -> Vec<String> {
    FOUND.set(Some(Vec::new()));
    tests();
    FOUND.take().unwrap_or_default()
}

/// Looks at the statements only, if that is what is asked for.
pub(super) fn only(x: &[f64], traced: Option<Traced<'_>>, summed: Option<&Summed<'_>>) -> bool {
    let is_on = FOUND.with_borrow(Option::is_some);
    if is_on {
        let x_d = Directions::new().weights(x.iter().map(|x| scale(*x)));
        let mut text = traced.map_or_else(
            || "there is nothing to trace".to_owned(),
            |traced| bisect(x, &x_d, &[], traced).to_string(),
        );
        if let Some(summed) = summed {
            text += &format!("; {}", summed::bisect(x, &x_d, summed));
        }
        FOUND.with_borrow_mut(|found| found.iter_mut().for_each(|found| found.push(text.clone())));
    }
    is_on
}

/// That of the tangent, and the coordinates in which a gradient is wrong: nothing else, so that the function, which has come to an end at
/// the points of the checks, runs at these only.
fn directions(x: &[f64], x_d: &[f64], reports: &[Report]) -> Vec<Along> {
    let what = "along a direction in which all arguments change".to_owned();
    let mut directions = vec![Along { what, direction: x_d.to_vec() }];
    let wrong = reports.iter().flat_map(Report::sorted).filter_map(|comparison| {
        match (comparison.verdict, comparison.place) {
            (Verdict::Disagrees, Place::Coordinate(i)) if i < x.len() => Some(i),
            _ => None,
        }
    });
    directions.extend(wrong.take(COORDINATES).filter(|_| x.len() > 1).map(|i| {
        let mut direction = vec![0.0; x.len()];
        direction[i] = 1.0;
        Along { what: format!("by coordinate {i}"), direction }
    }));
    directions
}

/// The runs along a direction.
struct Walk<'w> {
    x: &'w [f64],
    along: &'w Along,
    run: Traced<'w>,
    /// What the run at the point tells.
    entries: Rc<[Entry]>,
}

impl<'w> Walk<'w> {
    fn new(x: &'w [f64], along: &'w Along, run: Traced<'w>) -> Self {
        let entries = record(0..0, None, || run(x, &along.direction)).entries.into();
        Self { x, along, run, entries }
    }

    /// The numbers of a window that a run at some distance tells.
    fn told(&self, step: f64, window: &Range<usize>) -> Record {
        let at = moved(self.x, &self.along.direction, step);
        let expected = Some(self.entries.clone());
        record(window.clone(), expected, || (self.run)(&at, &self.along.direction))
    }

    fn first_wrong(&self, end: usize) -> Found {
        let mut judge = Judge::new(self.along);
        let mut start = 0;
        let mut waiting = self.entries.iter().enumerate().take(end).peekable();
        while waiting.peek().is_some() && start < MOST {
            let window = start..start + WINDOW;
            let (derivatives, ladders) = self.ladders(&window);
            let mut of_window = derivatives.iter().zip(&ladders);
            // An entry may begin in one window and end in another.
            while let Some(&(position, entry)) = waiting.peek() {
                for (&given, ladder) in of_window.by_ref().take(entry.len - judge.numbers) {
                    if let Some(found) = judge.is_wrong(given, ladder) {
                        return self.culprit(position, *entry, &judge, &found);
                    }
                }
                if judge.numbers < entry.len {
                    break;
                }
                judge.next();
                waiting.next();
            }
            if derivatives.len() < WINDOW {
                break;
            }
            start = window.end;
        }
        Found::Nothing { compared: judge.compared, told: self.entries.len() }
    }

    /// The derivatives in a window, and the differences of what they belong to.
    fn ladders(&self, window: &Range<usize>) -> (Vec<f64>, Vec<Ladder>) {
        let derivatives = self.told(0.0, window).derivatives;
        let count = derivatives.len();
        if count == 0 {
            return (derivatives, Vec::new());
        }
        let at = |step: f64| {
            let mut values = self.told(step, window).values;
            values.resize(count, f64::NAN);
            values
        };
        let extent = Extent::of(self.x, &self.along.direction);
        (derivatives, Ladder::of_each(at, extent, count))
    }

    fn culprit(
        &self,
        position: usize,
        entry: Entry,
        judge: &Judge<'_>,
        found: &Comparison,
    ) -> Found {
        let same = |other: &&Entry| {
            (other.location, other.name, other.len) == (entry.location, entry.name, entry.len)
        };
        Found::Statement(Culprit {
            ran: Ran {
                name: entry.name,
                location: entry.location,
                time: self.entries[..=position].iter().filter(same).count(),
                times: self.entries.iter().filter(same).count(),
            },
            position,
            number: judge.numbers - 1,
            numbers: entry.len,
            passed_over: position - judge.compared,
            along: judge.along.what.clone(),
            given: found.derivative,
            measured: found.reference,
            tolerance: found.tolerance,
        })
    }
}

/// Goes from statement to statement, and says whether they are wrong.
struct Judge<'w> {
    along: &'w Along,
    /// How many numbers of the present statement have been looked at.
    numbers: usize,
    /// Whether all of them could be compared.
    all: bool,
    /// How many statements could be compared.
    compared: usize,
    /// The largest derivative so far.
    largest: f64,
}

impl<'w> Judge<'w> {
    fn new(along: &'w Along) -> Self {
        Self { along, numbers: 0, all: true, compared: 0, largest: 0.0 }
    }

    /// Looks at the next number.
    fn is_wrong(&mut self, given: f64, ladder: &Ladder) -> Option<Comparison> {
        self.numbers += 1;
        let found = ladder.compare(Place::Value, given);
        let Comparison { reference, tolerance, verdict, .. } = found;
        match verdict {
            Verdict::Agrees => {}
            Verdict::NotCompared(_) => self.all = false,
            Verdict::Disagrees => {
                let tolerance = LENIENCE * tolerance
                    + OWN * given.abs().max(reference.abs())
                    + INHERITED * self.largest;
                if given.is_nan() || (given - reference).abs() > tolerance {
                    return Some(Comparison { tolerance, ..found });
                }
                self.all = false;
            }
        }
        if given.is_finite() {
            self.largest = self.largest.max(given.abs());
        }
        None
    }

    /// Goes to the next statement.
    fn next(&mut self) {
        self.compared += usize::from(self.all);
        (self.numbers, self.all) = (0, true);
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Statement(culprit) => culprit.fmt(f),
            Self::Nothing { compared, told } => {
                write!(f, "no statement was found whose tangent is wrong: those of ")?;
                write!(f, "{compared} of {told} assignments agree with differences")?;
                if compared < told {
                    write!(f, ", and the others could not be compared")?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Culprit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ran, number, numbers, position, passed_over, .. } = self;
        let Self { along, given, measured, tolerance, .. } = self;
        write!(f, "the first statement whose derivative is wrong: {ran}")?;
        if *numbers > 1 {
            write!(f, ", at position {number} of {numbers}")?;
        }
        write!(f, ": given {given:.9e}, measured {measured:.9e} ± {tolerance:.1e}, {along}")?;
        if *passed_over > 0 {
            write!(f, "; {passed_over} of {position} assignments before it could not be compared")?;
        }
        Ok(())
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, location, time, times } = self;
        write!(f, "{}:{}", location.file(), location.line())?;
        if !name.is_empty() {
            write!(f, ", {name}")?;
        }
        if *times > 1 {
            write!(f, ", the {} of {times} times that it runs", Ordinal(*time))?;
        }
        Ok(())
    }
}

pub(super) struct Ordinal(pub(super) usize);

impl fmt::Display for Ordinal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ending = match (self.0 % 10, self.0 % 100) {
            (1, tens) if tens != 11 => "st",
            (2, tens) if tens != 12 => "nd",
            (3, tens) if tens != 13 => "rd",
            _ => "th",
        };
        write!(f, "{}{ending}", self.0)
    }
}

#[cfg(test)]
mod tests;
