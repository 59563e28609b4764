//! Code that is kept as it is, and may do more than its value tells.
use backsweep::adjoint;
use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

static LAST: AtomicU64 = AtomicU64::new(0);
static SUM: Mutex<f64> = Mutex::new(0.0);

thread_local! {
    static LOCAL: Cell<f64> = const { Cell::new(0.0) };
}

fn keep(x: f64) {
    LAST.store(x.to_bits(), Ordering::Relaxed);
}

/// Another function may find it there.
#[adjoint]
fn store(x: f64) -> f64 {
    LAST.store(x.to_bits(), Ordering::Relaxed);
    x
}

#[adjoint]
fn by_a_function(x: f64) -> f64 {
    keep(x * x);
    x
}

#[adjoint]
fn by_a_function_in_a_path(x: f64) -> f64 {
    self::keep(x);
    x * x
}

#[adjoint]
fn by_a_lock(x: f64) -> f64 {
    *SUM.lock().unwrap() += x;
    x
}

#[adjoint]
fn by_a_thread_local(x: f64) -> f64 {
    LOCAL.with(|cell| cell.set(x));
    x
}

#[adjoint(independents(x), passive(cell))]
fn by_a_cell(x: f64, cell: &Cell<f64>) -> f64 {
    cell.set(x);
    x
}

#[adjoint(independents(x), passive(list))]
fn by_a_list_of_others(x: f64, list: &mut Log) -> f64 {
    list.push(x);
    x
}

#[adjoint(independents(x), passive(log))]
fn by_a_method_with_a_value(x: f64, log: &Log) -> f64 {
    let n: usize = log.count(x);
    x * n as f64
}

struct Log(Vec<f64>);

impl Log {
    fn push(&mut self, x: f64) {
        self.0.push(x);
    }

    fn count(&self, x: f64) -> usize {
        self.0.len() + x as usize
    }
}

#[derive(Clone, Copy, backsweep::Differentiable)]
struct V(f64, f64);

#[derive(Clone, Copy, backsweep::Differentiable)]
struct Outer {
    v: V,
}

impl std::ops::BitXor for V {
    type Output = f64;
    fn bitxor(self, other: V) -> f64 {
        self.0 * other.1 - self.1 * other.0
    }
}

/// The macro sees no types here.
#[adjoint(independents(p))]
fn operator_without_types(p: Outer) -> f64 {
    (p.v ^ p.v) * 2.0
}

#[adjoint(independents(x), passive(t))]
fn writes_in_kept_code(x: f64, t: &str) -> f64 {
    let (mut a, mut b) = (x, x * x);
    for _ in t.to_string().chars() {
        [a, b] = [b, a];
    }
    a
}

#[adjoint(independents(x), passive(t))]
fn lends_in_a_pattern(x: f64, t: &str) -> f64 {
    let mut a = x;
    for _ in t.to_string().chars() {
        let ref mut r = a;
        *r += 1.0;
    }
    a
}

/// The row would be lost.
#[adjoint(independents(m, x), dependents(m, return))]
fn leaves_while_a_row_is_away(m: &mut Vec<Vec<f64>>, c: bool, x: f64) -> f64 {
    m[0].push({
        if c {
            return x;
        }
        x * x
    });
    x * x
}

fn main() {
    store(1.0) + by_a_function(1.0) + by_a_lock(1.0);
    by_a_function_in_a_path(1.0) + by_a_thread_local(1.0) + by_a_cell(1.0, &Cell::new(0.0));
    by_a_list_of_others(1.0, &mut Log(vec![])) + by_a_method_with_a_value(1.0, &Log(vec![]));
    operator_without_types(Outer { v: V(1.0, 2.0) }) + writes_in_kept_code(1.0, "a");
    lends_in_a_pattern(1.0, "a") + leaves_while_a_row_is_away(&mut vec![vec![]], true, 1.0);
}
