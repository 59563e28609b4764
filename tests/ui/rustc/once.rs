//! What must happen once, and would happen again in the backward sweep.
use backsweep::{Differentiable, adjoint};
use std::cell::Cell;
use std::ops::BitXor;

thread_local! {
    static DRAWN: Cell<u32> = const { Cell::new(0) };
}

fn draw() -> f64 {
    DRAWN.with(|n| {
        n.set(n.get() + 1);
        n.get() as f64
    })
}

#[adjoint(mode = "joint")]
fn drawn(x: f64) -> f64 {
    let k: f64 = draw();
    k * x.sin()
}

#[adjoint(mode = "joint")]
fn joint(x: f64) -> f64 {
    let y = drawn(x);
    y * x
}

#[adjoint(checkpoint(drawn))]
fn checkpointed(x: f64) -> f64 {
    let y = drawn(x);
    y * x
}

#[adjoint]
fn in_a_checkpointed_loop(x: f64) -> f64 {
    let mut y = x;
    #[checkpoint(snapshots = 2)]
    for _ in 0..4 {
        y = drawn(y);
    }
    y
}

/// Nobody knows whether it may run twice.
#[adjoint(with = sent_adjoint)]
fn sent(x: f64) -> f64 {
    draw();
    x * x
}

fn sent_adjoint(x: f64, x_b: &mut f64, seed: f64) -> f64 {
    *x_b += 2.0 * x * seed;
    x * x
}

#[adjoint]
fn sends_in_a_checkpointed_loop(x: f64) -> f64 {
    let mut y = x;
    #[checkpoint(snapshots = 2)]
    for _ in 0..4 {
        y = sent(y).sin();
    }
    y
}

#[adjoint(with = sent_adjoint, once)]
fn sent_once(x: f64) -> f64 {
    draw();
    x * x
}

#[adjoint]
fn sends_in_a_joint_call(x: f64) -> f64 {
    #[checkpoint]
    sent_once(x)
}

struct Generator(Cell<u64>);

impl Generator {
    fn get(&self) -> f64 {
        self.0.set(self.0.get() + 1);
        self.0.get() as f64
    }
}

#[adjoint(independents(x), passive(r))]
fn a_method_called_get(x: f64, r: &Generator) -> f64 {
    let k = r.get();
    (x * k).sin()
}

#[adjoint(independents(x), passive(r))]
fn it_runs_twice(x: f64, r: &Generator) -> f64 {
    #[checkpoint]
    a_method_called_get(x, r)
}

struct Table(Vec<f64>, Cell<usize>);

impl std::ops::Index<usize> for Table {
    type Output = f64;
    fn index(&self, k: usize) -> &f64 {
        self.1.set(self.1.get() + 1);
        &self.0[(k + self.1.get()) % 3]
    }
}

#[adjoint(independents(x), passive(t))]
fn an_index_that_counts(x: f64, t: &Table) -> f64 {
    let y = x * t.0[1];
    let k: f64 = t[0];
    (y * k).sin()
}

#[adjoint(independents(x), passive(t))]
fn it_counts_twice(x: f64, t: &Table) -> f64 {
    #[checkpoint]
    an_index_that_counts(x, t)
}

/// An operator without an adjoint.
#[derive(Clone, Copy, Differentiable)]
struct V(f64, f64);

impl BitXor for V {
    type Output = f64;
    fn bitxor(self, other: V) -> f64 {
        self.0 * other.1 - self.1 * other.0
    }
}

#[adjoint(independents(a, b))]
fn without_an_adjoint(a: V, b: V) -> f64 {
    (a ^ b) * 2.0
}

fn main() {
    joint::gradient(1.0);
    checkpointed::gradient(1.0);
    in_a_checkpointed_loop::gradient(1.0);
    sends_in_a_checkpointed_loop::gradient(1.0);
    sends_in_a_joint_call::gradient(1.0);
    it_runs_twice::gradient(1.0, &Generator(Cell::new(0)));
    it_counts_twice::gradient(1.0, &Table(vec![1.0, 2.0, 3.0], Cell::new(0)));
    without_an_adjoint::gradient(V(1.0, 2.0), V(3.0, 4.0));
}
