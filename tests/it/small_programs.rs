//! Small programs that catch mistakes, with their derivatives, where the corpus has no place for them: what
//! they take or return is no float, list or tuple.

use backsweep::{Differentiable, Stack, adjoint};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn assert_near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-6, "{found:?} instead of {expected:?}");
    }
}

#[adjoint]
fn longer_afterwards(v: &mut Vec<f64>) {
    let l = v.pop().unwrap();
    let p = l * v[0];
    v.push(p);
    v.push(l * l);
    v[0] = 1.0;
}

#[test]
fn a_list_has_a_longer_bar_afterwards() {
    let (mut v, mut v_b) = (vec![0.7, -0.4, 1.1], vec![7.0, 2.0, 3.0, 5.0]);
    longer_afterwards::adjoint(&mut v, &mut v_b);
    assert_near(&v, &[1.0, -0.4, 0.77, 1.21]);
    assert_near(&v_b, &[3.3, 2.0, 13.1]);
}

#[adjoint]
fn square_of_roots(x: &[f64]) -> Result<f64, String> {
    let mut s = 0.0;
    for &v in x {
        if v < 0.0 {
            return Err("neg".into());
        }
        s += v.sqrt();
    }
    Ok(s * s)
}

#[test]
fn a_failure_leaves_bars_and_stack_alone() {
    let (value, gradient) = square_of_roots::gradient(&[0.49, 0.64]).expect("both are positive");
    assert_near(&[value], &[2.25]);
    assert_near(&gradient, &[2.1428571, 1.875]);
    let (mut stack, mut bar) = (Stack::new(), [0.1, 0.2]);
    let failed = square_of_roots::adjoint_with(&mut stack, &[0.49, -0.64], &mut bar, 1.0);
    assert_eq!((failed, bar), (Err("neg".to_owned()), [0.1, 0.2]));
    assert!(stack.is_empty());
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Spring {
    k: f64,
    w: [f64; 2],
    n: usize,
}

#[adjoint(independents(s), dependents(return))]
fn parts_of_a_struct(s: &mut Spring) -> f64 {
    {
        let r = &mut s.k;
        *r *= 2.0;
        *r = *r * *r;
    }
    let Spring { k, w: [a, b], n } = s;
    *b *= *k;
    *k * *a + *b * *n as f64
}

#[test]
fn a_field_is_borrowed_again_and_a_struct_taken_apart() {
    let mut spring = Spring { k: 0.7, w: [-0.4, 1.1], n: 3 };
    let mut bar = Spring { k: 0.0, w: [0.0; 2], n: 3 };
    let value = parts_of_a_struct::adjoint(&mut spring, &mut bar, 1.0);
    assert_near(&[value], &[5.684]);
    assert_near(&[bar.k, bar.w[0], bar.w[1]], &[16.24, 1.96, 5.88]);
}

#[adjoint]
fn product_of_entries(x: &[f64], idx: &[usize]) -> Option<f64> {
    let mut p = 1.0;
    for &i in idx {
        let v = x.get(i)?;
        p = p * v + 1.0;
    }
    Some(p * p)
}

#[test]
fn a_question_mark_in_a_loop() {
    let (value, gradient) = product_of_entries::gradient(&[0.7, -0.4], &[0, 1, 0]).expect("in it");
    assert_near(&[value], &[1.498176]);
    assert_near(&gradient, &[0.0979200, 2.9131200]);
    assert!(product_of_entries::gradient(&[0.7, -0.4], &[0, 2]).is_none());
}

#[adjoint(passive(gate))]
fn behind_a_lock(x: &[f64], gate: &Mutex<()>) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let _held = gate.lock().unwrap();
        s += x[i] * x[i];
    }
    s
}

/// Guards are dropped where they were.
#[test]
fn a_lock_is_held_no_longer() {
    assert_eq!(behind_a_lock::gradient(&[1.0, 2.0], &Mutex::new(())), (5.0, vec![2.0, 4.0]));
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

#[adjoint]
fn counted(x: f64) -> f64 {
    CALLS.fetch_add(1, Ordering::Relaxed);
    x * x
}

#[test]
fn what_is_counted_is_counted_once() {
    assert_eq!(counted::gradient(3.0), (9.0, 6.0));
    assert_eq!(CALLS.load(Ordering::Relaxed), 1);
}
