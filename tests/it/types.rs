//! The integration tests of the adjoint with types of users: structs, methods, operators, functions that are generic.
#![allow(
    clippy::needless_range_loop,
    clippy::assign_op_pattern,
    reason = "numerical code is written so"
)]

mod bounded_structs;
mod conversions;
mod conversions_of_users;
mod enums;
mod fields_before_deref;
mod generics;
mod lists_of_functions;
mod methods;
mod operators_by_reference;
mod operators_on_references;
mod operators_told_apart;
mod paths_of_traits;
mod small_programs;
mod structs;
mod structs_in_structs;
mod traits_of_floats;
