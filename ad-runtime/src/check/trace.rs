//! Runs of a tangent that tell what its statements assign, and the derivatives of that.
//!
//! Generated tests come with a tangent that does so; see [`bisection`](super::bisection). Where a [search](super::nonfinite) is asked for, it
//! tells also what statements read.

use crate::Vector;
use std::cell::RefCell;
use std::ops::{Mul, Range};
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::rc::Rc;

thread_local! {
    static LISTENER: RefCell<Option<Rc<RefCell<dyn Listener>>>> = const { RefCell::new(None) };
}

/// Who listens to a run.
pub(super) trait Listener {
    /// A statement has assigned numbers with these derivatives.
    fn assigned(&mut self, entry: Entry, values: &[f64], derivatives: &[f64]);
    /// The next statement reads these.
    fn read(&mut self, _name: &'static str, _values: Vec<f64>, _derivatives: Vec<f64>) {}
    /// A loop around the next statement has this counter.
    fn counter(&mut self, _name: &'static str, _value: i128) {}
    /// The statement at hand has a partial, which may be infinite.
    fn partial(&mut self, _partial: f64) {}
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
}

impl Listener for Record {
    fn assigned(&mut self, entry: Entry, values: &[f64], derivatives: &[f64]) {
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

/// Who listens, until this goes out of scope.
struct Set {
    before: Option<Rc<RefCell<dyn Listener>>>,
}

impl Drop for Set {
    fn drop(&mut self) {
        LISTENER.set(self.before.take());
    }
}

/// Has somebody listen to a run, until it ends or panics.
pub(super) fn heard<L: Listener + 'static>(listener: L, run: impl FnOnce()) -> L {
    let listener = Rc::new(RefCell::new(listener));
    let outer = Set { before: LISTENER.replace(Some(listener.clone())) };
    // Between the points that the user has chosen the function may panic.
    let _ = catch_unwind(AssertUnwindSafe(run));
    drop(outer);
    Rc::into_inner(listener).expect("nobody else listens with it").into_inner()
}

/// What a run tells. If it panics, what it has told until then.
pub(super) fn record(
    window: Range<usize>,
    expected: Option<Rc<[Entry]>>,
    run: impl FnOnce(),
) -> Record {
    heard(Record::new(window, expected), run)
}

/// Tells who listens. While the thread ends nobody does.
fn with_listener(tell: impl FnOnce(&mut dyn Listener)) {
    let _ = LISTENER.try_with(|listener| {
        if let Some(listener) = &*listener.borrow() {
            tell(&mut *listener.borrow_mut());
        }
    });
}

/// Tells how often a loop around the next statement has run, as its counter has it.
pub fn tell_counter(name: &'static str, value: i128) {
    with_listener(|listener| listener.counter(name, value));
}

/// The product of a direction and a partial that may be infinite: 0 where the direction is 0.
pub fn strong<T>(direction: T, partial: T) -> T
where
    T: Copy + Default + PartialEq + Mul<Output = T> + Into<f64>,
{
    with_listener(|listener| listener.partial(partial.into()));
    crate::operator::strong(direction, partial)
}

/// A value, and its direction. Without one its derivative is zero.
#[derive(Debug)]
pub struct Valued<'v, V: ?Sized, D: ?Sized> {
    value: &'v V,
    direction: Option<&'v D>,
}

impl<'v, V: ?Sized, D: ?Sized> Valued<'v, V, D> {
    /// With a direction.
    pub fn with(value: &'v V, direction: &'v D) -> Self {
        Self { value, direction: Some(direction) }
    }
}

impl<'v, V: ?Sized> Valued<'v, V, V> {
    /// Without one.
    pub fn without(value: &'v V) -> Self {
        Self { value, direction: None }
    }
}

/// Found first: values that are numbers.
pub trait OfNumbers {
    /// Tells what a statement has assigned to who listens.
    fn tell(&self, name: &'static str, location: &'static Location<'static>);
    /// Tells what a statement is about to read.
    fn tell_read(&self, name: &'static str);
}

impl<V: Vector + ?Sized, D: Vector + ?Sized> Valued<'_, V, D> {
    /// The numbers of the value, and their derivatives.
    fn numbers(&self) -> (Vec<f64>, Vec<f64>) {
        let (mut values, mut derivatives) = (Vec::new(), Vec::new());
        self.value.write_flat(&mut values);
        match self.direction {
            Some(direction) => direction.write_flat(&mut derivatives),
            None => derivatives.resize(values.len(), 0.0),
        }
        // A direction of another shape belongs to something that is not there, as in a failure.
        let len = if values.len() == derivatives.len() { values.len() } else { 0 };
        values.truncate(len);
        derivatives.truncate(len);
        (values, derivatives)
    }
}

impl<V: Vector + ?Sized, D: Vector + ?Sized> OfNumbers for &Valued<'_, V, D> {
    fn tell(&self, name: &'static str, location: &'static Location<'static>) {
        with_listener(|listener| {
            let (values, derivatives) = self.numbers();
            let entry = Entry { name, location, len: values.len() };
            listener.assigned(entry, &values, &derivatives);
        });
    }

    fn tell_read(&self, name: &'static str) {
        with_listener(|listener| {
            let (values, derivatives) = self.numbers();
            listener.read(name, values, derivatives);
        });
    }
}

/// Found last: nothing is known of the values.
pub trait OfOthers {
    /// Tells nothing.
    fn tell(&self, name: &'static str, location: &'static Location<'static>);
    /// Tells nothing.
    fn tell_read(&self, name: &'static str);
}

impl<V: ?Sized, D: ?Sized> OfOthers for Valued<'_, V, D> {
    fn tell(&self, _: &'static str, _: &'static Location<'static>) {}

    fn tell_read(&self, _: &'static str) {}
}
