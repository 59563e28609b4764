//! What adjoints store.

use backsweep::Stack;

/// The bytes on the stack between the two sweeps.
pub fn bytes_between_sweeps(forward: impl FnOnce(&mut Stack)) -> usize {
    let mut stack = Stack::new();
    let bottom = stack.mark();
    forward(&mut stack);
    let bytes = stack.report().bytes;
    stack.rewind(bottom);
    bytes
}
