//! Checkpointed loops: how often their bodies run, and that nothing else differs from ordinary loops.

use backsweep::schedule::Binomial;
use backsweep::{Differentiable, Stack, adjoint};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static RUNS: Cell<usize> = const { Cell::new(0) };
    /// The run that panics.
    static FATAL: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Counts how often it is compared: a check may run again, whatever it does.
struct Probe;

impl PartialEq for Probe {
    fn eq(&self, _: &Self) -> bool {
        RUNS.set(RUNS.get() + 1);
        RUNS.get() != FATAL.get()
    }
}

/// The result of a function, and how often the body of its loop ran.
fn counted<R>(function: impl FnOnce() -> R) -> (R, usize) {
    RUNS.set(0);
    let result = function();
    (result, RUNS.get())
}

#[adjoint(independents(start, rate), dependents(return))]
fn ordinary(start: &[f64], rate: f64, steps: usize, probe: &Probe) -> f64 {
    let mut u = start.to_vec();
    let mut sum = 0.0;
    for step in 0..steps {
        assert!(*probe == Probe, "as it should");
        for k in 1..u.len() {
            u[k] += rate * u[k - 1] * u[k] * (step as f64).cos();
        }
        sum += u[step % u.len()];
        u[0] = sum.sin();
    }
    sum * u[0]
}

#[adjoint(independents(start, rate), dependents(return))]
fn binomial(start: &[f64], rate: f64, steps: usize, snapshots: usize, probe: &Probe) -> f64 {
    let mut u = start.to_vec();
    let mut sum = 0.0;
    #[checkpoint(snapshots = snapshots)]
    for step in 0..steps {
        assert!(*probe == Probe, "as it should");
        for k in 1..u.len() {
            u[k] += rate * u[k - 1] * u[k] * (step as f64).cos();
        }
        sum += u[step % u.len()];
        u[0] = sum.sin();
    }
    sum * u[0]
}

#[adjoint(independents(start, rate), dependents(return))]
fn periodic(start: &[f64], rate: f64, steps: usize, every: usize, probe: &Probe) -> f64 {
    let mut u = start.to_vec();
    let mut sum = 0.0;
    #[checkpoint(every = every)]
    for step in 0..steps {
        assert!(*probe == Probe, "as it should");
        for k in 1..u.len() {
            u[k] += rate * u[k - 1] * u[k] * (step as f64).cos();
        }
        sum += u[step % u.len()];
        u[0] = sum.sin();
    }
    sum * u[0]
}

const START: [f64; 3] = [0.3, 0.5, -0.4];

#[test]
fn bodies_run_as_often_as_the_schedule_says() {
    for steps in (0..20).chain([57, 100]) {
        let (expected, runs) = counted(|| ordinary::gradient(&START, 0.2, steps, &Probe));
        assert_eq!(runs, steps);
        for number in [1, 2, 3, 5, 10, 200] {
            let (found, runs) = counted(|| binomial::gradient(&START, 0.2, steps, number, &Probe));
            let advances = Binomial::advances(steps, number) as usize;
            assert_eq!(runs, steps + advances, "{steps} steps, {number} snapshots");
            assert_eq!(found, expected, "{steps} steps, {number} snapshots");
            let (found, runs) = counted(|| periodic::gradient(&START, 0.2, steps, number, &Probe));
            assert!(runs <= 2 * steps, "{runs} of {steps} steps, every {number}");
            assert_eq!(found, expected, "{steps} steps, every {number}");
            let (_, runs) = counted(|| binomial(&START, 0.2, steps, number, &Probe));
            assert_eq!(runs, steps);
        }
    }
}

#[test]
fn forwards_are_reversed_in_the_opposite_order() {
    let mut stack = Stack::new();
    let first = binomial::forward(&mut stack, &START, 0.2, 30, 3, &Probe);
    let second = periodic::forward(&mut stack, &START, 0.7, 20, 6, &Probe);
    let (mut start_b, mut rate_b) = ([0.0; 3], 0.0);
    periodic::backward(&mut stack, &START, &mut start_b, 0.7, &mut rate_b, 20, 6, &Probe, 1.0);
    let (value, (start_g, rate_g)) = ordinary::gradient(&START, 0.7, 20, &Probe);
    assert_eq!((second, &start_b[..], rate_b), (value, &start_g[..], rate_g));
    let (mut start_b, mut rate_b) = ([0.0; 3], 0.0);
    binomial::backward(&mut stack, &START, &mut start_b, 0.2, &mut rate_b, 30, 3, &Probe, 1.0);
    let (value, (start_g, rate_g)) = ordinary::gradient(&START, 0.2, 30, &Probe);
    assert_eq!((first, &start_b[..], rate_b), (value, &start_g[..], rate_g));
    assert!(stack.is_empty());

    let (value, pullback) = binomial::pullback(&START, 0.2, 30, 3, &Probe);
    let (mut start_b, mut rate_b) = ([0.0; 3], 0.0);
    pullback.call(&mut start_b, &mut rate_b, 1.0);
    assert_eq!((value, &start_b[..], rate_b), (first, &start_g[..], rate_g));
}

#[test]
fn a_panic_in_a_body_leaves_nothing() {
    let mut stack = Stack::new();
    let expected = ordinary::gradient(&START, 0.2, 12, &Probe);
    for fatal in [1, 7, 12, 13, 20] {
        FATAL.set(fatal);
        let attempt =
            || counted(|| binomial::gradient_with(&mut stack, &START, 0.2, 12, 2, &Probe));
        assert!(catch_unwind(AssertUnwindSafe(attempt)).is_err(), "{fatal}");
        FATAL.set(usize::MAX);
        assert!(stack.is_empty());
        assert_eq!(binomial::gradient_with(&mut stack, &START, 0.2, 12, 2, &Probe), expected);
    }
}

#[test]
#[should_panic(expected = "checkpointing takes at least one snapshot")]
fn no_snapshot_is_too_few() {
    binomial::gradient(&START, 0.2, 3, 0, &Probe);
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Planet {
    place: [f64; 2],
    speed: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Forces {
    drag: f64,
    #[passive]
    turns: usize,
}

#[adjoint(independents(planet, forces), dependents(planet))]
fn orbit(planet: &mut Planet, forces: &Forces, time: f64) {
    for _ in 0..forces.turns {
        let (x, y) = (planet.place[0], planet.place[1]);
        let pull = -1.0 / (x * x + y * y).powf(1.5);
        planet.speed[0] += time * (pull * x - forces.drag * planet.speed[0]);
        planet.speed[1] += time * (pull * y - forces.drag * planet.speed[1]);
        planet.place[0] += time * planet.speed[0];
        planet.place[1] += time * planet.speed[1];
    }
}

#[adjoint(independents(planet, forces), dependents(planet))]
fn checkpointed_orbit(planet: &mut Planet, forces: &Forces, time: f64) {
    let turns: usize = forces.turns;
    #[checkpoint(snapshots = 4)]
    for _ in 0..turns {
        let (x, y) = (planet.place[0], planet.place[1]);
        let pull = -1.0 / (x * x + y * y).powf(1.5);
        planet.speed[0] += time * (pull * x - forces.drag * planet.speed[0]);
        planet.speed[1] += time * (pull * y - forces.drag * planet.speed[1]);
        planet.place[0] += time * planet.speed[0];
        planet.place[1] += time * planet.speed[1];
    }
}

#[test]
fn a_struct_is_a_state() {
    let bars = |adjoint: fn(&mut Planet, &mut Planet, &Forces, &mut Forces, f64)| {
        let mut planet = Planet { place: [1.0, 0.0], speed: vec![0.1, 0.9] };
        let mut planet_b = Planet { place: [1.0, -0.5], speed: vec![0.2, 0.0] };
        let forces = Forces { drag: 0.03, turns: 50 };
        let mut forces_b = Forces { drag: 0.0, turns: 50 };
        adjoint(&mut planet, &mut planet_b, &forces, &mut forces_b, 0.02);
        (planet, planet_b, forces_b)
    };
    assert_eq!(bars(checkpointed_orbit::adjoint), bars(orbit::adjoint));
}

/// The loop is reached by some of the calls only, and the function may fail before.
#[adjoint(independents(x), dependents(return))]
fn perhaps(x: f64, bound: Option<usize>, twice: bool) -> Option<f64> {
    let steps: usize = bound?;
    let mut z = x;
    for round in 0..2 {
        if round == 0 || twice {
            #[checkpoint(snapshots = 2)]
            for _ in 0..steps {
                z = (z * x + 1.0).ln();
            }
        }
        z += x;
    }
    Some(z)
}

#[test]
fn loops_under_conditions() {
    let plain = |x: f64, steps: usize, twice: bool| {
        // The value and its tangent.
        let (mut z, mut d) = (x, 1.0);
        for round in 0..2 {
            if round == 0 || twice {
                for _ in 0..steps {
                    d = (d * x + z) / (z * x + 1.0);
                    z = (z * x + 1.0).ln();
                }
            }
            (z, d) = (z + x, d + 1.0);
        }
        (z, d)
    };
    assert_eq!(perhaps::gradient(0.8, None, true), None);
    for (steps, twice) in [(0, true), (9, true), (9, false)] {
        let (value, gradient) = perhaps::gradient(0.8, Some(steps), twice).expect("a value");
        let (expected, derivative) = plain(0.8, steps, twice);
        assert_eq!(value, expected);
        assert!((gradient - derivative).abs() < 1e-12, "{gradient} {derivative}");
    }
}
