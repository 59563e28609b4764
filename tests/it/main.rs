//! The integration tests, in three binaries, so that rustc needs the memory of one: here those of the language, of the adjoint and of what is
//! around it; those of user types are in `types.rs`, those of other derivatives in `entries.rs`.
#![allow(
    clippy::needless_range_loop,
    clippy::assign_op_pattern,
    reason = "numerical code is written so"
)]

mod accuracy;
mod architecture;
mod arithmetic_bounds;
mod array_patterns;
mod as_written;
mod as_written_types;
mod assertions;
mod assigned_references;
mod behaviour;
mod bisection;
mod bits;
mod calls;
mod check;
mod checkpoints;
mod chosen;
mod conditions;
mod constructs;
mod decided;
mod drops;
mod first_nonfinite;
mod fixed_point;
mod float_traits;
mod foreign;
mod functions;
mod fusion;
mod generated_tests;
mod given_tangents;
mod golden;
mod imported;
mod independent;
mod indexed_by_users;
mod indices_of_users;
mod inlined;
mod inner_functions;
mod inner_macros;
mod kept;
mod language;
mod lent_together;
mod lists;
mod lists_in_structs;
mod lists_of_references;
mod lists_seen_later;
mod looked_up;
mod macros_by_path;
mod methods_passed;
mod modes;
mod modules;
mod named_as_modules;
mod names;
mod numbers;
mod open_numbers;
mod operator_methods;
mod options_in_places;
mod order;
mod ordinary;
mod outcomes;
mod parts_of_lists;
mod passed_across;
mod plain_types;
mod pullbacks;
mod random_ir;
mod rules;
mod searches;
mod selected_entries;
mod skipped_items;
mod structs_that_borrow;
mod textual_macros;
mod told_by_arguments;
mod traits;
mod tuples_by_name;
mod types_by_declarations;
mod types_of_fields;
mod ui;
mod undone;
mod untold;
mod what_names_mean;
mod what_paths_mean;
mod without_std;
mod written_by_macros;
mod wrong_rules;
