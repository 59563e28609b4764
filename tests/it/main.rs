//! The integration tests, in one binary.
#![allow(
    clippy::needless_range_loop,
    clippy::assign_op_pattern,
    reason = "numerical code is written so"
)]

mod architecture;
mod behaviour;
mod bisection;
mod calls;
mod check;
mod checkpoints;
mod constructs;
mod fixed_point;
mod foreign;
mod functions;
mod fusion;
mod generated_tests;
mod generics;
mod golden;
mod hessians;
mod hessians_through_calls;
mod independent;
mod inlined;
mod jacobian;
mod language;
mod lent_together;
mod lists;
mod methods;
mod modes;
mod modules;
mod names;
mod open_numbers;
mod order;
mod ordinary;
mod outcomes;
mod random_ir;
mod rules;
mod second_methods;
mod second_models;
mod second_operators;
mod second_order;
mod second_partials;
mod second_structs;
mod seeds;
mod several;
mod several_methods;
mod small_programs;
mod sparse;
mod structs;
mod tangents;
mod ui;
mod validity;
mod wrong_rules;
