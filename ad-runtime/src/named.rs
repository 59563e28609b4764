//! What generated code proves to rustc because a macro sees names and not what they mean.

/// One of two variables of one spelling: if it has another type than it should have, rustc takes names for one variable that
/// the macro took for two, or the other way round. Give the variables different names.
#[derive(Clone, Copy, Debug)]
pub struct OneVariable;

/// The other one.
#[derive(Clone, Copy, Debug)]
pub struct AnotherVariable;

/// Proves that two paths name one thing: each function has a type of its own.
pub fn same<T>(_: T, _: T) {}

/// Proves that what a user calls is a function of the crate `libm`, which comes first: each function has a type of its own.
pub fn of_libm<Known, Called: Is<Known>>(_: Known, _: Called) {}

/// Whether two types are the same.
#[diagnostic::on_unimplemented(
    message = "this function is not the one of the crate `libm` that is differentiated",
    label = "this may be one of a module of that name, or of another version of the crate",
    note = "a module of yours is found as `self::libm` or `crate::libm`; of the crate it is version 0.2"
)]
pub trait Is<T> {}

impl<T> Is<T> for T {}

/// What a method of the standard library would return if the macro could name it: where rustc takes a method of another
/// trait, it returns something else. Call that one by its path, `Trait::method(&v)`.
#[derive(Clone, Copy, Debug)]
pub struct OfStandardLibrary;

/// The macros of the standard library. Where another one of that name is in scope, a name that is imported from here is
/// ambiguous.
pub mod macros {
    pub use std::{
        assert, assert_eq, assert_ne, debug_assert, debug_assert_eq, debug_assert_ne, eprint,
        eprintln, format, matches, panic, print, println, todo, unimplemented, unreachable, vec,
        write, writeln,
    };
}

/// Traits with methods that are called like those of the standard library, one for each step of method lookup. A method of another
/// trait of that name is found before, or is as good a choice, which is an error.
#[allow(
    clippy::wrong_self_convention,
    clippy::should_implement_trait,
    reason = "what matters is where method lookup finds them, and not what they do"
)]
pub mod methods {
    use super::OfStandardLibrary;

    macro_rules! named {
        ($doc:literal $name:ident $receiver:tt $($method:ident)*) => {
            #[doc = $doc]
            pub trait $name: Sized {
                $(
                    #[doc = "Stands for the method of that name."]
                    fn $method $receiver -> OfStandardLibrary {
                        OfStandardLibrary
                    }
                )*
            }
        };
    }

    named! { "Found on a reference after all that is found without following it." BehindReferences (&mut self)
        abs_sub midpoint sqrt cbrt recip hypot powi powf mul_add exp exp2 exp_m1 ln ln_1p log log2 log10 sin cos tan asin
        acos atan atan2 sin_cos sinh cosh tanh asinh acosh atanh abs signum copysign floor ceil round
        round_ties_even trunc fract min max clamp to_degrees to_radians rem_euclid div_euclid is_nan
        is_finite is_infinite is_sign_positive is_sign_negative is_normal iter iter_mut first first_mut last
        last_mut split_first split_first_mut split_last split_last_mut swap reverse rotate_left rotate_right
        fill fill_with copy_from_slice clone_from_slice swap_with_slice copy_within to_vec windows chunks
        chunks_mut chunks_exact chunks_exact_mut rchunks rchunks_mut rchunks_exact rchunks_exact_mut
        split_at split_at_mut concat contains sort sort_by sort_by_key sort_by_cached_key sort_unstable sort_unstable_by sort_unstable_by_key
        select_nth_unstable_by get get_mut len is_empty as_slice is_subnormal classify abs_diff pow
        wrapping_add wrapping_sub wrapping_mul checked_add checked_sub checked_mul checked_div checked_rem checked_pow saturating_sub is_power_of_two to_bits clone isqrt ilog2
        ilog10 unsigned_abs count_ones count_zeros leading_zeros trailing_zeros next_power_of_two div_ceil
        is_positive is_negative saturating_add saturating_mul next_multiple_of binary_search_by
        partition_point is_sorted is_some is_none is_some_and unwrap unwrap_or unwrap_or_else expect copied
        cloned map filter zip flatten inspect unwrap_or_default map_or map_or_else is_ok is_err is_ok_and
        is_none_or and_then or or_else as_ref as_deref ok ok_or ok_or_else map_err err
    }

    macro_rules! behind_references {
        ($($ty:ty)*) => {
            $(
                impl BehindReferences for &$ty {}
                impl BehindReferences for &mut $ty {}
            )*
        };
    }

    behind_references! { f64 f32 usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 }

    impl<T> BehindReferences for &Vec<T> {}
    impl<T> BehindReferences for &mut Vec<T> {}
    impl<T, const N: usize> BehindReferences for &[T; N] {}
    impl<T, const N: usize> BehindReferences for &mut [T; N] {}
    impl<T> BehindReferences for &mut [T] {}
    impl<T> BehindReferences for &Option<T> {}
    impl<T, E> BehindReferences for &Result<T, E> {}

    named! { "Found on a value before what takes a reference to it." FoundByValue (self)
        len is_empty as_slice total_cmp partial_cmp cmp clone to_string is_some is_none is_ok is_err as_ref
        as_deref
    }

    macro_rules! values {
        ($($ty:ty)*) => {
            $(impl FoundByValue for $ty {})*
        };
    }

    values! { f64 f32 usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 bool }

    impl<T> FoundByValue for Vec<T> {}
    impl<T, const N: usize> FoundByValue for [T; N] {}
    impl<T> FoundByValue for Option<T> {}
    impl<T, E> FoundByValue for Result<T, E> {}

    named! { "Found on a value that is no reference after what takes `self`, and before what takes `&mut self`." FoundByShared (&self)
        push pop insert remove swap_remove truncate clear resize append drain retain split_off
        extend_from_slice as_mut_slice dedup extend next position rposition any all find try_fold take as_mut as_deref_mut
    }

    impl<T> FoundByShared for Vec<T> {}
    impl<T> FoundByShared for Option<T> {}
    impl<T> FoundByShared for core::slice::Iter<'_, T> {}
    impl<T> FoundByShared for core::ops::Range<T> {}

    named! { "Found on a value that is no reference before what it dereferences to." FoundByExclusive (&mut self)
        iter iter_mut first first_mut last last_mut split_first split_first_mut split_last split_last_mut
        swap reverse rotate_left rotate_right fill fill_with copy_from_slice clone_from_slice
        swap_with_slice copy_within to_vec windows chunks chunks_mut chunks_exact chunks_exact_mut
        rchunks rchunks_mut rchunks_exact rchunks_exact_mut split_at split_at_mut concat contains sort sort_by sort_by_key sort_by_cached_key sort_unstable
        sort_unstable_by sort_unstable_by_key select_nth_unstable_by get get_mut len is_empty
        binary_search_by partition_point is_sorted chars bytes char_indices trim lines split_whitespace
        starts_with ends_with
    }

    impl<T> FoundByExclusive for Vec<T> {}
    impl<T, const N: usize> FoundByExclusive for [T; N] {}
    impl<T: ?Sized> FoundByExclusive for Box<T> {}
    impl FoundByExclusive for String {}
}

/// Says what the parameters of types are of which nothing is said, so that traits for any of them could be found before.
pub mod settled {
    /// If nothing is known of them.
    pub trait Settled: Sized {
        /// They are some type.
        fn settle(self) {}
    }

    macro_rules! settled {
        ($($ty:ty)*) => {
            $(
                impl Settled for fn() -> $ty {}
                impl Settled for fn() -> &'static $ty {}
                impl Settled for fn() -> &'static mut $ty {}
            )*
        };
    }

    settled! { Vec<u8> [u8; 1] Box<[u8]> Option<u8> Result<u8, u8> core::ops::Range<u8> }

    impl Settled for fn() -> &'static mut [u8] {}
    impl Settled for fn() -> core::slice::Iter<'static, u8> {}

    /// If something is known of them.
    pub trait AlreadySettled {
        /// Nothing is left to say.
        fn settle(&self) {}
    }

    impl<T> AlreadySettled for T {}
}
