//! Names that mean the same in all modules.

/// Types and traits of the language and of the prelude, and constructors, which generated code proves where they matter.
const TYPES: &str = "f64 f32 usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 bool char str Option Result Vec Some None Ok Err \
    Fn FnMut FnOnce Copy Clone Sized";

const KEYWORDS: &str = "as break const continue else enum extern false fn for if impl in let loop match mod move mut pub ref \
    return static struct trait true type unsafe use where while async await dyn union raw _";

/// Methods by value of types of the language, of `Option` and of iterators: those of other traits are found later, or are
/// ambiguous.
const BY_VALUE: &str = "abs_sub copysign midpoint max min pow rem_euclid saturating_sub wrapping_add wrapping_sub abs_diff map zip rev \
    enumerate skip take step_by filter filter_map flat_map take_while skip_while map_while scan chain cloned copied sum product fold \
    for_each count last collect into_iter is_some_and is_none_or unwrap_or unwrap_or_else map_or map_or_else and_then or_else ok_or \
    unwrap expect to_bits leading_zeros trailing_zeros count_ones is_power_of_two signum";

/// Methods that are proved to be those of the standard library where their names are read.
const PROVED: &str = "sqrt cbrt recip hypot powi powf mul_add exp exp2 exp_m1 ln ln_1p log log2 log10 sin cos tan asin acos atan \
    atan2 sin_cos sinh cosh tanh asinh acosh atanh abs floor ceil round round_ties_even trunc fract clamp to_degrees \
    to_radians div_euclid is_nan is_finite is_infinite is_sign_positive is_sign_negative is_normal iter iter_mut first first_mut \
    last_mut split_first split_first_mut split_last split_last_mut swap reverse rotate_left rotate_right fill fill_with \
    copy_from_slice clone_from_slice swap_with_slice copy_within to_vec windows chunks chunks_mut chunks_exact chunks_exact_mut \
    rchunks split_at split_at_mut concat contains sort sort_by sort_by_key sort_unstable sort_unstable_by get get_mut push pop \
    insert remove swap_remove truncate clear resize append drain retain split_off extend_from_slice as_mut_slice dedup len \
    is_empty as_slice";

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
    lists(BY_VALUE, name) || lists(PROVED, name)
}
