//! The integration tests of what sweeps do: what they store, compute again and undo, in which order, which entries lead to them,
//! and how they are checked.
#![allow(
    clippy::needless_range_loop,
    clippy::assign_op_pattern,
    reason = "numerical code is written so"
)]

mod assertions;
mod behaviour;
mod bisection;
mod calls;
mod check;
mod checkpoints;
mod conditions;
mod decided;
mod drops;
mod first_nonfinite;
mod fixed_point;
mod frames;
mod fusion;
mod generated_tests;
mod given_tangents;
mod independent;
mod inlined;
mod kept;
mod lent_together;
mod modes;
mod moved_parts;
mod order;
mod preaccumulated;
mod pullbacks;
mod searches;
mod searches_that_fail;
mod selected_entries;
mod shapes;
mod skipped_items;
mod summaries;
mod undone;
mod windows;
mod wrong_rules;
