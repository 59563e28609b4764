//! Message passing: the adjoint of a send is a receive.
//!
//! A rod of nonlinear conductivity is cut into pieces, each the business of a thread. In every step
//! neighbours exchange the temperatures at their ends. How does the energy at the end depend on the
//! temperatures at the beginning? Every thread differentiates its own piece; the exchange has an adjoint by
//! hand, given with `#[adjoint(with = …)]`: what was sent forward gets its bar back from where it was
//! received (J. Utke et al., *Toward adjointable MPI*, 2009).
//!
//! `cargo run --release --example messages`

use backsweep::adjoint;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// An end of a piece of the rod.
enum End {
    /// Nothing gets through.
    Insulated,
    /// The next piece, to which it talks.
    Joined(Sender<f64>, Receiver<f64>),
}

impl End {
    /// Two ends that are joined.
    fn pair() -> (Self, Self) {
        let ((to_right, from_left), (to_left, from_right)) = (channel(), channel());
        (Self::Joined(to_right, from_right), Self::Joined(to_left, from_left))
    }
}

/// Sends a value to the neighbour, and returns what the neighbour sends.
#[adjoint(with = exchange_adjoint, passive(end))]
fn exchange(end: &End, x: f64) -> f64 {
    match end {
        End::Insulated => x,
        End::Joined(sender, receiver) => {
            sender.send(x).expect("the neighbour is there");
            receiver.recv().expect("the neighbour sends as much as it gets")
        }
    }
}

/// What the neighbour made of `x` it knows, and what is due to what it sent is known here: the bars are
/// exchanged in the opposite direction.
fn exchange_adjoint(end: &End, x: f64, x_b: &mut f64, ret_b: f64) -> f64 {
    let value = exchange(end, x);
    *x_b += exchange(end, ret_b);
    value
}

/// The energy of a piece after some steps.
#[adjoint(independents(start), passive(left, right))]
fn energy(start: &[f64], left: &End, right: &End, steps: usize) -> f64 {
    let mut u = start.to_vec();
    for _ in 0..steps {
        let before = exchange(left, u[0]);
        let after = exchange(right, u[u.len() - 1]);
        let old = u.clone();
        for i in 0..u.len() {
            let a = if i > 0 { old[i - 1] } else { before };
            let b = if i + 1 < old.len() { old[i + 1] } else { after };
            let conductivity = 0.2 / (1.0 + old[i] * old[i]);
            u[i] = old[i] + conductivity * (a - 2.0 * old[i] + b);
        }
    }
    u.iter().map(|t| t * t).sum()
}

/// The energy and its gradient, computed by so many threads.
fn in_pieces(start: &[f64], pieces: usize, steps: usize) -> (f64, Vec<f64>) {
    let mut ends = vec![End::Insulated];
    for _ in 1..pieces {
        let (left, right) = End::pair();
        ends.extend([left, right]);
    }
    ends.push(End::Insulated);
    let mut ends = ends.into_iter();
    thread::scope(|scope| {
        let workers: Vec<_> = start
            .chunks(start.len().div_ceil(pieces))
            .map(|piece| {
                let (left, right) =
                    (ends.next().expect("two ends"), ends.next().expect("two ends"));
                scope.spawn(move || energy::gradient(piece, &left, &right, steps))
            })
            .collect();
        let results = workers.into_iter().map(|worker| worker.join().expect("no panic"));
        results.fold((0.0, Vec::new()), |(sum, mut all), (value, gradient)| {
            all.extend(gradient);
            (sum + value, all)
        })
    })
}

fn main() {
    let (len, steps) = (48, 400);
    let start: Vec<f64> =
        (0..len).map(|i| 2.0 * (-0.02 * (i as f64 - 14.0).powi(2)).exp()).collect();
    let (whole, expected) = in_pieces(&start, 1, steps);
    for pieces in [2, 3, 4, 6] {
        let (value, gradient) = in_pieces(&start, pieces, steps);
        let differences = gradient.iter().zip(&expected).map(|(a, b)| (a - b).abs());
        let largest = differences.fold(0.0, f64::max);
        println!("{pieces} threads: energy {value:.12}, gradient differs by {largest:.1e} at most");
        assert!((value - whole).abs() < 1e-12 && largest < 1e-12);
    }
    println!("\nthe derivative of the energy by the temperature at the beginning:");
    for (i, derivative) in expected.iter().enumerate().step_by(3) {
        let bar = "#".repeat((derivative * 12.0).round() as usize);
        println!("{i:>3} {derivative:>8.5} {bar}");
    }
}
