//! What is known of the methods of the standard library: one table, by name. What a method is depends on what it is called on,
//! which is for those who ask: each [`Role`] says of what kind of receiver it speaks.
//!
//! Where a name has one role and not a similar one, that is meant. `ReadsList` has fewer names than `OfSlices` since what lends a part as
//! `&mut` is no read; `ReadsOther` has those that kept code may call on iterators, `Option`s and characters without a
//! closure that could do more than be called; `NotOfUsers` leaves out names that types of users are likely to have, too
//! (`map`, `len`, `push`).

use Role::*;
use std::collections::HashMap;
use std::sync::LazyLock;

/// What a method is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Of floats, with `self`. That it is one of the standard library is proved, as of the following roles, for each kind of
    /// receiver where another method could be found first.
    OfFloats,
    /// Of integers, with `self`.
    OfIntegers,
    /// Of numbers and arrays, with `&self`.
    OfValues,
    /// Of slices, with `&self`.
    OfSlices,
    /// Of slices, with `&mut self`.
    OfMutSlices,
    /// Of slices and of `Vec`, with `&self`: of slices.
    OfArrays,
    /// Of `Vec`, with `&mut self`.
    OfVecs,
    /// Of `Vec`, with `&self`.
    OfLengths,
    /// Of `Option` or `Result`, with `self`.
    OfOptions,
    /// Of `Option` or `Result`, with `&self`.
    OfLentOptions,
    /// Of `Option`, with `&mut self`.
    OfMutOptions,
    /// Of `str`, with `&self`.
    OfText,
    /// Of iterators, with `&mut self`.
    OfIterators,
    /// Of numbers, without a derivative or with one that nobody asks for where it is kept as it is.
    ReadsNumber,
    /// Of integers and truth values: pure, beside those that floats have too.
    Discrete,
    /// Of lists, without lending a part as `&mut`.
    ReadsList,
    /// Of lists: it changes them and nothing else.
    ChangesList,
    /// Of lists: it sorts them, with so many arguments.
    Sorts(usize),
    /// Of text.
    ReadsText,
    /// Of iterators, `Option`s and characters, and it changes nothing.
    ReadsOther,
    /// Its value is an iterator.
    MakesIterator,
    /// Makes an iterator over the parts of a list (`lower/sequences.rs`).
    MakesParts,
    /// Of an `Option` or a `Result`: its value is none.
    EndsOptional,
    /// Of an `Option` or a `Result`: its value is one.
    StepsOptional,
    /// The end of a chain, whose type the context tells.
    TypedByContext,
    /// No type of a user's is likely to have a method of that name, or it takes what is no value.
    NotOfUsers,
}

/// Whether a method has a role.
pub fn is(method: &(impl ToString + ?Sized), role: Role) -> bool {
    roles_of(&method.to_string()).contains(&role)
}

/// Whether a method of that name of the standard library is known.
pub fn is_known(method: &(impl ToString + ?Sized)) -> bool {
    !roles_of(&method.to_string()).is_empty()
}

/// Whether it is proved of a method that it is that of the standard library.
pub fn is_proved(method: &str) -> bool {
    roles_of(method).iter().any(|role| PROVED.contains(role))
}

/// The roles of a method.
fn roles_of(method: &str) -> &'static [Role] {
    static ROLES: LazyLock<HashMap<&str, &[Role]>> =
        LazyLock::new(|| METHODS.iter().copied().collect());
    ROLES.get(method).copied().unwrap_or_default()
}

/// The methods with a role.
pub fn with(role: Role) -> impl Iterator<Item = &'static str> {
    METHODS.iter().filter(move |(_, roles)| roles.contains(&role)).map(|(name, _)| *name)
}

/// Roles of which it is proved that methods have them.
pub const PROVED: [Role; 13] = [
    OfFloats,
    OfIntegers,
    OfValues,
    OfSlices,
    OfMutSlices,
    OfArrays,
    OfVecs,
    OfLengths,
    OfOptions,
    OfLentOptions,
    OfMutOptions,
    OfText,
    OfIterators,
];

/// The methods.
#[rustfmt::skip]
pub const METHODS: [(&str, &[Role]); 244] = [
    ("sqrt", &[OfFloats]),
    ("cbrt", &[OfFloats]),
    ("recip", &[OfFloats]),
    ("hypot", &[OfFloats]),
    ("powi", &[OfFloats]),
    ("powf", &[OfFloats]),
    ("mul_add", &[OfFloats]),
    ("exp", &[OfFloats]),
    ("exp2", &[OfFloats]),
    ("exp_m1", &[OfFloats]),
    ("ln", &[OfFloats]),
    ("ln_1p", &[OfFloats]),
    ("log", &[OfFloats]),
    ("log2", &[OfFloats]),
    ("log10", &[OfFloats]),
    ("sin", &[OfFloats]),
    ("cos", &[OfFloats]),
    ("tan", &[OfFloats]),
    ("asin", &[OfFloats]),
    ("acos", &[OfFloats]),
    ("atan", &[OfFloats]),
    ("atan2", &[OfFloats]),
    ("sin_cos", &[OfFloats]),
    ("sinh", &[OfFloats]),
    ("cosh", &[OfFloats]),
    ("tanh", &[OfFloats]),
    ("asinh", &[OfFloats]),
    ("acosh", &[OfFloats]),
    ("atanh", &[OfFloats]),
    ("abs", &[OfFloats, OfIntegers, ReadsNumber]),
    ("signum", &[OfFloats, OfIntegers, ReadsNumber]),
    ("copysign", &[OfFloats]),
    ("floor", &[OfFloats]),
    ("ceil", &[OfFloats]),
    ("round", &[OfFloats]),
    ("round_ties_even", &[OfFloats]),
    ("trunc", &[OfFloats]),
    ("fract", &[OfFloats]),
    ("min", &[OfFloats, ReadsNumber]),
    ("max", &[OfFloats, ReadsNumber]),
    ("clamp", &[OfFloats]),
    ("to_degrees", &[OfFloats]),
    ("to_radians", &[OfFloats]),
    ("rem_euclid", &[OfFloats, OfIntegers, ReadsNumber]),
    ("div_euclid", &[OfFloats, OfIntegers, ReadsNumber]),
    ("is_nan", &[OfFloats, ReadsNumber]),
    ("is_finite", &[OfFloats, ReadsNumber]),
    ("is_infinite", &[OfFloats, ReadsNumber]),
    ("is_sign_positive", &[OfFloats, ReadsNumber]),
    ("is_sign_negative", &[OfFloats, ReadsNumber]),
    ("is_normal", &[OfFloats, ReadsNumber]),
    ("iter", &[OfSlices, ReadsList, ReadsOther, MakesIterator, NotOfUsers]),
    ("iter_mut", &[OfMutSlices, MakesIterator, NotOfUsers]),
    ("first", &[OfSlices, ReadsList, ReadsOther]),
    ("first_mut", &[OfMutSlices]),
    ("last", &[OfSlices, ReadsList, ReadsOther]),
    ("last_mut", &[OfMutSlices]),
    ("split_first", &[OfSlices]),
    ("split_first_mut", &[OfMutSlices]),
    ("split_last", &[OfSlices]),
    ("split_last_mut", &[OfMutSlices]),
    ("swap", &[OfMutSlices, ChangesList]),
    ("reverse", &[OfMutSlices, ChangesList]),
    ("rotate_left", &[OfMutSlices, ChangesList]),
    ("rotate_right", &[OfMutSlices, ChangesList]),
    ("fill", &[OfMutSlices, ChangesList]),
    ("fill_with", &[OfMutSlices]),
    ("copy_from_slice", &[OfMutSlices]),
    ("clone_from_slice", &[OfMutSlices]),
    ("swap_with_slice", &[OfMutSlices]),
    ("copy_within", &[OfMutSlices]),
    ("to_vec", &[OfSlices, ReadsList]),
    ("windows", &[OfSlices, ReadsList, ReadsOther, MakesIterator, MakesParts, NotOfUsers]),
    ("chunks", &[OfSlices, ReadsList, MakesIterator, MakesParts, NotOfUsers]),
    ("chunks_mut", &[OfMutSlices, MakesIterator, MakesParts]),
    ("chunks_exact", &[OfSlices, ReadsList, MakesIterator, MakesParts]),
    ("chunks_exact_mut", &[OfMutSlices, MakesIterator, MakesParts]),
    ("rchunks", &[OfSlices, ReadsList, MakesIterator, MakesParts]),
    ("rchunks_mut", &[OfMutSlices, MakesIterator, MakesParts]),
    ("rchunks_exact", &[OfSlices, ReadsList, MakesIterator, MakesParts]),
    ("rchunks_exact_mut", &[OfMutSlices, MakesIterator, MakesParts]),
    ("split_at", &[OfSlices, ReadsList]),
    ("split_at_mut", &[OfMutSlices]),
    ("concat", &[OfSlices]),
    ("contains", &[OfSlices, OfText, ReadsList, ReadsText, ReadsOther]),
    ("sort", &[OfMutSlices, ChangesList, Sorts(0)]),
    ("sort_by", &[OfMutSlices, ChangesList, Sorts(1)]),
    ("sort_by_key", &[OfMutSlices, ChangesList, Sorts(1)]),
    ("sort_by_cached_key", &[OfMutSlices, ChangesList, Sorts(1)]),
    ("sort_unstable", &[OfMutSlices, ChangesList, Sorts(0)]),
    ("sort_unstable_by", &[OfMutSlices, ChangesList, Sorts(1)]),
    ("sort_unstable_by_key", &[OfMutSlices, ChangesList, Sorts(1)]),
    ("select_nth_unstable_by", &[OfMutSlices, ChangesList, Sorts(2)]),
    ("get", &[OfSlices, ReadsList, ReadsOther]),
    ("get_mut", &[OfMutSlices]),
    ("push", &[OfVecs, ChangesList]),
    ("pop", &[OfVecs, ChangesList]),
    ("insert", &[OfVecs, ChangesList]),
    ("remove", &[OfVecs, ChangesList]),
    ("swap_remove", &[OfVecs, ChangesList]),
    ("truncate", &[OfVecs, ChangesList]),
    ("clear", &[OfVecs, ChangesList]),
    ("resize", &[OfVecs, ChangesList]),
    ("append", &[OfVecs, ChangesList]),
    ("drain", &[OfVecs]),
    ("retain", &[OfVecs, ChangesList]),
    ("split_off", &[OfVecs]),
    ("extend_from_slice", &[OfVecs, ChangesList]),
    ("as_mut_slice", &[OfVecs]),
    ("dedup", &[OfVecs, ChangesList]),
    ("len", &[OfLengths, OfArrays, ReadsList, ReadsText, ReadsOther]),
    ("is_empty", &[OfLengths, OfArrays, ReadsList, ReadsText, ReadsOther]),
    ("as_slice", &[OfLengths, ReadsList]),
    ("abs_sub", &[OfFloats]),
    ("midpoint", &[OfFloats]),
    ("is_subnormal", &[OfFloats, ReadsNumber]),
    ("classify", &[OfFloats, ReadsNumber]),
    ("total_cmp", &[OfValues, ReadsNumber]),
    ("partial_cmp", &[OfValues, ReadsNumber]),
    ("cmp", &[OfValues, ReadsNumber]),
    ("abs_diff", &[OfIntegers, ReadsNumber, Discrete]),
    ("pow", &[OfIntegers, ReadsNumber, Discrete]),
    ("wrapping_add", &[OfIntegers, ReadsNumber, Discrete]),
    ("wrapping_sub", &[OfIntegers, ReadsNumber, Discrete]),
    ("wrapping_mul", &[OfIntegers, ReadsNumber, Discrete]),
    ("checked_add", &[OfIntegers, ReadsNumber]),
    ("checked_sub", &[OfIntegers, ReadsNumber]),
    ("checked_mul", &[OfIntegers, ReadsNumber]),
    ("checked_div", &[OfIntegers, ReadsNumber]),
    ("checked_rem", &[OfIntegers, ReadsNumber]),
    ("checked_pow", &[OfIntegers, ReadsNumber]),
    ("saturating_sub", &[OfIntegers, ReadsNumber, Discrete]),
    ("is_power_of_two", &[OfIntegers, ReadsNumber, Discrete]),
    ("to_bits", &[OfFloats, ReadsNumber, NotOfUsers]),
    ("clone", &[OfLengths, OfValues, OfLentOptions, ReadsNumber, ReadsList, ReadsText, StepsOptional]),
    ("to_string", &[OfValues, ReadsNumber, ReadsText, NotOfUsers]),
    ("isqrt", &[OfIntegers, Discrete]),
    ("ilog2", &[OfIntegers, Discrete]),
    ("ilog10", &[OfIntegers, Discrete]),
    ("unsigned_abs", &[OfIntegers, Discrete]),
    ("count_ones", &[OfIntegers, Discrete]),
    ("count_zeros", &[OfIntegers, Discrete]),
    ("leading_zeros", &[OfIntegers, Discrete]),
    ("trailing_zeros", &[OfIntegers, Discrete]),
    ("next_power_of_two", &[OfIntegers, Discrete]),
    ("div_ceil", &[OfIntegers, Discrete]),
    ("is_positive", &[OfIntegers, Discrete]),
    ("is_negative", &[OfIntegers, Discrete]),
    ("saturating_add", &[OfIntegers, Discrete]),
    ("saturating_mul", &[OfIntegers, Discrete]),
    ("next_multiple_of", &[OfIntegers, Discrete]),
    ("binary_search_by", &[OfSlices, ReadsList]),
    ("partition_point", &[OfSlices, ReadsList]),
    ("is_sorted", &[OfSlices, ReadsList]),
    ("extend", &[OfVecs, ChangesList]),
    ("chars", &[OfText, ReadsText]),
    ("bytes", &[OfText, ReadsText]),
    ("char_indices", &[OfText, ReadsText]),
    ("as_str", &[ReadsText, NotOfUsers]),
    ("as_bytes", &[ReadsText]),
    ("trim", &[OfText, ReadsText]),
    ("lines", &[OfText, ReadsText]),
    ("split_whitespace", &[OfText, ReadsText]),
    ("starts_with", &[OfText, ReadsText]),
    ("ends_with", &[OfText, ReadsText]),
    ("to_owned", &[ReadsText]),
    ("collect", &[ReadsOther, TypedByContext, NotOfUsers]),
    ("sum", &[ReadsOther, TypedByContext, NotOfUsers]),
    ("product", &[ReadsOther, TypedByContext, NotOfUsers]),
    ("next", &[OfIterators, ReadsOther]),
    ("is_some", &[OfLentOptions, ReadsOther, EndsOptional, NotOfUsers]),
    ("is_none", &[OfLentOptions, ReadsOther, EndsOptional, NotOfUsers]),
    ("is_some_and", &[OfOptions, ReadsOther, EndsOptional]),
    ("unwrap", &[OfOptions, ReadsOther, EndsOptional, TypedByContext, NotOfUsers]),
    ("unwrap_or", &[OfOptions, ReadsOther, EndsOptional, NotOfUsers]),
    ("unwrap_or_else", &[OfOptions, ReadsOther, EndsOptional, NotOfUsers]),
    ("expect", &[OfOptions, ReadsOther, EndsOptional, TypedByContext, NotOfUsers]),
    ("copied", &[OfOptions, ReadsOther, MakesIterator, StepsOptional, NotOfUsers]),
    ("cloned", &[OfOptions, ReadsOther, MakesIterator, StepsOptional, NotOfUsers]),
    ("map", &[OfOptions, ReadsOther, MakesIterator, StepsOptional, TypedByContext]),
    ("filter", &[OfOptions, ReadsOther, MakesIterator, StepsOptional, NotOfUsers]),
    ("filter_map", &[ReadsOther, MakesIterator, NotOfUsers]),
    ("enumerate", &[ReadsOther, MakesIterator, NotOfUsers]),
    ("zip", &[OfOptions, ReadsOther, MakesIterator, NotOfUsers]),
    ("rev", &[ReadsOther, MakesIterator, NotOfUsers]),
    ("skip", &[ReadsOther, MakesIterator, NotOfUsers]),
    ("take_while", &[ReadsOther, MakesIterator]),
    ("skip_while", &[ReadsOther, MakesIterator]),
    ("step_by", &[ReadsOther, MakesIterator, NotOfUsers]),
    ("chain", &[ReadsOther, MakesIterator]),
    ("position", &[OfIterators, ReadsOther]),
    ("rposition", &[OfIterators, ReadsOther]),
    ("any", &[OfIterators, ReadsOther]),
    ("all", &[OfIterators, ReadsOther]),
    ("find", &[OfIterators, ReadsOther]),
    ("count", &[ReadsOther]),
    ("fold", &[ReadsOther, NotOfUsers]),
    ("try_fold", &[OfIterators, ReadsOther]),
    ("min_by", &[ReadsOther]),
    ("max_by", &[ReadsOther]),
    ("min_by_key", &[ReadsOther]),
    ("max_by_key", &[ReadsOther]),
    ("len_utf8", &[ReadsOther]),
    ("is_whitespace", &[ReadsOther]),
    ("is_alphabetic", &[ReadsOther]),
    ("is_alphanumeric", &[ReadsOther]),
    ("is_ascii_digit", &[ReadsOther]),
    ("is_numeric", &[ReadsOther]),
    ("into_iter", &[MakesIterator, NotOfUsers]),
    ("take", &[OfMutOptions, MakesIterator, StepsOptional, NotOfUsers]),
    ("cycle", &[MakesIterator]),
    ("flat_map", &[MakesIterator, NotOfUsers]),
    ("flatten", &[OfOptions, MakesIterator]),
    ("inspect", &[OfOptions, MakesIterator]),
    ("map_while", &[MakesIterator]),
    ("scan", &[MakesIterator]),
    ("by_ref", &[MakesIterator]),
    ("repeat_n", &[MakesIterator]),
    ("unwrap_or_default", &[OfOptions, ReadsOther, EndsOptional, NotOfUsers]),
    ("map_or", &[OfOptions, ReadsOther, EndsOptional]),
    ("map_or_else", &[OfOptions, ReadsOther, EndsOptional]),
    ("is_ok", &[OfLentOptions, ReadsOther, EndsOptional, NotOfUsers]),
    ("is_err", &[OfLentOptions, ReadsOther, EndsOptional, NotOfUsers]),
    ("is_ok_and", &[OfOptions, ReadsOther, EndsOptional]),
    ("is_none_or", &[OfOptions, ReadsOther, EndsOptional]),
    ("and_then", &[OfOptions, StepsOptional, NotOfUsers]),
    ("or", &[OfOptions, StepsOptional]),
    ("or_else", &[OfOptions, StepsOptional, NotOfUsers]),
    ("as_ref", &[OfLentOptions, StepsOptional, NotOfUsers]),
    ("as_mut", &[OfMutOptions, StepsOptional, NotOfUsers]),
    ("as_deref_mut", &[OfMutOptions, StepsOptional]),
    ("as_deref", &[OfLentOptions, StepsOptional]),
    ("ok", &[OfOptions, ReadsOther, StepsOptional, NotOfUsers]),
    ("ok_or", &[OfOptions, ReadsOther, StepsOptional, NotOfUsers]),
    ("ok_or_else", &[OfOptions, ReadsOther, StepsOptional, NotOfUsers]),
    ("map_err", &[OfOptions, StepsOptional, NotOfUsers]),
    ("unzip", &[TypedByContext]),
    ("partition", &[TypedByContext]),
    ("err", &[OfOptions, ReadsOther, NotOfUsers]),
    ("into_boxed_slice", &[NotOfUsers]),
    ("push_str", &[NotOfUsers]),
    ("lock", &[NotOfUsers]),
    ("borrow", &[NotOfUsers]),
    ("borrow_mut", &[NotOfUsers]),
];
