//! All rules are right, and known to the documentation.

use ad_runtime::packs::glam::table;

#[path = "../shared/rules.rs"]
mod shared;

#[test]
fn all_rules_are_right() {
    shared::all_are_right(&table(), 20);
}

#[test]
fn the_table_is_what_there_is() {
    shared::the_table_is_what_there_is("glam", &table());
}
