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

/// Traits with methods that are called like those of the standard library. A method of another trait of that name is either
/// found first, or as good a choice as one of these, which is an error.
#[allow(
    clippy::wrong_self_convention,
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

    named! { "Methods of floats, found on a reference to one before those of the float." OfFloats (self)
        sqrt cbrt recip hypot powi powf mul_add exp exp2 exp_m1 ln ln_1p log log2 log10 sin cos tan asin acos atan atan2
        sin_cos sinh cosh tanh asinh acosh atanh abs signum copysign floor ceil round round_ties_even trunc fract
        min max clamp to_degrees to_radians rem_euclid div_euclid is_nan is_finite is_infinite is_sign_positive
        is_sign_negative is_normal
    }

    impl OfFloats for &f64 {}
    impl OfFloats for &mut f64 {}
    impl OfFloats for &f32 {}
    impl OfFloats for &mut f32 {}

    named! { "Methods of slices, found on what dereferences to one." OfSlices (&mut self)
        iter iter_mut first first_mut last last_mut split_first split_first_mut split_last split_last_mut swap reverse
        rotate_left rotate_right fill fill_with copy_from_slice clone_from_slice swap_with_slice copy_within to_vec
        windows chunks chunks_mut chunks_exact chunks_exact_mut rchunks split_at split_at_mut concat contains
        sort sort_by sort_by_key sort_by_cached_key sort_unstable sort_unstable_by sort_unstable_by_key
        select_nth_unstable_by get get_mut
    }

    impl<T> OfSlices for Vec<T> {}
    impl<T, const N: usize> OfSlices for [T; N] {}

    named! { "Methods of lists that change them." OfLists (&self)
        push pop insert remove swap_remove truncate clear resize append drain retain split_off extend_from_slice
        as_mut_slice dedup
    }

    impl<T> OfLists for Vec<T> {}

    named! { "Methods of lists that do not." OfLengths (self)
        len is_empty as_slice
    }

    impl<T> OfLengths for Vec<T> {}
}
