//! All rules are right, and known to the documentation.

use ad_runtime::packs::ndarray::{table, table_of_numbers};

#[path = "../shared/rules.rs"]
mod shared;

#[test]
fn all_rules_are_right() {
    shared::all_are_right(&table(), 40);
}

#[test]
fn rules_of_numbers_are_right() {
    shared::all_are_right(&table_of_numbers(), 40);
}

#[test]
fn the_table_is_what_there_is() {
    shared::the_table_is_what_there_is("ndarray", &table());
}
