//! Pullbacks, and what may be alive beside them.
#![allow(clippy::misrefactored_assign_op, reason = "the attribute meets code as people write it")]

use backsweep::{Differentiable, Pullback, adjoint};
use num_traits::Float;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[adjoint(independents(x, k), dependents(return))]
fn energy(x: &[f64], k: f64) -> f64 {
    let mut sum = 0.0;
    for value in x {
        sum += k * value * value;
    }
    sum
}

#[adjoint(independents(u, k), dependents(u))]
fn grow(u: &mut [f64], k: f64) {
    for value in u.iter_mut() {
        *value *= k * *value;
    }
}

#[derive(Clone, Differentiable)]
struct Spring {
    k: f64,
    at: f64,
}

#[adjoint]
impl Spring {
    #[adjoint(independents(self, x), dependents(return))]
    fn energy(&self, x: f64) -> f64 {
        self.k * (x - self.at) * (x - self.at)
    }
}

#[adjoint(independents(x), dependents(return))]
fn root<T: Float>(x: T) -> Option<T> {
    if x < T::zero() {
        return None;
    }
    Some(x.sqrt())
}

#[test]
fn two_pullbacks_are_alive_and_bars_come_after_them() {
    let (x, y) = ([3.0, 4.0], [1.0]);
    let (first, back) = energy::pullback(&x, 2.0);
    let (second, other) = energy::pullback(&y, 5.0);
    assert_eq!((first, second), (50.0, 5.0));
    let (mut x_b, mut y_b) = ([0.0; 2], [0.0; 1]);
    let (mut k_b, mut l_b) = (0.0, 0.0);
    back.call(&mut x_b, &mut k_b, 1.0);
    other.call(&mut y_b, &mut l_b, 2.0);
    assert_eq!((x_b, k_b, y_b, l_b), ([12.0, 16.0], 25.0, [20.0], 2.0));
}

#[test]
fn pullbacks_are_called_in_any_order() {
    let xs: Vec<Vec<f64>> = (1..=4).map(|i| vec![f64::from(i); 3]).collect();
    let pullbacks: Vec<_> = xs.iter().map(|x| energy::pullback(x, 0.5)).collect();
    let mut k_b = 0.0;
    for ((value, pullback), x) in pullbacks.into_iter().zip(&xs) {
        let mut x_b = vec![0.0; 3];
        pullback.call(&mut x_b, &mut k_b, 1.0);
        assert_eq!(x_b, *x);
        assert_eq!(value, 1.5 * x[0] * x[0]);
    }
    assert_eq!(k_b, 3.0 * (1.0 + 4.0 + 9.0 + 16.0));
}

#[test]
fn one_that_is_not_called_does_not_keep_bars() {
    let x = [3.0, 4.0];
    let (_, unused) = energy::pullback(&x, 2.0);
    let (_, called) = energy::pullback(&x, 1.0);
    let (mut x_b, mut k_b) = ([0.0; 2], 0.0);
    called.call(&mut x_b, &mut k_b, 1.0);
    let moved_out = x_b;
    assert_eq!(moved_out, [6.0, 8.0]);
    drop(unused);
}

#[test]
fn bars_of_one_call_live_as_long_as_each_wants() {
    let spring = Spring { k: 2.0, at: 1.0 };
    let (_, first) = spring.energy_pullback(3.0);
    let (_, second) = spring.energy_pullback(0.0);
    let mut spring_b = Spring { k: 0.0, at: 0.0 };
    {
        let mut x_b = 0.0;
        first.call(&mut spring_b, &mut x_b, 1.0);
        assert_eq!(x_b, 8.0);
    }
    let mut x_b = 0.0;
    second.call(&mut spring_b, &mut x_b, 1.0);
    assert_eq!((spring_b.k, spring_b.at, x_b), (5.0, -4.0, -4.0));
}

#[test]
fn updates_in_place_and_what_fails_have_pullbacks() {
    let (mut u, mut v) = ([1.0, 2.0], [3.0]);
    let ((), of_u) = grow::pullback(&mut u, 2.0);
    let ((), of_v) = grow::pullback(&mut v, 1.0);
    let (mut u_b, mut v_b, mut k_b) = ([1.0; 2], [1.0], 0.0);
    of_v.call(&mut v_b, &mut k_b);
    of_u.call(&mut u_b, &mut k_b);
    assert_eq!((u, v, u_b, v_b, k_b), ([2.0, 8.0], [9.0], [4.0, 8.0], [6.0], 14.0));
    assert!(root::pullback(-1.0).is_none());
    let (Some((value, of_four)), Some((_, of_one))) =
        (root::pullback(4.0), root::pullback(1.0_f32))
    else {
        panic!("there are roots")
    };
    let (mut x_b, mut y_b) = (0.0, 0.0_f32);
    of_four.call(&mut x_b, 1.0);
    of_one.call(&mut y_b, 1.0);
    assert_eq!((value, x_b, y_b), (2.0, 0.25, 0.5));
}

/// A pullback can be handed on, by the name of what is called.
fn weighted<F: FnOnce(&mut f64, f64)>(backward: F) -> f64 {
    let mut bar = 0.0;
    backward(&mut bar, 3.0);
    bar
}

#[test]
fn a_pullback_is_handed_on() {
    let (_, pullback) = root::pullback(4.0).expect("it has a root");
    assert_eq!(weighted(|bar, seed| pullback.call(bar, seed)), 0.75);
    let panics = catch_unwind(AssertUnwindSafe(|| {
        let (_, pullback) = energy::pullback(&[1.0, 2.0], 1.0);
        pullback.call(&mut [0.0], &mut 0.0, 1.0);
    }));
    assert!(panics.is_err());
    fn is_debug<F, A>(pullback: &Pullback<F, A>) -> String {
        format!("{pullback:?}")
    }
    assert_eq!(is_debug(&energy::pullback(&[1.0], 1.0).1), "Pullback");
}
