//! What the derivatives cost: time, and values on the stack.

use crate::slab::{residual, residual_naive, residual_tbr};
use backsweep::Stack;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The times of the residual and of its adjoint: the best of many calls.
pub struct Times {
    /// The residual alone.
    pub primal: Duration,
    /// The residual and the adjoint.
    pub adjoint: Duration,
    /// The adjoint without the residual.
    pub adjoint_only: Duration,
}

/// Measures the times at a state.
pub fn times(x: &[f64], s: f64, t: f64) -> Times {
    let (mut x_b, mut s_b, mut t_b) = (vec![0.0; x.len()], 0.0, 0.0);
    let (mut balance, mut balance_b) = (vec![0.0; x.len()], vec![1.0; x.len()]);
    let primal = best(|| {
        let (x, s, t) = black_box((x, s, t));
        residual(x, s, t, &mut balance);
        black_box(&mut balance);
    });
    let adjoint = best(|| {
        let (x, s, t) = black_box((x, s, t));
        balance_b.fill(1.0);
        residual::adjoint(x, &mut x_b, s, &mut s_b, t, &mut t_b, &mut balance, &mut balance_b);
        black_box((&mut balance, &mut x_b));
    });
    let adjoint_only = best(|| {
        let (x, s, t) = black_box((x, s, t));
        balance_b.fill(1.0);
        residual::adjoint_only(x, &mut x_b, s, &mut s_b, t, &mut t_b, &mut balance, &mut balance_b);
        black_box(&mut x_b);
    });
    Times { primal, adjoint, adjoint_only }
}

fn best(mut call: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        call();
        start.elapsed()
    };
    (0..200).map(time).min().expect("there are some calls")
}

/// How many numbers one turn of the loop leaves on the stack.
pub struct Stored {
    /// When everything that is overwritten is stored.
    pub naive: f64,
    /// When what the backward sweep does not read is not stored.
    pub tbr: f64,
    /// With all optimisations.
    pub all: f64,
}

/// Counts what the forward sweeps leave on the stack, in the three modes.
pub fn stored() -> Stored {
    type Forward = fn(&mut Stack, &[f64], f64, f64, &mut [f64]);
    let words = |forward: Forward, n: usize| {
        let mut stack = Stack::new();
        forward(&mut stack, &vec![0.5; n + 2], 0.7, 0.2, &mut vec![0.0; n + 2]);
        stack.bytes() / size_of::<f64>()
    };
    // The difference of two lengths leaves out what is stored before and after the loop.
    let per_turn = |forward| (words(forward, 2000) - words(forward, 1000)) as f64 / 1000.0;
    Stored {
        naive: per_turn(residual_naive::forward),
        tbr: per_turn(residual_tbr::forward),
        all: per_turn(residual::forward),
    }
}
