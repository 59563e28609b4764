//! What a check found.

use std::fmt;

/// So many rows are printed.
const ROWS: usize = 10;

/// What a check has compared. `Display` makes a table of it, the worst first.
///
/// ```
/// use backsweep::check::{self, Place, Verdict};
///
/// // A wrong sign.
/// let report = check::gradient(
///     |x: &[f64]| x[0].exp() + x[1].cos(),
///     |x: &[f64]| (x[0].exp() + x[1].cos(), vec![x[0].exp(), x[1].sin()]),
///     &[0.3, 0.7],
/// );
/// assert!(!report.passed());
/// let failures: Vec<_> = report.failures().collect();
/// assert_eq!(failures[0].place, Place::Coordinate(1));
/// assert_eq!(failures[0].verdict, Verdict::Disagrees);
/// println!("{report}");
/// ```
#[derive(Clone, Debug)]
#[must_use = "a report is about something: `assert_passed` panics if that is wrong"]
pub struct Report {
    check: &'static str,
    comparisons: Vec<Comparison>,
    /// What was found out about rules by hand on the way.
    rules: Vec<WrongRule>,
    /// What else there is to say.
    pub(super) note: String,
}

/// A rule by hand, `partials(…)` or `with = …`, that disagrees with differences of its function where it was used.
///
/// ```
/// use backsweep::{adjoint, check};
///
/// // The sign is wrong.
/// #[adjoint(partials(x: x.sin()))]
/// fn cosine(x: f64) -> f64 {
///     x.cos()
/// }
///
/// #[adjoint]
/// fn model(x: f64) -> f64 {
///     2.0 * cosine(3.0 * x)
/// }
///
/// let report = check::derivative(model, model::gradient, 0.7);
/// for rule in report.wrong_rules() {
///     assert_eq!((rule.function, rule.parameter), ("cosine", "x"));
///     println!("{}:{}", rule.file, rule.line);
/// }
/// assert_eq!(report.wrong_rules().count(), usize::from(cfg!(debug_assertions)));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WrongRule {
    /// The function that it belongs to.
    pub function: &'static str,
    /// What it is the derivative with respect to.
    pub parameter: &'static str,
    /// The file with the rule.
    pub file: &'static str,
    /// The line in it: that of the partial, or of the path of the adjoint.
    pub line: u32,
    /// How many uses of the rule were wrong…
    pub wrong: usize,
    /// …of those that were checked.
    pub checked: usize,
    /// The arguments that the function has a derivative with respect to, in the first such use.
    pub arguments: String,
    /// The derivative that the rule gives there. Of lists it is along a direction in which all elements change, of
    /// several results it is that of their sum with weights.
    pub given: f64,
    /// That of differences of the function.
    pub measured: f64,
    /// How far from each other they may be.
    pub tolerance: f64,
}

/// One derivative and what it was compared with.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What it is the derivative of, or along.
    pub place: Place,
    /// What is checked.
    pub derivative: f64,
    /// What it is compared with; not a number if that could not be had.
    pub reference: f64,
    /// How far from each other they may be: the estimated error of the reference.
    pub tolerance: f64,
    /// The step of the differences, if it is they that it is compared with.
    pub step: Option<f64>,
    /// What came of it.
    pub verdict: Verdict,
}

/// What a comparison is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The value that a derivative comes with, and that of the function: the same to the last bit.
    Value,
    /// The same of one of several results.
    ValueOf(usize),
    /// How many numbers there are.
    Length,
    /// A coordinate of the point.
    Coordinate(usize),
    /// A direction in which all coordinates change.
    Direction(usize),
    /// One of several results.
    Result(usize),
    /// The bytes on a stack.
    Stack,
}

/// What came of a comparison.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Verdict {
    /// They are the same within the tolerance.
    Agrees,
    /// They are not.
    Disagrees,
    /// There was nothing to compare with.
    NotCompared(Reason),
}

/// Why there is nothing to compare with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Reason {
    /// A value that is needed is infinite or not a number.
    NotFinite,
    /// The function has a kink there, or jumps: quotients to either side do not approach each other.
    Kink {
        /// The quotient to the left with the smallest step that is larger than rounding errors.
        left: f64,
        /// That to the right.
        right: f64,
    },
    /// The differences are as large as the rounding errors of the function, or do not converge.
    Hidden,
    /// There is no number, or no direction but zero.
    Nothing,
}

impl Report {
    pub(super) fn new(check: &'static str) -> Self {
        Self { check, comparisons: Vec::new(), rules: Vec::new(), note: String::new() }
    }

    pub(super) fn add(&mut self, comparison: Comparison) {
        self.comparisons.push(comparison);
    }

    /// Adds what was found out about rules. Both sides of a comparison may use the same ones.
    pub(super) fn blame(&mut self, rules: Vec<WrongRule>) {
        for rule in rules {
            let of = |rule: &WrongRule| (rule.function, rule.parameter, rule.file, rule.line);
            match self.rules.iter_mut().find(|known| of(known) == of(&rule)) {
                Some(known) => {
                    known.wrong += rule.wrong;
                    known.checked += rule.checked;
                }
                None => self.rules.push(rule),
            }
        }
    }

    /// Whether everything was compared and agrees, and all rules by hand that were used do.
    pub fn passed(&self) -> bool {
        self.agrees() && self.wrong_rules().next().is_none()
    }

    fn agrees(&self) -> bool {
        !self.comparisons.is_empty() && self.failures().next().is_none()
    }

    /// The rules by hand that are wrong where they were used. Only builds with debug assertions look at them.
    ///
    /// A partial that is infinite or not a number counts if something else is wrong, too: it may be one that nobody
    /// needs.
    pub fn wrong_rules(&self) -> impl Iterator<Item = &WrongRule> {
        let agrees = self.agrees();
        self.rules.iter().filter(move |rule| !agrees || rule.given.is_finite())
    }

    /// All that was compared, in order.
    pub fn comparisons(&self) -> &[Comparison] {
        &self.comparisons
    }

    /// What disagrees and what could not be compared, in order.
    pub fn failures(&self) -> impl Iterator<Item = &Comparison> {
        self.comparisons.iter().filter(|comparison| comparison.verdict != Verdict::Agrees)
    }

    /// For tests.
    ///
    /// # Panics
    /// With the report, if the check has not passed.
    #[track_caller]
    pub fn assert_passed(&self) {
        assert!(self.passed(), "{self}");
    }

    /// The comparisons, the worst first.
    pub(super) fn sorted(&self) -> Vec<&Comparison> {
        let mut sorted: Vec<&Comparison> = self.comparisons.iter().collect();
        let badness = |comparison: &Comparison| match comparison.verdict {
            Verdict::Disagrees => (2, comparison.excess()),
            Verdict::NotCompared(_) => (1, 0.0),
            Verdict::Agrees => (0, comparison.excess()),
        };
        sorted.sort_by(|a, b| {
            let ((kind_a, excess_a), (kind_b, excess_b)) = (badness(a), badness(b));
            kind_b.cmp(&kind_a).then(excess_b.total_cmp(&excess_a))
        });
        sorted
    }
}

impl Comparison {
    /// Two values that are to be the same to the last bit.
    pub(super) fn of_values(place: Place, found: f64, expected: f64) -> Self {
        let verdict = if expected.is_nan() {
            Verdict::NotCompared(Reason::NotFinite)
        } else if found.to_bits() == expected.to_bits() {
            Verdict::Agrees
        } else {
            Verdict::Disagrees
        };
        let (derivative, reference) = (found, expected);
        Self { place, derivative, reference, tolerance: 0.0, step: None, verdict }
    }

    pub(super) fn at_result(self, i: usize) -> Self {
        Self { place: Place::ValueOf(i), ..self }
    }

    /// A number of parts that is not what it should be.
    pub(super) fn of_lengths(found: usize, expected: usize) -> Self {
        Self::of_values(Place::Length, found as f64, expected as f64)
    }

    pub(super) fn not_compared(place: Place, reason: Reason) -> Self {
        Self {
            place,
            derivative: f64::NAN,
            reference: f64::NAN,
            tolerance: f64::NAN,
            step: None,
            verdict: Verdict::NotCompared(reason),
        }
    }

    /// Two numbers that may be so far from each other.
    pub(super) fn within(place: Place, derivative: f64, reference: f64, tolerance: f64) -> Self {
        let verdict = match (derivative.is_finite(), reference.is_finite()) {
            (true, true) if !tolerance.is_finite() => Verdict::NotCompared(Reason::NotFinite),
            (false, false) => Verdict::NotCompared(Reason::NotFinite),
            _ if (derivative - reference).abs() <= tolerance => Verdict::Agrees,
            _ => Verdict::Disagrees,
        };
        Self { place, derivative, reference, tolerance, step: None, verdict }
    }

    /// How many times the tolerance they are apart.
    fn excess(&self) -> f64 {
        let apart = (self.derivative - self.reference).abs();
        if apart == 0.0 {
            0.0
        } else if apart.is_nan() {
            f64::INFINITY
        } else {
            apart / self.tolerance
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value => f.write_str("value"),
            Self::ValueOf(i) => write!(f, "value {i}"),
            Self::Length => f.write_str("length"),
            Self::Coordinate(i) => write!(f, "coordinate {i}"),
            Self::Direction(i) => write!(f, "direction {i}"),
            Self::Result(i) => write!(f, "result {i}"),
            Self::Stack => f.write_str("bytes on the stack"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite => f.write_str("infinite, or not a number"),
            Self::Kink { left, right } => {
                write!(f, "a kink: {left:.6e} to the left, {right:.6e} to the right")
            }
            Self::Hidden => f.write_str("hidden by the rounding errors of the function"),
            Self::Nothing => f.write_str("there is nothing to compare"),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agrees => f.write_str("agrees"),
            Self::Disagrees => f.write_str("DISAGREES"),
            Self::NotCompared(reason) => write!(f, "could not be compared: {reason}"),
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, derivative, reference, tolerance, step, verdict } = self;
        let step = step.map_or_else(|| "-".to_owned(), |step| format!("{step:.1e}"));
        write!(
            f,
            "{:<18} {derivative:>23.15e} {reference:>23.15e} {tolerance:>9.1e} {step:>8}  {verdict}",
            place.to_string()
        )
    }
}

impl fmt::Display for WrongRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { function, parameter, file, line, wrong, checked, .. } = self;
        let Self { arguments, given, measured, tolerance, .. } = self;
        write!(f, "the derivative of `{function}` by `{parameter}` given at {file}:{line}")?;
        write!(f, " disagrees with differences of `{function}` in {wrong} of {checked} uses,")?;
        write!(f, " first with {arguments}:")?;
        write!(f, " given {given:.9e}, measured {measured:.9e} ± {tolerance:.1e}")
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |wanted: fn(&Verdict) -> bool| {
            self.comparisons.iter().filter(|comparison| wanted(&comparison.verdict)).count()
        };
        let wrong = count(|verdict| matches!(verdict, Verdict::Disagrees));
        let unknown = count(|verdict| matches!(verdict, Verdict::NotCompared(_)));
        let all = self.comparisons.len();
        let outcome = if self.passed() { "passed" } else { "failed" };
        write!(f, "{} {outcome}: of {all} comparisons {wrong} disagree", self.check)?;
        writeln!(f, ", {unknown} could not be made")?;
        if !self.note.is_empty() {
            writeln!(f, "{}", self.note)?;
        }
        self.wrong_rules().try_for_each(|rule| writeln!(f, "{rule}"))?;
        let names = ["", "derivative", "reference", "tolerance", "step"];
        let [place, derivative, reference, tolerance, step] = names;
        write!(f, "{place:<18} {derivative:>23} {reference:>23} {tolerance:>9} {step:>8}")?;
        let sorted = self.sorted();
        sorted.iter().take(ROWS).try_for_each(|comparison| write!(f, "\n{comparison}"))?;
        let rest = sorted.get(ROWS..).unwrap_or_default();
        if !rest.is_empty() {
            let failures = rest.iter().filter(|rest| rest.verdict != Verdict::Agrees).count();
            write!(f, "\n… and {} more, {} of which agree", rest.len(), rest.len() - failures)?;
        }
        Ok(())
    }
}
