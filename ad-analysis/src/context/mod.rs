//! What stands around the annotated item in its crate: files are read, and items found in them. What is learnt so is a
//! hint, which rustc proves, or which rests on rules that rustc has; [the design](../../docs/design.md) lists both.

mod bare;
mod bodies;
mod declared;
mod enums;
mod facts;
mod fields;
mod getters;
mod heads;
mod held;
mod imported;
mod indices;
mod lent;
mod macro_paths;
mod meaning;
mod methods;
mod names;
mod operators;
mod parameters;
mod plain;
mod receivers;
mod resolve;
mod scan;
mod scope;
mod source;
mod spelling;
mod standard;
mod traits;
mod written;

pub use bodies::Function;
pub use declared::{Declared, Mentions};
pub use meaning::{Found, Meaning, Named, Unknown};
pub use names::{Entries, Names, paths_of_import};
pub use plain::plain_item;
pub use resolve::Wanted;
pub use scope::Definition;
pub use source::Place;
pub use spelling::is_primitive;
pub use standard::{has_standard_names, through_runtime};
