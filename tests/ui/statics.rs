//! State outside of the function that carries active values.
use backsweep::adjoint;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

static LAST: AtomicU64 = AtomicU64::new(0);
static SUM: Mutex<f64> = Mutex::new(0.0);
static mut GLOBAL: f64 = 0.0;

thread_local! {
    static LOCAL: std::cell::Cell<f64> = const { std::cell::Cell::new(0.0) };
}

#[adjoint]
fn atomic(x: f64) -> f64 {
    LAST.store((x * x).to_bits(), Ordering::Relaxed);
    f64::from_bits(LAST.load(Ordering::Relaxed))
}

#[adjoint]
fn mutable(x: f64) -> f64 {
    unsafe {
        GLOBAL = x * x;
        GLOBAL
    }
}

/// What a raw pointer refers to may be anything, and what is written may be read elsewhere.
#[adjoint]
fn by_pointers(x: f64) -> f64 {
    let place = &raw mut GLOBAL;
    unsafe { std::ptr::write_volatile(place, x * x) };
    unsafe { std::ptr::read_volatile(place) };
    x
}

#[adjoint]
fn read_as_a_value(x: f64) -> f64 {
    let y = unsafe { std::ptr::read_volatile(&x) };
    y * y
}

#[adjoint]
fn mutable_in_two_blocks(x: f64) -> f64 {
    unsafe {
        GLOBAL = x * x;
    }
    let y = unsafe { GLOBAL };
    y * x
}

#[adjoint]
fn by_a_raw_pointer(x: f64) -> f64 {
    let mut y = 0.0;
    let p = &raw mut y;
    unsafe {
        *p = x * x;
    }
    y
}

#[adjoint]
fn mutex(x: f64) -> f64 {
    *SUM.lock().unwrap() += x * x;
    let s: f64 = *SUM.lock().unwrap();
    s * x
}

#[adjoint]
fn local(x: f64) -> f64 {
    LOCAL.with(|cell| cell.set(x * x));
    LOCAL.with(|cell| cell.get())
}

/// A step of a chain is no method that tells something, though it is given an integer only.
#[adjoint]
fn by_a_list_of_unknown_type(x: f64) -> f64 {
    let mut list = std::iter::repeat(x).take(2).collect();
    put(&mut list, x);
    x * SUM.lock().map_or(0.0, |sum| *sum)
}

fn put(list: &mut Vec<f64>, x: f64) {
    list.push(x);
    *SUM.lock().unwrap() += x;
}

fn main() {
    atomic(1.0) + mutable(1.0) + mutable_in_two_blocks(1.0) + by_a_raw_pointer(1.0) + mutex(1.0) + local(1.0) + by_a_list_of_unknown_type(1.0);
}
