//! Runs of a tangent that tell what its statements assign, and the derivatives of that.
//!
//! Generated tests come with a tangent that does so; see [`bisection`](super::bisection).

use crate::Vector;
use std::cell::RefCell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::rc::Rc;

thread_local! {
    static RECORD: RefCell<Option<Record>> = const { RefCell::new(None) };
}

/// One time that a statement has run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// What it is, as "the value of `y`"; may be empty.
    pub(super) name: &'static str,
    pub(super) location: &'static Location<'static>,
    /// How many numbers it assigns.
    pub(super) len: usize,
}

/// What a run has told.
#[derive(Debug)]
pub(super) struct Record {
    /// Which of the numbers are kept, counted from the first of the run.
    window: Range<usize>,
    /// What another run has told: this one is followed as long as it tells the same.
    expected: Option<Rc<[Entry]>>,
    /// How many entries, and numbers, there have been, until it went another way.
    told: usize,
    numbers: usize,
    went_another_way: bool,
    /// The entries, if none are expected.
    pub(super) entries: Vec<Entry>,
    /// The numbers in the window…
    pub(super) values: Vec<f64>,
    /// …and their derivatives.
    pub(super) derivatives: Vec<f64>,
}

impl Record {
    fn new(window: Range<usize>, expected: Option<Rc<[Entry]>>) -> Self {
        Self {
            window,
            expected,
            told: 0,
            numbers: 0,
            went_another_way: false,
            entries: Vec::new(),
            values: Vec::new(),
            derivatives: Vec::new(),
        }
    }

    fn add(&mut self, entry: Entry, values: &[f64], derivatives: &[f64]) {
        if self.went_another_way || self.expected.is_some() && self.numbers >= self.window.end {
            return;
        }
        match &self.expected {
            Some(expected) => {
                self.went_another_way = expected.get(self.told) != Some(&entry);
                if self.went_another_way {
                    return;
                }
            }
            None => self.entries.push(entry),
        }
        let within = |end: usize| end.clamp(self.numbers, self.numbers + entry.len) - self.numbers;
        let kept = within(self.window.start)..within(self.window.end);
        self.values.extend(&values[kept.clone()]);
        self.derivatives.extend(&derivatives[kept]);
        self.told += 1;
        self.numbers += entry.len;
    }
}

/// What is recorded, until this goes out of scope.
struct Set {
    before: Option<Record>,
}

impl Drop for Set {
    fn drop(&mut self) {
        RECORD.set(self.before.take());
    }
}

/// What a run tells. If it panics, what it has told until then.
pub(super) fn record(
    window: Range<usize>,
    expected: Option<Rc<[Entry]>>,
    run: impl FnOnce(),
) -> Record {
    let outer = Set { before: RECORD.replace(Some(Record::new(window.clone(), expected))) };
    // Between the points that the user has chosen the function may panic.
    let _ = catch_unwind(AssertUnwindSafe(run));
    let record = RECORD.take().unwrap_or_else(|| Record::new(window, None));
    drop(outer);
    record
}

/// Whether anybody listens. While the thread ends nobody does.
fn is_on() -> bool {
    RECORD.try_with(|record| record.borrow().is_some()).unwrap_or(false)
}

/// A value that has been assigned, and its direction. Without one its derivative is zero.
#[derive(Debug)]
pub struct Assigned<'v, V: ?Sized, D: ?Sized> {
    value: &'v V,
    direction: Option<&'v D>,
}

impl<'v, V: ?Sized, D: ?Sized> Assigned<'v, V, D> {
    /// With a direction.
    pub fn with(value: &'v V, direction: &'v D) -> Self {
        Self { value, direction: Some(direction) }
    }
}

impl<'v, V: ?Sized> Assigned<'v, V, V> {
    /// Without one.
    pub fn without(value: &'v V) -> Self {
        Self { value, direction: None }
    }
}

/// Found first: values that are numbers.
pub trait OfNumbers {
    /// Tells them to who listens.
    fn tell(&self, name: &'static str, location: &'static Location<'static>);
}

impl<V: Vector + ?Sized, D: Vector + ?Sized> OfNumbers for &Assigned<'_, V, D> {
    fn tell(&self, name: &'static str, location: &'static Location<'static>) {
        if !is_on() {
            return;
        }
        let (mut values, mut derivatives) = (Vec::new(), Vec::new());
        self.value.write_flat(&mut values);
        match self.direction {
            Some(direction) => direction.write_flat(&mut derivatives),
            None => derivatives.resize(values.len(), 0.0),
        }
        // A direction of another shape belongs to something that is not there, as in a failure.
        let len = if values.len() == derivatives.len() { values.len() } else { 0 };
        RECORD.with_borrow_mut(|record| {
            if let Some(record) = record {
                let entry = Entry { name, location, len };
                record.add(entry, &values[..len], &derivatives[..len]);
            }
        });
    }
}

/// Found last: nothing is known of the values.
pub trait OfOthers {
    /// Tells nothing.
    fn tell(&self, name: &'static str, location: &'static Location<'static>);
}

impl<V: ?Sized, D: ?Sized> OfOthers for Assigned<'_, V, D> {
    fn tell(&self, _: &'static str, _: &'static Location<'static>) {}
}
