//! The integration tests of what a function knows of its crate: names, paths, modules, macros, declarations, and functions that it calls
//! and passes.
#![allow(
    clippy::needless_range_loop,
    clippy::assign_op_pattern,
    reason = "numerical code is written so"
)]

mod aliases_of_numbers;
mod annotated_alone;
mod arbitrary_parameters;
mod arithmetic_bounds;
mod arrays_by_functions;
mod arrays_mapped;
mod as_written;
mod as_written_functions;
mod as_written_types;
mod attempts;
mod boxes;
mod by_dyn;
mod called_by_paths;
mod chained_parts;
mod changing_methods;
mod collected_outcomes;
mod collections;
mod constant_parts;
mod differences;
mod everyday;
mod float_traits;
mod foreign;
mod found_by_imports;
mod functions_in_functions;
mod generic_enums;
mod generic_series;
mod getters;
mod getters_of_structs;
mod growing_structs;
mod imported;
mod imported_variants;
mod indexed_by_users;
mod indices_of_users;
mod inner_constants;
mod inner_functions;
mod inner_macros;
mod lengths_of_functions;
mod lent_on;
mod lent_parts;
mod lists_of_arrays;
mod lists_of_copies;
mod looked_up;
mod macros_by_path;
mod methods_named_like_others;
mod methods_passed;
mod modules;
mod named_as_modules;
mod names;
mod open_numbers;
mod operator_methods;
mod parts_in_turn;
mod parts_of_elements;
mod passed_across;
mod passive_getters;
mod passive_getters_inlined;
mod picked_items;
mod plain_types;
mod plain_variables;
mod queries;
mod settings;
mod slices_handed_on;
mod structs_that_borrow;
mod structs_with_lengths;
mod sums_of_users;
mod textual_macros;
mod told_by_arguments;
mod told_by_types;
mod traits;
mod traits_with_parameters;
mod tuples_by_name;
mod types_by_declarations;
mod types_of_fields;
mod unrolled;
mod untold;
mod vectors_of_geometry;
mod what_names_mean;
mod what_paths_mean;
mod without_bars;
mod without_std;
mod written_by_macros;
