//! The pool from which derivative functions without a stack argument take their stacks.

use crate::{Mark, Stack};
use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

thread_local! {
    #[allow(clippy::vec_box, reason = "a stack is moved by its pointer")]
    static POOL: RefCell<Vec<Box<Stack>>> = const { RefCell::new(Vec::new()) };
}

/// A stack of the pool of this thread; it goes back when this goes out of scope, also by a panic.
#[derive(Debug)]
pub struct PooledStack {
    /// There until this is dropped.
    stack: Option<Box<Stack>>,
}

/// Takes an empty stack from the pool of this thread.
#[inline]
pub fn pool() -> PooledStack {
    let stack = POOL.try_with(|pool| pool.try_borrow_mut().ok()?.pop());
    PooledStack { stack: Some(stack.ok().flatten().unwrap_or_default()) }
}

impl Deref for PooledStack {
    type Target = Stack;
    #[inline]
    fn deref(&self) -> &Stack {
        self.stack.as_ref().expect(IS_THERE)
    }
}

impl DerefMut for PooledStack {
    #[inline]
    fn deref_mut(&mut self) -> &mut Stack {
        self.stack.as_mut().expect(IS_THERE)
    }
}

const IS_THERE: &str = "a stack stays until it is dropped";

impl Drop for PooledStack {
    #[inline]
    fn drop(&mut self) {
        let Some(mut stack) = self.stack.take() else { return };
        if stack.mark() != Mark::BOTTOM {
            stack.rewind(Mark::BOTTOM);
        }
        stack.fixed_points.forget();
        // While the thread ends there may be no pool any more; the stack is dropped then.
        let _ = POOL.try_with(|pool| {
            if let Ok(mut pool) = pool.try_borrow_mut() {
                pool.push(stack);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_comes_back_empty() {
        {
            let mut first = pool();
            first.push(1.0);
            let second = pool();
            assert!(second.is_empty());
        }
        assert!(pool().is_empty());
        let panicked = std::panic::catch_unwind(|| {
            pool().push(1.0);
            panic!("in user code");
        });
        assert!(panicked.is_err());
        assert!(pool().is_empty());
    }
}
