//! Floats that are made of the bits of floats.
//!
//! `x.to_bits()` is an integer and carries no derivative. A float that is made of it may be `x` with another sign or exponent, or `x`
//! rounded: then it has one. So integers are followed from where bits are taken to where floats are made of them (`solve`), in a domain that
//! knows which bits of which float an integer holds (`value`, `arithmetic`). Where an integer follows a float, the float made of it
//! becomes a value with a given partial:
//!
//! ```text
//! let mut n = x.to_bits();           let mut n = x.to_bits(); let n_float = x;
//! n = n & MANTISSA | ONE;            n = n & MANTISSA | ONE;
//! let y = f64::from_bits(n);         let raw = from_bits(n); let slope = raw.spacing() / n_float.spacing();
//!                                    let y = given(raw, slope, n_float);
//! ```
//!
//! An integer that is assigned along different ways follows the float that its companion holds. Where it is not known what an integer holds,
//! the float is marked as unclear, which is an error if the integer depends on something active ([`crate::effects`]).

mod arithmetic;
mod rewrite;
mod solve;
mod value;

use crate::effects::Zones;
use crate::flow::FlowGraph;
use crate::ir::Body;
use solve::{Integers, uses_bits};

/// Gives floats that are made of bits their derivatives, and marks what has none that is known.
pub fn follow_bits(body: &mut Body) {
    if !uses_bits(body) {
        return;
    }
    let original = body.clone();
    let zones = Zones::of(&original);
    let graph = FlowGraph::of(&original, &zones);
    let integers = Integers::of(&original, &graph, &zones);
    rewrite::rewrite(body, &integers);
}
