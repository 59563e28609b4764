//! Names of the parts of enums. A payload is a field, as those of structs are: that of a variant `Disc { r: f64 }` is called
//! `Disc::r`, those of `Box(f64, f64)` are `Box::0` and `Box::1`. Which variant a value is of truth values tell that are its
//! fields, too: `Disc::?`. So the analyses know nothing of enums.

/// The name of what a variant holds.
pub fn payload_name(variant: &str, field: &str) -> String {
    format!("{variant}::{field}")
}

/// The name of the truth value that a value is of a variant.
pub fn variant_name(variant: &str) -> String {
    payload_name(variant, "?")
}

/// Whether a field is such a truth value.
pub fn is_variant_test(name: &str) -> bool {
    name.ends_with("::?")
}

/// Whether a field is one of an enum: a payload, or a truth value.
pub fn is_of_variant(name: &str) -> bool {
    name.contains("::")
}

/// The name of a field as a literal spells it.
pub fn bare_field(name: &str) -> &str {
    name.rsplit_once("::").map_or(name, |(_, field)| field)
}
