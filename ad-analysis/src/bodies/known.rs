//! Names that mean the same in all modules.

use crate::stdlib;

/// Types and traits of the language and of the prelude, and constructors, which generated code proves where they matter.
const TYPES: &str = "f64 f32 usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 bool char str Option Result Vec Some None Ok Err \
    Fn FnMut FnOnce Copy Clone Sized";

const KEYWORDS: &str = "as break const continue else enum extern false fn for if impl in let loop match mod move mut pub ref \
    return static struct trait true type unsafe use where while async await dyn union raw _";

/// Methods by value of iterators, and of numbers by a trait of the prelude: those of other traits are found later, or are ambiguous.
const BY_VALUE: &str = "max min map zip rev enumerate skip take step_by filter filter_map flat_map take_while skip_while map_while \
    scan chain cloned copied sum product fold for_each count last collect into_iter";

fn lists(list: &str, name: &str) -> bool {
    list.split_whitespace().any(|known| known == name)
}

/// Whether a name means the same wherever no item of a module has it.
pub(super) fn is_of_language(name: &str) -> bool {
    lists(TYPES, name)
}

pub(super) fn is_keyword(name: &str) -> bool {
    lists(KEYWORDS, name)
}

/// Whether a method means the same in modules that import different traits.
pub(super) fn is_method_of_library(name: &str) -> bool {
    lists(BY_VALUE, name) || stdlib::is_proved(name)
}
