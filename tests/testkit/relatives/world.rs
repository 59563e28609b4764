//! What generated functions have effects on.

use std::cell::{Cell, RefCell};
use std::sync::{Mutex, PoisonError};

thread_local! {
    static LOG: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

/// What functions share with each other.
pub static LOCK: Mutex<[f64; 2]> = Mutex::new(AT_FIRST);

const AT_FIRST: [f64; 2] = [1.5, 0.75];

fn shared() -> std::sync::MutexGuard<'static, [f64; 2]> {
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes an effect. What it returns depends on how many there have been before.
pub fn tick(effect: u32) -> usize {
    LOG.with_borrow_mut(|log| {
        log.push(effect);
        log.len() % 5
    })
}

/// The effects since the last call.
pub fn taken() -> Vec<u32> {
    LOG.take()
}

/// Notes that it is made, and that it is dropped.
#[derive(Debug)]
pub struct Tracer {
    /// Which one it is.
    pub k: usize,
    /// What can be gone through.
    pub items: [usize; 2],
}

/// Makes a [`Tracer`].
pub fn tracer(k: usize) -> Tracer {
    tick(100 + k as u32);
    Tracer { k, items: [k, k + 1] }
}

impl Tracer {
    /// Reads it.
    pub fn read(&self) -> usize {
        self.k + tick(300 + self.k as u32)
    }

    /// Uses it up.
    pub fn spend(self) -> usize {
        self.k + tick(400)
    }
}

impl Drop for Tracer {
    fn drop(&mut self) {
        tick(200 + self.k as u32);
    }
}

/// Reads a tracer.
pub fn look(tracer: &Tracer) -> usize {
    tracer.read()
}

/// Reads two.
pub fn look_both(one: &Tracer, other: &Tracer) -> usize {
    10 * one.read() + other.read()
}

/// What is changed behind a shared reference.
#[derive(Debug)]
pub struct Context {
    /// A counter.
    pub count: Cell<usize>,
    /// Behind a lock.
    pub lock: Mutex<Vec<f64>>,
    /// Behind a check at run time.
    pub list: RefCell<Vec<f64>>,
}

impl Context {
    /// As it is before each run.
    #[expect(clippy::new_without_default, reason = "there is no default among states")]
    pub fn new() -> Self {
        *shared() = AT_FIRST;
        LOCK.clear_poison();
        Self {
            count: Cell::new(0),
            lock: Mutex::new(vec![2.0, 3.0, 0.5]),
            list: RefCell::new(vec![1.5, 0.5, 2.0]),
        }
    }

    /// Counts.
    pub fn bump(&self) -> usize {
        self.count.set(self.count.get() + 1);
        tick(500);
        self.count.get()
    }

    /// A number that is another one each time, under a name that reading methods have.
    pub fn get(&self) -> f64 {
        self.bump() as f64 * 0.25
    }

    /// What has become of it.
    pub fn state(&self) -> (usize, Vec<u64>, Vec<u64>) {
        let bits = |list: &[f64]| list.iter().map(|value| value.to_bits()).collect();
        let lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        // A panic may have left it borrowed.
        let list = self.list.try_borrow().map_or(Vec::new(), |list| bits(&list));
        (self.count.get(), [bits(&lock), bits(&*shared())].concat(), list)
    }
}
