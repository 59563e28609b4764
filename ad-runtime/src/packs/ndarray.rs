//! Rules for the arrays of ndarray.
//!
//! They are rules of arrays of floats of either kind, and wherever ndarray has a function for arrays of any number of dimensions, of these.
//! Bars are changed in place. What ndarray lends a view of, `a.t()` or `a.row(i)`, sweeps have a copy of.

mod constructors;
mod elementwise;
mod indexed;
mod numbers;
mod operators;
mod parts;
mod products;
mod shapes;
mod sums;
mod types;

pub use indexed::Indexed;
pub use methods::{Elements, Methods, OfNumbers};
pub use types::Float;

mod methods {
    use super::Float;
    use ndarray::{Array, Dimension};

    ad_macros::rules! {
        crate = crate;

        pub deref trait Methods for
            impl<F: Float, D: Dimension + 'static> Array<F, D>
        {
            abs, abs_sub/1, acos, acosh, asin, asinh, atan,
            atanh, cbrt, ceil, clamp/2, copied column/1, cos, cosh, cumprod/1, copied diag, dim, diff/2,
            overloaded dot/1, exp, exp2, exp_m1, copied flatten, floor, fract, hypot/1, copied index_axis/2,
            index_axis_move/2, insert_axis/1, into_diag, into_owned, len, ln, ln_1p, log/1, log10,
            log2, mean, mean_axis/1, ncols, ndim, nrows, pow2, powf/1, powi/1, product, product_axis/1, recip, reversed_axes, round,
            copied row/1, signum, sin, sinh, sqrt, std/1, std_axis/2, sum, sum_axis/1, copied t, tan, tanh,
            to_degrees, to_owned, to_radians, to_vec, tril/1, triu/1, trunc, var/1, var_axis/2,
            copied view,
        }

        pub trait Elements for
            impl<F: Float, D: Dimension + 'static> Array<F, D>
        {
            __index_array_usize_2/1, __index_array_usize_3/1, __index_mut_array_usize_2/1,
            __index_mut_array_usize_3/1, __index_mut_tuple_usize_usize/1,
            __index_mut_tuple_usize_usize_usize/1, __index_tuple_usize_usize/1,
            __index_tuple_usize_usize_usize/1,
        }

        pub trait OfNumbers for
            f64,
            f32
        {
            abs, acos, acosh, asin, asinh, atan, atan2/1, atanh, cbrt, ceil, clamp/2, copysign/1,
            cos, cosh, div_euclid/1, exp, exp2, exp_m1, floor, fract, hypot/1, ln, ln_1p, log/1,
            log10, log2, max/1, midpoint/1, min/1, mul_add/2, powf/1, powi/1, recip,
            rem_euclid/1, round, round_ties_even, signum, sin, sinh, sqrt, tan, tanh, to_degrees,
            to_radians, trunc,
        }
    }
}

/// Rules of the functions of numbers that stand beside those of arrays.
#[cfg(feature = "rule-checks")]
pub fn table_of_numbers() -> Vec<crate::rules::check::Checked> {
    numbers::all()
}

/// All rules.
#[cfg(feature = "rule-checks")]
pub fn table() -> Vec<crate::rules::check::Checked> {
    let tables = [
        operators::all(),
        products::table(),
        sums::table(),
        elementwise::all(),
        shapes::table(),
        constructors::table(),
        indexed::all(),
    ];
    tables.concat()
}
