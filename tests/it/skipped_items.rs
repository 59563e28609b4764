//! Items that iterators leave out: what annotated functions do for them happens, as in the standard library. The oracle is the
//! function itself: it panics, or it does not.
#![allow(
    clippy::double_ended_iterator_last,
    reason = "the attribute meets code as people write it"
)]

use backsweep::adjoint;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicU32, Ordering};

#[adjoint]
fn root(x: f64) -> f64 {
    assert!(x >= 0.0, "no root of {x}");
    x.sqrt()
}

#[adjoint]
fn stepped(x: &[f64]) -> f64 {
    x.iter().map(|t| root(*t)).step_by(2).sum()
}

#[adjoint]
fn skipped(x: &[f64]) -> f64 {
    x.iter().map(|t| root(*t)).skip(1).sum()
}

#[adjoint]
fn stepped_and_mapped(x: &[f64]) -> f64 {
    x.iter().copied().map(root).step_by(2).map(|t| t * t).sum()
}

#[adjoint]
fn stepped_in_a_loop(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for t in x.iter().map(|t| root(*t)).step_by(3) {
        s += t;
    }
    s
}

#[adjoint]
fn skipped_stepped_and_taken(x: &[f64]) -> f64 {
    x.iter().map(|t| root(*t)).skip(2).step_by(2).take(1).sum()
}

#[adjoint]
fn stepped_and_taken(x: &[f64]) -> f64 {
    x.iter().map(|t| root(*t)).step_by(2).take(2).sum()
}

#[adjoint]
fn reversed(x: &[f64]) -> f64 {
    x.iter().map(|t| root(*t)).rev().sum()
}

#[adjoint]
fn taken(x: &[f64]) -> f64 {
    x.iter().map(|t| root(*t)).take(2).sum()
}

#[adjoint]
fn stepped_before(x: &[f64]) -> f64 {
    (0..x.len()).step_by(2).map(|i| root(x[i])).sum()
}

#[adjoint]
fn advanced(x: &[f64]) -> f64 {
    let mut it = x.iter().map(|t| root(*t));
    it.next();
    it.sum()
}

#[adjoint]
fn last(x: &[f64]) -> f64 {
    x.iter().map(|t| root(*t)).last().unwrap()
}

#[adjoint]
fn stepped_by_a_closure(x: &[f64]) -> f64 {
    let k = |t: f64| root(t) * 2.0;
    x.iter().map(|t| k(*t)).step_by(2).enumerate().map(|(i, t)| t * i as f64).sum()
}

#[adjoint]
fn collected(x: &[f64]) -> f64 {
    let v: Vec<f64> = x.iter().map(|t| root(*t)).skip(1).step_by(2).collect();
    v.iter().sum::<f64>() * v.len() as f64
}

/// With each number negative in turn both panic, or neither does; then the derivatives are those of differences.
fn agrees(name: &str, function: fn(&[f64]) -> f64, gradient: fn(&[f64]) -> (f64, Vec<f64>)) {
    const POINT: [f64; 5] = [0.3, 0.7, 1.9, 0.2, 0.5];
    for negative in 0..=POINT.len() {
        let mut x = POINT;
        if let Some(number) = x.get_mut(negative) {
            *number = -*number;
        }
        let (plain, derived) = (catch_unwind(|| function(&x)), catch_unwind(|| gradient(&x)));
        assert_eq!(plain.is_ok(), derived.is_ok(), "{name} at {x:?}");
        let (Ok(value), Ok((known, gradient))) = (plain, derived) else { continue };
        assert_eq!(value.to_bits(), known.to_bits(), "the value of {name} at {x:?}");
        for (k, derivative) in gradient.iter().enumerate() {
            let at = |step: f64| {
                let mut x = x;
                x[k] += step;
                function(&x)
            };
            let difference = (at(1e-6) - at(-1e-6)) / 2e-6;
            assert!((difference - derivative).abs() < 1e-5, "{name} at {x:?}, derivative {k}");
        }
    }
}

#[test]
fn what_is_left_out_may_panic() {
    agrees("stepped", stepped, stepped::gradient);
    agrees("skipped", skipped, skipped::gradient);
    agrees("stepped_and_mapped", stepped_and_mapped, stepped_and_mapped::gradient);
    agrees("stepped_in_a_loop", stepped_in_a_loop, stepped_in_a_loop::gradient);
    agrees(
        "skipped_stepped_and_taken",
        skipped_stepped_and_taken,
        skipped_stepped_and_taken::gradient,
    );
    agrees("stepped_and_taken", stepped_and_taken, stepped_and_taken::gradient);
    agrees("reversed", reversed, reversed::gradient);
    agrees("taken", taken, taken::gradient);
    agrees("stepped_before", stepped_before, stepped_before::gradient);
    agrees("advanced", advanced, advanced::gradient);
    agrees("last", last, last::gradient);
    agrees("stepped_by_a_closure", stepped_by_a_closure, stepped_by_a_closure::gradient);
    agrees("collected", collected, collected::gradient);
}

#[adjoint(independents(x), passive(count))]
fn counted(x: &[f64], count: &AtomicU32) -> f64 {
    let square = |t: &f64| {
        count.fetch_add(1, Ordering::Relaxed);
        t * t
    };
    x.iter().map(square).skip(1).step_by(2).sum()
}

#[test]
fn effects_for_items_that_are_left_out_happen() {
    let (plain, derived) = (AtomicU32::new(0), AtomicU32::new(0));
    let x = [1.0, 2.0, 3.0, 4.0];
    let value = counted(&x, &plain);
    assert_eq!(counted::gradient(&x, &derived), (value, vec![0.0, 4.0, 0.0, 8.0]));
    assert_eq!(plain.into_inner(), derived.into_inner());
}
