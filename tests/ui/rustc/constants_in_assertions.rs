//! Operators of the user's on constants in assertions.
use backsweep::adjoint;
use std::cell::Cell;
use std::ops::Add;

thread_local! {
    static SEEN: Cell<f64> = const { Cell::new(0.0) };
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Level(f64);

const LEVEL: Level = Level(3.0);
const STEP: Level = Level(1.0);

impl Add<Level> for f64 {
    type Output = Level;

    fn add(self, level: Level) -> Level {
        SEEN.set(self);
        level
    }
}

impl Add for Level {
    type Output = Level;

    fn add(self, other: Level) -> Level {
        Level(self.0 + other.0)
    }
}

#[adjoint]
fn keeps(x: f64) -> f64 {
    assert!((x + LEVEL) + STEP < LEVEL);
    SEEN.get()
}

fn main() {}
