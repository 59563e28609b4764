//! What programs in dual numbers decide by: where a number is compared, how far it is from changing its sign, and how fast it
//! goes there.

use super::Dual;
use std::cell::RefCell;

/// What has been tested: numbers by whose signs it is decided, with their derivatives.
type Tests = Vec<(f64, f64)>;

thread_local! {
    static TESTS: RefCell<Option<Tests>> = const { RefCell::new(None) };
}

/// The interval around 0 in which no number that a program tests changes its sign, to first order. `None` if one is 0: then it is a
/// matter of the comparison on which side it may go on.
pub fn interval<T>(program: impl FnOnce() -> T) -> Option<(f64, f64)> {
    TESTS.set(Some(Vec::new()));
    program();
    let tests = TESTS.take().expect("it has just been set");
    let moving = tests.into_iter().filter(|(number, slope)| *slope != 0.0 && !number.is_nan());
    let roots: Vec<f64> = moving.map(|(number, slope)| -number / slope).collect();
    if roots.contains(&0.0) || roots.iter().any(|root| root.is_nan()) {
        return None;
    }
    let (below, above): (Vec<f64>, Vec<f64>) = roots.into_iter().partition(|root| *root < 0.0);
    let low = below.into_iter().fold(f64::NEG_INFINITY, f64::max);
    Some((low, above.into_iter().fold(f64::INFINITY, f64::min)))
}

/// Notes that something is decided by the sign of a number.
fn note(number: f64, slope: f64) {
    TESTS.with_borrow_mut(|tests| tests.iter_mut().for_each(|tests| tests.push((number, slope))));
}

/// Notes that two numbers are compared.
pub(super) fn compared(a: Dual, b: Dual) {
    note(a.value() - b.value(), a.slope() - b.slope());
}

/// Notes that it is looked between which multiples of a number another is: it has an offset to them.
pub(super) fn divided(a: Dual, b: Dual, ends: impl Fn(f64) -> [f64; 2]) {
    let quotient = a.value() / b.value();
    let slope = if a.slope() == 0.0 && b.slope() == 0.0 {
        0.0
    } else {
        (a.slope() - quotient * b.slope()) / b.value()
    };
    for end in ends(quotient) {
        note(quotient - end, slope);
    }
}

/// The integers beside a number.
pub(super) fn beside(number: f64) -> [f64; 2] {
    [number.floor(), number.floor() + 1.0]
}

/// The numbers at which digits before the point change.
pub(super) fn digits(number: f64) -> [f64; 2] {
    match number.abs() < 1.0 {
        true => [-1.0, 1.0],
        false => beside(number),
    }
}

/// The numbers in the middle of integers.
pub(super) fn middles(number: f64) -> [f64; 2] {
    beside(number + 0.5).map(|end| end - 0.5)
}
