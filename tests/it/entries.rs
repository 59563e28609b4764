//! The integration tests of what there is besides the adjoint: tangents, Jacobians, several directions and seeds, second derivatives.
#![allow(
    clippy::needless_range_loop,
    clippy::assign_op_pattern,
    reason = "numerical code is written so"
)]

mod hessians;
mod hessians_through_calls;
mod jacobian;
mod second_methods;
mod second_models;
mod second_operators;
mod second_order;
mod second_partials;
mod second_structs;
mod seeds;
mod several;
mod several_methods;
mod sparse;
mod tangents;
mod validity;
