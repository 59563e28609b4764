//! Rules for the types of nalgebra.
//!
//! They are rules of floats of any kind, so that rustc finds out by the arguments of a constructor, `Vector3::new(x, y, z)`, which type is meant.

mod constructors;
mod dynamic;
mod factorizations;
mod floats;
mod indexed;
mod isometries;
mod matrices;
mod points;
mod products;
mod quaternions;
mod rotations;
mod solves;
mod turns;
mod types;
mod vectors;
mod wrappers;

pub use floats::Float;
pub use indexed::Indexed;
pub use methods::{FactorizationMethods, GeometryMethods, Methods};
pub use turns::Turn;

mod methods {
    use super::{Float, Turn};
    use nalgebra::*;

    ad_macros::rules! {
        crate = crate;

        pub trait Methods for
            impl<F: Float, const R: usize, const C: usize> SMatrix<F, R, C>,
            impl<F: Float> DMatrix<F>,
            impl<F: Float> DVector<F>
        {
            ____index_set_tuple_usize_usize_method, __index_mut_tuple_usize_usize/1,
            __index_tuple_usize_usize/1, abs, add_scalar/1, adjoint, amax, amin,
            angle/1, cap_magnitude/1, cholesky, column_mean, column_sum, component_div/1,
            component_mul/1, cross/1, cross_matrix, determinant, diagonal, dot/1, inf/1,
            insert_row/2, lerp/2, lower_triangle, lp_norm/1, lu, magnitude,
            magnitude_squared, max, mean, metric_distance/1, min, norm, norm_squared,
            normalize, one_norm, perp/1, product, push/1, qr, remove_row/1, row_mean,
            row_sum, row_sum_tr, scale/1, singular_values, overloaded solve_lower_triangular/1, overloaded solve_upper_triangular/1, sum, sup/1,
            symmetric_eigenvalues, symmetric_part, to_homogeneous, tr_dot/1, tr_mul/1, overloaded tr_solve_lower_triangular/1,
            overloaded tr_solve_upper_triangular/1, trace, transpose, try_inverse, try_normalize/1, unscale/1, upper_triangle, variance, xx, xy,
            xyz, xz, xzy, yx, yxz, yy, yz, yzx, zx, zxy, zy, zyx, zz,
        }

        pub trait GeometryMethods for
            impl<F: Float, const N: usize> Point<F, N>,
            impl<F: Float, const N: usize> Translation<F, N>,
            impl<F: Float> Quaternion<F>,
            impl<F: Float> UnitQuaternion<F>,
            impl<F: Float> UnitComplex<F>,
            impl<F: Float, const N: usize> Unit<SVector<F, N>>,
            impl<F: Float, const N: usize> Rotation<F, N>,
            impl<F: Float, R: Turn<F, N>, const N: usize> Isometry<F, R, N>
        {
            angle, angle_to/1, conjugate, cos_angle, dot/1, half, imag, inf/1,
            into_inner, inverse, inverse_transform_point/1, inverse_transform_vector/1,
            lerp/2, magnitude, magnitude_squared, nlerp/2, norm, norm_squared,
            normalize, rotation_to/1, scalar, sin_angle, squared, sup/1, to_homogeneous,
            to_rotation_matrix, transform_point/1, transform_vector/1, transpose, xy,
            xz, yx, yz,
        }

        pub trait FactorizationMethods for
            impl<F: Float, const N: usize> LU<F, Const<N>, Const<N>>
            where
                Const<N>: DimMin<Const<N>, Output = Const<N>>,
            impl<F: Float> LU<F, Dyn, Dyn>,
            impl<F: Float, const N: usize> QR<F, Const<N>, Const<N>>
            where
                Const<N>: DimMin<Const<N>, Output = Const<N>>,
            impl<F: Float> QR<F, Dyn, Dyn>,
            impl<F: Float, const N: usize> Cholesky<F, Const<N>>,
            impl<F: Float> Cholesky<F, Dyn>
        {
            determinant, inverse, l, ln_determinant, overloaded solve/1, try_inverse, unpack,
        }
    }
}

/// All rules.
#[cfg(feature = "rule-checks")]
pub fn table() -> Vec<crate::rules::check::Checked> {
    let tables = [
        matrices::table(),
        products::all(),
        vectors::all(),
        constructors::all(),
        indexed::table(),
        points::table(),
        quaternions::table(),
        rotations::all(),
        isometries::table(),
        dynamic::all(),
        factorizations::all(),
        solves::all(),
    ];
    tables.concat()
}
