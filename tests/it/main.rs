//! The integration tests of the compiler itself, and of the language that it takes: its documents, elementary functions, numbers, lists,
//! outcomes. Those of what a function knows of its crate are in `context.rs`, those of what is stored and run in `sweeps.rs`, those of user types in
//! `types.rs`, those of other derivatives in `entries.rs`: rustc needs the memory of one of them.
#![allow(
    clippy::needless_range_loop,
    clippy::assign_op_pattern,
    reason = "numerical code is written so"
)]

mod accuracy;
mod architecture;
mod array_patterns;
mod assigned_references;
mod bits;
mod chosen;
mod constructs;
mod functions;
mod golden;
mod language;
mod lists;
mod lists_by_branches;
mod lists_in_structs;
mod lists_of_references;
mod lists_seen_later;
mod masked_bits;
mod numbers;
mod options_in_places;
mod ordinary;
mod outcomes;
mod parts_of_lists;
mod random_ir;
mod references_to_texts;
mod rules;
mod ui;
