//! Bodies of functions that take functions. Such a function has no derivatives of its own: it is lowered in place of its calls, by
//! callers that may stand in other modules. A body cannot be proved by types. So the function says by a constant, its
//! `digest`, which tokens its body has and what they mean, and whoever has lowered it in place asserts that number.

mod arguments;
mod digest;
mod known;
mod methods;
mod names;
mod proofs;
mod told;

pub use arguments::{arguments_of, arguments_of_type, takes_functions};
pub use methods::freed;
pub use names::{Body, Obstacle, body_of, item_of, path_of};
pub use proofs::{
    Carrier, assertion, constant_of_function, constant_of_method, declaration, from_root,
    lookup_proof, lookup_proof_of, names_proof, proven,
};
pub use told::{IN_PLACE, IN_PLACE_OF_TYPE, InPlace, PASSED_TO, PassedTo, key_of_path};
