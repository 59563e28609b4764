//! The three shapes of Hascoët and Utke's study of user-driven checkpointing (INRIA RR-5930), with all calls split and with
//! all calls joint.

use std::cell::Cell;

thread_local! {
    static RUNS: Cell<u64> = const { Cell::new(0) };
}

/// Counts how often it is compared.
pub struct Probe;

impl PartialEq for Probe {
    fn eq(&self, _: &Self) -> bool {
        RUNS.set(RUNS.get() + 1);
        true
    }
}

/// How often probes were compared since the last time this was asked.
pub fn runs() -> u64 {
    RUNS.replace(0)
}

macro_rules! shapes {
    ($name:ident, $mode:meta) => {
        /// The shapes in one mode.
        pub mod $name {
            use super::Probe;
            use backsweep::adjoint;

            /// Spreads heat: what is added up needs no storage, but the list is changed.
            #[adjoint(independents(u, rate), dependents(u), $mode)]
            pub fn spread(u: &mut [f64], rate: f64, probe: &Probe) {
                let factor = 0.1 * rate.tanh();
                for k in 1..u.len() {
                    assert!(*probe == Probe, "as it should");
                    u[k] += 0.5 * u[k - 1];
                }
                u[0] *= factor;
            }

            /// The stack of a call is smaller than its snapshot: a list that is changed by sums.
            #[adjoint(independents(start, rate), dependents(return), $mode)]
            pub fn small_stack(start: &[f64], rate: f64, steps: usize, probe: &Probe) -> f64 {
                let mut u = start.to_vec();
                for step in 0..steps {
                    spread(&mut u, rate * step as f64, probe);
                }
                u[u.len() - 1]
            }

            /// Iterates to a fixed point, with a number stored for each iteration: as of functions of lists, which do not hand over two partials
            /// instead.
            #[adjoint(independents(x, rate), dependents(return), $mode, no(preaccumulate))]
            pub fn settle(x: f64, rate: f64, rounds: usize, probe: &Probe) -> f64 {
                let mut y = x;
                for _ in 0..rounds {
                    assert!(*probe == Probe, "as it should");
                    y = (rate * y).sin() + 0.1 * x;
                }
                y
            }

            /// The stack of a call is much larger than its snapshot: two numbers.
            #[adjoint(independents(start, rate), dependents(return), $mode, no(preaccumulate))]
            pub fn large_stack(
                start: f64,
                rate: f64,
                calls: usize,
                rounds: usize,
                probe: &Probe,
            ) -> f64 {
                let mut y = start;
                for _ in 0..calls {
                    y = settle(y, rate, rounds, probe);
                }
                y
            }

            /// A nest: each level does little itself.
            #[adjoint(independents(x, rate), dependents(return), $mode, no(preaccumulate))]
            pub fn nest(x: f64, rate: f64, depth: usize, rounds: usize, probe: &Probe) -> f64 {
                if depth == 0 {
                    return settle(x, rate, rounds, probe);
                }
                let inner = nest(0.9 * x + 0.1, rate, depth - 1, rounds, probe);
                inner * x
            }
        }
    };
}

shapes!(split, mode = "split");
shapes!(joint, mode = "joint");
shapes!(default, mode = "auto");
